//! Sums that are long enough for several lanes, over slices and over what only
//! looks like them; and loops that do other things besides.

use retrograde::prelude::*;
use retrograde::testing::{assert_gradient, assert_reversible};
use std::iter::Rev;
use std::ops::Range;
use std::slice::{Iter, IterMut};

/// A sparse matrix by rows.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Csr<T> {
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<T>,
}

impl<T> Csr<T> {
    fn row(&self, i: usize) -> Range<usize> {
        self.starts[i]..self.starts[i + 1]
    }
}

#[reversible]
fn multiply<T: Real>(y: &mut [T], a: &Csr<T>, x: &[T]) {
    for (i, y_i) in y.iter_mut().enumerate() {
        let row = a.starts[i]..a.starts[i + 1];
        for (j, a_ij) in a.columns[row.clone()].iter().zip(&a.values[row]) {
            *y_i += *a_ij * x[*j];
        }
    }
}

#[reversible]
fn multiply_by_method<T: Real>(y: &mut [T], a: &Csr<T>, x: &[T]) {
    for (i, y_i) in y.iter_mut().enumerate() {
        #[constant]
        let row = a.row(i);
        #[constant]
        let same = a.row(i);
        let values = &a.values[row];
        for (j, a_ij) in a.columns[same].iter().zip(values) {
            *y_i += *a_ij * x[*j];
        }
    }
}

fn matrix() -> Csr<f64> {
    let mut a = Csr { starts: vec![0], columns: vec![], values: vec![] };
    // Rows below and above every width, and an empty one.
    for length in [3, 0, 8, 41, 14] {
        a.columns.extend((0..length).map(|k| (k * k + length) % 9));
        a.values.extend((0..length).map(|k| (k as f64).sin()));
        a.starts.push(a.values.len());
    }
    a
}

#[test]
fn of_sparse_rows() {
    let (a, x) = (matrix(), [0.5, -1.5, 2.0, 0.75, 1.0, -0.25, 3.0, 0.1, -0.6]);
    let mut y = [0.5, 1.0, -1.0, 2.0, 0.0];
    let expected: Vec<f64> = (0..5)
        .map(|i| y[i] + a.row(i).map(|k| a.values[k] * x[a.columns[k]]).sum::<f64>())
        .collect();
    assert_reversible!(multiply(&mut y, &a, &x));
    assert_gradient!(multiply(&mut y, &a, &x));
    multiply(&mut y, &a, &x);
    y.iter().zip(&expected).for_each(|(y, e)| assert!((y - e).abs() < 1e-14, "{y} {e}"));
    // Nobody asks for the shadows of the indices.
    let mut d_a = Csr { starts: vec![], columns: vec![], values: vec![0.0; a.values.len()] };
    let (mut d_y, mut d_x) = ([1.0; 5], [0.0; 9]);
    multiply::adjoint(&mut y, &mut d_y, &a, &mut d_a, &x, &mut d_x);
    for k in 0..a.values.len() {
        assert_eq!(d_a.values[k], x[a.columns[k]]);
    }
    multiply::inverse_adjoint(&mut y, &mut d_y, &a, &mut d_a, &x, &mut d_x);
    assert_eq!(d_a.values, vec![0.0; a.values.len()]);
}

#[test]
fn of_rows_that_a_method_gives() {
    let (a, x) = (matrix(), [0.5, -1.5, 2.0, 0.75, 1.0, -0.25, 3.0, 0.1, -0.6]);
    let mut y = [0.5, 1.0, -1.0, 2.0, 0.0];
    assert_gradient!(multiply_by_method(&mut y, &a, &x));
}

/// Not a slice, though it has elements.
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[container]
struct Backwards<T>(Vec<T>);

impl<T> Backwards<T> {
    fn iter(&self) -> Rev<Iter<'_, T>> {
        self.0.iter().rev()
    }
    fn iter_mut(&mut self) -> Rev<IterMut<'_, T>> {
        self.0.iter_mut().rev()
    }
}

impl<'a, T> IntoIterator for &'a Backwards<T> {
    type Item = &'a T;
    type IntoIter = Rev<Iter<'a, T>>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Its elements are no references.
struct Countdown(usize);

impl Countdown {
    fn iter(&self) -> Range<usize> {
        0..self.0
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct History<T> {
    past: Backwards<T>,
    weights: Vec<T>,
    fixed: [T; 33],
}

#[reversible]
fn energy<T: Real>(y: &mut T, history: &History<T>, #[constant] countdown: &Countdown) {
    for v in history.past.iter() {
        *y += *v * *v;
    }
    for v in &history.past {
        *y += *v;
    }
    for v in history.fixed.iter() {
        *y -= 0.5 * *v * *v;
    }
    for (v, w) in history.weights.iter().zip(&history.fixed) {
        *y += *v * *w;
    }
    for v in countdown.iter() {
        *y += T::from_f64(v as f64) * history.fixed[v];
    }
}

#[test]
fn of_what_is_a_slice_and_what_is_not() {
    let numbers = |n: usize| (0..n).map(|k| (1.0 + k as f64).cos()).collect::<Vec<_>>();
    let history = History {
        past: Backwards(numbers(37)),
        weights: numbers(33),
        fixed: std::array::from_fn(|k| 0.1 * k as f64),
    };
    let (mut y, countdown) = (0.5, Countdown(33));
    energy(&mut y, &history, &countdown);
    let past: f64 = history.past.iter().map(|v| v * v + v).sum();
    let fixed: f64 = history.fixed.iter().map(|v| v * v).sum();
    let both: f64 = history.weights.iter().zip(&history.fixed).map(|(v, w)| v * w).sum();
    let counted: f64 = (0..33).map(|k| k as f64 * history.fixed[k]).sum();
    let expected = 0.5 + past - 0.5 * fixed + both + counted;
    assert!((y - expected).abs() < 1e-12, "{y} {expected}");
    let mut d_history = history.clone();
    d_history.past.iter_mut().for_each(|d| *d = 0.0);
    d_history.weights.fill(0.0);
    d_history.fixed.fill(0.0);
    let mut d_y = 1.0;
    energy::adjoint(&mut y, &mut d_y, &history, &mut d_history, &countdown);
    assert!((y - 0.5).abs() < 1e-12, "{y}");
    for (d, v) in d_history.past.iter().zip(history.past.iter()) {
        assert!((d - (2.0 * v + 1.0)).abs() < 1e-12);
    }
    for k in 0..33 {
        assert_eq!(d_history.weights[k], history.fixed[k]);
        let expected = history.weights[k] - history.fixed[k] + k as f64;
        assert!((d_history.fixed[k] - expected).abs() < 1e-12);
    }
}

/// Every pass reads what the pass before it wrote, so the order counts.
#[reversible]
fn ordered(y: &mut f64, state: &mut [f64; 2], x: &[f64], steps: &[f64]) {
    for (v, step) in x.iter().zip(steps) {
        *y += *v * *step;
        state[0] += *v * state[1];
        state[1] -= *step * state[0];
    }
}

#[reversible]
fn scattered(y: &mut f64, bins: &mut [f64], index: &[usize], x: &[f64]) {
    for (i, v) in index.iter().zip(x) {
        *y += *v * *v;
        bins[*i] += *v * 0.5;
    }
}

#[test]
fn beside_what_has_an_order() {
    let x: Vec<f64> = (0..43).map(|k| (k as f64).sin()).collect();
    let steps: Vec<f64> = (0..43).map(|k| 1.0 / (1.0 + k as f64)).collect();
    let (mut y, mut state) = (0.5, [0.25, 1.5]);
    assert_gradient!(ordered(&mut y, &mut state, &x, &steps));
    assert_reversible!(ordered(&mut y, &mut state, &x, &steps));
    let index: Vec<usize> = (0..43).map(|k| k * k % 5).collect();
    let mut bins = [0.0, 1.0, 2.0, 3.0, 4.0];
    assert_gradient!(scattered(&mut y, &mut bins, &index, &x));
    assert_reversible!(scattered(&mut y, &mut bins, &index, &x));
}

#[reversible]
fn checked(y: &mut f64, x: &[f64], w: &[f64]) {
    for (v, w) in x.iter().zip(w) {
        *y += *v * *w;
    }
}

#[reversible]
#[unchecked]
fn unchecked_sum(y: &mut f64, x: &[f64], weights: &[f64]) {
    for (v, w) in x.iter().zip(weights) {
        *y += *v * *w;
    }
}

#[test]
fn of_unequal_lengths() {
    let (x, weights) = (vec![1.0; 50], vec![2.0; 42]);
    let mut y = 0.0;
    unchecked_sum(&mut y, &x, &weights);
    assert_eq!(y, 84.0);
    unchecked_sum::inverse(&mut y, &x, &weights);
    assert_eq!(y, 0.0);
    let panic = std::panic::catch_unwind(|| checked(&mut 0.0, &x, &weights)).unwrap_err();
    let error = panic.downcast::<retrograde::error::InvertibilityError>().unwrap();
    assert_eq!(error.found, "50 and 42");
}

/// The gradient that an outer loop lends is read before the inner one.
#[reversible]
fn rows<T: Real>(y: &mut [T], scales: &[T], x: &[T]) {
    for ((target, scale), row) in y.iter_mut().zip(scales).zip(x.chunks_exact(9)) {
        for v in row {
            *target += *scale * *v * *v;
        }
        for v in row {
            let product = *scale * *v;
            *target -= product.sin();
        }
        *target += *scale;
    }
}

#[test]
fn by_elements_of_an_outer_loop() {
    let x: Vec<f64> = (0..27).map(|k| (k as f64).sin()).collect();
    let mut y = [0.5, 1.0, -1.0];
    assert_gradient!(rows(&mut y, &[0.5, -2.0, 1.5], &x));
    // Numbers that are not copied.
    let doubled = |x: &[f64]| x.iter().map(|x| DoubleDouble::from(*x)).collect::<Vec<_>>();
    let mut more = doubled(&y);
    rows(&mut more, &doubled(&[0.5, -2.0, 1.5]), &doubled(&x));
    rows(&mut y, &[0.5, -2.0, 1.5], &x);
    more.iter().zip(y).for_each(|(m, y)| assert!((m.to_f64() - y).abs() < 1e-12));
}

/// Some sums are alone in their element of the chunk, and one is not.
#[reversible]
fn tiles<T: Real>(y: &mut [T], q: &[T], x: &[T], side: usize) {
    for (tile, row) in q.chunks_exact(3).zip(x.chunks_exact(side)) {
        for (target, v) in y.iter_mut().zip(row.iter()) {
            *target += tile[0] * *v + tile[1] * *v * *v + tile[0] * tile[2];
        }
    }
}

/// The length that is passed is looked at again, the sums are not.
#[reversible]
fn of_tiles<T: Real>(y: &mut T, q: &[T], x: &[T]) {
    let side = x.len() / 2;
    #[compute]
    {
        let mut sums = vec![T::zero(); side];
        tiles(&mut sums, q, x, side);
    }
    for (i, sum) in sums.iter().enumerate() {
        if i + 1 < side {
            *y += *sum * *sum;
        }
    }
}

#[test]
fn by_indices_into_a_chunk() {
    let x: Vec<f64> = (0..42).map(|k| (k as f64).sin()).collect();
    let q = [0.5, -2.0, 1.5, 0.25, 1.0, -0.75];
    let mut y: Vec<f64> = x[..21].to_vec();
    assert_gradient!(tiles(&mut y, &q, &x, 21));
    assert_reversible!(tiles(&mut y, &q, &x, 21));
    let mut value = 0.5;
    assert_gradient!(of_tiles(&mut value, &q, &x));
    let (mut d_q, mut d_x) = ([0.0; 6], [0.0; 42]);
    of_tiles::adjoint(&mut value, &mut 1.0, &q, &mut d_q, &x, &mut d_x);
    let (mut g_q, mut g_x) = ([0.0; 6], [0.0; 42]);
    of_tiles {}.call_gradient((&mut 0.0, &mut 1.0, &q[..], &mut g_q[..], &x[..], &mut g_x[..]));
    assert_eq!((g_q, g_x), (d_q, d_x));
}

/// What is long is summed up in more lanes, beside what is written for each element.
#[reversible]
fn exponentials<T: Real>(y: &mut T, x: &[T], shift: &T, scale: &T) {
    for v in x {
        *y += *scale * (*v - *shift).fast_exp() + (*v * *scale).fast_tanh();
    }
}

#[test]
fn of_what_takes_long() {
    for n in [0, 1, 31, 63, 64, 65, 100, 131] {
        let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin()).collect();
        let (mut y, shift, scale) = (0.5, 0.25, -0.75);
        assert_reversible!(exponentials(&mut y, &x[..], &shift, &scale));
        assert_gradient!(exponentials(&mut y, &x[..], &shift, &scale));
    }
}
