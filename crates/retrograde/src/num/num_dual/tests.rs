//! Against our own dual numbers.

use crate::calculus::{gradient, hessian, hvp};
use crate::num::{Dual, Real};
use crate::prelude::{Elementary, Stack, reversible, swap};
use nalgebra::{Const, U1};
use num_dual::{
    Dual2_64, Dual3_64, Dual32, Dual64, DualSVec32, DualSVec64, HyperDual32, HyperDual64,
};
use proptest::prelude::*;

#[reversible]
fn functions<T: Real>(y: &mut [T], x: &[T]) {
    y[0] += x[0].sin() * x[1].cos() + x[0].exp() - x[2].ln() + x[2].sqrt();
    y[0] += (0.3 * x[0]).tan() + x[1].tanh() + x[2].recip() + x[2].cbrt() + x[1].abs();
    y[1] += x[0].powi(3) + x[1].powi(-2) + x[2].powf(x[0]) + x[2].powf(2.5) + x[0].atan2(x[1]);
    y[1] += x[2].hypot(x[1]) + x[0].min(x[1]) - x[2].max(x[0]) + (0.1 * x[0]).asin();
    y[1] -= (0.1 * x[1]).acos() * x[0].atan() + (x[2] + 1.0).acosh() + (0.1 * x[0]).atanh();
    y[2] += x[0].sin().exp().powi(2) + x[1].mul_add(x[2], x[0]) + x[0].sinh() / x[1].cosh();
    y[2] -= x[0].floor() * x[1] + x[2].exp2() + x[2].log10() + x[1].exp_m1() + x[2].ln_1p();
    y[2] += x[2].log2() * x[0].asinh() + x[1].signum() * x[2].round() - 1.5 / x[2] - 0.25;
}

#[reversible]
fn series<T: Real>(y: &mut T, x: &[T]) {
    #[compute]
    {
        let mut term = T::one();
        let mut sum = T::zero();
        let mut terms = Stack::new();
        let mut k = 0;
        while (term.abs() > 1e-18, k > 0) {
            k += 1;
            sum += term;
            let mut next = term * x[0] * x[1] / T::from_f64(f64::from(k));
            swap(&mut term, &mut next);
            terms.push(&mut next);
            unlet!(next = T::zero());
        }
    }
    if sum > 0.5 {
        *y += sum.ln() * x[2] + sum * x[0];
    } else {
        *y -= sum * x[1].powi(2) * x[2];
    }
}

fn near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * (1.0 + expected.abs())
}

/// A point where all functions above are smooth.
fn point() -> impl Strategy<Value = [f64; 3]> {
    let away_from_zero = |range: std::ops::Range<f64>| {
        (range, prop::bool::ANY).prop_map(|(x, negative)| if negative { -x } else { x })
    };
    (away_from_zero(0.1..0.9), away_from_zero(1.1..1.9), 2.1..2.4)
        .prop_map(|(a, b, c)| [a, b, c])
        // `series` jumps where its sum, the exponential of the product, is 0.5.
        .prop_filter("away from the jump", |x| ((x[0] * x[1]).exp() - 0.5).abs() > 1e-3)
}

/// The values and the Jacobian of `functions`, by our own dual numbers.
fn expected(x: &[f64; 3]) -> [Dual<f64, 3>; 3] {
    let mut y = [Dual::constant(0.0); 3];
    functions(&mut y, &Dual::seed(x));
    y
}

proptest! {
    #[test]
    fn first_derivatives(x in point()) {
        let expected = expected(&x);
        for (j, direction) in (0..3).enumerate() {
            let seeded = |k: usize| Dual64::new(x[k], f64::from(u8::from(k == direction)));
            let mut y = [Dual64::from_re(0.0); 3];
            functions(&mut y, &[seeded(0), seeded(1), seeded(2)]);
            for (y, expected) in y.iter().zip(&expected) {
                prop_assert!(near(y.re, expected.value, 1e-14), "{} {}", y.re, expected.value);
                prop_assert!(near(y.eps, expected.tangents[j], 1e-12));
            }
        }
        let seeded = |k: usize| DualSVec64::<3>::from_re(x[k]).derivative(k);
        let mut y = [DualSVec64::<3>::from_re(0.0); 3];
        functions(&mut y, &[seeded(0), seeded(1), seeded(2)]);
        for (y, expected) in y.iter().zip(&expected) {
            let found = y.eps.unwrap_generic(Const::<3>, U1);
            for (found, expected) in found.iter().zip(expected.tangents) {
                prop_assert!(near(*found, expected, 1e-12));
            }
        }
        functions::inverse(&mut y, &[seeded(0), seeded(1), seeded(2)]);
        for y in &y {
            let left = y.eps.unwrap_generic(Const::<3>, U1);
            prop_assert!(left.iter().chain([&y.re]).all(|part| part.abs() < 1e-10));
        }
    }

    #[test]
    fn in_single_precision(x in point()) {
        let x = x.map(|x| x as f32);
        let expected = expected(&x.map(f64::from));
        let mut y = [Dual32::from_re(0.0); 3];
        functions(&mut y, &[Dual32::new(x[0], 1.0), Dual32::from_re(x[1]), Dual32::from_re(x[2])]);
        let mut z = [DualSVec32::<1>::from_re(0.0); 3];
        let constant = DualSVec32::<1>::from_re;
        functions(&mut z, &[constant(x[0]).derivative(0), constant(x[1]), constant(x[2])]);
        for ((y, z), expected) in y.iter().zip(&z).zip(&expected) {
            prop_assert!(near(f64::from(y.eps), expected.tangents[0], 1e-4));
            let found = z.eps.unwrap_generic(Const::<1>, U1)[0];
            prop_assert!(near(f64::from(found), expected.tangents[0], 1e-4));
        }
    }

    #[test]
    fn second_derivatives(x in point()) {
        let expected = hessian(&series {}, &x);
        let (mut y, mut z) = (HyperDual64::from_re(0.0), Dual2_64::from_re(0.0));
        let seeded = [
            HyperDual64::from_re(x[0]).derivative1(),
            HyperDual64::from_re(x[1]).derivative2(),
            HyperDual64::from_re(x[2]),
        ];
        series(&mut y, &seeded);
        prop_assert!(near(y.re, expected.value, 1e-13));
        prop_assert!(near(y.eps1, expected.gradient[0], 1e-11));
        prop_assert!(near(y.eps2, expected.gradient[1], 1e-11));
        prop_assert!(near(y.eps1eps2, expected.hessian[(0, 1)], 1e-10));
        let seeded = [Dual2_64::from_re(x[0]).derivative(), x[1].into(), x[2].into()];
        series(&mut z, &seeded);
        prop_assert!(near(z.v1, expected.gradient[0], 1e-11));
        prop_assert!(near(z.v2, expected.hessian[(0, 0)], 1e-10));
        let mut y = HyperDual32::from_re(0.0);
        let x = x.map(|x| x as f32);
        let seeded = [HyperDual32::from_re(x[0]).derivative1(), x[1].into(), x[2].into()];
        series(&mut y, &seeded);
        prop_assert!(near(f64::from(y.eps1), expected.gradient[0], 1e-4));
    }

    #[test]
    fn adjoints_give_one_order_more(x in point(), v in prop::array::uniform3(-1.0..1.0)) {
        // Forward over reverse: Hessian-vector products.
        let expected = hvp(&series {}, &x, &v);
        let directed: Vec<Dual64> = x.iter().zip(v).map(|(x, v)| Dual64::new(*x, v)).collect();
        let at = gradient(&series {}, &directed);
        prop_assert!(near(at.value.re, expected.value, 1e-13));
        for (found, (first, second)) in
            at.gradient.iter().zip(expected.gradient.iter().zip(&expected.product))
        {
            prop_assert!(near(found.re, *first, 1e-11) && near(found.eps, *second, 1e-10));
        }
        // All columns at once.
        let expected = hessian(&series {}, &x);
        let seeded = |(k, x): (usize, &f64)| DualSVec64::<3>::from_re(*x).derivative(k);
        let seeded: Vec<DualSVec64<3>> = x.iter().enumerate().map(seeded).collect();
        for (i, found) in gradient(&series {}, &seeded).gradient.iter().enumerate() {
            let row = found.eps.unwrap_generic(Const::<3>, U1);
            for (found, expected) in row.iter().zip(expected.hessian.row(i)) {
                prop_assert!(near(*found, *expected, 1e-10));
            }
        }
        // Third and fourth derivatives along one variable.
        let third = |x: &[f64; 3]| {
            let seeded = [Dual3_64::from_re(x[0]).derivative(), x[1].into(), x[2].into()];
            let mut y = Dual3_64::from_re(0.0);
            series(&mut y, &seeded);
            (y.v3, gradient(&series {}, &seeded).gradient[0].v3)
        };
        let seeded = [Dual2_64::from_re(x[0]).derivative(), x[1].into(), x[2].into()];
        let by_second = gradient(&series {}, &seeded).gradient[0].v2;
        let (v3, v4) = third(&x);
        prop_assert!(near(by_second, v3, 1e-9), "{by_second} {v3}");
        let step = 1e-4;
        let ahead = third(&[x[0] + step, x[1], x[2]]).0;
        let behind = third(&[x[0] - step, x[1], x[2]]).0;
        prop_assert!(near((ahead - behind) / (2.0 * step), v4, 1e-4));
    }
}

/// The derivatives at the edges are those of our own numbers.
#[test]
fn edges() {
    fn of(f: impl Fn(Dual64) -> Dual64, x: f64) -> (f64, f64) {
        let y = f(Dual64::from_re(x).derivative());
        (y.re, y.eps)
    }
    fn by_own(f: impl Fn(Dual<f64>) -> Dual<f64>, x: f64) -> (f64, f64) {
        let y = f(Dual::variable(x, 0));
        (y.value, y.tangents[0])
    }
    macro_rules! same {
        ($(|$x:ident| $e:expr, $point:expr;)+) => {$(
            let found = of(|$x| $e, $point);
            let expected = by_own(|$x| $e, $point);
            assert_eq!(found, expected, "{} at {}", stringify!($e), $point);
        )+};
    }
    same! {
        |x| Real::abs(x), 0.0;
        |x| Elementary::sqrt(x), 0.0;
        |x| Elementary::cbrt(x), 0.0;
        |x| Elementary::asin(x), 1.0;
        |x| Elementary::acos(x), -1.0;
        |x| Elementary::acosh(x), 1.0;
        |x| Elementary::tanh(x), 800.0;
        |x| Elementary::powi(x, 0), 0.0;
        |x| Elementary::powi(x, 1), 0.0;
        |x| Elementary::powi(x, 5), 0.0;
        |x| Elementary::powi(x, -2), 0.0;
        |x| Elementary::powf(x, crate::num::literal(0.5)), 0.0;
        |x| Elementary::powf(x, crate::num::literal(1.0)), 0.0;
        |x| Elementary::powf(x, crate::num::literal(2.5)), 0.0;
        |x| Elementary::powf(x, crate::num::literal(3.0)), -2.0;
        |x| Elementary::powf(crate::num::literal(-2.0), x), 3.0;
        |x| Elementary::powf(crate::num::literal(0.0), x), 2.0;
        |x| Real::hypot(x, crate::num::literal(0.0)), 0.0;
        |x| Real::hypot(x, crate::num::literal(4e200)), 3e200;
        |x| Real::atan2(x, crate::num::literal(0.0)), 0.0;
        |x| Real::atan2(x, crate::num::literal(0.0)), 2.0;
        |x| Real::atan2(crate::num::literal(2.0), x), 0.0;
        |x| Real::atan2(crate::num::literal(0.0), x), -2.0;
        |x| Real::min(x, crate::num::literal(1.5)), 1.5;
        |x| Real::max(x, crate::num::literal(1.5)), 1.5;
        |x| Real::max(x, crate::num::literal(f64::NAN)), 1.5;
        |x| Real::floor(x), 2.0;
        |x| Real::signum(x), 0.0;
    }
}
