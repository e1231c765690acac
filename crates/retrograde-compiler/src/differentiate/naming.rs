//! Names for values that are needed more than once.

use super::build;
use super::expression::{silent, unwrapped};
use super::keep::Made;
use crate::ir::{Binding, Block, Kind as Do, Statement};
use crate::visit::VisitMut;
use proc_macro2::Ident;
use std::collections::HashMap;
use syn::Expr;

/// Puts names in the place of expressions, and declares them.
pub(super) struct Naming<'a> {
    /// Values that variables hold.
    pub known: Vec<(Expr, Ident)>,
    /// Values and the names that they get.
    pub atoms: Vec<(Expr, Ident)>,
    /// Those of them that come with what takes their gradient back.
    pub made: HashMap<Ident, Made>,
    /// The statement that it is for.
    pub at: &'a Statement,
    /// The declarations so far.
    pub declared: Block,
}

impl Naming<'_> {
    fn is_declared(&self, name: &Ident) -> bool {
        self.declared.iter().any(|statement| match &statement.kind {
            Do::Bind(b) => crate::names::pattern_names(&b.pattern).contains(name),
            _ => false,
        })
    }

    /// `value` is what stands for `original` in terms of names.
    fn declare(&mut self, original: &Expr, name: &Ident, value: Expr) {
        if let Some(made) = self.made.get(name) {
            let binding = made.declaration(name, value, &self.atoms);
            self.declared.push(silent(self.at, Do::Bind(binding)));
            return;
        }
        let (pattern, value) = match (self.partner(original), value) {
            (Some((sin, cos)), Expr::MethodCall(call)) => {
                let pattern =
                    build::tuple_pattern(vec![build::pattern(&sin), build::pattern(&cos)]);
                (pattern, build::method(*call.receiver, "sin_cos", Vec::new()))
            }
            (_, value) => (build::pattern(name), value),
        };
        let binding = Binding { pattern, value, verify: false };
        self.declared.push(silent(self.at, Do::Bind(binding)));
    }

    /// The names of sine and cosine, where both are needed.
    fn partner(&self, expr: &Expr) -> Option<(Ident, Ident)> {
        let Expr::MethodCall(call) = expr else { return None };
        if !call.args.is_empty() || !(call.method == "sin" || call.method == "cos") {
            return None;
        }
        let named = |name: &str| {
            let function = build::method((*call.receiver).clone(), name, Vec::new());
            let function = normal(&function);
            self.atoms.iter().find(|(known, _)| *known == function).map(|(_, n)| n.clone())
        };
        Some((named("sin")?, named("cos")?))
    }
}

/// Without parentheses, which the tree does not need.
pub(super) fn normal(expr: &Expr) -> Expr {
    struct Strip;
    impl VisitMut for Strip {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            while let Expr::Paren(_) | Expr::Group(_) = expr {
                *expr = unwrapped(expr).clone();
            }
            crate::visit::visit_expr_mut(self, expr);
        }
    }
    let mut expr = expr.clone();
    Strip.visit_expr_mut(&mut expr);
    expr
}

impl VisitMut for Naming<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if self.atoms.is_empty() && self.known.is_empty() {
            return;
        }
        let original = normal(expr);
        let atom = self.atoms.iter().find(|(known, _)| *known == original);
        let atom = atom.map(|(_, name)| name.clone());
        let made = atom.as_ref().is_some_and(|name| self.made.contains_key(name));
        let held = self.known.iter().find(|(known, _)| *known == original);
        if let Some((_, name)) = held.filter(|_| !made) {
            *expr = build::name(name);
            return;
        }
        // What branches and blocks need is named inside of them.
        if !matches!(expr, Expr::If(_) | Expr::Block(_)) {
            crate::visit::visit_expr_mut(self, expr);
        }
        if let Some(name) = atom {
            if !self.is_declared(&name) {
                self.declare(&original, &name, expr.clone());
            }
            *expr = build::name(&name);
        }
    }
}
