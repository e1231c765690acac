//! Mentions: what the user wrote, where only what stands beside it is called, so that rustc says
//! of both what is wrong, and of what follows nothing.

use super::Emitter;
use super::call::{Replace, within};
use crate::ir::{Call, Callee, Direction};
use crate::names::Mode;
use crate::place::{Step, access, bare_name, identifiers};
use crate::visit::VisitMut;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, parse_quote, parse_quote_spanned};

/// A call of what stands beside a function, after a mention of the function that is never
/// reached: not even borrows are checked there. Both have the same type, so what stands in for
/// something that is missing knows what the function gives. Where there is no such function,
/// rustc repeats at the mention what it says of the function's own call, which it shows but
/// once, and says nothing of what follows from it.
pub(super) fn after_mention(mention: TokenStream, call: TokenStream) -> TokenStream {
    quote!(if false { loop {} #mention } else { #call })
}

/// A value after mentions of the functions that give what takes their gradient back.
pub(super) fn with_mentions(mut value: Expr) -> Expr {
    struct Mentions;
    impl VisitMut for Mentions {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            crate::visit::visit_expr_mut(self, expr);
            if let Some((function, arguments)) = gives_back(expr) {
                let mention = quote!((#function #arguments, ::retrograde::__private::nothing()));
                let both = after_mention(mention, expr.to_token_stream());
                *expr = Expr::Verbatim(both);
            }
        }
    }
    if matches!(value, Expr::Block(_) | Expr::If(_)) {
        Mentions.visit_expr_mut(&mut value);
    }
    value
}

/// `g` and `(…)` of `{ use …; use g as Callee; Callee::__forward(…) }`, see [`companion`].
fn gives_back(expr: &Expr) -> Option<(TokenStream, TokenStream)> {
    let Expr::Block(e) = expr else { return None };
    let [_, syn::Stmt::Item(syn::Item::Use(import)), syn::Stmt::Expr(Expr::Call(call), None)] =
        &e.block.stmts[..]
    else {
        return None;
    };
    let Expr::Path(called) = &*call.func else { return None };
    if called.path.segments.last()?.ident != crate::differentiate::FORWARD {
        return None;
    }
    let mut path = import.leading_colon.to_token_stream();
    path.extend(import.tree.to_token_stream());
    // Without `as Callee`.
    let length = path.clone().into_iter().count().checked_sub(2)?;
    let arguments: Vec<Expr> = call.args.iter().cloned().collect();
    Some((path.into_iter().take(length).collect(), within(call.paren_token, &arguments)))
}

impl Emitter<'_> {
    /// What a method in another direction is called on, after a mention of the method that the
    /// user named. Where there is no such method, rustc knows no type here, and says nothing of
    /// the methods that were to stand beside it; where only its inverse is missing, nothing of its
    /// adjoint.
    pub(super) fn tied(&self, call: &Call, receiver: Expr, arguments: &[Expr]) -> Expr {
        let Callee::Method { name, turbofish, .. } = &call.callee else { return receiver };
        let values: Vec<Expr> = match call.direction {
            Direction::Forward => return receiver,
            Direction::Inverse => arguments.to_vec(),
            // The shadow of the receiver comes first, that of an argument behind it.
            _ => arguments.iter().skip(1).step_by(2).cloned().collect(),
        };
        let pure = call.direction == Direction::Pullback;
        // The gradient comes last.
        let values = &values[..values.len() - usize::from(pure)];
        let Some((place, borrowed)) = self.lent_first(&receiver, arguments, pure) else {
            return receiver;
        };
        // What is wrong with the receiver is shown there.
        let span = Span::call_site().located_at(receiver.span());
        let to = |tied: &TokenStream| -> Expr {
            match bare_name(&place) {
                Some(_) => parse_quote_spanned!(span=> (#tied).0),
                None => parse_quote_spanned!(span=> (*(#tied).0)),
            }
        };
        let as_written = within(call.parentheses, values);
        let forward_alone = matches!(call.direction, Direction::Inverse | Direction::Pullback);
        let inverse = (!forward_alone).then(|| self.associated(name, Direction::Inverse));
        let mut tied = receiver.clone();
        for method in [Some(name), inverse.as_ref()].into_iter().flatten() {
            let both = quote_spanned! {span=>
                if false {
                    loop {}
                    ::retrograde::__private::Tied::mentioned(#tied.#method #turbofish #as_written)
                } else {
                    ::retrograde::__private::Tied::to(#borrowed)
                }
            };
            tied = receiver.clone();
            Replace { from: place.clone(), to: to(&both) }.visit_expr_mut(&mut tied);
        }
        tied
    }

    /// The first part of a receiver, as a place and borrowed for as long as the call, if nothing
    /// else in the call needs it.
    fn lent_first(&self, receiver: &Expr, others: &[Expr], pure: bool) -> Option<(Expr, Expr)> {
        let names = self.values.names;
        let whole = access(receiver)?;
        let mode = names.mode(&whole.root);
        // What is a value of the function's own may be given away.
        if mode == Mode::Shared || pure && mode == Mode::Mutable {
            let reference = bare_name(receiver).is_some();
            let borrowed =
                if reference { parse_quote!(&*#receiver) } else { parse_quote!(&#receiver) };
            return Some((receiver.clone(), borrowed));
        }
        if pure || !names.is_writable(&whole.root) {
            return None;
        }
        let part = first_part(receiver)?;
        let first = whole.path.first().filter(|_| bare_name(part).is_none());
        let apart = |other: &Expr| {
            let mentioned = identifiers(&other.to_token_stream()).contains(&whole.root);
            let place = || access(other).filter(|place| place.root == whole.root);
            !mentioned
                || matches!(first, Some(Step::Field(field))
                    if matches!(place().as_ref().and_then(|place| place.path.first()),
                        Some(Step::Field(other)) if other != field))
        };
        let reference = bare_name(part).is_some() && mode == Mode::Mutable;
        let borrowed = if reference { parse_quote!(&mut *#part) } else { parse_quote!(&mut #part) };
        others.iter().all(apart).then(|| (part.clone(), borrowed))
    }
}

/// The part of a place that is sure to be borrowed with `&mut` if the place is: what is behind a
/// field may be lent by a shared reference.
fn first_part(place: &Expr) -> Option<&Expr> {
    let base = match place {
        Expr::Path(_) => return Some(place),
        Expr::Paren(e) => return first_part(&e.expr),
        Expr::Field(e) => &*e.base,
        Expr::Index(e) => &*e.expr,
        _ => return None,
    };
    if bare_name(base).is_some() { Some(place) } else { first_part(base) }
}
