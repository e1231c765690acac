//! Numbers, and the traits that say what may be undone on them.
//!
//! | trait | gives | implemented by |
//! |---|---|---|
//! | [`Zero`] | the value that an emptied place holds | everything below, `bool`, tuples, arrays, `Vec` |
//! | [`AdditiveGroup`] | `+=`, `-=` that undo each other | integers, floats, [`DoubleDouble`], `Complex`, [`Fixed`], [`Dual`], [`Lanes`], structs by derive |
//! | [`MultiplicativeGroup`] | `*=`, `/=` that undo each other | [`Logarithmic`], [`Tropical`] |
//! | [`Arithmetic`] | `+ - * /`, literals | floats, [`DoubleDouble`], `Complex`, [`Fixed`], [`Dual`], [`Lanes`] |
//! | [`Elementary`] | `sin`, `exp`, `sqrt`, … | the same |
//! | [`Real`] | order, `%`, `abs`, `atan2`, … | floats, [`DoubleDouble`], [`Fixed`], [`Dual`], [`Lanes`] |
//!
//! Generic code asks for the weakest trait that it needs:
//!
//! ```
//! use retrograde::prelude::*;
//!
//! #[reversible]
//! fn kinetic<T: Real>(energy: &mut T, mass: &T, speed: &T) {
//!     *energy += 0.5 * *mass * *speed * *speed;
//! }
//!
//! let mut energy = 1.0;
//! kinetic(&mut energy, &2.0, &3.0);
//! assert_eq!(energy, 10.0);
//! kinetic::inverse(&mut energy, &2.0, &3.0);
//! assert_eq!(energy, 1.0);
//! ```

/// `AdditiveGroup` for a type that has the operators.
macro_rules! group_by_operators {
    ([$($parameters:tt)*] $type:ty) => {
        impl<$($parameters)*> $crate::num::AdditiveGroup for $type {
            #[inline]
            fn accumulate(&mut self, other: Self) {
                *self += other;
            }
            #[inline]
            fn retract(&mut self, other: Self) {
                *self -= other;
            }
            #[inline]
            fn negate(&mut self) {
                *self = -*self;
            }
        }
    };
}

mod complex;
mod convert;
mod double_double;
mod dual;
mod fast;
mod fixed;
mod lanes;
mod logarithmic;
#[cfg(feature = "num-dual")]
mod num_dual;
mod primitive;
mod tropical;

pub use complex::ComplexNumber;
pub use double_double::DoubleDouble;
pub use dual::Dual;
pub use fixed::{Fixed, Fixed43};
pub use lanes::Lanes;
pub use logarithmic::Logarithmic;
pub use num_complex::Complex;
pub use tropical::Tropical;

use crate::check::{Check, Scale};
use crate::derivative::{
    Differentiable, PullAdd, PullDiv, PullFactor, PullMul, PullNeg, PullOrder, PullRem, PullSub,
};
use crate::linalg::{Sign, View, ViewMut};
use std::fmt::Debug;
use std::ops::{Add, AddAssign, BitXorAssign, Div, Mul, Neg, Rem, Sub, SubAssign};

/// A type with a zero: what an emptied place holds.
pub trait Zero: Sized {
    /// The zero.
    fn zero() -> Self;
}

/// A type with a sum that can be taken back.
///
/// Exactly so for integers and fixed point, which wrap around; up to round-off
/// for floats. Arrays and tuples add component by component, and
/// `#[derive(AdditiveGroup)]` gives a struct the same, with `+=` and `-=`.
///
/// It is a promise: that both undo each other, and that the sum changes as much as what is
/// added. A reversible function asks for it where it writes `*y += …` on a type that it does
/// not know, and as a bound it is enough for that.
pub trait AdditiveGroup: Zero + Clone {
    /// Adds `other`.
    fn accumulate(&mut self, other: Self);
    /// Subtracts `other`: undoes [`AdditiveGroup::accumulate`].
    fn retract(&mut self, other: Self);
    /// Turns the value into its additive inverse, in place.
    fn negate(&mut self);
    /// As the operator adds, which for integers looks for overflow where the program does.
    #[doc(hidden)]
    #[inline]
    fn add_as_operator(&mut self, other: Self) {
        self.accumulate(other);
    }
    /// As the operator subtracts.
    #[doc(hidden)]
    #[inline]
    fn subtract_as_operator(&mut self, other: Self) {
        self.retract(other);
    }
    /// Adds a gradient: what is made of numbers that wrap around says where they would.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    fn accumulate_gradient(&mut self, other: Self) {
        self.accumulate(other);
    }
    /// Subtracts a gradient.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    fn retract_gradient(&mut self, other: Self) {
        self.retract(other);
    }
}

/// The promise that `+=` and `-=` with an `Rhs` undo each other, and that the sum changes
/// as much as what is added.
///
/// Every [`AdditiveGroup`] makes it for its own type; vectors and matrices of other
/// libraries make it for what they add. A reversible function asks for it wherever it
/// writes `*y += …` on a type that it does not know.
///
/// ```compile_fail
/// use retrograde::prelude::*;
/// use std::num::Saturating;
///
/// #[reversible(inverse_only)]
/// fn f(y: &mut Saturating<i32>, x: &Saturating<i32>) {
///     *y += *x;
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`+=` and `-=` with `{Rhs}` are not known to undo each other on `{Self}`",
    label = "no additive group",
    note = "help: `#[derive(AdditiveGroup, Differentiable)]` on a struct of numbers, or implement `AdditiveGroup` by hand; on a parameter of the function, the bound `AdditiveGroup`, of `Complex<T>` the bound `ComplexNumber<T>`; of a type of another crate, promise it: `#[reversible(undoable(Type))]`"
)]
pub trait UndoableSum<Rhs = Self> {
    /// `self += other`.
    fn plus(&mut self, other: Rhs);
    /// `self -= other`: undoes [`UndoableSum::plus`].
    fn minus(&mut self, other: Rhs);
}

#[diagnostic::do_not_recommend]
impl<T: AdditiveGroup> UndoableSum for T {
    #[inline]
    #[track_caller]
    fn plus(&mut self, other: T) {
        self.add_as_operator(other);
    }
    #[inline]
    #[track_caller]
    fn minus(&mut self, other: T) {
        self.subtract_as_operator(other);
    }
}

#[diagnostic::do_not_recommend]
impl<T: AdditiveGroup> UndoableSum<&T> for T {
    #[inline]
    #[track_caller]
    fn plus(&mut self, other: &T) {
        self.add_as_operator(other.clone());
    }
    #[inline]
    #[track_caller]
    fn minus(&mut self, other: &T) {
        self.subtract_as_operator(other.clone());
    }
}

/// The promise that `^=` with an `Rhs` undoes itself: `y ^= x; y ^= x;` leaves `y` as it was.
#[diagnostic::on_unimplemented(
    message = "`^=` with `{Rhs}` is not known to undo itself on `{Self}`",
    label = "may not come back",
    note = "help: integers, `bool` and `Wrapping` have it; of a type of your own, promise it: `impl retrograde::num::UndoableXor for …`; on a parameter of the function, the bound `UndoableXor`"
)]
pub trait UndoableXor<Rhs = Self>: BitXorAssign<Rhs> {}

/// [`UndoableSum`] for a type that has the operators.
macro_rules! sums_by_operators {
    ($([$($parameters:tt)*] $type:ty, $other:ty $({ $($condition:tt)+ })?;)+) => {$(
        impl<$($parameters)*> $crate::num::UndoableSum<$other> for $type
        $(where $($condition)+)?
        {
            #[inline]
            fn plus(&mut self, other: $other) {
                *self += other;
            }
            #[inline]
            fn minus(&mut self, other: $other) {
                *self -= other;
            }
        }
    )+};
}
#[cfg(any(feature = "faer", feature = "nalgebra", feature = "ndarray"))]
pub(crate) use sums_by_operators;

sums_by_operators! {
    [] Complex<f32>, f32;
    [] Complex<f64>, f64;
    [] std::time::Duration, std::time::Duration;
    [] std::time::Instant, std::time::Duration;
    [] std::time::SystemTime, std::time::Duration;
}

/// A type on which `*=` and `/=` undo each other.
///
/// Floats are left out on purpose: `*=` by zero forgets, and rounding does not
/// come back. [`Logarithmic`] and [`Tropical`] numbers have it, because there a
/// product is a sum inside.
#[diagnostic::on_unimplemented(
    message = "`*=` and `/=` cannot be undone on `{Self}`",
    label = "no multiplicative group",
    note = "`Logarithmic<T>` and `Tropical<T>` have one; floats, integers, complex and fixed-point numbers do not (a product with zero forgets, and rounding does not come back)",
    note = "help: accumulate the product somewhere else, `*y += a * b`, or hold the value as a `Logarithmic`"
)]
pub trait MultiplicativeGroup<Rhs = Self>: PullFactor<Rhs> {
    /// `self *= factor`.
    fn multiply(&mut self, factor: Rhs);
    /// `self /= factor`.
    fn divide(&mut self, factor: Rhs);
}

/// A type that a float literal can be converted to.
///
/// `0.5 * *x` in generic code becomes a product with `0.5` in the type of
/// `*x`; for a vector type, in the type of its components.
pub trait Literal {
    /// What a literal becomes beside a value of this type.
    type Scalar;
    /// Converts the literal.
    fn literal(value: f64) -> Self::Scalar;
    /// Converts what literals were computed to, `1.0 / 3.0`, which is by `rest` more than an `f64`
    /// can hold: types that hold more add it.
    #[inline]
    fn literal_with(value: f64, rest: f64) -> Self::Scalar {
        let _ = rest;
        Self::literal(value)
    }
}

impl<T: Literal + ?Sized> Literal for &T {
    type Scalar = T::Scalar;
    #[inline]
    fn literal(value: f64) -> T::Scalar {
        T::literal(value)
    }
    #[inline]
    fn literal_with(value: f64, rest: f64) -> T::Scalar {
        T::literal_with(value, rest)
    }
}

impl<T: Literal + ?Sized> Literal for &mut T {
    type Scalar = T::Scalar;
    #[inline]
    fn literal(value: f64) -> T::Scalar {
        T::literal(value)
    }
    #[inline]
    fn literal_with(value: f64, rest: f64) -> T::Scalar {
        T::literal_with(value, rest)
    }
}

/// Field arithmetic: `+ - * /`, negation, literals, and the derivatives of all
/// these.
///
/// For a type that has the operators, [`field_rules!`](crate::field_rules)
/// writes the derivatives.
pub trait Arithmetic:
    AdditiveGroup
    + AddAssign
    + SubAssign
    + Literal<Scalar = Self>
    + Check
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Differentiable
    + PullAdd<Output = Self>
    + PullSub<Output = Self>
    + PullNeg<Output = Self>
    + PullMul<Output = Self>
    + PullDiv<Output = Self>
{
    /// The one.
    fn one() -> Self;
    /// Whether this is the zero: where derivatives have their edges.
    fn is_zero(&self) -> bool;
    /// The complex conjugate: the value itself for real numbers.
    fn conj(self) -> Self {
        self
    }
    /// `1 / self`.
    fn recip(self) -> Self {
        Self::one() / self
    }
    /// `1 / self`, or zero where that is infinite.
    #[inline]
    fn recip_or_zero(self) -> Self {
        if self.is_zero() { Self::zero() } else { self.recip() }
    }
    /// `self` times a real constant.
    fn scaled(self, factor: f64) -> Self {
        self * Self::literal(factor)
    }
    /// The value, converted from a float.
    fn from_f64(value: f64) -> Self {
        Self::literal(value)
    }
    /// `self + a b`, which `#[reversible(fused)]` makes of a product in a sum: floats
    /// round it once where the machine has an instruction for it.
    #[inline]
    fn plus_product(self, a: Self, b: Self) -> Self {
        self + a * b
    }
    /// `self − a b`: undoes [`Arithmetic::plus_product`].
    #[inline]
    fn minus_product(self, a: Self, b: Self) -> Self {
        self - a * b
    }
    /// `C ± A B`, of matrices that fit each other: plain loops, where the type knows
    /// nothing faster. [`linalg`](crate::linalg) is built on it.
    #[doc(hidden)]
    fn matrix_product(c: ViewMut<'_, Self>, sign: Sign, a: View<'_, Self>, b: View<'_, Self>) {
        crate::linalg::by_loops(c, sign, a, b);
    }
}

/// Elementary functions, named as `f64` names them.
#[allow(missing_docs)]
pub trait Elementary: Arithmetic {
    fn sqrt(self) -> Self;
    fn cbrt(self) -> Self;
    fn exp(self) -> Self;
    fn exp2(self) -> Self;
    fn exp_m1(self) -> Self;
    fn ln(self) -> Self;
    fn ln_1p(self) -> Self;
    fn log2(self) -> Self;
    fn log10(self) -> Self;
    fn powi(self, exponent: i32) -> Self;
    fn powf(self, exponent: Self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn acos(self) -> Self;
    fn atan(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn asinh(self) -> Self;
    fn acosh(self) -> Self;
    fn atanh(self) -> Self;
    fn sin_cos(self) -> (Self, Self) {
        (self.clone().sin(), self.cos())
    }
    /// `eˣ` without branches, so that loops over it run in vector registers: for
    /// `f64` with an error of up to 1.5 units in the last place instead of 1.
    fn fast_exp(self) -> Self {
        self.exp()
    }
    /// `tanh x` without branches, as [`Elementary::fast_exp`]: for `f64` with an
    /// error of up to 3 units in the last place.
    fn fast_tanh(self) -> Self {
        self.tanh()
    }
    /// `√(1 + x²)`. Real numbers have it from `hypot`, where no square overflows.
    fn hypot_one(self) -> Self {
        (Self::one() + self.clone() * self).sqrt()
    }
    /// Whether `ln` gives a finite number: for the positive ones among the real
    /// numbers, for all but zero among the complex ones.
    fn has_logarithm(&self) -> bool;
    /// Whether rounding may have taken it across a cut of a function, at which that jumps.
    #[doc(hidden)]
    #[inline]
    fn is_at_cut(&self, _function: &str, _scales: &[Scale]) -> bool {
        false
    }
}

/// Ordered numbers.
///
/// [`order_rules!`](crate::order_rules) writes the derivatives of what compares.
/// The functions with a body are as those of `f64`; types override them to be
/// faster, or to differ less from the exact value.
#[allow(missing_docs)]
pub trait Real:
    Elementary + PartialOrd + Rem<Output = Self> + PullOrder + PullRem<Output = Self>
{
    fn abs(self) -> Self;
    fn signum(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn round(self) -> Self;
    fn trunc(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn hypot(self, other: Self) -> Self;
    fn atan2(self, other: Self) -> Self;
    /// `self * a + b`.
    fn mul_add(self, a: Self, b: Self) -> Self {
        self * a + b
    }
    /// How often `divisor` goes into `self`, where the rest is not negative.
    fn div_euclid(self, divisor: Self) -> Self {
        let negative = self.clone() % divisor.clone() < Self::zero();
        let quotient = (self / divisor.clone()).trunc();
        if !negative {
            quotient
        } else if divisor > Self::zero() {
            quotient - Self::one()
        } else {
            quotient + Self::one()
        }
    }
    /// What `divisor` leaves of `self`, not negative.
    fn rem_euclid(self, divisor: Self) -> Self {
        let rest = self % divisor.clone();
        if rest < Self::zero() { rest + divisor.abs() } else { rest }
    }
    /// The nearest number between `low` and `high`.
    ///
    /// # Panics
    ///
    /// If `low` is not at most `high`.
    #[track_caller]
    fn clamp(self, low: Self, high: Self) -> Self {
        assert!(low <= high, "nothing is between {low:?} and {high:?}");
        if self < low {
            low
        } else if self > high {
            high
        } else {
            self
        }
    }
    /// What [`trunc`](Self::trunc) leaves out.
    fn fract(self) -> Self {
        self.clone() - self.trunc()
    }
    /// The absolute value, with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self {
        let size = self.abs();
        if sign.signum() < Self::zero() { -size } else { size }
    }
    /// The logarithm to another base.
    fn log(self, base: Self) -> Self {
        self.ln() / base.ln()
    }
    /// The nearest `f64`: for printing, comparing and plotting.
    fn to_f64(&self) -> f64;
    /// What a float gets of the gradient of the number that was made of it.
    #[doc(hidden)]
    #[inline]
    fn pull_from_f64(g: &Self) -> f64 {
        g.to_f64()
    }
}

/// The literal `value` in the type of `other`: what generated code makes of the
/// `0.5` in `0.5 * *x`.
#[inline]
pub fn like<T: Literal + ?Sized>(_other: &T, value: f64) -> T::Scalar {
    T::literal(value)
}

/// The literal `value` in the type that its place asks for.
#[inline]
pub fn literal<T: Literal<Scalar = T>>(value: f64) -> T {
    T::literal(value)
}

/// As [`literal`], of what literals were computed to.
#[inline]
pub fn literal_with<T: Literal<Scalar = T>>(value: f64, rest: f64) -> T {
    T::literal_with(value, rest)
}

/// `place += value`, where the type of `place` is that of `value`.
#[inline]
#[track_caller]
pub fn add_to<T: UndoableSum>(place: &mut T, value: T) {
    place.plus(value);
}

/// `place -= value`, where the type of `place` is that of `value`.
#[inline]
#[track_caller]
pub fn subtract_from<T: UndoableSum>(place: &mut T, value: T) {
    place.minus(value);
}

/// `place ^= value`, where the type of `place` is that of `value`.
#[inline]
pub fn xor_into<T: UndoableXor>(place: &mut T, value: T) {
    *place ^= value;
}
