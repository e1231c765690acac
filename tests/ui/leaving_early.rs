use retrograde::prelude::*;

#[reversible]
fn returns(x: &mut f64) {
    if *x > 0.0 {
        return;
    }
    *x += 1.0;
}

#[reversible]
fn breaks(x: &mut f64) {
    for i in 0..10 {
        if i > 3 {
            break;
        }
        *x += 1.0;
    }
}

#[reversible]
fn continues(x: &mut f64) {
    for i in 0..10 {
        if i > 3 {
            continue;
        }
        *x += 1.0;
    }
}

#[reversible]
fn questions(x: &mut f64, y: Option<f64>) {
    *x += y?;
}

#[reversible]
fn loops(x: &mut f64) {
    loop {
        *x += 1.0;
    }
}

fn main() {}
