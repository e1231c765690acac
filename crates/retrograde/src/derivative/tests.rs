mod complex;
mod edges;
mod groups;
#[cfg(feature = "nalgebra")]
mod nalgebra;
mod operators;
mod shadows;
mod slopes;

/// Within `tolerance`, relative to the expected number.
fn near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs()
}

/// Within `tolerance`, relative to the larger of the expected number and one:
/// for what was computed by differences.
fn roughly(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1.0)
}

/// `f′(x)` by a central difference.
fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-5 * x.abs().max(1.0);
    (f(x + h) - f(x - h)) / (2.0 * h)
}
