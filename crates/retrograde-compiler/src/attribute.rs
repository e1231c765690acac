//! The attribute `#[reversible(…)]`: its words, and what it stands on.

use crate::optimise::Passes;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Token, TraitItemFn, Visibility};

/// What the argument of `#[reversible(…)]` says.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// `associated`: a function of an `impl` without a receiver.
    pub associated: bool,
    /// `inverse_only`: no adjoint.
    pub inverse_only: bool,
    /// `gpu`: runs on a device, too.
    pub gpu: bool,
    /// `fused`: products in sums may be rounded with them, once.
    pub fused: bool,
    /// `undoable(…)`: types of other crates on which `+=` and `-=` undo each other.
    pub undoable: Vec<syn::Type>,
    /// `without(…)`: passes of the optimiser that do not run.
    pub passes: Passes,
}

/// The words in `#[reversible(…)]`.
pub(crate) fn parse_marks(attribute: TokenStream) -> syn::Result<Marks> {
    let usage = "`#[reversible]` takes the words `associated`, `inverse_only`, `fused`, `gpu` and \
        `undoable(…)`, and no other\n\
        help: write `#[reversible(associated)]` on a function of an `impl` that has no `self`, \
        `#[reversible(inverse_only)]` on one that has no derivative, `#[reversible(fused)]` on one \
        whose products may be added without a rounding of their own, `#[reversible(gpu)]` on one \
        that runs on a device, too, and `#[reversible(undoable(Type))]` to promise that `+=` and \
        `-=` of a type of another crate undo each other";
    let parser = syn::punctuated::Punctuated::<syn::Meta, Token![,]>::parse_terminated;
    let words = parser.parse2(attribute).map_err(|e| syn::Error::new(e.span(), usage))?;
    let mut marks = Marks::default();
    for word in words {
        match &word {
            syn::Meta::Path(path) if path.is_ident("associated") => marks.associated = true,
            syn::Meta::Path(path) if path.is_ident("inverse_only") => marks.inverse_only = true,
            syn::Meta::Path(path) if path.is_ident("gpu") => marks.gpu = true,
            syn::Meta::Path(path) if path.is_ident("fused") => marks.fused = true,
            // What it says is for the entry of the macro.
            syn::Meta::NameValue(pair) if pair.path.is_ident("crate") => {}
            syn::Meta::List(list) if list.path.is_ident("undoable") => {
                let types = syn::punctuated::Punctuated::<syn::Type, Token![,]>::parse_terminated;
                marks.undoable.extend(types.parse2(list.tokens.clone())?);
            }
            syn::Meta::List(list) if list.path.is_ident("without") => {
                let names = syn::punctuated::Punctuated::<Ident, Token![,]>::parse_terminated;
                for name in names.parse2(list.tokens.clone())? {
                    if !marks.passes.switch_off(&name.to_string()) {
                        let known = Passes::NAMES.join("`, `");
                        let message = format!(
                            "`{name}` is not a pass of the optimiser\n\
                             help: these are `{known}`"
                        );
                        return Err(syn::Error::new(name.span(), message));
                    }
                }
            }
            _ => return Err(syn::Error::new_spanned(word, usage)),
        }
    }
    Ok(marks)
}

/// A function with or without a body, with its visibility.
pub(crate) struct Annotated {
    pub vis: Visibility,
    pub function: TraitItemFn,
}

impl ToTokens for Annotated {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let TraitItemFn { attrs, sig, default, semi_token, .. } = &self.function;
        let vis = &self.vis;
        tokens.extend(quote!(#(#attrs)* #vis #sig #default #semi_token));
    }
}

impl Parse for Annotated {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        if !(input.peek(Token![fn])
            || input.peek(Token![unsafe])
            || input.peek(Token![async])
            || input.peek(Token![const])
            || input.peek(Token![extern]))
        {
            return Err(input.error(
                "this attribute stands on a function\nhelp: put it on each `fn` that is to be \
                 reversible, free or in an `impl` or `trait`",
            ));
        }
        let mut function: TraitItemFn = input.parse()?;
        attributes.append(&mut function.attrs);
        function.attrs = attributes;
        Ok(Annotated { vis, function })
    }
}

/// Whether an attribute is one of ours, by its name or by its path: `#[retrograde::unchecked]`,
/// `#[retrograde::prelude::unchecked]`, with whatever name the user's crate has for ours.
pub fn is_ours(attribute: &syn::Attribute, name: &str) -> bool {
    let segments = &attribute.path().segments;
    let by_path = match segments.len() {
        1 | 2 => true,
        3 => segments[1].ident == "prelude",
        _ => false,
    };
    by_path && segments.last().is_some_and(|last| last.ident == name)
}
