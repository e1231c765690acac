//! Literals of a type that nothing tells in time.
//!
//! In generic code `let mut a = 2.0;` has the type that its first use asks for: of
//! what is added to it, or of the argument that it is passed for. If it is first
//! read by a method or an operator, rustc must know its type before. It can only
//! be that of the function's numbers, if there is but one; and without type parameters
//! that of literals.
//!
//! Where there is no such parameter, `let h = 0.5;` is converted where it is used.

use super::value::{is_arithmetic, is_comparison, is_numeric};
use super::{is_call_of, is_made_of_literals};
use crate::differentiate::claim;
use crate::ir::{Block, Callee, Kind, Operator, Statement};
use crate::names::{Names, pattern_names};
use crate::optimise::shadowed;
use crate::place::{access, bare_name, identifiers, is_shape};
use crate::text::{filled_vector, is_one_of};
use crate::visit::Visit;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::{Expr, Lit, Pat, Stmt, UnOp};

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
pub fn untold(block: &Block, known: Known, names: &Names) -> HashSet<Ident> {
    let mut search = Untold { known, names, found: HashSet::new(), plain: HashSet::new() };
    search.block(block);
    search.found
}

struct Untold<'a> {
    known: Known,
    names: &'a Names,
    found: HashSet<Ident>,
    /// Those, and names of what is made of nothing else: they tell no type.
    plain: HashSet<Ident>,
}

/// The names of `let`s that stand for literals, or for a choice between such: those that are
/// declared inside of expressions, and by statements if no type parameter tells their type.
pub fn literal_names(block: &Block, by_statements: bool) -> HashSet<Ident> {
    let mut found = Constants { by_statements, ..Constants::default() };
    found.block(block);
    found.only()
}

/// The same, of a block that is an expression.
pub fn literal_names_inside(block: &syn::Block) -> HashSet<Ident> {
    let mut found = Constants::default();
    found.visit_block(block);
    found.only()
}

/// Whether what has a name is taken apart: what its parts are, rustc asks there.
pub fn is_taken_apart(name: &Ident, statements: &[syn::Stmt]) -> bool {
    struct Parts<'a>(&'a Ident, bool);
    impl<'e> Visit<'e> for Parts<'_> {
        fn visit_expr(&mut self, expr: &'e Expr) {
            self.1 |= access(expr).is_some_and(|a| a.root == *self.0 && !a.path.is_empty());
            crate::visit::visit_expr(self, expr);
        }
    }
    let mut parts = Parts(name, false);
    statements.iter().for_each(|statement| parts.visit_stmt(statement));
    parts.1
}

/// The functions of the library that give what a branch or block has kept.
const KEPT: [&str; 2] = ["kept", "taken"];

#[derive(Default)]
struct Constants {
    by_statements: bool,
    literals: HashSet<Ident>,
    others: HashSet<Ident>,
}

impl Constants {
    fn only(mut self) -> HashSet<Ident> {
        self.literals.retain(|name| !self.others.contains(name));
        self.literals
    }

    /// Takes note of what a pattern declares. `is_one`: whether a literal is one by this alone.
    fn declare(&mut self, pattern: &Pat, value: Option<&Expr>, is_one: bool) {
        let literal = |value: &Expr| is_choice_or(value, &|name| self.literals.contains(name));
        match pattern {
            Pat::Ident(name) if name.mutability.is_none() && value.is_some_and(literal) => {
                if is_one {
                    self.literals.insert(name.ident.clone());
                }
            }
            // What was kept comes back as it was declared.
            _ if value.is_some_and(|value| KEPT.iter().any(|k| is_call_of(value, k))) => {}
            pattern => self.others.extend(pattern_names(pattern)),
        }
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            statement.own_expressions().into_iter().for_each(|expr| self.visit_expr(expr));
            match &statement.kind {
                Kind::Bind(binding) | Kind::Unbind(binding) => {
                    self.declare(&binding.pattern, Some(&binding.value), self.by_statements);
                }
                Kind::Allocate(ancilla) | Kind::Release(ancilla) => {
                    self.others.insert(ancilla.name.clone());
                }
                Kind::For { pattern, .. } => self.others.extend(pattern_names(pattern)),
                _ => {}
            }
            statement.blocks().into_iter().for_each(|inner| self.block(inner));
        }
    }
}

impl<'e> Visit<'e> for Constants {
    fn visit_local(&mut self, local: &'e syn::Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
        }
        self.declare(&local.pat, local.init.as_ref().map(|init| &*init.expr), true);
    }

    fn visit_pat(&mut self, pattern: &'e Pat) {
        self.others.extend(pattern_names(pattern));
    }

    fn visit_item(&mut self, _: &'e syn::Item) {}
}

impl Untold<'_> {
    fn block(&mut self, block: &[Statement]) {
        for (i, statement) in block.iter().enumerate() {
            if let Some(name) = self.literal(&statement.kind) {
                let mut uses = Uses { names: vec![name.clone()], all: self, first: None };
                uses.block(&block[i + 1..]);
                let asked = match uses.first {
                    // One use tells of one part.
                    _ if self.known == Known::Plain && is_tuple(&statement.kind) => true,
                    Some(Use::Asked) => true,
                    Some(Use::Compared) => self.known != Known::Nothing,
                    _ => false,
                };
                if asked {
                    self.found.insert(name.clone());
                    self.plain.insert(name.clone());
                }
            } else if let Kind::Bind(binding) = &statement.kind
                && self.is_plain(&binding.value)
            {
                self.plain.extend(pattern_names(&binding.pattern));
            }
            statement.blocks().into_iter().for_each(|inner| self.block(inner));
        }
    }

    /// A name of no declared type that stands for literals.
    fn literal<'k>(&self, kind: &'k Kind) -> Option<&'k Ident> {
        // What a function is passed has the type that it asks for, `T::from_f64(2.0)`.
        let is_literals = |value: &Expr| match self.known {
            Known::Parameter => is_made_of_literals(value, self.names),
            _ => is_literals(value, self.names),
        };
        match kind {
            Kind::Allocate(a) if a.ty.is_none() && is_literals(&a.value) => Some(&a.name),
            Kind::Bind(binding) if is_literals(&binding.value) => match &binding.pattern {
                Pat::Ident(name) => Some(&name.ident),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a value is made of literals and of names that are found, which tells no type.
    fn is_plain(&self, value: &Expr) -> bool {
        match value {
            Expr::Paren(e) => self.is_plain(&e.expr),
            Expr::Unary(e) => self.is_plain(&e.expr),
            Expr::Binary(e) => self.is_plain(&e.left) && self.is_plain(&e.right),
            Expr::Index(e) => self.is_plain(&e.expr),
            Expr::Field(e) => self.is_plain(&e.base),
            Expr::MethodCall(e) => {
                is_numeric(&e.method)
                    && self.is_plain(&e.receiver)
                    && e.args.iter().all(|argument| self.is_plain(argument))
            }
            other => {
                bare_name(other).is_some_and(|name| self.plain.contains(name))
                    || is_made_of_literals(other, self.names)
            }
        }
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
fn is_literals(value: &Expr, names: &Names) -> bool {
    let is_made_of_literals = |value: &Expr| is_made_of_literals(value, names);
    if let Some((_, about)) = claim(value) {
        return is_literals(about, names);
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
            Some((element, _)) => is_literals(&element, names),
            None => is_made_of_literals(value),
        },
        Expr::Tuple(e) => e.elems.iter().all(|part| is_literals(part, names)),
        other => is_made_of_literals(other),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// Where another type tells that of the name.
    Told,
    /// Beside another one, which may have another type.
    Compared,
    /// As an operand, or by a method: rustc asks for the type.
    Asked,
}

/// A search for the first use of a name, or of its shadow.
struct Uses<'a> {
    names: Vec<Ident>,
    all: &'a Untold<'a>,
    first: Option<Use>,
}

impl Uses<'_> {
    fn has(&self, name: &Ident) -> bool {
        self.names.contains(name)
    }

    fn is_of(&self, expr: &Expr) -> bool {
        access(expr).is_some_and(|place| self.has(&place.root))
    }

    fn is_shape(&self, call: &syn::ExprMethodCall) -> bool {
        self.is_of(&call.receiver) && is_shape(&call.method.to_string())
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
                    true if self.all.is_plain(value) => {}
                    true => self.told(),
                    false => self.visit_expr(place),
                }
            }
            Kind::Allocate(ancilla) => match shadowed(&ancilla.value) {
                Some(value) if self.has(value) => self.names.push(ancilla.name.clone()),
                _ => self.visit_expr(&ancilla.value),
            },
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

impl<'e> Visit<'e> for Uses<'_> {
    fn visit_expr_path(&mut self, path: &'e syn::ExprPath) {
        if path.path.get_ident().is_some_and(|name| self.has(name)) {
            self.first.get_or_insert(Use::Asked);
        }
    }

    fn visit_expr_binary(&mut self, e: &'e syn::ExprBinary) {
        for side in [&e.left, &e.right] {
            match bare_name(side) {
                Some(name) if is_comparison(&e.op) && self.has(name) => {
                    self.first.get_or_insert(Use::Compared);
                }
                _ => self.visit_expr(side),
            }
        }
    }

    fn visit_expr_call(&mut self, call: &'e syn::ExprCall) {
        let steps = matches!(&*call.func, Expr::Path(path) if path.path.leading_colon.is_some()
            && path.path.segments.last().is_some_and(|last| last.ident == "into_iter"));
        for argument in &call.args {
            // What is stepped through has no type by that.
            if steps { self.visit_expr(argument) } else { self.argument(argument) }
        }
    }

    fn visit_expr_method_call(&mut self, call: &'e syn::ExprMethodCall) {
        // How many there are does not depend on what they are.
        if !self.is_shape(call) {
            self.visit_expr(&call.receiver);
        }
        for argument in &call.args {
            if is_numeric(&call.method) {
                self.visit_expr(argument)
            } else {
                self.argument(argument)
            }
        }
    }

    fn visit_macro(&mut self, call: &'e syn::Macro) {
        if identifiers(&call.tokens).iter().any(|name| self.has(name)) {
            self.first.get_or_insert(Use::Compared);
        }
    }
}

/// The constants of `std::f64::consts` that code usually imports by name.
const CONSTANTS: [&str; 16] = [
    "PI",
    "TAU",
    "SQRT_2",
    "LN_2",
    "LN_10",
    "LOG2_E",
    "LOG10_E",
    "LOG2_10",
    "LOG10_2",
    "FRAC_PI_2",
    "FRAC_PI_3",
    "FRAC_PI_4",
    "FRAC_PI_6",
    "FRAC_PI_8",
    "FRAC_1_SQRT_2",
    "FRAC_2_SQRT_PI",
];

/// A float literal or constant, or an expression of nothing else. What has a suffix has
/// the type that it says.
pub fn is_literal(expr: &Expr) -> bool {
    is_literal_or(expr, &|_| false)
}

/// A literal, where some names are known to stand for such.
pub fn is_literal_or(expr: &Expr, known: &dyn Fn(&syn::Ident) -> bool) -> bool {
    is_literal_of(expr, known, false)
}

/// A literal, or what chooses between such: `if … { 0.5 } else { 2.0 }`.
pub fn is_choice_or(expr: &Expr, known: &dyn Fn(&syn::Ident) -> bool) -> bool {
    is_literal_of(expr, known, true)
}

fn is_literal_of(expr: &Expr, known: &dyn Fn(&syn::Ident) -> bool, choices: bool) -> bool {
    let literal = |expr: &Expr| is_literal_of(expr, known, choices);
    // Between declarations and its value nothing is done.
    let block = |block: &syn::Block| match block.stmts.split_last() {
        Some((Stmt::Expr(value, None), declarations)) => {
            literal(value) && declarations.iter().all(|s| matches!(s, Stmt::Local(_)))
        }
        _ => false,
    };
    match expr {
        Expr::If(e) if choices => {
            block(&e.then_branch) && e.else_branch.as_ref().is_some_and(|(_, e)| literal(e))
        }
        Expr::Block(e) if choices && e.label.is_none() => block(&e.block),
        Expr::Path(e) => {
            let consts = e.path.segments.iter().any(|s| s.ident == "consts");
            let name = e.path.get_ident();
            consts || name.is_some_and(|name| is_one_of(name, &CONSTANTS) || known(name))
        }
        Expr::Lit(e) => matches!(&e.lit, Lit::Float(value) if value.suffix().is_empty()),
        Expr::Paren(e) => literal(&e.expr),
        Expr::Unary(e) => matches!(e.op, UnOp::Neg(_)) && literal(&e.expr),
        Expr::Binary(e) => is_arithmetic(&e.op) && literal(&e.left) && literal(&e.right),
        Expr::MethodCall(e) => literal(&e.receiver) && e.args.iter().all(literal),
        _ => false,
    }
}
