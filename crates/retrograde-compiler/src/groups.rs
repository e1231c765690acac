//! Tokens that do not look like what they are.
//!
//! What a `macro_rules!` macro puts in for `$e:expr` stands in a group without
//! delimiters, which rustc forgets in what a procedural macro returns. There
//! `$e * 2.0` would become `a + b * 2.0`.
//!
//! And `1f64` is read as an integer with a strange suffix: `1.0f64` is meant.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use syn::{BinOp, Expr};

/// The tokens with parentheses around such groups, where they matter, and with points in floats.
pub fn as_meant(tokens: TokenStream) -> TokenStream {
    // Most functions have neither, and to look takes less than to rebuild.
    if misleads(tokens.clone()) { rebuilt(tokens) } else { tokens }
}

fn misleads(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::None || misleads(group.stream()),
        TokenTree::Literal(literal) => with_point(&literal).is_some(),
        _ => false,
    })
}

/// `1.0f64` for `1f64`.
fn with_point(literal: &Literal) -> Option<Literal> {
    let text = literal.to_string();
    let digits = text.strip_suffix("f32").or(text.strip_suffix("f64"))?;
    if !digits.chars().all(|c| c.is_ascii_digit() || c == '_') {
        return None;
    }
    let suffix = &text[digits.len()..];
    let mut float: Literal = format!("{}.0{suffix}", digits.trim_end_matches('_')).parse().ok()?;
    float.set_span(literal.span());
    Some(float)
}

fn rebuilt(tokens: TokenStream) -> TokenStream {
    tokens.into_iter().flat_map(tree).collect()
}

fn tree(tree: TokenTree) -> TokenStream {
    let group = match tree {
        TokenTree::Group(group) => group,
        TokenTree::Literal(literal) => {
            return TokenTree::Literal(with_point(&literal).unwrap_or(literal)).into();
        }
        other => return other.into(),
    };
    let inner = rebuilt(group.stream());
    let delimiter = match group.delimiter() {
        Delimiter::None => match syn::parse2::<Expr>(inner.clone()) {
            Ok(expr) if binds_loosely(&expr) => Delimiter::Parenthesis,
            // Nothing can come between its parts.
            Ok(_) => return inner,
            Err(_) if inner.clone().into_iter().count() == 1 => return inner,
            // A type or the like.
            Err(_) => Delimiter::None,
        },
        other => other,
    };
    let mut result = Group::new(delimiter, inner);
    result.set_span(group.span());
    TokenTree::Group(result).into()
}

fn binds_loosely(expr: &Expr) -> bool {
    use BinOp::*;
    match expr {
        // Statements stay so.
        Expr::Binary(e) => !matches!(
            e.op,
            AddAssign(_)
                | SubAssign(_)
                | MulAssign(_)
                | DivAssign(_)
                | RemAssign(_)
                | BitXorAssign(_)
                | BitAndAssign(_)
                | BitOrAssign(_)
                | ShlAssign(_)
                | ShrAssign(_)
        ),
        Expr::Unary(_)
        | Expr::Cast(_)
        | Expr::Range(_)
        | Expr::Reference(_)
        | Expr::Closure(_)
        | Expr::If(_)
        | Expr::Match(_) => true,
        _ => false,
    }
}
