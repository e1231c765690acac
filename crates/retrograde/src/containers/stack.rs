//! A stack that gives back what was pushed.

mod adjoint;

use super::{Leaves, must_agree, must_be_zero};
use crate::check::{Check, Slack, Toward};
use crate::error::{Broken, fail};
use crate::num::Zero;
use crate::place::Disjoint;
use std::fmt::{self, Debug};
use std::mem;
use std::ops::{Index, IndexMut};

/// A last-in, first-out store; the way to keep what a computation would
/// otherwise forget.
///
/// ```
/// use retrograde::containers::Stack;
///
/// let mut stack = Stack::new();
/// let mut x = 2.5;
/// stack.push(&mut x);
/// assert_eq!((stack.top(), x), (Some(&2.5), 0.0));
/// stack.push_inverse(&mut x);
/// assert_eq!((stack.top(), x), (None, 2.5));
/// ```
///
/// As an ancilla, `let mut stack = Stack::new();`, it must be empty again at the
/// end of its scope.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Stack<T> {
    elements: Vec<T>,
}

impl<T> Stack<T> {
    /// An empty stack.
    #[inline]
    pub const fn new() -> Self {
        Stack { elements: Vec::new() }
    }

    /// An empty stack with room for `capacity` elements.
    #[inline]
    pub fn with_capacity(capacity: usize) -> Self {
        Stack { elements: Vec::with_capacity(capacity) }
    }

    /// How many elements there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The elements, the bottom first.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.elements
    }

    decide_nothing!(__push_decides __pop_decides __push_copy_decides __pop_copy_decides);

    /// The elements, the bottom first, to be changed in their places.
    ///
    /// ```
    /// # use retrograde::containers::Stack;
    /// let mut stack = Stack::from_iter([1, 2]);
    /// stack.as_mut_slice().swap(0, 1);
    /// assert_eq!(stack.as_slice(), [2, 1]);
    /// ```
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.elements
    }

    /// The element that was pushed last.
    #[inline]
    pub fn top(&self) -> Option<&T> {
        self.elements.last()
    }

    /// Moves the value of `x` in, and leaves zero behind. Undone by [`pop`](Self::pop).
    ///
    /// ```
    /// # use retrograde::containers::Stack;
    /// let mut stack = Stack::from_iter([1]);
    /// let mut x = 2;
    /// stack.push(&mut x);
    /// assert_eq!((stack.as_slice(), x), (&[1, 2][..], 0));
    /// ```
    #[inline]
    pub fn push(&mut self, x: &mut T)
    where
        T: Zero,
    {
        self.elements.push(mem::replace(x, T::zero()));
    }

    /// Moves the top into `x`. Undone by [`push`](Self::push).
    ///
    /// ```
    /// # use retrograde::containers::Stack;
    /// let mut stack = Stack::from_iter([1, 2]);
    /// let mut x = 0;
    /// stack.pop(&mut x);
    /// assert_eq!((stack.as_slice(), x), (&[1][..], 2));
    /// ```
    ///
    /// # Panics
    ///
    /// If the stack is empty, or `x` does not hold zero.
    #[inline]
    #[track_caller]
    pub fn pop(&mut self, x: &mut T)
    where
        T: Zero + Check,
    {
        self.take(x, Leaves::Moved, "stack.pop(..)");
    }

    /// Undoes [`push`](Self::push): it is [`pop`](Self::pop).
    #[inline]
    #[track_caller]
    pub fn push_inverse(&mut self, x: &mut T)
    where
        T: Zero + Check,
    {
        self.take(x, Leaves::BackAgain, "stack.push(..)");
    }

    /// Undoes [`pop`](Self::pop): it is [`push`](Self::push).
    #[inline]
    pub fn pop_inverse(&mut self, x: &mut T)
    where
        T: Zero,
    {
        self.push(x);
    }

    /// Puts a copy of `x` on top. Undone by [`pop_copy`](Self::pop_copy).
    ///
    /// ```
    /// # use retrograde::containers::Stack;
    /// let mut stack = Stack::new();
    /// stack.push_copy(&7);
    /// stack.push_copy(&8);
    /// assert_eq!(stack.as_slice(), [7, 8]);
    /// ```
    #[inline]
    pub fn push_copy(&mut self, x: &T)
    where
        T: Clone,
    {
        self.elements.push(x.clone());
    }

    /// Drops the top, which must hold the same as `x`. Undone by
    /// [`push_copy`](Self::push_copy).
    ///
    /// ```
    /// # use retrograde::containers::Stack;
    /// let mut stack = Stack::from_iter([7, 8]);
    /// stack.pop_copy(&8);
    /// assert_eq!(stack.as_slice(), [7]);
    /// ```
    ///
    /// # Panics
    ///
    /// If the stack is empty, or its top is not `x`.
    #[inline]
    #[track_caller]
    pub fn pop_copy(&mut self, x: &T)
    where
        T: Check,
    {
        self.drop_copy(x, "stack.pop_copy(..)");
    }

    /// Undoes [`push_copy`](Self::push_copy): it is [`pop_copy`](Self::pop_copy).
    #[inline]
    #[track_caller]
    pub fn push_copy_inverse(&mut self, x: &T)
    where
        T: Check,
    {
        self.drop_copy(x, "stack.push_copy(..)");
    }

    /// Undoes [`pop_copy`](Self::pop_copy): it is [`push_copy`](Self::push_copy).
    #[inline]
    pub fn pop_copy_inverse(&mut self, x: &T)
    where
        T: Clone,
    {
        self.push_copy(x);
    }

    #[inline]
    #[track_caller]
    fn take(&mut self, x: &mut T, leaves: Leaves, source: &'static str)
    where
        T: Zero + Check,
    {
        match self.elements.last() {
            Some(top) => must_be_zero(x, top, leaves, source),
            None => empty(source),
        }
        if let Some(top) = self.elements.pop() {
            *x = top;
        }
    }

    #[inline]
    #[track_caller]
    fn drop_copy(&mut self, x: &T, source: &'static str)
    where
        T: Check,
    {
        match self.elements.last() {
            Some(top) => must_agree(top, x, source),
            None => empty(source),
        }
        self.elements.pop();
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn empty(source: &'static str) -> ! {
    fail(Broken::Container, source, "an element".to_string(), "an empty stack".to_string())
}

impl<T: Debug> Debug for Stack<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.elements.fmt(f)
    }
}

impl<T> Default for Stack<T> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Zero for Stack<T> {
    #[inline]
    fn zero() -> Self {
        Self::new()
    }
}

impl<T: Check> Check for Stack<T> {
    fn magnitude(&self) -> f64 {
        self.elements.magnitude()
    }
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        self.elements.agrees(&expected.elements, slack)
    }
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        self.elements.nudge(slack, toward);
    }
}

/// The elements become a stack; the last of them is its top.
impl<T> FromIterator<T> for Stack<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Stack { elements: elements.into_iter().collect() }
    }
}

/// Counted from the bottom.
/// The last element is on top.
///
/// ```
/// # use retrograde::containers::Stack;
/// let stack = Stack::from(vec![1, 2]);
/// assert_eq!(stack.top(), Some(&2));
/// assert_eq!(Vec::from(stack), [1, 2]);
/// ```
impl<T> From<Vec<T>> for Stack<T> {
    fn from(elements: Vec<T>) -> Self {
        Stack { elements }
    }
}

impl<T, const N: usize> From<[T; N]> for Stack<T> {
    fn from(elements: [T; N]) -> Self {
        Stack { elements: elements.into() }
    }
}

impl<T> From<Stack<T>> for Vec<T> {
    fn from(stack: Stack<T>) -> Self {
        stack.elements
    }
}

impl<T> Index<usize> for Stack<T> {
    type Output = T;
    #[inline]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        &self.elements[index]
    }
}

/// ```
/// use retrograde::containers::Stack;
///
/// let mut stack = Stack::from_iter([1, 2]);
/// stack[0] += 10;
/// assert_eq!(stack.as_slice(), [11, 2]);
/// ```
impl<T> IndexMut<usize> for Stack<T> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.elements[index]
    }
}

/// ```
/// use retrograde::containers::Stack;
/// use retrograde::place::Disjoint;
///
/// let mut stack = Stack::from_iter([1, 2]);
/// let [a, b] = stack.disjoint([0, 1], "swap(&mut stack[i], &mut stack[j]);");
/// std::mem::swap(a, b);
/// assert_eq!(stack.as_slice(), [2, 1]);
/// ```
impl<T> Disjoint<usize> for Stack<T> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn disjoint<const N: usize>(
        &mut self,
        indices: [usize; N],
        source: &'static str,
    ) -> [&mut T; N] {
        self.elements.as_mut_slice().disjoint(indices, source)
    }
}
