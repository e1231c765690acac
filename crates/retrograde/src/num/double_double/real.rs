//! Order, whole parts, lengths and angles of double-double numbers.

use super::DoubleDouble;
use super::functions::{odd, times_power};
use crate::num::{Elementary, Real};

/// The power of two below the larger number; infinite if that is not finite.
fn power_of_larger(x: DoubleDouble, y: DoubleDouble) -> f64 {
    let largest = x.hi.abs().max(y.hi.abs());
    f64::from_bits(largest.to_bits() & f64::INFINITY.to_bits()).max(f64::MIN_POSITIVE)
}

/// Down or up, in both halves: the lower one counts only beside a whole upper
/// one.
fn each_half(x: DoubleDouble, whole: fn(f64) -> f64) -> DoubleDouble {
    let hi = whole(x.hi);
    let lo = if hi == x.hi { whole(x.lo) } else { 0.0 };
    DoubleDouble::settled(hi, lo, hi)
}

impl Real for DoubleDouble {
    #[inline]
    fn abs(self) -> Self {
        if self.hi.is_sign_negative() { -self } else { self }
    }
    /// As for `f64`, 1 for a positive zero and −1 for a negative one.
    #[inline]
    fn signum(self) -> Self {
        Self::from(self.hi.signum())
    }
    fn floor(self) -> Self {
        each_half(self, f64::floor)
    }
    fn ceil(self) -> Self {
        each_half(self, f64::ceil)
    }
    /// Ties away from zero.
    fn round(self) -> Self {
        odd(self, |x| {
            let whole = x.trunc();
            if x - whole >= Self::from(0.5) { whole + 1.0 } else { whole }
        })
    }
    fn trunc(self) -> Self {
        odd(self, Self::floor)
    }
    #[inline]
    fn min(self, other: Self) -> Self {
        if self.hi.is_nan() || other < self { other } else { self }
    }
    #[inline]
    fn max(self, other: Self) -> Self {
        if self.hi.is_nan() || other > self { other } else { self }
    }
    /// `√(x² + y²)`, of both divided by a power of two, lest a square overflow.
    fn hypot(self, other: Self) -> Self {
        let power = power_of_larger(self, other);
        if !power.is_finite() {
            return Self::from(self.hi.hypot(other.hi));
        }
        let (x, y) = (times_power(self, 1.0 / power), times_power(other, 1.0 / power));
        times_power((x * x + y * y).sqrt(), power)
    }
    /// With `a` as `f64` has it, the angle is `a + e`, where
    /// `tan e = (y cos a − x sin a) / (x cos a + y sin a)`, and `tan e ≈ e`.
    fn atan2(self, other: Self) -> Self {
        let angle = self.hi.atan2(other.hi);
        if angle == 0.0 || angle.is_nan() {
            return Self::from(angle);
        }
        let power = power_of_larger(self, other);
        let (y, x) = if power.is_infinite() {
            // Infinities are alike, and all the rest is nothing beside them.
            let unit = |v: Self| f64::from(u8::from(v.hi.is_infinite())).copysign(v.hi);
            (Self::from(unit(self)), Self::from(unit(other)))
        } else if self.hi == 0.0 {
            // `±0` and a negative number: also if that is a zero.
            (self, -Self::ONE)
        } else {
            (times_power(self, 1.0 / power), times_power(other, 1.0 / power))
        };
        let (sin, cos) = Self::from(angle).sin_cos();
        let (across, along) = (y * cos - x * sin, x * cos + y * sin);
        Self::from(angle) + across.hi / along.hi
    }
    #[inline]
    fn to_f64(&self) -> f64 {
        self.hi
    }
}
