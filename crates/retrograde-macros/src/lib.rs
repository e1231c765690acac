//! The procedural macros of Retrograde; see the crate `retrograde`, which
//! exports them.
//!
//! What they generate names that crate as the user's `Cargo.toml` does. A crate that has it only
//! through another says where it is: `crate = path` in the attribute, `#[retrograde(crate = path)]`
//! beside a derive.

mod name;

use name::{path_on, renamed, take_path};
use proc_macro::TokenStream;
use retrograde_compiler::expand::Options;

const OPTIONS: Options =
    Options { unchecked: cfg!(feature = "unchecked"), readable: false, device: false };

/// Makes a function reversible: beside `f` there will be `f::inverse`, and with
/// gradients `f::adjoint` and `f::inverse_adjoint`.
///
/// `#[reversible(inverse_only)]` leaves the last two out; `#[reversible(associated)]`
/// is for a function of an `impl` without `self`. The guide describes the
/// language form by form.
#[proc_macro_attribute]
pub fn reversible(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (attribute, path) = take_path(attribute.into());
    renamed(retrograde_compiler::expand::reversible(attribute, item.into(), OPTIONS), path).into()
}

/// Makes a pure function one that expressions may call where gradients go
/// through: beside `f` there will be `f::pullback`.
///
/// The body is made of `let`, `if` and expressions. For any other function the
/// rule is written by hand: `#[differentiable(derivative = g)]` for a function of
/// one number, `#[differentiable(pullback = g)]` else.
///
/// On the `impl` of an operator, `#[differentiable] impl Sub for Interval { … }`, it gives
/// the rule of the operator.
#[proc_macro_attribute]
pub fn differentiable(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (attribute, path) = take_path(attribute.into());
    renamed(retrograde_compiler::differentiable::differentiable(attribute, item.into()), path)
        .into()
}

/// Puts the companion type beside a function whose inverse is written by hand:
/// `#[instruction(inverse = g)]`, or `#[instruction(self_inverse)]`, and its
/// adjoints with `adjoint = h, inverse_adjoint = k`, and with `gradient = l` an adjoint
/// that does not restore the values.
#[proc_macro_attribute]
pub fn instruction(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (attribute, path) = take_path(attribute.into());
    renamed(retrograde_compiler::instruction::instruction(attribute, item.into()), path).into()
}

/// Implements `AdditiveGroup` for a struct, field by field: zero, `+=`, `-=`,
/// negation, and the comparison that run-time checks make.
#[proc_macro_derive(AdditiveGroup, attributes(retrograde))]
pub fn additive_group(item: TokenStream) -> TokenStream {
    let item: proc_macro2::TokenStream = item.into();
    let path = path_on(item.clone());
    renamed(retrograde_compiler::derive::additive_group(item), path).into()
}

/// Tells a device how a `#[repr(C)]` struct is laid out; see `retrograde::device`.
#[proc_macro_derive(Device, attributes(retrograde))]
pub fn derive_device(item: TokenStream) -> TokenStream {
    let item: proc_macro2::TokenStream = item.into();
    let path = path_on(item.clone());
    renamed(retrograde_compiler::derive::device(item), path).into()
}

/// Implements `Differentiable` for a struct, field by field: its shadow is of the
/// same type. Fields marked `#[constant]` carry no gradient. An enum that holds no floats is its
/// own shadow.
///
/// `#[fieldwise]` on the struct promises that its `+`, `-` and negation go field by field,
/// and gives their rules. `#[container]` promises that its `Index`, and the methods that give
/// parts, find in a shadow what they find in the value; see `retrograde::derivative::Container`.
#[proc_macro_derive(Differentiable, attributes(constant, container, fieldwise, retrograde))]
pub fn derive_differentiable(item: TokenStream) -> TokenStream {
    let item: proc_macro2::TokenStream = item.into();
    let path = path_on(item.clone());
    renamed(retrograde_compiler::derive::differentiable(item), path).into()
}

/// Drops the run-time reversibility checks of a function, block, loop or
/// statement; memory safety is never dropped.
///
/// On a function it stands beside `#[reversible]`, above or below.
#[proc_macro_attribute]
pub fn unchecked(attribute: TokenStream, item: TokenStream) -> TokenStream {
    renamed(retrograde_compiler::expand::unchecked(attribute.into(), item.into()), None).into()
}

/// Marks a block of a reversible function that is computed, used by the rest of
/// the enclosing block, and undone at its end.
#[proc_macro_attribute]
pub fn compute(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    renamed(retrograde_compiler::expand::compute_outside(item.into()), None).into()
}

/// Asserts that the inverse of a reversible function undoes it, at the given
/// arguments: `assert_reversible!(f(&mut y, &x))`.
///
/// If not, it panics with the argument, the index, the value before and after.
///
/// What is `#[constant]` in the function is marked here, too:
/// `assert_reversible!(f(&mut y, #[constant] &data))`. Nothing is asserted of it.
#[proc_macro]
pub fn assert_reversible(call: TokenStream) -> TokenStream {
    renamed(retrograde_compiler::testing::assert_reversible(call.into()), None).into()
}

/// Asserts that the adjoint of a reversible function agrees with differences of
/// the function, at the given arguments: `assert_gradient!(f(&mut y, &x))`.
///
/// If not, it panics with the argument, the index, and both gradients.
///
/// What is `#[constant]` in the function is marked here, too:
/// `assert_gradient!(f(&mut y, #[constant] &data))`. A function with data is called as a value:
/// `assert_gradient!(With(f {}, (&data,))(&mut y, &x))`.
///
/// The first step of the differences and how far gradients may be apart, relative to their size,
/// can follow: `assert_gradient!(f(&mut y, &x), step = 1e-4, tolerance = 1e-6)`.
#[proc_macro]
pub fn assert_gradient(call: TokenStream) -> TokenStream {
    renamed(retrograde_compiler::testing::assert_gradient(call.into()), None).into()
}
