use retrograde::prelude::*;

#[reversible]
fn bounds(n: &mut usize, y: &mut usize) {
    for i in 0..*n {
        *y += i;
        *n += 1;
    }
}

#[reversible]
fn condition(x: &mut f64) {
    if *x > 0.0 {
        *x += 1.0;
    }
}

#[reversible]
fn element(xs: &mut [f64]) {
    for x in xs.iter_mut() {
        if *x > 0.0 {
            *x -= 1.0;
        }
    }
}

#[reversible]
fn with_both(x: &mut f64) {
    if (*x > 0.0, *x > 1.0) {
        *x += 1.0;
    }
    if (*x > 0.0, _) {
        *x += 1.0;
    }
}

#[reversible]
fn one_condition(n: &mut u32) {
    while *n > 0 {
        *n -= 1;
    }
}

#[reversible]
fn same_conditions(n: &mut u32) {
    while (*n > 0, _) {
        *n -= 1;
    }
}

#[reversible]
fn three_conditions(n: &mut u32, m: u32) {
    if (m > 0, m > 1, m > 2) {
        *n -= 1;
    }
}

#[reversible]
fn pattern(n: &mut u32, m: Option<u32>, on: bool) {
    if on && let Some(k) = m {
        *n += k;
    }
}

fn main() {}
