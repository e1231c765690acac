//! `#[compute]` blocks become what they stand for: compute, use, uncompute.

use crate::decide;
use crate::invert::invert;
use crate::ir::{Arm, Block, Kind, Statement};
use crate::names::{Mode, viewed_place};

/// Whether a statement declares a mutable view.
fn lends(statement: &Statement) -> bool {
    matches!(&statement.kind, Kind::Bind(binding)
        if matches!(viewed_place(&binding.value), Some((_, Mode::Mutable))))
}

/// A block without [`Kind::Compute`].
pub fn lower(block: &Block) -> Block {
    lower_at(block, false)
}

/// `inside`: of a block that is itself computed and uncomputed.
fn lower_at(block: &Block, inside: bool) -> Block {
    let lower = |block: &Block| lower_at(block, inside);
    let mut lowered = Block::new();
    for statement in block {
        let kind = match &statement.kind {
            Kind::Compute { compute, body } => {
                let compute = lower_at(compute, true);
                let uncompute = invert(&compute);
                // A mutable view is taken anew, so that what is behind it is not
                // borrowed in between.
                let views: Block = compute.iter().filter(|s| lends(s)).cloned().collect();
                // On the way there, all that is written here is as it is. But what stands inside
                // has its way there on the way back, too.
                match inside {
                    true => lowered.extend(compute),
                    false => lowered.extend(decide::without_own_looks(compute)),
                }
                lowered.extend(lower(body));
                lowered.extend(views);
                lowered.extend(uncompute);
                continue;
            }
            Kind::If { arms, otherwise } => Kind::If {
                arms: arms
                    .iter()
                    .map(|arm| Arm { body: lower(&arm.body), ..arm.clone() })
                    .collect(),
                otherwise: otherwise.as_ref().map(lower),
            },
            Kind::While { pre, post, verify, body } => Kind::While {
                pre: pre.clone(),
                post: post.clone(),
                verify: *verify,
                body: lower(body),
            },
            Kind::For { pattern, sequence, reversed, verify, body } => Kind::For {
                pattern: pattern.clone(),
                sequence: sequence.clone(),
                reversed: *reversed,
                verify: *verify,
                body: lower(body),
            },
            Kind::Block(body) => Kind::Block(lower(body)),
            other => other.clone(),
        };
        lowered.push(statement.with(kind));
    }
    lowered
}
