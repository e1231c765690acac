//! What functions give that are called on what was undone: an integer or the like is a decision,
//! and of what type it is, nobody but the compiler of Rust knows.

use super::decided::{Decided, Values, decide_value, recall_value};
use super::drift::{same_decision, unsettled};
use super::{Constant, Probe};
use crate::check::{Scale, Toward};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A call, which is made if it decides.
pub struct Given<F>(pub F);

/// The same call with values beside those that it is given: what tells what it gives then.
pub struct Nearby<G>(pub G);

/// Of a call that gives what carries no gradient.
pub trait GivenConstant {
    /// What tells the value from others.
    fn __witness(self) -> u64;
    /// Stops where another value within rounding would have it give something else.
    fn __settled_given<G: FnMut(Toward) -> u64>(
        self,
        parts: usize,
        scales: &[Scale],
        source: &'static str,
        other: Nearby<G>,
    );
}

fn witness<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<T: Constant + Hash, F: FnOnce() -> T> GivenConstant for Given<F> {
    #[inline]
    fn __witness(self) -> u64 {
        witness(&(self.0)())
    }
    #[inline]
    #[track_caller]
    fn __settled_given<G: FnMut(Toward) -> u64>(
        self,
        parts: usize,
        scales: &[Scale],
        source: &'static str,
        mut other: Nearby<G>,
    ) {
        let value = witness(&(self.0)());
        same_decision(parts, scales, source, |toward| (other.0)(toward) == value);
    }
}

/// Of all else: it is computed again, and carries a gradient or decides for itself.
pub trait GivenOther<T> {
    #[inline(always)]
    fn __witness(&self) -> u64 {
        0
    }
    #[inline(always)]
    fn __settled_given<G: FnMut(Toward) -> u64>(
        &self,
        _parts: usize,
        _scales: &[Scale],
        _source: &'static str,
        _other: Nearby<G>,
    ) {
    }
}

impl<T, F: FnOnce() -> T> GivenOther<T> for Given<F> {}

/// What a call gives that decides.
pub trait ToldConstant {
    /// What tells it from others.
    fn __told(&self) -> u64;
}

impl<T: Constant + Hash> ToldConstant for Probe<'_, T> {
    #[inline]
    fn __told(&self) -> u64 {
        witness(self.0)
    }
}

/// What another call gives, which is not asked.
pub trait ToldOther {
    #[inline(always)]
    fn __told(&self) -> u64 {
        0
    }
}

impl<T: ?Sized> ToldOther for &Probe<'_, T> {}

/// Keeps what tells the value from others that a call has given.
#[inline]
pub fn decide_given(
    own: &mut Decided<Values<u64>>,
    outer: &mut [&mut Decided<Values<u64>>],
    source: &'static str,
    witness: impl Fn() -> u64,
) {
    let kept = decide_value(own, outer, &witness);
    if kept != witness() {
        unsettled(source);
    }
}

/// Stops if the call gives another value now.
#[inline]
#[track_caller]
pub fn recall_given(
    own: &mut Decided<Values<u64>>,
    outer: &mut [&mut Decided<Values<u64>>],
    source: &'static str,
    witness: impl Fn() -> u64,
) {
    if recall_value(own, outer) != witness() {
        unsettled(source);
    }
}
