//! Max-plus numbers.

use super::{AdditiveGroup, MultiplicativeGroup, Zero};
use crate::check::{Check, Slack, Toward};
use std::fmt;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Sub, SubAssign};

/// A number of the max-plus semiring, where a sum is the larger term and a
/// product is the sum:
///
/// `a ⊕ b = max(a, b)`, `a ⊗ b = a + b`, `a ⊘ b = a − b`, one = 0, zero = −∞.
///
/// `*=` and `/=` undo each other as far as `+=` and `-=` do on `T`. `⊕` forgets
/// the smaller term, so there is no `+=`.
///
/// ```
/// use retrograde::num::Tropical;
///
/// let (a, b) = (Tropical(3), Tropical(5));
/// assert_eq!(a + b, Tropical(5));
/// assert_eq!(a * b, Tropical(8));
/// assert_eq!(a * b / b, a);
/// assert_eq!(a * Tropical::one(), a);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tropical<T>(
    /// The number, as an ordinary one.
    pub T,
);

impl<T: Zero> Tropical<T> {
    /// The neutral element of `*`, which holds the ordinary zero.
    #[inline]
    pub fn one() -> Self {
        Tropical(T::zero())
    }
}

macro_rules! zero {
    ($($type:ident)+) => {$(
        /// The neutral element of `+`: `−∞`.
        impl Zero for Tropical<$type> {
            #[inline]
            fn zero() -> Self {
                Tropical($type::NEG_INFINITY)
            }
        }
    )+};
}

zero!(f32 f64);

impl<T: fmt::Debug> fmt::Debug for Tropical<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tropical").field(&self.0).finish()
    }
}

impl<T: PartialOrd> Add for Tropical<T> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        // Not a number, on either side, wins: it must not get lost.
        if self.0 >= other.0 || self.0.partial_cmp(&self.0).is_none() { self } else { other }
    }
}

impl<T: Add<Output = T>> Mul for Tropical<T> {
    type Output = Self;
    #[inline]
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn mul(self, factor: Self) -> Self {
        Tropical(self.0 + factor.0)
    }
}

impl<T: Sub<Output = T>> Div for Tropical<T> {
    type Output = Self;
    #[inline]
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn div(self, factor: Self) -> Self {
        Tropical(self.0 - factor.0)
    }
}

impl<T: AddAssign> MulAssign for Tropical<T> {
    #[inline]
    #[allow(clippy::suspicious_op_assign_impl)]
    fn mul_assign(&mut self, factor: Self) {
        self.0 += factor.0;
    }
}

impl<T: SubAssign> DivAssign for Tropical<T> {
    #[inline]
    #[allow(clippy::suspicious_op_assign_impl)]
    fn div_assign(&mut self, factor: Self) {
        self.0 -= factor.0;
    }
}

impl<T: AdditiveGroup> MultiplicativeGroup for Tropical<T> {
    #[inline]
    fn multiply(&mut self, factor: Self) {
        self.0.accumulate(factor.0);
    }
    #[inline]
    fn divide(&mut self, factor: Self) {
        self.0.retract(factor.0);
    }
}

impl<T: Check> Check for Tropical<T> {
    /// The magnitude inside, but 0 for the zero: `−∞` says nothing about the
    /// round-off of what comes after it.
    #[inline]
    fn magnitude(&self) -> f64 {
        let magnitude = self.0.magnitude();
        if magnitude.is_finite() { magnitude } else { 0.0 }
    }
    #[inline]
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        self.0.agrees(&expected.0, slack)
    }
    #[inline]
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        self.0.nudge(slack, toward);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn semiring(a in -1000i64..1000, b in -1000i64..1000, c in -1000i64..1000) {
            let (a, b, c) = (Tropical(a), Tropical(b), Tropical(c));
            prop_assert_eq!(a + b, b + a);
            prop_assert_eq!((a + b) + c, a + (b + c));
            prop_assert_eq!((a + b) * c, a * c + b * c);
            prop_assert_eq!(a + a, a);
            prop_assert_eq!(a * b, b * a);
            prop_assert_eq!(a * b / b, a);
            let mut now = a;
            now.multiply(b);
            prop_assert_eq!(now, a * b);
            now.divide(b);
            prop_assert_eq!(now, a);
        }
    }

    #[test]
    fn zero_is_neutral_for_the_sum_and_absorbs_the_product() {
        let (zero, x) = (Tropical::<f64>::zero(), Tropical(-2.5));
        assert_eq!(zero + x, x);
        assert_eq!(x + zero, x);
        assert_eq!(zero * x, zero);
        assert!(zero < x);
        assert!(zero.agrees(&zero, Slack::EXACT) && !zero.agrees(&x, Slack::units(1e9)));
        assert_eq!(zero.magnitude(), 0.0);
        assert_eq!(format!("{x:?}"), "Tropical(-2.5)");
    }

    #[test]
    fn not_a_number_is_not_lost() {
        let (nan, x) = (Tropical(f64::NAN), Tropical(1.0));
        assert!((nan + x).0.is_nan() && (x + nan).0.is_nan());
    }
}
