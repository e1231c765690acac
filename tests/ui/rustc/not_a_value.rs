use retrograde::prelude::*;

#[reversible]
fn add(y: &mut f64, x: &f64) {
    *y += *x;
}

#[reversible]
fn apply<F: for<'a> Reversible<(&'a mut f64, &'a f64)>>(f: &F, y: &mut f64) {
    f(y, &1.0);
}

fn call() {
    apply(&add, &mut 1.0);
}

fn main() {}
