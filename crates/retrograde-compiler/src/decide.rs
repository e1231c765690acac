//! Decisions on floats that are undone.
//!
//! A branch, the number of passes of a loop, an index that was cast from a float, what was
//! rounded: going back they must be what they were going there. A float that is undone comes
//! back up to rounding, and so may lie on the other side of what it was compared with. So
//! where the way there and back are both in sight, in a `#[compute]` block, the decisions
//! that look at what the block itself writes are kept on the way there, a bit for a branch,
//! and recalled on the way back.
//!
//! In the words of the language: `if c` becomes `if (decide(c), recall())`. The inverse of
//! that is found by the table, as always.

use crate::adjoint::free_name;
use crate::differentiate::is_library;
use crate::effects;
use crate::functions;
use crate::ir::{Ancilla, Binding, Block, Call, Callee, Direction, Kind, Operator, Statement};
use crate::kinds::Kinds;
use crate::names::{Mode, Names, pattern_names};
use crate::optimise::declare;
use crate::place::{Access, Overlap, identifiers, reads};
use crate::text::{Source, is_one_of};
use proc_macro2::Ident;
use quote::{ToTokens, quote};
use std::collections::{HashMap, HashSet};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, Type, parse_quote};

/// The functions of the library that decide, and those that recall.
const DECIDE: [&str; 3] = ["decide_branch", "decide_pass", "decide_value"];
const RECALL: [&str; 3] = ["recall_branch", "recall_pass", "recall_value"];

/// Methods that give a truth value.
const COMPARISONS: [&str; 7] = ["contains", "eq", "ge", "gt", "le", "lt", "ne"];

/// Has the `#[compute]` blocks of a body keep the decisions that floats could not give back.
/// Tells whether there are any; `kinds` learns the names of what they give.
pub fn keep(
    body: &mut Block,
    names: &Names,
    kinds: &mut Kinds,
    used: &mut HashSet<String>,
) -> bool {
    if !computes(body) {
        return false;
    }
    let mut keeper = Keeper::of(body, names, kinds, used);
    let kept = keeper.block(body);
    let any = kept != *body;
    keeper.named.iter().for_each(|(name, kind)| kinds.declare(name, kind.clone()));
    if any {
        *body = kept;
    }
    any
}

/// A function that is run there and back in one call, as if it were such a block.
pub struct Whole {
    /// The declarations of the records that outlive the way there.
    pub records: Block,
    /// The body, which keeps its decisions in them.
    pub body: Block,
}

/// Has a whole body keep its decisions; `None` if floats can give back all of them.
pub fn keep_whole(
    body: &Block,
    names: &Names,
    kinds: &mut Kinds,
    used: &mut HashSet<String>,
) -> Option<Whole> {
    let at = body.first()?;
    let mut keeper = Keeper::of(body, names, kinds, used);
    let Kind::Compute { mut compute, .. } = keeper.compute(at, body, &Block::new()).kind else {
        unreachable!("as it was made");
    };
    let own =
        |statement: &Statement| statement.generated && matches!(statement.kind, Kind::Allocate(_));
    let count = compute.iter().take_while(|statement| own(statement)).count();
    keeper.named.iter().for_each(|(name, kind)| kinds.declare(name, kind.clone()));
    let body = compute.split_off(count);
    (count > 0).then_some(Whole { records: compute, body })
}

fn computes(block: &Block) -> bool {
    block.iter().any(|statement| {
        matches!(statement.kind, Kind::Compute { .. })
            || statement.blocks().into_iter().any(computes)
    })
}

fn declare_all(block: &Block, kinds: &mut Kinds) {
    for statement in block {
        declare(kinds, statement);
        statement.blocks().into_iter().for_each(|inner| declare_all(inner, kinds));
    }
}

/// A `#[compute]` block.
struct Level {
    /// What it writes, in floats.
    writes: Vec<Access>,
    /// The records of its decisions, with their types.
    records: Vec<(Ident, Type)>,
    /// Those that decisions of inner blocks ask which way it goes.
    asked: Vec<Ident>,
}

struct Keeper<'a> {
    names: &'a Names,
    kinds: Kinds,
    used: &'a mut HashSet<String>,
    /// The `#[compute]` blocks around, the outermost first.
    levels: Vec<Level>,
    /// Names for values of what is undone, and the outermost level that undoes it.
    drifting: HashMap<Ident, usize>,
    /// `let`s with decisions in their values that have not ended.
    bound: Vec<Bound>,
    /// Names of decisions, and what they give.
    named: Vec<(Ident, crate::kinds::Kind)>,
}

/// A `let` whose value has decisions in it.
struct Bound {
    /// As it was written.
    written: Binding,
    /// With names for the decisions.
    value: Expr,
    /// What ends these names.
    ends: Vec<Binding>,
}

/// What a decision gives.
#[derive(Clone, Copy)]
enum What {
    Branch,
    Pass,
    Value,
}

impl<'a> Keeper<'a> {
    fn of(body: &Block, names: &'a Names, kinds: &Kinds, used: &'a mut HashSet<String>) -> Self {
        let mut kinds = kinds.clone();
        declare_all(body, &mut kinds);
        let (levels, drifting, bound) = (Vec::new(), HashMap::new(), Vec::new());
        Keeper { names, kinds, used, levels, drifting, bound, named: Vec::new() }
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut out = Block::new();
        for statement in block {
            self.statement(statement, &mut out);
        }
        out
    }

    fn statement(&mut self, statement: &Statement, out: &mut Block) {
        if let Kind::Compute { compute, body } = &statement.kind {
            out.push(self.compute(statement, compute, body));
            return;
        }
        if self.levels.is_empty() {
            let mut statement = statement.clone();
            statement.blocks_mut().into_iter().for_each(|inner| *inner = self.block(inner));
            out.push(statement);
            return;
        }
        self.follow(statement);
        let mut statement = statement.clone();
        let mut hoisted: Vec<(Binding, Binding)> = Vec::new();
        match &mut statement.kind {
            Kind::If { arms, .. } => {
                for arm in arms {
                    if let Some(level) = self.condition(&arm.pre).or(self.condition(&arm.post)) {
                        let [decide, recall] = self.decision(level, What::Branch, &arm.pre);
                        (arm.pre, arm.post, arm.verify) = (decide, recall, false);
                    }
                }
            }
            Kind::While { pre, post, verify, .. } => {
                if let Some(level) = self.condition(pre).or(self.condition(post)) {
                    let [decide, recall] = self.decision(level, What::Pass, pre);
                    (*pre, *post, *verify) = (decide, recall, false);
                }
            }
            Kind::Update { place, value, .. } => {
                self.hoist(value, &mut hoisted);
                self.hoist(place, &mut hoisted);
            }
            Kind::Bind(binding) => {
                let written = binding.clone();
                self.hoist(&mut binding.value, &mut hoisted);
                if !hoisted.is_empty() {
                    let ends = hoisted.iter().map(|(_, end)| end.clone()).collect();
                    self.bound.push(Bound { written, value: binding.value.clone(), ends });
                }
            }
            Kind::Unbind(binding) => {
                let known = self.bound.iter().rposition(|bound| bound.written == *binding);
                if let Some(Bound { value, ends, .. }) = known.map(|at| self.bound.remove(at)) {
                    binding.value = value;
                    let own = |kind| Statement { generated: true, ..statement.with(kind) };
                    let ends: Block = ends.into_iter().rev().map(Kind::Unbind).map(own).collect();
                    out.push(statement);
                    out.extend(ends);
                    return;
                }
            }
            Kind::Allocate(ancilla) | Kind::Release(ancilla) => {
                self.hoist(&mut ancilla.value, &mut hoisted);
            }
            Kind::For { sequence, .. } => self.hoist(sequence, &mut hoisted),
            Kind::Call(call) => {
                call.arguments.iter_mut().for_each(|argument| self.hoist(argument, &mut hoisted));
            }
            Kind::Block(_) | Kind::Host(_) | Kind::Compute { .. } => {}
        }
        statement.blocks_mut().into_iter().for_each(|inner| *inner = self.block(inner));
        let own = |kind| Statement { generated: true, ..statement.with(kind) };
        let (before, after): (Vec<_>, Vec<_>) = hoisted.into_iter().unzip();
        // What is declared lives on, and so do the decisions that it was made of.
        let ends = !matches!(statement.kind, Kind::Bind(_));
        out.extend(before.into_iter().map(|binding| own(Kind::Bind(binding))));
        out.push(statement.clone());
        if ends {
            out.extend(after.into_iter().rev().map(|binding| own(Kind::Unbind(binding))));
        }
    }

    fn compute(&mut self, statement: &Statement, compute: &Block, body: &Block) -> Statement {
        let mut writes = Vec::new();
        self.collect(compute, &mut writes);
        self.levels.push(Level { writes, records: Vec::new(), asked: Vec::new() });
        let computing = self.block(compute);
        let Some(Level { records, asked, .. }) = self.levels.pop() else {
            unreachable!("pushed above")
        };
        let own = |kind| Statement { generated: true, ..statement.with(kind) };
        let declare = |(name, ty): (Ident, Type)| {
            let value = parse_quote!(::retrograde::__private::Decided::<#ty>::default());
            own(Kind::Allocate(Ancilla::new(name, None, value, false)))
        };
        let turn = |name: &Ident| {
            own(Kind::Call(Call {
                callee: Callee::Function(parse_quote!(::retrograde::__private::turn)),
                arguments: vec![parse_quote!(&mut #name)],
                direction: Direction::Forward,
            }))
        };
        let mut rest: Block = asked.iter().map(turn).collect();
        rest.extend(self.block(body));
        let compute = records.into_iter().map(declare).chain(computing).collect();
        statement.with(Kind::Compute { compute, body: rest })
    }

    /// What a block writes with round-off, at any depth.
    fn collect(&self, block: &Block, writes: &mut Vec<Access>) {
        for statement in block {
            match &statement.kind {
                Kind::Update { operator: Operator::Xor, .. } => {}
                Kind::Update { place, .. } if self.kinds.of_expr(place).is_constant() => {}
                Kind::Update { .. } | Kind::Call(_) => {
                    let written = effects::of(statement, self.names).writes;
                    let exact = |write: &Access| self.kinds.of_expr(&write.expr).is_constant();
                    let written = written.into_iter().map(|write| write.access);
                    writes.extend(written.filter(|write| !exact(write)));
                }
                _ => statement.blocks().into_iter().for_each(|inner| self.collect(inner, writes)),
            }
        }
    }

    /// Takes note of names for values that come back with round-off.
    fn follow(&mut self, statement: &Statement) {
        let (names, value) = match &statement.kind {
            Kind::Bind(binding) => (pattern_names(&binding.pattern), &binding.value),
            Kind::Allocate(ancilla) => (vec![ancilla.name.clone()], &ancilla.value),
            _ => return,
        };
        // What is decided there is kept there.
        if self.kinds.of_expr(value).is_constant() {
            return;
        }
        if let Some(level) = self.level(value) {
            self.drifting.extend(names.into_iter().map(|name| (name, level)));
        }
    }

    /// The outermost level that undoes something which an expression reads, in floats.
    fn level(&self, expr: &Expr) -> Option<usize> {
        let of_read = |read: Access| {
            if self.kinds.of_expr(&read.expr).is_constant() {
                return None;
            }
            let written = |level: &Level| {
                level.writes.iter().any(|w| self.names.overlap(w, &read) != Overlap::Never)
            };
            let roots = self.names.roots(&read.root);
            let named = roots.iter().filter_map(|root| self.drifting.get(root).copied()).min();
            let written = self.levels.iter().position(written);
            named.into_iter().chain(written).min()
        };
        reads(expr).into_iter().filter_map(of_read).min()
    }

    /// As [`Keeper::level`], for a condition: where it compares integers, it is exact.
    fn condition(&self, condition: &Expr) -> Option<usize> {
        match condition {
            Expr::Paren(e) => self.condition(&e.expr),
            Expr::Group(e) => self.condition(&e.expr),
            Expr::Unary(e) => self.condition(&e.expr),
            Expr::Binary(e) if matches!(e.op, BinOp::And(_) | BinOp::Or(_)) => {
                let sides = [self.condition(&e.left), self.condition(&e.right)];
                sides.into_iter().flatten().min()
            }
            Expr::Binary(e) => {
                if self.is_exact(&e.left) || self.is_exact(&e.right) {
                    let sides = [self.inside(&e.left), self.inside(&e.right)];
                    return sides.into_iter().flatten().min();
                }
                self.level(condition)
            }
            // A truth value that stands somewhere.
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => self.inside(condition),
            _ => self.level(condition),
        }
    }

    /// Whether a side of a comparison is an integer or the like, and so is the other. Of
    /// what type a literal is, the other side decides.
    fn is_exact(&self, side: &Expr) -> bool {
        match side {
            Expr::Lit(e) => {
                !matches!(e.lit, syn::Lit::Float(_)) && self.kinds.of_expr(side).is_constant()
            }
            Expr::Unary(e) => self.is_exact(&e.expr),
            Expr::Paren(e) => self.is_exact(&e.expr),
            Expr::Group(e) => self.is_exact(&e.expr),
            _ => self.kinds.of_expr(side).is_constant(),
        }
    }

    /// The outermost level of the decisions inside of an expression.
    fn inside(&self, expr: &Expr) -> Option<usize> {
        let mut search = Search { keeper: self, found: None };
        search.visit_expr(expr);
        search.found
    }

    /// What an expression decides by itself, and on which level.
    fn decides(&self, expr: &Expr) -> Option<(usize, What)> {
        let value = |level: Option<usize>| level.map(|level| (level, What::Value));
        let branch = |level: Option<usize>| level.map(|level| (level, What::Branch));
        match expr {
            Expr::Cast(e) if !is_float(&e.ty) => value(self.level(&e.expr)),
            Expr::Binary(e) if is_condition(&e.op) => branch(self.condition(expr)),
            Expr::MethodCall(e) => {
                let method = e.method.to_string();
                if functions::JUMPS.contains(&method.as_str()) || method.ends_with("_cmp") {
                    value(self.level(expr))
                } else if method.starts_with("is_") || COMPARISONS.contains(&method.as_str()) {
                    branch(self.level(expr))
                } else {
                    None
                }
            }
            Expr::Macro(e) if e.mac.path.is_ident("matches") => branch(self.level(expr)),
            _ => None,
        }
    }

    /// A decision, and what recalls it.
    fn decision(&mut self, level: usize, what: What, value: &Expr) -> [Expr; 2] {
        let ty: Type = match what {
            What::Branch => parse_quote!(::retrograde::__private::Bits),
            What::Pass => parse_quote!(::retrograde::__private::Passes),
            What::Value => parse_quote!(::retrograde::__private::Values<_>),
        };
        let innermost = self.levels.len() - 1;
        let mut records = Vec::new();
        for i in level..=innermost {
            let name = free_name("decided", self.used);
            self.levels[i].records.push((name.clone(), ty.clone()));
            if i < innermost {
                self.levels[i].asked.push(name.clone());
            }
            records.push(name);
        }
        records.reverse();
        let (own, outer) = (&records[0], &records[1..]);
        let [decide, recall] = [DECIDE, RECALL]
            .map(|names| Ident::new(names[what as usize], proc_macro2::Span::call_site()));
        let around = quote!(&mut [#(&mut #outer),*]);
        [
            parse_quote!(::retrograde::__private::#decide(&mut #own, #around, || #value)),
            parse_quote!(::retrograde::__private::#recall(&mut #own, #around)),
        ]
    }

    /// Gives names to the decisions inside of an expression: one for the way there, and
    /// one for the way back.
    fn hoist(&mut self, expr: &mut Expr, hoisted: &mut Vec<(Binding, Binding)>) {
        if self.inside(expr).is_some() {
            Hoist { keeper: self, hoisted, around: Vec::new() }.visit_expr_mut(expr);
        }
    }
}

struct Search<'s, 'a> {
    keeper: &'s Keeper<'a>,
    found: Option<usize>,
}

impl<'e> Visit<'e> for Search<'_, '_> {
    fn visit_expr(&mut self, expr: &'e Expr) {
        let of_branch = match expr {
            Expr::If(e) => self.keeper.condition(&e.cond),
            _ => None,
        };
        let level = self.keeper.decides(expr).map(|(level, _)| level).or(of_branch);
        self.found = self.found.into_iter().chain(level).min();
        if !matches!(expr, Expr::Closure(_)) {
            syn::visit::visit_expr(self, expr);
        }
    }
}

struct Hoist<'h, 'k, 'a> {
    keeper: &'h mut Keeper<'k>,
    hoisted: &'a mut Vec<(Binding, Binding)>,
    /// What surrounds an expression, from outside to inside.
    around: Vec<Around>,
}

/// What an expression needs to be evaluated outside of where it stands.
enum Around {
    /// The condition under which it is evaluated at all.
    Guard(Expr),
    /// A name of a block.
    Let(syn::Local),
}

impl Around {
    /// A value as if it stood inside.
    fn around(&self, value: Expr) -> Expr {
        match self {
            Around::Guard(guard) => {
                parse_quote!(if #guard { #value } else { ::core::default::Default::default() })
            }
            Around::Let(local) => {
                let used = identifiers(&value.to_token_stream());
                match pattern_names(&local.pat).iter().any(|name| used.contains(name)) {
                    true => parse_quote!({ #local #value }),
                    false => value,
                }
            }
        }
    }
}

impl Hoist<'_, '_, '_> {
    fn named(&mut self, level: usize, what: What, expr: &mut Expr) {
        let name = free_name("d", self.keeper.used);
        let kind = match what {
            What::Value => self.keeper.kinds.of_expr(expr),
            What::Branch | What::Pass => crate::kinds::Kind::Constant,
        };
        self.keeper.named.push((name.clone(), kind.clone()));
        self.keeper.kinds.declare(&name, kind);
        let binding = |value: Expr| Binding {
            pattern: parse_quote!(#name),
            value: self.around.iter().rev().fold(value, |value, around| around.around(value)),
            verify: false,
        };
        let [decide, recall] = self.keeper.decision(level, what, expr).map(binding);
        self.hoisted.push((decide, recall));
        *expr = parse_quote!(#name);
    }
}

impl VisitMut for Hoist<'_, '_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some((level, what)) = self.keeper.decides(expr) {
            return self.named(level, what, expr);
        }
        match expr {
            Expr::Closure(_) => {}
            Expr::If(e) => {
                match self.keeper.condition(&e.cond) {
                    Some(level) => self.named(level, What::Branch, &mut e.cond),
                    None => self.visit_expr_mut(&mut e.cond),
                }
                let condition = (*e.cond).clone();
                self.around.push(Around::Guard(parse_quote!((#condition))));
                self.visit_block_mut(&mut e.then_branch);
                self.around.pop();
                if let Some((_, otherwise)) = &mut e.else_branch {
                    self.around.push(Around::Guard(parse_quote!(!(#condition))));
                    self.visit_expr_mut(otherwise);
                    self.around.pop();
                }
            }
            _ => syn::visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let outside = self.around.len();
        for statement in &mut block.stmts {
            self.visit_stmt_mut(statement);
            if let syn::Stmt::Local(local) = statement {
                self.around.push(Around::Let(local.clone()));
            }
        }
        self.around.truncate(outside);
    }
}

/// Whether an operator gives a truth value.
fn is_condition(operator: &BinOp) -> bool {
    use BinOp::*;
    matches!(operator, And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}

fn is_float(ty: &Type) -> bool {
    matches!(ty, Type::Path(path)
        if path.path.get_ident().is_some_and(|name| is_one_of(name, &["f32", "f64"])))
}

/// The function of the library that an expression calls, if it decides or recalls.
fn called<'e>(expr: &'e Expr, functions: &[&str]) -> Option<&'e syn::ExprCall> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let last = path.path.segments.last()?;
    (is_library(expr) && is_one_of(&last.ident, functions)).then_some(call)
}

/// The closure that a decision evaluates.
pub fn decided_by(expr: &mut Expr) -> Option<&mut Expr> {
    called(expr, &DECIDE)?;
    let Expr::Call(call) = expr else { return None };
    match call.args.last_mut()? {
        Expr::Closure(closure) => Some(&mut closure.body),
        _ => None,
    }
}

/// The records that an expression adds to: where it decides, that of its own level, and where
/// it recalls, those of the levels around.
pub fn written_records(expr: &Expr) -> Vec<Ident> {
    struct Written(Vec<Ident>);
    impl<'e> Visit<'e> for Written {
        fn visit_expr(&mut self, expr: &'e Expr) {
            let own = called(expr, &DECIDE).and_then(|call| call.args.first());
            let outer = called(expr, &RECALL).and_then(|call| call.args.get(1));
            for records in own.into_iter().chain(outer) {
                self.0.extend(reads(records).into_iter().map(|read| read.root));
            }
            syn::visit::visit_expr(self, expr);
        }
    }
    let mut written = Written(Vec::new());
    written.visit_expr(expr);
    written.0
}

/// Whether a decision is recalled somewhere.
pub fn recalls(block: &Block) -> bool {
    let recalls = |expr: &Expr| {
        struct Recalls(bool);
        impl<'e> Visit<'e> for Recalls {
            fn visit_expr(&mut self, expr: &'e Expr) {
                self.0 |= called(expr, &RECALL).is_some();
                syn::visit::visit_expr(self, expr);
            }
        }
        let mut search = Recalls(false);
        search.visit_expr(expr);
        search.0
    };
    block.iter().any(|statement| {
        let here = match &statement.kind {
            Kind::If { arms, .. } => arms.iter().any(|arm| recalls(&arm.pre)),
            Kind::While { pre, .. } => recalls(pre),
            Kind::Bind(binding) => recalls(&binding.value),
            _ => false,
        };
        here || statement.blocks().into_iter().any(self::recalls)
    })
}

/// Whether a decision is kept or recalled in a block, so that it must run as it stands.
pub fn concerns(block: &Block) -> bool {
    let mut found = false;
    for statement in block {
        let mut statement = statement.clone();
        statement.each_expression(&mut |expr| {
            struct Concerns(bool);
            impl<'e> Visit<'e> for Concerns {
                fn visit_expr(&mut self, expr: &'e Expr) {
                    let own = called(expr, &RECALL).or(called(expr, &DECIDE));
                    self.0 |= own.is_some();
                    syn::visit::visit_expr(self, expr);
                }
            }
            let mut search = Concerns(found);
            search.visit_expr(expr);
            found = search.0;
        });
    }
    found
}

/// A block in which what is decided is not kept.
pub fn forget(block: &Block) -> Block {
    struct Forget;
    impl VisitMut for Forget {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            if let Some(value) = decided_by(expr) {
                *expr = value.clone();
            }
            syn::visit_mut::visit_expr_mut(self, expr);
        }
    }
    let mut block = block.clone();
    for statement in &mut block {
        statement.each_expression(&mut |expr| Forget.visit_expr_mut(expr));
    }
    block
}

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
