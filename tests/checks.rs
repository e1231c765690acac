//! Run-time checks: what breaks a promise panics with the place and the values.

mod checks {
    mod heads;
    mod hidden;
    mod places;
}

use retrograde::error::Broken;
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs something that must fail, and gives back what it said.
fn failure(run: impl FnOnce()) -> InvertibilityError {
    let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("the check must fail");
    *payload.downcast::<InvertibilityError>().expect("the payload must be an InvertibilityError")
}

/// The line on which `text` stands in this file, from 1.
fn line_of(text: &str) -> u32 {
    let line = include_str!("checks.rs").lines().position(|line| line.trim() == text);
    line.expect("the text must be in this file") as u32 + 1
}

#[reversible]
fn dirty_ancilla(y: &mut f64, x: &f64) {
    let mut dirty = 0.25;
    dirty += *x;
    *y += dirty;
}

/// `b -= a;` undoes `b += a;` in words only: what `a` held then is gone.
#[reversible]
fn undone_in_words(y: &mut i64, x: &i64) {
    let mut a = 0;
    let mut b = 0;
    a += *x;
    b += a;
    a -= *x;
    *y += b;
    b -= a;
}

#[test]
fn an_ancilla_is_not_proved_by_words() {
    let error = failure(|| undone_in_words(&mut 0, &7));
    assert_eq!((error.broken, error.source), (Broken::Ancilla, "let mut b = 0;"));
    assert_eq!((error.expected.as_str(), error.found.as_str()), ("0", "7"));
}

#[reversible]
fn passes_that_look_like_none(x: &mut i64, n: i64) {
    while (*x < n, *x > 5) {
        *x += 1;
    }
}

#[test]
fn every_pass_of_a_while() {
    let error = failure(|| passes_that_look_like_none(&mut 0, 9));
    assert_eq!((error.broken, error.expected.as_str()), (Broken::Loop, "true"));
    let mut x = 5;
    passes_that_look_like_none(&mut x, 9);
    assert_eq!(x, 9);
}

#[reversible]
fn another_length(n: &mut usize) {
    let mut zeros = vec![0; *n];
    zeros[0] += 1;
    zeros[0] -= 1;
    *n += 1;
}

#[test]
fn a_vector_of_another_length() {
    let error = failure(|| another_length(&mut 2));
    assert_eq!(error.broken, Broken::Ancilla);
    assert_eq!((error.expected.as_str(), error.found.as_str()), ("3 elements", "2 elements"));
}

fn total(x: &[i64]) -> i64 {
    x.iter().sum()
}

#[reversible]
fn first_of(x: &mut [i64]) {
    x[0] += 1;
}

#[reversible]
fn written_beside_what_was_summed(y: &mut i64, x: &mut [i64], k: usize) {
    let sum = total(&x[..2]);
    first_of(&mut x[k..]);
    *y += sum;
}

#[test]
fn ranges_that_only_run_time_tells_apart() {
    let (mut y, mut x) = (0, [1, 2, 3]);
    written_beside_what_was_summed(&mut y, &mut x, 2);
    assert_eq!((y, x), (3, [1, 2, 4]));
    let error = failure(|| written_beside_what_was_summed(&mut 0, &mut [1, 2, 3], 1));
    assert_eq!((error.broken, error.found.as_str()), (Broken::Binding, "4"));
}

#[test]
fn ancilla() {
    let error = failure(|| dirty_ancilla(&mut 0.0, &2.0));
    assert_eq!(error.broken, Broken::Ancilla);
    assert_eq!(error.source, "let mut dirty = 0.25;");
    assert_eq!((error.expected.as_str(), error.found.as_str()), ("0.25", "2.25"));
    assert!(error.file.ends_with("checks.rs"), "{}", error.file);
    assert_eq!(error.line, line_of("let mut dirty = 0.25;"));
    let text = error.to_string();
    for part in ["let mut dirty = 0.25;", "expected: 0.25", "found: 2.25", "checks.rs"] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(failure(|| dirty_ancilla::inverse(&mut 0.0, &2.0)).broken, Broken::Ancilla);
}

#[reversible]
fn wrong_release(y: &mut i64, n: i64) {
    let mut k = 0;
    k += n;
    *y += k;
    unlet!(k = 7);
}

#[test]
fn release_by_name() {
    let mut y = 0;
    wrong_release(&mut y, 7);
    assert_eq!(y, 7);
    wrong_release::inverse(&mut y, 7);
    assert_eq!(y, 0);
    let error = failure(|| wrong_release(&mut y, 8));
    assert_eq!((error.source, error.line), ("unlet!(k = 7);", line_of("unlet!(k = 7);")));
    assert_eq!((error.expected.as_str(), error.found.as_str()), ("7", "8"));
}

#[reversible]
fn dirty_vector(y: &mut f64, n: usize, i: usize) {
    let mut buffer = vec![1.0; n];
    buffer[i] += 1e-3;
    *y += buffer[0];
}

#[test]
fn vector_ancilla_names_the_index() {
    let error = failure(|| dirty_vector(&mut 0.0, 5, 3));
    assert_eq!((error.expected.as_str(), error.found.as_str()), ("1.0 at index 3", "1.001"));
}

#[reversible]
fn branch_changes(x: &mut i64) {
    if (*x > 0, *x > 10) {
        *x += 5;
    } else if (*x < -5, *x < -100) {
        *x -= 100;
    }
}

#[test]
fn postcondition_of_a_branch() {
    for start in [6, -6, -1] {
        let mut x = start;
        branch_changes(&mut x);
        branch_changes::inverse(&mut x);
        assert_eq!(x, start);
    }
    let error = failure(|| branch_changes(&mut 3));
    assert_eq!(error.broken, Broken::Branch);
    assert_eq!((error.expected.as_str(), error.found.as_str()), ("true", "false"));
    assert_eq!(error.source, "if (*x > 0, *x > 10)");
    assert_eq!(failure(|| branch_changes::inverse(&mut -50)).broken, Broken::Branch);
}

#[reversible]
fn same_condition_twice(x: &mut i64) {
    if (*x > 0, *x > 0) {
        *x -= 2;
    }
}

#[reversible]
fn condition_by_index(x: &mut [i64], i: usize, j: usize) {
    if x[i] > 0 {
        x[j] -= 2;
    }
}

#[test]
fn conditions_that_may_have_changed() {
    let mut x = 3;
    same_condition_twice(&mut x);
    assert_eq!(x, 1);
    assert_eq!(failure(|| same_condition_twice(&mut x)).broken, Broken::Branch);
    let mut x = [1, 1];
    condition_by_index(&mut x, 0, 1);
    assert_eq!(x, [1, -1]);
    condition_by_index::inverse(&mut x, 0, 1);
    assert_eq!(x, [1, 1]);
    assert_eq!(failure(|| condition_by_index(&mut [1, 1], 0, 0)).broken, Broken::Branch);
}

#[reversible]
fn counted(n: &mut u32, k: &mut u32) {
    while (*k < 5, *k != 0) {
        *k += 1;
        *n += *k;
    }
}

#[test]
fn postcondition_of_a_while() {
    let error = failure(|| counted(&mut 0, &mut 3));
    assert_eq!(error.broken, Broken::Loop);
    assert_eq!(error.source, "while (*k < 5, *k != 0)");
    assert_eq!((error.expected.as_str(), error.found.as_str()), ("false", "true"));
    assert_eq!(failure(|| counted::inverse(&mut 15, &mut 4)).broken, Broken::Loop);
}

#[reversible]
fn bounds_by_index(n: &mut [usize], y: &mut usize, i: usize) {
    for k in 0..n[0] {
        *y += k;
        n[i] += 1;
    }
}

#[test]
fn bounds_that_may_have_changed() {
    let mut n = [3, 0];
    let mut y = 0;
    bounds_by_index(&mut n, &mut y, 1);
    assert_eq!((n, y), ([3, 3], 3));
    bounds_by_index::inverse(&mut n, &mut y, 1);
    assert_eq!((n, y), ([3, 0], 0));
    let error = failure(|| bounds_by_index(&mut n, &mut y, 0));
    assert_eq!(error.broken, Broken::Bounds);
    assert_eq!(error.source, "for k in 0..n[0]");
}

#[reversible]
fn let_by_index(x: &mut [f64], y: &mut f64, i: usize, j: usize) {
    let first = x[i];
    x[j] += 1.0;
    *y += first;
}

/// After its last use, nobody asks.
#[reversible]
fn ended_let(x: &mut [f64], y: &mut f64, i: usize, j: usize) {
    let first = x[i];
    *y += first;
    x[j] += 1.0;
}

#[test]
fn let_that_may_have_changed() {
    let (mut x, mut y) = ([1.0, 2.0], 0.0);
    let_by_index(&mut x, &mut y, 0, 1);
    let_by_index::inverse(&mut x, &mut y, 0, 1);
    assert_eq!((x, y), ([1.0, 2.0], 0.0));
    let error = failure(|| let_by_index(&mut [1.0, 2.0], &mut 0.0, 1, 1));
    assert_eq!(error.broken, Broken::Binding);
    assert_eq!((error.expected.as_str(), error.found.as_str()), ("2.0", "3.0"));
    ended_let(&mut x, &mut y, 1, 1);
    assert_eq!((x, y), ([1.0, 3.0], 2.0));
    ended_let::inverse(&mut x, &mut y, 1, 1);
    assert_eq!((x, y), ([1.0, 2.0], 0.0));
}

#[reversible]
fn indices(x: &mut [f64], m: &mut [[f64; 2]; 2], i: usize, j: usize) {
    x[i] += 2.0 * x[j];
    m[i][j] += m[j][i];
}

#[reversible]
fn elements(x: &mut [f64], i: usize, j: usize) {
    swap(&mut x[i], &mut x[j]);
}

#[reversible]
fn value_argument(y: &mut f64, by: f64) {
    *y += by;
}

#[reversible]
fn element_and_value(x: &mut [f64], i: usize, j: usize) {
    value_argument(&mut x[i], x[j] * 2.0);
}

#[reversible]
fn reference_argument(y: &mut f64, by: &f64) {
    *y += *by;
}

#[reversible]
fn element_and_reference(x: &mut [f64], i: usize, j: usize) {
    reference_argument(&mut x[i], &(x[j] * 2.0));
}

#[test]
fn equal_indices() {
    let mut m = [[1.0; 2]; 2];
    indices(&mut [1.0, 2.0], &mut m, 0, 1);
    let error = failure(|| indices(&mut [1.0, 2.0], &mut m, 1, 1));
    assert_eq!(error.broken, Broken::Indices);
    assert_eq!(error.source, "x[i] += 2.0 * x[j];");
    let mut x = [1.0, 2.0, 3.0];
    elements(&mut x, 0, 2);
    assert_eq!(x, [3.0, 2.0, 1.0]);
    let error = failure(|| elements(&mut x, 2, 2));
    assert_eq!((error.broken, error.source), (Broken::Indices, "swap(&mut x[i], &mut x[j]);"));
    element_and_value(&mut x, 0, 1);
    assert_eq!(x, [7.0, 2.0, 1.0]);
    assert_eq!(failure(|| element_and_value(&mut x, 1, 1)).broken, Broken::Indices);
    element_and_reference(&mut x, 1, 2);
    assert_eq!(x, [7.0, 4.0, 1.0]);
    assert_eq!(failure(|| element_and_reference(&mut x, 1, 1)).broken, Broken::Indices);
}

#[reversible]
fn zipped(ys: &mut [f64], xs: &[f64]) {
    for (y, x) in ys.iter_mut().zip(xs) {
        *y += *x;
    }
}

#[test]
fn lengths() {
    let error = failure(|| zipped(&mut [0.0; 3], &[0.0; 4]));
    assert_eq!(error.broken, Broken::Lengths);
    assert!(error.to_string().contains('3') && error.to_string().contains('4'), "{error}");
    assert_eq!(failure(|| zipped::inverse(&mut [0.0; 3], &[0.0; 4])).broken, Broken::Lengths);
}

#[reversible]
fn neighbours(ys: &mut [f64], xs: &[f64], start: usize, end: usize) {
    for i in start..end {
        ys[i] += 2.0 * xs[i + 1];
    }
}

/// What a panic says that is not one of our own.
fn message(run: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("it must panic");
    *payload.downcast::<String>().expect("a message with values")
}

#[test]
fn indices_out_of_bounds() {
    let mut ys = [0.0; 20];
    let said = message(|| neighbours(&mut ys, &[1.0; 20], 3, 20));
    assert_eq!(said, "index out of bounds: the len is 20 but the index is 20, in `xs[i + 1]`");
    let said = message(|| neighbours::inverse(&mut ys[..4], &[1.0; 20], 3, 12));
    assert_eq!(said, "index out of bounds: the len is 4 but the index is 4, in `ys[i]`");
    let said = message(|| neighbours(&mut ys, &[1.0; 20], 30, 40));
    assert_eq!(said, "index out of bounds: the len is 20 but the index is 30, in `ys[i]`");
    let said =
        message(|| neighbours::adjoint(&mut ys, &mut [0.0; 20], &[1.0; 9], &mut [0.0; 9], 3, 10));
    assert!(said.starts_with("index out of bounds: the len is 9 but the index is 9"), "{said}");
    // Before the first pass.
    assert_eq!(ys, [0.0; 20]);
    // Without a pass, nothing is out of bounds.
    neighbours(&mut ys, &[], 30, 30);
    neighbours::inverse(&mut ys, &[], 30, 20);
    neighbours::adjoint(&mut ys, &mut [0.0; 20], &[], &mut [], 30, 0);
}

/// The adjoint runs the same program backwards, so it makes the same checks.
#[test]
fn adjoints_check_too() {
    let error = failure(|| dirty_ancilla::adjoint(&mut 0.0, &mut 1.0, &2.0, &mut 0.0));
    assert_eq!((error.broken, error.source), (Broken::Ancilla, "let mut dirty = 0.25;"));
    let run = || let_by_index::adjoint(&mut [1.0; 2], &mut [0.0; 2], &mut 0.0, &mut 1.0, 1, 1);
    assert_eq!(failure(run).broken, Broken::Binding);
    let error = failure(|| elements::adjoint(&mut [1.0; 3], &mut [0.0; 3], 2, 2));
    assert_eq!((error.broken, error.source), (Broken::Indices, "swap(&mut x[i], &mut x[j]);"));
    let error = failure(|| {
        indices::adjoint(&mut [1.0; 2], &mut [0.0; 2], &mut [[1.0; 2]; 2], &mut [[0.0; 2]; 2], 1, 1)
    });
    assert_eq!((error.broken, error.source), (Broken::Indices, "m[i][j] += m[j][i];"));
    let run = || elements::inverse_adjoint(&mut [1.0; 3], &mut [0.0; 3], 1, 1);
    assert_eq!(failure(run).broken, Broken::Indices);
    let run = || zipped::adjoint(&mut [0.0; 3], &mut [0.0; 3], &[0.0; 4], &mut [0.0; 4]);
    assert_eq!(failure(run).broken, Broken::Lengths);
}

/// A shadow has the shape of its value.
#[test]
fn shadows_of_another_length() {
    let run = || zipped::adjoint(&mut [0.0; 3], &mut [0.0; 2], &[0.0; 3], &mut [0.0; 3]);
    assert_eq!(failure(run).broken, Broken::Lengths);
    let run = || zipped::adjoint(&mut [0.0; 3], &mut [0.0; 3], &[0.0; 3], &mut [0.0; 5]);
    assert_eq!(failure(run).broken, Broken::Lengths);
}

#[test]
fn gradients_where_indices_differ() {
    assert_gradient!(let_by_index(&mut [1.0, 2.0], &mut 0.5, 0, 1));
    assert_gradient!(indices(&mut [1.0, 2.0], &mut [[1.0, 2.0], [3.0, 4.0]], 0, 1));
    assert_gradient!(elements(&mut [1.0, 2.0, 3.0], 0, 2));
    assert_gradient!(element_and_value(&mut [1.0, 2.0, 3.0], 0, 2));
    assert_gradient!(element_and_reference(&mut [1.0, 2.0, 3.0], 2, 0));
    assert_gradient!(computed_by_index(&mut [1.0, 2.0], &mut 0.5, 0, 1));
    assert_gradient!(zipped(&mut [1.0, 2.0], &[3.0, 4.0]));
}

#[reversible]
fn computed_by_index(x: &mut [f64], y: &mut f64, i: usize, j: usize) {
    #[compute]
    {
        let mut n = 0.0;
        n += x[i];
    }
    *y += n;
    x[j] += n;
}

#[test]
fn compute_that_may_have_changed() {
    let (mut x, mut y) = ([1.0, 2.0], 0.0);
    computed_by_index(&mut x, &mut y, 0, 1);
    assert_eq!((x, y), ([1.0, 3.0], 1.0));
    computed_by_index::inverse(&mut x, &mut y, 0, 1);
    assert_eq!((x, y), ([1.0, 2.0], 0.0));
    assert_eq!(failure(|| computed_by_index(&mut x, &mut y, 1, 1)).broken, Broken::Ancilla);
}

/// An ancilla that takes in `big`, and gives it back in two parts with a residue.
#[reversible]
fn residue<T: Real>(y: &mut T, big: &T, third: &T, rest: &T) {
    let mut a = T::zero();
    a += *big;
    *y += a;
    a -= *big - *third;
    a -= *third - *rest;
}

#[test]
fn tolerance_follows_the_type_and_the_scale() {
    // Round-off of a large value is let through, the same residue of a small one is not.
    residue(&mut 0.0, &1e10, &(1e10 / 3.0), &0.0);
    residue(&mut 0.0, &1e10, &0.1, &1e-6);
    failure(|| residue(&mut 0.0, &1.0, &0.1, &1e-6));
    residue(&mut 0.0, &1e-12, &1e-13, &0.0);
    failure(|| residue(&mut 0.0, &1e-12, &1e-13, &1e-18));
    residue(&mut 0.0_f32, &1.0, &0.1, &1e-6);
    failure(|| residue(&mut 0.0_f32, &1.0, &0.1, &1e-4));
    failure(|| residue(&mut 0.0_f32, &1.0, &0.1, &1e-2));
    let fixed = Fixed43::from_f64;
    residue(&mut fixed(0.0), &fixed(1.0), &fixed(0.1), &fixed(0.0));
    failure(|| residue(&mut fixed(0.0), &fixed(1.0), &fixed(0.1), &Fixed43::from_bits(1)));
}

#[reversible]
fn containers(stack: &mut Stack<i64>, map: &mut Map<u8, i64>, x: &mut i64) {
    stack.pop(x);
    map.insert(1, x);
}

#[test]
fn containers_refuse_what_they_could_not_undo() {
    let mut x = 0;
    let error = failure(|| containers(&mut Stack::new(), &mut Map::new(), &mut x));
    assert_eq!(error.broken, Broken::Container);
    let mut stack: Stack<i64> = [4].into_iter().collect();
    let mut map: Map<u8, i64> = [(1, 5)].into_iter().collect();
    assert_eq!(failure(|| containers(&mut stack, &mut map, &mut x)).broken, Broken::Container);
    x = 3;
    let mut stack: Stack<i64> = [4].into_iter().collect();
    let error = failure(|| containers(&mut stack, &mut Map::new(), &mut x));
    assert_eq!(error.broken, Broken::Container);
    assert!(error.found.contains('3'), "{error}");
}

#[reversible]
#[unchecked]
fn careless(x: &mut [i64], y: &mut i64, i: usize, j: usize) {
    let mut dirty = 0;
    dirty += 1;
    x[i] += x[j];
    if (*y > 0, *y < 0) {
        *y += 1;
    }
    for (a, b) in x.iter_mut().zip([1, 2, 3, 4].iter()) {
        *a += *b;
    }
}

#[test]
fn unchecked_drops_the_checks_but_not_memory_safety() {
    let (mut x, mut y) = ([1, 2], 1);
    careless(&mut x, &mut y, 0, 0);
    assert_eq!((x, y), ([3, 4], 2));
    let outside = catch_unwind(AssertUnwindSafe(|| careless(&mut x, &mut y, 5, 0)));
    assert!(outside.unwrap_err().downcast_ref::<InvertibilityError>().is_none());
}

/// Rust's `zip` leaves out what the longer side has more, also of a long sum.
#[reversible]
#[unchecked]
fn shortest(y: &mut f64, a: &[f64], b: &[f64]) {
    for (a, b) in a.iter().zip(b) {
        *y += *a * *b;
    }
}

#[test]
fn unchecked_sums_end_with_the_shorter_side() {
    let a: Vec<f64> = (0..52).map(f64::from).collect();
    for n in 33..52 {
        let b = vec![1.0; n];
        let (mut y, mut z) = (0.0, 0.0);
        shortest(&mut y, &a, &b);
        shortest(&mut z, &b, &a);
        assert_eq!((y, z), ((n * (n - 1) / 2) as f64, y), "{n}");
        shortest::inverse(&mut y, &a, &b);
        assert_eq!(y, 0.0, "{n}");
    }
}
