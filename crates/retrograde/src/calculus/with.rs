//! Functions with some of their arguments supplied.

use crate::{Adjoint, Reversible};

/// A reversible function with its last arguments supplied: data, sizes, options.
///
/// They carry no gradient: integers never do, others are marked `#[constant]`
/// in the function. It works for functions of `(y, x)` and for the steps of
/// [`schedule`](crate::schedule), `(next, now, parameters, k)`.
///
/// ```
/// use retrograde::calculus::{With, gradient};
/// use retrograde::prelude::*;
///
/// /// The squared distance of the line `x[0] + x[1] t` from some data.
/// #[reversible]
/// fn misfit<T: Real>(y: &mut T, x: &[T], #[constant] data: &[(f64, f64)]) {
///     for (t, value) in data {
///         *y += (x[0] + x[1] * T::from_f64(*t) - T::from_f64(*value)).powi(2);
///     }
/// }
///
/// let data = [(0.0, 1.0), (1.0, 3.0)];
/// let at = gradient(&With(misfit {}, (&data[..],)), &[1.0, 1.0]);
/// assert_eq!((at.value, at.gradient), (1.0, vec![-2.0, -2.0]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct With<F, Data>(
    /// The function.
    pub F,
    /// Its last arguments, as a tuple.
    pub Data,
);

macro_rules! with {
    ($(($($name:ident $index:tt),+))+) => {$(
        impl<F, Y, X, $($name: Copy),+> Reversible<(Y, X)> for With<F, ($($name,)+)>
        where
            F: Reversible<(Y, X, $($name),+)>,
        {
            #[inline]
            fn call(&self, (y, x): (Y, X)) {
                self.0.call((y, x, $(self.1.$index),+));
            }
            #[inline]
            fn call_inverse(&self, (y, x): (Y, X)) {
                self.0.call_inverse((y, x, $(self.1.$index),+));
            }
        }

        impl<F, Y, DY, X, DX, $($name: Copy),+> Adjoint<(Y, DY, X, DX)> for With<F, ($($name,)+)>
        where
            F: Adjoint<(Y, DY, X, DX, $($name),+)>,
        {
            #[inline]
            fn call_adjoint(&self, (y, d_y, x, d_x): (Y, DY, X, DX)) {
                self.0.call_adjoint((y, d_y, x, d_x, $(self.1.$index),+));
            }
            #[inline]
            fn call_inverse_adjoint(&self, (y, d_y, x, d_x): (Y, DY, X, DX)) {
                self.0.call_inverse_adjoint((y, d_y, x, d_x, $(self.1.$index),+));
            }
            #[inline]
            fn call_gradient(&self, (y, d_y, x, d_x): (Y, DY, X, DX)) {
                self.0.call_gradient((y, d_y, x, d_x, $(self.1.$index),+));
            }
        }

        impl<F, Y, X, P, $($name: Copy),+> Reversible<(Y, X, P, usize)>
            for With<F, ($($name,)+)>
        where
            F: Reversible<(Y, X, P, usize, $($name),+)>,
        {
            #[inline]
            fn call(&self, (y, x, p, k): (Y, X, P, usize)) {
                self.0.call((y, x, p, k, $(self.1.$index),+));
            }
            #[inline]
            fn call_inverse(&self, (y, x, p, k): (Y, X, P, usize)) {
                self.0.call_inverse((y, x, p, k, $(self.1.$index),+));
            }
        }

        impl<F, Y, DY, X, DX, P, DP, $($name: Copy),+> Adjoint<(Y, DY, X, DX, P, DP, usize)>
            for With<F, ($($name,)+)>
        where
            F: Adjoint<(Y, DY, X, DX, P, DP, usize, $($name),+)>,
        {
            #[inline]
            fn call_adjoint(&self, (y, d_y, x, d_x, p, d_p, k): (Y, DY, X, DX, P, DP, usize)) {
                self.0.call_adjoint((y, d_y, x, d_x, p, d_p, k, $(self.1.$index),+));
            }
            #[inline]
            fn call_inverse_adjoint(
                &self,
                (y, d_y, x, d_x, p, d_p, k): (Y, DY, X, DX, P, DP, usize),
            ) {
                self.0.call_inverse_adjoint((y, d_y, x, d_x, p, d_p, k, $(self.1.$index),+));
            }
            #[inline]
            fn call_gradient(&self, (y, d_y, x, d_x, p, d_p, k): (Y, DY, X, DX, P, DP, usize)) {
                self.0.call_gradient((y, d_y, x, d_x, p, d_p, k, $(self.1.$index),+));
            }
        }
    )+};
}

with! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, G 5)
}
