//! The inner product of two sparse matrices.

use super::Pattern;
use crate::num::Arithmetic;
use retrograde_macros::differentiable;
use std::cmp::Ordering;

/// The inner product of two matrices, `Σ Aᵢⱼ* Bᵢⱼ`: of complex numbers, the first is
/// conjugated.
///
/// ```
/// use retrograde::prelude::*;
/// use retrograde::sparse::{Pattern, dot};
///
/// #[reversible]
/// fn overlap(
///     y: &mut f64,
///     #[constant] p: &Pattern<'_>,
///     a: &[f64],
///     #[constant] q: &Pattern<'_>,
///     b: &[f64],
/// ) {
///     *y += dot(p, a, q, b);
/// }
///
/// // The second column is empty in A, but not in B.
/// let p = Pattern::new(3, 2, &[0, 2, 2], &[0, 1])?;
/// let q = Pattern::new(3, 2, &[0, 2, 3], &[1, 2, 0])?;
/// let (a, b, mut y) = ([1.0, 2.0], [10.0, 20.0, 30.0], 5.0);
/// overlap(&mut y, &p, &a, &q, &b);
/// assert_eq!(y, 25.0);
/// let (mut d_a, mut d_b) = ([0.0; 2], [0.0; 3]);
/// overlap::adjoint(&mut y, &mut 1.0, &p, &a, &mut d_a, &q, &b, &mut d_b);
/// assert_eq!((y, d_a, d_b), (5.0, [0.0, 10.0], [2.0, 0.0, 0.0]));
/// # Ok::<(), retrograde::sparse::PatternError>(())
/// ```
///
/// # Panics
///
/// If the shapes differ, or a pattern has not as many entries as there are values.
#[differentiable(pullback = dot_pullback)]
#[track_caller]
pub fn dot<T: Arithmetic>(
    #[constant] p: &Pattern<'_>,
    a: &[T],
    #[constant] q: &Pattern<'_>,
    b: &[T],
) -> T {
    check(p, a.len(), q, b.len());
    let mut sum = T::zero();
    each_common_entry(p, q, |k, l| sum += a[k].clone().conj() * b[l].clone());
    sum
}

#[track_caller]
fn dot_pullback<T: Arithmetic>(
    g: &T,
    p: &Pattern<'_>,
    a: &[T],
    d_a: &mut [T],
    q: &Pattern<'_>,
    b: &[T],
    d_b: &mut [T],
) {
    check(p, a.len(), q, b.len());
    let conjugate = g.clone().conj();
    each_common_entry(p, q, |k, l| {
        d_a[k].accumulate_shadow(conjugate.clone() * b[l].clone());
        d_b[l].accumulate_shadow(g.clone() * a[k].clone());
    });
}

#[track_caller]
fn check(p: &Pattern<'_>, a: usize, q: &Pattern<'_>, b: usize) {
    assert!(
        p.rows() == q.rows() && p.columns() == q.columns(),
        "an inner product of matrices of {} × {} and {} × {}",
        p.rows(),
        p.columns(),
        q.rows(),
        q.columns()
    );
    super::products::has_values(p, a);
    super::products::has_values(q, b);
}

/// Calls `f` with the numbers of every two entries that are in one place.
#[inline]
fn each_common_entry(p: &Pattern<'_>, q: &Pattern<'_>, mut f: impl FnMut(usize, usize)) {
    for j in 0..p.columns() {
        let (mut a, mut b) = (p.column(j).zip(p.column_rows(j)), q.column(j).zip(q.column_rows(j)));
        let (mut left, mut right) = (a.next(), b.next());
        while let (Some((k, i)), Some((l, h))) = (left, right) {
            match i.cmp(h) {
                Ordering::Less => left = a.next(),
                Ordering::Greater => right = b.next(),
                Ordering::Equal => {
                    f(k, l);
                    (left, right) = (a.next(), b.next());
                }
            }
        }
    }
}
