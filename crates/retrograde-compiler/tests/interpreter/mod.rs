//! Runs the IR on integers: what the emitted Rust would do, without compiling it.

use retrograde_compiler::ir::{
    Ancilla, Binding, Block, Callee, Direction, Kind, Operator, Statement,
};
use retrograde_compiler::place::reads;
use std::collections::HashMap;
use syn::{BinOp, Expr, Lit, Pat, RangeLimits};

/// All variables; a scalar is an array of one element.
#[derive(Clone, Default)]
pub struct State {
    /// Their values.
    pub values: HashMap<String, Vec<i64>>,
    /// Names of other places: `let r = &mut v[2];`.
    pub aliases: HashMap<String, Expr>,
}

impl State {
    fn insert(&mut self, name: String, value: Vec<i64>) {
        self.values.insert(name, value);
    }
}

/// A failed reversibility check.
#[derive(Debug, PartialEq)]
pub struct Failed(pub String);

/// Runs a block.
pub fn run(block: &Block, state: &mut State) -> Result<(), Failed> {
    block.iter().try_for_each(|statement| step(statement, state))
}

fn step(statement: &Statement, state: &mut State) -> Result<(), Failed> {
    let failed = || Failed(statement.source.text().to_string());
    let require = |held: bool| if held || !statement.checked { Ok(()) } else { Err(failed()) };
    match &statement.kind {
        Kind::Update { place, operator, value } => {
            require(apart(place, value, state))?;
            let value = evaluate(value, state);
            let target = locate(place, state);
            let old = *target;
            *target = match operator {
                Operator::Add => old.wrapping_add(value),
                Operator::Subtract => old.wrapping_sub(value),
                Operator::Xor => old ^ value,
                _ => unreachable!("not on integers"),
            };
        }
        Kind::Bind(Binding { pattern, value: Expr::Reference(view), .. }) => {
            state.aliases.insert(name_of(pattern), (*view.expr).clone());
        }
        Kind::Unbind(Binding { value: Expr::Reference(_), .. }) => {}
        Kind::Bind(Binding { pattern, value, .. }) => {
            let value = evaluate(value, state);
            state.insert(name_of(pattern), vec![value]);
        }
        Kind::Unbind(Binding { pattern, value, verify }) => {
            let bound = state.values[&name_of(pattern)][0];
            if *verify && bound != evaluate(value, state) {
                return Err(failed());
            }
        }
        Kind::Allocate(Ancilla { name, value, .. }) => {
            let value = evaluate(value, state);
            state.insert(name.to_string(), vec![value]);
        }
        Kind::Release(Ancilla { name, value, verify, .. }) => {
            if *verify && state.values[&name.to_string()][0] != evaluate(value, state) {
                return Err(failed());
            }
        }
        Kind::If { arms, otherwise } => {
            let taken = arms.iter().position(|arm| evaluate(&arm.pre, state) != 0);
            match (taken, otherwise) {
                (Some(index), _) => run(&arms[index].body, state)?,
                (None, Some(block)) => run(block, state)?,
                (None, None) => {}
            }
            for (i, arm) in arms.iter().enumerate().take(taken.map_or(arms.len(), |t| t + 1)) {
                let held = evaluate(&arm.post, state) != 0;
                if arm.verify && held != (Some(i) == taken) {
                    return Err(failed());
                }
            }
        }
        Kind::While { pre, post, verify, body } => {
            let require = |held: bool| if held || !verify { Ok(()) } else { Err(failed()) };
            require(evaluate(post, state) == 0)?;
            let mut passes = 0;
            while evaluate(pre, state) != 0 {
                run(body, state)?;
                require(evaluate(post, state) != 0)?;
                passes += 1;
                if passes > 100 {
                    return Err(failed());
                }
            }
        }
        Kind::For { pattern, sequence, reversed, verify, body } => {
            let mut items = items(sequence, state);
            let before = items.clone();
            if *reversed {
                items.reverse();
            }
            for item in items {
                state.insert(name_of(pattern), vec![item]);
                run(body, state)?;
            }
            if *verify && before != self::items(sequence, state) {
                return Err(failed());
            }
        }
        Kind::Call(call) => match &call.callee {
            Callee::Function(path) if path.path.is_ident("swap") => {
                let places: Vec<&Expr> = call.arguments.iter().map(unreferenced).collect();
                require(apart(places[0], places[1], state))?;
                let (a, b) = (*locate(places[0], state), *locate(places[1], state));
                *locate(places[0], state) = b;
                *locate(places[1], state) = a;
            }
            Callee::Function(path) if path.path.is_ident("add") => {
                let places: Vec<&Expr> = call.arguments.iter().map(unreferenced).collect();
                require(apart(places[0], places[1], state))?;
                let value = evaluate(unreferenced(&call.arguments[1]), state);
                let target = locate(unreferenced(&call.arguments[0]), state);
                let sign = if call.direction == Direction::Inverse { -1 } else { 1 };
                *target = target.wrapping_add(value.wrapping_mul(sign));
            }
            other => unreachable!("{other:?}"),
        },
        Kind::Block(block) => run(block, state)?,
        Kind::Compute { .. } => unreachable!("lowered before"),
        Kind::Host(_) => {}
    }
    Ok(())
}

/// Whether `expr` reads no element that `place` is.
fn apart(place: &Expr, expr: &Expr, state: &mut State) -> bool {
    let Expr::Index(written) = place else { return true };
    let written_at = evaluate(&written.index, state);
    reads(expr).into_iter().all(|read| match read.expr {
        Expr::Index(e) => e.expr != written.expr || evaluate(&e.index, state) != written_at,
        _ => true,
    })
}

fn name_of(pattern: &Pat) -> String {
    match pattern {
        Pat::Ident(name) => name.ident.to_string(),
        other => unreachable!("{other:?}"),
    }
}

fn unreferenced(expr: &Expr) -> &Expr {
    match expr {
        Expr::Reference(e) => &e.expr,
        other => other,
    }
}

fn locate<'s>(place: &Expr, state: &'s mut State) -> &'s mut i64 {
    match place {
        Expr::Path(path) => {
            let name = path.path.require_ident().expect("a name").to_string();
            if let Some(place) = state.aliases.get(&name).cloned() {
                return locate(&place, state);
            }
            &mut state.values.get_mut(&name).expect("declared")[0]
        }
        Expr::Unary(e) => locate(&e.expr, state),
        Expr::Paren(e) => locate(&e.expr, state),
        Expr::Index(e) => {
            let index = evaluate(&e.index, state);
            let Expr::Path(path) = &*e.expr else { unreachable!("an array's name") };
            let name = path.path.require_ident().expect("a name").to_string();
            let array = state.values.get_mut(&name).expect("declared");
            &mut array[usize::try_from(index).expect("a small index")]
        }
        other => unreachable!("{other:?}"),
    }
}

fn evaluate(expr: &Expr, state: &mut State) -> i64 {
    match expr {
        Expr::Lit(e) => match &e.lit {
            Lit::Int(value) => value.base10_parse().expect("a small integer"),
            other => unreachable!("{other:?}"),
        },
        Expr::Paren(e) => evaluate(&e.expr, state),
        Expr::Binary(e) => {
            let (a, b) = (evaluate(&e.left, state), evaluate(&e.right, state));
            match e.op {
                BinOp::Add(_) => a.wrapping_add(b),
                BinOp::Sub(_) => a.wrapping_sub(b),
                BinOp::Mul(_) => a.wrapping_mul(b),
                BinOp::Lt(_) => (a < b).into(),
                BinOp::Gt(_) => (a > b).into(),
                BinOp::Eq(_) => (a == b).into(),
                BinOp::Ne(_) => (a != b).into(),
                ref other => unreachable!("{other:?}"),
            }
        }
        place => *locate(place, state),
    }
}

fn items(sequence: &Expr, state: &mut State) -> Vec<i64> {
    match sequence {
        Expr::Paren(e) => items(&e.expr, state),
        Expr::Range(range) => {
            let mut bound = |e: &Option<Box<Expr>>| evaluate(e.as_ref().expect("bounded"), state);
            let (start, end) = (bound(&range.start), bound(&range.end));
            let end = end.min(start.wrapping_add(6));
            match range.limits {
                RangeLimits::HalfOpen(_) => (start..end).collect(),
                RangeLimits::Closed(_) => (start..=end).collect(),
            }
        }
        Expr::MethodCall(call) if call.method == "rev" => {
            items(&call.receiver, state).into_iter().rev().collect()
        }
        Expr::MethodCall(call) if call.method == "step_by" => {
            let step = evaluate(&call.args[0], state) as usize;
            items(&call.receiver, state).into_iter().step_by(step).collect()
        }
        other => unreachable!("{other:?}"),
    }
}
