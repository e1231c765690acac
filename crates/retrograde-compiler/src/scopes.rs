//! Scopes: what a `let` declares, and where it ends, which the source leaves
//! implied.

use crate::invert::invert;
use crate::ir::{Block, Kind, Statement};
use crate::names::{pattern_names, viewed_place};
use crate::place::bare_name;
use syn::{Expr, Local, Pat, Stmt, Type};

/// Inserts what the end of a block implies: the release of every ancilla that was not
/// released by name, the last one first. A `let` ends at its last use, as a borrow does.
pub fn close_scopes(block: &mut Block) {
    let mut open: Vec<Statement> = Vec::new();
    for statement in block.iter_mut() {
        if matches!(statement.kind, Kind::Bind(_) | Kind::Allocate(_)) {
            open.push(statement.clone());
        }
        release_by_name(statement, &mut open);
    }
    let (bindings, ancillas): (Vec<_>, Vec<_>) =
        open.into_iter().partition(|statement| matches!(statement.kind, Kind::Bind(_)));
    let close = |statement| {
        let [close] = <[Statement; 1]>::try_from(invert(&[statement])).expect("one for one");
        close
    };
    block.extend(ancillas.into_iter().rev().map(close));
    // What is declared later may use it, also where it ends itself.
    for statement in bindings.into_iter().rev() {
        let Kind::Bind(binding) = &statement.kind else { continue };
        let names = pattern_names(&binding.pattern);
        let uses = |other: &Statement| names.iter().any(|name| other.mentions(name));
        let declared = block.iter().position(|other| *other == statement).unwrap_or(0);
        let last = block.iter().rposition(uses).unwrap_or(declared);
        // Going backwards it is declared where it ends: there its operands must not be lent
        // to a view that is declared between its own ends.
        let views = block[declared + 1..=last].iter().filter(|other| is_view(other));
        let ends = views.filter_map(|view| {
            let end = close(view.clone());
            block.iter().rposition(|other| *other == end)
        });
        let last = ends.chain([last]).max().unwrap_or(last);
        // Of what ends in one place, the last that was declared comes first.
        let others = block[last + 1..].iter();
        let others = others.take_while(|other| matches!(other.kind, Kind::Unbind(_))).count();
        let at = last + 1 + others;
        block.insert(at, close(statement));
    }
}

/// Whether a statement gives another name to a place.
fn is_view(statement: &Statement) -> bool {
    let Kind::Bind(binding) = &statement.kind else { return false };
    viewed_place(&binding.value).is_some() || bare_name(&binding.value).is_some()
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

/// The same, everywhere in a block.
pub fn split_locals(block: &mut syn::Block) {
    struct Split;
    impl crate::visit::VisitMut for Split {
        fn visit_block_mut(&mut self, block: &mut syn::Block) {
            let statements = std::mem::take(&mut block.stmts).into_iter();
            block.stmts = statements
                .flat_map(|statement| match statement {
                    Stmt::Local(local) => {
                        split_local(&local).into_iter().map(Stmt::Local).collect()
                    }
                    other => vec![other],
                })
                .collect();
            crate::visit::visit_block_mut(self, block);
        }
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    crate::visit::VisitMut::visit_block_mut(&mut Split, block);
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
    let literal = values.elems.iter().any(|e| crate::emit::made_of_literals(e, &|_| false));
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
    impl crate::visit::Visit<'_> for Mutable {
        fn visit_pat_ident(&mut self, name: &syn::PatIdent) {
            self.0 |= name.mutability.is_some();
        }
    }
    let mut found = Mutable(false);
    crate::visit::Visit::visit_pat(&mut found, pattern);
    found.0
}
