//! `#[instruction(inverse = …)]`: a reversible function whose two directions
//! are written by hand.

use crate::diagnostics::Diagnostics;
use crate::item::{self, Companion};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{ItemFn, Path, Token};

/// The argument of the attribute.
struct Inverse(Option<Path>);

impl Parse for Inverse {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let usage = "expected `inverse = NAME` or `self_inverse`\n\
            help: `#[instruction(inverse = decrement)]` names the function that undoes this one";
        let key: Ident = input.parse().map_err(|e| syn::Error::new(e.span(), usage))?;
        if key == "self_inverse" && input.is_empty() {
            return Ok(Inverse(None));
        }
        if key != "inverse" {
            return Err(syn::Error::new(key.span(), usage));
        }
        input.parse::<Token![=]>().map_err(|e| syn::Error::new(e.span(), usage))?;
        let path = input.parse().map_err(|e| syn::Error::new(e.span(), usage))?;
        Ok(Inverse(Some(path)))
    }
}

/// Leaves the function as it is and puts its companion type beside it.
pub fn instruction(attribute: TokenStream, item: TokenStream) -> TokenStream {
    match expand(attribute, item.clone()) {
        Ok(companion) => quote!(#item #companion),
        Err(error) => {
            let error = error.into_compile_error();
            quote!(#item #error)
        }
    }
}

fn expand(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let Inverse(inverse) = syn::parse2(attribute)?;
    let function: ItemFn = syn::parse2(item)?;
    let mut diagnostics = Diagnostics::default();
    item::check_signature(&function.sig, &mut diagnostics);
    diagnostics.finish()?;
    let arguments = item::argument_names(&function.sig);
    let name = &function.sig.ident;
    let inverse = inverse.unwrap_or_else(|| Path::from(name.clone()));
    let mut signature = function.sig.clone();
    signature.ident = Ident::new("inverse", name.span());
    let attributes = item::shared_attributes(&function.attrs);
    let companion = Companion {
        attributes: &attributes,
        visibility: &function.vis,
        signature: &function.sig,
        inverse: quote! {
            #signature {
                #inverse(#(#arguments),*)
            }
        },
    };
    Ok(companion.emit())
}
