//! Types and names as the device's language writes them.

use crate::text;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use syn::{Expr, GenericArgument, GenericParam, PathArguments, Signature, Type};

/// Scalars, by their names here and there.
const SCALARS: [(&str, &str); 9] = [
    ("f64", "rg::f64"),
    ("f32", "rg::f32"),
    ("i32", "rg::i32"),
    ("u32", "rg::u32"),
    ("i64", "rg::i64"),
    ("u64", "rg::u64"),
    ("usize", "rg::usize"),
    ("isize", "rg::isize"),
    ("bool", "bool"),
];

/// Scalars that the device's language computes with in another width.
const NARROW: [&str; 6] = ["u8", "u16", "i8", "i16", "u128", "i128"];

/// Words that are not free to be names there, or that the emitted text uses.
#[rustfmt::skip]
const RESERVED: [&str; 100] = [
    "alignas", "alignof", "and", "and_eq", "asm", "assert", "auto", "bitand", "bitor", "bool",
    "break", "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await",
    "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr",
    "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast",
    "else", "enum", "errno", "explicit", "export", "extern", "false", "float", "for", "friend",
    "goto", "if", "import", "inline", "int", "linux", "long", "module", "mutable", "namespace",
    "new", "noexcept", "not", "not_eq", "NULL", "nullptr", "operator", "or", "or_eq", "private",
    "protected", "public", "register", "reinterpret_cast", "requires", "return", "rg", "short",
    "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template",
    "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union",
    "unix", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor",
    "xor_eq",
];

/// The names in scope, and what they are called on the device, where a name is
/// declared but once in a function.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: HashMap<String, String>,
    taken: HashSet<String>,
    /// Integers, by what they are called, whose type Rust infers.
    inferred: HashSet<String>,
}

impl Scope {
    /// Keeps a name from being given.
    pub fn take(&mut self, name: String) {
        self.taken.insert(name);
    }

    /// Declares a name, and gives what it is called from here on.
    pub fn declare(&mut self, name: &Ident) -> String {
        let own = name.to_string().trim_start_matches("r#").to_string();
        let plain = ascii(&own);
        let mut given = plain.clone();
        if RESERVED.contains(&given.as_str())
            || given.starts_with("__")
            || given.starts_with(CONSTANT)
        {
            given = format!("v{given}_");
        }
        let mut number = 1;
        while !self.taken.insert(given.clone()) {
            number += 1;
            given = format!("{plain}_{number}");
        }
        self.names.insert(own, given.clone());
        given
    }

    /// Marks what a name is called: an integer whose type Rust infers.
    pub fn infer(&mut self, given: &str) {
        self.inferred.insert(given.to_string());
    }

    /// Whether a name stands for an integer whose type Rust infers.
    pub fn is_inferred(&self, name: &Ident) -> bool {
        self.get(name).is_some_and(|given| self.inferred.contains(given))
    }

    /// What a name in scope is called.
    pub fn get(&self, name: &Ident) -> Option<&str> {
        let name = name.to_string();
        self.names.get(name.trim_start_matches("r#")).map(String::as_str)
    }

    /// A name that nobody has.
    pub fn fresh(&mut self, wish: &str) -> String {
        let mut number = 1;
        let mut name = format!("{wish}_{number}");
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{wish}_{number}");
        }
        name
    }

    /// Ends a block: its names mean what they meant before, but stay taken.
    pub fn end(&mut self, before: &Scope) {
        self.names.clone_from(&before.names);
    }
}

/// How the names of constants begin.
const CONSTANT: &str = "constant_";

/// The name of a constant.
pub fn constant(number: usize) -> String {
    format!("{CONSTANT}{number}")
}

/// A name in the letters that every compiler of the device's language reads.
pub fn ascii(name: &str) -> String {
    let letter = |c: char| match c.is_ascii() {
        true => c.to_string(),
        false => format!("_u{:x}_", u32::from(c)),
    };
    name.trim_start_matches("r#").chars().map(letter).collect()
}

/// The device's name of a scalar type.
pub fn scalar(name: &str) -> Option<&'static str> {
    SCALARS.iter().find(|(own, _)| *own == name).map(|(_, there)| *there)
}

/// A type as written there; an error says what cannot be.
pub fn print(
    ty: &Type,
    parameters: &HashSet<String>,
    length: &mut dyn FnMut(&Expr) -> String,
) -> Result<String, String> {
    match ty {
        Type::Paren(inner) => print(&inner.elem, parameters, length),
        Type::Group(inner) => print(&inner.elem, parameters, length),
        Type::Array(array) => {
            let element = print(&array.elem, parameters, length)?;
            Ok(format!("rg::Array<{element}, {}>", length(&array.len)))
        }
        Type::Tuple(tuple) => {
            let parts: Result<Vec<_>, _> =
                tuple.elems.iter().map(|ty| print(ty, parameters, length)).collect();
            Ok(format!("rg::Tuple<{}>", parts?.join(", ")))
        }
        Type::Path(path) if path.qself.is_none() => {
            let Some(last) = path.path.segments.last() else { return Err(text::of(ty)) };
            let name = last.ident.to_string();
            if NARROW.contains(&name.as_str()) {
                return Err(name);
            }
            if let Some(scalar) = scalar(&name) {
                return Ok(scalar.to_string());
            }
            match &last.arguments {
                PathArguments::AngleBracketed(generics) if name == "Complex" => {
                    match generics.args.first() {
                        Some(GenericArgument::Type(part)) => {
                            Ok(format!("rg::Complex<{}>", print(part, parameters, length)?))
                        }
                        _ => Err(text::of(ty)),
                    }
                }
                PathArguments::None
                    if path.path.segments.len() == 1 && parameters.contains(&name) =>
                {
                    Ok(name)
                }
                _ => Err(text::of(ty)),
            }
        }
        other => Err(text::of(other)),
    }
}

/// Which float types a function speaks of, in its signature and in its body, by their
/// names there; `None` where it names a type whose numbers are not in sight.
pub fn numbers(signature: &Signature, in_body: &[String]) -> Option<Vec<String>> {
    let mut found = in_body.to_vec();
    let parameters: HashSet<String> = signature
        .generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            GenericParam::Type(p) => Some(p.ident.to_string()),
            _ => None,
        })
        .collect();
    for argument in &signature.inputs {
        let syn::FnArg::Typed(typed) = argument else { return None };
        collect(&typed.ty, &parameters, &mut found)?;
    }
    if let syn::ReturnType::Type(_, ty) = &signature.output {
        collect(ty, &parameters, &mut found)?;
    }
    found.sort();
    found.dedup();
    Some(found)
}

fn collect(ty: &Type, parameters: &HashSet<String>, found: &mut Vec<String>) -> Option<()> {
    match ty {
        Type::Reference(inner) => collect(&inner.elem, parameters, found),
        Type::Paren(inner) => collect(&inner.elem, parameters, found),
        Type::Group(inner) => collect(&inner.elem, parameters, found),
        Type::Slice(inner) => collect(&inner.elem, parameters, found),
        Type::Array(inner) => collect(&inner.elem, parameters, found),
        Type::Tuple(tuple) => tuple.elems.iter().try_for_each(|ty| collect(ty, parameters, found)),
        Type::Path(path) => {
            let name = path.path.segments.last()?.ident.to_string();
            match name.as_str() {
                "f64" | "f32" => found.push(format!("rg::{name}")),
                _ if scalar(&name).is_some() => {}
                _ if parameters.contains(&name) => found.push(name),
                _ => return None,
            }
            Some(())
        }
        _ => None,
    }
}

/// The float types that are named in a function's body.
pub fn mentioned(tokens: TokenStream, found: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => mentioned(group.stream(), found),
            // `f64::consts::PI` is a literal; what `f64::from` gives is a number.
            TokenTree::Ident(name) if name == "f32" || name == "f64" => {
                let mut rest = tokens.clone().map(|token| token.to_string());
                let next = (rest.next(), rest.next(), rest.next());
                if next.2.as_deref() != Some("consts") {
                    found.push(format!("rg::{name}"));
                }
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                // `0xf32` is none.
                let suffix = ["f32", "f64"].into_iter().find(|suffix| text.ends_with(suffix));
                if let (Some(suffix), false) = (suffix, text.starts_with("0x")) {
                    found.push(format!("rg::{suffix}"));
                }
            }
            _ => {}
        }
    }
}

/// Where a generic parameter of a function is to be found in the type of one of its
/// arguments, which is called `there`.
pub fn locate(ty: &Type, parameter: &Ident, there: &str) -> Option<String> {
    match ty {
        Type::Reference(inner) => locate(&inner.elem, parameter, there),
        Type::Paren(inner) => locate(&inner.elem, parameter, there),
        Type::Group(inner) => locate(&inner.elem, parameter, there),
        Type::Slice(inner) => locate(&inner.elem, parameter, &format!("rg::Element<{there}>")),
        Type::Array(inner) => match &inner.len {
            Expr::Path(length) if length.path.is_ident(parameter) => {
                Some(format!("rg::extent<{there}>"))
            }
            _ => locate(&inner.elem, parameter, &format!("rg::Element<{there}>")),
        },
        Type::Tuple(tuple) => tuple
            .elems
            .iter()
            .enumerate()
            .find_map(|(i, ty)| locate(ty, parameter, &format!("rg::Part<{there}, {i}>"))),
        Type::Path(path) if path.path.is_ident(parameter) => Some(format!("rg::Plain<{there}>")),
        Type::Path(path) => {
            let PathArguments::AngleBracketed(generics) = &path.path.segments.last()?.arguments
            else {
                return None;
            };
            generics.args.iter().enumerate().find_map(|(i, argument)| {
                let there = format!("rg::Parameter<{there}, {i}>");
                match argument {
                    GenericArgument::Type(ty) => locate(ty, parameter, &there),
                    GenericArgument::Const(Expr::Path(path)) if path.path.is_ident(parameter) => {
                        Some(format!("{there}::value"))
                    }
                    _ => None,
                }
            })
        }
        _ => None,
    }
}
