//! Fields that are `#[constant]`: where the gradient of a field goes, the type of the struct is
//! asked by the field's name, because the compiler has no types.

use std::convert::Infallible;
use std::ops::Deref;
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

/// A place that has a field of a name. Of `&&field(…)` the compiler's search finds the methods
/// of `&Field` first, then those of `&&Field` and of `Field`.
pub struct Field<'a, T: ?Sized, const NAME: u64>(&'a T);

/// A field of a name.
#[inline]
pub fn field<const NAME: u64, T: ?Sized>(of: &T) -> Field<'_, T, NAME> {
    Field(of)
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
    fn pass() -> Self::Passed;
}

/// A field that does.
pub struct Carries;

/// A field that does not.
pub struct CarriesNone;

impl Carrying for Carries {
    const CARRIES: bool = true;
    type Passed = ();
    #[inline(always)]
    fn pass() {}
}

impl Carrying for CarriesNone {
    const CARRIES: bool = false;
    type Passed = Infallible;
    fn pass() -> Infallible {
        unreachable!("asked before")
    }
}

/// Whether a field carries a gradient, from a question that is not put at run time.
#[inline(always)]
pub fn carries<C: Carrying>(_: &Option<C>) -> bool {
    C::CARRIES
}

/// The way to what is done with a gradient. Of a field that carries none, nothing comes after
/// it, and so nobody asks whether its type could hold one.
#[inline(always)]
pub fn where_carried<C: Carrying>(_: Option<C>) -> C::Passed {
    C::pass()
}

/// Of a field that is `#[constant]`.
pub trait OfConstantField<T: ConstantField<NAME> + ?Sized, const NAME: u64> {
    fn __field(&self) -> CarriesNone {
        CarriesNone
    }
    fn __with_shadow(&self)
    where
        T::Owner: WithShadow,
    {
    }
}

impl<T: ConstantField<NAME> + ?Sized, const NAME: u64> OfConstantField<T, NAME>
    for &Field<'_, T, NAME>
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

impl<T: Deref<Target: ConstantField<NAME>> + ?Sized, const NAME: u64> ThroughDeref<T>
    for &&Field<'_, T, NAME>
{
}

/// Of any other field.
pub trait OfField {
    fn __field(&self) -> Carries {
        Carries
    }
    fn __with_shadow(&self) {}
}

impl<T: ?Sized, const NAME: u64> OfField for Field<'_, T, NAME> {}
