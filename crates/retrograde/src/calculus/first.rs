//! First derivatives.

use super::{LANES, Matrix, ScalarAdjoint, VectorAdjoint, VectorFunction, same_length};
use crate::Adjoint;
use crate::num::{Dual, Lanes, Real};

/// A function's value and gradient at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient<T> {
    /// `f(x)`
    pub value: T,
    /// `∂f/∂xᵢ`
    pub gradient: Vec<T>,
}

/// A function's values and their derivatives at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian<T> {
    /// `f(x)`
    pub value: Vec<T>,
    /// `∂fᵢ/∂xⱼ` in row `i` and column `j`.
    pub jacobian: Matrix<T>,
}

/// The value and the gradient of a function of many numbers.
///
/// ```
/// use retrograde::calculus::gradient;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn norm<T: Real>(y: &mut T, x: &[T]) {
///     let mut squares = 0.0;
///     #[compute]
///     {
///         for v in x {
///             squares += *v * *v;
///         }
///     }
///     *y += squares.sqrt();
/// }
///
/// let at = gradient(&norm {}, &[0.0, -2.0]);
/// assert_eq!((at.value, at.gradient), (2.0, vec![0.0, -1.0]));
/// ```
pub fn gradient<T: Real, F: ScalarAdjoint<T>>(f: &F, x: &[T]) -> Gradient<T> {
    let mut gradient = vec![T::zero(); x.len()];
    let value = gradient_into(f, x, &mut gradient);
    Gradient { value, gradient }
}

/// As [`gradient`], added to a buffer of the caller's: nothing is allocated.
///
/// # Panics
///
/// If the buffer is not as long as `x`.
#[track_caller]
pub fn gradient_into<T: Real, F: ScalarAdjoint<T>>(f: &F, x: &[T], gradient: &mut [T]) -> T {
    same_length("the gradient", gradient.len(), x.len());
    let mut y = T::zero();
    add_gradient(f, &mut y, T::one(), x, gradient);
    y
}

/// Adds the value of a function to `y`, and its gradient times `seed` to `gradient`.
pub(super) fn add_gradient<T: Real, F: ScalarAdjoint<T>>(
    f: &F,
    y: &mut T,
    mut seed: T,
    x: &[T],
    gradient: &mut [T],
) {
    if Adjoint::<(&mut T, &mut T, &[T], &mut [T])>::only_adds(f) {
        f.call_inverse_adjoint((y, &mut -seed, x, gradient));
    } else {
        f.call((&mut *y, x));
        f.call_gradient((&mut y.clone(), &mut seed, x, gradient));
    }
}

/// The values of a function and a cotangent times its Jacobian: `f(x)` and `Jᵀw`.
///
/// ```
/// use retrograde::calculus::vjp;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn polar<T: Real>(y: &mut [T], x: &[T]) {
///     y[0] += x[0] * x[1].cos();
///     y[1] += x[0] * x[1].sin();
/// }
///
/// let (value, gradient) = vjp(&polar {}, 2, &[2.0, 0.0], &[1.0, 10.0]);
/// assert_eq!((value, gradient), (vec![2.0, 0.0], vec![1.0, 20.0]));
/// ```
///
/// # Panics
///
/// If `w` has not a component for each of the `outputs`.
#[track_caller]
pub fn vjp<T: Real, F: VectorAdjoint<T>>(
    f: &F,
    outputs: usize,
    x: &[T],
    w: &[T],
) -> (Vec<T>, Vec<T>) {
    same_length("the cotangent", w.len(), outputs);
    let mut value = vec![T::zero(); outputs];
    let mut gradient = vec![T::zero(); x.len()];
    if Adjoint::<(&mut [T], &mut [T], &[T], &mut [T])>::only_adds(f) {
        let mut seed: Vec<T> = w.iter().map(|w| -w.clone()).collect();
        f.call_inverse_adjoint((&mut value, &mut seed, x, &mut gradient));
    } else {
        f.call((&mut value, x));
        f.call_gradient((&mut value.clone(), &mut w.to_vec(), x, &mut gradient));
    }
    (value, gradient)
}

/// The values of a function and its Jacobian times a direction: `f(x)` and `Jv`.
///
/// ```
/// # use retrograde::calculus::jvp;
/// # use retrograde::prelude::*;
/// # #[reversible]
/// # fn polar<T: Real>(y: &mut [T], x: &[T]) {
/// #     y[0] += x[0] * x[1].cos();
/// #     y[1] += x[0] * x[1].sin();
/// # }
/// let (value, change) = jvp(&polar {}, 2, &[2.0, 0.0], &[1.0, 10.0]);
/// assert_eq!((value, change), (vec![2.0, 0.0], vec![1.0, 20.0]));
/// ```
///
/// # Panics
///
/// If `v` is not as long as `x`.
#[track_caller]
pub fn jvp<T: Real, F: VectorFunction<Dual<T>>>(
    f: &F,
    outputs: usize,
    x: &[T],
    v: &[T],
) -> (Vec<T>, Vec<T>) {
    same_length("the direction", v.len(), x.len());
    let directed = |(x, v): (&T, &T)| Dual { value: x.clone(), tangents: [v.clone()] };
    let x: Vec<Dual<T>> = x.iter().zip(v).map(directed).collect();
    let mut y = vec![Dual::constant(T::zero()); outputs];
    f.call((&mut y, &x));
    y.into_iter().map(|Dual { value, tangents: [tangent] }| (value, tangent)).unzip()
}

/// The values of a function and its whole Jacobian, by adjoints: for functions
/// with fewer results than arguments.
///
/// Several rows are found in one run: the numbers are [`Lanes`], with the same
/// value in each of them, and a cotangent in each lane of the shadows.
///
/// ```
/// # use retrograde::calculus::{jacobian, jacobian_forward};
/// # use retrograde::prelude::*;
/// # #[reversible]
/// # fn polar<T: Real>(y: &mut [T], x: &[T]) {
/// #     y[0] += x[0] * x[1].cos();
/// #     y[1] += x[0] * x[1].sin();
/// # }
/// let at = jacobian(&polar {}, 2, &[2.0, 0.0]);
/// assert_eq!(at.jacobian.as_slice(), [1.0, 0.0, 0.0, 2.0]);
/// assert_eq!(at, jacobian_forward(&polar {}, 2, &[2.0, 0.0]));
/// ```
pub fn jacobian<T: Real, F: VectorAdjoint<Lanes<T, LANES>>>(
    f: &F,
    outputs: usize,
    x: &[T],
) -> Jacobian<T> {
    let zero = || Lanes::splat(T::zero());
    let x: Vec<Lanes<T, LANES>> = x.iter().cloned().map(Lanes::splat).collect();
    let mut y = vec![zero(); outputs];
    f.call((&mut y, &x));
    let end = y.clone();
    let mut jacobian = Matrix::filled(outputs, x.len(), T::zero());
    let mut d_x = x.clone();
    for first in (0..outputs).step_by(LANES) {
        y.clone_from(&end);
        let mut d_y = vec![zero(); outputs];
        for (lane, d_y) in d_y[first..].iter_mut().take(LANES).enumerate() {
            d_y.0[lane] = T::one();
        }
        d_x.fill(zero());
        f.call_gradient((&mut y, &mut d_y, &x, &mut d_x));
        for lane in 0..LANES.min(outputs - first) {
            for (element, d_x) in jacobian.row_mut(first + lane).iter_mut().zip(&d_x) {
                *element = d_x.0[lane].clone();
            }
        }
    }
    Jacobian { value: end.into_iter().map(|Lanes([y, ..])| y).collect(), jacobian }
}

/// The values of a function and its whole Jacobian, by dual numbers: for
/// functions with fewer arguments than results. Several columns are found in
/// one run.
pub fn jacobian_forward<T: Real, F: VectorFunction<Dual<T, LANES>>>(
    f: &F,
    outputs: usize,
    x: &[T],
) -> Jacobian<T> {
    let mut jacobian = Matrix::filled(outputs, x.len(), T::zero());
    let mut duals: Vec<Dual<T, LANES>> = x.iter().cloned().map(Dual::constant).collect();
    let mut y = vec![Dual::constant(T::zero()); outputs];
    if x.is_empty() {
        f.call((&mut y, &duals));
    }
    for first in (0..x.len()).step_by(LANES) {
        let lanes = LANES.min(x.len() - first);
        for lane in 0..lanes {
            duals[first + lane] = Dual::variable(x[first + lane].clone(), lane);
        }
        y.fill(Dual::constant(T::zero()));
        f.call((&mut y, &duals));
        for (row, y) in y.iter().enumerate() {
            for lane in 0..lanes {
                jacobian[(row, first + lane)] = y.tangents[lane].clone();
            }
        }
        for lane in 0..lanes {
            duals[first + lane] = Dual::constant(x[first + lane].clone());
        }
    }
    Jacobian { value: y.into_iter().map(|y| y.value).collect(), jacobian }
}
