//! A step of the wave equation on a square grid, with damping.

use crate::programs::program::{Program, numbers};
use crate::programs::tapes::{Function, Number};
use retrograde::prelude::*;

/// Adds the next displacement inside of the border: `n × n` numbers row by row.
/// `speed` and `damping` may differ from place to place.
#[reversible]
pub fn step<T: Real>(
    next: &mut [T],
    now: &[T],
    before: &[T],
    speed: &[T],
    damping: &[T],
    n: usize,
) {
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            let k = i * n + j;
            let bend = now[k - n] + now[k - 1] + now[k + 1] + now[k + n] - 4.0 * now[k];
            let move_on = (1.0 - damping[k]) * (now[k] - before[k]);
            next[k] += now[k] + move_on + speed[k] * bend;
        }
    }
}

pub fn step_by_hand(
    next: &mut [f64],
    now: &[f64],
    before: &[f64],
    speed: &[f64],
    damping: &[f64],
    n: usize,
) {
    for start in (n..n * (n - 1)).step_by(n) {
        let inside = start + 1..start + n - 1;
        let around = now[start - n + 1..start - 1]
            .iter()
            .zip(&now[start..start + n - 2])
            .zip(&now[start + 2..start + n])
            .zip(&now[start + n + 1..start + 2 * n - 1]);
        let here = now[inside.clone()].iter().zip(&before[inside.clone()]);
        let medium = speed[inside.clone()].iter().zip(&damping[inside.clone()]);
        for (((next, (((up, left), right), down)), (u, old)), (c, d)) in
            next[inside].iter_mut().zip(around).zip(here).zip(medium)
        {
            let bend = up + left + right + down - 4.0 * u;
            *next += u + (1.0 - d) * (u - old) + c * bend;
        }
    }
}

/// The gradients of what is in a [`Grid`], and the displacement that `next` was before.
pub fn adjoint_by_hand(next: &mut [f64], d_next: &[f64], grid: &Grid, d_grid: &mut Grid, n: usize) {
    let mut d_bend = vec![0.0; n];
    for start in (n..n * (n - 1)).step_by(n) {
        let inside = start + 1..start + n - 1;
        let around = grid.now[start - n + 1..start - 1]
            .iter()
            .zip(&grid.now[start..start + n - 2])
            .zip(&grid.now[start + 2..start + n])
            .zip(&grid.now[start + n + 1..start + 2 * n - 1]);
        let here = grid.now[inside.clone()].iter().zip(&grid.before[inside.clone()]);
        let medium = grid.speed[inside.clone()].iter().zip(&grid.damping[inside.clone()]);
        let results = d_grid.before[inside.clone()]
            .iter_mut()
            .zip(&mut d_grid.speed[inside.clone()])
            .zip(&mut d_grid.damping[inside.clone()])
            .zip(&mut d_grid.now[inside.clone()])
            .zip(&mut d_bend[1..]);
        let next = next[inside.clone()].iter_mut().zip(&d_next[inside]);
        for (
            ((((next, g), (((up, left), right), down)), (u, old)), (c, d)),
            ((((d_old, d_c), d_d), d_u), d_bend),
        ) in next.zip(around).zip(here).zip(medium).zip(results)
        {
            let bend = up + left + right + down - 4.0 * u;
            *next -= u + (1.0 - d) * (u - old) + c * bend;
            let kept = g * (1.0 - d);
            *d_old -= kept;
            *d_d -= g * (u - old);
            *d_c += g * bend;
            *d_bend = g * c;
            *d_u += g + kept - 4.0 * (g * c);
        }
        spread(&d_bend, &mut d_grid.now, start, n);
    }
}

/// The gradients of what is in a [`Grid`].
pub fn gradient_by_hand(d_next: &[f64], grid: &Grid, d_grid: &mut Grid, n: usize) {
    // What the bend in a row is worth, between two zeros.
    let mut d_bend = vec![0.0; n];
    for start in (n..n * (n - 1)).step_by(n) {
        let inside = start + 1..start + n - 1;
        let around = grid.now[start - n + 1..start - 1]
            .iter()
            .zip(&grid.now[start..start + n - 2])
            .zip(&grid.now[start + 2..start + n])
            .zip(&grid.now[start + n + 1..start + 2 * n - 1]);
        let here = grid.now[inside.clone()].iter().zip(&grid.before[inside.clone()]);
        let medium = grid.speed[inside.clone()].iter().zip(&grid.damping[inside.clone()]);
        let results = d_grid.before[inside.clone()]
            .iter_mut()
            .zip(&mut d_grid.speed[inside.clone()])
            .zip(&mut d_grid.damping[inside.clone()])
            .zip(&mut d_grid.now[inside.clone()])
            .zip(&mut d_bend[1..]);
        for (
            (((g, (((up, left), right), down)), (u, old)), (c, d)),
            ((((d_old, d_c), d_d), d_u), d_bend),
        ) in d_next[inside.clone()].iter().zip(around).zip(here).zip(medium).zip(results)
        {
            let kept = g * (1.0 - d);
            *d_old -= kept;
            *d_d -= g * (u - old);
            *d_c += g * (up + left + right + down - 4.0 * u);
            *d_bend = g * c;
            *d_u += g + kept - 4.0 * (g * c);
        }
        spread(&d_bend, &mut d_grid.now, start, n);
    }
}

/// What the bend in the row from `start` on is worth to the neighbours.
fn spread(d_bend: &[f64], d_now: &mut [f64], start: usize, n: usize) {
    let inner = &d_bend[1..n - 1];
    add(&mut d_now[start - n + 1..start - 1], inner);
    add(&mut d_now[start + n + 1..start + 2 * n - 1], inner);
    let sides = d_bend[2..].iter().zip(d_bend);
    let row = &mut d_now[start..start + n];
    row[0] += d_bend[1];
    row[n - 1] += d_bend[n - 2];
    for (d_u, (right, left)) in row[1..n - 1].iter_mut().zip(sides) {
        *d_u += left + right;
    }
}

fn add(ys: &mut [f64], xs: &[f64]) {
    for (y, x) in ys.iter_mut().zip(xs) {
        *y += x;
    }
}

/// What the step depends on.
#[derive(Clone)]
pub struct Grid {
    now: Vec<f64>,
    before: Vec<f64>,
    speed: Vec<f64>,
    damping: Vec<f64>,
}

impl Grid {
    fn parts(&self) -> [&[f64]; 4] {
        [&self.now, &self.before, &self.speed, &self.damping]
    }
}

/// A grid of `n × n`.
pub struct Wave {
    n: usize,
    /// The gradient with respect to the next displacement.
    seed: Vec<f64>,
}

#[derive(Clone)]
pub struct State {
    next: Vec<f64>,
    d_next: Vec<f64>,
    grid: Grid,
    d_grid: Grid,
    n: usize,
}

impl Wave {
    pub fn new(n: usize) -> Self {
        Wave { n, seed: numbers(1, n * n) }
    }
}

impl Function for Wave {
    fn value<N: Number>(&self, x: &[N]) -> N {
        let Wave { n, ref seed } = *self;
        let mut parts = x.chunks_exact(n * n);
        let mut part = || parts.next().expect("four parts");
        let (now, before, speed, damping) = (part(), part(), part(), part());
        let inside = (1..n - 1).flat_map(|i| (1..n - 1).map(move |j| i * n + j));
        N::sum(inside.map(|k| {
            let around = now[k - n] + now[k - 1] + now[k + 1] + now[k + n];
            let bend = around - now[k].scaled(4.0);
            let kept = (-damping[k]).shifted(1.0) * (now[k] - before[k]);
            (now[k] + kept + speed[k] * bend).scaled(seed[k])
        }))
    }
}

impl Program for Wave {
    type State = State;

    fn name(&self) -> String {
        format!("wave, {0} x {0}", self.n)
    }

    fn by_hand(&self) -> &'static str {
        "the adjoint restores what was there"
    }

    fn start(&self) -> State {
        let size = self.n * self.n;
        let part = |seed| numbers(seed, size);
        let zeros = || vec![0.0; size];
        State {
            next: zeros(),
            d_next: self.seed.clone(),
            grid: Grid { now: part(2), before: part(3), speed: part(4), damping: part(5) },
            d_grid: Grid { now: zeros(), before: zeros(), speed: zeros(), damping: zeros() },
            n: self.n,
        }
    }

    fn value_by_hand(state: &mut State) {
        let Grid { now, before, speed, damping } = &state.grid;
        step_by_hand(&mut state.next, now, before, speed, damping, state.n);
    }

    fn call(state: &mut State) {
        let Grid { now, before, speed, damping } = &state.grid;
        step(&mut state.next, now, before, speed, damping, state.n);
    }

    fn adjoint_by_hand(state: &mut State) {
        let State { next, d_next, grid, d_grid, n } = state;
        adjoint_by_hand(next, d_next, grid, d_grid, *n);
    }

    fn gradient_by_hand(state: &mut State) {
        gradient_by_hand(&state.d_next, &state.grid, &mut state.d_grid, state.n);
    }

    #[rustfmt::skip]
    fn adjoint(state: &mut State) {
        let State { next, d_next, grid, d_grid, n } = state;
        step::adjoint(
            next, d_next, &grid.now, &mut d_grid.now, &grid.before, &mut d_grid.before,
            &grid.speed, &mut d_grid.speed, &grid.damping, &mut d_grid.damping, *n,
        );
    }

    fn gradient_alone(state: &mut State) {
        let State { next, d_next, grid, d_grid, n } = state;
        step {}.call_gradient((
            &mut next[..],
            &mut d_next[..],
            &grid.now[..],
            &mut d_grid.now[..],
            &grid.before[..],
            &mut d_grid.before[..],
            &grid.speed[..],
            &mut d_grid.speed[..],
            &grid.damping[..],
            &mut d_grid.damping[..],
            *n,
        ));
    }

    fn arguments(state: &State) -> Vec<f64> {
        state.grid.parts().concat()
    }

    fn gradient(state: &State) -> Vec<f64> {
        state.d_grid.parts().concat()
    }
}
