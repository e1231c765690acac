//! Functions, constants and types that no device has.

use retrograde::prelude::*;

#[reversible]
fn on_the_host(y: &mut f64, x: &f64) {
    *y += *x;
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

const NAME: &str = "a name";

#[reversible(gpu)]
fn kernel(i: usize, y: &mut [f64], x: &[f64]) {
    on_the_host(&mut y[i], &x[i]);
    y[i] += square(x[i]);
    y[i] += NAME.len() as f64;
}

#[derive(Clone, Copy, Device)]
#[repr(C)]
struct Pixel {
    red: u8,
    weight: f64,
}

fn main() {}
