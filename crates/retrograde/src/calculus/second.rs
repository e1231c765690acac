//! Second derivatives.

use super::{LANES, Matrix, ScalarAdjoint, VectorAdjoint, same_length};
use crate::num::{Dual, Real};
use crate::{Adjoint, Reversible};

/// A function's value, gradient, and its Hessian times a direction.
#[derive(Clone, Debug, PartialEq)]
pub struct HessianProduct<T> {
    /// `f(x)`
    pub value: T,
    /// `∂f/∂xᵢ`
    pub gradient: Vec<T>,
    /// `Σⱼ ∂²f/∂xᵢ∂xⱼ vⱼ`
    pub product: Vec<T>,
}

/// A function's value, gradient and Hessian at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Hessian<T> {
    /// `f(x)`
    pub value: T,
    /// `∂f/∂xᵢ`
    pub gradient: Vec<T>,
    /// `∂²f/∂xᵢ∂xⱼ`
    pub hessian: Matrix<T>,
}

/// The Hessian of a function times a direction: the adjoint on dual numbers,
/// forward over reverse. It costs about two gradients, for any number of
/// arguments.
///
/// ```
/// use retrograde::calculus::hvp;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn product<T: Real>(y: &mut T, x: &[T]) {
///     *y += x[0] * x[0] * x[1];
/// }
///
/// let at = hvp(&product {}, &[3.0, 5.0], &[1.0, 0.0]);
/// assert_eq!(at.gradient, [30.0, 9.0]);
/// assert_eq!(at.product, [10.0, 6.0]);
/// ```
///
/// # Panics
///
/// If `v` is not as long as `x`.
#[track_caller]
pub fn hvp<T: Real, F: ScalarAdjoint<Dual<T>>>(f: &F, x: &[T], v: &[T]) -> HessianProduct<T> {
    same_length("the direction", v.len(), x.len());
    let directed = |(x, v): (&T, &T)| Dual { value: x.clone(), tangents: [v.clone()] };
    let x: Vec<Dual<T>> = x.iter().zip(v).map(directed).collect();
    let super::Gradient { value, gradient } = super::gradient(f, &x);
    let (gradient, product) =
        gradient.into_iter().map(|Dual { value, tangents: [tangent] }| (value, tangent)).unzip();
    HessianProduct { value: value.value, gradient, product }
}

/// The Hessian of a function, forward over reverse: the adjoint on dual numbers
/// gives several columns in one run.
///
/// ```
/// # use retrograde::calculus::{hessian, hessian_reverse};
/// # use retrograde::prelude::*;
/// # #[reversible]
/// # fn product<T: Real>(y: &mut T, x: &[T]) {
/// #     *y += x[0] * x[0] * x[1];
/// # }
/// let at = hessian(&product {}, &[3.0, 5.0]);
/// assert_eq!(format!("{:?}", at.hessian), "[[10.0, 6.0], [6.0, 0.0]]");
/// assert_eq!(at, hessian_reverse(&product {}, &[3.0, 5.0]));
/// ```
pub fn hessian<T: Real, F: ScalarAdjoint<Dual<T, LANES>>>(f: &F, x: &[T]) -> Hessian<T> {
    let mut hessian = Matrix::filled(x.len(), x.len(), T::zero());
    let mut duals: Vec<Dual<T, LANES>> = x.iter().cloned().map(Dual::constant).collect();
    let mut gradient = vec![Dual::constant(T::zero()); x.len()];
    let mut value = Dual::constant(T::zero());
    if x.is_empty() {
        f.call((&mut value, &duals));
    }
    for first in (0..x.len()).step_by(LANES) {
        let lanes = LANES.min(x.len() - first);
        for lane in 0..lanes {
            duals[first + lane] = Dual::variable(x[first + lane].clone(), lane);
        }
        gradient.fill(Dual::constant(T::zero()));
        value = super::gradient_into(f, &duals, &mut gradient);
        for (row, element) in gradient.iter().enumerate() {
            for lane in 0..lanes {
                hessian[(row, first + lane)] = element.tangents[lane].clone();
            }
        }
        for lane in 0..lanes {
            duals[first + lane] = Dual::constant(x[first + lane].clone());
        }
    }
    let gradient = gradient.into_iter().map(|element| element.value).collect();
    Hessian { value: value.value, gradient, hessian }
}

/// The gradient of a function as a reversible function itself: it adds
/// `∇f(x)` to its first argument.
///
/// It can be passed wherever a function of many numbers with many results can,
/// and called inside of another reversible function. Its own adjoint is known,
/// too: the adjoint is linear in the gradients that it carries, and second
/// derivatives are symmetric, so with a cotangent `w` on the gradient the
/// gradient of `⟨w, ∇f(x)⟩` is `∇f` on the dual numbers `x + w ε`. So this is
/// reverse over reverse, without a second program.
///
/// ```
/// use retrograde::calculus::{GradientOf, vjp};
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn cubes<T: Real>(y: &mut T, x: &[T]) {
///     for v in x {
///         *y += v.powi(3);
///     }
/// }
///
/// let (gradient, product) = vjp(&GradientOf(cubes {}), 2, &[1.0, 2.0], &[1.0, 10.0]);
/// assert_eq!(gradient, [3.0, 12.0]);
/// assert_eq!(product, [6.0, 120.0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GradientOf<F>(
    /// The function.
    pub F,
);

impl<F> GradientOf<F> {
    /// Adds the gradient times `sign`.
    fn add<T: Real>(&self, g: &mut [T], x: &[T], sign: T)
    where
        F: ScalarAdjoint<T>,
    {
        same_length("the gradient", g.len(), x.len());
        super::first::add_gradient(&self.0, &mut T::zero(), sign, x, g);
    }

    /// As [`GradientOf::add`], and adds to `d_x` what `x` owes to the cotangent
    /// `d_g`.
    fn add_with_gradient<T: Real>(
        &self,
        (g, d_g): (&mut [T], &[T]),
        (x, d_x): (&[T], &mut [T]),
        sign: T,
    ) where
        F: ScalarAdjoint<Dual<T>>,
    {
        same_length("the gradient", g.len(), x.len());
        let directed = |(x, w): (&T, &T)| Dual { value: x.clone(), tangents: [w.clone()] };
        let duals: Vec<Dual<T>> = x.iter().zip(d_g).map(directed).collect();
        let mut gradient = vec![Dual::constant(T::zero()); x.len()];
        super::gradient_into(&self.0, &duals, &mut gradient);
        for ((g, d_x), Dual { value, tangents: [tangent] }) in g.iter_mut().zip(d_x).zip(gradient) {
            *g += value * sign.clone();
            // This direction subtracts what the function added.
            *d_x -= tangent * sign.clone();
        }
    }
}

impl<'g, 'x, T: Real, F: ScalarAdjoint<T>> Reversible<(&'g mut [T], &'x [T])> for GradientOf<F> {
    fn call(&self, (g, x): (&'g mut [T], &'x [T])) {
        self.add(g, x, T::one());
    }
    fn call_inverse(&self, (g, x): (&'g mut [T], &'x [T])) {
        self.add(g, x, -T::one());
    }
}

type Arguments<'g, 'h, 'x, 'y, T> = (&'g mut [T], &'h mut [T], &'x [T], &'y mut [T]);

impl<'g, 'h, 'x, 'y, T: Real, F: ScalarAdjoint<Dual<T>>> Adjoint<Arguments<'g, 'h, 'x, 'y, T>>
    for GradientOf<F>
{
    fn call_adjoint(&self, (g, d_g, x, d_x): Arguments<'g, 'h, 'x, 'y, T>) {
        self.add_with_gradient((g, d_g), (x, d_x), -T::one());
    }
    fn call_inverse_adjoint(&self, (g, d_g, x, d_x): Arguments<'g, 'h, 'x, 'y, T>) {
        self.add_with_gradient((g, d_g), (x, d_x), T::one());
    }
}

/// The Hessian of a function, reverse over reverse: the Jacobian of
/// [`GradientOf`] the function by adjoints.
pub fn hessian_reverse<T: Real, F>(f: &F, x: &[T]) -> Hessian<T>
where
    F: ScalarAdjoint<T> + ScalarAdjoint<Dual<T>>,
    for<'f> GradientOf<&'f F>: VectorAdjoint<T>,
{
    let super::Gradient { value, gradient } = super::gradient(f, x);
    let mut hessian = Matrix::filled(x.len(), x.len(), T::zero());
    let mut cotangent = vec![T::zero(); x.len()];
    for row in 0..x.len() {
        cotangent[row] = T::one();
        let (_, product) = super::vjp(&GradientOf(f), x.len(), x, &cotangent);
        cotangent[row] = T::zero();
        hessian.row_mut(row).clone_from_slice(&product);
    }
    Hessian { value, gradient, hessian }
}
