//! What is undone by a statement that is written out, `!for … { … };`, as if it stood in a
//! `#[compute]` block: then its decisions can be kept.

use crate::ir::{Block, Kind, Statement};
use crate::names::{Names, pattern_names};
use crate::optimise::undone_by_hand;
use proc_macro2::Ident;

/// The block with such statements in `#[compute]` blocks; `None` if there are none.
pub fn pair(block: &Block, names: &Names) -> Option<Block> {
    let paired = pairs_in(flat(block), names);
    (paired != *block).then_some(paired)
}

fn pairs_in(mut block: Block, names: &Names) -> Block {
    let pairs = undone_by_hand(&block, names);
    let found = pairs.into_iter().find(|(there, back)| {
        !block[*there].blocks().is_empty() && is_closed(&block[there + 1..*back])
    });
    if let Some((there, back)) = found {
        let mut rest = block.split_off(back);
        rest.remove(0);
        let body = pairs_in(block.split_off(there + 1), names);
        let Some(statement) = block.pop() else { unreachable!("it was found") };
        let kind = Kind::Compute { compute: vec![statement.clone()], body };
        block.push(statement.with(kind));
        block.extend(rest);
        return pairs_in(block, names);
    }
    for statement in &mut block {
        if !matches!(statement.kind, Kind::Compute { .. }) {
            for inner in statement.blocks_mut() {
                *inner = pairs_in(std::mem::take(inner), names);
            }
        }
    }
    block
}

/// Without braces that hold no names: `!{ for … { … } };`.
fn flat(block: &[Statement]) -> Block {
    let mut out = Block::new();
    for statement in block {
        match &statement.kind {
            Kind::Block(inner) if is_without_names(inner) => out.extend(flat(inner)),
            _ => {
                let mut statement = statement.clone();
                statement.blocks_mut().into_iter().for_each(|inner| *inner = flat(inner));
                out.push(statement);
            }
        }
    }
    out
}

fn is_without_names(block: &[Statement]) -> bool {
    !block.iter().any(|statement| {
        matches!(
            statement.kind,
            Kind::Bind(_) | Kind::Unbind(_) | Kind::Allocate(_) | Kind::Release(_)
        ) || matches!(statement.kind, Kind::Compute { .. })
    })
}

/// Whether what begins in it ends in it, and nothing else does.
fn is_closed(block: &[Statement]) -> bool {
    let mut open: Vec<Ident> = Vec::new();
    for statement in block {
        let (begun, ended) = match &statement.kind {
            Kind::Bind(binding) => (pattern_names(&binding.pattern), Vec::new()),
            Kind::Allocate(ancilla) => (vec![ancilla.name.clone()], Vec::new()),
            Kind::Unbind(binding) => (Vec::new(), pattern_names(&binding.pattern)),
            Kind::Release(ancilla) => (Vec::new(), vec![ancilla.name.clone()]),
            _ => continue,
        };
        open.extend(begun);
        for name in ended {
            match open.iter().rposition(|known| *known == name) {
                Some(at) => drop(open.remove(at)),
                None => return false,
            }
        }
    }
    open.is_empty()
}
