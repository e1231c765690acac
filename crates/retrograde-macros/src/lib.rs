//! The procedural macros of Retrograde; see the crate `retrograde`, which
//! exports them.

use proc_macro::TokenStream;
use retrograde_compiler::expand::Options;

const OPTIONS: Options = Options { unchecked: cfg!(feature = "unchecked"), readable: false };

/// Makes a function reversible: beside `f` there will be `f::inverse`.
///
/// The guide describes the language form by form.
#[proc_macro_attribute]
pub fn reversible(attribute: TokenStream, item: TokenStream) -> TokenStream {
    retrograde_compiler::expand::reversible(attribute.into(), item.into(), OPTIONS).into()
}

/// Puts the companion type beside a function whose inverse is written by hand:
/// `#[instruction(inverse = g)]`, or `#[instruction(self_inverse)]`.
#[proc_macro_attribute]
pub fn instruction(attribute: TokenStream, item: TokenStream) -> TokenStream {
    retrograde_compiler::instruction::instruction(attribute.into(), item.into()).into()
}

/// Implements `AdditiveGroup` for a struct, field by field: zero, `+=`, `-=`,
/// negation, and the comparison that run-time checks make.
#[proc_macro_derive(AdditiveGroup)]
pub fn additive_group(item: TokenStream) -> TokenStream {
    retrograde_compiler::derive::additive_group(item.into()).into()
}

/// Drops the run-time reversibility checks of a function, block, loop or
/// statement; memory safety is never dropped.
///
/// On a function it stands beside `#[reversible]`, above or below.
#[proc_macro_attribute]
pub fn unchecked(attribute: TokenStream, item: TokenStream) -> TokenStream {
    retrograde_compiler::expand::unchecked(attribute.into(), item.into()).into()
}

/// Marks a block of a reversible function that is computed, used by the rest of
/// the enclosing block, and undone at its end.
#[proc_macro_attribute]
pub fn compute(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    retrograde_compiler::expand::compute_outside(item.into()).into()
}
