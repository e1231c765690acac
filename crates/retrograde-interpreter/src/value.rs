//! Values, and the places that references point at.

use crate::number::Number;
use std::fmt::{self, Display};
use std::rc::Rc;

/// A place: a cell of memory, and the way to a part of what it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The cell.
    pub cell: usize,
    /// The way inside.
    pub path: Vec<Step>,
}

/// A step on the way to a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A field of a struct or tuple, by its position.
    Field(usize),
    /// An element.
    Index(usize),
    /// The elements from one up to another: a slice. Only ever the last step.
    Part(usize, usize),
}

impl Place {
    /// All of a cell.
    pub fn cell(cell: usize) -> Self {
        Place { cell, path: Vec::new() }
    }

    /// A part of this place. The element of a slice is that of the list behind it.
    pub fn at(&self, step: Step) -> Self {
        let mut place = self.clone();
        match (place.path.last().copied(), step) {
            (Some(Step::Part(from, _)), Step::Index(i)) => {
                place.path.pop();
                place.path.push(Step::Index(from + i));
            }
            (Some(Step::Part(from, _)), Step::Part(start, end)) => {
                place.path.pop();
                place.path.push(Step::Part(from + start, from + end));
            }
            _ => place.path.push(step),
        }
        place
    }

    /// Whether some memory belongs to both.
    pub fn meets(&self, other: &Place) -> bool {
        self.cell == other.cell
            && self.path.iter().zip(&other.path).all(|pair| match pair {
                (Step::Field(a), Step::Field(b)) | (Step::Index(a), Step::Index(b)) => a == b,
                (Step::Part(start, end), Step::Index(i))
                | (Step::Index(i), Step::Part(start, end)) => (start..end).contains(&i),
                (Step::Part(a, b), Step::Part(c, d)) => a.max(c) < b.min(d),
                _ => true,
            })
    }
}

/// A closure, and what it has taken with it.
#[derive(Clone, Debug)]
pub struct Closure<N> {
    /// Its text.
    pub text: syn::ExprClosure,
    /// The names that it may use: their values if it has moved them, else where they are.
    pub captured: Vec<(String, Captured<N>)>,
}

/// What a closure holds under a name.
#[derive(Clone, Debug)]
pub enum Captured<N> {
    /// A value of its own.
    Moved(Value<N>),
    /// A cell that lives longer.
    Lent(usize),
    /// Another name of something else.
    Alias(String),
}

/// The end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// `..`
    Open,
    /// `..n`
    Before(i128),
    /// `..=n`
    At(i128),
}

/// A value.
#[derive(Clone, Debug)]
pub enum Value<N> {
    /// `()`
    Unit,
    /// `true`, `false`
    Bool(bool),
    /// An integer, and the name of its type; empty for a literal whose type is not known.
    Integer(i128, &'static str),
    /// A number.
    Number(N),
    /// A string.
    Text(Rc<str>),
    /// A tuple.
    Tuple(Vec<Value<N>>),
    /// An array or a vector.
    List(Vec<Value<N>>),
    /// A struct: its name, and its fields in the order of its definition.
    Struct(Rc<str>, Vec<(Rc<str>, Value<N>)>),
    /// `Some(…)`, `None`
    Option(Option<Box<Value<N>>>),
    /// A range of integers.
    Range(Option<i128>, End, &'static str),
    /// A reference, shared or mutable.
    Reference(Place),
    /// What an iterator has still to give.
    Items(Vec<Value<N>>),
    /// A closure.
    Closure(Rc<Closure<N>>),
    /// A function as a value, by its name.
    Function(Rc<str>),
}

/// The names of the types of integers.
pub const INTEGERS: [&str; 12] =
    ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];

/// Whether an integer fits its type.
pub fn fits(value: i128, ty: &str) -> bool {
    match ty {
        "i8" => i8::try_from(value).is_ok(),
        "i16" => i16::try_from(value).is_ok(),
        "i32" => i32::try_from(value).is_ok(),
        "i64" | "isize" => i64::try_from(value).is_ok(),
        "u8" => u8::try_from(value).is_ok(),
        "u16" => u16::try_from(value).is_ok(),
        "u32" => u32::try_from(value).is_ok(),
        "u64" | "usize" => u64::try_from(value).is_ok(),
        "u128" => value >= 0,
        _ => true,
    }
}

/// An integer made to fit its type by leaving out its upper bits, as `as` does.
pub fn wrapped(value: i128, ty: &str) -> i128 {
    match ty {
        "i8" => i128::from(value as i8),
        "i16" => i128::from(value as i16),
        "i32" => i128::from(value as i32),
        "i64" | "isize" => i128::from(value as i64),
        "u8" => i128::from(value as u8),
        "u16" => i128::from(value as u16),
        "u32" => i128::from(value as u32),
        "u64" | "usize" => i128::from(value as u64),
        _ => value,
    }
}

impl<N: Number> Value<N> {
    /// A number that does not change.
    pub fn constant(value: f64) -> Self {
        Value::Number(N::constant(value))
    }

    /// A length or an index.
    pub fn size(value: usize) -> Self {
        Value::Integer(value as i128, "usize")
    }

    /// `Some(value)`.
    pub fn some(value: Self) -> Self {
        Value::Option(Some(Box::new(value)))
    }

    /// A struct of this name, whose fields are numbered.
    pub fn wrapper(name: &str, fields: Vec<Self>) -> Self {
        let fields = fields.into_iter().enumerate();
        Value::Struct(name.into(), fields.map(|(i, field)| (i.to_string().into(), field)).collect())
    }

    /// The type, by the name under which its methods are found. Arrays, vectors and
    /// slices have one name.
    pub fn key(&self) -> &str {
        match self {
            Value::Unit => "()",
            Value::Bool(_) => "bool",
            Value::Integer(_, ty) => ty,
            Value::Number(_) => "f64",
            Value::Text(_) => "str",
            Value::Tuple(_) => "(,)",
            Value::List(_) => "[]",
            Value::Struct(name, _) => name,
            Value::Option(_) => "Option",
            Value::Range(..) => "Range",
            Value::Reference(_) => "&",
            Value::Items(_) => "Iterator",
            Value::Closure(_) => "closure",
            Value::Function(name) => name,
        }
    }

    /// All numbers inside, in one order for all values of a shape.
    pub fn numbers(&self, into: &mut Vec<N>) {
        match self {
            Value::Number(number) => into.push(*number),
            Value::Tuple(parts) | Value::List(parts) => {
                parts.iter().for_each(|part| part.numbers(into))
            }
            Value::Struct(_, fields) => fields.iter().for_each(|(_, field)| field.numbers(into)),
            Value::Option(Some(inside)) => inside.numbers(into),
            _ => {}
        }
    }

    /// The same value with other numbers, which are asked for in the order of
    /// [`numbers`](Self::numbers).
    pub fn with_numbers<M: Number>(&self, next: &mut dyn FnMut(N) -> M) -> Value<M> {
        match self {
            Value::Unit => Value::Unit,
            Value::Bool(b) => Value::Bool(*b),
            Value::Integer(value, ty) => Value::Integer(*value, ty),
            Value::Number(number) => Value::Number(next(*number)),
            Value::Text(text) => Value::Text(text.clone()),
            Value::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|p| p.with_numbers(next)).collect())
            }
            Value::List(parts) => Value::List(parts.iter().map(|p| p.with_numbers(next)).collect()),
            Value::Struct(name, fields) => {
                let fields = fields.iter().map(|(name, f)| (name.clone(), f.with_numbers(next)));
                Value::Struct(name.clone(), fields.collect())
            }
            Value::Option(inside) => {
                Value::Option(inside.as_ref().map(|inside| Box::new(inside.with_numbers(next))))
            }
            Value::Range(start, end, ty) => Value::Range(*start, *end, ty),
            Value::Function(name) => Value::Function(name.clone()),
            Value::Reference(_) | Value::Items(_) | Value::Closure(_) => {
                unreachable!("arguments own what they hold")
            }
        }
    }
}

/// For messages.
impl<N: Number> Display for Value<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |f: &mut fmt::Formatter, parts: &[Value<N>]| {
            for (i, part) in parts.iter().enumerate() {
                write!(f, "{}{part}", if i == 0 { "" } else { ", " })?;
            }
            Ok(())
        };
        match self {
            Value::Unit => write!(f, "()"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Integer(value, ty) => write!(f, "{value}{ty}"),
            Value::Number(number) => write!(f, "{:?}", number.value()),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::Tuple(parts) => {
                write!(f, "(")?;
                list(f, parts)?;
                write!(f, ")")
            }
            Value::List(parts) | Value::Items(parts) => {
                write!(f, "[")?;
                list(f, parts)?;
                write!(f, "]")
            }
            Value::Struct(name, fields) => {
                write!(f, "{name} {{")?;
                for (name, field) in fields {
                    write!(f, " {name}: {field}")?;
                }
                write!(f, " }}")
            }
            Value::Option(Some(inside)) => write!(f, "Some({inside})"),
            Value::Option(None) => write!(f, "None"),
            Value::Range(start, end, _) => write!(f, "{start:?}..{end:?}"),
            Value::Reference(place) => write!(f, "&{place:?}"),
            Value::Closure(_) => write!(f, "a closure"),
            Value::Function(name) => write!(f, "{name}"),
        }
    }
}
