//! Vectors and matrices, by differences in every entry of `L = ⟨W, f(A, B)⟩`.
//! Its gradient with respect to `f(A, B)` is `W`.

use super::*;
use crate::check::Check;
use crate::check::Slack;
use crate::derivative::{Differentiable, PullAdd, PullMul, PullSub, pull, zero_like};
use crate::num::{AdditiveGroup, Zero, like};
use ::nalgebra::SMatrix;
use proptest::prelude::*;

type M<const R: usize, const C: usize> = SMatrix<f64, R, C>;
type S<const R: usize, const C: usize> = SMatrix<f32, R, C>;

/// The derivatives by all entries.
fn gradient<const R: usize, const C: usize>(loss: impl Fn(M<R, C>) -> f64, at: M<R, C>) -> M<R, C> {
    M::from_fn(|i, j| {
        let with = |entry| {
            let mut moved = at;
            moved[(i, j)] = entry;
            loss(moved)
        };
        difference(with, at[(i, j)])
    })
}

fn close<const R: usize, const C: usize>(found: M<R, C>, expected: M<R, C>) -> bool {
    (found - expected).norm() <= 1e-7 * expected.norm().max(1.0)
}

fn close_to_single<const R: usize, const C: usize>(found: S<R, C>, expected: M<R, C>) -> bool {
    (found.cast::<f64>() - expected).norm() <= 1e-4 * expected.norm().max(1.0)
}

fn matrix<const R: usize, const C: usize>() -> impl Strategy<Value = M<R, C>> {
    prop::collection::vec(-2.0..2.0, R * C).prop_map(M::from_iterator)
}

/// A product of any two shapes.
fn product<const R: usize, const K: usize, const C: usize>(a: M<R, K>, b: M<K, C>, w: M<R, C>) {
    let left = gradient(|a| w.dot(&(a * b)), a);
    let right = gradient(|b| w.dot(&(a * b)), b);
    assert!(close(M::pull_mul_left(&w, &a, &b), left));
    assert!(close(M::pull_mul_right(&w, &a, &b), right));
    let (a, b, w): (S<R, K>, S<K, C>, S<R, C>) = (a.cast(), b.cast(), w.cast());
    assert!(close_to_single(S::pull_mul_left(&w, &a, &b), left));
    assert!(close_to_single(S::pull_mul_right(&w, &a, &b), right));
}

proptest! {
    #[test]
    fn products(
        a in matrix::<3, 2>(),
        b in matrix::<2, 4>(),
        v in matrix::<2, 1>(),
        w in matrix::<3, 4>(),
        u in matrix::<3, 1>(),
    ) {
        product(a, b, w);
        product(a, v, u);
        product(u.transpose(), a, v.transpose());
        product(v.transpose(), v, M::<1, 1>::new(1.5));
    }

    #[test]
    fn sums_and_scalars(
        a in matrix::<3, 2>(),
        b in matrix::<3, 2>(),
        w in matrix::<3, 2>(),
        x in 0.4..2.0_f64,
        minus: bool,
    ) {
        let x = if minus { -x } else { x };
        prop_assert!(close(PullAdd::pull_add_left(&w, &a, &b), gradient(|a| w.dot(&(a + b)), a)));
        prop_assert!(close(PullAdd::pull_add_right(&w, &a, &b), gradient(|b| w.dot(&(a + b)), b)));
        prop_assert!(close(PullSub::pull_sub_left(&w, &a, &b), gradient(|a| w.dot(&(a - b)), a)));
        prop_assert!(close(PullSub::pull_sub_right(&w, &a, &b), gradient(|b| w.dot(&(a - b)), b)));
        let by_matrix = gradient(|a| w.dot(&(a * x)), a);
        let by_scalar = difference(|x| w.dot(&(a * x)), x);
        prop_assert!(close(M::pull_mul_left(&w, &a, &x), by_matrix));
        prop_assert!(roughly(<M<3, 2> as PullMul<f64>>::pull_mul_right(&w, &a, &x), by_scalar, 1e-7));
        prop_assert!(close(f64::pull_mul_right(&w, &x, &a), by_matrix));
        prop_assert!(roughly(f64::pull_mul_left(&w, &x, &a), by_scalar, 1e-7));
        let by_matrix = gradient(|a| w.dot(&(a / x)), a);
        let by_scalar = difference(|x| w.dot(&(a / x)), x);
        prop_assert!(close(M::pull_quotient_left(&w, &a, &x), by_matrix));
        prop_assert!(roughly(M::pull_quotient_right(&w, &a, &x), by_scalar, 1e-7));
        let (w, a, x): (S<3, 2>, S<3, 2>, f32) = (w.cast(), a.cast(), x as f32);
        prop_assert!(close_to_single(S::pull_quotient_left(&w, &a, &x), by_matrix));
        prop_assert!(roughly(S::pull_quotient_right(&w, &a, &x).into(), by_scalar, 1e-4));
    }

    #[test]
    fn lengths_and_inner_products(a in matrix::<3, 1>(), b in matrix::<3, 1>(), g in -2.0..2.0) {
        prop_assume!(a.norm() > 0.1);
        prop_assert!(close(pull::norm(&g, &a, &a.norm()), gradient(|a| g * a.norm(), a)));
        let squared = gradient(|a| g * a.norm_squared(), a);
        prop_assert!(close(pull::norm_squared(&g, &a), squared));
        prop_assert!(close(pull::dot_left(&g, &a, &b), gradient(|a| g * a.dot(&b), a)));
        prop_assert!(close(pull::dot_right(&g, &a, &b), gradient(|b| g * a.dot(&b), b)));
        let s: S<3, 1> = a.cast();
        prop_assert!(close_to_single(pull::norm_squared(&(g as f32), &s), squared));
    }
}

#[test]
fn the_length_of_nothing_has_no_gradient() {
    assert_eq!(pull::norm(&1.0, &M::<3, 1>::zeros(), &0.0), M::<3, 1>::zeros());
}

#[test]
fn places() {
    let a = M::<2, 2>::new(1.0, 2.0, 3.0, 4.0);
    let mut sum = M::<2, 2>::zero();
    sum.accumulate(a);
    sum.accumulate(a);
    sum.retract(a);
    assert_eq!(sum, a);
    sum.negate();
    assert_eq!(sum, -a);
    let mut shadow = zero_like(&a);
    shadow.accumulate_shadow(a);
    shadow.accumulate_shadow(a);
    shadow.retract_shadow(a);
    assert_eq!(shadow, a);
    assert_eq!(like(&a, 0.5) * a, a / 2.0);
}

#[test]
fn entries_are_compared_at_the_scale_of_the_largest() {
    let at = |large, small| M::<2, 1>::new(large, small);
    assert!(at(1e6, 1e-4).agrees(&at(1e6, 0.0), Slack::half_the_digits(0.0)));
    assert!(!at(1.0, 1e-4).agrees(&at(1.0, 0.0), Slack::half_the_digits(0.0)));
    assert_eq!(Check::magnitude(&at(3.0, -4.0)), 4.0);
}
