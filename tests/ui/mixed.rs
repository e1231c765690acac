//! Numbers of two types in one operation.
use retrograde::prelude::*;

#[reversible]
fn literal(y: &mut f64, x: &f64) {
    *y += 2 * *x;
}

#[reversible]
fn update(y: &mut f64, k: &i32) {
    *y += *k;
}

#[reversible]
fn number_of_a_caller<T: Real>(y: &mut T, x: &T, s: f64) {
    *y += s * *x;
}

#[reversible]
fn number_on_the_right<T: Real>(y: &mut T, x: &T, s: f64) {
    *y += *x * s;
}

#[reversible]
fn count<T: Real>(y: &mut T, x: &[T], n: usize) {
    *y += n * x[0];
}

#[reversible]
fn slice(y: &mut f64, x: &[f64]) {
    *y += x;
}

#[reversible]
fn narrow(y: &mut f32, x: &f64) {
    *y += *x;
}

fn main() {}
