//! A chain of multiplications and additions: a rotation by many small steps.

use crate::programs::program::Program;
use crate::programs::tapes::{Function, Number};
use retrograde::prelude::*;

#[reversible]
pub fn chain<T: Real>(x: &mut T, y: &mut T, a: &T, steps: usize) {
    for _ in 0..steps {
        *y += *a * *x;
        *x -= *a * *y;
    }
}

pub fn chain_by_hand(x: &mut f64, y: &mut f64, a: f64, steps: usize) {
    for _ in 0..steps {
        *y += a * *x;
        *x -= a * *y;
    }
}

/// Each pair is a value and its gradient.
pub fn adjoint_by_hand(
    (x, d_x): (&mut f64, &mut f64),
    (y, d_y): (&mut f64, &mut f64),
    (a, d_a): (f64, &mut f64),
    steps: usize,
) {
    for _ in 0..steps {
        *x += a * *y;
        *d_y -= a * *d_x;
        *d_a -= *y * *d_x;
        *y -= a * *x;
        *d_x += a * *d_y;
        *d_a += *x * *d_y;
    }
}

pub struct Chain {
    pub steps: usize,
}

#[derive(Clone)]
pub struct State {
    values: [f64; 3],
    shadows: [f64; 3],
    steps: usize,
}

const SEED: [f64; 2] = [0.75, -0.5];

impl Function for Chain {
    fn value<N: Number>(&self, x: &[N]) -> N {
        let &[mut x, mut y, a] = x else { panic!("three numbers") };
        for _ in 0..self.steps {
            y = y + a * x;
            x = x - a * y;
        }
        x.scaled(SEED[0]) + y.scaled(SEED[1])
    }
}

impl Program for Chain {
    type State = State;

    fn name(&self) -> String {
        format!("multiply-add, {} steps", self.steps)
    }

    fn by_hand(&self) -> &'static str {
        "restores x and y"
    }

    fn start(&self) -> State {
        let [d_x, d_y] = SEED;
        State { values: [0.6, -0.8, 1e-3], shadows: [d_x, d_y, 0.0], steps: self.steps }
    }

    fn value_by_hand(state: &mut State) {
        let [x, y, a] = &mut state.values;
        chain_by_hand(x, y, *a, state.steps);
    }

    fn call(state: &mut State) {
        let [x, y, a] = &mut state.values;
        chain(x, y, a, state.steps);
    }

    fn adjoint_by_hand(state: &mut State) {
        let ([x, y, a], [d_x, d_y, d_a]) = (&mut state.values, &mut state.shadows);
        adjoint_by_hand((x, d_x), (y, d_y), (*a, d_a), state.steps);
    }

    fn adjoint(state: &mut State) {
        let ([x, y, a], [d_x, d_y, d_a]) = (&mut state.values, &mut state.shadows);
        chain::adjoint(x, d_x, y, d_y, a, d_a, state.steps);
    }

    fn gradient_alone(state: &mut State) {
        let ([x, y, a], [d_x, d_y, d_a]) = (&mut state.values, &mut state.shadows);
        chain {}.call_gradient((x, d_x, y, d_y, &*a, d_a, state.steps));
    }

    fn arguments(state: &State) -> Vec<f64> {
        state.values.to_vec()
    }

    fn gradient(state: &State) -> Vec<f64> {
        state.shadows.to_vec()
    }
}
