//! What generated code needs and people do not.
#![allow(missing_docs)]

#[path = "private/beside.rs"]
mod beside;
#[path = "private/carried.rs"]
mod carried;
#[path = "private/decided.rs"]
mod decided;
#[path = "private/drift.rs"]
mod drift;
#[path = "private/fields.rs"]
mod fields;
#[path = "private/fused.rs"]
mod fused;
#[path = "private/given.rs"]
mod given;
#[path = "private/lanes.rs"]
mod lanes;
#[path = "private/leaning.rs"]
mod leaning;
#[path = "private/parts.rs"]
mod parts;
#[path = "private/stand_in.rs"]
mod stand_in;
#[path = "private/standard.rs"]
mod standard;
#[path = "private/steady.rs"]
mod steady;

pub use beside::{Beside, LiteralAsWritten, LiteralOf};
pub use carried::{
    are_rounded, carried, carried_if, carry, carry_nothing, carry_one, is_carried, is_told, told,
};
pub use decided::{
    Bits, Decided, Passes, Values, decide_branch, decide_pass, decide_value, hand_on,
    recall_branch, recall_pass, recall_value, turn,
};
pub(crate) use drift::unsettled;
pub use drift::{
    Elements, LoanShadowed, LoanUnknown, NoCut, NoDrift, NoDriftOfElements, NoNudgedElements,
    NotNudged, NotSettled, NotSettledQuotient, NotSettledWhole, Nudged, NudgedShadowed, OfChecked,
    OfCheckedElements, OfElements, OfNudgedElements, OfNudgedShadows, OfShadowed, SameNumbers,
    SameShadowed, SameValues, Settled, SettledBranch, SettledQuotient, SettledWhole, Sides,
    checked, same_decision, see_extent, see_extent_after, see_parts, watch_extent,
};
pub use fields::{
    Answer, Carries, CarriesNone, Carrying, ConstantField, DerefsTo, Field, HasConstantFields,
    HasShadowOfItsOwn, LendInteger, LendNone, LendOwn, NeedsNone, NeedsShadow, OfConstantField,
    OfField, ReadCopy, ReadElse, ReadNumber, ReadOwn, Scratch, ToConstantFields, ToNone, field,
};
pub use fused::{Fuse, FuseNumbers, FuseOthers};
pub use given::{
    Given, GivenConstant, GivenOther, Nearby, ToldConstant, ToldOther, decide_given, recall_given,
};
pub use lanes::{OtherSteps, Steps, element, held, lanes, total, total_shadow};
pub use leaning::{DigitsLeft, NoDigits, magnitude_of, nothing_seen, see_back};
pub use parts::{
    Lend, Lent, NoLend, NoShare, Share, Shared, Slice, SliceMut, end_of_turn, index, part,
    part_mut, passes, postpone, postponed, put,
};
pub use stand_in::{
    BehindReference, Itself, Made, NoStandIn, OfArray, OfValue, Pointed, Probe, StandIn,
};
pub use standard::{FunctionsOfNumbers, PartsOfSequences};
pub use steady::{AskSteady, AskUnsteady, Behind, Unchanged, Unsteady};

use crate::derivative::{Container, Differentiable, Misfit, Part, PullMul};
use crate::num::{UndoableSum, UndoableXor};

/// The methods below, without names that could meet those of the user.
pub mod methods {
    pub use super::{
        Accumulate as _, AskDerefs as _, AskParts as _, AskSteady as _, AskUnsteady as _,
        BehindReference as _, DigitsLeft as _, FunctionsOfNumbers as _, FuseNumbers as _,
        FuseOthers as _, GivenConstant as _, GivenOther as _, HasShadowOfItsOwn as _, Itself as _,
        Lend as _, LendInteger as _, LendNone as _, LendOwn as _, LiteralAsWritten as _,
        LiteralOf as _, LoanShadowed as _, LoanUnknown as _, Made as _, NeedsNone as _,
        NeedsShadow as _, NoCut as _, NoDerefs as _, NoDigits as _, NoDrift as _,
        NoDriftOfElements as _, NoLend as _, NoNudgedElements as _, NoParts as _, NoShare as _,
        NoStandIn as _, NotNudged as _, NotSettled as _, NotSettledQuotient as _,
        NotSettledWhole as _, Nudged as _, NudgedShadowed as _, OfArray as _, OfChecked as _,
        OfCheckedElements as _, OfConstantField as _, OfElements as _, OfField as _,
        OfNudgedElements as _, OfNudgedShadows as _, OfShadowed as _, OfValue as _,
        PartsOfSequences as _, Pointed as _, ReadCopy as _, ReadElse as _, ReadNumber as _,
        ReadOwn as _, Refer as _, SameNumbers as _, SameShadowed as _, SameValues as _,
        Settled as _, SettledBranch as _, SettledQuotient as _, SettledWhole as _, Share as _,
        ToConstantFields as _, ToNone as _, ToldConstant as _, ToldOther as _, Value as _,
    };
}

/// Panics unless a function and the type of its name belong together: a function of the user's
/// may hide one that is imported with `*`, but not the type that has the inverse of that.
#[inline]
#[track_caller]
pub fn tied<C, F>(_: &F) {
    let (function, companion) = (core::any::type_name::<F>(), core::any::type_name::<C>());
    let own = function.as_bytes().get(companion.len());
    if !(function.starts_with(companion) && matches!(own, None | Some(b'<'))) {
        untied(function, companion);
    }
}

#[cold]
#[track_caller]
fn untied(function: &str, companion: &str) -> ! {
    panic!(
        "`{function}` is called, but the inverse at hand is that of `{companion}`\n\
         help: mark the function with `#[reversible]`, or give it another name"
    );
}

/// Reads a value out of its place, through any references.
///
/// A method rather than a function, so that the compiler's search for it does
/// the dereferencing: on a `T`, `&T` or `&mut T` it gives a `T`.
pub trait Value: Clone {
    #[inline]
    fn __value(&self) -> Self {
        self.clone()
    }
}

impl<T: Clone> Value for T {}

/// A reference to a value, through any references: found as [`Value`] is.
pub trait Refer: Clone {
    #[inline]
    fn __ref(&self) -> &Self {
        self
    }
}

impl<T: Clone> Refer for T {}

/// A shadow that is added to, through any references: found as [`Value`] is. One
/// method for both directions says but once that there is no shadow.
pub trait Accumulate: Differentiable {
    #[inline]
    fn __shadow(&mut self) -> Sum<'_, Self> {
        Sum(self)
    }
}

impl<T: Differentiable> Accumulate for T {}

/// Adds to the shadow of a number.
#[inline]
#[track_caller]
pub fn add_to_shadow<T: Differentiable>(shadow: &mut T, gradient: T) {
    shadow.accumulate_shadow(gradient);
}

/// Subtracts from the shadow of a number.
#[inline]
#[track_caller]
pub fn subtract_from_shadow<T: Differentiable>(shadow: &mut T, gradient: T) {
    shadow.retract_shadow(gradient);
}

/// What [`Accumulate`] gives.
pub struct Sum<'a, T>(&'a mut T);

impl<T: Differentiable> Sum<'_, T> {
    #[inline]
    #[track_caller]
    pub fn add(self, other: T) {
        self.0.accumulate_shadow(other);
    }
    #[inline]
    #[track_caller]
    pub fn subtract(self, other: T) {
        self.0.retract_shadow(other);
    }
    #[inline]
    pub fn add_mul_left<R>(self, g: &<T as PullMul<R>>::Output, left: &T, right: &R)
    where
        T: PullMul<R>,
    {
        T::add_mul_left(self.0, g, left, right);
    }
    #[inline]
    pub fn add_mul_right<L: PullMul<T>>(self, g: &L::Output, left: &L, right: &T) {
        L::add_mul_right(self.0, g, left, right);
    }
    #[inline]
    pub fn subtract_mul_left<R>(self, g: &<T as PullMul<R>>::Output, left: &T, right: &R)
    where
        T: PullMul<R>,
    {
        T::subtract_mul_left(self.0, g, left, right);
    }
    #[inline]
    pub fn subtract_mul_right<L: PullMul<T>>(self, g: &L::Output, left: &L, right: &T) {
        L::subtract_mul_right(self.0, g, left, right);
    }
}

/// So many elements are written sooner than the function that clears memory is called, which a
/// compiler that knows the element would call.
const FEW: usize = 32;

/// `vector = vec![element; length]` in the memory that it has.
#[inline]
pub fn refill<T: Clone>(vector: &mut Vec<T>, element: T, length: usize) {
    if vector.len() == length {
        if length <= FEW {
            let element = std::hint::black_box(element);
            vector.iter_mut().for_each(|place| *place = element.clone());
        } else {
            vector.fill(element);
        }
    } else {
        vector.clear();
        vector.resize(length, element);
    }
}

/// The shadow of a slice: of its elements alone it depends whether it has one.
#[inline]
pub fn zeros_like<T: Differentiable>(slice: &[T]) -> Vec<T> {
    crate::derivative::zero_like(slice)
}

/// `shadow = vector.zero_like()` in the memory that it has.
#[inline]
pub fn refill_shadow<T: Differentiable>(shadow: &mut Vec<T>, vector: &[T]) {
    if shadow.len() == vector.len() {
        for (shadow, value) in shadow.iter_mut().zip(vector) {
            *shadow = value.zero_like();
        }
    } else {
        shadow.clear();
        shadow.extend(vector.iter().map(T::zero_like));
    }
}

/// Of any type, where nothing comes.
pub fn nothing<T>() -> T {
    unreachable!("nothing comes here")
}

/// What a method is called on, tied to the value of another method: rustc does not know its type
/// where that has none.
pub struct Tied<P, R>(pub P, core::marker::PhantomData<R>);

impl<P, R> Tied<P, R> {
    #[inline(always)]
    pub fn to(place: P) -> Self {
        Tied(place, core::marker::PhantomData)
    }
    pub fn mentioned(_: R) -> Self {
        nothing()
    }
}

/// The value of a branch or block, and what it keeps for the way back.
#[inline]
pub fn together<T, K>(value: T, kept: K) -> (T, K) {
    (value, kept)
}

/// What the branch that was taken has kept.
#[inline]
pub fn some<T>(kept: T) -> Option<T> {
    Some(kept)
}

/// What a branch that was not taken has kept.
#[inline]
pub fn none<T>() -> Option<T> {
    None
}

/// What was kept.
#[inline]
pub fn kept<T>(kept: T) -> T {
    kept
}

/// Whether a branch that keeps something was taken.
#[inline]
pub fn is_some<T>(kept: &Option<T>) -> bool {
    kept.is_some()
}

/// Whether a branch that keeps something was not taken.
#[inline]
pub fn is_none<T>(kept: &Option<T>) -> bool {
    kept.is_none()
}

/// What was kept by a branch that is known to have been taken.
#[inline]
pub fn taken<T>(kept: Option<T>) -> T {
    kept.expect("it was taken")
}

/// Refuses a shadow of another length than the slice that it is handed in for, and
/// other lengths that must be equal.
#[inline]
#[track_caller]
pub fn same_length(one: usize, other: usize, source: &'static str) {
    if one != other {
        crate::iter::unequal(one, other, source);
    }
}

/// A value and a shadow that is handed in for it. The compiler has no types, so the search for
/// `__fits` finds what compares their shapes: nothing, of what is not known to have shadows.
pub struct Fits<'a, V: ?Sized, S: ?Sized>(pub &'a V, pub &'a S);

pub trait FitsKnown {
    /// Refuses a shadow of another shape.
    fn __fits(&self, source: &'static str);
}

impl<V: Differentiable> FitsKnown for Fits<'_, V, V> {
    #[inline]
    #[track_caller]
    fn __fits(&self, source: &'static str) {
        if let Some(misfit) = self.0.misfit(self.1) {
            misfits(&misfit, source);
        }
    }
}

impl<T: Differentiable> FitsKnown for Fits<'_, [T], [T]> {
    #[inline]
    #[track_caller]
    fn __fits(&self, source: &'static str) {
        if let Some(misfit) = Misfit::of_elements(self.0, self.1) {
            misfits(&misfit, source);
        }
    }
}

pub trait FitsUnknown {
    fn __fits(&self, _source: &'static str) {}
}

impl<V: ?Sized, S: ?Sized> FitsUnknown for &Fits<'_, V, S> {}

#[cold]
#[inline(never)]
#[track_caller]
fn misfits(misfit: &Misfit, source: &'static str) -> ! {
    let Misfit { place, value, shadow } = misfit;
    let at = if place.is_empty() { String::new() } else { format!(" at `{place}`") };
    let (expected, found) = (format!("{value} elements{at}"), format!("{shadow} elements"));
    crate::error::fail(crate::error::Broken::Lengths, source, expected, found)
}

/// What carries no gradient, and what is made of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` may carry a gradient, but by its name this asks for a shape, a test or bits",
    label = "its gradient would be lost",
    note = "help: give the method another name, or write a `#[differentiable]` function for the operator; or take the value in a `#[constant] let`, and name the type of what starts with it, `let mut a: f64 = …`"
)]
pub trait Constant {}

/// What a `match` takes out of a value: what is [`Constant`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` may carry a gradient, which cannot be followed out of a `match`",
    label = "its gradient would be lost",
    note = "help: match what carries none, by a `#[constant] let op = …;` before the `match`; or mark the argument or field `#[constant]`, or the function `#[reversible(inverse_only)]`"
)]
pub trait Matched {}

/// What is [`Constant`] and can be its own shadow: of what a shared reference is before, nobody
/// could write one.
pub trait OwnConstant: Constant {}

/// What the variants of an enum with a shadow may hold: what is [`Constant`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` may carry a gradient, and the shadow of one variant of an enum is none of another",
    label = "its gradient would be lost",
    note = "help: leave out `derive(Differentiable)`, and mark values of this type `#[constant]`; or make it a struct"
)]
pub trait InVariant {}

#[diagnostic::do_not_recommend]
impl<T: Constant> InVariant for T {}

/// Claims that a field of a variant carries no gradient.
pub fn in_variant<T: InVariant>() {}

macro_rules! constants {
    ($($class:ident)+) => {$(
        constants!($class: bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
        constants!($class: () str String std::cmp::Ordering);
        constants!($class: std::alloc::Layout std::any::TypeId std::time::Duration);
        impl<T: $class + ?Sized> $class for Box<T> {}
        impl<T: $class> $class for [T] {}
        impl<T: $class, const N: usize> $class for [T; N] {}
        impl<T: $class> $class for Vec<T> {}
        impl<T: $class> $class for std::collections::VecDeque<T> {}
        impl<T: $class> $class for Option<T> {}
        impl<T: $class> $class for std::num::Wrapping<T> {}
        impl<T: $class> $class for crate::num::Complex<T> {}
        impl<A: $class> $class for (A,) {}
        impl<A: $class, B: $class> $class for (A, B) {}
        impl<A: $class, B: $class, C: $class> $class for (A, B, C) {}
        impl<A: $class, B: $class, C: $class, D: $class> $class for (A, B, C, D) {}
    )+};
    ($class:ident: $($type:ty)+) => {$(impl $class for $type {})+};
}

constants!(Constant Matched OwnConstant);

impl<T: Constant + ?Sized> Constant for &T {}
impl<T: Matched + ?Sized> Matched for &T {}

/// `place += value`, or `place -= value`, of types that promise that it can be undone. One
/// function for both says but once that they do not.
#[inline]
#[track_caller]
pub fn sum<T: UndoableSum<R> + ?Sized, R>(place: &mut T, value: R, plus: bool) {
    if plus {
        place.plus(value);
    } else {
        place.minus(value);
    }
}

/// A place that is added to where a function promises for some types that it can be undone. Its
/// own method for these comes first, because it needs no borrow.
pub struct Adding<'a, T: ?Sized>(pub &'a mut T);

/// [`sum`], for all other types.
pub trait AddingElse<R> {
    fn __sum(self, value: R, plus: bool);
}

impl<T: UndoableSum<R> + ?Sized, R> AddingElse<R> for &mut Adding<'_, T> {
    #[inline]
    #[track_caller]
    fn __sum(self, value: R, plus: bool) {
        sum(self.0, value, plus);
    }
}

/// The sum of a type of which a function with a gradient promises that it can be undone: that it
/// changes as much as what is added is not promised with it.
pub struct SumOf<T>(pub core::marker::PhantomData<T>);

/// Nothing to follow through the sum.
pub trait SlopeOfConstant {
    fn __slope(&self) {}
}

impl<T: Constant> SlopeOfConstant for &&SumOf<T> {}

/// A sum that says it by itself.
pub trait SlopeOfSum {
    fn __slope(&self) {}
}

impl<T: UndoableSum> SlopeOfSum for &SumOf<T> {}

/// Any other.
pub trait SlopeElse<T> {
    fn __slope(&self)
    where
        T: KnownSlope,
    {
    }
}

impl<T> SlopeElse<T> for SumOf<T> {}

/// A sum of which nothing is known but that it can be undone.
#[diagnostic::on_unimplemented(
    message = "`undoable(…)` promises that `+=` on `{Self}` can be undone, but not what its derivative is",
    label = "may carry a gradient, which `+=` would change in an unknown way",
    note = "help: `#[derive(AdditiveGroup)]` on a struct of numbers, or implement `AdditiveGroup` by hand, for a type of another crate on a struct of your own around it; or mark the function `#[reversible(inverse_only)]`"
)]
pub trait KnownSlope {}

/// `place ^= value`, of types that promise that it undoes itself.
#[inline]
pub fn xor<T: UndoableXor<R>, R>(place: &mut T, value: R) {
    *place ^= value;
}

/// What can be written where no gradient is followed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` may carry a gradient, which would be lost in what is `#[constant]`",
    label = "written into what is `#[constant]`",
    note = "help: leave out the `#[constant]`, or say that the gradient ends here: `#[constant] let held = …;`, and write `held`"
)]
pub trait KeptConstant {}

#[diagnostic::do_not_recommend]
impl<T: Constant> KeptConstant for T {}

/// What is passed for the shadow of a place that is `#[constant]` and may be written: where
/// the callee wants a shadow, a gradient could get lost in it. Mark the argument of the
/// callee `#[constant]`, too, or leave the mark out here.
pub struct ShadowOfConstant;

/// Claims that what is written into a constant carries no gradient.
#[inline]
pub fn kept_constant<T: KeptConstant>(value: T) -> T {
    value
}

/// Claims that a value carries no gradient.
#[inline]
pub fn constant<T: Constant>(value: T) -> T {
    value
}

/// Claims that what a `match` takes out of a value carries no gradient.
#[inline]
pub fn matched<T: Matched>(value: T) -> T {
    value
}

/// A number whose functions are those that their names say.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number, but by its name this method is that of a number",
    label = "its derivative would be that of the numbers' method",
    note = "help: give the method another name, and mark it `#[differentiable]`; or take the value in a `#[constant] let`"
)]
pub trait Number: Clone {}

#[diagnostic::do_not_recommend]
impl<T: crate::num::Real> Number for T {}

macro_rules! numbers {
    ($($type:ty)+) => {$(impl Number for $type {})+};
}

numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// Claims that a value is a real number or an integer.
#[inline]
pub fn number<T: Number>(value: &T) -> T {
    value.clone()
}

/// Claims that a type is that of real numbers.
pub fn real<T: crate::num::Real>() {}

/// Claims that a value has the arithmetic of a number.
#[inline]
pub fn arithmetic<T: crate::num::Arithmetic>(value: &T) -> T {
    value.clone()
}

/// Claims that a copy is one: a type's own `clone` may be anything.
#[inline]
#[track_caller]
pub fn copied<T: Differentiable>(copy: T, original: &T) -> T {
    if let Some(astray) = copy.astray(original, crate::check::Slack::EXACT) {
        not_copied(&astray);
    }
    copy
}

#[cold]
#[inline(never)]
#[track_caller]
fn not_copied(astray: &crate::check::Astray) -> ! {
    let crate::check::Astray { place, expected, found, .. } = astray;
    panic!(
        "what `clone` gave is no copy: {found} instead of {expected} (`{place}`)\nhelp: a \
         gradient takes it for one; give what it does another name, and a derivative, \
         `#[differentiable] fn …`"
    );
}

/// Claims that a method gives a part of its receiver.
#[inline]
pub fn view<P: Part>(part: P) -> P {
    part
}

/// Asks a shadow whether it has its parts where the value has them: the compiler's search
/// for `has_parts` finds the one that asks, if it can be the shadow of a value.
pub struct Parts<'a, T: ?Sized>(pub &'a T);

pub trait AskParts<T> {
    fn has_parts(&self)
    where
        T: Container;
}

impl<T: Differentiable> AskParts<T> for Parts<'_, T> {
    fn has_parts(&self)
    where
        T: Container,
    {
    }
}

/// Nothing is asked of what has no gradient.
pub trait NoParts {
    fn has_parts(&self) {}
}

impl<T: ?Sized> NoParts for &Parts<'_, T> {}

/// Asks a type that has a `Deref` of its own the same: found as [`Parts`] is.
pub struct Derefs<'a, T: ?Sized>(pub &'a T);

pub trait AskDerefs<T> {
    fn has_parts(&self)
    where
        T: Container;
}

impl<T: std::ops::Deref> AskDerefs<T> for Derefs<'_, T> {
    fn has_parts(&self)
    where
        T: Container,
    {
    }
}

/// Nothing is asked of what has none.
pub trait NoDerefs {
    fn has_parts(&self) {}
}

impl<T: ?Sized> NoDerefs for &Derefs<'_, T> {}

/// Claims that a value is a complex number.
#[inline]
pub fn complex<T>(value: crate::num::Complex<T>) -> crate::num::Complex<T> {
    value
}

/// Evaluates an expression that must not change anything: what an `Fn` captures,
/// it may only read.
#[inline(always)]
pub fn pure<R>(expression: impl Fn() -> R) -> R {
    expression()
}

/// What a variable must have that carries a gradient.
#[diagnostic::on_unimplemented(
    label = "`{Self}` has no shadow to hold a gradient",
    note = "help: `#[derive(Differentiable)]` on a struct of numbers, or mark the name `#[constant]`; if it is a part that a method gives of its receiver, write its type: `let row: &[f64] = …`"
)]
pub trait HasShadow: Differentiable {}

#[diagnostic::do_not_recommend]
impl<T: Differentiable> HasShadow for T {}

/// What the receiver of a trait's method must have for its adjoint.
#[diagnostic::on_unimplemented(
    message = "this method has no adjoint for `{Self}`, whose size is not known",
    label = "called by a function whose adjoint needs it, or for a gradient",
    note = "help: make it a free function of a reference, `fn f(x: &mut [f64])`, or `pub` in an `impl` without a trait; or mark the caller `#[reversible(inverse_only)]`"
)]
pub trait KnownSize: Sized {}

impl<T> KnownSize for T {}

/// Not implemented: asked for by what stands in for an adjoint that is not there.
#[diagnostic::on_unimplemented(
    message = "this function has no adjoint",
    label = "called by a function whose adjoint needs it",
    note = "help: a `#[reversible]` function has one unless it says `inverse_only`; an `#[instruction]` names it, `adjoint = …, inverse_adjoint = …`; or mark the caller `#[reversible(inverse_only)]`"
)]
pub trait NoAdjoint {}

/// As [`NoAdjoint`], of a gradient in one call.
#[diagnostic::on_unimplemented(
    message = "this function has no `gradient`, which is that of one number",
    label = "called here",
    note = "help: the first `&mut` argument must be a number by its name, `&mut f64`, `&mut f32` or `&mut T` with `T: Real`, and not by an alias; or call the function, and its `adjoint`"
)]
pub trait NoGradient {}

/// As [`NoAdjoint`], of a function with a companion type, which can be named.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no adjoint",
    label = "called by a function whose adjoint needs it",
    note = "help: a `#[reversible]` function has one unless it says `inverse_only`; an `#[instruction]` names it, `adjoint = …, inverse_adjoint = …`; or mark the caller `#[reversible(inverse_only)]`"
)]
pub trait WithAdjoint {}

/// As [`WithAdjoint`], of a function that is called for its value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivative",
    label = "a value that carries a gradient goes through it",
    note = "help: a function that gives a value has one if it is `#[differentiable]`; a `#[reversible]` one is a statement, `f(&mut y, &x);`"
)]
pub trait WithDerivative {}

/// Stand-ins for functions without a companion type, or without adjoints in it.
/// Generated code imports the callee as `Callee` and one of these by a glob, which
/// loses against it. Of the functions that are missing at once, one says so: callers
/// that ask for the others ask for that one too. These take references for good, but
/// nothing comes after them.
pub mod no_inverse {
    #[diagnostic::on_unimplemented(
        message = "this function has no inverse",
        label = "called by a reversible function, which must be able to undo it",
        note = "help: mark the function with `#[reversible]`, give it an inverse by hand with `#[instruction(inverse = …)]`, or call it inside `host! {{ … }}` if it may run in both directions"
    )]
    pub trait Invertible {}

    #[diagnostic::on_unimplemented(
        message = "this function has no derivative",
        label = "a value that carries a gradient goes through it",
        note = "help: mark the function with `#[differentiable]`, give it a rule by hand with `#[differentiable(pullback = …)]`, mark what it reads `#[constant]`, take what it gives in a `#[constant] let` if that is an integer or a `bool`, or mark the caller `#[reversible(inverse_only)]`"
    )]
    pub trait Derivable {}

    /// What never runs: a bound that nothing satisfies stands in the way.
    pub fn missing() -> ! {
        unreachable!("this function has no inverse, or no derivative")
    }

    macro_rules! stand_ins {
        ($($module:ident($($argument:ident),*))+) => {$(
            pub mod $module {
                pub struct Callee {}
                #[allow(non_snake_case, clippy::too_many_arguments)]
                impl Callee {
                    pub fn inverse<$($argument,)* Value>($(_: $argument),*) -> Value
                    where
                        Value: super::Invertible,
                    {
                        super::missing()
                    }
                    // Once is enough to say it.
                    pub fn __adjoint<$($argument),*>($(_: $argument),*) -> ! {
                        super::missing()
                    }
                    pub fn __inverse_adjoint<$($argument),*>($(_: $argument),*) -> ! {
                        super::missing()
                    }
                    pub fn __gradient<$($argument),*>($(_: $argument),*) -> ! {
                        super::missing()
                    }
                    pub fn __pullback<$($argument),*>($(_: $argument),*)
                    where
                        ($($argument,)*): super::Derivable,
                    {
                    }
                    pub fn __forward<$($argument,)* Value, Back>(
                        $(_: $argument),*
                    ) -> (Value, Back)
                    where
                        Value: super::Derivable,
                    {
                        super::missing()
                    }
                    pub fn __backward<$($argument),*>($(_: $argument),*) -> ! {
                        super::missing()
                    }
                }

                /// The adjoints of whatever has none of its own: of a function
                /// that has an inverse alone.
                #[allow(non_snake_case, clippy::too_many_arguments)]
                pub trait __InverseOnly {
                    fn __adjoint<$($argument),*>($(_: $argument),*)
                    where
                        Self: super::super::WithAdjoint,
                    {
                        super::missing()
                    }
                    fn __inverse_adjoint<$($argument),*>($(_: $argument),*) -> ! {
                        super::missing()
                    }
                    fn __gradient<$($argument),*>($(_: $argument),*) -> ! {
                        super::missing()
                    }
                    fn __forward<$($argument,)* Value, Back>($(_: $argument),*) -> (Value, Back)
                    where
                        Self: super::super::WithDerivative,
                    {
                        super::missing()
                    }
                    fn __backward<$($argument),*>($(_: $argument),*) -> ! {
                        super::missing()
                    }
                    /// The arguments that a function only adds to: none, unless it says so.
                    #[inline]
                    fn __adds_to(_depth: u32) -> u64 {
                        0
                    }
                    /// Stops where a pure function decides too closely on what is undone:
                    /// nowhere, unless it says so.
                    #[inline(always)]
                    fn __settle<$($argument),*>($(_: $argument),*) {}
                    /// What derivatives look at while it is undone: nothing, unless it says so.
                    #[inline]
                    fn __looks(_depth: u32) -> u64 {
                        0
                    }
                    /// Those that it decides on going back: none, unless it says so.
                    #[inline(always)]
                    fn __decides(_depth: u32) -> u64 {
                        0
                    }
                    /// Those that it does not even read: none, unless it says so.
                    #[inline]
                    fn __accumulates(_depth: u32) -> u64 {
                        0
                    }
                }

                impl<T> __InverseOnly for T {}
            }
        )+};
    }

    stand_ins! {
        arguments_1(A)
        arguments_2(A, B)
        arguments_3(A, B, C)
        arguments_4(A, B, C, D)
        arguments_5(A, B, C, D, E)
        arguments_6(A, B, C, D, E, F)
        arguments_7(A, B, C, D, E, F, G)
        arguments_8(A, B, C, D, E, F, G, H)
        arguments_9(A, B, C, D, E, F, G, H, I)
        arguments_10(A, B, C, D, E, F, G, H, I, J)
        arguments_11(A, B, C, D, E, F, G, H, I, J, K)
        arguments_12(A, B, C, D, E, F, G, H, I, J, K, L)
        arguments_13(A, B, C, D, E, F, G, H, I, J, K, L, M)
        arguments_14(A, B, C, D, E, F, G, H, I, J, K, L, M, N)
        arguments_15(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O)
        arguments_16(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P)
        arguments_17(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q)
        arguments_18(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R)
        arguments_19(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S)
        arguments_20(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T)
        arguments_21(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U)
        arguments_22(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V)
        arguments_23(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W)
        arguments_24(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X)
        arguments_25(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y)
        arguments_26(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z)
    }
}
