//! What the names of a function stand for, as far as syntax tells.

use crate::ir::{Block, Kind};
use crate::kinds::{Kind as Known, Kinds, Parameters};
use crate::place::{Access, Overlap, Step, access, bare_name, reads};
use crate::table::{NameMap, NameSet};
use crate::text::is_one_of;
use crate::visit::Visit;
use proc_macro2::Ident;
use quote::format_ident;
use std::collections::HashSet;
use syn::{Expr, FnArg, Pat, ReceiverKind, Signature, Type};

/// How a name may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A value of its own: an ancilla, a temporary, an argument passed by value.
    Value,
    /// A value of a primitive type: it is copied by reading it.
    Primitive,
    /// `&`
    Shared,
    /// `&mut`
    Mutable,
    /// Syntax does not tell.
    Unknown,
}

/// The names of one function. Two names that are alive at the same time differ
/// (shadowing is an error), so one table serves the whole body.
#[derive(Debug, Default)]
pub struct Names {
    modes: NameMap<Mode>,
    /// What a name is another name for: `let row = &x[a..b];`, `for y in ys.iter_mut()`.
    aliases: NameMap<Alias>,
    /// Whether the length of what has a name cannot change: wherever it is
    /// declared, it is a slice or an array.
    rigid: NameMap<bool>,
    /// Names that are numbers: arguments of a generic type that are passed by
    /// value, and what is computed.
    numbers: NameSet,
    /// Names that a `let` gave to a value.
    computed: NameSet,
    /// Names that `let mut` has given.
    ancillas: NameSet,
    /// Of these, what is a range or the result of a call, which may not be copied
    /// by reading it.
    movable: NameSet,
    parameters: Parameters,
    /// Whether there is a type parameter other than for functions.
    generic: bool,
    /// Names of `let`s that stand for literals, where no type parameter tells their type.
    literals: HashSet<Ident>,
    /// Whether literals are converted: whether there is a type that is not built in.
    converts: bool,
    kinds: Kinds,
    /// Arguments that hold mutable references inside.
    holders: NameSet,
    /// Variables that are slices, arrays or vectors, and how many deep.
    plain: NameMap<usize>,
    /// Arguments whose fields are their own, not those of what they point to.
    fielded: NameSet,
    /// Shadows, of arguments and of what is declared.
    shadows: NameSet,
    /// The gradients whose fields are used.
    gradients: NameSet,
    /// Whether the program must not use one that is `#[constant]`.
    strict: bool,
}

/// A name that is another one for something.
#[derive(Debug)]
struct Alias {
    name: Ident,
    of: Vec<Access>,
    /// The names that it stands for, through other aliases too; itself first.
    roots: Vec<Ident>,
}

impl Names {
    /// Collects the names of a function.
    pub fn of(signature: &Signature, body: &Block) -> Self {
        let mut names = Names::default();
        let parameters = Parameters::of(signature);
        for argument in &signature.inputs {
            match argument {
                FnArg::Receiver(receiver) => {
                    let mode = match &receiver.kind {
                        ReceiverKind::Reference(_, _, Some(_)) => Mode::Mutable,
                        ReceiverKind::Reference(_, _, None) => Mode::Shared,
                        _ => Mode::Unknown,
                    };
                    let this = format_ident!("self");
                    names.modes.insert(&this, mode);
                    names.fielded.insert(&this);
                }
                FnArg::Typed(typed) => {
                    if let Pat::Ident(name) = &*typed.pat {
                        names.modes.insert(&name.ident, mode_of(&typed.ty));
                        if parameters.is_number(&typed.ty) {
                            names.numbers.insert(&name.ident);
                        }
                        names.rigid.insert(&name.ident, is_rigid(&typed.ty));
                        names.plain.insert(&name.ident, plain_depth(&typed.ty));
                        if holds_references(&typed.ty) {
                            names.holders.insert(&name.ident);
                        }
                        if has_fields(&typed.ty, signature) {
                            names.fielded.insert(&name.ident);
                        }
                    }
                }
            }
        }
        let (named, opaque) = crate::item::without_opaque(signature);
        let parameters_in_sight = if opaque { Parameters::of(&named) } else { parameters.clone() };
        names.generic = named.generics.type_params().any(|parameter| {
            let name = &parameter.ident;
            parameters_in_sight.kind(&syn::parse_quote!(#name)) != crate::kinds::Kind::Function
        });
        let plain = signature.receiver().is_none() && crate::expand::all_built_in(signature);
        names.converts = !plain;
        if !plain {
            let by_statements = parameters.only_number().is_none();
            names.literals = crate::emit::literal_names(body, by_statements);
        }
        names.parameters = parameters;
        names.kinds = Kinds::of_all_names(signature, body);
        names.block(body);
        let roots: Vec<Vec<Ident>> =
            names.aliases.values().map(|alias| names.all_roots(&alias.name)).collect();
        for (alias, roots) in names.aliases.values_mut().zip(roots) {
            alias.roots = roots;
        }
        names
    }

    /// With the literals that a body declares which is an expression.
    pub fn with_literals(mut self, body: &syn::Block) -> Self {
        self.literals.extend(crate::emit::literal_names_inside(body));
        self
    }

    /// With the shadows of arguments, which the program reads and writes beside them.
    pub fn with_shadows(mut self, shadows: &[(Ident, Option<Expr>)]) -> Self {
        let roots = shadows.iter().filter_map(|(_, shadow)| access(shadow.as_ref()?));
        self.shadows.extend(roots.map(|place| place.root));
        self
    }

    /// With the gradients whose fields the program uses. `strict`: what is added to one that
    /// is `#[constant]` cannot be left out, as the text for a device is written without types.
    pub fn with_gradients(mut self, gradients: &NameSet, strict: bool) -> Self {
        self.gradients = gradients.clone();
        self.strict = strict;
        self
    }

    /// Whether it uses fields of gradients.
    pub fn has_gradients(&self) -> bool {
        !self.gradients.is_empty()
    }

    /// Whether no field that is `#[constant]` may be used.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Whether a place is a gradient, or a part of one, whose fields are used.
    pub fn is_gradient(&self, place: &Expr) -> bool {
        !self.gradients.is_empty()
            && access(place).is_some_and(|place| self.gradients.contains(&place.root))
    }

    /// Whether a name is that of a gradient whose fields are used.
    pub fn is_gradient_name(&self, name: &Ident) -> bool {
        self.gradients.contains(name)
    }

    /// Whether there are shadows.
    pub fn has_shadows(&self) -> bool {
        !self.shadows.is_empty()
    }

    /// Whether a place is in a shadow, and nothing is known of its type.
    pub fn is_unknown_shadow(&self, place: &Expr) -> bool {
        let in_shadow =
            |place: Access| self.roots(&place.root).iter().any(|root| self.shadows.contains(root));
        self.is_of_unknown_type(place) && access(place).is_some_and(in_shadow)
    }

    fn all_roots(&self, name: &Ident) -> Vec<Ident> {
        let mut roots = vec![name.clone()];
        let mut next = 0;
        while next < roots.len() {
            for alias in self.aliases_of(&roots[next]) {
                if !roots.contains(&alias.root) {
                    roots.push(alias.root.clone());
                }
            }
            next += 1;
        }
        roots
    }

    /// The name itself and, if it is an alias, the names that it stands for.
    pub fn roots<'a>(&'a self, name: &'a Ident) -> &'a [Ident] {
        self.aliases.get(name).map_or(std::slice::from_ref(name), |alias| &alias.roots)
    }

    /// Whether a name is a value of its own that can be cloned.
    pub fn is_own_value(&self, name: &Ident) -> bool {
        self.numbers.contains(name)
    }

    /// Whether nothing is known of the type of a place of the user's: it may have a sum of
    /// its own. What the compiler declares by itself has not.
    pub fn is_of_unknown_type(&self, place: &Expr) -> bool {
        self.kinds.of_expr(place) == Known::Unknown
            && access(place).is_some_and(|place| self.is_declared(&place.root))
    }

    /// Whether it is known of a place that it is no struct of the user's.
    pub fn is_of_known_type(&self, place: &Expr) -> bool {
        self.kinds.of_expr(place) != Known::Unknown
    }

    /// Whether nothing is known of the elements of a slice.
    pub fn is_of_unknowns(&self, slice: &Expr) -> bool {
        Kinds::element(self.kinds.of_expr(slice)) == Known::Unknown
    }

    /// The type parameter that stands for numbers, if there is but one.
    pub fn only_number(&self) -> Option<&Ident> {
        self.parameters.only_number()
    }

    /// Whether an expression is made of literals, and of names for such that are converted
    /// where they are used.
    pub fn is_literal(&self, expr: &Expr) -> bool {
        crate::emit::is_literal_or(expr, &|name| self.is_literal_name(name))
    }

    /// Whether a name stands for a literal that is converted where it is used.
    pub fn is_literal_name(&self, name: &Ident) -> bool {
        self.literals.contains(name)
    }

    /// Whether an expression is a literal that takes the type of what it is passed for.
    pub fn is_converted(&self, expr: &Expr) -> bool {
        self.converts && self.is_literal(expr)
    }

    /// Whether no type parameter can stand for numbers.
    pub fn has_no_numbers(&self) -> bool {
        !self.generic
    }

    /// Whether a name was given to a value by a `let`.
    pub fn is_computed(&self, name: &Ident) -> bool {
        self.computed.contains(name) && self.mode(name) == Mode::Value
    }

    /// Whether a method may write what has a name: a type that holds `&mut` aside.
    pub fn is_writable(&self, name: &Ident) -> bool {
        match self.mode(name) {
            Mode::Mutable => true,
            Mode::Shared | Mode::Unknown => false,
            Mode::Value | Mode::Primitive => self.ancillas.contains(name),
        }
    }

    /// Whether using a name by value may be the end of it.
    pub fn may_move(&self, name: &Ident) -> bool {
        self.movable.contains(name)
    }

    /// Whether a name is another one for something.
    pub fn is_alias(&self, name: &Ident) -> bool {
        self.aliases.contains_key(name)
    }

    /// What a name is another one for.
    fn aliases_of(&self, name: &Ident) -> &[Access] {
        self.aliases.get(name).map_or(&[], |alias| &alias.of)
    }

    /// How a name may be used.
    pub fn mode(&self, name: &Ident) -> Mode {
        self.modes.get(name).copied().unwrap_or(Mode::Unknown)
    }

    /// Whether a name is one of the function's.
    pub fn is_declared(&self, name: &Ident) -> bool {
        self.modes.contains_key(name)
    }

    /// Everything that an access may touch, aliases followed.
    pub fn resolve(&self, access: &Access) -> Vec<Access> {
        self.resolve_beyond(access, &mut Vec::new())
    }

    /// What an access is of, one alias followed; itself, if its root is none.
    pub fn resolve_once(&self, access: &Access) -> Vec<Access> {
        let aliases = self.aliases_of(&access.root);
        if aliases.is_empty() {
            return vec![access.clone()];
        }
        let through = |alias: &Access| {
            let path = alias.path.iter().chain(&access.path).cloned().collect();
            Access { root: alias.root.clone(), path, expr: access.expr.clone() }
        };
        aliases.iter().filter(|alias| alias.root != access.root).map(through).collect()
    }

    /// Names reused in sibling scopes may be aliases of each other: `seen` ends that.
    fn resolve_beyond(&self, access: &Access, seen: &mut Vec<Ident>) -> Vec<Access> {
        let mut resolved = Vec::new();
        seen.push(access.root.clone());
        for alias in self.aliases_of(&access.root) {
            if seen.contains(&alias.root) {
                continue;
            }
            let mut path = alias.path.clone();
            path.extend(access.path.iter().cloned());
            let through = Access { root: alias.root.clone(), path, expr: access.expr.clone() };
            resolved.extend(self.resolve_beyond(&through, seen));
        }
        seen.pop();
        if resolved.is_empty() {
            resolved.push(access.clone());
        }
        resolved
    }

    /// Whether two accesses share memory, aliases followed.
    pub fn overlap(&self, a: &Access, b: &Access) -> Overlap {
        let mut result = Overlap::Never;
        let others = self.roots(&b.root);
        if !self.roots(&a.root).iter().any(|root| others.contains(root)) {
            return result;
        }
        for a in self.resolve(a) {
            for b in self.resolve(b) {
                let shape = [&a, &b].iter().any(|x| x.path == [Step::Shape]);
                if shape && self.is_rigid(&a.root) {
                    continue;
                }
                result = result.max(a.overlap(&b, self.plain(&a.root)));
            }
        }
        result
    }

    /// Whether two accesses share memory, taken as written: what aliases share is
    /// for the borrow checker to say.
    pub fn overlap_as_written(&self, a: &Access, b: &Access) -> Overlap {
        a.overlap(b, self.plain(&a.root))
    }

    /// Whether two accesses by one name share memory, as long as it stands for the same
    /// thing: what is an index into a slice is known even if the slice is a part.
    pub fn overlap_by_name(&self, a: &Access, b: &Access) -> Overlap {
        let plain = self.plain(&a.root).max(usize::from(self.is_rigid(&a.root)));
        a.overlap(b, plain)
    }

    /// Whether a name stands for something whose length cannot change.
    pub fn is_rigid(&self, name: &Ident) -> bool {
        self.rigid.get(name).copied().unwrap_or(false)
    }

    /// How many steps into a variable are by the indices of slices, arrays or vectors.
    pub fn plain(&self, name: &Ident) -> usize {
        self.plain.get(name).copied().unwrap_or(0)
    }

    /// The place that a `let` gives another name to: a view, or what a reference
    /// refers to.
    pub fn view(&self, value: &Expr) -> Option<(Access, Mode)> {
        let reference = |name: &Ident| match self.mode(name) {
            mode @ (Mode::Mutable | Mode::Shared) => Some((Access::whole(name), mode)),
            _ => None,
        };
        viewed_place(value).or_else(|| bare_name(value).and_then(reference))
    }

    /// Whether a variable holds mutable references: `&mut [&mut f64]`.
    pub fn holds_references(&self, name: &Ident) -> bool {
        self.holders.contains(name)
    }

    /// Whether two fields of a variable can be lent at the same time: not those of
    /// what a smart pointer points to.
    pub fn has_fields(&self, name: &Ident) -> bool {
        self.fielded.contains(name)
    }

    fn add_alias(&mut self, name: &Ident, of: Access) {
        let new = || Alias { name: name.clone(), of: Vec::new(), roots: Vec::new() };
        self.aliases.entry(name).or_insert_with(new).of.push(of);
    }

    fn declare(&mut self, name: &Ident, mode: Mode) {
        self.declare_slice(name, mode, false);
    }

    /// Declares a name; `slice`: that of a slice.
    fn declare_slice(&mut self, name: &Ident, mode: Mode, slice: bool) {
        self.rigid.entry(name).and_modify(|known| *known &= slice).or_insert(slice);
        self.modes
            .entry(name)
            .and_modify(|known| {
                if *known != mode {
                    *known = Mode::Unknown;
                }
            })
            .or_insert(mode);
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            match &statement.kind {
                Kind::Bind(binding) | Kind::Unbind(binding) => {
                    self.binding(&binding.pattern, &binding.value);
                    // What differentiation names, it names to use it more than once.
                    if let (Pat::Ident(name), true) = (&binding.pattern, statement.generated)
                        && self.mode(&name.ident) == Mode::Value
                        && !crate::emit::is_literal(&binding.value)
                    {
                        self.numbers.insert(&name.ident);
                    }
                }
                Kind::Allocate(ancilla) | Kind::Release(ancilla) => {
                    if statement.generated {
                        self.shadows.insert(&ancilla.name);
                    }
                    self.declare(&ancilla.name, Mode::Value);
                    self.computed.insert(&ancilla.name);
                    self.ancillas.insert(&ancilla.name);
                    let typed = ancilla.ty.as_ref().is_some_and(|ty| self.parameters.is_number(ty));
                    if typed || is_computed(&ancilla.value) {
                        self.numbers.insert(&ancilla.name);
                    } else {
                        self.numbers.remove(&ancilla.name);
                    }
                    let depth = match &ancilla.value {
                        Expr::Array(_) | Expr::Repeat(_) => 1,
                        Expr::Macro(call) => usize::from(call.mac.path.is_ident("vec")),
                        _ => 0,
                    };
                    let depth = ancilla.ty.as_ref().map_or(depth, plain_depth);
                    let known = self.plain.entry(&ancilla.name).or_insert(depth);
                    *known = depth.min(*known);
                }
                Kind::Compute { compute, body } => {
                    self.block(compute);
                    self.block(body);
                }
                Kind::If { arms, otherwise } => {
                    arms.iter().for_each(|arm| self.block(&arm.body));
                    otherwise.iter().for_each(|block| self.block(block));
                }
                Kind::While { body, .. } | Kind::Block(body) => self.block(body),
                Kind::For { pattern, sequence, body, .. } => {
                    self.sequence(pattern, sequence);
                    self.block(body);
                }
                Kind::Update { .. } | Kind::Call(_) | Kind::Host(_) => {}
            }
        }
    }

    fn binding(&mut self, pattern: &Pat, value: &Expr) {
        if let (Pat::Tuple(names), Expr::Tuple(values)) = (pattern, value)
            && names.elems.len() == values.elems.len()
            && self.view(value).is_none()
        {
            // As if in a `let` each.
            for (pattern, value) in names.elems.iter().zip(&values.elems) {
                self.binding(pattern, value);
            }
            return;
        }
        let viewed = self.view(value);
        let whole = matches!(pattern, Pat::Ident(_) | Pat::Type(_));
        for name in pattern_names(pattern) {
            self.plain.insert(&name, 0);
            match &viewed {
                Some((place, mode)) => {
                    self.declare(&name, *mode);
                    let mut alias = place.clone();
                    if !whole || !matches!(value, Expr::Reference(_) | Expr::Path(_)) {
                        // `x.split_at_mut(k)`: some part of it.
                        alias.path.push(Step::Element(name.clone()));
                    }
                    self.add_alias(&name, alias);
                }
                None => {
                    self.declare(&name, Mode::Value);
                    self.computed.insert(&name);
                    if self.gives_movable(value) {
                        self.movable.insert(&name);
                    }
                    let typed = matches!(pattern, Pat::Type(typed)
                        if self.parameters.is_number(&typed.ty));
                    let number =
                        typed || bare_name(value).is_some_and(|n| self.numbers.contains(n));
                    if whole && (number || is_computed(value)) {
                        self.numbers.insert(&name);
                    } else {
                        self.numbers.remove(&name);
                    }
                }
            }
        }
    }

    /// Whether the value of an expression may be one that is moved.
    fn gives_movable(&self, value: &Expr) -> bool {
        match value {
            Expr::Paren(e) => self.gives_movable(&e.expr),
            Expr::Path(_) => bare_name(value).is_some_and(|name| self.may_move(name)),
            Expr::Range(_) | Expr::Call(_) | Expr::If(_) | Expr::Block(_) => true,
            Expr::MethodCall(e) => {
                let name = e.method.to_string();
                !crate::place::is_shape(&name) && !crate::functions::is_known(&name)
            }
            _ => false,
        }
    }

    /// The variables of a loop, as elements of what it runs over.
    fn sequence(&mut self, pattern: &Pat, sequence: &Expr) {
        let pattern = unreferenced(pattern);
        match sequence {
            Expr::Paren(e) => self.sequence(pattern, &e.expr),
            Expr::Range(_) => {
                pattern_names(pattern).iter().for_each(|name| self.declare(name, Mode::Primitive));
            }
            Expr::MethodCall(call) => match (call.method.to_string().as_str(), pattern) {
                ("zip", Pat::Tuple(pair)) if pair.elems.len() == 2 && call.args.len() == 1 => {
                    self.sequence(&pair.elems[0], &call.receiver);
                    self.sequence(&pair.elems[1], &call.args[0]);
                }
                ("enumerate", Pat::Tuple(pair)) if pair.elems.len() == 2 => {
                    for name in pattern_names(&pair.elems[0]) {
                        self.declare(&name, Mode::Primitive);
                    }
                    self.sequence(&pair.elems[1], &call.receiver);
                }
                ("rev" | "step_by" | "skip" | "take" | "into_iter", _) => {
                    self.sequence(pattern, &call.receiver);
                }
                ("chunks_exact" | "chunks" | "windows", _) => {
                    self.elements(pattern, &call.receiver, Mode::Shared, true);
                }
                ("chunks_exact_mut" | "chunks_mut", _) => {
                    self.elements(pattern, &call.receiver, Mode::Mutable, true);
                }
                ("iter" | "array_windows", _) => {
                    self.elements(pattern, &call.receiver, Mode::Shared, false);
                }
                // Values of their own, though they are what the elements are.
                (copies @ ("cloned" | "copied"), _) => {
                    self.elements(pattern, &call.receiver, Mode::Value, false);
                    if copies == "cloned" {
                        self.computed.extend(pattern_names(pattern));
                    }
                }
                (method, _) if crate::place::lends(method) => {
                    self.elements(pattern, &call.receiver, Mode::Mutable, false);
                }
                _ => self.elements(pattern, sequence, Mode::Unknown, false),
            },
            Expr::Reference(e) => {
                let mode = if e.mutability.is_some() { Mode::Mutable } else { Mode::Shared };
                self.elements(pattern, &e.expr, mode, false);
            }
            other => {
                let mode = bare_name(other).map_or(Mode::Unknown, |name| self.mode(name));
                let mode = if mode == Mode::Value { Mode::Unknown } else { mode };
                self.elements(pattern, other, mode, false);
            }
        }
    }

    /// Names for elements of a container, or for slices of it.
    fn elements(&mut self, pattern: &Pat, container: &Expr, mode: Mode, slices: bool) {
        // A container of unknown kind may call anything a chunk.
        let known = access(container).is_some_and(|access| {
            let inwards = access.path.iter().filter(|step| !step.is_range()).count();
            inwards < self.plain(&access.root)
        });
        let slice = slices && known && matches!(pattern, Pat::Ident(_));
        let containers = match access(container) {
            Some(access) => vec![access],
            None => reads(container),
        };
        for name in pattern_names(pattern) {
            self.declare_slice(&name, mode, slice);
            self.plain.insert(&name, 0);
            for container in &containers {
                let mut alias = container.clone();
                alias.path.push(Step::Element(name.clone()));
                self.add_alias(&name, alias);
            }
        }
    }
}

/// The place that a `let` gives another name to, if its value is a view:
/// `&x[a..b]`, `&mut x.row`, `x.split_at_mut(k)`.
pub fn viewed_place(value: &Expr) -> Option<(Access, Mode)> {
    match value {
        Expr::Reference(e) => {
            let mode = if e.mutability.is_some() { Mode::Mutable } else { Mode::Shared };
            Some((access(&e.expr)?, mode))
        }
        Expr::MethodCall(e) if crate::place::lends(&e.method.to_string()) => {
            Some((access(&e.receiver)?, Mode::Mutable))
        }
        Expr::Paren(e) => viewed_place(&e.expr),
        _ => None,
    }
}

/// Whether the value of an expression is a number for sure, or a number like value.
pub fn is_computed(value: &Expr) -> bool {
    match value {
        Expr::Paren(e) => is_computed(&e.expr),
        Expr::Binary(_) => !crate::emit::is_literal(value),
        Expr::Unary(e) => matches!(e.op, syn::UnOp::Neg(_)),
        Expr::MethodCall(e) => crate::functions::is_known(&e.method.to_string()),
        _ => false,
    }
}

/// The names that a pattern binds.
pub fn pattern_names(pattern: &Pat) -> Vec<Ident> {
    struct Bound(Vec<Ident>);
    impl Visit<'_> for Bound {
        fn visit_pat_ident(&mut self, name: &syn::PatIdent) {
            self.0.push(name.ident.clone());
            if let Some((_, inner)) = &name.subpat {
                self.visit_pat(inner);
            }
        }
    }
    let mut bound = Bound(Vec::new());
    bound.visit_pat(pattern);
    bound.0
}

fn unreferenced(pattern: &Pat) -> &Pat {
    match pattern {
        Pat::Reference(e) => unreferenced(&e.pat),
        Pat::Paren(e) => unreferenced(&e.pat),
        other => other,
    }
}

fn mode_of(ty: &Type) -> Mode {
    const PRIMITIVES: [&str; 16] = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64", "bool", "char",
    ];
    match ty {
        Type::Reference(reference) if reference.mutability.is_some() => Mode::Mutable,
        Type::Reference(_) => Mode::Shared,
        Type::Path(path) if path.path.get_ident().is_some_and(|n| is_one_of(n, &PRIMITIVES)) => {
            Mode::Primitive
        }
        Type::Paren(inner) => mode_of(&inner.elem),
        // It may hold mutable references.
        _ => Mode::Unknown,
    }
}

/// Whether there is a `&mut` inside of a type.
fn holds_references(ty: &Type) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_type_reference(&mut self, reference: &syn::TypeReference) {
            self.0 |= reference.mutability.is_some();
            crate::visit::visit_type_reference(self, reference);
        }
    }
    let mut search = Search(false);
    match ty {
        Type::Reference(reference) => search.visit_type(&reference.elem),
        other => search.visit_type(other),
    }
    search.0
}

/// How many times a type can be indexed with different elements for different
/// indices: `&mut [Vec<f64>]` twice.
fn plain_depth(ty: &Type) -> usize {
    match ty {
        Type::Reference(reference) => plain_depth(&reference.elem),
        Type::Paren(inner) => plain_depth(&inner.elem),
        Type::Slice(slice) => 1 + plain_depth(&slice.elem),
        Type::Array(array) => 1 + plain_depth(&array.elem),
        Type::Path(path) => match path.path.segments.last() {
            Some(last) if last.ident == "Vec" => match &last.arguments {
                syn::PathArguments::AngleBracketed(generics) => match generics.args.first() {
                    Some(syn::GenericArgument::Type(element)) => 1 + plain_depth(element),
                    _ => 1,
                },
                _ => 1,
            },
            _ => 0,
        },
        _ => 0,
    }
}

/// Whether the fields of a type are its own, as far as its name tells.
fn has_fields(ty: &Type, signature: &Signature) -> bool {
    const POINTERS: [&str; 9] = [
        "Arc",
        "ManuallyDrop",
        "MappedMutexGuard",
        "MutexGuard",
        "Pin",
        "Rc",
        "Ref",
        "RefMut",
        "RwLockWriteGuard",
    ];
    match ty {
        Type::Reference(reference) => has_fields(&reference.elem, signature),
        Type::Paren(inner) => has_fields(&inner.elem, signature),
        Type::Tuple(_) => true,
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let mut parameters = signature.generics.type_params();
            !is_one_of(&last.ident, &POINTERS) && parameters.all(|p| p.ident != last.ident)
        }),
        _ => false,
    }
}

fn is_rigid(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => {
            matches!(&*reference.elem, Type::Slice(_) | Type::Array(_))
        }
        Type::Array(_) => true,
        _ => false,
    }
}
