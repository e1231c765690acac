//! Dual numbers: derivatives, carried along with the values.

mod functions;
mod operators;
#[cfg(test)]
mod tests;

use super::{AdditiveGroup, Arithmetic, Literal, Real, Zero};
use crate::check::{Check, Slack, Toward};
use crate::derivative::{Differentiable, slope};
use std::array;
use std::cmp::Ordering;
use std::fmt;

/// A number and its derivatives in `N` directions: `x + x₁′ ε₁ + … + x_N′ ε_N`,
/// where every product of two `ε` is zero.
///
/// A function of dual numbers computes its value and, by the chain rule
/// `f(x + x′ ε) = f(x) + f′(x) x′ ε`, all of its directional derivatives,
/// without differences. Every generic reversible function is one:
///
/// ```
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn distance<T: Real>(r: &mut T, x: &T, y: &T) {
///     *r += x.hypot(*y);
/// }
///
/// let [x, y] = [Dual::<f64, 2>::variable(3.0, 0), Dual::variable(4.0, 1)];
/// let mut r = Dual::constant(0.0);
/// distance(&mut r, &x, &y);
/// assert_eq!(format!("{r:?}"), "5.0 + [0.6, 0.8]ε");
/// distance::inverse(&mut r, &x, &y);
/// assert_eq!(format!("{r:?}"), "0.0 + [0.0, 0.0]ε");
/// ```
///
/// The value is what `T` alone would compute, to the last bit. Numbers are
/// compared by value, `==` included, so that a program takes the same branches
/// as it does on `T`.
///
/// `T` may be a dual number itself, for derivatives of derivatives:
///
/// ```
/// # use retrograde::prelude::*;
/// // (x³)″ = 6x: a variable of both kinds of directions.
/// let x = Dual::<_>::variable(Dual::<f64>::variable(2.0, 0), 0);
/// let cube = x * x * x;
/// assert_eq!(cube.value.value, 8.0);
/// assert_eq!((cube.value.tangents, cube.tangents[0].value), ([12.0], 12.0));
/// assert_eq!(cube.tangents[0].tangents, [12.0]);
/// ```
///
/// # At the edges
///
/// Where a derivative does not exist, or is infinite beside a finite value,
/// the tangents stay finite:
///
/// | at | derivative |
/// |---|---|
/// | `abs` at 0 | 0 |
/// | `sqrt`, `cbrt` at 0 | 0 |
/// | `asin`, `acos` at ±1, `acosh` at 1 | 0 |
/// | `powf`, `powi` at 0 by the base | 1 for the exponent 1, otherwise 0, below 1 too |
/// | `powf` at 0 and at negative numbers by the exponent | 0 |
/// | `hypot`, `atan2` at (0, 0) | 0 by both |
/// | `atan2` on the axes, elsewhere | as everywhere: `−1/y` or `1/x` by the other |
/// | `min`, `max` at a tie | half by each |
/// | `floor`, `ceil`, `round`, `trunc`, `signum` | 0, at the jumps too |
///
/// (The formulas are those of [`derivative::slope`](crate::derivative::slope), for
/// both directions of differentiation.)
///
/// Where the value itself is infinite or not a number (`1/x` and `ln` at 0,
/// `atanh` at ±1), the tangents are what the formulas make of it in `T`.
#[derive(Clone, Copy)]
pub struct Dual<T, const N: usize = 1> {
    /// The number.
    pub value: T,
    /// Its derivatives, one for each direction.
    pub tangents: [T; N],
}

impl<T: Zero, const N: usize> Dual<T, N> {
    /// A number that does not depend on anything: all its derivatives are zero.
    ///
    /// ```
    /// # use retrograde::num::Dual;
    /// assert_eq!(Dual::<f64, 2>::constant(1.5).tangents, [0.0, 0.0]);
    /// ```
    #[inline]
    pub fn constant(value: T) -> Self {
        Dual { value, tangents: Zero::zero() }
    }
}

impl<T: Real, const N: usize> Dual<T, N> {
    /// The variable that changes in the given direction: its derivative is one
    /// there, and zero in the others.
    ///
    /// Panics unless `direction` is below `N`.
    ///
    /// ```
    /// # use retrograde::num::Dual;
    /// let x = Dual::<f64>::variable(3.0, 0);
    /// assert_eq!((x * x).tangents, [6.0]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn variable(value: T, direction: usize) -> Self {
        assert!(direction < N, "direction {direction} of a dual number that has {N}");
        let mut variable = Self::constant(value);
        variable.tangents[direction] = T::one();
        variable
    }

    /// Variables that change in a direction each: the start for the gradient of
    /// a function of all of them.
    ///
    /// Panics unless there are `N` values.
    ///
    /// ```
    /// # use retrograde::num::Dual;
    /// let xs = Dual::<f64, 2>::seed(&[3.0, 5.0]);
    /// assert_eq!((xs[0] * xs[1]).tangents, [5.0, 3.0]);
    /// ```
    #[track_caller]
    pub fn seed(values: &[T]) -> Vec<Self> {
        let count = values.len();
        assert!(count == N, "{count} variables for dual numbers of {N} directions");
        values.iter().cloned().enumerate().map(|(i, value)| Self::variable(value, i)).collect()
    }

    /// The chain rule: `f(x)′ = f′(x) x′`, from `f(x)` and `f′(x)`.
    #[inline]
    fn chain(self, value: T, slope: T) -> Self {
        Dual { value, tangents: self.tangents.map(|tangent| tangent * slope.clone()) }
    }

    /// The chain rule for two arguments:
    /// `f(x, y)′ = ∂f/∂x x′ + ∂f/∂y y′`, from `f(x, y)` and both slopes.
    #[inline]
    fn chain_of_two(self, other: Self, value: T, slopes: (T, T)) -> Self {
        let mut tangents = self.tangents;
        for (x, y) in tangents.iter_mut().zip(other.tangents) {
            *x = x.clone() * slopes.0.clone();
            x.accumulate_shadow(y * slopes.1.clone());
        }
        Dual { value, tangents }
    }
}

/// As [`Dual::constant`].
impl<T: Zero, const N: usize> From<T> for Dual<T, N> {
    #[inline]
    fn from(value: T) -> Self {
        Self::constant(value)
    }
}

impl<T: Default, const N: usize> Default for Dual<T, N> {
    #[inline]
    fn default() -> Self {
        Dual { value: T::default(), tangents: array::from_fn(|_| T::default()) }
    }
}

/// By value.
impl<T: PartialEq, const N: usize> PartialEq for Dual<T, N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// By value.
impl<T: PartialOrd, const N: usize> PartialOrd for Dual<T, N> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

macro_rules! formats {
    ($($format:ident)+) => {$(
        /// The value and, in brackets, the tangents. Width and precision are
        /// those of each of them.
        impl<T: fmt::$format, const N: usize> fmt::$format for Dual<T, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.value.fmt(f)?;
                f.write_str(" + [")?;
                for (i, tangent) in self.tangents.iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    tangent.fmt(f)?;
                }
                f.write_str("]ε")
            }
        }
    )+};
}

formats!(Debug Display);

impl<T: Zero, const N: usize> Zero for Dual<T, N> {
    #[inline]
    fn zero() -> Self {
        Self::constant(T::zero())
    }
}

/// Component by component: exact where it is exact for `T`. Derivatives that do not fit `T`
/// panic, where it can tell.
impl<T: AdditiveGroup + Differentiable, const N: usize> AdditiveGroup for Dual<T, N> {
    #[inline]
    fn accumulate(&mut self, other: Self) {
        self.value.accumulate(other.value);
        self.tangents.accumulate_shadow(other.tangents);
    }
    #[inline]
    fn retract(&mut self, other: Self) {
        self.value.retract(other.value);
        self.tangents.retract_shadow(other.tangents);
    }
    #[inline]
    fn negate(&mut self) {
        self.value.negate();
        self.tangents.negate();
    }
    #[inline]
    #[track_caller]
    fn accumulate_gradient(&mut self, other: Self) {
        self.value.accumulate_shadow(other.value);
        self.tangents.accumulate_shadow(other.tangents);
    }
    #[inline]
    #[track_caller]
    fn retract_gradient(&mut self, other: Self) {
        self.value.retract_shadow(other.value);
        self.tangents.retract_shadow(other.tangents);
    }
}

impl<T: Check, const N: usize> Check for Dual<T, N> {
    /// That of the value.
    #[inline]
    fn magnitude(&self) -> f64 {
        self.value.magnitude()
    }
    /// The value as `T` has it, at the scale of the values. A tangent has a scale of its
    /// own, which nobody follows: it is at least one, which a variable begins with. (At the
    /// origin all values are zero, but the tangents, and so their round-off, are not.)
    #[inline]
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        self.value.agrees(&expected.value, slack)
            && self.tangents.agrees(&expected.tangents, slack.at_unknown_scale())
    }
    #[inline]
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        self.value.nudge(slack, toward);
    }
}

/// A constant.
impl<T: Real, const N: usize> Literal for Dual<T, N> {
    type Scalar = Self;
    #[inline]
    fn literal(value: f64) -> Self {
        Self::constant(T::literal(value))
    }
    #[inline]
    fn literal_with(value: f64, rest: f64) -> Self {
        Self::constant(T::literal_with(value, rest))
    }
}

impl<T: Real, const N: usize> Arithmetic for Dual<T, N> {
    #[inline]
    fn one() -> Self {
        Self::constant(T::one())
    }
    /// By value, as all comparisons.
    #[inline]
    fn is_zero(&self) -> bool {
        self.value.is_zero()
    }
    #[inline]
    fn recip(self) -> Self {
        let value = self.value.clone().recip();
        let slope = slope::recip(&value);
        self.chain(value, slope)
    }
    /// As [`recip`](Self::recip), with the slope zero where the value is.
    #[inline]
    fn recip_or_zero(self) -> Self {
        let value = self.value.clone().recip_or_zero();
        let slope = slope::recip(&value);
        self.chain(value, slope)
    }
    /// `(c x)′ = c x′`.
    #[inline]
    fn scaled(self, factor: f64) -> Self {
        Dual {
            value: self.value.scaled(factor),
            tangents: self.tangents.map(|tangent| tangent.scaled(factor)),
        }
    }
}
