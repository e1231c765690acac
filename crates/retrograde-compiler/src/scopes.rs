//! Scopes: what a `let` declares, and where it ends, which the source leaves
//! implied.

use crate::invert::invert;
use crate::ir::{Block, Kind, Statement};
use syn::{Expr, Local, Pat};

/// Appends what the end of a block implies: the release of every ancilla that
/// was not released by name, and the end of every `let`, the last one first.
pub fn close_scopes(block: &mut Block) {
    let mut open: Vec<Statement> = Vec::new();
    for statement in block.iter_mut() {
        if matches!(statement.kind, Kind::Bind(_) | Kind::Allocate(_)) {
            open.push(statement.clone());
        }
        release_by_name(statement, &mut open);
    }
    for statement in open.into_iter().rev() {
        let [close] = <[Statement; 1]>::try_from(invert(&[statement])).expect("one for one");
        block.push(close);
    }
}

/// Takes what is released by name off the list of open names. The rest of a
/// block after `#[compute]` is the rest of the enclosing block.
fn release_by_name(statement: &mut Statement, open: &mut Vec<Statement>) {
    match &mut statement.kind {
        Kind::Release(released) => open.retain(|s| match &s.kind {
            Kind::Allocate(ancilla) if ancilla.name == released.name => {
                released.ty.clone_from(&ancilla.ty);
                false
            }
            _ => true,
        }),
        Kind::Compute { body, .. } => {
            body.iter_mut().for_each(|s| release_by_name(s, open));
        }
        _ => {}
    }
}

/// `let (mut a, b) = (x, y);` as a `let` for each name, where both sides are
/// written out: an ancilla is declared by its name alone.
pub fn split_local(local: &Local) -> Vec<Local> {
    let (Pat::Tuple(names), Some(init)) = (&local.pat, &local.init) else {
        return vec![local.clone()];
    };
    let Expr::Tuple(values) = &*init.expr else { return vec![local.clone()] };
    let plain = names.elems.iter().all(|pattern| matches!(pattern, Pat::Ident(_)));
    if !plain || !contains_mutable(&local.pat) || names.elems.len() != values.elems.len() {
        return vec![local.clone()];
    }
    let pairs = names.elems.iter().zip(&values.elems);
    pairs
        .map(|(name, value)| {
            let mut local = local.clone();
            local.pat = name.clone();
            if let Some(init) = &mut local.init {
                *init.expr = value.clone();
            }
            local
        })
        .collect()
}

/// Whether a pattern declares a mutable name.
pub fn contains_mutable(pattern: &Pat) -> bool {
    struct Mutable(bool);
    impl syn::visit::Visit<'_> for Mutable {
        fn visit_pat_ident(&mut self, name: &syn::PatIdent) {
            self.0 |= name.mutability.is_some();
        }
    }
    let mut found = Mutable(false);
    syn::visit::Visit::visit_pat(&mut found, pattern);
    found.0
}
