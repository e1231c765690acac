//! What may carry a gradient, written into what is marked as carrying none.

use retrograde::prelude::*;

#[reversible]
fn exchanged(y: &mut f64, x: &mut f64, #[constant] c: &mut f64) {
    swap(x, c);
    *y += *c;
}

#[reversible]
fn added<T: Real>(sum: &mut T, x: &T) {
    *sum += *x;
}

#[reversible]
fn by_a_function<T: Real>(y: &mut T, x: &T, #[constant] c: &mut [T]) {
    added(&mut c[0], x);
    *y += c[0];
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Spring {
    stiffness: f64,
    knots: usize,
}

#[reversible]
fn of_a_field(y: &mut f64, x: &Spring, #[constant] c: &mut Spring) {
    c.knots += x.knots;
    c.stiffness += x.stiffness;
    *y += c.stiffness;
}

fn main() {}
