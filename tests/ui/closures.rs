use retrograde::prelude::*;

#[reversible]
fn f(y: &mut f64, x: &[f64]) {
    *y += x.iter().map(|v| v * v).sum::<f64>();
}

#[reversible]
fn g(y: &mut f64) {
    let mut add = |v: f64| *y += v;
    add(1.0);
}

fn main() {}
