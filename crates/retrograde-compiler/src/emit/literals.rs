//! Literals of a type that nothing tells in time.
//!
//! In generic code `let mut a = 2.0;` has the type that its first use asks for: of
//! what is added to it, or of the argument that it is passed for. If it is first
//! read by a method or an operator, rustc must know its type before. It can only
//! be that of the function's numbers, if there is but one.

use super::is_made_of_literals;
use crate::ir::{Block, Kind, Operator, Statement};
use crate::optimise::shadowed;
use crate::place::{access, bare_name, identifiers};
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::visit::Visit;
use syn::{Expr, Pat};

/// The names in a block that are literals and first read by an operator or method.
pub fn untold(block: &Block) -> HashSet<Ident> {
    let mut found = HashSet::new();
    collect(block, &mut found);
    found
}

fn collect(block: &[Statement], found: &mut HashSet<Ident>) {
    for (i, statement) in block.iter().enumerate() {
        if let Some(name) = literal(&statement.kind) {
            let mut uses = Uses { names: vec![name.clone()], first: None };
            uses.block(&block[i + 1..]);
            if uses.first == Some(Use::Operand) {
                found.insert(name.clone());
            }
        }
        match &statement.kind {
            Kind::If { arms, otherwise } => {
                arms.iter().for_each(|arm| collect(&arm.body, found));
                otherwise.iter().for_each(|block| collect(block, found));
            }
            Kind::While { body, .. } | Kind::For { body, .. } | Kind::Block(body) => {
                collect(body, found);
            }
            _ => {}
        }
    }
}

/// A name of no declared type that stands for literals.
fn literal(kind: &Kind) -> Option<&Ident> {
    match kind {
        Kind::Allocate(a) if a.ty.is_none() && is_made_of_literals(&a.value) => Some(&a.name),
        Kind::Bind(binding) if is_made_of_literals(&binding.value) => match &binding.pattern {
            Pat::Ident(name) => Some(&name.ident),
            _ => None,
        },
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// Where another type tells that of the name.
    Told,
    /// By an operator or a method.
    Operand,
}

/// A search for the first use of a name, or of its shadow.
struct Uses {
    names: Vec<Ident>,
    first: Option<Use>,
}

impl Uses {
    fn has(&self, name: &Ident) -> bool {
        self.names.contains(name)
    }

    fn is_of(&self, expr: &Expr) -> bool {
        access(expr).is_some_and(|place| self.has(&place.root))
    }

    fn told(&mut self) {
        self.first.get_or_insert(Use::Told);
    }

    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            self.statement(&statement.kind);
            if self.first.is_some() {
                return;
            }
        }
    }

    fn statement(&mut self, kind: &Kind) {
        match kind {
            Kind::Update { place, operator, value } => {
                self.visit_expr(value);
                let plain = matches!(operator, Operator::Add | Operator::Subtract | Operator::Xor);
                match self.is_of(place) && plain {
                    // A literal takes the type of the place.
                    true if super::is_literal(value) => {}
                    true => self.told(),
                    false => self.visit_expr(place),
                }
            }
            Kind::Allocate(ancilla) => match shadowed(&ancilla.value) {
                Some(value) if self.has(value) => self.names.push(ancilla.name.clone()),
                _ => self.visit_expr(&ancilla.value),
            },
            Kind::Bind(binding) if self.is_of(&binding.value) => self.told(),
            Kind::Bind(binding) => self.visit_expr(&binding.value),
            Kind::Unbind(_) | Kind::Release(_) => {}
            Kind::If { arms, otherwise } => {
                for arm in arms {
                    self.visit_expr(&arm.pre);
                    self.block(&arm.body);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            Kind::While { pre, post, body, .. } => {
                self.visit_expr(post);
                self.visit_expr(pre);
                self.block(body);
            }
            Kind::For { sequence, body, .. } => {
                self.visit_expr(sequence);
                self.block(body);
            }
            Kind::Call(call) => {
                call.arguments.iter().for_each(|argument| self.argument(argument));
            }
            Kind::Block(body) => self.block(body),
            Kind::Host(host) => {
                if identifiers(&host.0).iter().any(|name| self.has(name)) {
                    self.told();
                }
            }
            Kind::Compute { .. } => unreachable!("lowered before emission"),
        }
    }

    /// What a function is passed has the type that it asks for.
    fn argument(&mut self, argument: &Expr) {
        let passed = match argument {
            Expr::Reference(e) => &*e.expr,
            other => other,
        };
        match bare_name(passed) {
            Some(name) if self.has(name) => self.told(),
            _ => self.visit_expr(argument),
        }
    }
}

impl<'e> Visit<'e> for Uses {
    fn visit_expr_path(&mut self, path: &'e syn::ExprPath) {
        if path.path.get_ident().is_some_and(|name| self.has(name)) {
            self.first.get_or_insert(Use::Operand);
        }
    }

    fn visit_expr_call(&mut self, call: &'e syn::ExprCall) {
        call.args.iter().for_each(|argument| self.argument(argument));
    }

    fn visit_expr_method_call(&mut self, call: &'e syn::ExprMethodCall) {
        self.visit_expr(&call.receiver);
        for argument in &call.args {
            if super::value::is_numeric(&call.method) {
                self.visit_expr(argument);
            } else {
                self.argument(argument);
            }
        }
    }

    fn visit_macro(&mut self, call: &'e syn::Macro) {
        if identifiers(&call.tokens).iter().any(|name| self.has(name)) {
            self.first.get_or_insert(Use::Operand);
        }
    }
}
