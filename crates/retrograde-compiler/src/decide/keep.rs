//! Decisions that are kept on the way there and recalled on the way back.

use super::around::{self, Around, Inside};
use super::rounding::{Rounding, is_of_user};
use super::{BITS, COMPARISONS, DECIDE, RECALL, function, is_condition, is_float};
use crate::adjoint::free_name;
use crate::effects;
use crate::functions;
use crate::ir::{Ancilla, Binding, Block, Call, Callee, Direction, Kind, Operator, Statement};
use crate::kinds::Kinds;
use crate::matching;
use crate::names::{Mode, Names, pattern_names};
use crate::optimise::{declare, lent_elements};
use crate::place::{Access, Overlap, Step, access, bare_name, is_shape, mutable_borrows, reads};
use crate::table::NameSet;
use crate::text::{Source, is_one_of};
use crate::visit::Visit;
use crate::visit::VisitMut;
use proc_macro2::Ident;
use quote::{ToTokens, quote};
use std::collections::{HashMap, HashSet};
use syn::{BinOp, Expr, Pat, Type, parse_quote};

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
    /// What tells those that inner blocks ask that from here on it goes back.
    pub turns: Block,
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
    keeper.outside = 1;
    let Kind::Compute { mut compute, body: turns } = keeper.compute(at, body, &Block::new()).kind
    else {
        unreachable!("as it was made");
    };
    let own =
        |statement: &Statement| statement.generated && matches!(statement.kind, Kind::Allocate(_));
    let count = compute.iter().take_while(|statement| own(statement)).count();
    keeper.named.iter().for_each(|(name, kind)| kinds.declare(name, kind.clone()));
    let body = compute.split_off(count);
    (count > 0).then_some(Whole { records: compute, body, turns })
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
pub(super) struct Level {
    /// What it writes, in floats, in the order of the text.
    writes: Vec<Access>,
    /// How many of these are behind for good, where the walk through the block is: what is read
    /// there has its value from them on both ways, and comes back as far as the rest is undone.
    behind: usize,
    /// How many of them come before, be it in the same pass of a loop.
    passed: usize,
    /// In how many loops and inner blocks the walk is, whose writes come again.
    again: usize,
    /// How many loops are around it.
    outside: usize,
    /// What is computed of what it writes: that comes with its rounding, and has none of its own.
    pub made: Vec<Access>,
    /// The records of its decisions, with their types.
    pub records: Vec<(Ident, Type)>,
    /// Those that decisions of inner blocks ask which way it goes.
    pub asked: Vec<Ident>,
}

impl Level {
    /// Of what a block writes, with so many loops around it.
    pub(super) fn of(writes: Vec<Access>, outside: usize) -> Self {
        Level {
            writes,
            outside,
            behind: 0,
            passed: 0,
            again: 0,
            made: Vec::new(),
            records: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// What is written from here on, and so undone before the way back comes here.
    pub(super) fn ahead(&self) -> &[Access] {
        &self.writes[self.behind..]
    }

    /// All that comes back with rounding, where `is_of_this_pass` tells of what is written before
    /// in a loop that no other pass of it writes that.
    fn rounded(&self, is_of_this_pass: impl Fn(&Access) -> bool) -> impl Iterator<Item = &Access> {
        let ahead = self.writes.iter().enumerate().skip(self.behind);
        let again =
            move |&(at, write): &(usize, &Access)| at >= self.passed || !is_of_this_pass(write);
        ahead.filter(again).map(|(_, write)| write).chain(&self.made)
    }
}

/// The passage of the walk through a statement.
pub(super) struct Passage {
    /// How many writes are behind when it is left.
    after: usize,
    /// Whether its writes come again.
    again: bool,
}

/// A loop that the walk is in.
#[derive(Default)]
struct Pass {
    /// Elements that no other pass of it has.
    lent: NameSet,
    /// Ancillas of its own, that begin anew in each pass.
    declared: NameSet,
    /// What counts it.
    indices: NameSet,
}

pub(super) struct Keeper<'a> {
    pub names: &'a Names,
    pub kinds: Kinds,
    pub used: &'a mut HashSet<String>,
    /// The `#[compute]` blocks around, the outermost first.
    pub levels: Vec<Level>,
    /// How many of them are a whole function, and no such blocks.
    outside: usize,
    /// Names for values of what is undone, and the outermost level that undoes it.
    drifting: HashMap<Ident, usize>,
    /// `let`s with decisions in their values that have not ended.
    bound: Vec<Bound>,
    /// The loops around, the outermost first.
    loops: Vec<Pass>,
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
pub(super) enum What {
    Branch,
    Pass,
    Value,
    /// What a function gives, if it is an integer or the like.
    Given,
}

impl<'a> Keeper<'a> {
    pub(super) fn of(
        body: &Block,
        names: &'a Names,
        kinds: &Kinds,
        used: &'a mut HashSet<String>,
    ) -> Self {
        let mut kinds = kinds.clone();
        declare_all(body, &mut kinds);
        let (levels, drifting, bound) = (Vec::new(), HashMap::new(), Vec::new());
        let (loops, named) = (Vec::new(), Vec::new());
        Keeper { names, kinds, used, levels, outside: 0, drifting, bound, loops, named }
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
            let passage = self.enter(statement);
            let computed = self.compute(statement, compute, body);
            self.leave(statement, passage);
            out.push(computed);
            return;
        }
        if self.levels.is_empty() {
            let mut statement = statement.clone();
            statement.blocks_mut().into_iter().for_each(|inner| *inner = self.block(inner));
            out.push(statement);
            return;
        }
        let passage = self.enter(statement);
        self.kept(statement, out);
        self.leave(statement, passage);
    }

    fn kept(&mut self, statement: &Statement, out: &mut Block) {
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
                // An integer of a function of the user's is a decision as a whole.
                let kind = self.kinds.of_expr(place);
                match self.opaque(value).filter(|_| kind.is_constant()) {
                    Some(level) => self.hoist_whole(level, value, &mut hoisted),
                    None => {
                        let given = kind == crate::kinds::Kind::Unknown;
                        self.hoist_from(value, given, &statement.source, &mut hoisted);
                    }
                }
                self.hoist(place, &mut hoisted);
            }
            Kind::Bind(binding) => {
                let written = binding.clone();
                if let Some(level) = self.taken_out(&binding.value) {
                    self.hoist_taken_out(level, &mut binding.value, &mut hoisted);
                }
                let constant = self.kinds.binds_constants(&binding.pattern, &binding.value);
                match self.opaque(&binding.value).filter(|_| constant) {
                    Some(level) => self.hoist_whole(level, &mut binding.value, &mut hoisted),
                    None => {
                        let source = &statement.source;
                        self.hoist_from(&mut binding.value, !constant, source, &mut hoisted);
                    }
                }
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
                let constant = self.kinds.is_constant_ancilla(ancilla);
                match self.opaque(&ancilla.value).filter(|_| constant) {
                    Some(level) => self.hoist_whole(level, &mut ancilla.value, &mut hoisted),
                    None => {
                        let source = &statement.source;
                        self.hoist_from(&mut ancilla.value, !constant, source, &mut hoisted);
                    }
                }
            }
            Kind::For { sequence, .. } => self.hoist(sequence, &mut hoisted),
            Kind::Call(call) => {
                for argument in &mut call.arguments {
                    match self.opaque_whole(argument) {
                        Some(level) => self.hoist_whole(level, argument, &mut hoisted),
                        None => {
                            let given = !statement.generated;
                            self.hoist_from(argument, given, &statement.source, &mut hoisted);
                        }
                    }
                }
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
        self.levels.push(Level::of(writes, self.loops.len()));
        let bound = self.bound.len();
        let mut computing = self.block(compute);
        let at = computing.first().unwrap_or(statement).clone();
        let mut followed = Block::new();
        if self.levels.len() == self.outside + 1 {
            let outside: Vec<Level> = self.levels.drain(..self.outside).collect();
            self.begin_again(&computing);
            let rounding = Rounding::carrying(&mut computing, self);
            followed = rounding.declarations(&at, self.names);
            self.levels.splice(..0, outside);
        }
        let Some(Level { records, asked, .. }) = self.levels.pop() else {
            unreachable!("pushed above")
        };
        let own = |kind| Statement { generated: true, ..statement.with(kind) };
        // A `let` that lives on is not undone by itself: who is around takes its decisions here.
        let handed: Block = self
            .bound
            .split_off(bound)
            .iter()
            .flat_map(|bound| &bound.ends)
            .filter_map(|end| super::called(&end.value, &RECALL))
            .map(|recall| {
                let callee = Callee::Function(parse_quote!(::retrograde::__private::hand_on));
                // The records, its own and those around.
                let arguments = recall.args.iter().take(2).cloned().collect();
                let (parentheses, direction) = (Default::default(), Direction::Forward);
                own(Kind::Call(Call { callee, arguments, parentheses, direction }))
            })
            .collect();
        let declare = |(name, ty): (Ident, Type)| {
            let value = parse_quote!(::retrograde::__private::Decided::<#ty>::default());
            own(Kind::Allocate(Ancilla::new(name, None, value, false)))
        };
        let turn = |name: &Ident| {
            own(Kind::Call(Call {
                callee: Callee::Function(parse_quote!(::retrograde::__private::turn)),
                arguments: vec![parse_quote!(&mut #name)],
                parentheses: Default::default(),
                direction: Direction::Forward,
            }))
        };
        let mut rest = handed;
        rest.extend(asked.iter().map(turn));
        rest.extend(self.block(body));
        let records = records.into_iter().map(declare);
        let compute = records.chain(followed).chain(computing).collect();
        statement.with(Kind::Compute { compute, body: rest })
    }

    /// Goes back to the beginning of the innermost block, as it is now.
    fn begin_again(&mut self, block: &Block) {
        let mut writes = Vec::new();
        self.collect(block, &mut writes);
        if let Some(level) = self.levels.last_mut() {
            (level.writes, level.behind, level.passed) = (writes, 0, 0);
        }
    }

    /// Goes to a statement of the innermost block: what is a write alone is behind when its
    /// decisions are looked at, and what is in a loop never is.
    pub(super) fn enter(&mut self, statement: &Statement) -> Option<Passage> {
        let mut writes = Vec::new();
        self.collect(std::slice::from_ref(statement), &mut writes);
        let level = self.levels.last_mut()?;
        let after = level.passed + writes.len();
        let mut again = false;
        match &statement.kind {
            Kind::For { pattern, sequence, .. } => {
                again = true;
                let lent = lent_elements(pattern, sequence);
                let indices = counted_by(pattern, sequence).cloned().into_iter().collect();
                self.loops.push(Pass { lent, indices, ..Pass::default() });
            }
            Kind::While { .. } => {
                again = true;
                self.loops.push(Pass::default());
            }
            Kind::Compute { .. } => again = true,
            Kind::If { .. } | Kind::Block(_) => {}
            Kind::Allocate(ancilla) => {
                if let Some(pass) = self.loops.last_mut() {
                    pass.declared.insert(&ancilla.name);
                }
            }
            _ => level.passed = after,
        }
        level.again += usize::from(again);
        if level.again == 0 {
            level.behind = level.passed;
        }
        Some(Passage { after, again })
    }

    /// Leaves a statement.
    pub(super) fn leave(&mut self, statement: &Statement, passage: Option<Passage>) {
        let (Some(Passage { after, again }), Some(level)) = (passage, self.levels.last_mut())
        else {
            return;
        };
        level.passed = after;
        level.again -= usize::from(again);
        if level.again == 0 {
            level.behind = after;
        }
        if matches!(statement.kind, Kind::For { .. } | Kind::While { .. }) {
            self.loops.pop();
        }
    }

    /// Whether what is written at a place is another element in each pass of each of the `loops`
    /// around, and that is the one that is read.
    fn is_of_this_pass(&self, write: &Access, read: &Access, loops: &[Pass]) -> bool {
        if write.root != read.root || loops.is_empty() {
            return false;
        }
        let (mut place, mut read) = (write.clone(), read.clone());
        for pass in loops.iter().rev() {
            // An element of what is there for this pass may be seen through a name of an inner loop.
            while !pass.lent.contains(&place.root) && self.names.is_alias(&place.root) {
                let behind = [&place, &read].map(|access| self.names.resolve_once(access));
                match behind.each_ref().map(Vec::as_slice) {
                    [[a], [b]] if a.root != place.root => (place, read) = (a.clone(), b.clone()),
                    _ => return false,
                }
            }
            if pass.declared.contains(&place.root) {
                return true;
            }
            let mut indices = place.path.iter().zip(&read.path).filter_map(|steps| match steps {
                (Step::Index(written), Step::Index(read)) => {
                    bare_name(written).filter(|name| bare_name(read) == Some(*name))
                }
                _ => None,
            });
            let counted = indices.any(|index| pass.indices.contains(index));
            if !counted && !pass.lent.contains(&place.root) {
                return false;
            }
        }
        true
    }

    /// What a block writes with round-off, at any depth.
    pub(super) fn collect(&self, block: &[Statement], writes: &mut Vec<Access>) {
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
                // Going back, it begins with the value that it was said to end with.
                Kind::Release(ancilla) => {
                    let name = &ancilla.name;
                    let released = access(&parse_quote!(#name));
                    writes.extend(released.filter(|a| !self.kinds.of_expr(&a.expr).is_constant()));
                }
                _ => statement.blocks().into_iter().for_each(|inner| self.collect(inner, writes)),
            }
        }
    }

    /// As [`Keeper::collect`], where of what `#[compute]` blocks write only the arguments count:
    /// these come from another call, and are computed of what that one has left. All else
    /// begins anew.
    pub(super) fn collect_lasting(&self, block: &[Statement], writes: &mut Vec<Access>) {
        for statement in block {
            match &statement.kind {
                Kind::Compute { compute, body } => {
                    let mut computed = Vec::new();
                    self.collect(compute, &mut computed);
                    let of_argument = |write: &Access| {
                        let mut roots = self.names.roots(&write.root).iter();
                        roots.any(|root| {
                            !self.names.is_alias(root) && self.names.mode(root) == Mode::Mutable
                        })
                    };
                    writes.extend(computed.into_iter().filter(of_argument));
                    self.collect_lasting(body, writes);
                }
                Kind::Update { .. } | Kind::Call(_) => {
                    self.collect(std::slice::from_ref(statement), writes);
                }
                _ => {
                    let inside = statement.blocks().into_iter();
                    inside.for_each(|inner| self.collect_lasting(inner, writes));
                }
            }
        }
    }

    /// Counts what a block makes of values that come back with round-off among them: a sum over
    /// what is undone elsewhere, say, which is not written anew.
    pub(super) fn spread(&mut self, block: &Block) {
        while self.spread_once(block) {}
    }

    fn spread_once(&mut self, block: &Block) -> bool {
        let mut any = false;
        for statement in block {
            self.follow(statement);
            let made_of: Vec<&Expr> = match &statement.kind {
                Kind::Update { operator: Operator::Xor, .. } => Vec::new(),
                Kind::Update { value, .. } => vec![value],
                Kind::Call(call) if !statement.generated => call.operands().collect(),
                _ => Vec::new(),
            };
            if made_of.into_iter().any(|value| self.level(value).is_some()) {
                let mut written = Vec::new();
                self.collect(std::slice::from_ref(statement), &mut written);
                let level = &mut self.levels[0];
                for write in written {
                    if !level.rounded(|_| false).any(|other| other.expr == write.expr) {
                        level.made.push(write);
                        any = true;
                    }
                }
            }
            for inner in statement.blocks() {
                any |= self.spread_once(inner);
            }
        }
        any
    }

    /// Takes note of names for values that come back with round-off.
    pub(super) fn follow(&mut self, statement: &Statement) {
        for local in locals_inside(statement) {
            let Some(value) = local.init.as_ref().map(|init| &*init.expr) else { continue };
            if !self.kinds.of_expr(value).is_constant()
                && let Some(level) = self.level(value)
            {
                self.drifting.extend(pattern_names(&local.pat).into_iter().map(|n| (n, level)));
            }
        }
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
    pub(super) fn level(&self, expr: &Expr) -> Option<usize> {
        let of_read = |read: Access| {
            let read = self.looked_at(read);
            if self.kinds.of_expr(&read.expr).is_constant() {
                return None;
            }
            let written = |level: &Level| {
                level
                    .rounded(|write| {
                        self.is_of_this_pass(write, &read, &self.loops[level.outside..])
                    })
                    .any(|w| self.names.overlap(w, &read) != Overlap::Never)
            };
            let roots = self.names.roots(&read.root);
            let named = roots.iter().filter_map(|root| self.drifting.get(root).copied()).min();
            let written = self.levels.iter().position(written);
            named.into_iter().chain(written).min()
        };
        reads(expr).into_iter().filter_map(of_read).min()
    }

    /// What a method looks at that is called like one that asks for a shape: of a sequence, that is
    /// its shape; of a type of the user's, it may be anything.
    fn looked_at(&self, read: Access) -> Access {
        match &read.expr {
            Expr::MethodCall(call)
                if read.path.last() == Some(&Step::Shape) && self.may_look(&call.receiver) =>
            {
                access(&call.receiver).unwrap_or(read)
            }
            _ => read,
        }
    }

    /// Whether a method of what stands there may be the user's, whatever it is called.
    fn may_look(&self, receiver: &Expr) -> bool {
        self.kinds.of_expr(receiver) == crate::kinds::Kind::Unknown
    }

    /// The outermost level of what functions of the user's are called on in an expression that
    /// gives an integer, a truth value or the like: they decide where nobody sees it.
    pub(super) fn opaque(&self, expr: &Expr) -> Option<usize> {
        struct Calls<'s, 'a>(&'s Keeper<'a>, Option<usize>);
        impl<'e> Visit<'e> for Calls<'_, '_> {
            fn visit_expr(&mut self, expr: &'e Expr) {
                let opaque = match expr {
                    Expr::Call(call) => matches!(&*call.func, Expr::Path(path)
                        if is_of_user(path, self.0)),
                    Expr::MethodCall(call) => {
                        let name = call.method.to_string();
                        match name.as_str() {
                            // Decided on by themselves.
                            name if functions::is_known(name) || BITS.contains(&name) => false,
                            name => !is_shape(name) || self.0.may_look(&call.receiver),
                        }
                    }
                    _ => false,
                };
                if opaque {
                    self.1 = self.1.into_iter().chain(self.0.level(expr)).min();
                }
                if !matches!(expr, Expr::Closure(_)) {
                    crate::visit::visit_expr(self, expr);
                }
            }
        }
        let mut calls = Calls(self, None);
        calls.visit_expr(expr);
        calls.1
    }

    /// As [`Keeper::level`], for a condition: where it compares integers, it is exact.
    pub(super) fn condition(&self, condition: &Expr) -> Option<usize> {
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
                    let sides = [&e.left, &e.right];
                    let decided =
                        sides.iter().flat_map(|side| [self.inside(side), self.opaque(side)]);
                    return decided.flatten().min();
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
    pub(super) fn is_exact(&self, side: &Expr) -> bool {
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
    pub(super) fn decides(&self, expr: &Expr) -> Option<(usize, What)> {
        let value = |level: Option<usize>| level.map(|level| (level, What::Value));
        let branch = |level: Option<usize>| level.map(|level| (level, What::Branch));
        match expr {
            Expr::Cast(e) if !is_float(&e.ty) => value(self.level(&e.expr)),
            Expr::Binary(e) if is_condition(&e.op) => branch(self.condition(expr)),
            Expr::MethodCall(_) | Expr::Call(_) => {
                let name = function(expr)?.0.to_string();
                let is = |names: &[&str]| names.contains(&name.as_str());
                if is(&functions::JUMPS) || is(&BITS) || name.ends_with("_cmp") {
                    value(self.level(expr))
                } else if name.starts_with("is_") || is(&COMPARISONS) {
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
    fn decision(&mut self, level: usize, what: What, value: &impl ToTokens) -> [Expr; 2] {
        let ty: Type = match what {
            What::Branch => parse_quote!(::retrograde::__private::Bits),
            What::Pass => parse_quote!(::retrograde::__private::Passes),
            What::Value => parse_quote!(::retrograde::__private::Values<_>),
            What::Given => parse_quote!(::retrograde::__private::Values<u64>),
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
        if let What::Given = what {
            return [decide, recall].map(|function| {
                parse_quote!(::retrograde::__private::#function(&mut #own, #around, #value))
            });
        }
        [
            parse_quote!(::retrograde::__private::#decide(&mut #own, #around, || #value)),
            parse_quote!(::retrograde::__private::#recall(&mut #own, #around)),
        ]
    }

    /// As [`Keeper::opaque`], of what a function of the user's gives that is known to be an integer
    /// or the like.
    pub(super) fn opaque_whole(&self, value: &Expr) -> Option<usize> {
        let is_call = matches!(value, Expr::Call(_) | Expr::MethodCall(_) | Expr::Binary(_));
        let constant = is_call && self.kinds.of_expr(value).is_constant();
        self.opaque(value).filter(|_| constant)
    }

    /// Gives a name to a value that is decided on as a whole.
    fn hoist_whole(
        &mut self,
        level: usize,
        value: &mut Expr,
        hoisted: &mut Vec<(Binding, Binding)>,
    ) {
        Hoist { keeper: self, hoisted, around: Vec::new(), given: None }.named(
            level,
            What::Value,
            value,
        );
    }

    /// The outermost level of what an arm takes out of a value that a function of the user's gives.
    fn taken_out(&self, value: &Expr) -> Option<usize> {
        let Expr::Match(e) = value else { return None };
        self.opaque(&e.expr).filter(|_| matching::is_made_here(value))
    }

    /// Gives a name to that: it fits the arm that was taken on the way there.
    fn hoist_taken_out(
        &mut self,
        level: usize,
        value: &mut Expr,
        hoisted: &mut Vec<(Binding, Binding)>,
    ) {
        // No gradient can be followed out of it.
        let whole: Expr = match self.kinds.has_derivatives() {
            true => parse_quote!(::retrograde::__private::matched(#value)),
            false => value.clone(),
        };
        let mut hoist = Hoist { keeper: self, hoisted, around: Vec::new(), given: None };
        let name = hoist.name(level, What::Value, crate::kinds::Kind::Constant, &whole);
        *value = parse_quote!(#name);
    }

    /// Gives names to the decisions inside of an expression: one for the way there, and
    /// one for the way back.
    fn hoist(&mut self, expr: &mut Expr, hoisted: &mut Vec<(Binding, Binding)>) {
        Signs(self).visit_expr_mut(expr);
        if self.inside(expr).is_some() {
            Hoist { keeper: self, hoisted, around: Vec::new(), given: None }.visit_expr_mut(expr);
        }
    }

    /// The same; and where it is not known whether functions of the user's give what carries a
    /// gradient, `given`, what they give is compared on the way back if it does not.
    fn hoist_from(
        &mut self,
        expr: &mut Expr,
        given: bool,
        source: &Source,
        hoisted: &mut Vec<(Binding, Binding)>,
    ) {
        if !given || self.opaque(expr).is_none() {
            return self.hoist(expr, hoisted);
        }
        Signs(self).visit_expr_mut(expr);
        let given = Some(source.clone());
        Hoist { keeper: self, hoisted, around: Vec::new(), given }.visit_expr_mut(expr);
    }

    /// The same call, where what it is called on is looked at once more.
    pub(super) fn once_more(&self, call: &Expr) -> Expr {
        let mut call = call.clone();
        if let Expr::MethodCall(e) = &mut call
            && let Some(name) = bare_name(&e.receiver)
            && matches!(*e.receiver, Expr::Path(_))
            && self.names.mode(name) == Mode::Mutable
        {
            let receiver = &e.receiver;
            e.receiver = parse_quote!((&*#receiver));
        }
        call
    }

    /// The outermost level of what a function of the user's is called on here, where its type may
    /// be anything.
    pub(super) fn gives(&self, expr: &Expr) -> Option<usize> {
        let of_user = match expr {
            Expr::Call(call) => {
                matches!(&*call.func, Expr::Path(path) if is_of_user(path, self))
            }
            // What std's generic ones give, is known by what is around them.
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                functions::is_of_user(&name)
                    && !crate::place::lends(&name)
                    && !["collect", "parse", "try_into"].contains(&name.as_str())
            }
            _ => false,
        };
        let passed: Vec<&Expr> = match expr {
            Expr::Call(call) => call.args.iter().collect(),
            _ => Vec::new(),
        };
        // What is lent to be written is a place, and cannot be lent a second time.
        let lent = |argument: &&Expr| {
            bare_name(argument).is_some_and(|name| {
                matches!(argument, Expr::Path(_)) && self.names.mode(name) == Mode::Mutable
            })
        };
        let writes = !mutable_borrows(expr).is_empty() || passed.iter().any(lent);
        let known = self.kinds.of_expr(expr).is_constant();
        self.level(expr).filter(|_| of_user && !known && !writes)
    }
}

/// The parts of an expression that are integers for sure: indices, and the ends of ranges.
pub(super) fn whole_parts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Index(e) if !matches!(*e.index, Expr::Range(_)) => vec![&e.index],
        Expr::Range(e) => e.start.iter().chain(&e.end).map(|end| &**end).collect(),
        Expr::MethodCall(e) if is_one_of(&e.method, &COUNTED) => {
            e.args.first().into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Methods of sequences that take a number of elements.
const COUNTED: [&str; 14] = [
    "chunks",
    "chunks_exact",
    "chunks_exact_mut",
    "chunks_mut",
    "nth",
    "rchunks",
    "rchunks_exact",
    "rchunks_exact_mut",
    "rchunks_mut",
    "skip",
    "step_by",
    "take",
    "windows",
    "split_at",
];

/// The same, to be changed.
pub(super) fn whole_parts_mut(expr: &mut Expr) -> Vec<&mut Expr> {
    match expr {
        Expr::Index(e) if !matches!(*e.index, Expr::Range(_)) => vec![&mut e.index],
        Expr::Range(e) => e.start.iter_mut().chain(&mut e.end).map(|end| &mut **end).collect(),
        Expr::MethodCall(e) if is_one_of(&e.method, &COUNTED) => {
            e.args.first_mut().into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The `let`s inside of the expressions of a statement.
pub(super) fn locals_inside(statement: &Statement) -> Vec<&syn::Local> {
    struct Locals<'e>(Vec<&'e syn::Local>);
    impl<'e> Visit<'e> for Locals<'e> {
        fn visit_local(&mut self, local: &'e syn::Local) {
            crate::visit::visit_local(self, local);
            self.0.push(local);
        }
    }
    let mut locals = Locals(Vec::new());
    statement.own_expressions().into_iter().for_each(|expr| locals.visit_expr(expr));
    locals.0
}

/// The variable that counts the passes of a loop.
pub(super) fn counted_by<'p>(pattern: &'p Pat, sequence: &Expr) -> Option<&'p Ident> {
    match sequence {
        Expr::Paren(e) => counted_by(pattern, &e.expr),
        Expr::MethodCall(call) if call.method == "rev" || call.method == "step_by" => {
            counted_by(pattern, &call.receiver)
        }
        Expr::Range(_) => match pattern {
            Pat::Ident(name) => Some(&name.ident),
            _ => None,
        },
        _ => None,
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
        let whole = whole_parts(expr).into_iter();
        let hidden = whole.filter_map(|part| self.keeper.opaque(part)).min();
        let level = self.keeper.decides(expr).map(|(level, _)| level).or(of_branch).or(hidden);
        self.found = self.found.into_iter().chain(level).min();
        if !matches!(expr, Expr::Closure(_)) {
            crate::visit::visit_expr(self, expr);
        }
    }
}

/// Has `x.copysign(by)` take the sign of `by` only, which is decided.
struct Signs<'s, 'a>(&'s Keeper<'a>);

impl VisitMut for Signs<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let by = match expr {
            Expr::MethodCall(e) if e.method == "copysign" => e.args.first_mut(),
            Expr::Call(e) => {
                let call = Expr::Call(e.clone());
                let known = function(&call).is_some_and(|(name, ..)| name == "copysign");
                e.args.iter_mut().nth(1).filter(|_| known)
            }
            _ => None,
        };
        if let Some(by) = by
            && self.0.level(by).is_some()
        {
            *by = parse_quote!((#by).signum());
        }
        if !matches!(expr, Expr::Closure(_)) {
            crate::visit::visit_expr_mut(self, expr);
        }
    }
}

struct Hoist<'h, 'k, 'a> {
    keeper: &'h mut Keeper<'k>,
    hoisted: &'a mut Vec<(Binding, Binding)>,
    /// What surrounds an expression, from outside to inside.
    around: Vec<Around>,
    /// The statement, where functions of the user's may give integers.
    given: Option<Source>,
}

impl Hoist<'_, '_, '_> {
    fn named(&mut self, level: usize, what: What, expr: &mut Expr) {
        let kind = match what {
            What::Value => self.keeper.kinds.of_expr(expr),
            What::Branch | What::Pass | What::Given => crate::kinds::Kind::Constant,
        };
        let name = self.name(level, what, kind, expr);
        *expr = parse_quote!(#name);
    }

    /// The name of a decision.
    fn name(
        &mut self,
        level: usize,
        what: What,
        kind: crate::kinds::Kind,
        value: &impl ToTokens,
    ) -> Ident {
        let name = free_name("d", self.keeper.used);
        self.keeper.named.push((name.clone(), kind.clone()));
        self.keeper.kinds.declare(&name, kind);
        let binding = |value: Expr| Binding {
            pattern: parse_quote!(#name),
            value: Around::all(&self.around, value),
            verify: false,
        };
        let [decide, recall] = self.keeper.decision(level, what, value).map(binding);
        self.hoisted.push((decide, recall));
        name
    }

    /// Has what a function gives compared on the way back, if it is an integer or the like.
    fn compared(&mut self, level: usize, source: &Source, expr: &Expr) {
        let expr = self.keeper.once_more(expr);
        let witness = quote!(#source, || ::retrograde::__private::Given(|| #expr).__witness());
        self.name(level, What::Given, crate::kinds::Kind::Constant, &witness);
    }
}

impl Inside for Hoist<'_, '_, '_> {
    fn around(&mut self) -> &mut Vec<Around> {
        &mut self.around
    }
}

impl VisitMut for Hoist<'_, '_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some((level, what)) = self.keeper.decides(expr) {
            return self.named(level, what, expr);
        }
        for part in whole_parts_mut(expr) {
            if let Some(level) = self.keeper.opaque(part) {
                self.named(level, What::Value, part);
            }
        }
        match expr {
            Expr::Closure(_) => {}
            Expr::If(e) => {
                match self.keeper.condition(&e.cond) {
                    Some(level) => self.named(level, What::Branch, &mut e.cond),
                    None => self.visit_expr_mut(&mut e.cond),
                }
                let conditions = Around::branches(&e.cond);
                around::branches_mut(self, conditions, e);
            }
            _ => crate::visit::visit_expr_mut(self, expr),
        }
        if let Some(source) = self.given.clone()
            && let Some(level) = self.keeper.gives(expr)
        {
            self.compared(level, &source, expr);
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        around::statements_mut(self, block, around::Locals::AsRewritten);
    }
}
