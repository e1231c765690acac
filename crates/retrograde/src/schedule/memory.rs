//! Memory that is used by one run after another.

use super::State;
use std::fmt;

/// Memory for the states of runs, from one gradient to the next.
///
/// A run asks for memory for the states that it keeps. Where a gradient is taken again and
/// again, as in a descent, [`Run::gradient_in`](super::Run::gradient_in) takes the memory of
/// the one before, which saves the time in which a system clears new memory.
pub struct Memory<S: State + ?Sized> {
    pub(super) states: Vec<S::Owned>,
}

impl<S: State + ?Sized> Memory<S> {
    /// None as yet.
    pub fn new() -> Self {
        Memory { states: Vec::new() }
    }

    /// How many states it can hold as it is.
    pub fn states(&self) -> usize {
        self.states.len()
    }
}

impl<S: State + ?Sized> Default for Memory<S> {
    fn default() -> Self {
        Memory::new()
    }
}

impl<S: State + ?Sized> fmt::Debug for Memory<S> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Memory of {} states", self.states.len())
    }
}
