//! What a statement reads and writes.

use crate::decide;
use crate::ir::{Block, Call, Callee, Kind, Statement};
use crate::names::{Mode, Names, pattern_names};
use crate::place::{
    Access, Step, access, bare_name, is_written, mutable_borrows, opaque_reads, reads,
    reads_of_place,
};
use crate::table::NameSet;
use proc_macro2::Ident;

/// The accesses of a statement or block, as written: aliases are not followed.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// What is read.
    pub reads: Vec<Access>,
    /// What is written.
    pub writes: Vec<Write>,
    /// Whether it contains `host!` code or a call whose effects are unknown.
    pub host: bool,
}

/// A write.
#[derive(Clone, Debug)]
pub struct Write {
    /// Where.
    pub access: Access,
    /// Whether it is one for sure: a method's receiver may only be read.
    pub certain: bool,
    /// Whether the old value may reach other places: a call may exchange its
    /// arguments, an update may not.
    pub flows: bool,
}

/// The effects of a block on what is declared outside of it.
pub fn of_block(block: &Block, names: &Names) -> Effects {
    let mut effects = Effects::default();
    let mut local = NameSet::default();
    for statement in block {
        declared(statement, &mut local);
        effects.extend(of(statement, names));
    }
    effects.without(&local, names)
}

/// As [`of_block`], with the effects on names declared at the block's own level:
/// for the blocks of `#[compute]`, whose names live on.
pub fn of_open_block(block: &Block, names: &Names) -> Effects {
    let mut effects = Effects::default();
    block.iter().for_each(|statement| effects.extend(of(statement, names)));
    effects
}

fn declared(statement: &Statement, local: &mut NameSet) {
    match &statement.kind {
        Kind::Bind(binding) | Kind::Unbind(binding) => {
            local.extend(pattern_names(&binding.pattern));
        }
        Kind::Allocate(ancilla) | Kind::Release(ancilla) => {
            local.insert(&ancilla.name);
        }
        Kind::Compute { compute, body } => {
            compute.iter().chain(body).for_each(|s| declared(s, local));
        }
        _ => {}
    }
}

impl Effects {
    fn extend(&mut self, other: Effects) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.host |= other.host;
    }

    /// As seen from where some names do not exist: what they are aliases of is
    /// accessed, and they themselves are not.
    fn without(self, local: &NameSet, names: &Names) -> Self {
        if local.is_empty() {
            return self;
        }
        let Effects { reads, writes, host } = self;
        let mut effects = Effects { host, ..Effects::default() };
        for access in reads {
            outside(access, local, names, |access| effects.reads.push(access));
        }
        for Write { access, certain, flows } in writes {
            let write = |access| Write { access, certain, flows };
            outside(access, local, names, |access| effects.writes.push(write(access)));
        }
        effects
    }

    fn read(&mut self, expr: &syn::Expr) {
        self.reads.extend(reads(expr));
    }

    /// An argument that a call may write.
    fn lend(&mut self, access: Access, certain: bool) {
        self.reads.extend(reads_of_place(&access.expr));
        self.writes.push(Write { access, certain, flows: true });
    }
}

/// What an access is, or is through aliases, of names that are not local.
fn outside(access: Access, local: &NameSet, names: &Names, mut found: impl FnMut(Access)) {
    if !local.contains(&access.root) {
        return found(access);
    }
    // Names reused in sibling scopes may be aliases of each other.
    let mut seen: Vec<Ident> = Vec::new();
    let mut next = vec![access];
    while let Some(access) = next.pop() {
        if !local.contains(&access.root) {
            found(access);
        } else if !seen.contains(&access.root) {
            seen.push(access.root.clone());
            let through = names.resolve_once(&access);
            next.extend(through.into_iter().filter(|a| a.root != access.root));
        }
    }
}

/// The effects of one statement.
pub fn of(statement: &Statement, names: &Names) -> Effects {
    let mut effects = Effects::default();
    match &statement.kind {
        Kind::Update { place, value, .. } => {
            effects.read(value);
            if let Some(access) = access(place) {
                effects.reads.extend(reads_of_place(place));
                effects.writes.push(Write { access, certain: true, flows: false });
            }
        }
        Kind::Bind(binding) | Kind::Unbind(binding) => effects.read(&binding.value),
        Kind::Allocate(ancilla) | Kind::Release(ancilla) => effects.read(&ancilla.value),
        Kind::Compute { compute, body } => {
            let both: Block = compute.iter().chain(body).cloned().collect();
            effects.extend(of_block(&both, names));
        }
        Kind::If { arms, otherwise } => {
            for arm in arms {
                effects.read(&arm.pre);
                effects.read(&arm.post);
                effects.extend(of_block(&arm.body, names));
            }
            if let Some(block) = otherwise {
                effects.extend(of_block(block, names));
            }
        }
        Kind::While { pre, post, body, .. } => {
            effects.read(pre);
            effects.read(post);
            effects.extend(of_block(body, names));
        }
        Kind::For { pattern, sequence, body, .. } => {
            effects.reads.extend(of_sequence(sequence));
            let variables = pattern_names(pattern).into_iter().collect();
            effects.extend(of_block(body, names).without(&variables, names));
        }
        Kind::Call(call) => call_effects(call, names, &mut effects),
        Kind::Block(block) => effects.extend(of_block(block, names)),
        Kind::Host(host) => {
            effects.reads.extend(opaque_reads(&host.0));
            effects.host = true;
        }
    }
    effects
}

/// What a loop reads to know its passes: bounds, and the lengths of containers.
/// The elements are read, or not, in the passes.
pub fn of_sequence(sequence: &syn::Expr) -> Vec<Access> {
    use syn::Expr;
    match sequence {
        Expr::Paren(e) => of_sequence(&e.expr),
        Expr::Reference(e) => of_sequence(&e.expr),
        Expr::Range(_) => reads(sequence),
        Expr::MethodCall(call) if access(sequence).is_none() || lends_all(&call.method) => {
            let arguments = call.args.iter().flat_map(|argument| match &*call.method.to_string() {
                "zip" => of_sequence(argument),
                _ => reads(argument),
            });
            of_sequence(&call.receiver).into_iter().chain(arguments).collect()
        }
        other => match access(other) {
            Some(mut container) => {
                container.path.push(Step::Shape);
                reads_of_place(other).into_iter().chain([container]).collect()
            }
            None => reads(other),
        },
    }
}

/// Whether a method lends everything that it is called on, element by element.
fn lends_all(method: &Ident) -> bool {
    ["iter_mut", "chunks_mut", "chunks_exact_mut"].iter().any(|name| method == name)
}

fn call_effects(call: &Call, names: &Names, effects: &mut Effects) {
    match &call.callee {
        Callee::Method { receiver, .. } => {
            effects.read(receiver);
            match access(receiver) {
                Some(access) => {
                    let shared = matches!(names.mode(&access.root), Mode::Shared | Mode::Primitive);
                    if !shared {
                        effects.lend(access, false);
                    }
                }
                None => mutable_borrows(receiver)
                    .into_iter()
                    .for_each(|access| effects.lend(access, true)),
            }
        }
        Callee::Value(name) => effects.reads.push(Access::whole(name)),
        Callee::Function(_) | Callee::Associated(_) => {}
    }
    for argument in &call.arguments {
        match bare_name(argument) {
            Some(name) => match names.mode(name) {
                Mode::Mutable => effects.lend(Access::whole(name), true),
                Mode::Unknown => {
                    effects.read(argument);
                    effects.lend(Access::whole(name), false);
                }
                Mode::Value | Mode::Primitive | Mode::Shared => effects.read(argument),
            },
            None => {
                let mut lent: Vec<(Access, bool)> =
                    mutable_borrows(argument).into_iter().map(|access| (access, true)).collect();
                if let Some(place) = access(argument)
                    && !matches!(argument, syn::Expr::Reference(_))
                    && names.holds_references(&place.root)
                {
                    lent.push((place, false));
                }
                for name in lent_names(argument) {
                    match names.mode(&name) {
                        Mode::Mutable => lent.push((Access::whole(&name), true)),
                        Mode::Unknown => lent.push((Access::whole(&name), false)),
                        Mode::Value | Mode::Primitive | Mode::Shared => {}
                    }
                }
                let is_lent = |read: &Access| {
                    lent.iter().any(|(access, _)| same_place(&access.expr, &read.expr))
                };
                effects.reads.extend(reads(argument).into_iter().filter(|read| !is_lent(read)));
                lent.into_iter().for_each(|(access, certain)| effects.lend(access, certain));
            }
        }
    }
    // Whatever such a call is for, it is not for what it writes in our sight.
    effects.host |= effects.writes.is_empty() && !decide::only_looks(call);
}

/// The names that an argument hands on as they are: `(x, 1)`, `Some(x)`.
pub fn lent_names(argument: &syn::Expr) -> Vec<Ident> {
    use syn::Expr;
    let parts: Vec<&Expr> = match argument {
        Expr::Paren(e) => vec![&*e.expr],
        Expr::Tuple(e) => e.elems.iter().collect(),
        Expr::Array(e) => e.elems.iter().collect(),
        Expr::Call(e) => e.args.iter().collect(),
        Expr::Struct(e) => {
            e.fields.iter().map(|field| &field.expr).chain(e.rest.as_deref()).collect()
        }
        _ => Vec::new(),
    };
    parts
        .into_iter()
        .flat_map(|part| bare_name(part).map_or_else(|| lent_names(part), |n| vec![n.clone()]))
        .collect()
}

/// The names that the value of a `let` may be, as they are.
pub fn handed_on(value: &syn::Expr) -> Vec<Ident> {
    handed_places(value).into_iter().filter_map(bare_name).cloned().collect()
}

/// The places and mutable borrows that a value may be, or hold, as they are.
pub fn handed_places(value: &syn::Expr) -> Vec<&syn::Expr> {
    handed(value, false)
}

/// As [`handed_places`], of what a method is called on, which may write through a `*`, too.
pub fn handed_to_method(receiver: &syn::Expr) -> Vec<&syn::Expr> {
    handed(receiver, true)
}

/// `through`: whether what is behind a `*` counts.
fn handed(value: &syn::Expr, through: bool) -> Vec<&syn::Expr> {
    use syn::Expr;
    let is_deref = |e: &syn::ExprUnary| matches!(e.op, syn::UnOp::Deref(_));
    let parts: Vec<&Expr> = match value {
        Expr::Reference(e) if e.mutability.is_none() => Vec::new(),
        Expr::If(e) => {
            let otherwise = e.else_branch.iter().map(|(_, otherwise)| &**otherwise);
            block_parts(&e.then_branch).into_iter().chain(otherwise).collect()
        }
        Expr::Match(e) => {
            let bound = |arm: &syn::Arm| {
                let names = pattern_names(&arm.pat);
                handed_on(&arm.body).iter().any(|name| names.contains(name))
            };
            let looked_at = e.arms.iter().any(bound).then_some(&*e.expr);
            e.arms.iter().map(|arm| &*arm.body).chain(looked_at).collect()
        }
        Expr::Block(e) => block_parts(&e.block),
        Expr::Tuple(e) => e.elems.iter().collect(),
        Expr::Array(e) => e.elems.iter().collect(),
        Expr::Repeat(e) => vec![&*e.expr],
        Expr::Struct(e) => {
            e.fields.iter().map(|field| &field.expr).chain(e.rest.as_deref()).collect()
        }
        Expr::Paren(e) => vec![&*e.expr],
        Expr::Group(e) => vec![&*e.expr],
        Expr::Unary(e) if is_deref(e) && (is_written(value) || !through) => Vec::new(),
        Expr::Unary(e) if is_deref(e) => vec![&*e.expr],
        _ if is_written(value) => return vec![value],
        Expr::Field(e) => vec![&*e.base],
        Expr::Index(e) => vec![&*e.expr],
        Expr::MethodCall(e) if !is_written(&e.receiver) => vec![&*e.receiver],
        _ => Vec::new(),
    };
    parts.into_iter().flat_map(|part| handed(part, through)).collect()
}

fn block_parts(block: &syn::Block) -> Vec<&syn::Expr> {
    let parts = block.stmts.iter().filter_map(|statement| match statement {
        // A name of the block's own may be what is handed on in the end.
        syn::Stmt::Local(local) => local.init.as_ref().map(|init| &*init.expr),
        syn::Stmt::Expr(last, None) => Some(last),
        _ => None,
    });
    parts.collect()
}

/// Whether `read` is `&mut written` itself rather than a read of its own.
pub fn same_place(written: &syn::Expr, read: &syn::Expr) -> bool {
    match read {
        syn::Expr::Reference(e) => same_place(written, &e.expr),
        other => other == written,
    }
}
