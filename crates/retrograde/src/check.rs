//! The run-time checks that generated code makes, and how values are compared.
//!
//! Comparisons are exact for integers, `bool` and fixed point. Floats carry
//! round-off, so they are compared with some [`Slack`], relative to the magnitudes
//! that the ancilla was seen to hold: one that once held `1e10` may come back with
//! a residue that one which held `1e-10` may not. How much is allowed depends on
//! what is known: a few units in the last place where only this check tells that a
//! value was undone, and half of the digits where the compiler has proved that every
//! statement is, so that nothing but rounding can be left.

use crate::derivative::Differentiable;
use crate::error::{Broken, fail};
use std::collections::VecDeque;
use std::fmt::Debug;

/// Values that a run-time check can compare.
///
/// `#[derive(AdditiveGroup)]` implements it field by field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared by a reversibility check",
    label = "its value is compared with the known one here",
    note = "help: derive `AdditiveGroup` for a struct of numbers, implement `retrograde::check::Check`, or put `#[unchecked]` on the statement"
)]
pub trait Check: Debug {
    /// The largest absolute component; 0 for types that are compared exactly.
    fn magnitude(&self) -> f64;
    /// Whether `self` is `expected`, up to what is allowed. Types that are made of
    /// others pass `slack` on to their parts.
    fn agrees(&self, expected: &Self, slack: Slack) -> bool;
    /// Moves it as far as `slack` allows; types that are compared exactly stay.
    fn nudge(&mut self, slack: Slack, toward: Toward);
    /// Reports that `self` is not what was expected.
    ///
    /// Small types override it to pass on copies: a reference, even one that is
    /// used on the way to a panic only, would keep the value in memory.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    fn refuse(&self, expected: &Self, broken: Broken, source: &'static str) -> ! {
        refuse(self, expected, broken, source)
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse<T: Debug + ?Sized>(found: &T, expected: &T, broken: Broken, source: &'static str) -> ! {
    fail(broken, source, format!("{expected:?}"), format!("{found:?}"))
}

/// As the default of [`Check::refuse`], for values that fit in a register.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn refuse_small<T: Debug>(
    found: T,
    expected: T,
    broken: Broken,
    source: &'static str,
) -> ! {
    refuse(&found, &expected, broken, source)
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse_bool(expected: bool, broken: Broken, source: &'static str) -> ! {
    refuse(&!expected, &expected, broken, source)
}

/// Where a value is moved to, to see whether another within rounding is decided on differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toward(Direction);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// As far up or down as rounding may have gone: all parts alike, or those that a mask tells
    /// apart in opposite directions.
    Far { up: bool, mask: usize },
    /// To the number there with the fewest digits: what a decision may take for that single one
    /// is 0 or 0.3, or another that somebody wrote down.
    Plain,
}

impl Toward {
    /// What tells parts apart by their numbers: of any two of sixteen parts, one of these masks
    /// has an odd number of the bits in which their numbers differ. So has one in most other pairs.
    const MASKS: [usize; 4] = [0x8421, 0x1842, 0x2184, 0x4218];

    /// Where a value is moved to in turn. `parts`: how many it has that may be compared with each
    /// other.
    pub(crate) fn all(parts: usize) -> impl Iterator<Item = Toward> {
        let bits = parts.next_power_of_two().trailing_zeros() as usize;
        let masks = [0].into_iter().chain(Toward::MASKS.into_iter().take(bits));
        let far = masks.flat_map(|mask| [true, false].map(|up| Direction::Far { up, mask }));
        far.chain([Direction::Plain]).map(Toward)
    }

    /// Where the part of this number is moved to.
    #[inline]
    pub fn part(self, number: usize) -> Toward {
        match self.0 {
            Direction::Far { up, mask } => {
                let turned = (number & mask).count_ones() % 2 == 1;
                Toward(Direction::Far { up: up != turned, mask })
            }
            Direction::Plain => self,
        }
    }

    /// A number that is moved `by` at most.
    pub(crate) fn of(self, value: f64, by: f64) -> f64 {
        match self.0 {
            Direction::Far { up: true, .. } => value + by,
            Direction::Far { up: false, .. } => value - by,
            Direction::Plain if value.abs() <= by => 0.0,
            Direction::Plain => plain(value, by),
        }
    }
}

/// The decimal nearest to a number, on the widest grid whose step is `by` at most.
fn plain(value: f64, by: f64) -> f64 {
    // Powers of ten up to there are exact, and so the quotient is the literal's own.
    const EXACT: i32 = 22;
    let digits = -by.log10().floor();
    if !digits.is_finite() || digits.abs() > f64::from(EXACT) {
        return value;
    }
    let power = 10_f64.powi((digits as i32).abs());
    let near = match digits >= 0.0 {
        true => (value * power).round() / power,
        false => (value / power).round() * power,
    };
    if (near - value).abs() <= by { near } else { value }
}

/// How far a value may be from what it must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slack {
    allowed: Allowed,
    /// At least so large is a number, of which only a part is compared.
    whole: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Allowed {
    Nothing,
    /// Some units in the last place of what was added, and so many times as many of the number.
    Units {
        sum: f64,
        own: f64,
    },
    /// Half the digits of so much.
    HalfTheDigits(f64),
    /// Half the digits of what the number began with; or, if that is nothing, of the largest
    /// that was seen, or some units of what it was a sum of.
    Undone {
        /// The largest that the numbers beside it began with, and it.
        began: f64,
        seen: f64,
        sum: f64,
    },
    /// What a steep function makes of half the digits of so much.
    Steep(f64),
    /// Of so much, this part.
    Parts(f64, f64),
}

/// How many units in the last place are allowed for each magnitude that was seen: the sum
/// or difference that led there, and its operands, are each rounded, in both directions.
const UNITS: f64 = 8.0;

/// What a number begins with is nothing if it is no more than so many units in the last place of
/// those beside it: it is the rounding of a zero, as the sine of π is.
const RESIDUE: f64 = 16.0;

/// So many units in the last place of what the numbers beside it began with are excused in a
/// number that was undone: they may have been added to it on its way, step by step.
const SHARED: f64 = 4096.0;

impl Slack {
    const fn of(allowed: Allowed) -> Self {
        Slack { allowed, whole: 0.0 }
    }

    /// None: for what is evaluated again from operands that did not change.
    pub const EXACT: Slack = Slack::of(Allowed::Nothing);

    /// A few units in the last place of the number and of `sum`, the sum of the magnitudes that
    /// were seen: for what only this check knows to be undone.
    #[inline]
    pub fn units(sum: f64) -> Self {
        Slack::of(Allowed::Units { sum, own: 1.0 })
    }

    /// Half of the digits at a scale: for what is known to be undone, up to rounding.
    #[inline]
    pub fn half_the_digits(scale: f64) -> Self {
        Slack::of(Allowed::HalfTheDigits(scale))
    }

    /// As some units of a sum, too, if what it must be is nothing.
    #[inline]
    pub(crate) fn or_units(self, sum: f64) -> Self {
        match self.allowed {
            Allowed::Undone { began, seen, .. } => {
                Slack { allowed: Allowed::Undone { began, seen, sum }, ..self }
            }
            _ => self,
        }
    }

    /// Of a number of this magnitude, whose parts share their scale.
    pub(crate) fn of_parts(self, found: f64, expected: f64) -> Self {
        let whole = match self.allowed {
            Allowed::Undone { .. } => expected,
            _ => found.max(expected),
        };
        Slack { whole, ..self }
    }

    /// For what has round-off of its own, of which nothing is known but that it is at
    /// least of the size of one.
    pub(crate) fn at_unknown_scale(self) -> Self {
        match self.allowed {
            Allowed::Units { sum: scale, .. }
            | Allowed::Undone { seen: scale, .. }
            | Allowed::HalfTheDigits(scale) => {
                Slack::half_the_digits(scale.max(self.whole).max(1.0))
            }
            Allowed::Nothing | Allowed::Steep(_) | Allowed::Parts(..) => self,
        }
    }

    /// Whether it is more than none, even for zero.
    #[inline]
    pub(crate) fn is_some(self) -> bool {
        match self.allowed {
            Allowed::Nothing => false,
            Allowed::Units { sum: scale, .. }
            | Allowed::Undone { seen: scale, .. }
            | Allowed::HalfTheDigits(scale)
            | Allowed::Steep(scale)
            | Allowed::Parts(scale, _) => scale > 0.0,
        }
    }

    /// By how much a float may differ that must be of the magnitude `expected`, and is no
    /// larger than `own`.
    #[inline]
    fn amount(self, own: f64, expected: f64, epsilon: f64) -> f64 {
        let own = own.max(self.whole);
        match self.allowed {
            Allowed::Nothing => 0.0,
            Allowed::Units { sum, own: times } => {
                (UNITS * epsilon).min(epsilon.sqrt()) * (sum + times * own)
            }
            Allowed::HalfTheDigits(scale) => epsilon.sqrt() * scale.max(own),
            Allowed::Undone { began, seen, sum } => {
                let (half, expected) = (epsilon.sqrt(), expected.max(self.whole));
                if expected <= RESIDUE * epsilon * began {
                    (half * seen).max(UNITS * epsilon * sum)
                } else {
                    (half * expected).max((SHARED * epsilon).min(half) * began)
                }
            }
            // Some three digits more, in double precision.
            Allowed::Steep(scale) => epsilon.powf(0.375) * scale.max(own),
            Allowed::Parts(scale, parts) => parts * scale,
        }
    }

    /// By how much a float of this magnitude may be moved.
    #[inline]
    pub(crate) fn reach(self, own: f64, epsilon: f64) -> f64 {
        self.amount(own, own, epsilon)
    }

    /// Whether a float may differ from another by `difference`, which `epsilon` is the
    /// precision of.
    #[inline]
    pub fn allows(self, found: f64, expected: f64, difference: f64, epsilon: f64) -> bool {
        if found == expected && difference == 0.0 {
            return true;
        }
        let (found, expected) = (found.abs(), expected.abs());
        let allowed = self.amount(found.max(expected), expected, epsilon);
        difference <= allowed && allowed.is_finite() || found.is_nan() && expected.is_nan()
    }
}

/// Compares floats of the precision `epsilon`; two that are not a number agree.
#[inline]
pub fn floats_agree(found: f64, expected: f64, slack: Slack, epsilon: f64) -> bool {
    let difference = if found == expected { 0.0 } else { (found - expected).abs() };
    slack.allows(found, expected, difference, epsilon)
}

/// Implements [`Check`] by `==`, for types without round-off.
#[macro_export]
macro_rules! check_exactly {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::check::Check for $type {
            #[inline]
            fn magnitude(&self) -> f64 {
                0.0
            }
            #[inline]
            fn agrees(&self, expected: &Self, _slack: $crate::check::Slack) -> bool {
                self == expected
            }
            #[inline]
            fn nudge(&mut self, _slack: $crate::check::Slack, _toward: $crate::check::Toward) {}
        }
    )+};
}

check_exactly!((), char, str, String, std::ops::Range<usize>, std::ops::RangeInclusive<usize>);

/// Moves several values, one against the other.
pub(crate) fn nudge_all<'a, T: Check + 'a>(
    values: impl IntoIterator<Item = &'a mut T>,
    slack: Slack,
    toward: Toward,
) {
    for (number, value) in values.into_iter().enumerate() {
        value.nudge(slack, toward.part(number));
    }
}

impl<T: Check> Check for [T] {
    fn magnitude(&self) -> f64 {
        self.iter().map(T::magnitude).fold(0.0, f64::max)
    }
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        nudge_all(self, slack, toward);
    }
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        self.len() == expected.len() && self.iter().zip(expected).all(|(a, b)| a.agrees(b, slack))
    }
}

impl<T: Check> Check for Vec<T> {
    fn magnitude(&self) -> f64 {
        self.as_slice().magnitude()
    }
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        self.as_mut_slice().nudge(slack, toward);
    }
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        self.as_slice().agrees(expected, slack)
    }
}

impl<T: Check> Check for VecDeque<T> {
    fn magnitude(&self) -> f64 {
        self.iter().map(T::magnitude).fold(0.0, f64::max)
    }
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        self.len() == expected.len()
            && self.iter().zip(expected.iter()).all(|(a, b)| a.agrees(b, slack))
    }
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        nudge_all(self, slack, toward);
    }
}

impl<T: Check, const N: usize> Check for [T; N] {
    #[inline]
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        self.as_mut_slice().nudge(slack, toward);
    }
    #[inline]
    fn magnitude(&self) -> f64 {
        self.as_slice().magnitude()
    }
    #[inline]
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        self.as_slice().agrees(expected, slack)
    }
}

impl<T: Check> Check for Option<T> {
    fn magnitude(&self) -> f64 {
        self.as_ref().map_or(0.0, T::magnitude)
    }
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        match (self, expected) {
            (Some(a), Some(b)) => a.agrees(b, slack),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        nudge_all(self, slack, toward);
    }
}

impl<T: Check + ?Sized> Check for &T {
    fn magnitude(&self) -> f64 {
        (**self).magnitude()
    }
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        (**self).agrees(expected, slack)
    }
    /// What is lent stays where it is: who moves it has a copy of its own.
    fn nudge(&mut self, _slack: Slack, _toward: Toward) {}
}

impl<T: Check + ?Sized> Check for Box<T> {
    fn magnitude(&self) -> f64 {
        (**self).magnitude()
    }
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        (**self).agrees(expected, slack)
    }
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        (**self).nudge(slack, toward);
    }
}

macro_rules! check_tuples {
    ($(($($name:ident $index:tt),+))+) => {$(
        impl<$($name: Check),+> Check for ($($name,)+) {
            #[inline]
            fn magnitude(&self) -> f64 {
                0.0_f64$(.max(self.$index.magnitude()))+
            }
            #[inline]
            fn agrees(&self, expected: &Self, slack: Slack) -> bool {
                true $(&& self.$index.agrees(&expected.$index, slack))+
            }
            #[inline]
            fn nudge(&mut self, slack: Slack, toward: Toward) {
                $(self.$index.nudge(slack, toward.part($index));)+
            }
        }
    )+};
}

check_tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
}

/// The extents of those numbers of a value that are not what they were: before, and now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Changes {
    /// What they were.
    pub before: f64,
    /// What they are.
    pub now: f64,
}

impl Changes {
    /// Of a number.
    #[inline]
    pub fn of<T: Check>(now: &T, before: &T) -> Self {
        match now.agrees(before, Slack::EXACT) {
            true => Changes::default(),
            false => Changes { before: before.magnitude(), now: now.magnitude() },
        }
    }

    /// Of elements.
    #[inline]
    pub fn among<'a, T: Differentiable + 'a>(
        now: impl IntoIterator<Item = &'a T>,
        before: impl IntoIterator<Item = &'a T>,
    ) -> Self {
        let pairs = now.into_iter().zip(before);
        pairs.fold(Changes::default(), |all, (now, before)| all.and(now.changes(before)))
    }

    /// Of what has both.
    #[inline]
    #[must_use]
    pub fn and(self, other: Changes) -> Self {
        Changes { before: self.before.max(other.before), now: self.now.max(other.now) }
    }
}

/// The magnitudes that an ancilla was seen to hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scale {
    /// The largest that it began with, as far as it was changed since.
    began: f64,
    largest: f64,
    sum: f64,
    /// Whether it was exchanged with something else.
    moved: bool,
    /// Whether derivatives looked at what came back.
    looked_at: bool,
    /// Whether something was seen that is no whole number, whose sums are rounded.
    rounded: bool,
    /// Whether it sees nothing, since nobody asks.
    asleep: bool,
    /// How many numbers it may look at, of what is too large to be looked at every time.
    credit: u32,
}

/// Whether a magnitude is a whole number, and so small that sums of such are exact.
#[inline]
pub(crate) fn is_whole(magnitude: f64) -> bool {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    let whole = magnitude as i64 as f64 == magnitude;
    whole && magnitude < EXACT
}

/// How often what was done out of sight counts: by a function, or in a loop.
const UNSEEN: f64 = 1024.0;

/// So many numbers are looked at in any case.
const AT_ONCE: u32 = 64;

impl Scale {
    /// A scale that has seen a value of this extent, of which maybe nothing is changed: what began
    /// with zero is measured by it, and nothing else.
    #[inline]
    pub fn beside_extent(extent: f64) -> Self {
        Scale { largest: extent, rounded: true, ..Scale::NOTHING }
    }

    /// A scale that has seen nothing.
    pub(crate) const NOTHING: Scale = Scale {
        began: 0.0,
        largest: 0.0,
        sum: 0.0,
        moved: false,
        looked_at: false,
        rounded: false,
        asleep: false,
        credit: 0,
    };

    /// One that never sees anything.
    pub(crate) const ASLEEP: Scale = Scale { asleep: true, ..Scale::NOTHING };

    /// One that sees something if somebody is going to ask.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub fn if_asked(asks: bool) -> Self {
        Scale { asleep: !asks, ..Scale::NOTHING }
    }

    /// Whether it has seen something other than zero.
    #[inline]
    pub(crate) fn has_seen(&self) -> bool {
        self.largest > 0.0
    }

    /// A scale that is going to follow a value. What it begins with is known when it is released,
    /// or seen before it is changed.
    #[inline]
    pub fn of<T: Check + ?Sized>(_value: &T) -> Self {
        Scale::NOTHING
    }

    /// The same, where derivatives have looked at what came back: it must have its digits, too.
    #[inline]
    #[must_use]
    pub fn looked_at(self) -> Self {
        Scale { looked_at: true, ..self }
    }

    /// What such a value may have lost, if it began with so much.
    #[inline]
    fn digits<T: Check + ?Sized>(self, began: &T) -> Slack {
        let began = self.began.max(began.magnitude());
        Slack::of(Allowed::Undone { began, seen: self.largest, sum: self.sum })
    }

    /// What both have seen.
    #[inline]
    pub(crate) fn joined(self, other: Scale) -> Scale {
        let Scale { began, largest, sum, moved, rounded, asleep, .. } = other;
        Scale {
            began: self.began.max(began),
            moved: self.moved | moved,
            looked_at: false,
            asleep: self.asleep & asleep,
            largest: self.largest.max(largest),
            sum: self.sum + sum,
            rounded: self.rounded | rounded,
            credit: 0,
        }
    }

    /// Takes note of a value on its way.
    #[inline]
    pub fn see<T: Check + ?Sized>(&mut self, value: &T) {
        self.note(value.magnitude(), 1.0);
    }

    /// Takes note of a value to which something happened out of sight.
    #[inline]
    pub fn see_after<T: Check + ?Sized>(&mut self, value: &T) {
        self.note(value.magnitude(), UNSEEN);
    }

    /// Takes note that it was exchanged with something else. That rounds nothing, but what is
    /// taken away from it then may be as steep a function as one that is out of sight.
    #[inline]
    pub fn see_move(&mut self) {
        self.moved = true;
    }

    /// Takes note of a value that is going to be changed, if it came from elsewhere.
    #[inline]
    pub fn see_before<T: Check + ?Sized>(&mut self, value: &T) {
        if self.moved {
            self.see_after(value);
        }
    }

    /// Takes note of what has changed on its way.
    #[inline]
    pub fn see_changes(&mut self, changes: Changes) {
        self.began = self.began.max(changes.before);
        self.largest = self.largest.max(changes.before).max(changes.now);
    }

    /// Takes note of what is not as it was, when it should be.
    #[inline]
    pub fn see_return(&mut self, changes: Changes) {
        self.began = self.began.max(changes.before);
    }

    /// What only a check knows to be undone may be so far from what it must be: of each
    /// number, some units in its own last place, and in those of what was added.
    #[inline]
    fn units(self) -> Slack {
        let own = if self.moved { UNSEEN } else { 1.0 };
        Slack::of(Allowed::Units { sum: self.sum, own })
    }

    #[inline]
    fn note(&mut self, magnitude: f64, times: f64) {
        if self.asleep {
            return;
        }
        // Not `f64::max`: this is one comparison, and a NaN must not win.
        if magnitude > self.largest {
            self.largest = magnitude;
        }
        self.sum += times * magnitude;
    }

    /// An ancilla must hold its known value when it is released.
    #[inline]
    #[track_caller]
    pub fn released<T: Check + ?Sized>(self, found: &T, expected: &T, source: &'static str) {
        if !found.agrees(expected, self.units()) {
            found.refuse(expected, Broken::Ancilla, source);
        }
        if self.looked_at && !found.agrees(expected, self.digits(expected)) {
            found.refuse(expected, Broken::Digits, source);
        }
    }

    /// An ancilla made by `vec![value; length]` must hold just that when it is
    /// released; unlike [`Scale::released`], needs no second vector.
    #[inline]
    #[track_caller]
    pub fn released_filled<T: Check>(
        self,
        found: &[T],
        value: &T,
        length: usize,
        source: &'static str,
    ) {
        let slack = self.units();
        let differs = found.iter().position(|element| !T::agrees(element, value, slack));
        if found.len() != length || differs.is_some() {
            refuse_filled(found, value, length, differs, source);
        }
        if self.looked_at {
            let slack = self.digits(value);
            if let Some(lost) = found.iter().find(|element| !T::agrees(element, value, slack)) {
                lost.refuse(value, Broken::Digits, source);
            }
        }
    }

    /// A scale that has seen a value of this extent, see [`Differentiable::extent`].
    ///
    /// [`Differentiable::extent`]: crate::derivative::Differentiable::extent
    #[inline]
    pub fn of_extent(extent: f64) -> Self {
        Scale { began: extent, largest: extent, rounded: true, ..Scale::NOTHING }
    }

    /// Takes note of the extent of a value on its way.
    #[inline]
    pub fn see_extent(&mut self, extent: f64) {
        self.note(extent, 1.0);
    }

    /// As [`Scale::see_extent`], of a number: sums of whole numbers are not rounded.
    #[inline]
    pub fn watch(&mut self, extent: f64) {
        self.note(extent, 1.0);
        self.rounded |= !is_whole(extent);
    }

    /// As [`Scale::see_extent`], where something happened out of sight.
    #[inline]
    pub fn see_extent_after(&mut self, extent: f64) {
        self.note(extent, UNSEEN);
        self.rounded = true;
    }

    /// As [`Scale::see_extent_after`], of a value of so many numbers. If they are many, and the
    /// value is seen again and again, it is not looked at each time: for each element that a
    /// call changes, nobody can look at all of them. That is enough to know its magnitude.
    #[inline]
    pub(crate) fn see_broad(&mut self, breadth: usize, extent: impl FnOnce() -> f64) {
        if self.asleep {
            return;
        }
        self.rounded = true;
        self.credit = self.credit.saturating_add(AT_ONCE);
        if breadth <= self.credit as usize || !self.has_seen() {
            self.credit = 0;
            self.note(extent(), UNSEEN);
        }
    }

    /// How close to each other the two sides of a decision are too close, of what was undone
    /// and seen so: in another call than the one that computed it, rounding has come
    /// together since nobody knows when.
    #[inline]
    pub fn margin(scales: &[Scale]) -> Slack {
        Slack::half_the_digits(Scale::largest_of(scales))
    }

    /// Whether two sides are closer than what rounding may have done to them.
    #[inline]
    pub(crate) fn are_too_close<T: Check>(a: &T, b: &T, scales: &[Scale]) -> bool {
        let margin = Scale::margin(scales);
        // What is not a number may have been one.
        let lost = [a, b].iter().any(|side| side.magnitude().is_nan());
        let close = margin.is_some() && (lost || a.agrees(b, margin));
        let exact = || [a, b].iter().all(|side| is_whole(side.magnitude()));
        close && !(exact() && Scale::are_whole(scales))
    }

    /// How far apart what is computed of values within that margin may be, if nothing jumps.
    #[inline]
    pub fn steep_margin(scales: &[Scale]) -> Slack {
        Slack::of(Allowed::Steep(Scale::largest_of(scales)))
    }

    fn largest_of(scales: &[Scale]) -> f64 {
        scales.iter().map(|scale| scale.largest).fold(0.0, f64::max)
    }

    /// Whether all of them have seen whole numbers alone.
    #[inline]
    pub fn are_whole(scales: &[Scale]) -> bool {
        scales.iter().all(|scale| !scale.rounded)
    }

    /// The largest that it has seen.
    #[inline]
    #[doc(hidden)]
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// What may be lost of a value that every statement is known to be undone for: what is
    /// left is rounding, which must not have grown to where derivatives are wrong. The numbers
    /// that are undone beside it may have left their rounding in it.
    #[inline]
    pub fn half_the_digits(self, beside: &[Scale]) -> Slack {
        let began = beside.iter().map(|scale| scale.began).fold(self.began, f64::max);
        Slack::of(Allowed::Undone { began, seen: self.largest, sum: 0.0 })
    }
}

/// How far an argument of an instruction that is written by hand may be rounded: nothing, unless
/// the caller is going back and has undone it.
///
/// An instruction whose results jump, as an order of floats does, must stop where the rounding may
/// have changed them. It says `decides`, and so is told; a method is told in any case.
///
/// ```
/// use retrograde::check::Rounding;
/// use retrograde::prelude::*;
///
/// /// Which of two numbers is the larger.
/// #[instruction(self_inverse, decides)]
/// #[track_caller]
/// fn compare(larger: &mut bool, a: &f64, b: f64) {
///     let [_, of_a, of_b] = Rounding::of_arguments();
///     of_a.and(of_b).settle(a, &b, "compare(larger, a, b)");
///     *larger ^= *a > b;
/// }
///
/// #[reversible(inverse_only)]
/// fn count(sum: &mut f64, above: &mut [bool; 3], by: f64) {
///     for k in 0..3 {
///         compare(&mut above[k], sum, 0.5);
///         *sum += by;
///     }
/// }
///
/// let (mut sum, mut above) = (0.0, [false; 3]);
/// count(&mut sum, &mut above, 0.4);
/// count::inverse(&mut sum, &mut above, 0.4);
/// assert_eq!(above, [false; 3]);
///
/// // 0.2 + 0.3 is 0.5, up to rounding.
/// let (mut sum, mut above) = (0.2, [false; 3]);
/// count(&mut sum, &mut above, 0.3);
/// assert!(std::panic::catch_unwind(move || count::inverse(&mut sum, &mut above, 0.3)).is_err());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rounding(Scale);

impl Rounding {
    /// Of the arguments, from the first. Call it once, and first of all: what is called afterwards
    /// is not told.
    #[inline]
    #[must_use]
    pub fn of_arguments<const N: usize>() -> [Self; N] {
        let told = std::array::from_fn(|place| Rounding(crate::__private::carried(place)));
        crate::__private::carry_nothing(true);
        told
    }

    /// That of both.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Rounding(self.0.joined(other.0))
    }

    /// Whether there is any. If not, there is nothing to settle.
    #[inline]
    pub fn is_some(&self) -> bool {
        crate::__private::are_rounded(&[self.0])
    }

    /// Stops with [`Broken::Decision`] where two numbers are so close to each other that one may
    /// have been on the other side. `source`: what is decided.
    #[inline]
    #[track_caller]
    pub fn settle<T: Check>(&self, a: &T, b: &T, source: &'static str) {
        if Scale::are_too_close(a, b, &[self.0]) {
            crate::__private::unsettled(source);
        }
    }
}

/// A part of a value that was undone, but did not come back.
#[derive(Clone, Debug, PartialEq)]
pub struct Astray {
    /// Which part: `[3].x`; empty for all of it.
    pub place: String,
    /// What it must be.
    pub expected: String,
    /// What it is.
    pub found: String,
    /// About how many digits of it are left; `None` of what is no number.
    pub digits: Option<u32>,
    /// The largest that it held, if what it must be is much less: the digits are of that.
    pub largest: Option<f64>,
}

impl Astray {
    /// Of a number; `None` if it is as expected, up to what is allowed.
    #[inline]
    pub fn of<T: Check>(found: &T, expected: &T, slack: Slack) -> Option<Self> {
        if found.agrees(expected, slack) {
            None
        } else {
            Some(Astray::number(found, expected, slack))
        }
    }

    #[cold]
    #[inline(never)]
    fn number<T: Check>(found: &T, expected: &T, slack: Slack) -> Self {
        let own = expected.magnitude();
        let scale = match slack.allowed {
            Allowed::Undone { began, .. } if own > RESIDUE * f64::EPSILON * began => own,
            Allowed::Nothing => 0.0,
            Allowed::Units { sum: scale, .. }
            | Allowed::HalfTheDigits(scale)
            | Allowed::Undone { seen: scale, .. }
            | Allowed::Steep(scale)
            | Allowed::Parts(scale, _) => scale,
        };
        let scale = scale.max(own);
        let holds = |digits: &u32| {
            let parts = 10_f64.powi(-i32::try_from(*digits).unwrap_or(0));
            found.agrees(expected, Slack::of(Allowed::Parts(scale, parts)))
        };
        let digits = (0..17).take_while(holds).last().unwrap_or(0);
        Astray {
            place: String::new(),
            expected: format!("{expected:?}"),
            found: format!("{found:?}"),
            digits: Some(digits),
            largest: (own < 0.1 * scale).then_some(scale),
        }
    }

    /// The same, as a part of something larger.
    #[must_use]
    pub fn inside(mut self, place: &str) -> Self {
        self.place.insert_str(0, place);
        self
    }

    /// The first of the elements that did not come back.
    #[inline]
    pub fn among<'a, T: 'a>(
        pairs: impl Iterator<Item = (&'a T, &'a T)>,
        of: impl Fn(&T, &T) -> Option<Astray>,
    ) -> Option<Self> {
        let mut pairs = pairs.enumerate();
        pairs.find_map(|(i, (a, b))| of(a, b).map(|astray| astray.inside(&format!("[{i}]"))))
    }

    /// Of lengths, which must be equal.
    #[inline]
    pub fn of_lengths(found: usize, expected: usize) -> Option<Self> {
        let astray = || {
            let elements = |count| format!("{count} elements");
            let (expected, found) = (elements(expected), elements(found));
            Astray { place: String::new(), expected, found, digits: None, largest: None }
        };
        (found != expected).then(astray)
    }
}

/// What was undone must be where it began.
#[inline]
#[track_caller]
pub fn undone(astray: Option<Astray>, source: &'static str) {
    if let Some(astray) = astray {
        lost(&astray, source);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn lost(astray: &Astray, source: &'static str) -> ! {
    let Astray { place, expected, found, largest, digits } = astray;
    let place = if place.is_empty() { String::new() } else { format!(" at {place}") };
    let left = digits.filter(|_| !found.contains("NaN")).map(|digits| match digits {
        0 => "no digit is left".to_string(),
        1 => "one digit is left".to_string(),
        many => format!("{many} digits are left"),
    });
    let left = match (left, largest) {
        (None, _) => String::new(),
        (Some(left), None) => format!(", of which {left}"),
        (Some(left), Some(largest)) => {
            // Two digits of it say enough.
            let largest: f64 = format!("{largest:.1e}").parse().unwrap_or(*largest);
            format!(", where it held up to {largest:?}: {left}")
        }
    };
    fail(Broken::Digits, source, format!("{expected}{place}"), format!("{found}{left}"))
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse_filled<T: Debug>(
    found: &[T],
    value: &T,
    length: usize,
    differs: Option<usize>,
    source: &'static str,
) -> ! {
    let (expected, found) = match differs {
        Some(i) => (format!("{value:?} at index {i}"), format!("{:?}", found[i])),
        None => (format!("{length} elements"), format!("{} elements", found.len())),
    };
    fail(Broken::Ancilla, source, expected, found)
}

/// The operands of a `let` must give its value again at the end of its scope.
#[inline]
#[track_caller]
pub fn still_bound<T: Check + ?Sized>(bound: &T, now: &T, source: &'static str) {
    if !now.agrees(bound, Slack::EXACT) {
        now.refuse(bound, Broken::Binding, source);
    }
}

/// What a `match` looks at must lead to the same arm at its end.
#[inline]
#[track_caller]
pub fn same_arm(taken: usize, now: usize, arms: &[&str], source: &'static str) {
    if taken != now {
        refuse_arm(arms[taken], arms[now], source);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse_arm(taken: &str, now: &str, source: &'static str) -> ! {
    fail(Broken::Arm, source, format!("the arm `{taken}`"), format!("the arm `{now}`"))
}

/// The condition that holds after a branch must say which branch was taken.
#[inline]
#[track_caller]
pub fn branch(expected: bool, found: bool, source: &'static str) {
    if expected != found {
        refuse_bool(expected, Broken::Branch, source);
    }
}

/// The postcondition of a `while`: false on entry, true after every pass.
#[inline]
#[track_caller]
pub fn pass(expected: bool, found: bool, source: &'static str) {
    if expected != found {
        refuse_bool(expected, Broken::Loop, source);
    }
}

/// The bounds of a loop must be the same after it.
#[inline]
#[track_caller]
pub fn bounds<T: PartialEq + Debug>(before: &T, after: &T, source: &'static str) {
    if before != after {
        refuse(after, before, Broken::Bounds, source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_compared_at_the_scale_that_was_seen() {
        let agree = |found, expected, slack| floats_agree(found, expected, slack, f64::EPSILON);
        let half = Slack::half_the_digits;
        assert!(agree(1e-7, 0.0, half(1e10)));
        assert!(!agree(1e-7, 0.0, half(1.0)));
        assert!(!agree(1e-20, 0.0, half(1e-15)));
        assert!(agree(f64::NAN, f64::NAN, half(1.0)));
        assert!(!agree(f64::NAN, 0.0, half(1.0)));
        assert!(agree(f64::INFINITY, f64::INFINITY, half(1.0)));
        assert!(!agree(1.0, 0.0, half(f64::INFINITY)));
    }

    #[test]
    fn what_nobody_proved_is_compared_to_a_few_units() {
        let agree = |found, expected, slack| floats_agree(found, expected, slack, f64::EPSILON);
        assert!(agree(1e-15, 0.0, Slack::units(1.0)));
        assert!(!agree(1e-14, 0.0, Slack::units(1.0)));
        assert!(
            agree(1e9 + 1e-6, 1e9, Slack::units(1e9)) && !agree(1e9 + 1e-5, 1e9, Slack::units(1e9))
        );
        // Not more than what is proved may.
        assert!(!floats_agree(1e-3, 0.0, Slack::units(1.0), f64::from(f32::EPSILON)));
    }

    #[test]
    fn what_is_evaluated_again_is_compared_to_the_last_bit() {
        let agree = |found, expected| floats_agree(found, expected, Slack::EXACT, f64::EPSILON);
        assert!(agree(0.1, 0.1) && agree(f64::NAN, f64::NAN) && agree(0.0, -0.0));
        assert!(!agree(0.1 + 0.2, 0.3) && !agree(1e-300, 0.0));
        assert!(agree(f64::INFINITY, f64::INFINITY) && !agree(f64::INFINITY, 1.0));
    }
}
