//! Double-double numbers: twice the digits of `f64`.

mod exact;
mod format;
mod functions;
mod operators;
mod real;
#[cfg(test)]
mod tests;

use super::{Arithmetic, Literal, Zero};
use crate::check::{Check, Slack, Toward};
use std::f64::consts;

/// A number of about 31 digits: the sum `hi + lo` of two floats, of which `hi`
/// is the one nearest to the sum, so `|lo| ≤ 2⁻⁵³ |hi|`.
///
/// Round-off that a run back and forth would show in `f64` stays far below what
/// `f64` can tell:
///
/// ```
/// use retrograde::num::DoubleDouble;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn swing<T: Real>(x: &mut T, v: &mut T) {
///     for _ in 0..1000 {
///         *v -= 0.01 * x.sin();
///         *x += 0.01 * *v;
///     }
/// }
///
/// let start = DoubleDouble::from(1) / 3.0;
/// assert_eq!(start.to_string(), "0.3333333333333333333333333333333");
///
/// let (mut x, mut v) = (start, DoubleDouble::default());
/// swing(&mut x, &mut v);
/// swing::inverse(&mut x, &mut v);
/// assert!((x - start).abs().to_f64() < 1e-28);
/// assert_eq!(x.to_f64(), 1.0 / 3.0);
/// ```
///
/// `+ - * /` and `sqrt` have relative errors of at most 10⁻³¹, the other
/// functions of [`Elementary`](super::Elementary) and [`Real`](super::Real) of
/// at most 10⁻³⁰ at moderate arguments. What makes it more are large exponents
/// of powers, and angles of 10¹⁵ and above.
///
/// The exponents are those of `f64`. Towards both ends of its range the digits
/// become fewer: they are all there from about 10⁻²⁷⁰, below which parts of
/// products would be too small for a float, to 10³⁰⁰. Infinities, `NaN` and
/// signed zeros go as they do for `f64`.
///
/// A float comes in with its own digits, not with those of the decimal that it
/// was written as:
///
/// ```
/// # use retrograde::num::DoubleDouble;
/// let [float, tenth] = [DoubleDouble::from(0.1), DoubleDouble::from(1) / 10.0];
/// assert_eq!(float.to_string(), "0.1000000000000000055511151231258");
/// assert_eq!(tenth.to_string(), "0.1");
/// ```
// The derived comparison looks at `hi` first, and at `lo` for a tie. That is the
// order of the sums, because equal numbers have equal parts.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
pub struct DoubleDouble {
    hi: f64,
    lo: f64,
}

impl DoubleDouble {
    /// `π`.
    pub const PI: Self = Self::pair(consts::PI, 1.2246467991473532e-16);
    /// `e`.
    pub const E: Self = Self::pair(consts::E, 1.4456468917292502e-16);
    /// `ln 2`.
    pub const LN_2: Self = Self::pair(consts::LN_2, 2.3190468138462996e-17);
    /// `ln 10`.
    pub const LN_10: Self = Self::pair(consts::LN_10, -2.1707562233822494e-16);

    const ONE: Self = Self::pair(1.0, 0.0);

    /// The sum of two floats, whichever is the larger: exact, unless it is too
    /// large for a float.
    ///
    /// ```
    /// # use retrograde::num::DoubleDouble;
    /// let x = DoubleDouble::new(1e-20, 1.0);
    /// assert_eq!(x.to_string(), "1.00000000000000000001");
    /// assert_eq!((x.hi(), x.lo()), (1.0, 1e-20));
    /// ```
    #[inline]
    pub const fn new(a: f64, b: f64) -> Self {
        let (hi, lo) = exact::two_sum(a, b);
        Self::settled(hi, lo, a + b)
    }

    /// The leading half: the float nearest to the number.
    #[inline]
    pub const fn hi(self) -> f64 {
        self.hi
    }

    /// The trailing half: what the leading one leaves.
    #[inline]
    pub const fn lo(self) -> f64 {
        self.lo
    }

    /// The nearest `f64`.
    ///
    /// ```
    /// # use retrograde::num::DoubleDouble;
    /// assert_eq!((DoubleDouble::from(2) / 3.0).to_f64(), 2.0 / 3.0);
    /// ```
    #[inline]
    pub const fn to_f64(self) -> f64 {
        self.hi
    }

    /// Halves that are known to be the nearest float and the rest.
    #[inline]
    const fn pair(hi: f64, lo: f64) -> Self {
        DoubleDouble { hi, lo }
    }

    /// `hi + lo`, where `hi` is zero or not the smaller one.
    ///
    /// `float` is the same result by `f64` arithmetic. It decides where pairs
    /// cannot: the parts of an infinity are `∞` and `∞ − ∞`, and those of a
    /// negative zero add up to a positive one.
    #[inline]
    const fn settled(hi: f64, lo: f64, float: f64) -> Self {
        let (hi, lo) = exact::fast_two_sum(hi, lo);
        if hi != 0.0 && hi.is_finite() { Self::pair(hi, lo) } else { Self::pair(float, 0.0) }
    }
}

/// Exact.
impl From<f64> for DoubleDouble {
    #[inline]
    fn from(value: f64) -> Self {
        Self::pair(value, 0.0)
    }
}

/// Exact.
impl From<i32> for DoubleDouble {
    #[inline]
    fn from(value: i32) -> Self {
        Self::from(f64::from(value))
    }
}

impl Zero for DoubleDouble {
    #[inline]
    fn zero() -> Self {
        Self::pair(0.0, 0.0)
    }
}

group_by_operators!([] DoubleDouble);

/// The distance of one from the next number, but for some bits that products lose.
const EPSILON: f64 = f64::EPSILON * f64::EPSILON;

impl Check for DoubleDouble {
    #[inline]
    fn magnitude(&self) -> f64 {
        self.hi.abs()
    }
    #[inline]
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        let same = self == expected;
        let difference = if same { 0.0 } else { (*self - *expected).hi.abs() };
        slack.allows(self.hi, expected.hi, difference, EPSILON)
    }
    #[inline]
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        let by = slack.reach(self.magnitude(), EPSILON);
        *self = DoubleDouble::from(toward.of(self.hi, by));
    }
}

/// Exact: with the digits of the float.
impl Literal for DoubleDouble {
    type Scalar = Self;
    #[inline]
    fn literal(value: f64) -> Self {
        Self::from(value)
    }
    #[inline]
    fn literal_with(value: f64, rest: f64) -> Self {
        Self::from(value) + Self::from(rest)
    }
}

impl Arithmetic for DoubleDouble {
    #[inline]
    fn one() -> Self {
        Self::ONE
    }
    #[inline]
    fn is_zero(&self) -> bool {
        self.hi == 0.0
    }
}
