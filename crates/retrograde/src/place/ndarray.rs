//! Elements of arrays of `ndarray`.

use super::{Disjoint, at_addresses};
use ::ndarray::{ArrayBase, DataMut, Dimension, NdIndex};

/// Elements of them are places in reversible functions, and the shadow of one has its
/// type and shape:
///
/// ```
/// use ndarray::{Array1, Array2, array};
/// use retrograde::prelude::*;
///
/// /// `Σ aᵢⱼ (xᵢ − xⱼ)²`.
/// #[reversible]
/// fn springs(y: &mut f64, a: &Array2<f64>, x: &Array1<f64>) {
///     for i in 0..a.nrows() {
///         for j in 0..i {
///             *y += a[[i, j]] * (x[i] - x[j]).powi(2);
///         }
///     }
/// }
///
/// let a = array![[0.0, 0.0], [2.0, 0.0]];
/// let at = springs::gradient(&a, &array![1.0, 3.0]);
/// assert_eq!((at.value, at.d_a[[1, 0]]), (8.0, 4.0));
/// assert_eq!(at.d_x, array![-8.0, 8.0]);
/// ```
///
/// By what the array is indexed with: `[i, j]`.
///
/// # Panics
///
/// If the elements of the array do not lie side by side in memory.
impl<S: DataMut, D: Dimension, I: NdIndex<D> + Clone> Disjoint<I> for ArrayBase<S, D> {
    type Output = S::Elem;

    #[track_caller]
    fn disjoint<const N: usize>(
        &mut self,
        indices: [I; N],
        source: &'static str,
    ) -> [&mut S::Elem; N] {
        let addresses = indices.clone().map(|i| std::ptr::from_ref(&self[i]).addr());
        match self.as_slice_memory_order_mut() {
            Some(elements) => at_addresses(elements, addresses, &indices, source),
            None => panic!(
                "elements of an array that does not lie side by side in memory are not borrowed \
                 together: take `as_standard_layout` of it"
            ),
        }
    }
}
