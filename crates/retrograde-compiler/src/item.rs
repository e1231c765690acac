//! The item around the body: what a signature may look like, and the type that
//! stands beside a reversible function and carries its inverse.

use crate::added::AddedTo;
use crate::companion::Companion;
use crate::diagnostics::Diagnostics;
use crate::text::{self, is_one_of};
use crate::visit::Visit;
use crate::visit::VisitMut;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, FnArg, GenericParam, Lifetime, Pat, Path, ReturnType, Signature, Type, Visibility,
    parse_quote,
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
                    text::of(ty)
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
    const PRIMITIVES: [&str; 17] = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64", "bool", "char", "str",
    ];
    if signature.receiver().is_none() && is_one_of(&signature.ident, &PRIMITIVES) {
        let name = &signature.ident;
        diagnostics.error(
            name,
            format!(
                "a reversible function has a type of its name beside it, which would hide the \
                 type `{name}`"
            ),
            "choose another name",
        );
    }
    check_arguments(signature, diagnostics);
}

/// Rejects arguments that are not names.
pub fn check_arguments(signature: &Signature, diagnostics: &mut Diagnostics) {
    for argument in &signature.inputs {
        if let FnArg::Receiver(receiver) = argument
            && matches!(receiver.kind, syn::ReceiverKind::Value)
            && receiver.mutability.is_some()
        {
            diagnostics.error(
                receiver,
                "`self` is passed by value: what is written to it would be lost at the end, and \
                 could not be undone",
                "take it by reference, `&mut self`, or write `self`",
            );
        }
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
        clippy::all, clippy::nursery, clippy::pedantic, nonstandard_style, unreachable_code, unused_assignments, unused_braces, unused_mut, unused_parens, unused_variables
    )])
}

/// The same tokens, as if they were made here.
pub fn ours(tokens: &impl ToTokens) -> TokenStream {
    let tokens = tokens.to_token_stream().into_iter();
    let ours = tokens.map(|mut token| {
        if let TokenTree::Group(group) = &token {
            token = TokenTree::Group(Group::new(group.delimiter(), ours(&group.stream())));
        }
        token.set_span(Span::call_site());
        token
    });
    ours.collect()
}

/// The same of what may never be called, but whose own helpers are not dead for that.
pub fn quiet_and_alive() -> TokenStream {
    let quiet = quiet_inverse();
    quote!(#quiet #[allow(dead_code)])
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
        // Of an item that is ours from its first token to its last, nobody is told that it is
        // dead, in a macro of the user's neither.
        signature.fn_token.span = Span::call_site();
        let visibility = ours(visibility);
        let body = &self.body;
        quote!(#about #(#attributes)* #deferred #visibility #signature #body)
    }

    /// As an associated function of the companion, whose `impl` is [`quiet_inverse`].
    pub fn associated(
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
        let (quiet, link) = (quiet_and_alive(), format!("[`{own}`](Self::{own})"));
        let function = self.emit(self.method_name(own), &link, visibility, attributes);
        quote!(#quiet #function)
    }

    /// Its name beside `own`.
    fn method_name(&self, own: &Ident) -> Ident {
        let hidden = self.name.starts_with("__");
        method_named(own, self.name, if hidden { Span::call_site() } else { own.span() })
    }
}

/// What a function of a companion, `inverse` or `__adjoint`, is called beside the method `own`.
/// Where there is none, rustc says so by this name.
pub fn method_named(own: &Ident, function: &str, span: Span) -> Ident {
    match function.strip_prefix("__") {
        Some("pullback") => format_ident!("derivative_of_{}", own, span = span),
        Some(function) => format_ident!("__{}_{function}", own, span = span),
        None => format_ident!("{}_{function}", own, span = span),
    }
}

/// A type that can stand behind `&mut`, or before a colon: `impl A + B` needs parentheses.
pub fn parenthesised(ty: &Type) -> Type {
    match ty {
        Type::ImplTrait(_) | Type::TraitObject(_) => syn::parse_quote!((#ty)),
        other => other.clone(),
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

/// Lets a member of a method mention the method, which is not dead where the member is used. Those
/// for everybody call those that are hidden.
pub fn mention_own(member: &mut Member, signature: &Signature) {
    if member.hidden || member.name == "inverse" {
        let (own, arguments) = (&signature.ident, argument_names(signature));
        let owner = match signature.receiver() {
            Some(_) => quote!(self.),
            None => quote!(Self::),
        };
        let (turbofish, body) = (turbofish(&signature.generics), &member.body);
        member.body = quote!({
            #[allow(clippy::empty_loop)]
            if false {
                loop {}
                #owner #own #turbofish (#(#arguments),*);
            }
            #body
        });
    }
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
            unread: AddedTo::default(),
            gradient: None,
            linted: false,
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
            crate::visit::visit_type_mut(self, ty);
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
            crate::visit::visit_type_reference_mut(self, reference);
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
