//! Positive numbers, held as their logarithms.

use super::{AdditiveGroup, Arithmetic, Elementary, MultiplicativeGroup, Real, Zero};
use crate::check::{Check, Slack, Toward};
use crate::derivative::{Differentiable, PullCast, PullMul, pull};
use std::fmt;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A positive number, held as its natural logarithm.
///
/// A product is a sum of logarithms, so `*=` and `/=` undo each other as far as
/// `+=` and `-=` do on `T`: exactly for [`Fixed`](super::Fixed), up to round-off
/// for floats. Where `T` has an infinity, `log = −∞` is the number zero.
///
/// ```
/// use retrograde::num::{Fixed43, Logarithmic};
///
/// let mut product = Logarithmic::new(Fixed43::from_f64(0.3));
/// let factor = Logarithmic::new(Fixed43::from_f64(7.1));
/// let before = product;
/// for _ in 0..1000 {
///     product *= factor;
/// }
/// for _ in 0..1000 {
///     product /= factor;
/// }
/// assert_eq!(product, before);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Logarithmic<T> {
    /// The natural logarithm of the number.
    pub log: T,
}

impl<T> Logarithmic<T> {
    /// The number with the given natural logarithm.
    ///
    /// ```
    /// # use retrograde::num::Logarithmic;
    /// assert_eq!(Logarithmic::from_ln(0.0).value(), 1.0);
    /// ```
    #[inline]
    pub const fn from_ln(log: T) -> Self {
        Logarithmic { log }
    }

    /// The natural logarithm of the number.
    #[inline]
    pub fn ln(&self) -> T
    where
        T: Clone,
    {
        self.log.clone()
    }

    /// The neutral element of `*`, whose logarithm is zero.
    #[inline]
    pub fn one() -> Self
    where
        T: Zero,
    {
        Self::from_ln(T::zero())
    }

    /// `1 / self`.
    #[inline]
    pub fn recip(self) -> Self
    where
        T: Neg<Output = T>,
    {
        Self::from_ln(-self.log)
    }

    /// `xⁿ`, as `ln xⁿ = n ln x`.
    ///
    /// ```
    /// # use retrograde::num::Logarithmic;
    /// assert!((Logarithmic::new(3.0_f64).powi(-2).value() - 1.0 / 9.0).abs() < 1e-15);
    /// ```
    #[inline]
    pub fn powi(self, exponent: i32) -> Self
    where
        T: Arithmetic,
    {
        self.pow(T::from_f64(f64::from(exponent)))
    }

    /// `xʸ`, as `ln xʸ = y ln x`.
    #[inline]
    pub fn pow(self, exponent: T) -> Self
    where
        T: Mul<Output = T>,
    {
        Self::from_ln(self.log * exponent)
    }
}

impl<T: Elementary> Logarithmic<T> {
    /// The number `value`, which must be positive.
    ///
    /// ```
    /// # use retrograde::num::Logarithmic;
    /// let x = Logarithmic::new(2.0_f64) * Logarithmic::new(3.5);
    /// assert!((x.value() - 7.0).abs() < 1e-14);
    /// ```
    #[inline]
    pub fn new(value: T) -> Self {
        Self::from_ln(value.ln())
    }

    /// The number as an ordinary one.
    #[inline]
    pub fn value(&self) -> T {
        self.ln().exp()
    }
}

/// How a gradient goes back through the functions above, for generated code. The
/// shadow of a number is by its logarithm, so most rules are those of sums.
#[doc(hidden)]
impl<T: Differentiable> Logarithmic<T> {
    #[inline]
    pub fn derivative_of_from_ln(_log: T, d_log: &mut T, g: &Self) {
        d_log.accumulate_shadow(g.log.clone());
    }

    #[inline]
    pub fn derivative_of_ln(&self, d_self: &mut Self, g: &T) {
        d_self.log.accumulate_shadow(g.clone());
    }

    #[inline]
    pub fn derivative_of_recip(self, d_self: &mut Self, g: &Self) {
        d_self.log.retract_shadow(g.log.clone());
    }

    #[inline]
    pub fn derivative_of_powi(
        self,
        d_self: &mut Self,
        exponent: i32,
        _d_exponent: impl Sized,
        g: &Self,
    ) where
        T: Arithmetic,
    {
        d_self.log.accumulate_shadow(g.ln() * T::from_f64(f64::from(exponent)));
    }

    #[inline]
    pub fn derivative_of_pow(self, d_self: &mut Self, exponent: T, d_exponent: &mut T, g: &Self)
    where
        T: PullMul<Output = T>,
    {
        d_self.log.accumulate_shadow(T::pull_mul_left(&g.log, &self.log, &exponent));
        d_exponent.accumulate_shadow(T::pull_mul_right(&g.log, &self.log, &exponent));
    }

    /// At zero the slope is infinite, as that of the logarithm is.
    #[inline]
    pub fn derivative_of_new(value: T, d_value: &mut T, g: &Self)
    where
        T: Elementary,
    {
        d_value.accumulate_shadow(pull::ln(&g.log, &value));
    }

    #[inline]
    pub fn derivative_of_value(&self, d_self: &mut Self, g: &T)
    where
        T: Elementary,
    {
        d_self.log.accumulate_shadow(pull::exp(g, &self.value()));
    }
}

impl<T: fmt::Debug> fmt::Debug for Logarithmic<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("exp(")?;
        self.log.fmt(f)?;
        f.write_str(")")
    }
}

impl<T: Add<Output = T>> Mul for Logarithmic<T> {
    type Output = Self;
    #[inline]
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn mul(self, factor: Self) -> Self {
        Self::from_ln(self.log + factor.log)
    }
}

impl<T: Sub<Output = T>> Div for Logarithmic<T> {
    type Output = Self;
    #[inline]
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn div(self, factor: Self) -> Self {
        Self::from_ln(self.log - factor.log)
    }
}

impl<T: AddAssign> MulAssign for Logarithmic<T> {
    #[inline]
    #[allow(clippy::suspicious_op_assign_impl)]
    fn mul_assign(&mut self, factor: Self) {
        self.log += factor.log;
    }
}

impl<T: SubAssign> DivAssign for Logarithmic<T> {
    #[inline]
    #[allow(clippy::suspicious_op_assign_impl)]
    fn div_assign(&mut self, factor: Self) {
        self.log -= factor.log;
    }
}

impl<T: AdditiveGroup> MultiplicativeGroup for Logarithmic<T> {
    #[inline]
    fn multiply(&mut self, factor: Self) {
        self.log.accumulate(factor.log);
    }
    #[inline]
    fn divide(&mut self, factor: Self) {
        self.log.retract(factor.log);
    }
}

/// `ln(a + b) = ln a + ln(1 + e^−d)`, with `d = ln a − ln b ≥ 0`.
impl<T: Real> Add for Logarithmic<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (large, small) =
            if self.log < other.log { (other.log, self.log) } else { (self.log, other.log) };
        let d = small.clone() - large.clone();
        // Two infinities have no difference. (Other equal terms need no case of
        // their own: there, a dual number would lose the derivative of one.)
        let ratio = if large == small && !d.is_zero() { T::one() } else { d.exp() };
        Self::from_ln(large + ratio.ln_1p())
    }
}

/// `ln(a − b) = ln a + ln(1 − e^−d)`, with `d = ln a − ln b`.
///
/// Panics if the difference is negative, or if it is zero and `T` has no
/// infinity to say so.
impl<T: Real> Sub for Logarithmic<T> {
    type Output = Self;
    #[track_caller]
    fn sub(self, other: Self) -> Self {
        if self.log == other.log {
            return Self::from_ln(T::zero().ln());
        }
        if self.log < other.log {
            panic!("{self:?} - {other:?} is negative: it has no logarithm");
        }
        let d = other.log - self.log.clone();
        // `1 − e^−d` cancels for small `d`, and `e^−d` is lost beside 1 for
        // large `d`.
        let difference =
            if d < T::from_f64(-0.7) { (-d.exp()).ln_1p() } else { (-d.exp_m1()).ln() };
        Self::from_ln(self.log + difference)
    }
}

impl<T: Check> Check for Logarithmic<T> {
    /// The magnitude of the logarithm, but 0 for the number zero: `−∞` says
    /// nothing about the round-off of what comes after it.
    #[inline]
    fn magnitude(&self) -> f64 {
        let magnitude = self.log.magnitude();
        if magnitude.is_finite() { magnitude } else { 0.0 }
    }
    /// Compares the logarithms: that is where round-off happens.
    #[inline]
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        self.log.agrees(&expected.log, slack)
    }
    #[inline]
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        self.log.nudge(slack, toward);
    }
}

macro_rules! floats {
    ($($type:ident)+) => {$(
        impl From<$type> for Logarithmic<$type> {
            #[inline]
            fn from(value: $type) -> Self {
                Self::new(value)
            }
        }

        impl From<Logarithmic<$type>> for $type {
            #[inline]
            fn from(number: Logarithmic<$type>) -> Self {
                number.value()
            }
        }
    )+};
}

floats!(f32 f64);

/// Of `Logarithmic::from(x)`.
impl<T: Elementary> PullCast<Logarithmic<T>> for T {
    #[inline]
    fn pull_cast(&self, g: &Logarithmic<T>) -> Self {
        pull::ln(&g.log, self)
    }
}

/// Of `T::from(number)`.
impl<T: Elementary> PullCast<T> for Logarithmic<T> {
    #[inline]
    fn pull_cast(&self, g: &T) -> Self {
        Self::from_ln(pull::exp(g, &self.value()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{Dual, Fixed43};
    use proptest::prelude::*;

    type L = Logarithmic<f64>;
    type L2 = Logarithmic<Dual<f64, 2>>;

    fn near(found: L, expected: f64) -> bool {
        (found.value() - expected).abs() <= 1e-13 * expected
    }

    proptest! {
        #[test]
        fn arithmetic(a in 0.01..100.0, b in 0.01..100.0) {
            let (x, y) = (L::new(a), L::from(b));
            prop_assert!(near(x * y, a * b));
            prop_assert!(near(x / y, a / b));
            prop_assert!(near(x + y, a + b));
            prop_assert!(near(x.powi(-3), a.powi(-3)));
            prop_assert!(near(x.pow(0.3), a.powf(0.3)));
            prop_assert!(near(x.recip(), 1.0 / a));
            prop_assert_eq!(x < y, a < b);
            prop_assert_eq!(x * L::one(), x);
            let (large, small) = (a + b, b);
            let difference = L::new(large) - L::new(small);
            // The logarithms themselves are rounded, at the scale of the sum.
            prop_assert!((difference.value() - a).abs() <= 1e-13 * large);
        }

        #[test]
        fn products_of_fixed_point_numbers_are_undone_exactly(
            mut x: i64,
            factors: Vec<i64>,
        ) {
            x >>= 1;
            let log = |bits: i64| Logarithmic::from_ln(Fixed43::from_bits(bits));
            let mut now = log(x);
            for &factor in &factors {
                now.multiply(log(factor));
            }
            for &factor in factors.iter().rev() {
                now.divide(log(factor));
            }
            prop_assert!(now.agrees(&log(x), Slack::half_the_digits(0.0)));
        }

        /// Each rule by a difference of `g ·` the function, in the coordinates that
        /// shadows use; rules add to what the shadow holds.
        #[test]
        fn gradients_of_functions(x in -2.0..2.0_f64, p in -2.0..2.0_f64, g in -2.0..2.0_f64) {
            let difference = |f: &dyn Fn(f64) -> f64, x: f64| {
                let h = 1e-5;
                g * (f(x + h) - f(x - h)) / (2.0 * h)
            };
            let near = |found: f64, expected: f64| {
                let error = (found - 10.0 - expected).abs();
                assert!(error <= 1e-7 * (1.0 + expected.abs()), "{found} {expected}");
            };
            let log = L::from_ln;

            let (mut d, value) = (10.0, x.exp());
            L::derivative_of_from_ln(x, &mut d, &log(g));
            near(d, difference(&|x| log(x).log, x));
            d = 10.0;
            L::derivative_of_new(value, &mut d, &log(g));
            near(d, difference(&|x| L::new(x).log, value));
            near(10.0 + value.pull_cast(&log(g)), difference(&|x| L::from(x).log, value));

            let mut shadow = log(10.0);
            log(x).derivative_of_ln(&mut shadow, &g);
            near(shadow.log, difference(&|x| log(x).ln(), x));
            shadow = log(10.0);
            log(x).derivative_of_recip(&mut shadow, &log(g));
            near(shadow.log, difference(&|x| log(x).recip().log, x));
            shadow = log(10.0);
            log(x).derivative_of_powi(&mut shadow, -3, (), &log(g));
            near(shadow.log, difference(&|x| log(x).powi(-3).log, x));
            shadow = log(10.0);
            log(x).derivative_of_value(&mut shadow, &g);
            near(shadow.log, difference(&|x| log(x).value(), x));
            near(10.0 + log(x).pull_cast(&g).log, difference(&|x| f64::from(log(x)), x));

            (shadow, d) = (log(10.0), 10.0);
            log(x).derivative_of_pow(&mut shadow, p, &mut d, &log(g));
            near(shadow.log, difference(&|x| log(x).pow(p).log, x));
            near(d, difference(&|p| log(x).pow(p).log, p));
        }

        #[test]
        fn sums_of_fixed_point_numbers(a in 0.01..100.0, b in 0.01..100.0) {
            let [x, y] = [a, b].map(|value| Logarithmic::from(Fixed43::from_f64(value)));
            prop_assert!(((x + y).value().to_f64() - (a + b)).abs() < 1e-10);
            prop_assert!(((x + y - y).value().to_f64() - a).abs() < 1e-10);
        }
    }

    #[test]
    fn close_and_distant_terms_keep_their_digits() {
        let close = L::from_ln(1e-10) - L::one();
        assert!((close.ln() - 1e-10_f64.exp_m1().ln()).abs() < 1e-12);
        let distant = L::one() - L::from_ln(-50.0);
        assert_eq!(distant.ln(), -(-50.0_f64).exp());
        assert_eq!((L::one() + L::from_ln(-50.0)).ln(), (-50.0_f64).exp());
    }

    #[test]
    fn zero_is_the_neutral_element_of_the_sum() {
        let (zero, x) = (L::new(0.0), L::new(3.0));
        assert_eq!(zero.value(), 0.0);
        assert_eq!(zero + x, x);
        assert_eq!(x + zero, x);
        assert_eq!(x - zero, x);
        assert_eq!(x - x, zero);
        assert_eq!(zero + zero, zero);
        assert_eq!(zero - zero, zero);
        assert_eq!(zero.magnitude(), 0.0);
        assert!(zero.agrees(&zero, Slack::EXACT) && !zero.agrees(&x, Slack::half_the_digits(1e9)));
    }

    #[test]
    fn equal_terms_have_a_derivative_each() {
        let [a, b] = [0, 1].map(|i| L2::from_ln(Dual::variable(1.5, i)));
        let sum = a + b;
        assert_eq!(sum.log.value, (L::from_ln(1.5) + L::from_ln(1.5)).log);
        assert_eq!(sum.log.tangents, [0.5, 0.5]);
    }

    #[test]
    fn checks_compare_logarithms() {
        let x = L::from_ln(2.0);
        assert!(x.agrees(&L::from_ln(2.0 + 1e-12), Slack::half_the_digits(0.0)));
        assert!(!x.agrees(&L::from_ln(2.001), Slack::half_the_digits(0.0)));
        assert_eq!(x.magnitude(), 2.0);
        assert_eq!(format!("{x:?}"), "exp(2.0)");
    }

    #[test]
    #[should_panic(expected = "exp(0.0) - exp(1.0) is negative")]
    fn negative_differences_are_refused() {
        let _ = L::one() - L::from_ln(1.0);
    }

    #[test]
    #[should_panic(expected = "0 has no logarithm")]
    fn fixed_point_has_no_logarithm_of_zero() {
        let x = Logarithmic::from(Fixed43::from(2));
        let _ = x - x;
    }
}
