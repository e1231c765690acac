//! What a call may write without being seen to: places that an expression hands on, and parts
//! that only a type knows.

use crate::effects::{handed_places, handed_to_method};
use crate::emit::only_reads;
use crate::ir::{Call, Callee};
use crate::names::{Mode, Names};
use crate::place::{access, bare_name, is_written, lends, mutable_borrows};
use crate::text;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::Expr;

/// Where a call may write unseen.
pub struct Unseen {
    /// What to point at.
    pub at: TokenStream,
    /// What is wrong.
    pub reason: String,
    /// What to do about it.
    pub help: String,
}

impl Unseen {
    fn new(at: &impl ToTokens, reason: String, help: impl Into<String>) -> Option<Self> {
        Some(Unseen { at: at.to_token_stream(), reason, help: help.into() })
    }
}

/// What a call may write unseen, if anything.
pub fn by_call(call: &Call, names: &Names) -> Option<Unseen> {
    let called_on = match &call.callee {
        Callee::Method { receiver, .. } => by_receiver(receiver, call, names),
        _ => None,
    };
    called_on.or_else(|| call.arguments.iter().find_map(|argument| by_argument(argument, names)))
}

/// A view of one of several places: `*pick(&mut *y, z) += 1.0;`
pub fn by_view(place: &Expr, names: &Names) -> Option<Unseen> {
    let others: Vec<&Expr> = match place {
        Expr::Paren(e) => return by_view(&e.expr, names),
        Expr::Group(e) => return by_view(&e.expr, names),
        Expr::Reference(e) => return by_view(&e.expr, names),
        Expr::Unary(e) => return by_view(&e.expr, names),
        Expr::Field(e) => return by_view(&e.base, names),
        Expr::Index(e) => return by_view(&e.expr, names),
        Expr::MethodCall(e) => match by_view(&e.receiver, names) {
            None => e.args.iter().collect(),
            unseen => return unseen,
        },
        Expr::Call(e) => match e.args.first().and_then(|first| by_view(first, names)) {
            None => e.args.iter().skip(1).collect(),
            unseen => return unseen,
        },
        _ => return None,
    };
    access(place)?;
    others.into_iter().find_map(|other| {
        let lent = handed_places(other).into_iter().find(|place| is_lent(place, names))?;
        let name = text::of(lent);
        Unseen::new(
            lent,
            format!(
                "this view may be one of `{name}`, and what is written through it would not be \
                 seen"
            ),
            format!("give a view one place; what is only looked at is borrowed, `&*{name}`"),
        )
    })
}

/// An argument that is one of several places, or holds one.
fn by_argument(argument: &Expr, names: &Names) -> Option<Unseen> {
    match argument {
        Expr::Paren(e) => return by_argument(&e.expr, names),
        Expr::Group(e) => return by_argument(&e.expr, names),
        Expr::Tuple(e) => return e.elems.iter().find_map(|part| by_argument(part, names)),
        Expr::Array(e) => return e.elems.iter().find_map(|part| by_argument(part, names)),
        Expr::Struct(e) => {
            let parts = e.fields.iter().map(|field| &field.expr).chain(e.rest.as_deref());
            return parts.into_iter().find_map(|part| by_argument(part, names));
        }
        _ => {}
    }
    if access(argument).is_some() {
        return by_view(argument, names);
    }
    match argument {
        Expr::Call(e) => e.args.iter().find_map(|part| by_argument(part, names)),
        // What is borrowed to be written is a place, which was looked at before.
        Expr::Reference(_) => None,
        _ => {
            let handed = handed_places(argument);
            handed_on(handed.into_iter().find(|place| is_lent(place, names))?)
        }
    }
}

/// What a method is called on.
fn by_receiver(receiver: &Expr, call: &Call, names: &Names) -> Option<Unseen> {
    if is_written(receiver) {
        return by_view(receiver, names);
    }
    if let Some(place) = handed_to_method(receiver).into_iter().find(|p| is_lent(p, names)) {
        return handed_on(place);
    }
    if let Some(borrowed) = mutable_borrows(receiver).first() {
        return handed_on(&borrowed.expr);
    }
    let (giver, place, by_function) = giver(receiver, names)?;
    let Callee::Method { name, .. } = &call.callee else { return None };
    let (what, place) = (text::of(receiver), text::of(place));
    if opens(giver) {
        return Unseen::new(
            receiver,
            format!(
                "`{giver}` gives what others may hold, too: a write to it would not be seen as \
                 one"
            ),
            "borrow it before this function is called, and pass `&mut`",
        );
    }
    let part = match by_function {
        true => format!("borrow what the function is given, `{giver}(&mut *{place})`"),
        false => format!(
            "let the name of the method end in `_mut`, `{place}.{giver}_mut()`, which says that \
             it gives a part to be written"
        ),
    };
    Unseen::new(
        receiver,
        format!(
            "`{what}` may be a part of `{place}`, and a write to it would not be seen as one to \
             `{place}`"
        ),
        format!(
            "name the field, `{place}.field.{name}(…);`; or {part}; if it is only read, give it a \
             name, `let part: &… = {what};`"
        ),
    )
}

/// The method or function that gives a part of something that may be written, what of, and
/// whether it is a function.
fn giver<'e>(receiver: &'e Expr, names: &Names) -> Option<(&'e Ident, &'e Expr, bool)> {
    let writable = |expr: &Expr| access(expr).is_some_and(|place| names.is_writable(&place.root));
    match receiver {
        Expr::Paren(e) => giver(&e.expr, names),
        Expr::Group(e) => giver(&e.expr, names),
        Expr::Unary(e) => giver(&e.expr, names),
        Expr::Field(e) => giver(&e.base, names),
        Expr::Index(e) => giver(&e.expr, names),
        Expr::MethodCall(e) if opens(&e.method) => Some((&e.method, &e.receiver, false)),
        Expr::MethodCall(e) if writable(&e.receiver) => {
            (!only_reads(&e.method)).then_some((&e.method, &*e.receiver, false))
        }
        Expr::MethodCall(e) => giver(&e.receiver, names),
        Expr::Call(e) => {
            let Expr::Path(path) = &*e.func else { return None };
            let lent = e.args.iter().find(|argument| is_lent(argument, names))?;
            Some((&path.path.segments.last()?.ident, lent, true))
        }
        _ => None,
    }
}

/// Whether a method opens a cell or a lock.
fn opens(method: &Ident) -> bool {
    ["borrow_mut", "lock", "try_borrow_mut", "try_lock", "try_write", "write"]
        .iter()
        .any(|name| method == name)
}

/// Whether it is a mutable borrow, or a name of one.
fn is_lent(place: &Expr, names: &Names) -> bool {
    let by_method = matches!(place, Expr::MethodCall(e) if lends(&e.method.to_string()));
    by_method
        || !mutable_borrows(place).is_empty()
        || bare_name(place).is_some_and(|name| names.mode(name) == Mode::Mutable)
        || access(place).is_some_and(|place| names.holds_references(&place.root))
            && !matches!(place, Expr::Reference(_))
}

fn handed_on(place: &Expr) -> Option<Unseen> {
    let name = text::of(place);
    Unseen::new(
        place,
        format!("`{name}` is handed on by an expression: what is written to it would not be seen"),
        "pass the place itself; to choose one, choose between calls: `if … { g(y, x); } else { g(z, \
         x); }`",
    )
}
