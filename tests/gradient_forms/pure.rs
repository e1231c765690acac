//! Pure functions in expressions: with branches, views, recursion and values of
//! all kinds, called once, twice, inside of each other and in branches. What they
//! compute on the way to their value is kept for the way back.

use crate::{check_forms, forms};
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

#[differentiable]
fn sigmoid<T: Real>(x: T) -> T {
    1.0 / (1.0 + (-x).exp())
}

/// With a view, and a lifetime that has a name.
#[allow(clippy::needless_lifetimes)]
#[differentiable]
fn length_from<'a, T: Real>(x: &'a [T], k: usize) -> T {
    let row = &x[k..];
    let square = row[0] * row[0] + row[1] * row[1];
    square.sqrt()
}

/// With branches, each of which computes something of its own.
#[differentiable]
fn branches<T: Real>(x: &[T], y: &[T]) -> T {
    let a = x[0].exp();
    if a > y[0] + 2.0 {
        let (t, s) = ((a * y[1]).sin(), a / y[0]);
        t * t * s
    } else if a > y[0] {
        let q = y[0].cosh();
        let (sin, cos) = q.sin_cos();
        q * a * sin + cos
    } else {
        1.0
    }
}

#[differentiable]
fn power<T: Real>(x: T, n: u32) -> T {
    if n == 0 {
        1.0
    } else {
        let one_less = power(x, n - 1);
        one_less * x
    }
}

#[differentiable]
fn even<T: Real>(x: T, n: u32) -> T {
    if n == 0 { x } else { x.sin() * odd(x, n - 1) }
}

#[differentiable]
fn odd<T: Real>(x: T, n: u32) -> T {
    if n == 0 { x.cos() } else { x * even(x, n - 1) }
}

#[differentiable]
fn pair<T: Real>(x: T) -> (T, T) {
    (sigmoid(x), sigmoid(x) * sigmoid(2.0 * x))
}

#[differentiable]
fn turned<T: Real>(x: &[T; 2], angle: T) -> [T; 2] {
    let (sin, cos) = angle.sin_cos();
    [x[0] * cos - x[1] * sin, x[0] * sin + x[1] * cos]
}

#[differentiable]
fn of_tuple<T: Real>(pair: (T, T), weights: &(T, T)) -> T {
    pair.0 * weights.1 + pair.1.sin() * weights.0
}

#[derive(Clone, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct Gas {
    pressure: f64,
    volume: f64,
}

#[differentiable]
fn energy(gas: Gas) -> f64 {
    gas.pressure * gas.volume.exp()
}

#[differentiable]
fn heated(gas: &Gas, by: impl Fn(f64) -> f64) -> Gas {
    Gas { pressure: gas.pressure * gas.volume * by(2.0), volume: gas.volume.exp() }
}

forms! {
    fn once_and_twice(y, x) {
        y[0] += sigmoid(x[0]);
        y[1] += sigmoid(x[1]) * sigmoid(x[1]) + x[2] * sigmoid(x[1]);
        y[2] -= length_from(x, 1) / length_from(&x[1..], 0).exp();
    }
    fn inside_of_each_other(y, x) {
        y[0] += sigmoid(sigmoid(x[0]) * x[1] + sigmoid(x[0] - x[1]));
        let (a, b) = pair(x[2]);
        let c = power(a * b, 3);
        y[1] += c * length_from(&[a, b, c], 1);
        let [u, v] = turned(&[x[0], sigmoid(x[1])], a);
        y[2] += u * v * b;
    }
    fn held_by_variables(y, x) {
        let a = sigmoid(x[0] * x[1]);
        let b = (a + x[2]).exp() / x[3];
        for i in 0..y.len() {
            let c = sigmoid(b * x[i]) + b.sin();
            y[i] += c * c * a;
        }
        y[0] -= a * b;
    }
    fn in_branches(y, x) {
        let u = if x[0] > 0.1 {
            let z = sigmoid(x[0]);
            z.sqrt() * z
        } else {
            sigmoid(x[0] + 1.0)
        };
        y[0] += u * u + branches(x, &x[1..]);
        y[1] += if u > x[1] { branches(&x[1..], x) } else if u > x[2] { u } else { 2.0 };
        y[2] += 3.0 * {
            let w = sigmoid(x[3]) * u;
            let w2 = w * w;
            w2.sqrt() + w
        };
    }
    fn cubes_of_roots(y, x) {
        let square = x[0] * x[0] + x[1] * x[1];
        y[0] += x[2] / (square * square.sqrt());
        y[1] -= x[3].sqrt() * x[3] + (x[0] * x[3]).sqrt() * (x[0] * x[3]);
        y[2] += square.sqrt() * x[3];
    }
    fn through_references(y, x) {
        let (first, second) = (&x[0], &x[1]);
        y[0] += first.sin() * second.exp() + first.hypot(*second);
    }
    fn tuples(y, x) {
        let b = x[1] * x[2];
        y[0] += of_tuple((x[0], b), &(x[2], x[3]));
        y[1] -= of_tuple((x[0] * x[1], x[3]), &(b, x[1].exp()));
    }
    fn recursive(y, x) {
        y[0] += power(x[0], 4) + even(x[1], 3) * odd(x[2], 2);
    }
    fn of_what_is_written_elsewhere(y, x) {
        y[0] += sigmoid(y[1]) * length_from(&y[1..], 0) + branches(&y[1..], x);
        let i = 1;
        y[2] -= sigmoid(y[i] * y[0]);
    }
}

#[reversible]
fn structs(y: &mut [f64], x: &[f64], gas: &Gas) {
    let warm = heated(gas, f64::cos);
    y[0] += energy(warm.clone()) * warm.volume;
    y[1] += energy(Gas { pressure: x[0], volume: x[1] });
    y[2] += heated(&Gas { pressure: x[2], volume: x[3] }, f64::sin).pressure;
}

/// Values that are passed on and used again: by an inner loop, by a block.
#[reversible]
fn used_again<T: Real>(y: &mut [T], x: &[T], z: &mut T) {
    for (y, x) in y.iter_mut().zip(x) {
        for i in 0..3 {
            *y += sigmoid(*x) * sigmoid(*x * *x) + x.mul_add(0.5, *z);
            *y -= branches(&[*x, *x], &[sigmoid(*x), T::from_f64(i as f64)]);
        }
    }
    y[0] += {
        let a = x[0] * x[1];
        let a = a * (sigmoid(a) + sigmoid(a * a));
        a * sigmoid(a)
    };
}

#[reversible]
fn looked_through(y: &mut f64, x: &mut f64) {
    *y += sigmoid(x.mul_add(0.5, 1.5)) + x.to_radians();
}

#[test]
fn pure_functions() {
    check_forms! {
        once_and_twice inside_of_each_other held_by_variables in_branches cubes_of_roots through_references tuples
        recursive of_what_is_written_elsewhere
    }
    let (mut y, x) = ([0.1, 0.2, 0.3], [0.7, 0.4, -0.3, 0.9]);
    let gas = Gas { pressure: 0.3, volume: 0.4 };
    assert_gradient!(structs(&mut y[..], &x[..], &gas));
    assert_gradient!(used_again(&mut y[..], &x[..3], &mut 0.75));
    assert_gradient!(looked_through(&mut 0.5, &mut 0.75));
}

/// The values that a function kept are those of its branch, at every point.
#[test]
fn every_branch() {
    for first in [-2.0, -0.5, 0.05, 0.2, 0.9, 1.8] {
        for second in [-1.0, 0.3, 0.8] {
            let x = [first, second, -0.3, 0.9];
            check_forms!(in_branches; [0.1, 0.2, 0.3], x);
        }
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Spring {
    length: f64,
    loads: Vec<f64>,
}

#[differentiable]
fn stretched(spring: &Spring, t: f64) -> f64 {
    if t > 0.0 { spring.length * t } else { spring.length * 1.5 * t }
}

#[differentiable]
fn between(a: f64, spring: &Spring, b: &[f64]) -> f64 {
    a * spring.length * spring.loads[1] * b[0] * b[1]
}

#[differentiable]
fn times<T: Real>(x: &T, t: T) -> T {
    *x * t
}

impl Spring {
    #[differentiable]
    fn with(&self, other: &Spring, t: f64) -> f64 {
        self.length * other.length * t
    }

    #[reversible]
    fn beside_another(&self, y: &mut f64, other: &Spring) {
        *y += stretched(self, 0.5) + self.with(other, 0.25) * stretched(other, self.length * 0.5);
    }

    #[reversible]
    fn stretch(&mut self, other: &Spring) {
        self.length += stretched(other, 0.5) + other.with(other, 0.25);
    }
}

#[reversible]
fn literals_beside_references(y: &mut f64, spring: &Spring, others: &[Spring], x: &f64) {
    *y += stretched(spring, *x * 0.5) + stretched(spring, 0.5_f64);
    *y += between(0.5, spring, &[*x, 1.5]) * between(*x * 0.5, spring, &[0.5, 2.0]);
    for other in others {
        *y += stretched(other, 0.5);
    }
    for k in 0..others.len() {
        let other = &others[k];
        *y += stretched(other, 0.5) * stretched(&others[k], 1.5);
    }
    let t = stretched(spring, 0.5);
    #[compute]
    {
        let mut own = spring.clone();
        own.length += stretched(spring, 0.5) * *x;
        let mut w = stretched(&own, 0.25);
        w += stretched(spring, *x * 0.25);
    }
    *y += w * t * stretched(&own, 0.5);
}

#[reversible]
fn literals_beside_written_ones(y: &mut f64, spring: &mut Spring, x: &f64) {
    spring.length += *x * 0.5;
    *y += stretched(spring, 0.5) + stretched(&*spring, *x * 2.0);
}

#[reversible]
fn literals_beside_generic_references<T: Real>(y: &mut T, x: &T, xs: &[T]) {
    *y += times(x, *x * 2.0) + times(x, 0.5);
    for k in 0..xs.len() {
        *y += times(&xs[k], 0.5) * times(x, xs[k] * 0.5);
    }
    #[compute]
    {
        let mut w = T::zero();
        w += times(x, 0.5);
    }
    *y += w * times(&w, 1.5);
}

#[test]
fn literals_beside_references_as_arguments() {
    let mut spring = Spring { length: 0.7, loads: vec![0.3, 0.4] };
    let others = [Spring { length: 0.9, ..spring.clone() }, spring.clone()];
    assert_gradient!(spring.beside_another(&mut 0.0, &others[0]));
    assert_gradient!(spring.stretch(&others[0]));
    assert_gradient!(literals_beside_references(&mut 0.0, &spring, &others, &0.6));
    assert_gradient!(literals_beside_written_ones(&mut 0.0, &mut spring, &0.6));
    assert_gradient!(literals_beside_generic_references(&mut 0.0, &0.6, &[0.5, 0.7]));

    // In `f32`, where a literal is what the function says.
    let gradient = literals_beside_generic_references::gradient(&0.5_f32, &[0.25_f32]);
    assert_eq!(gradient.value, 0.125 * 0.0625 + 0.5 + 0.25 + 1.5 * 0.0625);
}
