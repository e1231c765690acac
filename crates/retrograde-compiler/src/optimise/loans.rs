//! Ancillas that are lent to a function whose derivatives look at what it undoes of them.
//!
//! The last call that undoes an ancilla need not restore it, since nobody looks at it any more:
//! it is one of [`Direction::Gradient`]. But the function itself may look at each value that it
//! undoes on its way, and where rounding grows on that way, only what it comes to tells. So the
//! function says [whether it looks](crate::looks), and if it does the call restores after all,
//! and what it restored is compared with what was there before.
//!
//! ```text
//! let looks = relax::__looks(4) & 1 != 0;
//! let mut before = lent(&a, looks);
//! relax(&mut a, &mut q, 12);
//! before.turn(&a);
//! …
//! if looks { relax::adjoint(&mut a, …) } else { relax::gradient(&mut a, …) }
//! before.compare(&a);
//! ```

use super::dead::locals_of;
use super::drift::is_exact;
use crate::decide;
use crate::effects;
use crate::emit::companion;
use crate::ir::{Arm, Binding, Block, Call, Callee, Direction, Kind, Statement};
use crate::kinds::Kinds;
use crate::looks::{DEPTH, LOOKS, bit, lent_to};
use crate::names::Names;
use crate::table::NameSet;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, ExprPath, Pat, parse_quote};

/// A call that need not restore an ancilla, and where it was lent before.
struct Loan {
    ancilla: Ident,
    /// The statement that it is lent in, and the one that undoes that.
    there: usize,
    back: usize,
    /// The calls in the latter.
    calls: Vec<Call>,
}

/// The ancillas of which nobody can tell what they were before a call that need not restore them,
/// and what asks whether one of these calls looks at what it undoes of them.
#[derive(Default)]
pub struct Unpaired {
    pub ancillas: NameSet,
    asked: Vec<TokenStream>,
}

impl Unpaired {
    pub fn of(block: &Block, names: &Names, kinds: &Kinds) -> Self {
        let mut unpaired = Unpaired::default();
        unpaired.search(block, names, kinds);
        unpaired
    }

    fn search(&mut self, block: &Block, names: &Names, kinds: &Kinds) {
        for inner in block.iter().flat_map(Statement::blocks) {
            self.search(inner, names, kinds);
        }
        for (ancilla, calls) in loans(block, names, kinds).1 {
            self.asked.extend(calls.iter().filter_map(|call| asked(call, &ancilla, names)));
            self.ancillas.insert(&ancilla);
        }
    }

    /// A block that compares them if somebody looks, or else one that does not.
    pub fn choose(&self, compared: Block, trusted: Block) -> Block {
        let Some(at) = compared.first().filter(|_| compared != trusted).cloned() else {
            return trusted;
        };
        let asked = &self.asked;
        let pre = Expr::Verbatim(quote!(#(#asked)||*));
        let arm = Arm { post: pre.clone(), pre, verify: false, body: compared };
        let kind = Kind::If { arms: vec![arm], otherwise: Some(trusted) };
        vec![Statement { generated: true, checked: false, undoes: false, ..at.with(kind) }]
    }
}

/// Compares what such calls restore.
pub fn compare(block: &mut Block, names: &Names, kinds: &Kinds) {
    Comparison { names, kinds, count: 0 }.block(block);
}

/// The loans of a block's own ancillas, and those ancillas of which nothing can be said.
fn loans(block: &Block, names: &Names, kinds: &Kinds) -> (Vec<Loan>, Vec<(Ident, Vec<Call>)>) {
    let (mut loans, mut unpaired) = (Vec::new(), Vec::new());
    for (declared, statement) in block.iter().enumerate() {
        let Kind::Allocate(ancilla) = &statement.kind else { continue };
        if statement.generated || !ancilla.proved || ancilla.verify || is_exact(ancilla, kinds) {
            continue;
        }
        let name = &ancilla.name;
        let end = block[declared + 1..].iter().position(
            |s| matches!(&s.kind, Kind::Allocate(a) | Kind::Release(a) if a.name == *name),
        );
        let end = end.map_or(block.len(), |end| declared + 1 + end);
        for back in declared + 1..end {
            let mut calls = Vec::new();
            forgetful(&block[back], name, names, &mut calls);
            let Some(first) = calls.first() else { continue };
            let there = (declared + 1..back).find(|there| {
                writes(&block[*there], name, names) > 0
                    && runs_forward(&block[*there], first, names, name)
            });
            let same = |there: &usize| {
                writes(&block[*there], name, names) == writes(&block[back], name, names)
            };
            match there.filter(same) {
                Some(there) => loans.push(Loan { ancilla: name.clone(), there, back, calls }),
                None => unpaired.push((name.clone(), calls)),
            }
        }
    }
    (loans, unpaired)
}

/// The calls in a statement that need not restore a variable.
fn forgetful(statement: &Statement, name: &Ident, names: &Names, calls: &mut Vec<Call>) {
    match &statement.kind {
        Kind::Call(call) if call.direction == Direction::Gradient => {
            if !lent_to(call, name, names).is_empty() && !calls.contains(call) {
                calls.push(call.clone());
            }
        }
        _ => {
            let inside = statement.blocks().into_iter().flatten();
            inside.for_each(|inner| forgetful(inner, name, names, calls));
        }
    }
}

/// In how many places a variable is written.
fn writes(statement: &Statement, name: &Ident, names: &Names) -> usize {
    match &statement.kind {
        Kind::Update { .. } | Kind::Call(_) => {
            let writes = effects::of(statement, names).writes;
            usize::from(writes.iter().any(|write| names.roots(&write.access.root).contains(name)))
        }
        _ => {
            let inside = statement.blocks().into_iter().flatten();
            inside.map(|inner| writes(inner, name, names)).sum()
        }
    }
}

/// Whether a variable is lent to the same function, the other way.
fn runs_forward(statement: &Statement, call: &Call, names: &Names, name: &Ident) -> bool {
    match &statement.kind {
        Kind::Call(other)
            if matches!(other.direction, Direction::Forward | Direction::InverseAdjoint) =>
        {
            let writes = effects::of(statement, names).writes;
            other.callee == call.callee
                && writes.iter().any(|write| names.roots(&write.access.root).contains(name))
        }
        _ => {
            let inside = statement.blocks().into_iter().flatten();
            inside.into_iter().any(|inner| runs_forward(inner, call, names, name))
        }
    }
}

struct Comparison<'a> {
    names: &'a Names,
    kinds: &'a Kinds,
    count: usize,
}

impl Comparison<'_> {
    fn block(&mut self, block: &mut Block) {
        for statement in block.iter_mut() {
            statement.blocks_mut().into_iter().for_each(|inner| self.block(inner));
        }
        let (loans, _) = loans(block, self.names, self.kinds);
        if loans.is_empty() {
            return;
        }
        let mut around: Vec<[Block; 2]> = vec![[Block::new(), Block::new()]; block.len()];
        for Loan { ancilla, there, back, calls } in loans {
            let (looks, lent) = (self.fresh("looks"), self.fresh("lent"));
            let asked = calls.iter().flat_map(|call| asked(call, &ancilla, self.names));
            let asked: Vec<TokenStream> = asked.collect();
            let (lending, undoing) = (block[there].clone(), block[back].clone());
            let span = lending.span;
            let source = &lending.source;
            let before = &mut around[there][0];
            before.push(bound(&lending, parse_quote!(#looks), quote!(#(#asked)||*)));
            before.push(bound(
                &lending,
                parse_quote!(mut #lent),
                quote!((&&::retrograde::__private::Probe(&#ancilla)).__on_loan(#looks)),
            ));
            around[there][1].push(bound(&lending, parse_quote!(()), quote!(#lent.turn(&#ancilla))));
            let others = self.beside(&lending, &ancilla);
            let others = quote!([#(#others),*].into_iter().fold(0.0, f64::max));
            let compared = quote_spanned!(span=> #lent.compare(&#ancilla, || #others, #source));
            around[back][1].push(bound(&undoing, parse_quote!(()), compared));
            restore(&mut block[back], &calls, &looks);
        }
        let statements = std::mem::take(block);
        for (statement, [before, after]) in statements.into_iter().zip(around) {
            block.extend(before);
            block.push(statement);
            block.extend(after);
        }
    }

    /// The extents of what else a statement reads.
    fn beside(&self, statement: &Statement, ancilla: &Ident) -> Vec<Expr> {
        // Of its own names nobody knows there.
        let own = locals_of(std::slice::from_ref(statement));
        let mut roots: Vec<Ident> = Vec::new();
        for read in effects::of(statement, self.names).reads {
            for root in self.names.roots(&read.root) {
                let outside = !self.names.is_alias(root) && !own.contains(root);
                if outside && root != ancilla && !roots.contains(root) {
                    roots.push(root.clone());
                }
            }
        }
        let extents = roots.into_iter().map(|root| -> Expr { parse_quote!(#root) });
        let extents = extents.filter_map(|place| {
            let kind = self.kinds.of_expr(&place);
            (!kind.is_constant()).then(|| decide::extent(&place, &kind, self.names))
        });
        extents.collect()
    }

    fn fresh(&mut self, name: &str) -> Ident {
        self.count += 1;
        format_ident!("__{name}_{}", self.count, span = Span::mixed_site())
    }
}

/// Asks the function that is called whether it looks at an ancilla.
fn asked(call: &Call, ancilla: &Ident, names: &Names) -> Option<TokenStream> {
    let Callee::Function(path) = &call.callee else { return None };
    let marks = lent_to(call, ancilla, names).into_iter().filter_map(bit);
    let all = marks.fold(0, |all, mark| all | mark);
    let told = ask(LOOKS, path, &parse_quote!(#DEPTH));
    Some(quote!((#told & #all) != 0))
}

/// Asks a function what it looks at, or what it decides on.
pub fn ask(what: &str, path: &ExprPath, depth: &Expr) -> TokenStream {
    let mut path = path.clone();
    path.path.segments.iter_mut().for_each(|s| s.arguments = syn::PathArguments::None);
    companion(&path, what, std::slice::from_ref(depth), None)
}

/// A `let` of our own.
fn bound(at: &Statement, pattern: Pat, value: TokenStream) -> Statement {
    let value = Expr::Verbatim(value);
    let kind = Kind::Bind(Binding { pattern, value, verify: false });
    Statement { generated: true, checked: false, undoes: false, ..at.with(kind) }
}

/// Has calls restore what they are lent, if the function looks at it.
fn restore(statement: &mut Statement, calls: &[Call], looks: &Ident) {
    if let Kind::If { arms, otherwise } = &mut statement.kind
        && let [arm] = &mut arms[..]
        && statement.generated
        && let Some([inner]) = otherwise.as_deref()
        && matches!(&inner.kind, Kind::Call(call) if calls.contains(call))
    {
        // It is asked of another ancilla already.
        let known = &arm.pre;
        arm.pre = Expr::Verbatim(quote!(#known || #looks));
        return;
    }
    if let Kind::Call(call) = &statement.kind
        && calls.contains(call)
    {
        let restoring = Call { direction: Direction::Adjoint, ..call.clone() };
        let pre = Expr::Verbatim(quote!(#looks));
        let body = vec![statement.with(Kind::Call(restoring))];
        let arm = Arm { post: pre.clone(), pre, verify: false, body };
        let otherwise = Some(vec![statement.clone()]);
        let kind = Kind::If { arms: vec![arm], otherwise };
        *statement = Statement { generated: true, ..statement.with(kind) };
        return;
    }
    for inner in statement.blocks_mut() {
        inner.iter_mut().for_each(|inner| restore(inner, calls, looks));
    }
}
