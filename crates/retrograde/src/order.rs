//! Sorting that can be undone, and the largest of many.
//!
//! What sorting forgets is where everything was. [`sort()`] writes it down, in a permutation:
//!
//! ```
//! use retrograde::order::{permute, sort};
//! use retrograde::prelude::*;
//!
//! let (mut keys, mut origin) = ([3.0, 1.0, 2.0], [0, 1, 2]);
//! sort(&mut keys, &mut origin);
//! assert_eq!((keys, origin), ([1.0, 2.0, 3.0], [1, 2, 0]));
//!
//! // Something else, brought into the same order.
//! let mut names = ["c", "a", "b"];
//! permute(&mut names, &origin);
//! assert_eq!(names, ["a", "b", "c"]);
//!
//! // Gradients go back to where the keys were.
//! let mut d_keys = [10.0, 20.0, 30.0];
//! sort::adjoint(&mut keys, &mut d_keys, &mut origin);
//! assert_eq!((keys, origin, d_keys), ([3.0, 1.0, 2.0], [0, 1, 2], [30.0, 10.0, 20.0]));
//! ```

use crate::__private::same_length;
use crate::check::{Check, Rounding};
use crate::prelude::*;

/// Stops unless `origin` counts from zero.
#[track_caller]
fn must_count(origin: &[usize]) {
    let found = origin.iter().enumerate().find(|(i, from)| i != *from);
    assert!(found.is_none(), "before sorting, the permutation must be 0, 1, 2, …: {found:?}");
}

/// Stops unless every index is there once.
#[track_caller]
fn must_permute(origin: &[usize]) {
    let mut seen = vec![false; origin.len()];
    for &from in origin {
        let new = seen.get(from) == Some(&false);
        assert!(new, "{from} is out of range, or twice in the permutation");
        seen[from] = true;
    }
}

/// `xsᵢ ↦ xs[originᵢ]`
fn gather<T: Clone>(xs: &mut [T], origin: &[usize]) {
    let old = xs.to_vec();
    xs.iter_mut().zip(origin).for_each(|(x, &from)| *x = old[from].clone());
}

/// `xs[originᵢ] ↦ xsᵢ`
fn scatter<T: Clone>(xs: &mut [T], origin: &[usize]) {
    let old = xs.to_vec();
    old.into_iter().zip(origin).for_each(|(x, &from)| xs[from] = x);
}

/// Sorts `keys`, the smallest first, and says where each one was: the key that is now at `i` was
/// at `origin[i]`.
///
/// Equal keys stay in their order. Before, `origin` must be `0, 1, 2, …`, and it is so again after
/// the inverse. The gradient of a key goes with the key.
///
/// # Panics
///
/// If two keys cannot be compared, as a number with one that is none; and where keys that are
/// undone are so close to each other that rounding may have changed their order.
#[instruction(inverse = unsort, adjoint = sort_adjoint, inverse_adjoint = unsort_adjoint, decides)]
#[track_caller]
pub fn sort<T: PartialOrd + Clone + Check>(keys: &mut [T], origin: &mut [usize]) {
    let [rounding] = Rounding::of_arguments();
    same_length(keys.len(), origin.len(), "sort(keys, origin)");
    must_count(origin);
    let mut pairs: Vec<(T, usize)> = keys.iter().cloned().zip(0..).collect();
    pairs.sort_by(|(a, _), (b, _)| {
        a.partial_cmp(b).expect("keys that are to be sorted must have an order")
    });
    for neighbours in pairs.windows(2) {
        rounding.settle(&neighbours[0].0, &neighbours[1].0, "sort(keys, origin)");
    }
    for (i, (key, from)) in pairs.into_iter().enumerate() {
        (keys[i], origin[i]) = (key, from);
    }
}

/// Puts keys back where they were before they were sorted: the inverse of [`sort()`].
///
/// # Panics
///
/// If `origin` is not a permutation of as many indices as there are keys.
#[instruction(inverse = sort, adjoint = unsort_adjoint, inverse_adjoint = sort_adjoint)]
#[track_caller]
pub fn unsort<T: PartialOrd + Clone + Check>(keys: &mut [T], origin: &mut [usize]) {
    unpermute(keys, origin);
    (0..).zip(origin).for_each(|(i, from)| *from = i);
}

fn sort_adjoint<T: PartialOrd + Clone + Check>(
    keys: &mut [T],
    d_keys: &mut [T],
    origin: &mut [usize],
) {
    same_length(keys.len(), d_keys.len(), "sort(keys, origin)");
    unpermute(d_keys, origin);
    unsort(keys, origin);
}

#[track_caller]
fn unsort_adjoint<T: PartialOrd + Clone + Check>(
    keys: &mut [T],
    d_keys: &mut [T],
    origin: &mut [usize],
) {
    same_length(keys.len(), d_keys.len(), "sort(keys, origin)");
    sort(keys, origin);
    permute(d_keys, origin);
}

/// Brings elements into another order: the one at `origin[i]` goes to `i`.
///
/// # Panics
///
/// If `origin` is not a permutation of as many indices as there are elements.
#[instruction(inverse = unpermute, adjoint = permute_adjoint, inverse_adjoint = unpermute_adjoint)]
#[track_caller]
pub fn permute<T: Clone>(xs: &mut [T], origin: &[usize]) {
    same_length(xs.len(), origin.len(), "permute(xs, origin)");
    must_permute(origin);
    gather(xs, origin);
}

/// Brings elements back: the one at `i` goes to `origin[i]`. The inverse of [`permute()`].
///
/// # Panics
///
/// If `origin` is not a permutation of as many indices as there are elements.
#[instruction(inverse = permute, adjoint = unpermute_adjoint, inverse_adjoint = permute_adjoint)]
#[track_caller]
pub fn unpermute<T: Clone>(xs: &mut [T], origin: &[usize]) {
    same_length(xs.len(), origin.len(), "permute(xs, origin)");
    must_permute(origin);
    scatter(xs, origin);
}

fn permute_adjoint<T: Clone>(xs: &mut [T], d_xs: &mut [T], origin: &[usize]) {
    unpermute(xs, origin);
    unpermute(d_xs, origin);
}

fn unpermute_adjoint<T: Clone>(xs: &mut [T], d_xs: &mut [T], origin: &[usize]) {
    permute(xs, origin);
    permute(d_xs, origin);
}

/// Pushes every element that is larger than all before it, and its index: the steps of a running
/// maximum, of which the last is the maximum.
///
/// ```
/// use retrograde::order::running_maximum;
/// use retrograde::prelude::*;
///
/// let (mut maxima, mut places) = (Stack::new(), Stack::new());
/// running_maximum(&mut maxima, &mut places, &[2.0, 1.0, 5.0, 5.0, 7.0]);
/// assert_eq!(maxima.as_slice(), [2.0, 5.0, 7.0]);
/// assert_eq!(places.as_slice(), [0, 2, 4]);
/// running_maximum::inverse(&mut maxima, &mut places, &[2.0, 1.0, 5.0, 5.0, 7.0]);
/// assert!(maxima.is_empty() && places.is_empty());
/// ```
///
/// Both stacks must be empty before.
///
/// # Panics
///
/// If something is left on a stack after the inverse.
#[reversible]
pub fn running_maximum<T: Real>(maxima: &mut Stack<T>, places: &mut Stack<usize>, x: &[T]) {
    for i in 0..x.len() {
        if (exceeds(x, i, places.top()), places.top() == Some(&i)) {
            maxima.push_copy(&x[i]);
            places.push_copy(&i);
        }
    }
}

/// Whether the element at `i` is larger than that at `top`, or there is none.
#[inline]
fn exceeds<T: PartialOrd>(x: &[T], i: usize, top: Option<&usize>) -> bool {
    top.is_none_or(|&top| x[i] > x[top])
}

/// The first element that no other is `better` than.
pub(crate) fn bound<T: Clone>(x: &[T], better: impl Fn(&T, &T) -> bool) -> Option<T> {
    // Several at once, so that none waits for the last.
    const LANES: usize = 8;
    let first = x.first()?;
    let mut best: [T; LANES] = std::array::from_fn(|_| first.clone());
    let mut chunks = x.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (b, v) in best.iter_mut().zip(chunk) {
            if better(v, b) {
                *b = v.clone();
            }
        }
    }
    let rest = best.into_iter().chain(chunks.remainder().iter().cloned());
    rest.reduce(|b, v| if better(&v, &b) { v } else { b })
}

/// How many elements are equal to a bound.
fn ties<T: PartialEq>(x: &[T], bound: &T) -> usize {
    x.iter().map(|v| usize::from(v == bound)).sum()
}

/// The bound, as a function of all elements that attain it.
fn shared<T: Real>(x: &[T], better: impl Fn(&T, &T) -> bool, what: &str) -> T {
    let bound = bound(x, better).unwrap_or_else(|| panic!("there is no {what} of nothing"));
    let ties = ties(x, &bound);
    if ties < 2 {
        return bound;
    }
    // Of the values nothing is added; of the tangents of dual numbers, what makes them the mean.
    let add = |sum: T, v: &T| if *v == bound { sum + (v.clone() - bound.clone()) } else { sum };
    bound.clone() + x.iter().fold(T::zero(), add) / T::from_f64(ties as f64)
}

/// Shares a gradient among the elements that are equal to the bound.
fn share<T: Real>(g: &T, x: &[T], d_x: &mut [T], bound: &T) {
    same_length(x.len(), d_x.len(), "the shadow of a slice");
    let part = g.clone() / T::from_f64(ties(x, bound).max(1) as f64);
    for (v, d) in x.iter().zip(d_x) {
        *d += if v == bound { part.clone() } else { T::zero() };
    }
}

/// The largest element.
///
/// Elements that are equally large share the gradient, as those of `a.max(b)` do: among `k`, each
/// has the derivative `1 / k`.
///
/// ```
/// use retrograde::order::largest;
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn f(y: &mut f64, x: &[f64]) {
///     *y += 3.0 * largest(x);
/// }
///
/// let at = f::gradient(&[1.0, 7.0, 2.0, 7.0]);
/// assert_eq!((at.value, at.d_x), (21.0, vec![0.0, 1.5, 0.0, 1.5]));
/// ```
///
/// # Panics
///
/// If there is none.
#[differentiable(pullback = largest_pullback)]
pub fn largest<T: Real>(x: &[T]) -> T {
    shared(x, |a, b| a > b, "largest element")
}

fn largest_pullback<T: Real>(g: &T, x: &[T], d_x: &mut [T]) {
    share(g, x, d_x, &largest(x));
}

/// The smallest element. Ties share the gradient, as with [`largest()`].
///
/// ```
/// assert_eq!(retrograde::order::smallest(&[3.0, -1.0, 2.0]), -1.0);
/// ```
///
/// # Panics
///
/// If there is none.
#[differentiable(pullback = smallest_pullback)]
pub fn smallest<T: Real>(x: &[T]) -> T {
    shared(x, |a, b| a < b, "smallest element")
}

fn smallest_pullback<T: Real>(g: &T, x: &[T], d_x: &mut [T]) {
    share(g, x, d_x, &smallest(x));
}

/// Where the largest element is; of several, the first. An index carries no gradient.
///
/// ```
/// assert_eq!(retrograde::order::argmax(&[3.0, 7.0, 7.0]), 1);
/// ```
///
/// # Panics
///
/// If there is none.
pub fn argmax<T: PartialOrd>(x: &[T]) -> usize {
    assert!(!x.is_empty(), "there is no largest element of nothing");
    (1..x.len()).fold(0, |best, i| if x[i] > x[best] { i } else { best })
}

/// Where the smallest element is; of several, the first. An index carries no gradient.
///
/// ```
/// assert_eq!(retrograde::order::argmin(&[3.0, 1.0, 1.0]), 1);
/// ```
///
/// # Panics
///
/// If there is none.
pub fn argmin<T: PartialOrd>(x: &[T]) -> usize {
    assert!(!x.is_empty(), "there is no smallest element of nothing");
    (1..x.len()).fold(0, |best, i| if x[i] < x[best] { i } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_gradient, assert_reversible};

    const X: [f64; 9] = [0.3, -1.2, 2.5, 0.9, 2.5, 1.7, 0.1, -1.2, 3.5];

    /// The weighted sum of the sorted keys: what an L-estimator is.
    #[reversible]
    fn sorted_sum<T: Real>(y: &mut T, x: &mut [T], payload: &mut [T]) {
        #[compute]
        {
            let mut origin: Vec<usize> = (0..x.len()).collect();
            sort(x, &mut origin);
            permute(payload, &origin);
        }
        for i in 0..x.len() {
            *y += T::from_f64(i as f64) * x[i] * payload[i];
        }
    }

    #[test]
    fn sorting_is_undone_and_gradients_follow() {
        let mut origin: Vec<usize> = (0..9).collect();
        let (mut keys, mut payload) = (X.to_vec(), X.map(f64::cos).to_vec());
        assert_reversible!(sort(&mut keys[..], &mut origin[..]));
        assert_reversible!(permute(&mut keys[..], &[2, 0, 1, 8, 7, 6, 3, 4, 5][..]));
        // Apart from ties, where differences would change the order.
        keys[4] += 0.05;
        keys[7] -= 0.05;
        assert_gradient!(sort(&mut keys[..], &mut origin[..]));
        assert_gradient!(permute(&mut keys[..], &[2, 0, 1, 8, 7, 6, 3, 4, 5][..]));
        assert_gradient!(sorted_sum(&mut 0.5, &mut keys[..], &mut payload[..]));
    }

    #[test]
    fn equal_keys_stay_in_their_order() {
        let (mut keys, mut origin) = (X, std::array::from_fn::<_, 9, _>(|i| i));
        sort(&mut keys, &mut origin);
        assert!(keys.is_sorted());
        assert_eq!(origin, [1, 7, 6, 0, 3, 5, 2, 4, 8]);
        unsort(&mut keys, &mut origin);
        assert_eq!((keys, origin), (X, std::array::from_fn(|i| i)));
        sort::<f64>(&mut [], &mut []);
    }

    #[test]
    fn what_is_no_permutation_is_refused() {
        let message = |run: fn()| {
            let error = std::panic::catch_unwind(run).unwrap_err();
            error.downcast::<String>().map(|s| *s).unwrap_or_default()
        };
        assert!(message(|| sort(&mut [1, 2], &mut [1, 0])).starts_with("before sorting"));
        assert!(message(|| unsort(&mut [1, 2], &mut [0, 0])).contains("twice"));
        assert!(message(|| permute(&mut [1, 2], &[0, 2])).starts_with("2 is out of range"));
        assert!(message(|| sort(&mut [1.0, f64::NAN], &mut [0, 1])).contains("order"));
        assert!(std::panic::catch_unwind(|| permute(&mut [1, 2], &[0])).is_err());
    }

    #[reversible]
    fn steps<T: Real>(y: &mut T, x: &[T]) {
        #[compute]
        {
            let mut maxima = Stack::new();
            let mut places = Stack::new();
            running_maximum(&mut maxima, &mut places, x);
        }
        for i in 0..maxima.len() {
            *y += maxima[i] * maxima[i] * T::from_f64(places[i] as f64 + 1.0);
        }
    }

    #[test]
    fn running_maxima_come_back_and_have_gradients() {
        for n in 0..X.len() {
            let (mut maxima, mut places) = (Stack::new(), Stack::new());
            running_maximum(&mut maxima, &mut places, &X[..n]);
            assert_eq!(maxima.top().copied(), X[..n].iter().copied().reduce(f64::max));
            running_maximum::inverse(&mut maxima, &mut places, &X[..n]);
            assert!(maxima.is_empty() && places.is_empty());
        }
        let apart: Vec<f64> = X.iter().zip(0..).map(|(x, i)| x + 0.05 * f64::from(i)).collect();
        assert_reversible!(steps(&mut 0.25, &apart[..]));
        assert_gradient!(steps(&mut 0.25, &apart[..]));
    }

    #[reversible]
    fn range<T: Real>(y: &mut T, x: &[T]) {
        *y += largest(x) * largest(x) - smallest(x);
    }

    #[test]
    fn bounds_have_gradients() {
        let apart: Vec<f64> = (0..37).map(|i| (i as f64 * 1.7).sin()).collect();
        for n in [1, 2, 7, 8, 9, 37] {
            assert_reversible!(range(&mut 0.25, &apart[..n]));
            assert_gradient!(range(&mut 0.25, &apart[..n]));
            assert_eq!(largest(&apart[..n]), apart[argmax(&apart[..n])]);
            assert_eq!(smallest(&apart[..n]), apart[argmin(&apart[..n])]);
        }
    }

    /// Forwards and backwards alike.
    #[test]
    fn ties_share_the_gradient() {
        let at = range::gradient(&[2.0, 5.0, 5.0, 2.0, 5.0, 2.0]);
        let third = 10.0 / 3.0;
        let expected = [-1.0 / 3.0, third, third, -1.0 / 3.0, third, -1.0 / 3.0];
        assert_eq!(at.d_x, expected);
        let x: Vec<Dual<f64, 3>> = Dual::seed(&[5.0, 1.0, 5.0]);
        assert_eq!(largest(&x).tangents, [0.5, 0.0, 0.5]);
        assert_eq!(largest(&[0.1; 3]), 0.1);
    }
}
