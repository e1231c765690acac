//! How a gradient goes back through the operators.

use super::Differentiable;

macro_rules! operators {
    ($($(#[$attribute:meta])* $trait:ident $left:ident $right:ident $({ $($more:tt)* })?;)+) => {$(
        $(#[$attribute])*
        pub trait $trait<Rhs = Self>: Sized {
            /// The type of the result, and of the gradient with respect to it.
            type Output;
            /// What the left operand gets of the gradient `g` of the result.
            fn $left(g: &Self::Output, left: &Self, right: &Rhs) -> Self;
            /// What the right operand gets of the gradient `g` of the result.
            fn $right(g: &Self::Output, left: &Self, right: &Rhs) -> Rhs;
            $($($more)*)?
        }
    )+};
}

operators! {
    /// The rule of `left + right`.
    #[diagnostic::on_unimplemented(
        label = "the derivative of `{Self} + {Rhs}` is not known",
        note = "help: mark its `impl Add` with `#[differentiable]`; or, if it goes field by field, the struct with `#[fieldwise]` beside its `#[derive(Differentiable)]`; or implement `retrograde::derivative::PullAdd` by hand"
    )]
    PullAdd pull_add_left pull_add_right;
    /// The rule of `left - right`.
    #[diagnostic::on_unimplemented(
        label = "the derivative of `{Self} - {Rhs}` is not known",
        note = "help: mark its `impl Sub` with `#[differentiable]`; or, if it goes field by field, the struct with `#[fieldwise]` beside its `#[derive(Differentiable)]`; or implement `retrograde::derivative::PullSub` by hand"
    )]
    PullSub pull_sub_left pull_sub_right;
    /// The rule of `left * right`.
    ///
    /// For types of one's own, any pair that can be multiplied:
    ///
    /// ```
    /// use retrograde::derivative::PullMul;
    ///
    /// #[derive(Debug, PartialEq)]
    /// struct Point(f64, f64);
    ///
    /// /// The rule of `point * factor`.
    /// impl PullMul<f64> for Point {
    ///     type Output = Point;
    ///     fn pull_mul_left(g: &Point, _point: &Point, factor: &f64) -> Point {
    ///         Point(g.0 * factor, g.1 * factor)
    ///     }
    ///     fn pull_mul_right(g: &Point, point: &Point, _factor: &f64) -> f64 {
    ///         g.0 * point.0 + g.1 * point.1
    ///     }
    /// }
    ///
    /// let (g, point) = (Point(1.0, 10.0), Point(3.0, 4.0));
    /// assert_eq!(Point::pull_mul_left(&g, &point, &2.0), Point(2.0, 20.0));
    /// assert_eq!(Point::pull_mul_right(&g, &point, &2.0), 43.0);
    /// ```
    #[diagnostic::on_unimplemented(
        label = "the derivative of `{Self} * {Rhs}` is not known",
        note = "help: mark its `impl Mul` with `#[differentiable]`, or implement `retrograde::derivative::PullMul` by hand"
    )]
    PullMul pull_mul_left pull_mul_right {
        /// Adds what the left operand gets to its shadow, rounded once if it may be.
        #[doc(hidden)]
        #[inline]
        fn add_mul_left(shadow: &mut Self, g: &Self::Output, left: &Self, right: &Rhs)
        where
            Self: Differentiable,
        {
            shadow.accumulate_shadow(Self::pull_mul_left(g, left, right));
        }
        /// Subtracts what the left operand gets from its shadow, rounded once if it may be.
        #[doc(hidden)]
        #[inline]
        fn subtract_mul_left(shadow: &mut Self, g: &Self::Output, left: &Self, right: &Rhs)
        where
            Self: Differentiable,
        {
            shadow.retract_shadow(Self::pull_mul_left(g, left, right));
        }
        /// Adds what the right operand gets to its shadow, rounded once if it may be.
        #[doc(hidden)]
        #[inline]
        fn add_mul_right(shadow: &mut Rhs, g: &Self::Output, left: &Self, right: &Rhs)
        where
            Rhs: Differentiable,
        {
            shadow.accumulate_shadow(Self::pull_mul_right(g, left, right));
        }
        /// Subtracts what the right operand gets from its shadow, rounded once if it may be.
        #[doc(hidden)]
        #[inline]
        fn subtract_mul_right(shadow: &mut Rhs, g: &Self::Output, left: &Self, right: &Rhs)
        where
            Rhs: Differentiable,
        {
            shadow.retract_shadow(Self::pull_mul_right(g, left, right));
        }
    };
    /// The rule of `left % right`.
    #[diagnostic::on_unimplemented(
        label = "the derivative of `{Self} % {Rhs}` is not known",
        note = "help: mark its `impl Rem` with `#[differentiable]`, or implement `retrograde::derivative::PullRem` by hand"
    )]
    PullRem pull_rem_left pull_rem_right;
}

/// The rule of `-x`.
#[diagnostic::on_unimplemented(
    label = "the derivative of `-{Self}` is not known",
    note = "help: mark its `impl Neg` with `#[differentiable]`; or, if it goes field by field, the struct with `#[fieldwise]` beside its `#[derive(Differentiable)]`; or implement `retrograde::derivative::PullNeg` by hand"
)]
pub trait PullNeg: Sized {
    /// The type of the result, and of the gradient with respect to it.
    type Output;
    /// What `x` gets of the gradient `g` of `-x`.
    fn pull_neg(g: &Self::Output, x: &Self) -> Self;
}

/// The rule of `left / right`.
#[diagnostic::on_unimplemented(
    label = "the derivative of `{Self} / {Rhs}` is not known",
    note = "help: mark its `impl Div` with `#[differentiable]`, or implement `retrograde::derivative::PullDiv` by hand"
)]
pub trait PullDiv<Rhs = Self>: Sized {
    /// The type of the result, and of the gradient with respect to it.
    type Output;
    /// What the left operand gets of the gradient `g` of the result.
    fn pull_div_left(g: &Self::Output, left: &Self, right: &Rhs) -> Self;
    /// What the right operand gets of the gradient `g` of the result, which is at
    /// hand: `quotient`.
    fn pull_div_right(g: &Self::Output, left: &Self, right: &Rhs, quotient: &Self::Output) -> Rhs;
}

/// The rules of functions that compare: floats answer with gradients, integers
/// with zero.
///
/// ```
/// use retrograde::derivative::PullOrder;
///
/// assert_eq!(f64::pull_abs(&3.0, &-2.0), -3.0);
/// assert_eq!(f64::pull_max_left(&3.0, &1.0, &1.0), 1.5);
/// assert_eq!(i32::pull_abs(&3, &-2), 0);
/// ```
pub trait PullOrder: Sized {
    /// The gradient of `x.abs()`.
    fn pull_abs(g: &Self, x: &Self) -> Self;
    /// What the left operand of `left.min(right)` gets.
    fn pull_min_left(g: &Self, left: &Self, right: &Self) -> Self;
    /// What the right operand of `left.min(right)` gets.
    fn pull_min_right(g: &Self, left: &Self, right: &Self) -> Self;
    /// What the left operand of `left.max(right)` gets.
    fn pull_max_left(g: &Self, left: &Self, right: &Self) -> Self;
    /// What the right operand of `left.max(right)` gets.
    fn pull_max_right(g: &Self, left: &Self, right: &Self) -> Self;
    /// Whether there is a gradient at all. Of an integer there is none.
    #[inline]
    fn is_something(g: &Self) -> bool
    where
        Self: crate::derivative::Differentiable + PartialEq,
    {
        *g != g.zero_like()
    }
}

/// The derivatives that [`Arithmetic`](crate::num::Arithmetic) asks for, by the
/// operators that it asks for: [`Differentiable`](crate::derivative::Differentiable)
/// and the rules of `+ - * /`.
///
/// `field_rules!(Number);`, or with parameters
/// `field_rules!([T: Real, const N: usize] Number<T, N>);`. Where the type is
/// complex, its `conj` makes the gradient the right one.
///
/// ```
/// use retrograde::derivative::{PullDiv, PullMul};
/// # use retrograde::check::{Check, Slack, Toward};
/// # use retrograde::num::{AdditiveGroup, Arithmetic, Literal, Zero};
/// # use std::ops::*;
///
/// /// A float that counts as something else.
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Money(f64);
///
/// retrograde::field_rules!(Money);
///
/// let (g, price, rate) = (Money(1.0), Money(6.0), Money(2.0));
/// assert_eq!(Money::pull_mul_left(&g, &price, &rate), Money(2.0));
/// assert_eq!(Money::pull_div_right(&g, &price, &rate, &Money(3.0)), Money(-1.5));
/// #
/// # impl Zero for Money {
/// #     fn zero() -> Self { Money(0.0) }
/// # }
/// # impl AdditiveGroup for Money {
/// #     fn accumulate(&mut self, other: Self) { self.0 += other.0 }
/// #     fn retract(&mut self, other: Self) { self.0 -= other.0 }
/// #     fn negate(&mut self) { self.0 = -self.0 }
/// # }
/// # impl Check for Money {
/// #     fn magnitude(&self) -> f64 { self.0.magnitude() }
/// #     fn agrees(&self, expected: &Self, slack: Slack) -> bool { self.0.agrees(&expected.0, slack) }
/// #     fn nudge(&mut self, slack: Slack, toward: Toward) { self.0.nudge(slack, toward) }
/// # }
/// # impl Literal for Money {
/// #     type Scalar = Money;
/// #     fn literal(value: f64) -> Money { Money(value) }
/// # }
/// # macro_rules! operators {
/// #     ($($trait:ident $name:ident)+) => {$(
/// #         impl $trait for Money {
/// #             type Output = Money;
/// #             fn $name(self, other: Money) -> Money { Money(self.0.$name(other.0)) }
/// #         }
/// #     )+};
/// # }
/// # operators!(Add add Sub sub Mul mul Div div);
/// # impl Neg for Money {
/// #     type Output = Money;
/// #     fn neg(self) -> Money { Money(-self.0) }
/// # }
/// # impl AddAssign for Money {
/// #     fn add_assign(&mut self, other: Money) { self.0 += other.0 }
/// # }
/// # impl SubAssign for Money {
/// #     fn sub_assign(&mut self, other: Money) { self.0 -= other.0 }
/// # }
/// # impl Arithmetic for Money {
/// #     fn one() -> Self { Money(1.0) }
/// #     fn is_zero(&self) -> bool { self.0 == 0.0 }
/// # }
/// ```
#[macro_export]
macro_rules! field_rules {
    ([$($parameters:tt)*] $type:ty) => {
        $crate::field_rules!(@operators [$($parameters)*] $type);
        impl<$($parameters)*> $crate::derivative::Differentiable for $type {
            #[inline]
            fn zero_like(&self) -> Self {
                <Self as $crate::num::Zero>::zero()
            }
            #[inline]
            fn neutral_like(&self) -> Self {
                -<Self as $crate::num::Zero>::zero()
            }
            #[inline]
            #[track_caller]
            fn accumulate_shadow(&mut self, other: Self) {
                $crate::num::AdditiveGroup::accumulate_gradient(self, other);
            }
            #[inline]
            #[track_caller]
            fn retract_shadow(&mut self, other: Self) {
                $crate::num::AdditiveGroup::retract_gradient(self, other);
            }
            #[inline]
            fn negated_shadow(&self) -> Self {
                let mut negative = ::core::clone::Clone::clone(self);
                $crate::num::AdditiveGroup::negate(&mut negative);
                negative
            }
            #[inline]
            fn extent(&self) -> f64 {
                $crate::check::Check::magnitude(self)
            }
            #[inline]
            fn changes(&self, before: &Self) -> $crate::check::Changes {
                $crate::check::Changes::of(self, before)
            }
            #[inline]
            fn nudge_value(&mut self, slack: $crate::check::Slack, toward: $crate::check::Toward) {
                $crate::check::Check::nudge(self, slack, toward);
            }
            #[inline]
            fn astray(
                &self,
                expected: &Self,
                slack: $crate::check::Slack,
            ) -> ::core::option::Option<$crate::check::Astray> {
                $crate::check::Astray::of(self, expected, slack)
            }
        }
    };
    // For numbers whose shadows are summed in a way of their own.
    (@operators [$($parameters:tt)*] $type:ty) => {
        /// Both get the gradient.
        impl<$($parameters)*> $crate::derivative::PullAdd for $type {
            type Output = Self;
            #[inline]
            fn pull_add_left(g: &Self, _left: &Self, _right: &Self) -> Self {
                ::core::clone::Clone::clone(g)
            }
            #[inline]
            fn pull_add_right(g: &Self, _left: &Self, _right: &Self) -> Self {
                ::core::clone::Clone::clone(g)
            }
        }

        /// The gradient, and its negative.
        impl<$($parameters)*> $crate::derivative::PullSub for $type {
            type Output = Self;
            #[inline]
            fn pull_sub_left(g: &Self, _left: &Self, _right: &Self) -> Self {
                ::core::clone::Clone::clone(g)
            }
            #[inline]
            fn pull_sub_right(g: &Self, _left: &Self, _right: &Self) -> Self {
                -::core::clone::Clone::clone(g)
            }
        }

        /// The negative of the gradient.
        impl<$($parameters)*> $crate::derivative::PullNeg for $type {
            type Output = Self;
            #[inline]
            fn pull_neg(g: &Self, _x: &Self) -> Self {
                -::core::clone::Clone::clone(g)
            }
        }

        /// The gradient, times the other one's conjugate.
        impl<$($parameters)*> $crate::derivative::PullMul for $type {
            type Output = Self;
            #[inline]
            fn pull_mul_left(g: &Self, _left: &Self, right: &Self) -> Self {
                let right = $crate::num::Arithmetic::conj(::core::clone::Clone::clone(right));
                ::core::clone::Clone::clone(g) * right
            }
            #[inline]
            fn pull_mul_right(g: &Self, left: &Self, _right: &Self) -> Self {
                let left = $crate::num::Arithmetic::conj(::core::clone::Clone::clone(left));
                ::core::clone::Clone::clone(g) * left
            }
            #[inline]
            fn add_mul_left(shadow: &mut Self, g: &Self, _left: &Self, right: &Self) {
                let right = $crate::num::Arithmetic::conj(::core::clone::Clone::clone(right));
                let (sum, g) = (::core::clone::Clone::clone(shadow), ::core::clone::Clone::clone(g));
                *shadow = $crate::num::Arithmetic::plus_product(sum, g, right);
            }
            #[inline]
            fn subtract_mul_left(shadow: &mut Self, g: &Self, _left: &Self, right: &Self) {
                let right = $crate::num::Arithmetic::conj(::core::clone::Clone::clone(right));
                let (sum, g) = (::core::clone::Clone::clone(shadow), ::core::clone::Clone::clone(g));
                *shadow = $crate::num::Arithmetic::minus_product(sum, g, right);
            }
            #[inline]
            fn add_mul_right(shadow: &mut Self, g: &Self, left: &Self, _right: &Self) {
                let left = $crate::num::Arithmetic::conj(::core::clone::Clone::clone(left));
                let (sum, g) = (::core::clone::Clone::clone(shadow), ::core::clone::Clone::clone(g));
                *shadow = $crate::num::Arithmetic::plus_product(sum, g, left);
            }
            #[inline]
            fn subtract_mul_right(shadow: &mut Self, g: &Self, left: &Self, _right: &Self) {
                let left = $crate::num::Arithmetic::conj(::core::clone::Clone::clone(left));
                let (sum, g) = (::core::clone::Clone::clone(shadow), ::core::clone::Clone::clone(g));
                *shadow = $crate::num::Arithmetic::minus_product(sum, g, left);
            }
        }

        /// `∂(l/r)/∂l = 1/r` and `∂(l/r)/∂r = −(1/r)(l/r)`, where no square
        /// overflows.
        impl<$($parameters)*> $crate::derivative::PullDiv for $type {
            type Output = Self;
            #[inline]
            fn pull_div_left(g: &Self, _left: &Self, right: &Self) -> Self {
                let right = $crate::num::Arithmetic::conj(::core::clone::Clone::clone(right));
                // A division that need not wait for the gradient.
                ::core::clone::Clone::clone(g) * $crate::num::Arithmetic::recip(right)
            }
            #[inline]
            fn pull_div_right(g: &Self, left: &Self, right: &Self, quotient: &Self) -> Self {
                let by = <Self as $crate::derivative::PullDiv>::pull_div_left(g, left, right);
                let quotient = ::core::clone::Clone::clone(quotient);
                -(by * $crate::num::Arithmetic::conj(quotient))
            }
        }
    };
    ($type:ty) => {
        $crate::field_rules!([] $type);
    };
}

/// The derivatives of what compares, for a [`Real`](crate::num::Real) type:
/// [`PullOrder`](crate::derivative::PullOrder), which that asks for, and
/// [`PullRem`](crate::derivative::PullRem).
///
/// `order_rules!(Number);`, or with parameters
/// `order_rules!([const FRAC: u32] Number<FRAC>);`.
#[macro_export]
macro_rules! order_rules {
    ([$($parameters:tt)*] $type:ty) => {
        impl<$($parameters)*> $crate::derivative::PullOrder for $type {
            #[inline]
            fn pull_abs(g: &Self, x: &Self) -> Self {
                ::core::clone::Clone::clone(g) * $crate::derivative::slope::abs(x)
            }
            $crate::order_rules!(@extreme pull_min_left min_left);
            $crate::order_rules!(@extreme pull_min_right min_right);
            $crate::order_rules!(@extreme pull_max_left max_left);
            $crate::order_rules!(@extreme pull_max_right max_right);
        }

        /// `l % r = l − r trunc(l/r)`.
        impl<$($parameters)*> $crate::derivative::PullRem for $type {
            type Output = Self;
            #[inline]
            fn pull_rem_left(g: &Self, _left: &Self, _right: &Self) -> Self {
                ::core::clone::Clone::clone(g)
            }
            #[inline]
            fn pull_rem_right(g: &Self, left: &Self, right: &Self) -> Self {
                ::core::clone::Clone::clone(g) * $crate::derivative::slope::rem_right(left, right)
            }
        }
    };
    (@extreme $name:ident $slope:ident) => {
        #[inline]
        fn $name(g: &Self, left: &Self, right: &Self) -> Self {
            let slope = $crate::derivative::slope::$slope(left, right);
            // Nothing, also of an infinite gradient.
            if $crate::num::Arithmetic::is_zero(&slope) {
                slope
            } else {
                ::core::clone::Clone::clone(g) * slope
            }
        }
    };
    ($type:ty) => {
        $crate::order_rules!([] $type);
    };
}
