//! What is read on the way back before it is undone itself, and so is as the caller left it.
//!
//! In `for k in 1..n { step(&mut x[k], &x[k - 1]); }` the last element is undone first, and each
//! is looked at before its own turn comes. So nothing in this call has rounded it.

use super::keep::{Keeper, counted_by, locals_inside};
use crate::ir::{Block, Kind, Statement};
use crate::names::{Names, pattern_names};
use crate::place::{Access, Step, affine, bare_name};
use proc_macro2::Ident;
use syn::{Expr, Pat};

/// What the way back has written when it comes to a statement.
pub(super) struct Untouched {
    /// All that it writes anywhere.
    writes: Vec<Access>,
    /// What it has written before the loop that it is in.
    before: Vec<Access>,
    /// That loop, if it is in none around that.
    within: Option<Counted>,
}

/// A loop that counts, one up or one down.
struct Counted {
    counter: Ident,
    rising: bool,
    writes: Vec<Access>,
}

impl Untouched {
    /// At the beginning of a block.
    pub fn of(block: &Block, keeper: &Keeper) -> Self {
        let mut writes = Vec::new();
        keeper.collect(block, &mut writes);
        Untouched { writes, before: Vec::new(), within: None }
    }

    /// Goes into a statement of the block itself.
    pub fn enter(&mut self, statement: &Statement, keeper: &Keeper) {
        self.within = Counted::of(statement, keeper);
        // In what order the rest writes is not looked at.
        if self.within.is_none() && !statement.blocks().is_empty() {
            keeper.collect(std::slice::from_ref(statement), &mut self.before);
        }
    }

    /// Leaves such a statement.
    pub fn leave(&mut self, statement: &Statement, keeper: &Keeper) {
        self.within = None;
        keeper.collect(std::slice::from_ref(statement), &mut self.before);
    }

    /// Whether something is written, but not what is read here until it is read.
    pub fn holds(&self, read: &Access, names: &Names) -> bool {
        let shares = |write: &&Access| {
            let others = names.roots(&read.root);
            names.roots(&write.root).iter().any(|root| others.contains(root))
        };
        let later = |write: &Access| {
            self.within.as_ref().is_some_and(|counted| counted.is_later(write, read, names))
        };
        let within = self.within.iter().flat_map(|counted| &counted.writes);
        self.writes.iter().any(|write| shares(&write))
            && !self.before.iter().any(|write| shares(&write))
            && within.filter(shares).all(later)
    }
}

impl Counted {
    fn of(statement: &Statement, keeper: &Keeper) -> Option<Self> {
        let Kind::For { pattern, sequence, reversed, body, .. } = &statement.kind else {
            return None;
        };
        let (counter, rising) = counts(pattern, sequence)?;
        if declares(body, counter) {
            return None;
        }
        let mut writes = Vec::new();
        keeper.collect(body, &mut writes);
        Some(Counted { counter: counter.clone(), rising: rising != *reversed, writes })
    }

    /// Whether this pass and those before it write other elements than the one that is read:
    /// `x[k + w]` is above `x[k + r]` for `w > r`, and where `k` falls, it was so in all of
    /// them. (Where an index wraps, it is out of bounds, or all of them wrap.)
    fn is_later(&self, write: &Access, read: &Access, names: &Names) -> bool {
        let offset = |access: &Access| match access.path.first()? {
            Step::Index(index) if names.plain(&access.root) > 0 => {
                let (base, offset) = affine(index);
                (bare_name(base?)? == &self.counter).then_some(offset)
            }
            _ => None,
        };
        let apart = |write: &Access, read: &Access| {
            write.root != read.root
                || match (offset(write), offset(read)) {
                    (Some(written), Some(read)) if self.rising => read > written,
                    (Some(written), Some(read)) => read < written,
                    _ => false,
                }
        };
        let reads = names.resolve(read);
        names.resolve(write).iter().all(|write| reads.iter().all(|read| apart(write, read)))
    }
}

/// What a loop counts with, and whether it counts up.
fn counts<'p>(pattern: &'p Pat, sequence: &Expr) -> Option<(&'p Ident, bool)> {
    match (sequence, pattern) {
        (Expr::Paren(e), _) => counts(pattern, &e.expr),
        (Expr::MethodCall(call), _) if call.method == "rev" => {
            counts(pattern, &call.receiver).map(|(counter, rising)| (counter, !rising))
        }
        (Expr::MethodCall(call), Pat::Tuple(tuple)) if call.method == "enumerate" => {
            match tuple.elems.first()? {
                Pat::Ident(name) => Some((&name.ident, true)),
                _ => None,
            }
        }
        _ => counted_by(pattern, sequence).map(|counter| (counter, true)),
    }
}

/// Whether a name is given to something else inside of a block.
fn declares(block: &Block, name: &Ident) -> bool {
    block.iter().any(|statement| {
        let own = match &statement.kind {
            Kind::For { pattern, .. } => pattern_names(pattern),
            Kind::Bind(binding) => pattern_names(&binding.pattern),
            Kind::Allocate(ancilla) => vec![ancilla.name.clone()],
            _ => Vec::new(),
        };
        let inside = locals_inside(statement);
        let inside = inside.into_iter().flat_map(|local| pattern_names(&local.pat));
        own.into_iter().chain(inside).any(|own| own == *name)
            || statement.blocks().into_iter().any(|inner| declares(inner, name))
    })
}
