//! What no pass of a loop changes is read before it.
//!
//! In `for (d_x, x) in … { *d_x += *d_y * *x; }`, where `d_y` is an element that an
//! outer loop lends, nobody but us knows that a pass does not write `d_y` through
//! `d_x`. A compiler reads it again in every pass, and cannot put passes side by
//! side. A number that is held in a variable has no such trouble.

use crate::differentiate::is_library;
use crate::effects;
use crate::ir::{Ancilla, Binding, Block, Kind, Statement};
use crate::kinds::Kinds;
use crate::names::{Mode, Names};
use crate::place::{Access, Overlap, bare_name};
use crate::visit::Visit;
use crate::visit::{self, VisitMut};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::{Expr, Pat, UnOp, parse_quote};

/// Reads before the loops of a block what they do not change.
pub fn hoist(block: &mut Block, kinds: &Kinds, names: &Names) {
    let mut pass = Hoisting { names, kinds: kinds.clone(), elements: Vec::new(), count: 0 };
    pass.block(block);
}

struct Hoisting<'a> {
    names: &'a Names,
    kinds: Kinds,
    /// The variables of the loops around that are references.
    elements: Vec<Ident>,
    count: usize,
}

impl Hoisting<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut position = 0;
        while position < block.len() {
            super::declare(&mut self.kinds, &block[position]);
            let mut before = Block::new();
            if matches!(block[position].kind, Kind::For { .. }) {
                before = self.hoisted(&mut block[position]);
            }
            match &mut block[position].kind {
                Kind::If { arms, otherwise } => {
                    arms.iter_mut().for_each(|arm| self.block(&mut arm.body));
                    otherwise.iter_mut().for_each(|block| self.block(block));
                }
                Kind::While { body, .. } | Kind::Block(body) => self.block(body),
                Kind::For { pattern, body, .. } => {
                    let outside = self.elements.len();
                    self.elements.extend(references(pattern));
                    self.block(body);
                    self.elements.truncate(outside);
                }
                _ => {}
            }
            let read = before.len();
            block.splice(position..position, before);
            position += read + 1;
        }
    }

    /// What a loop reads of the elements around it and does not change, read before.
    fn hoisted(&mut self, repeat: &mut Statement) -> Block {
        let mut numbers = self.elements.clone();
        numbers.retain(|name| {
            matches!(self.names.mode(name), Mode::Shared | Mode::Mutable)
                && self.kinds.name(name).is_number()
        });
        if numbers.is_empty() {
            return Block::new();
        }
        let effects = effects::of(repeat, self.names);
        let kept = numbers.iter().filter(|name| {
            let own = Access::whole(name);
            let writes = &effects.writes;
            let apart = |w: &effects::Write| self.names.overlap(&w.access, &own) == Overlap::Never;
            !effects.host && !writes.is_empty() && writes.iter().all(apart)
        });
        let mut before = Block::new();
        for name in kept {
            let held = format_ident!("__held_{}", self.count, span = Span::mixed_site());
            let mut held = Held { name, held, found: false };
            let Kind::For { body, .. } = &mut repeat.kind else { continue };
            held.block(body);
            if held.found {
                let (held, value) = (held.variable(), parse_quote!(*#name));
                let binding = Binding { pattern: parse_quote!(#held), value, verify: false };
                let kind = Kind::Bind(binding);
                before.push(Statement { generated: true, ..repeat.with(kind) });
                self.count += 1;
            }
        }
        before
    }
}

/// The names that a loop binds to elements where they are.
fn references(pattern: &Pat) -> Vec<Ident> {
    struct References(Vec<Ident>);
    impl Visit<'_> for References {
        fn visit_pat_ident(&mut self, name: &syn::PatIdent) {
            self.0.push(name.ident.clone());
        }
        // `&x` is a copy.
        fn visit_pat_reference(&mut self, _: &syn::PatReference) {}
    }
    let mut references = References(Vec::new());
    references.visit_pat(pattern);
    references.0
}

/// Replaces the number behind a reference by a variable that holds it.
struct Held<'a> {
    name: &'a Ident,
    held: Ident,
    found: bool,
}

impl Held<'_> {
    fn block(&mut self, block: &mut Block) {
        for statement in block {
            match &mut statement.kind {
                Kind::Update { value, .. }
                | Kind::Bind(Binding { value, .. })
                | Kind::Allocate(Ancilla { value, .. }) => self.visit_expr_mut(value),
                Kind::If { arms, otherwise } => {
                    arms.iter_mut().for_each(|arm| self.block(&mut arm.body));
                    otherwise.iter_mut().for_each(|block| self.block(block));
                }
                Kind::While { body, .. } | Kind::For { body, .. } | Kind::Block(body) => {
                    self.block(body);
                }
                _ => {}
            }
        }
    }

    fn variable(&self) -> syn::ExprPath {
        syn::ExprPath { attrs: Vec::new(), qself: None, path: self.held.clone().into() }
    }

    fn is_name(&self, expr: &Expr) -> bool {
        bare_name(expr) == Some(self.name)
    }
}

impl VisitMut for Held<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) && self.is_name(&e.expr) => {
                self.found = true;
                *expr = Expr::Path(self.variable());
            }
            // Rules take references.
            Expr::Call(call) if is_library(&Expr::Call(call.clone())) => {
                for argument in &mut call.args {
                    if self.is_name(argument) {
                        self.found = true;
                        let held = self.variable();
                        *argument = parse_quote!(&#held);
                    } else {
                        self.visit_expr_mut(argument);
                    }
                }
            }
            // A function takes the number itself, in every pass.
            Expr::Call(call) => {
                for argument in &mut call.args {
                    match &*argument {
                        Expr::Unary(e)
                            if matches!(e.op, UnOp::Deref(_)) && self.is_name(&e.expr) =>
                        {
                            self.found = true;
                            let held = self.variable();
                            *argument = parse_quote!(::core::clone::Clone::clone(&#held));
                        }
                        _ => self.visit_expr_mut(argument),
                    }
                }
            }
            other => visit::visit_expr_mut(self, other),
        }
    }
}
