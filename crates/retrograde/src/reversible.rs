//! Reversible functions as values.

/// A reversible function that can be passed to another one.
///
/// `#[reversible] fn f` makes the value `f {}` of a type that implements this
/// for the tuple of `f`'s arguments. Inside a reversible function, a parameter
/// that implements it is called like any function, and undone with `!`:
///
/// ```
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn square(y: &mut i64, x: &i64) {
///     *y += *x * *x;
/// }
///
/// #[reversible]
/// fn each<F>(step: &F, ys: &mut [i64], xs: &[i64])
/// where
///     F: for<'a> Reversible<(&'a mut i64, &'a i64)>,
/// {
///     for (y, x) in ys.iter_mut().zip(xs) {
///         step(y, x);
///     }
/// }
///
/// let mut ys = [0, 0, 1];
/// each(&square {}, &mut ys, &[1, 2, 3]);
/// assert_eq!(ys, [1, 4, 10]);
/// each::inverse(&square {}, &mut ys, &[1, 2, 3]);
/// assert_eq!(ys, [0, 0, 1]);
/// ```
///
/// Implement it for a struct of your own to pass a function that carries data.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reversible function of `{Arguments}`",
    note = "help: pass the value `f {{}}` that stands beside every `#[reversible] fn f`, not `f` itself"
)]
pub trait Reversible<Arguments> {
    /// Runs the function.
    fn call(&self, arguments: Arguments);
    /// Runs it backwards.
    fn call_inverse(&self, arguments: Arguments);
}

macro_rules! behind_a_pointer {
    ($($pointer:ty),+) => {$(
        impl<Arguments, F: Reversible<Arguments> + ?Sized> Reversible<Arguments> for $pointer {
            #[inline]
            fn call(&self, arguments: Arguments) {
                (**self).call(arguments);
            }
            #[inline]
            fn call_inverse(&self, arguments: Arguments) {
                (**self).call_inverse(arguments);
            }
        }
    )+};
}

behind_a_pointer!(&F, Box<F>);

/// A reversible function with its two directions exchanged.
#[derive(Clone, Copy, Debug)]
pub struct Inverse<F>(pub F);

impl<Arguments, F: Reversible<Arguments>> Reversible<Arguments> for Inverse<F> {
    #[inline]
    fn call(&self, arguments: Arguments) {
        self.0.call_inverse(arguments);
    }
    #[inline]
    fn call_inverse(&self, arguments: Arguments) {
        self.0.call(arguments);
    }
}
