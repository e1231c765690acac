//! Iterators that run backwards exactly as they ran forwards.
//!
//! The inverse of a `for` visits the same elements in the opposite order. Two
//! of the standard adapters make that impossible, or impossible to see: `zip`
//! drops the tail of the longer side, and `step_by` on most ranges has no
//! `rev`. Generated code uses the two functions of this module instead.

use crate::error::{Broken, fail};
use std::iter::{FusedIterator, Rev, Zip};
use std::ops::{Range, RangeInclusive};

/// [`Iterator::zip`] of two sides that must have equal lengths.
///
/// ```
/// use retrograde::error::{Broken, InvertibilityError};
/// use retrograde::iter::zip;
///
/// let source = "for (y, x) in ys.iter_mut().zip(xs)";
/// let mut ys = [1, 2];
/// for (y, x) in zip(ys.iter_mut(), &[10, 20], source).rev() {
///     *y += x;
/// }
/// assert_eq!(ys, [11, 22]);
///
/// let panic = std::panic::catch_unwind(|| zip([1, 2, 3], [1, 2], source));
/// let error = panic.unwrap_err().downcast::<InvertibilityError>().unwrap();
/// assert_eq!(error.broken, Broken::Lengths);
/// assert_eq!(error.found, "3 and 2");
/// ```
#[inline]
#[track_caller]
pub fn zip<A, B>(a: A, b: B, source: &'static str) -> Zip<A::IntoIter, B::IntoIter>
where
    A: IntoIterator<IntoIter: ExactSizeIterator>,
    B: IntoIterator<IntoIter: ExactSizeIterator>,
{
    let (a, b) = (a.into_iter(), b.into_iter());
    if a.len() != b.len() {
        unequal(a.len(), b.len(), source);
    }
    a.zip(b)
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn unequal(a: usize, b: usize, source: &'static str) -> ! {
    fail(Broken::Lengths, source, "equal lengths".to_string(), format!("{a} and {b}"))
}

/// The sequence of `range.step_by(step)`, from either end.
///
/// `range` is `a..b`, `a..=b`, or one of them after `.rev()`, of any primitive
/// integer. Every step works, also one that does not divide the length, and
/// nothing overflows at the limits of the type.
///
/// ```
/// use retrograde::iter::stepped;
///
/// let forwards: Vec<u8> = stepped(250..=255, 3).collect();
/// let backwards: Vec<u8> = stepped(250..=255, 3).rev().collect();
/// assert_eq!(forwards, [250, 253]);
/// assert_eq!(backwards, [253, 250]);
///
/// let down: Vec<u8> = stepped((0..10).rev(), 4).collect();
/// assert_eq!(down, [9, 5, 1]);
/// ```
///
/// # Panics
///
/// If `step` is 0, as [`Iterator::step_by`] does, or if there are more steps
/// than a `usize` can count.
#[inline]
#[track_caller]
pub fn stepped<R: IntegerRange>(range: R, step: usize) -> Stepped<R::Integer> {
    assert!(step != 0, "the step of a loop must not be 0");
    let Some((low, high)) = range.ends() else {
        let zero = R::Integer::truncated(0);
        return Stepped { front: zero, back: zero, stride: zero, remaining: 0 };
    };
    let gaps = R::Integer::gaps(low, high, step);
    let Some(remaining) = gaps.and_then(|gaps| gaps.checked_add(1)) else {
        panic!("the loop has more steps than a `usize` can count");
    };
    // A step too large for the type is truncated here, and never taken.
    let step = R::Integer::truncated(step);
    let span = step.times(R::Integer::truncated(remaining - 1));
    if R::DESCENDS {
        let stride = R::Integer::truncated(0).minus(step);
        Stepped { front: high, back: high.minus(span), stride, remaining }
    } else {
        Stepped { front: low, back: low.plus(span), stride: step, remaining }
    }
}

/// The iterator that [`stepped`] makes.
///
/// It counts the elements that remain, so that the loop has one counter that
/// every optimiser knows, and it holds the next element of either end, so that
/// no pass multiplies. The element beyond an end may wrap; it is never given out.
#[derive(Clone, Debug)]
pub struct Stepped<I> {
    front: I,
    back: I,
    stride: I,
    remaining: usize,
}

impl<I: Integer> Iterator for Stepped<I> {
    type Item = I;

    #[inline]
    fn next(&mut self) -> Option<I> {
        self.remaining = self.remaining.checked_sub(1)?;
        let element = self.front;
        self.front = element.plus(self.stride);
        Some(element)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl<I: Integer> DoubleEndedIterator for Stepped<I> {
    #[inline]
    fn next_back(&mut self) -> Option<I> {
        self.remaining = self.remaining.checked_sub(1)?;
        let element = self.back;
        self.back = element.minus(self.stride);
        Some(element)
    }
}

impl<I: Integer> ExactSizeIterator for Stepped<I> {}

impl<I: Integer> FusedIterator for Stepped<I> {}

/// A range that [`stepped`] accepts.
#[diagnostic::on_unimplemented(
    message = "the loop over `{Self}` cannot be run backwards in steps",
    note = "help: step over `a..b` or `a..=b` with integer bounds, or the same after `.rev()`"
)]
pub trait IntegerRange {
    /// The type of the bounds.
    type Integer: Integer;
    /// Whether the range is run from its largest element to its smallest.
    const DESCENDS: bool;
    /// The smallest and the largest element; `None` if the range is empty.
    fn ends(self) -> Option<(Self::Integer, Self::Integer)>;
}

impl<I: Integer> IntegerRange for Range<I> {
    type Integer = I;
    const DESCENDS: bool = false;

    #[inline]
    fn ends(self) -> Option<(I, I)> {
        let Range { start, end } = self;
        if start < end { Some((start, end.minus(I::truncated(1)))) } else { None }
    }
}

impl<I: Integer> IntegerRange for RangeInclusive<I> {
    type Integer = I;
    const DESCENDS: bool = false;

    #[inline]
    fn ends(self) -> Option<(I, I)> {
        // `is_empty` also knows of a range that was iterated to its end.
        if self.is_empty() { None } else { Some(self.into_inner()) }
    }
}

impl<R> IntegerRange for Rev<R>
where
    R: IntegerRange + DoubleEndedIterator<Item = R::Integer>,
{
    type Integer = R::Integer;
    const DESCENDS: bool = !R::DESCENDS;

    #[inline]
    fn ends(mut self) -> Option<(R::Integer, R::Integer)> {
        let front = self.next()?;
        let back = self.next_back().unwrap_or(front);
        if Self::DESCENDS { Some((back, front)) } else { Some((front, back)) }
    }
}

/// A primitive integer, as far as [`stepped`] needs to know it: arithmetic
/// wraps around.
pub trait Integer: Copy + PartialOrd {
    /// The lowest bits of `n`.
    fn truncated(n: usize) -> Self;
    /// `self + other`.
    fn plus(self, other: Self) -> Self;
    /// `self - other`.
    fn minus(self, other: Self) -> Self;
    /// `self * other`.
    fn times(self, other: Self) -> Self;
    /// How many whole steps lead from `low` up to at most `high`; `None` if
    /// they are too many for a `usize`.
    fn gaps(low: Self, high: Self, step: usize) -> Option<usize>;
}

macro_rules! integers {
    ($($type:ident: $unsigned:ident,)+) => {$(
        impl Integer for $type {
            #[inline]
            fn truncated(n: usize) -> Self {
                n as $type
            }
            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline]
            fn gaps(low: Self, high: Self, step: usize) -> Option<usize> {
                // The distance fits the unsigned type even where it does not
                // fit the signed one, as from `i8::MIN` to `i8::MAX`.
                let distance = high.wrapping_sub(low) as $unsigned;
                match $unsigned::try_from(step) {
                    Ok(step) => usize::try_from(distance / step).ok(),
                    Err(_) => Some(0),
                }
            }
        }
    )+};
}

integers! {
    u8: u8, u16: u16, u32: u32, u64: u64, u128: u128, usize: usize,
    i8: u8, i16: u16, i32: u32, i64: u64, i128: u128, isize: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Checks `stepped` against the standard library, from both ends.
    macro_rules! agrees_with_step_by {
        ($range:expr, $step:expr) => {
            let expected: Vec<_> = $range.step_by($step).collect();
            let reversed: Vec<_> = expected.iter().copied().rev().collect();
            let sequence = stepped($range, $step);
            prop_assert_eq!(sequence.len(), expected.len());
            prop_assert_eq!(sequence.clone().collect::<Vec<_>>(), expected);
            prop_assert_eq!(sequence.rev().collect::<Vec<_>>(), reversed);
        };
    }

    proptest! {
        #[test]
        fn stepped_is_step_by(a: u8, b: u8, c: i8, d: i8, step in 1..400_usize) {
            agrees_with_step_by!(a..b, step);
            agrees_with_step_by!(a..=b, step);
            agrees_with_step_by!((a..b).rev(), step);
            agrees_with_step_by!((a..=b).rev(), step);
            agrees_with_step_by!((a..=b).rev().rev(), step);
            agrees_with_step_by!(c..d, step);
            agrees_with_step_by!(c..=d, step);
            agrees_with_step_by!((c..=d).rev(), step);
        }

        #[test]
        fn both_ends_meet_in_the_middle(a: i8, b: i8, step in 1..9_usize, turns: Vec<bool>) {
            let mut sequence = stepped(a..=b, step);
            let mut expected: std::collections::VecDeque<_> = (a..=b).step_by(step).collect();
            for front in turns {
                if front {
                    prop_assert_eq!(sequence.next(), expected.pop_front());
                } else {
                    prop_assert_eq!(sequence.next_back(), expected.pop_back());
                }
            }
        }
    }

    #[test]
    fn the_limits_of_the_types_do_not_overflow() {
        let ends = |mut steps: Stepped<i64>| (steps.next(), steps.next_back(), steps.len());
        let half = 1 << 62;
        assert_eq!(ends(stepped(i64::MIN..=i64::MAX, half)), (Some(i64::MIN), Some(1 << 62), 2));
        assert_eq!(ends(stepped(i64::MAX..=i64::MAX, 1)), (Some(i64::MAX), None, 0));
        assert_eq!(stepped(0..u64::MAX, 1).len(), u64::MAX as usize);
    }

    #[test]
    fn an_iterated_inclusive_range_is_empty() {
        let mut range = 3..=4_u8;
        assert_eq!(range.by_ref().count(), 2);
        assert_eq!(stepped(range, 1).next(), None);
    }

    #[test]
    #[should_panic(expected = "must not be 0")]
    fn a_step_of_zero_panics() {
        stepped(0..3, 0);
    }

    #[test]
    #[should_panic(expected = "more steps than a `usize` can count")]
    fn too_many_steps_panic() {
        stepped(0..=u128::MAX, 1);
    }

    #[test]
    fn zip_refuses_the_rest_of_either_side() {
        for (left, right) in [(2, 3), (3, 2)] {
            let zipped = || zip(0..left, 0..right, "for (x, y) in xs.iter().zip(ys)").len();
            assert!(std::panic::catch_unwind(zipped).is_err(), "{left} and {right}");
        }
    }

    #[test]
    fn zip_names_both_lengths_and_the_line() {
        let line = line!() + 1;
        let zipped = || zip(&[1, 2], vec![1, 2, 3], "for (x, y) in xs.iter().zip(ys)");
        let payload = std::panic::catch_unwind(|| zipped().len()).unwrap_err();
        let error = payload.downcast::<crate::error::InvertibilityError>().unwrap();
        assert_eq!((error.broken, error.found.as_str()), (Broken::Lengths, "2 and 3"));
        assert_eq!((error.file, error.line), (file!(), line));
    }
}
