//! A chain of differential equations, solved by the method of Runge and Kutta.

use super::Function;
use crate::measure::{measure, read};
use retrograde::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;

/// How many numbers stand before the first one: a step looks so far back.
pub const BEFORE: usize = 4;

/// Adds one step of `y₀′ = x₀`, `yᵢ′ = xᵢ yᵢ₋₁`, where `y` begins with the numbers 0, 0, 0, 1,
/// and `x` with four zeros, so that all equations are alike.
///
/// The slopes of the four stages are `k₁ᵢ = xᵢ yᵢ₋₁`, `k₂ᵢ = xᵢ (yᵢ₋₁ + h/2 k₁ᵢ₋₁)`, and so on.
/// Their weighted sum, with the stages put into each other, is a sum of products of the
/// four numbers before `yᵢ`, with [`factors`](fn@factors) that are the same in all steps.
///
/// A step could be taken in place, from the last number to the first, and undone in the
/// same way. But the numbers span a hundred orders of magnitude in the course of time: what
/// is left of a number after it has grown and been undone is the noise of the large one.
#[reversible]
#[inline(never)]
pub fn step<T: Real>(
    next: &mut [T],
    now: &[T],
    first: &[T],
    second: &[T],
    third: &[T],
    fourth: &[T],
) {
    for i in BEFORE..now.len() {
        next[i] += now[i]
            + first[i] * now[i - 1]
            + second[i] * now[i - 2]
            + third[i] * now[i - 3]
            + fourth[i] * now[i - 4];
    }
}

/// What the four numbers before each one are multiplied with, in steps of `h`.
#[reversible]
pub fn factors<T: Real>(
    first: &mut [T],
    second: &mut [T],
    third: &mut [T],
    fourth: &mut [T],
    x: &[T],
    #[constant] h: f64,
) {
    for i in BEFORE..x.len() {
        first[i] += x[i].scaled(h);
        second[i] += first[i] * x[i - 1].scaled(h / 2.0);
        third[i] += second[i] * x[i - 2].scaled(h / 3.0);
        fourth[i] += third[i] * x[i - 3].scaled(h / 4.0);
    }
}

/// `x` as [`factors`](fn@factors) wants it, and room for everything else.
struct Problem {
    x: Vec<f64>,
    d_x: Vec<f64>,
    /// What [`factors`](fn@factors) gives, and its gradient.
    factors: [Vec<f64>; 4],
    d_factors: [Vec<f64>; 4],
    /// The solution after each step, if all are kept; else two that take turns.
    states: Vec<Vec<f64>>,
    steps: usize,
}

impl Problem {
    /// The states in which a step begins and ends.
    fn around(states: &mut [Vec<f64>], step: usize) -> (&[f64], &mut [f64]) {
        let (now, next) = (step % states.len(), (step + 1) % states.len());
        let [now, next] = states.get_disjoint_mut([now, next]).expect("two states or more");
        (now, next)
    }

    /// Up to the time 2.
    fn solve(&mut self) {
        let Problem { x, factors: all, states, steps, .. } = self;
        all.iter_mut().for_each(|factors| factors.fill(0.0));
        let [first, second, third, fourth] = all;
        factors(first, second, third, fourth, x, 2.0 / *steps as f64);
        states[0].fill(0.0);
        states[0][BEFORE - 1] = 1.0;
        for k in 0..*steps {
            let (now, next) = Self::around(states, k);
            next.fill(0.0);
            next[BEFORE - 1] = 1.0;
            step(next, now, first, second, third, fourth);
        }
    }

    fn solution(&self) -> Vec<f64> {
        self.states[self.steps % self.states.len()][BEFORE..].to_vec()
    }

    /// The gradient of the last number of the solution, from the states that a run has left.
    fn gradient(&mut self) {
        self.solve();
        let Problem { x, d_x, factors: all, d_factors, states, steps } = self;
        let [first, second, third, fourth] = all;
        d_x.fill(0.0);
        d_factors.iter_mut().for_each(|d| d.fill(0.0));
        let [d_first, d_second, d_third, d_fourth] = d_factors;
        let (mut d_next, mut d_now) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        *d_next.last_mut().expect("more than nothing") = 1.0;
        for k in (0..*steps).rev() {
            let (now, next) = Self::around(states, k);
            d_now.fill(0.0);
            step {}.call_gradient((
                next,
                &mut d_next,
                now,
                &mut d_now,
                first,
                d_first,
                second,
                d_second,
                third,
                d_third,
                fourth,
                d_fourth,
            ));
            std::mem::swap(&mut d_now, &mut d_next);
        }
        let h = 2.0 / *steps as f64;
        factors {}.call_gradient((
            first, d_first, second, d_second, third, d_third, fourth, d_fourth, x, d_x, h,
        ));
    }
}

#[derive(Deserialize)]
struct Input {
    x: Vec<f64>,
    s: usize,
}

impl Input {
    /// `kept`: whether all states are.
    fn problem(self, kept: bool) -> Result<Problem, String> {
        if self.x.is_empty() {
            return Err("`x` is empty, so there is nothing to solve".into());
        }
        let x = [vec![0.0; BEFORE], self.x].concat();
        let zeros = || vec![0.0; x.len()];
        let all = || std::array::from_fn(|_| zeros());
        let states = if kept { self.s + 1 } else { 2 };
        Ok(Problem {
            d_x: zeros(),
            factors: all(),
            d_factors: all(),
            states: (0..states.max(2)).map(|_| zeros()).collect(),
            steps: self.s,
            x,
        })
    }
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "primal",
        run: |input, _| {
            let prepare = |input: &RawValue| read::<Input>(input)?.problem(false);
            measure(input, prepare, Problem::solve, Problem::solution)
        },
    },
    Function {
        name: "gradient",
        run: |input, _| {
            let prepare = |input: &RawValue| read::<Input>(input)?.problem(true);
            measure(input, prepare, Problem::gradient, |problem| problem.d_x[BEFORE..].to_vec())
        },
    },
];
