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

use crate::__private::same_length;
use crate::derivative::ToShadow;
use crate::num::AdditiveGroup;
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

/// Adds up what `f(&mut y, &xs[i], shared)` adds to `y`, for every `i`.
///
/// `f` must only add to `y`, and not read it: each part of the work starts with a
/// zero of its own.
#[instruction(
    inverse = sum_inverse,
    adjoint = sum_adjoint,
    inverse_adjoint = sum_inverse_adjoint,
    gradient = sum_gradient
)]
pub fn sum<F, Y, X, S>(f: &F, y: &mut Y, xs: &[X], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Send + Sync,
    S: Shared + ?Sized,
{
    let parts = xs.par_chunks(part(xs.len())).map(|xs| {
        let mut own = Y::zero();
        xs.iter().for_each(|x| f.call((&mut own, x, shared)));
        own
    });
    let parts: Vec<Y> = parts.collect();
    parts.into_iter().for_each(|part| y.accumulate(part));
}

fn sum_inverse<F, Y, X, S>(f: &F, y: &mut Y, xs: &[X], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Send + Sync,
    S: Shared + ?Sized,
{
    sum(&Inverse(f), y, xs, shared);
}

fn sum_adjoint<F, Y, X, S>(
    f: &F,
    y: &mut Y,
    d_y: &mut Y,
    xs: &[X],
    d_xs: &mut [X],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync
        + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>
        + for<'a> Adjoint<(&'a mut Y, &'a mut Y, &'a X, &'a mut X, &'a S, &'a mut S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Send + Sync,
    S: Shared + ?Sized,
{
    let ends = sum_parts(d_y, xs, d_xs, shared, d_shared, |xs, d_xs, d_y, d_shared| {
        let mut y = Y::zero();
        xs.iter().for_each(|x| f.call((&mut y, x, shared)));
        let end = y.clone();
        for (x, d_x) in xs.iter().zip(d_xs).rev() {
            f.call_adjoint((&mut y, d_y, x, d_x, shared, d_shared));
        }
        end
    });
    ends.into_iter().for_each(|end| y.retract(end));
}

/// As no term reads `y`, none of them needs its value, and none is run forwards.
fn sum_gradient<F, Y, X, S>(
    f: &F,
    _y: &mut Y,
    d_y: &mut Y,
    xs: &[X],
    d_xs: &mut [X],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync
        + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>
        + for<'a> Adjoint<(&'a mut Y, &'a mut Y, &'a X, &'a mut X, &'a S, &'a mut S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Send + Sync,
    S: Shared + ?Sized,
{
    sum_parts(d_y, xs, d_xs, shared, d_shared, |xs, d_xs, d_y, d_shared| {
        let mut y = Y::zero();
        for (x, d_x) in xs.iter().zip(d_xs) {
            f.call_gradient((&mut y, d_y, x, d_x, shared, d_shared));
        }
    });
}

/// Takes the gradient of a sum back through each part of it, with shadows of their own
/// for the sum and for what is shared; gives what `back` gives, in order.
fn sum_parts<Y, X, S, R>(
    d_y: &Y,
    xs: &[X],
    d_xs: &mut [X],
    shared: &S,
    d_shared: &mut S,
    back: impl Fn(&[X], &mut [X], &mut Y, &mut S) -> R + Sync,
) -> Vec<R>
where
    Y: Clone + Sync,
    X: Send + Sync,
    S: Shared + ?Sized,
    R: Send,
{
    same_length(xs.len(), d_xs.len(), "parallel::sum(f, y, xs, shared)");
    let part = part(xs.len());
    let parts = xs.par_chunks(part).zip(d_xs.par_chunks_mut(part)).map(|(xs, d_xs)| {
        let (mut own, mut d_y) = (shared.zero_like(), d_y.clone());
        let result = back(xs, d_xs, &mut d_y, own.borrow_mut());
        (result, own)
    });
    let (results, shadows): (Vec<R>, Vec<S::Shadow>) = parts.unzip();
    add_in_order(d_shared, shadows);
    results
}

fn sum_inverse_adjoint<F, Y, X, S>(
    f: &F,
    y: &mut Y,
    d_y: &mut Y,
    xs: &[X],
    d_xs: &mut [X],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync
        + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>
        + for<'a> Adjoint<(&'a mut Y, &'a mut Y, &'a X, &'a mut X, &'a S, &'a mut S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Send + Sync,
    S: Shared + ?Sized,
{
    sum_adjoint(&Inverse(f), y, d_y, xs, d_xs, shared, d_shared);
}

#[cfg(test)]
mod tests {
    use crate::parallel;
    use crate::prelude::*;
    use crate::testing::{assert_gradient, assert_reversible};

    #[reversible]
    fn term(y: &mut f64, x: &f64, w: &[f64]) {
        for v in w {
            *y += (*x * *v).sin();
        }
    }

    #[reversible]
    fn indexed(y: &mut f64, i: usize, w: &[f64]) {
        *y += w[i % w.len()] * w[0] * (i as f64);
    }

    #[reversible]
    fn chunk(ys: &mut [f64], k: usize, w: &[f64]) {
        for (y, v) in ys.iter_mut().zip(w) {
            *y += *v * *v * (k as f64);
        }
    }

    #[reversible]
    fn all(ys: &mut [f64], total: &mut f64, xs: &[f64], w: &[f64]) {
        parallel::each(&term {}, ys, xs, w);
        parallel::each_index(&indexed {}, ys, w);
        parallel::each_chunk(&chunk {}, w.len(), ys, w);
        parallel::sum(&term {}, total, xs, w);
        !parallel::sum(&term {}, total, w, w);
    }

    /// What forgets the values finds the same gradient, bit by bit.
    #[test]
    fn sums_have_the_same_gradient_where_they_forget() {
        #[reversible]
        fn total(y: &mut f64, xs: &[f64], w: &[f64]) {
            parallel::sum(&term {}, y, xs, w);
        }
        let xs: Vec<f64> = (0..150).map(|i| (i as f64).sin()).collect();
        let w = [0.3, -0.7, 1.1];
        let run = |forget: bool| {
            let (mut y, mut d_y) = (0.5, 2.0);
            let (mut d_xs, mut d_w) = (vec![0.0; 150], [0.0; 3]);
            total(&mut y, &xs, &w);
            if forget {
                total {}.call_gradient((&mut y, &mut d_y, &xs, &mut d_xs, &w, &mut d_w));
            } else {
                total::adjoint(&mut y, &mut d_y, &xs, &mut d_xs, &w, &mut d_w);
            }
            (d_y, d_xs, d_w.map(|d| (d * 1e9).round()))
        };
        assert_eq!(run(true), run(false));
    }

    #[test]
    fn every_map_is_undone_and_has_the_right_gradient() {
        let xs: Vec<f64> = (0..150).map(|i| (i as f64).sin()).collect();
        let (mut ys, mut total) = (vec![0.5; 150], 1.0);
        let w = [0.3, -0.7, 1.1];
        assert_reversible!(all(&mut ys, &mut total, &xs, &w[..]));
        assert_gradient!(all(&mut ys, &mut total, &xs, &w[..]));
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let xs: Vec<f64> = (0..1000).map(|i| (i as f64 * 0.37).sin()).collect();
        let w: Vec<f64> = (0..10).map(|i| 1.0 + i as f64 * 0.1).collect();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (mut ys, mut total) = (vec![0.5; 1000], 1.0);
                all(&mut ys, &mut total, &xs, &w);
                let forward = (ys.clone(), total);
                let (mut d_ys, mut d_total) = (vec![0.25; 1000], 1.0);
                let (mut d_xs, mut d_w) = (vec![0.0; 1000], vec![0.0; 10]);
                all::adjoint(
                    &mut ys,
                    &mut d_ys,
                    &mut total,
                    &mut d_total,
                    &xs,
                    &mut d_xs,
                    &w,
                    &mut d_w,
                );
                (forward, ys, total, d_xs, d_w)
            })
        };
        let one = run(1);
        for threads in [2, 3, 7] {
            assert_eq!(run(threads), one, "{threads} threads");
        }
    }

    #[test]
    fn lengths_must_agree() {
        let run = || parallel::each(&term {}, &mut [0.0; 2], &[0.0; 3], &[1.0][..]);
        let error = std::panic::catch_unwind(run).unwrap_err();
        let error = error.downcast::<InvertibilityError>().unwrap();
        assert_eq!(error.found, "2 and 3");
    }
}
