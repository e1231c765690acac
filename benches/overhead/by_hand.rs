//! The same programs in plain Rust, both directions written by hand.

use crate::checked::leapfrog::{GRAVITY, System, Vector};
use crate::checked::sparse::Csc;
use retrograde::prelude::Complex;
use std::f64::consts::FRAC_1_SQRT_2;

type C = Complex<f64>;

pub fn rrfib(out: &mut u64, n: u32) {
    let mut counter = n;
    while counter > 1 {
        rrfib(out, counter - 1);
        counter -= 2;
    }
    *out += 1;
}

pub fn rrfib_inverse(out: &mut u64, n: u32) {
    *out -= 1;
    let mut counter = n % 2;
    while counter != n {
        counter += 2;
        rrfib_inverse(out, counter - 1);
    }
}

pub fn log(y: &mut C, x: &C) {
    y.re += x.norm().ln();
    y.im += x.arg();
}

pub fn log_inverse(y: &mut C, x: &C) {
    y.im -= x.arg();
    y.re -= x.norm().ln();
}

pub fn affine(y: &mut [f64], w: &[f64], b: &[f64], x: &[f64]) {
    assert_eq!(w.len(), y.len() * x.len(), "W has a row for each y, a column for each x");
    for ((y, b), row) in y.iter_mut().zip(b).zip(w.chunks_exact(x.len())) {
        *y += row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b;
    }
}

pub fn affine_inverse(y: &mut [f64], w: &[f64], b: &[f64], x: &[f64]) {
    assert_eq!(w.len(), y.len() * x.len(), "W has a row for each y, a column for each x");
    for ((y, b), row) in y.iter_mut().zip(b).zip(w.chunks_exact(x.len())) {
        *y -= row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b;
    }
}

pub fn affine_by_columns(y: &mut [f64], w: &[f64], b: &[f64], x: &[f64]) {
    assert_eq!(w.len(), y.len() * x.len(), "W has a row for each y, a column for each x");
    for (column, x) in w.chunks_exact(y.len()).zip(x) {
        for (y, w) in y.iter_mut().zip(column) {
            *y += w * x;
        }
    }
    for (y, b) in y.iter_mut().zip(b) {
        *y += b;
    }
}

pub fn affine_by_columns_inverse(y: &mut [f64], w: &[f64], b: &[f64], x: &[f64]) {
    assert_eq!(w.len(), y.len() * x.len(), "W has a row for each y, a column for each x");
    for (y, b) in y.iter_mut().zip(b) {
        *y -= b;
    }
    for (column, x) in w.chunks_exact(y.len()).zip(x) {
        for (y, w) in y.iter_mut().zip(column) {
            *y -= w * x;
        }
    }
}

pub fn multiply(y: &mut [f64], a: &Csc<f64>, x: &[f64]) {
    assert_eq!((y.len(), x.len()), (a.rows, a.columns), "A fits y and x");
    for (bounds, x) in a.starts.windows(2).zip(x) {
        let column = bounds[0]..bounds[1];
        for (&i, a) in a.indices[column.clone()].iter().zip(&a.values[column]) {
            y[i] += a * x;
        }
    }
}

pub fn multiply_inverse(y: &mut [f64], a: &Csc<f64>, x: &[f64]) {
    assert_eq!((y.len(), x.len()), (a.rows, a.columns), "A fits y and x");
    for (bounds, x) in a.starts.windows(2).zip(x) {
        let column = bounds[0]..bounds[1];
        for (&i, a) in a.indices[column.clone()].iter().zip(&a.values[column]) {
            y[i] -= a * x;
        }
    }
}

pub fn step<const N: usize>(system: &mut System<f64, N>, dt: &f64) {
    for (r, v) in system.positions.iter_mut().zip(&system.velocities) {
        *r += *v * (0.5 * dt);
    }
    for i in 1..N {
        for j in 0..i {
            let (apart, pull) = attraction(system, i, j, *dt);
            system.velocities[i] += apart * (pull * system.masses[j]);
            system.velocities[j] -= apart * (pull * system.masses[i]);
        }
    }
    for (r, v) in system.positions.iter_mut().zip(&system.velocities) {
        *r += *v * (0.5 * dt);
    }
}

pub fn step_inverse<const N: usize>(system: &mut System<f64, N>, dt: &f64) {
    for (r, v) in system.positions.iter_mut().zip(&system.velocities) {
        *r -= *v * (0.5 * dt);
    }
    for i in 1..N {
        for j in 0..i {
            let (apart, pull) = attraction(system, i, j, *dt);
            system.velocities[i] -= apart * (pull * system.masses[j]);
            system.velocities[j] += apart * (pull * system.masses[i]);
        }
    }
    for (r, v) in system.positions.iter_mut().zip(&system.velocities) {
        *r -= *v * (0.5 * dt);
    }
}

#[inline]
fn attraction<const N: usize>(
    system: &System<f64, N>,
    i: usize,
    j: usize,
    dt: f64,
) -> (Vector<f64>, f64) {
    let apart = system.positions[j] - system.positions[i];
    let square = apart.inner(&apart);
    (apart, GRAVITY * dt / (square * square.sqrt()))
}

fn bit_reverse(x: &mut [C]) {
    let bits = x.len().ilog2();
    for i in 0..x.len() {
        let j = i.reverse_bits().checked_shr(usize::BITS - bits).unwrap_or(0);
        if i < j {
            x.swap(i, j);
        }
    }
}

fn butterflies(low: &mut [C], high: &mut [C], phases: &[C]) {
    assert!(low.len() == high.len() && low.len() == phases.len());
    for ((a, b), w) in low.iter_mut().zip(high).zip(phases) {
        let turned = *b * w;
        *b = (*a - turned) * FRAC_1_SQRT_2;
        *a = (*a + turned) * FRAC_1_SQRT_2;
    }
}

fn butterflies_inverse(low: &mut [C], high: &mut [C], phases: &[C]) {
    assert!(low.len() == high.len() && low.len() == phases.len());
    for ((a, b), w) in low.iter_mut().zip(high).zip(phases) {
        let difference = (*a - *b) * FRAC_1_SQRT_2;
        *a = (*a + *b) * FRAC_1_SQRT_2;
        *b = difference * w.conj();
    }
}

pub fn fft(x: &mut [C], phases: &[C]) {
    assert!(x.len().is_power_of_two(), "the length must be a power of two");
    assert_eq!(phases.len(), x.len() - 1, "the phases must be those of the length");
    bit_reverse(x);
    for stage in 0..x.len().ilog2() {
        let half = 1 << stage;
        let phases = &phases[half - 1..2 * half - 1];
        for block in x.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            butterflies(low, high, phases);
        }
    }
}

pub fn fft_inverse(x: &mut [C], phases: &[C]) {
    assert!(x.len().is_power_of_two(), "the length must be a power of two");
    assert_eq!(phases.len(), x.len() - 1, "the phases must be those of the length");
    for stage in (0..x.len().ilog2()).rev() {
        let half = 1 << stage;
        let phases = &phases[half - 1..2 * half - 1];
        for block in x.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            butterflies_inverse(low, high, phases);
        }
    }
    bit_reverse(x);
}
