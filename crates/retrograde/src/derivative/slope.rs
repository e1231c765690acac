//! The slopes of the elementary functions: `f′(x)`, each formula in one place.
//!
//! Both directions of differentiation use them: [`Dual`](crate::num::Dual)
//! numbers, and the gradients of generated code. Some slopes are computed from
//! the argument `x`, others from the value `y = f(x)`, whichever is cheaper:
//!
//! ```
//! use retrograde::derivative::slope;
//!
//! let x = 0.5_f64;
//! assert_eq!(slope::sin(&x), x.cos());
//! assert_eq!(slope::exp(&x.exp()), x.exp());
//! assert_eq!(slope::powi(&x, 3), 0.75);
//! ```
//!
//! For complex numbers these are the complex derivatives, and a gradient goes
//! back with their conjugates: [`pull`](super::pull).
//!
//! # At the edges
//!
//! Where a derivative does not exist, or is infinite beside a finite value, the
//! slope is finite: see the table of [`Dual`](crate::num::Dual#at-the-edges).

use crate::num::{Elementary, Real};

/// The natural logarithm of two, with the digits of `T`; of a half, which more
/// types can hold.
#[inline]
fn ln_2<T: Elementary>() -> T {
    -T::literal(0.5).ln()
}

/// `√((1 − x)(1 + x))`.
#[inline]
fn beside_one<T: Elementary>(x: &T) -> T {
    ((T::one() - x.clone()) * (T::one() + x.clone())).sqrt()
}

macro_rules! slopes {
    ($($(#[$doc:meta])* $name:ident |$x:ident| $slope:expr;)+) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name<T: Elementary>($x: &T) -> T {
            $slope
        }
    )+};
}

slopes! {
    /// `(eˣ − 1)′ = eˣ`, of `x`.
    exp_m1 |x| x.clone().exp();
    /// `(ln x)′ = 1 / x`, of `x`.
    ln |x| x.clone().recip();
    /// `(ln(1 + x))′ = 1 / (1 + x)`, of `x`.
    ln_1p |x| (T::one() + x.clone()).recip();
    /// `(log₂ x)′ = 1 / (x ln 2)`, of `x`.
    log2 |x| (x.clone() * ln_2()).recip();
    /// `(log₁₀ x)′ = 1 / (x ln 10)`, of `x`.
    log10 |x| (x.clone() * T::literal(10.0).ln()).recip();
    /// `(sin x)′ = cos x`, of `x`.
    sin |x| x.clone().cos();
    /// `(cos x)′ = −sin x`, of `x`.
    cos |x| -x.clone().sin();
    /// `(asin x)′ = 1 / √((1 − x)(1 + x))`, and 0 at ±1, of `x`.
    asin |x| beside_one(x).recip_or_zero();
    /// `(acos x)′ = −1 / √((1 − x)(1 + x))`, and 0 at ±1, of `x`.
    acos |x| -beside_one(x).recip_or_zero();
    /// `(atan x)′ = 1 / (1 + x²)`, of `x`.
    atan |x| (T::one() + x.clone() * x.clone()).recip();
    /// `(sinh x)′ = cosh x`, of `x`.
    sinh |x| x.clone().cosh();
    /// `(cosh x)′ = sinh x`, of `x`.
    cosh |x| x.clone().sinh();
    /// `(asinh x)′ = 1 / √(1 + x²)`, of `x`.
    asinh |x| x.clone().hypot_one().recip();
    /// `(acosh x)′ = 1 / (√(x − 1) √(x + 1))`, and 0 at 1, of `x`.
    acosh |x| ((x.clone() - T::one()).sqrt() * (x.clone() + T::one()).sqrt()).recip_or_zero();
    /// `(atanh x)′ = 1 / ((1 − x)(1 + x))`, of `x`.
    atanh |x| ((T::one() - x.clone()) * (T::one() + x.clone())).recip();

    /// `(√x)′ = 1 / (2y)`, and 0 at 0, of `y = √x`.
    sqrt |y| y.clone().recip_or_zero().scaled(0.5);
    /// `(∛x)′ = 1 / (3y²)`, and 0 at 0, of `y = ∛x`.
    cbrt |y| (T::literal(3.0) * y.clone() * y.clone()).recip_or_zero();
    /// `(eˣ)′ = y`, of `y = eˣ`.
    exp |y| y.clone();
    /// `(eˣ)′ = y`, of `y = eˣ`.
    fast_exp |y| y.clone();
    /// `(tanh x)′ = (1 − y)(1 + y)`, of `y = tanh x`, as [`tanh`].
    fast_tanh |y| tanh(y);
    /// `(2ˣ)′ = y ln 2`, of `y = 2ˣ`.
    exp2 |y| y.clone() * ln_2();
    /// `(tan x)′ = 1 + y²`, of `y = tan x`.
    tan |y| T::one() + y.clone() * y.clone();
    /// `(tanh x)′ = (1 − y)(1 + y)`, of `y = tanh x`.
    ///
    /// That costs two sums and a product. Far out, where `y` rounds to ±1, it
    /// loses the digits of a slope that is nearly zero, and becomes zero from
    /// about `|x| = 19` in `f64`. The absolute error stays that of `y`.
    tanh |y| (T::one() - y.clone()) * (T::one() + y.clone());
    /// `(1/x)′ = −y²`, of `y = 1/x`.
    recip |y| -(y.clone() * y.clone());
}

/// `(xⁿ)′ = n xⁿ⁻¹`; 0 for `n = 0`, and at `x = 0` for negative `n`.
#[inline]
pub fn powi<T: Elementary>(x: &T, n: i32) -> T {
    if n == 0 || n < 0 && x.is_zero() {
        return T::zero();
    }
    let power = match n.checked_sub(1) {
        Some(less) => x.clone().powi(less),
        None => x.clone().powi(n) / x.clone(),
    };
    T::literal(f64::from(n)) * power
}

/// `∂(xᵖ)/∂x = p xᵖ⁻¹`, of `x`, `p` and `y = xᵖ`. At `x = 0`: 1 for `p = 1`,
/// otherwise 0, below 1 too.
#[inline]
pub fn powf_left<T: Elementary>(x: &T, p: &T, _y: &T) -> T {
    let less = p.clone() - T::one();
    if !x.is_zero() {
        return p.clone() * x.clone().powf(less);
    }
    if !(less.is_zero() || less.has_logarithm()) {
        return T::zero();
    }
    // Not simply 0 or 1: the power of a dual number has derivatives, here too.
    let power = x.clone().powf(less);
    let finite = (power.clone() - power.clone()).is_zero();
    if finite { p.clone() * power } else { T::zero() }
}

/// `∂(xᵖ)/∂p = y ln x`, of `x`, `p` and `y = xᵖ`; 0 where `x` has no logarithm.
#[inline]
pub fn powf_right<T: Elementary>(x: &T, _p: &T, y: &T) -> T {
    if x.has_logarithm() { y.clone() * x.clone().ln() } else { T::zero() }
}

/// `|x|′ = ±1`, with the sign of `x`; 0 at 0.
#[inline]
pub fn abs<T: Real>(x: &T) -> T {
    if x.is_zero() { T::zero() } else { x.clone().signum() }
}

/// `∂√(a² + b²)/∂a = a / y`, of `a`, `b` and `y = √(a² + b²)`; 0 at (0, 0).
#[inline]
pub fn hypot_left<T: Real>(a: &T, _b: &T, y: &T) -> T {
    if y.is_zero() { T::zero() } else { a.clone() / y.clone() }
}

/// `∂√(a² + b²)/∂b = b / y`, of `a`, `b` and `y = √(a² + b²)`; 0 at (0, 0).
#[inline]
pub fn hypot_right<T: Real>(a: &T, b: &T, y: &T) -> T {
    hypot_left(b, a, y)
}

/// `∂ a.atan2(b)/∂a = b / (a² + b²)`; 0 at (0, 0).
#[inline]
pub fn atan2_left<T: Real>(a: &T, b: &T) -> T {
    let length = b.clone().hypot(a.clone());
    if length.is_zero() {
        return T::zero();
    }
    // Divided by the length twice, lest a square overflow.
    b.clone() / length.clone() / length
}

/// `∂ a.atan2(b)/∂b = −a / (a² + b²)`; 0 at (0, 0).
#[inline]
pub fn atan2_right<T: Real>(a: &T, b: &T) -> T {
    -atan2_left(b, a)
}

/// What the chosen one gets: all, or half at a tie.
#[inline]
fn share<T: Real>(a: &T, b: &T, chosen: bool) -> T {
    if a == b {
        T::literal(0.5)
    } else if chosen {
        T::one()
    } else {
        T::zero()
    }
}

/// Whether a number differs from itself.
#[allow(clippy::eq_op)]
#[inline]
fn is_nan<T: Real>(x: &T) -> bool {
    x != x
}

/// `∂ min(a, b)/∂a`: 1 where `a` is smaller, ½ at a tie, otherwise 0. What is
/// not a number loses.
#[inline]
pub fn min_left<T: Real>(a: &T, b: &T) -> T {
    share(a, b, a < b || is_nan(b))
}

/// `∂ min(a, b)/∂b`: what [`min_left`] leaves of 1.
#[inline]
pub fn min_right<T: Real>(a: &T, b: &T) -> T {
    share(a, b, !(a < b || is_nan(b)))
}

/// `∂ max(a, b)/∂a`: 1 where `a` is larger, ½ at a tie, otherwise 0. What is not
/// a number loses.
#[inline]
pub fn max_left<T: Real>(a: &T, b: &T) -> T {
    share(a, b, a > b || is_nan(b))
}

/// `∂ max(a, b)/∂b`: what [`max_left`] leaves of 1.
#[inline]
pub fn max_right<T: Real>(a: &T, b: &T) -> T {
    share(a, b, !(a > b || is_nan(b)))
}

/// How often `b` goes into `a`, and what it leaves.
#[inline]
fn divided<T: Real>(a: &T, b: &T) -> (T, T) {
    let quotient = (a.clone() / b.clone()).trunc();
    let rest = (-quotient.clone()).mul_add(b.clone(), a.clone());
    let zero = T::zero();
    // A quotient just below a whole number may have been rounded up to it. Then
    // what it leaves of `a` has the wrong sign.
    if rest < zero && *a > zero || rest > zero && *a < zero {
        let once = quotient.clone().signum();
        let rest = once.clone().mul_add(b.clone(), rest);
        (quotient - once, rest)
    } else {
        (quotient, rest)
    }
}

/// `∂(a % b)/∂b = −trunc(a / b)`. (`∂(a % b)/∂a` is 1.)
#[inline]
pub fn rem_right<T: Real>(a: &T, b: &T) -> T {
    -divided(a, b).0
}

/// `∂ a.rem_euclid(b)/∂b = −a.div_euclid(b)`. (`∂ a.rem_euclid(b)/∂a` is 1.)
#[inline]
pub fn rem_euclid_right<T: Real>(a: &T, b: &T) -> T {
    let (quotient, rest) = divided(a, b);
    if rest < T::zero() { b.clone().signum() - quotient } else { -quotient }
}

/// `∂ a.copysign(b)/∂a`: 1 where the signs agree, −1 where they do not; 0 at 0.
#[inline]
pub fn copysign_left<T: Real>(a: &T, b: &T) -> T {
    let sign = b.clone().signum();
    // Types without a negative zero have zero for its sign.
    if sign.is_zero() { abs(a) } else { abs(a) * sign }
}
