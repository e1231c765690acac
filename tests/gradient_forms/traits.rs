//! Differentiable methods of traits, with and without a body there.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

trait Energy {
    #[differentiable]
    fn energy(&self, scale: f64, #[constant] shift: f64) -> f64;

    #[differentiable]
    fn doubled(&self, scale: f64) -> f64 {
        2.0 * self.energy(scale, 1.0)
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Spring(f64);

#[derive(Clone, Debug, Differentiable)]
struct Weight {
    mass: f64,
    height: f64,
}

impl Energy for Spring {
    #[differentiable]
    fn energy(&self, scale: f64, #[constant] shift: f64) -> f64 {
        scale * self.0 * self.0 + shift
    }
}

impl Energy for Weight {
    #[differentiable]
    fn energy(&self, scale: f64, #[constant] shift: f64) -> f64 {
        scale * self.mass * (self.height - shift)
    }
}

#[reversible]
fn total<E: Energy + Differentiable>(y: &mut f64, parts: &[E], scale: &f64) {
    for part in parts {
        *y += part.energy(*scale, 0.5) * *scale;
    }
}

#[reversible]
fn one(y: &mut f64, spring: &Spring, scale: &f64) {
    *y += spring.doubled(*scale);
}

#[test]
fn a_method_without_a_body_in_its_trait() {
    let springs = [Spring(2.0), Spring(-1.5)];
    assert_gradient!(total(&mut 0.0, &springs[..], &0.75));
    let weights = [Weight { mass: 2.0, height: 1.5 }, Weight { mass: 0.5, height: 4.0 }];
    assert_gradient!(total(&mut 0.0, &weights[..], &0.75));
    assert_gradient!(one(&mut 0.0, &Spring(3.0), &0.5));
    assert_eq!(one::gradient(&Spring(3.0), &0.5).d_spring.0, 6.0);
}
