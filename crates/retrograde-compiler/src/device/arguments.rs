//! What a launch must know of the arguments of a function.

use crate::added::{ACCUMULATES, AddedTo, Answer};
use crate::expand::Directions;
use crate::ir::{Kind, Statement};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Expr, FnArg, Pat, Type};

/// How a launch is to treat the arguments of a function.
pub fn of(directions: &Directions) -> Vec<TokenStream> {
    let signature = &directions.function.signature;
    let body = directions.function.body.as_ref();
    let mut inputs = signature.inputs.iter();
    let index = match inputs.next() {
        Some(FnArg::Typed(typed)) => match &*typed.pat {
            Pat::Ident(name) => Some(name.ident.clone()),
            _ => None,
        },
        _ => None,
    };
    let shadows = directions.gradients.as_ref().map(|g| &g.shadowed.shadows[..]).unwrap_or(&[]);
    let unread = AddedTo::unread(&directions.function, &directions.names);
    signature
        .inputs
        .iter()
        .enumerate()
        .filter_map(|(position, argument)| {
            let FnArg::Typed(typed) = argument else { return None };
            let Pat::Ident(name) = &*typed.pat else { return None };
            let text = name.ident.to_string();
            let active = shadows.iter().any(|(own, shadow)| *own == name.ident && shadow.is_some());
            let own = match (&index, body, &*typed.ty) {
                (Some(index), Some(body), Type::Reference(_)) => {
                    body.iter().all(|statement| touches_own(statement, &name.ident, index))
                }
                _ => false,
            };
            let adds = match unread.to_one(position, &signature.ident, ACCUMULATES) {
                Answer::Yes => quote!(true),
                Answer::If(asked) => asked,
                Answer::No => quote!(false),
            };
            Some(quote! {
                ::retrograde::device::Argument {
                    name: #text, active: #active, own: #own, adds: || #adds,
                }
            })
        })
        .collect()
}

/// Whether a statement has to do with no element of a slice but that of the index.
fn touches_own(statement: &Statement, slice: &Ident, index: &Ident) -> bool {
    struct Touches<'a> {
        slice: &'a Ident,
        index: &'a Ident,
        own: bool,
    }
    impl<'e> crate::visit::Visit<'e> for Touches<'_> {
        fn visit_expr(&mut self, expr: &'e Expr) {
            if let Expr::Index(e) = expr
                && crate::place::bare_name(&e.expr) == Some(self.slice)
                && crate::place::bare_name(&e.index) == Some(self.index)
            {
                return;
            }
            // Its length is no element.
            if let Expr::MethodCall(e) = expr
                && crate::place::bare_name(&e.receiver) == Some(self.slice)
                && (e.method == "len" || e.method == "is_empty")
            {
                return;
            }
            crate::visit::visit_expr(self, expr);
        }
        fn visit_ident(&mut self, name: &'e Ident) {
            self.own &= name != self.slice;
        }
        fn visit_pat_ident(&mut self, name: &'e syn::PatIdent) {
            // A name that is given again may mean another index.
            self.own &= name.ident != *self.index && name.ident != *self.slice;
        }
        fn visit_macro(&mut self, call: &'e syn::Macro) {
            self.own &= !crate::place::identifiers(&call.tokens).contains(self.slice);
        }
    }
    let mut touches = Touches { slice, index, own: true };
    let mut statement = statement.clone();
    statement.each_expression(&mut |expr| {
        crate::visit::Visit::visit_expr(&mut touches, expr);
    });
    if let Kind::Host(host) = &statement.kind {
        touches.own &= !crate::place::identifiers(&host.0).contains(slice);
    }
    touches.own && !declares(&statement, index) && !declares(&statement, slice)
}

/// Whether a statement, or one inside of it, gives a name a new meaning.
fn declares(statement: &Statement, name: &Ident) -> bool {
    let own = match &statement.kind {
        Kind::Bind(b) => crate::names::pattern_names(&b.pattern).contains(name),
        Kind::Allocate(a) => a.name == *name,
        Kind::For { pattern, .. } => crate::names::pattern_names(pattern).contains(name),
        _ => false,
    };
    let mut inner = statement.clone();
    own || inner.blocks_mut().into_iter().any(|block| block.iter().any(|s| declares(s, name)))
}
