//! The logarithm of a sum of exponentials, where none of them overflows.

use super::Function;
use crate::measure::{measure, read};
use crate::threads::Threads;
use retrograde::parallel;
use retrograde::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Adds `ln Σ exp(xᵢ)`.
///
/// The largest number is taken out of the sum first. The result does not depend on
/// which number that is, so it counts as a constant.
#[reversible]
pub fn log_sum_exp<T: Real>(value: &mut T, x: &[T]) {
    #[constant]
    let top = largest(x);
    let mut sum = 0.0;
    #[compute]
    {
        for v in x {
            sum += (*v - top).fast_exp();
        }
    }
    *value += sum.ln() + top;
}

/// As [`log_sum_exp`](fn@log_sum_exp), on many threads: most numbers are in chunks.
#[reversible]
pub fn log_sum_exp_on_threads(value: &mut f64, chunks: &[[f64; CHUNK]], rest: &[f64]) {
    let top = largest_of_all(chunks, rest);
    let mut sum = 0.0;
    #[compute]
    {
        parallel::sum(&add_exponentials {}, &mut sum, chunks, &top);
        for v in rest {
            sum += (*v - top).fast_exp();
        }
    }
    *value += sum.ln() + top;
}

/// So many numbers are a part of the work.
const CHUNK: usize = 1024;

/// Adds `Σ exp(xᵢ − top)`.
#[reversible]
fn add_exponentials(sum: &mut f64, x: &[f64; CHUNK], top: &f64) {
    for v in x {
        *sum += (*v - *top).fast_exp();
    }
}

/// The result does not depend on it, so no gradient goes through it.
#[differentiable(pullback = without_gradient)]
fn largest_of_all(#[constant] chunks: &[[f64; CHUNK]], #[constant] rest: &[f64]) -> f64 {
    let of_chunks = chunks.iter().map(|chunk| largest(chunk));
    let of_rest = rest.first().map(|_| largest(rest));
    of_chunks.chain(of_rest).fold(f64::NEG_INFINITY, f64::max)
}

fn without_gradient(_g: &f64, _chunks: &[[f64; CHUNK]], _rest: &[f64]) {}

/// The largest of at least one number. Those of eight parts are looked for side by
/// side.
pub fn largest<T: Real>(x: &[T]) -> T {
    let larger = |top: &mut T, v: &T| {
        if *v > *top {
            *top = v.clone();
        }
    };
    let mut tops: [T; 8] = std::array::from_fn(|_| x[0].clone());
    let parts = x.chunks_exact(8);
    let rest = parts.remainder();
    for part in parts {
        tops.iter_mut().zip(part).for_each(|(top, v)| larger(top, v));
    }
    let [mut top, others @ ..] = tops;
    others.iter().chain(rest).for_each(|v| larger(&mut top, v));
    top
}

#[derive(Deserialize)]
struct Input {
    x: Vec<f64>,
}

fn value(x: &[f64], threads: Threads) -> f64 {
    let mut value = 0.0;
    match threads {
        Threads::One => log_sum_exp(&mut value, x),
        Threads::All => {
            let (chunks, rest) = x.as_chunks();
            log_sum_exp_on_threads(&mut value, chunks, rest);
        }
    }
    value
}

/// The gradient is that of the value, which is only added to: nothing need be known of it.
fn gradient(x: &[f64], d_x: &mut [f64], threads: Threads) {
    d_x.fill(0.0);
    let (mut value, mut seed) = (0.0, 1.0);
    match threads {
        Threads::One => log_sum_exp {}.call_gradient((&mut value, &mut seed, x, d_x)),
        Threads::All => {
            let ((chunks, rest), (d_chunks, d_rest)) = (x.as_chunks(), d_x.as_chunks_mut());
            let of = (&mut value, &mut seed, chunks, d_chunks, rest, d_rest);
            log_sum_exp_on_threads {}.call_gradient(of);
        }
    }
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "primal",
        run: |input, threads| {
            let prepare = |input: &RawValue| Ok((checked(read(input)?)?, 0.0));
            let run = |(x, y): &mut (Vec<f64>, f64)| *y = value(x, threads);
            measure(input, prepare, run, |(_, y)| *y)
        },
    },
    Function {
        name: "gradient",
        run: |input, threads| {
            let prepare = |input: &RawValue| {
                let x = checked(read(input)?)?;
                let d_x = vec![0.0; x.len()];
                Ok((x, d_x))
            };
            let run = |(x, d_x): &mut (Vec<f64>, Vec<f64>)| gradient(x, d_x, threads);
            measure(input, prepare, run, |(_, d_x)| d_x.clone())
        },
    },
];

fn checked(Input { x }: Input) -> Result<Vec<f64>, String> {
    if x.is_empty() { Err("`x` is empty, so its sum has no logarithm".into()) } else { Ok(x) }
}
