//! Reversible functions for the tests of another crate to call.

use retrograde::prelude::*;

/// `y += x²`.
#[reversible]
pub fn square<T: Arithmetic>(y: &mut T, x: &T) {
    *y += *x * *x;
}

/// A module, for paths of several segments.
pub mod inner {
    use retrograde::prelude::*;

    /// Adds the length and the sum.
    #[reversible]
    pub fn summarise(count: &mut usize, total: &mut f64, xs: &[f64]) {
        *count += xs.len();
        for x in xs {
            *total += *x;
        }
    }
}

/// The programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
