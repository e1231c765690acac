//! The elementary functions: values as `T` has them, tangents by the chain rule.

use super::Dual;
use crate::derivative::slope;
use crate::num::{Arithmetic, Elementary, Real};

/// Functions of one argument, by the chain rule: from the slope at `x`.
macro_rules! by_argument {
    ($($name:ident)+) => {$(
        #[inline]
        fn $name(self) -> Self {
            let value = self.value.clone().$name();
            let slope = slope::$name(&self.value);
            self.chain(value, slope)
        }
    )+};
}

/// The same, from the slope where the value is `y`.
macro_rules! by_value {
    ($($name:ident)+) => {$(
        #[inline]
        fn $name(self) -> Self {
            let value = self.value.clone().$name();
            let slope = slope::$name(&value);
            self.chain(value, slope)
        }
    )+};
}

impl<T: Real, const N: usize> Elementary for Dual<T, N> {
    by_value!(sqrt cbrt exp exp2 tan tanh fast_exp fast_tanh);
    by_argument!(exp_m1 ln ln_1p log2 log10);
    by_argument!(sin cos asin acos atan sinh cosh asinh acosh atanh);

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.clone().sin_cos();
        (self.clone().chain(sin.clone(), cos.clone()), self.chain(cos, -sin))
    }

    fn powi(self, exponent: i32) -> Self {
        let value = self.value.clone().powi(exponent);
        let slope = slope::powi(&self.value, exponent);
        self.chain(value, slope)
    }
    fn powf(self, exponent: Self) -> Self {
        let (x, p) = (&self.value, &exponent.value);
        let value = x.clone().powf(p.clone());
        let slopes = (slope::powf_left(x, p, &value), slope::powf_right(x, p, &value));
        self.chain_of_two(exponent, value, slopes)
    }
    #[inline]
    fn hypot_one(self) -> Self {
        Self::one().hypot(self)
    }
    #[inline]
    fn has_logarithm(&self) -> bool {
        self.value.has_logarithm()
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

/// The smaller or the larger one.
macro_rules! extremes {
    ($($name:ident $left:ident $right:ident),+) => {$(
        #[inline]
        fn $name(self, other: Self) -> Self {
            let left = slope::$left(&self.value, &other.value);
            let right = slope::$right(&self.value, &other.value);
            // Chosen, not multiplied by zero: the other one's tangents may be
            // infinite.
            if right.is_zero() {
                self
            } else if left.is_zero() {
                other
            } else {
                let value = self.value.clone().$name(other.value.clone());
                self.chain_of_two(other, value, (left, right))
            }
        }
    )+};
}

impl<T: Real, const N: usize> Real for Dual<T, N> {
    constant!(signum floor ceil round trunc);

    /// The derivative is zero, at the jumps too.
    #[inline]
    fn div_euclid(self, divisor: Self) -> Self {
        Self::constant(self.value.div_euclid(divisor.value))
    }
    #[inline]
    fn rem_euclid(self, divisor: Self) -> Self {
        let slopes = (T::one(), slope::rem_euclid_right(&self.value, &divisor.value));
        let rest = self.value.clone().rem_euclid(divisor.value.clone());
        self.chain_of_two(divisor, rest, slopes)
    }
    /// As the larger one of the smaller one, at its ends too.
    #[inline]
    #[track_caller]
    fn clamp(self, low: Self, high: Self) -> Self {
        let value = self.value.clone().clamp(low.value.clone(), high.value.clone());
        Dual { value, ..self.max(low).min(high) }
    }
    #[inline]
    fn fract(self) -> Self {
        Dual { value: self.value.clone().fract(), ..self }
    }
    #[inline]
    fn copysign(self, sign: Self) -> Self {
        let slope = slope::copysign_left(&self.value, &sign.value);
        let value = self.value.clone().copysign(sign.value);
        self.chain(value, slope)
    }
    #[inline]
    fn log(self, base: Self) -> Self {
        let value = self.value.clone().log(base.value.clone());
        if base.tangents.iter().all(T::is_zero) {
            // The value may be infinite, and nothing times that is no number.
            let slope = slope::ln(&self.value) / base.value.ln();
            return self.chain(value, slope);
        }
        Dual { value, ..self.ln() / base.ln() }
    }

    #[inline]
    fn abs(self) -> Self {
        let slope = slope::abs(&self.value);
        let value = self.value.clone().abs();
        self.chain(value, slope)
    }
    extremes!(min min_left min_right, max max_left max_right);
    fn hypot(self, other: Self) -> Self {
        let (x, y) = (&self.value, &other.value);
        let value = x.clone().hypot(y.clone());
        let slopes = (slope::hypot_left(x, y, &value), slope::hypot_right(x, y, &value));
        self.chain_of_two(other, value, slopes)
    }
    fn atan2(self, other: Self) -> Self {
        let (y, x) = (&self.value, &other.value);
        let value = y.clone().atan2(x.clone());
        let slopes = (slope::atan2_left(y, x), slope::atan2_right(y, x));
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
