use retrograde::prelude::*;

#[reversible]
fn scale(y: &mut f64, x: &f64) {
    *y *= *x;
}

#[reversible]
fn divide<T: Real>(y: &mut T, x: &T) {
    *y /= *x;
}

#[reversible]
fn fine(y: &mut Logarithmic<f64>, x: &Logarithmic<f64>) {
    *y *= *x;
}

fn main() {}
