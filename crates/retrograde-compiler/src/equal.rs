//! Calls with several places of one container, of which only run time can tell whether they
//! are in one element.
//!
//! `swap(&mut m[i][j], &mut m[k][l])` borrows two rows, or one row where `i` is `k`; and in
//! `g(&mut m[i], &m[j], &m[k])` what is only read may be one element. So there is a branch
//! for the case that the indices are equal, in which they are written as one.

use crate::ir::{Arm, Call, Callee, Kind, Statement};
use crate::place::{Access, Overlap, Step, access, first_difference, indices_meet};
use crate::visit::{self, VisitMut};
use syn::{Expr, parse_quote};

/// The call, with a branch for each two indices that may be equal and must not fail then.
pub fn with_branches(statement: Statement) -> Statement {
    branch(statement, &mut Vec::new())
}

fn branch(statement: Statement, different: &mut Vec<(Expr, Expr)>) -> Statement {
    let Kind::Call(call) = &statement.kind else { return statement };
    let Some(pair) = may_be_equal(call, different) else { return statement };
    let mut equal = call.clone();
    Unify(&pair.0, &pair.1).call(&mut equal);
    if is_clash(&equal) {
        // Then they are one place, which the call as it is refuses.
        different.push(pair);
        let same = branch(statement.clone(), different);
        different.pop();
        return same;
    }
    let (first, second) = &pair;
    let condition: Expr = parse_quote!(#first == #second);
    let equal = branch(statement.with(Kind::Call(equal)), different);
    let known = different.len();
    different.push(pair);
    let otherwise = branch(statement.clone(), different);
    different.truncate(known);
    let arm = Arm { pre: condition.clone(), post: condition, verify: false, body: vec![equal] };
    statement.with(Kind::If { arms: vec![arm], otherwise: Some(vec![otherwise]) })
}

/// Two indices of a container that lead to places which are apart even if they are equal.
fn may_be_equal(call: &Call, different: &[(Expr, Expr)]) -> Option<(Expr, Expr)> {
    let places = places(call);
    for (i, (mutable, one)) in places.iter().enumerate() {
        for (other_mutable, other) in &places[i + 1..] {
            if one.root != other.root {
                continue;
            }
            let Some(depth) = first_difference(one, other) else { continue };
            let (Step::Index(a), Step::Index(b)) = (&one.path[depth], &other.path[depth]) else {
                continue;
            };
            let range = one.path[depth].is_range() || other.path[depth].is_range();
            let known = different.iter().any(|(x, y)| *x == **a && *y == **b);
            if range || known || indices_meet(a, b) != Overlap::Maybe {
                continue;
            }
            let read = !mutable && !other_mutable;
            // Where nothing is written, all is borrowed by `&`.
            let written = |(mutable, place): &(bool, Access)| *mutable && place.root == one.root;
            let (rest, other_rest) = (&one.path[depth + 1..], &other.path[depth + 1..]);
            let apart = rest.iter().zip(other_rest).any(|(a, b)| match (a, b) {
                (Step::Index(a), Step::Index(b)) => indices_meet(a, b) != Overlap::Certain,
                (Step::Field(a), Step::Field(b)) => a != b,
                _ => false,
            });
            if read && places.iter().any(written) || !read && apart {
                return Some(((**a).clone(), (**b).clone()));
            }
        }
    }
    None
}

/// Whether a call writes a place that it has a second time, for sure.
fn is_clash(call: &Call) -> bool {
    let places = places(call);
    places.iter().enumerate().any(|(i, (mutable, one))| {
        places[i + 1..].iter().any(|(other_mutable, other)| {
            (*mutable || *other_mutable) && one.overlap(other, usize::MAX) == Overlap::Certain
        })
    })
}

/// The places that a call borrows, and whether they may be written.
fn places(call: &Call) -> Vec<(bool, Access)> {
    let receiver = match &call.callee {
        Callee::Method { receiver, .. } => access(receiver).map(|place| (true, place)),
        _ => None,
    };
    let arguments = call.arguments.iter().filter_map(|argument| match argument {
        Expr::Reference(e) => Some((e.mutability.is_some(), access(&e.expr)?)),
        _ => None,
    });
    arguments.chain(receiver).collect()
}

/// Writes the first index where the second is.
struct Unify<'a>(&'a Expr, &'a Expr);

impl Unify<'_> {
    fn call(&mut self, call: &mut Call) {
        if let Callee::Method { receiver, .. } = &mut call.callee {
            self.visit_expr_mut(receiver);
        }
        call.arguments.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
    }
}

impl VisitMut for Unify<'_> {
    fn visit_expr_index_mut(&mut self, e: &mut syn::ExprIndex) {
        if *e.index == *self.1 {
            *e.index = self.0.clone();
        }
        visit::visit_expr_index_mut(self, e);
    }
}
