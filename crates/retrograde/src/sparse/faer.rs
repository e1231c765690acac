//! Matrices of `faer`.

use super::{Pattern, PatternError};
use ::faer::sparse::{SparseColMat, SparseColMatRef, SymbolicSparseColMatRef};

impl<'a> TryFrom<SymbolicSparseColMatRef<'a, usize>> for Pattern<'a> {
    type Error = PatternError;
    fn try_from(a: SymbolicSparseColMatRef<'a, usize>) -> Result<Self, PatternError> {
        if a.col_nnz().is_some() {
            return Err(PatternError::Uncompressed);
        }
        Pattern::new(a.nrows(), a.ncols(), a.col_ptr(), a.row_idx())
    }
}

/// The values of the matrix are `a.val()`.
impl<'a, T> TryFrom<SparseColMatRef<'a, usize, T>> for Pattern<'a> {
    type Error = PatternError;
    fn try_from(a: SparseColMatRef<'a, usize, T>) -> Result<Self, PatternError> {
        a.symbolic().try_into()
    }
}

/// The values of the matrix are `a.val()`.
///
/// ```
/// use faer::sparse::{SparseColMat, Triplet};
/// use retrograde::sparse::{Pattern, PatternError, matvec};
///
/// // [1 0]
/// // [2 3]
/// let triplets = [Triplet::new(0, 0, 1.0), Triplet::new(1, 0, 2.0), Triplet::new(1, 1, 3.0)];
/// let a = SparseColMat::<usize, f64>::try_new_from_triplets(2, 2, &triplets).unwrap();
/// let pattern = Pattern::try_from(&a)?;
/// let (x, mut y) = ([10.0, 100.0], [0.0, 0.0]);
/// matvec(&mut y, &pattern, a.val(), &x);
/// assert_eq!(y, [10.0, 320.0]);
///
/// // The gradient has an entry where the matrix has one.
/// let (mut d_a, mut d_x) = (a.clone(), [0.0; 2]);
/// d_a.val_mut().fill(0.0);
/// matvec::adjoint(&mut y, &mut [1.0, 1.0], &pattern, a.val(), d_a.val_mut(), &x, &mut d_x);
/// assert_eq!((d_a.val(), d_x), (&[10.0, 10.0, 100.0][..], [3.0, 3.0]));
/// # Ok::<(), PatternError>(())
/// ```
///
/// The transpose of a `SparseRowMat`, `a.transpose()`, is a matrix in compressed columns:
/// [`matvec_t`](fn@super::matvec_t) with it is the product with `a`.
impl<'a, T> TryFrom<&'a SparseColMat<usize, T>> for Pattern<'a> {
    type Error = PatternError;
    fn try_from(a: &'a SparseColMat<usize, T>) -> Result<Self, PatternError> {
        a.symbolic().try_into()
    }
}
