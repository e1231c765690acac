//! Numbers of two types in one operation, as far as the types of the arguments tell. Rust would
//! say it of every direction, and of what follows from it.

use crate::diagnostics::Diagnostics;
use crate::names::pattern_names;
use crate::place::{bare_name, identifiers};
use crate::pure;
use crate::text;
use crate::visit::Visit;
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::HashMap;
use syn::{
    BinOp, Block, Expr, FnArg, GenericParam, Lit, Pat, Signature, Type, TypeParamBound, UnOp,
};

const FLOATS: [&str; 2] = ["f32", "f64"];
const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// Traits of type parameters that say nothing of sums and products with other types.
const PLAIN: [&str; 12] = [
    "AdditiveGroup",
    "Arithmetic",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Differentiable",
    "MultiplicativeGroup",
    "PartialEq",
    "PartialOrd",
    "Real",
    "Send",
];

/// What is known of the type of an expression.
#[derive(Clone, Debug, PartialEq)]
enum Known {
    /// `f64`
    Primitive(String),
    /// `T`
    Parameter(String),
    /// A literal `2`, `2.0` without a type.
    Literal(bool),
    /// A slice, an array or a vector.
    Sequence(Option<Box<Known>>),
}

/// Reports the operations in the body of a function that no types could have.
pub fn check(signature: &Signature, body: &Block, diagnostics: &mut Diagnostics) {
    let parameters = Parameters::of(signature);
    let mut types = HashMap::new();
    for input in &signature.inputs {
        if let FnArg::Typed(typed) = input
            && let Pat::Ident(name) = &*typed.pat
            && let Some(known) = parameters.known(&typed.ty)
        {
            types.insert(name.ident.clone(), known);
        }
    }
    // A name may be declared again, where that is no mistake.
    struct Declared<'a>(&'a mut HashMap<Ident, Known>);
    impl Visit<'_> for Declared<'_> {
        fn visit_pat(&mut self, pattern: &Pat) {
            pattern_names(pattern).iter().for_each(|name| _ = self.0.remove(name));
        }
    }
    Declared(&mut types).visit_block(body);
    if !types.is_empty() {
        Mixed { types, parameters, diagnostics }.visit_block(body);
    }
}

/// The type parameters of a function.
struct Parameters {
    /// Each with whether nothing is known of it but that it is a number.
    plain: HashMap<String, bool>,
    /// Every name in the bounds.
    mentioned: Vec<Ident>,
}

impl Parameters {
    fn of(signature: &Signature) -> Self {
        let generics = &signature.generics;
        let is_plain = |bound: &TypeParamBound| match bound {
            TypeParamBound::Trait(bound) => {
                bound.path.segments.last().is_some_and(|last| text::is_one_of(&last.ident, &PLAIN))
            }
            _ => true,
        };
        let parameter = |parameter: &GenericParam| match parameter {
            GenericParam::Type(ty) => Some((
                ty.ident.to_string(),
                generics.where_clause.is_none() && ty.bounds.iter().all(is_plain),
            )),
            _ => None,
        };
        let plain = generics.params.iter().filter_map(parameter).collect();
        let mut mentioned = identifiers(&generics.to_token_stream());
        mentioned.extend(identifiers(&generics.where_clause.to_token_stream()));
        Parameters { plain, mentioned }
    }

    fn known(&self, ty: &Type) -> Option<Known> {
        match ty {
            Type::Reference(reference) => self.known(&reference.elem),
            Type::Paren(inner) => self.known(&inner.elem),
            Type::Slice(slice) => Some(Known::Sequence(self.known(&slice.elem).map(Box::new))),
            Type::Array(array) => Some(Known::Sequence(self.known(&array.elem).map(Box::new))),
            Type::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                if FLOATS.contains(&name.as_str()) || INTEGERS.contains(&name.as_str()) {
                    return Some(Known::Primitive(name));
                }
                self.plain.contains_key(&name).then_some(Known::Parameter(name))
            }
            _ => None,
        }
    }

    /// Whether there is no `left + right`, `left * right` and so on.
    fn are_apart(&self, left: &Known, right: &Known) -> bool {
        let is_float = |name: &String| FLOATS.contains(&name.as_str());
        match (left, right) {
            (Known::Primitive(left), Known::Primitive(right)) => left != right,
            (Known::Primitive(name), Known::Literal(float))
            | (Known::Literal(float), Known::Primitive(name)) => is_float(name) != *float,
            (Known::Primitive(name), Known::Parameter(_)) => {
                !self.mentioned.iter().any(|mentioned| mentioned == name)
            }
            (Known::Parameter(parameter), Known::Primitive(_)) => self.plain[parameter],
            _ => false,
        }
    }
}

struct Mixed<'a> {
    types: HashMap<Ident, Known>,
    parameters: Parameters,
    diagnostics: &'a mut Diagnostics,
}

impl Mixed<'_> {
    fn known(&self, expr: &Expr) -> Option<Known> {
        match expr {
            Expr::Path(_) => self.types.get(bare_name(expr)?).cloned(),
            Expr::Paren(e) => self.known(&e.expr),
            Expr::Group(e) => self.known(&e.expr),
            Expr::Reference(e) => self.known(&e.expr),
            Expr::Unary(e) if !matches!(e.op, UnOp::Not(_)) => self.known(&e.expr),
            Expr::Cast(e) => self.parameters.known(&e.ty),
            Expr::Index(e) if !matches!(*e.index, Expr::Range(_)) => match self.known(&e.expr)? {
                Known::Sequence(element) => element.map(|element| *element),
                _ => None,
            },
            Expr::Lit(e) => match &e.lit {
                Lit::Int(literal) if literal.suffix().is_empty() => Some(Known::Literal(false)),
                Lit::Float(literal) if literal.suffix().is_empty() => Some(Known::Literal(true)),
                Lit::Int(literal) => Some(Known::Primitive(literal.suffix().to_owned())),
                Lit::Float(literal) => Some(Known::Primitive(literal.suffix().to_owned())),
                _ => None,
            },
            Expr::Binary(e) if is_arithmetic(&e.op) => {
                let (left, right) = (self.known(&e.left)?, self.known(&e.right)?);
                if self.parameters.are_apart(&left, &right) {
                    return None;
                }
                Some(if matches!(left, Known::Literal(_)) { right } else { left })
            }
            _ => None,
        }
    }

    /// What to write for `from`, so that it is of the type of `to`.
    fn converted(&self, (from, expr): (&Known, &Expr), to: &Known) -> Option<String> {
        let source = text::of(expr);
        match (from, to) {
            (Known::Literal(false), Known::Primitive(_)) => Some(format!("{source}.0")),
            (Known::Primitive(name), Known::Parameter(to)) if name == "f64" => {
                Some(format!("{to}::from_f64({source})"))
            }
            (Known::Primitive(_), Known::Parameter(to)) => {
                Some(format!("{to}::from_f64({source} as f64)"))
            }
            (Known::Primitive(_), Known::Primitive(to)) => Some(format!("{source} as {to}")),
            _ => None,
        }
    }

    fn report(&mut self, whole: &Expr, of: &Expr, into: &Expr, types: (&Known, &Known)) {
        let name = |known: &Known| match known {
            Known::Primitive(name) | Known::Parameter(name) => format!("of type `{name}`"),
            Known::Literal(false) => "an integer".to_owned(),
            Known::Literal(true) => "a float".to_owned(),
            Known::Sequence(_) => "a sequence".to_owned(),
        };
        let (from, to) = types;
        let help = self.converted((from, of), to).map_or_else(
            || "convert one of them, `x as f64`".to_owned(),
            |converted| format!("write `{converted}`"),
        );
        self.diagnostics.error(
            whole,
            format!(
                "`{}` is {}, but `{}` {}",
                text::of(of),
                name(from),
                text::of(into),
                name(to).replace("of", "is of")
            ),
            help,
        );
    }
}

impl Visit<'_> for Mixed<'_> {
    fn visit_expr_binary(&mut self, e: &syn::ExprBinary) {
        crate::visit::visit_expr_binary(self, e);
        let update = pure::is_assignment(&e.op);
        if !update && !is_arithmetic(&e.op) {
            return;
        }
        let (Some(left), Some(right)) = (self.known(&e.left), self.known(&e.right)) else {
            return;
        };
        if let (true, Known::Primitive(_), Known::Sequence(_)) = (update, &left, &right) {
            let (place, sequence) = (text::of(&e.left), text::of(&e.right));
            return self.diagnostics.error(
                &e.right,
                format!("`{sequence}` is a sequence, but `{place}` is one number"),
                format!(
                    "take one element, `{sequence}[k]`, or all of them in a loop: \
                     `for v in {sequence} {{ {place} {} *v; }}`",
                    text::of(&e.op)
                ),
            );
        }
        if !self.parameters.are_apart(&left, &right) {
            return;
        }
        // The side that can be converted to the other without a loss.
        let rank = |known: &Known| match known {
            Known::Literal(_) => 0,
            Known::Primitive(name) => 1 + usize::from(FLOATS.contains(&name.as_str())),
            _ => 3,
        };
        let whole = Expr::Binary(e.clone());
        if update || rank(&right) < rank(&left) {
            self.report(&whole, &e.right, &e.left, (&right, &left));
        } else {
            self.report(&whole, &e.left, &e.right, (&left, &right));
        }
    }

    fn visit_item(&mut self, _: &syn::Item) {}
}

fn is_arithmetic(op: &BinOp) -> bool {
    matches!(op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_))
}
