//! Type parameters that say too little of what stands for them.

use crate::diagnostics::Diagnostics;
use crate::item;
use crate::kinds::names_trait;
use proc_macro2::Ident;
use syn::{GenericArgument, PathArguments, Signature, Type, TypeParamBound, WherePredicate};

/// Traits that tell nothing of sums.
const NOTHING: [&str; 14] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sized",
    "Sync",
    "Unpin",
];

/// The arguments that hold values of a type parameter of which nothing is known.
#[derive(Debug, Default)]
pub struct Bare<'a> {
    arguments: Vec<(&'a Ident, &'a Ident)>,
}

impl<'a> Bare<'a> {
    /// Those of a signature.
    pub fn of(signature: &'a Signature) -> Self {
        let generics = &signature.generics;
        let bounded = |name: &Ident| {
            let own = generics.type_params().filter(|p| p.ident == *name).flat_map(|p| &p.bounds);
            let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
            let more = predicates.filter_map(|predicate| match predicate {
                WherePredicate::Type(p) if is_name(&p.bounded_ty, name) => Some(&p.bounds),
                _ => None,
            });
            own.chain(more.flatten()).any(|bound| {
                matches!(bound, TypeParamBound::Trait(_)) && !names_trait(bound, &NOTHING)
            })
        };
        let bare: Vec<&Ident> =
            generics.type_params().map(|p| &p.ident).filter(|name| !bounded(name)).collect();
        let arguments = item::arguments(signature).filter_map(|(argument, ty)| {
            Some((argument, *bare.iter().find(|name| is_name(innermost(ty), name))?))
        });
        Bare { arguments: arguments.collect() }
    }

    /// Reports, once for each parameter, that something is added to what may be anything.
    pub fn added_to(&mut self, argument: &Ident, place: &str, diagnostics: &mut Diagnostics) {
        let Some((_, name)) = self.arguments.iter().find(|(known, _)| *known == argument) else {
            return;
        };
        let name = (*name).clone();
        self.arguments.retain(|(_, known)| **known != name);
        diagnostics.error(
            &name,
            format!(
                "`{name}` may be any type, also one whose sums cannot be undone: `{place} += …` \
                 needs to know more"
            ),
            format!(
                "write `{name}: Real`, for numbers, or `{name}: AdditiveGroup`, for all that can \
                 be added and taken away"
            ),
        );
    }
}

fn is_name(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(name))
}

/// What is behind references, and in slices, arrays and vectors.
fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Reference(inner) => innermost(&inner.elem),
        Type::Paren(inner) => innermost(&inner.elem),
        Type::Group(inner) => innermost(&inner.elem),
        Type::Slice(inner) => innermost(&inner.elem),
        Type::Array(inner) => innermost(&inner.elem),
        Type::Path(path) => match path.path.segments.last() {
            Some(last) if last.ident == "Vec" => match &last.arguments {
                PathArguments::AngleBracketed(generics) => match generics.args.first() {
                    Some(GenericArgument::Type(inner)) => innermost(inner),
                    _ => ty,
                },
                _ => ty,
            },
            _ => ty,
        },
        _ => ty,
    }
}
