//! Functions of the standard library that change something and have no inverse, with what to
//! write instead.

use crate::ir::{Call, Callee};
use crate::names::Names;
use crate::place::{Step, access};
use crate::text;
use syn::Expr;

/// The reason and the help for a call that cannot be undone, if it is a known one.
pub fn refusal(call: &Call, names: &Names) -> Option<(String, String)> {
    let arguments: Vec<String> = call.arguments.iter().map(text::of).collect();
    match &call.callee {
        Callee::Function(path) | Callee::Associated(path) => {
            let segments: Vec<String> =
                path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            // `mem` alone may be a module of the user's.
            let ["std" | "core", "mem", last] =
                segments.iter().map(String::as_str).collect::<Vec<_>>()[..]
            else {
                return None;
            };
            let reason = format!("`mem::{last}` of std has no inverse");
            let help = match (last, &arguments[..]) {
                ("swap", [a, b]) => format!("`swap({a}, {b});` of the prelude does the same"),
                ("replace" | "take", [place, ..]) => {
                    format!("exchange it with an ancilla, `swap({place}, &mut …);`")
                }
                _ => return None,
            };
            Some((reason, help))
        }
        Callee::Method { receiver, name, .. } if is_sequence(receiver, names) => {
            of_sequence(&text::of(receiver), &name.to_string(), &arguments)
        }
        _ => None,
    }
}

/// Whether a value may be a reference to be written through, as that of `get_mut`.
pub fn lends(value: &Expr) -> bool {
    match value {
        Expr::MethodCall(call) => {
            call.method.to_string().ends_with("_mut") || lends(&call.receiver)
        }
        Expr::Try(value) => lends(&value.expr),
        Expr::Paren(value) => lends(&value.expr),
        Expr::Unary(value) => lends(&value.expr),
        _ => false,
    }
}

/// Whether a place is a slice, an array or a vector.
fn is_sequence(place: &Expr, names: &Names) -> bool {
    access(place).is_some_and(|place| {
        place.path.iter().all(|step| matches!(step, Step::Index(_)))
            && place.path.iter().filter(|step| !step.is_range()).count() < names.plain(&place.root)
    })
}

fn of_sequence(x: &str, method: &str, arguments: &[String]) -> Option<(String, String)> {
    let reason = |what: &str| format!("`{x}.{method}(…)` {what}, and cannot be undone");
    let length = "changes the length of a vector";
    let stack = |call: &str| {
        format!(
            "a `Stack` has a method for it that can: `{x}: &mut Stack<…>`, and `{x}.{call};`, or \
             `{x}.{}_copy(&…);`",
            &call[..call.find('(').unwrap_or(0)]
        )
    };
    Some(match (method, arguments) {
        ("swap", [i, j]) => (
            format!("`{x}.swap(…)` of std has no inverse"),
            format!("`swap(&mut {x}[{i}], &mut {x}[{j}]);` does the same and can be undone"),
        ),
        ("reverse", []) => (
            format!("`{x}.reverse()` of std has no inverse"),
            format!(
                "`for k in 0..{x}.len() / 2 {{ let last = {x}.len() - 1 - k; \
                 swap(&mut {x}[k], &mut {x}[last]); }}` does the same and can be undone"
            ),
        ),
        ("push", _) => (reason(length), stack("push(&mut …)")),
        ("pop", _) => (reason(length), stack("pop(&mut …)")),
        ("fill" | "fill_with" | "copy_from_slice" | "clone_from_slice" | "copy_within", _) => (
            reason("forgets the old values"),
            format!("accumulate: `for k in 0..{x}.len() {{ {x}[k] += …; }}`"),
        ),
        (
            "append" | "clear" | "dedup" | "drain" | "extend" | "extend_from_slice" | "insert"
            | "remove" | "resize" | "retain" | "split_off" | "swap_remove" | "truncate",
            _,
        ) => (
            reason(length),
            "give the vector its length before this function is called, or use a `Stack`, which \
             grows and shrinks by `push` and `pop`"
                .to_owned(),
        ),
        _ if method.starts_with("sort") || method.starts_with("select_nth") => (
            reason("forgets the order that was before"),
            format!(
                "sort before this function is called, and pass the order as an argument; or \
                 exchange what is to be exchanged, `swap(&mut {x}[i], &mut {x}[j]);`"
            ),
        ),
        ("rotate_left" | "rotate_right", [n]) => (
            format!("`{x}.{method}(…)` of std has no inverse"),
            format!(
                "read `{x}[(k + {n}) % {x}.len()]` instead of `{x}[k]`, or exchange elements, \
                 `swap(&mut {x}[i], &mut {x}[j]);`"
            ),
        ),
        _ => return None,
    })
}
