//! Calls: of functions by their paths, of methods, and of functions as values.

use crate::expression::text;
use crate::library;
use crate::machine::{Direction, Machine, Named};
use crate::number::Number;
use crate::program::key;
use crate::stop::{Outcome, Stop};
use crate::value::{Place, Value};
use syn::{Expr, ExprCall, ExprMethodCall, FnArg, GenericArgument, PathArguments, ReceiverKind};

/// Structs of the library that emitted code makes by calling them.
const WRAPPERS: [&str; 13] = [
    "Fuse", "Given", "Nearby", "Probe", "Sides", "Elements", "Behind", "Steps", "Shared", "Lent",
    "NoShadow", "Fits", "Parts",
];

/// The constants between the brackets of a call: `8` of `lanes::<_, 8>(…)`.
fn sizes<'a>(arguments: impl Iterator<Item = &'a GenericArgument>) -> Vec<usize> {
    arguments
        .filter_map(|argument| match argument {
            GenericArgument::Const(Expr::Lit(e)) => match &e.lit {
                syn::Lit::Int(n) => n.base10_parse().ok(),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

impl<'p, N: Number> Machine<'p, N> {
    /// `f(…)`
    pub(crate) fn call_expression(&mut self, e: &ExprCall) -> Outcome<Value<N>, N> {
        let path = match unparenthesised(&e.func) {
            Expr::Path(path) => path,
            Expr::Closure(closure) if e.args.is_empty() => {
                return match self.scoped(|machine| machine.value(&closure.body)) {
                    Err(Stop::Return(value)) => Ok(value),
                    other => other,
                };
            }
            other => {
                let function = self.value(other)?;
                let arguments = self.values(e.args.iter())?;
                return self.call_value(function, Direction::Forward, arguments);
            }
        };
        if let Some(Named::Cell(cell)) = path.path.get_ident().and_then(|name| self.find(name)) {
            let place = self.resolved(Place::cell(*cell))?;
            let function = self.memory.read(&place)?;
            let arguments = self.values(e.args.iter())?;
            return self.call_value(function, Direction::Forward, arguments);
        }
        let names = self.names_of(&path.path);
        // Evaluated where it stands.
        if let ([.., "__private", "pure"], Some(Expr::Closure(closure))) =
            (&names.iter().map(String::as_str).collect::<Vec<_>>()[..], e.args.first())
        {
            return self.scoped(|machine| machine.value(&closure.body));
        }
        let generics = path.path.segments.last().map(|segment| &segment.arguments);
        let sizes = match generics {
            Some(PathArguments::AngleBracketed(generics)) => sizes(generics.args.iter()),
            _ => Vec::new(),
        };
        let qualified = path.qself.as_ref().map(|qself| self.own_key(&qself.ty));
        let arguments = self.values(e.args.iter())?;
        self.call_path(&names, qualified.as_deref(), &sizes, arguments)
    }

    /// A type, where `Self` is that of the `impl` that the function stands in.
    fn own_key(&self, ty: &syn::Type) -> String {
        let key = key(ty);
        if key == "Self" { self.own_type().to_string() } else { key }
    }

    /// The names of a path, without those that `use` made.
    pub(crate) fn names_of(&self, path: &syn::Path) -> Vec<String> {
        let mut names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if let Some(first) = path.segments.first()
            && let Some(Named::Alias(other)) = self.find(&first.ident)
        {
            names.splice(0..1, other.split("::").map(String::from));
        }
        if names[0] == "Self" {
            names[0] = self.own_type().to_string();
        }
        names
    }

    /// Calls what a path names.
    pub(crate) fn call_path(
        &mut self,
        names: &[String],
        qualified: Option<&str>,
        sizes: &[usize],
        arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match names[..] {
            ["Some"] | [.., "Option", "Some"] => {
                return Ok(Value::Option(arguments.into_iter().next().map(Box::new)));
            }
            [name] => {
                if let Some(function) = self.program.functions.get(name) {
                    return self.call(function, Direction::Forward, arguments);
                }
                if self.program.structs.contains_key(name) {
                    return Ok(Value::wrapper(name, arguments));
                }
                if library::is_instruction(name) {
                    return self.instruction(name, "", arguments);
                }
                if library::is_view(name) {
                    return self.view_through(name, arguments);
                }
            }
            [.., name] if WRAPPERS.contains(&name) => return Ok(Value::wrapper(name, arguments)),
            [.., owner, name] => {
                let owner_type = qualified.unwrap_or(owner);
                if let Some(function) = self.program.member(owner_type, name) {
                    return self.call(function, Direction::Forward, arguments);
                }
                if let Some(function) = self.of_argument(owner, name, &arguments)? {
                    return self.call(function, Direction::Forward, arguments);
                }
                if library::is_instruction(owner) {
                    return self.instruction(owner, name, arguments);
                }
                if let Some(model) = library::function::<N>(&format!("{owner}::{name}")) {
                    return model(self, library::Call { arguments, sizes });
                }
                // A method by the name of its type: `f64::max(a, b)`.
                if library::is_number_type(owner_type) {
                    return self.on_number_type(owner_type, name, arguments);
                }
            }
            [] => {}
        }
        match names.last().map(|name| name.to_string()).as_deref() {
            // A function says of no argument that it only adds to it, unless it has this.
            Some("__adds_to" | "__accumulates" | "__looks" | "__decides") => {
                Ok(Value::Integer(0, "u64"))
            }
            // A function decides nothing, unless it has this.
            Some("__settle") => Ok(Value::Unit),
            _ => Err(Stop::unknown(format!("the function {}", names.join("::")))),
        }
    }

    /// The user's own function of a trait, by the type of the argument that is `self`.
    fn of_argument(
        &mut self,
        of: &str,
        name: &str,
        arguments: &[Value<N>],
    ) -> Outcome<Option<&'p crate::program::Function>, N> {
        // The rules of operators take the gradient first.
        let at = usize::from(of.starts_with("Pull"));
        let Some(own) = arguments.get(at) else { return Ok(None) };
        let own = self.key_of(own)?;
        let other = match arguments.get(at + 1) {
            Some(other) if at == 1 => self.key_of(other)?,
            _ => String::new(),
        };
        Ok(self.program.of_trait(of, &own, &other, name))
    }

    /// The type of a value, behind references.
    pub(crate) fn key_of(&self, value: &Value<N>) -> Outcome<String, N> {
        Ok(match value {
            Value::Reference(place) => {
                let place = self.resolved(place.clone())?;
                self.memory.look(&place)?.key().to_string()
            }
            other => other.key().to_string(),
        })
    }

    /// `T::zero()`, `f64::max(a, b)`, `u64::from(n)`.
    fn on_number_type(
        &mut self,
        ty: &str,
        name: &str,
        mut arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        match name {
            "zero" | "default" if arguments.is_empty() => return Ok(Value::constant(0.0)),
            "one" if arguments.is_empty() => return Ok(Value::constant(1.0)),
            "from_f64" | "literal" => return self.owned(arguments.remove(0)),
            "from" => {
                let value = arguments.remove(0);
                let ty: syn::Type = syn::parse_str(ty).map_err(|_| Stop::unknown(ty))?;
                return self.cast(value, &ty);
            }
            _ => {}
        }
        if arguments.is_empty() {
            return Err(Stop::unknown(format!("{ty}::{name}")));
        }
        let receiver = arguments.remove(0);
        let cell = self.memory.push(receiver);
        let place = self.resolved(Place::cell(cell))?;
        self.method(place, name, &[], arguments)
    }

    /// Calls a function that is a value.
    pub(crate) fn call_value(
        &mut self,
        function: Value<N>,
        direction: Direction,
        arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        match self.owned(function)? {
            Value::Closure(closure) if direction == Direction::Forward => {
                self.call_closure(&closure, arguments)
            }
            Value::Function(name) => match self.program.functions.get(&*name) {
                Some(function) => self.call(function, direction, arguments),
                None if direction == Direction::Forward => {
                    self.call_path(&[name.to_string()], None, &[], arguments)
                }
                None => Err(Stop::unknown(format!("the function {name}"))),
            },
            other => Err(Stop::unknown(format!("a call of {other}"))),
        }
    }

    /// `x.f(…)`
    pub(crate) fn method_expression(&mut self, e: &ExprMethodCall) -> Outcome<Value<N>, N> {
        let place = self.place(&e.receiver)?;
        let place = self.resolved(place)?;
        let name = e.method.to_string();
        // Arguments that are closures may be called more than once.
        let arguments = self.values(e.args.iter())?;
        let sizes = e.turbofish.as_ref().map_or(Vec::new(), |generics| sizes(generics.args.iter()));
        self.method(place, &name, &sizes, arguments).map_err(|stop| match stop {
            Stop::Unknown(what) if !what.contains(" in `") => {
                Stop::Unknown(format!("{what} in `{}`", text(e)))
            }
            other => other,
        })
    }

    /// A method of what is at a place: the user's own, the library's, or Rust's.
    pub(crate) fn method(
        &mut self,
        place: Place,
        name: &str,
        sizes: &[usize],
        mut arguments: Vec<Value<N>>,
    ) -> Outcome<Value<N>, N> {
        let owner = self.memory.look(&place)?.key();
        if let Some(function) = self.program.member(owner, name) {
            let by_reference = matches!(
                function.signature.inputs.first(),
                Some(FnArg::Receiver(receiver)) if matches!(receiver.kind, ReceiverKind::Reference(..))
            );
            let receiver =
                if by_reference { Value::Reference(place) } else { self.memory.read(&place)? };
            arguments.insert(0, receiver);
            return self.call(function, Direction::Forward, arguments);
        }
        if let Some(model) = library::method::<N>(owner, name) {
            arguments.insert(0, Value::Reference(place));
            return model(self, library::Call { arguments, sizes });
        }
        // A method may decide on all that it takes.
        if self.idle.contains(name) && name.ends_with("_decides") {
            return Ok(Value::Integer(u64::MAX.into(), "u64"));
        }
        if self.idle.contains(name) {
            return Ok(Value::Unit);
        }
        self.std_method(&place, name, arguments)
    }
}

/// An expression without the parentheses around it.
pub(crate) fn unparenthesised(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(e) => unparenthesised(&e.expr),
        Expr::Group(e) => unparenthesised(&e.expr),
        other => other,
    }
}
