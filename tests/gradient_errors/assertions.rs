//! `assert_gradient!` finds mistakes, and finds none where there is none: near a jump or a kink,
//! at any scale.

use crate::message;
use retrograde::calculus::With;
use retrograde::num::Fixed43;
use retrograde::prelude::*;
use retrograde::testing::{assert_gradient, assert_reversible};
use std::cell::Cell;

/// By hand, and each part of it right or wrong as a test wants it.
mod mistakes {
    use super::*;

    #[instruction(inverse = retract, adjoint = add_adjoint, inverse_adjoint = add_wrongly_back)]
    fn add(a: &f64, b: &mut f64) {
        *b += a * a;
    }

    #[instruction(inverse = add)]
    fn retract(a: &f64, b: &mut f64) {
        *b -= a * a;
    }

    fn add_adjoint(a: &f64, d_a: &mut f64, b: &mut f64, d_b: &mut f64) {
        *b -= a * a;
        *d_a += 2.0 * a * *d_b;
    }

    /// Brings the values back, and adds to the shadow instead of taking away.
    fn add_wrongly_back(a: &f64, d_a: &mut f64, b: &mut f64, d_b: &mut f64) {
        *b += a * a;
        *d_a += 2.0 * a * *d_b;
    }

    #[test]
    fn a_wrong_adjoint_of_the_inverse() {
        let text = message(|| assert_gradient!(add(&3.0, &mut 2.0)));
        let start = "add(&3.0, &mut 2.0): the inverse adjoint does not bring the shadows back: \
            that of `3.0` should be ";
        assert!(text.starts_with(start), "{text}");
    }

    #[instruction(inverse = unscale, adjoint = scale_adjoint, inverse_adjoint = unscale_adjoint)]
    fn scale(b: &mut f64) {
        *b *= 4.0;
    }

    fn unscale(b: &mut f64) {
        *b /= 4.0;
    }

    fn scale_adjoint(b: &mut f64, d_b: &mut f64) {
        *b /= 4.0;
        *d_b *= 4.0;
    }

    /// Of what is written, too.
    fn unscale_adjoint(b: &mut f64, d_b: &mut f64) {
        *b *= 4.0;
        *d_b *= 4.0;
    }

    #[test]
    fn a_wrong_adjoint_of_the_inverse_for_what_is_written() {
        assert_reversible!(scale(&mut 2.0));
        let text = message(|| assert_gradient!(scale(&mut 2.0)));
        assert!(text.contains("does not bring the shadows back: that of `2.0` "), "{text}");
    }

    #[differentiable(pullback = assigns)]
    fn product(a: &f64, b: &f64) -> f64 {
        a * b
    }

    fn assigns(g: &f64, a: &f64, d_a: &mut f64, b: &f64, d_b: &mut f64) {
        *d_a += g * b;
        *d_b = g * a;
    }

    #[reversible]
    fn with_a_pullback_that_assigns(y: &mut f64, a: &f64, b: &f64) {
        *y += product(a, b);
    }

    #[test]
    fn a_pullback_that_assigns() {
        let text = message(|| assert_gradient!(with_a_pullback_that_assigns(&mut 0.0, &2.0, &3.0)));
        let start = "with_a_pullback_that_assigns(&mut 0.0, &2.0, &3.0): the adjoint does not add \
            to what is there: the shadow of `3.0` should be ";
        assert!(text.starts_with(start), "{text}");
    }

    #[instruction(inverse = minus, adjoint = plus_adjoint, inverse_adjoint = minus_adjoint)]
    fn plus(a: &[f64], b: &mut f64) {
        *b += a[0] * a[1];
    }

    fn minus(a: &[f64], b: &mut f64) {
        *b -= a[0] * a[1];
    }

    fn plus_adjoint(a: &[f64], d_a: &mut [f64], b: &mut f64, d_b: &mut f64) {
        *b -= a[0] * a[1];
        d_a[0] += a[1] * *d_b;
        d_a[1] = a[0] * *d_b;
    }

    fn minus_adjoint(a: &[f64], d_a: &mut [f64], b: &mut f64, d_b: &mut f64) {
        *b += a[0] * a[1];
        d_a[0] -= a[1] * *d_b;
        d_a[1] -= a[0] * *d_b;
    }

    #[test]
    fn an_adjoint_that_assigns() {
        let a = [2.0, 3.0];
        let text = message(|| assert_gradient!(plus(&a[..], &mut 0.0)));
        assert!(text.contains("does not add to what is there: the shadow of `a[..][1]`"), "{text}");
    }

    #[instruction(
        inverse = minus_half,
        adjoint = plus_half_adjoint,
        inverse_adjoint = minus_half_adjoint,
        gradient = another_gradient
    )]
    fn plus_half(a: &f64, b: &mut f64) {
        *b += 0.5 * a;
    }

    fn minus_half(a: &f64, b: &mut f64) {
        *b -= 0.5 * a;
    }

    fn plus_half_adjoint(a: &f64, d_a: &mut f64, b: &mut f64, d_b: &mut f64) {
        *b -= 0.5 * a;
        *d_a += 0.5 * *d_b;
    }

    fn minus_half_adjoint(a: &f64, d_a: &mut f64, b: &mut f64, d_b: &mut f64) {
        *b += 0.5 * a;
        *d_a -= 0.5 * *d_b;
    }

    /// What runs where nobody asks for the values.
    fn another_gradient(_a: &f64, d_a: &mut f64, _b: &mut f64, d_b: &mut f64) {
        *d_a += 0.25 * *d_b;
    }

    #[test]
    fn a_gradient_by_hand_that_is_not_the_adjoint() {
        let text = message(|| assert_gradient!(plus_half(&3.0, &mut 2.0)));
        assert!(text.contains("without the values the gradient differs: that of `3.0` "), "{text}");
    }
}

/// Functions with kinks and jumps: right and with a wrong slope.
mod edges {
    use super::*;

    thread_local! {
        static SLOPE: Cell<f64> = const { Cell::new(0.0) };
    }

    /// A kink at 1.
    #[differentiable(derivative = slope)]
    fn kinked(x: f64) -> f64 {
        (x - 1.0).abs() + 0.25 * x * x
    }

    /// A jump at 1.
    #[differentiable(derivative = slope)]
    fn jumps(x: f64) -> f64 {
        if x < 1.0 { x.sin() } else { 3.0 + x.sin() }
    }

    fn slope(_x: f64) -> f64 {
        SLOPE.get()
    }

    #[reversible]
    fn over_a_kink(y: &mut f64, x: &f64) {
        *y += kinked(*x);
    }

    #[reversible]
    fn over_a_jump(y: &mut f64, x: &f64) {
        *y += jumps(*x);
    }

    const NEAR: [f64; 10] = [0.3, 1e-2, 1e-3, -1e-3, 4e-4, -1e-4, 1e-5, 1e-7, -1e-9, 1e-10];

    #[test]
    fn near_a_kink() {
        for by in NEAR {
            let x = 1.0 + by;
            let right = (x - 1.0).signum() + 0.5 * x;
            SLOPE.set(right);
            assert_gradient!(over_a_kink(&mut 0.5, &x));
            // Beside the slope of the other side, and outside of both.
            for wrong in [right + 0.01, right - 0.01, 1.01 * right, -right, 3.0] {
                if by.abs() < 1e-8 && (wrong - 0.5 * x).abs() <= 1.0 {
                    // So near, it may as well be at the kink.
                    continue;
                }
                SLOPE.set(wrong);
                let text = message(|| assert_gradient!(over_a_kink(&mut 0.5, &x)));
                assert!(text.contains("with respect to `x` should be "), "{by}: {text}");
            }
        }
    }

    #[test]
    fn at_a_kink() {
        for right in [-0.5, 0.0, 0.5, 1.5] {
            SLOPE.set(right);
            assert_gradient!(over_a_kink(&mut 0.5, &1.0));
        }
        for wrong in [-0.51, 1.51, 3.0, f64::NAN, f64::INFINITY] {
            SLOPE.set(wrong);
            let text = message(|| assert_gradient!(over_a_kink(&mut 0.5, &1.0)));
            assert!(text.contains("a kink"), "{text}");
        }
    }

    #[test]
    fn near_a_jump() {
        for by in NEAR.into_iter().chain([0.0]) {
            let x = 1.0 + by;
            SLOPE.set(x.cos());
            assert_gradient!(over_a_jump(&mut 0.5, &x));
            for wrong in [0.0, x.cos() + 0.01, 0.99 * x.cos(), 100.0, 1e6] {
                SLOPE.set(wrong);
                let text = message(|| assert_gradient!(over_a_jump(&mut 0.5, &x)));
                assert!(text.contains("with respect to `x` should be "), "{by}: {text}");
            }
        }
    }

    #[reversible]
    fn clamped(y: &mut f64, x: &[f64]) {
        for v in x {
            *y += v.max(1.0) * v.abs() + v.floor() * v;
        }
    }

    #[test]
    fn our_own_functions_near_their_edges() {
        let x = [1.0003, 0.9997, 1e-3, -1e-3, 1e-6, 2.0005, 1.9995];
        assert_gradient!(clamped(&mut 0.5, &x[..]));
    }

    #[reversible]
    fn root(y: &mut f64, x: &f64) {
        *y += x.sqrt();
    }

    #[test]
    fn where_no_difference_settles() {
        let text = message(|| assert_gradient!(root(&mut 0.5, &0.0)));
        assert!(text.contains("no differences settle there"), "{text}");
        assert_gradient!(root(&mut 0.5, &1e-6));
    }
}

/// Steps and tolerances follow the numbers.
mod scales {
    use super::*;

    thread_local! {
        static ERROR: Cell<f64> = const { Cell::new(0.0) };
    }

    #[differentiable(pullback = wave_pullback)]
    fn wave(x: &f64, scale: &f64) -> f64 {
        (x / scale).sin() * scale
    }

    fn wave_pullback(g: &f64, x: &f64, d_x: &mut f64, scale: &f64, d_scale: &mut f64) {
        let (sin, cos) = (x / scale).sin_cos();
        *d_x += g * cos * (1.0 + ERROR.get());
        *d_scale += g * (sin - x / scale * cos);
    }

    #[reversible]
    fn of_scale(y: &mut f64, x: &f64, factor: &f64, scale: &f64) {
        *y += *factor * wave(x, scale);
    }

    #[test]
    fn far_from_one() {
        for scale in [1e-12, 1e-6, 1.0, 1e5, 1e12] {
            for factor in [1e-12, 1.0, 1e9] {
                let (mut y, x) = (0.25 * scale * factor, 0.4 * scale);
                ERROR.set(0.0);
                assert_gradient!(of_scale(&mut y, &x, &factor, &scale));
                for error in [1e-3, -1e-3, 1.0, -1.0, -2.0] {
                    ERROR.set(error);
                    let text = message(|| assert_gradient!(of_scale(&mut y, &x, &factor, &scale)));
                    assert!(
                        text.contains("with respect to `x`"),
                        "{scale} {factor} {error} {text}"
                    );
                }
            }
        }
    }

    #[reversible]
    fn fifth(y: &mut f64, x: &f64) {
        *y += x.powi(5);
    }

    #[test]
    fn a_slope_that_vanishes() {
        assert_gradient!(fifth(&mut 0.0, &0.0));
        assert_gradient!(fifth(&mut 1.0, &0.0));
    }

    #[reversible]
    fn quick(y: &mut f64, x: &f64) {
        *y += (*x * 1e5).sin();
    }

    #[test]
    fn a_function_that_turns_within_a_step() {
        assert_gradient!(quick(&mut 0.0, &0.3));
    }

    #[test]
    fn a_step_and_a_tolerance_by_hand() {
        ERROR.set(1e-7);
        let (mut y, x) = (0.1, 0.4);
        assert_gradient!(of_scale(&mut y, &x, &1.0, &1.0));
        let text = message(|| assert_gradient!(of_scale(&mut y, &x, &1.0, &1.0), tolerance = 1e-8));
        assert!(text.contains("with respect to `x`"), "{text}");
        ERROR.set(1e-3);
        assert_gradient!(of_scale(&mut y, &x, &1.0, &1.0), tolerance = 1e-2);
        assert_gradient!(of_scale(&mut y, &x, &1.0, &1.0), step = 1e-5, tolerance = 1e-2);
        // A staircase has slope 0, seen from a single stair.
        assert_gradient!(stairs(&mut 0.0, &0.500_000_5), step = 1e-8);
    }

    #[reversible]
    fn stairs(y: &mut f64, x: &f64) {
        *y += (*x * 1e6).floor() * 1e-6;
    }

    #[reversible]
    fn generic<T: Real>(y: &mut T, x: &T) {
        *y += *x * *x * 0.001;
    }

    #[test]
    fn numbers_with_a_fixed_spacing() {
        let (mut y, x) = (Fixed43::from_f64(0.0), Fixed43::from_f64(0.003));
        assert_gradient!(generic(&mut y, &x));
        assert_gradient!(generic(&mut 0.0_f32, &0.003_f32));
    }
}

/// What has no shadow, and functions with data.
mod without_shadows {
    use super::*;

    struct Options {
        power: i32,
    }

    #[reversible]
    fn misfit(y: &mut f64, x: &[f64], #[constant] data: &[f64], #[constant] options: &Options) {
        for (v, seen) in x.iter().zip(data) {
            *y += (*v - *seen).powi(options.power);
        }
    }

    #[test]
    fn constants_are_marked() {
        let (data, options) = ([0.5, 2.0], Options { power: 2 });
        assert_gradient!(misfit(
            &mut 0.0,
            &[1.0, 3.0][..],
            #[constant]
            &data,
            #[constant]
            &options
        ));
        assert_reversible!(misfit(
            &mut 0.0,
            &[1.0, 3.0][..],
            #[constant]
            &data,
            #[constant]
            &options
        ));
        let text = message(|| {
            assert_gradient!(misfit(
                &mut 0.0,
                &[1.0, 3.0][..],
                &data,
                #[constant]
                &options
            ))
        });
        assert!(text.contains("help: if the function says `#[constant]`"), "{text}");
    }

    #[test]
    fn functions_with_data_are_called_as_values() {
        let (data, options) = ([0.5, 2.0], Options { power: 3 });
        let f = With(misfit {}, (&data[..], &options));
        assert_gradient!((f)(&mut 0.0, &[1.0, 3.0][..]));
        assert_reversible!((f)(&mut 0.0, &[1.0, 3.0][..]));
        assert_gradient!(With(misfit {}, (&data[..], &options))(&mut 0.0, &[1.0, 3.0][..]));
        assert_gradient!(misfit {}(
            &mut 0.0,
            &[1.0, 3.0][..],
            #[constant]
            &data[..],
            #[constant]
            &options
        ));
    }

    #[reversible]
    fn scaled(y: &mut f64, x: &f64, n: usize, #[constant] by: f64) {
        *y += by * x.powi(n as i32);
    }

    #[reversible]
    fn twice<F>(step: &F, y: &mut f64, x: &f64)
    where
        F: for<'a> Reversible<(&'a mut f64, &'a f64)>,
    {
        step(y, x);
        step(y, x);
    }

    #[test]
    fn functions_with_data_are_passed() {
        let step = With(scaled {}, (3, 0.5));
        assert_gradient!(twice(
            #[constant]
            &step,
            &mut 0.0,
            &3.0
        ));
        assert_reversible!(twice(
            #[constant]
            &step,
            &mut 0.0,
            &3.0
        ));
        assert_gradient!((step)(&mut 0.0, &3.0));
        assert_gradient!(scaled(
            &mut 0.0,
            &3.0,
            2,
            #[constant]
            0.5
        ));
        assert_gradient!(scaled {}(
            &mut 0.0,
            &3.0,
            #[constant]
            2,
            #[constant]
            0.5
        ));
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Gas {
        pressure: f64,
        names: Vec<String>,
        kept: Option<f64>,
    }

    #[reversible]
    fn gas(y: &mut f64, gas: &Gas, flag: bool) {
        if flag {
            *y += gas.pressure * gas.pressure + gas.names.len() as f64;
        }
    }

    #[test]
    fn parts_without_numbers() {
        let g = Gas { pressure: 2.0, names: vec!["N".into()], kept: None };
        assert_gradient!(gas(&mut 0.0, &g, true));
        assert_eq!(g.kept, None);
    }
}

#[instruction(inverse = third)]
fn double(x: &mut i64) {
    *x *= 2;
}

#[instruction(inverse = double)]
fn third(x: &mut i64) {
    *x /= 3;
}

#[reversible(inverse_only)]
fn doubled_at(pairs: &mut [(i64, bool)], y: &mut f64, i: usize) {
    double(&mut pairs[i].0);
    *y += 1.0;
}

/// What is no float must come back to the bit.
#[test]
fn integers_that_do_not_come_back() {
    let (mut x, mut pairs) = (300, vec![(1, true), (300, false)]);
    assert_eq!(
        message(|| assert_reversible!(double(&mut x))),
        "double(&mut x): the inverse does not undo the function: `x` should be 300, and is 200"
    );
    assert_eq!(
        message(|| assert_reversible!(doubled_at(&mut pairs[..], &mut 0.5, 1))),
        "doubled_at(&mut pairs[..], &mut 0.5, 1): the inverse does not undo the function: \
         `pairs[..][1].0` should be 300, and is 200"
    );
    // A hundred comes back from two hundred as sixty-six; six comes back as four, and zero as zero.
    x = 0;
    assert_reversible!(double(&mut x));
}
