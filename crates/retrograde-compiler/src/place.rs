//! Places and what they share: which memory an expression reads, and whether
//! two accesses can meet.

use crate::visit::Visit;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::{BinOp, Expr, Lit, Member, RangeLimits, Signature, UnOp};

/// One access to memory: a variable and a path into it. Dereferences are left
/// out of the path, because Rust's references cannot alias what they must not.
#[derive(Clone, Debug)]
pub struct Access {
    /// The variable.
    pub root: Ident,
    /// The way from there.
    pub path: Vec<Step>,
    /// The expression as written.
    pub expr: Expr,
}

/// One step into a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `.field` or `.0`
    Field(Member),
    /// `[index]`
    Index(Box<Expr>),
    /// The element that a loop variable stands for.
    Element(Ident),
    /// The part that a method such as `row_mut` gives.
    Part,
    /// The length or shape, which writing an element does not change.
    Shape,
}

impl Step {
    /// Whether it is into a part that is a container as the whole is.
    pub fn is_range(&self) -> bool {
        matches!(self, Step::Index(index) if matches!(**index, Expr::Range(_)))
    }
}

/// Whether two accesses share memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Overlap {
    /// They do not.
    Never,
    /// Only run time can tell: indices.
    Maybe,
    /// They do, or one contains the other.
    Certain,
}

/// Methods that ask for the shape of a container and read no element.
const SHAPE: [&str; 9] =
    ["len", "is_empty", "nrows", "ncols", "shape", "dim", "rows", "cols", "capacity"];

/// Whether a method lends a part of what it is called on to be written. That of a cell does
/// not: others may hold the same cell.
pub fn lends(method: &str) -> bool {
    (method.ends_with("_mut") && method != "borrow_mut") || method == "as_mut_slice"
}

/// Whether a method asks for the shape of a container.
pub fn is_shape(method: &str) -> bool {
    SHAPE.contains(&method)
}

/// The place that an expression denotes, if it denotes one.
pub fn access(expr: &Expr) -> Option<Access> {
    fn walk(expr: &Expr, path: &mut Vec<Step>) -> Option<Ident> {
        match expr {
            Expr::Path(path) => path.path.get_ident().cloned(),
            Expr::Paren(e) => walk(&e.expr, path),
            Expr::Group(e) => walk(&e.expr, path),
            Expr::Reference(e) => walk(&e.expr, path),
            Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => walk(&e.expr, path),
            Expr::Field(e) => {
                let root = walk(&e.base, path)?;
                path.push(Step::Field(e.member.clone()));
                Some(root)
            }
            Expr::Index(e) => {
                let root = walk(&e.expr, path)?;
                path.push(Step::Index(e.index.clone()));
                Some(root)
            }
            Expr::MethodCall(e) => {
                let name = e.method.to_string();
                let step = if SHAPE.contains(&name.as_str()) {
                    Step::Shape
                } else if lends(&name) {
                    // `x.row_mut(i)`: some part of it.
                    Step::Part
                } else {
                    return None;
                };
                let root = walk(&e.receiver, path)?;
                path.push(step);
                Some(root)
            }
            // A bijective view, `negated(&mut x)`: the place behind it.
            Expr::Call(e) => {
                let first = e.args.first()?;
                let Expr::Reference(reference) = first else { return None };
                reference.mutability.as_ref()?;
                // With two places to choose from, nobody knows which it gives.
                if e.args.iter().skip(1).any(|other| !mutable_borrows(other).is_empty()) {
                    return None;
                }
                let root = walk(&reference.expr, path)?;
                path.push(Step::Part);
                Some(root)
            }
            _ => None,
        }
    }
    let mut path = Vec::new();
    let root = walk(expr, &mut path)?;
    Some(Access { root, path, expr: expr.clone() })
}

/// Whether an expression is a place that can be written: a shape can only be asked for.
pub fn is_written(expr: &Expr) -> bool {
    access(expr).is_some_and(|place| !place.path.contains(&Step::Shape))
}

impl Access {
    /// Access to a whole variable.
    pub fn whole(root: &Ident) -> Self {
        // Not by `parse_quote!`: in opaque code the name may be a keyword.
        let path = syn::Path::from(root.clone());
        let expr = Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path });
        Access { root: root.clone(), path: Vec::new(), expr }
    }

    /// The source text, for messages.
    pub fn text(&self) -> String {
        crate::text::of(&self.expr)
    }

    /// Whether the two share memory. The first `plain` steps are into containers
    /// of the standard library, where different indices are different elements;
    /// in others only run time can tell.
    pub fn overlap(&self, other: &Access, plain: usize) -> Overlap {
        if self.root != other.root {
            return Overlap::Never;
        }
        let mut result = Overlap::Certain;
        for (depth, (a, b)) in self.path.iter().zip(&other.path).enumerate() {
            match (a, b) {
                (Step::Shape, Step::Shape) => {}
                // Writing an element of a slice leaves its length; what a type of
                // unknown kind calls its length may depend on anything.
                (Step::Shape, Step::Index(_)) | (Step::Index(_), Step::Shape) if depth < plain => {
                    return Overlap::Never;
                }
                (Step::Field(a), Step::Field(b)) => {
                    if a != b {
                        return Overlap::Never;
                    }
                }
                (Step::Index(a), Step::Index(b)) => match indices_meet(a, b) {
                    Overlap::Never if depth < plain => return Overlap::Never,
                    Overlap::Never => result = Overlap::Maybe,
                    met => result = result.min(met),
                },
                (Step::Element(a), Step::Element(b)) if a == b => {}
                _ => result = Overlap::Maybe,
            }
        }
        // A write to the whole may change its shape.
        let longer = if self.path.len() > other.path.len() { self } else { other };
        let shorter = self.path.len().min(other.path.len());
        if longer.path.get(shorter) == Some(&Step::Shape) {
            result = Overlap::Maybe;
        }
        result
    }
}

/// How deep two paths agree before an index tells them apart.
pub fn first_difference(a: &Access, b: &Access) -> Option<usize> {
    let differs = a.path.iter().zip(&b.path).position(|(a, b)| a != b)?;
    match (&a.path[differs], &b.path[differs]) {
        (Step::Index(_), Step::Index(_)) => Some(differs),
        _ => None,
    }
}

/// Whether two index expressions select a common element.
pub fn indices_meet(a: &Expr, b: &Expr) -> Overlap {
    if a == b {
        return Overlap::Certain;
    }
    match (strip(a), strip(b)) {
        (Expr::Tuple(a), Expr::Tuple(b)) if a.elems.len() == b.elems.len() => a
            .elems
            .iter()
            .zip(&b.elems)
            .map(|(a, b)| indices_meet(a, b))
            .min()
            .unwrap_or(Overlap::Certain),
        (Expr::Array(a), Expr::Array(b)) if a.elems.len() == b.elems.len() => a
            .elems
            .iter()
            .zip(&b.elems)
            .map(|(a, b)| indices_meet(a, b))
            .min()
            .unwrap_or(Overlap::Certain),
        (Expr::Range(a), Expr::Range(b)) => {
            let touch =
                |end: &Option<Box<Expr>>, limits: &RangeLimits, start: &Option<Box<Expr>>| {
                    matches!((end, start), (Some(e), Some(s)) if e == s)
                        && matches!(limits, RangeLimits::HalfOpen(_))
                };
            if touch(&a.end, &a.limits, &b.start) || touch(&b.end, &b.limits, &a.start) {
                Overlap::Never
            } else {
                Overlap::Maybe
            }
        }
        (Expr::Range(_), _) | (_, Expr::Range(_)) => Overlap::Maybe,
        (a, b) => {
            let ((base_a, offset_a), (base_b, offset_b)) = (affine(a), affine(b));
            match base_a == base_b {
                true if offset_a == offset_b => Overlap::Certain,
                true => Overlap::Never,
                false => Overlap::Maybe,
            }
        }
    }
}

fn strip(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(e) => strip(&e.expr),
        Expr::Group(e) => strip(&e.expr),
        _ => expr,
    }
}

/// An index as a base and a constant: `i + 1`, `1 + i`, `i - 2`, `i`, `3`.
pub fn affine(expr: &Expr) -> (Option<&Expr>, i128) {
    let constant = |e: &Expr| match e {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(value) => value.base10_parse::<i128>().ok(),
            _ => None,
        },
        _ => None,
    };
    if let Some(value) = constant(expr) {
        return (None, value);
    }
    let unknown = (Some(expr), 0);
    if let Expr::Binary(e) = expr {
        let (left, right) = (strip(&e.left), strip(&e.right));
        match (&e.op, constant(left), constant(right)) {
            (BinOp::Add(_), _, Some(c)) => {
                let (base, offset) = affine(left);
                return offset.checked_add(c).map_or(unknown, |offset| (base, offset));
            }
            (BinOp::Sub(_), _, Some(c)) => {
                let (base, offset) = affine(left);
                return offset.checked_sub(c).map_or(unknown, |offset| (base, offset));
            }
            (BinOp::Add(_), Some(c), _) => {
                let (base, offset) = affine(right);
                return offset.checked_add(c).map_or(unknown, |offset| (base, offset));
            }
            _ => {}
        }
    }
    unknown
}

/// Everything that evaluating `expr` reads.
pub fn reads(expr: &Expr) -> Vec<Access> {
    let mut reads = Reads(Vec::new());
    reads.visit_expr(expr);
    reads.0
}

/// What finding a place reads: its indices, not the place itself.
pub fn reads_of_place(place: &Expr) -> Vec<Access> {
    let mut reads = Reads(Vec::new());
    reads.visit_indices(place);
    reads.0
}

struct Reads(Vec<Access>);

impl Reads {
    fn visit_indices(&mut self, place: &Expr) {
        match place {
            Expr::Paren(e) => self.visit_indices(&e.expr),
            Expr::Group(e) => self.visit_indices(&e.expr),
            Expr::Reference(e) => self.visit_indices(&e.expr),
            Expr::Unary(e) => self.visit_indices(&e.expr),
            Expr::Field(e) => self.visit_indices(&e.base),
            Expr::MethodCall(e) => {
                self.visit_indices(&e.receiver);
                e.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::Index(e) => {
                self.visit_indices(&e.expr);
                self.visit_expr(&e.index);
            }
            Expr::Call(e) => {
                if let Some(first) = e.args.first() {
                    self.visit_indices(first);
                }
                e.args.iter().skip(1).for_each(|argument| self.visit_expr(argument));
            }
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Reads {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match access(expr) {
            Some(access) => {
                self.visit_indices(expr);
                self.0.push(access);
            }
            None => crate::visit::visit_expr(self, expr),
        }
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        if let Some((element, length)) = crate::text::filled_vector(call) {
            self.0.extend(reads(&element).into_iter().chain(reads(&length)));
            return;
        }
        if let Some(elements) = crate::text::listed_vector(call) {
            self.0.extend(elements.iter().flat_map(reads));
            return;
        }
        if let Some((value, rest)) = crate::text::matched(call) {
            self.0.extend(reads(&value));
            self.0.extend(identifiers(&rest).iter().map(Access::whole));
            return;
        }
        self.0.extend(identifiers(&call.tokens).iter().map(Access::whole));
    }
}

/// Whether a name occurs in an expression.
pub fn mentions(expr: &Expr, name: &Ident) -> bool {
    struct Mentions {
        name: String,
        found: bool,
    }
    impl Visit<'_> for Mentions {
        fn visit_expr(&mut self, expr: &Expr) {
            if !self.found {
                crate::visit::visit_expr(self, expr);
            }
        }
        fn visit_ident(&mut self, ident: &Ident) {
            self.found |= *ident == self.name;
        }
        fn visit_token_stream(&mut self, tokens: &TokenStream) {
            self.found |= identifiers(tokens).iter().any(|ident| *ident == self.name);
        }
    }
    let mut mentions = Mentions { name: name.to_string(), found: false };
    mentions.visit_expr(expr);
    mentions.found
}

/// The names in a function, as text.
pub fn names_in(signature: &Signature, body: Option<&syn::Block>) -> HashSet<String> {
    struct Collected(HashSet<String>);
    impl Visit<'_> for Collected {
        fn visit_ident(&mut self, ident: &Ident) {
            self.0.insert(ident.to_string());
        }
        fn visit_token_stream(&mut self, tokens: &TokenStream) {
            self.0.extend(identifiers(tokens).iter().map(Ident::to_string));
        }
    }
    let mut collected = Collected(HashSet::new());
    collected.visit_signature(signature);
    body.into_iter().for_each(|body| collected.visit_block(body));
    collected.0
}

/// What opaque code may read: of `y.len()` the shape, of all else that it mentions everything.
pub fn opaque_reads(tokens: &TokenStream) -> Vec<Access> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut found = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) => {
                let is_field = i > 0 && is_dot(&tokens[i - 1]);
                let mut access = Access::whole(name);
                if !is_field && asks_for_shape(&tokens[i + 1..]) {
                    access.path.push(Step::Shape);
                }
                found.push(access);
            }
            TokenTree::Group(group) => found.extend(opaque_reads(&group.stream())),
            other => found.extend(identifiers(&other.clone().into()).iter().map(Access::whole)),
        }
    }
    found
}

/// `.len()`
fn asks_for_shape(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [dot, TokenTree::Ident(method), TokenTree::Group(arguments), ..]
        if is_dot(dot) && is_shape(&method.to_string()) && arguments.stream().is_empty())
}

fn is_dot(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(dot) if dot.as_char() == '.')
}

/// Every identifier in a token stream: what opaque code may mention.
pub fn identifiers(tokens: &TokenStream) -> Vec<Ident> {
    let mut found = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(name) => found.push(name),
            TokenTree::Group(group) => found.extend(identifiers(&group.stream())),
            TokenTree::Literal(literal) => found.extend(captured(&literal.to_string())),
            TokenTree::Punct(_) => {}
        }
    }
    found
}

/// The names that a format string captures: `"{n:.3}"`.
fn captured(literal: &str) -> Vec<Ident> {
    let mut parts = literal.split('{');
    parts.next();
    parts
        .filter_map(|part| part.split_once('}'))
        // The name itself, and names in `{x:>width$.digits$}`.
        .flat_map(|(inside, _)| inside.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter_map(|name| {
            let raw = || syn::parse_str(&format!("r#{name}"));
            syn::parse_str(name).or_else(|_| raw()).ok()
        })
        .collect()
}

/// The places that a call's argument lets the callee write: all `&mut` in it.
pub fn mutable_borrows(argument: &Expr) -> Vec<Access> {
    struct Borrows(Vec<Access>);
    impl<'a> Visit<'a> for Borrows {
        fn visit_expr_reference(&mut self, reference: &'a syn::ExprReference) {
            if reference.mutability.is_some()
                && let Some(access) = access(&reference.expr)
            {
                self.0.push(access);
                return;
            }
            crate::visit::visit_expr_reference(self, reference);
        }
        fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
            if lends(&call.method.to_string())
                && let Some(access) = access(&Expr::MethodCall(call.clone()))
            {
                self.0.push(access);
                return;
            }
            crate::visit::visit_expr_method_call(self, call);
        }
        fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
            call.args.iter().for_each(|argument| self.visit_expr(argument));
        }
    }
    let mut borrows = Borrows(Vec::new());
    borrows.visit_expr(argument);
    borrows.0
}

/// Whether `expr` is a name and nothing else.
pub fn bare_name(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        Expr::Paren(e) => bare_name(&e.expr),
        _ => None,
    }
}

/// The line of an expression, from 1.
pub fn line(tokens: &impl ToTokens) -> usize {
    let first = tokens.to_token_stream().into_iter().next();
    first.map_or(0, |token| token.span().start().line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn meet(a: Expr, b: Expr) -> Overlap {
        access(&a).unwrap().overlap(&access(&b).unwrap(), 2)
    }

    #[test]
    fn paths_decide_what_they_can() {
        use Overlap::*;
        let table: [(Expr, Expr, Overlap); 15] = [
            (parse_quote!(*x), parse_quote!(x), Certain),
            (parse_quote!(x), parse_quote!(y), Never),
            (parse_quote!(x.a), parse_quote!(x.b), Never),
            (parse_quote!(x.a), parse_quote!((*x).a), Certain),
            (parse_quote!(x.a), parse_quote!(x), Certain),
            (parse_quote!(x[i]), parse_quote!(x[j]), Maybe),
            (parse_quote!(x[i]), parse_quote!(x[i]), Certain),
            (parse_quote!(x[i]), parse_quote!(x[i + 1]), Never),
            (parse_quote!(x[i - 1]), parse_quote!(x[1 + i]), Never),
            (parse_quote!(x[0]), parse_quote!(x[1]), Never),
            (parse_quote!(x[(i, 0)]), parse_quote!(x[(j, 1)]), Never),
            (parse_quote!(x[..k]), parse_quote!(x[k..]), Never),
            (parse_quote!(x[i].a), parse_quote!(x[j].b), Never),
            (parse_quote!(x[i]), parse_quote!(x.len()), Never),
            (parse_quote!(x), parse_quote!(x.len()), Maybe),
        ];
        for (a, b, expected) in table {
            let text = (a.to_token_stream().to_string(), b.to_token_stream().to_string());
            assert_eq!(meet(a.clone(), b.clone()), expected, "{text:?}");
            assert_eq!(meet(b, a), expected, "{text:?} exchanged");
        }
    }

    #[test]
    fn indices_of_unknown_containers_may_meet() {
        let (a, b): (Expr, Expr) = (parse_quote!(ring[0]), parse_quote!(ring[3]));
        assert_eq!(access(&a).unwrap().overlap(&access(&b).unwrap(), 0), Overlap::Maybe);
    }
}
