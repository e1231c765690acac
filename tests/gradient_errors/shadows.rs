//! Shadows: what they hold before, and of which length they must be.

use crate::{broken, message};
use retrograde::Adjoint;
use retrograde::error::Broken;
use retrograde::prelude::*;

#[reversible]
fn sum(y: &mut f64, x: &[f64]) {
    for v in x {
        *y += *v;
    }
}

#[test]
fn that_hold_something_are_added_to() {
    let (mut y, mut d_y, mut d_x) = (6.0, 2.0, [1.0, -2.0, 0.5]);
    for n in 1..4 {
        sum(&mut y, &[1.0, 2.0, 3.0]);
        sum::adjoint(&mut y, &mut d_y, &[1.0, 2.0, 3.0], &mut d_x);
        let by = 2.0 * f64::from(n);
        assert_eq!((y, d_y, d_x), (6.0, 2.0, [1.0 + by, by - 2.0, by + 0.5]));
    }
}

#[reversible]
#[unchecked]
fn sum_of_ends(y: &mut f64, x: &[f64]) {
    *y += x[0] * x[x.len() - 1];
    for (v, w) in x.iter().rev().zip(x) {
        *y += *v * *w;
    }
}

#[differentiable]
fn first(x: &[f64]) -> f64 {
    x[0] * x[0]
}

#[test]
fn of_another_length_are_refused() {
    for wrong in [2, 4] {
        let (x, mut d_x, mut y, mut d_y) = ([2.0, 2.0, 3.0], vec![0.0; wrong], 6.0, 1.0);
        assert_eq!(first(&x), 4.0);
        for run in [
            sum::adjoint,
            sum::inverse_adjoint,
            sum_of_ends::adjoint,
            |y: &mut f64, d_y: &mut f64, x: &[f64], d_x: &mut [f64]| {
                sum_of_ends {}.call_gradient((y, d_y, x, d_x));
            },
            |_: &mut f64, d_y: &mut f64, x: &[f64], d_x: &mut [f64]| {
                first::pullback(d_y, x, d_x);
            },
        ] {
            let error = broken(|| run(&mut y, &mut d_y, &x, &mut d_x));
            assert_eq!((error.broken, error.found), (Broken::Lengths, format!("3 and {wrong}")));
        }
        assert_eq!((y, d_y, d_x), (6.0, 1.0, vec![0.0; wrong]));
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Rows {
    rows: Vec<Vec<f64>>,
}

#[reversible]
#[unchecked]
fn of_all(y: &mut f64, x: &Rows, weights: &[f64]) {
    for row in &x.rows {
        for (v, w) in row.iter().rev().zip(weights) {
            *y += *v * *v * *w;
        }
    }
}

#[test]
fn of_another_length_inside_are_refused() {
    let (x, weights) = (Rows { rows: vec![vec![1.0, 2.0]; 2] }, [1.0, 0.5]);
    for wrong in [vec![2, 1], vec![3, 2], vec![2], vec![2, 2, 2]] {
        let mut d_x = Rows { rows: wrong.iter().map(|n| vec![0.0; *n]).collect() };
        let (mut y, mut d_y, mut d_weights) = (6.0, 1.0, [0.0; 2]);
        let run = || of_all::adjoint(&mut y, &mut d_y, &x, &mut d_x, &weights, &mut d_weights);
        assert_eq!(broken(run).broken, Broken::Lengths, "{wrong:?}");
    }
}

#[reversible]
fn thrice<T: Real>(y: &mut T, x: &T) {
    *y += 500000.0 * *x;
    *y += 500000.0 * *x;
    *y += 500000.0 * *x;
}

/// The numbers that dual numbers and lanes are made of say that a sum of gradients does not fit.
#[test]
fn that_wrap_are_told_inside_of_other_numbers() {
    use retrograde::num::{Dual, Fixed43, Lanes};
    let x = Fixed43::from_f64(1e-7);
    let dual = message(|| _ = thrice::gradient(&Dual::<Fixed43, 1>::constant(x)));
    let lanes = message(|| _ = thrice::gradient(&Lanes::<Fixed43, 2>::splat(x)));
    for told in [dual, lanes] {
        assert!(told.contains("does not fit `Fixed<43>`"), "{told}");
    }
}
