//! What a function says of itself to those that call it: which arguments it only adds to.
//!
//! Then value and gradient can be had in one pass, see [`crate::gradient`].

use crate::emit::companion;
use crate::optimise::Added;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{PathArguments, Visibility, parse_quote};

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
    /// Whether the function only adds to all that it writes.
    pub fn to_all(&self, own: &Ident) -> Answer {
        let (mut all, mut certain) = (0, true);
        for (position, added) in &self.written {
            let (Some(added), Some(bit)) = (added, bit(*position)) else { return Answer::No };
            certain &= added.callees.is_empty();
            all |= bit;
        }
        match (all, certain) {
            (0, _) => Answer::No,
            (_, true) => Answer::Yes,
            _ => Answer::If(quote!(#own::__adds_to(#DEPTH) & #all == #all)),
        }
    }

    /// The function that tells others, if there is anything to tell.
    pub fn emit(&self, visibility: &Visibility) -> Option<TokenStream> {
        let (mut bits, mut asks) = (Vec::new(), false);
        for (position, added) in &self.written {
            let (Some(Added { callees }), Some(own)) = (added, bit(*position)) else { continue };
            let asked = callees.iter().map(|(path, position)| {
                let mut path = path.clone();
                path.path.segments.iter_mut().for_each(|s| s.arguments = PathArguments::None);
                let callee = companion(&path, "__adds_to", &[parse_quote!(depth - 1)]);
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
        (!bits.is_empty()).then(|| {
            quote! {
                #[doc(hidden)]
                #[inline]
                #visibility fn __adds_to(#depth: u32) -> u64 {
                    #((#bits))|*
                }
            }
        })
    }
}

/// The mark of an argument.
fn bit(position: usize) -> Option<u64> {
    1_u64.checked_shl(position.try_into().ok()?)
}
