//! Operators, comparisons and casts.

use crate::checks::same;
use crate::machine::{Direction, Machine};
use crate::number::{Number, negative, operator};
use crate::program::key;
use crate::stop::{Outcome, Stop};
use crate::value::{INTEGERS, Place, Value, fits, wrapped};
use std::cmp::Ordering;
use syn::{BinOp, Type};

/// The trait and the method of an operator; with `=` at its end, that of the update.
pub(crate) fn traits(op: &BinOp) -> Option<(&'static str, &'static str, bool)> {
    Some(match op {
        BinOp::Add(_) => ("Add", "add", false),
        BinOp::Sub(_) => ("Sub", "sub", false),
        BinOp::Mul(_) => ("Mul", "mul", false),
        BinOp::Div(_) => ("Div", "div", false),
        BinOp::Rem(_) => ("Rem", "rem", false),
        BinOp::BitXor(_) => ("BitXor", "bitxor", false),
        BinOp::BitAnd(_) => ("BitAnd", "bitand", false),
        BinOp::BitOr(_) => ("BitOr", "bitor", false),
        BinOp::Shl(_) => ("Shl", "shl", false),
        BinOp::Shr(_) => ("Shr", "shr", false),
        BinOp::AddAssign(_) => ("AddAssign", "add", true),
        BinOp::SubAssign(_) => ("SubAssign", "sub", true),
        BinOp::MulAssign(_) => ("MulAssign", "mul", true),
        BinOp::DivAssign(_) => ("DivAssign", "div", true),
        BinOp::RemAssign(_) => ("RemAssign", "rem", true),
        BinOp::BitXorAssign(_) => ("BitXorAssign", "bitxor", true),
        BinOp::BitAndAssign(_) => ("BitAndAssign", "bitand", true),
        BinOp::BitOrAssign(_) => ("BitOrAssign", "bitor", true),
        _ => return None,
    })
}

/// The type of two integers: a literal takes that of the other.
fn common(a: &'static str, b: &'static str) -> &'static str {
    if a.is_empty() { b } else { a }
}

impl<N: Number> Machine<'_, N> {
    /// `a op b`, for the trait and the method of an operator.
    pub(crate) fn binary(
        &mut self,
        of: &str,
        name: &str,
        a: Value<N>,
        b: Value<N>,
    ) -> Outcome<Value<N>, N> {
        let (a, b) = (self.owned(a)?, self.owned(b)?);
        match (&a, &b) {
            (Value::Number(x), Value::Number(y)) => match operator(name, *x, *y) {
                Some(number) => Ok(Value::Number(number)),
                None => Err(Stop::unknown(format!("{name} of numbers"))),
            },
            (Value::Integer(x, ty), Value::Integer(y, other)) => {
                let ty = if name.starts_with("sh") { ty } else { common(ty, other) };
                integers(name, *x, *y, ty)
            }
            (Value::Bool(x), Value::Bool(y)) => Ok(Value::Bool(match name {
                "bitxor" => x ^ y,
                "bitand" => x & y,
                "bitor" => x | y,
                _ => return Err(Stop::unknown(format!("{name} of bools"))),
            })),
            _ => {
                let function = self.program.of_trait(of, a.key(), b.key(), name);
                let function = function.ok_or_else(|| Stop::unknown(format!("{a} {name} {b}")))?;
                self.call(function, Direction::Forward, vec![a, b])
            }
        }
    }

    /// `place op= value`, for the trait and the method of the update.
    pub(crate) fn update(
        &mut self,
        of: &str,
        name: &str,
        place: &Place,
        value: Value<N>,
    ) -> Outcome<(), N> {
        let old = self.memory.look(place)?.clone();
        let value = self.owned(value)?;
        let own = self.program.of_trait(of, old.key(), value.key(), &format!("{name}_assign"));
        if let Some(function) = own {
            let reference = Value::Reference(place.clone());
            self.call(function, Direction::Forward, vec![reference, value])?;
            return Ok(());
        }
        let new = match &old {
            // Field by field, which is what the derive says.
            Value::Struct(ty, _) if self.program.derives(ty, "AdditiveGroup") => {
                let binary = if name == "add" { "Add" } else { "Sub" };
                self.fieldwise(binary, name, old, value)?
            }
            Value::Struct(..) => return Err(Stop::unknown(format!("{of} of {old}"))),
            _ => self.binary(of.trim_end_matches("Assign"), name, old, value)?,
        };
        self.memory.write(place, new)
    }

    /// An operator on all numbers of two values of one shape.
    pub(crate) fn fieldwise(
        &mut self,
        of: &str,
        name: &str,
        a: Value<N>,
        b: Value<N>,
    ) -> Outcome<Value<N>, N> {
        match (a, b) {
            (Value::Struct(ty, a), Value::Struct(_, b)) => {
                let mut fields = Vec::new();
                for ((field, a), (_, b)) in a.into_iter().zip(b) {
                    fields.push((field, self.fieldwise(of, name, a, b)?));
                }
                Ok(Value::Struct(ty, fields))
            }
            (Value::Tuple(a), Value::Tuple(b)) => {
                let parts = a.into_iter().zip(b).map(|(a, b)| self.fieldwise(of, name, a, b));
                Ok(Value::Tuple(parts.collect::<Outcome<_, N>>()?))
            }
            (Value::List(a), Value::List(b)) => {
                let parts = a.into_iter().zip(b).map(|(a, b)| self.fieldwise(of, name, a, b));
                Ok(Value::List(parts.collect::<Outcome<_, N>>()?))
            }
            (a, b) => self.binary(of, name, a, b),
        }
    }

    /// `-a`
    pub(crate) fn negated(&mut self, a: Value<N>) -> Outcome<Value<N>, N> {
        let a = self.owned(a)?;
        match &a {
            Value::Number(number) => Ok(Value::Number(negative(*number))),
            Value::Integer(number, ty) => integers("sub", 0, *number, ty),
            _ => match self.program.of_trait("Neg", a.key(), "", "neg") {
                Some(function) => self.call(function, Direction::Forward, vec![a]),
                None => Err(Stop::unknown(format!("-{a}"))),
            },
        }
    }

    /// `==`, `<` and their like.
    pub(crate) fn compared(&mut self, op: &BinOp, a: Value<N>, b: Value<N>) -> Outcome<bool, N> {
        let (a, b) = (self.owned(a)?, self.owned(b)?);
        if let BinOp::Eq(_) | BinOp::Ne(_) = op {
            let equal = match self.program.of_trait("PartialEq", a.key(), b.key(), "eq") {
                Some(function) => {
                    let [a, b] = [a, b].map(|v| Value::Reference(Place::cell(self.memory.push(v))));
                    let equal = self.call(function, Direction::Forward, vec![a, b])?;
                    matches!(equal, Value::Bool(true))
                }
                None => same(&a, &b),
            };
            return Ok(equal == matches!(op, BinOp::Eq(_)));
        }
        let order =
            order(&a, &b).ok_or_else(|| Stop::unknown(format!("the order of {a} and {b}")))?;
        Ok(match op {
            BinOp::Lt(_) => order == Some(Ordering::Less),
            BinOp::Le(_) => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            BinOp::Gt(_) => order == Some(Ordering::Greater),
            BinOp::Ge(_) => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            _ => return Err(Stop::unknown("an operator")),
        })
    }

    /// `value as ty`
    pub(crate) fn cast(&mut self, value: Value<N>, ty: &Type) -> Outcome<Value<N>, N> {
        let value = self.owned(value)?;
        let name = key(ty);
        if name == "f64" {
            return match value {
                Value::Integer(number, _) => Ok(Value::constant(number as f64)),
                Value::Number(_) => Ok(value),
                other => Err(Stop::unknown(format!("{other} as f64"))),
            };
        }
        let Some(ty) = INTEGERS.iter().find(|known| **known == name) else {
            return Err(Stop::unknown(format!("{value} as {name}")));
        };
        match value {
            Value::Integer(number, _) => Ok(Value::Integer(wrapped(number, ty), ty)),
            Value::Bool(b) => Ok(Value::Integer(i128::from(b), ty)),
            // A float is rounded towards zero, and stays within the type.
            Value::Number(number) => Ok(Value::Integer(saturated(number.value(), ty), ty)),
            other => Err(Stop::unknown(format!("{other} as {ty}"))),
        }
    }
}

/// A float as an integer.
fn saturated(value: f64, ty: &str) -> i128 {
    match ty {
        "i8" => i128::from(value as i8),
        "i16" => i128::from(value as i16),
        "i32" => i128::from(value as i32),
        "i64" | "isize" => i128::from(value as i64),
        "u8" => i128::from(value as u8),
        "u16" => i128::from(value as u16),
        "u32" => i128::from(value as u32),
        "u64" | "usize" => i128::from(value as u64),
        "u128" => (value as u128).try_into().unwrap_or(i128::MAX),
        _ => value as i128,
    }
}

/// An operator of integers, which panics on overflow, as in a debug build.
fn integers<N>(name: &str, a: i128, b: i128, ty: &'static str) -> Outcome<Value<N>, N> {
    let value = match name {
        "add" => a.checked_add(b),
        "sub" => a.checked_sub(b),
        "mul" => a.checked_mul(b),
        "div" => a.checked_div(b),
        "rem" => a.checked_rem(b),
        "bitxor" => Some(a ^ b),
        "bitand" => Some(a & b),
        "bitor" => Some(a | b),
        "shl" => {
            u32::try_from(b).ok().and_then(|b| a.checked_shl(b)).map(|value| wrapped(value, ty))
        }
        "shr" => u32::try_from(b).ok().and_then(|b| a.checked_shr(b)),
        _ => return Err(Stop::unknown(format!("{name} of integers"))),
    };
    match value.filter(|value| fits(*value, ty)) {
        Some(value) => Ok(Value::Integer(value, ty)),
        None => Err(Stop::Panic(format!("{name} of {a} and {b} overflows {ty}"))),
    }
}

/// How two values are ordered; `None` if they have no order at all.
#[allow(clippy::option_option)]
fn order<N: Number>(a: &Value<N>, b: &Value<N>) -> Option<Option<Ordering>> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Some(a.value().partial_cmp(&b.value())),
        (Value::Integer(a, _), Value::Integer(b, _)) => Some(Some(a.cmp(b))),
        (Value::Bool(a), Value::Bool(b)) => Some(Some(a.cmp(b))),
        (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) => {
            for (a, b) in a.iter().zip(b) {
                match order(a, b)? {
                    Some(Ordering::Equal) => {}
                    other => return Some(other),
                }
            }
            Some(Some(a.len().cmp(&b.len())))
        }
        _ => None,
    }
}
