//! Random reversible functions of real numbers, tame enough to be differentiated.
//!
//! A program is text in which `T` stands for the type of the numbers. What it
//! reads is kept track of, so that nothing is written that a `let`, a condition
//! or a computing block still needs; how large its values can be, too.

use std::fmt::Write;

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

/// A generated program.
pub struct Program {
    /// What it is made from.
    pub seed: u64,
    /// Whether it has a meaning for complex numbers.
    pub complex: bool,
    /// Whether it is undone to the last bit on fixed-point numbers.
    pub exact: bool,
    /// Its functions, each with its attributes; the last is `f`.
    items: Vec<String>,
    arguments: Vec<(&'static str, &'static str)>,
}

impl Program {
    /// Its functions, as they are shown.
    pub fn text(&self) -> String {
        self.items.join("\n")
    }

    /// Its functions, and how they are called with all arguments in one struct.
    pub fn module(&self, number: Option<&str>) -> String {
        let text = self.items.join("\n") + &self.adapters();
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

/// What a place holds.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Number,
    List(usize),
    Table(usize, usize),
    Pair,
    /// Two pairs.
    Pairs,
    Body,
}

/// A name in scope.
#[derive(Clone, Debug)]
struct Thing {
    path: String,
    /// Whether a number is behind a reference.
    reference: bool,
    shape: Shape,
    /// The variable behind it, `.` and the part of it.
    root: String,
    writable: bool,
    hidden: bool,
    /// About how large its numbers are.
    bound: f64,
}

/// A number in a place.
#[derive(Clone, Debug)]
struct Place {
    text: String,
    /// As the argument of a call.
    lent: String,
    lent_mut: String,
    root: String,
    bound: f64,
}

/// An expression.
#[derive(Clone, Debug)]
struct Term {
    text: String,
    bound: f64,
}

impl Term {
    fn new(text: String, bound: f64) -> Self {
        Term { text, bound }
    }
}

/// What a helper function takes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Takes {
    Written,
    Read,
    Value,
    WrittenList,
    ReadList,
    WrittenPair,
    WrittenBody,
    ReadTable,
    ReadArray,
    Count,
    Function,
}

#[derive(Clone, Debug)]
struct Helper {
    name: String,
    takes: Vec<Takes>,
}

struct Writer {
    random: Random,
    text: String,
    things: Vec<Thing>,
    /// Counters and what they count: from, up to.
    counters: Vec<(String, usize, usize)>,
    /// What must not be written.
    frozen: Vec<String>,
    /// Things before this one are not written.
    floor: usize,
    /// Everything that was read so far.
    reads: Vec<String>,
    /// What the next expression must not read.
    avoid: Vec<String>,
    names: usize,
    budget: usize,
    /// How often the current statement runs.
    weight: f64,
    complex: bool,
    exact: bool,
    helpers: Vec<Helper>,
    /// Pure functions of so many numbers.
    pure: Vec<(String, usize)>,
    /// Pure functions of a list.
    folds: Vec<String>,
    pairs: Vec<String>,
    methods: bool,
    /// In a pure function, which is plain Rust: literals are converted and values
    /// cloned by hand.
    plain: bool,
}

fn meets(a: &str, b: &str) -> bool {
    let inside = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.starts_with('.'));
    a == b || inside(a, b) || inside(b, a)
}

impl Writer {
    fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    fn one_of<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.below(from.len())]
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("writing to a string");
    }

    fn thing(&mut self, path: &str, shape: Shape, root: &str) -> &mut Thing {
        self.things.push(Thing {
            path: path.to_string(),
            reference: false,
            shape,
            root: root.to_string(),
            writable: false,
            hidden: false,
            bound: 2.5,
        });
        self.things.last_mut().expect("just pushed")
    }

    /// Numbers, lists and tables; structs and tuples taken apart.
    fn parts(&self) -> Vec<(usize, Thing)> {
        let mut parts = Vec::new();
        for (i, thing) in self.things.iter().enumerate().filter(|(_, thing)| !thing.hidden) {
            let part = |field: &str, shape: Shape| {
                let (path, root) =
                    (format!("{}.{field}", thing.path), format!("{}.{field}", thing.root));
                (i, Thing { path, root, shape, reference: false, ..thing.clone() })
            };
            match thing.shape {
                Shape::Body => parts.extend([
                    part("a", Shape::Number),
                    part("b", Shape::List(2)),
                    part("c.0", Shape::Number),
                    part("c.1", Shape::Number),
                    part("d", Shape::List(2)),
                ]),
                Shape::Pair => {
                    parts.extend([part("0", Shape::Number), part("1", Shape::Number)]);
                }
                _ => parts.push((i, thing.clone())),
            }
        }
        parts
    }

    fn may_write(&self, index: usize, thing: &Thing) -> bool {
        thing.writable
            && index >= self.floor
            && !self.frozen.iter().any(|root| meets(root, &thing.root))
            && !self.avoid.iter().any(|root| meets(root, &thing.root))
    }

    fn may_read(&self, thing: &Thing) -> bool {
        !self.avoid.iter().any(|root| meets(root, &thing.root))
    }

    fn index(&mut self, length: usize) -> String {
        let fitting: Vec<(String, usize)> = self
            .counters
            .iter()
            .filter(|(_, _, end)| *end <= length)
            .map(|(name, _, end)| (name.clone(), length - end))
            .collect();
        if fitting.is_empty() || self.chance(40) {
            return self.random.below(length).to_string();
        }
        let (name, room) = fitting[self.random.below(fitting.len())].clone();
        match self.random.below(4) {
            0 if room > 0 => format!("{name} + {}", 1 + self.random.below(room)),
            1 => format!("({name} + {}) % {length}", 1 + self.random.below(3)),
            _ => name,
        }
    }

    fn place_in(&mut self, thing: &Thing) -> Place {
        let path = &thing.path;
        let (text, lent, lent_mut) = match thing.shape {
            Shape::Number if thing.reference => {
                // A `&mut` that is passed on counts as written.
                let bare = !thing.writable && self.chance(50);
                let lent = if bare { path.clone() } else { format!("&*{path}") };
                let lent_mut = if self.chance(70) { path.clone() } else { format!("&mut *{path}") };
                (format!("*{path}"), lent, lent_mut)
            }
            Shape::Number => (path.clone(), format!("&{path}"), format!("&mut {path}")),
            Shape::List(length) => {
                let text = format!("{path}[{}]", self.index(length));
                (text.clone(), format!("&{text}"), format!("&mut {text}"))
            }
            Shape::Table(rows, columns) => {
                let (i, j) = (self.index(rows), self.index(columns));
                let text = format!("{path}[{i}][{j}]");
                (text.clone(), format!("&{text}"), format!("&mut {text}"))
            }
            Shape::Pairs => {
                let (i, part) = (self.index(2), self.random.below(2));
                let text = format!("{path}[{i}].{part}");
                (text.clone(), format!("&{text}"), format!("&mut {text}"))
            }
            Shape::Pair | Shape::Body => unreachable!("taken apart"),
        };
        Place { text, lent, lent_mut, root: thing.root.clone(), bound: thing.bound }
    }

    fn readable(&mut self) -> Option<Place> {
        let parts: Vec<_> =
            self.parts().into_iter().filter(|(_, thing)| self.may_read(thing)).collect();
        if parts.is_empty() {
            return None;
        }
        // Names that are declared later more often.
        let at = self.random.below(parts.len()).max(self.random.below(parts.len()));
        let place = self.place_in(&parts[at].1);
        self.reads.push(place.root.clone());
        Some(place)
    }

    fn writable(&mut self) -> Option<Place> {
        let parts: Vec<_> =
            self.parts().into_iter().filter(|(i, thing)| self.may_write(*i, thing)).collect();
        if parts.is_empty() {
            return None;
        }
        let at = self.random.below(parts.len());
        Some(self.place_in(&parts[at].1))
    }

    /// Lists that a helper can take.
    fn long_lists(&self, write: bool) -> Vec<(usize, Thing, usize)> {
        self.lists(write).into_iter().filter(|(_, _, length)| *length >= 2).collect()
    }

    fn lists(&self, write: bool) -> Vec<(usize, Thing, usize)> {
        self.parts()
            .into_iter()
            .filter_map(|(i, thing)| match thing.shape {
                Shape::List(length) => Some((i, thing, length)),
                _ => None,
            })
            .filter(
                |(i, thing, _)| {
                    if write { self.may_write(*i, thing) } else { self.may_read(thing) }
                },
            )
            .collect()
    }

    fn literal(&mut self) -> String {
        let value = 0.15 + self.random.below(180) as f64 / 100.0;
        self.number(format!("{value:.2}"))
    }

    /// A literal, as it stands beside numbers.
    fn number(&self, literal: String) -> String {
        if self.plain { format!("T::from_f64({literal})") } else { literal }
    }

    fn counter(&mut self) -> Option<String> {
        if self.counters.is_empty() {
            return None;
        }
        let at = self.random.below(self.counters.len());
        Some(self.counters[at].0.clone())
    }

    fn leaf(&mut self) -> Term {
        if self.chance(8)
            && let Some(counter) = self.counter()
        {
            return Term::new(format!("T::from_f64(({counter}) as f64)"), 4.0);
        }
        match self.readable() {
            Some(place) if self.plain => {
                let path = place.text.trim_start_matches('*');
                Term::new(format!("{path}.clone()"), place.bound)
            }
            Some(place) => Term::new(place.text, place.bound),
            None => Term::new(format!("T::from_f64({})", self.literal()), 2.0),
        }
    }

    /// As the receiver of a method.
    fn receiver(&mut self, term: &Term) -> String {
        match term.text.strip_prefix('*') {
            Some(name) if self.chance(50) => name.to_string(),
            Some(_) => format!("({})", term.text),
            None => term.text.clone(),
        }
    }

    /// At most so large.
    fn scaled(&mut self, term: Term, limit: f64) -> Term {
        if term.bound <= limit {
            return term;
        }
        let factor = (limit / term.bound * 0.9).max(0.0001);
        let factor = self.number(format!("{factor:.4}"));
        Term::new(format!("({factor} * {})", term.text), limit)
    }

    /// Away from zero, on the right.
    fn positive(&mut self, depth: usize) -> Term {
        let term = self.expression(depth);
        let literal = self.literal();
        if self.complex {
            let (term, shift) = (self.scaled(term, 0.8), self.number("2.5".into()));
            return Term::new(format!("({} + {shift})", term.text), 3.3);
        }
        let receiver = self.receiver(&term);
        match self.random.below(5) {
            0 if depth == 0 => {
                let text = format!("({0} * {0} + {literal})", term.text);
                Term::new(text, term.bound * term.bound + 2.0)
            }
            1 => Term::new(format!("({receiver}.abs() + {literal})"), term.bound + 2.0),
            2 => {
                let shift = self.number("1.50".into());
                Term::new(format!("({shift} + {receiver}.tanh())"), 2.5)
            }
            3 => {
                let least = self.number("0.35".into());
                Term::new(format!("{receiver}.max({least})"), term.bound.max(0.35))
            }
            _ => Term::new(format!("({receiver}.powi(2) + {literal})"), term.bound.powi(2) + 2.0),
        }
    }

    fn condition(&mut self) -> String {
        if let Some(counter) = self.counter()
            && (self.complex || self.chance(25))
        {
            let text = ["% 2 == 0", "> 1", "< 2", "!= 1"][self.random.below(4)];
            return format!("({counter}) {text}");
        }
        if self.complex {
            return format!("{} > 0", self.random.below(2));
        }
        let left = self.leaf();
        let comparison = self.one_of(&["<", ">", "<=", ">="]);
        if self.chance(50) {
            return format!("{} {comparison} {}", left.text, self.literal());
        }
        let (depth, both) = (self.random.below(2), self.chance(15));
        let right = self.expression(depth);
        let first = format!("{} {comparison} {}", left.text, right.text);
        let least = self.number("0.20".into());
        if both { format!("{first} && {} > {least}", left.text) } else { first }
    }

    /// Something that reads a place, if there is one.
    fn expression(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.random.below(if self.complex { 20 } else { 30 }) {
            0..=2 => {
                let (a, b) = (self.expression(depth), self.expression(depth));
                let operator = self.one_of(&["+", "-"]);
                Term::new(format!("({} {operator} {})", a.text, b.text), a.bound + b.bound)
            }
            3..=5 => {
                let (a, b) = (self.expression(depth), self.expression(depth));
                Term::new(format!("({} * {})", a.text, b.text), a.bound * b.bound)
            }
            6 => {
                let (a, b) = (self.expression(depth), self.positive(depth));
                Term::new(format!("({} / {})", a.text, b.text), a.bound / 0.3)
            }
            7 => {
                let a = self.expression(depth);
                Term::new(format!("(-{})", a.text), a.bound)
            }
            8 | 9 => {
                let (a, literal) = (self.expression(depth), self.literal());
                let text = match self.random.below(6) {
                    0 => format!("({literal} * {})", a.text),
                    1 => format!("({} * {literal})", a.text),
                    2 => format!("({literal} - {})", a.text),
                    3 => format!("({} + {literal})", a.text),
                    4 => {
                        let constant = self.number("std::f64::consts::LN_2".into());
                        format!("({} - {constant})", a.text)
                    }
                    _ => format!("({} / {literal})", a.text),
                };
                Term::new(text, 7.0 * a.bound + 2.0)
            }
            10 => {
                let (b, literal) = (self.positive(depth), self.literal());
                Term::new(format!("({literal} / {})", b.text), 6.0)
            }
            11 => {
                let a = self.expression(depth);
                let a = self.scaled(a, 1.5);
                let functions = ["sin", "cos", "exp", "sinh", "cosh", "exp_m1", "exp2"];
                let function = self.one_of(&functions);
                Term::new(format!("{}.{function}()", self.receiver(&a)), 4.5)
            }
            12 => {
                let a = self.positive(depth);
                let functions = ["ln", "sqrt", "recip", "cbrt", "log2", "ln_1p", "log10"];
                let function = self.one_of(&functions);
                Term::new(format!("{}.{function}()", self.receiver(&a)), a.bound.max(3.0))
            }
            13 => {
                let a = self.expression(depth);
                let power = 2 + self.random.below(2) as i32;
                Term::new(format!("{}.powi({power})", self.receiver(&a)), a.bound.powi(power))
            }
            14 => {
                let (a, power) = (self.positive(depth), 1 + self.random.below(2));
                Term::new(format!("{}.powi(-{power})", self.receiver(&a)), 11.0)
            }
            15 if !self.complex => {
                let (a, b) = (self.positive(depth), self.expression(depth));
                let a = self.receiver(&a);
                if self.chance(40) {
                    return Term::new(format!("{a}.powf({})", self.literal()), 9.0);
                }
                let b = self.scaled(b, 1.2);
                Term::new(format!("{a}.powf({})", b.text), 9.0)
            }
            16 => {
                let condition = self.condition();
                let (a, b) = (self.expression(depth), self.expression(depth));
                let bound = a.bound.max(b.bound);
                if self.chance(20) {
                    let (second, c) = (self.condition(), self.expression(depth));
                    let text = format!(
                        "(if {condition} {{ {} }} else if {second} {{ {} }} else {{ {} }})",
                        a.text, b.text, c.text
                    );
                    return Term::new(text, bound.max(c.bound));
                }
                let text = format!("(if {condition} {{ {} }} else {{ {} }})", a.text, b.text);
                Term::new(text, bound)
            }
            17 => self.inner_block(depth),
            18 => self.call_of_pure(depth),
            15 => {
                let a = self.positive(depth);
                Term::new(format!("{}.sqrt()", self.receiver(&a)), 2.0)
            }
            19 => {
                let (a, b) = (self.expression(depth), self.expression(depth));
                let bound = a.bound.max(b.bound);
                let part = self.random.below(2);
                let a_scaled = self.scaled(a.clone(), 1.5);
                let text = match self.random.below(3) {
                    // An element cannot be moved out of an array in plain Rust.
                    1 if self.plain => return a,
                    0 => format!("({}, {}).{part}", a.text, b.text),
                    1 => format!("[{}, {}][{part}]", a.text, b.text),
                    _ => {
                        let text = format!("{}.sin_cos().{part}", self.receiver(&a_scaled));
                        return Term::new(text, 2.3);
                    }
                };
                Term::new(text, bound)
            }
            20..=22 => {
                let a = self.expression(depth);
                let function = self.one_of(&["sin", "cos", "tanh", "atan", "sin", "asinh"]);
                Term::new(format!("{}.{function}()", self.receiver(&a)), 1.6)
            }
            23 => {
                let (a, b) = (self.expression(depth), self.positive(depth));
                let text = if self.chance(50) {
                    format!("{}.atan2({})", self.receiver(&a), b.text)
                } else {
                    format!("{}.atan2({})", self.receiver(&b), a.text)
                };
                Term::new(text, 3.2)
            }
            24 => {
                let (a, b) = (self.expression(depth), self.expression(depth));
                Term::new(format!("{}.hypot({})", self.receiver(&a), b.text), a.bound + b.bound)
            }
            25 | 26 => {
                let (a, b) = (self.expression(depth), self.expression(depth));
                let (function, literal) = (self.one_of(&["min", "max"]), self.literal());
                let b = if self.chance(30) { Term::new(literal, 2.0) } else { b };
                let bound = a.bound.max(b.bound);
                Term::new(format!("{}.{function}({})", self.receiver(&a), b.text), bound)
            }
            27 => {
                let a = self.expression(depth);
                Term::new(format!("{}.abs()", self.receiver(&a)), a.bound)
            }
            _ => {
                let (a, b, c) =
                    (self.expression(depth), self.expression(depth), self.expression(depth));
                let literal = self.literal();
                let b = if self.chance(25) { Term::new(literal, 2.0) } else { b };
                let bound = a.bound * b.bound + c.bound;
                let text = format!("{}.mul_add({}, {})", self.receiver(&a), b.text, c.text);
                Term::new(text, bound)
            }
        }
    }

    /// `{ let t = …; t * t }`
    fn inner_block(&mut self, depth: usize) -> Term {
        let name = if self.chance(30) { "t".to_string() } else { self.fresh("t") };
        let value = self.expression(depth);
        let before = self.things.len();
        self.thing(&name, Shape::Number, &format!("={name}")).bound = value.bound;
        // A name that is declared twice means the second.
        for thing in &mut self.things[..before] {
            thing.hidden |= thing.path == name;
        }
        let more = if self.chance(30) {
            let second = self.expression(depth);
            let again = if self.plain { ".clone()" } else { "" };
            let text = format!("let {name} = {name}{again} * {}; ", second.text);
            let bound = value.bound * second.bound;
            self.things.last_mut().expect("just pushed").bound = bound;
            text
        } else {
            String::new()
        };
        let bound = self.things.last().expect("just pushed").bound;
        let other = self.expression(depth);
        self.things.truncate(before);
        for thing in &mut self.things {
            thing.hidden &= thing.path != name;
        }
        let operator = self.one_of(&["*", "+"]);
        let again = if self.plain { ".clone()" } else { "" };
        let last = format!("{name}{again} {operator} {}", other.text);
        let text = format!("({{ let {name} = {}; {more}{last} }})", value.text);
        Term::new(text, (bound * other.bound).max(bound + other.bound))
    }

    fn call_of_pure(&mut self, depth: usize) -> Term {
        if !self.folds.is_empty() && self.chance(40) {
            let lists = self.long_lists(false);
            if !lists.is_empty() {
                let (_, list, length) = lists[self.random.below(lists.len())].clone();
                self.reads.push(list.root.clone());
                let name = self.folds[self.random.below(self.folds.len())].clone();
                let by = self.expression(depth);
                let slice = self.part_of(&list, length, false);
                return Term::new(format!("{name}({slice}, &{})", by.text), 3.0);
            }
        }
        if self.pure.is_empty() {
            return self.expression(depth);
        }
        let (name, count) = self.pure[self.random.below(self.pure.len())].clone();
        let arguments: Vec<String> = (0..count)
            .map(|_| {
                let term = self.expression(depth);
                self.scaled(term, 3.0).text
            })
            .collect();
        Term::new(format!("{name}({})", arguments.join(", ")), 3.0)
    }

    /// A slice of at least two elements, as an argument.
    fn part_of(&mut self, list: &Thing, length: usize, write: bool) -> String {
        let (path, borrow) = (&list.path, if write { "&mut " } else { "&" });
        if length > 2 && self.chance(60) {
            let start = self.random.below(length - 1);
            let end = start + 2 + self.random.below(length - start - 1);
            return match self.random.below(3) {
                0 => format!("{borrow}{path}[{start}..]"),
                1 if end > 2 => format!("{borrow}{path}[..{end}]"),
                _ => format!("{borrow}{path}[{start}..{end}]"),
            };
        }
        // A `&mut` that is passed on counts as written.
        let bare = list.reference && list.writable == write;
        if bare { path.clone() } else { format!("{borrow}{path}[..]") }
    }

    /// So large at most that the program stays tame.
    fn value(&mut self, depth: usize) -> String {
        let term = self.expression(depth);
        let limit = 0.6 / self.weight;
        if self.chance(40) && !self.complex && term.bound > limit {
            let function = self.one_of(&["sin", "tanh", "cos", "atan"]);
            let text = format!("{}.{function}()", self.receiver(&term));
            return self.scaled(Term::new(text, 1.5), limit).text;
        }
        self.scaled(term, limit).text
    }

    fn update(&mut self) {
        if self.chance(20) && self.update_in_a_list() {
            return;
        }
        let Some(place) = self.writable() else { return };
        self.avoid.push(place.root.clone());
        let depth = 1 + self.random.below(3);
        let value = self.value(depth);
        self.avoid.pop();
        let operator = self.one_of(&["+=", "-="]);
        if self.chance(5) {
            return self.line(&format!("*negated(&mut {}) {operator} {value};", place.text));
        }
        if self.chance(5) {
            return self.line(&format!("!({} {operator} {value});", place.text));
        }
        self.line(&format!("{} {operator} {value};", place.text));
    }

    /// `v[i] += … v[j] …`
    fn update_in_a_list(&mut self) -> bool {
        let lists = self.long_lists(true);
        if lists.is_empty() {
            return false;
        }
        let (_, list, length) = lists[self.random.below(lists.len())].clone();
        let near: Vec<String> =
            self.counters.iter().filter(|c| c.2 < length).map(|c| c.0.clone()).collect();
        let (i, j) = if !near.is_empty() && self.chance(70) {
            let name = near[self.random.below(near.len())].clone();
            (name.clone(), format!("{name} + 1"))
        } else {
            let i = self.random.below(length);
            (i.to_string(), ((i + 1 + self.random.below(length - 1)) % length).to_string())
        };
        let (i, j) = if self.chance(50) { (j, i) } else { (i, j) };
        self.avoid.push(list.root.clone());
        let other = self.expression(1);
        self.avoid.pop();
        self.reads.push(list.root.clone());
        let (path, operator) = (&list.path, self.one_of(&["+=", "-="]));
        let value = match self.random.below(3) {
            0 => Term::new(format!("({path}[{j}] * {})", other.text), list.bound * other.bound),
            1 => Term::new(format!("({} + {path}[{j}])", other.text), list.bound + other.bound),
            _ => {
                let text = format!("({path}[{j}] * {path}[{j}])");
                Term::new(text, list.bound * list.bound)
            }
        };
        let value = self.scaled(value, 0.6 / self.weight).text;
        self.line(&format!("{path}[{i}] {operator} {value};"));
        true
    }

    fn freeze_since(&mut self, reads: usize) {
        let roots: Vec<String> = self.reads[reads..].to_vec();
        self.frozen.extend(roots);
    }

    fn block(&mut self, depth: usize) {
        let (things, counters, frozen) =
            (self.things.len(), self.counters.len(), self.frozen.len());
        let hidden: Vec<bool> = self.things.iter().map(|thing| thing.hidden).collect();
        self.statements(depth);
        self.things.truncate(things);
        self.counters.truncate(counters);
        self.frozen.truncate(frozen);
        for (thing, hidden) in self.things.iter_mut().zip(hidden) {
            thing.hidden = hidden;
        }
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth);
        }
    }

    fn braces(&mut self, head: &str, depth: usize, tail: &str) {
        self.line(&format!("{head} {{"));
        self.block(depth);
        self.line(&format!("}}{tail}"));
    }

    /// A block in which what was declared before `floor` is only read.
    fn block_above(&mut self, floor: usize, depth: usize) {
        let outer = std::mem::replace(&mut self.floor, floor);
        self.block(depth);
        self.floor = outer;
    }

    fn statement(&mut self, depth: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let kind = if depth == 0 { self.random.below(17) } else { self.random.below(44) };
        match kind {
            0..=6 => self.update(),
            7 | 8 => self.temporary(),
            9..=13 => self.call(),
            14 => self.instruction(),
            15 => self.ancilla(depth),
            16 => self.stack(depth),
            17 => self.braces("", depth - 1, ""),
            18 | 19 => self.braces("!", depth - 1, ";"),
            20..=23 => self.branches(depth - 1),
            24 => self.branch_with_two_conditions(depth - 1),
            25..=27 => self.range_loop(depth - 1),
            28 => self.while_loop(depth - 1),
            29..=33 => self.iterator_loop(depth - 1),
            34..=36 => self.view(depth - 1),
            37..=40 => self.compute(depth - 1),
            _ => self.ancilla(depth),
        }
    }

    fn temporary(&mut self) {
        let reads = self.reads.len();
        let depth = 1 + self.random.below(2);
        match self.random.below(9) {
            0 => {
                let (t, u) = (self.fresh("t"), self.fresh("u"));
                let (a, b) = (self.expression(depth), self.expression(depth));
                self.line(&format!("let ({t}, {u}) = ({}, {});", a.text, b.text));
                for (name, bound) in [(t, a.bound), (u, b.bound)] {
                    self.thing(&name, Shape::Number, &format!("={name}")).bound = bound;
                }
            }
            1 => {
                let (t, u) = (self.fresh("t"), self.fresh("u"));
                let a = self.expression(depth);
                let a = self.scaled(a, 2.0);
                let receiver = self.receiver(&a);
                self.line(&format!("let ({t}, {u}) = {receiver}.sin_cos();"));
                for name in [t, u] {
                    self.thing(&name, Shape::Number, &format!("={name}")).bound = 1.5;
                }
            }
            2 => {
                let name = self.fresh("t");
                let terms: Vec<Term> = (0..3).map(|_| self.expression(depth)).collect();
                let bound = terms.iter().map(|term| term.bound).fold(0.0, f64::max);
                let terms: Vec<String> = terms.into_iter().map(|term| term.text).collect();
                self.line(&format!("let {name} = [{}];", terms.join(", ")));
                self.thing(&name, Shape::List(3), &format!("={name}")).bound = bound;
            }
            3 if !self.pairs.is_empty() => {
                let (t, u) = (self.fresh("t"), self.fresh("u"));
                let a = self.expression(depth);
                let a = self.scaled(a, 3.0);
                let name = self.pairs[self.random.below(self.pairs.len())].clone();
                if self.chance(50) {
                    self.line(&format!("let ({t}, {u}) = {name}({});", a.text));
                    for name in [t, u] {
                        self.thing(&name, Shape::Number, &format!("={name}")).bound = 3.0;
                    }
                } else {
                    self.line(&format!("let {t} = {name}({});", a.text));
                    self.thing(&t, Shape::Pair, &format!("={t}")).bound = 3.0;
                }
            }
            4 => {
                let name = self.fresh("t");
                let a = self.expression(depth);
                self.line(&format!("let {name}: T = {};", a.text));
                self.thing(&name, Shape::Number, &format!("={name}")).bound = a.bound;
            }
            _ => {
                let name = self.fresh("t");
                let a = self.expression(depth);
                self.line(&format!("let {name} = {};", a.text));
                self.thing(&name, Shape::Number, &format!("={name}")).bound = a.bound;
            }
        }
        self.freeze_since(reads);
    }

    /// An initial value: constant or not, a number or a list.
    fn initial(&mut self) -> (Term, Shape) {
        match self.random.below(9) {
            0..=2 if self.complex => (Term::new("T::zero()".into(), 0.5), Shape::Number),
            0 | 1 => (Term::new("0.0".into(), 0.5), Shape::Number),
            2 => (Term::new(self.literal(), 2.0), Shape::Number),
            3 | 4 => (self.expression(2), Shape::Number),
            5 => (Term::new("vec![T::zero(); 3]".into(), 0.5), Shape::List(3)),
            6 => (Term::new("[T::zero(), T::from_f64(0.5)]".into(), 0.5), Shape::List(2)),
            kind => {
                let reads = self.reads.len();
                let (a, b) = (self.expression(1), self.expression(2));
                let bound = a.bound.max(b.bound);
                if kind == 7 {
                    // What a macro mentions is read as a whole.
                    for root in &mut self.reads[reads..] {
                        *root = root.split('.').next().unwrap_or_default().to_string();
                    }
                }
                let macro_name = if kind == 7 { "vec!" } else { "" };
                let text = format!("{macro_name}[{}, {}]", a.text, b.text);
                (Term::new(text, bound), Shape::List(2))
            }
        }
    }

    /// Declares an ancilla, which may be written.
    fn declared(&mut self) -> (String, Shape) {
        let name = self.fresh("a");
        let copy = self.lists(false);
        let (value, shape) = if !copy.is_empty() && self.chance(12) {
            let (_, list, length) = copy[self.random.below(copy.len())].clone();
            self.reads.push(list.root.clone());
            (Term::new(format!("{}.to_vec()", list.path), list.bound), Shape::List(length))
        } else {
            self.initial()
        };
        // The type of a literal is not always known from what is done with it.
        let ty = if value.text.parse::<f64>().is_ok() { ": T" } else { "" };
        self.line(&format!("let mut {name}{ty} = {};", value.text));
        let thing = self.thing(&name, shape.clone(), &name);
        thing.bound = value.bound + 1.0;
        thing.writable = true;
        (name, shape)
    }

    /// An ancilla that is given back by hand.
    fn ancilla(&mut self, depth: usize) {
        self.line("{");
        let (things, frozen, reads) = (self.things.len(), self.frozen.len(), self.reads.len());
        let form = self.random.below(3);
        if form == 0 {
            // Known to hold a sum at its end.
            let name = self.fresh("a");
            let (first, second) = (self.expression(1), self.expression(2));
            self.line(&format!("let mut {name} = {};", first.text));
            self.line(&format!("{name} += {};", second.text));
            self.thing(&name, Shape::Number, &name).bound = first.bound + second.bound;
            self.freeze_since(reads);
            self.uses(depth);
            self.line(&format!("unlet!({name} = {} + {});", first.text, second.text));
        } else {
            let (name, _) = self.declared();
            let start = self.text.len();
            if form == 1 || depth == 0 {
                let outer = std::mem::replace(&mut self.floor, things);
                self.update();
                self.floor = outer;
            } else {
                self.block_above(things, depth - 1);
            }
            let computing = self.text[start..].to_string();
            self.text.truncate(start);
            self.line(&format!("{{\n{computing}}}"));
            self.freeze_since(reads);
            let thing = self.things.last_mut().expect("the ancilla");
            thing.writable = false;
            debug_assert_eq!(thing.path, name);
            self.uses(depth);
            self.line(&format!("!{{\n{computing}}};"));
        }
        self.line("}");
        self.things.truncate(things);
        self.frozen.truncate(frozen);
    }

    fn uses(&mut self, depth: usize) {
        if depth > 0 {
            // Names that it declares end with it.
            self.line("{");
            self.block(depth - 1);
            self.line("}");
        } else {
            self.update();
        }
        self.update();
    }

    fn compute(&mut self, depth: usize) {
        self.line("{");
        let (things, frozen, reads) = (self.things.len(), self.frozen.len(), self.reads.len());
        self.line("#[compute]\n{");
        self.computing(things, depth);
        self.line("}");
        self.freeze_since(reads);
        for thing in &mut self.things[things..] {
            thing.writable = false;
        }
        self.statements(depth);
        self.update();
        self.line("}");
        self.things.truncate(things);
        self.frozen.truncate(frozen);
    }

    /// What is computed: names that outlive it.
    fn computing(&mut self, floor: usize, depth: usize) {
        if self.chance(20) {
            // A place that is changed for a while.
            if let Some(place) = self.writable() {
                self.avoid.push(place.root.clone());
                let value = self.value(2);
                self.avoid.pop();
                self.line(&format!("{} -= {value};", place.text));
                self.reads.push(place.root);
            }
        }
        self.declared();
        let outer = std::mem::replace(&mut self.floor, floor);
        self.update();
        if self.chance(40) {
            self.call();
        }
        if depth > 0 && self.chance(35) {
            let reads = self.reads.len();
            let inner = self.things.len();
            self.line("#[compute]\n{");
            self.computing(inner, depth - 1);
            self.line("}");
            self.freeze_since(reads);
            for thing in &mut self.things[inner..] {
                thing.writable = false;
            }
            self.update();
            self.things.truncate(inner);
        }
        if depth > 0 && self.chance(40) {
            self.line("{");
            self.block(depth - 1);
            self.line("}");
        }
        if self.chance(30) {
            self.temporary();
        }
        self.floor = outer;
    }

    fn branches(&mut self, depth: usize) {
        let (reads, frozen) = (self.reads.len(), self.frozen.len());
        let condition = self.condition();
        let second = self.chance(40).then(|| self.condition());
        self.freeze_since(reads);
        let both = if self.chance(15) { format!("({condition}, _)") } else { condition };
        self.braces(&format!("if {both}"), depth, "");
        if let Some(second) = second {
            self.braces(&format!("else if {second}"), depth, "");
        }
        if self.chance(60) {
            self.braces("else", depth, "");
        }
        self.frozen.truncate(frozen);
    }

    /// `if (*x > 1.0, *x > 4.0)`
    fn branch_with_two_conditions(&mut self, depth: usize) {
        if self.complex {
            return self.branches(depth);
        }
        let Some(place) = self.writable() else { return };
        let (limit, frozen) = (self.random.below(4) as f64 / 2.0, self.frozen.len());
        self.frozen.push(place.root.clone());
        let text = &place.text;
        self.line(&format!("if ({text} > {limit:?}, {text} > {:?}) {{", limit + 3.0));
        self.braces("", depth, "");
        self.line(&format!("{text} += 3.0;\n}}"));
        self.frozen.truncate(frozen);
        self.frozen.push(place.root);
    }

    fn range_loop(&mut self, depth: usize) {
        let name = self.fresh("i");
        let (start, mut end) = (self.random.below(2), 2 + self.random.below(2));
        let lists = self.lists(false);
        let range = match self.random.below(7) {
            4 if !lists.is_empty() => {
                let (_, list, length) = lists[self.random.below(lists.len())].clone();
                end = length;
                format!("{start}..{}.len()", list.path)
            }
            0 => format!("{start}..={}", end - 1),
            1 => format!("({start}..{end}).rev()"),
            2 => format!("({start}..{end}).step_by(2)"),
            3 => format!("({start}..={}).rev().step_by(2)", end - 1),
            _ => format!("{start}..{end}"),
        };
        let passes = end.saturating_sub(start);
        self.looped(&format!("for {name} in {range}"), depth, passes, |writer| {
            writer.counters.push((name.clone(), start, end));
        });
    }

    fn looped(&mut self, head: &str, depth: usize, passes: usize, declare: impl Fn(&mut Self)) {
        let (things, counters) = (self.things.len(), self.counters.len());
        let weight = self.weight;
        self.weight *= passes.max(1) as f64;
        self.line(&format!("{head} {{"));
        declare(self);
        self.block(depth);
        self.line("}");
        self.weight = weight;
        self.things.truncate(things);
        self.counters.truncate(counters);
    }

    fn while_loop(&mut self, depth: usize) {
        let name = self.fresh("k");
        self.line(&format!("let mut {name}: usize = 0;"));
        let head = format!("while ({name} < 3, {name} > 0) {{");
        self.looped(&head, depth, 3, |writer| writer.counters.push((name.clone(), 0, 3)));
        self.line(&format!("{name} += 1;\n}}\nunlet!({name} = 3);"));
    }

    /// An iterator over a list, how many elements it gives, and what they are.
    fn iterator(&mut self, list: &Thing, length: usize, write: bool) -> (String, usize, Shape) {
        let suffix = if write { "_mut" } else { "" };
        let (mut text, mut count, shape) = match self.random.below(10) {
            0 if length >= 4 => {
                (format!("{}.chunks_exact{suffix}(2)", list.path), length / 2, Shape::List(2))
            }
            1 if length >= 4 && !write => {
                (format!("{}.windows(3)", list.path), length - 2, Shape::List(3))
            }
            2 if length > 3 => (format!("{}[1..3].iter{suffix}()", list.path), 2, Shape::Number),
            _ => (format!("{}.iter{suffix}()", list.path), length, Shape::Number),
        };
        for _ in 0..self.random.below(3) {
            match self.random.below(4) {
                0 => text += ".rev()",
                1 if count > 1 => {
                    text += ".skip(1)";
                    count -= 1;
                }
                2 if count > 2 => {
                    text += ".take(2)";
                    count = 2;
                }
                3 if count > 1 => {
                    text += ".step_by(2)";
                    count = count.div_ceil(2);
                }
                _ => {}
            }
        }
        (text, count, shape)
    }

    fn iterator_loop(&mut self, depth: usize) {
        if self.chance(12) && self.loop_over_pairs(depth) {
            return;
        }
        if self.chance(12) && self.loop_over_rows(depth) {
            return;
        }
        let written = self.lists(true);
        let read = self.lists(false);
        let mut leaves: Vec<(Thing, usize, bool)> = Vec::new();
        if !written.is_empty() && self.chance(65) {
            let (_, list, length) = written[self.random.below(written.len())].clone();
            leaves.push((list, length, true));
        }
        for _ in 0..1 + self.random.below(2) {
            let taken = |list: &Thing| {
                leaves.iter().any(|(other, _, write)| *write && meets(&other.root, &list.root))
            };
            let free: Vec<_> = read.iter().filter(|(_, list, _)| !taken(list)).cloned().collect();
            if free.is_empty() || (!leaves.is_empty() && self.chance(25)) {
                continue;
            }
            let (_, list, length) = free[self.random.below(free.len())].clone();
            leaves.push((list, length, false));
        }
        if leaves.is_empty() {
            return;
        }
        let (mut text, mut pattern, mut passes) = (String::new(), String::new(), usize::MAX);
        let mut declared = Vec::new();
        for (i, (list, length, write)) in leaves.iter().enumerate() {
            let name = self.fresh("e");
            // Zipped iterators have one length.
            let (mut iterator, mut count, mut shape) = self.iterator(list, *length, *write);
            for _ in 0..20 {
                if passes == usize::MAX || count == passes {
                    break;
                }
                (iterator, count, shape) = self.iterator(list, *length, *write);
            }
            if passes != usize::MAX && count != passes {
                continue;
            }
            let bare = format!("{}.iter()", list.path);
            // A list stands for its iterator.
            if !write && list.reference && !list.writable && iterator == bare && self.chance(50) {
                iterator = list.path.clone();
                if i == 0 && leaves.len() > 1 {
                    iterator = bare;
                }
            }
            let cloned =
                !write && shape == Shape::Number && iterator.ends_with(')') && self.chance(10);
            if cloned {
                iterator += ".cloned()";
            }
            (text, pattern) = if text.is_empty() {
                (iterator, name.clone())
            } else {
                (format!("{text}.zip({iterator})"), format!("({pattern}, {name})"))
            };
            passes = passes.min(count);
            declared.push(Thing {
                path: name,
                reference: !cloned,
                shape,
                writable: *write,
                hidden: false,
                ..list.clone()
            });
            if !write {
                self.reads.push(list.root.clone());
            }
        }
        let mut counter = None;
        if text.ends_with(')') && self.chance(35) {
            let name = self.fresh("i");
            text += ".enumerate()";
            pattern = format!("({name}, {pattern})");
            counter = Some((name, 0, passes));
        }
        if text.ends_with(')') && leaves.len() == 1 && self.chance(15) {
            text += ".rev()";
        }
        let (frozen, hidden): (usize, Vec<bool>) =
            (self.frozen.len(), self.things.iter().map(|thing| thing.hidden).collect());
        for (list, _, write) in &leaves {
            if *write {
                self.hide(&list.root);
            } else {
                self.frozen.push(list.root.clone());
            }
        }
        self.looped(&format!("for {pattern} in {text}"), depth, passes, |writer| {
            writer.things.extend(declared.clone());
            writer.counters.extend(counter.clone());
        });
        self.frozen.truncate(frozen);
        for (thing, hidden) in self.things.iter_mut().zip(hidden) {
            thing.hidden = hidden;
        }
    }

    /// `for (a, b) in u.iter_mut()`
    fn loop_over_pairs(&mut self, depth: usize) -> bool {
        let pairs = self.parts().into_iter().find(|(i, thing)| {
            thing.shape == Shape::Pairs && (self.may_write(*i, thing) || self.may_read(thing))
        });
        let Some((i, pairs)) = pairs else { return false };
        let write = self.may_write(i, &pairs);
        let part = |path: String, shape: Shape, root: String| Thing {
            path,
            reference: true,
            shape,
            root,
            writable: write,
            ..pairs.clone()
        };
        let method = if write { "iter_mut" } else { "iter" };
        let rev = if self.chance(30) { ".rev()" } else { "" };
        let text = format!("{}.{method}(){rev}", pairs.path);
        let (head, declared) = if self.chance(60) {
            let (a, b) = (self.fresh("e"), self.fresh("e"));
            let roots = [format!("{}.{a}", pairs.root), format!("{}.{b}", pairs.root)];
            let [first, second] = roots;
            let declared =
                vec![part(a.clone(), Shape::Number, first), part(b.clone(), Shape::Number, second)];
            (format!("for ({a}, {b}) in {text}"), declared)
        } else {
            let name = self.fresh("e");
            let declared = vec![part(name.clone(), Shape::Pair, pairs.root.clone())];
            (format!("for {name} in {text}"), declared)
        };
        self.loop_over(&pairs.root, write, &head, depth, 2, declared);
        true
    }

    /// A loop whose variables stand for parts of what is behind `root`.
    fn loop_over(
        &mut self,
        root: &str,
        write: bool,
        head: &str,
        depth: usize,
        passes: usize,
        declared: Vec<Thing>,
    ) {
        let hidden: Vec<bool> = self.things.iter().map(|thing| thing.hidden).collect();
        let frozen = self.frozen.len();
        if write {
            self.hide(root);
        } else {
            self.frozen.push(root.to_string());
            self.reads.push(root.to_string());
        }
        self.looped(head, depth, passes, |writer| writer.things.extend(declared.clone()));
        self.frozen.truncate(frozen);
        for (thing, hidden) in self.things.iter_mut().zip(hidden) {
            thing.hidden = hidden;
        }
    }

    fn loop_over_rows(&mut self, depth: usize) -> bool {
        let tables: Vec<_> = self
            .parts()
            .into_iter()
            .filter_map(|(i, thing)| match thing.shape {
                Shape::Table(rows, columns) => {
                    Some((self.may_write(i, &thing), thing, rows, columns))
                }
                _ => None,
            })
            .filter(|(write, thing, ..)| *write || self.may_read(thing))
            .collect();
        if tables.is_empty() {
            return false;
        }
        let (write, table, rows, columns) = tables[self.random.below(tables.len())].clone();
        let name = self.fresh("row");
        let row = Thing {
            path: name.clone(),
            reference: true,
            shape: Shape::List(columns),
            writable: write,
            ..table.clone()
        };
        let method = if write { "iter_mut" } else { "iter" };
        let head = format!("for {name} in {}.{method}()", table.path);
        self.loop_over(&table.root, write, &head, depth, rows, vec![row]);
        true
    }

    fn hide(&mut self, root: &str) {
        for thing in &mut self.things {
            thing.hidden |= meets(&thing.root, root);
        }
    }

    fn view(&mut self, depth: usize) {
        let (things, frozen) = (self.things.len(), self.frozen.len());
        let hidden: Vec<bool> = self.things.iter().map(|thing| thing.hidden).collect();
        self.line("{");
        let declared = self.declare_view();
        for thing in &declared {
            if thing.writable {
                let root = thing.root.clone();
                let source = root.rsplit_once('/').map_or(root.as_str(), |(root, _)| root);
                self.hide(source);
            } else {
                self.frozen.push(thing.root.clone());
                self.reads.push(thing.root.clone());
            }
        }
        self.things.extend(declared);
        self.statements(depth);
        self.update();
        self.line("}");
        self.things.truncate(things);
        self.frozen.truncate(frozen);
        for (thing, hidden) in self.things.iter_mut().zip(hidden) {
            thing.hidden = hidden;
        }
    }

    fn declare_view(&mut self) -> Vec<Thing> {
        let view = |list: &Thing, name: &str, shape: Shape, writable: bool| Thing {
            path: name.to_string(),
            reference: true,
            shape,
            writable,
            ..list.clone()
        };
        let write = self.chance(50);
        let parts: Vec<_> = self
            .parts()
            .into_iter()
            .filter(
                |(i, thing)| {
                    if write { self.may_write(*i, thing) } else { self.may_read(thing) }
                },
            )
            .map(|(_, thing)| thing)
            .collect();
        if parts.is_empty() {
            return Vec::new();
        }
        let part = parts[self.random.below(parts.len())].clone();
        let (name, borrow) = (self.fresh("r"), if write { "&mut " } else { "&" });
        match part.shape {
            Shape::List(length) if length > 3 && self.chance(35) => {
                let (other, at) = (self.fresh("r"), 2 + self.random.below(length - 3));
                let method = if write { "split_at_mut" } else { "split_at" };
                self.line(&format!("let ({name}, {other}) = {}.{method}({at});", part.path));
                let mut first = view(&part, &name, Shape::List(at), write);
                let mut second = view(&part, &other, Shape::List(length - at), write);
                if write {
                    self.hide(&part.root);
                    (first.root, second.root) =
                        (format!("{}.lo{name}", part.root), format!("{}.hi{name}", part.root));
                }
                vec![first, second]
            }
            Shape::List(length) if self.chance(15) => {
                let text =
                    if part.reference { format!("*{}", part.path) } else { part.path.clone() };
                self.line(&format!("let {name} = {borrow}{text};"));
                vec![view(&part, &name, Shape::List(length), write)]
            }
            Shape::List(length) if self.chance(60) => {
                let start = self.random.below(length - 1);
                let end = start + 1 + self.random.below(length - start);
                self.line(&format!("let {name} = {borrow}{}[{start}..{end}];", part.path));
                vec![view(&part, &name, Shape::List(end - start), write)]
            }
            Shape::List(length) => {
                let index = self.index(length);
                self.line(&format!("let {name} = {borrow}{}[{index}];", part.path));
                vec![view(&part, &name, Shape::Number, write)]
            }
            Shape::Table(rows, columns) => {
                let index = self.index(rows);
                self.line(&format!("let {name} = {borrow}{}[{index}];", part.path));
                vec![view(&part, &name, Shape::List(columns), write)]
            }
            Shape::Pairs => {
                let index = self.index(2);
                self.line(&format!("let {name} = {borrow}{}[{index}];", part.path));
                vec![view(&part, &name, Shape::Pair, write)]
            }
            _ => {
                let text =
                    if part.reference { format!("*{}", part.path) } else { part.path.clone() };
                let others: Vec<Thing> =
                    parts.into_iter().filter(|other| !meets(&other.root, &part.root)).collect();
                let number = view(&part, &name, Shape::Number, write);
                if write || others.is_empty() || self.chance(40) {
                    self.line(&format!("let {name} = {borrow}{text};"));
                    return vec![number];
                }
                let second = others[self.random.below(others.len())].clone();
                let (place, other) = (self.place_in(&second), self.fresh("r"));
                self.line(&format!(
                    "let ({name}, {other}) = ({borrow}{text}, {borrow}{});",
                    place.text
                ));
                vec![number, view(&second, &other, Shape::Number, write)]
            }
        }
    }

    fn instruction(&mut self) {
        let Some(first) = self.writable() else { return };
        self.avoid.push(first.root.clone());
        let second = self.writable();
        if let Some(second) = &second {
            self.avoid.push(second.root.clone());
        }
        match (second, self.random.below(4)) {
            (Some(second), 0 | 1) => {
                self.line(&format!("swap({}, {});", first.lent_mut, second.lent_mut));
            }
            (Some(second), 2) => {
                let angle = self.expression(1);
                let angle = self.scaled(angle, 1.0);
                self.exact = false;
                self.line(&format!(
                    "rot({}, {}, &({}));",
                    first.lent_mut, second.lent_mut, angle.text
                ));
            }
            _ => self.line(&format!("neg({});", first.lent_mut)),
        }
        self.avoid.clear();
    }

    fn stack(&mut self, depth: usize) {
        let name = self.fresh("k");
        let (frozen, things) = (self.frozen.len(), self.things.len());
        if self.chance(50) {
            let Some(place) = self.readable() else { return };
            self.line(&format!("{{\nlet mut {name} = Stack::new();"));
            self.line(&format!("{name}.push_copy({});", place.lent));
            self.frozen.push(place.root.clone());
            self.thing(&format!("{name}[0]"), Shape::Number, &name).bound = place.bound;
            self.uses(depth.min(1));
            self.line(&format!("{name}.pop_copy({});\n}}", place.lent));
        } else {
            let Some(place) = self.writable() else { return };
            self.line(&format!("{{\nlet mut {name} = Stack::new();"));
            self.line(&format!("{name}.push({});", place.lent_mut));
            self.avoid.push(place.root.clone());
            let reads = self.reads.len();
            let value = self.value(1);
            self.avoid.pop();
            let change = format!("{} += {value} * {name}[0];", place.text);
            self.line(&change);
            self.frozen.push(place.root.clone());
            self.freeze_since(reads);
            self.thing(&format!("{name}[0]"), Shape::Number, &name).bound = place.bound;
            self.uses(depth.min(1));
            self.line(&format!("!{{\n{change}\n}};"));
            self.line(&format!("{name}.pop({});\n}}", place.lent_mut));
        }
        self.frozen.truncate(frozen);
        self.things.truncate(things);
    }

    fn call(&mut self) {
        if self.methods && self.chance(25) && self.call_method() {
            return;
        }
        if self.helpers.is_empty() {
            return self.update();
        }
        let helper = self.helpers[self.random.below(self.helpers.len())].clone();
        let not = if self.chance(30) { "!" } else { "" };
        if let Some(arguments) = self.arguments(&helper.takes) {
            self.line(&format!("{not}{}({});", helper.name, arguments.join(", ")));
        } else {
            self.update();
        }
        self.avoid.clear();
    }

    fn call_method(&mut self) -> bool {
        let bodies: Vec<(usize, Thing)> = self
            .things
            .iter()
            .cloned()
            .enumerate()
            .filter(|(_, thing)| thing.shape == Shape::Body && !thing.hidden)
            .collect();
        let Some((i, body)) = bodies.first().cloned() else { return false };
        let may_write = self.may_write(i, &body);
        if body.writable && !may_write {
            // A receiver that is a `&mut` counts as written.
            return false;
        }
        let write = may_write && self.chance(70);
        self.avoid.push(body.root.clone());
        if !write {
            self.reads.push(body.root.clone());
        }
        let arguments = self.arguments(&[Takes::Written, Takes::Read]);
        self.avoid.clear();
        let Some(arguments) = arguments else { return false };
        let method = if write { "METHOD" } else { "READER" };
        let not = if self.chance(30) { "!" } else { "" };
        self.line(&format!("{not}{}.{method}({});", body.path, arguments.join(", ")));
        true
    }

    /// Arguments that do not disturb each other. What they write is avoided from
    /// then on, until the caller clears that.
    fn arguments(&mut self, takes: &[Takes]) -> Option<Vec<String>> {
        let mut result = vec![String::new(); takes.len()];
        let mut elements: Option<(Thing, usize, usize)> = None;
        for (i, takes) in takes.iter().enumerate() {
            match takes {
                Takes::Written => {
                    let lists = self.lists(true);
                    if !lists.is_empty() && self.chance(25) {
                        // An element, beside which others of its list may be read.
                        let (_, list, length) = lists[self.random.below(lists.len())].clone();
                        let at = self.random.below(length);
                        result[i] = format!("&mut {}[{at}]", list.path);
                        self.avoid.push(list.root.clone());
                        elements = Some((list, length, at));
                        continue;
                    }
                    let place = self.writable()?;
                    result[i] = place.lent_mut;
                    self.avoid.push(place.root);
                }
                Takes::WrittenList => {
                    let lists = self.long_lists(true);
                    if lists.is_empty() {
                        return None;
                    }
                    let (_, list, length) = lists[self.random.below(lists.len())].clone();
                    result[i] = self.part_of(&list, length, true);
                    self.avoid.push(list.root);
                }
                Takes::WrittenPair | Takes::WrittenBody => {
                    let pair = *takes == Takes::WrittenPair;
                    let shape = if pair { Shape::Pair } else { Shape::Body };
                    let found = self.things.iter().enumerate().find(|(i, thing)| {
                        thing.shape == shape && !thing.hidden && self.may_write(*i, thing)
                    });
                    let whole = found.map(|(_, thing)| thing.clone())?;
                    result[i] = whole.path;
                    self.avoid.push(whole.root);
                }
                _ => {}
            }
        }
        let mut last: Option<String> = None;
        for (i, takes) in takes.iter().enumerate() {
            result[i] = match takes {
                Takes::Read => match (&elements, &last, self.random.below(6)) {
                    (Some((list, length, at)), _, 0..=2) if *length > 1 => {
                        let other = (at + 1 + self.random.below(length - 1)) % length;
                        self.reads.push(list.root.clone());
                        format!("&{}[{other}]", list.path)
                    }
                    (_, Some(last), 3) => last.clone(),
                    (_, _, 4) => {
                        let term = self.expression(2);
                        format!("&({})", self.scaled(term, 3.0).text)
                    }
                    _ => self.readable()?.lent,
                },
                Takes::Value => {
                    let depth = self.random.below(3);
                    let term = self.expression(depth);
                    self.scaled(term, 3.0).text
                }
                Takes::ReadList => {
                    let lists = self.long_lists(false);
                    if lists.is_empty() {
                        return None;
                    }
                    let (_, list, length) = lists[self.random.below(lists.len())].clone();
                    self.reads.push(list.root.clone());
                    self.part_of(&list, length, false)
                }
                Takes::ReadTable => {
                    let table = self
                        .parts()
                        .into_iter()
                        .find(|(_, thing)| thing.path == "m" && self.may_read(thing))?;
                    self.reads.push(table.1.root);
                    "&m[..]".into()
                }
                Takes::ReadArray => {
                    let array = self.parts().into_iter().find(|(_, thing)| {
                        ["q", "s.b"].contains(&thing.path.as_str()) && self.may_read(thing)
                    })?;
                    self.reads.push(array.1.root.clone());
                    let bare = array.1.reference && !array.1.writable;
                    if bare { array.1.path } else { format!("&{}", array.1.path) }
                }
                Takes::Count => "2".into(),
                Takes::Function => "&step {}".into(),
                Takes::Written | Takes::WrittenList | Takes::WrittenPair | Takes::WrittenBody => {
                    continue;
                }
            };
            if *takes == Takes::Read {
                last = Some(result[i].clone());
            }
        }
        Some(result)
    }
}

/// The things of a function's scope, by the types of its arguments.
fn declare_argument(writer: &mut Writer, name: &str, ty: &str) {
    let inner = ty.trim_start_matches("&mut ").trim_start_matches('&');
    let shape = match (name, inner) {
        (_, "usize") => {
            let (start, end) = if name == "n" { (3, 4) } else { (0, 2) };
            writer.counters.push((name.to_string(), start, end));
            return;
        }
        (_, "T") => Shape::Number,
        (_, "(T, T)") => Shape::Pair,
        (_, "Body<T>") => Shape::Body,
        ("u", _) => Shape::Pairs,
        ("m", _) => Shape::Table(3, 2),
        ("g", _) => Shape::Table(2, 3),
        ("q", _) => Shape::List(4),
        ("v" | "w", _) => Shape::List(5),
        _ => Shape::List(2),
    };
    let thing = writer.thing(name, shape, name);
    thing.reference = ty.starts_with('&');
    thing.writable = ty.starts_with("&mut");
    thing.bound = 2.5;
}

/// A random program.
pub fn program(seed: u64) -> Program {
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
        exact: true,
        helpers: Vec::new(),
        pure: Vec::new(),
        folds: Vec::new(),
        pairs: Vec::new(),
        methods: false,
        plain: false,
    };
    let mut items = Vec::new();
    pure_functions(&mut writer, &mut items);
    helpers(&mut writer, &mut items);
    let mut arguments: Vec<(&'static str, &'static str)> = Vec::new();
    for (name, types) in ARGUMENTS {
        let percent = match name {
            "x" | "v" => 100,
            "s" => 40,
            _ => 60,
        };
        if writer.chance(percent) {
            arguments.push((name, types[writer.random.below(types.len())]));
        }
    }
    writer.methods = arguments.iter().any(|(name, _)| *name == "s");
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
    let body = function_body(&mut writer, &arguments, 12, 3);
    let list: Vec<String> = arguments.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    items.push(format!("#[reversible]\npub fn f<T: Real>({}) {{\n{body}}}\n", list.join(", ")));
    Program { seed, complex: writer.complex, exact: writer.exact, items, arguments }
}

fn function_body(
    writer: &mut Writer,
    arguments: &[(&str, &str)],
    budget: usize,
    depth: usize,
) -> String {
    writer.text.clear();
    writer.things.clear();
    writer.counters.clear();
    writer.frozen.clear();
    writer.reads.clear();
    for (name, ty) in arguments {
        declare_argument(writer, name, ty);
    }
    writer.budget = budget;
    // Until something is written.
    while writer.budget > 0 {
        writer.statements(depth);
        writer.update();
        if writer.random.below(3) > 0 && writer.text.len() > 200 {
            break;
        }
    }
    std::mem::take(&mut writer.text)
}

/// Pure functions for expressions: of numbers, of a list, and of pairs.
fn pure_functions(writer: &mut Writer, items: &mut Vec<String>) {
    writer.plain = true;
    if writer.chance(50) {
        let count = 1 + writer.random.below(2);
        let names = ["a", "b"];
        writer.things.clear();
        for name in &names[..count] {
            declare_argument(writer, name, "T");
        }
        let mut text = String::new();
        for name in ["t", "t", "u"] {
            if writer.chance(60) {
                let value = writer.expression(2);
                let value = writer.scaled(value, 3.0);
                writeln!(text, "let {name} = {};", value.text).expect("writing to a string");
                // The name means the last of its values.
                writer.things.retain(|thing| thing.path != name);
                writer.thing(name, Shape::Number, name).bound = 3.0;
            }
        }
        let (condition, first, second) =
            (writer.condition(), writer.expression(2), writer.expression(3));
        let (first, second) = (writer.scaled(first, 2.0), writer.scaled(second, 2.0));
        let value = if writer.chance(50) {
            format!("if {condition} {{ {} }} else {{ {} }}", first.text, second.text)
        } else {
            second.text
        };
        let arguments: Vec<String> =
            names[..count].iter().map(|name| format!("{name}: T")).collect();
        items.push(format!(
            "#[differentiable]\nfn pure<T: Real>({}) -> T {{\n{text}{value}\n}}\n",
            arguments.join(", ")
        ));
        writer.pure.push(("pure".into(), count));
    }
    if writer.chance(40) {
        writer.things.clear();
        declare_argument(writer, "xs", "&[T]");
        declare_argument(writer, "c", "&T");
        let (first, second) = (writer.expression(2), writer.expression(2));
        let first = writer.scaled(first, 3.0);
        writer.thing("t", Shape::Number, "t").bound = 3.0;
        let value = writer.expression(2);
        let value = writer.scaled(value, 1.0);
        let value = Term::new(format!("({} + {})", value.text, second.text), 20.0);
        let value = writer.scaled(value, 3.0);
        items.push(format!(
            "#[differentiable]\nfn fold<T: Real>(xs: &[T], c: &T) -> T {{\nlet t = {};\n{}\n}}\n",
            first.text, value.text
        ));
        writer.folds.push("fold".into());
    }
    if writer.chance(30) {
        writer.things.clear();
        declare_argument(writer, "a", "T");
        let (first, second) = (writer.expression(2), writer.expression(2));
        let (first, second) = (writer.scaled(first, 3.0), writer.scaled(second, 3.0));
        items.push(format!(
            "#[differentiable]\nfn both<T: Real>(a: T) -> (T, T) {{\n({}, {})\n}}\n",
            first.text, second.text
        ));
        writer.pairs.push("both".into());
    }
    writer.plain = false;
}

fn helpers(writer: &mut Writer, items: &mut Vec<String>) {
    use Takes::*;
    let simple: [(&str, &[(&str, &str)], &[Takes]); 7] = [
        ("three", &[("y", "&mut T"), ("a", "&T"), ("b", "&T")], &[Written, Read, Read]),
        ("by_value", &[("y", "&mut T"), ("a", "T")], &[Written, Value]),
        (
            "lists",
            &[("xs", "&mut [T]"), ("ys", "&[T]"), ("c", "&T")],
            &[WrittenList, ReadList, Read],
        ),
        ("two", &[("y", "&mut T"), ("x", "&mut T")], &[Written, Written]),
        ("pair", &[("p", "&mut (T, T)"), ("a", "&T")], &[WrittenPair, Read]),
        ("whole", &[("s", "&mut Body<T>"), ("a", "&T")], &[WrittenBody, Read]),
        ("table", &[("y", "&mut T"), ("m", "&[Vec<T>]")], &[Written, ReadTable]),
    ];
    for (name, arguments, takes) in simple {
        if writer.chance(30) {
            let (budget, depth) = (1 + writer.random.below(4), writer.random.below(3));
            let body = function_body(writer, arguments, budget, depth);
            let list: Vec<String> =
                arguments.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
            items.push(format!(
                "#[reversible]\nfn {name}<T: Real>({}) {{\n{body}}}\n",
                list.join(", ")
            ));
            writer.helpers.push(Helper { name: name.into(), takes: takes.to_vec() });
        }
    }
    if writer.chance(20) {
        let body = function_body(writer, &[("y", "&mut T"), ("xs", "&[T; N]")], 2, 1);
        items.push(format!(
            "#[reversible]\nfn array<T: Real, const N: usize>(y: &mut T, xs: &[T; N]) {{\n{body}}}\n"
        ));
        let takes = vec![Written, ReadArray];
        writer.helpers.push(Helper { name: "array".into(), takes });
    }
    if writer.chance(20) {
        let arguments = [("y", "&mut T"), ("xs", "&[T]"), ("i", "usize")];
        writer.weight = 3.0;
        let body = function_body(writer, &arguments[..2], 1, 0);
        writer.things.clear();
        arguments[..2].iter().for_each(|(name, ty)| declare_argument(writer, name, ty));
        writer.counters.push(("i - 1".into(), 0, 2));
        writer.update();
        let more = std::mem::take(&mut writer.text);
        writer.weight = 1.0;
        writer.counters.clear();
        items.push(format!(
            "#[reversible]\nfn recursive<T: Real>(y: &mut T, xs: &[T], i: usize) {{\n\
             if i > 0 {{\n{{\n{body}}}\nrecursive(y, xs, i - 1);\n{more}}}\n}}\n"
        ));
        let takes = vec![Written, ReadList, Count];
        writer.helpers.push(Helper { name: "recursive".into(), takes });
    }
    if writer.chance(25) {
        let arguments = [("y", "&mut T"), ("x", "&T")];
        let body = function_body(writer, &arguments, 2, 1);
        items.push(format!("#[reversible]\nfn step<T: Real>(y: &mut T, x: &T) {{\n{body}}}\n"));
        writer.helpers.push(Helper { name: "step".into(), takes: vec![Written, Read] });
        items.push(
            "#[reversible]\nfn apply<T: Real, F: for<'a> Reversible<(&'a mut T, &'a T)>>\
             (f: &F, y: &mut T, x: &T) {\nf(y, x);\nlet mut a = 0.0;\nf(&mut a, x);\n\
             *y += 0.25 * a;\n!f(&mut a, x);\n}\n"
                .into(),
        );
        writer.helpers.push(Helper { name: "apply".into(), takes: vec![Function, Written, Read] });
    }
}
