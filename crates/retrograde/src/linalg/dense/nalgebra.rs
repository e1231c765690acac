//! Matrices of `nalgebra`.

use super::{Dense, Layout, View, ViewMut};
use ::nalgebra::{Dim, IsContiguous, Matrix, RawStorage, RawStorageMut};

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
