//! Reversible functions as values, and calls whose effect cannot be seen.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use retrograde_tests::square;

#[reversible]
fn apply_all<F: for<'a> Reversible<(&'a mut f64, &'a f64)>>(f: &F, ys: &mut [f64]) {
    for i in 1..ys.len() {
        f(&mut ys[i], &ys[i - 1]);
    }
    !f(&mut ys[0], &2.0);
}

#[test]
fn functions_as_values() {
    let mut ys = [1.0, 2.0, 3.0];
    apply_all(&square {}, &mut ys);
    assert_eq!(ys, [-3.0, 3.0, 12.0]);
    apply_all::inverse(&square {}, &mut ys);
    assert_eq!(ys, [1.0, 2.0, 3.0]);
    assert_gradient!(apply_all(&square {}, &mut ys));
}

#[reversible]
fn inc_by(x: &mut i64) {
    *x += 3;
}

#[reversible]
fn scramble(x: &mut i64) {
    *x ^= 5;
}

type Step = Box<dyn for<'a> Reversible<(&'a mut i64,)>>;

#[reversible]
fn pipeline(steps: &[Step], x: &mut i64) {
    for step in steps {
        step(x);
    }
    let last = &steps[0];
    last(x);
    for step in steps {
        step.call((x,));
    }
}

#[test]
fn lists_of_function_values() {
    let steps: Vec<Step> = vec![Box::new(inc_by {}), Box::new(scramble {})];
    let mut x = 1;
    pipeline(&steps, &mut x);
    assert_eq!(x, ((((1 + 3) ^ 5) + 3) + 3) ^ 5);
    pipeline::inverse(&steps, &mut x);
    assert_eq!(x, 1);
}

struct Counter(std::cell::Cell<i64>);

impl Counter {
    fn bump(&self, by: i64) {
        self.0.set(self.0.get() + by);
    }
    fn bump_inverse(&self, by: i64) {
        self.0.set(self.0.get() - by);
    }
}

#[reversible]
fn bump_all(counters: &[Counter]) {
    for counter in counters {
        counter.bump(3);
    }
}

#[test]
fn calls_without_a_visible_effect_are_kept() {
    let counters = [Counter(1.into()), Counter(2.into())];
    bump_all(&counters);
    assert_eq!(counters[1].0.get(), 5);
    bump_all::inverse(&counters);
    assert_eq!(counters[1].0.get(), 2);
}

#[reversible]
fn bump_beside_an_ancilla(y: &mut i64, counters: &[Counter]) {
    let mut a = 0;
    a += 2;
    for counter in counters {
        counter.bump(3);
    }
    *y += a;
    a -= 2;
}

#[test]
fn calls_without_a_visible_effect_are_kept_beside_what_is_dropped() {
    let (mut y, counters) = (0, [Counter(1.into()), Counter(2.into())]);
    bump_beside_an_ancilla(&mut y, &counters);
    assert_eq!((y, counters[0].0.get(), counters[1].0.get()), (2, 4, 5));
    bump_beside_an_ancilla::inverse(&mut y, &counters);
    assert_eq!((y, counters[0].0.get(), counters[1].0.get()), (0, 1, 2));
}

#[reversible]
fn watched_from_pass_to_pass(n: usize, sum: &std::cell::Cell<usize>) {
    let mut passes = 0;
    for _ in 0..n {
        host! { sum.set(sum.get() + passes); }
        passes += 1;
    }
    unlet!(passes = n);
}

#[test]
fn host_code_sees_what_earlier_passes_did() {
    let sum = std::cell::Cell::new(0);
    watched_from_pass_to_pass(4, &sum);
    assert_eq!(sum.get(), 6);
    watched_from_pass_to_pass::inverse(4, &sum);
    assert_eq!(sum.get(), 12);
}

#[reversible]
#[unchecked]
fn watched_without_a_check(n: usize, sum: &std::cell::Cell<usize>) {
    let mut passes = 0;
    for _ in 0..n {
        host! { sum.set(sum.get() + passes); }
        passes += 1;
    }
    unlet!(passes = n);
}

/// Nothing else looks at the ancilla here.
#[test]
fn host_code_alone_keeps_an_ancilla() {
    let sum = std::cell::Cell::new(0);
    watched_without_a_check(4, &sum);
    assert_eq!(sum.get(), 6);
}

/// What literals are computed to has all digits of the type that it is for.
#[test]
fn quotients_of_literals_are_as_precise_as_the_type() {
    use retrograde::num::DoubleDouble;

    #[reversible]
    fn third<T: Real>(y: &mut T, x: &T) {
        let two_thirds = 2.0 / 3.0;
        *y += *x * (1.0 / 3.0) - two_thirds;
    }

    let number = DoubleDouble::from;
    let (mut y, x) = (number(0.0), number(5.0));
    third(&mut y, &x);
    assert!((y - number(1.0)).abs() < number(1e-30), "{y:?}");
    let (mut d_y, mut d_x) = (number(1.0), number(0.0));
    third::adjoint(&mut y, &mut d_y, &x, &mut d_x);
    assert!((d_x * number(3.0) - number(1.0)).abs() < number(1e-30), "{d_x:?}");
    let mut y = 0.0;
    third(&mut y, &5.0);
    assert_eq!(y, 5.0 * (1.0 / 3.0) - 2.0 / 3.0);
}
