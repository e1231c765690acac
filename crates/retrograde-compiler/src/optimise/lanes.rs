//! Sums in several lanes.
//!
//! `for x in xs { s += e(x); }` adds one term after the other, and floats do not
//! allow a compiler to do it in another order: it waits for every sum, and uses
//! one lane of a register that has four or eight. Here the slices are taken in
//! chunks, each term of a chunk is added to a sum of its own, and these are added
//! at the end. The result differs in the last bits from that of the loop as it is
//! written, and is more accurate as a rule. Every direction does the same, so what
//! one adds, the other takes back.

use crate::effects::{self, Effects};
use crate::ir::{Ancilla, Arm, Binding, Block, Kind, Operator, Statement};
use crate::kinds::{self, Kinds};
use crate::names::{Names, pattern_names};
use crate::place::{Overlap, access, reads_of_place};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use std::collections::HashSet;
use syn::visit::Visit;
use syn::{Expr, Pat, parse_quote};

/// How many terms are added at once, and how many a sum must have for it to pay:
/// of a loop that only sums up, and of one that does more in each pass.
const ALONE: (usize, usize) = (8, 32);
const AMONG_OTHERS: (usize, usize) = (4, 8);

/// Widens the sums of a block.
pub fn widen(block: &mut Block, kinds: &Kinds, names: &Names) {
    let mut pass = Widening { names, kinds: kinds.clone(), count: 0 };
    pass.block(block);
}

struct Widening<'a> {
    names: &'a Names,
    kinds: Kinds,
    count: usize,
}

/// A loop over slices, side by side: the variable, the slice, and whether its
/// elements are written.
struct Slices<'e> {
    leaves: Vec<(&'e Pat, &'e Expr, bool)>,
}

impl Widening<'_> {
    fn block(&mut self, block: &mut Block) {
        for statement in block {
            match &mut statement.kind {
                Kind::Bind(binding) => {
                    let kind = self.kinds.of_expr(&binding.value);
                    if let Pat::Ident(name) = &binding.pattern {
                        self.kinds.declare(&name.ident, kind);
                    }
                }
                Kind::Allocate(ancilla) => {
                    let kind = match (&ancilla.ty, super::shadowed(&ancilla.value)) {
                        (Some(ty), _) => self.kinds.of_type(ty),
                        (_, Some(value)) => self.kinds.name(value),
                        _ => self.kinds.of_expr(&ancilla.value),
                    };
                    self.kinds.declare(&ancilla.name, kind);
                }
                Kind::If { arms, otherwise } => {
                    arms.iter_mut().for_each(|arm| self.block(&mut arm.body));
                    otherwise.iter_mut().for_each(|block| self.block(block));
                }
                Kind::While { body, .. } | Kind::Block(body) => self.block(body),
                Kind::For { pattern, sequence, body, .. } => {
                    self.kinds.declare_elements(pattern, sequence);
                    self.block(body);
                    if let Some((long, wide)) = self.wide(statement) {
                        // Short sums are not worth it.
                        let arm = Arm { pre: long.clone(), post: long, verify: false, body: wide };
                        let otherwise = Some(vec![statement.clone()]);
                        statement.kind = Kind::If { arms: vec![arm], otherwise };
                        statement.generated = true;
                    }
                }
                _ => {}
            }
        }
    }

    /// The loop with its sums in lanes, and the condition under which that pays.
    fn wide(&mut self, statement: &Statement) -> Option<(Expr, Block)> {
        let Kind::For { pattern, sequence, reversed, verify: false, body } = &statement.kind else {
            return None;
        };
        let slices = Slices::of(pattern, sequence, &self.kinds)?;
        let sums = self.sums(pattern, body)?;
        let own = |kind| Statement { generated: true, ..statement.with(kind) };
        let mut wide = Block::new();
        let alone = body.iter().enumerate().all(|(i, statement)| {
            sums.contains(&i) || !matches!(statement.kind, Kind::Update { .. })
        });
        let (width, long) = if alone { ALONE } else { AMONG_OTHERS };
        if *reversed && !alone && !self.passes_are_independent(pattern, body, &sums) {
            return None;
        }
        let slices = if alone { slices.only_read() } else { slices };
        let mut lanes = Vec::new();
        for i in &sums {
            let Kind::Update { place, .. } = &body[*i].kind else { return None };
            self.count += 1;
            let name = format_ident!("sums_{}", self.count, span = Span::mixed_site());
            let zeros: Expr = parse_quote!(::retrograde::__private::lanes::<_, #width>(&#place));
            wide.push(own(Kind::Allocate(Ancilla::new(name.clone(), None, zeros, false))));
            lanes.push(name);
        }
        let lane = format_ident!("lane", span = Span::mixed_site());
        let into_lane = |lane: Expr| -> Block {
            let mut body = body.clone();
            for (i, sums) in sums.iter().zip(&lanes) {
                let Kind::Update { operator, value, .. } = &body[*i].kind else { continue };
                let (operator, value) = (*operator, value.clone());
                let place: Expr = parse_quote!(#sums[#lane]);
                body[*i] = body[*i].with(Kind::Update { place, operator, value });
                body[*i].checked = false;
            }
            body
        };
        // Whole chunks.
        let mut inner = Block::new();
        for (i, (pattern, _, mutable)) in slices.leaves.iter().enumerate() {
            let chunk = format_ident!("chunk_{i}", span = Span::mixed_site());
            let value: Expr = if *mutable {
                parse_quote!(&mut #chunk[#lane])
            } else {
                parse_quote!(&#chunk[#lane])
            };
            let binding = Binding { pattern: (*pattern).clone(), value, verify: false };
            inner.push(own(Kind::Bind(binding)));
        }
        inner.extend(into_lane(parse_quote!(#lane)));
        let each = own(Kind::For {
            pattern: parse_quote!(#lane),
            sequence: parse_quote!(0..#width),
            reversed: false,
            verify: false,
            body: inner,
        });
        let (chunks, over_chunks) = slices.zipped(true, width);
        let repeat = Kind::For {
            pattern: chunks,
            sequence: over_chunks,
            reversed: false,
            verify: false,
            body: vec![each],
        };
        wide.push(statement.with(repeat));
        // What is left.
        let (rest, over_rest) = slices.zipped(false, width);
        let repeat = Kind::For {
            pattern: rest,
            sequence: over_rest,
            reversed: false,
            verify: false,
            body: into_lane(parse_quote!(0)),
        };
        wide.push(statement.with(repeat));
        for (i, sums) in sums.iter().zip(&lanes) {
            let Kind::Update { place, .. } = &body[*i].kind else { return None };
            let value: Expr = parse_quote!(::retrograde::__private::total(#sums));
            let (place, operator) = (place.clone(), Operator::Add);
            wide.push(own(Kind::Update { place, operator, value }));
        }
        let container = slices.leaves[0].1;
        Some((parse_quote!(#container.len() >= #long), wide))
    }

    /// The statements of a loop that only sum up: numbers of the statements.
    fn sums(&self, pattern: &Pat, body: &Block) -> Option<Vec<usize>> {
        let mut local: HashSet<Ident> = pattern_names(pattern).into_iter().collect();
        for statement in body {
            match &statement.kind {
                Kind::Bind(binding) => local.extend(pattern_names(&binding.pattern)),
                Kind::Allocate(ancilla) => {
                    local.insert(ancilla.name.clone());
                }
                Kind::Update { value, .. } if is_light(value) => {}
                _ => return None,
            }
            if let Kind::Bind(Binding { value, .. }) | Kind::Allocate(Ancilla { value, .. }) =
                &statement.kind
                && !is_light(value)
            {
                return None;
            }
        }
        let effects: Vec<Effects> = body.iter().map(|s| effects::of(s, self.names)).collect();
        let is_sum = |i: usize| {
            let Kind::Update { place, operator, .. } = &body[i].kind else { return false };
            let Some(own) = access(place) else { return false };
            let scalar = self.kinds.of_expr(place) == kinds::Kind::Real;
            let sums = matches!(operator, Operator::Add | Operator::Subtract);
            let outside = !local.contains(&own.root)
                && reads_of_place(place).iter().all(|read| !local.contains(&read.root))
                && !self.names.roots(&own.root).iter().any(|root| local.contains(root));
            let alone = effects.iter().enumerate().all(|(k, effects)| {
                let written = effects.writes.iter().filter(|_| k != i).map(|write| &write.access);
                effects
                    .reads
                    .iter()
                    .chain(written)
                    .all(|other| self.names.overlap(&own, other) == Overlap::Never)
            });
            scalar && sums && outside && alone
        };
        let sums: Vec<usize> = (0..body.len()).filter(|i| is_sum(*i)).collect();
        (!sums.is_empty()).then_some(sums)
    }

    /// Whether a loop may be run in any order, but for its sums.
    fn passes_are_independent(&self, pattern: &Pat, body: &Block, sums: &[usize]) -> bool {
        let others = body.iter().enumerate().filter(|(i, _)| !sums.contains(i));
        let others: Block = others.map(|(_, statement)| statement.clone()).collect();
        super::direction::independent(pattern, &others, self.names)
    }
}

/// Whether an expression is arithmetic that a wide register can do.
fn is_light(expr: &Expr) -> bool {
    struct Heavy(bool);
    impl Visit<'_> for Heavy {
        fn visit_expr(&mut self, expr: &Expr) {
            match expr {
                Expr::MethodCall(call) => {
                    let name = call.method.to_string();
                    let light = ["abs", "clone", "mul_add", "__value", "__ref"];
                    self.0 |= !light.contains(&name.as_str());
                }
                Expr::Call(_) | Expr::If(_) | Expr::Block(_) | Expr::Macro(_) => self.0 = true,
                Expr::Binary(e) => {
                    use syn::BinOp::*;
                    self.0 |= !matches!(e.op, Add(_) | Sub(_) | Mul(_) | Div(_));
                }
                _ => {}
            }
            syn::visit::visit_expr(self, expr);
        }
    }
    let mut heavy = Heavy(false);
    heavy.visit_expr(expr);
    !heavy.0
}

impl<'e> Slices<'e> {
    /// What a loop runs over, if that is slices, element by element.
    fn of(pattern: &'e Pat, sequence: &'e Expr, kinds: &Kinds) -> Option<Self> {
        let mut leaves = Vec::new();
        collect(pattern, sequence, kinds, &mut leaves)?;
        Some(Slices { leaves })
    }

    /// The same, where nothing is written.
    fn only_read(mut self) -> Self {
        self.leaves.iter_mut().for_each(|(_, _, mutable)| *mutable = false);
        self
    }

    /// The same slices in whole chunks, or what is left of them, and the pattern.
    fn zipped(&self, chunks: bool, width: usize) -> (Pat, Expr) {
        let mut both: Option<(Pat, Expr)> = None;
        for (i, (pattern, container, mutable)) in self.leaves.iter().enumerate() {
            let method = if *mutable { "chunks_exact_mut" } else { "chunks_exact" };
            let method = Ident::new(method, Span::mixed_site());
            let (own, sequence): (Pat, Expr) = if chunks {
                let chunk = format_ident!("chunk_{i}", span = Span::mixed_site());
                (parse_quote!(#chunk), parse_quote!(#container.#method(#width)))
            } else if *mutable {
                let rest = parse_quote!(#container.#method(#width).into_remainder().iter_mut());
                ((*pattern).clone(), rest)
            } else {
                let rest = parse_quote!(#container.#method(#width).remainder().iter());
                ((*pattern).clone(), rest)
            };
            both = Some(match both {
                None => (own, sequence),
                Some((pattern, before)) => {
                    (parse_quote!((#pattern, #own)), parse_quote!(#before.zip(#sequence)))
                }
            });
        }
        both.expect("a loop runs over something")
    }
}

fn collect<'e>(
    pattern: &'e Pat,
    sequence: &'e Expr,
    kinds: &Kinds,
    leaves: &mut Vec<(&'e Pat, &'e Expr, bool)>,
) -> Option<()> {
    let mut leaf = |container: &'e Expr, mutable| {
        let slice = matches!(kinds.of_expr(container), kinds::Kind::Sequence(_));
        let whole = matches!(pattern, Pat::Ident(_));
        let place = access(container).is_some();
        (slice && whole && place).then(|| leaves.push((pattern, container, mutable)))
    };
    match (sequence, pattern) {
        (Expr::Paren(e), _) => collect(pattern, &e.expr, kinds, leaves),
        (Expr::MethodCall(call), Pat::Tuple(pair))
            if call.method == "zip" && call.args.len() == 1 && pair.elems.len() == 2 =>
        {
            collect(&pair.elems[0], &call.receiver, kinds, leaves)?;
            collect(&pair.elems[1], &call.args[0], kinds, leaves)
        }
        (Expr::MethodCall(call), _) if call.method == "iter" => leaf(&call.receiver, false),
        (Expr::MethodCall(call), _) if call.method == "iter_mut" => leaf(&call.receiver, true),
        (Expr::MethodCall(_), _) => None,
        (Expr::Reference(e), _) => leaf(&e.expr, e.mutability.is_some()),
        // A name that is a shared slice; what is lent to be written is lent by name.
        (other, _) => leaf(other, false),
    }
}
