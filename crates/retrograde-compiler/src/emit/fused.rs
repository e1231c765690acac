//! Products in sums, where one rounding will do: `#[reversible(fused)]`.
//!
//! It is done last, on what is written down: until then a product is a product. Whether
//! the operands are numbers of a type that can do it, the library finds out.

use super::Emitter;
use super::literals::is_literal;
use super::value::{Values, cloned};
use crate::differentiate::is_library;
use crate::ir::Operator;
use crate::visit::{self, VisitMut};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Lit, parse_quote, parse_quote_spanned};

/// The factors of a product, unless it is known to be of integers or of literals.
fn factors(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match expr {
        Expr::Paren(e) => factors(&e.expr),
        Expr::Group(e) => factors(&e.expr),
        Expr::Binary(e) if matches!(e.op, BinOp::Mul(_)) && !is_literal(expr) => {
            let number = !is_integer(&e.left) && !is_integer(&e.right);
            number.then_some((&*e.left, &*e.right))
        }
        _ => None,
    }
}

fn is_integer(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(e) if matches!(e.lit, Lit::Int(_)))
}

fn name(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The names of the factors, and of what their product is added to.
fn names() -> [Ident; 3] {
    ["__left", "__right", "__sum"].map(name)
}

impl Values<'_> {
    /// An expression of known types: as it is, but for sums with products.
    pub(super) fn plain(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        if self.fused {
            Contract(self).visit_expr_mut(&mut expr);
        }
        expr
    }

    /// `a * b + c` and its like. Where both sides are products, the left one is not
    /// rounded.
    pub(super) fn sum_of_product(&self, e: &syn::ExprBinary) -> Option<Expr> {
        let minus = match e.op {
            BinOp::Add(_) => false,
            BinOp::Sub(_) => true,
            _ => return None,
        };
        if !self.fused || is_integer(&e.left) || is_integer(&e.right) {
            return None;
        }
        let (function, (a, b), c) = match (factors(&e.left), factors(&e.right)) {
            (Some(factors), _) if minus => ("product_minus", factors, &e.right),
            (Some(factors), _) => ("product_plus", factors, &e.right),
            (None, Some(factors)) if minus => ("minus_product", factors, &e.left),
            (None, Some(factors)) => ("plus_product", factors, &e.left),
            (None, None) => return None,
        };
        let span = e.op.span();
        let [left, right, sum] = names();
        let bound = self.factors(a, b, span);
        let c = match self.generic && self.is_literal(c) {
            true => {
                let other = if self.is_literal(a) { &right } else { &left };
                self.like(&parse_quote!(#other), c)
            }
            false => self.own(c),
        };
        let function = Ident::new(function, span);
        let fuse = fuse(span, &quote!(&#sum));
        Some(parse_quote_spanned!(span=> ({
            #bound
            let #sum = #c;
            #fuse.#function(#left, #right, #sum)
        })))
    }

    /// Names for the factors; a literal takes the type of the other one.
    fn factors(&self, a: &Expr, b: &Expr, span: Span) -> TokenStream {
        let [left, right, _] = names();
        let literal = |expr| self.generic && self.is_literal(expr);
        let (a, b) = match (literal(a), literal(b)) {
            (true, _) => {
                let (a, b) = (self.like(&parse_quote!(#right), a), self.purely(b, self.own(b)));
                return quote_spanned!(span=> let #right = #b; let #left = #a;);
            }
            (_, true) => (self.purely(a, self.own(a)), self.like(&parse_quote!(#left), b)),
            _ => (self.purely(a, self.own(a)), self.purely(b, self.own(b))),
        };
        quote_spanned!(span=> let #left = #a; let #right = #b;)
    }

    /// A value of its own, also of what is behind a reference.
    fn own(&self, expr: &Expr) -> Expr {
        if self.generic {
            return self.owned(expr);
        }
        if self.is_place(expr) { cloned(expr) } else { self.plain(expr) }
    }
}

/// Asks the library what is done with the factors and a sum.
fn fuse(span: Span, sum: &TokenStream) -> TokenStream {
    let [left, right, _] = names();
    quote_spanned!(span=> (&::retrograde::__private::Fuse(&#left, &#right, #sum)).__fuse())
}

impl Emitter<'_> {
    /// `place += a * b` and `place -= a * b`, which undo each other.
    pub(super) fn fused(
        &self,
        place: &Expr,
        operator: Operator,
        value: &Expr,
        shared: bool,
        span: Span,
    ) -> Option<TokenStream> {
        if !self.values.fused {
            return None;
        }
        let function = match operator {
            Operator::Add if self.is_inferred(place) => "add_alike",
            Operator::Subtract if self.is_inferred(place) => "subtract_alike",
            Operator::Add => "add",
            Operator::Subtract => "subtract",
            Operator::Accumulate if !shared => return pulled(place, "add", value, span),
            Operator::Retract if !shared => return pulled(place, "subtract", value, span),
            _ => return None,
        };
        let (a, b) = factors(value)?;
        let [left, right, sum] = names();
        let bound = self.values.factors(a, b, span);
        let function = Ident::new(function, span);
        let fuse = fuse(span, &quote!(&*#sum));
        // What a place is made of may be a temporary value: a `match` holds it.
        Some(quote_spanned!(span=> {
            #bound
            match &mut #place {
                #sum => #fuse.#function(#left, #right, #sum),
            }
        }))
    }
}

/// Adds to a shadow what a factor gets by the rule of the product.
fn pulled(shadow: &Expr, sign: &str, value: &Expr, span: Span) -> Option<TokenStream> {
    let Expr::Call(call) = value else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let rule = path.path.segments.last().filter(|_| is_library(value))?;
    let side = ["left", "right"].into_iter().find(|s| rule.ident == format!("pull_mul_{s}"))?;
    let function = Ident::new(&format!("{sign}_mul_{side}"), span);
    let shadow = match shadow {
        Expr::Unary(_) | Expr::Reference(_) => quote!((#shadow)),
        other => other.to_token_stream(),
    };
    let arguments = &call.args;
    Some(quote_spanned!(span=> #shadow.__shadow().#function(#arguments);))
}

/// Rewrites the sums in an expression of known types.
struct Contract<'a>(&'a Values<'a>);

impl VisitMut for Contract<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Binary(e) => match self.0.sum_of_product(e) {
                Some(sum) => *expr = sum,
                None => visit::visit_expr_binary_mut(self, e),
            },
            // Indices and lengths are integers.
            Expr::Index(e) => self.visit_expr_mut(&mut e.expr),
            Expr::Repeat(e) => self.visit_expr_mut(&mut e.expr),
            Expr::Range(_) | Expr::Closure(_) | Expr::Macro(_) => {}
            other if is_library(other) => {}
            other => visit::visit_expr_mut(self, other),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}
