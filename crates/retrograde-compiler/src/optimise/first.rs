//! Shadows are declared where they are first used, and the first sum into one is
//! its value.
//!
//! `let mut d = 0; d += g;` adds to zero, which a compiler must not leave out,
//! because a zero has a sign. It is `let mut d = g;`.

use super::reuse::shadowed;
use crate::differentiate::{is_library, negated};
use crate::ir::{Ancilla, Block, Kind, Operator};
use crate::place::{bare_name, mentions};

/// Merges declarations of shadows with what is first added to them. Tells whether
/// there are any.
pub fn merge(block: &mut Block) -> bool {
    let mut merged = false;
    for statement in block.iter_mut() {
        statement.blocks_mut().into_iter().for_each(|inner| merged |= merge(inner));
    }
    // From the last to the first, so that each moves once.
    for position in (0..block.len()).rev() {
        let Kind::Allocate(Ancilla { name, .. }) = &block[position].kind else { continue };
        if let Some(first) = first_sum(block, position)
            && let Kind::Update { operator, value, .. } = &block[first].kind
        {
            let value = match operator {
                Operator::Add | Operator::Accumulate => value.clone(),
                Operator::Subtract => negated(value.clone(), true),
                _ => negated(value.clone(), false),
            };
            let ancilla = Ancilla::new(name.clone(), None, value, false);
            block[first] = block[first].with(Kind::Allocate(ancilla));
            block.remove(position);
            merged = true;
        } else if let Some(first) = first_mention(block, position)
            && first > position + 1
        {
            // What comes first may tell the type of what it is the shadow of.
            let declaration = block.remove(position);
            block.insert(first - 1, declaration);
        }
    }
    merged
}

/// Where the shadow that is declared at `position` is first mentioned.
fn first_mention(block: &Block, position: usize) -> Option<usize> {
    let Kind::Allocate(ancilla) = &block[position].kind else { return None };
    let value = shadowed(&ancilla.value)?;
    let mut later = block.iter().enumerate().skip(position + 1);
    // While the value that it is the shadow of is there.
    later
        .find(|(_, s)| {
            s.mentions(&ancilla.name) || matches!(&s.kind, Kind::Release(a) if a.name == *value)
        })
        .map(|(first, _)| first)
}

/// Where the shadow that is declared at `position` is first mentioned, if that
/// is a sum into all of it.
fn first_sum(block: &Block, position: usize) -> Option<usize> {
    let first = first_mention(block, position)?;
    let Kind::Allocate(ancilla) = &block[position].kind else { return None };
    let Kind::Update { place, operator, value } = &block[first].kind else { return None };
    let sum = matches!(
        operator,
        Operator::Add | Operator::Subtract | Operator::Accumulate | Operator::Retract
    );
    // A formula with literals is converted as a statement, not inside a call.
    let final_form = *operator != Operator::Retract || is_library(value);
    let whole = bare_name(place) == Some(&ancilla.name) && final_form;
    let own = mentions(value, &ancilla.name);
    (sum && whole && !own).then_some(first)
}
