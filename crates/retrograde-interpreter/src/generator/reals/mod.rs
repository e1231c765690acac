//! Random reversible functions of real numbers, tame enough to be differentiated.
//!
//! A program is text in which `T` stands for the type of the numbers. What it
//! reads is kept track of, so that nothing is written that a `let`, a condition
//! or a computing block still needs; how large its values can be, too.

mod ancillas;
mod calls;
mod expressions;
mod functions;
mod loops;
mod statements;
mod writer;

use functions::{function_body, helpers, pure_functions};
use std::fmt::Write;
use writer::Writer;

/// A small generator of random numbers, so that a seed names a program.
struct Random(u64);

impl Random {
    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 33) as usize % n
    }
}

/// The arguments that a program may have: their names, and their types, of
/// which it has one.
const ARGUMENTS: [(&str, &[&str]); 14] = [
    ("x", &["&mut T"]),
    ("y", &["&mut T"]),
    ("z", &["&mut T", "&T"]),
    ("v", &["&mut [T]", "&mut Vec<T>"]),
    ("w", &["&[T]", "&[T]", "&Vec<T>", "&mut [T]"]),
    ("q", &["&mut [T; 4]", "&[T; 4]"]),
    ("m", &["&mut Vec<Vec<T>>", "&mut [Vec<T>]", "&[Vec<T>]"]),
    ("g", &["&mut [[T; 3]; 2]", "&[[T; 3]; 2]"]),
    ("p", &["&mut (T, T)", "&(T, T)"]),
    ("u", &["&mut [(T, T); 2]", "&[(T, T)]"]),
    ("s", &["&mut Body<T>", "&Body<T>"]),
    ("c", &["&T"]),
    ("b", &["T"]),
    ("n", &["usize"]),
];

/// The same, of what a device has.
const ON_DEVICES: [(&str, &[&str]); 14] = [
    ("x", &["&mut T"]),
    ("y", &["&mut T"]),
    ("z", &["&mut T", "&T"]),
    ("v", &["&mut [T]"]),
    ("w", &["&[T]", "&mut [T]"]),
    ("q", &["&mut [T; 4]", "&[T; 4]"]),
    ("m", &["&mut [[T; 2]]", "&[[T; 2]]"]),
    ("g", &["&mut [[T; 3]; 2]", "&[[T; 3]; 2]"]),
    ("p", &["&mut (T, T)", "&(T, T)"]),
    ("u", &["&mut [(T, T); 2]", "&[(T, T)]"]),
    ("s", &["&mut Body<T>", "&Body<T>"]),
    ("c", &["&T"]),
    ("b", &["T"]),
    ("n", &["usize"]),
];

/// How many arguments a launch takes, with their shadows.
const LAUNCHED: usize = 16;

/// What programs are for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// All that the language has.
    Host,
    /// The statements and types that devices have.
    Device,
}

/// A generated program.
pub struct Program {
    /// What it is made from.
    pub seed: u64,
    /// Whether it has a meaning for complex numbers.
    pub complex: bool,
    /// Whether it is undone to the last bit on fixed-point numbers.
    pub exact: bool,
    /// Its functions, each with its attributes; the last is `f`.
    pub items: Vec<String>,
    /// The arguments of `f`, and their types.
    pub arguments: Vec<(&'static str, &'static str)>,
}

impl Program {
    /// Its functions, as they are shown.
    pub fn text(&self) -> String {
        self.items.join("\n")
    }

    /// Its functions, and how they are called with all arguments in one struct.
    pub fn module(&self, number: Option<&str>) -> String {
        self.written(self.text() + &self.adapters(), number)
    }

    /// Text of the program for a kind of number, or for all of them.
    pub fn written(&self, text: String, number: Option<&str>) -> String {
        let suffix = format!("_{}_{}", self.seed, number.map_or("t".into(), str::to_lowercase));
        let suffix: String = suffix.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
        let text = text.replace("METHOD", &format!("method{suffix}"));
        let text = text.replace("READER", &format!("reader{suffix}"));
        match number {
            Some(number) => {
                let mut text = text.replace("<T: Real, ", "<").replace("<T: Real>", "");
                if number != "Complex<f64>" && self.seed.is_multiple_of(2) {
                    text = literal_numbers(&text);
                }
                if number == "f32" {
                    text = text.replace("std::f64::consts::LN_2", "0.6931471805599453");
                }
                substituted(&text, number)
            }
            None if self.complex => text.replace("T: Real", "T: Elementary"),
            None => text,
        }
    }

    fn adapters(&self) -> String {
        let mut text = String::new();
        for (direction, path) in [("forward", ""), ("inverse", "::inverse")] {
            let arguments: Vec<String> = self.arguments.iter().map(value_argument).collect();
            writeln!(
                text,
                "pub fn {direction}<T: Real>(state: &mut State<T>) {{ f{path}({}) }}",
                arguments.join(", ")
            )
            .expect("writing to a string");
        }
        let argument = |argument: &(&str, &str)| match argument.0 {
            "n" => value_argument(argument),
            name => format!("{}, &mut shadow.{name}", value_argument(argument)),
        };
        let arguments: Vec<String> = self.arguments.iter().map(argument).collect();
        let arguments = arguments.join(", ");
        let calls = [
            ("adjoint", format!("f::adjoint({arguments})")),
            ("inverse_adjoint", format!("f::inverse_adjoint({arguments})")),
            ("gradient", format!("f {{}}.call_gradient(({arguments},))")),
        ];
        for (direction, call) in calls {
            writeln!(
                text,
                "pub fn {direction}<T: Real>(state: &mut State<T>, shadow: &mut State<T>) \
                 {{ {call} }}"
            )
            .expect("writing to a string");
        }
        text
    }
}

fn value_argument((name, ty): &(&str, &str)) -> String {
    match *ty {
        "usize" => "3".into(),
        "T" => format!("state.{name}.clone()"),
        ty if ty.starts_with("&mut") => format!("&mut state.{name}"),
        _ => format!("&state.{name}"),
    }
}

/// The text with literals that are not converted, as one writes them for floats.
fn literal_numbers(text: &str) -> String {
    let mut parts = text.split("T::from_f64(");
    let mut result = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once(')') {
            Some((literal, rest)) if literal.parse::<f64>().is_ok() => {
                write!(result, "{literal}{rest}").expect("writing to a string");
            }
            _ => write!(result, "T::from_f64({part}").expect("writing to a string"),
        }
    }
    result
}

/// The text with a type in the place of `T`.
fn substituted(text: &str, number: &str) -> String {
    let name = |c: char| c.is_alphanumeric() || c == '_';
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('T') {
        let before = rest[..at].chars().next_back().is_some_and(name);
        let after = rest[at + 1..].chars().next().is_some_and(name);
        result.push_str(&rest[..at]);
        // `T::from_f64` of a path with parameters needs brackets.
        let path = rest[at + 1..].starts_with("::") && number.contains('<');
        match (before || after, path) {
            (true, _) => result.push('T'),
            (false, true) => write!(result, "<{number}>").expect("writing to a string"),
            (false, false) => result.push_str(number),
        }
        rest = &rest[at + 1..];
    }
    result + rest
}

/// A random program.
pub fn program(seed: u64, target: Target) -> Program {
    let mut writer = Writer {
        random: Random(seed),
        text: String::new(),
        things: Vec::new(),
        counters: Vec::new(),
        frozen: Vec::new(),
        floor: 0,
        reads: Vec::new(),
        avoid: Vec::new(),
        names: 0,
        budget: 0,
        weight: 1.0,
        complex: seed.is_multiple_of(4),
        outermost: false,
        exact: true,
        helpers: Vec::new(),
        pure: Vec::new(),
        folds: Vec::new(),
        pairs: Vec::new(),
        methods: false,
        plain: false,
        target,
    };
    let mut items = Vec::new();
    pure_functions(&mut writer, &mut items);
    helpers(&mut writer, &mut items);
    let mut arguments: Vec<(&'static str, &'static str)> = Vec::new();
    let all = if target == Target::Host { ARGUMENTS } else { ON_DEVICES };
    for (name, types) in all {
        let percent = match name {
            "x" | "v" => 100,
            "s" => 40,
            _ => 60,
        };
        if writer.chance(percent) {
            arguments.push((name, types[writer.random.below(types.len())]));
        }
    }
    let launched = |arguments: &[(&str, &str)]| {
        arguments.iter().map(|(name, _)| if *name == "n" { 1 } else { 2 }).sum::<usize>()
    };
    while target == Target::Device && launched(&arguments) > LAUNCHED {
        // All but the first.
        arguments.remove(1 + writer.random.below(arguments.len() - 1));
    }
    writer.methods = target == Target::Host && arguments.iter().any(|(name, _)| *name == "s");
    if writer.methods {
        for (name, receiver) in [("METHOD", "&mut self"), ("READER", "&self")] {
            let before = writer.methods;
            writer.methods = false;
            let types = [("self", "&mut Body<T>"), ("y", "&mut T"), ("x", "&T")];
            let types =
                if name == "READER" { [("self", "&Body<T>"), types[1], types[2]] } else { types };
            let body = function_body(&mut writer, &types, 4, 2);
            writer.methods = before;
            items.push(format!(
                "impl<T: Real> Body<T> {{\n#[reversible]\npub fn {name}({receiver}, y: &mut T, x: &T) \
                 {{\n{body}}}\n}}\n"
            ));
        }
    }
    writer.outermost = true;
    let body = function_body(&mut writer, &arguments, 12, 3);
    let list: Vec<String> = arguments.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    items.push(format!("#[reversible]\npub fn f<T: Real>({}) {{\n{body}}}\n", list.join(", ")));
    Program { seed, complex: writer.complex, exact: writer.exact, items, arguments }
}
