use retrograde::prelude::*;

#[reversible]
fn f(total: &mut f64, x: &f64) {
    *totl += *x;
}

fn main() {}
