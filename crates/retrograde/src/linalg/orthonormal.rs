//! `A = Q R`.

use super::kernel::{self, Sign, product};
use super::{Dense, Layout, Matrix, View, ViewMut};
use crate::check::Slack;
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

/// How many columns are made orthogonal to those before them at once, by products.
const BLOCK: usize = 32;

impl<T: Elementary> Factors<T> {
    /// Block by block: each is made orthogonal to those before it, and its columns to each
    /// other. All that is done twice: the first time leaves round-off, of which the second
    /// leaves nothing.
    #[track_caller]
    fn of(a: View<'_, T>) -> Self {
        let Layout { rows, columns: n, .. } = a.layout();
        assert!(rows >= n, "qr: a matrix of {rows} × {n} has more columns than rows");
        let mut columns = Matrix::from_fn(n, rows, |j, i| a.at(i, j).clone());
        let mut r = Matrix::zeros(n, n);
        for start in (0..n).step_by(BLOCK) {
            let width = BLOCK.min(n - start);
            let (before, rest) = columns.as_mut_slice().split_at_mut(start * rows);
            let block = &mut rest[..width * rows];
            let before = View::new(before, Layout::by_rows(start, rows));
            let scales: Vec<T> =
                block.chunks_exact(rows).map(|column| super::norm(column)).collect();
            let mut above = without(block, before);
            let mut triangle = orthonormal(block, rows, start, &scales);
            if start > 0 {
                // A = Q S + U R, and then U = Q S' + V R'.
                let more = without(block, before);
                let ones = vec![T::one(); width];
                let second = orthonormal(block, rows, start, &ones);
                product(above.view_mut(), Sign::Plus, more.view(), triangle.view());
                triangle = Matrix::from_fn(width, width, |i, j| {
                    let terms = (i..=j).map(|k| second[(i, k)].clone() * triangle[(k, j)].clone());
                    terms.fold(T::zero(), |sum, term| sum + term)
                });
            }
            for (i, row) in above.as_slice().chunks_exact(width).enumerate() {
                r.row_mut(i)[start..start + width].clone_from_slice(row);
            }
            for (i, row) in triangle.as_slice().chunks_exact(width).enumerate() {
                r.row_mut(start + i)[start..start + width].clone_from_slice(row);
            }
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

/// Takes from the columns of a block what they have in common with those before it, `Q`:
/// `S = Qᴴ W`, `W −= Q S`. Columns are rows here.
fn without<T: Elementary>(block: &mut [T], before: View<'_, T>) -> Matrix<T> {
    let Layout { rows: count, columns: rows, .. } = before.layout();
    let layout = Layout::by_rows(block.len() / rows.max(1), rows);
    let mut common = Matrix::zeros(count, layout.rows);
    let conjugate = before.transposed().adjoint();
    let turned = View::new(block, layout).transposed();
    product(common.view_mut(), Sign::Plus, conjugate, turned);
    product(ViewMut::new(block, layout), Sign::Minus, common.view().transposed(), before);
    common
}

/// Makes the columns of a block orthonormal, each of them twice, and gives the triangle that
/// it is the product with. The block starts with column `start` of the matrix, whose columns
/// had the lengths `scales`.
#[track_caller]
fn orthonormal<T: Elementary>(
    block: &mut [T],
    rows: usize,
    start: usize,
    scales: &[T],
) -> Matrix<T> {
    let mut r = Matrix::zeros(scales.len(), scales.len());
    for (j, scale) in scales.iter().enumerate() {
        let (before, rest) = block.split_at_mut(j * rows);
        let column = &mut rest[..rows];
        for _ in 0..2 {
            for (i, other) in before.chunks_exact(rows).enumerate() {
                let part = super::dot(other, column);
                kernel::add_scaled(column, Sign::Minus, &part, other);
                r[(i, j)] += part;
            }
        }
        let length = super::norm(column);
        let slack = Slack::half_the_digits(ROUND_OFF * scale.magnitude());
        assert!(
            !length.is_zero() && !length.agrees(&T::zero(), slack),
            "qr: the columns of the matrix are not independent: column {} is a sum of those \
             before it",
            start + j
        );
        for x in column {
            *x = x.clone() / length.clone();
        }
        r[(j, j)] = length;
    }
    r
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
    // X = dQ + Q H, whose columns are rows here.
    let mut x = Matrix::from_fn(n, rows, |j, i| d_q.at(i, j).clone());
    product(x.view_mut(), Sign::Plus, m.view().transposed(), columns);
    // X R⁻ᴴ: from the last column to the first, block by block.
    for start in (0..n).step_by(BLOCK).rev() {
        let end = n.min(start + BLOCK);
        let (block, after) = x.as_mut_slice()[start * rows..].split_at_mut((end - start) * rows);
        let right = Layout { row_stride: n, ..Layout::by_rows(end - start, n - end) };
        let right = View::new(&factors.r.as_slice()[(start * n + end).min(n * n)..], right);
        product(
            ViewMut::new(block, Layout::by_rows(end - start, rows)),
            Sign::Minus,
            right.transposed().adjoint(),
            View::new(after, Layout::by_rows(n - end, rows)),
        );
        for j in (start..end).rev() {
            let (block, after) = block.split_at_mut((j + 1 - start) * rows);
            let column = &mut block[(j - start) * rows..];
            for (k, other) in (j + 1..end).zip(after.chunks_exact(rows)) {
                let factor = triangle.at(j, k).clone().conj();
                kernel::add_scaled(column, Sign::Minus, &factor, other);
            }
            let pivot = triangle.at(j, j).clone().conj();
            for x in column {
                *x = x.clone() / pivot.clone();
            }
        }
    }
    let mut d_a = d_a.view_mut();
    for j in 0..n {
        for (i, value) in x.row(j).iter().enumerate() {
            sign.apply(d_a.at_mut(i, j), value.clone());
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
