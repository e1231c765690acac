//! Methods whose inverse and adjoints are written by hand.

use retrograde::prelude::*;
use retrograde::testing::{assert_gradient, assert_reversible};

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Wheel {
    cogs: Vec<f64>,
    scale: f64,
}

impl Wheel {
    #[instruction(
        inverse = turn_inverse,
        adjoint = turn_adjoint,
        inverse_adjoint = turn_inverse_adjoint
    )]
    fn turn(&mut self, y: &mut f64, by: usize) {
        self.cogs.rotate_left(by);
        *y += self.scale * self.cogs[0];
    }

    fn turn_inverse(&mut self, y: &mut f64, by: usize) {
        *y -= self.scale * self.cogs[0];
        self.cogs.rotate_right(by);
    }

    fn turn_adjoint(&mut self, d_self: &mut Self, y: &mut f64, d_y: &mut f64, by: usize) {
        d_self.scale += *d_y * self.cogs[0];
        d_self.cogs[0] += *d_y * self.scale;
        d_self.cogs.rotate_right(by);
        self.turn_inverse(y, by);
    }

    fn turn_inverse_adjoint(&mut self, d_self: &mut Self, y: &mut f64, d_y: &mut f64, by: usize) {
        self.turn(y, by);
        d_self.cogs.rotate_left(by);
        d_self.scale -= *d_y * self.cogs[0];
        d_self.cogs[0] -= *d_y * self.scale;
    }

    /// The other way round.
    #[instruction(self_inverse, adjoint = flip_both)]
    pub fn flip(&mut self) {
        self.cogs.reverse();
    }

    fn flip_both(&mut self, d_self: &mut Self) {
        self.cogs.reverse();
        d_self.cogs.reverse();
    }

    #[instruction(
        associated,
        inverse = shrink,
        adjoint = self::grow_adjoint,
        inverse_adjoint = self::shrink_adjoint
    )]
    fn grow(a: &mut f64) {
        *a *= 2.0;
    }

    fn shrink(a: &mut f64) {
        *a /= 2.0;
    }

    #[differentiable(pullback = total_pullback)]
    fn total(&self, by: &f64) -> f64 {
        self.cogs.iter().sum::<f64>() * by
    }

    fn total_pullback(&self, g: &f64, d_self: &mut Self, by: &f64, d_by: &mut f64) {
        d_self.cogs.iter_mut().for_each(|d| *d += g * by);
        *d_by += g * self.cogs.iter().sum::<f64>();
    }
}

fn grow_adjoint(a: &mut f64, d_a: &mut f64) {
    *a /= 2.0;
    *d_a *= 2.0;
}

fn shrink_adjoint(a: &mut f64, d_a: &mut f64) {
    *a *= 2.0;
    *d_a /= 2.0;
}

/// Still one that can be an object.
trait Layer {
    #[instruction(
        inverse = apply_inverse,
        adjoint = apply_adjoint,
        inverse_adjoint = apply_inverse_adjoint
    )]
    fn apply(&self, y: &mut f64);
    fn apply_inverse(&self, y: &mut f64);
    fn apply_adjoint(&self, d_self: &mut Self, y: &mut f64, d_y: &mut f64)
    where
        Self: Sized;
    fn apply_inverse_adjoint(&self, d_self: &mut Self, y: &mut f64, d_y: &mut f64)
    where
        Self: Sized;
}

impl Layer for Wheel {
    fn apply(&self, y: &mut f64) {
        *y += self.scale;
    }
    fn apply_inverse(&self, y: &mut f64) {
        *y -= self.scale;
    }
    fn apply_adjoint(&self, d_self: &mut Self, y: &mut f64, d_y: &mut f64) {
        self.apply_inverse(y);
        d_self.scale += *d_y;
    }
    fn apply_inverse_adjoint(&self, d_self: &mut Self, y: &mut f64, d_y: &mut f64) {
        self.apply(y);
        d_self.scale -= *d_y;
    }
}

/// A trait's reversible method, written by hand for one type.
trait Step {
    #[reversible]
    fn step(&mut self, x: &f64);
}

impl Step for f64 {
    #[instruction(
        inverse = step_inverse,
        adjoint = step_adjoint,
        inverse_adjoint = step_inverse_adjoint
    )]
    fn step(&mut self, x: &f64) {
        *self += x * x;
    }
    fn step_inverse(&mut self, x: &f64) {
        *self -= x * x;
    }
    fn step_adjoint(&mut self, d_self: &mut Self, x: &f64, d_x: &mut f64) {
        self.step_inverse(x);
        *d_x += 2.0 * x * *d_self;
    }
    fn step_inverse_adjoint(&mut self, d_self: &mut Self, x: &f64, d_x: &mut f64) {
        self.step(x);
        *d_x -= 2.0 * x * *d_self;
    }
}

#[reversible]
fn all_of_them(y: &mut f64, wheel: &mut Wheel) {
    wheel.turn(y, 1);
    wheel.flip();
    wheel.turn(y, 2);
    !wheel.turn(y, 1);
    Wheel::grow(y);
    wheel.apply(y);
    !wheel.apply(y);
    wheel.apply(y);
    *y += wheel.total(&wheel.scale);
    y.step(&wheel.scale);
}

#[test]
fn methods_by_hand() {
    let mut wheel = Wheel { cogs: vec![1.0, 2.0, 4.0], scale: 3.0 };
    let _: &dyn Layer = &wheel;
    let mut y = 0.5;
    assert_reversible!(all_of_them(&mut y, &mut wheel));
    assert_gradient!(all_of_them(&mut y, &mut wheel));
    // What was not named by the rule has its name now.
    let before = wheel.clone();
    wheel.flip_inverse();
    wheel.flip_inverse_adjoint(&mut before.clone());
    assert_eq!(wheel, before);
    Wheel::grow_inverse(&mut y);
    assert_eq!(y, 0.25);
}
