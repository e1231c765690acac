//! Kernels that lend parts of one slice twice, keep tuples, and take steps.

use super::{Case, Outcome, noise, with};
use retrograde::prelude::*;

pub fn cases() -> Vec<Case> {
    vec![
        case!(lent_twice, 64, noise(27, 64), noise(28, 70)),
        case!(conversions, 64, noise(91, 64), noise(92, 64)),
        case!(steps, 64, noise(29, 64), noise(30, 70)),
    ]
}

#[reversible(gpu)]
fn pair_of(y: &mut f64, a: &[f64], b: &[f64], whole: &(f64, [f64; 2], f64)) {
    *y += b[0] * b[1] + whole.0 * whole.1[1];
    *y -= a[0] / (a[1] * a[1] + 1.5) + whole.2;
}

#[reversible(gpu)]
fn lent_twice(i: usize, y: &mut [f64], x: &[f64]) {
    let mut held: (f64, f64) = (0.0, 0.5);
    swap(&mut held.0, &mut y[i]);
    let whole = (x[i], [x[0], x[1]], held.1);
    pair_of(&mut held.0, &x[i..i + 2], &x[i + 2..i + 4], &whole);
    let mut three: (f64, f64, f64) = (0.0, 0.0, 0.0);
    #[compute]
    {
        three.0 += x[i] * x[i];
        three.2 -= three.0 * x[i + 1];
    }
    held.0 += three.2.sin() + three.1;
    swap(&mut held.0, &mut y[i]);
}

#[reversible(gpu)]
fn steps(i: usize, y: &mut [f64], x: &[f64]) {
    for (k, v) in x[i..i + 5].iter().step_by(2).enumerate().rev() {
        y[i] += *v * *v * k as f64;
    }
    for (a, b) in x[i..i + 5].iter().step_by(2).rev().zip(x[..3].iter().rev()) {
        y[i] -= *a * *b;
    }
}

#[reversible(gpu)]
fn converted<T: Real>(y: &mut T, x: &T, k: usize) {
    *y += *x * T::from_f64(0.1 * 0.3) + T::from_f64(k as f64 * 0.1);
}

/// Arguments of `from_f64` are doubles, also where the rest is of several types.
#[reversible(gpu)]
fn conversions(i: usize, y: &mut [f64], x: &[f64]) {
    let mut narrow: f32 = 0.0;
    let own = x[i] as f32;
    let by = f32::from_f64(0.1 * 0.3) * own;
    converted(&mut narrow, &by, i);
    y[i] += narrow as f64;
    !converted(&mut narrow, &by, i);
}
