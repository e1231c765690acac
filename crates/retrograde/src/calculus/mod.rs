//! Gradients, Jacobians and Hessians of reversible functions, in one style:
//! the function as a value, then the point, then what it is multiplied with.
//!
//! | call | gives | by |
//! |---|---|---|
//! | [`gradient(&f {}, &x)`](gradient) | `f(x)`, `∇f(x)` | one adjoint |
//! | [`vjp(&f {}, m, &x, &w)`](vjp) | `f(x)`, `Jᵀw` | one adjoint |
//! | [`jvp(&f {}, m, &x, &v)`](jvp) | `f(x)`, `Jv` | dual numbers |
//! | [`jacobian(&f {}, m, &x)`](jacobian) | `f(x)`, `J` | an adjoint for several rows at once |
//! | [`jacobian_forward(&f {}, m, &x)`](jacobian_forward) | `f(x)`, `J` | dual numbers, several columns at once |
//! | [`hvp(&f {}, &x, &v)`](hvp) | `f(x)`, `∇f(x)`, `Hv` | an adjoint on dual numbers |
//! | [`hessian(&f {}, &x)`](hessian) | `f(x)`, `∇f(x)`, `H` | the same, several columns at once |
//! | [`hessian_reverse(&f {}, &x)`](hessian_reverse) | the same | adjoints of [`GradientOf`] the function |
//!
//! A function of many numbers has the signature
//! `fn f<T: Real>(y: &mut T, x: &[T])`, one with many results
//! `fn f<T: Real>(y: &mut [T], x: &[T])`; it adds its results to `y`.
//! [`With`] supplies further arguments. For any other signature, call
//! `f::adjoint` itself.
//!
//! ```
//! use retrograde::calculus::{gradient, hessian};
//! use retrograde::prelude::*;
//!
//! #[reversible]
//! fn rosenbrock<T: Real>(y: &mut T, x: &[T]) {
//!     for pair in x.windows(2) {
//!         *y += 100.0 * (pair[1] - pair[0] * pair[0]).powi(2) + (1.0 - pair[0]).powi(2);
//!     }
//! }
//!
//! let at = gradient(&rosenbrock {}, &[1.0, 2.0]);
//! assert_eq!((at.value, &at.gradient[..]), (100.0, &[-400.0, 200.0][..]));
//! let at = hessian(&rosenbrock {}, &[1.0, 2.0]);
//! assert_eq!(at.hessian[(0, 0)], 402.0);
//! assert_eq!(at.hessian[(0, 1)], -400.0);
//! ```

mod first;
mod second;
mod with;

pub use crate::linalg::Matrix;
pub use first::{
    Gradient, Jacobian, gradient, gradient_into, jacobian, jacobian_forward, jvp, vjp,
};
pub use second::{GradientOf, Hessian, HessianProduct, hessian, hessian_reverse, hvp};
pub use with::With;

use crate::{Adjoint, Reversible};

/// A function of many numbers with one result, that can be run on `T`.
pub trait ScalarFunction<T>: for<'y, 'x> Reversible<(&'y mut T, &'x [T])> {}
impl<T, F: for<'y, 'x> Reversible<(&'y mut T, &'x [T])>> ScalarFunction<T> for F {}

/// A function of many numbers with many results, that can be run on `T`.
pub trait VectorFunction<T>: for<'y, 'x> Reversible<(&'y mut [T], &'x [T])> {}
impl<T, F: for<'y, 'x> Reversible<(&'y mut [T], &'x [T])>> VectorFunction<T> for F {}

/// A [`ScalarFunction`] with its adjoint.
pub trait ScalarAdjoint<T>:
    ScalarFunction<T> + for<'a, 'b, 'c, 'd> Adjoint<(&'a mut T, &'b mut T, &'c [T], &'d mut [T])>
{
}
impl<T, F> ScalarAdjoint<T> for F where
    F: ScalarFunction<T>
        + for<'a, 'b, 'c, 'd> Adjoint<(&'a mut T, &'b mut T, &'c [T], &'d mut [T])>
{
}

/// A [`VectorFunction`] with its adjoint.
pub trait VectorAdjoint<T>:
    VectorFunction<T> + for<'a, 'b, 'c, 'd> Adjoint<(&'a mut [T], &'b mut [T], &'c [T], &'d mut [T])>
{
}
impl<T, F> VectorAdjoint<T> for F where
    F: VectorFunction<T>
        + for<'a, 'b, 'c, 'd> Adjoint<(&'a mut [T], &'b mut [T], &'c [T], &'d mut [T])>
{
}

/// How many derivatives are carried at once: as many as fit a wide register.
const LANES: usize = 8;

#[track_caller]
fn same_length(what: &str, found: usize, expected: usize) {
    assert!(found == expected, "{what} has {found} components, and {expected} are needed");
}
