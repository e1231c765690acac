//! Expressions, and how large their values are.

use super::writer::{Shape, Term, Thing, Writer};

impl Writer {
    pub(super) fn literal(&mut self) -> String {
        let value = 0.15 + self.random.below(180) as f64 / 100.0;
        self.number(format!("{value:.2}"))
    }

    /// A literal, as it stands beside numbers.
    pub(super) fn number(&self, literal: String) -> String {
        if self.plain { format!("T::from_f64({literal})") } else { literal }
    }

    pub(super) fn counter(&mut self) -> Option<String> {
        if self.counters.is_empty() {
            return None;
        }
        let at = self.random.below(self.counters.len());
        Some(self.counters[at].0.clone())
    }

    pub(super) fn leaf(&mut self) -> Term {
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
    pub(super) fn receiver(&mut self, term: &Term) -> String {
        match term.text.strip_prefix('*') {
            Some(name) if self.chance(50) => name.to_string(),
            Some(_) => format!("({})", term.text),
            None => term.text.clone(),
        }
    }

    /// At most so large.
    pub(super) fn scaled(&mut self, term: Term, limit: f64) -> Term {
        if term.bound <= limit {
            return term;
        }
        let factor = (limit / term.bound * 0.9).max(0.0001);
        let factor = self.number(format!("{factor:.4}"));
        Term::new(format!("({factor} * {})", term.text), limit)
    }

    /// Away from zero, on the right.
    pub(super) fn positive(&mut self, depth: usize) -> Term {
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

    pub(super) fn condition(&mut self) -> String {
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
    pub(super) fn expression(&mut self, depth: usize) -> Term {
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
                // Libraries round cubic roots in different ways.
                let root = if self.on_host() { "cbrt" } else { "sqrt" };
                let functions = ["ln", "sqrt", "recip", root, "log2", "ln_1p", "log10"];
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
            15 => {
                let a = self.positive(depth);
                Term::new(format!("{}.sqrt()", self.receiver(&a)), 2.0)
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
    pub(super) fn inner_block(&mut self, depth: usize) -> Term {
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

    pub(super) fn call_of_pure(&mut self, depth: usize) -> Term {
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
    pub(super) fn part_of(&mut self, list: &Thing, length: usize, write: bool) -> String {
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
    pub(super) fn value(&mut self, depth: usize) -> String {
        let term = self.expression(depth);
        let limit = 0.6 / self.weight;
        if self.chance(40) && !self.complex && term.bound > limit {
            let function = self.one_of(&["sin", "tanh", "cos", "atan"]);
            let text = format!("{}.{function}()", self.receiver(&term));
            return self.scaled(Term::new(text, 1.5), limit).text;
        }
        self.scaled(term, limit).text
    }
}
