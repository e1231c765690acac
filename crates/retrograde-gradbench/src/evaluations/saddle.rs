//! A point that is best against the best answer: the least of a function's largest
//! values, each found by going along gradients.

use super::Function;
use super::nested::{Forward, Landscape, Mode, Point, Reverse, Smooth, descend, functions, slope};
use crate::measure::{Measured, measure, read};
use retrograde::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Adds what the answer `y` costs, given `x`: minus what it gains.
#[reversible]
#[inline]
pub fn cost<T: Real + Copy>(value: &mut T, y: &Point<T>, x: &Point<T>) {
    *value += (y[0] * y[0] + y[1] * y[1]) - (x[0] * x[0] + x[1] * x[1]);
}

struct Cost;

impl Smooth for Cost {
    #[inline]
    fn add<T: Real + Copy>(&self, value: &mut T, x: &Point<T>, given: &Point<T>) {
        cost(value, x, given);
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
        cost {}.call_gradient((&mut value, &mut seed, x, d_x, given, d_given));
    }
}

/// Adds the point behind `y`, down the slope.
#[reversible]
#[inline]
pub fn step<T: Real + Copy, M: Mode>(
    next: &mut Point<T>,
    y: &Point<T>,
    x: &Point<T>,
    #[constant] rate: &f64,
    #[constant] mode: &M,
) {
    let down = slope(y, x, &Cost, mode);
    for i in 0..2 {
        next[i] += y[i] - down[i].scaled(*rate);
    }
}

/// Adds the points on the way to the best answer to `x`, and subtracts its cost. The
/// first point is given, and the others are zero.
///
/// How far each step goes is decided by looking at values, and has no derivative.
#[reversible]
pub fn worst<T: Real + Copy, M: Mode>(
    value: &mut T,
    ys: &mut [Point<T>],
    x: &Point<T>,
    #[constant] rates: &[f64],
    #[constant] mode: &M,
) {
    for (k, rate) in rates.iter().enumerate() {
        step(&mut ys[k + 1], &ys[k], x, rate, mode);
    }
    !cost(value, &ys[rates.len()], x);
}

/// Answers to `x`, with the points and the rates on the way to the best one.
struct Answers<Inner> {
    x: Point<f64>,
    inner: Inner,
    ys: Vec<Point<f64>>,
    rates: Vec<f64>,
}

impl<Inner: Mode> Answers<Inner> {
    /// Finds the best answer, from a first one.
    fn find(&mut self, x: &Point<f64>, start: Point<f64>) -> Point<f64> {
        self.x = *x;
        self.rates.clear();
        self.ys.clear();
        self.ys.push(start);
        descend(self, start)
    }
}

impl<Inner: Mode> Landscape<2> for Answers<Inner> {
    #[inline]
    fn value(&mut self, y: &Point<f64>) -> f64 {
        let mut value = 0.0;
        cost(&mut value, y, &self.x);
        value
    }

    #[inline]
    fn gradient(&mut self, y: &Point<f64>) -> Point<f64> {
        self.inner.gradient(&Cost, y, &self.x)
    }

    #[inline]
    fn take(&mut self, y: &Point<f64>, rate: f64) {
        self.ys.push(*y);
        self.rates.push(rate);
    }
}

/// How the gradient by `x` is found.
trait Outer<Inner> {
    fn gradient(&self, answers: &mut Answers<Inner>) -> Point<f64>;
}

/// The steps are gone again, on dual numbers.
impl<Inner: Mode> Outer<Inner> for Forward {
    fn gradient(&self, Answers { x, inner, ys, rates }: &mut Answers<Inner>) -> Point<f64> {
        let x = [Dual::<f64, 2>::variable(x[0], 0), Dual::variable(x[1], 1)];
        let mut y = ys[0].map(Dual::constant);
        for rate in rates.iter() {
            let mut next = [Dual::constant(0.0); 2];
            step(&mut next, &y, &x, rate, inner);
            y = next;
        }
        let mut value = Dual::constant(0.0);
        cost::inverse(&mut value, &y, &x);
        value.tangents
    }
}

/// The adjoint goes back from the points that were found.
impl<Inner: Mode> Outer<Inner> for Reverse {
    fn gradient(&self, Answers { x, inner, ys, rates }: &mut Answers<Inner>) -> Point<f64> {
        let (mut d_ys, mut d_x) = (vec![[0.0; 2]; ys.len()], [0.0; 2]);
        let (mut value, mut seed) = (0.0, 1.0);
        worst {}.call_gradient((
            &mut value,
            &mut seed,
            &mut ys[..],
            &mut d_ys[..],
            &*x,
            &mut d_x,
            &rates[..],
            &*inner,
        ));
        d_x
    }
}

/// What is best against the best answer.
struct Moves<O, Inner> {
    start: Point<f64>,
    outer: O,
    answers: Answers<Inner>,
}

impl<O: Outer<Inner>, Inner: Mode> Landscape<2> for Moves<O, Inner> {
    fn value(&mut self, x: &Point<f64>) -> f64 {
        let y = self.answers.find(x, self.start);
        -self.answers.value(&y)
    }

    fn gradient(&mut self, _x: &Point<f64>) -> Point<f64> {
        self.outer.gradient(&mut self.answers)
    }
}

#[derive(Deserialize)]
struct Input {
    start: Point<f64>,
}

/// Finds the point that is best against its best answer, and that answer.
fn run<O: Outer<I> + Copy, I: Mode + Copy>(
    input: Box<RawValue>,
    outer: O,
    inner: I,
) -> Result<Measured, String> {
    let prepare = |input: &RawValue| Ok((read::<Input>(input)?.start, [0.0; 4]));
    let best = |(start, best): &mut (Point<f64>, [f64; 4])| {
        let answers = Answers { x: *start, inner, ys: Vec::new(), rates: Vec::new() };
        let mut moves = Moves { start: *start, outer, answers };
        let x = descend(&mut moves, *start);
        let y = moves.answers.find(&x, *start);
        *best = [x[0], x[1], y[0], y[1]];
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
