//! Work in parts, on one thread or on all of them.

use rayon::prelude::*;
use std::ops::Range;

/// How many threads may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// One.
    One,
    /// All that there are, where the evaluation has work for them.
    All,
}

impl Threads {
    /// What `f` makes of each part of `0..n`, in order. On one thread there is one part;
    /// otherwise they have `size` elements, however many threads there are.
    pub fn map<R: Send>(
        self,
        n: usize,
        size: usize,
        f: impl Fn(Range<usize>) -> R + Sync,
    ) -> Vec<R> {
        match self {
            Threads::One => vec![f(0..n)],
            Threads::All => {
                let from = (0..n).into_par_iter().step_by(size);
                from.map(|from| f(from..n.min(from + size))).collect()
            }
        }
    }

    /// Runs `f` on each part of a slice, and the place where it begins.
    pub fn each<T: Send>(self, all: &mut [T], size: usize, f: impl Fn(usize, &mut [T]) + Sync) {
        match self {
            Threads::One => f(0, all),
            Threads::All => {
                let parts = all.par_chunks_mut(size).enumerate();
                parts.for_each(|(i, part)| f(i * size, part));
            }
        }
    }

    /// As [`each`](Self::each), on the parts of two slices of equal length.
    pub fn each_of_two<T: Send, U: Send>(
        self,
        first: &mut [T],
        second: &mut [U],
        size: usize,
        f: impl Fn(usize, &mut [T], &mut [U]) + Sync,
    ) {
        match self {
            Threads::One => f(0, first, second),
            Threads::All => {
                let parts = first.par_chunks_mut(size).zip(second.par_chunks_mut(size)).enumerate();
                parts.for_each(|(i, (first, second))| f(i * size, first, second));
            }
        }
    }
}

/// Adds numbers to others, element by element.
pub fn add_all<T: Copy + std::ops::AddAssign>(to: &mut [T], from: &[T]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += *from);
}
