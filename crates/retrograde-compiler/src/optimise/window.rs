//! Elements that one pass of a loop writes and a later one uses stay at hand.
//!
//! After `for i in 1..n { y[i] += a[i] * y[i - 1]; }` has written `y[i]`, the next pass
//! reads it again: it waits until it is in memory, which takes about as long as to
//! compute it. Here the elements around `i` are held in variables, a window that moves
//! along with the loop:
//!
//! ```text
//! let mut w0 = y[0];
//! for i in 1..n {
//!     let mut w1 = y[i];
//!     w1 += a[i] * w0;
//!     y[i - 1] = w0;
//!     w0 = w1;
//! }
//! y[n - 1] = w0;
//! ```
//!
//! Loops whose passes do not wait for each other are left as they are: they can be
//! put side by side.

use super::bounds::collect_followed;
use super::indices::{FEW, IndexLoop, Usage, Use, literal};
use crate::ir::{Ancilla, Arm, Binding, Block, Kind, Statement};
use crate::kinds::{self, Kinds};
use crate::names::Names;
use crate::place::Overlap;
use crate::visit::Visit;
use crate::visit::{self, VisitMut};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use std::collections::HashSet;
use syn::{Expr, parse_quote_spanned};

/// How many elements fit into registers.
const WIDEST: i128 = 8;

/// Gives loops windows.
pub fn hold(block: &mut Block, kinds: &Kinds, names: &Names) {
    let mut followed = HashSet::new();
    collect_followed(block, &mut followed);
    Holding { names, kinds: kinds.clone(), followed, count: 0 }.block(block);
}

struct Holding<'a> {
    names: &'a Names,
    kinds: Kinds,
    followed: HashSet<Ident>,
    count: usize,
}

/// The elements of a container that are held.
struct Window {
    /// The one with the smallest index.
    first: Use,
    /// A variable for each, from the first one on.
    variables: Vec<Ident>,
}

impl Window {
    /// Which variable an element is.
    fn variable(&self, element: &Use) -> Option<&Ident> {
        if !element.shares_container(&self.first) {
            return None;
        }
        let distance = element.offset.beyond(&self.first.offset)?;
        self.variables.get(usize::try_from(distance).ok()?)
    }
}

impl Holding<'_> {
    fn block(&mut self, block: &mut Block) {
        for statement in block {
            super::declare(&mut self.kinds, statement);
            statement.blocks_mut().into_iter().for_each(|inner| self.block(inner));
            if let Some(kind) = self.held(statement) {
                statement.kind = kind;
            }
        }
    }

    /// The loop with windows.
    fn held(&mut self, statement: &Statement) -> Option<Kind> {
        let looped = IndexLoop::of(statement)?;
        if looped.passes().is_some_and(|passes| passes < FEW) || !looped.body.iter().all(is_plain) {
            return None;
        }
        let usage = Usage::of(&looped, self.names);
        if !usage.is_constant(looped.start) || !usage.is_constant(looped.end) {
            return None;
        }
        let here = Span::mixed_site().located_at(statement.span);
        let mut windows: Vec<Window> = Vec::new();
        for element in &usage.uses {
            if windows.iter().all(|window| !element.shares_container(&window.first)) {
                windows.extend(self.window(element, &usage, looped.reversed, here));
            }
        }
        if windows.is_empty() {
            return None;
        }
        let own = |kind| Statement { generated: true, ..statement.with(kind) };
        let declare = |name: &Ident, value: Expr| {
            own(Kind::Allocate(Ancilla::new(name.clone(), None, value, false)))
        };
        let put = |place: Expr, value: &Ident| {
            let value =
                parse_quote_spanned!(here=> ::retrograde::__private::put(&mut #place, &#value));
            let pattern = parse_quote_spanned!(here=> ());
            own(Kind::Bind(Binding { pattern, value, verify: false }))
        };
        // An element of a window, in the pass where the loop's variable has a value.
        let element = |window: &Window, value: &Expr, distance: usize| -> Expr {
            let Use { container, index, .. } = &window.first;
            let index = usage.at(value, index);
            let distance = proc_macro2::Literal::usize_unsuffixed(distance);
            parse_quote_spanned!(here=> #container[#index + #distance])
        };
        let variable = looped.variable;
        let bind = |name: &Ident, value: Expr| {
            let pattern = parse_quote_spanned!(here=> #name);
            own(Kind::Bind(Binding { pattern, value, verify: false }))
        };
        // Bounds are read once, before: they may ask for the length of what is written
        // at the end, `y[y.len() - 1]`, which is then borrowed.
        let mut named = Block::new();
        let [start, end] = [looped.start, looped.end].map(|bound| {
            if literal(bound).is_some() {
                return bound.clone();
            }
            let name = self.fresh("bound", here);
            named.push(bind(&name, bound.clone()));
            parse_quote_spanned!(here=> #name)
        });
        let (mut before, mut after) = (Block::new(), Block::new());
        let mut body = looped.body.clone();
        let mut rewriting = Rewriting { usage: &usage, windows: &windows };
        body.iter_mut().for_each(|s| s.each_expression(&mut |e| rewriting.visit_expr_mut(e)));
        let here_now: Expr = parse_quote_spanned!(here=> #variable);
        for window in &windows {
            let all = &window.variables;
            let width = all.len();
            let (new, old) = if looped.reversed { (0, width - 1) } else { (width - 1, 0) };
            let mut shift = Block::new();
            body.insert(0, declare(&all[new], element(window, &here_now, new)));
            shift.push(put(element(window, &here_now, old), &all[old]));
            for step in 1..width {
                let (to, from) = if looped.reversed {
                    (width - step, width - step - 1)
                } else {
                    (step - 1, step)
                };
                let to = &all[to];
                shift.push(put(parse_quote_spanned!(here=> #to), &all[from]));
            }
            body.extend(shift);
            // All but the new one are there before a pass, and left after it.
            for (distance, name) in all.iter().enumerate().filter(|(k, _)| *k != new) {
                let (first, last, less): (Expr, Expr, usize) = if looped.reversed {
                    let last = parse_quote_spanned!(here=> (#end - 1));
                    (last, parse_quote_spanned!(here=> (#start)), 1)
                } else {
                    let end = parse_quote_spanned!(here=> (#end));
                    (parse_quote_spanned!(here=> (#start)), end, 0)
                };
                before.push(declare(name, element(window, &first, distance)));
                after.push(put(element(window, &last, distance - less), name));
            }
        }
        let Kind::For { pattern, verify, .. } = statement.kind.clone() else { return None };
        let reversed = looped.reversed;
        let sequence = parse_quote_spanned!(here=> #start..#end);
        before.push(statement.with(Kind::For { pattern, sequence, reversed, verify, body }));
        before.extend(after);
        let some: Expr = parse_quote_spanned!(here=> #start < #end);
        let arm = Arm { pre: some.clone(), post: some, verify: false, body: before };
        let guarded = Kind::If { arms: vec![arm], otherwise: None };
        if named.is_empty() {
            return Some(guarded);
        }
        named.push(own(guarded));
        Some(Kind::Block(named))
    }

    /// The window on the container of an element, if passes wait for each other there.
    fn window(
        &mut self,
        element: &Use,
        usage: &Usage,
        reversed: bool,
        here: Span,
    ) -> Option<Window> {
        let apart = |place| self.names.overlap(place, &element.place) == Overlap::Never;
        let numbers = kinds::Kind::Sequence(Box::new(kinds::Kind::Real));
        if self.kinds.of_expr(&element.container) != numbers
            || self.names.roots(&element.place.root).iter().any(|r| self.followed.contains(r))
            || usage.others.iter().any(|(place, _)| !apart(place))
        {
            return None;
        }
        let mut first = element;
        let (mut furthest, mut own) = (0, Vec::new());
        for other in usage.uses.iter().filter(|other| !apart(&other.place)) {
            if !other.shares_container(element) || !other.certain {
                return None;
            }
            if other.offset.beyond(&first.offset)? < 0 {
                first = other;
            }
            own.push(other);
        }
        for other in &own {
            furthest = furthest.max(other.offset.beyond(&first.offset)?);
        }
        // What is written in a pass is used in a later one.
        let waits = own.iter().filter(|one| one.written).any(|one| {
            own.iter().any(|other| {
                let ahead = other.offset.beyond(&one.offset).unwrap_or(0);
                if reversed { ahead > 0 } else { ahead < 0 }
            })
        });
        if !waits || furthest >= WIDEST {
            return None;
        }
        let variables = (0..=furthest).map(|_| self.fresh_number(here)).collect();
        Some(Window { first: first.clone(), variables })
    }

    fn fresh(&mut self, what: &str, here: Span) -> Ident {
        self.count += 1;
        format_ident!("__{what}_{}", self.count, span = here)
    }

    fn fresh_number(&mut self, here: Span) -> Ident {
        let name = self.fresh("window", here);
        self.kinds.declare(&name, kinds::Kind::Real);
        name
    }
}

/// Whether a statement only computes with numbers.
fn is_plain(statement: &Statement) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_expr_reference(&mut self, _: &syn::ExprReference) {
            self.0 = true;
        }
        fn visit_expr_call(&mut self, _: &syn::ExprCall) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &syn::ExprClosure) {
            self.0 = true;
        }
        fn visit_macro(&mut self, _: &syn::Macro) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    match &statement.kind {
        Kind::Update { place, value, .. } => {
            search.visit_expr(place);
            search.visit_expr(value);
        }
        Kind::Bind(Binding { value, verify: false, .. })
        | Kind::Allocate(Ancilla { value, verify: false, .. }) => search.visit_expr(value),
        Kind::Unbind(binding) => return !binding.verify,
        Kind::Release(ancilla) => return !ancilla.verify,
        _ => return false,
    }
    !search.0
}

/// Puts variables in the place of elements.
struct Rewriting<'r> {
    usage: &'r Usage<'r>,
    windows: &'r [Window],
}

impl VisitMut for Rewriting<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let found = self.usage.find(expr);
        let found = found.and_then(|found| self.windows.iter().find_map(|w| w.variable(&found)));
        if let Some(name) = found {
            *expr = Expr::Path(syn::ExprPath {
                attrs: Vec::new(),
                qself: None,
                path: name.clone().into(),
            });
            return;
        }
        visit::visit_expr_mut(self, expr);
    }
}
