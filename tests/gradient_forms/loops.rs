//! Loops over ranges and slices.

use crate::{check_forms, forms};
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

forms! {
    fn ranges(y, x) {
        for i in 0..3 {
            y[i] += x[i] * x[i + 1];
        }
        for i in 1..=2 {
            y[i] -= y[i - 1] * x[i];
        }
        for _ in 0..4 {
            y[0] += 0.1 * y[1] * x[1];
            y[1] -= 0.1 * y[0] * x[2];
        }
    }

    fn reversed_ranges(y, x) {
        for i in (0..2).rev() {
            y[i] += y[i + 1] * x[i];
        }
        for i in (0..=2).rev() {
            y[i] -= x[i] * x[i] * x[3];
        }
        for i in (0..3).rev().rev() {
            y[i] += x[i].sin();
        }
    }

    fn stepped_ranges(y, x) {
        // Steps that do not divide the length.
        for i in (0..4).step_by(3) {
            y[i / 2] += x[i] * y[2];
        }
        for i in (0..=3).step_by(2) {
            y[1] -= x[i] * y[0];
            y[0] += y[1] * x[i];
        }
        for i in (0..4).rev().step_by(3) {
            y[2] += x[i] * y[1];
            y[1] += y[2] * 0.5;
        }
        for i in (0..4).step_by(3).rev() {
            y[0] -= x[i] * y[2];
            y[2] += y[0] * x[0];
        }
    }

    fn nested_ranges(y, x) {
        for i in 0..3 {
            for j in i..3 {
                y[i] += x[j] * x[i];
                for k in 0..j {
                    y[2 - i] -= 0.25 * x[k] * x[j];
                }
            }
        }
    }

    #[allow(clippy::unnecessary_to_owned)]
    fn elements(y, x) {
        for v in x {
            y[0] += *v * *v;
        }
        for v in x.iter() {
            y[1] += *v * x[0];
        }
        for v in &x[1..3] {
            y[2] -= v.sin();
        }
        for v in x.iter().cloned() {
            y[2] += v * x[1];
        }
        for v in x.iter().cloned() {
            y[0] -= v * v * v;
        }
        for (a, b) in x[..2].iter().zip(&x[2..]) {
            y[0] += *a * *b;
        }
        for (a, b) in x.iter().zip(x.iter().rev()) {
            y[1] += *a * *b;
        }
    }

    fn elements_that_are_written(y, x) {
        for target in y.iter_mut() {
            *target += x[0] * x[1];
        }
        for target in &mut *y {
            *target -= x[2];
        }
        for target in &mut y[1..] {
            *target += x[3] * x[3];
        }
        for target in y {
            let a = x[0] * 2.0;
            *target += a * a;
        }
    }

    fn zips(y, x) {
        for (target, v) in y.iter_mut().zip(&x[1..]) {
            *target += *v * *v;
        }
        for (target, v) in y.iter_mut().zip(x[..3].iter()) {
            *target -= v.exp();
        }
        for ((target, v), w) in y.iter_mut().zip(&x[1..]).zip(&x[..3]) {
            *target += *v * *w;
        }
        for (target, (v, w)) in y.iter_mut().zip(x[1..].iter().zip(&x[..3])) {
            *target += *v / (2.0 + *w * *w);
        }
    }

    fn enumerations(y, x) {
        for (i, v) in x.iter().enumerate() {
            y[i % 3] += *v * x[3 - i];
        }
        for (i, target) in y.iter_mut().enumerate() {
            *target += x[i] * x[i + 1];
        }
        for (i, (target, v)) in y.iter_mut().zip(&x[1..]).enumerate() {
            *target += T::from_f64(i as f64) * *v * *v;
        }
        for ((i, target), v) in y.iter_mut().enumerate().zip(&x[1..]) {
            *target -= T::from_f64(i as f64) * *v * x[i];
        }
    }

    fn reversals(y, x) {
        for v in x.iter().rev() {
            y[0] += *v * y[1];
            y[1] += y[0] * 0.5;
        }
        for (target, v) in y.iter_mut().rev().zip(x[1..].iter().rev()) {
            *target += *v * *v;
        }
        for (target, v) in y.iter_mut().zip(&x[1..]).rev() {
            *target -= *v * x[0];
        }
        for (i, v) in x.iter().enumerate().rev() {
            y[2] += *v * y[i % 2];
        }
    }

    fn chunks(y, x) {
        for pair in x.chunks_exact(2) {
            y[0] += pair[0] * pair[1];
        }
        for part in x.chunks(3) {
            y[1] += part[0] * part[0];
        }
        for (target, pair) in y[..2].iter_mut().zip(x.chunks_exact(2)) {
            *target += pair[0] / (3.0 + pair[1]);
        }
        for pair in y[..2].chunks_exact_mut(2) {
            pair[0] += pair[1] * x[0];
            pair[1] -= pair[0] * x[1];
        }
        for part in y.chunks_mut(2) {
            part[0] += x[3] * x[3];
        }
        for pair in x.chunks_exact(2).rev() {
            y[2] += pair[0] * y[1];
            y[1] -= pair[1] * y[2];
        }
    }

    fn overlapping_windows(y, x) {
        for pair in x.windows(2) {
            y[0] += (pair[1] - pair[0]).powi(2);
        }
        for (target, pair) in y.iter_mut().zip(x.windows(2)) {
            *target -= pair[0] * pair[1];
        }
        for (i, three) in x.windows(3).enumerate() {
            y[i] += three[0] * three[1] * three[2];
        }
        for pair in x.windows(2).rev() {
            y[1] += pair[0] * y[0];
            y[0] += pair[1] * y[1];
        }
    }

    fn parts(y, x) {
        for v in x.iter().skip(1) {
            y[0] += *v * *v;
        }
        for v in x.iter().take(2) {
            y[1] += *v * *v * *v;
        }
        for v in x.iter().skip(1).take(2) {
            y[2] += *v * y[0];
        }
        for v in x.iter().step_by(3) {
            y[2] -= v.sin();
        }
        for (target, v) in y.iter_mut().skip(1).zip(x.iter().skip(2)) {
            *target += *v * x[0];
        }
        for v in x.iter().take(3).rev() {
            y[0] += *v * y[1];
            y[1] += y[0] * x[0];
        }
    }

    /// Loops without a pass, over what is shorter than asked for.
    fn nothing_left(y, x) {
        for (i, v) in x.iter().skip(9).rev().enumerate() {
            y[i] += *v * x[0];
        }
        for (i, many) in x.windows(9).rev().enumerate() {
            y[i] += many[0] * x[0];
        }
        for (i, v) in x.iter().skip(2).rev().enumerate() {
            y[i] += *v * x[0];
        }
    }

    fn rows(y, x) {
        let mut grid = [[x[0], x[1]], [x[2], x[3]]];
        for row in grid.iter_mut() {
            row[0] += row[1] * x[0];
            for cell in row.iter_mut() {
                *cell += x[1];
            }
        }
        for (i, row) in grid.iter().enumerate() {
            for (j, cell) in row.iter().enumerate() {
                y[i] += *cell * x[j] * *cell;
            }
            y[2] += row[0] * row[1];
        }
        for row in grid.iter_mut() {
            for cell in row.iter_mut() {
                *cell -= x[1];
            }
            row[0] -= row[1] * x[0];
        }
    }

    fn pairs(y, x) {
        let mut points = [(x[0], x[1]), (x[2], x[3])];
        for (a, b) in points.iter_mut() {
            *a += *b * *b;
        }
        for (a, b) in &points {
            y[0] += *a * *b;
        }
        for (i, (a, _)) in points.iter().enumerate() {
            y[i] -= *a * x[0];
        }
        for (a, b) in points.iter_mut() {
            *a -= *b * *b;
        }
    }

    fn halves(y, x) {
        let (left, right) = x.split_at(2);
        for (a, b) in left.iter().zip(right) {
            y[0] += *a * *b;
        }
        let (first, rest) = y.split_at_mut(1);
        for target in rest.iter_mut() {
            *target += first[0] * right[1];
        }
        for target in rest {
            first[0] += *target * left[0];
        }
    }
}

#[test]
fn over_ranges() {
    check_forms!(ranges reversed_ranges stepped_ranges nested_ranges);
}

#[test]
fn over_elements() {
    check_forms!(elements elements_that_are_written rows pairs halves);
}

#[test]
fn by_adaptors() {
    check_forms!(zips enumerations reversals chunks overlapping_windows parts nothing_left);
}

/// Patterns and adaptors that copy.
#[reversible]
fn copies(y: &mut [f64], x: &[f64]) {
    for &v in x {
        y[0] -= v * v * v;
    }
    for v in x.iter().copied() {
        y[1] += v * v;
    }
    for (target, &v) in y.iter_mut().zip(&x[1..]) {
        *target += v * x[0];
    }
    for (i, &v) in x.iter().enumerate() {
        y[i % 3] += v * v;
    }
}

#[test]
fn by_patterns_that_copy() {
    let mut y = crate::gradient_harness::Y;
    assert_gradient!(copies(&mut y, &crate::gradient_harness::X));
}
