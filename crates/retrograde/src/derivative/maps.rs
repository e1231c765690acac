//! Maps of the standard library, which have no shadows.

use super::Differentiable;
use std::collections::{BTreeMap, HashMap};

/// Not implemented: what the values of a map of the standard library must have, if a shadow could
/// be written by its keys.
#[diagnostic::on_unimplemented(
    message = "the gradient of a map of `{Self}` has no place: no element of a `BTreeMap` or a `HashMap` can be written by its key",
    label = "this map has no shadow to hold a gradient",
    note = "help: take a `retrograde::containers::Map`, whose elements are places, or the values as a slice, `&[f64]`; or mark the map `#[constant]` if it carries no gradient"
)]
pub trait InMap {}

macro_rules! maps {
    ($([$($parameters:tt)*] $type:ty;)+) => {$(
        impl<$($parameters)*> Differentiable for $type
        where
            V: InMap,
        {
            fn zero_like(&self) -> Self {
                unreachable!("it has no shadow")
            }
            fn accumulate_shadow(&mut self, _other: Self) {}
            fn retract_shadow(&mut self, _other: Self) {}
        }
    )+};
}

maps! {
    [K: Clone, V: Clone] BTreeMap<K, V>;
    [K: Clone, V: Clone, S: Clone] HashMap<K, V, S>;
}
