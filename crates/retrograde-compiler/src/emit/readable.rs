//! Generated code for people: what serves the compiler alone is left out.

use crate::visit::{self, VisitMut};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ItemFn};

/// The function as one would write it down.
pub fn readable(function: TokenStream) -> TokenStream {
    match syn::parse2::<ItemFn>(function.clone()) {
        Ok(mut function) => {
            Readable.visit_item_fn_mut(&mut function);
            function.into_token_stream()
        }
        Err(_) => function,
    }
}

struct Readable;

impl VisitMut for Readable {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::MethodCall(call) = expr {
            // References are followed by themselves.
            if call.method == "__ref" {
                let mut receiver = (*call.receiver).clone();
                if let Expr::Paren(inner) = receiver {
                    receiver = *inner.expr;
                }
                *expr = match receiver {
                    Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => *e.expr,
                    other => syn::parse_quote!(&#other),
                };
            } else if call.method == "__value" {
                *expr = (*call.receiver).clone();
            } else if call.method == super::LITERAL || call.method == super::LITERAL_WITH {
                *expr = call.args[0].clone();
            }
        }
        visit::visit_expr_mut(self, expr);
        if let Expr::Call(call) = expr {
            let none = |argument: &Expr| {
                matches!(argument, Expr::Path(path)
                    if path.path.segments.last().is_some_and(|s| s.ident == "NoShadow"))
            };
            call.args = std::mem::take(&mut call.args).into_iter().filter(|a| !none(a)).collect();
        }
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.leading_colon.is_some() && path.segments[0].ident == "retrograde" {
            path.leading_colon = None;
            // `slope::sqrt`, `shadow`: as after `use retrograde::derivative::*`.
            path.segments = std::mem::take(&mut path.segments).into_iter().skip(2).collect();
        }
        visit::visit_path_mut(self, path);
    }
}
