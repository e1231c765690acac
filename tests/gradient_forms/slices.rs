//! Slices as a whole: taken apart by patterns, summed up and multiplied.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use std::iter::{Product, Sum};

#[reversible]
fn first_and_rest(y: &mut f64, x: &[f64]) {
    if let [first, rest @ ..] = x {
        *y += first * first;
        for v in rest {
            *y += *v * first;
        }
    }
}

#[reversible]
fn by_length(y: &mut f64, x: &[f64]) {
    match x {
        [] => {}
        [a] => *y += a.sin(),
        [a, b] if *a > 0.0 => *y += *a * *b,
        [a, .., z] if *a < 0.0 => *y -= *a * *z,
        [_, middle @ .., z] => {
            for v in middle {
                *y += v * z;
            }
        }
    }
}

#[reversible]
fn by_halves<T: Real>(y: &mut T, x: &[T]) {
    match x {
        [] => {}
        [a] => *y += *a * *a,
        [a, rest @ ..] => {
            *y += *a * rest[0] * 0.5;
            by_halves(y, rest);
        }
    }
}

#[reversible]
fn of_arrays(y: &mut f64, x: &[[f64; 3]], w: &[f64]) {
    for row in x {
        let [a, _, c] = row;
        *y += a * c;
    }
    for pair in w.chunks(2) {
        if let [a, b] = pair {
            *y += a / b;
        }
    }
}

#[reversible]
fn in_a_value(y: &mut f64, x: &[f64]) {
    let first = match x {
        [a, ..] => *a * 2.0,
        [] => 1.0,
    };
    *y += first * first;
}

#[differentiable]
fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

#[differentiable]
fn of_two(x: &[f64]) -> f64 {
    match x {
        [a, b, ..] => a * b,
        [a] => *a,
        [] => 0.0,
    }
}

#[differentiable]
fn of_head(x: &[f64]) -> f64 {
    if let [a, rest @ ..] = x { a * rest.len() as f64 + mean(rest) * a } else { 1.0 }
}

/// Several names for parts of one slice, inside of expressions.
#[reversible]
fn in_expressions(y: &mut f64, x: &[f64]) {
    *y += of_two(x) * of_head(x);
    *y -= match x {
        [a, .., z] => a.sin() * z,
        _ => 2.0,
    };
    *y += {
        let (n, a) = (x.len() - 1, &x[0]);
        let z = &x[n];
        let both = a * z;
        both * both + a.cos()
    };
}

/// What is no number is taken out as before.
#[reversible]
fn of_indices(y: &mut f64, x: &[f64], path: &[usize]) {
    if let [from, .., to] = path {
        *y += x[*to] - x[*from] * 0.5;
    }
}

#[test]
fn patterns_name_places() {
    let all: [&[f64]; 5] = [&[], &[2.0], &[2.0, 3.0], &[-2.0, 3.0, 5.0], &[2.0, 3.0, 5.0, 7.0]];
    for x in all.map(Vec::from) {
        assert_gradient!(first_and_rest(&mut 0.1, &x));
        assert_gradient!(by_length(&mut 0.1, &x));
        assert_gradient!(by_halves(&mut 0.1, &x));
        assert_gradient!(in_a_value(&mut 0.1, &x));
        if x.len() > 1 {
            assert_gradient!(in_expressions(&mut 0.1, &x));
        }
    }
    let rows = [[1.0, 2.0, 3.0], [0.5, 1.5, 2.5]];
    assert_gradient!(of_arrays(&mut 0.1, &rows, &[1.0, 2.0, 3.0]));
    assert_gradient!(of_indices(&mut 0.1, &[1.0, 2.0, 3.0], &[2, 1, 0]));
}

type Vector = [f64; 3];

#[derive(Clone, Debug, Differentiable)]
struct Weights {
    values: Vec<f64>,
    counts: Vec<usize>,
}

#[reversible]
fn sums(y: &mut f64, x: &[f64], v: &Vector, w: &Weights) {
    *y += x.iter().rev().sum::<f64>().sin() + x[1..].iter().copied().sum::<f64>().powi(2);
    *y += v.iter().sum::<f64>() * w.values.iter().sum::<f64>();
    let count: usize = w.counts.iter().sum();
    *y += w.values[0] * count as f64;
}

#[reversible]
fn products(y: &mut f64, x: &[f64], v: &Vector, w: &Weights) {
    let all: f64 = x.iter().product();
    *y += all * all + x[1..].iter().rev().product::<f64>();
    *y -= v.iter().product::<f64>() * w.values.iter().copied().product::<f64>();
}

#[reversible]
fn of_any_number<T>(y: &mut T, x: &[T])
where
    T: Real + for<'a> Sum<&'a T> + for<'a> Product<&'a T>,
{
    *y += x.iter().sum::<T>() * x.iter().rev().product::<T>();
}

#[test]
fn sums_and_products() {
    let w = Weights { values: vec![1.5, 0.5], counts: vec![1, 2] };
    for x in [[1.0, 2.0, 3.0], [1.0, 0.0, 3.0], [0.0, 2.0, 0.0]] {
        assert_gradient!(sums(&mut 0.1, &x, &[3.0, 2.0, 1.0], &w));
        assert_gradient!(products(&mut 0.1, &x, &[3.0, 0.0, 1.0], &w));
        assert_gradient!(of_any_number(&mut 0.1, &x));
    }
    let at = products::gradient(&[2.0, 0.0, 0.0], &[1.0, 0.0, 0.0], &w);
    assert_eq!((at.value, at.d_x, at.d_v), (0.0, vec![0.0; 3], [0.0; 3]));
}
