//! Names and types that meet others: arguments named like their function, functions named like
//! directions, marks with their path, types with lifetimes.

use retrograde::linalg;
use retrograde::prelude::*;
use retrograde::testing::{assert_gradient, assert_reversible};
use std::borrow::Cow;

mod named_like_directions {
    use retrograde::prelude::*;

    #[reversible]
    pub fn adjoint(y: &mut f64, x: &f64) {
        *y += 3.0 * *x;
    }

    #[reversible]
    pub fn gradient(y: &mut f64, x: &f64) {
        *y += x.sin();
    }

    #[reversible]
    pub fn inverse(y: &mut f64, x: &f64) {
        *y += 1.0 / *x;
    }

    #[differentiable]
    pub fn pullback(x: &f64) -> f64 {
        *x * *x
    }
}

use named_like_directions::inverse as reciprocal;

#[reversible]
fn calls(y: &mut f64, x: &f64) {
    named_like_directions::adjoint(y, x);
    named_like_directions::gradient(y, x);
    *y += named_like_directions::pullback(x);
    reciprocal(y, x);
    named_like_directions::adjoint::inverse(y, x);
    named_like_directions::inverse::inverse(y, x);
    reciprocal(y, x);
}

#[reversible]
fn system(y: &mut f64, a: &linalg::Matrix<f64>) {
    let mut b = linalg::Matrix::zeros(2, 2);
    #[compute]
    {
        linalg::inverse(&mut b, a);
    }
    *y += b[(0, 0)] * b[(1, 1)];
}

#[test]
fn functions_named_like_directions() {
    assert!((calls::gradient(&2.0).value - (2.0_f64.sin() + 4.5)).abs() < 1e-14);
    assert_reversible!(calls(&mut 0.5, &2.0));
    assert_gradient!(calls(&mut 0.5, &2.0));
    let a = linalg::Matrix::from_rows([[2.0, 1.0], [0.0, 4.0]]);
    assert_eq!(system::gradient(&a).value, 0.125);
    assert_gradient!(system(&mut 0.5, &a));
}

#[reversible]
fn scale(y: &mut f64, scale: &[f64], by: f64) {
    for scale in scale {
        *y += *scale * *scale * by;
    }
}

#[reversible]
fn total(total: &mut f64, x: &f64) {
    *total += *x * *x;
}

#[test]
fn arguments_named_like_their_function() {
    let at = scale::gradient(&[2.0, 3.0], 0.5);
    assert_eq!((at.value, at.d_scale, at.d_by), (6.5, vec![2.0, 3.0], 13.0));
    assert_gradient!(scale(&mut 0.5, &[2.0, 3.0][..], 0.5));
    assert_eq!(total::gradient(&3.0).d_x, 6.0);
}

#[retrograde::reversible]
#[retrograde::unchecked]
fn marks_by_path(y: &mut f64, x: &f64, #[retrograde::constant] c: &f64) {
    let mut a = 0.0;
    #[retrograde::compute]
    {
        a += *x * *x;
    }
    #[retrograde::prelude::constant]
    let twice = 2.0 * *c;
    #[retrograde::unchecked]
    if *x > 0.0 {
        *y += a * twice;
    }
}

#[reversible]
fn lints_and_builds(y: &mut f64, x: &f64) {
    #[allow(clippy::suboptimal_flops)]
    {
        *y += *x * *x;
    }
    #[allow(unused_variables)]
    let unused = 3.0;
    #[cfg(test)]
    {
        *y += 2.0 * *x;
    }
    #[cfg(not(test))]
    for _ in 0..3 {
        *y += 100.0 * *x;
    }
    #[cfg(any(unix, not(unix)))]
    total(y, x);
    #[cfg(all(unix, not(unix)))]
    #[unchecked]
    *y += 1000.0 * *x;
}

#[test]
fn marks_on_statements() {
    assert_gradient!(marks_by_path(
        &mut 0.5,
        &2.0,
        #[constant]
        &3.0
    ));
    assert_eq!(marks_by_path::gradient(&2.0, &3.0).d_x, 24.0);
    assert_reversible!(lints_and_builds(&mut 0.5, &2.0));
    let at = lints_and_builds::gradient(&2.0);
    assert_eq!((at.value, at.d_x), (12.0, 10.0));
}

/// Data that somebody else owns.
#[derive(Clone, Debug, PartialEq)]
struct Window<'a> {
    data: &'a [f64],
}

/// Data that somebody else owns, and a parameter.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Model<'a> {
    #[constant]
    data: &'a [f64],
    weight: f64,
}

#[reversible]
fn borrowed<'a>(y: &mut f64, #[constant] window: &Window<'a>, x: &'a [f64]) {
    for k in 0..x.len() {
        *y += window.data[k] * x[k];
    }
}

#[reversible]
#[allow(clippy::ptr_arg)]
fn by_value(y: &mut f64, #[constant] window: Window<'_>, #[constant] name: &Cow<'_, str>, x: &f64) {
    if !name.is_empty() {
        *y += window.data[1] * *x * *x;
    }
}

#[reversible]
fn carries<'a>(y: &mut f64, model: &Model<'a>, other: &mut Model<'_>, last: Model<'_>) {
    for k in 0..model.data.len() {
        #[constant]
        let datum = model.data[k];
        *y += datum * model.weight * other.weight * last.weight;
    }
}

#[test]
fn types_with_lifetimes() {
    let data = [1.0, 2.0];
    let window = Window { data: &data };
    assert_eq!(borrowed::gradient(&window, &[3.0, 4.0]).d_x, data);
    assert_eq!(by_value::gradient(window, &Cow::from("n"), &3.0).d_x, 12.0);
    let model = Model { data: &data, weight: 2.0 };
    let at = carries::gradient(&model, &mut model.clone(), model.clone());
    assert_eq!(at.value, 24.0);
    assert_eq!((at.d_model.weight, at.d_other.weight, at.d_last.weight), (12.0, 12.0, 12.0));
}

#[reversible]
fn keeps(y: &mut f64, kept: &mut Stack<f64>, x: &[f64]) {
    for k in 0..x.len() {
        let mut square = x[k] * x[k];
        *y += square * square;
        kept.push(&mut square);
        unlet!(square = 0.0);
    }
}

#[test]
fn a_stack_of_the_caller_that_grows() {
    let mut kept = Stack::from(vec![1.0]);
    let at = keeps::gradient(&mut kept, &[2.0, 3.0]);
    assert_eq!((at.value, at.d_x), (97.0, vec![32.0, 108.0]));
    assert_eq!(kept, Stack::from([1.0]));
}

/// A struct that asks for numbers, and a function that asks for more.
#[derive(Clone, Debug, Differentiable)]
struct Bounded<T: Real, U>
where
    U: Clone,
{
    weight: T,
    other: U,
}

#[reversible]
fn of_bounded<T: Real, U>(y: &mut T, x: &Bounded<T, U>)
where
    U: Clone + std::fmt::Debug + Differentiable,
{
    *y += x.weight * x.weight;
}

#[test]
fn structs_with_bounds() {
    let x = Bounded { weight: 3.0, other: 1.0_f32 };
    assert_eq!(of_bounded::gradient(&x).d_x.weight, 6.0);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Named<'a> {
    k: f64,
    #[constant]
    name: &'a str,
}

#[reversible]
fn of_one_lifetime<'a>(y: &mut f64, v: &'a Named<'a>, all: &'a [Named<'a>]) {
    *y += v.k.sin() + v.name.len() as f64;
    for other in all {
        *y += other.k * v.k;
    }
}

#[reversible]
fn through_another<'a>(y: &mut f64, v: &'a Named<'a>, all: &'a [Named<'a>]) {
    of_one_lifetime(y, v, all);
}

#[test]
fn a_shadow_is_lent_for_the_call_alone() {
    let name = String::from("name");
    let v = Named { k: 0.5, name: &name };
    let found = of_one_lifetime::gradient(&v, std::slice::from_ref(&v));
    assert_eq!(found.d_v.k, 0.5_f64.cos() + 0.5);
    assert_eq!(found.d_all[0].k, 0.5);
    assert_eq!(through_another::gradient(&v, &[]).d_v.k, 0.5_f64.cos());
}

/// What a build leaves out need not be there.
#[reversible]
fn in_some_builds(y: &mut f64, x: &mut f64, #[constant] seen: &std::cell::Cell<u32>) {
    *y += x.sin();
    #[cfg(any())]
    nothing(x);
    #[cfg(any())]
    host! { seen.nothing(); }
    #[cfg(test)]
    host! { seen.set(seen.get() + 1); }
    #[cfg(test)]
    {
        *y += *x;
    }
}

#[test]
fn statements_of_some_builds() {
    let (seen, mut y, mut x) = (std::cell::Cell::new(0), 0.0, 0.5);
    in_some_builds(&mut y, &mut x, &seen);
    assert_eq!((y, seen.get()), (0.5_f64.sin() + 0.5, 1));
    let (mut dy, mut dx) = (1.0, 0.0);
    in_some_builds::adjoint(&mut y, &mut dy, &mut x, &mut dx, &seen);
    assert_eq!((y, dx), (0.0, 0.5_f64.cos() + 1.0));
}
