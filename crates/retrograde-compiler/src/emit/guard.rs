//! Indices and bounds may only read. They stand inside of places, which cannot
//! be evaluated in a closure as values are, so they get a closure of their own.

use super::value::{may_mutate, purely};
use crate::ir::{Block, Callee, Kind};
use crate::names::Names;
use syn::Expr;
use syn::visit_mut::VisitMut;

/// Guards the indices and bounds of a block that call something unknown.
pub fn guard(block: &mut Block, names: &Names) {
    let mut guard = Guard { names };
    for statement in block {
        match &mut statement.kind {
            Kind::Update { place, value, .. } => {
                guard.visit_expr_mut(place);
                guard.visit_expr_mut(value);
            }
            Kind::Bind(binding) | Kind::Unbind(binding) => guard.visit_expr_mut(&mut binding.value),
            Kind::Allocate(ancilla) | Kind::Release(ancilla) => {
                guard.visit_expr_mut(&mut ancilla.value);
            }
            Kind::If { arms, otherwise } => {
                for arm in arms {
                    guard.visit_expr_mut(&mut arm.pre);
                    guard.visit_expr_mut(&mut arm.post);
                    self::guard(&mut arm.body, names);
                }
                if let Some(block) = otherwise {
                    self::guard(block, names);
                }
            }
            Kind::While { pre, post, body, .. } => {
                guard.visit_expr_mut(pre);
                guard.visit_expr_mut(post);
                self::guard(body, names);
            }
            Kind::For { sequence, body, .. } => {
                guard.visit_sequence(sequence);
                self::guard(body, names);
            }
            Kind::Call(call) => {
                call.arguments.iter_mut().for_each(|argument| guard.visit_expr_mut(argument));
                if let Callee::Method { receiver, .. } = &mut call.callee {
                    guard.visit_expr_mut(receiver);
                }
            }
            Kind::Block(body) => self::guard(body, names),
            Kind::Compute { .. } | Kind::Host(_) => {}
        }
    }
}

struct Guard<'a> {
    names: &'a Names,
}

impl Guard<'_> {
    fn wrap(&self, expr: &mut Expr) {
        if may_mutate(expr, self.names) {
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
