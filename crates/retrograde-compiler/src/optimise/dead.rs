//! Uncomputing that nobody looks at: statements that only write ancillas which
//! are dropped without a check, and are not read again.

use super::live::{Live, fields};
use crate::decide::{self, Look, written_records};
use crate::effects;
use crate::ir::{Arm, Block, Call, Callee, Direction, Kind, Statement};
use crate::names::{Mode, Names, pattern_names};
use crate::place::{Access, Step, bare_name, mutable_borrows, opaque_reads, reads};
use crate::table::NameSet;
use crate::text::Source;
use proc_macro2::Ident;
use quote::format_ident;
use syn::{FnArg, Pat, Signature};

/// The arguments of a function, which outlive it.
pub fn arguments(signature: &Signature) -> NameSet {
    let names = signature.inputs.iter().filter_map(|argument| match argument {
        FnArg::Receiver(_) => Some(format_ident!("self")),
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) => Some(name.ident.clone()),
            _ => None,
        },
    });
    names.collect()
}

/// Drops what has no effect on anything that is looked at afterwards: `live`
/// among the arguments.
pub fn eliminate(block: Block, signature: &Signature, live: NameSet, names: &Names) -> Block {
    let mut locals = arguments(signature);
    locals.subtract(&live);
    if locals.is_empty() && !has_more_than_updates(&block) {
        // All that it writes is looked at.
        let mut block = block;
        drop_ends(&mut block);
        return block;
    }
    locals.append(locals_of(&block));
    let mut scales = NameSet::default();
    followed(&block, &mut scales);
    let (live, mentioned) = (Live::whole(live), NameSet::default());
    let (before_call, next) = (false, None);
    let mut pass = Liveness { names, locals, live, mentioned, scales, before_call, next };
    let mut block = pass.block(block);
    tidy(&mut block, true);
    block
}

/// Where the rounding of something is followed.
fn followed(block: &Block, scales: &mut NameSet) {
    for statement in block {
        if decide::look(statement) == Some(Look::See)
            && let Kind::Call(call) = &statement.kind
            && let Some(scale) = scale_of(call)
        {
            scales.insert(scale);
        }
        statement.blocks().into_iter().for_each(|inner| followed(inner, scales));
    }
}

/// Where a call that follows rounding writes it down.
fn scale_of(call: &Call) -> Option<&Ident> {
    match call.arguments.first()? {
        syn::Expr::Reference(e) => bare_name(&e.expr),
        _ => None,
    }
}

/// A block without what only looks.
fn without_looks(block: &Block) -> Block {
    let real = block.iter().filter(|statement| decide::look(statement).is_none());
    let mut block: Block = real.cloned().collect();
    for inner in block.iter_mut().flat_map(Statement::blocks_mut) {
        *inner = without_looks(inner);
    }
    block
}

/// Drops what looks for the sake of statements that are no longer there: nothing need be
/// forgotten but after a call to which something was carried, or at the entry of a function.
fn tidy(block: &mut Block, entry: bool) {
    let mut carried = false;
    let mut at_entry = entry;
    let mut called = false;
    block.retain(|statement| match decide::look(statement) {
        Some(Look::Carry) => {
            carried = true;
            called = false;
            true
        }
        Some(Look::CarryNothing) => {
            let needed = at_entry || carried && called;
            carried &= !needed;
            needed
        }
        Some(Look::See | Look::Check | Look::Lean) => true,
        None => {
            called = matches!(statement.kind, Kind::Call(_));
            at_entry &= statement.generated && matches!(statement.kind, Kind::Allocate(_));
            true
        }
    });
    for inner in block.iter_mut().flat_map(Statement::blocks_mut) {
        tidy(inner, false);
    }
}

/// Whether there is something that nobody may look at: ancillas, or what
/// differentiation inserted. All else is as the user wrote it.
fn has_more_than_updates(block: &Block) -> bool {
    block.iter().any(|statement| match &statement.kind {
        _ if statement.generated => true,
        Kind::Allocate(_) | Kind::Release(_) | Kind::Compute { .. } => true,
        Kind::If { arms, otherwise } => {
            arms.iter().any(|arm| has_more_than_updates(&arm.body))
                || otherwise.iter().any(has_more_than_updates)
        }
        Kind::While { body, .. } | Kind::For { body, .. } | Kind::Block(body) => {
            has_more_than_updates(body)
        }
        Kind::Update { .. } | Kind::Bind(_) | Kind::Unbind(_) | Kind::Call(_) | Kind::Host(_) => {
            false
        }
    })
}

/// Drops the ends of scopes where nothing is checked.
fn drop_ends(block: &mut Block) {
    block.retain(|statement| !matches!(&statement.kind, Kind::Unbind(b) if !b.verify));
    for statement in block {
        match &mut statement.kind {
            Kind::If { arms, otherwise } => {
                arms.iter_mut().for_each(|arm| drop_ends(&mut arm.body));
                otherwise.iter_mut().for_each(drop_ends);
            }
            Kind::While { body, .. } | Kind::For { body, .. } | Kind::Block(body) => {
                drop_ends(body);
            }
            _ => {}
        }
    }
}

/// Names whose end is in sight. Anything else may be seen from outside.
pub(super) fn locals_of(block: &[Statement]) -> NameSet {
    let mut locals = NameSet::default();
    for statement in block {
        match &statement.kind {
            Kind::Allocate(ancilla) | Kind::Release(ancilla) => {
                locals.insert(&ancilla.name);
            }
            Kind::Bind(binding) | Kind::Unbind(binding) => {
                locals.extend(pattern_names(&binding.pattern));
            }
            Kind::If { arms, otherwise } => {
                arms.iter().for_each(|arm| locals.append(locals_of(&arm.body)));
                otherwise.iter().for_each(|block| locals.append(locals_of(block)));
            }
            Kind::Compute { compute, body } => {
                locals.append(locals_of(compute));
                locals.append(locals_of(body));
            }
            Kind::While { body, .. } | Kind::For { body, .. } | Kind::Block(body) => {
                locals.append(locals_of(body));
            }
            Kind::Update { .. } | Kind::Call(_) | Kind::Host(_) => {}
        }
    }
    locals
}

/// Whether a statement, or one inside of it, makes a check.
fn is_verified(statement: &Statement) -> bool {
    match &statement.kind {
        Kind::Release(ancilla) => ancilla.verify,
        Kind::Unbind(binding) => binding.verify,
        Kind::If { arms, otherwise } => {
            arms.iter().any(|arm| arm.verify || arm.body.iter().any(is_verified))
                || otherwise.iter().flatten().any(is_verified)
        }
        Kind::While { verify, body, .. } | Kind::For { verify, body, .. } => {
            *verify || body.iter().any(is_verified)
        }
        Kind::Block(body) => body.iter().any(is_verified),
        _ => false,
    }
}

/// The variables of a loop that stand for elements which no other pass has.
pub fn lent_elements(pattern: &Pat, sequence: &syn::Expr) -> NameSet {
    use syn::Expr;
    match (sequence, pattern) {
        (Expr::Paren(e), _) => lent_elements(pattern, &e.expr),
        (Expr::MethodCall(call), _) => match (call.method.to_string().as_str(), pattern) {
            ("zip", Pat::Tuple(pair)) if pair.elems.len() == 2 && call.args.len() == 1 => {
                let mut own = lent_elements(&pair.elems[0], &call.receiver);
                own.append(lent_elements(&pair.elems[1], &call.args[0]));
                own
            }
            ("enumerate", Pat::Tuple(pair)) if pair.elems.len() == 2 => {
                lent_elements(&pair.elems[1], &call.receiver)
            }
            ("rev" | "skip" | "take" | "step_by", _) => lent_elements(pattern, &call.receiver),
            ("iter_mut" | "chunks_exact_mut" | "chunks_mut", _) => {
                pattern_names(pattern).into_iter().collect()
            }
            _ => NameSet::default(),
        },
        (Expr::Reference(e), _) if e.mutability.is_some() => {
            pattern_names(pattern).into_iter().collect()
        }
        _ => NameSet::default(),
    }
}

/// A block without the conditions after branches that nobody checks.
fn without_idle_conditions(block: &Block) -> Block {
    let mut block = block.clone();
    for statement in &mut block {
        if let Kind::If { arms, .. } = &mut statement.kind {
            arms.iter_mut().filter(|arm| !arm.verify).for_each(|arm| arm.post = arm.pre.clone());
        }
        for inner in statement.blocks_mut() {
            *inner = without_idle_conditions(inner);
        }
    }
    block
}

/// Whether an access asks for the length of a variable, or of a range of it.
fn is_length(access: &Access) -> bool {
    match access.path.split_last() {
        Some((Step::Shape, before)) => before.iter().all(Step::is_range),
        _ => false,
    }
}

struct Liveness<'a> {
    names: &'a Names,
    locals: NameSet,
    /// What matters from here on.
    live: Live,
    /// Variables that are mentioned from here on, be their value what it may.
    mentioned: NameSet,
    /// Where rounding is followed.
    scales: NameSet,
    /// Whether what comes next is a call of the program.
    before_call: bool,
    /// The text of what comes next.
    next: Option<Source>,
}

impl Liveness<'_> {
    fn matters(&self, access: &Access) -> bool {
        let roots = self.names.roots(&access.root);
        // An alias matters when what it stands for does.
        let mut behind = roots.iter().filter(|root| !self.names.is_alias(root));
        behind.any(|root| {
            let matters = match self.is_element(access, root) {
                true => self.live.touches_elements(root),
                false => self.live.touches(root, &fields(access, root, self.names)),
            };
            matters || !self.locals.contains(root)
        })
    }

    /// Whether an access is to elements of a variable, or parts of them, so that its length stays.
    fn is_element(&self, access: &Access, root: &Ident) -> bool {
        let is_inside = |place: &Access| {
            let mut steps = place.path.iter().skip_while(|step| step.is_range());
            matches!(steps.next(), Some(Step::Index(_) | Step::Element(_)))
        };
        let places = self.names.resolve(access);
        let mut places = places.iter().filter(|place| place.root == *root).peekable();
        self.names.plain(root) > 0 && places.peek().is_some() && places.all(is_inside)
    }

    fn read(&mut self, expr: &syn::Expr) {
        reads(expr).iter().for_each(|access| self.read_access(access));
    }

    fn read_access(&mut self, access: &Access) {
        // The length of a slice, or of a part of one, is known from the start.
        if is_length(access) && self.names.is_rigid(&access.root) {
            self.mentioned.extend(self.names.roots(&access.root));
            return;
        }
        if is_length(access)
            && !self.names.is_alias(&access.root)
            && self.names.plain(&access.root) > 0
        {
            return self.live.insert_length(&access.root);
        }
        for root in self.names.roots(&access.root) {
            self.live.insert_fields(root, fields(access, root, self.names));
        }
    }

    /// What a loop runs over must be there, even if no element is looked at.
    fn mention(&mut self, sequence: &syn::Expr) {
        for access in reads(sequence) {
            self.mentioned.extend(self.names.roots(&access.root));
        }
    }

    /// Whether a declaration is needed by what comes after it.
    fn ends(&mut self, name: &Ident) -> bool {
        let mentioned = self.mentioned.remove(name);
        self.live.remove(name) || mentioned
    }

    /// Whether an expression keeps a decision that is recalled later.
    fn keeps(&self, expr: &syn::Expr) -> bool {
        written_records(expr).iter().any(|record| self.matters(&Access::whole(record)))
    }

    fn keeps_in(&self, block: &Block) -> bool {
        block.iter().any(|statement| {
            let here = match &statement.kind {
                Kind::Bind(binding) => self.keeps(&binding.value),
                Kind::If { arms, .. } => arms.iter().any(|arm| self.keeps(&arm.pre)),
                Kind::While { pre, .. } => self.keeps(pre),
                _ => false,
            };
            here || statement.blocks().into_iter().any(|inner| self.keeps_in(inner))
        })
    }

    /// Whether somebody looks at a value that an adjoint restores. Its arguments
    /// are values, each followed by its shadow.
    fn restores_what_matters(&self, call: &Call) -> bool {
        let values = call.arguments.iter().step_by(2);
        let mut written = values.flat_map(|value| match bare_name(value) {
            // What is shared or copied is not written.
            Some(name)
                if matches!(self.names.mode(name), Mode::Shared | Mode::Primitive)
                    || self.names.is_own_value(name) =>
            {
                Vec::new()
            }
            Some(name) => vec![Access::whole(name)],
            None => mutable_borrows(value),
        });
        written.any(|access| self.matters(&access))
    }

    /// From the last statement to the first.
    fn block(&mut self, block: Block) -> Block {
        self.next = None;
        let mut kept: Block =
            block.into_iter().rev().filter_map(|statement| self.statement(statement)).collect();
        kept.reverse();
        kept
    }

    /// The body of a loop, if it has an effect that matters. Then what any pass
    /// reads, the pass before must keep.
    ///
    /// `keeps`: whether its head does.
    fn body(
        &mut self,
        body: &mut Block,
        conditions: &[&syn::Expr],
        own: &NameSet,
        keeps: bool,
    ) -> bool {
        // What only looks is needed for nothing.
        let effects = effects::of_block(&without_looks(body), self.names);
        let needed = effects.host
            || keeps
            || self.keeps_in(body)
            || body.iter().any(is_verified)
            || effects.writes.iter().any(|write| self.matters(&write.access));
        if !needed {
            return false;
        }
        conditions.iter().for_each(|condition| self.read(condition));
        // What only its own next value is computed from is not needed.
        let only_writes = effects.writes.iter().any(|write| !self.matters(&write.access));
        if !only_writes {
            self.carry(&effects, own);
            self.look_ahead(body);
            *body = self.block(std::mem::take(body));
            return true;
        }
        loop {
            let assumed = self.live.clone();
            let kept = self.block(body.clone());
            let before = std::mem::replace(&mut self.live, assumed.clone());
            let read = without_looks(&without_idle_conditions(&kept));
            self.carry(&effects::of_block(&read, self.names), own);
            self.look_ahead(&kept);
            if self.live == assumed {
                (*body, self.live) = (kept, before);
                return true;
            }
        }
    }

    /// What the looks of a pass follow, the pass before must follow.
    fn look_ahead(&mut self, block: &Block) {
        for statement in block {
            if let Kind::Call(call) = &statement.kind
                && matches!(decide::look(statement), Some(Look::Carry | Look::Check))
            {
                self.look_at(call.arguments.iter());
            }
            statement.blocks().into_iter().for_each(|inner| self.look_ahead(inner));
        }
    }

    /// Of what is only looked at, the value may be any, but it must be there.
    fn look_at<'e>(&mut self, looked_at: impl Iterator<Item = &'e syn::Expr>) {
        for access in looked_at.flat_map(reads) {
            match self.scales.contains(&access.root) {
                true => self.live.insert(&access.root),
                false => self.mentioned.extend(self.names.roots(&access.root)),
            }
        }
    }

    /// A call that only looks, if somebody asks what it sees.
    fn look(&mut self, look: Look, statement: Statement) -> Option<Statement> {
        let Kind::Call(call) = &statement.kind else { return Some(statement) };
        match look {
            Look::See => {
                if !scale_of(call).is_some_and(|scale| self.live.touches(scale, &Vec::new())) {
                    return None;
                }
                self.look_at(call.arguments[1..].iter());
            }
            Look::Carry if !self.before_call => return None,
            Look::Carry | Look::Check => self.look_at(call.arguments.iter()),
            Look::CarryNothing => {
                self.before_call = false;
                self.look_at(call.arguments.iter());
            }
            // It is for what is left of its own statement, value or derivative.
            Look::Lean if !self.next.as_ref().is_some_and(|s| s.is(&statement.source)) => {
                return None;
            }
            Look::Lean => call.arguments.iter().for_each(|argument| self.read(argument)),
        }
        Some(statement)
    }

    /// What a pass reads, the pass before must keep.
    fn carry(&mut self, effects: &effects::Effects, own: &NameSet) {
        let flowing = effects.writes.iter().filter(|write| write.flows);
        for access in effects.reads.iter().chain(flowing.map(|write| &write.access)) {
            // An element that is lent to this pass alone, no other pass reads.
            if !own.contains(&access.root) {
                self.read_access(access);
            }
        }
    }

    fn statement(&mut self, statement: Statement) -> Option<Statement> {
        if let Some(look) = decide::look(&statement) {
            return self.look(look, statement);
        }
        let kept = self.effective(statement)?;
        // What a call is given may be made just before it.
        let made = kept.generated && matches!(kept.kind, Kind::Allocate(_) | Kind::Bind(_));
        self.before_call = matches!(kept.kind, Kind::Call(_)) || made && self.before_call;
        self.next = Some(kept.source.clone());
        Some(kept)
    }

    fn effective(&mut self, mut statement: Statement) -> Option<Statement> {
        match &mut statement.kind {
            Kind::Release(ancilla) => {
                if !ancilla.verify {
                    self.live.remove(&ancilla.name);
                    return None;
                }
                self.read(&ancilla.value);
                self.live.insert(&ancilla.name);
            }
            Kind::Allocate(ancilla) => {
                if !self.ends(&ancilla.name) {
                    return None;
                }
                self.read(&ancilla.value);
            }
            Kind::Unbind(binding) => {
                if !binding.verify {
                    return None;
                }
                self.live.extend(pattern_names(&binding.pattern));
                self.read(&binding.value);
            }
            Kind::Bind(binding) => {
                let names = pattern_names(&binding.pattern);
                let used = names.iter().fold(false, |used, name| self.ends(name) | used);
                if !used && !self.keeps(&binding.value) {
                    return None;
                }
                if self.names.view(&binding.value).is_none() {
                    self.read(&binding.value);
                } else {
                    // A view is used, but that is no use of its content.
                    let indices = crate::place::reads_of_place(&binding.value);
                    indices.iter().for_each(|access| self.read_access(access));
                }
            }
            Kind::Update { .. } | Kind::Call(_) => {
                let effects = effects::of(&statement, self.names);
                let needed = effects.writes.is_empty()
                    || effects.writes.iter().any(|write| self.matters(&write.access));
                if !needed {
                    return None;
                }
                if let Kind::Call(call) = &mut statement.kind
                    && call.direction == Direction::Adjoint
                    && matches!(call.callee, Callee::Function(_))
                    && !self.restores_what_matters(call)
                {
                    call.direction = Direction::Gradient;
                }
                let writes = effects.writes.into_iter().map(|write| write.access);
                for access in effects.reads.into_iter().chain(writes) {
                    self.read_access(&access);
                }
            }
            Kind::If { arms, otherwise } => {
                // The conditions that hold afterwards are evaluated after a branch.
                for arm in arms.iter().filter(|arm| arm.verify) {
                    self.read(&arm.post);
                }
                let after = self.live.clone();
                let mut live = after.clone();
                for block in
                    arms.iter_mut().map(|arm: &mut Arm| &mut arm.body).chain(otherwise.as_mut())
                {
                    self.live.clone_from(&after);
                    *block = self.block(std::mem::take(block));
                    live.append(std::mem::take(&mut self.live));
                }
                self.live = live;
                if otherwise.as_ref().is_some_and(|block| block.is_empty()) {
                    *otherwise = None;
                }
                let idle = |arm: &Arm| !arm.verify && !self.keeps(&arm.pre);
                let empty = arms.iter().all(|arm| arm.body.is_empty() && idle(arm));
                if empty && otherwise.is_none() {
                    return None;
                }
                arms.iter().for_each(|arm| self.read(&arm.pre));
            }
            Kind::While { pre, post, verify, body } => {
                let conditions: &[&syn::Expr] = if *verify { &[pre, post] } else { &[pre] };
                let keeps = self.keeps(pre);
                if !self.body(body, conditions, &NameSet::default(), keeps) {
                    return None;
                }
            }
            Kind::For { pattern, sequence, body, .. } => {
                let own = lent_elements(pattern, sequence);
                // Bounds that nothing changes need no check.
                if !self.body(body, &[], &own, false) {
                    return None;
                }
                self.mention(sequence);
                for access in effects::of_sequence(sequence) {
                    self.read_access(&access);
                }
            }
            Kind::Block(body) => {
                *body = self.block(std::mem::take(body));
                if body.is_empty() {
                    return None;
                }
            }
            Kind::Host(host) => {
                for access in opaque_reads(&host.0) {
                    self.read_access(&access);
                }
            }
            Kind::Compute { .. } => unreachable!("lowered before"),
        }
        Some(statement)
    }
}
