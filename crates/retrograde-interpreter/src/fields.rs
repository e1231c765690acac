//! Questions to the types of structs whether a field of theirs is `#[constant]`. Emitted code
//! puts them where they never run, and jumps over them with an answer that has no value: what
//! it is, its type says, which is that of the question.

use crate::call::unparenthesised;
use crate::expression::text;
use crate::library::{Call, Model, carries_gradient};
use crate::machine::Machine;
use crate::number::Number;
use crate::stop::{Outcome, Stop};
use crate::value::{Place, Value};
use syn::{Block, Expr, ExprBlock, ExprBreak, GenericArgument, PathArguments, Stmt};

/// The name of an answer, as a struct.
pub(crate) const ANSWER: &str = "Answer";

impl<N: Number> Machine<'_, N> {
    /// `'label: { … break 'label value; … }`
    pub(crate) fn labelled(&mut self, e: &ExprBlock, label: &str) -> Outcome<Value<N>, N> {
        match self.block(&e.block) {
            Err(Stop::Leave(left, value)) if left == label => match value {
                Value::Struct(name, _) if &*name == ANSWER => self.answer(&e.block),
                value => Ok(value),
            },
            other => other,
        }
    }

    /// `break 'label value`
    pub(crate) fn leave(&mut self, e: &ExprBreak, label: &str) -> Outcome<Value<N>, N> {
        let value = e.expr.as_ref().map_or(Ok(Value::Unit), |value| self.value(value))?;
        Err(Stop::Leave(label.into(), value))
    }

    /// The answer to the question that a block ends with: whether the field carries a gradient.
    fn answer(&mut self, block: &Block) -> Outcome<Value<N>, N> {
        let question = match block.stmts.last() {
            Some(Stmt::Expr(question, None)) => question,
            _ => return Err(Stop::unknown("an answer without a question")),
        };
        let (field, of) = field_asked_for(question)
            .ok_or_else(|| Stop::unknown(format!("the question {}", text(question))))?;
        let constant = self.program.has_constant_field(None, &field)
            && self.scoped(|machine| {
                let of = machine.value(of)?;
                let owner = machine.key_of(&of)?;
                Ok(machine.program.has_constant_field(Some(&owner), &field))
            })?;
        Ok(Value::wrapper(ANSWER, vec![Value::Bool(!constant)]))
    }

    /// Whether the answer that is the receiver says that there is a gradient.
    fn carries(&mut self, call: &Call<N>) -> Outcome<bool, N> {
        match self.inside(call)? {
            Value::Bool(carries) => Ok(carries),
            other => Err(Stop::unknown(format!("the answer {other}"))),
        }
    }

    /// Adds to the shadow of a field, if it has one.
    fn add_where_carried(&mut self, mut call: Call<N>, name: &str) -> Outcome<Value<N>, N> {
        if !self.carries(&call)? {
            return Ok(Value::Unit);
        }
        call.arguments.remove(0);
        self.accumulate_shadow(&call, name)
    }
}

/// What is done with an answer.
pub(crate) fn method<N: Number>(name: &str) -> Option<Model<N>> {
    Some(match name {
        "carries" => |m, c| Ok(Value::Bool(m.carries(&c)?)),
        // Nothing comes after it where there is no gradient.
        "where_carried" => |_, _| Ok(Value::Unit),
        "add" => |m, c| m.add_where_carried(c, "add"),
        "subtract" => |m, c| m.add_where_carried(c, "sub"),
        // What is only read gets a shadow that is thrown away.
        "__read" => |m, c| {
            if m.carries(&c)? {
                return c.at(1);
            }
            let shadow = m.owned(c.at(1)?)?;
            let scratch = m.zero_like(&shadow, 0.0)?;
            Ok(Value::Reference(Place::cell(m.memory.push(scratch))))
        },
        "__lend" => |m, c| {
            let shadow = m.owned(c.at(1)?)?;
            match m.carries(&c)? || !carries_gradient(&shadow) {
                true => c.at(1),
                false => Ok(Value::wrapper("NoShadow", Vec::new())),
            }
        },
        _ => return None,
    })
}

/// Of `(&&field::<NAME, _, _>(&of, &part)).__field()` the name of the field, which is a number,
/// and the struct.
fn field_asked_for(question: &Expr) -> Option<(String, &Expr)> {
    let Expr::MethodCall(question) = question else { return None };
    let mut receiver = unparenthesised(&question.receiver);
    while let Expr::Reference(e) = receiver {
        receiver = unparenthesised(&e.expr);
    }
    let Expr::Call(call) = receiver else { return None };
    let Expr::Path(path) = unparenthesised(&call.func) else { return None };
    let segment = path.path.segments.last().filter(|segment| segment.ident == "field")?;
    let PathArguments::AngleBracketed(generics) = &segment.arguments else { return None };
    let field = generics.args.iter().find_map(|argument| match argument {
        GenericArgument::Const(field) => Some(text(field)),
        _ => None,
    })?;
    Some((field, call.args.first()?))
}
