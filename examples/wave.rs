//! What lies in the ground, from the waves that come back.
//!
//! A source shakes the ground, and detectors record the waves. How far a simulation is from
//! the record is the loss, and its gradient with respect to the squared speed at each of
//! thousands of places says where the ground is other than was thought. The layers around
//! the ground swallow the waves that leave it, so no step can be undone, and all states of
//! a long run would not fit into the memory: the gradient takes a schedule.
//!
//! `cargo run --release --example wave`

use retrograde::calculus::With;
use retrograde::prelude::*;
use retrograde::schedule::{Memory, Run, RunGradient, Schedule};
use std::f64::consts::{PI, TAU};
use std::time::Instant;

/// The wave at a time: the displacements before and now, row by row, what the absorbing
/// layers remember of them in both directions, and the loss so far.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Wave {
    pub before: Vec<f64>,
    pub now: Vec<f64>,
    pub phi: Vec<f64>,
    pub psi: Vec<f64>,
    pub loss: f64,
}

/// What the gradient is taken of: the squared speed at each place, and what the source
/// does at each step.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Ground {
    pub speed: Vec<f64>,
    pub source: Vec<f64>,
}

/// The rest, which has no gradient.
#[derive(Clone, Debug)]
pub struct Survey {
    /// How many places are in a row, the border included.
    pub width: usize,
    /// The distance of two places, and the time of a step.
    pub spacing: f64,
    pub dt: f64,
    /// How strongly each row, or column, is damped.
    pub damping: Vec<f64>,
    /// Where the source is.
    pub source: usize,
    /// Where the detectors are, and what they have recorded, step by step.
    pub detectors: Vec<usize>,
    pub recorded: Vec<f64>,
}

/// Adds the displacements before and after the next step, inside of the border.
#[reversible]
#[allow(clippy::too_many_arguments)]
pub fn displace(
    next: &mut [f64],
    next_before: &mut [f64],
    u: &[f64],
    before: &[f64],
    phi: &[f64],
    psi: &[f64],
    speed: &[f64],
    #[constant] damping: &[f64],
    #[constant] survey: &Survey,
) {
    let (w, h, dt) = (survey.width, survey.spacing, survey.dt);
    let (share, pull) = ((dt / h).powi(2), dt * dt / (2.0 * h));
    for i in 1..w - 1 {
        let sigma = damping[i];
        for j in 1..w - 1 {
            let k = i * w + j;
            let tau = damping[j];
            let drag = (sigma + tau) * dt / 2.0;
            let bend = u[k - w] + u[k - 1] + u[k + 1] + u[k + w] - 4.0 * u[k];
            let layers = phi[k + w] - phi[k - w] + psi[k + 1] - psi[k - 1];
            let moved = (2.0 - sigma * tau * dt * dt) * u[k] - (1.0 - drag) * before[k];
            next[k] += (moved + share * speed[k] * bend + pull * layers) / (1.0 + drag);
            next_before[k] += u[k];
        }
    }
}

/// Adds what the layers remember next.
#[reversible]
#[allow(clippy::too_many_arguments)]
pub fn absorb(
    next_phi: &mut [f64],
    next_psi: &mut [f64],
    u: &[f64],
    phi: &[f64],
    psi: &[f64],
    speed: &[f64],
    #[constant] damping: &[f64],
    #[constant] survey: &Survey,
) {
    let (w, dt) = (survey.width, survey.dt);
    let share = dt / (2.0 * survey.spacing);
    for i in 1..w - 1 {
        let sigma = damping[i];
        for j in 1..w - 1 {
            let k = i * w + j;
            let tau = damping[j];
            let turn = share * (tau - sigma) * speed[k];
            next_phi[k] += (1.0 - dt * sigma) * phi[k] + turn * (u[k + w] - u[k - w]);
            next_psi[k] += (1.0 - dt * tau) * psi[k] - turn * (u[k + 1] - u[k - 1]);
        }
    }
}

/// The next state.
#[reversible]
pub fn step(next: &mut Wave, now: &Wave, ground: &Ground, t: usize, #[constant] survey: &Survey) {
    let (speed, damping) = (&ground.speed, &survey.damping);
    displace(
        &mut next.now,
        &mut next.before,
        &now.now,
        &now.before,
        &now.phi,
        &now.psi,
        speed,
        damping,
        survey,
    );
    absorb(&mut next.phi, &mut next.psi, &next.now, &now.phi, &now.psi, speed, damping, survey);
    next.now[survey.source] += ground.source[t] * survey.dt * survey.dt;
    next.loss += now.loss;
    let n = survey.detectors.len();
    for i in 0..n {
        next.loss += (next.now[survey.detectors[i]] - survey.recorded[t * n + i]).powi(2);
    }
}

impl Survey {
    /// A square of `n × n` places and a border, with the source in the middle. The
    /// detectors have recorded silence.
    pub fn new(n: usize, dt: f64, detectors: Vec<usize>, steps: usize) -> Self {
        let (width, spacing) = (n + 2, 20.0);
        let middle = n / 2 - 1;
        Survey {
            width,
            spacing,
            dt,
            damping: (0..width).map(|i| damping(i.min(width - 1 - i), spacing)).collect(),
            source: middle * width + middle,
            recorded: vec![0.0; steps * detectors.len()],
            detectors,
        }
    }

    /// Everywhere the same speed, whose square is given.
    pub fn ground(&self, speed: f64, source: Vec<f64>) -> Ground {
        Ground { speed: vec![speed; self.width * self.width], source }
    }

    /// Before the source has begun.
    pub fn calm(&self) -> Wave {
        let zeros = || vec![0.0; self.width * self.width];
        Wave { before: zeros(), now: zeros(), phi: zeros(), psi: zeros(), loss: 0.0 }
    }

    /// The state after so many steps.
    pub fn simulate(&self, ground: &Ground, steps: usize) -> Wave {
        let run = Run::new(With(step {}, (self,)), steps, Schedule::StoreAll);
        let mut end = self.calm();
        run.call((&mut end, &self.calm(), ground));
        end
    }

    /// What the detectors would record.
    pub fn record(&self, ground: &Ground) -> Vec<f64> {
        let mut recorded = Vec::new();
        let mut now = self.calm();
        for t in 0..ground.source.len() {
            let mut next = self.calm();
            step(&mut next, &now, ground, t, self);
            recorded.extend(self.detectors.iter().map(|&place| next.now[place]));
            now = next;
        }
        recorded
    }

    /// The gradient of the loss. A descent takes one after the other in the same memory.
    pub fn gradient(
        &self,
        ground: &Ground,
        schedule: Schedule,
        memory: &mut Memory<Wave>,
    ) -> RunGradient<Wave, Ground> {
        let run = Run::new(With(step {}, (self,)), ground.source.len(), schedule);
        run.gradient_in(memory, &self.calm(), ground, |_end, d_end| d_end.loss = 1.0)
    }
}

/// At a place so many places from the edge: nothing inside of the layer, and more and more
/// within it.
fn damping(from_edge: usize, spacing: f64) -> f64 {
    const PLACES: usize = 12;
    const REFLECTED: f64 = 0.2;
    const SPEED: f64 = 1000.0;
    let thickness = PLACES as f64 * spacing;
    let depth = PLACES.saturating_sub(from_edge) as f64 / PLACES as f64;
    SPEED / thickness * (1.0 / REFLECTED).ln() * (depth - (TAU * depth).sin() / TAU)
}

/// Ricker's wavelet: a hill between two valleys, so many steps wide.
pub fn ricker(steps: usize, width: f64, centre: f64) -> Vec<f64> {
    let height = 2.0 / ((3.0 * width).sqrt() * PI.powf(0.25));
    let square = |t: usize| (((t + 1) as f64 - centre) / width).powi(2);
    let value = |x2: f64| height * (1.0 - x2) * (-x2 / 2.0).exp();
    (0..steps).map(square).map(value).collect()
}

/// A survey of a ground of `n × n` places which has a spot where waves are faster: what was
/// recorded, and the ground without the spot.
pub fn hidden_spot(n: usize, steps: usize) -> (Survey, Ground) {
    let row = 15 * (n + 2);
    let detectors = (row + 15..row + n - 15).step_by(3).collect();
    let mut survey = Survey::new(n, 0.2, detectors, steps);
    survey.source = row + n / 2;
    let plain = survey.ground(1000.0, ricker(steps, 15.0, 60.0));
    let mut spotted = plain.clone();
    let (y, x) = (n / 2, 2 * n / 3);
    for i in y..y + 6 {
        spotted.speed[i * (n + 2) + x..][..6].fill(1300.0);
    }
    survey.recorded = survey.record(&spotted);
    (survey, plain)
}

fn main() {
    let (n, steps) = (100, 600);
    let (survey, ground) = hidden_spot(n, steps);
    println!("{n} x {n} places, {steps} steps; the gradient with respect to all speeds\n");
    println!("{:<30} {:>7} {:>7} {:>10}", "", "steps", "states", "time");
    let schedules = [
        Schedule::StoreAll,
        Schedule::Treeverse { checkpoints: 20 },
        Schedule::Treeverse { checkpoints: 5 },
        Schedule::Bennett { blocks: 10 },
    ];
    let mut gradient = Vec::new();
    for schedule in schedules {
        let begin = Instant::now();
        let at = survey.gradient(&ground, schedule, &mut Memory::new());
        let time = begin.elapsed().as_secs_f64() * 1e3;
        let taken = at.report.forward + at.report.inverse;
        println!("{schedule:<30} {taken:>7} {:>7} {time:>7.1} ms", at.report.buffers);
        gradient = at.d_parameters.speed;
    }
    let place = steepest(&gradient);
    println!("\nthe speed is too low at row {}, column {}", place / (n + 2), place % (n + 2));
}

/// Where more speed makes the loss smaller the most.
pub fn steepest(gradient: &[f64]) -> usize {
    let places = 0..gradient.len();
    places.min_by(|&a, &b| gradient[a].total_cmp(&gradient[b])).expect("there are places")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found / expected - 1.0).abs() < tolerance, "{found} {expected}");
    }

    /// As computed by Julia for the same scheme.
    #[test]
    fn two_thousand_steps() {
        let steps = 1999;
        let survey = Survey::new(100, 0.05, (0..102 * 102).collect(), steps);
        let ground = survey.ground(1000.0, ricker(steps, 100.0, 500.0));
        let end = survey.simulate(&ground, steps);
        close(end.loss, 10.931466822080788, 1e-11);
        let squares: f64 = end.now.iter().map(|u| u * u).sum();
        close(squares, 6.234873084873294e-5, 1e-9);
    }

    #[test]
    fn gradients_are_quotients_of_differences() {
        let (survey, ground) = hidden_spot(40, 150);
        let loss = |ground: &Ground| survey.simulate(ground, 150).loss;
        let at =
            survey.gradient(&ground, Schedule::Treeverse { checkpoints: 6 }, &mut Memory::new());
        assert_eq!(at.end.loss, loss(&ground));
        let quotient = |change: &dyn Fn(&mut Ground, f64), by: f64| {
            let [mut more, mut less] = [ground.clone(), ground.clone()];
            change(&mut more, by);
            change(&mut less, -by);
            (loss(&more) - loss(&less)) / (2.0 * by)
        };
        // In the layers, at the source, and inside.
        for place in [3 * 42 + 20, 15 * 42 + 20, 17 * 42 + 4, 20 * 42 + 26] {
            let expected = quotient(&|ground, by| ground.speed[place] += by, 0.05);
            close(at.d_parameters.speed[place], expected, 1e-5);
        }
        for t in [0, 50, 100] {
            let expected = quotient(&|ground, by| ground.source[t] += by, 1e-3);
            close(at.d_parameters.source[t], expected, 1e-5);
        }
    }

    #[test]
    fn all_schedules_have_the_same_gradient() {
        let (survey, ground) = hidden_spot(40, 60);
        let mut memory = Memory::new();
        let stored = survey.gradient(&ground, Schedule::StoreAll, &mut memory);
        let others = [
            Schedule::Treeverse { checkpoints: 3 },
            Schedule::Bennett { blocks: 3 },
            Schedule::RecomputeAll,
        ];
        for schedule in others {
            let at = survey.gradient(&ground, schedule, &mut memory);
            assert_eq!(at.d_parameters, stored.d_parameters, "{schedule}");
        }
    }

    #[test]
    fn a_run_can_be_undone() {
        let (survey, ground) = hidden_spot(40, 50);
        let run = Run::new(With(step {}, (&survey,)), 50, Schedule::Bennett { blocks: 3 });
        let mut end = survey.calm();
        run.call((&mut end, &survey.calm(), &ground));
        let most = |wave: &Wave| wave.now.iter().fold(0.0_f64, |most, u| most.max(u.abs()));
        assert!(most(&end) > 1e-3);
        run.call_inverse((&mut end, &survey.calm(), &ground));
        // At the source, two numbers were added.
        assert!(most(&end) < 1e-17 && end.phi == survey.calm().phi && end.loss.abs() < 1e-17);
    }

    #[test]
    fn the_spot_is_found() {
        let (survey, ground) = hidden_spot(100, 600);
        let at =
            survey.gradient(&ground, Schedule::Treeverse { checkpoints: 20 }, &mut Memory::new());
        let place = steepest(&at.d_parameters.speed);
        let (row, column) = (place / 102, place % 102);
        assert!((48..58).contains(&row) && (64..74).contains(&column), "{row} {column}");
    }
}
