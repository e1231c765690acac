//! The operators of dual numbers, among themselves and with floats.

use super::Dual;
use crate::derivative::slope;
use crate::num::{Literal, Real};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, Sub, SubAssign};

/// `(−x)′ = −x′`.
impl<T: Real, const N: usize> Neg for Dual<T, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Dual { value: -self.value, tangents: self.tangents.map(T::neg) }
    }
}

/// `(x + y)′ = x′ + y′`.
impl<T: Real, const N: usize> AddAssign for Dual<T, N> {
    #[inline]
    #[track_caller]
    fn add_assign(&mut self, other: Self) {
        self.value += other.value;
        for (x, y) in self.tangents.iter_mut().zip(other.tangents) {
            x.accumulate_shadow(y);
        }
    }
}

/// `(x − y)′ = x′ − y′`.
impl<T: Real, const N: usize> SubAssign for Dual<T, N> {
    #[inline]
    #[track_caller]
    fn sub_assign(&mut self, other: Self) {
        self.value -= other.value;
        for (x, y) in self.tangents.iter_mut().zip(other.tangents) {
            x.retract_shadow(y);
        }
    }
}

/// `(x y)′ = x′ y + x y′`.
impl<T: Real, const N: usize> Mul for Dual<T, N> {
    type Output = Self;
    #[inline]
    fn mul(self, factor: Self) -> Self {
        let slopes = (factor.value.clone(), self.value.clone());
        let product = self.value.clone() * factor.value.clone();
        self.chain_of_two(factor, product, slopes)
    }
}

/// `(x / y)′ = (x′ − (x/y) y′) / y`.
impl<T: Real, const N: usize> Div for Dual<T, N> {
    type Output = Self;
    #[inline]
    fn div(self, divisor: Self) -> Self {
        let quotient = self.value / divisor.value.clone();
        let mut tangents = self.tangents;
        for (x, y) in tangents.iter_mut().zip(divisor.tangents) {
            x.retract_shadow(quotient.clone() * y);
            *x = x.clone() / divisor.value.clone();
        }
        Dual { value: quotient, tangents }
    }
}

/// `(x % y)′ = x′ − y′ trunc(x/y)`.
impl<T: Real, const N: usize> Rem for Dual<T, N> {
    type Output = Self;
    #[inline]
    fn rem(self, divisor: Self) -> Self {
        let slopes = (T::one(), slope::rem_right(&self.value, &divisor.value));
        let rest = self.value.clone() % divisor.value.clone();
        self.chain_of_two(divisor, rest, slopes)
    }
}

/// `(x + c)′ = x′`.
impl<T: Real, const N: usize> AddAssign<f64> for Dual<T, N> {
    #[inline]
    fn add_assign(&mut self, constant: f64) {
        self.value += T::literal(constant);
    }
}

/// `(x − c)′ = x′`.
impl<T: Real, const N: usize> SubAssign<f64> for Dual<T, N> {
    #[inline]
    fn sub_assign(&mut self, constant: f64) {
        self.value -= T::literal(constant);
    }
}

/// `(c x)′ = c x′`.
impl<T: Real, const N: usize> Mul<f64> for Dual<T, N> {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f64) -> Self {
        let product = self.value.clone() * T::literal(factor);
        self.chain(product, T::literal(factor))
    }
}

/// `(x / c)′ = x′ / c`.
impl<T: Real, const N: usize> Div<f64> for Dual<T, N> {
    type Output = Self;
    #[inline]
    fn div(self, divisor: f64) -> Self {
        let by = |x: T| x / T::literal(divisor);
        Dual { value: by(self.value), tangents: self.tangents.map(by) }
    }
}

/// The operator of a type that has the assignment, or the other way round.
macro_rules! rest {
    ($([$other:ty] $operator:ident $function:ident <- $assign:ident $assign_function:ident;)+) => {$(
        impl<T: Real, const N: usize> $operator<$other> for Dual<T, N> {
            type Output = Self;
            #[inline]
            fn $function(mut self, other: $other) -> Self {
                self.$assign_function(other);
                self
            }
        }
    )+};
    ($([$other:ty] $assign:ident $assign_function:ident <- $function:ident;)+) => {$(
        impl<T: Real, const N: usize> $assign<$other> for Dual<T, N> {
            #[inline]
            fn $assign_function(&mut self, other: $other) {
                *self = self.clone().$function(other);
            }
        }
    )+};
    (f64 $($operator:ident $function:ident)+) => {$(
        impl<T: Real, const N: usize> $operator<Dual<T, N>> for f64 {
            type Output = Dual<T, N>;
            #[inline]
            fn $function(self, other: Dual<T, N>) -> Dual<T, N> {
                Dual::literal(self).$function(other)
            }
        }
    )+};
}

rest! {
    [Self] Add add <- AddAssign add_assign;
    [Self] Sub sub <- SubAssign sub_assign;
    [f64] Add add <- AddAssign add_assign;
    [f64] Sub sub <- SubAssign sub_assign;
}
rest! {
    [Self] MulAssign mul_assign <- mul;
    [Self] DivAssign div_assign <- div;
    [f64] MulAssign mul_assign <- mul;
    [f64] DivAssign div_assign <- div;
}
rest!(f64 Add add Sub sub Mul mul Div div);
