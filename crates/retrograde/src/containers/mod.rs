//! Containers whose every operation can be undone.
//!
//! | operation | what happens to the value | undone by |
//! |---|---|---|
//! | [`Stack::push`], [`Map::insert`] | moves in, and leaves zero behind | `pop`, `remove` |
//! | [`Stack::pop`], [`Map::remove`] | moves out, into a place that holds zero | `push`, `insert` |
//! | [`Stack::push_copy`], [`Map::insert_copy`] | is copied in | `pop_copy`, `remove_copy` |
//! | [`Stack::pop_copy`], [`Map::remove_copy`] | is dropped, because the value given is the same | `push_copy`, `insert_copy` |
//!
//! A program that would lose a value stops, with nothing changed: popping an
//! empty stack, inserting a key that exists, removing one that does not,
//! moving out into a place that is not zero, dropping what is not the same.
//! These checks protect data, so `#[unchecked]` does not remove them.
//!
//! With gradients, each operation has two forms more, as [`Stack::push_adjoint`]
//! and [`Stack::push_inverse_adjoint`]. The shadow of a container is a container
//! of the same length, or with the same keys. What is moved takes its gradient
//! along; the gradient of a copy is added to that of its source.
//!
//! ```
//! use retrograde::containers::Stack;
//! use retrograde::prelude::*;
//!
//! #[reversible]
//! fn remember(history: &mut Stack<i64>, x: &mut i64) {
//!     history.push_copy(&*x);
//!     *x += 5;
//! }
//!
//! let (mut history, mut x) = (Stack::new(), 1);
//! remember(&mut history, &mut x);
//! assert_eq!((history.as_slice(), x), (&[1][..], 6));
//! remember::inverse(&mut history, &mut x);
//! assert_eq!((history.is_empty(), x), (true, 1));
//! ```

/// The forms of methods that generated code calls: there, every argument has a
/// shadow, also a key, which needs none.
macro_rules! with_every_shadow {
    ($(
        $hidden:ident = $public:ident($([$key:ident: $key_type:ty])? $($argument:ident: $type:ty),+)
            where $($parameter:ident: $bound:ident $(+ $more:ident)*),+;
    )+) => {$(
        #[doc(hidden)]
        #[inline]
        #[track_caller]
        pub fn $hidden(
            &mut self,
            d_self: &mut Self,
            $($key: $key_type, _shadow: impl Sized,)?
            $($argument: $type),+
        ) where
            $($parameter: $bound $(+ $more)*),+
        {
            self.$public(d_self, $($key,)? $($argument),+);
        }
    )+};
}

/// Methods that say of others that they decide nothing on the floats that they are lent.
macro_rules! decide_nothing {
    ($($name:ident)+) => {$(
        #[doc(hidden)]
        #[inline(always)]
        pub fn $name(&self, _depth: u32) -> u64 {
            0
        }
    )+};
}

mod map;
mod stack;
#[cfg(test)]
mod tests;

pub use map::Map;
pub use stack::Stack;

use crate::check::{Check, Slack};
use crate::error::{Broken, fail};
use crate::num::Zero;

/// Why a value moves out of a container.
#[derive(Clone, Copy, PartialEq)]
enum Leaves {
    /// It is moved.
    Moved,
    /// That it moved in is undone, and what was done to the place since.
    BackAgain,
}

/// A place that a value moves to must hold zero, to the last bit: it is lost in the move.
///
/// Where it is zero because what was done to it is undone, that may have left some rounding. Nobody
/// knows here what it is of, so it may be a few units in the last place of what arrives, but not of
/// more than one: a large number must not cover a small one that was forgotten.
#[track_caller]
fn must_be_zero<T: Zero + Check>(place: &T, arrives: &T, leaves: Leaves, source: &'static str) {
    let zero = T::zero();
    let slack = match leaves {
        Leaves::Moved => Slack::EXACT,
        Leaves::BackAgain => Slack::units(arrives.magnitude().min(1.0)),
    };
    if !place.agrees(&zero, slack) {
        fail(Broken::Container, source, format!("{zero:?}"), format!("{place:?}"));
    }
}

/// An element that is dropped must be known from elsewhere.
#[track_caller]
fn must_agree<T: Check>(element: &T, known: &T, source: &'static str) {
    if !element.agrees(known, Slack::units(0.0)) {
        let found =
            format!("{element:?}, which is dropped when it is taken back, and must be known");
        fail(Broken::Container, source, format!("{known:?}"), found);
    }
}
