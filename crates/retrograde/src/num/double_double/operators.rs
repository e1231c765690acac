//! The operators of double-double numbers, among themselves and with floats.
//!
//! The bounds are relative errors, with `u = 2⁻⁵³`, so `u² ≈ 1.2·10⁻³²`.

use super::DoubleDouble;
use super::exact::{fast_two_sum, two_prod, two_sum};
use crate::num::Real;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, Sub, SubAssign};

impl Neg for DoubleDouble {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::pair(-self.hi, -self.lo)
    }
}

/// Within `3u²`, whatever cancels.
impl Add for DoubleDouble {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let (sum, error) = two_sum(self.hi, other.hi);
        let (low, low_error) = two_sum(self.lo, other.lo);
        let (hi, lo) = fast_two_sum(sum, error + low);
        Self::settled(hi, lo + low_error, sum)
    }
}

/// Within `2u²`, whatever cancels.
impl Add<f64> for DoubleDouble {
    type Output = Self;
    #[inline]
    fn add(self, other: f64) -> Self {
        let (sum, error) = two_sum(self.hi, other);
        Self::settled(sum, error + self.lo, sum)
    }
}

/// Within `3u²`, whatever cancels.
impl Sub for DoubleDouble {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

/// Within `2u²`, whatever cancels.
impl Sub<f64> for DoubleDouble {
    type Output = Self;
    #[inline]
    fn sub(self, other: f64) -> Self {
        self + -other
    }
}

/// Within `5u²`: `(a + α)(b + β) ≈ a b + (a β + α b)`.
impl Mul for DoubleDouble {
    type Output = Self;
    #[inline]
    fn mul(self, factor: Self) -> Self {
        let (product, error) = two_prod(self.hi, factor.hi);
        let mixed = self.hi * factor.lo + self.lo * factor.hi;
        Self::settled(product, error + mixed, product)
    }
}

/// Within `2u²`.
impl Mul<f64> for DoubleDouble {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f64) -> Self {
        let (product, error) = two_prod(self.hi, factor);
        let (hi, lo) = fast_two_sum(product, self.lo * factor);
        Self::settled(hi, lo + error, product)
    }
}

/// Within `5u²`, by long division with floats for digits: `a/b = q₀ + q₁ + q₂`,
/// each digit the quotient of what is left by the leading half of `b`.
impl Div for DoubleDouble {
    type Output = Self;
    #[inline]
    fn div(self, divisor: Self) -> Self {
        let first = self.hi / divisor.hi;
        let rest = self - divisor * first;
        let second = rest.hi / divisor.hi;
        let rest = rest - divisor * second;
        let (hi, lo) = fast_two_sum(first, second);
        Self::settled(hi, lo + rest.hi / divisor.hi, first)
    }
}

/// Within `3u²`, by long division; two digits are enough.
impl Div<f64> for DoubleDouble {
    type Output = Self;
    #[inline]
    fn div(self, divisor: f64) -> Self {
        let first = self.hi / divisor;
        let (product, error) = two_prod(first, divisor);
        let rest = self.hi - product - error + self.lo;
        Self::settled(first, rest / divisor, first)
    }
}

/// With the sign of the dividend: what the whole quotient leaves. The error is
/// `5u²` of the dividend, so a quotient of more than 31 digits leaves nothing.
impl Rem for DoubleDouble {
    type Output = Self;
    fn rem(self, divisor: Self) -> Self {
        if divisor.hi.is_infinite() && self.hi.is_finite() {
            return self;
        }
        let quotient = (self / divisor).trunc();
        let rest = self - divisor * quotient;
        // A quotient near a whole number may have been rounded to the wrong side.
        let size = divisor.abs();
        if self.hi < 0.0 {
            if rest > Self::from(0.0) {
                rest - size
            } else if rest <= -size {
                rest + size
            } else {
                rest
            }
        } else if rest < Self::from(0.0) {
            rest + size
        } else if rest >= size {
            rest - size
        } else {
            rest
        }
    }
}

macro_rules! more_operators {
    ($($operator:ident $function:ident $assign:ident $assign_function:ident)+) => {$(
        impl $operator<DoubleDouble> for f64 {
            type Output = DoubleDouble;
            #[inline]
            fn $function(self, other: DoubleDouble) -> DoubleDouble {
                DoubleDouble::from(self).$function(other)
            }
        }

        impl $assign for DoubleDouble {
            #[inline]
            fn $assign_function(&mut self, other: Self) {
                *self = (*self).$function(other);
            }
        }

        impl $assign<f64> for DoubleDouble {
            #[inline]
            fn $assign_function(&mut self, other: f64) {
                *self = (*self).$function(other);
            }
        }
    )+};
}

more_operators! {
    Add add AddAssign add_assign
    Sub sub SubAssign sub_assign
    Mul mul MulAssign mul_assign
    Div div DivAssign div_assign
}
