//! How far two answers are apart.

use serde_json::Value;

/// The relative L2 error of `found` against `expected`: of an object, the largest of its
/// fields, so that none hides in the size of another. Infinite where the shapes differ.
pub fn error(found: &Value, expected: &Value) -> f64 {
    if let (Value::Object(found), Value::Object(expected)) = (found, expected) {
        if !found.keys().eq(expected.keys()) {
            return f64::INFINITY;
        }
        return found.values().zip(expected.values()).map(|(f, e)| error(f, e)).fold(0.0, f64::max);
    }
    let (mut a, mut b) = (Vec::new(), Vec::new());
    if flatten(found, &mut a).and(flatten(expected, &mut b)).is_none() || a.len() != b.len() {
        return f64::INFINITY;
    }
    let difference: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    match (norm(&difference), norm(&b)) {
        (0.0, _) => 0.0,
        (difference, size) => difference / size,
    }
}

/// All numbers in order; none if there is something else.
fn flatten(value: &Value, all: &mut Vec<f64>) -> Option<()> {
    match value {
        Value::Array(values) => values.iter().try_for_each(|value| flatten(value, all)),
        value => {
            all.push(value.as_f64()?);
            Some(())
        }
    }
}

/// Scaled, since squares of derivatives may underflow where these do not.
fn norm(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * values.iter().map(|value| (value / largest).powi(2)).sum::<f64>().sqrt()
}
