use retrograde::prelude::*;

#[reversible]
fn ancilla(y: &mut f64, x: &f64) {
    let mut a = 0.0;
    a += *x;
    {
        let mut a = 1.0;
        a += *y;
    }
}

#[reversible]
fn argument(y: &mut f64, x: &f64) {
    let x = *x;
    *y += x;
}

#[reversible]
fn variable(y: &mut usize) {
    for i in 0..3 {
        for i in 0..i {
            *y += i;
        }
    }
}

#[reversible]
fn again(y: &mut usize) {
    let mut a = 1;
    *y += a;
    unlet!(a = 1);
    let mut a = 2;
    *y += a;
    for i in 0..3 {
        *y += i;
    }
    for i in 0..4 {
        *y += i;
    }
}

fn main() {}
