//! A run takes from the heap what its plan says, and nothing for a step.

use retrograde::prelude::*;
use retrograde::schedule::{Run, Schedule, plan};
use retrograde_reproduce::measure::heap;

/// How many numbers each part of a state has.
const SIZE: usize = 500;

/// A state with memory of its own inside.
#[derive(Clone, Differentiable)]
struct Rods {
    upper: Vec<f64>,
    lower: Vec<f64>,
}

#[reversible]
fn diffuse(next: &mut [f64], now: &[f64], rate: &f64) {
    for i in 1..now.len() - 1 {
        next[i] += now[i] + *rate * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
    }
}

#[reversible]
fn step(next: &mut Rods, now: &Rods, rates: &[f64], _k: usize) {
    diffuse(&mut next.upper, &now.upper, &rates[0]);
    diffuse(&mut next.lower, &now.lower, &rates[1]);
}

#[test]
fn the_heap_holds_the_states_of_the_plan() {
    let start = Rods { upper: vec![1.0; SIZE], lower: vec![2.0; SIZE] };
    let state = 2 * SIZE * size_of::<f64>();
    for (steps, schedule) in [
        (200, Schedule::StoreAll),
        (60, Schedule::RecomputeAll),
        (2000, Schedule::Treeverse { checkpoints: 5 }),
        (300, Schedule::Treeverse { checkpoints: 30 }),
        (500, Schedule::Bennett { blocks: 4 }),
    ] {
        let run = Run::new(step {}, steps, schedule);
        let gradient = || {
            run.gradient(&start, &[0.1, 0.2][..], |_end, d_end| d_end.upper[7] = 1.0);
        };
        let found = heap(gradient).peak as usize;
        // The start is there already, and the end is copied.
        let states = plan::gradient(schedule, steps).buffers * state;
        // A few numbers for each state go with it.
        assert!(
            (states..states + states / 20 + 2000).contains(&found),
            "{schedule}: {found} for {states}"
        );
    }
}
