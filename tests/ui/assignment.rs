use retrograde::prelude::*;

#[reversible]
fn f(x: &mut f64, y: &f64) {
    *x = *y;
}

fn main() {}
