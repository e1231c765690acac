//! Fields of gradients. Which of them are `#[constant]` only their struct knows: its type is
//! asked, by code that is never run. What is added to such a field is left out, and to a function
//! it is passed as what carries no gradient; any other use does not compile.

use super::{Emitter, is_call_of};
use crate::ir::{Call, Callee, Kind, Operator, Statement};
use crate::names::{Mode, Names, pattern_names};
use crate::place::{Access, access, bare_name};
use crate::table::{NameMap, hash_of_field};
use crate::visit::Visit;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::{Expr, ExprField, ExprIndex, Lifetime, UnOp, parse_quote_spanned};

/// What is known of the fields of gradients.
#[derive(Default)]
pub(super) struct Known {
    /// The questions that were put, as text.
    asked: HashSet<String>,
    /// The parts of gradients that were borrowed, and of which fields they are.
    parts: NameMap<Vec<Field>>,
    /// The names of answers, by the fields that they are about.
    answers: HashMap<String, Ident>,
    /// How many there were.
    count: usize,
    /// That for the field that a statement adds to.
    added: Option<Ident>,
}

/// A field of a gradient, and what is used of it: all, or a part.
#[derive(Clone)]
struct Field {
    field: ExprField,
    part: Expr,
}

impl Field {
    fn text(&self) -> String {
        format!("{} {}", self.field.to_token_stream(), self.part.to_token_stream())
    }
}

/// The fields that a statement adds to.
pub(super) struct Added {
    /// The answers to whether they carry a gradient, and whether more is asked of their types
    /// than that.
    answers: Vec<(Ident, bool)>,
}

impl Added {
    /// The statement, unless a field that it adds to is constant.
    fn around(&self, statement: &TokenStream) -> TokenStream {
        let answers = self.answers.iter().map(|(answer, _)| answer);
        let deep = self.answers.iter().filter(|(_, deep)| *deep).map(|(answer, _)| answer);
        let passed: TokenStream = deep.map(|answer| quote!(#answer.where_carried();)).collect();
        let allowed = (!passed.is_empty())
            .then(|| quote!(#[allow(unreachable_code, clippy::diverging_sub_expression)]));
        quote! {
            #allowed
            if #(#answers.carries())&&* {
                #passed
                #statement
            }
        }
    }
}

impl Emitter<'_> {
    /// Questions to the types of the structs whose fields a statement uses. Those of the fields
    /// that it adds to are put around it; the others come before it.
    pub(super) fn asks_for_fields(&self, statement: &Statement) -> (TokenStream, Option<Added>) {
        let names = self.values.names;
        if self.values.readable || !names.has_gradients() {
            return (TokenStream::new(), None);
        }
        let mut known = self.fields.borrow_mut();
        let mut used = Used::of(names, &known);
        let mut added_to = Vec::new();
        match &statement.kind {
            Kind::Update { place, operator, value } => {
                used.visit_expr(place);
                let sum =
                    !matches!(operator, Operator::Xor | Operator::Multiply | Operator::Divide);
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
                let adds = is_sum(call) && statement.generated;
                for (i, argument) in call.arguments.iter().enumerate() {
                    if adds || !is_lent(argument) || names.is_strict() {
                        used.visit_expr(argument);
                    }
                    if adds && i == 0 && !names.is_strict() {
                        added_to = std::mem::take(&mut used.fields);
                    }
                }
                if let Callee::Method { receiver, .. } = &call.callee {
                    used.visit_expr(receiver);
                }
            }
            _ => {}
        }
        // What is added to a constant field may be taken of another one.
        let taken = match &added_to[..] {
            [_] => std::mem::take(&mut used.fields),
            _ => Vec::new(),
        };
        let mut fields = used.fields;
        fields.retain(|field| known.asked.insert(field.text()));
        let questions = fields.iter().map(|field| self.asked_for(field, "__with_shadow"));
        let mut questions: TokenStream = questions.map(|question| quote!(#question;)).collect();
        let mut before = TokenStream::new();
        let answers: Vec<(Ident, bool)> = added_to
            .iter()
            .map(|field| {
                let key = field.text();
                let answer = known.answers.get(&key).cloned().unwrap_or_else(|| {
                    let (answer, asked) = self.answer(field, &mut known.count);
                    before.extend(asked);
                    answer
                });
                known.answers.insert(key, answer.clone());
                (answer, !is_field(&statement.kind, field))
            })
            .collect();
        if let Some((first, _)) = answers.first() {
            let taken = taken.iter().map(|field| self.asked_for(field, "__field"));
            questions.extend(taken.map(|question| quote!(#first.__takes(#question);)));
        }
        if !questions.is_empty() {
            let label = Lifetime::new("'ask", Span::mixed_site());
            before.extend(quote! {
                #[allow(unreachable_code)]
                #label: {
                    break #label;
                    #questions
                }
            });
        }
        known.added = match &answers[..] {
            [(answer, false)] => Some(answer.clone()),
            _ => None,
        };
        (before, (!answers.is_empty()).then_some(Added { answers }))
    }

    /// The answer for the field that the statement adds to, where the library leaves out what is
    /// added: then nothing is put around it.
    pub(super) fn added_to(&self) -> Option<Ident> {
        self.fields.borrow_mut().added.take()
    }

    /// What was written of a statement that adds to fields.
    pub(super) fn around_added(&self, added: &Added, statement: TokenStream) -> TokenStream {
        let left = self.fields.borrow_mut().added.take().is_some();
        if left || added.answers.iter().any(|(_, deep)| *deep) || added.answers.len() > 1 {
            return added.around(&statement);
        }
        statement
    }

    /// The answers that are known here; those that are found inside of a block end with it.
    pub(super) fn answers(&self) -> HashMap<String, Ident> {
        self.fields.borrow().answers.clone()
    }

    pub(super) fn forget_answers(&self, known: HashMap<String, Ident>) {
        self.fields.borrow_mut().answers = known;
    }

    /// The arguments of a call, as they are written: of `passed`, those that are the shadows of
    /// constant fields are not passed.
    pub(super) fn lent_fields(&self, call: &Call, passed: &mut [Expr], before: &mut TokenStream) {
        let names = self.values.names;
        if self.values.readable || !names.has_gradients() || names.is_strict() || is_sum(call) {
            return;
        }
        for (i, (argument, passed)) in call.arguments.iter().zip(passed).enumerate() {
            if !is_lent(argument) {
                continue;
            }
            let mut known = self.fields.borrow_mut();
            let mut used = Used::of(names, &known);
            used.visit_expr(argument);
            // Before its shadow stands what is passed itself.
            let value = i.checked_sub(1).map(|before| &call.arguments[before]);
            let read = value.is_some_and(|value| match value {
                Expr::Reference(e) => e.mutability.is_none(),
                other => access(other).is_some(),
            });
            for field in used.fields {
                let known_here = known.answers.get(&field.text()).cloned();
                let mut answer = known_here.unwrap_or_else(|| {
                    let (answer, asked) = self.answer(&field, &mut known.count);
                    before.extend(asked);
                    answer
                });
                let here = field.field.member.span();
                answer.set_span(answer.span().located_at(here));
                let here = Span::call_site().located_at(here);
                *passed = match read {
                    true => parse_quote_spanned!(here=> &mut *(&&&#answer).__read(#passed)),
                    false => parse_quote_spanned!(here=> (&&#answer).__lend(#passed)),
                };
            }
        }
    }

    /// The name of an answer, and its declaration. It has no value: the question is never put.
    fn answer(&self, field: &Field, count: &mut usize) -> (Ident, TokenStream) {
        *count += 1;
        let name = format_ident!("__field_{count}", span = Span::mixed_site());
        let label = Lifetime::new("'ask", Span::mixed_site());
        let question = self.asked_for(field, "__field");
        let declaration = quote! {
            #[allow(unreachable_code)]
            let #name = #label: {
                break #label ::retrograde::__private::Answer::unasked();
                #question
            };
        };
        (name, declaration)
    }

    /// `(&&field::<NAME, _, _>(&base, &part)).question()`, where the field stands.
    fn asked_for(&self, Field { field, part }: &Field, question: &str) -> TokenStream {
        let here = Span::call_site().located_at(field.member.span());
        let moved = |mut token: TokenTree| {
            token.set_span(token.span().located_at(here));
            token
        };
        let place = |place: &Expr| -> TokenStream {
            let reference =
                bare_name(place).is_some_and(|name| self.values.names.mode(name) == Mode::Mutable);
            let tokens: TokenStream = place.to_token_stream().into_iter().map(moved).collect();
            if reference {
                quote_spanned!(here=> &*#tokens)
            } else {
                quote_spanned!(here=> &#tokens)
            }
        };
        let (base, part) = (place(&field.base), place(part));
        let name = hash_of_field(&field.member);
        let question = Ident::new(question, here);
        quote_spanned!(here=>
            (&&::retrograde::__private::field::<#name, _, _>(#base, #part)).#question())
    }
}

/// Whether a call is of a function of the library that adds to a shadow, the first argument.
fn is_sum(call: &Call) -> bool {
    const SUMS: [&str; 7] = [
        "accumulate_each",
        "accumulate_factors",
        "accumulate_slice",
        "add_shadow",
        "retract_each",
        "retract_factors",
        "retract_slice",
    ];
    let Callee::Function(path) = &call.callee else { return false };
    let names: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
    path.path.leading_colon.is_some()
        && matches!(&names[..], [_, module, name]
            if module == "derivative" && SUMS.contains(&name.as_str()))
}

/// Whether it is a field itself that a statement adds to: a part of it may be behind a reference.
fn is_field(statement: &Kind, field: &Field) -> bool {
    matches!(statement, Kind::Update { place: Expr::Field(place), .. } if *place == field.field)
}

/// Whether an argument is a place that is lent to be written: a shadow is.
fn is_lent(argument: &Expr) -> bool {
    matches!(argument, Expr::Reference(e) if e.mutability.is_some() && access(&e.expr).is_some())
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
    parts: &'a NameMap<Vec<Field>>,
    fields: Vec<Field>,
    /// The place that is being looked at.
    whole: Option<Expr>,
    /// Whether it is of a gradient that something is used.
    gradient: bool,
}

impl<'a> Used<'a> {
    fn of(names: &'a Names, known: &'a Known) -> Self {
        Used { names, parts: &known.parts, fields: Vec::new(), whole: None, gradient: false }
    }
}

impl<'e> Visit<'e> for Used<'_> {
    fn visit_expr(&mut self, expr: &'e Expr) {
        let outer = self.whole.clone();
        match expr {
            Expr::Field(_) | Expr::Index(_) => _ = self.whole.get_or_insert_with(|| expr.clone()),
            Expr::Paren(_) | Expr::Group(_) | Expr::Path(_) => {}
            Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => {}
            _ => self.whole = None,
        }
        crate::visit::visit_expr(self, expr);
        self.whole = outer;
    }

    fn visit_expr_index(&mut self, e: &'e ExprIndex) {
        self.visit_expr(&e.expr);
        let whole = self.whole.take();
        self.visit_expr(&e.index);
        self.whole = whole;
    }

    fn visit_expr_field(&mut self, e: &'e ExprField) {
        self.visit_expr(&e.base);
        let is_part = |place: Access| self.parts.contains_key(&place.root);
        let gradient = self.names.is_gradient(&e.base) || access(&e.base).is_some_and(is_part);
        // A tuple or a complex number has no marks.
        if gradient && !self.names.is_of_known_type(&e.base) {
            let part = self.whole.clone().unwrap_or_else(|| Expr::Field(e.clone()));
            self.fields.push(Field { field: e.clone(), part });
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
