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
#[inline(always)]
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

/// As [`fall`], until the ground is met, which is seen on the way. Each state is shown.
#[inline(always)]
fn fall_down<T: Real + Copy, M: Mode>(w: T, mode: &M, mut show: impl FnMut(State<T>)) -> T {
    let [[x, y], [u, v]] = START;
    let mut now = [[T::from_f64(x), T::from_f64(y)], [T::from_f64(u), T::from_f64(v)]];
    show(now);
    while now[0][1] + now[1][1].scaled(DT) > T::zero() {
        let mut next = [[T::zero(); 2]; 2];
        step(&mut next, &now, &w, mode);
        show(next);
        now = next;
    }
    let mut value = T::zero();
    land(&mut value, &now);
    value
}

/// On dual numbers, the derivative comes with the value.
struct DualFall<Inner> {
    inner: Inner,
    derivative: [f64; 1],
}

impl<Inner: Mode> Landscape<1> for DualFall<Inner> {
    fn value(&mut self, [w]: &[f64; 1]) -> f64 {
        let end = fall_down(Dual::variable(*w, 0), &self.inner, |_| ());
        self.derivative = end.tangents;
        end.value
    }

    fn gradient(&mut self, _w: &[f64; 1]) -> [f64; 1] {
        self.derivative
    }
}

/// The adjoint goes back from the states that a fall has left.
struct KeptFall<Inner> {
    inner: Inner,
    states: Vec<State<f64>>,
    d_states: Vec<State<f64>>,
}

impl<Inner: Mode> Landscape<1> for KeptFall<Inner> {
    fn value(&mut self, [w]: &[f64; 1]) -> f64 {
        self.states.clear();
        fall_down(*w, &self.inner, |state| self.states.push(state))
    }

    fn gradient(&mut self, [w]: &[f64; 1]) -> [f64; 1] {
        self.d_states.clear();
        self.d_states.resize(self.states.len(), [[0.0; 2]; 2]);
        let (mut value, mut seed) = (0.0, 1.0);
        let mut d_w = 0.0;
        fall {}.call_gradient((
            &mut value,
            &mut seed,
            &mut self.states[..],
            &mut self.d_states[..],
            w,
            &mut d_w,
            &self.inner,
        ));
        [d_w]
    }
}

fn dual<Inner>(inner: Inner) -> DualFall<Inner> {
    DualFall { inner, derivative: [0.0] }
}

fn kept<Inner>(inner: Inner) -> KeptFall<Inner> {
    KeptFall { inner, states: Vec::new(), d_states: Vec::new() }
}

#[derive(Deserialize)]
struct Input {
    w: f64,
}

/// Finds the best `w`, from a first one.
fn run<L: Landscape<1>>(input: Box<RawValue>, falls: impl Fn() -> L) -> Result<Measured, String> {
    let prepare = |input: &RawValue| Ok((read::<Input>(input)?.w, 0.0));
    let best = |(w, best): &mut (f64, f64)| [*best] = descend(&mut falls(), [*w]);
    measure(input, prepare, best, |(_, best)| *best)
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &functions([
    |input, _| run(input, || dual(Forward)),
    |input, _| run(input, || dual(Reverse)),
    |input, _| run(input, || kept(Forward)),
    |input, _| run(input, || kept(Reverse)),
]);
