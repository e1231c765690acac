//! Products that are added without a rounding of their own.

use crate::gradient_harness::assert_near;
use retrograde::prelude::*;
use retrograde::testing::{assert_gradient, assert_reversible};
use std::ops::{Add, Mul, Sub};

/// Whether the tests are compiled for a machine that fuses.
const FUSED: bool = cfg!(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "fma"),
    all(target_arch = "aarch64", target_feature = "neon"),
));

/// `a b + c`, rounded as it should be.
fn product_plus(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

#[differentiable(fused)]
fn horner<T: Real>(x: &T, c: &[T]) -> T {
    let inner = c[1] + *x * c[2];
    if *x > 0.0 { 1.0 + *x * (c[0] + *x * inner) } else { *x * 2.0 - inner }
}

#[differentiable(fused)]
fn of_floats(x: f64, y: &f64) -> f64 {
    let square = x * x + y * y;
    2.0 * square + 1.0
}

/// Every place of a product in a sum, and sums that are none of them.
macro_rules! program {
    ($name:ident, $attribute:meta) => {
        #[$attribute]
        fn $name<T: Real>(y: &mut [T], x: &[T], n: usize) {
            let mut sum = 0.0;
            #[compute]
            {
                for (i, v) in x.iter().enumerate() {
                    let k = (i * n + 1) % x.len();
                    sum += *v * x[k];
                    sum -= 0.5 * *v;
                }
            }
            let a = x[0] * x[1] + x[2];
            let b = x[0] - a * x[1];
            let c = a * b - x[3].sin() * x[0];
            y[0] += sum * a + 2.0 * c - 1.0;
            y[1] -= b * (1.0 + c * 0.5);
            y[1] += -a * b;
            y[2] += horner(&x[0], &x[1..]) * horner(&x[1], x);
            if a * b + c > -1e9 {
                y[2] -= sum * sum;
            }
        }
    };
}

program!(fused, reversible(fused));
program!(plain, reversible);

#[reversible(fused)]
fn concrete(y: &mut f64, xs: &[f64], n: usize) {
    let mut sum = 0.0;
    #[compute]
    {
        for (i, x) in xs.iter().enumerate() {
            let k = 2 * i + n * 3;
            sum += x * (k as f64) + 0.25;
        }
    }
    for x in xs {
        *y += sum * *x;
        *y -= of_floats(*x, &sum) * (n as f64) - x * 3.0;
    }
}

const X: [f64; 5] = [0.7, -1.3, 2.1, 0.4, -0.2];

#[test]
fn values_are_near_the_unfused_ones() {
    let (mut y, mut z) = ([0.5, -2.0, 1.5], [0.5, -2.0, 1.5]);
    fused(&mut y, &X, 3);
    plain(&mut z, &X, 3);
    assert_near("the values", &y, &z, 1e-14);
    if !FUSED {
        assert_eq!(y, z);
    }
}

#[test]
fn gradients_and_inverses_are_right() {
    let mut y = vec![0.5, -2.0, 1.5];
    assert_reversible!(fused(&mut y, &X[..], 3));
    assert_gradient!(fused(&mut y, &X[..], 3));
    let mut y = 0.5;
    assert_reversible!(concrete(&mut y, &X[..], 2));
    assert_gradient!(concrete(&mut y, &X[..], 2));
}

#[test]
fn gradients_are_those_of_dual_numbers() {
    let mut duals = Dual::<f64, 5>::seed(&X);
    let mut y = [0.5, -2.0, 1.5].map(Dual::from_f64);
    fused(&mut y, &duals, 3);
    for i in 0..3 {
        let mut values = [0.5, -2.0, 1.5];
        fused(&mut values, &X, 3);
        let (mut d_y, mut d_x) = ([0.0; 3], [0.0; 5]);
        d_y[i] = 1.0;
        fused::adjoint(&mut values, &mut d_y, &X, &mut d_x, 3);
        assert_near("a row", &d_x, &y[i].tangents, 1e-12);
        assert_near("the values before", &values, &[0.5, -2.0, 1.5], 1e-12);
    }
    // And by lanes, each with a row.
    duals.clear();
    let x = X.map(Lanes::<f64, 3>::splat);
    let mut values = [0.5, -2.0, 1.5].map(Lanes::splat);
    fused(&mut values, &x, 3);
    let mut d_y: [Lanes<f64, 3>; 3] =
        std::array::from_fn(|i| Lanes(std::array::from_fn(|j| f64::from(u8::from(i == j)))));
    let mut d_x = [Lanes::splat(0.0); 5];
    fused::adjoint(&mut values, &mut d_y, &x, &mut d_x, 3);
    for (i, y) in y.iter().enumerate() {
        assert_near("a lane", &d_x.map(|d| d.0[i]), &y.tangents, 1e-12);
    }
}

#[reversible(fused)]
fn add<T: Real>(y: &mut T, a: &T, b: &T) {
    *y += *a * *b;
}

#[test]
fn an_update_rounds_once_in_both_directions() {
    // The square has twice as many bits as fit.
    let a = 1.0 + 2.0_f64.powi(-30);
    let (mut y, start) = (-1.0, -1.0);
    add(&mut y, &a, &a);
    assert_eq!(y, product_plus(a, a, start));
    let sum = y;
    add::inverse(&mut y, &a, &a);
    assert_eq!(y, product_plus(-a, a, sum));
    let (mut d_a, mut d_b, mut d_y) = (-1.0, 0.5, a);
    add::adjoint(&mut y, &mut d_y, &a, &mut d_a, &a, &mut d_b);
    assert_eq!(d_a, product_plus(a, a, -1.0));
    assert_eq!(d_b, product_plus(a, a, 0.5));
}

#[test]
fn other_numbers_keep_their_operators() {
    let [a, b] = [1.25, -3.7].map(Fixed43::from_f64);
    let mut y = Fixed43::from_f64(0.1);
    add(&mut y, &a, &b);
    assert_eq!(y, Fixed43::from_f64(0.1) + a * b);
    add::inverse(&mut y, &a, &b);
    assert_eq!(y, Fixed43::from_f64(0.1));

    #[reversible(fused)]
    fn complex(y: &mut Complex<f64>, a: &Complex<f64>, b: &f64) {
        *y += *a * *b;
        *y -= *a * *a + *b;
    }
    let (a, b) = (Complex::new(1.0, 2.0), 3.0);
    let mut y = Complex::new(0.5, 0.0);
    complex(&mut y, &a, &b);
    assert_eq!(y, Complex::new(0.5, 0.0) + a * b - (a * a + b));
    assert_gradient!(complex(&mut y, &a, &b));
}

/// A type that is no number: it has a product with one.
#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, factor: f64) -> Point {
        Point { x: self.x * factor, y: self.y * factor }
    }
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point { x: self.x - other.x, y: self.y - other.y }
    }
}

#[test]
fn types_of_ones_own_keep_their_operators() {
    #[reversible(inverse_only, fused)]
    fn step(p: &mut Point, v: &Point, t: &f64) {
        *p += *v * *t;
        *p -= *v * *t - *v;
        *p += *v + *v * (4.0 * *t);
    }
    let (v, t) = (Point { x: 1.0, y: -2.0 }, 0.5);
    let start = Point { x: 0.25, y: 0.5 };
    let mut p = start;
    step(&mut p, &v, &t);
    assert_eq!(p, start + v * 4.0);
    step::inverse(&mut p, &v, &t);
    assert_eq!(p, start);
}

/// A parameter with no more than operators, and the promise that a sum is undone.
#[reversible(inverse_only, fused)]
fn by_operators<T>(y: &mut T, a: &T, b: &T)
where
    T: Copy + AdditiveGroup + Mul<Output = T> + Add<Output = T>,
{
    *y += *a * *b;
    *y += *a + *a * *b;
}

#[test]
fn integers_are_as_they_were() {
    let mut y = 1_u64;
    by_operators(&mut y, &2, &3);
    assert_eq!(y, 15);
    by_operators::inverse(&mut y, &2, &3);
    assert_eq!(y, 1);
}
