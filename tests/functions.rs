//! Functions of every kind, forward and back: free and associated, generic and
//! recursive, across crates; their arguments and places.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use retrograde_tests::{inner, square};

#[reversible]
fn calls(y: &mut f64, n: &mut usize, xs: &[f64]) {
    square(y, &xs[0]);
    square::<f64>(y, &xs[1]);
    inner::summarise(n, y, xs);
    !square(y, &2.0);
    square::inverse(y, &3.0);
    !{
        square(y, &4.0);
        *n += 1;
    };
    retrograde_tests::square(y, &1.0);
}

#[test]
fn calls_and_uncalls_across_crates() {
    let (mut y, mut n) = (0.0, 0);
    let xs = [1.0, 2.0];
    calls(&mut y, &mut n, &xs);
    assert_eq!((y, n), (1.0 + 4.0 + 3.0 - 4.0 - 9.0 - 16.0 + 1.0, 1));
    calls::inverse(&mut y, &mut n, &xs);
    assert_eq!((y, n), (0.0, 0));
    assert_gradient!(calls(&mut y, &mut n, &xs));
}

#[derive(Clone, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct Body {
    position: [f64; 3],
    velocity: [f64; 3],
    mass: f64,
}

impl Body {
    /// Moves freely.
    #[reversible]
    fn drift(&mut self, dt: &f64) {
        for k in 0..3 {
            self.position[k] += self.velocity[k] * *dt;
        }
    }

    #[reversible]
    fn drift_twice(&mut self, dt: &f64) {
        self.drift(dt);
        self.drift(&(0.5 * *dt));
    }

    #[reversible(associated)]
    fn attract(bodies: &mut [f64], strength: &f64) {
        bodies[0] += bodies[1] * *strength;
    }

    #[reversible]
    fn pull(&mut self, values: &mut [f64]) {
        Self::attract(values, &self.mass);
        !Body::attract(values, &0.5);
        self.mass += values[0];
    }
}

#[test]
fn methods() {
    let start = Body { position: [1.0, 2.0, 3.0], velocity: [0.5, 0.25, -1.0], mass: 2.0 };
    let mut body = start.clone();
    body.drift_twice(&2.0);
    assert_eq!(body.position, [2.5, 2.75, 0.0]);
    body.drift_twice_inverse(&2.0);
    assert_eq!(body, start);
    let mut values = [1.0, 4.0];
    body.pull(&mut values);
    assert_eq!((values[0], body.mass), (7.0, 9.0));
    body.pull_inverse(&mut values);
    assert_eq!((values[0], &body), (1.0, &start));
    assert_gradient!(body.drift_twice(&2.0));
    assert_gradient!(Body::attract(&mut values, &0.5));
    assert_gradient!(body.pull(&mut values));
}

impl Body {
    #[reversible]
    fn pull_from(&mut self, other: &Body) {
        self.mass += other.mass;
    }

    #[differentiable]
    fn total(&self) -> f64 {
        self.mass + self.velocity[0]
    }

    #[reversible]
    fn report(&mut self, out: &mut f64) {
        *out += self.total() * 2.0;
        let total = self.total();
        if self.total() > 0.0 {
            *out += total;
        }
        for step in 0..3 {
            host! {
                if step > 5 {
                    println!("{step} of {total}");
                }
            }
        }
    }
}

#[reversible]
fn pull_each(bodies: &mut [Body]) {
    for i in 1..bodies.len() {
        bodies[i].pull_from(&bodies[i - 1]);
    }
}

#[test]
fn receivers_and_arguments_of_one_container() {
    let body = Body { position: [0.0; 3], velocity: [1.0; 3], mass: 2.0 };
    let mut bodies = vec![body.clone(), body.clone(), body];
    pull_each(&mut bodies);
    assert_eq!(bodies.iter().map(|b| b.mass).collect::<Vec<_>>(), [2.0, 4.0, 6.0]);
    pull_each::inverse(&mut bodies);
    assert!(bodies.iter().all(|b| b.mass == 2.0));
    let mut out = 1.0;
    bodies[0].report(&mut out);
    assert_eq!(out, 10.0);
    bodies[0].report_inverse(&mut out);
    assert_eq!(out, 1.0);
    assert_gradient!(bodies[0].report(&mut out));
    assert_gradient!(pull_each(&mut bodies));
}

trait Layer {
    #[reversible]
    fn apply(&self, y: &mut f64, x: &f64);

    #[reversible]
    fn apply_twice(&self, y: &mut f64, x: &f64) {
        self.apply(y, x);
        self.apply(y, x);
    }
}

#[derive(Clone, Differentiable)]
struct Scale(f64);

impl Layer for Scale {
    #[reversible]
    fn apply(&self, y: &mut f64, x: &f64) {
        *y += self.0 * *x;
    }
}

#[test]
fn traits() {
    let mut y = 1.0;
    Scale(3.0).apply_twice(&mut y, &2.0);
    assert_eq!(y, 13.0);
    Scale(3.0).apply_twice_inverse(&mut y, &2.0);
    assert_eq!(y, 1.0);
    assert_gradient!(Scale(3.0).apply_twice(&mut y, &2.0));
}

#[reversible]
fn views(y: &mut f64, grid: &mut [[(f64, Vec<f64>); 2]; 2], i: usize) {
    let whole = &mut *grid;
    let row = &mut whole[i];
    row[0].0 += 2.0;
    row[1].1[i..][0] += row[0].0;
    *negated(&mut *y) += 3.0;
}

#[reversible]
fn view_and_element(s: &mut Grid, i: usize) {
    *negated(&mut s.cells[i]) += s.cells[i + 1];
}

#[test]
fn nested_places() {
    let cell = |v: f64| (v, vec![v, v + 1.0]);
    let start = [[cell(1.0), cell(2.0)], [cell(3.0), cell(4.0)]];
    let (mut y, mut grid) = (1.0, start.clone());
    views(&mut y, &mut grid, 1);
    assert_eq!((y, grid[1][1].1[1], grid[1][0].0), (-2.0, 10.0, 5.0));
    views::inverse(&mut y, &mut grid, 1);
    assert_eq!((y, &grid), (1.0, &start));
    assert_gradient!(views(&mut y, &mut grid, 1));
}

#[derive(Clone, Differentiable)]
#[container]
struct Grid {
    cells: Vec<f64>,
    #[constant]
    width: usize,
}

impl Grid {
    fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.width..][..self.width]
    }

    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.cells[i * self.width..][..self.width]
    }

    fn last_column(&self) -> usize {
        self.width - 1
    }

    #[reversible]
    fn fold_row(&mut self, total: &mut f64, i: usize) {
        for x in self.row(i) {
            *total += *x;
        }
        for k in 0..self.last_column() {
            *total += self.cells[k];
        }
    }

    #[reversible]
    fn fill_last(&mut self, by: &f64) {
        let last = self.width - 1;
        self.cells[last] += *by;
    }
}

#[reversible]
fn by_method(cells: &mut [f64], grid: &mut Grid) {
    cells[grid.last_column()] += grid.cells[grid.last_column() - 1];
}

#[test]
fn views_beside_elements() {
    let mut grid = Grid { cells: vec![1.0, 2.0], width: 2 };
    view_and_element(&mut grid, 0);
    assert_eq!(grid.cells, [-1.0, 2.0]);
    view_and_element::inverse(&mut grid, 0);
    assert_eq!(grid.cells, [1.0, 2.0]);
    assert_gradient!(view_and_element(&mut grid, 0));
}

#[test]
fn methods_in_loops_and_indices() {
    let mut grid = Grid { cells: vec![1.0, 2.0, 3.0, 4.0], width: 2 };
    let mut total = 0.0;
    grid.fold_row(&mut total, 1);
    assert_eq!(total, 8.0);
    grid.fold_row_inverse(&mut total, 1);
    assert_eq!(total, 0.0);
    grid.fill_last(&5.0);
    assert_eq!(grid.cells[1], 7.0);
    grid.fill_last_inverse(&5.0);
    let mut cells = [0.0; 2];
    by_method(&mut cells, &mut grid);
    assert_eq!(cells, [0.0, 1.0]);
    by_method::inverse(&mut cells, &mut grid);
    assert_eq!(cells, [0.0, 0.0]);
    assert_gradient!(grid.fold_row(&mut total, 1));
    assert_gradient!(grid.fill_last(&5.0));
    assert_gradient!(by_method(&mut cells, &mut grid));
}

#[reversible]
fn neighbours(x: &mut [f64], m: &mut Vec<Vec<f64>>, i: usize, j: usize, angle: &f64) {
    rot(&mut x[i], &mut x[j], angle);
    swap(&mut x[i], &mut x[i + 1]);
    x[i] += x[j] * 2.0;
    square(&mut m[i][j], &m[j][i]);
    m[i][0] += m[j][0];
}

#[reversible]
fn halves(x: &mut [f64], h: usize) {
    iterators_meet(&mut x[..h], &mut x[h..]);
    iterators_meet(&mut x[0..=0], &mut x[1..2]);
    add_to_all(&mut x[1..], &x[0]);
}

#[reversible]
fn iterators_meet(a: &mut [f64], b: &mut [f64]) {
    for (x, y) in a.iter_mut().zip(b.iter_mut()) {
        swap(x, y);
        *x += *y;
    }
}

#[reversible]
fn add_to_all(xs: &mut [f64], by: &f64) {
    for x in xs {
        *x += *by;
    }
}

#[test]
fn ranges_of_one_slice() {
    let mut x = [1.0, 2.0, 3.0, 4.0];
    halves(&mut x, 2);
    assert_eq!(x, [10.0, 14.0, 11.0, 12.0]);
    halves::inverse(&mut x, 2);
    assert_eq!(x, [1.0, 2.0, 3.0, 4.0]);
    assert_gradient!(halves(&mut x, 2));
}

#[test]
fn places_in_one_container() {
    let mut x = vec![1.0, 2.0, 3.0];
    let mut m = vec![vec![1.0, 2.0], vec![3.0, 4.0], vec![5.0, 6.0]];
    let (mut x1, mut m1) = (x.clone(), m.clone());
    neighbours(&mut x1, &mut m1, 0, 1, &0.3);
    assert_eq!(m1[0], [4.0, 11.0]);
    neighbours::inverse(&mut x1, &mut m1, 0, 1, &0.3);
    assert!(x1.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-15));
    assert_eq!(m1, m);
    assert_gradient!(neighbours(&mut x, &mut m, 0, 1, &0.3));
}

#[reversible]
fn generic<T: Real, const N: usize>(y: &mut T, xs: &[T; N], scale: f64) {
    let half = 0.5 * scale;
    for x in xs {
        let mut a = 0.0;
        a += 2.0 * *x + x.sin() * 3.0;
        *y += if a > 1.0 { a.powi(2) } else { -1.0 + T::from_f64(half) * *x };
        *y += 0.25;
        a -= 2.0 * *x + x.sin() * 3.0;
    }
}

#[test]
fn generics() {
    fn expected(xs: &[f64]) -> f64 {
        let term = |x: &f64| {
            let a = 2.0 * x + x.sin() * 3.0;
            0.25 + if a > 1.0 { a.powi(2) } else { -1.0 + x }
        };
        xs.iter().map(term).sum()
    }
    let xs = [0.1, 1.5, -2.0];
    let mut y = 0.0;
    generic(&mut y, &xs, 2.0);
    assert!((y - expected(&xs)).abs() < 1e-12);
    generic::inverse(&mut y, &xs, 2.0);
    assert!(y.abs() < 1e-12);
    let fixed = xs.map(Fixed43::from_f64);
    let mut y = Fixed43::from_f64(0.5);
    generic(&mut y, &fixed, 2.0);
    assert!((y.to_f64() - 0.5 - expected(&xs)).abs() < 1e-9);
    generic::inverse(&mut y, &fixed, 2.0);
    assert_eq!(y, Fixed43::from_f64(0.5));
    assert_gradient!(generic(&mut 0.5, &xs, 2.0));
    assert_gradient!(generic(&mut y, &fixed, 2.0));
}

#[reversible]
fn literals_of_any_type(y: &mut Fixed43, x: &Fixed43) {
    let (mut a, mut b) = (0.0, *x);
    a += 0.5 * *x;
    if (*y > 0.0, _) {
        *y += a * 2.0 + std::f64::consts::PI * b;
    }
    b += 0.25;
    *y += b;
    b -= 0.25;
    a -= 0.5 * *x;
}

#[test]
fn literals() {
    let (mut y, x) = (Fixed43::from_f64(1.0), Fixed43::from_f64(3.0));
    literals_of_any_type(&mut y, &x);
    assert!((y.to_f64() - (1.0 + 3.0 + 3.0 * std::f64::consts::PI + 3.25)).abs() < 1e-11);
    literals_of_any_type::inverse(&mut y, &x);
    assert_eq!(y, Fixed43::from_f64(1.0));
    assert_gradient!(literals_of_any_type(&mut y, &x));
}

#[reversible]
fn is_even(result: &mut bool, n: u32) {
    if n == 0 {
        flip(result);
    } else {
        is_odd(result, n - 1);
    }
}

#[reversible]
fn is_odd(result: &mut bool, n: u32) {
    if n > 0 {
        is_even(result, n - 1);
    }
}

#[test]
fn mutual_recursion() {
    for n in 0..9 {
        let mut even = false;
        is_even(&mut even, n);
        assert_eq!(even, n % 2 == 0);
        is_even::inverse(&mut even, n);
        assert!(!even);
    }
}

#[test]
fn inside_a_function_body() {
    /// With an item of its own.
    #[inline]
    #[cold]
    #[reversible]
    fn local(y: &mut u32) {
        const STEP: u32 = 3;
        fn double(x: u32) -> u32 {
            2 * x
        }
        *y += double(STEP);
    }
    let mut y = 1;
    local(&mut y);
    assert_eq!(y, 7);
    local::inverse(&mut y);
    assert_eq!(y, 1);
}

#[reversible]
fn lifetimes<'a, 'b: 'a, T>(y: &'a mut T, x: &'b T)
where
    T: Arithmetic + 'b,
{
    *y += *x;
    host! {
        assert!(x.magnitude() >= 0.0, "runs in both directions");
    }
}

#[test]
fn lifetimes_and_where_clauses() {
    let mut y = 1.0;
    lifetimes(&mut y, &2.0);
    lifetimes::inverse(&mut y, &2.0);
    assert_eq!(y, 1.0);
    assert_gradient!(lifetimes(&mut y, &2.0));
}

#[reversible]
fn with_map(state: &mut Map<usize, f64>, n: usize) {
    for i in 0..n {
        state.insert_copy(i + 1, &0.0);
        square(&mut state[i + 1], &state[i]);
    }
}

#[test]
fn maps() {
    let mut state: Map<usize, f64> = [(0, 2.0)].into_iter().collect();
    with_map(&mut state, 3);
    assert_eq!(state[3], 256.0);
    with_map::inverse(&mut state, 3);
    assert_eq!(state.len(), 1);
    with_map(&mut state, 3);
    let mut shadow: Map<usize, f64> = (0..4).map(|i| (i, if i == 3 { 1.0 } else { 0.0 })).collect();
    with_map::adjoint(&mut state, &mut shadow, 3);
    // (x⁸)′ at 2, and no shadows beside values that are gone.
    assert_eq!((shadow.len(), shadow[0]), (1, 8.0 * 128.0));
    with_map::inverse_adjoint(&mut state, &mut shadow, 3);
    assert_eq!((state.len(), state[3], shadow.len()), (4, 256.0, 4));
}

#[allow(clippy::ptr_arg)] // The overloaded index of a vector is the point.
#[reversible]
fn literal_into_a_vector<T: Real>(x: &mut Vec<T>, m: &mut Map<u8, T>) {
    x[0] += 1.0;
    x[1] -= 0.5 + 1.0;
    m[3] += std::f64::consts::PI;
}

#[test]
fn literals_beside_overloaded_indices() {
    let (mut x, mut m): (_, Map<u8, f64>) = (vec![1.0, 2.0], [(3, 0.0)].into_iter().collect());
    literal_into_a_vector(&mut x, &mut m);
    assert_eq!((&x[..], m[3]), (&[2.0, 0.5][..], std::f64::consts::PI));
    literal_into_a_vector::inverse(&mut x, &mut m);
    assert_eq!((&x[..], m[3]), (&[1.0, 2.0][..], 0.0));
}

#[reversible]
fn by_other_names(x: &mut i64, p: &mut (i64, i64), grid: &mut [[i64; 2]; 2]) {
    {
        let r = x;
        inc(r);
        *r += 2;
    }
    {
        let (a, b) = p;
        *a += *b;
        inc(b);
    }
    {
        let a = &mut grid[0..2];
        let b = &mut a[0..1];
        b[0][1] += 3;
    }
    {
        let b = &mut grid[0..2];
        let m = b[1][0];
        let a = &mut b[0..1];
        a[0][0] += m;
    }
}

#[test]
fn names_of_references_and_names_used_again() {
    let (mut x, mut p, mut grid) = (1, (2, 3), [[1, 2], [3, 4]]);
    by_other_names(&mut x, &mut p, &mut grid);
    assert_eq!((x, p, grid), (4, (5, 4), [[4, 5], [3, 4]]));
    by_other_names::inverse(&mut x, &mut p, &mut grid);
    assert_eq!((x, p, grid), (1, (2, 3), [[1, 2], [3, 4]]));
}

#[reversible]
fn log_widths(y: &mut i64, n: usize) {
    let width = n + 2;
    *y += 1;
    host! {
        assert_eq!(format!("{y:>width$}").len(), 5);
    }
}

#[test]
fn captures_of_widths() {
    let mut y = 1;
    log_widths(&mut y, 3);
    log_widths::inverse(&mut y, 3);
    assert_eq!(y, 1);
}

struct Sensor(i64);

impl Sensor {
    #[reversible]
    fn compare(&self, out: &mut i64, other: &Sensor) {
        *out += self.0 - other.0;
    }
}

#[reversible]
fn compare_all(out: &mut i64, sensors: &[Sensor]) {
    for i in 0..sensors.len() {
        for j in 0..sensors.len() {
            sensors[i].compare(out, &sensors[j]);
        }
    }
}

#[test]
fn shared_receivers() {
    let mut out = 0;
    compare_all(&mut out, &[Sensor(1), Sensor(5)]);
    compare_all::inverse(&mut out, &[Sensor(1), Sensor(5)]);
    assert_eq!(out, 0);
}

#[derive(Clone, Differentiable)]
struct Weight {
    w: f64,
}

impl Weight {
    #[reversible]
    fn add_square_to(&self, y: &mut f64) {
        *y += self.w * self.w;
    }
}

#[reversible]
fn by_a_value(y: &mut f64, x: &f64) {
    Weight { w: 2.0 * *x }.add_square_to(y);
}

#[reversible(inverse_only)]
fn looks_inside(y: &mut f64, found: &mut Option<f64>) {
    if let Some(x) = found {
        *y += *x;
    }
}

#[test]
fn what_is_no_place_is_read() {
    let mut y = 1.0;
    by_a_value(&mut y, &3.0);
    assert_eq!(y, 37.0);
    by_a_value::inverse(&mut y, &3.0);
    assert_eq!(y, 1.0);
    assert_eq!(by_a_value::gradient(&3.0).d_x, 24.0);

    let mut found = Some(2.0);
    looks_inside(&mut y, &mut found);
    assert_eq!(y, 3.0);
    looks_inside::inverse(&mut y, &mut found);
    assert_eq!((y, found), (1.0, Some(2.0)));
}
