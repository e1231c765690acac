//! What is in scope while a program is written, and what may be done with it.

use super::Category;
use crate::random::Random;
use std::fmt::Write;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A number.
    Number,
    /// Numbers; how many, where that is known.
    List(usize),
    /// A struct of two numbers.
    Pair,
    /// A struct with a number and a list of numbers.
    Bag,
}

/// A name in scope.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    /// How its place is written.
    pub(super) path: String,
    /// How it is lent: `x` where it is a reference already.
    pub(super) reference: bool,
    pub(super) shape: Shape,
    /// The variable that it is a part of.
    pub(super) root: String,
    pub(super) writable: bool,
}

/// What a helper takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Takes {
    Written,
    Read,
    Given,
    WrittenList,
    ReadList,
    WrittenPair,
    ReadPair,
    Count,
}

/// A reversible function that others call.
#[derive(Clone, Debug)]
pub(super) struct Helper {
    pub(super) name: String,
    pub(super) takes: Vec<Takes>,
}

pub(super) struct Writer {
    pub(super) random: Random,
    pub(super) categories: Vec<Category>,
    /// How long slices are.
    pub(super) length: usize,
    pub(super) text: String,
    pub(super) things: Vec<Thing>,
    /// Counters, and the end of what they count.
    pub(super) counters: Vec<(String, usize)>,
    /// Variables that must not be written for now.
    pub(super) frozen: Vec<String>,
    /// Variables that were read since somebody looked.
    pub(super) reads: Vec<String>,
    /// Variables that the next expression must not read.
    pub(super) avoid: Vec<String>,
    /// Things before this one are not written.
    pub(super) floor: usize,
    names: usize,
    /// How many statements may still be written.
    pub(super) budget: usize,
    /// How many passes of loops surround what is written.
    pub(super) passes: usize,
    pub(super) helpers: Vec<Helper>,
    /// Functions that decide for one of the forms.
    pub(super) gates: Vec<String>,
    /// Pure functions of so many numbers.
    pub(super) pure: Vec<(String, usize)>,
    /// Whether the function is generic.
    pub(super) generic: bool,
    /// Parts of types that are used.
    pub(super) parts: Vec<&'static str>,
    /// Categories whose forms were written.
    pub(super) made: Vec<Category>,
}

impl Writer {
    pub(super) fn new(random: Random, categories: Vec<Category>, length: usize) -> Self {
        Writer {
            random,
            categories,
            length,
            text: String::new(),
            things: Vec::new(),
            counters: Vec::new(),
            frozen: Vec::new(),
            reads: Vec::new(),
            avoid: Vec::new(),
            floor: 0,
            names: 0,
            budget: 0,
            passes: 1,
            helpers: Vec::new(),
            gates: Vec::new(),
            pure: Vec::new(),
            generic: false,
            parts: Vec::new(),
            made: Vec::new(),
        }
    }

    /// Whether forms of a category are to be used.
    pub(super) fn has(&self, category: Category) -> bool {
        self.categories.contains(&category)
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.random.chance(percent)
    }

    pub(super) fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("writing to a string");
    }

    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// The type of numbers.
    pub(super) fn number_type(&self) -> &'static str {
        if self.generic { "T" } else { "f64" }
    }

    /// A literal.
    pub(super) fn literal(&mut self) -> String {
        let value = ["0.5", "2.0", "0.25", "1.5", "0.1", "0.3", "1.0"];
        self.random.one_of(&value).to_string()
    }

    /// An integer as a number.
    pub(super) fn as_number(&self, integer: &str) -> String {
        if self.generic {
            format!("T::from_f64({integer} as f64)")
        } else {
            format!("{integer} as f64")
        }
    }

    /// Names a thing.
    pub(super) fn declare(&mut self, path: &str, reference: bool, shape: Shape, writable: bool) {
        self.declare_part(path, reference, shape, writable, path.trim_start_matches('*'));
    }

    /// Names a part of a thing.
    pub(super) fn declare_part(
        &mut self,
        path: &str,
        reference: bool,
        shape: Shape,
        writable: bool,
        root: &str,
    ) {
        let (path, root) = (path.to_string(), root.to_string());
        self.things.push(Thing { path, reference, shape, root, writable });
    }

    pub(super) fn may_write(&self, index: usize) -> bool {
        let thing = &self.things[index];
        thing.writable
            && index >= self.floor
            && !self.frozen.contains(&thing.root)
            && !self.avoid.contains(&thing.root)
    }

    pub(super) fn may_read(&self, thing: &Thing) -> bool {
        !self.avoid.contains(&thing.root)
    }

    /// A thing of a shape that may be written, or read.
    pub(super) fn pick(&mut self, write: bool, fits: impl Fn(&Shape) -> bool) -> Option<Thing> {
        let fitting: Vec<usize> = (0..self.things.len())
            .filter(|i| fits(&self.things[*i].shape))
            .filter(|i| if write { self.may_write(*i) } else { self.may_read(&self.things[*i]) })
            .collect();
        if fitting.is_empty() {
            return None;
        }
        // What was declared last more often.
        let at = self.random.below(fitting.len()).max(self.random.below(fitting.len()));
        let thing = self.things[fitting[at]].clone();
        if !write {
            self.reads.push(thing.root.clone());
        }
        Some(thing)
    }

    /// The place of a number in a thing; `None` if a list has no element.
    pub(super) fn place(&mut self, thing: &Thing) -> Option<String> {
        let path = &thing.path;
        Some(match thing.shape {
            Shape::Number => path.clone(),
            Shape::List(0) => return None,
            Shape::List(length) => {
                let index = self.index(length);
                format!("{path}[{index}]")
            }
            Shape::Pair => format!("{path}.{}", self.random.one_of(&["a", "b"])),
            Shape::Bag if self.length == 0 || self.chance(50) => format!("{path}.scale"),
            Shape::Bag => {
                let index = self.index(self.length);
                format!("{path}.items[{index}]")
            }
        })
    }

    /// An index below a length.
    pub(super) fn index(&mut self, length: usize) -> String {
        let counters: Vec<String> = self
            .counters
            .iter()
            .filter(|(_, end)| *end <= length)
            .map(|(name, _)| name.clone())
            .collect();
        if counters.is_empty() || self.chance(30) {
            return self.random.below(length.min(4)).to_string();
        }
        counters[self.random.below(counters.len())].clone()
    }

    /// A place that may be written, and the variable that it is in.
    pub(super) fn target(&mut self) -> Option<(String, String)> {
        let thing = self.pick(true, |_| true)?;
        let place = self.place(&thing)?;
        Some((place, thing.root))
    }

    /// Lends a number, or a list or struct: `&mut v[2]`, `x`.
    pub(super) fn lent(&mut self, thing: &Thing, write: bool) -> Option<String> {
        let borrow = if write { "&mut " } else { "&" };
        let name = thing.path.trim_start_matches('*').to_string();
        Some(match (&thing.shape, thing.reference) {
            (Shape::Number, true) if write || !thing.writable => name,
            (Shape::Number, _) => format!("{borrow}{}", thing.path),
            _ => {
                let place = self.place(thing)?;
                format!("{borrow}{place}")
            }
        })
    }

    /// Does something in a scope: what is named there ends with it.
    pub(super) fn scope(&mut self, inside: impl FnOnce(&mut Self)) {
        let (things, counters, frozen) =
            (self.things.len(), self.counters.len(), self.frozen.len());
        inside(self);
        self.things.truncate(things);
        self.counters.truncate(counters);
        self.frozen.truncate(frozen);
    }

    /// Freezes all that was read since there were so many reads.
    pub(super) fn freeze_since(&mut self, reads: usize) {
        let roots = self.reads[reads..].to_vec();
        self.frozen.extend(roots);
    }
}
