use retrograde::prelude::*;

fn scramble(x: &mut f64) {
    *x = 0.0;
}

struct Model;

impl Model {
    fn train(&mut self, _x: &f64) {}
}

#[reversible]
fn f(x: &mut f64) {
    scramble(x);
    *x += 1.0;
}

#[reversible(inverse_only)]
fn g(model: &mut Model) {
    model.train(&1.0);
}

// Said once, not of its adjoint.
#[reversible]
fn with_gradient(model: &mut Model, x: &f64) {
    model.train(x);
}

fn main() {}
