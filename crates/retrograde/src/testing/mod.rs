//! For tests of your own: does the inverse undo, is the gradient right?
//!
//! ```
//! use retrograde::prelude::*;
//! use retrograde::testing::{assert_gradient, assert_reversible};
//!
//! #[reversible]
//! fn spring<T: Real>(energy: &mut T, x: &[T], stiffness: T) {
//!     for pair in x.windows(2) {
//!         *energy += 0.5 * stiffness * (pair[1] - pair[0]).powi(2);
//!     }
//! }
//!
//! let (mut energy, x) = (1.0, [0.0, 1.0, 3.0]);
//! assert_reversible!(spring(&mut energy, &x, 2.0));
//! assert_gradient!(spring(&mut energy, &x, 2.0));
//! ```
//!
//! What has no gradient by the function's word is marked in the call, too. It need not be
//! made of numbers, nor be cloned:
//!
//! ```
//! use retrograde::prelude::*;
//! use retrograde::testing::assert_gradient;
//!
//! struct Seen(Vec<f64>);
//!
//! #[reversible]
//! fn misfit(y: &mut f64, slope: &f64, #[constant] seen: &Seen) {
//!     for (i, place) in seen.0.iter().enumerate() {
//!         *y += (*slope * i as f64 - *place).powi(2);
//!     }
//! }
//!
//! let seen = Seen(vec![0.1, 1.2, 1.9]);
//! assert_gradient!(misfit(&mut 0.0, &0.9, #[constant] &seen));
//! ```
//!
//! Both leave the arguments as they are. They work for functions and methods of
//! any signature; the arguments are written with their `&` and `&mut`, as
//! variables or values that can be cloned.

mod components;

pub use components::Components;
pub use retrograde_macros::{assert_gradient, assert_reversible};

use crate::derivative::Differentiable;

/// A small generator of random numbers: the same in every run.
struct Random(u64);

impl Random {
    /// Between −1 and 1, and not near 0.
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let fraction = (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
        let size = 0.2 + 0.8 * fraction;
        if self.0 & 1 == 0 { size } else { -size }
    }
}

fn all<A: Components>(arguments: &A) -> Vec<f64> {
    (0..arguments.components()).map(|i| arguments.component(i)).collect()
}

/// The argument that a component of a tuple of arguments is in, and where there.
fn place<A: Components>(arguments: &A, i: usize) -> (usize, String) {
    // `.2[5]`, of the tuple: the third argument's.
    let path = arguments.component_name(i);
    let path = path.trim_start_matches('.');
    let digits = path.find(|c: char| !c.is_ascii_digit()).unwrap_or(path.len());
    let (argument, rest) = path.split_at(digits);
    (argument.parse().expect("a part of a tuple has a number"), rest.to_string())
}

fn argument_of<A: Components>(arguments: &A, i: usize) -> usize {
    place(arguments, i).0
}

/// The name of a component of a tuple of arguments.
fn name<A: Components>(arguments: &A, i: usize, names: &[&str]) -> String {
    let (argument, rest) = place(arguments, i);
    format!("{}{rest}", names[argument])
}

#[track_caller]
fn compare<A: Components>(
    what: &str,
    call: &str,
    names: &[&str],
    found: &A,
    expected: &A,
    tolerance: f64,
) {
    let (count, wanted) = (found.components(), expected.components());
    assert!(count == wanted, "{call}: {what}: {wanted} components before, {count} after");
    for i in 0..count {
        let (f, e) = (found.component(i), expected.component(i));
        let near = (f - e).abs() <= tolerance * (1.0 + e.abs().max(f.abs()));
        let same = near || f == e || f.is_nan() && e.is_nan();
        assert!(same, "{call}: {what}: `{}` should be {e:?}, and is {f:?}", name(found, i, names));
    }
}

/// What [`assert_reversible!`] expands to.
#[doc(hidden)]
#[track_caller]
pub fn check_reversible<A: Components + Clone>(
    call: &str,
    names: &[&str],
    arguments: A,
    forward: impl Fn(&mut A),
    inverse: impl Fn(&mut A),
) {
    let mut state = arguments.clone();
    forward(&mut state);
    inverse(&mut state);
    let tolerance = state.precision().sqrt();
    compare("the inverse does not undo the function", call, names, &state, &arguments, tolerance);
}

/// What [`assert_gradient!`] expands to.
#[doc(hidden)]
#[track_caller]
pub fn check_gradient<A: Components + Differentiable>(
    call: &str,
    names: &[&str],
    written: &[bool],
    arguments: A,
    forward: impl Fn(&mut A),
    adjoint: impl Fn(&mut A, &mut A),
    inverse_adjoint: impl Fn(&mut A, &mut A),
) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let precision = arguments.precision();
    let mut state = arguments.clone();
    forward(&mut state);
    let end = state.clone();
    let mut shadows = state.zero_like();
    // Of what is only read, nothing comes from outside.
    for i in 0..shadows.components() {
        let seed = if written[argument_of(&shadows, i)] { random.next() } else { 0.0 };
        shadows.set_component(i, seed);
    }
    let weights = all(&shadows);
    adjoint(&mut state, &mut shadows);
    let tolerance = precision.sqrt();
    compare("the adjoint does not restore the values", call, names, &state, &arguments, tolerance);
    // Of the sum of everything that the function leaves, weighted at random.
    let total = |i: usize, by: f64| {
        let mut state = arguments.clone();
        state.set_component(i, state.component(i) + by);
        forward(&mut state);
        all(&state).iter().zip(&weights).map(|(value, weight)| value * weight).collect::<Vec<_>>()
    };
    for i in 0..arguments.components() {
        let step = precision.powf(0.2) * (1.0 + arguments.component(i).abs()) * 0.5;
        let (a, b) = (total(i, step), total(i, -step));
        let (c, d) = (total(i, 2.0 * step), total(i, -2.0 * step));
        let (mut expected, mut size, mut rounding) = (0.0, 1.0, 0.0);
        for k in 0..a.len() {
            let slope = (8.0 * (a[k] - b[k]) - (c[k] - d[k])) / (12.0 * step);
            expected += slope;
            size += slope.abs();
            rounding += a[k].abs() * precision / step;
        }
        let found = shadows.component(i);
        let tolerance = 4.0 * precision.powf(0.4) * size + 30.0 * rounding;
        let near = (found - expected).abs() <= tolerance;
        assert!(
            near || expected.is_nan(),
            "{call}: the gradient with respect to `{}` should be {expected:?} by differences, and \
             is {found:?}",
            name(&arguments, i, names)
        );
    }
    inverse_adjoint(&mut state, &mut shadows);
    let what = "the inverse adjoint does not bring the values back";
    compare(what, call, names, &state, &end, tolerance);
}
