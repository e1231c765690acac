//! Slips of the pen.
use retrograde::prelude::*;

#[reversible]
fn no_semicolon(y: &mut f64, z: &mut f64) {
    *y += 1.0
    *z += 2.0;
}

#[reversible]
fn no_semicolon_after_a_sum(y: &mut f64, x: &f64) {
    *y += 1.0 + *x
    *y += 2.0;
}

#[reversible]
fn no_semicolon_after_undoing(y: &mut f64) {
    !{ *y += 1.0; }
    *y += 2.0;
}

#[reversible]
fn no_semicolon_after_let(y: &mut f64, x: &f64) {
    let a = *x * 2.0
    *y += a;
}

#[reversible]
fn exchange(a: &mut f64, b: &mut f64) {
    (*a, *b) = (*b, *a);
}

#[reversible]
fn by_itself(x: &mut u32, y: &mut [f64], b: &mut bool) {
    *b = !*b;
    *x = x.rotate_left(3);
    *x = *x + 1;
    y[0] = -y[0];
}

#[reversible]
fn f64(y: &mut i64) {
    *y += 1;
}

#[reversible]
fn result(x: &[i64]) -> Vec<Option<&'static str>> {
    host! { x.len(); }
}

#[reversible]
fn left_out(y: &mut i64) {
    #[cfg(test)]
    let n = 1;
    #[cfg(not(test))]
    let m = 2;
    *y += n + m;
}

fn main() {}
