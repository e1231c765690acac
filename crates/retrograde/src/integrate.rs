//! Symplectic integrators, which are undone by subtracting what they added.
//!
//! A system has positions `x` and velocities `v`, with `x′ = v` and `v′ = a(x, parameters)`. An
//! integrator alternates *drifts*, `x += v dt`, with *kicks*, `v += a dt`. The drift is [`drift()`];
//! the kick is yours, a reversible function that is passed [as a value](crate::Reversible):
//!
//! ```
//! use retrograde::integrate::pefrl;
//! use retrograde::prelude::*;
//!
//! /// A planet around a sun of the given mass.
//! #[reversible]
//! fn gravity<T: Real>(v: &mut [T], x: &[T], mass: &T, dt: &T) {
//!     let square = x[0] * x[0] + x[1] * x[1];
//!     let pull = *mass * *dt / (square * square.sqrt());
//!     v[0] -= pull * x[0];
//!     v[1] -= pull * x[1];
//! }
//!
//! // Once round, and back.
//! let (mut x, mut v, mass, dt) = ([1.0, 0.0], [0.0, 1.0], 1.0, std::f64::consts::TAU / 200.0);
//! pefrl(&gravity {}, &mut x, &mut v, &mass, &dt, 200);
//! assert!((x[0] - 1.0).abs() < 1e-7 && x[1].abs() < 1e-5);
//!
//! // How the end changes with the mass.
//! let (mut d_x, mut d_v, mut d_mass, mut d_dt) = ([0.0, 1.0], [0.0; 2], 0.0, 0.0);
//! pefrl::adjoint(
//!     &gravity {}, &mut x, &mut d_x, &mut v, &mut d_v, &mass, &mut d_mass, &dt, &mut d_dt, 200,
//! );
//! assert!((x[0] - 1.0).abs() < 1e-12 && (d_mass - 4.0 * std::f64::consts::PI).abs() < 1e-4);
//! ```
//!
//! | integrator | kicks in a step | the error falls with |
//! |---|---|---|
//! | [`leapfrog()`] | 1 | `dt²` |
//! | [`forest_ruth()`] | 3 | `dt⁴` |
//! | [`pefrl()`] | 4 | `dt⁴`, with a factor about 26 times as small |
//!
//! Each comes as one step and as many. To watch the steps, write the loop yourself, and what
//! watches in a `host!` beside [`leapfrog_step()`] or its like. On floats everything comes back up
//! to round-off, in [`Fixed`] point exactly.
//!
//! A force that depends on velocities, such as friction, makes a kick that reads what it writes,
//! and the compiler says so.

use crate::prelude::*;

/// The bodies move freely: `x += v dt`.
#[reversible]
#[inline]
pub fn drift<T: Real>(x: &mut [T], v: &[T], dt: &T) {
    for (x, v) in x.iter_mut().zip(v) {
        *x += *v * *dt;
    }
}

/// One step of [`leapfrog()`].
#[reversible]
#[inline]
pub fn leapfrog_step<F, T, P>(kick: &F, x: &mut [T], v: &mut [T], parameters: &P, dt: &T)
where
    F: for<'a> Reversible<(&'a mut [T], &'a [T], &'a P, &'a T)>,
    T: Real,
    P: ?Sized,
{
    let half = 0.5 * *dt;
    drift(x, v, &half);
    kick(v, x, parameters, dt);
    drift(x, v, &half);
}

/// The leapfrog method, of second order: half a drift, a kick, half a drift.
///
/// `kick(v, x, parameters, dt)` adds `a(x, parameters) dt` to `v`.
#[reversible]
pub fn leapfrog<F, T, P>(kick: &F, x: &mut [T], v: &mut [T], parameters: &P, dt: &T, steps: usize)
where
    F: for<'a> Reversible<(&'a mut [T], &'a [T], &'a P, &'a T)>,
    T: Real,
    P: ?Sized,
{
    for _ in 0..steps {
        leapfrog_step(kick, x, v, parameters, dt);
    }
}

/// `1 / (2 − ∛2)`
const THETA: f64 = 1.351_207_191_959_657_6;

/// One step of [`forest_ruth()`].
#[reversible]
#[inline]
pub fn forest_ruth_step<F, T, P>(kick: &F, x: &mut [T], v: &mut [T], parameters: &P, dt: &T)
where
    F: for<'a> Reversible<(&'a mut [T], &'a [T], &'a P, &'a T)>,
    T: Real,
    P: ?Sized,
{
    let outer = T::from_f64(0.5 * THETA) * *dt;
    let inner = T::from_f64(0.5 * (1.0 - THETA)) * *dt;
    let side = T::from_f64(THETA) * *dt;
    let middle = T::from_f64(1.0 - 2.0 * THETA) * *dt;
    drift(x, v, &outer);
    kick(v, x, parameters, &side);
    drift(x, v, &inner);
    kick(v, x, parameters, &middle);
    drift(x, v, &inner);
    kick(v, x, parameters, &side);
    drift(x, v, &outer);
}

/// The method of Forest and Ruth (1990), of fourth order: three leapfrog steps, the middle one
/// backwards in time.
///
/// `kick(v, x, parameters, dt)` adds `a(x, parameters) dt` to `v`.
#[reversible]
pub fn forest_ruth<F, T, P>(
    kick: &F,
    x: &mut [T],
    v: &mut [T],
    parameters: &P,
    dt: &T,
    steps: usize,
) where
    F: for<'a> Reversible<(&'a mut [T], &'a [T], &'a P, &'a T)>,
    T: Real,
    P: ?Sized,
{
    for _ in 0..steps {
        forest_ruth_step(kick, x, v, parameters, dt);
    }
}

// As they were published.
const XI: f64 = 0.178_617_895_844_809_1;
const LAMBDA: f64 = -0.212_341_831_062_605_4;
#[allow(clippy::excessive_precision)]
const CHI: f64 = -0.066_264_582_669_818_49;

/// One step of [`pefrl()`].
#[reversible]
#[inline]
pub fn pefrl_step<F, T, P>(kick: &F, x: &mut [T], v: &mut [T], parameters: &P, dt: &T)
where
    F: for<'a> Reversible<(&'a mut [T], &'a [T], &'a P, &'a T)>,
    T: Real,
    P: ?Sized,
{
    let outer = T::from_f64(XI) * *dt;
    let inner = T::from_f64(CHI) * *dt;
    let centre = T::from_f64(1.0 - 2.0 * (CHI + XI)) * *dt;
    let side = T::from_f64(0.5 * (1.0 - 2.0 * LAMBDA)) * *dt;
    let middle = T::from_f64(LAMBDA) * *dt;
    drift(x, v, &outer);
    kick(v, x, parameters, &side);
    drift(x, v, &inner);
    kick(v, x, parameters, &middle);
    drift(x, v, &centre);
    kick(v, x, parameters, &middle);
    drift(x, v, &inner);
    kick(v, x, parameters, &side);
    drift(x, v, &outer);
}

/// The optimised method of Omelyan, Mryglod and Folk (2002), “position extended Forest–Ruth
/// like”, of fourth order.
///
/// `kick(v, x, parameters, dt)` adds `a(x, parameters) dt` to `v`.
#[reversible]
pub fn pefrl<F, T, P>(kick: &F, x: &mut [T], v: &mut [T], parameters: &P, dt: &T, steps: usize)
where
    F: for<'a> Reversible<(&'a mut [T], &'a [T], &'a P, &'a T)>,
    T: Real,
    P: ?Sized,
{
    for _ in 0..steps {
        pefrl_step(kick, x, v, parameters, dt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_gradient, assert_reversible};

    /// Two parameters: the mass of the sun, and that of a second one at (3, 1).
    #[reversible]
    fn gravity<T: Real>(v: &mut [T], x: &[T], masses: &[T; 2], dt: &T) {
        let square = x[0] * x[0] + x[1] * x[1];
        let pull = masses[0] * *dt / (square * square.sqrt());
        v[0] -= pull * x[0];
        v[1] -= pull * x[1];
        let (a, b) = (x[0] - 3.0, x[1] - 1.0);
        let other = a * a + b * b;
        let along = masses[1] * *dt / (other * other.sqrt());
        v[0] -= along * a;
        v[1] -= along * b;
    }

    fn energy(x: &[f64], v: &[f64], masses: &[f64; 2]) -> f64 {
        let far = (x[0] - 3.0).hypot(x[1] - 1.0);
        0.5 * (v[0] * v[0] + v[1] * v[1]) - masses[0] / x[0].hypot(x[1]) - masses[1] / far
    }

    #[derive(Clone, Copy, Debug)]
    enum Method {
        Leapfrog,
        ForestRuth,
        Pefrl,
    }
    use Method::*;

    #[reversible]
    fn run<T: Real>(
        #[constant] method: Method,
        x: &mut [T],
        v: &mut [T],
        masses: &[T; 2],
        dt: &T,
        steps: usize,
    ) {
        if matches!(method, Leapfrog) {
            leapfrog(&gravity {}, x, v, masses, dt, steps);
        } else if matches!(method, ForestRuth) {
            forest_ruth(&gravity {}, x, v, masses, dt, steps);
        } else {
            pefrl(&gravity {}, x, v, masses, dt, steps);
        }
    }

    const START: ([f64; 2], [f64; 2], [f64; 2]) = ([1.0, 0.0], [0.1, 1.1], [1.0, 0.05]);

    fn end(method: Method, steps: usize) -> ([f64; 2], [f64; 2]) {
        let (mut x, mut v, masses) = START;
        run(method, &mut x, &mut v, &masses, &(2.0 / steps as f64), steps);
        (x, v)
    }

    #[test]
    fn theta() {
        assert!((THETA - 1.0 / (2.0 - 2_f64.cbrt())).abs() < 4e-16);
    }

    /// Of the error: halving the step divides it by `2ᵒʳᵈᵉʳ`.
    #[test]
    fn orders_of_convergence() {
        let exact = end(Pefrl, 20_000);
        let error = |method, steps| {
            let (x, v) = end(method, steps);
            let (dx, dv) = ((x[0] - exact.0[0]).hypot(x[1] - exact.0[1]), v[0] - exact.1[0]);
            dx.hypot(dv)
        };
        for (method, order) in [(Leapfrog, 2.0), (ForestRuth, 4.0), (Pefrl, 4.0)] {
            let found = (error(method, 100) / error(method, 200)).log2();
            assert!((found - order).abs() < 0.15, "{method:?} {found}");
        }
        assert!(error(ForestRuth, 100) > 10.0 * error(Pefrl, 100));
    }

    #[test]
    fn energy_does_not_drift() {
        for (method, bound) in [(Leapfrog, 3e-4), (ForestRuth, 3e-6), (Pefrl, 2e-7)] {
            let (mut x, mut v, masses) = (START.0, START.1, [1.0, 0.0]);
            let start = energy(&x, &v, &masses);
            for _ in 0..100 {
                run(method, &mut x, &mut v, &masses, &0.02, 300);
                let change = energy(&x, &v, &masses) / start - 1.0;
                assert!(change.abs() < bound, "{method:?} {change}");
            }
        }
    }

    #[test]
    fn everything_comes_back() {
        for method in [Leapfrog, ForestRuth, Pefrl] {
            let (mut x, mut v, masses) = START;
            run(method, &mut x, &mut v, &masses, &0.01, 2000);
            assert!((x[0] - 1.0).abs() > 1e-3);
            run::inverse(method, &mut x, &mut v, &masses, &0.01, 2000);
            let off =
                x.iter().zip(START.0).chain(v.iter().zip(START.1)).map(|(a, b)| (a - b).abs());
            assert!(off.fold(0.0, f64::max) < 1e-11);

            let fixed = |a: [f64; 2]| a.map(Fixed43::from_f64);
            let (mut x, mut v, masses) = (fixed(START.0), fixed(START.1), fixed(START.2));
            let dt = Fixed43::from_f64(0.01);
            run(method, &mut x, &mut v, &masses, &dt, 2000);
            assert_ne!(x, fixed(START.0));
            run::inverse(method, &mut x, &mut v, &masses, &dt, 2000);
            assert_eq!((x, v), (fixed(START.0), fixed(START.1)));
        }
    }

    #[test]
    fn gradients() {
        for method in [Leapfrog, ForestRuth, Pefrl] {
            let (mut x, mut v, masses) = START;
            let dt = 0.01;
            assert_reversible!(run(
                #[constant]
                method,
                &mut x[..],
                &mut v[..],
                &masses,
                &dt,
                5
            ));
            assert_gradient!(run(
                #[constant]
                method,
                &mut x[..],
                &mut v[..],
                &masses,
                &dt,
                5
            ));
        }
    }

    /// Backwards once, and forwards in all directions at once.
    #[test]
    fn both_directions_of_differentiation_agree() {
        for method in [Leapfrog, ForestRuth, Pefrl] {
            let (mut x, mut v, masses) = START;
            run(method, &mut x, &mut v, &masses, &0.01, 500);
            let (mut d_x, mut d_v) = ([0.3, -0.8], [1.1, 0.4]);
            let (mut d_masses, mut d_dt) = ([0.0; 2], 0.0);
            run::adjoint(
                method,
                &mut x,
                &mut d_x,
                &mut v,
                &mut d_v,
                &masses,
                &mut d_masses,
                &0.01,
                &mut d_dt,
                500,
            );
            let (x, v, masses) = START;
            let dual = |value, direction| Dual::<f64, 7>::variable(value, direction);
            let mut x = [dual(x[0], 0), dual(x[1], 1)];
            let mut v = [dual(v[0], 2), dual(v[1], 3)];
            let masses = [dual(masses[0], 4), dual(masses[1], 5)];
            run(method, &mut x, &mut v, &masses, &dual(0.01, 6), 500);
            let loss = x[0].scaled(0.3) + x[1].scaled(-0.8) + v[0].scaled(1.1) + v[1].scaled(0.4);
            let found = [d_x[0], d_x[1], d_v[0], d_v[1], d_masses[0], d_masses[1], d_dt];
            for (found, expected) in found.iter().zip(loss.tangents) {
                assert!(
                    (found - expected).abs() < 1e-9 * (1.0 + expected.abs()),
                    "{found} {expected}"
                );
            }
        }
    }
}
