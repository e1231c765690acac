//! A polynomial that is fitted to the sign function by least squares.

use super::Function;
use crate::measure::{measure, read};
use crate::threads::{Threads, add_all};
use retrograde::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;

/// So many rows are looked at side by side.
const SIDE: usize = 32;

/// Adds `½ Σᵢ (sᵢ − Σⱼ xⱼ tᵢʲ)²`, where `t` goes from −1 to 1 in `n` steps, and `s` is
/// its sign. Of these, the ones between `from` and `to` are looked at.
#[reversible]
pub fn squares<T: Real>(value: &mut T, x: &[T], from: usize, to: usize, n: usize) {
    for start in (from..to).step_by(SIDE) {
        #[constant]
        let ts = times(start, to, n);
        #[constant]
        let powers = powers(&ts, x.len());
        #[compute]
        {
            let mut errors = vec![T::zero(); ts.len()];
            for (error, t) in errors.iter_mut().zip(&ts) {
                *error += T::from_f64(sign(*t));
            }
            subtract_sums(&mut errors, x, &powers);
        }
        for error in &errors {
            *value += 0.5 * *error * *error;
        }
    }
}

/// Subtracts `Σⱼ xⱼ pⱼ`, where each `pⱼ` is a row of powers.
#[reversible]
#[inline(never)]
pub fn subtract_sums<T: Real>(sums: &mut [T], x: &[T], #[constant] powers: &[f64]) {
    for (x_j, row) in x.iter().zip(powers.chunks_exact(sums.len())) {
        for (sum, power) in sums.iter_mut().zip(row) {
            *sum -= *x_j * T::from_f64(*power);
        }
    }
}

/// The numbers `t` from the row `start` on.
fn times(start: usize, end: usize, n: usize) -> Vec<f64> {
    let rows = start..end.min(start + SIDE);
    rows.map(|i| -1.0 + 2.0 * i as f64 / (n as f64 - 1.0)).collect()
}

/// The powers of all `t`: of order 0, 1, … below `m`, one row behind the other.
fn powers(ts: &[f64], m: usize) -> Vec<f64> {
    let mut powers = vec![1.0; m * ts.len()];
    for j in 1..m {
        let (lower, row) = powers[(j - 1) * ts.len()..].split_at_mut(ts.len());
        for ((power, lower), t) in row.iter_mut().zip(lower).zip(ts) {
            *power = *lower * t;
        }
    }
    powers
}

fn sign(t: f64) -> f64 {
    if t > 0.0 {
        1.0
    } else if t < 0.0 {
        -1.0
    } else {
        0.0
    }
}

#[derive(Deserialize)]
struct Input {
    x: Vec<f64>,
    n: usize,
}

/// How many rows are a part of the work.
const PART: usize = 16 * SIDE;

impl Input {
    fn value(&self, threads: Threads) -> f64 {
        let parts = threads.map(self.n, PART, |rows| {
            let mut value = 0.0;
            squares(&mut value, &self.x, rows.start, rows.end, self.n);
            value
        });
        parts.into_iter().sum()
    }

    /// The gradient is that of `value`, which is only added to: nothing need be known of it.
    fn gradient(&self, threads: Threads) -> Vec<f64> {
        let parts = threads.map(self.n, PART, |rows| {
            let mut d_x = vec![0.0; self.x.len()];
            let (x, n) = (&self.x[..], self.n);
            let (mut value, mut seed) = (0.0, 1.0);
            let of = (&mut value, &mut seed, x, &mut d_x[..], rows.start, rows.end, n);
            squares {}.call_gradient(of);
            d_x
        });
        let mut d_x = vec![0.0; self.x.len()];
        parts.iter().for_each(|part| add_all(&mut d_x, part));
        d_x
    }
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "primal",
        run: |input, threads| {
            let prepare = |input: &RawValue| Ok((read::<Input>(input)?, 0.0));
            let run = |(input, value): &mut (Input, f64)| *value = input.value(threads);
            measure(input, prepare, run, |(_, value)| *value)
        },
    },
    Function {
        name: "gradient",
        run: |input, threads| {
            let prepare = |input: &RawValue| Ok((read::<Input>(input)?, Vec::new()));
            let run = |(input, d_x): &mut (Input, Vec<f64>)| *d_x = input.gradient(threads);
            measure(input, prepare, run, |(_, d_x)| d_x.clone())
        },
    },
];
