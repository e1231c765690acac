//! Elimination: inverses, systems of equations, determinants.

use super::kernel::{self, Sign, product};
use super::{Dense, Layout, Matrix, View, ViewMut};
use crate::num::{Arithmetic, Elementary, Real, Zero};
use retrograde_macros::{differentiable, instruction};

/// How many columns are eliminated before the rest of the matrix is, by a product.
const BLOCK: usize = 32;

/// `P A = L U`: row by row, `U` on and above the diagonal, `L` below it, where its
/// diagonal of ones is left out.
struct Lu<T> {
    n: usize,
    factors: Vec<T>,
    /// Row `i` was exchanged with row `exchanges[i]`, from the first on.
    exchanges: Vec<usize>,
}

/// The rows of a matrix, one after the other.
fn copied<T: Arithmetic>(a: View<'_, T>) -> Vec<T> {
    let Layout { rows, columns, .. } = a.layout();
    let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    places.map(|(i, j)| a.at(i, j).clone()).collect()
}

fn swap_rows<T>(elements: &mut [T], columns: usize, i: usize, j: usize) {
    if i != j {
        let (above, below) = elements.split_at_mut(i.max(j) * columns);
        above[i.min(j) * columns..][..columns].swap_with_slice(&mut below[..columns]);
    }
}

#[cold]
#[track_caller]
fn singular(function: &str, column: usize) -> ! {
    panic!("{function}: the matrix is singular: no pivot is left in column {column}");
}

impl<T: Arithmetic> Lu<T> {
    /// The factors, or the column in which no pivot was left.
    #[track_caller]
    fn of(a: View<'_, T>, function: &str) -> Result<Self, usize> {
        let Layout { rows: n, columns, .. } = a.layout();
        assert!(n == columns, "{function}: the matrix is not square, but {n} × {columns}");
        let mut factors = copied(a);
        let mut exchanges = Vec::with_capacity(n);
        for start in (0..n).step_by(BLOCK) {
            let end = n.min(start + BLOCK);
            for j in start..end {
                let pivot = pivot(&factors, n, j).ok_or(j)?;
                swap_rows(&mut factors, n, j, pivot);
                exchanges.push(pivot);
                let (above, below) = factors.split_at_mut((j + 1) * n);
                let row = &above[j * n..];
                for other in below.chunks_exact_mut(n) {
                    let factor = other[j].clone() / row[j].clone();
                    kernel::add_scaled(
                        &mut other[j + 1..end],
                        Sign::Minus,
                        &factor,
                        &row[j + 1..end],
                    );
                    other[j] = factor;
                }
            }
            // The rows of `U` to the right of the block, then what is below them.
            for i in start + 1..end {
                let (above, below) = factors.split_at_mut(i * n);
                let row = &mut below[..n];
                for p in start..i {
                    let factor = row[p].clone();
                    let other = &above[p * n + end..][..n - end];
                    kernel::add_scaled(&mut row[end..], Sign::Minus, &factor, other);
                }
            }
            if end < n {
                let (above, below) = factors.split_at_mut(end * n);
                let left: Vec<T> =
                    below.chunks_exact(n).flat_map(|row| row[start..end].to_vec()).collect();
                let rest = n - end;
                let part = |columns| Layout { row_stride: n, ..Layout::by_rows(rest, columns) };
                let c = ViewMut::new(&mut below[end..], part(rest));
                let a = View::new(&left, Layout::by_rows(rest, end - start));
                let b = Layout { row_stride: n, ..Layout::by_rows(end - start, rest) };
                product(c, Sign::Minus, a, View::new(&above[start * n + end..], b));
            }
        }
        Ok(Lu { n, factors, exchanges })
    }

    /// As [`of`](Self::of), for callers that cannot go on without a pivot.
    #[track_caller]
    fn regular(a: View<'_, T>, function: &str) -> Self {
        match Self::of(a, function) {
            Ok(lu) => lu,
            Err(column) => singular(function, column),
        }
    }

    fn row(&self, i: usize) -> &[T] {
        &self.factors[i * self.n..][..self.n]
    }

    fn diagonal(&self) -> impl Iterator<Item = &T> {
        self.factors.iter().step_by(self.n + 1)
    }

    fn determinant(&self) -> T {
        let odd = self.exchanges.iter().enumerate().filter(|(i, j)| i != *j).count() % 2 == 1;
        let product = self.diagonal().fold(T::one(), |product, u| product * u.clone());
        if odd { -product } else { product }
    }

    /// The part of the factors with these rows and columns.
    fn part(&self, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) -> View<'_, T> {
        let layout = Layout { row_stride: self.n, ..Layout::by_rows(rows.len(), columns.len()) };
        View::new(&self.factors[rows.start * self.n + columns.start..], layout)
    }

    /// `B ↦ A⁻¹ B`, where `B` has its `columns` row by row.
    fn solve(&self, b: &mut [T], columns: usize) {
        let n = self.n;
        for (i, j) in self.exchanges.iter().enumerate() {
            swap_rows(b, columns, i, *j);
        }
        for start in (0..n).step_by(BLOCK) {
            let end = n.min(start + BLOCK);
            for i in start + 1..end {
                self.eliminate(b, columns, i, start..i);
            }
            let (above, below) = b.split_at_mut(end * columns);
            if end < n && columns > 0 {
                let x = View::new(&above[start * columns..], Layout::by_rows(end - start, columns));
                let c = ViewMut::new(below, Layout::by_rows(n - end, columns));
                product(c, Sign::Minus, self.part(end..n, start..end), x);
            }
        }
        for start in (0..n).step_by(BLOCK).rev() {
            let end = n.min(start + BLOCK);
            for i in (start..end).rev() {
                self.eliminate(b, columns, i, i + 1..end);
                let pivot = &self.row(i)[i];
                for x in &mut b[i * columns..][..columns] {
                    *x = x.clone() / pivot.clone();
                }
            }
            let (above, below) = b.split_at_mut(start * columns);
            if start > 0 && columns > 0 {
                let x = View::new(below, Layout::by_rows(end - start, columns));
                let c = ViewMut::new(above, Layout::by_rows(start, columns));
                product(c, Sign::Minus, self.part(0..start, start..end), x);
            }
        }
    }

    /// Takes from row `i` of `B` the other rows, times the factors in row `i`.
    fn eliminate(&self, b: &mut [T], columns: usize, i: usize, others: std::ops::Range<usize>) {
        for p in others {
            let factor = &self.row(i)[p];
            let (above, below) = b.split_at_mut(i.max(p) * columns);
            let (row, other) = if i > p {
                (&mut below[..columns], &above[p * columns..][..columns])
            } else {
                (&mut above[i * columns..][..columns], &below[..columns])
            };
            kernel::add_scaled(row, Sign::Minus, factor, other);
        }
    }

    /// `B ↦ A⁻ᴴ B`, where `B` has its `columns` row by row.
    fn solve_adjoint(&self, b: &mut [T], columns: usize) {
        let n = self.n;
        for i in 0..n {
            let pivot = self.row(i)[i].clone().conj();
            let (above, below) = b.split_at_mut((i + 1) * columns);
            let row = &mut above[i * columns..];
            for x in row.iter_mut() {
                *x = x.clone() / pivot.clone();
            }
            for (p, other) in (i + 1..n).zip(below.chunks_exact_mut(columns.max(1))) {
                let factor = self.row(i)[p].clone().conj();
                kernel::add_scaled(other, Sign::Minus, &factor, row);
            }
        }
        for i in (0..n).rev() {
            let (above, below) = b.split_at_mut(i * columns);
            for (p, other) in (0..i).zip(above.chunks_exact_mut(columns.max(1))) {
                let factor = self.row(i)[p].clone().conj();
                kernel::add_scaled(other, Sign::Minus, &factor, &below[..columns]);
            }
        }
        for (i, j) in self.exchanges.iter().enumerate().rev() {
            swap_rows(b, columns, i, *j);
        }
    }

    /// `A⁻¹`, row by row.
    fn inverse(&self) -> Matrix<T> {
        let mut inverse = Matrix::identity(self.n);
        self.solve(inverse.as_mut_slice(), self.n);
        inverse
    }
}

/// The row, from the `j`th on, with the largest element in column `j`, if there is one
/// other than zero.
fn pivot<T: Arithmetic>(factors: &[T], n: usize, j: usize) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for i in j..n {
        let candidate = &factors[i * n + j];
        let size = candidate.magnitude();
        if !candidate.is_zero() && best.is_none_or(|(_, largest)| size > largest) {
            best = Some((i, size));
        }
    }
    best.map(|(i, _)| i)
}

/// `C ± M`, where `m` has its rows one after the other.
#[track_caller]
fn add<T: Arithmetic>(mut c: ViewMut<'_, T>, sign: Sign, m: &[T], rows: usize, columns: usize) {
    let layout = c.layout();
    assert!(
        layout.rows == rows && layout.columns == columns,
        "a matrix of {rows} × {columns} is added to one of {} × {}",
        layout.rows,
        layout.columns
    );
    for i in 0..rows {
        for j in 0..columns {
            sign.apply(c.at_mut(i, j), m[i * columns + j].clone());
        }
    }
}

/// `out += A⁻¹`.
///
/// ```
/// use retrograde::linalg::{Matrix, inverse};
///
/// let a = Matrix::from_rows([[2.0, 1.0], [0.0, 4.0]]);
/// let mut out = Matrix::zeros(2, 2);
/// inverse(&mut out, &a);
/// assert_eq!(out, Matrix::from_rows([[0.5, -0.125], [0.0, 0.25]]));
/// inverse::inverse(&mut out, &a);
/// assert_eq!(out, Matrix::zeros(2, 2));
/// ```
///
/// The adjoint takes `A⁻ᴴ dOut A⁻ᴴ` from the shadow of `A`.
///
/// # Panics
///
/// If `A` is singular, or the shapes do not fit.
#[instruction(
    inverse = inverse_inverse,
    adjoint = inverse_adjoint,
    inverse_adjoint = inverse_inverse_adjoint,
    adds
)]
#[track_caller]
pub fn inverse<C, A>(out: &mut C, a: &A)
where
    C: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = C::Element> + ?Sized,
{
    let inverse = Lu::regular(a.view(), "inverse").inverse();
    add(out.view_mut(), Sign::Plus, inverse.as_slice(), inverse.rows(), inverse.columns());
}

#[track_caller]
fn inverse_inverse<C, A>(out: &mut C, a: &A)
where
    C: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = C::Element> + ?Sized,
{
    let inverse = Lu::regular(a.view(), "inverse").inverse();
    add(out.view_mut(), Sign::Minus, inverse.as_slice(), inverse.rows(), inverse.columns());
}

#[track_caller]
fn pull_inverse<C, A>(sign: Sign, out: &mut C, d_out: &mut C, a: &A, d_a: &mut A)
where
    C: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = C::Element> + ?Sized,
{
    let inverse = Lu::regular(a.view(), "inverse").inverse();
    let n = inverse.rows();
    add(out.view_mut(), sign.opposite(), inverse.as_slice(), n, n);
    let mut half = Matrix::zeros(n, n);
    product(half.view_mut(), Sign::Plus, inverse.view().adjoint(), d_out.view());
    product(d_a.view_mut(), sign.opposite(), half.view(), inverse.view().adjoint());
}

#[track_caller]
fn inverse_adjoint<C, A>(out: &mut C, d_out: &mut C, a: &A, d_a: &mut A)
where
    C: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = C::Element> + ?Sized,
{
    pull_inverse(Sign::Plus, out, d_out, a, d_a);
}

#[track_caller]
fn inverse_inverse_adjoint<C, A>(out: &mut C, d_out: &mut C, a: &A, d_a: &mut A)
where
    C: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = C::Element> + ?Sized,
{
    pull_inverse(Sign::Minus, out, d_out, a, d_a);
}

/// `X += A⁻¹ B`: the solution of `A X = B`, for one or many right-hand sides.
///
/// ```
/// use retrograde::linalg::{Matrix, solve};
///
/// let a = Matrix::from_rows([[0.0, 2.0], [1.0, 1.0]]);
/// let mut x = [0.0, 0.0];
/// solve(&mut x, &a, &[4.0, 5.0]);
/// assert_eq!(x, [3.0, 2.0]);
/// solve::inverse(&mut x, &a, &[4.0, 5.0]);
/// assert_eq!(x, [0.0, 0.0]);
/// ```
///
/// With `W = A⁻ᴴ dX`, the adjoint adds `W` to the shadow of `B` and takes
/// `W (A⁻¹ B)ᴴ` from that of `A`.
///
/// # Panics
///
/// If `A` is singular, or the shapes do not fit.
#[instruction(
    inverse = solve_inverse,
    adjoint = solve_adjoint,
    inverse_adjoint = solve_inverse_adjoint,
    adds
)]
#[track_caller]
pub fn solve<X, A, B>(x: &mut X, a: &A, b: &B)
where
    X: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = X::Element> + ?Sized,
    B: Dense<Element = X::Element> + ?Sized,
{
    solved(Sign::Plus, x.view_mut(), a.view(), b.view());
}

#[track_caller]
fn solve_inverse<X, A, B>(x: &mut X, a: &A, b: &B)
where
    X: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = X::Element> + ?Sized,
    B: Dense<Element = X::Element> + ?Sized,
{
    solved(Sign::Minus, x.view_mut(), a.view(), b.view());
}

/// `X ± A⁻¹ B`; gives the factors of `A`, and `A⁻¹ B`.
#[track_caller]
fn solved<T: Arithmetic>(
    sign: Sign,
    x: ViewMut<'_, T>,
    a: View<'_, T>,
    b: View<'_, T>,
) -> (Lu<T>, Matrix<T>) {
    let lu = Lu::regular(a, "solve");
    let Layout { rows, columns, .. } = b.layout();
    assert!(rows == lu.n, "solve: {} equations and {rows} right-hand sides", lu.n);
    let mut solution = Matrix::from_vec(rows, columns, copied(b));
    lu.solve(solution.as_mut_slice(), columns);
    add(x, sign, solution.as_slice(), rows, columns);
    (lu, solution)
}

#[track_caller]
fn pull_solve<X, A, B>(
    sign: Sign,
    (x, d_x): (&mut X, &mut X),
    (a, d_a): (&A, &mut A),
    (b, d_b): (&B, &mut B),
) where
    X: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = X::Element> + ?Sized,
    B: Dense<Element = X::Element> + ?Sized,
{
    let (lu, solution) = solved(sign.opposite(), x.view_mut(), a.view(), b.view());
    let (rows, columns) = (solution.rows(), solution.columns());
    let mut w = Matrix::from_vec(rows, columns, copied(d_x.view()));
    lu.solve_adjoint(w.as_mut_slice(), columns);
    add(d_b.view_mut(), sign, w.as_slice(), rows, columns);
    product(d_a.view_mut(), sign.opposite(), w.view(), solution.view().adjoint());
}

#[track_caller]
fn solve_adjoint<X, A, B>(x: &mut X, d_x: &mut X, a: &A, d_a: &mut A, b: &B, d_b: &mut B)
where
    X: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = X::Element> + ?Sized,
    B: Dense<Element = X::Element> + ?Sized,
{
    pull_solve(Sign::Plus, (x, d_x), (a, d_a), (b, d_b));
}

#[track_caller]
fn solve_inverse_adjoint<X, A, B>(x: &mut X, d_x: &mut X, a: &A, d_a: &mut A, b: &B, d_b: &mut B)
where
    X: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = X::Element> + ?Sized,
    B: Dense<Element = X::Element> + ?Sized,
{
    pull_solve(Sign::Minus, (x, d_x), (a, d_a), (b, d_b));
}

/// The determinant. That of a singular matrix is zero.
///
/// ```
/// use retrograde::linalg::{Matrix, det};
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn volume(y: &mut f64, edges: &Matrix<f64>) {
///     *y += det(edges);
/// }
///
/// let at = volume::gradient(&Matrix::from_rows([[1.0, 2.0], [0.0, 4.0]]));
/// assert_eq!(at.value, 4.0);
/// // The cofactors.
/// assert_eq!(at.d_edges, Matrix::from_rows([[4.0, 0.0], [-2.0, 1.0]]));
/// ```
///
/// # Panics
///
/// If the matrix is not square. The gradient, `(det A)* A⁻ᴴ`, is not to be had of a
/// singular matrix.
#[differentiable(pullback = det_pullback)]
#[track_caller]
pub fn det<A: Dense<Element: Arithmetic> + ?Sized>(a: &A) -> A::Element {
    Lu::of(a.view(), "det").map_or_else(|_| Zero::zero(), |lu| lu.determinant())
}

#[track_caller]
fn det_pullback<A: Dense<Element: Arithmetic> + ?Sized>(g: &A::Element, a: &A, d_a: &mut A) {
    let lu = Lu::regular(a.view(), "the gradient of det");
    let factor = g.clone() * lu.determinant().conj();
    add_adjoint(d_a.view_mut(), &factor, &lu.inverse());
}

/// `C += factor Mᴴ`.
fn add_adjoint<T: Arithmetic>(mut c: ViewMut<'_, T>, factor: &T, m: &Matrix<T>) {
    for i in 0..m.columns() {
        for j in 0..m.rows() {
            c.at_mut(i, j).accumulate_shadow(factor.clone() * m[(j, i)].clone().conj());
        }
    }
}

/// The logarithm of the absolute value of the determinant, `ln |det A|`.
///
/// It is a sum of logarithms, so that it is finite where the determinant of a large
/// matrix is not.
///
/// ```
/// use retrograde::linalg::{Matrix, logdet};
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn f(y: &mut f64, a: &Matrix<f64>) {
///     *y += logdet(a);
/// }
///
/// let at = f::gradient(&Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]));
/// assert!((at.value - 2.0_f64.ln()).abs() < 1e-15);
/// // A⁻ᵀ
/// let expected = Matrix::from_rows([[-2.0, 1.5], [1.0, -0.5]]);
/// assert!(at.d_a.as_slice().iter().zip(expected.as_slice()).all(|(a, b)| (a - b).abs() < 1e-14));
/// ```
///
/// # Panics
///
/// If the matrix is singular or not square.
#[differentiable(pullback = logdet_pullback)]
#[track_caller]
pub fn logdet<A: Dense<Element: Real> + ?Sized>(a: &A) -> A::Element {
    let lu = Lu::regular(a.view(), "logdet");
    lu.diagonal().fold(Zero::zero(), |sum: A::Element, u| sum + u.clone().abs().ln())
}

#[track_caller]
fn logdet_pullback<A: Dense<Element: Real> + ?Sized>(g: &A::Element, a: &A, d_a: &mut A) {
    add_adjoint(d_a.view_mut(), g, &Lu::regular(a.view(), "logdet").inverse());
}
