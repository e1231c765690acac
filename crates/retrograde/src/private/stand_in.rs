//! Throw-away shadows of what carries no gradient, for callees that ask for one.

use crate::derivative::{Differentiable, NoShadow, ToShadow};
use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::Arc;

/// Asks whether a value can have a shadow. Of `&&&Probe(…)` the compiler's search for
/// `__stand_in` finds the method of `&&Probe` first, then those of `&&&Probe`, `&Probe` and
/// `Probe`.
pub struct Probe<'a, T: ?Sized>(pub &'a T);

/// What a pointer of the standard library's points to, found as methods of it are.
pub trait Pointed<'a> {
    type Target: ?Sized;
    fn __pointed(&self) -> &'a Self::Target;
}

/// What is no such pointer, itself.
pub trait Itself<'a> {
    type Target: ?Sized;
    fn __pointed(&self) -> &'a Self::Target;
}

macro_rules! pointers {
    ($($pointer:ty),+) => {$(
        impl<'a, T: ?Sized> Pointed<'a> for Probe<'a, $pointer> {
            type Target = T;
            #[inline]
            fn __pointed(&self) -> &'a T {
                self.0
            }
        }
    )+};
}

pointers!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

impl<'a, T: ?Sized> Itself<'a> for &Probe<'a, T> {
    type Target = T;
    #[inline]
    fn __pointed(&self) -> &'a T {
        self.0
    }
}

/// A shadow that is made where it is used. A reference to it is one to the shadow where the
/// callee names the type; a callee that takes anything there, because its argument is
/// `#[constant]`, lets it be.
pub struct StandIn<'a, V: ToShadow + ?Sized> {
    value: &'a V,
    shadow: OnceCell<V::Shadow>,
}

impl<'a, V: ToShadow + ?Sized> StandIn<'a, V> {
    #[inline]
    fn of(value: &'a V) -> Self {
        StandIn { value, shadow: OnceCell::new() }
    }
}

impl<V: ToShadow + ?Sized> Deref for StandIn<'_, V> {
    type Target = V::Shadow;
    #[inline]
    fn deref(&self) -> &V::Shadow {
        self.shadow.get_or_init(|| self.value.zero_like())
    }
}

impl<V: ToShadow + ?Sized> DerefMut for StandIn<'_, V> {
    #[inline]
    fn deref_mut(&mut self) -> &mut V::Shadow {
        self.shadow.get_or_init(|| self.value.zero_like());
        self.shadow.get_mut().expect("made above")
    }
}

/// Of an array, which may be passed for a slice of it: made at once, as it needs no memory of
/// its own. Of what two references are before.
pub trait OfArray {
    type Shadow;
    fn __stand_in(&self) -> Self::Shadow;
}

impl<T: Differentiable, const N: usize> OfArray for &&Probe<'_, [T; N]> {
    type Shadow = [T; N];
    #[inline]
    fn __stand_in(&self) -> [T; N] {
        self.0.each_ref().map(T::zero_like)
    }
}

impl<T: Differentiable, const N: usize> OfArray for &&Probe<'_, &[T; N]> {
    type Shadow = [T; N];
    #[inline]
    fn __stand_in(&self) -> [T; N] {
        self.0.each_ref().map(T::zero_like)
    }
}

impl<'a, V: ToShadow + ?Sized> OfArray for &&Probe<'a, &&V> {
    type Shadow = StandIn<'a, V>;
    #[inline]
    fn __stand_in(&self) -> StandIn<'a, V> {
        StandIn::of(self.0)
    }
}

/// Of a value.
pub trait OfValue<'a, V: ToShadow + ?Sized> {
    fn __stand_in(&self) -> StandIn<'a, V>;
}

impl<'a, V: ToShadow + ?Sized> OfValue<'a, V> for &&&Probe<'a, V> {
    #[inline]
    fn __stand_in(&self) -> StandIn<'a, V> {
        StandIn::of(self.0)
    }
}

/// Of what a reference is before.
pub trait BehindReference<'a, V: ToShadow + ?Sized> {
    fn __stand_in(&self) -> StandIn<'a, V>;
}

impl<'a, V: ToShadow + ?Sized> BehindReference<'a, V> for &Probe<'a, &V> {
    #[inline]
    fn __stand_in(&self) -> StandIn<'a, V> {
        StandIn::of(self.0)
    }
}

/// Nothing, for a value that can have no shadow.
pub trait NoStandIn {
    fn __stand_in(&self) -> NoShadow;
}

impl<T: ?Sized> NoStandIn for Probe<'_, T> {
    #[inline]
    fn __stand_in(&self) -> NoShadow {
        NoShadow
    }
}

/// The shadow itself, of a value that the callee takes away.
pub trait Made: Sized {
    type Shadow;
    fn __made(self) -> Self::Shadow;
}

impl<V: ToShadow + ?Sized> Made for StandIn<'_, V> {
    type Shadow = V::Shadow;
    #[inline]
    fn __made(self) -> V::Shadow {
        self.value.zero_like()
    }
}

impl<T, const N: usize> Made for [T; N] {
    type Shadow = Self;
    #[inline]
    fn __made(self) -> Self {
        self
    }
}

impl Made for NoShadow {
    type Shadow = Self;
    #[inline]
    fn __made(self) -> Self {
        self
    }
}
