use retrograde::prelude::*;

struct Pair {
    a: f64,
    b: f64,
}

impl Pair {
    fn norm(&self) -> f64 {
        self.a.hypot(self.b)
    }
}

#[reversible]
fn erase(x: &mut f64) {
    *x -= *x;
}

#[reversible]
fn field(x: &mut Pair) {
    x.a += x.a;
}

#[reversible]
fn whole(x: &mut Pair) {
    x.a += x.norm();
}

#[reversible]
fn element(x: &mut [f64], i: usize) {
    x[i] += 2.0 * x[i];
}

#[reversible]
fn index(x: &mut [usize]) {
    x[x[0]] += 1;
    x[0] += x[x[0]];
}

#[reversible]
fn fine(x: &mut Pair, y: &mut [f64], i: usize) {
    x.a += x.b;
    y[i] += y[i + 1] * y.len() as f64;
}

fn main() {}
