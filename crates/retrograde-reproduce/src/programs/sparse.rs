//! A sparse matrix, by rows, times a vector.

use crate::programs::program::{Program, numbers};
use crate::programs::tapes::{Function, Number};
use retrograde::prelude::*;

/// A sparse matrix by rows: row `i` has its entries in
/// `starts[i]..starts[i + 1]`.
#[derive(Clone, Differentiable)]
pub struct Csr<T> {
    pub starts: Vec<usize>,
    pub columns: Vec<usize>,
    pub values: Vec<T>,
}

/// Adds A x.
#[reversible]
pub fn multiply<T: Real>(y: &mut [T], a: &Csr<T>, x: &[T]) {
    for (i, y_i) in y.iter_mut().enumerate() {
        let row = a.starts[i]..a.starts[i + 1];
        for (j, a_ij) in a.columns[row.clone()].iter().zip(&a.values[row]) {
            *y_i += *a_ij * x[*j];
        }
    }
}

/// With several sums at once, so that they need not wait for each other.
pub fn multiply_by_hand(y: &mut [f64], a: &Csr<f64>, x: &[f64]) {
    const SUMS: usize = 4;
    for (y, bounds) in y.iter_mut().zip(a.starts.windows(2)) {
        let row = bounds[0]..bounds[1];
        let columns = a.columns[row.clone()].chunks_exact(SUMS);
        let values = a.values[row].chunks_exact(SUMS);
        let rest = columns.remainder().iter().zip(values.remainder()).map(|(&j, a)| a * x[j]);
        let rest: f64 = rest.sum();
        let mut sums = [0.0; SUMS];
        for (columns, values) in columns.zip(values) {
            for ((sum, &j), a) in sums.iter_mut().zip(columns).zip(values) {
                *sum += a * x[j];
            }
        }
        *y += sums.iter().sum::<f64>() + rest;
    }
}

pub fn adjoint_by_hand(
    d_y: &[f64],
    (a, d_values): (&Csr<f64>, &mut [f64]),
    (x, d_x): (&[f64], &mut [f64]),
) {
    assert_eq!(x.len(), d_x.len());
    for (g, bounds) in d_y.iter().zip(a.starts.windows(2)) {
        let row = bounds[0]..bounds[1];
        let values = a.values[row.clone()].iter().zip(&mut d_values[row.clone()]);
        for (&j, (a, d_a)) in a.columns[row].iter().zip(values) {
            *d_a += g * x[j];
            d_x[j] += g * a;
        }
    }
}

/// A square matrix of which a part is not zero.
pub struct Sparse {
    density: f64,
    a: Csr<f64>,
    /// The gradient with respect to the result.
    seed: Vec<f64>,
}

#[derive(Clone)]
pub struct State {
    y: Vec<f64>,
    d_y: Vec<f64>,
    a: Csr<f64>,
    d_a: Csr<f64>,
    x: Vec<f64>,
    d_x: Vec<f64>,
}

impl Sparse {
    pub fn new(n: usize, density: f64) -> Self {
        let mut a = Csr { starts: vec![0], columns: vec![], values: vec![] };
        for (k, entry) in numbers(3, n * n).into_iter().enumerate() {
            if entry.abs() < 0.5 * density {
                a.columns.push(k % n);
                a.values.push(entry);
            }
            if (k + 1) % n == 0 {
                a.starts.push(a.values.len());
            }
        }
        Sparse { density, a, seed: numbers(1, n) }
    }
}

/// Of the values of the matrix, and then of the vector.
impl Function for Sparse {
    fn value<N: Number>(&self, x: &[N]) -> N {
        let Csr { starts, columns, .. } = &self.a;
        let (values, x) = x.split_at(columns.len());
        let rows = starts.windows(2).zip(&self.seed).filter(|(bounds, _)| bounds[0] < bounds[1]);
        N::sum(rows.map(|(bounds, g)| {
            let row = bounds[0]..bounds[1];
            let products = columns[row.clone()].iter().zip(&values[row]).map(|(&j, a)| *a * x[j]);
            N::sum(products).scaled(*g)
        }))
    }
}

impl Program for Sparse {
    type State = State;

    fn name(&self) -> String {
        format!("sparse A x, {}% of {1} x {1}", 100.0 * self.density, self.seed.len())
    }

    fn start(&self) -> State {
        let (a, d_y) = (self.a.clone(), self.seed.clone());
        let mut d_a = a.clone();
        d_a.values.fill(0.0);
        let zeros = vec![0.0; d_y.len()];
        State { y: zeros.clone(), x: numbers(2, d_y.len()), d_x: zeros, d_y, a, d_a }
    }

    fn value_by_hand(state: &mut State) {
        multiply_by_hand(&mut state.y, &state.a, &state.x);
    }

    fn call(state: &mut State) {
        multiply(&mut state.y, &state.a, &state.x);
    }

    fn adjoint_by_hand(state: &mut State) {
        let State { d_y, a, d_a, x, d_x, .. } = state;
        adjoint_by_hand(d_y, (a, &mut d_a.values), (x, d_x));
    }

    fn adjoint(state: &mut State) {
        let State { y, d_y, a, d_a, x, d_x } = state;
        multiply::adjoint(y, d_y, a, d_a, x, d_x);
    }

    fn gradient_alone(state: &mut State) {
        let State { y, d_y, a, d_a, x, d_x } = state;
        multiply {}.call_gradient((&mut y[..], &mut d_y[..], &*a, d_a, &x[..], &mut d_x[..]));
    }

    fn arguments(state: &State) -> Vec<f64> {
        [&state.a.values[..], &state.x].concat()
    }

    fn gradient(state: &State) -> Vec<f64> {
        [&state.d_a.values[..], &state.d_x].concat()
    }
}
