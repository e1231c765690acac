//! Loops that add to several elements of a gradient are taken apart.
//!
//! The adjoint of `y[i] += x[i] * x[i + 1];` adds to `d_x[i]` and to `d_x[i + 1]`, to
//! which the next pass adds again: so the passes wait for each other, and none of
//! the two can be borrowed before them. Here what is added to the second one is kept
//! for some passes, and then added by a loop of its own. The sums differ in the last
//! bits.

use super::indices::{FEW, IndexLoop, Usage, Use, are_apart, is_light};
use crate::ir::{Ancilla, Binding, Block, Kind, Operator, Statement};
use crate::kinds::Kinds;
use crate::names::Names;
use crate::place::{Step, access, bare_name};
use crate::table::NameSet;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::{Expr, parse_quote_spanned};

/// After how many passes what was kept is added: few enough that what they use is
/// still at hand.
const TURN: usize = 128;

/// Takes apart the loops of a block, in a function with these `arguments`.
pub fn separate(block: &mut Block, arguments: NameSet, kinds: &Kinds, names: &Names) {
    let (kinds, memory) = (kinds.clone(), Block::new());
    Separating { names, arguments, kinds, count: 0, loops: 0, memory }.block(block);
}

struct Separating<'a> {
    names: &'a Names,
    arguments: NameSet,
    kinds: Kinds,
    count: usize,
    /// In how many loops the block is.
    loops: usize,
    /// What is declared before the outermost of them.
    memory: Block,
}

/// A sum into an element of a gradient.
struct Sum<'a> {
    /// Which statement of a pass it is.
    position: usize,
    element: Use,
    operator: Operator,
    value: &'a Expr,
}

impl Separating<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut position = 0;
        while position < block.len() {
            let statement = &mut block[position];
            super::declare(&mut self.kinds, statement);
            let is_loop = matches!(statement.kind, Kind::For { .. } | Kind::While { .. });
            self.loops += usize::from(is_loop);
            statement.blocks_mut().into_iter().for_each(|inner| self.block(inner));
            self.loops -= usize::from(is_loop);
            if let Some(block) = self.separated(statement) {
                statement.kind = Kind::Block(block);
            }
            if self.loops == 0 {
                let memory = std::mem::take(&mut self.memory);
                let count = memory.len();
                block.splice(position..position, memory);
                position += count;
            }
            position += 1;
        }
    }

    fn fresh(&mut self, what: &str, here: Span) -> Ident {
        self.count += 1;
        format_ident!("__{what}_{}", self.count, span = here)
    }

    /// Whether a container is there before any loop.
    fn is_outside(&self, container: &Expr) -> bool {
        self.loops > 0
            && access(container).is_some_and(|place| {
                let fields = place.path.iter().all(|step| matches!(step, Step::Field(_)));
                fields && self.arguments.contains(&place.root)
            })
    }

    /// A loop over turns, and in each the passes of all loops.
    fn separated(&mut self, statement: &Statement) -> Option<Block> {
        let looped = IndexLoop::of(statement)?;
        let is_sum = |s: &&Statement| s.generated && matches!(s.kind, Kind::Update { .. });
        if looped.body.iter().filter(is_sum).count() < 2 {
            return None;
        }
        if looped.passes().is_some_and(|passes| passes < FEW) || !is_light(looped.body) {
            return None;
        }
        let usage = Usage::of(&looped, self.names);
        let moved = moved(sums(looped.body, &usage, &self.kinds));
        if moved.is_empty() || !usage.is_constant(looped.start) || !usage.is_constant(looped.end) {
            return None;
        }
        let here = Span::mixed_site().located_at(statement.span);
        let own = |kind| Statement { generated: true, ..statement.with(kind) };
        let bind = |pattern: syn::Pat, value: Expr| {
            own(Kind::Bind(Binding { pattern, value, verify: false }))
        };
        let (variable, start, end) = (looped.variable, looped.start, looped.end);
        let (turn, until) = (self.fresh("turn", here), self.fresh("until", here));
        let mut block = Block::new();
        // What is left of a pass, and the sums.
        let mut bodies = vec![looped.body.clone()];
        let mut kept: Vec<(&Expr, Ident)> = Vec::new();
        // From the last to the first, so that positions stay.
        for Sum { position, element, operator, value } in moved.iter().rev() {
            let container = &element.container;
            let known = kept.iter().find(|(other, _)| other == value && is_final(value, &looped));
            let value: Expr = if usage.is_constant(value) {
                bodies[0].remove(*position);
                usage.at(&parse_quote_spanned!(here=> #variable), value)
            } else if let Some((_, name)) = known {
                bodies[0].remove(*position);
                parse_quote_spanned!(here=> #name[#variable - #turn])
            } else {
                let (name, number) = (self.fresh("kept", here), self.fresh("number", here));
                let ty = parse_quote_spanned!(here=> [_; #TURN]);
                let memory = parse_quote_spanned!(here=> ::retrograde::__private::postponed(&#container[..]));
                let ancilla = Ancilla::new(name.clone(), Some(ty), memory, false);
                let allocate = own(Kind::Allocate(ancilla));
                if self.is_outside(container) { &mut self.memory } else { &mut block }
                    .push(allocate);
                let keep = parse_quote_spanned!(here=>
                    ::retrograde::__private::postpone(&mut #name[#variable - #turn], #number));
                let statements = [
                    bind(parse_quote_spanned!(here=> #number), (*value).clone()),
                    bind(parse_quote_spanned!(here=> ()), keep),
                ];
                bodies[0].splice(*position..=*position, statements);
                kept.push((value, name.clone()));
                parse_quote_spanned!(here=> #name[#variable - #turn])
            };
            let index = usage.at(&parse_quote_spanned!(here=> #variable), &element.index);
            let place = parse_quote_spanned!(here=> #container[#index]);
            let update = Kind::Update { place, operator: *operator, value };
            bodies.insert(1, vec![looped.body[*position].with(update)]);
        }
        let repeat = |variable: &Ident, sequence: &Expr, body: Block| {
            let pattern = parse_quote_spanned!(variable.span()=> #variable);
            let (sequence, reversed) = (sequence.clone(), looped.reversed);
            statement.with(Kind::For { pattern, sequence, reversed, verify: false, body })
        };
        let all = |range: Expr| bodies.into_iter().map(move |body| repeat(variable, &range, body));
        if kept.is_empty() {
            block.extend(all(parse_quote_spanned!(here=> #start..#end)));
            return Some(block);
        }
        let value = parse_quote_spanned!(here=>
            ::retrograde::__private::end_of_turn(#turn, #TURN, #end));
        let mut body = vec![bind(parse_quote_spanned!(here=> #until), value)];
        body.extend(all(parse_quote_spanned!(here=> #turn..#until)));
        let turns = parse_quote_spanned!(here=> (#start..#end).step_by(#TURN));
        block.push(repeat(&turn, &turns, body));
        Some(block)
    }
}

/// Whether a value is a name whose value stays the same from where it is declared.
fn is_final(value: &Expr, looped: &IndexLoop) -> bool {
    bare_name(value).is_some_and(|name| {
        looped.body.iter().all(|statement| match &statement.kind {
            Kind::Update { place, .. } => access(place).is_some_and(|place| place.root != *name),
            Kind::Bind(_) | Kind::Unbind(_) | Kind::Allocate(_) | Kind::Release(_) => true,
            _ => false,
        })
    })
}

/// The sums into elements of gradients that are used in no other way.
fn sums<'a>(body: &'a Block, usage: &Usage, kinds: &Kinds) -> Vec<Sum<'a>> {
    let mut sums: Vec<Sum> = Vec::new();
    for (position, statement) in body.iter().enumerate() {
        if let Kind::Update { place, operator, value } = &statement.kind
            && statement.generated
            && let Some(element) = usage.find(place)
            && kinds.of_expr(&element.container).is_numbers()
        {
            sums.push(Sum { position, element, operator: *operator, value });
        }
    }
    let only_sums = |element: &Use| {
        let near = |other: &&Use| !are_apart(&other.place, &element.place);
        let own = sums.iter().map(|sum| &sum.element).filter(near).count();
        own == usage.uses.iter().filter(near).count()
            && usage.others.iter().all(|(place, _)| are_apart(place, &element.place))
    };
    let keep: Vec<bool> = sums.iter().map(|sum| only_sums(&sum.element)).collect();
    let mut keep = keep.into_iter();
    sums.retain(|_| keep.next() == Some(true));
    sums
}

/// Those that are moved to a loop of their own: of each container, all but the
/// element to which most is added.
fn moved(mut sums: Vec<Sum>) -> Vec<Sum> {
    let often = |element: &Use| sums.iter().filter(|sum| sum.element.is(element)).count();
    let stays = |element: &Use| {
        let own =
            sums.iter().map(|sum| &sum.element).filter(|other| other.shares_container(element));
        let mut most: Option<&Use> = None;
        for other in own {
            if most.is_none_or(|most| often(other) > often(most)) {
                most = Some(other);
            }
        }
        most.is_some_and(|most| most.is(element))
    };
    let move_on: Vec<bool> = sums.iter().map(|sum| !stays(&sum.element)).collect();
    let mut move_on = move_on.into_iter();
    sums.retain(|_| move_on.next() == Some(true));
    sums
}
