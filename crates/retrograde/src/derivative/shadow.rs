//! Shadows: zeros of the same shape, and sums.

use crate::check::{Astray, Changes, Slack};
use std::collections::VecDeque;
use std::marker::PhantomData;

/// A type whose values have shadows: gradients of the same type and shape.
///
/// A shadow begins as [`zero_like`](Self::zero_like) of the value. What carries
/// no gradient (integers, `bool`, text) belongs to the shape: its shadow holds the
/// value itself, and stays as it is. So an index or a method of a type of one's own
/// finds the same elements in a shadow as in the value.
/// `#[derive(Differentiable)]` gives it to a struct, field by field, and
/// [`field_rules!`](crate::field_rules) to a number.
///
/// ```
/// use retrograde::derivative::{Differentiable, zero_like};
///
/// let value = (vec![1.5, 2.5], 7);
/// let mut shadow = zero_like(&value);
/// shadow.accumulate_shadow((vec![1.0, 2.0], 1));
/// shadow.accumulate_shadow((vec![1.0, 2.0], 1));
/// assert_eq!(shadow, (vec![2.0, 4.0], 7));
/// ```
#[diagnostic::on_unimplemented(
    label = "`{Self}` has no shadow to hold a gradient",
    note = "help: `#[derive(Differentiable)]` on a struct of numbers, or mark the argument `#[constant]`"
)]
pub trait Differentiable: Clone {
    /// Whether anything in it may carry a gradient: what does not needs no shadow of its shape.
    const ACTIVE: bool = true;
    /// Zeros of the same shape.
    fn zero_like(&self) -> Self;
    /// Zeros of the same shape that leave no trace in a sum: of floats −0, as
    /// only `−0 + x` is `x` for every `x`. The shadows of variables begin as these,
    /// so that the compiler can leave the first sum out.
    #[inline]
    fn neutral_like(&self) -> Self {
        self.zero_like()
    }
    /// Becomes the zeros of a value's shape, in the memory that is there: for a
    /// shadow that is used again.
    #[inline]
    fn set_zero_like(&mut self, value: &Self) {
        *self = value.zero_like();
    }
    /// Adds to a shadow.
    fn accumulate_shadow(&mut self, other: Self);
    /// Subtracts from a shadow.
    fn retract_shadow(&mut self, other: Self);
    /// Where a shadow that somebody hands in has another shape than the value; `None` where
    /// it fits, or where all values of the type have one shape. Looks at lengths alone.
    #[inline]
    fn misfit(&self, _shadow: &Self) -> Option<Misfit> {
        None
    }
    /// Where an integer that tells the shape of a container is another in its shadow.
    #[doc(hidden)]
    #[inline]
    fn shape_misfit(&self, _shadow: &Self) -> Option<Misfit> {
        None
    }
    /// The shadow with the opposite sign.
    #[inline]
    fn negated_shadow(&self) -> Self {
        let mut negative = self.zero_like();
        negative.retract_shadow(self.clone());
        negative
    }
    /// Of a value, the largest absolute component: the scale of its round-off.
    #[inline]
    fn extent(&self) -> f64 {
        0.0
    }
    /// The extent of a few of its parts, where looking at all of them would cost too much.
    #[inline]
    fn glance(&self) -> f64 {
        self.extent()
    }
    /// How many numbers it has, roughly: what it costs to look at all of them.
    #[inline]
    fn breadth(&self) -> usize {
        1
    }
    /// The extents of what is not as it was `before`. Of a type that does not say so, all of it.
    #[inline]
    fn changes(&self, before: &Self) -> Changes {
        Changes { before: before.extent(), now: self.extent() }
    }
    /// Where a value that was undone is not what it must be, up to rounding. A type that
    /// does not say so is not compared.
    #[inline]
    fn astray(&self, _expected: &Self, _slack: Slack) -> Option<Astray> {
        None
    }
    /// Moves a value as far as `slack` allows, upwards or downwards: to where rounding may
    /// have left it. A type that does not say so stays.
    #[inline]
    fn nudge_value(&mut self, slack: Slack, up: bool) {
        let _ = (slack, up);
    }
}

/// Where a shadow has another length than its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The part that has: `[2].weights`.
    pub place: String,
    /// The length of the value.
    pub value: usize,
    /// The length of the shadow.
    pub shadow: usize,
}

impl Misfit {
    /// Of two lengths; `None` if they are equal.
    #[inline]
    pub fn of_lengths(value: usize, shadow: usize) -> Option<Self> {
        (value != shadow).then(|| Misfit { place: String::new(), value, shadow })
    }

    /// Of the elements of two sequences, which are as long as each other.
    #[inline]
    pub fn of_elements<'a, T: Differentiable + 'a>(
        values: impl IntoIterator<Item = &'a T>,
        shadows: impl IntoIterator<Item = &'a T>,
    ) -> Option<Self> {
        let misfit = |(i, (value, shadow)): (usize, (&T, &T))| {
            value.misfit(shadow).map(|misfit| misfit.within(&format!("[{i}]")))
        };
        values.into_iter().zip(shadows).enumerate().find_map(misfit)
    }

    /// As a part of something larger.
    pub fn within(mut self, part: &str) -> Self {
        self.place.insert_str(0, part);
        self
    }
}

/// What a shadow is held in: the type itself, or a `Vec` for a slice.
#[diagnostic::on_unimplemented(
    label = "`{Self}` has no shadow to hold a gradient",
    note = "help: `#[derive(Differentiable)]` on a struct of numbers, or mark the argument `#[constant]`"
)]
pub trait ToShadow {
    /// The type of the shadow.
    type Shadow;
    /// Zeros of the same shape.
    fn zero_like(&self) -> Self::Shadow;
    /// Zeros that leave no trace in a sum, as [`Differentiable::neutral_like`].
    #[inline]
    fn neutral_like(&self) -> Self::Shadow {
        self.zero_like()
    }
    /// Makes a shadow zero again, as [`Differentiable::set_zero_like`].
    fn set_zero(&self, shadow: &mut Self::Shadow);
    /// Adds another shadow to this one.
    fn add_shadow(&mut self, other: Self::Shadow);
}

impl<T: Differentiable> ToShadow for T {
    type Shadow = T;
    #[inline]
    fn zero_like(&self) -> T {
        Differentiable::zero_like(self)
    }
    #[inline]
    fn neutral_like(&self) -> T {
        Differentiable::neutral_like(self)
    }
    #[inline]
    fn set_zero(&self, shadow: &mut T) {
        shadow.set_zero_like(self);
    }
    #[inline]
    fn add_shadow(&mut self, other: T) {
        self.accumulate_shadow(other);
    }
}

impl<T: Differentiable> ToShadow for [T] {
    type Shadow = Vec<T>;
    #[inline]
    fn zero_like(&self) -> Vec<T> {
        self.iter().map(Differentiable::zero_like).collect()
    }
    #[inline]
    fn set_zero(&self, shadow: &mut Vec<T>) {
        shadow.truncate(self.len());
        shadow.iter_mut().zip(self).for_each(|(zero, value)| zero.set_zero_like(value));
        shadow.extend(self[shadow.len()..].iter().map(T::zero_like));
    }
    #[inline]
    #[track_caller]
    fn add_shadow(&mut self, other: Vec<T>) {
        super::accumulate_slice(self, &other);
    }
}

/// Types that carry no gradient: their shadows hold what they hold.
macro_rules! constants {
    ($([$($parameters:tt)*] $type:ty $(, $more:item)?;)+) => {$(
        /// Carries no gradient.
        impl<$($parameters)*> Differentiable for $type {
            const ACTIVE: bool = false;
            #[inline]
            fn zero_like(&self) -> Self {
                self.clone()
            }
            #[inline]
            fn accumulate_shadow(&mut self, _other: Self) {}
            #[inline]
            fn retract_shadow(&mut self, _other: Self) {}
            $($more)?
        }
    )+};
    ($($type:ident)+) => {
        constants! { $([] $type;)+ }
    };
}

constants!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 bool char String);
constants! {
    [] usize, #[inline] fn shape_misfit(&self, shadow: &Self) -> Option<Misfit> {
        Misfit::of_lengths(*self, *shadow)
    };
    [] ();
    [T: ?Sized] PhantomData<T>;
    [T: Clone] std::num::Wrapping<T>;
    [] std::time::Duration;
}

macro_rules! tuples {
    ($(($($name:ident $index:tt)+))+) => {$(
        impl<$($name: Differentiable),+> Differentiable for ($($name,)+) {
            const ACTIVE: bool = false $(|| $name::ACTIVE)+;
            #[inline]
            fn zero_like(&self) -> Self {
                ($(self.$index.zero_like(),)+)
            }
            #[inline]
            fn neutral_like(&self) -> Self {
                ($(self.$index.neutral_like(),)+)
            }
            #[inline]
            fn set_zero_like(&mut self, value: &Self) {
                $(self.$index.set_zero_like(&value.$index);)+
            }
            #[inline]
            #[track_caller]
            fn accumulate_shadow(&mut self, other: Self) {
                $(self.$index.accumulate_shadow(other.$index);)+
            }
            #[inline]
            #[track_caller]
            fn retract_shadow(&mut self, other: Self) {
                $(self.$index.retract_shadow(other.$index);)+
            }
            #[inline]
            fn negated_shadow(&self) -> Self {
                ($(self.$index.negated_shadow(),)+)
            }
            #[inline]
            fn extent(&self) -> f64 {
                0.0_f64$(.max(self.$index.extent()))+
            }
            #[inline]
            fn breadth(&self) -> usize {
                0$(+ self.$index.breadth())+
            }
            #[inline]
            fn changes(&self, before: &Self) -> Changes {
                Changes::default()$(.and(self.$index.changes(&before.$index)))+
            }
            #[inline]
            fn nudge_value(&mut self, slack: Slack, up: bool) {
                $(self.$index.nudge_value(slack, up);)+
            }
            #[inline]
            fn astray(&self, expected: &Self, slack: Slack) -> Option<Astray> {
                $(if let Some(astray) = self.$index.astray(&expected.$index, slack) {
                    return Some(astray.inside(concat!(".", $index)));
                })+
                None
            }
            #[inline]
            fn misfit(&self, shadow: &Self) -> Option<Misfit> {
                None$(.or_else(|| {
                    let misfit = self.$index.misfit(&shadow.$index)?;
                    Some(misfit.within(concat!(".", stringify!($index))))
                }))+
            }
        }
    )+};
}

tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11)
}

impl<T: Differentiable, const N: usize> Differentiable for [T; N] {
    const ACTIVE: bool = T::ACTIVE;
    #[inline]
    fn zero_like(&self) -> Self {
        std::array::from_fn(|i| self[i].zero_like())
    }
    #[inline]
    fn neutral_like(&self) -> Self {
        std::array::from_fn(|i| self[i].neutral_like())
    }
    #[inline]
    fn set_zero_like(&mut self, value: &Self) {
        self.iter_mut().zip(value).for_each(|(zero, value)| zero.set_zero_like(value));
    }
    #[inline]
    #[track_caller]
    fn accumulate_shadow(&mut self, other: Self) {
        for (a, b) in self.iter_mut().zip(other) {
            a.accumulate_shadow(b);
        }
    }
    #[inline]
    #[track_caller]
    fn retract_shadow(&mut self, other: Self) {
        for (a, b) in self.iter_mut().zip(other) {
            a.retract_shadow(b);
        }
    }
    #[inline]
    fn negated_shadow(&self) -> Self {
        std::array::from_fn(|i| self[i].negated_shadow())
    }
    #[inline]
    fn extent(&self) -> f64 {
        self.iter().map(T::extent).fold(0.0, f64::max)
    }
    #[inline]
    fn glance(&self) -> f64 {
        glance(N, |i| self.get(i))
    }
    #[inline]
    fn breadth(&self) -> usize {
        breadth(self)
    }
    #[inline]
    fn changes(&self, before: &Self) -> Changes {
        Changes::among(self, before)
    }
    #[inline]
    fn nudge_value(&mut self, slack: Slack, up: bool) {
        self.iter_mut().for_each(|element| element.nudge_value(slack, up));
    }
    #[inline]
    fn astray(&self, expected: &Self, slack: Slack) -> Option<Astray> {
        Astray::among(self.iter().zip(expected), |a, b| a.astray(b, slack))
    }
    #[inline]
    fn misfit(&self, shadow: &Self) -> Option<Misfit> {
        Misfit::of_elements(self, shadow)
    }
}

/// The extent of the first, the middle and the last of so many elements.
#[inline]
fn glance<'a, T: Differentiable + 'a>(count: usize, get: impl Fn(usize) -> Option<&'a T>) -> f64 {
    let of = |index: usize| get(index).map_or(0.0, T::glance);
    match count {
        0 => 0.0,
        1 => of(0),
        2 => of(0).max(of(1)),
        _ => of(0).max(of(count / 2)).max(of(count - 1)),
    }
}

/// How many numbers so many elements have, if they are all like the first.
#[inline]
pub(crate) fn breadth<'a, T, I>(elements: I) -> usize
where
    T: Differentiable + 'a,
    I: IntoIterator<Item = &'a T, IntoIter: ExactSizeIterator>,
{
    let mut elements = elements.into_iter();
    let count = elements.len();
    elements.next().map_or(0, |first| count * first.breadth())
}

#[cold]
#[inline(never)]
#[track_caller]
fn lengths_differ(shadow: usize, other: usize) -> ! {
    panic!("a gradient of {other} elements for a shadow of {shadow}")
}

macro_rules! sequences {
    ($($type:ty: $set_zero:expr;)+) => {$(
        /// Element by element; panics if the lengths differ. A shadow that is empty as
        /// yet becomes as long as what comes in.
        impl<T: Differentiable> Differentiable for $type {
            const ACTIVE: bool = T::ACTIVE;
            #[inline]
            fn zero_like(&self) -> Self {
                self.iter().map(T::zero_like).collect()
            }
            #[inline]
            fn misfit(&self, shadow: &Self) -> Option<Misfit> {
                if !T::ACTIVE {
                    return None;
                }
                Misfit::of_lengths(self.len(), shadow.len()).or_else(|| Misfit::of_elements(self, shadow))
            }
            #[inline]
            fn set_zero_like(&mut self, value: &Self) {
                $set_zero(self, value);
            }
            #[inline]
            #[track_caller]
            fn accumulate_shadow(&mut self, other: Self) {
                if self.is_empty() {
                    *self = other;
                } else if self.len() != other.len() {
                    lengths_differ(self.len(), other.len());
                } else {
                    for (a, b) in self.iter_mut().zip(other) {
                        a.accumulate_shadow(b);
                    }
                }
            }
            #[inline]
            #[track_caller]
            fn retract_shadow(&mut self, other: Self) {
                if self.is_empty() {
                    *self = Differentiable::zero_like(&other);
                } else if self.len() != other.len() {
                    lengths_differ(self.len(), other.len());
                }
                for (a, b) in self.iter_mut().zip(other) {
                    a.retract_shadow(b);
                }
            }
            #[inline]
            fn extent(&self) -> f64 {
                self.iter().map(T::extent).fold(0.0, f64::max)
            }
            #[inline]
            fn glance(&self) -> f64 {
                glance(self.len(), |i| self.get(i))
            }
            #[inline]
            fn breadth(&self) -> usize {
                breadth(self)
            }
            #[inline]
            fn changes(&self, before: &Self) -> Changes {
                match self.len() == before.len() {
                    true => Changes::among(self.iter(), before.iter()),
                    false => Changes { before: before.extent(), now: self.extent() },
                }
            }
            #[inline]
            fn nudge_value(&mut self, slack: Slack, up: bool) {
                self.iter_mut().for_each(|element| element.nudge_value(slack, up));
            }
            #[inline]
            fn astray(&self, expected: &Self, slack: Slack) -> Option<Astray> {
                Astray::of_lengths(self.len(), expected.len())
                    .or_else(|| Astray::among(self.iter().zip(expected), |a, b| a.astray(b, slack)))
            }
        }
    )+};
}

sequences! {
    Vec<T>: |shadow, value: &Vec<T>| value[..].set_zero(shadow);
    VecDeque<T>: |shadow: &mut VecDeque<T>, value: &VecDeque<T>| {
        shadow.truncate(value.len());
        shadow.iter_mut().zip(value).for_each(|(zero, value)| zero.set_zero_like(value));
        shadow.extend(value.iter().skip(shadow.len()).map(T::zero_like).collect::<Vec<_>>());
    };
    Box<[T]>: |shadow: &mut Box<[T]>, value: &[T]| {
        if shadow.len() == value.len() {
            shadow.iter_mut().zip(value).for_each(|(zero, value)| zero.set_zero_like(value));
        } else {
            *shadow = value.iter().map(T::zero_like).collect();
        }
    };
}

/// `None` is the zero of every shape.
impl<T: Differentiable> Differentiable for Option<T> {
    const ACTIVE: bool = T::ACTIVE;
    #[inline]
    fn zero_like(&self) -> Self {
        self.as_ref().map(T::zero_like)
    }
    #[inline]
    fn misfit(&self, shadow: &Self) -> Option<Misfit> {
        self.as_ref().zip(shadow.as_ref()).and_then(|(value, shadow)| value.misfit(shadow))
    }
    #[inline]
    fn set_zero_like(&mut self, value: &Self) {
        match (&mut *self, value) {
            (Some(zero), Some(value)) => zero.set_zero_like(value),
            _ => *self = Differentiable::zero_like(value),
        }
    }
    #[inline]
    #[track_caller]
    fn accumulate_shadow(&mut self, other: Self) {
        match (self, other) {
            (_, None) => {}
            (Some(a), Some(b)) => a.accumulate_shadow(b),
            (empty, other) => *empty = other,
        }
    }
    #[inline]
    #[track_caller]
    fn retract_shadow(&mut self, other: Self) {
        if let Some(b) = other {
            self.get_or_insert_with(|| b.zero_like()).retract_shadow(b);
        }
    }
    #[inline]
    fn extent(&self) -> f64 {
        self.as_ref().map_or(0.0, T::extent)
    }
    #[inline]
    fn breadth(&self) -> usize {
        self.as_ref().map_or(0, T::breadth)
    }
    #[inline]
    fn changes(&self, before: &Self) -> Changes {
        match (self, before) {
            (Some(now), Some(before)) => now.changes(before),
            (now, before) => Changes { before: before.extent(), now: now.extent() },
        }
    }
    #[inline]
    fn astray(&self, expected: &Self, slack: Slack) -> Option<Astray> {
        match (self, expected) {
            (Some(a), Some(b)) => a.astray(b, slack),
            (a, b) => Astray::of_lengths(a.iter().count(), b.iter().count()),
        }
    }
}

impl<T: Differentiable> Differentiable for Box<T> {
    const ACTIVE: bool = T::ACTIVE;
    #[inline]
    fn zero_like(&self) -> Self {
        Box::new(T::zero_like(self))
    }
    #[inline]
    fn misfit(&self, shadow: &Self) -> Option<Misfit> {
        (**self).misfit(shadow)
    }
    #[inline]
    fn set_zero_like(&mut self, value: &Self) {
        (**self).set_zero_like(value);
    }
    #[inline]
    #[track_caller]
    fn accumulate_shadow(&mut self, other: Self) {
        (**self).accumulate_shadow(*other);
    }
    #[inline]
    #[track_caller]
    fn retract_shadow(&mut self, other: Self) {
        (**self).retract_shadow(*other);
    }
    #[inline]
    fn extent(&self) -> f64 {
        (**self).extent()
    }
    #[inline]
    fn breadth(&self) -> usize {
        (**self).breadth()
    }
    #[inline]
    fn changes(&self, before: &Self) -> Changes {
        (**self).changes(before)
    }
    #[inline]
    fn astray(&self, expected: &Self, slack: Slack) -> Option<Astray> {
        (**self).astray(expected, slack)
    }
}
