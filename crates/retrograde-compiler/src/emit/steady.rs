//! Cells, locks and atomics can be changed through `&`, which no closure that may only
//! read would notice. Where a method has the name of one that does so, the type of what it
//! is called on is asked; and of what a function of the user's is lent, whatever its name is.

use crate::decide::TOWARD;
use crate::differentiate::is_library;
use crate::functions;
use crate::ir::Callee;
use crate::names::{Names, pattern_names};
use crate::place::access;
use crate::visit::Visit;
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, parse_quote_spanned};

/// Methods of the standard library that change what is behind a `&`.
const CHANGING: [&str; 20] = [
    "borrow_mut",
    "compare_and_swap",
    "compare_exchange",
    "compare_exchange_weak",
    "get_or_init",
    "recv",
    "replace",
    "replace_with",
    "send",
    "set",
    "store",
    "swap",
    "take",
    "try_borrow_mut",
    "try_insert",
    "try_lock",
    "try_recv",
    "try_write",
    "update",
    "write",
];

/// The expression, with the question whether such methods are called on what they could
/// change. The closure is not called: it is there for its types.
pub fn steadily(written: &Expr, emitted: Expr, names: &Names) -> Expr {
    let mut questions = Questions { names, inside: Vec::new(), asked: TokenStream::new() };
    questions.visit_expr(written);
    let questions = questions.asked;
    if questions.is_empty() {
        return emitted;
    }
    let span = emitted.span();
    parse_quote_spanned!(span=> {
        let _ = || {
            #[allow(unused_imports)]
            use ::retrograde::__private::methods::*;
            #questions
        };
        #emitted
    })
}

struct Questions<'a> {
    names: &'a Names,
    /// Names that are declared inside, and not known outside.
    inside: Vec<syn::Ident>,
    asked: TokenStream,
}

impl Questions<'_> {
    fn ask(&mut self, method: &syn::Ident, receiver: &Expr) {
        let name = method.to_string();
        if CHANGING.contains(&name.as_str()) || name.starts_with("fetch_") {
            let span = method.span();
            self.asked.extend(quote_spanned!(span=>
                (&::retrograde::__private::Behind(&#receiver)).is_steady();));
        }
    }

    /// A function of the user's may change what it is lent, if that can be changed.
    fn ask_lent<'e>(&mut self, arguments: impl IntoIterator<Item = &'e Expr>) {
        for argument in arguments {
            let place = match argument {
                Expr::Reference(e) if e.mutability.is_none() => &e.expr,
                other => other,
            };
            let of_unknown = access(place).is_some_and(|a| !self.inside.contains(&a.root))
                && self.names.is_of_unknown_type(place);
            if of_unknown {
                let span = argument.span();
                self.asked.extend(quote_spanned!(span=>
                    (&::retrograde::__private::Behind(&#place)).is_steady();));
            }
        }
    }
}

impl<'e> Visit<'e> for Questions<'_> {
    fn visit_pat(&mut self, pattern: &'e syn::Pat) {
        self.inside.extend(pattern_names(pattern));
    }

    fn visit_expr_closure(&mut self, closure: &'e syn::ExprClosure) {
        // A decision that is asked again for other values calls what it called before.
        let ours = |pattern| pattern_names(pattern).iter().any(|name| *name == TOWARD);
        if !closure.inputs.iter().any(ours) {
            crate::visit::visit_expr_closure(self, closure);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'e syn::ExprMethodCall) {
        self.ask(&call.method, &call.receiver);
        if functions::is_of_user(&call.method.to_string()) {
            self.ask_lent(&call.args);
        }
        crate::visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'e syn::ExprCall) {
        if let Expr::Path(path) = &*call.func
            && !is_library(&Expr::Call(call.clone()))
            && !Callee::is_associated(path)
            && path.path.segments.last().is_some_and(|s| is_lower(&s.ident))
        {
            self.ask_lent(&call.args);
        }
        if let Expr::Path(path) = &*call.func
            && path.path.segments.len() > 1
            && let (Some(last), Some(first)) = (path.path.segments.last(), call.args.first())
        {
            self.ask(&last.ident, first);
        }
        crate::visit::visit_expr_call(self, call);
    }
}

/// Whether this is the name of a function, and of no variant.
fn is_lower(name: &syn::Ident) -> bool {
    !name.to_string().starts_with(char::is_uppercase)
}
