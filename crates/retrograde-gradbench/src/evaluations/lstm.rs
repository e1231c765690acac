//! A network of long short-term memory that predicts the next symbol of a sequence:
//! how far off it is. Every gate has one weight for each component.

use super::Function;
use crate::measure::{measure, read};
use retrograde::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Weights or biases of the gates, for each layer and each component.
#[derive(Clone, Default, Differentiable)]
pub struct Gates<T> {
    forget: Vec<T>,
    ingate: Vec<T>,
    outgate: Vec<T>,
    change: Vec<T>,
}

/// Adds the mean loss of predicting each symbol of a sequence from those before it.
///
/// A symbol has `b` numbers, and so has everything in the network. `ends` has a weight
/// for the input, then a weight and a bias for the output.
///
/// A step forgets what it started with, so all states are kept: for each time a row of
/// the input and, for each layer, its cells and what they show to the next one.
#[reversible]
pub fn loss<T: Real>(
    loss: &mut T,
    weights: &Gates<T>,
    biases: &Gates<T>,
    ends: &[T],
    #[constant] start: &[f64],
    #[constant] sequence: &[f64],
    b: usize,
) {
    let layers = start.len() / (2 * b);
    let steps = sequence.len() / b - 1;
    let width = (1 + 2 * layers) * b;
    #[compute]
    {
        let mut states = vec![T::zero(); (steps + 1) * width];
        for (state, x) in states[b..width].iter_mut().zip(start) {
            *state += T::from_f64(*x);
        }
        for t in 0..steps {
            let (now, next) = (t * width, (t + 1) * width);
            weigh(&mut states[next..next + b], &sequence[t * b..(t + 1) * b], &ends[..b]);
            for layer in 0..layers {
                let (from, to) = (now + 2 * layer * b, next + 2 * layer * b);
                let (own, end) = (layer * b, (layer + 1) * b);
                remember(
                    &mut states[to + b..to + 2 * b],
                    &mut states[to + 2 * b..to + 3 * b],
                    &states[from + b..from + 2 * b],
                    &states[from + 2 * b..from + 3 * b],
                    &states[to..to + b],
                    &weights.forget[own..end],
                    &weights.ingate[own..end],
                    &weights.outgate[own..end],
                    &weights.change[own..end],
                    &biases.forget[own..end],
                    &biases.ingate[own..end],
                    &biases.outgate[own..end],
                    &biases.change[own..end],
                );
            }
        }
    }
    let scale = 1.0 / (steps * b) as f64;
    for t in 0..steps {
        let last = (t + 2) * width - b;
        let next = &sequence[(t + 1) * b..(t + 2) * b];
        surprise(loss, &states[last..last + b], &ends[b..], next, scale);
    }
}

/// Adds products with constants.
#[reversible]
pub fn weigh<T: Real>(ys: &mut [T], #[constant] xs: &[f64], weights: &[T]) {
    for ((y, x), w) in ys.iter_mut().zip(xs).zip(weights) {
        *y += T::from_f64(*x) * *w;
    }
}

/// Adds the cells of a layer after an input, and what they show then. Every gate has
/// weights and biases.
#[reversible]
#[inline(never)]
#[allow(clippy::too_many_arguments)]
pub fn remember<T: Real>(
    next_cells: &mut [T],
    next_shown: &mut [T],
    cells: &[T],
    shown: &[T],
    input: &[T],
    w_forget: &[T],
    w_ingate: &[T],
    w_outgate: &[T],
    w_change: &[T],
    b_forget: &[T],
    b_ingate: &[T],
    b_outgate: &[T],
    b_change: &[T],
) {
    for i in 0..cells.len() {
        let (x, h) = (input[i], shown[i]);
        let forget = sigmoid(x * w_forget[i] + b_forget[i]);
        let ingate = sigmoid(h * w_ingate[i] + b_ingate[i]);
        let outgate = sigmoid(x * w_outgate[i] + b_outgate[i]);
        let change = (h * w_change[i] + b_change[i]).fast_tanh();
        let cell = cells[i] * forget + ingate * change;
        next_cells[i] += cell;
        next_shown[i] += outgate * cell.fast_tanh();
    }
}

#[differentiable]
#[inline]
fn sigmoid<T: Real>(x: T) -> T {
    1.0 / (1.0 + (-x).fast_exp())
}

/// Subtracts `scale` times the logarithms of the probabilities that what is shown gives
/// to the next symbol.
#[reversible]
pub fn surprise<T: Real>(
    loss: &mut T,
    shown: &[T],
    ends: &[T],
    #[constant] next: &[f64],
    #[constant] scale: f64,
) {
    let b = shown.len();
    let (weights, biases) = ends.split_at(b);
    #[compute]
    {
        let mut sum = T::from_f64(2.0);
        for ((h, w), bias) in shown.iter().zip(weights).zip(biases) {
            sum += (*h * *w + *bias).fast_exp();
        }
    }
    for (((h, w), bias), x) in shown.iter().zip(weights).zip(biases).zip(next) {
        *loss -= T::from_f64(scale * *x) * (*h * *w + *bias);
    }
    *loss += T::from_f64(scale * total(next)) * sum.ln();
}

fn total(x: &[f64]) -> f64 {
    x.iter().sum()
}

#[derive(Deserialize)]
struct Input {
    main_params: Vec<Vec<f64>>,
    extra_params: Vec<Vec<f64>>,
    state: Vec<Vec<f64>>,
    sequence: Vec<Vec<f64>>,
}

impl Gates<f64> {
    /// Of rows, one for each layer.
    fn of<'r>(rows: impl Iterator<Item = &'r Vec<f64>>, b: usize) -> Self {
        let mut gates = Gates::default();
        for row in rows {
            for (gate, numbers) in gates.each_mut().into_iter().zip(row.chunks_exact(b)) {
                gate.extend(numbers);
            }
        }
        gates
    }

    fn each(&self) -> [&Vec<f64>; 4] {
        [&self.forget, &self.ingate, &self.outgate, &self.change]
    }

    fn each_mut(&mut self) -> [&mut Vec<f64>; 4] {
        [&mut self.forget, &mut self.ingate, &mut self.outgate, &mut self.change]
    }

    /// The numbers of a layer, gate by gate.
    fn row(&self, layer: usize, b: usize) -> Vec<f64> {
        self.each().map(|gate| &gate[layer * b..(layer + 1) * b]).concat()
    }
}

/// What is learnt.
#[derive(Clone)]
struct Parameters {
    weights: Gates<f64>,
    biases: Gates<f64>,
    ends: Vec<f64>,
}

/// A network and what it reads.
struct Network {
    b: usize,
    parameters: Parameters,
    gradient: Parameters,
    start: Vec<f64>,
    sequence: Vec<f64>,
    loss: f64,
}

impl Network {
    fn read(input: &RawValue) -> Result<Self, String> {
        let Input { main_params, extra_params, state, sequence } = read(input)?;
        let b = sequence.first().map_or(0, Vec::len);
        let shaped = |rows: &[Vec<f64>], width| rows.iter().all(|row| row.len() == width);
        let right = b > 0
            && sequence.len() > 1
            && main_params.len() > 1
            && main_params.len() % 2 == 0
            && state.len() == main_params.len()
            && extra_params.len() == 3
            && shaped(&main_params, 4 * b)
            && [&extra_params, &state, &sequence].into_iter().all(|rows| shaped(rows, b));
        if !right {
            return Err("the parameters, the state and the sequence do not fit together".into());
        }
        let parameters = Parameters {
            weights: Gates::of(main_params.iter().step_by(2), b),
            biases: Gates::of(main_params.iter().skip(1).step_by(2), b),
            ends: extra_params.concat(),
        };
        // For each layer, the input has what is shown first, and then the cells.
        let start = state.chunks_exact(2).flat_map(|layer| [&layer[1][..], &layer[0]].concat());
        Ok(Network {
            b,
            gradient: parameters.clone(),
            parameters,
            start: start.collect(),
            sequence: sequence.concat(),
            loss: 0.0,
        })
    }

    fn loss(&mut self) {
        let Network { b, parameters: Parameters { weights, biases, ends }, .. } = self;
        self.loss = 0.0;
        loss(&mut self.loss, weights, biases, ends, &self.start, &self.sequence, *b);
    }

    fn gradient(&mut self) {
        let Network { b, parameters: Parameters { weights, biases, ends }, .. } = self;
        let Parameters { weights: d_weights, biases: d_biases, ends: d_ends } = &mut self.gradient;
        let gates = d_weights.each_mut().into_iter().chain(d_biases.each_mut());
        gates.chain([&mut *d_ends]).for_each(|shadow| shadow.fill(0.0));
        loss {}.call_gradient((
            &mut 0.0,
            &mut 1.0,
            &*weights,
            d_weights,
            &*biases,
            d_biases,
            &ends[..],
            &mut d_ends[..],
            &self.start[..],
            &self.sequence[..],
            *b,
        ));
    }

    /// In the order of the input.
    fn show_gradient(&self) -> Vec<f64> {
        let Parameters { weights, biases, ends } = &self.gradient;
        let layers = 0..weights.forget.len() / self.b;
        let rows = layers.map(|i| [weights.row(i, self.b), biases.row(i, self.b)].concat());
        rows.chain([ends.clone()]).flatten().collect()
    }
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "objective",
        run: |input, _| {
            measure(input, || Network::read(input), Network::loss, |network| network.loss)
        },
    },
    Function {
        name: "jacobian",
        run: |input, _| {
            measure(input, || Network::read(input), Network::gradient, Network::show_gradient)
        },
    },
];
