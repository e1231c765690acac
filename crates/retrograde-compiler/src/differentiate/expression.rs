//! Pure expressions: the gradient with respect to the value goes back to
//! everything that was read.

use super::function::as_method;
use super::keep::Made;
use super::naming::{Naming, normal};
use super::{Differentiator, build};
use crate::diagnostics::Diagnostics;
use crate::functions;
use crate::ir::{Binding, Block, Kind as Do, Operator, Statement};
use crate::kinds::Kind;
use crate::matching;
use crate::place::{Step, access, bare_name, reads};
use crate::text::{filled_vector, listed_vector};
use crate::visit::VisitMut;
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Member, UnOp};

/// The gradient with respect to a value, as an expression.
#[derive(Clone, Debug)]
pub(super) struct Gradient {
    /// A place or a formula.
    pub expr: Expr,
    /// What its type is known to be.
    pub kind: Kind,
}

/// The gradient of one expression on its way.
pub(super) struct Pulling<'p, 'a> {
    pub d: &'p mut Differentiator<'a>,
    /// The statement that it is for.
    pub at: &'p Statement,
    /// Values that variables hold.
    pub(super) known: Vec<(Expr, Ident)>,
    /// Values that are needed more than once, or by a slope, and their names.
    pub(super) atoms: Vec<(Expr, Ident)>,
    /// Those of them that come with what takes their gradient back.
    pub(super) made: HashMap<Ident, Made>,
    /// What is done, in order.
    pub out: Block,
}

impl Differentiator<'_> {
    /// Statements that take the gradient of `value` back to what it reads, and
    /// the expression that computes `value` with what they computed on the way.
    pub(super) fn pull(
        &mut self,
        value: &Expr,
        gradient: Gradient,
        positive: bool,
        at: &Statement,
    ) -> Pulled {
        let mut pulling = Pulling::new(self, at, Vec::new());
        let by_view = access(&gradient.expr).is_some_and(|g| g.path.contains(&Step::Part));
        let gradient = if by_view { pulling.shared(gradient) } else { gradient };
        pulling.pull(value, gradient, positive);
        pulling.finish(value)
    }

    /// As [`Differentiator::pull`], of what may be a real number and is added to what may be a
    /// complex one.
    pub(super) fn pull_real(
        &mut self,
        value: &Expr,
        gradient: Gradient,
        positive: bool,
        at: &Statement,
    ) -> Pulled {
        let mut pulling = Pulling::new(self, at, Vec::new());
        let arguments = vec![referred(gradient.expr), pulling.reference(value, None)];
        let expr = build::library(&["derivative", "real_share"], arguments);
        let kind = pulling.d.kinds.of_expr(value);
        pulling.pull(value, Gradient { expr, kind }, positive);
        pulling.finish(value)
    }

    /// As [`Differentiator::pull`], where a variable holds the value. Where its
    /// declaration is among the statements of `out` and its operands are as they
    /// were, what is needed of the value is kept there.
    pub(super) fn pull_from(
        &mut self,
        name: &Ident,
        value: &Expr,
        gradient: Gradient,
        at: &Statement,
        out: &mut Block,
    ) {
        let known = vec![(normal(value), name.clone())];
        let mut pulling = Pulling::new(self, at, known);
        pulling.pull(value, gradient, true);
        pulling.keep_at_declaration(name, out);
        let Pulled { before, after, .. } = pulling.finish(value);
        out.extend(before);
        out.extend(after);
    }

    /// Whether an expression depends on something that carries a gradient.
    pub(super) fn is_active(&self, expr: &Expr) -> bool {
        if self.kinds.of_expr(expr).is_constant() {
            return false;
        }
        if access(expr).is_some() {
            return self.is_active_place(expr);
        }
        match expr {
            Expr::Lit(_) | Expr::Range(_) | Expr::Path(_) => false,
            // By a claim.
            Expr::Match(_) if matching::is_made_here(expr) => false,
            Expr::Paren(e) => self.is_active(&e.expr),
            Expr::Group(e) => self.is_active(&e.expr),
            Expr::Reference(e) => self.is_active(&e.expr),
            Expr::Unary(e) => !matches!(e.op, UnOp::Not(_)) && self.is_active(&e.expr),
            Expr::Cast(e) => self.is_active(&e.expr),
            Expr::Binary(e) => self.is_active(&e.left) || self.is_active(&e.right),
            Expr::Field(e) => self.is_active(&e.base),
            Expr::Index(e) => self.is_active(&e.expr),
            Expr::MethodCall(e) => {
                let jump = functions::JUMPS.contains(&e.method.to_string().as_str());
                !jump && (self.is_active(&e.receiver) || e.args.iter().any(|a| self.is_active(a)))
            }
            Expr::Call(e) => match as_method(e, &self.kinds) {
                Some(method) => self.is_active(&Expr::MethodCall(method)),
                None => e.args.iter().any(|argument| self.is_active(argument)),
            },
            Expr::Tuple(e) => e.elems.iter().any(|part| self.is_active(part)),
            Expr::Array(e) => e.elems.iter().any(|part| self.is_active(part)),
            Expr::Repeat(e) => self.is_active(&e.expr),
            Expr::Macro(e) => match (filled_vector(&e.mac), listed_vector(&e.mac)) {
                (Some((element, _)), _) => self.is_active(&element),
                (_, Some(elements)) => elements.iter().any(|element| self.is_active(element)),
                _ => reads(expr).iter().any(|read| self.is_active_place(&read.expr)),
            },
            Expr::Struct(e) => {
                e.fields.iter().any(|field| self.is_active(&field.expr))
                    || e.rest.iter().any(|rest| self.is_active(rest))
            }
            // Whatever it is chosen by.
            _ if crate::emit::is_choice_or(expr, &|name| self.is_literal_name(name)) => false,
            // Conditions and indices inside are taken for reads, which is safe.
            _ => reads(expr).iter().any(|read| self.is_active_place(&read.expr)),
        }
    }
}

/// What became of an expression.
pub(super) struct Pulled {
    /// Values that were named, and their names' declarations.
    pub before: Block,
    /// The expression, in terms of these names.
    pub value: Expr,
    /// The gradient's way back.
    pub after: Block,
}

impl<'p, 'a> Pulling<'p, 'a> {
    fn new(d: &'p mut Differentiator<'a>, at: &'p Statement, known: Vec<(Expr, Ident)>) -> Self {
        let (atoms, made, out) = (Vec::new(), HashMap::new(), Block::new());
        Pulling { d, at, known, atoms, made, out }
    }

    /// Declares what was named, inner expressions first.
    pub(super) fn finish(self, value: &Expr) -> Pulled {
        let Pulling { known, atoms, made, at, .. } = self;
        let mut naming = Naming { known, atoms, made, at, declared: Vec::new() };
        let mut value = value.clone();
        naming.visit_expr_mut(&mut value);
        // Slopes may need what the value does not contain.
        for (atom, _) in naming.atoms.clone() {
            naming.visit_expr_mut(&mut atom.clone());
        }
        Pulled { before: naming.declared, value, after: self.out }
    }

    /// The value of an expression: a place or literal as it is, anything else by
    /// a name.
    pub(super) fn atom(&mut self, expr: &Expr) -> Expr {
        let expr = unwrapped(expr);
        let place = access(expr).is_some_and(|a| !a.path.contains(&Step::Shape));
        let literal = self.d.names.is_literal(expr) || matches!(expr, Expr::Lit(_));
        if place || literal {
            // A number behind a reference is what it refers to.
            let reference = bare_name(expr).is_some_and(|name| {
                matches!(self.d.shadows.get(name), Some(Some(shadow)) if self.d.is_pointer(shadow))
            });
            let number = self.d.kinds.of_expr(expr) == Kind::Real;
            return if reference && number {
                build::dereferenced(expr.clone())
            } else {
                expr.clone()
            };
        }
        let mut named = self.known.iter().chain(&self.atoms);
        let expr = &normal(expr);
        if let Some((_, name)) = named.find(|(known, _)| known == expr) {
            return build::name(name);
        }
        let name = self.d.numbered("v");
        let kind = self.d.kinds.of_expr(expr);
        self.d.kinds.declare(&name, kind);
        if self.d.names.only_number().is_none()
            && crate::emit::is_choice_or(expr, &|known| self.d.is_literal_name(known))
        {
            self.d.choices.insert(name.clone());
        }
        self.atoms.push((expr.clone(), name.clone()));
        build::name(&name)
    }

    /// The value of an expression by reference, for a rule of the library.
    pub(super) fn reference(&mut self, expr: &Expr, sibling: Option<&Expr>) -> Expr {
        if let Expr::Reference(e) = unwrapped(expr) {
            return self.reference(&e.expr, sibling);
        }
        let atom = self.atom(expr);
        if crate::emit::is_literal_or(&atom, &|name| self.d.is_literal_name(name))
            && let Some(sibling) = sibling
        {
            let sibling = self.reference(sibling, None);
            let beside = build::library(&["__private", "Beside"], vec![sibling]);
            let beside = build::borrowed(beside);
            return build::borrowed(build::method(beside, crate::emit::LITERAL, vec![atom]));
        }
        // That there is no such name is said where the name stands, once.
        if bare_name(unwrapped(expr)).is_some_and(|name| self.d.is_foreign(name)) {
            return build::method(atom, "__ref", Vec::new());
        }
        referred(atom)
    }

    /// The gradient under a name, where it is used more than once.
    pub(super) fn shared(&mut self, gradient: Gradient) -> Gradient {
        // What a method or a view gives cannot be asked for twice at once.
        if access(&gradient.expr).is_some_and(|place| !place.path.contains(&Step::Part)) {
            return gradient;
        }
        let name = self.d.numbered("g");
        self.d.kinds.declare(&name, gradient.kind.clone());
        let binding =
            Binding { pattern: build::pattern(&name), value: gradient.expr, verify: false };
        self.out.push(silent(self.at, Do::Bind(binding)));
        Gradient { expr: build::name(&name), kind: gradient.kind }
    }

    pub(super) fn pull(&mut self, expr: &Expr, g: Gradient, positive: bool) {
        if !self.d.is_active(expr) {
            return;
        }
        if access(expr).is_some() {
            return self.leaf(expr, g, positive);
        }
        if let Some(inner) = super::claim::inside(expr) {
            return self.pull(inner, g, positive);
        }
        match expr {
            Expr::Paren(e) => self.pull(&e.expr, g, positive),
            Expr::Group(e) => self.pull(&e.expr, g, positive),
            Expr::Reference(e) => self.pull(&e.expr, g, positive),
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => self.negation(e, g, positive),
            Expr::Binary(e) => self.binary(expr, e, g, positive),
            Expr::MethodCall(e) => self.method(expr, e, g, positive),
            // What is in it gets what is in the gradient.
            Expr::Call(e) if build::is_some(e) => {
                let inside = self.reference(&e.args[0], None);
                let arguments = vec![referred(g.expr), inside];
                let expr = build::library(&["derivative", "content"], arguments);
                self.pull(&e.args[0], Gradient { expr, kind: Kind::Unknown }, positive);
            }
            Expr::Call(e) => match as_method(e, &self.d.kinds) {
                Some(method) => self.method(expr, &method, g, positive),
                None => self.call(e, g, positive),
            },
            Expr::Cast(e) => {
                let argument = self.reference(&e.expr, None);
                let g = self.shared(g);
                let g = build::library(&["derivative", "cast"], vec![referred(g.expr), argument]);
                self.pull(&e.expr, Gradient { expr: g, kind: Kind::Unknown }, positive);
            }
            Expr::If(e) => self.branch(e, g, positive),
            Expr::Block(e) => self.block(&e.block, g, positive),
            Expr::Tuple(e) => {
                let g = self.shared(g);
                for (i, part) in e.elems.iter().enumerate() {
                    self.project(part, &g, build::part(i), positive);
                }
            }
            Expr::Array(e) => self.elements(e.elems.iter(), g, positive),
            Expr::Macro(e) if e.mac.path.is_ident("vec") => {
                match (filled_vector(&e.mac), listed_vector(&e.mac)) {
                    (Some((element, _)), _) => self.repeated(&element, g, positive),
                    (_, Some(elements)) => self.elements(elements.iter(), g, positive),
                    _ => self.underivable(e),
                }
            }
            Expr::Struct(e) if e.rest.is_none() => {
                let g = self.shared(g);
                for field in &e.fields {
                    self.project(&field.expr, &g, field.member.clone(), positive);
                }
            }
            Expr::Struct(e) => self.d.diagnostics.error(
                e,
                "which fields `..` stands for is not known here, and so not where their gradients go",
                "name every field: `Q { a: …, b: p.b }`",
            ),
            Expr::Repeat(e) => self.repeated(&e.expr, g, positive),
            Expr::Field(_) | Expr::Index(_) => self.part(expr, g, positive),
            other => self.underivable(other),
        }
    }

    /// `[a, b]` or `vec![a, b]`.
    fn elements<'e>(
        &mut self,
        elements: impl Iterator<Item = &'e Expr>,
        g: Gradient,
        positive: bool,
    ) {
        let g = self.shared(g);
        for (i, element) in elements.enumerate() {
            let expr = build::index(g.expr.clone(), build::integer(i));
            let kind = crate::kinds::Kinds::element(g.kind.clone());
            self.pull(element, Gradient { expr, kind }, positive);
        }
    }

    /// `[a; n]` or `vec![a; n]`: the gradients of all elements go to one value.
    fn repeated(&mut self, element: &Expr, g: Gradient, positive: bool) {
        let g = self.shared(g);
        let kind = crate::kinds::Kinds::element(g.kind);
        let sum = build::library(&["derivative", "sum"], vec![build::borrowed(g.expr)]);
        self.pull(element, Gradient { expr: sum, kind }, positive);
    }

    /// A part of what a struct, tuple or constructor is made of.
    pub(super) fn project(&mut self, part: &Expr, g: &Gradient, member: Member, positive: bool) {
        let kind = match (&g.kind, &member) {
            (Kind::Tuple(parts), Member::Unnamed(i)) => {
                parts.get(i.index as usize).cloned().unwrap_or(Kind::Unknown)
            }
            _ => Kind::Unknown,
        };
        let expr = self.d.field(g.expr.clone(), member);
        self.pull(part, Gradient { expr, kind }, positive);
    }

    /// A place that is read.
    fn leaf(&mut self, place: &Expr, g: Gradient, positive: bool) {
        let Some(shadow) = self.d.shadow_of_value(place) else { return };
        let kind = self.d.kinds.of_expr(place);
        self.d.written(place);
        self.out.extend(add(self.at, shadow, &kind, g, positive));
    }

    fn negation(&mut self, e: &syn::ExprUnary, g: Gradient, positive: bool) {
        if self.d.kinds.of_expr(&e.expr) != Kind::Unknown {
            return self.pull(&e.expr, g, !positive);
        }
        build::stand_at(e.op.span());
        let g = self.shared(g);
        let arguments = vec![referred(g.expr), self.reference(&e.expr, None)];
        let expr = build::library(&["derivative", "PullNeg", "pull_neg"], arguments);
        self.pull(&e.expr, Gradient { expr, kind: Kind::Unknown }, positive);
    }

    fn binary(&mut self, whole: &Expr, e: &syn::ExprBinary, g: Gradient, positive: bool) {
        build::stand_at(e.op.span());
        let (left, right) = (self.d.is_active(&e.left), self.d.is_active(&e.right));
        let sides = [(&e.left, &e.right), (&e.right, &e.left)];
        if let (BinOp::Mul(_), Some((x, root))) =
            (&e.op, sides.into_iter().find(|(x, root)| is_root_of(root, x)))
        {
            // `x √x`, as distances are cubed: without a division on the way back.
            let root = self.reference(root, None);
            return self.by_rule(x, "own_root", g, vec![root], positive);
        }
        let kinds = (self.d.kinds.of_expr(&e.left), self.d.kinds.of_expr(&e.right));
        if kinds == (Kind::Real, Kind::Real) {
            return self.real_binary(whole, e, g, positive);
        }
        let literal = [&e.left, &e.right].map(|side| self.d.names.is_literal(side));
        let (rule, function) = match &e.op {
            BinOp::Add(_) => ("PullAdd", "pull_add"),
            BinOp::Sub(_) => ("PullSub", "pull_sub"),
            BinOp::Mul(_) => ("PullMul", "pull_mul"),
            BinOp::Div(_) => ("PullDiv", "pull_div"),
            BinOp::Rem(_) => ("PullRem", "pull_rem"),
            other => return self.underivable(other),
        };
        let g = if left && right { self.shared(g) } else { g };
        let minus = matches!(e.op, BinOp::Sub(_));
        // A literal has the type of what it stands beside, if that is a number; what a type
        // of the user's own makes of it, its rule says.
        let beside = if literal[0] { &kinds.1 } else { &kinds.0 };
        match (&e.op, literal) {
            _ if *beside == Kind::Unknown => {}
            (BinOp::Add(_) | BinOp::Sub(_), [_, true]) => {
                return self.pull(&e.left, g, positive);
            }
            (BinOp::Add(_) | BinOp::Sub(_), [true, _]) => {
                return self.pull(&e.right, g, positive != minus);
            }
            (BinOp::Mul(_), [true, _]) => {
                let expr = build::times(g.expr, (*e.left).clone());
                return self.pull(&e.right, Gradient { expr, kind: g.kind }, positive);
            }
            (BinOp::Mul(_), [_, true]) => {
                let expr = build::times(g.expr, (*e.right).clone());
                return self.pull(&e.left, Gradient { expr, kind: g.kind }, positive);
            }
            (BinOp::Div(_), [_, true]) => {
                let expr = build::over(g.expr, (*e.right).clone());
                return self.pull(&e.left, Gradient { expr, kind: g.kind }, positive);
            }
            _ => {}
        }
        let g = self.shared(g);
        let a = self.reference(&e.left, Some(&e.right));
        let b = self.reference(&e.right, Some(&e.left));
        for (active, side, operand) in [(left, "left", &e.left), (right, "right", &e.right)] {
            if active {
                build::stand_at(e.op.span());
                let function = format!("{function}_{side}");
                let mut arguments = vec![referred(g.expr.clone()), a.clone(), b.clone()];
                if function == "pull_div_right" {
                    arguments.push(self.reference(whole, None));
                }
                let expr = build::library(&["derivative", rule, &function], arguments);
                let kind = self.d.kinds.of_expr(operand);
                self.pull(operand, Gradient { expr, kind }, positive);
            }
        }
    }

    /// Operators on real numbers, by their formulas.
    fn real_binary(&mut self, whole: &Expr, e: &syn::ExprBinary, g: Gradient, positive: bool) {
        let (left, right) = (self.d.is_active(&e.left), self.d.is_active(&e.right));
        let real = |expr: Expr| Gradient { expr, kind: Kind::Real };
        match &e.op {
            BinOp::Add(_) | BinOp::Sub(_) => {
                let minus = matches!(e.op, BinOp::Sub(_));
                let g = if left && right { self.shared(g) } else { g };
                self.pull(&e.left, g.clone(), positive);
                self.pull(&e.right, g, positive != minus);
            }
            // Both factors are the same: once, and twice as much.
            BinOp::Mul(_) if e.left == e.right => {
                let twice = build::times(build::float("2.0"), g.expr);
                let factor = self.atom(&e.right);
                self.pull(&e.left, real(build::times(twice, factor)), positive);
            }
            BinOp::Mul(_) => {
                let g = if left && right { self.shared(g) } else { g };
                if left {
                    let factor = self.atom(&e.right);
                    self.pull(&e.left, real(build::times(g.expr.clone(), factor)), positive);
                }
                if right {
                    let factor = self.atom(&e.left);
                    self.pull(&e.right, real(build::times(g.expr, factor)), positive);
                }
            }
            BinOp::Div(_) => {
                let divisor = self.atom(&e.right);
                if !right {
                    return self.pull(&e.left, real(build::over(g.expr, divisor)), positive);
                }
                // A division that need not wait for the gradient.
                let one = build::over(build::float("1.0"), divisor);
                let mut quotient = real(build::times(g.expr, self.atom(&one)));
                if left {
                    quotient = self.shared(quotient);
                }
                self.pull(&e.left, quotient.clone(), positive);
                let value = self.atom(whole);
                self.pull(&e.right, real(build::times(quotient.expr, value)), !positive);
            }
            BinOp::Rem(_) => {
                let g = if right { self.shared(g) } else { g };
                self.pull(&e.left, g.clone(), positive);
                if right {
                    build::stand_at(e.op.span());
                    let a = self.reference(&e.left, Some(&e.right));
                    let b = self.reference(&e.right, Some(&e.left));
                    let rule = ["derivative", "PullRem", "pull_rem_right"];
                    let expr = build::library(&rule, vec![referred(g.expr), a, b]);
                    self.pull(&e.right, real(expr), positive);
                }
            }
            other => self.underivable(other),
        }
    }

    /// A part of a value that is not a place: `f(x).0`.
    fn part(&mut self, expr: &Expr, g: Gradient, positive: bool) {
        let base = match expr {
            Expr::Field(e) => &e.base,
            Expr::Index(e) => &e.expr,
            _ => unreachable!("called with a part"),
        };
        if let (Expr::Field(e), Expr::MethodCall(call)) = (expr, unwrapped(base))
            && call.method == "sin_cos"
            && let Member::Unnamed(index) = &e.member
        {
            let name = if index.index == 0 { "sin" } else { "cos" };
            let function = build::method((*call.receiver).clone(), name, Vec::new());
            return self.pull(&function, g, positive);
        }
        let name = self.atom(base);
        let Some(root) = bare_name(&name).cloned() else { return self.underivable(expr) };
        let shadow = self.d.fresh(&format!("d_{root}"));
        self.out.push(super::allocate_shadow(self.at, &shadow, &name));
        let place = match expr {
            Expr::Field(e) => self.d.field(build::name(&shadow), e.member.clone()),
            Expr::Index(e) => build::index(build::name(&shadow), (*e.index).clone()),
            _ => unreachable!("called with a part"),
        };
        self.out.extend(add(self.at, place, &Kind::Unknown, g, true));
        let kind = self.d.kinds.of_expr(base);
        self.pull(base, Gradient { expr: build::name(&shadow), kind }, positive);
    }

    pub(super) fn underivable(&mut self, expr: &impl ToTokens) {
        underivable(self.d.diagnostics, expr);
    }
}

pub(super) fn underivable(diagnostics: &mut Diagnostics, expr: &impl ToTokens) {
    diagnostics.error(
        expr,
        "this has no derivative, but a value that carries a gradient goes through it",
        "write it with operators, methods of numbers and `#[differentiable]` functions, mark \
         what it reads `#[constant]`, or mark the function `#[reversible(inverse_only)]`",
    );
}

/// Whether an expression is the square root of another one.
fn is_root_of(root: &Expr, x: &Expr) -> bool {
    matches!(unwrapped(root), Expr::MethodCall(call)
        if call.method == "sqrt" && normal(&call.receiver) == normal(x))
}

/// A statement that the differentiation inserts: it has no checks of its own.
pub(super) fn silent(at: &Statement, kind: Do) -> Statement {
    Statement { checked: false, generated: true, ..at.with(kind) }
}

/// Adds a gradient to a shadow.
pub(super) fn add(
    at: &Statement,
    shadow: Expr,
    kind: &Kind,
    g: Gradient,
    positive: bool,
) -> Option<Statement> {
    let (operator, value) = if *kind == Kind::Real {
        (if positive { Operator::Add } else { Operator::Subtract }, g.expr)
    } else {
        let value = if access(&g.expr).is_some() {
            build::method(g.expr, "__value", Vec::new())
        } else {
            g.expr
        };
        (if positive { Operator::Accumulate } else { Operator::Retract }, value)
    };
    Some(silent(at, Do::Update { place: shadow, operator, value }))
}

/// A reference to a value, whatever references it is behind.
pub(super) fn referred(expr: Expr) -> Expr {
    if matches!(&expr, Expr::Lit(_)) {
        return build::borrowed(expr);
    }
    let expr = match bare_name(&expr) {
        Some(name) => build::moved_here(name),
        None if matches!(expr, Expr::Unary(_)) => build::parenthesised(expr),
        None => build::block_moved_here(expr),
    };
    build::method(expr, "__ref", Vec::new())
}

pub(super) fn unwrapped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(e) => unwrapped(&e.expr),
        Expr::Group(e) => unwrapped(&e.expr),
        other => other,
    }
}
