//! From a file as it is written to the file that `rustc` would see: each attribute and
//! derive of Retrograde is replaced by what the compiler makes of it.
//!
//! This is all that the judge knows of the compiler: the entries that the procedural
//! macros call, tokens in and tokens out.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use retrograde_compiler::{derive, differentiable, expand, instruction};
use syn::{Attribute, File, ImplItem, Item, Meta};

/// The macros of Retrograde that stand on functions.
const ATTRIBUTES: [&str; 3] = ["reversible", "differentiable", "instruction"];

/// Expands a file; `off` are the passes of the optimiser that do not run.
///
/// Fails with the first diagnostic where the compiler refuses a function.
pub fn expand(file: &File, off: &[&str]) -> Result<File, String> {
    let mut tokens = TokenStream::new();
    for item in &file.items {
        match item {
            Item::Fn(function) => {
                tokens.extend(function_like(&function.attrs, function, off)?);
            }
            Item::Impl(block) if marked(&block.attrs).is_some() => {
                let mut bare = block.clone();
                bare.attrs.retain(|attribute| marked(std::slice::from_ref(attribute)).is_none());
                tokens.extend(compiled(&block.attrs, bare.to_token_stream(), off)?);
            }
            Item::Impl(block) => {
                let mut block = block.clone();
                let mut inside = TokenStream::new();
                for item in std::mem::take(&mut block.items) {
                    match &item {
                        ImplItem::Fn(function) => {
                            inside.extend(function_like(&function.attrs, function, off)?);
                        }
                        other => other.to_tokens(&mut inside),
                    }
                }
                block.items = vec![ImplItem::Verbatim(inside)];
                block.to_tokens(&mut tokens);
            }
            Item::Struct(definition) => {
                definition.to_tokens(&mut tokens);
                for name in derived(&definition.attrs) {
                    match name.as_str() {
                        "AdditiveGroup" => {
                            tokens.extend(derive::additive_group(definition.to_token_stream()));
                        }
                        "Differentiable" => {
                            tokens.extend(derive::differentiable(definition.to_token_stream()));
                        }
                        _ => {}
                    }
                }
            }
            other => other.to_tokens(&mut tokens),
        }
    }
    syn::parse2(tokens).map_err(|error| format!("what is emitted is not Rust: {error}"))
}

/// The names in `#[derive(…)]`.
pub fn derived(attributes: &[Attribute]) -> Vec<String> {
    let mut names = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        let _ = attribute.parse_nested_meta(|meta| {
            names.extend(meta.path.segments.last().map(|segment| segment.ident.to_string()));
            Ok(())
        });
    }
    names
}

/// The attribute of Retrograde that something carries, and its name.
fn marked(attributes: &[Attribute]) -> Option<(&'static str, &Attribute)> {
    attributes.iter().find_map(|attribute| {
        ATTRIBUTES
            .into_iter()
            .find(|name| attribute.path().is_ident(name))
            .map(|name| (name, attribute))
    })
}

/// A function, or what its attribute makes of it.
fn function_like(
    attributes: &[Attribute],
    function: &impl ToTokens,
    off: &[&str],
) -> Result<TokenStream, String> {
    let tokens = function.to_token_stream();
    if marked(attributes).is_none() {
        return Ok(tokens);
    }
    let mut bare: syn::ImplItemFn = syn::parse2(tokens).map_err(|error| error.to_string())?;
    bare.attrs.retain(|attribute| marked(std::slice::from_ref(attribute)).is_none());
    compiled(attributes, bare.to_token_stream(), off)
}

/// What the attribute of Retrograde among these makes of an item that carries it no more.
fn compiled(
    attributes: &[Attribute],
    item: TokenStream,
    off: &[&str],
) -> Result<TokenStream, String> {
    let Some((name, attribute)) = marked(attributes) else { return Ok(item) };
    let arguments = match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    let tokens = match name {
        "reversible" => {
            let off: Vec<Ident> =
                off.iter().map(|name| Ident::new(name, Span::call_site())).collect();
            let comma = (!arguments.is_empty()).then(|| quote!(,));
            let arguments = match off.is_empty() {
                true => arguments,
                false => quote!(#arguments #comma without(#(#off),*)),
            };
            expand::reversible(arguments, item, expand::Options::default())
        }
        "differentiable" => differentiable::differentiable(arguments, item),
        _ => instruction::instruction(arguments, item),
    };
    match diagnostic(&tokens) {
        Some(message) => Err(message),
        None => Ok(tokens),
    }
}

/// The text of the first `compile_error!`.
fn diagnostic(tokens: &TokenStream) -> Option<String> {
    let mut found = false;
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(name) => found |= name == "compile_error",
            TokenTree::Group(group) if found => return Some(group.stream().to_string()),
            // A diagnostic stands beside items, not inside of them.
            _ => {}
        }
    }
    None
}
