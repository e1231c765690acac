use retrograde::prelude::*;

fn opaque(x: f64) -> f64 {
    x.to_bits() as f64
}

#[reversible]
fn calls_it(y: &mut f64, x: &f64) {
    *y += 2.0 * opaque(*x);
}

#[reversible]
fn only_of_integers(y: &mut f64, n: u32) {
    *y += opaque(f64::from(n));
}

#[derive(Clone, Differentiable)]
struct Table(Vec<f64>);

impl Table {
    fn at(&self, x: f64) -> f64 {
        self.0[x as usize]
    }
}

#[reversible]
fn calls_a_method(y: &mut f64, table: &Table, x: &f64) {
    *y += table.at(*x);
}

#[derive(Clone, Copy)]
enum Kind {
    Linear,
    Square,
}

// An argument that can have no shadow.
#[reversible]
fn of_a_kind(y: &mut f64, x: &f64, kind: Kind) {
    match kind {
        Kind::Linear => *y += *x,
        Kind::Square => *y += *x * *x,
    }
}

#[reversible]
fn of_kinds(y: &mut f64, x: &f64, kinds: &[Kind]) {
    for kind in kinds {
        match kind {
            Kind::Linear => *y += *x,
            Kind::Square => *y += *x * *x,
        }
    }
}

fn main() {}
