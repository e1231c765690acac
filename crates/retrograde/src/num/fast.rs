//! Exponentials of floats without branches or tables: a loop over them runs in the
//! vector registers of the machine.
//!
//! The error of `exp` stays below one and a half units in the last place, that of
//! `tanh` below three (those of the standard library are below one). Infinities,
//! zeros, numbers that are not normal, and what is not a number are as they should.

use std::f64::consts::{LN_2, LOG2_E};

/// Added to a number below 2⁵¹, it leaves the nearest integer in the last bits.
const TO_INTEGER: f64 = 6755399441055744.0;
/// The first bits of `ln 2`, whose products with integers of ten bits are exact.
const LN_2_HIGH: f64 = f64::from_bits(LN_2.to_bits() & !0x7ff_ffff);
/// The rest of `ln 2`: what is behind the first bits, and behind those of `LN_2`.
const LN_2_LOW: f64 = (LN_2 - LN_2_HIGH) + 2.3190468138462996e-17;

/// `2ⁿ` for an integer between −1022 and 1023.
#[inline]
fn power_of_two(n: f64) -> f64 {
    f64::from_bits(((n + TO_INTEGER).to_bits() << 52).wrapping_add(1.0_f64.to_bits()))
}

#[inline]
fn clamped(x: f64, low: f64, high: f64) -> f64 {
    // What is not a number stays so.
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `(eʳ − 1)` for `|r| ≤ ½ ln 2`.
#[inline]
fn small_exp_m1(r: f64) -> f64 {
    // The polynomial of degree 11 that agrees with the series at the zeros of Chebyshev's:
    // what it is off by is below 2·10⁻¹⁷. Even and odd powers apart, so that less waits.
    let square = r * r;
    let mut even = 2.7620088445409746e-7;
    even = even * square + 2.4801521295954376e-5;
    even = even * square + 0.0013888888917213717;
    even = even * square + 0.04166666666662413;
    even = even * square + 0.5;
    let mut odd = 2.510038549551032e-8;
    odd = odd * square + 2.7557268459997064e-6;
    odd = odd * square + 0.00019841269863053618;
    odd = odd * square + 0.008333333333330062;
    odd = odd * square + 0.16666666666666669;
    r + square * (even + r * odd)
}

/// `x = n ln 2 + r`, where `n` is an integer.
#[inline]
fn reduced(x: f64) -> (f64, f64) {
    let n = (x * LOG2_E + TO_INTEGER) - TO_INTEGER;
    (n, (x - n * LN_2_HIGH) - n * LN_2_LOW)
}

#[inline]
pub fn exp(x: f64) -> f64 {
    // Beyond, it is zero or infinite.
    let (n, r) = reduced(clamped(x, -746.0, 710.0));
    // In two steps, so that neither factor overflows.
    let first = clamped(n, -1022.0, 1023.0);
    (1.0 + small_exp_m1(r)) * power_of_two(first) * power_of_two(n - first)
}

#[inline]
pub fn exp_m1(x: f64) -> f64 {
    // Below, it is −1.
    let (n, r) = reduced(clamped(x, -40.0, 710.0));
    let first = clamped(n, -1022.0, 1023.0);
    let (scale, rest) = (power_of_two(first), power_of_two(n - first));
    // `2ⁿ(eʳ − 1) + (2ⁿ − 1)`
    let value = (small_exp_m1(r) * scale + (scale - 1.0 / rest)) * rest;
    // The sign of a zero is kept.
    if x == 0.0 { x } else { value }
}

#[inline]
pub fn tanh(x: f64) -> f64 {
    // Beyond, it is ±1.
    let twice = exp_m1(2.0 * clamped(x, -20.0, 20.0));
    twice / (twice + 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{DoubleDouble, Elementary};
    use proptest::prelude::*;

    /// The distance to the reference, in units in the last place.
    fn ulps(found: f64, expected: DoubleDouble) -> f64 {
        let nearest = expected.to_f64();
        let unit = (nearest.next_up() - nearest).abs();
        ((DoubleDouble::from(found) - expected).to_f64() / unit).abs()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20000))]
        #[test]
        fn as_good_as_they_say(x in -50.0..50.0_f64, wide in -700.0..700.0_f64, e in -30..1) {
            for x in [x, wide, x * f64::from(e).exp2()] {
                let reference = DoubleDouble::from(x);
                prop_assert!(ulps(exp(x), reference.exp()) < 1.5, "exp {x} {}", exp(x));
                prop_assert!(ulps(exp_m1(x), reference.exp_m1()) < 2.0, "exp_m1 {x} {}", exp_m1(x));
                prop_assert!(ulps(tanh(x), reference.tanh()) < 3.0, "tanh {x} {}", tanh(x));
            }
        }
    }

    #[test]
    fn edges() {
        assert_eq!(
            [exp(0.0), exp(-0.0), exp(1000.0), exp(-1000.0)],
            [1.0, 1.0, f64::INFINITY, 0.0]
        );
        assert_eq!([exp(f64::INFINITY), exp(f64::NEG_INFINITY)], [f64::INFINITY, 0.0]);
        assert_eq!([exp_m1(1000.0), exp_m1(-1000.0)], [f64::INFINITY, -1.0]);
        assert_eq!([tanh(1000.0), tanh(-1000.0), tanh(f64::INFINITY)], [1.0, -1.0, 1.0]);
        for zero in [0.0_f64, -0.0] {
            assert_eq!(exp_m1(zero).to_bits(), zero.to_bits());
            assert_eq!(tanh(zero).to_bits(), zero.to_bits());
        }
        assert!(exp(f64::NAN).is_nan() && exp_m1(f64::NAN).is_nan() && tanh(f64::NAN).is_nan());
        for x in [709.78, 709.7827, 709.79, -708.5, -720.0, -744.0, -745.0, -745.2, -746.0] {
            let (found, expected) = (exp(x), x.exp());
            let near = (found - expected).abs() <= 2.0 * (expected.next_up() - expected);
            assert!(near || found == expected, "{x}: {found} {expected}");
        }
        for x in [709.0, 709.78, 709.79] {
            assert!((exp_m1(x) / x.exp() - 1.0).abs() < 1e-15 || exp_m1(x) == x.exp(), "{x}");
        }
        assert_eq!([exp_m1(f64::MIN_POSITIVE), tanh(5e-324)], [f64::MIN_POSITIVE, 5e-324]);
    }
}
