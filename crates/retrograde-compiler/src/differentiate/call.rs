//! Calls: each argument is followed by its shadow.

use super::expression::{Gradient, Pulled, silent};
use super::{Differentiator, allocate_shadow, build, call_statement};
use crate::ir::{Ancilla, Binding, Block, Call, Callee, Kind as Do, Statement};
use crate::kinds::Kind;
use crate::names::Mode;
use crate::place::{Access, Overlap, Step, access, bare_name};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Expr, Pat};

/// What a call needs around it, and what it has passed so far.
#[derive(Default)]
struct Passing {
    before: Block,
    after: Block,
    /// Places whose shadows are lent to the call.
    lent: Vec<Lent>,
    /// Whether the callee only reads.
    pure: bool,
    /// Whether something that is passed carries a gradient.
    active: bool,
    /// The variables of places that the callee may write.
    written: Vec<Ident>,
}

/// How a place is passed.
#[derive(Clone, Copy, PartialEq)]
enum How {
    /// `&x`, or by a method of it.
    Read,
    /// `&mut x`
    Written,
    /// `x`, which may be the end of it.
    Given,
}

/// A place that is passed.
struct Lent {
    place: Access,
    /// The variable that its shadow is in.
    shadow: Option<Ident>,
    mutable: bool,
}

impl Differentiator<'_> {
    /// A reversible function with its gradient: its adjoint.
    pub(super) fn call(&mut self, statement: &Statement, call: &Call, out: &mut Block) {
        let direction = call.direction.with_gradient();
        let mut activity = None;
        if let Callee::Value(name) = &call.callee {
            activity = self.functions.get(name).cloned();
            if activity.is_none() {
                self.diagnostics.error(
                    name,
                    format!("`{name}` is called, but its adjoint is not known from its type"),
                    "declare it with a bound, `F: Reversible<(…)>`, that names the types of the \
                     arguments, or mark the function `#[reversible(inverse_only)]`",
                );
            }
        }
        let activity = activity.as_deref();
        let (callee, arguments, passing) =
            self.with_shadows(&call.callee, &call.arguments, activity, None, statement);
        out.extend(passing.before);
        let parentheses = call.parentheses;
        out.push(statement.with(Do::Call(Call { callee, arguments, parentheses, direction })));
        out.extend(passing.after);
    }

    /// A pure function: the gradient of its value goes to its arguments.
    pub(super) fn pullback(&mut self, call: Call, gradient: Expr, at: &Statement, out: &mut Block) {
        let gradient = super::expression::referred(gradient);
        let (callee, arguments, passing) =
            self.with_shadows(&call.callee, &call.arguments, None, Some(gradient), at);
        out.extend(passing.before);
        out.push(silent(at, Do::Call(Call { callee, arguments, ..call })));
        out.extend(passing.after);
    }

    fn with_shadows(
        &mut self,
        callee: &Callee,
        arguments: &[Expr],
        activity: Option<&[bool]>,
        gradient: Option<Expr>,
        at: &Statement,
    ) -> (Callee, Vec<Expr>, Passing) {
        let pure = gradient.is_some();
        let receiver = match callee {
            Callee::Method { receiver, .. } => Some(&**receiver),
            _ => None,
        };
        let active = receiver.into_iter().chain(arguments).any(|argument| self.is_active(argument));
        let lent_out = |argument: &Expr| match argument {
            Expr::Reference(e) if e.mutability.is_some() => Some(access(&e.expr)?.root),
            other => bare_name(other).filter(|n| self.names.mode(n) == Mode::Mutable).cloned(),
        };
        let written = arguments.iter().filter_map(lent_out).collect();
        let mut passing = Passing { pure, active, written, ..Passing::default() };
        let mut callee = callee.clone();
        // What is associated takes the gradient last: by its path, a method cannot be told from
        // a function without a receiver.
        let associated = matches!(callee, Callee::Method { .. } | Callee::Associated(_));
        let (first, last) = if associated { (None, gradient) } else { (gradient, None) };
        let mut all: Vec<Expr> = first.into_iter().collect();
        // Arguments that are written first: what is only read makes way for them.
        let written = |argument: &Expr| match argument {
            Expr::Reference(e) => e.mutability.is_some(),
            other => bare_name(other).is_some_and(|name| self.names.mode(name) == Mode::Mutable),
        };
        let mut order: Vec<usize> = (0..arguments.len()).collect();
        order.sort_by_key(|i| !written(&arguments[*i]));
        if let Callee::Method { receiver, .. } = &mut callee {
            let place = access(receiver).is_some();
            if place {
                let writable =
                    access(receiver).is_some_and(|place| self.names.is_writable(&place.root));
                let how = if !pure && writable { How::Written } else { How::Read };
                let shadow = self.shadow_argument(receiver, how, &mut passing, at);
                all.push(shadow);
            } else {
                let (value, shadow) = self.temporary(receiver, &mut passing, at);
                **receiver = value;
                all.push(shadow);
            }
        }
        let mut pairs: Vec<Option<(Expr, Expr)>> = vec![None; arguments.len()];
        for i in order {
            pairs[i] = Some(self.argument(&arguments[i], &mut passing, at));
        }
        for (i, (value, shadow)) in pairs.into_iter().flatten().enumerate() {
            all.push(value);
            if activity.is_none_or(|activity| activity.get(i) != Some(&false)) {
                all.push(shadow);
            }
        }
        all.extend(last);
        (callee, all, passing)
    }

    /// An argument and its shadow.
    fn argument(&mut self, argument: &Expr, passing: &mut Passing, at: &Statement) -> (Expr, Expr) {
        match argument {
            Expr::Paren(e) => self.argument(&e.expr, passing, at),
            // What is converted has a shadow of the type that it is converted to.
            _ if self.names.is_converted(argument) => self.temporary(argument, passing, at),
            Expr::Reference(e)
                if access(&e.expr).is_some() && !self.names.is_converted(&e.expr) =>
            {
                let how = if e.mutability.is_some() { How::Written } else { How::Read };
                let shadow = self.shadow_argument(&e.expr, how, passing, at);
                (argument.clone(), shadow)
            }
            Expr::Reference(e) => {
                let (value, shadow) = self.temporary(&e.expr, passing, at);
                (build::borrowed(value), shadow)
            }
            Expr::Tuple(e) if self.is_reference(argument) => {
                let pairs = e.elems.iter().map(|part| self.argument(part, passing, at));
                let (values, shadows) = pairs.unzip();
                (build::tuple(values), build::tuple(shadows))
            }
            Expr::Lit(e) if matches!(e.lit, syn::Lit::Str(_)) => (argument.clone(), none()),
            // `f {}`: a function.
            Expr::Struct(e) if e.fields.is_empty() && e.rest.is_none() => {
                (argument.clone(), none())
            }
            _ if access(argument).is_some() => {
                let how = match bare_name(argument).map(|name| self.names.mode(name)) {
                    Some(Mode::Mutable) => How::Written,
                    Some(Mode::Shared) => How::Read,
                    _ => How::Given,
                };
                let shadow = self.shadow_argument(argument, how, passing, at);
                (argument.clone(), shadow)
            }
            _ => self.temporary(argument, passing, at),
        }
    }

    /// Whether a value is a reference, or has one in it, so that its parts are arguments each.
    pub(super) fn is_reference(&self, value: &Expr) -> bool {
        match value {
            Expr::Reference(_) => true,
            Expr::Paren(e) => self.is_reference(&e.expr),
            Expr::Tuple(e) => e.elems.iter().any(|part| self.is_reference(part)),
            Expr::Path(_) => bare_name(value).is_some_and(|name| {
                !matches!(self.names.mode(name), Mode::Value | Mode::Primitive)
            }),
            _ => false,
        }
    }

    /// The shadow of a place that is passed.
    fn shadow_argument(
        &mut self,
        place: &Expr,
        how: How,
        passing: &mut Passing,
        at: &Statement,
    ) -> Expr {
        let Some(own) = access(place) else { return none() };
        let mutable = how == How::Written;
        let kind = self.kinds.of_expr(place);
        // What carries a gradient might go into it, or be in it under another name: then the
        // callee asks for a shadow.
        let lost =
            |d: &Self| passing.active || d.roots(&own.root).iter().any(|root| d.has_shadow(root));
        if !self.has_shadow(&own.root) && mutable && !kind.is_constant() && lost(self) {
            let here = Span::call_site().located_at(place.span());
            return syn::parse_quote_spanned!(here=> ::retrograde::__private::ShadowOfConstant);
        }
        if !self.has_shadow(&own.root) || kind.is_constant() {
            return self.nothing_for(place, &kind, how, passing, at);
        }
        let Some(shadow) = self.shadow(place) else { return none() };
        self.written(place);
        let reference = self.is_pointer(&shadow);
        let shadow = if reference { build::dereferenced(shadow) } else { shadow };
        let root = access(&shadow).map(|place| place.root);
        // Of a place that is written, the gradient goes in and out, so it is lent
        // as it is: that it is apart from the others, the call itself asks for.
        let met = !mutable
            && passing
                .lent
                .iter()
                .any(|other| other.shadow == root && !self.lend_side_by_side(other, &own));
        passing.lent.push(Lent { place: own, shadow: root, mutable });
        if !met {
            return build::lent(shadow);
        }
        // Read twice: a shadow of its own for a while, which is then added.
        let temporary = self.fresh("d_twice");
        let target = if reference { build::dereferenced(place.clone()) } else { place.clone() };
        let zeros = build::library(&["derivative", "stand_in"], vec![build::borrowed(target)]);
        let ancilla = Ancilla::new(temporary.clone(), None, zeros, false);
        passing.before.push(silent(at, Do::Allocate(ancilla)));
        let arguments = vec![build::lent(shadow), build::name(&temporary)];
        passing.after.push(call_statement(at, &["derivative", "add_shadow"], arguments));
        build::lent(build::name(&temporary))
    }

    /// Whether the shadow of a place that is read can be lent beside another one
    /// of the same variable.
    fn lend_side_by_side(&self, other: &Lent, own: &Access) -> bool {
        let mut steps = other.place.path.iter().zip(&own.path);
        match steps.find(|(a, b)| a != b) {
            // Rust tells fields apart, unless they are behind an index.
            Some((Step::Field(_), Step::Field(_))) => {
                !own.path.iter().any(|step| !matches!(step, Step::Field(_)))
                    && other.place.root == own.root
            }
            // Elements are borrowed at once, if they are not the same.
            Some((Step::Index(_), Step::Index(_))) => {
                let never = self.names.overlap(&other.place, own) == Overlap::Never;
                other.place.root == own.root && (never || other.mutable)
            }
            _ => false,
        }
    }

    /// What is passed where there is no gradient.
    fn nothing_for(
        &mut self,
        place: &Expr,
        kind: &Kind,
        how: How,
        passing: &mut Passing,
        at: &Statement,
    ) -> Expr {
        let root = access(place).map(|place| place.root);
        let own = root.filter(|root| self.names.mode(root) == Mode::Value);
        let marked = own.as_ref().is_some_and(|own| self.constants.contains(own));
        // What was computed is a number, or the callee does not ask for its shadow.
        let computed = own.as_ref().is_some_and(|own| !self.names.is_alias(own));
        let number = computed && !marked && kind.is_open();
        if !(number || matches!(kind, Kind::Constant | Kind::Real)) {
            let written = how == How::Written
                || access(place).is_some_and(|place| passing.written.contains(&place.root));
            // Of what the call writes, no part is lent beside it.
            return match own {
                Some(own) if !marked && (written || kind.is_constant()) => {
                    self.probed(build::name(&own), How::Given, passing, at)
                }
                _ if written || kind.is_constant() => none(),
                _ => self.probed(place.clone(), how, passing, at),
            };
        }
        // Before the call, which may borrow the place.
        let name = self.numbered("d");
        let value = match bare_name(place) {
            Some(_) if own.is_some() => build::borrowed(place.clone()),
            _ => super::expression::referred(place.clone()),
        };
        let zero = build::library(&["derivative", "shadow"], vec![value]);
        let ancilla = Ancilla::new(name.clone(), None, zero, false);
        passing.before.push(silent(at, Do::Allocate(ancilla)));
        build::lent(build::name(&name))
    }

    /// A throw-away shadow, if a value can have one and the callee asks for it.
    fn probed(&mut self, value: Expr, how: How, passing: &mut Passing, at: &Statement) -> Expr {
        let shadow = self.numbered("d");
        let probe = build::library(&["__private", "Probe"], vec![build::borrowed(value)]);
        let probe: Expr = syn::parse_quote!((&&&#probe));
        let mut zero = build::method(probe, "__stand_in", Vec::new());
        if how == How::Given {
            zero = build::method(zero, "__made", Vec::new());
        }
        let ancilla = Ancilla::new(shadow.clone(), None, zero, false);
        passing.before.push(silent(at, Do::Allocate(ancilla)));
        build::lent(build::name(&shadow))
    }

    /// A value that is computed for the call, and its shadow.
    fn temporary(&mut self, value: &Expr, passing: &mut Passing, at: &Statement) -> (Expr, Expr) {
        let active = self.is_active(value);
        let called = matches!(value, Expr::Call(_)) || self.is_of_a_constant(value);
        let opaque = called
            || matches!(value, Expr::Path(_) | Expr::Macro(_) | Expr::Range(_) | Expr::Struct(_));
        let converted = self.names.is_converted(value);
        let number = !opaque || converted || self.kinds.of_expr(value) == Kind::Real;
        if !active && called && !number {
            let name = self.numbered("t");
            let pattern = build::pattern(&name);
            let binding = Binding { pattern, value: value.clone(), verify: false };
            passing.before.push(silent(at, Do::Bind(binding)));
            let shadow = self.probed(build::name(&name), How::Given, passing, at);
            return (self.passed(value, &name, passing, at), shadow);
        }
        if !active && !number {
            let probe = is_constant(value);
            let shadow =
                if probe { self.probed(value.clone(), How::Given, passing, at) } else { none() };
            return (value.clone(), shadow);
        }
        let name = self.numbered("t");
        let kind = self.kinds.of_expr(value);
        self.kinds.declare(&name, kind.clone());
        let pattern = match converted {
            // Here, and not where it is used.
            true => Pat::Type(syn::parse_quote!(#name: _)),
            false => build::pattern(&name),
        };
        let binding = Binding { pattern, value: value.clone(), verify: false };
        passing.before.push(silent(at, Do::Bind(binding)));
        let shadow = self.fresh(&format!("d_{name}"));
        passing.before.push(allocate_shadow(at, &shadow, &build::name(&name)));
        if active {
            let gradient = Gradient { expr: build::name(&shadow), kind };
            let Pulled { before, after, .. } = self.pull(value, gradient, true, at);
            // Before the shadows that stand in for others are added.
            passing.after.splice(0..0, before.into_iter().chain(after));
        }
        let value = self.passed(value, &name, passing, at);
        (value, build::lent(build::name(&shadow)))
    }

    /// Whether a method gives it of what is marked `#[constant]`: it may be of any type.
    fn is_of_a_constant(&self, value: &Expr) -> bool {
        let Expr::MethodCall(call) = value else { return false };
        let marked = |place: Access| self.constants.contains(&place.root);
        access(&call.receiver).is_some_and(marked) && self.kinds.of_expr(value).is_open()
    }

    /// A value that has a name, as it is passed.
    fn passed(&self, value: &Expr, name: &Ident, passing: &Passing, at: &Statement) -> Expr {
        let looks_twice = !passing.pure && self.looks_twice(at, value);
        if looks_twice { value.clone() } else { build::name(name) }
    }
}

/// Whether it is a `const` or `static` by its name, or a part of one.
pub(super) fn is_constant(value: &Expr) -> bool {
    let path = match value {
        Expr::Path(path) => path,
        Expr::Index(e) => return is_constant(&e.expr),
        Expr::Field(e) => return is_constant(&e.base),
        _ => return false,
    };
    let Some(last) = path.path.segments.last() else { return false };
    let name = last.ident.to_string();
    name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase)
}

/// `NoShadow`
fn none() -> Expr {
    let name = Ident::new("NoShadow", Span::mixed_site());
    syn::parse_quote!(::retrograde::derivative::#name)
}
