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
use std::marker::PhantomData;

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
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Whether it carries a gradient.
    pub active: bool,
    /// Whether each index has to do with no element of it but its own.
    pub own: bool,
    /// Whether the function adds to it, and does nothing else with it: then many indices may.
    pub adds: fn() -> bool,
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
///
/// Values go to a device and come back field by field, so that nobody sees what lies between
/// the fields, and nobody makes a value of bits that are none.
#[diagnostic::on_unimplemented(
    message = "values of type `{Self}` do not reach the device",
    note = "help: floats, `bool`, integers of 32 or 64 bits, complex numbers, arrays of them, and `#[repr(C)]` structs under `#[derive(Device)]` do"
)]
pub trait Type: Copy + Send + Sync + 'static {
    /// How much memory it takes there.
    const LAYOUT: Layout;
    /// How it is laid out.
    fn form() -> Form;
    /// Writes it into as many bytes as its layout has.
    fn store(&self, to: &mut [u8]);
    /// Reads it from as many bytes. Zeros are a zero.
    fn load(from: &[u8]) -> Self;
    /// Whether its bytes on the host are those on the device, and any bits are a value.
    #[doc(hidden)]
    fn plain() -> Option<Plain<Self>> {
        None
    }
}

/// The word of the library that a type is made of numbers alone, with nothing between them.
/// Nobody else can give it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Plain<T>(PhantomData<T>);

/// How much memory a type takes, by the rules of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Its size in bytes.
    pub size: usize,
    /// What its address is a multiple of.
    pub align: usize,
}

impl Layout {
    /// Of a number.
    const fn of<T>() -> Layout {
        Layout { size: size_of::<T>(), align: align_of::<T>() }
    }

    /// Of so many behind each other.
    pub const fn array(self, length: usize) -> Layout {
        Layout { size: self.size * length, align: self.align }
    }

    /// Of a struct with these fields.
    pub const fn of_fields(fields: &[Layout]) -> Layout {
        let (mut align, mut i) = (1, 0);
        while i < fields.len() {
            if fields[i].align > align {
                align = fields[i].align;
            }
            i += 1;
        }
        let end = Layout::end_of(fields, fields.len());
        Layout { size: end.next_multiple_of(align), align }
    }

    /// Where a field of a struct begins.
    #[inline]
    pub const fn offset(fields: &[Layout], field: usize) -> usize {
        Layout::end_of(fields, field).next_multiple_of(fields[field].align)
    }

    /// Where the first fields of a struct end.
    #[inline]
    const fn end_of(fields: &[Layout], count: usize) -> usize {
        let (mut end, mut i) = (0_usize, 0);
        while i < count {
            end = end.next_multiple_of(fields[i].align) + fields[i].size;
            i += 1;
        }
        end
    }
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

impl Form {
    /// How much memory it takes; `None` if the device knows no such number.
    pub fn layout(&self) -> Option<Layout> {
        match self {
            Form::Scalar(name) => scalar(name),
            Form::Complex(part) => Some(part.layout()?.array(2)),
            Form::Array(element, length) => Some(element.layout()?.array(*length)),
            Form::Struct(of) => {
                let fields = of.fields.iter().map(|(_, form)| form.layout());
                Some(Layout::of_fields(&fields.collect::<Option<Vec<_>>>()?))
            }
        }
    }
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

/// The numbers that a device knows, and how they are printed there.
macro_rules! scalars {
    ($($type:ident $name:literal |$x:ident| $text:expr;)+) => {
        $(
            impl Type for $type {
                const LAYOUT: Layout = Layout::of::<$type>();
                fn form() -> Form {
                    Form::Scalar($name)
                }
                #[inline]
                fn store(&self, to: &mut [u8]) {
                    to.copy_from_slice(&self.to_ne_bytes());
                }
                #[inline]
                fn load(from: &[u8]) -> Self {
                    let mut bytes = [0; size_of::<$type>()];
                    bytes.copy_from_slice(from);
                    $type::from_ne_bytes(bytes)
                }
                #[inline]
                fn plain() -> Option<Plain<Self>> {
                    Some(Plain(PhantomData))
                }
            }

            impl Printable for $type {
                fn text(&self) -> String {
                    let $x = self;
                    $text
                }
            }
        )+

        /// The layout of a number, by its name on the device.
        fn scalar(name: &str) -> Option<Layout> {
            match name {
                $($name => Some($type::LAYOUT),)+
                "bool" => Some(bool::LAYOUT),
                _ => None,
            }
        }
    };
}

scalars! {
    i32 "rg::i32" |x| format!("rg::i32({x}LL)");
    u32 "rg::u32" |x| format!("rg::u32({x}ULL)");
    i64 "rg::i64" |x| format!("rg::i64({x}LL)");
    u64 "rg::u64" |x| format!("rg::u64({x}ULL)");
    isize "rg::isize" |x| format!("rg::isize({x}LL)");
    usize "rg::usize" |x| format!("rg::usize({x}ULL)");
    f32 "rg::f32" |x| float("rg::f32", f64::from(*x), format!("{x:?}"));
    f64 "rg::f64" |x| float("rg::f64", *x, format!("{x:?}"));
}

/// A float as the device writes it: C++ has no literals for some.
fn float(name: &str, value: f64, digits: String) -> String {
    match value {
        x if x.is_nan() => format!("{name}(0.0 / 0.0)"),
        x if x.is_infinite() => format!("{name}({}1.0 / 0.0)", if x < 0.0 { "-" } else { "" }),
        _ => format!("{name}({digits})"),
    }
}

/// Not every byte is one.
impl Type for bool {
    const LAYOUT: Layout = Layout::of::<bool>();
    fn form() -> Form {
        Form::Scalar("bool")
    }
    #[inline]
    fn store(&self, to: &mut [u8]) {
        to[0] = u8::from(*self);
    }
    #[inline]
    fn load(from: &[u8]) -> Self {
        from[0] != 0
    }
}

impl Printable for bool {
    fn text(&self) -> String {
        format!("bool({self})")
    }
}

impl<T: Type> Type for Complex<T> {
    const LAYOUT: Layout = T::LAYOUT.array(2);
    fn form() -> Form {
        Form::Complex(Box::new(T::form()))
    }
    #[inline]
    fn store(&self, to: &mut [u8]) {
        let (re, im) = to.split_at_mut(T::LAYOUT.size);
        self.re.store(re);
        self.im.store(im);
    }
    #[inline]
    fn load(from: &[u8]) -> Self {
        let (re, im) = from.split_at(T::LAYOUT.size);
        Complex { re: T::load(re), im: T::load(im) }
    }
    // It is `#[repr(C)]`.
    #[inline]
    fn plain() -> Option<Plain<Self>> {
        T::plain().map(|_| Plain(PhantomData))
    }
}

impl<T: Type, const N: usize> Type for [T; N] {
    const LAYOUT: Layout = T::LAYOUT.array(N);
    fn form() -> Form {
        Form::Array(Box::new(T::form()), N)
    }
    #[inline]
    fn store(&self, to: &mut [u8]) {
        for (i, element) in self.iter().enumerate() {
            element.store(&mut to[i * T::LAYOUT.size..][..T::LAYOUT.size]);
        }
    }
    #[inline]
    fn load(from: &[u8]) -> Self {
        std::array::from_fn(|i| T::load(&from[i * T::LAYOUT.size..][..T::LAYOUT.size]))
    }
    #[inline]
    fn plain() -> Option<Plain<Self>> {
        T::plain().map(|_| Plain(PhantomData))
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
