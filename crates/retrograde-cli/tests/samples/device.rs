use retrograde::prelude::*;

const SCALE: f64 = 0.5;

#[reversible(gpu)]
fn cell(y: &mut f64, x: &f64) {
    *y += SCALE * x.sin();
}

#[reversible(gpu)]
fn each(i: usize, y: &mut [f64], x: &[f64]) {
    cell(&mut y[i], &x[i]);
}

#[reversible]
fn not_there(y: &mut f64) {
    *y += 1.0;
}
