//! `assert_reversible!` and `assert_gradient!`: a call, taken apart.

use crate::text;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, PathArguments};

/// An argument of the call.
struct Argument {
    /// What it is called in messages.
    name: String,
    /// A copy of its value; `None` for a function, which is passed as it is.
    value: Option<TokenStream>,
    /// How it is passed, from the copy.
    passed: TokenStream,
    /// Its shadow, as it is passed.
    shadow: TokenStream,
    /// Whether it is lent to be written.
    written: bool,
}

/// `assert_reversible!(f(&mut y, &x))`
pub fn assert_reversible(call: TokenStream) -> TokenStream {
    expand(call, false).unwrap_or_else(syn::Error::into_compile_error)
}

/// `assert_gradient!(f(&mut y, &x))`
pub fn assert_gradient(call: TokenStream) -> TokenStream {
    expand(call, true).unwrap_or_else(syn::Error::into_compile_error)
}

fn expand(call: TokenStream, gradient: bool) -> syn::Result<TokenStream> {
    let usage = "expected a call of a reversible function or method\n\
        help: write `assert_gradient!(f(&mut y, &x, n))`, with variables or values that can be \
        cloned";
    let call: Expr = syn::parse2(call).map_err(|e| syn::Error::new(e.span(), usage))?;
    let mut arguments = Vec::new();
    let mut count = 0;
    let mut take = |argument: &Expr| arguments.push(take(argument, &mut count));
    match &call {
        Expr::Call(e) => e.args.iter().for_each(&mut take),
        Expr::MethodCall(e) => {
            let receiver = &e.receiver;
            take(&syn::parse_quote!(&#receiver));
            e.args.iter().for_each(take);
            // Whether a method writes to it, only its signature tells.
            arguments[0].written = true;
        }
        other => return Err(syn::Error::new_spanned(other, usage)),
    }
    let call_in = |function: &str, with_shadows: bool| -> syn::Result<TokenStream> {
        let skip = usize::from(matches!(call, Expr::MethodCall(_)));
        let mut passed: Vec<&TokenStream> = Vec::new();
        if let (1, true, Some(receiver)) = (skip, with_shadows, arguments.first()) {
            passed.push(&receiver.shadow);
        }
        for argument in arguments.iter().skip(skip) {
            passed.push(&argument.passed);
            if with_shadows {
                passed.push(&argument.shadow);
            }
        }
        Ok(match &call {
            Expr::MethodCall(e) => {
                let (own, turbofish) = (&e.method, &e.turbofish);
                let name = match (function, function.strip_prefix("__")) {
                    ("", _) => own.clone(),
                    (_, Some(rest)) => format_ident!("__{}_{rest}", own, span = Span::call_site()),
                    _ => format_ident!("{own}_{function}"),
                };
                quote!(arguments.0.#name #turbofish (#(#passed),*))
            }
            Expr::Call(e) => {
                let Some(path) = crate::parse::function_name(&e.func) else {
                    return Err(syn::Error::new_spanned(&e.func, usage));
                };
                let mut path = path.clone();
                let associated = crate::ir::Callee::is_associated(&path);
                let Some(last) = path.path.segments.last_mut() else {
                    return Err(syn::Error::new_spanned(&e.func, usage));
                };
                if function.is_empty() {
                    quote!(#path(#(#passed),*))
                } else if associated {
                    let own = &last.ident;
                    last.ident = match function.strip_prefix("__") {
                        Some(rest) => format_ident!("__{}_{rest}", own, span = Span::call_site()),
                        None => format_ident!("{own}_{function}"),
                    };
                    quote!(#path(#(#passed),*))
                } else {
                    let generics = std::mem::replace(&mut last.arguments, PathArguments::None);
                    let function = format_ident!("{function}");
                    quote!(#path::#function #generics (#(#passed),*))
                }
            }
            _ => unreachable!("seen to above"),
        })
    };
    let written = arguments.iter().filter(|a| a.value.is_some()).map(|a| a.written);
    let names = arguments.iter().filter(|a| a.value.is_some()).map(|a| &a.name);
    let values = arguments.iter().filter_map(|a| a.value.as_ref());
    let source = text::of(&call.to_token_stream());
    let forward = call_in("", false)?;
    let check = if gradient {
        let (adjoint, inverse_adjoint) =
            (call_in("__adjoint", true)?, call_in("__inverse_adjoint", true)?);
        quote! {
            ::retrograde::testing::check_gradient(
                #source,
                &[#(#names),*],
                &[#(#written),*],
                (#(#values,)*),
                |arguments| { #forward; },
                |arguments, shadows| { #adjoint; },
                |arguments, shadows| { #inverse_adjoint; },
            )
        }
    } else {
        let inverse = call_in("inverse", false)?;
        quote! {
            ::retrograde::testing::check_reversible(
                #source,
                &[#(#names),*],
                (#(#values,)*),
                |arguments| { #forward; },
                |arguments| { #inverse; },
            )
        }
    };
    Ok(quote!({
        #[allow(unused_variables, clippy::all)]
        #check
    }))
}

fn take(argument: &Expr, count: &mut usize) -> Argument {
    let mut argument = argument.clone();
    let attributes = crate::pure::take_attributes(&mut argument);
    let constant = attributes.iter().any(|attribute| attribute.path().is_ident("constant"));
    let argument = &argument;
    let function = |expr: &Expr| {
        matches!(expr, Expr::Struct(e) if e.fields.is_empty() && e.rest.is_none())
            || matches!(expr, Expr::Lit(e) if matches!(e.lit, syn::Lit::Str(_)))
    };
    let (value, mutable) = match argument {
        Expr::Reference(e) => (&*e.expr, Some(e.mutability.is_some())),
        other => (other, None),
    };
    let name = text::of(&value.to_token_stream());
    if function(value) || constant {
        return Argument {
            name,
            value: None,
            passed: argument.to_token_stream(),
            shadow: quote!(::retrograde::derivative::NoShadow),
            written: false,
        };
    }
    let i = syn::Index::from(*count);
    *count += 1;
    Argument {
        name,
        value: Some(match mutable {
            // As the call itself would borrow it.
            Some(true) => quote!(::std::borrow::ToOwned::to_owned(&*(#argument))),
            _ => quote!(::std::borrow::ToOwned::to_owned(&(#value))),
        }),
        passed: match mutable {
            Some(true) => quote!(&mut arguments.#i),
            Some(false) => quote!(&arguments.#i),
            None => quote!(::core::clone::Clone::clone(&arguments.#i)),
        },
        shadow: quote!(&mut shadows.#i),
        written: mutable == Some(true),
    }
}
