//! Loops that count need no check of their postcondition.
//!
//! In `let mut k = e; while (k < n, k != e) { …; k += 1; }` the counter starts at
//! `e` and leaves it for good in the first pass: it grows in every one, and
//! cannot wrap around, because it was below `n` before. So too when it falls by
//! a literal that the condition `k > l` leaves room for.

use crate::effects;
use crate::ir::{Block, Kind, Operator, Statement};
use crate::names::Names;
use crate::place::{Access, Overlap, bare_name, reads};
use proc_macro2::Ident;
use syn::{BinOp, Expr, Lit};

/// Switches off the checks of counting loops.
pub fn prove_counters(block: &mut Block, names: &Names) {
    for i in 0..block.len() {
        match &mut block[i].kind {
            Kind::If { arms, otherwise } => {
                arms.iter_mut().for_each(|arm| prove_counters(&mut arm.body, names));
                otherwise.iter_mut().for_each(|block| prove_counters(block, names));
            }
            Kind::For { body, .. } | Kind::Block(body) => prove_counters(body, names),
            Kind::While { body, .. } => {
                prove_counters(body, names);
                if counts(block, i, names)
                    && let Kind::While { verify, .. } = &mut block[i].kind
                {
                    *verify = false;
                }
            }
            _ => {}
        }
    }
}

/// Whether the statement at `index` is a loop whose postcondition is proved.
fn counts(block: &Block, index: usize, names: &Names) -> bool {
    let Kind::While { pre, post, body, .. } = &block[index].kind else { return false };
    let Some((counter, post_operator, start)) = comparison(post) else { return false };
    let Some(step) = step_of(body, counter, names) else { return false };
    let Some((tested, pre_operator, limit)) = comparison(pre) else { return false };
    let leaves = matches!(
        (step, post_operator),
        (_, BinOp::Ne(_)) | (Step::Up(_), BinOp::Gt(_)) | (Step::Down(_), BinOp::Lt(_))
    );
    let cannot_wrap = match (step, pre_operator) {
        (Step::Up(1), BinOp::Lt(_)) => true,
        (Step::Down(by), BinOp::Gt(_)) => {
            integer(limit).is_some_and(|limit| limit.saturating_add(1) >= by)
        }
        (Step::Down(by), BinOp::Ge(_)) => integer(limit).is_some_and(|limit| limit >= by),
        _ => false,
    };
    tested == counter
        && leaves
        && cannot_wrap
        && starts_at(block, index, counter, start, names)
        && !writes(body, &reads(start), names)
}

/// `counter ⋄ value`, with a name on the left.
fn comparison(condition: &Expr) -> Option<(&Ident, &BinOp, &Expr)> {
    match condition {
        Expr::Paren(e) => comparison(&e.expr),
        Expr::Binary(e) => Some((bare_name(&e.left)?, &e.op, &e.right)),
        _ => None,
    }
}

#[derive(Clone, Copy)]
enum Step {
    Up(u128),
    Down(u128),
}

/// How the only write to the counter changes it. An integer literal tells that
/// the counter is an integer.
fn step_of(body: &Block, counter: &Ident, names: &Names) -> Option<Step> {
    let counter_access = [Access::whole(counter)];
    let mut writers =
        body.iter().filter(|s| writes(std::slice::from_ref(*s), &counter_access, names));
    let (only, None) = (writers.next()?, writers.next()) else { return None };
    let Kind::Update { place, operator, value } = &only.kind else { return None };
    bare_name(place)?;
    match (operator, integer(value)?) {
        (Operator::Add, by @ 1..) => Some(Step::Up(by)),
        (Operator::Subtract, by @ 1..) => Some(Step::Down(by)),
        _ => None,
    }
}

fn integer(expr: &Expr) -> Option<u128> {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(value) => value.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the counter is an ancilla that still holds `start` before the loop.
fn starts_at(block: &Block, index: usize, counter: &Ident, start: &Expr, names: &Names) -> bool {
    let allocated = block[..index]
        .iter()
        .rposition(|s| matches!(&s.kind, Kind::Allocate(a) if a.name == *counter));
    let Some(allocated) = allocated else { return false };
    let Kind::Allocate(ancilla) = &block[allocated].kind else { return false };
    let mut kept = reads(start);
    kept.push(Access::whole(counter));
    let between = &block[allocated + 1..index];
    let redeclared = between.iter().any(|s| match &s.kind {
        Kind::Allocate(a) | Kind::Release(a) => kept.iter().any(|k| k.root == a.name),
        _ => false,
    });
    ancilla.value == *start && !redeclared && !writes(between, &kept, names)
}

/// Whether some statement may write one of the places.
fn writes(statements: &[Statement], places: &[Access], names: &Names) -> bool {
    statements.iter().any(|statement| {
        let effects = effects::of(statement, names);
        effects.host
            || effects.writes.iter().any(|write| {
                places.iter().any(|place| names.overlap(&write.access, place) != Overlap::Never)
            })
    })
}
