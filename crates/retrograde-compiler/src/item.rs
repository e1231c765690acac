//! The item around the body: what a signature may look like, and the type that
//! stands beside a reversible function and carries its inverse.

use crate::added::{AddedTo, Answer};
use crate::adjoint::Shadowed;
use crate::diagnostics::Diagnostics;
use crate::gradient::Gradient;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::HashMap;
use syn::punctuated::Pair;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, FnArg, GenericParam, Lifetime, LifetimeParam, Pat, Path, ReturnType, Signature,
    Type, Visibility, parse_quote,
};

/// Rejects signatures that a reversible function cannot have.
pub fn check_signature(signature: &Signature, diagnostics: &mut Diagnostics) {
    if let ReturnType::Type(arrow, ty) = &signature.output {
        let unit = matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty());
        if !unit {
            diagnostics.error(
                quote!(#arrow #ty),
                "a reversible function returns nothing: running it backwards would have to take \
                 the result in",
                format!(
                    "write the result through an argument: `out: &mut {}`, then `*out += …;`",
                    ty.to_token_stream()
                ),
            );
        }
    }
    if let Some(token) = &signature.asyncness {
        diagnostics.error(
            token,
            "a reversible function cannot be `async`: waiting cannot be undone",
            "remove `async`, and await in the function that calls it",
        );
    }
    if let Some(token) = &signature.constness {
        diagnostics.error(
            token,
            "a reversible function cannot be `const`: its checks panic with values of run time",
            "remove `const`",
        );
    }
    check_arguments(signature, diagnostics);
}

/// Rejects arguments that are not names.
pub fn check_arguments(signature: &Signature, diagnostics: &mut Diagnostics) {
    for argument in &signature.inputs {
        if let FnArg::Typed(typed) = argument {
            match &*typed.pat {
                Pat::Ident(name)
                    if name.mutability.is_none()
                        && name.by_ref.is_none()
                        && name.subpat.is_none() => {}
                Pat::Ident(name) => diagnostics.error(
                    &typed.pat,
                    "this argument is passed by value: what is written to it would be lost at \
                     the end, and could not be undone",
                    format!("take it by reference, `{0}: &mut …`, or write `{0}: …`", name.ident),
                ),
                Pat::Wild(other) => diagnostics.error(
                    other,
                    "an argument of a reversible function must have a name, so that both \
                     directions can pass it on",
                    "give it a name such as `_unused`",
                ),
                other => diagnostics.error(
                    other,
                    "an argument of a reversible function must be a name, so that both \
                     directions can pass it on",
                    "name the argument and take it apart with a `let` in the body",
                ),
            }
        }
    }
}

/// The names of the arguments, without a receiver.
pub fn argument_names(signature: &Signature) -> Vec<&Ident> {
    arguments(signature).map(|(name, _)| name).collect()
}

/// The arguments that are names, with their types.
pub fn arguments(signature: &Signature) -> impl Iterator<Item = (&Ident, &Type)> {
    signature.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) => Some((&name.ident, &*typed.ty)),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    })
}

/// The attributes that both directions carry: all but the documentation.
pub fn shared_attributes(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter(|a| !a.path().is_ident("doc")).cloned().collect()
}

/// What the compiler should not say of a generated inverse: the user's own text
/// is linted once, in the forward direction.
pub fn quiet_inverse() -> TokenStream {
    quote!(#[allow(
        clippy::all, clippy::nursery, clippy::pedantic, dead_code, unreachable_code, unused_assignments, unused_braces, unused_mut, unused_parens, unused_variables
    )])
}

/// A function that belongs to a reversible function.
pub struct Member {
    /// Its name in the companion: `inverse`. Of a method, the end of its name.
    pub name: &'static str,
    /// Its documentation, with `{f}` for the function.
    pub about: &'static str,
    /// Whether it is for generated code alone.
    pub hidden: bool,
    /// Its signature; the name does not matter.
    pub signature: Signature,
    /// Its body, or a semicolon.
    pub body: TokenStream,
}

impl Member {
    /// Whether code is generated only where it is used: most functions of a
    /// library are never asked for their gradients.
    fn is_deferred(&self, attributes: &[Attribute]) -> bool {
        let decided = attributes.iter().any(|attribute| attribute.path().is_ident("inline"));
        let has_body = !matches!(self.body.clone().into_iter().next(), Some(TokenTree::Punct(_)));
        self.name != "inverse" && has_body && !decided
    }

    fn emit(
        &self,
        name: Ident,
        link: &str,
        visibility: &Visibility,
        attributes: &[Attribute],
    ) -> TokenStream {
        let about = if self.hidden {
            quote!(#[doc(hidden)])
        } else {
            let about = self.about.replace("{f}", link);
            quote!(#[doc = #about])
        };
        let deferred = self.is_deferred(attributes).then(|| quote!(#[inline]));
        let mut signature = self.signature.clone();
        signature.ident = name;
        let body = &self.body;
        quote!(#about #(#attributes)* #deferred #visibility #signature #body)
    }

    /// As an associated function of the companion, whose `impl` is [`quiet_inverse`].
    fn associated(
        &self,
        own: &Ident,
        visibility: &Visibility,
        attributes: &[Attribute],
    ) -> TokenStream {
        let name = Ident::new(self.name, own.span());
        self.emit(name, &format!("[`{own}`](fn@{own})"), visibility, attributes)
    }

    /// As a method beside `own`.
    fn method(
        &self,
        own: &Ident,
        visibility: &Visibility,
        attributes: &[Attribute],
    ) -> TokenStream {
        let (quiet, link) = (quiet_inverse(), format!("[`{own}`](Self::{own})"));
        let function = self.emit(self.method_name(own), &link, visibility, attributes);
        quote!(#quiet #function)
    }

    /// Its name beside `own`.
    fn method_name(&self, own: &Ident) -> Ident {
        match self.name.strip_prefix("__") {
            Some(name) => format_ident!("__{own}_{name}"),
            None => format_ident!("{own}_{}", self.name),
        }
    }
}

/// The methods beside a method, but for those that are there `by_hand`.
pub fn methods<'a>(
    members: &'a [Member],
    own: &'a Ident,
    visibility: &'a Visibility,
    attributes: &'a [Attribute],
    by_hand: &'a [&Option<Path>],
) -> impl Iterator<Item = TokenStream> {
    let written = |name: Ident| by_hand.iter().copied().flatten().any(|path| path.is_ident(&name));
    let members = members.iter().filter(move |member| !written(member.method_name(own)));
    members.map(move |member| member.method(own, visibility, attributes))
}

/// A body that passes its arguments on to a function by hand. Of a method, a name
/// without a path is that of another method.
pub fn call_by_hand(function: &Path, signature: &Signature, associated: bool) -> TokenStream {
    let owner = (associated && function.get_ident().is_some()).then(|| quote!(Self::));
    let this = signature.receiver().map(|_| quote!(self,));
    let arguments = argument_names(signature);
    quote!({ #owner #function(#this #(#arguments),*) })
}

/// In place of the adjoints that a method does not have: methods that say so.
pub fn no_gradient(signature: &Signature) -> Vec<Member> {
    let this = signature.receiver().map(|_| quote!(&self));
    let count = 2 * argument_names(signature).len() + usize::from(this.is_some());
    if count == 0 {
        return Vec::new();
    }
    let mut adjoint = standing_in("__adjoint", this.clone(), count);
    // The error points at an argument, so not at the shadow of the receiver.
    let argument = format_ident!("A{}", usize::from(this.is_some()).min(count - 1));
    adjoint.signature.generics.where_clause =
        Some(parse_quote!(where #argument: ::retrograde::__private::NoAdjoint));
    // Who asks for the second asks for the first too, and once is enough to say it.
    vec![adjoint, standing_in("__inverse_adjoint", this, count)]
}

/// A function of any arguments, for the compiler alone: there is an error elsewhere.
/// It takes references for good, but nothing comes after it.
pub fn standing_in(name: &'static str, this: Option<TokenStream>, count: usize) -> Member {
    let types: Vec<Ident> = (0..count).map(|i| format_ident!("A{i}")).collect();
    let this = this.map(|this| quote!(#this,));
    let signature = parse_quote!(fn standing_in<#(#types),*>(#this #(_: #types),*) -> !);
    let body = quote!({ ::core::unreachable!() });
    Member { name, about: "", hidden: true, signature, body }
}

/// What is left of a function whose attribute is mistaken: the function itself,
/// and beside it what callers ask for, so that they give no errors of their own.
pub fn mistaken(
    item: TokenStream,
    error: syn::Error,
    asked_for: impl Fn(&Signature) -> Vec<Member>,
) -> TokenStream {
    let error = error.into_compile_error();
    let companion = syn::parse2::<syn::ItemFn>(item.clone()).ok().map(|function| {
        let signature = &function.sig;
        if crate::expand::mentions_self(signature, Some(&function.block)) {
            return TokenStream::new();
        }
        let members = asked_for(signature);
        let attributes = shared_attributes(&function.attrs);
        let companion = Companion {
            attributes: &attributes,
            visibility: &function.vis,
            signature,
            gradients: None,
            members,
            forgets: false,
            added_to: AddedTo::default(),
            gradient: None,
        };
        companion.emit_pure()
    });
    quote!(#item #error #companion)
}

/// `::<T, N>`: what a function passes on of its generic arguments.
pub fn turbofish(generics: &syn::Generics) -> Option<TokenStream> {
    let names: Vec<&Ident> = generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            GenericParam::Type(p) => Some(&p.ident),
            GenericParam::Const(p) => Some(&p.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    (!names.is_empty()).then(|| quote!(::<#(#names),*>))
}

/// The signature with names for what it says `impl Trait` of; whether there was one.
pub fn without_opaque(signature: &Signature) -> (Signature, bool) {
    struct Name(Vec<GenericParam>);
    impl VisitMut for Name {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            syn::visit_mut::visit_type_mut(self, ty);
            if let Type::ImplTrait(opaque) = ty {
                let (name, bounds) = (format_ident!("Opaque{}", self.0.len()), &opaque.bounds);
                self.0.push(parse_quote!(#name: #bounds));
                *ty = parse_quote!(#name);
            }
        }
    }
    let mut signature = signature.clone();
    let mut names = Name(Vec::new());
    signature.inputs.iter_mut().for_each(|argument| names.visit_fn_arg_mut(argument));
    let found = !names.0.is_empty();
    signature.generics.params.extend(names.0);
    (signature, found)
}

/// `+ use<T, N>`: what of a function's generic arguments is in its result, whose
/// type is `output` but for what holds none of the arguments.
pub fn captured(generics: &syn::Generics, output: &Type) -> TokenStream {
    let lifetimes = mentions_lifetime(output);
    let names = generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Lifetime(p) => lifetimes.then(|| p.lifetime.to_token_stream()),
        GenericParam::Type(p) => Some(p.ident.to_token_stream()),
        GenericParam::Const(p) => Some(p.ident.to_token_stream()),
    });
    quote!(+ use<#(#names),*>)
}

/// Takes the names of lifetimes out of the types of arguments, unless the value
/// has them too.
pub fn forget_lifetimes(signature: &mut Signature, output: &Type) {
    struct Elide;
    impl VisitMut for Elide {
        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            reference.lifetime.take_if(|lifetime| lifetime.ident != "static");
            syn::visit_mut::visit_type_reference_mut(self, reference);
        }
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            if lifetime.ident != "static" {
                *lifetime = Lifetime::new("'_", lifetime.span());
            }
        }
    }
    if !mentions_lifetime(output) {
        signature.inputs.iter_mut().for_each(|argument| Elide.visit_fn_arg_mut(argument));
    }
}

fn mentions_lifetime(ty: &Type) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_lifetime(&mut self, _: &Lifetime) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.visit_type(ty);
    search.0
}

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
    /// Its gradient in one call.
    pub gradient: Option<Gradient>,
}

impl Companion<'_> {
    /// The type and its implementations.
    pub fn emit(&self) -> TokenStream {
        let Companion { attributes, visibility, signature, members, .. } = self;
        let name = &signature.ident;
        let about_type = format!("The reversible function [`{name}`](fn@{name}) as a value.");
        let cfg: Vec<_> = attributes.iter().filter(|a| a.path().is_ident("cfg")).collect();
        let value = self.value(&cfg);
        let quiet = quiet_inverse();
        let members = members.iter().map(|member| member.associated(name, visibility, attributes));
        let result = self.gradient.iter().map(|gradient| {
            let result = &gradient.result;
            quote!(#(#cfg)* #result)
        });
        let gradient = self.gradient.iter().map(|gradient| &gradient.function);
        let adds_to = self.added_to.emit(visibility);
        quote! {
            #(#cfg)*
            #[doc = #about_type]
            #[allow(non_camel_case_types)]
            #visibility struct #name {}

            #(#result)*
            #(#cfg)*
            #quiet
            impl #name {
                #(#members)*
                #(#gradient)*
                #adds_to
            }
            #value
        }
    }

    /// The type of a pure function, which is no value.
    pub fn emit_pure(&self) -> TokenStream {
        let Companion { attributes, visibility, signature, members, .. } = self;
        let name = &signature.ident;
        let about = format!("What belongs to the differentiable function [`{name}`](fn@{name}).");
        let cfg: Vec<_> = attributes.iter().filter(|a| a.path().is_ident("cfg")).collect();
        let quiet = quiet_inverse();
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
                let lengths = self.check_lengths(&names);
                quote! {
                    #[inline]
                    fn call_gradient(&self, (#(#names,)*): #tuple) {
                        #lengths
                        #name::__gradient(#(#passed),*)
                    }
                }
            });
            let only_adds = match self.added_to.to_all(name) {
                Answer::Yes => Some(quote!(true)),
                Answer::If(asked) => Some(asked),
                Answer::No => None,
            };
            let only_adds = only_adds.map(|only_adds| {
                quote! {
                    #[inline]
                    fn only_adds(&self) -> bool {
                        #only_adds
                    }
                }
            });
            quote! {
                #(#cfg)*
                impl #parameters ::retrograde::Adjoint<#tuple> for #name #condition {
                    #[inline]
                    fn call_adjoint(&self, (#(#names,)*): #tuple) {
                        #name::adjoint(#(#names),*)
                    }
                    #[inline]
                    fn call_inverse_adjoint(&self, (#(#names,)*): #tuple) {
                        #name::inverse_adjoint(#(#names),*)
                    }
                    #gradient
                    #only_adds
                }
            }
        });
        Some(quote! {
            #(#cfg)*
            impl #parameters ::retrograde::Reversible<#tuple> for #name #condition {
                #[inline]
                fn call(&self, (#(#names,)*): #tuple) {
                    #name(#(#names),*)
                }
                #[inline]
                fn call_inverse(&self, (#(#names,)*): #tuple) {
                    #name::inverse(#(#names),*)
                }
            }
            #gradients
        })
    }
}

impl Companion<'_> {
    /// Refuses shadows of another length than their slices, by their places among
    /// the arguments of the adjoint.
    fn check_lengths(&self, names: &[Ident]) -> TokenStream {
        let public = self.gradients.into_iter().flat_map(|g| argument_names(&g.signature));
        let named: HashMap<&Ident, &Ident> = public.zip(names).collect();
        let slices = self.gradients.into_iter().flat_map(|g| &g.slices);
        crate::adjoint::check_lengths(slices.map(|(slice, shadow)| (named[slice], named[shadow])))
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
        syn::visit_mut::visit_type_reference_mut(self, reference);
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
