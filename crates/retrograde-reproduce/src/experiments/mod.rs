//! The experiments, a file each.

mod complex_log;

use crate::experiment::Experiment;

/// All of them, in the order of the report.
pub const ALL: &[Experiment] = &[complex_log::EXPERIMENT];
