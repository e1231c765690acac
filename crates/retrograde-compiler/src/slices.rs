//! What a slice pattern takes out of a slice, as the places that these are:
//! `[first, .., last]` of `x` as `let first = &x[0]; let last = &x[x.len() - 1];`, so that
//! gradients find their way. That the slice is long enough is known by then.

use crate::item;
use crate::place::bare_name;
use crate::visit::{self, Visit};
use proc_macro2::{Ident, Literal};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Block, Expr, Pat, PatSlice, Signature, Stmt, Type, parse_quote_spanned};

/// The names of a function that are known to be references: what a slice pattern finds behind
/// them are references, too.
pub fn references(signature: &Signature, block: &Block) -> HashSet<Ident> {
    struct Loops(HashSet<Ident>);
    impl Loops {
        /// Whether a loop over it goes over references.
        fn lends(&self, sequence: &Expr) -> bool {
            const PARTS: [&str; 4] = ["chunks", "chunks_exact", "iter", "windows"];
            match sequence {
                Expr::Path(_) => bare_name(sequence).is_some_and(|name| self.0.contains(name)),
                Expr::Reference(e) => e.mutability.is_none() && self.lends(&e.expr),
                Expr::MethodCall(e) => {
                    crate::text::is_one_of(&e.method, &PARTS) && self.lends(&e.receiver)
                }
                _ => false,
            }
        }
    }
    impl Visit<'_> for Loops {
        fn visit_expr_for_loop(&mut self, e: &syn::ExprForLoop) {
            if let Pat::Ident(name) = &*e.pat
                && self.lends(&e.expr)
            {
                self.0.insert(name.ident.clone());
            }
            visit::visit_expr_for_loop(self, e);
        }
    }
    let arguments = item::arguments(signature).filter(|(_, ty)| matches!(ty, Type::Reference(_)));
    let mut loops = Loops(arguments.map(|(name, _)| name.clone()).collect());
    loops.visit_block(block);
    loops.0
}

/// The `let`s of an arm with a slice pattern; `None` if there is more in it than elements and the
/// rest. Notes which names are references.
pub fn views(pattern: &Pat, of: &Expr, references: &mut HashSet<Ident>) -> Option<Vec<Stmt>> {
    let (Pat::Slice(PatSlice { elems, .. }), Some(slice)) = (pattern, bare_name(of)) else {
        return None;
    };
    if !references.contains(slice) {
        return None;
    }
    let rest = elems.iter().position(is_rest);
    let (mut views, mut names) = (Vec::new(), Vec::new());
    for (i, part) in elems.iter().enumerate() {
        let name = match part {
            Pat::Ident(name) if is_rest(part) || name.subpat.is_none() => name,
            part if crate::names::pattern_names(part).is_empty() => continue,
            _ => return None,
        };
        let (here, at) = (part.span(), Literal::usize_unsuffixed(i));
        let from_end = Literal::usize_unsuffixed(elems.len() - i);
        let after = Literal::usize_unsuffixed(elems.len() - i - 1);
        let name = &name.ident;
        views.push(match rest {
            Some(rest) if rest == i && i + 1 == elems.len() => {
                parse_quote_spanned!(here=> let #name = &#slice[#at..];)
            }
            Some(rest) if rest == i => {
                parse_quote_spanned!(here=> let #name = &#slice[#at..#slice.len() - #after];)
            }
            Some(rest) if rest < i => {
                parse_quote_spanned!(here=> let #name = &#slice[#slice.len() - #from_end];)
            }
            _ => parse_quote_spanned!(here=> let #name = &#slice[#at];),
        });
        names.push(name.clone());
    }
    references.extend(names);
    Some(views)
}

/// `..`, or `rest @ ..`.
fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Rest(_) => true,
        Pat::Ident(name) => {
            matches!(&name.subpat, Some((_, inner)) if matches!(**inner, Pat::Rest(_)))
        }
        _ => false,
    }
}
