//! The machine: memory, the names in scope, and calls of functions.

use crate::memory::Memory;
use crate::number::Number;
use crate::program::{Function, Manner, Program, key};
use crate::stop::{Failure, Outcome, Stop};
use crate::value::{Captured, Closure, INTEGERS, Place, Step, Value};
use std::collections::HashSet;
use syn::{FnArg, Pat, Type};

/// Which way a reversible function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// As it is written.
    Forward,
    /// Backwards.
    Backward,
}

impl Direction {
    /// The other way.
    pub fn turned(self) -> Self {
        match self {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        }
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Named {
    /// A cell.
    Cell(usize),
    /// Another name: `use swap as Callee;`.
    Alias(String),
}

/// How a `#[compute]` block is undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undoing {
    /// By running it backwards, as the language says.
    Run,
    /// By putting back what it has changed: what running backwards would do if numbers
    /// were not rounded.
    Ideal,
}

/// How many statements and calls a run may have.
const BUDGET: usize = 400_000;

/// How deep calls may go.
const DEPTH: usize = 60;

/// A run of a program.
#[derive(Debug)]
pub struct Machine<'p, N> {
    /// The program.
    pub program: &'p Program,
    /// What it works on.
    pub memory: Memory<N>,
    names: Vec<(String, Named)>,
    /// The first name of the function that runs.
    floor: usize,
    /// The type whose `impl` the function that runs stands in.
    owner: &'p str,
    /// How long the array is that is asked for, where only a type tells.
    pub length_hint: Option<usize>,
    /// How computing is undone.
    pub(crate) undoing: Undoing,
    /// Memory before and after each `#[compute]` block that is not yet undone.
    pub(crate) computed: Vec<[Vec<Value<N>>; 2]>,
    /// The views that end with the statements that run.
    pub(crate) views: Vec<crate::library::View<N>>,
    /// The largest magnitudes of arguments of the next call that were undone, by their places.
    pub(crate) carried: Vec<(usize, f64)>,
    /// Which branches were taken and how many passes loops had, where that is not undone.
    pub(crate) decisions: Vec<usize>,
    /// Whether the way back goes by these.
    pub(crate) decided: bool,
    /// Methods that a trait in a block gives to all types, which do nothing.
    pub(crate) idle: HashSet<String>,
    budget: usize,
    depth: usize,
}

/// An argument of a call from outside: what it holds is the caller's.
#[derive(Clone, Debug)]
pub enum Argument<N> {
    /// Passed by reference.
    Lent(Value<N>),
    /// Passed by value.
    Given(Value<N>),
}

impl<N> Argument<N> {
    /// What it holds.
    pub fn value(&self) -> &Value<N> {
        match self {
            Argument::Lent(value) | Argument::Given(value) => value,
        }
    }
}

/// What a run leaves, beside its arguments.
#[derive(Clone, Debug)]
pub struct Run<N> {
    /// What the function returned.
    pub value: Value<N>,
    /// The largest magnitude that was written on the way.
    pub largest: f64,
    /// The branches that it took and the passes of its loops, for [`run_by`].
    pub decisions: Vec<usize>,
}

/// Runs a function of a program on arguments, which hold afterwards what it left in
/// them.
///
/// The function is named by its path, `f` or `f::inverse` or `Type::f`.
pub fn run<N: Number>(
    program: &Program,
    path: &[&str],
    direction: Direction,
    arguments: &mut [Argument<N>],
) -> Result<Run<N>, Failure> {
    run_undoing(program, path, direction, Undoing::Run, arguments)
}

/// Runs a function backwards by the decisions of the run there, whatever its conditions say.
pub fn run_by<N: Number>(
    decisions: Vec<usize>,
    program: &Program,
    path: &[&str],
    undoing: Undoing,
    arguments: &mut [Argument<N>],
) -> Result<Run<N>, Failure> {
    let machine = Machine { undoing, decisions, decided: true, ..Machine::new(program) };
    machine.run(path, Direction::Backward, arguments)
}

/// As [`run`], where computing is undone in some way.
pub fn run_undoing<N: Number>(
    program: &Program,
    path: &[&str],
    direction: Direction,
    undoing: Undoing,
    arguments: &mut [Argument<N>],
) -> Result<Run<N>, Failure> {
    Machine { undoing, ..Machine::new(program) }.run(path, direction, arguments)
}

impl<'p, N: Number> Machine<'p, N> {
    /// A machine with nothing in memory.
    pub fn new(program: &'p Program) -> Self {
        Machine {
            program,
            memory: Memory::default(),
            names: Vec::new(),
            floor: 0,
            owner: "",
            length_hint: None,
            idle: HashSet::new(),
            undoing: Undoing::Run,
            computed: Vec::new(),
            views: Vec::new(),
            carried: Vec::new(),
            decisions: Vec::new(),
            decided: false,
            budget: BUDGET,
            depth: 0,
        }
    }

    fn run(
        mut self,
        path: &[&str],
        direction: Direction,
        arguments: &mut [Argument<N>],
    ) -> Result<Run<N>, Failure> {
        let mut passed = Vec::new();
        for argument in arguments.iter() {
            passed.push(match argument {
                Argument::Lent(value) => {
                    Value::Reference(Place::cell(self.memory.push(value.clone())))
                }
                Argument::Given(value) => value.clone(),
            });
        }
        let function = match path {
            [name] => self.program.functions.get(*name),
            [owner, name] => self.program.member(owner, name),
            _ => None,
        };
        let function = function
            .ok_or_else(|| Failure::Unknown(format!("the function {}", path.join("::"))))?;
        let places = passed.clone();
        let value = self.call(function, direction, passed)?;
        for (argument, place) in arguments.iter_mut().zip(&places) {
            if let (Argument::Lent(value), Value::Reference(place)) = (argument, place) {
                *value = self.memory.read(place)?;
            }
        }
        Ok(Run { value, largest: self.memory.largest(), decisions: self.decisions })
    }

    /// Counts a statement.
    pub(crate) fn tick(&mut self) -> Outcome<(), N> {
        self.budget = self.budget.checked_sub(1).ok_or(Stop::TooLong)?;
        Ok(())
    }

    /// Calls a function.
    pub fn call(
        &mut self,
        function: &'p Function,
        direction: Direction,
        arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        self.tick()?;
        if self.depth >= DEPTH {
            return Err(Stop::TooLong);
        }
        if let (Manner::Instruction { inverse }, Direction::Backward) =
            (&function.manner, direction)
        {
            let inverse = match function.owner.as_str() {
                "" => self.program.functions.get(inverse),
                owner => self.program.member(owner, inverse),
            };
            let inverse = inverse.ok_or_else(|| Stop::unknown("the inverse of an instruction"))?;
            return self.call(inverse, Direction::Forward, arguments);
        }
        let (floor, owner, names, height) =
            (self.floor, self.owner, self.names.len(), self.memory.height());
        (self.floor, self.owner) = (names, &function.owner);
        self.depth += 1;
        let result = self.enter(function, direction, arguments);
        self.depth -= 1;
        (self.floor, self.owner) = (floor, owner);
        self.names.truncate(names);
        self.memory.truncate(height);
        result
    }

    fn enter(
        &mut self,
        function: &'p Function,
        direction: Direction,
        arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        if function.signature.inputs.len() != arguments.len() {
            let (name, count) = (&function.signature.ident, arguments.len());
            return Err(Stop::unknown(format!("a call of `{name}` with {count} arguments")));
        }
        for (input, value) in function.signature.inputs.iter().zip(arguments) {
            match input {
                FnArg::Receiver(_) => {
                    self.declare("self", value);
                }
                FnArg::Typed(typed) => {
                    let value = self.typed(value, &typed.ty);
                    self.bind(&typed.pat, value)?;
                }
            }
        }
        match function.manner {
            Manner::Reversible => {
                self.reversible_block(&function.body, direction)?;
                Ok(Value::Unit)
            }
            _ if direction == Direction::Backward => {
                let name = &function.signature.ident;
                Err(Stop::unknown(format!("`{name}` backwards, which has no inverse")))
            }
            _ => match self.block(&function.body) {
                Err(Stop::Return(value)) => Ok(value),
                other => other,
            },
        }
    }

    /// Calls a closure.
    pub(crate) fn call_closure(
        &mut self,
        closure: &Closure<N>,
        arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        self.tick()?;
        let (floor, names, height) = (self.floor, self.names.len(), self.memory.height());
        self.floor = names;
        for (name, captured) in &closure.captured {
            match captured {
                Captured::Moved(value) => {
                    self.declare(name, value.clone());
                }
                Captured::Lent(cell) => self.names.push((name.clone(), Named::Cell(*cell))),
                Captured::Alias(path) => {
                    self.names.push((name.clone(), Named::Alias(path.clone())))
                }
            }
        }
        let mut inputs = closure.text.inputs.iter().zip(arguments);
        let bound = inputs.try_for_each(|(pattern, value)| self.bind(pattern, value));
        let result = bound.and_then(|()| match self.value(&closure.text.body) {
            Err(Stop::Return(value)) => Ok(value),
            other => other,
        });
        self.floor = floor;
        self.names.truncate(names);
        self.memory.truncate(height);
        result
    }

    /// The names that a closure can use.
    pub(crate) fn captured(&mut self, moved: bool) -> Outcome<Vec<(String, Captured<N>)>, N> {
        let mut captured = Vec::new();
        for (name, named) in &self.names[self.floor..] {
            let held = match named {
                Named::Alias(path) => Captured::Alias(path.clone()),
                Named::Cell(cell) if moved => {
                    Captured::Moved(self.memory.look(&Place::cell(*cell))?.clone())
                }
                Named::Cell(cell) => Captured::Lent(*cell),
            };
            captured.push((name.clone(), held));
        }
        Ok(captured)
    }

    /// Does something in a scope of its own.
    pub(crate) fn scoped<T>(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Outcome<T, N>,
    ) -> Outcome<T, N> {
        let (names, height) = (self.names.len(), self.memory.height());
        let result = inside(self);
        self.names.truncate(names);
        self.memory.truncate(height);
        result
    }

    /// Declares a variable.
    pub(crate) fn declare(&mut self, name: &str, value: Value<N>) -> usize {
        let cell = self.memory.push(value);
        self.names.push((name.to_string(), Named::Cell(cell)));
        cell
    }

    /// Gives something another name.
    pub(crate) fn alias(&mut self, name: String, path: String) {
        self.names.push((name, Named::Alias(path)));
    }

    /// Ends a variable before its scope does.
    pub(crate) fn forget(&mut self, name: &str) {
        if let Some(at) = self.names[self.floor..].iter().rposition(|(known, _)| known == name) {
            self.names.remove(self.floor + at);
        }
    }

    /// What a name stands for.
    pub(crate) fn find(&self, name: &syn::Ident) -> Option<&Named> {
        self.names[self.floor..]
            .iter()
            .rev()
            .find(|(known, _)| name == known)
            .map(|(_, named)| named)
    }

    /// `Self`.
    pub(crate) fn own_type(&self) -> &'p str {
        self.owner
    }

    /// A literal takes its type from where it goes.
    pub(crate) fn typed(&self, value: Value<N>, ty: &Type) -> Value<N> {
        match value {
            Value::Integer(number, "") => {
                let name = key(ty);
                let ty = INTEGERS.iter().find(|known| **known == name).copied();
                Value::Integer(number, ty.unwrap_or(""))
            }
            other => other,
        }
    }

    /// Binds a pattern.
    pub(crate) fn bind(&mut self, pattern: &Pat, value: Value<N>) -> Outcome<(), N> {
        match pattern {
            Pat::Wild(_) => Ok(()),
            Pat::Ident(name) => {
                self.declare(&name.ident.to_string(), value);
                Ok(())
            }
            Pat::Paren(inside) => self.bind(&inside.pat, value),
            Pat::Type(typed) => {
                let value = self.typed(value, &typed.ty);
                self.bind(&typed.pat, value)
            }
            Pat::Reference(inside) => {
                let value = self.owned(value)?;
                self.bind(&inside.pat, value)
            }
            Pat::Tuple(tuple) => {
                let count = tuple.elems.len();
                let parts = self.parts(value, count)?;
                tuple
                    .elems
                    .iter()
                    .zip(parts)
                    .try_for_each(|(pattern, part)| self.bind(pattern, part))
            }
            Pat::Slice(slice) => {
                let count = slice.elems.len();
                let parts = self.parts(value, count)?;
                slice
                    .elems
                    .iter()
                    .zip(parts)
                    .try_for_each(|(pattern, part)| self.bind(pattern, part))
            }
            Pat::Struct(taken) => {
                for field in &taken.fields {
                    let name = match &field.member {
                        syn::Member::Named(name) => name.to_string(),
                        syn::Member::Unnamed(index) => index.index.to_string(),
                    };
                    let part = self.field_of(value.clone(), &name)?;
                    self.bind(&field.pat, part)?;
                }
                Ok(())
            }
            Pat::TupleStruct(taken) => {
                for (i, pattern) in taken.elems.iter().enumerate() {
                    let part = self.field_of(value.clone(), &i.to_string())?;
                    self.bind(pattern, part)?;
                }
                Ok(())
            }
            other => {
                use quote::ToTokens;
                Err(Stop::unknown(format!("the pattern {}", other.to_token_stream())))
            }
        }
    }

    /// The parts of a tuple or a list; of a reference to one, references to the parts.
    fn parts(&mut self, value: Value<N>, count: usize) -> Outcome<Vec<Value<N>>, N> {
        let parts = match value {
            Value::Tuple(parts) | Value::List(parts) => parts,
            Value::Unit => Vec::new(),
            Value::Reference(place) => {
                let place = self.resolved(place)?;
                let field = matches!(self.memory.look(&place)?, Value::Tuple(_));
                let step = |i| if field { Step::Field(i) } else { Step::Index(i) };
                (0..count).map(|i| Value::Reference(place.at(step(i)))).collect()
            }
            other => return Err(Stop::unknown(format!("{other} taken apart"))),
        };
        match parts.len() == count {
            true => Ok(parts),
            false => Err(Stop::unknown(format!("{count} names for {} parts", parts.len()))),
        }
    }

    /// A field; of a reference to a struct, a reference to the field.
    fn field_of(&mut self, value: Value<N>, name: &str) -> Outcome<Value<N>, N> {
        match value {
            Value::Struct(_, fields) => fields
                .into_iter()
                .find_map(|(known, value)| (&*known == name).then_some(value))
                .ok_or_else(|| Stop::unknown(format!("the field {name}"))),
            Value::Reference(place) => {
                let place = self.resolved(place)?;
                Ok(Value::Reference(self.field(&place, name)?))
            }
            other => Err(Stop::unknown(format!("the field {name} of {other}"))),
        }
    }

    /// The place behind references.
    pub(crate) fn resolved(&self, mut place: Place) -> Outcome<Place, N> {
        while let Value::Reference(behind) = self.memory.look(&place)? {
            place = behind.clone();
        }
        Ok(place)
    }

    /// The value behind references.
    pub(crate) fn owned(&mut self, value: Value<N>) -> Outcome<Value<N>, N> {
        match value {
            Value::Reference(place) => {
                let place = self.resolved(place)?;
                self.memory.read(&place)
            }
            other => Ok(other),
        }
    }

    /// A field of the struct or tuple at a place.
    pub(crate) fn field(&self, place: &Place, name: &str) -> Outcome<Place, N> {
        let position = match self.memory.look(place)? {
            Value::Struct(_, fields) => fields.iter().position(|(known, _)| &**known == name),
            Value::Tuple(parts) => name.parse().ok().filter(|i| *i < parts.len()),
            _ => None,
        };
        match position {
            Some(i) => Ok(place.at(Step::Field(i))),
            None => Err(Stop::unknown(format!("the field {name} of {}", self.memory.look(place)?))),
        }
    }
}
