//! Loops whose passes do not know of each other run forward in both directions.
//!
//! Such a loop gives the same bits in any order, and a compiler vectorises the
//! ascending one best.

use crate::effects::{self, Effects};
use crate::ir::{Block, Kind, Statement};
use crate::names::{Mode, Names, pattern_names};
use crate::place::{Access, Step};
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::Pat;

/// Turns reversed loops around where the order does not matter.
pub fn straighten(block: &mut Block, names: &Names) {
    for statement in block {
        match &mut statement.kind {
            Kind::If { arms, otherwise } => {
                arms.iter_mut().for_each(|arm| straighten(&mut arm.body, names));
                otherwise.iter_mut().for_each(|block| straighten(block, names));
            }
            Kind::While { body, .. } | Kind::Block(body) => straighten(body, names),
            Kind::For { pattern, reversed, body, .. } => {
                straighten(body, names);
                if *reversed && independent(pattern, body, names) {
                    *reversed = false;
                }
            }
            _ => {}
        }
    }
}

/// Whether every pass writes only its own element, and reads no other of it.
pub(super) fn independent(pattern: &Pat, body: &Block, names: &Names) -> bool {
    if !body.iter().all(is_plain) {
        return false;
    }
    let variables: HashSet<Ident> = pattern_names(pattern).into_iter().collect();
    let Effects { reads, writes, .. } = effects::of_block(body, names);
    writes.iter().all(|write| {
        // An element that the loop lends to the pass: nothing else can reach it.
        variables.contains(&write.access.root)
            || own_element(&write.access, &variables, names).is_some_and(|element| {
                let accesses = reads.iter().chain(writes.iter().map(|w| &w.access));
                accesses
                    .filter(|access| shares_root(access, &write.access, names))
                    .all(|access| access.path.starts_with(element) || access.path == [Step::Shape])
            })
    })
}

/// The steps of a place up to the index that is new in every pass. Only indices
/// of a range or of `enumerate` are, and only into containers where different
/// indices are different elements.
fn own_element<'a>(
    access: &'a Access,
    variables: &HashSet<Ident>,
    names: &Names,
) -> Option<&'a [Step]> {
    let own = access.path.iter().take(names.plain(&access.root)).position(|step| match step {
        Step::Index(index) => crate::place::bare_name(index)
            .is_some_and(|name| variables.contains(name) && names.mode(name) == Mode::Primitive),
        _ => false,
    })?;
    Some(&access.path[..=own])
}

fn shares_root(a: &Access, b: &Access, names: &Names) -> bool {
    let others = names.roots(&b.root);
    names.roots(&a.root).iter().any(|root| others.contains(root))
}

/// Statements whose effects are all in sight.
fn is_plain(statement: &Statement) -> bool {
    match &statement.kind {
        Kind::Update { .. }
        | Kind::Bind(_)
        | Kind::Unbind(_)
        | Kind::Allocate(_)
        | Kind::Release(_) => true,
        Kind::If { arms, otherwise } => {
            arms.iter().flat_map(|arm| &arm.body).chain(otherwise.iter().flatten()).all(is_plain)
        }
        Kind::For { body, .. } | Kind::Block(body) => body.iter().all(is_plain),
        Kind::While { .. } | Kind::Call(_) | Kind::Host(_) | Kind::Compute { .. } => false,
    }
}
