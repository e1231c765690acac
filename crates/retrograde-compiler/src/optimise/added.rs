//! Which arguments a function only adds to.
//!
//! Then its adjoint never writes their shadows. Where it passes one on to another function,
//! that one has to say whether it only adds to it, too.

use crate::effects;
use crate::ir::{Block, Callee, Direction, Kind, Statement};
use crate::names::Names;
use crate::place::{Access, Overlap, identifiers};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::{ExprPath, FnArg, Pat, Signature};

/// An argument that is only added to, if that is true of what it is passed on to: functions,
/// and which of their arguments it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Added {
    /// The other functions.
    pub callees: Vec<(ExprPath, usize)>,
}

/// Of each argument, whether the function only adds to it: of the block that is the
/// adjoint, before anything is left out of it.
pub fn added_to(block: &Block, signature: &Signature, names: &Names) -> Vec<Option<Added>> {
    let of_argument = |(index, argument): (usize, &FnArg)| {
        let FnArg::Typed(typed) = argument else { return None };
        let Pat::Ident(name) = &*typed.pat else { return None };
        let shadow = Access::whole(&name.ident);
        let own = (&signature.ident, index);
        let mut search = Search { own, shadow, names, added: Added::default() };
        search.block(block)?;
        Some(search.added)
    };
    signature.inputs.iter().skip(1).step_by(2).enumerate().map(of_argument).collect()
}

struct Search<'a> {
    /// The function, and which of its arguments it is.
    own: (&'a Ident, usize),
    shadow: Access,
    names: &'a Names,
    added: Added,
}

impl Search<'_> {
    /// `None` if the shadow may be written here.
    fn block(&mut self, block: &Block) -> Option<()> {
        block.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Option<()> {
        match &statement.kind {
            Kind::For { body, .. } | Kind::While { body, .. } | Kind::Block(body) => {
                self.block(body)
            }
            Kind::Compute { compute, body } => {
                self.block(compute)?;
                self.block(body)
            }
            Kind::If { arms, otherwise } => {
                arms.iter().try_for_each(|arm| self.block(&arm.body))?;
                otherwise.iter().try_for_each(|body| self.block(body))
            }
            Kind::Call(call)
                if matches!(call.direction, Direction::Adjoint | Direction::InverseAdjoint)
                    && let Callee::Function(path) = &call.callee =>
            {
                for (position, argument) in call.arguments.iter().enumerate() {
                    let used = identifiers(&argument.to_token_stream());
                    if !used.iter().any(|name| self.is_shadow(&Access::whole(name))) {
                        continue;
                    }
                    // Shadows follow what they are the shadows of.
                    if position % 2 == 0 {
                        return None;
                    }
                    let callee = (path.clone(), position / 2);
                    // Of the function itself it is true if it is true of the rest.
                    let own = path.path.is_ident(self.own.0) && position / 2 == self.own.1;
                    if !own && !self.added.callees.contains(&callee) {
                        self.added.callees.push(callee);
                    }
                }
                Some(())
            }
            _ => {
                let writes = effects::of(statement, self.names).writes;
                (!writes.iter().any(|write| self.is_shadow(&write.access))).then_some(())
            }
        }
    }

    fn is_shadow(&self, access: &Access) -> bool {
        self.names.overlap(access, &self.shadow) != Overlap::Never
    }
}
