//! What literals are computed to: `1.0 / 3.0` is not an `f64`. Types that hold more digits are told
//! the rest.

use proc_macro2::Literal;
use syn::{BinOp, Expr, Lit, UnOp, parse_quote};

/// By how much the value of operators on literals is more than what Rust makes of it in `f64`;
/// `None` if that is all of it.
pub fn rest(expr: &Expr) -> Option<Expr> {
    let (Twofold(value, more), rounded) = folded(expr)?;
    let rest = (value - rounded) + more;
    if rest == 0.0 || !rest.is_finite() {
        return None;
    }
    let size = Literal::f64_suffixed(rest.abs());
    Some(if rest < 0.0 { parse_quote!(-#size) } else { parse_quote!(#size) })
}

/// A number as the sum of two, the second one within the rounding of the first.
#[derive(Clone, Copy)]
struct Twofold(f64, f64);

/// The value, and what it is where each operator rounds.
fn folded(expr: &Expr) -> Option<(Twofold, f64)> {
    match expr {
        Expr::Lit(e) => match &e.lit {
            Lit::Float(literal) => {
                let value = literal.base10_parse::<f64>().ok()?;
                Some((Twofold(value, 0.0), value))
            }
            _ => None,
        },
        Expr::Paren(e) => folded(&e.expr),
        Expr::Group(e) => folded(&e.expr),
        Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => {
            let (value, rounded) = folded(&e.expr)?;
            Some((value.negated(), -rounded))
        }
        Expr::Binary(e) => {
            let ((a, x), (b, y)) = (folded(&e.left)?, folded(&e.right)?);
            Some(match e.op {
                BinOp::Add(_) => (a.plus(b), x + y),
                BinOp::Sub(_) => (a.plus(b.negated()), x - y),
                BinOp::Mul(_) => (a.times(b), x * y),
                BinOp::Div(_) => (a.over(b), x / y),
                _ => return None,
            })
        }
        _ => None,
    }
}

impl Twofold {
    fn of(a: f64, b: f64) -> Self {
        let sum = a + b;
        let part = sum - a;
        Twofold(sum, (a - (sum - part)) + (b - part))
    }

    fn negated(self) -> Self {
        Twofold(-self.0, -self.1)
    }

    fn plus(self, other: Self) -> Self {
        let Twofold(sum, rest) = Twofold::of(self.0, other.0);
        Twofold::of(sum, rest + self.1 + other.1)
    }

    fn times(self, other: Self) -> Self {
        let product = self.0 * other.0;
        let rest = self.0.mul_add(other.0, -product);
        Twofold::of(product, rest + self.0 * other.1 + self.1 * other.0)
    }

    fn over(self, other: Self) -> Self {
        let first = self.0 / other.0;
        let left = self.plus(other.times(Twofold(-first, 0.0)));
        let second = left.0 / other.0;
        let left = left.plus(other.times(Twofold(-second, 0.0)));
        let Twofold(value, rest) = Twofold::of(first, second);
        Twofold::of(value, rest + left.0 / other.0)
    }
}
