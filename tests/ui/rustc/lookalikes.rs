//! Methods of one's own by names that ask for a shape or belong to numbers.

use retrograde::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Vector {
    x: f64,
    y: f64,
}

impl Vector {
    #[differentiable]
    fn len(&self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    #[differentiable]
    fn floor(&self) -> f64 {
        self.x * self.y
    }
}

#[reversible]
fn length(y: &mut f64, v: &Vector) {
    *y += v.len();
}

#[reversible]
fn ground(y: &mut f64, v: &Vector) {
    *y += v.floor();
}

fn main() {}
