//! Loop variables that hide a name get another one, so that no two names that
//! are alive at the same time are the same.

use crate::attribute::is_ours;
use crate::names::pattern_names;
use crate::place::bare_name;
use crate::visit::{self, VisitMut};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::{Block, Expr, FieldPat, FieldValue, Macro, Member, Pat, PatIdent, Stmt};

/// How the variables of a loop are used, as far as its head tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A number that counts.
    Counter,
    /// An element that is read.
    Read,
    /// An element that is written.
    Written,
}

/// The variables of a loop, and how they are used.
pub fn uses(pattern: &Pat, sequence: &Expr) -> Vec<(Ident, Use)> {
    let all = |how| pattern_names(pattern).into_iter().map(|name| (name, how)).collect();
    match (sequence, pattern) {
        (Expr::Paren(e), _) => uses(pattern, &e.expr),
        (Expr::Range(_), _) => all(Use::Counter),
        (Expr::Reference(e), _) if e.mutability.is_some() => all(Use::Written),
        (Expr::MethodCall(call), _) => match (call.method.to_string().as_str(), pattern) {
            ("zip", Pat::Tuple(pair)) if pair.elems.len() == 2 && call.args.len() == 1 => {
                let mut found = uses(&pair.elems[0], &call.receiver);
                found.extend(uses(&pair.elems[1], &call.args[0]));
                found
            }
            ("enumerate", Pat::Tuple(pair)) if pair.elems.len() == 2 => {
                let counters = pattern_names(&pair.elems[0]).into_iter();
                let mut found: Vec<_> = counters.map(|name| (name, Use::Counter)).collect();
                found.extend(uses(&pair.elems[1], &call.receiver));
                found
            }
            ("rev" | "skip" | "take" | "step_by", _) => uses(pattern, &call.receiver),
            (method, _) if crate::place::lends(method) => all(Use::Written),
            _ => all(Use::Read),
        },
        _ => all(Use::Read),
    }
}

/// Renames a loop variable in its pattern and in the passes.
pub fn rename(pattern: &mut Pat, block: &mut Block, from: &Ident, to: &Ident) {
    let mut renamer = Renamer { from, to };
    renamer.visit_pat_mut(pattern);
    renamer.visit_block_mut(block);
}

/// The names that a statement declares for those after it, and whether each holds a
/// value of its own for sure, rather than a reference to another one.
pub fn declared(statement: &Stmt) -> Vec<(Ident, bool)> {
    match statement {
        Stmt::Local(local) => {
            let own = local.init.as_ref().is_some_and(|init| is_own(&init.expr));
            pattern_names(&local.pat).into_iter().map(|name| (name, own)).collect()
        }
        // The names of a `#[compute]` block live on.
        Stmt::Expr(Expr::Block(e), _) if e.attrs.iter().any(|a| is_ours(a, "compute")) => {
            e.block.stmts.iter().flat_map(declared).collect()
        }
        _ => Vec::new(),
    }
}

fn is_own(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) | Expr::Binary(_) | Expr::Unary(_) | Expr::Cast(_) | Expr::Call(_) => true,
        Expr::Array(_) | Expr::Repeat(_) | Expr::Macro(_) | Expr::Struct(_) => true,
        Expr::Paren(e) => is_own(&e.expr),
        Expr::Tuple(e) => e.elems.iter().all(is_own),
        Expr::Index(e) => !matches!(&*e.index, Expr::Range(_)),
        Expr::MethodCall(e) => crate::functions::is_known(&e.method.to_string()),
        _ => false,
    }
}

/// `Point { x }` as `Point { x: x_ }`, where the name that the pattern binds is another one now.
pub fn spell_out(field: &mut FieldPat) {
    let own = matches!((&field.member, &*field.pat),
        (Member::Named(member), Pat::Ident(name)) if name.ident == *member);
    if !own {
        field.colon_token.get_or_insert_default();
    }
}

/// The same of a value.
pub fn spell_out_value(field: &mut FieldValue) {
    let own = matches!((&field.member, bare_name(&field.expr)),
        (Member::Named(member), Some(name)) if name == member);
    if !own {
        field.colon_token.get_or_insert_default();
    }
}

/// Renames what the first statement declares, in it and in all after it.
pub fn rename_from(statements: &mut [Stmt], from: &Ident, to: &Ident) {
    let mut renamer = Renamer { from, to };
    for (i, statement) in statements.iter_mut().enumerate() {
        match statement {
            // It does not know itself yet.
            Stmt::Local(local) if i == 0 => renamer.visit_pat_mut(&mut local.pat),
            other => renamer.visit_stmt_mut(other),
        }
    }
}

/// As [`is_captured`], in any of some statements.
pub fn is_captured_in(name: &Ident, statements: &[Stmt]) -> bool {
    let stmts = statements.to_vec();
    is_captured(name, &Block { brace_token: Default::default(), stmts })
}

/// Whether a string captures the name, `"{x}"`, where it cannot be changed.
pub fn is_captured(name: &Ident, block: &Block) -> bool {
    fn search(tokens: TokenStream, name: &Ident) -> bool {
        tokens.into_iter().any(|token| match &token {
            TokenTree::Group(group) => search(group.stream(), name),
            TokenTree::Literal(_) => crate::place::identifiers(&token.into()).contains(name),
            _ => false,
        })
    }
    search(quote::ToTokens::to_token_stream(block), name)
}

struct Renamer<'a> {
    from: &'a Ident,
    to: &'a Ident,
}

impl Renamer<'_> {
    /// The other name, where the name stands.
    fn at(&self, name: &Ident) -> Ident {
        let mut other = self.to.clone();
        other.set_span(name.span());
        other
    }

    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        tokens
            .into_iter()
            .map(|token| match token {
                TokenTree::Ident(name) if name == *self.from => TokenTree::Ident(self.at(&name)),
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    TokenTree::Group(inner)
                }
                other => other,
            })
            .collect()
    }
}

impl VisitMut for Renamer<'_> {
    fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
        if pattern.ident == *self.from {
            pattern.ident = self.at(&pattern.ident);
        }
        visit::visit_pat_ident_mut(self, pattern);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = expr
            && let Some(name) = path.path.get_ident()
            && name == self.from
        {
            path.path = self.at(name).into();
            return;
        }
        visit::visit_expr_mut(self, expr);
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        visit::visit_field_value_mut(self, field);
        spell_out_value(field);
    }

    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        visit::visit_field_pat_mut(self, field);
        spell_out(field);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        call.tokens = self.tokens(std::mem::take(&mut call.tokens));
    }
}
