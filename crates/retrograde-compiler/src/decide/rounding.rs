//! How far what is undone may be from what it was: followed by the magnitudes that variables
//! are seen to hold, and carried into calls, which decide for themselves on what they are lent.

use super::around::{self, Around, Inside};
use super::keep::{Keeper, Level, locals_inside};
use super::untouched::Untouched;
use super::{function, is_condition, is_float};
use crate::adjoint::free_name;
use crate::effects;
use crate::emit;
use crate::functions;
use crate::ir::{Ancilla, Block, Call, Callee, Direction, Kind, Statement};
use crate::looks::{DECIDES, DEPTH, Looks, bit};
use crate::names::{Mode, Names, pattern_names};
use crate::optimise::ask;
use crate::place::{Access, Step, access, bare_name, reads};
use crate::text::{Source, is_one_of};
use crate::visit::Visit;
use proc_macro2::{Ident, Span};
use quote::quote;
use std::collections::{HashMap, HashSet};
use syn::{Expr, ExprPath, parse_quote};

#[derive(Default)]
pub(super) struct Rounding {
    /// The variables whose rounding is followed, and where that is.
    scales: HashMap<Ident, Ident>,
    /// Names for values of such variables.
    behind: HashMap<Ident, Vec<Ident>>,
    /// Arguments that a caller may have undone, and their places among all.
    lent: HashMap<Ident, usize>,
    /// Those that decisions here look at.
    decided: HashSet<Ident>,
    /// Of a pure function, the argument that tells how far the others may be rounded.
    told: Option<Ident>,
    /// The functions that variables are passed on to: which one, as which argument; and `None` of
    /// methods, which cannot be asked whether they decide on it.
    passed: Vec<(Ident, Option<(Asked, u64)>)>,
    /// The functions that are asked, and where their answers are.
    asked: Vec<(Asked, Ident)>,
    /// The names whose values a gradient may go through.
    flowing: HashSet<Ident>,
    /// What is not undone yet where the walk is, if that is known.
    pub untouched: Option<Untouched>,
    /// Arguments that are written, and what stands for them where they are not undone yet: their
    /// rounding is that of the caller.
    still_lent: HashMap<Ident, Ident>,
    /// Whether a gradient goes through what is looked at, so that all of its methods have
    /// derivatives.
    pub pulled: bool,
}

impl Rounding {
    /// Of a block, where a caller may have undone some arguments.
    pub fn of(
        block: &Block,
        keeper: &Keeper,
        lent: HashMap<Ident, usize>,
        told: Option<Ident>,
    ) -> Self {
        let mut rounding = Rounding { lent, told, ..Rounding::default() };
        rounding.look_for_flows(block, keeper);
        rounding
    }

    /// Has the calls in a block that is computed and uncomputed know what of their arguments
    /// is undone.
    pub fn carrying(block: &mut Block, keeper: &mut Keeper) -> Self {
        let mut rounding = Rounding::of(block, keeper, HashMap::new(), None);
        rounding.carry_into(block, keeper);
        if !rounding.scales.is_empty() {
            rounding.follow(block, keeper);
        }
        rounding
    }

    fn carry_into(&mut self, block: &mut Block, keeper: &mut Keeper) {
        let mut out = Block::new();
        for mut statement in std::mem::take(block) {
            self.look_behind(&statement, keeper);
            let passage = keeper.enter(&statement);
            for inner in statement.blocks_mut() {
                self.carry_into(inner, keeper);
            }
            let values: Vec<&Expr> = match &statement.kind {
                _ if !statement.checked || statement.generated => Vec::new(),
                Kind::Update { value, .. } => vec![value],
                Kind::Bind(binding) => vec![&binding.value],
                Kind::Allocate(ancilla) => vec![&ancilla.value],
                Kind::Call(call) => call.operands().collect(),
                _ => Vec::new(),
            };
            let source = statement.source.clone();
            let (found, around) = (Vec::new(), Vec::new());
            self.pulled = self.pulls(&statement, keeper);
            let mut jumps = Jumps { rounding: self, keeper, source, found, around };
            values.into_iter().for_each(|value| jumps.visit_expr(value));
            let checks = jumps.found.into_iter();
            out.extend(checks.map(|check| called(&statement, "checked", vec![check])));
            let [before, after] = match statement.checked && !statement.generated {
                true => self.around(&statement, true, keeper),
                false => [Block::new(), Block::new()],
            };
            keeper.leave(&statement, passage);
            out.extend(before);
            out.push(statement);
            out.extend(after);
        }
        *block = out;
    }

    /// Finds the names that are read where a gradient goes.
    fn look_for_flows(&mut self, block: &Block, keeper: &Keeper) {
        loop {
            let known = self.flowing.len();
            self.look_for_more(block, keeper);
            if self.flowing.len() == known {
                return;
            }
        }
    }

    fn look_for_more(&mut self, block: &Block, keeper: &Keeper) {
        for statement in block {
            if self.pulls(statement, keeper) {
                let values = statement.own_expressions().into_iter();
                self.flowing.extend(values.flat_map(reads).map(|read| read.root));
            }
            statement.blocks().into_iter().for_each(|inner| self.look_for_more(inner, keeper));
        }
    }

    /// Whether a gradient goes through the values of a statement.
    pub fn pulls(&self, statement: &Statement, keeper: &Keeper) -> bool {
        let constant = |expr: &Expr| keeper.kinds.of_expr(expr).is_constant();
        match &statement.kind {
            _ if statement.generated => false,
            Kind::Update { place, .. } => !constant(place),
            Kind::Allocate(ancilla) => !constant(&ancilla.value),
            Kind::Bind(binding) => {
                let names = pattern_names(&binding.pattern);
                // The value of a pure function has no name.
                let is_value = names.is_empty() && self.told.is_some();
                !keeper.kinds.are_constant(&names)
                    && (is_value || names.iter().any(|name| self.flowing.contains(name)))
            }
            Kind::Call(_) => true,
            _ => false,
        }
    }

    /// Takes note of what a name stands for.
    pub fn look_behind(&mut self, statement: &Statement, keeper: &Keeper) {
        for local in locals_inside(statement) {
            let roots = local.init.iter().flat_map(|init| reads(&init.expr)).map(|read| read.root);
            let roots: Vec<Ident> = roots.collect();
            for name in pattern_names(&local.pat) {
                self.behind.entry(name).or_default().extend(roots.iter().cloned());
            }
        }
        let (names, value) = match &statement.kind {
            Kind::Bind(binding) => (pattern_names(&binding.pattern), &binding.value),
            Kind::Allocate(ancilla) => (vec![ancilla.name.clone()], &ancilla.value),
            Kind::Update { value, .. } => {
                let writes = effects::of(statement, keeper.names).writes;
                (writes.into_iter().map(|write| write.access.root).collect(), value)
            }
            _ => return,
        };
        let roots: Vec<Ident> = reads(value).into_iter().map(|read| read.root).collect();
        for name in names {
            self.behind.entry(name).or_default().extend(roots.iter().cloned());
        }
    }

    /// The variables whose rounding is in an expression.
    fn variables(&self, expr: &Expr, keeper: &Keeper) -> Vec<Ident> {
        self.variables_behind(reads(expr), keeper)
    }

    fn variables_behind(&self, reads: Vec<Access>, keeper: &Keeper) -> Vec<Ident> {
        let mut found = Vec::new();
        let mut seen: HashSet<Ident> = HashSet::new();
        let mut ahead: Vec<Ident> = reads.into_iter().map(|read| read.root).collect();
        while let Some(name) = ahead.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            ahead.extend(self.behind.get(&name).into_iter().flatten().cloned());
            for root in keeper.names.roots(&name).iter().filter(|root| !keeper.names.is_alias(root))
            {
                let mut writes = keeper.levels.iter().flat_map(Level::ahead);
                if writes.any(|write| keeper.names.roots(&write.root).contains(root)) {
                    found.push(root.clone());
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Where the rounding of what a decision reads is followed.
    pub fn scales_of(&mut self, expr: &Expr, keeper: &mut Keeper) -> Vec<Ident> {
        let variables = self.tracked(expr, keeper);
        self.decided.extend(variables.iter().cloned());
        self.followed(&variables, keeper)
    }

    /// As [`Rounding::variables`], where what is not undone yet is told apart: it is rounded as the
    /// caller says, whatever is done to the rest of the variable.
    fn tracked(&mut self, expr: &Expr, keeper: &mut Keeper) -> Vec<Ident> {
        let Some(untouched) = &self.untouched else { return self.variables(expr, keeper) };
        let lent = |root: &Ident| self.lent.contains_key(root);
        let still = |read: &Access| {
            let mut roots = keeper.names.roots(&read.root).iter();
            roots.all(|root| keeper.names.is_alias(root) || lent(root))
                && untouched.holds(read, keeper.names)
        };
        let shape = |read: &Access| {
            read.path == [Step::Shape] && keeper.names.plain(&read.root) > 0 && lent(&read.root)
        };
        let (still, others): (Vec<Access>, Vec<Access>) =
            reads(expr).into_iter().filter(|read| !shape(read)).partition(still);
        let mut found = self.variables_behind(others, keeper);
        for read in still {
            for root in keeper.names.roots(&read.root) {
                let Some(place) = self.lent.get(root).copied() else { continue };
                let named = || free_name(&format!("{root}_still"), keeper.used);
                let name = self.still_lent.entry(root.clone()).or_insert_with(named).clone();
                self.lent.insert(name.clone(), place);
                found.push(name);
            }
        }
        found.sort();
        found.dedup();
        found
    }

    fn followed(&mut self, variables: &[Ident], keeper: &mut Keeper) -> Vec<Ident> {
        let mut scale = |root: &Ident| {
            let scale = self.scales.entry(root.clone());
            scale.or_insert_with(|| free_name(&format!("round_{root}"), keeper.used)).clone()
        };
        variables.iter().map(&mut scale).collect()
    }

    /// What stops where an expression jumps: a remainder at whole quotients, an angle at its
    /// cut, a sign at zero. It stands beside, and so leaves the way of the gradient free. `roots`:
    /// whether those stop at zero.
    pub fn jump(
        &mut self,
        expr: &Expr,
        source: &Source,
        roots: bool,
        keeper: &mut Keeper,
    ) -> Option<Expr> {
        if let Expr::Call(call) = expr
            && let Some(check) = self.settled_call(call, source, keeper)
        {
            return Some(check);
        }
        if let Some(check) = self.settled_method(expr, source, keeper) {
            return Some(check);
        }
        let kind = keeper.kinds.of_expr(expr);
        // The types tell whether it is complex.
        let cut = cut(expr).filter(|(_, of)| keeper.kinds.of_expr(of) != crate::kinds::Kind::Real);
        let (name, (method, of, by)) = match cut {
            Some((name, of)) if roots && is_root(expr) => {
                (Some(name), ("__settled_root", of, None))
            }
            Some((name, of)) => (Some(name), ("__settled_branch", of, None)),
            None if is_root(expr) && !roots => return None,
            None => (None, jump(expr)?),
        };
        let value = |expr: Expr| match is_reference(&expr, keeper.names) {
            true => parse_quote!(*#expr),
            false => expr,
        };
        let (of, by) = (value(of), by.map(value));
        if kind.is_constant() || keeper.level(expr).is_none() {
            return None;
        }
        let scales = match &by {
            Some(by) => self.scales_of(&parse_quote!((#of, #by)), keeper),
            None => self.scales_of(&of, keeper),
        };
        let method = Ident::new(method, Span::call_site());
        let [a, b] = ["__value", "__by"].map(|name| Ident::new(name, Span::mixed_site()));
        Some(match by {
            // Of two numbers, literals are what the other one is.
            Some(by) if kind.is_number() && method == "__settled_quotient" => parse_quote!({
                let #a = (#of) / (#by);
                (&::retrograde::__private::Probe(&#a)).__settled_whole(&[#(#scales),*], #source)
            }),
            Some(by) => parse_quote!({
                let #a = &(#of);
                let #b = &(#by);
                (&::retrograde::__private::Sides(#a, #b)).#method(&[#(#scales),*], #source)
            }),
            None => {
                // By its name; and then one reference more, see the library.
                let (name, more): (_, Option<syn::Token![&]>) =
                    (name.iter(), name.as_ref().map(|_| Default::default()));
                parse_quote!({
                    let #a = (#of).__value();
                    (&#more ::retrograde::__private::Probe(&#a))
                        .#method(#(#name,)* &[#(#scales),*], #source)
                })
            }
        })
    }

    /// What stops where a pure function of the user's decides too closely on an argument that is
    /// undone. It decides for itself: it is told how far its arguments may be rounded.
    fn settled_call(
        &mut self,
        call: &syn::ExprCall,
        source: &Source,
        keeper: &mut Keeper,
    ) -> Option<Expr> {
        let Expr::Path(path) = &*call.func else { return None };
        if !is_of_user(path, keeper) {
            return None;
        }
        let operands: Vec<&Expr> = call.args.iter().collect();
        if self.ordinary(&operands, keeper) == Some(Ordinary::OfNumbers) {
            return Some(self.settled_whole(&Expr::Call(call.clone()), source, keeper));
        }
        let asked = Asked::Function(path.clone());
        let rounding = self.told_of(&operands, Some(asked), keeper)?;
        // What type a literal has, the function says: what it is in has a name here.
        let (mut names, mut values) = (Vec::new(), Vec::new());
        let operands: Vec<Expr> = operands
            .into_iter()
            .enumerate()
            .map(|(i, operand)| {
                if !has_literal(operand, keeper.names) {
                    return lent_again(operand, keeper.names);
                }
                let name = Ident::new(&format!("__argument{i}"), Span::mixed_site());
                let named = parse_quote!(#name);
                names.push(name);
                values.push(operand);
                named
            })
            .collect();
        let arguments: Vec<Expr> = std::iter::once(rounding).chain(operands.clone()).collect();
        let settle = emit::companion(path, SETTLE, &arguments, None);
        let settle = if_told(&arguments[0], parse_quote!(#settle));
        if names.is_empty() {
            return Some(settle);
        }
        Some(parse_quote!({
            #(let #names: _ = #values;)*
            #[allow(unreachable_code, clippy::diverging_sub_expression, clippy::empty_loop)]
            if false {
                loop {}
                let _ = #path(#(#operands),*);
            }
            #settle
        }))
    }

    /// The same, of a method of the user's, through which a gradient goes.
    fn settled_method(
        &mut self,
        expr: &Expr,
        source: &Source,
        keeper: &mut Keeper,
    ) -> Option<Expr> {
        let (name, operands): (&Ident, Vec<&Expr>) = match expr {
            Expr::MethodCall(e) => (&e.method, [&*e.receiver].into_iter().chain(&e.args).collect()),
            Expr::Call(e) => (of_own_type(e)?, e.args.iter().collect()),
            _ => return None,
        };
        let of_user = functions::is_of_user(&name.to_string());
        if !self.pulled || !of_user || keeper.kinds.of_expr(expr).is_constant() {
            return None;
        }
        match self.ordinary(&operands, keeper) {
            Some(Ordinary::OfNumbers) => return Some(self.settled_whole(expr, source, keeper)),
            Some(Ordinary::OfOthers) => return None,
            None => {}
        }
        let first = *operands.first()?;
        let known = matches!(expr, Expr::MethodCall(_)) && self.is_lent_before(first);
        let asked = known.then(|| Asked::Method(first.clone(), name.clone()));
        let rounding = self.told_of(&operands, asked, keeper)?;
        let arguments: Vec<Expr> = operands
            .into_iter()
            .map(|operand| lent_again(operand, keeper.names))
            .chain([rounding.clone()])
            .collect();
        let settle = match expr {
            Expr::Call(e) => {
                let Expr::Path(path) = &*e.func else { return None };
                let mut path = path.clone();
                path.path.segments.last_mut()?.ident =
                    crate::item::method_named(name, SETTLE, name.span());
                parse_quote!(#path(#(#arguments),*))
            }
            _ => {
                let settle = crate::item::method_named(name, SETTLE_LENT, name.span());
                let types: Vec<Ident> =
                    (1..arguments.len()).map(|i| quote::format_ident!("A{i}")).collect();
                let (receiver, arguments) = (first, &arguments[1..]);
                let lent: Expr = match is_reference(receiver, keeper.names) {
                    true => parse_quote!(&*#receiver),
                    false => parse_quote!(&#receiver),
                };
                let on = Ident::new("__on", Span::mixed_site());
                // A method that gives a reference has no rule, so it says nothing. The trait is
                // asked last: it takes `&mut self`.
                parse_quote!({
                    #[allow(dead_code)]
                    trait Undecided {
                        #[inline(always)]
                        fn #settle<#(#types),*>(&mut self, #(_: #types),*) {}
                    }
                    impl<T: ?::core::marker::Sized> Undecided for T {}
                    let #on = #lent;
                    (&::retrograde::__private::Probe(#on)).__pointed().#settle(#(#arguments),*)
                })
            }
        };
        Some(if_told(&rounding, settle))
    }

    /// Whether a function may be one that does not say what it decides, if it is passed what is
    /// undone.
    fn ordinary(&self, operands: &[&Expr], keeper: &Keeper) -> Option<Ordinary> {
        let undone: Vec<&Expr> =
            operands.iter().copied().filter(|operand| is_undone(operand, keeper)).collect();
        let passed: Vec<Ident> = undone.iter().flat_map(|e| self.variables(e, keeper)).collect();
        (!passed.is_empty() && keeper.kinds.may_be_ordinary(&passed)).then(|| {
            match undone.iter().all(|e| keeper.kinds.of_expr(e).is_number()) {
                true => Ordinary::OfNumbers,
                // Others may be large, and would be copied for each call.
                false => Ordinary::OfOthers,
            }
        })
    }

    /// What stops where a function decides too closely that does not say so.
    fn settled_whole(&mut self, call: &Expr, source: &Source, keeper: &mut Keeper) -> Expr {
        let same = self.same(call, call.clone(), None, source, keeper);
        parse_quote!({ let _ = #same; })
    }

    /// What a function is told of how far its arguments may be rounded, if any of them is.
    fn told_of(
        &mut self,
        operands: &[&Expr],
        asked: Option<Asked>,
        keeper: &mut Keeper,
    ) -> Option<Expr> {
        let mut told: Vec<syn::ExprTuple> = Vec::new();
        for (i, operand) in operands.iter().enumerate() {
            if !is_undone(operand, keeper) {
                continue;
            }
            let scales = match keeper.kinds.of_expr(operand).is_number() {
                true => self.scales_of(operand, keeper),
                false => {
                    let variables = self.tracked(operand, keeper);
                    let path = asked.clone().zip(bit(i));
                    self.asks(path.as_ref(), keeper);
                    let passed = variables.iter().map(|variable| (variable.clone(), path.clone()));
                    self.passed.extend(passed);
                    self.followed(&variables, keeper)
                }
            };
            told.extend(scales.iter().map(|scale| parse_quote!((#i, #scale))));
        }
        (!told.is_empty()).then(|| parse_quote!(&[#(#told),*]))
    }

    /// What goes before a call and after it, which tells it what of its arguments was undone.
    pub fn around(
        &mut self,
        statement: &Statement,
        there_and_back: bool,
        keeper: &mut Keeper,
    ) -> [Block; 2] {
        let Kind::Call(call) = &statement.kind else { return [Block::new(), Block::new()] };
        let mut carried: Vec<Expr> = Vec::new();
        let mut asked: Vec<Option<(Ident, u64)>> = Vec::new();
        for (i, argument) in call.operands().enumerate() {
            if !is_undone(argument, keeper) {
                continue;
            }
            let variables = self.tracked(argument, keeper);
            let scales = self.followed(&variables, keeper);
            let path = match &call.callee {
                Callee::Function(path) => Some(Asked::Function(path.clone())),
                // Where it is known before the block begins.
                Callee::Method { receiver, name, .. } if self.is_lent_before(receiver) => {
                    Some(Asked::Method((**receiver).clone(), name.clone()))
                }
                _ => None,
            };
            let path = path.zip(bit(i));
            let asks = self.asks(path.as_ref(), keeper);
            for (variable, scale) in variables.into_iter().zip(scales) {
                let passed = (variable, path.clone());
                if !self.passed.contains(&passed) {
                    self.passed.push(passed);
                }
                let asks = any([asks.clone()]);
                carried.push(parse_quote!(
                    ::retrograde::__private::carry_one(#i, #asks, #scale)
                ));
            }
            asked.push(asks);
        }
        if carried.is_empty() {
            return [Block::new(), Block::new()];
        }
        let carry = called(statement, "carry", vec![parse_quote!([#(#carried),*])]);
        let nothing = called(statement, "carry_nothing", vec![any(asked)]);
        match there_and_back {
            // The same from both ends.
            true => [vec![nothing.clone(), carry.clone()], vec![carry, nothing]],
            false => [vec![carry], vec![nothing]],
        }
    }

    /// Follows the rounding of what is written.
    pub fn follow(&self, block: &mut Block, keeper: &Keeper) {
        let mut out = Block::new();
        for mut statement in std::mem::take(block) {
            statement.blocks_mut().into_iter().for_each(|inner| self.follow(inner, keeper));
            let places: Vec<Access> = match &statement.kind {
                Kind::Update { .. } | Kind::Call(_) if !statement.generated => {
                    let writes = effects::of(&statement, keeper.names).writes;
                    writes.into_iter().map(|write| write.access).collect()
                }
                _ => Vec::new(),
            };
            let update = matches!(statement.kind, Kind::Update { .. });
            let (mut before, mut after) = (Block::new(), Block::new());
            for access in places {
                let written = place(&access);
                let kind = keeper.kinds.of_expr(written);
                // Whether its sums are exact depends on both; and where a call undoes it, it may
                // have been larger before.
                let (names, seen) = match (update, kind.is_number()) {
                    (true, true) => (["watch_extent"; 2], "__extent"),
                    (false, false) => (["see_parts"; 2], "__parts"),
                    _ => (["see_extent", "see_extent_after"], "__extent"),
                };
                let seen = of_place(written, &kind, keeper.names, seen);
                for root in keeper.names.roots(&access.root) {
                    let Some(scale) = self.scales.get(root) else { continue };
                    for (name, side) in names.into_iter().zip([&mut before, &mut after]) {
                        let seen = vec![parse_quote!(&mut #scale), seen.clone()];
                        side.push(called(&statement, name, seen));
                    }
                }
            }
            out.extend(before);
            out.push(statement);
            out.extend(after);
        }
        *block = out;
    }

    /// The declarations of what is followed, for before a block.
    pub fn declarations(&self, at: &Statement, names: &Names) -> Block {
        let mut scales: Vec<(&Ident, &Ident)> = self.scales.iter().collect();
        scales.sort();
        let answers = self.asked.iter().map(|(asked, answer)| {
            let value = asked.ask(names);
            let kind = Kind::Allocate(Ancilla::new(answer.clone(), None, value, false));
            Statement { generated: true, ..at.with(kind) }
        });
        let mut declarations: Block = answers.collect();
        let mut taken: Vec<Option<(Ident, u64)>> = Vec::new();
        for (variable, scale) in scales {
            // What is only passed on is followed if somebody decides on it.
            let asks: Vec<Option<(Ident, u64)>> = match self.decided.contains(variable) {
                true => vec![None],
                false => {
                    let passed = self.passed.iter().filter(|(passed, _)| passed == variable);
                    passed.map(|(_, path)| self.answer(path.as_ref())).collect()
                }
            };
            let asked = any(asks.clone());
            let value: Expr = match self.lent.get(variable) {
                Some(place) => match &self.told {
                    Some(told) => parse_quote!(::retrograde::__private::told(#told, #place)),
                    None => {
                        taken.extend(asks);
                        parse_quote!(::retrograde::__private::carried_if(#asked, #place))
                    }
                },
                None => parse_quote!(::retrograde::check::Scale::if_asked(#asked)),
            };
            let kind = Kind::Allocate(Ancilla::new(scale.clone(), None, value, false));
            declarations.push(Statement { generated: true, ..at.with(kind) });
        }
        if !taken.is_empty() {
            // What is carried here is not carried on by itself.
            declarations.push(called(at, "carry_nothing", vec![any(taken)]));
        }
        declarations
    }

    /// Asks a function whether it decides on one of its arguments: where the answer is, and the
    /// mark of the argument; `None` if it cannot be asked.
    fn asks(&mut self, passed: Option<&(Asked, u64)>, keeper: &mut Keeper) -> Option<(Ident, u64)> {
        let (path, _) = passed?;
        if !self.asked.iter().any(|(known, _)| known == path) {
            self.asked.push((path.clone(), free_name("_decides", keeper.used)));
        }
        self.answer(passed)
    }

    /// Whether a place is an argument or a field of one.
    fn is_lent_before(&self, place: &Expr) -> bool {
        access(place).is_some_and(|place| {
            let mut steps = place.path.iter();
            self.lent.contains_key(&place.root) && steps.all(|s| matches!(s, Step::Field(_)))
        })
    }

    fn answer(&self, passed: Option<&(Asked, u64)>) -> Option<(Ident, u64)> {
        let (path, mark) = passed?;
        let (_, answer) = self.asked.iter().find(|(known, _)| known == path)?;
        Some((answer.clone(), *mark))
    }

    /// Whether something is decided on what is followed, and not in calls alone.
    pub fn decides_here(&self) -> bool {
        !self.decided.is_empty()
    }

    /// On which arguments that it is lent a function decides, or has others decide. `alone`:
    /// whether its body declares no items, which are not known elsewhere.
    pub fn decides(&self, function: Option<&Ident>, alone: bool) -> Looks {
        let mut decides = Looks::default();
        for (variable, place) in &self.lent {
            let Some(mark) = bit(*place) else { continue };
            if self.decided.contains(variable) {
                decides.add(mark);
            }
            for (_, path) in self.passed.iter().filter(|(passed, _)| passed == variable) {
                match path {
                    Some((Asked::Function(path), inner)) if alone => {
                        // Of the function itself it is true if it is true of the rest.
                        let own = function.is_some_and(|own| path.path.is_ident(own));
                        if !(own && *inner == mark) {
                            decides.add_passed((path.clone(), *inner, mark));
                        }
                    }
                    _ => decides.add(mark),
                }
            }
        }
        decides
    }
}

/// A function or method that is asked whether it decides.
#[derive(Clone, PartialEq)]
enum Asked {
    Function(ExprPath),
    /// What it is called on, and its name.
    Method(Expr, Ident),
}

impl Asked {
    fn ask(&self, names: &Names) -> Expr {
        let (receiver, name) = match self {
            Asked::Function(path) => {
                return Expr::Verbatim(ask(DECIDES, path, &parse_quote!(#DEPTH)));
            }
            Asked::Method(receiver, name) => {
                (receiver, crate::item::method_named(name, DECIDES, name.span()))
            }
        };
        let lent: Expr = match is_reference(receiver, names) {
            true => parse_quote!(&*#receiver),
            false => parse_quote!(&#receiver),
        };
        // Who does not say may decide. The trait is asked last: it takes `&mut self`.
        Expr::Verbatim(quote!({
            #[allow(dead_code)]
            trait Unsaid {
                #[inline(always)]
                fn #name(&mut self, _: u32) -> u64 { !0 }
            }
            impl<T: ?::core::marker::Sized> Unsaid for T {}
            (&::retrograde::__private::Probe(#lent)).__pointed().#name(#DEPTH)
        }))
    }
}

/// Whether one of some functions decides on one of its arguments; `None` cannot be asked.
fn any(asked: impl IntoIterator<Item = Option<(Ident, u64)>>) -> Expr {
    let mut answers: Vec<(Ident, u64)> = Vec::new();
    for one in asked {
        let Some((answer, mark)) = one else { return parse_quote!(true) };
        match answers.iter_mut().find(|(known, _)| *known == answer) {
            Some((_, marks)) => *marks |= mark,
            None => answers.push((answer, mark)),
        }
    }
    let conditions =
        answers.iter().map(|(answer, marks)| -> Expr { parse_quote!(#answer & #marks != 0) });
    let either = |a: Expr, b: Expr| parse_quote!(#a || #b);
    conditions.reduce(either).unwrap_or_else(|| parse_quote!(false))
}

/// The extent of what stands at a place.
pub fn extent(place: &Expr, kind: &crate::kinds::Kind, names: &Names) -> Expr {
    of_place(place, kind, names, "__extent")
}

/// What a method of the library gives for what stands at a place.
fn of_place(place: &Expr, kind: &crate::kinds::Kind, names: &Names, method: &str) -> Expr {
    let method = Ident::new(method, Span::call_site());
    let probe: Expr = match (kind, is_reference(place, names)) {
        (crate::kinds::Kind::Sequence(_), _) => {
            parse_quote!(&&::retrograde::__private::Elements(&#place[..]))
        }
        (_, true) => parse_quote!(&&::retrograde::__private::Probe(&*#place)),
        _ => parse_quote!(&&::retrograde::__private::Probe(&#place)),
    };
    parse_quote!((#probe).#method())
}

/// What an expression jumps at that is no decision: which check it is, of what, and beside what.
fn jump(expr: &Expr) -> Option<(&'static str, Expr, Option<Expr>)> {
    if let Expr::Binary(e) = expr {
        let rest = matches!(e.op, syn::BinOp::Rem(_));
        return rest.then(|| ("__settled_quotient", (*e.left).clone(), Some((*e.right).clone())));
    }
    let (name, of, others) = function(expr)?;
    let by = others.first().map(|by| (*by).clone());
    Some(match name.to_string().as_str() {
        "fract" => ("__settled_whole", of.clone(), None),
        "rem_euclid" => ("__settled_quotient", of.clone(), Some(by?)),
        "atan2" => ("__settled_cut", of.clone(), Some(by?)),
        "copysign" => ("__settled_sign", by?, None),
        "hypot" => ("__settled_sign", expr.clone(), None),
        name if ROOTS.contains(&name) => ("__settled_sign", of.clone(), None),
        _ => return None,
    })
}

/// What has an infinite slope at zero, and beside it one that is larger than all else.
const ROOTS: [&str; 4] = ["cbrt", "hypot", "powf", "sqrt"];

/// The functions that jump at a cut if what they are of is complex.
const CUT: [&str; 17] = [
    "acos", "acosh", "arg", "asin", "asinh", "atan", "atanh", "cbrt", "ln", "ln_1p", "log",
    "log10", "log2", "powc", "powf", "sqrt", "to_polar",
];

/// Such a function, and what it is of.
fn cut(expr: &Expr) -> Option<(String, Expr)> {
    let (name, of, _) = function(expr)?;
    is_one_of(name, &CUT).then(|| (name.to_string(), of.clone()))
}

/// Whether an expression is a root of something.
fn is_root(expr: &Expr) -> bool {
    function(expr).is_some_and(|(name, ..)| is_one_of(name, &ROOTS))
}

/// A check that has nothing to say unless something is told to be rounded: so seldom is it that
/// what it needs is not even put together before.
fn if_told(rounding: &Expr, check: Expr) -> Expr {
    parse_quote!(if ::retrograde::__private::is_told(#rounding) { #check })
}

/// A function that says nothing of what it decides.
#[derive(Clone, Copy, PartialEq)]
enum Ordinary {
    /// What is undone of its arguments are numbers.
    OfNumbers,
    /// It is more than that.
    OfOthers,
}

fn is_undone(operand: &Expr, keeper: &Keeper) -> bool {
    !keeper.kinds.of_expr(operand).is_constant() && keeper.level(operand).is_some()
}

/// An argument of a call that is made beside another one: what that has as its own, this would
/// take.
fn lent_again(argument: &Expr, names: &Names) -> Expr {
    match is_lent(argument, names) {
        true if bare_name(argument).is_some() => parse_quote!(&*#argument),
        _ => argument.clone(),
    }
}

/// The name of an associated function of the type whose method this is. Of another type one cannot
/// see whether the function has a rule: `Box::new` has none.
fn of_own_type(call: &syn::ExprCall) -> Option<&Ident> {
    let Expr::Path(path) = &*call.func else { return None };
    let mut segments = path.path.segments.iter().map(|segment| &segment.ident);
    match (segments.next()?, segments.next()?, segments.next()) {
        (owner, name, None) if owner == "Self" && path.qself.is_none() => {
            name.to_string().starts_with(char::is_lowercase).then_some(name)
        }
        _ => None,
    }
}

/// The jumps of an expression that are evaluated in any case, with names that are known outside.
struct Jumps<'j, 'a> {
    rounding: &'j mut Rounding,
    keeper: &'j mut Keeper<'a>,
    source: Source,
    found: Vec<Expr>,
    around: Vec<Around>,
}

impl Inside for Jumps<'_, '_> {
    fn around(&mut self) -> &mut Vec<Around> {
        &mut self.around
    }
}

impl<'e> Visit<'e> for Jumps<'_, '_> {
    fn visit_expr(&mut self, expr: &'e Expr) {
        let check = self.rounding.jump(expr, &self.source, true, self.keeper);
        self.found.extend(check.map(|check| Around::all(&self.around, check)));
        let pulled = self.rounding.pulled;
        match expr {
            Expr::Closure(_) | Expr::Match(_) => {}
            // No gradient goes through what is decided.
            Expr::Binary(e) if is_condition(&e.op) => {
                self.rounding.pulled = false;
                crate::visit::visit_expr(self, expr);
                self.rounding.pulled = pulled;
            }
            Expr::Cast(e) if !is_float(&e.ty) => {
                self.rounding.pulled = false;
                self.visit_expr(&e.expr);
                self.rounding.pulled = pulled;
            }
            Expr::Index(e) => {
                self.visit_expr(&e.expr);
                self.rounding.pulled = false;
                self.visit_expr(&e.index);
                self.rounding.pulled = pulled;
            }
            Expr::If(e) => {
                self.rounding.pulled = false;
                self.visit_expr(&e.cond);
                self.rounding.pulled = pulled;
                around::branches(self, e);
            }
            _ => crate::visit::visit_expr(self, expr),
        }
    }

    fn visit_block(&mut self, block: &'e syn::Block) {
        around::statements(self, block);
    }

    fn visit_item(&mut self, _: &'e syn::Item) {}
}

/// The function that stops where a pure function decides too closely.
pub const SETTLE: &str = "__settle";

/// The same of a method, which is lent what it is called on.
pub const SETTLE_LENT: &str = "__settle_lent";

/// Whether there is a float literal in an expression, or a name for one.
fn has_literal(expr: &Expr, names: &Names) -> bool {
    struct Search<'a>(&'a Names, bool);
    impl<'e> Visit<'e> for Search<'_> {
        fn visit_lit_float(&mut self, _: &'e syn::LitFloat) {
            self.1 = true;
        }
        fn visit_expr_path(&mut self, path: &'e syn::ExprPath) {
            self.1 |= path.path.get_ident().is_some_and(|name| self.0.is_literal_name(name));
        }
    }
    let mut search = Search(names, false);
    search.visit_expr(expr);
    search.1
}

/// Whether a function is the user's own, as far as one can see: what it decides, its companion
/// type tells, if it has one.
pub(super) fn is_of_user(path: &syn::ExprPath, keeper: &Keeper) -> bool {
    let names: Vec<&Ident> = path.path.segments.iter().map(|segment| &segment.ident).collect();
    let (Some(first), Some(last)) = (names.first(), names.last()) else { return false };
    let is_type = |name: &Ident| {
        is_one_of(name, &NUMBER_TYPES) || name.to_string().starts_with(char::is_uppercase)
    };
    let local = names.len() == 1 && keeper.names.is_declared(first);
    path.qself.is_none()
        && !names.iter().any(|name| is_type(name))
        && !is_one_of(first, &["alloc", "core", "retrograde", "std"])
        && !is_one_of(last, &["crate", "self", "super"])
        && !local
        && keeper.kinds.name(last) != crate::kinds::Kind::Function
}

const NUMBER_TYPES: [&str; 16] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32",
    "u64", "u128", "usize",
];

/// A call of the library's that computes nothing.
pub fn called(at: &Statement, name: &str, arguments: Vec<Expr>) -> Statement {
    let name = Ident::new(name, Span::call_site());
    let callee = Callee::Function(parse_quote!(::retrograde::__private::#name));
    let (parentheses, direction) = (Default::default(), Direction::Forward);
    let kind = Kind::Call(Call { callee, arguments, parentheses, direction });
    Statement { generated: true, checked: false, ..at.with(kind) }
}

/// What a call of ours looks at values for. It is for the statements beside it alone, and nothing
/// is computed for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// It follows the rounding of what is written.
    See,
    /// It tells the next call what is rounded,
    Carry,
    /// or that nothing is.
    CarryNothing,
    /// It stops at what is too close.
    Check,
    /// It marks what a function leans on, see `crate::optimise`.
    Lean,
}

/// Whether a statement only looks, and what for.
pub fn look(statement: &Statement) -> Option<Look> {
    let Kind::Call(call) = &statement.kind else { return None };
    let Callee::Function(path) = &call.callee else { return None };
    let library = path.path.segments.first().is_some_and(|first| first.ident == "retrograde");
    if !(statement.generated && library && path.path.leading_colon.is_some()) {
        return None;
    }
    Some(match path.path.segments.last()?.ident.to_string().as_str() {
        "see_extent" | "see_extent_after" | "see_parts" | "watch_extent" => Look::See,
        "carry" => Look::Carry,
        "carry_nothing" => Look::CarryNothing,
        "checked" => Look::Check,
        "leans" => Look::Lean,
        _ => return None,
    })
}

/// Whether a call writes nothing that we see because it only looks.
pub fn only_looks(call: &Call) -> bool {
    let Callee::Function(path) = &call.callee else { return false };
    let last = path.path.segments.last();
    let library = path.path.segments.first().is_some_and(|first| first.ident == "retrograde");
    library
        && path.path.leading_colon.is_some()
        && last.is_some_and(|last| {
            is_one_of(&last.ident, &["carry", "carry_nothing", "checked", "leans"])
        })
}

/// A block without the calls that only look.
pub fn without_looks(block: &[Statement]) -> Block {
    let stays = |statement: &&Statement| matches!(look(statement), None | Some(Look::See));
    let mut block: Block = block.iter().filter(stays).cloned().collect();
    for statement in &mut block {
        statement.blocks_mut().into_iter().for_each(|inner| *inner = without_looks(inner));
    }
    block
}

/// A block on its way there, without the calls that only look at what it undoes itself. Those at
/// what its callers have undone stay.
pub fn without_own_looks(block: Block) -> Block {
    let followed = |statement: &Statement| match &statement.kind {
        Kind::Allocate(ancilla) if statement.generated => Some(ancilla.name.clone()),
        _ => None,
    };
    let own: Vec<Ident> = block.iter().filter_map(followed).collect();
    let mut others = block.clone();
    match drop_looks_at(&own, &mut others) {
        true => others,
        false => without_looks(&block),
    }
}

/// Drops the calls that look at something; tells whether others are left for which one need look.
fn drop_looks_at(own: &[Ident], block: &mut Block) -> bool {
    let mut left = false;
    block.retain(|statement| match look(statement) {
        Some(Look::Carry | Look::Check) => {
            let other = !own.iter().any(|name| statement.mentions(name));
            left |= other;
            other
        }
        Some(Look::Lean) => false,
        Some(Look::See | Look::CarryNothing) | None => true,
    });
    for inner in block.iter_mut().flat_map(Statement::blocks_mut) {
        left |= drop_looks_at(own, inner);
    }
    left
}

/// Whether something is called, other than by us.
pub(super) fn calls(block: &Block) -> bool {
    block.iter().any(|statement| {
        let own = matches!(statement.kind, Kind::Call(_)) && !statement.generated;
        own || statement.blocks().into_iter().any(calls)
    })
}

fn place(access: &Access) -> &Expr {
    match &access.expr {
        Expr::Reference(e) => &e.expr,
        other => other,
    }
}

/// Whether a callee may write an argument, or it is what a method is called on.
fn is_lent(argument: &Expr, names: &Names) -> bool {
    match argument {
        Expr::Paren(e) => is_lent(&e.expr, names),
        Expr::Reference(e) => e.mutability.is_some(),
        Expr::Path(_) => bare_name(argument).is_some_and(|n| names.mode(n) == Mode::Mutable),
        _ => false,
    }
}

/// Whether an expression is the name of a reference.
fn is_reference(expr: &Expr, names: &Names) -> bool {
    let name = bare_name(expr).filter(|_| matches!(expr, Expr::Path(_)));
    name.is_some_and(|name| matches!(names.mode(name), Mode::Shared | Mode::Mutable))
}
