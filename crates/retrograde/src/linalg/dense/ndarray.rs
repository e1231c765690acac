//! Arrays of `ndarray`.

use super::{Dense, Layout, View, ViewMut};
use ::ndarray::{
    ArrayBase, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Data, DataMut, Dimension,
    ErrorKind, Ix1, Ix2, ShapeError,
};

/// How the rows and columns of an array follow each other.
trait Strided {
    /// `None` if they run backwards.
    fn layout(&self) -> Option<Layout>;
}

/// The stride of an axis, `None` if it runs backwards. What has one row or column need not
/// say where another one would be, and gets `other`.
fn forwards(length: usize, stride: isize, other: usize) -> Option<usize> {
    if length > 1 { usize::try_from(stride).ok() } else { Some(other.max(1)) }
}

impl<S: Data> Strided for ArrayBase<S, Ix1> {
    fn layout(&self) -> Option<Layout> {
        let rows = self.len();
        let row_stride = forwards(rows, self.strides()[0], 1)?;
        Some(Layout { rows, columns: 1, row_stride, column_stride: rows })
    }
}

impl<S: Data> Strided for ArrayBase<S, Ix2> {
    fn layout(&self) -> Option<Layout> {
        let (rows, columns) = self.dim();
        let row_stride = forwards(rows, self.strides()[0], columns)?;
        let column_stride = forwards(columns, self.strides()[1], rows)?;
        Some(Layout { rows, columns, row_stride, column_stride })
    }
}

#[cold]
#[track_caller]
fn uneven<D: Dimension>(shape: D) -> ! {
    panic!(
        "an array of {:?} whose elements do not lie side by side is no matrix: take \
         `as_standard_layout` of it",
        shape.slice()
    )
}

fn incompatible() -> ShapeError {
    ShapeError::from_kind(ErrorKind::IncompatibleLayout)
}

macro_rules! arrays {
    ($($(#[$doc:meta])* $dimension:ty, $view:ident, $view_mut:ident;)+) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        ///
        /// If its elements do not lie side by side in memory, as of every second column,
        /// or run backwards.
        impl<S: DataMut> Dense for ArrayBase<S, $dimension> {
            type Element = S::Elem;
            #[inline]
            #[track_caller]
            fn view(&self) -> View<'_, S::Elem> {
                match (self.as_slice_memory_order(), self.layout()) {
                    (Some(elements), Some(layout)) => View::new(elements, layout),
                    _ => uneven(self.raw_dim()),
                }
            }
            #[inline]
            #[track_caller]
            fn view_mut(&mut self) -> ViewMut<'_, S::Elem> {
                let (shape, layout) = (self.raw_dim(), self.layout());
                match (self.as_slice_memory_order_mut(), layout) {
                    (Some(elements), Some(layout)) => ViewMut::new(elements, layout),
                    _ => uneven(shape),
                }
            }
        }

        /// Nothing is copied. It is an error if the elements do not lie side by side in
        /// memory, or run backwards.
        impl<'a, T> TryFrom<$view<'a, T>> for View<'a, T> {
            type Error = ShapeError;
            fn try_from(array: $view<'a, T>) -> Result<Self, ShapeError> {
                let elements = array.to_slice_memory_order().ok_or_else(incompatible)?;
                Ok(View::new(elements, array.layout().ok_or_else(incompatible)?))
            }
        }

        /// Nothing is copied. It is an error if the elements do not lie side by side in
        /// memory, or run backwards.
        impl<'a, T> TryFrom<$view_mut<'a, T>> for ViewMut<'a, T> {
            type Error = ShapeError;
            fn try_from(array: $view_mut<'a, T>) -> Result<Self, ShapeError> {
                let layout = array.layout().ok_or_else(incompatible)?;
                let elements = array.into_slice_memory_order().ok_or_else(incompatible)?;
                Ok(ViewMut::new(elements, layout))
            }
        }
    )+};
}

arrays! {
    /// A matrix of one column.
    Ix1, ArrayView1, ArrayViewMut1;
    /// In rows or in columns.
    ///
    /// ```
    /// use ndarray::{Array2, array};
    /// use retrograde::linalg::matmul;
    ///
    /// let (a, b) = (array![[1.0, 2.0], [3.0, 4.0]], array![[0.0, 1.0], [1.0, 0.0]]);
    /// let mut c = Array2::eye(2);
    /// matmul(&mut c, &a, &b);
    /// assert_eq!(c, array![[3.0, 1.0], [4.0, 4.0]]);
    /// matmul::inverse(&mut c, &a, &b);
    /// assert_eq!(c, Array2::eye(2));
    ///
    /// let mut y = array![0.0, 0.0];
    /// matmul(&mut y, &a.reversed_axes(), &array![1.0, 10.0]);
    /// assert_eq!(y, array![31.0, 42.0]);
    /// ```
    Ix2, ArrayView2, ArrayViewMut2;
}
