//! Decisions in another call than the one that took them first: where they are too close, they
//! stop.

use super::keep::{Keeper, Level};
use super::{decided_by, is_condition};
use crate::adjoint::free_name;
use crate::effects;
use crate::functions;
use crate::ir::{Ancilla, Binding, Block, Call, Callee, Direction, Kind, Statement};
use crate::kinds::Kinds;
use crate::names::{Mode, Names, pattern_names};
use crate::place::{Access, reads};
use crate::text::{Source, is_one_of};
use proc_macro2::Ident;
use quote::quote;
use std::collections::{HashMap, HashSet};
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, parse_quote};

/// The inverse of a function, which is another call than the function: nobody has kept its
/// decisions. Where one is so close that rounding may have changed it, it stops. For that, the
/// rounding of what decisions read is followed.
pub fn watch(
    inverse: &Block,
    names: &Names,
    kinds: &Kinds,
    used: &mut HashSet<String>,
) -> Option<Block> {
    let at = inverse.first()?;
    let mut keeper = Keeper::of(inverse, names, kinds, used);
    let mut writes = Vec::new();
    keeper.collect(&without_computing(inverse), &mut writes);
    keeper.levels.push(Level { writes, records: Vec::new(), asked: Vec::new() });
    let mut watcher =
        Watcher { keeper, scales: HashMap::new(), behind: HashMap::new(), before: Vec::new() };
    let mut block = watcher.block(inverse);
    if watcher.scales.is_empty() {
        return None;
    }
    watcher.follow(&mut block);
    let declare = |scale: &Ident| {
        let value = parse_quote!(::retrograde::check::Scale::default());
        let kind = Kind::Allocate(Ancilla::new(scale.clone(), None, value, false));
        Statement { generated: true, ..at.with(kind) }
    };
    let mut scales: Vec<&Ident> = watcher.scales.values().collect();
    scales.sort();
    Some(scales.into_iter().map(declare).chain(block).collect())
}

/// A block without what its `#[compute]` blocks do and undo.
pub fn without_computing(block: &Block) -> Block {
    let mut block = block.clone();
    for statement in &mut block {
        if let Kind::Compute { compute, .. } = &mut statement.kind {
            compute.clear();
        }
        for inner in statement.blocks_mut() {
            *inner = without_computing(inner);
        }
    }
    block
}

struct Watcher<'a> {
    keeper: Keeper<'a>,
    /// The variables whose rounding is followed, and where that is.
    scales: HashMap<Ident, Ident>,
    /// Names for values of such variables.
    behind: HashMap<Ident, Vec<Ident>>,
    /// What has to be looked at before a statement.
    before: Vec<Expr>,
}

impl Watcher<'_> {
    fn block(&mut self, block: &Block) -> Block {
        let mut out = Block::new();
        for statement in block {
            self.keeper.follow(statement);
            self.look_behind(statement);
            let mut statement = statement.clone();
            let (checked, source) = (statement.checked, statement.source.clone());
            match &mut statement.kind {
                // What it decides on what it writes, it keeps.
                Kind::Compute { compute, body } => {
                    *compute = self.block(compute);
                    *body = self.block(body);
                }
                Kind::If { arms, .. } if checked => {
                    for arm in arms.iter_mut() {
                        arm.pre = self.settled(&arm.pre, &source);
                    }
                }
                Kind::While { pre, .. } if checked => *pre = self.settled(pre, &source),
                Kind::Update { place, value, .. } if checked => {
                    self.settle_inside(place, &source);
                    self.settle_inside(value, &source);
                }
                Kind::Bind(Binding { value, .. })
                | Kind::Allocate(Ancilla { value, .. })
                | Kind::For { sequence: value, .. }
                    if checked =>
                {
                    self.settle_inside(value, &source);
                }
                Kind::Call(call) if checked && !statement.generated => {
                    for argument in &mut call.arguments {
                        self.settle_inside(argument, &source);
                    }
                }
                _ => {}
            }
            // A loop decides in each pass.
            let looked_at = std::mem::take(&mut self.before);
            if matches!(statement.kind, Kind::Update { .. } | Kind::Bind(_)) {
                out.extend(looked_at.into_iter().map(|check| {
                    let kind = Kind::Call(Call {
                        callee: Callee::Function(parse_quote!(::retrograde::__private::checked)),
                        arguments: vec![check],
                        direction: Direction::Forward,
                    });
                    Statement { generated: true, checked: false, ..statement.with(kind) }
                }));
            }
            if !matches!(statement.kind, Kind::Compute { .. }) {
                for inner in statement.blocks_mut() {
                    *inner = self.block(inner);
                }
            }
            out.push(statement);
        }
        out
    }

    /// A condition that stops where its comparisons are too close.
    fn settled(&mut self, condition: &Expr, source: &Source) -> Expr {
        let mut kept = condition.clone();
        if let Some(inner) = decided_by(&mut kept) {
            *inner = self.settled(inner, source);
            return kept;
        }
        match condition {
            Expr::Paren(e) => {
                let inner = self.settled(&e.expr, source);
                parse_quote!((#inner))
            }
            Expr::Unary(e) => {
                let (op, inner) = (&e.op, self.settled(&e.expr, source));
                parse_quote!(#op #inner)
            }
            Expr::Binary(e) if matches!(e.op, BinOp::And(_) | BinOp::Or(_)) => {
                let [left, right] = [&e.left, &e.right].map(|side| self.settled(side, source));
                let op = &e.op;
                parse_quote!(#left #op #right)
            }
            Expr::Binary(e) if self.keeper.condition(condition).is_some() => {
                if self.keeper.is_exact(&e.left) || self.keeper.is_exact(&e.right) {
                    let mut condition = condition.clone();
                    self.settle_inside(&mut condition, source);
                    return condition;
                }
                let scales = self.scales_of(condition);
                let (left, op, right) = (&e.left, &e.op, &e.right);
                let [a, b] = ["__left", "__right"]
                    .map(|side| Ident::new(side, proc_macro2::Span::mixed_site()));
                let apart = parse_quote!({
                    let #a = &(#left);
                    let #b = &(#right);
                    (&::retrograde::__private::Probe(#a)).__settled(#b, &[#(#scales),*], #source);
                    #a #op #b
                });
                // What is computed of it may be closer than what it is computed of.
                match [left, right].into_iter().any(|side| is_computed(side)) {
                    true => self.same(condition, apart, source),
                    false => apart,
                }
            }
            other if self.keeper.condition(other).is_some() => {
                self.same(other, other.clone(), source)
            }
            other => {
                let mut other = other.clone();
                self.settle_inside(&mut other, source);
                other
            }
        }
    }

    /// Has what an expression decides inside stop where it is too close.
    fn settle_inside(&mut self, expr: &mut Expr, source: &Source) {
        Settle { watcher: self, source, guarded: false }.visit_expr_mut(expr);
    }

    /// Takes note of what a name stands for.
    fn look_behind(&mut self, statement: &Statement) {
        let (names, value) = match &statement.kind {
            Kind::Bind(binding) => (pattern_names(&binding.pattern), &binding.value),
            Kind::Allocate(ancilla) => (vec![ancilla.name.clone()], &ancilla.value),
            _ => return,
        };
        let roots: Vec<Ident> = reads(value).into_iter().map(|read| read.root).collect();
        self.behind.extend(names.into_iter().map(|name| (name, roots.clone())));
    }

    /// A decision by whatever means, which stops where other values within rounding would
    /// have it differ. `taken`: how it is evaluated.
    fn same(&mut self, decision: &Expr, taken: Expr, source: &Source) -> Expr {
        let scales = self.scales_of(decision);
        if scales.is_empty() {
            return taken;
        }
        let [up, down] = [true, false].map(|up| {
            let mut nudged = decision.clone();
            Nudge { keeper: &self.keeper, scales: &scales, up, lent: false }
                .visit_expr_mut(&mut nudged);
            nudged
        });
        if up == *decision {
            return taken;
        }
        let [decided, above, below] = ["__decided", "__above", "__below"]
            .map(|name| Ident::new(name, proc_macro2::Span::mixed_site()));
        parse_quote!({
            let #decided = #taken;
            let #above = #up;
            let #below = #down;
            ::retrograde::__private::same_decision(
                #decided == #above && #decided == #below, #source);
            #decided
        })
    }

    /// What stops where a value is close to a whole number, which beside a remainder leaves
    /// the way of its gradient free.
    fn not_whole(&mut self, value: &Expr, source: &Source) -> Expr {
        let scales = self.scales_of(value);
        parse_quote!((&::retrograde::__private::Probe(&(#value)))
            .__settled_whole(&[#(#scales),*], #source))
    }

    /// A value that is going to be rounded, which stops where it is close to a whole number.
    fn whole(&mut self, value: &Expr, source: &Source) -> Expr {
        let scales = self.scales_of(value);
        let name = Ident::new("__value", proc_macro2::Span::mixed_site());
        parse_quote!({
            let #name = (#value).__value();
            (&::retrograde::__private::Probe(&#name))
                .__settled_whole(&[#(#scales),*], #source);
            #name
        })
    }

    /// Where the rounding of what an expression reads is followed.
    fn scales_of(&mut self, expr: &Expr) -> Vec<Ident> {
        let mut scales = Vec::new();
        let mut seen: HashSet<Ident> = HashSet::new();
        let mut ahead: Vec<Ident> = reads(expr).into_iter().map(|read| read.root).collect();
        while let Some(name) = ahead.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            ahead.extend(self.behind.get(&name).into_iter().flatten().cloned());
            for root in self.keeper.names.roots(&name) {
                let level = &self.keeper.levels[0];
                let written = level
                    .writes
                    .iter()
                    .any(|write| self.keeper.names.roots(&write.root).contains(root));
                if written {
                    let used = &mut *self.keeper.used;
                    let scale = self.scales.entry(root.clone());
                    let scale = scale.or_insert_with(|| free_name(&format!("round_{root}"), used));
                    scales.push(scale.clone());
                }
            }
        }
        scales.sort();
        scales.dedup();
        scales
    }

    /// Whether an expression is the name of a reference.
    fn lends(&self, expr: &Expr) -> bool {
        let name = crate::place::bare_name(expr).filter(|_| matches!(expr, Expr::Path(_)));
        name.is_some_and(|name| {
            matches!(self.keeper.names.mode(name), Mode::Shared | Mode::Mutable)
        })
    }

    /// Follows the rounding of what is written.
    fn follow(&self, block: &mut Block) {
        let mut out = Block::new();
        for mut statement in std::mem::take(block) {
            statement.blocks_mut().into_iter().for_each(|inner| self.follow(inner));
            let places: Vec<Access> = match &statement.kind {
                Kind::Update { .. } | Kind::Call(_) if !statement.generated => {
                    let writes = effects::of(&statement, self.keeper.names).writes;
                    writes.into_iter().map(|write| write.access).collect()
                }
                _ => Vec::new(),
            };
            let update = matches!(statement.kind, Kind::Update { .. });
            let (mut before, mut after) = (Block::new(), Block::new());
            for place in places {
                let written = match &place.expr {
                    Expr::Reference(e) => &*e.expr,
                    other => other,
                };
                let kind = self.keeper.kinds.of_expr(written);
                let number = update && kind.is_number();
                let probe: Expr = match (&kind, self.lends(written)) {
                    (crate::kinds::Kind::Sequence(_), _) => {
                        parse_quote!(&&::retrograde::__private::Elements(&#written[..]))
                    }
                    (_, true) => parse_quote!(&&::retrograde::__private::Probe(&*#written)),
                    _ => parse_quote!(&&::retrograde::__private::Probe(&#written)),
                };
                for root in self.keeper.names.roots(&place.root) {
                    let Some(scale) = self.scales.get(root) else { continue };
                    let callee = if number { "watch_extent" } else { "see_extent_after" };
                    let callee = Ident::new(callee, proc_macro2::Span::call_site());
                    let kind = Kind::Call(Call {
                        callee: Callee::Function(parse_quote!(::retrograde::__private::#callee)),
                        arguments: vec![
                            parse_quote!(&mut #scale),
                            parse_quote!((#probe).__extent()),
                        ],
                        direction: Direction::Forward,
                    });
                    let seen =
                        Statement { generated: true, checked: false, ..statement.with(kind) };
                    // Whether its sums are exact depends on both.
                    if number {
                        before.push(seen.clone());
                    }
                    after.push(seen);
                }
            }
            out.extend(before);
            out.push(statement);
            out.extend(after);
        }
        *block = out;
    }
}

/// Puts values beside those that are read from what is undone.
struct Nudge<'n, 'a> {
    keeper: &'n Keeper<'a>,
    scales: &'n [Ident],
    up: bool,
    /// Whether a reference is asked for.
    lent: bool,
}

impl Nudge<'_, '_> {
    fn within(&mut self, lent: bool, expr: &mut Expr) {
        let around = std::mem::replace(&mut self.lent, lent);
        self.visit_expr_mut(expr);
        self.lent = around;
    }

    /// The value beside that of a place, or a reference to the same where there is none.
    fn beside(&self, place: &Expr, lent: bool) -> Expr {
        let (scales, up) = (self.scales, self.up);
        let method = Ident::new(
            if lent { "__nudged" } else { "__nudged_value" },
            proc_macro2::Span::call_site(),
        );
        parse_quote!((&&::retrograde::__private::Probe(&#place)).#method(&[#(#scales),*], #up))
    }
}

impl VisitMut for Nudge<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let kinds = &self.keeper.kinds;
        match expr {
            Expr::Closure(_) => {}
            Expr::Reference(e) => self.within(true, &mut e.expr),
            Expr::MethodCall(e) => {
                self.within(true, &mut e.receiver);
                e.args.iter_mut().for_each(|argument| self.within(false, argument));
            }
            Expr::Macro(e) if e.mac.path.is_ident("matches") => {
                let parts = |input: syn::parse::ParseStream| {
                    let value: Expr = input.parse()?;
                    Ok((value, input.parse::<proc_macro2::TokenStream>()?))
                };
                if let Ok((mut value, rest)) = e.mac.parse_body_with(parts) {
                    self.within(true, &mut value);
                    e.mac.tokens = quote!(#value #rest);
                }
            }
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_)
                if crate::place::access(expr).is_some() =>
            {
                let kind = kinds.of_expr(expr);
                if kind.is_constant() || self.keeper.level(expr).is_none() {
                    return;
                }
                // Of a slice, no copy is made.
                let is_slice = matches!(kind, crate::kinds::Kind::Sequence(_));
                let bare = crate::place::bare_name(expr);
                let mode = bare.filter(|_| matches!(expr, Expr::Path(_)));
                *expr = match mode.map(|name| self.keeper.names.mode(name)) {
                    _ if is_slice => return,
                    Some(Mode::Shared | Mode::Mutable) => {
                        let beside = self.beside(&parse_quote!(*#expr), true);
                        match self.lent {
                            true => beside,
                            false => parse_quote!(&#beside),
                        }
                    }
                    Some(Mode::Unknown) if !kind.is_number() => return,
                    _ => self.beside(expr, self.lent),
                };
            }
            _ => syn::visit_mut::visit_expr_mut(self, expr),
        }
    }
}

struct Settle<'s, 'a> {
    watcher: &'s mut Watcher<'a>,
    source: &'s Source,
    /// Whether it may not be evaluated at all.
    guarded: bool,
}

impl VisitMut for Settle<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(inner) = decided_by(expr) {
            return self.visit_expr_mut(inner);
        }
        let Settle { watcher, source, guarded } = self;
        let decides = watcher.keeper.decides(expr).is_some();
        if let Some(quotient) = quotient(expr)
            && !watcher.keeper.kinds.of_expr(expr).is_constant()
            && watcher.keeper.level(expr).is_some()
        {
            if !*guarded {
                let check = watcher.not_whole(&quotient, source);
                watcher.before.push(check);
            }
            return;
        }
        match expr {
            // A truth value, or the number of an arm.
            Expr::Cast(e) if decides && gives_no_float(&e.expr) => {
                *expr = watcher.same(expr, expr.clone(), source);
            }
            Expr::Cast(e) if decides => *e.expr = watcher.whole(&e.expr, source),
            Expr::MethodCall(e) if decides && is_one_of(&e.method, &functions::JUMPS) => {
                *e.receiver = watcher.whole(&e.receiver, source);
            }
            Expr::MethodCall(_) | Expr::Macro(_) if decides => {
                *expr = watcher.same(expr, expr.clone(), source);
            }
            Expr::Binary(_) if decides => *expr = watcher.settled(expr, source),
            Expr::If(e) => {
                *e.cond = watcher.settled(&e.cond, source);
                let around = std::mem::replace(guarded, true);
                self.visit_block_mut(&mut e.then_branch);
                if let Some((_, otherwise)) = &mut e.else_branch {
                    self.visit_expr_mut(otherwise);
                }
                self.guarded = around;
            }
            Expr::Closure(_) => {}
            _ => syn::visit_mut::visit_expr_mut(self, expr),
        }
    }
}

/// What jumps where it is a whole number, if an expression is a remainder or the like.
fn quotient(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::MethodCall(e) if e.method == "fract" => {
            let value = &e.receiver;
            Some(parse_quote!((#value).__value()))
        }
        Expr::MethodCall(e) if is_one_of(&e.method, &["div_euclid", "rem_euclid"]) => {
            let (divided, by) = (&e.receiver, e.args.first()?);
            Some(parse_quote!((#divided).__value() / (#by).__value()))
        }
        Expr::Binary(e) if matches!(e.op, BinOp::Rem(_)) => {
            let (divided, by) = (&e.left, &e.right);
            Some(parse_quote!((#divided).__value() / (#by).__value()))
        }
        _ => None,
    }
}

/// Whether a value is more than a place or a literal.
fn is_computed(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(e) => is_computed(&e.expr),
        Expr::Group(e) => is_computed(&e.expr),
        Expr::Unary(e) => is_computed(&e.expr),
        Expr::Reference(e) => is_computed(&e.expr),
        Expr::Lit(_) => false,
        _ => crate::place::access(expr).is_none(),
    }
}

/// Whether an expression gives a truth value or the number of an arm, whatever it reads.
fn gives_no_float(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(e) => gives_no_float(&e.expr),
        Expr::Group(e) => gives_no_float(&e.expr),
        Expr::Binary(e) => is_condition(&e.op),
        Expr::Match(_) | Expr::Macro(_) => true,
        Expr::Unary(e) => matches!(e.op, syn::UnOp::Not(_)),
        _ => false,
    }
}
