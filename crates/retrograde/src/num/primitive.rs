//! The number traits for the numbers of the language, and [`Zero`] for what
//! the standard library builds from them.

use super::{AdditiveGroup, Arithmetic, Elementary, Literal, Real, UndoableXor, Zero, fast};
use crate::check::{Check, Slack, Toward, floats_agree, refuse_small};
use crate::check_exactly;
use crate::error::Broken;
#[cfg(feature = "faer")]
use crate::linalg::{Sign, View, ViewMut};
use std::collections::VecDeque;
use std::num::{Saturating, Wrapping};

macro_rules! integers {
    ($($type:ident)+) => {$(
        impl Zero for $type {
            #[inline]
            fn zero() -> Self {
                0
            }
        }

        impl AdditiveGroup for $type {
            #[inline]
            fn accumulate(&mut self, other: Self) {
                *self = self.wrapping_add(other);
            }
            #[inline]
            fn retract(&mut self, other: Self) {
                *self = self.wrapping_sub(other);
            }
            #[inline]
            fn negate(&mut self) {
                *self = self.wrapping_neg();
            }
            #[inline]
            #[track_caller]
            fn add_as_operator(&mut self, other: Self) {
                *self += other;
            }
            #[inline]
            #[track_caller]
            fn subtract_as_operator(&mut self, other: Self) {
                *self -= other;
            }
        }

        impl Zero for Wrapping<$type> {
            #[inline]
            fn zero() -> Self {
                Wrapping(0)
            }
        }

        impl UndoableXor for $type {}
        impl UndoableXor<&$type> for $type {}
        impl UndoableXor for Wrapping<$type> {}
        impl UndoableXor for Saturating<$type> {}
        group_by_operators!([] Wrapping<$type>);
        check_exactly!(Wrapping<$type>);

        impl Check for $type {
            #[inline]
            fn magnitude(&self) -> f64 {
                0.0
            }
            #[inline]
            fn agrees(&self, expected: &Self, _slack: Slack) -> bool {
                self == expected
            }
            #[inline]
            fn nudge(&mut self, _slack: Slack, _toward: Toward) {}
            #[inline]
            #[track_caller]
            fn refuse(&self, expected: &Self, broken: Broken, source: &'static str) -> ! {
                refuse_small(*self, *expected, broken, source)
            }
        }
    )+};
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl Zero for bool {
    #[inline]
    fn zero() -> Self {
        false
    }
}

impl UndoableXor for bool {}
impl UndoableXor<&bool> for bool {}

check_exactly!(bool);

// Every call below names the type, as in `f64::sin(self)`: an inherent method
// is found before the trait's own, so none of them can call itself.
macro_rules! delegate {
    ($type:ident: $($name:ident)+) => {$(
        #[inline]
        fn $name(self) -> Self {
            $type::$name(self)
        }
    )+};
    ($type:ident, other: $($name:ident)+) => {$(
        #[inline]
        fn $name(self, other: Self) -> Self {
            $type::$name(self, other)
        }
    )+};
}

/// Whether the machine multiplies and adds in one instruction. Where it does not,
/// `mul_add` calls a library routine that is many times slower.
const FUSED: bool = cfg!(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "fma"),
    all(target_arch = "aarch64", target_feature = "neon"),
));

macro_rules! floats {
    ($($type:ident)+) => {$(
        impl Zero for $type {
            #[inline]
            fn zero() -> Self {
                0.0
            }
        }

        group_by_operators!([] $type);

        impl Check for $type {
            #[inline]
            fn magnitude(&self) -> f64 {
                f64::from(self.abs())
            }
            #[inline]
            fn agrees(&self, expected: &Self, slack: Slack) -> bool {
                let epsilon = f64::from($type::EPSILON);
                floats_agree(f64::from(*self), f64::from(*expected), slack, epsilon)
            }
            #[inline]
            fn nudge(&mut self, slack: Slack, toward: Toward) {
                let by = slack.reach(self.magnitude(), f64::from($type::EPSILON));
                *self = toward.of(f64::from(*self), by) as $type;
            }
            #[inline]
            #[track_caller]
            fn refuse(&self, expected: &Self, broken: Broken, source: &'static str) -> ! {
                refuse_small(*self, *expected, broken, source)
            }
        }

        impl Literal for $type {
            type Scalar = Self;
            #[inline]
            fn literal(value: f64) -> Self {
                value as $type
            }
        }

        impl Arithmetic for $type {
            #[inline]
            fn one() -> Self {
                1.0
            }
            #[inline]
            fn is_zero(&self) -> bool {
                *self == 0.0
            }
            delegate!($type: recip);
            #[inline]
            fn plus_product(self, a: Self, b: Self) -> Self {
                if FUSED { $type::mul_add(a, b, self) } else { self + a * b }
            }
            #[inline]
            fn minus_product(self, a: Self, b: Self) -> Self {
                if FUSED { $type::mul_add(-a, b, self) } else { self - a * b }
            }
            #[inline]
            fn recip_or_zero(self) -> Self {
                // Chosen, not jumped to, so that loops with it can be vectorised; and by
                // the number itself, while it is divided by.
                let infinite = self.abs() <= $type::MIN_POSITIVE / 4.0;
                if infinite { 0.0 } else { 1.0 / self }
            }
            #[cfg(feature = "faer")]
            fn matrix_product(
                c: ViewMut<'_, Self>,
                sign: Sign,
                a: View<'_, Self>,
                b: View<'_, Self>,
            ) {
                crate::linalg::blocked(c, sign, a, b);
            }
        }

        impl Elementary for $type {
            delegate!($type: sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10);
            delegate!($type: sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh);
            delegate!($type, other: powf);
            #[inline]
            fn powi(self, exponent: i32) -> Self {
                $type::powi(self, exponent)
            }
            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                $type::sin_cos(self)
            }
            #[inline]
            fn hypot_one(self) -> Self {
                $type::hypot(1.0, self)
            }
            #[inline]
            fn fast_exp(self) -> Self {
                fast::exp(self.into()) as $type
            }
            #[inline]
            fn fast_tanh(self) -> Self {
                fast::tanh(self.into()) as $type
            }
            #[inline]
            fn has_logarithm(&self) -> bool {
                *self > 0.0
            }
        }

        impl Real for $type {
            delegate!($type: abs signum floor ceil round trunc fract);
            delegate!($type, other: min max hypot atan2 div_euclid rem_euclid copysign log);
            #[inline]
            #[track_caller]
            fn clamp(self, low: Self, high: Self) -> Self {
                $type::clamp(self, low, high)
            }
            #[inline]
            fn mul_add(self, a: Self, b: Self) -> Self {
                $type::mul_add(self, a, b)
            }
            #[inline]
            fn to_f64(&self) -> f64 {
                f64::from(*self)
            }
        }
    )+};
}

floats!(f32 f64);

impl Zero for () {
    #[inline]
    fn zero() -> Self {}
}

macro_rules! tuples {
    ($(($($name:ident $index:tt)+))+) => {$(
        impl<$($name: Zero),+> Zero for ($($name,)+) {
            #[inline]
            fn zero() -> Self {
                ($($name::zero(),)+)
            }
        }

        impl<$($name: AdditiveGroup),+> AdditiveGroup for ($($name,)+) {
            #[inline]
            fn accumulate(&mut self, other: Self) {
                $(self.$index.accumulate(other.$index);)+
            }
            #[inline]
            fn retract(&mut self, other: Self) {
                $(self.$index.retract(other.$index);)+
            }
            #[inline]
            fn negate(&mut self) {
                $(self.$index.negate();)+
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
}

impl<T: Zero, const N: usize> Zero for [T; N] {
    #[inline]
    fn zero() -> Self {
        std::array::from_fn(|_| T::zero())
    }
}

impl<T> Zero for Vec<T> {
    #[inline]
    fn zero() -> Self {
        Vec::new()
    }
}

impl<T> Zero for VecDeque<T> {
    #[inline]
    fn zero() -> Self {
        VecDeque::new()
    }
}

impl<T> Zero for Box<[T]> {
    #[inline]
    fn zero() -> Self {
        Box::default()
    }
}

impl Zero for String {
    #[inline]
    fn zero() -> Self {
        String::new()
    }
}

impl<T> Zero for Option<T> {
    #[inline]
    fn zero() -> Self {
        None
    }
}

impl<T: AdditiveGroup, const N: usize> AdditiveGroup for [T; N] {
    #[inline]
    fn accumulate(&mut self, other: Self) {
        self.iter_mut().zip(other).for_each(|(a, b)| a.accumulate(b));
    }
    #[inline]
    fn retract(&mut self, other: Self) {
        self.iter_mut().zip(other).for_each(|(a, b)| a.retract(b));
    }
    #[inline]
    fn negate(&mut self) {
        self.iter_mut().for_each(T::negate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `x` through every function of one argument, once by trait and once by
    /// inherent method.
    macro_rules! same {
        ($x:expr, $type:ident: $($name:ident)+) => {
            $(
                let (by_trait, by_method) = (through::$name($x), $type::$name($x));
                prop_assert!(
                    by_trait == by_method || by_trait.is_nan() && by_method.is_nan(),
                    stringify!($name)
                );
            )+
        };
    }

    macro_rules! through {
        ($bound:ident: $($name:ident)+) => {$(
            pub fn $name<T: super::super::$bound>(x: T) -> T {
                x.$name()
            }
        )+};
    }

    mod through {
        through!(Elementary: sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10);
        through!(Elementary: sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh);
        through!(Real: abs signum floor ceil round trunc fract);
        through!(Arithmetic: recip conj);
    }

    proptest! {
        #[test]
        fn floats_delegate(x in -3.0..3.0f64) {
            same!(x, f64: sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 recip);
            same!(x, f64: sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh);
            same!(x, f64: abs signum floor ceil round trunc fract);
            prop_assert_eq!(through::conj(x), x);
            let x = x as f32;
            same!(x, f32: sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 recip);
            same!(x, f32: sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh);
            same!(x, f32: abs signum floor ceil round trunc fract);
        }

        #[test]
        fn negating_twice_changes_nothing(x: i8, y: u64, z: f32) {
            let mut now = (x, y, z);
            now.0.negate();
            now.1.negate();
            now.2.negate();
            prop_assert_eq!(now.0.wrapping_add(x), 0);
            prop_assert_eq!(now.1.wrapping_add(y), 0);
            now.0.negate();
            now.1.negate();
            now.2.negate();
            prop_assert_eq!(now, (x, y, z));
        }
    }

    #[test]
    fn integers_are_compared_exactly_and_floats_are_not() {
        assert!(!1_000_000_001_i64.agrees(&1_000_000_000, Slack::half_the_digits(1e30)));
        assert!((0.1 + 0.2).agrees(&0.3, Slack::half_the_digits(0.0)));
        assert!(!0.3001.agrees(&0.3, Slack::half_the_digits(0.0)));
        assert!((0.1f32 + 0.2).agrees(&0.3001, Slack::half_the_digits(0.0)));
        assert!(!0.301f32.agrees(&0.3, Slack::half_the_digits(0.0)));
        assert!(true.agrees(&true, Slack::EXACT) && !true.agrees(&false, Slack::units(1.0)));
    }

    #[test]
    fn zeros() {
        type Nested = (u8, [(bool, f32); 2], Vec<i32>, String, Option<f64>, ());
        let empty = (0, [(false, 0.0); 2], vec![], String::new(), None, ());
        assert_eq!(Nested::zero(), empty);
    }
}
