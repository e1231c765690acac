//! Expressions in code that may be generic: literals take the type of what
//! stands beside them, and values are cloned out of their places.
//!
//! A function without type parameters needs none of this and keeps its text.

use super::folding;
use super::literals::{is_choice_or, is_taken_apart};
use super::made_of_literals;
use crate::differentiate::{claim, is_library};
use crate::effects::{handed_places, handed_to_method, lent_names};
use crate::names::{Mode, Names};
use crate::place::{Step, access, bare_name, identifiers, is_shape, mutable_borrows};
use crate::text::{filled_vector, is_one_of, listed_vector};
use crate::visit::Visit;
use crate::visit::VisitMut;
use proc_macro2::{Span, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprCall, Local, Pat, Stmt, UnOp, parse_quote, parse_quote_spanned};

/// Methods of numbers that take their receiver by value.
const NUMERIC: [&str; 52] = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "clamp",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "div_euclid",
    "exp",
    "exp2",
    "exp_m1",
    "fast_exp",
    "fast_tanh",
    "floor",
    "fract",
    "hypot",
    "ln",
    "ln_1p",
    "log",
    "log10",
    "log2",
    "max",
    "min",
    "mul_add",
    "norm",
    "norm_sqr",
    "pow",
    "powc",
    "powf",
    "powi",
    "recip",
    "rem_euclid",
    "round",
    "scale",
    "scaled",
    "signum",
    "sin",
    "sin_cos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "to_radians",
    "trunc",
];

/// Rewrites expressions of one function.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    /// What its names stand for.
    pub names: &'a Names,
    /// Whether types are unknown: else expressions stay as they are.
    pub generic: bool,
    /// For people: without what only serves the compiler's diagnostics.
    pub readable: bool,
    /// Whether products in sums may be rounded with them, once.
    pub fused: bool,
    /// Whether expressions are known to be pure.
    pub trusted: bool,
    /// Whether no type parameter is in sight or out of it.
    pub settled: bool,
    /// The type of literals, where it must be told.
    pub literals: Option<&'a syn::Ident>,
    /// Names for numbers in the block of an expression.
    pub locals: &'a [syn::Ident],
}

impl Values<'_> {
    /// The expression, evaluated to a value of its own.
    pub fn value(&self, expr: &Expr) -> Expr {
        let value = if self.generic { self.owned(expr) } else { self.plain(expr) };
        self.purely(expr, value)
    }

    /// The body of a function that gives a value.
    pub fn body(&self, block: &syn::Block) -> syn::Block {
        let mut block = block.clone();
        if self.generic {
            self.block(&mut block, true);
            return block;
        }
        let (attrs, label) = (Vec::new(), None);
        match self.value(&Expr::Block(syn::ExprBlock { attrs, label, block: block.clone() })) {
            Expr::Block(body) => body.block,
            _ => block,
        }
    }

    /// The right side of an update of `place`.
    pub fn accumulated(&self, place: &Expr, value: &Expr) -> Expr {
        if self.generic && self.is_literal(value) {
            self.purely(value, self.like(place, value))
        } else {
            self.value(value)
        }
    }

    /// A condition.
    pub fn condition(&self, expr: &Expr) -> Expr {
        let condition = if self.generic { self.inner(expr) } else { self.plain(expr) };
        self.purely(expr, condition)
    }

    /// An argument of a call.
    pub fn argument(&self, expr: &Expr) -> Expr {
        let lent =
            |name: &syn::Ident| matches!(self.names.mode(name), Mode::Mutable | Mode::Unknown);
        if self.generic && bare_name(expr).is_some() && self.is_literal(expr) {
            return self.converted(expr);
        }
        if let Some(name) = bare_name(expr)
            && self.generic
            && self.names.is_own_value(name)
        {
            return cloned(expr);
        }
        if let Some(name) = bare_name(expr)
            && self.generic
            && self.names.is_computed(name)
        {
            return kept(expr);
        }
        // What is asked of ours lends nothing.
        if matches!(expr, Expr::MethodCall(e) if is_library(&e.receiver)) {
            return self.inner(expr);
        }
        if bare_name(expr).is_some()
            || !mutable_borrows(expr).is_empty()
            || lent_names(expr).iter().any(lent)
        {
            return expr.clone();
        }
        match expr {
            Expr::Reference(e)
                if access(&e.expr).is_none() || self.generic && self.is_literal(&e.expr) =>
            {
                let (value, mutability) = (self.value(&e.expr), &e.mutability);
                let span = expr.span();
                parse_quote_spanned!(span=> &#mutability #value)
            }
            Expr::Reference(_) => expr.clone(),
            _ => {
                let value = if self.generic { self.operand(expr) } else { self.plain(expr) };
                // One of several values, which may hold references to be written.
                let choice = !self.trusted
                    && access(expr).is_none()
                    && handed_places(expr).into_iter().any(|place| may_lend(place, self.names));
                if choice { purely(&value) } else { self.purely(expr, value) }
            }
        }
    }

    /// What a method is called on that is no place: it is only read, and the types say so.
    pub fn receiver(&self, expr: &Expr) -> Expr {
        let value = self.condition(expr);
        let span = Span::call_site().located_at(expr.span());
        parse_quote_spanned!(span=> (&#value))
    }

    /// Evaluates an expression that calls what we do not know inside a closure
    /// that may only read: so Rust itself rejects a call that changes something.
    pub(super) fn purely(&self, written: &Expr, emitted: Expr) -> Expr {
        if self.trusted {
            return emitted;
        }
        let emitted = if may_mutate(written, self.names) { purely(&emitted) } else { emitted };
        super::steady::steadily(written, emitted, self.names)
    }

    /// A place or anything else, where its value is needed.
    pub(super) fn owned(&self, expr: &Expr) -> Expr {
        if self.is_literal(expr) {
            return self.converted(expr);
        }
        if self.is_place(expr) {
            let copied = bare_name(expr).is_some_and(|n| self.names.mode(n) == Mode::Primitive);
            return if copied { expr.clone() } else { cloned(expr) };
        }
        // An element cannot be moved out of an array.
        if matches!(expr, Expr::Index(_)) {
            return cloned(&self.inner(expr));
        }
        self.inner(expr)
    }

    fn operand(&self, expr: &Expr) -> Expr {
        match bare_name(expr) {
            Some(_) if self.is_literal(expr) => self.converted(expr),
            Some(name) if self.names.is_own_value(name) => cloned(expr),
            Some(name) if self.names.is_computed(name) => kept(expr),
            Some(name) if self.locals.contains(name) => kept(expr),
            Some(_) => expr.clone(),
            None => self.owned(expr),
        }
    }

    /// The literal in the type that its place asks for.
    fn converted(&self, literal: &Expr) -> Expr {
        let (span, rest) = (literal.span(), folding::rest(literal));
        let literal = self.unconverted(literal);
        let told = self.literals.map(|ty| quote!(::<#ty>));
        match rest {
            Some(rest) => parse_quote_spanned!(span=>
                ::retrograde::num::literal_with #told (#literal, #rest)),
            None => parse_quote_spanned!(span=> ::retrograde::num::literal #told (#literal)),
        }
    }

    /// The literal in the type of `other`.
    pub(super) fn like(&self, other: &Expr, literal: &Expr) -> Expr {
        like(other, &self.unconverted(literal))
    }

    /// The literal as Rust has it. What chooses between literals is written as elsewhere.
    pub(super) fn unconverted(&self, literal: &Expr) -> Expr {
        let mut literal = literal.clone();
        match &mut literal {
            Expr::If(e) => {
                *e.cond = self.inner(&e.cond);
                self.block(&mut e.then_branch, false);
                if let Some((_, otherwise)) = &mut e.else_branch {
                    **otherwise = self.unconverted(otherwise);
                }
            }
            Expr::Block(e) => self.block(&mut e.block, false),
            Expr::Paren(e) => *e.expr = self.unconverted(&e.expr),
            Expr::Unary(e) => *e.expr = self.unconverted(&e.expr),
            Expr::Binary(e) => {
                *e.left = self.unconverted(&e.left);
                *e.right = self.unconverted(&e.right);
            }
            Expr::MethodCall(e) => {
                *e.receiver = self.unconverted(&e.receiver);
                e.args.iter_mut().for_each(|argument| *argument = self.unconverted(argument));
            }
            _ => {}
        }
        literal
    }

    /// Whether an expression is a literal, or chooses between such.
    pub(super) fn is_literal(&self, expr: &Expr) -> bool {
        is_choice_or(expr, &|name| self.names.is_literal_name(name))
    }

    pub(super) fn is_place(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(e) => self.is_place(&e.expr),
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) => {
                access(expr).is_some_and(|a| !a.path.contains(&Step::Shape))
            }
            _ => false,
        }
    }

    /// Everything but a place: rewrites what it is made of.
    fn inner(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        if is_library(&expr) {
            let evaluated = crate::decide::evaluated_by(&mut expr);
            if !evaluated.is_empty() {
                evaluated.into_iter().for_each(|value| *value = self.owned(value));
            } else if claim(&expr).is_some() {
                self.claimed(&mut expr);
            } else if let Some(value) = beside_kept(&mut expr)
                && self.is_literal(value)
            {
                *value = self.converted(value);
            }
            return expr;
        }
        match &mut expr {
            Expr::Binary(e) if is_arithmetic(&e.op) => return self.binary(e, Self::owned),
            Expr::Binary(e) if is_comparison(&e.op) => return self.binary(e, Self::inner),
            Expr::Binary(e) => {
                *e.left = self.inner(&e.left);
                *e.right = self.inner(&e.right);
            }
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => *e.expr = self.owned(&e.expr),
            Expr::Unary(e) if matches!(e.op, UnOp::Not(_)) => *e.expr = self.inner(&e.expr),
            Expr::Paren(e) => *e.expr = self.inner(&e.expr),
            Expr::MethodCall(e) => {
                let numeric = is_numeric(&e.method);
                *e.receiver =
                    if numeric { self.owned(&e.receiver) } else { self.inner(&e.receiver) };
                for argument in &mut e.args {
                    *argument = if numeric { self.owned(argument) } else { self.operand(argument) };
                }
            }
            // Its literals are what they are for Rust, which finds no type for others.
            Expr::Call(e)
                if self.settled && is_complex(e) && e.args.iter().all(|a| self.is_literal(a)) => {}
            Expr::Call(e) => {
                e.args.iter_mut().for_each(|argument| *argument = self.operand(argument));
            }
            Expr::If(e) => {
                *e.cond = self.inner(&e.cond);
                self.block(&mut e.then_branch, true);
                if let Some((_, otherwise)) = &mut e.else_branch {
                    **otherwise = self.inner(otherwise);
                }
            }
            Expr::Block(e) => self.block(&mut e.block, true),
            Expr::Reference(e) if self.is_literal(&e.expr) => *e.expr = self.converted(&e.expr),
            Expr::Reference(e) if !self.is_place(&e.expr) => *e.expr = self.inner(&e.expr),
            Expr::Tuple(e) => e.elems.iter_mut().for_each(|item| *item = self.owned(item)),
            Expr::Array(e) => e.elems.iter_mut().for_each(|item| *item = self.owned(item)),
            Expr::Repeat(e) => *e.expr = self.owned(&e.expr),
            // A part of a value that is not a place.
            Expr::Field(e) if !self.is_place(&e.base) => *e.base = self.inner(&e.base),
            Expr::Index(e) if !self.is_place(&e.expr) => *e.expr = self.inner(&e.expr),
            Expr::Macro(e) => {
                if let Some((element, length)) = filled_vector(&e.mac) {
                    let (element, length) = (self.owned(&element), self.inner(&length));
                    e.mac.tokens = quote!(#element; #length);
                } else if let Some(elements) = listed_vector(&e.mac) {
                    let elements = elements.iter().map(|element| self.owned(element));
                    e.mac.tokens = quote!(#(#elements),*);
                }
            }
            Expr::Struct(e) => {
                e.fields.iter_mut().for_each(|field| field.expr = self.owned(&field.expr));
            }
            _ => {}
        }
        expr
    }

    /// What a claim is about.
    fn claimed(&self, claim: &mut Expr) {
        let Expr::Call(call) = claim else { return };
        for about in &mut call.args {
            match about {
                Expr::MethodCall(e) if e.method == "__ref" => {
                    if !self.is_place(&e.receiver) {
                        *e.receiver = self.inner(&e.receiver);
                    }
                }
                other => *other = self.inner(other),
            }
        }
    }

    fn block(&self, block: &mut syn::Block, converted: bool) {
        let mut locals = self.locals.to_vec();
        for i in 0..block.stmts.len() {
            let inside = Values { locals: &locals, ..*self };
            let (statement, after) = match block.stmts[i..].split_first_mut() {
                Some((statement, after)) => (statement, &*after),
                None => return,
            };
            match statement {
                Stmt::Local(local) => {
                    let Some(init) = &mut local.init else { continue };
                    let computed = crate::names::is_computed(&init.expr);
                    *init.expr = inside.declared(&local.pat, &init.expr, after);
                    let names = crate::names::pattern_names(&local.pat);
                    // Another value may have the same name.
                    locals.retain(|name| !names.contains(name));
                    locals.extend(names.into_iter().filter(|_| computed));
                }
                Stmt::Expr(expr, None) if converted => *expr = inside.owned(expr),
                Stmt::Expr(expr, None) => *expr = inside.unconverted(expr),
                // What only looks.
                Stmt::Expr(expr, Some(_)) if is_library(expr) => *expr = inside.inner(expr),
                _ => {}
            }
        }
    }

    /// What a name is declared as among the statements of an expression.
    fn declared(&self, pattern: &Pat, value: &Expr, after: &[Stmt]) -> Expr {
        let Pat::Ident(name) = pattern else { return self.owned(value) };
        if self.names.is_literal_name(&name.ident) {
            return self.unconverted(value);
        }
        let literals = |e: &Expr| made_of_literals(e, &|name| self.names.is_literal_name(name));
        let parts = match value {
            Expr::Tuple(e) => e.elems.iter().all(literals),
            other => literals(other),
        };
        if !parts || self.is_literal(value) || !is_taken_apart(&name.ident, after) {
            return self.owned(value);
        }
        let literals = self.names.only_number();
        Values { literals, generic: literals.is_some(), ..*self }.value(value)
    }

    /// An operator between two operands; a literal takes the other one's type.
    fn binary(&self, e: &syn::ExprBinary, rewrite: fn(&Self, &Expr) -> Expr) -> Expr {
        if let Some(sum) = self.sum_of_product(e) {
            return sum;
        }
        let (op, span) = (&e.op, e.op.span());
        let named = |expr: &Expr| self.is_place(expr);
        match (self.is_literal(&e.left), self.is_literal(&e.right)) {
            (true, false) => {
                let right = rewrite(self, &e.right);
                if named(&e.right) {
                    let left = self.like(&e.right, &e.left);
                    return parse_quote_spanned!(span=> #left #op #right);
                }
                let name = syn::Ident::new("__right", Span::mixed_site());
                let left = self.like(&parse_quote!(#name), &e.left);
                parse_quote_spanned!(span=> { let #name = #right; #left #op #name })
            }
            (false, true) => {
                let left = rewrite(self, &e.left);
                if named(&e.left) {
                    let right = self.like(&e.left, &e.right);
                    return parse_quote_spanned!(span=> #left #op #right);
                }
                let name = syn::Ident::new("__left", Span::mixed_site());
                let literal = syn::Ident::new("__right", Span::mixed_site());
                let right = self.like(&parse_quote!(#name), &e.right);
                parse_quote_spanned!(span=> {
                    let #name = #left;
                    let #literal = #right;
                    #name #op #literal
                })
            }
            _ => Expr::Binary(syn::ExprBinary {
                attrs: Vec::new(),
                left: Box::new(rewrite(self, &e.left)),
                op: e.op,
                right: Box::new(rewrite(self, &e.right)),
            }),
        }
    }
}

/// The value of a branch, which stands beside what the branch keeps.
fn beside_kept(call: &mut Expr) -> Option<&mut Expr> {
    match call {
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) if path.path.segments.last()?.ident == "together" => {
                call.args.first_mut()
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a method takes its receiver and its arguments by value.
pub fn is_numeric(method: &syn::Ident) -> bool {
    is_one_of(method, &NUMERIC)
}

/// The method that gives a literal in the type that it has beside something.
pub const LITERAL: &str = "__literal";
/// The same of what literals were computed to.
pub const LITERAL_WITH: &str = "__literal_with";

/// Other methods that are known to only read.
const READING: [&str; 40] = [
    LITERAL,
    LITERAL_WITH,
    "__made",
    "__ref",
    "__stand_in",
    "__value",
    "arg",
    "as_slice",
    "chunks_exact",
    "clone",
    "cloned",
    "contains",
    "contains_key",
    "copied",
    "count_ones",
    "enumerate",
    "expect",
    "first",
    "get",
    "is_finite",
    "is_nan",
    "is_none",
    "is_some",
    "iter",
    "last",
    "leading_zeros",
    "rev",
    "step_by",
    "sum",
    "to_bits",
    "to_f64",
    "to_owned",
    "to_vec",
    "top",
    "trailing_zeros",
    "unwrap",
    "unwrap_or",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_sub",
];

/// The expression in a closure that may only read.
pub fn purely(expr: &Expr) -> Expr {
    if let Some(decision) = purely_decided(expr) {
        return decision;
    }
    let span = expr.span();
    parse_quote_spanned!(span=> ::retrograde::__private::pure(|| #expr))
}

/// Of a decision that is watched, `{ let __decided = …; … }`, each evaluation is in a closure of
/// its own: what it must not do is told as it is where nobody watches it.
fn purely_decided(expr: &Expr) -> Option<Expr> {
    struct Evaluations;
    impl VisitMut for Evaluations {
        fn visit_local_mut(&mut self, local: &mut Local) {
            if let Some(init) = &mut local.init {
                *init.expr = purely(&init.expr);
            }
        }
        // What decides whether it is evaluated again.
        fn visit_expr_call_mut(&mut self, _: &mut ExprCall) {}
    }
    let Expr::Block(block) = expr else { return None };
    let Some(Stmt::Local(Local { pat, .. })) = block.block.stmts.first() else { return None };
    if !crate::names::pattern_names(pat).iter().any(|name| name == "__decided") {
        return None;
    }
    let mut decision = block.clone();
    Evaluations.visit_block_mut(&mut decision.block);
    Some(Expr::Block(decision))
}

/// Whether a method is known to only read what it is called on.
pub fn only_reads(method: &syn::Ident) -> bool {
    let name = method.to_string();
    NUMERIC.contains(&name.as_str()) || READING.contains(&name.as_str()) || is_shape(&name)
}

/// Whether an expression calls something that may change a variable.
pub fn may_mutate(expr: &Expr, names: &Names) -> bool {
    struct Search<'a>(&'a Names, bool);
    impl Search<'_> {
        fn writable(&self, expr: &Expr) -> bool {
            let modes = [Mode::Mutable, Mode::Unknown, Mode::Value];
            access(expr).is_some_and(|a| modes.contains(&self.0.mode(&a.root)))
        }

        fn lends(&self, expr: &Expr) -> bool {
            may_lend(expr, self.0)
        }
    }
    impl<'e> Visit<'e> for Search<'_> {
        fn visit_expr_method_call(&mut self, call: &'e syn::ExprMethodCall) {
            let name = call.method.to_string();
            let receiver = &*call.receiver;
            // A type of the user's own may have a method that is named like a number's.
            let number = !self.0.is_of_unknown_type(receiver);
            let known =
                number && NUMERIC.contains(&name.as_str()) || READING.contains(&name.as_str());
            let handed = handed_to_method(receiver).into_iter().any(|place| self.lends(place));
            self.1 |= !known && !is_shape(&name) && (self.writable(receiver) || handed);
            self.1 |= !known && call.args.iter().any(|argument| self.lends(argument));
            crate::visit::visit_expr_method_call(self, call);
        }
        fn visit_expr_call(&mut self, call: &'e syn::ExprCall) {
            if is_library(&Expr::Call(call.clone())) {
                return;
            }
            let lent =
                |argument| handed_places(argument).into_iter().any(|place| self.lends(place));
            // A function that a variable or a field holds may change what it has captured.
            let called = match bare_name(&call.func) {
                Some(name) => self.0.is_declared(name),
                None => !matches!(&*call.func, Expr::Path(_)),
            };
            self.1 |= called || call.args.iter().any(lent);
            crate::visit::visit_expr_call(self, call);
        }
        fn visit_macro(&mut self, call: &'e syn::Macro) {
            let writable =
                |name: &syn::Ident| matches!(self.0.mode(name), Mode::Mutable | Mode::Value);
            self.1 |= identifiers(&call.tokens).iter().any(writable);
        }
    }
    let mut search = Search(names, false);
    search.visit_expr(expr);
    search.1
}

/// Whether a place may be a reference to be written, or hold one.
fn may_lend(expr: &Expr, names: &Names) -> bool {
    let modes = [Mode::Mutable, Mode::Unknown];
    access(expr).is_some_and(|place| {
        let (root, bare) = (&place.root, bare_name(expr).is_some());
        bare && modes.contains(&names.mode(root)) || names.holds_references(root)
    })
}

/// The literal in the type of `other`. A plain place stands where the literal does,
/// so that rustc says but once, and there, if there is no such type.
fn like(other: &Expr, literal: &Expr) -> Expr {
    let mut other = other.to_token_stream();
    let mut span = literal.span();
    let plain = !other.clone().into_iter().any(|token| matches!(token, TokenTree::Group(_)));
    if plain {
        span = other.span().located_at(span);
        let moved = |mut token: TokenTree| {
            token.set_span(token.span().located_at(span));
            token
        };
        other = other.into_iter().map(moved).collect();
    }
    let beside = quote_spanned!(span=> ::retrograde::__private::Beside);
    let rest = folding::rest(literal);
    let method = syn::Ident::new(if rest.is_some() { LITERAL_WITH } else { LITERAL }, span);
    let rest = rest.into_iter();
    parse_quote_spanned!(span=> (&#beside(&#other)).#method(#literal #(, #rest)*))
}

/// Built node by node rather than by `parse_quote!`, because every read of every
/// generic function passes through here.
pub(super) fn cloned(place: &Expr) -> Expr {
    let span = place.span();
    let receiver = match place {
        Expr::Unary(_) => Expr::Paren(syn::ExprParen {
            attrs: Vec::new(),
            paren_token: Default::default(),
            expr: Box::new(place.clone()),
        }),
        _ => place.clone(),
    };
    Expr::MethodCall(syn::ExprMethodCall {
        attrs: Vec::new(),
        receiver: Box::new(receiver),
        dot_token: syn::Token![.](span),
        method: syn::Ident::new("__value", span),
        turbofish: None,
        paren_token: syn::token::Paren(span),
        args: Default::default(),
    })
}

/// A copy of a variable that may be used again, a reference as a reference: named, so that
/// what is expected there, `&[f64]` for a `&Vec<f64>`, is not expected of the copy.
pub fn kept(name: &Expr) -> Expr {
    let span = name.span();
    let here = Span::mixed_site().located_at(span);
    let named = syn::Ident::new("__kept", here);
    let copy: Expr = parse_quote_spanned!(span=> ::core::clone::Clone::clone(&#name));
    parse_quote_spanned!(here=> { let #named = #copy; #named })
}

pub(super) fn is_arithmetic(operator: &BinOp) -> bool {
    use BinOp::*;
    matches!(operator, Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_))
}

/// Whether an operator compares.
pub fn is_comparison(operator: &BinOp) -> bool {
    use BinOp::*;
    matches!(operator, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}

/// Whether a call makes a complex number: `Complex::new(1.0, 0.0)`.
fn is_complex(call: &syn::ExprCall) -> bool {
    let Expr::Path(path) = &*call.func else { return false };
    let mut names = path.path.segments.iter().rev().skip(1);
    names.next().is_some_and(|owner| owner.ident == "Complex" && owner.arguments.is_empty())
}
