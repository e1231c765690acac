//! Sparse matrices in compressed columns, borrowed from whoever holds them.
//!
//! A sparse matrix is two arguments: a [`Pattern`], which says where its entries are and
//! carries no gradient, and the slice of their values. So the shadow of a sparse matrix is
//! a slice of as many numbers as it has entries, and a gradient is sparse in the same way.
//!
//! | call | does |
//! |---|---|
//! | [`dot(p, a, q, b)`](fn@dot) | `Σ Aᵢⱼ* Bᵢⱼ` |
//! | [`matvec(y, p, a, x)`](fn@matvec), [`matvec_t`](fn@matvec_t) | `y += A x`, `y += Aᵀ x` |
//! | [`sparse_dense(c, p, a, b)`](fn@sparse_dense) | `C += A B`, with a dense `B` |
//! | [`dense_sparse(c, b, p, a)`](fn@dense_sparse) | `C += B A`, with a dense `B` |
//! | [`transpose(out, t, a)`](fn@transpose) | the values in the order of the transpose |
//!
//! ```
//! use retrograde::prelude::*;
//! use retrograde::sparse::{Pattern, matvec};
//!
//! // [1 0]
//! // [2 3]
//! let (starts, rows) = ([0, 2, 3], [0, 1, 1]);
//! let pattern = Pattern::new(2, 2, &starts, &rows)?;
//! let (values, x, mut y) = ([1.0, 2.0, 3.0], [10.0, 100.0], [0.0, 0.0]);
//! matvec(&mut y, &pattern, &values, &x);
//! assert_eq!(y, [10.0, 320.0]);
//!
//! let (mut d_y, mut d_values, mut d_x) = ([1.0, 1.0], [0.0; 3], [0.0; 2]);
//! matvec::adjoint(&mut y, &mut d_y, &pattern, &values, &mut d_values, &x, &mut d_x);
//! assert_eq!((y, d_x), ([0.0, 0.0], [3.0, 3.0]));
//! assert_eq!(d_values, [10.0, 10.0, 100.0]);
//! # Ok::<(), retrograde::sparse::PatternError>(())
//! ```
//!
//! A matrix that is put together in the program has a [`PatternBuf`], made of triplets.
//!
//! # Matrices of other libraries
//!
//! The pattern borrows from those that hold compressed columns. With the features of these
//! names, `Pattern::try_from(&a)` takes that of a `sprs::CsMat` or `sprs::CsMatView`, whose
//! values are `a.data()`, and of a `faer::sparse::SparseColMat`, whose values are `a.val()`:
//! see [`Pattern`]. From others, [`Pattern::new`] takes the slices.
//!
//! One in compressed rows is the transpose of one in compressed columns: take the pattern of
//! the transpose, and call [`matvec_t`](fn@matvec_t) for `A x`.

#[cfg(feature = "faer")]
mod faer;
mod inner;
mod pattern;
mod products;
#[cfg(feature = "sprs")]
mod sprs;
#[cfg(test)]
mod tests;

pub use inner::dot;
pub use pattern::{Pattern, PatternBuf, PatternError, Transpose};
pub use products::{dense_sparse, matvec, matvec_t, sparse_dense, transpose};
