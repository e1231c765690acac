//! Logarithms and exponentials of fixed point numbers, in integers only: the
//! same bits on every machine.
//!
//! Inside, numbers have 120 fraction bits (constants, reduced arguments) or 64
//! (whatever is multiplied), and are rounded once, at the end.

use super::{Elementary, Fixed, Logarithmic};

/// Fraction bits of the constants.
const WIDE: u32 = 120;
const ONE: u128 = 1 << WIDE;

/// `ln 2 = Σ 1 / (n 2ⁿ)`, over n ≥ 1.
const LN_2: u128 = {
    let (mut sum, mut n) = (0, 1);
    while n < WIDE {
        sum += (ONE >> n) / n as u128;
        n += 1;
    }
    sum
};

/// How many factors `1 + 2^−k` are taken out of an exponential.
const FACTORS: usize = 8;

/// `ln(1 + 2^−k) = Σ (−1)^(n+1) 2^−kn / n`, over n ≥ 1; entry 0 is for k = 1.
const LN_FACTOR: [u128; FACTORS] = {
    let mut table = [0; FACTORS];
    let mut k = 1;
    while k <= FACTORS as u32 {
        let mut n = 1;
        while k * n < WIDE {
            let term = (ONE >> (k * n)) / n as u128;
            let entry = &mut table[k as usize - 1];
            *entry = if n % 2 == 1 { *entry + term } else { *entry - term };
            n += 1;
        }
        k += 1;
    }
    table
};

/// The binary logarithm of a positive number, as its whole part and its
/// fraction in 64 bits, of which `FRAC + 8` are computed, at most 62.
///
/// Turner's algorithm: with `x = 2^e m`, `1 ≤ m < 2`, the first bit of `log2 m`
/// says whether `m² ≥ 2`; then `m²`, or half of it, has the remaining bits. A
/// squaring doubles the relative error, but the bit that it finds weighs half
/// as much: altogether the squarings cost about 2⁻⁶³.
#[inline]
fn log2_parts<const FRAC: u32>(x: Fixed<FRAC>) -> (i32, u64) {
    let digits = if FRAC + 8 < 62 { FRAC + 8 } else { 62 };
    let bits = x.to_bits() as u64;
    let zeros = bits.leading_zeros();
    let whole = 63 - zeros as i32 - FRAC as i32;
    // `m` with 63 fraction bits.
    let mut m = bits << zeros;
    let mut fraction = 0_u64;
    for _ in 0..digits {
        let square = u128::from(m) * u128::from(m);
        let bit = (square >> 127) as u32;
        m = (square >> (63 + bit)) as u64;
        fraction = (fraction << 1) | u64::from(bit);
    }
    (whole, fraction << (64 - digits))
}

#[cold]
#[inline(never)]
#[track_caller]
fn no_logarithm<const FRAC: u32>(x: Fixed<FRAC>) -> ! {
    panic!("{x} has no logarithm: it is not positive")
}

/// Rounds a number of 64 fraction bits.
#[inline]
fn round<const FRAC: u32>(wide: i128) -> i128 {
    let shift = 64 - FRAC;
    (wide + (1 << (shift - 1))) >> shift
}

#[track_caller]
pub(super) fn log2<const FRAC: u32>(x: Fixed<FRAC>) -> Fixed<FRAC> {
    if x.to_bits() <= 0 {
        no_logarithm(x);
    }
    let (whole, fraction) = log2_parts(x);
    let wide = (i128::from(whole) << 64) + i128::from(fraction);
    Fixed::fit(round::<FRAC>(wide), || format!("log2({x})"))
}

/// `ln x = log2 x · ln 2`.
#[track_caller]
pub(super) fn ln<const FRAC: u32>(x: Fixed<FRAC>) -> Fixed<FRAC> {
    if x.to_bits() <= 0 {
        no_logarithm(x);
    }
    let (whole, fraction) = log2_parts(x);
    let whole = (i128::from(whole) * LN_2 as i128) >> (WIDE - 64);
    let fraction = (u128::from(fraction) * (LN_2 >> (WIDE - 64))) >> 64;
    let wide = whole + fraction as i128;
    Fixed::fit(round::<FRAC>(wide), || format!("ln({x})"))
}

/// `2^whole · e^rest`, for a `rest` in [0, ln 2) with 120 fraction bits.
///
/// Factors `1 + 2^−k` are taken out as long as they fit; each fits at most
/// once, and what remains is less than `ln(1 + 2⁻⁸)`. That leaves
/// `eʳ − 1 = r (1 + r/2 (1 + r/3 (…)))`, where 7 terms give 64 bits.
#[inline]
fn assemble<const FRAC: u32>(whole: i32, mut rest: u128) -> Option<i64> {
    let mut mantissa = ONE;
    for (k, &ln_factor) in (1..).zip(&LN_FACTOR) {
        if rest >= ln_factor {
            rest -= ln_factor;
            mantissa += mantissa >> k;
        }
    }
    let r = (rest >> (WIDE - 64)) as u64;
    let mut series = 0;
    for n in (1..=7).rev() {
        series = (r + ((u128::from(r) * u128::from(series)) >> 64) as u64) / n;
    }
    mantissa += ((mantissa >> (WIDE - 64)) * u128::from(series)) >> (128 - WIDE);
    // The mantissa is in [1, 2), up to rounding.
    let shift = WIDE as i32 - FRAC as i32 - whole;
    match shift {
        ..57 => None,
        57..=121 => i64::try_from((mantissa + (1 << (shift - 1))) >> shift).ok(),
        _ => Some(0),
    }
}

/// `eˣ = 2^n e^(x − n ln 2)`.
#[track_caller]
pub(super) fn exp<const FRAC: u32>(x: Fixed<FRAC>) -> Fixed<FRAC> {
    let bits = i128::from(x.to_bits());
    // Far outside, the 120 fraction bits would not fit.
    let result = if bits >> FRAC >= 45 {
        None
    } else if bits >> FRAC < -45 {
        Some(0)
    } else {
        let wide = bits << (WIDE - FRAC);
        let ln_2 = LN_2 as i128;
        assemble::<FRAC>(wide.div_euclid(ln_2) as i32, wide.rem_euclid(ln_2) as u128)
    };
    Fixed::fit(result.map_or(i128::MAX, i128::from), || format!("exp({x})"))
}

/// `2ˣ = 2^⌊x⌋ e^(ln 2 · (x − ⌊x⌋))`.
#[track_caller]
pub(super) fn exp2<const FRAC: u32>(x: Fixed<FRAC>) -> Fixed<FRAC> {
    let whole = (x.to_bits() >> FRAC).clamp(-100, 100) as i32;
    let fraction = (x.to_bits() & ((1 << FRAC) - 1)) as u128;
    let result = assemble::<FRAC>(whole, fraction * (LN_2 >> FRAC));
    Fixed::fit(result.map_or(i128::MAX, i128::from), || format!("exp2({x})"))
}

/// Within one step of the exact logarithm; panics unless `x` is positive.
///
/// ```
/// use retrograde::num::{Fixed43, Logarithmic};
///
/// let x = Logarithmic::from(Fixed43::from_f64(2.5));
/// assert!((x.ln().to_f64() - 2.5_f64.ln()).abs() < 1e-12);
/// ```
impl<const FRAC: u32> From<Fixed<FRAC>> for Logarithmic<Fixed<FRAC>> {
    #[inline]
    #[track_caller]
    fn from(x: Fixed<FRAC>) -> Self {
        Logarithmic::new(x)
    }
}

/// Within one step of the exact value, or 2⁻⁶⁰ of it; panics if that does not
/// fit.
///
/// ```
/// use retrograde::num::{Fixed43, Logarithmic};
///
/// let x = Logarithmic::from_ln(Fixed43::from_f64(-0.5));
/// assert!((Fixed43::from(x).to_f64() - (-0.5_f64).exp()).abs() < 1e-12);
/// ```
impl<const FRAC: u32> From<Logarithmic<Fixed<FRAC>>> for Fixed<FRAC> {
    #[inline]
    #[track_caller]
    fn from(x: Logarithmic<Fixed<FRAC>>) -> Self {
        x.log.exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts;

    type F = Fixed<43>;
    const STEP: f64 = 1.0 / (1_u64 << 43) as f64;

    fn positive() -> impl Strategy<Value = F> {
        // All magnitudes alike, not mostly the largest.
        (1..=i64::MAX, 0..62_u32).prop_map(|(bits, shift)| F::from_bits((bits >> shift).max(1)))
    }

    #[test]
    fn constants() {
        let value = |wide: u128| wide as f64 / ONE as f64;
        assert_eq!(value(LN_2), consts::LN_2);
        for (k, &entry) in (1..).zip(&LN_FACTOR) {
            assert!((value(entry) - 0.5_f64.powi(k).ln_1p()).abs() < 1e-16);
        }
        // All bits of these: 9/8 = (3/2)² / 2.
        let nine_eighths = 2 * LN_FACTOR[0] - LN_2;
        assert!(nine_eighths.abs_diff(LN_FACTOR[2]) < 1 << 10);
    }

    #[test]
    fn powers_of_two_are_exact() {
        for k in -43..20 {
            let power = F::from_bits(1 << (43 + k));
            assert_eq!(power.log2(), F::from(k));
            assert_eq!(F::from(k).exp2(), power);
        }
        assert_eq!(F::from(-45).exp2().to_bits(), 0);
        assert_eq!(F::from(-44).exp2().to_bits(), 1);
        assert_eq!(F::from(1).ln().to_bits(), 0);
        assert_eq!(F::from(0).exp(), F::from(1));
        assert_eq!(F::MIN.exp().to_bits(), 0);
    }

    #[test]
    fn logarithm_of_a_known_power() {
        let x = F::from_f64(2_f64.powf(1.24));
        assert!((x.log2().to_f64() - 1.24).abs() <= STEP);
        assert!((F::from_f64(1.24).exp2() - x).to_bits().abs() <= 2);
    }

    /// e and ln 10 to 62 bits, where floats no longer tell.
    #[test]
    fn nearly_all_bits_are_right() {
        const E: u128 = 0x2_b7e1_5162_8aed_2a6a;
        const LN_10: u128 = 0x2_4d76_3776_aaa2_b05b;
        let one = Fixed::<60>::from_bits(1 << 60);
        assert!(one.exp().to_bits().abs_diff((E >> 4) as i64) <= 1);
        let ten = Fixed::<59>::from_bits(10 << 59);
        assert!(ten.ln().to_bits().abs_diff((LN_10 >> 5) as i64) <= 1);
    }

    proptest! {
        #[test]
        fn within_two_steps_of_floats(x in positive(), log in -40.0..13.8) {
            // Round-off of the argument counts for large ones.
            let value = x.to_f64();
            prop_assert!((x.ln().to_f64() - value.ln()).abs() <= 1.5 * STEP);
            prop_assert!((x.log2().to_f64() - value.log2()).abs() <= 1.5 * STEP);
            let log = F::from_f64(log);
            let exact = log.to_f64().exp();
            let error = (F::from(Logarithmic::from_ln(log)).to_f64() - exact).abs();
            prop_assert!(error <= STEP + 1e-15 * exact);
            let exact = log.to_f64().exp2();
            prop_assert!((log.exp2().to_f64() - exact).abs() <= STEP + 1e-15 * exact);
        }

        #[test]
        fn there_and_back(x in positive()) {
            let back = F::from(Logarithmic::from(x));
            // Half a step of the logarithm, then half a step of the result.
            let bound = 0.51 * STEP * x.to_f64() + 0.51 * STEP;
            prop_assert!((back - x).to_f64().abs() <= bound, "{} {}", x, back);
        }

        #[test]
        fn monotone(x in positive(), log in -40.0..13.8, step in 1..1000_i64) {
            let above = F::from_bits(x.to_bits().saturating_add(step));
            prop_assert!(x.ln() <= above.ln());
            prop_assert!(x.log2() <= above.log2());
            let log = F::from_f64(log);
            let above = log + F::from_bits(step);
            prop_assert!(log.exp() <= above.exp());
            prop_assert!(log.exp2() <= above.exp2());
        }
    }
}
