//! Programs in several versions: reversible, by hand, and for tapes to record.

pub mod acoustic;
pub mod bessel;
pub mod bundle;
pub mod case;
pub mod chain;
pub mod embedding;
pub mod flows;
pub mod forward;
pub mod gmm;
pub mod leapfrog;
pub mod lstm;
pub mod norm;
pub mod program;
pub mod sparse;
pub mod tapes;
pub mod wave;

use crate::programs::case::Case;

/// A program with its data, once it is called.
pub type Start = fn() -> Box<dyn Case>;

/// All of them, in the sizes that are measured.
pub const PROGRAMS: &[Start] = &[
    || Box::new(chain::Chain { steps: 100_000 }),
    || Box::new(norm::Norm { n: 1000 }),
    || Box::new(gmm::Fit::new(32, 25, 1000)),
    || Box::new(bundle::Bundle::product()),
    || Box::new(bundle::Bundle::jacobian()),
    || Box::new(leapfrog::Leapfrog { steps: 1 }),
    || Box::new(leapfrog::Leapfrog { steps: 1000 }),
    || Box::new(sparse::Sparse::new(1000, 0.05)),
    || Box::new(lstm::Lstm { n: 32 }),
    || Box::new(wave::Wave::new(256)),
    || Box::new(embedding::Embedding { k: 10 }),
];

/// All of them, in sizes that a debug build compares at once.
pub const SMALL_PROGRAMS: &[Start] = &[
    || Box::new(chain::Chain { steps: 100 }),
    || Box::new(norm::Norm { n: 19 }),
    || Box::new(gmm::Fit::new(5, 3, 7)),
    || Box::new(bundle::Bundle::product()),
    || Box::new(bundle::Bundle::jacobian()),
    || Box::new(leapfrog::Leapfrog { steps: 3 }),
    || Box::new(sparse::Sparse::new(20, 0.2)),
    || Box::new(lstm::Lstm { n: 5 }),
    || Box::new(wave::Wave::new(9)),
    || Box::new(embedding::Embedding { k: 3 }),
];
