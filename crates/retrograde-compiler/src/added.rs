//! Which arguments a function only adds to.
//!
//! Then its adjoint never writes their shadows, and value and gradient can be had in one pass,
//! see [`crate::gradient`]. Where it passes one on to another function, that one has to say
//! whether it only adds to it, too.
//!
//! A function that does not even read what it adds to may start from any value: such functions
//! can be summed up in parts, see `Reversible::accumulates`.

use crate::adjoint::Shadowed;
use crate::effects;
use crate::emit::companion;
use crate::ir::{Block, Call, Callee, Direction, Function, Kind, Operator, Statement};
use crate::names::{Mode, Names};
use crate::place::{
    Access, Overlap, Step, bare_name, identifiers, mutable_borrows, reads, reads_of_place,
};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{ExprPath, FnArg, Pat, PathArguments, Signature, Type, Visibility, parse_quote};

/// How deep functions that call each other are asked.
const DEPTH: u32 = 4;

/// The arguments that a function writes, by their places, and whether it only adds to them.
#[derive(Clone, Debug, Default)]
pub struct AddedTo {
    /// In order.
    pub written: Vec<(usize, Option<Added>)>,
}

/// Whether a function only adds to all that it writes.
pub enum Answer {
    /// It does.
    Yes,
    /// If this holds, which depends on the functions that it calls.
    If(TokenStream),
    /// It does not, or nobody knows.
    No,
}

impl AddedTo {
    /// Of a function and its adjoint, with the names in each. Nothing is known of one that
    /// runs anything that might be counted.
    pub fn of(
        function: &Function,
        names: &Names,
        shadowed: &Shadowed,
        adjoint: (&Block, &Names),
    ) -> Self {
        let Function { signature, associated, items, .. } = function;
        let (block, names_of_adjoint) = adjoint;
        if *associated || !shadowed.active || effects::of_block(block, names_of_adjoint).host {
            return AddedTo::default();
        }
        let added = self::added_to(block, &shadowed.hidden, names_of_adjoint);
        AddedTo::among(signature, names, items.is_empty(), added)
    }

    /// What a function only adds to, and does not read.
    pub fn unread(function: &Function, names: &Names) -> Self {
        let Function { signature, associated, items, body, .. } = function;
        let Some(block) = body.as_ref().filter(|_| !associated) else {
            return AddedTo::default();
        };
        let added = unread(block, signature, names);
        AddedTo::among(signature, names, items.is_empty(), added)
    }

    /// All that an instruction writes, by its author's word.
    pub fn promised(signature: &Signature) -> Self {
        let inputs = signature.inputs.iter().enumerate();
        let written = inputs.filter(|(_, argument)| match argument {
            FnArg::Typed(typed) => {
                matches!(&*typed.ty, Type::Reference(reference) if reference.mutability.is_some())
            }
            FnArg::Receiver(_) => true,
        });
        AddedTo { written: written.map(|(i, _)| (i, Some(Added::default()))).collect() }
    }

    /// What is known of each argument, of those that are written. `alone`: whether the body
    /// declares no items.
    fn among(
        signature: &Signature,
        names: &Names,
        alone: bool,
        added: Vec<Option<Added>>,
    ) -> AddedTo {
        let mut added_to = AddedTo::default();
        let is_written = |argument: &FnArg| match argument {
            FnArg::Typed(typed) => match (&*typed.ty, &*typed.pat) {
                (Type::Reference(reference), _) => reference.mutability.is_some(),
                (_, Pat::Ident(name)) => names.holds_references(&name.ident),
                _ => true,
            },
            FnArg::Receiver(_) => true,
        };
        for (i, (argument, added)) in signature.inputs.iter().zip(added).enumerate() {
            if is_written(argument) {
                // What an item of the body means is known in the body alone.
                let known = added.filter(|added| alone || added.callees.is_empty());
                added_to.written.push((i, known));
            }
        }
        added_to
    }

    /// Whether the function only adds to all that it writes; `ask` is the name of the function
    /// that tells, see [`emit`](Self::emit).
    pub fn to_all(&self, own: &Ident, ask: &str) -> Answer {
        let ask = Ident::new(ask, own.span());
        let (mut all, mut certain) = (0, true);
        for (position, added) in &self.written {
            let (Some(added), Some(bit)) = (added, bit(*position)) else { return Answer::No };
            certain &= added.callees.is_empty();
            all |= bit;
        }
        match (all, certain) {
            (0, _) => Answer::No,
            (_, true) => Answer::Yes,
            _ => Answer::If(quote!(Self::#ask(#DEPTH) & #all == #all)),
        }
    }

    /// Whether the function only adds to one argument; `ask` as in [`to_all`](Self::to_all).
    pub fn to_one(&self, position: usize, own: &Ident, ask: &str) -> Answer {
        let ask = Ident::new(ask, own.span());
        let known = self.written.iter().find(|(at, _)| *at == position);
        match (known.and_then(|(_, added)| added.as_ref()), bit(position)) {
            (Some(added), Some(_)) if added.callees.is_empty() => Answer::Yes,
            (Some(_), Some(bit)) => Answer::If(quote!(#own::#ask(#DEPTH) & #bit != 0)),
            _ => Answer::No,
        }
    }

    /// The function that tells others, if there is anything to tell.
    pub fn emit(&self, visibility: &Visibility, ask: &str) -> Option<TokenStream> {
        let (mut bits, mut asks) = (Vec::new(), false);
        for (position, added) in &self.written {
            let (Some(Added { callees }), Some(own)) = (added, bit(*position)) else { continue };
            let asked = callees.iter().map(|(path, position)| {
                let mut path = path.clone();
                path.path.segments.iter_mut().for_each(|s| s.arguments = PathArguments::None);
                let callee = companion(&path, ask, &[parse_quote!(depth - 1)], None);
                let bit = bit(*position).unwrap_or(0);
                quote!(&& (#callee & #bit) != 0)
            });
            bits.push(match callees.is_empty() {
                true => quote!(#own),
                false => quote!(if depth > 0 #(#asked)* { #own } else { 0 }),
            });
            asks |= !callees.is_empty();
        }
        let depth = if asks { quote!(depth) } else { quote!(_) };
        let ask = Ident::new(ask, proc_macro2::Span::call_site());
        (!bits.is_empty()).then(|| {
            quote! {
                #[doc(hidden)]
                #[inline]
                #visibility fn #ask(#depth: u32) -> u64 {
                    #((#bits))|*
                }
            }
        })
    }
}

/// The name of the function that tells what is [only added to](AddedTo::of).
pub const ADDS_TO: &str = "__adds_to";
/// The name of the one that tells what is also [not read](AddedTo::unread).
pub const ACCUMULATES: &str = "__accumulates";

/// The mark of an argument.
fn bit(position: usize) -> Option<u64> {
    1_u64.checked_shl(position.try_into().ok()?)
}

/// An argument that is only added to, if that is true of what it is passed on to: functions,
/// and which of their arguments it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Added {
    /// The other functions.
    pub callees: Vec<(ExprPath, usize)>,
}

/// Of each argument, whether the function only adds to it: of the block that is the
/// adjoint, before anything is left out of it.
pub fn added_to(block: &Block, signature: &Signature, names: &Names) -> Vec<Option<Added>> {
    let of_argument = |(index, argument): (usize, &FnArg)| {
        let FnArg::Typed(typed) = argument else { return None };
        let Pat::Ident(name) = &*typed.pat else { return None };
        let shadow = Access::whole(&name.ident);
        let own = (&signature.ident, index);
        let mut search = Search { own, shadow, names, added: Added::default() };
        search.block(block)?;
        Some(search.added)
    };
    signature.inputs.iter().skip(1).step_by(2).enumerate().map(of_argument).collect()
}

struct Search<'a> {
    /// The function, and which of its arguments it is.
    own: (&'a Ident, usize),
    shadow: Access,
    names: &'a Names,
    added: Added,
}

impl Search<'_> {
    /// `None` if the shadow may be written here.
    fn block(&mut self, block: &Block) -> Option<()> {
        block.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Option<()> {
        match &statement.kind {
            Kind::For { body, .. } | Kind::While { body, .. } | Kind::Block(body) => {
                self.block(body)
            }
            Kind::Compute { compute, body } => {
                self.block(compute)?;
                self.block(body)
            }
            Kind::If { arms, otherwise } => {
                arms.iter().try_for_each(|arm| self.block(&arm.body))?;
                otherwise.iter().try_for_each(|body| self.block(body))
            }
            Kind::Call(call)
                if matches!(call.direction, Direction::Adjoint | Direction::InverseAdjoint)
                    && let Callee::Function(path) = &call.callee =>
            {
                for (position, argument) in call.arguments.iter().enumerate() {
                    let used = identifiers(&argument.to_token_stream());
                    if !used.iter().any(|name| self.is_shadow(&Access::whole(name))) {
                        continue;
                    }
                    // Shadows follow what they are the shadows of.
                    if position % 2 == 0 {
                        return None;
                    }
                    let callee = (path.clone(), position / 2);
                    // Of the function itself it is true if it is true of the rest.
                    let own = path.path.is_ident(self.own.0) && position / 2 == self.own.1;
                    if !own && !self.added.callees.contains(&callee) {
                        self.added.callees.push(callee);
                    }
                }
                Some(())
            }
            _ => {
                let writes = effects::of(statement, self.names).writes;
                (!writes.iter().any(|write| self.is_shadow(&write.access))).then_some(())
            }
        }
    }

    fn is_shadow(&self, access: &Access) -> bool {
        self.names.overlap(access, &self.shadow) != Overlap::Never
    }
}

/// Of each argument, whether the function only adds to it and does not read it.
fn unread(block: &Block, signature: &Signature, names: &Names) -> Vec<Option<Added>> {
    let of_argument = |(index, argument): (usize, &FnArg)| {
        let FnArg::Typed(typed) = argument else { return None };
        let Pat::Ident(name) = &*typed.pat else { return None };
        let own = (&signature.ident, index);
        let value = Access::whole(&name.ident);
        let mut search = Unread { own, value, names, added: Added::default() };
        search.block(block)?;
        Some(search.added)
    };
    signature.inputs.iter().enumerate().map(of_argument).collect()
}

struct Unread<'a> {
    /// The function, and which of its arguments it is.
    own: (&'a Ident, usize),
    value: Access,
    names: &'a Names,
    added: Added,
}

impl Unread<'_> {
    /// `None` if the value may be read here, or changed by more than a sum.
    fn block(&mut self, block: &Block) -> Option<()> {
        block.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Option<()> {
        match &statement.kind {
            Kind::For { sequence, body, .. } => {
                self.only_shapes(&effects::of_sequence(sequence))?;
                self.block(body)
            }
            Kind::While { pre, post, body, .. } => {
                self.only_shapes(&reads(pre))?;
                self.only_shapes(&reads(post))?;
                self.block(body)
            }
            Kind::If { arms, otherwise } => {
                for arm in arms {
                    self.only_shapes(&reads(&arm.pre))?;
                    self.only_shapes(&reads(&arm.post))?;
                    self.block(&arm.body)?;
                }
                otherwise.iter().try_for_each(|body| self.block(body))
            }
            Kind::Block(body) => self.block(body),
            Kind::Compute { compute, body } => {
                self.block(compute)?;
                self.block(body)
            }
            Kind::Call(call) if let Callee::Function(path) = &call.callee => self.call(call, path),
            // Another name of it: what is done to that is seen.
            Kind::Bind(binding) | Kind::Unbind(binding)
                if self.names.view(&binding.value).is_some() =>
            {
                self.only_shapes(&reads_of_place(&binding.value))
            }
            kind => {
                let effects = effects::of(statement, self.names);
                self.only_shapes(&effects.reads)?;
                let sum = matches!(
                    kind,
                    Kind::Update { operator: Operator::Add | Operator::Subtract, .. }
                );
                let written = effects.writes.iter().any(|write| self.is_value(&write.access));
                (sum || !written).then_some(())
            }
        }
    }

    fn call(&mut self, call: &Call, path: &ExprPath) -> Option<()> {
        for (position, argument) in call.arguments.iter().enumerate() {
            let used = identifiers(&argument.to_token_stream());
            if !used.iter().any(|name| self.is_value(&Access::whole(name))) {
                continue;
            }
            let name = bare_name(argument);
            let lent = match name {
                Some(name) => self.names.mode(name) == Mode::Mutable,
                None => matches!(argument, syn::Expr::Reference(_)),
            };
            if name.is_none() {
                let borrowed = mutable_borrows(argument);
                let own = |read: &Access| {
                    borrowed.iter().any(|lent| effects::same_place(&lent.expr, &read.expr))
                };
                let rest: Vec<_> = reads(argument).into_iter().filter(|read| !own(read)).collect();
                self.only_shapes(&rest)?;
                if borrowed.is_empty() {
                    continue;
                }
            }
            let callee = (path.clone(), position);
            // Of the function itself it is true if it is true of the rest.
            let own = path.path.is_ident(self.own.0) && position == self.own.1;
            if !own && !self.added.callees.contains(&callee) {
                self.added.callees.push(callee);
            }
            lent.then_some(())?;
        }
        Some(())
    }

    /// `None` if one of these is more than the shape of the value.
    fn only_shapes(&self, reads: &[Access]) -> Option<()> {
        let shape = |read: &Access| read.path.last() == Some(&Step::Shape);
        (!reads.iter().any(|read| !shape(read) && self.is_value(read))).then_some(())
    }

    fn is_value(&self, access: &Access) -> bool {
        self.names.overlap(access, &self.value) != Overlap::Never
    }
}
