//! `#[differentiable] impl Sub for Interval { … }`: the rule of an operator, from the
//! body of its function.

use crate::visit::VisitMut;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Expr, FnArg, GenericArgument, ImplItem, ImplItemFn, ItemImpl, Pat, PathArguments, ReceiverKind,
    Type, parse_quote,
};

/// The operators: trait, function, and the trait of the rule.
const OPERATORS: [(&str, &str, &str); 6] = [
    ("Add", "add", "PullAdd"),
    ("Div", "div", "PullDiv"),
    ("Mul", "mul", "PullMul"),
    ("Neg", "neg", "PullNeg"),
    ("Rem", "rem", "PullRem"),
    ("Sub", "sub", "PullSub"),
];

/// The `impl` as it is, and the rule beside it.
pub fn with_rule(item: TokenStream) -> TokenStream {
    let rule = syn::parse2(item.clone()).and_then(rule);
    let rule = rule.unwrap_or_else(syn::Error::into_compile_error);
    quote!(#item #rule)
}

/// What is wrong where the function of an operator is marked instead of its `impl`: what belongs to
/// a method has no place in an `impl` of another's trait. Only there is something `Self::Output`.
pub fn on_its_function(item: &TokenStream) -> Option<TokenStream> {
    let function = syn::parse2::<ImplItemFn>(item.clone()).ok()?;
    let signature = &function.sig;
    signature.receiver()?;
    let (operator, ..) = OPERATORS.iter().find(|(_, name, _)| signature.ident == name)?;
    let output = signature.output.to_token_stream().to_string();
    output.ends_with("Self :: Output").then(|| {
        let message = format!(
            "the rule of an operator belongs to the `impl` of `{operator}`\n\
             help: write `#[differentiable]` above the `impl`, and not on its function"
        );
        syn::Error::new(signature.ident.span(), message).into_compile_error()
    })
}

fn rule(item: ItemImpl) -> syn::Result<TokenStream> {
    let operator = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
    let known = OPERATORS.iter().find(|(name, ..)| operator.is_some_and(|o| o.ident == name));
    let (Some(operator), Some((_, name, trait_name))) = (operator, known) else {
        return Err(syn::Error::new_spanned(
            item.trait_.as_ref().map_or(item.self_ty.to_token_stream(), |t| t.0.to_token_stream()),
            "this is no `impl` of an operator that has a derivative\n\
             help: `Add`, `Sub`, `Neg`, `Mul`, `Div` and `Rem` have one; of any other `impl`, mark \
             the functions",
        ));
    };
    let own = &*item.self_ty;
    let mut meaning = Meaning { own: own.clone(), output: parse_quote!(()) };
    let mut function: Option<ImplItemFn> = None;
    for part in &item.items {
        match part {
            ImplItem::Type(ty) if ty.ident == "Output" => meaning.output = ty.ty.clone(),
            ImplItem::Fn(f) if f.sig.ident == name => function = Some(f.clone()),
            _ => {}
        }
    }
    // What does not make an `impl`, rustc explains.
    let Some(mut function) = function else { return Ok(TokenStream::new()) };
    let mut output = meaning.output.clone();
    meaning.visit_type_mut(&mut output);
    meaning.output = output.clone();
    let right: Option<Type> = match &operator.arguments {
        _ if *name == "neg" => None,
        PathArguments::AngleBracketed(generics) => match generics.args.first() {
            Some(GenericArgument::Type(ty)) => Some(ty.clone()),
            _ => Some(own.clone()),
        },
        _ => Some(own.clone()),
    };
    let right = right.map(|mut ty| {
        meaning.visit_type_mut(&mut ty);
        ty
    });
    // A function of its own: `self` is an argument like any other.
    let this = format_ident!("this");
    for argument in &mut function.sig.inputs {
        match argument {
            FnArg::Receiver(receiver) => {
                if !matches!(receiver.kind, ReceiverKind::Value) || receiver.mutability.is_some() {
                    return Err(syn::Error::new_spanned(
                        receiver,
                        "an operator takes `self`, and a differentiable function changes no \
                         argument\nhelp: write `self`",
                    ));
                }
                *argument = parse_quote!(#this: #own);
            }
            FnArg::Typed(typed) => {
                if !matches!(&*typed.pat, Pat::Ident(_)) {
                    return Err(syn::Error::new_spanned(
                        &typed.pat,
                        "the operand of an operator with a derivative has a name\n\
                         help: take it apart with a `let`",
                    ));
                }
            }
        }
    }
    meaning.visit_impl_item_fn_mut(&mut function);
    let free = format_ident!("__operator");
    function.sig.ident = free.clone();
    function.sig.generics = item.generics.clone();
    function.attrs = vec![parse_quote!(#[allow(dead_code)]), parse_quote!(#[inline])];
    let function =
        crate::differentiable::differentiable(TokenStream::new(), function.to_token_stream());
    let (parameters, _, condition) = item.generics.split_for_impl();
    let rule = format_ident!("{trait_name}");
    let (left_value, left_type) = operand(own, &format_ident!("left"));
    let derivative = quote!(::retrograde::derivative);
    let Some(right) = right else {
        return Ok(quote! {
            const _: () = {
                #function
                impl #parameters #derivative::#rule for #left_type #condition {
                    type Output = #output;
                    #[inline]
                    fn pull_neg(g: &#output, left: &#left_type) -> #left_type {
                        let mut d_left = #derivative::Differentiable::zero_like(left);
                        #free::__pullback(g, #left_value, &mut d_left);
                        d_left
                    }
                }
            };
        });
    };
    let (right_value, right_type) = operand(&right, &format_ident!("right"));
    let side = |side: &str, ty: &Type| {
        let method = format_ident!("pull_{name}_{side}");
        let shadow = format_ident!("d_{side}");
        let more = (method == "pull_div_right").then(|| quote!(, _quotient: &#output));
        quote! {
            #[inline]
            fn #method(g: &#output, left: &#left_type, right: &#right_type #more) -> #ty {
                let mut d_left = #derivative::Differentiable::zero_like(left);
                let mut d_right = #derivative::Differentiable::zero_like(right);
                #free::__pullback(g, #left_value, &mut d_left, #right_value, &mut d_right);
                #shadow
            }
        }
    };
    let (left, right) = (side("left", &left_type), side("right", &right_type));
    Ok(quote! {
        const _: () = {
            #function
            impl #parameters #derivative::#rule<#right_type> for #left_type #condition {
                type Output = #output;
                #left
                #right
            }
        };
    })
}

/// What is passed of an operand that is at hand by reference, and its type as a value:
/// rules are those of the values, whatever references they are behind.
fn operand(ty: &Type, name: &Ident) -> (TokenStream, Type) {
    match ty {
        Type::Reference(reference) => (quote!(#name), (*reference.elem).clone()),
        _ => (quote!(::core::clone::Clone::clone(#name)), ty.clone()),
    }
}

/// What `self`, `Self` and `Self::Output` stand for.
struct Meaning {
    own: Type,
    output: Type,
}

impl VisitMut for Meaning {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && path.qself.is_none()
        {
            let names: Vec<String> =
                path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["Self"] => *ty = self.own.clone(),
                ["Self", "Output"] => *ty = self.output.clone(),
                _ => {}
            }
        }
        crate::visit::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(path) if path.path.is_ident("self") => *expr = parse_quote!(this),
            Expr::Path(path) => self.name(&mut path.path),
            Expr::Struct(e) => self.name(&mut e.path),
            _ => {}
        }
        crate::visit::visit_expr_mut(self, expr);
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        match pattern {
            Pat::Struct(pattern) => self.name(&mut pattern.path),
            Pat::TupleStruct(pattern) => self.name(&mut pattern.path),
            _ => {}
        }
        crate::visit::visit_pat_mut(self, pattern);
    }
}

impl Meaning {
    /// `Self` at the beginning of a path in an expression.
    fn name(&self, path: &mut syn::Path) {
        let Type::Path(own) = &self.own else { return };
        if path.segments.first().is_none_or(|first| first.ident != "Self") {
            return;
        }
        let mut own = own.path.clone();
        for segment in &mut own.segments {
            if let PathArguments::AngleBracketed(generics) = &mut segment.arguments {
                generics.colon2_token = Some(Default::default());
            }
        }
        own.segments.extend(path.segments.iter().skip(1).cloned());
        *path = own;
    }
}
