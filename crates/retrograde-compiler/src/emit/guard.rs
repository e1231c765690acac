//! Indices and bounds may only read. They stand inside of places, which cannot
//! be evaluated in a closure as values are, so they get a closure of their own.
//!
//! A place is evaluated more often than it is written: beside it there is its
//! shadow. So an index that may not be a number, `let row = a..b;`, is cloned.

use super::value::{kept, may_mutate, purely};
use crate::ir::{Block, Callee, Kind};
use crate::names::Names;
use crate::place::bare_name;
use crate::visit::VisitMut;
use proc_macro2::Ident;
use std::collections::HashMap;
use syn::Expr;

/// Guards the indices and bounds of a block that call something unknown, and
/// clones the indices that are used again.
pub fn guard(block: &mut Block, names: &Names) {
    let mut guard = Guard { names, uses: HashMap::new(), counting: true };
    guard.block(block);
    guard.counting = false;
    guard.block(block);
}

struct Guard<'a> {
    names: &'a Names,
    /// How often a name that may not be copied is an index.
    uses: HashMap<Ident, usize>,
    /// Whether only to count.
    counting: bool,
}

impl Guard<'_> {
    fn block(&mut self, block: &mut Block) {
        for statement in block {
            match &mut statement.kind {
                Kind::Update { place, value, .. } => {
                    self.visit_expr_mut(place);
                    self.visit_expr_mut(value);
                }
                Kind::Bind(binding) | Kind::Unbind(binding) => {
                    self.visit_expr_mut(&mut binding.value);
                }
                Kind::Allocate(ancilla) | Kind::Release(ancilla) => {
                    self.visit_expr_mut(&mut ancilla.value);
                }
                Kind::If { arms, otherwise } => {
                    for arm in arms {
                        self.visit_expr_mut(&mut arm.pre);
                        self.visit_expr_mut(&mut arm.post);
                        self.block(&mut arm.body);
                    }
                    if let Some(block) = otherwise {
                        self.block(block);
                    }
                }
                Kind::While { pre, post, body, .. } => {
                    self.visit_expr_mut(pre);
                    self.visit_expr_mut(post);
                    self.block(body);
                }
                Kind::For { sequence, body, .. } => {
                    self.visit_sequence(sequence);
                    self.block(body);
                }
                Kind::Call(call) => {
                    call.arguments.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
                    if let Callee::Method { receiver, .. } = &mut call.callee {
                        self.visit_expr_mut(receiver);
                    }
                }
                Kind::Block(body) => self.block(body),
                Kind::Compute { .. } | Kind::Host(_) => {}
            }
        }
    }

    fn wrap(&mut self, expr: &mut Expr) {
        if let Some(name) = bare_name(expr)
            && self.names.may_move(name)
        {
            let uses = self.uses.entry(name.clone()).or_insert(0);
            *uses += usize::from(self.counting);
            if *uses > 1 && !self.counting {
                *expr = kept(expr);
            }
        } else if !self.counting && may_mutate(expr, self.names) {
            *expr = purely(expr);
        }
    }

    /// The arguments of adaptors, `.step_by(k)`, are bounds too.
    fn visit_sequence(&mut self, sequence: &mut Expr) {
        match sequence {
            Expr::MethodCall(call) => {
                self.visit_sequence(&mut call.receiver);
                for argument in &mut call.args {
                    if call.method == "zip" {
                        self.visit_sequence(argument);
                    } else {
                        self.wrap(argument);
                    }
                }
            }
            Expr::Paren(e) => self.visit_sequence(&mut e.expr),
            other => self.visit_expr_mut(other),
        }
    }
}

impl VisitMut for Guard<'_> {
    fn visit_expr_index_mut(&mut self, e: &mut syn::ExprIndex) {
        self.visit_expr_mut(&mut e.expr);
        match &mut *e.index {
            Expr::Range(range) => self.visit_expr_range_mut(range),
            index => self.wrap(index),
        }
    }

    fn visit_expr_range_mut(&mut self, range: &mut syn::ExprRange) {
        for end in [&mut range.start, &mut range.end].into_iter().flatten() {
            self.wrap(end);
        }
    }
}
