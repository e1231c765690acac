//! Numbers side by side.

#[cfg(test)]
mod tests;

use super::{AdditiveGroup, Arithmetic, Elementary, Literal, Real, Zero};
use crate::check::{Check, Slack, Toward};
use crate::derivative::{Differentiable, PullOrder, PullRem};
use crate::field_rules;
use std::array;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Rem, Sub, SubAssign};

/// `N` numbers side by side: every operation is done in each lane.
///
/// A generic reversible function on them is that function `N` times, in the
/// vector registers of the machine where it has them. With the same values in
/// all lanes, and a cotangent in each lane of the shadows, one adjoint gives `N`
/// rows of a Jacobian; elementary functions of equal lanes are computed once:
///
/// ```
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn polar<T: Real>(x: &mut T, y: &mut T, radius: &T, angle: &T) {
///     *x += *radius * angle.cos();
///     *y += *radius * angle.sin();
/// }
///
/// type L = Lanes<f64, 2>;
/// let (radius, angle) = (L::splat(2.0), L::splat(0.0));
/// let (mut x, mut y) = (L::splat(2.0), L::splat(0.0));
/// // The first lane asks for the gradient of `x`, the second for that of `y`.
/// let (mut d_x, mut d_y) = (Lanes([1.0, 0.0]), Lanes([0.0, 1.0]));
/// let (mut d_radius, mut d_angle) = (L::splat(0.0), L::splat(0.0));
/// polar::adjoint(
///     &mut x, &mut d_x, &mut y, &mut d_y, &radius, &mut d_radius, &angle, &mut d_angle,
/// );
/// assert_eq!((d_radius.0, d_angle.0), ([1.0, 0.0], [0.0, 2.0]));
/// ```
///
/// The lanes may hold different values as well, for as many points at once, as
/// long as a program does the same for all of them: a comparison whose answer
/// differs between the lanes panics.
#[derive(Clone, Copy)]
pub struct Lanes<T, const N: usize>(pub [T; N]);

#[cold]
#[inline(never)]
#[track_caller]
fn disagree(lanes: &dyn fmt::Debug, others: &dyn fmt::Debug) -> ! {
    panic!(
        "the lanes disagree about a comparison of {lanes:?} with {others:?}, but all of them take \
         one branch: run the points that go another way apart"
    )
}

impl<T: Clone, const N: usize> Lanes<T, N> {
    /// The same number in all lanes.
    #[inline]
    pub fn splat(value: T) -> Self {
        Lanes(array::from_fn(|_| value.clone()))
    }
}

impl<T: Clone + fmt::Debug, const N: usize> Lanes<T, N> {
    #[inline]
    fn zip(self, other: Self, f: impl Fn(T, T) -> T) -> Self {
        Lanes(array::from_fn(|i| f(self.0[i].clone(), other.0[i].clone())))
    }

    /// The answer that all lanes give.
    #[inline]
    #[track_caller]
    fn agreed<A: PartialEq>(&self, other: &Self, ask: impl Fn(&T, &T) -> A) -> A {
        const { assert!(N > 0, "there must be a lane") };
        let answer = ask(&self.0[0], &other.0[0]);
        if (1..N).any(|i| ask(&self.0[i], &other.0[i]) != answer) {
            disagree(self, other);
        }
        answer
    }
}

impl<T: Real, const N: usize> Lanes<T, N> {
    /// A function that takes long: once, where all lanes are the same.
    #[inline]
    fn each<R: Clone>(self, f: impl Fn(T) -> R) -> [R; N] {
        // Zeros may differ in their signs.
        let same = self.0.iter().all(|x| *x == self.0[0] && !x.is_zero());
        if same {
            let value = f(self.0[0].clone());
            array::from_fn(|_| value.clone())
        } else {
            self.0.map(f)
        }
    }
}

macro_rules! operators {
    ($($trait:ident $name:ident $operator:tt)+) => {$(
        impl<T: Clone + fmt::Debug + $trait<Output = T>, const N: usize> $trait for Lanes<T, N> {
            type Output = Self;
            #[inline]
            fn $name(self, other: Self) -> Self {
                self.zip(other, |a, b| a $operator b)
            }
        }
    )+};
}

operators!(Add add + Sub sub - Mul mul * Div div / Rem rem %);

impl<T: Neg<Output = T>, const N: usize> Neg for Lanes<T, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Lanes(self.0.map(|x| -x))
    }
}

impl<T: AddAssign, const N: usize> AddAssign for Lanes<T, N> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}

impl<T: SubAssign, const N: usize> SubAssign for Lanes<T, N> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a -= b);
    }
}

/// All lanes are equal, or none is: panics otherwise.
impl<T: Clone + PartialEq + fmt::Debug, const N: usize> PartialEq for Lanes<T, N> {
    #[inline]
    #[track_caller]
    fn eq(&self, other: &Self) -> bool {
        self.agreed(other, T::eq)
    }
}

/// As all lanes are ordered: panics where they differ.
impl<T: Clone + PartialOrd + fmt::Debug, const N: usize> PartialOrd for Lanes<T, N> {
    #[inline]
    #[track_caller]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.agreed(other, T::partial_cmp)
    }
    #[inline]
    #[track_caller]
    fn lt(&self, other: &Self) -> bool {
        self.agreed(other, T::lt)
    }
    #[inline]
    #[track_caller]
    fn le(&self, other: &Self) -> bool {
        self.agreed(other, T::le)
    }
    #[inline]
    #[track_caller]
    fn gt(&self, other: &Self) -> bool {
        self.agreed(other, T::gt)
    }
    #[inline]
    #[track_caller]
    fn ge(&self, other: &Self) -> bool {
        self.agreed(other, T::ge)
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for Lanes<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Zero, const N: usize> Zero for Lanes<T, N> {
    #[inline]
    fn zero() -> Self {
        Lanes(array::from_fn(|_| T::zero()))
    }
}

impl<T: AdditiveGroup + Differentiable, const N: usize> AdditiveGroup for Lanes<T, N> {
    #[inline]
    fn accumulate(&mut self, other: Self) {
        self.0.accumulate(other.0);
    }
    #[inline]
    fn retract(&mut self, other: Self) {
        self.0.retract(other.0);
    }
    #[inline]
    fn negate(&mut self) {
        self.0.negate();
    }
    #[inline]
    #[track_caller]
    fn accumulate_gradient(&mut self, other: Self) {
        self.0.accumulate_shadow(other.0);
    }
    #[inline]
    #[track_caller]
    fn retract_gradient(&mut self, other: Self) {
        self.0.retract_shadow(other.0);
    }
}

impl<T: Check, const N: usize> Check for Lanes<T, N> {
    #[inline]
    fn magnitude(&self) -> f64 {
        self.0.magnitude()
    }
    #[inline]
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        self.0.agrees(&expected.0, slack)
    }
    #[inline]
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        self.0.nudge(slack, toward);
    }
}

impl<T: Real, const N: usize> Literal for Lanes<T, N> {
    type Scalar = Self;
    #[inline]
    fn literal(value: f64) -> Self {
        Self::splat(T::literal(value))
    }
    #[inline]
    fn literal_with(value: f64, rest: f64) -> Self {
        Self::splat(T::literal_with(value, rest))
    }
}

impl<T: Real, const N: usize> Arithmetic for Lanes<T, N> {
    #[inline]
    fn one() -> Self {
        Self::splat(T::one())
    }
    #[inline]
    #[track_caller]
    fn is_zero(&self) -> bool {
        self.agreed(self, |x, _| x.is_zero())
    }
    #[inline]
    fn recip(self) -> Self {
        Lanes(self.0.map(T::recip))
    }
    #[inline]
    fn recip_or_zero(self) -> Self {
        Lanes(self.0.map(T::recip_or_zero))
    }
    #[inline]
    fn scaled(self, factor: f64) -> Self {
        Lanes(self.0.map(|x| x.scaled(factor)))
    }
    #[inline]
    fn plus_product(self, a: Self, b: Self) -> Self {
        let lane = |i: usize| self.0[i].clone().plus_product(a.0[i].clone(), b.0[i].clone());
        Lanes(array::from_fn(lane))
    }
    #[inline]
    fn minus_product(self, a: Self, b: Self) -> Self {
        let lane = |i: usize| self.0[i].clone().minus_product(a.0[i].clone(), b.0[i].clone());
        Lanes(array::from_fn(lane))
    }
}

macro_rules! once_if_equal {
    ($($name:ident)+) => {$(
        #[inline]
        fn $name(self) -> Self {
            Lanes(self.each(T::$name))
        }
    )+};
}

impl<T: Real, const N: usize> Elementary for Lanes<T, N> {
    once_if_equal!(cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan);
    once_if_equal!(sinh cosh tanh asinh acosh atanh hypot_one);

    #[inline]
    fn sqrt(self) -> Self {
        Lanes(self.0.map(T::sqrt))
    }
    #[inline]
    fn fast_exp(self) -> Self {
        Lanes(self.0.map(T::fast_exp))
    }
    #[inline]
    fn fast_tanh(self) -> Self {
        Lanes(self.0.map(T::fast_tanh))
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let both = self.each(T::sin_cos);
        (Lanes(array::from_fn(|i| both[i].0.clone())), Lanes(both.map(|(_, cos)| cos)))
    }
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        Lanes(self.each(|x| x.powi(exponent)))
    }
    #[inline]
    fn powf(self, exponent: Self) -> Self {
        self.zip(exponent, T::powf)
    }
    #[inline]
    #[track_caller]
    fn has_logarithm(&self) -> bool {
        self.agreed(self, |x, _| x.has_logarithm())
    }
}

macro_rules! lane_by_lane {
    ($($name:ident)*; $($of_two:ident)+) => {
        $(#[inline]
        fn $name(self) -> Self {
            Lanes(self.0.map(T::$name))
        })*
        $(#[inline]
        fn $of_two(self, other: Self) -> Self {
            self.zip(other, T::$of_two)
        })+
    };
}

impl<T: Real, const N: usize> Real for Lanes<T, N> {
    lane_by_lane!(abs signum floor ceil round trunc fract; min max hypot atan2);
    lane_by_lane!(; div_euclid rem_euclid copysign log);

    #[inline]
    #[track_caller]
    fn clamp(self, low: Self, high: Self) -> Self {
        let lane = |i: usize| self.0[i].clone().clamp(low.0[i].clone(), high.0[i].clone());
        Lanes(array::from_fn(lane))
    }

    #[inline]
    fn mul_add(self, a: Self, b: Self) -> Self {
        let lane = |i: usize| self.0[i].clone().mul_add(a.0[i].clone(), b.0[i].clone());
        Lanes(array::from_fn(lane))
    }
    /// That of all lanes: panics where they differ.
    #[inline]
    #[track_caller]
    fn to_f64(&self) -> f64 {
        self.agreed(self, |x, _| x.to_f64())
    }
    /// One float cannot hold the gradients of several lanes: it is not a number,
    /// unless there is none.
    #[inline]
    fn pull_from_f64(g: &Self) -> f64 {
        if Self::is_something(g) { f64::NAN } else { 0.0 }
    }
}

field_rules!([T: Real, const N: usize] Lanes<T, N>);

macro_rules! pulls {
    ($($name:ident)+) => {$(
        #[inline]
        fn $name(g: &Self, left: &Self, right: &Self) -> Self {
            Lanes(array::from_fn(|i| T::$name(&g.0[i], &left.0[i], &right.0[i])))
        }
    )+};
}

impl<T: Real, const N: usize> PullOrder for Lanes<T, N> {
    #[inline]
    fn pull_abs(g: &Self, x: &Self) -> Self {
        Lanes(array::from_fn(|i| T::pull_abs(&g.0[i], &x.0[i])))
    }
    pulls!(pull_min_left pull_min_right pull_max_left pull_max_right);
    /// In any lane.
    #[inline]
    fn is_something(g: &Self) -> bool {
        g.0.iter().any(T::is_something)
    }
}

impl<T: Real + PullRem<Output = T>, const N: usize> PullRem for Lanes<T, N> {
    type Output = Self;
    pulls!(pull_rem_left pull_rem_right);
}
