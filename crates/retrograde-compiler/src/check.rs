//! Checking: what cannot be undone is an error here. Where only run time can
//! tell, the statement is marked to verify itself.

use crate::bounds::Bare;
use crate::diagnostics::Diagnostics;
use crate::effects::{self, Write};
use crate::foreign;
use crate::handed::{self, Unseen};
use crate::ir::{Ancilla, Binding, Block, Call, Host, Kind, Operator, Statement};
use crate::matching;
use crate::names::{Mode, Names, pattern_names};
use crate::place::{Access, Overlap, access, reads, reads_of_place};
use crate::text::{self, Source};
use crate::undone::Undone;
use proc_macro2::{Ident, Span, TokenStream};
use syn::{Expr, FnArg, Pat, Signature};

/// Checks a body and marks what must be verified at run time.
pub fn check(
    signature: &Signature,
    body: &mut Block,
    names: &Names,
    diagnostics: &mut Diagnostics,
) {
    let mut checker = Checker {
        names,
        diagnostics,
        live: Vec::new(),
        guards: Vec::new(),
        depth: 0,
        verify: Vec::new(),
        current: None,
        checks: Vec::new(),
        bare: Bare::of(signature),
    };
    for argument in &signature.inputs {
        if let FnArg::Typed(typed) = argument
            && let Pat::Ident(name) = &*typed.pat
        {
            checker.declare(&name.ident, Role::Argument, name.ident.span());
        }
    }
    checker.scope(body);
    let verify = std::mem::take(&mut checker.verify);
    mark(body, &verify);
}

/// A name that is alive.
struct Live {
    name: Ident,
    role: Role,
    declared: Span,
    depth: usize,
    /// Where it was released by name.
    released: Option<Span>,
}

#[derive(Clone, Copy, PartialEq)]
enum Role {
    Argument,
    Binding,
    /// What a method such as `get_mut` gives.
    Lent,
    View,
    Ancilla,
    Variable,
}

/// Something whose operands must not change for a while.
struct Guard {
    what: Guarded,
    span: Span,
    operands: Vec<Access>,
    /// Whether some write may have touched an operand.
    touched: bool,
    /// Whether a write was reported: one mistake, one error.
    reported: bool,
}

enum Guarded {
    Binding(Box<Binding>),
    Compute(Undone),
    Bounds,
    /// Of a branch; with both conditions written out, run time may decide.
    Condition {
        explicit: bool,
    },
}

struct Checker<'a> {
    names: &'a Names,
    diagnostics: &'a mut Diagnostics,
    live: Vec<Live>,
    guards: Vec<Guard>,
    depth: usize,
    /// Bindings that only run time can vouch for.
    verify: Vec<Binding>,
    /// Where the statement stands that is looked at, and its text.
    current: Option<Statement>,
    /// Checks that go before it.
    checks: Vec<TokenStream>,
    /// Arguments that may be of any type.
    bare: Bare<'a>,
}

impl Checker<'_> {
    fn scope(&mut self, block: &mut Block) {
        self.depth += 1;
        let (live, guards) = (self.live.len(), self.guards.len());
        self.statements(block);
        self.live.truncate(live);
        self.guards.truncate(guards);
        self.depth -= 1;
    }

    fn statements(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.len() {
            self.statement(&mut block[at]);
            for check in self.checks.drain(..) {
                let check = block[at].with(Kind::Host(Host(check)));
                block.insert(at, check);
                at += 1;
            }
            at += 1;
        }
    }

    fn statement(&mut self, statement: &mut Statement) {
        let here = statement.span;
        self.current = Some(statement.with(Kind::Block(Block::new())));
        match &mut statement.kind {
            Kind::Update { place, operator, value } => {
                if matches!(operator, Operator::Add | Operator::Subtract)
                    && let Some(written) = access(place)
                {
                    let place = text::of(place);
                    self.names.roots(&written.root).iter().for_each(|argument| {
                        self.bare.added_to(argument, &place, self.diagnostics);
                    });
                }
                self.update(place, value, here)
            }
            Kind::Bind(binding) => self.bind(binding, here),
            Kind::Unbind(binding) => self.unbind(binding),
            Kind::Allocate(ancilla) => self.allocate(ancilla, here),
            Kind::Release(ancilla) => self.release(ancilla, here),
            Kind::Compute { compute, body } => self.compute(compute, body, here),
            Kind::If { arms, otherwise } => {
                let guards = self.guards.len();
                let checked = statement.checked;
                for arm in arms.iter_mut() {
                    self.uses(&arm.pre);
                    self.uses(&arm.post);
                    if arm.pre == arm.post {
                        let what = Guarded::Condition { explicit: arm.verify || !checked };
                        self.guard(what, here, reads(&arm.pre));
                    }
                    self.scope(&mut arm.body);
                }
                if let Some(block) = otherwise {
                    self.scope(block);
                }
                let mut guarded = self.guards.drain(guards..);
                for arm in arms.iter_mut().filter(|arm| arm.pre == arm.post) {
                    arm.verify = checked && guarded.next().is_some_and(|guard| guard.touched);
                }
            }
            Kind::While { pre, post, body, .. } => {
                self.uses(pre);
                self.uses(post);
                self.scope(body);
            }
            Kind::For { pattern, sequence, verify, body, .. } => {
                self.uses(sequence);
                let bounds = bounds_reads(sequence);
                self.guard(Guarded::Bounds, here, bounds);
                let live = self.live.len();
                for name in pattern_names(pattern) {
                    self.declare(&name, Role::Variable, name.span());
                }
                self.scope(body);
                self.live.truncate(live);
                let touched = self.guards.pop().is_some_and(|guard| guard.touched);
                *verify = statement.checked && touched;
            }
            Kind::Call(call) => self.call(call, here),
            Kind::Block(block) => self.scope(block),
            Kind::Host(_) => {}
        }
    }

    /// Reports what may be written unseen; tells whether there is something.
    fn unseen(&mut self, found: Option<Unseen>) -> bool {
        let Some(Unseen { at, reason, help }) = found else { return false };
        self.diagnostics.error(at, reason, help);
        true
    }

    fn update(&mut self, place: &Expr, value: &Expr, here: Span) {
        self.uses(value);
        if self.unseen(handed::by_view(place, self.names)) {
            return;
        }
        let Some(written) = access(place) else { return };
        self.uses(place);
        let operands = reads(value).into_iter().chain(reads_of_place(place));
        for read in operands {
            if self.names.overlap_as_written(&written, &read) == Overlap::Certain {
                let (place, read) = (written.text(), read.text());
                self.diagnostics.error(
                    place_tokens(&written),
                    if place == read {
                        format!(
                            "`{place}` is read by the statement that writes it: its old value \
                             would be lost"
                        )
                    } else {
                        format!(
                            "`{read}` shares memory with `{place}`, which this statement writes: \
                             its old value would be lost"
                        )
                    },
                    "accumulate into another place, or copy the value into an ancilla first",
                );
                return;
            }
        }
        if self.writable(&written) {
            self.write(&Write { access: written, certain: true, flows: false }, here);
        }
    }

    /// Whether a name may be written at all.
    fn writable(&mut self, written: &Access) -> bool {
        let Some(live) = self.live.iter().rev().find(|l| l.name == written.root) else {
            return true;
        };
        let name = &live.name;
        let mode = self.names.mode(name);
        // What is written through a reference is lent by what the name was taken out of.
        let role = match (live.role, &written.expr) {
            (Role::Binding, Expr::Unary(_)) => Role::Lent,
            (role, _) => role,
        };
        let (reason, help) = match role {
            Role::Lent => (
                format!(
                    "what `{name}` refers to is not known here: what is written to it could not \
                     be undone"
                ),
                format!("write to the place itself, `x[k] += …;`, or `let {name} = &mut x[k];`"),
            ),
            Role::Binding => (
                format!("`{name}` is a temporary: what is written to it could not be undone"),
                format!(
                    "make it an ancilla, `let mut {name} = …;`, and bring it back to its value"
                ),
            ),
            Role::Variable if mode == Mode::Primitive => (
                format!("`{name}` is a loop variable: the loop itself changes it"),
                format!("use an ancilla, `let mut k = {name};`"),
            ),
            Role::Argument if mode == Mode::Primitive => (
                format!("`{name}` is passed by value: what is written to it is lost at the end"),
                format!("take it by reference, `{name}: &mut …`"),
            ),
            Role::Argument if mode == Mode::Shared => (
                format!("`{name}` is an input: it is borrowed with `&`"),
                format!("take it as `{name}: &mut …` to write to it"),
            ),
            _ => return true,
        };
        self.diagnostics.error(place_tokens(written), reason, help);
        false
    }

    fn bind(&mut self, binding: &Binding, here: Span) {
        self.uses(&binding.value);
        let viewed = self.names.view(&binding.value);
        if viewed.is_some() {
            self.unseen(handed::by_view(&binding.value, self.names));
        } else {
            self.named(&binding.value);
        }
        let role = match &viewed {
            Some(_) => Role::View,
            None if foreign::lends(&binding.value) => Role::Lent,
            None => Role::Binding,
        };
        for name in pattern_names(&binding.pattern) {
            self.declare(&name, role, name.span());
        }
        // A view stays the same place whatever is written there; only the way
        // to it must not change.
        let operands = match viewed {
            Some((place, Mode::Shared)) => {
                // What is borrowed to be read must not be written meanwhile.
                reads_of_place(&binding.value).into_iter().chain([place]).collect()
            }
            Some(_) => reads_of_place(&binding.value),
            None => reads(&binding.value),
        };
        self.guard(Guarded::Binding(Box::new(binding.clone())), here, operands);
    }

    /// A value that gets a name, which must not be one of a place.
    fn named(&mut self, value: &Expr) {
        let handed = effects::handed_on(value);
        if let Some(name) = handed.iter().find(|n| self.names.mode(n) == Mode::Mutable) {
            self.diagnostics.error(
                value,
                format!(
                    "this would be another name for what `{name}` refers to, which could be \
                     written through it unseen"
                ),
                "name one place, `let r = &mut …;`, or use its value, `*x`",
            );
        }
    }

    fn unbind(&mut self, binding: &Binding) {
        let same = |guard: &Guard| matches!(&guard.what, Guarded::Binding(b) if **b == *binding);
        if let Some(index) = self.guards.iter().rposition(same)
            && self.guards.remove(index).touched
        {
            self.verify.push(binding.clone());
        }
    }

    fn allocate(&mut self, ancilla: &Ancilla, here: Span) {
        self.uses(&ancilla.value);
        self.named(&ancilla.value);
        self.declare(&ancilla.name, Role::Ancilla, here);
    }

    fn release(&mut self, ancilla: &Ancilla, here: Span) {
        self.uses(&ancilla.value);
        let name = &ancilla.name;
        if reads(&ancilla.value).iter().any(|read| read.root == *name) {
            self.diagnostics.error(
                &ancilla.value,
                format!("`{name}` is released by its own value, which nobody knows without it"),
                "write the value in terms of other names",
            );
            return;
        }
        let depth = self.depth;
        let found = self.live.iter_mut().rev().find(|live| live.name == *name);
        let (reason, help) = match found {
            None => (
                format!("`{name}` is not an ancilla of this function"),
                format!("declare it first, `let mut {name} = …;`"),
            ),
            Some(Live { released: Some(at), .. }) => (
                format!("`{name}` was already released on line {}", line_of(*at)),
                "release it once, or declare it again with `let mut`".into(),
            ),
            Some(live) => match live.role {
                Role::Argument => (
                    format!("`{name}` is an argument: it belongs to the caller"),
                    "release only ancillas that this function declared with `let mut`".into(),
                ),
                Role::Binding | Role::Lent | Role::View | Role::Variable => (
                    format!("`{name}` is not an ancilla: there is nothing to release"),
                    "only names declared with `let mut` are released".into(),
                ),
                Role::Ancilla if live.depth != depth => (
                    format!(
                        "`{name}` was declared on line {} outside of this block, so it would be \
                         released in one branch or pass only",
                        line_of(live.declared)
                    ),
                    "release it in the block that declares it".into(),
                ),
                Role::Ancilla => {
                    live.released = Some(here);
                    let access = Access::whole(name);
                    let access = Access { expr: syn::parse_quote!(#name), ..access };
                    self.write(&Write { access, certain: true, flows: false }, here);
                    return;
                }
            },
        };
        self.diagnostics.error(name, reason, help);
    }

    fn compute(&mut self, compute: &mut Block, body: &mut Block, here: Span) {
        self.statements(compute);
        let effects = effects::of_open_block(compute, self.names);
        let undone = Undone::of(compute, &effects, self.names);
        let operands = effects
            .reads
            .into_iter()
            .chain(effects.writes.into_iter().map(|write| write.access))
            .collect();
        let guards = self.guards.len();
        self.guard(Guarded::Compute(undone), here, operands);
        self.statements(body);
        self.guards.remove(guards);
        // What the computing declared ends with it.
        for statement in declarations(compute) {
            match &statement.kind {
                Kind::Bind(binding) => {
                    self.unbind(binding);
                    let names = pattern_names(&binding.pattern);
                    self.live.retain(|live| !names.contains(&live.name));
                }
                Kind::Allocate(ancilla) => {
                    let name = &ancilla.name;
                    let known = self.live.iter().rposition(|live| live.name == *name);
                    let released = known.and_then(|index| self.live.remove(index).released);
                    let line = released.map(line_of);
                    if let Some(line) = line.filter(|line| !lines(compute).contains(line)) {
                        self.diagnostics.error(
                            name,
                            format!(
                                "`{name}` is released on line {line} and again when this \
                                 `#[compute]` block is undone"
                            ),
                            "leave the release to the end of the `#[compute]` block's scope",
                        );
                    }
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, call: &Call, here: Span) {
        if let Some((reason, help)) = foreign::refusal(call, self.names) {
            self.diagnostics.error_at(here, reason, help);
            return;
        }
        if self.unseen(handed::by_call(call, self.names)) {
            return;
        }
        let statement = Statement {
            kind: Kind::Call(call.clone()),
            span: Span::call_site(),
            source: Source::default(),
            checked: true,
            generated: false,
            undoes: false,
        };
        let effects = effects::of(&statement, self.names);
        for argument in &call.arguments {
            self.uses(argument);
        }
        if let crate::ir::Callee::Method { receiver, .. } = &call.callee {
            self.uses(receiver);
        }
        for (i, write) in effects.writes.iter().enumerate().filter(|(_, w)| w.certain) {
            let others = effects.writes[i + 1..].iter().filter(|w| w.certain).map(|w| &w.access);
            let clash = others.chain(&effects.reads).find(|other| {
                self.names.overlap_as_written(&write.access, other) == Overlap::Certain
            });
            if let Some(other) = clash {
                self.diagnostics.error(
                    place_tokens(&write.access),
                    format!(
                        "`{}` is written by this call and passed to it a second time as `{}`",
                        write.access.text(),
                        other.text()
                    ),
                    "pass different places: copy one of them into an ancilla first",
                );
                break;
            }
        }
        for write in &effects.writes {
            if !write.certain || self.writable(&write.access) {
                self.write(write, here);
            }
        }
    }

    /// A write, seen by everything whose operands must not change.
    fn write(&mut self, write: &Write, here: Span) {
        for guard in &mut self.guards {
            let mut worst: Option<(Overlap, &Access)> = None;
            for operand in &guard.operands {
                let overlap = self.names.overlap(&write.access, operand);
                if overlap > worst.map_or(Overlap::Never, |(o, _)| o) {
                    worst = Some((overlap, operand));
                }
            }
            let Some((overlap, operand)) = worst else { continue };
            let explicit = matches!(guard.what, Guarded::Condition { explicit: true });
            let view =
                matches!(&guard.what, Guarded::Binding(b) if self.names.view(&b.value).is_some());
            // The way to a view cannot be walked again at run time while it is borrowed.
            if !view && (overlap == Overlap::Maybe || !write.certain || explicit) {
                guard.touched = true;
                let Guarded::Compute(undone) = &guard.what else { continue };
                let current = self.current.as_ref().filter(|statement| statement.checked);
                let Some(current) = current.filter(|_| undone.is_silent()) else { continue };
                // Each operand that it may be is compared with it.
                let met = guard
                    .operands
                    .iter()
                    .filter(|operand| self.names.overlap(&write.access, operand) != Overlap::Never);
                let checks: Option<Vec<TokenStream>> =
                    met.map(|met| undone.check(write, met, current, self.names)).collect();
                if let Some(checks) = checks {
                    for check in checks {
                        let known = |other: &TokenStream| other.to_string() == check.to_string();
                        if !self.checks.iter().any(known) {
                            self.checks.push(check);
                        }
                    }
                    continue;
                }
            }
            if std::mem::replace(&mut guard.reported, true) {
                continue;
            }
            let (place, read, line) = (write.access.text(), operand.text(), line_of(guard.span));
            let here = line_of(here);
            let (reason, mut help): (String, String) = match &guard.what {
                Guarded::Binding(binding) if matching::is_arm(binding) => (
                    format!(
                        "`{place}` is written on line {here} in an arm of the `match` of line \
                         {line}, which looks at `{read}`: going backwards, another arm could be \
                         taken"
                    ),
                    "write to something else, or use `if (before, after) { … }`".into(),
                ),
                Guarded::Binding(binding) => {
                    let name = match text::of(&binding.pattern) {
                        // An index that was named to be evaluated in time.
                        hidden if hidden.starts_with("__") => text::of(&binding.value),
                        name => name,
                    };
                    (
                        format!(
                            "`{place}` is written on line {here} while `{name}` of line {line}, \
                             which reads `{read}`, is still used"
                        ),
                        match &binding.value {
                            Expr::Reference(place) if view => format!(
                                "write after the last use of `{name}`, or write `{}` itself \
                                 instead of `{name}`",
                                text::of(&place.expr)
                            ),
                            _ if view => format!("write after the last use of `{name}`"),
                            _ => format!(
                                "write after the last use of `{name}`, or make it an ancilla, \
                                 `let mut {name} = …;`"
                            ),
                        },
                    )
                }
                Guarded::Compute(_) => {
                    let read_on = crate::place::line(&operand.expr);
                    (
                        format!(
                            "`{place}` is written on line {here}, but the `#[compute]` block of \
                             line {line} uses `{read}` on line {read_on}, and is undone with it \
                             at the end"
                        ),
                        "write somewhere else, or end the computing first by putting the \
                         `#[compute]` block and what uses it in a block"
                            .into(),
                    )
                }
                Guarded::Bounds => (
                    format!(
                        "`{place}` is written on line {here}, but the bounds of the loop of line \
                         {line} read `{read}`: going backwards, the loop would start elsewhere"
                    ),
                    "copy the bound into an ancilla before the loop, or use \
                     `while (before, after) { … }`"
                        .into(),
                ),
                Guarded::Condition { .. } => (
                    format!(
                        "`{place}` is written on line {here} in a branch whose condition, on line \
                         {line}, reads `{read}`: going backwards, another branch could be taken"
                    ),
                    "write `if (before, after) { … }`, where `after` is true just when the branch \
                     was taken; `if (before, _)` has the same condition checked at run time"
                        .into(),
                ),
            };
            if !write.certain {
                let through = match crate::place::bare_name(&write.access.expr) {
                    Some(name) if self.names.mode(name) == Mode::Mutable => "*",
                    _ => "",
                };
                help.push_str(&format!(
                    "; a method is taken to write what it is called on: if it only reads, call it \
                     on `let only_read = &{through}{place};`"
                ));
            }
            self.diagnostics.error(place_tokens(&write.access), reason, help);
            return;
        }
    }

    /// Reports the use of a name after its release.
    fn uses(&mut self, expr: &Expr) {
        if self.live.iter().all(|live| live.released.is_none()) {
            return;
        }
        for read in reads(expr).into_iter().chain(access(expr)) {
            let live = self.live.iter().rev().find(|live| live.name == read.root);
            if let Some(Live { released: Some(at), name, .. }) = live {
                let line = line_of(*at);
                self.diagnostics.error(
                    place_tokens(&read),
                    format!("`{name}` is used after its release on line {line}"),
                    "release it after its last use",
                );
                return;
            }
        }
    }

    fn declare(&mut self, name: &Ident, role: Role, here: Span) {
        let known = self.live.iter().rposition(|live| live.name == *name);
        match known.map(|index| &self.live[index]) {
            Some(Live { released: Some(_), .. }) => {
                self.live.remove(known.expect("just found"));
            }
            Some(live) => {
                let what = match live.role {
                    Role::Argument => "argument",
                    Role::Ancilla => "ancilla",
                    Role::Binding | Role::Lent | Role::View => "name",
                    Role::Variable => "loop variable",
                };
                let line = line_of(live.declared);
                self.diagnostics.error(
                    name,
                    format!(
                        "`{name}` would hide the {what} `{name}` of line {line}, which is still \
                         live: going backwards, the two could not be told apart"
                    ),
                    "choose another name",
                );
            }
            None => {}
        }
        let (name, depth) = (name.clone(), self.depth);
        self.live.push(Live { name, role, declared: here, depth, released: None });
    }

    fn guard(&mut self, what: Guarded, span: Span, operands: Vec<Access>) {
        self.guards.push(Guard { what, span, operands, touched: false, reported: false });
    }
}

/// The tokens to point at: the place without `&mut`.
fn place_tokens(access: &Access) -> &Expr {
    match &access.expr {
        Expr::Reference(e) => &e.expr,
        other => other,
    }
}

/// What the bounds of a loop read. Elements of a container that the loop runs
/// over are its business to change; its length is not.
fn bounds_reads(sequence: &Expr) -> Vec<Access> {
    match sequence {
        Expr::Paren(e) => bounds_reads(&e.expr),
        Expr::Range(_) => reads(sequence),
        Expr::MethodCall(call) => {
            let arguments = call.args.iter().flat_map(|argument| match &*call.method.to_string() {
                "zip" => bounds_reads(argument),
                _ => reads(argument),
            });
            bounds_reads(&call.receiver).into_iter().chain(arguments).collect()
        }
        other => reads_of_place(other),
    }
}

/// The statements of a block that declare a name for what comes after it.
fn declarations(block: &Block) -> Vec<&Statement> {
    let mut found = Vec::new();
    for statement in block {
        match &statement.kind {
            Kind::Compute { body, .. } => found.extend(declarations(body)),
            _ => found.push(statement),
        }
    }
    found
}

/// The line of a token, from 1. Asked for when there is something to report:
/// the compiler takes its time to answer.
fn line_of(span: Span) -> usize {
    span.start().line
}

/// The lines on which a block releases something.
fn lines(block: &Block) -> Vec<usize> {
    let releases = block.iter().filter(|s| matches!(s.kind, Kind::Release(_)));
    releases.map(|s| line_of(s.span)).collect()
}

fn mark(block: &mut Block, verify: &[Binding]) {
    for statement in block {
        let checked = statement.checked;
        match &mut statement.kind {
            Kind::Bind(binding) | Kind::Unbind(binding) => {
                let touched = verify.contains(binding);
                binding.verify = checked && touched;
            }
            Kind::Compute { compute, body } => {
                mark(compute, verify);
                mark(body, verify);
            }
            Kind::If { arms, otherwise } => {
                arms.iter_mut().for_each(|arm| mark(&mut arm.body, verify));
                otherwise.iter_mut().for_each(|block| mark(block, verify));
            }
            Kind::While { body, .. } | Kind::For { body, .. } | Kind::Block(body) => {
                mark(body, verify);
            }
            _ => {}
        }
    }
}
