//! `assert_reversible!` and `assert_gradient!`: a call, taken apart.

use crate::attribute::is_ours;
use crate::text;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Expr, PathArguments, Token};

const USAGE: &str = "expected a call of a reversible function or method\n\
    help: write `assert_gradient!(f(&mut y, &x, n))`, with variables or values that can be \
    cloned";

/// What an assertion is given: a call, and how it is judged.
struct Input {
    call: Expr,
    /// `step = …`, `tolerance = …`
    options: Vec<(Ident, Expr)>,
}

impl Parse for Input {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let (call, mut options) = (input.parse()?, Vec::new());
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let key = input.parse()?;
            input.parse::<Token![=]>()?;
            options.push((key, input.parse()?));
        }
        Ok(Input { call, options })
    }
}

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
    /// The same two, of the type of the argument itself: a function value takes no other. What
    /// is constant has no shadow there.
    exactly: (TokenStream, Option<TokenStream>),
    /// Whether it is lent to be written.
    written: bool,
}

/// One of the functions that belong to a reversible function.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Itself,
    Inverse,
    Adjoint,
    InverseAdjoint,
    Gradient,
}

impl Of {
    fn with_shadows(self) -> bool {
        !matches!(self, Of::Itself | Of::Inverse)
    }

    /// Beside a free function.
    fn name(self) -> &'static str {
        match self {
            Of::Itself => "",
            Of::Inverse => "inverse",
            Of::Adjoint => "__adjoint",
            Of::InverseAdjoint => "__inverse_adjoint",
            Of::Gradient => "__gradient",
        }
    }

    /// Beside a method.
    fn method(self, own: &Ident) -> Ident {
        match (self, self.name().strip_prefix("__")) {
            (Of::Itself, _) => own.clone(),
            // A method has no third one.
            (Of::Gradient, _) => Of::Adjoint.method(own),
            (_, Some(rest)) => {
                format_ident!("__{}_{rest}", own, span = proc_macro2::Span::call_site())
            }
            _ => format_ident!("{own}_{}", self.name()),
        }
    }

    /// Of a function value.
    fn of_a_value(self) -> TokenStream {
        match self {
            Of::Itself => quote!(::retrograde::Reversible::call),
            Of::Inverse => quote!(::retrograde::Reversible::call_inverse),
            Of::Adjoint => quote!(::retrograde::Adjoint::call_adjoint),
            Of::InverseAdjoint => quote!(::retrograde::Adjoint::call_inverse_adjoint),
            Of::Gradient => quote!(::retrograde::Adjoint::call_gradient),
        }
    }
}

/// `assert_reversible!(f(&mut y, &x))`
pub fn assert_reversible(input: TokenStream) -> TokenStream {
    expand(input, false).unwrap_or_else(syn::Error::into_compile_error)
}

/// `assert_gradient!(f(&mut y, &x))`
pub fn assert_gradient(input: TokenStream) -> TokenStream {
    expand(input, true).unwrap_or_else(syn::Error::into_compile_error)
}

fn expand(input: TokenStream, gradient: bool) -> syn::Result<TokenStream> {
    let Input { call, options } =
        syn::parse2(input).map_err(|e| syn::Error::new(e.span(), USAGE))?;
    let options = judged_by(&options, gradient)?;
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
        other => return Err(syn::Error::new_spanned(other, USAGE)),
    }
    let made = || arguments.iter().filter(|argument| argument.value.is_some());
    let written = made().map(|argument| argument.written);
    let names = made().map(|argument| &argument.name);
    let values = made().map(|argument| &argument.value);
    let source = text::of(&call.to_token_stream());
    let function = |of| called(&call, &arguments, of);
    let forward = function(Of::Itself)?;
    let check = if gradient {
        let (adjoint, inverse_adjoint) = (function(Of::Adjoint)?, function(Of::InverseAdjoint)?);
        let alone = function(Of::Gradient)?;
        quote! {
            ::retrograde::testing::check_gradient(
                #source,
                &[#(#names),*],
                &[#(#written),*],
                #options,
                (#(#values,)*),
                |arguments| { #forward; },
                |function, arguments, shadows| match function {
                    ::retrograde::testing::Back::Adjoint => { #adjoint; }
                    ::retrograde::testing::Back::InverseAdjoint => { #inverse_adjoint; }
                    ::retrograde::testing::Back::Gradient => { #alone; }
                },
            )
        }
    } else {
        let inverse = function(Of::Inverse)?;
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

/// `step = 1e-4, tolerance = 1e-6`, as the library takes them.
fn judged_by(options: &[(Ident, Expr)], gradient: bool) -> syn::Result<TokenStream> {
    let mut fields = Vec::new();
    for (i, (key, value)) in options.iter().enumerate() {
        let known = gradient && (key == "step" || key == "tolerance");
        if !known || options[..i].iter().any(|(other, _)| other == key) {
            let help = if gradient {
                "help: `step = 1e-4` and `tolerance = 1e-6` can follow the call, each once"
            } else {
                "help: nothing follows the call; a gradient has a `step` and a `tolerance`"
            };
            let message = format!("`{key}` is no option of this assertion\n{help}");
            return Err(syn::Error::new(key.span(), message));
        }
        fields.push(quote!(#key: ::core::option::Option::Some(#value)));
    }
    Ok(
        quote!(::retrograde::testing::Options { #(#fields,)* ..::core::default::Default::default() }),
    )
}

/// A call of one of the functions that belong to the one that is called.
fn called(call: &Expr, arguments: &[Argument], of: Of) -> syn::Result<TokenStream> {
    let passed = |arguments: &[Argument]| -> Vec<TokenStream> {
        let both = |argument: &Argument| {
            let shadow = of.with_shadows().then(|| argument.shadow.clone());
            [Some(argument.passed.clone()), shadow]
        };
        arguments.iter().flat_map(both).flatten().collect()
    };
    Ok(match call {
        Expr::MethodCall(e) => {
            let (name, turbofish) = (of.method(&e.method), &e.turbofish);
            let receiver = of.with_shadows().then(|| arguments[0].shadow.clone());
            let passed = receiver.into_iter().chain(passed(&arguments[1..]));
            quote!(arguments.0.#name #turbofish (#(#passed),*))
        }
        Expr::Call(e) => {
            let Some(path) = crate::parse::function_name(&e.func) else {
                let (function, value) = (of.of_a_value(), &e.func);
                let passed = arguments.iter().flat_map(|argument| {
                    let (passed, shadow) = &argument.exactly;
                    [Some(passed), shadow.as_ref().filter(|_| of.with_shadows())]
                });
                let passed = passed.flatten();
                return Ok(quote!(#function(&(#value), (#(#passed,)*))));
            };
            let mut path = path.clone();
            let associated = crate::ir::Callee::is_associated(&path);
            let Some(last) = path.path.segments.last_mut() else {
                return Err(syn::Error::new_spanned(&e.func, USAGE));
            };
            let passed = passed(arguments);
            if of == Of::Itself {
                quote!(#path(#(#passed),*))
            } else if associated {
                last.ident = of.method(&last.ident);
                quote!(#path(#(#passed),*))
            } else {
                let generics = std::mem::replace(&mut last.arguments, PathArguments::None);
                let function = format_ident!("{}", of.name());
                quote!(#path::#function #generics (#(#passed),*))
            }
        }
        other => return Err(syn::Error::new_spanned(other, USAGE)),
    })
}

fn take(argument: &Expr, count: &mut usize) -> Argument {
    let mut argument = argument.clone();
    let attributes = crate::pure::take_attributes(&mut argument);
    let constant = attributes.iter().any(|attribute| is_ours(attribute, "constant"));
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
            exactly: (argument.to_token_stream(), None),
            written: false,
        };
    }
    let i = syn::Index::from(*count);
    *count += 1;
    let passed = match mutable {
        Some(true) => quote!(&mut arguments.#i),
        Some(false) => quote!(&arguments.#i),
        None => quote!(::core::clone::Clone::clone(&arguments.#i)),
    };
    let shadow = quote!(&mut shadows.#i);
    let exactly = match mutable {
        Some(true) => quote!(::retrograde::testing::lent_mut(&(#value), #passed)),
        Some(false) => quote!(::retrograde::testing::lent(&(#value), #passed)),
        None => passed.clone(),
    };
    let exact_shadow = quote!(::retrograde::testing::lent_mut(&(#value), #shadow));
    Argument {
        name,
        value: Some(match mutable {
            // As the call itself would borrow it.
            Some(true) => quote!(::std::borrow::ToOwned::to_owned(&*(#argument))),
            _ => quote!(::std::borrow::ToOwned::to_owned(&(#value))),
        }),
        passed,
        shadow,
        exactly: (exactly, Some(exact_shadow)),
        written: mutable == Some(true),
    }
}
