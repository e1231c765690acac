//! The number traits for [`Complex`].
//!
//! All functions are the principal branches of `num_complex`. There is no
//! [`Real`](super::Real) for complex numbers: they have no order.

use super::{Arithmetic, Complex, Elementary, Literal, UndoableSum, Zero};
use crate::check::{Check, Scale, Slack, Toward};
use crate::derivative::{PullAdd, PullArg, PullDiv, PullMul, PullNorm, PullSub, RealShare};
#[cfg(feature = "faer")]
use crate::linalg::{Sign, View, ViewMut};
use std::ops::{Add, Div, Mul, Sub};

/// Complex numbers over real ones: what generic code asks of `Complex<T>`, because there the
/// bound `T: Real` alone says nothing of it.
///
/// ```
/// use retrograde::prelude::*;
///
/// /// Adds `x z²` and `x`.
/// #[reversible]
/// fn f<T: Real>(y: &mut Complex<T>, z: &Complex<T>, x: &T)
/// where
///     Complex<T>: ComplexNumber<T>,
/// {
///     *y += *z * *z * *x;
///     *y += *x;
/// }
///
/// let mut y = Complex::new(0.0, 0.0);
/// f(&mut y, &Complex::new(0.0, 2.0), &3.0);
/// assert_eq!(y, Complex::new(-9.0, 0.0));
/// ```
pub trait ComplexNumber<T>:
    Elementary
    + Copy
    + Add<T, Output = Self>
    + Sub<T, Output = Self>
    + Mul<T, Output = Self>
    + Div<T, Output = Self>
    + UndoableSum
    + UndoableSum<T>
    + PullAdd<T, Output = Self>
    + PullSub<T, Output = Self>
    + PullMul<T, Output = Self>
    + PullDiv<T, Output = Self>
    + PullNorm<Norm = T>
    + PullArg<Angle = T>
    + RealShare<Self>
    + RealShare<T>
{
    /// The absolute value.
    fn norm(self) -> T;

    /// Its square, of which no root was taken.
    fn norm_sqr(&self) -> T;

    /// The angle to the positive real axis.
    fn arg(self) -> T;
}

macro_rules! delegate {
    ($($name:ident)+) => {$(
        #[inline]
        fn $name(self) -> Self {
            Self::$name(self)
        }
    )+};
}

// By macro, because the operators of `Complex<T>` ask for traits of
// `num_traits`, which a generic `T: Real` does not promise.
macro_rules! complex {
    ($($type:ident)+) => {$(
        impl Zero for Complex<$type> {
            #[inline]
            fn zero() -> Self {
                Self::new(0.0, 0.0)
            }
        }

        group_by_operators!([] Complex<$type>);

        impl Check for Complex<$type> {
            /// `max(|re|, |im|)`.
            #[inline]
            fn magnitude(&self) -> f64 {
                self.re.magnitude().max(self.im.magnitude())
            }
            /// Both parts at the scale of the larger: a product mixes them,
            /// and leaves round-off of the larger in the smaller.
            #[inline]
            fn agrees(&self, expected: &Self, slack: Slack) -> bool {
                let slack = slack.of_parts(self.magnitude(), expected.magnitude());
                self.re.agrees(&expected.re, slack) && self.im.agrees(&expected.im, slack)
            }
            #[inline]
            fn nudge(&mut self, slack: Slack, toward: Toward) {
                let slack = slack.of_parts(self.magnitude(), self.magnitude());
                self.re.nudge(slack, toward.part(0));
                self.im.nudge(slack, toward.part(1));
            }
        }

        impl Literal for Complex<$type> {
            type Scalar = Self;
            #[inline]
            fn literal(value: f64) -> Self {
                Self::new(value as $type, 0.0)
            }
        }

        impl Arithmetic for Complex<$type> {
            /// Two products rather than the four of a complex factor.
            #[inline]
            fn scaled(self, factor: f64) -> Self {
                self * factor as $type
            }
            #[inline]
            fn one() -> Self {
                Self::new(1.0, 0.0)
            }
            #[inline]
            fn is_zero(&self) -> bool {
                self.re == 0.0 && self.im == 0.0
            }
            #[inline]
            fn conj(self) -> Self {
                Self::conj(&self)
            }
            #[inline]
            fn recip(self) -> Self {
                self.inv()
            }
            #[cfg(feature = "faer")]
            fn matrix_product(
                c: ViewMut<'_, Self>,
                sign: Sign,
                a: View<'_, Self>,
                b: View<'_, Self>,
            ) {
                crate::linalg::blocked(c, sign, a, b);
            }
        }

        impl RealShare<$type> for Complex<$type> {
            #[inline]
            fn real_share(&self) -> $type {
                self.re
            }
        }

        impl ComplexNumber<$type> for Complex<$type> {
            #[inline]
            fn norm(self) -> $type {
                Self::norm(self)
            }
            #[inline]
            fn norm_sqr(&self) -> $type {
                Self::norm_sqr(self)
            }
            #[inline]
            fn arg(self) -> $type {
                Self::arg(self)
            }
        }

        impl Elementary for Complex<$type> {
            delegate!(sqrt cbrt exp exp2 ln log2 log10);
            delegate!(sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh);
            #[inline]
            fn powi(self, exponent: i32) -> Self {
                Self::powi(&self, exponent)
            }
            #[inline]
            fn powf(self, exponent: Self) -> Self {
                self.powc(exponent)
            }
            #[inline]
            fn has_logarithm(&self) -> bool {
                !Arithmetic::is_zero(self)
            }
            #[inline]
            fn is_at_cut(&self, function: &str, scales: &[Scale]) -> bool {
                let close = |a: $type, b: $type| Scale::are_too_close(&a, &b, scales);
                let at_most = |a: $type, b: $type| a <= b || close(a, b);
                let Complex { re, im } = *self;
                let (across, along) = match function {
                    "asinh" | "atan" => (re, at_most(im, -1.0) || at_most(-im, -1.0)),
                    "acos" | "asin" | "atanh" => (im, at_most(re, -1.0) || at_most(-re, -1.0)),
                    "acosh" => (im, at_most(re, 1.0)),
                    "ln_1p" => (im, at_most(re, -1.0)),
                    _ => (im, at_most(re, 0.0)),
                };
                along && close(across, 0.0)
            }
            /// `exp(x + iy) − 1 = (eˣ − 1) cos y − 2 sin²(y/2) + i eˣ sin y`,
            /// where nothing cancels near zero.
            fn exp_m1(self) -> Self {
                let half = (0.5 * self.im).sin();
                let (sin, cos) = self.im.sin_cos();
                Self::new(
                    self.re.exp_m1() * cos - 2.0 * half * half,
                    self.re.exp() * sin,
                )
            }
            /// `ln(1 + x + iy) = ½ ln(1 + x(2 + x) + y²) + i atan2(y, 1 + x)`.
            fn ln_1p(self) -> Self {
                // Far from zero nothing is lost, but a square might overflow.
                if self.re.abs().max(self.im.abs()) > 0.5 {
                    return (self + 1.0).ln();
                }
                let square = self.re * (2.0 + self.re) + self.im * self.im;
                Self::new(0.5 * square.ln_1p(), self.im.atan2(1.0 + self.re))
            }
        }
    )+};
}

complex!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type C = Complex<f64>;

    fn near(a: C, b: C) -> bool {
        (a - b).norm() <= 1e-12 * (1.0 + b.norm())
    }

    fn number() -> impl Strategy<Value = C> {
        (-2.0..2.0, -2.0..2.0).prop_map(|(re, im)| C::new(re, im))
    }

    proptest! {
        #[test]
        fn identities(z in number()) {
            prop_assume!(z.norm() > 1e-3 && (z + 1.0).norm() > 1e-3);
            prop_assert!(near(Elementary::exp(Elementary::ln(z)), z));
            prop_assert!(near(Elementary::exp_m1(z), z.exp() - 1.0));
            prop_assert!(near(Elementary::ln_1p(z), (z + 1.0).ln()));
            prop_assert!(near(Elementary::powi(Elementary::sqrt(z), 2), z));
            prop_assert!(near(Elementary::powi(Elementary::cbrt(z), 3), z));
            prop_assert!(near(Elementary::powf(z, C::literal(3.0)), z * z * z));
            prop_assert!(near(Arithmetic::recip(z) * z, C::one()));
            prop_assert!(near(Arithmetic::conj(z), C::new(z.re, -z.im)));
            let (sin, cos) = Elementary::sin_cos(z);
            prop_assert!(near(sin * sin + cos * cos, C::one()));
        }
    }

    #[test]
    fn small_arguments_keep_their_digits() {
        let z = C::new(1e-12, -2e-12);
        // Both functions are `z ± z²/2 + …`.
        assert!((z.exp_m1() - (z + 0.5 * z * z)).norm() < 1e-27);
        assert!((z.ln_1p() - (z - 0.5 * z * z)).norm() < 1e-27);
        assert!(C::new(1e200, 0.0).ln_1p().re.is_finite());
    }

    #[test]
    fn parts_are_compared_at_the_scale_of_the_larger() {
        let found = C::new(1e6, 1e-4);
        assert!(found.agrees(&C::new(1e6, 0.0), Slack::half_the_digits(0.0)));
        assert!(!C::new(1.0, 1e-4).agrees(&C::new(1.0, 0.0), Slack::half_the_digits(0.0)));
        assert_eq!(C::new(3.0, -4.0).magnitude(), 4.0);
    }
}
