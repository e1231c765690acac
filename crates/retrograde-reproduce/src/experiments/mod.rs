//! The experiments, a file each.

mod bundle_adjustment;
mod complex_log;
mod gmm;
mod sparse;

use crate::experiment::Experiment;

/// All of them, in the order of the report.
pub const ALL: &[Experiment] =
    &[complex_log::EXPERIMENT, gmm::EXPERIMENT, bundle_adjustment::EXPERIMENT, sparse::EXPERIMENT];
