//! Methods of numbers, lists, options and iterators that Rust itself has.

use crate::machine::Machine;
use crate::number::{Number, elementary, elementary_of_two, operator, power};
use crate::stop::{Outcome, Stop};
use crate::value::{Place, Step, Value, fits, wrapped};

impl<N: Number> Machine<'_, N> {
    /// A method of what is at a place.
    pub(crate) fn std_method(
        &mut self,
        place: &Place,
        name: &str,
        arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        if let ("clone" | "to_owned", []) = (name, &arguments[..]) {
            return self.memory.read(place);
        }
        match self.memory.look(place)? {
            Value::Number(_) => {
                let Value::Number(number) = self.memory.read(place)? else {
                    unreachable!("just seen")
                };
                self.of_number(number, name, arguments)
            }
            Value::Integer(..) => {
                let Value::Integer(number, ty) = self.memory.read(place)? else {
                    unreachable!("just seen")
                };
                self.of_integer(number, ty, name, arguments)
            }
            Value::List(_) => self.of_list(place, name, arguments),
            Value::Option(_) => self.of_option(place, name, arguments),
            Value::Items(_) | Value::Range(..) => {
                let value = self.memory.read(place)?;
                self.of_items(value, name, arguments)
            }
            other => Err(Stop::unknown(format!("the method {name} of {other}"))),
        }
    }

    fn numbers(&mut self, arguments: Vec<Value<N>>) -> Outcome<Vec<N>, N> {
        let mut numbers = Vec::new();
        for argument in arguments {
            match self.owned(argument)? {
                Value::Number(number) => numbers.push(number),
                other => return Err(Stop::unknown(format!("{other} as a number"))),
            }
        }
        Ok(numbers)
    }

    fn of_number(&mut self, x: N, name: &str, arguments: Vec<Value<N>>) -> Outcome<Value<N>, N> {
        let number = |number| Ok(Value::Number(number));
        if arguments.is_empty() {
            let value = x.value();
            if let Some((value, slope)) = elementary(name, value) {
                return number(N::computed(value, &[(x, slope)]));
            }
            return match name {
                "sin_cos" => {
                    let (sin, cos) = value.sin_cos();
                    let sine = N::computed(sin, &[(x, value.cos())]);
                    let cosine = N::computed(cos, &[(x, -value.sin())]);
                    Ok(Value::Tuple(vec![Value::Number(sine), Value::Number(cosine)]))
                }
                "is_nan" => Ok(Value::Bool(value.is_nan())),
                "is_finite" => Ok(Value::Bool(value.is_finite())),
                "is_zero" => Ok(Value::Bool(value == 0.0)),
                "is_sign_negative" => Ok(Value::Bool(value.is_sign_negative())),
                "is_sign_positive" => Ok(Value::Bool(value.is_sign_positive())),
                "conj" | "to_f64" => number(x),
                "norm" => number(N::computed(value.abs(), &[(x, value.signum())])),
                _ => Err(Stop::unknown(format!("the method {name} of a number"))),
            };
        }
        if name == "powi" {
            let mut arguments = arguments;
            let Value::Integer(n, _) = self.owned(arguments.remove(0))? else {
                return Err(Stop::unknown("a power of a number"));
            };
            let n = i32::try_from(n).map_err(|_| Stop::unknown("a large power"))?;
            let (value, slope) = power(x.value(), n);
            return number(N::computed(value, &[(x, slope)]));
        }
        let others = self.numbers(arguments)?;
        match (name, &others[..]) {
            ("clamp", [low, high]) => {
                let (value, by_x, by_low) = two("max", x, *low)?;
                let raised = N::computed(value, &[(x, by_x), (*low, by_low)]);
                let (value, by_raised, by_high) = two("min", raised, *high)?;
                number(N::computed(value, &[(raised, by_raised), (*high, by_high)]))
            }
            ("mul_add", [a, b]) => {
                let value = x.value().mul_add(a.value(), b.value());
                number(N::computed(value, &[(x, a.value()), (*a, x.value()), (*b, 1.0)]))
            }
            ("scaled", [a]) => number(operator("mul", x, *a).expect("a product")),
            ("add" | "sub" | "mul" | "div" | "rem", [a]) => {
                number(operator(name, x, *a).expect("an operator"))
            }
            (_, [a]) => {
                let (value, by_x, by_a) = two(name, x, *a)?;
                number(N::computed(value, &[(x, by_x), (*a, by_a)]))
            }
            _ => Err(Stop::unknown(format!("the method {name} of a number"))),
        }
    }

    fn of_integer(
        &mut self,
        x: i128,
        ty: &'static str,
        name: &str,
        mut arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        if arguments.is_empty() {
            return match name {
                "abs" => Ok(Value::Integer(x.abs(), ty)),
                "signum" => Ok(Value::Integer(x.signum(), ty)),
                _ => Err(Stop::unknown(format!("the method {name} of an integer"))),
            };
        }
        let Value::Integer(other, other_type) = self.owned(arguments.remove(0))? else {
            return Err(Stop::unknown(format!("the method {name} of an integer")));
        };
        let ty = if ty.is_empty() { other_type } else { ty };
        Ok(match name {
            "min" => Value::Integer(x.min(other), ty),
            "max" => Value::Integer(x.max(other), ty),
            "pow" => Value::Integer(x.pow(other as u32), ty),
            "abs_diff" => Value::Integer((x - other).abs(), ty),
            "saturating_sub" => Value::Integer(if fits(x - other, ty) { x - other } else { 0 }, ty),
            "wrapping_add" => Value::Integer(wrapped(x + other, ty), ty),
            "wrapping_sub" => Value::Integer(wrapped(x - other, ty), ty),
            "wrapping_mul" => Value::Integer(wrapped(x.wrapping_mul(other), ty), ty),
            "div_ceil" if other != 0 => Value::Integer(-(-x).div_euclid(other), ty),
            "rem_euclid" => Value::Integer(x.rem_euclid(other), ty),
            "div_euclid" => Value::Integer(x.div_euclid(other), ty),
            _ => return Err(Stop::unknown(format!("the method {name} of an integer"))),
        })
    }

    fn of_list(
        &mut self,
        place: &Place,
        name: &str,
        mut arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        let length = self.memory.length(place)?;
        let part = |start: usize, end: usize| Value::Reference(place.at(Step::Part(start, end)));
        let element = |i: usize| Value::Reference(place.at(Step::Index(i)));
        let mut sizes = Vec::new();
        for argument in &arguments {
            if let Value::Integer(size, _) = self.owned(argument.clone())?
                && let Ok(size) = usize::try_from(size)
            {
                sizes.push(size);
            }
        }
        let outside = |at: usize| Stop::Panic(format!("{at} is beyond the length {length}"));
        match (name, &sizes[..]) {
            ("len", []) => Ok(Value::size(length)),
            ("is_empty", []) => Ok(Value::Bool(length == 0)),
            ("iter" | "iter_mut" | "into_iter", []) => {
                Ok(Value::Items((0..length).map(element).collect()))
            }
            ("to_vec", []) => self.memory.read(place),
            ("as_slice" | "as_mut_slice" | "as_ref" | "as_mut", []) => Ok(part(0, length)),
            ("split_at" | "split_at_mut", [at]) if *at <= length => {
                Ok(Value::Tuple(vec![part(0, *at), part(*at, length)]))
            }
            ("split_at" | "split_at_mut", [at]) => Err(outside(*at)),
            ("split_first" | "split_first_mut", []) => Ok(Value::Option(
                (length > 0).then(|| Box::new(Value::Tuple(vec![element(0), part(1, length)]))),
            )),
            ("split_last" | "split_last_mut", []) => {
                Ok(Value::Option((length > 0).then(|| {
                    Box::new(Value::Tuple(vec![element(length - 1), part(0, length - 1)]))
                })))
            }
            ("first" | "first_mut", []) => {
                Ok(Value::Option((length > 0).then(|| Box::new(element(0)))))
            }
            ("last" | "last_mut", []) => {
                Ok(Value::Option((length > 0).then(|| Box::new(element(length - 1)))))
            }
            ("get" | "get_mut", [at]) => {
                Ok(Value::Option((*at < length).then(|| Box::new(element(*at)))))
            }
            ("chunks_exact" | "chunks_exact_mut", [size]) if *size > 0 => {
                let chunks = (0..length / size).map(|i| part(i * size, (i + 1) * size));
                Ok(Value::Items(chunks.collect()))
            }
            ("chunks" | "chunks_mut", [size]) if *size > 0 => {
                let starts = (0..length).step_by(*size);
                Ok(Value::Items(starts.map(|i| part(i, (i + size).min(length))).collect()))
            }
            ("windows", [size]) if *size > 0 => {
                let starts = 0..(length + 1).saturating_sub(*size);
                Ok(Value::Items(starts.map(|i| part(i, i + size)).collect()))
            }
            ("swap", [i, j]) => {
                if let Some(at) = [*i, *j].into_iter().find(|at| *at >= length) {
                    return Err(outside(at));
                }
                let (a, b) = (place.at(Step::Index(*i)), place.at(Step::Index(*j)));
                let (x, y) = (self.memory.read(&a)?, self.memory.read(&b)?);
                self.memory.write(&a, y)?;
                self.memory.write(&b, x)?;
                Ok(Value::Unit)
            }
            ("fill", _) => {
                let value = self.owned(arguments.remove(0))?;
                self.memory.write(place, Value::List(vec![value; length]))?;
                Ok(Value::Unit)
            }
            ("clone_from_slice" | "copy_from_slice", _) => {
                let value = self.owned(arguments.remove(0))?;
                match &value {
                    Value::List(parts) if parts.len() == length => {
                        self.memory.write(place, value)?
                    }
                    _ => return Err(Stop::Panic("slices of different lengths".into())),
                }
                Ok(Value::Unit)
            }
            ("push", _) => {
                let Value::List(mut parts) = self.memory.read(place)? else {
                    unreachable!("a list")
                };
                parts.push(arguments.remove(0));
                self.memory.write(place, Value::List(parts))?;
                Ok(Value::Unit)
            }
            _ => Err(Stop::unknown(format!("the method {name} of a list"))),
        }
    }

    fn of_option(
        &mut self,
        place: &Place,
        name: &str,
        mut arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        let Value::Option(inside) = self.memory.read(place)? else { unreachable!("an option") };
        match (name, inside) {
            ("is_some", inside) => Ok(Value::Bool(inside.is_some())),
            ("is_none", inside) => Ok(Value::Bool(inside.is_none())),
            ("unwrap" | "expect", Some(inside)) => Ok(*inside),
            ("unwrap" | "expect", None) => Err(Stop::Panic("nothing to unwrap".into())),
            ("unwrap_or", Some(inside)) => Ok(*inside),
            ("unwrap_or", None) => Ok(arguments.remove(0)),
            ("copied" | "cloned", Some(inside)) => Ok(Value::some(self.owned(*inside)?)),
            ("as_ref" | "as_mut" | "copied" | "cloned", inside) => Ok(Value::Option(inside)),
            _ => Err(Stop::unknown(format!("the method {name} of an option"))),
        }
    }

    /// The items that a loop runs over.
    pub(crate) fn items(&mut self, sequence: Value<N>) -> Outcome<Vec<Value<N>>, N> {
        use crate::value::End;
        match sequence {
            Value::Items(items) | Value::List(items) => Ok(items),
            Value::Range(Some(start), end, ty) => {
                let end = match end {
                    End::Before(end) => end,
                    End::At(end) => end + 1,
                    End::Open => return Err(Stop::unknown("a loop without an end")),
                };
                if end - start > 100_000 {
                    return Err(Stop::TooLong);
                }
                Ok((start..end).map(|i| Value::Integer(i, ty)).collect())
            }
            Value::Reference(place) => {
                let place = self.resolved(place)?;
                match self.memory.look(&place)? {
                    Value::List(_) => {
                        let length = self.memory.length(&place)?;
                        Ok((0..length)
                            .map(|i| Value::Reference(place.at(Step::Index(i))))
                            .collect())
                    }
                    _ => {
                        let inside = self.memory.read(&place)?;
                        self.items(inside)
                    }
                }
            }
            other => Err(Stop::unknown(format!("a loop over {other}"))),
        }
    }

    fn of_items(
        &mut self,
        sequence: Value<N>,
        name: &str,
        arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        let mut items = self.items(sequence)?;
        let mut arguments = arguments.into_iter();
        let first = arguments.next();
        let size = match &first {
            Some(first) => match self.owned(first.clone())? {
                Value::Integer(size, _) => usize::try_from(size).ok(),
                _ => None,
            },
            None => None,
        };
        Ok(match (name, first, size) {
            ("iter" | "iter_mut" | "into_iter" | "by_ref", None, _) => Value::Items(items),
            ("rev", None, _) => {
                items.reverse();
                Value::Items(items)
            }
            ("enumerate", None, _) => {
                let pairs = items.into_iter().enumerate();
                Value::Items(
                    pairs.map(|(i, item)| Value::Tuple(vec![Value::size(i), item])).collect(),
                )
            }
            ("copied" | "cloned", None, _) => {
                let items = items.into_iter().map(|item| self.owned(item));
                Value::Items(items.collect::<Outcome<_, N>>()?)
            }
            ("zip", Some(other), _) => {
                let other = self.items(other)?;
                let pairs = items.into_iter().zip(other);
                Value::Items(pairs.map(|(a, b)| Value::Tuple(vec![a, b])).collect())
            }
            ("chain", Some(other), _) => {
                items.extend(self.items(other)?);
                Value::Items(items)
            }
            ("skip", _, Some(size)) => Value::Items(items.into_iter().skip(size).collect()),
            ("take", _, Some(size)) => Value::Items(items.into_iter().take(size).collect()),
            ("step_by", _, Some(size)) if size > 0 => {
                Value::Items(items.into_iter().step_by(size).collect())
            }
            ("len" | "count", None, _) => Value::size(items.len()),
            ("is_empty", None, _) => Value::Bool(items.is_empty()),
            ("collect", None, _) => Value::List(items),
            ("contains", Some(item), _) => {
                let item = self.owned(item)?;
                Value::Bool(items.iter().any(|known| crate::checks::same(known, &item)))
            }
            ("sum" | "product", None, _) => {
                let start = if name == "sum" { 0.0 } else { 1.0 };
                let mut total = Value::constant(start);
                for item in items {
                    let (of, operator) =
                        if name == "sum" { ("Add", "add") } else { ("Mul", "mul") };
                    total = self.binary(of, operator, total, item)?;
                }
                total
            }
            ("map", Some(function), _) => {
                let mapped = items.into_iter().map(|item| {
                    self.call_value(
                        function.clone(),
                        crate::machine::Direction::Forward,
                        vec![item],
                    )
                });
                Value::Items(mapped.collect::<Outcome<_, N>>()?)
            }
            (name, _, _) => return Err(Stop::unknown(format!("the method {name} of an iterator"))),
        })
    }
}

/// A function of two numbers, and its slopes.
fn two<N: Number>(name: &str, a: N, b: N) -> Outcome<(f64, f64, f64), N> {
    elementary_of_two(name, a.value(), b.value())
        .ok_or_else(|| Stop::unknown(format!("the method {name} of a number")))
}
