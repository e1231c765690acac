//! Following what is undone: the magnitudes that ancillas and arguments come to on their way,
//! which say how much rounding may be left of them.

use super::{Emitter, extent, scale_name};
use crate::effects;
use crate::ir::{Block, Call, Kind, Statement};
use crate::names::{Mode, Names};
use crate::place::{Access, Step, access, bare_name, mutable_borrows};
use crate::table::NameSet;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{BinOp, Expr};

impl Emitter<'_> {
    /// What a statement writes, also through parts that are borrowed for all of a loop inside.
    pub(super) fn written(&self, statement: &Statement) -> Vec<Access> {
        let own = effects::of(statement, self.values.names).writes.into_iter();
        let mut written: Vec<Access> = own.map(|write| write.access).collect();
        borrowed_inside(statement, &mut written);
        written
    }

    /// Takes note of the magnitude that an ancilla has reached.
    pub(super) fn follow(
        &self,
        write: &Access,
        own: &[&Ident],
        everywhere: &[&Ident],
        statement: &Statement,
    ) -> Option<(Ident, TokenStream)> {
        let root = self.values.names.resolve(write).into_iter().next()?.root;
        let name = *own.iter().chain(everywhere).find(|name| ***name == root)?;
        let (scale, span) = (scale_name(name), statement.span);
        // What is undone may have lost its digits.
        if statement.undoes && !everywhere.contains(&name) {
            return None;
        }
        let see = match &statement.kind {
            Kind::Update { place, .. } if everywhere.contains(&name) => {
                quote_spanned!(span=> #scale.see(&#place);)
            }
            Kind::Update { place, .. } => {
                let extent = extent(place, span);
                quote_spanned!(span=> #scale.see_extent(#extent);)
            }
            Kind::Call(call) if everywhere.contains(&name) && call.is_swap() => {
                quote_spanned!(span=> #scale.see_move();)
            }
            // A view of it may still be in use.
            _ if write.root != *name => return None,
            _ if !everywhere.contains(&name) => {
                let extent = extent(name, span);
                quote_spanned!(span=> #scale.see_extent(#extent);)
            }
            Kind::Call(_) if own.contains(&name) => {
                let place = plain(write);
                quote_spanned!(span=> #scale.see_after(&#place);)
            }
            // What is inside was seen there; but not what functions do.
            _ if own.contains(&name) && rounds_out_of_sight(statement, name, self.values.names) => {
                quote_spanned!(span=> #scale.see_after(&#name);)
            }
            _ => return None,
        };
        Some((name.clone(), see))
    }

    /// Takes note of the magnitude of something that belongs to the blocks around this one, and
    /// is going to be undone. Of many elements, a loop over them looks at a few when it is done.
    pub(super) fn glance(
        &self,
        write: &Access,
        around: &[(&Ident, bool)],
        statement: &Statement,
    ) -> Option<(Ident, TokenStream)> {
        let root = self.values.names.resolve(write).into_iter().next()?.root;
        let (name, there) = *around.iter().rfind(|(name, _)| **name == root)?;
        // A view of it may still be in use.
        if !there || statement.undoes || write.root != *name {
            return None;
        }
        let (scale, span) = (scale_name(name), statement.span);
        let extent = match &statement.kind {
            _ if runs_along(write, self.returning.variables) => return None,
            Kind::Update { place, .. } => extent(place, span),
            _ => {
                let borrowed = matches!(self.values.names.mode(name), Mode::Mutable);
                let value = if borrowed { quote!(*#name) } else { quote!(#name) };
                quote_spanned!(span=> (&&::retrograde::__private::Probe(&#value)).__glance())
            }
        };
        Some((name.clone(), quote_spanned!(span=> #scale.see_extent(#extent);)))
    }

    /// Takes note of what is going to be changed, of an ancilla that may have been exchanged with
    /// something else, or does not end with what it begins with.
    pub(super) fn before(
        &self,
        statement: &Statement,
        everywhere: &[&Ident],
    ) -> Option<TokenStream> {
        let (written, place) = match &statement.kind {
            Kind::Update { place, .. } => (access(place)?, place.to_token_stream()),
            Kind::Call(_) if !statement.generated => {
                let replaced = |write: &Access| self.replaced.contains(&write.root);
                let write = self.written(statement).into_iter().find(replaced)?;
                let place = plain(&write);
                (write, place)
            }
            _ => return None,
        };
        let root = self.values.names.resolve(&written).into_iter().next()?.root;
        let name = everywhere.iter().find(|name| ***name == root)?;
        let (scale, span) = (scale_name(name), statement.span);
        match &statement.kind {
            Kind::Update { .. } if self.exchanged.contains(name) => {
                Some(quote_spanned!(span=> #scale.see_before(&#place);))
            }
            Kind::Call(call) if call.is_swap() => None,
            _ if self.replaced.contains(name) => Some(quote_spanned!(span=> #scale.see(&#place);)),
            _ => None,
        }
    }
}

/// The variables that are exchanged with others anywhere in a block.
pub(super) fn exchanged(block: &Block, names: &Names) -> NameSet {
    let mut found = NameSet::default();
    each_call(block, &mut |call, statement| {
        if call.is_swap() {
            for write in effects::of(statement, names).writes {
                found.extend(names.roots(&write.access.root));
            }
        }
    });
    found
}

/// The ancillas that do not end with the value that they begin with: that may be larger.
pub(super) fn replaced(block: &Block) -> NameSet {
    let mut found = NameSet::default();
    for (i, statement) in block.iter().enumerate() {
        if let Kind::Allocate(begun) = &statement.kind
            && block[i..].iter().any(|other| {
                matches!(&other.kind, Kind::Release(ended)
                    if ended.verify && ended.name == begun.name && ended.value != begun.value)
            })
        {
            found.insert(&begun.name);
        }
        statement.blocks().into_iter().for_each(|inner| found.append(replaced(inner)));
    }
    found
}

/// Whether functions are called inside of a statement that may round a variable.
fn rounds_out_of_sight(statement: &Statement, name: &Ident, names: &Names) -> bool {
    let mut any = false;
    statement.blocks().into_iter().for_each(|inner| {
        each_call(inner, &mut |call, statement| {
            let writes = || effects::of(statement, names).writes.into_iter();
            any |= !call.is_swap()
                && writes().any(|write| names.roots(&write.access.root).contains(name));
        });
    });
    any
}

fn each_call(block: &Block, visit: &mut impl FnMut(&Call, &Statement)) {
    for statement in block {
        match &statement.kind {
            Kind::Call(call) => visit(call, statement),
            _ => statement.blocks().into_iter().for_each(|inner| each_call(inner, visit)),
        }
    }
}

/// The fields of a variable that are accessed, but not the elements: what an index is made of may
/// have changed since.
fn plain(place: &Access) -> TokenStream {
    let mut plain = place.root.to_token_stream();
    for step in &place.path {
        match step {
            Step::Field(member) => plain.extend(quote!(.#member)),
            Step::Index(index) if matches!(**index, Expr::Lit(_)) => plain.extend(quote!([#index])),
            _ => break,
        }
    }
    plain
}

/// Whether a place is another element in every pass of the innermost loop.
fn runs_along(place: &Access, variables: &[Ident]) -> bool {
    fn along(index: &Expr, variables: &[Ident]) -> bool {
        match index {
            Expr::Paren(e) => along(&e.expr, variables),
            Expr::Binary(e) => {
                let linear = matches!(e.op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_));
                linear && (along(&e.left, variables) || along(&e.right, variables))
            }
            other => bare_name(other).is_some_and(|name| variables.contains(name)),
        }
    }
    place.path.iter().any(|step| matches!(step, Step::Index(i) if along(i, variables)))
}

/// What parts are of that are borrowed to be written inside of a statement.
fn borrowed_inside(statement: &Statement, found: &mut Vec<Access>) {
    for inner in statement.blocks().into_iter().flatten() {
        match &inner.kind {
            Kind::Bind(binding) if inner.generated => found.extend(mutable_borrows(&binding.value)),
            _ => borrowed_inside(inner, found),
        }
    }
}
