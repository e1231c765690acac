//! Derivatives inside of what is differentiated again, and descent along them.

use super::{Function, Run};
use retrograde::prelude::*;

/// A point in the plane.
pub type Point<T> = [T; 2];

/// A function of a point, given another one.
pub trait Smooth {
    /// Adds the value at `x`.
    fn add<T: Real + Copy>(&self, value: &mut T, x: &Point<T>, given: &Point<T>);

    /// Adds the gradient by `x`, and that by `given`: what the adjoint finds.
    fn add_gradient<T: Real + Copy>(
        &self,
        x: &Point<T>,
        d_x: &mut Point<T>,
        given: &Point<T>,
        d_given: &mut Point<T>,
    );
}

/// A way to find gradients.
pub trait Mode {
    /// The gradient by `x`.
    fn gradient<T: Real + Copy>(&self, f: &impl Smooth, x: &Point<T>, given: &Point<T>)
    -> Point<T>;
}

/// By dual numbers.
#[derive(Clone, Copy)]
pub struct Forward;

/// By the adjoint.
#[derive(Clone, Copy)]
pub struct Reverse;

impl Mode for Forward {
    #[inline]
    fn gradient<T: Real + Copy>(
        &self,
        f: &impl Smooth,
        x: &Point<T>,
        given: &Point<T>,
    ) -> Point<T> {
        let mut value = Dual::constant(T::zero());
        let x = [Dual::<T, 2>::variable(x[0], 0), Dual::variable(x[1], 1)];
        f.add(&mut value, &x, &given.map(Dual::constant));
        value.tangents
    }
}

impl Mode for Reverse {
    #[inline]
    fn gradient<T: Real + Copy>(
        &self,
        f: &impl Smooth,
        x: &Point<T>,
        given: &Point<T>,
    ) -> Point<T> {
        let (mut d_x, mut d_given) = ([T::zero(); 2], [T::zero(); 2]);
        f.add_gradient(x, &mut d_x, given, &mut d_given);
        d_x
    }
}

/// The gradient of `f` by `x`, which can be differentiated again.
#[differentiable(pullback = slope_pullback)]
#[inline]
pub fn slope<T: Real + Copy, F: Smooth, M: Mode>(
    x: &Point<T>,
    given: &Point<T>,
    #[constant] f: &F,
    #[constant] mode: &M,
) -> Point<T> {
    mode.gradient(f, x, given)
}

/// As second derivatives are symmetric, the gradient of the derivative in a direction
/// is the derivative of the gradient in that direction: the adjoint on dual numbers.
#[inline]
fn slope_pullback<T: Real + Copy, F: Smooth, M: Mode>(
    g: &Point<T>,
    x: &Point<T>,
    d_x: &mut Point<T>,
    given: &Point<T>,
    d_given: &mut Point<T>,
    f: &F,
    _mode: &M,
) {
    let zeros = || [Dual::<T>::constant(T::zero()); 2];
    let (mut by_x, mut by_given) = (zeros(), zeros());
    let x = [0, 1].map(|i| Dual { value: x[i], tangents: [g[i]] });
    f.add_gradient(&x, &mut by_x, &given.map(Dual::constant), &mut by_given);
    for i in 0..2 {
        d_x[i] += by_x[i].tangents[0];
        d_given[i] += by_given[i].tangents[0];
    }
}

/// What is made as small as can be.
pub trait Landscape<const N: usize> {
    /// The value at a point.
    fn value(&mut self, x: &[f64; N]) -> f64;
    /// The gradient at the point whose value was asked for last.
    fn gradient(&mut self, x: &[f64; N]) -> [f64; N];
    /// A step to a point is taken, at a rate.
    fn take(&mut self, _x: &[f64; N], _rate: f64) {}
}

/// Where steps and slopes are too small to go on, squared.
const TOLERANCE: f64 = 1e-5 * 1e-5;

/// Goes down from `x`, along the gradient, until there are no steps of some length
/// that lead further down.
pub fn descend<const N: usize>(land: &mut impl Landscape<N>, mut x: [f64; N]) -> [f64; N] {
    let square = |v: &[f64; N]| v.iter().map(|v| v * v).sum::<f64>();
    let mut least = land.value(&x);
    let mut slope = land.gradient(&x);
    let (mut rate, mut taken) = (1e-5, 0);
    while square(&slope) > TOLERANCE {
        if taken == 10 {
            (rate, taken) = (2.0 * rate, 0);
            continue;
        }
        let step = slope.map(|s| rate * s);
        if square(&step) <= TOLERANCE {
            break;
        }
        let next = std::array::from_fn(|i| x[i] - step[i]);
        let found = land.value(&next);
        if found < least {
            land.take(&next, rate);
            (x, least, slope) = (next, found, land.gradient(&next));
            taken += 1;
        } else {
            (rate, taken) = (0.5 * rate, 0);
        }
    }
    x
}

/// The four ways to nest two gradients: the name has the outer one first.
pub const fn functions(runs: [Run; 4]) -> [Function; 4] {
    let [ff, fr, rf, rr] = runs;
    [
        Function { name: "ff", run: ff },
        Function { name: "fr", run: fr },
        Function { name: "rf", run: rf },
        Function { name: "rr", run: rr },
    ]
}
