//! The type that stands beside a function, and what it implements.

use crate::added::{ACCUMULATES, ADDS_TO, AddedTo, Answer};
use crate::adjoint::Shadowed;
use crate::gradient::Gradient;
use crate::item::{
    Member, argument_names, arguments, ours, quiet_and_alive, quiet_inverse, standing_in,
};
use crate::visit::Visit;
use crate::visit::VisitMut;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashMap;
use syn::punctuated::Pair;
use syn::{
    Attribute, GenericParam, Lifetime, LifetimeParam, Signature, Type, Visibility, parse_quote,
};

/// The type `f {}` beside `fn f`: it lives in the namespace of types alone, so
/// that `f(…)` still calls the function and `f::inverse(…)` its inverse.
pub struct Companion<'a> {
    /// Attributes of the functions; those that switch code off hold for the type too.
    pub attributes: &'a [Attribute],
    /// The visibility of the function.
    pub visibility: &'a Visibility,
    /// The signature of the function.
    pub signature: &'a Signature,
    /// The arguments of its adjoint.
    pub gradients: Option<&'a Shadowed>,
    /// Its inverse, and its adjoints.
    pub members: Vec<Member>,
    /// Whether `__gradient` is more than another name of `__adjoint`.
    pub forgets: bool,
    /// What it only adds to.
    pub added_to: AddedTo,
    /// What it only adds to, and does not read.
    pub unread: AddedTo,
    /// Its gradient in one call.
    pub gradient: Option<Gradient>,
    /// Whether the function is dead where the type is: then its members say nothing of what
    /// they use.
    pub linted: bool,
}

impl Companion<'_> {
    /// The type and its implementations.
    pub fn emit(&self) -> TokenStream {
        let Companion { attributes, visibility, signature, members, .. } = self;
        let ours = ours(visibility);
        let name = &signature.ident;
        let about_type = format!("The reversible function [`{name}`](fn@{name}) as a value.");
        let cfg: Vec<_> = attributes.iter().filter(|a| a.path().is_ident("cfg")).collect();
        let value = self.value(&cfg);
        let quiet = if self.linted { quiet_inverse() } else { quiet_and_alive() };
        let members = members.iter().map(|member| member.associated(name, visibility, attributes));
        let result = self.gradient.iter().map(|gradient| {
            let result = &gradient.result;
            quote!(#(#cfg)* #result)
        });
        let gradient = match &self.gradient {
            Some(gradient) => Some(gradient.function.clone()),
            None => self.without_gradient(),
        };
        let adds_to = self.added_to.emit(visibility, ADDS_TO);
        let accumulates = self.unread.emit(visibility, ACCUMULATES);
        quote! {
            #(#cfg)*
            #[doc = #about_type]
            #[allow(non_camel_case_types)]
            #ours struct #name {}

            #(#result)*
            #(#cfg)*
            #quiet
            impl #name {
                #(#members)*
                #gradient
                #adds_to
                #accumulates
            }
            #value
        }
    }

    /// In place of a `gradient` that is not there: a function that says why.
    fn without_gradient(&self) -> Option<TokenStream> {
        let count = arguments(self.signature).count().checked_sub(1).filter(|count| *count > 0);
        let mut missing =
            standing_in("gradient", None, count.filter(|_| self.gradients.is_some())?);
        missing.signature.generics.where_clause =
            Some(parse_quote!(where A0: ::retrograde::__private::NoGradient));
        Some(missing.associated(&self.signature.ident, self.visibility, &[]))
    }

    /// The type of a pure function, which is no value.
    pub fn emit_pure(&self) -> TokenStream {
        let Companion { attributes, visibility, signature, members, .. } = self;
        let name = &signature.ident;
        let about = format!("What belongs to the differentiable function [`{name}`](fn@{name}).");
        let cfg: Vec<_> = attributes.iter().filter(|a| a.path().is_ident("cfg")).collect();
        let quiet = quiet_and_alive();
        let members = members.iter().map(|member| member.associated(name, visibility, attributes));
        quote! {
            #(#cfg)*
            #[doc = #about]
            #[allow(non_camel_case_types)]
            #visibility struct #name {}

            #(#cfg)*
            #quiet
            impl #name {
                #(#members)*
            }
        }
    }

    /// Whether a function can be a value: the types of its arguments can be named.
    pub fn is_value(signature: &Signature) -> bool {
        matches!(signature.safety, syn::Safety::Default) && Tuple::of(signature).is_some()
    }

    /// The implementations of the library's `Reversible` and `Adjoint`, where the
    /// types of the arguments can be named.
    fn value(&self, cfg: &[&Attribute]) -> Option<TokenStream> {
        let name = &self.signature.ident;
        if !matches!(self.signature.safety, syn::Safety::Default) {
            return None;
        }
        let Tuple { parameters, condition, names, tuple } = Tuple::of(self.signature)?;
        let gradients = self.gradients.and_then(|g| Tuple::of(&g.signature)).map(|with_shadows| {
            let Tuple { parameters, condition, names, tuple } = with_shadows;
            let gradient = self.forgets.then(|| {
                let passed = self.passed(&names);
                let lengths = self.check_shapes(&names);
                quote! {
                    #[inline]
                    fn call_gradient(&self, (#(#names,)*): #tuple) {
                        #lengths
                        Self::__gradient(#(#passed),*)
                    }
                }
            });
            let only_adds = tells("only_adds", self.added_to.to_all(name, ADDS_TO));
            quote! {
                #(#cfg)*
                impl #parameters ::retrograde::Adjoint<#tuple> for #name #condition {
                    #[inline]
                    fn call_adjoint(&self, (#(#names,)*): #tuple) {
                        Self::adjoint(#(#names),*)
                    }
                    #[inline]
                    fn call_inverse_adjoint(&self, (#(#names,)*): #tuple) {
                        Self::inverse_adjoint(#(#names),*)
                    }
                    #gradient
                    #only_adds
                }
            }
        });
        let accumulates = tells("accumulates", self.unread.to_all(name, ACCUMULATES));
        Some(quote! {
            #(#cfg)*
            impl #parameters ::retrograde::Reversible<#tuple> for #name #condition {
                #[inline]
                fn call(&self, (#(#names,)*): #tuple) {
                    #name(#(#names),*)
                }
                #[inline]
                fn call_inverse(&self, (#(#names,)*): #tuple) {
                    Self::inverse(#(#names),*)
                }
                #accumulates
            }
            #gradients
        })
    }
}

/// The method of a function value that tells what it does; `None` for what it says anyway.
fn tells(method: &str, answer: Answer) -> Option<TokenStream> {
    let method = format_ident!("{method}");
    let answer = match answer {
        Answer::Yes => quote!(true),
        Answer::If(asked) => asked,
        Answer::No => return None,
    };
    Some(quote! {
        #[inline]
        fn #method(&self) -> bool {
            #answer
        }
    })
}

impl Companion<'_> {
    /// Refuses shadows of another shape than that of their values, by their places among
    /// the arguments of the adjoint.
    fn check_shapes(&self, names: &[Ident]) -> TokenStream {
        let public = self.gradients.into_iter().flat_map(|g| argument_names(&g.signature));
        let named: HashMap<&Ident, &Ident> = public.zip(names).collect();
        let shaped = self.gradients.into_iter().flat_map(|g| &g.shaped);
        shaped.map(|shaped| shaped.check(named[&shaped.value], named[&shaped.shadow])).collect()
    }

    /// The arguments of the adjoint, and something in the place of each shadow
    /// that is not there.
    fn passed(&self, names: &[Ident]) -> Vec<TokenStream> {
        let Some(adjoint) = self.gradients else { return Vec::new() };
        let shadows: Vec<&Ident> = argument_names(&adjoint.signature);
        let mut given = names.iter().zip(shadows);
        let mut passed = Vec::new();
        let values = argument_names(self.signature);
        let mut next = given.next();
        for (i, value) in values.iter().enumerate() {
            if let Some((name, _)) = next.filter(|(_, known)| known == value) {
                passed.push(quote!(#name));
                next = given.next();
            }
            // What comes before the next value is this one's shadow.
            let is_shadow = next.is_some_and(|(_, known)| values.get(i + 1) != Some(&known));
            match next {
                Some((name, _)) if is_shadow => {
                    passed.push(quote!(#name));
                    next = given.next();
                }
                _ => passed.push(quote!(::retrograde::derivative::NoShadow)),
            }
        }
        passed
    }
}

/// The arguments of a function as one tuple, for the implementation of a trait.
struct Tuple {
    parameters: TokenStream,
    condition: TokenStream,
    /// Of our own: an argument may be called as the function is.
    names: Vec<Ident>,
    tuple: Type,
}

impl Tuple {
    fn of(signature: &Signature) -> Option<Self> {
        let mut fresh = NameLifetimes::default();
        let (names, types): (Vec<_>, Vec<_>) = arguments(signature)
            .enumerate()
            .map(|(i, (_, ty))| {
                let mut ty = ty.clone();
                fresh.visit_type_mut(&mut ty);
                (format_ident!("argument_{i}", span = Span::mixed_site()), ty)
            })
            .unzip();
        let mut mentioned = Mentioned::default();
        types.iter().for_each(|ty| mentioned.visit_type(ty));
        let constrained = signature.generics.params.iter().all(|parameter| match parameter {
            GenericParam::Type(p) => mentioned.names.contains(&p.ident),
            GenericParam::Const(p) => mentioned.names.contains(&p.ident),
            _ => true,
        });
        if !constrained || mentioned.opaque {
            return None;
        }
        let mut generics = signature.generics.clone();
        for lifetime in fresh.lifetimes.into_iter().rev() {
            generics.params.insert(0, GenericParam::Lifetime(LifetimeParam::new(lifetime)));
        }
        let (parameters, _, condition) = generics.split_for_impl();
        // `(T,)` needs its comma.
        let elems = types.into_iter().map(|ty| Pair::Punctuated(ty, Default::default())).collect();
        let (attrs, paren_token) = (Vec::new(), Default::default());
        let tuple = Type::Tuple(syn::TypeTuple { attrs, paren_token, elems });
        let (parameters, condition) = (quote!(#parameters), quote!(#condition));
        Some(Tuple { parameters, condition, names, tuple })
    }
}

/// Gives a name to every elided lifetime.
#[derive(Default)]
struct NameLifetimes {
    lifetimes: Vec<Lifetime>,
}

impl NameLifetimes {
    fn next(&mut self) -> Lifetime {
        let name = format_ident!("r{}", self.lifetimes.len());
        let lifetime = Lifetime::new(&format!("'{name}"), Span::mixed_site());
        self.lifetimes.push(lifetime.clone());
        lifetime
    }
}

impl VisitMut for NameLifetimes {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.next());
        }
        crate::visit::visit_type_reference_mut(self, reference);
    }
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.next();
        }
    }
    fn visit_parenthesized_generic_arguments_mut(
        &mut self,
        _: &mut syn::ParenthesizedGenericArguments,
    ) {
        // Elided lifetimes of `Fn(&T)` are bound by it.
    }
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
}

/// The identifiers that types mention, and whether one of them is `impl Trait`.
#[derive(Default)]
struct Mentioned {
    names: Vec<Ident>,
    opaque: bool,
}

impl<'a> Visit<'a> for Mentioned {
    fn visit_ident(&mut self, name: &'a Ident) {
        self.names.push(name.clone());
    }
    fn visit_type_impl_trait(&mut self, _: &'a syn::TypeImplTrait) {
        self.opaque = true;
    }
}
