//! Derivatives of operators and elementary functions, as emitted code asks for them.

use super::{Call, Model};
use crate::machine::Machine;
use crate::number::{Number, elementary, elementary_of_two, negative, operator, power};
use crate::stop::{Outcome, Stop};
use crate::value::Value;

/// The product of two numbers.
fn product<N: Number>(a: N, b: N) -> N {
    operator("mul", a, b).expect("a product")
}

/// The rules of operators: what an operand gets of the gradient of the result. Those of
/// a type of the user's own are found before.
pub(super) fn rule<N: Number>(path: &str) -> Option<Model<N>> {
    Some(match path {
        "PullAdd::pull_add_left"
        | "PullAdd::pull_add_right"
        | "PullSub::pull_sub_left"
        | "PullRem::pull_rem_left" => |m, c| m.pulled(&c, |g, _| g),
        "PullNeg::pull_neg" | "PullSub::pull_sub_right" => |m, c| m.pulled(&c, |g, _| negative(g)),
        "PullMul::pull_mul_left" => |m, c| m.pulled(&c, |g, x| product(g, x[1])),
        "PullMul::pull_mul_right" => |m, c| m.pulled(&c, |g, x| product(g, x[0])),
        "PullDiv::pull_div_left" => |m, c| m.pulled(&c, |g, x| product(g, inverse(x[1]))),
        "PullDiv::pull_div_right" => {
            |m, c| m.pulled(&c, |g, x| negative(product(product(g, inverse(x[1])), x[2])))
        }
        "PullRem::pull_rem_right" => |m, c| {
            m.pulled(&c, |g, x| product(g, N::constant(-(x[0].value() / x[1].value()).trunc())))
        },
        "PullOrder::pull_abs" => |m, c| m.pulled(&c, |g, x| by_slope(g, "abs", x[0])),
        "PullOrder::pull_min_left" => |m, c| m.pulled(&c, |g, x| by_slopes(g, "min", x).0),
        "PullOrder::pull_min_right" => |m, c| m.pulled(&c, |g, x| by_slopes(g, "min", x).1),
        "PullOrder::pull_max_left" => |m, c| m.pulled(&c, |g, x| by_slopes(g, "max", x).0),
        "PullOrder::pull_max_right" => |m, c| m.pulled(&c, |g, x| by_slopes(g, "max", x).1),
        _ => return None,
    })
}

fn inverse<N: Number>(x: N) -> N {
    operator("div", N::constant(1.0), x).expect("a quotient")
}

fn by_slope<N: Number>(g: N, name: &str, x: N) -> N {
    let (_, slope) = elementary(name, x.value()).expect("a function of the table");
    product(g, N::constant(slope))
}

fn by_slopes<N: Number>(g: N, name: &str, x: &[N]) -> (N, N) {
    let (_, a, b) =
        elementary_of_two(name, x[0].value(), x[1].value()).expect("a function of the table");
    (product(g, N::constant(a)), product(g, N::constant(b)))
}

/// Through an elementary function: the gradient times the slope.
pub(super) fn pull<N: Number>(name: &str) -> Option<Model<N>> {
    macro_rules! rows {
        ($($row:literal)+) => {
            match name {
                $($row => |m, c| m.pull_slope(c, $row),)+
                "sin_cos" => |m, c| m.pull_sin_cos(&c),
                "conj" | "from_f64" => |m, c| m.owned(c.first()?),
                "scale" => |m, c| m.binary("Mul", "mul", c.at(0)?, c.at(1)?),
                "own_root" => |m, c| m.pulled(&c, |g, x| product(g, product(x[0], N::constant(1.5)))),
                _ => return None,
            }
        };
    }
    Some(rows! {
        "exp_m1" "ln" "ln_1p" "log2" "log10" "sin" "cos" "asin" "acos" "atan" "sinh" "cosh" "asinh"
        "acosh" "atanh" "sqrt" "cbrt" "exp" "exp2" "tan" "tanh" "recip" "powi" "powf_left"
        "powf_right" "hypot_left" "hypot_right" "atan2_left" "atan2_right" "copysign_left"
        "rem_euclid_right" "abs" "min_left" "min_right" "max_left" "max_right"
    })
}

/// The slope of an elementary function.
pub(super) fn slope<N: Number>(name: &str) -> Option<Model<N>> {
    macro_rules! rows {
        ($($row:literal)+) => {
            match name {
                $($row => |m, c| {
                    let numbers = m.numbers_of(&c.arguments)?;
                    Ok(Value::constant(slope_of($row, &numbers)?))
                },)+
                _ => return None,
            }
        };
    }
    Some(rows! {
        "exp_m1" "ln" "ln_1p" "log2" "log10" "sin" "cos" "asin" "acos" "atan" "sinh" "cosh" "asinh"
        "acosh" "atanh" "sqrt" "cbrt" "exp" "exp2" "tan" "tanh" "recip" "powi" "powf_left"
        "powf_right" "hypot_left" "hypot_right" "atan2_left" "atan2_right" "copysign_left"
        "rem_euclid_right" "rem_right" "abs" "min_left" "min_right" "max_left" "max_right"
    })
}

/// The slope, from what the library's function of that name takes: some take the value
/// instead of the argument.
fn slope_of<N>(name: &str, x: &[f64]) -> Outcome<f64, N> {
    let y = *x.first().ok_or_else(|| Stop::unknown("a slope of nothing"))?;
    let finite_recip = |x: f64| if x == 0.0 { 0.0 } else { 1.0 / x };
    let of_two = |function: &str, second: bool| {
        let (_, a, b) = elementary_of_two(function, x[0], x[1]).expect("a function of the table");
        if second { b } else { a }
    };
    Ok(match name {
        "sqrt" => 0.5 * finite_recip(y),
        "cbrt" => finite_recip(3.0 * y * y),
        "exp" => y,
        "exp2" => y * std::f64::consts::LN_2,
        "tan" => 1.0 + y * y,
        "tanh" => (1.0 - y) * (1.0 + y),
        "recip" => -(y * y),
        "powi" => power(x[0], x[1] as i32).1,
        "rem_right" => -(x[0] / x[1]).trunc(),
        _ => match (name.strip_suffix("_left"), name.strip_suffix("_right")) {
            (Some(function), _) => of_two(function, false),
            (_, Some(function)) => of_two(function, true),
            _ => match elementary(name, y) {
                Some((_, slope)) => slope,
                None => return Err(Stop::unknown(format!("the slope of {name}"))),
            },
        },
    })
}

impl<N: Number> Machine<'_, N> {
    /// What a rule of numbers gives; of integers, nothing.
    fn pulled(&mut self, call: &Call<N>, rule: fn(N, &[N]) -> N) -> Outcome<Value<N>, N> {
        let mut numbers = Vec::new();
        for argument in &call.arguments {
            match self.owned(argument.clone())? {
                Value::Number(number) => numbers.push(number),
                Value::Integer(_, ty) => return Ok(Value::Integer(0, ty)),
                Value::Struct(name, _) => {
                    return Err(Stop::Refused(format!("no rule of an operator for {name}")));
                }
                other => return Err(Stop::unknown(format!("a rule of operators for {other}"))),
            }
        }
        Ok(Value::Number(rule(numbers[0], &numbers[1..])))
    }

    /// Numbers and integers, as floats.
    fn numbers_of(&mut self, arguments: &[Value<N>]) -> Outcome<Vec<f64>, N> {
        let mut numbers = Vec::new();
        for argument in arguments {
            match self.owned(argument.clone())? {
                Value::Number(number) => numbers.push(number.value()),
                Value::Integer(number, _) => numbers.push(number as f64),
                other => return Err(Stop::unknown(format!("a slope at {other}"))),
            }
        }
        Ok(numbers)
    }

    fn pull_slope(&mut self, call: Call<N>, name: &str) -> Outcome<Value<N>, N> {
        let gradient = self.owned(call.first()?)?;
        let Value::Number(gradient) = gradient else { return Ok(gradient) };
        let numbers = self.numbers_of(&call.arguments[1..])?;
        let slope = slope_of(name, &numbers)?;
        Ok(Value::Number(product(gradient, N::constant(slope))))
    }

    fn pull_sin_cos(&mut self, call: &Call<N>) -> Outcome<Value<N>, N> {
        let (g, value) = (self.owned(call.at(0)?)?, self.owned(call.at(1)?)?);
        match (g, value) {
            (Value::Tuple(g), Value::Tuple(value)) => {
                let by_sin = self.binary("Mul", "mul", g[0].clone(), value[1].clone())?;
                let by_cos = self.binary("Mul", "mul", g[1].clone(), value[0].clone())?;
                self.binary("Sub", "sub", by_sin, by_cos)
            }
            _ => Err(Stop::unknown("the gradient of sin_cos")),
        }
    }
}
