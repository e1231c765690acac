//! Sums of what functions add.

use super::{Shared, add_in_order, part};
use crate::__private::same_length;
use crate::num::AdditiveGroup;
use crate::{Adjoint, Inverse, Reversible};
use rayon::prelude::*;
use retrograde_macros::instruction;
use std::borrow::BorrowMut;

/// Adds up what `f(&mut y, &xs[i], shared)` adds to `y`, for every `i`.
///
/// `f` must only add to `y`, and not read it: each part of the work starts with a
/// zero of its own.
///
/// # Panics
///
/// If `f` does more, or does not [say](Reversible::accumulates) that it does no more. Of a
/// `#[reversible]` function the compiler sees it; an `#[instruction]` says it by the word `adds`.
#[instruction(
    inverse = sum_inverse,
    adjoint = sum_adjoint,
    inverse_adjoint = sum_inverse_adjoint,
    gradient = sum_gradient,
    adds
)]
#[track_caller]
pub fn sum<F, Y, X, S>(f: &F, y: &mut Y, xs: &[X], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Send + Sync,
    S: Shared + ?Sized,
{
    only_adds::<F, Y, X, S>(f, "parallel::sum");
    added(f, xs, shared).into_iter().for_each(|part| y.accumulate(part));
}

#[track_caller]
fn sum_inverse<F, Y, X, S>(f: &F, y: &mut Y, xs: &[X], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Send + Sync,
    S: Shared + ?Sized,
{
    sum(&Inverse(f), y, xs, shared);
}

#[track_caller]
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
    only_adds::<F, Y, X, S>(f, "parallel::sum");
    added(f, xs, shared).into_iter().for_each(|part| y.retract(part));
    sum_gradient(f, y, d_y, xs, d_xs, shared, d_shared);
}

/// As no term reads `y`, none of them needs its value, and none is run forwards.
#[track_caller]
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
    only_adds::<F, Y, X, S>(f, "parallel::sum");
    same_length(xs.len(), d_xs.len(), "parallel::sum(f, y, xs, shared)");
    let part = part(xs.len());
    let parts = xs.par_chunks(part).zip(d_xs.par_chunks_mut(part)).map(|(xs, d_xs)| {
        let (mut own, mut y, mut d_y) = (shared.zero_like(), Y::zero(), d_y.clone());
        for (x, d_x) in xs.iter().zip(d_xs) {
            f.call_gradient((&mut y, &mut d_y, x, d_x, shared, own.borrow_mut()));
        }
        own
    });
    add_in_order(d_shared, parts.collect());
}

#[track_caller]
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

/// Adds up what `f(&mut y, &data[i], shared)` adds to `y`, for every `i`, where the data is
/// `#[constant]`: it carries no gradient, here as in `f`.
///
/// As of [`sum`](fn@sum), `f` must only add to `y`, and not read it.
///
/// ```
/// use retrograde::parallel;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn misfit(loss: &mut f64, #[constant] point: &(f64, f64), slope: &f64) {
///     *loss += (*slope * point.0 - point.1).powi(2);
/// }
///
/// #[reversible]
/// fn loss(y: &mut f64, #[constant] points: &[(f64, f64)], slope: &f64) {
///     parallel::sum_data(&misfit {}, y, points, slope);
/// }
///
/// let points = [(1.0, 2.0), (2.0, 5.0)];
/// let at = loss::gradient(&points, &2.0);
/// assert_eq!((at.value, at.d_slope), (1.0, -4.0));
/// ```
///
/// # Panics
///
/// If `f` does more, or does not say that it does no more.
#[instruction(
    inverse = sum_data_inverse,
    adjoint = sum_data_adjoint,
    inverse_adjoint = sum_data_inverse_adjoint,
    gradient = sum_data_gradient,
    adds
)]
#[track_caller]
pub fn sum_data<F, Y, X, S>(f: &F, y: &mut Y, #[constant] data: &[X], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Sync,
    S: Shared + ?Sized,
{
    only_adds::<F, Y, X, S>(f, "parallel::sum_data");
    added(f, data, shared).into_iter().for_each(|part| y.accumulate(part));
}

#[track_caller]
fn sum_data_inverse<F, Y, X, S>(f: &F, y: &mut Y, data: &[X], shared: &S)
where
    F: Sync + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Sync,
    S: Shared + ?Sized,
{
    sum_data(&Inverse(f), y, data, shared);
}

#[track_caller]
fn sum_data_adjoint<F, Y, X, S>(
    f: &F,
    y: &mut Y,
    d_y: &mut Y,
    data: &[X],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync
        + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>
        + for<'a> Adjoint<(&'a mut Y, &'a mut Y, &'a X, &'a S, &'a mut S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Sync,
    S: Shared + ?Sized,
{
    only_adds::<F, Y, X, S>(f, "parallel::sum_data");
    added(f, data, shared).into_iter().for_each(|part| y.retract(part));
    sum_data_gradient(f, y, d_y, data, shared, d_shared);
}

#[track_caller]
fn sum_data_gradient<F, Y, X, S>(
    f: &F,
    _y: &mut Y,
    d_y: &mut Y,
    data: &[X],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync
        + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>
        + for<'a> Adjoint<(&'a mut Y, &'a mut Y, &'a X, &'a S, &'a mut S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Sync,
    S: Shared + ?Sized,
{
    only_adds::<F, Y, X, S>(f, "parallel::sum_data");
    let parts = data.par_chunks(part(data.len())).map(|data| {
        let (mut own, mut y, mut d_y) = (shared.zero_like(), Y::zero(), d_y.clone());
        for x in data {
            f.call_gradient((&mut y, &mut d_y, x, shared, own.borrow_mut()));
        }
        own
    });
    add_in_order(d_shared, parts.collect());
}

#[track_caller]
fn sum_data_inverse_adjoint<F, Y, X, S>(
    f: &F,
    y: &mut Y,
    d_y: &mut Y,
    data: &[X],
    shared: &S,
    d_shared: &mut S,
) where
    F: Sync
        + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>
        + for<'a> Adjoint<(&'a mut Y, &'a mut Y, &'a X, &'a S, &'a mut S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Sync,
    S: Shared + ?Sized,
{
    sum_data_adjoint(&Inverse(f), y, d_y, data, shared, d_shared);
}

/// What the terms add, part by part.
fn added<F, Y, X, S>(f: &F, xs: &[X], shared: &S) -> Vec<Y>
where
    F: Sync + for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    Y: AdditiveGroup + Send + Sync,
    X: Sync,
    S: Shared + ?Sized,
{
    let parts = xs.par_chunks(part(xs.len())).map(|xs| {
        let mut own = Y::zero();
        xs.iter().for_each(|x| f.call((&mut own, x, shared)));
        own
    });
    parts.collect()
}

/// Refuses functions whose result in parts is not their result.
#[inline]
#[track_caller]
fn only_adds<F, Y, X, S>(f: &F, what: &str)
where
    F: for<'a> Reversible<(&'a mut Y, &'a X, &'a S)>,
    S: ?Sized,
{
    if !f.accumulates() {
        refuse(std::any::type_name::<F>(), what);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse(name: &str, what: &str) -> ! {
    // Of a direction, the function itself.
    let name = name.trim_start_matches("retrograde::reversible::Inverse<&");
    let name = name.trim_end_matches('>');
    panic!(
        "{what}: `{name}` does more than add to its result, or reads it: each part of the sum \
         starts from zero\n\
         help: write `*y += …` alone, or run it in a loop; a function by hand tells by \
         `Reversible::accumulates`, an `#[instruction]` by the word `adds`"
    )
}
