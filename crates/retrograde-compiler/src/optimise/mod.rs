//! Optimisation: a reversible function should cost what the plain one costs.
//!
//! Each pass is a file. They run on either direction, after inversion.

mod counting;
mod dead;
mod direction;
mod lower;
mod prove;

pub use lower::lower;

use crate::ir::Block;
use crate::names::Names;
use syn::Signature;

/// Runs all passes.
pub fn optimise(block: &Block, signature: &Signature, names: &Names) -> Block {
    let mut block = lower(block);
    prove::prove(&mut block, names);
    counting::prove_counters(&mut block, names);
    direction::straighten(&mut block, names);
    dead::eliminate(block, signature, names)
}
