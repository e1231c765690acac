use retrograde::prelude::*;

#[reversible]
fn add(y: &mut f64, x: &f64) {
    *y += *x;
}

// Of what is written, of the inverse, and of the adjoint: a function by its name is all that a
// macro knows, and not how many arguments it takes.
#[reversible]
fn too_few(y: &mut f64) {
    add(y);
}

#[reversible]
fn of_a_number(y: &mut f64, x: &f64) {
    *y += x.powi();
}

// A function that is reversible gives no value.
#[reversible]
fn no_value(y: &mut f64, x: &f64) {
    *y += add(*x);
}

fn main() {}
