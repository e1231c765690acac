//! Decisions in functions that say nothing of them: ordinary ones, methods, and those whose rules
//! are written by hand; and decisions on what is made of a float only for the call.

use super::*;
use std::fmt::Debug;

/// What is found is what is expected, or a decision is too close.
fn right_or_stops<R: PartialEq + Debug>(of: &str, expected: R, run: impl FnOnce() -> R) {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(found) => assert_eq!(found, expected, "{of}"),
        Err(payload) => {
            let error = payload.downcast::<InvertibilityError>().expect("a check");
            assert_eq!(error.broken, Broken::Decision, "{of}");
        }
    }
}

/// How often a clock that counts by tenths is past a limit.
fn past(limit: f64, start: f64, n: usize) -> f64 {
    let mut t = start;
    let mut count = 0.0;
    for _ in 0..n {
        count += f64::from(t >= limit);
        t += 0.1;
    }
    count
}

fn tenth(t: f64) -> i64 {
    (10.0 * t) as i64
}

#[reversible]
fn counted(y: &mut i64, k: &mut i64, n: usize) {
    #[compute]
    {
        let mut t = 0.0;
        for _ in 0..n {
            *k += tenth(t);
            t += 0.1;
        }
    }
    *y += *k;
}

#[reversible]
fn counted_later(k: &mut i64, t: &mut f64, n: usize) {
    for _ in 0..n {
        *k += tenth(*t);
        *t += 0.1;
    }
}

#[reversible]
fn flagged(flag: &mut bool, t: &mut f64, n: usize) {
    for _ in 0..n {
        *flag ^= tenth(*t) > 4;
        *t += 0.1;
    }
}

#[test]
fn integers_of_ordinary_functions() {
    for n in 1..60 {
        right_or_stops("counted", 5, || {
            let (mut y, mut k) = (0, 5);
            counted(&mut y, &mut k, n);
            k
        });
        right_or_stops("counted_later", 0, || {
            let (mut k, mut t) = (0, 0.0);
            counted_later(&mut k, &mut t, n);
            counted_later::inverse(&mut k, &mut t, n);
            k
        });
        right_or_stops("flagged", true, || {
            let (mut flag, mut t) = (true, 0.0);
            flagged(&mut flag, &mut t, n);
            flagged::inverse(&mut flag, &mut t, n);
            flag
        });
    }
    // In one call, it is right.
    let (mut y, mut k) = (0, 0);
    counted(&mut y, &mut k, 20);
    assert_eq!(k, 0);
}

fn rate(t: f64) -> f64 {
    if t >= 0.3 { 2.0 } else { 1.0 }
}

#[reversible(inverse_only)]
fn rated(y: &mut f64, t: &mut f64, n: usize) {
    for _ in 0..n {
        *y += rate(*t);
        *t += 0.1;
    }
}

#[reversible(inverse_only)]
fn rated_in_place(y: &mut f64, p: &mut f64, n: usize) {
    #[compute]
    {
        let mut t = 0.0;
        for _ in 0..n {
            *p += rate(t);
            t += 0.1;
        }
    }
    *y += *p;
}

#[reversible]
fn by_a_constant_clock(y: &mut f64, x: &f64, n: usize) {
    #[compute]
    {
        #[constant]
        let mut t = 0.0;
        let mut s = 0.0;
        for _ in 0..n {
            s += rate(t) * *x;
            t += 0.1;
        }
    }
    *y += s;
}

#[test]
fn numbers_of_ordinary_functions() {
    for n in 1..60 {
        right_or_stops("rated", 0.0, || {
            let (mut y, mut t) = (0.0, 0.0);
            rated(&mut y, &mut t, n);
            rated::inverse(&mut y, &mut t, n);
            y
        });
        right_or_stops("rated_in_place", 5.0, || {
            let (mut y, mut p) = (0.0, 5.0);
            rated_in_place(&mut y, &mut p, n);
            p
        });
        let expected = n as f64 + past(0.3, 0.0, n);
        right_or_stops("by_a_constant_clock", expected, || {
            by_a_constant_clock::gradient(&1.0, n).d_x
        });
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Clock {
    t: f64,
}

impl Clock {
    #[differentiable]
    fn rate(&self) -> f64 {
        if self.t >= 1.3 { 2.0 } else { 1.0 }
    }
}

#[reversible]
fn by_a_method(y: &mut f64, x: &f64, c: &mut Clock, n: usize) {
    #[compute]
    {
        let mut s = 0.0;
        for _ in 0..n {
            s += *x * c.rate();
            c.t += 0.1;
        }
    }
    *y += s;
}

#[reversible]
fn by_a_method_later(y: &mut f64, c: &mut Clock, n: usize) {
    for _ in 0..n {
        *y += c.rate();
        c.t += 0.1;
    }
}

#[test]
fn methods() {
    for start in [0.5, 0.6, 0.7, 1.2] {
        let expected = 20.0 + past(1.3, start, 20);
        right_or_stops("by_a_method", expected, || {
            by_a_method::gradient(&1.0, &mut Clock { t: start }, 20).d_x
        });
        right_or_stops("by_a_method_later", 0.0, || {
            let (mut y, mut clock) = (0.0, Clock { t: start });
            by_a_method_later(&mut y, &mut clock, 20);
            by_a_method_later::inverse(&mut y, &mut clock, 20);
            y
        });
    }
}

#[differentiable(derivative = flat)]
fn step(t: f64) -> f64 {
    if t >= 0.3 { 2.0 } else { 1.0 }
}

fn flat(_t: f64) -> f64 {
    0.0
}

#[differentiable(pullback = nothing)]
fn looked_up(t: &f64, table: &[f64]) -> f64 {
    table[(*t * 10.0) as usize % table.len()]
}

fn nothing(g: &f64, t: &f64, _d_t: &mut f64, table: &[f64], d_table: &mut [f64]) {
    d_table[(*t * 10.0) as usize % table.len()] += g;
}

#[reversible]
fn by_a_rule(y: &mut f64, x: &f64, n: usize) {
    #[compute]
    {
        let mut t = 0.0;
        let mut s = 0.0;
        for _ in 0..n {
            s += step(t) * *x;
            t += 0.1;
        }
    }
    *y += s;
}

#[reversible]
fn by_a_table(y: &mut f64, table: &[f64], n: usize) {
    #[compute]
    {
        let mut t = 0.0;
        let mut s = 0.0;
        for _ in 0..n {
            s += looked_up(&t, table);
            t += 0.1;
        }
    }
    *y += s;
}

#[test]
fn rules_by_hand() {
    for n in 1..60 {
        let expected = n as f64 + past(0.3, 0.0, n);
        right_or_stops("by_a_rule", expected, || by_a_rule::gradient(&1.0, n).d_x);
        let table = [0.3, 0.7, 0.2, 0.9, 0.5, 0.1, 0.6];
        let mut expected = vec![0.0; 7];
        let mut t = 0.0;
        for _ in 0..n {
            expected[(t * 10.0) as usize % 7] += 1.0;
            t += 0.1;
        }
        right_or_stops("by_a_table", expected, || by_a_table::gradient(&table, n).d_table);
    }
}

#[reversible]
fn late(m: &mut f64, t: &f64) {
    if *t >= 0.3 {
        *m += 1.0;
    }
}

#[reversible]
fn computed_inside(y: &mut f64, x: &f64, n: usize) {
    #[compute]
    {
        let mut t = 0.0;
        let mut s = 0.0;
        for _ in 0..n {
            {
                #[compute]
                {
                    let mut m = 0.0;
                    late(&mut m, &t);
                }
                s += *x * m;
            }
            t += 0.1;
        }
    }
    *y += s;
}

#[reversible]
fn late_by(y: &mut f64, x: &f64, t: f64) {
    if t >= 3.0 {
        *y += *x;
    }
}

#[reversible]
fn by_tens(y: &mut f64, t: &mut f64, x: &f64, n: usize) {
    for _ in 0..n {
        late_by(y, x, 10.0 * *t);
        *t += 0.1;
    }
}

#[reversible]
fn by_a_name(y: &mut f64, t: &mut f64, x: &f64, n: usize) {
    for _ in 0..n {
        {
            let tens = 10.0 * *t;
            late_by(y, x, tens);
        }
        *t += 0.1;
    }
}

#[test]
fn what_is_made_for_a_call() {
    for n in 1..60 {
        let expected = past(0.3, 0.0, n);
        right_or_stops("computed_inside", expected, || computed_inside::gradient(&1.0, n).d_x);
        let mut t = 0.0;
        let mut expected = 0.0;
        for _ in 0..n {
            expected += f64::from(10.0 * t >= 3.0);
            t += 0.1;
        }
        right_or_stops("by_tens", (expected, 0.0), || {
            let (mut y, mut t, mut d_t, mut d_x) = (0.0, 0.0, 0.0, 0.0);
            by_tens(&mut y, &mut t, &1.0, n);
            by_tens::adjoint(&mut y, &mut 1.0, &mut t, &mut d_t, &1.0, &mut d_x, n);
            (d_x, y)
        });
        right_or_stops("by_a_name", (expected, 0.0), || {
            let (mut y, mut t, mut d_t, mut d_x) = (0.0, 0.0, 0.0, 0.0);
            by_a_name(&mut y, &mut t, &1.0, n);
            by_a_name::adjoint(&mut y, &mut 1.0, &mut t, &mut d_t, &1.0, &mut d_x, n);
            (d_x, y)
        });
    }
}

fn is_late(t: f64) -> bool {
    t >= 0.3
}

fn parted(t: f64) -> (usize, bool) {
    ((10.0 * t) as usize, is_late(t))
}

#[reversible]
fn by_a_typed_let(y: &mut f64, x: &f64, n: usize) {
    #[compute]
    {
        let mut t = 0.0;
        let mut s = 0.0;
        for _ in 0..n {
            let late: bool = is_late(t);
            if late {
                s += *x;
            }
            t += 0.1;
        }
    }
    *y += s;
}

#[reversible]
fn by_parts(y: &mut f64, x: &f64, n: usize) {
    #[compute]
    {
        let mut t = 0.0;
        let mut s = 0.0;
        for _ in 0..n {
            let (tenths, late): (usize, bool) = parted(t);
            if late && tenths > 0 {
                s += *x;
            }
            t += 0.1;
        }
    }
    *y += s;
}

#[reversible]
fn by_an_ancilla(y: &mut f64, x: &f64, n: usize) {
    #[compute]
    {
        let mut t = 0.0;
        let mut s = 0.0;
        for _ in 0..n {
            let mut late: bool = is_late(t);
            if late {
                s += *x;
            }
            unlet!(late = is_late(t));
            t += 0.1;
        }
    }
    *y += s;
}

#[reversible]
fn by_a_typed_let_later(y: &mut f64, t: &mut f64, n: usize) {
    for _ in 0..n {
        let late: bool = is_late(*t);
        if late {
            *y += 1.0;
        }
        *t += 0.1;
    }
}

#[test]
fn names_with_types() {
    for n in 1..60 {
        let expected = past(0.3, 0.0, n);
        assert_eq!(by_a_typed_let::gradient(&1.0, n).d_x, expected);
        assert_eq!(by_parts::gradient(&1.0, n).d_x, expected);
        assert_eq!(by_an_ancilla::gradient(&1.0, n).d_x, expected);
        right_or_stops("by_a_typed_let_later", 0.0, || {
            let (mut y, mut t) = (0.0, 0.0);
            by_a_typed_let_later(&mut y, &mut t, n);
            by_a_typed_let_later::inverse(&mut y, &mut t, n);
            y
        });
    }
}
