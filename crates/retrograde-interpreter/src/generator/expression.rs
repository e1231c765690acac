//! Expressions: tame ones, so that numbers stay small.

use super::Category;
use super::writer::{Shape, Writer};

impl Writer {
    /// A number.
    pub(super) fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(20) {
            return self.leaf();
        }
        let below = depth - 1;
        match self.random.below(20) {
            0..4 => format!("{} + {}", self.factor(below), self.factor(below)),
            4..6 => format!("{} - {}", self.factor(below), self.factor(below)),
            6..10 => format!("{} * {}", self.factor(below), self.factor(below)),
            10 => {
                let (top, bottom) = (self.factor(below), self.factor(below));
                format!("{top} / (2.5 + {bottom} * {bottom})")
            }
            11..14 => {
                let function = self.random.one_of(&["sin", "cos", "tanh", "atan"]);
                format!("({}).{function}()", self.receiver(below))
            }
            14 => {
                let inside = self.receiver(below);
                let function = self.random.one_of(&["sqrt", "ln", "recip"]);
                format!("(1.5 + {inside} * {inside}).{function}()")
            }
            15 => format!("({}).powi({})", self.receiver(below), 2 + self.random.below(2)),
            16 => format!("-({})", self.number(below)),
            17 => {
                let function = self.random.one_of(&["max", "min", "hypot", "atan2"]);
                format!("({}).{function}({})", self.receiver(below), self.number(below))
            }
            18 => {
                let condition = self.condition();
                format!(
                    "(if {condition} {{ {} }} else {{ {} }})",
                    self.number(below),
                    self.number(below)
                )
            }
            _ => self.special(below),
        }
    }

    /// A number that has methods: Rust does not know the type of a literal alone.
    fn receiver(&mut self, depth: usize) -> String {
        let number = self.factor(depth);
        match number.chars().any(char::is_alphabetic) {
            true => number,
            false => self.readable().unwrap_or_else(|| "1.5_f64".into()),
        }
    }

    /// A number that stands beside an operator.
    fn factor(&mut self, depth: usize) -> String {
        let number = self.number(depth);
        if number.contains(' ') || number.starts_with('-') { format!("({number})") } else { number }
    }

    /// A place, a literal or a counter.
    pub(super) fn leaf(&mut self) -> String {
        match self.random.below(10) {
            0 => self.literal(),
            1 if !self.counters.is_empty() => {
                let (name, _) = self.counters[self.random.below(self.counters.len())].clone();
                format!("({})", self.as_number(&name))
            }
            _ => match self.pick(false, |_| true) {
                Some(thing) => self.place(&thing).unwrap_or_else(|| "0.7".into()),
                None => self.literal(),
            },
        }
    }

    /// A place of a number; `None` where there is none.
    pub(super) fn readable(&mut self) -> Option<String> {
        let thing = self.pick(false, |_| true)?;
        self.place(&thing)
    }

    /// A number by a function of some category.
    fn special(&mut self, depth: usize) -> String {
        if self.has(Category::Pure) && !self.pure.is_empty() && self.chance(60) {
            let (name, count) = self.pure[self.random.below(self.pure.len())].clone();
            let arguments: Vec<String> = (0..count).map(|_| self.number(depth)).collect();
            self.made.push(Category::Pure);
            return format!("{name}({})", arguments.join(", "));
        }
        if self.has(Category::Casts) && self.chance(60) {
            let function = self.random.one_of(&["floor", "ceil", "round", "fract", "abs"]);
            self.made.push(Category::Casts);
            return format!("({} * 3.0).{function}()", self.receiver(depth));
        }
        if self.has(Category::Structs)
            && let Some(thing) = self.pick(false, |shape| *shape == Shape::Pair)
        {
            self.made.push(Category::Structs);
            return match self.random.below(3) {
                0 => {
                    self.use_part("energy");
                    format!("{}.energy()", thing.path.trim_start_matches('*'))
                }
                1 => {
                    self.use_part("blend");
                    format!("{}.blend({})", thing.path.trim_start_matches('*'), self.number(depth))
                }
                _ => format!("{}.a * {}.b", thing.path, thing.path),
            };
        }
        self.leaf()
    }

    /// A condition on what does not change.
    pub(super) fn condition(&mut self) -> String {
        let one = self.comparison();
        match self.random.below(8) {
            0 => format!("{one} && {}", self.comparison()),
            1 => format!("{one} || {}", self.comparison()),
            _ => one,
        }
    }

    fn comparison(&mut self) -> String {
        if !self.counters.is_empty() && self.chance(30) {
            let (name, _) = self.counters[self.random.below(self.counters.len())].clone();
            return match self.random.below(3) {
                0 => format!("{name} % 2 == 0"),
                1 => format!("{name} > 0"),
                _ => format!("{name} != 1"),
            };
        }
        let operator = self.random.one_of(&[">", "<", ">=", "<="]);
        let bound = self.random.one_of(&["0.013", "0.517", "-0.489", "1.021"]);
        match self.readable() {
            Some(place) => format!("{place} {operator} {bound}"),
            None => "1 < 2".into(),
        }
    }
}
