//! Linear algebra, with inverses and gradients.
//!
//! | call | does | gradient |
//! |---|---|---|
//! | [`sum(x)`](fn@sum) | `Σ xᵢ` | `g` |
//! | [`dot(x, y)`](fn@dot) | `Σ xᵢ* yᵢ` | `g* y`, `g x` |
//! | [`norm2(x)`](fn@norm2), [`norm(x)`](fn@norm) | `Σ \|xᵢ\|²`, its root | `2 g x`, `g x/‖x‖` |
//! | [`sq_distance(x, y)`](fn@sq_distance) | `Σ \|xᵢ − yᵢ\|²` | `±2 g (x − y)` |
//! | [`det(a)`](fn@det), [`logdet(a)`](fn@logdet) | `det A`, `ln \|det A\|` | `g (det A)* A⁻ᴴ`, `g A⁻ᵀ` |
//! | [`axpy(y, a, x)`](fn@axpy) | `y += a x` | |
//! | [`matmul(c, a, b)`](fn@matmul), [`matmul_tn`](fn@matmul_tn), [`matmul_nt`](fn@matmul_nt) | `C += A B`, `Aᵀ B`, `A Bᵀ` | `dA += dC Bᴴ`, `dB += Aᴴ dC` |
//! | [`gemm(c, …, a, …, b, …)`](fn@gemm) | the same in slices of the caller's | |
//! | [`affine(y, w, b, x)`](fn@affine) | `y += W x + b` | |
//! | [`solve(x, a, b)`](fn@solve) | `X += A⁻¹ B` | `dB += A⁻ᴴ dX`, `dA −= A⁻ᴴ dX (A⁻¹ B)ᴴ` |
//! | [`inverse(out, a)`](fn@inverse) | `out += A⁻¹` | `dA −= A⁻ᴴ dOut A⁻ᴴ` |
//! | [`qr(q, r, a)`](fn@qr) | `Q += `, `R += ` of `A = Q R` | below |
//! | [`unitary(x, angles)`](fn@unitary) | `X ↦ U X`, in place | |
//!
//! The first five are pure functions, for use inside of expressions:
//! `*y += 0.5 * norm2(x);`. The others are reversible functions.
//!
//! A matrix is what implements [`Dense`]: [`Matrix`], which owns its elements row by
//! row; with the features `faer`, `nalgebra` and `ndarray` the matrices of these
//! libraries; and slices, `Vec`s and arrays, which are matrices of one column. So `matmul(y, a, x)` is the product
//! with a vector, and `matmul_nt(c, x, y)` the outer product. A matrix in a flat
//! slice of the caller's goes to [`gemm`](fn@gemm) with its [`Layout`].
//!
//! ```
//! use retrograde::linalg::{Matrix, affine, norm2};
//! use retrograde::prelude::*;
//!
//! /// `½ ‖W x + b‖²`.
//! #[reversible]
//! fn loss<T: Real>(y: &mut T, w: &Matrix<T>, b: &[T], x: &[T]) {
//!     let mut out = vec![0.0; b.len()];
//!     #[compute]
//!     {
//!         affine(&mut out, w, b, x);
//!     }
//!     *y += 0.5 * norm2(&out);
//! }
//!
//! let w = Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]);
//! let at = loss::gradient(&w, &[0.0, -7.0], &[1.0, 1.0]);
//! assert_eq!((at.value, at.d_b), (4.5, vec![3.0, 0.0]));
//! assert_eq!(at.d_w, Matrix::from_rows([[3.0, 3.0], [0.0, 0.0]]));
//! assert_eq!(at.d_x, [3.0, 6.0]);
//! ```
//!
//! # Speed
//!
//! All of it works for every [`Arithmetic`](crate::num::Arithmetic) number, so that
//! dual numbers, fixed point and so on flow through. With the feature `faer`, products of
//! `f64`, `f32` and complex numbers of them are those of that library: in blocks that fit
//! the caches, on the widest registers of the machine, on one thread. So are their
//! adjoints, and the factorisations, which are made of products. Other numbers, and all
//! without the feature, have plain loops.
//!
//! # Singular matrices
//!
//! [`inverse`](fn@inverse), [`solve`](fn@solve), [`logdet`](fn@logdet),
//! [`qr`](fn@qr) and the gradient of [`det`](fn@det) panic, and say so, where an
//! elimination finds no pivot other than zero: what they would give does not exist.

mod dense;
mod kernel;
mod lu;
mod matrix;
mod orthonormal;
mod products;

mod rotations;
#[cfg(test)]
mod tests;
mod vectors;

pub use dense::{Dense, Layout, View, ViewMut};
pub use kernel::Sign;
#[cfg(feature = "faer")]
pub(crate) use kernel::blocked;
pub(crate) use kernel::by_loops;
pub use lu::{det, inverse, logdet, solve};
pub use matrix::Matrix;
pub use orthonormal::qr;
pub use products::{affine, gemm, matmul, matmul_nt, matmul_tn};
pub use rotations::unitary;
pub use vectors::{axpy, dot, norm, norm2, sq_distance, sum};
