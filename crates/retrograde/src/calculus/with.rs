//! Functions with some of their arguments supplied.

use crate::{Adjoint, Reversible};
use std::sync::Arc;

/// A reversible function with its last arguments supplied: data, sizes, options.
///
/// They carry no gradient: integers never do, others are marked `#[constant]`
/// in the function. It works for functions of `(y, x)`, or of up to three arguments beside `y`,
/// and for the steps of [`schedule`](crate::schedule), `(next, now, parameters, k)`.
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
///
/// Data that must outlive the caller, as in an operation of a tensor framework, is shared:
/// `With(misfit {}, Arc::<[(f64, f64)]>::from(data))` lends it to every call.
#[derive(Clone, Copy, Debug)]
pub struct With<F, Data>(
    /// The function.
    pub F,
    /// Its last arguments, as a tuple; or the last one alone, as an `Arc` of what it refers to.
    pub Data,
);

/// `With<F, Data>` for one number of arguments: `lent` are the types of those that it adds, for
/// every lifetime in `for`, `as_lent` the same for any, and `values` what they are.
macro_rules! supplied {
    (
        [$($parameters:tt)*] $data:ty; [$($for:tt)*]
        ($($x:ident $dx:ident $v:ident $d:ident),+);
        $with:ident, ($($lent:ty),+) as ($($as_lent:ty),+); ($($value:expr),+)
    ) => {
        impl<F, Y, $($x,)+ $($parameters)*> Reversible<(Y, $($x),+)> for With<F, $data>
        where
            F: $($for)* Reversible<(Y, $($x,)+ $($lent),+)>,
        {
            #[inline]
            fn call(&self, (y, $($v),+): (Y, $($x),+)) {
                let $with = &self.1;
                self.0.call((y, $($v,)+ $($value),+));
            }
            #[inline]
            fn call_inverse(&self, (y, $($v),+): (Y, $($x),+)) {
                let $with = &self.1;
                self.0.call_inverse((y, $($v,)+ $($value),+));
            }
            #[inline]
            fn accumulates(&self) -> bool {
                Reversible::<(Y, $($x,)+ $($as_lent),+)>::accumulates(&self.0)
            }
        }

        impl<F, Y, DY, $($x, $dx,)+ $($parameters)*> Adjoint<(Y, DY, $($x, $dx),+)>
            for With<F, $data>
        where
            F: $($for)* Adjoint<(Y, DY, $($x, $dx,)+ $($lent),+)>,
        {
            #[inline]
            fn call_adjoint(&self, (y, d_y, $($v, $d),+): (Y, DY, $($x, $dx),+)) {
                let $with = &self.1;
                self.0.call_adjoint((y, d_y, $($v, $d,)+ $($value),+));
            }
            #[inline]
            fn call_inverse_adjoint(&self, (y, d_y, $($v, $d),+): (Y, DY, $($x, $dx),+)) {
                let $with = &self.1;
                self.0.call_inverse_adjoint((y, d_y, $($v, $d,)+ $($value),+));
            }
            #[inline]
            fn call_gradient(&self, (y, d_y, $($v, $d),+): (Y, DY, $($x, $dx),+)) {
                let $with = &self.1;
                self.0.call_gradient((y, d_y, $($v, $d,)+ $($value),+));
            }
            #[inline]
            fn only_adds(&self) -> bool {
                Adjoint::<(Y, DY, $($x, $dx,)+ $($as_lent),+)>::only_adds(&self.0)
            }
        }
    };
}

macro_rules! with {
    ($([$($name:ident $index:tt),+])+) => {
        $(with!(@of [$($name $index),+]);)+
    };
    (@of $data:tt) => {
        with!(@arguments (X DX x d_x) $data);
        with!(@arguments (X1 DX1 x1 d_x1, X2 DX2 x2 d_x2) $data);
        with!(@arguments (X1 DX1 x1 d_x1, X2 DX2 x2 d_x2, X3 DX3 x3 d_x3) $data);
        with!(@step $data);
    };
    (@arguments ($($x:ident $dx:ident $v:ident $d:ident),+) [$($name:ident $index:tt),+]) => {
        supplied! {
            [$($name: Copy),+] ($($name,)+); []
            ($($x $dx $v $d),+); with, ($($name),+) as ($($name),+); ($(with.$index),+)
        }
    };
    // A step of a schedule is a function of three arguments, of which the last has no shadow.
    (@step [$($name:ident $index:tt),+]) => {
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
            #[inline]
            fn only_adds(&self) -> bool {
                Adjoint::<(Y, DY, X, DX, P, DP, usize, $($name),+)>::only_adds(&self.0)
            }
        }
    };
}

with! {
    [A 0]
    [A 0, B 1]
    [A 0, B 1, C 2]
    [A 0, B 1, C 2, D 3]
    [A 0, B 1, C 2, D 3, E 4]
    [A 0, B 1, C 2, D 3, E 4, G 5]
}

supplied! { [D: ?Sized] Arc<D>; [for<'d>] (X DX x d_x); data, (&'d D) as (&D); (&**data) }
supplied! { [D: ?Sized] Arc<D>; [for<'d>] (X1 DX1 x1 d_x1, X2 DX2 x2 d_x2); data, (&'d D) as (&D); (&**data) }
supplied! {
    [D: ?Sized] Arc<D>; [for<'d>] (X1 DX1 x1 d_x1, X2 DX2 x2 d_x2, X3 DX3 x3 d_x3);
    data, (&'d D) as (&D); (&**data)
}
