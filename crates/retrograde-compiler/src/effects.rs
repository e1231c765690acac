//! What a statement reads and writes.

use crate::ir::{Block, Call, Callee, Kind, Statement};
use crate::names::{Mode, Names, pattern_names};
use crate::place::{
    Access, access, bare_name, identifiers, mutable_borrows, reads, reads_of_place,
};
use proc_macro2::Ident;
use std::collections::HashSet;

/// The accesses of a statement or block, as written: aliases are not followed.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// What is read.
    pub reads: Vec<Access>,
    /// What is written.
    pub writes: Vec<Write>,
    /// Whether it contains `host!` code, whose effects are unknown.
    pub host: bool,
}

/// A write.
#[derive(Clone, Debug)]
pub struct Write {
    /// Where.
    pub access: Access,
    /// Whether it is one for sure: a method's receiver may only be read.
    pub certain: bool,
}

/// The effects of a block on what is declared outside of it.
pub fn of_block(block: &Block, names: &Names) -> Effects {
    let mut effects = Effects::default();
    let mut local = HashSet::new();
    for statement in block {
        declared(statement, &mut local);
        effects.extend(of(statement, names));
    }
    effects.reads.retain(|access| !local.contains(&access.root));
    effects.writes.retain(|write| !local.contains(&write.access.root));
    effects
}

/// As [`of_block`], with the effects on names declared at the block's own level:
/// for the blocks of `#[compute]`, whose names live on.
pub fn of_open_block(block: &Block, names: &Names) -> Effects {
    let mut effects = Effects::default();
    block.iter().for_each(|statement| effects.extend(of(statement, names)));
    effects
}

fn declared(statement: &Statement, local: &mut HashSet<Ident>) {
    match &statement.kind {
        Kind::Bind(binding) | Kind::Unbind(binding) => {
            local.extend(pattern_names(&binding.pattern));
        }
        Kind::Allocate(ancilla) | Kind::Release(ancilla) => {
            local.insert(ancilla.name.clone());
        }
        Kind::Compute { compute, body } => {
            compute.iter().chain(body).for_each(|s| declared(s, local));
        }
        _ => {}
    }
}

impl Effects {
    fn extend(&mut self, other: Effects) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.host |= other.host;
    }

    fn read(&mut self, expr: &syn::Expr) {
        self.reads.extend(reads(expr));
    }

    fn write(&mut self, access: Access, certain: bool) {
        self.reads.extend(reads_of_place(&access.expr));
        self.writes.push(Write { access, certain });
    }
}

/// The effects of one statement.
pub fn of(statement: &Statement, names: &Names) -> Effects {
    let mut effects = Effects::default();
    match &statement.kind {
        Kind::Update { place, value, .. } => {
            effects.read(value);
            if let Some(access) = access(place) {
                effects.write(access, true);
            }
        }
        Kind::Bind(binding) | Kind::Unbind(binding) => effects.read(&binding.value),
        Kind::Allocate(ancilla) | Kind::Release(ancilla) => effects.read(&ancilla.value),
        Kind::Compute { compute, body } => {
            let both: Block = compute.iter().chain(body).cloned().collect();
            effects.extend(of_block(&both, names));
        }
        Kind::If { arms, otherwise } => {
            for arm in arms {
                effects.read(&arm.pre);
                effects.read(&arm.post);
                effects.extend(of_block(&arm.body, names));
            }
            if let Some(block) = otherwise {
                effects.extend(of_block(block, names));
            }
        }
        Kind::While { pre, post, body, .. } => {
            effects.read(pre);
            effects.read(post);
            effects.extend(of_block(body, names));
        }
        Kind::For { pattern, sequence, body, .. } => {
            effects.read(sequence);
            let variables = pattern_names(pattern);
            let inner = of_block(body, names);
            effects.host |= inner.host;
            let outer = |access: &Access| -> Vec<Access> {
                // A write to an element is a write to what the loop runs over.
                if variables.contains(&access.root) {
                    names.resolve(access)
                } else {
                    vec![access.clone()]
                }
            };
            let visible = |access: &Access| !variables.contains(&access.root);
            for read in &inner.reads {
                effects.reads.extend(outer(read).into_iter().filter(visible));
            }
            for write in &inner.writes {
                let accesses = outer(&write.access).into_iter().filter(visible);
                effects
                    .writes
                    .extend(accesses.map(|access| Write { access, certain: write.certain }));
            }
        }
        Kind::Call(call) => call_effects(call, names, &mut effects),
        Kind::Block(block) => effects.extend(of_block(block, names)),
        Kind::Host(host) => {
            effects.reads.extend(identifiers(&host.0).iter().map(Access::whole));
            effects.host = true;
        }
    }
    effects
}

fn call_effects(call: &Call, names: &Names, effects: &mut Effects) {
    match &call.callee {
        Callee::Method { receiver, .. } => {
            effects.read(receiver);
            match access(receiver) {
                Some(access) => {
                    let shared = matches!(names.mode(&access.root), Mode::Shared | Mode::Primitive);
                    if !shared {
                        effects.write(access, false);
                    }
                }
                None => mutable_borrows(receiver)
                    .into_iter()
                    .for_each(|access| effects.write(access, true)),
            }
        }
        Callee::Value(name) => effects.reads.push(Access::whole(name)),
        Callee::Function(_) | Callee::Associated(_) => {}
    }
    for argument in &call.arguments {
        match bare_name(argument) {
            Some(name) => match names.mode(name) {
                Mode::Mutable => effects.write(Access::whole(name), true),
                Mode::Unknown => {
                    effects.read(argument);
                    effects.write(Access::whole(name), false);
                }
                Mode::Value | Mode::Primitive | Mode::Shared => effects.read(argument),
            },
            None => {
                let borrows = mutable_borrows(argument);
                let written: Vec<_> = borrows.iter().map(|a| a.expr.clone()).collect();
                effects.reads.extend(
                    reads(argument)
                        .into_iter()
                        .filter(|r| !written.iter().any(|w| same_place(w, &r.expr))),
                );
                borrows.into_iter().for_each(|access| effects.write(access, true));
            }
        }
    }
}

/// Whether `read` is `&mut written` itself rather than a read of its own.
fn same_place(written: &syn::Expr, read: &syn::Expr) -> bool {
    match read {
        syn::Expr::Reference(e) => same_place(written, &e.expr),
        other => other == written,
    }
}
