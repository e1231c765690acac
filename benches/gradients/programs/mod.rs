//! The programs, a file each.

pub mod chain;
pub mod gmm;
pub mod leapfrog;
pub mod norm;
