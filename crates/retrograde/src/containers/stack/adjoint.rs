//! The operations of a stack with gradients.

use super::Stack;
use crate::check::Check;
use crate::check::{Astray, Changes, Slack, Toward};
use crate::containers::Leaves;
use crate::derivative::{Differentiable, Misfit};
use crate::num::Zero;
use std::mem;

/// The shadow of a stack is a stack of the same length, with the shadow of each
/// element.
///
/// As with a `Vec`, an empty shadow becomes as long as what is added to it, and
/// any other difference of the lengths panics.
impl<T: Differentiable> Differentiable for Stack<T> {
    const ACTIVE: bool = T::ACTIVE;
    #[inline]
    fn zero_like(&self) -> Self {
        Stack { elements: self.elements.zero_like() }
    }
    #[inline]
    fn misfit(&self, shadow: &Self) -> Option<Misfit> {
        self.elements.misfit(&shadow.elements)
    }
    #[inline]
    #[track_caller]
    fn accumulate_shadow(&mut self, other: Self) {
        self.elements.accumulate_shadow(other.elements);
    }
    #[inline]
    #[track_caller]
    fn retract_shadow(&mut self, other: Self) {
        self.elements.retract_shadow(other.elements);
    }
    #[inline]
    fn extent(&self) -> f64 {
        self.elements.extent()
    }
    #[inline]
    fn breadth(&self) -> usize {
        self.elements.breadth()
    }
    #[inline]
    fn changes(&self, before: &Self) -> Changes {
        self.elements.changes(&before.elements)
    }
    #[inline]
    fn astray(&self, expected: &Self, slack: Slack) -> Option<Astray> {
        self.elements.astray(&expected.elements, slack)
    }
    fn nudge_value(&mut self, slack: Slack, toward: Toward) {
        self.elements.nudge_value(slack, toward);
    }
}

/// # Gradients
///
/// Each operation takes the shadow of the stack along. A shadow of another
/// length panics, before anything is changed.
impl<T> Stack<T> {
    /// The adjoint of [`push`](Self::push): the top comes back into `x`, and its
    /// gradient into `d_x`.
    ///
    /// The gradient that was in `d_x` is that of the zero which `push` left
    /// behind. Zero is a constant, so this gradient is dropped.
    ///
    /// ```
    /// # use retrograde::containers::Stack;
    /// let (mut stack, mut d_stack) = (Stack::from_iter([1.0, 2.0]), Stack::from_iter([0.1, 0.2]));
    /// let (mut x, mut d_x) = (0.0, 0.0);
    /// stack.push_adjoint(&mut d_stack, &mut x, &mut d_x);
    /// assert_eq!((stack.as_slice(), x), (&[1.0][..], 2.0));
    /// assert_eq!((d_stack.as_slice(), d_x), (&[0.1][..], 0.2));
    /// ```
    ///
    /// # Panics
    ///
    /// If the stack is empty, or `x` does not hold zero, or the shadow is not as
    /// long as the stack.
    #[inline]
    #[track_caller]
    pub fn push_adjoint(&mut self, d_self: &mut Self, x: &mut T, d_x: &mut T)
    where
        T: Zero + Check,
    {
        self.take_with_gradient(d_self, x, d_x, "stack.push(..)");
    }

    /// The adjoint of the inverse of [`push`](Self::push): it is
    /// [`pop_adjoint`](Self::pop_adjoint).
    #[inline]
    #[track_caller]
    pub fn push_inverse_adjoint(&mut self, d_self: &mut Self, x: &mut T, d_x: &mut T)
    where
        T: Zero + Differentiable,
    {
        self.pop_adjoint(d_self, x, d_x);
    }

    /// The adjoint of [`pop`](Self::pop): the value of `x` goes back in, and its
    /// gradient into the shadow.
    ///
    /// ```
    /// # use retrograde::containers::Stack;
    /// let (mut stack, mut d_stack) = (Stack::new(), Stack::new());
    /// let (mut x, mut d_x) = (2.0, 0.2);
    /// stack.pop_adjoint(&mut d_stack, &mut x, &mut d_x);
    /// assert_eq!((stack.as_slice(), x), (&[2.0][..], 0.0));
    /// assert_eq!((d_stack.as_slice(), d_x), (&[0.2][..], 0.0));
    /// ```
    ///
    /// # Panics
    ///
    /// If the shadow is not as long as the stack.
    #[inline]
    #[track_caller]
    pub fn pop_adjoint(&mut self, d_self: &mut Self, x: &mut T, d_x: &mut T)
    where
        T: Zero + Differentiable,
    {
        self.must_fit(d_self);
        self.push(x);
        d_self.elements.push(mem::replace(d_x, x.zero_like()));
    }

    /// The adjoint of the inverse of [`pop`](Self::pop): it is
    /// [`push_adjoint`](Self::push_adjoint).
    #[inline]
    #[track_caller]
    pub fn pop_inverse_adjoint(&mut self, d_self: &mut Self, x: &mut T, d_x: &mut T)
    where
        T: Zero + Check,
    {
        self.take_with_gradient(d_self, x, d_x, "stack.pop(..)");
    }

    /// The adjoint of [`push_copy`](Self::push_copy): the copy is dropped, and
    /// its gradient is added to that of `x`.
    ///
    /// ```
    /// # use retrograde::containers::Stack;
    /// let (mut stack, mut d_stack) = (Stack::from_iter([2.0]), Stack::from_iter([0.25]));
    /// let (x, mut d_x) = (2.0, 1.0);
    /// stack.push_copy_adjoint(&mut d_stack, &x, &mut d_x);
    /// assert!(stack.is_empty() && d_stack.is_empty());
    /// assert_eq!(d_x, 1.25);
    /// ```
    ///
    /// # Panics
    ///
    /// If the stack is empty, or its top is not `x`, or the shadow is not as long
    /// as the stack.
    #[inline]
    #[track_caller]
    pub fn push_copy_adjoint(&mut self, d_self: &mut Self, x: &T, d_x: &mut T)
    where
        T: Check + Differentiable,
    {
        self.drop_with_gradient(d_self, x, d_x, "stack.push_copy(..)");
    }

    /// The adjoint of the inverse of [`push_copy`](Self::push_copy): it is
    /// [`pop_copy_adjoint`](Self::pop_copy_adjoint).
    #[inline]
    #[track_caller]
    pub fn push_copy_inverse_adjoint(&mut self, d_self: &mut Self, x: &T, d_x: &mut T)
    where
        T: Differentiable,
    {
        self.pop_copy_adjoint(d_self, x, d_x);
    }

    /// The adjoint of [`pop_copy`](Self::pop_copy): a copy of `x` goes back in,
    /// with a gradient of zero.
    ///
    /// What was dropped was the same as `x`, so that `x` has the gradient of both.
    ///
    /// ```
    /// # use retrograde::containers::Stack;
    /// let (mut stack, mut d_stack) = (Stack::new(), Stack::new());
    /// let (x, mut d_x) = (2.0, 1.0);
    /// stack.pop_copy_adjoint(&mut d_stack, &x, &mut d_x);
    /// assert_eq!((stack.as_slice(), d_stack.as_slice()), (&[2.0][..], &[0.0][..]));
    /// assert_eq!(d_x, 1.0);
    /// ```
    ///
    /// # Panics
    ///
    /// If the shadow is not as long as the stack.
    #[inline]
    #[track_caller]
    pub fn pop_copy_adjoint(&mut self, d_self: &mut Self, x: &T, _d_x: &mut T)
    where
        T: Differentiable,
    {
        self.must_fit(d_self);
        self.push_copy(x);
        d_self.elements.push(x.zero_like());
    }

    /// The adjoint of the inverse of [`pop_copy`](Self::pop_copy): it is
    /// [`push_copy_adjoint`](Self::push_copy_adjoint).
    #[inline]
    #[track_caller]
    pub fn pop_copy_inverse_adjoint(&mut self, d_self: &mut Self, x: &T, d_x: &mut T)
    where
        T: Check + Differentiable,
    {
        self.drop_with_gradient(d_self, x, d_x, "stack.pop_copy(..)");
    }

    with_every_shadow! {
        __push_adjoint = push_adjoint(x: &mut T, d_x: &mut T) where T: Zero + Check;
        __push_inverse_adjoint = push_inverse_adjoint(x: &mut T, d_x: &mut T) where T: Zero + Differentiable;
        __pop_adjoint = pop_adjoint(x: &mut T, d_x: &mut T) where T: Zero + Differentiable;
        __pop_inverse_adjoint = pop_inverse_adjoint(x: &mut T, d_x: &mut T) where T: Zero + Check;
        __push_copy_adjoint = push_copy_adjoint(x: &T, d_x: &mut T) where T: Check + Differentiable;
        __push_copy_inverse_adjoint = push_copy_inverse_adjoint(x: &T, d_x: &mut T) where T: Differentiable;
        __pop_copy_adjoint = pop_copy_adjoint(x: &T, d_x: &mut T) where T: Differentiable;
        __pop_copy_inverse_adjoint = pop_copy_inverse_adjoint(x: &T, d_x: &mut T) where T: Check + Differentiable;
    }

    #[inline]
    #[track_caller]
    fn take_with_gradient(
        &mut self,
        d_self: &mut Self,
        x: &mut T,
        d_x: &mut T,
        source: &'static str,
    ) where
        T: Zero + Check,
    {
        self.must_fit(d_self);
        self.take(x, Leaves::BackAgain, source);
        if let Some(gradient) = d_self.elements.pop() {
            *d_x = gradient;
        }
    }

    #[inline]
    #[track_caller]
    fn drop_with_gradient(&mut self, d_self: &mut Self, x: &T, d_x: &mut T, source: &'static str)
    where
        T: Check + Differentiable,
    {
        self.must_fit(d_self);
        self.drop_copy(x, source);
        if let Some(gradient) = d_self.elements.pop() {
            d_x.accumulate_shadow(gradient);
        }
    }

    #[inline]
    #[track_caller]
    fn must_fit(&self, shadow: &Self) {
        if self.len() != shadow.len() {
            does_not_fit(self.len(), shadow.len());
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn does_not_fit(stack: usize, shadow: usize) -> ! {
    panic!("the shadow of a stack of {stack} elements has {shadow}")
}
