//! The gradient with respect to what a view shows, against central differences.

use super::*;
use crate::check::Check;
use crate::check::Slack;
use crate::instructions::{inv, neg, swap};
use crate::num::{Logarithmic, Real};
use crate::prelude::reversible;

const STEP: f64 = 1e-5;

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    let near = (found - expected).abs() <= 1e-7 * expected.abs().max(1.0);
    assert!(near, "{found} is not {expected}");
}

/// Compares the gradient of `weights · f(x)` with differences, and undoes it.
#[track_caller]
fn check<const N: usize>(
    x: [f64; N],
    weights: [f64; N],
    f: impl Fn(&mut [f64; N]),
    adjoint: impl Fn(&mut [f64; N], &mut [f64; N]),
    inverse_adjoint: impl Fn(&mut [f64; N], &mut [f64; N]),
) {
    let loss = |i: usize, step: f64| {
        let mut x = x;
        x[i] += step;
        f(&mut x);
        x.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>()
    };
    let (mut now, mut shadow) = (x, weights);
    f(&mut now);
    let after = now;
    adjoint(&mut now, &mut shadow);
    assert!(now.agrees(&x, Slack::half_the_digits(1.0)), "{now:?} is not {x:?}");
    for (i, found) in shadow.into_iter().enumerate() {
        assert_near(found, (loss(i, STEP) - loss(i, -STEP)) / (2.0 * STEP));
    }
    inverse_adjoint(&mut now, &mut shadow);
    assert!(now.agrees(&after, Slack::half_the_digits(1.0)), "{now:?} is not {after:?}");
    assert!(shadow.agrees(&weights, Slack::half_the_digits(1.0)), "{shadow:?} is not {weights:?}");
}

/// A view that is written, with the shadow in a view that is read, by hand:
/// `y′ = y − sin x`.
#[test]
fn the_shadow_of_a_negated_place() {
    check(
        [0.3, 0.8],
        [1.5, -0.5],
        |[y, x]| *negated(y) += x.sin(),
        |[y, x], [d_y, d_x]| {
            *negated(y) -= x.sin();
            *d_x += *negated(d_y) * x.cos();
        },
        |[y, x], [d_y, d_x]| {
            *negated(y) += x.sin();
            *d_x -= *negated(d_y) * x.cos();
        },
    );
}

/// What reads a view writes the shadow through it.
#[reversible]
fn add_cube<T: Arithmetic>(y: &mut T, x: &mut T) {
    *y += *x * *x * *x;
}

#[reversible]
fn with_negated<T: Real>(y: &mut T, x: &mut T) {
    *negated(&mut *y) += *x * x.sin();
    add_cube(y, &mut *negated(&mut *x));
    neg(&mut *negated(&mut *y));
}

#[reversible]
fn with_shifted(y: &mut f64, x: &mut f64) {
    *shifted(&mut *y, 2.0) += *x * *x;
    add_cube(y, &mut *shifted(&mut *x, 0.5));
    // A reflection about 20.
    neg(&mut *shifted(&mut *y, -20.0));
    *negated(&mut *shifted(&mut *y, 1.0)) += *x;
}

#[test]
fn generated_code_views_the_shadow() {
    let (at, weights) = ([0.3, 0.8], [1.5, -0.5]);
    check(
        at,
        weights,
        |[y, x]| with_negated(y, x),
        |[y, x], [d_y, d_x]| with_negated::adjoint(y, d_y, x, d_x),
        |[y, x], [d_y, d_x]| with_negated::inverse_adjoint(y, d_y, x, d_x),
    );
    check(
        at,
        weights,
        |[y, x]| with_shifted(y, x),
        |[y, x], [d_y, d_x]| with_shifted::adjoint(y, d_y, x, d_x),
        |[y, x], [d_y, d_x]| with_shifted::inverse_adjoint(y, d_y, x, d_x),
    );
}

#[reversible]
fn with_conjugated<T: Arithmetic>(y: &mut T, x: &mut T, a: &T) {
    *conjugated(&mut *y) += *x * *a;
    add_cube(y, &mut *conjugated(&mut *x));
    *negated(&mut *conjugated(&mut *y)) += *a * *a;
}

#[test]
fn conjugates() {
    let complex = |[y, iy, x, ix, a, ia]: [f64; 6]| {
        [Complex::new(y, iy), Complex::new(x, ix), Complex::new(a, ia)]
    };
    let put = |to: &mut [f64; 6], [y, x, a]: [Complex<f64>; 3]| {
        *to = [y.re, y.im, x.re, x.im, a.re, a.im];
    };
    check(
        [0.3, -0.2, 0.8, 0.9, -0.4, 0.7],
        [1.5, -0.5, 0.1, 0.2, 0.3, -0.6],
        |x| {
            let [mut y, mut z, a] = complex(*x);
            with_conjugated(&mut y, &mut z, &a);
            put(x, [y, z, a]);
        },
        |x, d| {
            let ([mut y, mut z, a], [mut d_y, mut d_z, mut d_a]) = (complex(*x), complex(*d));
            with_conjugated::adjoint(&mut y, &mut d_y, &mut z, &mut d_z, &a, &mut d_a);
            put(x, [y, z, a]);
            put(d, [d_y, d_z, d_a]);
        },
        |x, d| {
            let ([mut y, mut z, a], [mut d_y, mut d_z, mut d_a]) = (complex(*x), complex(*d));
            with_conjugated::inverse_adjoint(&mut y, &mut d_y, &mut z, &mut d_z, &a, &mut d_a);
            put(x, [y, z, a]);
            put(d, [d_y, d_z, d_a]);
        },
    );
}

/// The shadow holds the derivative by the logarithm, so a reciprocal changes its
/// sign, as it does with the number.
#[reversible]
fn with_inverted(y: &mut Logarithmic<f64>, x: &mut Logarithmic<f64>) {
    *inverted(&mut *y) *= *x + *x;
    multiply(y, &mut inverted(&mut *x));
}

#[reversible]
fn multiply(y: &mut Logarithmic<f64>, x: &mut Logarithmic<f64>) {
    *y *= *x;
}

#[reversible]
fn with_inverted_tropical(y: &mut Tropical<f64>, x: &mut Tropical<f64>) {
    *inverted(&mut *y) *= *x * *x;
    inv(&mut *inverted(&mut *y));
    swap(y, &mut *inverted(&mut *x));
}

#[test]
fn reciprocals() {
    check(
        [0.3, 0.8],
        [1.5, -0.5],
        |[y, x]| {
            let [mut l, mut k] = [*y, *x].map(Logarithmic::from_ln);
            with_inverted(&mut l, &mut k);
            (*y, *x) = (l.log, k.log);
        },
        |[y, x], [d_y, d_x]| {
            let [mut l, mut k, mut d_l, mut d_k] = [*y, *x, *d_y, *d_x].map(Logarithmic::from_ln);
            with_inverted::adjoint(&mut l, &mut d_l, &mut k, &mut d_k);
            (*y, *x, *d_y, *d_x) = (l.log, k.log, d_l.log, d_k.log);
        },
        |[y, x], [d_y, d_x]| {
            let [mut l, mut k, mut d_l, mut d_k] = [*y, *x, *d_y, *d_x].map(Logarithmic::from_ln);
            with_inverted::inverse_adjoint(&mut l, &mut d_l, &mut k, &mut d_k);
            (*y, *x, *d_y, *d_x) = (l.log, k.log, d_l.log, d_k.log);
        },
    );
    check(
        [0.3, 0.8],
        [1.5, -0.5],
        |[y, x]| {
            let [mut t, mut s] = [*y, *x].map(Tropical);
            with_inverted_tropical(&mut t, &mut s);
            (*y, *x) = (t.0, s.0);
        },
        |[y, x], [d_y, d_x]| {
            let [mut t, mut s, mut d_t, mut d_s] = [*y, *x, *d_y, *d_x].map(Tropical);
            with_inverted_tropical::adjoint(&mut t, &mut d_t, &mut s, &mut d_s);
            (*y, *x, *d_y, *d_x) = (t.0, s.0, d_t.0, d_s.0);
        },
        |[y, x], [d_y, d_x]| {
            let [mut t, mut s, mut d_t, mut d_s] = [*y, *x, *d_y, *d_x].map(Tropical);
            with_inverted_tropical::inverse_adjoint(&mut t, &mut d_t, &mut s, &mut d_s);
            (*y, *x, *d_y, *d_x) = (t.0, s.0, d_t.0, d_s.0);
        },
    );
}
