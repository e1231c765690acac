//! What the passes of a loop use of containers, borrowed before them.

use crate::num::Zero;
use std::ops::Range;

/// How many passes a loop over indices has, if a container of some length has an
/// element for each, from `first` on.
///
/// The minimum changes nothing, but a compiler forgets what the number of passes
/// was computed from, and simply believes that they end with the parts.
#[inline]
#[track_caller]
pub fn passes(range: &Range<usize>, length: usize, first: usize, source: &'static str) -> usize {
    let wanted = range.end - range.start;
    let passes = wanted.min(length.saturating_sub(first));
    if passes < wanted {
        out_of_bounds(length, first, source);
    }
    passes
}

/// What the passes of a loop use of a slice.
#[inline]
#[track_caller]
pub fn part<'a, T>(slice: &'a [T], first: usize, passes: usize, source: &'static str) -> &'a [T] {
    match slice.get(first..first.wrapping_add(passes)) {
        Some(part) => part,
        None => out_of_bounds(slice.len(), first, source),
    }
}

/// As [`part`], to be written.
#[inline]
#[track_caller]
pub fn part_mut<'a, T>(
    slice: &'a mut [T],
    first: usize,
    passes: usize,
    source: &'static str,
) -> &'a mut [T] {
    let length = slice.len();
    match slice.get_mut(first..first.wrapping_add(passes)) {
        Some(part) => part,
        None => out_of_bounds(length, first, source),
    }
}

/// Where a turn of some passes ends, of a loop that runs to `end`.
#[inline]
pub fn end_of_turn(first: usize, passes: usize, end: usize) -> usize {
    first + passes.min(end - first)
}

/// Memory for what is added to the elements of a slice later.
#[inline]
pub fn postponed<T: Zero, const N: usize>(_like: &[T]) -> [T; N] {
    std::array::from_fn(|_| T::zero())
}

/// Keeps a number for later.
#[inline]
pub fn postpone<T>(place: &mut T, number: T) {
    *place = number;
}

/// Puts a number where it is used later.
#[inline]
pub fn put<T: Clone>(place: &mut T, number: &T) {
    place.clone_from(number);
}

/// The index of a loop in one of its passes.
#[inline]
pub fn index(range: &Range<usize>, pass: usize) -> usize {
    range.start + pass
}

#[cold]
#[inline(never)]
#[track_caller]
fn out_of_bounds(length: usize, first: usize, source: &'static str) -> ! {
    let index = first.max(length);
    panic!("index out of bounds: the len is {length} but the index is {index}, in `{source}`")
}

/// A container of any type, to be indexed from 0 in the passes of a loop. The
/// compiler's search for `__first` finds the one that gives a part of a slice, if
/// the container is one; else it gives the container.
pub struct Shared<'a, C: ?Sized>(pub &'a C);

/// As [`Shared`], to be written: given away once.
pub struct Lent<'a, C: ?Sized>(pub Option<&'a mut C>);

/// What is a slice.
pub trait Slice {
    type Element;
    fn slice(&self) -> &[Self::Element];
}

/// What is a slice that can be written.
pub trait SliceMut: Slice {
    fn slice_mut(&mut self) -> &mut [Self::Element];
}

macro_rules! slices {
    ($($ty:ty $(, $n:ident)?;)+) => {$(
        impl<T $(, const $n: usize)?> Slice for $ty {
            type Element = T;
            #[inline]
            fn slice(&self) -> &[T] {
                self
            }
        }

        impl<T $(, const $n: usize)?> SliceMut for $ty {
            #[inline]
            fn slice_mut(&mut self) -> &mut [T] {
                self
            }
        }
    )+};
}

slices! {
    [T];
    [T; N], N;
    Vec<T>;
    Box<[T]>;
}

impl<S: Slice + ?Sized> Slice for &S {
    type Element = S::Element;
    #[inline]
    fn slice(&self) -> &[S::Element] {
        (**self).slice()
    }
}

impl<S: Slice + ?Sized> Slice for &mut S {
    type Element = S::Element;
    #[inline]
    fn slice(&self) -> &[S::Element] {
        (**self).slice()
    }
}

impl<S: SliceMut + ?Sized> SliceMut for &mut S {
    #[inline]
    fn slice_mut(&mut self) -> &mut [S::Element] {
        (**self).slice_mut()
    }
}

/// Of a slice.
pub trait Share<'a> {
    type Element;
    fn __passes(self, range: &Range<usize>, source: &'static str) -> usize;
    fn __first(self, passes: usize, source: &'static str) -> &'a [Self::Element];
}

impl<'a, C: Slice + ?Sized> Share<'a> for Shared<'a, C> {
    type Element = C::Element;
    #[inline]
    #[track_caller]
    fn __passes(self, range: &Range<usize>, source: &'static str) -> usize {
        passes(range, self.0.slice().len(), range.start, source)
    }
    #[inline]
    #[track_caller]
    fn __first(self, passes: usize, source: &'static str) -> &'a [C::Element] {
        part(self.0.slice(), 0, passes, source)
    }
}

/// Of anything else.
pub trait NoShare<'a> {
    type Container: ?Sized;
    fn __passes<I: Copy>(self, range: &Range<I>, source: &'static str) -> I;
    fn __first<I>(self, passes: I, source: &'static str) -> &'a Self::Container;
}

impl<'a, C: ?Sized> NoShare<'a> for &Shared<'a, C> {
    type Container = C;
    #[inline]
    fn __passes<I: Copy>(self, range: &Range<I>, _source: &'static str) -> I {
        range.end
    }
    #[inline]
    fn __first<I>(self, _passes: I, _source: &'static str) -> &'a C {
        self.0
    }
}

/// Of a slice, to be written.
pub trait Lend<'a> {
    type Element;
    fn __first(self, passes: usize, source: &'static str) -> &'a mut [Self::Element];
}

impl<'a, C: SliceMut + ?Sized> Lend<'a> for Lent<'a, C> {
    type Element = C::Element;
    #[inline]
    #[track_caller]
    fn __first(self, passes: usize, source: &'static str) -> &'a mut [C::Element] {
        let slice = self.0.map_or_else(Default::default, C::slice_mut);
        part_mut(slice, 0, passes, source)
    }
}

/// Of anything else, to be written.
pub trait NoLend<'a> {
    type Container: ?Sized;
    fn __first<I>(self, passes: I, source: &'static str) -> &'a mut Self::Container;
}

impl<'a, C: ?Sized> NoLend<'a> for &mut Lent<'a, C> {
    type Container = C;
    #[inline]
    fn __first<I>(self, _passes: I, _source: &'static str) -> &'a mut C {
        self.0.take().expect("it is given away once")
    }
}
