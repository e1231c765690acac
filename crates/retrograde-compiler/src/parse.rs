//! Parsing: from the syntax of Rust to the IR. What has no place in a
//! reversible program is rejected here, statement by statement.

use crate::adjoint::free_name;
use crate::attribute::is_ours;
use crate::diagnostics::Diagnostics;
use crate::equal::with_branches;
use crate::hoist::hoist;
use crate::invert::invert;
use crate::ir::{
    Ancilla, Arm, Binding, Block, Call, Callee, Direction, Host, Kind, Operator, Statement,
};
use crate::matching;
use crate::names::{pattern_names, viewed_place};
use crate::place::{is_written, mutable_borrows};
use crate::pure::{self, check_pure};
use crate::rename;
use crate::scopes::{close_scopes, contains_mutable, split_local};
use crate::text::{self, Source};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident, quote};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, BinOp, Expr, Item, Local, Pat, Stmt, Token, UnOp};

/// The body of a function, parsed.
pub struct Body {
    /// The statements.
    pub block: Block,
    /// The items declared among them.
    pub items: Vec<Item>,
    /// Names declared with `#[constant]`.
    pub constants: HashSet<Ident>,
    /// Attributes of statements that are about lints.
    pub lints: Vec<Attribute>,
}

/// Parses a body. `values` are the names that can be called as values: the
/// function's arguments, `own` those whose types are the user's. `used` are all names in the
/// function.
pub fn body(
    block: &syn::Block,
    checked: bool,
    values: &HashSet<Ident>,
    own: &HashSet<Ident>,
    used: &mut HashSet<String>,
    diagnostics: &mut Diagnostics,
) -> Body {
    let mut parser = Parser {
        diagnostics,
        own,
        items: Vec::new(),
        values: values.clone(),
        loops: HashMap::new(),
        lets: HashMap::new(),
        used,
        constants: HashSet::new(),
        lints: Vec::new(),
        depth: 0,
    };
    let block = parser.block(&block.stmts, checked, Close::All);
    let Parser { items, constants, lints, .. } = parser;
    Body { block, items, constants, lints }
}

/// Attributes that set the level of lints: they hold for the whole function, whose lines are
/// written in several directions.
const LINTS: [&str; 4] = ["allow", "expect", "warn", "deny"];

fn is_one_of_paths(path: &syn::Path, names: &[&str]) -> bool {
    path.get_ident().is_some_and(|name| text::is_one_of(name, names))
}

/// A statement as the user wrote it. It stands where its text begins.
fn statement(kind: Kind, source: Source, checked: bool) -> Statement {
    let span = source.start().unwrap_or_else(Span::call_site);
    Statement { kind, span, source, checked, generated: false, undoes: false }
}

/// What happens to names at the end of a block.
#[derive(Clone, Copy, PartialEq)]
enum Close {
    /// They are released there.
    All,
    /// They stay for the statements after a `#[compute]` block, which is undone later.
    Nothing,
}

struct Parser<'a> {
    diagnostics: &'a mut Diagnostics,
    /// Arguments of types of the user's own.
    own: &'a HashSet<Ident>,
    items: Vec<Item>,
    /// Names of this function so far: calling one calls a value.
    values: HashSet<Ident>,
    /// How loop variables were used so far.
    loops: HashMap<Ident, rename::Use>,
    /// What was declared by a `let` so far, and whether it holds a value of its own.
    lets: HashMap<Ident, bool>,
    /// All names in the function.
    used: &'a mut HashSet<String>,
    constants: HashSet<Ident>,
    lints: Vec<Attribute>,
    /// How many blocks deep.
    depth: usize,
}

/// Our attributes on a statement.
#[derive(Default)]
struct Marks {
    compute: Option<Attribute>,
    unchecked: bool,
    /// Not in all builds, which a declaration must be.
    left_out: bool,
}

/// `a = e` inside `unlet!`.
struct Unlet {
    name: Ident,
    value: Expr,
}

impl Parse for Unlet {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Unlet { name, value: input.parse()? })
    }
}

impl Parser<'_> {
    fn block(&mut self, statements: &[Stmt], checked: bool, close: Close) -> Block {
        let statements = self.with_names_apart(statements);
        self.sequence(&statements, checked, close)
    }

    /// Statements whose names are known to be apart.
    fn sequence(&mut self, statements: &[Stmt], checked: bool, close: Close) -> Block {
        self.depth += 1;
        let outer = self.values.clone();
        let mut block = Block::new();
        let mut rest = statements.iter();
        while let Some(statement) = rest.next() {
            if let Some((compute, marks)) = self.compute_block(statement) {
                let checked = checked && !marks.unchecked;
                let source = Source::default();
                let span = marks.compute.map_or_else(|| statement.span(), |mark| mark.span());
                let compute = self.sequence(&compute.stmts, checked, Close::Nothing);
                let body = self.sequence(rest.as_slice(), checked, close);
                block.push(Statement {
                    kind: Kind::Compute { compute, body },
                    span,
                    source,
                    checked,
                    generated: false,
                    undoes: false,
                });
                break;
            }
            self.statement(statement, checked, &mut block);
        }
        if close == Close::All {
            close_scopes(&mut block);
            self.values = outer;
        }
        self.depth -= 1;
        block
    }

    /// The statements, where a name that other blocks use for something else gets
    /// another one: what a name stands for is asked for by the name alone.
    fn with_names_apart<'s>(&mut self, statements: &'s [Stmt]) -> Cow<'s, [Stmt]> {
        let mut statements = Cow::Borrowed(statements);
        let mut here: HashSet<Ident> = HashSet::new();
        for i in 0..statements.len() {
            for (name, own) in rename::declared(&statements[i]) {
                // Hiding a name that is alive is a mistake, which is told elsewhere.
                let alive = self.values.contains(&name) || !here.insert(name.clone());
                let before = self.lets.insert(name.clone(), own);
                let again = before.is_some_and(|before| !(before && own));
                let clashes = again || self.loops.contains_key(&name);
                if alive || !clashes || rename::is_captured_in(&name, &statements[i..]) {
                    continue;
                }
                let other = free_name(&name.to_string(), self.used);
                let other = format_ident!("{other}", span = name.span());
                rename::rename_from(&mut statements.to_mut()[i..], &name, &other);
                self.lets.insert(other, own);
            }
        }
        statements
    }

    /// A `#[compute]` block, with its attributes.
    fn compute_block<'s>(&mut self, statement: &'s Stmt) -> Option<(&'s syn::Block, Marks)> {
        let Stmt::Expr(Expr::Block(block), _) = statement else { return None };
        if !block.attrs.iter().any(|a| is_ours(a, "compute")) {
            return None;
        }
        Some((&block.block, self.marks(&block.attrs)))
    }

    fn marks(&mut self, attributes: &[Attribute]) -> Marks {
        let mut marks = Marks::default();
        for attribute in attributes {
            let path = attribute.path();
            if path.is_ident("doc") {
                continue;
            }
            let bare = attribute.meta.require_path_only().is_ok();
            let (compute, unchecked) =
                (is_ours(attribute, "compute"), is_ours(attribute, "unchecked"));
            if compute && bare {
                marks.compute = Some(attribute.clone());
            } else if unchecked && bare {
                marks.unchecked = true;
            } else if is_one_of_paths(path, &LINTS) {
                let mut attribute = attribute.clone();
                // What one direction fulfils, another may not.
                if let (true, syn::Meta::List(list)) =
                    (path.is_ident("expect"), &mut attribute.meta)
                {
                    list.path = format_ident!("allow", span = path.span()).into();
                }
                self.lints.push(attribute);
            } else if path.is_ident("cfg") || path.is_ident("cfg_attr") {
                marks.left_out = true;
                self.diagnostics.error(
                    attribute,
                    "what is declared here cannot be left out of some builds: the directions would \
                     not fit",
                    "ask in a condition, `let n = if cfg!(…) { … } else { … };`, or put `#[cfg]` on \
                     the function",
                );
            } else if compute || unchecked {
                self.diagnostics.error(
                    attribute,
                    format!("`{}` takes no arguments", text::of(path)),
                    format!("write `#[{}]`", text::of(path)),
                );
            } else {
                self.diagnostics.error(
                    attribute,
                    format!("`{}` is not an attribute of a reversible statement", text::of(path)),
                    "`#[compute]` stands on a block, `#[unchecked]` on any statement, block or \
                     loop; everything else goes on the function",
                );
            }
        }
        marks
    }

    /// As [`Parser::marks`], where `#[compute]` has no place.
    fn marks_without_compute(&mut self, attributes: &[Attribute]) -> Marks {
        let marks = self.marks(attributes);
        if let Some(mark) = &marks.compute {
            self.diagnostics.error(
                mark,
                "`#[compute]` stands on a block that is directly followed by the statements \
                 that use what it computes",
                "write `#[compute] { … }` as a statement of its own",
            );
        }
        marks
    }

    fn statement(&mut self, statement: &Stmt, checked: bool, block: &mut Block) {
        match statement {
            Stmt::Local(local) => {
                for local in split_local(local) {
                    block.extend(self.local(&local, checked).into_iter().flatten());
                }
            }
            Stmt::Item(item) if self.depth == 1 => self.items.push(item.clone()),
            Stmt::Item(item) => self.diagnostics.error(
                item,
                "an item in an inner block would be seen by the whole function, which is emitted \
                 in two directions",
                "declare it at the top of the function, or outside of it",
            ),
            // The end of an ancilla is a declaration, backwards.
            Stmt::Macro(call) if call.mac.path.is_ident("unlet") => {
                let marks = self.marks_without_compute(&call.attrs);
                if !marks.left_out {
                    block.extend(self.macro_statement(&call.mac, checked && !marks.unchecked));
                }
            }
            Stmt::Macro(syn::StmtMacro { attrs, mac, .. }) => {
                let expr = Expr::Macro(syn::ExprMacro { attrs: attrs.clone(), mac: mac.clone() });
                block.extend(self.expression(&expr, checked));
            }
            Stmt::Expr(expr, _) => block.extend(self.expression(expr, checked)),
        }
    }

    fn local(&mut self, local: &Local, checked: bool) -> Option<Vec<Statement>> {
        let attributes: Vec<_> =
            local.attrs.iter().filter(|a| !is_ours(a, "constant")).cloned().collect();
        if attributes.len() < local.attrs.len() {
            self.constants.extend(pattern_names(&local.pat));
        }
        let marks = self.marks_without_compute(&attributes);
        if marks.left_out {
            return None;
        }
        let checked = checked && !marks.unchecked;
        let Some(init) = &local.init else {
            self.diagnostics.error(
                local,
                "a `let` without a value: whatever it is given later cannot be undone",
                "give it its value here",
            );
            return None;
        };
        if let Some((token, diverge)) = &init.diverge {
            self.diagnostics.error(
                quote!(#token #diverge),
                "`let … else` leaves the block early, and running backwards could not know that",
                "use an `if`",
            );
            return None;
        }
        let view = viewed_place(&init.expr).is_some();
        let ancilla = contains_mutable(&local.pat);
        if ancilla && !mutable_borrows(&init.expr).is_empty() {
            self.diagnostics.error(
                local,
                "an ancilla holds a value of its own: through a borrow it would change another \
                 place unseen",
                "name the place with `let r = &mut …;`, without `mut`",
            );
            return None;
        }
        if let Expr::Binary(e) = &*init.expr
            && let Some(star) = pure::is_assignment(&e.op).then(|| last_star(&e.left)).flatten()
        {
            self.two_statements(star);
            return None;
        }
        let borrow = if view { pure::Borrow::Mutable } else { pure::Borrow::Shared };
        check_pure(&init.expr, borrow, self.own, self.diagnostics);
        self.values.extend(pattern_names(&local.pat));
        let mut value = (*init.expr).clone();
        let mut statements = Block::new();
        if view {
            statements = self.own_indices(&mut value, checked);
        }
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => ((*typed.pat).clone(), Some((*typed.ty).clone())),
            other => (other.clone(), None),
        };
        let kind = match &pattern {
            Pat::Ident(name) if name.mutability.is_some() => {
                if name.by_ref.is_some() || name.subpat.is_some() {
                    self.bad_pattern(&pattern);
                    return None;
                }
                let name = name.ident.clone();
                Kind::Allocate(Ancilla::new(name, ty, value, checked))
            }
            _ => {
                if contains_mutable(&pattern) {
                    self.bad_pattern(&pattern);
                    return None;
                }
                Kind::Bind(Binding { pattern: local.pat.clone(), value, verify: false })
            }
        };
        let source = match &kind {
            Kind::Bind(binding) => matching::head(binding),
            _ => None,
        };
        let source = Source::of(source.unwrap_or_else(|| local.to_token_stream()));
        statements.push(statement(kind, source, checked));
        Some(statements)
    }

    /// Names for the indices that read what an expression lends to be written.
    fn own_indices(&mut self, expr: &mut Expr, checked: bool) -> Block {
        let used = &mut *self.used;
        let found = hoist(expr, None, &mut || {
            format_ident!("{}", free_name("__index", used), span = Span::mixed_site())
        });
        let named = found.into_iter().map(|(name, value)| {
            let source = Source::of(value.to_token_stream());
            let pattern = syn::parse_quote!(#name);
            statement(Kind::Bind(Binding { pattern, value, verify: false }), source, checked)
        });
        named.collect()
    }

    fn bad_pattern(&mut self, pattern: &Pat) {
        self.diagnostics.error(
            pattern,
            "an ancilla is declared by its name alone, so that its release can name it",
            "write one `let mut name = …;` for each ancilla",
        );
    }

    fn macro_statement(&mut self, call: &syn::Macro, checked: bool) -> Option<Statement> {
        let name = call.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let kind = match name.as_str() {
            "host" => {
                pure::check_host(&call.tokens, self.diagnostics);
                Kind::Host(Host(call.tokens.clone()))
            }
            "unlet" => match call.parse_body::<Unlet>() {
                Ok(Unlet { name, value }) => {
                    check_pure(&value, pure::Borrow::Shared, self.own, self.diagnostics);
                    Kind::Release(Ancilla::new(name, None, value, checked))
                }
                Err(error) => {
                    self.diagnostics.error_at(
                        error.span(),
                        "`unlet!` releases an ancilla that is known to hold a value",
                        "write `unlet!(name = value);`",
                    );
                    return None;
                }
            },
            _ => {
                self.diagnostics.error(
                    &call.path,
                    format!("`{name}!` cannot be run backwards"),
                    if pure::only_speaks(&name) {
                        format!("wrap it, `host! {{ {name}!(…); }}`, to run it in both directions")
                    } else {
                        format!(
                            "write out its statements, or call a `#[reversible]` function; only \
                             what changes nothing may be wrapped, `host! {{ {name}!(…); }}`, \
                             because it runs in both directions and is never undone"
                        )
                    },
                );
                return None;
            }
        };
        let source = match call.delimiter {
            syn::MacroDelimiter::Brace(_) => Source::of(call.to_token_stream()),
            _ => Source::of_statement(call.to_token_stream()),
        };
        Some(statement(kind, source, checked))
    }

    fn expression(&mut self, expr: &Expr, checked: bool) -> Option<Statement> {
        if !pure::has_attributes(expr) {
            return self.unmarked(expr, checked);
        }
        let mut expr = expr.clone();
        let mut attributes = pure::take_attributes(&mut expr);
        // What only some builds have is under a condition, so that the directions fit.
        if let Some(at) = attributes.iter().position(|attribute| attribute.path().is_ident("cfg"))
            && let Ok(list) = attributes[at].meta.require_list()
        {
            let (builds, span) = (list.tokens.clone(), attributes.remove(at).span());
            let conditional = syn::parse_quote_spanned!(span=>
                    if ::core::cfg!(#builds) { #(#attributes)* #expr; });
            return self.expression(&conditional, checked);
        }
        let marks = self.marks_without_compute(&attributes);
        self.unmarked(&expr, checked && !marks.unchecked)
    }

    /// A statement that is an expression, its attributes seen to.
    fn unmarked(&mut self, expr: &Expr, checked: bool) -> Option<Statement> {
        let (kind, source) = match expr {
            Expr::Binary(e) if pure::is_assignment(&e.op) => {
                (self.update(e)?, Source::of_statement(e.to_token_stream()))
            }
            Expr::Call(e) => {
                let source = Source::of_statement(e.to_token_stream());
                return Some(with_branches(statement(self.call(e)?, source, checked)));
            }
            Expr::MethodCall(e) => {
                let source = Source::of_statement(e.to_token_stream());
                return Some(with_branches(statement(self.method_call(e)?, source, checked)));
            }
            Expr::If(e) => {
                let (word, condition) = (&e.if_token, &e.cond);
                let source = Source::of(quote!(#word #condition));
                (self.branch(e, checked)?, source)
            }
            Expr::While(e) => {
                let (word, condition) = (&e.while_token, &e.cond);
                let source = Source::of(quote!(#word #condition));
                (self.while_loop(e, checked)?, source)
            }
            Expr::ForLoop(e) => {
                let syn::ExprForLoop { for_token, pat, in_token, expr, .. } = e;
                let source = Source::of(quote!(#for_token #pat #in_token #expr));
                (self.for_loop(e, checked), source)
            }
            Expr::Block(e) if e.label.is_none() => {
                let block = Kind::Block(self.block(&e.block.stmts, checked, Close::All));
                let span = e.block.brace_token.span.open();
                return Some(Statement { span, ..statement(block, Source::default(), checked) });
            }
            Expr::Paren(e) => return self.expression(&e.expr, checked),
            Expr::Macro(e) => return self.macro_statement(&e.mac, checked),
            Expr::Unary(e) if matches!(e.op, UnOp::Not(_)) => {
                let inner = self.expression(&e.expr, checked)?;
                let [inverse] = <[Statement; 1]>::try_from(invert(&[inner])).ok()?;
                return Some(Statement {
                    source: Source::of(e.to_token_stream()),
                    span: e.op.span(),
                    ..inverse
                });
            }
            other => {
                pure::reject(other, self.diagnostics);
                return None;
            }
        };
        Some(statement(kind, source, checked))
    }

    fn two_statements(&mut self, star: Token![*]) {
        self.diagnostics.error(
            star,
            "two statements run into one: this `*` is taken for a product with what is before it",
            "end the statement before it with `;`",
        );
    }

    fn update(&mut self, e: &syn::ExprBinary) -> Option<Kind> {
        if let Some(star) = forgotten_semicolon(e) {
            self.two_statements(star);
            return None;
        }
        let operator = match e.op {
            BinOp::AddAssign(_) => Operator::Add,
            BinOp::SubAssign(_) => Operator::Subtract,
            BinOp::BitXorAssign(_) => Operator::Xor,
            BinOp::MulAssign(_) => Operator::Multiply,
            BinOp::DivAssign(_) => Operator::Divide,
            _ => {
                self.diagnostics.error(
                    e,
                    format!("`{}` forgets the old value and cannot be undone", text::of(&e.op)),
                    "`+=`, `-=` and `^=` can be undone, `*=` and `/=` on types with a \
                     multiplicative group; or write the result somewhere else: `*y += …;`",
                );
                return None;
            }
        };
        if !is_written(&e.left) {
            let help = match crate::foreign::lends(&e.left) {
                true => {
                    "write to the place itself, by its index: `x[k] += …;`; the map whose entries \
                     are places is the library's `Map`"
                }
                false => {
                    "write to a variable, `*reference`, a field, an index or a view such as \
                     `*negated(&mut x)`"
                }
            };
            self.diagnostics.error(&e.left, "this is not a place that can be written", help);
            return None;
        }
        check_pure(&e.right, pure::Borrow::Shared, self.own, self.diagnostics);
        check_pure(&e.left, pure::Borrow::Mutable, self.own, self.diagnostics);
        Some(Kind::Update { place: (*e.left).clone(), operator, value: (*e.right).clone() })
    }

    fn arguments<'s>(&mut self, arguments: impl IntoIterator<Item = &'s Expr>) -> Vec<Expr> {
        arguments
            .into_iter()
            .map(|argument| {
                check_pure(argument, pure::Borrow::Mutable, self.own, self.diagnostics);
                argument.clone()
            })
            .collect()
    }

    fn call(&mut self, e: &syn::ExprCall) -> Option<Kind> {
        let Some(path) = function_name(&e.func) else {
            self.diagnostics.error(
                &e.func,
                "only a function's name can be called here: its inverse is found by its name",
                "call a `#[reversible]` function, a method, or an argument that implements \
                 `Reversible`",
            );
            return None;
        };
        let mut path = path.clone();
        let arguments = self.arguments(&e.args);
        let mut inverse = false;
        let segments = path.path.segments.len();
        if segments > 1
            && path.path.segments[segments - 1].ident == "inverse"
            && !is_module(&path.path.segments[segments - 2])
        {
            // `g::inverse::<T>(…)` is the uncall of `g::<T>`.
            inverse = true;
            let last = path.path.segments.pop().expect("two segments");
            path.path.segments.pop_punct();
            path.path.segments.last_mut().unwrap().arguments = last.arguments;
        }
        let callee = match path.path.get_ident() {
            Some(name) if self.values.contains(name) => Callee::Value(name.clone()),
            _ if Callee::is_associated(&path) => {
                let name = &mut path.path.segments.last_mut().unwrap().ident;
                inverse |= strip_inverse(name);
                Callee::Associated(path)
            }
            _ => Callee::Function(path),
        };
        let direction = if inverse { Direction::Inverse } else { Direction::Forward };
        let parentheses = e.paren_token;
        Some(Kind::Call(Call { callee, arguments, parentheses, direction }))
    }

    fn method_call(&mut self, e: &syn::ExprMethodCall) -> Option<Kind> {
        check_pure(&e.receiver, pure::Borrow::Mutable, self.own, self.diagnostics);
        let arguments = self.arguments(&e.args);
        let mut name = e.method.clone();
        let inverse = strip_inverse(&mut name);
        let callee =
            Callee::Method { receiver: e.receiver.clone(), name, turbofish: e.turbofish.clone() };
        let direction = if inverse { Direction::Inverse } else { Direction::Forward };
        let parentheses = e.paren_token;
        Some(Kind::Call(Call { callee, arguments, parentheses, direction }))
    }

    /// The conditions before and after: `c` or `(pre, post)`.
    fn conditions(&mut self, condition: &Expr) -> Option<(Expr, Option<Expr>)> {
        match condition {
            Expr::Tuple(pair) if pair.elems.len() == 2 => {
                let pre = pair.elems[0].clone();
                let post = match &pair.elems[1] {
                    Expr::Infer(_) => pre.clone(),
                    other => other.clone(),
                };
                check_pure(&pre, pure::Borrow::Shared, self.own, self.diagnostics);
                if pre != post {
                    check_pure(&post, pure::Borrow::Shared, self.own, self.diagnostics);
                }
                Some((pre, Some(post)))
            }
            Expr::Tuple(_) => {
                self.diagnostics.error(
                    condition,
                    "a pair of conditions has two parts",
                    "write `(before, after)`",
                );
                None
            }
            Expr::Let(_) => {
                self.diagnostics.error(
                    condition,
                    "`let` beside other conditions, or in a loop, may bind another value going backwards",
                    "write `if let … { … }` or `match` alone, with the other conditions inside; or \
                     test with a plain condition such as `x.is_some()` or `matches!(…)`",
                );
                None
            }
            _ => {
                check_pure(condition, pure::Borrow::Shared, self.own, self.diagnostics);
                Some((condition.clone(), None))
            }
        }
    }

    fn branch(&mut self, e: &syn::ExprIf, checked: bool) -> Option<Kind> {
        let mut arms = Vec::new();
        let mut next = e;
        loop {
            let conditions = self.conditions(&next.cond);
            let body = self.block(&next.then_branch.stmts, checked, Close::All);
            let (pre, post) = conditions?;
            // An absent postcondition is the precondition; the check stage
            // decides whether it holds without a check.
            let verify = checked && post.is_some();
            let post = post.unwrap_or_else(|| pre.clone());
            arms.push(Arm { pre, post, verify, body });
            match next.else_branch.as_ref().map(|(_, e)| &**e) {
                Some(Expr::If(e)) => next = e,
                Some(Expr::Block(e)) => {
                    let otherwise = Some(self.block(&e.block.stmts, checked, Close::All));
                    return Some(Kind::If { arms, otherwise });
                }
                _ => return Some(Kind::If { arms, otherwise: None }),
            }
        }
    }

    fn while_loop(&mut self, e: &syn::ExprWhile, checked: bool) -> Option<Kind> {
        let conditions = self.conditions(&e.cond);
        let body = self.block(&e.body.stmts, checked, Close::All);
        self.no_label(&e.label);
        let (pre, post) = conditions?;
        let Some(post) = post else {
            self.diagnostics.error(
                &e.cond,
                "a `while` needs a second condition to know, going backwards, when to stop",
                "write `while (before, after) { … }`, where `after` is false on entry and true \
                 after every pass; or a `for` over a range",
            );
            return None;
        };
        if pre == post {
            self.diagnostics.error(
                &e.cond,
                "the two conditions of a `while` are the same, but the second one must be false \
                 on entry, where the first one is true",
                "let the second condition say that at least one pass was made: `k != 0` for a \
                 counter that starts at 0",
            );
            return None;
        }
        Some(Kind::While { pre, post, verify: checked, body })
    }

    fn for_loop(&mut self, e: &syn::ExprForLoop, checked: bool) -> Kind {
        self.no_label(&e.label);
        check_pure(&e.expr, pure::Borrow::Mutable, self.own, self.diagnostics);
        let outer = self.values.clone();
        let (mut pattern, mut block) = ((*e.pat).clone(), e.body.clone());
        for (name, how) in rename::uses(&e.pat, &e.expr) {
            // A name that two loops use in different ways is one for each.
            let differs = *self.loops.entry(name.clone()).or_insert(how) != how
                || self.lets.contains_key(&name);
            // In Rust's own idiom, `for (y, x) in y.iter_mut().zip(x)`, the passes
            // cannot name what is hidden: so another name for it changes nothing.
            if (differs || self.values.contains(&name)) && !rename::is_captured(&name, &block) {
                let other = free_name(&name.to_string(), self.used);
                let other = format_ident!("{other}", span = name.span());
                rename::rename(&mut pattern, &mut block, &name, &other);
            }
        }
        self.values.extend(pattern_names(&pattern));
        let body = self.block(&block.stmts, checked, Close::All);
        self.values = outer;
        let (sequence, reversed) = match &*e.expr {
            Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                (unparen(&call.receiver), true)
            }
            other => (other.clone(), false),
        };
        let mut sequence = sequence;
        let mut named = self.own_indices(&mut sequence, checked);
        let repeat = Kind::For { pattern, sequence, reversed, verify: false, body };
        if named.is_empty() {
            return repeat;
        }
        let syn::ExprForLoop { for_token, pat, in_token, expr, .. } = e;
        let source = Source::of(quote!(#for_token #pat #in_token #expr));
        named.push(statement(repeat, source, checked));
        close_scopes(&mut named);
        Kind::Block(named)
    }

    fn no_label(&mut self, label: &Option<syn::Label>) {
        if let Some(label) = label {
            self.diagnostics.error(
                label,
                "a label is for `break` and `continue`, which cannot be run backwards",
                "remove the label",
            );
        }
    }
}

/// The name of a function that is called; `Self(…)` and the like call none.
pub(crate) fn function_name(function: &Expr) -> Option<&syn::ExprPath> {
    let Expr::Path(path) = function else { return None };
    let last = path.path.segments.last()?;
    let word = ["Self", "self", "super", "crate"].iter().any(|word| last.ident == word);
    (!word).then_some(path)
}

/// The `*` at the beginning of a line that is taken for a product because the statement
/// before has no `;`: `*y += 1.0 ⏎ *z += 2.0;`, `!{ … } ⏎ *y += 1.0;`.
fn forgotten_semicolon(e: &syn::ExprBinary) -> Option<Token![*]> {
    match (&*e.left, &*e.right) {
        (_, Expr::Binary(next)) if pure::is_assignment(&next.op) => last_star(&next.left),
        (Expr::Binary(product), _) if matches!(*product.left, Expr::Unary(_) | Expr::Block(_)) => {
            last_star(&e.left)
        }
        _ => None,
    }
}

/// The `*` of a last factor, which may be what a statement of its own writes.
fn last_star(value: &Expr) -> Option<Token![*]> {
    let Expr::Binary(product) = value else { return None };
    match product.op {
        BinOp::Mul(star) => Some(star),
        _ => last_star(&product.right),
    }
}

/// Whether a part of a path is a module of the library that has a function named `inverse`, so
/// that `linalg::inverse(…)` is a call of that. Names are not resolved here: of other modules such
/// a function is brought in by `use`, and called by its own name.
fn is_module(segment: &syn::PathSegment) -> bool {
    segment.ident == "linalg"
}

/// Turns `g_inverse` into `g`.
fn strip_inverse(name: &mut Ident) -> bool {
    let text = name.to_string();
    let Some(forward) = text.strip_suffix("_inverse") else { return false };
    // `fn_inverse` is that of `r#fn`, and `self_inverse` of nothing.
    let found = [forward.to_string(), format!("r#{forward}")];
    let Some(mut forward) = found.iter().find_map(|name| syn::parse_str::<Ident>(name).ok()) else {
        return false;
    };
    forward.set_span(name.span());
    *name = forward;
    true
}

fn unparen(expr: &Expr) -> Expr {
    match expr {
        Expr::Paren(e) => unparen(&e.expr),
        other => other.clone(),
    }
}
