//! What syntax tells of the types of expressions: enough to know what carries a
//! gradient, and where the formulas of real numbers hold. Where it does not
//! tell, traits decide.

use crate::ir::{Block, Kind as Do};
use crate::place::{Access, Step, identifiers, is_shape};
use crate::table::NameMap;
use crate::text::is_one_of;
use crate::visit::Visit;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::HashSet;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{
    BinOp, Expr, FnArg, GenericArgument, GenericParam, Lit, Member, Pat, PathArguments, Signature,
    Token, Type, TypeParamBound, UnOp, WherePredicate,
};

/// What is known of a type.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Kind {
    /// A real number: a float, or a type parameter that is `Real`.
    Real,
    /// A number that may be another, such as a complex one: a type parameter that is
    /// `Arithmetic`.
    Number,
    /// Carries no gradient: integers, `bool`, text.
    Constant,
    /// A range of indices.
    Range,
    /// A slice, an array or a vector.
    Sequence(Box<Kind>),
    /// A tuple.
    Tuple(Vec<Kind>),
    /// A function to be called: it carries none either.
    Function,
    /// Anything else.
    #[default]
    Unknown,
}

impl Kind {
    /// Whether nothing in it carries a gradient.
    pub fn is_constant(&self) -> bool {
        match self {
            Kind::Constant | Kind::Range | Kind::Function => true,
            Kind::Sequence(element) => element.is_constant(),
            Kind::Tuple(parts) => parts.iter().all(Kind::is_constant),
            Kind::Real | Kind::Number | Kind::Unknown => false,
        }
    }

    /// Whether it is a number, of which a sum may be made in any order.
    pub fn is_number(&self) -> bool {
        matches!(self, Kind::Real | Kind::Number)
    }

    /// Whether it is numbers one after the other.
    pub fn is_numbers(&self) -> bool {
        matches!(self, Kind::Sequence(element) if element.is_number())
    }

    /// Whether its traits have to tell what its derivatives are.
    pub fn is_open(&self) -> bool {
        matches!(self, Kind::Number | Kind::Unknown)
    }
}

/// What the type parameters of a function stand for.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    numbers: HashSet<Ident>,
    arithmetic: HashSet<Ident>,
    real: HashSet<Ident>,
    functions: HashSet<Ident>,
    /// Those of arguments that carry no gradient by the user's word, and of no others.
    constants: HashSet<Ident>,
}

const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
/// The traits whose types are real numbers.
const REAL: [&str; 1] = ["Real"];
/// The traits whose types have all of arithmetic.
const ARITHMETIC: [&str; 2] = ["Arithmetic", "Elementary"];
/// The traits whose types are numbers, which can be cloned.
const NUMBERS: [&str; 4] = ["AdditiveGroup", "Arithmetic", "Elementary", "Real"];
/// The traits of functions.
const FUNCTIONS: [&str; 5] = ["Reversible", "Adjoint", "Fn", "FnMut", "FnOnce"];

impl Parameters {
    /// The type parameters of a signature.
    pub fn of(signature: &Signature) -> Self {
        let mut parameters = Parameters::default();
        for parameter in &signature.generics.params {
            if let GenericParam::Type(parameter) = parameter {
                parameters.bound(&parameter.ident, parameter.bounds.iter());
            }
        }
        for predicate in signature.generics.where_clause.iter().flat_map(|w| &w.predicates) {
            if let WherePredicate::Type(predicate) = predicate
                && let Type::Path(path) = &predicate.bounded_ty
                && let Some(name) = path.path.get_ident()
            {
                parameters.bound(name, predicate.bounds.iter());
            }
        }
        parameters
    }

    /// The same, where some arguments are constant by the user's word: what their types alone
    /// speak of carries no gradient, in the arguments of a function value neither.
    pub fn with_constants(signature: &Signature, constants: &HashSet<Ident>) -> Self {
        let mut parameters = Parameters::of(signature);
        let names = |constant: bool| -> HashSet<Ident> {
            let arguments = signature.inputs.iter().filter_map(|argument| match argument {
                FnArg::Typed(typed) => match &*typed.pat {
                    Pat::Ident(name) => Some((constants.contains(&name.ident), &*typed.ty)),
                    _ => Some((false, &*typed.ty)),
                },
                FnArg::Receiver(_) => None,
            });
            let types = arguments.filter(|(is, _)| *is == constant).map(|(_, ty)| ty);
            types.flat_map(|ty| identifiers(&ty.to_token_stream())).collect()
        };
        let declared = signature.generics.type_params().map(|parameter| &parameter.ident);
        let (constant, active) = (names(true), names(false));
        let declared = declared.filter(|name| constant.contains(name) && !active.contains(name));
        parameters.constants = declared.cloned().collect();
        parameters
    }

    fn bound<'a>(&mut self, name: &Ident, bounds: impl Iterator<Item = &'a TypeParamBound>) {
        for bound in bounds {
            if names_trait(bound, &REAL) {
                self.real.insert(name.clone());
            }
            if names_trait(bound, &ARITHMETIC) {
                self.arithmetic.insert(name.clone());
            }
            if names_trait(bound, &NUMBERS) {
                self.numbers.insert(name.clone());
            }
            if names_trait(bound, &FUNCTIONS) {
                self.functions.insert(name.clone());
            }
        }
    }

    /// Claims that the types that are taken for numbers by their names are: that nobody has
    /// another `f64`, or a trait of the name `Real`.
    pub fn claims(signature: &Signature) -> TokenStream {
        struct Floats(Vec<Ident>);
        impl Visit<'_> for Floats {
            fn visit_type_path(&mut self, path: &syn::TypePath) {
                if let Some(name) = path.path.get_ident()
                    && is_one_of(name, &["f32", "f64"])
                    && !self.0.contains(name)
                {
                    self.0.push(name.clone());
                }
                crate::visit::visit_type_path(self, path);
            }
        }
        let parameters = Parameters::of(signature);
        let mut floats = Floats(Vec::new());
        signature.inputs.iter().for_each(|argument| floats.visit_fn_arg(argument));
        let declared = signature.generics.type_params().map(|parameter| &parameter.ident);
        let declared: Vec<&Ident> = declared.collect();
        let real = declared.iter().filter(|name| parameters.real.contains(**name));
        let real = floats.0.iter().chain(real.copied());
        let arithmetic = declared.iter().filter(|name| parameters.arithmetic.contains(**name));
        let claims: Vec<TokenStream> = real
            .map(|name| quote!(let _ = ::retrograde::__private::real::<#name>;))
            .chain(
                arithmetic
                    .map(|name| quote!(let _ = ::retrograde::__private::arithmetic::<#name>;)),
            )
            .collect();
        if claims.is_empty() {
            return TokenStream::new();
        }
        // In a function that nobody calls, so that nothing of it is in the program. There,
        // the type of an `impl` has no name.
        let (parameters, _, condition) = signature.generics.split_for_impl();
        if condition.is_some_and(|c| {
            crate::place::identifiers(&c.to_token_stream()).iter().any(|name| name == "Self")
        }) {
            return quote!(#(#claims)*);
        }
        quote! {
            const _: () = {
                #[allow(dead_code, clippy::extra_unused_lifetimes, clippy::extra_unused_type_parameters)]
                fn claims #parameters () #condition { #(#claims)* }
            };
        }
    }

    /// Whether a type is a parameter that stands for numbers.
    pub fn is_number(&self, ty: &Type) -> bool {
        matches!(ty, Type::Path(path)
            if path.path.get_ident().is_some_and(|name| self.numbers.contains(name)))
    }

    /// The one that stands for numbers, if there is but one.
    pub fn only_number(&self) -> Option<&Ident> {
        let mut numbers = self.numbers.iter();
        numbers.next().filter(|_| numbers.next().is_none())
    }

    /// What a type is.
    pub fn kind(&self, ty: &Type) -> Kind {
        match ty {
            Type::Reference(reference) => self.kind(&reference.elem),
            Type::Paren(inner) => self.kind(&inner.elem),
            Type::Group(inner) => self.kind(&inner.elem),
            Type::Slice(slice) => Kind::Sequence(Box::new(self.kind(&slice.elem))),
            Type::Array(array) => Kind::Sequence(Box::new(self.kind(&array.elem))),
            Type::Tuple(tuple) => Kind::Tuple(tuple.elems.iter().map(|ty| self.kind(ty)).collect()),
            Type::ImplTrait(opaque) if opaque.bounds.iter().any(|b| names_trait(b, &FUNCTIONS)) => {
                Kind::Function
            }
            Type::TraitObject(object)
                if object.bounds.iter().any(|b| names_trait(b, &FUNCTIONS)) =>
            {
                Kind::Function
            }
            Type::FnPtr(_) => Kind::Function,
            Type::Path(path) => self.path(path),
            _ => Kind::Unknown,
        }
    }

    fn path(&self, path: &syn::TypePath) -> Kind {
        const CONSTANT: [&str; 5] = ["bool", "char", "str", "String", "PhantomData"];
        if path.path.get_ident().is_some_and(|name| self.constants.contains(name)) {
            return Kind::Constant;
        }
        let Some(last) = path.path.segments.last() else { return Kind::Unknown };
        if path.qself.is_some() {
            return Kind::Unknown;
        }
        if is_one_of(&last.ident, &["f32", "f64"]) || self.real.contains(&last.ident) {
            return Kind::Real;
        }
        if self.arithmetic.contains(&last.ident) {
            return Kind::Number;
        }
        if is_one_of(&last.ident, &CONSTANT) || is_one_of(&last.ident, &INTEGERS) {
            return Kind::Constant;
        }
        if self.functions.contains(&last.ident) {
            return Kind::Function;
        }
        let element = match &last.arguments {
            PathArguments::AngleBracketed(generics) => match generics.args.first() {
                Some(GenericArgument::Type(element)) => Some(element),
                _ => None,
            },
            _ => None,
        };
        match element {
            Some(element) if last.ident == "Vec" => Kind::Sequence(Box::new(self.kind(element))),
            Some(element) if is_one_of(&last.ident, &["Box", "Option"]) => {
                let element = self.kind(element);
                if element.is_constant() { element } else { Kind::Unknown }
            }
            _ => Kind::Unknown,
        }
    }
}

/// Whether a type or a value has the name of complex numbers in it.
fn speaks_of_complex(tokens: &impl ToTokens) -> bool {
    identifiers(&tokens.to_token_stream()).iter().any(is_complex)
}

/// Whether this is a name of complex numbers.
pub fn is_complex(name: &Ident) -> bool {
    is_one_of(name, &["Complex", "Complex32", "Complex64"])
}

/// Whether a bound names one of some traits, by the last part of its path.
pub fn names_trait(bound: &TypeParamBound, traits: &[&str]) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    bound.path.segments.last().is_some_and(|last| is_one_of(&last.ident, traits))
}

/// The kinds of the names in scope.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    names: NameMap<Kind>,
    parameters: Parameters,
    /// What a float literal is: real, unless a type that may be another could
    /// be meant.
    literal: Kind,
    /// Names of what may be complex numbers, by the spelling of their types.
    complex: HashSet<Ident>,
    /// Names that are `#[constant]`.
    constants: HashSet<Ident>,
    /// Whether nobody asks for derivatives.
    underived: bool,
}

impl Kinds {
    /// The kinds of a function's arguments; `constants` are those that carry no
    /// gradient by the user's word.
    pub fn of(signature: &Signature, associated: bool, constants: &HashSet<Ident>) -> Self {
        let parameters = Parameters::of(signature);
        let mut names = NameMap::default();
        let mut all_real = !associated;
        let mut complex = HashSet::new();
        for argument in &signature.inputs {
            if let FnArg::Typed(typed) = argument
                && let Pat::Ident(name) = &*typed.pat
            {
                let kind = parameters.kind(&typed.ty);
                all_real &= is_known(&kind) || constants.contains(&name.ident);
                names.insert(&name.ident, kind);
                if speaks_of_complex(&typed.ty) {
                    complex.insert(name.ident.clone());
                }
            }
        }
        let literal = if all_real { Kind::Real } else { Kind::Unknown };
        let (constants, underived) = (constants.clone(), false);
        Kinds { names, parameters, literal, complex, constants, underived }
    }

    /// The same, of a function that has no derivatives.
    #[must_use]
    pub fn without_derivatives(self) -> Self {
        Kinds { underived: true, ..self }
    }

    /// Whether the function has derivatives.
    pub fn has_derivatives(&self) -> bool {
        !self.underived
    }

    /// Whether what is called on these may be an ordinary function, which does not say what it
    /// decides: where a gradient goes through, it has a derivative, and says so.
    pub fn may_be_ordinary(&self, passed: &[Ident]) -> bool {
        self.underived || passed.iter().all(|name| self.constants.contains(name))
    }

    /// Takes note of an ancilla that may hold complex numbers.
    pub fn declare_value(&mut self, name: &Ident, value: &Expr) {
        if speaks_of_complex(value) {
            self.complex.insert(name.clone());
        }
    }

    /// Whether a place may hold complex numbers, which real ones can be added to. The types
    /// have the last word.
    pub fn may_be_complex(&self, place: &Access) -> bool {
        let is_part = matches!(place.path.last(), Some(Step::Field(Member::Named(part)))
            if is_one_of(part, &["re", "im"]));
        !is_part && self.complex.contains(&place.root)
    }

    /// The kinds of all names of a function, of its arguments and in its body. A name that
    /// is given to things of several kinds is of none.
    pub fn of_all_names(signature: &Signature, body: &Block) -> Self {
        let mut kinds = Kinds::of(signature, true, &HashSet::new());
        kinds.declare_all(body);
        kinds
    }

    fn declare_all(&mut self, body: &Block) {
        for statement in body {
            match &statement.kind {
                Do::Bind(binding) | Do::Unbind(binding) => {
                    let (pattern, kind) = match &binding.pattern {
                        Pat::Type(typed) => (&*typed.pat, self.of_type(&typed.ty)),
                        pattern => (pattern, self.of_expr(&binding.value)),
                    };
                    self.unless_otherwise(pattern, |kinds| kinds.declare_parts(pattern, &kind));
                }
                Do::Allocate(ancilla) | Do::Release(ancilla) => {
                    let kind = match &ancilla.ty {
                        Some(ty) => self.of_type(ty),
                        None => self.of_expr(&ancilla.value),
                    };
                    let known = self.names.get(&ancilla.name).is_none_or(|known| *known == kind);
                    self.declare(&ancilla.name, if known { kind } else { Kind::Unknown });
                }
                Do::Compute { compute, body } => {
                    self.declare_all(compute);
                    self.declare_all(body);
                }
                Do::If { arms, otherwise } => {
                    arms.iter().for_each(|arm| self.declare_all(&arm.body));
                    otherwise.iter().for_each(|body| self.declare_all(body));
                }
                Do::For { pattern, sequence, body, .. } => {
                    self.unless_otherwise(pattern, |kinds| {
                        kinds.declare_elements(pattern, sequence);
                    });
                    self.declare_all(body);
                }
                Do::While { body, .. } | Do::Block(body) => self.declare_all(body),
                Do::Update { .. } | Do::Call(_) | Do::Host(_) => {}
            }
        }
    }

    /// Declares the names of a pattern, unless they are known to be of other kinds.
    fn unless_otherwise(&mut self, pattern: &Pat, declare: impl FnOnce(&mut Kinds)) {
        let names = crate::names::pattern_names(pattern);
        let before: Vec<_> = names.iter().map(|name| self.names.get(name).cloned()).collect();
        declare(self);
        for (name, before) in names.iter().zip(before) {
            if before.is_some_and(|kind| kind != self.name(name)) {
                self.declare(name, Kind::Unknown);
            }
        }
    }

    /// With literals as another function has them.
    pub fn with_literals_of(self, other: &Kinds) -> Self {
        Kinds { literal: other.literal.clone(), ..self }
    }

    /// Declares a name.
    pub fn declare(&mut self, name: &Ident, kind: Kind) {
        self.names.insert(name, kind);
    }

    /// Whether all names of a pattern are `#[constant]`.
    pub fn are_constant(&self, names: &[Ident]) -> bool {
        !names.is_empty() && names.iter().all(|name| self.constants.contains(name))
    }

    /// Whether what a `let` gives names to carries no gradient.
    pub fn binds_constants(&self, pattern: &Pat, value: &Expr) -> bool {
        let kind = match pattern {
            Pat::Type(typed) => self.of_type(&typed.ty),
            _ => self.of_expr(value),
        };
        kind.is_constant() || self.are_constant(&crate::names::pattern_names(pattern))
    }

    /// Whether an ancilla carries no gradient.
    pub fn is_constant_ancilla(&self, ancilla: &crate::ir::Ancilla) -> bool {
        let kind = match &ancilla.ty {
            Some(ty) => self.of_type(ty),
            None => self.of_expr(&ancilla.value),
        };
        kind.is_constant() || self.constants.contains(&ancilla.name)
    }

    /// Whether something is known by a name.
    pub fn is_declared(&self, name: &Ident) -> bool {
        self.names.get(name).is_some()
    }

    /// The kind of a name.
    pub fn name(&self, name: &Ident) -> Kind {
        self.names.get(name).cloned().unwrap_or(Kind::Unknown)
    }

    /// The kind of a type.
    pub fn of_type(&self, ty: &Type) -> Kind {
        self.parameters.kind(ty)
    }

    /// Declares the variables of a loop.
    pub fn declare_elements(&mut self, pattern: &Pat, sequence: &Expr) {
        let pattern = match pattern {
            Pat::Paren(inner) => &*inner.pat,
            other => other,
        };
        let kind = match sequence {
            Expr::Paren(e) => return self.declare_elements(pattern, &e.expr),
            Expr::Range(_) => Kind::Constant,
            Expr::Reference(e) => Kinds::element(self.of_expr(&e.expr)),
            Expr::MethodCall(call) => match (call.method.to_string().as_str(), pattern) {
                ("zip", Pat::Tuple(pair)) if pair.elems.len() == 2 && call.args.len() == 1 => {
                    self.declare_elements(&pair.elems[0], &call.receiver);
                    return self.declare_elements(&pair.elems[1], &call.args[0]);
                }
                ("enumerate", Pat::Tuple(pair)) if pair.elems.len() == 2 => {
                    self.declare_parts(&pair.elems[0], &Kind::Constant);
                    return self.declare_elements(&pair.elems[1], &call.receiver);
                }
                ("rev" | "skip" | "take" | "step_by" | "into_iter" | "cloned" | "copied", _) => {
                    return self.declare_elements(pattern, &call.receiver);
                }
                ("iter" | "iter_mut", _) => Kinds::element(self.of_expr(&call.receiver)),
                ("chunks" | "chunks_mut" | "chunks_exact" | "chunks_exact_mut" | "windows", _) => {
                    self.of_expr(&call.receiver)
                }
                _ => Kind::Unknown,
            },
            other => Kinds::element(self.of_expr(other)),
        };
        self.declare_parts(pattern, &kind);
    }

    /// Declares the names of a pattern that takes apart a value.
    pub(crate) fn declare_parts(&mut self, pattern: &Pat, kind: &Kind) {
        match pattern {
            Pat::Ident(name) => {
                self.declare(&name.ident, kind.clone());
                if let Some((_, parts)) = &name.subpat {
                    self.declare_parts(parts, kind);
                }
            }
            Pat::Reference(inner) => self.declare_parts(&inner.pat, kind),
            Pat::Paren(inner) => self.declare_parts(&inner.pat, kind),
            Pat::Tuple(tuple) => {
                for (i, part) in tuple.elems.iter().enumerate() {
                    let kind = match kind {
                        Kind::Tuple(kinds) => kinds.get(i).cloned().unwrap_or(Kind::Unknown),
                        Kind::Constant => Kind::Constant,
                        _ => Kind::Unknown,
                    };
                    self.declare_parts(part, &kind);
                }
            }
            other => {
                for name in crate::names::pattern_names(other) {
                    self.declare(&name, Kind::Unknown);
                }
            }
        }
    }

    /// The kind of the elements of something.
    pub fn element(kind: Kind) -> Kind {
        match kind {
            Kind::Sequence(element) => *element,
            Kind::Constant | Kind::Range => Kind::Constant,
            _ => Kind::Unknown,
        }
    }

    /// The kind of an expression.
    pub fn of_expr(&self, expr: &Expr) -> Kind {
        match expr {
            Expr::Paren(e) => self.of_expr(&e.expr),
            Expr::Group(e) => self.of_expr(&e.expr),
            Expr::Reference(e) => self.of_expr(&e.expr),
            Expr::Path(e) => match e.path.get_ident().and_then(|name| self.names.get(name)) {
                Some(kind) => kind.clone(),
                None if e.path.segments.iter().any(|s| s.ident == "consts") => self.literal.clone(),
                None => Kind::Unknown,
            },
            Expr::Lit(e) => match &e.lit {
                Lit::Float(_) => self.literal.clone(),
                _ => Kind::Constant,
            },
            Expr::Unary(e) => match e.op {
                UnOp::Not(_) => Kind::Constant,
                _ => self.of_expr(&e.expr),
            },
            Expr::Field(e) => match (self.of_expr(&e.base), &e.member) {
                (Kind::Tuple(parts), syn::Member::Unnamed(index)) => {
                    parts.get(index.index as usize).cloned().unwrap_or(Kind::Unknown)
                }
                _ => Kind::Unknown,
            },
            Expr::Index(e) => match (self.of_expr(&e.expr), self.of_expr(&e.index)) {
                (sequence @ Kind::Sequence(_), Kind::Range) => sequence,
                (Kind::Sequence(element), _) => *element,
                (kind, _) if kind.is_constant() => kind,
                _ => Kind::Unknown,
            },
            Expr::Binary(e) => self.binary(e),
            Expr::Cast(e) => self.of_type(&e.ty),
            Expr::MethodCall(e) => self.method(e),
            Expr::Call(e) => match (crate::differentiate::claim(expr), &*e.func) {
                (Some((claim, _)), _) if claim == "constant" => Kind::Constant,
                (Some((_, about)), _) => self.of_expr(about),
                (None, Expr::Path(path)) => self.call(path),
                _ => Kind::Unknown,
            },
            Expr::If(e) => match (last(&e.then_branch), &e.else_branch) {
                (Some(value), Some((_, other))) => {
                    self.either(value, self.of_block(&e.then_branch), [&**other])
                }
                _ => Kind::Unknown,
            },
            Expr::Block(e) => self.of_block(&e.block),
            Expr::Tuple(e) => Kind::Tuple(e.elems.iter().map(|e| self.of_expr(e)).collect()),
            Expr::Array(e) => Kind::Sequence(Box::new(self.of_elements(&e.elems))),
            Expr::Repeat(e) => Kind::Sequence(Box::new(self.of_expr(&e.expr))),
            Expr::Macro(e) if e.mac.path.is_ident("vec") => {
                type List = Punctuated<Expr, Token![,]>;
                let element = match e.mac.parse_body_with(List::parse_terminated) {
                    Ok(elements) => self.of_elements(&elements),
                    Err(_) => {
                        let first = e.mac.parse_body_with(|input: ParseStream| {
                            let first = input.parse::<Expr>()?;
                            input.parse::<proc_macro2::TokenStream>()?;
                            Ok(first)
                        });
                        first.map_or(Kind::Unknown, |e| self.of_expr(&e))
                    }
                };
                Kind::Sequence(Box::new(element))
            }
            Expr::Macro(e) if e.mac.path.is_ident("matches") => Kind::Constant,
            Expr::Range(_) => Kind::Range,
            _ => Kind::Unknown,
        }
    }

    /// The kind of the value of a block, which may be made of `let`s.
    fn of_block(&self, block: &syn::Block) -> Kind {
        let Some((syn::Stmt::Expr(value, None), lets)) = block.stmts.split_last() else {
            return Kind::Unknown;
        };
        if lets.is_empty() {
            return self.of_expr(value);
        }
        let mut inside = self.clone();
        for statement in lets {
            let syn::Stmt::Local(local) = statement else { continue };
            let kind = local.init.as_ref().map(|init| inside.of_expr(&init.expr));
            match &local.pat {
                Pat::Type(typed) => {
                    let kind = inside.of_type(&typed.ty);
                    inside.declare_parts(&typed.pat, &kind);
                }
                pattern => inside.declare_parts(pattern, &kind.unwrap_or(Kind::Unknown)),
            }
        }
        inside.of_expr(value)
    }

    /// The kind of what has the type of all of these. What was rounded carries no gradient, and
    /// neither does a decision that is recalled: what stands beside it may, if it is no integer.
    fn either<'e>(
        &self,
        first: &Expr,
        kind: Kind,
        others: impl IntoIterator<Item = &'e Expr>,
    ) -> Kind {
        if kind != Kind::Constant || is_whole(first) {
            return kind;
        }
        for other in others {
            let kind = self.of_expr(other);
            if kind != Kind::Constant || is_whole(other) {
                return kind;
            }
        }
        kind
    }

    fn of_elements(&self, elements: &Punctuated<Expr, Token![,]>) -> Kind {
        let mut elements = elements.iter();
        let Some(first) = elements.next() else { return Kind::Unknown };
        self.either(first, self.of_expr(first), elements)
    }

    fn binary(&self, e: &syn::ExprBinary) -> Kind {
        use BinOp::*;
        match e.op {
            Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) => {
                match (self.of_expr(&e.left), self.of_expr(&e.right)) {
                    (Kind::Real, Kind::Real) => Kind::Real,
                    (Kind::Constant, Kind::Constant) => Kind::Constant,
                    _ => Kind::Unknown,
                }
            }
            _ => Kind::Constant,
        }
    }

    /// Whether the functions of a type or trait are those of numbers: `f64::max`.
    pub fn is_number_type(&self, name: &Ident) -> bool {
        is_one_of(name, &["f32", "f64", "Arithmetic", "Elementary", "Real"])
            || self.parameters.numbers.contains(name)
    }

    /// `T::zero()`, `f64::from(n)`, `f64::max(a, b)`
    fn call(&self, path: &syn::ExprPath) -> Kind {
        const OF_NUMBERS: [&str; 5] = ["from", "from_f64", "literal", "one", "zero"];
        let segments = &path.path.segments;
        let (Some(last), 2) = (segments.last(), segments.len()) else { return Kind::Unknown };
        let owner = &segments[0].ident;
        if is_one_of(owner, &INTEGERS) {
            return Kind::Constant;
        }
        let real = is_one_of(owner, &["f32", "f64"]) || self.parameters.real.contains(owner);
        let function = last.ident.to_string();
        let number =
            OF_NUMBERS.contains(&function.as_str()) || crate::functions::is_known(&function);
        if real && number { Kind::Real } else { Kind::Unknown }
    }

    fn method(&self, e: &syn::ExprMethodCall) -> Kind {
        let name = e.method.to_string();
        if is_shape(&name) || name.starts_with("is_") || name.starts_with("wrapping_") {
            return Kind::Constant;
        }
        let receiver = self.of_expr(&e.receiver);
        match name.as_str() {
            "clone" | "to_owned" | "to_vec" | "as_slice" | "scaled" => receiver,
            "sin_cos" if receiver == Kind::Real => Kind::Tuple(vec![Kind::Real, Kind::Real]),
            "to_bits" | "to_be_bytes" | "to_le_bytes" | "to_ne_bytes" | "contains"
            | "count_ones" | "leading_zeros" | "trailing_zeros" | "contains_key" => Kind::Constant,
            _ if crate::functions::is_known(&name) => {
                match self.either(&e.receiver, receiver, &e.args) {
                    Kind::Real => Kind::Real,
                    Kind::Constant => Kind::Constant,
                    _ => Kind::Unknown,
                }
            }
            _ => Kind::Unknown,
        }
    }
}

/// The value of a block.
fn last(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.last() {
        Some(syn::Stmt::Expr(value, None)) => Some(value),
        _ => None,
    }
}

/// Whether what carries no gradient is spelled as an integer or a truth value.
fn is_whole(value: &Expr) -> bool {
    matches!(value, Expr::Lit(_) | Expr::Cast(_))
}

/// Whether everything in it is real or constant.
fn is_known(kind: &Kind) -> bool {
    match kind {
        Kind::Real | Kind::Constant | Kind::Range => true,
        Kind::Sequence(element) => is_known(element),
        Kind::Tuple(parts) => parts.iter().all(is_known),
        Kind::Function | Kind::Number | Kind::Unknown => false,
    }
}
