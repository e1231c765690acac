//! Matrices of `faer`.

use super::{Dense, Elements, ElementsMut, Layout, View, ViewMut};
use ::faer::{Mat, MatMut, MatRef};

#[track_caller]
fn layout(rows: usize, columns: usize, strides: [isize; 2]) -> Layout {
    let [row_stride, column_stride] = strides.map(|stride| {
        usize::try_from(stride).expect("rows and columns of a matrix of `faer` run forwards")
    });
    Layout { rows, columns, row_stride, column_stride }
}

/// Nothing is copied.
///
/// ```
/// use faer::mat;
/// use retrograde::linalg::View;
///
/// let m = mat![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
/// let part = View::from(m.as_ref().subcols(1, 2));
/// assert_eq!((part.layout().rows, part.layout().columns), (2, 2));
/// assert_eq!(*part.at(1, 0), 5.0);
/// ```
///
/// # Panics
///
/// If rows or columns run backwards.
impl<'a, T> From<MatRef<'a, T>> for View<'a, T> {
    #[track_caller]
    fn from(m: MatRef<'a, T>) -> Self {
        let layout = layout(m.nrows(), m.ncols(), [m.row_stride(), m.col_stride()]);
        View { elements: Elements::Faer(m), layout, conjugate: false }
    }
}

/// Nothing is copied: a part of a matrix is written in place.
///
/// ```
/// use faer::{Mat, mat};
/// use retrograde::linalg::{ViewMut, matmul};
///
/// let (a, x) = (mat![[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]);
/// let mut m = Mat::<f64>::zeros(2, 3);
/// matmul(&mut ViewMut::from(m.as_mut().subcols_mut(1, 1)), &a, &x);
/// assert_eq!(m, mat![[0.0, 21.0, 0.0], [0.0, 43.0, 0.0]]);
/// ```
///
/// # Panics
///
/// If rows or columns run backwards.
impl<'a, T> From<MatMut<'a, T>> for ViewMut<'a, T> {
    #[track_caller]
    fn from(m: MatMut<'a, T>) -> Self {
        let layout = layout(m.nrows(), m.ncols(), [m.row_stride(), m.col_stride()]);
        ViewMut { elements: ElementsMut::Faer(m), layout }
    }
}

impl<T> Dense for Mat<T> {
    type Element = T;
    #[inline]
    fn view(&self) -> View<'_, T> {
        self.as_ref().into()
    }
    #[inline]
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.as_mut().into()
    }
}

/// A part of a matrix, or its transpose.
impl<T> Dense for MatMut<'_, T> {
    type Element = T;
    #[inline]
    fn view(&self) -> View<'_, T> {
        self.as_ref().into()
    }
    #[inline]
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.as_mut().into()
    }
}
