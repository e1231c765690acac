//! The gradient of a long simulation needs no more memory than that of a short
//! one.

use retrograde::prelude::*;
use retrograde_reproduce::measure::heap;

/// A planet around a sun at the origin, by the leapfrog method.
#[reversible]
fn simulate<T: Real>(position: &mut [T], velocity: &mut [T], dt: &T, steps: usize) {
    for _ in 0..steps {
        drift(position, velocity, dt);
        kick(velocity, position, dt);
        drift(position, velocity, dt);
    }
}

#[reversible]
fn drift<T: Real>(position: &mut [T], velocity: &[T], dt: &T) {
    for (r, v) in position.iter_mut().zip(velocity) {
        *r += 0.5 * *dt * *v;
    }
}

#[reversible]
fn kick<T: Real>(velocity: &mut [T], position: &[T], dt: &T) {
    let square = position[0] * position[0] + position[1] * position[1];
    let pull = *dt / (square * square.sqrt());
    for (v, r) in velocity.iter_mut().zip(position) {
        *v -= pull * *r;
    }
}

/// The peak of the heap in the simulation and its adjoint, and the gradient of
/// where the planet ends.
fn peak_and_gradient(steps: usize) -> (u64, Vec<f64>) {
    let mut gradient = Vec::new();
    let used = heap(|| {
        let (mut r, mut v) = (vec![1.0, 0.0], vec![0.0, 1.0]);
        let (mut d_r, mut d_v) = (vec![1.0, 0.0], vec![0.0, 0.0]);
        let (dt, mut d_dt) = (1e-3, 0.0);
        simulate(&mut r, &mut v, &dt, steps);
        #[rustfmt::skip]
        simulate::adjoint(&mut r, &mut d_r, &mut v, &mut d_v, &dt, &mut d_dt, steps);
        let restored = [r[0] - 1.0, r[1], v[0], v[1] - 1.0];
        assert!(restored.iter().all(|x| x.abs() < 1e-6), "not back at the start: {restored:?}");
        gradient = [d_r, d_v, vec![d_dt]].concat();
    });
    (used.peak, gradient)
}

#[test]
fn a_thousand_times_as_long_takes_no_more_memory() {
    let (short, _) = peak_and_gradient(1_000);
    let (long, gradient) = peak_and_gradient(1_000_000);
    assert_eq!(short, long, "bytes on the heap after 10³ and 10⁶ steps");
    assert!(gradient.iter().all(|g| g.is_finite() && *g != 0.0), "{gradient:?}");
}

/// By differences, over a time in which nothing grows much.
#[test]
fn and_the_gradient_is_right() {
    let end = |dt: f64| {
        let (mut r, mut v) = ([1.0, 0.0], [0.0, 1.0]);
        simulate(&mut r, &mut v, &dt, 1_000);
        r[0]
    };
    let (_, gradient) = peak_and_gradient(1_000);
    let (dt, h) = (1e-3, 1e-8);
    let slope = (end(dt + h) - end(dt - h)) / (2.0 * h);
    let by_dt = gradient[4];
    assert!((by_dt - slope).abs() < 1e-5 * slope.abs(), "{by_dt} instead of {slope}");
}
