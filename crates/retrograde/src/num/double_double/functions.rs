//! Elementary functions of double-double numbers.
//!
//! Most have one of two forms: a series, for a small argument, or a single
//! step of correction from what `f64` gives, for an inverse function. One step
//! is enough, because it doubles the digits.

use super::DoubleDouble;
use super::exact::two_prod;
use crate::num::{Arithmetic, Elementary, Real};
use std::f64::consts;

/// `π/2` in three floats, about 48 digits.
const FRAC_PI_2: [f64; 3] = [consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33];
/// `ln 2` in three floats, about 48 digits.
const LN_2: [f64; 3] = [consts::LN_2, 2.3190468138462996e-17, 5.707708438416212e-34];
const LOG2_E: DoubleDouble = DoubleDouble::pair(consts::LOG2_E, 2.0355273740931033e-17);
const LOG10_E: DoubleDouble = DoubleDouble::pair(consts::LOG10_E, 1.098319650216765e-17);

/// Below this, `x` is lost beside 1, so `eˣ − 1` and `ln(1 + x)` are `x`.
const TINY: f64 = 1e-33;
/// Beyond this, 1 is lost beside `eˣ`.
const LARGE: f64 = 80.0;

/// `x − n c`, where `c` has more digits than a pair: what cancels leaves a
/// difference with all its digits.
fn reduced(x: DoubleDouble, n: f64, c: [f64; 3]) -> DoubleDouble {
    let product = |part| {
        let (hi, lo) = two_prod(n, part);
        DoubleDouble::pair(hi, lo)
    };
    x - product(c[0]) - product(c[1]) - n * c[2]
}

/// `x` times a power of two, which changes no digit.
pub(super) fn times_power(x: DoubleDouble, power: f64) -> DoubleDouble {
    let hi = x.hi * power;
    DoubleDouble::settled(hi, x.lo * power, hi)
}

/// `2^exponent · x`, in two steps because a single factor might not fit.
fn scale(x: DoubleDouble, exponent: i32) -> DoubleDouble {
    let half = exponent / 2;
    times_power(times_power(x, 2_f64.powi(half)), 2_f64.powi(exponent - half))
}

/// `x = 2ⁿ m`, with `m` between `√½` and `√2`; for finite `x > 0`.
fn mantissa(x: DoubleDouble) -> (DoubleDouble, i32) {
    if x.hi < f64::MIN_POSITIVE {
        let (m, n) = mantissa(times_power(x, 2_f64.powi(64)));
        return (m, n - 64);
    }
    let exponent = (x.hi.to_bits() >> 52) as i32 - 1023;
    let m = scale(x, -exponent);
    if m.hi > consts::SQRT_2 { (times_power(m, 0.5), exponent + 1) } else { (m, exponent) }
}

/// `eˣ − 1` for `|x| ≤ ½ ln 2`: of `r = x/16` by `r (1 + r/2 (1 + r/3 (…)))`,
/// then four times `e²ˣ − 1 = p (2 + p)`, with `p = eˣ − 1`.
fn small_exp_m1(x: DoubleDouble) -> DoubleDouble {
    if x.hi.abs() < TINY {
        return x;
    }
    let r = times_power(x, 1.0 / 16.0);
    let mut sum = DoubleDouble::ONE;
    for n in (2..=15).rev() {
        sum = r * sum / f64::from(n) + 1.0;
    }
    (0..4).fold(r * sum, |p, _| p * (p + 2.0))
}

/// `ln(1 + x)` for `√½ ≤ 1 + x ≤ √2`: with `y` as `f64` has it, the rest is
/// `ln(1 + e) ≈ e − e²/2`, where `e = (x − p) / (1 + p)`, `p = e^y − 1`.
fn small_ln_1p(x: DoubleDouble) -> DoubleDouble {
    if x.hi.abs() < TINY {
        return x;
    }
    let y = x.hi.ln_1p();
    let p = small_exp_m1(DoubleDouble::from(y));
    let e = (x - p) / (p + 1.0);
    e - e * e * 0.5 + y
}

/// Where `small_exp_m1` and `small_ln_1p` both hold.
const SMALL: f64 = 0.29;

/// `2^shift eˣ = 2^(n + shift) e^(x − n ln 2)`.
fn shifted_exp(x: DoubleDouble, shift: i32) -> DoubleDouble {
    // Beyond, the result is 0 or infinite, or `x` is not a number.
    if !(-746.0..711.0).contains(&x.hi) {
        return DoubleDouble::from(x.hi.exp());
    }
    let n = (x.hi * consts::LOG2_E).round();
    scale(small_exp_m1(reduced(x, n, LN_2)) + 1.0, n as i32 + shift)
}

/// `1 − r/(a(a+1)) (1 − r/((a+2)(a+3)) (…))`, with `r = x²`: the cosine of `x`
/// for `a = 1`, and `sin x / x` for `a = 2`.
fn alternating(r: DoubleDouble, a: i32) -> DoubleDouble {
    let mut sum = DoubleDouble::ONE;
    for n in (a..a + 30).step_by(2).rev() {
        sum = 1.0 - r * sum / f64::from(n * (n + 1));
    }
    sum
}

/// `x = n π/2 + r` with `|r|` at most about `π/4`: gives `r`, and `n` modulo 4.
///
/// Once is enough below 10¹⁵; a larger `n` is a rounded one. The digits of `π`
/// run out as `x` grows: the error of `r` is about 10⁻⁴⁸ `|x|`.
fn quadrant(x: DoubleDouble) -> (DoubleDouble, u8) {
    let (mut r, mut quadrant) = (x, 0_u8);
    while r.hi.abs() > 0.8 {
        let n = (r.hi * consts::FRAC_2_PI).round();
        r = reduced(r, n, FRAC_PI_2);
        quadrant += n.rem_euclid(4.0) as u8;
    }
    (r, quadrant % 4)
}

/// The sine of `r + quadrant π/2`.
fn wave(r: DoubleDouble, quadrant: u8) -> DoubleDouble {
    match quadrant % 4 {
        0 => r * alternating(r * r, 2),
        1 => alternating(r * r, 1),
        2 => -(r * alternating(r * r, 2)),
        _ => -alternating(r * r, 1),
    }
}

/// Gives an odd function of `|x|` the sign of `x`.
pub(super) fn odd(
    x: DoubleDouble,
    function: impl FnOnce(DoubleDouble) -> DoubleDouble,
) -> DoubleDouble {
    if x.hi.is_sign_negative() { -function(-x) } else { function(x) }
}

impl Elementary for DoubleDouble {
    /// `√x ≈ y + (x − y²) / 2y`, with `y` as `f64` has it.
    fn sqrt(self) -> Self {
        let y = self.hi.sqrt();
        let (square, error) = two_prod(y, y);
        let rest = self.hi - square - error + self.lo;
        Self::settled(y, rest / (2.0 * y), y)
    }
    /// `∛x ≈ y + e − e²/y`, where `e = (x − y³) / 3y²`, with `y` as `f64` has it.
    fn cbrt(self) -> Self {
        let y = self.hi.cbrt();
        let (hi, lo) = two_prod(y, y);
        let rest = self - Self::pair(hi, lo) * y;
        let e = rest.hi / (3.0 * hi);
        Self::settled(y, e - e * e / y, y)
    }
    fn exp(self) -> Self {
        shifted_exp(self, 0)
    }
    /// `2ˣ = 2^n e^((x − n) ln 2)`.
    fn exp2(self) -> Self {
        if !(-1076.0..1025.0).contains(&self.hi) {
            return Self::from(self.hi.exp2());
        }
        let n = self.hi.round();
        scale(small_exp_m1((self - n) * Self::LN_2) + 1.0, n as i32)
    }
    fn exp_m1(self) -> Self {
        match self.hi {
            x if x.abs() <= SMALL => small_exp_m1(self),
            // The one is lost, and an infinity would not survive it.
            LARGE.. => self.exp(),
            _ => self.exp() - 1.0,
        }
    }
    /// `ln(2ⁿ m) = n ln 2 + ln m`.
    fn ln(self) -> Self {
        if !(self.hi > 0.0 && self.hi.is_finite()) {
            return Self::from(self.hi.ln());
        }
        let (m, n) = mantissa(self);
        Self::LN_2 * f64::from(n) + small_ln_1p(m - 1.0)
    }
    fn ln_1p(self) -> Self {
        if self.hi.abs() <= SMALL { small_ln_1p(self) } else { (self + 1.0).ln() }
    }
    /// `log₂(2ⁿ m) = n + ln m · log₂ e`: exact for powers of two.
    fn log2(self) -> Self {
        if !(self.hi > 0.0 && self.hi.is_finite()) {
            return Self::from(self.hi.log2());
        }
        let (m, n) = mantissa(self);
        small_ln_1p(m - 1.0) * LOG2_E + f64::from(n)
    }
    fn log10(self) -> Self {
        self.ln() * LOG10_E
    }
    /// By repeated squaring.
    fn powi(self, exponent: i32) -> Self {
        let (mut power, mut square, mut left) = (Self::ONE, self, exponent.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                power *= square;
            }
            left /= 2;
            if left > 0 {
                square *= square;
            }
        }
        if exponent < 0 { power.recip() } else { power }
    }
    /// `xʸ = e^(y ln x)`, or by squaring for a small whole `y`.
    fn powf(self, exponent: Self) -> Self {
        if self.hi == 0.0 || !(self.hi.is_finite() && exponent.hi.is_finite()) {
            return Self::from(self.hi.powf(exponent.hi));
        }
        let whole = exponent.trunc() == exponent;
        if whole && exponent.hi.abs() <= 64.0 {
            return self.powi(exponent.hi as i32);
        }
        let size = (exponent * self.abs().ln()).exp();
        if self.hi > 0.0 {
            return size;
        }
        let half = exponent * 0.5;
        match (whole, half.trunc() == half) {
            (false, _) => Self::from(f64::NAN),
            (true, true) => size,
            (true, false) => -size,
        }
    }
    fn sin(self) -> Self {
        let (r, n) = quadrant(self);
        wave(r, n)
    }
    fn cos(self) -> Self {
        let (r, n) = quadrant(self);
        wave(r, n + 1)
    }
    fn tan(self) -> Self {
        let (sin, cos) = self.sin_cos();
        sin / cos
    }
    /// `asin x = atan2(x, √((1 − x)(1 + x)))`.
    fn asin(self) -> Self {
        self.atan2(((1.0 - self) * (1.0 + self)).sqrt())
    }
    /// `acos x = atan2(√((1 − x)(1 + x)), x)`.
    fn acos(self) -> Self {
        ((1.0 - self) * (1.0 + self)).sqrt().atan2(self)
    }
    fn atan(self) -> Self {
        self.atan2(Self::ONE)
    }
    /// `sinh x = (p + p/(p + 1)) / 2`, with `p = eˣ − 1`.
    fn sinh(self) -> Self {
        odd(self, |x| {
            if x.hi > LARGE {
                return shifted_exp(x, -1);
            }
            let p = x.exp_m1();
            (p + p / (p + 1.0)) * 0.5
        })
    }
    /// `cosh x = (eˣ + e^−x) / 2`.
    fn cosh(self) -> Self {
        let x = self.abs();
        if x.hi > LARGE {
            return shifted_exp(x, -1);
        }
        let exp = x.exp();
        (exp + exp.recip()) * 0.5
    }
    /// `tanh x = p / (p + 2)`, with `p = e²ˣ − 1`.
    fn tanh(self) -> Self {
        odd(self, |x| {
            if x.hi > LARGE {
                return Self::ONE;
            }
            let p = (x * 2.0).exp_m1();
            p / (p + 2.0)
        })
    }
    /// `asinh x = ln(1 + x + x²/(1 + √(1 + x²)))`.
    fn asinh(self) -> Self {
        odd(self, |x| {
            if x.hi > 1e17 {
                return x.ln() + Self::LN_2;
            }
            let square = x * x;
            (x + square / ((square + 1.0).sqrt() + 1.0)).ln_1p()
        })
    }
    /// `acosh x = ln(1 + t + √(t (x + 1)))`, with `t = x − 1`.
    fn acosh(self) -> Self {
        if self.hi > 1e17 {
            return self.ln() + Self::LN_2;
        }
        let t = self - 1.0;
        (t + (t * (self + 1.0)).sqrt()).ln_1p()
    }
    /// `atanh x = ½ ln(1 + 2x/(1 − x))`.
    fn atanh(self) -> Self {
        odd(self, |x| (x * 2.0 / (1.0 - x)).ln_1p() * 0.5)
    }
    /// Of `x − n π/2`, then by quadrant.
    fn sin_cos(self) -> (Self, Self) {
        let (r, n) = quadrant(self);
        (wave(r, n), wave(r, n + 1))
    }
    fn hypot_one(self) -> Self {
        Self::ONE.hypot(self)
    }
    #[inline]
    fn has_logarithm(&self) -> bool {
        self.hi > 0.0
    }
}
