//! Inversion: a table, a row a statement.

use crate::ir::{Arm, Block, Call, Kind, Statement};

/// The block that undoes `block`. Its own inverse: `invert(invert(b)) == b`.
pub fn invert(block: &[Statement]) -> Block {
    block.iter().rev().map(invert_statement).collect()
}

fn invert_statement(statement: &Statement) -> Statement {
    match &statement.kind {
        // What the compiler inserted is for both directions.
        Kind::Call(_) if statement.generated => statement.clone(),
        kind => statement.with(invert_kind(kind)),
    }
}

#[rustfmt::skip]
fn invert_kind(kind: &Kind) -> Kind {
    use Kind::*;
    match kind.clone() {
        Update { place, operator, value } => Update { place, operator: operator.inverse(), value },
        Bind(binding)                     => Unbind(binding),
        Unbind(binding)                   => Bind(binding),
        Allocate(ancilla)                 => Release(ancilla),
        Release(ancilla)                  => Allocate(ancilla),
        Compute { compute, body }         => Compute { compute, body: invert(&body) },
        If { arms, otherwise }            => If {
            arms: arms.into_iter().map(invert_arm).collect(),
            otherwise: otherwise.map(|block| invert(&block)),
        },
        While { pre, post, verify, body } =>
            While { pre: post, post: pre, verify, body: invert(&body) },
        For { pattern, sequence, reversed, verify, body } =>
            For { pattern, sequence, reversed: !reversed, verify, body: invert(&body) },
        Call(call)                        => Call(invert_call(call)),
        Block(block)                      => Block(invert(&block)),
        Host(code)                        => Host(code),
    }
}

fn invert_arm(arm: Arm) -> Arm {
    Arm { pre: arm.post, post: arm.pre, body: invert(&arm.body), ..arm }
}

fn invert_call(call: Call) -> Call {
    Call { direction: call.direction.inverse(), ..call }
}
