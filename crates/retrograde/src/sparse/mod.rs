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
//! # Matrices of other libraries
//!
//! Those that hold compressed columns lend three slices. Of a
//! `sprs::CsMat` in that order:
//!
//! ```ignore
//! let starts = a.indptr();
//! let pattern = Pattern::new(a.rows(), a.cols(), starts.raw_storage(), a.indices())?;
//! matvec(&mut y, &pattern, a.data(), &x);
//! ```
//!
//! Of a `faer::sparse::SparseColMat<usize, f64>`:
//!
//! ```ignore
//! let s = a.symbolic();
//! let pattern = Pattern::new(a.nrows(), a.ncols(), s.col_ptr(), s.row_idx())?;
//! matvec(&mut y, &pattern, a.val(), &x);
//! ```
//!
//! One in compressed rows is the transpose of one in compressed columns: exchange rows and
//! columns, and call [`matvec_t`](fn@matvec_t) for `A x`.

mod inner;
mod pattern;
mod products;
#[cfg(test)]
mod tests;

pub use inner::dot;
pub use pattern::{Pattern, PatternError, Transpose};
pub use products::{dense_sparse, matvec, matvec_t, sparse_dense, transpose};
