//! Shadows: zeros of a shape, and sums of gradients.

use super::Call;
use crate::machine::{Direction, Machine};
use crate::number::Number;
use crate::stop::{Outcome, Stop};
use crate::value::{Place, Step, Value};

impl<N: Number> Machine<'_, N> {
    /// The user's own function of `Differentiable`, if the type has one.
    fn own_shadow(
        &mut self,
        value: &Value<N>,
        name: &str,
        rest: Vec<Value<N>>,
    ) -> Outcome<Option<Value<N>>, N> {
        let function = self.program.of_trait("Differentiable", value.key(), "", name);
        let Some(function) = function else { return Ok(None) };
        let cell = self.memory.push(value.clone());
        let mut arguments = vec![Value::Reference(Place::cell(cell))];
        arguments.extend(rest);
        self.call(function, Direction::Forward, arguments).map(Some)
    }

    /// The shadow of a value before anything is added to it; `zero` may be negative, which
    /// leaves no trace in a sum. What is no number holds what the value holds.
    pub(crate) fn zero_like(&mut self, value: &Value<N>, zero: f64) -> Outcome<Value<N>, N> {
        match value {
            Value::Number(_) => Ok(Value::constant(zero)),
            Value::Tuple(parts) => Ok(Value::Tuple(self.zeros(parts, zero)?)),
            Value::List(parts) => Ok(Value::List(self.zeros(parts, zero)?)),
            Value::Option(Some(inside)) => Ok(Value::some(self.zero_like(inside, zero)?)),
            Value::Struct(name, fields) if &**name == "Stack" => {
                let elements = self.zero_like(&fields[0].1, zero)?;
                Ok(Value::Struct(name.clone(), vec![(fields[0].0.clone(), elements)]))
            }
            Value::Struct(..) => match self.own_shadow(value, "zero_like", Vec::new())? {
                Some(shadow) => Ok(shadow),
                None => Err(Stop::unknown(format!("the shadow of {value}"))),
            },
            other => Ok(other.clone()),
        }
    }

    fn zeros(&mut self, parts: &[Value<N>], zero: f64) -> Outcome<Vec<Value<N>>, N> {
        parts.iter().map(|part| self.zero_like(part, zero)).collect()
    }

    /// Adds to a shadow, or takes from it. The receiver may be wrapped.
    pub(crate) fn accumulate_shadow(&mut self, call: &Call<N>, name: &str) -> Outcome<Value<N>, N> {
        let mut place = self.lent(call, 0)?;
        if self.memory.look(&place)?.key() == "Sum" {
            place = match self.memory.look(&place.at(Step::Field(0)))? {
                Value::Reference(inside) => inside.clone(),
                other => return Err(Stop::unknown(format!("a sum into {other}"))),
            };
            place = self.resolved(place)?;
        }
        let value = self.owned(call.at(1)?)?;
        self.add_to_shadow(&place, value, name)?;
        Ok(Value::Unit)
    }

    pub(super) fn add_to_shadow(
        &mut self,
        place: &Place,
        value: Value<N>,
        name: &str,
    ) -> Outcome<(), N> {
        let shadow = self.memory.look(place)?.clone();
        match (&shadow, value) {
            (Value::Number(_), value @ Value::Number(_)) => {
                let of = if name == "add" { "AddAssign" } else { "SubAssign" };
                self.update(of, name, place, value)
            }
            (Value::Tuple(_), Value::Tuple(parts)) => {
                let parts = parts.into_iter().enumerate();
                parts.into_iter().try_for_each(|(i, part)| {
                    self.add_to_shadow(&place.at(Step::Field(i)), part, name)
                })
            }
            (Value::List(_), Value::List(parts)) => {
                let length = self.memory.length(place)?;
                if length == 0 {
                    let value = Value::List(parts);
                    let value = if name == "add" { value } else { self.negated_shadow(&value)? };
                    return self.memory.write(place, value);
                }
                if length != parts.len() {
                    return Err(Stop::Panic(format!(
                        "a gradient of {} elements for {length}",
                        parts.len()
                    )));
                }
                let mut parts = parts.into_iter().enumerate();
                parts.try_for_each(|(i, part)| {
                    self.add_to_shadow(&place.at(Step::Index(i)), part, name)
                })
            }
            (Value::Struct(..), value) => {
                let method = if name == "add" { "accumulate_shadow" } else { "retract_shadow" };
                let function = self.program.of_trait("Differentiable", shadow.key(), "", method);
                let function =
                    function.ok_or_else(|| Stop::unknown(format!("a shadow of {shadow}")))?;
                let arguments = vec![Value::Reference(place.clone()), value];
                self.call(function, Direction::Forward, arguments).map(|_| ())
            }
            // Carries no gradient.
            (Value::Integer(..) | Value::Bool(_) | Value::Text(_) | Value::Unit, _) => Ok(()),
            (shadow, value) => Err(Stop::unknown(format!("the gradient {value} for {shadow}"))),
        }
    }

    /// A gradient with the opposite sign.
    pub(super) fn negated_shadow(&mut self, value: &Value<N>) -> Outcome<Value<N>, N> {
        match value {
            Value::Number(_) => self.negated(value.clone()),
            Value::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.negated_shadow(part));
                Ok(Value::Tuple(parts.collect::<Outcome<_, N>>()?))
            }
            Value::List(parts) => {
                let parts = parts.iter().map(|part| self.negated_shadow(part));
                Ok(Value::List(parts.collect::<Outcome<_, N>>()?))
            }
            Value::Struct(..) => match self.own_shadow(value, "negated_shadow", Vec::new())? {
                Some(negative) => Ok(negative),
                None => Err(Stop::unknown(format!("the negative of {value}"))),
            },
            other => Ok(other.clone()),
        }
    }

    /// The sum of the gradients of all elements.
    pub(super) fn sum_of_shadows(&mut self, gradients: Value<N>) -> Outcome<Value<N>, N> {
        let items = self.items(gradients)?;
        let mut items = items.into_iter();
        let first =
            items.next().ok_or_else(|| Stop::Panic("an element to take the shape from".into()))?;
        let first = self.owned(first)?;
        let sum = Place::cell(self.memory.push(first));
        for item in items {
            let item = self.owned(item)?;
            self.add_to_shadow(&sum, item, "add")?;
        }
        self.memory.read(&sum)
    }

    /// `shadow += g * factor`, by the rule of the product.
    pub(super) fn accumulate_product(
        &mut self,
        call: Call<N>,
        rule: &str,
        name: &str,
    ) -> Outcome<Value<N>, N> {
        let mut arguments = call.arguments;
        let sum = arguments.remove(0);
        let path = ["PullMul".to_string(), rule.to_string()];
        let gradient = self.call_path(&path, None, &[], arguments)?;
        self.accumulate_shadow(&Call { arguments: vec![sum, gradient], sizes: &[] }, name)
    }
}
