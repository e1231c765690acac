//! Memory of ancillas in loops: taken once, and used again in every pass.
//!
//! `let mut a = vec![e; n];` in the body of a loop would ask for memory in every
//! pass, and so would its shadow. The vector is declared before the outermost
//! loop instead, empty, and filled in each pass. So nothing is evaluated that
//! the program would not evaluate, also when there is no pass at all, and the
//! size may change from pass to pass.

use crate::ir::{Ancilla, Block, Kind, Statement};
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::{Expr, Type};

/// Takes allocations out of loops.
pub fn reuse(block: &mut Block) {
    let mut position = 0;
    while position < block.len() {
        let mut found = Vec::new();
        match &mut block[position].kind {
            Kind::For { body, .. } | Kind::While { body, .. } => take(body, &mut found),
            Kind::If { arms, otherwise } => {
                arms.iter_mut().for_each(|arm| reuse(&mut arm.body));
                otherwise.iter_mut().for_each(reuse);
            }
            Kind::Block(body) => reuse(body),
            _ => {}
        }
        let declarations = found.into_iter().map(|name| declaration(&block[position], name));
        let declarations: Block = declarations.collect();
        position += declarations.len() + 1;
        let at = position - declarations.len() - 1;
        block.splice(at..at, declarations);
    }
}

/// `let mut a = Vec::new();`
fn declaration(before: &Statement, (name, ty): (Ident, Option<Type>)) -> Statement {
    let value = syn::parse_quote!(::std::vec::Vec::new());
    let ancilla = Ancilla::new(name, ty, value, false);
    Statement { generated: true, ..before.with(Kind::Allocate(ancilla)) }
}

/// Marks the allocations of vectors in the body of a loop, in all of its blocks.
fn take(body: &mut Block, found: &mut Vec<(Ident, Option<Type>)>) {
    let mut vectors: HashSet<Ident> = HashSet::new();
    for statement in body {
        match &mut statement.kind {
            Kind::Allocate(ancilla) => {
                // A compiler needs no memory for a vector whose few elements it knows.
                let filled = matches!(&ancilla.value, Expr::Macro(call)
                    if crate::text::filled_vector(&call.mac)
                        .is_some_and(|(_, length)| !matches!(length, Expr::Lit(_))));
                let shadow = shadowed(&ancilla.value).is_some_and(|name| vectors.contains(name));
                // A name that stands for two vectors keeps them apart.
                let taken = found.iter().any(|(name, _)| *name == ancilla.name);
                if (filled || shadow) && !taken {
                    vectors.insert(ancilla.name.clone());
                    ancilla.reused = true;
                    found.push((ancilla.name.clone(), ancilla.ty.clone()));
                }
            }
            Kind::For { body, .. } | Kind::While { body, .. } | Kind::Block(body) => {
                take(body, found);
            }
            Kind::If { arms, otherwise } => {
                arms.iter_mut().for_each(|arm| take(&mut arm.body, found));
                otherwise.iter_mut().for_each(|block| take(block, found));
            }
            _ => {}
        }
    }
}

/// The variable that a value is the fresh shadow of.
pub fn shadowed(value: &Expr) -> Option<&Ident> {
    if !crate::differentiate::is_library(value) {
        return None;
    }
    let Expr::Call(call) = value else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    if path.path.segments.last()?.ident != "shadow" {
        return None;
    }
    match call.args.first()? {
        Expr::Reference(reference) => crate::place::bare_name(&reference.expr),
        _ => None,
    }
}
