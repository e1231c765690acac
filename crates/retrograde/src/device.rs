//! What a function needs to run on a graphics processor: its text in the language
//! of the device. Kernels are put together, compiled and launched by the crate
//! `retrograde-gpu`.
//!
//! `#[reversible(gpu)]` and `#[differentiable(gpu)]` give a function this text beside
//! everything else, and `#[derive(Device)]` tells the device how a struct is laid out:
//!
//! ```
//! use retrograde::device::{Function, Type};
//! use retrograde::prelude::*;
//!
//! #[derive(Clone, Copy, Device)]
//! #[repr(C)]
//! struct Line {
//!     slope: f64,
//!     offset: f64,
//! }
//!
//! #[reversible(gpu)]
//! fn residual(i: usize, y: &mut [f64], x: &[f64], line: &[Line]) {
//!     y[i] -= line[0].slope * x[i] + line[0].offset;
//! }
//! # impl retrograde::derivative::Differentiable for Line {
//! #     fn zero_like(&self) -> Self { Line { slope: 0.0, offset: 0.0 } }
//! #     fn accumulate_shadow(&mut self, o: Self) { self.slope += o.slope; self.offset += o.offset; }
//! #     fn retract_shadow(&mut self, o: Self) { self.slope -= o.slope; self.offset -= o.offset; }
//! # }
//!
//! let source = residual::SOURCE;
//! assert_eq!(source.name, "residual");
//! assert!(source.text.contains("adjoint"));
//! // Every thread reads its own element of `x`, and all of them read `line`.
//! assert!(source.arguments[2].own && !source.arguments[3].own);
//! ```

use crate::num::Complex;

/// A function that has a text for the device: the value `f {}` beside it has this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not run on a device",
    label = "has no text for the device",
    note = "help: mark it `#[reversible(gpu)]`, or `#[differentiable(gpu)]` if it returns a value"
)]
pub trait Function {
    /// Its text, and that of everything that it calls.
    const SOURCE: Source;
}

/// The text of a function, with marks for what is not known where it is compiled.
#[derive(Debug)]
pub struct Source {
    /// Its name.
    pub name: &'static str,
    /// The module that it stands in; empty for what the header of the device has.
    pub module: &'static str,
    /// The text: `@@` is its own name, `@0@` that of the first callee, `@c0@` the first
    /// constant, and `@k@` the number of its first check.
    pub text: &'static str,
    /// The functions that it calls.
    pub callees: &'static [&'static Source],
    /// The constants that it reads, as the device writes them.
    pub constants: fn() -> Vec<String>,
    /// What it checks, in the order of the numbers.
    pub checks: &'static [Check],
    /// Its arguments.
    pub arguments: &'static [Argument],
}

/// An argument of a function that runs on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Whether it carries a gradient.
    pub active: bool,
    /// Whether each index reads no element of it but its own.
    pub own: bool,
}

/// A statement that is checked where the checks are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its text.
    pub text: &'static str,
    /// The file that it stands in.
    pub file: &'static str,
    /// Its line.
    pub line: u32,
}

/// A constant that a function on the device reads.
#[diagnostic::on_unimplemented(
    message = "a constant of type `{Self}` does not reach the device",
    note = "help: floats, `bool`, integers of 32 or 64 bits and arrays of them do"
)]
pub trait Printable {
    /// As the device writes it.
    fn text(&self) -> String;
}

/// A type whose values can lie in the memory of a device.
///
/// Of a struct, `#[derive(Device)]` gives it; the struct must be `#[repr(C)]`, so that
/// both sides agree on where its fields are.
#[diagnostic::on_unimplemented(
    message = "values of type `{Self}` do not reach the device",
    note = "help: floats, `bool`, integers of 32 or 64 bits, complex numbers, arrays of them, and `#[repr(C)]` structs under `#[derive(Device)]` do"
)]
pub trait Type: Copy + Send + Sync + 'static {
    /// How it is laid out.
    fn form() -> Form;
}

/// How a type is laid out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A number or truth value, by its name there.
    Scalar(&'static str),
    /// A complex number.
    Complex(Box<Form>),
    /// An array of so many.
    Array(Box<Form>, usize),
    /// A struct.
    Struct(Struct),
}

/// How a struct is laid out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Struct {
    /// Its name, which no other type has.
    pub name: String,
    /// Its size in bytes.
    pub size: usize,
    /// The names and types of its fields.
    pub fields: Vec<(&'static str, Form)>,
    /// The types that its type parameters stand for.
    pub parameters: Vec<Form>,
}

macro_rules! scalars {
    ($($type:ident $name:literal $format:literal;)+) => {$(
        impl Type for $type {
            fn form() -> Form {
                Form::Scalar($name)
            }
        }

        impl Printable for $type {
            fn text(&self) -> String {
                format!(concat!($name, "(", $format, ")"), self)
            }
        }
    )+};
}

scalars! {
    i32 "rg::i32" "{}LL";
    u32 "rg::u32" "{}ULL";
    i64 "rg::i64" "{}LL";
    u64 "rg::u64" "{}ULL";
    isize "rg::isize" "{}LL";
    usize "rg::usize" "{}ULL";
    bool "bool" "{}";
}

macro_rules! floats {
    ($($type:ident $name:literal;)+) => {$(
        impl Type for $type {
            fn form() -> Form {
                Form::Scalar($name)
            }
        }

        impl Printable for $type {
            fn text(&self) -> String {
                match self {
                    x if x.is_nan() => concat!($name, "(0.0 / 0.0)").to_string(),
                    x if x.is_infinite() => format!(concat!($name, "({}1.0 / 0.0)"), if *x < 0.0 { "-" } else { "" }),
                    x => format!(concat!($name, "({:?})"), x),
                }
            }
        }
    )+};
}

floats! {
    f32 "rg::f32";
    f64 "rg::f64";
}

impl<T: Type> Type for Complex<T> {
    fn form() -> Form {
        Form::Complex(Box::new(T::form()))
    }
}

impl<T: Type, const N: usize> Type for [T; N] {
    fn form() -> Form {
        Form::Array(Box::new(T::form()), N)
    }
}

impl<T: Printable, const N: usize> Printable for [T; N] {
    fn text(&self) -> String {
        let elements: Vec<String> = self.iter().map(Printable::text).collect();
        format!("rg::array({})", elements.join(", "))
    }
}

/// What the header of the device has under the same name.
macro_rules! instructions {
    ($($name:ident)+) => {$(
        impl Function for crate::instructions::$name {
            const SOURCE: Source = Source {
                name: concat!("rg::instructions::", stringify!($name)),
                module: "",
                text: "",
                callees: &[],
                constants: Vec::new,
                checks: &[],
                arguments: &[],
            };
        }
    )+};
}

instructions!(swap neg conj flip inc dec rot);
