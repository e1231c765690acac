//! Derives: a struct has, field by field, what its fields have.

use crate::item;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Data, DeriveInput, Fields, Index, Member, parse_quote};

/// `zero`, `+=`, `-=`, negation and comparison of a struct.
pub fn additive_group(item: TokenStream) -> TokenStream {
    group(item).unwrap_or_else(syn::Error::into_compile_error)
}

/// The shadow of a struct.
pub fn differentiable(item: TokenStream) -> TokenStream {
    shadow(item).unwrap_or_else(syn::Error::into_compile_error)
}

/// How a struct lies in the memory of a device.
pub fn device(item: TokenStream) -> TokenStream {
    layout(item).unwrap_or_else(syn::Error::into_compile_error)
}

fn layout(item: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new_spanned(
            name,
            "`Device` can be derived for structs only: the device has no variants\n\
             help: make it a struct of numbers",
        ));
    };
    let mut laid_out = false;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        attribute.parse_nested_meta(|meta| {
            laid_out |= meta.path.is_ident("C");
            Ok(())
        })?;
    }
    if !laid_out {
        return Err(syn::Error::new_spanned(
            name,
            "Rust lays out this struct as it likes, and the device could not find its fields\n\
             help: add `#[repr(C)]`",
        ));
    }
    let mut generics = input.generics.clone();
    let types: Vec<_> = input.generics.type_params().map(|p| p.ident.clone()).collect();
    if !types.is_empty() {
        let condition = generics.make_where_clause();
        for ty in &types {
            condition.predicates.push(parse_quote!(#ty: ::retrograde::device::Type));
        }
    }
    let (parameters, arguments, condition) = generics.split_for_impl();
    let names = members(&data.fields).into_iter().map(|member| match member {
        Member::Named(name) => crate::device::field_name(&name),
        Member::Unnamed(index) => format!("_{}", index.index),
    });
    let fields: Vec<_> = data.fields.iter().map(|field| item::parenthesised(&field.ty)).collect();
    let members: Vec<_> = members(&data.fields);
    let layouts = quote!([#(<#fields as ::retrograde::device::Type>::LAYOUT),*]);
    let ranges: Vec<_> = (0..fields.len())
        .map(|i| quote!(::retrograde::device::Layout::offset(fields, #i)..))
        .zip(&fields)
        .map(|(start, ty)| {
            let size = quote!(<#ty as ::retrograde::device::Type>::LAYOUT.size);
            quote!([#start][..#size])
        })
        .collect();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters ::retrograde::device::Type for #name #arguments #condition {
            const LAYOUT: ::retrograde::device::Layout =
                ::retrograde::device::Layout::of_fields(&#layouts);
            #[inline]
            fn store(&self, to: &mut [u8]) {
                let fields: &[::retrograde::device::Layout] = &#layouts;
                #({
                    let field = self.#members;
                    <#fields as ::retrograde::device::Type>::store(&field, &mut to #ranges);
                })*
            }
            #[inline]
            fn load(from: &[u8]) -> Self {
                let fields: &[::retrograde::device::Layout] = &#layouts;
                #name {
                    #(#members: <#fields as ::retrograde::device::Type>::load(&from #ranges)),*
                }
            }
            fn form() -> ::retrograde::device::Form {
                ::retrograde::device::Form::Struct(::retrograde::device::Struct {
                    name: ::std::any::type_name::<Self>().to_string(),
                    size: <Self as ::retrograde::device::Type>::LAYOUT.size,
                    fields: ::std::vec![
                        #((#names, <#fields as ::retrograde::device::Type>::form())),*
                    ],
                    parameters: ::std::vec![
                        #(<#types as ::retrograde::device::Type>::form()),*
                    ],
                })
            }
        }
    })
}

fn members(fields: &Fields) -> Vec<Member> {
    match fields {
        Fields::Named(fields) => {
            fields.named.iter().filter_map(|f| f.ident.clone()).map(Member::Named).collect()
        }
        Fields::Unnamed(fields) => {
            (0..fields.unnamed.len()).map(|i| Member::Unnamed(Index::from(i))).collect()
        }
        Fields::Unit => Vec::new(),
    }
}

fn shadow(item: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new_spanned(
            name,
            "`Differentiable` can be derived for structs only: the shadow of one variant of an \
             enum is none of another\n\
             help: implement `Differentiable` by hand, or mark values of this type `#[constant]`",
        ));
    };
    let is_constant = |field: &&syn::Field| {
        field.attrs.iter().any(|attribute| attribute.path().is_ident("constant"))
    };
    let all = members(&data.fields).into_iter().zip(&data.fields);
    let (constant, active): (Vec<_>, Vec<_>) = all.partition(|(_, field)| is_constant(field));
    let constant: Vec<Member> = constant.into_iter().map(|(member, _)| member).collect();
    let (active, types): (Vec<Member>, Vec<_>) =
        active.into_iter().map(|(member, field)| (member, item::parenthesised(&field.ty))).unzip();
    let mut generics = input.generics.clone();
    if !input.generics.params.is_empty() {
        let condition = generics.make_where_clause();
        for ty in &types {
            condition.predicates.push(parse_quote!(#ty: ::retrograde::derivative::Differentiable));
        }
        condition.predicates.push(parse_quote!(Self: ::core::clone::Clone));
    }
    let (parameters, arguments, condition) = generics.split_for_impl();
    let differentiable = quote!(::retrograde::derivative::Differentiable);
    let fieldwise = input.attrs.iter().any(|attribute| attribute.path().is_ident("fieldwise"));
    let rules = fieldwise.then(|| {
        let rules = [("PullAdd", "pull_add"), ("PullSub", "pull_sub")].map(|(rule, function)| {
            let rule = format_ident!("{rule}");
            let (left, right) =
                (format_ident!("{function}_left"), format_ident!("{function}_right"));
            let right_value = if rule == "PullSub" {
                quote!(::retrograde::derivative::negated(g))
            } else {
                quote!(::core::clone::Clone::clone(g))
            };
            quote! {
                impl #parameters ::retrograde::derivative::#rule for #name #arguments #condition {
                    type Output = Self;
                    #[inline]
                    fn #left(g: &Self, _left: &Self, _right: &Self) -> Self {
                        ::core::clone::Clone::clone(g)
                    }
                    #[inline]
                    fn #right(g: &Self, _left: &Self, _right: &Self) -> Self {
                        #right_value
                    }
                }
            }
        });
        quote! {
            #(#rules)*
            impl #parameters ::retrograde::derivative::PullNeg for #name #arguments #condition {
                type Output = Self;
                #[inline]
                fn pull_neg(g: &Self, _x: &Self) -> Self {
                    ::retrograde::derivative::negated(g)
                }
            }
        }
    });
    let container = input.attrs.iter().any(|attribute| attribute.path().is_ident("container"));
    let deref_to_constants = container.then(
        || quote_spanned!(name.span()=> (&::retrograde::__private::DerefsTo(value)).__derefs_to();),
    );
    let container = container.then(|| {
        let (parameters, arguments, condition) = input.generics.split_for_impl();
        quote!(impl #parameters ::retrograde::derivative::Container for #name #arguments #condition {})
    });
    // `*p` is what a `Deref` of its own chooses, and its shadow chooses by itself.
    let derefs = {
        let (parameters, arguments, condition) = input.generics.split_for_impl();
        quote_spanned! {name.span()=>
            const _: () = {
                #[allow(dead_code, unused_imports, clippy::all, clippy::pedantic)]
                fn claims #parameters(value: &#name #arguments) #condition {
                    use ::retrograde::__private::methods::*;
                    (&::retrograde::__private::Derefs(value)).has_parts();
                    #deref_to_constants
                }
            };
        }
    };
    // Where the gradient of a field goes, the struct is asked for it by its name.
    let without_shadow = constant.iter().map(|member| {
        let (parameters, arguments, condition) = input.generics.split_for_impl();
        let field = crate::table::hash_of_field(member);
        quote! {
            impl #parameters ::retrograde::__private::ConstantField<#field>
                for #name #arguments #condition
            {
                type Owner = Self;
            }
        }
    });
    let mut without_shadow: TokenStream = without_shadow.collect();
    if !constant.is_empty() {
        let (parameters, arguments, condition) = input.generics.split_for_impl();
        without_shadow.extend(quote! {
            impl #parameters ::retrograde::__private::HasConstantFields
                for #name #arguments #condition {}
        });
    }
    let mut countable = input.generics.clone();
    if !input.generics.params.is_empty() {
        let condition = countable.make_where_clause();
        for ty in &types {
            condition.predicates.push(parse_quote!(#ty: ::retrograde::testing::Components));
        }
    }
    let (_, _, countable) = countable.split_for_impl();
    let components = quote!(::retrograde::testing::Components);
    let names: Vec<String> = active.iter().map(crate::text::of).collect();
    let paths: Vec<String> = names.iter().map(|name| format!(".{name}")).collect();
    let each = |action: &dyn Fn(&Member, &str) -> TokenStream| {
        let parts = active.iter().zip(&names).map(|(member, name)| {
            let action = action(member, name);
            quote! {
                match i.checked_sub(#components::components(&self.#member)) {
                    ::core::option::Option::None => return #action,
                    ::core::option::Option::Some(rest) => i = rest,
                }
            }
        });
        let name = name.to_string();
        quote!(#(#parts)* ::core::panic!("component {i} of a `{}` that has fewer", #name))
    };
    // The integers of a container tell its shape.
    let misfits = active.iter().map(|member| {
        let of = |asked: &str| {
            let asked = format_ident!("{asked}");
            quote!(#differentiable::#asked(&self.#member, &shadow.#member))
        };
        let (misfit, shape) = (of("misfit"), of("shape_misfit"));
        if container.is_some() { quote!(#misfit.or_else(|| #shape)) } else { misfit }
    });
    let get = each(&|member, _| quote!(#components::component(&self.#member, i)));
    let set = each(&|member, _| quote!(#components::set_component(&mut self.#member, i, value)));
    let called = each(&|member, name| {
        quote!(::std::format!(".{}{}", #name, #components::component_name(&self.#member, i)))
    });
    Ok(quote! {
        impl #parameters #components for #name #arguments #countable {
            fn components(&self) -> usize {
                0 #(+ #components::components(&self.#active))*
            }
            #[allow(unused_mut, unused_assignments)]
            fn component(&self, mut i: usize) -> f64 {
                #get
            }
            #[allow(unused_mut, unused_assignments, unused_variables)]
            fn set_component(&mut self, mut i: usize, value: f64) {
                #set
            }
            #[allow(unused_mut, unused_assignments)]
            fn component_name(&self, mut i: usize) -> ::std::string::String {
                #called
            }
            fn precision(&self) -> f64 {
                0.0_f64 #(.max(#components::precision(&self.#active)))*
            }
            fn other(
                &self,
                expected: &Self,
            ) -> ::core::option::Option<::retrograde::testing::Other> {
                #(if let ::core::option::Option::Some(other) =
                    #components::other(&self.#active, &expected.#active)
                {
                    return ::core::option::Option::Some(other.inside(#paths));
                })*
                let _ = expected;
                ::core::option::Option::None
            }
        }
        impl #parameters #differentiable for #name #arguments #condition {
            #[inline]
            fn zero_like(&self) -> Self {
                Self {
                    #(#active: #differentiable::zero_like(&self.#active),)*
                    #(#constant: ::core::clone::Clone::clone(&self.#constant),)*
                }
            }
            #[inline]
            fn neutral_like(&self) -> Self {
                Self {
                    #(#active: #differentiable::neutral_like(&self.#active),)*
                    #(#constant: ::core::clone::Clone::clone(&self.#constant),)*
                }
            }
            #[inline]
            fn set_zero_like(&mut self, value: &Self) {
                #(#differentiable::set_zero_like(&mut self.#active, &value.#active);)*
                #(::core::clone::Clone::clone_from(&mut self.#constant, &value.#constant);)*
            }
            #[inline]
            #[track_caller]
            fn accumulate_shadow(&mut self, other: Self) {
                #(#differentiable::accumulate_shadow(&mut self.#active, other.#active);)*
            }
            #[inline]
            #[track_caller]
            fn retract_shadow(&mut self, other: Self) {
                #(#differentiable::retract_shadow(&mut self.#active, other.#active);)*
            }
            #[inline]
            fn negated_shadow(&self) -> Self {
                Self {
                    #(#active: #differentiable::negated_shadow(&self.#active),)*
                    #(#constant: ::core::clone::Clone::clone(&self.#constant),)*
                }
            }
            #[inline]
            fn extent(&self) -> f64 {
                0.0_f64 #(.max(#differentiable::extent(&self.#active)))*
            }
            #[inline]
            fn breadth(&self) -> usize {
                0 #(+ #differentiable::breadth(&self.#active))*
            }
            #[inline]
            #[allow(unused_variables)]
            fn changes(&self, before: &Self) -> ::retrograde::check::Changes {
                <::retrograde::check::Changes as ::core::default::Default>::default()
                    #(.and(#differentiable::changes(&self.#active, &before.#active)))*
            }
            #[inline]
            #[allow(unused_variables)]
            fn nudge_value(&mut self, slack: ::retrograde::check::Slack, up: bool) {
                #(#differentiable::nudge_value(&mut self.#active, slack, up);)*
            }
            #[inline]
            #[allow(unused_variables)]
            fn astray(
                &self,
                expected: &Self,
                slack: ::retrograde::check::Slack,
            ) -> ::core::option::Option<::retrograde::check::Astray> {
                #(if let ::core::option::Option::Some(astray) =
                    #differentiable::astray(&self.#active, &expected.#active, slack)
                {
                    return ::core::option::Option::Some(
                        astray.inside(::core::concat!(".", #names)));
                })*
                ::core::option::Option::None
            }
            #[inline]
            fn misfit(
                &self,
                shadow: &Self,
            ) -> ::core::option::Option<::retrograde::derivative::Misfit> {
                #(if let ::core::option::Option::Some(misfit) = #misfits {
                    return ::core::option::Option::Some(misfit.within(#paths));
                })*
                ::core::option::Option::None
            }
        }
        #rules
        #container
        #derefs
        #without_shadow
    })
}

fn group(item: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new_spanned(
            name,
            "`AdditiveGroup` can be derived for structs only: the variants of an enum do not add\n\
             help: implement `AdditiveGroup` by hand if there is a sum",
        ));
    };
    let members = members(&data.fields);
    let types: Vec<_> = data.fields.iter().map(|field| item::parenthesised(&field.ty)).collect();
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
            fn agrees(&self, expected: &Self, slack: ::retrograde::check::Slack) -> bool {
                true #(&& ::retrograde::check::Check::agrees(
                    &self.#members, &expected.#members, slack))*
            }
        }
    })
}
