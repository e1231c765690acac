//! The solar system by the leapfrog method: the program of the example.

use crate::programs::program::{Program, numbers};
use crate::programs::tapes::{Function, Number};
use retrograde::Adjoint;
use retrograde::num::Real;
use retrograde_examples::leapfrog::{GRAVITY, NEPTUNE_AND_PLUTO, System, Vector, run};

const N: usize = 10;

pub fn run_by_hand<T: Real + Copy>(system: &mut System<T, N>, dt: T, steps: usize) {
    let System { masses, positions, velocities } = system;
    let half = T::from_f64(0.5) * dt;
    for _ in 0..steps {
        drift(positions, velocities, half);
        kick(velocities, positions, masses, dt);
        drift(positions, velocities, half);
    }
}

#[inline]
fn drift<T: Real + Copy>(positions: &mut [Vector<T>; N], velocities: &[Vector<T>; N], dt: T) {
    for (r, v) in positions.iter_mut().zip(velocities) {
        *r += *v * dt;
    }
}

#[inline]
fn kick<T: Real + Copy>(
    velocities: &mut [Vector<T>; N],
    positions: &[Vector<T>; N],
    masses: &[T; N],
    dt: T,
) {
    let strength = T::from_f64(GRAVITY) * dt;
    for i in 1..N {
        for j in 0..i {
            let apart = positions[j] - positions[i];
            let square = apart.inner(&apart);
            let pull = strength / (square * square.sqrt());
            velocities[i] += apart * (pull * masses[j]);
            velocities[j] -= apart * (pull * masses[i]);
        }
    }
}

/// Each pair is a value and its gradient.
pub fn adjoint_by_hand(
    (system, shadow): (&mut System<f64, N>, &mut System<f64, N>),
    (dt, d_dt): (f64, &mut f64),
    steps: usize,
) {
    for _ in 0..steps {
        drift_adjoint((system, shadow), (0.5 * dt, d_dt));
        kick_adjoint((system, shadow), (dt, d_dt));
        drift_adjoint((system, shadow), (0.5 * dt, d_dt));
    }
}

/// Of half a step.
fn drift_adjoint(
    (system, shadow): (&mut System<f64, N>, &mut System<f64, N>),
    (half, d_dt): (f64, &mut f64),
) {
    let positions = system.positions.iter_mut().zip(&shadow.positions);
    let velocities = system.velocities.iter().zip(&mut shadow.velocities);
    let mut sum = 0.0;
    for ((r, d_r), (v, d_v)) in positions.zip(velocities) {
        *r -= *v * half;
        *d_v += *d_r * half;
        sum += d_r.inner(v);
    }
    *d_dt += 0.5 * sum;
}

fn kick_adjoint(
    (system, shadow): (&mut System<f64, N>, &mut System<f64, N>),
    (dt, d_dt): (f64, &mut f64),
) {
    let mut sum = 0.0;
    for i in 1..N {
        for j in 0..i {
            let apart = system.positions[j] - system.positions[i];
            let square = apart.inner(&apart);
            let pull = GRAVITY * dt / (square * square.sqrt());
            let (m_i, m_j) = (system.masses[i], system.masses[j]);
            system.velocities[i] -= apart * (pull * m_j);
            system.velocities[j] += apart * (pull * m_i);

            let (g_i, g_j) = (shadow.velocities[i], shadow.velocities[j]);
            let (along_i, along_j) = (g_i.inner(&apart), g_j.inner(&apart));
            shadow.masses[j] += pull * along_i;
            shadow.masses[i] -= pull * along_j;
            let d_pull = along_i * m_j - along_j * m_i;
            sum += d_pull * pull;
            let d_apart = (g_i * m_j - g_j * m_i - apart * (3.0 * d_pull / square)) * pull;
            shadow.positions[j] += d_apart;
            shadow.positions[i] -= d_apart;
        }
    }
    *d_dt += sum / dt;
}

pub struct Leapfrog {
    pub steps: usize,
}

#[derive(Clone)]
pub struct State {
    system: System<f64, N>,
    shadow: System<f64, N>,
    dt: f64,
    d_dt: f64,
    steps: usize,
}

/// The gradient with respect to the end.
fn seed() -> Vec<f64> {
    numbers(5, 6 * N)
}

fn vectors(numbers: &[f64]) -> [Vector<f64>; N] {
    std::array::from_fn(|k| Vector {
        x: numbers[3 * k],
        y: numbers[3 * k + 1],
        z: numbers[3 * k + 2],
    })
}

/// Masses, positions, velocities and the step, one after the other.
pub fn flat(system: &System<f64, N>, dt: f64) -> Vec<f64> {
    let vectors = system.positions.iter().chain(&system.velocities);
    let components = vectors.flat_map(|v| [v.x, v.y, v.z]);
    system.masses.iter().copied().chain(components).chain([dt]).collect()
}

impl Function for Leapfrog {
    fn value<S: Number>(&self, x: &[S]) -> S {
        let vectors = positions_and_velocities(x, self.steps);
        S::sum(vectors.iter().flatten().zip(seed()).map(|(x, w)| x.scaled(w)))
    }
}

/// How far Neptune is from Pluto after so many steps.
pub struct Separation {
    pub steps: usize,
}

impl Function for Separation {
    fn value<S: Number>(&self, x: &[S]) -> S {
        let positions = positions_and_velocities(x, self.steps);
        let (a, b) = NEPTUNE_AND_PLUTO;
        let apart = (0..3).map(|k| positions[a][k] - positions[b][k]);
        S::sum(apart.map(|x| x * x)).sqrt()
    }
}

/// All positions, then all velocities, after some steps from where [`flat`] begins.
fn positions_and_velocities<S: Number>(x: &[S], steps: usize) -> Vec<[S; 3]> {
    let (masses, x) = x.split_at(N);
    let (vectors, dt) = x.split_at(6 * N);
    let dt = dt[0];
    let mut vectors: Vec<[S; 3]> = vectors.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
    let (positions, velocities) = vectors.split_at_mut(N);
    for _ in 0..steps {
        let half = dt.scaled(0.5);
        move_by(positions, velocities, half);
        let strength = dt.scaled(GRAVITY);
        for i in 1..N {
            for j in 0..i {
                let apart: [S; 3] = std::array::from_fn(|k| positions[j][k] - positions[i][k]);
                let square = S::sum(apart.map(|x| x * x));
                let pull = strength / (square * square.sqrt());
                let (pull_i, pull_j) = (pull * masses[j], pull * masses[i]);
                for k in 0..3 {
                    velocities[i][k] = velocities[i][k] + apart[k] * pull_i;
                    velocities[j][k] = velocities[j][k] - apart[k] * pull_j;
                }
            }
        }
        move_by(positions, velocities, half);
    }
    vectors
}

fn move_by<S: Number>(positions: &mut [[S; 3]], velocities: &[[S; 3]], dt: S) {
    for (r, v) in positions.iter_mut().flatten().zip(velocities.iter().flatten()) {
        *r = *r + *v * dt;
    }
}

impl Program for Leapfrog {
    type State = State;

    fn name(&self) -> String {
        match self.steps {
            1 => "leapfrog, ten bodies".into(),
            steps => format!("the same, {steps} steps"),
        }
    }

    fn by_hand(&self) -> &'static str {
        "restores the bodies"
    }

    fn start(&self) -> State {
        let (positions, velocities) = (vectors(&seed()), vectors(&seed()[3 * N..]));
        State {
            system: System::solar(),
            shadow: System { masses: [0.0; N], positions, velocities },
            dt: 1e-3,
            d_dt: 0.0,
            steps: self.steps,
        }
    }

    fn value_by_hand(state: &mut State) {
        run_by_hand(&mut state.system, state.dt, state.steps);
    }

    fn call(state: &mut State) {
        run(&mut state.system, &state.dt, state.steps);
    }

    fn adjoint_by_hand(state: &mut State) {
        let system = (&mut state.system, &mut state.shadow);
        adjoint_by_hand(system, (state.dt, &mut state.d_dt), state.steps);
    }

    fn adjoint(state: &mut State) {
        let State { system, shadow, dt, d_dt, steps } = state;
        run::adjoint(system, shadow, dt, d_dt, *steps);
    }

    fn gradient_alone(state: &mut State) {
        let State { system, shadow, dt, d_dt, steps } = state;
        run {}.call_gradient((system, shadow, &*dt, d_dt, *steps));
    }

    fn arguments(state: &State) -> Vec<f64> {
        flat(&state.system, state.dt)
    }

    fn gradient(state: &State) -> Vec<f64> {
        flat(&state.shadow, state.d_dt)
    }
}
