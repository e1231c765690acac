//! Indices that read what is lent: `v[v.len() - 1]`, `v[..v.len() / 2].iter_mut()`.
//!
//! Rust finds a place before it evaluates the index, so a vector would be borrowed to be
//! written while its length is asked for. Such indices are evaluated before.

use crate::place::{Access, Step, access, bare_name, mutable_borrows, reads};
use crate::visit::VisitMut;
use proc_macro2::Ident;
use syn::Expr;

/// Puts names in the place of the indices in an expression that read what it lends to be
/// written, or what is in `lent`. Gives the names and what they stand for.
pub fn hoist(
    expr: &mut Expr,
    lent: Option<Access>,
    fresh: &mut dyn FnMut() -> Ident,
) -> Vec<(Ident, Expr)> {
    let mut lent: Vec<Access> = lent.into_iter().collect();
    lent.extend(mutable_borrows(expr));
    let mut hoist = Hoist { lent, fresh, found: Vec::new() };
    if !hoist.lent.is_empty() {
        hoist.visit_expr_mut(expr);
    }
    hoist.found
}

struct Hoist<'f> {
    lent: Vec<Access>,
    fresh: &'f mut dyn FnMut() -> Ident,
    found: Vec<(Ident, Expr)>,
}

impl Hoist<'_> {
    fn value(&mut self, value: &mut Expr) {
        let lends = bare_name(value).is_some() || !mutable_borrows(value).is_empty();
        let own = |read: &Access| self.lent.iter().any(|place| !are_fields_apart(read, place));
        if lends || !reads(value).iter().any(own) {
            return;
        }
        let name = (self.fresh)();
        let path = name.clone().into();
        let value = std::mem::replace(
            value,
            Expr::Path(syn::ExprPath { attrs: vec![], qself: None, path }),
        );
        self.found.push((name, value));
    }

    fn index(&mut self, index: &mut Expr) {
        match index {
            Expr::Range(range) => {
                for end in [&mut range.start, &mut range.end].into_iter().flatten() {
                    self.value(end);
                }
            }
            index => self.value(index),
        }
    }
}

impl VisitMut for Hoist<'_> {
    fn visit_expr_index_mut(&mut self, e: &mut syn::ExprIndex) {
        self.visit_expr_mut(&mut e.expr);
        self.index(&mut e.index);
    }

    /// `v.split_at_mut(v.len() / 2)`
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        self.visit_expr_mut(&mut call.receiver);
        for argument in &mut call.args {
            let sequence = access(argument).is_some() || is_sequence(argument);
            if sequence { self.visit_expr_mut(argument) } else { self.index(argument) }
        }
    }
}

/// Whether an argument is something to iterate over rather than a number: `zip(&x[..k])`.
fn is_sequence(argument: &Expr) -> bool {
    match argument {
        Expr::Reference(_) | Expr::Range(_) => true,
        Expr::Paren(e) => is_sequence(&e.expr),
        Expr::MethodCall(e) => crate::emit::is_iterator(&e.method),
        _ => false,
    }
}

/// Whether two places are different fields, which can be borrowed at the same time.
pub fn are_fields_apart(a: &Access, b: &Access) -> bool {
    if a.root != b.root {
        return true;
    }
    for (a, b) in a.path.iter().zip(&b.path) {
        match (a, b) {
            (Step::Field(a), Step::Field(b)) if a != b => return true,
            (Step::Field(_), Step::Field(_)) => {}
            _ => return false,
        }
    }
    false
}
