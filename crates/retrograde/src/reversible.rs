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
    /// Whether the function only adds to what it writes, and does not read that.
    ///
    /// Then what it adds is the same whatever is there, and it may start from zeros of its own:
    /// `parallel::sum` takes such functions alone.
    #[inline]
    fn accumulates(&self) -> bool {
        false
    }
}

/// A reversible function that has an adjoint.
///
/// `Arguments` are those of the adjoint: each argument of the function, followed
/// by its shadow if it carries a gradient. The adjoint of a function that takes
/// another one, `F: Reversible<(&mut f64, &f64)>`, asks for
/// `F: Adjoint<(&mut f64, &mut f64, &f64, &mut f64)>` by itself.
///
/// ```
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn square(y: &mut f64, x: &f64) {
///     *y += *x * *x;
/// }
///
/// #[reversible]
/// fn twice<F>(step: &F, y: &mut f64, x: &f64)
/// where
///     F: for<'a> Reversible<(&'a mut f64, &'a f64)>,
/// {
///     step(y, x);
///     step(y, x);
/// }
///
/// let (mut y, mut d_y, x, mut d_x) = (18.0, 1.0, 3.0, 0.0);
/// twice::adjoint(&square {}, &mut y, &mut d_y, &x, &mut d_x);
/// assert_eq!((y, d_x), (0.0, 12.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no adjoint with the arguments `{Arguments}`",
    note = "help: pass the value `f {{}}` that stands beside every `#[reversible] fn f`; one with `inverse_only` has no adjoint; an argument without a gradient beside it, as those in `With`, is marked `#[constant]` in `f`, and one with a gradient is not: `parallel::sum_data` and `each_data` go over what is `#[constant]`"
)]
pub trait Adjoint<Arguments> {
    /// Runs the adjoint.
    fn call_adjoint(&self, arguments: Arguments);
    /// Runs the adjoint of the inverse.
    fn call_inverse_adjoint(&self, arguments: Arguments);
    /// Runs the adjoint, but need not restore the values: for callers who look at
    /// the gradients alone.
    #[inline]
    fn call_gradient(&self, arguments: Arguments) {
        self.call_adjoint(arguments);
    }
    /// Whether the function only adds to what it writes, and its adjoint leaves the shadows
    /// of that as they are.
    ///
    /// Then the [adjoint of the inverse](Self::call_inverse_adjoint) is the function and its
    /// gradient in one: it adds to the values what the function adds, and it carries the
    /// negative of the shadows back.
    #[inline]
    fn only_adds(&self) -> bool {
        false
    }
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
            #[inline]
            fn accumulates(&self) -> bool {
                (**self).accumulates()
            }
        }

        impl<Arguments, F: Adjoint<Arguments> + ?Sized> Adjoint<Arguments> for $pointer {
            #[inline]
            fn call_adjoint(&self, arguments: Arguments) {
                (**self).call_adjoint(arguments);
            }
            #[inline]
            fn call_inverse_adjoint(&self, arguments: Arguments) {
                (**self).call_inverse_adjoint(arguments);
            }
            #[inline]
            fn call_gradient(&self, arguments: Arguments) {
                (**self).call_gradient(arguments);
            }
            #[inline]
            fn only_adds(&self) -> bool {
                (**self).only_adds()
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
    // It takes away what the other adds.
    #[inline]
    fn accumulates(&self) -> bool {
        self.0.accumulates()
    }
}

impl<Arguments, F: Adjoint<Arguments>> Adjoint<Arguments> for Inverse<F> {
    #[inline]
    fn call_adjoint(&self, arguments: Arguments) {
        self.0.call_inverse_adjoint(arguments);
    }
    #[inline]
    fn call_inverse_adjoint(&self, arguments: Arguments) {
        self.0.call_adjoint(arguments);
    }
}
