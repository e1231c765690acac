//! The signatures of the functions that carry gradients: each argument is
//! followed by its shadow.

use crate::differentiate::build;
use crate::item;
use crate::kinds::{Kind, Parameters, names_trait};
use crate::visit::Visit;
use crate::visit::VisitMut;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::HashSet;
use syn::punctuated::Punctuated;
use syn::{
    Expr, FnArg, GenericArgument, GenericParam, Pat, PathArguments, ReceiverKind, Signature, Type,
    TypeParamBound, Visibility, WherePredicate, parse_quote,
};

/// The signature of an adjoint, in its two forms.
#[derive(Clone, Debug)]
pub struct Shadowed {
    /// For people: arguments that carry no gradient have no shadow.
    pub signature: Signature,
    /// For generated code, which does not know what a callee's arguments are:
    /// every argument has a shadow, and some are ignored.
    pub hidden: Signature,
    /// Every argument with the expression that is its shadow.
    pub shadows: Vec<(Ident, Option<Expr>)>,
    /// What the first form passes to the second.
    pub arguments: Vec<Expr>,
    /// Arguments whose shadows must have their shape.
    pub shaped: Vec<Shaped>,
    /// Whether anything carries a gradient.
    pub active: bool,
}

/// An argument, and its shadow.
#[derive(Clone, Debug)]
pub struct Shaped {
    /// The argument.
    pub value: Ident,
    /// Its shadow, behind a reference.
    pub shadow: Ident,
    /// Whether the argument is behind a reference, too.
    lent: bool,
    /// Whether it is a slice.
    slice: bool,
    /// Whether its parts have shapes, or may have.
    deep: bool,
}

/// An argument of a function, as its derivative sees it.
enum Shadow {
    /// It carries no gradient.
    None,
    /// A type, and whether the value is behind a reference that the argument is not.
    Of(Box<Type>, bool),
}

/// The signature with shadows. `used` are names that are taken; `constants` the
/// arguments that carry no gradient by the user's word.
pub fn shadowed(
    signature: &Signature,
    used: &mut HashSet<String>,
    constants: &HashSet<Ident>,
) -> Shadowed {
    let parameters = Parameters::with_constants(signature, constants);
    let mut public: Punctuated<FnArg, syn::Token![,]> = Punctuated::new();
    let mut hidden = public.clone();
    let (mut shadows, mut arguments) = (Vec::new(), Vec::<Expr>::new());
    let (mut mentioned, mut shaped) = (HashSet::new(), Vec::new());
    let ignored: Type = parse_quote!(impl ::core::marker::Sized);
    let nothing: Expr = parse_quote!(::retrograde::derivative::NoShadow);
    for argument in &signature.inputs {
        let (name, shadow) = match argument {
            FnArg::Receiver(_) => {
                let name = format_ident!("self");
                let constant = constants.contains(&name);
                let ty: Type = parse_quote!(&mut Self);
                (name, if constant { Shadow::None } else { Shadow::Of(Box::new(ty), false) })
            }
            FnArg::Typed(typed) => {
                let Pat::Ident(name) = &*typed.pat else { continue };
                let constant = constants.contains(&name.ident);
                let shadow = if constant { Shadow::None } else { shadow(&typed.ty, &parameters) };
                if let Shadow::Of(..) = shadow {
                    mentioned.extend(names_of(&typed.ty));
                }
                (name.ident.clone(), shadow)
            }
        };
        let mut argument = argument.clone();
        if let FnArg::Typed(typed) = &mut argument
            && let Some(bounds) = opaque_bounds(&mut typed.ty)
        {
            let more: Vec<TypeParamBound> =
                bounds.iter().filter_map(|bound| adjoint_bound(bound, &parameters)).collect();
            bounds.extend(more);
            parenthesise_opaque(&mut typed.ty);
        }
        public.push(argument.clone());
        hidden.push(argument);
        if name != "self" {
            arguments.push(build::name(&name));
        }
        let taken = free_name(&format!("d_{name}"), used);
        if let Shadow::Of(ty, behind) = &shadow
            && let Type::Reference(ty) = &**ty
            && !receiver_by_value(signature, &name)
        {
            let slice = matches!(&*ty.elem, Type::Slice(_));
            let kind = parameters.kind(&ty.elem);
            let deep = match &*ty.elem {
                // As long as each other, whatever they hold.
                Type::Slice(_) | Type::Array(_) => !kind.is_numbers(),
                _ => !kind.is_number(),
            };
            let (value, shadow) = (name.clone(), taken.clone());
            shaped.push(Shaped { value, shadow, lent: !behind, slice, deep });
        }
        match shadow {
            Shadow::None => {
                hidden.push(typed(&taken, ignored.clone()));
                shadows.push((name, None));
                arguments.push(nothing.clone());
            }
            Shadow::Of(mut ty, behind) => {
                // It is lent for the call alone: where the value that it is lent beside has the
                // same lifetime inside, nothing could be lent for that long to be written.
                if let Type::Reference(reference) = &mut *ty {
                    reference.lifetime = None;
                }
                let argument = typed(&taken, *ty);
                public.push(argument.clone());
                hidden.push(argument);
                let own = build::name(&taken);
                arguments.push(own.clone());
                let shadow = if behind { parse_quote!(*#own) } else { own };
                shadows.push((name, Some(shadow)));
            }
        }
    }
    let active = shadows.iter().any(|(_, shadow)| shadow.is_some());
    let mut generics = signature.generics.clone();
    extend_bounds(&mut generics, &parameters, &mentioned);
    let with = |inputs| {
        let mut result = signature.clone();
        result.inputs = inputs;
        result.generics = generics.clone();
        result
    };
    let (signature, hidden) = (with(public), with(hidden));
    Shadowed { signature, hidden, shadows, arguments, shaped, active }
}

/// A shadow of type `Self` would keep a trait from `dyn`, so methods with one are
/// left out of its objects. What says `pub` stands in no trait.
///
/// The lifetime lets the bound stand in an `impl` for a type without a size, too:
/// there the method is not to be called.
pub fn keep_from_objects(signature: &mut Signature, visibility: &Visibility) {
    if signature.receiver().is_some() && matches!(visibility, Visibility::Inherited) {
        let clause = signature.generics.make_where_clause();
        let bound = parse_quote!(for<'of> Self: ::retrograde::__private::KnownSize);
        clause.predicates.push(bound);
    }
}

/// Whether a name is that of a receiver which is no reference.
fn receiver_by_value(signature: &Signature, name: &Ident) -> bool {
    let lent = |receiver: &syn::Receiver| matches!(receiver.kind, ReceiverKind::Reference(..));
    name == "self" && !signature.receiver().is_some_and(lent)
}

impl Shaped {
    /// Refuses a shadow of another shape, where people hand it in; with the names that the two
    /// have there.
    pub fn check(&self, value: &Ident, shadow: &Ident) -> TokenStream {
        let names = format!("{}, {}", self.value, self.shadow);
        let length = self.slice.then(
            || quote!(::retrograde::__private::same_length(#value.len(), #shadow.len(), #names);),
        );
        let shape = self.deep.then(|| {
            let value = if self.lent { quote!(&*#value) } else { quote!(&#value) };
            quote!({
                #[allow(unused_imports)]
                use ::retrograde::__private::{FitsKnown as _, FitsUnknown as _};
                (&::retrograde::__private::Fits(#value, &*#shadow)).__fits(#names);
            })
        });
        quote!(#length #shape)
    }
}

impl Shadowed {
    /// Refuses shadows of another shape than that of their values.
    pub fn check_shapes(&self) -> TokenStream {
        self.shaped.iter().map(|shaped| shaped.check(&shaped.value, &shaped.shadow)).collect()
    }
}

/// `name: ty`
fn typed(name: &Ident, ty: Type) -> FnArg {
    FnArg::Typed(syn::PatType {
        attrs: Vec::new(),
        pat: Box::new(build::pattern(name)),
        colon_token: Default::default(),
        ty: Box::new(ty),
    })
}

/// A name that is not taken; then it is.
pub fn free_name(wish: &str, used: &mut HashSet<String>) -> Ident {
    // After a name such as `r#try`.
    let mut name = wish.replace("r#", "");
    while syn::parse_str::<Ident>(&name).is_err() || !used.insert(name.clone()) {
        name.push('_');
    }
    format_ident!("{name}")
}

/// The types of a tuple of arguments, each followed by its shadow's.
fn shadowed_types(types: &Type, parameters: &Parameters) -> Type {
    let Type::Tuple(tuple) = types else { return types.clone() };
    let mut all: Vec<Type> = Vec::new();
    for ty in &tuple.elems {
        all.push(ty.clone());
        if let Shadow::Of(shadow, _) = shadow(ty, parameters) {
            all.push(*shadow);
        }
    }
    parse_quote!((#(#all,)*))
}

fn shadow(ty: &Type, parameters: &Parameters) -> Shadow {
    let kind = parameters.kind(ty);
    if kind.is_constant() || kind == Kind::Function {
        return Shadow::None;
    }
    match ty {
        Type::Reference(_) => Shadow::Of(Box::new(writable(ty)), false),
        Type::Paren(inner) => shadow(&inner.elem, parameters),
        // A tuple of references has one of writable ones.
        Type::Tuple(tuple) if tuple.elems.iter().any(|t| matches!(t, Type::Reference(_))) => {
            Shadow::Of(Box::new(writable(ty)), false)
        }
        _ => {
            let ty = item::parenthesised(ty);
            Shadow::Of(Box::new(parse_quote!(&mut #ty)), true)
        }
    }
}

/// The type with every reference made a writable one.
fn writable(ty: &Type) -> Type {
    struct Writable;
    impl VisitMut for Writable {
        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            reference.mutability = Some(Default::default());
            crate::visit::visit_type_reference_mut(self, reference);
        }
    }
    let mut ty = ty.clone();
    Writable.visit_type_mut(&mut ty);
    ty
}

fn names_of(ty: &Type) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl Visit<'_> for Names {
        fn visit_ident(&mut self, name: &Ident) {
            self.0.push(name.clone());
        }
    }
    let mut names = Names(Vec::new());
    names.visit_type(ty);
    names.0
}

/// The bounds of `impl Reversible<…>`, also behind a reference.
fn opaque_bounds(ty: &mut Type) -> Option<&mut Punctuated<TypeParamBound, syn::Token![+]>> {
    match ty {
        Type::ImplTrait(opaque) => Some(&mut opaque.bounds),
        Type::Reference(reference) => opaque_bounds(&mut reference.elem),
        Type::Paren(inner) => opaque_bounds(&mut inner.elem),
        _ => None,
    }
}

/// `&(impl A + B)`: behind a reference, more than one bound stands in parentheses.
fn parenthesise_opaque(ty: &mut Type) {
    let Type::Reference(reference) = ty else { return };
    match &*reference.elem {
        Type::ImplTrait(opaque) if opaque.bounds.len() > 1 => {
            *reference.elem = parse_quote!((#opaque));
        }
        _ => parenthesise_opaque(&mut reference.elem),
    }
}

/// `Adjoint<(A, dA, B, dB)>` for `Reversible<(A, B)>`.
fn adjoint_bound(bound: &TypeParamBound, parameters: &Parameters) -> Option<TypeParamBound> {
    if !names_trait(bound, &["Reversible"]) {
        return None;
    }
    let TypeParamBound::Trait(bound) = bound else { return None };
    let PathArguments::AngleBracketed(generics) = &bound.path.segments.last()?.arguments else {
        return None;
    };
    let GenericArgument::Type(types) = generics.args.first()? else { return None };
    let mut types = shadowed_types(types, parameters);
    // The shadow of a value is behind a reference of its own.
    let mut lifetimes = bound.lifetimes.clone();
    let mut named = NameElided(false);
    named.visit_type_mut(&mut types);
    if named.0 {
        let all = lifetimes.get_or_insert_with(|| parse_quote!(for<>));
        all.lifetimes.push(parse_quote!('shadow));
    }
    Some(parse_quote!(#lifetimes ::retrograde::Adjoint<#types>))
}

/// Gives a name to the lifetimes of references that have none.
struct NameElided(bool);

impl VisitMut for NameElided {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(parse_quote!('shadow));
            self.0 = true;
        }
        crate::visit::visit_type_reference_mut(self, reference);
    }
}

/// What is asked of type parameters: that their values have shadows, and of
/// functions that they have adjoints.
fn extend_bounds(
    generics: &mut syn::Generics,
    parameters: &Parameters,
    mentioned: &HashSet<Ident>,
) {
    let relaxed = |bounds: &Punctuated<TypeParamBound, syn::Token![+]>| {
        bounds.iter().any(|bound| bound.to_token_stream().to_string().starts_with('?'))
    };
    let unsized_later: Vec<String> = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates)
        .filter_map(|predicate| match predicate {
            WherePredicate::Type(p) if relaxed(&p.bounds) => {
                Some(p.bounded_ty.to_token_stream().to_string())
            }
            _ => None,
        })
        .collect();
    let mut more: Vec<WherePredicate> = Vec::new();
    let mut functions: Vec<(Type, Option<syn::BoundLifetimes>, TypeParamBound)> = Vec::new();
    for parameter in &generics.params {
        let GenericParam::Type(parameter) = parameter else { continue };
        let name = &parameter.ident;
        let ty: Type = parse_quote!(#name);
        for bound in &parameter.bounds {
            if let Some(adjoint) = adjoint_bound(bound, parameters) {
                functions.push((ty.clone(), None, adjoint));
            }
        }
        let sized = !relaxed(&parameter.bounds) && !unsized_later.contains(&name.to_string());
        if mentioned.contains(name) && parameters.kind(&ty) != Kind::Function && sized {
            more.push(parse_quote!(#name: ::retrograde::derivative::Differentiable));
        }
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if let WherePredicate::Type(predicate) = predicate {
            for bound in &predicate.bounds {
                if let Some(adjoint) = adjoint_bound(bound, parameters) {
                    let (ty, lifetimes) = (predicate.bounded_ty.clone(), &predicate.lifetimes);
                    functions.push((ty, lifetimes.clone(), adjoint));
                }
            }
        }
    }
    for (ty, lifetimes, bound) in functions {
        more.push(parse_quote!(#lifetimes #ty: #bound));
    }
    if !more.is_empty() {
        generics.make_where_clause().predicates.extend(more);
    }
}

/// Which arguments of a function value have shadows, by the bound of its type.
pub fn activity(
    signature: &Signature,
    constants: &HashSet<Ident>,
    value: &Ident,
) -> Option<Vec<bool>> {
    let parameters = Parameters::with_constants(signature, constants);
    let ty = signature.inputs.iter().find_map(|argument| match argument {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) if name.ident == *value => Some((*typed.ty).clone()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    })?;
    let of = |bounds: &Punctuated<TypeParamBound, syn::Token![+]>| {
        bounds.iter().find_map(|bound| {
            if !names_trait(bound, &["Reversible"]) {
                return None;
            }
            let TypeParamBound::Trait(bound) = bound else { return None };
            let PathArguments::AngleBracketed(generics) = &bound.path.segments.last()?.arguments
            else {
                return None;
            };
            let GenericArgument::Type(Type::Tuple(types)) = generics.args.first()? else {
                return None;
            };
            let active =
                types.elems.iter().map(|ty| matches!(shadow(ty, &parameters), Shadow::Of(..)));
            Some(active.collect())
        })
    };
    let mut behind = ty;
    if let Some(bounds) = opaque_bounds(&mut behind) {
        return of(bounds);
    }
    while let Type::Reference(reference) = behind {
        behind = *reference.elem;
    }
    let name = behind.to_token_stream().to_string();
    for parameter in &signature.generics.params {
        if let GenericParam::Type(parameter) = parameter
            && parameter.ident == name
            && let Some(active) = of(&parameter.bounds)
        {
            return Some(active);
        }
    }
    let predicates = signature.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    predicates
        .filter_map(|predicate| match predicate {
            WherePredicate::Type(predicate)
                if predicate.bounded_ty.to_token_stream().to_string() == name =>
            {
                of(&predicate.bounds)
            }
            _ => None,
        })
        .next()
}
