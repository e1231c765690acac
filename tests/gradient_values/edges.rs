//! Where derivatives do not exist, jump or are infinite: wherever the value is
//! finite, the adjoint gives what dual numbers give, to the last bit.

use super::table::{self, each_binary, each_unary};
use retrograde::prelude::*;

const POINTS: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    0.5,
    -0.5,
    1e-300,
    -1e-300,
    1e300,
    -1e300,
    f64::MIN_POSITIVE,
    19.5,
];

/// Equal, but for the rounding of a sum of several terms; the sign of a zero does
/// not count. Where one slope is infinite, dual numbers do not know the other one.
fn same(found: f64, expected: f64) -> bool {
    let rounding = 2.0 * f64::EPSILON * expected.abs() + 1e-10 * f64::MIN_POSITIVE;
    let near = (found - expected).abs() <= rounding;
    found == expected || near || expected.is_nan()
}

macro_rules! unary_edges {
    ($complex:ident $($name:ident)+) => {$(
        #[test]
        fn $name() {
            use table::$name::*;
            for x in POINTS {
                let mut y = Dual::<f64>::constant(0.0);
                generic(&mut y, &Dual::variable(x, 0));
                if !y.value.is_finite() {
                    continue;
                }
                let expected = y.tangents[0];
                for adjoint in [concrete::adjoint, generic::adjoint, elementary::adjoint] {
                    let (mut y, mut d_y, mut d_x) = (y.value, 1.0, 0.0);
                    adjoint(&mut y, &mut d_y, &x, &mut d_x);
                    assert!(same(d_x, expected), "at {x}: {d_x}, and {expected} by dual numbers");
                }
            }
        }
    )+};
}

macro_rules! binary_edges {
    ($complex:ident $($name:ident)+) => {$(
        #[test]
        fn $name() {
            use table::$name::*;
            for a in POINTS {
                for b in POINTS {
                    let mut y = Dual::<f64, 2>::constant(0.0);
                    generic(&mut y, &Dual::variable(a, 0), &Dual::variable(b, 1));
                    if !y.value.is_finite() {
                        continue;
                    }
                    let expected = y.tangents;
                    for adjoint in [concrete::adjoint, generic::adjoint, elementary::adjoint] {
                        let (mut y, mut d_y, mut d_a, mut d_b) = (y.value, 1.0, 0.0, 0.0);
                        adjoint(&mut y, &mut d_y, &a, &mut d_a, &b, &mut d_b);
                        assert!(
                            same(d_a, expected[0]) && same(d_b, expected[1]),
                            "at {a}, {b}: {d_a}, {d_b}, and {expected:?} by dual numbers"
                        );
                    }
                }
            }
        }
    )+};
}

each_unary!(unary_edges);
each_binary!(binary_edges);

/// The gradient of a function of the table, by the adjoint on floats.
macro_rules! at {
    ($name:ident($x:expr)) => {
        table::$name::concrete::gradient(&$x).d_x
    };
    ($name:ident($a:expr, $b:expr)) => {{
        let at = table::$name::concrete::gradient(&$a, &$b);
        (at.d_a, at.d_b)
    }};
}

/// The table of the guide, in numbers.
#[test]
fn values() {
    assert_eq!(at!(abs(0.0)), 0.0);
    assert_eq!(at!(abs(-0.0)), 0.0);
    assert_eq!(at!(sqrt(0.0)), 0.0);
    assert_eq!(at!(cbrt(0.0)), 0.0);
    assert_eq!((at!(asin(1.0)), at!(asin(-1.0))), (0.0, 0.0));
    assert_eq!((at!(acos(1.0)), at!(acos(-1.0))), (0.0, 0.0));
    assert_eq!(at!(acosh(1.0)), 0.0);
    assert_eq!((at!(floor(2.0)), at!(round(0.5)), at!(signum(0.0))), (0.0, 0.0, 0.0));

    assert_eq!((at!(powi_0(0.0)), at!(powi_1(0.0)), at!(powi_2(0.0))), (0.0, 1.0, 0.0));
    assert_eq!(at!(powi_minus_3(0.0)), 0.0);
    assert_eq!(at!(powf(0.0, 0.0)), (0.0, 0.0));
    assert_eq!(at!(powf(0.0, 0.5)), (0.0, 0.0));
    assert_eq!(at!(powf(0.0, 1.0)), (1.0, 0.0));
    assert_eq!(at!(powf(0.0, 2.0)), (0.0, 0.0));
    assert_eq!(at!(powf(-2.0, 3.0)), (12.0, 0.0));

    assert_eq!(at!(hypot(0.0, 0.0)), (0.0, 0.0));
    assert_eq!(at!(hypot(0.0, 2.0)), (0.0, 1.0));
    assert_eq!(at!(atan2(0.0, 0.0)), (0.0, 0.0));
    assert_eq!(at!(atan2(0.0, 2.0)), (0.5, 0.0));
    assert_eq!(at!(atan2(0.0, -2.0)), (-0.5, 0.0));
    assert_eq!(at!(atan2(2.0, 0.0)), (0.0, -0.5));
    assert_eq!(at!(atan2_below(-2.0, 0.0)), (0.0, 0.5));

    assert_eq!(at!(min_of_left(1.5, 1.5)), (0.5, 0.5));
    assert_eq!(at!(max_of_left(1.5, 1.5)), (0.5, 0.5));
    assert_eq!(at!(min_of_left(1.5, f64::NAN)), (1.0, 0.0));
    assert_eq!(at!(max_of_left(f64::NAN, 1.5)), (0.0, 1.0));

    assert_eq!((at!(clamp(-1.5)), at!(clamp(2.0)), at!(clamp(0.0))), (0.5, 0.5, 1.0));
    assert_eq!((at!(fract(3.0)), at!(fract(-3.0))), (1.0, 1.0));
    assert_eq!((at!(rest(4.0, 2.0)), at!(rest(-4.0, 2.0))), ((1.0, -2.0), (1.0, 2.0)));
    assert_eq!(at!(rem_euclid(4.0, 2.0)), (1.0, -2.0));
    assert_eq!(at!(rem_euclid(-3.0, 2.0)), (1.0, 2.0));
    assert_eq!(at!(rem_euclid(-3.0, -2.0)), (1.0, -2.0));
    assert_eq!(at!(copysign(0.0, -1.0)), (0.0, 0.0));
    assert_eq!(at!(copysign(-2.0, 0.0)), (-1.0, 0.0));
    assert_eq!(at!(log(1.0, 2.0)).1, 0.0);
}

/// A quotient just below a whole number may be rounded up to it, and then leaves
/// less than nothing: the derivative is that of the rest that there is.
#[test]
fn rests_of_rounded_quotients() {
    let b = 0.1_f64;
    for n in 1..100_000 {
        let a = f64::from(n) * b;
        let a = f64::from_bits(a.to_bits() - 1);
        let times = ((a - a % b) / b).round();
        assert_eq!(at!(rest(a, b)), (1.0, -times), "{a}");
        assert_eq!(at!(rest(-a, b)), (1.0, times), "{a}");
        assert_eq!(at!(rem_euclid(a, b)), (1.0, -times), "{a}");
        let above = if a % b == 0.0 { times } else { times + 1.0 };
        assert_eq!(at!(rem_euclid(-a, b)), (1.0, above), "{a}");
    }
}

/// Nothing flows to where nothing goes: the slope of a branch that was not
/// taken may be infinite.
#[test]
fn infinite_slopes_beside() {
    #[reversible]
    fn guarded<T: Real>(y: &mut T, x: &T) {
        *y += if *x > 0.0 { x.ln() } else { 0.0 };
        if *x > 0.0 {
            *y += x.recip();
        }
    }
    let at = guarded::gradient(&0.0_f64);
    assert_eq!((at.value, at.d_x), (0.0, 0.0));
}
