//! The gradient of a long run, in as much memory as one likes to give it.
//!
//! A step of the Lorenz system forgets where it came from: a ball of starts is
//! drawn to the attractor. So the run cannot be undone, and its gradient needs
//! states that were kept, or that are made again. A schedule says which. Here
//! are four of them, for the same step and with the same result.
//!
//! `cargo run --release --example schedules`

use retrograde::prelude::*;
use retrograde::schedule::{Run, Schedule, plan};
use std::time::Instant;

/// The slope at a point, for the parameters σ, ρ and β.
#[differentiable]
pub fn slope<T: Real>(at: [T; 3], theta: [T; 3]) -> [T; 3] {
    let [x, y, z] = at;
    let [sigma, rho, beta] = theta;
    [sigma * (y - x), x * (rho - z) - y, x * y - beta * z]
}

/// `at + by · k`
#[differentiable]
fn moved<T: Real>(at: [T; 3], k: [T; 3], by: f64) -> [T; 3] {
    [at[0] + k[0].scaled(by), at[1] + k[1].scaled(by), at[2] + k[2].scaled(by)]
}

/// How long a step is.
const DT: f64 = 3e-3;

/// A step of the method of Runge and Kutta.
#[reversible]
pub fn lorenz<T: Real>(next: &mut [T; 3], now: &[T; 3], theta: &[T; 3], _k: usize) {
    let k1 = slope(*now, *theta);
    let k2 = slope(moved(*now, k1, DT / 2.0), *theta);
    let k3 = slope(moved(*now, k2, DT / 2.0), *theta);
    let k4 = slope(moved(*now, k3, DT), *theta);
    for i in 0..3 {
        let sum = k1[i] + k2[i].scaled(2.0) + k3[i].scaled(2.0) + k4[i];
        next[i] += now[i] + sum.scaled(DT / 6.0);
    }
}

/// Where the run starts, and σ, ρ and β.
pub const START: [f64; 3] = [1.0, 0.0, 0.0];
pub const THETA: [f64; 3] = [10.0, 27.0, 8.0 / 3.0];

fn main() {
    let steps = 10_000;
    let schedules = [
        Schedule::StoreAll,
        Schedule::Treeverse { checkpoints: 100 },
        Schedule::Treeverse { checkpoints: 10 },
        Schedule::RecomputeAll,
        Schedule::Bennett { blocks: 100 },
        Schedule::Bennett { blocks: 10 },
    ];
    println!("the derivatives of x after {steps} steps of the Lorenz system\n");
    println!("{:<30} {:>11} {:>9} {:>7} {:>10}", "", "forward", "inverse", "states", "time");
    for schedule in schedules {
        let run = Run::new(lorenz {}, steps, schedule);
        let start = Instant::now();
        let at = run.gradient(&START, &THETA, |_end, d_end| d_end[0] = 1.0);
        let time = start.elapsed();
        assert_eq!(at.report, plan::gradient(schedule, steps));
        let [forward, inverse] = [at.report.forward, at.report.inverse];
        println!(
            "{schedule:<30} {forward:>11} {inverse:>9} {:>7} {:>7.1} ms   d/dρ = {:.3}",
            at.report.buffers,
            time.as_secs_f64() * 1e3,
            at.d_parameters[1]
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By dual numbers: with respect to the start, then to the parameters.
    fn forward_mode(steps: usize) -> [f64; 6] {
        let variable = |values: [f64; 3], first| -> [Dual<f64, 6>; 3] {
            std::array::from_fn(|i| Dual::variable(values[i], first + i))
        };
        let (mut now, theta) = (variable(START, 0), variable(THETA, 3));
        for k in 0..steps {
            let mut next = [Dual::constant(0.0); 3];
            lorenz(&mut next, &now, &theta, k);
            now = next;
        }
        now[0].tangents
    }

    #[test]
    fn all_schedules_have_the_same_gradient() {
        let steps = 1000;
        let gradient = |schedule| {
            let run = Run::new(lorenz {}, steps, schedule);
            let at = run.gradient(&START, &THETA, |_end, d_end| d_end[0] = 1.0);
            (at.end, at.d_start, at.d_parameters)
        };
        let stored = gradient(Schedule::StoreAll);
        assert_eq!(stored, gradient(Schedule::RecomputeAll));
        for n in [2, 5, 30] {
            assert_eq!(stored, gradient(Schedule::Treeverse { checkpoints: n }));
            assert_eq!(stored, gradient(Schedule::Bennett { blocks: n }));
        }
        let (_, d_start, d_theta) = stored;
        for (found, expected) in d_start.into_iter().chain(d_theta).zip(forward_mode(steps)) {
            assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn a_run_can_be_undone() {
        let run = Run::new(lorenz {}, 500, Schedule::Bennett { blocks: 4 });
        let mut end = [0.0; 3];
        run.call((&mut end, &START, &THETA));
        assert_ne!(end, [0.0; 3]);
        run.call_inverse((&mut end, &START, &THETA));
        assert_eq!(end, [0.0; 3]);
    }
}
