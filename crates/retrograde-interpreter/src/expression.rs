//! Expressions, as Rust evaluates them: those of the language and those of emitted code.

use crate::machine::{Direction, Machine, Named};
use crate::number::Number;
use crate::operators::traits;
use crate::stop::{Outcome, Stop};
use crate::value::{Closure, End, INTEGERS, Place, Step, Value};
use quote::ToTokens;
use std::rc::Rc;
use syn::{BinOp, Expr, Lit, Member, RangeLimits, UnOp};

/// The text of an expression, for messages.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    if text.len() > 160 {
        format!("{}…", text.chars().take(160).collect::<String>())
    } else {
        text
    }
}

impl<N: Number> Machine<'_, N> {
    /// The value of an expression.
    pub fn value(&mut self, expr: &Expr) -> Outcome<Value<N>, N> {
        match expr {
            Expr::Lit(e) => literal(&e.lit),
            Expr::Paren(e) => self.value(&e.expr),
            Expr::Group(e) => self.value(&e.expr),
            Expr::Path(e) => match e.path.get_ident().and_then(|name| self.find(name)) {
                Some(Named::Cell(cell)) => {
                    let place = Place::cell(*cell);
                    self.memory.read(&place)
                }
                _ => self.constant(&e.path),
            },
            Expr::Unary(e) => match e.op {
                UnOp::Deref(_) => {
                    let place = self.place(expr)?;
                    self.memory.read(&place)
                }
                UnOp::Neg(_) => {
                    let value = self.value(&e.expr)?;
                    self.negated(value)
                }
                _ => {
                    let value = self.value(&e.expr)?;
                    match self.owned(value)? {
                        Value::Bool(b) => Ok(Value::Bool(!b)),
                        other => Err(Stop::unknown(format!("!{other}"))),
                    }
                }
            },
            Expr::Binary(e) => self.operation(e),
            Expr::Assign(e) => {
                let value = self.value(&e.right)?;
                if let Expr::Infer(_) = &*e.left {
                    return Ok(Value::Unit);
                }
                let place = self.place(&e.left)?;
                self.memory.write(&place, value)?;
                Ok(Value::Unit)
            }
            Expr::Index(_) | Expr::Field(_) => {
                if let Expr::Field(e) = expr
                    && let Some(value) = self.end_of_range(e)?
                {
                    return Ok(value);
                }
                let place = self.place(expr)?;
                self.memory.read(&place)
            }
            Expr::Reference(e) => Ok(Value::Reference(self.place(&e.expr)?)),
            Expr::Tuple(e) if e.elems.is_empty() => Ok(Value::Unit),
            Expr::Tuple(e) => Ok(Value::Tuple(self.values(e.elems.iter())?)),
            Expr::Array(e) => Ok(Value::List(self.values(e.elems.iter())?)),
            Expr::Repeat(e) => {
                let (value, length) = (self.value(&e.expr)?, self.value(&e.len)?);
                self.repeated(value, length)
            }
            Expr::Struct(e) => self.structure(e),
            Expr::Range(e) => self.range(e),
            Expr::Cast(e) => {
                let value = self.value(&e.expr)?;
                self.cast(value, &e.ty)
            }
            Expr::Closure(e) => {
                let captured = self.captured(e.capture.is_some())?;
                Ok(Value::Closure(Rc::new(Closure { text: e.clone(), captured })))
            }
            Expr::Call(e) => self.call_expression(e),
            Expr::MethodCall(e) => self.method_expression(e),
            Expr::Macro(e) => self.macro_expression(&e.mac),
            Expr::If(e) => {
                let taken = self.scoped(|machine| {
                    if machine.condition(&e.cond)? {
                        machine.block(&e.then_branch).map(Some)
                    } else {
                        Ok(None)
                    }
                })?;
                match (taken, &e.else_branch) {
                    (Some(value), _) => Ok(value),
                    (None, Some((_, otherwise))) => self.value(otherwise),
                    (None, None) => Ok(Value::Unit),
                }
            }
            Expr::Match(e) => self.match_expression(e),
            Expr::Block(e) => match &e.label {
                Some(label) => self.labelled(e, &label.name.ident.to_string()),
                None => self.block(&e.block),
            },
            Expr::ForLoop(e) => {
                let sequence = self.value(&e.expr)?;
                for item in self.items(sequence)? {
                    self.tick()?;
                    let pass = self.scoped(|machine| {
                        machine.bind(&e.pat, item)?;
                        machine.block(&e.body)
                    });
                    if !goes_on(pass)? {
                        break;
                    }
                }
                Ok(Value::Unit)
            }
            Expr::While(e) => loop {
                self.tick()?;
                let pass = self.scoped(|machine| match machine.condition(&e.cond)? {
                    true => machine.block(&e.body),
                    false => Err(Stop::Break),
                });
                if !goes_on(pass)? {
                    return Ok(Value::Unit);
                }
            },
            Expr::Loop(e) => loop {
                self.tick()?;
                let pass = self.block(&e.body);
                if !goes_on(pass)? {
                    return Ok(Value::Unit);
                }
            },
            Expr::Break(e) => match &e.label {
                Some(label) => self.leave(e, &label.ident.to_string()),
                None if e.expr.is_none() => Err(Stop::Break),
                None => Err(Stop::unknown(format!("the expression {}", text(expr)))),
            },
            Expr::Continue(e) if e.label.is_none() => Err(Stop::Continue),
            Expr::Return(e) => {
                let value = e.expr.as_ref().map_or(Ok(Value::Unit), |value| self.value(value))?;
                Err(Stop::Return(value))
            }
            other => Err(Stop::unknown(format!("the expression {}", text(other)))),
        }
    }

    /// The values of several expressions.
    pub(crate) fn values<'e>(
        &mut self,
        all: impl Iterator<Item = &'e Expr>,
    ) -> Outcome<Vec<Value<N>>, N> {
        all.map(|expr| self.value(expr)).collect()
    }

    /// A condition, whose `let` declares what it binds.
    pub(crate) fn condition(&mut self, expr: &Expr) -> Outcome<bool, N> {
        if let Expr::Let(e) = expr {
            let value = self.value(&e.expr)?;
            return self.matches(&e.pat, value);
        }
        let value = self.value(expr)?;
        match self.owned(value)? {
            Value::Bool(b) => Ok(b),
            other => Err(Stop::unknown(format!("{other} as a condition"))),
        }
    }

    fn operation(&mut self, e: &syn::ExprBinary) -> Outcome<Value<N>, N> {
        match &e.op {
            BinOp::And(_) => {
                let both = self.condition(&e.left)? && self.condition(&e.right)?;
                return Ok(Value::Bool(both));
            }
            BinOp::Or(_) => {
                let any = self.condition(&e.left)? || self.condition(&e.right)?;
                return Ok(Value::Bool(any));
            }
            _ => {}
        }
        match traits(&e.op) {
            Some((of, name, true)) => {
                let value = self.value(&e.right)?;
                let place = self.place(&e.left)?;
                self.update(of, name, &place, value)?;
                Ok(Value::Unit)
            }
            Some((of, name, false)) => {
                let (a, b) = (self.value(&e.left)?, self.value(&e.right)?);
                self.binary(of, name, a, b)
            }
            None => {
                let (a, b) = (self.value(&e.left)?, self.value(&e.right)?);
                Ok(Value::Bool(self.compared(&e.op, a, b)?))
            }
        }
    }

    /// The place that an expression names; of a value, a new one that holds it.
    pub fn place(&mut self, expr: &Expr) -> Outcome<Place, N> {
        match expr {
            Expr::Paren(e) => self.place(&e.expr),
            Expr::Group(e) => self.place(&e.expr),
            Expr::Path(e) => match e.path.get_ident().and_then(|name| self.find(name)) {
                Some(Named::Cell(cell)) => Ok(Place::cell(*cell)),
                _ => self.temporary(expr),
            },
            Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => {
                let place = self.place(&e.expr)?;
                match self.memory.look(&place)? {
                    Value::Reference(behind) => Ok(behind.clone()),
                    // Of a number in a box, or of a vector as a slice.
                    _ => Ok(place),
                }
            }
            Expr::Field(e) => {
                if let Some(value) = self.end_of_range(e)? {
                    return Ok(Place::cell(self.memory.push(value)));
                }
                let base = self.place(&e.base)?;
                let base = self.resolved(base)?;
                let name = match &e.member {
                    Member::Named(name) => name.to_string(),
                    Member::Unnamed(index) => index.index.to_string(),
                };
                self.field(&base, &name)
            }
            Expr::Index(e) => {
                let base = self.place(&e.expr)?;
                let base = self.resolved(base)?;
                let index = self.value(&e.index)?;
                let index = self.owned(index)?;
                self.element(&base, index)
            }
            _ => self.temporary(expr),
        }
    }

    fn temporary(&mut self, expr: &Expr) -> Outcome<Place, N> {
        let value = self.value(expr)?;
        Ok(Place::cell(self.memory.push(value)))
    }

    /// An element or a slice of what is at a place.
    pub(crate) fn element(&mut self, base: &Place, index: Value<N>) -> Outcome<Place, N> {
        let found = self.memory.look(base)?;
        if let Value::Struct(..) = found {
            let owner = found.key().to_string();
            if owner == "Stack" {
                return self.element(&base.at(Step::Field(0)), index);
            }
            let program = self.program;
            let function =
                ["index_mut", "index"].iter().find_map(|name| program.member(&owner, name));
            let function = function.ok_or_else(|| Stop::unknown(format!("an index of {owner}")))?;
            let arguments = vec![Value::Reference(base.clone()), index];
            return match self.call(function, Direction::Forward, arguments)? {
                Value::Reference(place) => Ok(place),
                other => Err(Stop::unknown(format!("an index that gives {other}"))),
            };
        }
        let length = self.memory.length(base)?;
        match index {
            Value::Integer(i, _) => match usize::try_from(i) {
                Ok(i) if i < length => Ok(base.at(Step::Index(i))),
                _ => Err(Stop::Panic(format!(
                    "index out of bounds: the len is {length} but the index is {i}"
                ))),
            },
            Value::Range(start, end, _) => {
                let start = start.unwrap_or(0);
                let end = match end {
                    End::Open => length as i128,
                    End::Before(end) => end,
                    End::At(end) => end + 1,
                };
                if start < 0 || start > end || end > length as i128 {
                    return Err(Stop::Panic(format!(
                        "range {start}..{end} out of bounds of {length}"
                    )));
                }
                Ok(base.at(Step::Part(start as usize, end as usize)))
            }
            other => Err(Stop::unknown(format!("the index {other}"))),
        }
    }

    /// `range.start` and `range.end`.
    fn end_of_range(&mut self, e: &syn::ExprField) -> Outcome<Option<Value<N>>, N> {
        let Member::Named(name) = &e.member else { return Ok(None) };
        if name != "start" && name != "end" {
            return Ok(None);
        }
        let place = self.place(&e.base)?;
        let place = self.resolved(place)?;
        Ok(match self.memory.look(&place)? {
            Value::Range(Some(start), _, ty) if name == "start" => Some(Value::Integer(*start, ty)),
            Value::Range(_, End::Before(end), ty) if name == "end" => {
                Some(Value::Integer(*end, ty))
            }
            _ => None,
        })
    }

    /// `[value; length]`
    pub(crate) fn repeated(&mut self, value: Value<N>, length: Value<N>) -> Outcome<Value<N>, N> {
        match self.owned(length)? {
            Value::Integer(length, _) if (0..100_000).contains(&length) => {
                Ok(Value::List(vec![value; length as usize]))
            }
            other => Err(Stop::unknown(format!("{other} elements"))),
        }
    }

    fn structure(&mut self, e: &syn::ExprStruct) -> Outcome<Value<N>, N> {
        let name =
            e.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let name = if name == "Self" { self.own_type().to_string() } else { name };
        if e.fields.is_empty() && e.rest.is_none() && !self.program.structs.contains_key(&name) {
            return Ok(Value::Function(name.into()));
        }
        let definition = self.program.structs.get(&name);
        let definition = definition.ok_or_else(|| Stop::unknown(format!("the struct {name}")))?;
        let rest = match &e.rest {
            Some(rest) => {
                let rest = self.value(rest)?;
                Some(self.owned(rest)?)
            }
            None => None,
        };
        let mut given = Vec::new();
        for field in &e.fields {
            let member = match &field.member {
                Member::Named(name) => name.to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            };
            given.push((member, self.value(&field.expr)?));
        }
        let mut fields = Vec::new();
        for known in &definition.fields {
            let at = given.iter().position(|(name, _)| name == known);
            let value = match (at, &rest) {
                (Some(at), _) => given.swap_remove(at).1,
                (None, Some(Value::Struct(_, fields))) => {
                    let found = fields.iter().find(|(name, _)| **name == **known);
                    found.map(|(_, value)| value.clone()).ok_or_else(|| Stop::unknown("a field"))?
                }
                _ => return Err(Stop::unknown(format!("{name} without its {known}"))),
            };
            fields.push((known.as_str().into(), value));
        }
        if definition.fields.is_empty() {
            // A companion, or another struct without fields: a function as a value.
            return Ok(Value::Function(name.into()));
        }
        Ok(Value::Struct(name.into(), fields))
    }

    fn range(&mut self, e: &syn::ExprRange) -> Outcome<Value<N>, N> {
        let end = |machine: &mut Self, expr: &Option<Box<Expr>>| match expr {
            None => Ok(None),
            Some(expr) => {
                let value = machine.value(expr)?;
                match machine.owned(value)? {
                    Value::Integer(value, ty) => Ok(Some((value, ty))),
                    other => Err(Stop::unknown(format!("a range of {other}"))),
                }
            }
        };
        let (from, to) = (end(self, &e.start)?, end(self, &e.end)?);
        let types = [from, to].into_iter().flatten().map(|(_, ty)| ty);
        let ty = types.rev().find(|ty| !ty.is_empty()).unwrap_or("");
        let until = match (to, &e.limits) {
            (None, _) => End::Open,
            (Some((value, _)), RangeLimits::HalfOpen(_)) => End::Before(value),
            (Some((value, _)), RangeLimits::Closed(_)) => End::At(value),
        };
        Ok(Value::Range(from.map(|(value, _)| value), until, ty))
    }

    fn match_expression(&mut self, e: &syn::ExprMatch) -> Outcome<Value<N>, N> {
        self.scoped(|machine| {
            let value = machine.value(&e.expr)?;
            for arm in &e.arms {
                let taken = machine.scoped(|machine| {
                    if machine.matches(&arm.pat, value.clone())? {
                        machine.value(&arm.body).map(Some)
                    } else {
                        Ok(None)
                    }
                })?;
                if let Some(value) = taken {
                    return Ok(value);
                }
            }
            Err(Stop::unknown("a match without an arm"))
        })
    }

    /// Whether a value fits a pattern; if so, its names are bound.
    fn matches(&mut self, pattern: &syn::Pat, value: Value<N>) -> Outcome<bool, N> {
        use syn::Pat;
        let last = |path: &syn::Path| path.segments.last().map(|segment| segment.ident.to_string());
        match pattern {
            Pat::TupleStruct(p) if last(&p.path).as_deref() == Some("Some") => {
                let inside = match &value {
                    Value::Option(inside) => inside.clone(),
                    _ => match self.owned(value)? {
                        Value::Option(inside) => inside,
                        other => return Err(Stop::unknown(format!("{other} as an option"))),
                    },
                };
                match inside {
                    Some(inside) => self.matches(&p.elems[0], *inside),
                    None => Ok(false),
                }
            }
            Pat::Path(p) if last(&p.path).as_deref() == Some("None") => {
                Ok(matches!(self.owned(value)?, Value::Option(None)))
            }
            Pat::Ident(p) if p.ident == "None" => {
                Ok(matches!(self.owned(value)?, Value::Option(None)))
            }
            Pat::Lit(p) => {
                let (expected, found) = (literal(&p.lit)?, self.owned(value)?);
                Ok(crate::checks::same(&found, &expected))
            }
            Pat::Guard(p) => Ok(self.matches(&p.pat, value)? && self.condition(&p.guard)?),
            Pat::Or(p) => {
                for case in &p.cases {
                    if self.matches(case, value.clone())? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            other => {
                self.bind(other, value)?;
                Ok(true)
            }
        }
    }

    /// A constant, or a function as a value.
    fn constant(&mut self, path: &syn::Path) -> Outcome<Value<N>, N> {
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Ok(match names[..] {
            [.., "None"] => Value::Option(None),
            [.., "PI"] => Value::constant(std::f64::consts::PI),
            [.., "TAU"] => Value::constant(std::f64::consts::TAU),
            [.., "E"] => Value::constant(std::f64::consts::E),
            [.., "LN_2"] => Value::constant(std::f64::consts::LN_2),
            [.., "f64", "EPSILON"] => Value::constant(f64::EPSILON),
            [.., "f64", "INFINITY"] => Value::constant(f64::INFINITY),
            [.., "usize", "MAX"] => Value::Integer(usize::MAX as i128, "usize"),
            [.., "NoShadow" | "ShadowOfConstant"] => Value::wrapper("NoShadow", Vec::new()),
            [.., name] if self.program.functions.contains_key(name) => Value::Function(name.into()),
            // An instruction of the library's.
            [name] if name.starts_with(char::is_lowercase) => Value::Function(name.into()),
            _ => return Err(Stop::unknown(format!("the name {}", names.join("::")))),
        })
    }
}

/// Whether a loop goes on after a pass.
fn goes_on<T, N>(pass: Outcome<T, N>) -> Outcome<bool, N> {
    match pass {
        Ok(_) | Err(Stop::Continue) => Ok(true),
        Err(Stop::Break) => Ok(false),
        Err(other) => Err(other),
    }
}

/// The value of a literal.
fn literal<N: Number>(literal: &Lit) -> Outcome<Value<N>, N> {
    match literal {
        Lit::Bool(b) => Ok(Value::Bool(b.value)),
        Lit::Float(x) => match x.base10_parse() {
            Ok(value) => Ok(Value::constant(value)),
            Err(_) => Err(Stop::unknown(text(x))),
        },
        Lit::Int(n) => match (n.suffix(), n.base10_parse::<i128>()) {
            ("f64" | "f32", Ok(value)) => Ok(Value::constant(value as f64)),
            (suffix, Ok(value)) => {
                let ty = INTEGERS.iter().find(|known| **known == suffix).copied();
                Ok(Value::Integer(value, ty.unwrap_or("")))
            }
            _ => Err(Stop::unknown(text(n))),
        },
        Lit::Str(string) => Ok(Value::Text(string.value().into())),
        other => Err(Stop::unknown(text(other))),
    }
}
