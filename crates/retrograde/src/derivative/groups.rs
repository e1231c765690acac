//! The rules of numbers whose product is a sum inside.
//!
//! The shadow of a [`Logarithmic`] number `x` holds `∂L/∂(ln x)`, that of a
//! [`Tropical`] one the derivative by the number inside: the coordinates in
//! which products are sums. A shadow is zero where it holds the ordinary zero.

use super::{Differentiable, PullAdd, PullDiv, PullMul, PullOrder, PullSub};
use crate::check::{Astray, Changes, Slack, Toward};
use crate::num::{AdditiveGroup, Logarithmic, Real, Tropical};

/// How a gradient goes back through `y *= factor`, on a type with a
/// [`MultiplicativeGroup`](crate::num::MultiplicativeGroup).
///
/// The gradient of `y` is that of the `y` before, and the factor gets the result
/// of [`pull_multiply`](Self::pull_multiply); with `y /= factor`, the shadow of
/// the factor has it subtracted.
///
/// ```
/// use retrograde::derivative::PullFactor;
/// use retrograde::num::Logarithmic;
///
/// // ln y grows by as much as the logarithm of the factor.
/// let (g, factor) = (Logarithmic::from_ln(3.0), Logarithmic::new(7.0));
/// assert_eq!(Logarithmic::pull_multiply(&g, &factor), g);
/// ```
pub trait PullFactor<Rhs = Self>: Sized {
    /// What the factor gets of the gradient `g` of the product.
    fn pull_multiply(g: &Self, factor: &Rhs) -> Rhs;
}

fn negated<T: AdditiveGroup>(x: &T) -> T {
    let mut x = x.clone();
    x.negate();
    x
}

/// What both types have, with the field that holds the number inside.
macro_rules! groups {
    ($($type:ident $field:tt)+) => {$(
        impl<T: Differentiable> Differentiable for $type<T> {
            #[inline]
            fn zero_like(&self) -> Self {
                $type { $field: self.$field.zero_like() }
            }
            #[inline]
            fn neutral_like(&self) -> Self {
                $type { $field: self.$field.neutral_like() }
            }
            #[inline]
            fn accumulate_shadow(&mut self, other: Self) {
                self.$field.accumulate_shadow(other.$field);
            }
            #[inline]
            fn retract_shadow(&mut self, other: Self) {
                self.$field.retract_shadow(other.$field);
            }
            #[inline]
            fn negated_shadow(&self) -> Self {
                $type { $field: self.$field.negated_shadow() }
            }
            #[inline]
            fn extent(&self) -> f64 {
                self.$field.extent()
            }
            #[inline]
            fn changes(&self, before: &Self) -> Changes {
                self.$field.changes(&before.$field)
            }
            #[inline]
            fn astray(&self, expected: &Self, slack: Slack) -> Option<Astray> {
                self.$field.astray(&expected.$field, slack)
            }
            #[inline]
            fn nudge_value(&mut self, slack: Slack, toward: Toward) {
                self.$field.nudge_value(slack, toward);
            }
        }

        impl<T: Clone> PullFactor for $type<T> {
            #[inline]
            fn pull_multiply(g: &Self, _factor: &Self) -> Self {
                g.clone()
            }
        }

        impl<T: Clone> PullMul for $type<T> {
            type Output = Self;
            #[inline]
            fn pull_mul_left(g: &Self, _left: &Self, _right: &Self) -> Self {
                g.clone()
            }
            #[inline]
            fn pull_mul_right(g: &Self, _left: &Self, _right: &Self) -> Self {
                g.clone()
            }
        }

        impl<T: AdditiveGroup> PullDiv for $type<T> {
            type Output = Self;
            #[inline]
            fn pull_div_left(g: &Self, _left: &Self, _right: &Self) -> Self {
                g.clone()
            }
            #[inline]
            fn pull_div_right(
                g: &Self,
                _left: &Self,
                _right: &Self,
                _quotient: &Self,
            ) -> Self {
                $type { $field: negated(&g.$field) }
            }
        }
    )+};
}

groups!(Logarithmic log Tropical 0);

/// `a / (a + b)`, from the logarithms.
fn part_of_sum<T: Real>(a: &T, b: &T) -> T {
    let d = a.clone() - b.clone();
    // Two zeros, or two infinities, have no difference of logarithms.
    if a == b && !d.is_zero() {
        return T::literal(0.5);
    }
    // The exponential of what is negative, lest it overflow.
    if d < T::zero() {
        let ratio = d.exp();
        ratio.clone() / (T::one() + ratio)
    } else {
        (T::one() + (-d).exp()).recip()
    }
}

/// `∂ ln(a + b)/∂ ln a = a / (a + b)`.
impl<T: Real> PullAdd for Logarithmic<T> {
    type Output = Self;
    #[inline]
    fn pull_add_left(g: &Self, left: &Self, right: &Self) -> Self {
        Self::from_ln(g.ln() * part_of_sum(&left.log, &right.log))
    }
    #[inline]
    fn pull_add_right(g: &Self, left: &Self, right: &Self) -> Self {
        Self::from_ln(g.ln() * part_of_sum(&right.log, &left.log))
    }
}

/// `∂ ln(a − b)/∂ ln a = a / (a − b) = 1 / (1 − e^−d)` and
/// `∂ ln(a − b)/∂ ln b = −b / (a − b) = −e^−d / (1 − e^−d)`, with
/// `d = ln a − ln b`. Where both terms are the number zero, so are these.
impl<T: Real> PullSub for Logarithmic<T> {
    type Output = Self;
    fn pull_sub_left(g: &Self, left: &Self, right: &Self) -> Self {
        let d = right.ln() - left.ln();
        if left == right && !d.is_zero() {
            return Self::one();
        }
        Self::from_ln(-(g.ln() / d.exp_m1()))
    }
    fn pull_sub_right(g: &Self, left: &Self, right: &Self) -> Self {
        let d = right.ln() - left.ln();
        if left == right && !d.is_zero() {
            return Self::one();
        }
        Self::from_ln(g.ln() * d.clone().exp() / d.exp_m1())
    }
}

/// That of the larger term, or half by each at a tie.
impl<T: PullOrder> PullAdd for Tropical<T> {
    type Output = Self;
    #[inline]
    fn pull_add_left(g: &Self, left: &Self, right: &Self) -> Self {
        Tropical(T::pull_max_left(&g.0, &left.0, &right.0))
    }
    #[inline]
    fn pull_add_right(g: &Self, left: &Self, right: &Self) -> Self {
        Tropical(T::pull_max_right(&g.0, &left.0, &right.0))
    }
}
