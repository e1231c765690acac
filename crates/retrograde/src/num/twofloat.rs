//! The number traits for [`TwoFloat`], a pair of floats with about 32 digits.
//!
//! Sums, products and square roots are those of `twofloat`. Its quotients of
//! two pairs, and with them its other functions, have the digits of a single
//! float or fewer (version 0.8), so the traits compute these themselves, to
//! about 30 digits. That reaches generic code only: on a `TwoFloat` by name,
//! `x.exp()` is the method of `twofloat`, and its operator `/` cannot be
//! replaced from here (`a * b.recip()` can do without it).

#[cfg(test)]
mod tests;

use super::{AdditiveGroup, Arithmetic, Elementary, Literal, Real, Zero};
use crate::check::{Check, floats_agree};
use ::twofloat::{TwoFloat, consts};

impl Zero for TwoFloat {
    #[inline]
    fn zero() -> Self {
        TwoFloat::from_f64(0.0)
    }
}

impl AdditiveGroup for TwoFloat {
    #[inline]
    fn negate(&mut self) {
        *self = -*self;
    }
}

impl Check for TwoFloat {
    #[inline]
    fn magnitude(&self) -> f64 {
        self.hi().abs()
    }
    /// Half the digits may be lost to round-off, so the leading half tells.
    #[inline]
    fn agrees(&self, expected: &Self, scale: f64) -> bool {
        floats_agree(self.hi(), expected.hi(), scale, 1e-15)
    }
}

impl Literal for TwoFloat {
    type Scalar = Self;
    #[inline]
    fn literal(value: f64) -> Self {
        TwoFloat::from_f64(value)
    }
}

impl Arithmetic for TwoFloat {
    #[inline]
    fn one() -> Self {
        TwoFloat::from_f64(1.0)
    }
    fn recip(self) -> Self {
        quotient(Self::one(), self)
    }
}

/// Long division, with floats for digits: `a/b = q₀ + q₁ + q₂`, each digit the
/// quotient of what is left by the leading half of `b`.
fn quotient(a: TwoFloat, b: TwoFloat) -> TwoFloat {
    let first = a.hi() / b.hi();
    if first == 0.0 || !first.is_finite() || b.hi().is_infinite() {
        return TwoFloat::from_f64(first);
    }
    let rest = a - b * first;
    let second = rest.hi() / b.hi();
    let rest = rest - b * second;
    TwoFloat::new_add(first, second) + rest.hi() / b.hi()
}

/// `2^exponent · x`, in two steps because a single factor might not fit.
fn scale(x: TwoFloat, exponent: i32) -> TwoFloat {
    let half = exponent / 2;
    x * 2_f64.powi(half) * 2_f64.powi(exponent - half)
}

/// `eˣ − 1` for `|x| ≤ ½ ln 2`: of `x/512` by `r (1 + r/2 (1 + r/3 (…)))`, then
/// nine times `e²ˣ − 1 = p (2 + p)`, with `p = eˣ − 1`.
fn small_exp_m1(x: TwoFloat) -> TwoFloat {
    let r = x * (1.0 / 512.0);
    let mut sum = TwoFloat::from_f64(1.0);
    for n in (2..=10).rev() {
        sum = r * sum / f64::from(n) + 1.0;
    }
    (0..9).fold(r * sum, |p, _| p * (p + 2.0))
}

/// `ln(1 + x)` for small `x`: with `y` as `f64` has it, the rest is
/// `ln(1 + e) ≈ e − e²/2`, where `e = (x − p) / (1 + p)`, `p = e^y − 1`.
fn small_ln_1p(x: TwoFloat) -> TwoFloat {
    let y = x.hi().ln_1p();
    let p = small_exp_m1(TwoFloat::from_f64(y));
    let e = quotient(x - p, p + 1.0);
    e - e * e * 0.5 + y
}

/// Where the small functions above hold.
const SMALL: f64 = 0.34;

/// `1 − r/(a(a+1)) (1 − r/((a+2)(a+3)) (…))`, with `r = x²`: the cosine of `x`
/// for `a = 1`, and `sin x / x` for `a = 2`.
fn alternating(r: TwoFloat, a: i32) -> TwoFloat {
    let mut sum = TwoFloat::from_f64(1.0);
    for n in (a..a + 30).step_by(2).rev() {
        sum = 1.0 - r * sum / f64::from(n * (n + 1));
    }
    sum
}

/// Gives an odd function of `|x|` the sign of `x`.
fn odd(x: TwoFloat, function: impl FnOnce(TwoFloat) -> TwoFloat) -> TwoFloat {
    if x.hi() < 0.0 { -function(-x) } else { function(x) }
}

/// Beyond this, 1 is lost beside `eˣ`.
const LARGE: f64 = 80.0;

impl Elementary for TwoFloat {
    fn sqrt(self) -> Self {
        if self.hi().is_infinite() {
            TwoFloat::from_f64(self.hi().sqrt())
        } else {
            TwoFloat::sqrt(self)
        }
    }
    fn cbrt(self) -> Self {
        if self.hi() == 0.0 || !self.hi().is_finite() { self } else { TwoFloat::cbrt(self) }
    }
    /// `eˣ = 2^n e^(x − n ln 2)`.
    fn exp(self) -> Self {
        if !(-745.0..709.0).contains(&self.hi()) {
            return TwoFloat::from_f64(self.hi().exp());
        }
        let n = (self.hi() * std::f64::consts::LOG2_E).round();
        scale(small_exp_m1(self - consts::LN_2 * n) + 1.0, n as i32)
    }
    /// `2ˣ = 2^n e^((x − n) ln 2)`.
    fn exp2(self) -> Self {
        if !(-1074.0..1024.0).contains(&self.hi()) {
            return TwoFloat::from_f64(self.hi().exp2());
        }
        let n = self.hi().round();
        scale(small_exp_m1((self - n) * consts::LN_2) + 1.0, n as i32)
    }
    fn exp_m1(self) -> Self {
        match self.hi() {
            x if x.abs() <= SMALL => small_exp_m1(self),
            // The one is lost, and an infinity would not survive it.
            LARGE.. => Elementary::exp(self),
            _ => Elementary::exp(self) - 1.0,
        }
    }
    /// With `y` as `f64` has it, `ln x = y + ln(1 + e) ≈ y + e − e²/2`, where
    /// `e = x e^−y − 1`.
    fn ln(self) -> Self {
        if !(self.hi() > 0.0 && self.hi().is_finite()) {
            return TwoFloat::from_f64(self.hi().ln());
        }
        let less_one = self - 1.0;
        if less_one.hi().abs() <= 0.3 {
            return small_ln_1p(less_one);
        }
        let y = self.hi().ln();
        let e = self * Elementary::exp(TwoFloat::from_f64(-y)) - 1.0;
        e - e * e * 0.5 + y
    }
    fn ln_1p(self) -> Self {
        if self.hi().abs() <= 0.3 { small_ln_1p(self) } else { Elementary::ln(self + 1.0) }
    }
    fn log2(self) -> Self {
        Elementary::ln(self) * consts::LOG2_E
    }
    fn log10(self) -> Self {
        Elementary::ln(self) * consts::LOG10_E
    }
    /// By repeated squaring.
    fn powi(self, exponent: i32) -> Self {
        let (mut power, mut square, mut left) = (Self::one(), self, exponent.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                power *= square;
            }
            left /= 2;
            if left > 0 {
                square *= square;
            }
        }
        if exponent < 0 { Arithmetic::recip(power) } else { power }
    }
    /// `xʸ = e^(y ln x)`, or by squaring for a whole `y`.
    fn powf(self, exponent: Self) -> Self {
        let whole = exponent.hi() as i32;
        if exponent == f64::from(whole) {
            Elementary::powi(self, whole)
        } else if self.hi() > 0.0 {
            Elementary::exp(exponent * Elementary::ln(self))
        } else {
            TwoFloat::from_f64(self.hi().powf(exponent.hi()))
        }
    }
    fn sin(self) -> Self {
        Elementary::sin_cos(self).0
    }
    fn cos(self) -> Self {
        Elementary::sin_cos(self).1
    }
    fn tan(self) -> Self {
        let (sin, cos) = Elementary::sin_cos(self);
        quotient(sin, cos)
    }
    /// `asin x = atan2(x, √((1 − x)(1 + x)))`.
    fn asin(self) -> Self {
        Real::atan2(self, Elementary::sqrt((1.0 - self) * (1.0 + self)))
    }
    /// `acos x = atan2(√((1 − x)(1 + x)), x)`.
    fn acos(self) -> Self {
        Real::atan2(Elementary::sqrt((1.0 - self) * (1.0 + self)), self)
    }
    fn atan(self) -> Self {
        Real::atan2(self, Self::one())
    }
    /// `sinh x = (p + p/(p + 1)) / 2`, with `p = eˣ − 1`.
    fn sinh(self) -> Self {
        odd(self, |x| {
            if x.hi() > LARGE {
                return Elementary::exp(x - consts::LN_2);
            }
            let p = Elementary::exp_m1(x);
            (p + quotient(p, p + 1.0)) * 0.5
        })
    }
    /// `cosh x = (eˣ + e^−x) / 2`.
    fn cosh(self) -> Self {
        let x = Real::abs(self);
        if x.hi() > LARGE {
            return Elementary::exp(x - consts::LN_2);
        }
        let exp = Elementary::exp(x);
        (exp + Arithmetic::recip(exp)) * 0.5
    }
    /// `tanh x = p / (p + 2)`, with `p = e²ˣ − 1`.
    fn tanh(self) -> Self {
        odd(self, |x| {
            if x.hi() > LARGE {
                return Self::one();
            }
            let p = Elementary::exp_m1(x * 2.0);
            quotient(p, p + 2.0)
        })
    }
    /// `asinh x = ln(1 + x + x²/(1 + √(1 + x²)))`.
    fn asinh(self) -> Self {
        odd(self, |x| {
            if x.hi() > 1e17 {
                return Elementary::ln(x) + consts::LN_2;
            }
            let square = x * x;
            Elementary::ln_1p(x + quotient(square, (square + 1.0).sqrt() + 1.0))
        })
    }
    /// `acosh x = ln(1 + t + √(t (x + 1)))`, with `t = x − 1`.
    fn acosh(self) -> Self {
        if self.hi() > 1e17 {
            return Elementary::ln(self) + consts::LN_2;
        }
        let t = self - 1.0;
        Elementary::ln_1p(t + Elementary::sqrt(t * (self + 1.0)))
    }
    /// `atanh x = ½ ln(1 + 2x/(1 − x))`.
    fn atanh(self) -> Self {
        odd(self, |x| Elementary::ln_1p(quotient(x * 2.0, 1.0 - x)) * 0.5)
    }
    /// Of `x − n π/2`, then by quadrant. Digits of `π` run out as `x` grows:
    /// the error is about `10⁻³² |x|`.
    fn sin_cos(self) -> (Self, Self) {
        let n = (self.hi() * std::f64::consts::FRAC_2_PI).round();
        let r = self - consts::FRAC_PI_2 * n;
        let square = r * r;
        let (sin, cos) = (r * alternating(square, 2), alternating(square, 1));
        match n.rem_euclid(4.0) as u8 {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        }
    }
}

impl Real for TwoFloat {
    #[inline]
    fn abs(self) -> Self {
        TwoFloat::abs(&self)
    }
    #[inline]
    fn signum(self) -> Self {
        TwoFloat::signum(&self)
    }
    #[inline]
    fn floor(self) -> Self {
        TwoFloat::floor(self)
    }
    #[inline]
    fn ceil(self) -> Self {
        TwoFloat::ceil(self)
    }
    #[inline]
    fn round(self) -> Self {
        TwoFloat::round(self)
    }
    #[inline]
    fn trunc(self) -> Self {
        TwoFloat::trunc(self)
    }
    #[inline]
    fn min(self, other: Self) -> Self {
        TwoFloat::min(self, other)
    }
    #[inline]
    fn max(self, other: Self) -> Self {
        TwoFloat::max(self, other)
    }
    /// `√(x² + y²)`, of both divided by a power of two, lest a square overflow.
    fn hypot(self, other: Self) -> Self {
        let largest = self.hi().abs().max(other.hi().abs());
        let power = f64::from_bits(largest.to_bits() & f64::INFINITY.to_bits());
        if power == 0.0 || !power.is_finite() {
            return TwoFloat::from_f64(self.hi().hypot(other.hi()));
        }
        let (x, y) = (self / power, other / power);
        TwoFloat::sqrt(x * x + y * y) * power
    }
    /// With `a` as `f64` has it, the angle is `a + e`, where
    /// `tan e = (y cos a − x sin a) / (x cos a + y sin a)`, and `tan e ≈ e`.
    fn atan2(self, other: Self) -> Self {
        let (y, x) = (self, other);
        let angle = y.hi().atan2(x.hi());
        if !(y.hi().is_finite() && x.hi().is_finite()) || y.hi() == 0.0 && x.hi() == 0.0 {
            return TwoFloat::from_f64(angle);
        }
        let (sin, cos) = Elementary::sin_cos(TwoFloat::from_f64(angle));
        let (across, along) = (y * cos - x * sin, x * cos + y * sin);
        TwoFloat::from_f64(angle) + across.hi() / along.hi()
    }
    #[inline]
    fn to_f64(&self) -> f64 {
        self.hi()
    }
}
