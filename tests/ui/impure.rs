use retrograde::prelude::*;

#[reversible]
fn pops(y: &mut i64, xs: &mut Vec<i64>) {
    *y += xs.pop().unwrap_or(0);
}

#[reversible]
fn temporary(y: &mut i64) {
    swap(y, &mut 3);
}

fn main() {}
