//! The Euclidean norm of a vector.

use crate::programs::program::{Program, dot, numbers};
use crate::programs::tapes::{Function, Number};
use retrograde::prelude::*;

#[reversible]
pub fn norm<T: Real>(y: &mut T, x: &[T]) {
    #[compute]
    {
        let mut squares = T::zero();
        for v in x {
            squares += *v * *v;
        }
    }
    *y += squares.sqrt();
}

pub fn norm_by_hand(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

pub fn adjoint_by_hand(d_y: f64, x: &[f64], d_x: &mut [f64]) {
    let factor = d_y / norm_by_hand(x);
    for (d_x, x) in d_x.iter_mut().zip(x) {
        *d_x += factor * x;
    }
}

pub struct Norm {
    pub n: usize,
}

#[derive(Clone)]
pub struct State {
    y: f64,
    d_y: f64,
    x: Vec<f64>,
    d_x: Vec<f64>,
}

impl Function for Norm {
    fn value<N: Number>(&self, x: &[N]) -> N {
        N::sum(x.iter().map(|x| *x * *x)).sqrt()
    }
}

impl Program for Norm {
    type State = State;

    fn name(&self) -> String {
        format!("vector norm, n = {}", self.n)
    }

    fn start(&self) -> State {
        State { y: 0.0, d_y: 1.0, x: numbers(1, self.n), d_x: vec![0.0; self.n] }
    }

    fn value_by_hand(state: &mut State) {
        state.y += norm_by_hand(&state.x);
    }

    fn call(state: &mut State) {
        norm(&mut state.y, &state.x);
    }

    fn adjoint_by_hand(state: &mut State) {
        adjoint_by_hand(state.d_y, &state.x, &mut state.d_x);
    }

    fn adjoint(state: &mut State) {
        norm::adjoint(&mut state.y, &mut state.d_y, &state.x, &mut state.d_x);
    }

    fn gradient_alone(state: &mut State) {
        let State { y, d_y, x, d_x } = state;
        norm {}.call_gradient((y, d_y, &x[..], &mut d_x[..]));
    }

    fn arguments(state: &State) -> Vec<f64> {
        state.x.clone()
    }

    fn gradient(state: &State) -> Vec<f64> {
        state.d_x.clone()
    }
}
