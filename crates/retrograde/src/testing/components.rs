//! The numbers that a value is made of.

use crate::containers::{Map, Stack};
use crate::num::{Complex, DoubleDouble, Fixed, Logarithmic, Real, Tropical};
use std::collections::VecDeque;
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;
use std::num::Wrapping;
use std::time::Duration;

/// The numbers that a value is made of, one by one: how tests change arguments
/// and look at gradients. What carries no gradient has none.
///
/// `#[derive(Differentiable)]` gives it to a struct.
///
/// ```
/// use retrograde::testing::Components;
///
/// let mut value = (vec![1.0, 2.0], 7_usize);
/// assert_eq!((value.components(), value.component(1)), (2, 2.0));
/// assert_eq!(value.component_name(1), ".0[1]");
/// value.set_component(1, 5.0);
/// assert_eq!(value.0, [1.0, 5.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "the numbers that `{Self}` is made of are not known",
    note = "help: `#[derive(Differentiable)]` on a struct of numbers, or write `#[constant]` before the argument if it carries no gradient"
)]
pub trait Components {
    /// How many there are.
    fn components(&self) -> usize;
    /// One of them.
    fn component(&self, i: usize) -> f64;
    /// Changes one of them.
    fn set_component(&mut self, i: usize, value: f64);
    /// Where it is: `[3].mass`.
    fn component_name(&self, i: usize) -> String;
    /// The spacing of numbers around 1 in the coarsest of them.
    fn precision(&self) -> f64 {
        f64::EPSILON
    }
    /// The first of the integers and the like, which are no components, that is not what is
    /// expected. A type that does not say so has none.
    fn other(&self, expected: &Self) -> Option<Other> {
        let _ = expected;
        None
    }
}

/// A part that carries no gradient, and is another than what was expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Other {
    /// Where it is: `[3].count`.
    pub place: String,
    /// What it should be.
    pub expected: String,
    /// What it is.
    pub found: String,
}

impl Other {
    /// The same, as a part of something larger.
    #[must_use]
    pub fn inside(mut self, place: &str) -> Self {
        self.place.insert_str(0, place);
        self
    }

    /// Of the elements of a list; of another length it is another one.
    fn among<'a, T: Components + 'a>(
        found: impl ExactSizeIterator<Item = &'a T>,
        expected: impl ExactSizeIterator<Item = &'a T>,
    ) -> Option<Self> {
        if found.len() != expected.len() {
            let [found, expected] =
                [found.len(), expected.len()].map(|length| format!("of length {length}"));
            return Some(Other { place: String::new(), expected, found });
        }
        let mut pairs = found.zip(expected).enumerate();
        pairs.find_map(|(i, (a, b))| Some(a.other(b)?.inside(&format!("[{i}]"))))
    }
}

macro_rules! number {
    ($([$($parameters:tt)*] $type:ty: |$x:ident| $get:expr, |$value:ident| $set:expr, $precision:expr;)+) => {$(
        impl<$($parameters)*> Components for $type {
            fn components(&self) -> usize {
                1
            }
            fn component(&self, _i: usize) -> f64 {
                let $x = self;
                $get
            }
            fn set_component(&mut self, _i: usize, $value: f64) {
                *self = $set;
            }
            fn component_name(&self, _i: usize) -> String {
                String::new()
            }
            fn precision(&self) -> f64 {
                $precision
            }
        }
    )+};
}

number! {
    [] f64: |x| *x, |value| value, f64::EPSILON;
    [] f32: |x| f64::from(*x), |value| value as f32, f64::from(f32::EPSILON);
    [] DoubleDouble: |x| x.to_f64(), |value| DoubleDouble::from(value), f64::EPSILON;
    [const F: u32] Fixed<F>: |x| x.to_f64(), |value| crate::num::literal(value), 0.5_f64.powi(F as i32).max(f64::EPSILON);
}

macro_rules! constant {
    ($([$($parameters:tt)*] $type:ty $(: |$found:ident, $expected:ident| $other:expr)?;)+) => {$(
        impl<$($parameters)*> Components for $type {
            $(fn other(&self, expected: &Self) -> Option<Other> {
                let ($found, $expected) = (self, expected);
                $other
            })?
            fn components(&self) -> usize {
                0
            }
            fn component(&self, i: usize) -> f64 {
                none(i)
            }
            fn set_component(&mut self, i: usize, _value: f64) {
                none(i)
            }
            fn component_name(&self, i: usize) -> String {
                none(i)
            }
        }
    )+};
    ($($type:ident)+) => { constant! { $([] $type: |found, expected| unequal(found, expected);)+ } };
}

fn unequal<T: PartialEq + Debug>(found: &T, expected: &T) -> Option<Other> {
    let (place, told) = (String::new(), |value: &T| format!("{value:?}"));
    (found != expected).then(|| Other { place, expected: told(expected), found: told(found) })
}

constant!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool char String);
constant! {
    [] ();
    [] &str;
    [T: ?Sized] PhantomData<T>;
    [T: Components] Wrapping<T>: |found, expected| found.0.other(&expected.0);
    [] Duration: |found, expected| unequal(found, expected);
}

fn none<T>(i: usize) -> T {
    panic!("component {i} of a value that has fewer")
}

/// A value that is made of parts.
macro_rules! parts {
    ($(#[$doc:meta])* [$($parameters:tt)*] $type:ty: $($part:tt: $name:expr),+) => {
        $(#[$doc])*
        impl<$($parameters)*> Components for $type {
            fn components(&self) -> usize {
                0 $(+ self.$part.components())+
            }
            fn component(&self, mut i: usize) -> f64 {
                $(match i.checked_sub(self.$part.components()) {
                    None => return self.$part.component(i),
                    Some(rest) => i = rest,
                })+
                none(i)
            }
            fn set_component(&mut self, mut i: usize, value: f64) {
                $(match i.checked_sub(self.$part.components()) {
                    None => return self.$part.set_component(i, value),
                    Some(rest) => i = rest,
                })+
                none(i)
            }
            fn component_name(&self, mut i: usize) -> String {
                $(match i.checked_sub(self.$part.components()) {
                    None => return format!(".{}{}", $name, self.$part.component_name(i)),
                    Some(rest) => i = rest,
                })+
                none(i)
            }
            fn precision(&self) -> f64 {
                0.0_f64 $(.max(self.$part.precision()))+
            }
            fn other(&self, expected: &Self) -> Option<Other> {
                None $(.or_else(|| {
                    let other = self.$part.other(&expected.$part)?;
                    Some(other.inside(concat!(".", $name)))
                }))+
            }
        }
    };
}

parts! { [T: Components] Complex<T>: re: "re", im: "im" }
parts! {
    /// In the logarithm, as its shadow is.
    [T: Components] Logarithmic<T>: log: "log"
}
parts! { [T: Components] Tropical<T>: 0: "0" }
parts! { [A: Components] (A,): 0: "0" }
parts! { [A: Components, B: Components] (A, B): 0: "0", 1: "1" }
parts! { [A: Components, B: Components, C: Components] (A, B, C): 0: "0", 1: "1", 2: "2" }

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))+) => {$(
        parts! { [$($name: Components),+] ($($name,)+): $($index: stringify!($index)),+ }
    )+};
}

tuples! {
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}

/// The element that a component is in, and its number there.
fn element<'a, T: Components + 'a>(
    elements: impl IntoIterator<Item = &'a T>,
    mut i: usize,
) -> (usize, usize) {
    for (k, element) in elements.into_iter().enumerate() {
        match i.checked_sub(element.components()) {
            None => return (k, i),
            Some(rest) => i = rest,
        }
    }
    none(i)
}

macro_rules! sequences {
    ($([$($parameters:tt)*] $type:ty: |$x:ident| $get:expr, $set:expr;)+) => {$(
        impl<$($parameters)*> Components for $type {
            fn components(&self) -> usize {
                let $x = self;
                $get.iter().map(Components::components).sum()
            }
            fn component(&self, i: usize) -> f64 {
                let $x = self;
                let (k, i) = element($get, i);
                $get[k].component(i)
            }
            fn set_component(&mut self, i: usize, value: f64) {
                let $x = self;
                let (k, i) = element($get, i);
                $set[k].set_component(i, value);
            }
            fn component_name(&self, i: usize) -> String {
                let $x = self;
                let (k, i) = element($get, i);
                format!("[{k}]{}", $get[k].component_name(i))
            }
            fn precision(&self) -> f64 {
                let $x = self;
                $get.iter().map(Components::precision).fold(0.0, f64::max)
            }
            fn other(&self, expected: &Self) -> Option<Other> {
                let $x = expected;
                let expected = $get;
                let $x = self;
                Other::among($get.iter(), expected.iter())
            }
        }
    )+};
}

sequences! {
    [T: Components] Vec<T>: |x| x.as_slice(), x.as_mut_slice();
    [T: Components, const N: usize] [T; N]: |x| x.as_slice(), x.as_mut_slice();
    [T: Components] Option<T>: |x| x.as_slice(), x.as_mut_slice();
    [T: Components] Stack<T>: |x| x.as_slice(), x.as_mut_slice();
    [T: Components] Box<[T]>: |x| &x[..], &mut x[..];
}

/// Element by element, though they are not in one piece.
impl<T: Components> Components for VecDeque<T> {
    fn components(&self) -> usize {
        self.iter().map(Components::components).sum()
    }
    fn component(&self, i: usize) -> f64 {
        let (k, i) = element(self, i);
        self[k].component(i)
    }
    fn set_component(&mut self, i: usize, value: f64) {
        let (k, i) = element(&*self, i);
        self[k].set_component(i, value);
    }
    fn component_name(&self, i: usize) -> String {
        let (k, i) = element(self, i);
        format!("[{k}]{}", self[k].component_name(i))
    }
    fn precision(&self) -> f64 {
        self.iter().map(Components::precision).fold(0.0, f64::max)
    }
    fn other(&self, expected: &Self) -> Option<Other> {
        Other::among(self.iter(), expected.iter())
    }
}

impl<T: Components> Components for Box<T> {
    fn components(&self) -> usize {
        (**self).components()
    }
    fn component(&self, i: usize) -> f64 {
        (**self).component(i)
    }
    fn set_component(&mut self, i: usize, value: f64) {
        (**self).set_component(i, value);
    }
    fn component_name(&self, i: usize) -> String {
        (**self).component_name(i)
    }
    fn precision(&self) -> f64 {
        (**self).precision()
    }
    fn other(&self, expected: &Self) -> Option<Other> {
        (**self).other(expected)
    }
}

/// Entry by entry, in the order of the keys' texts, which does not change from one
/// map to another.
impl<K: Clone + Debug + Eq + Hash, V: Components> Components for Map<K, V> {
    fn components(&self) -> usize {
        self.iter().map(|(_, value)| value.components()).sum()
    }
    fn component(&self, i: usize) -> f64 {
        let (key, i) = entry(self, i);
        self[key].component(i)
    }
    fn set_component(&mut self, i: usize, value: f64) {
        let (key, i) = entry(self, i);
        self[key].set_component(i, value);
    }
    fn component_name(&self, i: usize) -> String {
        let (key, i) = entry(self, i);
        format!("[{key:?}]{}", self[key.clone()].component_name(i))
    }
    fn precision(&self) -> f64 {
        self.iter().map(|(_, value)| value.precision()).fold(0.0, f64::max)
    }
    fn other(&self, expected: &Self) -> Option<Other> {
        let key = |map: &Self, other: &Self| {
            map.iter().map(|(key, _)| key).find(|key| !other.contains_key(key)).cloned()
        };
        let told = |key: &K, expected: &str, found: &str| Other {
            place: format!("[{key:?}]"),
            expected: expected.into(),
            found: found.into(),
        };
        if let Some(missing) = key(expected, self) {
            return Some(told(&missing, "there", "not there"));
        }
        if let Some(added) = key(self, expected) {
            return Some(told(&added, "not there", "there"));
        }
        self.iter().find_map(|(key, value)| {
            Some(value.other(&expected[key.clone()])?.inside(&format!("[{key:?}]")))
        })
    }
}

/// The key of the entry that a component is in, and its number there.
fn entry<K: Clone + Debug + Eq + Hash, V: Components>(map: &Map<K, V>, mut i: usize) -> (K, usize) {
    let mut entries: Vec<_> = map.iter().map(|entry| (format!("{:?}", entry.0), entry)).collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (_, (key, value)) in entries {
        match i.checked_sub(value.components()) {
            None => return (key.clone(), i),
            Some(rest) => i = rest,
        }
    }
    none(i)
}
