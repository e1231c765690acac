//! Drift: floats that are undone come back up to rounding, which may grow.
//!
//! Where the compiler has proved that an ancilla is undone, its release needs no check,
//! and where nobody looks at it again it is not undone at all. But where a statement that
//! undoes it is left, something looked at its values on their way back: a derivative, most
//! often. Then the release is checked after all, so that a state whose digits were lost on
//! the way is not taken for the right one.

use super::prove::follow_what_is_verified;
use crate::effects;
use crate::ir::{Ancilla, Block, Direction, Kind, Statement};
use crate::kinds::Kinds;
use crate::names::Names;
use crate::table::NameSet;
use proc_macro2::Ident;

/// Has the releases checked of what is undone by the statements that were `kept` of a block,
/// and of `others`. Tells whether there are any.
pub fn verify(
    block: &mut Block,
    kept: &Block,
    others: NameSet,
    names: &Names,
    kinds: &Kinds,
) -> bool {
    let mut undone = others;
    collect(kept, names, &mut undone);
    !undone.is_empty() && mark(block, &undone, kinds)
}

/// The variables that statements which undo others write.
fn collect(block: &Block, names: &Names, undone: &mut NameSet) {
    for statement in block {
        if statement.undoes {
            written(statement, names, undone);
        }
        statement.blocks().into_iter().for_each(|inner| collect(inner, names, undone));
    }
}

fn written(statement: &Statement, names: &Names, undone: &mut NameSet) {
    match &statement.kind {
        // It need not restore the values: see `super::loans`.
        Kind::Call(call) if call.direction == Direction::Gradient => {}
        Kind::Update { .. } | Kind::Call(_) => {
            for write in effects::of(statement, names).writes {
                undone.extend(names.roots(&write.access.root));
            }
        }
        _ => {
            let inside = statement.blocks().into_iter().flatten();
            inside.for_each(|inner| written(inner, names, undone));
        }
    }
}

fn mark(block: &mut Block, undone: &NameSet, kinds: &Kinds) -> bool {
    let mut marked = false;
    for statement in block.iter_mut() {
        if let Kind::Release(ancilla) = &mut statement.kind
            && ancilla.proved
            && undone.contains(&ancilla.name)
            && !is_exact(ancilla, kinds)
        {
            ancilla.verify = true;
            marked = true;
        }
        statement.blocks_mut().into_iter().for_each(|inner| marked |= mark(inner, undone, kinds));
    }
    follow_what_is_verified(block);
    marked
}

/// Whether a variable is written more than once, so that nobody who looks at the ends sees all
/// that it holds.
pub fn holds_more_on_its_way(block: &Block, name: &Ident, names: &Names) -> bool {
    fn writes(block: &Block, name: &Ident, names: &Names) -> usize {
        let of = |statement: &Statement| {
            let again = match &statement.kind {
                Kind::Update { .. } => 1,
                Kind::Call(_) | Kind::For { .. } | Kind::While { .. } | Kind::Compute { .. } => 2,
                _ => {
                    let inside = statement.blocks().into_iter();
                    return inside.map(|inner| writes(inner, name, names)).sum();
                }
            };
            let effects = effects::of(statement, names).writes;
            let own = effects.iter().any(|write| names.roots(&write.access.root).contains(name));
            if own { again } else { 0 }
        };
        block.iter().map(of).sum()
    }
    writes(block, name, names) > 1
}

/// Whether a float is released that is known to be undone by a check alone.
pub fn takes_a_release_on_trust(block: &Block, kinds: &Kinds) -> bool {
    block.iter().any(|statement| match &statement.kind {
        Kind::Release(ancilla) => ancilla.verify && !ancilla.proved && !is_exact(ancilla, kinds),
        _ => statement.blocks().into_iter().any(|inner| takes_a_release_on_trust(inner, kinds)),
    })
}

/// Has the releases on the way back also keep the digits that somebody looked at, which are known
/// to hold by a check alone: what a `push` has taken comes back by a `pop`. `eliminate` drops what
/// nobody looks at.
pub fn measure(
    block: Block,
    eliminate: impl Fn(Block) -> Block,
    names: &Names,
    kinds: &Kinds,
) -> Block {
    if !takes_a_release_on_trust(&block, kinds) {
        return block;
    }
    let mut block = block;
    let mut unchecked = block.clone();
    on_the_way_back(&mut unchecked, false, kinds, &mut |ancilla| ancilla.verify = false);
    let mut undone = NameSet::default();
    collect(&eliminate(unchecked), names, &mut undone);
    on_the_way_back(&mut block, false, kinds, &mut |ancilla| {
        ancilla.looked_at = undone.contains(&ancilla.name);
    });
    block
}

/// Goes through the releases that are taken on trust, in what undoes something.
fn on_the_way_back(
    block: &mut Block,
    back: bool,
    kinds: &Kinds,
    visit: &mut impl FnMut(&mut Ancilla),
) {
    for statement in block {
        let back = back || statement.undoes;
        if let Kind::Release(ancilla) = &mut statement.kind
            && back
            && ancilla.verify
            && !ancilla.proved
            && !is_exact(ancilla, kinds)
        {
            visit(ancilla);
        }
        let inside = statement.blocks_mut().into_iter();
        inside.for_each(|inner| on_the_way_back(inner, back, kinds, visit));
    }
}

/// Whether an ancilla is an integer or the like, which is undone without rounding.
pub(super) fn is_exact(ancilla: &Ancilla, kinds: &Kinds) -> bool {
    let kind = match &ancilla.ty {
        Some(ty) => kinds.of_type(ty),
        None => kinds.of_expr(&ancilla.value),
    };
    kind.is_constant()
}
