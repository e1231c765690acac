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
fn independent(pattern: &Pat, body: &Block, names: &Names) -> bool {
    if !body.iter().all(is_plain) {
        return false;
    }
    let variables: HashSet<Ident> = pattern_names(pattern).into_iter().collect();
    let Effects { reads, writes, .. } = effects::of_block(body, names);
    let own = |access: &Access| {
        variables.contains(&access.root)
            || access.path.iter().any(|step| match step {
                // Only an index of a range or of `enumerate` is new in every pass.
                Step::Index(index) => crate::place::bare_name(index).is_some_and(|name| {
                    variables.contains(name) && names.mode(name) == Mode::Primitive
                }),
                _ => false,
            })
    };
    writes.iter().all(|write| {
        own(&write.access)
            && reads
                .iter()
                .chain(writes.iter().map(|w| &w.access))
                .filter(|access| {
                    names.resolve(access)[0].root == names.resolve(&write.access)[0].root
                })
                .all(|access| {
                    variables.contains(&write.access.root) || same_element(access, &write.access)
                })
    })
}

/// Whether both accesses go through the same indices.
fn same_element(a: &Access, b: &Access) -> bool {
    let indices = |access: &Access| -> Vec<Step> {
        access.path.iter().take_while(|s| !matches!(s, Step::Field(_))).cloned().collect()
    };
    a.path == [Step::Shape] || a.root == b.root && indices(a) == indices(b)
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
