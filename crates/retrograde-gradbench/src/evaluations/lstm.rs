//! A network of long short-term memory that predicts the next symbol of a sequence:
//! how far off it is. Every gate has one weight for each component.

use super::Function;
use crate::measure::{measure, read};
use crate::rows::Rows;
use retrograde::calculus::With;
use retrograde::derivative::Differentiable as _;
use retrograde::prelude::*;
use retrograde::schedule::{self, Run, Schedule};
use serde::Deserialize;
use serde_json::value::RawValue;

/// What a network learns. A symbol has `b` numbers, and so has everything in it.
#[derive(Clone, Differentiable)]
pub struct Parameters<T> {
    /// For each layer, the weights of its four gates, and then as many biases.
    pub gates: Vec<T>,
    /// A weight for the input, then a weight and a bias for the output.
    pub ends: Vec<T>,
}

/// What a network holds between two symbols.
#[derive(Clone, Differentiable)]
pub struct Memory<T> {
    /// The input and, for each layer, its cells and what they show to the next one.
    pub numbers: Vec<T>,
    /// The loss up to now.
    pub loss: T,
}

/// Reads a symbol of a sequence, and adds `scale` times the loss of predicting the next one.
#[reversible]
pub fn symbol<T: Real>(
    next: &mut Memory<T>,
    now: &Memory<T>,
    parameters: &Parameters<T>,
    k: usize,
    #[constant] sequence: &[f64],
    #[constant] scale: f64,
    b: usize,
) {
    weigh(&mut next.numbers[..b], &sequence[k * b..(k + 1) * b], &parameters.ends[..b]);
    let layers = now.numbers.len() / (2 * b);
    for layer in 0..layers {
        let (at, gate, bias) = (2 * layer * b, 8 * layer * b, (8 * layer + 4) * b);
        remember(
            &mut next.numbers[at + b..at + 2 * b],
            &mut next.numbers[at + 2 * b..at + 3 * b],
            &now.numbers[at + b..at + 2 * b],
            &now.numbers[at + 2 * b..at + 3 * b],
            &next.numbers[at..at + b],
            &parameters.gates[gate..gate + b],
            &parameters.gates[gate + b..gate + 2 * b],
            &parameters.gates[gate + 2 * b..gate + 3 * b],
            &parameters.gates[gate + 3 * b..gate + 4 * b],
            &parameters.gates[bias..bias + b],
            &parameters.gates[bias + b..bias + 2 * b],
            &parameters.gates[bias + 2 * b..bias + 3 * b],
            &parameters.gates[bias + 3 * b..bias + 4 * b],
        );
    }
    next.loss += now.loss;
    let (shown, after) = (2 * layers * b, (k + 1) * b);
    surprise(
        &mut next.loss,
        &next.numbers[shown..shown + b],
        &parameters.ends[b..],
        &sequence[after..after + b],
        scale,
    );
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
    main_params: Rows,
    extra_params: Rows,
    state: Rows,
    sequence: Rows,
}

/// A network and what it reads.
struct Network {
    b: usize,
    parameters: Parameters<f64>,
    start: Memory<f64>,
    sequence: Vec<f64>,
    loss: f64,
    gradient: Option<Parameters<f64>>,
    /// The states of the run before, to be used again.
    states: schedule::Memory<Memory<f64>>,
}

/// The step of a run: to read a symbol.
type Reading<'a> = With<symbol, (&'a [f64], f64, usize)>;

impl Network {
    fn read(input: &RawValue) -> Result<Self, String> {
        let Input { main_params, extra_params, state, sequence } = read(input)?;
        let b = sequence.width;
        let right = b > 0
            && sequence.count > 1
            && main_params.count > 1
            && main_params.count % 2 == 0
            && main_params.width == 4 * b
            && (state.count, state.width) == (main_params.count, b)
            && (extra_params.count, extra_params.width) == (3, b);
        if !right {
            return Err("the parameters, the state and the sequence do not fit together".into());
        }
        let parameters = Parameters { gates: main_params.numbers, ends: extra_params.numbers };
        let mut numbers = vec![0.0; b];
        // For each layer, the input has what is shown first, and then the cells.
        for layer in state.numbers.chunks_exact(2 * b) {
            let (shown, cells) = layer.split_at(b);
            numbers.extend_from_slice(cells);
            numbers.extend_from_slice(shown);
        }
        let start = Memory { numbers, loss: 0.0 };
        let sequence = sequence.numbers;
        let states = schedule::Memory::new();
        Ok(Network { b, parameters, start, sequence, loss: 0.0, gradient: None, states })
    }

    /// A step forgets what it started with, so the gradient keeps every state.
    fn run(&self) -> Run<Reading<'_>> {
        let steps = self.sequence.len() / self.b - 1;
        let scale = 1.0 / (steps * self.b) as f64;
        let step = With(symbol {}, (&self.sequence[..], scale, self.b));
        Run::new(step, steps, Schedule::StoreAll)
    }

    fn loss(&mut self) {
        let mut end = self.start.zero_like();
        self.run().call((&mut end, &self.start, &self.parameters));
        self.loss = end.loss;
    }

    fn gradient(&mut self) {
        let mut states = std::mem::replace(&mut self.states, schedule::Memory::new());
        let seed = |_end: &Memory<f64>, d_end: &mut Memory<f64>| d_end.loss = 1.0;
        let at = self.run().gradient_in(&mut states, &self.start, &self.parameters, seed);
        (self.gradient, self.states) = (Some(at.d_parameters), states);
    }

    /// In the order of the input.
    fn show_gradient(&self) -> Vec<f64> {
        let gradient = self.gradient.as_ref();
        gradient.map_or_else(Vec::new, |Parameters { gates, ends }| [&gates[..], ends].concat())
    }
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "objective",
        run: |input, _| measure(input, Network::read, Network::loss, |network| network.loss),
    },
    Function {
        name: "jacobian",
        run: |input, _| measure(input, Network::read, Network::gradient, Network::show_gradient),
    },
];
