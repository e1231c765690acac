mod complex;
mod edges;
mod groups;
#[cfg(feature = "nalgebra")]
mod nalgebra;
mod operators;
mod shadows;
mod slopes;

use super::PullDiv;
use std::ops::Div;

/// [`PullDiv`], where the quotient is computed for it.
trait PullQuotient<R = Self>: PullDiv<R> {
    fn pull_quotient_left(g: &Self::Output, left: &Self, right: &R) -> Self;
    fn pull_quotient_right(g: &Self::Output, left: &Self, right: &R) -> R;
}

impl<R: Clone, L: PullDiv<R> + Clone + Div<R, Output = <L as PullDiv<R>>::Output>> PullQuotient<R>
    for L
{
    fn pull_quotient_left(g: &<L as PullDiv<R>>::Output, left: &L, right: &R) -> L {
        L::pull_div_left(g, left, right)
    }
    fn pull_quotient_right(g: &<L as PullDiv<R>>::Output, left: &L, right: &R) -> R {
        L::pull_div_right(g, left, right, &(left.clone() / right.clone()))
    }
}

/// Within `tolerance`, relative to the expected number.
fn near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs()
}

/// Within `tolerance`, relative to the larger of the expected number and one:
/// for what was computed by differences.
fn roughly(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1.0)
}

/// `f′(x)` by a central difference.
fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-5 * x.abs().max(1.0);
    (f(x + h) - f(x - h)) / (2.0 * h)
}
