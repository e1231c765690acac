use retrograde::prelude::*;

#[reversible]
fn add(y: &mut f64, x: &f64) {
    *y += *x;
}

// The first error is of what is written; the others are of the inverse and the adjoint.
#[reversible]
fn too_few(y: &mut f64) {
    add(y);
}

// A function that is reversible gives no value.
#[reversible]
fn no_value(y: &mut f64, x: &f64) {
    *y += add(*x);
}

fn main() {}
