use retrograde::prelude::*;
use std::ops::{Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct Vector {
    x: f64,
    y: f64,
}

impl Vector {
    fn norm(&self) -> f64 {
        self.x.hypot(self.y)
    }
    fn parts(&self) -> &[f64] {
        std::slice::from_ref(&self.x)
    }
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

#[reversible]
fn in_a_let(y: &mut f64, v: &Vector, dt: &f64) {
    let way = *v * *dt;
    *y += way.x * way.y;
}

#[reversible]
fn without_the_rule_of_a_function(y: &mut f64, v: &Vector) {
    *y += 1.0 + v.norm().sin();
}

#[reversible]
fn a_part_of_no_declared_type(y: &mut f64, v: &Vector) {
    let parts = v.parts();
    *y += parts[0];
}

#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup)]
struct Bare(f64);

#[reversible]
fn without_a_shadow(y: &mut Bare, x: &Bare) {
    *y += *x;
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Interval {
    low: f64,
    high: f64,
}

impl Sub for Interval {
    type Output = Interval;
    fn sub(self, other: Interval) -> Interval {
        Interval { low: self.low - other.high, high: self.high - other.low }
    }
}

impl Neg for Interval {
    type Output = Interval;
    fn neg(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }
}

#[reversible]
fn a_difference_of_ones_own(y: &mut f64, a: &Interval, b: &Interval) {
    *y += (*a - *b).low;
}

#[reversible]
fn a_negation_of_ones_own(y: &mut f64, a: &Interval) {
    *y += (-*a).low;
}

fn main() {}
