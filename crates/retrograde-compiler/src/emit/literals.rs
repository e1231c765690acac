//! Literals of a type that nothing tells in time.
//!
//! In generic code `let mut a = 2.0;` has the type that its first use asks for: of
//! what is added to it, or of the argument that it is passed for. If it is first
//! read by a method or an operator, rustc must know its type before. It can only
//! be that of the function's numbers, if there is but one; and without type parameters
//! that of literals.
//!
//! Where there is no such parameter, `let h = 0.5;` is converted where it is used.

use super::is_made_of_literals;
use super::value::{is_comparison, is_literal_or};
use crate::differentiate::claim;
use crate::ir::{Block, Callee, Kind, Operator, Statement};
use crate::names::pattern_names;
use crate::optimise::shadowed;
use crate::place::{access, bare_name, identifiers, is_shape};
use crate::text::filled_vector;
use crate::visit::Visit;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::{Expr, Pat};

/// What is known of the type of literals.
#[derive(Clone, Copy, PartialEq)]
pub enum Known {
    /// It is that of the one type parameter for numbers.
    Parameter,
    /// No type parameter is in sight or out of it.
    Plain,
    /// Nothing: the parameters of an `impl` are out of sight.
    Nothing,
}

/// The names in a block that are literals and first read by an operator or method. Where
/// nothing is known of their type, only those that rustc asks for the type of then.
pub fn untold(block: &Block, known: Known) -> HashSet<Ident> {
    let mut found = HashSet::new();
    collect(block, known, &mut found);
    found
}

/// The names of `let`s that stand for literals, wherever they are declared.
pub fn literal_names(block: &Block) -> HashSet<Ident> {
    let mut found = Constants::default();
    found.block(block);
    found.literals.retain(|name| !found.others.contains(name));
    found.literals
}

#[derive(Default)]
struct Constants {
    literals: HashSet<Ident>,
    others: HashSet<Ident>,
}

impl Constants {
    fn block(&mut self, block: &Block) {
        for statement in block {
            match &statement.kind {
                Kind::Bind(binding) | Kind::Unbind(binding) => match &binding.pattern {
                    Pat::Ident(name)
                        if is_literal_or(&binding.value, &|n| self.literals.contains(n)) =>
                    {
                        self.literals.insert(name.ident.clone());
                    }
                    pattern => self.others.extend(pattern_names(pattern)),
                },
                Kind::Allocate(ancilla) | Kind::Release(ancilla) => {
                    self.others.insert(ancilla.name.clone());
                }
                Kind::If { arms, otherwise } => {
                    arms.iter().for_each(|arm| self.block(&arm.body));
                    otherwise.iter().for_each(|block| self.block(block));
                }
                Kind::For { pattern, body, .. } => {
                    self.others.extend(pattern_names(pattern));
                    self.block(body);
                }
                Kind::While { body, .. } | Kind::Block(body) => self.block(body),
                Kind::Compute { compute, body } => {
                    self.block(compute);
                    self.block(body);
                }
                _ => {}
            }
        }
    }
}

fn collect(block: &[Statement], known: Known, found: &mut HashSet<Ident>) {
    for (i, statement) in block.iter().enumerate() {
        if let Some(name) = literal(&statement.kind, known) {
            let mut uses = Uses { names: vec![name.clone()], first: None };
            uses.block(&block[i + 1..]);
            let asked = match uses.first {
                // One use tells of one part.
                _ if known == Known::Plain && is_tuple(&statement.kind) => true,
                Some(Use::Left) => true,
                Some(Use::Operand) => known != Known::Nothing,
                _ => false,
            };
            if asked {
                found.insert(name.clone());
            }
        }
        match &statement.kind {
            Kind::If { arms, otherwise } => {
                arms.iter().for_each(|arm| collect(&arm.body, known, found));
                otherwise.iter().for_each(|block| collect(block, known, found));
            }
            Kind::While { body, .. } | Kind::For { body, .. } | Kind::Block(body) => {
                collect(body, known, found);
            }
            _ => {}
        }
    }
}

/// A name of no declared type that stands for literals.
fn literal(kind: &Kind, known: Known) -> Option<&Ident> {
    // What a function is passed has the type that it asks for, `T::from_f64(2.0)`.
    let is_literals = if known == Known::Parameter { is_made_of_literals } else { is_literals };
    match kind {
        Kind::Allocate(a) if a.ty.is_none() && is_literals(&a.value) => Some(&a.name),
        Kind::Bind(binding) if is_literals(&binding.value) => match &binding.pattern {
            Pat::Ident(name) => Some(&name.ident),
            _ => None,
        },
        _ => None,
    }
}

fn is_tuple(kind: &Kind) -> bool {
    match kind {
        Kind::Allocate(ancilla) => matches!(ancilla.value, Expr::Tuple(_)),
        Kind::Bind(binding) => matches!(binding.value, Expr::Tuple(_)),
        _ => false,
    }
}

/// Literals, also as the parts of a value: `Complex::new(0.0, 1.0)`.
fn is_literals(value: &Expr) -> bool {
    if let Some((_, about)) = claim(value) {
        return is_literals(about);
    }
    match value {
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => {
                Callee::is_associated(path)
                    && !call.args.is_empty()
                    && call.args.iter().all(is_made_of_literals)
            }
            _ => false,
        },
        Expr::Macro(e) => match filled_vector(&e.mac) {
            Some((element, _)) => is_literals(&element),
            None => is_made_of_literals(value),
        },
        Expr::Tuple(e) => e.elems.iter().all(is_literals),
        other => is_made_of_literals(other),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// Where another type tells that of the name.
    Told,
    /// By an operator or a method.
    Operand,
    /// As the left operand, or what a method is called on.
    Left,
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
    fn visit_expr(&mut self, expr: &'e Expr) {
        // The value of an element is what a method gives.
        if matches!(expr, Expr::Index(_)) && self.is_of(expr) {
            self.first.get_or_insert(Use::Left);
        }
        crate::visit::visit_expr(self, expr);
    }

    fn visit_expr_path(&mut self, path: &'e syn::ExprPath) {
        if path.path.get_ident().is_some_and(|name| self.has(name)) {
            self.first.get_or_insert(Use::Operand);
        }
    }

    fn visit_expr_binary(&mut self, e: &'e syn::ExprBinary) {
        if self.is_of(&e.left) && !is_comparison(&e.op) {
            self.first.get_or_insert(Use::Left);
        }
        crate::visit::visit_expr_binary(self, e);
    }

    fn visit_expr_call(&mut self, call: &'e syn::ExprCall) {
        call.args.iter().for_each(|argument| self.argument(argument));
    }

    fn visit_expr_method_call(&mut self, call: &'e syn::ExprMethodCall) {
        if self.is_of(&call.receiver) && !is_shape(&call.method.to_string()) {
            self.first.get_or_insert(Use::Left);
        }
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
