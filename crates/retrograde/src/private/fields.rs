//! Fields that are `#[constant]`: where the gradient of a field goes, the type of the struct is
//! asked by the field's name, because the compiler has no types.

use super::{Constant, OwnConstant, ShadowOfConstant, Sum};
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

/// Not implemented: where a shadow is needed of a field.
#[diagnostic::on_unimplemented(
    message = "this field of `{Self}` is `#[constant]`, and has no shadow",
    label = "its gradient would be lost",
    note = "help: to read it, say that the gradient ends here, `#[constant] let held = &….field;`, and use `held`; to write or lend it, leave out the `#[constant]` at the field"
)]
pub trait WithShadow {}

/// Whether a field carries a gradient.
pub trait Carrying {
    const CARRIES: bool;
    /// Nothing, or what cannot be.
    type Passed;
    fn pass() -> Self::Passed;
}

/// A field that does.
pub struct Carries;

/// A field that does not: the type of what is used of it, and whose it is.
pub struct CarriesNone<P: ?Sized, O: ?Sized>(PhantomData<fn(&P, &O)>);

impl Carrying for Carries {
    const CARRIES: bool = true;
    type Passed = ();
    #[inline(always)]
    fn pass() {}
}

impl<P: ?Sized, O: ?Sized> Carrying for CarriesNone<P, O> {
    const CARRIES: bool = false;
    type Passed = Infallible;
    fn pass() -> Infallible {
        unreachable!("asked before")
    }
}

/// The answer to a question that is not put at run time: only its type is there.
pub struct Answer<C>(PhantomData<fn() -> C>);

impl<C> Answer<C> {
    #[inline(always)]
    pub fn unasked() -> Self {
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
    /// Adds to the shadow of a field, if it has one.
    #[inline(always)]
    #[track_caller]
    pub fn add<T: Differentiable>(&self, shadow: Sum<'_, T>, gradient: T) {
        if C::CARRIES {
            shadow.add(gradient);
        }
    }
    /// Subtracts from it.
    #[inline(always)]
    #[track_caller]
    pub fn subtract<T: Differentiable>(&self, shadow: Sum<'_, T>, gradient: T) {
        if C::CARRIES {
            shadow.subtract(gradient);
        }
    }
}

/// A field of which a gradient is taken.
pub trait WithGradient {}

impl WithGradient for Carries {}
impl<P: ?Sized, O: WithShadow + ?Sized> WithGradient for CarriesNone<P, O> {}

impl Answer<Carries> {
    /// What is added to a field is taken of another one, which must carry a gradient.
    pub fn __takes<F: WithGradient>(&self, _: Answer<F>) {}
}

impl<P: ?Sized, O: ?Sized> Answer<CarriesNone<P, O>> {
    /// Nothing is taken.
    pub fn __takes<F>(&self, _: Answer<F>) {}
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

/// The shadow that is passed for a field that a function only reads: of a constant number and
/// the like one that is thrown away. Of `&&&answer` the compiler's search finds the methods of
/// `&&Answer` first, then those of `&&&Answer`, `&Answer` and `Answer`.
pub trait ReadOwn {
    fn __read<S>(&self, shadow: S) -> S;
}

impl ReadOwn for &&Answer<Carries> {
    #[inline(always)]
    fn __read<S>(&self, shadow: S) -> S {
        shadow
    }
}

/// Of what can be copied.
pub trait ReadCopy<P> {
    fn __read(&self, value: &mut P) -> Scratch<P>;
}

impl<P: Differentiable + Copy, O: ?Sized> ReadCopy<P> for &&Answer<CarriesNone<P, O>> {
    #[inline]
    fn __read(&self, value: &mut P) -> Scratch<P> {
        Scratch(value.zero_like())
    }
}

/// Of a number of any type.
pub trait ReadNumber<P> {
    fn __read(&self, value: &mut P) -> Scratch<P>;
}

impl<P: Differentiable + Real, O: ?Sized> ReadNumber<P> for &&&Answer<CarriesNone<P, O>> {
    #[inline]
    fn __read(&self, value: &mut P) -> Scratch<P> {
        Scratch(value.zero_like())
    }
}

/// Of anything else: what is for functions that ask for no shadow.
pub trait ReadElse {
    fn __read<S>(&self, shadow: S) -> Scratch<ShadowOfConstant>;
}

impl<P: ?Sized, O: ?Sized> ReadElse for &Answer<CarriesNone<P, O>> {
    #[inline]
    fn __read<S>(&self, _: S) -> Scratch<ShadowOfConstant> {
        Scratch(ShadowOfConstant)
    }
}

/// The shadow that is passed for a field that a function may write, its own or none. Found for
/// `&&answer` as the methods above are.
pub trait LendOwn {
    fn __lend<S>(&self, shadow: S) -> S;
}

impl LendOwn for &Answer<Carries> {
    #[inline(always)]
    fn __lend<S>(&self, shadow: S) -> S {
        shadow
    }
}

/// Of an integer and the like, whose shadow can hold no gradient.
pub trait LendInteger {
    fn __lend<S>(&self, shadow: S) -> S;
}

impl<P: Constant + ?Sized, O: ?Sized> LendInteger for &Answer<CarriesNone<P, O>> {
    #[inline(always)]
    fn __lend<S>(&self, shadow: S) -> S {
        shadow
    }
}

/// Of anything else.
pub trait LendNone {
    fn __lend<S>(&self, shadow: S) -> ShadowOfConstant;
}

impl<P: ?Sized, O: ?Sized> LendNone for Answer<CarriesNone<P, O>> {
    #[inline]
    fn __lend<S>(&self, _: S) -> ShadowOfConstant {
        ShadowOfConstant
    }
}

/// A struct that has a field of a name, and what is used of the field, all or a part of it. Of
/// `&&field(…)` the compiler's search finds the methods of `&Field` first, then those of
/// `&&Field` and of `Field`.
pub struct Field<'a, T: ?Sized, P: ?Sized, const NAME: u64>(&'a T, &'a P);

/// A field of a name.
#[inline]
pub fn field<'a, const NAME: u64, T: ?Sized, P: ?Sized>(
    of: &'a T,
    part: &'a P,
) -> Field<'a, T, P, NAME> {
    Field(of, part)
}

/// Of a field that is `#[constant]`.
pub trait OfConstantField<T: ConstantField<NAME> + ?Sized, P: ?Sized, const NAME: u64> {
    fn __field(&self) -> Answer<CarriesNone<P, T::Owner>> {
        Answer::unasked()
    }
}

impl<T: ConstantField<NAME> + ?Sized, P: ?Sized, const NAME: u64> OfConstantField<T, P, NAME>
    for &Field<'_, T, P, NAME>
{
}

/// Of any other field.
pub trait OfField {
    fn __field(&self) -> Answer<Carries> {
        Answer::unasked()
    }
}

impl<T: ?Sized, P: ?Sized, const NAME: u64> OfField for Field<'_, T, P, NAME> {}

/// That a shadow is needed of a field: of an integer and the like there is always one.
pub trait NeedsNone {
    fn __with_shadow(&self) {}
}

impl<T: ?Sized, P: OwnConstant + ?Sized, const NAME: u64> NeedsNone for &Field<'_, T, P, NAME> {}

/// Of a field that is `#[constant]`.
pub trait NeedsShadow<T: ConstantField<NAME> + ?Sized, const NAME: u64> {
    fn __with_shadow(&self)
    where
        T::Owner: WithShadow,
    {
    }
}

impl<T: ConstantField<NAME> + ?Sized, P: ?Sized, const NAME: u64> NeedsShadow<T, NAME>
    for &&Field<'_, T, P, NAME>
{
}

/// Of any other field.
pub trait HasShadowOfItsOwn {
    fn __with_shadow(&self) {}
}

impl<T: ?Sized, P: ?Sized, const NAME: u64> HasShadowOfItsOwn for Field<'_, T, P, NAME> {}

/// A struct with fields that are `#[constant]`.
pub trait HasConstantFields {}

/// Not implemented: what a type with a `Deref` of its own must not deref to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` derefs to a struct with fields that are `#[constant]`",
    label = "nobody could tell whose field `.name` is",
    note = "help: leave out the `Deref`, or the marks `#[constant]` at the fields"
)]
pub trait WithoutConstantFields {}

/// Asks a type with a `Deref` of its own what it derefs to: found as [`Field`] is.
pub struct DerefsTo<'a, T: ?Sized>(pub &'a T);

pub trait ToConstantFields<T: ?Sized> {
    fn __derefs_to(&self)
    where
        T: WithoutConstantFields,
    {
    }
}

impl<T: Deref<Target: HasConstantFields> + ?Sized> ToConstantFields<T> for DerefsTo<'_, T> {}

pub trait ToNone {
    fn __derefs_to(&self) {}
}

impl<T: ?Sized> ToNone for &DerefsTo<'_, T> {}
