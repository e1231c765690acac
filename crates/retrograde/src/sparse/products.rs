//! Products with sparse matrices.

use super::{Pattern, Transpose};
use crate::linalg::{Matrix, Sign};
use crate::num::Arithmetic;
use retrograde_macros::{instruction, reversible};

#[track_caller]
pub(super) fn has_values(pattern: &Pattern<'_>, values: usize) {
    let entries = pattern.entries();
    assert!(entries == values, "a pattern of {entries} entries with {values} values");
}

#[track_caller]
fn fits(what: &str, found: usize, expected: usize) {
    assert!(found == expected, "{what}, and {found} is not {expected}");
}

#[track_caller]
fn checked(pattern: &Pattern<'_>, values: usize, (rows, columns): (usize, usize)) {
    has_values(pattern, values);
    let (height, width) = (pattern.rows(), pattern.columns());
    assert!(
        rows == height && columns == width,
        "vectors of {rows} and {columns} numbers with a matrix of {height} × {width}"
    );
}

/// `y += A x`.
///
/// The adjoint adds `dyᵢ xⱼ*` to the shadow of each value, and `Aᴴ dy` to that of `x`.
///
/// # Panics
///
/// If the shapes do not fit.
#[instruction(
    inverse = matvec_inverse,
    adjoint = matvec_adjoint,
    inverse_adjoint = matvec_inverse_adjoint,
    gradient = matvec_gradient,
    adds
)]
#[track_caller]
pub fn matvec<T: Arithmetic>(y: &mut [T], #[constant] pattern: &Pattern<'_>, a: &[T], x: &[T]) {
    scatter(Sign::Plus, y, pattern, a, x);
}

#[track_caller]
fn matvec_inverse<T: Arithmetic>(y: &mut [T], pattern: &Pattern<'_>, a: &[T], x: &[T]) {
    scatter(Sign::Minus, y, pattern, a, x);
}

#[track_caller]
fn scatter<T: Arithmetic>(sign: Sign, y: &mut [T], pattern: &Pattern<'_>, a: &[T], x: &[T]) {
    checked(pattern, a.len(), (y.len(), x.len()));
    for (j, x) in x.iter().enumerate() {
        for (i, a) in pattern.column_rows(j).iter().zip(&a[pattern.column(j)]) {
            sign.apply(&mut y[*i], a.clone() * x.clone());
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
#[instruction(
    inverse = matvec_t_inverse,
    adjoint = matvec_t_adjoint,
    inverse_adjoint = matvec_t_inverse_adjoint,
    gradient = matvec_t_gradient,
    adds
)]
#[track_caller]
pub fn matvec_t<T: Arithmetic>(y: &mut [T], #[constant] pattern: &Pattern<'_>, a: &[T], x: &[T]) {
    gather(Sign::Plus, y, pattern, a, x);
}

#[track_caller]
fn matvec_t_inverse<T: Arithmetic>(y: &mut [T], pattern: &Pattern<'_>, a: &[T], x: &[T]) {
    gather(Sign::Minus, y, pattern, a, x);
}

#[track_caller]
fn gather<T: Arithmetic>(sign: Sign, y: &mut [T], pattern: &Pattern<'_>, a: &[T], x: &[T]) {
    checked(pattern, a.len(), (x.len(), y.len()));
    for (j, y) in y.iter_mut().enumerate() {
        let entries = pattern.column_rows(j).iter().zip(&a[pattern.column(j)]);
        let sum = entries.fold(T::zero(), |sum, (i, a)| sum + a.clone() * x[*i].clone());
        sign.apply(y, sum);
    }
}

/// What is read gets of the gradient, in one walk through the entries, in which the values
/// are restored as well, if that is asked for.
macro_rules! adjoints {
    ($(($scatter:ident, $gather:ident): $restores:literal, $sign:expr;)+) => {$(
        #[track_caller]
        fn $scatter<T: Arithmetic>(
            y: &mut [T],
            d_y: &mut [T],
            pattern: &Pattern<'_>,
            a: &[T],
            d_a: &mut [T],
            x: &[T],
            d_x: &mut [T],
        ) {
            checked(pattern, a.len(), (y.len(), x.len()));
            checked(pattern, d_a.len(), (d_y.len(), d_x.len()));
            let sign: Sign = $sign;
            for (j, (x, d_x)) in x.iter().zip(d_x).enumerate() {
                let (column, slope) = (pattern.column(j), x.clone().conj());
                let values = a[column.clone()].iter().zip(&mut d_a[column]);
                let mut sum = T::zero();
                for (i, (a, d_a)) in pattern.column_rows(j).iter().zip(values) {
                    if $restores {
                        sign.opposite().apply(&mut y[*i], a.clone() * x.clone());
                    }
                    let g = &d_y[*i];
                    sign.apply(d_a, g.clone() * slope.clone());
                    sum.accumulate_shadow(g.clone() * a.clone().conj());
                }
                sign.apply(d_x, sum);
            }
        }

        #[track_caller]
        fn $gather<T: Arithmetic>(
            y: &mut [T],
            d_y: &mut [T],
            pattern: &Pattern<'_>,
            a: &[T],
            d_a: &mut [T],
            x: &[T],
            d_x: &mut [T],
        ) {
            checked(pattern, a.len(), (x.len(), y.len()));
            checked(pattern, d_a.len(), (d_x.len(), d_y.len()));
            let sign: Sign = $sign;
            for (j, (y, g)) in y.iter_mut().zip(&*d_y).enumerate() {
                let column = pattern.column(j);
                let values = a[column.clone()].iter().zip(&mut d_a[column]);
                let mut sum = T::zero();
                for (i, (a, d_a)) in pattern.column_rows(j).iter().zip(values) {
                    let x = &x[*i];
                    sum += a.clone() * x.clone();
                    sign.apply(d_a, g.clone() * x.clone().conj());
                    sign.apply(&mut d_x[*i], g.clone() * a.clone().conj());
                }
                if $restores {
                    sign.opposite().apply(y, sum);
                }
            }
        }
    )+};
}

adjoints! {
    (matvec_adjoint, matvec_t_adjoint): true, Sign::Plus;
    (matvec_inverse_adjoint, matvec_t_inverse_adjoint): true, Sign::Minus;
    (matvec_gradient, matvec_t_gradient): false, Sign::Plus;
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
