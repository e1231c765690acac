//! `match`, over what its arms do not change, as branches on the number of the arm:
//!
//! ```text
//! let arm = match op { Op::Add(x) => 0, Op::Skip => 1 } as usize;
//! if arm == 0 {
//!     let x = match op { Op::Add(x) => x, _ => unreachable!() };
//!     …
//! } else { … }
//! ```
//!
//! So Rust's own patterns hold, and that they leave out nothing is checked by Rust. `if let` is a
//! `match` with two arms.

use crate::adjoint::free_name;
use crate::diagnostics::Diagnostics;
use crate::ir::{Binding, Statement};
use crate::names::{Mode, Names, pattern_names};
use crate::place::bare_name;
use crate::slices;
use crate::visit::{self, VisitMut};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprMatch, Pat, Signature, Stmt, parse_quote, parse_quote_spanned};

/// Rewrites every `match` of a body.
pub fn rewrite(
    signature: &Signature,
    block: &mut Block,
    used: &mut HashSet<String>,
    diagnostics: &mut Diagnostics,
) {
    let references = slices::references(signature, block);
    Rewrite { used, diagnostics, references, in_value: false }.visit_block_mut(block);
}

/// Rewrites every `match` of a block that ends in its value.
pub fn rewrite_value(
    signature: &Signature,
    block: &mut Block,
    used: &mut HashSet<String>,
    diagnostics: &mut Diagnostics,
) {
    let references = slices::references(signature, block);
    Rewrite { used, diagnostics, references, in_value: true }.visit_block_mut(block);
}

struct Rewrite<'a> {
    used: &'a mut HashSet<String>,
    diagnostics: &'a mut Diagnostics,
    /// Names that are references.
    references: HashSet<Ident>,
    /// Whether this is inside an expression, where a block ends in its value.
    in_value: bool,
}

impl Rewrite<'_> {
    /// The branches; `statement`: whether the arms are statements.
    fn branches(&mut self, e: &ExprMatch, statement: bool) -> Option<Block> {
        let here = e.match_token.span;
        let arm: Ident =
            format_ident!("{}", free_name("__arm", self.used), span = Span::mixed_site());
        let scrutinee = &e.expr;
        let mut numbered = e.clone();
        let mut chain: Option<Expr> = None;
        let count = e.arms.len();
        for (number, arm_of) in e.arms.iter().enumerate().rev() {
            if !self.check_pattern(&arm_of.pat) {
                return Some(parse_quote!({}));
            }
            let number_literal = proc_macro2::Literal::usize_suffixed(number);
            let given = proc_macro2::Literal::u32_suffixed(number as u32);
            numbered.arms[number].body = parse_quote_spanned!(here=> #given);
            numbered.arms[number].comma = Some(Default::default());
            let names = bound(&arm_of.pat);
            if !matches!(arm_of.pat, Pat::Guard(_)) {
                Nameless(&names).visit_pat_mut(&mut numbered.arms[number].pat);
            }
            let pattern = match &arm_of.pat {
                // Whether it holds is known by the number of the arm.
                Pat::Guard(guarded) => &*guarded.pat,
                pattern => pattern,
            };
            let bindings: Vec<Stmt> = match &names[..] {
                [] => Vec::new(),
                // All of it, which may carry a gradient.
                [name] if matches!(pattern, Pat::Ident(all) if all.subpat.is_none()) => {
                    vec![parse_quote_spanned!(here=> let #name = #scrutinee;)]
                }
                names => match slices::views(pattern, scrutinee, &mut self.references) {
                    Some(views) => views,
                    None => vec![taken_out(scrutinee, pattern, names, here)],
                },
            };
            let body = &arm_of.body;
            let block: Block = match (statement, &**body) {
                // Nothing to do.
                (true, Expr::Tuple(unit)) if unit.elems.is_empty() => {
                    parse_quote!({ #(#bindings)* })
                }
                (true, Expr::Block(inner)) if inner.label.is_none() && inner.attrs.is_empty() => {
                    let statements = &inner.block.stmts;
                    parse_quote!({ #(#bindings)* #(#statements)* })
                }
                (true, body) => parse_quote!({ #(#bindings)* #body; }),
                (false, body) => parse_quote!({ #(#bindings)* #body }),
            };
            chain = Some(match chain {
                None => Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block }),
                Some(rest) => {
                    parse_quote_spanned!(here=> if #arm == #number_literal #block else #rest)
                }
            });
        }
        let chain = chain?;
        if count == 1 {
            return Some(parse_quote!({ #chain }));
        }
        let numbered = Expr::Match(numbered);
        let constant: Option<syn::Attribute> =
            statement.then(|| parse_quote_spanned!(here=> #[constant]));
        let mut block: Block = parse_quote_spanned!(here=> {
            #constant
            let #arm = (#numbered) as usize;
        });
        block.stmts.push(Stmt::Expr(chain, None));
        Some(block)
    }

    fn check_pattern(&mut self, pattern: &Pat) -> bool {
        struct Writes(Option<Span>);
        impl crate::visit::Visit<'_> for Writes {
            fn visit_pat_ident(&mut self, name: &syn::PatIdent) {
                if name.mutability.is_some() || name.by_ref.is_some() {
                    self.0 = Some(name.span());
                }
            }
        }
        let mut writes = Writes(None);
        crate::visit::Visit::visit_pat(&mut writes, pattern);
        let Some(at) = writes.0 else { return true };
        self.diagnostics.error_at(
            at,
            "a `match` takes values out of what it looks at; it lends no place to be written",
            "bind the value by its name alone, and write to the place itself",
        );
        false
    }
}

/// The `let` that takes what a pattern binds out of a value.
fn taken_out(scrutinee: &Expr, pattern: &Pat, names: &[Ident], here: Span) -> Stmt {
    // Under a condition, no pattern is known to be one of all values.
    match names {
        [name] => parse_quote_spanned!(here=>
            let #name = match #scrutinee { #pattern if true => #name, _ => unreachable!() };),
        names => parse_quote_spanned!(here=>
            let (#(#names),*) = match #scrutinee {
                #pattern if true => (#(#names),*),
                _ => unreachable!()
            };),
    }
}

/// Which arm it is needs none of its names.
struct Nameless<'a>(&'a [Ident]);

impl VisitMut for Nameless<'_> {
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        match pattern {
            Pat::Ident(name) if name.subpat.is_none() && self.0.contains(&name.ident) => {
                *pattern = parse_quote_spanned!(name.span()=> _);
            }
            _ => visit::visit_pat_mut(self, pattern),
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        visit::visit_field_pat_mut(self, field);
        crate::rename::spell_out(field);
    }
}

/// `if let pattern = value { … } else { … }` as the `match` that it is.
fn as_match(e: &syn::ExprIf) -> Option<ExprMatch> {
    let Expr::Let(condition) = &*e.cond else { return None };
    let (pattern, value, then) = (&condition.pat, &condition.expr, &e.then_branch);
    let otherwise: Block = match e.else_branch.as_ref().map(|(_, rest)| &**rest) {
        None => parse_quote!({}),
        Some(Expr::Block(block)) => block.block.clone(),
        Some(rest) => parse_quote!({ #rest }),
    };
    let here = e.if_token.span;
    Some(parse_quote_spanned!(here=> match #value { #pattern => #then, _ => #otherwise }))
}

impl VisitMut for Rewrite<'_> {
    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        if self.in_value {
            return visit::visit_stmt_mut(self, statement);
        }
        if let Stmt::Expr(Expr::If(e), _) = statement
            && e.attrs.is_empty()
            && let Some(e) = as_match(e)
        {
            *statement = Stmt::Expr(Expr::Match(e), None);
        }
        if let Stmt::Expr(Expr::Match(e), _) = statement
            && e.attrs.is_empty()
            && let Some(block) = self.branches(e, true)
        {
            let block = Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block });
            *statement = Stmt::Expr(block, None);
            // What it is made of, but for the two that are made here.
            if let Stmt::Expr(Expr::Block(block), _) = statement {
                self.inside(&mut block.block);
            }
            return;
        }
        visit::visit_stmt_mut(self, statement);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::If(e) = expr
            && e.attrs.is_empty()
            && let Some(e) = as_match(e)
        {
            *expr = Expr::Match(e);
        }
        if let Expr::Match(e) = expr
            && e.attrs.is_empty()
            && let Some(block) = self.branches(e, false)
        {
            *expr = Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block });
            if let Expr::Block(block) = expr {
                let outer = std::mem::replace(&mut self.in_value, true);
                self.inside(&mut block.block);
                self.in_value = outer;
            }
            return;
        }
        // Blocks of statements stand in these; those in all others give a value.
        let of_statements = matches!(
            expr,
            Expr::Block(_) | Expr::ForLoop(_) | Expr::If(_) | Expr::Unary(_) | Expr::While(_)
        );
        let outer = self.in_value;
        self.in_value |= !of_statements;
        visit::visit_expr_mut(self, expr);
        self.in_value = outer;
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        let outer = std::mem::replace(&mut self.in_value, true);
        visit::visit_local_mut(self, local);
        self.in_value = outer;
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_macro_mut(&mut self, _: &mut syn::Macro) {}
}

impl Rewrite<'_> {
    /// Goes on with the arms of a `match` that is rewritten.
    fn inside(&mut self, block: &mut Block) {
        for statement in &mut block.stmts {
            match statement {
                // Made here.
                Stmt::Local(local)
                    if local.init.as_ref().is_some_and(|init| is_made_here(&init.expr)) => {}
                Stmt::Expr(Expr::If(e), None) if is_on_arm(&e.cond) => {
                    self.inside(&mut e.then_branch);
                    let mut otherwise = e.else_branch.as_mut().map(|(_, e)| &mut **e);
                    while let Some(rest) = otherwise {
                        otherwise = match rest {
                            Expr::If(e) => {
                                self.inside(&mut e.then_branch);
                                e.else_branch.as_mut().map(|(_, e)| &mut **e)
                            }
                            Expr::Block(e) => {
                                self.inside(&mut e.block);
                                None
                            }
                            _ => None,
                        };
                    }
                }
                Stmt::Expr(Expr::Block(e), None) => self.inside(&mut e.block),
                other => self.visit_stmt_mut(other),
            }
        }
    }
}

/// Whether a condition is made here, too: it asks for the number of the arm.
fn is_on_arm(condition: &Expr) -> bool {
    let Expr::Binary(e) = condition else { return false };
    crate::place::bare_name(&e.left).is_some_and(|name| name.to_string().starts_with("__arm"))
}

/// Whether a value is made here: the number of an arm, or what an arm takes out of the value.
pub fn is_made_here(value: &Expr) -> bool {
    match value {
        Expr::Cast(e) => matches!(&*e.expr, Expr::Paren(e) if matches!(*e.expr, Expr::Match(_))),
        Expr::Match(e) => e.arms.last().is_some_and(
            |arm| matches!(&*arm.body, Expr::Macro(e) if e.mac.path.is_ident("unreachable")),
        ),
        _ => false,
    }
}

/// Whether a `let` is the number of an arm.
pub fn is_arm(binding: &Binding) -> bool {
    numbering(binding).is_some()
}

/// The `match` that gives the number of an arm.
fn numbering(binding: &Binding) -> Option<&ExprMatch> {
    let Expr::Cast(e) = &binding.value else { return None };
    match &*e.expr {
        Expr::Paren(inner) if is_made_here(&binding.value) => match &*inner.expr {
            Expr::Match(e) => Some(e),
            _ => None,
        },
        _ => None,
    }
}

/// What the user wrote for the number of an arm: `match op`.
pub fn head(binding: &Binding) -> Option<TokenStream> {
    let ExprMatch { match_token, expr, .. } = numbering(binding)?;
    Some(quote!(#match_token #expr))
}

/// The patterns of the arms, where a `let` is the number of one.
pub fn patterns(binding: &Binding) -> Option<Vec<String>> {
    Some(numbering(binding)?.arms.iter().map(|arm| crate::text::of(&arm.pat)).collect())
}

/// Where a `match` looks at what a mutable reference refers to, its patterns bind what is read:
/// through a name of a part, nothing is written.
pub fn only_look(statements: &mut [Statement], names: &Names) {
    struct Look<'a>(&'a Names);
    impl VisitMut for Look<'_> {
        fn visit_expr_match_mut(&mut self, e: &mut ExprMatch) {
            if let Some(name) = bare_name(&e.expr)
                && self.0.mode(name) == Mode::Mutable
            {
                let here = name.span();
                *e.expr = parse_quote_spanned!(here=> &*#name);
            }
            visit::visit_expr_match_mut(self, e);
        }
    }
    let look = &mut |expr: &mut Expr| Look(names).visit_expr_mut(expr);
    statements.iter_mut().for_each(|statement| statement.each_expression(look));
}

/// The names that a pattern binds: constants have capitals.
fn bound(pattern: &Pat) -> Vec<Ident> {
    let mut names: Vec<Ident> = Vec::new();
    for name in pattern_names(pattern) {
        let constant = name.to_string().starts_with(char::is_uppercase);
        if !constant && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
