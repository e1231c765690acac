//! Releases that are known to hold: where every write to an ancilla is undone, in
//! reverse order, by a statement that is the inverse of the one that made it. In
//! floats that says nothing of rounding, see [`super::drift`].
//!
//! A statement undoes an earlier one when it is its inverse and nothing in
//! between, that is not undone itself, wrote what the two read or write.

use crate::decide;
use crate::effects::{self, Effects};
use crate::invert::invert;
use crate::ir::{Ancilla, Block, Kind, Statement};
use crate::names::Names;
use crate::place::{Access, Overlap, reads};
use proc_macro2::Ident;
use std::collections::HashMap;

/// Switches off the checks of releases that are proved.
pub fn prove(block: &mut Block, names: &Names) {
    for statement in block.iter_mut() {
        match &mut statement.kind {
            Kind::If { arms, otherwise } => {
                arms.iter_mut().for_each(|arm| prove(&mut arm.body, names));
                otherwise.iter_mut().for_each(|block| prove(block, names));
            }
            Kind::While { body, .. } | Kind::For { body, .. } | Kind::Block(body) => {
                prove(body, names);
            }
            _ => {}
        }
    }
    let checked = block.iter().any(|s| matches!(&s.kind, Kind::Release(a) if a.verify));
    let Proof { releases, undoing } = match checked {
        true => Proof::of(block, names),
        false => Proof::default(),
    };
    for index in releases {
        if let Kind::Release(ancilla) = &mut block[index].kind {
            (ancilla.verify, ancilla.proved) = (false, true);
        }
    }
    undoing.into_iter().for_each(|(_, index)| block[index].undoes = true);
    follow_what_is_verified(block);
}

/// The statements of a block that others of it undo, with these.
pub fn undone_by_hand(block: &Block, names: &Names) -> Vec<(usize, usize)> {
    Proof::of(block, names).undoing
}

/// An ancilla's scale is followed from its allocation when its release is verified.
pub(super) fn follow_what_is_verified(block: &mut Block) {
    let mut released = HashMap::new();
    for statement in block.iter_mut().rev() {
        match &mut statement.kind {
            Kind::Release(ancilla) => {
                released.insert(ancilla.name.clone(), (ancilla.verify, ancilla.proved));
            }
            Kind::Allocate(ancilla) => {
                let end = released.remove(&ancilla.name).unwrap_or_default();
                (ancilla.verify, ancilla.proved) = end;
            }
            _ => {}
        }
    }
}

/// A statement whose effect is not undone yet.
struct Pending {
    index: usize,
    inverse: Option<Statement>,
    effects: Effects,
    /// Later statements that may have changed what it reads or writes, and are
    /// not undone yet.
    disturbed_by: Vec<usize>,
    /// Whether it used what was undone since: then it can not be undone in turn.
    stale: bool,
}

/// What is known of a block, by the places of statements.
#[derive(Default)]
struct Proof {
    /// The releases of ancillas all of whose writes cancel.
    releases: Vec<usize>,
    /// The statements that are undone, and those that undo them.
    undoing: Vec<(usize, usize)>,
}

impl Proof {
    fn of(block: &Block, names: &Names) -> Self {
        let mut proof = Proof::default();
        let mut pending: Vec<Pending> = Vec::new();
        for (index, statement) in block.iter().enumerate() {
            match &statement.kind {
                Kind::Bind(_) | Kind::Unbind(_) => {}
                _ if statement.generated => {}
                Kind::Allocate(ancilla) => outdate(&ancilla.name, &mut pending, names),
                Kind::Release(ancilla) => {
                    let opened = block[..index].iter().rposition(
                        |s| matches!(&s.kind, Kind::Allocate(a) if a.name == ancilla.name),
                    );
                    let Some(opened) = opened else { continue };
                    let Kind::Allocate(first) = &block[opened].kind else { continue };
                    let since = pending.iter().filter(|p| p.index > opened);
                    let known = first.value == ancilla.value && !written(ancilla, since, names);
                    if known && ancilla.verify {
                        proof.releases.push(index);
                    }
                    outdate(&ancilla.name, &mut pending, names);
                }
                _ => {
                    let undone = step(index, statement, &mut pending, names);
                    proof.undoing.extend(undone.map(|earlier| (earlier, index)));
                }
            }
        }
        proof
    }
}

/// A name that is released or declared anew means something else from here on,
/// so what used it cannot be undone by the same words.
fn outdate(name: &Ident, pending: &mut [Pending], names: &Names) {
    let own = Access::whole(name);
    for earlier in pending {
        let writes = earlier.effects.writes.iter().map(|write| &write.access);
        let mut accesses = earlier.effects.reads.iter().chain(writes);
        earlier.stale |= accesses.any(|access| names.overlap(access, &own) != Overlap::Never);
    }
}

/// The earlier statement that a statement undoes, if it does.
fn step(
    index: usize,
    statement: &Statement,
    pending: &mut Vec<Pending>,
    names: &Names,
) -> Option<usize> {
    let plain = decide::without_looks(std::slice::from_ref(statement)).pop();
    let undone = pending.iter().rposition(|earlier| {
        earlier.disturbed_by.is_empty()
            && !earlier.stale
            && earlier.inverse.is_some()
            && earlier.inverse == plain
    });
    if let Some(undone) = undone {
        let earlier = pending.remove(undone);
        for other in pending.iter_mut() {
            other.disturbed_by.retain(|index| *index != earlier.index);
        }
        for between in &mut pending[undone..] {
            between.stale |= touches(&earlier.effects, &between.effects, names);
        }
        return Some(earlier.index);
    }
    let effects = effects::of(statement, names);
    for earlier in pending.iter_mut() {
        if touches(&effects, &earlier.effects, names) {
            earlier.disturbed_by.push(index);
        }
    }
    let inverse = plain.filter(|_| !effects.host).and_then(|plain| invert(&[plain]).pop());
    pending.push(Pending { index, inverse, effects, disturbed_by: Vec::new(), stale: false });
    None
}

/// Whether the writes of one may change what the other reads or writes.
fn touches(writer: &Effects, other: &Effects, names: &Names) -> bool {
    writer.host
        || writer.writes.iter().any(|write| {
            other
                .reads
                .iter()
                .chain(other.writes.iter().map(|w| &w.access))
                .any(|access| names.overlap(&write.access, access) != Overlap::Never)
        })
}

/// Whether a write to the ancilla, or to an operand of its value, is pending.
fn written<'a>(
    ancilla: &Ancilla,
    mut pending: impl Iterator<Item = &'a Pending>,
    names: &Names,
) -> bool {
    let mut kept = reads(&ancilla.value);
    kept.push(Access::whole(&ancilla.name));
    pending.any(|p| {
        p.effects.host
            || p.effects
                .writes
                .iter()
                .any(|write| kept.iter().any(|k| names.overlap(&write.access, k) != Overlap::Never))
    })
}
