//! `let`s that take values apart.

use retrograde::error::{Broken, InvertibilityError};
use retrograde::prelude::*;
use retrograde::testing::{assert_gradient, assert_reversible};
use std::panic::catch_unwind;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pair<T> {
    a: T,
    b: T,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Nested<T> {
    p: (T, T),
    q: [T; 2],
    r: T,
}

/// Only run time can tell whether the parts are still what they were.
#[reversible]
fn compared(ps: &mut [Pair<i64>], i: usize, j: usize) {
    let Pair { a, b } = ps[i];
    ps[j].a += a * b;
}

#[reversible]
fn renamed(ps: &mut [Pair<i64>], i: usize, j: usize) {
    let Pair { a: u, .. } = ps[i];
    ps[j].a += u;
}

#[reversible]
fn of_tuples(ps: &mut [(i64, [i64; 2])], i: usize, j: usize) {
    let (u, [v, ..]) = ps[i];
    ps[j].0 += u * v;
}

#[reversible]
fn nested<T: Real>(y: &mut T, ps: &mut [Nested<T>], i: usize, j: usize) {
    #[compute]
    {
        let Nested { p: (a, _), q: [c, d], r } = ps[i];
        ps[j].r += a * c * d * r;
    }
    *y += ps[j].r * ps[j].r;
}

#[reversible]
fn in_a_loop(y: &mut f64, ps: &mut [Nested<f64>], k: usize) {
    for i in 0..k {
        let Nested { r, .. } = ps[i];
        let both @ (s, _) = ps[i].p;
        ps[k].r += r * s + both.1 * both.0;
    }
    *y += ps[k].r;
}

impl Pair<f64> {
    #[reversible]
    fn takes(&mut self, ps: &mut [Self], i: usize, j: usize) {
        let Pair { a, b } = ps[i];
        self.a += a * b;
        ps[j].a += a * b;
    }
}

#[test]
fn parts_are_compared_with_what_they_were() {
    let ps = [Pair { a: 1, b: 2 }, Pair { a: 3, b: 4 }];
    assert_reversible!(compared(&mut { ps }, 0, 1));
    assert_reversible!(renamed(&mut { ps }, 0, 1));
    assert_reversible!(of_tuples(&mut [(1, [2, 3]), (3, [4, 5])], 0, 1));
    for refused in [
        catch_unwind(|| compared(&mut { ps }, 1, 1)),
        catch_unwind(|| renamed(&mut { ps }, 1, 1)),
        catch_unwind(|| of_tuples(&mut [(1, [2, 3])], 0, 0)),
    ] {
        let error = refused.unwrap_err().downcast::<InvertibilityError>().unwrap();
        assert_eq!(error.broken, Broken::Binding);
    }
}

#[test]
fn parts_have_gradients() {
    let of = |r: f64| Nested { p: (r + 0.5, 2.0), q: [r - 0.25, 0.5], r };
    assert_gradient!(nested(&mut 0.5, &mut [of(1.0), of(2.0)], 0, 1));
    assert_gradient!(in_a_loop(&mut 0.5, &mut [of(1.0), of(2.0)], 1));
    let ps = [Pair { a: 1.0, b: 2.0 }, Pair { a: 3.0, b: 4.0 }];
    assert_gradient!(Pair::takes(&mut { ps[0] }, &mut { ps }, 0, 1));
}

#[reversible]
fn of_a_place(y: &mut f64, ps: &[(f64, f64)], p: &Pair<f64>) {
    let whole @ (first, _) = ps[0];
    let pair @ Pair { a, .. } = *p;
    *y += first * 2.0 + whole.1 * first + whole.0 * a * pair.b * pair.a;
}

#[reversible]
fn of_a_value(y: &mut f64, x: &f64, w: &f64) {
    let whole @ (first, _) = (*x * *w, *w * *w);
    *y += first * first * whole.1 * whole.0;
}

#[reversible]
fn of_a_reference(y: &mut f64, ps: &[(f64, f64)]) {
    let whole @ (first, _) = &ps[0];
    *y += *first * 2.0 + whole.1 * *first;
}

#[reversible]
fn of_an_array(y: &mut f64, ps: &[f64; 3]) {
    let all @ [first, ..] = *ps;
    *y += first * all[2] * all[0];
}

#[test]
fn a_whole_and_its_parts_share_a_gradient() {
    assert_gradient!(of_a_place(&mut 0.0, &[(1.5, 2.0)], &Pair { a: 0.5, b: 3.0 }));
    assert_gradient!(of_a_value(&mut 0.0, &1.5, &2.0));
    assert_gradient!(of_a_reference(&mut 0.0, &[(1.5, 2.0)]));
    assert_gradient!(of_an_array(&mut 0.0, &[1.0, 2.0, 3.0]));
}

#[reversible]
fn without_the_rest<T: Real>(y: &mut T, x: &[T; 3], t: &(T, T, T)) {
    let [a, b, ..] = *x;
    let (c, ..) = *t;
    *y += a * b * c;
}

#[test]
fn what_comes_after_the_parts_is_left_out() {
    assert_gradient!(without_the_rest(&mut 0.0, &[1.0, 2.0, 3.0], &(0.5, 1.0, 2.0)));
}

#[differentiable]
fn square(p: Pair<f64>) -> f64 {
    p.a * p.a + p.b * p.b
}

/// Names that are declared twice are made different.
#[differentiable]
fn shorthands(x: f64) -> f64 {
    let a = x * 2.0;
    let s = {
        let a = x * 3.0;
        let b = a + 1.0;
        square(Pair { a, b })
    };
    let t = {
        let Pair { a, b } = Pair { a: x, b: a };
        a * b
    };
    s + a + t
}

#[reversible]
fn by_shorthands(y: &mut f64, x: &f64) {
    *y += shorthands(*x);
}

#[test]
fn shorthands_of_names_that_are_declared_twice() {
    assert_gradient!(by_shorthands(&mut 0.0, &1.5));
}
