//! Every form of statement, forward and back.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

#[reversible]
fn updates(y: &mut i64, z: &mut bool, x: &i64) {
    *y += 3 * *x + 1;
    *y -= x.pow(2);
    *y ^= *x << 3;
    *z ^= *x > 2;
}

#[test]
fn accumulate_and_xor() {
    let (mut y, mut z) = (5, true);
    updates(&mut y, &mut z, &7);
    assert_eq!((y, z), ((5 + 22 - 49) ^ 56, false));
    updates::inverse(&mut y, &mut z, &7);
    assert_eq!((y, z), (5, true));
}

#[reversible]
fn group(y: &mut Logarithmic<Fixed43>, x: &Logarithmic<Fixed43>) {
    *y *= *x;
    *y /= *x * *x;
}

#[test]
fn multiplicative_group() {
    let x = Logarithmic::from(Fixed43::from_f64(1.7));
    let start = Logarithmic::from(Fixed43::from_f64(0.3));
    let mut y = start;
    group(&mut y, &x);
    assert_ne!(y, start);
    group::inverse(&mut y, &x);
    assert_eq!(y, start);
    assert_gradient!(group(&mut y, &x));
}

#[reversible]
fn temporaries(y: &mut f64, x: &[f64]) {
    let n = x.len();
    let (first, last) = (x[0], x[n - 1]);
    {
        let product = first * last;
        *y += product;
    }
    *y += first;
}

#[test]
fn lets() {
    let mut y = 1.0;
    temporaries(&mut y, &[2.0, 9.0, 3.0]);
    assert_eq!(y, 9.0);
    temporaries::inverse(&mut y, &[2.0, 9.0, 3.0]);
    assert_eq!(y, 1.0);
    assert_gradient!(temporaries(&mut y, &[2.0, 9.0, 3.0]));
}

#[reversible]
fn ancillas(y: &mut f64, x: &f64) {
    let mut a = 0.0;
    a += *x;
    let mut b: f64 = *x;
    b += a * a;
    *y += b;
    b -= a * a;
    a -= *x;
}

#[reversible]
fn known_end(y: &mut usize, n: usize) {
    let mut k: usize = 0;
    for _ in 0..n {
        inc(&mut k);
        *y += k;
    }
    unlet!(k = n);
}

#[test]
fn ancillas_and_unlet() {
    let mut y = 1.0;
    ancillas(&mut y, &3.0);
    assert_eq!(y, 13.0);
    ancillas::inverse(&mut y, &3.0);
    assert_eq!(y, 1.0);
    assert_gradient!(ancillas(&mut y, &3.0));
    let mut y = 1;
    known_end(&mut y, 4);
    assert_eq!(y, 11);
    known_end::inverse(&mut y, 4);
    assert_eq!(y, 1);
}

#[reversible]
fn computes(y: &mut f64, z: &mut f64, xs: &[f64]) {
    for x in xs {
        #[compute]
        {
            let mut sq = 0.0;
            sq += *x * *x;
            #[compute]
            {
                let root = sq.sqrt();
            }
            let mut r = 0.0;
            r += root + sq;
        }
        *y += r;
        *z -= sq;
    }
}

#[test]
fn compute_copy_uncompute() {
    let (mut y, mut z) = (0.0, 0.0);
    let xs = [1.0, 2.0, 3.0];
    computes(&mut y, &mut z, &xs);
    assert_eq!((y, z), (20.0, -14.0));
    computes::inverse(&mut y, &mut z, &xs);
    assert_eq!((y, z), (0.0, 0.0));
    assert_gradient!(computes(&mut y, &mut z, &xs));
}

#[reversible]
fn shift_then_use(y: &mut f64, x: &mut f64, c: &f64) {
    #[compute]
    {
        *x -= *c;
    }
    *y += *x * *x;
}

#[test]
fn compute_may_change_an_argument_and_give_it_back() {
    let (mut y, mut x) = (0.0, 5.0);
    shift_then_use(&mut y, &mut x, &2.0);
    assert_eq!((y, x), (9.0, 5.0));
    shift_then_use::inverse(&mut y, &mut x, &2.0);
    assert_eq!((y, x), (0.0, 5.0));
    assert_gradient!(shift_then_use(&mut y, &mut x, &2.0));
}

#[reversible]
fn branches(y: &mut i64, x: &[i64]) {
    if x.is_empty() {
        *y += 100;
    } else if x[0] > 0 {
        *y += x[0];
    } else if x[0] < -5 {
        *y -= 1;
    } else {
        *y += 7;
    }
    if (*y > 10, *y > 20) {
        *y += 10;
    }
}

#[test]
fn lazy_branches() {
    for x in [&[][..], &[3], &[-9], &[0]] {
        for start in [1, 20, -200] {
            let mut y = start;
            branches(&mut y, x);
            branches::inverse(&mut y, x);
            assert_eq!(y, start, "{x:?}");
        }
    }
}

#[reversible]
fn collatz_like(n: &mut u64, steps: &mut u64) {
    while (*steps < 10, *steps > 0) {
        *n += *steps;
        *steps += 1;
    }
}

#[test]
fn while_loops() {
    let (mut n, mut steps) = (5, 0);
    collatz_like(&mut n, &mut steps);
    assert_eq!((n, steps), (50, 10));
    collatz_like::inverse(&mut n, &mut steps);
    assert_eq!((n, steps), (5, 0));
}

#[reversible]
fn ranges(out: &mut Stack<i64>, a: i64, b: i64) {
    for i in a..b {
        out.push_copy(&i);
    }
    for i in a..=b {
        out.push_copy(&i);
    }
    for i in (a..b).rev() {
        out.push_copy(&i);
    }
    for i in (a..b).step_by(3) {
        out.push_copy(&i);
    }
    for i in (a..=b).step_by(4) {
        out.push_copy(&i);
    }
    for i in (a..=b).step_by(4).rev() {
        out.push_copy(&i);
    }
    for i in (a..b).rev().step_by(3) {
        out.push_copy(&i);
    }
}

#[test]
fn ranges_run_the_same_sequence_backwards() {
    for (a, b) in [(0, 10), (3, 3), (-4, 7), (5, 2), (0, 1)] {
        let mut out = Stack::new();
        ranges(&mut out, a, b);
        let expected: Vec<i64> = (a..b)
            .chain(a..=b)
            .chain((a..b).rev())
            .chain((a..b).filter(|i| (i - a) % 3 == 0))
            .chain((a..=b).filter(|i| (i - a) % 4 == 0))
            .chain((a..=b).filter(|i| (i - a) % 4 == 0).rev())
            .chain((a..b).rev().step_by(3))
            .collect();
        assert_eq!(out.as_slice(), expected);
        ranges::inverse(&mut out, a, b);
        assert!(out.is_empty());
    }
}

#[reversible]
fn iterators(ys: &mut [i64], zs: &mut Vec<i64>, xs: &[i64]) {
    for y in ys.iter_mut() {
        *y += 1;
    }
    for (y, x) in ys.iter_mut().zip(xs) {
        *y += *x;
    }
    for (i, (y, x)) in ys.iter_mut().zip(xs.iter()).enumerate() {
        *y += i as i64 * *x;
    }
    for (z, x) in zs.iter_mut().rev().zip(xs.iter().rev()) {
        *z -= *x;
    }
    for (pair, x) in ys.chunks_exact_mut(2).zip(xs.chunks_exact(2)) {
        pair[0] += x[1];
        pair[1] += pair[0];
    }
    for z in &mut *zs {
        *z += 2;
    }
    for y in ys {
        *y -= 3;
    }
    for (i, x) in xs.iter().enumerate() {
        zs[0] += *x * i as i64;
    }
}

#[test]
fn iterator_loops() {
    let (ys, zs, xs) = (vec![1, 2, 3, 4, 5], vec![5, 4, 3, 2, 1], [10, 20, 30, 40, 50]);
    let (mut y, mut z) = (ys.clone(), zs.clone());
    iterators(&mut y, &mut z, &xs);
    assert_ne!(y, ys);
    iterators::inverse(&mut y, &mut z, &xs);
    assert_eq!((y, z), (ys, zs));
}

#[reversible]
#[unchecked]
fn sloppy(y: &mut i64, x: &i64) {
    let mut a = 0;
    a += *x;
    *y += a;
}

#[reversible]
fn partly_sloppy(y: &mut i64, x: &[i64]) {
    #[unchecked]
    for v in x {
        let mut a = 0;
        a += *v;
        *y += a;
    }
    #[unchecked]
    if (*y > 0, *y < 0) {
        *y += 1;
    }
    #[unchecked]
    {
        let mut b = 1;
        b += *y;
    }
    #[unchecked]
    let mut c = 5;
    c += 1;
}

#[unchecked]
#[reversible]
fn sloppy_everywhere(_x: &mut [i64], _n: &mut i64, _i: usize, _j: usize) {
    let mut dirty = 0;
    dirty += 1;
}

#[reversible]
fn sloppy_statements(x: &mut [i64], n: &mut i64, i: usize, j: usize) {
    #[unchecked]
    x[i] += x[j];
    #[unchecked]
    while (*n < 5, *n < 3) {
        *n += 1;
    }
    #[unchecked]
    add_twice(&mut x[0], x[j]);
    #[unchecked]
    !add_twice(&mut x[0], x[j]);
    let mut k = 1;
    k += 1;
    #[unchecked]
    unlet!(k = 7);
    #[unchecked]
    #[compute]
    {
        let mut m = 0;
        m += x[i];
    }
    x[j] += m;
}

#[reversible]
fn add_twice(y: &mut i64, by: i64) {
    *y += 2 * by;
}

#[test]
fn unchecked_removes_checks() {
    sloppy_everywhere(&mut [1], &mut 0, 0, 0);
    let (mut x, mut n) = ([1, 2], 0);
    sloppy_statements(&mut x, &mut n, 0, 0);
    assert_eq!((x[0], n), (-12, 5));
    let mut y = 1;
    sloppy(&mut y, &4);
    assert_eq!(y, 5);
    partly_sloppy(&mut y, &[1, 2]);
    assert_eq!(y, 9);
}

struct Series {
    data: Vec<i64>,
    other: Vec<i64>,
}

impl Series {
    #[reversible]
    fn scan(&mut self) {
        for i in 1..self.data.len() {
            self.data[i] += self.data[i - 1];
        }
    }
}

#[reversible]
fn lag(s: &mut Series, t: &mut (Vec<i64>, i64), grid: &mut [Vec<i64>]) {
    for k in 1..s.data.len() {
        s.data[k] += s.other[k - 1];
        s.other[k] += s.data[k];
    }
    for i in 1..t.0.len() {
        t.0[i] += 2 * t.0[i - 1];
    }
    for i in 1..grid.len() {
        for j in 1..grid[i].len() {
            grid[i][j] += grid[i - 1][j - 1];
        }
    }
}

#[test]
fn loops_with_a_memory_run_backwards() {
    let mut s = Series { data: vec![1, 2, 3, 4], other: vec![5, 6, 7, 8] };
    s.scan();
    assert_eq!(s.data, [1, 3, 6, 10]);
    s.scan_inverse();
    assert_eq!(s.data, [1, 2, 3, 4]);
    let (t, grid) = ((vec![1, 2, 3], 0), vec![vec![1, 2, 3], vec![4, 5, 6], vec![7, 8, 9]]);
    let (mut t1, mut grid1) = (t.clone(), grid.clone());
    lag(&mut s, &mut t1, &mut grid1);
    assert_eq!((s.data[3], t1.0[2], grid1[2][2]), (27, 11, 9 + 5 + 1));
    lag::inverse(&mut s, &mut t1, &mut grid1);
    assert_eq!((&s.data[..], &s.other[..]), (&[1, 2, 3, 4][..], &[5, 6, 7, 8][..]));
    assert_eq!((t1, grid1), (t, grid));
}

/// Cells can be read, and functions that only read be called.
mod read_only {
    use retrograde::prelude::*;
    use std::cell::{Cell, RefCell};

    struct Table<F> {
        scale: F,
        name: String,
    }

    #[reversible(inverse_only)]
    fn read<F: Fn(f64) -> f64>(
        y: &mut f64,
        cell: &Cell<f64>,
        shared: &RefCell<f64>,
        f: impl Fn(f64) -> f64,
        table: &mut Table<F>,
    ) {
        *y += cell.get() * *shared.borrow() + f(2.0) + (table.scale)(3.0);
        *y += table.name.replace("a", "bb").len() as f64;
    }

    #[test]
    fn what_only_reads_is_called() {
        let mut y = 0.5;
        let mut table = Table { scale: |x| 10.0 * x, name: "banana".into() };
        let (cell, shared) = (Cell::new(2.0), RefCell::new(3.0));
        read(&mut y, &cell, &shared, |x| x * x, &mut table);
        assert_eq!(y, 0.5 + 6.0 + 4.0 + 30.0 + 9.0);
        read::inverse(&mut y, &cell, &shared, |x| x * x, &mut table);
        assert_eq!(y, 0.5);
    }
}
