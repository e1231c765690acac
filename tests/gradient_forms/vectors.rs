//! Vectors, whose lengths and elements are asked for while they are written, and views of
//! elements beside others of the same container.

// Vectors are what is tried.
#![allow(clippy::ptr_arg)]

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

/// The first loop that everybody writes.
#[reversible]
fn growth(y: &mut f64, rate: &f64, n: usize) {
    let mut path = vec![0.0; n];
    #[compute]
    {
        path[0] += *rate;
        for k in 1..path.len() {
            path[k] += path[k - 1] * *rate;
        }
    }
    *y += path[path.len() - 1];
}

#[derive(Clone, Debug, Differentiable)]
struct Series {
    path: Vec<f64>,
    rows: Vec<Vec<f64>>,
    #[constant]
    order: Vec<usize>,
}

#[reversible]
fn in_fields(s: &mut Series, rate: &f64) {
    for k in 1..s.path.len() {
        s.path[k] += s.path[k - 1] * *rate;
    }
    for k in 0..s.rows[0].len() - 1 {
        s.rows[0][k] += s.rows[0][k + 1] * *rate;
    }
    for i in 0..s.rows.len() {
        for k in 1..s.rows[i].len() {
            s.rows[i][k] += s.rows[i][k - 1] * s.path[0];
        }
    }
    s.path[s.path.len() - 1] += *rate;
    s.path[s.order[0]] += *rate * *rate;
    for y in s.path[..s.order[0]].iter_mut() {
        *y += *rate;
    }
}

impl Series {
    #[reversible]
    fn step(&mut self, rate: &f64) {
        for k in 1..self.path.len() {
            self.path[k] += self.path[k - 1] * *rate;
        }
        self.path[self.order[1]] += *rate;
    }
}

#[reversible]
fn by_method(s: &mut Series, rate: &f64) {
    s.step(rate);
}

#[reversible]
fn from_the_end<T: Real>(v: &mut Vec<T>, w: &mut Vec<Vec<T>>, x: &mut T) {
    v[v.len() - 1] += *x;
    *negated(&mut v[v.len() - 2]) += *x;
    swap(&mut v[v.len() - 1], x);
    {
        let last = &mut v[v.len() - 1];
        *last += *x;
    }
    {
        let row = &mut w[w.len() - 1];
        for i in 0..row.len() {
            row[i] += *x;
        }
    }
    for y in v[..v.len() - 1].iter_mut() {
        *y += *x * *x;
    }
    for y in w[w.len() - 1].iter_mut() {
        *y += *x;
    }
    for i in 0..w[w.len() - 1].len() {
        w[w.len() - 1][i] += *x;
    }
    for (y, z) in v[..w.len()].iter_mut().zip(&w[w.len() - 1]) {
        *y += *z * *x;
    }
}

#[test]
fn their_lengths_are_asked_for_in_time() {
    for n in [1_usize, 2, 12] {
        let mut y = 0.5;
        assert_gradient!(growth(&mut y, &0.7, n));
    }
    for n in [3_usize, 12] {
        let numbers = |k: f64| (0..n).map(|i| (i as f64 + k).sin()).collect::<Vec<f64>>();
        let (path, rows) = (numbers(0.5), vec![numbers(1.0), numbers(2.0)]);
        let mut s = Series { path, rows, order: vec![1, 2] };
        assert_gradient!(in_fields(&mut s, &0.3));
        assert_gradient!(by_method(&mut s, &0.3));
        let (mut v, mut w, mut x) = (numbers(0.25), vec![vec![0.5; 2]; 2], 0.75);
        assert_gradient!(from_the_end(&mut v, &mut w, &mut x));
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Particle {
    x: f64,
    v: f64,
}

#[reversible]
fn trajectory(path: &mut Vec<Particle>, dt: &f64) {
    for k in 0..path.len() - 1 {
        let now = &path[k];
        path[k + 1].x += now.x + now.v * *dt;
        path[k + 1].v += now.v - now.x * *dt;
    }
    for k in 0..path.len() - 1 {
        let next = &mut path[k + 1];
        next.x += path[k].v * path[k].v;
    }
}

#[reversible]
fn add_row(b: &mut [f64; 3], a: &[f64; 3]) {
    for k in 0..3 {
        b[k] += a[k] * a[k];
    }
}

#[reversible]
fn of_rows(m: &mut [[f64; 3]], i: usize, j: usize) {
    let a = &m[i];
    let b = &mut m[j];
    for k in 0..3 {
        b[k] += a[k];
    }
    add_row(b, a);
}

#[test]
fn views_beside_others_of_their_container() {
    let mut path: Vec<Particle> =
        (0..4).map(|k| Particle { x: k as f64, v: 0.5 - k as f64 }).collect();
    assert_gradient!(trajectory(&mut path, &0.1));
    let mut m = [[1.0, 2.0, 3.0], [0.5, 0.25, -1.0]];
    assert_gradient!(of_rows(&mut m, 0, 1));
    let equal = std::panic::catch_unwind(move || of_rows(&mut m, 1, 1));
    assert!(equal.is_err(), "a row was added to itself");
}
