//! The one loop that everything here is made of: `C ± A B`.

use super::{View, ViewMut};
use crate::num::Arithmetic;

/// Whether a product is added or taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It is added.
    Plus,
    /// It is taken away.
    Minus,
}

impl Sign {
    /// The other one.
    pub fn opposite(self) -> Self {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }

    /// `place ± value`.
    #[inline]
    pub(crate) fn apply<T: Arithmetic>(self, place: &mut T, value: T) {
        match self {
            Sign::Plus => *place += value,
            Sign::Minus => *place -= value,
        }
    }
}

/// How many sums run beside each other.
const SUMS: usize = 8;
/// How many rows are added at once.
const ROWS: usize = 4;

#[inline]
fn conjugated<T: Arithmetic>(x: &T, conjugate: bool) -> T {
    if conjugate { x.clone().conj() } else { x.clone() }
}

/// `C ± A B`, in the way of the number type.
///
/// # Panics
///
/// If the shapes do not fit.
#[track_caller]
pub(crate) fn product<T: Arithmetic>(
    c: ViewMut<'_, T>,
    sign: Sign,
    a: View<'_, T>,
    b: View<'_, T>,
) {
    let (lc, la, lb) = (c.layout(), a.layout(), b.layout());
    assert!(
        lc.rows == la.rows && lc.columns == lb.columns && la.columns == lb.rows,
        "a product of {} × {} and {} × {} does not fit {} × {}",
        la.rows,
        la.columns,
        lb.rows,
        lb.columns,
        lc.rows,
        lc.columns
    );
    T::matrix_product(c, sign, a, b);
}

/// `C ± A B` for numbers of any type.
pub(crate) fn by_loops<T: Arithmetic>(
    mut c: ViewMut<'_, T>,
    sign: Sign,
    a: View<'_, T>,
    b: View<'_, T>,
) {
    let (lc, la, lb) = (c.layout(), a.layout(), b.layout());
    if lc.rows == 0 || lc.columns == 0 || la.columns == 0 {
        return;
    }
    if lc.column_stride == 1 && lb.column_stride == 1 {
        rows_of_rows(&mut c, sign, a, b);
    } else if lc.row_stride == 1 && la.row_stride == 1 {
        rows_of_rows(&mut c.transposed(), sign, b.transposed(), a.transposed());
    } else if la.column_stride == 1 && lb.row_stride == 1 {
        let b = b.transposed();
        for i in 0..lc.rows {
            for j in 0..lc.columns {
                let sum = inner(a.row(i), a.conjugate, b.row(j), b.conjugate);
                sign.apply(c.at_mut(i, j), sum);
            }
        }
    } else {
        for i in 0..lc.rows {
            for j in 0..lc.columns {
                for k in 0..la.columns {
                    let (a_ik, b_kj) = (a.at(i, k), b.at(k, j));
                    let term = conjugated(a_ik, a.conjugate) * conjugated(b_kj, b.conjugate);
                    sign.apply(c.at_mut(i, j), term);
                }
            }
        }
    }
}

/// Every row of `C` is a sum of rows of `B`, which have no gaps.
fn rows_of_rows<T: Arithmetic>(c: &mut ViewMut<'_, T>, sign: Sign, a: View<'_, T>, b: View<'_, T>) {
    let (depth, conjugate) = (a.layout().columns, b.conjugate);
    let whole = depth - depth % ROWS;
    for i in 0..a.layout().rows {
        let row = c.row_mut(i);
        let factor = |k| conjugated(a.at(i, k), a.conjugate);
        for k in (0..whole).step_by(ROWS) {
            let [a0, a1, a2, a3] = std::array::from_fn(|r| factor(k + r));
            let [b0, b1, b2, b3] = std::array::from_fn(|r| &b.row(k + r)[..row.len()]);
            for (j, c) in row.iter_mut().enumerate() {
                let near = a0.clone() * conjugated(&b0[j], conjugate)
                    + a1.clone() * conjugated(&b1[j], conjugate);
                let far = a2.clone() * conjugated(&b2[j], conjugate)
                    + a3.clone() * conjugated(&b3[j], conjugate);
                sign.apply(c, near + far);
            }
        }
        for k in whole..depth {
            let factor = factor(k);
            for (c, b) in row.iter_mut().zip(b.row(k)) {
                sign.apply(c, factor.clone() * conjugated(b, conjugate));
            }
        }
    }
}

/// `Σ xᵢ yᵢ`, with several sums at once, so that they need not wait for each other.
pub(crate) fn inner<T: Arithmetic>(x: &[T], conjugate_x: bool, y: &[T], conjugate_y: bool) -> T {
    let term = |x: &T, y: &T| conjugated(x, conjugate_x) * conjugated(y, conjugate_y);
    let (xs, ys) = (x.chunks_exact(SUMS), y.chunks_exact(SUMS));
    let rest = xs.remainder().iter().zip(ys.remainder());
    let rest = rest.fold(T::zero(), |sum, (x, y)| sum + term(x, y));
    let mut sums: [T; SUMS] = std::array::from_fn(|_| T::zero());
    for (x, y) in xs.zip(ys) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += term(x, y);
        }
    }
    sums.into_iter().fold(rest, |sum, part| sum + part)
}

/// `y ± a x`.
pub(crate) fn add_scaled<T: Arithmetic>(y: &mut [T], sign: Sign, a: &T, x: &[T]) {
    for (y, x) in y.iter_mut().zip(x) {
        sign.apply(y, a.clone() * x.clone());
    }
}

/// Below this, there is nothing to block.
#[cfg(feature = "nalgebra")]
const SMALL: usize = 8;

/// `C ± A B` by the blocked product of `nalgebra`, if it is large enough for that.
#[cfg(feature = "nalgebra")]
pub(crate) fn blocked<T: Arithmetic + nalgebra::RealField>(
    mut c: ViewMut<'_, T>,
    sign: Sign,
    a: View<'_, T>,
    b: View<'_, T>,
) {
    if c.layout().rows.min(c.layout().columns).min(a.layout().columns) <= SMALL {
        return by_loops(c, sign, a, b);
    }
    // Its kernels write columns.
    if c.layout().column_stride == 1 {
        return blocked(c.transposed(), sign, b.transposed(), a.transposed());
    }
    let lc = c.layout();
    let [a, b] = [a, b].map(|v| {
        let l = v.layout();
        let (rows, columns) = (l.row_stride, l.column_stride);
        let elements = v.elements();
        nalgebra::DMatrixView::from_slice_with_strides(elements, l.rows, l.columns, rows, columns)
    });
    let factor = if sign == Sign::Plus { T::literal(1.0) } else { T::literal(-1.0) };
    nalgebra::DMatrixViewMut::from_slice_with_strides_mut(
        c.elements_mut(),
        lc.rows,
        lc.columns,
        lc.row_stride,
        lc.column_stride,
    )
    .gemm(factor, &a, &b, nalgebra::one());
}
