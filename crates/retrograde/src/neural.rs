//! What neural networks are made of: activations, and losses of logits.
//!
//! ```
//! use retrograde::neural::{relu, softmax_cross_entropy};
//! use retrograde::prelude::*;
//!
//! /// The loss of a layer of three inputs and two classes.
//! #[reversible]
//! fn loss(y: &mut f64, weights: &[[f64; 3]; 2], x: &[f64; 3], target: &[f64; 2]) {
//!     #[compute]
//!     {
//!         let mut logits = [0.0; 2];
//!         for (z, row) in logits.iter_mut().zip(weights) {
//!             for (w, v) in row.iter().zip(x) {
//!                 *z += *w * relu(*v);
//!             }
//!         }
//!     }
//!     softmax_cross_entropy(y, &logits, target);
//! }
//!
//! let weights = [[0.5, 1.0, -1.0], [0.0, 0.25, 2.0]];
//! let at = loss::gradient(&weights, &[1.0, -1.0, 0.5], &[1.0, 0.0]);
//! assert!(at.d_weights[0][0] < 0.0 && at.d_weights[0][1] == 0.0);
//! ```
//!
//! Activations are functions of a number, to be used in expressions: `*y += relu(*x);`. The others
//! *add* to the place that they are given. All exponentials are
//! [`fast_exp`](crate::num::Elementary::fast_exp), so that loops run in vector registers.

use crate::order::bound;
use crate::prelude::*;

/// The rectifier, `max(x, 0)`. Its derivative at 0 is 0.
///
/// ```
/// use retrograde::neural::relu;
///
/// assert_eq!((relu(2.0), relu(0.0), relu(-2.0)), (2.0, 0.0, 0.0));
/// ```
#[differentiable]
#[inline]
pub fn relu<T: Real>(x: T) -> T {
    if x > 0.0 { x } else { 0.0 }
}

/// The logistic function, `1 / (1 + e⁻ˣ)`.
///
/// ```
/// use retrograde::neural::sigmoid;
///
/// assert_eq!((sigmoid(0.0), sigmoid(-1e3), sigmoid(1e3)), (0.5, 0.0, 1.0));
/// ```
#[differentiable(derivative = sigmoid_slope)]
#[inline]
pub fn sigmoid<T: Real>(x: T) -> T {
    T::one() / (T::one() + (-x).fast_exp())
}

/// `s (1 − s)`
#[inline]
fn sigmoid_slope<T: Real>(x: T) -> T {
    let value = sigmoid(x);
    value.clone() * (T::one() - value)
}

/// The smooth rectifier, `ln(1 + eˣ)`, without overflow.
///
/// ```
/// use retrograde::neural::softplus;
///
/// assert_eq!((softplus(0.0), softplus(1e3), softplus(-1e3)), (2_f64.ln(), 1e3, 0.0));
/// ```
#[differentiable(derivative = sigmoid)]
#[inline]
pub fn softplus<T: Real>(x: T) -> T {
    let zero = T::zero();
    (-x.clone().abs()).fast_exp().ln_1p() + if x > zero { x } else { zero }
}

/// What is subtracted from numbers before exponentials are taken: the largest, if it is finite.
fn shift_of<T: Real>(x: &[T]) -> T {
    let largest = bound(x, |a, b| a > b).unwrap_or_else(T::zero);
    if largest.to_f64().is_finite() { largest } else { T::zero() }
}

/// The logarithm of a sum, which may have no terms: then nothing changes it.
#[differentiable(derivative = log_slope)]
#[inline]
fn log<T: Real>(sum: T) -> T {
    sum.ln()
}

#[inline]
fn log_slope<T: Real>(sum: T) -> T {
    sum.recip_or_zero()
}

/// Adds the logarithm of a sum of exponentials: `out += ln Σ exp xᵢ`.
///
/// The largest number is subtracted before exponentials are taken, so they do not overflow. The
/// gradient is the [`softmax()`]. If there is nothing to add up, no number or only `−∞`, the result
/// is `−∞`, and the gradient 0.
///
/// ```
/// use retrograde::neural::log_sum_exp;
///
/// let at = log_sum_exp::gradient(&[1000.0, 1000.0]);
/// assert_eq!((at.value, at.d_x), (1000.0 + 2_f64.ln(), vec![0.5, 0.5]));
/// ```
#[reversible]
pub fn log_sum_exp<T: Real>(out: &mut T, x: &[T]) {
    #[constant]
    let shift = shift_of(x);
    #[compute]
    {
        let mut total = 0.0;
        for v in x {
            total += (*v - shift).fast_exp();
        }
    }
    *out += log(total) + shift;
}

/// Adds the softmax: `outᵢ += exp xᵢ / Σ exp xⱼ`.
///
/// ```
/// use retrograde::neural::softmax;
///
/// let mut p = [0.0; 3];
/// softmax(&mut p, &[7.0, 7.0, -1000.0]);
/// assert_eq!(p, [0.5, 0.5, 0.0]);
/// softmax::inverse(&mut p, &[7.0, 7.0, -1000.0]);
/// assert_eq!(p, [0.0; 3]);
/// ```
#[reversible]
pub fn softmax<T: Real>(out: &mut [T], x: &[T]) {
    #[constant]
    let shift = shift_of(x);
    #[compute]
    {
        let mut total = 0.0;
        for v in x {
            total += (*v - shift).fast_exp();
        }
        let scale = total.recip();
    }
    for (p, v) in out.iter_mut().zip(x) {
        *p += (*v - shift).fast_exp() * scale;
    }
}

/// Adds the cross entropy of a target and the [`softmax()`] of logits:
/// `loss −= Σ targetᵢ ln softmax(logits)ᵢ`.
///
/// ```
/// use retrograde::neural::softmax_cross_entropy;
///
/// let at = softmax_cross_entropy::gradient(&[2.0, 2.0], &[1.0, 0.0]);
/// assert!((at.value - 2_f64.ln()).abs() < 1e-15);
/// assert_eq!(at.d_logits, [-0.5, 0.5]);
/// ```
#[reversible]
pub fn softmax_cross_entropy<T: Real>(loss: &mut T, logits: &[T], target: &[T]) {
    #[constant]
    let shift = shift_of(logits);
    #[compute]
    {
        let mut total = 0.0;
        for x in logits {
            total += (*x - shift).fast_exp();
        }
        let whole = log(total);
    }
    // The shift is on both sides, so that large logits do no harm.
    for (x, p) in logits.iter().zip(target) {
        *loss += *p * (whole - (*x - shift));
    }
}

/// Adds the cross entropy for a target that is one of the classes:
/// `loss −= ln softmax(logits)` at `class`.
///
/// ```
/// use retrograde::neural::class_cross_entropy;
///
/// let at = class_cross_entropy::gradient(&[2.0, 2.0], 0);
/// assert_eq!(at.d_logits, [-0.5, 0.5]);
/// ```
///
/// # Panics
///
/// If there is no such class.
#[reversible]
pub fn class_cross_entropy<T: Real>(loss: &mut T, logits: &[T], class: usize) {
    #[constant]
    let shift = shift_of(logits);
    #[compute]
    {
        let mut total = 0.0;
        for x in logits {
            total += (*x - shift).fast_exp();
        }
    }
    *loss += log(total) - (logits[class] - shift);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_gradient, assert_reversible};

    const X: [f64; 11] = [0.3, -1.2, 2.5, 0.9, -0.4, 1.7, 0.1, 3.0, -2.0, 0.0, 1.0];

    #[reversible]
    fn activations<T: Real>(y: &mut [T; 3], x: &T) {
        y[0] += relu(*x);
        y[1] += sigmoid(*x);
        y[2] += softplus(*x);
    }

    #[test]
    fn gradients_and_inverses() {
        for x in [-3.0, -0.7, 0.2, 2.9] {
            assert_reversible!(activations(&mut [0.1; 3], &x));
            assert_gradient!(activations(&mut [0.1; 3], &x));
        }
        let p: [f64; 11] = std::array::from_fn(|i| 0.01 * i as f64);
        let mut y = 0.5;
        let mut ys = [0.25; 11];
        assert_reversible!(log_sum_exp(&mut y, &X[..]));
        assert_gradient!(log_sum_exp(&mut y, &X[..]));
        assert_reversible!(softmax(&mut ys[..], &X[..]));
        assert_gradient!(softmax(&mut ys[..], &X[..]));
        assert_reversible!(softmax_cross_entropy(&mut y, &X[..], &p[..]));
        assert_gradient!(softmax_cross_entropy(&mut y, &X[..], &p[..]));
        assert_reversible!(class_cross_entropy(&mut y, &X[..], 3));
        assert_gradient!(class_cross_entropy(&mut y, &X[..], 3));
    }

    #[test]
    fn activations_at_their_edges() {
        for (x, slope) in [(0.0, 0.0), (1e300, 1.0), (-1e300, 0.0)] {
            let (mut y, mut d_x) = ([0.0; 3], 0.0);
            activations(&mut y, &x);
            activations::adjoint(&mut y, &mut [1.0, 0.0, 0.0], &x, &mut d_x);
            assert_eq!(d_x, slope);
        }
        assert_eq!((softplus(-800.0), sigmoid(-800.0), sigmoid(800.0)), (0.0, 0.0, 1.0));
        assert!((softplus(-30.0) / (-30.0_f64).exp() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn sums_of_exponentials_of_any_size() {
        let none = f64::NEG_INFINITY;
        for (x, value, d_x) in [
            (vec![-1e4, -1e4], -1e4 + 2_f64.ln(), vec![0.5, 0.5]),
            (vec![1e300, 0.0], 1e300, vec![1.0, 0.0]),
            (vec![none, 2.0], 2.0, vec![0.0, 1.0]),
            (vec![none, none], none, vec![0.0, 0.0]),
            (vec![], none, vec![]),
        ] {
            let at = log_sum_exp::gradient(&x);
            assert_eq!((at.value, at.d_x), (value, d_x), "{x:?}");
        }
        assert_eq!(log_sum_exp::gradient(&[f64::INFINITY, 1.0]).value, f64::INFINITY);
        assert!(log_sum_exp::gradient(&[f64::NAN, 1.0]).value.is_nan());
    }

    #[test]
    fn large_logits_do_no_harm() {
        let shifted = X.map(|x| x + 1048576.0);
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        let (near, far) =
            (class_cross_entropy::gradient(&X, 2), class_cross_entropy::gradient(&shifted, 2));
        close(near.value, far.value);
        let half = [0.5; 11];
        let (near, far) = (
            softmax_cross_entropy::gradient(&X, &half),
            softmax_cross_entropy::gradient(&shifted, &half),
        );
        close(near.value, far.value);
        near.d_target.iter().zip(far.d_target).for_each(|(a, b)| close(*a, b));
    }

    #[test]
    fn one_class_is_a_target() {
        let mut target = [0.0; 11];
        target[4] = 1.0;
        let (all, one) =
            (softmax_cross_entropy::gradient(&X, &target), class_cross_entropy::gradient(&X, 4));
        assert!((all.value - one.value).abs() < 1e-14);
        let mut p = [0.0; 11];
        softmax(&mut p, &X);
        p[4] -= 1.0;
        for ((a, b), c) in all.d_logits.iter().zip(&one.d_logits).zip(p) {
            assert!((a - b).abs() < 1e-14 && (a - c).abs() < 1e-14);
        }
    }
}
