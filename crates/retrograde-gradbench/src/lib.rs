//! The evaluations of the benchmark [GradBench], as reversible programs, and the
//! protocol in which they are asked for.
//!
//! Every objective is written in the language of Retrograde, and every derivative
//! is what Retrograde makes of it.
//!
//! [GradBench]: https://github.com/gradbench/gradbench

pub mod evaluations;
mod measure;
mod protocol;
mod rows;
mod threads;

pub use protocol::serve;
pub use threads::Threads;
