//! How far what is undone may be from what it was: followed by the magnitudes that variables
//! are seen to hold, and carried into calls, which decide for themselves on what they are lent.

use super::function;
use super::keep::Keeper;
use crate::adjoint::free_name;
use crate::effects;
use crate::ir::{Ancilla, Block, Call, Callee, Direction, Kind, Statement};
use crate::names::{Mode, Names, pattern_names};
use crate::place::{Access, Step, access, bare_name, reads};
use crate::text::Source;
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};
use syn::visit::Visit;
use syn::{Expr, parse_quote};

#[derive(Default)]
pub(super) struct Rounding {
    /// The variables whose rounding is followed, and where that is.
    scales: HashMap<Ident, Ident>,
    /// Names for values of such variables.
    behind: HashMap<Ident, Vec<Ident>>,
    /// Arguments that a caller may have undone, and their places among all.
    lent: HashMap<Ident, usize>,
    /// Those that decisions here look at. What is only carried may be large, and nobody looks
    /// through all of it after each call.
    decided: HashSet<Ident>,
    /// What changes in sight, step by step.
    stepped: HashSet<Ident>,
}

impl Rounding {
    /// Of a block, where a caller may have undone some arguments.
    pub fn of(block: &Block, keeper: &Keeper, lent: HashMap<Ident, usize>) -> Self {
        let mut rounding = Rounding { lent, ..Rounding::default() };
        rounding.look_for_steps(block, keeper);
        rounding
    }

    /// Has the calls in a block that is computed and uncomputed know what of their arguments
    /// is undone.
    pub fn carrying(block: &mut Block, keeper: &mut Keeper) -> Self {
        let mut rounding = Rounding::of(block, keeper, HashMap::new());
        rounding.carry_into(block, keeper);
        if !rounding.scales.is_empty() {
            rounding.follow(block, keeper);
        }
        rounding
    }

    fn carry_into(&mut self, block: &mut Block, keeper: &mut Keeper) {
        let mut out = Block::new();
        for mut statement in std::mem::take(block) {
            self.look_behind(&statement, keeper);
            for inner in statement.blocks_mut() {
                self.carry_into(inner, keeper);
            }
            if statement.checked
                && let Kind::Update { value, .. } = &statement.kind
            {
                let source = statement.source.clone();
                let mut jumps = Jumps { rounding: self, keeper, source, found: Vec::new() };
                jumps.visit_expr(value);
                let checks = jumps.found.into_iter();
                out.extend(checks.map(|check| called(&statement, "checked", vec![check])));
            }
            let [before, after] = match statement.checked && !statement.generated {
                true => self.around(&statement, true, keeper),
                false => [Block::new(), Block::new()],
            };
            out.extend(before);
            out.push(statement);
            out.extend(after);
        }
        *block = out;
    }

    fn look_for_steps(&mut self, block: &Block, keeper: &Keeper) {
        for statement in block {
            if let Kind::Update { value, .. } = &statement.kind
                && !statement.generated
                && is_step(value)
            {
                for write in effects::of(statement, keeper.names).writes {
                    self.stepped.extend(keeper.names.roots(&write.access.root).iter().cloned());
                }
            }
            statement.blocks().into_iter().for_each(|inner| self.look_for_steps(inner, keeper));
        }
    }

    /// Takes note of what a name stands for.
    pub fn look_behind(&mut self, statement: &Statement, keeper: &Keeper) {
        let (names, value) = match &statement.kind {
            Kind::Bind(binding) => (pattern_names(&binding.pattern), &binding.value),
            Kind::Allocate(ancilla) => (vec![ancilla.name.clone()], &ancilla.value),
            Kind::Update { value, .. } => {
                let writes = effects::of(statement, keeper.names).writes;
                (writes.into_iter().map(|write| write.access.root).collect(), value)
            }
            _ => return,
        };
        let roots: Vec<Ident> = reads(value).into_iter().map(|read| read.root).collect();
        for name in names {
            self.behind.entry(name).or_default().extend(roots.iter().cloned());
        }
    }

    /// The variables whose rounding is in an expression.
    fn variables(&self, expr: &Expr, keeper: &Keeper) -> Vec<Ident> {
        let mut found = Vec::new();
        let mut seen: HashSet<Ident> = HashSet::new();
        let mut ahead: Vec<Ident> = reads(expr).into_iter().map(|read| read.root).collect();
        while let Some(name) = ahead.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            ahead.extend(self.behind.get(&name).into_iter().flatten().cloned());
            for root in keeper.names.roots(&name) {
                let mut writes = keeper.levels.iter().flat_map(|level| &level.writes);
                if writes.any(|write| keeper.names.roots(&write.root).contains(root)) {
                    found.push(root.clone());
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Where the rounding of what a decision reads is followed.
    pub fn scales_of(&mut self, expr: &Expr, keeper: &mut Keeper) -> Vec<Ident> {
        let variables = self.variables(expr, keeper);
        self.decided.extend(variables.iter().cloned());
        self.followed(&variables, keeper)
    }

    fn followed(&mut self, variables: &[Ident], keeper: &mut Keeper) -> Vec<Ident> {
        let mut scale = |root: &Ident| {
            let scale = self.scales.entry(root.clone());
            scale.or_insert_with(|| free_name(&format!("round_{root}"), keeper.used)).clone()
        };
        variables.iter().map(&mut scale).collect()
    }

    /// What stops where an expression jumps: a remainder at whole quotients, an angle at its
    /// cut, a sign at zero. It stands beside, and so leaves the way of the gradient free.
    pub fn jump(&mut self, expr: &Expr, source: &Source, keeper: &mut Keeper) -> Option<Expr> {
        let kind = keeper.kinds.of_expr(expr);
        let (method, of, by) = jump(expr)?;
        if kind.is_constant() || keeper.level(expr).is_none() {
            return None;
        }
        let scales = match &by {
            Some(by) => self.scales_of(&parse_quote!((#of, #by)), keeper),
            None => self.scales_of(&of, keeper),
        };
        let method = Ident::new(method, Span::call_site());
        let [a, b] = ["__value", "__by"].map(|name| Ident::new(name, Span::mixed_site()));
        Some(match by {
            // Of two numbers, literals are what the other one is.
            Some(by) if kind.is_number() && method == "__settled_quotient" => parse_quote!({
                let #a = (#of) / (#by);
                (&::retrograde::__private::Probe(&#a)).__settled_whole(&[#(#scales),*], #source)
            }),
            Some(by) => parse_quote!({
                let #a = &(#of);
                let #b = &(#by);
                (&::retrograde::__private::Sides(#a, #b)).#method(&[#(#scales),*], #source)
            }),
            None => parse_quote!({
                let #a = (#of).__value();
                (&::retrograde::__private::Probe(&#a)).#method(&[#(#scales),*], #source)
            }),
        })
    }

    /// What goes before a call and after it, which tells it what of its arguments was undone. Of
    /// a number, and of a struct whose numbers are seen to change one by one.
    pub fn around(
        &mut self,
        statement: &Statement,
        there_and_back: bool,
        keeper: &mut Keeper,
    ) -> [Block; 2] {
        let Kind::Call(call) = &statement.kind else { return [Block::new(), Block::new()] };
        let mut carried: Vec<syn::ExprTuple> = Vec::new();
        for (i, argument) in call.operands().enumerate() {
            let lent = how_lent(argument, keeper.names);
            let kind = keeper.kinds.of_expr(argument);
            if lent == Lent::ToBeWritten
                || !(kind.is_number() || kind.is_open())
                || keeper.level(argument).is_none()
            {
                continue;
            }
            let mut variables = self.variables(argument, keeper);
            if lent == Lent::AsItIs || kind.is_open() {
                let known =
                    |root: &Ident| self.stepped.contains(root) || self.lent.contains_key(root);
                variables.retain(known);
            }
            let scales = self.followed(&variables, keeper);
            carried.extend(scales.iter().map(|scale| parse_quote!((#i, #scale))));
        }
        if carried.is_empty() {
            return [Block::new(), Block::new()];
        }
        let carry = called(statement, "carry", vec![parse_quote!(&[#(#carried),*])]);
        let nothing = called(statement, "carry_nothing", Vec::new());
        match there_and_back {
            // The same from both ends.
            true => [vec![nothing.clone(), carry.clone()], vec![carry, nothing]],
            false => [vec![carry], vec![nothing]],
        }
    }

    /// Follows the rounding of what is written.
    pub fn follow(&self, block: &mut Block, keeper: &Keeper) {
        let mut out = Block::new();
        for mut statement in std::mem::take(block) {
            statement.blocks_mut().into_iter().for_each(|inner| self.follow(inner, keeper));
            let places: Vec<Access> = match &statement.kind {
                Kind::Update { .. } | Kind::Call(_) if !statement.generated => {
                    let writes = effects::of(&statement, keeper.names).writes;
                    writes.into_iter().map(|write| write.access).collect()
                }
                _ => Vec::new(),
            };
            let update = matches!(statement.kind, Kind::Update { .. });
            let small = |written: &Expr| keeper.kinds.of_expr(written).is_number();
            let (mut before, mut after) = (Block::new(), Block::new());
            for access in places {
                let written = place(&access);
                let kind = keeper.kinds.of_expr(written);
                let number = update && kind.is_number();
                let probe: Expr = match (&kind, is_reference(written, keeper.names)) {
                    (crate::kinds::Kind::Sequence(_), _) => {
                        parse_quote!(&&::retrograde::__private::Elements(&#written[..]))
                    }
                    (_, true) => parse_quote!(&&::retrograde::__private::Probe(&*#written)),
                    _ => parse_quote!(&&::retrograde::__private::Probe(&#written)),
                };
                for root in keeper.names.roots(&access.root) {
                    let Some(scale) = self.scales.get(root) else { continue };
                    if !(update || small(written) || self.decided.contains(root)) {
                        continue;
                    }
                    let name = if number { "watch_extent" } else { "see_extent_after" };
                    let seen = called(
                        &statement,
                        name,
                        vec![parse_quote!(&mut #scale), parse_quote!((#probe).__extent())],
                    );
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

    /// The declarations of what is followed, for before a block.
    pub fn declarations(&self, at: &Statement) -> Block {
        let mut scales: Vec<(&Ident, &Ident)> = self.scales.iter().collect();
        scales.sort();
        let mut taken = false;
        let declare = |(variable, scale): (&Ident, &Ident)| {
            let value = match self.lent.get(variable) {
                Some(place) => {
                    taken = true;
                    parse_quote!(::retrograde::__private::carried(#place))
                }
                None => parse_quote!(::retrograde::check::Scale::default()),
            };
            let kind = Kind::Allocate(Ancilla::new(scale.clone(), None, value, false));
            Statement { generated: true, ..at.with(kind) }
        };
        let mut declarations: Block = scales.into_iter().map(declare).collect();
        if taken {
            // What is carried here is not carried on by itself.
            declarations.push(called(at, "carry_nothing", Vec::new()));
        }
        declarations
    }
}

/// What an expression jumps at that is no decision: which check it is, of what, and beside what.
fn jump(expr: &Expr) -> Option<(&'static str, Expr, Option<Expr>)> {
    if let Expr::Binary(e) = expr {
        let rest = matches!(e.op, syn::BinOp::Rem(_));
        return rest.then(|| ("__settled_quotient", (*e.left).clone(), Some((*e.right).clone())));
    }
    let (name, of, others) = function(expr)?;
    let by = others.first().map(|by| (*by).clone());
    Some(match name.to_string().as_str() {
        "fract" => ("__settled_whole", of.clone(), None),
        "rem_euclid" => ("__settled_quotient", of.clone(), Some(by?)),
        "atan2" => ("__settled_cut", of.clone(), Some(by?)),
        "copysign" => ("__settled_sign", by?, None),
        _ => return None,
    })
}

/// The jumps of an expression that are evaluated in any case, with names that are known outside.
struct Jumps<'j, 'a> {
    rounding: &'j mut Rounding,
    keeper: &'j mut Keeper<'a>,
    source: Source,
    found: Vec<Expr>,
}

impl<'e> Visit<'e> for Jumps<'_, '_> {
    fn visit_expr(&mut self, expr: &'e Expr) {
        self.found.extend(self.rounding.jump(expr, &self.source, self.keeper));
        if !matches!(expr, Expr::Block(_) | Expr::Closure(_) | Expr::If(_) | Expr::Match(_)) {
            syn::visit::visit_expr(self, expr);
        }
    }
}

/// A call of the library's that computes nothing.
pub(super) fn called(at: &Statement, name: &str, arguments: Vec<Expr>) -> Statement {
    let name = Ident::new(name, Span::call_site());
    let callee = Callee::Function(parse_quote!(::retrograde::__private::#name));
    let (parentheses, direction) = (Default::default(), Direction::Forward);
    let kind = Kind::Call(Call { callee, arguments, parentheses, direction });
    Statement { generated: true, checked: false, ..at.with(kind) }
}

/// Whether a statement carries rounding into a call.
pub(super) fn is_carry(statement: &Statement) -> bool {
    matches!(&statement.kind, Kind::Call(Call { callee: Callee::Function(path), .. })
        if statement.generated && path.path.segments.last().is_some_and(|last| last.ident == "carry"))
}

/// Whether something is called, other than by us.
pub(super) fn calls(block: &Block) -> bool {
    block.iter().any(|statement| {
        let own = matches!(statement.kind, Kind::Call(_)) && !statement.generated;
        own || statement.blocks().into_iter().any(calls)
    })
}

fn place(access: &Access) -> &Expr {
    match &access.expr {
        Expr::Reference(e) => &e.expr,
        other => other,
    }
}

/// Whether something is advanced by this, such as a time, and not a sum over data.
fn is_step(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) => true,
        Expr::Paren(e) => is_step(&e.expr),
        Expr::Group(e) => is_step(&e.expr),
        Expr::Unary(e) if !matches!(e.op, syn::UnOp::Deref(_)) => is_step(&e.expr),
        Expr::Binary(e) => is_step(&e.left) && is_step(&e.right),
        Expr::Cast(e) => is_step(&e.expr),
        other => access(other)
            .is_some_and(|place| place.path.iter().all(|step| matches!(step, Step::Field(_)))),
    }
}

/// How a callee gets an argument.
#[derive(Clone, Copy, PartialEq)]
enum Lent {
    /// To be read.
    ToBeRead,
    /// To be written: what it writes, it watches itself.
    ToBeWritten,
    /// Either: a name of a mutable reference, or what a method is called on.
    AsItIs,
}

fn how_lent(argument: &Expr, names: &Names) -> Lent {
    match argument {
        Expr::Paren(e) => how_lent(&e.expr, names),
        Expr::Reference(e) if e.mutability.is_some() => Lent::ToBeWritten,
        Expr::Path(_)
            if bare_name(argument).is_some_and(|name| names.mode(name) == Mode::Mutable) =>
        {
            Lent::AsItIs
        }
        _ => Lent::ToBeRead,
    }
}

/// Whether an expression is the name of a reference.
fn is_reference(expr: &Expr, names: &Names) -> bool {
    let name = bare_name(expr).filter(|_| matches!(expr, Expr::Path(_)));
    name.is_some_and(|name| matches!(names.mode(name), Mode::Shared | Mode::Mutable))
}
