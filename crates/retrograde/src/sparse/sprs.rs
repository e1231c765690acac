//! Matrices of `sprs`.

use super::{Pattern, PatternError};
use ::sprs::CsMatBase;
use std::ops::Deref;

/// Of a matrix that owns its entries or borrows them. Its values are `a.data()`.
///
/// ```
/// use retrograde::sparse::{Pattern, PatternError, matvec, matvec_t};
/// use sprs::{CsMat, TriMat};
///
/// // [1 0]
/// // [2 3]
/// let mut triplets = TriMat::new((2, 2));
/// triplets.add_triplet(0, 0, 1.0);
/// triplets.add_triplet(1, 0, 2.0);
/// triplets.add_triplet(1, 1, 3.0);
/// let a: CsMat<f64> = triplets.to_csc();
/// let pattern = Pattern::try_from(&a)?;
/// let (x, mut y) = ([10.0, 100.0], [0.0, 0.0]);
/// matvec(&mut y, &pattern, a.data(), &x);
/// assert_eq!(y, [10.0, 320.0]);
///
/// // The gradient has an entry where the matrix has one.
/// let (mut d_a, mut d_x) = (a.map(|_| 0.0), [0.0; 2]);
/// let (mut d_y, d_values) = ([1.0, 1.0], d_a.data_mut());
/// matvec::adjoint(&mut y, &mut d_y, &pattern, a.data(), d_values, &x, &mut d_x);
/// assert_eq!((d_a.data(), d_x), (&[10.0, 10.0, 100.0][..], [3.0, 3.0]));
///
/// // In compressed rows: the pattern of the transpose.
/// let a: CsMat<f64> = triplets.to_csr();
/// assert_eq!(Pattern::try_from(&a), Err(PatternError::CompressedRows));
/// let a = a.transpose_view();
/// matvec_t(&mut y, &Pattern::try_from(&a)?, a.data(), &x);
/// assert_eq!(y, [10.0, 320.0]);
/// # Ok::<(), PatternError>(())
/// ```
impl<'a, N, Starts, Rows, Values> TryFrom<&'a CsMatBase<N, usize, Starts, Rows, Values>>
    for Pattern<'a>
where
    Starts: Deref<Target = [usize]>,
    Rows: Deref<Target = [usize]>,
    Values: Deref<Target = [N]>,
{
    type Error = PatternError;
    fn try_from(a: &'a CsMatBase<N, usize, Starts, Rows, Values>) -> Result<Self, PatternError> {
        if !a.is_csc() {
            return Err(PatternError::CompressedRows);
        }
        Pattern::new(a.rows(), a.cols(), a.indptr().into_raw_storage(), a.indices())
    }
}
