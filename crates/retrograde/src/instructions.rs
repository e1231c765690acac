//! Instructions: the bijections that come with the library.
//!
//! Each is an ordinary function, so it can be called from any Rust; in a
//! reversible function it is undone by its inverse, which is also to be had by
//! name, as in [`rot::inverse`](struct@rot).
//!
//! | instruction | does | undone by |
//! |---|---|---|
//! | [`swap(a, b)`](fn@swap) | `(a, b) ↦ (b, a)` | itself |
//! | [`neg(x)`](fn@neg) | `x ↦ −x` | itself |
//! | [`inv(x)`](fn@inv) | `x ↦ 1/x` | itself |
//! | [`conj(z)`](fn@conj) | `z ↦ z*` | itself |
//! | [`flip(b)`](fn@flip) | `b ↦ ¬b` | itself |
//! | [`inc(x)`](fn@inc), [`dec(x)`](fn@dec) | `x ↦ x ± 1` | each other |
//! | [`add_constant(x, c)`](fn@add_constant), [`sub_constant(x, c)`](fn@sub_constant) | `x ↦ x ± c` | each other |
//! | [`rot(a, b, θ)`](fn@rot), [`unrot(a, b, θ)`](fn@unrot) | rotation by `±θ` | each other |
//! | [`hadamard(a, b)`](fn@hadamard) | `(a, b) ↦ ((a + b)/√2, (a − b)/√2)` | itself |
//! | [`rotate_left(x, n)`](fn@rotate_left), [`rotate_right(x, n)`](fn@rotate_right) | moves the bits round | each other |
//!
//! An instruction of your own is a function under `#[instruction(inverse = g)]`
//! or `#[instruction(self_inverse)]`, as these are.

use crate::num::{AdditiveGroup, Arithmetic, Elementary, Logarithmic, Tropical};
use retrograde_macros::instruction;
use std::f64::consts::FRAC_1_SQRT_2;
use std::mem;

/// Exchanges two values: `(a, b) ↦ (b, a)`.
///
/// ```
/// use retrograde::instructions::swap;
///
/// let (mut a, mut b) = (1, 2);
/// swap(&mut a, &mut b);
/// assert_eq!((a, b), (2, 1));
/// swap::inverse(&mut a, &mut b);
/// assert_eq!((a, b), (1, 2));
/// ```
#[instruction(self_inverse)]
#[inline]
pub fn swap<T>(a: &mut T, b: &mut T) {
    mem::swap(a, b);
}

/// `x ↦ −x`. Unsigned integers wrap.
///
/// ```
/// use retrograde::instructions::neg;
///
/// let mut x = 2.5;
/// neg(&mut x);
/// assert_eq!(x, -2.5);
/// neg::inverse(&mut x);
/// assert_eq!(x, 2.5);
/// ```
#[instruction(self_inverse)]
#[inline]
pub fn neg<T: AdditiveGroup>(x: &mut T) {
    x.negate();
}

/// Numbers whose reciprocal is exact.
///
/// Floats are left out on purpose: `1.0 / (1.0 / x)` is often not `x`.
///
/// ```compile_fail,E0277
/// retrograde::instructions::inv(&mut 2.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "the reciprocal of `{Self}` cannot be undone",
    label = "`1 / (1 / x)` is not always `x` here",
    note = "it can be for `Logarithmic<T>` and `Tropical<T>`, where a reciprocal is a change of sign inside",
    note = "help: accumulate the reciprocal somewhere else, `*y += 1.0 / *x`, or hold the value as a `Logarithmic`"
)]
pub trait Reciprocal {
    /// `self = 1 / self`.
    fn reciprocate(&mut self);
}

/// `ln (1/x) = −ln x`.
impl<T: AdditiveGroup> Reciprocal for Logarithmic<T> {
    #[inline]
    fn reciprocate(&mut self) {
        self.log.negate();
    }
}

/// `0 ⊘ x = −x`.
impl<T: AdditiveGroup> Reciprocal for Tropical<T> {
    #[inline]
    fn reciprocate(&mut self) {
        self.0.negate();
    }
}

/// `x ↦ 1/x`, on numbers whose reciprocal is exact.
///
/// ```
/// use retrograde::instructions::inv;
/// use retrograde::num::Logarithmic;
///
/// let mut x = Logarithmic::from_ln(0.1);
/// inv(&mut x);
/// assert_eq!(x, Logarithmic::from_ln(-0.1));
/// inv::inverse(&mut x);
/// assert_eq!(x, Logarithmic::from_ln(0.1));
/// ```
#[instruction(self_inverse)]
#[inline]
pub fn inv<T: Reciprocal>(x: &mut T) {
    x.reciprocate();
}

/// `z ↦ z*`, the complex conjugate; real numbers stay as they are.
///
/// ```
/// use retrograde::{instructions::conj, num::Complex};
///
/// let mut z = Complex::new(1.0, 2.0);
/// conj(&mut z);
/// assert_eq!(z, Complex::new(1.0, -2.0));
/// conj::inverse(&mut z);
/// assert_eq!(z, Complex::new(1.0, 2.0));
/// ```
#[instruction(self_inverse)]
#[inline]
pub fn conj<T: Arithmetic>(z: &mut T) {
    *z = z.clone().conj();
}

/// `b ↦ ¬b`.
///
/// ```
/// use retrograde::instructions::flip;
///
/// let mut b = true;
/// flip(&mut b);
/// assert!(!b);
/// flip::inverse(&mut b);
/// assert!(b);
/// ```
#[instruction(self_inverse)]
#[inline]
pub fn flip(b: &mut bool) {
    *b = !*b;
}

/// Numbers that can be counted up and down by one.
///
/// Integers wrap, so that no value is without a successor.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be counted up and down",
    note = "integers can, and so can every `retrograde::num::Arithmetic` number",
    note = "help: implement `retrograde::instructions::Successor` for `{Self}`, or use `+=`"
)]
pub trait Successor {
    /// `self += 1`.
    fn increase(&mut self);
    /// `self -= 1`.
    fn decrease(&mut self);
}

impl<T: Arithmetic> Successor for T {
    #[inline]
    fn increase(&mut self) {
        *self += T::one();
    }
    #[inline]
    fn decrease(&mut self) {
        *self -= T::one();
    }
}

/// Integers whose bits can be moved round.
#[diagnostic::on_unimplemented(
    message = "the bits of `{Self}` cannot be moved round",
    note = "only those of primitive integers can"
)]
pub trait Bits {
    /// Moves every bit `n` places up; what leaves at the top comes in below.
    fn turn_left(&mut self, n: u32);
    /// Moves every bit `n` places down; what leaves below comes in at the top.
    fn turn_right(&mut self, n: u32);
}

macro_rules! integers {
    ($($type:ident)+) => {$(
        impl Successor for $type {
            #[inline]
            fn increase(&mut self) {
                *self = self.wrapping_add(1);
            }
            #[inline]
            fn decrease(&mut self) {
                *self = self.wrapping_sub(1);
            }
        }

        impl Bits for $type {
            #[inline]
            fn turn_left(&mut self, n: u32) {
                *self = self.rotate_left(n);
            }
            #[inline]
            fn turn_right(&mut self, n: u32) {
                *self = self.rotate_right(n);
            }
        }
    )+};
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// `x ↦ x + 1`. Integers wrap.
///
/// ```
/// use retrograde::instructions::inc;
///
/// let mut x = 255_u8;
/// inc(&mut x);
/// assert_eq!(x, 0);
/// inc::inverse(&mut x);
/// assert_eq!(x, 255);
/// ```
#[instruction(inverse = dec)]
#[inline]
pub fn inc<T: Successor>(x: &mut T) {
    x.increase();
}

/// `x ↦ x − 1`. Integers wrap.
///
/// ```
/// use retrograde::instructions::dec;
///
/// let mut x = 2.5;
/// dec(&mut x);
/// assert_eq!(x, 1.5);
/// dec::inverse(&mut x);
/// assert_eq!(x, 2.5);
/// ```
#[instruction(inverse = inc)]
#[inline]
pub fn dec<T: Successor>(x: &mut T) {
    x.decrease();
}

/// `x ↦ x + c`, where the constant carries no gradient.
///
/// ```
/// use retrograde::instructions::add_constant;
///
/// let mut x = 1.0;
/// add_constant(&mut x, 0.5);
/// assert_eq!(x, 1.5);
/// add_constant::inverse(&mut x, 0.5);
/// assert_eq!(x, 1.0);
/// ```
#[instruction(inverse = sub_constant)]
#[inline]
pub fn add_constant<T: AdditiveGroup>(x: &mut T, c: T) {
    x.accumulate(c);
}

/// `x ↦ x − c`, where the constant carries no gradient.
///
/// ```
/// use retrograde::instructions::sub_constant;
///
/// let mut x = 1.0;
/// sub_constant(&mut x, 0.5);
/// assert_eq!(x, 0.5);
/// sub_constant::inverse(&mut x, 0.5);
/// assert_eq!(x, 1.0);
/// ```
#[instruction(inverse = add_constant)]
#[inline]
pub fn sub_constant<T: AdditiveGroup>(x: &mut T, c: T) {
    x.retract(c);
}

/// Rotates the point `(a, b)` by an angle:
/// `(a, b) ↦ (a cos θ − b sin θ, a sin θ + b cos θ)`.
///
/// ```
/// use retrograde::instructions::rot;
/// use std::f64::consts::FRAC_PI_2;
///
/// let (mut a, mut b) = (3.0, 4.0);
/// rot(&mut a, &mut b, &FRAC_PI_2);
/// assert!((a + 4.0).abs() < 1e-15 && (b - 3.0).abs() < 1e-15);
/// rot::inverse(&mut a, &mut b, &FRAC_PI_2);
/// assert!((a - 3.0).abs() < 1e-15 && (b - 4.0).abs() < 1e-15);
/// ```
#[instruction(inverse = unrot)]
#[inline]
pub fn rot<T: Elementary>(a: &mut T, b: &mut T, angle: &T) {
    let (sin, cos) = angle.clone().sin_cos();
    turn(a, b, sin, cos);
}

/// Rotates the point `(a, b)` back by an angle:
/// `(a, b) ↦ (a cos θ + b sin θ, −a sin θ + b cos θ)`.
///
/// ```
/// use retrograde::instructions::unrot;
/// use std::f64::consts::FRAC_PI_2;
///
/// let (mut a, mut b) = (3.0, 4.0);
/// unrot(&mut a, &mut b, &FRAC_PI_2);
/// assert!((a - 4.0).abs() < 1e-15 && (b + 3.0).abs() < 1e-15);
/// unrot::inverse(&mut a, &mut b, &FRAC_PI_2);
/// assert!((a - 3.0).abs() < 1e-15 && (b - 4.0).abs() < 1e-15);
/// ```
#[instruction(inverse = rot)]
#[inline]
pub fn unrot<T: Elementary>(a: &mut T, b: &mut T, angle: &T) {
    let (sin, cos) = angle.clone().sin_cos();
    turn(a, b, -sin, cos);
}

#[inline]
fn turn<T: Arithmetic>(a: &mut T, b: &mut T, sin: T, cos: T) {
    let turned = a.clone() * cos.clone() - b.clone() * sin.clone();
    *b = a.clone() * sin + b.clone() * cos;
    *a = turned;
}

/// `(a, b) ↦ ((a + b)/√2, (a − b)/√2)`, the Hadamard gate.
///
/// ```
/// use retrograde::instructions::hadamard;
///
/// let (mut a, mut b) = (1.0_f64, 0.0);
/// hadamard(&mut a, &mut b);
/// assert_eq!((a, b), (0.5_f64.sqrt(), 0.5_f64.sqrt()));
/// hadamard::inverse(&mut a, &mut b);
/// assert!((a - 1.0).abs() < 1e-15 && b == 0.0);
/// ```
#[instruction(self_inverse)]
#[inline]
pub fn hadamard<T: Arithmetic>(a: &mut T, b: &mut T) {
    let difference = a.clone() - b.clone();
    *a = (a.clone() + b.clone()).scaled(FRAC_1_SQRT_2);
    *b = difference.scaled(FRAC_1_SQRT_2);
}

/// Moves the bits `n` places up; what leaves at the top comes in below.
///
/// ```
/// use retrograde::instructions::rotate_left;
///
/// let mut x = 0b1100_0001_u8;
/// rotate_left(&mut x, 2);
/// assert_eq!(x, 0b0000_0111);
/// rotate_left::inverse(&mut x, 2);
/// assert_eq!(x, 0b1100_0001);
/// ```
#[instruction(inverse = rotate_right)]
#[inline]
pub fn rotate_left<T: Bits>(x: &mut T, n: u32) {
    x.turn_left(n);
}

/// Moves the bits `n` places down; what leaves below comes in at the top.
///
/// ```
/// use retrograde::instructions::rotate_right;
///
/// let mut x = 0b1100_0001_u8;
/// rotate_right(&mut x, 2);
/// assert_eq!(x, 0b0111_0000);
/// rotate_right::inverse(&mut x, 2);
/// assert_eq!(x, 0b1100_0001);
/// ```
#[instruction(inverse = rotate_left)]
#[inline]
pub fn rotate_right<T: Bits>(x: &mut T, n: u32) {
    x.turn_right(n);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reversible;
    use crate::check::Check;
    use crate::num::{Complex, Fixed43};
    use proptest::prelude::*;

    /// Runs an instruction and its inverse, and gives what they left of the places.
    macro_rules! there_and_back {
        ($name:ident($($place:ident),+ $(; $constant:expr)?)) => {{
            let ($(mut $place,)+) = ($($place,)+);
            $name($(&mut $place,)+ $($constant)?);
            $name::inverse($(&mut $place,)+ $($constant)?);
            ($($place,)+)
        }};
    }

    proptest! {
        #[test]
        fn integers_come_back_exactly(x: i16, y: u64, z: bool, n in 0..200_u32) {
            let t = Tropical(x);
            prop_assert_eq!(there_and_back!(neg(x)), (x,));
            prop_assert_eq!(there_and_back!(neg(y)), (y,));
            prop_assert_eq!(there_and_back!(inc(x)), (x,));
            prop_assert_eq!(there_and_back!(dec(y)), (y,));
            prop_assert_eq!(there_and_back!(inv(t)), (t,));
            prop_assert_eq!(there_and_back!(flip(z)), (z,));
            prop_assert_eq!(there_and_back!(rotate_left(x; n)), (x,));
            prop_assert_eq!(there_and_back!(rotate_right(y; n)), (y,));
        }

        #[test]
        fn fixed_point_comes_back_exactly(x in -1e3..1e3, y in -1e3..1e3) {
            let (x, y) = (Fixed43::from_f64(x), Fixed43::from_f64(y));
            prop_assert_eq!(there_and_back!(swap(x, y)), (x, y));
            prop_assert_eq!(there_and_back!(neg(x)), (x,));
            prop_assert_eq!(there_and_back!(inc(x)), (x,));
            prop_assert_eq!(there_and_back!(add_constant(x; y)), (x,));
            prop_assert_eq!(there_and_back!(sub_constant(x; y)), (x,));
        }

        #[test]
        fn rotations_come_back_up_to_round_off(x in -1e3..1e3, y in -1e3..1e3, angle in -9.0..9.0) {
            let (z, w) = (Complex::new(x, y), Complex::new(y, angle));
            prop_assert!(there_and_back!(rot(x, y; &angle)).agrees(&(x, y), 1e3));
            prop_assert!(there_and_back!(unrot(x, y; &angle)).agrees(&(x, y), 1e3));
            prop_assert!(there_and_back!(hadamard(z, w)).agrees(&(z, w), 1e3));
            prop_assert_eq!(there_and_back!(conj(z)), (z,));
        }
    }

    #[test]
    fn a_rotation_keeps_the_length_and_adds_the_angle() {
        let (mut a, mut b) = (3.0_f64, 4.0_f64);
        rot(&mut a, &mut b, &0.3);
        assert!(a.hypot(b).agrees(&5.0, 0.0));
        assert!((b.atan2(a) - 4.0_f64.atan2(3.0)).agrees(&0.3, 0.0));
    }

    #[test]
    fn an_instruction_is_a_value() {
        fn twice<T>(f: impl for<'a> Reversible<(&'a mut T,)>, x: &mut T) {
            f.call((&mut *x,));
            f.call((x,));
        }
        let mut x = 5;
        twice(inc {}, &mut x);
        assert_eq!(x, 7);
        twice(neg {}, &mut x);
        assert_eq!(x, 7);
        (dec {}).call_inverse((&mut x,));
        assert_eq!(x, 8);
    }

    #[test]
    fn counting_works_on_every_kind_of_number() {
        let mut z = Complex::new(0.5, 2.0);
        inc(&mut z);
        assert_eq!(z, Complex::new(1.5, 2.0));
        let mut q = Fixed43::from_f64(0.5);
        dec(&mut q);
        assert_eq!(q, Fixed43::from_f64(-0.5));
        let mut n = i8::MIN;
        dec(&mut n);
        assert_eq!(n, i8::MAX);
    }
}
