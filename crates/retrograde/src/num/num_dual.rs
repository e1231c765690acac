//! The numbers of the crate `num_dual`, in reversible functions.
//!
//! `Dual64`, `DualSVec64<N>`, `Dual2_64`, `Dual3_64`, `HyperDual64` and the same
//! in single precision are [`Real`] numbers. Programs that have them already can
//! run reversible functions on them, and their adjoints for derivatives of one
//! order more:
//!
//! ```
//! use num_dual::Dual2_64;
//! use retrograde::prelude::*;
//!
//! #[reversible]
//! fn oscillation<T: Real>(y: &mut T, x: &T) {
//!     *y += x.sin() * *x;
//! }
//!
//! let (mut y, x) = (Dual2_64::from_re(0.0), Dual2_64::from_re(2.0).derivative());
//! oscillation(&mut y, &x);
//! let (sin, cos) = 2.0_f64.sin_cos();
//! assert!((y.v1 - (sin + 2.0 * cos)).abs() < 1e-15);
//! assert!((y.v2 - (2.0 * cos - 2.0 * sin)).abs() < 1e-15);
//!
//! // The third derivative: the second one, of the gradient.
//! let (mut d_y, mut d_x) = (Dual2_64::from_re(1.0), Dual2_64::from_re(0.0));
//! oscillation::adjoint(&mut y, &mut d_y, &x, &mut d_x);
//! assert!((d_x.v2 - (-3.0 * sin - 2.0 * cos)).abs() < 1e-14);
//! ```
//!
//! The derivatives are those of `num_dual`, and at the edges those of
//! [`Dual`](super::Dual#at-the-edges). The operator `%` is that of `num_dual`, too,
//! which panics; `rem_euclid` does not.

use super::{Arithmetic, Elementary, Literal, Real, Zero};
use crate::check::{Check, Slack, Toward};
use crate::{field_rules, order_rules};
use ::num_dual::{Dual, Dual2, Dual3, DualNum, DualSVec, DualStruct, HyperDual};
use nalgebra::{Const, U1};

/// From there on, `tanh` is ±1 to the last digit. (`num_dual` has it as a
/// quotient, which overflows far out.)
const FAR: f64 = 20.0;

/// A number with the value that floats have, to the last digit, so that a program
/// takes the same branches as it does on them.
macro_rules! with_value {
    ($value:ident, $number:expr) => {{
        let mut number = $number;
        number.re = $value;
        number
    }};
}

/// Functions whose derivatives are as they are.
macro_rules! delegate {
    ($($name:ident)+) => {$(
        #[inline]
        fn $name(self) -> Self {
            let value = self.re.$name();
            with_value!(value, DualNum::$name(&self))
        }
    )+};
}

/// Functions that have no derivative, or an infinite one, at their edges: there
/// it is zero.
macro_rules! delegate_beside {
    ($($name:ident |$x:ident| $edge:expr;)+) => {$(
        #[inline]
        fn $name(self) -> Self {
            let ($x, value) = (self.re, self.re.$name());
            if $edge { Self::from_re(value) } else { with_value!(value, DualNum::$name(&self)) }
        }
    )+};
}

/// Functions that are constant but for jumps.
macro_rules! constant {
    ($($name:ident)+) => {$(
        /// The derivative is zero, at the jumps too.
        #[inline]
        fn $name(self) -> Self {
            Self::from_re(self.re.$name())
        }
    )+};
}

/// The smaller or the larger one, or half of each at a tie. What is not a number
/// loses.
macro_rules! extremes {
    ($($name:ident $before:tt)+) => {$(
        #[inline]
        fn $name(self, other: Self) -> Self {
            if self.re == other.re {
                (self + other).scaled(0.5)
            } else if self.re $before other.re || other.re.is_nan() {
                self
            } else {
                other
            }
        }
    )+};
}

/// A number type, its floats, and the derivatives that it carries.
macro_rules! numbers {
    ($([$($parameters:tt)*] $type:ty, $float:ident: |$x:ident| $derivatives:expr;)+) => {$(
        impl<$($parameters)*> Zero for $type {
            #[inline]
            fn zero() -> Self {
                Self::from_re(0.0)
            }
        }

        group_by_operators!([$($parameters)*] $type);
        field_rules!([$($parameters)*] $type);
        order_rules!([$($parameters)*] $type);

        impl<$($parameters)*> Check for $type {
            /// That of the value.
            #[inline]
            fn magnitude(&self) -> f64 {
                self.re.magnitude()
            }
            /// Derivatives have a scale of their own, which begins at one.
            fn agrees(&self, expected: &Self, slack: Slack) -> bool {
                let parts = |$x: &Self| $derivatives;
                let mut pairs = parts(self).into_iter().zip(parts(expected).into_iter());
                self.re.agrees(&expected.re, slack)
                    && pairs.all(|(found, expected)| found.agrees(&expected, slack.at_unknown_scale()))
            }
            /// The value is decided on, and its derivatives are not.
            fn nudge(&mut self, slack: Slack, toward: Toward) {
                self.re.nudge(slack, toward);
            }
        }

        /// A constant.
        impl<$($parameters)*> Literal for $type {
            type Scalar = Self;
            #[inline]
            fn literal(value: f64) -> Self {
                Self::from_re(value as $float)
            }
        }

        impl<$($parameters)*> Arithmetic for $type {
            #[inline]
            fn one() -> Self {
                Self::from_re(1.0)
            }
            /// By value, as all comparisons.
            #[inline]
            fn is_zero(&self) -> bool {
                self.re == 0.0
            }
            #[inline]
            fn scaled(self, factor: f64) -> Self {
                self * factor as $float
            }
            delegate!(recip);
        }

        impl<$($parameters)*> Elementary for $type {
            delegate!(exp exp2 exp_m1 ln ln_1p log2 log10);
            delegate!(sin cos tan atan sinh cosh asinh atanh);
            delegate_beside! {
                sqrt |x| x == 0.0;
                cbrt |x| x == 0.0;
                asin |x| x.abs() == 1.0;
                acos |x| x.abs() == 1.0;
                acosh |x| x == 1.0;
                tanh |x| x.abs() > FAR as $float;
            }
            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                DualNum::sin_cos(&self)
            }
            #[inline]
            fn powi(self, exponent: i32) -> Self {
                let value = self.re.powi(exponent);
                // The derivatives of a power below the third are inverse powers.
                if self.re == 0.0 && exponent < 0 {
                    return Self::from_re(value);
                }
                with_value!(value, DualNum::powi(&self, exponent))
            }
            fn powf(self, exponent: Self) -> Self {
                let (x, p) = (self.re, exponent.re);
                let value = x.powf(p);
                let constant = {
                    let $x = &exponent;
                    $derivatives.into_iter().all(|derivative| derivative == 0.0)
                };
                if x == 0.0 {
                    // Whole powers are finite, with all their derivatives.
                    let whole = (1.0..=1e9).contains(&p) && p.trunc() == p;
                    return if whole { self.powi(p as i32) } else { Self::from_re(value) };
                }
                // Where the base has no logarithm, the exponent has no derivative.
                let by_exponent = !constant && x > 0.0;
                let power = if by_exponent {
                    DualNum::powd(&self, exponent)
                } else {
                    DualNum::powf(&self, p)
                };
                with_value!(value, power)
            }
            #[inline]
            fn hypot_one(self) -> Self {
                Self::one().hypot(self)
            }
            #[inline]
            fn has_logarithm(&self) -> bool {
                self.re > 0.0
            }
        }

        impl<$($parameters)*> Real for $type {
            constant!(signum floor ceil round trunc);
            extremes!(min < max >);

            /// The derivative is zero, at the jumps too.
            #[inline]
            fn div_euclid(self, divisor: Self) -> Self {
                Self::from_re(self.re.div_euclid(divisor.re))
            }
            fn rem_euclid(self, divisor: Self) -> Self {
                let value = self.re.rem_euclid(divisor.re);
                let times = -crate::derivative::slope::rem_euclid_right(&self.re, &divisor.re);
                with_value!(value, self - divisor * times)
            }
            /// As the larger one of the smaller one, at its ends too.
            #[track_caller]
            fn clamp(self, low: Self, high: Self) -> Self {
                let value = self.re.clamp(low.re, high.re);
                with_value!(value, self.max(low).min(high))
            }
            #[inline]
            fn copysign(self, sign: Self) -> Self {
                let size = self.abs();
                let value = self.re.copysign(sign.re);
                with_value!(value, if sign.re.is_sign_negative() { -size } else { size })
            }

            #[inline]
            fn abs(self) -> Self {
                if self.re == 0.0 {
                    Self::zero()
                } else if self.re < 0.0 {
                    -self
                } else {
                    self
                }
            }
            fn hypot(self, other: Self) -> Self {
                let value = self.re.hypot(other.re);
                if value == 0.0 {
                    return Self::zero();
                }
                // Divided by the length, lest a square overflow.
                let (a, b) = (self / value, other / value);
                with_value!(value, DualNum::sqrt(&(a * a + b * b)) * value)
            }
            fn atan2(self, other: Self) -> Self {
                let (y, x) = (self.re, other.re);
                let value = y.atan2(x);
                if y == 0.0 && x == 0.0 {
                    return Self::from_re(value);
                }
                // By the larger one, which is not zero.
                let angle = if x.abs() >= y.abs() {
                    DualNum::atan(&(self / other))
                } else {
                    -DualNum::atan(&(other / self))
                };
                with_value!(value, angle)
            }
            #[inline]
            fn mul_add(self, a: Self, b: Self) -> Self {
                let value = self.re.mul_add(a.re, b.re);
                with_value!(value, self * a + b)
            }
            #[inline]
            fn to_f64(&self) -> f64 {
                f64::from(DualStruct::re(self))
            }
        }
    )+};
}

macro_rules! numbers_of {
    ($($float:ident)+) => {$(
        numbers! {
            [] Dual<$float, $float>, $float: |x| [x.eps];
            [] Dual2<$float, $float>, $float: |x| [x.v1, x.v2];
            [] Dual3<$float, $float>, $float: |x| [x.v1, x.v2, x.v3];
            [] HyperDual<$float, $float>, $float: |x| [x.eps1, x.eps2, x.eps1eps2];
            [const N: usize] DualSVec<$float, $float, N>, $float:
                |x| x.eps.unwrap_generic(Const::<N>, U1).data.0[0];
        }
    )+};
}

numbers_of!(f32 f64);

#[cfg(test)]
mod tests;
