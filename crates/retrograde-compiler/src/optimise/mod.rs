//! Optimisation: a reversible function should cost what the plain one costs.
//!
//! Each pass is a file. They run on either direction, after inversion.

mod bounds;
mod counting;
mod dead;
mod direction;
mod drift;
mod first;
mod fusion;
mod indices;
mod invariant;
mod lanes;
mod leaning;
mod live;
mod loans;
mod lower;
mod prove;
mod reuse;
mod scatter;
mod uses;
mod window;

pub use bounds::calls_methods;
pub use dead::{arguments, lent_elements};
pub use drift::{holds_more_on_its_way, takes_a_release_on_trust};
pub use leaning::insert as mark_what_leans;
pub use loans::ask;
pub use lower::lower;
pub use prove::undone_by_hand;
pub use reuse::shadowed;

use crate::decide;
use crate::ir::{Block, Kind, Statement};
use crate::kinds::Kinds;
use crate::names::Names;
use crate::table::NameSet;
use syn::{Pat, Signature};

/// Which passes run: all of them, unless they are switched off to see what they
/// are good for, `#[reversible(without(zeros, sharing))]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Uncomputing that only restores dropped ancillas disappears; in an adjoint,
    /// also values that no later derivative reads.
    pub uncomputing: bool,
    /// Where gradients are zero for sure, only values are computed.
    pub zeros: bool,
    /// What a value and its derivative have in common is computed once.
    pub sharing: bool,
    /// Memory of ancillas is taken once, not in every pass of a loop.
    pub reuse: bool,
    /// The first sum into a shadow is its value.
    pub sums: bool,
    /// A value of the function itself is computed along with its gradient.
    pub fusion: bool,
    /// What a loop does not change is read before it.
    pub invariants: bool,
    /// Sums over slices are made in several lanes.
    pub lanes: bool,
    /// A loop that adds to several elements of a gradient is taken apart.
    pub scatter: bool,
    /// What a pass of a loop writes for a later one is held in variables.
    pub windows: bool,
    /// What a loop over indices uses is borrowed once, and not checked in every pass.
    pub bounds: bool,
    /// What is lent to functions that look at it is compared. No pass that anybody switches off.
    pub loans: bool,
}

impl Default for Passes {
    fn default() -> Self {
        Passes {
            uncomputing: true,
            zeros: true,
            sharing: true,
            reuse: true,
            sums: true,
            fusion: true,
            invariants: true,
            lanes: true,
            scatter: true,
            windows: true,
            bounds: true,
            loans: true,
        }
    }
}

impl Passes {
    /// Those that leave loops and memory as they are written.
    pub fn plain() -> Self {
        Passes {
            reuse: false,
            fusion: false,
            invariants: false,
            lanes: false,
            scatter: false,
            windows: false,
            bounds: false,
            ..Passes::default()
        }
    }

    /// The names of the passes.
    pub const NAMES: [&str; 11] = [
        "uncomputing",
        "zeros",
        "sharing",
        "reuse",
        "sums",
        "fusion",
        "invariants",
        "lanes",
        "scatter",
        "windows",
        "bounds",
    ];

    /// Switches a pass off; `false` if there is none of that name.
    pub fn switch_off(&mut self, name: &str) -> bool {
        let pass = match name {
            "uncomputing" => &mut self.uncomputing,
            "zeros" => &mut self.zeros,
            "sharing" => &mut self.sharing,
            "reuse" => &mut self.reuse,
            "sums" => &mut self.sums,
            "fusion" => &mut self.fusion,
            "invariants" => &mut self.invariants,
            "lanes" => &mut self.lanes,
            "scatter" => &mut self.scatter,
            "windows" => &mut self.windows,
            "bounds" => &mut self.bounds,
            _ => return false,
        };
        *pass = false;
        true
    }
}

/// Runs all passes on a direction.
pub fn optimise(
    block: &Block,
    signature: &Signature,
    names: &Names,
    kinds: &Kinds,
    passes: Passes,
) -> Block {
    finish(prepare(block, names), signature, arguments(signature), names, kinds, passes)
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
    live: NameSet,
    names: &Names,
    kinds: &Kinds,
    passes: Passes,
) -> Block {
    let fused = (passes.fusion && fusion::calls(&block, &signature.ident))
        .then(|| crate::added::added_to(&block, signature, names));
    let eliminate = |block: Block| match passes.uncomputing {
        true => dead::eliminate(block, signature, live.clone(), names),
        false => block,
    };
    let verified = |mut block: Block, kept: &Block, others: NameSet| {
        let verified = drift::verify(&mut block, kept, others, names, kinds);
        verified.then(|| eliminate(block))
    };
    let settle = |block: Block| {
        let block = drift::measure(block, eliminate, names, kinds);
        let kept = eliminate(block.clone());
        let unpaired = match passes.loans {
            true => loans::Unpaired::of(&kept, names, kinds),
            false => loans::Unpaired::default(),
        };
        let compared = match unpaired.ancillas.is_empty() {
            true => None,
            false => verified(block.clone(), &kept, unpaired.ancillas.clone()),
        };
        let trusted = verified(block, &kept, NameSet::default()).unwrap_or(kept);
        match compared {
            // Both in one would have two ends.
            Some(compared) if fused.is_some() => compared,
            Some(compared) => unpaired.choose(compared, trusted),
            None => trusted,
        }
    };
    // Where nothing is undone, nothing is decided a second time.
    let forgetful = decide::recalls(&block).then(|| settle(decide::forget(&block)));
    block = match forgetful {
        Some(forgetful) if !decide::recalls(&forgetful) => decide::without_records(forgetful),
        _ => settle(block),
    };
    // A value of which only the shape was asked for is not needed after merging.
    if passes.sums && first::merge(&mut block) {
        block = eliminate(block);
    }
    leaning::settle(&mut block, names, kinds, passes.loans);
    if let Some(added_to) = fused {
        fusion::fuse(&mut block, signature, &added_to, kinds, names);
    }
    if passes.invariants {
        invariant::hoist(&mut block, kinds, names);
    }
    if passes.lanes {
        lanes::widen(&mut block, kinds, names);
    }
    direction::straighten(&mut block, names);
    if passes.reuse {
        reuse::reuse(&mut block);
    }
    if passes.scatter {
        scatter::separate(&mut block, arguments(signature), kinds, names);
    }
    if passes.windows {
        window::hold(&mut block, kinds, names);
    }
    if passes.bounds {
        bounds::borrow(&mut block, kinds, names);
    }
    if passes.loans {
        loans::compare(&mut block, names, kinds);
    }
    block
}

/// Takes note of the kinds of what a statement declares.
pub(crate) fn declare(kinds: &mut Kinds, statement: &Statement) {
    match &statement.kind {
        Kind::Bind(binding) => match &binding.pattern {
            Pat::Ident(name) => kinds.declare(&name.ident, kinds.of_expr(&binding.value)),
            Pat::Type(typed) => kinds.declare_parts(&typed.pat, &kinds.of_type(&typed.ty)),
            _ => {}
        },
        Kind::Allocate(ancilla) => {
            let kind = match (&ancilla.ty, shadowed(&ancilla.value)) {
                (Some(ty), _) => kinds.of_type(ty),
                (_, Some(value)) => kinds.name(value),
                _ => kinds.of_expr(&ancilla.value),
            };
            kinds.declare(&ancilla.name, kind);
        }
        Kind::For { pattern, sequence, .. } => kinds.declare_elements(pattern, sequence),
        _ => {}
    }
}
