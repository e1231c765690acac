//! The functions of a program: pure ones, helpers, and the scope of each.

use super::writer::{Helper, Shape, Takes, Term, Writer};
use std::fmt::Write;

/// The things of a function's scope, by the types of its arguments.
pub(super) fn declare_argument(writer: &mut Writer, name: &str, ty: &str) {
    let inner = ty.trim_start_matches("&mut ").trim_start_matches('&');
    let shape = match (name, inner) {
        (_, "usize") => {
            let (start, end) = if name == "n" { (3, 4) } else { (0, 2) };
            writer.counters.push((name.to_string(), start, end));
            return;
        }
        (_, "T") => Shape::Number,
        (_, "(T, T)") => Shape::Pair,
        (_, "Body<T>") => Shape::Body,
        ("u", _) => Shape::Pairs,
        ("m", _) => Shape::Table(3, 2),
        ("g", _) => Shape::Table(2, 3),
        ("q", _) => Shape::List(4),
        ("v" | "w", _) => Shape::List(5),
        _ => Shape::List(2),
    };
    let thing = writer.thing(name, shape, name);
    thing.reference = ty.starts_with('&');
    thing.writable = ty.starts_with("&mut");
    thing.bound = 2.5;
}

pub(super) fn function_body(
    writer: &mut Writer,
    arguments: &[(&str, &str)],
    budget: usize,
    depth: usize,
) -> String {
    writer.text.clear();
    writer.things.clear();
    writer.counters.clear();
    writer.frozen.clear();
    writer.reads.clear();
    for (name, ty) in arguments {
        declare_argument(writer, name, ty);
    }
    writer.budget = budget;
    // Until something is written.
    while writer.budget > 0 {
        writer.statements(depth);
        writer.update();
        if writer.random.below(3) > 0 && writer.text.len() > 200 {
            break;
        }
    }
    std::mem::take(&mut writer.text)
}

/// Pure functions for expressions: of numbers, of a list, and of pairs.
pub(super) fn pure_functions(writer: &mut Writer, items: &mut Vec<String>) {
    writer.plain = true;
    if writer.chance(50) {
        let count = 1 + writer.random.below(2);
        let names = ["a", "b"];
        writer.things.clear();
        for name in &names[..count] {
            declare_argument(writer, name, "T");
        }
        let mut text = String::new();
        for name in ["t", "t", "u"] {
            if writer.chance(60) {
                let value = writer.expression(2);
                let value = writer.scaled(value, 3.0);
                writeln!(text, "let {name} = {};", value.text).expect("writing to a string");
                // The name means the last of its values.
                writer.things.retain(|thing| thing.path != name);
                writer.thing(name, Shape::Number, name).bound = 3.0;
            }
        }
        let (condition, first, second) =
            (writer.condition(), writer.expression(2), writer.expression(3));
        let (first, second) = (writer.scaled(first, 2.0), writer.scaled(second, 2.0));
        let value = if writer.chance(50) {
            format!("if {condition} {{ {} }} else {{ {} }}", first.text, second.text)
        } else {
            second.text
        };
        let arguments: Vec<String> =
            names[..count].iter().map(|name| format!("{name}: T")).collect();
        items.push(format!(
            "#[differentiable]\nfn pure<T: Real>({}) -> T {{\n{text}{value}\n}}\n",
            arguments.join(", ")
        ));
        writer.pure.push(("pure".into(), count));
    }
    if writer.chance(40) {
        writer.things.clear();
        declare_argument(writer, "xs", "&[T]");
        declare_argument(writer, "c", "&T");
        let (first, second) = (writer.expression(2), writer.expression(2));
        let first = writer.scaled(first, 3.0);
        writer.thing("t", Shape::Number, "t").bound = 3.0;
        let value = writer.expression(2);
        let value = writer.scaled(value, 1.0);
        let value = Term::new(format!("({} + {})", value.text, second.text), 20.0);
        let value = writer.scaled(value, 3.0);
        items.push(format!(
            "#[differentiable]\nfn fold<T: Real>(xs: &[T], c: &T) -> T {{\nlet t = {};\n{}\n}}\n",
            first.text, value.text
        ));
        writer.folds.push("fold".into());
    }
    if writer.chance(30) {
        writer.things.clear();
        declare_argument(writer, "a", "T");
        let (first, second) = (writer.expression(2), writer.expression(2));
        let (first, second) = (writer.scaled(first, 3.0), writer.scaled(second, 3.0));
        items.push(format!(
            "#[differentiable]\nfn both<T: Real>(a: T) -> (T, T) {{\n({}, {})\n}}\n",
            first.text, second.text
        ));
        writer.pairs.push("both".into());
    }
    writer.plain = false;
}

pub(super) fn helpers(writer: &mut Writer, items: &mut Vec<String>) {
    use Takes::*;
    type Signature = &'static [(&'static str, &'static str)];
    let rows = if writer.on_host() {
        &[("y", "&mut T"), ("m", "&[Vec<T>]")]
    } else {
        &[("y", "&mut T"), ("m", "&[[T; 2]]")]
    };
    let simple: [(&str, Signature, &[Takes]); 7] = [
        ("three", &[("y", "&mut T"), ("a", "&T"), ("b", "&T")], &[Written, Read, Read]),
        ("by_value", &[("y", "&mut T"), ("a", "T")], &[Written, Value]),
        (
            "lists",
            &[("xs", "&mut [T]"), ("ys", "&[T]"), ("c", "&T")],
            &[WrittenList, ReadList, Read],
        ),
        ("two", &[("y", "&mut T"), ("x", "&mut T")], &[Written, Written]),
        ("pair", &[("p", "&mut (T, T)"), ("a", "&T")], &[WrittenPair, Read]),
        ("whole", &[("s", "&mut Body<T>"), ("a", "&T")], &[WrittenBody, Read]),
        ("table", rows, &[Written, ReadTable]),
    ];
    for (name, arguments, takes) in simple {
        if writer.chance(30) {
            let (budget, depth) = (1 + writer.random.below(4), writer.random.below(3));
            let body = function_body(writer, arguments, budget, depth);
            let list: Vec<String> =
                arguments.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
            items.push(format!(
                "#[reversible]\nfn {name}<T: Real>({}) {{\n{body}}}\n",
                list.join(", ")
            ));
            writer.helpers.push(Helper { name: name.into(), takes: takes.to_vec() });
        }
    }
    if writer.chance(20) {
        let body = function_body(writer, &[("y", "&mut T"), ("xs", "&[T; N]")], 2, 1);
        items.push(format!(
            "#[reversible]\nfn array<T: Real, const N: usize>(y: &mut T, xs: &[T; N]) {{\n{body}}}\n"
        ));
        let takes = vec![Written, ReadArray];
        writer.helpers.push(Helper { name: "array".into(), takes });
    }
    if writer.on_host() && writer.chance(20) {
        let arguments = [("y", "&mut T"), ("xs", "&[T]"), ("i", "usize")];
        writer.weight = 3.0;
        let body = function_body(writer, &arguments[..2], 1, 0);
        writer.things.clear();
        arguments[..2].iter().for_each(|(name, ty)| declare_argument(writer, name, ty));
        writer.counters.push(("i - 1".into(), 0, 2));
        writer.update();
        let more = std::mem::take(&mut writer.text);
        writer.weight = 1.0;
        writer.counters.clear();
        items.push(format!(
            "#[reversible]\nfn recursive<T: Real>(y: &mut T, xs: &[T], i: usize) {{\n\
             if i > 0 {{\n{{\n{body}}}\nrecursive(y, xs, i - 1);\n{more}}}\n}}\n"
        ));
        let takes = vec![Written, ReadList, Count];
        writer.helpers.push(Helper { name: "recursive".into(), takes });
    }
    if writer.on_host() && writer.chance(25) {
        let arguments = [("y", "&mut T"), ("x", "&T")];
        let body = function_body(writer, &arguments, 2, 1);
        items.push(format!("#[reversible]\nfn step<T: Real>(y: &mut T, x: &T) {{\n{body}}}\n"));
        writer.helpers.push(Helper { name: "step".into(), takes: vec![Written, Read] });
        items.push(
            "#[reversible]\nfn apply<T: Real, F: for<'a> Reversible<(&'a mut T, &'a T)>>\
             (f: &F, y: &mut T, x: &T) {\nf(y, x);\nlet mut a = 0.0;\nf(&mut a, x);\n\
             *y += 0.25 * a;\n!f(&mut a, x);\n}\n"
                .into(),
        );
        writer.helpers.push(Helper { name: "apply".into(), takes: vec![Function, Written, Read] });
    }
}
