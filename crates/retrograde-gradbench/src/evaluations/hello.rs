//! The square of a number, and its derivative.

use super::Function;
use crate::measure::{Measured, measure, read};
use retrograde::prelude::*;
use serde_json::value::RawValue;

/// `x²`
#[differentiable]
pub fn square<T: Real>(x: T) -> T {
    x * x
}

/// `2x`
pub fn double(x: f64) -> f64 {
    let mut d_x = 0.0;
    square::pullback(&1.0, x, &mut d_x);
    d_x
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function { name: "square", run: |input, _| apply(input, square) },
    Function { name: "double", run: |input, _| apply(input, double) },
];

fn apply(input: Box<RawValue>, f: fn(f64) -> f64) -> Result<Measured, String> {
    measure(input, |input| Ok((read(input)?, 0.0)), |(x, y)| *y = f(*x), |(_, y)| *y)
}
