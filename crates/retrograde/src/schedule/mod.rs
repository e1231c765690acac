//! Time-space schedules: the gradient of a run of many steps that forget where
//! they came from, in as much memory as there is.
//!
//! The gradient of a run needs the state before each step, last first. A
//! [`Schedule`] says which states are kept, and which are made again:
//!
//! | schedule | steps taken for `n` steps | states kept |
//! |---|---|---|
//! | [`StoreAll`](Schedule::StoreAll) | `n` | `n` |
//! | [`Treeverse { checkpoints: d }`](Schedule::Treeverse) | `r n − C(d + r, r − 1) + 1`, where `C(d + r, r) ≥ n` | `d + 1` |
//! | [`RecomputeAll`](Schedule::RecomputeAll) | `n (n − 1) / 2 + 1` | 2 |
//! | [`Bennett { blocks: k }`](Schedule::Bennett) | about `n` to the power `1 + ln(2 − 1/k) / ln k` | about `(k − 1) log n / log k` |
//!
//! [`plan`] tells what each of them costs before anything is run.
//!
//! # A step
//!
//! A step is a reversible function that adds to `next`, which holds zeros, what
//! follows from `now`:
//!
//! ```
//! use retrograde::prelude::*;
//! use retrograde::schedule::{Run, Schedule};
//!
//! /// A population that grows and is hunted.
//! #[reversible]
//! fn season(next: &mut f64, now: &f64, growth: &f64, _k: usize) {
//!     *next += *growth * *now * (1.0 - *now);
//! }
//!
//! let run = Run::new(season {}, 1000, Schedule::Treeverse { checkpoints: 10 });
//! let at = run.gradient(&0.5, &2.5, |_end, d_end| *d_end = 1.0);
//! // It has come to rest at 1 − 1/growth.
//! assert!((at.end - 0.6).abs() < 1e-12);
//! assert!((at.d_parameters - 0.16).abs() < 1e-12);
//! assert!(at.report.peak == 11 && at.report.forward < 4000);
//! ```
//!
//! - A state is any [`Differentiable`](crate::derivative::Differentiable) value, or a
//!   slice of them. `next` has the shape of the start; what carries no gradient in it,
//!   such as an integer, holds what it holds in the start.
//! - The parameters are shared by all steps, and their gradient is the sum. A run
//!   without any has `_: &()`, and one with several has a struct or a tuple.
//! - `k` counts the steps from 0, for steps that depend on the time. Data that
//!   carries no gradient is supplied by [`With`](crate::calculus::With).
//! - A loss that looks at every state is a part of the state: the step adds
//!   `now.loss` and its own share to `next.loss`, and `d_end.loss` is 1. A loss of
//!   the end alone is differentiated where the end is known: the last argument of
//!   [`Run::gradient`] gets it, and writes the gradient with respect to it.
//! - A step that is not written in the language is [`by_hand`].
//!
//! The arithmetic is the same under every schedule, and so are the bits of the
//! gradient.

mod machine;
mod memory;
pub mod plan;
mod report;
mod run;
mod step;
#[cfg(test)]
mod tests;
mod walk;

pub use memory::Memory;
pub use report::{Event, Progress, Report};
pub use run::{Run, RunGradient};
pub use step::{ByHand, ReversibleStep, State, Step, by_hand};

/// Which states of a run are kept for its gradient, and which are made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// Every state is kept: no step is taken twice.
    StoreAll,
    /// Only the start is kept, and every state is made again from there.
    RecomputeAll,
    /// Binomial checkpoints, by Griewank's treeverse: with so many of them, no
    /// schedule takes fewer steps.
    ///
    /// They are placed as by Griewank and Walther's revolve, which is the optimum for
    /// every length. The split of the original treeverse is the optimum for some
    /// lengths, and up to a few per cent above it for others.
    Treeverse {
        /// How many states are kept beside the one at which the run stands, the start
        /// among them; at least 1.
        checkpoints: usize,
    },
    /// Bennett's reversible schedule: nothing is ever forgotten, states are
    /// uncomputed by running steps backwards. What a reversible machine could
    /// do; this one takes fewer steps with [`Treeverse`](Self::Treeverse).
    Bennett {
        /// Into how many blocks a run is cut, and each block again; at least 2. Where
        /// the length cannot be divided, the last block is shorter.
        blocks: usize,
    },
}

/// How a schedule works.
enum Way {
    /// With so many checkpoints.
    Checkpoints(usize),
    /// With so many blocks, that are uncomputed.
    Blocks(usize),
}

impl Schedule {
    /// How a run of so many steps works.
    fn way(self, steps: usize) -> Way {
        match self {
            Schedule::StoreAll => Way::Checkpoints(steps.max(1)),
            Schedule::RecomputeAll => Way::Checkpoints(1),
            Schedule::Treeverse { checkpoints } => Way::Checkpoints(checkpoints),
            Schedule::Bennett { blocks } => Way::Blocks(blocks),
        }
    }

    /// Panics if it cannot be followed.
    #[track_caller]
    fn check(self) {
        match self {
            Schedule::Treeverse { checkpoints: 0 } => {
                panic!("treeverse needs a checkpoint at least: the start")
            }
            Schedule::Bennett { blocks: blocks @ (0 | 1) } => {
                panic!("Bennett's schedule cuts a run into 2 blocks at least, not {blocks}")
            }
            _ => {}
        }
    }
}

/// In words: `treeverse, 20 checkpoints`.
impl std::fmt::Display for Schedule {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Schedule::StoreAll => f.pad("store all"),
            Schedule::RecomputeAll => f.pad("recompute all"),
            Schedule::Treeverse { checkpoints: 1 } => f.pad("treeverse, 1 checkpoint"),
            Schedule::Treeverse { checkpoints } => {
                f.pad(&format!("treeverse, {checkpoints} checkpoints"))
            }
            Schedule::Bennett { blocks } => f.pad(&format!("Bennett, {blocks} blocks")),
        }
    }
}
