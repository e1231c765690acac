//! Sums and products of vectors.

use super::kernel::{self, Sign};
use crate::__private::same_length;
use crate::num::{Arithmetic, Elementary};
use retrograde_macros::{differentiable, reversible};

/// `Σ xᵢ`.
///
/// ```
/// use retrograde::linalg::sum;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn mean(y: &mut f64, x: &[f64]) {
///     *y += sum(x) / x.len() as f64;
/// }
///
/// let at = mean::gradient(&[1.0, 2.0, 3.0, 6.0]);
/// assert_eq!((at.value, at.d_x), (3.0, vec![0.25; 4]));
/// ```
#[differentiable(pullback = sum_pullback)]
pub fn sum<T: Arithmetic>(x: &[T]) -> T {
    const SUMS: usize = 8;
    let chunks = x.chunks_exact(SUMS);
    let rest = chunks.remainder().iter().fold(T::zero(), |sum, x| sum + x.clone());
    let mut sums: [T; SUMS] = std::array::from_fn(|_| T::zero());
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += x.clone();
        }
    }
    sums.into_iter().fold(rest, |sum, part| sum + part)
}

fn sum_pullback<T: Arithmetic>(g: &T, _x: &[T], d_x: &mut [T]) {
    for d in d_x {
        d.accumulate_shadow(g.clone());
    }
}

/// The inner product, `Σ xᵢ* yᵢ`: of complex numbers, the first operand is conjugated.
///
/// ```
/// use retrograde::linalg::dot;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn work(y: &mut f64, force: &[f64], way: &[f64]) {
///     *y += dot(force, way);
/// }
///
/// let at = work::gradient(&[1.0, 2.0], &[3.0, 4.0]);
/// assert_eq!((at.value, at.d_force, at.d_way), (11.0, vec![3.0, 4.0], vec![1.0, 2.0]));
/// ```
///
/// # Panics
///
/// If the lengths differ.
#[differentiable(pullback = dot_pullback)]
pub fn dot<T: Arithmetic>(x: &[T], y: &[T]) -> T {
    same_length(x.len(), y.len(), "dot(x, y)");
    kernel::inner(x, true, y, false)
}

fn dot_pullback<T: Arithmetic>(g: &T, x: &[T], d_x: &mut [T], y: &[T], d_y: &mut [T]) {
    kernel::add_scaled(d_x, Sign::Plus, &g.clone().conj(), y);
    kernel::add_scaled(d_y, Sign::Plus, g, x);
}

/// The square of the length, `Σ |xᵢ|²`.
///
/// Of complex numbers it is a complex number whose imaginary part is zero.
///
/// ```
/// use retrograde::linalg::norm2;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn energy(y: &mut f64, speed: &[f64]) {
///     *y += 0.5 * norm2(speed);
/// }
///
/// let at = energy::gradient(&[3.0, 4.0]);
/// assert_eq!((at.value, at.d_speed), (12.5, vec![3.0, 4.0]));
/// ```
#[differentiable(pullback = norm2_pullback)]
pub fn norm2<T: Arithmetic>(x: &[T]) -> T {
    kernel::inner(x, true, x, false)
}

fn norm2_pullback<T: Arithmetic>(g: &T, x: &[T], d_x: &mut [T]) {
    let twice = g.clone() + g.clone().conj();
    kernel::add_scaled(d_x, Sign::Plus, &twice, x);
}

/// The length, `√Σ |xᵢ|²`. Its gradient at the zero vector is zero.
///
/// Of complex numbers it is a complex number whose imaginary part is zero.
///
/// ```
/// use retrograde::linalg::norm;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn length(y: &mut f64, x: &[f64]) {
///     *y += norm(x);
/// }
///
/// let at = length::gradient(&[0.0, -4.0]);
/// assert_eq!((at.value, at.d_x), (4.0, vec![0.0, -1.0]));
/// assert_eq!(length::gradient(&[0.0, 0.0]).d_x, [0.0, 0.0]);
/// ```
#[differentiable(pullback = norm_pullback)]
pub fn norm<T: Elementary>(x: &[T]) -> T {
    norm2(x).sqrt()
}

fn norm_pullback<T: Elementary>(g: &T, x: &[T], d_x: &mut [T]) {
    let real = (g.clone() + g.clone().conj()).scaled(0.5);
    kernel::add_scaled(d_x, Sign::Plus, &(real * norm(x).recip_or_zero()), x);
}

/// The square of the distance, `Σ |xᵢ − yᵢ|²`.
///
/// ```
/// use retrograde::linalg::sq_distance;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn loss(y: &mut f64, found: &[f64], wanted: &[f64]) {
///     *y += sq_distance(found, wanted);
/// }
///
/// let at = loss::gradient(&[1.0, 2.0], &[0.0, 4.0]);
/// assert_eq!((at.value, at.d_found), (5.0, vec![2.0, -4.0]));
/// ```
///
/// # Panics
///
/// If the lengths differ.
#[differentiable(pullback = sq_distance_pullback)]
pub fn sq_distance<T: Arithmetic>(x: &[T], y: &[T]) -> T {
    same_length(x.len(), y.len(), "sq_distance(x, y)");
    const SUMS: usize = 8;
    let square = |x: &T, y: &T| {
        let step = x.clone() - y.clone();
        step.clone().conj() * step
    };
    let (xs, ys) = (x.chunks_exact(SUMS), y.chunks_exact(SUMS));
    let rest = xs.remainder().iter().zip(ys.remainder());
    let rest = rest.fold(T::zero(), |sum, (x, y)| sum + square(x, y));
    let mut sums: [T; SUMS] = std::array::from_fn(|_| T::zero());
    for (x, y) in xs.zip(ys) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += square(x, y);
        }
    }
    sums.into_iter().fold(rest, |sum, part| sum + part)
}

fn sq_distance_pullback<T: Arithmetic>(g: &T, x: &[T], d_x: &mut [T], y: &[T], d_y: &mut [T]) {
    let twice = g.clone() + g.clone().conj();
    for ((x, d_x), (y, d_y)) in x.iter().zip(d_x).zip(y.iter().zip(d_y)) {
        let step = twice.clone() * (x.clone() - y.clone());
        d_x.accumulate_shadow(step.clone());
        d_y.retract_shadow(step);
    }
}

/// `y += a x`.
///
/// ```
/// use retrograde::linalg::axpy;
///
/// let mut y = [1.0, 1.0];
/// axpy(&mut y, &2.0, &[3.0, 4.0]);
/// assert_eq!(y, [7.0, 9.0]);
/// axpy::inverse(&mut y, &2.0, &[3.0, 4.0]);
/// assert_eq!(y, [1.0, 1.0]);
/// ```
///
/// # Panics
///
/// If the lengths differ.
#[reversible]
pub fn axpy<T: Arithmetic>(y: &mut [T], a: &T, x: &[T]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += *a * *x;
    }
}
