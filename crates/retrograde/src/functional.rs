//! Reversible functions, applied to all elements of a slice, one after the other.
//!
//! They take [functions as values](crate::Reversible): `f {}` is the function `f`. Their inverses
//! and adjoints are made of those of the functions. On many threads, see the module `parallel`.
//!
//! ```
//! use retrograde::functional::{fold, map_fold};
//! use retrograde::prelude::*;
//!
//! #[reversible]
//! fn square(y: &mut f64, x: &f64) {
//!     *y += *x * *x;
//! }
//!
//! #[reversible]
//! fn add_root(y: &mut f64, x: &f64) {
//!     *y += x.sqrt();
//! }
//!
//! /// The sum of the lengths of the numbers, by way of their squares.
//! #[reversible]
//! fn lengths(y: &mut f64, xs: &[f64]) {
//!     map_fold(&square {}, &add_root {}, y, xs);
//! }
//!
//! let at = lengths::gradient(&[3.0, -4.0]);
//! assert_eq!((at.value, at.d_xs), (7.0, vec![1.0, -1.0]));
//! ```

use crate::check::Check;
use crate::prelude::*;

/// Changes every element: `f(y)` for each `y` of `ys`.
///
/// ```
/// use retrograde::functional::for_each;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn shear(p: &mut (f64, f64)) {
///     p.0 += 2.0 * p.1;
/// }
///
/// let mut points = [(0.0, 1.0), (1.0, 3.0)];
/// for_each(&shear {}, &mut points);
/// assert_eq!(points, [(2.0, 1.0), (7.0, 3.0)]);
/// for_each::inverse(&shear {}, &mut points);
/// assert_eq!(points, [(0.0, 1.0), (1.0, 3.0)]);
/// ```
#[reversible]
#[inline]
pub fn for_each<F, Y>(f: &F, ys: &mut [Y])
where
    F: for<'a> Reversible<(&'a mut Y,)>,
{
    for y in ys {
        f(y);
    }
}

/// Changes every element by another: `f(y, x)` for each pair of `ys` and `xs`.
///
/// ```
/// use retrograde::functional::map;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn square(y: &mut f64, x: &f64) {
///     *y += *x * *x;
/// }
///
/// let mut ys = [0.0, 0.0, 1.0];
/// map(&square {}, &mut ys, &[1.0, 2.0, 3.0]);
/// assert_eq!(ys, [1.0, 4.0, 10.0]);
/// map::inverse(&square {}, &mut ys, &[1.0, 2.0, 3.0]);
/// assert_eq!(ys, [0.0, 0.0, 1.0]);
/// ```
///
/// # Panics
///
/// If one slice is longer.
#[reversible]
#[inline]
pub fn map<F, Y, X>(f: &F, ys: &mut [Y], xs: &[X])
where
    F: for<'a> Reversible<(&'a mut Y, &'a X)>,
{
    for (y, x) in ys.iter_mut().zip(xs) {
        f(y, x);
    }
}

/// Changes one state by every element: `f(state, x)` for each `x` of `xs`.
///
/// ```
/// use retrograde::functional::fold;
/// use retrograde::prelude::*;
///
/// /// Horner's rule, in the numbers that products can be undone on.
/// #[reversible]
/// fn times(state: &mut Logarithmic<f64>, x: &Logarithmic<f64>) {
///     *state *= *x;
/// }
///
/// let mut product = Logarithmic::one();
/// fold(&times {}, &mut product, &[2.0, 3.0].map(Logarithmic::new));
/// assert!((product.value() - 6.0).abs() < 1e-12);
/// ```
#[reversible]
#[inline]
pub fn fold<F, S, X>(f: &F, state: &mut S, xs: &[X])
where
    F: for<'a> Reversible<(&'a mut S, &'a X)>,
{
    for x in xs {
        f(state, x);
    }
}

/// Changes one state by the image of every element: for each `x` of `xs`, `map(y, x)` with a `y`
/// that is zero, and then `fold(state, y)`. The images are not kept.
///
/// ```
/// use retrograde::functional::map_fold;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn square(y: &mut f64, x: &f64) {
///     *y += *x * *x;
/// }
///
/// #[reversible]
/// fn add(sum: &mut f64, y: &f64) {
///     *sum += *y;
/// }
///
/// let mut sum = 0.0;
/// map_fold(&square {}, &add {}, &mut sum, &[1.0, 2.0, 3.0]);
/// assert_eq!(sum, 14.0);
/// ```
#[reversible]
#[inline]
pub fn map_fold<M, F, S, X, Y>(map: &M, fold: &F, state: &mut S, xs: &[X])
where
    Y: Zero + Clone + Check + Differentiable,
    M: for<'a> Reversible<(&'a mut Y, &'a X)>,
    F: for<'a> Reversible<(&'a mut S, &'a Y)>,
{
    for x in xs {
        #[compute]
        {
            let mut y: Y = Y::zero();
            map(&mut y, x);
        }
        fold(state, &y);
    }
}

/// Pushes a copy of every element that a function says yes to, the first first.
///
/// The function writes its answer into a `bool` that is `false`.
///
/// ```
/// use retrograde::functional::filter;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn positive(keep: &mut bool, x: &f64) {
///     *keep ^= *x > 0.0;
/// }
///
/// let mut out = Stack::new();
/// filter(&positive {}, &mut out, &[1.0, -2.0, 3.0]);
/// assert_eq!(out.as_slice(), [1.0, 3.0]);
/// filter::inverse(&positive {}, &mut out, &[1.0, -2.0, 3.0]);
/// assert!(out.is_empty());
/// ```
#[reversible]
pub fn filter<F, X>(keep: &F, out: &mut Stack<X>, xs: &[X])
where
    X: Clone + Check + Differentiable,
    F: for<'a> Reversible<(&'a mut bool, &'a X)>,
{
    for x in xs {
        #[compute]
        {
            let mut yes = false;
            keep(&mut yes, x);
        }
        if yes {
            out.push_copy(x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_gradient, assert_reversible};

    const X: [f64; 5] = [0.3, -1.2, 2.5, -0.4, 1.7];

    #[reversible]
    fn shear(p: &mut (f64, f64)) {
        p.0 += p.1.sin();
        p.1 += p.0 * p.0;
    }

    #[reversible]
    fn square(y: &mut f64, x: &f64) {
        *y += *x * *x;
    }

    #[reversible]
    fn turn(y: &mut (f64, f64), x: &f64) {
        rot(&mut y.0, &mut y.1, x);
    }

    #[reversible]
    fn positive(keep: &mut bool, x: &f64) {
        *keep ^= *x > 0.0;
    }

    #[reversible]
    fn all(ps: &mut [(f64, f64)], ys: &mut [f64], total: &mut f64, xs: &[f64]) {
        for_each(&shear {}, ps);
        map(&square {}, ys, xs);
        fold(&square {}, total, ys);
        fold(&turn {}, &mut ps[0], xs);
        map_fold(&square {}, &square {}, total, xs);
        #[compute]
        {
            let mut kept = Stack::new();
            filter(&positive {}, &mut kept, xs);
        }
        for i in 0..kept.len() {
            *total += kept[i] * kept[0];
        }
    }

    #[test]
    fn gradients_and_inverses() {
        let (mut ps, mut ys, mut total) = ([(0.2, 0.7), (-0.3, 1.1)], [0.5; 5], 0.25);
        assert_reversible!(all(&mut ps[..], &mut ys[..], &mut total, &X[..]));
        assert_gradient!(all(&mut ps[..], &mut ys[..], &mut total, &X[..]));
    }
}
