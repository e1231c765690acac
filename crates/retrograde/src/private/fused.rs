//! A product in a sum, where one rounding will do: `#[reversible(fused)]`.
//!
//! The compiler has no types, so the search for `__fuse` finds what it does: numbers of
//! one type answer by [`Arithmetic::plus_product`], all others by their operators.

use crate::num::{Arithmetic, UndoableSum};
use std::ops::{Add, Mul, Sub};

/// Two factors, and what their product is added to.
pub struct Fuse<'a, A, B, C>(pub &'a A, pub &'a B, pub &'a C);

pub trait FuseNumbers {
    fn __fuse(&self) -> Numbers;
}

impl<T: Arithmetic> FuseNumbers for Fuse<'_, T, T, T> {
    #[inline]
    fn __fuse(&self) -> Numbers {
        Numbers
    }
}

pub trait FuseOthers {
    fn __fuse(&self) -> Others;
}

impl<A, B, C> FuseOthers for &Fuse<'_, A, B, C> {
    #[inline]
    fn __fuse(&self) -> Others {
        Others
    }
}

/// Numbers of one type.
pub struct Numbers;

impl Numbers {
    /// `a * b + c`
    #[inline]
    pub fn product_plus<T: Arithmetic>(self, a: T, b: T, c: T) -> T {
        c.plus_product(a, b)
    }
    /// `a * b - c`
    #[inline]
    pub fn product_minus<T: Arithmetic>(self, a: T, b: T, c: T) -> T {
        (-c).plus_product(a, b)
    }
    /// `c + a * b`
    #[inline]
    pub fn plus_product<T: Arithmetic>(self, a: T, b: T, c: T) -> T {
        c.plus_product(a, b)
    }
    /// `c - a * b`
    #[inline]
    pub fn minus_product<T: Arithmetic>(self, a: T, b: T, c: T) -> T {
        c.minus_product(a, b)
    }
    /// `*c += a * b`
    #[inline]
    pub fn add<T: Arithmetic>(self, a: T, b: T, c: &mut T) {
        *c = c.clone().plus_product(a, b);
    }
    /// `*c -= a * b`
    #[inline]
    pub fn subtract<T: Arithmetic>(self, a: T, b: T, c: &mut T) {
        *c = c.clone().minus_product(a, b);
    }
    /// As [`add`](Self::add), where the type of the sum is that of the product.
    #[inline]
    pub fn add_alike<T: Arithmetic>(self, a: T, b: T, c: &mut T) {
        self.add(a, b, c);
    }
    /// As [`subtract`](Self::subtract), where the type of the sum is that of the product.
    #[inline]
    pub fn subtract_alike<T: Arithmetic>(self, a: T, b: T, c: &mut T) {
        self.subtract(a, b, c);
    }
}

/// Anything else, by its operators.
pub struct Others;

impl Others {
    #[inline]
    pub fn product_plus<A, B, C>(
        self,
        a: A,
        b: B,
        c: C,
    ) -> <<A as Mul<B>>::Output as Add<C>>::Output
    where
        A: Mul<B, Output: Add<C>>,
    {
        a * b + c
    }
    #[inline]
    pub fn product_minus<A, B, C>(
        self,
        a: A,
        b: B,
        c: C,
    ) -> <<A as Mul<B>>::Output as Sub<C>>::Output
    where
        A: Mul<B, Output: Sub<C>>,
    {
        a * b - c
    }
    #[inline]
    pub fn plus_product<A, B, C>(self, a: A, b: B, c: C) -> <C as Add<A::Output>>::Output
    where
        A: Mul<B>,
        C: Add<A::Output>,
    {
        c + a * b
    }
    #[inline]
    pub fn minus_product<A, B, C>(self, a: A, b: B, c: C) -> <C as Sub<A::Output>>::Output
    where
        A: Mul<B>,
        C: Sub<A::Output>,
    {
        c - a * b
    }
    #[inline]
    #[track_caller]
    pub fn add<A: Mul<B>, B, C: UndoableSum<A::Output>>(self, a: A, b: B, c: &mut C) {
        c.plus(a * b);
    }
    #[inline]
    #[track_caller]
    pub fn subtract<A: Mul<B>, B, C: UndoableSum<A::Output>>(self, a: A, b: B, c: &mut C) {
        c.minus(a * b);
    }
    #[inline]
    #[track_caller]
    pub fn add_alike<A: Mul<B, Output: UndoableSum>, B>(self, a: A, b: B, c: &mut A::Output) {
        c.plus(a * b);
    }
    #[inline]
    #[track_caller]
    pub fn subtract_alike<A: Mul<B, Output: UndoableSum>, B>(self, a: A, b: B, c: &mut A::Output) {
        c.minus(a * b);
    }
}
