//! What a loop or a `#[compute]` block was found by must be the same on the way back.

use crate::failure;
use retrograde::error::Broken;
use retrograde::prelude::*;

struct Counter {
    n: usize,
}

impl Counter {
    #[reversible]
    fn bump(&mut self) {
        self.n += 1;
    }
}

#[reversible]
fn in_a_range(s: &mut Counter, y: &mut i64, xs: &[i64]) {
    for v in &xs[..s.n] {
        *y += *v;
        s.bump();
    }
}

#[reversible]
fn in_an_index(g: &mut [Vec<i64>], k: &mut [usize], j: usize) {
    for v in g[k[0]].iter_mut() {
        *v += 1;
        k[j] += 1;
    }
}

#[reversible]
fn in_a_zip(ys: &mut [i64], xs: &[i64], n: &mut [usize], j: usize) {
    for (y, x) in ys.iter_mut().zip(&xs[n[0]..n[0] + 2]) {
        *y += *x;
        n[j] += 1;
    }
}

#[reversible]
fn in_an_adaptor(s: &mut Counter, m: &mut [Vec<i64>]) {
    for v in m[s.n].iter_mut().skip(s.n) {
        *v += 1;
        s.bump();
    }
}

#[test]
fn of_a_loop() {
    let mut y = 0;
    let error = failure(|| in_a_range(&mut Counter { n: 2 }, &mut y, &[1; 8]));
    assert_eq!((error.broken, error.expected.as_str()), (Broken::Bounds, "2"));
    in_a_range(&mut Counter { n: 0 }, &mut y, &[1; 8]);
    for (j, changes) in [(0, true), (1, false)] {
        let mut g = [vec![1, 2], vec![3, 4], vec![5, 6]];
        let mut k = [0, 0];
        if changes {
            let error = failure(|| in_an_index(&mut g, &mut k, j));
            assert_eq!(error.broken, Broken::Bounds);
        } else {
            in_an_index(&mut g, &mut k, j);
            in_an_index::inverse(&mut g, &mut k, j);
            assert_eq!((g, k), ([vec![1, 2], vec![3, 4], vec![5, 6]], [0, 0]));
        }
        let (mut ys, mut n) = ([1, 2], [0, 0]);
        if changes {
            let error = failure(|| in_a_zip(&mut ys, &[1, 2, 3, 4], &mut n, j));
            assert_eq!(error.broken, Broken::Bounds);
        } else {
            in_a_zip(&mut ys, &[1, 2, 3, 4], &mut n, j);
            in_a_zip::inverse(&mut ys, &[1, 2, 3, 4], &mut n, j);
            assert_eq!((ys, n), ([1, 2], [0, 0]));
        }
    }
    let mut m = [vec![1, 2], vec![3, 4], vec![5, 6]];
    let error = failure(|| in_an_adaptor(&mut Counter { n: 0 }, &mut m));
    assert_eq!(error.broken, Broken::Bounds);
}

#[reversible]
fn changed_for_a_while(y: &mut i64, x: &mut [i64], i: usize, j: usize) {
    #[compute]
    {
        x[i] += x[2];
    }
    *y += x[i];
    x[j] += 5;
}

#[reversible]
fn changed_in_a_loop(y: &mut i64, x: &mut [i64], n: usize, j: usize) {
    #[compute]
    {
        for k in 1..n {
            x[0] += x[k];
        }
    }
    *y += x[0];
    x[j] += 5;
}

#[test]
fn of_a_compute_block() {
    let mut y = 0;
    let error = failure(|| changed_for_a_while(&mut y, &mut [1, 2, 3, 4], 1, 2));
    assert_eq!((error.broken, error.found.as_str()), (Broken::Indices, "2 and 2"));
    let (mut y, mut x) = (0, [1, 2, 3, 4]);
    changed_for_a_while(&mut y, &mut x, 1, 3);
    assert_eq!((y, x), (5, [1, 2, 3, 9]));
    changed_for_a_while::inverse(&mut y, &mut x, 1, 3);
    assert_eq!((y, x), (0, [1, 2, 3, 4]));
    changed_in_a_loop(&mut y, &mut x, 3, 3);
    assert_eq!((y, x), (6, [1, 2, 3, 9]));
    changed_in_a_loop::inverse(&mut y, &mut x, 3, 3);
    assert_eq!((y, x), (0, [1, 2, 3, 4]));
    for j in [1, 2] {
        let error = failure(|| changed_in_a_loop(&mut 0, &mut [1, 2, 3, 4], 3, j));
        assert_eq!(error.broken, Broken::Indices);
    }
}

#[reversible]
fn in_a_match(g: &mut [f64], i: usize, j: usize) {
    match g[i] > 0.0 {
        true => g[j] -= 5.0,
        false => g[j] += 1.0,
    }
}

#[test]
fn of_a_match() {
    let error = failure(|| in_a_match(&mut [1.0, 2.0], 0, 0));
    assert_eq!((error.broken, error.source), (Broken::Arm, "match g[i] > 0.0"));
    assert_eq!((&*error.expected, &*error.found), ("the arm `true`", "the arm `false`"));
    let mut g = [1.0, 2.0];
    in_a_match(&mut g, 0, 1);
    assert_eq!(g, [1.0, -3.0]);
}
