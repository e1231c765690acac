use retrograde::prelude::*;

#[derive(Debug)]
struct Opaque;

#[instruction(self_inverse)]
fn touch(_x: &mut Opaque) {}

#[reversible(inverse_only)]
fn f(y: &mut f64) {
    let mut a = Opaque;
    touch(&mut a);
    *y += 1.0;
}

fn main() {}
