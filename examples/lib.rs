//! Each example is a program of its own, `cargo run --release --example NAME`, and a module
//! here, for those who measure it.

// `main` and what only it uses.
#![allow(dead_code)]

extern crate self as retrograde_examples;

pub mod affine;
pub mod bennett;
pub mod bessel;
pub mod billiard;
pub mod bundle_adjustment;
pub mod complex_log;
pub mod fft;
pub mod fibonacci;
pub mod flows;
pub mod gmm;
pub mod gpu;
pub mod graph_embedding;
pub mod leapfrog;
pub mod multiplier;
pub mod power;
pub mod schedules;
pub mod sparse;
pub mod unitary;
pub mod wave;
