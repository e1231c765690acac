//! Calls as statements of a reversible function: backwards they are calls of the inverse.

use crate::call::unparenthesised;
use crate::expression::text;
use crate::library;
use crate::machine::Direction::{self, Forward};
use crate::machine::{Machine, Named};
use crate::number::Number;
use crate::stop::{Outcome, Stop};
use crate::value::{Place, Value};
use syn::{Expr, FnArg, ReceiverKind};

impl<N: Number> Machine<'_, N> {
    pub(crate) fn reversible_call(
        &mut self,
        e: &syn::ExprCall,
        direction: Direction,
    ) -> Outcome<(), N> {
        let Expr::Path(path) = unparenthesised(&e.func) else {
            return Err(Stop::unknown(format!("the call {}", text(e))));
        };
        let arguments = self.arguments(e.args.iter())?;
        if let Some(Named::Cell(cell)) = path.path.get_ident().and_then(|name| self.find(name)) {
            let place = self.resolved(Place::cell(*cell))?;
            let function = self.memory.read(&place)?;
            return self.call_value(function, direction, arguments).map(|_| ());
        }
        let mut names = self.names_of(&path.path);
        let mut direction = direction;
        if names.len() > 1 && names.last().is_some_and(|name| name == "inverse") {
            names.pop();
            direction = direction.turned();
        }
        let (owner, name) = match &names[..] {
            [name] => ("", name.as_str()),
            [.., owner, name] => (owner.as_str(), name.as_str()),
            [] => return Err(Stop::unknown("a call of nothing")),
        };
        let function = self.program.functions.get(name).filter(|_| owner.is_empty());
        if let Some(function) = function.or_else(|| self.program.member(owner, name)) {
            return self.call(function, direction, arguments).map(|_| ());
        }
        if let Some(turned) = name.strip_suffix("_inverse")
            && let Some(function) = self.program.member(owner, turned)
        {
            return self.call(function, direction.turned(), arguments).map(|_| ());
        }
        if library::is_instruction(name) {
            let member = if direction == Forward { "" } else { "inverse" };
            return self.instruction(name, member, arguments).map(|_| ());
        }
        Err(Stop::unknown(format!("the function {}", names.join("::"))))
    }

    pub(crate) fn reversible_method(
        &mut self,
        e: &syn::ExprMethodCall,
        direction: Direction,
    ) -> Outcome<(), N> {
        let place = self.place(&e.receiver)?;
        let place = self.resolved(place)?;
        let owner = self.memory.look(&place)?.key().to_string();
        let name = e.method.to_string();
        if owner == "Stack" {
            let name = if direction == Forward { name } else { library::stack::inverse(&name) };
            let arguments = self.arguments(e.args.iter())?;
            return self.method(place, &name, &[], arguments).map(|_| ());
        }
        let (function, direction) = match self.program.member(&owner, &name) {
            Some(function) => (function, direction),
            None => {
                let turned = name.strip_suffix("_inverse");
                let function = turned.and_then(|name| self.program.member(&owner, name));
                let function = function
                    .ok_or_else(|| Stop::unknown(format!("the method {name} of {owner}")))?;
                (function, direction.turned())
            }
        };
        let written = matches!(
            function.signature.inputs.first(),
            Some(FnArg::Receiver(receiver)) if matches!(receiver.kind, ReceiverKind::Reference(_, _, Some(_)))
        );
        let mut arguments = self.arguments(e.args.iter())?;
        for (argument, expr) in arguments.iter().zip(&e.args) {
            if let Value::Reference(other) = argument
                && (written || is_mutable(expr))
                && other.meets(&place)
            {
                return Err(Stop::Check(format!("one place is passed twice: {}", text(e))));
            }
        }
        arguments.insert(0, Value::Reference(place));
        self.call(function, direction, arguments).map(|_| ())
    }

    /// The arguments of a call. Those that are written must not meet the others.
    fn arguments<'e>(
        &mut self,
        all: impl Iterator<Item = &'e Expr> + Clone,
    ) -> Outcome<Vec<Value<N>>, N> {
        let arguments = self.values(all.clone())?;
        let lent: Vec<(&Expr, &Place)> = all
            .zip(&arguments)
            .filter_map(|(expr, argument)| match argument {
                Value::Reference(place) => Some((expr, place)),
                _ => None,
            })
            .collect();
        for (i, (expr, place)) in lent.iter().enumerate() {
            for (other_expr, other) in &lent[i + 1..] {
                if (is_mutable(expr) || is_mutable(other_expr)) && place.meets(other) {
                    return Err(Stop::Check(format!(
                        "one place is passed twice: {} and {}",
                        text(expr),
                        text(other_expr)
                    )));
                }
            }
        }
        Ok(arguments)
    }
}

/// Whether an argument is lent to be written, as far as its text tells.
fn is_mutable(expr: &Expr) -> bool {
    matches!(unparenthesised(expr), Expr::Reference(e) if e.mutability.is_some())
}
