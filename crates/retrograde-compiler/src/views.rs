//! Views of elements beside which others of the same container are used:
//! `let now = &path[k]; path[k + 1].x += now.v * dt;`.
//!
//! Rust borrows all of `path` for `now`. But the view is only another name for an element
//! whose index does not change: here the element itself is put in its place, so that
//! indices tell what is apart, or a check at run time does.

use crate::diagnostics::Diagnostics;
use crate::effects;
use crate::hoist::are_fields_apart;
use crate::ir::{Binding, Block, Callee, Kind, Statement};
use crate::names::{Names, pattern_names};
use crate::place::{Access, Overlap, Step, access, bare_name, identifiers, reads_of_place};
use crate::text;
use crate::visit::Visit;
use crate::visit::{self, VisitMut};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::HashSet;
use syn::{Expr, Pat, Stmt, parse_quote};

/// Resolves the views of a block that Rust would not allow as they are; tells whether
/// there was one. Those that are `constants` stay: what stands in their place carries a gradient.
pub fn resolve(
    block: &mut Block,
    names: &Names,
    constants: &HashSet<Ident>,
    diagnostics: &mut Diagnostics,
) -> bool {
    let mut any = false;
    let mut at = 0;
    while at < block.len() {
        if let Some(view) = View::of(&block[at])
            && view.is_disturbed(&block[at + 1..], names)
        {
            let constant = constants.contains(&view.name);
            if !constant && view.can_be_resolved(&block[at + 1..], names) {
                let mut rest = block.split_off(at + 1);
                block.pop();
                rest.retain(|statement| !view.ends_with(statement));
                let resolve = &mut |expr: &mut Expr| Resolve(&view).visit_expr_mut(expr);
                rest.iter_mut().for_each(|statement| statement.each_expression(resolve));
                block.extend(rest);
                any = true;
                continue;
            }
            view.report(&block[at + 1..], names, constant, diagnostics);
        }
        for inner in block[at].blocks_mut() {
            any |= resolve(inner, names, constants, diagnostics);
        }
        at += 1;
    }
    any
}

/// `let name = &place;` or `let name = &mut place;`
struct View {
    name: Ident,
    place: Expr,
    access: Access,
    mutable: bool,
    binding: Binding,
    line: usize,
}

impl View {
    fn of(statement: &Statement) -> Option<Self> {
        let Kind::Bind(binding) = &statement.kind else { return None };
        View::of_binding(binding, statement.span.start().line)
    }

    fn of_binding(binding: &Binding, line: usize) -> Option<Self> {
        let pattern = match &binding.pattern {
            Pat::Type(typed) => &*typed.pat,
            other => other,
        };
        let (Pat::Ident(name), Expr::Reference(reference)) = (pattern, &binding.value) else {
            return None;
        };
        let access = access(&reference.expr)?;
        Some(View {
            name: name.ident.clone(),
            place: (*reference.expr).clone(),
            access,
            mutable: reference.mutability.is_some(),
            binding: binding.clone(),
            line,
        })
    }

    /// `let name = &x[i];` inside of an expression.
    fn of_local(statement: &Stmt) -> Option<Self> {
        let Stmt::Local(local) = statement else { return None };
        let value = (*local.init.as_ref()?.expr).clone();
        let binding = Binding { pattern: local.pat.clone(), value, verify: false };
        let view = View::of_binding(&binding, local.let_token.span.start().line)?;
        let element = view.access.path.iter().any(|step| matches!(step, Step::Index(_)));
        (element && !view.mutable && local.attrs.is_empty()).then_some(view)
    }

    fn ends_with(&self, statement: &Statement) -> bool {
        matches!(&statement.kind, Kind::Unbind(binding) if *binding == self.binding)
    }

    /// The statements until the last use of it, or of what is borrowed from it.
    fn life<'s>(&self, rest: &'s [Statement], names: &Names) -> &'s [Statement] {
        let mut own = vec![self.name.clone()];
        for statement in rest {
            if let Kind::Bind(binding) = &statement.kind {
                let declared = pattern_names(&binding.pattern).into_iter();
                own.extend(declared.filter(|name| names.roots(name).contains(&self.name)));
            }
        }
        let used = |statement: &Statement| {
            let ends = matches!(statement.kind, Kind::Unbind(_));
            !ends && own.iter().any(|name| statement.mentions(name))
        };
        &rest[..rest.iter().rposition(used).map_or(0, |last| last + 1)]
    }

    /// Whether a statement uses the same container by another name than the view's.
    fn meets(&self, statement: &Statement, names: &Names) -> Option<Access> {
        let effects = effects::of(statement, names);
        let reads = effects.reads.into_iter().filter(|_| self.mutable);
        let writes = effects.writes.into_iter().filter(|write| write.certain);
        let mut used = writes.map(|write| write.access).chain(reads);
        used.find(|other| {
            let meets = |place: &Access| !are_fields_apart(place, &self.access);
            let through = names.roots(&other.root).contains(&self.name);
            !through && names.resolve(other).iter().any(meets)
        })
    }

    fn is_disturbed(&self, rest: &[Statement], names: &Names) -> bool {
        self.life(rest, names).iter().any(|statement| self.meets(statement, names).is_some())
    }

    /// Whether it is the same place for all of its life, and can be written wherever its
    /// name is.
    fn can_be_resolved(&self, rest: &[Statement], names: &Names) -> bool {
        let plain = |step: &Step| matches!(step, Step::Field(_) | Step::Index(_));
        let life = self.life(rest, names);
        let way = reads_of_place(&self.place);
        self.access.path.iter().all(|step| plain(step) && !step.is_range())
            && !life.iter().any(|statement| {
                let writes = effects::of(statement, names).writes;
                let changed =
                    |read| writes.iter().any(|w| names.overlap(&w.access, read) != Overlap::Never);
                // What is borrowed to be read holds its value, as in Rust.
                let own = |write: &effects::Write| {
                    !self.mutable && names.overlap(&write.access, &self.access) == Overlap::Certain
                };
                way.iter().any(changed)
                    || writes.iter().any(own)
                    || is_opaque(statement, &self.name)
            })
    }

    /// One error instead of many of the borrow checker's. What may be the same place is
    /// reported by the check stage.
    fn report(
        &self,
        rest: &[Statement],
        names: &Names,
        constant: bool,
        diagnostics: &mut Diagnostics,
    ) {
        let life = self.life(rest, names);
        // In its last statement the view may be used before the other place is.
        let Some(before_last) = life.len().checked_sub(1) else { return };
        let disturbed = |statement| {
            let other = self.meets(statement, names)?;
            let apart = names.overlap(&other, &self.access) == Overlap::Never;
            apart.then_some((statement, other))
        };
        let Some((statement, other)) = life[..before_last].iter().find_map(disturbed) else {
            return;
        };
        let (name, place) = (&self.name, text::of(&self.place));
        let (used, here) = (other.text(), statement.span.start().line);
        diagnostics.error(
            &other.expr,
            format!(
                "`{used}` is used on line {here} while `{name}` of line {} borrows `{place}`, a \
                 part of the same container",
                self.line
            ),
            match constant {
                true => format!("take a copy, `#[constant] let {name} = {place};`, without `&`"),
                false => format!(
                    "write `{place}` itself instead of `{name}`, so that indices tell the two \
                     apart, or end the uses of `{name}` before"
                ),
            },
        );
    }
}

/// Whether a statement uses a name where it cannot be replaced.
fn is_opaque(statement: &Statement, name: &Ident) -> bool {
    struct Search<'a>(&'a Ident, bool);
    impl Visit<'_> for Search<'_> {
        fn visit_macro(&mut self, call: &syn::Macro) {
            self.1 |= identifiers(&call.tokens).contains(self.0);
        }
    }
    let mut search = Search(name, false);
    let mut statement = statement.clone();
    statement.each_expression(&mut |expr| search.visit_expr(expr));
    search.1 || is_in_host(&mut statement, name)
}

fn is_in_host(statement: &mut Statement, name: &Ident) -> bool {
    match &statement.kind {
        Kind::Host(host) => return identifiers(&host.0).contains(name),
        Kind::Call(call) if matches!(&call.callee, Callee::Value(value) if value == name) => {
            return true;
        }
        _ => {}
    }
    let blocks = statement.blocks_mut();
    blocks.into_iter().any(|block| block.iter_mut().any(|inner| is_in_host(inner, name)))
}

/// Resolves the views of elements that are declared inside of an expression, where nothing changes:
/// the shadows of two elements could not be borrowed at once.
pub fn resolve_inside(block: &mut syn::Block) {
    let mut at = 0;
    while at < block.stmts.len() {
        let Some(view) = View::of_local(&block.stmts[at]) else {
            at += 1;
            continue;
        };
        let mut rest = block.stmts[at + 1..].to_vec();
        rest.iter_mut().for_each(|statement| Resolve(&view).visit_stmt_mut(statement));
        let mentions =
            |statement: &Stmt| identifiers(&statement.to_token_stream()).contains(&view.name);
        // In the text of a macro, names stay.
        if rest.iter().any(mentions) {
            at += 1;
        } else {
            block.stmts.truncate(at);
            block.stmts.extend(rest);
        }
    }
}

/// Puts the place where its name is.
struct Resolve<'v>(&'v View);

impl Resolve<'_> {
    fn is_name(&self, expr: &Expr) -> bool {
        bare_name(expr).is_some_and(|name| *name == self.0.name)
    }

    fn place(&self) -> Expr {
        match &self.0.place {
            place @ Expr::Unary(_) => parse_quote!((#place)),
            place => place.clone(),
        }
    }
}

impl VisitMut for Resolve<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) && self.is_name(&e.expr) => {
                *expr = self.place();
            }
            Expr::Field(e) if self.is_name(&e.base) => *e.base = self.place(),
            Expr::Index(e) if self.is_name(&e.expr) => {
                *e.expr = self.place();
                self.visit_expr_mut(&mut e.index);
            }
            Expr::MethodCall(e) if self.is_name(&e.receiver) => {
                *e.receiver = self.place();
                e.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
            }
            other if self.is_name(other) => {
                let (place, mutable) = (self.place(), self.0.mutable);
                *other = if mutable { parse_quote!(&mut #place) } else { parse_quote!(&#place) };
            }
            other => visit::visit_expr_mut(self, other),
        }
    }
}
