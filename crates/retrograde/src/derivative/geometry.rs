//! The rules of lengths, angles and inner products.

use crate::num::{Complex, Zero};

/// A type with a length: how a gradient goes back through it.
///
/// ```
/// use retrograde::derivative::{PullNorm, pull};
///
/// #[derive(Debug, PartialEq)]
/// struct Point(f64, f64);
///
/// impl PullNorm for Point {
///     type Norm = f64;
///     fn pull_norm(g: &f64, p: &Point, norm: &f64) -> Point {
///         let scale = if *norm == 0.0 { 0.0 } else { g / norm };
///         Point(scale * p.0, scale * p.1)
///     }
///     fn pull_norm_sqr(g: &f64, p: &Point) -> Point {
///         Point(2.0 * g * p.0, 2.0 * g * p.1)
///     }
/// }
///
/// assert_eq!(pull::norm(&10.0, &Point(3.0, 4.0), &5.0), Point(6.0, 8.0));
/// ```
#[diagnostic::on_unimplemented(
    label = "the derivative of `norm` on `{Self}` is not known",
    note = "help: implement `retrograde::derivative::PullNorm` for `{Self}`"
)]
pub trait PullNorm: Sized {
    /// The type of the length.
    type Norm;
    /// What `z` gets of the gradient `g` of its length `y`: `g z / y`; zero at
    /// zero.
    fn pull_norm(g: &Self::Norm, z: &Self, y: &Self::Norm) -> Self;
    /// What `z` gets of the gradient `g` of its squared length: `2 g z`.
    fn pull_norm_sqr(g: &Self::Norm, z: &Self) -> Self;
}

/// A type with an angle: how a gradient goes back through it.
///
/// ```
/// use retrograde::{derivative::pull, num::Complex};
///
/// // Along the imaginary axis from 2, the angle changes by ½.
/// assert_eq!(pull::arg(&1.0, &Complex::new(2.0, 0.0)), Complex::new(0.0, 0.5));
/// ```
#[diagnostic::on_unimplemented(
    label = "the derivative of `arg` on `{Self}` is not known",
    note = "help: implement `retrograde::derivative::PullArg` for `{Self}`"
)]
pub trait PullArg: Sized {
    /// The type of the angle.
    type Angle;
    /// What `z` gets of the gradient `g` of its angle; zero at zero.
    fn pull_arg(g: &Self::Angle, z: &Self) -> Self;
}

/// Types with an inner product: how a gradient goes back through it.
///
/// ```
/// use retrograde::derivative::{PullDot, pull};
///
/// #[derive(Debug, PartialEq)]
/// struct Point(f64, f64);
///
/// impl PullDot for Point {
///     type Output = f64;
///     fn pull_dot_left(g: &f64, _left: &Point, right: &Point) -> Point {
///         Point(g * right.0, g * right.1)
///     }
///     fn pull_dot_right(g: &f64, left: &Point, _right: &Point) -> Point {
///         Point(g * left.0, g * left.1)
///     }
/// }
///
/// assert_eq!(pull::dot_left(&2.0, &Point(1.0, 2.0), &Point(3.0, 4.0)), Point(6.0, 8.0));
/// ```
#[diagnostic::on_unimplemented(
    label = "the derivative of `dot` of `{Self}` and `{Rhs}` is not known",
    note = "help: implement `retrograde::derivative::PullDot<{Rhs}>` for `{Self}`"
)]
pub trait PullDot<Rhs = Self>: Sized {
    /// The type of the inner product.
    type Output;
    /// What the left operand gets of the gradient `g` of the product.
    fn pull_dot_left(g: &Self::Output, left: &Self, right: &Rhs) -> Self;
    /// What the right operand gets of the gradient `g` of the product.
    fn pull_dot_right(g: &Self::Output, left: &Self, right: &Rhs) -> Rhs;
}

macro_rules! complex {
    ($($type:ident)+) => {$(
        impl PullNorm for Complex<$type> {
            type Norm = $type;
            #[inline]
            fn pull_norm(g: &$type, z: &Self, y: &$type) -> Self {
                if *y == 0.0 { Self::zero() } else { z / y * g }
            }
            #[inline]
            fn pull_norm_sqr(g: &$type, z: &Self) -> Self {
                z * (g + g)
            }
        }

        impl PullArg for Complex<$type> {
            type Angle = $type;
            #[inline]
            fn pull_arg(g: &$type, z: &Self) -> Self {
                let square = z.norm_sqr();
                if square.is_normal() {
                    return Self::new(g * -(z.im / square), g * (z.re / square));
                }
                // The square is too large or too small for a float.
                let length = z.norm();
                if length == 0.0 {
                    return Self::zero();
                }
                Self::new(g * -(z.im / length / length), g * (z.re / length / length))
            }
        }
    )+};
}

complex!(f32 f64);

/// What a value gets of the gradient of the sum that it was added to: the same, or of a
/// complex number the part that lies on the real line.
pub trait RealShare<T> {
    /// What the value gets.
    fn real_share(&self) -> T;
}

impl<T: Clone> RealShare<T> for T {
    #[inline]
    fn real_share(&self) -> T {
        self.clone()
    }
}

/// What `_value` gets of the gradient `g` of the sum that it was added to.
///
/// ```
/// use retrograde::{derivative::real_share, num::Complex};
///
/// assert_eq!(real_share(&Complex::new(3.0, 4.0), &1.0), 3.0);
/// assert_eq!(real_share(&3.0, &1.0), 3.0);
/// ```
#[inline]
pub fn real_share<G: RealShare<T>, T>(g: &G, _value: &T) -> T {
    g.real_share()
}
