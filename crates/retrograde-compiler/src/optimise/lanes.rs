//! Sums in several lanes.
//!
//! `for x in xs { s += e(x); }` adds one term after the other, and floats do not
//! allow a compiler to do it in another order: it waits for every sum, and uses
//! one lane of a register that has four or eight. Here the slices are taken in
//! chunks, each term of a chunk is added to a sum of its own, and these are added
//! at the end. The result differs in the last bits from that of the loop as it is
//! written, and is more accurate as a rule. Every direction does the same, so what
//! one adds, the other takes back.
//!
//! Where syntax does not tell whether a loop runs over slices, the library asks
//! the types, see `retrograde::__private::Steps`.

use crate::differentiate::is_library;
use crate::effects::{self, Effects};
use crate::ir::{Ancilla, Arm, Binding, Block, Kind, Operator, Statement};
use crate::kinds::{self, Kinds};
use crate::names::{Mode, Names, pattern_names};
use crate::place::{Access, Overlap, access, bare_name, identifiers, reads_of_place};
use crate::text::is_one_of;
use crate::visit::Visit;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};
use std::collections::HashSet;
use syn::{Expr, Pat, Token, parse_quote};

/// How many terms are added at once, and how many a sum must have for it to pay:
/// of a loop that only sums up, and of one that does more in each pass or takes
/// its terms from here and there.
const ALONE: (usize, usize) = (8, 32);
const AMONG_OTHERS: (usize, usize) = (4, 8);
/// Of a loop that does much in each pass: more terms than rustc would write out one after
/// the other, so that it sees a loop whose passes are alike.
const LONG: (usize, usize) = (32, 64);

/// Widens the sums of a block.
pub fn widen(block: &mut Block, kinds: &Kinds, names: &Names) {
    let mut pass = Widening { names, kinds: kinds.clone() };
    pass.block(block);
}

struct Widening<'a> {
    names: &'a Names,
    kinds: Kinds,
}

/// What a loop runs over.
struct Leaf<'e> {
    /// Its variable.
    pattern: &'e Pat,
    iterator: Expr,
    /// `mut`, if it lends the elements to be written.
    mutability: Option<Token![mut]>,
    /// The name for its chunks and what is left of it, and that of a chunk.
    split: Ident,
    chunk: Ident,
    /// Whether a chunk is read before anything is written: nobody but us knows that what
    /// a pass writes is not what the next one reads.
    held: bool,
}

impl Widening<'_> {
    fn block(&mut self, block: &mut Block) {
        for statement in block {
            super::declare(&mut self.kinds, statement);
            statement.blocks_mut().into_iter().for_each(|inner| self.block(inner));
            if let Some(wide) = self.wide(statement) {
                statement.kind = Kind::Block(wide);
                statement.generated = true;
            }
        }
    }

    /// The loop with its sums in lanes, where that pays.
    fn wide(&self, statement: &Statement) -> Option<Block> {
        let Kind::For { pattern, sequence, reversed, verify: false, body } = &statement.kind else {
            return None;
        };
        let mut leaves = Vec::new();
        self.leaves(pattern, sequence, &mut leaves)?;
        let sums = self.sums(pattern, body)?;
        let alone = body.iter().enumerate().all(|(i, statement)| {
            sums.contains(&i) || !matches!(statement.kind, Kind::Update { .. })
        });
        if !alone {
            for leaf in &mut leaves {
                if self.is_only_read(leaf.pattern, body) {
                    (leaf.held, leaf.mutability) = (true, None);
                }
            }
        }
        let compact = alone && !is_scattered(pattern, body);
        let (width, long) = match (compact, is_long(body)) {
            (true, _) => ALONE,
            (false, true) => LONG,
            (false, false) => AMONG_OTHERS,
        };
        // What is not a sum keeps its order, if it has one.
        let backwards = *reversed && !alone && !self.passes_are_independent(pattern, body, &sums);
        let sums = sums.into_iter().map(|i| (i, own_name("sums", i))).collect();
        let wide = Wide { at: statement, body, leaves, sums, width, backwards };
        let mut block = wide.splits();
        let pays = wide.pays(long)?;
        let arms = vec![Arm { pre: pays.clone(), post: pays, verify: false, body: wide.block()? }];
        block.push(wide.own(Kind::If { arms, otherwise: Some(vec![statement.clone()]) }));
        Some(block)
    }

    /// What a loop runs over, if that may be slices, element by element.
    fn leaves<'e>(
        &self,
        pattern: &'e Pat,
        sequence: &'e Expr,
        leaves: &mut Vec<Leaf<'e>>,
    ) -> Option<()> {
        let (container, iterator, mutable): (&Expr, Expr, bool) = match (sequence, pattern) {
            (Expr::Paren(e), _) => return self.leaves(pattern, &e.expr, leaves),
            (Expr::MethodCall(call), Pat::Tuple(pair))
                if call.method == "zip" && call.args.len() == 1 && pair.elems.len() == 2 =>
            {
                self.leaves(&pair.elems[0], &call.receiver, leaves)?;
                return self.leaves(&pair.elems[1], &call.args[0], leaves);
            }
            (Expr::MethodCall(call), _) if call.method == "into_iter" => {
                return self.leaves(pattern, &call.receiver, leaves);
            }
            (Expr::MethodCall(call), _) if is_one_of(&call.method, &["iter", "iter_mut"]) => {
                (&call.receiver, sequence.clone(), call.method == "iter_mut")
            }
            (Expr::Reference(e), _) => {
                let iterator = parse_quote!(::core::iter::IntoIterator::into_iter(#sequence));
                (&e.expr, iterator, e.mutability.is_some())
            }
            // A name that is a slice: of anything else it would give away what it has.
            (name, _) => {
                let slice = matches!(self.kinds.of_expr(name), kinds::Kind::Sequence(_));
                match self.names.mode(bare_name(name)?) {
                    Mode::Shared if slice => (name, parse_quote!(#name.iter()), false),
                    Mode::Mutable if slice => (name, parse_quote!(#name.iter_mut()), true),
                    _ => return None,
                }
            }
        };
        access(container)?;
        let mutability = mutable.then(Default::default);
        let i = leaves.len();
        let (split, chunk) = (own_name("split", i), own_name("chunk", i));
        leaves.push(Leaf { pattern, iterator, mutability, split, chunk, held: false });
        Some(())
    }

    /// Whether the variable of a loop is a number that the loop looks at, and does not write.
    fn is_only_read(&self, pattern: &Pat, body: &Block) -> bool {
        let Pat::Ident(name) = pattern else { return false };
        let name = &name.ident;
        let effects = effects::of_block(body, self.names);
        self.kinds.of_expr(&parse_quote!(*#name)).is_number()
            && body.iter().any(|statement| statement.mentions(name))
            && effects.writes.iter().all(|write| write.access.root != *name)
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
            let scalar = self.kinds.of_expr(place).is_number();
            let sums = !matches!(operator, Operator::Xor | Operator::Multiply | Operator::Divide);
            let outside = !local.contains(&own.root)
                && reads_of_place(place).iter().all(|read| !local.contains(&read.root))
                && !self.names.roots(&own.root).iter().any(|root| local.contains(root));
            let alone = effects.iter().enumerate().all(|(k, effects)| {
                let written = effects.writes.iter().filter(|_| k != i).map(|write| &write.access);
                // While the loop runs, a name from outside stands for the same slice.
                let apart = |other: &Access| {
                    self.names.overlap(&own, other) == Overlap::Never
                        || own.root == other.root
                            && self.names.overlap_by_name(&own, other) == Overlap::Never
                };
                effects.reads.iter().chain(written).all(apart)
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

/// A loop whose sums are made in lanes.
struct Wide<'e> {
    at: &'e Statement,
    body: &'e Block,
    leaves: Vec<Leaf<'e>>,
    /// The statements that only sum up, and the names of their lanes.
    sums: Vec<(usize, Ident)>,
    width: usize,
    backwards: bool,
}

impl Wide<'_> {
    fn own(&self, kind: Kind) -> Statement {
        Statement { generated: true, ..self.at.with(kind) }
    }

    fn bind(&self, pattern: Pat, value: Expr) -> Statement {
        self.own(Kind::Bind(Binding { pattern, value, verify: false }))
    }

    /// A loop over what has equal lengths.
    fn repeat(&self, pattern: Pat, sequence: Expr, body: Block) -> Statement {
        let reversed = self.backwards;
        let kind = Kind::For { pattern, sequence, reversed, verify: false, body };
        Statement { checked: false, ..self.own(kind) }
    }

    /// Takes everything that the loop runs over in chunks.
    fn splits(&self) -> Block {
        let split = |leaf: &Leaf| {
            let (Leaf { iterator, split, .. }, width) = (leaf, self.width);
            let value = parse_quote!({
                #[allow(unused_imports)]
                use ::retrograde::__private::OtherSteps as _;
                ::retrograde::__private::Steps(#iterator).__split::<#width>()
            });
            self.bind(parse_quote!(#split), value)
        };
        self.leaves.iter().map(split).collect()
    }

    /// Short sums are not worth it, and of unequal lengths the loop as it is written
    /// has to tell.
    fn pays(&self, long: usize) -> Option<Expr> {
        let (Leaf { split: first, .. }, others) = self.leaves.split_first()?;
        let mut pays: Expr = parse_quote!(#first.length >= #long);
        for Leaf { split: other, .. } in others {
            pays = parse_quote!(#pays && #other.length == #first.length);
        }
        Some(pays)
    }

    fn block(&self) -> Option<Block> {
        let mut block = Block::new();
        for (_, place, lanes) in self.places() {
            let width = self.width;
            let zeros = parse_quote!(::retrograde::__private::lanes::<_, #width>(&#place));
            block.push(self.own(Kind::Allocate(Ancilla::new(lanes.clone(), None, zeros, false))));
        }
        let (whole, rest) = (self.whole()?, self.rest()?);
        block.extend(if self.backwards { [rest, whole] } else { [whole, rest] });
        for (sum, place, lanes) in self.places() {
            let value = match sum.generated {
                true => parse_quote!(::retrograde::__private::total_shadow(#lanes)),
                false => parse_quote!(::retrograde::__private::total(#lanes)),
            };
            let (place, operator) = (place.clone(), Operator::Add);
            block.push(sum.with(Kind::Update { place, operator, value }));
        }
        Some(block)
    }

    /// The statements that sum up, where to, and in which lanes.
    fn places(&self) -> impl Iterator<Item = (&Statement, &Expr, &Ident)> {
        self.sums.iter().filter_map(|(i, lanes)| match &self.body[*i].kind {
            Kind::Update { place, .. } => Some((&self.body[*i], place, lanes)),
            _ => None,
        })
    }

    /// One pass, with its terms in a lane.
    fn pass(&self, lane: Expr) -> Block {
        let mut body = self.body.clone();
        for (i, lanes) in &self.sums {
            if let Kind::Update { place, .. } = &mut body[*i].kind {
                *place = parse_quote!(#lanes[#lane]);
                body[*i].checked = false;
            }
        }
        body
    }

    /// The loop over whole chunks.
    fn whole(&self) -> Option<Statement> {
        let lane = format_ident!("lane", span = Span::mixed_site());
        let mut body = Block::new();
        for Leaf { pattern, mutability, chunk, .. } in &self.leaves {
            let value = parse_quote!(::retrograde::__private::element(&#mutability #chunk, #lane));
            body.push(self.bind((*pattern).clone(), value));
        }
        body.extend(self.pass(parse_quote!(#lane)));
        let width = self.width;
        let each = self.repeat(parse_quote!(#lane), parse_quote!(0..#width), body);
        let chunks = self.leaves.iter().map(|Leaf { mutability, split, chunk, .. }| {
            (parse_quote!(#mutability #chunk), parse_quote!(#split.chunks))
        });
        let (pattern, sequence) = zipped(chunks)?;
        let held = self.leaves.iter().filter(|leaf| leaf.held).map(|Leaf { chunk, .. }| {
            self.bind(parse_quote!(#chunk), parse_quote!(::retrograde::__private::held(#chunk)))
        });
        Some(self.repeat(pattern, sequence, held.chain([each]).collect()))
    }

    /// The loop over what is left.
    fn rest(&self) -> Option<Statement> {
        let rests = self
            .leaves
            .iter()
            .map(|Leaf { pattern, split, .. }| ((*pattern).clone(), parse_quote!(#split.rest)));
        let (pattern, sequence) = zipped(rests)?;
        Some(self.repeat(pattern, sequence, self.pass(parse_quote!(0))))
    }
}

/// Sequences side by side, and the pattern of what they give.
fn zipped(sides: impl Iterator<Item = (Pat, Expr)>) -> Option<(Pat, Expr)> {
    sides.reduce(|(p, a), (q, b)| (parse_quote!((#p, #q)), parse_quote!(#a.zip(#b))))
}

fn own_name(word: &str, number: usize) -> Ident {
    format_ident!("{word}_{number}", span = Span::mixed_site())
}

/// Methods without branches, all of whose steps a wide register can do.
const LIGHT: [&str; 8] =
    ["abs", "clone", "fast_exp", "fast_tanh", "mul_add", "scaled", "__value", "__ref"];

/// Those of them that have many steps.
const MANY_STEPS: [&str; 2] = ["fast_exp", "fast_tanh"];

/// Whether a pass has many steps.
fn is_long(body: &Block) -> bool {
    struct Long(bool);
    impl Visit<'_> for Long {
        fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
            self.0 |= is_one_of(&call.method, &MANY_STEPS);
            crate::visit::visit_expr_method_call(self, call);
        }
    }
    let mut long = Long(false);
    for statement in body {
        if let Kind::Update { value, .. }
        | Kind::Bind(Binding { value, .. })
        | Kind::Allocate(Ancilla { value, .. }) = &statement.kind
        {
            long.visit_expr(value);
        }
    }
    long.0
}

/// Whether an expression is arithmetic that a wide register can do.
fn is_light(expr: &Expr) -> bool {
    struct Heavy(bool);
    impl Visit<'_> for Heavy {
        fn visit_expr(&mut self, expr: &Expr) {
            match expr {
                _ if is_light_rule(expr) => {}
                Expr::MethodCall(call) => {
                    let name = call.method.to_string();
                    self.0 |= !LIGHT.contains(&name.as_str());
                }
                Expr::Call(_) | Expr::If(_) | Expr::Block(_) | Expr::Macro(_) => self.0 = true,
                Expr::Binary(e) => {
                    use syn::BinOp::*;
                    self.0 |= !matches!(e.op, Add(_) | Sub(_) | Mul(_) | Div(_));
                }
                _ => {}
            }
            crate::visit::visit_expr(self, expr);
        }
    }
    let mut heavy = Heavy(false);
    heavy.visit_expr(expr);
    !heavy.0
}

/// Whether an expression is a rule for the arithmetic of numbers, or for a function that
/// is light itself.
fn is_light_rule(expr: &Expr) -> bool {
    const RULES: [&str; 4] = ["PullAdd", "PullDiv", "PullMul", "PullSub"];
    let Expr::Call(call) = expr else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    let segments = &path.path.segments;
    is_library(expr)
        && (segments.iter().any(|s| is_one_of(&s.ident, &RULES))
            || segments.last().is_some_and(|s| is_one_of(&s.ident, &MANY_STEPS)))
}

/// Whether a loop looks up elements by what its variables are.
fn is_scattered(pattern: &Pat, body: &Block) -> bool {
    struct Scattered<'a>(&'a [Ident], bool);
    impl Visit<'_> for Scattered<'_> {
        fn visit_expr_index(&mut self, e: &syn::ExprIndex) {
            let read = identifiers(&e.index.to_token_stream());
            self.1 |= read.iter().any(|name| self.0.contains(name));
            crate::visit::visit_expr_index(self, e);
        }
    }
    let names = pattern_names(pattern);
    let mut scattered = Scattered(&names, false);
    for statement in body {
        if let Kind::Update { value, .. }
        | Kind::Bind(Binding { value, .. })
        | Kind::Allocate(Ancilla { value, .. }) = &statement.kind
        {
            scattered.visit_expr(value);
        }
    }
    scattered.1
}
