//! A network of long short-term memory.

use crate::{Problem, Random};
use retrograde::calculus::With;
use retrograde::prelude::*;
use retrograde::schedule::{Run, Schedule};
use retrograde_gradbench::evaluations::lstm::{remember, surprise, weigh};
use serde_json::{Value, json};

/// How many numbers a symbol has.
const B: usize = 14;

/// The input, for each layer its cells and what they show, and the loss up to now.
#[derive(Clone, Differentiable)]
struct Memory {
    numbers: Vec<f64>,
    loss: f64,
}

/// For each layer the weights of the four gates, and as many biases; then a weight for the
/// input, and a weight and a bias for the output.
#[derive(Clone, Differentiable)]
struct Parameters {
    weights: Vec<f64>,
    biases: Vec<f64>,
    ends: Vec<f64>,
}

/// Reads a symbol, and predicts the next one.
#[reversible]
fn read(
    next: &mut Memory,
    now: &Memory,
    parameters: &Parameters,
    k: usize,
    #[constant] sequence: &[f64],
    #[constant] scale: f64,
) {
    weigh(&mut next.numbers[..B], &sequence[k * B..(k + 1) * B], &parameters.ends[..B]);
    let layers = now.numbers.len() / (2 * B);
    for layer in 0..layers {
        let (at, gate) = (2 * layer * B, 4 * layer * B);
        remember(
            &mut next.numbers[at + B..at + 2 * B],
            &mut next.numbers[at + 2 * B..at + 3 * B],
            &now.numbers[at + B..at + 2 * B],
            &now.numbers[at + 2 * B..at + 3 * B],
            &next.numbers[at..at + B],
            &parameters.weights[gate..gate + B],
            &parameters.weights[gate + B..gate + 2 * B],
            &parameters.weights[gate + 2 * B..gate + 3 * B],
            &parameters.weights[gate + 3 * B..gate + 4 * B],
            &parameters.biases[gate..gate + B],
            &parameters.biases[gate + B..gate + 2 * B],
            &parameters.biases[gate + 2 * B..gate + 3 * B],
            &parameters.biases[gate + 3 * B..gate + 4 * B],
        );
    }
    next.loss += now.loss;
    let (shown, after) = (2 * layers * B, (k + 1) * B);
    surprise(
        &mut next.loss,
        &next.numbers[shown..shown + B],
        &parameters.ends[B..],
        &sequence[after..after + B],
        scale,
    );
}

/// So many layers, which read so many symbols.
pub struct Network {
    layers: usize,
    parameters: Parameters,
    start: Memory,
    sequence: Vec<f64>,
}

impl Network {
    pub fn new(layers: usize, symbols: usize) -> Self {
        let random = &mut Random(7);
        let parameters = Parameters {
            weights: random.uniforms(4 * layers * B),
            biases: random.uniforms(4 * layers * B),
            ends: random.uniforms(3 * B),
        };
        let numbers = [vec![0.0; B], random.uniforms(2 * layers * B)].concat();
        let sequence = random.uniforms(symbols * B).into_iter().map(f64::round).collect();
        Network { layers, parameters, start: Memory { numbers, loss: 0.0 }, sequence }
    }
}

impl Problem for Network {
    fn name(&self) -> String {
        format!("lstm | l={},c={}", self.layers, self.sequence.len() / B)
    }

    fn question(&self) -> (&'static str, &'static str, Value) {
        let Parameters { weights, biases, ends } = &self.parameters;
        let gates = weights.chunks(4 * B).zip(biases.chunks(4 * B));
        let main_params: Vec<&[f64]> =
            gates.flat_map(|(weights, biases)| [weights, biases]).collect();
        let rows =
            |numbers: &[f64]| -> Vec<Vec<f64>> { numbers.chunks(B).map(<[f64]>::to_vec).collect() };
        // What is shown comes before the cells.
        let mut state = rows(&self.start.numbers[B..]);
        state.chunks_exact_mut(2).for_each(|layer| layer.swap(0, 1));
        let input = json!({
            "state": state,
            "main_params": main_params,
            "extra_params": rows(ends),
            "sequence": rows(&self.sequence),
        });
        ("lstm", "jacobian", input)
    }

    fn steps(&self) -> usize {
        self.sequence.len() / B - 1
    }

    fn state_bytes(&self) -> usize {
        (self.start.numbers.len() + 1) * size_of::<f64>()
    }

    fn gradient(&self, schedule: Schedule) -> (Vec<f64>, usize) {
        let scale = 1.0 / (self.steps() * B) as f64;
        let step = With(read {}, (&self.sequence[..], scale));
        let run = Run::new(step, self.steps(), schedule);
        let at = run.gradient(&self.start, &self.parameters, |_end, d_end| d_end.loss = 1.0);
        let Parameters { weights, biases, ends } = at.d_parameters;
        let gates = weights.chunks(4 * B).zip(biases.chunks(4 * B));
        let rows = gates.flat_map(|(weights, biases)| [weights, biases]);
        (rows.chain([&ends[..]]).collect::<Vec<_>>().concat(), at.report.buffers)
    }
}
