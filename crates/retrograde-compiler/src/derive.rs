//! `#[derive(AdditiveGroup)]`: a struct of groups is a group, field by field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, Index, Member, parse_quote};

/// `zero`, `+=`, `-=`, negation and comparison of a struct.
pub fn additive_group(item: TokenStream) -> TokenStream {
    match expand(item) {
        Ok(tokens) => tokens,
        Err(error) => error.into_compile_error(),
    }
}

fn expand(item: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new_spanned(
            name,
            "`AdditiveGroup` can be derived for structs only: the variants of an enum do not add\n\
             help: implement `AdditiveGroup` by hand if there is a sum",
        ));
    };
    let members: Vec<Member> = match &data.fields {
        Fields::Named(fields) => {
            fields.named.iter().filter_map(|f| f.ident.clone()).map(Member::Named).collect()
        }
        Fields::Unnamed(fields) => {
            (0..fields.unnamed.len()).map(|i| Member::Unnamed(Index::from(i))).collect()
        }
        Fields::Unit => Vec::new(),
    };
    let types: Vec<_> = data.fields.iter().map(|field| &field.ty).collect();
    let mut group = input.generics.clone();
    let mut comparable = input.generics.clone();
    if !input.generics.params.is_empty() {
        let (g, c) = (group.make_where_clause(), comparable.make_where_clause());
        for ty in &types {
            g.predicates.push(parse_quote!(#ty: ::retrograde::num::AdditiveGroup));
            c.predicates.push(parse_quote!(#ty: ::retrograde::check::Check));
        }
        c.predicates.push(parse_quote!(Self: ::core::fmt::Debug));
        g.predicates.push(parse_quote!(Self: ::core::clone::Clone));
    }
    let (parameters, arguments, condition) = group.split_for_impl();
    let (_, _, comparison) = comparable.split_for_impl();
    Ok(quote! {
        impl #parameters ::retrograde::num::Zero for #name #arguments #condition {
            fn zero() -> Self {
                Self { #(#members: <#types as ::retrograde::num::Zero>::zero(),)* }
            }
        }
        impl #parameters ::core::ops::AddAssign for #name #arguments #condition {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                ::retrograde::num::AdditiveGroup::accumulate(self, other);
            }
        }
        impl #parameters ::core::ops::SubAssign for #name #arguments #condition {
            #[inline]
            fn sub_assign(&mut self, other: Self) {
                ::retrograde::num::AdditiveGroup::retract(self, other);
            }
        }
        impl #parameters ::retrograde::num::AdditiveGroup for #name #arguments #condition {
            #[inline]
            fn accumulate(&mut self, other: Self) {
                #(::retrograde::num::AdditiveGroup::accumulate(
                    &mut self.#members, other.#members);)*
            }
            #[inline]
            fn retract(&mut self, other: Self) {
                #(::retrograde::num::AdditiveGroup::retract(
                    &mut self.#members, other.#members);)*
            }
            #[inline]
            fn negate(&mut self) {
                #(::retrograde::num::AdditiveGroup::negate(&mut self.#members);)*
            }
        }
        impl #parameters ::retrograde::check::Check for #name #arguments #comparison {
            #[inline]
            fn magnitude(&self) -> f64 {
                0.0_f64 #(.max(::retrograde::check::Check::magnitude(&self.#members)))*
            }
            #[inline]
            fn agrees(&self, expected: &Self, scale: f64) -> bool {
                true #(&& ::retrograde::check::Check::agrees(
                    &self.#members, &expected.#members, scale))*
            }
        }
    })
}
