//! `A = Q R`.

use super::kernel::{self, Sign, product};
use super::{Dense, Layout, Matrix, View};
use crate::num::{Arithmetic, Elementary};
use retrograde_macros::instruction;

/// `Q += …, R += …`, of `A = Q R`: the columns of `Q` are orthonormal, and `R` is an upper
/// triangle with a positive diagonal, which makes both of them unique.
///
/// `A` has at least as many rows as columns, `Q` has its shape, and `R` is square.
///
/// ```
/// use retrograde::linalg::{Matrix, qr};
///
/// let a = Matrix::from_rows([[3.0, 1.0], [4.0, -7.0], [0.0, 2.0]]);
/// let (mut q, mut r) = (Matrix::zeros(3, 2), Matrix::zeros(2, 2));
/// qr(&mut q, &mut r, &a);
/// assert!((r[(0, 0)] - 5.0_f64).abs() < 1e-14 && (r[(0, 1)] + 5.0_f64).abs() < 1e-14);
/// assert!((q[(1, 0)] - 0.8).abs() < 1e-14);
/// qr::inverse(&mut q, &mut r, &a);
/// assert_eq!((q, r), (Matrix::zeros(3, 2), Matrix::zeros(2, 2)));
/// ```
///
/// With `M = dR Rᴴ − Qᴴ dQ`, whose upper triangle is reflected to make a Hermitian matrix
/// `H`, the adjoint adds `(dQ + Q H) R⁻ᴴ` to the shadow of `A`.
///
/// # Panics
///
/// If the columns of `A` are not independent: such a matrix has no unique `Q`, and no
/// gradient. Or if the shapes do not fit.
#[instruction(inverse = qr_inverse, adjoint = qr_adjoint, inverse_adjoint = qr_inverse_adjoint)]
#[track_caller]
pub fn qr<Q, R, A>(q: &mut Q, r: &mut R, a: &A)
where
    Q: Dense<Element: Elementary> + ?Sized,
    R: Dense<Element = Q::Element> + ?Sized,
    A: Dense<Element = Q::Element> + ?Sized,
{
    Factors::of(a.view()).add(Sign::Plus, q, r);
}

#[track_caller]
fn qr_inverse<Q, R, A>(q: &mut Q, r: &mut R, a: &A)
where
    Q: Dense<Element: Elementary> + ?Sized,
    R: Dense<Element = Q::Element> + ?Sized,
    A: Dense<Element = Q::Element> + ?Sized,
{
    Factors::of(a.view()).add(Sign::Minus, q, r);
}

/// The columns of `Q`, as rows of a matrix, and `R`.
struct Factors<T> {
    columns: Matrix<T>,
    r: Matrix<T>,
}

impl<T: Elementary> Factors<T> {
    /// Each column is made orthogonal to those before it, twice: the first time leaves
    /// round-off, of which the second leaves nothing.
    #[track_caller]
    fn of(a: View<'_, T>) -> Self {
        let Layout { rows, columns: n, .. } = a.layout();
        assert!(rows >= n, "qr: a matrix of {rows} × {n} has more columns than rows");
        let mut columns = Matrix::from_fn(n, rows, |j, i| a.at(i, j).clone());
        let mut r = Matrix::zeros(n, n);
        for j in 0..n {
            let (before, rest) = columns.as_mut_slice().split_at_mut(j * rows);
            let column = &mut rest[..rows];
            let scale = super::norm(column);
            for _ in 0..2 {
                for (i, other) in before.chunks_exact(rows).enumerate() {
                    let part = super::dot(other, column);
                    kernel::add_scaled(column, Sign::Minus, &part, other);
                    r[(i, j)] += part;
                }
            }
            let length = super::norm(column);
            assert!(
                !length.is_zero() && !length.agrees(&T::zero(), ROUND_OFF * scale.magnitude()),
                "qr: the columns of the matrix are not independent: column {j} is a sum of those \
                 before it"
            );
            for x in column {
                *x = x.clone() / length.clone();
            }
            r[(j, j)] = length;
        }
        Factors { columns, r }
    }

    #[track_caller]
    fn add<Q, R>(&self, sign: Sign, q: &mut Q, r: &mut R)
    where
        Q: Dense<Element = T> + ?Sized,
        R: Dense<Element = T> + ?Sized,
    {
        for (mut place, value) in
            [(q.view_mut(), self.columns.view().transposed()), (r.view_mut(), self.r.view())]
        {
            let (found, Layout { rows, columns, .. }) = (place.layout(), value.layout());
            assert!(
                found.rows == rows && found.columns == columns,
                "qr: a factor of {rows} × {columns} is added to a matrix of {} × {}",
                found.rows,
                found.columns
            );
            for i in 0..rows {
                for j in 0..columns {
                    sign.apply(place.at_mut(i, j), value.at(i, j).clone());
                }
            }
        }
    }
}

/// Checks compare with a tolerance for long computations. Of that, this part is left for a
/// column that differs from a sum of others.
const ROUND_OFF: f64 = 1e-4;

#[track_caller]
fn pull<Q, R, A>(
    sign: Sign,
    (q, d_q): (&mut Q, &mut Q),
    (r, d_r): (&mut R, &mut R),
    (a, d_a): (&A, &mut A),
) where
    Q: Dense<Element: Elementary> + ?Sized,
    R: Dense<Element = Q::Element> + ?Sized,
    A: Dense<Element = Q::Element> + ?Sized,
{
    let factors = Factors::of(a.view());
    factors.add(sign.opposite(), q, r);
    let (columns, triangle) = (factors.columns.view(), factors.r.view());
    let (rows, n) = (factors.columns.columns(), factors.r.rows());
    let (d_q, d_r) = (d_q.view(), d_r.view());
    let mut m = Matrix::zeros(n, n);
    product(m.view_mut(), Sign::Plus, d_r, triangle.adjoint());
    // The rows of `columns` are those of Qᵀ.
    let q = columns.transposed();
    product(m.view_mut(), Sign::Minus, q.adjoint(), d_q);
    for i in 0..n {
        m[(i, i)] = (m[(i, i)].clone() + m[(i, i)].clone().conj()).scaled(0.5);
        for j in 0..i {
            m[(i, j)] = m[(j, i)].clone().conj();
        }
    }
    let mut x = Matrix::from_fn(rows, n, |i, j| d_q.at(i, j).clone());
    product(x.view_mut(), Sign::Plus, q, m.view());
    // X R⁻ᴴ: from the last column to the first.
    for row in x.as_mut_slice().chunks_exact_mut(n.max(1)) {
        for j in (0..n).rev() {
            for k in j + 1..n {
                let part = row[k].clone() * triangle.at(j, k).clone().conj();
                row[j] -= part;
            }
            row[j] = row[j].clone() / triangle.at(j, j).clone().conj();
        }
    }
    let mut d_a = d_a.view_mut();
    for i in 0..rows {
        for j in 0..n {
            sign.apply(d_a.at_mut(i, j), x[(i, j)].clone());
        }
    }
}

#[track_caller]
fn qr_adjoint<Q, R, A>(q: &mut Q, d_q: &mut Q, r: &mut R, d_r: &mut R, a: &A, d_a: &mut A)
where
    Q: Dense<Element: Elementary> + ?Sized,
    R: Dense<Element = Q::Element> + ?Sized,
    A: Dense<Element = Q::Element> + ?Sized,
{
    pull(Sign::Plus, (q, d_q), (r, d_r), (a, d_a));
}

#[track_caller]
fn qr_inverse_adjoint<Q, R, A>(q: &mut Q, d_q: &mut Q, r: &mut R, d_r: &mut R, a: &A, d_a: &mut A)
where
    Q: Dense<Element: Elementary> + ?Sized,
    R: Dense<Element = Q::Element> + ?Sized,
    A: Dense<Element = Q::Element> + ?Sized,
{
    pull(Sign::Minus, (q, d_q), (r, d_r), (a, d_a));
}
