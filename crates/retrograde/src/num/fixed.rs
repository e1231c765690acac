//! Fixed point numbers, exactly reversible.

mod functions;
#[cfg(test)]
mod tests;

use super::{Arithmetic, Literal, Zero};
use crate::check::{Check, Slack, Toward};
use crate::derivative::Differentiable;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Rem, Sub, SubAssign};

/// A 64-bit signed fixed point number with `FRAC` fraction bits, at most 62:
/// the value is `bits / 2^FRAC`.
///
/// `+`, `-` and negation wrap around, in debug and release builds alike. That
/// makes them a group, so `-=` undoes `+=` to the last bit, always:
///
/// ```
/// use retrograde::num::Fixed43;
///
/// let (mut x, dx) = (Fixed43::from_f64(1e-9), Fixed43::from_f64(123456.7));
/// let before = x;
/// for _ in 0..1000 {
///     x += dx;
/// }
/// for _ in 0..1000 {
///     x -= dx;
/// }
/// assert_eq!(x, before);
/// ```
///
/// `*` and `/` round to nearest, ties away from zero, and panic when the result
/// does not fit: a wrong number must not go unnoticed. So do sums of gradients: nobody
/// takes a gradient back, and one that went around would be wrong.
///
/// `sqrt`, `hypot`, `exp`, `exp_m1`, `exp2`, `ln`, `ln_1p` and `log2` are
/// computed in integers, with the same bits on every machine. The remaining
/// functions go through `f64`, and so carry its 53 bits and its range of
/// implementations.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fixed<const FRAC: u32>(i64);

/// Fixed point with 43 fraction bits: ±2²⁰, in steps of about 10⁻¹³.
pub type Fixed43 = Fixed<43>;

impl<const FRAC: u32> Fixed<FRAC> {
    /// The bits of the number one.
    const ONE: i64 = {
        assert!(FRAC <= 62, "`Fixed` has at most 62 fraction bits: one must fit");
        1 << FRAC
    };

    /// The smallest number, `−2^(63 − FRAC)`.
    pub const MIN: Self = Self::from_bits(i64::MIN);
    /// The largest number, one step below `2^(63 − FRAC)`.
    pub const MAX: Self = Self::from_bits(i64::MAX);
    /// The step between neighbours, `2^−FRAC`.
    pub const EPSILON: Self = Self::from_bits(1);

    /// The number `bits / 2^FRAC`.
    ///
    /// ```
    /// # use retrograde::num::Fixed;
    /// assert_eq!(Fixed::<8>::from_bits(384).to_f64(), 1.5);
    /// ```
    #[inline]
    pub const fn from_bits(bits: i64) -> Self {
        let _ = Self::ONE;
        Fixed(bits)
    }

    /// The number times `2^FRAC`.
    #[inline]
    pub const fn to_bits(self) -> i64 {
        self.0
    }

    /// The nearest number, ties to even.
    ///
    /// Panics if `value` is not a number or does not fit.
    ///
    /// ```
    /// # use retrograde::num::Fixed;
    /// assert_eq!(Fixed::<4>::from_f64(0.1).to_bits(), 2);
    /// ```
    #[inline]
    #[track_caller]
    pub fn from_f64(value: f64) -> Self {
        Self::nearest(value, || format!("{value:?}"))
    }

    /// [`from_f64`](Self::from_f64), with a name for the value in the message.
    #[inline]
    #[track_caller]
    fn nearest(value: f64, what: impl FnOnce() -> String) -> Self {
        const TWO_63: f64 = 9_223_372_036_854_775_808.0;
        let bits = (value * Self::ONE as f64).round_ties_even();
        // 2⁶³ is a float, the largest `i64` is not.
        if (-TWO_63..TWO_63).contains(&bits) {
            Fixed(bits as i64)
        } else {
            does_not_fit::<FRAC>(&what())
        }
    }

    /// The nearest `f64`: exact below 2⁵³ steps.
    #[inline]
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / Self::ONE as f64
    }

    /// The number with the given bits; panics, naming it, if they do not fit.
    #[inline]
    #[track_caller]
    pub(super) fn fit(bits: i128, what: impl FnOnce() -> String) -> Self {
        match i64::try_from(bits) {
            Ok(bits) => Fixed(bits),
            Err(_) => does_not_fit::<FRAC>(&what()),
        }
    }

    /// The number as decimals: its whole part, and `digits` digits, rounded.
    fn decimals(self, digits: u32) -> (u64, u64) {
        let bits = u128::from(self.0.unsigned_abs());
        let fraction = bits & (Self::ONE as u128 - 1);
        let power = 10_u128.pow(digits);
        let scaled = (fraction * power + Self::ONE as u128 / 2) >> FRAC;
        ((bits >> FRAC) as u64 + (scaled / power) as u64, (scaled % power) as u64)
    }

    /// The fewest digits that tell the number from its neighbours.
    fn shortest(self) -> u32 {
        let bits = u128::from(self.0.unsigned_abs());
        let same = |&digits: &u32| {
            let (whole, fraction) = self.decimals(digits);
            let power = 10_u128.pow(digits);
            let back = ((u128::from(fraction) << FRAC) + power / 2) / power;
            (u128::from(whole) << FRAC) + back == bits
        };
        (0..MAX_DIGITS).find(same).unwrap_or(MAX_DIGITS)
    }
}

/// Enough for 62 fraction bits, and `10^19` still fits beside them.
const MAX_DIGITS: u32 = 19;

#[cold]
#[inline(never)]
#[track_caller]
fn does_not_fit<const FRAC: u32>(what: &str) -> ! {
    panic!("{what} does not fit `Fixed<{FRAC}>`, which holds -2^{0} to 2^{0}", 63 - FRAC)
}

/// The shortest decimal that reads back as the same number, or as many digits
/// as the format asks for (those after the 19th are zeros).
impl<const FRAC: u32> fmt::Display for Fixed<FRAC> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wanted = f.precision();
        let digits =
            wanted.map_or_else(|| self.shortest(), |wanted| wanted.min(MAX_DIGITS as usize) as u32);
        let (whole, fraction) = self.decimals(digits);
        let mut text = whole.to_string();
        if wanted.unwrap_or(digits as usize) > 0 {
            text += ".";
            if digits > 0 {
                text += &format!("{fraction:0width$}", width = digits as usize);
            }
            let missing = wanted.unwrap_or(0).saturating_sub(digits as usize);
            text.extend(std::iter::repeat_n('0', missing));
        }
        f.pad_integral(self.0 >= 0, "", &text)
    }
}

impl<const FRAC: u32> fmt::Debug for Fixed<FRAC> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Panics if the number does not fit.
impl<const FRAC: u32> From<i32> for Fixed<FRAC> {
    #[inline]
    #[track_caller]
    fn from(value: i32) -> Self {
        Self::fit(i128::from(value) << FRAC, || format!("{value}"))
    }
}

impl<const FRAC: u32> Add for Fixed<FRAC> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Fixed(self.0.wrapping_add(other.0))
    }
}

impl<const FRAC: u32> Sub for Fixed<FRAC> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Fixed(self.0.wrapping_sub(other.0))
    }
}

impl<const FRAC: u32> AddAssign for Fixed<FRAC> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const FRAC: u32> SubAssign for Fixed<FRAC> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const FRAC: u32> Neg for Fixed<FRAC> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Fixed(self.0.wrapping_neg())
    }
}

/// Rounds to nearest, ties away from zero; panics if the product does not fit.
impl<const FRAC: u32> Mul for Fixed<FRAC> {
    type Output = Self;
    #[inline]
    #[track_caller]
    fn mul(self, factor: Self) -> Self {
        let product = i128::from(self.0) * i128::from(factor.0);
        // The shift rounds down; half a step, less for negative numbers,
        // makes that away from zero for ties, and nearest for the rest.
        let half = i128::from(Self::ONE / 2);
        let down = if FRAC > 0 { product >> 127 } else { 0 };
        Self::fit((product + half + down) >> FRAC, || format!("{self} * {factor}"))
    }
}

/// Rounds to nearest, ties away from zero; panics if the quotient does not fit
/// or the divisor is zero.
impl<const FRAC: u32> Div for Fixed<FRAC> {
    type Output = Self;
    #[inline]
    #[track_caller]
    fn div(self, divisor: Self) -> Self {
        assert!(divisor.0 != 0, "{self} divided by zero");
        let (dividend, by) = (i128::from(self.0) << FRAC, i128::from(divisor.0));
        let (quotient, rest) = (dividend / by, dividend % by);
        let away = if (dividend < 0) == (by < 0) { 1 } else { -1 };
        let up = 2 * rest.unsigned_abs() >= by.unsigned_abs();
        let rounded = if up { quotient + away } else { quotient };
        Self::fit(rounded, || format!("{self} / {divisor}"))
    }
}

/// Exact, with the sign of the dividend; panics if the divisor is zero.
impl<const FRAC: u32> Rem for Fixed<FRAC> {
    type Output = Self;
    #[inline]
    #[track_caller]
    fn rem(self, divisor: Self) -> Self {
        assert!(divisor.0 != 0, "{self} divided by zero");
        Fixed(self.0.wrapping_rem(divisor.0))
    }
}

impl<const FRAC: u32> Zero for Fixed<FRAC> {
    #[inline]
    fn zero() -> Self {
        Self::from_bits(0)
    }
}

group_by_operators!([const FRAC: u32] Fixed<FRAC>);

impl<const FRAC: u32> Fixed<FRAC> {
    /// `self + other`; panics if it does not fit.
    #[inline]
    #[track_caller]
    fn sum(self, other: Self) -> Self {
        match self.0.checked_add(other.0) {
            Some(bits) => Fixed(bits),
            None => does_not_fit::<FRAC>(&format!("{self} + {other}")),
        }
    }

    /// `self - other`; panics if it does not fit.
    #[inline]
    #[track_caller]
    fn difference(self, other: Self) -> Self {
        match self.0.checked_sub(other.0) {
            Some(bits) => Fixed(bits),
            None => does_not_fit::<FRAC>(&format!("{self} - {other}")),
        }
    }
}

/// Sums of gradients panic if they do not fit.
impl<const FRAC: u32> Differentiable for Fixed<FRAC> {
    #[inline]
    fn zero_like(&self) -> Self {
        Self::zero()
    }
    #[inline]
    #[track_caller]
    fn accumulate_shadow(&mut self, other: Self) {
        *self = self.sum(other);
    }
    #[inline]
    #[track_caller]
    fn retract_shadow(&mut self, other: Self) {
        *self = self.difference(other);
    }
    #[inline]
    #[track_caller]
    fn negated_shadow(&self) -> Self {
        Self::zero().difference(*self)
    }
}

impl<const FRAC: u32> Check for Fixed<FRAC> {
    #[inline]
    fn magnitude(&self) -> f64 {
        0.0
    }
    /// Exactly: there is no round-off in `+=` and `-=`.
    #[inline]
    fn agrees(&self, expected: &Self, _slack: Slack) -> bool {
        self == expected
    }
    #[inline]
    fn nudge(&mut self, _slack: Slack, _toward: Toward) {}
}

/// Rounds to nearest; panics if the literal does not fit.
impl<const FRAC: u32> Literal for Fixed<FRAC> {
    type Scalar = Self;
    #[inline]
    #[track_caller]
    fn literal(value: f64) -> Self {
        Self::from_f64(value)
    }
}

impl<const FRAC: u32> Arithmetic for Fixed<FRAC> {
    #[inline]
    fn one() -> Self {
        Fixed(Self::ONE)
    }
    #[inline]
    fn is_zero(&self) -> bool {
        self.0 == 0
    }
    /// Panics if it does not fit: sums of gradients are made of it, too.
    #[inline]
    #[track_caller]
    fn plus_product(self, a: Self, b: Self) -> Self {
        self.sum(a * b)
    }
    /// Panics if it does not fit.
    #[inline]
    #[track_caller]
    fn minus_product(self, a: Self, b: Self) -> Self {
        self.difference(a * b)
    }
}
