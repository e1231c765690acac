//! What a literal is beside a value.

use crate::num::Literal;

/// What stands beside a literal. Of `&Beside(…)` the compiler's search for `__literal` finds
/// what the type makes of literals first, and then the float that was written: a vector that
/// says nothing of literals may have a product with `f64`, or with `f32`.
pub struct Beside<'a, T: ?Sized>(pub &'a T);

pub trait LiteralOf {
    type Scalar;
    fn __literal(&self, value: f64) -> Self::Scalar;
}

impl<T: Literal + ?Sized> LiteralOf for Beside<'_, T> {
    type Scalar = T::Scalar;
    #[inline(always)]
    fn __literal(&self, value: f64) -> T::Scalar {
        T::literal(value)
    }
}

pub trait LiteralAsWritten {
    fn __literal<F>(&self, value: F) -> F;
}

impl<T: ?Sized> LiteralAsWritten for &Beside<'_, T> {
    #[inline(always)]
    fn __literal<F>(&self, value: F) -> F {
        value
    }
}
