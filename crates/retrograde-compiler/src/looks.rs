//! Which arguments a function's derivatives look at while it undoes them.
//!
//! Its caller may not need to have them restored; but if they are looked at on their way back,
//! it must compare what they come to, see [`crate::optimise`]. Where a function passes one on
//! to another function, that one has to say it, too.

use crate::effects;
use crate::ir::{Block, Call, Callee, Direction, Kind};
use crate::item::Member;
use crate::names::{Mode, Names};
use crate::optimise::ask;
use crate::place::{bare_name, mutable_borrows};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Expr, ExprPath, Signature, Visibility, parse_quote};

/// The name of the function that tells.
pub const LOOKS: &str = "__looks";

/// The name of the one that tells on which arguments a function decides going back.
pub const DECIDES: &str = "__decides";

/// How deep functions that call each other are asked; what is deeper may look at everything.
pub const DEPTH: u32 = 6;

/// What a function looks at.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    /// A bit for each argument.
    own: u64,
    /// Functions that arguments are passed on to: which one, as which argument, and the bit that
    /// it has here.
    passed: Vec<(ExprPath, u64, u64)>,
}

/// The mark of an argument.
pub fn bit(position: usize) -> Option<u64> {
    1_u64.checked_shl(position.try_into().ok()?)
}

/// As which arguments a call with shadows is lent a variable, or a part of it, to be written.
pub fn lent_to(call: &Call, name: &Ident, names: &Names) -> Vec<usize> {
    let is_own = |root: &Ident| names.roots(root).contains(name);
    let lent = |argument: &Expr| match bare_name(argument) {
        Some(own) => !matches!(names.mode(own), Mode::Shared | Mode::Primitive) && is_own(own),
        None => mutable_borrows(argument).iter().any(|access| is_own(&access.root)),
    };
    let values = call.arguments.iter().step_by(2).enumerate();
    values.filter(|(_, argument)| lent(argument)).map(|(position, _)| position).collect()
}

impl Looks {
    /// Of a function, by its adjoint for gradients alone. `alone`: whether the body declares no
    /// items, which are not known elsewhere.
    pub fn of(block: &Block, signature: &Signature, names: &Names, alone: bool) -> Self {
        let mut looks = Looks::default();
        let arguments = crate::item::argument_names(signature);
        for (position, name) in arguments.into_iter().enumerate() {
            if let Some(mark) = bit(position) {
                looks.search(block, (&signature.ident, name, position), mark, names, alone);
            }
        }
        looks
    }

    fn search(
        &mut self,
        block: &Block,
        own: (&Ident, &Ident, usize),
        mark: u64,
        names: &Names,
        alone: bool,
    ) {
        let (function, name, place) = own;
        for statement in block {
            match &statement.kind {
                Kind::Call(call)
                    if call.direction == Direction::Gradient
                        && let Callee::Function(path) = &call.callee =>
                {
                    for position in lent_to(call, name, names) {
                        let Some(inner) = bit(position).filter(|_| alone) else {
                            self.own |= mark;
                            continue;
                        };
                        let passed = (path.clone(), inner, mark);
                        // Of the function itself it is true if it is true of the rest.
                        let own = path.path.is_ident(function) && position == place;
                        if !own && !self.passed.contains(&passed) {
                            self.passed.push(passed);
                        }
                    }
                }
                // A call that restores more than it needs to, for the sake of what is compared.
                Kind::If { arms, otherwise: Some(otherwise) } if matches!(&arms[..], [arm] if matches!(arm.pre, Expr::Verbatim(_))) =>
                {
                    self.search(otherwise, own, mark, names, alone);
                }
                Kind::Update { .. } | Kind::Call(_) => {
                    let writes = effects::of(statement, names).writes;
                    let mut roots = writes.iter().flat_map(|w| names.roots(&w.access.root));
                    if roots.any(|root| root == name) {
                        self.own |= mark;
                    }
                }
                _ => {
                    for inner in statement.blocks() {
                        self.search(inner, own, mark, names, alone);
                    }
                }
            }
        }
    }

    /// Adds what a function does to an argument by itself.
    pub fn add(&mut self, mark: u64) {
        self.own |= mark;
    }

    /// Adds what another function does to an argument.
    pub fn add_passed(&mut self, passed: (ExprPath, u64, u64)) {
        if !self.passed.contains(&passed) {
            self.passed.push(passed);
        }
    }

    /// The function `name` that tells others, if there is anything to tell.
    pub fn emit(&self, name: &str, visibility: &Visibility) -> Option<TokenStream> {
        let [depth, answer] = self.answer(name)?;
        let name = Ident::new(name, Span::call_site());
        Some(quote! {
            /// On which arguments somebody looks going back.
            #[doc(hidden)]
            #[inline]
            #visibility fn #name(#depth: u32) -> u64 {
                #answer
            }
        })
    }

    /// What such a function tells, and before it the name of its argument.
    fn answer(&self, name: &str) -> Option<[TokenStream; 2]> {
        let Looks { own, passed } = self;
        // What is known here need not be asked.
        let passed: Vec<_> = passed.iter().filter(|(.., mark)| own & mark == 0).collect();
        if *own == 0 && passed.is_empty() {
            return None;
        }
        let less: Expr = parse_quote!(depth - 1);
        let asked = passed.iter().map(|(path, inner, mark)| {
            let told = ask(name, path, &less);
            quote!(| if depth == 0 || (#told & #inner) != 0 { #mark } else { 0 })
        });
        let asked: Vec<TokenStream> = asked.collect();
        let depth = if asked.is_empty() { quote!(_) } else { quote!(depth) };
        Some([depth, quote!(#own #(#asked)*)])
    }

    /// The method that tells on which arguments another one decides. `declared`: that one has no
    /// body here, and who implements it may not say.
    pub fn method(&self, signature: &Signature, declared: bool) -> Option<Member> {
        signature.receiver()?;
        let [depth, answer] = match declared {
            true => [quote!(_), quote!(!0)],
            false => self.answer(DECIDES).unwrap_or([quote!(_), quote!(0)]),
        };
        Some(Member {
            name: DECIDES,
            about: "",
            hidden: true,
            signature: parse_quote!(fn decides(&self, #depth: u32) -> u64),
            body: quote!({ #answer }),
        })
    }
}
