//! Elementary functions of fixed point numbers.

use super::Fixed;
use crate::num::{Arithmetic, Elementary, Real, convert};

macro_rules! through_f64 {
    ($($name:ident)+) => {$(
        #[track_caller]
        fn $name(self) -> Self {
            let value = self.to_f64().$name();
            Self::nearest(value, || format!("{}({self}) = {value}", stringify!($name)))
        }
    )+};
}

impl<const FRAC: u32> Elementary for Fixed<FRAC> {
    through_f64!(cbrt log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh);

    /// The nearest number, by an integer square root; panics if negative.
    #[track_caller]
    fn sqrt(self) -> Self {
        assert!(self.0 >= 0, "the square root of {self} is not real");
        Fixed(nearest_root((self.0 as u128) << FRAC) as i64)
    }
    /// In integers; panics if the result does not fit.
    #[inline]
    #[track_caller]
    fn exp(self) -> Self {
        convert::exp(self)
    }
    /// In integers; panics if the result does not fit.
    #[inline]
    #[track_caller]
    fn exp2(self) -> Self {
        convert::exp2(self)
    }
    /// `eˣ − 1`: near zero, too, the steps are as wide as they are near one.
    #[inline]
    #[track_caller]
    fn exp_m1(self) -> Self {
        self.exp() - Self::one()
    }
    /// In integers; panics unless positive.
    #[inline]
    #[track_caller]
    fn ln(self) -> Self {
        convert::ln(self)
    }
    /// `ln(1 + x)`: near zero, too, the steps are as wide as they are near one.
    #[inline]
    #[track_caller]
    fn ln_1p(self) -> Self {
        let sum = i128::from(self.0) + i128::from(Self::ONE);
        Self::fit(sum, || format!("1 + {self}")).ln()
    }
    /// In integers; panics unless positive.
    #[inline]
    #[track_caller]
    fn log2(self) -> Self {
        convert::log2(self)
    }
    #[track_caller]
    fn powi(self, exponent: i32) -> Self {
        let value = self.to_f64().powi(exponent);
        Self::nearest(value, || format!("powi({self}, {exponent}) = {value}"))
    }
    #[track_caller]
    fn powf(self, exponent: Self) -> Self {
        let value = self.to_f64().powf(exponent.to_f64());
        Self::nearest(value, || format!("powf({self}, {exponent}) = {value}"))
    }
    #[track_caller]
    fn hypot_one(self) -> Self {
        Self::one().hypot(self)
    }
    #[inline]
    fn has_logarithm(&self) -> bool {
        self.0 > 0
    }
}

/// The integer nearest to `√square`.
#[inline]
fn nearest_root(square: u128) -> u128 {
    let root = square.isqrt();
    // (root + ½)² = root² + root + ¼.
    if square - root * root > root { root + 1 } else { root }
}

impl<const FRAC: u32> Real for Fixed<FRAC> {
    /// Panics for the smallest number, whose absolute value does not fit.
    #[inline]
    #[track_caller]
    fn abs(self) -> Self {
        Self::fit(i128::from(self.0).abs(), || format!("|{self}|"))
    }
    /// −1, 0 or 1, as for integers.
    #[inline]
    #[track_caller]
    fn signum(self) -> Self {
        Fixed(self.0.signum() * Self::ONE)
    }
    #[inline]
    fn floor(self) -> Self {
        Fixed(self.0 & -Self::ONE)
    }
    #[inline]
    #[track_caller]
    fn ceil(self) -> Self {
        let above = i128::from(self.0) + i128::from(Self::ONE - 1);
        Self::fit(above & -i128::from(Self::ONE), || format!("ceil({self})"))
    }
    /// Ties away from zero.
    #[inline]
    #[track_caller]
    fn round(self) -> Self {
        let nearest = (i128::from(self.0).abs() + i128::from(Self::ONE / 2)) >> FRAC << FRAC;
        let signed = if self.0 < 0 { -nearest } else { nearest };
        Self::fit(signed, || format!("round({self})"))
    }
    #[inline]
    fn trunc(self) -> Self {
        Fixed(self.0 / Self::ONE * Self::ONE)
    }
    #[inline]
    fn min(self, other: Self) -> Self {
        Ord::min(self, other)
    }
    #[inline]
    fn max(self, other: Self) -> Self {
        Ord::max(self, other)
    }
    /// The nearest number to `√(x² + y²)`; nothing overflows on the way.
    #[track_caller]
    fn hypot(self, other: Self) -> Self {
        let square = |x: Self| u128::from(x.0.unsigned_abs()).pow(2);
        let root = nearest_root(square(self) + square(other));
        Self::fit(root as i128, || format!("hypot({self}, {other})"))
    }
    #[track_caller]
    fn atan2(self, other: Self) -> Self {
        let value = self.to_f64().atan2(other.to_f64());
        Self::nearest(value, || format!("atan2({self}, {other}) = {value}"))
    }
    #[inline]
    fn to_f64(&self) -> f64 {
        Fixed::to_f64(*self)
    }
}
