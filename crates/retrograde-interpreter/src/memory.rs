//! Memory: cells on a stack, read and written by places.

use crate::number::Number;
use crate::stop::{Outcome, Stop};
use crate::value::{Place, Step, Value};

/// The cells of a run.
#[derive(Debug)]
pub struct Memory<N> {
    cells: Vec<Value<N>>,
    /// Of each cell, the largest magnitude that was written into it.
    scales: Vec<f64>,
    /// The largest magnitude that was written anywhere.
    largest: f64,
    /// What was read since somebody asked, if anybody asks.
    reads: Option<Vec<Place>>,
}

impl<N: Number> Default for Memory<N> {
    fn default() -> Self {
        Memory { cells: Vec::new(), scales: Vec::new(), largest: 0.0, reads: None }
    }
}

impl<N: Number> Memory<N> {
    /// Takes a new cell.
    pub fn push(&mut self, value: Value<N>) -> usize {
        self.scales.push(0.0);
        self.cells.push(value);
        self.cells.len() - 1
    }

    /// All cells.
    pub fn cells(&self) -> &[Value<N>] {
        &self.cells
    }

    /// Puts back what was changed between two moments, and leaves what was not.
    pub fn put_back(&mut self, before: &[Value<N>], after: &[Value<N>]) {
        for ((now, before), after) in self.cells.iter_mut().zip(before).zip(after) {
            restore(now, before, after);
        }
    }

    /// How many cells there are.
    pub fn height(&self) -> usize {
        self.cells.len()
    }

    /// Gives back the cells above a height.
    pub fn truncate(&mut self, height: usize) {
        self.cells.truncate(height);
        self.scales.truncate(height);
    }

    /// The largest magnitude that was written into a cell.
    pub fn scale(&self, cell: usize) -> f64 {
        self.scales[cell]
    }

    /// The largest magnitude that was written anywhere.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// Begins to take note of what is read; gives what was noted before.
    pub fn watch(&mut self, reads: Option<Vec<Place>>) -> Option<Vec<Place>> {
        std::mem::replace(&mut self.reads, reads)
    }

    /// Looks at what is in a place, which must not be a part of a list.
    pub fn look(&self, place: &Place) -> Outcome<&Value<N>, N> {
        let mut value = &self.cells[place.cell];
        for step in &place.path {
            value = match (value, step) {
                (Value::Struct(_, fields), Step::Field(i)) => &fields[*i].1,
                (Value::Tuple(parts), Step::Field(i)) => &parts[*i],
                (Value::List(parts), Step::Index(i)) => parts.get(*i).ok_or_else(|| {
                    Stop::Panic(format!(
                        "index out of bounds: the len is {} but the index is {i}",
                        parts.len()
                    ))
                })?,
                // Whoever looks at a slice looks at its list.
                (Value::List(_), Step::Part(..)) => return Ok(value),
                _ => return Err(Stop::unknown(format!("the part {step:?} of {value}"))),
            };
        }
        Ok(value)
    }

    /// Reads a value.
    pub fn read(&mut self, place: &Place) -> Outcome<Value<N>, N> {
        if let Some(reads) = &mut self.reads {
            reads.push(place.clone());
        }
        let value = self.look(place)?;
        Ok(match (value, place.path.last()) {
            (Value::List(parts), Some(Step::Part(start, end))) => {
                Value::List(parts[*start..*end].to_vec())
            }
            _ => value.clone(),
        })
    }

    /// Writes a value.
    pub fn write(&mut self, place: &Place, new: Value<N>) -> Outcome<(), N> {
        let magnitude = crate::checks::magnitude(&new);
        let scale = &mut self.scales[place.cell];
        *scale = scale.max(magnitude);
        // What is not a number is larger than all.
        self.largest = if magnitude.is_nan() { f64::INFINITY } else { self.largest.max(magnitude) };
        let mut value = &mut self.cells[place.cell];
        for step in &place.path {
            let part = match (value, step) {
                (Value::Struct(_, fields), Step::Field(i)) => {
                    fields.get_mut(*i).map(|field| &mut field.1)
                }
                (Value::Tuple(parts), Step::Field(i)) => parts.get_mut(*i),
                (Value::List(parts), Step::Index(i)) => parts.get_mut(*i),
                (Value::List(parts), Step::Part(start, end)) => {
                    let Value::List(new) = new else {
                        return Err(Stop::unknown(format!("a slice that becomes {new}")));
                    };
                    parts[*start..*end].clone_from_slice(&new);
                    return Ok(());
                }
                _ => None,
            };
            value = part.ok_or_else(|| Stop::Panic(format!("index out of bounds: {step:?}")))?;
        }
        *value = new;
        Ok(())
    }

    /// Writes a value that does not count among the numbers of the program.
    pub fn put(&mut self, place: &Place, new: Value<N>) -> Outcome<(), N> {
        let (largest, scale) = (self.largest, self.scales[place.cell]);
        let result = self.write(place, new);
        (self.largest, self.scales[place.cell]) = (largest, scale);
        result
    }

    /// How many elements a list or a slice has.
    pub fn length(&self, place: &Place) -> Outcome<usize, N> {
        if let Some(Step::Part(start, end)) = place.path.last() {
            return Ok(end - start);
        }
        match self.look(place)? {
            Value::List(parts) => Ok(parts.len()),
            other => Err(Stop::unknown(format!("the length of {other}"))),
        }
    }
}

/// Puts the parts of a value back that were changed between two moments.
fn restore<N: Number>(now: &mut Value<N>, before: &Value<N>, after: &Value<N>) {
    match (now, before, after) {
        (Value::List(now), Value::List(before), Value::List(after))
        | (Value::Tuple(now), Value::Tuple(before), Value::Tuple(after))
            if now.len() == before.len() && before.len() == after.len() =>
        {
            let parts = now.iter_mut().zip(before).zip(after);
            parts.for_each(|((now, before), after)| restore(now, before, after));
        }
        (Value::Struct(_, now), Value::Struct(_, before), Value::Struct(_, after)) => {
            let fields = now.iter_mut().zip(before).zip(after);
            fields.for_each(|((now, before), after)| restore(&mut now.1, &before.1, &after.1));
        }
        (Value::Number(now), Value::Number(before), Value::Number(after)) => {
            if before != after {
                *now = *before;
            }
        }
        (now, before, after) => {
            if !crate::checks::same(before, after) {
                *now = before.clone();
            }
        }
    }
}
