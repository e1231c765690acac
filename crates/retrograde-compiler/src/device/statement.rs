//! Statements in the device's language.

use super::Printer;
use crate::ir::{Ancilla, Arm, Block, Call, Callee, Direction, Host, Kind, Operator, Statement};
use crate::optimise::shadowed;
use crate::place::{Access, Overlap, Step, access, bare_name, reads};
use crate::text::is_one_of;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::parse::Parser;
use syn::{Expr, Pat, Stmt};

impl Printer<'_> {
    /// A block, without its braces.
    pub(super) fn block(&mut self, block: &Block) {
        let before = self.scope.clone();
        self.find_stand_ins(block);
        block.iter().for_each(|statement| self.statement(statement));
        self.scope.end(&before);
    }

    /// Learns what is added to which shadow after a call.
    fn find_stand_ins(&mut self, block: &Block) {
        let stands_in = |name: &Ident| {
            block.iter().any(|statement| match &statement.kind {
                Kind::Allocate(own) => own.name == *name && stands_in(&own.value).is_some(),
                _ => false,
            })
        };
        for statement in block {
            if let Kind::Call(call) = &statement.kind
                && let Callee::Function(path) = &call.callee
                && library(path).as_deref() == Some("add_shadow")
                && let [shadow, own] = &call.arguments[..]
                && let Some(own) = bare_name(own).filter(|own| stands_in(own))
            {
                self.stand_ins.insert(own.clone(), shadow.clone());
            }
        }
    }

    /// From here on, checks are those of this statement.
    fn stand_at(&mut self, statement: &Statement) {
        self.current = (statement.source.clone(), statement.span);
        self.number_of_current = None;
    }

    fn inside(&mut self, block: &Block) {
        self.level += 1;
        self.block(block);
        self.level -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        self.stand_at(statement);
        match &statement.kind {
            Kind::Update { place, operator, value } => {
                if let (true, Some(written)) = (statement.checked, access(place)) {
                    reads(value).iter().for_each(|read| self.check_apart(&written, read));
                }
                let told = self.is_inferred(value) && !self.is_inferred(place);
                let (written, value) = (self.value(place), self.with_told(told, value));
                match operator {
                    Operator::Add => self.line(&format!("{written} += {value};")),
                    Operator::Subtract => self.line(&format!("{written} -= {value};")),
                    Operator::Xor => self.line(&format!("{written} ^= {value};")),
                    Operator::Accumulate => {
                        self.line(&format!("rg::add_shadow({written}, {value});"))
                    }
                    Operator::Retract => {
                        self.line(&format!("rg::retract_shadow({written}, {value});"));
                    }
                    Operator::Multiply | Operator::Divide => {
                        self.refuse(
                            place,
                            "the device has no numbers whose multiplication can be undone",
                            "add logarithms",
                        );
                    }
                }
            }
            Kind::Bind(binding) => {
                let lines = match &binding.pattern {
                    // A literal has the function's kind of number.
                    Pat::Ident(_) | Pat::Type(_) => self.declared(&binding.pattern, &binding.value),
                    other => self.declared(other, &binding.value),
                };
                lines.iter().for_each(|line| self.line(line));
            }
            Kind::Unbind(binding) if binding.verify => {
                if let Pat::Ident(name) = &binding.pattern
                    && let Some(name) = self.scope.get(&name.ident).map(str::to_string)
                {
                    let value = self.value(&binding.value);
                    self.check(&format!("rg::close({name}, {value})"));
                }
            }
            Kind::Unbind(_) => {}
            Kind::Allocate(ancilla) => self.allocate(ancilla),
            Kind::Release(ancilla) if ancilla.verify => {
                if let Some(name) = self.scope.get(&ancilla.name).map(str::to_string) {
                    let value = self.value(&ancilla.value);
                    self.check(&format!("rg::close({name}, {value})"));
                }
            }
            Kind::Release(_) => {}
            Kind::If { arms, otherwise } => self.branch(arms, otherwise.as_ref(), statement),
            Kind::While { pre, post, verify, body } => {
                let (pre, post) = (self.value(pre), self.value(post));
                if *verify {
                    self.check(&format!("!({post})"));
                }
                self.line(&format!("while ({pre}) {{"));
                self.inside(body);
                if *verify {
                    self.stand_at(statement);
                    self.level += 1;
                    self.check(&post);
                    self.level -= 1;
                }
                self.line("}");
            }
            Kind::For { pattern, sequence, reversed, body, .. } => {
                self.repeat(pattern, sequence, *reversed, body, statement);
            }
            Kind::Call(call) => {
                if statement.checked {
                    self.check_arguments(&call.arguments);
                }
                self.call(call);
            }
            Kind::Block(body) => {
                self.line("{");
                self.inside(body);
                self.line("}");
            }
            Kind::Host(host) => self.host(host),
            Kind::Compute { .. } => unreachable!("lowered before emission"),
        }
    }

    /// Checks that two places are not one, where only their indices can tell.
    fn check_apart(&mut self, a: &Access, b: &Access) {
        if self.names.overlap_as_written(a, b) != Overlap::Maybe {
            return;
        }
        let mut same = Vec::new();
        for steps in a.path.iter().zip(&b.path) {
            match steps {
                // Of ranges, none has a check here.
                (a, b) if a.is_range() || b.is_range() => return,
                (Step::Index(a), Step::Index(b)) if a != b => {
                    let (a, b) = (self.value(a), self.value(b));
                    same.push(format!("{a} == {b}"));
                }
                (a, b) if a == b => {}
                _ => return,
            }
        }
        if !same.is_empty() {
            self.check(&format!("!({})", same.join(" && ")));
        }
    }

    /// The same of what a call is lent.
    fn check_arguments(&mut self, arguments: &[Expr]) {
        let lent: Vec<(bool, Access)> = arguments
            .iter()
            .filter_map(|argument| match argument {
                Expr::Reference(e) => Some((e.mutability.is_some(), access(&e.expr)?)),
                _ => None,
            })
            .collect();
        for (i, (written, a)) in lent.iter().enumerate() {
            for (also, b) in &lent[i + 1..] {
                if a.root == b.root && (*written || *also) {
                    self.check_apart(a, b);
                }
            }
        }
    }

    fn allocate(&mut self, ancilla: &Ancilla) {
        let ty = ancilla.ty.as_ref().map(|ty| self.type_of(ty));
        let stand_in = self.stand_ins.get(&ancilla.name).cloned().zip(stands_in(&ancilla.value));
        if let Some((shadow, target)) = stand_in {
            let (target, shadow) = (self.value(target), self.value(&shadow));
            let name = self.scope.declare(&ancilla.name);
            return self.line(&format!("auto {name} = rg::stand_in({target}, {shadow});"));
        }
        let value = match shadowed(&ancilla.value) {
            Some(value) => match self.scope.get(value) {
                Some(value) => format!("rg::shadow({value})"),
                None => self.value(&ancilla.value),
            },
            None => self.value(&ancilla.value),
        };
        if ty.as_ref().is_none_or(String::is_empty) && self.is_vague(&ancilla.value) {
            self.refuse_vague(&ancilla.name);
        }
        let name = self.scope.declare(&ancilla.name);
        if ty.is_none() && self.is_inferred(&ancilla.value) {
            self.scope.infer(&name);
        }
        match ty.filter(|ty| !ty.is_empty()) {
            Some(ty) => self.line(&format!("{ty} {name} = rg::as<{ty}>({value});")),
            None => self.line(&format!("auto {name} = rg::value({value});")),
        }
    }

    fn branch(&mut self, arms: &[Arm], otherwise: Option<&Block>, statement: &Statement) {
        let mut ends = 0;
        for (i, arm) in arms.iter().enumerate() {
            let pre = self.value(&arm.pre);
            if i > 0 {
                self.line("} else {");
                self.level += 1;
                ends += 1;
            }
            self.line(&format!("if ({pre}) {{"));
            self.inside(&arm.body);
            if arm.verify {
                self.stand_at(statement);
                self.level += 1;
                let post = self.value(&arm.post);
                self.check(&post);
                self.level -= 1;
            }
        }
        if let Some(otherwise) = otherwise {
            self.line("} else {");
            self.inside(otherwise);
            // No condition holds after it.
            self.stand_at(statement);
            self.level += 1;
            for arm in arms.iter().filter(|arm| arm.verify) {
                let post = self.value(&arm.post);
                self.check(&format!("!({post})"));
            }
            self.level -= 1;
        }
        self.line("}");
        for _ in 0..ends {
            self.level -= 1;
            self.line("}");
        }
    }

    fn repeat(
        &mut self,
        pattern: &Pat,
        sequence: &Expr,
        reversed: bool,
        body: &Block,
        statement: &Statement,
    ) {
        if let Some(temporary) = temporary(sequence) {
            self.refuse(
                temporary,
                "a loop on the device runs over what has a name",
                "give it one before the loop: `let all = [1.0, 2.0];`",
            );
        }
        let items = self.value(sequence);
        let items = match sequence {
            Expr::Range(_) => items,
            _ => format!("rg::iter({items})"),
        };
        let items = if reversed { format!("rg::rev({items})") } else { items };
        let (all, at) = (self.scope.fresh("items"), self.scope.fresh("at"));
        self.line("{");
        self.level += 1;
        self.line(&format!("auto {all} = {items};"));
        if statement.checked {
            self.check(&format!("{all}.even()"));
        }
        self.line(&format!("for (rg::usize {at} = 0; {at} < {all}.len(); ++{at}) {{"));
        self.level += 1;
        let before = self.scope.clone();
        let mut lines = Vec::new();
        let item = self.scope.fresh("item");
        lines.push(format!("auto&& {item} = {all}.at({at});"));
        self.parts(pattern, &item, &mut lines);
        if let (Pat::Ident(name), true) = (pattern, self.is_inferred(sequence))
            && let Some(given) = self.scope.get(&name.ident).map(str::to_string)
        {
            self.scope.infer(&given);
        }
        lines.iter().for_each(|line| self.line(line));
        self.block(body);
        self.scope.end(&before);
        self.level -= 1;
        self.line("}");
        self.level -= 1;
        self.line("}");
    }

    fn call(&mut self, call: &Call) {
        let Call { callee, arguments, direction, .. } = call;
        let path = match callee {
            Callee::Function(path) => path,
            Callee::Associated(path) => {
                self.refuse(
                    path,
                    "the device calls free functions only",
                    "make it a function of its own, outside of the `impl`",
                );
                return;
            }
            Callee::Value(name) => {
                self.refuse(
                    name,
                    "the device does not call a function that it is handed",
                    "name the function",
                );
                return;
            }
            Callee::Method { name, .. } => {
                self.refuse(
                    name,
                    "the device calls free functions only",
                    "make it a function of its own, outside of the `impl`",
                );
                return;
            }
        };
        let list: Vec<&Expr> = arguments.iter().collect();
        let arguments: Vec<String> =
            arguments.iter().map(|argument| self.value(argument)).collect();
        let twice = call.arguments.last().and_then(bare_name);
        if let Some(rule) = library(path) {
            // What differentiation inserts.
            let twice = twice.is_some_and(|name| self.stand_ins.contains_key(name));
            let rule = if twice && rule == "add_shadow" { "add_stand_in" } else { &rule };
            self.line(&format!("rg::{rule}({});", arguments.join(", ")));
            return;
        }
        let function = match direction {
            Direction::Forward => "forward",
            Direction::Inverse => "inverse",
            Direction::Adjoint => "adjoint",
            Direction::InverseAdjoint => "inverse_adjoint",
            Direction::Gradient => "gradient",
            Direction::Pullback => "pullback",
            Direction::Backward => unreachable!("nothing is kept for the device"),
        };
        if !path.path.segments.last().is_some_and(|s| is_one_of(&s.ident, &INSTRUCTIONS)) {
            self.refuse_untold(&list);
        }
        let callee = self.callee(path);
        self.line(&format!("{callee}::{function}({});", arguments.join(", ")));
    }

    /// Of the host's code, the device has what asserts something.
    fn host(&mut self, Host(tokens): &Host) {
        let statements = syn::Block::parse_within.parse2(tokens.clone()).unwrap_or_default();
        let mut conditions = Vec::new();
        for own in &statements {
            let asserted = match own {
                Stmt::Macro(call) => asserted(&call.mac),
                Stmt::Expr(Expr::Macro(call), _) => asserted(&call.mac),
                _ => None,
            };
            match asserted {
                Some(condition) => conditions.push(condition),
                None => {
                    self.refuse(
                        own,
                        "the device runs no code of the host but assertions",
                        "leave it to the function that launches the kernel",
                    );
                }
            }
        }
        for condition in conditions {
            let condition = self.value(&condition);
            self.check(&condition);
        }
    }
}

/// Instructions that take integers of any type.
const INSTRUCTIONS: [&str; 4] = ["swap", "neg", "inc", "dec"];

/// What a sequence runs over that is gone before the loop starts.
fn temporary(sequence: &Expr) -> Option<&Expr> {
    match sequence {
        Expr::Paren(e) => temporary(&e.expr),
        Expr::Group(e) => temporary(&e.expr),
        Expr::Reference(e) => temporary(&e.expr),
        Expr::Unary(e) => temporary(&e.expr),
        Expr::Field(e) => temporary(&e.base),
        Expr::Index(e) => temporary(&e.expr),
        Expr::MethodCall(e) if e.method == "zip" => {
            temporary(&e.receiver).or_else(|| e.args.first().and_then(temporary))
        }
        Expr::MethodCall(e) => temporary(&e.receiver),
        Expr::Path(_) | Expr::Range(_) => None,
        other => Some(other),
    }
}

/// The path of a function of the library's own that differentiation calls.
fn library(path: &syn::ExprPath) -> Option<String> {
    path.path.leading_colon?;
    let segments: Vec<String> =
        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match &segments[..] {
        [first, second, rest @ ..] if first == "retrograde" && second == "derivative" => {
            Some(rest.join("::"))
        }
        _ => None,
    }
}

/// What a stand-in for a shadow is the shadow of.
fn stands_in(value: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = value else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    (library(path)? == "stand_in").then(|| call.args.first()).flatten()
}

/// What `assert!` and its like ask for.
fn asserted(call: &syn::Macro) -> Option<Expr> {
    let name = call.path.segments.last()?.ident.to_string();
    let list = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
    let arguments = list.parse2(call.tokens.to_token_stream()).ok()?;
    let mut arguments = arguments.into_iter();
    let first = arguments.next()?;
    match name.as_str() {
        "assert" | "debug_assert" => Some(first),
        "assert_eq" | "debug_assert_eq" => {
            let second = arguments.next()?;
            Some(syn::parse_quote!((#first) == (#second)))
        }
        "assert_ne" | "debug_assert_ne" => {
            let second = arguments.next()?;
            Some(syn::parse_quote!((#first) != (#second)))
        }
        _ => None,
    }
}
