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
            // Values and shadows come here: numbers that wrap around must not do so unseen.
            Sign::Plus => place.accumulate_shadow(value),
            Sign::Minus => place.retract_shadow(value),
        }
    }
}

/// How many sums run beside each other.
const SUMS: usize = 8;
/// How many rows are added at once.
const ROWS: usize = 4;

/// `a + b`, as [`Sign::apply`] adds.
#[inline]
fn sum<T: Arithmetic>(mut a: T, b: T) -> T {
    a.accumulate_shadow(b);
    a
}

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
                let term = |a: &T, b: &T| a.clone() * conjugated(b, conjugate);
                let near = sum(term(&a0, &b0[j]), term(&a1, &b1[j]));
                let far = sum(term(&a2, &b2[j]), term(&a3, &b3[j]));
                sign.apply(c, sum(near, far));
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
    let rest = rest.fold(T::zero(), |total, (x, y)| sum(total, term(x, y)));
    let mut sums: [T; SUMS] = std::array::from_fn(|_| T::zero());
    for (x, y) in xs.zip(ys) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            sum.accumulate_shadow(term(x, y));
        }
    }
    sums.into_iter().fold(rest, sum)
}

/// `y ± a x`.
pub(crate) fn add_scaled<T: Arithmetic>(y: &mut [T], sign: Sign, a: &T, x: &[T]) {
    for (y, x) in y.iter_mut().zip(x) {
        sign.apply(y, a.clone() * x.clone());
    }
}

/// Below this many products of numbers, it is done before another library is called.
#[cfg(feature = "faer")]
const SMALL: usize = 128;

/// `C ± A B` by the blocked product of `faer`, on one thread, if it is large enough for
/// that and rows or columns have no gaps.
#[cfg(feature = "faer")]
pub(crate) fn blocked<T: Arithmetic + faer::traits::ComplexField>(
    mut c: ViewMut<'_, T>,
    sign: Sign,
    a: View<'_, T>,
    b: View<'_, T>,
) {
    use faer::{Accum, Conj, Par, linalg::matmul::matmul_with_conj};
    let [rows, columns, depth] = [c.layout().rows, c.layout().columns, a.layout().columns];
    let small = rows.saturating_mul(columns).saturating_mul(depth) <= SMALL;
    let operands = if small { None } else { c.as_faer_mut().zip(a.to_faer().zip(b.to_faer())) };
    let Some((c, (left, right))) = operands else {
        return by_loops(c, sign, a, b);
    };
    let [conj_a, conj_b] = [a, b].map(|v| if v.conjugate { Conj::Yes } else { Conj::No });
    let factor = if sign == Sign::Plus { Arithmetic::one() } else { -<T as Arithmetic>::one() };
    matmul_with_conj(c, Accum::Add, left, conj_a, right, conj_b, factor, Par::Seq);
    clear_wide_registers();
}

/// Makes narrow instructions fast again after a product.
///
/// The kernels that `faer` has for x86 leave something in the upper parts of the wide
/// registers. Until these are cleared, every instruction that knows of the lower parts only
/// has to carry them along: plain loops were seen to take four times as long. The compiler
/// clears them at the end of a function that uses them, and this is the shortest one.
#[cfg(feature = "faer")]
fn clear_wide_registers() {
    use faer::traits::pulp::{Arch, Simd, WithSimd};
    use std::hint::black_box;

    struct Sum<'a>(&'a [f64; 8]);

    impl WithSimd for Sum<'_> {
        type Output = f64;
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> f64 {
            let (wide, _) = S::as_simd_f64s(self.0);
            let sum = wide.iter().fold(simd.splat_f64s(0.0), |sum, x| simd.add_f64s(sum, *x));
            simd.reduce_sum_f64s(sum)
        }
    }

    black_box(Arch::new().dispatch(Sum(black_box(&[0.0; 8]))));
}
