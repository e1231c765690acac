//! What the procedural macros call, and what must hold of its answer.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use retrograde_compiler::expand::{self, Options};
use retrograde_compiler::{derive, differentiable, groups, instruction, testing};
use syn::parse::Parser;

/// One of the procedural macros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// `#[reversible]`.
    Reversible,
    /// `#[reversible]`, under the feature `unchecked`.
    ReversibleUnchecked,
    /// `#[reversible]`, as the program `retrograde` shows it.
    ReversibleReadable,
    /// `#[differentiable]`.
    Differentiable,
    /// `#[instruction]`.
    Instruction,
    /// `#[unchecked]`.
    Unchecked,
    /// `#[compute]`, where it is not expected.
    Compute,
    /// `#[derive(AdditiveGroup)]`.
    DeriveAdditiveGroup,
    /// `#[derive(Differentiable)]`.
    DeriveDifferentiable,
    /// `#[derive(Device)]`.
    DeriveDevice,
    /// `assert_reversible!`.
    AssertReversible,
    /// `assert_gradient!`.
    AssertGradient,
}

impl Entry {
    /// All of them.
    pub const ALL: [Entry; 12] = [
        Entry::Reversible,
        Entry::ReversibleUnchecked,
        Entry::ReversibleReadable,
        Entry::Differentiable,
        Entry::Instruction,
        Entry::Unchecked,
        Entry::Compute,
        Entry::DeriveAdditiveGroup,
        Entry::DeriveDifferentiable,
        Entry::DeriveDevice,
        Entry::AssertReversible,
        Entry::AssertGradient,
    ];

    /// Calls it.
    pub fn call(self, attribute: TokenStream, item: TokenStream) -> TokenStream {
        let options = Options {
            unchecked: self == Entry::ReversibleUnchecked,
            readable: self == Entry::ReversibleReadable,
            ..Options::default()
        };
        match self {
            Entry::Reversible | Entry::ReversibleUnchecked | Entry::ReversibleReadable => {
                expand::reversible(attribute, item, options)
            }
            Entry::Differentiable => differentiable::differentiable(attribute, item),
            Entry::Instruction => instruction::instruction(attribute, item),
            Entry::Unchecked => expand::unchecked(attribute, item),
            Entry::Compute => expand::compute_outside(item),
            Entry::DeriveAdditiveGroup => derive::additive_group(item),
            Entry::DeriveDifferentiable => derive::differentiable(item),
            Entry::DeriveDevice => derive::device(item),
            Entry::AssertReversible => testing::assert_reversible(item),
            Entry::AssertGradient => testing::assert_gradient(item),
        }
    }

    /// Whether rustc gives it only what is an item. The others take any tokens.
    fn takes_items(self) -> bool {
        !matches!(self, Entry::AssertReversible | Entry::AssertGradient)
    }

    /// Whether rustc would give it this: an item, or any tokens for a macro that is called. What
    /// stands in `host!` must be Rust, too, since it is not looked into.
    pub fn is_rust(self, item: &TokenStream) -> bool {
        let parses = |item: TokenStream| items(item).is_ok();
        // A group without delimiters holds a whole expression or type, which the parser takes on
        // trust.
        let whole = |item: TokenStream| parses(groups::as_meant(item));
        let rust = || parses(item.clone()) && whole(item.clone()) && hosts_rust(item.clone());
        !self.takes_items() || rust()
    }

    /// Whether an answer is Rust. An error stands in it as `compile_error!`, which is Rust, too.
    pub fn must_parse(self, answer: &TokenStream) -> Result<(), syn::Error> {
        if self.takes_items() {
            return items(answer.clone());
        }
        syn::Block::parse_within.parse2(answer.clone()).map(drop)
    }
}

/// Whether what stands in each `host! { … }` are statements.
fn hosts_rust(tokens: TokenStream) -> bool {
    let mut before = [false, false];
    tokens.into_iter().all(|token| {
        let hosted = before == [true, true];
        let bang = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '!');
        let host = matches!(&token, TokenTree::Ident(name) if name == "host");
        before = if host { [true, false] } else { [before[0] && bang, before[0] && bang] };
        let TokenTree::Group(group) = token else { return true };
        let inside = syn::Block::parse_within;
        hosts_rust(group.stream()) && (!hosted || inside.parse2(group.stream()).is_ok())
    })
}

/// Whether these are items, of a file, an `impl` or a `trait`.
fn items(tokens: TokenStream) -> Result<(), syn::Error> {
    let of_a_file = syn::parse2::<syn::File>(tokens.clone());
    let Err(error) = of_a_file else { return Ok(()) };
    let within = |kind: &str| {
        let body = Group::new(Delimiter::Brace, tokens.clone());
        let mut item: TokenStream = format!("{kind} X").parse().expect("two words");
        item.extend([TokenTree::Group(body)]);
        item
    };
    if syn::parse2::<syn::ItemImpl>(within("impl")).is_ok()
        || syn::parse2::<syn::ItemTrait>(within("trait")).is_ok()
    {
        return Ok(());
    }
    Err(error)
}
