//! `#[compute]` blocks become what they stand for: compute, use, uncompute.

use crate::invert::invert;
use crate::ir::{Arm, Block, Kind};

/// A block without [`Kind::Compute`].
pub fn lower(block: &Block) -> Block {
    let mut lowered = Block::new();
    for statement in block {
        let kind = match &statement.kind {
            Kind::Compute { compute, body } => {
                let compute = lower(compute);
                let uncompute = invert(&compute);
                lowered.extend(compute);
                lowered.extend(lower(body));
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
