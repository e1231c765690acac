//! What is no place is only read.

use retrograde::prelude::*;

#[derive(Clone, Default, Differentiable)]
struct Body {
    x: f64,
}

impl Body {
    #[reversible]
    fn push(&mut self, k: &f64) {
        self.x += *k;
    }

    fn twin(&self) -> Body {
        self.clone()
    }
}

#[reversible]
fn of_a_value(body: &Body, k: &f64) {
    body.twin().push(k);
}

#[reversible]
fn of_a_clone(body: &Body, k: &f64) {
    body.clone().push(k);
}

#[reversible]
fn of_a_struct(k: &f64) {
    Body { x: 2.0 }.push(k);
}

fn main() {}
