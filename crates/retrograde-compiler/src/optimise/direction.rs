//! Loops whose passes do not know of each other run forward in both directions.
//!
//! Such a loop gives the same bits in any order, and a compiler vectorises the
//! ascending one best, and a processor knows what to fetch next. Sums into a gradient
//! by an index, which nobody reads in between, differ in the last bits.

use super::indices::{Declared, IndexLoop, literal};
use crate::effects::{self, Effects, Write};
use crate::ir::{Block, Kind, Statement};
use crate::names::{Mode, Names, pattern_names};
use crate::place::{Access, Step, bare_name};
use crate::table::NameSet;
use proc_macro2::Ident;
use std::cell::OnceCell;
use syn::{BinOp, Expr, Pat};

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

/// Whether the passes may run in any order: each writes only its own element and
/// reads no other of it, or, by an index, adds to a gradient that none of them reads.
pub(super) fn independent(pattern: &Pat, body: &Block, names: &Names) -> bool {
    if !body.iter().all(is_plain) || crate::decide::concerns(body) {
        return false;
    }
    let variables: NameSet = pattern_names(pattern).into_iter().collect();
    let Effects { reads, writes, .. } = effects::of_block(body, names);
    // A loop over elements keeps its order: it gains nothing by another one.
    let counts = matches!(pattern, Pat::Ident(name) if names.mode(&name.ident) == Mode::Primitive);
    let values = OnceCell::new();
    let values = || values.get_or_init(|| effects::of_block(&without_sums(body), names).writes);
    let own = OwnElements { variables, declared: OnceCell::new(), body, writes: &writes, names };
    writes.iter().all(|write| {
        let shares_root = |access: &&Access| shares_root(access, &write.access, names);
        let is_shape = |access: &Access| access.path == [Step::Shape];
        let reads = || reads.iter().filter(shares_root);
        // An element that the loop lends to the pass: nothing else can reach it.
        own.variables.contains(&write.access.root)
            || own.element(&write.access).is_some_and(|element| {
                let written = writes.iter().map(|w| &w.access).filter(shares_root);
                reads().chain(written).all(|a| a.path.starts_with(element) || is_shape(a))
            })
            || counts && reads().all(is_shape) && !values().iter().any(|w| shares_root(&&w.access))
    })
}

/// A block without the sums into gradients.
fn without_sums(block: &Block) -> Block {
    let keep = |statement: &Statement| {
        let kind = match &statement.kind {
            Kind::Update { .. } if statement.generated => return None,
            Kind::If { arms, otherwise } => {
                let mut arms = arms.clone();
                arms.iter_mut().for_each(|arm| arm.body = without_sums(&arm.body));
                Kind::If { arms, otherwise: otherwise.as_ref().map(without_sums) }
            }
            Kind::For { pattern, sequence, reversed, verify, body } => Kind::For {
                pattern: pattern.clone(),
                sequence: sequence.clone(),
                reversed: *reversed,
                verify: *verify,
                body: without_sums(body),
            },
            Kind::Block(body) => Kind::Block(without_sums(body)),
            other => other.clone(),
        };
        Some(statement.with(kind))
    };
    block.iter().filter_map(keep).collect()
}

/// Finds the elements that belong to one pass.
struct OwnElements<'a> {
    variables: NameSet,
    declared: OnceCell<Declared>,
    body: &'a Block,
    writes: &'a [Write],
    names: &'a Names,
}

impl OwnElements<'_> {
    /// The names that are declared in a pass.
    fn declared(&self) -> &Declared {
        self.declared.get_or_init(|| Declared::of(self.body))
    }

    /// The steps of a place up to the index that is new in every pass. Only indices
    /// of a range or of `enumerate` are, and only into containers where different
    /// indices are different elements.
    fn element<'a>(&self, access: &'a Access) -> Option<&'a [Step]> {
        let plain = self.names.plain(&access.root);
        let own = access.path.iter().take(plain).position(|step| match step {
            Step::Index(index) => self.is_new(index),
            _ => false,
        })?;
        Some(&access.path[..=own])
    }

    /// Whether an index is another one in every pass: `i`, or `i + c`, or `i * n + j`
    /// where `j` runs to `n` inside of the pass.
    fn is_new(&self, index: &Expr) -> bool {
        let mut terms = Vec::new();
        self.terms(index, &mut terms);
        terms.retain(|term| !self.is_constant(term));
        let counts = |expr: &Expr| {
            bare_name(expr).is_some_and(|name| {
                self.variables.contains(name) && self.names.mode(name) == Mode::Primitive
            })
        };
        match terms[..] {
            [i] => counts(i),
            [Expr::Binary(row), j] | [j, Expr::Binary(row)] => {
                let stride = match (counts(&row.left), counts(&row.right)) {
                    (true, false) => &row.right,
                    (false, true) => &row.left,
                    _ => return false,
                };
                matches!(row.op, BinOp::Mul(_))
                    && self.is_constant(stride)
                    && bare_name(j).is_some_and(|j| {
                        self.names.mode(j) == Mode::Primitive && runs_below(self.body, j, stride)
                    })
            }
            _ => false,
        }
    }

    /// What an index is the sum of, or the difference from constants.
    fn terms<'e>(&'e self, index: &'e Expr, terms: &mut Vec<&'e Expr>) {
        match index {
            Expr::Paren(e) => self.terms(&e.expr, terms),
            Expr::Binary(e) if matches!(e.op, BinOp::Add(_)) => {
                self.terms(&e.left, terms);
                self.terms(&e.right, terms);
            }
            Expr::Binary(e) if matches!(e.op, BinOp::Sub(_)) && self.is_constant(&e.right) => {
                self.terms(&e.left, terms);
            }
            other => match bare_name(other).and_then(|name| self.declared().bindings.get(name)) {
                Some(value) => self.terms(value, terms),
                None => terms.push(other),
            },
        }
    }

    /// A literal, or a number that the passes do not change.
    fn is_constant(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) => true,
            Expr::Paren(e) => self.is_constant(&e.expr),
            Expr::Binary(e) => self.is_constant(&e.left) && self.is_constant(&e.right),
            _ => bare_name(expr).is_some_and(|name| {
                let own = self.declared().others.contains(name)
                    || self.declared().bindings.contains_key(name)
                    || self.variables.contains(name);
                !own && self.writes.iter().all(|write| write.access.root != *name)
            }),
        }
    }
}

/// Whether a variable belongs to loops over `a..b` alone, where `a` is a literal
/// and `b` is the limit or the limit less a literal.
fn runs_below(block: &Block, variable: &Ident, limit: &Expr) -> bool {
    block.iter().all(|statement| match &statement.kind {
        Kind::For { pattern, body, .. } => {
            let below = || {
                let looped = IndexLoop::of(statement)?;
                let end = match looped.end {
                    Expr::Binary(e) if matches!(e.op, BinOp::Sub(_)) => {
                        literal(&e.right)?;
                        &*e.left
                    }
                    end => end,
                };
                literal(looped.start)?;
                (end == limit).then_some(())
            };
            let own = pattern_names(pattern).contains(variable);
            (!own || below().is_some()) && runs_below(body, variable, limit)
        }
        Kind::If { arms, otherwise } => {
            arms.iter().all(|arm| runs_below(&arm.body, variable, limit))
                && otherwise.iter().all(|block| runs_below(block, variable, limit))
        }
        Kind::Block(body) => runs_below(body, variable, limit),
        _ => true,
    })
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
