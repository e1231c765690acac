//! Loops over indices without a check of every index.
//!
//! `for i in a..b { y[i] += x[i + 1]; }` compares `i` with two lengths in every
//! pass, and a compiler that must be able to stop in each of them does not put
//! several into one register. Here the part of each container that the passes use
//! is borrowed once before them, which checks its first and last index, and the
//! passes count from 0 to the length that all of these parts have.
//!
//! Only what every pass uses is borrowed, and only where there is a pass: so nothing
//! fails that would not fail as it is written, though it may fail earlier.

use super::indices::{FEW, IndexLoop, Usage, Use, are_apart, contains_loop, is_light, literal};
use crate::differentiate::build;
use crate::ir::{Arm, Binding, Block, Kind, Statement};
use crate::kinds::{self, Kinds};
use crate::names::{Mode, Names};
use crate::place::{Step, bare_name};
use crate::text;
use crate::visit::{self, VisitMut};
use proc_macro2::{Ident, Span};
use quote::{format_ident, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Expr, parse_quote_spanned};

/// How few checks do not matter beside a function that is called in every pass.
const FEW_PARTS: usize = 4;

/// Borrows what loops use before their passes.
pub fn borrow(block: &mut Block, kinds: &Kinds, names: &Names) {
    let mut followed = HashSet::new();
    collect_followed(block, &mut followed);
    let mut pass = Borrowing { names, kinds: kinds.clone(), followed, count: 0 };
    pass.block(block);
}

/// Whether something is borrowed by a method of the library.
pub fn calls_methods(block: &Block) -> bool {
    block.iter().any(|statement| match &statement.kind {
        Kind::Bind(binding) => statement.generated && matches!(binding.value, Expr::MethodCall(_)),
        Kind::Release(ancilla) => ancilla.verify && ancilla.proved,
        Kind::Call(_) | Kind::Allocate(_) => statement.generated,
        Kind::If { arms, otherwise } => {
            arms.iter().any(|arm| calls_methods(&arm.body)) || otherwise.iter().any(calls_methods)
        }
        Kind::For { body, .. } | Kind::While { body, .. } | Kind::Block(body) => {
            calls_methods(body)
        }
        _ => false,
    })
}

/// Ancillas whose scale is followed when they are written, under their own name.
pub(super) fn collect_followed(block: &Block, followed: &mut HashSet<Ident>) {
    for statement in block {
        match &statement.kind {
            // The others are looked at when the loops that write them are over.
            Kind::Allocate(ancilla) if ancilla.verify && !ancilla.proved => {
                followed.insert(ancilla.name.clone());
            }
            Kind::If { arms, otherwise } => {
                arms.iter().for_each(|arm| collect_followed(&arm.body, followed));
                otherwise.iter().for_each(|block| collect_followed(block, followed));
            }
            Kind::For { body, .. } | Kind::While { body, .. } | Kind::Block(body) => {
                collect_followed(body, followed);
            }
            _ => {}
        }
    }
}

struct Borrowing<'a> {
    names: &'a Names,
    kinds: Kinds,
    followed: HashSet<Ident>,
    count: usize,
}

/// A part of a container that is borrowed before the passes.
struct Part {
    element: Use,
    name: Ident,
    /// Whether the container is a slice, an array or a vector for sure.
    known: bool,
}

impl Part {
    /// Its element as written.
    fn source(&self) -> String {
        let Use { container, index, .. } = &self.element;
        format!("{}[{}]", text::of(container), text::of(index))
    }

    /// Where a panic says that it happened: where the element is written.
    fn place(&self) -> Span {
        self.element.container.span()
    }

    /// A call of the library with these arguments and its text.
    fn call(&self, function: &str, mut arguments: Vec<Expr>) -> Expr {
        build::stand_at(self.place());
        arguments.push(build::text(&self.source()));
        build::library(&["__private", function], arguments)
    }

    /// How many passes there are, if it has an element for each.
    fn passes(&self, bounds: &Expr, first: &Expr, here: Span) -> Expr {
        let container = &self.element.container;
        if self.known {
            build::stand_at(here);
            let length = build::method(container.clone(), "len", Vec::new());
            let arguments = vec![build::borrowed(bounds.clone()), length, first.clone()];
            self.call("passes", arguments)
        } else {
            let (source, bounds) = (self.source(), quote_spanned!(here=> &#bounds));
            let shared = quote_spanned!(here=> &#container);
            parse_quote_spanned!(self.place()=> ::retrograde::__private::Shared(#shared)
                .__passes(#bounds, #source))
        }
    }

    /// Itself, from its first element on.
    fn borrow(&self, first: &Expr, passes: &Ident, names: &Names, here: Span) -> Expr {
        let container = &self.element.container;
        match (self.known, self.element.written) {
            (true, written) => {
                build::stand_at(here);
                let whole = build::index(container.clone(), build::everything());
                let (function, slice) = match written {
                    true => ("part_mut", build::lent(whole)),
                    false => ("part", build::borrowed(whole)),
                };
                self.call(function, vec![slice, first.clone(), build::name(passes)])
            }
            (false, false) => {
                let (source, shared) = (self.source(), quote_spanned!(here=> &#container));
                parse_quote_spanned!(self.place()=> ::retrograde::__private::Shared(#shared)
                    .__first(#passes, #source))
            }
            (false, true) => {
                let source = self.source();
                let lent = match bare_name(container) {
                    Some(name) if names.mode(name) == Mode::Mutable => {
                        quote_spanned!(here=> Some(&mut *#name))
                    }
                    _ => quote_spanned!(here=> Some(&mut #container)),
                };
                parse_quote_spanned!(self.place()=> ::retrograde::__private::Lent(#lent)
                    .__first(#passes, #source))
            }
        }
    }
}

/// Whether it is the element of the pass, of a container that is always there.
fn is_plain(element: &Use) -> bool {
    element.offset.is_zero() && element.place.path.iter().all(|s| matches!(s, Step::Field(_)))
}

impl Borrowing<'_> {
    fn block(&mut self, block: &mut Block) {
        for statement in block {
            super::declare(&mut self.kinds, statement);
            statement.blocks_mut().into_iter().for_each(|inner| self.block(inner));
            if let Some(block) = self.borrowed(statement) {
                statement.kind = Kind::Block(block);
            }
        }
    }

    /// The loop with the parts that it uses borrowed before.
    fn borrowed(&mut self, statement: &Statement) -> Option<Block> {
        let looped = IndexLoop::of(statement)?;
        if looped.passes().is_some_and(|passes| passes < FEW) || contains_loop(looped.body) {
            return None;
        }
        let usage = Usage::of(&looped, self.names);
        let parts = self.parts(&looped, &usage);
        if parts.is_empty() || parts.len() < FEW_PARTS && !is_light(looped.body) {
            return None;
        }
        let here = Span::mixed_site().located_at(statement.span);
        let (range, passes) = (self.fresh("range", here), self.fresh("passes", here));
        let (start, end) = (looped.start, looped.end);
        // From 0 on, the first elements are there, if there is a container.
        let from_zero = literal(start) == Some(0);
        let plain = from_zero && parts.iter().all(|part| is_plain(&part.element));
        let (bounds, first): (Expr, Expr) = if plain {
            (parse_quote_spanned!(here=> (#start..#end)), start.clone())
        } else {
            (build::name(&range), parse_quote_spanned!(here=> #range.start))
        };
        let bind = |name: &Ident, value: Expr| {
            let pattern = build::pattern(name);
            let kind = Kind::Bind(Binding { pattern, value, verify: false });
            Statement { generated: true, ..statement.with(kind) }
        };
        let mut block = Block::new();
        let mut indices: Vec<Expr> = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            let equal = parts[..i].iter().position(|p| p.element.offset == part.element.offset);
            indices.push(match equal {
                Some(equal) => indices[equal].clone(),
                None if part.element.offset.is_zero() => first.clone(),
                None => {
                    let name = self.fresh("first", here);
                    block.push(bind(&name, usage.at(&first, &part.element.index)));
                    build::name(&name)
                }
            });
        }
        let known = parts.iter().position(|part| part.known).unwrap_or(0);
        block.push(bind(&passes, parts[known].passes(&bounds, &indices[known], here)));
        for (part, index) in parts.iter().zip(&indices) {
            block.push(bind(&part.name, part.borrow(index, &passes, self.names, here)));
        }
        // From 0 on, the loop's variable counts the passes itself.
        let counter = if from_zero { looped.variable.clone() } else { self.fresh("pass", here) };
        let mut body = looped.body.clone();
        let mut rewriting = Rewriting { usage: &usage, parts: &parts, counter: &counter };
        body.iter_mut().for_each(|s| s.each_expression(&mut |e| rewriting.visit_expr_mut(e)));
        if !from_zero && body.iter().any(|s| s.mentions(looped.variable)) {
            let index =
                parse_quote_spanned!(here=> ::retrograde::__private::index(&#range, #counter));
            body.insert(0, bind(looped.variable, index));
        }
        let pattern = build::pattern(&counter);
        let sequence = parse_quote_spanned!(here=> 0..#passes);
        let reversed = looped.reversed;
        let repeat = Kind::For { pattern, sequence, reversed, verify: false, body };
        block.push(statement.with(repeat));
        if plain {
            return Some(block);
        }
        let some: Expr = parse_quote_spanned!(here=> #range.start < #range.end);
        let arm = Arm { pre: some.clone(), post: some, verify: false, body: block };
        let kind = Kind::If { arms: vec![arm], otherwise: None };
        let guarded = Statement { generated: true, ..statement.with(kind) };
        Some(vec![bind(&range, parse_quote_spanned!(here=> #start..#end)), guarded])
    }

    fn fresh(&mut self, what: &str, here: Span) -> Ident {
        self.count += 1;
        format_ident!("__{what}_{}", self.count, span = here)
    }

    /// The parts that can be borrowed during all passes.
    fn parts(&mut self, looped: &IndexLoop, usage: &Usage) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for element in &usage.uses {
            if !element.certain || parts.iter().any(|part| part.element.is(element)) {
                continue;
            }
            let mut element = element.clone();
            let known = matches!(self.kinds.of_expr(&element.container), kinds::Kind::Sequence(_));
            let plain = element.offset.is_zero() && literal(looped.start) == Some(0);
            if !known && !plain {
                continue;
            }
            element.written = usage
                .uses
                .iter()
                .any(|other| other.written && !are_apart(&other.place, &element.place));
            let other_uses = usage.uses.iter().filter(|other| !other.is(&element));
            let elsewhere = other_uses
                .map(|other| (&other.place, other.written))
                .chain(usage.others.iter().map(|(place, written)| (place, *written)));
            let disturbed = elsewhere.filter(|(_, written)| element.written || *written).any(
                |(place, written)| {
                    !are_apart(place, &element.place)
                        // Other fields, if it is the variable itself that has them.
                        || place.root == element.place.root
                            && (written || element.written)
                            && !self.names.has_fields(&place.root)
                },
            );
            let followed = element.written
                && self.names.roots(&element.place.root).iter().any(|r| self.followed.contains(r));
            // What is not a slice for sure is lent as it is.
            let mode = self.names.mode(&element.place.root);
            let lendable = known || !element.written || matches!(mode, Mode::Mutable | Mode::Value);
            if !disturbed && !followed && lendable {
                let name = self.fresh("part", element.place.root.span());
                parts.push(Part { element, name, known });
            }
        }
        parts
    }
}

/// Puts the elements of parts in the place of those of their containers.
struct Rewriting<'r> {
    usage: &'r Usage<'r>,
    parts: &'r [Part],
    counter: &'r Ident,
}

impl VisitMut for Rewriting<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(found) = self.usage.find(expr)
            && let Some(part) = self.parts.iter().find(|part| part.element.is(&found))
        {
            if let Expr::Index(element) = expr {
                *element.expr = build::name(&part.name);
                *element.index = build::name(self.counter);
            }
            return;
        }
        visit::visit_expr_mut(self, expr);
    }
}
