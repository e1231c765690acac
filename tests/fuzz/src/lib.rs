//! Whatever it is given, the compiler answers: with Rust, or with an error.
//!
//! Inputs are random tokens, and programs of this repository that were changed at random. Each
//! has a number, and the same number always gives the same input, as long as the programs stay.

pub mod corpus;
pub mod entry;
pub mod input;
pub mod mutate;
pub mod nodes;
pub mod random;
pub mod search;
pub mod shrink;
