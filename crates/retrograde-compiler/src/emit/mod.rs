//! Emission: from the IR back to Rust.

mod call;
mod fields;
mod folding;
mod follow;
mod fused;
mod guard;
mod literals;
mod mention;
mod parts;
mod readable;
mod sequence;
mod steady;
mod value;

use crate::differentiate::is_library;
use crate::hoist::hoist;
use crate::ir::{Ancilla, Arm, Block, Host, Kind, Operator, Statement};
use crate::names::{Mode, Names, pattern_names};
use crate::optimise::shadowed;
use crate::place::{Access, access, bare_name, identifiers, reads, reads_of_place};
use crate::table::NameSet;
use crate::text;
use crate::visit::VisitMut;
pub use call::{Apart, apart, companion};
use literals::Known;
pub use literals::{is_choice_or, is_literal, is_literal_or, literal_names, literal_names_inside};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
pub use readable::readable;
pub use sequence::is_iterator;
use std::cell::RefCell;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Expr, FieldPat, Pat, PatIdent};
use value::Values;
pub use value::{LITERAL, LITERAL_WITH, only_reads};

/// How code is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Whether the types of expressions are unknown.
    pub generic: bool,
    /// Whether there is no type parameter, in sight or out of it, that may be a number.
    pub settled: bool,
    /// For people rather than for the compiler, without what only serves diagnostics.
    pub readable: bool,
    /// Products in sums may be rounded with them, once.
    pub fused: bool,
    /// Some types are promised to be undone: see [`crate::undone::promises`].
    pub promises: bool,
}

/// The Rust statements of a block.
pub fn block(block: Block, names: &Names, manner: Manner) -> TokenStream {
    block_on_loan(block, names, manner, &[])
}

/// The Rust statements of a block, which follow the magnitudes of these arguments.
pub fn block_on_loan(
    mut block: Block,
    names: &Names,
    manner: Manner,
    returning: &[&Ident],
) -> TokenStream {
    let Manner { generic, settled, readable, fused, promises } = manner;
    if !readable {
        guard::guard(&mut block, names);
    }
    let mut inferred = HashSet::new();
    if generic {
        infer(&block, names, &mut inferred);
    }
    let told = generic && names.only_number().is_some();
    let known = match told {
        true => Known::Parameter,
        false if settled => Known::Plain,
        false => Known::Nothing,
    };
    let untold = if generic { literals::untold(&block, known, names) } else { HashSet::new() };
    let fused = fused && !readable;
    let values = Values {
        names,
        generic,
        readable,
        fused,
        trusted: readable,
        settled,
        literals: None,
        locals: &[],
    };
    let (asked, lent, fields) = (RefCell::default(), RefCell::default(), RefCell::default());
    let (inferred, untold) = (&inferred, &untold);
    let returning: Vec<(&Ident, bool)> = returning.iter().map(|name| (*name, true)).collect();
    let exchanged = follow::exchanged(&block, names);
    let replaced = follow::replaced(&block);
    let emitter = Emitter {
        values,
        inferred,
        untold,
        followed: &[],
        returning: Returning { names: &returning, variables: &[] },
        beside: &[],
        exchanged: &exchanged,
        replaced: &replaced,
        asked: &asked,
        lent: &lent,
        fields: &fields,
        promises,
    };
    emitter.block(&block)
}

/// Brings the library's methods for emitted code into scope.
pub fn methods() -> TokenStream {
    quote! {
        #[allow(unused_imports)]
        use ::retrograde::__private::methods::*;
    }
}

/// The body of a pure function.
pub fn pure_body(block: &syn::Block, names: &Names, manner: Manner) -> syn::Block {
    let Manner { generic, settled, readable, fused, .. } = manner;
    let values = Values {
        names,
        generic,
        readable,
        fused,
        trusted: true,
        settled,
        literals: None,
        locals: &[],
    };
    let mut body = values.body(block);
    let methods = methods();
    body.stmts.insert(0, syn::parse_quote!(#methods));
    body
}

#[derive(Clone, Copy)]
struct Emitter<'a> {
    values: Values<'a>,
    /// Ancillas that start from a literal: their type comes from what is added.
    inferred: &'a HashSet<Ident>,
    /// Names for literals whose type must be told.
    untold: &'a HashSet<Ident>,
    /// Ancillas of the blocks around whose release nothing but a check vouches for: every
    /// update of them is seen.
    followed: &'a [&'a Ident],
    /// What comes back here.
    returning: Returning<'a>,
    /// Ancillas whose statements are all known to be undone, and which are compared for the
    /// rounding that is left.
    beside: &'a [&'a Ident],
    /// What is exchanged with something else anywhere.
    exchanged: &'a NameSet,
    /// What does not end with the value that it begins with.
    replaced: &'a NameSet,
    /// The shadows whose types were asked where their parts are, as text.
    asked: &'a RefCell<HashSet<String>>,
    /// Parts of containers of types that are not known, borrowed for the passes of a loop.
    lent: &'a RefCell<HashSet<Ident>>,
    /// What was asked of fields of gradients, as text, and the parts of such fields that were
    /// borrowed for the passes of a loop.
    fields: &'a RefCell<fields::Known>,
    /// Whether the function promises of some types that what is added can be taken back.
    promises: bool,
}

/// What comes back to where it began, and is compared then.
#[derive(Clone, Copy)]
struct Returning<'a> {
    /// Of the blocks around, and whether this is a part of its way there: going back, digits may
    /// be lost already.
    names: &'a [(&'a Ident, bool)],
    /// The variables of the innermost loop.
    variables: &'a [Ident],
}

fn infer(block: &Block, names: &Names, inferred: &mut HashSet<Ident>) {
    for statement in block {
        match &statement.kind {
            Kind::Allocate(a) | Kind::Release(a)
                if a.ty.is_none()
                    && (is_made_of_literals(&a.value, names)
                        || shadowed(&a.value).is_some_and(|value| inferred.contains(value))) =>
            {
                inferred.insert(a.name.clone());
            }
            // What is added to the lanes of a sum has the type of the sum.
            Kind::Allocate(a) if is_call_of(&a.value, "lanes") => {
                inferred.insert(a.name.clone());
            }
            // A part of such an ancilla.
            Kind::Bind(b) if is_call_of(&b.value, "part_mut") => {
                let mentioned = identifiers(&b.value.to_token_stream());
                if mentioned.iter().any(|name| inferred.contains(name)) {
                    inferred.extend(pattern_names(&b.pattern));
                }
            }
            Kind::Compute { compute, body } => {
                infer(compute, names, inferred);
                infer(body, names, inferred);
            }
            Kind::If { arms, otherwise } => {
                arms.iter().for_each(|arm| infer(&arm.body, names, inferred));
                otherwise.iter().for_each(|block| infer(block, names, inferred));
            }
            Kind::While { body, .. } | Kind::For { body, .. } | Kind::Block(body) => {
                infer(body, names, inferred);
            }
            _ => {}
        }
    }
}

impl Emitter<'_> {
    fn block(&self, block: &Block) -> TokenStream {
        // Ancillas of this block whose release is checked: their scale is followed.
        let mut own: Vec<&Ident> = Vec::new();
        // Those and others, whose release is not known to hold.
        let mut everywhere: Vec<&Ident> = self.followed.to_vec();
        // Those and others, whose release is: what they hold on the way there is seen.
        let mut around: Vec<(&Ident, bool)> = self.returning.names.to_vec();
        // Those of this block and of the blocks around, also after they were released.
        let mut beside: Vec<&Ident> = self.beside.to_vec();
        let mut tokens = TokenStream::new();
        let answers = self.answers();
        for statement in block {
            tokens.extend(self.asks_for_parts(statement));
            let variables = match &statement.kind {
                Kind::For { pattern, .. } => pattern_names(pattern),
                _ => self.returning.variables.to_vec(),
            };
            let inner: Vec<(&Ident, bool)> =
                around.iter().map(|(name, there)| (*name, *there && !statement.undoes)).collect();
            let returning = Returning { names: &inner, variables: &variables };
            let inside = Emitter { followed: &everywhere, returning, beside: &beside, ..*self };
            let (questions, added) = self.asks_for_fields(statement);
            tokens.extend(questions);
            let written = inside.statement(statement);
            tokens.extend(self.before(statement, &everywhere));
            tokens.extend(match added {
                Some(added) => self.around_added(&added, written),
                None => written,
            });
            match &statement.kind {
                Kind::Allocate(ancilla) if ancilla.verify => {
                    own.push(&ancilla.name);
                    match ancilla.proved {
                        true => {
                            around.push((&ancilla.name, true));
                            beside.push(&ancilla.name);
                        }
                        false => everywhere.push(&ancilla.name),
                    }
                }
                Kind::Release(ancilla) => {
                    own.retain(|name| **name != ancilla.name);
                    everywhere.retain(|name| **name != ancilla.name);
                    around.retain(|(name, _)| **name != ancilla.name);
                }
                Kind::Bind(_) | Kind::Unbind(_) | Kind::Allocate(_) => {}
                _ if !(own.is_empty() && everywhere.is_empty() && around.is_empty()) => {
                    let mut seen: Vec<Ident> = Vec::new();
                    for written in self.written(statement) {
                        let seen_here = self
                            .follow(&written, &own, &everywhere, statement)
                            .or_else(|| self.glance(&written, &around, statement));
                        let Some((name, see)) = seen_here else { continue };
                        if !seen.contains(&name) {
                            tokens.extend(see);
                            seen.push(name);
                        }
                    }
                }
                _ => {}
            }
        }
        self.forget_answers(answers);
        tokens
    }

    fn statement(&self, statement: &Statement) -> TokenStream {
        if statement.generated && !self.values.trusted {
            let values = Values { trusted: true, ..self.values };
            return Emitter { values, ..*self }.statement(statement);
        }
        let span = statement.span;
        let source = &statement.source;
        match &statement.kind {
            Kind::Update { place, operator, value } => {
                self.update(place, *operator, value, statement)
            }
            Kind::Bind(binding) => {
                let lent = match &binding.value {
                    Expr::MethodCall(call) => call.method == "__first",
                    Expr::Call(call) if is_call_of(&binding.value, "part_mut") => {
                        call.args.first().is_some_and(|part| self.values.names.is_of_unknowns(part))
                    }
                    _ => false,
                };
                if lent {
                    self.lent.borrow_mut().extend(pattern_names(&binding.pattern));
                }
                let pattern = &binding.pattern;
                let value = match self.values.names.view(&binding.value) {
                    // Lent, so that the reference can still be used afterwards.
                    Some((_, Mode::Mutable)) if bare_name(&binding.value).is_some() => {
                        let name = &binding.value;
                        syn::parse_quote!(&mut *#name)
                    }
                    Some(_) => binding.value.clone(),
                    None => self.initial(bound_name(pattern), &binding.value),
                };
                let value =
                    if self.values.readable { value } else { mention::with_mentions(value) };
                let (before, value) = hoisted(&value, None);
                quote!(#before let #pattern = #value;)
            }
            Kind::Unbind(binding) if binding.verify => {
                let value = self.values.value(&binding.value);
                let mut pattern = binding.pattern.clone();
                RenameNow.visit_pat_mut(&mut pattern);
                let names = pattern_names(&binding.pattern);
                let now = pattern_names(&pattern);
                if let Some(arms) = crate::matching::patterns(binding) {
                    return quote_spanned!(span=>
                        ::retrograde::check::same_arm(#(#names)*, #value, &[#(#arms),*], #source););
                }
                quote_spanned!(span=> {
                    let #pattern = #value;
                    #(::retrograde::check::still_bound(&#names, &#now, #source);)*
                })
            }
            Kind::Unbind(_) => TokenStream::new(),
            Kind::Allocate(ancilla) => self.allocate(ancilla, statement),
            Kind::Release(ancilla) if ancilla.verify => self.release(ancilla, statement),
            Kind::Release(_) => TokenStream::new(),
            Kind::If { arms, otherwise } => self.branch(arms, otherwise.as_ref(), statement),
            Kind::While { pre, post, verify, body } => {
                let pre = self.values.condition(pre);
                let post = self.values.condition(post);
                let body = self.block(body);
                if !verify {
                    return quote!(while #pre { #body });
                }
                // A `while` that ends with a check looks rotated to LLVM, which
                // then leaves its test at the top of every pass.
                quote_spanned!(span=>
                    ::retrograde::check::pass(false, #post, #source);
                    if #pre {
                        loop {
                            #body
                            ::retrograde::check::pass(true, #post, #source);
                            let __again = #pre;
                            if !__again {
                                break;
                            }
                        }
                    }
                )
            }
            Kind::For { pattern, sequence, reversed, verify, body } => {
                let body = self.block(body);
                let items = self.sequence(sequence, *reversed, statement.checked, source);
                let repeat = quote!(for #pattern in #items { #body });
                if !verify {
                    return repeat;
                }
                let bounds = self.bounds(sequence);
                quote_spanned!(span=> {
                    let __bounds = #bounds;
                    #repeat
                    ::retrograde::check::bounds(&__bounds, &#bounds, #source);
                })
            }
            Kind::Call(call) => self.call(call, statement),
            Kind::Block(block) => {
                let block = self.block(block);
                quote!({ #block })
            }
            Kind::Host(Host(tokens)) if self.values.readable => quote!({ #tokens }),
            // In a closure, so that it cannot leave the function or a loop early.
            Kind::Host(Host(tokens)) => quote! {
                #[allow(clippy::redundant_closure_call)]
                (|| { #tokens })();
            },
            Kind::Compute { .. } => unreachable!("lowered before emission"),
        }
    }

    fn update(
        &self,
        place: &Expr,
        operator: Operator,
        value: &Expr,
        statement: &Statement,
    ) -> TokenStream {
        let span = statement.span;
        let mut before = TokenStream::new();
        let mut shared = false;
        let mut verify = false;
        let mut after = TokenStream::new();
        if let Some(written) = access(place) {
            for read in reads(value) {
                shared |= read.root == written.root;
                match self.apart(&written, &read, statement) {
                    Apart::Known => {}
                    Apart::Checked(check) => before.extend(check),
                    Apart::Unknown => verify = true,
                }
            }
            for (i, read) in reads_of_place(place).iter().enumerate() {
                shared |= read.root == written.root;
                match self.apart(&written, read, statement) {
                    Apart::Known => {}
                    Apart::Checked(check) => before.extend(check),
                    Apart::Unknown => {
                        let (look, again) = call::look_twice(&read.expr, i, statement);
                        before.extend(look);
                        after.extend(again);
                    }
                }
            }
        }
        // For a primitive type Rust evaluates the index before it borrows; for others not.
        let written = access(place);
        let written =
            written.filter(|place| self.values.generic || !self.values.names.is_rigid(&place.root));
        let (own, place) = &hoisted(place, written);
        if !own.is_empty() {
            before.extend(own.clone());
            shared = true;
        }
        if !verify && let Some(sum) = self.fused(place, operator, value, shared, span) {
            return quote!(#before #sum #after);
        }
        // A literal takes its type from the place, so it looks at the place first.
        shared |= self.values.generic && self.values.is_literal(value);
        let value = self.values.accumulated(place, value);
        let plain = matches!(operator, Operator::Add | Operator::Subtract | Operator::Xor);
        // That a sum can be taken back, a type that is not known must promise.
        let promised = !self.values.readable
            && !statement.generated
            && (self.values.names.is_of_unknown_type(place)
                || access(place).is_some_and(|part| self.lent.borrow().contains(&part.root)));
        let shadow = statement.generated && self.values.generic && !self.values.readable;
        let answer = match operator {
            Operator::Accumulate | Operator::Retract => self.added_to(),
            _ => None,
        };
        let operation = |value: &dyn ToTokens| match operator {
            Operator::Multiply => quote_spanned!(span=>
                ::retrograde::num::MultiplicativeGroup::multiply(&mut #place, #value);),
            Operator::Divide => quote_spanned!(span=>
                ::retrograde::num::MultiplicativeGroup::divide(&mut #place, #value);),
            // Numbers that wrap around do so in values, not in gradients.
            Operator::Add if shadow => quote_spanned!(span=>
                ::retrograde::__private::add_to_shadow(&mut #place, #value);),
            Operator::Subtract if shadow => quote_spanned!(span=>
                ::retrograde::__private::subtract_from_shadow(&mut #place, #value);),
            _ if plain && self.is_inferred(place) => {
                let function = match operator {
                    Operator::Add => quote!(add_to),
                    Operator::Subtract => quote!(subtract_from),
                    _ => quote!(xor_into),
                };
                quote_spanned!(span=> ::retrograde::num::#function(&mut #place, #value);)
            }
            Operator::Accumulate | Operator::Retract if !self.values.readable => {
                let accumulate = operator == Operator::Accumulate;
                let function = if accumulate { "add" } else { "subtract" };
                let function = Ident::new(function, span);
                let place = match place {
                    Expr::Unary(_) | Expr::Reference(_) => quote!((#place)),
                    other => other.to_token_stream(),
                };
                match &answer {
                    Some(answer) => {
                        quote_spanned!(span=> #answer.#function(#place.__shadow(), #value);)
                    }
                    None => quote_spanned!(span=> #place.__shadow().#function(#value);),
                }
            }
            Operator::Add | Operator::Subtract if promised => {
                let plus = operator == Operator::Add;
                if self.promises {
                    return quote_spanned!(span=>
                        ::retrograde::__private::Adding(&mut #place).__sum(#value, #plus););
                }
                quote_spanned!(span=> ::retrograde::__private::sum(&mut #place, #value, #plus);)
            }
            Operator::Xor if promised => {
                quote_spanned!(span=> ::retrograde::__private::xor(&mut #place, #value);)
            }
            Operator::Accumulate => quote_spanned!(span=> #place += #value;),
            Operator::Retract => quote_spanned!(span=> #place -= #value;),
            Operator::Add => quote_spanned!(span=> #place += #value;),
            Operator::Subtract => quote_spanned!(span=> #place -= #value;),
            Operator::Xor => quote_spanned!(span=> #place ^= #value;),
        };
        let group = matches!(operator, Operator::Multiply | Operator::Divide);
        if shared || group {
            // The value is taken before its container is borrowed to be written.
            let name = Ident::new("__value", Span::mixed_site());
            if verify {
                // What is read may be what is written: then it has changed now.
                let source = &statement.source;
                let operation = operation(&quote!(::core::clone::Clone::clone(&#name)));
                return quote_spanned!(span=> {
                    #before
                    let #name = #value;
                    #operation
                    ::retrograde::check::still_bound(&#name, &(#value), #source);
                    #after
                });
            }
            let operation = operation(&name);
            quote!({ #before let #name = #value; #operation #after })
        } else {
            let operation = operation(&value);
            match before.is_empty() && after.is_empty() {
                true => operation,
                false => quote!(#before #operation #after),
            }
        }
    }

    /// Whether the type of a place comes from what is added to it.
    fn is_inferred(&self, place: &Expr) -> bool {
        !self.inferred.is_empty()
            && access(place).is_some_and(|place| self.inferred.contains(&place.root))
    }

    fn allocate(&self, ancilla: &Ancilla, statement: &Statement) -> TokenStream {
        let Ancilla { name, ty, value, verify, reused, .. } = ancilla;
        let ty = ty.as_ref().map(|ty| quote!(: #ty));
        let declaration = match value {
            Expr::Macro(call) if *reused => {
                let (element, length) = text::filled_vector(&call.mac).unwrap_or_else(|| {
                    unreachable!("only vectors of one value are reused");
                });
                let (element, length) = (self.values.value(&element), self.values.value(&length));
                quote!(::retrograde::__private::refill(&mut #name, #element, #length);)
            }
            Expr::Call(call) if *reused => {
                let value = &call.args;
                quote!(::retrograde::__private::refill_shadow(&mut #name, #value);)
            }
            value => {
                let value = self.initial(Some(name), value);
                quote!(let mut #name #ty = #value;)
            }
        };
        let scale = verify.then(|| {
            let (scale, span) = (scale_name(name), statement.span);
            if ancilla.proved {
                let extent = extent(name, span);
                return quote_spanned!(span=>
                    let mut #scale = ::retrograde::check::Scale::of_extent(#extent););
            }
            quote_spanned!(span=> let mut #scale = ::retrograde::check::Scale::of(&#name);)
        });
        quote!(#declaration #scale)
    }

    /// What a name is declared as.
    fn initial(&self, name: Option<&Ident>, value: &Expr) -> Expr {
        if self.values.generic && name.is_some_and(|name| self.values.names.is_literal_name(name)) {
            return self.values.purely(value, self.values.unconverted(value));
        }
        let untold = name.is_some_and(|name| self.untold.contains(name));
        let literals = self.values.names.only_number().filter(|_| untold);
        // Without type parameters a literal is what it is for Rust.
        let generic = self.values.generic && (!untold || literals.is_some());
        Values { literals, generic, ..self.values }.value(value)
    }

    fn release(&self, ancilla: &Ancilla, statement: &Statement) -> TokenStream {
        let Ancilla { name, value, proved, looked_at, .. } = ancilla;
        let (scale, span, source) = (scale_name(name), statement.span, &statement.source);
        let trusted = match looked_at {
            true => quote!(#scale.looked_at()),
            false => quote!(#scale),
        };
        let beside = self.beside.iter().filter(|other| **other != name).map(|o| scale_name(o));
        let beside: Vec<Ident> = beside.collect();
        let undone = |elements: bool, method: &str, expected: TokenStream| {
            let (probe, found) = match elements {
                true => (quote!(Elements), quote!(&#name[..])),
                false => (quote!(Probe), quote!(&#name)),
            };
            let method = Ident::new(method, span);
            quote_spanned!(span=> ::retrograde::check::undone(
                (&&::retrograde::__private::#probe(#found))
                    .#method(#expected, #scale.half_the_digits(&[#(#beside),*])),
                #source,
            );)
        };
        // The expected value is compared without being built, where that would
        // take memory that the program did not ask for.
        if let Expr::Macro(call) = value
            && let Some((element, length)) = text::filled_vector(&call.mac)
        {
            let element = self.values.value(&element);
            if *proved {
                return undone(true, "__astray_of", quote!(&(#element), #length));
            }
            return quote_spanned!(span=>
                #trusted.released_filled(&#name, &(#element), #length, #source););
        }
        if let Expr::MethodCall(call) = value {
            let receiver = &call.receiver;
            let copies = ["to_vec", "to_owned", "clone"].iter().any(|m| call.method == m);
            if copies && access(receiver).is_some() {
                let reference = match bare_name(receiver).map(|name| self.values.names.mode(name)) {
                    _ if call.method == "to_vec" => Some(quote!(&(#receiver)[..])),
                    Some(Mode::Shared | Mode::Mutable) => Some(quote!(&*#receiver)),
                    Some(Mode::Unknown) => None,
                    _ => Some(quote!(&#receiver)),
                };
                let found =
                    if call.method == "to_vec" { quote!(&#name[..]) } else { quote!(&#name) };
                if let Some(expected) = reference {
                    return match (*proved, call.method == "to_vec") {
                        (true, true) => undone(true, "__astray_from", expected),
                        (true, false) => undone(false, "__astray", expected),
                        _ => quote_spanned!(span=> #trusted.released(#found, #expected, #source);),
                    };
                }
            }
        }
        let value = self.values.value(value);
        if *proved {
            return undone(false, "__astray", quote!(&(#value)));
        }
        quote_spanned!(span=> #trusted.released(&#name, &(#value), #source);)
    }

    fn branch(
        &self,
        arms: &[Arm],
        otherwise: Option<&Block>,
        statement: &Statement,
    ) -> TokenStream {
        let (span, source) = (statement.span, &statement.source);
        if let ([arm], None) = (arms, otherwise)
            && let Some(builds) = text::some_builds(&arm.pre)
        {
            let body = self.block(&arm.body);
            return quote!(#[cfg(#builds)] { #body });
        }
        let mut failed = TokenStream::new();
        let mut tokens = TokenStream::new();
        for (i, arm) in arms.iter().enumerate() {
            let word = if i == 0 { quote!(if) } else { quote!(else if) };
            let pre = self.values.condition(&arm.pre);
            let body = self.block(&arm.body);
            if !arm.verify {
                tokens.extend(quote!(#word #pre { #body #failed }));
                continue;
            }
            let post = self.values.condition(&arm.post);
            let (span, source) = match i {
                0 => (span, source.to_token_stream()),
                _ => (arm.pre.span(), condition_text(arm).to_token_stream()),
            };
            let check = |expected: bool| {
                quote_spanned!(span=>
                ::retrograde::check::branch(#expected, #post, #source);)
            };
            let taken = check(true);
            tokens.extend(quote!(#word #pre { #body #failed #taken }));
            failed.extend(check(false));
        }
        let body = otherwise.map(|block| self.block(block));
        if body.is_some() || !failed.is_empty() {
            tokens.extend(quote!(else { #body #failed }));
        }
        tokens
    }
}

/// An expression, and before it the indices that read what it lends.
fn hoisted(expr: &Expr, lent: Option<Access>) -> (TokenStream, Expr) {
    let (mut expr, mut count) = (expr.clone(), 0);
    let found = hoist(&mut expr, lent, &mut || {
        count += 1;
        format_ident!("__index_{count}", span = Span::mixed_site())
    });
    let (names, values): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    (quote!(#(let #names = #values;)*), expr)
}

fn bound_name(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Ident(name) => Some(&name.ident),
        _ => None,
    }
}

/// Whether a value is what a function of the library gives.
fn is_call_of(value: &Expr, function: &str) -> bool {
    let Expr::Call(call) = value else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    is_library(value) && path.path.segments.last().is_some_and(|last| last.ident == function)
}

/// A literal or a choice between such, or an array or vector of such.
fn is_made_of_literals(value: &Expr, names: &Names) -> bool {
    made_of_literals(value, &|name| names.is_literal_name(name))
}

/// The same, where some names are known to stand for literals.
pub fn made_of_literals(value: &Expr, known: &dyn Fn(&Ident) -> bool) -> bool {
    let literals = |value: &Expr| made_of_literals(value, known);
    match value {
        Expr::Array(e) => e.elems.iter().all(literals),
        Expr::Repeat(e) => literals(&e.expr),
        Expr::Macro(e) => match (text::filled_vector(&e.mac), text::listed_vector(&e.mac)) {
            (Some((element, _)), _) => literals(&element),
            (_, Some(elements)) => elements.iter().all(literals),
            _ => false,
        },
        other => is_choice_or(other, known),
    }
}

/// The head of a branch that is not the first.
fn condition_text(arm: &Arm) -> String {
    let (pre, post) = (text::of(&arm.pre), text::of(&arm.post));
    if pre == post { format!("else if {pre}") } else { format!("else if ({pre}, {post})") }
}

/// The extent of a place, whatever its type.
fn extent(name: &impl ToTokens, span: Span) -> TokenStream {
    quote_spanned!(span=> (&&::retrograde::__private::Probe(&#name)).__extent())
}

/// The variable that follows the magnitude of another.
pub(crate) fn scale_name(ancilla: &Ident) -> Ident {
    format_ident!("__scale_of_{}", ancilla, span = Span::mixed_site())
}

/// Renames what a pattern binds, to evaluate it a second time.
struct RenameNow;

impl VisitMut for RenameNow {
    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        crate::visit::visit_field_pat_mut(self, field);
        crate::rename::spell_out(field);
    }

    fn visit_pat_ident_mut(&mut self, name: &mut PatIdent) {
        name.ident = format_ident!("__now_{}", name.ident, span = Span::mixed_site());
        crate::visit::visit_pat_ident_mut(self, name);
    }
}
