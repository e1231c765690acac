//! How far what was undone is from where it began, of whatever type it is.
//!
//! What can have a shadow says so itself; of other types, those that checks can compare.
//! The compiler's search for a method finds the first that applies: for `&&Probe`, that of
//! `&Probe`, then that of `&&Probe`, and last that of `Probe`.

use super::{Probe, are_rounded};
use crate::check::{Astray, Changes, Check, Scale, Slack, Toward, undone};
use crate::derivative::{Differentiable, breadth};
use crate::error::{Broken, fail};
use crate::num::{Elementary, Real};

/// A slice that was undone.
pub struct Elements<'a, T>(pub &'a [T]);

pub trait OfShadowed {
    type Value;
    type Parts;
    fn __parts(&self) -> Self::Parts;
    fn __extent(&self) -> f64;
    /// The extent of a few parts of it.
    fn __glance(&self) -> f64;
    fn __changes(&self, before: &Self::Value) -> Changes;
    fn __astray(&self, expected: &Self::Value, slack: Slack) -> Option<Astray>;
}

impl<'a, T: Differentiable> OfShadowed for &Probe<'a, T> {
    type Value = T;
    type Parts = Shadowed<'a, T>;
    #[inline]
    fn __parts(&self) -> Shadowed<'a, T> {
        Shadowed(self.0)
    }
    #[inline]
    fn __extent(&self) -> f64 {
        self.0.extent()
    }
    #[inline]
    fn __glance(&self) -> f64 {
        self.0.glance()
    }
    #[inline]
    fn __changes(&self, before: &T) -> Changes {
        self.0.changes(before)
    }
    #[inline]
    fn __astray(&self, expected: &T, slack: Slack) -> Option<Astray> {
        self.0.astray(expected, slack)
    }
}

pub trait OfChecked {
    type Value;
    type Parts;
    fn __parts(&self) -> Self::Parts;
    fn __extent(&self) -> f64;
    /// The extent of a few parts of it.
    fn __glance(&self) -> f64;
    fn __changes(&self, before: &Self::Value) -> Changes;
    fn __astray(&self, expected: &Self::Value, slack: Slack) -> Option<Astray>;
}

impl<'a, T: Check> OfChecked for &&Probe<'a, T> {
    type Value = T;
    type Parts = Checked<'a, T>;
    #[inline]
    fn __parts(&self) -> Checked<'a, T> {
        Checked(self.0)
    }
    #[inline]
    fn __extent(&self) -> f64 {
        self.0.magnitude()
    }
    #[inline]
    fn __glance(&self) -> f64 {
        self.0.magnitude()
    }
    #[inline]
    fn __changes(&self, before: &T) -> Changes {
        Changes::of(self.0, before)
    }
    #[inline]
    fn __astray(&self, expected: &T, slack: Slack) -> Option<Astray> {
        Astray::of(self.0, expected, slack)
    }
}

pub trait NoDrift<T: ?Sized> {
    fn __parts(&self) {}
    fn __extent(&self) -> f64;
    /// The extent of a few parts of it.
    fn __glance(&self) -> f64;
    fn __changes(&self, before: &T) -> Changes;
    fn __astray(&self, expected: &T, slack: Slack) -> Option<Astray>
    where
        T: Check;
}

impl<T: ?Sized> NoDrift<T> for Probe<'_, T> {
    #[inline]
    fn __extent(&self) -> f64 {
        0.0
    }
    #[inline]
    fn __glance(&self) -> f64 {
        0.0
    }
    #[inline]
    fn __changes(&self, _before: &T) -> Changes {
        Changes::default()
    }
    #[inline]
    fn __astray(&self, _expected: &T, _slack: Slack) -> Option<Astray>
    where
        T: Check,
    {
        None
    }
}

/// So many roundings of what stands beside it in a call are excused in what was lent.
const ROUNDINGS: f64 = 256.0;

/// What was lent to a function whose derivatives look at it while it is undone: compared, when
/// it comes back, with what it was.
pub struct Loan<T> {
    before: Option<T>,
    scale: Scale,
}

/// The same, of what nobody can compare.
pub struct NoLoan;

pub trait LoanShadowed {
    type Value;
    fn __on_loan(&self, looks: bool) -> Loan<Self::Value>;
}

impl<T: Differentiable> LoanShadowed for &Probe<'_, T> {
    type Value = T;
    #[inline]
    fn __on_loan(&self, looks: bool) -> Loan<T> {
        match looks {
            true => {
                let scale = Scale::beside_extent(self.0.extent());
                Loan { before: Some(self.0.clone()), scale }
            }
            false => Loan { before: None, scale: Scale::NOTHING },
        }
    }
}

pub trait LoanUnknown {
    fn __on_loan(&self, looks: bool) -> NoLoan;
}

impl<T> LoanUnknown for Probe<'_, T> {
    #[inline]
    fn __on_loan(&self, _looks: bool) -> NoLoan {
        NoLoan
    }
}

impl<T: Differentiable> Loan<T> {
    /// Takes note of what it is in between.
    #[inline]
    pub fn turn(&mut self, value: &T) {
        if let Some(before) = &self.before {
            self.scale.see_changes(value.changes(before));
        }
    }

    /// It must be what it was. Of what was nothing, a few roundings of `others` may be left: what
    /// it was a sum of in between may have been as large, and nobody sees that here.
    #[inline]
    #[track_caller]
    pub fn compare(mut self, value: &T, others: impl FnOnce() -> f64, source: &'static str) {
        let Some(before) = &self.before else { return };
        self.scale.see_return(value.changes(before));
        let slack = self.scale.half_the_digits(&[]);
        if let Some(astray) = value.astray(before, slack)
            && value.astray(before, slack.or_units(ROUNDINGS * others())).is_some()
        {
            undone(Some(astray), source);
        }
    }
}

impl NoLoan {
    #[inline]
    pub fn turn<T>(&mut self, _value: &T) {}
    #[inline]
    pub fn compare<T>(self, _value: &T, _others: impl FnOnce() -> f64, _source: &'static str) {}
}

pub trait OfElements {
    type Value;
    type Parts;
    fn __parts(&self) -> Self::Parts;
    fn __extent(&self) -> f64;
    fn __changes(&self, before: &[Self::Value]) -> Changes;
    fn __astray_from(&self, expected: &[Self::Value], slack: Slack) -> Option<Astray>;
    fn __astray_of(&self, value: &Self::Value, length: usize, slack: Slack) -> Option<Astray>;
}

impl<'a, T: Differentiable> OfElements for &Elements<'a, T> {
    type Value = T;
    type Parts = ShadowedElements<'a, T>;
    #[inline]
    fn __parts(&self) -> ShadowedElements<'a, T> {
        ShadowedElements(self.0)
    }
    #[inline]
    fn __extent(&self) -> f64 {
        self.0.iter().map(T::extent).fold(0.0, f64::max)
    }
    #[inline]
    fn __changes(&self, before: &[T]) -> Changes {
        Changes::among(self.0, before)
    }
    #[inline]
    fn __astray_from(&self, expected: &[T], slack: Slack) -> Option<Astray> {
        Astray::of_lengths(self.0.len(), expected.len())
            .or_else(|| Astray::among(self.0.iter().zip(expected), |a, b| a.astray(b, slack)))
    }
    #[inline]
    fn __astray_of(&self, value: &T, length: usize, slack: Slack) -> Option<Astray> {
        Astray::of_lengths(self.0.len(), length)
            .or_else(|| Astray::among(self.0.iter().map(|a| (a, value)), |a, b| a.astray(b, slack)))
    }
}

pub trait OfCheckedElements {
    type Value;
    type Parts;
    fn __parts(&self) -> Self::Parts;
    fn __extent(&self) -> f64;
    fn __changes(&self, before: &[Self::Value]) -> Changes;
    fn __astray_from(&self, expected: &[Self::Value], slack: Slack) -> Option<Astray>;
    fn __astray_of(&self, value: &Self::Value, length: usize, slack: Slack) -> Option<Astray>;
}

impl<'a, T: Check> OfCheckedElements for &&Elements<'a, T> {
    type Value = T;
    type Parts = Checked<'a, [T]>;
    #[inline]
    fn __parts(&self) -> Checked<'a, [T]> {
        Checked(self.0)
    }
    #[inline]
    fn __extent(&self) -> f64 {
        self.0.magnitude()
    }
    #[inline]
    fn __changes(&self, before: &[T]) -> Changes {
        let changes = self.0.iter().zip(before).map(|(now, before)| Changes::of(now, before));
        changes.fold(Changes::default(), Changes::and)
    }
    #[inline]
    fn __astray_from(&self, expected: &[T], slack: Slack) -> Option<Astray> {
        Astray::of_lengths(self.0.len(), expected.len())
            .or_else(|| Astray::among(self.0.iter().zip(expected), |a, b| Astray::of(a, b, slack)))
    }
    #[inline]
    fn __astray_of(&self, value: &T, length: usize, slack: Slack) -> Option<Astray> {
        Astray::of_lengths(self.0.len(), length).or_else(|| {
            Astray::among(self.0.iter().map(|a| (a, value)), |a, b| Astray::of(a, b, slack))
        })
    }
}

pub trait NoDriftOfElements<T> {
    fn __parts(&self) {}
    fn __extent(&self) -> f64;
    fn __changes(&self, before: &[T]) -> Changes;
    fn __astray_from(&self, expected: &[T], slack: Slack) -> Option<Astray>
    where
        T: Check;
    fn __astray_of(&self, value: &T, length: usize, slack: Slack) -> Option<Astray>
    where
        T: Check;
}

impl<T> NoDriftOfElements<T> for Elements<'_, T> {
    #[inline]
    fn __extent(&self) -> f64 {
        0.0
    }
    #[inline]
    fn __changes(&self, _before: &[T]) -> Changes {
        Changes::default()
    }
    #[inline]
    fn __astray_from(&self, _expected: &[T], _slack: Slack) -> Option<Astray>
    where
        T: Check,
    {
        None
    }
    #[inline]
    fn __astray_of(&self, _value: &T, _length: usize, _slack: Slack) -> Option<Astray>
    where
        T: Check,
    {
        None
    }
}

/// Follows the rounding of a value.
#[inline]
pub fn see_extent(scale: &mut Scale, extent: f64) {
    scale.see_extent(extent);
}

/// As [`see_extent`], where something happened out of sight.
#[inline]
pub fn see_extent_after(scale: &mut Scale, extent: f64) {
    scale.see_extent_after(extent);
}

/// As [`see_extent_after`], of what may be large.
#[inline]
pub fn see_parts(scale: &mut Scale, value: impl Parts) {
    value.see(scale);
}

/// What a scale looks at if it is awake, and not each time if it is large.
pub trait Parts {
    fn see(self, scale: &mut Scale);
}

/// What can have a shadow.
pub struct Shadowed<'a, T>(&'a T);

impl<T: Differentiable> Parts for Shadowed<'_, T> {
    #[inline]
    fn see(self, scale: &mut Scale) {
        scale.see_broad(self.0.breadth(), || self.0.extent());
    }
}

/// Several of these.
pub struct ShadowedElements<'a, T>(&'a [T]);

impl<T: Differentiable> Parts for ShadowedElements<'_, T> {
    #[inline]
    fn see(self, scale: &mut Scale) {
        scale.see_broad(breadth(self.0), || self.0.iter().map(T::extent).fold(0.0, f64::max));
    }
}

/// What can only be compared.
pub struct Checked<'a, T: ?Sized>(&'a T);

impl<T: Check + ?Sized> Parts for Checked<'_, T> {
    #[inline]
    fn see(self, scale: &mut Scale) {
        scale.see_broad(1, || self.0.magnitude());
    }
}

/// What nobody can look at.
impl Parts for () {
    #[inline]
    fn see(self, _scale: &mut Scale) {}
}

/// As [`see_extent`], of a number that decisions look at.
#[inline]
pub fn watch_extent(scale: &mut Scale, extent: f64) {
    scale.watch(extent);
}

/// Stops at a decision on what was undone, unless its two sides are further apart than what
/// rounding may have done.
pub trait Settled {
    fn __settled(&self, scales: &[Scale], source: &'static str);
}

/// The two sides of a comparison.
pub struct Sides<'a, T: ?Sized, U: ?Sized>(pub &'a T, pub &'a U);

impl<T: ?Sized, U: ?Sized> Copy for Sides<'_, T, U> {}

impl<T: ?Sized, U: ?Sized> Clone for Sides<'_, T, U> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Check> Settled for Sides<'_, T, T> {
    #[inline]
    #[track_caller]
    fn __settled(&self, scales: &[Scale], source: &'static str) {
        if Scale::are_too_close(self.0, self.1, scales) {
            unsettled(source);
        }
    }
}

/// A value that is lent where the one that it stands for was.
pub struct Lent<T>(T);

impl<T> std::ops::Deref for Lent<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// A value beside it that rounding may have made of it.
pub trait Nudged {
    type Value;
    fn __nudged(&self, scales: &[Scale], toward: Toward) -> Self::Value {
        self.__nudged_value(scales, toward)
    }
    /// To be lent to a function: of what this gives, the target is.
    fn __nudged_lent(&self, scales: &[Scale], toward: Toward) -> Lent<Self::Value> {
        Lent(self.__nudged_value(scales, toward))
    }
    fn __nudged_value(&self, scales: &[Scale], toward: Toward) -> Self::Value;
}

impl<T: Check + Clone> Nudged for &Probe<'_, T> {
    type Value = T;
    #[inline]
    fn __nudged_value(&self, scales: &[Scale], toward: Toward) -> T {
        let mut beside = self.0.clone();
        if !Scale::are_whole(scales) {
            beside.nudge(Scale::margin(scales), toward);
        }
        beside
    }
}

/// The same, of what can have a shadow.
pub trait NudgedShadowed {
    type Value;
    fn __nudged(&self, scales: &[Scale], toward: Toward) -> Self::Value {
        self.__nudged_value(scales, toward)
    }
    fn __nudged_lent(&self, scales: &[Scale], toward: Toward) -> Lent<Self::Value> {
        Lent(self.__nudged_value(scales, toward))
    }
    fn __nudged_value(&self, scales: &[Scale], toward: Toward) -> Self::Value;
}

impl<T: Differentiable + Clone> NudgedShadowed for &&Probe<'_, T> {
    type Value = T;
    #[inline]
    fn __nudged_value(&self, scales: &[Scale], toward: Toward) -> T {
        let mut beside = self.0.clone();
        if !Scale::are_whole(scales) {
            beside.nudge_value(Scale::margin(scales), toward);
        }
        beside
    }
}

/// The same, of each of several values.
pub trait NudgedElements {
    fn nudged(&self, scales: &[Scale], toward: Toward) -> Box<Self>;
}

impl<T: Check + Clone> NudgedElements for [T] {
    fn nudged(&self, scales: &[Scale], toward: Toward) -> Box<Self> {
        moved(self.into(), |beside| beside.nudge(Scale::margin(scales), toward), scales)
    }
}

impl<T: Check + Clone> NudgedElements for Vec<T> {
    fn nudged(&self, scales: &[Scale], toward: Toward) -> Box<Self> {
        moved(Box::new(self.clone()), |beside| beside.nudge(Scale::margin(scales), toward), scales)
    }
}

impl<T: Check + Clone, const N: usize> NudgedElements for [T; N] {
    fn nudged(&self, scales: &[Scale], toward: Toward) -> Box<Self> {
        moved(Box::new(self.clone()), |beside| beside.nudge(Scale::margin(scales), toward), scales)
    }
}

/// Moves a copy, if it can be rounded.
fn moved<T: ?Sized>(mut copy: Box<T>, by: impl Fn(&mut T), scales: &[Scale]) -> Box<T> {
    if !Scale::are_whole(scales) {
        by(&mut copy);
    }
    copy
}

/// The same, of elements that can have a shadow.
pub trait NudgedShadowedElements {
    fn nudged(&self, scales: &[Scale], toward: Toward) -> Box<Self>;
}

fn move_elements<T: Differentiable>(elements: &mut [T], scales: &[Scale], toward: Toward) {
    let slack = Scale::margin(scales);
    for (number, element) in elements.iter_mut().enumerate() {
        element.nudge_value(slack, toward.part(number));
    }
}

impl<T: Differentiable + Clone> NudgedShadowedElements for [T] {
    fn nudged(&self, scales: &[Scale], toward: Toward) -> Box<Self> {
        moved(self.into(), |beside| move_elements(beside, scales, toward), scales)
    }
}

impl<T: Differentiable + Clone> NudgedShadowedElements for Vec<T> {
    fn nudged(&self, scales: &[Scale], toward: Toward) -> Box<Self> {
        moved(Box::new(self.clone()), |beside| move_elements(beside, scales, toward), scales)
    }
}

impl<T: Differentiable + Clone, const N: usize> NudgedShadowedElements for [T; N] {
    fn nudged(&self, scales: &[Scale], toward: Toward) -> Box<Self> {
        moved(Box::new(self.clone()), |beside| move_elements(beside, scales, toward), scales)
    }
}

/// Which of these a sequence has.
pub trait OfNudgedElements {
    type Value: ?Sized;
    fn __nudged_elements(&self, scales: &[Scale], toward: Toward) -> Box<Self::Value>;
}

impl<T: NudgedElements + ?Sized> OfNudgedElements for &Probe<'_, T> {
    type Value = T;
    fn __nudged_elements(&self, scales: &[Scale], toward: Toward) -> Box<T> {
        self.0.nudged(scales, toward)
    }
}

pub trait OfNudgedShadows {
    type Value: ?Sized;
    fn __nudged_elements(&self, scales: &[Scale], toward: Toward) -> Box<Self::Value>;
}

impl<T: NudgedShadowedElements + ?Sized> OfNudgedShadows for &&Probe<'_, T> {
    type Value = T;
    fn __nudged_elements(&self, scales: &[Scale], toward: Toward) -> Box<T> {
        self.0.nudged(scales, toward)
    }
}

pub trait NoNudgedElements<'a> {
    type Value: ?Sized;
    fn __nudged_elements(&self, scales: &[Scale], toward: Toward) -> &'a Self::Value;
}

impl<'a, T: ?Sized> NoNudgedElements<'a> for Probe<'a, T> {
    type Value = T;
    fn __nudged_elements(&self, _scales: &[Scale], _toward: Toward) -> &'a T {
        self.0
    }
}

/// What has no round-off that we know of, as it is.
pub trait NotNudged<'a> {
    type Value: ?Sized;
    fn __nudged(&self, scales: &[Scale], toward: Toward) -> &'a Self::Value;
    fn __nudged_lent(&self, scales: &[Scale], toward: Toward) -> &'a Self::Value {
        self.__nudged(scales, toward)
    }
    fn __nudged_value(&self, scales: &[Scale], toward: Toward) -> Self::Value
    where
        Self::Value: Clone;
}

impl<'a, T: ?Sized> NotNudged<'a> for Probe<'a, T> {
    type Value = T;
    #[inline]
    fn __nudged(&self, _scales: &[Scale], _toward: Toward) -> &'a T {
        self.0
    }
    #[inline]
    fn __nudged_value(&self, _scales: &[Scale], _toward: Toward) -> T
    where
        T: Clone,
    {
        self.0.clone()
    }
}

/// As [`Settled`], for what is going to be rounded: it must not be close to a whole number.
pub trait SettledWhole {
    fn __settled_whole(&self, scales: &[Scale], source: &'static str);
    /// The same at zero.
    fn __settled_sign(&self, scales: &[Scale], source: &'static str);
}

impl<T: Real> SettledWhole for Probe<'_, T> {
    #[inline]
    #[track_caller]
    fn __settled_whole(&self, scales: &[Scale], source: &'static str) {
        // Half-way between them, rounding goes either way.
        let half = self.0.clone() + self.0.clone();
        Sides(&half, &half.clone().round()).__settled(scales, source);
    }
    #[inline]
    #[track_caller]
    fn __settled_sign(&self, scales: &[Scale], source: &'static str) {
        Sides(self.0, &T::zero()).__settled(scales, source);
    }
}

/// As [`SettledWhole`], for what a function takes: of a complex number it jumps at a cut.
pub trait SettledBranch {
    fn __settled_branch(&self, function: &str, scales: &[Scale], source: &'static str);
    /// The same of a root, whose slope is infinite at zero.
    fn __settled_root(&self, function: &str, scales: &[Scale], source: &'static str);
}

impl<T: Elementary> SettledBranch for &Probe<'_, T> {
    #[inline]
    #[track_caller]
    fn __settled_branch(&self, function: &str, scales: &[Scale], source: &'static str) {
        if self.0.is_at_cut(function, scales) {
            unsettled(source);
        }
    }
    #[inline]
    #[track_caller]
    fn __settled_root(&self, function: &str, scales: &[Scale], source: &'static str) {
        Sides(self.0, &T::zero()).__settled(scales, source);
        self.__settled_branch(function, scales, source);
    }
}

/// The same, of what has no cuts that we know of.
pub trait NoCut {
    fn __settled_root(&self, _function: &str, _scales: &[Scale], _source: &'static str) {}
    fn __settled_branch(&self, _function: &str, _scales: &[Scale], _source: &'static str) {}
}

impl<T> NoCut for Probe<'_, T> {}

/// As [`SettledWhole`], of a quotient.
pub trait SettledQuotient {
    fn __settled_quotient(&self, scales: &[Scale], source: &'static str);
    /// Of an angle: where its cut is.
    fn __settled_cut(&self, scales: &[Scale], source: &'static str);
}

impl<T: Real> SettledQuotient for Sides<'_, T, T> {
    #[inline]
    #[track_caller]
    fn __settled_quotient(&self, scales: &[Scale], source: &'static str) {
        Probe(&(self.0.clone() / self.1.clone())).__settled_whole(scales, source);
    }
    #[inline]
    #[track_caller]
    fn __settled_cut(&self, scales: &[Scale], source: &'static str) {
        if *self.1 <= T::zero() {
            Probe(self.0).__settled_sign(scales, source);
        }
    }
}

/// What is no float, or not with the like.
pub trait NotSettledQuotient {
    fn __settled_quotient(&self, scales: &[Scale], source: &'static str);
    fn __settled_cut(&self, scales: &[Scale], source: &'static str);
}

impl<T: ?Sized, U: ?Sized> NotSettledQuotient for &Sides<'_, T, U> {
    #[inline]
    fn __settled_quotient(&self, _scales: &[Scale], _source: &'static str) {}
    #[inline]
    fn __settled_cut(&self, _scales: &[Scale], _source: &'static str) {}
}

/// What is no float.
pub trait NotSettledWhole {
    fn __settled_whole(&self, scales: &[Scale], source: &'static str);
    fn __settled_sign(&self, scales: &[Scale], source: &'static str);
}

impl<T> NotSettledWhole for &Probe<'_, T> {
    #[inline]
    fn __settled_whole(&self, _scales: &[Scale], _source: &'static str) {}
    #[inline]
    fn __settled_sign(&self, _scales: &[Scale], _source: &'static str) {}
}

/// What has no round-off that we know of.
pub trait NotSettled {
    fn __settled(&self, scales: &[Scale], source: &'static str);
}

impl<T: ?Sized, U: ?Sized> NotSettled for &Sides<'_, T, U> {
    #[inline]
    fn __settled(&self, _scales: &[Scale], _source: &'static str) {}
}

/// What a check gives, as a statement of its own.
#[inline]
pub fn checked((): ()) {}

/// Whether two values within rounding of each other led to the same: of floats, up to what a
/// function that does not jump may make of such.
pub trait SameNumbers {
    fn __same(&self, scales: &[Scale]) -> bool;
}

impl<T: Check> SameNumbers for Sides<'_, T, T> {
    #[inline]
    fn __same(&self, scales: &[Scale]) -> bool {
        self.0.agrees(self.1, Scale::steep_margin(scales))
    }
}

/// The same, of what has no round-off that we know of.
pub trait SameValues {
    fn __same(&self, scales: &[Scale]) -> bool;
}

impl<T: PartialEq> SameValues for &Sides<'_, T, T> {
    #[inline]
    fn __same(&self, _scales: &[Scale]) -> bool {
        self.0 == self.1
    }
}

/// The same, of what has a shadow and cannot be compared.
pub trait SameShadowed {
    fn __same(self, scales: &[Scale]) -> bool;
}

impl<T: Differentiable> SameShadowed for Sides<'_, T, T> {
    #[inline]
    fn __same(self, scales: &[Scale]) -> bool {
        self.0.astray(self.1, Scale::steep_margin(scales)).is_none()
    }
}

/// Stops at a decision that other values within rounding would have taken differently: `same`
/// tells that of those to one side. `parts`: how many may be compared with each other.
#[inline]
#[track_caller]
pub fn same_decision(
    parts: usize,
    scales: &[Scale],
    source: &'static str,
    same: impl FnMut(Toward) -> bool,
) {
    if are_rounded(scales) && !Toward::all(parts).all(same) {
        unsettled(source);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn unsettled(source: &'static str) -> ! {
    let (expected, found) = ("two sides that differ by more than rounding", "no such difference");
    fail(Broken::Decision, source, expected.to_string(), found.to_string())
}
