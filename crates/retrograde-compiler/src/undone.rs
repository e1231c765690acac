//! Writes, in the rest of a block, to what may be an operand of its `#[compute]` block:
//! where only indices can tell, they are compared at run time before each such write.
//!
//! An ancilla of the computing is compared at its release. But what was there before, and
//! is changed for a while, would be left changed without a word.

use crate::effects::{Effects, Write};
use crate::emit::{Apart, apart};
use crate::ir::{Block, Kind, Statement};
use crate::names::{Names, pattern_names};
use crate::place::{Access, Step, access, bare_name, identifiers};
use crate::visit::VisitMut;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};
use std::collections::{HashMap, HashSet};
use syn::{Expr, Pat};

/// What a `#[compute]` block leaves to be undone.
pub struct Undone {
    /// Whether it changes something that it does not declare.
    outer: bool,
    /// Names that are gone after it.
    inner: HashSet<Ident>,
    /// Of these, variables of loops over ranges.
    ranges: HashMap<Ident, Expr>,
}

impl Undone {
    /// Of the block, whose effects are known.
    pub fn of(compute: &Block, effects: &Effects, names: &Names) -> Self {
        let mut own = HashSet::new();
        declared_here(compute, &mut own);
        let outer = effects.writes.iter().any(|write| {
            let roots = names.roots(&write.access.root);
            !roots.iter().any(|root| own.contains(root))
        });
        let mut undone = Undone { outer, inner: HashSet::new(), ranges: HashMap::new() };
        for statement in compute {
            undone.collect(statement);
        }
        undone
    }

    /// Whether a write to an operand would leave something changed in silence.
    pub fn is_silent(&self) -> bool {
        self.outer
    }

    fn collect(&mut self, statement: &Statement) {
        if let Kind::For { pattern, sequence, .. } = &statement.kind {
            self.inner.extend(pattern_names(pattern));
            if let (Pat::Ident(name), Some(range)) = (pattern, range(sequence)) {
                self.ranges.insert(name.ident.clone(), range.clone());
            }
        }
        let mut statement = statement.clone();
        let open = matches!(statement.kind, Kind::Compute { .. });
        for block in statement.blocks_mut() {
            if !open {
                declared_here(block, &mut self.inner);
            }
            block.iter().for_each(|inner| self.collect(inner));
        }
    }

    /// The check that a write does not meet an operand, if there is one.
    pub fn check(
        &self,
        write: &Write,
        operand: &Access,
        statement: &Statement,
        names: &Names,
    ) -> Option<TokenStream> {
        if !write.certain {
            return None;
        }
        let mut operand = operand.clone();
        InRanges(self).visit_expr_mut(&mut operand.expr);
        operand.path = access(&operand.expr)?.path;
        let mentioned = operand.path.iter().flat_map(|step| match step {
            Step::Index(index) => identifiers(&index.to_token_stream()),
            _ => Vec::new(),
        });
        if mentioned.chain([operand.root.clone()]).any(|name| self.inner.contains(&name)) {
            return None;
        }
        match apart(&write.access, &operand, statement, names) {
            Apart::Checked(check) => Some(check),
            _ => None,
        }
    }
}

/// The names that a block declares for what comes after it.
fn declared_here(block: &Block, found: &mut HashSet<Ident>) {
    for statement in block {
        match &statement.kind {
            Kind::Bind(binding) => found.extend(pattern_names(&binding.pattern)),
            Kind::Allocate(ancilla) => {
                found.insert(ancilla.name.clone());
            }
            Kind::Compute { compute, body } => {
                declared_here(compute, found);
                declared_here(body, found);
            }
            _ => {}
        }
    }
}

fn range(sequence: &Expr) -> Option<&Expr> {
    match sequence {
        Expr::Paren(e) => range(&e.expr),
        Expr::Range(_) => Some(sequence),
        Expr::MethodCall(call) if call.method == "rev" || call.method == "step_by" => {
            range(&call.receiver)
        }
        _ => None,
    }
}

/// Puts all of a range where its variable is an index.
struct InRanges<'u>(&'u Undone);

impl VisitMut for InRanges<'_> {
    fn visit_expr_index_mut(&mut self, e: &mut syn::ExprIndex) {
        self.visit_expr_mut(&mut e.expr);
        if let Some(range) = bare_name(&e.index).and_then(|name| self.0.ranges.get(name)) {
            *e.index = range.clone();
        }
    }
}

/// What a function says of types of other crates, for which the promise itself cannot be
/// implemented: a trait of its own, whose method is found before the one that asks for it.
///
/// `followed`: whether there are gradients, which must know more of a sum.
pub fn promises(types: &[syn::Type], followed: bool) -> Vec<syn::Item> {
    if types.is_empty() {
        return Vec::new();
    }
    let otherwise = syn::parse_quote! {
        #[allow(unused_imports)]
        use ::retrograde::__private::AddingElse as _;
    };
    let trait_of_its_own = syn::parse_quote! {
        #[allow(dead_code)]
        trait PromisedHere<R> {
            fn __sum(self, value: R, plus: bool);
        }
    };
    let promises = types.iter().map(|ty| {
        syn::parse_quote! {
            impl<R> PromisedHere<R> for ::retrograde::__private::Adding<'_, #ty>
            where
                #ty: ::core::ops::AddAssign<R> + ::core::ops::SubAssign<R>,
            {
                #[inline]
                fn __sum(self, value: R, plus: bool) {
                    if plus {
                        *self.0 += value;
                    } else {
                        *self.0 -= value;
                    }
                }
            }
        }
    });
    let slopes = types.iter().filter(|_| followed).map(|ty| {
        let span = syn::spanned::Spanned::span(ty);
        let sum = quote_spanned!(span=>
            ::retrograde::__private::SumOf::<#ty>(::core::marker::PhantomData));
        let asked = quote_spanned!(span=> (&&&#sum).__slope(););
        syn::parse_quote! {
            const _: () = {
                #[allow(dead_code)]
                fn slope() {
                    #[allow(unused_imports)]
                    use ::retrograde::__private::{SlopeElse, SlopeOfConstant, SlopeOfSum};
                    #asked
                }
            };
        }
    });
    [otherwise, trait_of_its_own].into_iter().chain(promises).chain(slopes).collect()
}
