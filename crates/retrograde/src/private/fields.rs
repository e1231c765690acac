//! Fields that are `#[constant]`: where the gradient of a field goes, the type of the struct is
//! asked by the field's name, because the compiler has no types.

use super::{Constant, ShadowOfConstant};
use crate::derivative::Differentiable;
use crate::num::Real;
use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::Arc;

/// A type with a field of a name that is `#[constant]`, or what refers to one. A name is its
/// hash.
pub trait ConstantField<const NAME: u64> {
    /// The struct.
    type Owner: ?Sized;
}

macro_rules! pointers {
    ($($type:ty)+) => {$(
        impl<T: ConstantField<NAME> + ?Sized, const NAME: u64> ConstantField<NAME> for $type {
            type Owner = T::Owner;
        }
    )+};
}

pointers!(&T &mut T Box<T> Rc<T> Arc<T>);

/// A struct that has a field of a name, and what is used of the field, all or a part of it. Of
/// `&&&field(…)` the compiler's search finds the methods of `&&Field` first, then those of
/// `&&&Field`, `&Field` and `Field`.
pub struct Field<'a, T: ?Sized, P: ?Sized, const NAME: u64>(&'a T, &'a P);

/// A field of a name.
#[inline]
pub fn field<'a, const NAME: u64, T: ?Sized, P: ?Sized>(
    of: &'a T,
    part: &'a P,
) -> Field<'a, T, P, NAME> {
    Field(of, part)
}

/// Not implemented: where a shadow is needed of a field.
#[diagnostic::on_unimplemented(
    message = "this field of `{Self}` is `#[constant]`, and has no shadow",
    label = "its gradient would be lost",
    note = "help: to read it, say that the gradient ends here, `#[constant] let held = &….field;`, and use `held`; to write or lend it, leave out the `#[constant]` at the field"
)]
pub trait WithShadow {}

/// Not implemented: where nobody knows whose field it is.
#[diagnostic::on_unimplemented(
    message = "what `{Self}` derefs to has a field of this name that is `#[constant]`",
    label = "its gradient would be lost",
    note = "help: say whose field it is, `(*….deref()).field`, or take it in a `#[constant] let`"
)]
pub trait WithOwnField {}

/// Whether a field carries a gradient.
pub trait Carrying {
    const CARRIES: bool;
    /// Nothing, or what cannot be.
    type Passed;
    /// What is passed to a function for its shadow.
    type Lent<S>;
    fn pass() -> Self::Passed;
    fn lend<S>(shadow: S) -> Self::Lent<S>;
}

/// A field that does.
pub struct Carries;

/// A field that does not: the type of what is used of it, and whose it is.
pub struct CarriesNone<P: ?Sized, O: ?Sized>(PhantomData<fn(&P, &O)>);

impl Carrying for Carries {
    const CARRIES: bool = true;
    type Passed = ();
    type Lent<S> = S;
    #[inline(always)]
    fn pass() {}
    #[inline(always)]
    fn lend<S>(shadow: S) -> S {
        shadow
    }
}

impl<P: ?Sized, O: ?Sized> Carrying for CarriesNone<P, O> {
    const CARRIES: bool = false;
    type Passed = Infallible;
    type Lent<S> = ShadowOfConstant;
    fn pass() -> Infallible {
        unreachable!("asked before")
    }
    #[inline]
    fn lend<S>(_: S) -> ShadowOfConstant {
        ShadowOfConstant
    }
}

/// The answer to a question that is not put at run time: only its type is there.
pub struct Answer<C>(PhantomData<fn() -> C>);

impl<C> Answer<C> {
    #[inline(always)]
    pub fn unasked() -> Self {
        Answer(PhantomData)
    }
    #[inline(always)]
    pub fn of(_: C) -> Self {
        Answer(PhantomData)
    }
}

impl<C: Carrying> Answer<C> {
    #[inline(always)]
    pub fn carries(&self) -> bool {
        C::CARRIES
    }
    /// The way to what is done with a gradient. Of a field that carries none, nothing comes
    /// after it, and so nobody asks whether its type could hold one.
    #[inline(always)]
    pub fn where_carried(&self) -> C::Passed {
        C::pass()
    }
    /// The shadow of a field that a function may write. A field that has none is for functions
    /// that ask for none.
    #[inline(always)]
    pub fn lend<S>(&self, shadow: S) -> C::Lent<S> {
        C::lend(shadow)
    }
}

/// A field of which a gradient is taken.
pub trait WithGradient {}

impl WithGradient for Carries {}
impl<P: ?Sized, O: WithShadow + ?Sized> WithGradient for CarriesNone<P, O> {}

impl Answer<Carries> {
    /// What is added to a field is taken of another one, which must carry a gradient.
    pub fn __takes<F: WithGradient>(&self, _: F) {}
}

impl<P: ?Sized, O: ?Sized> Answer<CarriesNone<P, O>> {
    /// Nothing is taken.
    pub fn __takes<F>(&self, _: F) {}
}

/// A shadow that is thrown away.
pub struct Scratch<T>(T);

impl<T> Deref for Scratch<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Scratch<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// The shadow of a field that a function only reads: of a constant number and the like one that
/// is thrown away, found as the methods of [`Field`] are.
pub trait ReadCopy<P> {
    fn __read(&self, shadow: &mut P) -> Scratch<P>;
}

impl<P: Differentiable + Copy, O: ?Sized> ReadCopy<P> for &&Answer<CarriesNone<P, O>> {
    #[inline]
    fn __read(&self, value: &mut P) -> Scratch<P> {
        Scratch(value.zero_like())
    }
}

/// Of a number of any type.
pub trait ReadNumber<P> {
    fn __read(&self, shadow: &mut P) -> Scratch<P>;
}

impl<P: Differentiable + Real, O: ?Sized> ReadNumber<P> for &&&Answer<CarriesNone<P, O>> {
    #[inline]
    fn __read(&self, value: &mut P) -> Scratch<P> {
        Scratch(value.zero_like())
    }
}

/// Of anything else, as if it were written.
pub trait ReadElse {
    fn __read<S>(&self, shadow: S) -> Scratch<ShadowOfConstant>;
}

impl<P: ?Sized, O: ?Sized> ReadElse for &Answer<CarriesNone<P, O>> {
    #[inline]
    fn __read<S>(&self, _: S) -> Scratch<ShadowOfConstant> {
        Scratch(ShadowOfConstant)
    }
}

/// Of a field that carries a gradient.
pub trait ReadOwn {
    fn __read<S>(&self, shadow: S) -> S;
}

impl ReadOwn for Answer<Carries> {
    #[inline(always)]
    fn __read<S>(&self, shadow: S) -> S {
        shadow
    }
}

/// Of an integer and the like: its shadow can hold no gradient, though it is marked.
pub trait OfNoGradient {
    fn __field(&self) -> Carries {
        Carries
    }
    fn __with_shadow(&self) {}
}

impl<T: ConstantField<NAME> + ?Sized, P: Constant + ?Sized, const NAME: u64> OfNoGradient
    for &&Field<'_, T, P, NAME>
{
}

/// Of a field that is `#[constant]`.
pub trait OfConstantField<T: ConstantField<NAME> + ?Sized, P: ?Sized, const NAME: u64> {
    fn __field(&self) -> CarriesNone<P, T::Owner> {
        CarriesNone(PhantomData)
    }
    fn __with_shadow(&self)
    where
        T::Owner: WithShadow,
    {
    }
}

impl<T: ConstantField<NAME> + ?Sized, P: ?Sized, const NAME: u64> OfConstantField<T, P, NAME>
    for &&&Field<'_, T, P, NAME>
{
}

/// Of a type that derefs to such a struct by itself: it may have a field of that name, too.
pub trait ThroughDeref<T: ?Sized> {
    fn __field(&self) -> Carries
    where
        T: WithOwnField,
    {
        Carries
    }
    fn __with_shadow(&self)
    where
        T: WithOwnField,
    {
    }
}

impl<T: Deref<Target: ConstantField<NAME>> + ?Sized, P: ?Sized, const NAME: u64> ThroughDeref<T>
    for &Field<'_, T, P, NAME>
{
}

/// Of any other field.
pub trait OfField {
    fn __field(&self) -> Carries {
        Carries
    }
    fn __with_shadow(&self) {}
}

impl<T: ?Sized, P: ?Sized, const NAME: u64> OfField for Field<'_, T, P, NAME> {}
