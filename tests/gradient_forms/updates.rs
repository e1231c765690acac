//! Updates, and the expressions on their right sides.

use crate::{check_forms, forms};
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use std::collections::BTreeMap;
use std::num::Wrapping;

forms! {
    fn accumulate(y, x) {
        y[0] += x[0];
        y[1] -= x[1];
        y[2] += 3.0;
        y[0] -= 0.5 * x[2];
        y[1] += -x[3];
        y[2] -= -(-x[0]);
        y[2] += y[0] * y[1];
    }

    fn literals(y, x) {
        y[0] += 2.0 * x[0] - x[1] * 0.25 + 1.0;
        y[1] -= x[2] / 3.0 - 4.0 / x[2];
        y[2] += 1.5 - x[3];
        y[2] -= std::f64::consts::PI * x[0] + x[1] * std::f64::consts::E;
        y[0] += x[3] - 2.0 - 3.0;
        y[1] += 7.0;
    }

    #[allow(clippy::eq_op)]
    fn the_same_operand_twice(y, x) {
        y[0] += x[0] * x[0];
        y[1] += x[1] / x[1] + x[2] - x[2];
        y[2] += x[3] * x[3] * x[3] + (x[3] + x[3]) * (x[3] - x[3] * x[3]);
        y[2] -= x[0].powf(x[0]) + x[0].hypot(x[0]) * x[2].atan2(x[2]);
    }

    fn deep(y, x) {
        y[0] += ((x[0] + 1.0) * (x[1] - x[2] / (x[3] + 2.0))).sin()
            * (x[0] * x[1] * x[2]).exp()
            / (1.0 + x[3].powi(2).sqrt());
        y[1] -= (x[0].sin() + x[1].cos()).tanh().exp().ln_1p().powi(3)
            / -(x[2].sqrt() * x[2].sqrt().ln());
        y[2] += (x[0] + (x[1] - (x[2] * (x[3] / (x[0] + 3.0))))) * 2.0 - 1.0 / (x[2] * x[2]);
        y[2] -= -(-(x[0] - -x[1]) * -x[2]);
    }

    fn shared_parts(y, x) {
        y[0] += (x[0] * x[1]).sin() * (x[0] * x[1]).cos() + (x[0] * x[1]);
        y[1] += (x[2] + x[3]).exp() / (1.0 + (x[2] + x[3]).exp());
        y[2] -= (x[0] * x[1]).exp() * (x[0] * x[1]).exp().sin() - (x[0] * x[1]).exp();
    }

    fn conditional(y, x) {
        y[0] += if x[0] > 0.0 { x[0] * x[1] } else { x[2] };
        y[1] -= if x[1] > 0.0 { x[0] } else if x[2] > 5.0 { 1.0 } else { x[3] * x[3] };
        y[2] += (if x[0] > x[1] { x[0].sin() } else { x[1].cos() }) * x[2];
        y[0] += x[3] * (if x[2] > 1.0 { x[2] - 1.0 } else { 0.0 }).sqrt();
        y[1] += if x[3] > 0.0 && !(x[3] > 1.0 || x[0] < 0.0) { x[3].ln() } else { 0.0 };
    }

    fn blocks(y, x) {
        y[0] += {
            let a = x[0] * x[1];
            let b = a.sin() + a;
            a * b
        };
        y[1] += 2.0 * {
            let (s, c) = x[2].sin_cos();
            s * c * x[3]
        } - x[0];
        y[2] -= {
            let inner = {
                let deepest = x[3] * x[3];
                deepest * x[0]
            };
            inner.exp()
        };
    }

    fn tuples_and_arrays(y, x) {
        y[0] += (x[0] * x[1], x[2]).0 + (x[0], x[3] * x[3]).1;
        y[1] += [x[0], x[1] * x[2], x[3]][1];
        y[2] += (x[0] + x[1]).sin_cos().0 - (x[2] * x[3]).sin_cos().1;
        y[2] -= ((x[0], x[1]), x[2] * x[1]).0.1;
    }

    fn jumps(y, x) {
        y[0] += x[0].floor() * x[1] + x[1].ceil() * x[2] + x[2].round();
        y[1] += x[1].trunc() * x[3] - x[1].signum() * x[0];
        y[2] += (x[0] * 3.0).floor() + x[3];
    }

    fn calls_by_path(y, x) {
        y[0] += T::sin(x[0]) * T::exp(x[1]);
        y[1] -= T::powi(x[2], 3) + T::hypot(x[0], x[3]);
        y[2] += T::max(x[0], x[1]) + T::from_f64(2.0) * T::sqrt(x[2]);
    }

    fn targets_that_are_read_later(y, x) {
        y[0] += x[0] * y[1];
        y[1] += y[0] * y[0] * x[1];
        y[2] -= y[0] * y[1] / (2.0 + x[2]);
        y[0] += y[2].sin() * y[1];
        y[1] -= y[2] * y[0];
    }
}

#[test]
fn sums() {
    check_forms!(accumulate literals targets_that_are_read_later);
}

#[test]
fn expressions() {
    check_forms!(the_same_operand_twice deep shared_parts blocks tuples_and_arrays);
}

#[test]
fn conditions_in_expressions() {
    check_forms!(conditional);
    check_forms!(conditional; crate::gradient_harness::Y, [-0.7, 1.3, 0.6, 0.4]);
    check_forms!(conditional; crate::gradient_harness::Y, [-0.7, -1.3, 7.0, 1.4]);
}

#[test]
fn functions_of_the_standard_library() {
    check_forms!(jumps calls_by_path);
}

/// Integers and `bool` beside gradients: exact, and without shadows of their own.
#[reversible]
fn beside_integers(y: &mut f64, bits: &mut u32, flag: &mut bool, x: &f64, n: usize) {
    *bits ^= 5 << n;
    *bits += 3;
    *flag ^= *x > 0.0;
    if *flag {
        *y += *x * f64::from(*bits) * n as f64;
    }
    *bits ^= n as u32;
    *y += *x / (1.0 + *bits as f64);
}

#[test]
fn exclusive_or_has_no_gradient() {
    let (mut y, mut bits, mut flag, x) = (1.0, 7, false, 0.5);
    assert_gradient!(beside_integers(&mut y, &mut bits, &mut flag, &x, 2));
    beside_integers(&mut y, &mut bits, &mut flag, &x, 2);
    let (mut d_y, mut d_x) = (1.0, 0.0);
    beside_integers::adjoint(&mut y, &mut d_y, &mut bits, &mut flag, &x, &mut d_x, 2);
    let used = f64::from((7 ^ 20) + 3_u32);
    let left = f64::from(((7 ^ 20) + 3_u32) ^ 2);
    assert_eq!((y, bits, flag, d_y), (1.0, 7, false, 1.0));
    assert_eq!(d_x, used * 2.0 + 1.0 / (1.0 + left));
}

#[reversible]
fn products<T: Real>(y: &mut Logarithmic<T>, x: &[Logarithmic<T>], p: &T) {
    *y *= x[0] * x[1];
    *y /= x[2];
    *y *= (x[0] + x[1]) / x[2];
    *y /= x[1] - x[0];
    *y *= x[2].clone().pow(*p) * x[0].powi(3) / x[1].recip();
}

#[test]
fn multiplicative_groups() {
    let number = |value: f64| Logarithmic::new(value);
    let mut y = number(0.7);
    let x = [number(0.5), number(2.0), number(1.25)];
    assert_gradient!(products(&mut y, &x, &0.75));
    let number = |value: f64| Logarithmic::new(Fixed43::from_f64(value));
    let (mut y, p) = (number(0.7), Fixed43::from_f64(0.75));
    let x = [number(0.5), number(2.0), number(1.25)];
    assert_gradient!(products(&mut y, &x, &p));
}

#[reversible]
fn longest(y: &mut Tropical<f64>, x: &[Tropical<f64>]) {
    *y *= x[0] * x[1] + x[2];
    *y /= x[1];
    *y *= (x[0] + x[1] + x[2]) / x[0];
}

#[test]
fn tropical_numbers() {
    let mut y = Tropical(0.5);
    assert_gradient!(longest(&mut y, &[1.0, 2.5, -3.0].map(Tropical)));
    assert_gradient!(longest(&mut y, &[1.0, -2.5, 3.0].map(Tropical)));
}

/// What `f64` has and `Real` has not, beside the same in terms of what it has.
#[reversible]
fn composed(y: &mut [f64], x: &[f64]) {
    y[0] += x[0].clamp(-1.0, 1.0) + x[2].clamp(-1.0, 1.0) * x[3] + x[1].clamp(x[0], x[2]);
    y[1] += x[2].log(x[2] + 1.0) * x[0];
    y[2] += x[0].to_degrees() * 0.01 + x[1].to_radians() + x[2].fract() * x[3];
    y[0] -= x[0].rem_euclid(0.3) + x[1].rem_euclid(x[3]) + x[2] % x[3];
    y[1] -= x[0].copysign(x[1]) * x[1].copysign(x[2]);
    y[2] += x[2].round_ties_even() * x[0] + x[1].div_euclid(x[3]) * x[2];
}

#[reversible]
fn decomposed<T: Real>(y: &mut [T], x: &[T]) {
    y[0] += x[0] + x[3] + x[0];
    y[1] += x[2].ln() / (x[2] + 1.0).ln() * x[0];
    y[2] += 0.01 * 180.0 / std::f64::consts::PI * x[0] + std::f64::consts::PI / 180.0 * x[1];
    y[2] += (x[2] - 2.0) * x[3];
    y[0] -= x[0] - 0.6 + (x[1] + 4.0 * x[3]) + (x[2] - 5.0 * x[3]);
    y[1] -= -x[0] * -x[1];
    y[2] += 2.0 * x[0] - 4.0 * x[2];
}

#[test]
fn functions_that_only_floats_have() {
    use crate::gradient_harness::{X, Y, check};
    let mut y = Y;
    assert_gradient!(composed(&mut y, &X));
    check("composed", &composed {}, &decomposed {}, &Y, &X);
}

#[reversible]
fn released_as_a_sum<T: Real>(y: &mut T, x: &T, z: &T) {
    let mut sum = *x;
    sum += {
        let product = *x * *z;
        product - 0.3
    };
    *y += (sum * sum + 1.8).powf(1.04);
    unlet!(
        sum = *x + {
            let product = *x * *z;
            product - 0.3
        }
    );
}

/// Both directions take the same steps, so that exact numbers come back exactly.
#[test]
fn exact_shadows_come_back() {
    let number = |k: usize, by: f64| Fixed43::from_f64((k as f64 * by).sin());
    for k in 0..100 {
        let (mut y, x, z) = (number(k, 0.9), number(k, 1.3), number(k, 0.7));
        let start = [number(k, 2.1), number(k, 0.3), number(k, 0.4)];
        let [mut d_y, mut d_x, mut d_z] = start;
        released_as_a_sum(&mut y, &x, &z);
        released_as_a_sum::adjoint(&mut y, &mut d_y, &x, &mut d_x, &z, &mut d_z);
        released_as_a_sum::inverse_adjoint(&mut y, &mut d_y, &x, &mut d_x, &z, &mut d_z);
        assert_eq!([d_y, d_x, d_z], start);
    }
}

/// What carries no gradient needs no shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Counter {
    step: i32,
    state: i32,
    total: i64,
}

impl Counter {
    #[reversible]
    fn advance(&mut self, by: &i32) {
        self.total += i64::from(self.step);
        self.state += *by;
        self.step ^= self.state;
    }
}

#[reversible]
fn of_wrapping(y: &mut Wrapping<u32>, x: &Wrapping<u32>) {
    *y += *x * *x;
    *y -= Wrapping(3);
    *y ^= *x;
}

#[reversible]
fn of_parts(y: &mut i32, z: &mut f64, x: &f64, counter: &Counter) {
    let Counter { step, state, .. } = *counter;
    *y += step * state;
    *z += f64::from(step) * *x;
}

#[reversible]
fn of_values(totals: &mut BTreeMap<u32, i64>, x: &i64) {
    for (_, total) in totals.iter_mut() {
        *total += *x;
    }
}

/// A bound that promises a sum is enough for one.
#[reversible]
fn of_a_group<T: AdditiveGroup>(y: &mut T, x: &T) {
    *y += *x;
}

#[test]
fn sums_that_are_promised() {
    let start = Counter { step: 1, state: 2, total: 3 };
    let mut counter = start;
    counter.advance(&4);
    assert_eq!(counter, Counter { step: 7, state: 6, total: 4 });
    counter.advance_inverse(&4);
    assert_eq!(counter, start);
    let mut y = Wrapping(1);
    of_wrapping(&mut y, &Wrapping(70_000));
    assert_eq!(y, Wrapping(605_032_702 ^ 70_000));
    of_wrapping::inverse(&mut y, &Wrapping(70_000));
    assert_eq!(y, Wrapping(1));
    let (mut y, mut z, mut d_z, mut d_x) = (2, 0.5, 1.0, 0.0);
    of_parts::adjoint(&mut y, &mut z, &mut d_z, &0.5, &mut d_x, &start, &mut start.clone());
    assert_eq!((y, z, d_x), (0, 0.0, 1.0));
    let mut totals = BTreeMap::from([(1, 10), (2, 20)]);
    of_values(&mut totals, &5);
    assert_eq!(totals, BTreeMap::from([(1, 15), (2, 25)]));
    of_values::inverse(&mut totals, &5);
    assert_eq!(totals, BTreeMap::from([(1, 10), (2, 20)]));
    let mut y = ([1.0, 2.0], 3.0);
    of_a_group(&mut y, &([10.0, 20.0], 30.0));
    assert_eq!(y, ([11.0, 22.0], 33.0));
    assert_gradient!(of_a_group(&mut y, &([10.0, 20.0], 30.0)));
}
