//! Expressions: they are evaluated in both directions, so they must be pure.

use crate::diagnostics::Diagnostics;
use crate::place::{access, is_written};
use crate::text::{self, is_one_of};
use crate::visit::Visit;
use proc_macro2::{Ident, TokenStream};
use std::collections::HashSet;
use syn::parse::Parser;
use syn::{Attribute, BinOp, Expr, FnArg, Pat, Signature, Type};

/// Whether an expression may borrow places to be written.
#[derive(Clone, Copy, PartialEq)]
pub enum Borrow {
    /// `&` only.
    Shared,
    /// `&mut` too: arguments of a call, loops, views.
    Mutable,
}

/// Macros that only compute a value.
const PURE_MACROS: [&str; 14] = [
    "cfg",
    "vec",
    "matches",
    "concat",
    "stringify",
    "line",
    "file",
    "column",
    "env",
    "option_env",
    "include_str",
    "include_bytes",
    "format",
    "unreachable",
];

/// Whether a macro says or asserts something and changes nothing, by the name that it has in
/// the standard library or in the usual crates for logging.
pub fn only_speaks(name: &str) -> bool {
    const SPEAKING: [&str; 16] = [
        "assert",
        "assert_eq",
        "assert_ne",
        "dbg",
        "debug",
        "eprint",
        "eprintln",
        "error",
        "info",
        "panic",
        "print",
        "println",
        "todo",
        "trace",
        "unreachable",
        "warn",
    ];
    let name = name.strip_prefix("debug_").unwrap_or(name);
    SPEAKING.contains(&name)
}

/// Methods of the standard library that change what they are called on. Others
/// are caught by the type of the closure that they are evaluated in.
const MUTATING: [&str; 24] = [
    "append",
    "clear",
    "dedup",
    "drain",
    "extend",
    "fill",
    "insert",
    "next",
    "next_back",
    "pop",
    "pop_back",
    "pop_front",
    "push",
    "push_back",
    "push_front",
    "push_str",
    "remove",
    "resize",
    "retain",
    "reverse",
    "sort",
    "swap_remove",
    "take",
    "truncate",
];

/// The arguments of types of the user's own, whose methods may be named as one likes.
pub fn of_own_types(signature: &Signature) -> HashSet<Ident> {
    const CONTAINERS: [&str; 13] = [
        "BTreeMap",
        "BTreeSet",
        "BinaryHeap",
        "Box",
        "HashMap",
        "HashSet",
        "LinkedList",
        "Map",
        "Option",
        "Stack",
        "String",
        "Vec",
        "VecDeque",
    ];
    fn is_own(ty: &Type) -> bool {
        match ty {
            Type::Reference(reference) => is_own(&reference.elem),
            Type::Path(path) => {
                path.path.segments.last().is_some_and(|last| !is_one_of(&last.ident, &CONTAINERS))
            }
            _ => false,
        }
    }
    let own = signature.inputs.iter().filter_map(|argument| match argument {
        FnArg::Receiver(receiver) => Some(receiver.self_token.into()),
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) if is_own(&typed.ty) => Some(name.ident.clone()),
            _ => None,
        },
    });
    own.collect()
}

/// Reports everything in `expr` that has an effect. `own` are arguments of types of the user's
/// own: what their methods do, their types tell later.
pub fn check_pure(
    expr: &Expr,
    borrow: Borrow,
    own: &HashSet<Ident>,
    diagnostics: &mut Diagnostics,
) {
    Pure { borrow, own, diagnostics }.visit_expr(expr);
}

struct Pure<'a> {
    borrow: Borrow,
    own: &'a HashSet<Ident>,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Visit<'a> for Pure<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if is_effect(expr) {
            reject(expr, self.diagnostics);
            return;
        }
        crate::visit::visit_expr(self, expr);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        // `Option::take` forgets; `Iterator::take` does not.
        let iterator = call.method == "take" && matches!(&*call.receiver, Expr::MethodCall(_));
        let mutates = is_one_of(&call.method, &MUTATING) && !iterator;
        let of_container = access(&call.receiver)
            .is_some_and(|place| !(place.path.is_empty() && self.own.contains(&place.root)));
        if mutates && of_container {
            self.diagnostics.error(
                call,
                format!(
                    "`{}` changes what it is called on, and expressions are evaluated in both \
                     directions",
                    call.method
                ),
                "make it a statement on a `Stack` or `Map`, which know how to undo it, or do it \
                 before the reversible part",
            );
        }
        crate::visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_reference(&mut self, reference: &'a syn::ExprReference) {
        let temporary = !is_written(&reference.expr);
        if reference.mutability.is_some() && self.borrow == Borrow::Mutable && temporary {
            self.diagnostics.error(
                reference,
                "this is a temporary: what is written to it is lost, and could not be undone",
                "declare an ancilla, `let mut a = …;`, and pass `&mut a`",
            );
        }
        if reference.mutability.is_some() && self.borrow == Borrow::Shared {
            self.diagnostics.error(
                reference,
                "an expression is evaluated in both directions, so it must not change anything",
                "borrow with `&`, or make the call a statement of its own",
            );
        }
        crate::visit::visit_expr_reference(self, reference);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        let name = call.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        if !PURE_MACROS.contains(&name.as_str()) {
            self.diagnostics.error(
                &call.path,
                format!("`{name}!` may have an effect, and expressions are evaluated in both directions"),
                "compute the value in a function and call that, or put the macro in a `host! { … }`",
            );
        }
    }

    fn visit_item(&mut self, _: &'a syn::Item) {}

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        if attribute.path().is_ident("doc") {
            return;
        }
        self.diagnostics.error(
            attribute,
            "an attribute has no meaning inside an expression",
            "put `#[unchecked]` in front of the whole statement",
        );
    }
}

fn is_effect(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(e) => is_assignment(&e.op),
        Expr::Assign(_)
        | Expr::Async(_)
        | Expr::Await(_)
        | Expr::Break(_)
        | Expr::Closure(_)
        | Expr::Const(_)
        | Expr::Continue(_)
        | Expr::ForLoop(_)
        | Expr::Let(_)
        | Expr::Loop(_)
        | Expr::Return(_)
        | Expr::Try(_)
        | Expr::TryBlock(_)
        | Expr::Unsafe(_)
        | Expr::While(_)
        | Expr::Yield(_) => true,
        _ => false,
    }
}

/// Says why a piece of Rust has no place in a reversible function.
pub fn reject(expr: &Expr, diagnostics: &mut Diagnostics) {
    let (reason, help): (&str, &str) = match expr {
        Expr::Assign(e) if is_exchange(e) => (
            "an assignment forgets the old values and cannot be undone; but these are exchanged",
            "`swap(&mut …, &mut …);` exchanges two places",
        ),
        Expr::Assign(e) => {
            let place = text::of(&e.left);
            if let Some(instead) = instead_of(e) {
                return diagnostics.error(
                    expr,
                    format!(
                        "`{place} = …` forgets the old value of `{place}` and cannot be undone"
                    ),
                    format!("`{instead};` does the same and can be undone"),
                );
            }
            return diagnostics.error(
                expr,
                format!("`{place} = …` forgets the old value of `{place}` and cannot be undone"),
                format!(
                    "accumulate, `{place} += …;`, exchange, `swap(&mut …, &mut …);`, or declare a \
                     new name with `let`"
                ),
            );
        }
        Expr::Return(_) => (
            "`return` leaves early, and running backwards could not know from where",
            "put the rest of the function in the `else` of an `if`",
        ),
        Expr::Break(_) => (
            "`break` leaves the loop early, and running backwards could not know after how many \
             passes",
            "use `while (before, after) { … }` with the condition under which the loop goes on",
        ),
        Expr::Continue(_) => (
            "`continue` skips the rest of a pass, and running backwards could not know which \
             passes",
            "put the rest of the body in an `if`",
        ),
        Expr::Try(_) => (
            "`?` leaves early, and running backwards could not know from where",
            "check for errors before the reversible part, or in a `host! { … }`",
        ),
        Expr::Loop(_) => (
            "`loop` has no condition that says, going backwards, when to stop",
            "use `for` over a range, or `while (before, after) { … }`",
        ),
        Expr::Match(_) => (
            "`match` is not part of the reversible language",
            "write a chain of `if … else if … else`, also as an expression; conditions may use \
             `matches!(…)`",
        ),
        Expr::Closure(_) => (
            "a closure can change what it captures without being seen, so it has no inverse",
            "write a function: `#[reversible] fn` where it is called as a statement, an ordinary \
             `fn` where it is part of an expression; for what an iterator gives, a loop: `for v in x \
             { *y += … }`",
        ),
        Expr::Unsafe(_) => (
            "`unsafe` code is not checked, so nothing is known about its inverse",
            "write an instruction of your own with `#[instruction(inverse = …)]`",
        ),
        Expr::Async(_) | Expr::Await(_) => {
            ("waiting cannot be undone", "wait before or after the reversible part")
        }
        Expr::Let(_) => (
            "`let` beside other conditions, or in a loop, may bind another value going backwards",
            "write `if let … { … }` or `match` alone, with the other conditions inside; or test with \
             a plain condition such as `x.is_some()` or `matches!(…)`",
        ),
        Expr::Binary(e) if is_assignment(&e.op) => (
            "an update is a statement and cannot stand inside an expression",
            "make it a statement of its own",
        ),
        Expr::ForLoop(_) | Expr::While(_) => (
            "a loop is a statement and cannot stand inside an expression",
            "make it a statement of its own",
        ),
        Expr::Path(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Lit(_)
        | Expr::Binary(_)
        | Expr::Unary(_)
        | Expr::Reference(_)
        | Expr::Tuple(_)
        | Expr::Array(_)
        | Expr::Struct(_)
        | Expr::Cast(_) => (
            "this value goes nowhere: a reversible function returns nothing",
            "accumulate it, `*y += …;`, or name it, `let n = …;`",
        ),
        _ => (
            "this is not a statement of the reversible language",
            "put ordinary Rust that may run in both directions in a `host! { … }`",
        ),
    };
    diagnostics.error(expr, reason, help);
}

/// The statement of the language that does what an assignment of a place by itself does:
/// `rotate_left(x, 3)` for `*x = x.rotate_left(3)`, `*x += e` for `*x = *x + e`.
fn instead_of(e: &syn::ExprAssign) -> Option<String> {
    let written = access(&e.left)?;
    let same = |expr: &Expr| {
        access(expr).is_some_and(|read| read.root == written.root && read.path == written.path)
    };
    let lent = match &*e.left {
        Expr::Unary(reference) => text::of(&reference.expr),
        place => format!("&mut {}", text::of(place)),
    };
    match &*e.right {
        Expr::MethodCall(call) if same(&call.receiver) => {
            let arguments = call.args.iter().map(|argument| format!(", {}", text::of(argument)));
            let known = is_one_of(&call.method, &["conj", "rotate_left", "rotate_right"]);
            known.then(|| format!("{}({lent}{})", call.method, arguments.collect::<String>()))
        }
        Expr::Unary(negated) if same(&negated.expr) => match negated.op {
            syn::UnOp::Neg(_) => Some(format!("neg({lent})")),
            syn::UnOp::Not(_) => Some(format!("flip({lent})")),
            _ => None,
        },
        Expr::Binary(sum) if same(&sum.left) => {
            let operator = match sum.op {
                BinOp::Add(_) => "+=",
                BinOp::Sub(_) => "-=",
                BinOp::BitXor(_) => "^=",
                _ => return None,
            };
            Some(format!("{} {operator} {}", text::of(&e.left), text::of(&sum.right)))
        }
        _ => None,
    }
}

/// `(*a, *b) = (*b, *a)`
fn is_exchange(e: &syn::ExprAssign) -> bool {
    match (&*e.left, &*e.right) {
        (Expr::Tuple(to), Expr::Tuple(from)) => {
            to.elems.len() == 2 && to.elems.iter().eq(from.elems.iter().rev())
        }
        _ => false,
    }
}

/// Says what a pure function is made of.
pub fn reject_in_pure(statement: &impl quote::ToTokens, diagnostics: &mut Diagnostics) {
    diagnostics.error(
        statement,
        "a differentiable function is made of `let` and `if`, and ends with its value: what is \
         changed on the way would be forgotten before its gradient is known",
        "give every value a name of its own, `let b = f(a);`; loops and updates belong in a \
         `#[reversible]` function; or write the rule by hand, `#[differentiable(pullback = …)]`",
    );
}

/// Reports host code that would leave the function or a loop around it early.
pub fn check_host(tokens: &TokenStream, diagnostics: &mut Diagnostics) {
    struct Leaves<'a> {
        diagnostics: &'a mut Diagnostics,
        loops: usize,
    }
    impl<'e> Visit<'e> for Leaves<'_> {
        fn visit_expr(&mut self, expr: &'e Expr) {
            let inside = matches!(expr, Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_));
            let leaves = match expr {
                Expr::Return(_) | Expr::Try(_) => true,
                Expr::Break(_) | Expr::Continue(_) => self.loops == 0,
                Expr::Closure(_) | Expr::Async(_) => return,
                _ => false,
            };
            if leaves {
                self.diagnostics.error(
                    expr,
                    "host code runs to its end: leaving early would skip reversible statements",
                    "panic if something is wrong, or keep a flag outside",
                );
            }
            self.loops += usize::from(inside);
            crate::visit::visit_expr(self, expr);
            self.loops -= usize::from(inside);
        }
        fn visit_item(&mut self, _: &'e syn::Item) {}
    }
    // What does not parse, the compiler will explain.
    if let Ok(statements) = syn::Block::parse_within.parse2(tokens.clone()) {
        let mut leaves = Leaves { diagnostics, loops: 0 };
        statements.iter().for_each(|statement| leaves.visit_stmt(statement));
    }
}

/// Tells assignment operators from the others.
pub fn is_assignment(operator: &BinOp) -> bool {
    use BinOp::*;
    matches!(
        operator,
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
    )
}

/// Evaluates `$result` with the attributes of a statement that is an expression,
/// `$e.attrs`. The parser attaches them to its leftmost operand.
macro_rules! with_attributes {
    ($expr:expr, $e:ident => $result:expr, $left:ident => $recurse:expr) => {
        with_attributes!(
            $expr, $e => $result, $left => $recurse;
            Array Block Break Call Closure Continue Field ForLoop If Index Let Lit Loop Macro Match
            MethodCall Paren Path Range Reference Return Struct Try Tuple Unary Unsafe While
        )
    };
    ($expr:expr, $e:ident => $result:expr, $left:ident => $recurse:expr; $($variant:ident)+) => {
        match $expr {
            Expr::Assign(syn::ExprAssign { left: $left, .. })
            | Expr::Binary(syn::ExprBinary { left: $left, .. })
            | Expr::Cast(syn::ExprCast { expr: $left, .. }) => $recurse,
            $(Expr::$variant($e) => $result,)+
            _ => Default::default(),
        }
    };
}

/// Whether a statement that is an expression carries attributes.
pub fn has_attributes(expr: &Expr) -> bool {
    with_attributes!(expr, e => !e.attrs.is_empty(), left => has_attributes(left))
}

/// Takes the attributes off a statement that is an expression.
pub fn take_attributes(expr: &mut Expr) -> Vec<Attribute> {
    with_attributes!(expr, e => std::mem::take(&mut e.attrs), left => take_attributes(left))
}
