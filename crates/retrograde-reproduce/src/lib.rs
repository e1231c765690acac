//! The experiments of the paper "Differentiate Everything with a Reversible Embedded
//! Domain-Specific Language", done again with Retrograde.
//!
//! [`reproduce`] runs them one after the other, prints what they find, and writes a report:
//! a page that needs nothing but a browser, with the numbers beside it as JSON and CSV. What
//! is finished is kept, so that a run that was broken off goes on where it stopped.

mod claims;
mod experiment;
pub mod experiments;
pub mod findings;
mod format;
mod machine;
pub mod measure;
pub mod picture;
// For the benchmarks, which measure the same programs.
#[doc(hidden)]
pub mod programs;
mod report;
mod run;
mod store;

pub use claims::CLAIMS;
pub use experiment::{Context, Effort, Experiment};
pub use run::{Failure, Options, reproduce};
