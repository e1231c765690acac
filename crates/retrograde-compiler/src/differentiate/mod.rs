//! Differentiation: from a direction of a function to the program that does the
//! same to the values and carries the gradient along.
//!
//! The inverse of a function runs through its computation backwards, which is
//! the order in which gradients are propagated. So the adjoint is the inverse,
//! with what each statement does to the gradient put beside it: where the
//! function added `e` to `y`, the adjoint subtracts it again, and adds to the
//! gradient of everything that `e` read what it owes to the gradient of `y`.
//! Nothing is recorded: every value is back in its place when it is needed.

pub(crate) mod build;
mod call;
mod claim;
mod expression;
mod function;
mod keep;
mod naming;
mod rename;
mod sequence;
mod shadow;
mod view;

pub use build::is_library;
pub use claim::claim;
pub use keep::{FORWARD, Kept, keep, take_apart, tuple};
pub use rename::distinct_names;

use crate::diagnostics::Diagnostics;
use crate::effects;
use crate::ir::Statement;
use crate::ir::{Ancilla, Arm, Binding, Block, Call, Callee, Direction, Kind as Do, Operator};
use crate::kinds::{Kind, Kinds};
use crate::names::{Names, pattern_names};
use crate::optimise::Passes;
use crate::place::{Access, Overlap, Step, reads};
use crate::table::NameSet;
use expression::{Gradient, Pulled, referred, silent};
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};
use syn::{Expr, Pat};

/// What a function's arguments are to its derivative.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// Every argument with the expression that is its shadow, if it has one.
    pub shadows: Vec<(Ident, Option<Expr>)>,
    /// The kinds of the arguments.
    pub kinds: Kinds,
    /// Names that are taken: those of the body, and those of the shadows.
    pub used: HashSet<String>,
    /// Names that are declared constant in the body.
    pub constants: HashSet<Ident>,
    /// The arguments that are functions, and which of their arguments have shadows.
    pub functions: HashMap<Ident, Vec<bool>>,
    /// What is optimised.
    pub passes: Passes,
    /// Whether what functions and branches computed is kept for the way back.
    pub keeping: bool,
    /// Whether it is a pure function, which may call itself.
    pub pure: bool,
}

/// The program that does to the values what `block` does, and carries the
/// gradient along: the adjoint, for the block of the inverse. Tells the names of the
/// gradients whose fields it uses.
pub fn differentiate(
    block: &Block,
    names: &Names,
    arguments: Arguments,
    diagnostics: &mut Diagnostics,
) -> (Block, NameSet) {
    build::stand_at(Span::call_site());
    let Arguments { shadows, kinds, used, constants, functions, passes, keeping, pure } = arguments;
    let pointers = shadows
        .iter()
        .filter_map(|(_, shadow)| crate::place::bare_name(shadow.as_ref()?).cloned())
        .collect();
    let shadows = shadows.into_iter().collect();
    let of_numbers = claim::of_numbers(block, &kinds, &shadows, &constants, names);
    let mut differentiator = Differentiator {
        names,
        kinds,
        pointers,
        shadows,
        viewed: HashMap::new(),
        zero: HashSet::new(),
        parts: Vec::new(),
        used,
        constants,
        by_name: HashSet::new(),
        of_numbers,
        functions,
        passes,
        keeping,
        pure,
        branching: false,
        counter: 0,
        choices: HashSet::new(),
        with_fields: NameSet::default(),
        diagnostics,
    };
    let block = differentiator.block(block);
    (block, differentiator.with_fields)
}

/// The negative of a gradient: of a real number, or of any other value.
pub fn negated(gradient: Expr, real: bool) -> Expr {
    if real {
        return build::negative(gradient);
    }
    build::library(&["derivative", "negated"], vec![build::borrowed(gradient)])
}

struct Differentiator<'a> {
    /// The names of the program that is differentiated.
    names: &'a Names,
    kinds: Kinds,
    shadows: claim::Shadows,
    /// Shadows that are references: those of arguments, views and loop variables.
    pointers: HashSet<Ident>,
    /// The variables behind each view.
    viewed: HashMap<Ident, Vec<Ident>>,
    /// Names whose shadow holds zero for sure, so that nothing comes from it.
    zero: HashSet<Ident>,
    /// `let` patterns, and the name of what they take apart.
    parts: Vec<(Pat, Ident)>,
    used: HashSet<String>,
    constants: HashSet<Ident>,
    /// Names of what is taken for an integer by the name of a method alone.
    by_name: HashSet<Ident>,
    /// Names of integers and the like that are made of numbers with a gradient.
    of_numbers: HashSet<Ident>,
    functions: HashMap<Ident, Vec<bool>>,
    passes: Passes,
    keeping: bool,
    pure: bool,
    /// Whether a branch of an expression is being looked at.
    branching: bool,
    counter: usize,
    /// Names that were given to what chooses between literals.
    choices: HashSet<Ident>,
    /// The gradients whose fields are used.
    with_fields: NameSet,
    diagnostics: &'a mut Diagnostics,
}

impl Differentiator<'_> {
    /// Whether a name stands for a literal, or for a choice between such.
    fn is_literal_name(&self, name: &Ident) -> bool {
        self.names.is_literal_name(name) || self.choices.contains(name)
    }

    /// Whether a name that the user wrote is not the function's: that of a constant, if of
    /// anything.
    fn is_foreign(&self, name: &Ident) -> bool {
        !self.names.is_declared(name) && !self.shadows.contains_key(name)
    }

    fn block(&mut self, block: &[Statement]) -> Block {
        let mut out = Block::new();
        for (i, statement) in block.iter().enumerate() {
            self.statement(statement, &block[i + 1..], &mut out);
        }
        out
    }

    fn statement(&mut self, statement: &Statement, rest: &[Statement], out: &mut Block) {
        build::stand_at(statement.span);
        if statement.generated {
            // Decisions that are kept carry no gradient.
            let names = match &statement.kind {
                Do::Bind(binding) => pattern_names(&binding.pattern),
                Do::Allocate(ancilla) => vec![ancilla.name.clone()],
                _ => Vec::new(),
            };
            for name in names {
                // What is rounded is a float, and an ancilla that begins with it carries one.
                if !self.kinds.is_declared(&name) {
                    self.kinds.declare(&name, Kind::Constant);
                }
                self.shadows.insert(name, None);
            }
            out.push(statement.clone());
            return;
        }
        let statement = &self.claimed(statement);
        match &statement.kind {
            Do::Bind(binding) => return self.bind(statement, binding, rest, out),
            Do::Unbind(binding) => return self.unbind(statement, binding, out),
            Do::Allocate(ancilla) => return self.allocate(statement, ancilla, rest, out),
            Do::Release(ancilla) => return self.release(statement, ancilla, out),
            _ => {}
        }
        let effects = effects::of(statement, self.names);
        let zero = effects.writes.iter().all(|write| self.is_zero(&write.access.root));
        let zero = zero && !self.may_lose(statement, &effects);
        if zero && !self.may_change_shapes(std::slice::from_ref(statement)) {
            // No gradient comes from here: only the values change. What is claimed of them holds
            // here too, since the way back may be dropped.
            out.push(self.claimed_inside(statement));
            return;
        }
        let touched: Vec<Ident> = effects
            .reads
            .iter()
            .chain(effects.writes.iter().map(|write| &write.access))
            .flat_map(|access| self.roots(&access.root))
            .collect();
        match &statement.kind {
            Do::Update { place, operator, value } => {
                self.update(statement, place, *operator, value, out);
            }
            Do::If { arms, otherwise } => {
                let kind = self.branch(arms, otherwise.as_ref());
                out.push(statement.with(kind));
            }
            Do::While { pre, post, verify, body } => {
                self.forget(&touched);
                let (pre, post, verify) = (pre.clone(), post.clone(), *verify);
                let body = self.scope(body);
                out.push(statement.with(Do::While { pre, post, verify, body }));
            }
            Do::For { pattern, sequence, reversed, verify, body } => {
                self.forget(&touched);
                let (pattern, sequence, body, beside) =
                    self.repeat(pattern, sequence, body, statement, out);
                let (reversed, verify) = (*reversed, *verify);
                let repeat = Do::For { pattern, sequence, reversed, verify, body };
                // A shadow that is too short would lose a part of the gradient.
                let checked = statement.checked || beside;
                out.push(Statement { checked, ..statement.with(repeat) });
            }
            Do::Call(call) => self.call(statement, call, out),
            Do::Block(body) => {
                let body = self.scope(body);
                out.push(statement.with(Do::Block(body)));
            }
            Do::Host(_) => out.push(statement.clone()),
            Do::Compute { .. } => unreachable!("lowered before differentiation"),
            Do::Bind(_) | Do::Unbind(_) | Do::Allocate(_) | Do::Release(_) => {
                unreachable!("seen to above")
            }
        }
        self.forget(&touched);
    }

    /// Whether a statement may write what carries a gradient where none is followed.
    fn may_lose(&self, statement: &Statement, effects: &effects::Effects) -> bool {
        let constant = effects.writes.iter().any(|write| {
            let root = &write.access.root;
            !self.has_shadow(root) && !self.kinds.name(root).is_constant()
        });
        constant
            && match &statement.kind {
                Do::Update { value, .. } => self.is_active(value),
                Do::Call(call) => call.operands().any(|value| self.is_active(value)),
                _ => true,
            }
    }

    /// Whether a call may change the shape of a value: then its shadow must be
    /// changed with it, even if it holds nothing but zeros.
    fn may_change_shapes(&self, block: &[Statement]) -> bool {
        block.iter().any(|statement| match &statement.kind {
            Do::Call(_) => effects::of(statement, self.names).writes.iter().any(|write| {
                let roots = self.roots(&write.access.root);
                roots.iter().any(|root| self.has_shadow(root) && self.kinds.name(root).is_open())
            }),
            Do::If { arms, otherwise } => {
                arms.iter().any(|arm| self.may_change_shapes(&arm.body))
                    || otherwise.iter().any(|body| self.may_change_shapes(body))
            }
            Do::While { body, .. } | Do::For { body, .. } | Do::Block(body) => {
                self.may_change_shapes(body)
            }
            _ => false,
        })
    }

    /// From here on, nothing is known of these shadows.
    fn forget(&mut self, names: &[Ident]) {
        names.iter().for_each(|name| {
            self.zero.remove(name);
        });
    }

    /// A block whose names end with it.
    fn scope(&mut self, body: &Block) -> Block {
        let (kinds, shadows) = (self.kinds.clone(), self.shadows.clone());
        let body = self.block(body);
        (self.kinds, self.shadows) = (kinds, shadows);
        body
    }

    fn branch(&mut self, arms: &[Arm], otherwise: Option<&Block>) -> Do {
        let before = self.zero.clone();
        let mut branch = |body: &Block| {
            self.zero.clone_from(&before);
            self.scope(body)
        };
        let arms: Vec<Arm> =
            arms.iter().map(|arm| Arm { body: branch(&arm.body), ..arm.clone() }).collect();
        let otherwise = otherwise.map(branch);
        self.zero = before;
        Do::If { arms, otherwise }
    }

    fn update(
        &mut self,
        statement: &Statement,
        place: &Expr,
        operator: Operator,
        value: &Expr,
        out: &mut Block,
    ) {
        let kind = self.kinds.of_expr(place);
        let value_only = kind.is_constant() || !self.is_active(value);
        let Some(gradient) = (if value_only { None } else { self.shadow_of_value(place) }) else {
            let root = crate::place::access(place).map(|place| place.root);
            let followed = value_only || root.is_some_and(|root| self.has_shadow(&root));
            let value = if followed { value.clone() } else { self.lost(place, value) };
            out.push(statement.with(Do::Update { place: place.clone(), operator, value }));
            return;
        };
        // This direction subtracts what the function added.
        let (positive, gradient) = match operator {
            Operator::Subtract => (true, Gradient { expr: gradient, kind }),
            Operator::Add => (false, Gradient { expr: gradient, kind }),
            Operator::Multiply | Operator::Divide => {
                let name = self.numbered("v");
                let factor = build::name(&name);
                let pattern = build::pattern(&name);
                let named = Binding { pattern, value: value.clone(), verify: false };
                out.push(statement.with(Do::Bind(named)));
                let rule = ["derivative", "PullFactor", "pull_multiply"];
                let arguments = vec![referred(gradient), referred(factor.clone())];
                let expr = build::library(&rule, arguments);
                let gradient = Gradient { expr, kind: Kind::Unknown };
                let positive = operator == Operator::Divide;
                let pulled = self.pull(value, gradient, positive, statement);
                let (place, value) = match self.looks_twice(statement, value) {
                    true => (place.clone(), value.clone()),
                    false => (place.clone(), build::method(factor, "__value", Vec::new())),
                };
                out.push(statement.with(Do::Update { place, operator, value }));
                out.extend(pulled.before);
                out.extend(pulled.after);
                return;
            }
            Operator::Xor | Operator::Accumulate | Operator::Retract => {
                out.push(statement.clone());
                return;
            }
        };
        let real = gradient.kind == Kind::Unknown
            && crate::place::access(place).is_some_and(|a| self.kinds.may_be_complex(&a))
            && self.may_be_real(value);
        let pulled = match real {
            true => self.pull_real(value, gradient, positive, statement),
            false => self.pull(value, gradient, positive, statement),
        };
        let share = self.passes.sharing && !self.looks_twice(statement, value);
        let value = if share { pulled.value } else { value.clone() };
        out.extend(pulled.before);
        out.push(statement.with(Do::Update { place: place.clone(), operator, value }));
        out.extend(pulled.after);
    }

    /// Whether what is added to a complex number may be a real one: not if it is made of other
    /// complex numbers by operators alone.
    fn may_be_real(&self, value: &Expr) -> bool {
        struct Methods(bool);
        impl crate::visit::Visit<'_> for Methods {
            fn visit_expr_method_call(&mut self, _call: &syn::ExprMethodCall) {
                self.0 = true;
            }
        }
        let is_real_part = |read: &Access| {
            let part = read.path.iter().any(|step| matches!(step, Step::Field(_)));
            !self.kinds.of_expr(&read.expr).is_constant()
                && (part || !self.kinds.may_be_complex(read))
        };
        let mut methods = Methods(false);
        crate::visit::Visit::visit_expr(&mut methods, value);
        methods.0 || reads(value).iter().any(is_real_part)
    }

    /// A value that is written where no gradient is followed: it must carry none.
    fn lost(&mut self, place: &Expr, value: &Expr) -> Expr {
        if self.kinds.of_expr(value).is_number() {
            let text = crate::text::of(place);
            if let Some(place) =
                crate::place::access(place).filter(|place| self.is_foreign(&place.root))
            {
                let name = &place.root;
                self.diagnostics.error(
                    name,
                    format!("`{name}` is not an argument or a variable of this function"),
                    "what a reversible function writes is an argument, `&mut …`, or declared \
                     inside, `let mut …`",
                );
                return value.clone();
            }
            self.diagnostics.error(
                value,
                format!("this carries a gradient, which would be lost: `{text}` is `#[constant]`"),
                format!(
                    "leave out the `#[constant]`, or say that the gradient ends here: \
                     `#[constant] let held = …; {text} += held;`"
                ),
            );
        }
        build::library(&["__private", "kept_constant"], vec![value.clone()])
    }

    /// Whether a value may turn out, at run time, to read what its statement writes:
    /// then it stays as it is written, for the check to see.
    fn looks_twice(&self, statement: &Statement, value: &Expr) -> bool {
        let writes = effects::of(statement, self.names).writes;
        let met = |read: &Access| {
            let meets = |write: &effects::Write| {
                self.names.overlap_as_written(&write.access, read) != Overlap::Never
            };
            writes.iter().any(meets)
        };
        statement.checked && reads(value).iter().any(met)
    }

    fn allocate(
        &mut self,
        statement: &Statement,
        ancilla: &Ancilla,
        rest: &[Statement],
        out: &mut Block,
    ) {
        out.push(statement.clone());
        let mut kind = match &ancilla.ty {
            Some(ty) => self.kinds.of_type(ty),
            None => self.kinds.of_expr(&ancilla.value),
        };
        if kind.is_open() {
            // It is of the kind that the other direction takes it for.
            let end = rest.iter().find_map(|statement| match &statement.kind {
                Do::Release(end) if end.name == ancilla.name => Some(&end.value),
                _ => None,
            });
            kind = end.map_or(kind, |value| self.kinds.of_expr(value));
        }
        let constant = kind.is_constant() || self.constants.contains(&ancilla.name);
        self.kinds.declare(&ancilla.name, kind);
        self.kinds.declare_value(&ancilla.name, &ancilla.value);
        self.give_shadow(statement, &ancilla.name, constant, out);
    }

    fn release(&mut self, statement: &Statement, ancilla: &Ancilla, out: &mut Block) {
        // Before the release: slopes may be found from what the ancilla holds.
        self.take_shadow(statement, &ancilla.name, &ancilla.value, out);
        out.push(statement.clone());
    }

    /// Declares the shadow of a name that was just declared.
    fn give_shadow(&mut self, at: &Statement, name: &Ident, constant: bool, out: &mut Block) {
        if constant {
            self.shadows.insert(name.clone(), None);
            return;
        }
        let shadow = self.fresh(&format!("d_{name}"));
        self.kinds.declare(&shadow, self.kinds.name(name));
        out.push(allocate_shadow(at, &shadow, &build::name(name)));
        self.shadows.insert(name.clone(), Some(build::name(&shadow)));
        if self.passes.zeros {
            self.zero.insert(name.clone());
        }
    }

    /// At the end of a name that held `value`, the gradient goes back into that.
    fn take_shadow(&mut self, at: &Statement, name: &Ident, value: &Expr, out: &mut Block) {
        let Some(Some(shadow)) = self.shadows.remove(name) else { return };
        let kind = self.kinds.name(name);
        if !self.zero.remove(name) && self.is_active(value) {
            let gradient = Gradient { expr: shadow.clone(), kind };
            if self.passes.sharing {
                self.pull_from(name, value, gradient, at, out);
            } else {
                let Pulled { before, after, .. } = self.pull(value, gradient, true, at);
                out.extend(before);
                out.extend(after);
            }
        }
        if let Some(shadow) = crate::place::bare_name(&shadow) {
            let value = zero_like(&build::name(name));
            let end = Ancilla::new(shadow.clone(), None, value, false);
            out.push(silent(at, Do::Release(end)));
        }
    }

    fn bind(
        &mut self,
        statement: &Statement,
        binding: &Binding,
        rest: &[Statement],
        out: &mut Block,
    ) {
        if let Some(parts) = written_out(binding) {
            // Each name has its own value, as if in a `let` of its own.
            out.push(statement.clone());
            for part in parts {
                let mut declared = Block::new();
                self.bind(statement, &part, rest, &mut declared);
                out.extend(declared.into_iter().filter(|s| s.kind != statement.kind));
            }
            return;
        }
        if self.view(statement, binding, rest, out) {
            return;
        }
        let (pattern, ty) = match &binding.pattern {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            other => (other, None),
        };
        let kind = match ty {
            Some(ty) => self.kinds.of_type(ty),
            None => self.kinds.of_expr(&binding.value),
        };
        let names = pattern_names(pattern);
        let constant = kind.is_constant()
            || !self.is_active(&binding.value)
            || names.iter().any(|name| self.constants.contains(name));
        if let Pat::Ident(name) = pattern
            && name.subpat.is_none()
        {
            if ty.is_none() && claim::is_constant_by_name(&binding.value, &self.kinds) {
                self.by_name.insert(name.ident.clone());
            }
            out.push(statement.clone());
            self.kinds.declare(&name.ident, kind);
            return self.give_shadow(statement, &name.ident, constant, out);
        }
        if constant {
            for name in names {
                self.kinds.declare(&name, Kind::Unknown);
                self.shadows.insert(name, None);
            }
            out.push(statement.clone());
            return;
        }
        // The parts of a place, and their shadows those of its shadow.
        if let Some(place) = crate::place::access(&binding.value)
            && !matches!(binding.value, Expr::Call(_) | Expr::MethodCall(_))
        {
            let Some(shadow) = self.shadow(&binding.value) else { return };
            let roots = self.roots(&place.root);
            for name in names {
                self.viewed.insert(name, roots.clone());
            }
            self.take_apart(pattern, &kind, shadow);
            out.push(statement.clone());
            return;
        }
        // The parts of a value with a name, and their shadows those of its shadow.
        let whole = self.numbered("t");
        let named = Binding { pattern: build::pattern(&whole), ..binding.clone() };
        out.push(silent(statement, Do::Bind(named)));
        self.kinds.declare(&whole, kind.clone());
        self.give_shadow(statement, &whole, false, out);
        let Some(Some(shadow)) = self.shadows.get(&whole).cloned() else { return };
        self.take_apart(pattern, &kind, shadow);
        let value = build::name(&whole);
        out.push(silent(statement, Do::Bind(Binding { value, ..binding.clone() })));
        self.parts.push((binding.pattern.clone(), whole));
    }

    /// Declares the names of a pattern: the shadow of each is a part of `shadow`.
    fn take_apart(&mut self, pattern: &Pat, kind: &Kind, shadow: Expr) {
        match pattern {
            Pat::Ident(name) => {
                self.kinds.declare(&name.ident, kind.clone());
                let constant = kind.is_constant() || self.constants.contains(&name.ident);
                if let Some((_, parts)) = &name.subpat {
                    self.take_apart(parts, kind, shadow.clone());
                }
                self.shadows.insert(name.ident.clone(), (!constant).then_some(shadow));
            }
            Pat::Tuple(tuple) => {
                for (i, part) in leading(&tuple.elems).enumerate() {
                    let kind = match kind {
                        Kind::Tuple(kinds) => kinds.get(i).cloned().unwrap_or(Kind::Unknown),
                        _ => Kind::Unknown,
                    };
                    let part_of_it = self.field(shadow.clone(), build::part(i));
                    self.take_apart(part, &kind, part_of_it);
                }
            }
            Pat::TupleStruct(tuple) => {
                for (i, part) in leading(&tuple.elems).enumerate() {
                    let shadow = self.field(shadow.clone(), build::part(i));
                    self.take_apart(part, &Kind::Unknown, shadow);
                }
            }
            Pat::Struct(fields) => {
                for field in &fields.fields {
                    let shadow = self.field(shadow.clone(), field.member.clone());
                    self.take_apart(&field.pat, &Kind::Unknown, shadow);
                }
            }
            Pat::Slice(slice) => {
                for (i, part) in leading(&slice.elems).enumerate() {
                    let kind = Kinds::element(kind.clone());
                    let shadow = build::index(shadow.clone(), build::integer(i));
                    self.take_apart(part, &kind, shadow);
                }
            }
            Pat::Reference(inner) => self.take_apart(&inner.pat, kind, shadow),
            Pat::Paren(inner) => self.take_apart(&inner.pat, kind, shadow),
            Pat::Type(typed) => self.take_apart(&typed.pat, kind, shadow),
            Pat::Wild(_) => {}
            other => self.diagnostics.error(
                other,
                "this pattern cannot be followed into the gradient",
                "give the value a name and use its fields",
            ),
        }
    }

    fn unbind(&mut self, statement: &Statement, binding: &Binding, out: &mut Block) {
        if let Some(parts) = written_out(binding) {
            for part in parts.iter().rev() {
                let end = silent(statement, Do::Unbind(part.clone()));
                self.unbind(&end, part, out);
            }
            return;
        }
        out.push(statement.clone());
        let known = self.parts.iter().rposition(|(pattern, _)| *pattern == binding.pattern);
        if let Some(position) = known {
            let (_, whole) = self.parts.remove(position);
            for name in pattern_names(&binding.pattern) {
                self.shadows.remove(&name);
            }
            self.zero.remove(&whole);
            self.take_shadow(statement, &whole, &binding.value, out);
            return;
        }
        for name in crate::names::pattern_names(&binding.pattern) {
            if self.viewed.remove(&name).is_some() {
                self.shadows.remove(&name);
            } else {
                self.take_shadow(statement, &name, &binding.value, out);
            }
        }
    }
}

/// The parts of a pattern, without a `..` after them.
fn leading(parts: &syn::punctuated::Punctuated<Pat, syn::Token![,]>) -> impl Iterator<Item = &Pat> {
    let rest = matches!(parts.last(), Some(Pat::Rest(_)));
    parts.iter().take(parts.len() - usize::from(rest))
}

/// The parts of `let (a, b) = (x, y);`.
fn written_out(binding: &Binding) -> Option<Vec<Binding>> {
    let (Pat::Tuple(names), Expr::Tuple(values)) = (&binding.pattern, &binding.value) else {
        return None;
    };
    if names.elems.len() != values.elems.len() {
        return None;
    }
    let pairs = names.elems.iter().zip(&values.elems);
    let part = |(pattern, value): (&Pat, &Expr)| Binding {
        pattern: pattern.clone(),
        value: value.clone(),
        verify: binding.verify,
    };
    Some(pairs.map(part).collect())
}

/// `zero_like(&value)`
fn zero_like(value: &Expr) -> Expr {
    build::library(&["derivative", "shadow"], vec![build::borrowed(value.clone())])
}

/// `let mut shadow = zero_like(&value);`
fn allocate_shadow(at: &Statement, shadow: &Ident, value: &Expr) -> Statement {
    let value = zero_like(value);
    let ancilla = Ancilla::new(shadow.clone(), None, value, false);
    silent(at, Do::Allocate(ancilla))
}

/// A call of a function of the library.
fn call_statement(at: &Statement, path: &[&str], arguments: Vec<Expr>) -> Statement {
    let Expr::Call(call) = build::library(path, arguments) else { unreachable!("built as a call") };
    let Expr::Path(function) = *call.func else { unreachable!("built with a path") };
    let arguments = call.args.into_iter().collect();
    let callee = Callee::Function(function);
    let (parentheses, direction) = (Default::default(), Direction::Forward);
    silent(at, Do::Call(Call { callee, arguments, parentheses, direction }))
}
