//! `#[differentiable]`: pure functions, to be called in expressions.

use crate::added::AddedTo;
use crate::adjoint::{self, Shadowed, free_name};
use crate::attribute::Annotated;
use crate::companion::Companion;
use crate::decide::{self, Lent};
use crate::device;
use crate::diagnostics::Diagnostics;
use crate::differentiate::{Arguments, FORWARD, Kept, differentiate, keep, take_apart, tuple};
use crate::emit::{self, Manner};
use crate::expand::{all_built_in, mentions_self, take_argument_attributes};
use crate::ir::{Binding, Block, Kind as Do, Operator, Statement};
use crate::item::{self, Member};
use crate::kinds::{Kind, Kinds, Parameters};
use crate::looks::DECIDES;
use crate::matching;
use crate::names::Names;
use crate::optimise::{self, Passes};
use crate::place::names_in;
use crate::pure::{self, check_pure};
use crate::scopes::{close_scopes, contains_mutable, split_locals};
use crate::table::NameSet;
use crate::text::Source;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::collections::{HashMap, HashSet};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{
    Expr, FnArg, ImplItemFn, Pat, Path, ReturnType, Signature, Stmt, Token, Type, parse_quote,
};

/// The argument of the attribute.
#[derive(Default)]
struct Marks {
    /// `associated`: a function of an `impl` without a receiver.
    associated: bool,
    /// `gpu`: runs on a device, too.
    gpu: bool,
    /// `fused`: products in sums may be rounded with them, once.
    fused: bool,
    /// `pullback = f`: the rule by hand.
    pullback: Option<Path>,
    /// `derivative = f`: the derivative of a function of one number, by hand.
    derivative: Option<Path>,
}

impl Parse for Marks {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let usage = "expected `derivative = NAME`, `pullback = NAME`, `associated`, `fused` or `gpu`\n\
            help: `#[differentiable(derivative = slope)]` names the derivative of a function of \
            one number, `pullback` the rule of any other";
        let wrong = |e: syn::Error| syn::Error::new(e.span(), usage);
        let mut marks = Marks::default();
        let mut fused = None;
        while !input.is_empty() {
            let key: Ident = input.parse().map_err(wrong)?;
            if key == "associated" {
                marks.associated = true;
            } else if key == "gpu" {
                marks.gpu = true;
            } else if key == "fused" {
                fused = Some(key);
            } else {
                input.parse::<Token![=]>().map_err(wrong)?;
                let path = Some(input.parse().map_err(wrong)?);
                match key.to_string().as_str() {
                    "pullback" => marks.pullback = path,
                    "derivative" => marks.derivative = path,
                    _ => return Err(syn::Error::new(key.span(), usage)),
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>().map_err(wrong)?;
            }
        }
        marks.fused = fused.is_some();
        match fused {
            Some(key) if marks.derivative.is_some() || marks.pullback.is_some() => {
                let message = "`fused` is for a function whose derivative is found\n\
                    help: leave it out; beside a rule by hand, the function stays as it is";
                Err(syn::Error::new(key.span(), message))
            }
            _ => Ok(marks),
        }
    }
}

/// Leaves the function as it is and puts its pullback beside it.
pub fn differentiable(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let item = crate::groups::as_meant(item);
    if attribute.is_empty() && syn::parse2::<syn::ItemImpl>(item.clone()).is_ok() {
        return crate::operator::with_rule(item);
    }
    if let Some(error) = crate::operator::on_its_function(&item) {
        return quote!(#item #error);
    }
    expand(attribute, item.clone()).unwrap_or_else(|error| {
        item::mistaken(item, error, |signature| {
            let count = 2 * item::argument_names(signature).len();
            let mut forward = signature.clone();
            let output = match &signature.output {
                ReturnType::Type(_, ty) => quote!(#ty),
                ReturnType::Default => quote!(()),
            };
            forward.output = parse_quote!(-> (#output, ()));
            let body = quote!({ ::core::unreachable!() });
            let name = FORWARD;
            vec![
                Member { name, about: "", hidden: true, signature: forward, body },
                item::standing_in("__backward", None, count + 2),
                item::standing_in("__pullback", None, count + 1),
            ]
        })
    })
}

fn expand(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let marks: Marks = syn::parse2(attribute)?;
    // In a trait it may have no body: then each `impl` of the trait has one, and its pullback.
    let annotated: Annotated = syn::parse2(item)?;
    let declared = annotated.function.default.is_none();
    let Annotated { vis, function: syn::TraitItemFn { attrs, sig, default, .. } } = annotated;
    let block: syn::Block = default.unwrap_or_else(|| parse_quote!({}));
    let mut function: ImplItemFn = parse_quote!(#(#attrs)* #vis #sig #block);
    let mut diagnostics = Diagnostics::default();
    let constants = take_argument_attributes(&mut function.sig);
    let signature = &function.sig;
    let output = item::parenthesised(&output(signature, &mut diagnostics));
    item::check_arguments(signature, &mut diagnostics);
    if signature.ident.to_string().starts_with(char::is_uppercase) {
        diagnostics.error(
            &signature.ident,
            "in an expression, a name that begins with a capital stands for a struct, which is \
             made of its arguments as they are",
            "begin the name with a small letter",
        );
    }
    let associated =
        declared || marks.associated || mentions_self(signature, Some(&function.block));
    let mut used = names_in(signature, Some(&function.block));
    let mut shadowed = adjoint::shadowed(signature, &mut used, &constants);
    let g = free_name("g", &mut used);
    let position = usize::from(signature.receiver().is_some());
    // A method may be called by its path, too, where nobody knows that it is one: so what is
    // associated takes the gradient last in generated code.
    let last = shadowed.hidden.inputs.len();
    let hidden = if associated { last } else { position };
    for (signature, at) in [(&mut shadowed.signature, position), (&mut shadowed.hidden, hidden)] {
        signature.output = ReturnType::Default;
        let gradient: FnArg = parse_quote!(#g: &#output);
        signature.inputs.insert(at, gradient);
    }
    let at = if associated { shadowed.arguments.len() } else { 0 };
    shadowed.arguments.insert(at, parse_quote!(#g));
    if declared {
        diagnostics.finish()?;
        let mut members = members(signature, &output, &shadowed, Rule::default(), associated);
        members.iter_mut().for_each(|member| member.body = quote!(;));
        let (attributes, own) = (&function.attrs, &signature.ident);
        let shared = item::shared_attributes(attributes);
        let by_hand = [&marks.pullback];
        let members = item::methods(&members, own, &function.vis, &shared, &by_hand);
        return Ok(quote!(#(#attributes)* #signature; #(#members)*));
    }
    let rule_is_generated = marks.derivative.is_none() && marks.pullback.is_none();
    let mut on_device = None;
    let mut branches = function.block.clone();
    let rule = match (&marks.derivative, &marks.pullback) {
        (Some(slope), _) => {
            let back = by_slope(slope, signature, &shadowed, &g, &mut diagnostics);
            let settle = settle_by_hand(signature, associated, &constants, &mut used);
            Rule { back, settle, ..Rule::default() }
        }
        // Everything is passed on, without what the rule has no shadow for.
        (_, Some(pullback)) => {
            let back = item::call_by_hand(pullback, &shadowed.signature, associated);
            let settle = settle_by_hand(signature, associated, &constants, &mut used);
            Rule { back, settle, ..Rule::default() }
        }
        _ => {
            let arguments = item::argument_names(signature).into_iter().cloned().collect();
            matching::rewrite_value(signature, &mut branches, &mut used, &mut diagnostics);
            split_locals(&mut branches);
            let body = body(&branches, arguments, &mut used, &mut diagnostics);
            let Body { block, out, items } = body;
            let names = Names::of(signature, &block);
            let mut kinds = Kinds::of(signature, associated, &constants);
            let kind = kinds.of_type(&output);
            kinds.declare(&out, kind.clone());
            let mut shadows = shadowed.shadows.clone();
            shadows.push((out.clone(), (!kind.is_constant()).then(|| parse_quote!(*#g))));
            let kept = free_name("kept", &mut used);
            let generic = associated || !all_built_in(signature);
            let settled = !associated && names.has_no_numbers();
            let manner = Manner { generic, settled, fused: marks.fused, ..Manner::default() };
            let settled = (&out, &output);
            let settle = settle(signature, &block, settled, &names, &kinds, manner, &mut used);
            let arguments = Arguments {
                shadows,
                kinds,
                used,
                constants: constants.clone(),
                functions: HashMap::new(),
                passes: Passes::default(),
                keeping: true,
                pure: true,
            };
            let mut with_gradient = |arguments| {
                let (mut block, with_fields) =
                    differentiate(&block, &names, arguments, &mut diagnostics);
                // The value is taken before the way back starts.
                for statement in &mut block {
                    if let Do::Update { place, value, .. } = &statement.kind
                        && crate::place::bare_name(place) == Some(&out)
                    {
                        let pattern = Pat::Type(parse_quote!(#out: #output));
                        let (value, verify) = (value.clone(), false);
                        statement.kind = Do::Bind(Binding { pattern, value, verify });
                    }
                }
                (block, with_fields)
            };
            let finished = |block, with_fields: &NameSet, passes| {
                let names = Names::of(&shadowed.hidden, &block)
                    .with_shadows(&shadowed.shadows)
                    .with_gradients(with_fields, marks.gpu);
                let live = optimise::arguments(&shadowed.hidden);
                let kinds = Kinds::of(&shadowed.hidden, associated, &constants);
                let block = optimise::finish(block, &shadowed.hidden, live, &names, &kinds, passes);
                (block, names)
            };
            if marks.gpu {
                // There, nothing is kept, and loops stay as they are written.
                let (block, with_fields) =
                    with_gradient(Arguments { keeping: false, ..arguments.clone() });
                on_device = Some(finished(block, &with_fields, Passes::plain()).0);
            }
            let (block, with_fields) = with_gradient(arguments);
            let finish = |block| {
                let (block, names) = finished(block, &with_fields, Passes::default());
                emit::block(block, &names, manner)
            };
            if associated {
                Rule { forward: finish(block), items, settle, ..Rule::default() }
            } else {
                let Kept { forward, names: owned, mut back } = keep(block, &out, &names);
                if let Some(declaration) = take_apart(&owned, "kept", &kept) {
                    back.insert(
                        0,
                        Statement {
                            kind: Do::Bind(declaration),
                            span: signature.ident.span(),
                            source: Source::of(TokenStream::new()),
                            checked: false,
                            generated: true,
                            undoes: false,
                        },
                    );
                }
                let names = Names::of(signature, &forward);
                let forward = emit::block(forward, &names, manner);
                let all = tuple(&owned);
                Rule {
                    forward: quote!(#forward let #kept = #all;),
                    value: quote!(#out),
                    back: finish(back),
                    items,
                    settle,
                }
            }
        }
    };
    diagnostics.finish()?;
    let text = match &on_device {
        Some(pullback) if !associated => device::differentiable(&Device {
            signature,
            hidden: &shadowed.hidden,
            body: &function.block,
            pullback,
            attributes: &function.attrs,
        }),
        _ => Err(device::only_free_and_generated(&signature.ident)),
    };
    let device = marks.gpu.then(|| {
        text.unwrap_or_else(|error| {
            let error = error.into_compile_error();
            let nothing = (!associated).then(|| device::nothing(&signature.ident, &function.attrs));
            quote!(#error #nothing)
        })
    });
    let generic = associated || !all_built_in(&function.sig);
    if rule_is_generated && (generic || marks.fused) {
        // Literals and reads need no ceremony here, too.
        let names = Names::of(&function.sig, &Block::new()).with_literals(&branches);
        let manner = Manner { generic, readable: false, fused: marks.fused, ..Manner::default() };
        function.block = emit::pure_body(&branches, &names, manner);
        function.attrs.push(parse_quote!(#[allow(unused_braces, unused_parens)]));
    }
    let signature = &function.sig;
    let members = members(signature, &output, &shadowed, rule, associated);
    let mut attributes = item::shared_attributes(&function.attrs);
    if !attributes.iter().any(|attribute| attribute.path().is_ident("inline")) {
        // What is computed once for both can only be seen in one place.
        attributes.push(parse_quote!(#[inline]));
    }
    if associated {
        let own = &signature.ident;
        let by_hand = [&marks.pullback];
        let members = item::methods(&members, own, &function.vis, &attributes, &by_hand);
        return Ok(quote!(#function #(#members)* #device));
    }
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
    let companion = companion.emit_pure();
    Ok(quote!(#function #companion #device))
}

/// What the device stage makes its text of.
pub struct Device<'a> {
    /// The function's signature.
    pub signature: &'a Signature,
    /// That of its pullback, with a shadow for every argument.
    pub hidden: &'a Signature,
    /// What it computes.
    pub body: &'a syn::Block,
    /// How the gradient goes back.
    pub pullback: &'a Block,
    /// Its attributes.
    pub attributes: &'a [syn::Attribute],
}

/// How the gradient goes back.
#[derive(Default)]
struct Rule {
    /// Items of the body.
    items: Vec<syn::Item>,
    /// Computes the value; of an associated function, does everything.
    forward: TokenStream,
    /// The value, if it is not that of the function.
    value: TokenStream,
    /// Takes the gradient back.
    back: TokenStream,
    /// Stops where a decision is too close, if it decides anything.
    settle: Option<Settle>,
}

/// What stops where a function decides too closely on arguments that its caller undoes.
struct Settle {
    /// The argument that tells how far the others may be rounded.
    told: Ident,
    body: TokenStream,
}

/// The decisions of a function, as its caller has them made beside a value that it adds.
fn settle(
    signature: &Signature,
    block: &Block,
    (out, output): (&Ident, &Type),
    names: &Names,
    kinds: &Kinds,
    manner: Manner,
    used: &mut HashSet<String>,
) -> Option<Settle> {
    let told = free_name("rounding", used);
    // What is computed on the way is only looked at.
    let mut block = block.clone();
    for statement in &mut block {
        statement.checked = true;
        if let Do::Update { place, value, .. } = &statement.kind
            && crate::place::bare_name(place) == Some(out)
        {
            // Literals take their type from it.
            let pattern = Pat::Type(parse_quote!(_: #output));
            let (value, verify) = (value.clone(), false);
            statement.kind = Do::Bind(Binding { pattern, value, verify });
        }
    }
    settled(signature, &block, names, kinds, manner, told, used)
}

/// The same, of a function whose rule is written by hand: its body is any Rust, so it is a decision
/// as a whole, asked for values as far as rounding goes to either side.
fn settle_by_hand(
    signature: &Signature,
    associated: bool,
    constants: &HashSet<Ident>,
    used: &mut HashSet<String>,
) -> Option<Settle> {
    let told = free_name("rounding", used);
    let own = &signature.ident;
    let given = item::arguments(signature).map(|(name, ty)| match ty {
        Type::Reference(_) => quote!(#name),
        _ => quote!(::core::clone::Clone::clone(&#name)),
    });
    let value = match signature.receiver() {
        Some(_) => parse_quote!(self.#own(#(#given),*)),
        None if associated => return None,
        None => parse_quote!(#own(#(#given),*)),
    };
    // Like an integer of an ordinary function.
    let decided = free_name("_decided", used);
    let pattern = parse_quote!(#decided);
    let constants: HashSet<Ident> = constants.iter().cloned().chain([decided]).collect();
    let statement = Statement {
        kind: Do::Bind(Binding { pattern, value, verify: false }),
        span: own.span(),
        source: Source::of(signature.to_token_stream()),
        checked: true,
        generated: false,
        undoes: false,
    };
    let block = vec![statement];
    let names = Names::of(signature, &block);
    let kinds = Kinds::of(signature, associated, &constants);
    let generic = associated || !all_built_in(signature);
    let manner = Manner { generic, readable: false, ..Manner::default() };
    settled(signature, &block, &names, &kinds, manner, told, used)
}

fn settled(
    signature: &Signature,
    block: &Block,
    names: &Names,
    kinds: &Kinds,
    manner: Manner,
    told: Ident,
    used: &mut HashSet<String>,
) -> Option<Settle> {
    let places = decide::lent(signature, kinds);
    let lent = Lent { places, told: Some(told.clone()), ..Lent::default() };
    let block = decide::watch(block, names, kinds, lent, used)?.block;
    let names = Names::of(signature, &block);
    Some(Settle { told, body: emit::block(block, &names, manner) })
}

/// The pullback: of an associated function in its two forms, of another one
/// also in two steps, the value with what takes the gradient back, and that.
fn members(
    signature: &Signature,
    output: &Type,
    shadowed: &Shadowed,
    rule: Rule,
    associated: bool,
) -> Vec<Member> {
    let about = "Takes the gradient `g` with respect to the value of {f} back to its arguments: \
        adds to the shadow of each what it owes.";
    let own = &signature.ident;
    let arguments = &shadowed.arguments;
    let turbofish = item::turbofish(&signature.generics);
    let Rule { items, forward, value, back, settle } = rule;
    let methods = emit::methods();
    let claims = Parameters::claims(signature);
    let uses = quote!(#(#items)* #methods #claims);
    let lengths = shadowed.check_shapes();
    let public = shadowed.signature.clone();
    let hidden = shadowed.hidden.clone();
    let member = |name, hidden, signature, body| Member { name, about, hidden, signature, body };
    let settle_member = |Settle { told, body }: Settle| {
        let mut signature = signature.clone();
        signature.output = ReturnType::Default;
        let rounding = parse_quote!(#told: &[(usize, ::retrograde::check::Scale)]);
        // What is associated may be called as a method, and by its path.
        let at = if associated { signature.inputs.len() } else { 0 };
        signature.inputs.insert(at, rounding);
        let body = match body.is_empty() {
            true => quote!({}),
            false => quote!({
                #uses
                if ::retrograde::__private::is_told(#told) {
                    #body
                }
            }),
        };
        member(decide::SETTLE, true, signature, body)
    };
    // Those that are asked to stop anywhere decide; of which arguments, they do not say.
    let answer = if settle.is_some() { quote!({ 0xffff_ffff_ffff_ffff }) } else { quote!({ 0 }) };
    let decides = |signature: Signature| member(DECIDES, true, signature, answer.clone());
    let settle = settle.map(settle_member);
    if associated {
        // Methods cannot be asked whether they have one, so all of them do.
        let settle = settle.unwrap_or_else(|| {
            let told = quote::format_ident!("_rounding");
            settle_member(Settle { told, body: TokenStream::new() })
        });
        let name = item::method_named(own, "__pullback", Span::call_site());
        let owner = if signature.receiver().is_some() { quote!(self.) } else { quote!(Self::) };
        let delegate = quote!({ #lengths #owner #name #turbofish (#(#arguments),*) });
        let lent = signature.receiver().map(|receiver| {
            let mut lent = settle.signature.clone();
            lent.inputs[0] = parse_quote!(&self);
            let passed = match &receiver.kind {
                syn::ReceiverKind::Value => quote!(::core::clone::Clone::clone(self)),
                _ => quote!(self),
            };
            let name = item::method_named(own, decide::SETTLE, own.span());
            let names = item::argument_names(&settle.signature);
            let body = quote!({ Self::#name #turbofish (#passed, #(#names),*) });
            member(decide::SETTLE_LENT, true, lent.clone(), body)
        });
        let mut members = vec![
            member("pullback", false, public, delegate),
            member("__pullback", true, hidden, quote!({ #uses #forward #back })),
            settle,
        ];
        members.extend(lent);
        if signature.receiver().is_some() {
            members.push(decides(parse_quote!(fn decides(&self, _: u32) -> u64)));
        }
        return members;
    }
    let delegate = quote!({ #lengths Self::__pullback #turbofish (#(#arguments),*) });
    // What takes the gradient back: a function of the arguments with shadows.
    let (mut named, opaque) = item::without_opaque(&public);
    item::forget_lifetimes(&mut named, output);
    let parameters = Parameters::of(signature);
    // A function may be no clone of another one, but a reference to it is one too.
    let is_function =
        |ty: &Type| !matches!(ty, Type::Reference(_)) && parameters.kind(ty) == Kind::Function;
    let functions = item::arguments(signature).any(|(_, ty)| is_function(ty));
    let turbofish = turbofish.filter(|_| !opaque && !functions);
    let (names, types): (Vec<&Ident>, Vec<&Type>) = item::arguments(&named).unzip();
    let given: Vec<TokenStream> = item::arguments(signature)
        .map(|(name, ty)| match ty {
            Type::Reference(_) => quote!(#name),
            ty if is_function(ty) => quote!(&#name),
            _ => quote!(::core::clone::Clone::clone(&#name)),
        })
        .collect();
    let passed = item::arguments(&public).map(|(name, ty)| match ty {
        ty if is_function(ty) => quote!(&#name),
        _ => quote!(#name),
    });
    let captured = item::captured(&named.generics, output);
    let (mut two_steps, _) = item::without_opaque(signature);
    two_steps.generics = named.generics.clone();
    two_steps.output = parse_quote!(-> (#output, impl ::core::ops::FnOnce(#(#types),*) #captured));
    let value = if value.is_empty() { quote!(#own #turbofish (#(#given),*)) } else { value };
    let in_two = quote!({
        #uses
        #forward
        (#value, #[inline(always)] move |#(#names: #types),*| { #back })
    });
    let mut backward = hidden.clone();
    backward.generics = named.generics.clone();
    for argument in &mut backward.inputs {
        if let FnArg::Typed(typed) = argument
            && let Pat::Ident(own) = &*typed.pat
            && let Some((_, ty)) = item::arguments(&named).find(|(name, _)| **name == own.ident)
        {
            *typed.ty = ty.clone();
        }
    }
    let taken = quote::format_ident!("__back");
    backward.inputs.insert(0, parse_quote!(#taken: impl ::core::ops::FnOnce(#(#types),*)));
    let at_once = quote!({
        let (_, #taken) = Self::__forward #turbofish (#(#given),*);
        #taken(#(#passed),*);
    });
    let mut members = vec![
        member("pullback", false, public.clone(), delegate),
        member("__pullback", true, hidden, at_once),
        member("__forward", true, two_steps, in_two),
        member("__backward", true, backward, quote!({ #taken(#(#names),*); })),
    ];
    if settle.is_some() {
        members.push(decides(parse_quote!(fn decides(_: u32) -> u64)));
    }
    members.extend(settle);
    members
}

/// The type of the value.
fn output(signature: &Signature, diagnostics: &mut Diagnostics) -> Type {
    match &signature.output {
        ReturnType::Type(_, ty) if !matches!(&**ty, Type::Reference(_)) => (**ty).clone(),
        ReturnType::Type(_, ty) => {
            diagnostics.error(
                ty,
                "a differentiable function returns a value of its own: the gradient of a \
                 reference would be that of what it refers to",
                "return the value, and pass the place by `&`",
            );
            parse_quote!(())
        }
        ReturnType::Default => {
            diagnostics.error(
                &signature.ident,
                "a differentiable function returns a value, which has a gradient",
                "add `-> f64`; a function that writes through its arguments is `#[reversible]`",
            );
            parse_quote!(())
        }
    }
}

/// `d_x += g f′(x)`
fn by_slope(
    slope: &Path,
    signature: &Signature,
    shadowed: &Shadowed,
    g: &Ident,
    diagnostics: &mut Diagnostics,
) -> TokenStream {
    let names = item::argument_names(signature);
    let ([name], [(_, Some(shadow))]) = (&names[..], &shadowed.shadows[..]) else {
        diagnostics.error(
            &signature.ident,
            "`derivative = …` is for a function of one number",
            "write the rule of another as `pullback = …`",
        );
        return TokenStream::new();
    };
    let methods = emit::methods();
    quote!({
        #methods
        let slope = #slope(#name);
        let gradient = ::retrograde::derivative::chain(#g, slope);
        (#shadow).__shadow().add(gradient);
    })
}

/// The body of a pure function, as statements that accumulate its value.
struct Body {
    block: Block,
    out: Ident,
    items: Vec<syn::Item>,
}

fn body(
    block: &syn::Block,
    arguments: HashSet<Ident>,
    used: &mut HashSet<String>,
    diagnostics: &mut Diagnostics,
) -> Body {
    let out = free_name("value", used);
    // An argument cannot be changed here, whatever its methods are called.
    let own = arguments.clone();
    let block = crate::differentiate::distinct_names(block, arguments, used);
    let mut statements = Block::new();
    let mut items = Vec::new();
    let Some(last) = block.stmts.last() else {
        pure::reject_in_pure(&block, diagnostics);
        return Body { block: statements, out, items };
    };
    for statement in &block.stmts {
        // One is enough: what is changed once is changed again.
        let mut reject = |statement: &dyn ToTokens| {
            pure::reject_in_pure(&statement.to_token_stream(), diagnostics);
            Body { block: Block::new(), out: out.clone(), items: Vec::new() }
        };
        let at = |kind, tokens: TokenStream| Statement {
            kind,
            span: statement.span(),
            source: Source::of(tokens),
            checked: false,
            generated: false,
            undoes: false,
        };
        match statement {
            Stmt::Local(local) if !contains_mutable(&local.pat) => {
                let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else {
                    return reject(local);
                };
                check_pure(&init.expr, pure::Borrow::Shared, &own, diagnostics);
                let pattern = local.pat.clone();
                let value = (*init.expr).clone();
                let binding = Binding { pattern, value, verify: false };
                statements.push(at(Do::Bind(binding), local.to_token_stream()));
            }
            Stmt::Expr(value, None) if std::ptr::eq(statement, last) => {
                check_pure(value, pure::Borrow::Shared, &own, diagnostics);
                let place: Expr = parse_quote!(#out);
                let (operator, value) = (Operator::Subtract, value.clone());
                let tokens = value.to_token_stream();
                statements.push(at(Do::Update { place, operator, value }, tokens));
            }
            Stmt::Item(item) => items.push(item.clone()),
            other => return reject(other),
        }
    }
    close_scopes(&mut statements);
    Body { block: statements, out, items }
}
