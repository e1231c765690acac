//! Sums in several lanes: what generated code takes chunks of, and adds up.
//!
//! Syntax tells that a loop runs over `a.values.iter()`, but not that these are
//! the elements of a slice. So [`Steps`] asks: the compiler's search for `__split`
//! finds the one of slices first.

use crate::derivative::Differentiable;
use crate::num::Zero;
use std::iter::Empty;
use std::marker::PhantomData;
use std::ops::AddAssign;
use std::slice::{Iter, IterMut};

/// What a loop runs over.
pub struct Steps<I>(pub I);

/// The same in whole chunks, and what is left.
pub struct Split<C, R> {
    /// How many steps there are in all.
    pub length: usize,
    pub chunks: C,
    pub rest: R,
}

impl<'a, T> Steps<Iter<'a, T>> {
    #[inline(always)]
    pub fn __split<const N: usize>(self) -> Split<Iter<'a, [T; N]>, Iter<'a, T>> {
        let slice = self.0.as_slice();
        let (chunks, rest) = slice.as_chunks();
        Split { length: slice.len(), chunks: chunks.iter(), rest: rest.iter() }
    }
}

impl<'a, T> Steps<IterMut<'a, T>> {
    #[inline(always)]
    pub fn __split<const N: usize>(self) -> Split<IterMut<'a, [T; N]>, IterMut<'a, T>> {
        let slice = self.0.into_slice();
        let length = slice.len();
        let (chunks, rest) = slice.as_chunks_mut();
        Split { length, chunks: chunks.iter_mut(), rest: rest.iter_mut() }
    }
}

/// Anything else, which is not taken in chunks: as if there was nothing, and so
/// too little for it to pay.
pub trait OtherSteps: Sized {
    type Item;
    #[inline(always)]
    fn __split<const N: usize>(self) -> Split<Empty<Never<Self::Item>>, Empty<Self::Item>> {
        Split { length: 0, chunks: std::iter::empty(), rest: std::iter::empty() }
    }
}

impl<I: IntoIterator> OtherSteps for Steps<I> {
    type Item = I::Item;
}

/// A chunk of what is not taken in chunks.
pub struct Never<I>(std::convert::Infallible, PhantomData<I>);

/// A chunk, borrowed to look at its elements.
pub trait Chunk {
    type Element;
    fn element(self, lane: usize) -> Self::Element;
}

impl<'a, T, const N: usize> Chunk for &'a &[T; N] {
    type Element = &'a T;
    #[inline(always)]
    fn element(self, lane: usize) -> &'a T {
        &self[lane]
    }
}

impl<'a, T, const N: usize> Chunk for &'a [T; N] {
    type Element = &'a T;
    #[inline(always)]
    fn element(self, lane: usize) -> &'a T {
        &self[lane]
    }
}

impl<'a, T, const N: usize> Chunk for &'a mut &mut [T; N] {
    type Element = &'a mut T;
    #[inline(always)]
    fn element(self, lane: usize) -> &'a mut T {
        &mut self[lane]
    }
}

impl<I> Chunk for &Never<I> {
    type Element = I;
    fn element(self, _: usize) -> I {
        match self.0 {}
    }
}

impl<I> Chunk for &mut Never<I> {
    type Element = I;
    fn element(self, _: usize) -> I {
        match self.0 {}
    }
}

/// An element of a chunk.
#[inline(always)]
pub fn element<C: Chunk>(chunk: C, lane: usize) -> C::Element {
    chunk.element(lane)
}

/// A chunk that is not written: its elements can be read at once.
pub trait Hold {
    type Held;
    fn hold(self) -> Self::Held;
}

impl<T: Clone, const N: usize> Hold for &[T; N] {
    type Held = [T; N];
    #[inline(always)]
    fn hold(self) -> [T; N] {
        self.clone()
    }
}

impl<T: Clone, const N: usize> Hold for &mut [T; N] {
    type Held = [T; N];
    #[inline(always)]
    fn hold(self) -> [T; N] {
        self.clone()
    }
}

impl<I> Hold for Never<I> {
    type Held = Self;
    fn hold(self) -> Self {
        self
    }
}

/// Reads the elements of a chunk.
#[inline(always)]
pub fn held<C: Hold>(chunk: C) -> C::Held {
    chunk.hold()
}

/// Sums that are made side by side, of numbers like `place`.
#[inline]
pub fn lanes<T: Zero, const N: usize>(_place: &T) -> [T; N] {
    std::array::from_fn(|_| T::zero())
}

/// The sum of all lanes.
#[inline]
pub fn total<T: Zero + AddAssign, const N: usize>(lanes: [T; N]) -> T {
    let mut lanes = lanes.into_iter();
    let mut total = lanes.next().unwrap_or_else(T::zero);
    lanes.for_each(|lane| total += lane);
    total
}

/// The sum of all lanes of a shadow.
#[inline]
#[track_caller]
pub fn total_shadow<T: Zero + Differentiable, const N: usize>(lanes: [T; N]) -> T {
    let mut lanes = lanes.into_iter();
    let mut total = lanes.next().unwrap_or_else(T::zero);
    lanes.for_each(|lane| total.accumulate_shadow(lane));
    total
}
