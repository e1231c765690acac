//! `#[instruction(inverse = …)]`: a reversible function whose two directions
//! are written by hand.

use crate::adjoint::{self, Shadowed};
use crate::diagnostics::Diagnostics;
use crate::differentiate::names_in;
use crate::expand;
use crate::item::{self, Companion, Member};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{ItemFn, Path, Token};

/// The argument of the attribute: the functions that belong to this one.
struct Marks {
    /// `None` for one that undoes itself.
    inverse: Option<Path>,
    adjoint: Option<Path>,
    inverse_adjoint: Option<Path>,
}

impl Parse for Marks {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let usage = "expected `inverse = NAME` or `self_inverse`, then `adjoint = NAME` and \
            `inverse_adjoint = NAME`\n\
            help: `#[instruction(inverse = decrement)]` names the function that undoes this one";
        let wrong = |e: syn::Error| syn::Error::new(e.span(), usage);
        let mut marks = Marks { inverse: None, adjoint: None, inverse_adjoint: None };
        let mut known = false;
        while !input.is_empty() {
            let key: Ident = input.parse().map_err(wrong)?;
            if key == "self_inverse" {
                known = true;
            } else {
                input.parse::<Token![=]>().map_err(wrong)?;
                let path = Some(input.parse().map_err(wrong)?);
                match key.to_string().as_str() {
                    "inverse" => (marks.inverse, known) = (path, true),
                    "adjoint" => marks.adjoint = path,
                    "inverse_adjoint" => marks.inverse_adjoint = path,
                    _ => return Err(syn::Error::new(key.span(), usage)),
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>().map_err(wrong)?;
            }
        }
        if known { Ok(marks) } else { Err(input.error(usage)) }
    }
}

/// Leaves the function as it is and puts its companion type beside it.
pub fn instruction(attribute: TokenStream, item: TokenStream) -> TokenStream {
    match expand(attribute, item.clone()) {
        Ok(tokens) => tokens,
        Err(error) => {
            let error = error.into_compile_error();
            quote!(#item #error)
        }
    }
}

fn expand(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let marks: Marks = syn::parse2(attribute)?;
    let mut function: ItemFn = syn::parse2(item)?;
    let mut diagnostics = Diagnostics::default();
    item::check_signature(&function.sig, &mut diagnostics);
    diagnostics.finish()?;
    let constants = expand::take_argument_attributes(&mut function.sig);
    let signature = &function.sig;
    let arguments = item::argument_names(signature);
    let name = &signature.ident;
    let undo = marks.inverse.clone().unwrap_or_else(|| Path::from(name.clone()));
    let mut members = vec![Member {
        name: "inverse",
        about: "Undoes {f}: takes its outputs back to its inputs.",
        hidden: false,
        signature: signature.clone(),
        body: quote!({ #undo(#(#arguments),*) }),
    }];
    let mut used = names_in(&quote!(#function));
    let shadowed = adjoint::shadowed(signature, &mut used, &constants);
    let Shadowed { signature: public, hidden, .. } = &shadowed;
    // Of one that undoes itself, the two adjoints are the same.
    let back = marks
        .inverse_adjoint
        .or_else(|| marks.inverse.is_none().then(|| marks.adjoint.clone()).flatten());
    let both = marks.adjoint.zip(back);
    // Where nothing carries a gradient, the adjoint is the inverse.
    let constant = !shadowed.active;
    if both.is_some() || constant {
        let mut given: Vec<TokenStream> = Vec::new();
        for argument in &public.inputs {
            if let syn::FnArg::Typed(typed) = argument {
                let name = &typed.pat;
                given.push(quote!(#name));
            }
        }
        let lengths = shadowed.check_lengths();
        let (forth, back) = match both {
            Some((forth, back)) => (quote!(#forth), quote!(#back)),
            None => (quote!(#undo), quote!(#name)),
        };
        members.push(Member {
            name: "__gradient",
            about: "",
            hidden: true,
            signature: hidden.clone(),
            body: quote!({ #forth(#(#given),*) }),
        });
        for (public_name, hidden_name, function, about) in [
            ("adjoint", "__adjoint", forth, "The adjoint of {f}."),
            ("inverse_adjoint", "__inverse_adjoint", back, "The adjoint of the inverse of {f}."),
        ] {
            members.push(Member {
                name: public_name,
                about,
                hidden: false,
                signature: public.clone(),
                body: quote!({ #lengths #function(#(#given),*) }),
            });
            members.push(Member {
                name: hidden_name,
                about,
                hidden: true,
                signature: hidden.clone(),
                body: quote!({ #function(#(#given),*) }),
            });
        }
    } else {
        members.extend(item::no_gradient(signature));
    }
    let attributes = item::shared_attributes(&function.attrs);
    let has_adjoint = members.iter().any(|member| member.name == "adjoint");
    let companion = Companion {
        attributes: &attributes,
        visibility: &function.vis,
        signature,
        gradients: has_adjoint.then_some(&shadowed),
        members,
        gradient: None,
    };
    let companion = companion.emit();
    Ok(quote!(#function #companion))
}
