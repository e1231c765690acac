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
//! A function with data is called as a value, with `#[constant]` on what has no shadow:
//! `assert_gradient!(With(misfit {}, (&seen,))(&mut 0.0, &0.9))`.
//!
//! Both leave the arguments as they are. They work for functions and methods of
//! any signature; the arguments are written with their `&` and `&mut`, as
//! variables or values that can be cloned.
//!
//! The gradient is compared with differences. Their steps follow the numbers and get smaller
//! where the function is not smooth, so that a jump or a kink may be near; where it is at a kink,
//! each value between the slopes of the two sides is right. The first step and how far the
//! gradients may be apart, relative to their size, can be given:
//! `assert_gradient!(f(&mut y, &x), step = 1e-6, tolerance = 1e-4)`.

mod components;
mod differences;

pub use components::{Components, Other};
pub use retrograde_macros::{assert_gradient, assert_reversible};

use crate::derivative::Differentiable;
use differences::{Outputs, Verdict};
use std::borrow::{Borrow, BorrowMut};

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
    let name = arguments.component_name(i);
    let (argument, rest) = argument_and_rest(&name);
    (argument, rest.to_string())
}

/// `.2[5]`, of the tuple of arguments: the third argument's.
fn argument_and_rest(path: &str) -> (usize, &str) {
    let path = path.trim_start_matches('.');
    let digits = path.find(|c: char| !c.is_ascii_digit()).unwrap_or(path.len());
    let (argument, rest) = path.split_at(digits);
    (argument.parse().expect("a part of a tuple has a number"), rest)
}

/// The name of a component of a tuple of arguments.
fn name<A: Components>(arguments: &A, i: usize, names: &[&str]) -> String {
    let (argument, rest) = place(arguments, i);
    format!("{}{rest}", names[argument])
}

/// The largest of some numbers.
fn largest<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> f64 {
    numbers.into_iter().map(|x| x.abs()).filter(|x| x.is_finite()).fold(0.0, f64::max)
}

/// A call under test: its text and the names of its arguments, for messages.
struct Call<'a> {
    text: &'a str,
    names: &'a [&'a str],
}

impl Call<'_> {
    /// Whether all numbers are what is expected, up to round-off at the scale of the largest.
    /// `subject` stands before the name of one that is not.
    #[track_caller]
    fn compare<A: Components>(
        &self,
        (what, subject): (&str, &str),
        found: &A,
        expected: &[f64],
        scale: f64,
        precision: f64,
    ) {
        let Call { text, names } = self;
        let (count, wanted) = (found.components(), expected.len());
        assert!(count == wanted, "{text}: {what}: {wanted} components before, {count} after");
        let all = all(found);
        let allowed = precision.sqrt() * largest(&all).max(largest(expected)).max(scale);
        for (i, (f, e)) in all.into_iter().zip(expected).enumerate() {
            let same = (f - e).abs() <= allowed || f == *e || f.is_nan() && e.is_nan();
            let name = || name(found, i, names);
            assert!(same, "{text}: {what}: {subject}`{}` should be {e:?}, and is {f:?}", name());
        }
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
    let (scale, precision) = (largest(&all(&state)), state.precision());
    inverse(&mut state);
    let call = Call { text: call, names };
    let what = "the inverse does not undo the function";
    call.compare((what, ""), &state, &all(&arguments), scale, precision);
    if let Some(Other { place, expected, found }) = state.other(&arguments) {
        let (argument, rest) = argument_and_rest(&place);
        let name = names[argument];
        panic!("{}: {what}: `{name}{rest}` should be {expected}, and is {found}", call.text);
    }
}

/// How gradients are compared with differences.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The first step, in the units of the argument.
    pub step: Option<f64>,
    /// How far gradients may be apart, relative to their size.
    pub tolerance: Option<f64>,
}

/// A copy of an argument, as a reference of the argument's own type.
#[doc(hidden)]
pub fn lent<'a, T: ToOwned + ?Sized>(_argument: &T, copy: &'a T::Owned) -> &'a T {
    copy.borrow()
}

/// A copy of an argument, to be written.
#[doc(hidden)]
pub fn lent_mut<'a, T: ToOwned<Owned: BorrowMut<T>> + ?Sized>(
    _argument: &T,
    copy: &'a mut T::Owned,
) -> &'a mut T {
    copy.borrow_mut()
}

/// Which of the functions that carry shadows.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Back {
    /// The adjoint.
    Adjoint,
    /// The adjoint of the inverse.
    InverseAdjoint,
    /// The adjoint that need not restore the values; the same, where it has no name.
    Gradient,
}

/// What [`assert_gradient!`] expands to.
#[doc(hidden)]
#[track_caller]
pub fn check_gradient<A: Components + Differentiable>(
    call: &str,
    names: &[&str],
    written: &[bool],
    options: Options,
    arguments: A,
    forward: impl Fn(&mut A),
    back: impl Fn(Back, &mut A, &mut A),
) {
    let call = Call { text: call, names };
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let precision = arguments.precision();
    let start = all(&arguments);
    let mut end = arguments.clone();
    forward(&mut end);
    let ends = all(&end);
    let scale = largest(&start).max(largest(&ends));
    // Of what is only read, nothing comes from outside as yet.
    let mut seeds = end.zero_like();
    for i in 0..seeds.components() {
        let seed = if written[place(&seeds, i).0] { random.next() } else { 0.0 };
        seeds.set_component(i, seed);
    }
    let (mut state, mut shadows) = (end.clone(), seeds.clone());
    back(Back::Adjoint, &mut state, &mut shadows);
    let what = ("the adjoint does not restore the values", "");
    call.compare(what, &state, &start, scale, precision);
    let found = all(&shadows);
    let outputs = Outputs::new(&arguments, &seeds, &forward, options, precision);
    for (i, found) in found.iter().enumerate() {
        if let Verdict::Wrong(reason) = outputs.judge(i, *found) {
            // Of what was said to be constant, the shadow stays as it was.
            let constant = if *found == 0.0 && written.get(place(&arguments, i).0) == Some(&false) {
                "\nhelp: if the function says `#[constant]`, or has no shadow for it, write \
                 `#[constant]` before the argument here, too"
            } else {
                ""
            };
            let (text, name) = (call.text, name(&arguments, i, names));
            panic!("{text}: the gradient with respect to `{name}` {reason}{constant}");
        }
    }
    let (mut state, mut shadows) = (end.clone(), seeds.clone());
    back(Back::Gradient, &mut state, &mut shadows);
    let what = ("without the values the gradient differs", "that of ");
    call.compare(what, &shadows, &found, 0.0, precision);
    // Now with something in every shadow, of the size of what is added. What is only read keeps
    // its shape, so that its numbers are the same ones in the same order before and after.
    let only_read =
        |of: &A| (0..of.components()).filter(|i| !written[place(of, *i).0]).collect::<Vec<_>>();
    let (mut state, mut shadows) = (end.clone(), seeds);
    for (i, k) in only_read(&shadows).into_iter().zip(only_read(&arguments)) {
        let size = found[k].abs();
        let seed = random.next() * if size > 0.0 && size.is_finite() { size } else { 1.0 };
        shadows.set_component(i, seed);
    }
    let seeds = all(&shadows);
    let mut expected = found;
    for (i, k) in only_read(&shadows).into_iter().zip(only_read(&arguments)) {
        expected[k] += seeds[i];
    }
    back(Back::Adjoint, &mut state, &mut shadows);
    let what = ("the adjoint does not add to what is there", "the shadow of ");
    call.compare(what, &shadows, &expected, 0.0, precision);
    let between = largest(&all(&shadows));
    back(Back::InverseAdjoint, &mut state, &mut shadows);
    let what = ("the inverse adjoint does not bring the values back", "");
    call.compare(what, &state, &ends, scale, precision);
    let what = ("the inverse adjoint does not bring the shadows back", "that of ");
    call.compare(what, &shadows, &seeds, between, precision);
}
