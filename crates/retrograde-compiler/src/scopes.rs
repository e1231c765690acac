//! Scopes: what a `let` declares, and where it ends, which the source leaves
//! implied.

use crate::invert::invert;
use crate::ir::{Block, Kind, Statement};
use syn::{Expr, Local, Pat, Type};

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
    split(local).unwrap_or_else(|| vec![local.clone()])
}

fn split(local: &Local) -> Option<Vec<Local>> {
    let (pattern, types) = match &local.pat {
        Pat::Type(typed) => match &*typed.ty {
            Type::Tuple(types) => (&*typed.pat, Some(&types.elems)),
            _ => return None,
        },
        pattern => (pattern, None),
    };
    let (Pat::Tuple(names), Expr::Tuple(values)) = (pattern, &*local.init.as_ref()?.expr) else {
        return None;
    };
    let count = names.elems.len();
    let plain = names.elems.iter().all(|pattern| matches!(pattern, Pat::Ident(_)));
    let fit = values.elems.len() == count && types.is_none_or(|types| types.len() == count);
    // A literal gets its type by its own name.
    let literal = values.elems.iter().any(crate::emit::is_made_of_literals);
    if !plain || !fit || !contains_mutable(pattern) && !literal {
        return None;
    }
    let pairs = names.elems.iter().zip(&values.elems).enumerate();
    let locals = pairs.map(|(i, (name, value))| {
        let mut local = local.clone();
        match (&mut local.pat, types) {
            (Pat::Type(typed), Some(types)) => {
                (*typed.pat, *typed.ty) = (name.clone(), types[i].clone());
            }
            (pattern, _) => *pattern = name.clone(),
        }
        if let Some(init) = &mut local.init {
            *init.expr = value.clone();
        }
        local
    });
    Some(locals.collect())
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
