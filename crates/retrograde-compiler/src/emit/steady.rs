//! Cells, locks and atomics can be changed through `&`, which no closure that may only
//! read would notice. Where a method has the name of one that does so, the type of what it
//! is called on is asked.

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
pub fn steadily(written: &Expr, emitted: Expr) -> Expr {
    let mut questions = Questions(TokenStream::new());
    questions.visit_expr(written);
    let questions = questions.0;
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

struct Questions(TokenStream);

impl Questions {
    fn ask(&mut self, method: &syn::Ident, receiver: &Expr) {
        let name = method.to_string();
        if CHANGING.contains(&name.as_str()) || name.starts_with("fetch_") {
            let span = method.span();
            self.0.extend(quote_spanned!(span=>
                (&::retrograde::__private::Behind(&#receiver)).is_steady();));
        }
    }
}

impl<'e> Visit<'e> for Questions {
    fn visit_expr_method_call(&mut self, call: &'e syn::ExprMethodCall) {
        self.ask(&call.method, &call.receiver);
        crate::visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'e syn::ExprCall) {
        if let Expr::Path(path) = &*call.func
            && path.path.segments.len() > 1
            && let (Some(last), Some(first)) = (path.path.segments.last(), call.args.first())
        {
            self.ask(&last.ident, first);
        }
        crate::visit::visit_expr_call(self, call);
    }
}
