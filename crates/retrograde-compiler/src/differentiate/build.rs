//! Expressions, built node by node: parsing them from tokens takes longer.

use proc_macro2::{Ident, Span};
use std::cell::Cell;
use syn::punctuated::Punctuated;
use syn::token::{Brace, Bracket, Paren};
use syn::{BinOp, Expr, Member, Token, UnOp};

thread_local! {
    /// Where the statement stands that is differentiated.
    static HERE: Cell<Option<Span>> = const { Cell::new(None) };
}

/// From here on, what is built is for a statement or expression that stands there,
/// so that the compiler's errors point at it.
pub fn stand_at(span: Span) {
    HERE.set(Some(span));
}

/// Where the user's statement or expression stands.
fn here() -> Span {
    HERE.get().map_or_else(Span::call_site, |span| Span::call_site().located_at(span))
}

/// A new name, for what stands there.
pub fn ident(name: &str) -> Ident {
    Ident::new(name, here())
}

/// A name that is used here, wherever it was given.
pub fn moved_here(name: &Ident) -> Expr {
    let mut name = name.clone();
    if let Some(span) = HERE.get() {
        name.set_span(name.span().located_at(span));
    }
    self::name(&name)
}

/// A block around a value, where a decision is watched, as what is used here.
pub fn block_moved_here(mut expr: Expr) -> Expr {
    if let Expr::Block(e) = &mut expr {
        e.block.brace_token = Brace(here());
    }
    expr
}

/// A name.
pub fn name(name: &Ident) -> Expr {
    Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: name.clone().into() })
}

/// `::retrograde::derivative::…(arguments)`
pub fn library(path: &[&str], arguments: Vec<Expr>) -> Expr {
    let mut segments = Punctuated::new();
    for segment in ["retrograde"].iter().chain(path) {
        segments.push(syn::PathSegment::from(Ident::new(segment, here())));
    }
    let path = syn::Path { leading_colon: Some(Token![::](here())), segments };
    let function = Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path });
    Expr::Call(syn::ExprCall {
        attrs: Vec::new(),
        func: Box::new(function),
        paren_token: Paren(here()),
        args: arguments.into_iter().collect(),
    })
}

/// Whether an expression is a call of the library's own, in its final form.
pub fn is_library(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    path.path.leading_colon.is_some()
        && path.path.segments.first().is_some_and(|first| first.ident == "retrograde")
}

/// `left op right`
pub fn binary(left: Expr, op: BinOp, right: Expr) -> Expr {
    Expr::Binary(syn::ExprBinary {
        attrs: Vec::new(),
        left: Box::new(operand(left)),
        op,
        right: Box::new(operand(right)),
    })
}

/// `left * right`
pub fn times(left: Expr, right: Expr) -> Expr {
    let product = matches!(&left, Expr::Binary(e) if matches!(e.op, BinOp::Mul(_) | BinOp::Div(_)));
    if product {
        // A chain of factors needs no parentheses.
        return Expr::Binary(syn::ExprBinary {
            attrs: Vec::new(),
            left: Box::new(left),
            op: BinOp::Mul(Token![*](here())),
            right: Box::new(operand(right)),
        });
    }
    binary(left, BinOp::Mul(Token![*](here())), right)
}

/// `left / right`
pub fn over(left: Expr, right: Expr) -> Expr {
    binary(left, BinOp::Div(Token![/](here())), right)
}

fn operand(expr: Expr) -> Expr {
    match expr {
        Expr::Binary(_) | Expr::Cast(_) | Expr::If(_) | Expr::Range(_) | Expr::Reference(_) => {
            parenthesised(expr)
        }
        Expr::Unary(ref e) if matches!(e.op, UnOp::Neg(_)) => parenthesised(expr),
        other => other,
    }
}

/// `(expr)`
pub fn parenthesised(expr: Expr) -> Expr {
    Expr::Paren(syn::ExprParen {
        attrs: Vec::new(),
        paren_token: Paren(here()),
        expr: Box::new(expr),
    })
}

/// `-expr`
pub fn negative(expr: Expr) -> Expr {
    Expr::Unary(syn::ExprUnary {
        attrs: Vec::new(),
        op: UnOp::Neg(Token![-](here())),
        expr: Box::new(operand(expr)),
    })
}

/// `*expr`, or what `expr` refers to.
pub fn dereferenced(expr: Expr) -> Expr {
    match expr {
        Expr::Reference(e) => *e.expr,
        Expr::Paren(e) if matches!(*e.expr, Expr::Reference(_)) => dereferenced(*e.expr),
        other => Expr::Unary(syn::ExprUnary {
            attrs: Vec::new(),
            op: UnOp::Deref(Token![*](here())),
            expr: Box::new(other),
        }),
    }
}

/// `&mut expr`, or `expr` where it says `&mut` already.
pub fn lent(expr: Expr) -> Expr {
    reference(expr, true)
}

/// `&expr`
pub fn borrowed(expr: Expr) -> Expr {
    reference(expr, false)
}

fn reference(expr: Expr, mutable: bool) -> Expr {
    let expr = match expr {
        Expr::Reference(e) => *e.expr,
        other => other,
    };
    Expr::Reference(syn::ExprReference {
        attrs: Vec::new(),
        and_token: Token![&](here()),
        mutability: mutable.then(|| Token![mut](here())),
        expr: Box::new(expr),
    })
}

/// What stands before a `.` or `[`: without references, which Rust follows.
pub fn base(expr: Expr) -> Expr {
    match expr {
        Expr::Reference(e) => base(*e.expr),
        Expr::Paren(e) if matches!(*e.expr, Expr::Reference(_)) => base(*e.expr),
        Expr::Unary(ref e) if matches!(e.op, UnOp::Deref(_)) => match &*e.expr {
            // Followed by itself.
            Expr::Path(_) => (*e.expr).clone(),
            _ => parenthesised(expr),
        },
        other => operand(other),
    }
}

/// `expr.member`
pub fn field(expr: Expr, member: Member) -> Expr {
    Expr::Field(syn::ExprField {
        attrs: Vec::new(),
        base: Box::new(base(expr)),
        dot_token: Token![.](here()),
        member,
    })
}

/// `expr[index]`
pub fn index(expr: Expr, index: Expr) -> Expr {
    Expr::Index(syn::ExprIndex {
        attrs: Vec::new(),
        expr: Box::new(base(expr)),
        bracket_token: Bracket(here()),
        index: Box::new(index),
    })
}

/// `receiver.name(arguments)`
pub fn method(receiver: Expr, name: &str, arguments: Vec<Expr>) -> Expr {
    Expr::MethodCall(syn::ExprMethodCall {
        attrs: Vec::new(),
        receiver: Box::new(operand(receiver)),
        dot_token: Token![.](here()),
        method: Ident::new(name, here()),
        turbofish: None,
        paren_token: Paren(here()),
        args: arguments.into_iter().collect(),
    })
}

/// A float literal.
pub fn float(text: &str) -> Expr {
    let literal = syn::LitFloat::new(text, here());
    Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit: syn::Lit::Float(literal) })
}

/// An integer literal.
pub fn integer(value: usize) -> Expr {
    let literal = syn::LitInt::new(&value.to_string(), here());
    Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit: syn::Lit::Int(literal) })
}

/// A string literal.
pub fn text(text: &str) -> Expr {
    let literal = syn::LitStr::new(text, here());
    Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit: syn::Lit::Str(literal) })
}

/// `..`
pub fn everything() -> Expr {
    let limits = syn::RangeLimits::HalfOpen(Token![..](here()));
    Expr::Range(syn::ExprRange { attrs: Vec::new(), start: None, limits, end: None })
}

/// `(a, b)`
pub fn tuple(parts: Vec<Expr>) -> Expr {
    Expr::Tuple(syn::ExprTuple {
        attrs: Vec::new(),
        paren_token: Paren(here()),
        elems: parts.into_iter().collect(),
    })
}

/// Whether this is `Some(value)`.
pub fn is_some(call: &syn::ExprCall) -> bool {
    let last = match &*call.func {
        Expr::Path(path) => path.path.segments.last(),
        _ => None,
    };
    call.args.len() == 1 && last.is_some_and(|last| last.ident == "Some")
}

/// `P { 0: a, 1: b }`, which only a struct can be.
pub fn tuple_struct(path: &syn::ExprPath, parts: impl Iterator<Item = Expr>) -> Expr {
    let fields = parts.enumerate().map(|(i, expr)| syn::FieldValue {
        attrs: Vec::new(),
        member: part(i),
        colon_token: Some(Token![:](here())),
        expr,
    });
    Expr::Struct(syn::ExprStruct {
        attrs: Vec::new(),
        qself: path.qself.clone(),
        path: path.path.clone(),
        brace_token: syn::token::Brace(here()),
        fields: fields.collect(),
        dot2_token: None,
        rest: None,
    })
}

/// The `i`-th part of a tuple.
pub fn part(i: usize) -> Member {
    Member::Unnamed(syn::Index { index: i as u32, span: here() })
}

/// A pattern that binds a name.
pub fn pattern(name: &Ident) -> syn::Pat {
    syn::Pat::Ident(syn::PatIdent {
        attrs: Vec::new(),
        by_ref: None,
        mutability: None,
        ident: name.clone(),
        subpat: None,
    })
}

/// A pattern that takes a tuple apart.
pub fn tuple_pattern(parts: Vec<syn::Pat>) -> syn::Pat {
    syn::Pat::Tuple(syn::PatTuple {
        attrs: Vec::new(),
        paren_token: Paren(here()),
        elems: parts.into_iter().collect(),
    })
}
