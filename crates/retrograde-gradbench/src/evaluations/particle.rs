//! A charged particle that falls past two others: how one of these must be moved so
//! that it lands as near as can be. The force on the way is a gradient too.

use super::Function;
use super::nested::{Forward, Landscape, Mode, Point, Reverse, Smooth, descend, functions, slope};
use crate::measure::{Measured, measure, read};
use retrograde::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The time of a step.
const DT: f64 = 0.1;

/// Adds the potential at a point, of a charge that can be moved and of one that is
/// fixed.
#[reversible]
#[inline]
pub fn potential<T: Real + Copy>(p: &mut T, x: &Point<T>, charge: &Point<T>) {
    *p += one_over_length(x[0] - charge[0], x[1] - charge[1]);
    *p += one_over_length(x[0] - 10.0, x[1]);
}

#[differentiable]
#[inline]
fn one_over_length<T: Real + Copy>(x: T, y: T) -> T {
    (x * x + y * y).sqrt().recip()
}

struct Potential;

impl Smooth for Potential {
    #[inline]
    fn add<T: Real + Copy>(&self, value: &mut T, x: &Point<T>, given: &Point<T>) {
        potential(value, x, given);
    }

    #[inline]
    fn add_gradient<T: Real + Copy>(
        &self,
        x: &Point<T>,
        d_x: &mut Point<T>,
        given: &Point<T>,
        d_given: &mut Point<T>,
    ) {
        let (mut value, mut seed) = (T::zero(), T::one());
        potential {}.call_gradient((&mut value, &mut seed, x, d_x, given, d_given));
    }
}

/// A place and a velocity.
pub type State<T> = [Point<T>; 2];

const START: State<f64> = [[0.0, 8.0], [0.75, 0.0]];

/// Adds the state after a step.
#[reversible]
#[inline]
pub fn step<T: Real + Copy, M: Mode>(
    next: &mut State<T>,
    now: &State<T>,
    w: &T,
    #[constant] mode: &M,
) {
    let [x, v] = [now[0], now[1]];
    let charge = [T::from_f64(10.0), 10.0 - *w];
    let force = slope(&x, &charge, &Potential, mode);
    for i in 0..2 {
        next[0][i] += x[i] + v[i].scaled(DT);
        next[1][i] += v[i] - force[i].scaled(DT);
    }
}

/// Adds the square of how far from the origin the particle comes down. The last step
/// is cut where it meets the ground.
#[reversible]
#[inline]
pub fn land<T: Real + Copy>(value: &mut T, last: &State<T>) {
    let [x, v] = [last[0], last[1]];
    let landing = x[0] - x[1] / v[1] * v[0];
    *value += landing * landing;
}

/// Adds the states of a fall, and the square of how far from the origin it ends, where
/// one charge is moved down by `w`. The first state is given, and the others are zero.
#[reversible]
pub fn fall<T: Real + Copy, M: Mode>(
    value: &mut T,
    states: &mut [State<T>],
    w: &T,
    #[constant] mode: &M,
) {
    for k in 1..states.len() {
        step(&mut states[k], &states[k - 1], w, mode);
    }
    land(value, &states[states.len() - 1]);
}

/// Falls, with the states of the last one.
struct Fall<Outer, Inner> {
    outer: Outer,
    inner: Inner,
    states: Vec<State<f64>>,
}

/// How the derivative by `w` is found.
trait Outer<Inner> {
    fn derivative(&self, w: f64, states: &mut [State<f64>], inner: &Inner) -> f64;
}

/// The fall is run again, on dual numbers. On the way there, no state but the last one
/// is needed.
impl<Inner: Mode> Outer<Inner> for Forward {
    fn derivative(&self, w: f64, states: &mut [State<f64>], inner: &Inner) -> f64 {
        let w = Dual::<f64>::variable(w, 0);
        let mut now = START.map(|point| point.map(Dual::constant));
        for _ in 1..states.len() {
            let mut next = [[Dual::constant(0.0); 2]; 2];
            step(&mut next, &now, &w, inner);
            now = next;
        }
        let mut value = Dual::constant(0.0);
        land(&mut value, &now);
        value.tangents[0]
    }
}

/// The adjoint goes back from the states that the fall has left.
impl<Inner: Mode> Outer<Inner> for Reverse {
    fn derivative(&self, w: f64, states: &mut [State<f64>], inner: &Inner) -> f64 {
        let (mut d_states, mut d_w) = (vec![[[0.0; 2]; 2]; states.len()], 0.0);
        let (mut value, mut seed) = (0.0, 1.0);
        fall {}.call_gradient((
            &mut value,
            &mut seed,
            states,
            &mut d_states[..],
            &w,
            &mut d_w,
            inner,
        ));
        d_w
    }
}

impl<O: Outer<Inner>, Inner: Mode> Landscape<1> for Fall<O, Inner> {
    /// As [`fall`]. When it ends is seen on the way.
    fn value(&mut self, [w]: &[f64; 1]) -> f64 {
        self.states.clear();
        let mut now = START;
        self.states.push(now);
        while now[0][1] + DT * now[1][1] > 0.0 {
            let mut next = [[0.0; 2]; 2];
            step(&mut next, &now, w, &self.inner);
            self.states.push(next);
            now = next;
        }
        let mut value = 0.0;
        land(&mut value, &now);
        value
    }

    fn gradient(&mut self, [w]: &[f64; 1]) -> [f64; 1] {
        [self.outer.derivative(*w, &mut self.states, &self.inner)]
    }
}

#[derive(Deserialize)]
struct Input {
    w: f64,
}

/// Finds the best `w`, from a first one.
fn run<O: Outer<I> + Copy, I: Mode + Copy>(
    input: &RawValue,
    outer: O,
    inner: I,
) -> Result<Measured, String> {
    let prepare = || Ok((read::<Input>(input)?.w, 0.0));
    let best = |(w, best): &mut (f64, f64)| {
        let mut falls = Fall { outer, inner, states: Vec::new() };
        [*best] = descend(&mut falls, [*w]);
    };
    measure(input, prepare, best, |(_, best)| *best)
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &functions([
    |input, _| run(input, Forward, Forward),
    |input, _| run(input, Forward, Reverse),
    |input, _| run(input, Reverse, Forward),
    |input, _| run(input, Reverse, Reverse),
]);
