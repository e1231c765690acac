//! How far the Petersen graph is from lying evenly in `k` dimensions.

use crate::programs::program::Program;
use crate::programs::tapes::{Function, Number};
use retrograde::prelude::*;
use retrograde_examples::graph_embedding::{APART, JOINED, embedding_loss, start};

type Pairs<'a> = &'a [(usize, usize)];

/// Keeps the distances, and gives their mean and their variance.
fn distances(x: &[f64], k: usize, pairs: Pairs, kept: &mut [f64]) -> (f64, f64) {
    let n = pairs.len() as f64;
    let (mut sum, mut squares) = (0.0, 0.0);
    for (&(i, j), kept) in pairs.iter().zip(kept) {
        let (a, b) = (&x[i * k..(i + 1) * k], &x[j * k..(j + 1) * k]);
        let square: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
        *kept = square.sqrt();
        sum += *kept;
        squares += square;
    }
    (sum / n, (squares - sum * sum / n) / (n - 1.0))
}

pub fn loss_by_hand(x: &[f64], k: usize) -> f64 {
    let (near, near_variance) = distances(x, k, &JOINED, &mut [0.0; JOINED.len()]);
    let (far, far_variance) = distances(x, k, &APART, &mut [0.0; APART.len()]);
    near_variance + far_variance + (near - far + 0.1).max(0.0).exp() - 1.0
}

/// The loss; its gradient is added to `d_x`.
pub fn gradient_by_hand(d_y: f64, x: &[f64], d_x: &mut [f64], k: usize) -> f64 {
    let (mut near_all, mut far_all) = ([0.0; JOINED.len()], [0.0; APART.len()]);
    let near = distances(x, k, &JOINED, &mut near_all);
    let far = distances(x, k, &APART, &mut far_all);
    let gap = near.0 - far.0 + 0.1;
    let push = gap.max(0.0).exp();
    let d_mean = if gap > 0.0 { d_y * push } else { 0.0 };
    let sides: [(Pairs, &[f64], f64, f64); 2] =
        [(&JOINED, &near_all, near.0, d_mean), (&APART, &far_all, far.0, -d_mean)];
    for (pairs, kept, mean, d_mean) in sides {
        let n = pairs.len() as f64;
        for (&(i, j), distance) in pairs.iter().zip(kept) {
            let slope = 2.0 * d_y * (distance - mean) / (n - 1.0) + d_mean / n;
            let factor = slope / distance;
            // `i` is below `j`.
            let (front, back) = d_x.split_at_mut(j * k);
            let (d_a, d_b) = (&mut front[i * k..(i + 1) * k], &mut back[..k]);
            let (a, b) = (&x[i * k..(i + 1) * k], &x[j * k..(j + 1) * k]);
            for (((a, b), d_a), d_b) in a.iter().zip(b).zip(d_a).zip(d_b) {
                let change = factor * (a - b);
                *d_a += change;
                *d_b -= change;
            }
        }
    }
    near.1 + far.1 + push - 1.0
}

pub struct Embedding {
    pub k: usize,
}

#[derive(Clone)]
pub struct State {
    y: f64,
    d_y: f64,
    x: Vec<f64>,
    d_x: Vec<f64>,
    k: usize,
}

impl Function for Embedding {
    fn value<N: Number>(&self, x: &[N]) -> N {
        let k = self.k;
        let point = |i: usize| &x[i * k..(i + 1) * k];
        let statistics = |pairs: Pairs| {
            let n = pairs.len() as f64;
            let square = |&(i, j): &(usize, usize)| {
                N::sum(point(i).iter().zip(point(j)).map(|(a, b)| {
                    let difference = *a - *b;
                    difference * difference
                }))
            };
            let squares: Vec<N> = pairs.iter().map(square).collect();
            let sum = N::sum(squares.iter().map(|square| square.sqrt()));
            let squares = N::sum(squares);
            (sum.scaled(1.0 / n), (squares - (sum * sum).scaled(1.0 / n)).scaled(1.0 / (n - 1.0)))
        };
        let (near, far) = (statistics(&JOINED), statistics(&APART));
        let (variance, gap) = (near.1 + far.1, (near.0 - far.0).shifted(0.1));
        if gap.value() > 0.0 { variance + gap.exp().shifted(-1.0) } else { variance }
    }
}

impl Program for Embedding {
    type State = State;

    fn name(&self) -> String {
        format!("graph embedding, k = {}", self.k)
    }

    fn start(&self) -> State {
        let x = start(self.k, 7);
        State { y: 0.0, d_y: 1.0, d_x: vec![0.0; x.len()], x, k: self.k }
    }

    fn value_by_hand(state: &mut State) {
        state.y += loss_by_hand(&state.x, state.k);
    }

    fn call(state: &mut State) {
        embedding_loss(&mut state.y, &state.x, state.k);
    }

    fn adjoint_by_hand(state: &mut State) {
        gradient_by_hand(state.d_y, &state.x, &mut state.d_x, state.k);
    }

    fn adjoint(state: &mut State) {
        let State { y, d_y, x, d_x, k } = state;
        embedding_loss::adjoint(y, d_y, x, d_x, *k);
    }

    fn gradient_alone(state: &mut State) {
        let State { y, d_y, x, d_x, k } = state;
        embedding_loss {}.call_gradient((y, d_y, &x[..], &mut d_x[..], *k));
    }

    fn arguments(state: &State) -> Vec<f64> {
        state.x.clone()
    }

    fn gradient(state: &State) -> Vec<f64> {
        state.d_x.clone()
    }
}
