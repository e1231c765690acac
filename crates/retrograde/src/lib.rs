//! Retrograde: a reversible language embedded in stable Rust.
//!
//! Write a function once, in ordinary Rust syntax; get the function, its inverse
//! and its gradient, with no tape.
//!
//! ```
//! use retrograde::prelude::*;
//!
//! /// Adds the product of `a` and `b` to `y`.
//! #[reversible]
//! fn multiplier(y: &mut i64, a: &i64, b: &i64) {
//!     *y += *a * *b;
//! }
//!
//! let mut y = 2;
//! multiplier(&mut y, &3, &5);
//! assert_eq!(y, 17);
//! multiplier::inverse(&mut y, &3, &5);
//! assert_eq!(y, 2);
//! ```
//!
//! The gradient is the inverse program, run backwards through the computation
//! while it carries derivatives:
//!
//! ```
//! use retrograde::prelude::*;
//!
//! /// Adds the length of a vector.
//! #[reversible]
//! fn norm(y: &mut f64, x: &[f64]) {
//!     #[compute]
//!     {
//!         let mut squares = 0.0;
//!         for v in x {
//!             squares += *v * *v;
//!         }
//!     }
//!     *y += squares.sqrt();
//! }
//!
//! let at = norm::gradient(&[0.0, -2.0]);
//! assert_eq!((at.value, at.d_x), (2.0, vec![0.0, -1.0]));
//! ```
//!
//! The guide describes the language form by form; start with
//! [`macro@reversible`], then [`calculus`] for Jacobians and Hessians, [`schedule`]
//! for runs of many steps in little memory, [`testing`] for assertions, and
//! [`derivative`] for the rules of one's own types.
//!
//! # The library
//! - [`linalg`]: products, systems of equations, determinants, factors; [`sparse`] matrices.
//! - [`stats`]: means, variances, correlations, normal densities.
//! - [`neural`]: activations, softmax, cross entropies.
//! - [`signal`]: convolutions, the fast Fourier transform.
//! - [`order`]: sorting, permutations, the largest element.
//! - [`functional`]: maps, folds and filters with functions as values.
//! - [`random`]: random numbers that are drawn backwards.
//! - [`integrate`]: symplectic integrators.
//! - [`operation`]: reversible functions as operations of tensor frameworks.
//!
//! # Features
//! - `faer`: matrices of `faer` as places and in [`linalg`], its sparse matrices in
//!   [`sparse`], and products of matrices at full speed.
//! - `nalgebra`: vectors and matrices of `nalgebra` as places, in expressions and in
//!   [`linalg`].
//! - `ndarray`: arrays of `ndarray` as places and in [`linalg`].
//! - `sprs`: sparse matrices of `sprs` in [`sparse`].
//! - `num-dual`: the numbers of `num-dual` as real numbers.
//! - `rayon`: reversible functions on many threads.
//! - `unchecked`: removes the run-time reversibility checks everywhere.

// Code generated inside this crate refers to it by its name.
extern crate self as retrograde;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod calculus;
pub mod check;
pub mod containers;
pub mod derivative;
pub mod device;
pub mod error;
pub mod functional;
pub mod instructions;
pub mod integrate;
pub mod iter;
pub mod linalg;
pub mod neural;
pub mod num;
pub mod operation;
pub mod order;
#[cfg(feature = "rayon")]
pub mod parallel;
pub mod place;
pub mod prelude;
pub mod random;
mod reversible;
pub mod schedule;
pub mod signal;
pub mod sparse;
pub mod stats;
pub mod testing;
pub mod view;

pub use calculus::{gradient, hessian, hvp, jacobian, jvp, vjp};
pub use error::InvertibilityError;
pub use retrograde_macros::{
    AdditiveGroup, Device, Differentiable, compute, differentiable, instruction, reversible,
    unchecked,
};
pub use reversible::{Adjoint, Inverse, Reversible};

/// Releases an ancilla inside a reversible function: `unlet!(a = e);`.
///
/// The ancilla must hold `e`; going backwards, this is `let mut a = e;`.
#[macro_export]
macro_rules! unlet {
    ($($tokens:tt)*) => {
        ::core::compile_error!(
            "`unlet!` releases an ancilla of a reversible function\nhelp: it works only directly \
             inside a function with `#[reversible]`"
        )
    };
}

/// Ordinary Rust inside a reversible function, run in both directions:
/// asserts, logging, progress.
#[macro_export]
macro_rules! host {
    ($($tokens:tt)*) => {
        ::core::compile_error!(
            "`host!` stands for ordinary Rust inside a reversible function\nhelp: outside of a \
             function with `#[reversible]`, just write the code"
        )
    };
}
