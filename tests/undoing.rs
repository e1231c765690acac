//! Undoing in floats: decisions come back as they were taken, and digits that are lost on
//! the way back are found.

// What users write.
#![allow(clippy::modulo_one, clippy::needless_range_loop, clippy::ptr_arg, clippy::useless_vec)]

use retrograde::error::Broken;
use retrograde::num::Dual;
use retrograde::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[path = "undoing/calls.rs"]
mod calls;
#[path = "undoing/cuts.rs"]
mod cuts;
#[path = "undoing/digits.rs"]
mod digits;
#[path = "undoing/hidden.rs"]
mod hidden;
#[path = "undoing/inner_loops.rs"]
mod inner_loops;
#[path = "undoing/later.rs"]
mod later;
#[path = "undoing/leaning.rs"]
mod leaning;
#[path = "undoing/ordinary.rs"]
mod ordinary;
#[path = "undoing/passed.rs"]
mod passed;
#[path = "undoing/predicates.rs"]
mod predicates;
#[path = "undoing/pure.rs"]
mod pure;
#[path = "undoing/rounded.rs"]
mod rounded;
#[path = "undoing/scales.rs"]
mod scales;
#[path = "undoing/untouched.rs"]
mod untouched;

/// Numbers between −1 and 1 whose sums come close to zero again and again.
fn numbers(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    // Tenths, so that sums are often zero but for rounding.
    (0..count).map(|_| (next() % 21) as f64 / 10.0 - 1.0).collect()
}

/// What was broken.
fn broken<R>(run: impl FnOnce() -> R) -> Broken {
    let payload = catch_unwind(AssertUnwindSafe(|| {
        run();
    }))
    .expect_err("a wrong number in silence");
    payload.downcast::<InvertibilityError>().expect("a check").broken
}

/// The gradient of a function of many numbers, by dual numbers.
fn by_duals(x: &[f64], f: impl Fn(&[Dual<f64, 1>]) -> Dual<f64, 1>) -> Vec<f64> {
    let mut point: Vec<Dual<f64, 1>> = x.iter().map(|x| Dual::constant(*x)).collect();
    (0..x.len())
        .map(|i| {
            point[i] = Dual::variable(x[i], 0);
            let value = f(&point);
            point[i] = Dual::constant(x[i]);
            value.tangents[0]
        })
        .collect()
}

fn agree(ours: &[f64], known: &[f64], of: &str) {
    for (i, (a, b)) in ours.iter().zip(known).enumerate() {
        assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{of}[{i}]: {a} instead of {b}");
    }
}

/// Each in all the ways in which a decision is taken, generic so that dual numbers can judge.
macro_rules! decisions {
    ($($name:ident |$y:ident, $x:ident| $body:tt)+) => {$(
        mod $name {
            use super::*;

            #[reversible]
            fn loss<T: Real>($y: &mut T, $x: &[T]) $body

            /// The same without a type parameter, as most people write it.
            #[reversible]
            fn plain($y: &mut f64, $x: &[f64]) $body

            #[test]
            fn is_right() {
                for seed in 0..40 {
                    for n in [0, 1, 7, 100] {
                        let x = numbers(seed, n);
                        let known = by_duals(&x, |x| {
                            let mut y = Dual::constant(0.0);
                            loss(&mut y, x);
                            y
                        });
                        agree(&loss::gradient(&x).d_x, &known, "generic");
                        agree(&plain::gradient(&x).d_x, &known, "plain");
                        let (mut y, mut d_y, mut d_x) = (0.0, 1.0, vec![0.0; n]);
                        plain(&mut y, &x);
                        plain::adjoint(&mut y, &mut d_y, &x, &mut d_x);
                        agree(&d_x, &known, "adjoint");
                        assert!(y.abs() < 1e-9);
                        plain::inverse_adjoint(&mut y, &mut d_y, &x, &mut d_x);
                        assert!(d_x.iter().all(|d| d.abs() < 1e-9));
                    }
                }
            }
        }
    )+};
}

decisions! {
    a_branch_on_a_running_sum |y, x| {
        let mut s = 0.0;
        let mut h = 0.0;
        #[compute]
        {
            for k in 0..x.len() {
                if s > 0.0 {
                    h += x[k] * x[k];
                }
                s += x[k];
            }
        }
        *y += h;
    }

    branches_in_a_chain |y, x| {
        let mut s = 0.0;
        let mut h = 0.0;
        #[compute]
        {
            for k in 0..x.len() {
                if s > 0.3 {
                    h += x[k] * x[k];
                } else if s > 0.0 {
                    h -= x[k] * x[k] * x[k];
                } else {
                    h += x[k];
                }
                s += x[k];
            }
        }
        *y += h * h;
    }

    a_branch_in_an_expression |y, x| {
        let mut s = 0.0;
        let mut h = 0.0;
        #[compute]
        {
            for k in 0..x.len() {
                h += if s >= 0.0 { x[k] * x[k] } else { x[k] };
                s += x[k];
            }
        }
        *y += h;
    }

    a_name_for_the_decision |y, x| {
        let mut s = 0.0;
        let mut h = 0.0;
        #[compute]
        {
            for k in 0..x.len() {
                {
                    let twice = s * 2.0;
                    let up = twice > 0.0;
                    if up {
                        h += x[k] * x[k];
                    }
                }
                s += x[k];
            }
        }
        *y += h;
    }

    what_is_computed_inside_of_what_is_computed |y, x| {
        let mut s = 0.0;
        let mut h = 0.0;
        #[compute]
        {
            for k in 0..x.len() {
                {
                    let mut t = 0.0;
                    #[compute]
                    {
                        for _ in 0..3 {
                            if s > 0.0 {
                                t += x[k] * x[k];
                            } else {
                                t -= x[k];
                            }
                            if (t > 1.0, t > 2.0) {
                                t += 1.0 + x[k] * x[k];
                            }
                        }
                    }
                    h += t * t;
                }
                s += x[k];
            }
        }
        *y += h;
    }
}

/// A decision that is undone only because what it decided is compared.
mod compared {
    use super::*;

    #[reversible]
    fn idle(y: &mut f64, x: &f64) {
        #[compute]
        {
            let mut s = 0.0;
            let mut t = 0.0;
            s += if t > 0.5 { *x } else { t };
            for _ in 0..2 {
                let mut next = 0.1 * s + 1.0;
                swap(&mut s, &mut next);
                unlet!(next = (s - 1.0) * 10.0);
            }
            t -= 1.0;
        }
        *y += *x;
    }

    #[test]
    fn is_right() {
        let mut y = 0.0;
        idle(&mut y, &2.0);
        idle::inverse(&mut y, &2.0);
        assert_eq!(y, 0.0);
        assert_eq!(idle::gradient(&2.0).d_x, 1.0);
    }
}

/// Rounding, and casts to integers.
mod values {
    use super::*;

    #[reversible]
    fn rounded(y: &mut f64, x: &[f64]) {
        let mut s = 0.0_f64;
        let mut h = 0.0;
        #[compute]
        {
            for k in 0..x.len() {
                h += s.floor() * x[k] * x[k];
                s += x[k];
            }
        }
        *y += h;
    }

    /// What was rounded is a number still.
    #[reversible]
    fn compared(y: &mut f64, x: &f64) {
        #[compute]
        {
            let mut s = 0.0_f64;
            let mut h = 0.0;
            for _ in 0..3 {
                h += s.floor().max(s) * *x;
                s += *x;
            }
        }
        *y += h;
    }

    fn rounded_by_hand(x: &[f64]) -> Vec<f64> {
        let mut s = 0.0;
        let mut d = Vec::new();
        for x in x {
            d.push(2.0 * f64::floor(s) * x);
            s += x;
        }
        d
    }

    #[reversible]
    fn looked_up(y: &mut f64, x: &[f64], table: &[f64]) {
        let mut phase = 5.0;
        let mut h = 0.0;
        #[compute]
        {
            for k in 0..x.len() {
                h += table[phase as usize] * x[k];
                phase += 0.1 * x[k];
            }
        }
        *y += h * h;
    }

    #[reversible]
    fn by_index(y: &mut f64, x: &[f64], table: &[f64]) {
        let mut phase = 5.0;
        let mut h = 0.0;
        #[compute]
        {
            for k in 0..x.len() {
                {
                    let at = phase as usize;
                    h += table[at] * x[k];
                }
                phase += 0.1 * x[k];
            }
        }
        *y += h * h;
    }

    #[reversible]
    fn clock(y: &mut f64, x: &f64) {
        let mut t = 0.0;
        let mut h = 0.0;
        #[compute]
        {
            while (t < 1.0, t > 0.0) {
                if t >= 0.5 {
                    h += *x * *x;
                }
                t += 0.1;
            }
        }
        *y += h;
    }

    #[test]
    fn are_right() {
        for seed in 0..40 {
            let x = numbers(seed, 100);
            agree(&rounded::gradient(&x).d_x, &rounded_by_hand(&x), "rounded");
            let table: Vec<f64> = (0..20).map(|i| f64::from(i) * 0.3 - 1.0).collect();
            let (mut phase, mut h, mut at) = (5.0, 0.0, Vec::new());
            for x in &x {
                at.push(phase as usize);
                h += table[phase as usize] * x;
                phase += 0.1 * x;
            }
            let known: Vec<f64> = at.iter().map(|at| 2.0 * h * table[*at]).collect();
            let ours = looked_up::gradient(&x, &table);
            agree(&ours.d_x, &known, "looked up");
            let named = by_index::gradient(&x, &table);
            agree(&named.d_x, &known, "by index");
            agree(&named.d_table, &ours.d_table, "table");
        }
        assert_eq!(compared::gradient(&0.7).d_x, 6.0 * 0.7);
        // Eleven passes, as rounding has it, of which five come late.
        let by_hand = {
            let (mut t, mut late) = (0.0, 0.0);
            while t < 1.0 {
                late += f64::from(u8::from(t >= 0.5));
                t += 0.1;
            }
            2.0 * late * 3.0
        };
        assert_eq!(clock::gradient(&3.0).d_x, by_hand);
    }
}

/// Digits that are lost.
mod drift {
    use super::*;

    /// `z ↦ z / 10 + 1`, again and again: going back, errors grow tenfold in each step.
    #[reversible]
    fn contracting(y: &mut f64, x: &f64, steps: usize) {
        let mut z = *x;
        #[compute]
        {
            for _ in 0..steps {
                let mut next = 0.1 * z + 1.0;
                swap(&mut z, &mut next);
                next -= (z - 1.0) / 0.1;
                unlet!(next = 0.0);
            }
        }
        *y += z * z;
    }

    /// The same, where derivatives look at the values on their way back.
    #[reversible]
    fn squaring(y: &mut f64, x: &f64, steps: usize) {
        let mut z = *x;
        let mut sum = 0.0;
        #[compute]
        {
            for _ in 0..steps {
                sum += z * z;
                let mut next = 0.1 * z + 1.0;
                swap(&mut z, &mut next);
                next -= (z - 1.0) / 0.1;
                unlet!(next = 0.0);
            }
        }
        *y += sum;
    }

    #[test]
    fn is_found() {
        let right = squaring::gradient(&3.0, 4);
        let known: f64 = {
            let (mut z, mut slope, mut sum) = (3.0, 1.0, 0.0);
            for _ in 0..4 {
                sum += 2.0 * z * slope;
                (z, slope) = (0.1 * z + 1.0, 0.1 * slope);
            }
            sum
        };
        assert!((right.d_x - known).abs() < 1e-9);
        for steps in [20, 40] {
            broken(|| squaring::gradient(&3.0, steps));
            broken(|| contracting::gradient(&3.0, steps));
        }
        let broken = broken(|| squaring::gradient(&3.0, 12));
        assert!(matches!(broken, Broken::Digits | Broken::Ancilla), "{broken:?}");
    }
}

/// What only a check knows to be undone.
mod tolerance {
    use super::*;

    #[reversible]
    fn forgets_in_singles(y: &mut f32, x: &f32) {
        let mut a = 1000.0;
        a += *x;
        *y += (a - 1000.0).powi(2);
    }

    #[reversible]
    fn forgets(y: &mut f64, x: &f64) {
        let mut a = 1e9;
        a += *x;
        *y += (a - 1e9).powi(2);
    }

    #[reversible]
    fn exchanged(x: &mut f64) {
        let mut a = 0.0;
        a += 1e10;
        swap(&mut a, x);
        *x -= 1e10;
    }

    #[reversible]
    fn moved(y: &mut f64, x: &mut [f64], i: usize, j: usize) {
        let n = x[i] * 2.0;
        x[j] += 1e-9;
        *y += n;
    }

    /// Sums of many numbers, which are taken away in another order.
    #[reversible]
    fn sums(y: &mut f64, x: &[f64]) {
        let mut a = 0.0;
        for k in 0..x.len() {
            a += x[k];
        }
        *y += a * a;
        for k in 0..x.len() {
            a -= x[k];
        }
    }

    #[test]
    fn is_tight() {
        assert_eq!(broken(|| forgets_in_singles(&mut 0.0, &0.1)), Broken::Ancilla);
        assert_eq!(broken(|| forgets(&mut 0.0, &1.0)), Broken::Ancilla);
        assert_eq!(broken(|| exchanged(&mut 3.0)), Broken::Ancilla);
        assert_eq!(broken(|| moved(&mut 0.0, &mut [1.0, 2.0], 1, 1)), Broken::Binding);
        moved(&mut 0.0, &mut [1.0, 2.0], 0, 1);
        for seed in 0..20 {
            sums(&mut 0.0, &numbers(seed, 1000));
        }
    }
}

/// Decisions of a whole function, whose way back is another call or a part of the same.
mod functions {
    use super::*;

    #[reversible]
    fn walk(y: &mut f64, s: &mut f64, x: &[f64]) {
        for k in 0..x.len() {
            if *s > 0.0 {
                *y += x[k] * x[k];
            }
            *s += x[k];
        }
    }

    fn by_hand(mut s: f64, x: &[f64]) -> Vec<f64> {
        let mut d = Vec::new();
        for x in x {
            d.push(if s > 0.0 { 2.0 * x } else { 0.0 });
            s += x;
        }
        d
    }

    #[test]
    fn are_right_in_one_call() {
        for seed in 0..40 {
            let x = numbers(seed, 100);
            let mut s = 0.0;
            let gradient = walk::gradient(&mut s, &x);
            agree(&gradient.d_x, &by_hand(0.0, &x), "walk");
            assert_eq!(s, 0.0, "what was lent is as it was");
        }
    }
}

/// Arguments that a gradient takes there and back.
mod lent {
    use super::*;

    #[reversible]
    fn contracting(y: &mut f64, z: &mut f64, steps: usize) {
        for _ in 0..steps {
            *y += *z * *z;
            let mut next = 0.1 * *z + 1.0;
            swap(z, &mut next);
            next -= (*z - 1.0) / 0.1;
            unlet!(next = 0.0);
        }
    }

    #[reversible]
    fn sums(y: &mut f64, state: &mut [f64], x: &[f64]) {
        for k in 0..x.len() {
            for i in 0..state.len() {
                state[i] += x[k] * 0.1;
            }
            *y += state[0] * x[k];
        }
    }

    #[test]
    fn come_back_or_it_is_said() {
        let mut z = 3.0;
        contracting::gradient(&mut z, 3);
        assert_eq!(z, 3.0);
        broken(|| contracting::gradient(&mut 3.0, 20));
        let mut state = [0.1, 0.7];
        sums::gradient(&mut state, &numbers(3, 50));
        assert_eq!(state, [0.1, 0.7]);
    }
}

/// Nobody takes the score away again; where all weights are zero, it is zero nevertheless.
#[reversible]
fn never_taken_away(y: &mut f64, w: &[f64], #[constant] data: &[f64]) {
    let mut score = 0.0;
    for i in 0..w.len() {
        score += w[i] * data[i];
    }
    *y += (1.0 + (-score).exp()).ln();
}

#[test]
fn what_is_zero_by_chance_has_the_right_gradient() {
    let at_zero = never_taken_away::gradient(&[0.0, 0.0], &[0.5, 2.0]);
    assert_eq!(at_zero.d_w, [-0.25, -1.0]);
    let elsewhere = broken(|| never_taken_away::gradient(&[0.1, 0.2], &[0.5, 2.0]));
    assert_eq!(elsewhere, Broken::Ancilla);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Halving {
    a: f64,
}

impl Halving {
    #[allow(clippy::should_implement_trait)]
    fn clone(&self) -> Halving {
        Halving { a: 0.5 * self.a }
    }
}

#[reversible]
fn of_a_clone(y: &mut f64, p: &Halving) {
    let q = p.clone();
    *y += q.a;
}

#[test]
#[should_panic(expected = "what `clone` gave is no copy: 0.5 instead of 1.0 (`.a`)")]
fn a_clone_that_is_no_copy_is_found() {
    of_a_clone::gradient(&Halving { a: 1.0 });
}
