//! What a `macro_rules!` macro puts in for `$e:expr` stands in a group without
//! delimiters, which rustc forgets in what a procedural macro returns. There
//! `$e * 2.0` would become `a + b * 2.0`.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::{BinOp, Expr};

/// The tokens with parentheses around such groups, where they matter.
pub fn with_parentheses(tokens: TokenStream) -> TokenStream {
    // Most functions come from no macro, and to look takes less than to rebuild.
    if has_bare_groups(tokens.clone()) { rebuilt(tokens) } else { tokens }
}

fn has_bare_groups(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => {
            group.delimiter() == Delimiter::None || has_bare_groups(group.stream())
        }
        _ => false,
    })
}

fn rebuilt(tokens: TokenStream) -> TokenStream {
    tokens.into_iter().flat_map(tree).collect()
}

fn tree(tree: TokenTree) -> TokenStream {
    let TokenTree::Group(group) = tree else { return tree.into() };
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
