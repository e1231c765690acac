//! Sums that nobody promises to be undone.

use retrograde::prelude::*;
use std::num::Saturating;
use std::ops::{AddAssign, BitXorAssign, SubAssign};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Faded(f64);

impl AddAssign for Faded {
    fn add_assign(&mut self, other: Faded) {
        self.0 = 0.5 * self.0 + other.0;
    }
}

impl SubAssign for Faded {
    fn sub_assign(&mut self, other: Faded) {
        self.0 = 0.5 * self.0 - other.0;
    }
}

#[reversible]
fn of_ones_own(y: &mut Faded, x: &Faded) {
    *y += *x;
}

#[reversible(inverse_only)]
fn that_saturates(y: &mut Saturating<i32>, x: &Saturating<i32>) {
    *y -= *x;
}

#[reversible(inverse_only)]
fn of_a_parameter<T: AddAssign + SubAssign + Copy>(y: &mut [T], x: &[T]) {
    for i in 0..x.len() {
        y[i] += x[i];
    }
}

#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

impl AddAssign<f64> for Point {
    fn add_assign(&mut self, other: f64) {
        self.x += 3.0 * other;
    }
}

impl SubAssign<f64> for Point {
    fn sub_assign(&mut self, other: f64) {
        self.x -= 2.0 * other;
    }
}

#[reversible]
fn with_another_type(y: &mut Point, x: &f64) {
    *y += *x;
}

impl BitXorAssign for Faded {
    fn bitxor_assign(&mut self, other: Faded) {
        self.0 *= other.0;
    }
}

#[reversible(inverse_only)]
fn a_power(y: &mut Faded, x: &Faded) {
    *y ^= *x;
}

fn main() {}
