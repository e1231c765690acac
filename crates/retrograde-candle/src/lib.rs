//! Reversible functions as operations on the tensors of [candle](https://docs.rs/candle-core).
//!
//! candle records what is done to its tensors, one node for each operation, and goes back through
//! the record to find gradients. `apply` adds a whole reversible function as one node, whose
//! backward pass is the function's adjoint: loops, branches and mutation inside of it leave no
//! record.
//!
//! ```ignore
//! let x = Var::new(&[3.0, 4.0], &Device::Cpu)?;
//! let length = apply(scalar(norm {}), [&x])?;
//! let loss = length.sqr()?; // and on with candle's own operations
//! let gradients = loss.backward()?;
//! ```
//!
//! candle takes minutes to build, so it stands behind the feature `candle`, without which this
//! crate is empty: `retrograde-candle = { version = "0.1", features = ["candle"] }`.
//!
//! - [`scalar`] is for functions with one result, `fn(y: &mut T, x: &[T])`; [`vector`] for many,
//!   `fn(y: &mut [T], x: &[T])`, with the shape of the result; [`alike`] for a result of the same
//!   shape as the argument. The function adds its results to zeros.
//! - A function has from one to three tensors as arguments, which it sees as slices: their
//!   elements, row after row.
//! - Data without a gradient comes by [`With`], in an `Arc`, since candle keeps the operation.
//! - Functions that are generic over `T: Real` run on `f32` and `f64`;
//!   `scalar(f {}).only::<f64>()` is for one that is not generic.

#[cfg(feature = "candle")]
mod node;

#[cfg(feature = "candle")]
pub use node::apply;
pub use retrograde::calculus::With;
pub use retrograde::operation::{Operation, alike, scalar, vector};
