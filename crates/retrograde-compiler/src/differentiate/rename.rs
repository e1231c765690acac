//! Blocks inside of expressions may declare a name a second time: their names
//! are made different, so that each has its own shadow.

use super::Differentiator;
use crate::adjoint::free_name;
use crate::names::pattern_names;
use crate::rename::{spell_out, spell_out_value};
use crate::visit::{self, VisitMut};
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use syn::{Block, Expr, FieldPat, FieldValue, PatIdent, Stmt};

impl Differentiator<'_> {
    /// The block with names of its own.
    pub(super) fn renamed(&mut self, block: &Block) -> Block {
        let mut block = block.clone();
        let declared = self.shadows.keys().cloned().collect();
        Renamer { declared, used: &mut self.used, names: HashMap::new() }
            .visit_block_mut(&mut block);
        block
    }
}

/// The body of a function with a name for each `let`, none of them an argument's.
pub fn distinct_names(
    block: &Block,
    declared: HashSet<Ident>,
    used: &mut HashSet<String>,
) -> Block {
    let mut block = block.clone();
    Renamer { declared, used, names: HashMap::new() }.visit_block_mut(&mut block);
    block
}

struct Renamer<'r> {
    declared: HashSet<Ident>,
    used: &'r mut HashSet<String>,
    names: HashMap<Ident, Ident>,
}

impl VisitMut for Renamer<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let outer = self.names.clone();
        for statement in &mut block.stmts {
            match statement {
                Stmt::Local(local) => {
                    if let Some(init) = &mut local.init {
                        self.visit_expr_mut(&mut init.expr);
                    }
                    for name in pattern_names(&local.pat) {
                        if !self.declared.insert(name.clone()) {
                            let fresh = free_name(&name.to_string(), self.used);
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

    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        visit::visit_field_pat_mut(self, field);
        spell_out(field);
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        visit::visit_field_value_mut(self, field);
        spell_out_value(field);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
        if let Some(name) = self.names.get(&pattern.ident) {
            pattern.ident = name.clone();
        }
        visit::visit_pat_ident_mut(self, pattern);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = expr
            && let Some(name) = path.path.get_ident()
            && let Some(fresh) = self.names.get(name)
        {
            path.path = fresh.clone().into();
            return;
        }
        visit::visit_expr_mut(self, expr);
    }
}
