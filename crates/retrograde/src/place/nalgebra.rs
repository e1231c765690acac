//! Elements of vectors and matrices of `nalgebra`.

use super::{Disjoint, at_addresses};
use ::nalgebra::{Dim, IsContiguous, Matrix, RawStorage, RawStorageMut};
use std::fmt::Debug;
use std::ops::Index;

/// Elements of them are places in reversible functions, and the shadow of one has its
/// type and shape:
///
/// ```
/// use nalgebra::{DMatrix, DVector};
/// use retrograde::prelude::*;
///
/// /// `Σ aᵢⱼ (xᵢ − xⱼ)²`.
/// #[reversible]
/// fn springs(y: &mut f64, a: &DMatrix<f64>, x: &DVector<f64>) {
///     for i in 0..a.nrows() {
///         for j in 0..i {
///             *y += a[(i, j)] * (x[i] - x[j]).powi(2);
///         }
///     }
/// }
///
/// let a = DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 2.0, 0.0]);
/// let at = springs::gradient(&a, &DVector::from_vec(vec![1.0, 3.0]));
/// assert_eq!((at.value, at.d_a[(1, 0)]), (8.0, 4.0));
/// assert_eq!(at.d_x, DVector::from_vec(vec![-8.0, 8.0]));
/// ```
///
/// By `usize`, and by `(usize, usize)`.
impl<T, R: Dim, C: Dim, S, I> Disjoint<I> for Matrix<T, R, C, S>
where
    S: RawStorage<T, R, C> + RawStorageMut<T, R, C> + IsContiguous,
    I: Debug + Clone,
    Self: Index<I, Output = T>,
{
    type Output = T;

    #[track_caller]
    fn disjoint<const N: usize>(&mut self, indices: [I; N], source: &'static str) -> [&mut T; N] {
        let addresses = indices.clone().map(|i| std::ptr::from_ref(&self[i]).addr());
        at_addresses(self.as_mut_slice(), addresses, &indices, source)
    }
}
