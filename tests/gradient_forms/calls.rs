//! Calls of functions, methods, traits, function values and instructions, and
//! the same backwards.

use crate::gradient_harness::{X, Y};
use crate::{check_forms, forms};
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

#[reversible]
fn scaled<T: Real>(out: &mut T, a: &T, b: &T) {
    *out += *a * *b + a.sin();
}

#[reversible]
fn by_value<T: Real>(out: &mut T, a: T) {
    *out += a * a;
}

#[reversible]
fn sum_of_squares<T: Real>(out: &mut T, values: &[T]) {
    for v in values {
        *out += *v * *v;
    }
}

#[reversible]
fn two_outputs<T: Real>(a: &mut T, b: &mut T, x: &T) {
    *a += *b * *x;
    *b -= *a * *x;
}

#[reversible]
fn down<T: Real>(out: &mut T, x: &[T]) {
    if !x.is_empty() {
        *out += x[0] * x[0];
        down(out, &x[1..]);
        *out -= x[0].cos();
    }
}

#[reversible]
fn fibonacci<T: Real>(a: &mut T, b: &mut T, x: &T, n: usize) {
    if n > 0 {
        *a += *b * *x;
        swap(a, b);
        fibonacci(a, b, x, n - 1);
    }
}

#[reversible]
fn even<T: Real>(out: &mut T, x: &T, n: usize) {
    if n > 0 {
        *out += *x * *x;
        odd(out, x, n - 1);
    }
}

#[reversible]
fn odd<T: Real>(out: &mut T, x: &T, n: usize) {
    if n > 0 {
        *out -= x.sin() * 0.5;
        even(out, x, n - 1);
    }
}

#[reversible]
fn twice<T: Real, F>(step: &F, y: &mut T, x: &T)
where
    F: for<'a, 'b> Reversible<(&'a mut T, &'b T)>,
{
    step(y, x);
    *y += *x;
    step(y, x);
    !step(y, &(*x * *x));
}

#[reversible]
fn square<T: Real>(y: &mut T, x: &T) {
    *y += *x * *x;
}

#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
pub struct Body<T> {
    position: T,
    velocity: T,
    mass: T,
}

impl<T: Real> Body<T> {
    #[reversible]
    fn drift(&mut self, dt: &T) {
        self.position += self.velocity * *dt;
    }

    #[reversible]
    fn kick(&mut self, other: &Body<T>) {
        self.velocity += other.mass * (other.position - self.position);
    }

    #[reversible]
    fn step(&mut self, dt: &T) {
        self.drift(dt);
        self.velocity -= self.position * *dt;
        self.drift(&(0.5 * *dt));
    }

    #[reversible]
    fn report(&self, out: &mut T) {
        *out += self.energy() * self.mass;
    }

    #[differentiable]
    fn energy(&self) -> T {
        self.velocity.clone() * self.velocity.clone() * self.mass.clone()
    }

    #[reversible(associated)]
    fn exchange(a: &mut T, b: &mut T, by: &T) {
        *a += *b * *by;
        *b -= *a * *by;
    }
}

trait Layer<T: Real> {
    #[reversible]
    fn apply(&self, y: &mut T, x: &T);

    #[reversible]
    fn apply_and_undo(&self, y: &mut T, x: &T) {
        self.apply(y, x);
        *y += *x * *x;
        self.apply(y, x);
        !self.apply(y, &(0.5 * *x));
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Scale<T>(T);

impl<T: Real> Layer<T> for Scale<T> {
    #[reversible]
    fn apply(&self, y: &mut T, x: &T) {
        *y += self.0 * *x;
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Wave<T> {
    frequency: T,
}

impl<T: Real> Layer<T> for Wave<T> {
    #[reversible]
    fn apply(&self, y: &mut T, x: &T) {
        *y += (self.frequency * *x).sin();
    }
}

/// By the rules of its parts.
#[differentiable]
fn smooth<T: Real>(x: &T, sharpness: &T) -> T {
    let scaled = x.clone() * sharpness.clone();
    if *x > T::zero() { scaled.clone() * scaled } else { scaled.sin() }
}

/// With a constant that is a float for every number.
#[differentiable]
fn steep<T: Real>(x: &T, sharpness: f64) -> T {
    (x.clone() * T::from_f64(sharpness)).tanh()
}

/// By its derivative, by hand.
#[differentiable(derivative = bump_slope)]
fn bump<T: Real>(x: T) -> T {
    x.clone() * x.sin()
}

fn bump_slope<T: Real>(x: T) -> T {
    x.clone().sin() + x.clone() * x.cos()
}

/// By a rule of its own.
#[differentiable(pullback = ratio_pullback)]
fn ratio<T: Real>(a: &T, b: &T) -> (T, T) {
    (a.clone() / b.clone(), a.clone() + b.clone())
}

fn ratio_pullback<T: Real>(g: &(T, T), a: &T, d_a: &mut T, b: &T, d_b: &mut T) {
    *d_a += g.0.clone() / b.clone() + g.1.clone();
    *d_b += g.1.clone() - g.0.clone() * a.clone() / (b.clone() * b.clone());
}

forms! {
    fn functions(y, x) {
        scaled(&mut y[0], &x[0], &x[1]);
        scaled(&mut y[0], &x[2], &x[2]);
        scaled(&mut y[1], &(x[0] * x[3]), &0.5);
        scaled::<T>(&mut y[2], &1.5, &x[3]);
        by_value(&mut y[1], x[0] * x[1]);
        by_value(&mut y[1], x[3]);
        by_value(&mut y[2], 2.0);
        sum_of_squares(&mut y[2], x);
        sum_of_squares(&mut y[0], &x[1..3]);
        sum_of_squares(&mut y[1], &[x[0], x[1] * x[2]]);
        retrograde_tests::square(&mut y[2], &x[1]);
        two_outputs(&mut y[0], &mut y[1], &x[2]);
    }

    fn calls_in_one_slice(y, x) {
        scaled(&mut y[0], &y[1], &y[2]);
        scaled(&mut y[1], &y[0], &x[0]);
        sum_of_squares(&mut y[0], &y[1..]);
        let (a, b) = y.split_at_mut(1);
        scaled(&mut a[0], &b[0], &b[1]);
        two_outputs(&mut b[0], &mut a[0], &x[1]);
    }

    fn uncalls(y, x) {
        !scaled(&mut y[2], &x[1], &(2.0 * x[1]));
        scaled::inverse(&mut y[2], &x[3], &x[0]);
        !by_value(&mut y[1], x[0]);
        !two_outputs(&mut y[0], &mut y[1], &x[2]);
        !{
            by_value(&mut y[0], x[2]);
            y[0] += x[1] * y[1];
            !{
                y[1] -= y[0] * x[3];
            };
            for i in 0..3 {
                y[i] += x[i] * x[i];
            }
        };
        !!scaled(&mut y[2], &x[1], &x[0]);
    }

    fn recursion(y, x) {
        down(&mut y[0], x);
        !down(&mut y[1], &x[2..]);
        fibonacci(&mut y[1], &mut y[2], &x[3], 5);
        even(&mut y[0], &x[1], 5);
        !odd(&mut y[0], &x[2], 4);
    }

    fn function_values(y, x) {
        twice(&square {}, &mut y[0], &x[0]);
        !twice(&square {}, &mut y[1], &x[1]);
        twice(&retrograde_tests::square {}, &mut y[2], &(x[2] * x[3]));
    }

    fn methods(y, x) {
        #[compute]
        {
            let mut body = Body { position: x[0], velocity: x[1], mass: 2.0 };
            let mut other = Body { position: y[0], velocity: 0.0, mass: x[2] };
            body.step(&x[3]);
            body.kick(&other);
            !other.drift(&x[0]);
            other.step(&body.velocity);
        }
        y[1] += body.position * body.velocity;
        body.report(&mut y[2]);
        y[2] -= other.energy() + other.position;
        Body::exchange(&mut y[1], &mut y[2], &x[1]);
        !Body::exchange(&mut y[2], &mut y[1], &x[3]);
    }

    fn bodies(y, x) {
        #[compute]
        {
            let mut bodies = [
                Body { position: x[0], velocity: x[1], mass: 1.0 },
                Body { position: x[2], velocity: x[3], mass: y[0] },
                Body { position: 0.5, velocity: 0.0, mass: x[0] },
            ];
            for _ in 0..2 {
                for i in 0..3 {
                    for j in 0..3 {
                        if i != j {
                            bodies[i].kick(&bodies[j]);
                        }
                    }
                }
                for body in bodies.iter_mut() {
                    body.drift(&0.1);
                }
            }
        }
        y[1] += bodies[0].position * bodies[1].velocity;
        for body in &bodies {
            body.report(&mut y[2]);
        }
    }

    fn traits(y, x) {
        let scale = Scale(x[0]);
        scale.apply(&mut y[0], &x[1]);
        scale.apply_and_undo(&mut y[1], &x[2]);
        let wave = Wave { frequency: x[3] * x[0] };
        wave.apply(&mut y[2], &x[1]);
        !wave.apply_and_undo(&mut y[0], &x[2]);
    }

    fn parts_of_one_element(y, x) {
        let mut pairs = vec![(x[0], x[1]), (x[2], x[3])];
        pairs[0].0 += x[3];
        scaled(&mut y[0], &pairs[0].0, &pairs[0].1);
        y[1] += smooth(&pairs[1].0, &pairs[1].1) * pairs[1].0;
        pairs[0].0 -= x[3];
    }

    fn constants_as_arguments(y, x) {
        let (three, n) = (3.0, x.len());
        let count = T::from_f64(n as f64);
        let weights = [T::from_f64(0.5), T::from_f64(-2.0)];
        sum_of_squares(&mut y[0], &weights);
        scaled(&mut y[0], &x[0], &three);
        scaled(&mut y[1], &count, &x[1]);
        y[2] += smooth(&x[2], &count) * steep(&x[1], 3.0) + steep(&x[0], 0.5);
    }

    fn copies_and_literals_as_arguments(y, x) {
        let body = Body { position: x[0], velocity: x[1], mass: x[2] };
        let pair = (x.to_vec(), x[3]);
        for v in pair.0.iter().cloned() {
            y[0] += bump(v);
            y[1] += bump(v) * v + smooth(&v, &pair.1);
        }
        for (i, (v, w)) in x.iter().cloned().zip(pair.0.iter().cloned()).enumerate().skip(1) {
            y[i - 1] += bump(v) * bump(w);
            square(&mut y[2], &v);
        }
        y[2] += smooth(&body.mass, &2.5);
        y[0] += smooth(&-1.5, &body.velocity);
        y[1] += bump(1.5);
    }

    fn differentiable_functions(y, x) {
        y[0] += smooth(&x[0], &(3.0 * x[2])) * smooth(&x[1], &x[3]) - bump(x[2]);
        y[1] -= bump(x[0] * x[3]) * bump(bump(x[1]));
        let (quotient, sum) = ratio(&x[0], &x[2]);
        y[2] += quotient * sum + ratio(&x[1], &(x[2] * x[2])).0;
        y[2] -= ratio(&x[3], &x[3]).1 * 2.0;
    }

    fn instructions(y, x) {
        let mut angle = 0.0;
        angle += x[0] * x[1];
        rot(&mut y[0], &mut y[1], &angle);
        unrot(&mut y[1], &mut y[2], &x[2]);
        angle -= x[0] * x[1];
        swap(&mut y[1], &mut y[2]);
        neg(&mut y[0]);
        y[0] += x[2] * y[1];
        hadamard(&mut y[0], &mut y[2]);
        inc(&mut y[1]);
        dec(&mut y[0]);
        add_constant(&mut y[1], x[3] * x[3]);
        sub_constant(&mut y[2], x[0] * y[0]);
        conj(&mut y[0]);
        !rot(&mut y[0], &mut y[2], &(x[3] * 0.5));
        !hadamard(&mut y[1], &mut y[2]);
    }
}

#[test]
fn of_functions() {
    check_forms!(functions calls_in_one_slice uncalls function_values);
}

#[test]
fn of_themselves() {
    check_forms!(recursion);
}

#[test]
fn of_methods() {
    check_forms!(methods bodies traits);
}

#[test]
fn of_differentiable_functions() {
    check_forms!(differentiable_functions constants_as_arguments parts_of_one_element);
    check_forms!(copies_and_literals_as_arguments);
    check_forms!(differentiable_functions; Y, [-0.7, 1.3, 2.1, 0.4]);
}

#[test]
fn of_instructions() {
    check_forms!(instructions);
}

/// All in the signature: what carries a gradient, and what does not.
#[reversible]
#[allow(clippy::too_many_arguments)]
fn mixed<T: Real, const N: usize>(
    y: &mut T,
    counter: &mut usize,
    table: &[T; N],
    #[constant] data: &[f64],
    scale: T,
    shift: f64,
    flag: bool,
    #[constant] offset: T,
) {
    for (v, d) in table.iter().zip(data) {
        *y += *v * scale * T::from_f64(*d);
        *counter += 1;
    }
    if flag {
        *y += T::from_f64(shift) * scale - offset * table[N - 1];
    }
}

#[test]
fn of_every_kind_of_argument() {
    let (mut y, mut counter, table, data) = (1.0, 0, [2.0, 3.0], [0.5, -1.0]);
    let found = mixed::gradient(&mut counter, &table, &data, 1.5, 4.0, false, 10.0);
    assert_eq!((found.value, counter), (1.5 * (1.0 - 3.0), 0));
    assert_eq!((found.d_table, found.d_scale, found.d_shift), ([0.75, -1.5], -2.0, 0.0));
    mixed(&mut y, &mut counter, &table, &data, 1.5, 4.0, false, 10.0);
    let (mut d_y, mut d_table, mut d_scale, mut d_shift) = (2.0, [1.0, 0.0], 100.0, 7.0);
    mixed::adjoint(
        &mut y,
        &mut d_y,
        &mut counter,
        &table,
        &mut d_table,
        &data,
        1.5,
        &mut d_scale,
        4.0,
        &mut d_shift,
        false,
        10.0,
    );
    assert_eq!((y, counter, d_y), (1.0, 0, 2.0));
    assert_eq!((d_table, d_scale, d_shift), ([2.5, -3.0], 96.0, 7.0));
    assert_gradient!(down(&mut y, &X[..]));
}

/// What has no size may have reversible methods, and so may a trait object.
trait Smooth {
    #[reversible]
    fn smooth(&mut self, by: &f64);

    #[reversible]
    fn smooth_twice(&mut self, by: &f64) {
        self.smooth(by);
        self.smooth(by);
    }
}

impl Smooth for [f64] {
    #[reversible]
    fn smooth(&mut self, by: &f64) {
        for i in 1..self.len() {
            self[i] += self[i - 1] * *by;
        }
    }
}

impl Smooth for f64 {
    #[reversible]
    fn smooth(&mut self, by: &f64) {
        *self += by.sin();
    }
}

struct Row<C: ?Sized> {
    first: f64,
    cells: C,
}

impl Row<[f64]> {
    #[reversible]
    pub fn smooth(&mut self, by: &f64) {
        for cell in self.cells.iter_mut() {
            *cell += self.first * *by;
        }
    }

    #[reversible]
    pub fn smooth_twice(&mut self, by: &f64) {
        self.smooth(by);
        self.smooth(&(*by * *by));
    }
}

#[test]
fn of_methods_of_types_without_a_size() {
    let mut x = [1.0, 2.0];
    x[..].smooth_twice(&0.5);
    assert_eq!(x, [1.0, 3.0]);
    x[..].smooth_twice_inverse(&0.5);
    assert_eq!(x, [1.0, 2.0]);

    let mut y = 1.0;
    let object: &mut dyn Smooth = &mut y;
    object.smooth_twice(&0.0);
    object.smooth_twice_inverse(&0.0);
    let mut d_by = 0.0;
    y.smooth_twice_adjoint(&mut 1.0, &0.0, &mut d_by);
    assert_eq!((y, d_by), (1.0, 2.0));

    let (mut row, mut d_row) =
        (Row { first: 2.0, cells: [1.0, 5.0] }, Row { first: 0.0, cells: [1.0, 10.0] });
    let (row, d_row): (&mut Row<[f64]>, &mut Row<[f64]>) = (&mut row, &mut d_row);
    let mut d_by = 0.0;
    row.smooth_twice(&0.5);
    row.smooth_twice_adjoint(d_row, &0.5, &mut d_by);
    assert_eq!((&row.cells, row.first), (&[1.0, 5.0][..], 2.0));
    assert_eq!((&d_row.cells, d_row.first, d_by), (&[1.0, 10.0][..], 8.25, 44.0));
}

const LIMIT: f64 = 3.0;
static TABLE: [f64; 2] = [0.5, -1.5];

mod constants {
    pub const FACTOR: f64 = 0.25;
}

#[reversible]
fn add_scaled<T: Real>(y: &mut T, x: &T, factor: &T) {
    *y += *x * *factor;
}

#[reversible]
fn by_constants(y: &mut f64, x: &f64, n: usize) {
    let third = 1.0 / 3.0;
    let count = n as f64;
    add_scaled(y, x, &third);
    add_scaled(y, x, &count);
    add_scaled(y, x, &2.0);
    add_scaled(y, x, &LIMIT);
    add_scaled(y, x, &TABLE[1]);
    add_scaled(y, x, &constants::FACTOR);
    add_scaled(y, x, &std::f64::consts::PI);
}

/// The callee asks for a shadow of what carries no gradient here.
#[test]
fn constants_as_arguments() {
    let mut y = 0.5;
    assert_gradient!(by_constants(&mut y, &1.5, 7));
}

/// What has no shadow.
struct Table {
    weights: Vec<f64>,
}

impl Table {
    fn row(&self, i: usize) -> &[f64] {
        &self.weights[2 * i..2 * i + 2]
    }
    fn weight(&self, i: usize) -> f64 {
        self.weights[i]
    }
}

#[reversible]
fn add_row(y: &mut f64, x: &f64, #[constant] row: &[f64]) {
    for w in row {
        *y += *w * *x * *x;
    }
}

#[reversible]
fn by_table(y: &mut f64, x: &f64, #[constant] table: &Table, n: usize) {
    for i in 0..n {
        add_row(y, x, table.row(i));
        add_scaled(y, x, &table.weight(2 * i));
        !add_scaled(y, x, &table.weight(i));
    }
}

#[test]
fn what_a_constant_gives_as_an_argument() {
    let table = Table { weights: vec![0.5, -1.5, 2.0, 3.0, 0.25, 1.0] };
    assert_gradient!(by_table(
        &mut 0.5,
        &1.25,
        #[constant]
        &table,
        2
    ));
}
