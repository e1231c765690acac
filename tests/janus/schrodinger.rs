//! Schrödinger's equation on a ring, in integers: the wave comes back to the last bit.

use proptest::prelude::*;
use retrograde::prelude::*;

/// The bits behind the point of a number.
const POINT: u32 = 30;

fn product(a: i64, b: i64) -> i64 {
    (a * b) >> POINT
}

fn fixed(x: f64) -> i64 {
    (x * f64::from(1 << POINT)).round() as i64
}

/// One step in time: `x += H y`, then `y -= H x`, where `H` is the potential and the difference to
/// both neighbours.
#[reversible]
fn step(x: &mut [i64], y: &mut [i64], potential: &[i64], kinetic: i64) {
    let n = x.len();
    for i in 0..n {
        x[i] += product(potential[i] + 2 * kinetic, y[i]);
        x[i] -= product(kinetic, y[(i + 1) % n] + y[(i + n - 1) % n]);
    }
    for i in 0..n {
        y[i] -= product(potential[i] + 2 * kinetic, x[i]);
        y[i] += product(kinetic, x[(i + 1) % n] + x[(i + n - 1) % n]);
    }
}

#[reversible]
fn evolve(x: &mut [i64], y: &mut [i64], potential: &[i64], kinetic: i64, steps: usize) {
    for _ in 0..steps {
        step(x, y, potential, kinetic);
    }
}

/// A packet of waves around `centre`, that moves by `2 kinetic sin(k)` a step.
fn packet(n: usize, centre: f64, k: f64) -> (Vec<i64>, Vec<i64>) {
    let at = |i: usize| {
        let away = i as f64 - centre;
        let size = (-away * away / 200.0).exp();
        (fixed(size * (k * away).cos()), fixed(size * (k * away).sin()))
    };
    (0..n).map(at).unzip()
}

fn mean(x: &[i64], y: &[i64]) -> (f64, f64) {
    let density = |i: usize| (x[i] as f64).powi(2) + (y[i] as f64).powi(2);
    let norm: f64 = (0..x.len()).map(density).sum();
    ((0..x.len()).map(|i| i as f64 * density(i)).sum::<f64>() / norm, norm)
}

#[test]
fn a_free_packet_moves_and_comes_back() {
    let (n, k, kinetic, steps) = (256, 0.5_f64, 0.05, 1000);
    let (mut x, mut y) = packet(n, 80.0, k);
    let start = (x.clone(), y.clone());
    let (from, norm) = mean(&x, &y);
    let potential = vec![0; n];
    evolve(&mut x, &mut y, &potential, fixed(kinetic), steps);
    let (to, later) = mean(&x, &y);
    let expected = 2.0 * kinetic * k.sin() * steps as f64;
    assert!(
        (to - from - expected).abs() < 0.01 * expected,
        "from {from} to {to}, not by {expected}"
    );
    assert!((later / norm - 1.0).abs() < 1e-2, "{norm} became {later}");
    evolve::inverse(&mut x, &mut y, &potential, fixed(kinetic), steps);
    assert_eq!((x, y), start);
}

proptest! {
    #[test]
    fn there_and_back(
        wave in prop::collection::vec((-1.0..1.0, -1.0..1.0, 0.0..0.1), 1..20),
        steps in 0_usize..50,
    ) {
        let mut x: Vec<_> = wave.iter().map(|w| fixed(w.0)).collect();
        let mut y: Vec<_> = wave.iter().map(|w| fixed(w.1)).collect();
        let potential: Vec<_> = wave.iter().map(|w| fixed(w.2)).collect();
        let start = (x.clone(), y.clone());
        evolve(&mut x, &mut y, &potential, fixed(0.1), steps);
        evolve::inverse(&mut x, &mut y, &potential, fixed(0.1), steps);
        prop_assert_eq!((&x, &y), (&start.0, &start.1));
        evolve::inverse(&mut x, &mut y, &potential, fixed(0.1), steps);
        evolve(&mut x, &mut y, &potential, fixed(0.1), steps);
        prop_assert_eq!((x, y), start);
    }
}
