use retrograde::prelude::*;

#[reversible]
fn f(y: &mut f64, x: &mut f64) {
    let n = *x * *x;
    *x += 1.0;
    *y += n;
}

#[reversible]
fn element(y: &mut f64, x: &mut [f64], i: usize) {
    let n = x[i];
    x[i] += 1.0;
    *y += n;
}

#[reversible]
fn ended(y: &mut f64, x: &mut f64) {
    let n = *x * *x;
    *y += n;
    *x += 1.0;
}

#[reversible]
fn borrowed(y: &mut f64, x: &mut [f64]) {
    let first = &x[0];
    x[0] += 1.0;
    *y += *first;
}

#[reversible]
fn through_another(y: &mut f64, x: &mut f64) {
    let n = *x * *x;
    let m = n + 1.0;
    *x += 1.0;
    *y += m;
}

fn main() {}
