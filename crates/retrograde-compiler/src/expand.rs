//! The entry: from an annotated function to its two directions.

use crate::check;
use crate::diagnostics::Diagnostics;
use crate::emit;
use crate::invert::invert;
use crate::ir::{Block, Function};
use crate::item::{self, Companion};
use crate::names::Names;
use crate::optimise::optimise;
use crate::parse;
use crate::text::is_one_of;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashSet;
use syn::parse::{Parse, ParseStream, Parser};
use syn::visit::Visit;
use syn::{Attribute, FnArg, Pat, ReturnType, Signature, Stmt, Token, TraitItemFn, Visibility};

/// What can be switched from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// No run-time checks, as if the function carried `#[unchecked]`.
    pub unchecked: bool,
    /// Code for people: without what only serves the compiler's diagnostics.
    pub readable: bool,
}

/// The two directions of a function that passed all checks.
pub struct Directions {
    /// The function, as parsed and checked.
    pub function: Function,
    /// Its inverse, as a body.
    pub inverse: Option<Block>,
    names: Names,
    options: Options,
}

/// `#[reversible]`.
pub fn reversible(attribute: TokenStream, item: TokenStream, options: Options) -> TokenStream {
    let fallback = item.clone();
    let result = syn::parse2::<Annotated>(item).and_then(|annotated| {
        let associated = parse_associated(attribute)?;
        compile(annotated.vis, annotated.function, associated, options)
    });
    match result {
        Ok(directions) => directions.emit(),
        Err(error) => {
            let error = error.into_compile_error();
            let stub = stub(fallback, options);
            quote!(#error #stub)
        }
    }
}

/// `#[unchecked]` above `#[reversible]`: moves it below.
pub fn unchecked(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let parse = |input: ParseStream| -> syn::Result<(Vec<Attribute>, TokenStream)> {
        Ok((input.call(Attribute::parse_outer)?, input.parse()?))
    };
    let reversible = |attribute: &Attribute| {
        attribute.path().segments.last().is_some_and(|segment| segment.ident == "reversible")
    };
    match parse.parse2(item.clone()) {
        Ok((attributes, rest)) if attribute.is_empty() && attributes.iter().any(reversible) => {
            quote!(#(#attributes)* #[unchecked] #rest)
        }
        _ => misplaced(
            item,
            "`#[unchecked]` drops the checks of a reversible function or of its statements\n\
             help: put it beside `#[reversible]`, or on a statement inside, without arguments",
        ),
    }
}

/// `#[compute]` outside of a reversible function.
pub fn compute_outside(item: TokenStream) -> TokenStream {
    misplaced(
        item,
        "`#[compute]` stands on a block of a reversible function\n\
         help: put `#[reversible]` on the function",
    )
}

fn misplaced(item: TokenStream, message: &str) -> TokenStream {
    let error = syn::Error::new(Span::call_site(), message).into_compile_error();
    quote!(#error #item)
}

/// `#[reversible(associated)]`: for a function of an `impl` without a receiver.
pub(crate) fn parse_associated(attribute: TokenStream) -> syn::Result<bool> {
    if attribute.is_empty() {
        return Ok(false);
    }
    let usage = "`#[reversible]` takes no argument but `associated`\n\
        help: write `#[reversible(associated)]` on a function of an `impl` that has no `self`";
    match syn::parse2::<Ident>(attribute) {
        Ok(word) if word == "associated" => Ok(true),
        Ok(word) => Err(syn::Error::new(word.span(), usage)),
        Err(error) => Err(syn::Error::new(error.span(), usage)),
    }
}

/// A function with or without a body, with its visibility.
struct Annotated {
    vis: Visibility,
    function: TraitItemFn,
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
                "`#[reversible]` stands on a function\nhelp: put it on each `fn` that is to be \
                 reversible, free or in an `impl` or `trait`",
            ));
        }
        let mut function: TraitItemFn = input.parse()?;
        attributes.append(&mut function.attrs);
        function.attrs = attributes;
        Ok(Annotated { vis, function })
    }
}

/// Runs the stages up to inversion.
pub fn compile(
    visibility: Visibility,
    function: TraitItemFn,
    associated: bool,
    options: Options,
) -> syn::Result<Directions> {
    let mut diagnostics = Diagnostics::default();
    let TraitItemFn { mut attrs, mut sig, default, .. } = function;
    let before = attrs.len();
    attrs.retain(|attribute| !attribute.path().is_ident("unchecked"));
    let checked = before == attrs.len() && !options.unchecked;
    item::check_signature(&sig, &mut diagnostics);
    take_argument_attributes(&mut sig);
    let associated = associated || default.is_none() || mentions_self(&sig, default.as_ref());
    let values: HashSet<Ident> = item::argument_names(&sig).into_iter().cloned().collect();
    let mut items = Vec::new();
    let mut names = Names::default();
    let body = default.map(|mut block| {
        let result = matches!(block.stmts.last(), Some(Stmt::Expr(_, None)));
        if result && !matches!(sig.output, ReturnType::Default) {
            // Reported with the return type.
            block.stmts.pop();
        }
        let parsed = parse::body(&block, checked, &values, &mut diagnostics);
        items = parsed.items;
        let mut body = parsed.block;
        names = Names::of(&sig, &body);
        check::check(&sig, &mut body, &names, &mut diagnostics);
        body
    });
    diagnostics.finish()?;
    let inverse = body.as_ref().map(|body| invert(body));
    let function =
        Function { attributes: attrs, visibility, signature: sig, associated, items, body };
    Ok(Directions { function, inverse, names, options })
}

impl Directions {
    /// The items that replace the annotated function.
    pub fn emit(&self) -> TokenStream {
        let Function { attributes, visibility, signature, .. } = &self.function;
        let forward = self.direction(self.function.body.as_ref());
        let backward = self.direction(self.inverse.as_ref());
        let shared = item::shared_attributes(attributes);
        let mut inverse = signature.clone();
        // Uncomputing that is dropped may leave a `mut` without a use.
        let quiet = quote!(#[allow(
            unused_assignments, unused_mut, unused_variables, unused_parens, unused_braces
        )]);
        let quiet_inverse = item::quiet_inverse();
        if self.function.associated {
            let name = &signature.ident;
            inverse.ident = format_ident!("{name}_inverse");
            let about = format!("Undoes [`{name}`](Self::{name}).");
            return quote! {
                #(#attributes)*
                #quiet
                #visibility #signature #forward
                #[doc = #about]
                #(#shared)*
                #quiet_inverse
                #visibility #inverse #backward
            };
        }
        inverse.ident = Ident::new("inverse", signature.ident.span());
        let companion = Companion {
            attributes: &shared,
            visibility,
            signature,
            inverse: quote!(#inverse #backward),
        };
        let companion = companion.emit();
        quote! {
            #(#attributes)*
            #quiet
            #visibility #signature #forward
            #companion
        }
    }

    /// The function alone, in one direction, for people.
    pub fn emit_one(&self, inverse: bool) -> TokenStream {
        let Function { visibility, signature, .. } = &self.function;
        let mut signature = signature.clone();
        let body = if inverse {
            signature.ident = format_ident!("{}_inverse", signature.ident);
            self.inverse.as_ref()
        } else {
            self.function.body.as_ref()
        };
        let body = self.direction(body);
        quote!(#visibility #signature #body)
    }

    fn direction(&self, body: Option<&Block>) -> TokenStream {
        let Some(body) = body else { return quote!(;) };
        let Function { signature, items, .. } = &self.function;
        // People read the text that the user wrote.
        let generic = self.is_generic() && !self.options.readable;
        let body = optimise(body, signature, &self.names);
        let statements = emit::block(body, &self.names, generic, self.options.readable);
        let traits = generic.then(|| {
            quote! {
                #[allow(unused_imports)]
                use ::retrograde::__private::Value as _;
            }
        });
        quote!({ #(#items)* #traits #statements })
    }

    /// Whether literals and reads need care: unless every type in the signature
    /// is one whose arithmetic Rust has built in. (A method may use the type
    /// parameters of its `impl`, which are not in sight.)
    fn is_generic(&self) -> bool {
        self.function.associated || !all_built_in(&self.function.signature)
    }
}

fn all_built_in(signature: &Signature) -> bool {
    // `Complex` has its own mixed arithmetic with real literals.
    const BUILT_IN: [&str; 23] = [
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
        "f32",
        "f64",
        "bool",
        "char",
        "str",
        "String",
        "Vec",
        "Box",
        "Option",
        "Complex",
        "Complex64",
    ];
    struct BuiltIn(bool);
    impl Visit<'_> for BuiltIn {
        fn visit_path(&mut self, path: &syn::Path) {
            let last = path.segments.last();
            self.0 &= last.is_some_and(|s| is_one_of(&s.ident, &BUILT_IN));
            syn::visit::visit_path(self, path);
        }
        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {
            self.0 = false;
        }
    }
    let mut built_in = BuiltIn(true);
    for argument in &signature.inputs {
        if let FnArg::Typed(typed) = argument {
            built_in.visit_type(&typed.ty);
        }
    }
    built_in.0
}

/// Our attributes on arguments say how to differentiate, and are not Rust's.
fn take_argument_attributes(signature: &mut Signature) {
    for argument in &mut signature.inputs {
        if let FnArg::Typed(typed) = argument {
            typed.attrs.retain(|attribute| !attribute.path().is_ident("constant"));
        }
    }
}

fn mentions_self(signature: &Signature, body: Option<&syn::Block>) -> bool {
    struct Mentions(bool);
    impl Visit<'_> for Mentions {
        fn visit_ident(&mut self, name: &Ident) {
            self.0 |= name == "Self" || name == "self";
        }
        fn visit_receiver(&mut self, _: &syn::Receiver) {
            self.0 = true;
        }
        fn visit_item(&mut self, _: &syn::Item) {}
        fn visit_visibility(&mut self, _: &Visibility) {}
        fn visit_path(&mut self, path: &syn::Path) {
            // `self::f` is a module, not a receiver.
            let module = path.segments.len() > 1 && path.segments[0].ident == "self";
            if !module {
                syn::visit::visit_path(self, path);
            }
        }
    }
    let mut mentions = Mentions(false);
    mentions.visit_signature(signature);
    if let Some(body) = body {
        mentions.visit_block(body);
    }
    mentions.0
}

/// What is left of a function with mistakes: the same items with empty bodies,
/// so that its callers give no errors of their own.
fn stub(item: TokenStream, options: Options) -> TokenStream {
    let Ok(Annotated { vis, mut function }) = syn::parse2::<Annotated>(item) else {
        return TokenStream::new();
    };
    let associated = mentions_self(&function.sig, function.default.as_ref());
    function.default = function.default.map(|_| {
        syn::parse_quote!({
            host! { unreachable!() }
        })
    });
    function.attrs.retain(|attribute| attribute.path().is_ident("doc"));
    let sig = &mut function.sig;
    sig.output = ReturnType::Default;
    sig.asyncness = None;
    sig.constness = None;
    for (i, argument) in sig.inputs.iter_mut().enumerate() {
        if let FnArg::Typed(typed) = argument {
            let name = match &*typed.pat {
                Pat::Ident(name) => name.ident.clone(),
                _ => format_ident!("argument_{i}", span = Span::mixed_site()),
            };
            *typed.pat = syn::parse_quote!(#name);
        }
    }
    match compile(vis, function, associated, options) {
        Ok(directions) => directions.emit(),
        Err(_) => TokenStream::new(),
    }
}
