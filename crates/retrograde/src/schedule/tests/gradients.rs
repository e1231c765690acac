//! Gradients of runs, under all schedules and in all directions.

use crate::prelude::*;
use crate::schedule::{Memory, Run, Schedule, by_hand};
use crate::testing::assert_gradient;

const SCHEDULES: [Schedule; 7] = [
    Schedule::StoreAll,
    Schedule::RecomputeAll,
    Schedule::Treeverse { checkpoints: 1 },
    Schedule::Treeverse { checkpoints: 4 },
    Schedule::Treeverse { checkpoints: 11 },
    Schedule::Bennett { blocks: 2 },
    Schedule::Bennett { blocks: 5 },
];

/// The slope of the Lorenz system.
#[differentiable]
fn slope<T: Real>(at: [T; 3], theta: [T; 3]) -> [T; 3] {
    let [x, y, z] = at;
    let [sigma, rho, beta] = theta;
    [sigma * (y - x), x * (rho - z) - y, x * y - beta * z]
}

/// `at + by · k`
#[differentiable]
fn moved<T: Real>(at: [T; 3], k: [T; 3], by: f64) -> [T; 3] {
    [at[0] + k[0].scaled(by), at[1] + k[1].scaled(by), at[2] + k[2].scaled(by)]
}

const DT: f64 = 3e-3;

/// A step of Runge and Kutta.
#[reversible]
fn lorenz<T: Real>(next: &mut [T; 3], now: &[T; 3], theta: &[T; 3], _k: usize) {
    let k1 = slope(*now, *theta);
    let k2 = slope(moved(*now, k1, DT / 2.0), *theta);
    let k3 = slope(moved(*now, k2, DT / 2.0), *theta);
    let k4 = slope(moved(*now, k3, DT), *theta);
    for i in 0..3 {
        next[i] +=
            now[i] + (k1[i] + k2[i].scaled(2.0) + k3[i].scaled(2.0) + k4[i]).scaled(DT / 6.0);
    }
}

const START: [f64; 3] = [1.0, 0.0, 0.0];
const THETA: [f64; 3] = [10.0, 27.0, 8.0 / 3.0];

/// By dual numbers: the end, and the derivatives of its first component.
fn forward_mode(steps: usize) -> ([f64; 3], [f64; 6]) {
    let variable = |values: [f64; 3], first| -> [Dual<f64, 6>; 3] {
        std::array::from_fn(|i| Dual::variable(values[i], first + i))
    };
    let (mut now, theta) = (variable(START, 0), variable(THETA, 3));
    for k in 0..steps {
        let mut next = [Dual::constant(0.0); 3];
        lorenz(&mut next, &now, &theta, k);
        now = next;
    }
    (now.map(|x| x.value), now[0].tangents)
}

#[test]
fn lorenz_under_all_schedules() {
    let steps = 1000;
    let (end, expected) = forward_mode(steps);
    for (x, known) in
        end.into_iter().zip([-8.892211630069015, -7.386195656478962, 28.517617736437703])
    {
        assert!((x - known).abs() < 1e-9, "{x} {known}");
    }
    let stored =
        Run::new(lorenz {}, steps, Schedule::StoreAll)
            .gradient(&START, &THETA, |_, d_end| d_end[0] = 1.0);
    assert_eq!(stored.end, end);
    let found = stored.d_start.into_iter().chain(stored.d_parameters);
    for (found, expected) in found.zip(expected) {
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    }
    for schedule in SCHEDULES {
        let at = Run::new(lorenz {}, steps, schedule)
            .gradient(&START, &THETA, |_, d_end| d_end[0] = 1.0);
        // The same bits.
        assert_eq!(
            (at.end, at.d_start, at.d_parameters),
            (stored.end, stored.d_start, stored.d_parameters),
            "{schedule}"
        );
    }
}

/// 10⁴ steps of a chaotic system: beside dual numbers, and beside another program, whose
/// rounding is different.
#[test]
fn a_long_run_of_lorenz() {
    let at = Run::new(lorenz {}, 10_000, Schedule::Treeverse { checkpoints: 50 }).gradient(
        &START,
        &THETA,
        |_, d_end| d_end[0] = 1.0,
    );
    let expected = [
        1807.1468707714816,
        669.36087230128,
        787697.5574499699,
        -297541.66270377295,
        176517.9204222756,
        1.301738888866972e6,
    ];
    assert_eq!(at.report.peak, 51);
    let (_, by_duals) = forward_mode(10_000);
    for ((found, dual), expected) in
        at.d_start.into_iter().chain(at.d_parameters).zip(by_duals).zip(expected)
    {
        assert!((found / dual - 1.0).abs() < 1e-10, "{found:e} {dual:e}");
        assert!((found / expected - 1.0).abs() < 1e-8, "{found:e} {expected:e}");
    }
}

/// A step that depends on the time, over slices, with parameters of another shape.
#[reversible]
fn driven(next: &mut [f64], now: &[f64], force: &(f64, Vec<f64>), k: usize) {
    let n = now.len();
    for i in 0..n {
        next[i] += (now[i] + force.0 * now[(i + 1) % n] * now[i]).sin() + force.1[k % 3] * now[0];
    }
}

#[test]
fn a_run_is_a_reversible_function() {
    let force = (0.1, vec![0.2, -0.1, 0.3]);
    let start = [0.4, -0.3, 0.8];
    for schedule in SCHEDULES {
        for steps in [0, 1, 2, 3, 7, 20] {
            let run = Run::new(driven {}, steps, schedule);
            let zeros = [0.0; 3];
            let at = run.gradient(&start[..], &force, |end, d_end| {
                assert_eq!(d_end, zeros);
                d_end.copy_from_slice(end);
            });
            let mut expected = start.to_vec();
            for k in 0..steps {
                let mut next = vec![0.0; 3];
                driven(&mut next, &expected, &force, k);
                expected = next;
            }
            assert_eq!(at.end, expected);

            // Forth, and back with the gradient.
            let mut end = [1.0, 2.0, 3.0];
            run.call((&mut end[..], &start[..], &force));
            for i in 0..3 {
                assert!((end[i] - [1.0, 2.0, 3.0][i] - expected[i]).abs() < 1e-14);
            }
            let mut d_end = at.end.clone();
            let (mut d_start, mut d_force) = (vec![1.0; 3], (1.0, vec![1.0; 3]));
            run.call_adjoint((
                &mut end[..],
                &mut d_end[..],
                &start[..],
                &mut d_start[..],
                &force,
                &mut d_force,
            ));
            let near =
                |a: f64, b: f64| assert!((a - b).abs() < 1e-13, "{schedule} {steps}: {a} {b}");
            for i in 0..3 {
                near(end[i], [1.0, 2.0, 3.0][i]);
                near(d_end[i], at.end[i]);
                near(d_start[i], at.d_start[i] + 1.0);
                near(d_force.1[i], at.d_parameters.1[i] + 1.0);
            }
            near(d_force.0, at.d_parameters.0 + 1.0);
            // And forth again, which takes the gradient away.
            run.call_inverse_adjoint((
                &mut end[..],
                &mut d_end[..],
                &start[..],
                &mut d_start[..],
                &force,
                &mut d_force,
            ));
            for i in 0..3 {
                near(end[i], [1.0, 2.0, 3.0][i] + expected[i]);
                near(d_start[i], 1.0);
                near(d_force.1[i], 1.0);
            }
            run.call_inverse((&mut end[..], &start[..], &force));
            for i in 0..3 {
                near(end[i], [1.0, 2.0, 3.0][i]);
            }
        }
    }
}

#[test]
fn differences_agree() {
    #[reversible]
    fn energy<F>(y: &mut f64, x: &[f64; 3], theta: &[f64; 3], run: &F)
    where
        F: for<'a> Reversible<(&'a mut [f64; 3], &'a [f64; 3], &'a [f64; 3])>,
    {
        #[compute]
        {
            let mut end = [0.0; 3];
            run(&mut end, x, theta);
        }
        for x in &end {
            *y += *x * *x;
        }
    }
    for schedule in SCHEDULES {
        let run = Run::new(lorenz {}, 30, schedule);
        assert_gradient!(energy(
            &mut 0.0,
            &[1.0, 2.0, 3.0],
            &THETA,
            #[constant]
            &run
        ));
    }
}

/// A loss of all states is a part of the state; data is supplied.
#[test]
fn losses_on_the_way() {
    #[derive(Clone, Debug, PartialEq, Differentiable)]
    struct Follower {
        at: Vec<f64>,
        loss: f64,
        /// Belongs to the shape.
        id: usize,
    }
    #[reversible]
    fn follow(next: &mut Follower, now: &Follower, pull: &f64, k: usize, #[constant] path: &[f64]) {
        for (next, now) in next.at.iter_mut().zip(&now.at) {
            *next += *now + *pull * (path[k] - *now);
        }
        next.loss += now.loss;
        for now in &now.at {
            next.loss += (path[k] - *now).powi(2);
        }
    }
    let path = [1.0, 2.0, 1.5, 0.5, 3.0];
    let loss = |pull: f64| {
        let (mut at, mut loss) = ([0.1, 0.4], 0.0);
        for goal in path {
            for x in &mut at {
                loss += (goal - *x).powi(2);
                *x += pull * (goal - *x);
            }
        }
        loss
    };
    let step = crate::calculus::With(follow {}, (&path[..],));
    let start = Follower { at: vec![0.1, 0.4], loss: 0.0, id: 7 };
    for schedule in SCHEDULES {
        let at = Run::new(&step, 5, schedule).gradient(&start, &0.3, |_, d_end| d_end.loss = 1.0);
        assert!((at.end.loss - loss(0.3)).abs() < 1e-14);
        assert_eq!((at.end.id, at.d_start.id), (7, 7));
        let difference = (loss(0.3 + 1e-5) - loss(0.3 - 1e-5)) / 2e-5;
        assert!((at.d_parameters - difference).abs() < 1e-8);
    }
}

/// Only what a step adds last may be needed to go back.
#[test]
fn an_adjoint_that_reads_the_next_state() {
    #[reversible]
    fn chained(next: &mut [f64; 2], now: &[f64; 2], a: &f64, _k: usize) {
        next[0] += now[0] + *a * now[1];
        next[1] += now[1] - next[0].sin();
    }
    let by_duals = {
        let a = Dual::<f64, 1>::variable(0.1, 0);
        let mut now = [Dual::constant(1.0), Dual::constant(0.5)];
        for _ in 0..25 {
            now[0] += a * now[1];
            now[1] -= now[0].sin();
        }
        now[1].tangents[0]
    };
    for schedule in SCHEDULES {
        let at = Run::new(chained {}, 25, schedule)
            .gradient(&[1.0, 0.5], &0.1, |_, d_end| d_end[1] = 1.0);
        assert!((at.d_parameters / by_duals - 1.0).abs() < 1e-12, "{schedule}");
    }
}

#[test]
fn by_hand_under_all_schedules() {
    let step = by_hand(
        |next: &mut f64, now: &f64, a: &f64, k| *next = a * now * (1.0 - now) + 0.01 * k as f64,
        |d_next, now, d_now, a, d_a, _| {
            *d_now += d_next * a * (1.0 - 2.0 * now);
            *d_a += d_next * now * (1.0 - now);
        },
    );
    let (mut x, a) = (Dual::<f64, 2>::variable(0.3, 0), Dual::variable(2.9, 1));
    for k in 0..12 {
        x = a * x * (Dual::constant(1.0) - x) + Dual::constant(0.01 * f64::from(k));
    }
    for schedule in SCHEDULES {
        let at = Run::new(step, 12, schedule).gradient(&0.3, &2.9, |_, d_end| *d_end = 1.0);
        assert!((at.end - x.value).abs() < 1e-14);
        assert!((at.d_start - x.tangents[0]).abs() < 1e-13, "{schedule}");
        assert!((at.d_parameters - x.tangents[1]).abs() < 1e-13, "{schedule}");
    }
}

#[test]
fn no_steps_are_the_identity() {
    for schedule in SCHEDULES {
        let at =
            Run::new(lorenz {}, 0, schedule).gradient(&START, &THETA, |end, d_end| *d_end = *end);
        assert_eq!((at.end, at.d_start, at.d_parameters), (START, START, [0.0; 3]));
        assert_eq!(at.report.calls(), 0);
    }
}

#[test]
#[should_panic(expected = "treeverse needs a checkpoint at least: the start")]
fn no_checkpoint() {
    Run::new(lorenz {}, 10, Schedule::Treeverse { checkpoints: 0 });
}

#[test]
#[should_panic(expected = "Bennett's schedule cuts a run into 2 blocks at least, not 1")]
fn one_block() {
    Run::new(lorenz {}, 10, Schedule::Bennett { blocks: 1 });
}

/// Runs of other lengths, schedules and shapes use it too.
#[test]
fn memory_of_earlier_runs() {
    #[reversible]
    fn blend(next: &mut [f64], now: &[f64], rate: &f64, _k: usize) {
        let n = now.len();
        for i in 0..n {
            next[i] += now[i] + *rate * (now[(i + 1) % n] - now[i]) * now[i];
        }
    }
    let mut memory = Memory::new();
    let starts: [&[f64]; 3] = [&[1.0, 0.5, 2.0], &[0.1, 0.9], &[1.0, 2.0, 3.0, 4.0]];
    let mut most = 0;
    for schedule in SCHEDULES {
        for (start, steps) in starts.into_iter().zip([20, 30, 7]) {
            let run = Run::new(blend {}, steps, schedule);
            let seed = |end: &[f64], d_end: &mut [f64]| d_end.copy_from_slice(end);
            let expected = run.gradient(start, &0.1, seed);
            assert_eq!(run.gradient_in(&mut memory, start, &0.1, seed), expected, "{schedule}");
            // The start and a gradient are the caller's.
            most = most.max(expected.report.buffers - 2);
            assert_eq!(memory.states(), most, "{schedule}");
        }
    }
}
