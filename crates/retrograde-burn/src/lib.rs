//! Reversible functions as operations on the tensors of [burn](https://docs.rs/burn).
//!
//! burn records what is done to the tensors of an autodiff device, one step for each operation,
//! and goes back through the record to find gradients. `apply` adds a whole reversible function
//! as one step, whose backward pass is the function's adjoint: loops, branches and mutation
//! inside of it leave no record.
//!
//! ```ignore
//! let x = Tensor::<1>::from_floats([3.0, 4.0], &Device::flex().autodiff()).require_grad();
//! let length: Tensor<1> = apply(scalar(norm {}), x.clone())?;
//! let loss = length.square(); // and on with burn's own operations
//! let gradients = loss.backward();
//! ```
//!
//! burn takes minutes to build, so it stands behind the feature `burn`, without which this crate
//! is empty: `retrograde-burn = { version = "0.1", features = ["burn"] }`.
//!
//! - [`scalar`] is for functions with one result, `fn(y: &mut T, x: &[T])`; [`vector`] for many,
//!   `fn(y: &mut [T], x: &[T])`, with the shape of the result; [`alike`] for a result of the same
//!   shape as the argument. The function adds its results to zeros.
//! - A function has from one to three tensors as arguments, which it sees as slices: their
//!   elements, row after row.
//! - Data without a gradient comes by [`With`], in an `Arc`, since burn keeps the operation.
//! - Functions that are generic over `T: Real` run on `f32` and `f64`;
//!   `scalar(f {}).only::<f64>()` is for one that is not generic.
//! - The tensors are on burn's own backend for the CPU, `Flex`.

#[cfg(feature = "burn")]
mod step;

pub use retrograde::calculus::With;
pub use retrograde::operation::{Operation, alike, scalar, vector};
#[cfg(feature = "burn")]
pub use step::{Error, Tensors, apply};
