//! What is asked of places before they are lent: that those that are written are apart from the
//! others.

use super::Model;
use crate::checks::same;
use crate::machine::Machine;
use crate::number::Number;
use crate::stop::{Outcome, Stop};
use crate::value::{End, Value};

/// The rows of functions; see [`super::function`].
pub(super) fn function<N: Number>(path: &str) -> Option<Model<N>> {
    Some(match path {
        "place::apart" => |m, c| {
            let (a, b) = (m.owned(c.at(0)?)?, m.owned(c.at(1)?)?);
            match meets(&a, &b) {
                true => Err(Stop::Check(format!("{a} and {b} meet, in {}", c.source(2)))),
                false => Ok(Value::Unit),
            }
        },
        "place::distinct" => |m, c| {
            let (a, b) = (m.lent(&c, 0)?, m.lent(&c, 1)?);
            match a.meets(&b) {
                true => Err(Stop::Check(format!("one place, in {}", c.source(4)))),
                false => Ok(Value::Unit),
            }
        },
        "place::joined" => |m, c| {
            let (written, read) = (m.ranges(c.at(0)?)?, m.ranges(c.at(1)?)?);
            for (a, b) in written.iter().flat_map(|a| read.iter().map(move |b| (*a, *b))) {
                if cross(a, b) {
                    return Err(Stop::Check(format!("{a:?} and {b:?} meet, in {}", c.source(2))));
                }
            }
            Ok(joined(&read))
        },
        _ => return None,
    })
}

type Span = (i128, i128);

impl<N: Number> Machine<'_, N> {
    fn ranges(&mut self, list: Value<N>) -> Outcome<Vec<Span>, N> {
        let mut ranges = Vec::new();
        for range in self.items(list)? {
            let range = self.owned(range)?;
            ranges.push(span(&range).ok_or_else(|| Stop::unknown(format!("the range {range}")))?);
        }
        Ok(ranges)
    }
}

/// The parts to borrow for ranges that may meet, and where in them each is.
fn joined<N: Number>(read: &[Span]) -> Value<N> {
    let mut parts = read.to_vec();
    let meeting = |parts: &[Span]| {
        let pairs = (0..parts.len()).flat_map(|n| (n + 1..parts.len()).map(move |m| (n, m)));
        pairs.into_iter().find(|(n, m)| cross(parts[*n], parts[*m]))
    };
    while let Some((n, m)) = meeting(&parts) {
        parts[n] = (parts[n].0.min(parts[m].0), parts[n].1.max(parts[m].1));
        parts[m] = (0, 0);
    }
    let range = |(start, end): Span| Value::Range(Some(start), End::Before(end), "usize");
    let within = read.iter().enumerate().map(|(i, span)| {
        let part = parts.iter().position(|part| cross(*part, *span)).unwrap_or(i);
        let start = (span.0 - parts[part].0).max(0);
        Value::Tuple(vec![Value::size(part), range((start, start + span.1 - span.0))])
    });
    let within = within.collect();
    let parts = parts.iter().map(|part| range(*part)).collect();
    Value::Tuple(vec![Value::List(parts), Value::List(within)])
}

fn cross((a, b): Span, (c, d): Span) -> bool {
    a.max(c) < b.min(d)
}

fn span<N: Number>(value: &Value<N>) -> Option<Span> {
    match value {
        Value::Integer(i, _) => Some((*i, *i + 1)),
        Value::Range(start, end, _) => {
            let end = match end {
                End::Open => i128::MAX,
                End::Before(end) => *end,
                End::At(end) => *end + 1,
            };
            Some((start.unwrap_or(0), end))
        }
        _ => None,
    }
}

/// Whether two indices select a common element.
fn meets<N: Number>(a: &Value<N>, b: &Value<N>) -> bool {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) => {
            a.iter().zip(b).all(|(a, b)| meets(a, b))
        }
        _ => match (span(a), span(b)) {
            (Some(a), Some(b)) => cross(a, b),
            _ => same(a, b),
        },
    }
}
