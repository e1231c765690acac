//! The library's stack: a value that is pushed leaves zero behind, and comes back.

use super::Call;
use crate::checks::{agrees, magnitude, same};
use crate::machine::Machine;
use crate::number::Number;
use crate::stop::{Outcome, Stop};
use crate::value::{Place, Step, Value};

/// The methods of a stack that change it; each has an inverse and adjoints.
const CHANGES: [&str; 4] = ["push", "pop", "push_copy", "pop_copy"];

/// An empty one.
pub(super) fn empty<N: Number>() -> Value<N> {
    Value::Struct("Stack".into(), vec![("elements".into(), Value::List(Vec::new()))])
}

/// A change, and which of its directions: 0 and 1 on values, 2 and 3 on values and shadows.
fn change(name: &str) -> Option<(&'static str, usize)> {
    let name = name.trim_start_matches("__");
    CHANGES.iter().find_map(|change| {
        let direction = match name.strip_prefix(change)? {
            "" => 0,
            "_inverse" => 1,
            "_adjoint" => 2,
            "_inverse_adjoint" => 3,
            _ => return None,
        };
        Some((*change, direction))
    })
}

/// Whether it is a method that changes a stack.
pub(super) fn is_change(name: &str) -> bool {
    change(name).is_some()
}

/// The method that undoes another.
pub(crate) fn inverse(name: &str) -> String {
    match name.strip_suffix("_inverse") {
        Some(name) => name.into(),
        None => format!("{name}_inverse"),
    }
}

impl<N: Number> Machine<'_, N> {
    fn elements(&mut self, call: &Call<N>, position: usize) -> Outcome<(Place, Vec<Value<N>>), N> {
        let place = self.lent(call, position)?.at(Step::Field(0));
        match self.memory.look(&place)?.clone() {
            Value::List(elements) => Ok((place, elements)),
            other => Err(Stop::unknown(format!("the elements of {other}"))),
        }
    }

    /// Runs a method that changes a stack.
    pub(super) fn change_stack(&mut self, call: &Call<N>, name: &str) -> Outcome<Value<N>, N> {
        let (name, direction) =
            change(name).ok_or_else(|| Stop::unknown(format!("Stack::{name}")))?;
        let shadowed = direction > 1;
        // The adjoint of a change undoes it.
        let undone = direction == 1 || direction == 2;
        let (place, mut elements) = self.elements(call, 0)?;
        let x = self.lent(call, if shadowed { 2 } else { 1 })?;
        let value = self.memory.read(&x)?;
        let (comes_in, copy) = ((name.starts_with("push")) != undone, name.ends_with("copy"));
        if comes_in {
            elements.push(value.clone());
            if !copy {
                let zero = self.zero_like(&value, 0.0)?;
                self.memory.write(&x, zero)?;
            }
        } else {
            let top = elements.pop().ok_or_else(|| Stop::Check("the stack is empty".into()))?;
            if copy {
                if !agrees(&top, &value, magnitude(&value)) {
                    return Err(Stop::Check(format!("{top} is not the {value} that is known")));
                }
            } else {
                let zero = self.zero_like(&value, 0.0)?;
                // Only what was undone may be rounded.
                let rounded = direction > 0 && agrees(&value, &zero, magnitude(&top));
                if !same(&value, &zero) && !rounded {
                    return Err(Stop::Check(format!("{value} is in the way of what is popped")));
                }
                self.memory.write(&x, top)?;
            }
        }
        self.memory.write(&place, Value::List(elements))?;
        if shadowed {
            self.change_shadow(call, comes_in, copy)?;
        }
        Ok(Value::Unit)
    }

    fn change_shadow(&mut self, call: &Call<N>, comes_in: bool, copy: bool) -> Outcome<(), N> {
        let (place, mut gradients) = self.elements(call, 1)?;
        let d_x = self.lent(call, 3)?;
        let gradient = self.memory.read(&d_x)?;
        match (comes_in, copy) {
            (true, copy) => {
                let zero = self.zero_like(&gradient, 0.0)?;
                gradients.push(if copy { zero.clone() } else { gradient });
                if !copy {
                    self.memory.write(&d_x, zero)?;
                }
            }
            (false, copy) => {
                let top = gradients
                    .pop()
                    .ok_or_else(|| Stop::Panic("a shadow that is too short".into()))?;
                match copy {
                    true => self.add_to_shadow(&d_x, top, "add")?,
                    false => self.memory.write(&d_x, top)?,
                }
            }
        }
        self.memory.write(&place, Value::List(gradients))
    }
}
