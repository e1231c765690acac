//! The library's instructions: both directions, and their adjoints.

use crate::machine::Machine;
use crate::number::{Number, operator};
use crate::stop::{Outcome, Stop};
use crate::value::{Place, Value, wrapped};

/// The instructions, each with its inverse.
const INSTRUCTIONS: [(&str, &str); 13] = [
    ("swap", "swap"),
    ("neg", "neg"),
    ("conj", "conj"),
    ("flip", "flip"),
    ("inc", "dec"),
    ("dec", "inc"),
    ("add_constant", "sub_constant"),
    ("sub_constant", "add_constant"),
    ("rot", "unrot"),
    ("unrot", "rot"),
    ("hadamard", "hadamard"),
    ("rotate_left", "rotate_right"),
    ("rotate_right", "rotate_left"),
];

/// Whether a function is an instruction of the library.
pub fn is_instruction(name: &str) -> bool {
    INSTRUCTIONS.iter().any(|(known, _)| *known == name)
}

fn inverse(name: &str) -> &'static str {
    INSTRUCTIONS.iter().find(|(known, _)| *known == name).map_or("", |(_, inverse)| inverse)
}

impl<N: Number> Machine<'_, N> {
    /// Runs an instruction: itself, or one of its members, `inverse` or `__adjoint`.
    pub(crate) fn instruction(
        &mut self,
        name: &str,
        member: &str,
        arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        match member {
            "" => self.step(name, &arguments)?,
            "inverse" => self.step(inverse(name), &arguments)?,
            "adjoint" | "__adjoint" | "__gradient" => self.adjoint_step(name, &arguments)?,
            "inverse_adjoint" | "__inverse_adjoint" => {
                self.adjoint_step(inverse(name), &arguments)?
            }
            // It says of nothing that it only adds to it.
            "__adds_to" | "__looks" | "__decides" => return Ok(Value::Integer(0, "u64")),
            _ => return Err(Stop::unknown(format!("{name}::{member}"))),
        }
        Ok(Value::Unit)
    }

    fn place_of(&mut self, argument: Option<&Value<N>>) -> Outcome<Place, N> {
        match argument {
            Some(Value::Reference(place)) => self.resolved(place.clone()),
            Some(other) => Err(Stop::unknown(format!("an instruction on {other}"))),
            None => Err(Stop::unknown("an instruction without its arguments")),
        }
    }

    fn number_at(&mut self, place: &Place) -> Outcome<N, N> {
        match self.memory.read(place)? {
            Value::Number(number) => Ok(number),
            other => Err(Stop::unknown(format!("an instruction on {other}"))),
        }
    }

    /// The function of an instruction.
    fn step(&mut self, name: &str, arguments: &[Value<N>]) -> Outcome<(), N> {
        let first = self.place_of(arguments.first())?;
        let old = self.memory.read(&first)?;
        match (name, &old) {
            ("swap", _) => {
                let second = self.place_of(arguments.get(1))?;
                if first.meets(&second) {
                    return Err(Stop::Check("one place is swapped with itself".into()));
                }
                let new = self.memory.read(&second)?;
                self.memory.write(&first, new)?;
                self.memory.write(&second, old)
            }
            ("conj", _) => Ok(()),
            ("flip", Value::Bool(b)) => self.memory.write(&first, Value::Bool(!b)),
            ("neg", Value::Integer(number, ty)) => {
                self.memory.write(&first, Value::Integer(wrapped(-number, ty), ty))
            }
            ("neg", _) => {
                let new = self.negated(old)?;
                self.memory.write(&first, new)
            }
            ("inc" | "dec", Value::Integer(number, ty)) => {
                let new = if name == "inc" { number + 1 } else { number - 1 };
                self.memory.write(&first, Value::Integer(wrapped(new, ty), ty))
            }
            ("inc", _) => self.update("AddAssign", "add", &first, Value::constant(1.0)),
            ("dec", _) => self.update("SubAssign", "sub", &first, Value::constant(1.0)),
            ("add_constant" | "sub_constant", _) => {
                let by = arguments.get(1).cloned().ok_or_else(|| Stop::unknown("by how much"))?;
                let by = self.owned(by)?;
                match (old, by) {
                    (Value::Integer(a, ty), Value::Integer(b, _)) => {
                        let new = if name == "add_constant" { a + b } else { a - b };
                        self.memory.write(&first, Value::Integer(wrapped(new, ty), ty))
                    }
                    (_, by) if name == "add_constant" => {
                        self.update("AddAssign", "add", &first, by)
                    }
                    (_, by) => self.update("SubAssign", "sub", &first, by),
                }
            }
            ("rotate_left" | "rotate_right", Value::Integer(number, ty)) => {
                let Some(Value::Integer(by, _)) = arguments.get(1) else {
                    return Err(Stop::unknown("by how many bits"));
                };
                let bits: u32 = ty.trim_start_matches(['i', 'u']).parse().unwrap_or(64);
                let by = (*by as u32) % bits;
                let by = if name == "rotate_left" { by } else { (bits - by) % bits };
                let mask = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
                let number = *number as u128 & mask;
                let turned =
                    if by == 0 { number } else { (number << by | number >> (bits - by)) & mask };
                self.memory.write(&first, Value::Integer(wrapped(turned as i128, ty), ty))
            }
            ("rot" | "unrot", _) => {
                let second = self.place_of(arguments.get(1))?;
                let angle = self.place_of(arguments.get(2))?;
                let angle = self.number_at(&angle)?;
                let sign = if name == "rot" { 1.0 } else { -1.0 };
                self.turn(&first, &second, angle, sign)
            }
            ("hadamard", _) => {
                let second = self.place_of(arguments.get(1))?;
                self.hadamard(&first, &second)
            }
            _ => Err(Stop::unknown(format!("{name} of {old}"))),
        }
    }

    fn turn(&mut self, a: &Place, b: &Place, angle: N, sign: f64) -> Outcome<(), N> {
        let (x, y) = (self.number_at(a)?, self.number_at(b)?);
        let (sin, cos) = angle.value().sin_cos();
        let sine = N::computed(sign * sin, &[(angle, sign * angle.value().cos())]);
        let cosine = N::computed(cos, &[(angle, -angle.value().sin())]);
        let mul = |a, b| operator("mul", a, b).expect("a product");
        let new_a = operator("sub", mul(x, cosine), mul(y, sine)).expect("a difference");
        let new_b = operator("add", mul(x, sine), mul(y, cosine)).expect("a sum");
        self.memory.write(a, Value::Number(new_a))?;
        self.memory.write(b, Value::Number(new_b))
    }

    fn hadamard(&mut self, a: &Place, b: &Place) -> Outcome<(), N> {
        let (x, y) = (self.number_at(a)?, self.number_at(b)?);
        let factor = N::constant(std::f64::consts::FRAC_1_SQRT_2);
        let combine = |name| {
            operator("mul", operator(name, x, y).expect("a sum"), factor).expect("a product")
        };
        self.memory.write(a, Value::Number(combine("add")))?;
        self.memory.write(b, Value::Number(combine("sub")))
    }

    /// The adjoint of an instruction: each argument is followed by its shadow.
    fn adjoint_step(&mut self, name: &str, arguments: &[Value<N>]) -> Outcome<(), N> {
        let values: Vec<Value<N>> = arguments.iter().step_by(2).cloned().collect();
        let shadows: Vec<Value<N>> = arguments.iter().skip(1).step_by(2).cloned().collect();
        match name {
            "swap" | "neg" | "hadamard" | "conj" => {
                self.step(name, &values)?;
                // Linear, symmetric, and its own inverse: the gradient goes the same way.
                match self.place_of(shadows.first()) {
                    Ok(place) if matches!(self.memory.look(&place)?, Value::Struct(n, _) if &**n == "NoShadow") => {
                        Ok(())
                    }
                    Ok(_) => self.step(name, &shadows),
                    Err(_) => Ok(()),
                }
            }
            "inc" | "dec" | "flip" | "rotate_left" | "rotate_right" => {
                self.step(inverse(name), &values)
            }
            "add_constant" | "sub_constant" => {
                self.step(inverse(name), &values)?;
                let (by, to) = (self.place_of(shadows.first())?, self.place_of(shadows.get(1)));
                if let Ok(to) = to {
                    let gradient = self.memory.read(&by)?;
                    let (of, operator) = if name == "add_constant" {
                        ("AddAssign", "add")
                    } else {
                        ("SubAssign", "sub")
                    };
                    self.update(of, operator, &to, gradient)?;
                }
                Ok(())
            }
            "rot" | "unrot" => {
                let sign = if name == "rot" { 1.0 } else { -1.0 };
                let [a, b, angle] = [0, 1, 2].map(|i| self.place_of(values.get(i)));
                let [d_a, d_b, d_angle] = [0, 1, 2].map(|i| self.place_of(shadows.get(i)));
                let (a, b, angle, d_a, d_b) = (a?, b?, angle?, d_a?, d_b?);
                let mul = |a, b| operator("mul", a, b).expect("a product");
                let (x, y) = (self.number_at(&a)?, self.number_at(&b)?);
                let (g, h) = (self.number_at(&d_a)?, self.number_at(&d_b)?);
                let moment = operator("sub", mul(h, x), mul(g, y)).expect("a difference");
                if let Ok(d_angle) = d_angle {
                    let moment = Value::Number(mul(moment, N::constant(sign)));
                    self.update("AddAssign", "add", &d_angle, moment)?;
                }
                let angle = self.number_at(&angle)?;
                self.turn(&d_a, &d_b, angle, -sign)?;
                self.turn(&a, &b, angle, -sign)
            }
            _ => Err(Stop::unknown(format!("the adjoint of {name}"))),
        }
    }
}
