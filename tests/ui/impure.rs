use retrograde::prelude::*;

#[reversible]
fn pops(y: &mut i64, xs: &mut Vec<i64>) {
    *y += xs.pop().unwrap_or(0);
}

#[reversible]
fn temporary(y: &mut i64) {
    swap(y, &mut 3);
}

#[reversible]
fn ancilla_of_a_borrow(x: &mut i64) {
    let mut r = &mut *x;
    *r += 3;
}

#[reversible]
fn one_of_two(a: &mut i64, b: &mut i64, c: bool) {
    let r = if c { &mut *a } else { &mut *b };
    inc(r);
}

#[reversible]
fn one_of_two_names(a: &mut i64, b: &mut i64, c: bool) {
    let r = if c { a } else { b };
    inc(r);
}

fn larger<'a>(a: &'a mut i64, b: &'a mut i64) -> &'a mut i64 {
    if *a > *b { a } else { b }
}

#[reversible]
fn chosen(a: &mut i64, b: &mut i64) {
    *larger(&mut *a, &mut *b) -= 10;
}

fn main() {}
