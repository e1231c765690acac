//! A matrix that owns its elements.

use crate::num::Arithmetic;
use crate::place::Disjoint;
use retrograde_macros::Differentiable;
use std::fmt;
use std::ops::{Index, IndexMut};

/// A dense matrix, row by row.
///
/// ```
/// # use retrograde::linalg::Matrix;
/// let mut m = Matrix::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
/// m[(1, 2)] = 7.0;
/// assert_eq!(m.row(1), [4.0, 5.0, 7.0]);
/// assert_eq!((m.rows(), m.columns()), (2, 3));
/// assert_eq!(m.as_slice(), [1.0, 2.0, 3.0, 4.0, 5.0, 7.0]);
/// ```
///
/// In a reversible function, elements and rows of it are [places](mod@crate::place),
/// and its shadow is a matrix of the same shape:
///
/// ```
/// use retrograde::linalg::Matrix;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn trace<T: Real>(y: &mut T, m: &Matrix<T>) {
///     for i in 0..m.rows() {
///         *y += m[(i, i)];
///     }
/// }
///
/// let m = Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]);
/// let at = trace::gradient(&m);
/// assert_eq!((at.value, at.d_m), (5.0, Matrix::identity(2)));
/// ```
#[derive(Clone, PartialEq, Differentiable)]
#[container]
pub struct Matrix<T> {
    rows: usize,
    columns: usize,
    elements: Vec<T>,
}

impl<T: Clone> Matrix<T> {
    /// A matrix with one value everywhere.
    pub fn filled(rows: usize, columns: usize, value: T) -> Self {
        Matrix { rows, columns, elements: vec![value; rows * columns] }
    }

    /// The matrix whose rows are the columns of this one.
    pub fn transposed(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self[(j, i)].clone())
    }
}

impl<T: Arithmetic> Matrix<T> {
    /// Zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self::filled(rows, columns, T::zero())
    }

    /// Ones on the diagonal of a square matrix.
    pub fn identity(n: usize) -> Self {
        Self::from_fn(n, n, |i, j| if i == j { T::one() } else { T::zero() })
    }
}

impl<T> Matrix<T> {
    /// A matrix of its rows.
    pub fn from_rows<const R: usize, const C: usize>(rows: [[T; C]; R]) -> Self {
        Matrix { rows: R, columns: C, elements: rows.into_iter().flatten().collect() }
    }

    /// A matrix of a buffer that holds its rows one after the other: nothing is copied.
    ///
    /// # Panics
    ///
    /// If there are not as many elements as the shape asks for.
    #[track_caller]
    pub fn from_vec(rows: usize, columns: usize, elements: Vec<T>) -> Self {
        let found = elements.len();
        assert!(found == rows * columns, "{found} elements for a matrix of {rows} × {columns}");
        Matrix { rows, columns, elements }
    }

    /// A matrix with the element `f(row, column)` in every place.
    pub fn from_fn(rows: usize, columns: usize, mut f: impl FnMut(usize, usize) -> T) -> Self {
        let elements = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        Matrix { rows, columns, elements: elements.map(|(i, j)| f(i, j)).collect() }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All elements, the first row first.
    pub fn as_slice(&self) -> &[T] {
        &self.elements
    }

    /// All elements, the first row first, to be written.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.elements
    }

    /// The buffer, the first row first.
    pub fn into_vec(self) -> Vec<T> {
        self.elements
    }

    /// One row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, row: usize) -> &[T] {
        assert!(row < self.rows, "row {row} of a matrix that has {}", self.rows);
        &self.elements[row * self.columns..][..self.columns]
    }

    /// One row, to be written.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[track_caller]
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        assert!(row < self.rows, "row {row} of a matrix that has {}", self.rows);
        &mut self.elements[row * self.columns..][..self.columns]
    }
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;
    #[inline]
    #[track_caller]
    fn index(&self, (row, column): (usize, usize)) -> &T {
        &self.row(row)[column]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut T {
        &mut self.row_mut(row)[column]
    }
}

impl<T> Disjoint<(usize, usize)> for Matrix<T> {
    type Output = T;
    #[track_caller]
    fn disjoint<const N: usize>(
        &mut self,
        indices: [(usize, usize); N],
        source: &'static str,
    ) -> [&mut T; N] {
        let (rows, columns) = (self.rows, self.columns);
        let places = indices.map(|(i, j)| {
            assert!(
                i < rows && j < columns,
                "element ({i}, {j}) of a matrix of {rows} × {columns}"
            );
            i * columns + j
        });
        self.elements.disjoint(places, source)
    }
}

/// As a list of rows.
impl<T: fmt::Debug> fmt::Debug for Matrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.rows).map(|row| self.row(row))).finish()
    }
}
