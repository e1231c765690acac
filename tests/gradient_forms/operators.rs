//! Operators of one's own: their rules come from their bodies, or from a promise.
#![allow(clippy::op_ref, clippy::suspicious_arithmetic_impl)]

use retrograde::num::Literal;
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// Differences and negatives cross over.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Interval {
    low: f64,
    high: f64,
}

#[differentiable]
impl Sub for Interval {
    type Output = Self;
    fn sub(self, other: Interval) -> Self::Output {
        Self { low: self.low - other.high, high: self.high - other.low }
    }
}

#[differentiable]
impl Neg for Interval {
    type Output = Interval;
    fn neg(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }
}

#[differentiable]
impl Mul<f64> for Interval {
    type Output = Interval;
    fn mul(self, factor: f64) -> Interval {
        let square = factor * factor;
        Interval { low: self.low * factor, high: self.high * square }
    }
}

#[differentiable]
impl Mul<Interval> for f64 {
    type Output = Interval;
    fn mul(self, x: Interval) -> Interval {
        if self > 0.0 { x * self } else { -(x * self) }
    }
}

#[differentiable]
impl Div<&Interval> for &Interval {
    type Output = Interval;
    fn div(self, divisor: &Interval) -> Interval {
        Interval { low: self.low / divisor.high, high: self.high / divisor.low }
    }
}

impl Div for Interval {
    type Output = Interval;
    fn div(self, divisor: Interval) -> Interval {
        &self / &divisor
    }
}

#[differentiable]
impl Rem<i32> for Interval {
    type Output = f64;
    fn rem(self, n: i32) -> f64 {
        self.low.powi(n) * self.high
    }
}

impl Literal for Interval {
    type Scalar = f64;
    fn literal(value: f64) -> f64 {
        value
    }
}

#[reversible]
fn of_intervals(y: &mut f64, a: &Interval, b: &Interval, s: &f64) {
    *y += 3.0 * (*a - *b).low + (*a - *b).high + 5.0 * (-*a).low + (-(*a - *b)).high;
    *y += (*a * *s).high + (*s * *b).high * (*a / *b).low + (*a / *b).high + *a % 3;
    *y += (*a * 2.0).high + (3.0 * *a).high + (-2.0 * *b).low;
}

/// Of a type with a parameter, and no sum at all.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Mixed<T>(T, T);

#[differentiable]
impl<T: Real> Add for Mixed<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 * other.1, T::literal(2.0) * self.1 + other.0)
    }
}

#[reversible]
fn of_parameters<T: Real>(y: &mut T, a: &Mixed<T>, b: &Mixed<T>) {
    let c = *a + *b;
    *y += c.0 * c.1 * (*b + *a).1;
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
#[fieldwise]
struct Vector<T> {
    x: T,
    y: T,
}

impl<T: Real> Add for Vector<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Vector { x: self.x + other.x, y: self.y + other.y }
    }
}

impl<T: Real> Sub for Vector<T> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Vector { x: self.x - other.x, y: self.y - other.y }
    }
}

impl<T: Real> Neg for Vector<T> {
    type Output = Self;
    fn neg(self) -> Self {
        Vector { x: -self.x, y: -self.y }
    }
}

#[reversible]
fn by_promise<T: Real>(y: &mut T, a: &Vector<T>, b: &Vector<T>) {
    *y += (-(*a - *b)).x + (*a + *b).y * (-*b).x;
}

/// A vector that says nothing of literals, with products with `f64` on both sides.
#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct Arrow {
    x: f64,
    y: f64,
}

#[differentiable]
impl Mul<f64> for Arrow {
    type Output = Arrow;
    fn mul(self, factor: f64) -> Arrow {
        Arrow { x: self.x * factor, y: self.y * factor }
    }
}

#[differentiable]
impl Mul<Arrow> for f64 {
    type Output = Arrow;
    fn mul(self, arrow: Arrow) -> Arrow {
        Arrow { x: self * arrow.x, y: self * arrow.y }
    }
}

#[differentiable]
impl Div<f64> for Arrow {
    type Output = Arrow;
    fn div(self, divisor: f64) -> Arrow {
        Arrow { x: self.x / divisor, y: self.y / divisor }
    }
}

#[differentiable]
impl Add for Arrow {
    type Output = Arrow;
    fn add(self, other: Arrow) -> Arrow {
        Arrow { x: self.x + other.x, y: self.y + other.y }
    }
}

#[reversible]
fn literals_beside_vectors(y: &mut Arrow, out: &mut f64, a: &Arrow, all: &[Arrow], s: &f64) {
    *y += 0.5 * *a + all[0] * -3.0;
    *y -= *a / 2.0 * std::f64::consts::PI;
    *y += *a * if a.x > 0.0 { 1.5 } else { 2.5 };
    let half = 0.25;
    let w = half * all[1] + (1.0 - *s) * *a * (2.0 * *s);
    *out += w.x * w.y + (all[1] / 4.0).y.powi(2) + (2.0 * (*a * 3.0)).x;
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Ball {
    at: Arrow,
    speed: Arrow,
}

impl Ball {
    #[reversible]
    fn step(&mut self, dt: f64) {
        self.at += self.speed * dt;
        self.speed -= 0.1 * self.at;
        self.at += self.speed * 0.3;
    }
}

#[reversible]
fn stepped(out: &mut f64, ball: &mut Ball, dt: f64) {
    ball.step(dt);
    *out += ball.at.x * ball.at.y;
    !ball.step(dt);
}

#[test]
fn literals_are_floats_beside_what_says_nothing_of_them() {
    let (a, b) = (Arrow { x: 1.0, y: 2.0 }, Arrow { x: -0.5, y: 3.0 });
    assert_gradient!(literals_beside_vectors(&mut b.clone(), &mut 0.1, &a, &[b, a], &0.3));
    assert_gradient!(literals_beside_vectors(&mut a.clone(), &mut 0.1, &b, &[b, a], &0.3));
    assert_gradient!(stepped(&mut 0.1, &mut Ball { at: a, speed: b }, 0.2));
}

#[test]
fn rules_of_operators() {
    let (a, b) = (Interval { low: 1.0, high: 2.0 }, Interval { low: 0.5, high: 3.0 });
    assert_gradient!(of_intervals(&mut 0.1, &a, &b, &1.5));
    assert_gradient!(of_intervals(&mut 0.1, &a, &b, &-0.5));
    assert_gradient!(of_parameters(&mut 0.1, &Mixed(1.0, 2.0), &Mixed(0.3, 0.4)));
    assert_gradient!(by_promise(&mut 0.1, &Vector { x: 1.0, y: 2.0 }, &Vector { x: 1.5, y: 3.0 }));
}

/// With products with `f32` alone.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Short(f32, f32);

#[differentiable]
impl Mul<f32> for Short {
    type Output = Short;
    fn mul(self, factor: f32) -> Short {
        Short(self.0 * factor, self.1 * factor)
    }
}

#[reversible]
fn short(y: &mut f32, a: &Short) {
    let b = *a * 0.5;
    *y += b.0 * (*a * 2.0).1;
}

#[test]
fn or_floats_of_the_other_kind() {
    let at = short::gradient(&Short(1.0, 3.0));
    assert_eq!((at.value, at.d_a), (3.0, Short(3.0, 1.0)));
}
