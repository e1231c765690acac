use retrograde::prelude::*;

#[reversible]
fn f(y: &mut f64, x: &mut f64) {
    let n = *x * *x;
    *y += n;
    *x += 1.0;
}

#[reversible]
fn element(y: &mut f64, x: &mut [f64], i: usize) {
    let n = x[i];
    *y += n;
    x[i] += 1.0;
}

#[reversible]
fn ended(y: &mut f64, x: &mut f64) {
    {
        let n = *x * *x;
        *y += n;
    }
    *x += 1.0;
}

#[reversible]
fn borrowed(y: &mut f64, x: &mut [f64]) {
    let first = &x[0];
    *y += *first;
    x[0] += 1.0;
}

fn main() {}
