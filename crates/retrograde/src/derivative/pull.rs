//! How a gradient goes back through the elementary functions, for types that
//! need not be real numbers.
//!
//! Each function takes the gradient `g` with respect to the result, then what
//! its namesake in [`slope`] takes, and gives what the argument gets:
//! `g · f′(x)` for real numbers, and `g` times the conjugate of `f′(x)` for
//! complex ones, whose gradient is `∂L/∂re + i ∂L/∂im`.
//!
//! ```
//! use retrograde::derivative::pull;
//! use retrograde::num::Complex;
//!
//! assert_eq!(pull::powi(&2.0, &3.0, 2), 12.0);
//! let (g, z) = (Complex::new(0.0, 1.0), Complex::new(1.0, 2.0));
//! assert_eq!(pull::powi(&g, &z, 2), g * 2.0 * z.conj());
//! ```

use super::{PullArg, PullDot, PullNorm, PullOrder, slope};
use crate::num::{Arithmetic, Complex, Elementary, Logarithmic, Real, Zero};

/// The gradient, times the conjugate of the slope.
#[inline]
fn back<T: Arithmetic>(g: &T, slope: T) -> T {
    g.clone() * slope.conj()
}

macro_rules! pulls {
    ($bound:ident $argument:literal: $($name:ident)+) => {$(
        #[doc = concat!("Through `", stringify!($name), "`, by [`slope::", stringify!($name), "`] of ", $argument)]
        #[inline]
        pub fn $name<T: $bound>(g: &T, x: &T) -> T {
            back(g, slope::$name(x))
        }
    )+};
}

pulls!(Elementary "the argument.": exp_m1 ln_1p log2 log10 sin cos asin acos atan sinh cosh);
pulls!(Elementary "the argument.": asinh acosh atanh);
pulls!(Elementary "the value.": sqrt cbrt exp exp2 tan tanh fast_exp fast_tanh);

/// Through `x * x.sqrt()`, from the root: `(x √x)′ = 3/2 √x`.
#[inline]
pub fn own_root<T: Elementary>(g: &T, root: &T) -> T {
    back(g, root.clone().scaled(1.5))
}

/// Through `x.sin_cos()`, from the value.
#[inline]
pub fn sin_cos<T: Elementary>(g: &(T, T), (sin, cos): &(T, T)) -> T {
    back(&g.0, cos.clone()) - back(&g.1, sin.clone())
}

/// Through `x.powi(n)`.
#[inline]
pub fn powi<T: PullPower>(g: &T, x: &T, n: i32) -> T {
    T::pull_powi(g, x, n)
}

/// Through `x.recip()`, from the value.
#[inline]
pub fn recip<T: PullPower>(g: &T, y: &T) -> T {
    T::pull_recip(g, y)
}

/// Through `x.ln()`, from the argument.
#[inline]
pub fn ln<T: PullPower>(g: &T::Exponent, x: &T) -> T {
    T::pull_ln(g, x)
}

/// The rules of powers and logarithms, which numbers that are held as their
/// logarithms have in their own way.
pub trait PullPower: Sized {
    /// What a logarithm is.
    type Exponent;
    /// The gradient of `x.powi(n)`.
    fn pull_powi(g: &Self, x: &Self, n: i32) -> Self;
    /// The gradient of `x.recip()`, from its value.
    fn pull_recip(g: &Self, y: &Self) -> Self;
    /// The gradient of `x.ln()`.
    fn pull_ln(g: &Self::Exponent, x: &Self) -> Self;
}

impl<T: Elementary> PullPower for T {
    type Exponent = T;
    #[inline]
    fn pull_powi(g: &T, x: &T, n: i32) -> T {
        back(g, slope::powi(x, n))
    }
    #[inline]
    fn pull_recip(g: &T, y: &T) -> T {
        back(g, slope::recip(y))
    }
    #[inline]
    fn pull_ln(g: &T, x: &T) -> T {
        back(g, slope::ln(x))
    }
}

/// In the logarithm, where they are products and differences.
impl<T: Arithmetic> PullPower for Logarithmic<T> {
    type Exponent = T;
    #[inline]
    fn pull_powi(g: &Self, _x: &Self, n: i32) -> Self {
        Logarithmic::from_ln(g.ln() * T::from_f64(f64::from(n)))
    }
    #[inline]
    fn pull_recip(g: &Self, _y: &Self) -> Self {
        Logarithmic::from_ln(-g.ln())
    }
    #[inline]
    fn pull_ln(g: &T, _x: &Self) -> Self {
        Logarithmic::from_ln(g.clone())
    }
}

macro_rules! pulls_of_two {
    ($($name:ident<$bound:ident>($($argument:ident)+) $text:literal;)+) => {$(
        #[doc = concat!("Through `", $text, "`, by [`slope::", stringify!($name), "`].")]
        #[inline]
        pub fn $name<T: $bound>(g: &T, $($argument: &T),+) -> T {
            back(g, slope::$name($($argument),+))
        }
    )+};
}

pulls_of_two! {
    powf_left<Elementary>(x p y) "y = x.powf(p)";
    powf_right<Elementary>(x p y) "y = x.powf(p)";
    hypot_left<Real>(a b y) "y = a.hypot(b)";
    hypot_right<Real>(a b y) "y = a.hypot(b)";
    atan2_left<Real>(a b) "a.atan2(b)";
    atan2_right<Real>(a b) "a.atan2(b)";
    copysign_left<Real>(a b) "a.copysign(b)";
    rem_euclid_right<Real>(a b) "a.rem_euclid(b)";
}

/// Through `x.abs()`; zero for integers.
#[inline]
pub fn abs<T: PullOrder>(g: &T, x: &T) -> T {
    T::pull_abs(g, x)
}

macro_rules! pulls_by_order {
    ($($text:literal $name:ident $pull:ident;)+) => {$(
        #[doc = concat!("Through `", $text, "`; zero for integers.")]
        #[inline]
        pub fn $name<T: PullOrder>(g: &T, a: &T, b: &T) -> T {
            T::$pull(g, a, b)
        }
    )+};
}

pulls_by_order! {
    "a.min(b)" min_left pull_min_left;
    "a.min(b)" min_right pull_min_right;
    "a.max(b)" max_left pull_max_left;
    "a.max(b)" max_right pull_max_right;
}

/// Through `y = z.norm()`; zero at zero.
#[inline]
pub fn norm<Z: PullNorm>(g: &Z::Norm, z: &Z, y: &Z::Norm) -> Z {
    Z::pull_norm(g, z, y)
}

/// Through `z.norm_sqr()`.
#[inline]
pub fn norm_sqr<Z: PullNorm>(g: &Z::Norm, z: &Z) -> Z {
    Z::pull_norm_sqr(g, z)
}

/// Through `z.norm_squared()`, another name of [`norm_sqr`].
#[inline]
pub fn norm_squared<Z: PullNorm>(g: &Z::Norm, z: &Z) -> Z {
    Z::pull_norm_sqr(g, z)
}

/// Through `z.arg()`; zero at zero.
#[inline]
pub fn arg<Z: PullArg>(g: &Z::Angle, z: &Z) -> Z {
    Z::pull_arg(g, z)
}

/// Through `z.conj()`.
#[inline]
pub fn conj<T: Arithmetic>(g: &T) -> T {
    g.clone().conj()
}

/// Through `a.dot(&b)`, to `a`.
#[inline]
pub fn dot_left<A: PullDot<B>, B>(g: &A::Output, a: &A, b: &B) -> A {
    A::pull_dot_left(g, a, b)
}

/// Through `a.dot(&b)`, to `b`.
#[inline]
pub fn dot_right<A: PullDot<B>, B>(g: &A::Output, a: &A, b: &B) -> B {
    A::pull_dot_right(g, a, b)
}

/// Through the real part of a complex number.
#[inline]
pub fn re<R: Zero + Clone>(g: &R) -> Complex<R> {
    Complex { re: g.clone(), im: R::zero() }
}

/// Through the imaginary part of a complex number.
#[inline]
pub fn im<R: Zero + Clone>(g: &R) -> Complex<R> {
    Complex { re: R::zero(), im: g.clone() }
}

/// Through `x.scaled(factor)`, to the factor.
#[inline]
pub fn scale<T: Real>(g: &T, x: &T) -> f64 {
    T::pull_from_f64(&(g.clone() * x.clone()))
}

/// `T::from_f64(x)`: the gradient of `x` is that of the number, as a float.
#[inline]
pub fn from_f64<T: Real>(g: &T) -> f64 {
    T::pull_from_f64(g)
}
