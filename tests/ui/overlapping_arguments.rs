use retrograde::prelude::*;

#[reversible]
fn add(y: &mut f64, x: &f64) {
    *y += *x;
}

#[reversible]
fn twice(x: &mut f64, p: &mut (f64, f64), v: &mut [f64]) {
    swap(&mut *x, &mut *x);
    add(x, x);
    add(&mut p.0, &p.0);
    swap(&mut v[0], &mut v[0]);
}

fn main() {}
