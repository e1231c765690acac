//! Views: a value seen through a bijection.
//!
//! A view changes a place, lends it, and changes it back when it is dropped.
//! What is done to the view is thereby done to the value behind it:
//!
//! ```
//! use retrograde::view::negated;
//!
//! let mut x = 10.0;
//! *negated(&mut x) += 3.0;
//! assert_eq!(x, 7.0);
//! *negated(&mut x) -= 3.0;
//! assert_eq!(x, 10.0);
//! ```
//!
//! Views nest: `negated(&mut *conjugated(&mut z))` is minus the conjugate of `z`.
//!
//! The gradient with respect to what a view shows is the same view of the
//! gradient with respect to the place, for [`negated`], [`conjugated`] and
//! [`inverted`]; for [`shifted`], it is that gradient itself. So these four can
//! be differentiated:
//!
//! ```
//! use retrograde::prelude::*;
//!
//! #[reversible]
//! fn subtract_square(y: &mut f64, x: &f64) {
//!     *negated(&mut *y) += *x * *x;
//! }
//!
//! let (mut y, mut d_y, x, mut d_x) = (1.0, 1.0, 3.0, 0.0);
//! subtract_square::adjoint(&mut y, &mut d_y, &x, &mut d_x);
//! assert_eq!((y, d_x), (10.0, -6.0));
//! ```

use crate::instructions::Reciprocal;
use crate::num::{AdditiveGroup, Arithmetic};
use std::fmt::{self, Debug};
use std::ops::{Deref, DerefMut};

/// A change of a value that another change undoes.
///
/// A pair of functions is one: `(apply, undo)`. See [`viewed`].
pub trait Bijection<T: ?Sized> {
    /// Changes the value.
    fn apply(&self, x: &mut T);
    /// Changes it back.
    fn undo(&self, x: &mut T);
}

impl<T: ?Sized, A: Fn(&mut T), U: Fn(&mut T)> Bijection<T> for (A, U) {
    #[inline]
    fn apply(&self, x: &mut T) {
        self.0(x);
    }
    #[inline]
    fn undo(&self, x: &mut T) {
        self.1(x);
    }
}

/// A place seen through a bijection, until this is dropped.
#[must_use = "a view that is not used changes nothing"]
pub struct View<'a, T: ?Sized, B: Bijection<T>> {
    place: &'a mut T,
    bijection: B,
}

impl<T: ?Sized, B: Bijection<T>> Deref for View<'_, T, B> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        self.place
    }
}

impl<T: ?Sized, B: Bijection<T>> DerefMut for View<'_, T, B> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.place
    }
}

impl<T: ?Sized, B: Bijection<T>> Drop for View<'_, T, B> {
    #[inline]
    fn drop(&mut self) {
        self.bijection.undo(self.place);
    }
}

impl<T: Debug + ?Sized, B: Bijection<T>> Debug for View<'_, T, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(f)
    }
}

/// The place, seen through a bijection of your own.
///
/// ```
/// use retrograde::view::viewed;
///
/// // A bit set, seen from the other end.
/// let reverse = |bits: &mut u8| *bits = bits.reverse_bits();
/// let mut bits = 0b0000_0001;
/// *viewed(&mut bits, (reverse, reverse)) ^= 0b0000_0110;
/// assert_eq!(bits, 0b0110_0001);
/// ```
#[inline]
pub fn viewed<T: ?Sized, B: Bijection<T>>(place: &mut T, bijection: B) -> View<'_, T, B> {
    bijection.apply(place);
    View { place, bijection }
}

/// `x ↦ −x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Negation;

impl<T: AdditiveGroup> Bijection<T> for Negation {
    #[inline]
    fn apply(&self, x: &mut T) {
        x.negate();
    }
    #[inline]
    fn undo(&self, x: &mut T) {
        x.negate();
    }
}

/// The place, seen as `−x`.
///
/// ```
/// # use retrograde::view::negated;
/// let mut x = 1;
/// *negated(&mut x) += 5;
/// assert_eq!(x, -4);
/// ```
#[inline]
pub fn negated<T: AdditiveGroup>(place: &mut T) -> View<'_, T, Negation> {
    viewed(place, Negation)
}

/// `z ↦ z*`, the complex conjugate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conjugation;

impl<T: Arithmetic> Bijection<T> for Conjugation {
    #[inline]
    fn apply(&self, z: &mut T) {
        *z = z.clone().conj();
    }
    #[inline]
    fn undo(&self, z: &mut T) {
        *z = z.clone().conj();
    }
}

/// The place, seen as its complex conjugate.
///
/// ```
/// # use retrograde::{num::Complex, view::conjugated};
/// let mut z = Complex::new(1.0, 2.0);
/// *conjugated(&mut z) += Complex::new(0.0, 1.0);
/// assert_eq!(z, Complex::new(1.0, 1.0));
/// ```
#[inline]
pub fn conjugated<T: Arithmetic>(place: &mut T) -> View<'_, T, Conjugation> {
    viewed(place, Conjugation)
}

/// `x ↦ x + by`: exact for integers and fixed point, up to round-off for floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift<T> {
    /// What is added.
    pub by: T,
}

impl<T: AdditiveGroup> Bijection<T> for Shift<T> {
    #[inline]
    fn apply(&self, x: &mut T) {
        x.accumulate(self.by.clone());
    }
    #[inline]
    fn undo(&self, x: &mut T) {
        x.retract(self.by.clone());
    }
}

/// The place, seen as `x + by`.
///
/// ```
/// # use retrograde::{instructions::neg, view::shifted};
/// // A reflection about 20.
/// let mut x = 27;
/// neg(&mut *shifted(&mut x, -20));
/// assert_eq!(x, 13);
/// ```
#[inline]
pub fn shifted<T: AdditiveGroup>(place: &mut T, by: T) -> View<'_, T, Shift<T>> {
    viewed(place, Shift { by })
}

/// `x ↦ 1/x`, on numbers whose reciprocal is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inversion;

impl<T: Reciprocal> Bijection<T> for Inversion {
    #[inline]
    fn apply(&self, x: &mut T) {
        x.reciprocate();
    }
    #[inline]
    fn undo(&self, x: &mut T) {
        x.reciprocate();
    }
}

/// The place, seen as `1/x`.
///
/// ```
/// # use retrograde::{num::Logarithmic, view::inverted};
/// let mut x = Logarithmic::from_ln(3.0);
/// *inverted(&mut x) *= Logarithmic::from_ln(1.0);
/// assert_eq!(x, Logarithmic::from_ln(2.0));
/// ```
#[inline]
pub fn inverted<T: Reciprocal>(place: &mut T) -> View<'_, T, Inversion> {
    viewed(place, Inversion)
}

#[cfg(test)]
mod tests;
