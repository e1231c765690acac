//! Statements: updates, temporaries, branches, views, instructions.

use super::writer::{Shape, Term, Thing, Writer, meets};

impl Writer {
    pub(super) fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth);
        }
    }

    pub(super) fn statement(&mut self, depth: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let kind = if depth == 0 { self.random.below(17) } else { self.random.below(44) };
        match kind {
            0..=6 => self.update(),
            7 | 8 => self.temporary(),
            9..=13 => self.call(),
            14 => self.instruction(),
            15 => self.ancilla(depth),
            16 if self.on_host() => self.stack(depth),
            16 => self.update(),
            17 => self.braces("", depth - 1, ""),
            18 | 19 => self.braces("!", depth - 1, ";"),
            20..=23 => self.branches(depth - 1),
            24 => self.branch_with_two_conditions(depth - 1),
            25..=27 => self.range_loop(depth - 1),
            28 => self.while_loop(depth - 1),
            29..=33 => self.iterator_loop(depth - 1),
            34..=36 => self.view(depth - 1),
            37..=40 => self.compute(depth - 1),
            _ => self.ancilla(depth),
        }
    }

    pub(super) fn block(&mut self, depth: usize) {
        let (things, counters, frozen) =
            (self.things.len(), self.counters.len(), self.frozen.len());
        let hidden: Vec<bool> = self.things.iter().map(|thing| thing.hidden).collect();
        self.statements(depth);
        self.things.truncate(things);
        self.counters.truncate(counters);
        self.frozen.truncate(frozen);
        for (thing, hidden) in self.things.iter_mut().zip(hidden) {
            thing.hidden = hidden;
        }
    }

    pub(super) fn braces(&mut self, head: &str, depth: usize, tail: &str) {
        self.line(&format!("{head} {{"));
        self.block(depth);
        self.line(&format!("}}{tail}"));
    }

    /// A block in which what was declared before `floor` is only read.
    pub(super) fn block_above(&mut self, floor: usize, depth: usize) {
        let outer = std::mem::replace(&mut self.floor, floor);
        self.block(depth);
        self.floor = outer;
    }

    pub(super) fn update(&mut self) {
        if self.chance(20) && self.update_in_a_list() {
            return;
        }
        let Some(place) = self.writable() else { return };
        self.avoid.push(place.root.clone());
        let depth = 1 + self.random.below(3);
        let value = self.value(depth);
        self.avoid.pop();
        let operator = self.one_of(&["+=", "-="]);
        if self.on_host() && self.chance(5) {
            return self.line(&format!("*negated(&mut {}) {operator} {value};", place.text));
        }
        if self.chance(5) {
            return self.line(&format!("!({} {operator} {value});", place.text));
        }
        self.line(&format!("{} {operator} {value};", place.text));
    }

    /// `v[i] += … v[j] …`
    pub(super) fn update_in_a_list(&mut self) -> bool {
        let lists = self.long_lists(true);
        if lists.is_empty() {
            return false;
        }
        let (_, list, length) = lists[self.random.below(lists.len())].clone();
        let near: Vec<String> =
            self.counters.iter().filter(|c| c.2 < length).map(|c| c.0.clone()).collect();
        let (i, j) = if !near.is_empty() && self.chance(70) {
            let name = near[self.random.below(near.len())].clone();
            (name.clone(), format!("{name} + 1"))
        } else {
            let i = self.random.below(length);
            (i.to_string(), ((i + 1 + self.random.below(length - 1)) % length).to_string())
        };
        let (i, j) = if self.chance(50) { (j, i) } else { (i, j) };
        self.avoid.push(list.root.clone());
        let other = self.expression(1);
        self.avoid.pop();
        self.reads.push(list.root.clone());
        let (path, operator) = (&list.path, self.one_of(&["+=", "-="]));
        let value = match self.random.below(3) {
            0 => Term::new(format!("({path}[{j}] * {})", other.text), list.bound * other.bound),
            1 => Term::new(format!("({} + {path}[{j}])", other.text), list.bound + other.bound),
            _ => {
                let text = format!("({path}[{j}] * {path}[{j}])");
                Term::new(text, list.bound * list.bound)
            }
        };
        let value = self.scaled(value, 0.6 / self.weight).text;
        self.line(&format!("{path}[{i}] {operator} {value};"));
        true
    }

    pub(super) fn temporary(&mut self) {
        let reads = self.reads.len();
        let depth = 1 + self.random.below(2);
        match self.random.below(9) {
            0 => {
                let (t, u) = (self.fresh("t"), self.fresh("u"));
                let (a, b) = (self.expression(depth), self.expression(depth));
                self.line(&format!("let ({t}, {u}) = ({}, {});", a.text, b.text));
                for (name, bound) in [(t, a.bound), (u, b.bound)] {
                    self.thing(&name, Shape::Number, &format!("={name}")).bound = bound;
                }
            }
            1 => {
                let (t, u) = (self.fresh("t"), self.fresh("u"));
                let a = self.expression(depth);
                let a = self.scaled(a, 2.0);
                let receiver = self.receiver(&a);
                self.line(&format!("let ({t}, {u}) = {receiver}.sin_cos();"));
                for name in [t, u] {
                    self.thing(&name, Shape::Number, &format!("={name}")).bound = 1.5;
                }
            }
            2 => {
                let name = self.fresh("t");
                let terms: Vec<Term> = (0..3).map(|_| self.expression(depth)).collect();
                let bound = terms.iter().map(|term| term.bound).fold(0.0, f64::max);
                let terms: Vec<String> = terms.into_iter().map(|term| term.text).collect();
                self.line(&format!("let {name} = [{}];", terms.join(", ")));
                self.thing(&name, Shape::List(3), &format!("={name}")).bound = bound;
            }
            3 if !self.pairs.is_empty() => {
                let (t, u) = (self.fresh("t"), self.fresh("u"));
                let a = self.expression(depth);
                let a = self.scaled(a, 3.0);
                let name = self.pairs[self.random.below(self.pairs.len())].clone();
                if self.chance(50) {
                    self.line(&format!("let ({t}, {u}) = {name}({});", a.text));
                    for name in [t, u] {
                        self.thing(&name, Shape::Number, &format!("={name}")).bound = 3.0;
                    }
                } else {
                    self.line(&format!("let {t} = {name}({});", a.text));
                    self.thing(&t, Shape::Pair, &format!("={t}")).bound = 3.0;
                }
            }
            4 => {
                let name = self.fresh("t");
                let a = self.expression(depth);
                self.line(&format!("let {name}: T = {};", a.text));
                self.thing(&name, Shape::Number, &format!("={name}")).bound = a.bound;
            }
            _ => {
                let name = self.fresh("t");
                let a = self.expression(depth);
                self.line(&format!("let {name} = {};", a.text));
                self.thing(&name, Shape::Number, &format!("={name}")).bound = a.bound;
            }
        }
        self.freeze_since(reads);
    }

    pub(super) fn branches(&mut self, depth: usize) {
        let (reads, frozen) = (self.reads.len(), self.frozen.len());
        let condition = self.condition();
        let second = self.chance(40).then(|| self.condition());
        self.freeze_since(reads);
        let both = if self.chance(15) { format!("({condition}, _)") } else { condition };
        self.braces(&format!("if {both}"), depth, "");
        if let Some(second) = second {
            self.braces(&format!("else if {second}"), depth, "");
        }
        if self.chance(60) {
            self.braces("else", depth, "");
        }
        self.frozen.truncate(frozen);
    }

    /// `if (*x > 1.0, *x > 4.0)`: backwards, it refuses a number in between. That must
    /// show in the function itself, where it is written, and not where it is left out.
    pub(super) fn branch_with_two_conditions(&mut self, depth: usize) {
        if self.complex || !self.outermost {
            return self.branches(depth);
        }
        let Some(place) = self.writable() else { return };
        if self.things.iter().any(|thing| thing.root == place.root && !thing.reference) {
            return self.branches(depth);
        }
        let (limit, frozen) = (self.random.below(4) as f64 / 2.0, self.frozen.len());
        self.frozen.push(place.root.clone());
        let text = &place.text;
        self.line(&format!("if ({text} > {limit:?}, {text} > {:?}) {{", limit + 3.0));
        self.braces("", depth, "");
        self.line(&format!("{text} += 3.0;\n}}"));
        self.frozen.truncate(frozen);
        self.frozen.push(place.root);
    }

    pub(super) fn instruction(&mut self) {
        let Some(first) = self.writable() else { return };
        self.avoid.push(first.root.clone());
        let second = self.writable();
        if let Some(second) = &second {
            self.avoid.push(second.root.clone());
        }
        match (second, self.random.below(4)) {
            (Some(second), 0 | 1) => {
                self.line(&format!("swap({}, {});", first.lent_mut, second.lent_mut));
            }
            (Some(second), 2) => {
                let angle = self.expression(1);
                let angle = self.scaled(angle, 1.0);
                self.exact = false;
                self.line(&format!(
                    "rot({}, {}, &({}));",
                    first.lent_mut, second.lent_mut, angle.text
                ));
            }
            _ => self.line(&format!("neg({});", first.lent_mut)),
        }
        self.avoid.clear();
    }

    pub(super) fn stack(&mut self, depth: usize) {
        let name = self.fresh("k");
        let (frozen, things) = (self.frozen.len(), self.things.len());
        if self.chance(50) {
            let Some(place) = self.readable() else { return };
            self.line(&format!("{{\nlet mut {name} = Stack::new();"));
            self.line(&format!("{name}.push_copy({});", place.lent));
            self.frozen.push(place.root.clone());
            self.thing(&format!("{name}[0]"), Shape::Number, &name).bound = place.bound;
            self.uses(depth.min(1));
            self.line(&format!("{name}.pop_copy({});\n}}", place.lent));
        } else {
            let Some(place) = self.writable() else { return };
            self.line(&format!("{{\nlet mut {name} = Stack::new();"));
            self.line(&format!("{name}.push({});", place.lent_mut));
            self.avoid.push(place.root.clone());
            let reads = self.reads.len();
            let value = self.value(1);
            self.avoid.pop();
            let change = format!("{} += {value} * {name}[0];", place.text);
            self.line(&change);
            self.frozen.push(place.root.clone());
            self.freeze_since(reads);
            self.thing(&format!("{name}[0]"), Shape::Number, &name).bound = place.bound;
            self.uses(depth.min(1));
            self.line(&format!("!{{\n{change}\n}};"));
            self.line(&format!("{name}.pop({});\n}}", place.lent_mut));
        }
        self.frozen.truncate(frozen);
        self.things.truncate(things);
    }

    pub(super) fn view(&mut self, depth: usize) {
        let (things, frozen) = (self.things.len(), self.frozen.len());
        let hidden: Vec<bool> = self.things.iter().map(|thing| thing.hidden).collect();
        self.line("{");
        let declared = self.declare_view();
        for thing in &declared {
            if thing.writable {
                self.hide(&thing.root);
            } else {
                self.frozen.push(thing.root.clone());
                self.reads.push(thing.root.clone());
            }
        }
        self.things.extend(declared);
        self.statements(depth);
        self.update();
        self.line("}");
        self.things.truncate(things);
        self.frozen.truncate(frozen);
        for (thing, hidden) in self.things.iter_mut().zip(hidden) {
            thing.hidden = hidden;
        }
    }

    pub(super) fn declare_view(&mut self) -> Vec<Thing> {
        let view = |list: &Thing, name: &str, shape: Shape, writable: bool| Thing {
            path: name.to_string(),
            reference: true,
            shape,
            writable,
            ..list.clone()
        };
        let write = self.chance(50);
        let parts: Vec<_> = self
            .parts()
            .into_iter()
            .filter(
                |(i, thing)| {
                    if write { self.may_write(*i, thing) } else { self.may_read(thing) }
                },
            )
            .map(|(_, thing)| thing)
            .collect();
        if parts.is_empty() {
            return Vec::new();
        }
        let part = parts[self.random.below(parts.len())].clone();
        let (name, borrow) = (self.fresh("r"), if write { "&mut " } else { "&" });
        match part.shape {
            Shape::List(length) if length > 3 && self.chance(35) => {
                let (other, at) = (self.fresh("r"), 2 + self.random.below(length - 3));
                let method = if write { "split_at_mut" } else { "split_at" };
                self.line(&format!("let ({name}, {other}) = {}.{method}({at});", part.path));
                let mut first = view(&part, &name, Shape::List(at), write);
                let mut second = view(&part, &other, Shape::List(length - at), write);
                if write {
                    self.hide(&part.root);
                    (first.root, second.root) =
                        (format!("{}.lo{name}", part.root), format!("{}.hi{name}", part.root));
                }
                vec![first, second]
            }
            Shape::List(length) if self.chance(15) => {
                let text =
                    if part.reference { format!("*{}", part.path) } else { part.path.clone() };
                self.line(&format!("let {name} = {borrow}{text};"));
                vec![view(&part, &name, Shape::List(length), write)]
            }
            Shape::List(length) if self.chance(60) => {
                let start = self.random.below((length - 1).max(1));
                let end = start + 1 + self.random.below(length - start);
                self.line(&format!("let {name} = {borrow}{}[{start}..{end}];", part.path));
                vec![view(&part, &name, Shape::List(end - start), write)]
            }
            Shape::List(length) => {
                let index = self.index(length);
                self.line(&format!("let {name} = {borrow}{}[{index}];", part.path));
                vec![view(&part, &name, Shape::Number, write)]
            }
            Shape::Table(rows, columns) => {
                let index = self.index(rows);
                self.line(&format!("let {name} = {borrow}{}[{index}];", part.path));
                vec![view(&part, &name, Shape::List(columns), write)]
            }
            Shape::Pairs => {
                let index = self.index(2);
                self.line(&format!("let {name} = {borrow}{}[{index}];", part.path));
                vec![view(&part, &name, Shape::Pair, write)]
            }
            _ => {
                let text =
                    if part.reference { format!("*{}", part.path) } else { part.path.clone() };
                let others: Vec<Thing> =
                    parts.into_iter().filter(|other| !meets(&other.root, &part.root)).collect();
                let number = view(&part, &name, Shape::Number, write);
                if write || others.is_empty() || self.chance(40) {
                    self.line(&format!("let {name} = {borrow}{text};"));
                    return vec![number];
                }
                let second = others[self.random.below(others.len())].clone();
                let (place, other) = (self.place_in(&second), self.fresh("r"));
                self.line(&format!(
                    "let ({name}, {other}) = ({borrow}{text}, {borrow}{});",
                    place.text
                ));
                vec![number, view(&second, &other, Shape::Number, write)]
            }
        }
    }
}
