//! Slopes that lean on the digits of what is undone.
//!
//! A logarithm, a root or a quotient is known as nearly as what it is of *relative to that*. A sum
//! that grows from zero comes back with the rounding of the largest that it held, which is nothing
//! beside that, and may be all there is where the sum is small again. The end of the way back cannot
//! tell: there, it is compared with the largest, too. So where such a function looks at what is
//! undone, the largest that this was *on its way back until then* is followed, and half of the digits
//! must be left of it.
//!
//! ```text
//! see_back(&mut back, risk);                  the largest since the way back began
//! risk -= e;
//! …
//! checked(risk.digits_left(back));            half of them are left
//! *y -= risk.ln();
//! ```
//!
//! [`insert`] marks where functions lean on a value, and [`settle`] keeps those marks where it is
//! one that is undone before they come: in a loop, as a rule. Elements by an index that varies are
//! not followed, since each has a history of its own.

use crate::decide::{self, Look, call_of_ours, function};
use crate::effects;
use crate::ir::{Ancilla, Block, Kind, Statement};
use crate::kinds::Kinds;
use crate::names::{Mode, Names, pattern_names};
use crate::place::{Access, Overlap, Step, access, bare_name, identifiers};
use crate::text::is_one_of;
use crate::visit::Visit;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};
use std::collections::HashMap;
use syn::{BinOp, Expr, Pat, UnOp, parse_quote};

/// What has infinite slopes at zero, or at least such that grow without an end towards it.
const STEEP: [&str; 8] = ["cbrt", "ln", "log", "log10", "log2", "powf", "recip", "sqrt"];

/// What is as nearly known as what it is of, in parts of itself.
const POWERS: [&str; 7] = ["abs", "cbrt", "clone", "powf", "powi", "recip", "sqrt"];

/// What is no steeper than one.
const FLAT: [&str; 8] = ["abs", "atan", "clone", "cos", "hypot", "max", "min", "sin"];

/// So deep names for values are looked behind.
const DEPTH: usize = 8;

/// Marks what functions lean on in a direction of a function.
pub fn insert(block: &Block) -> Block {
    let mut out = Block::new();
    for statement in block {
        let values: Vec<&Expr> = match &statement.kind {
            _ if !statement.checked || statement.generated => Vec::new(),
            Kind::Update { value, .. } => vec![value],
            // Where a name ends, the gradient goes through what it stands for.
            Kind::Bind(binding) | Kind::Unbind(binding) => vec![&binding.value],
            Kind::Allocate(ancilla) | Kind::Release(ancilla) => vec![&ancilla.value],
            _ => Vec::new(),
        };
        let mut search = Search { found: Vec::new(), conditions: Vec::new() };
        values.into_iter().for_each(|value| search.visit_expr(value));
        let marks = search.found.into_iter();
        out.extend(marks.map(|arguments| call_of_ours(statement, "leans", arguments)));
        let mut statement = statement.clone();
        statement.blocks_mut().into_iter().for_each(|inner| *inner = insert(inner));
        out.push(statement);
    }
    out
}

/// What is leaned on, and the conditions under which it is.
struct Search {
    found: Vec<Vec<Expr>>,
    conditions: Vec<Expr>,
}

impl Search {
    fn leans(&mut self, on: &Expr) {
        let conditions = self.conditions.iter().cloned();
        self.found.push([parse_quote!(&(#on))].into_iter().chain(conditions).collect());
    }
}

impl<'e> Visit<'e> for Search {
    fn visit_expr(&mut self, expr: &'e Expr) {
        match expr {
            Expr::Binary(e) if matches!(e.op, BinOp::Div(_)) => self.leans(&e.right),
            Expr::MethodCall(_) | Expr::Call(_) => {
                if let Some((name, of, others)) = function(expr) {
                    let name = name.to_string();
                    let power = name == "powi" && !others.first().is_some_and(|n| is_positive(n));
                    if power || STEEP.contains(&name.as_str()) {
                        self.leans(of);
                    } else if name == "hypot" {
                        self.leans(expr);
                    }
                }
            }
            _ => {}
        }
        match expr {
            // The names of blocks and patterns are not known outside, and through conditions and
            // indices no gradient goes.
            Expr::Closure(_) | Expr::Match(_) | Expr::Macro(_) => {}
            Expr::Block(e) if e.block.stmts.len() > 1 => {}
            Expr::Index(e) => self.visit_expr(&e.expr),
            Expr::Binary(e) if decide::is_condition(&e.op) => {}
            Expr::If(e) => {
                let condition = &e.cond;
                let branches = [Some(&e.then_branch), None];
                let otherwise = e.else_branch.as_ref().map(|(_, value)| &**value);
                self.conditions.push(parse_quote!((#condition)));
                for block in branches.into_iter().flatten() {
                    if let [syn::Stmt::Expr(value, None)] = &block.stmts[..] {
                        self.visit_expr(value);
                    }
                }
                self.conditions.pop();
                self.conditions.push(parse_quote!(!(#condition)));
                otherwise.into_iter().for_each(|value| self.visit_expr(value));
                self.conditions.pop();
            }
            _ => crate::visit::visit_expr(self, expr),
        }
    }
}

fn is_positive(exponent: &Expr) -> bool {
    matches!(exponent, Expr::Lit(_))
}

/// Has the marks look at digits where something is undone before them, and drops all others; all of
/// them if nobody is to `look`.
pub fn settle(block: &mut Block, names: &Names, kinds: &Kinds, look: bool) {
    if !has_marks(block) {
        return;
    }
    let mut own = HashMap::new();
    ancillas(block, &mut own);
    let mut leaning = Leaning { names, kinds, own, followed: Vec::new(), beside: Vec::new() };
    let found = match look {
        true => leaning.marks(block, false, &mut Vec::new(), &mut HashMap::new()),
        false => false,
    };
    if !found {
        drop_marks(block);
        return;
    }
    leaning.follow(block, false);
    // What the function is lent is followed from the start.
    let at = block.first().cloned();
    let lent = leaning.followed.iter().filter(|(place, _)| !leaning.own.contains_key(&place.root));
    if let Some(at) = at {
        let declared: Block = lent.map(|(_, back)| begin(&at, back)).collect();
        block.splice(..0, declared);
    }
}

fn has_marks(block: &Block) -> bool {
    block.iter().any(|statement| {
        decide::look(statement) == Some(Look::Lean) || statement.blocks().into_iter().any(has_marks)
    })
}

fn drop_marks(block: &mut Block) {
    block.retain(|statement| decide::look(statement) != Some(Look::Lean));
    block.iter_mut().flat_map(Statement::blocks_mut).for_each(drop_marks);
}

/// The ancillas of a block, and whether all writes to them are known to be undone.
fn ancillas(block: &Block, found: &mut HashMap<Ident, bool>) {
    for statement in block {
        if let Kind::Allocate(ancilla) = &statement.kind {
            found.insert(ancilla.name.clone(), ancilla.proved || !ancilla.verify);
        }
        statement.blocks().into_iter().for_each(|inner| ancillas(inner, found));
    }
}

/// Nothing was seen yet.
fn begin(at: &Statement, back: &Ident) -> Statement {
    let nothing = parse_quote!(::retrograde::__private::nothing_seen());
    let kind = Kind::Allocate(Ancilla::new(back.clone(), None, nothing, false));
    Statement { generated: true, checked: false, undoes: false, ..at.with(kind) }
}

struct Leaning<'a> {
    names: &'a Names,
    kinds: &'a Kinds,
    /// The ancillas, and whether what undoes them is known.
    own: HashMap<Ident, bool>,
    /// What is followed, and where.
    followed: Vec<(Access, Ident)>,
    /// Values whose magnitudes a check needs, and their names.
    beside: Vec<(Ident, Expr)>,
}

impl Leaning<'_> {
    /// What a statement undoes.
    fn undone(&self, statement: &Statement, undoing: bool) -> Vec<Access> {
        match &statement.kind {
            _ if statement.generated => return Vec::new(),
            Kind::Update { .. } => {}
            // What is exchanged is not rounded.
            Kind::Call(call) if !call.is_swap() => {}
            _ => return Vec::new(),
        }
        let writes = effects::of(statement, self.names).writes.into_iter();
        let is_undone = |access: &Access| {
            let mut roots = self.names.roots(&access.root).iter();
            roots.any(|root| match self.own.get(root) {
                Some(known) => undoing || !known,
                None => true,
            })
        };
        writes.map(|write| write.access).filter(is_undone).collect()
    }

    fn all_undone(&self, block: &Block, undoing: bool, found: &mut Vec<Access>) {
        for statement in block {
            let undoing = undoing || statement.undoes;
            found.extend(self.undone(statement, undoing));
            let inside = statement.blocks().into_iter();
            inside.for_each(|inner| self.all_undone(inner, undoing, found));
        }
    }

    /// Settles the marks of a block; tells whether one was kept. `before`: what may have been
    /// undone before.
    fn marks(
        &mut self,
        block: &mut Block,
        undoing: bool,
        before: &mut Vec<Access>,
        known: &mut HashMap<Ident, Expr>,
    ) -> bool {
        let (mut out, mut any) = (Block::new(), false);
        for mut statement in std::mem::take(block) {
            let undoing = undoing || statement.undoes;
            if decide::look(&statement) == Some(Look::Lean) {
                let checks = self.settled(&statement, before, known);
                any |= !checks.is_empty();
                out.extend(checks);
                continue;
            }
            match &statement.kind {
                Kind::Bind(binding) if !statement.generated => {
                    if let Pat::Ident(name) = &binding.pattern
                        && self.names.view(&binding.value).is_none()
                    {
                        known.insert(name.ident.clone(), binding.value.clone());
                    }
                }
                // Every pass comes after another one.
                Kind::For { body, .. } | Kind::While { body, .. } => {
                    self.all_undone(body, undoing, before);
                }
                _ => {}
            }
            before.extend(self.undone(&statement, undoing));
            for inner in statement.blocks_mut() {
                any |= self.marks(inner, undoing, before, known);
            }
            out.push(statement);
        }
        *block = out;
        any
    }

    /// The checks that a mark becomes.
    fn settled(
        &mut self,
        mark: &Statement,
        before: &[Access],
        known: &HashMap<Ident, Expr>,
    ) -> Block {
        let Kind::Call(call) = &mark.kind else { return Block::new() };
        let [Expr::Reference(on), conditions @ ..] = &call.arguments[..] else {
            return Block::new();
        };
        let mut checks = Vec::new();
        self.lean(&on.expr, before, known, DEPTH, &mut checks);
        let (names, values): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.beside).into_iter().unzip();
        let source = &mark.source;
        let value = Ident::new("__value", Span::mixed_site());
        let check = |(of, lost): (Expr, Expr)| {
            let check: Expr = parse_quote!({
                let #value = (#of).__value();
                #(let #names = (#values).__value();)*
                (&::retrograde::__private::Probe(&#value)).__digits_left(#lost, #source)
            });
            let check = match conditions {
                [] => check,
                _ => parse_quote!(if #(#conditions)&&* { #check }),
            };
            call_of_ours(mark, "checked", vec![check])
        };
        checks.into_iter().map(check).collect()
    }

    /// The values that half of the digits must be left of, and how large the parts of them were
    /// that rounding is in.
    fn lean(
        &mut self,
        on: &Expr,
        before: &[Access],
        known: &HashMap<Ident, Expr>,
        depth: usize,
        checks: &mut Vec<(Expr, Expr)>,
    ) {
        match on {
            Expr::Paren(e) => self.lean(&e.expr, before, known, depth, checks),
            Expr::Group(e) => self.lean(&e.expr, before, known, depth, checks),
            Expr::Reference(e) => self.lean(&e.expr, before, known, depth, checks),
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => {
                self.lean(&e.expr, before, known, depth, checks);
            }
            Expr::Binary(e) if matches!(e.op, BinOp::Mul(_) | BinOp::Div(_)) => {
                self.lean(&e.left, before, known, depth, checks);
                self.lean(&e.right, before, known, depth, checks);
            }
            Expr::MethodCall(e) if is_one_of(&e.method, &POWERS) => {
                self.lean(&e.receiver, before, known, depth, checks);
            }
            _ => {
                if let Some(value) = definition(on, known)
                    && let Some(less) = depth.checked_sub(1)
                {
                    return self.lean(&value, before, known, less, checks);
                }
                if let Some(lost) = self.lost(on, before, known, depth) {
                    checks.push((value_of(on, self.names), lost));
                }
            }
        }
    }

    /// How large what is undone in a value was, times how steep the value is; `None` if nothing is
    /// undone, or nobody knows.
    fn lost(
        &mut self,
        of: &Expr,
        before: &[Access],
        known: &HashMap<Ident, Expr>,
        depth: usize,
    ) -> Option<Expr> {
        let mut inner = |of: &Expr| self.lost(of, before, known, depth);
        match of {
            Expr::Paren(e) => inner(&e.expr),
            Expr::Group(e) => inner(&e.expr),
            Expr::Reference(e) => inner(&e.expr),
            Expr::Cast(e) => inner(&e.expr),
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => inner(&e.expr),
            Expr::Binary(e) => {
                let (a, b) = (&*e.left, &*e.right);
                let [left, right] = [inner(a), inner(b)];
                match e.op {
                    BinOp::Add(_) | BinOp::Sub(_) => sum(left, right),
                    BinOp::Mul(_) => sum(self.times(left, b), self.times(right, a)),
                    BinOp::Div(_) => {
                        let lost = sum(left, self.times(right, of))?;
                        let by = self.extent(b)?;
                        Some(parse_quote!((#lost) / #by))
                    }
                    _ => None,
                }
            }
            Expr::MethodCall(e) if is_one_of(&e.method, &FLAT) => {
                let all = [&*e.receiver].into_iter().chain(&e.args);
                all.map(inner).fold(None, sum)
            }
            Expr::MethodCall(e) if e.method == "exp" && e.args.is_empty() => {
                let lost = inner(&e.receiver);
                self.times(lost, of)
            }
            _ => {
                if let Some(value) = definition(of, known) {
                    let less = depth.checked_sub(1)?;
                    return self.lost(&value, before, known, less);
                }
                self.back_of(of, before)
            }
        }
    }

    /// Where the largest is that a place was on its way back, if it is undone.
    fn back_of(&mut self, place: &Expr, before: &[Access]) -> Option<Expr> {
        let place = access(place)?;
        let steady = place.path.iter().all(|step| match step {
            Step::Field(_) => true,
            Step::Index(index) => matches!(**index, Expr::Lit(_)),
            _ => false,
        });
        let undone = || before.iter().any(|w| self.names.overlap(w, &place) != Overlap::Never);
        if !steady
            || self.names.is_alias(&place.root)
            || self.kinds.of_expr(&place.expr).is_constant()
            || !undone()
        {
            return None;
        }
        let same =
            |(other, _): &&(Access, Ident)| other.root == place.root && other.path == place.path;
        if let Some((_, back)) = self.followed.iter().find(same) {
            return Some(parse_quote!(#back));
        }
        let back = format_ident!("__back_{}", self.followed.len(), span = Span::mixed_site());
        self.followed.push((place, back.clone()));
        Some(parse_quote!(#back))
    }

    fn times(&mut self, lost: Option<Expr>, by: &Expr) -> Option<Expr> {
        let lost = lost?;
        let by = self.extent(by)?;
        Some(parse_quote!((#lost) * #by))
    }

    /// The magnitude of a value, which gets a name of its own; `None` of literals that rustc could
    /// not tell the type of there.
    fn extent(&mut self, of: &Expr) -> Option<Expr> {
        if let Expr::Lit(_) = of {
            return Some(parse_quote!(::retrograde::__private::magnitude_of(#of)));
        }
        if identifiers(&of.to_token_stream()).is_empty() {
            return None;
        }
        let name = format_ident!("__beside_{}", self.beside.len(), span = Span::mixed_site());
        self.beside.push((name.clone(), value_of(of, self.names)));
        Some(parse_quote!((&&::retrograde::__private::Probe(&#name)).__extent()))
    }

    /// Takes note of what is followed, before it is undone. What is written by another name is
    /// borrowed there: that is for the loop that gives the name. Gives what is for a loop around,
    /// with its number among what is followed, and the name.
    fn follow(&self, block: &mut Block, undoing: bool) -> Vec<(usize, Ident)> {
        let (mut out, mut later) = (Block::new(), Vec::new());
        for mut statement in std::mem::take(block) {
            let undoing = undoing || statement.undoes;
            let mut named = Vec::new();
            for inner in statement.blocks_mut() {
                named.extend(self.follow(inner, undoing));
            }
            let mut seen: Vec<usize> = Vec::new();
            for write in self.undone(&statement, undoing) {
                let written = |place: &Access| self.names.overlap(&write, place) != Overlap::Never;
                let places = self.followed.iter().map(|(place, _)| place).enumerate();
                for (number, _) in places.filter(|(_, place)| written(place)) {
                    match self.names.is_alias(&write.root) {
                        true => named.push((number, write.root.clone())),
                        false => seen.push(number),
                    }
                }
            }
            for (number, name) in named {
                match self.given_by(&statement, &name) {
                    Some(None) => seen.push(number),
                    Some(Some(behind)) => later.push((number, behind)),
                    None => later.push((number, name)),
                }
            }
            seen.sort_unstable();
            seen.dedup();
            for number in seen {
                let (place, back) = &self.followed[number];
                let kind = self.kinds.of_expr(&place.expr);
                let seen = decide::extent(&place.expr, &kind, self.names);
                let arguments = vec![parse_quote!(&mut #back), seen];
                out.push(call_of_ours(&statement, "see_back", arguments));
            }
            let declared = match &statement.kind {
                Kind::Allocate(ancilla) => Some(ancilla.name.clone()),
                _ => None,
            };
            let at = statement.clone();
            out.push(statement);
            let own =
                self.followed.iter().filter(|(place, _)| Some(&place.root) == declared.as_ref());
            out.extend(own.map(|(_, back)| begin(&at, back)));
        }
        *block = out;
        later
    }

    /// Whether a loop gives a name to what it goes over, and the name by which that goes, if it is
    /// another such name.
    fn given_by(&self, statement: &Statement, name: &Ident) -> Option<Option<Ident>> {
        let Kind::For { pattern, sequence, .. } = &statement.kind else { return None };
        if !pattern_names(pattern).contains(name) {
            return None;
        }
        let mut roots = effects::of_sequence(sequence).into_iter().map(|read| read.root);
        Some(roots.find(|root| self.names.is_alias(root)))
    }
}

/// What a name stands for.
fn definition(name: &Expr, known: &HashMap<Ident, Expr>) -> Option<Expr> {
    let name = bare_name(name).filter(|_| matches!(name, Expr::Path(_)))?;
    known.get(name).cloned()
}

fn sum(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(parse_quote!(#a + #b)),
        (a, b) => a.or(b),
    }
}

/// A value, behind no reference.
fn value_of(expr: &Expr, names: &Names) -> Expr {
    let reference = bare_name(expr).filter(|_| matches!(expr, Expr::Path(_)));
    match reference.map(|name| names.mode(name)) {
        Some(Mode::Shared | Mode::Mutable) => parse_quote!(*#expr),
        _ => expr.clone(),
    }
}
