use retrograde::prelude::*;

// Every mistake of a function is reported, and its callers report none.
#[reversible]
fn many(x: &mut f64, y: &mut f64) {
    *x = 1.0;
    *y -= *y;
    let n = *x;
    *x += 1.0;
    *y += n;
    loop {}
}

#[reversible]
fn caller(x: &mut f64, y: &mut f64) {
    many(x, y);
    !many(x, y);
}

fn main() {}
