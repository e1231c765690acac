//! The adjoints of the containers, alone and in reversible functions.

use super::*;
use crate::check::Slack;
use crate::derivative::{Differentiable, zero_like};
use crate::num::{Arithmetic, Complex, Real};
use crate::prelude::{neg, reversible, swap};

/// The gradient by central differences.
fn differences<const N: usize>(f: impl Fn([f64; N]) -> f64, x: [f64; N]) -> [f64; N] {
    let step = 1e-5;
    std::array::from_fn(|i| {
        let at = |step: f64| {
            let mut x = x;
            x[i] += step;
            f(x)
        };
        (at(step) - at(-step)) / (2.0 * step)
    })
}

#[track_caller]
fn assert_near<const N: usize>(found: [f64; N], expected: [f64; N]) {
    let near = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-7 * b.abs().max(1.0));
    assert!(near, "{found:?} is not {expected:?}");
}

/// The message of a panic, which must leave the state as it was.
fn message_of<S: Clone + PartialEq + Debug>(state: &mut S, run: impl FnOnce(&mut S)) -> String {
    let before = state.clone();
    let payload = catch_unwind(AssertUnwindSafe(|| run(state))).unwrap_err();
    assert_eq!(*state, before);
    *payload.downcast::<String>().unwrap()
}

mod stack {
    use super::*;

    fn stack<const N: usize, T>(elements: [T; N]) -> Stack<T> {
        Stack::from_iter(elements)
    }

    #[test]
    fn a_moved_value_comes_back_with_its_gradient() {
        let (mut s, mut d_s) = (stack([1.0, 2.0]), stack([0.1, 0.2]));
        let (mut x, mut d_x) = (0.0, 0.7);
        s.push_adjoint(&mut d_s, &mut x, &mut d_x);
        assert_eq!((&s, &d_s, x, d_x), (&stack([1.0]), &stack([0.1]), 2.0, 0.2));
        s.push_inverse_adjoint(&mut d_s, &mut x, &mut d_x);
        assert_eq!((&s, &d_s, x, d_x), (&stack([1.0, 2.0]), &stack([0.1, 0.2]), 0.0, 0.0));

        (x, d_x) = (3.0, 0.3);
        s.pop_adjoint(&mut d_s, &mut x, &mut d_x);
        assert_eq!((&s, &d_s), (&stack([1.0, 2.0, 3.0]), &stack([0.1, 0.2, 0.3])));
        assert_eq!((x, d_x), (0.0, 0.0));
        s.pop_inverse_adjoint(&mut d_s, &mut x, &mut d_x);
        assert_eq!((&s, &d_s, x, d_x), (&stack([1.0, 2.0]), &stack([0.1, 0.2]), 3.0, 0.3));
    }

    #[test]
    fn the_gradient_of_a_copy_is_added() {
        let (mut s, mut d_s) = (stack([1.0, 2.0]), stack([0.5, 0.25]));
        let (x, mut d_x) = (2.0, 1.0);
        s.push_copy_adjoint(&mut d_s, &x, &mut d_x);
        assert_eq!((&s, &d_s, d_x), (&stack([1.0]), &stack([0.5]), 1.25));
        // The copy and its source have the gradient together.
        s.push_copy_inverse_adjoint(&mut d_s, &x, &mut d_x);
        assert_eq!((&s, &d_s, d_x), (&stack([1.0, 2.0]), &stack([0.5, 0.0]), 1.25));

        s.pop_copy_adjoint(&mut d_s, &x, &mut d_x);
        assert_eq!((&s, &d_s), (&stack([1.0, 2.0, 2.0]), &stack([0.5, 0.0, 0.0])));
        s.pop_copy_inverse_adjoint(&mut d_s, &x, &mut d_x);
        assert_eq!((&s, &d_s, d_x), (&stack([1.0, 2.0]), &stack([0.5, 0.0]), 1.25));
    }

    #[test]
    fn the_checks_of_the_inverse_are_made() {
        let mut both = (stack([1.0]), stack([0.1]));
        let of = failure_of(&mut both, |(s, d_s)| s.push_adjoint(d_s, &mut 7.0, &mut 0.0));
        assert_eq!((of.source, of.found.as_str()), ("stack.push(..)", "7.0"));
        let of = failure_of(&mut both, |(s, d_s)| s.pop_inverse_adjoint(d_s, &mut 7.0, &mut 0.0));
        assert_eq!((of.source, of.found.as_str()), ("stack.pop(..)", "7.0"));
        let of = failure_of(&mut both, |(s, d_s)| s.push_copy_adjoint(d_s, &7.0, &mut 0.0));
        assert_eq!((of.source, of.found), ("stack.push_copy(..)", dropped("1.0")));
        let line = line!() + 1;
        let of = failure_of(&mut both, |(s, d_s)| s.pop_copy_inverse_adjoint(d_s, &7.0, &mut 0.0));
        assert_eq!((of.source, of.found), ("stack.pop_copy(..)", dropped("1.0")));
        assert_eq!((of.file, of.line), (file!(), line));
        let mut none = (Stack::<f64>::new(), Stack::new());
        let of = failure_of(&mut none, |(s, d_s)| s.push_adjoint(d_s, &mut 0.0, &mut 0.0));
        assert_eq!(of.found, "an empty stack");
    }

    #[test]
    fn a_shadow_that_does_not_fit_is_refused() {
        let mut both = (stack([1.0, 2.0]), stack([0.5]));
        let expected = "the shadow of a stack of 2 elements has 1";
        let of = message_of(&mut both, |(s, d_s)| s.push_adjoint(d_s, &mut 0.0, &mut 0.0));
        assert_eq!(of, expected);
        let of = message_of(&mut both, |(s, d_s)| s.pop_adjoint(d_s, &mut 3.0, &mut 0.0));
        assert_eq!(of, expected);
        let of = message_of(&mut both, |(s, d_s)| s.push_copy_adjoint(d_s, &2.0, &mut 0.0));
        assert_eq!(of, expected);
        let of = message_of(&mut both, |(s, d_s)| s.pop_copy_adjoint(d_s, &2.0, &mut 0.0));
        assert_eq!(of, expected);
        let mut sum = stack([1.0, 2.0]);
        let of = message_of(&mut sum, |sum| sum.accumulate_shadow(stack([1.0])));
        assert_eq!(of, "a gradient of 1 elements for a shadow of 2");
    }

    #[test]
    fn a_stack_has_a_shadow() {
        let mut shadow = zero_like(&stack([vec![1.0, 2.0], vec![]]));
        assert_eq!(shadow, stack([vec![0.0, 0.0], vec![]]));
        let gradient = stack([vec![1.0, 2.0], vec![]]);
        shadow.accumulate_shadow(gradient.clone());
        shadow.accumulate_shadow(gradient.clone());
        assert_eq!(shadow, stack([vec![2.0, 4.0], vec![]]));
        shadow.retract_shadow(gradient.clone());
        assert_eq!(shadow, gradient);
        let mut empty = Stack::new();
        empty.retract_shadow(stack([1.0]));
        assert_eq!(empty, stack([-1.0]));
    }

    /// Values that are moved leave an empty place, and so do their gradients.
    #[test]
    fn vectors_move_with_their_gradients() {
        let (mut s, mut d_s) = (Stack::new(), Stack::new());
        let (mut x, mut d_x) = (vec![1.0, 2.0], vec![0.1, 0.2]);
        s.pop_adjoint(&mut d_s, &mut x, &mut d_x);
        assert_eq!((x.len(), d_x.len()), (0, 0));
        s.push_adjoint(&mut d_s, &mut x, &mut d_x);
        assert_eq!((x, d_x), (vec![1.0, 2.0], vec![0.1, 0.2]));
    }

    /// A stack as an ancilla, by moves: `y += x² sin x`.
    #[reversible]
    fn by_move<T: Arithmetic>(y: &mut T, x: &mut T) {
        let mut stack = Stack::new();
        stack.push(x);
        *x += stack[0] * stack[0];
        stack.push(x);
        *y += stack[1] * stack[0];
        stack.pop(x);
        *x -= stack[0] * stack[0];
        stack.pop(x);
    }

    #[test]
    fn an_ancilla_by_moves() {
        let (mut y, mut x) = (0.5, 1.5_f64);
        by_move(&mut y, &mut x);
        assert_eq!((y, x), (0.5 + 1.5_f64.powi(3), 1.5));
        let (mut d_y, mut d_x) = (2.0, 0.25);
        by_move::adjoint(&mut y, &mut d_y, &mut x, &mut d_x);
        assert_near([y, x, d_y, d_x], [0.5, 1.5, 2.0, 0.25 + 2.0 * 3.0 * 1.5 * 1.5]);
        by_move::inverse_adjoint(&mut y, &mut d_y, &mut x, &mut d_x);
        assert_near([y, x, d_y, d_x], [0.5 + 1.5_f64.powi(3), 1.5, 2.0, 0.25]);
    }

    #[test]
    fn complex_numbers_by_moves() {
        let (start, g) = (Complex::new(1.0, -0.5), Complex::new(0.3, 2.0));
        let (mut y, mut x) = (Complex::zero(), start);
        by_move(&mut y, &mut x);
        let (mut d_y, mut d_x) = (g, Complex::zero());
        by_move::adjoint(&mut y, &mut d_y, &mut x, &mut d_x);
        let expected = g * (start * start * 3.0).conj();
        assert_near([y.re, y.im, x.re, x.im], [0.0, 0.0, 1.0, -0.5]);
        assert_near([d_x.re, d_x.im], [expected.re, expected.im]);
    }

    /// A stack as an ancilla, by copies.
    #[reversible]
    fn by_copy<T: Real>(y: &mut T, x: &T) {
        let mut stack = Stack::new();
        stack.push_copy(x);
        stack.push_copy(x);
        *y += stack[0] * stack[1].sin();
        stack.pop_copy(x);
        stack.pop_copy(x);
    }

    #[test]
    fn an_ancilla_by_copies() {
        let (mut y, x) = (0.5, 1.5_f64);
        by_copy(&mut y, &x);
        let (mut d_y, mut d_x) = (2.0, 0.25);
        by_copy::adjoint(&mut y, &mut d_y, &x, &mut d_x);
        assert_near([y, d_y, d_x], [0.5, 2.0, 0.25 + 2.0 * (1.5_f64.sin() + 1.5 * 1.5_f64.cos())]);
        by_copy::inverse_adjoint(&mut y, &mut d_y, &x, &mut d_x);
        assert_near([y, d_y, d_x], [0.5 + 1.5 * 1.5_f64.sin(), 2.0, 0.25]);
    }

    /// An iteration that forgets nothing: the stack keeps what it overwrites.
    #[reversible]
    fn iterate(history: &mut Stack<f64>, x: &mut f64, a: &f64, n: usize) {
        for _ in 0..n {
            let mut next = 0.0;
            next += *a * x.sin() + history[0];
            swap(x, &mut next);
            history.push(&mut next);
        }
    }

    #[test]
    fn a_stack_as_an_argument() {
        let run = |[x, a, below]: [f64; 3]| {
            let mut history = stack([below]);
            let mut x = x;
            iterate(&mut history, &mut x, &a, 5);
            (history, x)
        };
        // The last three values count, and so does the one below.
        let loss = |at: [f64; 3]| {
            let (history, x) = run(at);
            x + 2.0 * history[5] - history[4] + 0.5 * history[0]
        };
        let at = [0.4, 1.7, 0.1];
        let (mut history, mut x) = run(at);
        let end = (history.clone(), x);
        let mut d_history = zero_like(&history);
        d_history[5] += 2.0;
        d_history[4] -= 1.0;
        d_history[0] += 0.5;
        let (mut d_x, a, mut d_a) = (1.0, at[1], 0.0);
        iterate::adjoint(&mut history, &mut d_history, &mut x, &mut d_x, &a, &mut d_a, 5);
        assert_near([x, history[0]], [at[0], at[2]]);
        assert_eq!((history.len(), d_history.len()), (1, 1));
        let gradient = [d_x, d_a, d_history[0]];
        assert_near(gradient, differences(loss, at));
        iterate::inverse_adjoint(&mut history, &mut d_history, &mut x, &mut d_x, &a, &mut d_a, 5);
        assert!((history.clone(), x).agrees(&end, Slack::half_the_digits(1.0)));
        // Eight outputs do not get their gradients back from those of three
        // inputs, but what they get comes to the same.
        assert_eq!(d_history.len(), 6);
        iterate::adjoint(&mut history, &mut d_history, &mut x, &mut d_x, &a, &mut d_a, 5);
        assert_near([x, d_x, d_a, d_history[0]], [at[0], gradient[0], gradient[1], gradient[2]]);
    }

    /// Every operation, in both directions, with changes in between.
    #[reversible]
    fn every<T: Arithmetic>(history: &mut Stack<T>, x: &mut T, y: &mut T) {
        history.push_copy(x);
        *x += history[0] * *y;
        history[0] += *x * history[1];
        !history.pop(y);
        *y += *x * history[1];
        neg(&mut history[0]);
        !history.pop_copy(y);
        swap(&mut history[0], &mut history[2]);
        *x -= history[3] * history[2];
        history.pop_copy(y);
        history.push(y);
        !history.push(y);
        history[1] += *y * *y;
    }

    #[test]
    fn every_operation_agrees_with_differences() {
        let run = |[below, x, y]: [f64; 3]| {
            let (mut s, mut x, mut y) = (stack([below]), x, y);
            every(&mut s, &mut x, &mut y);
            (s, x, y)
        };
        let loss = |at: [f64; 3]| {
            let (s, x, y) = run(at);
            0.3 * s[0] - 0.7 * s[1] + 1.1 * s[2] + 0.9 * x - 1.3 * y
        };
        let at = [0.4, -1.2, 0.8];
        let (mut s, mut x, mut y) = run(at);
        let (mut d_s, mut d_x, mut d_y) = (stack([0.3, -0.7, 1.1]), 0.9, -1.3);
        every::adjoint(&mut s, &mut d_s, &mut x, &mut d_x, &mut y, &mut d_y);
        assert_near([s[0], x, y], at);
        assert_near([d_s[0], d_x, d_y], differences(loss, at));
        every::inverse_adjoint(&mut s, &mut d_s, &mut x, &mut d_x, &mut y, &mut d_y);
        assert!((s.clone(), x, y).agrees(&run(at), Slack::half_the_digits(1.0)));
        // What is left of the gradient of a copy is in that of its source, which
        // comes to the same.
        every::adjoint(&mut s, &mut d_s, &mut x, &mut d_x, &mut y, &mut d_y);
        assert_near([d_s[0], d_x, d_y], differences(loss, at));
    }

    /// Integers have shadows that nobody looks at.
    #[reversible]
    fn logged(log: &mut Stack<usize>, y: &mut f64, xs: &[f64]) {
        for i in 0..xs.len() {
            log.push_copy(&i);
            *y += xs[i] * xs[log[i]];
        }
    }

    #[test]
    fn a_stack_of_integers() {
        let (mut log, mut y, xs, mut d_xs) = (Stack::new(), 0.0, [1.0, 2.0], [0.0; 2]);
        logged(&mut log, &mut y, &xs);
        assert_eq!((log.as_slice(), y), (&[0, 1][..], 5.0));
        let mut d_log = zero_like(&log);
        logged::adjoint(&mut log, &mut d_log, &mut y, &mut 1.0, &xs, &mut d_xs);
        assert_eq!((log.len(), y, d_xs), (0, 0.0, [2.0, 4.0]));
    }
}

mod map {
    use super::*;

    fn map<const N: usize, T>(entries: [(char, T); N]) -> Map<char, T> {
        Map::from_iter(entries)
    }

    #[test]
    fn a_moved_value_comes_back_with_its_gradient() {
        let (mut m, mut d_m) = (map([('a', 1.0), ('b', 2.0)]), map([('a', 0.1), ('b', 0.2)]));
        let (mut x, mut d_x) = (0.0, 0.7);
        m.insert_adjoint(&mut d_m, 'a', &mut x, &mut d_x);
        assert_eq!((&m, &d_m, x, d_x), (&map([('b', 2.0)]), &map([('b', 0.2)]), 1.0, 0.1));
        m.insert_inverse_adjoint(&mut d_m, 'a', &mut x, &mut d_x);
        assert_eq!((m['a'], d_m['a'], x, d_x), (1.0, 0.1, 0.0, 0.0));

        (x, d_x) = (3.0, 0.3);
        m.remove_adjoint(&mut d_m, 'c', &mut x, &mut d_x);
        assert_eq!((m['c'], d_m['c'], x, d_x), (3.0, 0.3, 0.0, 0.0));
        m.remove_inverse_adjoint(&mut d_m, 'c', &mut x, &mut d_x);
        assert_eq!((m.len(), d_m.len(), x, d_x), (2, 2, 3.0, 0.3));
    }

    #[test]
    fn the_gradient_of_a_copy_is_added() {
        let (mut m, mut d_m) = (map([('a', 2.0)]), map([('a', 0.25)]));
        let (x, mut d_x) = (2.0, 1.0);
        m.insert_copy_adjoint(&mut d_m, 'a', &x, &mut d_x);
        assert_eq!((m.len(), d_m.len(), d_x), (0, 0, 1.25));
        m.insert_copy_inverse_adjoint(&mut d_m, 'a', &x, &mut d_x);
        assert_eq!((m['a'], d_m['a'], d_x), (2.0, 0.0, 1.25));

        m.remove_copy_adjoint(&mut d_m, 'b', &x, &mut d_x);
        assert_eq!((m['b'], d_m['b'], d_x), (2.0, 0.0, 1.25));
        m.remove_copy_inverse_adjoint(&mut d_m, 'b', &x, &mut d_x);
        assert_eq!((m.len(), d_m.len(), d_x), (1, 1, 1.25));
    }

    #[test]
    fn the_checks_of_the_inverse_are_made() {
        let mut both = (map([('a', 1.0)]), map([('a', 0.1)]));
        let of = failure_of(&mut both, |(m, d_m)| m.insert_adjoint(d_m, 'a', &mut 7.0, &mut 0.0));
        assert_eq!((of.source, of.found.as_str()), ("map.insert(..)", "7.0"));
        let of = failure_of(&mut both, |(m, d_m)| {
            m.remove_inverse_adjoint(d_m, 'b', &mut 0.0, &mut 0.0);
        });
        assert_eq!((of.source, of.found.as_str()), ("map.remove(..)", "no entry for 'b'"));
        let of = failure_of(&mut both, |(m, d_m)| m.insert_copy_adjoint(d_m, 'a', &7.0, &mut 0.0));
        assert_eq!((of.source, of.found), ("map.insert_copy(..)", dropped("1.0")));
        let line = line!() + 1;
        let of = failure_of(&mut both, |(m, d_m)| m.remove_adjoint(d_m, 'a', &mut 7.0, &mut 0.0));
        assert_eq!((of.source, of.found.as_str()), ("map.remove(..)", "an entry for 'a'"));
        assert_eq!((of.file, of.line), (file!(), line));
    }

    #[test]
    fn a_shadow_that_does_not_fit_is_refused() {
        let mut both = (map([('a', 1.0)]), map([]));
        let of = message_of(&mut both, |(m, d_m)| m.insert_adjoint(d_m, 'a', &mut 0.0, &mut 0.0));
        assert_eq!(of, "the shadow of a map of 1 entries has 0");
        both.1.insert_copy('b', &0.0);
        let of = message_of(&mut both, |(m, d_m)| m.insert_copy_adjoint(d_m, 'a', &1.0, &mut 0.0));
        assert_eq!(of, "the map has an entry for the key 'a', and the shadow has none");
        let of = message_of(&mut both, |(m, d_m)| m.remove_adjoint(d_m, 'b', &mut 1.0, &mut 0.0));
        assert_eq!(of, "the shadow has an entry for the key 'b', and the map has none");
        let of = message_of(&mut both, |(m, d_m)| m.remove_copy_adjoint(d_m, 'b', &1.0, &mut 0.0));
        assert_eq!(of, "the shadow has an entry for the key 'b', and the map has none");
    }

    #[test]
    fn a_map_has_a_shadow() {
        let mut shadow = zero_like(&map([('a', 1.5), ('b', 2.5)]));
        let gradient = map([('b', 1.0), ('a', 2.0)]);
        assert_eq!(shadow, map([('a', 0.0), ('b', 0.0)]));
        shadow.accumulate_shadow(gradient.clone());
        shadow.accumulate_shadow(gradient.clone());
        assert_eq!(shadow, map([('a', 4.0), ('b', 2.0)]));
        shadow.retract_shadow(gradient.clone());
        assert_eq!(shadow, gradient);
        let of = message_of(&mut shadow, |shadow| shadow.accumulate_shadow(map([('a', 1.0)])));
        assert_eq!(of, "a gradient of 1 entries for a shadow of 2");
        let other = map([('a', 1.0), ('c', 1.0)]);
        let of = message_of(&mut shadow, |shadow| shadow.retract_shadow(other));
        assert_eq!(of, "a gradient for the key 'c', for which the shadow has no entry");
        let mut empty = Map::new();
        empty.retract_shadow(map([('a', 1.0)]));
        assert_eq!(empty, map([('a', -1.0)]));
    }

    /// A map as an ancilla, by moves and by copies: `y += x² a`.
    #[reversible]
    fn ancilla<T: Arithmetic>(y: &mut T, x: &mut T, a: &T) {
        let mut map = Map::new();
        map.insert_copy("x", x);
        map["x"] += *x * *a;
        map.insert("old", x);
        *y += map["x"] * map["old"];
        map.remove("old", x);
        map["x"] -= *x * *a;
        map.remove_copy("x", x);
    }

    #[test]
    fn a_map_as_an_ancilla() {
        let run = |[y, x, a]: [f64; 3]| {
            let (mut y, mut x) = (y, x);
            ancilla(&mut y, &mut x, &a);
            [y, x, a]
        };
        let loss = |at: [f64; 3]| run(at).iter().zip([2.0, 0.25, -0.5]).map(|(y, w)| y * w).sum();
        let at = [0.5, 1.5, 0.75];
        let [mut y, mut x, a] = run(at);
        let [mut d_y, mut d_x, mut d_a] = [2.0, 0.25, -0.5];
        ancilla::adjoint(&mut y, &mut d_y, &mut x, &mut d_x, &a, &mut d_a);
        assert_near([y, x, a], at);
        assert_near([d_y, d_x, d_a], differences(loss, at));
        ancilla::inverse_adjoint(&mut y, &mut d_y, &mut x, &mut d_x, &a, &mut d_a);
        assert_near([y, x, a], run(at));
        assert_near([d_y, d_x, d_a], [2.0, 0.25, -0.5]);
    }

    #[test]
    fn complex_numbers_in_a_map() {
        let (start, a, g) =
            (Complex::new(1.0, -0.5), Complex::new(0.2, 0.7), Complex::new(0.3, 2.0));
        let (mut y, mut x) = (Complex::zero(), start);
        ancilla(&mut y, &mut x, &a);
        let (mut d_y, mut d_x, mut d_a) = (g, Complex::zero(), Complex::zero());
        ancilla::adjoint(&mut y, &mut d_y, &mut x, &mut d_x, &a, &mut d_a);
        // y = x² (1 + a).
        let by_x = g * (start * (a + 1.0) * 2.0).conj();
        let by_a = g * (start * start).conj();
        assert_near([d_x.re, d_x.im, d_a.re, d_a.im], [by_x.re, by_x.im, by_a.re, by_a.im]);
        assert_near([y.re, y.im, x.re, x.im], [0.0, 0.0, 1.0, -0.5]);
    }

    /// A map as an argument, by keys that are computed.
    #[reversible]
    fn table(entries: &mut Map<usize, f64>, x: &mut f64, n: usize) {
        for i in 0..n {
            entries.insert_copy(i, x);
            *x += 0.5 * entries[i / 2] * entries[i];
        }
        !entries.remove(n, x);
        *x += entries[0].sin();
        entries[0] += *x;
    }

    #[test]
    fn a_map_as_an_argument() {
        let run = |x: f64| {
            let (mut entries, mut x) = (Map::new(), x);
            table(&mut entries, &mut x, 3);
            (entries, x)
        };
        let weights = Map::from_iter([(0, 0.3), (1, -0.7), (2, 1.1), (3, 0.6)]);
        let loss = |[x]: [f64; 1]| {
            let (entries, x) = run(x);
            entries.iter().map(|(i, value)| value * weights[*i]).sum::<f64>() - 0.4 * x
        };
        let (mut entries, mut x) = run(0.8);
        let (mut d_entries, mut d_x) = (weights.clone(), -0.4);
        table::adjoint(&mut entries, &mut d_entries, &mut x, &mut d_x, 3);
        assert!(entries.is_empty() && d_entries.is_empty());
        assert_near([x], [0.8]);
        assert_near([d_x], differences(loss, [0.8]));
        table::inverse_adjoint(&mut entries, &mut d_entries, &mut x, &mut d_x, 3);
        assert!((entries.clone(), x).agrees(&run(0.8), Slack::half_the_digits(1.0)));
        table::adjoint(&mut entries, &mut d_entries, &mut x, &mut d_x, 3);
        assert_near([x, d_x], [0.8, differences(loss, [0.8])[0]]);
    }
}
