//! Programs whose gradients other tools give silently wrong: here they are
//! right, or they stop. And what the assertions say about rules that are wrong.

mod gradient_errors {
    mod assertions;
    mod constant_fields;
    mod elements;
    mod lookalikes;
    mod shadows;
    mod shapes;
}
mod gradient_harness;

use gradient_harness::{X, Y, check};
use retrograde::calculus::gradient;
use retrograde::error::Broken;
use retrograde::prelude::*;
use retrograde::testing::{assert_gradient, assert_reversible};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Checks a generic function of slices in every way.
macro_rules! right {
    ($name:ident) => {{
        let mut y = Y;
        assert_gradient!($name(&mut y, &X));
        check(stringify!($name), &$name {}, &$name {}, &Y, &X);
    }};
}

/// What a panic says.
#[track_caller]
fn message(run: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it should panic");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast_ref::<InvertibilityError>().expect("an error").to_string(),
    }
}

/// What a failed check says.
#[track_caller]
fn broken(run: impl FnOnce()) -> InvertibilityError {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it should panic");
    *panic.downcast::<InvertibilityError>().expect("a failed check")
}

mod reads {
    use super::*;

    #[reversible]
    fn square(y: &mut f64, x: &f64) {
        *y += *x * *x;
    }

    #[test]
    fn twice_in_one_product() {
        let (mut y, mut d_y, mut d_x) = (9.0, 1.0, 0.0);
        square::adjoint(&mut y, &mut d_y, &3.0, &mut d_x);
        assert_eq!((y, d_y, d_x), (0.0, 1.0, 6.0));
    }

    #[reversible]
    fn product(y: &mut f64, a: &f64, b: &f64) {
        *y += *a * *b;
    }

    #[reversible]
    fn of_itself(y: &mut f64, x: &f64) {
        product(y, x, x);
    }

    #[test]
    fn twice_in_one_call() {
        let at = of_itself::gradient(&3.0);
        assert_eq!((at.value, at.d_x), (9.0, 6.0));
    }

    #[reversible]
    fn rows_of_one_slice<T: Real>(y: &mut [T], x: &[T]) {
        dot(&mut y[0], x, x);
        dot(&mut y[1], &x[1..3], &x[0..2]);
        dot(&mut y[2], &x[1..], &x[1..]);
    }

    #[reversible]
    fn dot<T: Real>(out: &mut T, a: &[T], b: &[T]) {
        for (u, v) in a.iter().zip(b) {
            *out += *u * *v;
        }
    }

    #[test]
    fn overlapping_slices_in_one_call() {
        right!(rows_of_one_slice);
    }

    #[reversible]
    fn in_every_pass<T: Real>(y: &mut [T], x: &[T]) {
        for target in y.iter_mut() {
            *target += x[0] * x[1];
        }
        for i in 0..3 {
            for v in x {
                y[i] -= *v * x[0];
            }
        }
    }

    #[test]
    fn of_one_input_in_many_passes() {
        right!(in_every_pass);
        // A scalar that all elements share: the sum, where kernels of the
        // original gave zero.
        #[reversible]
        fn scale_all(ys: &mut [f64], scale: &f64) {
            for y in ys {
                *y += *scale;
            }
        }
        let (mut ys, mut d_ys, mut d_scale) = ([2.0; 100], [1.0; 100], 0.0);
        scale_all::adjoint(&mut ys, &mut d_ys, &2.0, &mut d_scale);
        assert_eq!((ys, d_scale), ([0.0; 100], 100.0));
    }

    #[reversible]
    fn through_two_names<T: Real>(y: &mut [T], x: &[T]) {
        let row = &x[1..3];
        let again = &x[2..];
        let one = &x[2];
        y[0] += row[1] * again[0] * x[2] * *one;
        for v in row {
            y[1] += *v * x[1];
        }
        y[2] -= row[0] * again[1];
    }

    #[test]
    fn through_several_names_of_one_place() {
        right!(through_two_names);
    }

    #[test]
    fn of_an_argument_by_value() {
        #[reversible]
        fn by_value(y: &mut f64, a: f64, n: usize) {
            *y += a.powi(2) * n as f64 + a;
        }
        let (mut y, mut d_y, mut d_a) = (0.0, 2.0, 5.0);
        by_value(&mut y, 3.0, 4);
        by_value::adjoint(&mut y, &mut d_y, 3.0, &mut d_a, 4);
        assert_eq!((y, d_a), (0.0, 5.0 + 2.0 * (24.0 + 1.0)));
    }
}

mod ancillas {
    use super::*;

    #[reversible]
    fn from_an_input<T: Real>(y: &mut [T], x: &[T]) {
        let mut a = x[0];
        a += x[1];
        y[0] += a * a;
        a -= x[1];
        let mut b = x[2] * y[0];
        b -= a;
        y[1] += b * x[3];
        b += a;
    }

    #[test]
    fn an_initial_value_that_is_not_constant() {
        right!(from_an_input);
    }

    #[reversible]
    fn released_as_something_else<T: Real>(y: &mut [T], x: &[T]) {
        let mut a = x[0] * x[1];
        a += x[2] - x[0] * x[1];
        y[0] += a * x[3];
        unlet!(a = x[2]);
    }

    #[test]
    fn a_final_value_that_is_not_constant() {
        right!(released_as_something_else);
    }

    #[reversible]
    fn constant_value_with_a_gradient<T: Real>(y: &mut [T], x: &[T]) {
        // Read while it holds its known value: what flows into it ends there.
        let mut a: T = 2.0;
        y[0] += a * x[0];
        a += x[1];
        y[1] += a * a;
        a -= x[1];
        y[2] += a * x[2];
    }

    #[test]
    fn the_gradient_of_a_constant_ends() {
        right!(constant_value_with_a_gradient);
    }

    /// A copy of the data, not another name for it.
    #[reversible]
    fn copied_values<T: Real>(y: &mut [T], x: &[T]) {
        let mut values = x.to_vec();
        for (value, v) in values.iter_mut().zip(x) {
            *value -= *v * 0.5;
        }
        y[0] += values[0] * values[1];
        for (value, v) in values.iter_mut().zip(x) {
            *value += *v * 0.5;
        }
    }

    #[test]
    fn a_copy_does_not_alias() {
        right!(copied_values);
    }

    #[reversible]
    fn in_every_pass<T: Real>(y: &mut [T], x: &[T]) {
        for i in 0..3 {
            let mut a = x[i];
            for v in x {
                let mut b = a;
                b += *v;
                y[i] += b * a;
                b -= *v;
            }
            a += y[i];
            a -= y[i];
        }
    }

    #[test]
    fn ancillas_of_nested_loops() {
        right!(in_every_pass);
    }
}

mod control {
    use super::*;

    #[reversible]
    fn stepped(y: &mut f64, x: &[f64]) {
        for i in (1..4).step_by(2) {
            *y += x[i];
        }
        for i in (0..5).rev().step_by(3) {
            *y += 10.0 * x[i];
        }
    }

    /// Where the original visits other elements on the way back.
    #[test]
    fn steps_that_do_not_divide_the_length() {
        let at = gradient(&stepped {}, &[0.0; 6]);
        assert_eq!(at.gradient, [0.0, 11.0, 0.0, 1.0, 10.0, 0.0]);
    }

    #[reversible]
    fn guarded(y: &mut f64, x: &[f64]) {
        if x.is_empty() {
            *y += 1.0;
        } else if x[0] < 0.0 {
            *y += x[0] * x[0];
        } else if x.len() > 1 && x[1] > 0.0 {
            *y += x[0] * x[1];
        } else {
            *y -= x[0];
        }
    }

    /// A condition is only looked at if those before it do not hold.
    #[test]
    fn conditions_that_are_valid_only_after_others() {
        let of = |x: &[f64]| gradient(&guarded {}, x).gradient;
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[-3.0]), [-6.0]);
        assert_eq!(of(&[3.0]), [-1.0]);
        assert_eq!(of(&[3.0, 4.0]), [4.0, 3.0]);
    }

    #[reversible]
    fn wrong_after(y: &mut f64, x: &f64) {
        if (*y > 0.0, *y > 10.0) {
            *y += *x;
        }
    }

    #[test]
    #[cfg_attr(feature = "unchecked", ignore = "there are no checks")]
    fn a_branch_that_was_not_taken() {
        // From here, nothing leads back: neither branch ends at 5.
        let (mut y, mut d_y, mut d_x) = (5.0, 1.0, 0.0);
        let error = broken(|| wrong_after::adjoint(&mut y, &mut d_y, &1.0, &mut d_x));
        assert_eq!(error.broken, Broken::Branch);
    }

    #[reversible]
    fn pop(stack: &mut Stack<f64>, y: &mut f64) {
        stack.push(y);
    }

    #[test]
    fn an_empty_stack() {
        let (mut stack, mut d_stack) = (Stack::new(), Stack::new());
        let error = broken(|| pop::adjoint(&mut stack, &mut d_stack, &mut 0.0, &mut 0.0));
        assert!(error.to_string().contains("empty"), "{error}");
    }

    #[reversible]
    fn sums_of_large_numbers(y: &mut f32, x: &[f32]) {
        #[compute]
        {
            let mut sum = 0.0_f32;
            for v in x {
                sum += *v;
            }
        }
        *y += sum * sum;
    }

    /// A tolerance that is absolute would stop here.
    #[test]
    fn checks_at_the_scale_of_the_numbers() {
        let x: Vec<f32> = (0..100).map(|i| 1e6 + i as f32 * 0.3).collect();
        let (mut y, mut d_y, mut d_x) = (0.0, 1.0, vec![0.0; 100]);
        sums_of_large_numbers(&mut y, &x);
        sums_of_large_numbers::adjoint(&mut y, &mut d_y, &x, &mut d_x);
        assert!(d_x.iter().all(|d| (d / 2.0e8 - 1.0).abs() < 1e-4), "{}", d_x[0]);
    }
}

mod edges {
    use super::*;

    #[reversible]
    fn at_zero(y: &mut [f64], x: &[f64]) {
        y[0] += x[0].abs();
        y[1] += x[1].sqrt();
        y[2] += (x[2] / x[3]).floor() * x[3];
    }

    #[test]
    fn absolute_values_roots_and_whole_quotients() {
        let of = |weights: [f64; 3], x: [f64; 4]| {
            let (mut y, mut d_y, mut d_x) = ([0.0; 3], weights, [0.0; 4]);
            at_zero(&mut y, &x);
            at_zero::adjoint(&mut y, &mut d_y, &x, &mut d_x);
            d_x
        };
        // The original has −1 for the first.
        assert_eq!(of([1.0, 0.0, 0.0], [0.0, 1.0, 7.0, 2.0])[0], 0.0);
        assert_eq!(of([0.0, 1.0, 0.0], [1.0, 0.0, 7.0, 2.0])[1], 0.0);
        // The original differentiates the whole quotient as if it were a quotient.
        assert_eq!(of([0.0, 0.0, 1.0], [1.0, 1.0, 7.0, 2.0])[2..], [0.0, 3.0]);
    }
}

mod assertions {
    use super::*;

    #[differentiable(derivative = wrong_slope)]
    fn cubed(x: f64) -> f64 {
        x * x * x
    }

    fn wrong_slope(x: f64) -> f64 {
        2.0 * x * x
    }

    #[reversible]
    fn with_a_wrong_derivative(out: &mut f64, factor: &f64, values: &[f64]) {
        *out += *factor + values[0];
        *out += cubed(values[1]);
    }

    #[test]
    fn notice_a_wrong_derivative() {
        let (mut out, values) = (0.0, [1.0, 2.0]);
        let text = message(|| assert_gradient!(with_a_wrong_derivative(&mut out, &3.0, &values)));
        let (start, rest) = text.split_once(" should be ").expect("what it should be");
        let place = "with_a_wrong_derivative(&mut out, &3.0, &values): the gradient with respect \
            to `values[1]`";
        assert_eq!(start, place);
        let (expected, found) = rest.split_once(" by differences, and is ").expect("both");
        let (expected, found): (f64, f64) =
            (expected.parse().expect("a number"), found.parse().expect("a number"));
        // 3 x² and 2 x², at 2, with one weight.
        let weight = (expected - found).abs() / 4.0;
        assert!((0.2..=1.0).contains(&weight), "{text}");
    }

    #[differentiable(pullback = wrong_pullback)]
    fn product(a: &f64, b: &f64) -> f64 {
        a * b
    }

    fn wrong_pullback(g: &f64, a: &f64, d_a: &mut f64, b: &f64, d_b: &mut f64) {
        *d_a += g * b;
        *d_b -= g * a;
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Model {
        weights: Vec<(f64, f64)>,
    }

    #[reversible]
    fn with_a_wrong_pullback(y: &mut f64, model: &Model) {
        *y += product(&model.weights[0].0, &model.weights[0].1);
    }

    #[test]
    fn notice_a_wrong_pullback() {
        let (mut y, model) = (0.0, Model { weights: vec![(2.0, 3.0)] });
        let text = message(|| assert_gradient!(with_a_wrong_pullback(&mut y, &model)));
        assert!(text.contains("with respect to `model.weights[0].1` should be "), "{text}");
    }

    #[instruction(self_inverse, adjoint = wrong_adjoint)]
    fn reflect(a: &f64, b: &mut f64) {
        *b = *a - *b;
    }

    fn wrong_adjoint(a: &f64, d_a: &mut f64, b: &mut f64, d_b: &mut f64) {
        reflect(a, b);
        *d_a += *d_b;
    }

    #[test]
    fn notice_a_wrong_adjoint_of_an_instruction() {
        let mut b = 2.0;
        let text = message(|| assert_gradient!(reflect(&5.0, &mut b)));
        assert!(text.contains("the gradient with respect to `b` should be "), "{text}");
    }

    #[instruction(self_inverse, adjoint = forgets_the_values)]
    fn negate(b: &mut f64) {
        *b = -*b;
    }

    fn forgets_the_values(_b: &mut f64, d_b: &mut f64) {
        *d_b = -*d_b;
    }

    #[test]
    fn notice_values_that_are_not_restored() {
        let mut b = 2.0;
        let text = message(|| assert_gradient!(negate(&mut b)));
        let expected = "negate(&mut b): the adjoint does not restore the values: `b` should be \
            2.0, and is -2.0";
        assert_eq!(text, expected);
    }

    #[instruction(
        inverse = unshift,
        adjoint = shift_adjoint,
        inverse_adjoint = forgets_to_come_back
    )]
    fn shift(b: &mut f64) {
        *b += 1.0;
    }

    #[instruction(inverse = shift)]
    fn unshift(#[constant] b: &mut f64) {
        *b -= 1.5;
    }

    fn shift_adjoint(b: &mut f64, _d_b: &mut f64) {
        *b -= 1.0;
    }

    fn forgets_to_come_back(_b: &mut f64, _d_b: &mut f64) {}

    #[test]
    fn notice_an_inverse_that_does_not_undo() {
        let mut b = 2.0;
        let text = message(|| assert_reversible!(shift(&mut b)));
        let expected = "shift(&mut b): the inverse does not undo the function: `b` should be 2.0, \
            and is 1.5";
        assert_eq!(text, expected);
        let text = message(|| assert_gradient!(shift(&mut b)));
        let expected = "shift(&mut b): the inverse adjoint does not bring the values back: `b` \
            should be 3.0, and is 2.0";
        assert_eq!(text, expected);
    }

    #[test]
    fn leave_the_arguments_alone() {
        let (mut out, factor, values) = (1.0, 3.0, vec![1.0, 2.0]);
        assert_reversible!(with_a_wrong_derivative(&mut out, &factor, &values));
        let _ = catch_unwind(AssertUnwindSafe(|| {
            assert_gradient!(with_a_wrong_derivative(&mut out, &factor, &values));
        }));
        assert_eq!((out, factor, values), (1.0, 3.0, vec![1.0, 2.0]));
    }
}
