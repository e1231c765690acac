//! What a run is made of: states and steps.

use crate::derivative::{Differentiable, ToShadow};
use crate::{Adjoint, Reversible};
use std::borrow::BorrowMut;

/// What a state or the parameters of a run can be: any value that is
/// [`Differentiable`], or a slice of them.
pub trait State:
    ToOwned<Owned: BorrowMut<Self> + Differentiable> + ToShadow<Shadow = <Self as ToOwned>::Owned>
{
}
impl<S> State for S where
    S: ToOwned<Owned: BorrowMut<S> + Differentiable>
        + ToShadow<Shadow = <S as ToOwned>::Owned>
        + ?Sized
{
}

/// A step of a run, and its adjoint.
///
/// Every reversible function
/// `step(next: &mut S, now: &S, parameters: &P, k: usize)` is one. Implement it, or
/// call [`by_hand`], for a step that is not written in the language.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a step of a run",
    note = "help: a step is the value `f {{}}` of a reversible function `f(next: &mut State, now: &State, parameters: &Parameters, k: usize)`, or made with `by_hand`"
)]
pub trait Step<S: ?Sized, P: ?Sized> {
    /// Makes the state after `now`, in `next`, which holds zeros.
    fn forward(&self, next: &mut S, now: &S, parameters: &P, k: usize);

    /// Uncomputes `next`; it is made zero afterwards, so there may be nothing to do.
    fn inverse(&self, next: &mut S, now: &S, parameters: &P, k: usize) {
        _ = (next, now, parameters, k);
    }

    /// Adds what `d_next` gives to the gradients `d_now` and `d_parameters`.
    ///
    /// `next` holds what [`forward`](Self::forward) made of `now`. It and `d_next`
    /// are not needed any more, and may be left with anything in them.
    #[allow(clippy::too_many_arguments)]
    fn adjoint(
        &self,
        next: &mut S,
        d_next: &mut S,
        now: &S,
        d_now: &mut S,
        parameters: &P,
        d_parameters: &mut P,
        k: usize,
    );
}

/// A reversible function that is a step.
pub trait ReversibleStep<S: ?Sized, P: ?Sized>:
    for<'a> Reversible<(&'a mut S, &'a S, &'a P, usize)>
    + for<'a> Adjoint<(&'a mut S, &'a mut S, &'a S, &'a mut S, &'a P, &'a mut P, usize)>
{
}
impl<S: ?Sized, P: ?Sized, F> ReversibleStep<S, P> for F where
    F: for<'a> Reversible<(&'a mut S, &'a S, &'a P, usize)>
        + for<'a> Adjoint<(&'a mut S, &'a mut S, &'a S, &'a mut S, &'a P, &'a mut P, usize)>
{
}

impl<S: ?Sized, P: ?Sized, F: ReversibleStep<S, P>> Step<S, P> for F {
    #[inline]
    fn forward(&self, next: &mut S, now: &S, parameters: &P, k: usize) {
        self.call((next, now, parameters, k));
    }
    #[inline]
    fn inverse(&self, next: &mut S, now: &S, parameters: &P, k: usize) {
        self.call_inverse((next, now, parameters, k));
    }
    #[inline]
    fn adjoint(
        &self,
        next: &mut S,
        d_next: &mut S,
        now: &S,
        d_now: &mut S,
        parameters: &P,
        d_parameters: &mut P,
        k: usize,
    ) {
        self.call_gradient((next, d_next, now, d_now, parameters, d_parameters, k));
    }
}

/// A step and its adjoint, each written by hand: see [`by_hand`].
#[derive(Clone, Copy, Debug)]
pub struct ByHand<F, A> {
    step: F,
    adjoint: A,
}

/// A step that is not written in the language: `step(next, now, parameters, k)`
/// writes the next state, and
/// `adjoint(d_next, now, d_now, parameters, d_parameters, k)` adds to `d_now` and
/// `d_parameters`.
///
/// ```
/// use retrograde::schedule::{Run, Schedule, by_hand};
///
/// // A hot body cools, the faster the hotter it is.
/// let cooling = by_hand(
///     |next: &mut f64, now: &f64, rate: &f64, _k| *next = now - rate * now * now,
///     |d_next, now, d_now, rate, d_rate, _k| {
///         *d_now += d_next * (1.0 - 2.0 * rate * now);
///         *d_rate -= d_next * now * now;
///     },
/// );
/// let run = Run::new(cooling, 100, Schedule::RecomputeAll);
/// let at = run.gradient(&1.0, &0.01, |_, d_end| *d_end = 1.0);
/// assert!((at.end - 0.5).abs() < 0.01 && (at.d_start - 0.25).abs() < 0.01);
/// ```
pub fn by_hand<S: ?Sized, P: ?Sized, F, A>(step: F, adjoint: A) -> ByHand<F, A>
where
    F: Fn(&mut S, &S, &P, usize),
    A: Fn(&S, &S, &mut S, &P, &mut P, usize),
{
    ByHand { step, adjoint }
}

impl<S: ?Sized, P: ?Sized, F, A> Step<S, P> for ByHand<F, A>
where
    F: Fn(&mut S, &S, &P, usize),
    A: Fn(&S, &S, &mut S, &P, &mut P, usize),
{
    #[inline]
    fn forward(&self, next: &mut S, now: &S, parameters: &P, k: usize) {
        (self.step)(next, now, parameters, k);
    }
    #[inline]
    fn adjoint(
        &self,
        _next: &mut S,
        d_next: &mut S,
        now: &S,
        d_now: &mut S,
        parameters: &P,
        d_parameters: &mut P,
        k: usize,
    ) {
        (self.adjoint)(d_next, now, d_now, parameters, d_parameters, k);
    }
}
