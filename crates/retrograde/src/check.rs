//! The run-time checks that generated code makes, and how values are compared.
//!
//! Comparisons are exact for integers, `bool` and fixed point. Floats carry
//! round-off, so they are compared relative to the largest magnitude that the
//! ancilla was seen to hold: one that once held `1e10` may come back with a
//! residue that one which held `1e-10` may not.

use crate::error::{Broken, fail};
use std::fmt::Debug;

/// Values that a run-time check can compare.
///
/// `#[derive(AdditiveGroup)]` implements it field by field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared by a reversibility check",
    label = "its value is compared with the known one here",
    note = "help: derive `AdditiveGroup` for a struct of numbers, implement `retrograde::check::Check`, or put `#[unchecked]` on the statement"
)]
pub trait Check: Debug {
    /// The largest absolute component; 0 for types that are compared exactly.
    fn magnitude(&self) -> f64;
    /// Whether `self` is `expected`, up to round-off at the given scale.
    fn agrees(&self, expected: &Self, scale: f64) -> bool;
    /// Reports that `self` is not what was expected.
    ///
    /// Small types override it to pass on copies: a reference, even one that is
    /// used on the way to a panic only, would keep the value in memory.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    fn refuse(&self, expected: &Self, broken: Broken, source: &'static str) -> ! {
        refuse(self, expected, broken, source)
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse<T: Debug + ?Sized>(found: &T, expected: &T, broken: Broken, source: &'static str) -> ! {
    fail(broken, source, format!("{expected:?}"), format!("{found:?}"))
}

/// As the default of [`Check::refuse`], for values that fit in a register.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn refuse_small<T: Debug>(
    found: T,
    expected: T,
    broken: Broken,
    source: &'static str,
) -> ! {
    refuse(&found, &expected, broken, source)
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse_bool(expected: bool, broken: Broken, source: &'static str) -> ! {
    refuse(&!expected, &expected, broken, source)
}

/// Compares floats: within `tolerance` of the scale, or both not a number.
#[inline]
pub fn floats_agree(found: f64, expected: f64, scale: f64, tolerance: f64) -> bool {
    let scale = scale.max(found.abs()).max(expected.abs());
    found == expected
        || (found - expected).abs() <= tolerance * scale && scale.is_finite()
        || found.is_nan() && expected.is_nan()
}

/// Implements [`Check`] by `==`, for types without round-off.
#[macro_export]
macro_rules! check_exactly {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::check::Check for $type {
            #[inline]
            fn magnitude(&self) -> f64 {
                0.0
            }
            #[inline]
            fn agrees(&self, expected: &Self, _scale: f64) -> bool {
                self == expected
            }
        }
    )+};
}

check_exactly!((), char, str, String, std::ops::Range<usize>, std::ops::RangeInclusive<usize>);

impl<T: Check> Check for [T] {
    fn magnitude(&self) -> f64 {
        self.iter().map(T::magnitude).fold(0.0, f64::max)
    }
    fn agrees(&self, expected: &Self, scale: f64) -> bool {
        self.len() == expected.len() && self.iter().zip(expected).all(|(a, b)| a.agrees(b, scale))
    }
}

impl<T: Check> Check for Vec<T> {
    fn magnitude(&self) -> f64 {
        self.as_slice().magnitude()
    }
    fn agrees(&self, expected: &Self, scale: f64) -> bool {
        self.as_slice().agrees(expected, scale)
    }
}

impl<T: Check, const N: usize> Check for [T; N] {
    #[inline]
    fn magnitude(&self) -> f64 {
        self.as_slice().magnitude()
    }
    #[inline]
    fn agrees(&self, expected: &Self, scale: f64) -> bool {
        self.as_slice().agrees(expected, scale)
    }
}

impl<T: Check> Check for Option<T> {
    fn magnitude(&self) -> f64 {
        self.as_ref().map_or(0.0, T::magnitude)
    }
    fn agrees(&self, expected: &Self, scale: f64) -> bool {
        match (self, expected) {
            (Some(a), Some(b)) => a.agrees(b, scale),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl<T: Check + ?Sized> Check for &T {
    fn magnitude(&self) -> f64 {
        (**self).magnitude()
    }
    fn agrees(&self, expected: &Self, scale: f64) -> bool {
        (**self).agrees(expected, scale)
    }
}

impl<T: Check + ?Sized> Check for Box<T> {
    fn magnitude(&self) -> f64 {
        (**self).magnitude()
    }
    fn agrees(&self, expected: &Self, scale: f64) -> bool {
        (**self).agrees(expected, scale)
    }
}

macro_rules! check_tuples {
    ($(($($name:ident $index:tt),+))+) => {$(
        impl<$($name: Check),+> Check for ($($name,)+) {
            #[inline]
            fn magnitude(&self) -> f64 {
                0.0_f64$(.max(self.$index.magnitude()))+
            }
            #[inline]
            fn agrees(&self, expected: &Self, scale: f64) -> bool {
                true $(&& self.$index.agrees(&expected.$index, scale))+
            }
        }
    )+};
}

check_tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
}

/// The largest magnitude that an ancilla was seen to hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scale(f64);

impl Scale {
    /// A scale that has seen one value.
    #[inline]
    pub fn of<T: Check + ?Sized>(value: &T) -> Self {
        Scale(value.magnitude())
    }

    /// Takes note of a value on its way.
    #[inline]
    pub fn see<T: Check + ?Sized>(&mut self, value: &T) {
        let magnitude = value.magnitude();
        // Not `f64::max`: this is one comparison, and a NaN must not win.
        if magnitude > self.0 {
            self.0 = magnitude;
        }
    }

    /// An ancilla must hold its known value when it is released.
    #[inline]
    #[track_caller]
    pub fn released<T: Check + ?Sized>(self, found: &T, expected: &T, source: &'static str) {
        if !found.agrees(expected, self.0) {
            found.refuse(expected, Broken::Ancilla, source);
        }
    }

    /// An ancilla made by `vec![value; length]` must hold just that when it is
    /// released; unlike [`Scale::released`], needs no second vector.
    #[inline]
    #[track_caller]
    pub fn released_filled<T: Check>(
        self,
        found: &[T],
        value: &T,
        length: usize,
        source: &'static str,
    ) {
        let differs = found.iter().position(|element| !T::agrees(element, value, self.0));
        if found.len() != length || differs.is_some() {
            refuse_filled(found, value, length, differs, source);
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse_filled<T: Debug>(
    found: &[T],
    value: &T,
    length: usize,
    differs: Option<usize>,
    source: &'static str,
) -> ! {
    let (expected, found) = match differs {
        Some(i) => (format!("{value:?} at index {i}"), format!("{:?}", found[i])),
        None => (format!("{length} elements"), format!("{} elements", found.len())),
    };
    fail(Broken::Ancilla, source, expected, found)
}

/// The operands of a `let` must give its value again at the end of its scope.
#[inline]
#[track_caller]
pub fn still_bound<T: Check + ?Sized>(bound: &T, now: &T, source: &'static str) {
    if !now.agrees(bound, bound.magnitude()) {
        now.refuse(bound, Broken::Binding, source);
    }
}

/// The condition that holds after a branch must say which branch was taken.
#[inline]
#[track_caller]
pub fn branch(expected: bool, found: bool, source: &'static str) {
    if expected != found {
        refuse_bool(expected, Broken::Branch, source);
    }
}

/// The postcondition of a `while`: false on entry, true after every pass.
#[inline]
#[track_caller]
pub fn pass(expected: bool, found: bool, source: &'static str) {
    if expected != found {
        refuse_bool(expected, Broken::Loop, source);
    }
}

/// The bounds of a loop must be the same after it.
#[inline]
#[track_caller]
pub fn bounds<T: PartialEq + Debug>(before: &T, after: &T, source: &'static str) {
    if before != after {
        refuse(after, before, Broken::Bounds, source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_compared_at_the_scale_that_was_seen() {
        let tolerance = f64::EPSILON.sqrt();
        assert!(floats_agree(1e-7, 0.0, 1e10, tolerance));
        assert!(!floats_agree(1e-7, 0.0, 1.0, tolerance));
        assert!(!floats_agree(1e-20, 0.0, 1e-15, tolerance));
        assert!(floats_agree(f64::NAN, f64::NAN, 1.0, tolerance));
        assert!(!floats_agree(f64::NAN, 0.0, 1.0, tolerance));
        assert!(floats_agree(f64::INFINITY, f64::INFINITY, 1.0, tolerance));
        assert!(!floats_agree(1.0, 0.0, f64::INFINITY, tolerance));
    }
}
