//! Fields that are `#[constant]`, where a shadow of theirs would be needed.

use retrograde::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Body {
    x: f64,
    #[constant]
    mass: f64,
    #[constant]
    table: Vec<f64>,
}

#[reversible]
fn written(b: &mut Body, x: &f64) {
    b.mass += *x;
}

#[reversible]
fn element_written(bodies: &mut [Body], x: &f64) {
    for k in 0..bodies.len() {
        bodies[k].table[k] += *x;
    }
}

#[reversible]
fn exchanged(b: &mut Body, y: &mut f64) {
    swap(&mut b.mass, y);
}

#[differentiable]
fn made(x: f64, mass: f64) -> Body {
    Body { x, mass, table: vec![1.0] }
}

#[reversible]
fn named(y: &mut f64, b: &Body) {
    let m = &b.mass;
    *y += *m * b.x;
}

#[reversible]
fn gone_through(y: &mut f64, b: &Body) {
    for t in b.table.iter() {
        *y += *t * b.x;
    }
}

#[reversible]
fn taken_apart(b: &mut Body, x: &f64) {
    let Body { mass, .. } = b;
    *mass += *x;
}

#[reversible]
fn by_another_name(y: &mut f64, x: &mut [f64]) {
    {
        #[constant]
        let first = &mut x[0];
        neg(first);
    }
    *y += x[0];
}

fn main() {}
