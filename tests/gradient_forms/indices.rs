//! Loops over indices, whose elements are borrowed before the passes.

use crate::{check_forms, forms};
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use std::ops::{Index, IndexMut};

forms! {
    fn neighbours(y, x) {
        for i in 0..y.len() {
            y[i] += x[i] * x[i + 1];
        }
        for i in 1..y.len() {
            y[i] -= x[i - 1] * x[i].sin() + x[i + 1];
        }
        for i in (1..x.len() - 1).rev() {
            y[i - 1] += x[i + 1] * x[i];
        }
    }

    fn offsets_by_names(y, x) {
        let width = 2;
        for row in 0..2 {
            for column in 0..width {
                let k = row * width + column;
                let next = (k + 1) % 4;
                y[row] += x[k] * x[next] * x[row + column];
                y[width] += x[column + 2] * x[1 + column];
            }
        }
    }

    fn passes_that_depend_on_each_other(y, x) {
        for i in 1..y.len() {
            y[i] += y[i - 1] * x[i];
        }
        for i in (0..y.len() - 1).rev() {
            y[i] -= y[i + 1] * x[i];
        }
        for i in 0..y.len() {
            y[0] += x[i] * x[i];
        }
    }

    fn some_passes_only(y, x) {
        for i in 0..x.len() {
            if i > 0 {
                y[i - 1] += x[i - 1] * x[i];
            }
            y[2] += if i + 1 < x.len() { x[i + 1] * x[i] } else { x[i] };
        }
        // No pass at all, and nothing there to be used by one.
        for i in 7..y.len() {
            y[i] += x[i - 7] * x[i + 9];
        }
    }

    fn scattered(y, x) {
        let n = x.len();
        for i in 1..n - 1 {
            y[1] += x[i - 1] * x[i] + 2.0 * x[i + 1];
            y[i] -= x[i - 1] - x[i + 1];
        }
        for i in 0..n {
            let a = x[i] * x[i];
            y[0] += a * x[n - 1 - i] + x[i];
        }
    }

    fn ancillas_by_index(y, x) {
        let n = x.len();
        #[compute]
        {
            let mut squares = vec![0.0; n];
            for i in 0..n {
                squares[i] += x[i] * x[i];
            }
            let mut sums = vec![0.0; n];
            for i in 1..n {
                sums[i] += squares[i - 1] + squares[i] * x[i];
            }
        }
        for i in 1..n {
            y[i - 1] += sums[i] * squares[i - 1];
        }
    }

    fn ancillas_that_are_checked(y, x) {
        let n = x.len();
        let mut products = vec![1.0; n];
        for i in 1..n {
            products[i] += x[i - 1] * x[i];
        }
        y[0] += products[n - 1] * products[1];
        for i in 1..n {
            products[i] -= 0.5 * (x[i - 1] * x[i]);
            products[i] -= 0.5 * (x[i - 1] * x[i]);
        }
    }

    fn elements_that_are_lent(y, x) {
        for i in 0..y.len() {
            add_product(&mut y[i], &x[i], &x[i + 1]);
            let target = &mut y[i];
            *target += x[i + 1];
            host! { std::hint::black_box(&x[i]); }
        }
    }
}

#[reversible]
fn add_product<T: Real>(y: &mut T, a: &T, b: &T) {
    *y += *a * *b;
}

#[test]
fn by_indices() {
    check_forms!(neighbours offsets_by_names passes_that_depend_on_each_other some_passes_only);
    check_forms!(scattered elements_that_are_lent);
}

#[test]
fn into_ancillas() {
    check_forms!(ancillas_by_index ancillas_that_are_checked);
}

/// A container of its own kind, indexed by its own kind of number.
#[derive(Clone, Debug, Differentiable, PartialEq)]
#[container]
struct Column<T>(Vec<T>);

impl<T> Index<u32> for Column<T> {
    type Output = T;
    fn index(&self, index: u32) -> &T {
        &self.0[index as usize]
    }
}

impl<T> IndexMut<u32> for Column<T> {
    fn index_mut(&mut self, index: u32) -> &mut T {
        &mut self.0[index as usize]
    }
}

#[derive(Clone, Differentiable)]
struct Fields<T> {
    list: Vec<T>,
    array: [T; 3],
    column: Column<T>,
}

#[reversible]
fn fields<T: Real>(y: &mut Fields<T>, x: &Fields<T>, n: usize) {
    for i in 0..n {
        y.list[i] += x.list[i] * x.array[i];
        y.array[i] += x.list[i] * x.list[i];
    }
    for i in 1..n {
        y.list[i] += x.array[i - 1] * x.array[i];
    }
    for i in 0..n as u32 {
        y.column[i] += x.column[i] * x.column[i];
    }
}

#[reversible]
fn columns<T: Real>(y: &mut Column<T>, x: &Column<T>, n: u32) {
    for i in 0..n {
        y[i] += x[i] * x[i];
    }
    for i in 1..n {
        y[i] += x[i - 1] * x[i];
    }
}

#[reversible]
fn rows(y: &mut [Vec<f64>], x: &[[f64; 3]], stride: usize) {
    for i in 0..y.len() {
        for j in 0..y[i].len() {
            y[i][j] += x[i][j] * x[i / 2][j];
        }
        for j in 0..stride {
            y[i][j] -= x[i][j + 1] * x[i][j];
        }
    }
}

#[test]
fn of_containers_of_any_kind() {
    let column = |k: f64| Column(vec![0.5 * k, 1.5 - k, k * k]);
    let some = |k: f64| Fields {
        list: vec![k, 2.0 - k, 0.5 * k],
        array: [1.0 + k, -k, 3.0 * k],
        column: column(k),
    };
    let (mut y, x) = (some(0.5), some(-1.25));
    assert_gradient!(fields(&mut y, &x, 3));
    let (mut y, x) = (column(0.5), column(-1.25));
    assert_gradient!(columns(&mut y, &x, 3));
    let (mut y, x) =
        (vec![vec![0.5, -1.0, 2.0]; 3], [[1.0, 0.5, -2.0], [0.1, 0.2, 0.3], [3.0, 2.0, 1.0]]);
    assert_gradient!(rows(&mut y, &x, 2));
}

/// What is added to `a` is known before the passes, by a name of a pass.
#[reversible]
fn shared<T: Real>(y: &mut [T], a: &[T], b: &[T], n: usize) {
    for i in 0..n {
        for j in 0..n {
            let k = i + 1;
            y[i] -= a[j + 1] + a[j] * b[k + 1];
        }
    }
}

#[test]
fn by_names_of_a_pass() {
    let (a, b) = ([0.5, -1.0, 2.0, 0.25], [3.0, 1.5, -0.5, 0.75, 1.0]);
    let mut y = [1.0, 2.0, -0.5];
    assert_gradient!(shared(&mut y, &a, &b, 3));
}

/// The order of the passes is not that of the inverse, whose values are the same.
#[reversible]
fn stencil<T: Real>(next: &mut [T], now: &[T], n: usize) {
    for row in 1..n - 1 {
        for column in 1..n - 1 {
            let k = row * n + column;
            let around = now[k - n] + now[k - 1] + now[k + 1] + now[k + n];
            next[k] += around - 4.0 * now[k] * now[k];
        }
    }
}

#[test]
fn of_a_grid() {
    for n in [2_usize, 3, 5, 12] {
        let now: Vec<f64> = (0..n * n).map(|k| ((k * k) as f64).sin()).collect();
        let mut next: Vec<f64> = (0..n * n).map(|k| (k as f64).cos()).collect();
        assert_gradient!(stencil(&mut next, &now, n));
        let before = next.clone();
        stencil(&mut next, &now, n);
        let (mut d_next, mut d_now) = (vec![1.0; n * n], vec![0.0; n * n]);
        let mut inverted = next.clone();
        stencil::inverse(&mut inverted, &now, n);
        stencil::adjoint(&mut next, &mut d_next, &now, &mut d_now, n);
        assert_eq!(next, inverted);
        assert!(next.iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-14));
    }
}
