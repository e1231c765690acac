//! Calls: of the function or its inverse, with arguments that may lie side by
//! side in one container.

use super::Emitter;
use super::mention::after_mention;
use crate::effects::{self, Write, lent_names};
use crate::ir::{Call, Callee, Direction, Statement};
use crate::names::{Mode, Names};
use crate::place::{Access, Overlap, Step, access, bare_name, identifiers, mutable_borrows, reads};
use crate::text;
use crate::visit::VisitMut;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::token::Paren;
use syn::{Expr, PathArguments, parse_quote};

/// An argument `&x[i].a` or `&mut x[i].a`, split at the index that tells it
/// from the other arguments.
struct Element {
    base: Expr,
    index: Expr,
}

impl Emitter<'_> {
    pub(super) fn call(&self, call: &Call, statement: &Statement) -> TokenStream {
        let names = self.values.names;
        let (original, mut call) = (call, call.clone());
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let written = effects::of(statement, names).writes;
        let mut operands = Operands {
            emitter: self,
            statement,
            written: &written,
            count: 0,
            before: &mut before,
            after: &mut after,
        };
        for argument in &mut call.arguments {
            operands.value(argument);
            operands.visit_expr_mut(argument);
        }
        if let Callee::Method { receiver, .. } = &mut call.callee {
            operands.visit_expr_mut(receiver);
        }
        // A receiver may lie in one container with the arguments.
        match &mut call.callee {
            Callee::Method { receiver, .. } if !self.is_shared(receiver) => {
                call.arguments.push(parse_quote!(&mut #receiver));
                self.separate(&mut call.arguments, statement, &mut before);
                if let Some(Expr::Reference(place)) = call.arguments.pop() {
                    *receiver = place.expr;
                }
            }
            _ => self.separate(&mut call.arguments, statement, &mut before),
        }
        let associated = matches!(call.callee, Callee::Method { .. } | Callee::Associated(_));
        if self.values.readable && associated && call.direction == Direction::Pullback {
            // The form for people takes the gradient first.
            call.arguments.rotate_right(1);
        }
        let mut arguments: Vec<Expr> = call
            .arguments
            .iter()
            .enumerate()
            .map(|(i, argument)| {
                // What takes the gradient back does so once.
                let once = i == 0 && call.direction == Direction::Backward;
                if once { argument.clone() } else { self.values.argument(argument) }
            })
            .collect();
        self.lent_fields(original, &mut arguments, &mut before);
        let call = self.callee(&call, &arguments);
        if before.is_empty() && after.is_empty() {
            quote!(#call;)
        } else {
            quote!({ #before #call; #after })
        }
    }

    /// Whether a place is borrowed with `&` only.
    fn is_shared(&self, place: &Expr) -> bool {
        access(place).is_some_and(|a| self.values.names.mode(&a.root) == Mode::Shared)
    }

    fn callee(&self, call: &Call, arguments: &[Expr]) -> TokenStream {
        match &call.callee {
            Callee::Value(name) => {
                let span = name.span();
                let (adjoint, method) = match call.direction {
                    Direction::Forward => (false, "call"),
                    Direction::Inverse => (false, "call_inverse"),
                    Direction::Adjoint => (true, "call_adjoint"),
                    _ => (true, "call_inverse_adjoint"),
                };
                let owner = Ident::new(if adjoint { "Adjoint" } else { "Reversible" }, span);
                let method = Ident::new(method, span);
                let lent = arguments.iter().map(|argument| match bare_name(argument) {
                    Some(name) if self.values.names.mode(name) == Mode::Mutable => {
                        quote!(&mut *#name)
                    }
                    _ => argument.to_token_stream(),
                });
                quote_spanned!(span=> ::retrograde::#owner::#method(&#name, (#(#lent,)*)))
            }
            Callee::Method { receiver, name, turbofish } => {
                let name = self.associated(name, call.direction);
                let place = crate::place::is_written(receiver) || self.values.readable;
                let receiver =
                    if place { (**receiver).clone() } else { self.values.receiver(receiver) };
                let receiver = if self.values.readable {
                    receiver
                } else {
                    self.tied(call, receiver, arguments)
                };
                let arguments = within(call.parentheses, arguments);
                let called = quote!(#receiver.#name #turbofish #arguments);
                if call.direction == Direction::Inverse && !self.values.readable {
                    return quote!(#[allow(unreachable_code, clippy::empty_loop)] { #called });
                }
                called
            }
            Callee::Associated(path) => {
                let mut path = path.clone();
                if let Some(last) = path.path.segments.last_mut() {
                    last.ident = self.associated(&last.ident, call.direction);
                }
                let arguments = within(call.parentheses, arguments);
                quote!(#path #arguments)
            }
            Callee::Function(path) if self.values.readable => match self.function(call.direction) {
                Some(function) => {
                    let (path, function, turbofish) = split_path(path, function);
                    quote!(#path::#function #turbofish (#(#arguments),*))
                }
                None => quote!(#path(#(#arguments),*)),
            },
            Callee::Function(path) => {
                let other = self.function(call.direction);
                // The user's own parentheses, where the arguments are the user's own.
                let own = (call.direction == Direction::Inverse).then_some(call.parentheses);
                let called = other.map(|function| companion(path, function, arguments, own));
                let Some(name) = prelude_name(path) else {
                    let as_written = written(path, arguments, call.parentheses);
                    return match called {
                        None => as_written,
                        Some(called) if call.direction == Direction::Inverse => {
                            let called = after_mention(as_written, called);
                            quote!(#[allow(unreachable_code, clippy::empty_loop)] { #called })
                        }
                        Some(called) => called,
                    };
                };
                let callee = Ident::new("callee", Span::mixed_site());
                let tied = quote_spanned!(name.span()=>
                    ::retrograde::__private::tied::<#name, _>(&#callee););
                let Some(called) = called else {
                    return quote!({ let #callee = #path; #tied #callee(#(#arguments),*) });
                };
                // Each value is followed by its shadow, if there are gradients.
                let step = if call.direction == Direction::Inverse { 1 } else { 2 };
                let values = arguments.iter().step_by(step);
                quote!({
                    let #callee = #path;
                    #tied
                    // Tells the types.
                    if false {
                        #callee(#(#values),*);
                        ::core::unreachable!();
                    }
                    #called
                })
            }
        }
    }

    /// The name of an associated function in some direction.
    pub(super) fn associated(&self, name: &Ident, direction: Direction) -> Ident {
        match self.function(direction) {
            None => name.clone(),
            Some(function) => crate::item::method_named(name, function, name.span()),
        }
    }

    /// What the function for a direction is called. Those with gradients are
    /// called in a form in which every argument has a shadow.
    fn function(&self, direction: Direction) -> Option<&'static str> {
        let (function, hidden) = match direction {
            Direction::Forward => return None,
            Direction::Inverse => return Some("inverse"),
            Direction::Adjoint => ("adjoint", "__adjoint"),
            Direction::InverseAdjoint => ("inverse_adjoint", "__inverse_adjoint"),
            // People need not tell it from the adjoint.
            Direction::Gradient => ("adjoint", "__gradient"),
            Direction::Pullback => ("pullback", "__pullback"),
            Direction::Backward => ("pullback", "__backward"),
        };
        Some(if self.values.readable { function } else { hidden })
    }

    /// Borrows several elements of one container at once, from the outermost one on, and
    /// once an element of which several fields are borrowed.
    fn separate(&self, arguments: &mut [Expr], statement: &Statement, before: &mut TokenStream) {
        let (mut group, mut imported) = (0, false);
        // Each round takes a step off at least two places.
        let rounds: usize = places(arguments).map(|(_, _, place)| place.path.len()).sum();
        while group < rounds
            && let Some((depth, by_index, first)) = divergence(arguments)
        {
            // An element, and in a container what is beside it.
            let members: Vec<(usize, Element)> = places(arguments)
                .filter(|(_, _, place)| {
                    let begins = |steps: usize| place.path.get(..steps) == first.path.get(..steps);
                    place.root == first.root && begins(if by_index { depth } else { depth + 1 })
                })
                .filter_map(|(argument, _, place)| {
                    let (base, index) = split(&place.expr, place.path.len() - depth)?;
                    Some((argument, Element { base, index }))
                })
                .collect();
            // Equal indices are one shared read.
            let mut indices: Vec<&Expr> = Vec::new();
            let mut written: Vec<bool> = Vec::new();
            for (argument, member) in &members {
                let position = indices.iter().position(|known| **known == member.index);
                let position = position.unwrap_or_else(|| {
                    indices.push(&member.index);
                    written.push(false);
                    indices.len() - 1
                });
                written[position] |= is_lent_to_be_written(&arguments[*argument]);
            }
            let base = &members[0].1.base;
            let names: Vec<Ident> = (0..indices.len())
                .map(|i| format_ident!("__place_{group}_{i}", span = Span::mixed_site()))
                .collect();
            // An element beside ranges is a range of one.
            let mixed = indices.iter().any(|index| matches!(index, Expr::Range(_)));
            if by_index {
                if !std::mem::replace(&mut imported, true) {
                    before.extend(quote!(
                        use ::retrograde::place::Separate as _;
                    ));
                }
                let length = format_ident!("__length_{group}", span = Span::mixed_site());
                if indices.iter().any(|index| matches!(index, Expr::Range(e) if e.end.is_none())) {
                    before.extend(quote!(let #length = #base.len();));
                }
                let indices = indices.iter().map(|index| bounded(index, &length, mixed)).collect();
                before.extend(borrowed(base, &names, indices, &written, mixed, statement));
            } else {
                before.extend(quote!(#(let #names = &mut #base[#indices];)*));
            }
            for (argument, member) in &members {
                let Element { base, index } = member;
                let position = indices.iter().position(|other| *other == index);
                let name = &names[position.expect("collected above")];
                let from: Expr = parse_quote!(#base[#index]);
                let element = by_index && mixed && !matches!(index, Expr::Range(_));
                let to = if element { parse_quote!((*#name)[0]) } else { parse_quote!((*#name)) };
                Replace { from, to }.visit_expr_mut(&mut arguments[*argument]);
            }
            group += 1;
        }
    }

    /// Whether two accesses of one statement meet, or the check that tells.
    pub(super) fn apart(&self, a: &Access, b: &Access, statement: &Statement) -> Apart {
        apart(a, b, statement, self.values.names)
    }
}

/// Whether two accesses, one by a statement, meet, or the check that tells.
pub fn apart(a: &Access, b: &Access, statement: &Statement, names: &Names) -> Apart {
    if !statement.checked || names.overlap_as_written(a, b) != Overlap::Maybe {
        return Apart::Known;
    }
    // What a method or a view gives cannot be looked at twice at once.
    if [a, b].iter().any(|access| access.path.contains(&Step::Part)) {
        return Apart::Unknown;
    }
    let plain = names.plain(&a.root);
    let mut by_index = true;
    let mut pairs = Vec::new();
    for (depth, (a, b)) in a.path.iter().zip(&b.path).enumerate() {
        match (a, b) {
            (Step::Index(a), Step::Index(b)) => {
                by_index &= depth < plain;
                if a != b {
                    pairs.push((a, b));
                }
            }
            (a, b) if a == b => {}
            _ => return Apart::Unknown,
        }
    }
    if a.path.len().min(b.path.len()) < a.path.len().max(b.path.len())
        && [a, b].iter().any(|access| access.path.contains(&Step::Shape))
    {
        return Apart::Unknown;
    }
    let (left, right): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let (source, span) = (&statement.source, statement.span);
    let (left, right) = match (&left[..], &right[..]) {
        ([], []) => return Apart::Unknown,
        ([a], [b]) => (quote!(#a), quote!(#b)),
        _ => (quote!((#(#left),*)), quote!((#(#right),*))),
    };
    if by_index {
        let check = quote_spanned!(span=> ::retrograde::place::apart);
        return Apart::Checked(quote_spanned!(span=> #check(&(#left), &(#right), #source);));
    }
    // In a container of unknown kind, different indices may be one element.
    let (a, b) = (&a.expr, &b.expr);
    let check = quote_spanned!(span=> ::retrograde::place::distinct);
    Apart::Checked(quote_spanned!(span=> #check(&(#a), &(#b), &(#left), &(#right), #source);))
}

/// The arguments in the parentheses that the user wrote.
pub(super) fn within(parentheses: Paren, arguments: &[Expr]) -> TokenStream {
    let mut tokens = TokenStream::new();
    parentheses.surround(&mut tokens, |inside| inside.extend(quote!(#(#arguments),*)));
    tokens
}

/// `g(…)` as the user wrote it. Of a path of several names, what [`companion`] imports is called:
/// where there is nothing by it, rustc says that of an import and of a call in different words.
fn written(path: &syn::ExprPath, arguments: &[Expr], parentheses: Paren) -> TokenStream {
    let passed = within(parentheses, arguments);
    if path.path.get_ident().is_some() || !(1..=26).contains(&arguments.len()) {
        return quote!(#path #passed);
    }
    let (path, function, turbofish) = split_path(path, "written");
    let Import { import, name } = import(&path, function.span());
    quote!({ #import #name #turbofish #passed })
}

/// A function by a name of its own, which stands for its companion type, too.
struct Import {
    import: TokenStream,
    name: Ident,
}

fn import(path: &syn::ExprPath, span: Span) -> Import {
    let written = path.path.segments.last().map_or(span, |last| last.ident.span());
    // All imports of one name are one to rustc.
    let imported = Ident::new("Callee", written);
    let import = quote_spanned! {span=>
        #[allow(unused_imports)]
        use #path as #imported;
    };
    Import { import, name: Ident::new("Callee", span) }
}

/// `g::inverse(…)`. Where `g` has no companion type, a glob import stands
/// in for it, whose `inverse` asks for a trait that explains what is missing.
/// Where there is no `g` at all, the import finds a function by that name.
pub fn companion(
    path: &syn::ExprPath,
    function: &str,
    arguments: &[Expr],
    parentheses: Option<Paren>,
) -> TokenStream {
    let (path, mut function, turbofish) = split_path(path, function);
    let span = function.span();
    let written = path.path.segments.last().map_or(span, |last| last.ident.span());
    // As if the user had written it, so that an error says nothing of macros.
    if parentheses.is_some() {
        function.set_span(written);
    }
    let passed = within(parentheses.unwrap_or_else(|| Paren(span)), arguments);
    // Nothing of that name can be called or imported, as rustc says.
    let is_keyword = path
        .path
        .get_ident()
        .is_some_and(|name| ["crate", "self", "super"].into_iter().any(|keyword| name == keyword));
    if is_keyword || !(1..=26).contains(&arguments.len()) {
        return quote_spanned!(span=> #path::#function #turbofish #passed);
    }
    let arity = format_ident!("arguments_{}", arguments.len());
    if prelude_name(&path).is_some() {
        // A function of the user's by such a name hides that of the prelude, but not where it
        // is imported by its name.
        return quote_spanned!(span=> {
            #[allow(unused_imports)]
            use ::retrograde::__private::no_inverse::#arity::*;
            #path::#function #turbofish #passed
        });
    }
    let Import { import, name } = import(&path, function.span());
    let mentioned = |name: &&Ident| {
        arguments.iter().any(|a| identifiers(&a.to_token_stream()).iter().any(|i| i == *name))
    };
    let alone = path.path.get_ident().filter(|name| !mentioned(name));
    let found = alone.map(|name| quote_spanned!(span=> , missing as #name));
    quote_spanned!(span=> {
        #[allow(unused_imports)]
        use ::retrograde::__private::no_inverse::{#arity::* #found};
        #import
        #name::#function #turbofish #passed
    })
}

/// The name of a function that is perhaps the prelude's. One of the user's hides the function
/// by that name, but hides the type that has its inverse only if it has such a type itself: so
/// a call makes sure that they belong together.
fn prelude_name(path: &syn::ExprPath) -> Option<&Ident> {
    const NAMES: [&str; 14] = [
        "add_constant",
        "conj",
        "dec",
        "flip",
        "hadamard",
        "inc",
        "inv",
        "neg",
        "rot",
        "rotate_left",
        "rotate_right",
        "sub_constant",
        "swap",
        "unrot",
    ];
    let alone = path.path.leading_colon.is_none() && path.path.segments.len() == 1;
    let name = &path.path.segments.first().filter(|_| alone)?.ident;
    text::is_one_of(name, &NAMES).then_some(name)
}

/// `g`, its function, and `::<T>`.
fn split_path(
    path: &syn::ExprPath,
    function: &str,
) -> (syn::ExprPath, Ident, Option<syn::AngleBracketedGenericArguments>) {
    let mut path = path.clone();
    let Some(last) = path.path.segments.last_mut() else {
        return (path, Ident::new(function, Span::mixed_site()), None);
    };
    // Of the same making as the arguments, so that errors point at the callee.
    let span = Span::call_site().located_at(last.ident.span());
    let turbofish = match std::mem::replace(&mut last.arguments, PathArguments::None) {
        PathArguments::AngleBracketed(mut generics) => {
            generics.colon2_token = Some(Default::default());
            Some(generics)
        }
        _ => None,
    };
    (path, Ident::new(function, span), turbofish)
}

/// What is known of two accesses.
pub enum Apart {
    /// All that is to be known.
    Known,
    /// A check before the statement tells.
    Checked(TokenStream),
    /// Only afterwards can be seen whether one changed the other.
    Unknown,
}

/// Takes what a call reads of what it may write before the call, and looks
/// afterwards whether it is the same still: values and indices.
struct Operands<'a, 'e> {
    emitter: &'a Emitter<'e>,
    statement: &'a Statement,
    written: &'a [Write],
    count: usize,
    before: &'a mut TokenStream,
    after: &'a mut TokenStream,
}

impl Operands<'_, '_> {
    /// An argument that is a value, or a reference to one: `&(x[j] + 1.0)`.
    fn value(&mut self, argument: &mut Expr) {
        let lent_out = matches!(argument, Expr::Reference(_));
        let value = match argument {
            Expr::Reference(e) if e.mutability.is_some() || access(&e.expr).is_some() => return,
            Expr::Reference(e) => &mut *e.expr,
            other => other,
        };
        let names = self.emitter.values.names;
        let lent = |name: &Ident| names.mode(name) == Mode::Mutable;
        let handed = bare_name(value).is_some() || lent_names(value).iter().any(lent);
        if handed || !mutable_borrows(value).is_empty() {
            self.follow(value);
        } else {
            self.hoist(value, lent_out);
        }
    }

    /// An operand that must be evaluated in its place: what it reads is looked at
    /// before and after.
    fn follow(&mut self, value: &Expr) {
        let names = self.emitter.values.names;
        let (lent, borrowed) = (lent_names(value), mutable_borrows(value));
        for read in reads(value) {
            let touched =
                |write: &Write| names.overlap_as_written(&write.access, &read) != Overlap::Never;
            let own = lent.contains(&read.root)
                || bare_name(&read.expr).is_some()
                || borrowed.iter().any(|place| place.expr == read.expr);
            if !own && self.statement.checked && self.written.iter().any(touched) {
                let (before, after) = look_twice(&read.expr, self.count, self.statement);
                self.count += 1;
                self.before.extend(before);
                self.after.extend(after);
            }
        }
    }

    /// `lent`: whether a reference to the value is passed, not the value.
    fn hoist(&mut self, value: &mut Expr, lent: bool) {
        let names = self.emitter.values.names;
        let read = reads(value);
        let mut shared = false;
        let mut verify = false;
        for (write, read) in self.written.iter().flat_map(|w| read.iter().map(move |r| (w, r))) {
            shared |= write.access.root == read.root;
            if names.overlap_as_written(&write.access, read) == Overlap::Never {
                continue;
            }
            match self.emitter.apart(&write.access, read, self.statement) {
                // Better before than afterwards, where it is sure to be written.
                Apart::Checked(check) if write.certain => self.before.extend(check),
                _ => verify = true,
            }
        }
        if !shared {
            return;
        }
        let (source, span) = (&self.statement.source, self.statement.span);
        let name = format_ident!("__operand_{}", self.count, span = Span::mixed_site());
        self.count += 1;
        let emitted = self.emitter.values.argument(value);
        self.before.extend(quote!(let #name = #emitted;));
        if self.statement.checked && verify {
            self.after.extend(quote_spanned!(span=>
                ::retrograde::check::still_bound(&#name, &(#emitted), #source);
            ));
            *value = if lent {
                parse_quote!(#name)
            } else {
                parse_quote!(::core::clone::Clone::clone(&#name))
            };
        } else {
            *value = parse_quote!(#name);
        }
    }
}

/// Statements that look at a place before and after another statement.
pub(super) fn look_twice(
    place: &Expr,
    number: usize,
    statement: &Statement,
) -> (TokenStream, TokenStream) {
    let name = format_ident!("__seen_{number}", span = Span::mixed_site());
    let (source, span) = (&statement.source, statement.span);
    (
        quote_spanned!(span=> let #name = ::core::clone::Clone::clone(&(#place));),
        quote_spanned!(span=> ::retrograde::check::still_bound(&#name, &(#place), #source);),
    )
}

impl VisitMut for Operands<'_, '_> {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        self.visit_expr_mut(&mut call.receiver);
        // The way to a place, `g.at_mut(i)`.
        if crate::place::lends(&call.method.to_string()) {
            for argument in &mut call.args {
                if bare_name(argument).is_none() && mutable_borrows(argument).is_empty() {
                    self.hoist(argument, false);
                }
            }
        }
    }

    fn visit_expr_index_mut(&mut self, e: &mut syn::ExprIndex) {
        self.visit_expr_mut(&mut e.expr);
        match &mut *e.index {
            Expr::Range(range) => {
                for end in [&mut range.start, &mut range.end].into_iter().flatten() {
                    self.hoist(end, false);
                }
            }
            index if bare_name(index).is_none() => self.hoist(index, false),
            _ => {}
        }
    }
}

/// Borrows several elements or several ranges of a container at once. Ranges that are only read
/// may meet.
fn borrowed(
    base: &Expr,
    names: &[Ident],
    indices: Vec<TokenStream>,
    written: &[bool],
    mixed: bool,
    statement: &Statement,
) -> TokenStream {
    let (source, span) = (&statement.source, statement.span);
    let of = |which: bool| {
        let all = names.iter().zip(&indices).zip(written);
        all.filter(|(_, written)| **written == which).map(|(place, _)| place).unzip()
    };
    let (read, read_ranges): (Vec<&Ident>, Vec<&TokenStream>) = of(false);
    if !mixed || read.len() < 2 {
        return quote_spanned!(span=>
            let [#(#names),*] = #base.separate([#(#indices),*], #source);
        );
    }
    let (lent, lent_ranges): (Vec<&Ident>, Vec<&TokenStream>) = of(true);
    let parts = Ident::new("__parts", Span::mixed_site());
    let within = Ident::new("__within", Span::mixed_site());
    quote_spanned!(span=>
        let ([#(#read),*], #within) = ::retrograde::place::joined(
            &[#(#lent_ranges),*], [#(#read_ranges),*], #source);
        let [#(#lent,)* #(#read),*] = #base.separate([#(#lent_ranges,)* #(#read),*], #source);
        let #parts = [#(&*#read),*];
        let [#(#read),*] = #within.map(|(part, range)| &#parts[part][range]);
    )
}

/// An index as written, but a range with both of its ends, so that all ranges
/// are of one type.
fn bounded(index: &Expr, length: &Ident, mixed: bool) -> TokenStream {
    let Expr::Range(range) = index else {
        return if mixed { quote!(#index..#index + 1) } else { quote!(#index) };
    };
    let start = range.start.as_ref().map_or(quote!(0), |start| quote!(#start));
    match (&range.end, &range.limits) {
        (None, _) => quote!(#start..#length),
        (Some(end), syn::RangeLimits::HalfOpen(_)) => quote!(#start..#end),
        (Some(end), syn::RangeLimits::Closed(_)) => quote!(#start..#end + 1),
    }
}

fn is_lent_to_be_written(argument: &Expr) -> bool {
    matches!(argument, Expr::Reference(e) if e.mutability.is_some())
}

/// The arguments that are references to places, and whether they may be written.
fn places(arguments: &[Expr]) -> impl Iterator<Item = (usize, bool, Access)> {
    arguments.iter().enumerate().filter_map(|(i, argument)| match argument {
        Expr::Reference(e) => Some((i, is_lent_to_be_written(argument), access(&e.expr)?)),
        _ => None,
    })
}

/// Where two of the arguments, one of which may be written, first take different ways that
/// Rust cannot tell apart: by an index, or by fields of an element. Gives the depth of the
/// index, whether it is what differs, and one of the two places.
fn divergence(arguments: &[Expr]) -> Option<(usize, bool, Access)> {
    let places: Vec<_> = places(arguments).collect();
    let mut found: Option<(usize, usize, bool, &Access)> = None;
    for (i, (_, mutable, place)) in places.iter().enumerate() {
        for (_, other_mutable, other) in &places[i + 1..] {
            if !(*mutable || *other_mutable) || place.root != other.root {
                continue;
            }
            let mut steps = place.path.iter().zip(&other.path);
            let Some(differs) = steps.position(|(a, b)| a != b) else { continue };
            let index = |step: &Step| matches!(step, Step::Index(_));
            let (depth, by_index) = match (&place.path[differs], &other.path[differs]) {
                (Step::Index(_), Step::Index(_)) => (differs, true),
                (Step::Field(_), Step::Field(_)) => {
                    match place.path[..differs].iter().rposition(index) {
                        Some(depth) => (depth, false),
                        None => continue,
                    }
                }
                _ => continue,
            };
            let splits = [place, other]
                .iter()
                .all(|place| split(&place.expr, place.path.len() - depth).is_some());
            if splits && found.is_none_or(|(known, ..)| differs < known) {
                found = Some((differs, depth, by_index, place));
            }
        }
    }
    found.map(|(_, depth, by_index, place)| (depth, by_index, place.clone()))
}

/// The place before, and the index at, the step that is `from_end` steps before
/// the end.
fn split(place: &Expr, from_end: usize) -> Option<(Expr, Expr)> {
    match place {
        Expr::Paren(e) => split(&e.expr, from_end),
        Expr::Unary(e) => split(&e.expr, from_end),
        Expr::Field(e) => split(&e.base, from_end.checked_sub(1)?),
        Expr::Index(e) if from_end == 1 => Some(((*e.expr).clone(), (*e.index).clone())),
        Expr::Index(e) => split(&e.expr, from_end.checked_sub(1)?),
        _ => None,
    }
}

/// Puts an expression where another one is.
pub(super) struct Replace {
    pub from: Expr,
    pub to: Expr,
}

impl VisitMut for Replace {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if *expr == self.from {
            *expr = self.to.clone();
        } else {
            crate::visit::visit_expr_mut(self, expr);
        }
    }
}
