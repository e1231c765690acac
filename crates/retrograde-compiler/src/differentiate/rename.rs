//! Blocks inside of expressions may declare a name a second time: their names
//! are made different, so that each has its own shadow.

use super::Differentiator;
use crate::names::pattern_names;
use proc_macro2::Ident;
use std::collections::HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, PatIdent, Stmt};

impl Differentiator<'_> {
    /// The block with names of its own.
    pub(super) fn renamed(&mut self, block: &Block) -> Block {
        let mut block = block.clone();
        Renamer { differentiator: self, names: HashMap::new() }.visit_block_mut(&mut block);
        block
    }
}

struct Renamer<'r, 'a> {
    differentiator: &'r mut Differentiator<'a>,
    names: HashMap<Ident, Ident>,
}

impl VisitMut for Renamer<'_, '_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let outer = self.names.clone();
        for statement in &mut block.stmts {
            match statement {
                Stmt::Local(local) => {
                    if let Some(init) = &mut local.init {
                        self.visit_expr_mut(&mut init.expr);
                    }
                    for name in pattern_names(&local.pat) {
                        let known = self.differentiator.shadows.contains_key(&name)
                            || self.names.contains_key(&name)
                            || self.names.values().any(|other| *other == name);
                        if known {
                            let fresh = self.differentiator.fresh(&name.to_string());
                            self.names.insert(name, fresh);
                        }
                    }
                    self.visit_pat_mut(&mut local.pat);
                }
                other => self.visit_stmt_mut(other),
            }
        }
        self.names = outer;
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
        if let Some(name) = self.names.get(&pattern.ident) {
            pattern.ident = name.clone();
        }
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = expr
            && let Some(name) = path.path.get_ident()
            && let Some(fresh) = self.names.get(name)
        {
            path.path = fresh.clone().into();
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}
