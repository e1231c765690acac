//! What emitted code calls of the library `retrograde`, each by a plain definition.
//!
//! To add one: a row in [`function`] (by the last two names of its path) or in [`method`]
//! (by the type of its receiver, or for all types), and its definition where it is longer
//! than a line. What has no row is reported as unknown.

mod instructions;
mod places;
mod shadows;
mod slopes;
pub(crate) mod stack;
mod undone;
mod views;

pub use instructions::is_instruction;
pub use views::{View, is_view};

use crate::checks::{agrees_by, magnitude, same};
use crate::fields::{self, ANSWER};
use crate::machine::Machine;
use crate::number::Number;
use crate::stop::{Outcome, Stop};
use crate::value::{End, Place, Step, Value};

/// What a model gets: the arguments, a receiver among them, and the constants between the
/// brackets.
pub struct Call<'a, N> {
    /// The arguments.
    pub arguments: Vec<Value<N>>,
    /// The constants.
    pub sizes: &'a [usize],
}

/// The definition of a function.
pub type Model<N> = fn(&mut Machine<'_, N>, Call<N>) -> Outcome<Value<N>, N>;

/// Whether a type is one of numbers, a type parameter among them.
pub fn is_number_type(name: &str) -> bool {
    crate::value::INTEGERS.contains(&name)
        || matches!(name, "f64" | "f32" | "Zero" | "Arithmetic" | "Real" | "Elementary" | "Literal")
        || name.len() == 1 && name.chars().all(char::is_uppercase)
}

/// The definition of a function, by the last two names of its path.
pub fn function<N: Number>(path: &str) -> Option<Model<N>> {
    if path.starts_with("Pull") {
        return slopes::rule(path);
    }
    if let Some(name) = path.strip_prefix("pull::") {
        return slopes::pull(name);
    }
    if path.starts_with("place::") {
        return places::function(path);
    }
    if let Some(name) = path.strip_prefix("slope::") {
        return slopes::slope(name);
    }
    Some(match path {
        // Rust's own.
        "Clone::clone" => |m, c| m.owned(c.first()?),
        "IntoIterator::into_iter" => |m, c| Ok(Value::Items(m.items(c.first()?)?)),
        "Stack::new" => |_, _| Ok(stack::empty()),
        // In the place of what is not computed, and not used.
        "Default::default" => |_, _| Ok(Value::Unit),
        "Vec::new" => |_, _| Ok(Value::List(Vec::new())),
        "mem::swap" => |m, c| m.instruction("swap", "", c.arguments),
        "From::from" | "Into::into" => |m, c| m.owned(c.first()?),
        "Neg::neg" => |m, c| m.negated(c.first()?),
        // Numbers.
        "Zero::zero" => |_, _| Ok(Value::constant(0.0)),
        "Arithmetic::one" => |_, _| Ok(Value::constant(1.0)),
        "__private::Beside" => |_, c| c.first(),
        "num::like" => |m, c| m.owned(c.at(1)?),
        "num::literal" | "num::literal_with" => |m, c| m.owned(c.first()?),
        "num::add_to" | "AdditiveGroup::accumulate" => |m, c| m.add(&c, "add"),
        "num::subtract_from" | "AdditiveGroup::retract" => |m, c| m.add(&c, "sub"),
        "__private::sum" => |m, c| {
            let place = m.lent(&c, 0)?;
            m.undoable_sum(&place)?;
            match m.owned(c.at(2)?)? {
                Value::Bool(true) => m.add(&c, "add"),
                _ => m.add(&c, "sub"),
            }
        },
        // What it says is in its type.
        "Answer::unasked" => |_, _| Ok(Value::wrapper(ANSWER, Vec::new())),
        // A claim about a type.
        "__private::view" => |_, c| c.first(),
        "__private::add_to_shadow" => |m, c| {
            let (place, value) = (m.lent(&c, 0)?, m.owned(c.at(1)?)?);
            m.add_to_shadow(&place, value, "add")?;
            Ok(Value::Unit)
        },
        "__private::subtract_from_shadow" => |m, c| {
            let (place, value) = (m.lent(&c, 0)?, m.owned(c.at(1)?)?);
            m.add_to_shadow(&place, value, "sub")?;
            Ok(Value::Unit)
        },
        "num::xor_into" | "__private::xor" => |m, c| {
            let (place, value) = (m.lent(&c, 0)?, c.at(1)?);
            m.update("BitXorAssign", "bitxor", &place, value)?;
            Ok(Value::Unit)
        },
        "AdditiveGroup::negate" => |m, c| {
            let place = m.lent(&c, 0)?;
            let value = m.memory.read(&place)?;
            let value = m.negated(value)?;
            m.memory.write(&place, value)?;
            Ok(Value::Unit)
        },
        // Checks.
        // What is evaluated again is the same to the last bit.
        "check::still_bound" => |m, c| {
            let (bound, now) = (m.owned(c.at(0)?)?, m.owned(c.at(1)?)?);
            match agrees_by(&now, &bound, &|a, b| a == b || a.is_nan() && b.is_nan()) {
                true => Ok(Value::Unit),
                false => Err(Stop::Check(format!("{bound} became {now}, in {}", c.source(2)))),
            }
        },
        "check::branch" | "check::pass" => |m, c| {
            let (expected, found) = (m.owned(c.at(0)?)?, m.owned(c.at(1)?)?);
            match same(&expected, &found) {
                true => Ok(Value::Unit),
                false => {
                    Err(Stop::Check(format!("{found}, expected {expected}, in {}", c.source(2))))
                }
            }
        },
        "check::same_arm" => |m, c| {
            let (taken, now) = (m.owned(c.at(0)?)?, m.owned(c.at(1)?)?);
            match same(&taken, &now) {
                true => Ok(Value::Unit),
                false => Err(Stop::Check(format!("arm {taken} became {now}, in {}", c.source(3)))),
            }
        },
        "check::bounds" => |m, c| {
            let (before, after) = (m.owned(c.at(0)?)?, m.owned(c.at(1)?)?);
            match same(&before, &after) {
                true => Ok(Value::Unit),
                false => {
                    Err(Stop::Check(format!("bounds {before} became {after}, in {}", c.source(2))))
                }
            }
        },
        "Check::magnitude" => |m, c| {
            let value = m.owned(c.at(0)?)?;
            Ok(Value::constant(magnitude(&value)))
        },
        "Check::agrees" => |m, c| {
            let (found, expected) = (m.owned(c.at(0)?)?, m.owned(c.at(1)?)?);
            let allowed = m.owned(c.at(2)?)?;
            Ok(Value::Bool(undone::within(&found, &expected, &allowed)))
        },
        "__private::same_length" => |m, c| {
            let (a, b) = (m.size(&c, 0)?, m.size(&c, 1)?);
            match a == b {
                true => Ok(Value::Unit),
                false => Err(Stop::Check(format!("lengths {a} and {b}, in {}", c.source(2)))),
            }
        },
        // Sequences.
        "iter::zip" => |m, c| {
            let (a, b) = (m.items(c.at(0)?)?, m.items(c.at(1)?)?);
            if a.len() != b.len() {
                let (a, b) = (a.len(), b.len());
                return Err(Stop::Check(format!("lengths {a} and {b}, in {}", c.source(2))));
            }
            Ok(Value::Items(a.into_iter().zip(b).map(|(a, b)| Value::Tuple(vec![a, b])).collect()))
        },
        "iter::stepped" => |m, c| {
            let (items, step) = (m.items(c.at(0)?)?, m.size(&c, 1)?);
            Ok(Value::Items(items.into_iter().step_by(step.max(1)).collect()))
        },
        "__private::passes" => |m, c| {
            let (start, end) = m.ends(&c, 0)?;
            let (length, first) = (m.size(&c, 1)?, m.size(&c, 2)?);
            let wanted = usize::try_from(end - start);
            let wanted = wanted.map_err(|_| Stop::Panic("a loop from its end".into()))?;
            match length.saturating_sub(first) < wanted {
                true => Err(Stop::Panic(format!("index out of bounds, in {}", c.source(3)))),
                false => Ok(Value::size(wanted)),
            }
        },
        "__private::part" | "__private::part_mut" => |m, c| {
            let (place, first, passes) = (m.lent(&c, 0)?, m.size(&c, 1)?, m.size(&c, 2)?);
            m.slice(&place, first, passes)
        },
        "__private::index" => |m, c| {
            let (start, _) = m.ends(&c, 0)?;
            Ok(Value::Integer(start + m.size(&c, 1)? as i128, "usize"))
        },
        "__private::end_of_turn" => |m, c| {
            let (first, passes, end) = (m.size(&c, 0)?, m.size(&c, 1)?, m.size(&c, 2)?);
            Ok(Value::size(first + passes.min(end - first)))
        },
        "__private::postponed" => |m, c| {
            let _like = m.lent(&c, 0)?;
            let length = m.length_hint.ok_or_else(|| Stop::unknown("how much is postponed"))?;
            Ok(Value::List(vec![Value::constant(0.0); length]))
        },
        "__private::postpone" | "__private::put" => |m, c| {
            let (place, value) = (m.lent(&c, 0)?, m.owned(c.at(1)?)?);
            m.memory.write(&place, value)?;
            Ok(Value::Unit)
        },
        "__private::lanes" => |_, c| {
            let length = *c.sizes.first().ok_or_else(|| Stop::unknown("how many lanes"))?;
            Ok(Value::List(vec![Value::constant(0.0); length]))
        },
        "__private::total" | "__private::total_shadow" => |m, c| {
            let items = m.items(c.first()?)?;
            let mut items = items.into_iter();
            let mut total = items.next().unwrap_or(Value::constant(0.0));
            for item in items {
                total = m.binary("Add", "add", total, item)?;
            }
            Ok(total)
        },
        "__private::element" => |m, c| {
            let (place, lane) = (m.lent(&c, 0)?, c.at(1)?);
            Ok(Value::Reference(m.element(&place, lane)?))
        },
        "__private::held" => |m, c| m.owned(c.first()?),
        "__private::refill" => |m, c| {
            let (place, value, length) = (m.lent(&c, 0)?, m.owned(c.at(1)?)?, m.size(&c, 2)?);
            m.memory.write(&place, Value::List(vec![value; length]))?;
            Ok(Value::Unit)
        },
        "__private::refill_shadow" => |m, c| {
            let (place, value) = (m.lent(&c, 0)?, m.owned(c.at(1)?)?);
            let zero = m.zero_like(&value, 0.0)?;
            m.memory.write(&place, zero)?;
            Ok(Value::Unit)
        },
        // What branches keep.
        "__private::together" => |_, c| Ok(Value::Tuple(c.arguments)),
        "__private::some" => |_, c| Ok(Value::some(c.first()?)),
        "__private::none" => |_, _| Ok(Value::Option(None)),
        "__private::kept" => |_, c| c.first(),
        "__private::tied" => |_, _| Ok(Value::Unit),
        "__private::constant" | "__private::kept_constant" | "__private::matched" => |m, c| {
            let value = m.owned(c.first()?)?;
            match carries_gradient(&value) {
                true => Err(Stop::Refused(format!("{value} may carry a gradient"))),
                false => c.first(),
            }
        },
        "__private::number" => |m, c| match m.owned(c.first()?)? {
            number @ Value::Number(_) => Ok(number),
            other => Err(Stop::Refused(format!("{other} is no number"))),
        },
        "__private::pure" => {
            |m, c| m.call_value(c.first()?, crate::machine::Direction::Forward, Vec::new())
        }
        "__private::is_some" => {
            |m, c| Ok(Value::Bool(matches!(m.owned(c.first()?)?, Value::Option(Some(_)))))
        }
        "__private::is_none" => {
            |m, c| Ok(Value::Bool(matches!(m.owned(c.first()?)?, Value::Option(None))))
        }
        "__private::taken" => |m, c| match m.owned(c.first()?)? {
            Value::Option(Some(inside)) => Ok(*inside),
            _ => Err(Stop::Panic("it was taken".into())),
        },
        // Shadows.
        // It stands where a method is named that is not called.
        "Tied::to" => |_, c| Ok(Value::Tuple(vec![c.first()?])),
        "derivative::zero_like" | "Differentiable::zero_like" | "__private::zeros_like" => {
            |m, c| {
                let value = m.owned(c.first()?)?;
                m.zero_like(&value, 0.0)
            }
        }
        "derivative::shadow" | "derivative::stand_in" | "Differentiable::neutral_like" => |m, c| {
            let value = m.owned(c.first()?)?;
            m.zero_like(&value, -0.0)
        },
        "Differentiable::set_zero_like" => |m, c| {
            let (place, value) = (m.lent(&c, 0)?, m.owned(c.at(1)?)?);
            let zero = m.zero_like(&value, 0.0)?;
            m.memory.write(&place, zero)?;
            Ok(Value::Unit)
        },
        "derivative::add_shadow"
        | "derivative::accumulate_slice"
        | "Differentiable::accumulate_shadow" => |m, c| m.accumulate_shadow(&c, "add"),
        "derivative::retract_slice" | "Differentiable::retract_shadow" => {
            |m, c| m.accumulate_shadow(&c, "sub")
        }
        "derivative::negated" | "Differentiable::negated_shadow" => |m, c| {
            let value = m.owned(c.first()?)?;
            m.negated_shadow(&value)
        },
        "derivative::is_not_zero" => |m, c| match m.owned(c.first()?)? {
            Value::Number(number) => Ok(Value::Bool(number.value() != 0.0)),
            _ => Ok(Value::Bool(false)),
        },
        "derivative::chain" => |m, c| m.binary("Mul", "mul", c.at(0)?, c.at(1)?),
        "derivative::sum" => |m, c| m.sum_of_shadows(c.first()?),
        "derivative::cast" => |m, c| {
            let (g, x) = (m.owned(c.at(0)?)?, m.owned(c.at(1)?)?);
            match x {
                Value::Number(_) => Ok(g),
                _ => Ok(x),
            }
        },
        _ => return undone::function(path),
    })
}

/// The definition of a method, by the type of its receiver.
pub fn method<N: Number>(owner: &str, name: &str) -> Option<Model<N>> {
    macro_rules! stack {
        ($($change:literal)+) => {
            match name {
                $($change => |m, c| m.change_stack(&c, $change),)+
                _ => return None,
            }
        };
    }
    Some(match (owner, name) {
        ("Stack", change) if stack::is_change(change) => stack! {
            "push" "push_inverse" "__push_adjoint" "__push_inverse_adjoint"
            "pop" "pop_inverse" "__pop_adjoint" "__pop_inverse_adjoint"
            "push_copy" "push_copy_inverse" "__push_copy_adjoint" "__push_copy_inverse_adjoint"
            "pop_copy" "pop_copy_inverse" "__pop_copy_adjoint" "__pop_copy_inverse_adjoint"
        },
        ("Stack", "as_slice" | "as_mut_slice") => {
            |m, c| Ok(Value::Reference(m.lent(&c, 0)?.at(Step::Field(0))))
        }
        ("Stack", "len") => |m, c| {
            let elements = m.lent(&c, 0)?.at(Step::Field(0));
            Ok(Value::size(m.memory.length(&elements)?))
        },
        ("Stack", "is_empty") => |m, c| {
            let elements = m.lent(&c, 0)?.at(Step::Field(0));
            Ok(Value::Bool(m.memory.length(&elements)? == 0))
        },
        (ANSWER, name) => return fields::method(name),
        (_, "__value") => |m, c| m.owned(c.first()?),
        (_, "__literal" | "__literal_with") => |m, c| m.owned(c.at(1)?),
        (_, "__ref") => |_, c| c.first(),
        (_, "__shadow") => |_, c| Ok(Value::wrapper("Sum", vec![c.first()?])),
        ("Sum", "add") => |m, c| m.accumulate_shadow(&c, "add"),
        ("Sum", "subtract") => |m, c| m.accumulate_shadow(&c, "sub"),
        ("Sum", "add_mul_left") => |m, c| m.accumulate_product(c, "pull_mul_left", "add"),
        ("Sum", "add_mul_right") => |m, c| m.accumulate_product(c, "pull_mul_right", "add"),
        ("Sum", "subtract_mul_left") => |m, c| m.accumulate_product(c, "pull_mul_left", "sub"),
        ("Sum", "subtract_mul_right") => |m, c| m.accumulate_product(c, "pull_mul_right", "sub"),
        (_, "__made") => |m, c| m.owned(c.first()?),
        ("Probe", "__stand_in") => |m, c| {
            let inside = m.inside(&c)?;
            let value = m.owned(inside)?;
            m.zero_like(&value, 0.0)
        },
        ("Fuse", "__fuse") => |_, _| Ok(Value::wrapper("Fused", Vec::new())),
        ("Fused", "product_plus") => |m, c| {
            let product = m.binary("Mul", "mul", c.at(1)?, c.at(2)?)?;
            m.binary("Add", "add", product, c.at(3)?)
        },
        ("Fused", "plus_product") => |m, c| {
            let product = m.binary("Mul", "mul", c.at(1)?, c.at(2)?)?;
            m.binary("Add", "add", c.at(3)?, product)
        },
        ("Fused", "product_minus") => |m, c| {
            let product = m.binary("Mul", "mul", c.at(1)?, c.at(2)?)?;
            m.binary("Sub", "sub", product, c.at(3)?)
        },
        ("Fused", "minus_product") => |m, c| {
            let product = m.binary("Mul", "mul", c.at(1)?, c.at(2)?)?;
            m.binary("Sub", "sub", c.at(3)?, product)
        },
        ("Fused", "add" | "add_alike") => |m, c| {
            let product = m.binary("Mul", "mul", c.at(1)?, c.at(2)?)?;
            let place = m.lent(&c, 3)?;
            m.undoable_sum(&place)?;
            m.update("AddAssign", "add", &place, product)?;
            Ok(Value::Unit)
        },
        ("Fused", "subtract" | "subtract_alike") => |m, c| {
            let product = m.binary("Mul", "mul", c.at(1)?, c.at(2)?)?;
            let place = m.lent(&c, 3)?;
            m.undoable_sum(&place)?;
            m.update("SubAssign", "sub", &place, product)?;
            Ok(Value::Unit)
        },
        ("Steps", "__split") => |m, c| m.split(c),
        ("Shared", "__passes") => |m, c| {
            let container = m.inside(&c)?;
            let (start, end) = m.ends(&c, 1)?;
            let length = match &container {
                Value::Reference(place) => m.length_behind(place)?,
                _ => None,
            };
            match length {
                None => Ok(Value::Integer(end, "usize")),
                Some(length) if start > end || end > length as i128 => {
                    Err(Stop::Panic(format!("index out of bounds, in {}", c.source(2))))
                }
                Some(_) => Ok(Value::Integer(end - start, "usize")),
            }
        },
        ("Shared" | "Lent", "__first") => |m, c| {
            let container = match m.inside(&c)? {
                Value::Option(Some(inside)) => *inside,
                other => other,
            };
            match container {
                Value::Reference(place) if m.length_behind(&place)?.is_some() => {
                    let (place, passes) = (m.resolved(place)?, m.size(&c, 1)?);
                    m.slice(&place, 0, passes)
                }
                other => Ok(other),
            }
        },
        ("[]", "separate" | "disjoint") => |m, c| m.separate(&c),
        _ => return undone::method(owner, name),
    })
}

impl<N: Number> Call<'_, N> {
    /// An argument.
    pub fn at(&self, position: usize) -> Outcome<Value<N>, N> {
        self.arguments.get(position).cloned().ok_or_else(|| Stop::unknown("too few arguments"))
    }

    /// The first argument.
    pub fn first(&self) -> Outcome<Value<N>, N> {
        self.at(0)
    }

    /// The text of the statement that a check is about.
    fn source(&self, position: usize) -> String {
        self.arguments.get(position).map_or(String::new(), ToString::to_string)
    }
}

impl<N: Number> Machine<'_, N> {
    /// The place that an argument refers to.
    pub(crate) fn lent(&mut self, call: &Call<N>, position: usize) -> Outcome<Place, N> {
        match call.at(position)? {
            Value::Reference(place) => self.resolved(place),
            // What a method gave by value is at nobody else's place.
            value => Ok(Place::cell(self.memory.push(value))),
        }
    }

    /// An argument that is a length or an index.
    fn size(&mut self, call: &Call<N>, position: usize) -> Outcome<usize, N> {
        match self.owned(call.at(position)?)? {
            Value::Integer(size, _) => {
                usize::try_from(size).map_err(|_| Stop::Panic("a negative size".into()))
            }
            other => Err(Stop::unknown(format!("{other} as a size"))),
        }
    }

    /// The ends of a range.
    fn ends(&mut self, call: &Call<N>, position: usize) -> Outcome<(i128, i128), N> {
        match self.owned(call.at(position)?)? {
            Value::Range(Some(start), End::Before(end), _) => Ok((start, end)),
            other => Err(Stop::unknown(format!("{other} as a range"))),
        }
    }

    /// What the receiver wraps.
    pub(crate) fn inside(&mut self, call: &Call<N>) -> Outcome<Value<N>, N> {
        let place = self.lent(call, 0)?;
        Ok(self.memory.look(&place.at(Step::Field(0)))?.clone())
    }

    fn slice(&mut self, place: &Place, first: usize, passes: usize) -> Outcome<Value<N>, N> {
        let range =
            Value::Range(Some(first as i128), End::Before((first + passes) as i128), "usize");
        Ok(Value::Reference(self.element(place, range)?))
    }

    /// How long the list is at a place; `None` if there is another container.
    fn length_behind(&mut self, place: &Place) -> Outcome<Option<usize>, N> {
        let place = self.resolved(place.clone())?;
        match self.memory.look(&place)? {
            Value::List(_) => self.memory.length(&place).map(Some),
            _ => Ok(None),
        }
    }

    /// `+=` and `-=` of a type of the program's own undo each other by its word alone.
    fn undoable_sum(&self, place: &Place) -> Outcome<(), N> {
        let ty = self.memory.look(place)?.key().to_string();
        let own = self.program.structs.contains_key(&ty);
        match own && self.program.of_trait("AdditiveGroup", &ty, "", "accumulate").is_none() {
            true => Err(Stop::Refused(format!("no additive group of {ty}"))),
            false => Ok(()),
        }
    }

    fn add(&mut self, call: &Call<N>, name: &str) -> Outcome<Value<N>, N> {
        let (place, value) = (self.lent(call, 0)?, self.owned(call.at(1)?)?);
        let of = if name == "add" { "AddAssign" } else { "SubAssign" };
        if let Value::List(_) | Value::Tuple(_) = self.memory.look(&place)? {
            let old = self.memory.read(&place)?;
            let new = self.fieldwise(of.trim_end_matches("Assign"), name, old, value)?;
            self.memory.write(&place, new)?;
        } else {
            self.update(of, name, &place, value)?;
        }
        Ok(Value::Unit)
    }

    /// What a loop runs over, in chunks of elements that lie side by side.
    fn split(&mut self, call: Call<N>) -> Outcome<Value<N>, N> {
        let size = *call.sizes.first().ok_or_else(|| Stop::unknown("how long chunks are"))?;
        let items = self.inside(&call)?;
        let items = self.items(items)?;
        let first = match items.first() {
            Some(Value::Reference(place)) => match place.path.last() {
                Some(Step::Index(i)) => Some((place.clone(), *i)),
                _ => None,
            },
            _ => None,
        };
        let beside = |(place, start): &(Place, usize)| {
            items.iter().enumerate().all(|(n, item)| {
                let mut expected = place.clone();
                expected.path.pop();
                expected.path.push(Step::Index(start + n));
                matches!(item, Value::Reference(found) if *found == expected)
            })
        };
        let (length, chunks, rest) = match first.filter(beside) {
            Some((mut list, start)) => {
                list.path.pop();
                let whole = items.len() / size;
                let chunk = |n: usize| {
                    let from = start + n * size;
                    Value::Reference(list.at(Step::Part(from, from + size)))
                };
                ((items.len()), (0..whole).map(chunk).collect(), items[whole * size..].to_vec())
            }
            // Not taken in chunks: as if there was nothing.
            None => (0, Vec::new(), Vec::new()),
        };
        Ok(Value::Struct(
            "Split".into(),
            vec![
                ("length".into(), Value::size(length)),
                ("chunks".into(), Value::Items(chunks)),
                ("rest".into(), Value::Items(rest)),
            ],
        ))
    }

    /// Several elements or ranges of a list, which must not meet.
    fn separate(&mut self, call: &Call<N>) -> Outcome<Value<N>, N> {
        let (place, indices) = (self.lent(call, 0)?, self.items(call.at(1)?)?);
        let mut places: Vec<Place> = Vec::new();
        for index in indices {
            let index = self.owned(index)?;
            let element = self.element(&place, index)?;
            if places.iter().any(|other| other.meets(&element)) {
                return Err(Stop::Check(format!("indices meet, in {}", call.source(2))));
            }
            places.push(element);
        }
        Ok(Value::List(places.into_iter().map(Value::Reference).collect()))
    }
}

/// Whether a value is of a type that the library does not know to carry no gradient.
pub(crate) fn carries_gradient<N: Number>(value: &Value<N>) -> bool {
    match value {
        Value::Number(_) | Value::Struct(..) => true,
        Value::List(parts) | Value::Tuple(parts) => parts.iter().any(carries_gradient),
        Value::Option(inside) => inside.as_ref().is_some_and(|inside| carries_gradient(inside)),
        _ => false,
    }
}
