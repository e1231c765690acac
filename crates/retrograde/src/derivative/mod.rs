//! Derivatives: what a shadow is, and how a gradient goes back through each
//! operation on each type.
//!
//! The *shadow* of a value has the type and the shape of the value, and holds
//! the gradient with respect to it. [`Differentiable`] makes a shadow and adds
//! to it. [`PullAdd`], [`PullSub`], [`PullMul`], [`PullDiv`] and [`PullRem`] say
//! how the gradient with respect to a result goes back to the operands; the
//! functions of [`slope`] and [`pull`] say it for the elementary functions.
//! Generated code calls them; for scalars they are inlined to the formulas that
//! one would write by hand.

#[cfg(any(feature = "faer", feature = "nalgebra", feature = "ndarray"))]
mod arrays;
mod container;
mod generated;
mod geometry;
mod groups;
mod maps;
#[cfg(feature = "nalgebra")]
mod nalgebra;
mod numbers;
pub mod pull;
mod rules;
mod shadow;
pub mod slope;
#[cfg(test)]
mod tests;

pub use container::{Container, Part};
pub use generated::{
    Elements, NoShadow, PullCast, accumulate_each, accumulate_factors, accumulate_slice,
    add_shadow, cast, chain, content, is_not_zero, negated, retract_each, retract_factors,
    retract_slice, shadow, stand_in, sum,
};
pub use geometry::{PullArg, PullDot, PullNorm, RealShare, real_share};
pub use groups::PullFactor;
pub use rules::{PullAdd, PullDiv, PullMul, PullNeg, PullOrder, PullRem, PullSub};
pub(crate) use shadow::breadth;
pub use shadow::{Differentiable, Misfit, ToShadow};

/// The shadow of a value before anything was added to it: zeros of its shape.
///
/// ```
/// assert_eq!(retrograde::derivative::zero_like(&2.5), 0.0);
/// assert_eq!(retrograde::derivative::zero_like(&[1.0, 2.0][..]), vec![0.0, 0.0]);
/// ```
#[inline]
pub fn zero_like<V: ToShadow + ?Sized>(value: &V) -> V::Shadow {
    value.zero_like()
}
