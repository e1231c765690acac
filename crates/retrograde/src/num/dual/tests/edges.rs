//! The table of edges.

use super::*;

/// The derivative of `f` at `x`.
fn slope(f: impl Fn(D) -> D, x: f64) -> f64 {
    f(D::variable(x, 0)).tangents[0]
}

/// Both partial derivatives of `f` at `(x, y)`.
fn slopes(f: impl Fn(D<2>, D<2>) -> D<2>, x: f64, y: f64) -> [f64; 2] {
    f(D::variable(x, 0), D::variable(y, 1)).tangents
}

#[test]
fn roots_and_corners() {
    for zero in [0.0, -0.0] {
        assert_eq!(slope(D::abs, zero), 0.0);
        assert_eq!(slope(D::sqrt, zero), 0.0);
        assert_eq!(slope(D::cbrt, zero), 0.0);
    }
    for one in [-1.0, 1.0] {
        assert_eq!(slope(D::asin, one), 0.0);
        assert_eq!(slope(D::acos, one), 0.0);
    }
    assert_eq!(slope(D::acosh, 1.0), 0.0);
}

#[test]
fn second_derivatives_of_roots_and_corners() {
    let x = Dual::<_>::variable(D::<1>::variable(0.0, 0), 0);
    for f in [Real::abs, Elementary::sqrt, Elementary::cbrt] {
        let y: Dual<D> = f(x);
        assert_eq!((y.value.tangents, y.tangents[0].value), ([0.0], 0.0));
        assert_eq!(y.tangents[0].tangents, [0.0]);
    }
    // Smooth functions are smooth at zero, however they are computed: the third
    // derivative of `tanh` is −2.
    let x = Dual::<_>::variable(x, 0);
    assert_eq!(x.tanh().tangents[0].tangents[0].tangents, [-2.0]);
    assert_eq!(x.powf(Dual::literal(3.0)).tangents[0].tangents[0].tangents, [6.0]);
    assert_eq!(x.powi(3).tangents[0].tangents[0].tangents, [6.0]);
}

#[test]
fn powers() {
    let by_base = |p: f64| slopes(D::powf, 0.0, p)[0];
    assert_eq!([1.0, 1.5, 2.0, 0.5, 0.0, -1.0].map(by_base), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let by_exponent = |x: f64| slopes(D::powf, x, 2.0)[1];
    assert_eq!([0.0, -3.0].map(by_exponent), [0.0, 0.0]);
    let whole = |n: i32| slope(|x| x.powi(n), 0.0);
    assert_eq!([1, 2, 3, 0, -1, -2].map(whole), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let negative = |p: f64| slope(|x| x.powf(D::constant(p)), -2.0);
    assert_eq!([1.0, 2.0, 3.0].map(negative), [1.0, -4.0, 12.0]);
    assert_eq!(slope(|x| x.powi(i32::MIN), 1.0), f64::from(i32::MIN));
    assert_eq!(slope(|x| x.powi(i32::MAX), 1.0), f64::from(i32::MAX));
}

#[test]
fn lengths_and_angles() {
    assert_eq!(slopes(D::hypot, 0.0, 0.0), [0.0, 0.0]);
    assert_eq!(slopes(D::atan2, 0.0, 0.0), [0.0, 0.0]);
    assert_eq!(slopes(D::hypot, 0.0, -2.0), [0.0, -1.0]);
    // Called as `y.atan2(x)`.
    assert_eq!(slopes(D::atan2, 0.0, 2.0), [0.5, 0.0]);
    assert_eq!(slopes(D::atan2, 0.0, -2.0), [-0.5, 0.0]);
    assert_eq!(slopes(D::atan2, 2.0, 0.0), [0.0, -0.5]);
    assert_eq!(slopes(D::atan2, -2.0, 0.0), [0.0, 0.5]);
    // No square overflows or vanishes.
    assert!(near(slopes(D::hypot, 3e200, 4e200)[0], 0.6, 1e-15));
    assert!(near(slopes(D::hypot, 3e-200, 4e-200)[1], 0.8, 1e-15));
    assert!(near(slopes(D::atan2, 3e-200, 4e-200)[0] / 1.6e199, 1.0, 1e-14));
    assert!(near(slope(D::asinh, 1e200) * 1e200, 1.0, 1e-14));
    assert!(near(slope(D::acosh, 1e200) * 1e200, 1.0, 1e-14));
}

#[test]
fn ties() {
    assert_eq!(slopes(D::min, 2.0, 2.0), [0.5, 0.5]);
    assert_eq!(slopes(D::max, 2.0, 2.0), [0.5, 0.5]);
    assert_eq!(slopes(D::min, 1.0, 2.0), [1.0, 0.0]);
    assert_eq!(slopes(D::max, 1.0, 2.0), [0.0, 1.0]);
    // As for floats, what is not a number loses.
    for extreme in [D::min, D::max] {
        assert_eq!(slopes(extreme, f64::NAN, 2.0), [0.0, 1.0]);
        assert_eq!(slopes(extreme, 2.0, f64::NAN), [1.0, 0.0]);
    }
}

#[test]
fn jumps() {
    for f in [D::signum, D::floor, D::ceil, D::round, D::trunc] {
        for x in [-1.5, -1.0, 0.0, 0.5, 2.0] {
            assert_eq!(slope(f, x), 0.0);
        }
    }
}

#[test]
fn poles() {
    assert_eq!(slope(D::ln, 0.0), f64::INFINITY);
    assert_eq!(slope(D::recip, 0.0), -f64::INFINITY);
    assert_eq!(slope(D::atanh, 1.0), f64::INFINITY);
    assert!(slope(D::sqrt, -1.0).is_nan());
}

/// From the value alone: right to one rounding, not to so many digits.
#[test]
fn the_slope_of_tanh_ends_where_its_value_is_one() {
    for x in [15.0, 18.0, 20.0, -20.0, 1000.0_f64] {
        assert!((slope(D::tanh, x) - 4.0 * (-2.0 * x.abs()).exp()).abs() < 2.0 * f64::EPSILON);
    }
    assert_eq!([20.0, -20.0, 1000.0].map(|x| slope(D::tanh, x)), [0.0; 3]);
}

#[test]
fn what_is_not_chosen_may_have_an_infinite_slope() {
    assert_eq!(slope(|x| x.recip().min(D::constant(1.0)), 0.0), 0.0);
    assert_eq!(slope(|x| D::constant(0.0).max(x.ln()), 0.0), 0.0);
}

#[test]
fn small_slopes_keep_their_digits() {
    assert!(near(slope(D::exp_m1, -40.0) / (-40_f64).exp(), 1.0, 1e-12));
    assert!(near(slope(D::asin, 1.0 - 1e-12) * (2e-12_f64).sqrt(), 1.0, 1e-4));
}
