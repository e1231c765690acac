//! What a `for` runs over, in either direction.

use super::Emitter;
use crate::names::Mode;
use crate::place::bare_name;
use crate::text::{Source, is_one_of};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

/// Methods that give an iterator rather than something to iterate over.
const ITERATORS: [&str; 17] = [
    "chunks",
    "chunks_exact",
    "chunks_exact_mut",
    "chunks_mut",
    "cloned",
    "copied",
    "enumerate",
    "into_iter",
    "iter",
    "iter_mut",
    "rchunks_exact",
    "rev",
    "skip",
    "step_by",
    "take",
    "windows",
    "zip",
];

/// Whether a method gives an iterator.
pub fn is_iterator(method: &Ident) -> bool {
    is_one_of(method, &ITERATORS)
}

impl Emitter<'_> {
    /// The sequence of a loop.
    pub(super) fn sequence(
        &self,
        sequence: &Expr,
        reversed: bool,
        checked: bool,
        source: &Source,
    ) -> TokenStream {
        if !reversed {
            return self.forward(sequence, checked, source);
        }
        let span = sequence.span();
        if let Expr::MethodCall(call) = sequence {
            // The standard library cannot run every stepped range backwards.
            if call.method == "step_by" && is_range(&call.receiver) {
                let (range, step) = (unparenthesised(&call.receiver), &call.args);
                return quote_spanned!(span=> ::retrograde::iter::stepped(#range, #step).rev());
            }
        }
        let forward = self.forward(sequence, checked, source);
        match sequence {
            Expr::Range(_) => quote_spanned!(span=> (#forward).rev()),
            Expr::Paren(_) => quote_spanned!(span=> #forward.rev()),
            Expr::MethodCall(call) if is_iterator(&call.method) => {
                quote_spanned!(span=> #forward.rev())
            }
            // Anything else may be a container: `grid.row(i)`.
            _ => quote_spanned!(span=> ::core::iter::IntoIterator::into_iter(#forward).rev()),
        }
    }

    fn forward(&self, sequence: &Expr, checked: bool, source: &Source) -> TokenStream {
        match sequence {
            // People know that zipped sides have equal lengths here.
            Expr::MethodCall(call)
                if call.method == "zip"
                    && call.args.len() == 1
                    && checked
                    && !self.values.readable =>
            {
                let left = self.forward(&call.receiver, checked, source);
                let right = self.forward(&call.args[0], checked, source);
                let span = sequence.span();
                quote_spanned!(span=> ::retrograde::iter::zip(#left, #right, #source))
            }
            Expr::MethodCall(call) => {
                let mut call = call.clone();
                // A method borrows its receiver by itself.
                if bare_name(&call.receiver).is_none() {
                    let receiver = self.forward(&call.receiver, checked, source);
                    *call.receiver = Expr::Verbatim(receiver);
                }
                for argument in &mut call.args {
                    *argument = Expr::Verbatim(self.forward(argument, checked, source));
                }
                call.to_token_stream()
            }
            // A block that comes first at the end of a range would be that of the loop.
            Expr::Range(range) if range.end.as_ref().is_some_and(|end| begins_with_block(end)) => {
                let (start, limits, end) = (&range.start, &range.limits, &range.end);
                quote!(#start #limits (#end))
            }
            // A mutable borrow is lent to the loop, not given away.
            other => match bare_name(other) {
                Some(name) if self.values.names.mode(name) == Mode::Mutable => {
                    quote!((&mut *#name))
                }
                _ => other.to_token_stream(),
            },
        }
    }

    /// The values that must be the same after the loop: the ends of ranges, the arguments
    /// of adaptors, and the indices on the way to what is iterated over.
    pub(super) fn bounds(&self, sequence: &Expr) -> TokenStream {
        let mut bounds = Vec::new();
        collect_bounds(sequence, &mut bounds);
        let mut values = bounds.iter().map(|bound| quote!(::core::clone::Clone::clone(&(#bound))));
        match bounds.len() {
            1 => quote!(#(#values)*),
            // As many as a tuple may have to be compared.
            0 | 2..=12 => quote!((#(#values),*)),
            _ => {
                let first = values.next();
                values.fold(quote!(#first), |all, value| quote!((#all, #value)))
            }
        }
    }
}

fn begins_with_block(expr: &Expr) -> bool {
    matches!(expr.to_token_stream().into_iter().next(),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

fn collect_bounds<'e>(expr: &'e Expr, bounds: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Paren(e) => collect_bounds(&e.expr, bounds),
        Expr::Group(e) => collect_bounds(&e.expr, bounds),
        Expr::Reference(e) => collect_bounds(&e.expr, bounds),
        Expr::Unary(e) => collect_bounds(&e.expr, bounds),
        Expr::Field(e) => collect_bounds(&e.base, bounds),
        Expr::Range(range) => {
            bounds.extend(range.start.as_deref().into_iter().chain(range.end.as_deref()));
        }
        Expr::Index(e) => {
            collect_bounds(&e.expr, bounds);
            match &*e.index {
                range @ Expr::Range(_) => collect_bounds(range, bounds),
                index => bounds.push(index),
            }
        }
        Expr::MethodCall(call) => {
            collect_bounds(&call.receiver, bounds);
            for argument in &call.args {
                match argument {
                    Expr::Reference(_) => collect_bounds(argument, bounds),
                    _ if call.method == "zip" => collect_bounds(argument, bounds),
                    value => bounds.push(value),
                }
            }
        }
        Expr::Call(call) => {
            for argument in &call.args {
                match argument {
                    Expr::Reference(_) => collect_bounds(argument, bounds),
                    value => bounds.push(value),
                }
            }
        }
        _ => {}
    }
}

fn is_range(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(e) => is_range(&e.expr),
        Expr::Range(_) => true,
        Expr::MethodCall(call) => call.method == "rev" && is_range(&call.receiver),
        _ => false,
    }
}

fn unparenthesised(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(e) => unparenthesised(&e.expr),
        other => other,
    }
}
