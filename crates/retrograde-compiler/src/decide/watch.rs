//! Decisions in another call than the one that took them first: where they are too close, they
//! stop.

use super::around::{self, Around, Inside};
use super::keep::{Keeper, Level, whole_parts_mut};
use super::rounding::{Look, Rounding, called, calls, look};
use super::untouched::Untouched;
use super::{decided_by, function, is_condition};
use crate::functions;
use crate::ir::{Ancilla, Arm, Binding, Block, Call, Callee, Direction, Kind, Statement};
use crate::kinds::Kinds;
use crate::looks::Looks;
use crate::names::Names;
use crate::place::access;
use crate::text::{Source, is_one_of};
use crate::visit::{Visit, VisitMut};
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, FnArg, Pat, Signature, Type, parse_quote, parse_quote_spanned};

/// What a caller may have undone of the arguments of a function.
#[derive(Default)]
pub struct Lent {
    /// The arguments, with their places among all.
    pub places: HashMap<Ident, usize>,
    /// Of a pure function, the argument that tells how far the others may be rounded.
    pub told: Option<Ident>,
    /// The function, if others can ask it whether it decides.
    pub function: Option<Ident>,
    /// Whether its body declares no items, which are not known elsewhere.
    pub alone: bool,
    /// Whether people read it, who need not see what others are told.
    pub readable: bool,
}

/// The inverse of a function, with its decisions watched.
pub struct Watched {
    /// Its body.
    pub block: Block,
    /// On which of its arguments it decides.
    pub decides: Looks,
}

/// The inverse of a function, which is another call than the function: nobody has kept its
/// decisions. Where one is so close that rounding may have changed it, it stops. For that, the
/// rounding of what decisions read is followed: of what is written here, and of the arguments
/// that are `lent`.
pub fn watch(
    inverse: &Block,
    names: &Names,
    kinds: &Kinds,
    lent: Lent,
    used: &mut HashSet<String>,
) -> Option<Watched> {
    let Lent { places, told, function, alone, readable } = lent;
    let at = inverse.first()?;
    let mut keeper = Keeper::of(inverse, names, kinds, used);
    let mut writes = Vec::new();
    keeper.collect_lasting(inverse, &mut writes);
    writes.extend(places.keys().filter_map(|name| access(&parse_quote!(#name))));
    keeper.levels.push(Level::of(writes, 0));
    keeper.spread(inverse);
    // Who cannot ask carries in any case. What is carried to it must not be taken by what it calls.
    let passed_by = !places.is_empty() && function.is_none() && calls(inverse);
    let mut rounding = Rounding::of(inverse, &keeper, places, told);
    rounding.untouched = Some(Untouched::of(inverse, &keeper));
    let own = function.clone();
    let mut watcher =
        Watcher { keeper, rounding, own, computing: false, depth: 0, before: Vec::new() };
    let mut block = watcher.block(inverse);
    let Watcher { keeper, rounding, .. } = watcher;
    let mut declarations = rounding.declarations(at, keeper.names);
    if readable && !rounding.decides_here() {
        return None;
    }
    match (declarations.is_empty(), passed_by) {
        (true, false) => return None,
        (true, true) => {
            declarations.push(called(at, "carry_nothing", vec![parse_quote!(true)]));
        }
        (false, _) => rounding.follow(&mut block, &keeper),
    }
    let block = declarations.into_iter().chain(block).collect();
    Some(Watched { block, decides: rounding.decides(function.as_ref(), alone) })
}

/// The arguments that a caller may undo: numbers and what is made of them.
pub fn lent(signature: &Signature, kinds: &Kinds) -> HashMap<Ident, usize> {
    let mut lent = HashMap::new();
    for (i, argument) in signature.inputs.iter().enumerate() {
        let name = match argument {
            FnArg::Receiver(receiver) => Ident::from(receiver.self_token),
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) => name.ident.clone(),
                _ => continue,
            },
        };
        let kind = kinds.of_expr(&parse_quote!(#name));
        if !kind.is_constant() {
            lent.insert(name, i);
        }
    }
    lent
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
    rounding: Rounding,
    /// The function, if it is no method.
    own: Option<Ident>,
    /// Whether it is in a block that is computed and uncomputed.
    computing: bool,
    /// In how many statements it is.
    depth: usize,
    /// What has to be looked at before a statement.
    before: Vec<Expr>,
}

impl Watcher<'_> {
    fn block(&mut self, block: &Block) -> Block {
        let mut out = Block::new();
        for statement in block {
            if self.depth == 0
                && let Some(untouched) = &mut self.rounding.untouched
            {
                untouched.enter(statement, &self.keeper);
            }
            let written = statement;
            self.depth += 1;
            self.keeper.follow(statement);
            self.rounding.look_behind(statement, &self.keeper);
            let mut statement = statement.clone();
            let (checked, source) = (statement.checked, statement.source.clone());
            self.rounding.pulled = self.rounding.pulls(&statement, &self.keeper);
            match &mut statement.kind {
                // What it decides on what it writes, it keeps.
                Kind::Compute { compute, body } => {
                    let around = std::mem::replace(&mut self.computing, true);
                    *compute = self.block(compute);
                    self.computing = around;
                    *body = self.block(body);
                }
                Kind::If { arms, .. } if checked => {
                    for arm in arms.iter_mut() {
                        arm.pre = self.settled(&arm.pre, &source);
                    }
                }
                Kind::While { pre, .. } if checked => *pre = self.settled(pre, &source),
                // An integer of a function of the user's is a decision as a whole.
                Kind::Update { place, value, .. }
                    if checked
                        && self.keeper.kinds.of_expr(place).is_constant()
                        && self.keeper.opaque(value).is_some() =>
                {
                    self.settle_inside_place(place, &source);
                    *value = self.same(value, value.clone(), None, &source);
                }
                Kind::Update { place, value, .. } if checked => {
                    if self.keeper.kinds.of_expr(place) == crate::kinds::Kind::Unknown {
                        self.settle_given(value, &source);
                    }
                    self.settle_inside_place(place, &source);
                    self.settle_inside(value, &source);
                }
                Kind::Bind(Binding { pattern, value, .. })
                    if checked
                        && self.keeper.kinds.binds_constants(pattern, value)
                        && self.keeper.opaque(value).is_some() =>
                {
                    let ty = match pattern {
                        Pat::Type(typed) => Some(&*typed.ty),
                        _ => None,
                    };
                    *value = self.same(value, value.clone(), ty, &source);
                }
                Kind::Allocate(ancilla)
                    if checked
                        && self.keeper.kinds.is_constant_ancilla(ancilla)
                        && self.keeper.opaque(&ancilla.value).is_some() =>
                {
                    let (value, ty) = (&ancilla.value, ancilla.ty.as_ref());
                    ancilla.value = self.same(value, value.clone(), ty, &source);
                }
                Kind::Bind(Binding { value, .. }) | Kind::Allocate(Ancilla { value, .. })
                    if checked =>
                {
                    self.settle_given(value, &source);
                    self.settle_inside(value, &source);
                }
                Kind::For { sequence, .. } if checked => self.settle_inside(sequence, &source),
                Kind::Call(call) if checked && !statement.generated => {
                    for argument in &mut call.arguments {
                        match self.keeper.opaque_whole(argument) {
                            Some(_) => {
                                *argument = self.same(argument, argument.clone(), None, &source)
                            }
                            None => {
                                self.settle_given(argument, &source);
                                self.settle_inside_place(argument, &source);
                            }
                        }
                    }
                }
                _ => {}
            }
            // A loop decides in each pass.
            let looked_at = std::mem::take(&mut self.before);
            if matches!(
                statement.kind,
                Kind::Update { .. } | Kind::Bind(_) | Kind::Allocate(_) | Kind::Call(_)
            ) {
                let checks = looked_at.into_iter();
                out.extend(checks.map(|check| called(&statement, "checked", vec![check])));
            }
            if !matches!(statement.kind, Kind::Compute { .. }) {
                for inner in statement.blocks_mut() {
                    *inner = self.block(inner);
                }
            }
            let [mut before, mut after] = match checked && !statement.generated {
                true => self.rounding.around(&statement, self.computing, &mut self.keeper),
                false => [Block::new(), Block::new()],
            };
            // Beside what a `#[compute]` block carries of its own.
            let carries = |statement: &Statement| look(statement) == Some(Look::Carry);
            let mut here = out.iter().rev().skip_while(|other| look(other) == Some(Look::See));
            if here.next().is_some_and(carries) {
                before.retain(carries);
                after.retain(carries);
            }
            out.extend(there_and_back(&statement, &before, self.own.as_ref()));
            out.extend(before);
            out.push(statement);
            out.extend(after);
            self.depth -= 1;
            if self.depth == 0
                && let Some(untouched) = &mut self.rounding.untouched
            {
                untouched.leave(written, &self.keeper);
            }
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
                    if [&e.left, &e.right]
                        .into_iter()
                        .any(|side| self.keeper.opaque(side).is_some())
                    {
                        return self.same(condition, condition.clone(), None, source);
                    }
                    // Not the comparison itself: it would be settled here again.
                    let mut exact = e.clone();
                    for side in [&mut exact.left, &mut exact.right] {
                        self.settle_inside(side, source);
                    }
                    return Expr::Binary(exact);
                }
                let scales = self.rounding.scales_of(condition, &mut self.keeper);
                let (left, op, right) = (&e.left, &e.op, &e.right);
                let [a, b] = ["__left", "__right"]
                    .map(|side| Ident::new(side, proc_macro2::Span::mixed_site()));
                let apart = parse_quote!({
                    let #a = &(#left);
                    let #b = &(#right);
                    (&::retrograde::__private::Sides(#a, #b)).__settled(&[#(#scales),*], #source);
                    #a #op #b
                });
                // What is computed of it may be closer than what it is computed of.
                match [left, right].into_iter().any(|side| is_computed(side)) {
                    true => self.same(condition, apart, None, source),
                    false => apart,
                }
            }
            other if self.keeper.condition(other).is_some() => {
                self.same(other, other.clone(), None, source)
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
        Settle { watcher: self, source, around: Vec::new(), lent: false }.visit_expr_mut(expr);
    }

    /// The same where a place may be borrowed around it.
    fn settle_inside_place(&mut self, expr: &mut Expr, source: &Source) {
        Settle { watcher: self, source, around: Vec::new(), lent: true }.visit_expr_mut(expr);
    }

    /// Has what functions of the user's give stop where it is an integer or the like, and would be
    /// another beside.
    fn settle_given(&mut self, expr: &Expr, source: &Source) {
        Given { watcher: self, source, around: Vec::new() }.visit_expr(expr);
    }

    fn same(&mut self, decision: &Expr, taken: Expr, ty: Option<&Type>, source: &Source) -> Expr {
        self.rounding.same(decision, taken, ty, source, &mut self.keeper)
    }

    /// A value that is going to be rounded, which stops where it is close to a whole number.
    fn whole(&mut self, value: &Expr, source: &Source) -> Expr {
        let scales = self.rounding.scales_of(value, &mut self.keeper);
        let name = Ident::new("__value", Span::mixed_site());
        let here = Span::call_site().located_at(value.span());
        parse_quote_spanned!(here=> {
            let #name = (#value).__value();
            (&::retrograde::__private::Probe(&#name))
                .__settled_whole(&[#(#scales),*], #source);
            #name
        })
    }
}

/// A function that is called forwards on the way back, in a `#[compute]` block or by `!f(…)`, looks
/// at no rounding. So if there is any, it goes there and back before, and stops on its way back.
///
/// What calls itself would go there and back at each depth, and so many times as often as it is
/// deep: it does not.
fn there_and_back(
    statement: &Statement,
    before: &[Statement],
    own: Option<&Ident>,
) -> Option<Statement> {
    let Kind::Call(call) = &statement.kind else { return None };
    let may_be_itself = match &call.callee {
        Callee::Function(path) => own.is_some_and(|own| path.path.is_ident(own)),
        Callee::Value(_) => false,
        Callee::Associated(_) | Callee::Method { .. } => own.is_none(),
    };
    if may_be_itself {
        return None;
    }
    let carry = before.iter().find(|other| look(other) == Some(Look::Carry))?;
    let Kind::Call(carried) = &carry.kind else { return None };
    if call.direction != Direction::Forward {
        return None;
    }
    let told = told(&carried.arguments)?;
    let back = Call { direction: Direction::Inverse, ..call.clone() };
    let nothing = called(statement, "carry_nothing", vec![parse_quote!(true)]);
    let body = vec![statement.clone(), carry.clone(), statement.with(Kind::Call(back)), nothing];
    let arm = Arm { pre: told.clone(), post: told, verify: false, body };
    let kind = Kind::If { arms: vec![arm], otherwise: None };
    Some(Statement { generated: true, ..statement.with(kind) })
}

/// Whether there is anything to carry: of what is handed to `carry`, one argument after the other.
fn told(carried: &[Expr]) -> Option<Expr> {
    let [Expr::Array(carried)] = carried else { return None };
    let one = |carried: &Expr| {
        let Expr::Call(carried) = carried else { return None };
        let told: Vec<&Expr> = carried.args.iter().skip(1).collect();
        Some(parse_quote!(::retrograde::__private::is_carried(#(#told),*)))
    };
    let all: Option<Vec<Expr>> = carried.elems.iter().map(one).collect();
    all?.into_iter().reduce(|a, b| parse_quote!(#a || #b))
}

/// The calls of an expression that may give integers, wherever they stand.
struct Given<'s, 'a> {
    watcher: &'s mut Watcher<'a>,
    source: &'s Source,
    around: Vec<Around>,
}

impl Inside for Given<'_, '_> {
    fn around(&mut self) -> &mut Vec<Around> {
        &mut self.around
    }
}

impl<'e> Visit<'e> for Given<'_, '_> {
    fn visit_expr(&mut self, expr: &'e Expr) {
        let Given { watcher, source, around } = self;
        if watcher.keeper.gives(expr).is_some() {
            let check = watcher.rounding.settled_given(expr, source, &mut watcher.keeper);
            watcher.before.extend(check.map(|check| Around::all(around, check)));
            return;
        }
        match expr {
            Expr::Closure(_) => {}
            // The names of its patterns are not known outside.
            Expr::Match(e) => self.visit_expr(&e.expr),
            Expr::If(e) => {
                self.visit_expr(&e.cond);
                around::branches(self, e);
            }
            _ => crate::visit::visit_expr(self, expr),
        }
    }

    fn visit_block(&mut self, block: &'e syn::Block) {
        around::statements(self, block);
    }

    fn visit_item(&mut self, _: &'e syn::Item) {}
}

struct Settle<'s, 'a> {
    watcher: &'s mut Watcher<'a>,
    source: &'s Source,
    /// What surrounds an expression, from outside to inside.
    around: Vec<Around>,
    /// Whether what it reads is borrowed, so that it can be read but once.
    lent: bool,
}

impl Inside for Settle<'_, '_> {
    fn around(&mut self) -> &mut Vec<Around> {
        &mut self.around
    }
}

impl VisitMut for Settle<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(inner) = decided_by(expr) {
            return self.visit_expr_mut(inner);
        }
        let Settle { watcher, source, around, lent } = self;
        let decides = watcher.keeper.decides(expr).is_some();
        // Another call begins with what it is given: a root of that has the slope that it has.
        if let Some(check) = watcher.rounding.jump(expr, source, false, &mut watcher.keeper) {
            watcher.before.push(Around::all(around, check));
        }
        let mut hidden = false;
        for part in whole_parts_mut(expr) {
            if watcher.keeper.opaque(part).is_some() {
                *part = watcher.same(part, part.clone(), None, source);
                hidden = true;
            }
        }
        if hidden {
            if let Expr::Index(e) = expr {
                self.visit_expr_mut(&mut e.expr);
            }
            return;
        }
        match expr {
            Expr::Index(e) => {
                self.visit_expr_mut(&mut e.expr);
                let pulled = std::mem::replace(&mut self.watcher.rounding.pulled, false);
                self.visit_expr_mut(&mut e.index);
                self.watcher.rounding.pulled = pulled;
            }
            Expr::Cast(e) if decides && *lent && !gives_no_float(&e.expr) => {
                *e.expr = watcher.whole(&e.expr, source);
            }
            Expr::Cast(e) if decides => {
                let same =
                    watcher.same(&Expr::Cast(e.clone()), Expr::Cast(e.clone()), None, source);
                match same == Expr::Cast(e.clone()) && !gives_no_float(&e.expr) {
                    true => *e.expr = watcher.whole(&e.expr, source),
                    false => *expr = same,
                }
            }
            Expr::MethodCall(e) if decides && is_one_of(&e.method, &functions::JUMPS) => {
                *e.receiver = watcher.whole(&e.receiver, source);
            }
            Expr::Call(e)
                if decides
                    && function(&Expr::Call(e.clone()))
                        .is_some_and(|(name, ..)| is_one_of(name, &functions::JUMPS)) =>
            {
                if let Some(first) = e.args.first_mut() {
                    *first = watcher.whole(first, source);
                }
            }
            Expr::MethodCall(_) | Expr::Call(_) | Expr::Macro(_) if decides => {
                *expr = watcher.same(expr, expr.clone(), None, source);
            }
            Expr::Binary(_) if decides => *expr = watcher.settled(expr, source),
            Expr::If(e) => {
                let conditions = Around::branches(&e.cond);
                *e.cond = watcher.settled(&e.cond, source);
                around::branches_mut(self, conditions, e);
            }
            Expr::Closure(_) => {}
            // The names of its patterns are not known outside.
            Expr::Match(_) => {
                let before = watcher.before.len();
                crate::visit::visit_expr_mut(self, expr);
                self.watcher.before.truncate(before);
            }
            _ => crate::visit::visit_expr_mut(self, expr),
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        around::statements_mut(self, block, around::Locals::AsWritten);
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
