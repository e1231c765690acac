//! The parts of the comparison with GradBench's tools.

#![allow(dead_code)]

mod agreement;
mod inputs;
mod tools;
