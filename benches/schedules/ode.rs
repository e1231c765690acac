//! A chain of differential equations.

use crate::{Problem, Random};
use retrograde::prelude::*;
use retrograde::schedule::{Run, Schedule};
use retrograde_gradbench::evaluations::ode::{BEFORE, factors, step};
use serde_json::{Value, json};

/// What the numbers before each one are multiplied with.
#[derive(Clone, Differentiable)]
struct Factors {
    first: Vec<f64>,
    second: Vec<f64>,
    third: Vec<f64>,
    fourth: Vec<f64>,
}

/// A step, with the number 1 that stands before the others.
#[reversible]
fn chain(next: &mut [f64], now: &[f64], factors: &Factors, _k: usize) {
    next[BEFORE - 1] += now[BEFORE - 1];
    step(next, now, &factors.first, &factors.second, &factors.third, &factors.fourth);
}

/// So many equations, in so many steps.
pub struct Chain {
    x: Vec<f64>,
    steps: usize,
}

impl Chain {
    pub fn new(equations: usize, steps: usize) -> Self {
        Chain { x: Random(5).uniforms(equations), steps }
    }
}

impl Problem for Chain {
    fn name(&self) -> String {
        format!("ode | n={},s={}", self.x.len(), self.steps)
    }

    fn question(&self) -> (&'static str, &'static str, Value) {
        ("ode", "gradient", json!({ "x": self.x, "s": self.steps }))
    }

    fn steps(&self) -> usize {
        self.steps
    }

    fn state_bytes(&self) -> usize {
        (BEFORE + self.x.len()) * size_of::<f64>()
    }

    fn gradient(&self, schedule: Schedule) -> (Vec<f64>, usize) {
        let x = [vec![0.0; BEFORE], self.x.clone()].concat();
        let zeros = || vec![0.0; x.len()];
        let h = 2.0 / self.steps as f64;
        let mut all = Factors { first: zeros(), second: zeros(), third: zeros(), fourth: zeros() };
        let Factors { first, second, third, fourth } = &mut all;
        factors(first, second, third, fourth, &x, h);
        let mut start = zeros();
        start[BEFORE - 1] = 1.0;
        let run = Run::new(chain {}, self.steps, schedule);
        let mut at = run.gradient(&start[..], &all, |_end, d_end| {
            *d_end.last_mut().expect("more than nothing") = 1.0;
        });
        let mut d_x = zeros();
        let d = &mut at.d_parameters;
        factors {}.call_gradient((
            &mut all.first[..],
            &mut d.first[..],
            &mut all.second[..],
            &mut d.second[..],
            &mut all.third[..],
            &mut d.third[..],
            &mut all.fourth[..],
            &mut d.fourth[..],
            &x[..],
            &mut d_x[..],
            h,
        ));
        (d_x.split_off(BEFORE), at.report.buffers)
    }
}
