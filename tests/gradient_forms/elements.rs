//! Calls with several places of one container, which only run time can tell apart.

// Vectors are what is tried.
#![allow(clippy::ptr_arg)]

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

#[derive(Clone, Debug, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
    list: Vec<f64>,
}

#[derive(Clone, Debug, Differentiable)]
struct Table {
    rows: Vec<Vec<f64>>,
    pairs: Vec<Pair>,
}

#[reversible]
fn exchange(m: &mut [Vec<f64>], at: [usize; 2], to: [usize; 2]) {
    swap(&mut m[at[0]][at[1]], &mut m[to[0]][to[1]]);
}

#[reversible]
fn exchange_fields(m: &mut Vec<Pair>, i: usize, k: usize) {
    swap(&mut m[i].a, &mut m[k].b);
    swap(&mut m[i].a, &mut m[i].b);
}

#[reversible]
fn multiply(y: &mut f64, x: &f64, z: &f64) {
    *y += *x * *z;
}

#[reversible]
fn columns(m: &mut Vec<Vec<f64>>, a: usize, b: usize) {
    multiply(&mut m[a][0], &m[b][1], &m[0][1]);
}

#[reversible]
fn only_read(m: &mut [f64], i: usize, j: usize, k: usize) {
    multiply(&mut m[i], &m[j], &m[k]);
}

#[reversible]
fn of_a_grid(m: &mut [[f64; 3]; 3], i: usize, j: usize, k: usize, l: usize) {
    multiply(&mut m[i][j], &m[k][l], &m[0][l]);
}

impl Table {
    #[reversible]
    fn mix(&mut self, i: usize, j: usize, k: usize) {
        multiply(&mut self.rows[i][0], &self.rows[j][1], &self.rows[k][1]);
        multiply(&mut self.pairs[i].a, &self.pairs[j].b, &self.pairs[i].list[k]);
        multiply(&mut self.pairs[i].list[0], &self.pairs[j].list[1], &self.pairs[k].a);
        swap(&mut self.pairs[i].a, &mut self.rows[j][k]);
    }
}

#[reversible]
fn mixed(table: &mut Table, i: usize, j: usize, k: usize) {
    table.mix(i, j, k);
}

#[test]
fn are_apart_though_an_index_is_equal() {
    let rows = || vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]];
    for (at, to) in [([0, 1], [0, 2]), ([0, 1], [1, 1]), ([1, 0], [1, 2])] {
        let mut m = rows();
        exchange(&mut m, at, to);
        let (found, expected) = (m[at[0]][at[1]], rows()[to[0]][to[1]]);
        assert_eq!(found, expected, "{at:?} {to:?}");
        assert_gradient!(exchange(&mut m, at, to));
    }
    let pair = |a: f64| Pair { a, b: a + 1.0, list: vec![a + 2.0, a + 3.0] };
    let pairs = || vec![pair(0.5), pair(-1.0)];
    for (i, k) in [(0, 0), (0, 1)] {
        let mut m = pairs();
        assert_gradient!(exchange_fields(&mut m, i, k));
    }
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let mut m = rows();
        assert_gradient!(columns(&mut m, a, b));
    }
    let mut m = [0.5, 2.0, -1.5];
    assert_gradient!(only_read(&mut m, 0, 1, 1));
    assert_gradient!(only_read(&mut m, 0, 1, 2));
    let mut m = [[1.0, 2.0, 3.0], [0.5, 0.25, -1.0], [4.0, 5.0, 6.0]];
    for (i, k) in [(0, 0), (1, 1), (0, 1), (1, 2)] {
        assert_gradient!(of_a_grid(&mut m, i, 1, k, 2));
    }
    let mut table = Table { rows: rows(), pairs: pairs() };
    for (i, j, k) in [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 1, 1)] {
        let mut before = table.clone();
        table.mix(i, j, k);
        table.mix_inverse(i, j, k);
        assert_gradient!(mixed(&mut before, i, j, k));
    }
}

#[test]
fn are_one_if_all_indices_are_equal() {
    let refused = |run: &dyn Fn(&mut Vec<Vec<f64>>)| {
        let mut m = vec![vec![1.0, 2.0], vec![3.0, 4.0]];
        let run = std::panic::AssertUnwindSafe(|| run(&mut m));
        std::panic::catch_unwind(run).is_err()
    };
    assert!(refused(&|m| exchange(m, [0, 1], [0, 1])));
    assert!(refused(&|m| only_read(&mut m[0], 0, 0, 1)));
    assert!(refused(&|m| only_read(&mut m[0], 1, 0, 1)));
    assert!(!refused(&|m| only_read(&mut m[0], 1, 0, 0)));
}
