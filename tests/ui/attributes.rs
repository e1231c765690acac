use retrograde::prelude::*;

#[reversible]
fn unknown(y: &mut f64) {
    #[fast]
    for _ in 0..3 {
        *y += 1.0;
    }
}

#[reversible]
fn compute_on_a_loop(y: &mut f64) {
    #[compute]
    for _ in 0..3 {
        *y += 1.0;
    }
}

#[reversible]
fn with_arguments(y: &mut f64) {
    #[unchecked(everything)]
    {
        *y += 1.0;
    }
}

#[reversible]
fn inside(y: &mut f64, x: &f64) {
    *y += 2.0 * (#[unchecked] *x);
}

#[reversible(fast)]
fn argument(y: &mut f64) {
    *y += 1.0;
}

#[reversible]
struct NotAFunction;

#[instruction]
fn no_inverse_named(y: &mut f64) {
    *y += 1.0;
}

fn main() {}
