//! The language: what each statement of a reversible function does, there and back.
//!
//! | statement | forward | backward |
//! |---|---|---|
//! | `*y += e;` `*y -= e;` | accumulate | the other sign |
//! | `*y ^= e;` | exclusive or | the same |
//! | `*y *= e;` `*y /= e;` | product, quotient | the other |
//! | `let n = e;` | bind; at the end of the scope `e` must be the same | the same |
//! | `let mut a = e;` | take a variable that holds `e`; at the end it must hold `e` again | the same |
//! | `unlet!(a = e);` | `a` must hold `e`, and ends | take `a`, which holds `e` |
//! | `#[compute] { c }` | `c`; at the end of the enclosing block `c` backwards | the same |
//! | `if c`, `if (b, a)`, `if (c, _)` | branch on what holds before, check what holds after | exchanged |
//! | `while (b, a)` | as long as `b`; `a` is false at first and true after every pass | exchanged |
//! | `for p in s` | for each item | for each item, from the last |
//! | `g(…);` `x.g(…);` | call | call backwards |
//! | `!s;` | `s` backwards | `s` |
//! | `{ … }` | in a scope | in a scope, from the last statement |
//! | `host! { … }` | plain Rust | the same |
//!
//! A block is first written out as a list of [`Line`]s in which each scope also ends
//! somewhere. Backwards, the list is run from its end, and each line is undone.

use crate::call::unparenthesised;
use crate::checks::{agrees, magnitude, same};
use crate::expression::text;
use crate::machine::Direction::{self, Backward, Forward};
use crate::machine::{Machine, Named, Undoing};
use crate::number::Number;
use crate::operators::traits;
use crate::stop::{Outcome, Stop};
use crate::value::{Place, Value};
use quote::ToTokens;
use syn::parse::Parser;
use syn::{Attribute, Block, Expr, ExprTuple, Local, Pat, Stmt, Token, UnOp};

/// A line of a block in which scopes begin and end.
#[derive(Clone, Debug)]
enum Line<'a> {
    /// A statement that begins and ends no scope.
    Statement(&'a Expr),
    /// Host code.
    Host(&'a syn::Macro),
    /// `let n = e;`, and the end of `n`.
    Bind(&'a Local, Edge),
    /// `let mut a = e;`, and the end of `a`.
    Ancilla(&'a Pat, &'a Expr, Edge),
    /// `unlet!(a = e);`: an end that names another value.
    Unlet(syn::Ident, Box<Expr>),
    /// `#[compute] { … }`, and the end of the block that it stands in.
    Compute(&'a Block, Edge),
    /// What lies between two `use`s and the like has no effect.
    Nothing,
}

/// The beginning of a scope, or its end.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Edge {
    Begin,
    End,
}

/// Which edge is met, when a line is run in a direction.
fn met(edge: Edge, direction: Direction) -> Edge {
    match (edge, direction) {
        (Edge::Begin, Forward) | (Edge::End, Backward) => Edge::Begin,
        _ => Edge::End,
    }
}

/// Whether an attribute is there.
fn marked(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident(name))
}

/// `let mut a = e;` as its names and values, several where both sides are tuples.
fn ancillas(local: &Local) -> Option<Vec<(&Pat, &Expr)>> {
    fn mutable(pattern: &Pat) -> bool {
        match pattern {
            Pat::Ident(name) => name.mutability.is_some(),
            Pat::Type(typed) => mutable(&typed.pat),
            Pat::Tuple(tuple) => tuple.elems.iter().any(mutable),
            _ => false,
        }
    }
    let value = &local.init.as_ref()?.expr;
    match (&local.pat, unparenthesised(value)) {
        (pattern, _) if !mutable(pattern) => None,
        (Pat::Tuple(names), Expr::Tuple(values)) => {
            Some(names.elems.iter().zip(&values.elems).collect())
        }
        (pattern, _) => Some(vec![(pattern, value)]),
    }
}

/// The name that an ancilla has.
fn ancilla_name(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(name) => Some(name.ident.to_string()),
        Pat::Type(typed) => ancilla_name(&typed.pat),
        _ => None,
    }
}

/// The names in a pattern.
fn names_in(pattern: &Pat, into: &mut Vec<String>) {
    match pattern {
        Pat::Ident(name) => into.push(name.ident.to_string()),
        Pat::Type(typed) => names_in(&typed.pat, into),
        Pat::Reference(inside) => names_in(&inside.pat, into),
        Pat::Paren(inside) => names_in(&inside.pat, into),
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|pattern| names_in(pattern, into)),
        Pat::Slice(slice) => slice.elems.iter().for_each(|pattern| names_in(pattern, into)),
        Pat::Struct(taken) => taken.fields.iter().for_each(|field| names_in(&field.pat, into)),
        Pat::TupleStruct(taken) => taken.elems.iter().for_each(|pattern| names_in(pattern, into)),
        _ => {}
    }
}

/// The name and the value of `unlet!(a = e);`.
fn unlet(mac: &syn::Macro) -> Option<(syn::Ident, Box<Expr>)> {
    let parse = |input: syn::parse::ParseStream| {
        let name: syn::Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok((name, Box::new(input.parse::<Expr>()?)))
    };
    mac.path.is_ident("unlet").then(|| parse.parse2(mac.tokens.clone()).ok()).flatten()
}

/// A block, written out. In a `#[compute]` block what it declares lives on: `ends` is
/// false, and only its own computing ends with it.
fn lines<N>(block: &Block, ends: bool) -> Outcome<Vec<Line<'_>>, N> {
    let mut lines = Vec::new();
    let mut open = Vec::new();
    let host = |mac: &syn::Macro| mac.path.is_ident("host");
    for statement in &block.stmts {
        match statement {
            Stmt::Local(local) => match ancillas(local) {
                Some(ancillas) => {
                    for (pattern, value) in ancillas {
                        lines.push(Line::Ancilla(pattern, value, Edge::Begin));
                        open.push(Line::Ancilla(pattern, value, Edge::End));
                    }
                }
                None => {
                    lines.push(Line::Bind(local, Edge::Begin));
                    open.push(Line::Bind(local, Edge::End));
                }
            },
            Stmt::Expr(Expr::Block(inside), _) if marked(&inside.attrs, "compute") => {
                lines.push(Line::Compute(&inside.block, Edge::Begin));
                open.push(Line::Compute(&inside.block, Edge::End));
            }
            Stmt::Expr(Expr::Macro(e), _) if host(&e.mac) => lines.push(Line::Host(&e.mac)),
            Stmt::Macro(statement) if host(&statement.mac) => {
                lines.push(Line::Host(&statement.mac))
            }
            Stmt::Macro(syn::StmtMacro { mac, .. })
            | Stmt::Expr(Expr::Macro(syn::ExprMacro { mac, .. }), _) => {
                let (name, value) = unlet(mac)
                    .ok_or_else(|| Stop::unknown(format!("the statement {}", text(mac))))?;
                open.retain(|line| match line {
                    Line::Ancilla(pattern, ..) => ancilla_name(pattern) != Some(name.to_string()),
                    _ => true,
                });
                lines.push(Line::Unlet(name, value));
            }
            Stmt::Expr(expr, _) => lines.push(Line::Statement(expr)),
            Stmt::Item(_) => lines.push(Line::Nothing),
        }
    }
    let still_open = open.into_iter().rev();
    lines.extend(still_open.filter(|line| ends || matches!(line, Line::Compute(..))));
    Ok(lines)
}

impl<N: Number> Machine<'_, N> {
    /// Runs a block of a reversible function in a scope of its own.
    pub(crate) fn reversible_block(
        &mut self,
        block: &Block,
        direction: Direction,
    ) -> Outcome<(), N> {
        self.scoped(|machine| machine.run_lines(block, direction, true))
    }

    fn run_lines(&mut self, block: &Block, direction: Direction, ends: bool) -> Outcome<(), N> {
        let lines = lines(block, ends)?;
        match direction {
            Forward => lines.iter().try_for_each(|line| self.line(line, direction)),
            Backward => lines.iter().rev().try_for_each(|line| self.line(line, direction)),
        }
    }

    fn line(&mut self, line: &Line, direction: Direction) -> Outcome<(), N> {
        self.tick()?;
        match line {
            Line::Nothing => Ok(()),
            Line::Host(mac) => {
                let block: Block = syn::parse2(quote_block(mac))
                    .map_err(|_| Stop::unknown(format!("host code {}", text(mac))))?;
                self.block(&block).map(|_| ())
            }
            Line::Bind(local, edge) => match met(*edge, direction) {
                Edge::Begin => {
                    let value = self.bound(local)?;
                    self.bind(&local.pat, value)
                }
                Edge::End => self.unbind(local),
            },
            Line::Ancilla(pattern, value, edge) => match met(*edge, direction) {
                Edge::Begin => self.allocate(pattern, value),
                Edge::End => {
                    let name = ancilla_name(pattern)
                        .ok_or_else(|| Stop::unknown("an ancilla without a name"))?;
                    self.release(&name, value)
                }
            },
            Line::Unlet(name, value) => match direction {
                Forward => self.release(&name.to_string(), value),
                Backward => {
                    let value = self.value(value)?;
                    let value = self.owned(value)?;
                    self.declare(&name.to_string(), value);
                    Ok(())
                }
            },
            // Computing runs forward in both directions, and is undone in both.
            Line::Compute(block, edge) => match (met(*edge, direction), self.undoing) {
                (Edge::Begin, Undoing::Run) => self.run_lines(block, Forward, false),
                (Edge::End, Undoing::Run) => self.run_lines(block, Backward, false),
                (Edge::Begin, Undoing::Ideal) => {
                    let before = self.memory.cells().to_vec();
                    let decisions = self.decisions.len();
                    self.run_lines(block, Forward, false)?;
                    self.decisions.truncate(decisions);
                    self.computed.push([before, self.memory.cells().to_vec()]);
                    Ok(())
                }
                (Edge::End, Undoing::Ideal) => {
                    let [before, after] =
                        self.computed.pop().ok_or_else(|| Stop::unknown("what was computed"))?;
                    self.memory.put_back(&before, &after);
                    Ok(())
                }
            },
            Line::Statement(expr) => {
                let views = self.views.len();
                self.statement(expr, direction)?;
                self.end_views(views)
            }
        }
    }

    /// What a `let` binds: a value, or a view of a place.
    fn bound(&mut self, local: &Local) -> Outcome<Value<N>, N> {
        match &local.init {
            Some(init) => self.initial(&local.pat, &init.expr),
            None => Err(Stop::unknown("a `let` without a value")),
        }
    }

    /// The operands of a `let` must give its value again.
    fn unbind(&mut self, local: &Local) -> Outcome<(), N> {
        let mut names = Vec::new();
        names_in(&local.pat, &mut names);
        let mut before = Vec::new();
        for name in &names {
            let name = syn::Ident::new(name, proc_macro2::Span::call_site());
            let Some(Named::Cell(cell)) = self.find(&name) else {
                return Err(Stop::unknown(format!("the end of {name}")));
            };
            before.push(self.memory.look(&Place::cell(*cell))?.clone());
        }
        names.iter().for_each(|name| self.forget(name));
        let now = self.bound(local)?;
        let after = self.scoped(|machine| {
            machine.bind(&local.pat, now)?;
            let mut after = Vec::new();
            for name in &names {
                let name = syn::Ident::new(name, proc_macro2::Span::call_site());
                if let Some(Named::Cell(cell)) = machine.find(&name) {
                    after.push(machine.memory.look(&Place::cell(*cell))?.clone());
                }
            }
            Ok(after)
        })?;
        for (before, after) in before.iter().zip(&after) {
            let unchanged = match (before, after) {
                // A view must be of the same place. One of a value that is computed anew
                // is of another.
                (Value::Reference(a), Value::Reference(b)) => {
                    a == b || {
                        let (a, b) = (self.memory.look(a)?.clone(), self.memory.look(b)?.clone());
                        agrees(&b, &a, magnitude(&a))
                    }
                }
                (a, b) => agrees(b, a, magnitude(a)),
            };
            if !unchanged {
                return Err(Stop::Check(format!("{before} became {after}, in {}", text(local))));
            }
        }
        Ok(())
    }

    fn allocate(&mut self, pattern: &Pat, value: &Expr) -> Outcome<(), N> {
        let value = self.initial(pattern, value)?;
        let value = self.owned(value)?;
        let scale = magnitude(&value);
        let value = match pattern {
            Pat::Type(typed) => self.typed(value, &typed.ty),
            _ => value,
        };
        let name =
            ancilla_name(pattern).ok_or_else(|| Stop::unknown("an ancilla without a name"))?;
        let cell = self.declare(&name, value.clone());
        if scale > 0.0 {
            // So that the scale is known.
            self.memory.write(&Place::cell(cell), value)?;
        }
        Ok(())
    }

    /// An ancilla must hold its known value when it ends.
    fn release(&mut self, name: &str, value: &Expr) -> Outcome<(), N> {
        let ident = syn::Ident::new(name, proc_macro2::Span::call_site());
        let Some(Named::Cell(cell)) = self.find(&ident) else {
            return Err(Stop::unknown(format!("the end of {name}")));
        };
        let cell = *cell;
        let expected = self.value(value)?;
        let expected = self.owned(expected)?;
        let found = self.memory.look(&Place::cell(cell))?;
        if !agrees(found, &expected, self.memory.scale(cell)) {
            return Err(Stop::Check(format!(
                "the ancilla {name} holds {found}, expected {expected}"
            )));
        }
        self.forget(name);
        Ok(())
    }

    fn statement(&mut self, expr: &Expr, direction: Direction) -> Outcome<(), N> {
        match unparenthesised(expr) {
            Expr::Binary(e) => self.reversible_update(e, direction),
            Expr::Unary(e) if matches!(e.op, UnOp::Not(_)) => {
                self.statement(&e.expr, direction.turned())
            }
            Expr::Block(e) => self.reversible_block(&e.block, direction),
            Expr::If(e) => self.branch(e, direction),
            Expr::While(e) => self.repeat(e, direction),
            Expr::ForLoop(e) => self.for_each(e, direction),
            Expr::Call(e) => self.reversible_call(e, direction),
            Expr::MethodCall(e) => self.reversible_method(e, direction),
            other => Err(Stop::unknown(format!("the statement {}", text(other)))),
        }
    }

    /// `place op= e`: what it reads must not be what it writes.
    fn reversible_update(&mut self, e: &syn::ExprBinary, direction: Direction) -> Outcome<(), N> {
        let Some((of, name, true)) = traits(&e.op) else {
            return Err(Stop::unknown(format!("the statement {}", text(e))));
        };
        let (of, name) = match (direction, name) {
            (Backward, "add") => ("SubAssign", "sub"),
            (Backward, "sub") => ("AddAssign", "add"),
            (Backward, "mul") => ("DivAssign", "div"),
            (Backward, "div") => ("MulAssign", "mul"),
            (Forward, "add" | "sub" | "mul" | "div") | (_, "bitxor") => (of, name),
            _ => return Err(Stop::unknown(format!("the statement {}", text(e)))),
        };
        let before = self.memory.watch(Some(Vec::new()));
        let value = self.value(&e.right).and_then(|value| self.owned(value));
        let place = self.place(&e.left);
        let reads = self.memory.watch(before).unwrap_or_default();
        let (value, place) = (value?, place?);
        if reads.iter().any(|read| read.meets(&place)) {
            return Err(Stop::Check(format!("it reads what it writes: {}", text(e))));
        }
        self.update(of, name, &place, value)
    }

    /// The condition of a branch or loop that is tested in a direction, and the one that
    /// is checked.
    fn conditions<'e>(
        &self,
        condition: &'e Expr,
        direction: Direction,
    ) -> Outcome<(&'e Expr, &'e Expr), N> {
        let (before, after) = match unparenthesised_pair(condition) {
            Some(pair) => match (pair.elems.first(), pair.elems.get(1)) {
                (Some(before), Some(Expr::Infer(_))) => (before, before),
                (Some(before), Some(after)) => (before, after),
                _ => return Err(Stop::unknown(format!("the condition {}", text(condition)))),
            },
            None => (condition, condition),
        };
        Ok(match direction {
            Forward => (before, after),
            Backward => (after, before),
        })
    }

    /// The first condition of a chain that holds says which branch is taken; afterwards
    /// the first of the other conditions that holds must say the same.
    fn branch(&mut self, e: &syn::ExprIf, direction: Direction) -> Outcome<(), N> {
        let mut arms: Vec<(&Expr, &Expr, &Block)> = Vec::new();
        let mut otherwise = None;
        let mut next = Some(e);
        while let Some(arm) = next {
            let (test, check) = self.conditions(&arm.cond, direction)?;
            arms.push((test, check, &arm.then_branch));
            next = None;
            match arm.else_branch.as_ref().map(|(_, otherwise)| &**otherwise) {
                Some(Expr::If(arm)) => next = Some(arm),
                Some(Expr::Block(block)) => otherwise = Some(&block.block),
                _ => {}
            }
        }
        let known = self.recalled(direction);
        let mut taken = known.unwrap_or(arms.len());
        for (i, (test, _, _)) in arms.iter().enumerate().filter(|_| known.is_none()) {
            if self.scoped(|machine| machine.condition(test))? {
                taken = i;
                break;
            }
        }
        match arms.get(taken) {
            Some((_, _, block)) => self.reversible_block(block, direction)?,
            None => otherwise.map_or(Ok(()), |block| self.reversible_block(block, direction))?,
        }
        if known.is_some() {
            return Ok(());
        }
        if direction == Forward {
            self.decisions.push(taken);
        }
        for (i, (_, check, _)) in arms.iter().enumerate().take(taken + 1) {
            let holds = self.scoped(|machine| machine.condition(check))?;
            if holds != (i == taken) {
                return Err(Stop::Check(format!("{} is {holds} after the branch", text(check))));
            }
        }
        Ok(())
    }

    fn repeat(&mut self, e: &syn::ExprWhile, direction: Direction) -> Outcome<(), N> {
        if let Some(passes) = self.recalled(direction) {
            for _ in 0..passes {
                self.tick()?;
                self.reversible_block(&e.body, direction)?;
            }
            return Ok(());
        }
        let (test, check) = self.conditions(&e.cond, direction)?;
        let (mut expected, mut passes) = (false, 0);
        loop {
            self.tick()?;
            let holds = self.scoped(|machine| machine.condition(check))?;
            if holds != expected {
                return Err(Stop::Check(format!("{} is {holds} in a loop", text(check))));
            }
            if !self.scoped(|machine| machine.condition(test))? {
                break;
            }
            self.reversible_block(&e.body, direction)?;
            (expected, passes) = (true, passes + 1);
        }
        if direction == Forward {
            self.decisions.push(passes);
        }
        Ok(())
    }

    /// The decision that the way there took here, if there is one. What runs backwards takes
    /// back the last.
    fn recalled(&mut self, direction: Direction) -> Option<usize> {
        let last = if direction == Backward { self.decisions.pop() } else { None };
        last.filter(|_| self.decided)
    }

    /// The same items in both directions. The two sides of a `zip` are equally long, and
    /// what the items are must not be changed by the passes.
    fn for_each(&mut self, e: &syn::ExprForLoop, direction: Direction) -> Outcome<(), N> {
        let mut items = self.reversible_sequence(&e.expr)?;
        let before = items.clone();
        if direction == Backward {
            items.reverse();
        }
        for item in items {
            self.tick()?;
            self.scoped(|machine| {
                machine.bind(&e.pat, item)?;
                machine.run_lines(&e.body, direction, true)
            })?;
        }
        let after = self.reversible_sequence(&e.expr)?;
        let unchanged =
            before.len() == after.len() && before.iter().zip(&after).all(|(a, b)| same(a, b));
        match unchanged || !all_known(&before) {
            true => Ok(()),
            false => Err(Stop::Check(format!("the bounds changed in {}", text(&e.expr)))),
        }
    }

    fn reversible_sequence(&mut self, expr: &Expr) -> Outcome<Vec<Value<N>>, N> {
        self.equal_lengths(expr)?;
        let sequence = self.value(expr)?;
        self.items(sequence)
    }

    fn equal_lengths(&mut self, expr: &Expr) -> Outcome<(), N> {
        let Expr::MethodCall(call) = unparenthesised(expr) else { return Ok(()) };
        self.equal_lengths(&call.receiver)?;
        if call.method == "zip" && call.args.len() == 1 {
            self.equal_lengths(&call.args[0])?;
            let (a, b) = (self.value(&call.receiver)?, self.value(&call.args[0])?);
            let (a, b) = (self.items(a)?.len(), self.items(b)?.len());
            if a != b {
                return Err(Stop::Check(format!("lengths {a} and {b} in {}", text(expr))));
            }
        }
        Ok(())
    }
}

/// Whether all items can be compared: a reference to a value that was made for the loop
/// cannot.
fn all_known<N: Number>(items: &[Value<N>]) -> bool {
    items.iter().all(|item| match item {
        Value::Integer(..) => true,
        Value::Tuple(parts) => all_known(parts),
        _ => false,
    })
}

/// `(before, after)`
fn unparenthesised_pair(condition: &Expr) -> Option<&ExprTuple> {
    match condition {
        Expr::Tuple(pair) if pair.elems.len() == 2 => Some(pair),
        Expr::Group(e) => unparenthesised_pair(&e.expr),
        _ => None,
    }
}

/// The statements of host code, as a block.
fn quote_block(mac: &syn::Macro) -> proc_macro2::TokenStream {
    let tokens = &mac.tokens;
    quote::quote!({ #tokens }).into_token_stream()
}
