//! What carries a gradient, written into what is marked as carrying none.

use retrograde::prelude::*;

#[reversible]
fn into_an_argument(y: &mut f64, x: &f64, #[constant] c: &mut f64) {
    *c += *x;
    *y += *c;
}

#[reversible]
fn through_a_view(y: &mut f64, x: &f64, #[constant] c: &mut [f64]) {
    let part = &mut c[1..];
    part[0] += x.sin();
    *y += part[0];
}

#[reversible]
fn into_elements(y: &mut f64, x: &f64, #[constant] c: &mut [f64]) {
    for element in c.iter_mut() {
        *element -= *x;
    }
    *y += c[0];
}

#[reversible]
fn into_an_ancilla(y: &mut f64, x: &f64) {
    #[constant]
    let mut sum = 0.0;
    sum += *x;
    *y += sum;
    sum -= *x;
}

fn main() {}
