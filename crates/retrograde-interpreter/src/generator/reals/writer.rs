//! What is in scope while a program is written, and what may be done with it.

use super::{Random, Target};
use std::fmt::Write;

/// What a place holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
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
pub(super) struct Thing {
    pub(super) path: String,
    /// Whether a number is behind a reference.
    pub(super) reference: bool,
    pub(super) shape: Shape,
    /// The variable behind it, `.` and the part of it.
    pub(super) root: String,
    pub(super) writable: bool,
    pub(super) hidden: bool,
    /// About how large its numbers are.
    pub(super) bound: f64,
}

/// A number in a place.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) text: String,
    /// As the argument of a call.
    pub(super) lent: String,
    pub(super) lent_mut: String,
    pub(super) root: String,
    pub(super) bound: f64,
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) text: String,
    pub(super) bound: f64,
}

impl Term {
    pub(super) fn new(text: String, bound: f64) -> Self {
        Term { text, bound }
    }
}

/// What a helper function takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Takes {
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
pub(super) struct Helper {
    pub(super) name: String,
    pub(super) takes: Vec<Takes>,
}

pub(super) struct Writer {
    pub(super) random: Random,
    pub(super) text: String,
    pub(super) things: Vec<Thing>,
    /// Counters and what they count: from, up to.
    pub(super) counters: Vec<(String, usize, usize)>,
    /// What must not be written.
    pub(super) frozen: Vec<String>,
    /// Things before this one are not written.
    pub(super) floor: usize,
    /// Everything that was read so far.
    pub(super) reads: Vec<String>,
    /// What the next expression must not read.
    pub(super) avoid: Vec<String>,
    pub(super) names: usize,
    pub(super) budget: usize,
    /// How often the current statement runs.
    pub(super) weight: f64,
    pub(super) complex: bool,
    /// Whether nothing else calls the function that is written.
    pub(super) outermost: bool,
    pub(super) exact: bool,
    pub(super) helpers: Vec<Helper>,
    /// Pure functions of so many numbers.
    pub(super) pure: Vec<(String, usize)>,
    /// Pure functions of a list.
    pub(super) folds: Vec<String>,
    pub(super) pairs: Vec<String>,
    pub(super) methods: bool,
    /// In a pure function, which is plain Rust: literals are converted and values
    /// cloned by hand.
    pub(super) plain: bool,
    pub(super) target: Target,
}

pub(super) fn meets(a: &str, b: &str) -> bool {
    let inside = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.starts_with('.'));
    a == b || inside(a, b) || inside(b, a)
}

impl Writer {
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    /// Of what a host has and devices have not.
    pub(super) fn on_host(&self) -> bool {
        self.target == Target::Host
    }

    pub(super) fn one_of<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.below(from.len())]
    }

    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    pub(super) fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("writing to a string");
    }

    pub(super) fn thing(&mut self, path: &str, shape: Shape, root: &str) -> &mut Thing {
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
    pub(super) fn parts(&self) -> Vec<(usize, Thing)> {
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

    pub(super) fn may_write(&self, index: usize, thing: &Thing) -> bool {
        thing.writable
            && index >= self.floor
            && !self.frozen.iter().any(|root| meets(root, &thing.root))
            && !self.avoid.iter().any(|root| meets(root, &thing.root))
    }

    pub(super) fn may_read(&self, thing: &Thing) -> bool {
        !self.avoid.iter().any(|root| meets(root, &thing.root))
    }

    pub(super) fn index(&mut self, length: usize) -> String {
        let fitting: Vec<(String, usize, usize)> = self
            .counters
            .iter()
            .filter(|(_, _, end)| *end <= length)
            .map(|(name, start, end)| (name.clone(), *start, length - end))
            .collect();
        if fitting.is_empty() || self.chance(40) {
            return self.random.below(length).to_string();
        }
        let (name, start, room) = fitting[self.random.below(fitting.len())].clone();
        match self.random.below(5) {
            0 if room > 0 => format!("{name} + {}", 1 + self.random.below(room)),
            1 => format!("({name} + {}) % {length}", 1 + self.random.below(3)),
            2 if start > 0 => format!("{name} - {start}"),
            _ => name,
        }
    }

    /// An index into a list of that path, from its end too.
    fn index_in(&mut self, path: &str, length: usize) -> String {
        // The length of a part changes with the whole, for all that the compiler knows.
        if self.on_host() && !path.contains('.') && self.chance(8) {
            return format!("{path}.len() - {}", 1 + self.random.below(length));
        }
        self.index(length)
    }

    pub(super) fn place_in(&mut self, thing: &Thing) -> Place {
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
                let text = format!("{path}[{}]", self.index_in(path, length));
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

    pub(super) fn readable(&mut self) -> Option<Place> {
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

    pub(super) fn writable(&mut self) -> Option<Place> {
        let parts: Vec<_> =
            self.parts().into_iter().filter(|(i, thing)| self.may_write(*i, thing)).collect();
        if parts.is_empty() {
            return None;
        }
        let at = self.random.below(parts.len());
        Some(self.place_in(&parts[at].1))
    }

    /// Lists that a helper can take.
    pub(super) fn long_lists(&self, write: bool) -> Vec<(usize, Thing, usize)> {
        self.lists(write).into_iter().filter(|(_, _, length)| *length >= 2).collect()
    }

    pub(super) fn lists(&self, write: bool) -> Vec<(usize, Thing, usize)> {
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

    pub(super) fn freeze_since(&mut self, reads: usize) {
        let roots: Vec<String> = self.reads[reads..].to_vec();
        self.frozen.extend(roots);
    }

    pub(super) fn hide(&mut self, root: &str) {
        for thing in &mut self.things {
            thing.hidden |= meets(&thing.root, root);
        }
    }
}
