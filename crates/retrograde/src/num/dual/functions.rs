//! The derivatives of the elementary functions.

use super::Dual;
use crate::num::{Elementary, Real};

/// `1 / x`, or zero where that is infinite.
fn recip_or_zero<T: Real>(x: T) -> T {
    if x == T::zero() { T::zero() } else { x.recip() }
}

/// The natural logarithm of two, with the digits of `T`; of a half, which more
/// types can hold.
fn ln_2<T: Real>() -> T {
    -T::literal(0.5).ln()
}

/// `1 / cosh x`, which is `2q / (1 + q²)` for `q = e^−|x|`: nothing cancels, and
/// nothing overflows.
fn sech<T: Real>(x: T) -> T {
    // Not `abs`, whose derivatives at zero are not those of either side.
    let q = if x < T::zero() { x } else { -x }.exp();
    (q.clone() + q.clone()) / (T::one() + q.clone() * q)
}

/// Functions of one argument, by the chain rule: of `x`, and of `y = f(x)`, the
/// expression gives `f′(x)`.
macro_rules! by_slope {
    ($($(#[$doc:meta])* $name:ident |$x:ident, $y:ident| $slope:expr;)+) => {$(
        $(#[$doc])*
        #[inline]
        fn $name(self) -> Self {
            let $x = self.value.clone();
            let $y = $x.clone().$name();
            let slope = $slope;
            self.chain($y, slope)
        }
    )+};
}

impl<T: Real, const N: usize> Elementary for Dual<T, N> {
    by_slope! {
        /// `(√x)′ = x′ / (2√x)`, and 0 at 0.
        sqrt |_x, y| recip_or_zero(y.clone() + y.clone());
        /// `(∛x)′ = x′ / (3(∛x)²)`, and 0 at 0.
        cbrt |_x, y| recip_or_zero(T::literal(3.0) * y.clone() * y.clone());
        /// `(eˣ)′ = eˣ x′`.
        exp |_x, y| y.clone();
        /// `(2ˣ)′ = 2ˣ ln 2 x′`.
        exp2 |_x, y| y.clone() * ln_2();
        /// `(eˣ − 1)′ = eˣ x′`.
        exp_m1 |x, y| x.exp();
        /// `(ln x)′ = x′ / x`.
        ln |x, y| x.recip();
        /// `(ln(1 + x))′ = x′ / (1 + x)`.
        ln_1p |x, y| (T::one() + x).recip();
        /// `(log₂ x)′ = x′ / (x ln 2)`.
        log2 |x, y| (x * ln_2()).recip();
        /// `(log₁₀ x)′ = x′ / (x ln 10)`.
        log10 |x, y| (x * T::literal(10.0).ln()).recip();
        /// `(sin x)′ = cos x · x′`.
        sin |x, y| x.cos();
        /// `(cos x)′ = −sin x · x′`.
        cos |x, y| -x.sin();
        /// `(tan x)′ = (1 + tan² x) x′`.
        tan |_x, y| T::one() + y.clone() * y.clone();
        /// `(asin x)′ = x′ / √((1 − x)(1 + x))`, and 0 at ±1.
        asin |x, y| recip_or_zero(((T::one() - x.clone()) * (T::one() + x)).sqrt());
        /// `(acos x)′ = −x′ / √((1 − x)(1 + x))`, and 0 at ±1.
        acos |x, y| -recip_or_zero(((T::one() - x.clone()) * (T::one() + x)).sqrt());
        /// `(atan x)′ = x′ / (1 + x²)`.
        atan |x, y| (T::one() + x.clone() * x).recip();
        /// `(sinh x)′ = cosh x · x′`.
        sinh |x, y| x.cosh();
        /// `(cosh x)′ = sinh x · x′`.
        cosh |x, y| x.sinh();
        /// `(tanh x)′ = x′ / cosh² x`.
        tanh |x, y| {
            let sech = sech(x);
            sech.clone() * sech
        };
        /// `(asinh x)′ = x′ / √(1 + x²)`.
        asinh |x, y| T::one().hypot(x).recip();
        /// `(acosh x)′ = x′ / (√(x − 1) √(x + 1))`, and 0 at 1.
        acosh |x, y| recip_or_zero((x.clone() - T::one()).sqrt() * (x + T::one()).sqrt());
        /// `(atanh x)′ = x′ / ((1 − x)(1 + x))`.
        atanh |x, y| ((T::one() - x.clone()) * (T::one() + x)).recip();
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.clone().sin_cos();
        (self.clone().chain(sin.clone(), cos.clone()), self.chain(cos, -sin))
    }

    /// `(xⁿ)′ = n xⁿ⁻¹ x′`; 0 for `n = 0`, and at `x = 0` for negative `n`.
    fn powi(self, exponent: i32) -> Self {
        let x = self.value.clone();
        let value = x.clone().powi(exponent);
        let slope = if exponent == 0 || exponent < 0 && x == T::zero() {
            T::zero()
        } else {
            let power = match exponent.checked_sub(1) {
                Some(less) => x.powi(less),
                None => value.clone() / x,
            };
            T::literal(f64::from(exponent)) * power
        };
        self.chain(value, slope)
    }

    /// `(xᵖ)′ = p xᵖ⁻¹ x′ + xᵖ ln x · p′`; at `x = 0` the first factor is 0 for
    /// `p < 1`, and from there down the second one is 0.
    fn powf(self, exponent: Self) -> Self {
        let (x, p) = (&self.value, &exponent.value);
        let value = x.clone().powf(p.clone());
        let by_base = if *x == T::zero() && *p < T::one() {
            T::zero()
        } else {
            p.clone() * x.clone().powf(p.clone() - T::one())
        };
        let by_exponent = if *x > T::zero() { value.clone() * x.clone().ln() } else { T::zero() };
        self.chain_of_two(exponent, value, (by_base, by_exponent))
    }
}

/// Functions that are constant but for jumps.
macro_rules! constant {
    ($($name:ident)+) => {$(
        /// The derivative is zero, at the jumps too.
        #[inline]
        fn $name(self) -> Self {
            Self::constant(self.value.$name())
        }
    )+};
}

impl<T: Real, const N: usize> Real for Dual<T, N> {
    constant!(signum floor ceil round trunc);

    /// `|x|′ = ±x′`, with the sign of `x`; 0 at 0.
    #[inline]
    fn abs(self) -> Self {
        let x = self.value.clone();
        let sign = if x == T::zero() { T::zero() } else { x.clone().signum() };
        self.chain(x.abs(), sign)
    }
    /// The derivative of the smaller one, or half of both at a tie.
    #[inline]
    fn min(self, other: Self) -> Self {
        if self.value == other.value {
            let value = self.value.clone().min(other.value.clone());
            self.chain_of_two(other, value, (T::literal(0.5), T::literal(0.5)))
        } else if self.value < other.value || is_nan(&other.value) {
            self
        } else {
            other
        }
    }
    /// The derivative of the larger one, or half of both at a tie.
    #[inline]
    fn max(self, other: Self) -> Self {
        if self.value == other.value {
            let value = self.value.clone().max(other.value.clone());
            self.chain_of_two(other, value, (T::literal(0.5), T::literal(0.5)))
        } else if self.value > other.value || is_nan(&other.value) {
            self
        } else {
            other
        }
    }
    /// `h′ = (x/h) x′ + (y/h) y′` for `h = √(x² + y²)`; 0 at (0, 0).
    fn hypot(self, other: Self) -> Self {
        let (x, y) = (self.value.clone(), other.value.clone());
        let value = x.clone().hypot(y.clone());
        let slopes = if value == T::zero() {
            (T::zero(), T::zero())
        } else {
            (x / value.clone(), y / value.clone())
        };
        self.chain_of_two(other, value, slopes)
    }
    /// The angle of the point `(x, y)`, called as `y.atan2(x)`:
    /// `(x y′ − y x′) / (x² + y²)`; 0 at (0, 0).
    fn atan2(self, other: Self) -> Self {
        let (y, x) = (self.value.clone(), other.value.clone());
        // Divided by the length twice, lest a square overflow.
        let length = x.clone().hypot(y.clone());
        let value = y.clone().atan2(x.clone());
        let slopes = if length == T::zero() {
            (T::zero(), T::zero())
        } else {
            (x / length.clone() / length.clone(), -(y / length.clone() / length))
        };
        self.chain_of_two(other, value, slopes)
    }
    /// `(x a + b)′ = x′ a + x a′ + b′`.
    #[inline]
    fn mul_add(self, a: Self, b: Self) -> Self {
        let value = self.value.clone().mul_add(a.value.clone(), b.value.clone());
        Dual { value, ..self * a + b }
    }
    #[inline]
    fn to_f64(&self) -> f64 {
        self.value.to_f64()
    }
}

/// Whether a number differs from itself.
#[allow(clippy::eq_op)]
fn is_nan<T: Real>(x: &T) -> bool {
    x != x
}
