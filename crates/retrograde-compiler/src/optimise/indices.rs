//! Which elements a loop over indices uses. In `for i in a..b`, `x[i + 1]` is one
//! element further in every pass, and so is `x[k]` after `let k = row * n + i;`.

use crate::differentiate::is_library;
use crate::effects;
pub(super) use crate::hoist::are_fields_apart as are_apart;
use crate::ir::{Ancilla, Binding, Block, Kind, Statement};
use crate::names::Names;
use crate::place::{Access, Overlap, access, bare_name, identifiers, is_shape};
use crate::visit::{self, Visit, VisitMut};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::{BTreeMap, HashMap, HashSet};
use syn::{BinOp, Expr, Lit, Pat, RangeLimits, UnOp, parse_quote};

/// A loop with fewer passes than this, all of them in sight, is left to the compiler.
pub(super) const FEW: u64 = 9;

/// `for i in a..b { … }`
pub(super) struct IndexLoop<'a> {
    /// `i`
    pub variable: &'a Ident,
    /// `a`
    pub start: &'a Expr,
    /// `b`
    pub end: &'a Expr,
    /// Whether from the last to the first.
    pub reversed: bool,
    /// One pass.
    pub body: &'a Block,
}

impl<'a> IndexLoop<'a> {
    /// The loop that a statement is, if its bounds need no check afterwards.
    pub fn of(statement: &'a Statement) -> Option<Self> {
        let Kind::For { pattern, sequence, reversed, verify: false, body } = &statement.kind else {
            return None;
        };
        let Pat::Ident(name) = pattern else { return None };
        if name.by_ref.is_some() || name.mutability.is_some() || name.subpat.is_some() {
            return None;
        }
        let (mut sequence, mut reversed) = (sequence, *reversed);
        loop {
            match sequence {
                Expr::Paren(e) => sequence = &e.expr,
                Expr::MethodCall(call) if call.method == "rev" => {
                    (sequence, reversed) = (&call.receiver, !reversed);
                }
                Expr::Range(range) if matches!(range.limits, RangeLimits::HalfOpen(_)) => {
                    let (start, end) = (range.start.as_deref()?, range.end.as_deref()?);
                    return Some(IndexLoop { variable: &name.ident, start, end, reversed, body });
                }
                _ => return None,
            }
        }
    }

    /// How many passes there are, where literals tell.
    pub fn passes(&self) -> Option<u64> {
        Some(literal(self.end)?.saturating_sub(literal(self.start)?))
    }
}

/// The value of an integer literal.
pub(super) fn literal(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Paren(e) => literal(&e.expr),
        Expr::Lit(e) => match &e.lit {
            Lit::Int(value) => value.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// What is added to the loop's variable in an index: terms that have the same
/// value in all passes, each with a factor. The literals are the term without a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Offset(BTreeMap<String, i128>);

impl Offset {
    /// Whether the index is the loop's variable.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// How much further it is than another one, if that is known.
    pub fn beyond(&self, other: &Offset) -> Option<i128> {
        let difference = self.clone().plus(other.clone(), -1);
        match difference.0.len() {
            0 => Some(0),
            1 => difference.0.get("").copied(),
            _ => None,
        }
    }

    fn term(name: String, factor: i128) -> Self {
        Offset(BTreeMap::from([(name, factor)]))
    }

    fn plus(mut self, other: Offset, sign: i128) -> Self {
        for (name, factor) in other.0 {
            *self.0.entry(name).or_default() += sign * factor;
        }
        self.0.retain(|_, factor| *factor != 0);
        self
    }
}

/// An element of a container, one further in every pass.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// The container.
    pub container: Expr,
    /// The same as a place.
    pub place: Access,
    /// The index as written.
    pub index: Expr,
    /// What it adds to the loop's variable.
    pub offset: Offset,
    /// Whether the element may be written.
    pub written: bool,
    /// Whether every pass uses it.
    pub certain: bool,
}

impl Use {
    /// Whether two are of one container.
    pub fn shares_container(&self, other: &Use) -> bool {
        self.place.root == other.place.root && self.place.path == other.place.path
    }

    /// Whether two are the same element.
    pub fn is(&self, other: &Use) -> bool {
        self.shares_container(other) && self.offset == other.offset
    }
}

/// What the passes of a loop use.
pub(super) struct Usage<'a> {
    pub(super) names: &'a Names,
    variable: &'a Ident,
    /// The `let`s of a pass, which an index may be made of.
    bindings: HashMap<Ident, Expr>,
    /// All other names of a pass.
    own: HashSet<Ident>,
    /// What the passes write.
    writes: Vec<Access>,
    /// Elements, one further in every pass.
    pub uses: Vec<Use>,
    /// All other places, and whether they may be written.
    pub others: Vec<(Access, bool)>,
    /// Whether what is looked at may be written, while uses are collected.
    pub(super) written: bool,
    /// Whether every pass gets there.
    pub(super) certain: bool,
}

impl<'a> Usage<'a> {
    /// What a loop uses.
    pub fn of(looped: &IndexLoop<'a>, names: &'a Names) -> Self {
        let declared = Declared::of(looped.body);
        let writes = effects::of_block(looped.body, names).writes;
        let mut usage = Usage {
            names,
            variable: looped.variable,
            bindings: declared.bindings,
            own: declared.others,
            writes: writes.into_iter().map(|write| write.access).collect(),
            uses: Vec::new(),
            others: Vec::new(),
            written: false,
            certain: true,
        };
        usage.collect(looped.body);
        usage
    }

    /// The element that an expression is, if it is one further in every pass.
    pub fn find(&self, expr: &Expr) -> Option<Use> {
        let Expr::Index(e) = expr else { return None };
        if !self.is_fixed(&e.expr) {
            return None;
        }
        let (1, offset) = self.sum(&e.index)? else { return None };
        Some(Use {
            container: (*e.expr).clone(),
            place: access(&e.expr)?,
            index: (*e.index).clone(),
            offset,
            written: self.written,
            certain: self.certain,
        })
    }

    /// An index in the pass in which the loop's variable has a value.
    pub fn at(&self, value: &Expr, index: &Expr) -> Expr {
        let mut index = index.clone();
        Substitute { usage: self, value }.visit_expr_mut(&mut index);
        index
    }

    /// How often the loop's variable is in an index, and what is added to it.
    fn sum(&self, expr: &Expr) -> Option<(i128, Offset)> {
        match expr {
            Expr::Paren(e) => return self.sum(&e.expr),
            Expr::Group(e) => return self.sum(&e.expr),
            Expr::Lit(_) => {
                let value = i128::from(literal(expr)?);
                return Some((0, Offset::term(String::new(), value).plus(Offset::default(), 1)));
            }
            Expr::Path(_) => match bare_name(expr) {
                Some(name) if name == self.variable => return Some((1, Offset::default())),
                Some(name) => {
                    if let Some(value) = self.bindings.get(name) {
                        return self.sum(value);
                    }
                }
                None => {}
            },
            Expr::Binary(e) if matches!(e.op, BinOp::Add(_) | BinOp::Sub(_)) => {
                let sign = if matches!(e.op, BinOp::Add(_)) { 1 } else { -1 };
                let (left, right) = (self.sum(&e.left)?, self.sum(&e.right)?);
                return Some((left.0 + sign * right.0, left.1.plus(right.1, sign)));
            }
            _ => {}
        }
        let term = || self.at(expr, expr).to_token_stream().to_string();
        self.is_constant(expr).then(|| (0, Offset::term(term(), 1)))
    }

    /// Whether an expression has the same value in all passes.
    pub fn is_constant(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) => true,
            Expr::Paren(e) => self.is_constant(&e.expr),
            Expr::Group(e) => self.is_constant(&e.expr),
            Expr::Cast(e) => self.is_constant(&e.expr),
            Expr::Binary(e) => self.is_constant(&e.left) && self.is_constant(&e.right),
            Expr::Range(e) => {
                let mut ends = [&e.start, &e.end].into_iter().flatten();
                ends.all(|end| self.is_constant(end))
            }
            // A constant of a module.
            Expr::Path(path) if path.path.get_ident().is_none() => true,
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) => {
                if let Some(value) = bare_name(expr).and_then(|name| self.bindings.get(name)) {
                    return self.is_constant(value);
                }
                self.is_fixed(expr) && self.is_unwritten(expr)
            }
            Expr::MethodCall(e) if is_shape(&e.method.to_string()) && e.args.is_empty() => {
                self.is_fixed(&e.receiver) && self.is_unwritten(expr)
            }
            _ => false,
        }
    }

    /// Whether an expression is the same place in all passes.
    fn is_fixed(&self, place: &Expr) -> bool {
        match place {
            Expr::Paren(e) => self.is_fixed(&e.expr),
            Expr::Group(e) => self.is_fixed(&e.expr),
            Expr::Unary(e) => matches!(e.op, UnOp::Deref(_)) && self.is_fixed(&e.expr),
            Expr::Field(e) => self.is_fixed(&e.base),
            Expr::Index(e) => self.is_fixed(&e.expr) && self.is_constant(&e.index),
            Expr::Path(_) => bare_name(place).is_some_and(|name| {
                let own = self.own.contains(name) || self.bindings.contains_key(name);
                !own && name != self.variable
            }),
            _ => false,
        }
    }

    fn is_unwritten(&self, expr: &Expr) -> bool {
        let meets = |read: &Access, write| self.names.overlap(read, write) != Overlap::Never;
        access(expr).is_some_and(|read| self.writes.iter().all(|write| !meets(&read, write)))
    }
}

/// Puts a value for the loop's variable, and what they stand for in the place of
/// the names of `let`s.
struct Substitute<'s> {
    usage: &'s Usage<'s>,
    value: &'s Expr,
}

impl VisitMut for Substitute<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let Some(name) = bare_name(expr) else { return visit::visit_expr_mut(self, expr) };
        if name == self.usage.variable {
            *expr = self.value.clone();
        } else if let Some(value) = self.usage.bindings.get(name) {
            let value = self.usage.at(self.value, value);
            *expr = parse_quote!((#value));
        }
    }
}

/// The names that are declared in a pass.
#[derive(Default)]
pub(super) struct Declared {
    /// Those of `let`s, and what they stand for.
    pub bindings: HashMap<Ident, Expr>,
    /// All others.
    pub others: HashSet<Ident>,
    /// How large what each of them stands for is, names of other `let`s followed; and of
    /// the names that were used before they were declared.
    sizes: HashMap<Ident, usize>,
}

/// What a name stands for is not followed where it is larger than this.
const LARGE: usize = 100;

impl Declared {
    /// The names that are declared in a block.
    pub fn of(block: &Block) -> Self {
        let mut declared = Declared::default();
        declared.block(block);
        declared
    }

    /// Whether a name can be followed to its value: not if that would never end, as with
    /// `let k = k + 1;`, or grow too large.
    fn follow(&mut self, name: &Ident, value: &Expr) -> bool {
        let mut size = 0;
        for used in identifiers(&value.to_token_stream()) {
            size += *self.sizes.entry(used).or_insert(1);
        }
        self.sizes.insert(name.clone(), size).is_none() && size <= LARGE
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            match &statement.kind {
                Kind::Bind(binding) => {
                    self.visit_expr(&binding.value);
                    let pattern = match &binding.pattern {
                        Pat::Type(typed) => &*typed.pat,
                        other => other,
                    };
                    match pattern {
                        Pat::Ident(name) if name.subpat.is_none() => {
                            // Two of one name, in blocks side by side.
                            let again = self.bindings.get(&name.ident) == Some(&binding.value);
                            if !again && !self.follow(&name.ident, &binding.value) {
                                self.others.insert(name.ident.clone());
                            }
                            let known = self.bindings.entry(name.ident.clone());
                            known.or_insert_with(|| binding.value.clone());
                        }
                        other => self.visit_pat(other),
                    }
                }
                Kind::Allocate(ancilla) => {
                    self.visit_expr(&ancilla.value);
                    self.others.insert(ancilla.name.clone());
                }
                Kind::Update { value, .. } => self.visit_expr(value),
                Kind::If { arms, otherwise } => {
                    for arm in arms {
                        self.visit_expr(&arm.pre);
                        self.visit_expr(&arm.post);
                        self.block(&arm.body);
                    }
                    otherwise.iter().for_each(|block| self.block(block));
                }
                Kind::For { pattern, sequence, body, .. } => {
                    self.visit_pat(pattern);
                    self.visit_expr(sequence);
                    self.block(body);
                }
                Kind::While { pre, post, body, .. } => {
                    self.visit_expr(pre);
                    self.visit_expr(post);
                    self.block(body);
                }
                Kind::Block(body) => self.block(body),
                Kind::Call(call) => call.arguments.iter().for_each(|a| self.visit_expr(a)),
                // It may do anything.
                Kind::Host(host) => self.others.extend(identifiers(&host.0)),
                Kind::Unbind(_) | Kind::Release(_) | Kind::Compute { .. } => {}
            }
        }
        self.bindings.retain(|name, _| !self.others.contains(name));
    }
}

impl Visit<'_> for Declared {
    fn visit_pat_ident(&mut self, name: &syn::PatIdent) {
        self.others.insert(name.ident.clone());
        visit::visit_pat_ident(self, name);
    }
}

/// Whether a pass calls no function, so that checks of indices are a part of its work.
pub(super) fn is_light(block: &Block) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_expr_call(&mut self, call: &syn::ExprCall) {
            self.0 |= !is_library(&Expr::Call(call.clone()));
            visit::visit_expr_call(self, call);
        }
        fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
            const LIGHT: [&str; 9] =
                ["__ref", "__value", "abs", "clone", "max", "min", "mul_add", "powi", "sqrt"];
            let name = call.method.to_string();
            self.0 |= !LIGHT.contains(&name.as_str()) && !is_shape(&name);
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut search = Search(false);
    for statement in block {
        match &statement.kind {
            Kind::Update { value, .. } => search.visit_expr(value),
            Kind::Bind(Binding { value, .. }) | Kind::Allocate(Ancilla { value, .. }) => {
                search.visit_expr(value);
            }
            Kind::Unbind(_) | Kind::Release(_) => {}
            Kind::If { arms, otherwise } => {
                let blocks = arms.iter().map(|arm| &arm.body).chain(otherwise);
                search.0 |= !blocks.into_iter().all(is_light);
            }
            Kind::For { body, .. } | Kind::Block(body) => search.0 |= !is_light(body),
            _ => return false,
        }
    }
    !search.0
}

/// Whether a loop is in a block, other than one with few passes.
pub(super) fn contains_loop(block: &Block) -> bool {
    block.iter().any(|statement| match &statement.kind {
        Kind::For { body, .. } => {
            let passes = IndexLoop::of(statement).and_then(|looped| looped.passes());
            passes.is_none_or(|passes| passes >= FEW) || contains_loop(body)
        }
        Kind::While { .. } => true,
        Kind::If { arms, otherwise } => {
            arms.iter().any(|arm| contains_loop(&arm.body))
                || otherwise.as_ref().is_some_and(contains_loop)
        }
        Kind::Block(body) => contains_loop(body),
        _ => false,
    })
}
