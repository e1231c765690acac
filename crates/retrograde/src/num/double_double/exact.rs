//! Sums and products of two floats without error: the rounded result, and what
//! rounding took away, which is a float again.

/// `a + b = sum + error`, exactly.
#[inline]
pub(super) const fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    let of_a = sum - of_b;
    (sum, (a - of_a) + (b - of_b))
}

/// [`two_sum`] where `a` is zero, or `|a| ≥ |b|`: then `sum − a` is exact.
#[inline]
pub(super) const fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// `a = high + low`, each with at most 26 bits, so products of such halves are
/// exact.
///
/// Rounds in the integer that represents the float. Unlike the usual product
/// with `2²⁷ + 1`, that overflows only next to the largest float.
#[inline]
const fn split(a: f64) -> (f64, f64) {
    let rounded = a.to_bits().wrapping_add(1 << 26) & !((1 << 27) - 1);
    let high = f64::from_bits(rounded);
    (high, a - high)
}

/// `a b = product + error`, exactly if the error is not too small for a float
/// (`|a b| > 10⁻²⁹⁰` is enough) and the product not too large for one.
///
/// By Dekker's splitting, and not as `a.mul_add(b, -product)`: unless the
/// program is compiled for processors with that instruction, which by default
/// it is not, `mul_add` calls a library routine that is many times slower.
#[inline]
pub(super) const fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    let error = a_high * b_high - product + a_high * b_low + a_low * b_high + a_low * b_low;
    (product, error)
}
