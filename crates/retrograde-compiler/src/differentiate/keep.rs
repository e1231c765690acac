//! What was computed on the way to a value is kept for the way back: by pure
//! functions, which give it along with their value, by branches and blocks, and
//! where a variable is declared.

use super::expression::{Gradient, Pulled, Pulling, silent};
use super::naming::{Naming, normal};
use super::{Differentiator, allocate_shadow, build};
use crate::effects;
use crate::functions;
use crate::ir::{Arm, Binding, Block, Call, Callee, Direction, Kind as Do, Statement};
use crate::names::{Mode, Names, pattern_names};
use crate::place::{access, bare_name, identifiers};
use crate::visit::Visit;
use crate::visit::VisitMut;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Expr, Pat, Stmt, UnOp};

/// The function that gives, along with the value of a pure function, what takes
/// its gradient back.
pub const FORWARD: &str = "__forward";

/// How a value is declared that comes with what takes its gradient back.
#[derive(Clone, Debug)]
pub(super) enum Made {
    /// By a pure function, which gives along what has this name.
    Call(Ident),
    /// By a branch or a block, which gives along what it computed.
    Block(Box<Pat>, Box<Expr>),
}

impl Made {
    /// Declares `name`; of a call, `value` is the call in terms of other names.
    pub(super) fn declaration(
        &self,
        name: &Ident,
        value: Expr,
        atoms: &[(Expr, Ident)],
    ) -> Binding {
        let (pattern, value) = match (self, value) {
            (Made::Block(pattern, value), _) => ((**pattern).clone(), (**value).clone()),
            (Made::Call(back), Expr::Call(call)) => {
                let pattern =
                    build::tuple_pattern(vec![build::pattern(name), build::pattern(back)]);
                (pattern, with_back(&call, atoms))
            }
            (Made::Call(_), value) => (build::pattern(name), value),
        };
        Binding { pattern, value, verify: false }
    }
}

/// `f::__forward(…)` for `f(…)`. An argument that was computed for it is needed
/// again.
fn with_back(call: &syn::ExprCall, atoms: &[(Expr, Ident)]) -> Expr {
    let Expr::Path(path) = &*call.func else { return Expr::Call(call.clone()) };
    let span = Span::call_site().located_at(path.span());
    let arguments: Vec<Expr> = call
        .args
        .iter()
        .map(|argument| match bare_name(argument) {
            Some(name) if atoms.iter().any(|(_, atom)| atom == name) => {
                syn::parse_quote_spanned!(span=> ::core::clone::Clone::clone(&#name))
            }
            _ => argument.clone(),
        })
        .collect();
    let call = crate::emit::companion(path, FORWARD, &arguments, Some(call.paren_token));
    syn::parse_quote!(#call)
}

/// A block of which the value is taken first, and the gradient back later.
pub struct Kept {
    /// Computes the value, under the name that was asked for.
    pub forward: Block,
    /// What the way back needs of it.
    pub names: Vec<Ident>,
    /// The way back.
    pub back: Block,
}

/// Takes a block apart at the declaration of `value`. What may be a reference is
/// not kept, but found again.
pub fn keep(block: Block, value: &Ident, names: &Names) -> Kept {
    let declares = |statement: &Statement| match &statement.kind {
        Do::Bind(binding) => pattern_names(&binding.pattern).contains(value),
        _ => false,
    };
    let middle = block.iter().position(declares).map_or(block.len(), |at| at + 1);
    // What takes a gradient gives a number, or several.
    let pulled: Vec<syn::ExprPath> = block
        .iter()
        .filter_map(|statement| match &statement.kind {
            Do::Call(Call {
                callee: Callee::Function(path) | Callee::Associated(path),
                direction: Direction::Pullback,
                ..
            }) => Some(path.clone()),
            _ => None,
        })
        .collect();
    let is_number = |value: &Expr| match value {
        Expr::Call(call) => matches!(&*call.func, Expr::Path(path) if pulled.contains(path)),
        _ => false,
    };
    let (mut forward, mut back) = (Block::new(), Block::new());
    let mut owned: Vec<Ident> = Vec::new();
    for (i, statement) in block.into_iter().enumerate() {
        match &statement.kind {
            Do::Bind(binding) if i < middle => {
                if is_number(&binding.value) || is_owned(&binding.value, names, &owned) {
                    owned.extend(pattern_names(&binding.pattern));
                } else {
                    back.push(statement.clone());
                }
                forward.push(statement);
            }
            _ => back.push(statement),
        }
    }
    let effects = effects::of_open_block(&back, names);
    let mentioned: HashSet<&Ident> = effects
        .reads
        .iter()
        .chain(effects.writes.iter().map(|write| &write.access))
        .map(|access| &access.root)
        .collect();
    owned.retain(|name| name != value && mentioned.contains(name));
    // Of the shadows, forward knows nothing, nor does it need them.
    let mut needed: HashSet<Ident> = owned.iter().chain([value]).cloned().collect();
    for i in (0..forward.len()).rev() {
        let Do::Bind(binding) = &forward[i].kind else { continue };
        if pattern_names(&binding.pattern).iter().any(|name| needed.contains(name)) {
            needed.extend(identifiers(&binding.value.to_token_stream()));
        } else {
            forward.remove(i);
        }
    }
    Kept { forward, names: owned, back }
}

/// Whether a value holds no reference for sure.
fn is_owned(value: &Expr, names: &Names, owned: &[Ident]) -> bool {
    let inner = |e: &Expr| is_owned(e, names, owned);
    match value {
        Expr::Lit(_) | Expr::Binary(_) | Expr::Cast(_) => true,
        Expr::Unary(e) => !matches!(e.op, UnOp::Deref(_)) || access(&e.expr).is_some(),
        Expr::Paren(e) => inner(&e.expr),
        Expr::Group(e) => inner(&e.expr),
        Expr::Array(e) => e.elems.iter().all(inner),
        Expr::Tuple(e) => e.elems.iter().all(inner),
        Expr::Path(_) => bare_name(value).is_some_and(|name| {
            owned.contains(name) || matches!(names.mode(name), Mode::Primitive)
        }),
        Expr::Index(e) => !matches!(&*e.index, Expr::Range(_)),
        Expr::Field(_) => true,
        Expr::MethodCall(e) => {
            let name = e.method.to_string();
            functions::is_known(&name) || matches!(name.as_str(), "sin_cos" | "clone" | "__value")
        }
        Expr::Call(e) => {
            super::is_library(value)
                || matches!(&*e.func, Expr::Path(path)
                    if path.path.segments.last().is_some_and(|last| last.ident == FORWARD))
        }
        // As made below: its value, and what was kept.
        Expr::If(e) => ends(&e.then_branch).is_some_and(inner),
        Expr::Block(e) => ends(&e.block).is_some_and(inner),
        _ => false,
    }
}

fn ends(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.last() {
        Some(Stmt::Expr(value, None)) => Some(value),
        _ => None,
    }
}

impl Pulling<'_, '_> {
    /// A call of a pure function with a companion: its value comes with what
    /// takes the gradient back.
    pub(super) fn call_and_back(&mut self, e: &syn::ExprCall, callee: Callee, g: Gradient) {
        let call = normal(&Expr::Call(e.clone()));
        let Some(value) = self.name_of_made(call) else {
            let arguments: Vec<Expr> = e.args.iter().cloned().collect();
            return self.pullback(callee, e.paren_token, &arguments, g);
        };
        let back = self.d.numbered("back");
        let mut named = Vec::new();
        let arguments: Vec<Expr> =
            e.args.iter().map(|argument| self.named(argument, &mut named)).collect();
        self.made.insert(value, Made::Call(back.clone()));
        let mut inner = Block::new();
        let direction = Direction::Backward;
        let call = Call { callee, arguments, parentheses: e.paren_token, direction };
        self.d.pullback(call, g.expr, self.at, &mut inner);
        for statement in &mut inner {
            if let Do::Call(Call { arguments, direction: Direction::Backward, .. }) =
                &mut statement.kind
            {
                arguments.insert(0, build::name(&back));
            }
        }
        self.out.extend(inner);
        for (argument, name, shadow) in named {
            self.d.shadows.remove(&name);
            let kind = self.d.kinds.name(&name);
            self.pull(&argument, Gradient { expr: build::name(&shadow), kind }, true);
        }
    }

    /// A name for a value that will come with something; none if it does already,
    /// and its gradient is on the way back.
    fn name_of_made(&mut self, value: Expr) -> Option<Ident> {
        if let Some((_, name)) = self.atoms.iter().find(|(known, _)| *known == value) {
            return (!self.made.contains_key(name)).then(|| name.clone());
        }
        let name = self.d.numbered("v");
        let kind = self.d.kinds.of_expr(&value);
        self.d.kinds.declare(&name, kind);
        self.atoms.push((value, name.clone()));
        Some(name)
    }

    /// An argument that is computed for the call gets a name, and a shadow.
    fn named(&mut self, argument: &Expr, named: &mut Vec<(Expr, Ident, Ident)>) -> Expr {
        match argument {
            Expr::Paren(e) => return self.named(&e.expr, named),
            Expr::Reference(e) if e.mutability.is_none() && access(&e.expr).is_none() => {
                return build::borrowed(self.named(&e.expr, named));
            }
            Expr::Reference(_) => return argument.clone(),
            // References are passed on as they are.
            Expr::Tuple(_) if self.d.is_reference(argument) => return argument.clone(),
            _ => {}
        }
        if access(argument).is_some() || !self.d.is_active(argument) {
            return argument.clone();
        }
        let atom = self.atom(argument);
        let Some(name) = bare_name(&atom).cloned() else { return argument.clone() };
        let shadow = self.d.fresh(&format!("d_{name}"));
        self.d.kinds.declare(&shadow, self.d.kinds.name(&name));
        self.out.push(allocate_shadow(self.at, &shadow, &atom));
        self.d.shadows.insert(name.clone(), Some(build::name(&shadow)));
        named.push((argument.clone(), name, shadow));
        atom
    }

    /// `if c { a } else { b }`: the gradient goes to the branch that was taken.
    pub(super) fn branch(&mut self, e: &syn::ExprIf, g: Gradient, positive: bool) {
        let g = self.shared(g);
        let whole = normal(&Expr::If(e.clone()));
        let condition = (*e.cond).clone();
        let arm = |condition: Expr, body| Arm {
            pre: condition.clone(),
            post: condition,
            verify: false,
            body,
        };
        let then = block_of(e.then_branch.clone());
        let otherwise = e.else_branch.as_ref().map(|(_, otherwise)| &**otherwise);
        let name = self.d.keeping.then(|| self.name_of_made(whole)).flatten();
        let (Some(name), Some(otherwise)) = (name, otherwise) else {
            let body = self.inside(&then, g.clone(), positive);
            let otherwise = otherwise.map(|otherwise| self.inside(otherwise, g, positive));
            self.out.push(silent(self.at, Do::If { arms: vec![arm(condition, body)], otherwise }));
            return;
        };
        let kept = [self.d.numbered("kept"), self.d.numbered("kept")];
        let outside = std::mem::replace(&mut self.d.branching, true);
        let (then, mut first) = self.d.keeping(&then, g.clone(), positive, self.at);
        let (otherwise, mut second) = self.d.keeping(otherwise, g, positive, self.at);
        self.d.branching = outside;
        let some = |kept: &Kept| build::library(&["__private", "some"], vec![tuple(&kept.names)]);
        let none = || build::library(&["__private", "none"], Vec::new());
        let mut value = e.clone();
        let both = |a, b| build::tuple(vec![a, b]);
        value.then_branch = forward(&first.forward, &then, both(some(&first), none()));
        let block = forward(&second.forward, &otherwise, both(none(), some(&second)));
        value.else_branch = Some((Default::default(), Box::new(block_of(block))));
        // What was kept tells which branch it was.
        let ask = |what, kept| {
            build::library(&["__private", what], vec![build::borrowed(build::name(kept))])
        };
        let kept_by = [&first, &second].iter().position(|kept| !kept.names.is_empty());
        let condition = match kept_by {
            Some(0) => ask("is_some", &kept[0]),
            Some(_) => ask("is_none", &kept[1]),
            None => condition,
        };
        for (kept, name) in [&mut first, &mut second].into_iter().zip(&kept) {
            if let Some(declaration) = take_apart(&kept.names, "taken", name) {
                kept.back.insert(0, silent(self.at, Do::Bind(declaration)));
            }
        }
        let both = build::tuple_pattern(kept.iter().map(build::pattern).collect());
        let pattern = build::tuple_pattern(vec![build::pattern(&name), both]);
        let made = Made::Block(Box::new(pattern), Box::new(Expr::If(value)));
        self.made.insert(name, made);
        let (arms, otherwise) = (vec![arm(condition, first.back)], Some(second.back));
        self.out.push(silent(self.at, Do::If { arms, otherwise }));
    }

    /// `{ let a = …; value }`
    pub(super) fn block(&mut self, block: &syn::Block, g: Gradient, positive: bool) {
        let g = self.shared(g);
        let whole = block_of(block.clone());
        let name = self.d.keeping.then(|| self.name_of_made(normal(&whole))).flatten();
        let Some(name) = name else {
            let body = self.inside(&whole, g, positive);
            self.out.push(silent(self.at, Do::Block(body)));
            return;
        };
        let (value, kept) = self.d.keeping(&whole, g, positive, self.at);
        let body = block_of(forward(&kept.forward, &value, tuple(&kept.names)));
        let all = self.d.numbered("kept");
        let pattern = build::tuple_pattern(vec![build::pattern(&name), build::pattern(&all)]);
        let mut back = kept.back;
        if let Some(declaration) = take_apart(&kept.names, "kept", &all) {
            back.insert(0, silent(self.at, Do::Bind(declaration)));
        }
        self.made.insert(name, Made::Block(Box::new(pattern), Box::new(body)));
        self.out.push(silent(self.at, Do::Block(back)));
    }

    /// What is done in a block of its own, with the names that it needs.
    pub(super) fn inside(&mut self, value: &Expr, g: Gradient, positive: bool) -> Block {
        self.d.inside(value, g, positive, self.at, None)
    }

    /// Where a variable is declared among the statements of `out`, and its
    /// operands are as they were then, the names that its gradient needs are
    /// declared there: nothing is computed again.
    pub(super) fn keep_at_declaration(&mut self, name: &Ident, out: &mut Block) {
        let unchanged = |binding: &Binding| !binding.verify;
        let sure = match &self.at.kind {
            Do::Unbind(binding) => unchanged(binding),
            _ => false,
        };
        let declares = |statement: &Statement| match &statement.kind {
            Do::Bind(binding) => {
                let pattern = match &binding.pattern {
                    Pat::Type(typed) => &typed.pat,
                    other => other,
                };
                unchanged(binding) && matches!(pattern, Pat::Ident(own) if own.ident == *name)
            }
            _ => false,
        };
        let worth =
            |(atom, name): &(Expr, Ident)| self.made.contains_key(name) || is_worth_keeping(atom);
        if !sure || !self.d.keeping || !self.atoms.iter().any(worth) {
            return;
        }
        let Some(position) = out.iter().rposition(declares) else { return };
        let at = out[position].clone();
        let atoms = std::mem::take(&mut self.atoms);
        let made = std::mem::take(&mut self.made);
        let mut naming = Naming { known: Vec::new(), atoms, made, at: &at, declared: Block::new() };
        if let Do::Bind(binding) = &mut out[position].kind {
            naming.visit_expr_mut(&mut binding.value);
        }
        for (atom, _) in naming.atoms.clone() {
            naming.visit_expr_mut(&mut atom.clone());
        }
        let declared = naming.declared;
        out.splice(position..position, declared);
    }
}

impl Differentiator<'_> {
    /// The value of a branch or block under a name, and the way back.
    fn keeping(
        &mut self,
        side: &Expr,
        g: Gradient,
        positive: bool,
        at: &Statement,
    ) -> (Ident, Kept) {
        let value = self.numbered("v");
        let block = self.inside(side, g, positive, at, Some(&value));
        let kept = keep(block, &value, self.names);
        (value, kept)
    }

    /// Takes a gradient back through a value or a block, with the declaration of
    /// the value in between, if it is to have a name.
    fn inside(
        &mut self,
        value: &Expr,
        g: Gradient,
        positive: bool,
        at: &Statement,
        name: Option<&Ident>,
    ) -> Block {
        let mut body = Block::new();
        let Expr::Block(syn::ExprBlock { block, .. }) = value else {
            self.around(value, g, positive, at, name, &mut body);
            return body;
        };
        let mut block = self.renamed(block);
        crate::views::resolve_inside(&mut block);
        let mut bound = Vec::new();
        let mut last = None;
        for statement in &block.stmts {
            match statement {
                Stmt::Local(local) => {
                    let Some(init) = &local.init else { continue };
                    let binding = Binding {
                        pattern: local.pat.clone(),
                        value: (*init.expr).clone(),
                        verify: false,
                    };
                    let declaration = silent(at, Do::Bind(binding.clone()));
                    self.bind(&declaration, &binding, &[], &mut body);
                    bound.push(binding);
                }
                Stmt::Expr(expr, None) => last = Some(expr),
                Stmt::Item(_) => {}
                other => super::expression::underivable(self.diagnostics, other),
            }
        }
        if let Some(value) = last {
            self.around(value, g, positive, at, name, &mut body);
        }
        for binding in bound.iter().rev() {
            let end = silent(at, Do::Unbind(binding.clone()));
            self.unbind(&end, binding, &mut body);
        }
        body
    }

    fn around(
        &mut self,
        value: &Expr,
        g: Gradient,
        positive: bool,
        at: &Statement,
        name: Option<&Ident>,
        body: &mut Block,
    ) {
        let Pulled { before, value, after } = self.pull(value, g, positive, at);
        body.extend(before);
        if let Some(name) = name {
            let binding = Binding { pattern: build::pattern(name), value, verify: false };
            body.push(silent(at, Do::Bind(binding)));
        }
        body.extend(after);
    }
}

/// A function of a number, a quotient, or what calls something.
fn is_worth_keeping(value: &Expr) -> bool {
    struct Search(bool);
    impl<'e> Visit<'e> for Search {
        fn visit_expr_call(&mut self, _: &'e syn::ExprCall) {
            self.0 = true;
        }
        fn visit_expr_method_call(&mut self, _: &'e syn::ExprMethodCall) {
            self.0 = true;
        }
        fn visit_expr_binary(&mut self, e: &'e syn::ExprBinary) {
            self.0 |= matches!(e.op, syn::BinOp::Div(_) | syn::BinOp::Rem(_));
            crate::visit::visit_expr_binary(self, e);
        }
    }
    let mut search = Search(false);
    search.visit_expr(value);
    search.0
}

fn block_of(block: syn::Block) -> Expr {
    Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block })
}

/// A block that declares what it computes, and ends with its value and what it
/// keeps.
fn forward(declarations: &Block, value: &Ident, kept: Expr) -> syn::Block {
    let mut stmts: Vec<Stmt> = declarations
        .iter()
        .filter_map(|statement| match &statement.kind {
            Do::Bind(Binding { pattern, value, .. }) => {
                Some(syn::parse_quote!(let #pattern = #value;))
            }
            _ => None,
        })
        .collect();
    // They are not used here again, so nothing is cloned.
    let both = build::library(&["__private", "together"], vec![build::name(value), kept]);
    stmts.push(Stmt::Expr(both, None));
    syn::Block { brace_token: Default::default(), stmts }
}

/// `(a, b,)`
pub fn tuple(names: &[Ident]) -> Expr {
    syn::parse_quote!((#(#names,)*))
}

/// `let (a, b,) = how(value);`, if there is something to declare.
pub fn take_apart(names: &[Ident], how: &str, value: &Ident) -> Option<Binding> {
    let value = build::library(&["__private", how], vec![build::name(value)]);
    let mut pattern = build::tuple_pattern(names.iter().map(build::pattern).collect());
    if let Pat::Tuple(tuple) = &mut pattern
        && !names.is_empty()
    {
        tuple.elems.push_punct(Default::default());
    }
    (!names.is_empty()).then_some(Binding { pattern, value, verify: false })
}
