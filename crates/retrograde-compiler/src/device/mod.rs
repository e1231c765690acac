//! The device stage: a function in the language of graphics processors.
//!
//! The same statements that are emitted as Rust are printed a second time as C++,
//! once for each direction. Types are left to templates, as Rust leaves them to
//! inference, and the rules of derivatives are overloads, as they are traits here:
//! both stand in the library's header, whose namespace is `rg`. A reference to a
//! place is the place itself there.
//!
//! What a function calls, and the constants that it reads, are not known here. The
//! text holds marks in their place, `@0@` and `@c0@`, which are filled in when a
//! kernel is put together.

mod arguments;
mod number;
mod statement;
mod types;
mod value;

use crate::diagnostics::Diagnostics;
use crate::differentiable::Device as Pure;
use crate::expand::{Directions, Which};
use crate::ir::{Block, Kind, Statement};
use crate::names::Names;
use crate::text::{self, Source};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use syn::spanned::Spanned;
use syn::{Expr, ExprPath, FnArg, GenericParam, Pat, ReturnType, Signature, Type};
use types::Scope;

/// The text of a function, and what its marks stand for.
#[derive(Default)]
struct Text {
    body: String,
    callees: Vec<(String, ExprPath)>,
    constants: Vec<(String, ExprPath)>,
    /// What is checked, where.
    checks: Vec<(Source, Span)>,
    /// What was refused, and why, in the directions before and in the one at hand: they are
    /// made of the same expressions.
    refused: [HashSet<(String, String)>; 2],
}

struct Printer<'a> {
    text: &'a mut Text,
    scope: Scope,
    /// The generic parameters of the function.
    parameters: HashSet<String>,
    /// The type of its float literals, where there is but one.
    number: Option<String>,
    /// Whether Rust's literals are converted to the type of what they stand beside.
    generic: bool,
    /// Whether the type of an inferred integer is told by what it stands beside.
    told: bool,
    /// The constants that the direction at hand reads, by their numbers.
    constants: Vec<usize>,
    /// Where in the text its body begins.
    start: usize,
    level: usize,
    /// What stands in for the shadow of something that is lent twice, and that shadow.
    stand_ins: HashMap<Ident, Expr>,
    /// The statement that is printed, and its number among the checks, if it has one.
    current: (Source, Span),
    number_of_current: Option<usize>,
    own: &'a Ident,
    names: &'a Names,
    diagnostics: &'a mut Diagnostics,
}

/// The implementation of the library's `device::Function` for a reversible function.
pub fn reversible(directions: &Directions) -> syn::Result<TokenStream> {
    let text = printed(directions)?;
    let arguments = arguments::of(directions);
    let function = &directions.function;
    Ok(text.implementation(&function.signature.ident, &function.attributes, arguments))
}

/// The text of a reversible function, for people.
pub fn readable(directions: &Directions) -> syn::Result<String> {
    let Text { body, callees, constants, .. } = printed(directions)?;
    let mut text = format!("struct {} {{\n{body}}};\n", directions.function.signature.ident);
    for (i, (name, _)) in callees.iter().enumerate() {
        text = text.replace(&format!("@{i}@"), name);
    }
    for (i, (name, _)) in constants.iter().enumerate() {
        text = text.replace(&format!("@c{i}@"), name);
    }
    Ok(text.replace("@k@ + ", ""))
}

fn printed(directions: &Directions) -> syn::Result<Text> {
    let signature = &directions.function.signature;
    if directions.function.associated {
        return Err(syn::Error::new_spanned(
            &signature.ident,
            "the device calls free functions only\n\
             help: make it a function of its own, outside of the `impl`",
        ));
    }
    let mut text = Text::default();
    let mut diagnostics = Diagnostics::default();
    refuse_types(signature, &mut diagnostics);
    for item in &directions.function.items {
        diagnostics.error(
            item,
            "items in the body of a function do not reach the device",
            "move it out of the function",
        );
    }
    let floats = floats(directions.function.body.as_ref().into_iter().flatten());
    let mut printed: Option<Block> = None;
    for (which, name) in [
        (Which::Forward, "forward"),
        (Which::Inverse, "inverse"),
        (Which::Adjoint, "adjoint"),
        (Which::InverseAdjoint, "inverse_adjoint"),
        (Which::Gradient, "gradient"),
    ] {
        let Some((block, names)) = directions.finished(which) else { continue };
        let with_shadows = !matches!(which, Which::Forward | Which::Inverse);
        if which == Which::Gradient && printed.as_ref() == Some(&block) {
            let passed: Vec<String> = (0..2 * signature.inputs.len())
                .map(|i| format!("static_cast<A{i}&&>(a{i})"))
                .collect();
            let names: Vec<String> = (0..passed.len()).map(|i| format!("A{i}&& a{i}")).collect();
            let types: Vec<String> = (0..passed.len()).map(|i| format!("class A{i}")).collect();
            let _ = writeln!(
                text.body,
                "  template <{}> RG static void gradient({}) {{ adjoint({}); }}",
                types.join(", "),
                names.join(", "),
                passed.join(", "),
            );
            continue;
        }
        let full = match (&directions.gradients, with_shadows) {
            (Some(gradients), true) => &gradients.shadowed.hidden,
            _ => signature,
        };
        let mut printer = Printer::new(&mut text, signature, names, &floats, &mut diagnostics);
        printer.head(name, full, with_shadows, "void", 0);
        printer.block(&block);
        printer.end();
        if which == Which::Adjoint {
            printed = Some(block);
        }
    }
    diagnostics.keep_first_of_each();
    diagnostics.finish()?;
    Ok(text)
}

/// The same for a pure function.
pub fn differentiable(pure: &Pure) -> syn::Result<TokenStream> {
    let Pure { signature, hidden, body, pullback, attributes } = pure;
    let mut text = Text::default();
    let mut diagnostics = Diagnostics::default();
    let names = Names::default();
    refuse_types(signature, &mut diagnostics);
    let mut floats = Vec::new();
    types::mentioned(body.to_token_stream(), &mut floats);
    let mut printer = Printer::new(&mut text, signature, &names, &floats, &mut diagnostics);
    printer.head("value", signature, false, "auto", 0);
    let value = printer.block_value(body);
    let ty = match &signature.output {
        ReturnType::Type(_, ty) => printer.value_type(ty),
        ReturnType::Default => None,
    };
    printer.line(&match ty {
        Some(ty) => format!("return rg::as<{ty}>({value});"),
        None => format!("return rg::value({value});"),
    });
    printer.end();
    let mut printer = Printer::new(&mut text, signature, &names, &floats, &mut diagnostics);
    printer.head("pullback", hidden, true, "void", 1);
    printer.block(pullback);
    printer.end();
    diagnostics.keep_first_of_each();
    diagnostics.finish()?;
    Ok(text.implementation(&signature.ident, attributes, Vec::new()))
}

/// The float types that statements name.
fn floats<'a>(statements: impl Iterator<Item = &'a Statement>) -> Vec<String> {
    let mut found = Vec::new();
    for statement in statements {
        let mut statement = statement.clone();
        match &statement.kind {
            Kind::Bind(binding) => types::mentioned(binding.pattern.to_token_stream(), &mut found),
            Kind::Allocate(ancilla) => {
                types::mentioned(ancilla.ty.to_token_stream(), &mut found);
            }
            _ => {}
        }
        statement.each_expression(&mut |expr| {
            types::mentioned(expr.to_token_stream(), &mut found);
        });
        let inner = statement.blocks_mut();
        found.extend(inner.into_iter().flat_map(|block| floats(block.iter())));
    }
    found
}

/// Why a pure function is refused whose rule stands elsewhere.
pub fn only_free_and_generated(name: &Ident) -> syn::Error {
    syn::Error::new_spanned(
        name,
        "on a device, a differentiable function is free and its rule is generated\n\
         help: make it a function of its own, written with operators and methods of numbers",
    )
}

/// Refuses types that no device has, whatever the body does.
fn refuse_types(signature: &Signature, diagnostics: &mut Diagnostics) {
    let arguments = signature.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    });
    let output = match &signature.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    for ty in arguments.chain(output).filter_map(unfit) {
        diagnostics.error(
            ty,
            format!("`{}` has no form on the device", text::of(ty)),
            "pass slices, arrays of constant size, structs under `#[derive(Device)]`, floats, \
             `bool`, or integers of 32 or 64 bits",
        );
    }
}

/// The part of an argument's type that the device cannot have.
fn unfit(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(inner) => unfit(&inner.elem),
        Type::Paren(inner) => unfit(&inner.elem),
        Type::Group(inner) => unfit(&inner.elem),
        Type::Slice(inner) => unfit(&inner.elem),
        Type::Array(inner) => unfit(&inner.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(unfit),
        Type::Path(path) => {
            const UNFIT: [&str; 15] = [
                "u8", "u16", "i8", "i16", "u128", "i128", "char", "str", "String", "Vec", "Box",
                "Option", "Stack", "Map", "HashMap",
            ];
            let last = path.path.segments.last()?;
            text::is_one_of(&last.ident, &UNFIT).then_some(ty)
        }
        other => Some(other),
    }
}

/// The implementation for a function that was refused, so that this is all that is said.
pub fn nothing(name: &Ident, attributes: &[syn::Attribute]) -> TokenStream {
    Text::default().implementation(name, attributes, Vec::new())
}

impl Text {
    fn implementation(
        &self,
        name: &Ident,
        attributes: &[syn::Attribute],
        arguments: Vec<TokenStream>,
    ) -> TokenStream {
        let Text { body, callees, constants, checks, .. } = self;
        let body = format!("struct @@ {{\n{body}}};\n");
        let own = types::ascii(&name.to_string());
        let cfg = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
        let callees = callees.iter().map(|(_, path)| {
            let span = path.span();
            quote_spanned!(span=> &<#path as ::retrograde::device::Function>::SOURCE)
        });
        let constants = constants.iter().map(|(_, path)| {
            let span = path.span();
            quote_spanned!(span=> ::retrograde::device::Printable::text(&#path))
        });
        let checks = checks.iter().map(|(source, span)| {
            quote_spanned!(*span=> ::retrograde::device::Check {
                text: #source, file: ::core::file!(), line: ::core::line!(),
            })
        });
        quote! {
            #(#cfg)*
            impl ::retrograde::device::Function for #name {
                const SOURCE: ::retrograde::device::Source = ::retrograde::device::Source {
                    name: #own,
                    module: ::core::module_path!(),
                    text: #body,
                    callees: &[#(#callees),*],
                    constants: || ::std::vec![#(#constants),*],
                    checks: &[#(#checks),*],
                    arguments: &[#(#arguments),*],
                };
            }
        }
    }
}

impl<'a> Printer<'a> {
    fn new(
        text: &'a mut Text,
        signature: &'a Signature,
        names: &'a Names,
        floats: &[String],
        diagnostics: &'a mut Diagnostics,
    ) -> Printer<'a> {
        let parameters: HashSet<String> = signature
            .generics
            .params
            .iter()
            .filter_map(|parameter| match parameter {
                GenericParam::Type(p) => Some(p.ident.to_string()),
                GenericParam::Const(p) => Some(p.ident.to_string()),
                GenericParam::Lifetime(_) => None,
            })
            .collect();
        let number = types::numbers(signature, floats).and_then(|mut all| match all.len() {
            1 => all.pop(),
            // Its literals are those of Rust.
            0 => Some("rg::f64".to_string()),
            _ => None,
        });
        let own = &signature.ident;
        let mut scope = Scope::default();
        parameters.iter().for_each(|name| scope.take(name.clone()));
        (0..2 * signature.inputs.len() + 2).for_each(|i| scope.take(format!("A{i}")));
        Printer {
            text,
            scope,
            parameters,
            number,
            generic: !crate::expand::all_built_in(signature),
            told: false,
            constants: Vec::new(),
            start: 0,
            level: 1,
            stand_ins: HashMap::new(),
            current: (Source::of(own.to_token_stream()), own.span()),
            number_of_current: None,
            own,
            names,
            diagnostics,
        }
    }

    fn line(&mut self, line: &str) {
        let indent = 2 * self.level;
        let _ = writeln!(self.text.body, "{:indent$}{line}", "");
    }

    /// The end of a function. Constants are declared at its start, so that there is a place
    /// to refer to.
    fn end(&mut self) {
        self.level -= 1;
        self.line("}");
        let lines: String = self
            .constants
            .iter()
            .map(|i| (types::constant(*i), self.only(&format!("@c{i}@"))))
            .map(|(name, value)| format!("    const auto {name} = {value};\n"))
            .collect();
        self.text.body.insert_str(self.start, &lines);
        let [before, now] = &mut self.text.refused;
        before.extend(now.drain());
    }

    /// The head of a function, and what tells its generic parameters. Of a signature
    /// with shadows, every other argument is one, after the first `before`.
    fn head(
        &mut self,
        name: &str,
        signature: &Signature,
        with_shadows: bool,
        result: &str,
        before: usize,
    ) {
        let mut templates = Vec::new();
        let mut list = Vec::new();
        let mut lines = Vec::new();
        let mut typed = Vec::new();
        for (i, argument) in signature.inputs.iter().enumerate() {
            let FnArg::Typed(argument) = argument else { continue };
            let Pat::Ident(own) = &*argument.pat else { continue };
            let shadow = with_shadows && i >= before && (i - before) % 2 == 1;
            templates.push(format!("class A{i}"));
            let name = self.scope.declare(&own.ident);
            if shadow || matches!(&*argument.ty, Type::Reference(_)) {
                list.push(format!("A{i}&& {name}"));
            } else {
                let given = self.scope.fresh("given");
                list.push(format!("const A{i}& {given}"));
                let ty = self.value_type(&argument.ty);
                let ty = ty.unwrap_or_else(|| format!("rg::Known<A{i}>"));
                lines.push(format!("const {ty} {name} = rg::as<{ty}>({given});"));
            }
            if let (Type::Reference(reference), false) = (&*argument.ty, shadow) {
                lines.extend(self.certain(&reference.elem, i));
            }
            if !shadow {
                typed.push((i, &*argument.ty));
            }
        }
        let templates = templates.join(", ");
        let list = list.join(", ");
        self.line(&format!("template <{templates}> RG static {result} {name}({list}) {{"));
        self.level += 1;
        for parameter in &signature.generics.params {
            let (name, kind) = match parameter {
                GenericParam::Type(p) => (&p.ident, "using"),
                GenericParam::Const(p) => (&p.ident, "constexpr rg::usize"),
                GenericParam::Lifetime(_) => continue,
            };
            // What is behind a reference has its type for sure; a literal need not.
            let (sure, given): (Vec<_>, Vec<_>) =
                typed.iter().partition(|(_, ty)| matches!(ty, Type::Reference(_)));
            let locate = |(i, ty): &(usize, &Type)| types::locate(ty, name, &format!("A{i}"));
            let found = match sure.iter().find_map(locate) {
                Some(found) => vec![found],
                None => given.iter().filter_map(locate).collect(),
            };
            match (&found[..], parameter) {
                ([first, ..], GenericParam::Const(_)) => {
                    self.line(&format!("[[maybe_unused]] {kind} {name} = {first};"));
                }
                ([_, ..], _) => {
                    self.line(&format!("{kind} {name} = rg::Known<{}>;", found.join(", ")));
                }
                ([], _) => {
                    self.refuse(
                        parameter,
                        "the device finds generic parameters in the types of the arguments",
                        "use it in the type of an argument",
                    );
                }
            }
        }
        self.start = self.text.body.len();
        lines.iter().for_each(|line| self.line(line));
    }

    /// The line that makes sure that an argument behind a reference has the type that it
    /// has in Rust.
    fn certain(&mut self, ty: &Type, i: usize) -> Option<String> {
        let (ty, there) = match ty {
            Type::Slice(slice) => (&*slice.elem, "Element"),
            other => (other, "Plain"),
        };
        let ty = self.value_type(ty)?;
        Some(format!("static_assert(rg::same<rg::{there}<A{i}>, {ty}>, \"of another type\");"))
    }

    /// The type of an argument passed by value, if it can be named.
    fn value_type(&mut self, ty: &Type) -> Option<String> {
        let mut lengths = Vec::new();
        let printed = types::print(ty, &self.parameters, &mut |length| {
            lengths.push(length.clone());
            format!("\u{1}{}\u{1}", lengths.len() - 1)
        });
        let mut printed = printed.ok()?;
        for (i, length) in lengths.iter().enumerate() {
            let length = self.length(length);
            printed = printed.replace(&format!("\u{1}{i}\u{1}"), &length);
        }
        Some(printed)
    }

    /// A type that a name is declared with; nothing, for a reference.
    fn type_of(&mut self, ty: &Type) -> String {
        if matches!(ty, Type::Reference(_) | Type::Infer(_)) {
            return String::new();
        }
        self.written(ty)
    }

    /// A type that must be written out.
    fn written(&mut self, ty: &Type) -> String {
        match self.value_type(ty) {
            Some(printed) => printed,
            None => self.refuse(
                ty,
                &format!("`{}` has no form on the device", text::of(ty)),
                "leave the annotation out, or use floats, `bool`, integers of 32 or 64 bits, \
                 arrays and tuples of them",
            ),
        }
    }

    /// The mark of a function that is called.
    fn callee(&mut self, path: &ExprPath) -> String {
        if path.path.is_ident(self.own) {
            return self.refuse(
                path,
                "a function that calls itself has no bound on the device",
                "use a loop",
            );
        }
        let mut path = path.clone();
        if let Some(last) = path.path.segments.last_mut() {
            last.arguments = syn::PathArguments::None;
        }
        let text = path.to_token_stream().to_string();
        let known = self.text.callees.iter().position(|(name, _)| *name == text);
        let number = known.unwrap_or_else(|| {
            self.text.callees.push((text, path));
            self.text.callees.len() - 1
        });
        format!("@{number}@")
    }

    /// A condition that holds, if the checks are on.
    fn check(&mut self, condition: &str) {
        let number = self.check_number();
        self.line(&format!("RG_CHECK({condition}, {number});"));
    }

    /// The number under which a check of the statement at hand is reported.
    fn check_number(&mut self) -> String {
        let number = self.number_of_current.unwrap_or_else(|| {
            self.text.checks.push(self.current.clone());
            self.text.checks.len() - 1
        });
        self.number_of_current = Some(number);
        format!("@k@ + {number}")
    }

    fn refuse(&mut self, what: &(impl ToTokens + ?Sized), reason: &str, help: &str) -> String {
        let tokens = what.to_token_stream();
        let refusal = (tokens.to_string(), reason.to_string());
        if self.text.refused[0].contains(&refusal) {
            return "0".to_string();
        }
        self.text.refused[1].insert(refusal);
        self.diagnostics.error(&tokens, reason, help);
        "0".to_string()
    }

    fn refuse_narrow(&mut self, what: &impl ToTokens) -> String {
        self.refuse(what, "the device computes with integers of 32 and 64 bits", "use one of those")
    }
}

/// A field of a struct, under a name that is free there.
pub fn field_name(name: &Ident) -> String {
    Scope::default().declare(name)
}
