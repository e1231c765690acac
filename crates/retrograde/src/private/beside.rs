//! What a literal is beside a value.

use crate::num::Literal;

/// What stands beside a literal. Of `&Beside(…)` the compiler's search for `__literal` finds
/// what the type makes of literals first, and then the float that was written: a vector that
/// says nothing of literals may have a product with `f64`, or with `f32`.
pub struct Beside<'a, T: ?Sized>(pub &'a T);

pub trait LiteralOf {
    type Scalar;
    fn __literal(&self, value: f64) -> Self::Scalar;
    /// The same of what literals were computed to, with what their float leaves.
    fn __literal_with(&self, value: f64, rest: f64) -> Self::Scalar;
}

impl<T: Literal + ?Sized> LiteralOf for Beside<'_, T> {
    type Scalar = T::Scalar;
    #[inline(always)]
    fn __literal(&self, value: f64) -> T::Scalar {
        T::literal(value)
    }
    #[inline(always)]
    fn __literal_with(&self, value: f64, rest: f64) -> T::Scalar {
        T::literal_with(value, rest)
    }
}

pub trait LiteralAsWritten {
    fn __literal<F>(&self, value: F) -> F;
    fn __literal_with<F>(&self, value: F, rest: f64) -> F;
}

impl<T: ?Sized> LiteralAsWritten for &Beside<'_, T> {
    #[inline(always)]
    fn __literal<F>(&self, value: F) -> F {
        value
    }
    #[inline(always)]
    fn __literal_with<F>(&self, value: F, _rest: f64) -> F {
        value
    }
}
