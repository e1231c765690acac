//! How far the Petersen graph is from lying evenly in `k` dimensions.

use crate::programs::program::Program;
use crate::programs::tapes::{Function, Number};
use retrograde::prelude::*;
use retrograde_examples::graph_embedding::{JOINED, PAIRS, embedding_loss, start};

/// The distances of all pairs.
fn distances(x: &[f64], k: usize) -> [f64; PAIRS.len()] {
    PAIRS.map(|(i, j)| {
        let (a, b) = (&x[i * k..(i + 1) * k], &x[j * k..(j + 1) * k]);
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    })
}

/// The mean and the variance.
fn statistics(distances: &[f64]) -> (f64, f64) {
    let n = distances.len() as f64;
    let mean = distances.iter().sum::<f64>() / n;
    let squares: f64 = distances.iter().map(|distance| (distance - mean).powi(2)).sum();
    (mean, squares / (n - 1.0))
}

pub fn loss_by_hand(x: &[f64], k: usize) -> f64 {
    let distances = distances(x, k);
    let (near, near_variance) = statistics(&distances[..JOINED]);
    let (far, far_variance) = statistics(&distances[JOINED..]);
    near_variance + far_variance + (near - far + 0.1).max(0.0).exp() - 1.0
}

/// The loss; its gradient is added to `d_x`.
pub fn gradient_by_hand(d_y: f64, x: &[f64], d_x: &mut [f64], k: usize) -> f64 {
    let distances = distances(x, k);
    let (near, near_variance) = statistics(&distances[..JOINED]);
    let (far, far_variance) = statistics(&distances[JOINED..]);
    let gap = near - far + 0.1;
    let push = gap.max(0.0).exp();
    let d_gap = if gap > 0.0 { d_y * push } else { 0.0 };
    for (pair, (&(i, j), distance)) in PAIRS.iter().zip(&distances).enumerate() {
        let (n, mean, d_mean) =
            if pair < JOINED { (15.0, near, d_gap) } else { (30.0, far, -d_gap) };
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
    near_variance + far_variance + push - 1.0
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
        let statistics = |pairs: &[(usize, usize)]| {
            let n = pairs.len() as f64;
            let distance = |&(i, j): &(usize, usize)| {
                let differences = point(i).iter().zip(point(j)).map(|(a, b)| *a - *b);
                N::sum(differences.map(|difference| difference * difference)).sqrt()
            };
            let all: Vec<N> = pairs.iter().map(distance).collect();
            let mean = N::sum(all.iter().copied()).scaled(1.0 / n);
            let squares = all.iter().map(|distance| (*distance - mean) * (*distance - mean));
            (mean, N::sum(squares).scaled(1.0 / (n - 1.0)))
        };
        let (near, far) = (statistics(&PAIRS[..JOINED]), statistics(&PAIRS[JOINED..]));
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
