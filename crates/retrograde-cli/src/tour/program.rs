//! The programs of the tour, which prints parts of this very file.

use retrograde::prelude::*;

/// Adds the logarithm of `z` to `log`.
#[reversible]
pub fn complex_log(log: &mut Complex<f64>, z: &Complex<f64>) {
    #[compute]
    {
        let mut r2 = 0.0;
        r2 += z.re * z.re + z.im * z.im;
    }
    log.re += 0.5 * r2.ln();
    log.im += z.im.atan2(z.re);
}

/// A planet around a star, by leapfrog: `v` belongs half a step before `x`.
#[reversible]
pub fn orbit<T: Real>(x: &mut [T; 2], v: &mut [T; 2], dt: &T, steps: usize) {
    for _ in 0..steps {
        kick(v, x, dt);
        drift(x, v, dt);
    }
}

/// Gravity changes the velocity.
#[reversible]
pub fn kick<T: Real>(v: &mut [T; 2], x: &[T; 2], dt: &T) {
    let distance = x[0].hypot(x[1]);
    let pull = *dt / (distance * distance * distance);
    for k in 0..2 {
        v[k] -= pull * x[k];
    }
}

/// The velocity moves the planet.
#[reversible]
pub fn drift<T: Real>(x: &mut [T; 2], v: &[T; 2], dt: &T) {
    for k in 0..2 {
        x[k] += *dt * v[k];
    }
}
