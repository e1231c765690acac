//! Optimisation: a reversible function should cost what the plain one costs.
//!
//! Each pass is a file. They run on either direction, after inversion.

mod counting;
mod dead;
mod direction;
mod lower;
mod prove;
mod reuse;

pub use dead::arguments;
pub use lower::lower;

use crate::ir::Block;
use crate::names::Names;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::Signature;

/// Runs all passes on a direction.
pub fn optimise(block: &Block, signature: &Signature, names: &Names) -> Block {
    finish(prepare(block, names), signature, arguments(signature), names)
}

/// The passes that look at what undoes what: before gradients stand in between.
pub fn prepare(block: &Block, names: &Names) -> Block {
    let mut block = lower(block);
    prove::prove(&mut block, names);
    counting::prove_counters(&mut block, names);
    block
}

/// The passes on what is going to be emitted, where `live` are the arguments that
/// are looked at afterwards.
pub fn finish(
    mut block: Block,
    signature: &Signature,
    live: HashSet<Ident>,
    names: &Names,
) -> Block {
    direction::straighten(&mut block, names);
    let mut block = dead::eliminate(block, signature, live, names);
    reuse::reuse(&mut block);
    block
}
