//! What generated code does with shadows, beside the rules.

use super::{Differentiable, PullOrder, ToShadow};
use crate::__private::HasShadow;
use crate::num::Arithmetic;

/// In place of the shadow of an argument that carries no gradient.
#[derive(Clone, Copy, Debug)]
pub struct NoShadow;

/// The shadow of a variable: zeros of its shape, in its own type.
#[inline]
pub fn shadow<T: HasShadow>(value: &T) -> T {
    value.neutral_like()
}

/// A shadow that stands in for another one, of a place that is lent twice.
#[inline]
pub fn stand_in<V: ToShadow + ?Sized>(place: &V) -> V::Shadow {
    place.neutral_like()
}

/// Adds a shadow that stood in for another one, of a place that was lent twice.
#[inline]
pub fn add_shadow<V: ToShadow + ?Sized>(place: &mut V, shadow: V::Shadow) {
    place.add_shadow(shadow);
}

/// Adds to the shadow of a slice, element by element.
#[inline]
#[track_caller]
pub fn accumulate_slice<T: Differentiable>(shadow: &mut [T], gradient: &[T]) {
    let (there, here) = (shadow.len(), gradient.len());
    assert!(there == here, "a shadow of {there} elements gets a gradient of {here}");
    for (shadow, gradient) in shadow.iter_mut().zip(gradient) {
        shadow.accumulate_shadow(gradient.clone());
    }
}

/// Subtracts from the shadow of a slice, element by element.
#[inline]
#[track_caller]
pub fn retract_slice<T: Differentiable>(shadow: &mut [T], gradient: &[T]) {
    let (there, here) = (shadow.len(), gradient.len());
    assert!(there == here, "a shadow of {there} elements gets a gradient of {here}");
    for (shadow, gradient) in shadow.iter_mut().zip(gradient) {
        shadow.retract_shadow(gradient.clone());
    }
}

/// The gradient with the opposite sign.
#[inline]
pub fn negated<T: Differentiable>(gradient: &T) -> T {
    gradient.negated_shadow()
}

/// Whether there is a gradient at all.
#[inline]
pub fn is_not_zero<T: PullOrder + Differentiable + PartialEq>(gradient: &T) -> bool {
    T::is_something(gradient)
}

/// The chain rule: the gradient of `f(x)` times the slope of `f`, conjugated.
#[inline]
pub fn chain<T: Arithmetic>(gradient: &T, slope: T) -> T {
    gradient.clone() * slope.conj()
}

/// The sum of the gradients of all elements: of `[x; n]`, what goes to `x`.
#[inline]
pub fn sum<T: Differentiable>(gradients: &[T]) -> T {
    let (first, rest) = gradients.split_first().expect("an element to take the shape from");
    let mut sum = first.clone();
    rest.iter().for_each(|gradient| sum.accumulate_shadow(gradient.clone()));
    sum
}

/// The rule of `x as T` and `T::from(x)`: floats of different precision carry
/// gradients to each other, integers none.
pub trait PullCast<G> {
    /// What `self` gets of the gradient of the converted value.
    fn pull_cast(&self, g: &G) -> Self;
}

macro_rules! casts {
    ($($from:ident $to:ident)+) => {$(
        impl PullCast<$to> for $from {
            #[inline]
            fn pull_cast(&self, g: &$to) -> Self {
                *g as $from
            }
        }
    )+};
}

casts!(f32 f32 f32 f64 f64 f32 f64 f64);

macro_rules! constant_casts {
    ($($integer:ident)+) => {$(
        impl<G> PullCast<G> for $integer {
            #[inline]
            fn pull_cast(&self, _g: &G) -> Self {
                Differentiable::zero_like(self)
            }
        }
    )+};
}

constant_casts!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool char);

/// What `x` gets of the gradient `g` of the converted value.
#[inline]
pub fn cast<X: PullCast<G>, G>(g: &G, x: &X) -> X {
    x.pull_cast(g)
}

/// What `x` gets of the gradient `g` of `Some(x)`.
#[inline]
pub fn content<T: Differentiable>(g: &Option<T>, x: &T) -> T {
    g.clone().unwrap_or_else(|| x.zero_like())
}

/// What has elements that its `iter` goes over, each of them once.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no slice, array or vector, and what its `iter` goes over is not known",
    label = "its gradient would be lost",
    note = "help: write a loop, or a `#[differentiable]` function"
)]
pub trait Elements {
    /// The type of an element.
    type Element;
    /// All of them.
    fn elements_mut(&mut self) -> &mut [Self::Element];
}

impl<T> Elements for [T] {
    type Element = T;
    #[inline]
    fn elements_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T, const N: usize> Elements for [T; N] {
    type Element = T;
    #[inline]
    fn elements_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T> Elements for Vec<T> {
    type Element = T;
    #[inline]
    fn elements_mut(&mut self) -> &mut [T] {
        self
    }
}

/// Adds a gradient to each element of a shadow: that of a sum.
#[inline]
pub fn accumulate_each<S>(shadow: &mut S, g: &S::Element)
where
    S: Elements<Element: Differentiable> + ?Sized,
{
    shadow.elements_mut().iter_mut().for_each(|d| d.accumulate_shadow(g.clone()));
}

/// Subtracts a gradient from each element of a shadow.
#[inline]
pub fn retract_each<S>(shadow: &mut S, g: &S::Element)
where
    S: Elements<Element: Differentiable> + ?Sized,
{
    shadow.elements_mut().iter_mut().for_each(|d| d.retract_shadow(g.clone()));
}

/// Adds to each element of a shadow what it gets of the gradient of the product of all values.
#[inline]
pub fn accumulate_factors<'a, S>(
    shadow: &mut S,
    g: &S::Element,
    values: impl DoubleEndedIterator<Item = &'a S::Element>,
) where
    S: Elements<Element: Arithmetic + 'a> + ?Sized,
{
    let gradients = of_factors(g, values);
    shadow.elements_mut().iter_mut().zip(gradients).for_each(|(d, g)| d.accumulate_shadow(g));
}

/// Subtracts it.
#[inline]
pub fn retract_factors<'a, S>(
    shadow: &mut S,
    g: &S::Element,
    values: impl DoubleEndedIterator<Item = &'a S::Element>,
) where
    S: Elements<Element: Arithmetic + 'a> + ?Sized,
{
    let gradients = of_factors(g, values);
    shadow.elements_mut().iter_mut().zip(gradients).for_each(|(d, g)| d.retract_shadow(g));
}

/// What each factor gets of the gradient of a product: that times all the others, without a
/// division, since one of them may be zero.
fn of_factors<'a, T: Arithmetic + 'a>(
    g: &T,
    values: impl DoubleEndedIterator<Item = &'a T>,
) -> Vec<T> {
    let mut after = T::one();
    let mut both: Vec<(T, T)> = values
        .rev()
        .map(|value| {
            let others = after.clone();
            after = after.clone() * value.clone();
            (value.clone(), others)
        })
        .collect();
    both.reverse();
    let mut before = g.clone();
    both.into_iter()
        .map(|(value, after)| {
            let gradient = before.clone() * after.conj();
            before = before.clone() * value.conj();
            gradient
        })
        .collect()
}
