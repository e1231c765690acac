//! A sparse matrix whose values are a tensor.

use crate::programs::program::numbers;
use retrograde::prelude::*;

/// Where the entries of a square sparse matrix are, by columns.
pub struct Pattern {
    /// How many rows and columns there are.
    pub size: usize,
    /// Column `j` has the entries `starts[j]..starts[j + 1]`.
    pub starts: Vec<usize>,
    /// The row of each entry.
    pub rows: Vec<usize>,
}

/// Adds `A x`, where `A` has these values at the places of the pattern.
#[reversible]
pub fn product<T: Real>(y: &mut [T], values: &[T], x: &[T], #[constant] a: &Pattern) {
    for (j, x_j) in x.iter().enumerate() {
        let column = a.starts[j]..a.starts[j + 1];
        for (i, value) in a.rows[column.clone()].iter().zip(&values[column]) {
            y[*i] += *value * *x_j;
        }
    }
}

impl Pattern {
    /// A part of the places, at random, and values for them.
    pub fn random(size: usize, density: f64) -> (Self, Vec<f64>) {
        let (mut starts, mut rows, mut values) = (vec![0], vec![], vec![]);
        for (k, number) in numbers(5, size * size).into_iter().enumerate() {
            if number.abs() < 0.5 * density {
                rows.push(k % size);
                values.push(number / density);
            }
            if (k + 1) % size == 0 {
                starts.push(rows.len());
            }
        }
        (Pattern { size, starts, rows }, values)
    }

    /// The column of each entry.
    #[cfg_attr(not(any(feature = "candle", feature = "burn")), expect(dead_code))]
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        (0..self.size).flat_map(|j| (self.starts[j]..self.starts[j + 1]).map(move |_| j))
    }
}
