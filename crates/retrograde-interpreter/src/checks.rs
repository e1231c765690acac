//! The comparisons that the run-time checks make.

use crate::number::Number;
use crate::value::Value;

/// Floats are compared up to this, relative to the largest that was seen: the square
/// root of the type's epsilon.
pub const TOLERANCE: f64 = 1.4901161193847656e-8;

/// The larger of two magnitudes. What is not a number is larger than all.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// The largest absolute component; 0 for what is compared exactly.
pub fn magnitude<N: Number>(value: &Value<N>) -> f64 {
    match value {
        Value::Number(number) => number.value().abs(),
        Value::Tuple(parts) | Value::List(parts) => parts.iter().map(magnitude).fold(0.0, larger),
        Value::Struct(_, fields) => fields.iter().map(|(_, f)| magnitude(f)).fold(0.0, larger),
        Value::Option(Some(inside)) => magnitude(inside),
        _ => 0.0,
    }
}

/// Whether a value is what was expected, up to round-off at a scale.
pub fn agrees<N: Number>(found: &Value<N>, expected: &Value<N>, scale: f64) -> bool {
    agrees_by(found, expected, &|a: f64, b: f64| {
        let scale = scale.max(a.abs()).max(b.abs());
        a == b
            || (a - b).abs() <= TOLERANCE * scale && scale.is_finite()
            || a.is_nan() && b.is_nan()
    })
}

/// Whether a value is what was expected, where numbers are compared in some way.
pub fn agrees_by<N: Number>(
    found: &Value<N>,
    expected: &Value<N>,
    near: &dyn Fn(f64, f64) -> bool,
) -> bool {
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) => near(a.value(), b.value()),
        (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agrees_by(a, b, near))
        }
        (Value::Struct(_, a), Value::Struct(_, b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agrees_by(&a.1, &b.1, near))
        }
        (Value::Option(Some(a)), Value::Option(Some(b))) => agrees_by(a, b, near),
        _ => same(found, expected),
    }
}

/// Whether two values are equal, as `==` tells.
pub fn same<N: Number>(a: &Value<N>, b: &Value<N>) -> bool {
    match (a, b) {
        (Value::Unit, Value::Unit) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Integer(a, _), Value::Integer(b, _)) => a == b,
        (Value::Number(a), Value::Number(b)) => a.value() == b.value(),
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Struct(n, a), Value::Struct(m, b)) => {
            n == m && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(&a.1, &b.1))
        }
        (Value::Option(a), Value::Option(b)) => match (a, b) {
            (Some(a), Some(b)) => same(a, b),
            (a, b) => a.is_none() && b.is_none(),
        },
        (Value::Range(a, b, _), Value::Range(c, d, _)) => a == c && b == d,
        (Value::Reference(a), Value::Reference(b)) => a == b,
        (Value::Function(a), Value::Function(b)) => a == b,
        _ => false,
    }
}
