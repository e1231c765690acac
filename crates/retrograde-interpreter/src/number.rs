//! The numbers that programs run on: floats, and floats with a derivative.

use std::fmt::Debug;

/// A number that a program computes with.
///
/// Each operation is a value, and how fast the value changes with each operand. So a
/// kind of numbers says only what it makes of these.
pub trait Number: Copy + Debug + PartialEq + 'static {
    /// A number that does not change.
    fn constant(value: f64) -> Self;
    /// The float that it is.
    fn value(self) -> f64;
    /// A value that was computed from operands, each with the slope of the value by it.
    fn computed(value: f64, operands: &[(Self, f64)]) -> Self;
}

impl Number for f64 {
    fn constant(value: f64) -> Self {
        value
    }
    fn value(self) -> f64 {
        self
    }
    fn computed(value: f64, _operands: &[(Self, f64)]) -> Self {
        value
    }
}

/// A float, and how fast it changes along some direction in the space of the inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual {
    /// The float.
    pub value: f64,
    /// How fast it changes.
    pub slope: f64,
}

impl Number for Dual {
    fn constant(value: f64) -> Self {
        Dual { value, slope: 0.0 }
    }
    fn value(self) -> f64 {
        self.value
    }
    fn computed(value: f64, operands: &[(Self, f64)]) -> Self {
        // What does not change has no part in it, even where a slope is infinite.
        let moving =
            operands.iter().filter(|(operand, slope)| operand.slope != 0.0 && *slope != 0.0);
        Dual { value, slope: moving.map(|(operand, slope)| operand.slope * slope).sum() }
    }
}

/// The operators of numbers.
pub fn operator<N: Number>(name: &str, a: N, b: N) -> Option<N> {
    let (x, y) = (a.value(), b.value());
    let (value, by_a, by_b) = match name {
        "add" => (x + y, 1.0, 1.0),
        "sub" => (x - y, 1.0, -1.0),
        "mul" => (x * y, y, x),
        "div" => (x / y, 1.0 / y, -(x / y) / y),
        "rem" => (x % y, 1.0, -(x / y).trunc()),
        _ => return None,
    };
    Some(N::computed(value, &[(a, by_a), (b, by_b)]))
}

/// The negative of a number.
pub fn negative<N: Number>(a: N) -> N {
    N::computed(-a.value(), &[(a, -1.0)])
}

/// The reciprocal, or zero where that is infinite: the slopes at the edges.
fn finite_recip(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { 1.0 / x }
}

/// The value and the slope of a function of one number, at a point.
pub fn elementary(name: &str, x: f64) -> Option<(f64, f64)> {
    let beside_one = || ((1.0 - x) * (1.0 + x)).sqrt();
    Some(match name {
        "sin" => (x.sin(), x.cos()),
        "cos" => (x.cos(), -x.sin()),
        "tan" => (x.tan(), 1.0 + x.tan() * x.tan()),
        "exp" => (x.exp(), x.exp()),
        "exp2" => (x.exp2(), x.exp2() * std::f64::consts::LN_2),
        "exp_m1" => (x.exp_m1(), x.exp()),
        "ln" => (x.ln(), 1.0 / x),
        "ln_1p" => (x.ln_1p(), 1.0 / (1.0 + x)),
        "log2" => (x.log2(), 1.0 / (x * std::f64::consts::LN_2)),
        "log10" => (x.log10(), 1.0 / (x * std::f64::consts::LN_10)),
        "sqrt" => (x.sqrt(), 0.5 * finite_recip(x.sqrt())),
        "cbrt" => (x.cbrt(), finite_recip(3.0 * x.cbrt() * x.cbrt())),
        "recip" => (x.recip(), -(x.recip() * x.recip())),
        "asin" => (x.asin(), finite_recip(beside_one())),
        "acos" => (x.acos(), -finite_recip(beside_one())),
        "atan" => (x.atan(), 1.0 / (1.0 + x * x)),
        "sinh" => (x.sinh(), x.cosh()),
        "cosh" => (x.cosh(), x.sinh()),
        "tanh" => (x.tanh(), (1.0 - x.tanh()) * (1.0 + x.tanh())),
        "asinh" => (x.asinh(), 1.0 / (1.0 + x * x).sqrt()),
        "acosh" => (x.acosh(), finite_recip((x - 1.0).sqrt() * (x + 1.0).sqrt())),
        "atanh" => (x.atanh(), 1.0 / ((1.0 - x) * (1.0 + x))),
        "abs" => (x.abs(), if x == 0.0 { 0.0 } else { x.signum() }),
        "fract" => (x.fract(), 1.0),
        "floor" => (x.floor(), 0.0),
        "ceil" => (x.ceil(), 0.0),
        "round" => (x.round(), 0.0),
        "trunc" => (x.trunc(), 0.0),
        "signum" => (x.signum(), 0.0),
        "to_radians" => (x.to_radians(), 1f64.to_radians()),
        "to_degrees" => (x.to_degrees(), 1f64.to_degrees()),
        _ => return None,
    })
}

/// Half each at a tie, else all to the chosen one.
fn shares(tie: bool, first: bool) -> (f64, f64) {
    match (tie, first) {
        (true, _) => (0.5, 0.5),
        (_, true) => (1.0, 0.0),
        _ => (0.0, 1.0),
    }
}

/// The value and the slopes of a function of two numbers, at a point.
pub fn elementary_of_two(name: &str, x: f64, y: f64) -> Option<(f64, f64, f64)> {
    Some(match name {
        "powf" => {
            let value = x.powf(y);
            let by_x = match (x == 0.0, y == 1.0, x.powf(y - 1.0).is_finite()) {
                (true, true, _) => 1.0,
                (true, _, false) => 0.0,
                _ => y * x.powf(y - 1.0),
            };
            (value, by_x, if x > 0.0 { value * x.ln() } else { 0.0 })
        }
        "hypot" => {
            let value = x.hypot(y);
            (value, x * finite_recip(value), y * finite_recip(value))
        }
        "atan2" => {
            let length = finite_recip(x.hypot(y));
            (x.atan2(y), y * length * length, -x * length * length)
        }
        "min" => {
            let (a, b) = shares(x == y, x < y || y.is_nan());
            (x.min(y), a, b)
        }
        "max" => {
            let (a, b) = shares(x == y, x > y || y.is_nan());
            (x.max(y), a, b)
        }
        "copysign" => {
            let sign = if x == 0.0 { 0.0 } else { x.signum() * y.signum() };
            (x.copysign(y), sign, 0.0)
        }
        "rem_euclid" => (x.rem_euclid(y), 1.0, -x.div_euclid(y)),
        "div_euclid" => (x.div_euclid(y), 0.0, 0.0),
        "log" => {
            let value = x.log(y);
            (value, 1.0 / (x * y.ln()), -value / (y * y.ln()))
        }
        _ => return None,
    })
}

/// The value and the slope of a power, at a point.
pub fn power(x: f64, n: i32) -> (f64, f64) {
    let slope = if n == 0 || n < 0 && x == 0.0 { 0.0 } else { f64::from(n) * x.powi(n - 1) };
    (x.powi(n), slope)
}
