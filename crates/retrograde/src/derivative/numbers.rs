//! The rules of the operators on numbers.

use super::{PullAdd, PullDiv, PullMul, PullNeg, PullOrder, PullRem, PullSub};
use crate::num::{Complex, DoubleDouble, Dual, Fixed, Real};
use crate::{field_rules, order_rules};
use std::num::Wrapping;

field_rules!(f32);
field_rules!(f64);
field_rules!(DoubleDouble);
field_rules!(Complex<f32>);
field_rules!(Complex<f64>);
field_rules!(@operators [const FRAC: u32] Fixed<FRAC>);
field_rules!([T: Real, const N: usize] Dual<T, N>);

order_rules!(f32);
order_rules!(f64);
order_rules!(DoubleDouble);
order_rules!([const FRAC: u32] Fixed<FRAC>);
order_rules!([T: Real, const N: usize] Dual<T, N>);

/// Integers carry no gradient.
macro_rules! integers {
    ($($type:ident)+) => {
        integers! { @ $($type, Wrapping<$type>,)+ }
    };
    (@ $($type:ty,)+) => {$(
        integers! { $type:
            PullAdd pull_add_left pull_add_right,
            PullSub pull_sub_left pull_sub_right,
            PullMul pull_mul_left pull_mul_right,
            PullDiv pull_div_left pull_div_right _quotient,
            PullRem pull_rem_left pull_rem_right,
        }

        impl PullNeg for $type {
            type Output = Self;
            #[inline]
            fn pull_neg(_g: &Self, _x: &Self) -> Self {
                Self::default()
            }
        }

        impl PullOrder for $type {
            #[inline]
            fn pull_abs(_g: &Self, _x: &Self) -> Self {
                Self::default()
            }
            #[inline]
            fn pull_min_left(_g: &Self, _left: &Self, _right: &Self) -> Self {
                Self::default()
            }
            #[inline]
            fn pull_min_right(_g: &Self, _left: &Self, _right: &Self) -> Self {
                Self::default()
            }
            #[inline]
            fn pull_max_left(_g: &Self, _left: &Self, _right: &Self) -> Self {
                Self::default()
            }
            #[inline]
            fn pull_max_right(_g: &Self, _left: &Self, _right: &Self) -> Self {
                Self::default()
            }
        }
    )+};
    ($type:ty: $($trait:ident $left:ident $right:ident $($more:ident)?,)+) => {$(
        impl $trait for $type {
            type Output = Self;
            #[inline]
            fn $left(_g: &Self, _left: &Self, _right: &Self) -> Self {
                Self::default()
            }
            #[inline]
            fn $right(_g: &Self, _left: &Self, _right: &Self $(, $more: &Self)?) -> Self {
                Self::default()
            }
        }
    )+};
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// The rules of an operator on two types: what the left operand gets, and what
/// the right one gets.
macro_rules! rule {
    ([$($parameters:tt)*] $trait:ident<$right:ty> for $left:ty = $output:ty:
        |$g:ident, $l:ident, $r:ident $(, $quotient:ident)?|
        $left_name:ident $left_gradient:expr, $right_name:ident $right_gradient:expr) => {
        impl<$($parameters)*> $trait<$right> for $left {
            type Output = $output;
            #[inline]
            #[allow(unused_variables)]
            fn $left_name($g: &$output, $l: &$left, $r: &$right) -> $left {
                $left_gradient
            }
            #[inline]
            #[allow(unused_variables)]
            fn $right_name($g: &$output, $l: &$left, $r: &$right $(, $quotient: &$output)?) -> $right {
                $right_gradient
            }
        }
    };
}

/// The real part of `a* b`: the inner product of two complex numbers, as points
/// of the plane. A real operand gets as much of a gradient as points its way.
macro_rules! inner {
    ($a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        a.re * b.re + a.im * b.im
    }};
}

macro_rules! complex {
    ($($real:ident)+) => {$(
        rule!([] PullAdd<$real> for Complex<$real> = Complex<$real>: |g, l, r|
            pull_add_left *g, pull_add_right g.re);
        rule!([] PullAdd<Complex<$real>> for $real = Complex<$real>: |g, l, r|
            pull_add_left g.re, pull_add_right *g);
        rule!([] PullSub<$real> for Complex<$real> = Complex<$real>: |g, l, r|
            pull_sub_left *g, pull_sub_right -g.re);
        rule!([] PullSub<Complex<$real>> for $real = Complex<$real>: |g, l, r|
            pull_sub_left g.re, pull_sub_right -*g);
        rule!([] PullMul<$real> for Complex<$real> = Complex<$real>: |g, l, r|
            pull_mul_left g * r, pull_mul_right inner!(l, g));
        rule!([] PullMul<Complex<$real>> for $real = Complex<$real>: |g, l, r|
            pull_mul_left inner!(r, g), pull_mul_right g * l);
        rule!([] PullDiv<$real> for Complex<$real> = Complex<$real>: |g, l, r, q|
            pull_div_left g / r, pull_div_right -inner!(q, g / r));
        rule!([] PullDiv<Complex<$real>> for $real = Complex<$real>: |g, l, r, q|
            pull_div_left (g / r.conj()).re, pull_div_right -(g / r.conj() * q.conj()));
        // `l % r = l − r q`, where `q` is the quotient without the fractions of
        // its parts.
        rule!([] PullRem<Complex<$real>> for Complex<$real> = Complex<$real>: |g, l, r|
            pull_rem_left *g, pull_rem_right {
                let quotient = l / r;
                -(g * Complex::new(quotient.re.trunc(), -quotient.im.trunc()))
            });
    )+};
}

complex!(f32 f64);

/// A float beside a type that holds floats: its share of the gradient, as a
/// float.
macro_rules! beside_floats {
    ([$($parameters:tt)*] $type:ty) => {
        rule!([$($parameters)*] PullAdd<f64> for $type = $type: |g, l, r|
            pull_add_left g.clone(), pull_add_right Real::to_f64(g));
        rule!([$($parameters)*] PullAdd<$type> for f64 = $type: |g, l, r|
            pull_add_left Real::to_f64(g), pull_add_right g.clone());
        rule!([$($parameters)*] PullSub<f64> for $type = $type: |g, l, r|
            pull_sub_left g.clone(), pull_sub_right -Real::to_f64(g));
        rule!([$($parameters)*] PullSub<$type> for f64 = $type: |g, l, r|
            pull_sub_left Real::to_f64(g), pull_sub_right -g.clone());
        rule!([$($parameters)*] PullMul<f64> for $type = $type: |g, l, r|
            pull_mul_left g.clone() * *r,
            pull_mul_right Real::to_f64(&(g.clone() * l.clone())));
        rule!([$($parameters)*] PullMul<$type> for f64 = $type: |g, l, r|
            pull_mul_left Real::to_f64(&(g.clone() * r.clone())),
            pull_mul_right g.clone() * *l);
        rule!([$($parameters)*] PullDiv<f64> for $type = $type: |g, l, r, q|
            pull_div_left g.clone() / *r,
            pull_div_right -Real::to_f64(&(g.clone() / *r * q.clone())));
        rule!([$($parameters)*] PullDiv<$type> for f64 = $type: |g, l, r, q|
            pull_div_left Real::to_f64(&(g.clone() / r.clone())),
            pull_div_right -(g.clone() / r.clone() * q.clone()));
    };
}

beside_floats!([] DoubleDouble);
beside_floats!([T: Real, const N: usize] Dual<T, N>);
