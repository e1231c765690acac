//! A matrix to give back derivatives in.

use std::fmt;
use std::ops::{Index, IndexMut};

/// A dense matrix, row by row.
///
/// ```
/// # use retrograde::calculus::Matrix;
/// let mut m = Matrix::filled(2, 3, 0.0);
/// m[(1, 2)] = 5.0;
/// assert_eq!(m.row(1), [0.0, 0.0, 5.0]);
/// assert_eq!((m.rows(), m.columns()), (2, 3));
/// ```
#[derive(Clone, PartialEq)]
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
}

impl<T> Matrix<T> {
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
    #[track_caller]
    fn index(&self, (row, column): (usize, usize)) -> &T {
        &self.row(row)[column]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    #[track_caller]
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut T {
        &mut self.row_mut(row)[column]
    }
}

/// As a list of rows.
impl<T: fmt::Debug> fmt::Debug for Matrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.rows).map(|row| self.row(row))).finish()
    }
}
