//! Elements of matrices of `faer`.

use super::{Disjoint, apart};
use ::faer::{Mat, MatMut};

#[track_caller]
fn elements<'a, T, const N: usize>(
    m: MatMut<'a, T>,
    indices: [(usize, usize); N],
    source: &'static str,
) -> [&'a mut T; N] {
    let (rows, columns) = (m.nrows(), m.ncols());
    for (n, (i, j)) in indices.iter().enumerate() {
        assert!(*i < rows && *j < columns, "element ({i}, {j}) of a matrix of {rows} × {columns}");
        indices[..n].iter().for_each(|other| apart(other, &(*i, *j), source));
    }
    let mut order: [usize; N] = std::array::from_fn(|n| n);
    order.sort_unstable_by_key(|n| (indices[*n].1, indices[*n].0));
    // From the first on: what is left of the matrix, and of the column that the last
    // one was in.
    let mut found = [const { None }; N];
    let (mut rest, mut first) = (m, 0);
    let mut column: Option<(_, usize, usize)> = None;
    for n in order {
        let (i, j) = indices[n];
        let (left, above) = match column.take() {
            Some((left, above, number)) if number == j => (left, above),
            _ => {
                let (column, others) = rest.split_at_col_mut(j - first).1.split_at_col_mut(1);
                (rest, first) = (others, j + 1);
                (column.col_mut(0), 0)
            }
        };
        let (element, below) = left.split_at_row_mut(i - above).1.split_at_row_mut(1);
        found[n] = Some(element.get_mut(0));
        column = Some((below, i + 1, j));
    }
    found.map(|element| element.expect("every index is in the order"))
}

macro_rules! matrices {
    ($($(#[$doc:meta])* $type:ty),+ $(,)?) => {$(
        $(#[$doc])*
        impl<T> Disjoint<(usize, usize)> for $type {
            type Output = T;

            #[track_caller]
            fn disjoint<const N: usize>(
                &mut self,
                indices: [(usize, usize); N],
                source: &'static str,
            ) -> [&mut T; N] {
                elements(self.as_mut(), indices, source)
            }
        }
    )+};
}

matrices! {
    /// Elements of them are places in reversible functions, and the shadow of one has its
    /// type and shape:
    ///
    /// ```
    /// use faer::{Mat, mat};
    /// use retrograde::prelude::*;
    ///
    /// /// `Σ aᵢⱼ (xᵢ − xⱼ)²`.
    /// #[reversible]
    /// fn springs(y: &mut f64, a: &Mat<f64>, x: &Mat<f64>) {
    ///     for i in 0..a.nrows() {
    ///         for j in 0..i {
    ///             *y += a[(i, j)] * (x[(i, 0)] - x[(j, 0)]).powi(2);
    ///         }
    ///     }
    /// }
    ///
    /// let a = mat![[0.0, 0.0], [2.0, 0.0]];
    /// let at = springs::gradient(&a, &mat![[1.0], [3.0]]);
    /// assert_eq!((at.value, at.d_a[(1, 0)]), (8.0, 4.0));
    /// assert_eq!(at.d_x, mat![[-8.0], [8.0]]);
    /// ```
    Mat<T>,
    MatMut<'_, T>,
}
