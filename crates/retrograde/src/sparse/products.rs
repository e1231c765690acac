//! Products with sparse matrices.

use super::{Pattern, Transpose};
use crate::linalg::Matrix;
use crate::num::Arithmetic;
use retrograde_macros::reversible;

#[track_caller]
pub(super) fn has_values(pattern: &Pattern<'_>, values: usize) {
    let entries = pattern.entries();
    assert!(entries == values, "a pattern of {entries} entries with {values} values");
}

#[track_caller]
fn fits(what: &str, found: usize, expected: usize) {
    assert!(found == expected, "{what}, and {found} is not {expected}");
}

/// `y += A x`.
///
/// # Panics
///
/// If the shapes do not fit.
#[reversible]
pub fn matvec<T: Arithmetic>(y: &mut [T], #[constant] pattern: &Pattern<'_>, a: &[T], x: &[T]) {
    host! {
        has_values(pattern, a.len());
        fits("y has a number for each row of A", y.len(), pattern.rows());
        fits("x has a number for each column of A", x.len(), pattern.columns());
    }
    for (j, x_j) in x.iter().enumerate() {
        let column = pattern.column(j);
        for (i, a_ij) in pattern.column_rows(j).iter().zip(&a[column]) {
            y[*i] += *a_ij * *x_j;
        }
    }
}

/// `y += Aᵀ x`.
///
/// ```
/// use retrograde::sparse::{Pattern, matvec_t};
///
/// // [1 0]
/// // [2 3]
/// let pattern = Pattern::new(2, 2, &[0, 2, 3], &[0, 1, 1])?;
/// let mut y = [0.0, 0.0];
/// matvec_t(&mut y, &pattern, &[1.0, 2.0, 3.0], &[10.0, 100.0]);
/// assert_eq!(y, [210.0, 300.0]);
/// matvec_t::inverse(&mut y, &pattern, &[1.0, 2.0, 3.0], &[10.0, 100.0]);
/// assert_eq!(y, [0.0, 0.0]);
/// # Ok::<(), retrograde::sparse::PatternError>(())
/// ```
///
/// # Panics
///
/// If the shapes do not fit.
#[reversible]
pub fn matvec_t<T: Arithmetic>(y: &mut [T], #[constant] pattern: &Pattern<'_>, a: &[T], x: &[T]) {
    host! {
        has_values(pattern, a.len());
        fits("y has a number for each column of A", y.len(), pattern.columns());
        fits("x has a number for each row of A", x.len(), pattern.rows());
    }
    for (j, y_j) in y.iter_mut().enumerate() {
        let column = pattern.column(j);
        for (i, a_ij) in pattern.column_rows(j).iter().zip(&a[column]) {
            *y_j += *a_ij * x[*i];
        }
    }
}

/// `C += A B`, of a sparse `A` and dense matrices.
///
/// ```
/// use retrograde::linalg::Matrix;
/// use retrograde::sparse::{Pattern, sparse_dense};
///
/// // [1 0]
/// // [2 3]
/// let pattern = Pattern::new(2, 2, &[0, 2, 3], &[0, 1, 1])?;
/// let b = Matrix::from_rows([[1.0, 10.0], [0.0, 100.0]]);
/// let mut c = Matrix::zeros(2, 2);
/// sparse_dense(&mut c, &pattern, &[1.0, 2.0, 3.0], &b);
/// assert_eq!(c, Matrix::from_rows([[1.0, 10.0], [2.0, 320.0]]));
/// # Ok::<(), retrograde::sparse::PatternError>(())
/// ```
///
/// # Panics
///
/// If the shapes do not fit.
#[reversible]
pub fn sparse_dense<T: Arithmetic>(
    c: &mut Matrix<T>,
    #[constant] pattern: &Pattern<'_>,
    a: &[T],
    b: &Matrix<T>,
) {
    host! {
        has_values(pattern, a.len());
        fits("C has a row for each row of A", c.rows(), pattern.rows());
        fits("B has a row for each column of A", b.rows(), pattern.columns());
        fits("C has a column for each column of B", c.columns(), b.columns());
    }
    for j in 0..pattern.columns() {
        let column = pattern.column(j);
        for (i, a_ij) in pattern.column_rows(j).iter().zip(&a[column]) {
            for (c, b) in c.row_mut(*i).iter_mut().zip(b.row(j)) {
                *c += *a_ij * *b;
            }
        }
    }
}

/// `C += B A`, of a sparse `A` and dense matrices.
///
/// ```
/// use retrograde::linalg::Matrix;
/// use retrograde::sparse::{Pattern, dense_sparse};
///
/// // [1 0]
/// // [2 3]
/// let pattern = Pattern::new(2, 2, &[0, 2, 3], &[0, 1, 1])?;
/// let b = Matrix::from_rows([[1.0, 10.0], [0.0, 100.0]]);
/// let mut c = Matrix::zeros(2, 2);
/// dense_sparse(&mut c, &b, &pattern, &[1.0, 2.0, 3.0]);
/// assert_eq!(c, Matrix::from_rows([[21.0, 30.0], [200.0, 300.0]]));
/// # Ok::<(), retrograde::sparse::PatternError>(())
/// ```
///
/// # Panics
///
/// If the shapes do not fit.
#[reversible]
pub fn dense_sparse<T: Arithmetic>(
    c: &mut Matrix<T>,
    b: &Matrix<T>,
    #[constant] pattern: &Pattern<'_>,
    a: &[T],
) {
    host! {
        has_values(pattern, a.len());
        fits("C has a row for each row of B", c.rows(), b.rows());
        fits("B has a column for each row of A", b.columns(), pattern.rows());
        fits("C has a column for each column of A", c.columns(), pattern.columns());
    }
    for i in 0..b.rows() {
        let to: &mut [T] = c.row_mut(i);
        let from = b.row(i);
        matvec_t(to, pattern, a, from);
    }
}

/// Adds the values of a matrix to those of its [transpose](Pattern::transposed).
///
/// # Panics
///
/// If there are not as many of them as entries.
#[reversible]
pub fn transpose<T: Arithmetic>(out: &mut [T], #[constant] to: &Transpose, a: &[T]) {
    host! {
        has_values(&to.pattern(), out.len());
        has_values(&to.pattern(), a.len());
    }
    for (out, k) in out.iter_mut().zip(to.order()) {
        *out += a[*k];
    }
}
