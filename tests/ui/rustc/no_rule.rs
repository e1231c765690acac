use retrograde::prelude::*;
use std::ops::Mul;

#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct Vector {
    x: f64,
    y: f64,
}

impl Mul<f64> for Vector {
    type Output = Vector;
    fn mul(self, factor: f64) -> Vector {
        Vector { x: self.x * factor, y: self.y * factor }
    }
}

#[reversible]
fn without_a_rule(r: &mut Vector, v: &Vector, dt: &f64) {
    *r += *v * *dt;
}

#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup)]
struct Bare(f64);

#[reversible]
fn without_a_shadow(y: &mut Bare, x: &Bare) {
    *y += *x;
}

fn main() {}
