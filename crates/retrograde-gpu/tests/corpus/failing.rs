//! Kernels that fail their checks.

use retrograde::prelude::*;

#[reversible(gpu)]
pub fn past_the_end(i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += x[i + 2];
}

#[reversible(gpu)]
pub fn not_undone(i: usize, y: &mut [f64], x: &[f64]) {
    let mut a = x[i];
    a += 1.0;
    y[i] += a;
}

#[reversible(gpu)]
pub fn changes_its_condition(i: usize, y: &mut [f64], x: &[f64]) {
    if (y[i] > 0.0, y[i] > 0.0) {
        y[i] -= x[i];
    }
}

#[reversible(gpu)]
pub fn asserts(i: usize, y: &mut [f64], x: &[f64]) {
    host! { assert!(x[i] < 3.0); }
    y[i] += x[i];
}

#[reversible(gpu)]
pub fn range_too_long(i: usize, y: &mut [f64], x: &[f64]) {
    for v in &x[i..i + 3] {
        y[i] += *v;
    }
}

#[reversible(gpu)]
pub fn reads_what_it_writes(i: usize, y: &mut [f64], x: &[f64]) {
    let j = x.len() - 2;
    y[i] += y[j] * 2.0;
}

#[reversible(gpu)]
pub fn lends_one_place_twice(i: usize, y: &mut [f64], x: &[f64]) {
    let j = x.len() - 1;
    rot(&mut y[i], &mut y[j], &x[i]);
}
