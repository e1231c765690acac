//! Random arguments for a function, by their types.

use crate::program::{Program, key};
use crate::random::Random;
use crate::value::{INTEGERS, Value};
use syn::{FnArg, Type};

/// How random arguments are made.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// How long slices and vectors are.
    pub length: usize,
    /// Whether numbers are tenths, whose sums meet the edges of conditions.
    pub decimal: bool,
}

/// Arguments for a function of a file; `None` for types that have no random values.
pub fn random_arguments(
    source: &str,
    function: &str,
    manner: Manner,
    seed: u64,
) -> Option<Vec<Value<f64>>> {
    let program = Program::new(syn::parse_file(source).ok()?);
    let inputs = &program.functions.get(function)?.signature.inputs;
    let mut random = Random::new(seed);
    let values = inputs.iter().map(|input| match input {
        FnArg::Typed(typed) => value(&typed.ty, &program, manner, &mut random),
        FnArg::Receiver(_) => None,
    });
    values.collect()
}

fn value(ty: &Type, program: &Program, manner: Manner, random: &mut Random) -> Option<Value<f64>> {
    let list = |element: &Type, length: usize, random: &mut Random| {
        let parts = (0..length).map(|_| value(element, program, manner, random));
        parts.collect::<Option<Vec<_>>>().map(Value::List)
    };
    match ty {
        Type::Reference(reference) => value(&reference.elem, program, manner, random),
        Type::Slice(slice) => list(&slice.elem, manner.length, random),
        Type::Array(array) => {
            let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(count), .. }) = &array.len else {
                return None;
            };
            list(&array.elem, count.base10_parse().ok()?, random)
        }
        Type::Tuple(tuple) => {
            let parts = tuple.elems.iter().map(|ty| value(ty, program, manner, random));
            parts.collect::<Option<Vec<_>>>().map(Value::Tuple)
        }
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            if last.ident == "Vec" {
                let syn::PathArguments::AngleBracketed(inside) = &last.arguments else {
                    return None;
                };
                let Some(syn::GenericArgument::Type(element)) = inside.args.first() else {
                    return None;
                };
                return list(element, manner.length, random);
            }
            let name = key(ty);
            if let Some(integer) = INTEGERS.iter().find(|known| **known == name) {
                let value = random.below(manner.length.clamp(1, 4));
                return Some(Value::Integer(value as i128, integer));
            }
            match name.as_str() {
                "f64" => Some(Value::Number(number(manner, random))),
                "bool" => Some(Value::Bool(random.chance(50))),
                name => {
                    let definition = program.structs.get(name)?;
                    let fields = definition.fields.iter().zip(&definition.types);
                    let fields = fields.map(|(field, ty)| {
                        Some((field.as_str().into(), value(ty, program, manner, random)?))
                    });
                    Some(Value::Struct(name.into(), fields.collect::<Option<Vec<_>>>()?))
                }
            }
        }
        _ => None,
    }
}

fn number(manner: Manner, random: &mut Random) -> f64 {
    let number = random.number();
    if manner.decimal { (number * 5.0).round() / 10.0 } else { number }
}
