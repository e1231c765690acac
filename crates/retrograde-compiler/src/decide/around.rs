//! Where an expression stands inside of others, so that what is computed of it can be evaluated
//! outside of them.

use crate::names::pattern_names;
use crate::place::identifiers;
use crate::visit::{Visit, VisitMut};
use quote::ToTokens;
use syn::{Block, Expr, ExprIf, Stmt, parse_quote};

/// What an expression needs to be evaluated outside of where it stands.
pub(super) enum Around {
    /// The condition under which it is evaluated at all.
    Guard(Expr),
    /// A name of a block.
    Let(syn::Local),
}

impl Around {
    /// Of the two branches of a condition.
    pub(super) fn branches(condition: &Expr) -> [Around; 2] {
        [Around::Guard(parse_quote!((#condition))), Around::Guard(parse_quote!(!(#condition)))]
    }

    /// A value as if it stood inside of all of these.
    pub(super) fn all(around: &[Around], value: Expr) -> Expr {
        around.iter().rev().fold(value, |value, around| around.around(value))
    }

    /// A value as if it stood inside.
    fn around(&self, value: Expr) -> Expr {
        match self {
            Around::Guard(guard) => {
                parse_quote!(if #guard { #value } else { ::core::default::Default::default() })
            }
            Around::Let(local) => {
                let used = identifiers(&value.to_token_stream());
                match pattern_names(&local.pat).iter().any(|name| used.contains(name)) {
                    true => parse_quote!({ #local #value }),
                    false => value,
                }
            }
        }
    }
}

/// A walk that knows what surrounds an expression.
pub(super) trait Inside {
    /// From outside to inside.
    fn around(&mut self) -> &mut Vec<Around>;
}

/// Walks through the branches of an `if`, each under its condition.
pub(super) fn branches<'e>(walk: &mut (impl Inside + Visit<'e>), e: &'e ExprIf) {
    let [then, otherwise] = Around::branches(&e.cond);
    walk.around().push(then);
    walk.visit_block(&e.then_branch);
    walk.around().pop();
    if let Some((_, value)) = &e.else_branch {
        walk.around().push(otherwise);
        walk.visit_expr(value);
        walk.around().pop();
    }
}

/// Walks through the statements of a block, with the names that they declare.
pub(super) fn statements<'e>(walk: &mut (impl Inside + Visit<'e>), block: &'e Block) {
    let outside = walk.around().len();
    for statement in &block.stmts {
        walk.visit_stmt(statement);
        if let Stmt::Local(local) = statement {
            walk.around().push(Around::Let(local.clone()));
        }
    }
    walk.around().truncate(outside);
}

/// As [`branches`], where the walk changes what it finds; the conditions are those of before.
pub(super) fn branches_mut(
    walk: &mut (impl Inside + VisitMut),
    [then, otherwise]: [Around; 2],
    e: &mut ExprIf,
) {
    walk.around().push(then);
    walk.visit_block_mut(&mut e.then_branch);
    walk.around().pop();
    if let Some((_, value)) = &mut e.else_branch {
        walk.around().push(otherwise);
        walk.visit_expr_mut(value);
        walk.around().pop();
    }
}

/// Which form of a `let` surrounds what comes after it.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Locals {
    AsWritten,
    AsRewritten,
}

/// As [`statements`], where the walk changes what it finds.
pub(super) fn statements_mut(
    walk: &mut (impl Inside + VisitMut),
    block: &mut Block,
    locals: Locals,
) {
    let outside = walk.around().len();
    for statement in &mut block.stmts {
        let written = statement.clone();
        walk.visit_stmt_mut(statement);
        let local = if locals == Locals::AsWritten { &written } else { &*statement };
        if let Stmt::Local(local) = local {
            walk.around().push(Around::Let(local.clone()));
        }
    }
    walk.around().truncate(outside);
}
