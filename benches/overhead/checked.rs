//! The programs, as the examples have them.

#[path = "../../examples/affine.rs"]
pub mod affine;
#[path = "../../examples/complex_log.rs"]
pub mod complex_log;
#[path = "../../examples/fft.rs"]
pub mod fft;
#[path = "../../examples/fibonacci.rs"]
pub mod fibonacci;
#[path = "../../examples/leapfrog.rs"]
pub mod leapfrog;
#[path = "../../examples/sparse.rs"]
pub mod sparse;
