//! Shadows of types that are not known: that they have their parts where the values have
//! them, their types must promise. They are asked before the statement that looks for a
//! part, once for each shadow.

use super::Emitter;
use crate::differentiate::is_library;
use crate::ir::{Callee, Kind, Statement};
use crate::names::{Mode, Names};
use crate::place::{Step, access, bare_name, lends};
use crate::visit::Visit;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, parse_quote};

impl Emitter<'_> {
    /// Questions to the types of the shadows that a statement looks for parts in. The
    /// closure is not called: it is there for its types.
    pub(super) fn asks_for_parts(&self, statement: &Statement) -> Option<TokenStream> {
        if self.values.readable || !self.values.names.has_shadows() {
            return None;
        }
        let mut asked = Asked { names: self.values.names, bases: Vec::new() };
        match &statement.kind {
            Kind::Update { place, value, .. } => {
                asked.visit_expr(place);
                asked.visit_expr(value);
            }
            Kind::Bind(binding) => asked.visit_expr(&binding.value),
            Kind::Allocate(ancilla) => asked.visit_expr(&ancilla.value),
            Kind::If { arms, .. } => arms.iter().for_each(|arm| asked.visit_expr(&arm.pre)),
            Kind::For { sequence, .. } => asked.visit_expr(sequence),
            Kind::Call(call) => {
                call.arguments.iter().for_each(|argument| asked.visit_expr(argument));
                if let Callee::Method { receiver, .. } = &call.callee {
                    asked.visit_expr(receiver);
                }
            }
            _ => {}
        }
        let mut known = self.asked.borrow_mut();
        asked.bases.retain(|(base, _)| known.insert(base.to_token_stream().to_string()));
        if asked.bases.is_empty() {
            return None;
        }
        let questions = asked.bases.iter().map(|(base, here)| {
            let here = Span::call_site().located_at(*here);
            let moved = |mut token: TokenTree| {
                token.set_span(token.span().located_at(here));
                token
            };
            let base: TokenStream = base.to_token_stream().into_iter().map(moved).collect();
            quote_spanned!(here=> (&::retrograde::__private::Parts(&#base)).has_parts();)
        });
        Some(quote!(let _ = || { #(#questions)* };))
    }
}

/// The shadows that parts are looked for in, and where.
struct Asked<'a> {
    names: &'a Names,
    bases: Vec<(Expr, Span)>,
}

impl Asked<'_> {
    fn ask(&mut self, base: &Expr, here: Span) {
        let whole = access(base).is_some_and(|place| !place.path.contains(&Step::Part));
        if !whole || !self.names.is_unknown_shadow(base) {
            return;
        }
        let reference = bare_name(base).is_some_and(|name| self.names.mode(name) == Mode::Mutable);
        let base = if reference { parse_quote!(*#base) } else { base.clone() };
        self.bases.push((base, here));
    }
}

impl<'e> Visit<'e> for Asked<'_> {
    fn visit_expr_index(&mut self, e: &'e syn::ExprIndex) {
        self.ask(&e.expr, e.index.span());
        crate::visit::visit_expr_index(self, e);
    }

    fn visit_expr_method_call(&mut self, call: &'e syn::ExprMethodCall) {
        if lends(&call.method.to_string()) {
            self.ask(&call.receiver, call.method.span());
        }
        crate::visit::visit_expr_method_call(self, call);
    }

    /// What the passes of a loop use of a container.
    fn visit_expr_call(&mut self, call: &'e syn::ExprCall) {
        let borrows = matches!(&*call.func, Expr::Path(path) if path.path.segments.last()
            .is_some_and(|last| last.ident == "Shared" || last.ident == "Lent"));
        if borrows && is_library(&Expr::Call(call.clone())) {
            let borrowed = match call.args.first() {
                Some(Expr::Call(some)) => some.args.first(),
                other => other,
            };
            if let Some(Expr::Reference(e)) = borrowed {
                self.ask(&e.expr, e.span());
            }
        }
        crate::visit::visit_expr_call(self, call);
    }

    /// Their names are not known outside.
    fn visit_block(&mut self, _: &'e syn::Block) {}
}
