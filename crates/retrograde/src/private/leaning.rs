//! Whether the digits are left of what is undone that a steep function looks at.

use super::Probe;
use crate::check::{Check, Slack};
use crate::error::{Broken, fail};
use crate::num::Zero;

/// The largest that a number was on its way back, before that begins.
#[inline]
pub fn nothing_seen() -> f64 {
    0.0
}

/// The magnitude of a literal.
#[inline]
pub fn magnitude_of(literal: impl Into<f64>) -> f64 {
    literal.into().abs()
}

/// Takes note of the extent of a number before something of it is undone.
#[inline]
pub fn see_back(largest: &mut f64, extent: f64) {
    if extent > *largest {
        *largest = extent;
    }
}

/// Stops if fewer than half of the digits can be left of a number, of which parts were as large as
/// `largest` on the way back.
pub trait DigitsLeft {
    fn __digits_left(&self, largest: f64, source: &'static str);
}

/// Of no type has half of the digits less than these parts.
const NEAR: f64 = 1e3;

impl<T: Check + Zero> DigitsLeft for Probe<'_, T> {
    #[inline]
    #[track_caller]
    fn __digits_left(&self, largest: f64, source: &'static str) {
        if self.0.magnitude() * NEAR < largest {
            compare(self.0, largest, source);
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn compare<T: Check + Zero>(value: &T, largest: f64, source: &'static str) {
    if largest.is_finite() && value.agrees(&T::zero(), Slack::half_the_digits(largest)) {
        let expected = "a number of which half of the digits are left".to_string();
        fail(Broken::Digits, source, expected, format!("{value:?}, undone from {largest:.1e}"));
    }
}

/// Of what nobody can compare.
pub trait NoDigits {
    fn __digits_left(&self, largest: f64, source: &'static str);
}

impl<T> NoDigits for &Probe<'_, T> {
    #[inline]
    fn __digits_left(&self, _largest: f64, _source: &'static str) {}
}
