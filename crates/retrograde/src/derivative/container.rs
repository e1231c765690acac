//! Containers whose parts are found in a shadow as they are found in the value.

use crate::containers::{Map, Stack};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// The promise that a shadow has its parts where the value has them: that `Index`, `Deref`,
/// and the methods that give parts, such as `row` and `row_mut`, `iter` and `iter_mut`, look
/// at what carries no gradient alone (a width, an offset, a length), and give the elements
/// themselves.
///
/// A shadow holds zeros where the value has numbers. So an index that looked at a number
/// would find another element there.
///
/// `#[derive(Differentiable)] #[container]` makes the promise for a struct.
///
/// ```
/// use retrograde::prelude::*;
/// use std::ops::{Index, IndexMut};
///
/// #[derive(Clone, Debug, PartialEq, Differentiable)]
/// #[container]
/// struct Grid {
///     width: usize,
///     cells: Vec<f64>,
/// }
///
/// impl Index<(usize, usize)> for Grid {
///     type Output = f64;
///     fn index(&self, (i, j): (usize, usize)) -> &f64 {
///         &self.cells[i * self.width + j]
///     }
/// }
///
/// impl IndexMut<(usize, usize)> for Grid {
///     fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
///         &mut self.cells[i * self.width + j]
///     }
/// }
///
/// #[reversible]
/// fn product(y: &mut f64, grid: &Grid) {
///     *y += grid[(0, 1)] * grid[(1, 0)];
/// }
///
/// let grid = Grid { width: 2, cells: vec![1.0, 2.0, 3.0, 4.0] };
/// assert_eq!(product::gradient(&grid).d_grid.cells, [0.0, 3.0, 2.0, 0.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "a shadow of `{Self}` is not known to have its parts where the value has them",
    label = "finds a part by a rule of its own",
    note = "help: if `Index`, `Deref`, and the methods that give parts, look at what carries no gradient alone, and give the elements themselves, promise it: `#[container]` beside `#[derive(Differentiable)]`, or `impl retrograde::derivative::Container`"
)]
pub trait Container {}

impl<T> Container for [T] {}
impl<T, const N: usize> Container for [T; N] {}
impl<T> Container for Vec<T> {}
impl<T> Container for VecDeque<T> {}
impl<T> Container for Option<T> {}
impl<K, V> Container for BTreeMap<K, V> {}
impl<K, V, S> Container for HashMap<K, V, S> {}
impl<T> Container for Stack<T> {}
impl<K, V> Container for Map<K, V> {}
impl<C: Container + ?Sized> Container for Box<C> {}
impl<C: Container + ?Sized> Container for &C {}
impl<C: Container + ?Sized> Container for &mut C {}
#[cfg(feature = "faer")]
impl<T> Container for faer::Mat<T> {}
#[cfg(feature = "nalgebra")]
impl<T, R, C, S> Container for nalgebra::Matrix<T, R, C, S> {}
#[cfg(feature = "ndarray")]
impl<S: ndarray::RawData, D> Container for ndarray::ArrayBase<S, D> {}

/// A part that a method gives of its receiver: not a value of its own, whose gradient would
/// not be that of a part.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a value of its own, but by its name the method gives a part of what it is called on",
    label = "its gradient would be taken for that of a part",
    note = "help: give the method another name, and mark it `#[differentiable]`; or return a reference, `&[f64]`"
)]
pub trait Part {}

impl<T: ?Sized> Part for &T {}
impl<T: ?Sized> Part for &mut T {}
impl<P: Part> Part for Option<P> {}
impl<A: Part, B: Part> Part for (A, B) {}
#[cfg(feature = "nalgebra")]
impl<'a, T, R, C, RS, CS> Part
    for nalgebra::Matrix<T, R, C, nalgebra::ViewStorage<'a, T, R, C, RS, CS>>
where
    R: nalgebra::Dim,
    C: nalgebra::Dim,
    RS: nalgebra::Dim,
    CS: nalgebra::Dim,
{
}
#[cfg(feature = "ndarray")]
impl<T, D> Part for ndarray::ArrayView<'_, T, D> {}
#[cfg(feature = "faer")]
impl<T> Part for faer::ColRef<'_, T> {}
#[cfg(feature = "faer")]
impl<T> Part for faer::RowRef<'_, T> {}
#[cfg(feature = "faer")]
impl<T> Part for faer::MatRef<'_, T> {}
