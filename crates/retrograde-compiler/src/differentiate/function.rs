//! Functions and methods in expressions: the elementary ones by their slopes,
//! the user's own by their pullbacks.

use super::expression::{Gradient, Pulling, referred, silent, unwrapped};
use super::{build, call_statement};
use crate::functions::{self, From, Takes};
use crate::ir::{Arm, Binding, Block, Call, Callee, Direction, Kind as Do};
use crate::kinds::{Kind, Kinds, is_complex};
use crate::names::{Mode, Names};
use crate::place::{access, bare_name};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::token::Paren;
use syn::{BinOp, Expr, ExprMethodCall, Member, Token};

impl Pulling<'_, '_> {
    pub(super) fn method(&mut self, whole: &Expr, e: &ExprMethodCall, g: Gradient, positive: bool) {
        build::stand_at(e.method.span());
        let name = e.method.to_string();
        let known = self.d.kinds.of_expr(&e.receiver) == Kind::Real;
        let real = |expr: Expr| Gradient { expr, kind: Kind::Real };
        if let Some((_, from)) = functions::UNARY.iter().find(|(n, _)| *n == name)
            && e.args.is_empty()
        {
            let x = &e.receiver;
            if known {
                let (expr, positive) = self.real_unary(&name, *from, whole, x, g, positive);
                return self.pull(x, real(expr), positive);
            }
            let operand = match from {
                From::Argument => self.reference(x, None),
                From::Value => self.reference(whole, None),
            };
            return self.by_rule(x, &name, g, vec![operand], positive);
        }
        if let Some((_, needs_value)) = functions::BINARY.iter().find(|(n, _)| *n == name)
            && let Some(y) = e.args.first()
        {
            let x = &*e.receiver;
            let g = self.shared(g);
            let mut operands = vec![self.reference(x, Some(y)), self.reference(y, Some(x))];
            if *needs_value {
                operands.push(self.reference(whole, None));
            }
            for (side, operand) in [("left", x), ("right", y)] {
                if !self.d.is_active(operand) {
                    continue;
                }
                let function = format!("{name}_{side}");
                // Where a slope may be zero, the rule keeps an infinite gradient out.
                let chooses = matches!(name.as_str(), "min" | "max");
                if known && !chooses {
                    self.by_slope(operand, &function, g.clone(), operands.clone(), positive);
                } else if chooses && access(operand).is_none() {
                    self.chosen(operand, &function, g.clone(), operands.clone(), positive);
                } else {
                    self.by_rule(operand, &function, g.clone(), operands.clone(), positive);
                }
            }
            return;
        }
        if let Some((_, takes)) = functions::OTHER.iter().find(|(n, _)| *n == name)
            && e.args.is_empty()
        {
            let x = &e.receiver;
            let operands = match takes {
                Takes::Nothing => Vec::new(),
                Takes::Argument => vec![self.reference(x, None)],
                Takes::ArgumentAndValue => {
                    vec![self.reference(x, None), self.reference(whole, None)]
                }
            };
            return self.by_rule(x, &name, g, operands, positive);
        }
        match name.as_str() {
            "clone" | "to_owned" if e.args.is_empty() => {
                self.pull(&e.receiver, g, positive);
            }
            "powi" if e.args.len() == 1 => {
                let (x, n) = (self.reference(&e.receiver, None), e.args[0].clone());
                if known {
                    let slope = match &n {
                        // A square needs no power.
                        Expr::Lit(literal) if literal.to_token_stream().to_string() == "2" => {
                            build::times(build::float("2.0"), self.atom(&e.receiver))
                        }
                        _ => build::library(&["derivative", "slope", "powi"], vec![x, n]),
                    };
                    let expr = build::times(g.expr, slope);
                    return self.pull(&e.receiver, real(expr), positive);
                }
                self.by_rule(&e.receiver, "powi", g, vec![x, n], positive);
            }
            "scaled" if e.args.len() == 1 => {
                let (x, factor) = (&*e.receiver, &e.args[0]);
                let g = if self.d.is_active(factor) { self.shared(g) } else { g };
                let expr = build::method(g.expr.clone(), "scaled", vec![factor.clone()]);
                if self.d.is_active(x) {
                    self.pull(x, Gradient { expr, kind: g.kind.clone() }, positive);
                }
                if self.d.is_active(factor) {
                    let operand = self.reference(x, None);
                    self.by_rule(factor, "scale", g, vec![operand], positive);
                }
            }
            "dot" if e.args.len() == 1 => {
                let (x, y) = (&*e.receiver, &e.args[0]);
                let g = self.shared(g);
                let operands = vec![self.reference(x, None), self.reference(y, None)];
                for (function, operand) in [("dot_left", x), ("dot_right", y)] {
                    if self.d.is_active(operand) {
                        self.by_rule(operand, function, g.clone(), operands.clone(), positive);
                    }
                }
            }
            // What is added or taken away is whole: only the divisor's share differs.
            "rem_euclid" if e.args.len() == 1 => {
                let (x, y) = (&*e.receiver, &e.args[0]);
                let g = self.shared(g);
                self.pull(x, g.clone(), positive);
                if self.d.is_active(y) {
                    build::stand_at(e.method.span());
                    let operands = vec![self.reference(x, Some(y)), self.reference(y, Some(x))];
                    self.by_slope_or_rule(known, y, "rem_euclid_right", g, operands, positive);
                }
            }
            "copysign" if e.args.len() == 1 => {
                let (x, y) = (&*e.receiver, &e.args[0]);
                if self.d.is_active(x) {
                    let operands = vec![self.reference(x, Some(y)), self.reference(y, Some(x))];
                    self.by_slope_or_rule(known, x, "copysign_left", g, operands, positive);
                }
            }
            "log" if e.args.len() == 1 => {
                let (x, base) = (&*e.receiver, &e.args[0]);
                let ln = |x: Expr| build::method(x, "ln", Vec::new());
                if self.d.names.is_literal(base) {
                    // A number of the same type, with as many digits.
                    let arguments = vec![self.reference(x, None), base.clone()];
                    let base = build::library(&["num", "like"], arguments);
                    let expr = build::over(g.expr, ln(base));
                    return self.pull(&ln(x.clone()), Gradient { expr, kind: g.kind }, positive);
                }
                self.pull(&build::over(ln(x.clone()), ln(base.clone())), g, positive);
            }
            "sin_cos" if e.args.is_empty() => {
                let value = self.reference(whole, None);
                self.by_rule(&e.receiver, "sin_cos", g, vec![value], positive);
            }
            "to_vec" if e.args.is_empty() => self.copied(&e.receiver, g, positive),
            _ => match composed(e, self.d.names) {
                Some(simpler) => self.pull(&simpler, g, positive),
                None => self.user_method(e, g, positive),
            },
        }
    }

    /// An operand of `min` or `max`: where it was not chosen, nothing goes back
    /// through it, be its slope infinite.
    fn chosen(
        &mut self,
        operand: &Expr,
        function: &str,
        g: Gradient,
        operands: Vec<Expr>,
        positive: bool,
    ) {
        let mut arguments = vec![referred(g.expr)];
        arguments.extend(operands);
        let expr = build::library(&["derivative", "pull", function], arguments);
        let g = self.shared(Gradient { expr, kind: self.d.kinds.of_expr(operand) });
        let arguments = vec![referred(g.expr.clone())];
        let condition = build::library(&["derivative", "is_not_zero"], arguments);
        let body = self.inside(operand, g, positive);
        let arm = Arm { pre: condition.clone(), post: condition, verify: false, body };
        self.out.push(silent(self.at, Do::If { arms: vec![arm], otherwise: None }));
    }

    /// A function of the library on real numbers.
    fn by_slope(
        &mut self,
        operand: &Expr,
        function: &str,
        g: Gradient,
        operands: Vec<Expr>,
        positive: bool,
    ) {
        let slope = build::library(&["derivative", "slope", function], operands);
        let expr = build::times(g.expr, slope);
        self.pull(operand, Gradient { expr, kind: Kind::Real }, positive);
    }

    fn by_slope_or_rule(
        &mut self,
        real: bool,
        operand: &Expr,
        function: &str,
        g: Gradient,
        operands: Vec<Expr>,
        positive: bool,
    ) {
        if real {
            self.by_slope(operand, function, g, operands, positive);
        } else {
            self.by_rule(operand, function, g, operands, positive);
        }
    }

    /// A function of the library on a type that is not known to be real.
    pub(super) fn by_rule(
        &mut self,
        operand: &Expr,
        function: &str,
        g: Gradient,
        operands: Vec<Expr>,
        positive: bool,
    ) {
        let g = self.shared(g);
        let mut arguments = vec![referred(g.expr)];
        arguments.extend(operands);
        let expr = build::library(&["derivative", "pull", function], arguments);
        let kind = self.d.kinds.of_expr(operand);
        self.pull(operand, Gradient { expr, kind }, positive);
    }

    /// `g f′(x)`, and its sign.
    fn real_unary(
        &mut self,
        name: &str,
        from: From,
        whole: &Expr,
        x: &Expr,
        g: Gradient,
        positive: bool,
    ) -> (Expr, bool) {
        match name {
            // One evaluation gives both.
            "sin" | "cos" => {
                let sin = build::method(unwrapped(x).clone(), "sin", Vec::new());
                let cos = build::method(unwrapped(x).clone(), "cos", Vec::new());
                let (sin, cos) = (self.atom(&sin), self.atom(&cos));
                if name == "sin" {
                    (build::times(g.expr, cos), positive)
                } else {
                    (build::times(g.expr, sin), !positive)
                }
            }
            "exp" => (build::times(g.expr, self.atom(whole)), positive),
            "ln" => (build::over(g.expr, self.atom(x)), positive),
            _ => {
                let operand = match from {
                    From::Argument => self.reference(x, None),
                    From::Value => self.reference(whole, None),
                };
                let slope = build::library(&["derivative", "slope", name], vec![operand]);
                (build::times(g.expr, slope), positive)
            }
        }
    }

    /// The sum of the elements of a slice, each of which gets all of the gradient; or their
    /// product. Of what is perhaps no slice, the type is asked.
    fn of_each(&mut self, e: &ExprMethodCall, slice: &Expr, g: Gradient, positive: bool) {
        build::stand_at(e.method.span());
        let numbers = self.d.kinds.of_expr(slice).is_numbers();
        let Some(shadow) = self.d.shadow(slice) else { return self.underivable(slice) };
        self.d.written(slice);
        let g = self.shared(g);
        let whole = match numbers {
            true => build::index(shadow, syn::parse_quote!(..)),
            false if self.d.is_pointer(&shadow) => build::dereferenced(shadow),
            false => shadow,
        };
        let mut arguments = vec![build::lent(whole), referred(g.expr)];
        let function = match (e.method == "sum", positive) {
            (true, true) => "accumulate_each",
            (true, false) => "retract_each",
            (false, true) => "accumulate_factors",
            (false, false) => "retract_factors",
        };
        if e.method == "product" {
            arguments.push(build::method(slice.clone(), "iter", Vec::new()));
        }
        self.out.push(call_statement(self.at, &["derivative", function], arguments));
    }

    /// A slice that was copied: its shadow gets all elements.
    fn copied(&mut self, slice: &Expr, g: Gradient, positive: bool) {
        let Some(shadow) = self.d.shadow(slice) else { return self.underivable(slice) };
        self.d.written(slice);
        let g = self.shared(g);
        let function = if positive { "accumulate_slice" } else { "retract_slice" };
        let whole = build::index(shadow, syn::parse_quote!(..));
        let statement = call_statement(
            self.at,
            &["derivative", function],
            vec![build::lent(whole), build::borrowed(g.expr)],
        );
        self.out.push(statement);
    }

    /// A call of a pure function.
    pub(super) fn call(&mut self, e: &syn::ExprCall, g: Gradient, positive: bool) {
        let Expr::Path(path) = &*e.func else { return self.underivable(&e.func) };
        let Some(last) = path.path.segments.last() else { return };
        build::stand_at(last.ident.span());
        if let Some(name) = path.path.get_ident()
            && self.d.names.is_declared(name)
        {
            return self.d.diagnostics.error(
                e,
                format!(
                    "the derivative of `{name}` is not known: it is a value that is passed, and \
                     what carries a gradient goes through it"
                ),
                "call a `#[differentiable]` function by its name; or pass a `#[reversible]` \
                 function, `g: impl for<'a> Reversible<(&'a mut f64, &'a f64)>`, and call it as a \
                 statement, `g(y, &x);`; or mark what it reads `#[constant]`",
            );
        }
        let segments = path.path.segments.len();
        let owner = (segments > 1).then(|| path.path.segments[segments - 2].ident.to_string());
        // A constructor: the gradient has the same parts.
        let of_complex = segments > 1 && is_complex(&path.path.segments[segments - 2].ident);
        if last.ident == "new" && of_complex {
            let g = self.shared(g);
            for (argument, part) in e.args.iter().zip(["re", "im"]) {
                let member = Member::Named(Ident::new(part, last.ident.span()));
                self.project(argument, &g, member, positive);
            }
            return;
        }
        if of_complex && let Some(parts) = in_parts(path, &e.args) {
            return self.pull(&parts, g, positive);
        }
        if last.ident.to_string().starts_with(char::is_uppercase) {
            let g = self.shared(g);
            for (i, argument) in e.args.iter().enumerate() {
                self.project(argument, &g, build::part(i), positive);
            }
            return;
        }
        // The shadow of what is in a box is in a box, too.
        if last.ident == "new" && owner.as_deref() == Some("Box") && e.args.len() == 1 {
            let g = self.shared(g);
            let expr = build::dereferenced(g.expr);
            return self.pull(&e.args[0], Gradient { expr, kind: Kind::Unknown }, positive);
        }
        let of_a_type = owner.as_deref().is_some_and(|owner| {
            owner.starts_with(char::is_uppercase) || matches!(owner, "f32" | "f64")
        });
        if of_a_type && last.ident == "from_f64" && e.args.len() == 1 {
            let g = self.shared(g);
            let expr = build::library(&["derivative", "pull", "from_f64"], vec![referred(g.expr)]);
            return self.pull(&e.args[0], Gradient { expr, kind: Kind::Real }, positive);
        }
        if of_a_type && last.ident == "from" && e.args.len() == 1 {
            let argument = self.reference(&e.args[0], None);
            let g = self.shared(g);
            let expr = build::library(&["derivative", "cast"], vec![referred(g.expr), argument]);
            return self.pull(&e.args[0], Gradient { expr, kind: Kind::Unknown }, positive);
        }
        let g = self.signed(g, positive);
        let g = self.apart_from(g, e.args.iter());
        let callee = Callee::of_path(path);
        let companion = matches!(callee, Callee::Function(_));
        // What a function gives along cannot contain itself: where functions call
        // each other, there is a branch.
        let recursive = self.d.pure && self.d.branching;
        if self.d.keeping && companion && last.arguments.is_none() && !recursive {
            return self.call_and_back(e, callee, g);
        }
        let arguments: Vec<Expr> = e.args.iter().cloned().collect();
        self.pullback(callee, e.paren_token, &arguments, g);
    }

    /// A method of the user's own.
    fn user_method(&mut self, e: &ExprMethodCall, g: Gradient, positive: bool) {
        let of_all = e.method == "sum" || e.method == "product";
        if let Some(slice) = of_all.then(|| iterated(&e.receiver)).flatten() {
            let kind = self.d.kinds.of_expr(slice);
            if kind.is_numbers() || kind == Kind::Unknown {
                return self.of_each(e, slice, g, positive);
            }
        }
        if functions::STANDARD.contains(&e.method.to_string().as_str()) {
            let help = match e.method.to_string().as_str() {
                "first" | "last" | "get" => {
                    "read the element by its index, `x[0]`, where there is one: \
                     `if !x.is_empty() { … }`"
                }
                "into" => "name the type: `f64::from(x)`, or `x as f64`",
                "map_or" | "map_or_else" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else"
                    if is_of_element(&e.receiver) =>
                {
                    "read the element by its index, where there is one: `if x.is_empty() { … } else { \
                     *y += x[0]; }`"
                }
                "map_or" | "map_or_else" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" => {
                    "ask for it: `for v in option.iter() { … }`, and `if option.is_none() { … }`"
                }
                "expect" | "unwrap" => {
                    "take the value out before, and pass it as an argument of its own; an element \
                     of a slice is read by its index"
                }
                "product" => {
                    "write a loop that keeps every product: `#[compute] { let mut p = vec![0.0; \
                     x.len() + 1]; p[0] += 1.0; for k in 0..x.len() { p[k + 1] += p[k] * x[k]; } }`, \
                     and `*y += p[x.len()];`"
                }
                _ => {
                    "write a loop: `for v in x { *y += *v; }`, or with an ancilla, \
                     `#[compute] { let mut a = 0.0; for v in x { a += *v; } }`"
                }
            };
            return self.d.diagnostics.error(
                e,
                "this has no derivative, but a value that carries a gradient goes through it",
                help,
            );
        }
        // Of another number of arguments, of which rustc tells where the value is computed.
        let known = functions::is_known(&e.method.to_string());
        if known && self.d.kinds.of_expr(&e.receiver) == Kind::Real {
            return;
        }
        let g = self.signed(g, positive);
        let g = self.apart_from(g, e.args.iter().chain([&*e.receiver]));
        let callee = Callee::Method {
            receiver: e.receiver.clone(),
            name: e.method.clone(),
            turbofish: e.turbofish.clone(),
        };
        let arguments: Vec<Expr> = e.args.iter().cloned().collect();
        self.pullback(callee, e.paren_token, &arguments, g);
    }

    pub(super) fn pullback(
        &mut self,
        callee: Callee,
        parentheses: Paren,
        arguments: &[Expr],
        g: Gradient,
    ) {
        let mut inner = Block::new();
        let direction = Direction::Pullback;
        let call = Call { callee, arguments: arguments.to_vec(), parentheses, direction };
        self.d.pullback(call, g.expr, self.at, &mut inner);
        self.out.extend(inner);
    }

    /// The gradient by a name of its own, where it is in what holds the shadow of
    /// an argument, too.
    fn apart_from<'e>(
        &mut self,
        g: Gradient,
        arguments: impl Iterator<Item = &'e Expr>,
    ) -> Gradient {
        let Some(place) = access(&g.expr) else { return g };
        let mut reads = arguments.flat_map(crate::place::reads);
        let together = reads.any(|read| match self.d.shadows.get(&read.root) {
            Some(Some(shadow)) => access(shadow).is_some_and(|shadow| shadow.root == place.root),
            _ => false,
        });
        if !together {
            return g;
        }
        let name = self.d.numbered("g");
        self.d.kinds.declare(&name, g.kind.clone());
        let value = build::method(g.expr, "__value", Vec::new());
        let binding = Binding { pattern: build::pattern(&name), value, verify: false };
        self.out.push(silent(self.at, Do::Bind(binding)));
        Gradient { expr: build::name(&name), kind: g.kind }
    }

    /// The gradient with its sign, by a name: pullbacks only add.
    fn signed(&mut self, g: Gradient, positive: bool) -> Gradient {
        let g = self.shared(g);
        if positive {
            return g;
        }
        let expr = if g.kind == Kind::Real {
            build::negative(g.expr)
        } else {
            build::library(&["derivative", "negated"], vec![referred(g.expr)])
        };
        self.shared(Gradient { expr: build::parenthesised(expr), kind: g.kind })
    }
}

/// `f64::sin(x)` as `x.sin()`.
pub(super) fn as_method(call: &syn::ExprCall, kinds: &Kinds) -> Option<ExprMethodCall> {
    let Expr::Path(path) = &*call.func else { return None };
    let last = path.path.segments.last()?;
    let known = functions::is_known(&last.ident.to_string());
    // What another type or a module calls so may be anything.
    let owner = path.path.segments.iter().rev().nth(1)?;
    let claimed = call.args.first().is_some_and(|first| super::claim::inside(first).is_some());
    if !(kinds.is_number_type(&owner.ident) || claimed) || !known || call.args.is_empty() {
        return None;
    }
    let mut arguments = call.args.iter().cloned();
    let receiver = arguments.next()?;
    let method = build::method(receiver, &last.ident.to_string(), arguments.collect());
    match method {
        Expr::MethodCall(method) => Some(method),
        _ => None,
    }
}

/// What an iterator goes over, each element once: `x` in `x.iter().rev().copied()`.
fn iterated(expr: &Expr) -> Option<&Expr> {
    let Expr::MethodCall(call) = expr else { return None };
    match (call.method.to_string().as_str(), call.args.len()) {
        ("iter", 0) => Some(&call.receiver),
        ("copied" | "cloned" | "rev", 0) => iterated(&call.receiver),
        _ => None,
    }
}

/// Whether an option is of an element of a slice, by its place.
fn is_of_element(option: &Expr) -> bool {
    let Expr::MethodCall(call) = option else { return false };
    match call.method.to_string().as_str() {
        "first" | "last" | "get" => true,
        "copied" | "cloned" => is_of_element(&call.receiver),
        _ => false,
    }
}

/// A function that is made of others, as these.
fn composed(e: &ExprMethodCall, names: &Names) -> Option<Expr> {
    let x = match bare_name(&e.receiver) {
        // A method looks through references, an operator does not.
        Some(name) if matches!(names.mode(name), Mode::Shared | Mode::Mutable) => {
            build::dereferenced((*e.receiver).clone())
        }
        _ => (*e.receiver).clone(),
    };
    let arguments: Vec<Expr> = e.args.iter().cloned().collect();
    let plus = |a, b| build::binary(a, BinOp::Add(Default::default()), b);
    Some(match (e.method.to_string().as_str(), &arguments[..]) {
        ("mul_add", [a, b]) => plus(build::times(x, a.clone()), b.clone()),
        ("clamp", [low, high]) => {
            let raised = build::method(x, "max", vec![low.clone()]);
            build::method(raised, "min", vec![high.clone()])
        }
        ("fract", []) => x.clone(),
        ("to_radians", []) => build::times(x, build::float("0.017453292519943295")),
        ("to_degrees", []) => build::times(x, build::float("57.29577951308232")),
        _ => return None,
    })
}

/// `Complex::from_polar(r, angle)` and `Complex::cis(angle)` by `Complex::new`.
fn in_parts(path: &syn::ExprPath, arguments: &Punctuated<Expr, Token![,]>) -> Option<Expr> {
    let mut new = path.clone();
    let last = &mut new.path.segments.last_mut()?.ident;
    let function = std::mem::replace(last, Ident::new("new", last.span()));
    let arguments: Vec<&Expr> = arguments.iter().collect();
    let here = function.span();
    match (function.to_string().as_str(), &arguments[..]) {
        ("from_polar", [r, angle]) => Some(syn::parse_quote_spanned!(here=>
            #new((#r) * (#angle).cos(), (#r) * (#angle).sin()))),
        ("cis", [angle]) => {
            Some(syn::parse_quote_spanned!(here=> #new((#angle).cos(), (#angle).sin())))
        }
        _ => None,
    }
}
