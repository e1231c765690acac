//! Decisions by whatever means: asked again for values as far to either side as rounding goes.

use super::keep::Keeper;
use super::rounding::Rounding;
use crate::names::Mode;
use crate::text::Source;
use crate::visit::VisitMut;
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, Type, parse_quote, parse_quote_spanned};

impl Rounding {
    /// A decision by whatever means, which stops where other values within rounding would
    /// have it differ. `taken`: how it is evaluated; `ty`: its type, where the user says it.
    pub(super) fn same(
        &mut self,
        decision: &Expr,
        taken: Expr,
        ty: Option<&Type>,
        source: &Source,
        keeper: &mut Keeper,
    ) -> Expr {
        let scales = self.scales_of(decision, keeper);
        if scales.is_empty() {
            return taken;
        }
        let Some((parts, toward, beside)) = beside(decision, &scales, keeper) else {
            return taken;
        };
        let [decided, other] =
            ["__decided", "__other"].map(|name| Ident::new(name, Span::mixed_site()));
        // Where the decision stands, so that what is wrong there is told once.
        let here = Span::call_site().located_at(decision.span());
        let ty = ty.map(|ty| quote!(: #ty));
        parse_quote_spanned!(here=> {
            let #decided #ty = #taken;
            ::retrograde::__private::same_decision(#parts, &[#(#scales),*], #source, |#toward| {
                let #other #ty = #beside;
                (&::retrograde::__private::Sides(&#decided, &#other)).__same(&[#(#scales),*])
            });
            #decided
        })
    }
}

impl Rounding {
    /// What stops where a function of the user's would give something else beside, if that is an
    /// integer or the like. It stands beside.
    pub(super) fn settled_given(
        &mut self,
        call: &Expr,
        source: &Source,
        keeper: &mut Keeper,
    ) -> Option<Expr> {
        let scales = self.scales_of(call, keeper);
        let (parts, toward, beside) = beside(call, &scales, keeper)?;
        let here = Span::call_site().located_at(call.span());
        let call = keeper.once_more(call);
        Some(parse_quote_spanned!(here=>
            ::retrograde::__private::Given(|| #call).__settled_given(
                #parts, &[#(#scales),*], #source,
                ::retrograde::__private::Nearby(|#toward: ::retrograde::check::Toward| (&::retrograde::__private::Probe(&(#beside))).__told()))
        ))
    }
}

/// A decision as it would be taken beside: how many values it compares, the name of where these are
/// moved to, and the decision. `None` if all that it reads stays.
fn beside(decision: &Expr, scales: &[Ident], keeper: &Keeper) -> Option<(usize, Ident, Expr)> {
    let toward = Ident::new(TOWARD, Span::mixed_site());
    let mut beside = decision.clone();
    let mut nudge = Nudge { keeper, scales, toward: &toward, lent: false, parts: 0 };
    nudge.visit_expr_mut(&mut beside);
    let parts = nudge.parts;
    (parts > 0).then_some((parts, toward, beside))
}

/// The name of where values are moved to.
pub const TOWARD: &str = "__toward";

/// What is more than a number may have as many parts as that.
const MANY: usize = 16;

/// Puts values beside those that are read from what is undone.
struct Nudge<'n, 'a> {
    keeper: &'n Keeper<'a>,
    scales: &'n [Ident],
    toward: &'n Ident,
    /// How many values there are that may be compared with each other.
    parts: usize,
    /// Whether a reference is asked for.
    lent: bool,
}

impl Nudge<'_, '_> {
    fn within(&mut self, lent: bool, expr: &mut Expr) {
        let around = std::mem::replace(&mut self.lent, lent);
        self.visit_expr_mut(expr);
        self.lent = around;
    }

    /// The value beside that of a place, or a reference to the same where there is none.
    fn beside(&mut self, place: &Expr, lent: bool) -> Expr {
        self.by(if lent { "__nudged" } else { "__nudged_value" }, place)
    }

    /// One of several values goes up where another goes down.
    fn toward(&mut self) -> Expr {
        let (toward, number) = (self.toward, self.parts);
        self.parts += 1;
        parse_quote!(#toward.part(#number))
    }

    fn by(&mut self, method: &str, place: &Expr) -> Expr {
        let (scales, toward) = (self.scales, self.toward());
        let here = Span::call_site().located_at(place.span());
        let method = Ident::new(method, here);
        parse_quote_spanned!(here=> (&&::retrograde::__private::Probe(&#place)).#method(&[#(#scales),*], #toward))
    }
}

impl VisitMut for Nudge<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let kinds = &self.keeper.kinds;
        match expr {
            Expr::Closure(_) => {}
            Expr::Reference(e) => self.within(true, &mut e.expr),
            Expr::MethodCall(e) => {
                self.within(true, &mut e.receiver);
                e.args.iter_mut().for_each(|argument| self.within(false, argument));
            }
            Expr::Macro(e) if e.mac.path.is_ident("matches") => {
                let parts = |input: syn::parse::ParseStream| {
                    let value: Expr = input.parse()?;
                    Ok((value, input.parse::<proc_macro2::TokenStream>()?))
                };
                if let Ok((mut value, rest)) = e.mac.parse_body_with(parts) {
                    self.within(true, &mut value);
                    e.mac.tokens = quote!(#value #rest);
                }
            }
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_)
                if crate::place::access(expr).is_some() =>
            {
                let kind = kinds.of_expr(expr);
                if kind.is_constant() || self.keeper.level(expr).is_none() {
                    return;
                }
                if !kind.is_number() {
                    self.parts = self.parts.max(MANY);
                }
                let is_slice = matches!(kind, crate::kinds::Kind::Sequence(_));
                let bare = crate::place::bare_name(expr);
                let mode = bare.filter(|_| matches!(expr, Expr::Path(_)));
                *expr = match mode.map(|name| self.keeper.names.mode(name)) {
                    mode if is_slice => {
                        if mode == Some(Mode::Unknown) {
                            return;
                        }
                        let place = match mode {
                            Some(Mode::Shared | Mode::Mutable) => parse_quote!(*#expr),
                            _ => expr.clone(),
                        };
                        let nudged = self.by("__nudged_elements", &place);
                        match mode {
                            Some(Mode::Shared | Mode::Mutable) => parse_quote!(&*#nudged),
                            _ => parse_quote!((*#nudged)),
                        }
                    }
                    Some(Mode::Shared | Mode::Mutable) => {
                        let here = Span::call_site().located_at(expr.span());
                        let place = parse_quote_spanned!(here=> *#expr);
                        match self.lent {
                            true => self.beside(&place, true),
                            false => {
                                let beside = self.by("__nudged_lent", &place);
                                parse_quote_spanned!(here=> &*#beside)
                            }
                        }
                    }
                    Some(Mode::Unknown) if !kind.is_number() => return,
                    _ => self.beside(expr, self.lent),
                };
            }
            _ => crate::visit::visit_expr_mut(self, expr),
        }
    }
}
