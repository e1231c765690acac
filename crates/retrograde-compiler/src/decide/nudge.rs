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
        let [up, down] = [true, false].map(|up| {
            let mut nudged = decision.clone();
            Nudge { keeper: &*keeper, scales: &scales, up, lent: false }
                .visit_expr_mut(&mut nudged);
            nudged
        });
        if up == *decision {
            return taken;
        }
        let [decided, above, below] = ["__decided", "__above", "__below"]
            .map(|name| Ident::new(name, proc_macro2::Span::mixed_site()));
        // Where the decision stands, so that what is wrong there is told once.
        let here = Span::call_site().located_at(decision.span());
        let ty = ty.map(|ty| quote!(: #ty));
        parse_quote_spanned!(here=> {
            let #decided #ty = #taken;
            if ::retrograde::__private::are_rounded(&[#(#scales),*]) {
                let #above #ty = #up;
                let #below #ty = #down;
                ::retrograde::__private::same_decision(
                    (&::retrograde::__private::Sides(&#decided, &#above)).__same(&[#(#scales),*])
                        && (&::retrograde::__private::Sides(&#decided, &#below))
                            .__same(&[#(#scales),*]),
                    #source);
            }
            #decided
        })
    }
}

/// Puts values beside those that are read from what is undone.
struct Nudge<'n, 'a> {
    keeper: &'n Keeper<'a>,
    scales: &'n [Ident],
    up: bool,
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
    fn beside(&self, place: &Expr, lent: bool) -> Expr {
        self.by(if lent { "__nudged" } else { "__nudged_value" }, place)
    }

    fn by(&self, method: &str, place: &Expr) -> Expr {
        let (scales, up) = (self.scales, self.up);
        let here = Span::call_site().located_at(place.span());
        let method = Ident::new(method, here);
        parse_quote_spanned!(here=> (&&::retrograde::__private::Probe(&#place)).#method(&[#(#scales),*], #up))
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
                let is_slice = matches!(kind, crate::kinds::Kind::Sequence(_));
                let bare = crate::place::bare_name(expr);
                let mode = bare.filter(|_| matches!(expr, Expr::Path(_)));
                *expr = match mode.map(|name| self.keeper.names.mode(name)) {
                    // Functions that look at all of it are seldom asked.
                    mode if is_slice => {
                        if !kind.is_numbers() || mode == Some(Mode::Unknown) {
                            return;
                        }
                        let (scales, up) = (self.scales, self.up);
                        let nudged = quote!(::retrograde::__private::NudgedElements::nudged);
                        match matches!(mode, Some(Mode::Shared | Mode::Mutable)) {
                            true => parse_quote!(&*#nudged(&*#expr, &[#(#scales),*], #up)),
                            false => parse_quote!((*#nudged(&#expr, &[#(#scales),*], #up))),
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
