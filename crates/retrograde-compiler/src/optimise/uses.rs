//! Collects what the passes of a loop use.

use super::indices::{IndexLoop, Usage};
use crate::effects::{handed_on, lent_names};
use crate::ir::{Block, Callee, Kind, Statement};
use crate::names::Mode;
use crate::place::{Access, access, identifiers, lends};
use crate::visit::{self, Visit};
use proc_macro2::TokenStream;
use syn::{BinOp, Expr, UnOp};

impl Usage<'_> {
    /// Adds what a block uses.
    pub(super) fn collect(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            Kind::Update { place, value, .. } => {
                self.borrow(place, true);
                self.visit_expr(value);
            }
            Kind::Bind(binding) => self.hand_on(&binding.value),
            Kind::Unbind(binding) if binding.verify => self.visit_expr(&binding.value),
            Kind::Allocate(ancilla) => self.visit_expr(&ancilla.value),
            Kind::Release(ancilla) if ancilla.verify => self.visit_expr(&ancilla.value),
            Kind::Unbind(_) | Kind::Release(_) => {}
            Kind::If { arms, otherwise } => {
                self.visit_expr(&arms[0].pre);
                self.perhaps(|usage| {
                    for arm in arms {
                        usage.visit_expr(&arm.pre);
                        usage.visit_expr(&arm.post);
                        usage.collect(&arm.body);
                    }
                    otherwise.iter().for_each(|block| usage.collect(block));
                });
            }
            Kind::While { pre, post, body, .. } => self.perhaps(|usage| {
                usage.visit_expr(pre);
                usage.visit_expr(post);
                usage.collect(body);
            }),
            Kind::For { sequence, body, .. } => {
                self.hand_on(sequence);
                if IndexLoop::of(statement).and_then(|looped| looped.passes()) > Some(0) {
                    self.collect(body);
                } else {
                    self.perhaps(|usage| usage.collect(body));
                }
            }
            Kind::Call(call) => {
                if let Callee::Method { receiver, .. } = &call.callee {
                    let shared = access(receiver)
                        .is_some_and(|place| self.names.mode(&place.root) == Mode::Shared);
                    self.borrow(receiver, !shared);
                }
                call.arguments.iter().for_each(|argument| self.hand_on(argument));
            }
            Kind::Block(body) => self.collect(body),
            Kind::Host(host) => self.tokens(&host.0),
            Kind::Compute { .. } => unreachable!("lowered before"),
        }
    }

    /// What not every pass does.
    fn perhaps(&mut self, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.certain, false);
        visit(self);
        self.certain = before;
    }

    /// A place that is read, or may be written.
    fn borrow(&mut self, place: &Expr, written: bool) {
        let before = std::mem::replace(&mut self.written, written);
        self.visit_expr(place);
        self.written = before;
    }

    /// An expression whose value is used as it is: a mutable reference is given on.
    fn hand_on(&mut self, expr: &Expr) {
        for name in handed_on(expr).iter().chain(&lent_names(expr)) {
            if matches!(self.names.mode(name), Mode::Mutable | Mode::Unknown) {
                self.others.push((Access::whole(name), true));
            }
        }
        let place = access(expr).filter(|_| !matches!(expr, Expr::Reference(_)));
        let holds = place.is_some_and(|place| self.names.holds_references(&place.root));
        self.borrow(expr, holds);
    }

    /// What is not looked into may do anything.
    fn tokens(&mut self, tokens: &TokenStream) {
        self.others.extend(identifiers(tokens).iter().map(|name| (Access::whole(name), true)));
    }

    /// A place as a whole, and what its indices read.
    fn place(&mut self, expr: &Expr) {
        if let Some(found) = self.find(expr) {
            self.borrow(&found.index, false);
            self.indices(&found.container);
            self.uses.push(found);
            return;
        }
        match expr {
            Expr::Paren(e) => self.place(&e.expr),
            Expr::Group(e) => self.place(&e.expr),
            Expr::Unary(e) => self.place(&e.expr),
            Expr::Field(e) if contains_use(self, &e.base) => self.place(&e.base),
            Expr::Index(e) if contains_use(self, &e.expr) => {
                self.place(&e.expr);
                self.borrow(&e.index, false);
            }
            other => match access(other) {
                Some(place) => {
                    self.indices(other);
                    self.others.push((place, self.written));
                }
                None => visit::visit_expr(self, other),
            },
        }
    }

    /// The indices of a place.
    fn indices(&mut self, place: &Expr) {
        match place {
            Expr::Paren(e) => self.indices(&e.expr),
            Expr::Group(e) => self.indices(&e.expr),
            Expr::Unary(e) => self.indices(&e.expr),
            Expr::Field(e) => self.indices(&e.base),
            Expr::Index(e) => {
                self.indices(&e.expr);
                self.borrow(&e.index, false);
            }
            Expr::MethodCall(e) => {
                self.indices(&e.receiver);
                e.args.iter().for_each(|argument| self.borrow(argument, false));
            }
            Expr::Call(e) => e.args.iter().for_each(|argument| self.hand_on(argument)),
            _ => {}
        }
    }
}

/// Whether a place is in an element that is one further in every pass.
fn contains_use(usage: &Usage, place: &Expr) -> bool {
    usage.find(place).is_some()
        || match place {
            Expr::Paren(e) => contains_use(usage, &e.expr),
            Expr::Group(e) => contains_use(usage, &e.expr),
            Expr::Unary(e) => contains_use(usage, &e.expr),
            Expr::Field(e) => contains_use(usage, &e.base),
            Expr::Index(e) => contains_use(usage, &e.expr),
            _ => false,
        }
}

impl Visit<'_> for Usage<'_> {
    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => self.place(expr),
            Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => self.place(expr),
            Expr::Reference(e) => self.borrow(&e.expr, e.mutability.is_some()),
            Expr::MethodCall(e) => {
                self.borrow(&e.receiver, lends(&e.method.to_string()));
                e.args.iter().for_each(|argument| self.hand_on(argument));
            }
            Expr::Call(e) => e.args.iter().for_each(|argument| self.hand_on(argument)),
            Expr::Binary(e) if matches!(e.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.visit_expr(&e.left);
                self.perhaps(|usage| usage.visit_expr(&e.right));
            }
            Expr::If(e) => {
                self.visit_expr(&e.cond);
                self.perhaps(|usage| {
                    usage.visit_block(&e.then_branch);
                    e.else_branch.iter().for_each(|(_, e)| usage.visit_expr(e));
                });
            }
            Expr::Match(_) | Expr::Closure(_) | Expr::While(_) | Expr::ForLoop(_) => {
                self.perhaps(|usage| visit::visit_expr(usage, expr));
            }
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_macro(&mut self, call: &syn::Macro) {
        self.tokens(&call.tokens);
    }
}
