//! Statistics of samples, and the logarithms of normal densities.
//!
//! ```
//! use retrograde::prelude::*;
//! use retrograde::stats::{self, Moments};
//!
//! let heights = [1.62, 1.75, 1.81, 1.58];
//! let mut found = Moments::zero();
//! stats::moments(&mut found, &heights);
//! assert!((found.mean - 1.69).abs() < 1e-12);
//! assert!((found.variance - 0.0350 / 3.0).abs() < 1e-12);
//!
//! // How the variance changes with each height.
//! let at = stats::variance::gradient(&heights);
//! assert!((at.d_x[1] - 2.0 * (1.75 - 1.69) / 3.0).abs() < 1e-12);
//! ```
//!
//! All functions *add* their result to the place that they are given. Deviations are taken from
//! the mean before they are squared, so that nothing is lost when the mean is large.

use crate::prelude::*;

/// The number of elements, of which there must be enough.
#[track_caller]
fn count<T: Real>(elements: usize, least: usize, what: &str) -> T {
    assert!(
        elements >= least,
        "{what} needs {least} element(s) at least, and there are {elements}"
    );
    T::from_f64(elements as f64)
}

/// The numbers of elements of two samples, which are the same.
#[track_caller]
fn pairs<T: Real>(x: usize, y: usize, what: &str) -> T {
    assert!(x == y, "{what} is of pairs, and there are {x} and {y} elements");
    count(x, 2, what)
}

/// Adds the sum of a sample: `out += Σ xᵢ`.
#[reversible]
#[inline]
fn sum<T: Real>(out: &mut T, x: &[T]) {
    for v in x {
        *out += *v;
    }
}

/// Adds the mean of a sample: `out += Σ xᵢ / n`.
///
/// ```
/// use retrograde::stats::mean;
///
/// let at = mean::gradient(&[1.0, 2.0, 6.0]);
/// assert_eq!((at.value, at.d_x), (3.0, vec![1.0 / 3.0; 3]));
/// ```
///
/// # Panics
///
/// If the sample is empty.
#[reversible]
pub fn mean<T: Real>(out: &mut T, x: &[T]) {
    #[constant]
    let n: T = count(x.len(), 1, "a mean");
    #[compute]
    {
        let mut total = 0.0;
        sum(&mut total, x);
    }
    *out += total / n;
}

/// The mean and the variance of a sample.
#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
pub struct Moments<T> {
    /// `Σ xᵢ / n`
    pub mean: T,
    /// `Σ (xᵢ − mean)² / (n − 1)`
    pub variance: T,
}

/// Adds the mean and the variance of a sample, as [`mean()`] and [`variance()`] do, for little more
/// than the variance alone. The sample is gone through twice: first for the mean, from which the
/// deviations are then taken.
///
/// ```
/// use retrograde::prelude::*;
/// use retrograde::stats::{Moments, moments};
///
/// let mut found = Moments::zero();
/// moments(&mut found, &[1.0, 2.0, 6.0]);
/// assert_eq!(found, Moments { mean: 3.0, variance: 7.0 });
/// moments::inverse(&mut found, &[1.0, 2.0, 6.0]);
/// assert_eq!(found, Moments::zero());
/// ```
///
/// # Panics
///
/// If there are less than two elements.
#[reversible]
pub fn moments<T: Real>(out: &mut Moments<T>, x: &[T]) {
    #[constant]
    let n: T = count(x.len(), 2, "a variance");
    #[compute]
    {
        let mut average = 0.0;
        mean(&mut average, x);
        // The deviations add up to zero, so no gradient goes from them to the mean.
        #[constant]
        let centre = average;
        let mut squares: T = 0.0;
        for v in x {
            squares += (*v - centre) * (*v - centre);
        }
    }
    out.mean += average;
    out.variance += squares / (n - 1.0);
}

/// Adds the variance of a sample: `out += Σ (xᵢ − mean)² / (n − 1)`.
///
/// ```
/// use retrograde::stats::variance;
///
/// let at = variance::gradient(&[1.0, 2.0, 6.0]);
/// assert_eq!((at.value, at.d_x), (7.0, vec![-2.0, -1.0, 3.0]));
/// ```
///
/// # Panics
///
/// If there are less than two elements.
#[reversible]
pub fn variance<T: Real>(out: &mut T, x: &[T]) {
    #[constant]
    let n: T = count(x.len(), 2, "a variance");
    #[compute]
    {
        let mut average = 0.0;
        mean(&mut average, x);
        // The deviations add up to zero, so no gradient goes from them to the mean.
        #[constant]
        let centre = average;
        let mut squares = 0.0;
        for v in x {
            squares += (*v - centre) * (*v - centre);
        }
    }
    *out += squares / (n - 1.0);
}

/// Adds the covariance of two samples: `out += Σ (xᵢ − x̄)(yᵢ − ȳ) / (n − 1)`.
///
/// ```
/// use retrograde::stats::covariance;
///
/// let at = covariance::gradient(&[1.0, 2.0, 6.0], &[0.0, 1.0, 5.0]);
/// assert_eq!((at.value, at.d_x), (7.0, vec![-1.0, -0.5, 1.5]));
/// ```
///
/// # Panics
///
/// If there are less than two pairs, or one sample is longer.
#[reversible]
pub fn covariance<T: Real>(out: &mut T, x: &[T], y: &[T]) {
    #[constant]
    let n: T = pairs(x.len(), y.len(), "a covariance");
    #[compute]
    {
        let (mut mean_x, mut mean_y) = (0.0, 0.0);
        mean(&mut mean_x, x);
        mean(&mut mean_y, y);
        #[constant]
        let (centre_x, centre_y) = (mean_x, mean_y);
        let mut products = 0.0;
        for (v, w) in x.iter().zip(y) {
            products += (*v - centre_x) * (*w - centre_y);
        }
    }
    *out += products / (n - 1.0);
}

/// Adds the correlation of two samples: their covariance, divided by the roots of their variances.
///
/// It is not a number if one of the samples has no variance.
///
/// ```
/// use retrograde::stats::correlation;
///
/// let at = correlation::gradient(&[1.0, 2.0, 6.0], &[3.0, 5.0, 13.0]);
/// assert!((at.value - 1.0_f64).abs() < 1e-15);
/// ```
///
/// # Panics
///
/// If there are less than two pairs, or one sample is longer.
#[reversible]
pub fn correlation<T: Real>(out: &mut T, x: &[T], y: &[T]) {
    #[compute]
    {
        host! { pairs::<T>(x.len(), y.len(), "a correlation"); }
        let (mut mean_x, mut mean_y) = (0.0, 0.0);
        mean(&mut mean_x, x);
        mean(&mut mean_y, y);
        #[constant]
        let (centre_x, centre_y) = (mean_x, mean_y);
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (v, w) in x.iter().zip(y) {
            let (a, b) = (*v - centre_x, *w - centre_y);
            xx += a * a;
            xy += a * b;
            yy += b * b;
        }
    }
    *out += xy / (xx.sqrt() * yy.sqrt());
}

/// Adds the logarithm of the normal density: `out −= ½ ((x − mean) / deviation)² + ln deviation +
/// ½ ln 2π`.
///
/// ```
/// use retrograde::stats::normal_log_density;
///
/// let at = normal_log_density::gradient(&3.0, &1.0, &2.0);
/// assert_eq!((at.d_x, at.d_mean, at.d_deviation), (-0.5, 0.5, 0.0));
/// ```
#[reversible]
pub fn normal_log_density<T: Real>(out: &mut T, x: &T, mean: &T, deviation: &T) {
    let z = (*x - *mean) / *deviation;
    *out -= 0.5 * z * z + deviation.ln() + T::from_f64(HALF_LN_TAU);
}

/// `½ ln 2π`
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// Adds the logarithms of the normal density at all elements of a sample: its log-likelihood.
///
/// ```
/// use retrograde::stats::normal_log_likelihood;
///
/// // At the mean of the sample, the likelihood does not change with the mean.
/// let at = normal_log_likelihood::gradient(&[1.0, 2.0, 6.0], &3.0, &2.0);
/// assert_eq!(at.d_mean, 0.0);
/// ```
#[reversible]
pub fn normal_log_likelihood<T: Real>(out: &mut T, x: &[T], mean: &T, deviation: &T) {
    #[constant]
    let n = T::from_f64(x.len() as f64);
    #[compute]
    {
        let mut squares = 0.0;
        for v in x {
            squares += (*v - *mean) * (*v - *mean);
        }
    }
    *out -=
        0.5 * squares / (*deviation * *deviation) + n * (deviation.ln() + T::from_f64(HALF_LN_TAU));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_gradient, assert_reversible};

    const X: [f64; 7] = [0.3, -1.2, 2.5, 0.9, -0.4, 1.7, 0.1];
    const Y: [f64; 7] = [1.1, 0.2, 1.5, -0.7, 0.4, 2.2, -1.3];

    #[test]
    fn gradients_and_inverses() {
        let mut out = 0.25;
        let mut both = Moments { mean: 0.5, variance: -0.25 };
        assert_reversible!(mean(&mut out, &X[..]));
        assert_gradient!(mean(&mut out, &X[..]));
        assert_reversible!(variance(&mut out, &X[..]));
        assert_gradient!(variance(&mut out, &X[..]));
        assert_reversible!(moments(&mut both, &X[..]));
        assert_gradient!(moments(&mut both, &X[..]));
        assert_reversible!(covariance(&mut out, &X[..], &Y[..]));
        assert_gradient!(covariance(&mut out, &X[..], &Y[..]));
        assert_reversible!(correlation(&mut out, &X[..], &Y[..]));
        assert_gradient!(correlation(&mut out, &X[..], &Y[..]));
        assert_reversible!(normal_log_density(&mut out, &0.7, &-0.2, &1.3));
        assert_gradient!(normal_log_density(&mut out, &0.7, &-0.2, &1.3));
        assert_reversible!(normal_log_likelihood(&mut out, &X[..], &0.4, &1.3));
        assert_gradient!(normal_log_likelihood(&mut out, &X[..], &0.4, &1.3));
    }

    /// The centre carries no gradient backwards, and yet second derivatives are right: forwards
    /// it carries one.
    #[test]
    fn second_derivatives() {
        let direction: [f64; 7] = std::array::from_fn(|i| (i as f64).cos());
        let x: [Dual<f64>; 7] =
            std::array::from_fn(|i| Dual { value: X[i], tangents: [direction[i]] });
        let shift = direction.iter().sum::<f64>() / 7.0;
        let at = variance::gradient(&x);
        for (d, by) in at.d_x.iter().zip(direction) {
            assert!((d.tangents[0] - 2.0 * (by - shift) / 6.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_large_mean_does_no_harm() {
        let x: Vec<f64> = X.iter().map(|x| x + 1e9).collect();
        let (far, near) = (variance::gradient(&x), variance::gradient(&X));
        assert!((far.value - near.value).abs() < 1e-6);
        let (far, near) = (correlation::gradient(&x, &Y), correlation::gradient(&X, &Y));
        assert!((far.value - near.value).abs() < 1e-6);
    }

    #[test]
    fn fixed_point_comes_back_exactly() {
        let x = X.map(Fixed43::from_f64);
        let start = Moments { mean: Fixed43::from_f64(0.1), variance: Fixed43::from_f64(0.2) };
        let mut out = start;
        moments(&mut out, &x);
        assert_ne!(out, start);
        moments::inverse(&mut out, &x);
        assert_eq!(out, start);
    }

    #[test]
    fn too_few_elements_are_refused() {
        let message = |run: fn()| {
            let error = std::panic::catch_unwind(run).unwrap_err();
            error.downcast::<String>().map(|s| *s).unwrap_or_default()
        };
        let none = "a mean needs 1 element(s) at least, and there are 0";
        let one = "a variance needs 2 element(s) at least, and there are 1";
        assert_eq!(message(|| mean(&mut 0.0, &[])), none);
        assert_eq!(message(|| mean::inverse(&mut 0.0, &[])), none);
        assert_eq!(message(|| variance(&mut 0.0, &[1.0])), one);
        assert_eq!(message(|| moments(&mut Moments::zero(), &[1.0])), one);
        assert!(message(|| covariance(&mut 0.0, &[1.0], &[1.0])).contains("there are 1"));
        assert!(message(|| correlation(&mut 0.0, &[], &[])).contains("there are 0"));
        let pairs = "a correlation is of pairs, and there are 2 and 1 elements";
        assert_eq!(message(|| correlation(&mut 0.0, &[1.0, 2.0], &[1.0])), pairs);
        assert_eq!(message(|| correlation::inverse(&mut 0.0, &[1.0, 2.0], &[1.0])), pairs);
        assert_eq!(message(|| _ = correlation::gradient(&[1.0, 2.0], &[1.0])), pairs);
    }
}
