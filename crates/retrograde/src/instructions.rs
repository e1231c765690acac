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
//!
//! # Gradients
//!
//! Each of them has an adjoint, [`rot::adjoint`](struct@rot), which takes every
//! argument followed by its shadow. An instruction of your own has one if it
//! names it, with the same arguments:
//!
//! ```
//! use retrograde::prelude::*;
//!
//! /// `(a, b) ↦ (a, a − b)`.
//! #[instruction(self_inverse, adjoint = reflect_adjoint)]
//! fn reflect(a: &f64, b: &mut f64) {
//!     *b = *a - *b;
//! }
//!
//! fn reflect_adjoint(a: &f64, d_a: &mut f64, b: &mut f64, d_b: &mut f64) {
//!     reflect(a, b);
//!     *d_a += *d_b;
//!     *d_b = -*d_b;
//! }
//!
//! let (a, mut b, mut d_a, mut d_b) = (5.0, 2.0, 0.0, 1.0);
//! reflect::adjoint(&a, &mut d_a, &mut b, &mut d_b);
//! assert_eq!((b, d_a, d_b), (3.0, 1.0, -1.0));
//! reflect::inverse_adjoint(&a, &mut d_a, &mut b, &mut d_b);
//! assert_eq!((b, d_a, d_b), (2.0, 0.0, 1.0));
//! ```
//!
//! One that does not undo itself has two: `#[instruction(inverse = g, adjoint =
//! f_adjoint, inverse_adjoint = g_adjoint)]`.

use crate::derivative::Differentiable;
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
///
/// Its adjoint exchanges the gradients, too.
#[instruction(self_inverse, adjoint = swap_adjoint)]
#[inline]
pub fn swap<T>(a: &mut T, b: &mut T) {
    mem::swap(a, b);
}

#[inline]
fn swap_adjoint<T>(a: &mut T, d_a: &mut T, b: &mut T, d_b: &mut T) {
    mem::swap(a, b);
    mem::swap(d_a, d_b);
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
#[instruction(self_inverse, adjoint = neg_adjoint)]
#[inline]
pub fn neg<T: AdditiveGroup>(x: &mut T) {
    x.negate();
}

#[inline]
fn neg_adjoint<T: AdditiveGroup>(x: &mut T, d_x: &mut T) {
    x.negate();
    d_x.negate();
}

/// Numbers whose reciprocal is exact.
///
/// Floats are left out on purpose: `1.0 / (1.0 / x)` is often not `x`.
///
/// ```compile_fail,E0277
/// retrograde::instructions::inv(&mut 2.0);
/// ```
///
/// These are types whose product is a sum inside, and whose shadow holds the
/// derivative by what is inside. There, a reciprocal is a change of sign, of the
/// number as of its shadow, and [`reciprocate`](Self::reciprocate) is called on
/// both.
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
#[instruction(self_inverse, adjoint = inv_adjoint)]
#[inline]
pub fn inv<T: Reciprocal>(x: &mut T) {
    x.reciprocate();
}

#[inline]
fn inv_adjoint<T: Reciprocal>(x: &mut T, d_x: &mut T) {
    x.reciprocate();
    d_x.reciprocate();
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
#[instruction(self_inverse, adjoint = conj_adjoint)]
#[inline]
pub fn conj<T: Arithmetic>(z: &mut T) {
    *z = z.clone().conj();
}

/// The gradient is `∂L/∂re + i ∂L/∂im`.
#[inline]
fn conj_adjoint<T: Arithmetic>(z: &mut T, d_z: &mut T) {
    conj(z);
    conj(d_z);
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
///
/// Its adjoint leaves the gradient as it is.
#[instruction(inverse = dec, adjoint = inc_adjoint, inverse_adjoint = dec_adjoint, adds)]
#[inline]
pub fn inc<T: Successor>(x: &mut T) {
    x.increase();
}

#[inline]
fn inc_adjoint<T: Successor>(x: &mut T, _d_x: &mut T) {
    x.decrease();
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
///
/// Its adjoint leaves the gradient as it is.
#[instruction(inverse = inc, adjoint = dec_adjoint, inverse_adjoint = inc_adjoint, adds)]
#[inline]
pub fn dec<T: Successor>(x: &mut T) {
    x.decrease();
}

#[inline]
fn dec_adjoint<T: Successor>(x: &mut T, _d_x: &mut T) {
    x.increase();
}

/// `x ↦ x + c`, with a number that is passed by value.
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
///
/// What was computed from something else is no constant to its adjoint, so `c`
/// gets a gradient.
///
/// ```
/// # use retrograde::instructions::add_constant;
/// let (mut x, mut d_x, mut d_c) = (1.5, 1.0, 0.0);
/// add_constant::adjoint(&mut x, &mut d_x, 0.5, &mut d_c);
/// assert_eq!((x, d_x, d_c), (1.0, 1.0, 1.0));
/// ```
#[instruction(
    inverse = sub_constant,
    adjoint = add_constant_adjoint,
    inverse_adjoint = sub_constant_adjoint,
    adds
)]
#[inline]
pub fn add_constant<T: AdditiveGroup>(x: &mut T, c: T) {
    x.accumulate(c);
}

#[inline]
fn add_constant_adjoint<T: AdditiveGroup + Differentiable>(
    x: &mut T,
    d_x: &mut T,
    c: T,
    d_c: &mut T,
) {
    x.retract(c);
    d_c.accumulate_shadow(d_x.clone());
}

/// `x ↦ x − c`, with a number that is passed by value.
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
///
/// `c` gets a gradient, as with [`add_constant`](fn@add_constant).
#[instruction(
    inverse = add_constant,
    adjoint = sub_constant_adjoint,
    inverse_adjoint = add_constant_adjoint,
    adds
)]
#[inline]
pub fn sub_constant<T: AdditiveGroup>(x: &mut T, c: T) {
    x.retract(c);
}

#[inline]
fn sub_constant_adjoint<T: AdditiveGroup + Differentiable>(
    x: &mut T,
    d_x: &mut T,
    c: T,
    d_c: &mut T,
) {
    x.accumulate(c);
    d_c.retract_shadow(d_x.clone());
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
///
/// Its adjoint turns the gradient back, too, and gives the angle its share:
///
/// ```
/// # use retrograde::instructions::rot;
/// // b grows by as much as a is, per angle.
/// let (mut a, mut b, mut d_a, mut d_b, mut d_angle) = (3.0, 4.0, 0.0, 1.0, 0.0);
/// rot::adjoint(&mut a, &mut d_a, &mut b, &mut d_b, &0.0, &mut d_angle);
/// assert_eq!((d_a, d_b, d_angle), (0.0, 1.0, 3.0));
/// ```
#[instruction(inverse = unrot, adjoint = rot_adjoint, inverse_adjoint = unrot_adjoint)]
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
#[instruction(inverse = rot, adjoint = unrot_adjoint, inverse_adjoint = rot_adjoint)]
#[inline]
pub fn unrot<T: Elementary>(a: &mut T, b: &mut T, angle: &T) {
    let (sin, cos) = angle.clone().sin_cos();
    turn(a, b, -sin, cos);
}

#[inline]
fn rot_adjoint<T: Elementary>(
    a: &mut T,
    d_a: &mut T,
    b: &mut T,
    d_b: &mut T,
    angle: &T,
    d_angle: &mut T,
) {
    d_angle.accumulate_shadow(moment(a, d_a, b, d_b));
    let (sin, cos) = angle.clone().sin_cos();
    turn(d_a, d_b, -sin.clone().conj(), cos.clone().conj());
    turn(a, b, -sin, cos);
}

#[inline]
fn unrot_adjoint<T: Elementary>(
    a: &mut T,
    d_a: &mut T,
    b: &mut T,
    d_b: &mut T,
    angle: &T,
    d_angle: &mut T,
) {
    d_angle.retract_shadow(moment(a, d_a, b, d_b));
    let (sin, cos) = angle.clone().sin_cos();
    turn(d_a, d_b, sin.clone().conj(), cos.clone().conj());
    turn(a, b, sin, cos);
}

/// What the angle gets of the gradient with respect to the point that it turned:
/// `∂a/∂θ = −b` and `∂b/∂θ = a`. A rotation of the point and of the
/// gradient leaves it as it is.
#[inline]
fn moment<T: Arithmetic>(a: &T, d_a: &T, b: &T, d_b: &T) -> T {
    d_b.clone() * a.clone().conj() - d_a.clone() * b.clone().conj()
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
#[instruction(self_inverse, adjoint = hadamard_adjoint)]
#[inline]
pub fn hadamard<T: Arithmetic>(a: &mut T, b: &mut T) {
    let difference = a.clone() - b.clone();
    *a = (a.clone() + b.clone()).scaled(FRAC_1_SQRT_2);
    *b = difference.scaled(FRAC_1_SQRT_2);
}

/// The matrix is symmetric and real, so it is its own adjoint.
#[inline]
fn hadamard_adjoint<T: Arithmetic>(a: &mut T, d_a: &mut T, b: &mut T, d_b: &mut T) {
    hadamard(a, b);
    hadamard(d_a, d_b);
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
pub fn rotate_left<T: Bits>(#[constant] x: &mut T, n: u32) {
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
pub fn rotate_right<T: Bits>(#[constant] x: &mut T, n: u32) {
    x.turn_right(n);
}

#[cfg(test)]
mod tests;
