//! Reversible functions as operations on arrays: what a tensor framework needs of them.
//!
//! A framework that records what was done to its tensors asks an operation for two things: its
//! result, and the gradient by its arguments when the gradient by its result is known. A
//! reversible function has both. [`scalar`], [`vector`] and [`alike`] say what shape its result
//! has; the crates `retrograde-candle` and `retrograde-burn` apply the operation to tensors of
//! these frameworks, and [`Operation`] is all that an adapter to another one has to know.
//!
//! ```
//! use retrograde::operation::{Operation, scalar};
//! use retrograde::prelude::*;
//!
//! #[reversible]
//! fn norm<T: Real>(y: &mut T, x: &[T]) {
//!     #[compute]
//!     {
//!         let mut squares = T::zero();
//!         for v in x {
//!             squares += *v * *v;
//!         }
//!     }
//!     *y += squares.sqrt();
//! }
//!
//! let length = scalar(norm {});
//! let on_f64 = length.on_f64().unwrap();
//! let (x, mut y) = ([3.0, 4.0], [0.0]);
//! on_f64.forward(&mut y, [&x]);
//! assert_eq!(y, [5.0]);
//! let mut d_x = [0.0; 2];
//! on_f64.backward(&mut y, &mut [10.0], [&x], [&mut d_x]);
//! assert_eq!(d_x, [6.0, 8.0]);
//! ```
//!
//! The arguments are slices: the elements of a tensor, row after row. A function has from one to
//! three of them that carry gradients; [`With`](crate::calculus::With) supplies constant data.

use crate::{Adjoint, Reversible};
use std::marker::PhantomData;
use std::sync::Arc;

/// An operation on `N` tensors of 32 or 64 bit numbers.
pub trait Operation<const N: usize>: Send + Sync {
    /// What it is called, in messages.
    fn name(&self) -> &'static str;
    /// The shape of its result, for arguments of these shapes.
    fn shape(&self, arguments: [&[usize]; N]) -> Vec<usize>;
    /// On `f32`, if it can.
    fn on_f32(&self) -> Option<&dyn Passes<f32, N>>;
    /// On `f64`, if it can.
    fn on_f64(&self) -> Option<&dyn Passes<f64, N>>;
}

/// The two passes of an operation, on elements of type `T`.
pub trait Passes<T, const N: usize> {
    /// Adds the result to `y`, which is zero.
    fn forward(&self, y: &mut [T], x: [&[T]; N]);
    /// Adds the gradient by the arguments to `d_x`. `y` is the result and `d_y` the gradient by
    /// it; what they hold afterwards is of no use.
    fn backward(&self, y: &mut [T], d_y: &mut [T], x: [&[T]; N], d_x: [&mut [T]; N]);
}

/// A number that operations run on: `f32` or `f64`.
pub trait Element: Copy + Default + 'static {
    /// An operation's passes on this type, if it has them.
    fn passes<const N: usize, O: Operation<N> + ?Sized>(
        operation: &O,
    ) -> Option<&dyn Passes<Self, N>>;
}

impl Element for f32 {
    fn passes<const N: usize, O: Operation<N> + ?Sized>(
        operation: &O,
    ) -> Option<&dyn Passes<f32, N>> {
        operation.on_f32()
    }
}

impl Element for f64 {
    fn passes<const N: usize, O: Operation<N> + ?Sized>(
        operation: &O,
    ) -> Option<&dyn Passes<f64, N>> {
        operation.on_f64()
    }
}

/// A function with one result, `fn f<T: Real>(y: &mut T, x: &[T])`, or with further `&[T]`.
///
/// One that is written for `f64` alone is made an operation with [`only`](Scalar::only).
pub fn scalar<F>(f: F) -> Scalar<F> {
    Scalar { f }
}

/// A function with many results, `fn f<T: Real>(y: &mut [T], x: &[T])`, or with further `&[T]`:
/// its result has this shape.
///
/// ```
/// use retrograde::operation::{Operation, vector};
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn polar<T: Real>(y: &mut [T], r: &[T], angle: &[T]) {
///     y[0] += r[0] * angle[0].cos();
///     y[1] += r[0] * angle[0].sin();
/// }
///
/// let polar = vector(polar {}, [2]);
/// assert_eq!(polar.shape([&[1], &[1]]), [2]);
/// ```
pub fn vector<F>(f: F, shape: impl Into<Vec<usize>>) -> Vector<F> {
    Vector { f, shape: Some(shape.into()) }
}

/// As [`vector`], with a result of the same shape as the first argument.
pub fn alike<F>(f: F) -> Vector<F> {
    Vector { f, shape: None }
}

/// An operation with one result: see [`scalar`].
#[derive(Clone, Copy, Debug)]
pub struct Scalar<F> {
    f: F,
}

/// An operation with many results: see [`vector`] and [`alike`].
#[derive(Clone, Debug)]
pub struct Vector<F> {
    f: F,
    /// That of the first argument, if there is none.
    shape: Option<Vec<usize>>,
}

impl<F> Scalar<F> {
    /// For a function that is not generic: `scalar(f {}).only::<f64>()`.
    pub fn only<T>(self) -> Only<Self, T> {
        Only { operation: self, element: PhantomData }
    }

    fn shape_for(&self, _arguments: &[&[usize]]) -> Vec<usize> {
        Vec::new()
    }
}

impl<F> Vector<F> {
    /// For a function that is not generic: `vector(f {}, [3]).only::<f64>()`.
    pub fn only<T>(self) -> Only<Self, T> {
        Only { operation: self, element: PhantomData }
    }

    fn shape_for(&self, arguments: &[&[usize]]) -> Vec<usize> {
        self.shape.clone().unwrap_or_else(|| arguments[0].to_vec())
    }
}

/// An operation on numbers of one type: see [`Scalar::only`].
#[derive(Clone, Debug)]
pub struct Only<O, T> {
    operation: O,
    element: PhantomData<fn() -> T>,
}

macro_rules! operations {
    ($($kind:ident)+) => {$(
        impl<F: Send + Sync, const N: usize> Operation<N> for $kind<F>
        where
            Self: Passes<f32, N> + Passes<f64, N>,
        {
            operations!(@described F, self => self);
            fn on_f32(&self) -> Option<&dyn Passes<f32, N>> {
                Some(self)
            }
            fn on_f64(&self) -> Option<&dyn Passes<f64, N>> {
                Some(self)
            }
        }

        impl<F: Send + Sync, const N: usize> Operation<N> for Only<$kind<F>, f32>
        where
            $kind<F>: Passes<f32, N>,
        {
            operations!(@described F, self => self.operation);
            fn on_f32(&self) -> Option<&dyn Passes<f32, N>> {
                Some(&self.operation)
            }
            fn on_f64(&self) -> Option<&dyn Passes<f64, N>> {
                None
            }
        }

        impl<F: Send + Sync, const N: usize> Operation<N> for Only<$kind<F>, f64>
        where
            $kind<F>: Passes<f64, N>,
        {
            operations!(@described F, self => self.operation);
            fn on_f32(&self) -> Option<&dyn Passes<f32, N>> {
                None
            }
            fn on_f64(&self) -> Option<&dyn Passes<f64, N>> {
                Some(&self.operation)
            }
        }
    )+};
    (@described $f:ident, $self:ident => $operation:expr) => {
        fn name(&self) -> &'static str {
            std::any::type_name::<$f>()
        }
        fn shape(&$self, arguments: [&[usize]; N]) -> Vec<usize> {
            $operation.shape_for(&arguments)
        }
    };
}

operations!(Scalar Vector);

/// An operation that is applied many times is shared, not copied.
impl<const N: usize, O: Operation<N> + ?Sized> Operation<N> for Arc<O> {
    fn name(&self) -> &'static str {
        (**self).name()
    }
    fn shape(&self, arguments: [&[usize]; N]) -> Vec<usize> {
        (**self).shape(arguments)
    }
    fn on_f32(&self) -> Option<&dyn Passes<f32, N>> {
        (**self).on_f32()
    }
    fn on_f64(&self) -> Option<&dyn Passes<f64, N>> {
        (**self).on_f64()
    }
}

macro_rules! passes {
    ($($count:literal: $($x:ident $d_x:ident $of:lifetime $by:lifetime),+;)+) => {$(
        passes!(@for Scalar T [one] $count: $($x $d_x $of $by),+);
        passes!(@for Vector [T] [many] $count: $($x $d_x $of $by),+);
    )+};
    (
        @for $kind:ident $y:ty [$view:ident] $count:literal:
        $($x:ident $d_x:ident $of:lifetime $by:lifetime),+
    ) => {
        impl<T, F> Passes<T, $count> for $kind<F>
        where
            F: for<'y, $($of),+> Reversible<(&'y mut $y, $(&$of [T]),+)>
                + for<'y, 'd, $($of, $by),+> Adjoint<(
                    &'y mut $y,
                    &'d mut $y,
                    $(&$of [T], &$by mut [T]),+
                )>,
        {
            fn forward(&self, y: &mut [T], x: [&[T]; $count]) {
                let [$($x),+] = x;
                self.f.call(($view(y), $($x),+));
            }
            fn backward(
                &self,
                y: &mut [T],
                d_y: &mut [T],
                x: [&[T]; $count],
                d_x: [&mut [T]; $count],
            ) {
                let ([$($x),+], [$($d_x),+]) = (x, d_x);
                self.f.call_gradient(($view(y), $view(d_y), $($x, $d_x),+));
            }
        }
    };
}

passes! {
    1: a d_a 'a 'da;
    2: a d_a 'a 'da, b d_b 'b 'db;
    3: a d_a 'a 'da, b d_b 'b 'db, c d_c 'c 'dc;
}

fn one<T>(y: &mut [T]) -> &mut T {
    &mut y[0]
}

fn many<T>(y: &mut [T]) -> &mut [T] {
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calculus::With;
    use crate::prelude::*;

    #[reversible]
    fn scaled<T: Real>(y: &mut [T], x: &[T], #[constant] factors: &[f64]) {
        for ((y, x), factor) in y.iter_mut().zip(x).zip(factors) {
            *y += *x * T::from_f64(*factor);
        }
    }

    #[reversible]
    fn weighted(y: &mut f64, a: &[f64], b: &[f64], #[constant] weights: &[f64]) {
        for ((a, b), w) in a.iter().zip(b).zip(weights) {
            *y += *w * *a * *b;
        }
    }

    #[test]
    fn data_is_owned() {
        let factors: Arc<[f64]> = Arc::from([2.0, 3.0]);
        let scaled = Arc::new(alike(With(scaled {}, factors)));
        assert_eq!(scaled.shape([&[1, 2]]), [1, 2]);
        let on_f32 = f32::passes(&*scaled).unwrap();
        let (mut y, x, mut d_x) = ([0.0; 2], [1.0, 10.0], [0.0; 2]);
        on_f32.forward(&mut y, [&x]);
        assert_eq!(y, [2.0, 30.0]);
        on_f32.backward(&mut y, &mut [1.0, 10.0], [&x], [&mut d_x]);
        assert_eq!(d_x, [2.0, 30.0]);
    }

    #[test]
    fn two_arguments_of_one_type() {
        let weights: Arc<[f64]> = Arc::from([1.0, 2.0]);
        let weighted = scalar(With(weighted {}, weights)).only::<f64>();
        let weighted: &dyn Operation<2> = &weighted;
        assert!(weighted.on_f32().is_none());
        assert!(weighted.name().contains("weighted"), "{}", weighted.name());
        let (mut y, a, b) = ([0.0], [3.0, 5.0], [7.0, 11.0]);
        let (mut d_a, mut d_b) = ([0.0; 2], [0.0; 2]);
        let on_f64 = f64::passes(weighted).unwrap();
        on_f64.forward(&mut y, [&a, &b]);
        assert_eq!(y, [131.0]);
        on_f64.backward(&mut y, &mut [1.0], [&a, &b], [&mut d_a, &mut d_b]);
        assert_eq!((d_a, d_b), ([7.0, 22.0], [3.0, 10.0]));
    }
}
