//! Forward mode, by our dual numbers and by those of `num-dual`.

use num_dual::DualSVec64;
use retrograde::num::{Dual, Real};

/// Numbers that carry derivatives in `N` directions.
pub trait Directions<const N: usize>: Real {
    /// A number that does not change.
    fn constant(value: f64) -> Self;

    /// The one that changes in a direction.
    fn variable(value: f64, direction: usize) -> Self;

    /// How it changes in each direction.
    fn slopes(self) -> [f64; N];
}

impl<const N: usize> Directions<N> for Dual<f64, N> {
    fn constant(value: f64) -> Self {
        Dual::constant(value)
    }

    fn variable(value: f64, direction: usize) -> Self {
        Dual::variable(value, direction)
    }

    fn slopes(self) -> [f64; N] {
        self.tangents
    }
}

impl<const N: usize> Directions<N> for DualSVec64<N> {
    fn constant(value: f64) -> Self {
        Self::from_re(value)
    }

    fn variable(value: f64, direction: usize) -> Self {
        Self::from_re(value).derivative(direction)
    }

    fn slopes(self) -> [f64; N] {
        self.eps.unwrap_generic(nalgebra::Const::<N>, nalgebra::U1).data.0[0]
    }
}

/// The gradient of a function of many numbers, some directions at a time.
pub fn gradient<const N: usize, D: Directions<N>>(
    x: &[f64],
    gradient: &mut [f64],
    value: impl Fn(&[D]) -> D,
) {
    let mut duals: Vec<D> = x.iter().copied().map(D::constant).collect();
    for (first, part) in gradient.chunks_mut(N).enumerate().map(|(i, part)| (i * N, part)) {
        for lane in 0..part.len() {
            duals[first + lane] = D::variable(x[first + lane], lane);
        }
        part.copy_from_slice(&value(&duals).slopes()[..part.len()]);
        for lane in 0..part.len() {
            duals[first + lane] = D::constant(x[first + lane]);
        }
    }
}
