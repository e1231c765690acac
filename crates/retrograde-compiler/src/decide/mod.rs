//! Decisions on floats that are undone.
//!
//! A branch, the number of passes of a loop, an index that was cast from a float, what was
//! rounded: going back they must be what they were going there. A float that is undone comes
//! back up to rounding, and so may lie on the other side of what it was compared with. So
//! where the way there and back are both in sight, in a `#[compute]` block, the decisions
//! that look at what the block itself writes are kept on the way there, a bit for a branch,
//! and recalled on the way back.
//!
//! In the words of the language: `if c` becomes `if (decide(c), recall())`. The inverse of
//! that is found by the table, as always.

mod around;
mod keep;
mod nudge;
mod paired;
mod rounding;
mod untouched;
mod watch;

pub use keep::{Whole, keep, keep_whole};
pub use nudge::TOWARD;
pub use paired::pair;
pub use rounding::{
    Look, SETTLE, SETTLE_LENT, called as call_of_ours, extent, look, only_looks, without_looks,
    without_own_looks,
};
pub use watch::{Lent, lent, watch, without_computing};

use crate::differentiate::is_library;
use crate::ir::{Block, Kind, Statement};
use crate::place::reads;
use crate::text::is_one_of;
use crate::visit::Visit;
use crate::visit::VisitMut;
use proc_macro2::Ident;
use syn::{BinOp, Expr, Type};

/// The functions of the library that decide, and those that recall.
const DECIDE: [&str; 4] = ["decide_branch", "decide_pass", "decide_value", "decide_given"];
const RECALL: [&str; 4] = ["recall_branch", "recall_pass", "recall_value", "recall_given"];

/// Methods that give a truth value.
const COMPARISONS: [&str; 7] = ["contains", "eq", "ge", "gt", "le", "lt", "ne"];

/// Methods that show every bit of a float.
const BITS: [&str; 6] =
    ["classify", "to_be_bytes", "to_bits", "to_le_bytes", "to_ne_bytes", "to_string"];

/// A call of a function of numbers, `t.floor()` or `f64::floor(t)`: its name, what it is of, and
/// what else it takes.
pub fn function(expr: &Expr) -> Option<(&Ident, &Expr, Vec<&Expr>)> {
    match expr {
        Expr::MethodCall(e) => Some((&e.method, &e.receiver, e.args.iter().collect())),
        Expr::Call(e) => {
            let Expr::Path(path) = &*e.func else { return None };
            let mut segments = path.path.segments.iter().rev();
            let (last, owner) = (segments.next()?, segments.next()?);
            // Not a function of a module of the user's.
            let of_a_type = is_one_of(&owner.ident, &["f32", "f64"])
                || owner.ident.to_string().starts_with(char::is_uppercase);
            let mut arguments = e.args.iter();
            match of_a_type && !is_library(expr) {
                true => Some((&last.ident, arguments.next()?, arguments.collect())),
                false => None,
            }
        }
        _ => None,
    }
}

/// Whether an operator gives a truth value.
pub fn is_condition(operator: &BinOp) -> bool {
    use BinOp::*;
    matches!(operator, And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}

fn is_float(ty: &Type) -> bool {
    matches!(ty, Type::Path(path)
        if path.path.get_ident().is_some_and(|name| is_one_of(name, &["f32", "f64"])))
}

/// The function of the library that an expression calls, if it decides or recalls.
fn called<'e>(expr: &'e Expr, functions: &[&str]) -> Option<&'e syn::ExprCall> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let last = path.path.segments.last()?;
    (is_library(expr) && is_one_of(&last.ident, functions)).then_some(call)
}

/// The closure that a decision evaluates.
pub fn decided_by(expr: &mut Expr) -> Option<&mut Expr> {
    called(expr, &DECIDE)?;
    let Expr::Call(call) = expr else { return None };
    match call.args.last_mut()? {
        Expr::Closure(closure) => Some(&mut closure.body),
        _ => None,
    }
}

/// What a function of the library is handed to be evaluated: what closures give, and what is lent
/// to it in parentheses.
pub fn evaluated_by(expr: &mut Expr) -> Vec<&mut Expr> {
    let Expr::Call(call) = expr else { return Vec::new() };
    let evaluated = call.args.iter_mut().filter_map(|argument| match argument {
        Expr::Closure(closure) => Some(&mut *closure.body),
        Expr::Reference(lent) => match &mut *lent.expr {
            Expr::Paren(inside) => Some(&mut *inside.expr),
            _ => None,
        },
        _ => None,
    });
    evaluated.collect()
}

/// The records that an expression adds to: where it decides, that of its own level, and where
/// it recalls, those of the levels around.
pub fn written_records(expr: &Expr) -> Vec<Ident> {
    struct Written(Vec<Ident>);
    impl<'e> Visit<'e> for Written {
        fn visit_expr(&mut self, expr: &'e Expr) {
            let own = called(expr, &DECIDE).and_then(|call| call.args.first());
            let outer = called(expr, &RECALL).and_then(|call| call.args.get(1));
            for records in own.into_iter().chain(outer) {
                self.0.extend(reads(records).into_iter().map(|read| read.root));
            }
            crate::visit::visit_expr(self, expr);
        }
    }
    let mut written = Written(Vec::new());
    written.visit_expr(expr);
    written.0
}

/// Whether a decision is recalled somewhere.
pub fn recalls(block: &Block) -> bool {
    let recalls = |expr: &Expr| {
        struct Recalls(bool);
        impl<'e> Visit<'e> for Recalls {
            fn visit_expr(&mut self, expr: &'e Expr) {
                self.0 |= called(expr, &RECALL).is_some();
                crate::visit::visit_expr(self, expr);
            }
        }
        let mut search = Recalls(false);
        search.visit_expr(expr);
        search.0
    };
    block.iter().any(|statement| {
        let here = match &statement.kind {
            Kind::If { arms, .. } => arms.iter().any(|arm| recalls(&arm.pre)),
            Kind::While { pre, .. } => recalls(pre),
            Kind::Bind(binding) => recalls(&binding.value),
            _ => false,
        };
        here || statement.blocks().into_iter().any(self::recalls)
    })
}

/// Whether a decision is kept or recalled in a block, so that it must run as it stands.
pub fn concerns(block: &Block) -> bool {
    let mut found = false;
    for statement in block {
        let mut statement = statement.clone();
        statement.each_expression(&mut |expr| {
            struct Concerns(bool);
            impl<'e> Visit<'e> for Concerns {
                fn visit_expr(&mut self, expr: &'e Expr) {
                    let own = called(expr, &RECALL).or(called(expr, &DECIDE));
                    self.0 |= own.is_some();
                    crate::visit::visit_expr(self, expr);
                }
            }
            let mut search = Concerns(found);
            search.visit_expr(expr);
            found = search.0;
        });
    }
    found
}

/// A block in which what is decided is not kept.
pub fn forget(block: &Block) -> Block {
    struct Forget;
    impl VisitMut for Forget {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            if let Some(value) = decided_by(expr) {
                *expr = value.clone();
            }
            crate::visit::visit_expr_mut(self, expr);
        }
    }
    let mut block = block.clone();
    for statement in &mut block {
        statement.each_expression(&mut |expr| Forget.visit_expr_mut(expr));
    }
    block
}

/// A block without the records in which nothing is kept any more: of what type that would be,
/// nobody says.
pub fn without_records(block: Block) -> Block {
    let is_record = |statement: &Statement| match &statement.kind {
        Kind::Allocate(ancilla) | Kind::Release(ancilla) => {
            statement.generated && begins_record(&ancilla.value)
        }
        _ => false,
    };
    let used = |name: &Ident| {
        block.iter().any(|statement| !is_record(statement) && statement.mentions(name))
    };
    let unused = |statement: &Statement| match &statement.kind {
        Kind::Allocate(ancilla) | Kind::Release(ancilla) => {
            is_record(statement) && !used(&ancilla.name)
        }
        _ => false,
    };
    let mut kept: Block = block.iter().filter(|statement| !unused(statement)).cloned().collect();
    for statement in &mut kept {
        let inner = statement.blocks_mut().into_iter();
        inner.for_each(|inner| *inner = without_records(std::mem::take(inner)));
    }
    kept
}

/// Whether this is `Decided::<…>::default()`.
fn begins_record(value: &Expr) -> bool {
    let Expr::Call(call) = value else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    is_library(value) && path.path.segments.iter().any(|segment| segment.ident == "Decided")
}
