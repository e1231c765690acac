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

fn main() {}
