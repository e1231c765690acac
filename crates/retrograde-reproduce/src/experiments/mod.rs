//! The experiments, a file each.

mod bessel;
mod bundle_adjustment;
mod complex_log;
mod flows;
mod gmm;
mod gpu;
mod graph_embedding;
mod in_place;
mod leapfrog;
mod schedules;
mod size;
mod sparse;
mod statements;
mod tensors;
mod wave;
mod ways;

use crate::experiment::Experiment;

/// All of them, in the order of the report.
pub const ALL: &[Experiment] = &[
    complex_log::EXPERIMENT,
    statements::EXPERIMENT,
    in_place::EXPERIMENT,
    bessel::EXPERIMENT,
    gmm::EXPERIMENT,
    bundle_adjustment::EXPERIMENT,
    sparse::EXPERIMENT,
    graph_embedding::EXPERIMENT,
    tensors::EXPERIMENT,
    leapfrog::EXPERIMENT,
    schedules::EXPERIMENT,
    wave::EXPERIMENT,
    flows::EXPERIMENT,
    gpu::EXPERIMENT,
    size::EXPERIMENT,
];
