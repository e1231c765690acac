//! What a matrix is to the functions of this module: a slice and a layout.

use super::Matrix;
use retrograde_macros::Differentiable;

/// Where the elements of a matrix lie in a slice: element `(i, j)` at
/// `i · row_stride + j · column_stride`.
///
/// ```
/// # use retrograde::linalg::Layout;
/// let layout = Layout::by_rows(2, 3);
/// assert_eq!((layout.row_stride, layout.column_stride), (3, 1));
/// assert_eq!(layout.transposed(), Layout::by_columns(3, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Differentiable)]
pub struct Layout {
    /// How many rows there are.
    pub rows: usize,
    /// How many columns there are.
    pub columns: usize,
    /// How far an element is from the one below.
    pub row_stride: usize,
    /// How far an element is from the one to its right.
    pub column_stride: usize,
}

impl Layout {
    /// Row after row, with no gaps.
    pub const fn by_rows(rows: usize, columns: usize) -> Self {
        Layout { rows, columns, row_stride: columns, column_stride: 1 }
    }

    /// Column after column, with no gaps.
    pub const fn by_columns(rows: usize, columns: usize) -> Self {
        Layout { rows, columns, row_stride: 1, column_stride: rows }
    }

    /// The same elements with rows and columns exchanged.
    pub const fn transposed(self) -> Self {
        let Layout { rows, columns, row_stride, column_stride } = self;
        Layout {
            rows: columns,
            columns: rows,
            row_stride: column_stride,
            column_stride: row_stride,
        }
    }

    /// How long a slice must be at least; `None` where no slice is so long.
    fn needs(self) -> Option<usize> {
        if self.is_empty() {
            return Some(0);
        }
        let down = (self.rows - 1).checked_mul(self.row_stride)?;
        let right = (self.columns - 1).checked_mul(self.column_stride)?;
        down.checked_add(right)?.checked_add(1)
    }

    fn is_empty(self) -> bool {
        self.rows == 0 || self.columns == 0
    }

    /// Whether no two elements of the matrix are one of the slice.
    fn is_injective(self) -> bool {
        let Layout { rows, columns, row_stride, column_stride } = self;
        // One of the strides steps over all that the other one reaches.
        let over = |far: usize, near: usize, steps: usize| near > 0 && far / near >= steps;
        match (rows, columns) {
            (0, _) | (_, 0) | (1, 1) => true,
            (1, _) => column_stride > 0,
            (_, 1) => row_stride > 0,
            _ => over(row_stride, column_stride, columns) || over(column_stride, row_stride, rows),
        }
    }

    #[track_caller]
    fn check(self, length: usize) {
        let Layout { rows, columns, .. } = self;
        let needs = self.needs();
        assert!(
            needs.is_some_and(|needs| needs <= length),
            "a matrix of {rows} × {columns} needs {} elements here, and there are {length}",
            needs.map_or("too many".to_string(), |needs| needs.to_string())
        );
    }
}

/// A matrix that is read: elements of someone else's, and where they lie.
#[derive(Debug)]
pub struct View<'a, T> {
    elements: &'a [T],
    layout: Layout,
    pub(super) conjugate: bool,
}

impl<T> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for View<'_, T> {}

impl<'a, T> View<'a, T> {
    /// The matrix that a slice holds.
    ///
    /// # Panics
    ///
    /// If the slice is too short.
    #[track_caller]
    pub fn new(elements: &'a [T], layout: Layout) -> Self {
        layout.check(elements.len());
        View { elements, layout, conjugate: false }
    }

    /// Where the elements lie.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The slice that they lie in.
    pub fn elements(&self) -> &'a [T] {
        self.elements
    }

    /// Whether the elements of the matrix are the conjugates of those in the slice.
    pub fn is_conjugated(&self) -> bool {
        self.conjugate
    }

    /// Rows and columns exchanged.
    pub fn transposed(self) -> Self {
        View { layout: self.layout.transposed(), ..self }
    }

    /// Rows and columns exchanged, and every element conjugated.
    pub fn adjoint(self) -> Self {
        View { layout: self.layout.transposed(), conjugate: !self.conjugate, ..self }
    }

    #[inline]
    pub(super) fn at(&self, i: usize, j: usize) -> &'a T {
        &self.elements[i * self.layout.row_stride + j * self.layout.column_stride]
    }

    /// A row without gaps.
    #[inline]
    pub(super) fn row(&self, i: usize) -> &'a [T] {
        &self.elements[i * self.layout.row_stride..][..self.layout.columns]
    }
}

/// A matrix that is written: elements of someone else's, and where they lie.
#[derive(Debug)]
pub struct ViewMut<'a, T> {
    elements: &'a mut [T],
    layout: Layout,
}

impl<'a, T> ViewMut<'a, T> {
    /// The matrix that a slice holds.
    ///
    /// # Panics
    ///
    /// If the slice is too short, or if two elements of the matrix are one of it.
    #[track_caller]
    pub fn new(elements: &'a mut [T], layout: Layout) -> Self {
        layout.check(elements.len());
        assert!(layout.is_injective(), "elements of a matrix that is written overlap: {layout:?}");
        ViewMut { elements, layout }
    }

    /// Where the elements lie.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The slice that they lie in.
    pub fn elements_mut(&mut self) -> &mut [T] {
        self.elements
    }

    /// Rows and columns exchanged.
    pub fn transposed(self) -> Self {
        ViewMut { layout: self.layout.transposed(), ..self }
    }

    #[inline]
    pub(super) fn at_mut(&mut self, i: usize, j: usize) -> &mut T {
        &mut self.elements[i * self.layout.row_stride + j * self.layout.column_stride]
    }

    /// A row without gaps.
    #[inline]
    pub(super) fn row_mut(&mut self, i: usize) -> &mut [T] {
        &mut self.elements[i * self.layout.row_stride..][..self.layout.columns]
    }

    /// Two elements of a column, one of them below the other.
    #[inline]
    pub(super) fn pair_mut(&mut self, i: usize, j: usize) -> (&mut T, &mut T) {
        let Layout { row_stride, column_stride, .. } = self.layout;
        let (first, rest) =
            self.elements[i * row_stride + j * column_stride..].split_at_mut(row_stride);
        (&mut first[0], &mut rest[0])
    }
}

/// Dense matrices, of this and of other libraries.
///
/// Slices, arrays and `Vec` are vectors: matrices of one column. The shadow of a
/// matrix is a matrix of the same type.
///
/// Implement it for a type of your own that holds its elements at even distances:
///
/// ```
/// use retrograde::linalg::{Dense, Layout, View, ViewMut, matmul};
///
/// /// Column by column.
/// struct Grid {
///     height: usize,
///     cells: Vec<f64>,
/// }
///
/// impl Grid {
///     fn layout(&self) -> Layout {
///         Layout::by_columns(self.height, self.cells.len() / self.height)
///     }
/// }
///
/// impl Dense for Grid {
///     type Element = f64;
///     fn view(&self) -> View<'_, f64> {
///         View::new(&self.cells, self.layout())
///     }
///     fn view_mut(&mut self) -> ViewMut<'_, f64> {
///         let layout = self.layout();
///         ViewMut::new(&mut self.cells, layout)
///     }
/// }
///
/// let grid = Grid { height: 2, cells: vec![1.0, 2.0, 3.0, 4.0] };
/// let mut y = [0.0, 0.0];
/// matmul(&mut y, &grid, &[1.0, 10.0]);
/// assert_eq!(y, [31.0, 42.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dense matrix",
    note = "`retrograde::linalg::Matrix`, slices (as columns) and, with the feature `nalgebra`, the matrices of `nalgebra` are",
    note = "help: implement `retrograde::linalg::Dense` for `{Self}`"
)]
pub trait Dense {
    /// The type of the elements.
    type Element;
    /// The elements, to be read.
    fn view(&self) -> View<'_, Self::Element>;
    /// The elements, to be written.
    fn view_mut(&mut self) -> ViewMut<'_, Self::Element>;
}

impl<T> Dense for Matrix<T> {
    type Element = T;
    #[inline]
    fn view(&self) -> View<'_, T> {
        View::new(self.as_slice(), Layout::by_rows(self.rows(), self.columns()))
    }
    #[inline]
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        let layout = Layout::by_rows(self.rows(), self.columns());
        ViewMut::new(self.as_mut_slice(), layout)
    }
}

/// A matrix in a buffer of the caller's.
impl<T> Dense for ViewMut<'_, T> {
    type Element = T;
    fn view(&self) -> View<'_, T> {
        View::new(self.elements, self.layout)
    }
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        ViewMut { elements: self.elements, layout: self.layout }
    }
}

macro_rules! vectors {
    ($([$($parameters:tt)*] $type:ty;)+) => {$(
        /// A matrix of one column.
        impl<$($parameters)*> Dense for $type {
            type Element = T;
            #[inline]
            fn view(&self) -> View<'_, T> {
                View::new(&self[..], Layout::by_columns(self.len(), 1))
            }
            #[inline]
            fn view_mut(&mut self) -> ViewMut<'_, T> {
                let layout = Layout::by_columns(self.len(), 1);
                ViewMut::new(&mut self[..], layout)
            }
        }
    )+};
}

vectors! {
    [T] [T];
    [T] Vec<T>;
    [T, const N: usize] [T; N];
}

#[cfg(feature = "nalgebra")]
mod of_nalgebra {
    use super::{Dense, Layout, View, ViewMut};
    use nalgebra::{Dim, IsContiguous, Matrix, RawStorage, RawStorageMut};

    /// Of every size, static or dynamic.
    impl<T, R: Dim, C: Dim, S> Dense for Matrix<T, R, C, S>
    where
        S: RawStorage<T, R, C> + RawStorageMut<T, R, C> + IsContiguous,
    {
        type Element = T;
        #[inline]
        fn view(&self) -> View<'_, T> {
            View::new(self.as_slice(), Layout::by_columns(self.nrows(), self.ncols()))
        }
        #[inline]
        fn view_mut(&mut self) -> ViewMut<'_, T> {
            let layout = Layout::by_columns(self.nrows(), self.ncols());
            ViewMut::new(self.as_mut_slice(), layout)
        }
    }
}
