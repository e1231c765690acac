//! `#[instruction(inverse = …)]`: a reversible function whose two directions
//! are written by hand.

use crate::added::AddedTo;
use crate::adjoint;
use crate::attribute::Annotated;
use crate::companion::Companion;
use crate::diagnostics::Diagnostics;
use crate::expand::{mentions_self, take_argument_attributes};
use crate::item::{self, Member};
use crate::looks::{DECIDES, Looks};
use crate::place::names_in;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Path, Signature, Token, Visibility};

/// The argument of the attribute: the functions that belong to this one. Of a
/// method, a name without a path is that of another method.
#[derive(Default)]
struct Marks {
    /// `associated`: a function of an `impl` without a receiver.
    associated: bool,
    /// `adds`: it only adds to what it writes, and does not read that.
    adds: bool,
    /// `decides`: it asks how far its arguments may be rounded, and stops where that matters.
    decides: bool,
    /// `None` for one that undoes itself.
    inverse: Option<Path>,
    adjoint: Option<Path>,
    inverse_adjoint: Option<Path>,
    /// The adjoint, of which nobody asks that it restores the values.
    gradient: Option<Path>,
}

impl Parse for Marks {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let usage = "expected `inverse = NAME` or `self_inverse`, then `adjoint = NAME` and \
            `inverse_adjoint = NAME`\n\
            help: `#[instruction(inverse = decrement)]` names the function that undoes this one";
        let wrong = |e: syn::Error| syn::Error::new(e.span(), usage);
        let mut marks = Marks::default();
        let mut known = false;
        while !input.is_empty() {
            let key: Ident = input.parse().map_err(wrong)?;
            if key == "self_inverse" {
                known = true;
            } else if key == "associated" {
                marks.associated = true;
            } else if key == "adds" {
                marks.adds = true;
            } else if key == "decides" {
                marks.decides = true;
            } else {
                input.parse::<Token![=]>().map_err(wrong)?;
                let path = Some(input.parse().map_err(wrong)?);
                match key.to_string().as_str() {
                    "inverse" => (marks.inverse, known) = (path, true),
                    "adjoint" => marks.adjoint = path,
                    "inverse_adjoint" => marks.inverse_adjoint = path,
                    "gradient" => marks.gradient = path,
                    _ => return Err(syn::Error::new(key.span(), usage)),
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>().map_err(wrong)?;
            }
        }
        // A second adjoint stands beside a first.
        known &= marks.gradient.is_none() || marks.adjoint.is_some();
        if known { Ok(marks) } else { Err(input.error(usage)) }
    }
}

/// Leaves the function as it is and puts its companion type beside it.
pub fn instruction(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let item = crate::groups::as_meant(item);
    expand(attribute, item.clone()).unwrap_or_else(|error| {
        item::mistaken(item, error, |signature| {
            let count = item::argument_names(signature).len();
            let with_shadows = ["__adjoint", "__inverse_adjoint", "__gradient"];
            let mut members =
                Vec::from(with_shadows.map(|name| item::standing_in(name, None, 2 * count)));
            members.push(item::standing_in("inverse", None, count));
            members
        })
    })
}

fn expand(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let marks: Marks = syn::parse2(attribute)?;
    let mut annotated: Annotated = syn::parse2(item)?;
    let mut diagnostics = Diagnostics::default();
    item::check_signature(&annotated.function.sig, &mut diagnostics);
    diagnostics.finish()?;
    let constants = take_argument_attributes(&mut annotated.function.sig);
    let Annotated { vis, function } = &annotated;
    let signature = &function.sig;
    let associated = marks.associated || mentions_self(signature, function.default.as_ref());
    let name = &signature.ident;
    let call = |by: &Path, signature: &Signature| item::call_by_hand(by, signature, associated);
    let own = Path::from(name.clone());
    let undo = marks.inverse.clone().unwrap_or_else(|| own.clone());
    let mut members = vec![Member {
        name: "inverse",
        about: "Undoes {f}: takes its outputs back to its inputs.",
        hidden: false,
        signature: signature.clone(),
        body: call(&undo, signature),
    }];
    let mut used = names_in(signature, function.default.as_ref());
    let shadowed = adjoint::shadowed(signature, &mut used, &constants);
    // Of one that undoes itself, the two adjoints are the same.
    let back = marks
        .inverse_adjoint
        .clone()
        .or_else(|| marks.inverse.is_none().then(|| marks.adjoint.clone()).flatten());
    let both = marks.adjoint.clone().zip(back);
    // Where nothing carries a gradient, the adjoint is the inverse.
    let both = if shadowed.active { both } else { both.or(Some((undo.clone(), own))) };
    let has_adjoint = both.is_some();
    match both {
        Some((forth, back)) => {
            let mut public = shadowed.signature.clone();
            let mut hidden = shadowed.hidden.clone();
            for signature in [&mut public, &mut hidden] {
                adjoint::keep_from_objects(signature, vis);
            }
            let lengths = shadowed.check_shapes();
            for (name, hidden_name, by, about) in [
                ("adjoint", "__adjoint", &forth, "The adjoint of {f}."),
                (
                    "inverse_adjoint",
                    "__inverse_adjoint",
                    &back,
                    "The adjoint of the inverse of {f}.",
                ),
            ] {
                // What has no shadow is left out.
                let passed = call(by, &shadowed.signature);
                let (signature, body) = (public.clone(), quote!({ #lengths #passed }));
                members.push(Member { name, about, hidden: false, signature, body });
                let (name, signature, body) = (hidden_name, hidden.clone(), passed);
                members.push(Member { name, about, hidden: true, signature, body });
            }
            if !associated {
                let body = call(marks.gradient.as_ref().unwrap_or(&forth), &shadowed.signature);
                let (name, signature) = ("__gradient", hidden);
                members.push(Member { name, about: "", hidden: true, signature, body });
            }
        }
        // Of a free function, the library says so. A trait has no such methods, nor may
        // its `impl`.
        None if associated && !matches!(vis, Visibility::Inherited) => {
            members.extend(item::no_gradient(signature));
        }
        None => {}
    }
    let attributes = item::shared_attributes(&function.attrs);
    if associated {
        let by_hand = [&marks.inverse, &marks.adjoint, &marks.inverse_adjoint];
        let members = item::methods(&members, name, vis, &attributes, &by_hand);
        return Ok(quote!(#annotated #(#members)*));
    }
    let companion = Companion {
        attributes: &attributes,
        visibility: vis,
        signature,
        gradients: has_adjoint.then_some(&shadowed),
        members,
        forgets: has_adjoint && marks.gradient.is_some(),
        added_to: AddedTo::default(),
        unread: if marks.adds { AddedTo::promised(signature) } else { AddedTo::default() },
        gradient: None,
        linted: false,
    };
    let companion = companion.emit();
    let mut decides = Looks::default();
    decides.add(if marks.decides { !0 } else { 0 });
    let decides = decides.emit(DECIDES, vis).map(|decides| {
        let cfg = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
        let quiet = item::quiet_and_alive();
        quote!(#(#cfg)* #quiet impl #name { #decides })
    });
    Ok(quote!(#annotated #companion #decides))
}
