//! A sparse matrix whose values are a tensor.

use crate::programs::program::numbers;
use retrograde::prelude::*;
use retrograde::sparse::{Pattern, matvec};

/// Adds `A x`, where `A` has these values at the places of the pattern.
#[reversible]
pub fn product<T: Real>(y: &mut [T], values: &[T], x: &[T], #[constant] a: &Pattern<'_>) {
    matvec(y, a, values, x);
}

/// A part of the places of a square matrix, at random, and values for them.
///
/// The places stay for the rest of the run, since a framework keeps what its graph refers to.
pub fn random(size: usize, density: f64) -> (Pattern<'static>, Vec<f64>) {
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
    let pattern = Pattern::new(size, size, starts.leak(), rows.leak());
    (pattern.expect("rows that ascend"), values)
}
