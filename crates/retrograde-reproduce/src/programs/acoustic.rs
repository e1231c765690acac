//! The acoustic wave as one would simulate it without the language.

use retrograde_examples::wave::{Ground, Survey, Wave};

/// A step in place: two displacements take turns.
pub fn step_in_place(wave: &mut Wave, ground: &Ground, survey: &Survey, t: usize) {
    let (w, h, dt) = (survey.width, survey.spacing, survey.dt);
    let (share, pull) = ((dt / h).powi(2), dt * dt / (2.0 * h));
    let n = w - 2;
    let taus = &survey.damping[1..][..n];
    for (row, &sigma) in (0..).step_by(w).zip(&survey.damping).skip(1).take(n) {
        let next = &mut wave.before[row + 1..][..n];
        let here = &wave.now[row..][..w];
        let above = &wave.now[row - w + 1..][..n];
        let below = &wave.now[row + w + 1..][..n];
        let phi_above = &wave.phi[row - w + 1..][..n];
        let phi_below = &wave.phi[row + w + 1..][..n];
        let psi = &wave.psi[row..][..w];
        let speed = &ground.speed[row + 1..][..n];
        for j in 0..n {
            let (tau, u) = (taus[j], here[j + 1]);
            let drag = (sigma + tau) * dt / 2.0;
            let bend = above[j] + here[j] + here[j + 2] + below[j] - 4.0 * u;
            let layers = phi_below[j] - phi_above[j] + psi[j + 2] - psi[j];
            let moved = (2.0 - sigma * tau * dt * dt) * u - (1.0 - drag) * next[j];
            next[j] = (moved + share * speed[j] * bend + pull * layers) / (1.0 + drag);
        }
    }
    std::mem::swap(&mut wave.before, &mut wave.now);
    let share = dt / (2.0 * h);
    for (row, &sigma) in (0..).step_by(w).zip(&survey.damping).skip(1).take(n) {
        let here = &wave.now[row..][..w];
        let above = &wave.now[row - w + 1..][..n];
        let below = &wave.now[row + w + 1..][..n];
        let phi = &mut wave.phi[row + 1..][..n];
        let psi = &mut wave.psi[row + 1..][..n];
        let speed = &ground.speed[row + 1..][..n];
        for j in 0..n {
            let turn = share * (taus[j] - sigma) * speed[j];
            phi[j] = (1.0 - dt * sigma) * phi[j] + turn * (below[j] - above[j]);
            psi[j] = (1.0 - dt * taus[j]) * psi[j] - turn * (here[j + 2] - here[j]);
        }
    }
    wave.now[survey.source] += ground.source[t] * dt * dt;
    let n = survey.detectors.len();
    for (&place, recorded) in survey.detectors.iter().zip(&survey.recorded[t * n..]) {
        wave.loss += (wave.now[place] - recorded).powi(2);
    }
}

/// All steps.
pub fn simulate(survey: &Survey, ground: &Ground) -> Wave {
    let mut wave = survey.calm();
    for t in 0..ground.source.len() {
        step_in_place(&mut wave, ground, survey, t);
    }
    wave
}
