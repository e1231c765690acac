//! Loops over containers: the elements of the shadows run beside the elements.

use super::expression::silent;
use super::{Differentiator, build};
use crate::ir::{Binding, Block, Kind as Do, Statement};
use crate::kinds::Kind;
use crate::names::pattern_names;
use crate::place::{Access, access, bare_name};
use crate::visit::VisitMut;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::{BinOp, Expr, Pat};

/// Something that a loop runs over.
struct Leaf<'e> {
    pattern: &'e Pat,
    container: &'e Expr,
    step: Step<'e>,
}

/// What an iterator gives of its container.
#[derive(Clone, Copy)]
enum Step<'e> {
    /// Its elements.
    Elements,
    /// `chunks_exact(n)`
    ExactChunks(&'e Expr),
    /// `chunks(n)`
    Chunks(&'e Expr),
    /// `windows(n)`: they overlap.
    Windows(&'e Expr),
}

impl Differentiator<'_> {
    /// A loop with the shadows of its variables: pattern, sequence and body, and
    /// whether shadows run beside it.
    pub(super) fn repeat(
        &mut self,
        pattern: &Pat,
        sequence: &Expr,
        body: &Block,
        at: &Statement,
        before: &mut Block,
    ) -> (Pat, Expr, Block, bool) {
        self.kinds.declare_elements(pattern, sequence);
        for name in pattern_names(pattern) {
            self.shadows.insert(name, None);
        }
        let leaves = leaves(pattern, sequence);
        let mut indexed = Vec::new();
        let mut direct = Vec::new();
        for leaf in &leaves {
            let container = stripped(leaf.container);
            let Some(place) = access(container).or_else(|| access(accessor(container)?)) else {
                if crate::place::reads(container).iter().any(|r| self.is_active_place(&r.expr)) {
                    self.unknown(leaf.container);
                }
                continue;
            };
            let kind = self.kinds.of_expr(container);
            if kind.is_constant() || !self.has_shadow(&place.root) {
                continue;
            }
            let others = leaves.iter().filter(|other| !std::ptr::eq(*other, leaf));
            let twice = others
                .filter_map(|other| {
                    let other = stripped(other.container);
                    access(other).or_else(|| access(accessor(other)?))
                })
                .any(|other| self.may_meet(&place, &other));
            let own: HashSet<Ident> = pattern_names(leaf.pattern).into_iter().collect();
            let overlap = matches!(leaf.step, Step::Windows(_));
            if overlap || twice || self.uses_otherwise(body, &place, own) {
                indexed.push(leaf.container);
            } else {
                direct.push(leaf.container);
            }
        }
        let mut result = (pattern.clone(), sequence.clone());
        for container in indexed.iter().chain(&direct).map(|container| stripped(container)) {
            if access(container).is_none() {
                // What a method gives is taken for a part of what it is called on.
                OfViews(container).visit_expr_mut(&mut result.1);
            }
        }
        if !indexed.is_empty() {
            let index = self.numbered("k");
            self.kinds.declare(&index, Kind::Constant);
            self.shadows.insert(index.clone(), None);
            let lengths = self.by_index(pattern, sequence, build::name(&index), &indexed);
            // Before the loop, which borrows what they are of.
            for (name, length) in lengths {
                let binding =
                    Binding { pattern: build::pattern(&name), value: length, verify: false };
                before.push(silent(at, Do::Bind(binding)));
            }
            let enumerated = build::method(iterable(result.1), "enumerate", Vec::new());
            result = (build::tuple_pattern(vec![build::pattern(&index), result.0]), enumerated);
        }
        let beside = self.beside(pattern, sequence, &direct);
        let body = self.scope(body);
        let needed = |name: &Ident| body.iter().any(|statement| statement.mentions(name));
        if let Some((shadows, beside)) = beside.and_then(|(p, s)| only(&needed, &p, &s)) {
            let zipped = build::method(iterable(result.1), "zip", vec![beside]);
            return (build::tuple_pattern(vec![result.0, shadows]), zipped, body, true);
        }
        (result.0, result.1, body, false)
    }

    fn unknown(&mut self, container: &Expr) {
        self.diagnostics.error(
            container,
            "what this loop runs over cannot be followed into the gradient",
            "loop over indices, or over slices with `iter`, `iter_mut`, `zip`, `enumerate`, `rev`, \
             `chunks_exact`, `windows`, `skip`, `take` or `step_by`",
        );
    }

    /// The same sequence over shadows, and the pattern of their names.
    fn beside(&mut self, pattern: &Pat, sequence: &Expr, direct: &[&Expr]) -> Option<(Pat, Expr)> {
        match sequence {
            Expr::Paren(e) => self.beside(pattern, &e.expr, direct),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                match (name.as_str(), unreferenced(pattern)) {
                    ("zip", Pat::Tuple(pair)) if pair.elems.len() == 2 && call.args.len() == 1 => {
                        let left = self.beside(&pair.elems[0], &call.receiver, direct);
                        let right = self.beside(&pair.elems[1], &call.args[0], direct);
                        return match (left, right) {
                            (Some((p, a)), Some((q, b))) => Some((
                                build::tuple_pattern(vec![p, q]),
                                build::method(a, "zip", vec![b]),
                            )),
                            (one, other) => one.or(other),
                        };
                    }
                    ("enumerate", Pat::Tuple(pair)) if pair.elems.len() == 2 => {
                        return self.beside(&pair.elems[1], &call.receiver, direct);
                    }
                    ("rev" | "skip" | "take" | "step_by" | "cloned" | "copied", _) => {
                        let copies = matches!(name.as_str(), "cloned" | "copied");
                        let (p, inner) = self.beside(pattern, &call.receiver, direct)?;
                        if copies {
                            self.by_value(pattern);
                            return Some((p, inner));
                        }
                        let arguments = call.args.iter().cloned().collect();
                        return Some((p, build::method(inner, &name, arguments)));
                    }
                    ("into_iter", _) => return self.beside(pattern, &call.receiver, direct),
                    _ => {}
                }
                let leaf = leaf(pattern, sequence);
                self.leaf_beside(&leaf, direct)
            }
            _ => {
                let leaf = leaf(pattern, sequence);
                self.leaf_beside(&leaf, direct)
            }
        }
    }

    fn leaf_beside(&mut self, leaf: &Leaf, direct: &[&Expr]) -> Option<(Pat, Expr)> {
        if !direct.iter().any(|container| std::ptr::eq(*container, leaf.container)) {
            return None;
        }
        let shadow = self.container_shadow(leaf.container)?;
        let shadow = build::base(shadow);
        let (method, arguments) = match leaf.step {
            Step::Elements => ("iter_mut", Vec::new()),
            Step::ExactChunks(n) => ("chunks_exact_mut", vec![n.clone()]),
            Step::Chunks(n) => ("chunks_mut", vec![n.clone()]),
            Step::Windows(_) => return None,
        };
        let pattern = self.shadow_pattern(leaf.pattern, false);
        Some((pattern, build::method(shadow, method, arguments)))
    }

    /// The shadow of `grid.row(i)` is `d_grid.row_mut(i)`.
    fn container_shadow(&mut self, container: &Expr) -> Option<Expr> {
        let container = stripped(container);
        if access(container).is_some() {
            return self.shadow(container);
        }
        let Expr::MethodCall(call) = container else { return None };
        let mut call = call.clone();
        *call.receiver = build::base(self.shadow(&call.receiver)?);
        call.method = match call.method.to_string().as_str() {
            "as_slice" => Ident::new("as_mut_slice", call.method.span()),
            _ => quote::format_ident!("{}_mut", call.method, span = call.method.span()),
        };
        Some(Expr::MethodCall(call))
    }

    /// The pattern of the shadows of a pattern's names. `by_value`: whether the
    /// names are values while their shadows are references.
    fn shadow_pattern(&mut self, pattern: &Pat, by_value: bool) -> Pat {
        match pattern {
            Pat::Reference(inner) => self.shadow_pattern(&inner.pat, true),
            Pat::Paren(inner) => self.shadow_pattern(&inner.pat, by_value),
            Pat::Ident(name) if name.subpat.is_none() => {
                let fresh = self.fresh(&format!("d_{}", name.ident));
                let kind = self.kinds.name(&name.ident);
                self.kinds.declare(&fresh, kind);
                let shadow = build::name(&fresh);
                self.pointers.insert(fresh.clone());
                let shadow = if by_value { build::dereferenced(shadow) } else { shadow };
                self.shadows.insert(name.ident.clone(), Some(shadow));
                build::pattern(&fresh)
            }
            Pat::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|p| self.shadow_pattern(p, by_value)).collect();
                build::tuple_pattern(parts)
            }
            Pat::Wild(wild) => Pat::Wild(wild.clone()),
            other => {
                self.diagnostics.error(
                    other,
                    "this pattern cannot be followed into the gradient",
                    "give the value a name and use its fields",
                );
                other.clone()
            }
        }
    }

    /// Names that are copies of elements: their shadows are what is referred to.
    fn by_value(&mut self, pattern: &Pat) {
        for name in pattern_names(pattern) {
            if let Some(Some(shadow)) = self.shadows.get(&name).cloned()
                && bare_name(&shadow).is_some()
            {
                self.shadows.insert(name, Some(build::dereferenced(shadow)));
            }
        }
    }

    /// Shadows that are found by the number of the pass. Gives the lengths that
    /// they need, with the names that these have.
    fn by_index(
        &mut self,
        pattern: &Pat,
        sequence: &Expr,
        index: Expr,
        indexed: &[&Expr],
    ) -> Vec<(Ident, Expr)> {
        match sequence {
            Expr::Paren(e) => return self.by_index(pattern, &e.expr, index, indexed),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                match (name.as_str(), unreferenced(pattern)) {
                    ("zip", Pat::Tuple(pair)) if pair.elems.len() == 2 && call.args.len() == 1 => {
                        let left =
                            self.by_index(&pair.elems[0], &call.receiver, index.clone(), indexed);
                        let right = self.by_index(&pair.elems[1], &call.args[0], index, indexed);
                        return left.into_iter().chain(right).collect();
                    }
                    ("enumerate", Pat::Tuple(pair)) if pair.elems.len() == 2 => {
                        return self.by_index(&pair.elems[1], &call.receiver, index, indexed);
                    }
                    ("rev", _) => {
                        let Some(length) = length(&call.receiver) else {
                            self.unknown(sequence);
                            return Vec::new();
                        };
                        let name = self.numbered("n");
                        self.kinds.declare(&name, Kind::Constant);
                        let last = minus(build::name(&name), build::integer(1));
                        let index = minus(last, index);
                        let mut lengths = self.by_index(pattern, &call.receiver, index, indexed);
                        lengths.push((name, length));
                        return lengths;
                    }
                    ("skip" | "step_by", _) => {
                        let Some(n) = call.args.first().cloned() else {
                            self.unknown(sequence);
                            return Vec::new();
                        };
                        let index = match name.as_str() {
                            "skip" => plus(n, index),
                            _ => build::times(build::parenthesised(index), n),
                        };
                        return self.by_index(pattern, &call.receiver, index, indexed);
                    }
                    ("take" | "into_iter", _) => {
                        return self.by_index(pattern, &call.receiver, index, indexed);
                    }
                    ("cloned" | "copied", _) => {
                        let lengths = self.by_index(pattern, &call.receiver, index, indexed);
                        self.follow_references(pattern);
                        return lengths;
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        let leaf = leaf(pattern, sequence);
        if !indexed.iter().any(|container| std::ptr::eq(*container, leaf.container)) {
            return Vec::new();
        }
        let Some(shadow) = self.container_shadow(leaf.container) else { return Vec::new() };
        let shadow = build::base(shadow);
        let mut lengths = Vec::new();
        let after = |index: Expr| plus(index, build::integer(1));
        let place = match leaf.step {
            Step::Elements => build::index(shadow, index),
            Step::ExactChunks(n) => {
                let start = build::times(build::parenthesised(index.clone()), n.clone());
                let end = build::times(build::parenthesised(after(index)), n.clone());
                build::index(shadow, range(start, end))
            }
            Step::Chunks(n) => {
                let start = build::times(build::parenthesised(index.clone()), n.clone());
                let end = build::times(build::parenthesised(after(index)), n.clone());
                let name = self.numbered("n");
                self.kinds.declare(&name, Kind::Constant);
                lengths.push((name.clone(), build::method(shadow.clone(), "len", Vec::new())));
                let end = build::method(build::parenthesised(end), "min", vec![build::name(&name)]);
                build::index(shadow, range(start, end))
            }
            Step::Windows(n) => {
                let end = plus(index.clone(), n.clone());
                build::index(shadow, range(index, end))
            }
        };
        let by_value = matches!(leaf.pattern, Pat::Reference(_));
        let kind = match unreferenced(leaf.pattern) {
            Pat::Ident(name) => self.kinds.name(&name.ident),
            _ => Kind::Unknown,
        };
        let shadow = if by_value { place } else { build::lent(place) };
        let pattern = unreferenced(leaf.pattern);
        self.take_apart(pattern, &kind, shadow);
        if !by_value {
            // The names are references into the element.
            for name in pattern_names(pattern) {
                if let Some(Some(part)) = self.shadows.get(&name).cloned() {
                    self.shadows.insert(name, Some(build::lent(part)));
                }
            }
        }
        lengths
    }

    fn follow_references(&mut self, pattern: &Pat) {
        for name in pattern_names(pattern) {
            if let Some(Some(shadow)) = self.shadows.get(&name).cloned() {
                self.shadows.insert(name, Some(build::dereferenced(shadow)));
            }
        }
    }
}

/// Claims of a container, wherever it is in a sequence, that it is a view.
struct OfViews<'e>(&'e Expr);

impl VisitMut for OfViews<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if expr == self.0 {
            *expr = super::claim::of_view(expr);
        } else if !super::is_library(expr) {
            crate::visit::visit_expr_mut(self, expr);
        }
    }
}

/// What is left of the shadows beside a loop when only those are taken along
/// that its body uses: an index, say, has none that anybody would miss.
fn only(needed: &dyn Fn(&Ident) -> bool, pattern: &Pat, sequence: &Expr) -> Option<(Pat, Expr)> {
    let Expr::MethodCall(call) = sequence else { return None };
    match (call.method.to_string().as_str(), pattern) {
        ("zip", Pat::Tuple(pair)) if pair.elems.len() == 2 => {
            let left = only(needed, &pair.elems[0], &call.receiver);
            let right = only(needed, &pair.elems[1], &call.args[0]);
            match (left, right) {
                (Some((p, a)), Some((q, b))) => {
                    Some((build::tuple_pattern(vec![p, q]), build::method(a, "zip", vec![b])))
                }
                (one, other) => one.or(other),
            }
        }
        (name @ ("rev" | "skip" | "take" | "step_by"), _) => {
            let (pattern, inner) = only(needed, pattern, &call.receiver)?;
            Some((pattern, build::method(inner, name, call.args.iter().cloned().collect())))
        }
        _ => pattern_names(pattern).iter().any(needed).then(|| (pattern.clone(), sequence.clone())),
    }
}

/// What a method that gives a part to be read is called on.
fn accessor(container: &Expr) -> Option<&Expr> {
    match container {
        Expr::MethodCall(call) => Some(&call.receiver),
        _ => None,
    }
}

/// A container as a place: without what borrows it.
fn stripped(container: &Expr) -> &Expr {
    match container {
        Expr::Paren(e) => stripped(&e.expr),
        Expr::Reference(e) => stripped(&e.expr),
        other => other,
    }
}

/// Something with iterator methods.
fn iterable(sequence: Expr) -> Expr {
    match &sequence {
        Expr::MethodCall(call) if crate::emit::is_iterator(&call.method) => sequence,
        Expr::Range(_) => build::parenthesised(sequence),
        _ => {
            // `for x in xs`: a loop converts by itself, an adaptor must be told.
            let sequence = build::parenthesised(sequence);
            build::method(sequence, "into_iter", Vec::new())
        }
    }
}

/// Everything that a sequence runs over.
fn leaves<'e>(pattern: &'e Pat, sequence: &'e Expr) -> Vec<Leaf<'e>> {
    match sequence {
        Expr::Paren(e) => leaves(pattern, &e.expr),
        Expr::Range(_) => Vec::new(),
        Expr::MethodCall(call) => match (call.method.to_string().as_str(), unreferenced(pattern)) {
            ("zip", Pat::Tuple(pair)) if pair.elems.len() == 2 && call.args.len() == 1 => {
                let mut found = leaves(&pair.elems[0], &call.receiver);
                found.extend(leaves(&pair.elems[1], &call.args[0]));
                found
            }
            ("enumerate", Pat::Tuple(pair)) if pair.elems.len() == 2 => {
                leaves(&pair.elems[1], &call.receiver)
            }
            ("rev" | "skip" | "take" | "step_by" | "into_iter" | "cloned" | "copied", _) => {
                leaves(pattern, &call.receiver)
            }
            _ => vec![leaf(pattern, sequence)],
        },
        _ => vec![leaf(pattern, sequence)],
    }
}

/// The places that a loop runs over, and the patterns of what it takes of them.
pub(super) fn containers<'e>(pattern: &'e Pat, sequence: &'e Expr) -> Vec<(&'e Pat, Access)> {
    leaves(pattern, sequence)
        .into_iter()
        .filter_map(|leaf| {
            let container = stripped(leaf.container);
            let place = access(container).or_else(|| access(accessor(container)?))?;
            Some((leaf.pattern, place))
        })
        .collect()
}

fn leaf<'e>(pattern: &'e Pat, sequence: &'e Expr) -> Leaf<'e> {
    if let Expr::MethodCall(call) = sequence {
        let argument = call.args.first();
        let step = match (call.method.to_string().as_str(), argument) {
            ("iter" | "iter_mut", None) => Some(Step::Elements),
            ("chunks_exact" | "chunks_exact_mut", Some(n)) => Some(Step::ExactChunks(n)),
            ("chunks" | "chunks_mut", Some(n)) => Some(Step::Chunks(n)),
            ("windows", Some(n)) => Some(Step::Windows(n)),
            _ => None,
        };
        if let Some(step) = step {
            return Leaf { pattern, container: &call.receiver, step };
        }
    }
    Leaf { pattern, container: sequence, step: Step::Elements }
}

/// How many elements a sequence has.
fn length(sequence: &Expr) -> Option<Expr> {
    let of = |container: &Expr| build::method(build::base(container.clone()), "len", Vec::new());
    match sequence {
        Expr::Paren(e) => length(&e.expr),
        Expr::Reference(e) => Some(of(&e.expr)),
        Expr::MethodCall(call) => match (call.method.to_string().as_str(), call.args.first()) {
            ("iter" | "iter_mut", None) => Some(of(&call.receiver)),
            ("chunks_exact" | "chunks_exact_mut", Some(n)) => {
                Some(build::over(of(&call.receiver), n.clone()))
            }
            ("windows", Some(n)) => {
                Some(rest(plus(of(&call.receiver), build::integer(1)), n.clone()))
            }
            ("zip" | "enumerate" | "rev" | "into_iter" | "cloned" | "copied", _) => {
                length(&call.receiver)
            }
            ("skip", Some(n)) => Some(rest(length(&call.receiver)?, n.clone())),
            ("take", Some(n)) => {
                let all = build::parenthesised(length(&call.receiver)?);
                Some(build::method(all, "min", vec![n.clone()]))
            }
            ("step_by", Some(n)) => {
                let all = build::parenthesised(length(&call.receiver)?);
                Some(build::method(all, "div_ceil", vec![n.clone()]))
            }
            _ => None,
        },
        Expr::Range(range) => match (&range.start, &range.end) {
            (Some(start), Some(end)) => Some(rest((**end).clone(), (**start).clone())),
            _ => None,
        },
        other => Some(of(other)),
    }
}

fn plus(a: Expr, b: Expr) -> Expr {
    build::binary(a, BinOp::Add(Default::default()), b)
}

fn minus(a: Expr, b: Expr) -> Expr {
    build::binary(a, BinOp::Sub(Default::default()), b)
}

/// What is left of `a`, which may be nothing.
fn rest(a: Expr, b: Expr) -> Expr {
    build::method(build::parenthesised(a), "saturating_sub", vec![b])
}

fn range(start: Expr, end: Expr) -> Expr {
    Expr::Range(syn::ExprRange {
        attrs: Vec::new(),
        start: Some(Box::new(start)),
        limits: syn::RangeLimits::HalfOpen(Default::default()),
        end: Some(Box::new(end)),
    })
}

fn unreferenced(pattern: &Pat) -> &Pat {
    match pattern {
        Pat::Reference(e) => unreferenced(&e.pat),
        Pat::Paren(e) => unreferenced(&e.pat),
        other => other,
    }
}
