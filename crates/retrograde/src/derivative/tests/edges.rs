//! Where derivatives do not exist or are infinite: each edge, exactly.

use super::*;
use crate::derivative::{pull, slope};
use crate::num::{Arithmetic, Complex, DoubleDouble, Dual, Elementary, Fixed43, Real, Zero};

type C = Complex<f64>;

/// All edges that the real types have in common.
fn common<T: Real>() {
    let n = T::literal;
    let (zero, one, half, two) = (n(0.0), n(1.0), n(0.5), n(2.0));
    let is = |found: T, expected: f64| {
        assert_eq!(found.to_f64(), expected);
    };
    is(slope::sqrt(&zero), 0.0);
    is(slope::cbrt(&zero), 0.0);
    is(slope::abs(&zero), 0.0);
    is(slope::abs(&two), 1.0);
    is(slope::abs(&-two.clone()), -1.0);
    for edge in [one.clone(), -one.clone()] {
        is(slope::asin(&edge), 0.0);
        is(slope::acos(&edge), 0.0);
    }
    is(slope::acosh(&one), 0.0);
    for (exponent, expected) in [(-2, 0.0), (-1, 0.0), (0, 0.0), (1, 1.0), (2, 0.0), (3, 0.0)] {
        is(slope::powi(&zero, exponent), expected);
    }
    for (exponent, expected) in [(1.0, 1.0), (1.5, 0.0), (2.0, 0.0), (0.5, 0.0), (0.25, 0.0)] {
        let y = zero.clone().powf(n(exponent));
        is(slope::powf_left(&zero, &n(exponent), &y), expected);
        is(slope::powf_right(&zero, &n(exponent), &y), 0.0);
    }
    // The value is infinite here, or panics; the slope is not, and does not.
    is(slope::powf_left(&zero, &-one.clone(), &one), 0.0);
    is(slope::powf_left(&zero, &zero, &one), 0.0);
    is(slope::powf_left(&-two.clone(), &two, &n(4.0)), -4.0);
    is(slope::powf_right(&-two.clone(), &two, &n(4.0)), 0.0);
    is(slope::hypot_left(&zero, &zero, &zero), 0.0);
    is(slope::hypot_right(&zero, &zero, &zero), 0.0);
    is(slope::hypot_right(&zero, &-two.clone(), &two), -1.0);
    is(slope::atan2_left(&zero, &zero), 0.0);
    is(slope::atan2_right(&zero, &zero), 0.0);
    is(slope::atan2_left(&zero, &-two.clone()), -0.5);
    is(slope::atan2_right(&two, &zero), -0.5);
    is(slope::min_left(&two, &two), 0.5);
    is(slope::min_right(&two, &two), 0.5);
    is(slope::max_left(&two, &two), 0.5);
    is(slope::max_right(&two, &two), 0.5);
    is(slope::min_left(&one, &two), 1.0);
    is(slope::min_right(&one, &two), 0.0);
    is(slope::max_left(&one, &two), 0.0);
    is(slope::max_right(&one, &two), 1.0);
    is(T::pull_min_left(&two, &one, &one), 1.0);
    is(T::pull_max_right(&two, &one, &one), 1.0);
    is(T::pull_abs(&two, &zero), 0.0);
    is(slope::rem_right(&half, &two), 0.0);
    is(slope::rem_right(&n(7.5), &-two.clone()), 3.0);
    is(slope::rem_right(&zero, &two), 0.0);
    is(slope::copysign_left(&two, &-one.clone()), -1.0);
    is(slope::copysign_left(&-two.clone(), &-one.clone()), 1.0);
    is(slope::copysign_left(&two, &zero), 1.0);
    is(slope::copysign_left(&zero, &-one.clone()), 0.0);
    is(slope::tanh(&one), 0.0);
}

#[test]
fn real_types_agree() {
    common::<f32>();
    common::<f64>();
    common::<DoubleDouble>();
    common::<Fixed43>();
    common::<Dual<f64>>();
    common::<Dual<Dual<f64, 2>>>();
}

#[test]
fn signs_of_zeros() {
    assert_eq!(slope::copysign_left(&2.0, &-0.0), -1.0);
    assert_eq!(slope::abs(&-0.0), 0.0);
    assert_eq!(slope::powf_left(&-0.0, &0.5, &0.0), 0.0);
}

#[test]
fn poles_are_left_to_the_formulas() {
    assert_eq!(slope::ln(&0.0), f64::INFINITY);
    assert_eq!(slope::recip(&f64::INFINITY), -f64::INFINITY);
    assert_eq!(slope::atanh(&1.0), f64::INFINITY);
}

#[test]
fn what_is_not_a_number_loses() {
    let nan = f64::NAN;
    assert_eq!((slope::min_left(&nan, &1.0), slope::min_right(&nan, &1.0)), (0.0, 1.0));
    assert_eq!((slope::max_left(&1.0, &nan), slope::max_right(&1.0, &nan)), (1.0, 0.0));
}

#[test]
fn what_is_not_chosen_gets_nothing_of_an_infinite_gradient() {
    let infinite = f64::INFINITY;
    assert_eq!(pull::min_left(&infinite, &2.0, &1.0), 0.0);
    assert_eq!(pull::max_right(&infinite, &2.0, &1.0), 0.0);
    assert_eq!(pull::max_left(&infinite, &2.0, &1.0), infinite);
}

#[test]
fn nothing_overflows_on_the_way() {
    assert!(near(slope::asinh(&1e200) * 1e200, 1.0, 1e-14));
    assert!(near(slope::acosh(&1e200) * 1e200, 1.0, 1e-14));
    assert!(near(slope::atan2_left(&3e-200, &4e-200), 1.6e199, 1e-14));
    // One step of fixed point, relative to 10⁻³.
    assert!(near(slope::asinh(&Fixed43::from(1000)).to_f64(), 1e-3 - 5e-10, 1.2e-10));
}

#[test]
fn whole_exponents_at_their_limits() {
    assert_eq!(slope::powi(&1.0, i32::MIN), f64::from(i32::MIN));
    assert_eq!(slope::powi(&1.0, i32::MAX), f64::from(i32::MAX));
}

#[test]
fn a_quotient_that_was_rounded_up_is_found_out() {
    // `a / b` rounds to 3, but only two fit: `a % b` is nearly `b`.
    let (a, b) = (3.9, 1.3);
    assert_eq!((a / b, a % b), (3.0, 1.2999999999999998));
    assert_eq!((slope::rem_right(&a, &b), slope::rem_right(&-a, &b)), (-2.0, 2.0));
    assert_eq!((slope::rem_right(&a, &-b), slope::rem_right(&-a, &-b)), (2.0, -2.0));
}

#[test]
fn complex_numbers_at_zero() {
    let (zero, g) = (C::zero(), C::new(1.0, 2.0));
    let none = C::new(0.0, 0.0);
    assert_eq!(pull::sqrt(&g, &zero), none);
    assert_eq!(pull::cbrt(&g, &zero), none);
    assert_eq!(pull::asin(&g, &C::one()), none);
    assert_eq!(pull::acos(&g, &-C::one()), none);
    assert_eq!(pull::acosh(&g, &C::one()), none);
    assert_eq!([-1, 0, 2, 3].map(|n| pull::powi(&g, &zero, n)), [none; 4]);
    assert_eq!(pull::powi(&g, &zero, 1), g);
    for exponent in [2.0, 1.5, 0.5, 0.0, -1.0].map(|re| C::new(re, 0.0)) {
        assert_eq!(pull::powf_left(&g, &zero, &exponent, &zero), none, "{exponent}");
    }
    for exponent in [C::new(1.0, 2.0), C::new(0.5, -1.0), C::new(3.0, 1.0), C::new(0.0, 1.0)] {
        assert_eq!(pull::powf_left(&g, &zero, &exponent, &zero), none, "{exponent}");
    }
    assert_eq!(pull::powf_left(&g, &zero, &C::one(), &zero), g);
    assert_eq!(pull::powf_right(&g, &zero, &C::one(), &zero), none);
    assert_eq!(pull::norm(&2.0, &zero, &0.0), none);
    assert_eq!(pull::norm_sqr(&2.0, &zero), none);
    assert_eq!(pull::arg(&2.0, &zero), none);
    // Whose squares are too large or too small for a float, and those at the limit.
    for size in [1e-300, 1e-160, 1e-154, 1e-150, 1e150, 1e154, 1e160, 1e300] {
        let slope = pull::arg(&(50.0 * size), &C::new(3.0 * size, 4.0 * size));
        assert!((slope - C::new(-8.0, 6.0)).norm() < 1e-14, "{size}: {slope}");
    }
    // A negative base is one like any other.
    let (x, p) = (C::new(-2.0, 0.0), C::new(2.0, 0.0));
    let y = Elementary::powf(x, p);
    assert_eq!(pull::powf_right(&g, &x, &p, &y), g * (y * x.ln()).conj());
}

#[test]
fn integers_have_no_slopes() {
    assert_eq!(
        (pull::abs(&3, &-2), pull::min_left(&3, &1, &2), pull::max_right(&3, &1, &2)),
        (0, 0, 0)
    );
}
