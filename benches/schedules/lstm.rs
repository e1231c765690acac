//! A network of long short-term memory.

use crate::{Problem, Random};
use retrograde::calculus::With;
use retrograde::schedule::{Run, Schedule};
use retrograde_gradbench::evaluations::lstm::{Memory, Parameters, symbol};
use serde_json::{Value, json};

/// How many numbers a symbol has.
const B: usize = 14;

/// So many layers, which read so many symbols.
pub struct Network {
    layers: usize,
    parameters: Parameters<f64>,
    start: Memory<f64>,
    sequence: Vec<f64>,
}

impl Network {
    pub fn new(layers: usize, symbols: usize) -> Self {
        let random = &mut Random(7);
        let parameters =
            Parameters { gates: random.uniforms(8 * layers * B), ends: random.uniforms(3 * B) };
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
        let Parameters { gates, ends } = &self.parameters;
        let main_params: Vec<&[f64]> = gates.chunks(4 * B).collect();
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
        let step = With(symbol {}, (&self.sequence[..], scale, B));
        let run = Run::new(step, self.steps(), schedule);
        let at = run.gradient(&self.start, &self.parameters, |_end, d_end| d_end.loss = 1.0);
        let Parameters { gates, ends } = at.d_parameters;
        ([gates, ends].concat(), at.report.buffers)
    }
}
