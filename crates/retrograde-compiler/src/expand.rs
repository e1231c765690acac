//! The entry: from an annotated function to its directions.

use crate::added::{ADDS_TO, AddedTo, Answer};
use crate::adjoint::{self, Shadowed};
use crate::attribute::{Annotated, Marks, is_ours, parse_marks};
use crate::check;
use crate::companion::Companion;
use crate::decide::{self, Lent, Whole};
use crate::device;
use crate::diagnostics::Diagnostics;
use crate::differentiate::{Arguments, differentiate};
use crate::effects;
use crate::emit::{self, Manner};
use crate::gradient;
use crate::groups;
use crate::invert::invert;
use crate::ir::{Block, Callee, Function, Kind};
use crate::item::{self, Member};
use crate::kinds::{self, Kinds, Parameters};
use crate::looks::{DECIDES, LOOKS, Looks};
use crate::matching;
use crate::mixed;
use crate::names::Names;
use crate::optimise::{self, Passes};
use crate::parse;
use crate::place;
use crate::pure;
use crate::table::NameSet;
use crate::text::is_one_of;
use crate::undone;
use crate::unused::Unused;
use crate::views;
use crate::visit::Visit;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, FnArg, Pat, ReturnType, Signature, Stmt, TraitItemFn, Visibility};

/// What can be switched from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// No run-time checks, as if the function carried `#[unchecked]`.
    pub unchecked: bool,
    /// Code for people: without what only serves the compiler's diagnostics.
    pub readable: bool,
    /// For a device, which has no memory to keep decisions in.
    pub device: bool,
}

/// The directions of a function that passed all checks.
pub struct Directions {
    /// The function, as parsed and checked.
    pub function: Function,
    /// Its inverse, as a body.
    pub inverse: Option<Block>,
    /// The two with gradients; `None` for a function that has only an inverse.
    pub gradients: Option<Gradients>,
    /// The function and its inverse, ready for the last passes.
    prepared: Option<[Block; 2]>,
    /// What the names of the function stand for.
    pub names: Names,
    /// What the types of the arguments are, without and with shadows.
    kinds: [Kinds; 2],
    options: Options,
    passes: Passes,
    fused: bool,
    /// The adjoint for gradients alone, after the last passes: asked for twice.
    alone: OnceCell<Option<Block>>,
    /// Whether there are types that are promised to be undone.
    promises: bool,
    /// What the text does not use.
    unused: Option<Unused>,
    /// On which arguments it decides going back.
    decides: Looks,
}

/// The adjoint of a function, and that of its inverse.
pub struct Gradients {
    /// Their signature.
    pub shadowed: Shadowed,
    /// The inverse with gradients.
    pub adjoint: Option<Block>,
    /// The function with gradients.
    pub inverse_adjoint: Option<Block>,
    /// Both ways in one call, where the second must recall decisions of the first.
    there_and_back: Option<ThereAndBack>,
    /// The names in the two.
    names: [Names; 2],
}

/// A function and its adjoint, one after the other.
struct ThereAndBack {
    /// Declares what is kept of the first for the second.
    records: Block,
    there: Block,
    /// Tells what is kept that from here on it goes back.
    turns: Block,
    back: Block,
    /// The names in each.
    names: [Names; 2],
}

/// One of a function's directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The function.
    Forward,
    /// Its inverse.
    Inverse,
    /// Its adjoint.
    Adjoint,
    /// The adjoint of its inverse.
    InverseAdjoint,
    /// Its adjoint, where only the gradients are looked at.
    Gradient,
}

/// `#[reversible]`.
pub fn reversible(attribute: TokenStream, item: TokenStream, options: Options) -> TokenStream {
    let item = groups::as_meant(item);
    let fallback = item.clone();
    let result = syn::parse2::<Annotated>(item).and_then(|annotated| {
        let Annotated { vis, function } = annotated;
        let marks = parse_marks(attribute)?;
        let directions = compile(vis.clone(), function.clone(), marks.clone(), options)?;
        let device = marks.gpu.then(|| {
            let compiled = compile_for_device(vis, function, marks, options);
            compiled.and_then(|compiled| device::reversible(&compiled)).unwrap_or_else(|error| {
                let error = error.into_compile_error();
                let function = &directions.function;
                let nothing = (!function.associated)
                    .then(|| device::nothing(&function.signature.ident, &function.attributes));
                quote!(#error #nothing)
            })
        });
        let directions = directions.emit();
        Ok(quote!(#directions #device))
    });
    match result {
        Ok(items) => items,
        Err(error) => {
            let error = error.into_compile_error();
            let stub = stub(fallback, options);
            quote!(#error #stub)
        }
    }
}

/// The function as the device stage takes it: where nothing is kept, and loops stay as
/// they are written.
pub fn compile_for_device(
    visibility: Visibility,
    function: TraitItemFn,
    mut marks: Marks,
    options: Options,
) -> syn::Result<Directions> {
    marks.passes.reuse = false;
    marks.passes.fusion = false;
    let options = Options { readable: true, device: true, ..options };
    compile(visibility, function, marks, options)
}

/// `#[unchecked]` above `#[reversible]`: moves it below.
pub fn unchecked(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let item = groups::as_meant(item);
    let parse = |input: ParseStream| -> syn::Result<(Vec<Attribute>, TokenStream)> {
        Ok((input.call(Attribute::parse_outer)?, input.parse()?))
    };
    let reversible = |attribute: &Attribute| {
        attribute.path().segments.last().is_some_and(|segment| segment.ident == "reversible")
    };
    match parse.parse2(item.clone()) {
        Ok((attributes, rest)) if attribute.is_empty() && attributes.iter().any(reversible) => {
            quote!(#(#attributes)* #[unchecked] #rest)
        }
        _ => misplaced(
            item,
            "`#[unchecked]` drops the checks of a reversible function or of its statements\n\
             help: put it beside `#[reversible]`, or on a statement inside, without arguments",
        ),
    }
}

/// `#[compute]` outside of a reversible function.
pub fn compute_outside(item: TokenStream) -> TokenStream {
    misplaced(
        item,
        "`#[compute]` stands on a block of a reversible function\n\
         help: put `#[reversible]` on the function",
    )
}

fn misplaced(item: TokenStream, message: &str) -> TokenStream {
    let error = syn::Error::new(Span::call_site(), message).into_compile_error();
    quote!(#error #item)
}

/// Runs the stages up to differentiation.
pub fn compile(
    visibility: Visibility,
    function: TraitItemFn,
    marks: Marks,
    options: Options,
) -> syn::Result<Directions> {
    let mut diagnostics = Diagnostics::default();
    let TraitItemFn { mut attrs, mut sig, default, .. } = function;
    let before = attrs.len();
    attrs.retain(|attribute| !is_ours(attribute, "unchecked"));
    let checked = before == attrs.len() && !options.unchecked;
    item::check_signature(&sig, &mut diagnostics);
    let mut constants = take_argument_attributes(&mut sig);
    let associated = marks.associated || default.is_none() || mentions_self(&sig, default.as_ref());
    let values: HashSet<Ident> = item::argument_names(&sig).into_iter().cloned().collect();
    let mut used = place::names_in(&sig, default.as_ref());
    let mut items = Vec::new();
    let mut names = Names::default();
    let unused = default.as_ref().map(|block| Unused::of(&sig, block));
    if let Some(block) = &default {
        mixed::check(&sig, block, &mut diagnostics);
    }
    let body = default.map(|mut block| {
        let result = matches!(block.stmts.last(), Some(Stmt::Expr(_, None)));
        if result && !matches!(sig.output, ReturnType::Default) {
            // Reported with the return type.
            block.stmts.pop();
        }
        matching::rewrite(&sig, &mut block, &mut used, &mut diagnostics);
        let parsed = parse::body(
            &block,
            checked,
            &values,
            &pure::of_own_types(&sig),
            &mut used,
            &mut diagnostics,
        );
        items = parsed.items;
        items.extend(undone::promises(&marks.undoable, !marks.inverse_only));
        constants.extend(parsed.constants);
        attrs.extend(parsed.lints);
        let mut body = parsed.block;
        names = Names::of(&sig, &body);
        matching::only_look(&mut body, &names);
        if views::resolve(&mut body, &names, &constants, &mut diagnostics) {
            names = Names::of(&sig, &body);
        }
        check::check(&sig, &mut body, &names, &mut diagnostics);
        body
    });
    diagnostics.finish()?;
    let mut diagnostics = Diagnostics::default();
    let mut plain = Kinds::of(&sig, associated, &constants);
    if marks.inverse_only {
        plain = plain.without_derivatives();
    }
    let mut whole = None;
    let body = body.map(|mut body| {
        if !options.device
            && let Some(mut paired) = decide::pair(&body, &names)
            && decide::keep(&mut paired.clone(), &names, &mut plain.clone(), &mut used.clone())
        {
            std::mem::swap(&mut body, &mut paired);
        }
        if !(options.device || associated || marks.inverse_only) {
            let kept = decide::keep_whole(&body, &names, &mut plain, &mut used);
            whole = kept.map(|whole| {
                let all: Block = whole.records.iter().chain(&whole.body).cloned().collect();
                let names = Names::of(&sig, &all);
                let back = invert(&whole.body);
                // Its own decisions are kept; those of what it calls are not.
                let watched = decide::watch(&back, &names, &plain, Lent::default(), &mut used);
                (names, whole, watched.map_or(back, |watched| watched.block))
            });
        }
        if !options.device && decide::keep(&mut body, &names, &mut plain, &mut used) {
            names = Names::of(&sig, &body);
        }
        body
    });
    let inverse = body.as_ref().map(|body| invert(body));
    let mut kinds = [plain.clone(), plain];
    let mut decides = Looks::default();
    let prepared = body.as_ref().zip(inverse.as_ref()).map(|(body, inverse)| {
        let watched = match options.device {
            true => None,
            false => {
                // People read what is decided as it is written.
                let places = match options.readable {
                    true => HashMap::new(),
                    false => decide::lent(&sig, &kinds[0]),
                };
                let function = (!associated).then(|| sig.ident.clone());
                let (alone, readable) = (items.is_empty(), options.readable);
                let lent = Lent { places, function, alone, readable, told: None };
                decide::watch(inverse, &names, &kinds[0], lent, &mut used)
            }
        };
        let watched = watched.map(|watched| {
            decides = watched.decides;
            watched.block
        });
        let inverse = watched.as_ref().unwrap_or(inverse);
        let prepared = [body, inverse].map(|block| optimise::prepare(block, &names));
        match options.readable || options.device {
            true => prepared,
            false => prepared.map(|block| optimise::mark_what_leans(&block)),
        }
    });
    let gradients = (!marks.inverse_only).then(|| {
        let shadowed = adjoint::shadowed(&sig, &mut used, &constants);
        let hidden = Kinds::of(&shadowed.hidden, associated, &constants);
        kinds[1] = hidden.with_literals_of(&kinds[0]);
        let functions = values
            .iter()
            .filter_map(|name| Some((name.clone(), adjoint::activity(&sig, &constants, name)?)))
            .collect();
        let arguments = Arguments {
            shadows: shadowed.shadows.clone(),
            kinds: kinds[0].clone(),
            used,
            constants,
            functions,
            passes: marks.passes,
            // People read functions and branches as they are written.
            keeping: marks.passes.sharing && !options.readable,
            pure: false,
        };
        let with_fields = RefCell::<NameSet>::default();
        let mut with_gradient = |block: &Block, names: &Names| {
            if !shadowed.active {
                // The adjoint is the inverse.
                return block.clone();
            }
            let (block, gradients) =
                differentiate(block, names, arguments.clone(), &mut diagnostics);
            with_fields.borrow_mut().append(gradients);
            block
        };
        let with_shadows = |block: &Block| {
            Names::of(&shadowed.hidden, block)
                .with_shadows(&shadowed.shadows)
                .with_gradients(&with_fields.borrow(), marks.gpu)
        };
        let [inverse_adjoint, adjoint] = match &prepared {
            Some(blocks) => blocks.each_ref().map(|block| Some(with_gradient(block, &names))),
            None => [None, None],
        };
        let there_and_back = whole.filter(|_| shadowed.active).map(|(names, whole, back)| {
            let there = optimise::prepare(&whole.body, &names);
            let back = optimise::mark_what_leans(&optimise::prepare(&back, &names));
            let back = with_gradient(&back, &names);
            let all: Block = whole.records.iter().chain(&back).cloned().collect();
            let names = [names, with_shadows(&all)];
            let Whole { records, turns, .. } = whole;
            ThereAndBack { records, there, turns, back, names }
        });
        let names = [&adjoint, &inverse_adjoint].map(|block| match block {
            Some(block) => with_shadows(block),
            None => Names::default(),
        });
        Gradients { shadowed, adjoint, inverse_adjoint, there_and_back, names }
    });
    // Both directions have the same mistakes.
    diagnostics.keep_first_of_each();
    diagnostics.finish()?;
    let function =
        Function { attributes: attrs, visibility, signature: sig, associated, items, body };
    // People read loops as they are written.
    let loops = !options.readable;
    let passes = Passes {
        invariants: loops && marks.passes.invariants,
        lanes: loops && marks.passes.lanes,
        scatter: loops && marks.passes.scatter,
        windows: loops && marks.passes.windows,
        bounds: loops && marks.passes.bounds,
        loans: loops,
        ..marks.passes
    };
    let (fused, promises) = (marks.fused, !marks.undoable.is_empty());
    let alone = OnceCell::new();
    Ok(Directions {
        function,
        inverse,
        gradients,
        prepared,
        names,
        kinds,
        options,
        passes,
        fused,
        alone,
        promises,
        unused,
        decides,
    })
}

impl Directions {
    /// The items that replace the annotated function.
    pub fn emit(&self) -> TokenStream {
        let Function { attributes, visibility, signature, .. } = &self.function;
        let forward = self.body(Which::Forward);
        let shared = item::shared_attributes(attributes);
        // Uncomputing that is dropped may leave a `mut` without a use; and what is used
        // twice is cloned, as if its owner were not needed.
        let quiet = quote!(#[allow(
            clippy::unnecessary_to_owned, unused_assignments, unused_mut, unused_parens,
            unused_braces
        )]);
        let mut members = vec![Member {
            name: "inverse",
            about: "Undoes {f}: takes its outputs back to its inputs.",
            hidden: false,
            signature: signature.clone(),
            body: self.body(Which::Inverse),
        }];
        let mut forgets = false;
        match &self.gradients {
            Some(gradients) => forgets = self.gradient_members(gradients, &mut members),
            // Of a free function, the library says so. A trait has no such methods, nor may
            // its `impl`.
            None if self.function.associated && !matches!(visibility, Visibility::Inherited) => {
                members.extend(item::no_gradient(signature));
            }
            None => {}
        }
        let all_seen = self.function.body.as_ref().is_some_and(|body| !calls_methods(body))
            && self.unused.as_ref().is_some_and(|unused| unused.is_all_in(&forward));
        if self.function.associated {
            let own = &signature.ident;
            // Without a gradient it may be of a trait that is not in scope here.
            let linted = all_seen && self.gradients.is_some() && !of_lints(&shared, &members);
            let (mut shared, mut alive) = (shared, None);
            if linted {
                // Dead where nobody uses them, but by a level of their own: what is said of them
                // is not said, for they are ours, and so would not be what is said with it.
                shared.push(syn::parse_quote!(#[forbid(dead_code)]));
                members.iter_mut().for_each(|member| item::mention_own(member, signature));
            } else {
                alive = Some(quote!(#[allow(dead_code)]));
            }
            if !self.options.device {
                members.extend(self.decides.method(signature, self.function.body.is_none()));
            }
            let members = item::methods(&members, own, visibility, &shared, &[]);
            return quote! {
                #alive
                #(#attributes)*
                #quiet
                #visibility #signature #forward
                #(#members)*
            };
        }
        let gradients = self.gradients.as_ref().map(|gradients| &gradients.shadowed);
        let added_to = self.added_to();
        let gradient = self.gradient_given(&added_to);
        // Who calls its inverse alone uses the type, and as a value of that the function.
        let linted = Companion::is_value(signature) && all_seen;
        let alive = (!linted).then(|| quote!(#[allow(dead_code)]));
        let companion = Companion {
            attributes: &shared,
            visibility,
            signature,
            gradients,
            members,
            forgets,
            added_to,
            unread: AddedTo::unread(&self.function, &self.names),
            gradient,
            linted,
        };
        let companion = companion.emit();
        let told = [self.looks().emit(LOOKS, visibility), self.decides.emit(DECIDES, visibility)];
        let told: Vec<TokenStream> = told.into_iter().flatten().collect();
        let looks = (!told.is_empty()).then(|| {
            let own = &signature.ident;
            let cfg = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
            let quiet = item::quiet_and_alive();
            quote!(#(#cfg)* #quiet impl #own { #(#told)* })
        });
        quote! {
            #alive
            #(#attributes)*
            #quiet
            #visibility #signature #forward
            #companion
            #looks
        }
    }

    /// The gradient in one call, if the function can have one. A method has no room
    /// beside it for the type of the results.
    pub fn gradient(&self) -> Option<gradient::Gradient> {
        self.gradient_given(&self.added_to())
    }

    fn gradient_given(&self, added_to: &AddedTo) -> Option<gradient::Gradient> {
        let Function { signature, visibility, associated, .. } = &self.function;
        let gradients = self.gradients.as_ref().filter(|_| !associated)?;
        let undoing = gradient::Undoing {
            in_one_call: gradients.there_and_back.is_some() || !self.followed_loans().is_empty(),
            looks_at_loss: self.undoes_loss(),
        };
        let shadowed = &gradients.shadowed;
        gradient::gradient(signature, shadowed, visibility, added_to, undoing)
    }

    /// What derivatives look at while the function undoes it.
    fn looks(&self) -> Looks {
        let Some((block, names)) = self.finished(Which::Gradient) else {
            return Looks::default();
        };
        Looks::of(&block, &self.function.signature, names, self.function.items.is_empty())
    }

    /// Whether the gradient needs the number that the function adds to on its way back.
    fn undoes_loss(&self) -> bool {
        let undone = || {
            let (loss, _) = gradient::loss(&self.function.signature)?;
            let (block, names) = self.finished(Which::Gradient)?;
            let writes = effects::of_open_block(&block, names).writes;
            Some(writes.iter().any(|write| names.roots(&write.access.root).contains(&loss)))
        };
        undone().unwrap_or(false)
    }

    /// The numbers that are lent to the function, of which derivatives look at what it undoes,
    /// and which hold more on their way than at its ends: they are written more than once.
    fn followed_loans(&self) -> Vec<Ident> {
        let (Some(body), Some(gradients)) = (&self.function.body, &self.gradients) else {
            return Vec::new();
        };
        let signature = &self.function.signature;
        if self.function.associated || !gradients.shadowed.active {
            return Vec::new();
        }
        let Some((loss, _)) = gradient::loss(signature) else { return Vec::new() };
        let lent = |ty: &syn::Type| matches!(ty, syn::Type::Reference(r) if r.mutability.is_some());
        let alone = item::arguments(signature).filter(|(_, ty)| lent(ty)).count() == 1;
        if alone && !matches!(self.added_to().to_all(&signature.ident, ADDS_TO), Answer::No) {
            // Value and gradient are had in one pass.
            return Vec::new();
        }
        let parameters = Parameters::of(signature);
        let arguments = item::arguments(signature).zip(&gradients.shadowed.shadows);
        let followed = arguments.filter(|((name, ty), (_, shadow))| {
            lent(ty)
                && shadow.is_some()
                && parameters.kind(ty) == kinds::Kind::Real
                && optimise::holds_more_on_its_way(body, name, &self.names)
                && (**name != loss || self.undoes_loss())
        });
        followed.map(|((name, _), _)| name.clone()).collect()
    }

    /// What the function only adds to. Value and gradient in one pass rely on ancillas whose
    /// derivatives are undone with them, and a check knows of their values at one point only.
    fn added_to(&self) -> AddedTo {
        let on_trust = |block: &Block| optimise::takes_a_release_on_trust(block, &self.kinds[0]);
        // What is computed is undone as a whole, where shadows are carried back.
        let outside = || {
            let body = self.function.body.as_ref()?;
            Some(optimise::prepare(&decide::without_computing(body), &self.names))
        };
        if self.prepared.as_ref().is_some_and(|[forward, _]| on_trust(forward))
            && outside().is_some_and(|block| on_trust(&block))
        {
            return AddedTo::default();
        }
        match &self.gradients {
            Some(Gradients { shadowed, adjoint: Some(adjoint), names, .. }) => {
                AddedTo::of(&self.function, &self.names, shadowed, (adjoint, &names[0]))
            }
            _ => AddedTo::default(),
        }
    }

    /// The functions with gradients. Tells whether the one that is for gradients
    /// alone differs from the adjoint.
    fn gradient_members(&self, gradients: &Gradients, members: &mut Vec<Member>) -> bool {
        let Shadowed { signature, hidden, arguments, active, .. } = &gradients.shadowed;
        let own = &self.function.signature.ident;
        let self_argument = signature.receiver().map(|_| quote!(self.));
        let finished = |which| active.then(|| self.finished(which)).flatten();
        let adjoint = finished(Which::Adjoint);
        // Unless the adjoint does something only to restore values, it serves.
        let alone = if self.function.associated { None } else { finished(Which::Gradient) };
        let gradient = alone.filter(|(gradient, _)| {
            adjoint.as_ref().is_some_and(|(adjoint, _)| adjoint != gradient)
        });
        for (name, hidden_name, which, finished, about) in [
            (
                "adjoint",
                "__adjoint",
                Which::Adjoint,
                adjoint,
                "The adjoint of {f}: takes its outputs back to its inputs, and the gradient with \
                 respect to them back too.",
            ),
            (
                "inverse_adjoint",
                "__inverse_adjoint",
                Which::InverseAdjoint,
                finished(Which::InverseAdjoint),
                "The adjoint of the inverse of {f}: undoes its adjoint.",
            ),
        ] {
            let call = if self.function.associated {
                item::method_named(own, hidden_name, Span::call_site())
            } else {
                format_ident!("{hidden_name}")
            };
            let turbofish = item::turbofish(&signature.generics);
            let lengths = gradients.shadowed.check_shapes();
            let delegate = match (&self_argument, self.function.body.is_some()) {
                (_, false) => quote!(;),
                (Some(this), _) => quote!({ #lengths #this #call #turbofish (#(#arguments),*) }),
                (None, _) => quote!({ #lengths Self::#call #turbofish (#(#arguments),*) }),
            };
            let body = if *active || self.function.body.is_none() {
                self.emit_body(which, finished)
            } else {
                self.without_gradient(which)
            };
            let (mut public, mut hidden) = (signature.clone(), hidden.clone());
            for signature in [&mut public, &mut hidden] {
                adjoint::keep_from_objects(signature, &self.function.visibility);
            }
            members.push(Member { name, about, hidden: false, signature: public, body: delegate });
            let name = hidden_name;
            members.push(Member { name, about, hidden: true, signature: hidden, body });
        }
        let forgets = gradient.is_some();
        members.extend(self.there_and_back(gradients));
        if !self.function.associated {
            let body = match gradient {
                Some(_) => self.emit_body(Which::Gradient, gradient),
                None => {
                    let arguments = item::argument_names(hidden);
                    let turbofish = item::turbofish(&hidden.generics);
                    quote!({ Self::__adjoint #turbofish (#(#arguments),*) })
                }
            };
            let (name, hidden) = ("__gradient", hidden.clone());
            members.push(Member { name, about: "", hidden: true, signature: hidden, body });
        }
        forgets
    }

    /// The function and its adjoint in one call, which gives the value of the first in between.
    fn there_and_back(&self, gradients: &Gradients) -> Option<Member> {
        let loans = self.followed_loans();
        let nothing = Block::new();
        let (records, there, turns, back, names) = match &gradients.there_and_back {
            Some(ThereAndBack { records, there, turns, back, names }) => {
                (records, there, turns, back, [&names[0], &names[1]])
            }
            None if loans.is_empty() => return None,
            None => {
                let there = &self.prepared.as_ref()?[0];
                let back = gradients.adjoint.as_ref()?;
                (&nothing, there, &nothing, back, [&self.names, &gradients.names[0]])
            }
        };
        let Shadowed { hidden, .. } = &gradients.shadowed;
        let signature = &self.function.signature;
        let (loss, number) = gradient::loss(signature)?;
        let (generic, settled) = (self.is_generic(), self.names.has_no_numbers());
        let manner = Manner {
            generic,
            settled,
            readable: false,
            fused: self.fused,
            promises: self.promises,
        };
        let finish = |block: &Block, signature: &Signature, names: &Names, kinds: &Kinds| {
            let live = optimise::arguments(signature);
            optimise::finish(block.clone(), signature, live, names, kinds, self.passes)
        };
        let there = finish(there, signature, names[0], &self.kinds[0]);
        let loans: Vec<&Ident> = loans.iter().collect();
        let there = emit::block_on_loan(there, names[0], manner, &loans);
        let back = finish(back, hidden, names[1], &self.kinds[1]);
        let back = emit::block(back, names[1], manner);
        let [records, turns] =
            [records, turns].map(|block| emit::block(block.clone(), names[0], manner));
        let (items, methods) = (&self.function.items, emit::methods());
        let value = Ident::new("value", Span::mixed_site());
        let gradient::Restored { before, at_turn, reshaped, after } =
            gradient::Restored::of(signature, &gradients.shadowed, self.undoes_loss());
        let body = quote!({
            #(#items)* #methods #records
            #before
            { #there }
            #turns
            #at_turn
            #reshaped
            let #value = ::core::clone::Clone::clone(&*#loss);
            { #back }
            #after
            #value
        });
        let mut signature = hidden.clone();
        signature.output = syn::parse_quote!(-> #number);
        Some(Member { name: "__there_and_back", about: "", hidden: true, signature, body })
    }

    /// A direction after the last passes, and the names in it.
    pub(crate) fn finished(&self, which: Which) -> Option<(Block, &Names)> {
        if which == Which::Gradient {
            let alone = self.alone.get_or_init(|| Some(self.finish(which)?.0));
            return Some((alone.clone()?, &self.gradients.as_ref()?.names[0]));
        }
        self.finish(which)
    }

    fn finish(&self, which: Which) -> Option<(Block, &Names)> {
        let prepared = self.prepared.as_ref();
        let gradients = self.gradients.as_ref();
        let (block, names) = match which {
            Which::Forward => (&prepared?[0], &self.names),
            Which::Inverse => (&prepared?[1], &self.names),
            Which::Adjoint | Which::Gradient => {
                (gradients?.adjoint.as_ref()?, &gradients?.names[0])
            }
            Which::InverseAdjoint => (gradients?.inverse_adjoint.as_ref()?, &gradients?.names[1]),
        };
        let (signature, kinds) = match which {
            Which::Forward | Which::Inverse => (&self.function.signature, &self.kinds[0]),
            _ => (&gradients?.shadowed.hidden, &self.kinds[1]),
        };
        let mut live = optimise::arguments(signature);
        if which == Which::Gradient {
            for (value, _) in &gradients?.shadowed.shadows {
                live.remove(value);
            }
        }
        let block = optimise::finish(block.clone(), signature, live, names, kinds, self.passes);
        Some((block, names))
    }

    /// Where nothing carries a gradient, the adjoint is the inverse.
    fn without_gradient(&self, which: Which) -> TokenStream {
        let Function { signature, associated, .. } = &self.function;
        let (name, arguments) = (&signature.ident, item::argument_names(signature));
        let turbofish = item::turbofish(&signature.generics);
        let inverse = which == Which::Adjoint;
        if !associated && !inverse && arguments.contains(&name) {
            // The argument hides the function, which could not be called.
            return self.body(Which::Forward);
        }
        let function = match (associated, inverse) {
            (true, true) => format_ident!("{name}_inverse"),
            (false, true) => format_ident!("inverse"),
            (_, false) => name.clone(),
        };
        let owner = match (signature.receiver(), associated, inverse) {
            (Some(_), ..) => quote!(self.),
            (None, true, _) | (None, false, true) => quote!(Self::),
            (None, false, false) => TokenStream::new(),
        };
        quote!({ #owner #function #turbofish (#(#arguments),*) })
    }

    /// The function alone, in one direction, for people.
    pub fn emit_one(&self, which: Which) -> TokenStream {
        let Function { visibility, signature, .. } = &self.function;
        let mut signature = match (&self.gradients, which) {
            (_, Which::Forward | Which::Inverse) | (None, _) => signature.clone(),
            (Some(gradients), _) => gradients.shadowed.signature.clone(),
        };
        let own = &signature.ident;
        signature.ident = match which {
            Which::Forward => own.clone(),
            Which::Inverse => format_ident!("{own}_inverse"),
            Which::Adjoint => format_ident!("{own}_adjoint"),
            Which::InverseAdjoint => format_ident!("{own}_inverse_adjoint"),
            Which::Gradient => format_ident!("{own}_gradient"),
        };
        let body = self.body(which);
        let function = quote!(#visibility #signature #body);
        match which {
            Which::Forward | Which::Inverse => function,
            _ => emit::readable(function),
        }
    }

    fn body(&self, which: Which) -> TokenStream {
        self.emit_body(which, self.finished(which))
    }

    fn emit_body(&self, which: Which, finished: Option<(Block, &Names)>) -> TokenStream {
        let Some((block, names)) = finished else { return quote!(;) };
        let items = &self.function.items;
        // People read the text that the user wrote.
        let generic = self.is_generic() && !self.options.readable;
        let plain = matches!(which, Which::Forward | Which::Inverse);
        // Where there are gradients, a name of std's must be std's.
        let differentiated = self.gradients.is_some();
        let needed = generic || !plain || differentiated || optimise::calls_methods(&block);
        let methods = (needed && !self.options.readable).then(emit::methods);
        let settled = !self.function.associated && self.names.has_no_numbers();
        let readable = self.options.readable;
        let manner =
            Manner { generic, settled, readable, fused: self.fused, promises: self.promises };
        let statements = emit::block(block, names, manner);
        // Once is enough to claim something of the arguments.
        let claims = (which == Which::Forward && !readable)
            .then(|| Parameters::claims(&self.function.signature));
        let items = quote!(#(#items)* #methods #claims);
        match &self.unused {
            Some(unused) if which == Which::Forward && !readable => unused.body(items, statements),
            _ => quote!({ #items #statements }),
        }
    }

    /// Whether literals and reads need care: unless every type in the signature
    /// is one whose arithmetic Rust has built in. (A method may use the type
    /// parameters of its `impl`, which are not in sight.)
    fn is_generic(&self) -> bool {
        self.function.associated || !all_built_in(&self.function.signature)
    }
}

/// Whether attributes of the user's may be of lints that are about dead code, and so would be
/// where those must not be changed.
fn of_lints(attributes: &[syn::Attribute], members: &[Member]) -> bool {
    let bodies = members.iter().map(|member| member.body.clone());
    let all = attributes.iter().map(ToTokens::to_token_stream).chain(bodies);
    let found: Vec<Ident> = all.flat_map(|tokens| place::identifiers(&tokens)).collect();
    found.iter().any(|name| is_one_of(name, &["dead_code", "unused", "warnings"]))
}

/// Whether a body calls a method, whose inverse may be by hand, and be called by nothing else.
fn calls_methods(body: &Block) -> bool {
    body.iter().any(|statement| match &statement.kind {
        Kind::Call(call) => matches!(call.callee, Callee::Method { .. } | Callee::Associated(_)),
        Kind::Compute { compute, body } => calls_methods(compute) || calls_methods(body),
        Kind::If { arms, otherwise } => {
            arms.iter().any(|arm| calls_methods(&arm.body))
                || otherwise.as_ref().is_some_and(calls_methods)
        }
        Kind::While { body, .. } | Kind::For { body, .. } | Kind::Block(body) => {
            calls_methods(body)
        }
        _ => false,
    })
}

pub(crate) fn all_built_in(signature: &Signature) -> bool {
    const BUILT_IN: [&str; 21] = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64", "bool", "char", "str", "String", "Vec", "Box", "Option",
    ];
    struct BuiltIn(bool);
    impl Visit<'_> for BuiltIn {
        fn visit_path(&mut self, path: &syn::Path) {
            let last = path.segments.last();
            self.0 &= last.is_some_and(|s| is_one_of(&s.ident, &BUILT_IN));
            crate::visit::visit_path(self, path);
        }
        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {
            self.0 = false;
        }
    }
    let mut built_in = BuiltIn(true);
    for argument in &signature.inputs {
        if let FnArg::Typed(typed) = argument {
            built_in.visit_type(&typed.ty);
        }
    }
    built_in.0
}

/// Our attributes on arguments say how to differentiate, and are not Rust's:
/// gives the names that are constant.
pub(crate) fn take_argument_attributes(signature: &mut Signature) -> HashSet<Ident> {
    let mut constants = HashSet::new();
    for argument in &mut signature.inputs {
        let (name, attributes) = match argument {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) => (name.ident.clone(), &mut typed.attrs),
                _ => continue,
            },
            FnArg::Receiver(receiver) => (format_ident!("self"), &mut receiver.attrs),
        };
        let before = attributes.len();
        attributes.retain(|attribute| !is_ours(attribute, "constant"));
        if attributes.len() < before {
            constants.insert(name);
        }
    }
    constants
}

pub(crate) fn mentions_self(signature: &Signature, body: Option<&syn::Block>) -> bool {
    struct Mentions(bool);
    impl Visit<'_> for Mentions {
        fn visit_ident(&mut self, name: &Ident) {
            self.0 |= name == "Self" || name == "self";
        }
        fn visit_receiver(&mut self, _: &syn::Receiver) {
            self.0 = true;
        }
        fn visit_item(&mut self, _: &syn::Item) {}
        fn visit_visibility(&mut self, _: &Visibility) {}
        fn visit_path(&mut self, path: &syn::Path) {
            // `self::f` is a module, not a receiver.
            let module = path.segments.len() > 1 && path.segments[0].ident == "self";
            if !module {
                crate::visit::visit_path(self, path);
            }
        }
    }
    let mut mentions = Mentions(false);
    mentions.visit_signature(signature);
    if let Some(body) = body {
        mentions.visit_block(body);
    }
    mentions.0
}

/// What is left of a function with mistakes: the same items with empty bodies,
/// so that its callers give no errors of their own.
fn stub(item: TokenStream, options: Options) -> TokenStream {
    let Ok(Annotated { vis, mut function }) = syn::parse2::<Annotated>(item) else {
        return TokenStream::new();
    };
    let associated = mentions_self(&function.sig, function.default.as_ref());
    function.default = function.default.map(|_| {
        syn::parse_quote!({
            host! { unreachable!() }
        })
    });
    function.attrs.retain(|attribute| attribute.path().is_ident("doc"));
    function.attrs.push(syn::parse_quote!(#[allow(dead_code, unused_variables)]));
    let sig = &mut function.sig;
    sig.output = ReturnType::Default;
    sig.asyncness = None;
    sig.constness = None;
    for (i, argument) in sig.inputs.iter_mut().enumerate() {
        if let FnArg::Typed(typed) = argument {
            let name = match &*typed.pat {
                Pat::Ident(name) => name.ident.clone(),
                _ => format_ident!("argument_{i}", span = Span::mixed_site()),
            };
            *typed.pat = syn::parse_quote!(#name);
        }
    }
    let marks = Marks { associated, ..Marks::default() };
    match compile(vis, function, marks, options) {
        Ok(directions) => directions.emit(),
        Err(_) => TokenStream::new(),
    }
}
