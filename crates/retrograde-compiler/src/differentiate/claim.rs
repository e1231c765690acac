//! What is taken for granted by a name is claimed of its type: that what asks for a
//! shape gives no number that carries a gradient, and that `floor` and the like,
//! and `T::max`, are those of numbers. Where it is not so, the program does not
//! compile.

use super::{Differentiator, build};
use crate::functions;
use crate::ir::{Kind as Do, Statement};
use crate::kinds::Kind;
use crate::place::access;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMethodCall};

impl Differentiator<'_> {
    /// The statement, with such claims in its expressions.
    pub(super) fn claimed(&self, statement: &Statement) -> Statement {
        let mut statement = statement.clone();
        let mut claims = Claims { d: self };
        match &mut statement.kind {
            Do::Update { value, .. } => claims.visit_expr_mut(value),
            Do::Bind(binding) | Do::Unbind(binding) => claims.visit_expr_mut(&mut binding.value),
            Do::Allocate(ancilla) | Do::Release(ancilla) => {
                claims.visit_expr_mut(&mut ancilla.value);
            }
            Do::Call(call) => {
                call.arguments.iter_mut().for_each(|argument| claims.visit_expr_mut(argument));
            }
            _ => {}
        }
        statement
    }
}

/// What a claim is about, if an expression is one.
pub(super) fn inside(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let last = path.path.segments.last()?;
    if !build::is_library(expr) || last.ident != "number" {
        return None;
    }
    match call.args.first()? {
        Expr::MethodCall(reference) => Some(&reference.receiver),
        other => Some(other),
    }
}

struct Claims<'c, 'd> {
    d: &'c Differentiator<'d>,
}

impl Claims<'_, '_> {
    /// Whether nothing is known of a value but that it may carry a gradient.
    fn is_suspicious(&self, value: &Expr) -> bool {
        self.d.kinds.of_expr(value).is_open()
            && access(value).is_some_and(|place| self.d.has_shadow(&place.root))
    }

    fn asks_for_shape(&self, e: &ExprMethodCall) -> bool {
        let whole = Expr::MethodCall(e.clone());
        self.d.kinds.of_expr(&whole) == Kind::Constant && self.is_suspicious(&e.receiver)
    }
}

/// `number(value.__ref())`, of a type if it is known.
fn number(value: &Expr, ty: Option<&syn::PathSegment>) -> Expr {
    let mut call = build::library(&["__private", "number"], vec![super::referred(value.clone())]);
    if let (Expr::Call(call), Some(ty)) = (&mut call, ty)
        && let Expr::Path(path) = &mut *call.func
        && let Some(last) = path.path.segments.last_mut()
    {
        last.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(::<#ty>));
    }
    call
}

impl VisitMut for Claims<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if build::is_library(expr) {
            return;
        }
        match expr {
            Expr::MethodCall(e) if self.asks_for_shape(e) => {
                *expr = build::library(&["__private", "constant"], vec![expr.clone()]);
                return;
            }
            Expr::MethodCall(e)
                if functions::JUMPS.contains(&e.method.to_string().as_str())
                    && self.is_suspicious(&e.receiver) =>
            {
                *e.receiver = number(&e.receiver, None);
            }
            Expr::Call(e) => {
                if let Expr::Path(path) = &*e.func
                    && let [.., owner, last] = &path.path.segments.iter().collect::<Vec<_>>()[..]
                    && functions::is_known(&last.ident.to_string())
                    && owner.ident.to_string().starts_with(char::is_uppercase)
                    && !self.d.kinds.is_number_type(&owner.ident)
                    && let Some(first) = e.args.first_mut()
                {
                    *first = number(first, Some(owner));
                }
            }
            _ => {}
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }
}
