//! Fields of gradients. Which of them are `#[constant]` only their struct knows: its type is
//! asked, by code that is never run. What a statement adds to such a field, it leaves out; any
//! other use does not compile.

use super::{Emitter, is_call_of};
use crate::ir::{Callee, Kind, Operator, Statement};
use crate::names::{Mode, Names, pattern_names};
use crate::place::{Access, access, bare_name};
use crate::table::{NameMap, hash_of_field};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashSet;
use syn::visit::Visit;
use syn::spanned::Spanned;
use syn::{Expr, ExprField, Lifetime};

/// What is known of the fields of gradients.
#[derive(Default)]
pub(super) struct Known {
    /// The questions that were put, as text.
    asked: HashSet<String>,
    /// The parts of gradients that were borrowed, and of which fields they are.
    parts: NameMap<Vec<ExprField>>,
}

/// The fields that a statement adds to: it is left out if one of them is `#[constant]`.
pub(super) struct Passed(Vec<TokenStream>);

impl Passed {
    pub(super) fn around(self, statement: &TokenStream) -> TokenStream {
        let place = |name| Ident::new(name, Span::mixed_site());
        let (question, label) = (place("__field"), Lifetime::new("'ask", Span::mixed_site()));
        self.0.into_iter().rev().fold(statement.clone(), |inside, field| {
            quote! {
                #[allow(unreachable_code)]
                let #question = #label: {
                    break #label ::core::option::Option::None;
                    ::core::option::Option::Some(#field)
                };
                #[allow(unreachable_code, clippy::diverging_sub_expression)]
                if ::retrograde::__private::carries(&#question) {
                    ::retrograde::__private::where_carried(#question);
                    #inside
                }
            }
        })
    }
}

impl Emitter<'_> {
    /// Questions to the types of the structs whose fields a statement uses. Those of the fields
    /// that it adds to are put around it; the others come before it.
    pub(super) fn asks_for_fields(&self, statement: &Statement) -> (TokenStream, Option<Passed>) {
        let names = self.values.names;
        if self.values.readable || !names.has_gradients() {
            return (TokenStream::new(), None);
        }
        let mut known = self.fields.borrow_mut();
        let (fields, gradient) = (Vec::new(), false);
        let mut used = Used { names, parts: &known.parts, fields, gradient };
        let mut added_to = Vec::new();
        match &statement.kind {
            Kind::Update { place, operator, value } => {
                used.visit_expr(place);
                let sum = !matches!(
                    operator,
                    Operator::Xor | Operator::Multiply | Operator::Divide
                );
                if sum && statement.generated && !names.is_strict() {
                    added_to = std::mem::take(&mut used.fields);
                }
                used.visit_expr(value);
            }
            // How long it is, a shadow tells of all its fields.
            Kind::Bind(binding) if is_length(&binding.value) => {}
            Kind::Bind(binding) => {
                used.visit_expr(&binding.value);
                if is_part(&binding.value) && used.gradient {
                    let fields = used.fields;
                    for name in pattern_names(&binding.pattern) {
                        known.parts.insert(&name, fields.clone());
                    }
                    return (TokenStream::new(), None);
                }
            }
            Kind::Allocate(ancilla) | Kind::Release(ancilla) => used.visit_expr(&ancilla.value),
            Kind::If { arms, .. } => arms.iter().for_each(|arm| used.visit_expr(&arm.pre)),
            Kind::While { pre, .. } => used.visit_expr(pre),
            Kind::For { sequence, .. } => used.visit_expr(sequence),
            Kind::Call(call) => {
                call.arguments.iter().for_each(|argument| used.visit_expr(argument));
                if let Callee::Method { receiver, .. } = &call.callee {
                    used.visit_expr(receiver);
                }
            }
            _ => {}
        }
        let mut fields = used.fields;
        fields.retain(|field| known.asked.insert(field.to_token_stream().to_string()));
        let questions = fields.iter().map(|field| self.asked_for(field, "__with_shadow"));
        let questions = questions.map(|question| quote!(#question;));
        let before = match fields.is_empty() {
            true => TokenStream::new(),
            false => {
                let label = Lifetime::new("'ask", Span::mixed_site());
                quote! {
                    #[allow(unreachable_code)]
                    #label: {
                        break #label;
                        #(#questions)*
                    }
                }
            }
        };
        let added_to: Vec<_> = added_to.iter().map(|field| self.asked_for(field, "__field")).collect();
        (before, (!added_to.is_empty()).then_some(Passed(added_to)))
    }

    /// `(&&field::<NAME, _>(&base)).question()`, where the field stands.
    fn asked_for(&self, field: &ExprField, question: &str) -> TokenStream {
        let here = Span::call_site().located_at(field.member.span());
        let reference = bare_name(&field.base)
            .is_some_and(|name| self.values.names.mode(name) == Mode::Mutable);
        let moved = |mut token: TokenTree| {
            token.set_span(token.span().located_at(here));
            token
        };
        let base: TokenStream = field.base.to_token_stream().into_iter().map(moved).collect();
        let base = if reference { quote_spanned!(here=> &*#base) } else { quote_spanned!(here=> &#base) };
        let (name, question) = (hash_of_field(&field.member), Ident::new(question, here));
        quote_spanned!(here=> 
            (&&::retrograde::__private::field::<#name, _>(#base)).#question())
    }
}

/// What a loop borrows of a container before its passes.
fn is_part(value: &Expr) -> bool {
    match value {
        Expr::MethodCall(call) => call.method == "__first",
        other => is_call_of(other, "part") || is_call_of(other, "part_mut"),
    }
}

/// How many passes a loop has, by the length of a container.
fn is_length(value: &Expr) -> bool {
    match value {
        Expr::MethodCall(call) => call.method == "__passes",
        other => is_call_of(other, "passes"),
    }
}

/// The fields of gradients that expressions use.
struct Used<'a> {
    names: &'a Names,
    parts: &'a NameMap<Vec<ExprField>>,
    fields: Vec<ExprField>,
    /// Whether it is of a gradient that something is used.
    gradient: bool,
}

impl<'e> Visit<'e> for Used<'_> {
    fn visit_expr_field(&mut self, e: &'e ExprField) {
        syn::visit::visit_expr_field(self, e);
        let is_part = |place: Access| self.parts.contains_key(&place.root);
        if self.names.is_gradient(&e.base) || access(&e.base).is_some_and(is_part) {
            self.fields.push(e.clone());
        }
    }

    fn visit_expr_path(&mut self, path: &'e syn::ExprPath) {
        let Some(name) = path.path.get_ident() else { return };
        self.gradient |= self.names.is_gradient_name(name);
        if let Some(fields) = self.parts.get(name) {
            self.fields.extend(fields.iter().cloned());
        }
    }
}
