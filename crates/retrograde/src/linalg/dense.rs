//! What a matrix is to the functions of this module: a slice and a layout.

use super::Matrix;
#[cfg(feature = "faer")]
use ::faer::{MatMut, MatRef};
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
    elements: Elements<'a, T>,
    layout: Layout,
    pub(super) conjugate: bool,
}

/// Where the elements of a [`View`] are.
#[derive(Debug)]
enum Elements<'a, T> {
    Slice(&'a [T]),
    /// With gaps that hold nothing, so that no slice spans the whole of it.
    #[cfg(feature = "faer")]
    Faer(MatRef<'a, T>),
}

impl<T> Clone for Elements<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Elements<'_, T> {}

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
        View { elements: Elements::Slice(elements), layout, conjugate: false }
    }

    /// Where the elements lie.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The slice that they lie in; `None` if there is none, as the columns of a matrix of
    /// `faer` may have gaps between them that hold nothing.
    pub fn elements(&self) -> Option<&'a [T]> {
        match self.elements {
            Elements::Slice(elements) => Some(elements),
            #[cfg(feature = "faer")]
            Elements::Faer(_) => None,
        }
    }

    /// Whether the elements of the matrix are the conjugates of those that it has.
    pub fn is_conjugated(&self) -> bool {
        self.conjugate
    }

    /// Rows and columns exchanged.
    pub fn transposed(self) -> Self {
        let elements = match self.elements {
            Elements::Slice(elements) => Elements::Slice(elements),
            #[cfg(feature = "faer")]
            Elements::Faer(m) => Elements::Faer(m.transpose()),
        };
        View { elements, layout: self.layout.transposed(), ..self }
    }

    /// Rows and columns exchanged, and every element conjugated.
    pub fn adjoint(self) -> Self {
        View { conjugate: !self.conjugate, ..self.transposed() }
    }

    /// One element, not conjugated.
    ///
    /// # Panics
    ///
    /// If there is no such element.
    #[inline]
    pub fn at(&self, i: usize, j: usize) -> &'a T {
        match self.elements {
            Elements::Slice(elements) => {
                &elements[i * self.layout.row_stride + j * self.layout.column_stride]
            }
            #[cfg(feature = "faer")]
            Elements::Faer(m) => m.get(i, j),
        }
    }

    /// A row without gaps.
    #[inline]
    pub(super) fn row(&self, i: usize) -> &'a [T] {
        match self.elements {
            Elements::Slice(elements) => {
                &elements[i * self.layout.row_stride..][..self.layout.columns]
            }
            #[cfg(feature = "faer")]
            Elements::Faer(m) => {
                m.row(i).try_as_row_major().expect("a row without gaps").as_slice()
            }
        }
    }

    /// As `faer` sees it, if one of the strides is 1.
    #[cfg(feature = "faer")]
    pub(super) fn to_faer(self) -> Option<MatRef<'a, T>> {
        let Layout { rows, columns, row_stride, column_stride } = self.layout;
        let by_columns = MatRef::from_column_major_slice_with_stride;
        match self.elements {
            Elements::Faer(m) => Some(m),
            Elements::Slice(e) if row_stride == 1 => {
                Some(by_columns(e, rows, columns, column_stride))
            }
            Elements::Slice(e) if column_stride == 1 => {
                Some(by_columns(e, columns, rows, row_stride).transpose())
            }
            Elements::Slice(_) => None,
        }
    }
}

/// A matrix that is written: elements of someone else's, and where they lie.
#[derive(Debug)]
pub struct ViewMut<'a, T> {
    elements: ElementsMut<'a, T>,
    layout: Layout,
}

/// Where the elements of a [`ViewMut`] are: see [`Elements`].
#[derive(Debug)]
enum ElementsMut<'a, T> {
    Slice(&'a mut [T]),
    #[cfg(feature = "faer")]
    Faer(MatMut<'a, T>),
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
        ViewMut { elements: ElementsMut::Slice(elements), layout }
    }

    /// Where the elements lie.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The slice that they lie in, if there is one: see [`View::elements`].
    pub fn elements_mut(&mut self) -> Option<&mut [T]> {
        match &mut self.elements {
            ElementsMut::Slice(elements) => Some(elements),
            #[cfg(feature = "faer")]
            ElementsMut::Faer(_) => None,
        }
    }

    /// Rows and columns exchanged.
    pub fn transposed(self) -> Self {
        let elements = match self.elements {
            ElementsMut::Slice(elements) => ElementsMut::Slice(elements),
            #[cfg(feature = "faer")]
            ElementsMut::Faer(m) => ElementsMut::Faer(m.transpose_mut()),
        };
        ViewMut { elements, layout: self.layout.transposed() }
    }

    /// One element.
    ///
    /// # Panics
    ///
    /// If there is no such element.
    #[inline]
    pub fn at_mut(&mut self, i: usize, j: usize) -> &mut T {
        match &mut self.elements {
            ElementsMut::Slice(elements) => {
                &mut elements[i * self.layout.row_stride + j * self.layout.column_stride]
            }
            #[cfg(feature = "faer")]
            ElementsMut::Faer(m) => m.as_mut().get_mut(i, j),
        }
    }

    /// A row without gaps.
    #[inline]
    pub(super) fn row_mut(&mut self, i: usize) -> &mut [T] {
        match &mut self.elements {
            ElementsMut::Slice(elements) => {
                &mut elements[i * self.layout.row_stride..][..self.layout.columns]
            }
            #[cfg(feature = "faer")]
            ElementsMut::Faer(m) => {
                let row = m.as_mut().row_mut(i).try_as_row_major_mut();
                row.expect("a row without gaps").as_slice_mut()
            }
        }
    }

    /// Two rows without gaps, one of them below the other.
    #[inline]
    pub(super) fn rows_mut(&mut self, i: usize) -> (&mut [T], &mut [T]) {
        let Layout { columns, row_stride, .. } = self.layout;
        match &mut self.elements {
            ElementsMut::Slice(elements) => {
                let (above, below) = elements[i * row_stride..].split_at_mut(row_stride);
                (&mut above[..columns], &mut below[..columns])
            }
            #[cfg(feature = "faer")]
            ElementsMut::Faer(m) => {
                let m = m.as_mut().try_as_row_major_mut().expect("rows without gaps");
                let (above, below) = m.split_at_row_mut(i + 1);
                (above.row_mut(i).as_slice_mut(), below.row_mut(0).as_slice_mut())
            }
        }
    }

    /// Two elements of a column, one of them below the other.
    #[inline]
    pub(super) fn pair_mut(&mut self, i: usize, j: usize) -> (&mut T, &mut T) {
        let Layout { row_stride, column_stride, .. } = self.layout;
        match &mut self.elements {
            ElementsMut::Slice(elements) => {
                let column = &mut elements[i * row_stride + j * column_stride..];
                let (first, rest) = column.split_at_mut(row_stride);
                (&mut first[0], &mut rest[0])
            }
            #[cfg(feature = "faer")]
            ElementsMut::Faer(m) => {
                let (above, below) = m.as_mut().split_at_row_mut(i + 1);
                (above.get_mut(i, j), below.get_mut(0, j))
            }
        }
    }

    /// As `faer` sees it, if one of the strides is 1.
    #[cfg(feature = "faer")]
    pub(super) fn as_faer_mut(&mut self) -> Option<MatMut<'_, T>> {
        let Layout { rows, columns, row_stride, column_stride } = self.layout;
        // Its constructor for rows, `from_row_major_slice_with_stride_mut`, exchanges the
        // strides in version 0.24. That for columns asks where the next one would be, even
        // if there is none.
        let by_columns = |e, rows: usize, columns, stride: usize| {
            let stride = if columns == 1 { rows } else { stride };
            MatMut::from_column_major_slice_with_stride_mut(e, rows, columns, stride)
        };
        match &mut self.elements {
            ElementsMut::Faer(m) => Some(m.as_mut()),
            ElementsMut::Slice(e) => match (row_stride, column_stride) {
                (1, _) => Some(by_columns(e, rows, columns, column_stride)),
                (_, 1) => Some(by_columns(e, columns, rows, row_stride).transpose_mut()),
                _ => None,
            },
        }
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
    note = "`retrograde::linalg::Matrix`, slices (as columns) and, with the feature of that name, the matrices of `faer`, `nalgebra` and `ndarray` are",
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
        let elements = match &self.elements {
            ElementsMut::Slice(elements) => Elements::Slice(elements),
            #[cfg(feature = "faer")]
            ElementsMut::Faer(m) => Elements::Faer(m.as_ref()),
        };
        View { elements, layout: self.layout, conjugate: false }
    }
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        let elements = match &mut self.elements {
            ElementsMut::Slice(elements) => ElementsMut::Slice(elements),
            #[cfg(feature = "faer")]
            ElementsMut::Faer(m) => ElementsMut::Faer(m.as_mut()),
        };
        ViewMut { elements, layout: self.layout }
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

#[cfg(feature = "faer")]
mod faer;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "ndarray")]
mod ndarray;
