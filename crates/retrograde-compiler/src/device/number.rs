//! Numbers whose type Rust infers. The device's language infers none, so a literal
//! takes the type of what it stands beside, as an overload in the header decides; where
//! nothing stands beside it, it must be told.

use super::{Printer, types};
use crate::emit;
use syn::{BinOp, Expr, Lit, UnOp};

impl Printer<'_> {
    pub(super) fn literal(&mut self, literal: &Lit) -> String {
        match literal {
            Lit::Bool(b) => b.value.to_string(),
            Lit::Int(n) => match n.suffix() {
                "" => match n.base10_parse::<i64>() {
                    Ok(small) => format!("rg::integer({small})"),
                    Err(_) => format!("rg::u64({}ULL)", n.base10_digits()),
                },
                suffix @ ("f64" | "f32") => format!("rg::{suffix}({}.0)", n.base10_digits()),
                suffix => match types::scalar(suffix) {
                    Some(ty) => format!("{ty}({}ULL)", n.base10_digits()),
                    None => self.refuse_narrow(n),
                },
            },
            Lit::Float(x) => {
                let ty = match x.suffix() {
                    "" => self.number.clone(),
                    suffix => Some(format!("rg::{suffix}")),
                };
                // One spelling of every number: `1.` and `1_000.0` are not known there.
                let digits = match (ty.as_deref(), x.base10_parse::<f32>()) {
                    // Rounded once, not by way of the wider type.
                    (Some("rg::f32"), Ok(narrow)) => format!("{:?}", f64::from(narrow)),
                    _ => x.base10_parse::<f64>().map_or(String::new(), |x| format!("{x:?}")),
                };
                match ty {
                    Some(ty) => format!("{ty}({digits})"),
                    None => format!("rg::literal({digits})"),
                }
            }
            other => self.refuse(
                other,
                "the device has numbers and truth values only",
                "keep text and characters on the host",
            ),
        }
    }

    /// What is made of float literals alone, in code whose literals Rust converts: it is
    /// computed as `f64` first.
    pub(super) fn converted(&mut self, expr: &Expr) -> Option<String> {
        let text = self.wide(expr)?;
        Some(match &self.number {
            Some(ty) => format!("{ty}({text})"),
            None => format!("rg::literal({text})"),
        })
    }

    /// One side of an operator: a literal takes the type of the other.
    pub(super) fn operand(&mut self, expr: &Expr, other: &Expr) -> String {
        if !emit::is_literal(other)
            && let Some(text) = self.wide(expr)
        {
            return format!("rg::literal({text})");
        }
        let told = self.is_inferred(expr) && (self.told || !self.is_inferred(other));
        self.with_told(told, expr)
    }

    /// A value, knowing whether something else tells the type of an integer.
    pub(super) fn with_told(&mut self, told: bool, expr: &Expr) -> String {
        let before = std::mem::replace(&mut self.told, told);
        let text = self.value(expr);
        self.told = before;
        text
    }

    fn wide(&mut self, expr: &Expr) -> Option<String> {
        if !self.generic || !emit::is_literal(expr) {
            return None;
        }
        Some(self.in_doubles(|printer| printer.value(expr)))
    }

    /// What is printed where all literals are `f64`.
    pub(super) fn in_doubles<R>(&mut self, print: impl FnOnce(&mut Self) -> R) -> R {
        let number = self.number.replace("rg::f64".to_string());
        let generic = std::mem::replace(&mut self.generic, false);
        let printed = print(self);
        (self.number, self.generic) = (number, generic);
        printed
    }

    /// Refuses a number whose type nothing tells.
    pub(super) fn refuse_inferred(&mut self, expr: &Expr) -> String {
        self.refuse(
            expr,
            "the device must know how many bits this number has",
            "say its type: `1_u32`, or `let mut k: u32 = 0;`",
        )
    }

    /// Refuses a float whose type nothing tells.
    pub(super) fn refuse_vague(&mut self, what: &impl quote::ToTokens) -> String {
        self.refuse(
            what,
            "the device must know what kind of number this is, and the function has several",
            "say its type: `let mut a: f64 = 0.0;`, or `0.0_f64`",
        )
    }

    /// Whether the type of an integer is left to Rust's inference.
    pub(super) fn is_inferred(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(e) => self.is_inferred(&e.expr),
            Expr::Group(e) => self.is_inferred(&e.expr),
            Expr::Reference(e) => self.is_inferred(&e.expr),
            Expr::Unary(e) => self.is_inferred(&e.expr),
            Expr::Lit(e) => matches!(&e.lit, Lit::Int(n) if n.suffix().is_empty()),
            Expr::Path(e) => e.path.get_ident().is_some_and(|name| self.scope.is_inferred(name)),
            Expr::Index(e) => self.is_inferred(&e.expr),
            Expr::Array(e) => !e.elems.is_empty() && e.elems.iter().all(|e| self.is_inferred(e)),
            Expr::Repeat(e) => self.is_inferred(&e.expr),
            Expr::Range(e) => {
                let ends = [&e.start, &e.end];
                ends.into_iter().flatten().all(|end| self.is_inferred(end))
            }
            Expr::MethodCall(e) if e.method == "rev" || e.method == "step_by" => {
                self.is_inferred(&e.receiver)
            }
            Expr::Binary(e) => match e.op {
                BinOp::Shl(_) | BinOp::Shr(_) => self.is_inferred(&e.left),
                BinOp::Add(_)
                | BinOp::Sub(_)
                | BinOp::Mul(_)
                | BinOp::Div(_)
                | BinOp::Rem(_)
                | BinOp::BitAnd(_)
                | BinOp::BitOr(_)
                | BinOp::BitXor(_) => self.is_inferred(&e.left) && self.is_inferred(&e.right),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the type of a float, or of a part of a value, is left to Rust's inference.
    pub(super) fn is_vague(&self, expr: &Expr) -> bool {
        self.number.is_none()
            && match expr {
                Expr::Paren(e) => self.is_vague(&e.expr),
                Expr::Group(e) => self.is_vague(&e.expr),
                Expr::Reference(e) => self.is_vague(&e.expr),
                Expr::Lit(e) => matches!(&e.lit, Lit::Float(x) if x.suffix().is_empty()),
                Expr::Array(e) => !e.elems.is_empty() && e.elems.iter().all(|e| self.is_vague(e)),
                Expr::Repeat(e) => self.is_vague(&e.expr),
                Expr::Tuple(e) => e.elems.iter().any(|e| self.is_vague(e)),
                Expr::If(e) => {
                    let last = |block: &syn::Block| match block.stmts.last() {
                        Some(syn::Stmt::Expr(value, None)) => self.is_vague(value),
                        _ => false,
                    };
                    let otherwise = e.else_branch.as_ref().map(|(_, value)| match &**value {
                        Expr::Block(block) => last(&block.block),
                        other => self.is_vague(other),
                    });
                    last(&e.then_branch) && otherwise.unwrap_or(false)
                }
                Expr::Unary(e) => matches!(e.op, UnOp::Neg(_)) && self.is_vague(&e.expr),
                Expr::Binary(e) => self.is_vague(&e.left) && self.is_vague(&e.right),
                other => self.generic && emit::is_literal(other),
            }
    }
}
