//! The determinant of a matrix, expanded by minors.

use super::Function;
use crate::measure::{measure, read};
use retrograde::prelude::*;
use serde::Deserialize;

/// Adds the determinant of the minor of an `n × n` matrix that is made of the rows
/// from `row` on, and of `columns`, a bit for each.
///
/// Every row below is left out once, and every column in turn.
#[reversible(fused)]
pub fn minor<T: Real>(determinant: &mut T, a: &[T], n: usize, row: usize, columns: u32) {
    let upper = &a[row * n..(row + 1) * n];
    if row + 2 < n {
        for k in 0..n {
            if columns & 1 << k != 0 {
                let mut smaller = 0.0;
                #[compute]
                {
                    minor(&mut smaller, a, n, row + 1, columns & !(1 << k));
                }
                *determinant += upper[k].scaled(sign(columns, k)) * smaller;
            }
        }
    } else if row + 2 == n {
        // Two columns are left.
        let (k, l) = (columns.trailing_zeros() as usize, columns.ilog2() as usize);
        let lower = &a[(row + 1) * n..(row + 2) * n];
        *determinant += upper[k] * lower[l] - upper[l] * lower[k];
    } else {
        *determinant += upper[0];
    }
}

/// The sign of a column among others: that of the first one is positive, and they
/// take turns.
fn sign(columns: u32, k: usize) -> f64 {
    if (columns & ((1 << k) - 1)).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 }
}

#[derive(Deserialize)]
struct Input {
    #[serde(rename = "A")]
    a: Vec<f64>,
    ell: usize,
}

/// A square matrix, its determinant, and the gradient of that.
struct Matrix {
    a: Vec<f64>,
    n: usize,
    determinant: f64,
    d_a: Vec<f64>,
}

impl Matrix {
    fn read(input: &serde_json::value::RawValue) -> Result<Self, String> {
        let Input { a, ell } = read(input)?;
        if !(1..32).contains(&ell) || a.len() != ell * ell {
            return Err(format!("{} numbers for a matrix of {ell} rows and columns", a.len()));
        }
        Ok(Matrix { d_a: vec![0.0; a.len()], a, n: ell, determinant: 0.0 })
    }

    fn all_columns(&self) -> u32 {
        (1 << self.n) - 1
    }

    fn determinant(&mut self) {
        self.determinant = 0.0;
        let columns = self.all_columns();
        minor(&mut self.determinant, &self.a, self.n, 0, columns);
    }

    fn gradient(&mut self) {
        self.d_a.fill(0.0);
        let columns = self.all_columns();
        let Matrix { a, n, d_a, .. } = self;
        minor {}.call_gradient((&mut 0.0, &mut 1.0, a, d_a, *n, 0, columns));
    }
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "primal",
        run: |input, _| {
            measure(input, Matrix::read, Matrix::determinant, |matrix| matrix.determinant)
        },
    },
    Function {
        name: "gradient",
        run: |input, _| measure(input, Matrix::read, Matrix::gradient, |matrix| matrix.d_a.clone()),
    },
];
