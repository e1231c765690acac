//! Makes a program that fails smaller, as long as it still fails.

use crate::judge::{Case, Verdict, judge_file};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, File, Item, Stmt};

/// How many smaller programs are tried.
const TRIES: usize = 4_000;

/// A smaller program for which the verdict is of the same kind: wrong in the same stage,
/// or unknown for the same reason.
pub fn shrink(case: &Case, off: &[&str], verdict: &Verdict) -> (Case, Verdict) {
    let mut best = case.clone();
    let mut told = verdict.clone();
    let Ok(mut file) = syn::parse_file(&case.source) else { return (best, told) };
    let mut tries = 0;
    let mut at = 0;
    while tries < TRIES {
        let Some(smaller) = edited(&file, at) else { break };
        tries += 1;
        let found = judge_file(&smaller, &best, off);
        if kind(&found) == kind(verdict) {
            file = smaller;
            told = found;
            // What comes next has moved up to this place.
            at = at.saturating_sub(3);
            best.source = text(&file);
        } else {
            at += 1;
        }
    }
    (best, told)
}

/// The text of a file.
pub fn text(file: &File) -> String {
    prettyplease::unparse(file)
}

/// What must stay the same.
fn kind(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Wrong(text) => text.split(':').next().unwrap_or_default().to_string(),
        Verdict::Unknown(text) => text.chars().filter(|c| !c.is_ascii_digit()).take(60).collect(),
        other => format!("{:?}", std::mem::discriminant(other)),
    }
}

/// The file after its edit of some number; `None` if there are fewer.
fn edited(file: &File, number: usize) -> Option<File> {
    let mut file = file.clone();
    let mut left = number;
    // Whole functions first.
    let names: Vec<usize> = (0..file.items.len())
        .filter(|i| {
            matches!(&file.items[*i], Item::Fn(f) if f.sig.ident != "f")
                || matches!(&file.items[*i], Item::Impl(_))
        })
        .collect();
    if let Some(i) = names.get(left) {
        file.items.remove(*i);
        return Some(file);
    }
    left -= names.len();
    let mut edit = Edit { left, done: false };
    edit.visit_file_mut(&mut file);
    edit.done.then_some(file)
}

/// Makes the edit whose number is reached.
struct Edit {
    left: usize,
    done: bool,
}

impl Edit {
    fn now(&mut self) -> bool {
        if self.done {
            return false;
        }
        if self.left == 0 {
            self.done = true;
            return true;
        }
        self.left -= 1;
        false
    }
}

impl VisitMut for Edit {
    fn visit_block_mut(&mut self, block: &mut Block) {
        for i in 0..block.stmts.len() {
            if self.now() {
                block.stmts.remove(i);
                return;
            }
            // A block, or the body of a loop or branch, in the place of its statement.
            let inside = match &block.stmts[i] {
                Stmt::Expr(Expr::Block(e), _) if e.attrs.is_empty() => Some(e.block.stmts.clone()),
                Stmt::Expr(Expr::If(e), _) => Some(e.then_branch.stmts.clone()),
                Stmt::Expr(Expr::ForLoop(e), _) => Some(e.body.stmts.clone()),
                _ => None,
            };
            if let Some(inside) = inside
                && self.now()
            {
                block.stmts.splice(i..=i, inside);
                return;
            }
        }
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let simpler: Vec<Expr> = match expr {
            Expr::Binary(e)
                if matches!(
                    e.op,
                    BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_)
                ) =>
            {
                vec![(*e.left).clone(), (*e.right).clone()]
            }
            Expr::Paren(e)
                if !matches!(*e.expr, Expr::Cast(_) | Expr::Binary(_) | Expr::Unary(_)) =>
            {
                vec![(*e.expr).clone()]
            }
            Expr::MethodCall(e) if e.receiver.to_token_stream().to_string().starts_with('(') => {
                vec![(*e.receiver).clone()]
            }
            Expr::If(e) => match (&e.then_branch.stmts[..], &e.else_branch) {
                ([Stmt::Expr(value, None)], Some((_, otherwise))) => match &**otherwise {
                    Expr::Block(block) => match &block.block.stmts[..] {
                        [Stmt::Expr(other, None)] => vec![value.clone(), other.clone()],
                        _ => Vec::new(),
                    },
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        for simpler in simpler {
            if self.now() {
                *expr = simpler;
                return;
            }
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}
