//! How far what was undone is from where it began, of whatever type it is.
//!
//! What can have a shadow says so itself; of other types, those that checks can compare.
//! The compiler's search for a method finds the first that applies: for `&&Probe`, that of
//! `&Probe`, then that of `&&Probe`, and last that of `Probe`.

use super::Probe;
use crate::check::{Astray, Check, Slack};
use crate::derivative::Differentiable;

/// A slice that was undone.
pub struct Elements<'a, T>(pub &'a [T]);

pub trait OfShadowed {
    type Value;
    fn __extent(&self) -> f64;
    fn __astray(&self, expected: &Self::Value, slack: Slack) -> Option<Astray>;
}

impl<T: Differentiable> OfShadowed for &Probe<'_, T> {
    type Value = T;
    #[inline]
    fn __extent(&self) -> f64 {
        self.0.extent()
    }
    #[inline]
    fn __astray(&self, expected: &T, slack: Slack) -> Option<Astray> {
        self.0.astray(expected, slack)
    }
}

pub trait OfChecked {
    type Value;
    fn __extent(&self) -> f64;
    fn __astray(&self, expected: &Self::Value, slack: Slack) -> Option<Astray>;
}

impl<T: Check> OfChecked for &&Probe<'_, T> {
    type Value = T;
    #[inline]
    fn __extent(&self) -> f64 {
        self.0.magnitude()
    }
    #[inline]
    fn __astray(&self, expected: &T, slack: Slack) -> Option<Astray> {
        Astray::of(self.0, expected, slack)
    }
}

pub trait NoDrift<T> {
    fn __extent(&self) -> f64;
    fn __astray(&self, expected: &T, slack: Slack) -> Option<Astray>;
}

impl<T> NoDrift<T> for Probe<'_, T> {
    #[inline]
    fn __extent(&self) -> f64 {
        0.0
    }
    #[inline]
    fn __astray(&self, _expected: &T, _slack: Slack) -> Option<Astray> {
        None
    }
}

pub trait OfElements {
    type Value;
    fn __extent(&self) -> f64;
    fn __astray_from(&self, expected: &[Self::Value], slack: Slack) -> Option<Astray>;
    fn __astray_of(&self, value: &Self::Value, length: usize, slack: Slack) -> Option<Astray>;
}

impl<T: Differentiable> OfElements for &Elements<'_, T> {
    type Value = T;
    #[inline]
    fn __extent(&self) -> f64 {
        self.0.iter().map(T::extent).fold(0.0, f64::max)
    }
    #[inline]
    fn __astray_from(&self, expected: &[T], slack: Slack) -> Option<Astray> {
        Astray::of_lengths(self.0.len(), expected.len())
            .or_else(|| Astray::among(self.0.iter().zip(expected), |a, b| a.astray(b, slack)))
    }
    #[inline]
    fn __astray_of(&self, value: &T, length: usize, slack: Slack) -> Option<Astray> {
        Astray::of_lengths(self.0.len(), length)
            .or_else(|| Astray::among(self.0.iter().map(|a| (a, value)), |a, b| a.astray(b, slack)))
    }
}

pub trait OfCheckedElements {
    type Value;
    fn __extent(&self) -> f64;
    fn __astray_from(&self, expected: &[Self::Value], slack: Slack) -> Option<Astray>;
    fn __astray_of(&self, value: &Self::Value, length: usize, slack: Slack) -> Option<Astray>;
}

impl<T: Check> OfCheckedElements for &&Elements<'_, T> {
    type Value = T;
    #[inline]
    fn __extent(&self) -> f64 {
        self.0.magnitude()
    }
    #[inline]
    fn __astray_from(&self, expected: &[T], slack: Slack) -> Option<Astray> {
        Astray::of_lengths(self.0.len(), expected.len())
            .or_else(|| Astray::among(self.0.iter().zip(expected), |a, b| Astray::of(a, b, slack)))
    }
    #[inline]
    fn __astray_of(&self, value: &T, length: usize, slack: Slack) -> Option<Astray> {
        Astray::of_lengths(self.0.len(), length).or_else(|| {
            Astray::among(self.0.iter().map(|a| (a, value)), |a, b| Astray::of(a, b, slack))
        })
    }
}

pub trait NoDriftOfElements<T> {
    fn __extent(&self) -> f64;
    fn __astray_from(&self, expected: &[T], slack: Slack) -> Option<Astray>;
    fn __astray_of(&self, value: &T, length: usize, slack: Slack) -> Option<Astray>;
}

impl<T> NoDriftOfElements<T> for Elements<'_, T> {
    #[inline]
    fn __extent(&self) -> f64 {
        0.0
    }
    #[inline]
    fn __astray_from(&self, _expected: &[T], _slack: Slack) -> Option<Astray> {
        None
    }
    #[inline]
    fn __astray_of(&self, _value: &T, _length: usize, _slack: Slack) -> Option<Astray> {
        None
    }
}
