//! A cell of long short-term memory, as the benchmarks ADBench and GradBench
//! define it: every gate has one weight for each component.

use crate::programs::program::{Program, numbers};
use crate::programs::tapes::{Function, Number};
use retrograde::prelude::*;

/// Weights or biases, for each component.
#[derive(Clone, Differentiable)]
pub struct Gates<T> {
    pub forget: Vec<T>,
    pub input: Vec<T>,
    pub output: Vec<T>,
    pub change: Vec<T>,
}

/// What a cell remembers.
#[derive(Clone, Differentiable)]
pub struct Memory<T> {
    pub hidden: Vec<T>,
    pub cell: Vec<T>,
}

/// Adds what is remembered after an input.
#[reversible]
pub fn remember<T: Real>(
    next: &mut Memory<T>,
    now: &Memory<T>,
    input: &[T],
    weight: &Gates<T>,
    bias: &Gates<T>,
) {
    for i in 0..input.len() {
        let (x, h, c) = (input[i], now.hidden[i], now.cell[i]);
        let forget = sigmoid(x * weight.forget[i] + bias.forget[i]);
        let gate = sigmoid(h * weight.input[i] + bias.input[i]);
        let output = sigmoid(x * weight.output[i] + bias.output[i]);
        let change = (h * weight.change[i] + bias.change[i]).tanh();
        let cell = c * forget + gate * change;
        next.cell[i] += cell;
        next.hidden[i] += output * cell.tanh();
    }
}

#[differentiable]
#[inline]
fn sigmoid<T: Real>(x: T) -> T {
    T::one() / (T::one() + (-x).exp())
}

pub fn remember_by_hand(
    next: &mut Memory<f64>,
    now: &Memory<f64>,
    input: &[f64],
    weight: &Gates<f64>,
    bias: &Gates<f64>,
) {
    let gates = weight.forget.iter().zip(&bias.forget);
    let gates = gates.zip(weight.input.iter().zip(&bias.input));
    let gates = gates.zip(weight.output.iter().zip(&bias.output));
    let gates = gates.zip(weight.change.iter().zip(&bias.change));
    let now = now.hidden.iter().zip(&now.cell).zip(input);
    let next = next.hidden.iter_mut().zip(&mut next.cell);
    for (((hidden, cell), ((h, c), x)), (((forget, gate), output), change)) in
        next.zip(now).zip(gates)
    {
        let forget = sigmoid(x * forget.0 + forget.1);
        let gate = sigmoid(h * gate.0 + gate.1);
        let output = sigmoid(x * output.0 + output.1);
        let change = (h * change.0 + change.1).tanh();
        let after = c * forget + gate * change;
        *cell += after;
        *hidden += output * after.tanh();
    }
}

/// Each pair is a value and its gradient.
pub fn adjoint_by_hand(
    d_next: &Memory<f64>,
    (now, d_now): (&Memory<f64>, &mut Memory<f64>),
    (input, d_input): (&[f64], &mut [f64]),
    (weight, d_weight): (&Gates<f64>, &mut Gates<f64>),
    (bias, d_bias): (&Gates<f64>, &mut Gates<f64>),
) {
    let n = input.len();
    // Whose lengths the compiler then knows.
    let d_next = (&d_next.hidden[..n], &d_next.cell[..n]);
    let now = (&now.hidden[..n], &now.cell[..n]);
    let d_now = (&mut d_now.hidden[..n], &mut d_now.cell[..n]);
    let d_input = &mut d_input[..n];
    let [w_f, w_i, w_o, w_c] = gates(weight).map(|gate| &gate[..n]);
    let [b_f, b_i, b_o, b_c] = gates(bias).map(|gate| &gate[..n]);
    let [d_w_f, d_w_i, d_w_o, d_w_c] = gates_mut(d_weight).map(|gate| &mut gate[..n]);
    let [d_b_f, d_b_i, d_b_o, d_b_c] = gates_mut(d_bias).map(|gate| &mut gate[..n]);
    for k in 0..n {
        let (x, h, c) = (input[k], now.0[k], now.1[k]);
        let forget = sigmoid(x * w_f[k] + b_f[k]);
        let gate = sigmoid(h * w_i[k] + b_i[k]);
        let output = sigmoid(x * w_o[k] + b_o[k]);
        let change = (h * w_c[k] + b_c[k]).tanh();
        let shown = (c * forget + gate * change).tanh();
        let g = d_next.0[k];
        let d_cell = d_next.1[k] + g * output * (1.0 - shown * shown);
        let d_forget = d_cell * c * forget * (1.0 - forget);
        let d_gate = d_cell * change * gate * (1.0 - gate);
        let d_output = g * shown * output * (1.0 - output);
        let d_change = d_cell * gate * (1.0 - change * change);
        d_w_f[k] += d_forget * x;
        d_w_i[k] += d_gate * h;
        d_w_o[k] += d_output * x;
        d_w_c[k] += d_change * h;
        d_b_f[k] += d_forget;
        d_b_i[k] += d_gate;
        d_b_o[k] += d_output;
        d_b_c[k] += d_change;
        d_input[k] += d_forget * w_f[k] + d_output * w_o[k];
        d_now.0[k] += d_gate * w_i[k] + d_change * w_c[k];
        d_now.1[k] += d_cell * forget;
    }
}

fn gates<T>(gates: &Gates<T>) -> [&Vec<T>; 4] {
    [&gates.forget, &gates.input, &gates.output, &gates.change]
}

fn gates_mut<T>(gates: &mut Gates<T>) -> [&mut Vec<T>; 4] {
    [&mut gates.forget, &mut gates.input, &mut gates.output, &mut gates.change]
}

/// A cell of `n` components.
pub struct Lstm {
    pub n: usize,
}

#[derive(Clone)]
pub struct State {
    next: Memory<f64>,
    d_next: Memory<f64>,
    now: Memory<f64>,
    d_now: Memory<f64>,
    input: Vec<f64>,
    d_input: Vec<f64>,
    weight: Gates<f64>,
    d_weight: Gates<f64>,
    bias: Gates<f64>,
    d_bias: Gates<f64>,
}

impl Lstm {
    fn memory(&self, mut part: impl FnMut() -> Vec<f64>) -> Memory<f64> {
        Memory { hidden: part(), cell: part() }
    }

    fn gates(&self, mut part: impl FnMut() -> Vec<f64>) -> Gates<f64> {
        Gates { forget: part(), input: part(), output: part(), change: part() }
    }

    /// The gradient with respect to the hidden and cell state.
    fn seed(&self) -> [Vec<f64>; 2] {
        [numbers(1, self.n), numbers(2, self.n)]
    }
}

fn flat(now: &Memory<f64>, input: &[f64], weight: &Gates<f64>, bias: &Gates<f64>) -> Vec<f64> {
    let parts = [&now.hidden[..], &now.cell, input].concat();
    [
        parts,
        gates(weight).map(|gate| &gate[..]).concat(),
        gates(bias).map(|gate| &gate[..]).concat(),
    ]
    .concat()
}

impl Function for Lstm {
    fn value<N: Number>(&self, x: &[N]) -> N {
        let n = self.n;
        let part = |k: usize| &x[k * n..(k + 1) * n];
        let [hidden, cell, input] = [0, 1, 2].map(part);
        let [w_f, w_i, w_o, w_c] = [3, 4, 5, 6].map(part);
        let [b_f, b_i, b_o, b_c] = [7, 8, 9, 10].map(part);
        let sigmoid = |x: N| (-x).exp().shifted(1.0).recip();
        let [seed_h, seed_c] = self.seed();
        N::sum((0..n).map(|k| {
            let forget = sigmoid(input[k] * w_f[k] + b_f[k]);
            let gate = sigmoid(hidden[k] * w_i[k] + b_i[k]);
            let output = sigmoid(input[k] * w_o[k] + b_o[k]);
            let change = (hidden[k] * w_c[k] + b_c[k]).tanh();
            let after = cell[k] * forget + gate * change;
            after.scaled(seed_c[k]) + (output * after.tanh()).scaled(seed_h[k])
        }))
    }
}

impl Program for Lstm {
    type State = State;

    fn name(&self) -> String {
        format!("LSTM cell, {}", self.n)
    }

    fn start(&self) -> State {
        let mut seed = 10;
        let mut random = || {
            seed += 1;
            numbers(seed, self.n)
        };
        let zeros = || vec![0.0; self.n];
        let [hidden, cell] = self.seed();
        State {
            next: self.memory(zeros),
            d_next: Memory { hidden, cell },
            now: self.memory(&mut random),
            d_now: self.memory(zeros),
            input: random(),
            d_input: zeros(),
            weight: self.gates(&mut random),
            d_weight: self.gates(zeros),
            bias: self.gates(&mut random),
            d_bias: self.gates(zeros),
        }
    }

    fn value_by_hand(state: &mut State) {
        let State { next, now, input, weight, bias, .. } = state;
        remember_by_hand(next, now, input, weight, bias);
    }

    fn call(state: &mut State) {
        let State { next, now, input, weight, bias, .. } = state;
        remember(next, now, input, weight, bias);
    }

    fn adjoint_by_hand(state: &mut State) {
        adjoint_by_hand(
            &state.d_next,
            (&state.now, &mut state.d_now),
            (&state.input, &mut state.d_input),
            (&state.weight, &mut state.d_weight),
            (&state.bias, &mut state.d_bias),
        );
    }

    #[rustfmt::skip]
    fn adjoint(state: &mut State) {
        let State { next, d_next, now, d_now, input, d_input, weight, d_weight, bias, d_bias } =
            state;
        remember::adjoint(
            next, d_next, now, d_now, input, d_input, weight, d_weight, bias, d_bias,
        );
    }

    fn gradient_alone(state: &mut State) {
        let State { next, d_next, now, d_now, input, d_input, weight, d_weight, bias, d_bias } =
            state;
        remember {}.call_gradient((
            next,
            d_next,
            &*now,
            d_now,
            &input[..],
            &mut d_input[..],
            &*weight,
            d_weight,
            &*bias,
            d_bias,
        ));
    }

    fn arguments(state: &State) -> Vec<f64> {
        flat(&state.now, &state.input, &state.weight, &state.bias)
    }

    fn gradient(state: &State) -> Vec<f64> {
        flat(&state.d_now, &state.d_input, &state.d_weight, &state.d_bias)
    }
}
