//! `f::gradient`: the function, its seed and its adjoint in one call.

use crate::added::{ADDS_TO, AddedTo, Answer};
use crate::adjoint::Shadowed;
use crate::item;
use crate::kinds::{Kind, Parameters};
use crate::visit::Visit;
use crate::visit::VisitMut;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{FnArg, GenericParam, Pat, Signature, Type, Visibility};

/// What is generated: a type for the results, and the function that gives them.
pub struct Gradient {
    /// The type, beside the function.
    pub result: TokenStream,
    /// The associated function.
    pub function: TokenStream,
}

/// What is known of the way back.
#[derive(Clone, Copy, Debug)]
pub struct Undoing {
    /// Whether it stands beside the way there: it must recall decisions of that, or follow what
    /// arguments hold.
    pub in_one_call: bool,
    /// Whether derivatives look at what it undoes of the number that the function adds to.
    pub looks_at_loss: bool,
}

/// An argument, and what it is to the gradient.
struct Argument<'a> {
    name: &'a Ident,
    ty: &'a Type,
    shadow: Option<Ident>,
    by_reference: bool,
}

/// The gradient of a function whose first writable argument is a number, if its
/// other arguments can be passed twice and their shadows held by a struct. `added_to`: what
/// it only adds to.
pub fn gradient(
    signature: &Signature,
    shadowed: &Shadowed,
    visibility: &Visibility,
    added_to: &AddedTo,
    undoing: Undoing,
) -> Option<Gradient> {
    let signature = &prepared(signature, shadowed);
    let parameters = Parameters::of(signature);
    let mut arguments = Vec::new();
    let mut loss = None;
    for (argument, (_, shadow)) in signature.inputs.iter().zip(&shadowed.shadows) {
        let FnArg::Typed(typed) = argument else { return None };
        let Pat::Ident(name) = &*typed.pat else { return None };
        let by_reference = matches!(&*typed.ty, Type::Reference(_));
        let held = shadow.is_some();
        let pointer = matches!(&*typed.ty, Type::FnPtr(_));
        if parameters.kind(&typed.ty) == Kind::Function && !by_reference && !pointer
            || held && has_references(&typed.ty)
            || matches!(&*typed.ty, Type::ImplTrait(_))
        {
            return None;
        }
        let writable = matches!(&*typed.ty, Type::Reference(r) if r.mutability.is_some());
        let shadow = held.then(|| format_ident!("d_{}", name.ident));
        let argument = Argument { name: &name.ident, ty: &typed.ty, shadow, by_reference };
        if loss.is_none() && writable {
            if parameters.kind(&typed.ty) != Kind::Real {
                return None;
            }
            loss = Some(arguments.len());
        }
        arguments.push(argument);
    }
    let loss = loss?;
    let (name, own) = (&signature.ident, arguments[loss].name);
    let number = element(arguments[loss].ty)?;
    let shadows: Vec<_> = arguments
        .iter()
        .enumerate()
        .filter(|(i, argument)| *i != loss && argument.shadow.is_some())
        .map(|(_, argument)| argument)
        .collect();
    let fields: Vec<&Ident> =
        shadows.iter().filter_map(|argument| argument.shadow.as_ref()).collect();
    let types: Vec<Type> =
        shadows.iter().map(|argument| element(argument.ty)).collect::<Option<_>>()?;
    let about: Vec<String> = shadows
        .iter()
        .map(|argument| format!("The gradient with respect to `{}`.", argument.name))
        .collect();
    let result = format_ident!("{}Gradient", camel_case(&name.to_string()));
    let mut mentioned = Mentioned(Vec::new());
    mentioned.visit_type(&number);
    types.iter().for_each(|ty| mentioned.visit_type(ty));
    // What a parameter is bound by may be asked of it by a type, and names others.
    for _ in 0..signature.generics.params.len() {
        for parameter in signature.generics.type_params() {
            if mentioned.0.contains(&parameter.ident) {
                parameter.bounds.iter().for_each(|bound| mentioned.visit_type_param_bound(bound));
            }
        }
    }
    let kept: Vec<&GenericParam> = signature
        .generics
        .params
        .iter()
        .filter(|parameter| match parameter {
            GenericParam::Type(p) => mentioned.0.contains(&p.ident),
            GenericParam::Const(p) => mentioned.0.contains(&p.ident),
            GenericParam::Lifetime(p) => mentioned.0.contains(&p.lifetime.ident),
        })
        .collect();
    let (declared, passed): (Vec<TokenStream>, Vec<TokenStream>) = kept
        .iter()
        .map(|parameter| match parameter {
            GenericParam::Const(p) => {
                let (name, ty) = (&p.ident, &p.ty);
                (quote!(const #name: #ty), quote!(#name))
            }
            GenericParam::Type(p) => {
                let (name, bounds) = (&p.ident, &p.bounds);
                (quote!(#name: #bounds), quote!(#name))
            }
            GenericParam::Lifetime(p) => {
                let name = &p.lifetime;
                (quote!(#name), quote!(#name))
            }
        })
        .unzip();
    let is_kept = |predicate: &&syn::WherePredicate| {
        let mut asked = Mentioned(Vec::new());
        asked.visit_where_predicate(predicate);
        let of = |parameter: &GenericParam| match parameter {
            GenericParam::Type(p) => asked.0.contains(&p.ident),
            GenericParam::Const(p) => asked.0.contains(&p.ident),
            GenericParam::Lifetime(p) => asked.0.contains(&p.lifetime.ident),
        };
        let all = signature.generics.params.iter();
        all.filter(|parameter| !kept.contains(parameter)).all(|parameter| !of(parameter))
    };
    let asked = signature.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let asked: Vec<&syn::WherePredicate> = asked.filter(is_kept).collect();
    let asked = (!asked.is_empty()).then(|| quote!(where #(#asked),*));
    let known = shadows.iter().all(|argument| is_numeric(&parameters.kind(argument.ty)));
    let derives = known.then(|| quote!(#[derive(Clone, Debug, PartialEq)]));
    let about_type = format!("The value and the gradient of [`{name}`](fn@{name}).");
    let result_type = quote! {
        #[doc = #about_type]
        #derives
        #[allow(dead_code, nonstandard_style)]
        #visibility struct #result<#(#declared),*> #asked {
            /// What the function added.
            pub value: #number,
            #(#[doc = #about] pub #fields: #types,)*
        }
    };
    let function = {
        let mut outer = signature.clone();
        outer.generics = shadowed.signature.generics.clone();
        let fresh = |lifetime: &&syn::LifetimeParam| {
            !outer.generics.lifetimes().any(|known| known.lifetime == lifetime.lifetime)
        };
        let fresh: Vec<_> = signature.generics.lifetimes().filter(fresh).cloned().collect();
        for lifetime in fresh.into_iter().rev() {
            outer.generics.params.insert(0, GenericParam::Lifetime(lifetime));
        }
        // An `impl Reversible<…>` has its adjoint's bound, as in the adjoint, where each argument
        // is followed by its shadow.
        let bound = |(i, argument): (usize, &FnArg)| {
            let mut argument = argument.clone();
            if let FnArg::Typed(argument) = &mut argument
                && is_opaque(&argument.ty)
                && let Some(FnArg::Typed(bound)) = shadowed.hidden.inputs.iter().nth(2 * i)
            {
                argument.ty.clone_from(&bound.ty);
            }
            argument
        };
        let inputs = signature.inputs.iter().enumerate();
        outer.inputs = inputs.filter(|(i, _)| *i != loss).map(bound).collect();
        outer.ident = format_ident!("gradient");
        outer.output = syn::parse_quote!(-> #result<#(#passed),*>);
        let pass = |argument: &Argument| {
            let name = argument.name;
            match argument.ty {
                Type::Reference(r) if r.mutability.is_some() => quote!(&mut *#name),
                _ if argument.by_reference => quote!(#name),
                _ => quote!(::core::clone::Clone::clone(&#name)),
            }
        };
        // Names that no argument can have.
        let local = |name: &str| Ident::new(name, Span::mixed_site());
        let (total, seed, value) = (local("total"), local("seed"), local("value"));
        let gradient = |argument: &Argument| {
            argument.shadow.as_ref().map(|shadow| local(&format!("{shadow}")))
        };
        let forward = arguments
            .iter()
            .enumerate()
            .map(|(i, argument)| if i == loss { quote!(&mut #total) } else { pass(argument) });
        let backward = arguments.iter().enumerate().flat_map(|(i, argument)| {
            let value = if i == loss { quote!(&mut #total) } else { pass(argument) };
            let shadow = match gradient(argument) {
                _ if i == loss => quote!(&mut #seed),
                Some(shadow) => quote!(&mut #shadow),
                None => quote!(::retrograde::derivative::NoShadow),
            };
            [value, shadow]
        });
        let seeds = shadows.iter().map(|argument| {
            let (name, shadow) = (argument.name, gradient(argument));
            // Where there is no shadow, the argument is what is wrong.
            let span = Span::call_site().located_at(name.span());
            let place = argument.by_reference.then(|| quote_spanned!(span=> *));
            let value = quote_spanned!(span=> &#place #name);
            let slice =
                matches!(argument.ty, Type::Reference(r) if matches!(*r.elem, Type::Slice(_)));
            let zeros = if slice {
                quote_spanned!(span=> ::retrograde::__private::zeros_like)
            } else {
                quote_spanned!(span=> ::retrograde::derivative::zero_like)
            };
            let zeros = quote_spanned!(span=> #zeros(#value));
            quote!(let mut #shadow = #zeros;)
        });
        let seeds: Vec<TokenStream> = seeds.collect();
        // What else the caller lent must be as it was.
        let writable = |ty: &Type| matches!(ty, Type::Reference(r) if r.mutability.is_some());
        let alone = arguments.iter().filter(|argument| writable(argument.ty)).count() == 1;
        let results = shadows.iter().map(|argument| {
            let (field, shadow) = (&argument.shadow, gradient(argument));
            quote!(#field: #shadow)
        });
        let turbofish = item::turbofish(&signature.generics);
        let about = format!(
            "The value of [`{name}`](fn@{name}) and its gradient: what it adds to `{own}`, and the \
             derivatives of that with respect to its other arguments."
        );
        let one = quote!(<#number as ::retrograde::num::Arithmetic>::one());
        // The adjoint of the inverse adds the value, and takes the gradient of that away.
        let backward: Vec<TokenStream> = backward.collect();
        let in_one = quote! {
            let mut #seed = -#one;
            Self::__inverse_adjoint #turbofish (#(#backward),*);
            #total
        };
        let whole = !alone || undoing.looks_at_loss;
        let adjoint = format_ident!("{}", if whole { "__adjoint" } else { "__gradient" });
        let Restored { before, at_turn, after, .. } = Restored::of(signature, shadowed, false);
        let methods = (whole || undoing.in_one_call).then(crate::emit::methods);
        // The number was zero, too.
        let back_at_zero = undoing.looks_at_loss.then(|| {
            let source = format!("{own}: {}", crate::text::of(arguments[loss].ty));
            let zero = quote!(<#number as ::retrograde::num::Zero>::zero());
            quote! {
                let scale = ::retrograde::check::Scale::of_extent(
                    (&&::retrograde::__private::Probe(&#value)).__extent());
                ::retrograde::check::undone(
                    (&&::retrograde::__private::Probe(&#total))
                        .__astray(&#zero, scale.half_the_digits(&[])),
                    #source,
                );
            }
        });
        let in_one_call = quote! {
            #methods
            #(#seeds)*
            let mut #seed = #one;
            let #value = Self::__there_and_back #turbofish (#(#backward),*);
        };
        // What is written may have another shape now.
        let anew = (!alone).then_some(&seeds).into_iter().flatten();
        let in_two = quote! {
            #methods
            #before
            #name #turbofish (#(#forward),*);
            #at_turn
            #(#anew)*
            let mut #seed = #one;
            let #value = ::core::clone::Clone::clone(&#total);
            Self::#adjoint #turbofish (#(#backward),*);
            #after
            #back_at_zero
        };
        let run = match added_to.to_all(name, ADDS_TO) {
            Answer::Yes if alone => quote!(#(#seeds)* let #value = { #in_one };),
            _ if undoing.in_one_call => in_one_call,
            Answer::If(only_adds) if alone => quote! {
                #(#seeds)*
                let #value = if #only_adds { #in_one } else { #in_two #value };
            },
            _ if alone => quote!(#(#seeds)* #in_two),
            _ => in_two,
        };
        outer.fn_token.span = Span::call_site();
        let visibility = item::ours(visibility);
        quote! {
            #[doc = #about]
            #[inline]
            #visibility #outer {
                let mut #total: #number = ::retrograde::num::Zero::zero();
                #run
                #result { value: #value, #(#results),* }
            }
        }
    };
    Some(Gradient { result: result_type, function })
}

/// Whether a type is an `impl Trait`, maybe behind references.
fn is_opaque(ty: &Type) -> bool {
    match ty {
        Type::ImplTrait(_) => true,
        Type::Reference(reference) => is_opaque(&reference.elem),
        Type::Paren(inner) => is_opaque(&inner.elem),
        _ => false,
    }
}

/// What a caller lent beside the number must be as it was: copies are compared with what came
/// back, and put back.
pub struct Restored {
    /// Before the way there.
    pub before: TokenStream,
    /// Before the way back.
    pub at_turn: TokenStream,
    /// Gives shadows the shape that values have then.
    pub reshaped: TokenStream,
    /// After it.
    pub after: TokenStream,
}

impl Restored {
    /// Of the arguments of a function, by their names; the number that it adds to is one of
    /// them where derivatives look at it.
    pub fn of(signature: &Signature, shadowed: &Shadowed, looks_at_loss: bool) -> Self {
        let mut restored = Restored {
            before: TokenStream::new(),
            at_turn: TokenStream::new(),
            reshaped: TokenStream::new(),
            after: TokenStream::new(),
        };
        let loss = loss(signature).map(|(name, _)| name);
        let parameters = Parameters::of(signature);
        let (mut scales, mut compared) = (Vec::new(), TokenStream::new());
        let beside = Ident::new("beside", Span::mixed_site());
        for ((name, ty), (_, shadow)) in item::arguments(signature).zip(&shadowed.shadows) {
            let Type::Reference(reference) = ty else { continue };
            let is_loss = Some(name) == loss.as_ref();
            if reference.mutability.is_none() || shadow.is_none() || is_loss && !looks_at_loss {
                continue;
            }
            let copy = format_ident!("{}_before", name, span = Span::mixed_site());
            let scale = crate::emit::scale_name(name);
            let source = format!("{name}: {}", crate::text::of(ty));
            let slice = matches!(&*reference.elem, Type::Slice(_));
            let (probe, astray, expected, copied, put_back) = match slice {
                true => (
                    quote!((&&::retrograde::__private::Elements(&#name[..]))),
                    quote!(__astray_from),
                    quote!(&#copy[..]),
                    quote!(#name.to_vec()),
                    quote!(#name.clone_from_slice(&#copy)),
                ),
                false => (
                    quote!((&&::retrograde::__private::Probe(&*#name))),
                    quote!(__astray),
                    quote!(&#copy),
                    quote!(::core::clone::Clone::clone(&*#name)),
                    quote!(*#name = #copy),
                ),
            };
            // A number is there to be changed; of others, only what is.
            let followed = match parameters.kind(ty) {
                Kind::Real => quote!(of_extent),
                _ => quote!(beside_extent),
            };
            restored.before.extend(quote! {
                let #copy = #copied;
                let mut #scale = ::retrograde::check::Scale::#followed(#probe.__extent());
            });
            restored.at_turn.extend(quote!(#scale.see_changes(#probe.__changes(#expected));));
            // The gradient that comes in is that of the loss.
            let seed = is_loss && looks_at_loss;
            if let (Some(shadow), false) = (shadow, slice || seed) {
                restored.reshaped.extend(quote! {
                    ::retrograde::derivative::Differentiable::set_zero_like(#shadow, &*#name);
                });
            }
            restored.after.extend(quote!(#scale.see_return(#probe.__changes(#expected));));
            compared.extend(quote! {
                ::retrograde::check::undone(
                    #probe.#astray(#expected, #scale.half_the_digits(&#beside)),
                    #source,
                );
                #put_back;
            });
            scales.push(scale);
        }
        restored.after.extend((!scales.is_empty()).then(|| quote!(let #beside = [#(#scales),*];)));
        restored.after.extend(compared);
        restored
    }
}

/// The first writable argument of a function, if it is a number, and its type.
pub fn loss(signature: &Signature) -> Option<(Ident, Type)> {
    let parameters = Parameters::of(signature);
    let writable = |ty: &Type| matches!(ty, Type::Reference(r) if r.mutability.is_some());
    let (name, ty) = item::arguments(signature).find(|(_, ty)| writable(ty))?;
    let number = (parameters.kind(ty) == Kind::Real).then(|| element(ty)).flatten()?;
    Some((name.clone(), number))
}

/// The type that holds what an argument refers to.
fn element(ty: &Type) -> Option<Type> {
    match ty {
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => {
                let element = &slice.elem;
                Some(syn::parse_quote!(::std::vec::Vec<#element>))
            }
            Type::TraitObject(_) => None,
            other => Some(other.clone()),
        },
        Type::Paren(inner) => element(&inner.elem),
        other => Some(other.clone()),
    }
}

fn is_numeric(kind: &Kind) -> bool {
    match kind {
        Kind::Real | Kind::Constant => true,
        Kind::Sequence(element) => is_numeric(element),
        Kind::Tuple(parts) => parts.iter().all(is_numeric),
        Kind::Range | Kind::Function | Kind::Number | Kind::Unknown => false,
    }
}

/// The signature, with a name for every lifetime that a shadow has, so that the results can
/// have it too; and with an argument that is named like the function out of its way.
fn prepared(signature: &Signature, shadowed: &Shadowed) -> Signature {
    struct Named(Vec<syn::Lifetime>);
    impl VisitMut for Named {
        fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
            if lifetime.ident == "_" {
                *lifetime = syn::Lifetime::new(&format!("'of_{}", self.0.len()), lifetime.span());
                self.0.push(lifetime.clone());
            }
        }
    }
    let mut signature = signature.clone();
    let mut named = Named(Vec::new());
    for (argument, (_, shadow)) in signature.inputs.iter_mut().zip(&shadowed.shadows) {
        let FnArg::Typed(typed) = argument else { continue };
        if let Pat::Ident(name) = &mut *typed.pat
            && name.ident == signature.ident
        {
            name.ident.set_span(Span::mixed_site().located_at(name.ident.span()));
        }
        match (&mut *typed.ty, shadow) {
            (_, None) => {}
            (Type::Reference(reference), _) => named.visit_type_mut(&mut reference.elem),
            (ty, _) => named.visit_type_mut(ty),
        }
    }
    for lifetime in named.0.into_iter().rev() {
        signature.generics.params.insert(0, syn::parse_quote!(#lifetime));
    }
    signature
}

/// Whether a type has references in it, beyond the one that it is: what a shadow refers to
/// could not be written.
fn has_references(ty: &Type) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_type_reference(&mut self, _: &syn::TypeReference) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    match ty {
        Type::Reference(reference) => search.visit_type(&reference.elem),
        other => search.visit_type(other),
    }
    search.0
}

struct Mentioned(Vec<Ident>);

impl Visit<'_> for Mentioned {
    fn visit_ident(&mut self, name: &Ident) {
        self.0.push(name.clone());
    }
}

/// `vector_norm` as `VectorNorm`, and `f_1` as `F_1`, beside `F1` for `f1`.
fn camel_case(name: &str) -> String {
    let name = name.trim_start_matches("r#");
    let letters: Vec<char> = name.chars().collect();
    let mut camel = String::new();
    for (i, letter) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|before| letters[before]);
        let joins = |next: &&char| next.is_alphabetic();
        match letter {
            '_' if before.is_some_and(|c| c != '_')
                && letters.get(i + 1).is_some_and(|c| joins(&c)) => {}
            _ if before.is_none_or(|c| c == '_') => camel.extend(letter.to_uppercase()),
            _ => camel.push(*letter),
        }
    }
    camel
}
