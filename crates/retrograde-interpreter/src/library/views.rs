//! Views through bijections: a place is changed, lent, and changed back at the end of the
//! statement.

use crate::machine::Machine;
use crate::number::{Number, negative, operator};
use crate::stop::{Outcome, Stop};
use crate::value::{Place, Value};

/// A view that is lent until its statement ends.
#[derive(Clone, Debug)]
pub struct View<N> {
    place: Place,
    undo: Undo<N>,
}

/// How a place is changed back.
#[derive(Clone, Copy, Debug)]
enum Undo<N> {
    Negate,
    Subtract(N),
    Nothing,
}

/// Whether a function gives a view.
pub fn is_view(name: &str) -> bool {
    ["negated", "shifted", "conjugated"].contains(&name)
}

impl<N: Number> Machine<'_, N> {
    /// `negated(&mut x)` and its like.
    pub(crate) fn view_through(
        &mut self,
        name: &str,
        arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        let mut arguments = arguments.into_iter();
        let Some(Value::Reference(place)) = arguments.next() else {
            return Err(Stop::unknown(format!("a view {name} of a value")));
        };
        let place = self.resolved(place)?;
        let undo = match (name, arguments.next()) {
            ("shifted", Some(by)) => match self.owned(by)? {
                Value::Number(by) => Undo::Subtract(by),
                other => return Err(Stop::unknown(format!("a shift by {other}"))),
            },
            ("negated", None) => Undo::Negate,
            _ => Undo::Nothing,
        };
        self.change_number(&place, |x| match undo {
            Undo::Negate => negative(x),
            Undo::Subtract(by) => operator("add", x, by).expect("a sum"),
            Undo::Nothing => x,
        })?;
        self.views.push(View { place: place.clone(), undo });
        Ok(Value::Reference(place))
    }

    fn change_number(&mut self, place: &Place, change: impl Fn(N) -> N) -> Outcome<(), N> {
        // Not a read of what the statement writes: the view is the place.
        match self.memory.look(place)? {
            Value::Number(x) => {
                let x = *x;
                self.memory.write(place, Value::Number(change(x)))
            }
            other => Err(Stop::unknown(format!("a view of {other}"))),
        }
    }

    /// Ends the views of a statement, of which there were so many before it.
    pub(crate) fn end_views(&mut self, before: usize) -> Outcome<(), N> {
        while self.views.len() > before {
            if let Some(View { place, undo }) = self.views.pop() {
                self.change_number(&place, |x| match undo {
                    Undo::Negate => negative(x),
                    Undo::Subtract(by) => operator("sub", x, by).expect("a difference"),
                    Undo::Nothing => x,
                })?;
            }
        }
        Ok(())
    }
}
