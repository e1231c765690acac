//! A chain of differential equations, solved by the method of Runge and Kutta.

use super::Function;
use crate::measure::{measure, read};
use retrograde::prelude::*;
use serde::Deserialize;

/// How many numbers stand before the first one: a step looks so far back.
const BEFORE: usize = 4;

/// Solves `y₀′ = x₀`, `yᵢ′ = xᵢ yᵢ₋₁` up to the time 2 in `steps` steps, where `y` begins
/// with the numbers 0, 0, 0, 1, and `x` with four zeros, so that all equations are alike.
///
/// The slopes of the four stages are `k₁ᵢ = xᵢ yᵢ₋₁`, `k₂ᵢ = xᵢ (yᵢ₋₁ + h/2 k₁ᵢ₋₁)`, and so on.
/// Their weighted sum, with the stages put into each other, is a sum of products of the
/// four numbers before `yᵢ`. What they are multiplied with is the same in all steps.
///
/// Every `yᵢ` depends on those before it only. From the last one to the first one,
/// each can be changed in its place: those that it depends on are still the old
/// ones. On the way back they are the old ones again. So the steps are undone one
/// after the other, and none of them is stored.
#[reversible]
pub fn solve<T: Real>(y: &mut [T], x: &[T], steps: usize) {
    let h = 2.0 / steps as f64;
    #[compute]
    {
        let mut first = vec![T::zero(); x.len()];
        let mut second = vec![T::zero(); x.len()];
        let mut third = vec![T::zero(); x.len()];
        let mut fourth = vec![T::zero(); x.len()];
        for i in BEFORE..x.len() {
            first[i] += x[i].scaled(h);
            second[i] += first[i] * x[i - 1].scaled(h / 2.0);
            third[i] += second[i] * x[i - 2].scaled(h / 3.0);
            fourth[i] += third[i] * x[i - 3].scaled(h / 4.0);
        }
    }
    for _ in 0..steps {
        step(y, &first, &second, &third, &fourth);
    }
}

/// One step.
#[reversible]
#[inline(never)]
pub fn step<T: Real>(y: &mut [T], first: &[T], second: &[T], third: &[T], fourth: &[T]) {
    for i in (BEFORE..y.len()).rev() {
        // Apart, so that on the way back little waits for the number before.
        y[i] += first[i] * y[i - 1];
        y[i] += second[i] * y[i - 2] + third[i] * y[i - 3] + fourth[i] * y[i - 4];
    }
}

/// `y` and `x` as [`solve`] wants them.
struct Problem {
    y: Vec<f64>,
    d_y: Vec<f64>,
    x: Vec<f64>,
    d_x: Vec<f64>,
    steps: usize,
}

impl Problem {
    fn solve(&mut self) {
        self.y.fill(0.0);
        self.y[BEFORE - 1] = 1.0;
        solve(&mut self.y, &self.x, self.steps);
    }

    /// The gradient of the last number of the solution.
    fn gradient(&mut self) {
        self.solve();
        self.d_y.fill(0.0);
        self.d_x.fill(0.0);
        *self.d_y.last_mut().expect("more than nothing") = 1.0;
        let Problem { y, d_y, x, d_x, steps } = self;
        solve {}.call_gradient((y, d_y, x, d_x, *steps));
    }
}

#[derive(Deserialize)]
struct Input {
    x: Vec<f64>,
    s: usize,
}

impl Input {
    fn problem(self) -> Result<Problem, String> {
        if self.x.is_empty() {
            return Err("`x` is empty, so there is nothing to solve".into());
        }
        let x = [vec![0.0; BEFORE], self.x].concat();
        let zeros = vec![0.0; x.len()];
        Ok(Problem { y: zeros.clone(), d_y: zeros.clone(), x, d_x: zeros, steps: self.s })
    }
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "primal",
        run: |input, _| {
            let prepare = || read::<Input>(input)?.problem();
            measure(input, prepare, Problem::solve, |problem| problem.y[BEFORE..].to_vec())
        },
    },
    Function {
        name: "gradient",
        run: |input, _| {
            let prepare = || read::<Input>(input)?.problem();
            measure(input, prepare, Problem::gradient, |problem| problem.d_x[BEFORE..].to_vec())
        },
    },
];
