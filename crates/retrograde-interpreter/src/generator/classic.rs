//! The programs that the tests also compile with `rustc`, as cases for the judge.

use super::reals::{Target, program};
use crate::judge::Case;
use crate::random::Random;
use crate::value::Value;

/// The struct that they use.
const BODY: &str = "
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Body<T> { pub a: T, pub b: [T; 2], pub c: (T, T), pub d: Vec<T> }
";

/// A program of that generator, generic or with floats.
pub(super) fn case(seed: u64, random: &mut Random) -> Case {
    let program = program(seed, Target::Host);
    let number = if random.chance(50) { Some("f64") } else { None };
    let source = format!("{BODY}{}", program.written(program.text(), number));
    let arguments = program.arguments.iter().map(|(name, _)| argument(name, random)).collect();
    Case { source, function: "f".into(), arguments, length: 5, seed, about: vec!["reals"] }
}

/// A value for an argument, by its name: all programs have the same shapes.
fn argument(name: &str, random: &mut Random) -> Value<f64> {
    let mut list = |length: usize| -> Value<f64> {
        Value::List((0..length).map(|_| Value::Number(random.number())).collect())
    };
    match name {
        "v" | "w" => list(5),
        "q" => list(4),
        "m" => Value::List(vec![list(2), list(2), list(2)]),
        "g" => Value::List(vec![list(3), list(3)]),
        "p" => pair(random),
        "u" => Value::List(vec![pair(random), pair(random)]),
        "s" => {
            let (b, d) = (list(2), list(2));
            Value::Struct(
                "Body".into(),
                vec![
                    ("a".into(), Value::Number(random.number())),
                    ("b".into(), b),
                    ("c".into(), pair(random)),
                    ("d".into(), d),
                ],
            )
        }
        "n" => Value::size(3),
        _ => Value::Number(random.number()),
    }
}

fn pair(random: &mut Random) -> Value<f64> {
    Value::Tuple(vec![Value::Number(random.number()), Value::Number(random.number())])
}
