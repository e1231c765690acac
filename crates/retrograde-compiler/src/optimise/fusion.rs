//! A function that calls itself to compute, and then to take the gradient back,
//! does both in one call.
//!
//! ```text
//! let mut s = 0.0;                       let mut s = 0.0;
//! f(&mut s, x);                          let mut d_s = -(*d_y * w);
//! d_w += *d_y * s;                       f::inverse_adjoint(&mut s, &mut d_s, x, d_x);
//! let mut d_s = *d_y * w;                d_w += *d_y * s;
//! f::adjoint(&mut s, &mut d_s, x, d_x);
//! ```
//!
//! The adjoint itself runs the first two again for what it calls, so that at every
//! depth there is once more to compute: the cost is the function's times its depth.
//! The inverse adjoint computes the value, and takes gradients back that it is given
//! with the other sign. It needs the gradient before, the adjoint the one after: they
//! are the same if the function only adds to what it is lent, and then its adjoint
//! never writes that gradient.

use crate::added::Added;
use crate::differentiate::negated;
use crate::effects::{self, Effects};
use crate::ir::{Ancilla, Block, Call, Callee, Direction, Kind, Operator, Statement};
use crate::kinds::{self, Kinds};
use crate::names::{Names, pattern_names};
use crate::place::{Access, Overlap, bare_name, identifiers};
use crate::visit::{self, VisitMut};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::HashSet;
use syn::{Expr, Pat, Signature};

/// Puts calls of the function itself together, in one of its adjoints.
pub fn fuse(
    block: &mut Block,
    signature: &Signature,
    added_to: &[Option<Added>],
    kinds: &Kinds,
    names: &Names,
) {
    let own = signature.ident.clone();
    let alone = |added: &Option<Added>| added.as_ref().is_some_and(|a| a.callees.is_empty());
    let only_added_to = added_to.iter().map(alone).collect();
    Fusion { own, only_added_to, kinds: kinds.clone(), names }.block(block);
}

/// Whether a function is called in a block by its own name.
pub fn calls(block: &Block, own: &Ident) -> bool {
    block.iter().any(|statement| {
        own_call(statement, own).is_some()
            || statement.blocks().into_iter().any(|inner| calls(inner, own))
    })
}

/// A call of the function itself: its path, arguments and direction.
fn own_call<'s>(statement: &'s Statement, own: &Ident) -> Option<(&'s syn::ExprPath, &'s Call)> {
    let Kind::Call(call) = &statement.kind else { return None };
    let Callee::Function(path) = &call.callee else { return None };
    let is_own = path.path.segments.len() == 1 && path.path.segments[0].ident == *own;
    is_own.then_some((path, call))
}

struct Fusion<'a> {
    /// The function.
    own: Ident,
    /// Of each of its arguments, whether it is only added to.
    only_added_to: Vec<bool>,
    kinds: Kinds,
    names: &'a Names,
}

impl Fusion<'_> {
    fn block(&mut self, block: &mut Block) {
        for statement in block.iter_mut() {
            super::declare(&mut self.kinds, statement);
            statement.blocks_mut().into_iter().for_each(|inner| self.block(inner));
        }
        for first in 0..block.len() {
            if let Some(fused) = block.get(first).and_then(|_| self.fused(block, first)) {
                *block = fused;
            }
        }
    }

    /// The block with the call at `first` and the one that takes its gradient back
    /// put together.
    fn fused(&self, block: &Block, first: usize) -> Option<Block> {
        let (path, computing) = own_call(&block[first], &self.own)?;
        let both = match computing.direction {
            Direction::Forward => Direction::InverseAdjoint,
            Direction::Inverse => Direction::Adjoint,
            _ => return None,
        };
        let undoes = |direction: Direction| match both {
            Direction::Adjoint => direction == Direction::InverseAdjoint,
            _ => matches!(direction, Direction::Adjoint | Direction::Gradient),
        };
        let (last, pulling) = (first + 1..block.len()).find_map(|k| {
            let (other, call) = own_call(&block[k], &self.own)?;
            (other == path && undoes(call.direction)).then_some((k, call))
        })?;
        let middle = &block[first + 1..last];
        let (sum, d_sum) = self.lent(computing, pulling, middle)?;
        let declares = |statement: &Statement, name: &Ident| match &statement.kind {
            Kind::Allocate(ancilla) => ancilla.name == *name,
            _ => false,
        };
        if !block[..first].iter().any(|s| declares(s, &sum))
            || !middle.iter().any(|s| declares(s, &d_sum))
            || block[last + 1..].iter().any(|s| is_used_in(s, &sum) || is_used_in(s, &d_sum))
        {
            return None;
        }
        let early = needed(middle, pulling, &d_sum, self.names);
        self.may_move(middle, &early, &block[last], &sum, &d_sum)?;
        let mut result: Block = block[..first].to_vec();
        let chosen = |before: bool| {
            middle.iter().zip(&early).filter(move |(_, early)| **early == before).map(|(s, _)| s)
        };
        for statement in chosen(true) {
            result.push(self.turned(statement, &d_sum)?);
        }
        let call = Call { direction: both, ..pulling.clone() };
        result.push(block[last].with(Kind::Call(call)));
        result.extend(chosen(false).cloned());
        result.extend_from_slice(&block[last + 1..]);
        Some(result)
    }

    /// What both calls add to, and its gradient, if all other arguments are the same.
    fn lent(
        &self,
        computing: &Call,
        pulling: &Call,
        middle: &[Statement],
    ) -> Option<(Ident, Ident)> {
        let lent = |argument: &Expr| match argument {
            Expr::Reference(e) if e.mutability.is_some() => bare_name(&e.expr).cloned(),
            _ => None,
        };
        let values = &computing.arguments;
        let position = values.iter().position(|argument| lent(argument).is_some())?;
        let sum = lent(&values[position])?;
        if pulling.arguments.len() != 2 * values.len() || !*self.only_added_to.get(position)? {
            return None;
        }
        let mut named = Named { middle };
        for (value, argument) in values.iter().zip(pulling.arguments.iter().step_by(2)) {
            let mut argument = argument.clone();
            named.visit_expr_mut(&mut argument);
            if value.to_token_stream().to_string() != argument.to_token_stream().to_string() {
                return None;
            }
        }
        Some((sum, lent(&pulling.arguments[2 * position + 1])?))
    }

    /// Whether what is needed for the gradient can be done before the rest of the
    /// middle, and the call in between.
    fn may_move(
        &self,
        middle: &[Statement],
        early: &[bool],
        call: &Statement,
        sum: &Ident,
        d_sum: &Ident,
    ) -> Option<()> {
        let all: Vec<Effects> = middle.iter().map(|s| effects::of(s, self.names)).collect();
        let called = effects::of(call, self.names);
        let apart = |a: &Access, b: &Access| self.names.overlap(a, b) == Overlap::Never;
        let unread = |effects: &Effects, others: &Effects| {
            let writes = effects.writes.iter().map(|write| &write.access);
            writes.filter(|write| write.root != *sum && write.root != *d_sum).all(|write| {
                others.reads.iter().filter(|read| read.root != *sum).all(|read| apart(write, read))
            })
        };
        let unwritten = |a: &Effects, b: &Effects| {
            a.writes.iter().all(|a| b.writes.iter().all(|b| apart(&a.access, &b.access)))
        };
        for (k, statement) in middle.iter().enumerate() {
            if all[k].host {
                return None;
            }
            if early[k] {
                let before = (0..k).filter(|other| !early[*other]);
                let free = before.map(|other| &all[other]).all(|other| {
                    unread(other, &all[k]) && unread(&all[k], other) && unwritten(&all[k], other)
                });
                if !free || reads(statement, sum) {
                    return None;
                }
                continue;
            }
            let writes_sum = all[k].writes.iter().any(|write| write.access.root == *sum);
            // Sums into one gradient may be made in any order.
            let adds = matches!(
                &statement.kind,
                Kind::Update { operator, .. } if statement.generated
                    && !matches!(operator, Operator::Xor | Operator::Multiply | Operator::Divide)
            );
            if writes_sum
                || statement.mentions(d_sum)
                || !unread(&all[k], &called)
                || !unread(&called, &all[k])
                || !(adds || unwritten(&all[k], &called))
            {
                return None;
            }
        }
        Some(())
    }

    /// The statement with the other sign of the gradient.
    fn turned(&self, statement: &Statement, d_sum: &Ident) -> Option<Statement> {
        let real = self.kinds.name(d_sum) == kinds::Kind::Real;
        let kind = match &statement.kind {
            Kind::Allocate(ancilla) if ancilla.name == *d_sum => {
                if super::shadowed(&ancilla.value).is_some() {
                    return Some(statement.clone());
                }
                let value = negated(ancilla.value.clone(), real);
                Kind::Allocate(Ancilla { value, ..ancilla.clone() })
            }
            Kind::Update { place, operator, value } if statement.mentions(d_sum) => {
                if bare_name(place) != Some(d_sum) {
                    return None;
                }
                let (place, value) = (place.clone(), value.clone());
                Kind::Update { place, operator: operator.inverse(), value }
            }
            Kind::Bind(_) | Kind::Allocate(_) if !statement.mentions(d_sum) => {
                return Some(statement.clone());
            }
            _ => return None,
        };
        Some(statement.with(kind))
    }
}

/// Whether the value of a variable is read, and not only its shape.
fn reads(statement: &Statement, name: &Ident) -> bool {
    match &statement.kind {
        Kind::Allocate(ancilla) if super::shadowed(&ancilla.value) == Some(name) => false,
        _ => statement.mentions(name),
    }
}

/// Whether a variable is used, and not only dropped.
fn is_used_in(statement: &Statement, name: &Ident) -> bool {
    match &statement.kind {
        Kind::Release(ancilla) if ancilla.name == *name => ancilla.verify,
        _ => statement.mentions(name),
    }
}

/// Which statements a call needs that declare its arguments or add to a gradient.
fn needed(middle: &[Statement], call: &Call, d_sum: &Ident, names: &Names) -> Vec<bool> {
    let declared = |statement: &Statement| match &statement.kind {
        Kind::Bind(binding) => pattern_names(&binding.pattern),
        Kind::Allocate(ancilla) => vec![ancilla.name.clone()],
        _ => Vec::new(),
    };
    let local: HashSet<Ident> = middle.iter().flat_map(declared).chain([d_sum.clone()]).collect();
    let arguments = call.arguments.iter();
    let mut needed: HashSet<Ident> = arguments
        .flat_map(|argument| identifiers(&argument.to_token_stream()))
        .filter(|name| local.contains(name))
        .collect();
    let mut early = vec![false; middle.len()];
    for (k, statement) in middle.iter().enumerate().rev() {
        let effects = effects::of(statement, names);
        let writes = effects.writes.iter().map(|write| write.access.root.clone());
        if declared(statement).into_iter().chain(writes).any(|name| needed.contains(&name)) {
            early[k] = true;
            needed.extend(local.iter().filter(|name| statement.mentions(name)).cloned());
        }
    }
    early
}

/// Puts the values of names that the middle declares in their place.
struct Named<'m> {
    middle: &'m [Statement],
}

impl VisitMut for Named<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let value = bare_name(expr).and_then(|name| {
            self.middle.iter().find_map(|statement| match &statement.kind {
                Kind::Bind(binding) => match &binding.pattern {
                    Pat::Ident(own) if own.ident == *name => Some(binding.value.clone()),
                    _ => None,
                },
                _ => None,
            })
        });
        match value {
            Some(value) => *expr = value,
            None => visit::visit_expr_mut(self, expr),
        }
    }
}
