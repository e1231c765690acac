//! What was undone in floats: how far it may be from what it must be, and the decisions on
//! it that are kept for the way back.

use super::{Call, Model};
use crate::checks::{agrees_by, magnitude};
use crate::machine::{Direction, Machine};
use crate::number::Number;
use crate::stop::{Outcome, Stop};
use crate::value::{Place, Step, Value};

/// How much a magnitude counts that was not seen at every step.
const UNSEEN: f64 = 1024.0;

/// The rows of functions; see [`super::function`].
pub(super) fn function<N: Number>(path: &str) -> Option<Model<N>> {
    Some(match path {
        "Scale::of" => |_, _| Ok(scale(0.0)),
        "Scale::beside_extent" => |m, c| {
            let seen = m.owned(c.first()?)?;
            let parts = [magnitude(&seen), 0.0, 0.0, 0.0].map(Value::constant);
            Ok(Value::wrapper("Scale", parts.to_vec()))
        },
        "Scale::of_extent" => |m, c| {
            let seen = m.owned(c.first()?)?;
            Ok(scale(magnitude(&seen)))
        },
        "__private::see_extent" | "__private::watch_extent" => |m, c| m.see(&c, 1.0),
        "__private::see_extent_after" | "__private::see_parts" => |m, c| m.see(&c, UNSEEN),
        "__private::carry" | "__private::checked" => |_, _| Ok(Value::Unit),
        "__private::nothing_seen" => |_, _| Ok(Value::constant(0.0)),
        "__private::magnitude_of" => |m, c| {
            let literal = m.owned(c.first()?)?;
            Ok(Value::constant(magnitude(&literal)))
        },
        "__private::see_back" => |m, c| {
            let (largest, seen) = (m.lent(&c, 0)?, magnitude(&m.owned(c.at(1)?)?));
            if seen > magnitude(m.memory.look(&largest)?) {
                m.memory.put(&largest, Value::constant(seen))?;
            }
            Ok(Value::Unit)
        },
        "__private::carry_one" => |m, c| {
            if m.truth(&c, 1)? {
                let (place, seen) = (m.size(&c, 0)?, m.owned(c.at(2)?)?);
                m.carried.push((place, part(&seen, 0)));
            }
            Ok(Value::Unit)
        },
        "__private::carry_nothing" => |m, c| {
            if m.truth(&c, 0)? {
                m.carried.clear();
            }
            Ok(Value::Unit)
        },
        "__private::carried_if" => |m, c| match m.truth(&c, 0)? {
            true => {
                let place = m.size(&c, 1)?;
                Ok(m.carried_to(place))
            }
            false => Ok(scale(0.0)),
        },
        // What it sees, nobody is told who does not ask.
        "Scale::if_asked" => |_, _| Ok(scale(0.0)),
        "__private::carried" => |m, c| {
            let place = m.size(&c, 0)?;
            Ok(m.carried_to(place))
        },
        "__private::is_carried" => |m, c| {
            let seen = m.owned(c.at(1)?)?;
            Ok(Value::Bool(m.truth(&c, 0)? && part(&seen, 0) > 0.0))
        },
        "__private::is_told" => |m, c| {
            let told = m.items(c.first()?)?;
            let seen =
                |told: Value<N>| matches!(told, Value::Tuple(parts) if part(&parts[1], 0) > 0.0);
            let mut any = false;
            for one in told {
                any |= seen(m.owned(one)?);
            }
            Ok(Value::Bool(any))
        },
        "__private::told" => |m, c| {
            let place = m.size(&c, 1)?;
            let mut told = 0.0_f64;
            for one in m.items(c.first()?)? {
                if let Value::Tuple(parts) = m.owned(one)?
                    && let [Value::Integer(known, _), seen] = &parts[..]
                    && *known as usize == place
                {
                    told = told.max(part(seen, 0));
                }
            }
            Ok(scale(told))
        },
        "__private::same_decision" => |m, c| {
            if part(&m.margin(&c, 1)?, 0) <= 0.0 {
                return Ok(Value::Unit);
            }
            let parts = m.size(&c, 0)?;
            for toward in everywhere(parts) {
                match m.call_value(c.at(3)?, Direction::Forward, vec![toward])? {
                    Value::Bool(true) => {}
                    _ => {
                        let source = c.source(2);
                        return Err(Stop::Check(format!("a decision is too close, in {source}")));
                    }
                }
            }
            Ok(Value::Unit)
        },
        "__private::copied" => |m, c| m.owned(c.first()?),
        "check::undone" => |m, c| match m.owned(c.first()?)? {
            Value::Option(None) => Ok(Value::Unit),
            other => Err(Stop::Check(format!("digits were lost: {other}, in {}", c.source(1)))),
        },
        "Decided::default" => |_, _| {
            let parts = vec![Value::List(Vec::new()), Value::Bool(false), Value::Option(None)];
            Ok(Value::wrapper("Decided", parts))
        },
        "__private::turn" => |m, c| {
            let back = m.lent(&c, 0)?.at(Step::Field(1));
            m.memory.write(&back, Value::Bool(true))?;
            Ok(Value::Unit)
        },
        "__private::decide_branch" | "__private::decide_value" => |m, c| {
            let own = m.lent(&c, 0)?;
            let decision = match m.level(&c, true)? {
                Some(level) => m.taken_back(&level)?,
                None => m.call_value(c.at(2)?, Direction::Forward, Vec::new())?,
            };
            m.kept(&own, decision.clone())?;
            Ok(decision)
        },
        "__private::decide_given" => |m, c| {
            let own = m.lent(&c, 0)?;
            let witness = m.call_value(c.at(3)?, Direction::Forward, Vec::new())?;
            let kept = match m.level(&c, true)? {
                Some(level) => m.taken_back(&level)?,
                None => witness.clone(),
            };
            m.kept(&own, kept.clone())?;
            compared(&c, &kept, &witness)
        },
        "__private::recall_given" => |m, c| {
            let own = m.lent(&c, 0)?;
            let kept = m.taken_back(&own)?;
            if let Some(level) = m.level(&c, false)? {
                m.kept(&level, kept.clone())?;
            }
            let witness = m.call_value(c.at(3)?, Direction::Forward, Vec::new())?;
            compared(&c, &kept, &witness)
        },
        "__private::recall_branch" | "__private::recall_value" => |m, c| {
            let own = m.lent(&c, 0)?;
            let decision = m.taken_back(&own)?;
            if let Some(level) = m.level(&c, false)? {
                m.kept(&level, decision.clone())?;
            }
            Ok(decision)
        },
        "__private::hand_on" => |m, c| {
            let own = m.lent(&c, 0)?;
            while let Some(level) = m.level(&c, false)?
                && let Value::List(kept) = m.memory.read(&own.at(Step::Field(0)))?
                && !kept.is_empty()
            {
                let decision = m.taken_back(&own)?;
                m.kept(&level, decision)?;
            }
            Ok(Value::Unit)
        },
        "__private::decide_pass" => |m, c| m.decide_pass(&c),
        "__private::recall_pass" => |m, c| m.recall_pass(&c),
        _ => return None,
    })
}

/// The rows of methods; see [`super::method`].
pub(super) fn method<N: Number>(owner: &str, name: &str) -> Option<Model<N>> {
    Some(match (owner, name) {
        ("Scale", "see" | "see_extent") => |m, c| m.see(&c, 1.0),
        ("Scale", "see_after" | "see_extent_after") => |m, c| m.see(&c, UNSEEN),
        // The judge compares all values by itself.
        ("Scale", "looked_at") => |m, c| m.owned(c.first()?),
        ("Scale", "see_move") => |m, c| {
            let moved = m.lent(&c, 0)?.at(Step::Field(MOVED));
            m.memory.put(&moved, Value::constant(1.0))?;
            Ok(Value::Unit)
        },
        ("Scale", "see_before") => |m, c| {
            let moved = m.lent(&c, 0)?.at(Step::Field(MOVED));
            match magnitude(m.memory.look(&moved)?) > 0.0 {
                true => m.see(&c, UNSEEN),
                false => Ok(Value::Unit),
            }
        },
        ("Scale", "see_changes") => |m, c| m.see_changes(&c, true),
        ("Scale", "see_return") => |m, c| m.see_changes(&c, false),
        ("Scale", "half_the_digits") => |m, c| {
            let known = m.owned(c.first()?)?;
            let mut began = part(&known, BEGAN);
            for beside in m.items(c.at(1)?)? {
                began = began.max(part(&m.owned(beside)?, BEGAN));
            }
            let parts = [part(&known, 0), began].map(Value::constant);
            let [seen, began] = parts;
            Ok(Value::wrapper("Slack", vec![seen, Value::Text("undone".into()), began]))
        },
        ("Scale", "released") => |m, c| {
            let (found, expected) = (m.owned(c.at(1)?)?, m.owned(c.at(2)?)?);
            m.released(&c, &found, &expected, 3)
        },
        ("Scale", "released_filled") => |m, c| {
            let (found, value, length) = (m.owned(c.at(1)?)?, m.owned(c.at(2)?)?, m.size(&c, 3)?);
            m.released(&c, &found, &Value::List(vec![value; length]), 4)
        },
        ("Probe" | "Elements", "__extent" | "__glance" | "__parts") => |m, c| {
            let inside = m.inside(&c)?;
            let value = m.owned(inside)?;
            Ok(Value::constant(magnitude(&value)))
        },
        ("Probe" | "Elements", "__changes") => |m, c| {
            let inside = m.inside(&c)?;
            let (now, before) = (m.owned(inside)?, m.owned(c.at(1)?)?);
            let mut extents = [0.0_f64; 2];
            differing(&now, &before, &mut extents);
            Ok(Value::wrapper("Changes", extents.map(Value::constant).to_vec()))
        },
        // No function says that it looks: the judge compares all values by itself.
        ("Probe", "__on_loan") => |_, _| Ok(Value::Struct("Loan".into(), Vec::new())),
        ("Loan", "turn" | "compare") => |_, _| Ok(Value::Unit),
        ("Scale", "largest") => |m, c| {
            let known = m.owned(c.first()?)?;
            Ok(Value::constant(part(&known, 0)))
        },
        ("Probe" | "Elements", "__astray" | "__astray_from") => |m, c| {
            let expected = m.owned(c.at(1)?)?;
            m.astray(&c, &expected, 2)
        },
        ("Elements", "__astray_of") => |m, c| {
            let (value, length) = (m.owned(c.at(1)?)?, m.size(&c, 2)?);
            m.astray(&c, &Value::List(vec![value; length]), 3)
        },
        ("Sides", "__settled") => |m, c| {
            let [value, other] = m.sides(&c)?;
            let margin = m.margin(&c, 1)?;
            m.settled(&c, &value, &other, &margin, 2)
        },
        ("Sides", "__same") => |m, c| {
            let [value, other] = m.sides(&c)?;
            let margin = slack("steep", part(&m.margin(&c, 1)?, 0));
            Ok(Value::Bool(within(&value, &other, &margin)))
        },
        ("Sides", "__settled_quotient") => |m, c| {
            let margin = m.margin(&c, 1)?;
            match m.sides(&c)? {
                [Value::Number(a), Value::Number(b)] => {
                    let half = 2.0 * a.value() / b.value();
                    let [half, whole] = [half, half.round()].map(Value::constant);
                    m.settled(&c, &half, &whole, &margin, 2)
                }
                _ => Ok(Value::Unit),
            }
        },
        ("Probe", "__settled_whole") => |m, c| {
            let inside = m.inside(&c)?;
            let (value, margin) = (m.owned(inside)?, m.margin(&c, 1)?);
            let Value::Number(x) = value else { return Ok(Value::Unit) };
            let half = x.value() + x.value();
            m.settled(&c, &Value::constant(half), &Value::constant(half.round()), &margin, 2)
        },
        ("Probe", "__settled_sign") => |m, c| {
            let inside = m.inside(&c)?;
            let (value, margin) = (m.owned(inside)?, m.margin(&c, 1)?);
            m.settled(&c, &value, &Value::constant(0.0), &margin, 2)
        },
        ("Probe", "__digits_left") => |m, c| {
            let inside = m.inside(&c)?;
            let (value, largest) = (m.owned(inside)?, magnitude(&m.owned(c.at(1)?)?));
            match magnitude(&value) <= f64::EPSILON.sqrt() * largest && largest > 0.0 {
                true => Err(Stop::Check(format!("digits were lost: {value}, in {}", c.source(2)))),
                false => Ok(Value::Unit),
            }
        },
        // Its numbers are real.
        ("Probe", "__settled_branch") => |_, _| Ok(Value::Unit),
        ("Probe", "__settled_root") => |m, c| {
            let inside = m.inside(&c)?;
            let (value, margin) = (m.owned(inside)?, m.margin(&c, 2)?);
            m.settled(&c, &value, &Value::constant(0.0), &margin, 3)
        },
        ("Sides", "__settled_cut") => |m, c| {
            let margin = m.margin(&c, 1)?;
            match m.sides(&c)? {
                [value, Value::Number(x)] if x.value() <= 0.0 => {
                    m.settled(&c, &value, &Value::constant(0.0), &margin, 2)
                }
                _ => Ok(Value::Unit),
            }
        },
        ("Given", "__witness") => |m, c| {
            let call = m.inside(&c)?;
            let value = m.call_value(call, Direction::Forward, Vec::new())?;
            Ok(witness(&m.owned(value)?))
        },
        ("Given", "__settled_given") => |m, c| {
            let call = m.inside(&c)?;
            let value = m.call_value(call, Direction::Forward, Vec::new())?;
            let told = witness(&m.owned(value)?);
            let beside = match c.at(4)? {
                Value::Struct(_, mut fields) if fields.len() == 1 => fields.remove(0).1,
                other => other,
            };
            let (parts, margin) = (m.size(&c, 1)?, part(&m.margin(&c, 2)?, 0));
            let decides = matches!(&told, Value::Text(text) if !text.is_empty());
            if !decides || margin <= 0.0 {
                return Ok(Value::Unit);
            }
            for toward in everywhere(parts) {
                let other = m.call_value(beside.clone(), Direction::Forward, vec![toward])?;
                if !same_text(&other, &told) {
                    let source = c.source(3);
                    return Err(Stop::Check(format!("a decision is too close, in {source}")));
                }
            }
            Ok(Value::Unit)
        },
        ("Probe", "__told") => |m, c| {
            let inside = m.inside(&c)?;
            Ok(witness(&m.owned(inside)?))
        },
        ("Toward", "part") => |m, c| {
            let number = m.size(&c, 1)?;
            let place = m.lent(&c, 0)?;
            let toward = m.memory.read(&place)?;
            Ok(turned(&toward, number))
        },
        ("Probe", "__nudged" | "__nudged_lent" | "__nudged_value" | "__nudged_elements") => {
            |m, c| {
                let inside = m.inside(&c)?;
                let (value, margin) = (m.owned(inside)?, part(&m.margin(&c, 1)?, 0));
                let toward = m.owned(c.at(2)?)?;
                Ok(nudged(value, margin, &toward))
            }
        }
        ("Probe", "__pointed") => |m, c| {
            let inside = m.inside(&c)?;
            match inside {
                Value::Reference(place) => Ok(Value::Reference(m.resolved(place)?)),
                other => Ok(other),
            }
        },
        ("Behind", "is_steady") => |_, _| Ok(Value::Unit),
        ("Parts", "has_parts") => |_, _| Ok(Value::Unit),
        // The judge hands in shadows that fit.
        ("Fits", "__fits") => |_, _| Ok(Value::Unit),
        _ => return None,
    })
}

/// What an ancilla was seen to hold: the largest magnitude, the sum of all, what it began with,
/// and whether it was exchanged.
fn scale<N: Number>(seen: f64) -> Value<N> {
    Value::wrapper("Scale", [seen, 0.0, seen, 0.0].map(Value::constant).to_vec())
}

/// Where these are.
const BEGAN: usize = 2;
const MOVED: usize = 3;

/// The extents of those numbers of two values that are not the same, before and now.
fn differing<N: Number>(now: &Value<N>, before: &Value<N>, extents: &mut [f64; 2]) {
    match (now, before) {
        (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b))
            if a.len() == b.len() =>
        {
            a.iter().zip(b).for_each(|(a, b)| differing(a, b, extents));
        }
        (Value::Struct(_, a), Value::Struct(_, b)) if a.len() == b.len() => {
            a.iter().zip(b).for_each(|(a, b)| differing(&a.1, &b.1, extents));
        }
        _ if agrees_by(now, before, &|a, b| a == b || a.is_nan() && b.is_nan()) => {}
        _ => *extents = [extents[0].max(magnitude(before)), extents[1].max(magnitude(now))],
    }
}

/// How far apart two values may be.
fn slack<N: Number>(kind: &str, by: f64) -> Value<N> {
    Value::wrapper("Slack", vec![Value::constant(by), Value::Text(kind.into())])
}

/// What tells an integer or the like from others; nothing of what may carry a gradient.
fn witness<N: Number>(value: &Value<N>) -> Value<N> {
    let text = match value {
        Value::Integer(..) | Value::Bool(_) | Value::Text(_) | Value::Option(_) => {
            let mut numbers = Vec::new();
            value.numbers(&mut numbers);
            if numbers.is_empty() { value.to_string() } else { String::new() }
        }
        _ => String::new(),
    };
    Value::Text(text.into())
}

fn same_text<N: Number>(a: &Value<N>, b: &Value<N>) -> bool {
    matches!((a, b), (Value::Text(a), Value::Text(b)) if a == b)
}

/// What a call gave must be what it gives now.
fn compared<N: Number>(c: &Call<N>, kept: &Value<N>, now: &Value<N>) -> Outcome<Value<N>, N> {
    match same_text(kept, now) {
        true => Ok(Value::Unit),
        false => Err(Stop::Check(format!("a decision is another, in {}", c.source(2)))),
    }
}

/// Where a decision is asked for other values: all of them up or down, those apart of which a bit
/// of their numbers differs, and to numbers of few digits.
fn everywhere<N: Number>(parts: usize) -> Vec<Value<N>> {
    let far = |bit: usize, up: bool| {
        Value::wrapper("Toward", vec![Value::Integer(bit as i128, "usize"), Value::Bool(up)])
    };
    let bits = parts.next_power_of_two().trailing_zeros() as usize;
    let plain = Value::wrapper("Toward", Vec::new());
    // Bit 64 is in no number.
    let all = [64].into_iter().chain(0..bits);
    all.flat_map(|bit| [far(bit, true), far(bit, false)]).chain([plain]).collect()
}

/// Where the part of this number is moved to.
fn turned<N: Number>(toward: &Value<N>, number: usize) -> Value<N> {
    match toward {
        Value::Struct(name, fields) if fields.len() == 2 => {
            let bit = if let Value::Integer(bit, _) = fields[0].1 { bit as u32 } else { 64 };
            let odd = number.checked_shr(bit).unwrap_or(0);
            let up = matches!(fields[1].1, Value::Bool(true)) != (odd % 2 == 1);
            Value::wrapper(name, vec![fields[0].1.clone(), Value::Bool(up)])
        }
        other => other.clone(),
    }
}

/// A value as far away as half of its digits, or one with few digits that is as near.
fn nudged<N: Number>(value: Value<N>, scale: f64, toward: &Value<N>) -> Value<N> {
    match value {
        Value::Number(x) => {
            let (x, by) = (x.value(), f64::EPSILON.sqrt() * scale.max(x.value().abs()));
            let moved = match toward {
                Value::Struct(_, fields) if fields.len() == 2 => {
                    if matches!(fields[1].1, Value::Bool(true)) { x + by } else { x - by }
                }
                _ if x.abs() <= by => 0.0,
                _ => {
                    let digits = format!("{:.*}", (-by.log10().floor()).max(0.0) as usize, x);
                    digits.parse().unwrap_or(x)
                }
            };
            Value::Number(N::constant(moved))
        }
        Value::List(items) => {
            let items = items.into_iter().enumerate();
            Value::List(items.map(|(i, item)| nudged(item, scale, &turned(toward, i))).collect())
        }
        other => other,
    }
}

/// A number in a wrapper.
fn part<N: Number>(wrapper: &Value<N>, position: usize) -> f64 {
    match wrapper {
        Value::Struct(_, fields) => fields.get(position).map_or(0.0, |(_, value)| magnitude(value)),
        other => magnitude(other),
    }
}

/// Whether two values are as near as a slack allows; a number is the scale of one that
/// allows half of the digits.
pub(super) fn within<N: Number>(found: &Value<N>, expected: &Value<N>, allowed: &Value<N>) -> bool {
    let by = part(allowed, 0);
    let is = |word: &str| {
        matches!(allowed, Value::Struct(_, fields)
            if matches!(&fields[1].1, Value::Text(kind) if &**kind == word))
    };
    let (units, steep, undone) = (is("units"), is("steep"), is("undone"));
    let also = if units || undone { part(allowed, 2) } else { 0.0 };
    agrees_by(found, expected, &|a: f64, b: f64| {
        let root = f64::EPSILON.powf(if steep { 0.375 } else { 0.5 });
        let own = a.abs().max(b.abs());
        let allowed = match () {
            () if units => 8.0 * f64::EPSILON * (by + also * own),
            () if undone && b.abs() <= 16.0 * f64::EPSILON * also => root * by,
            () if undone => (root * b.abs()).max(4096.0 * f64::EPSILON * also),
            () => root * by.max(own),
        };
        a == b || (a - b).abs() <= allowed && allowed.is_finite() || a.is_nan() && b.is_nan()
    })
}

impl<N: Number> Machine<'_, N> {
    /// The two sides of a comparison or a quotient.
    fn sides(&mut self, call: &Call<N>) -> Outcome<[Value<N>; 2], N> {
        let place = self.lent(call, 0)?;
        let mut side = |i| {
            let side = self.memory.read(&place.at(Step::Field(i)))?;
            self.owned(side)
        };
        Ok([side(0)?, side(1)?])
    }

    /// How close is too close for a decision, of all that was seen.
    fn margin(&mut self, call: &Call<N>, position: usize) -> Outcome<Value<N>, N> {
        let mut largest = 0.0_f64;
        for known in self.items(call.at(position)?)? {
            let known = self.owned(known)?;
            largest = largest.max(part(&known, 0));
        }
        Ok(slack("half", largest))
    }

    /// Takes note of a magnitude.
    fn see(&mut self, call: &Call<N>, times: f64) -> Outcome<Value<N>, N> {
        let (place, seen) = (self.lent(call, 0)?, self.owned(call.at(1)?)?);
        let (largest, sum) = (place.at(Step::Field(0)), place.at(Step::Field(1)));
        let (known, total) = (self.memory.read(&largest)?, self.memory.read(&sum)?);
        let seen = magnitude(&seen);
        self.memory.put(&largest, Value::constant(magnitude(&known).max(seen)))?;
        self.memory.put(&sum, Value::constant(magnitude(&total) + times * seen))?;
        Ok(Value::Unit)
    }

    /// Takes note of what is not as it was: on its way, or when it should be.
    fn see_changes(&mut self, call: &Call<N>, on_its_way: bool) -> Outcome<Value<N>, N> {
        let (place, changes) = (self.lent(call, 0)?, self.owned(call.at(1)?)?);
        let (before, now) = (part(&changes, 0), part(&changes, 1));
        for (at, seen) in [(BEGAN, before), (0, before.max(now))] {
            if at == BEGAN || on_its_way {
                let place = place.at(Step::Field(at));
                let known = magnitude(&self.memory.read(&place)?);
                self.memory.put(&place, Value::constant(known.max(seen)))?;
            }
        }
        Ok(Value::Unit)
    }

    /// What was carried to an argument.
    fn carried_to(&self, place: usize) -> Value<N> {
        let own = self.carried.iter().filter(|(known, _)| *known == place);
        scale(own.map(|(_, seen)| *seen).fold(0.0, f64::max))
    }

    fn truth(&mut self, call: &Call<N>, at: usize) -> Outcome<bool, N> {
        Ok(matches!(self.owned(call.at(at)?)?, Value::Bool(true)))
    }

    fn released(
        &mut self,
        call: &Call<N>,
        found: &Value<N>,
        expected: &Value<N>,
        source: usize,
    ) -> Outcome<Value<N>, N> {
        let known = self.owned(call.first()?)?;
        let own = if part(&known, MOVED) > 0.0 { UNSEEN } else { 1.0 };
        let parts = vec![
            Value::constant(part(&known, 1)),
            Value::Text("units".into()),
            Value::constant(own),
        ];
        match within(found, expected, &Value::wrapper("Slack", parts)) {
            true => Ok(Value::Unit),
            false => Err(Stop::Check(format!(
                "{found}, expected {expected}, in {}",
                call.source(source)
            ))),
        }
    }

    /// What is wrong with a value that was undone, if anything is.
    fn astray(
        &mut self,
        call: &Call<N>,
        expected: &Value<N>,
        slack: usize,
    ) -> Outcome<Value<N>, N> {
        let inside = self.inside(call)?;
        let (found, allowed) = (self.owned(inside)?, self.owned(call.at(slack)?)?);
        Ok(match within(&found, expected, &allowed) {
            true => Value::Option(None),
            false => Value::some(Value::Text(format!("{found}, expected {expected}").into())),
        })
    }

    /// Stops where rounding could decide between two sides.
    fn settled(
        &mut self,
        call: &Call<N>,
        value: &Value<N>,
        other: &Value<N>,
        allowed: &Value<N>,
        source: usize,
    ) -> Outcome<Value<N>, N> {
        match part(allowed, 0) > 0.0 && within(value, other, allowed) {
            true => Err(Stop::Check(format!(
                "{value} is too near to {other}, in {}",
                call.source(source)
            ))),
            false => Ok(Value::Unit),
        }
    }

    /// The first of the surrounding levels that is on its way back, or there.
    fn level(&mut self, call: &Call<N>, back: bool) -> Outcome<Option<Place>, N> {
        for level in self.items(call.at(1)?)? {
            let Value::Reference(place) = level else {
                return Err(Stop::unknown("a level of decisions"));
            };
            let place = self.resolved(place)?;
            if matches!(self.memory.look(&place.at(Step::Field(1)))?, Value::Bool(b) if *b == back)
            {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    fn kept(&mut self, level: &Place, decision: Value<N>) -> Outcome<(), N> {
        let record = level.at(Step::Field(0));
        let Value::List(mut decisions) = self.memory.read(&record)? else {
            return Err(Stop::unknown("a record of decisions"));
        };
        decisions.push(decision);
        self.memory.put(&record, Value::List(decisions))
    }

    fn taken_back(&mut self, level: &Place) -> Outcome<Value<N>, N> {
        let record = level.at(Step::Field(0));
        let Value::List(mut decisions) = self.memory.read(&record)? else {
            return Err(Stop::unknown("a record of decisions"));
        };
        let last = decisions.pop();
        self.memory.put(&record, Value::List(decisions))?;
        last.ok_or_else(|| Stop::Panic("a decision is taken back that was not taken".into()))
    }

    /// The passes of the loop that runs: how many are done or left, and how many there are
    /// if that is known.
    fn running(&mut self, own: &Place) -> Outcome<Option<(usize, Option<usize>)>, N> {
        let size = |value: &Value<N>| match value {
            Value::Integer(size, _) => *size as usize,
            _ => 0,
        };
        Ok(match self.memory.look(&own.at(Step::Field(2)))? {
            Value::Option(Some(inside)) => match &**inside {
                Value::Tuple(parts) => {
                    let all = match &parts[1] {
                        Value::Option(Some(all)) => Some(size(all)),
                        _ => None,
                    };
                    Some((size(&parts[0]), all))
                }
                _ => None,
            },
            _ => None,
        })
    }

    fn set_running(
        &mut self,
        own: &Place,
        running: Option<(usize, Option<usize>)>,
    ) -> Outcome<(), N> {
        let running = running.map(|(count, all)| {
            let all = Value::Option(all.map(|all| Box::new(Value::size(all))));
            Box::new(Value::Tuple(vec![Value::size(count), all]))
        });
        self.memory.put(&own.at(Step::Field(2)), Value::Option(running))
    }

    fn decide_pass(&mut self, call: &Call<N>) -> Outcome<Value<N>, N> {
        let own = self.lent(call, 0)?;
        let (done, all) = match self.running(&own)? {
            Some(running) => running,
            None => match self.level(call, true)? {
                Some(level) => match self.taken_back(&level)? {
                    Value::Integer(all, _) => (0, Some(all as usize)),
                    other => return Err(Stop::unknown(format!("{other} passes"))),
                },
                None => (0, None),
            },
        };
        let again = match all {
            Some(all) => done < all,
            None => {
                let again = self.call_value(call.at(2)?, Direction::Forward, Vec::new())?;
                matches!(again, Value::Bool(true))
            }
        };
        if again {
            self.set_running(&own, Some((done + 1, all)))?;
        } else {
            self.set_running(&own, None)?;
            self.kept(&own, Value::size(done))?;
        }
        Ok(Value::Bool(again))
    }

    fn recall_pass(&mut self, call: &Call<N>) -> Outcome<Value<N>, N> {
        let own = self.lent(call, 0)?;
        let left = match self.running(&own)? {
            Some((left, _)) => left,
            None => {
                let all = self.taken_back(&own)?;
                if let Some(level) = self.level(call, false)? {
                    self.kept(&level, all.clone())?;
                }
                match all {
                    Value::Integer(all, _) => all as usize,
                    other => return Err(Stop::unknown(format!("{other} passes"))),
                }
            }
        };
        let running = (left > 0).then(|| (left.saturating_sub(1), None));
        self.set_running(&own, running)?;
        Ok(Value::Bool(left > 0))
    }
}
