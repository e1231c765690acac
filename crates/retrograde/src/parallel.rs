//! Reversible functions on many threads: over the elements of slices, over
//! indices, over chunks, and summed up.
//!
//! Every element is written by one thread alone. What all of them read, the last
//! argument, gets one gradient from all of them: each part of the work has a
//! shadow of its own, and these are added in a fixed order. The parts depend on
//! the number of elements and not on the number of threads, so that every result
//! is the same to the last bit on one thread and on many.
//!
//! ```
//! use retrograde::parallel;
//! use retrograde::prelude::*;
//!
//! #[reversible]
//! fn square(y: &mut f64, x: &f64, scale: &f64) {
//!     *y += *scale * *x * *x;
//! }
//!
//! #[reversible]
//! fn squares(ys: &mut [f64], xs: &[f64], scale: &f64) {
//!     parallel::each(&square {}, ys, xs, scale);
//! }
//!
//! let (mut ys, xs, scale) = ([0.0; 3], [1.0, 2.0, 3.0], 2.0);
//! squares(&mut ys, &xs, &scale);
//! assert_eq!(ys, [2.0, 8.0, 18.0]);
//! let (mut d_ys, mut d_xs, mut d_scale) = ([1.0; 3], [0.0; 3], 0.0);
//! squares::adjoint(&mut ys, &mut d_ys, &xs, &mut d_xs, &scale, &mut d_scale);
//! assert_eq!((ys, d_xs, d_scale), ([0.0; 3], [4.0, 8.0, 12.0], 14.0));
//! ```

mod sums;

pub use sums::{sum, sum_data};

use crate::__private::same_length;
use crate::derivative::ToShadow;
use crate::{Adjoint, Inverse, Reversible};
use rayon::prelude::*;
use retrograde_macros::instruction;
use std::borrow::BorrowMut;

/// The most parts that work is divided into.
const PARTS: usize = 64;

/// How many elements a part has.
fn part(elements: usize) -> usize {
    elements.div_ceil(PARTS).max(1)
}

/// What many threads read: a value whose shadow can be made for each of them.
pub trait Shared: ToShadow<Shadow: BorrowMut<Self> + Send> + Sync {}
impl<S: ToShadow<Shadow: BorrowMut<S> + Send> + Sync + ?Sized> Shared for S {}

/// Adds private shadows to the common one, the first part's first.
fn add_in_order<S: Shared + ?Sized>(d_shared: &mut S, parts: Vec<S::Shadow>) {
    parts.into_iter().for_each(|part| d_shared.add_shadow(part));
}

/// Runs `f(&mut ys[i], &xs[i], shared)` for every `i`.
///
/// # Panics
///
/// If `ys` and `xs` have different lengths.
#[instruction(inverse = each_inverse, adjoint = each_adjoint, inverse_adjoint = each_inverse_adjoint)]
pub fn each<F, Y, X, S>(f: &F, ys: &mut [Y], xs: &[X], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    Y: Send,
    X: Send + Sync,
    S: Shared + ?Sized,
{
    same_length(ys.len(), xs.len(), "parallel::each(f, ys, xs, shared)");
    let part = part(ys.len());
    ys.par_chunks_mut(part).zip(xs.par_chunks(part)).for_each(|(ys, xs)| {
        for (y, x) in ys.iter_mut().zip(xs) {
            f.call((y, x, shared));
        }
    });
}

fn each_inverse<F, Y, X, S>(f: &F, ys: &mut [Y], xs: &[X], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    Y: Send,
    X: Send + Sync,
    S: Shared + ?Sized,
{
    each(&Inverse(f), ys, xs, shared);
}

fn each_adjoint<F, Y, X, S>(
    f: &F,
    ys: &mut [Y],
    d_ys: &mut [Y],
    xs: &[X],
    d_xs: &mut [X],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync + for<'a> Adjoint<(&'a mut Y, &'a mut Y, &'a X, &'a mut X, &'a S, &'a mut S)>,
    Y: Send,
    X: Send + Sync,
    S: Shared + ?Sized,
{
    let source = "parallel::each(f, ys, xs, shared)";
    same_length(ys.len(), xs.len(), source);
    same_length(ys.len(), d_ys.len(), source);
    same_length(xs.len(), d_xs.len(), source);
    let part = part(ys.len());
    let values = ys.par_chunks_mut(part).zip(xs.par_chunks(part));
    let shadows = d_ys.par_chunks_mut(part).zip(d_xs.par_chunks_mut(part));
    let parts = values.zip(shadows).map(|((ys, xs), (d_ys, d_xs))| {
        let mut own = shared.zero_like();
        for ((y, x), (d_y, d_x)) in ys.iter_mut().zip(xs).zip(d_ys.iter_mut().zip(d_xs)) {
            f.call_adjoint((y, d_y, x, d_x, shared, own.borrow_mut()));
        }
        own
    });
    add_in_order(d_shared, parts.collect());
}

fn each_inverse_adjoint<F, Y, X, S>(
    f: &F,
    ys: &mut [Y],
    d_ys: &mut [Y],
    xs: &[X],
    d_xs: &mut [X],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync + for<'a> Adjoint<(&'a mut Y, &'a mut Y, &'a X, &'a mut X, &'a S, &'a mut S)>,
    Y: Send,
    X: Send + Sync,
    S: Shared + ?Sized,
{
    each_adjoint(&Inverse(f), ys, d_ys, xs, d_xs, shared, d_shared);
}

/// Runs `f(&mut ys[i], &data[i], shared)` for every `i`, where the data is `#[constant]`: it
/// carries no gradient, here as in `f`.
///
/// # Panics
///
/// If `ys` and `data` have different lengths.
#[instruction(
    inverse = each_data_inverse,
    adjoint = each_data_adjoint,
    inverse_adjoint = each_data_inverse_adjoint
)]
pub fn each_data<F, Y, X, S>(f: &F, ys: &mut [Y], #[constant] data: &[X], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    Y: Send,
    X: Sync,
    S: Shared + ?Sized,
{
    same_length(ys.len(), data.len(), "parallel::each_data(f, ys, data, shared)");
    let part = part(ys.len());
    ys.par_chunks_mut(part).zip(data.par_chunks(part)).for_each(|(ys, data)| {
        for (y, x) in ys.iter_mut().zip(data) {
            f.call((y, x, shared));
        }
    });
}

fn each_data_inverse<F, Y, X, S>(f: &F, ys: &mut [Y], data: &[X], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    Y: Send,
    X: Sync,
    S: Shared + ?Sized,
{
    each_data(&Inverse(f), ys, data, shared);
}

fn each_data_adjoint<F, Y, X, S>(
    f: &F,
    ys: &mut [Y],
    d_ys: &mut [Y],
    data: &[X],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync + for<'a> Adjoint<(&'a mut Y, &'a mut Y, &'a X, &'a S, &'a mut S)>,
    Y: Send,
    X: Sync,
    S: Shared + ?Sized,
{
    let source = "parallel::each_data(f, ys, data, shared)";
    same_length(ys.len(), data.len(), source);
    same_length(ys.len(), d_ys.len(), source);
    let part = part(ys.len());
    let both = ys.par_chunks_mut(part).zip(d_ys.par_chunks_mut(part));
    let parts = both.zip(data.par_chunks(part)).map(|((ys, d_ys), data)| {
        let mut own = shared.zero_like();
        for ((y, d_y), x) in ys.iter_mut().zip(d_ys).zip(data) {
            f.call_adjoint((y, d_y, x, shared, own.borrow_mut()));
        }
        own
    });
    add_in_order(d_shared, parts.collect());
}

fn each_data_inverse_adjoint<F, Y, X, S>(
    f: &F,
    ys: &mut [Y],
    d_ys: &mut [Y],
    data: &[X],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync + for<'a> Adjoint<(&'a mut Y, &'a mut Y, &'a X, &'a S, &'a mut S)>,
    Y: Send,
    X: Sync,
    S: Shared + ?Sized,
{
    each_data_adjoint(&Inverse(f), ys, d_ys, data, shared, d_shared);
}

/// Runs `f(&mut ys[i], i, shared)` for every `i`.
#[instruction(
    inverse = each_index_inverse,
    adjoint = each_index_adjoint,
    inverse_adjoint = each_index_inverse_adjoint
)]
pub fn each_index<F, Y, S>(f: &F, ys: &mut [Y], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, usize, &'a S)>,
    Y: Send,
    S: Shared + ?Sized,
{
    let part = part(ys.len());
    ys.par_chunks_mut(part).enumerate().for_each(|(k, ys)| {
        for (i, y) in ys.iter_mut().enumerate() {
            f.call((y, k * part + i, shared));
        }
    });
}

fn each_index_inverse<F, Y, S>(f: &F, ys: &mut [Y], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, usize, &'a S)>,
    Y: Send,
    S: Shared + ?Sized,
{
    each_index(&Inverse(f), ys, shared);
}

fn each_index_adjoint<F, Y, S>(f: &F, ys: &mut [Y], d_ys: &mut [Y], shared: &S, d_shared: &mut S)
where
    F: Sync + for<'a> Adjoint<(&'a mut Y, &'a mut Y, usize, &'a S, &'a mut S)>,
    Y: Send,
    S: Shared + ?Sized,
{
    same_length(ys.len(), d_ys.len(), "parallel::each_index(f, ys, shared)");
    let part = part(ys.len());
    let both = ys.par_chunks_mut(part).zip(d_ys.par_chunks_mut(part));
    let parts = both.enumerate().map(|(k, (ys, d_ys))| {
        let mut own = shared.zero_like();
        for (i, (y, d_y)) in ys.iter_mut().zip(d_ys).enumerate() {
            f.call_adjoint((y, d_y, k * part + i, shared, own.borrow_mut()));
        }
        own
    });
    add_in_order(d_shared, parts.collect());
}

fn each_index_inverse_adjoint<F, Y, S>(
    f: &F,
    ys: &mut [Y],
    d_ys: &mut [Y],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync + for<'a> Adjoint<(&'a mut Y, &'a mut Y, usize, &'a S, &'a mut S)>,
    Y: Send,
    S: Shared + ?Sized,
{
    each_index_adjoint(&Inverse(f), ys, d_ys, shared, d_shared);
}

/// Runs `f(chunk of ys, k, shared)` on every chunk of `size` elements, of which
/// `k` is the number; the last may be shorter.
///
/// # Panics
///
/// If `size` is 0.
#[instruction(
    inverse = each_chunk_inverse,
    adjoint = each_chunk_adjoint,
    inverse_adjoint = each_chunk_inverse_adjoint
)]
pub fn each_chunk<F, Y, S>(f: &F, size: usize, ys: &mut [Y], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut [Y], usize, &'a S)>,
    Y: Send,
    S: Shared + ?Sized,
{
    let chunks = part(ys.len().div_ceil(size));
    ys.par_chunks_mut(size * chunks).enumerate().for_each(|(k, ys)| {
        for (i, chunk) in ys.chunks_mut(size).enumerate() {
            f.call((chunk, k * chunks + i, shared));
        }
    });
}

fn each_chunk_inverse<F, Y, S>(f: &F, size: usize, ys: &mut [Y], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut [Y], usize, &'a S)>,
    Y: Send,
    S: Shared + ?Sized,
{
    each_chunk(&Inverse(f), size, ys, shared);
}

fn each_chunk_adjoint<F, Y, S>(
    f: &F,
    size: usize,
    ys: &mut [Y],
    d_ys: &mut [Y],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync + for<'a> Adjoint<(&'a mut [Y], &'a mut [Y], usize, &'a S, &'a mut S)>,
    Y: Send,
    S: Shared + ?Sized,
{
    same_length(ys.len(), d_ys.len(), "parallel::each_chunk(f, size, ys, shared)");
    let chunks = part(ys.len().div_ceil(size));
    let both = ys.par_chunks_mut(size * chunks).zip(d_ys.par_chunks_mut(size * chunks));
    let parts = both.enumerate().map(|(k, (ys, d_ys))| {
        let mut own = shared.zero_like();
        let both = ys.chunks_mut(size).zip(d_ys.chunks_mut(size));
        for (i, (chunk, d_chunk)) in both.enumerate() {
            f.call_adjoint((chunk, d_chunk, k * chunks + i, shared, own.borrow_mut()));
        }
        own
    });
    add_in_order(d_shared, parts.collect());
}

fn each_chunk_inverse_adjoint<F, Y, S>(
    f: &F,
    size: usize,
    ys: &mut [Y],
    d_ys: &mut [Y],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync + for<'a> Adjoint<(&'a mut [Y], &'a mut [Y], usize, &'a S, &'a mut S)>,
    Y: Send,
    S: Shared + ?Sized,
{
    each_chunk_adjoint(&Inverse(f), size, ys, d_ys, shared, d_shared);
}

#[cfg(test)]
mod tests;
