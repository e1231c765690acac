//! Loops: over ranges, by a counter, and over containers.

use super::writer::{Shape, Term, Thing, Writer, meets};

impl Writer {
    pub(super) fn range_loop(&mut self, depth: usize) {
        if self.on_host() && self.chance(30) && self.recurrence() {
            return;
        }
        let name = self.fresh("i");
        let (start, mut end) = (self.random.below(2), 2 + self.random.below(2));
        // The length of a part changes with the whole, for all that the compiler knows.
        let mut lists = self.lists(false);
        lists.retain(|(_, list, _)| !list.path.contains('.'));
        let range = match self.random.below(9) {
            kind @ 4..7 if !lists.is_empty() => {
                let (_, list, length) = lists[self.random.below(lists.len())].clone();
                let less = usize::from(kind == 6 && length > start);
                end = length - less;
                format!("{start}..{}.len() - {less}", list.path)
            }
            0 => format!("{start}..={}", end - 1),
            1 => format!("({start}..{end}).rev()"),
            2 => format!("({start}..{end}).step_by(2)"),
            3 => format!("({start}..={}).rev().step_by(2)", end - 1),
            _ => format!("{start}..{end}"),
        };
        let passes = end.saturating_sub(start);
        self.looped(&format!("for {name} in {range}"), depth, passes, |writer| {
            writer.counters.push((name.clone(), start, end));
        });
    }

    /// `for i in 1..v.len() { v[i] += … v[i - 1] …; }`: each pass uses what another wrote.
    pub(super) fn recurrence(&mut self) -> bool {
        let mut lists: Vec<(Thing, usize)> =
            self.long_lists(true).into_iter().map(|(_, list, length)| (list, length)).collect();
        // A row is a list too.
        for (i, table) in self.parts() {
            if let Shape::Table(rows, columns) = table.shape
                && self.may_write(i, &table)
            {
                let path = format!("{}[{}]", table.path, self.random.below(rows));
                lists.push((Thing { path, ..table }, columns));
            }
        }
        if lists.is_empty() {
            return false;
        }
        let (list, length) = lists[self.random.below(lists.len())].clone();
        let (name, path) = (self.fresh("i"), &list.path);
        let back = 1 + self.random.below((length - 1).min(2));
        let (head, here, there) = match self.random.below(3) {
            0 => {
                let head = format!("0..{path}.len() - {back}");
                (head, format!("{name} + {back}"), name.clone())
            }
            1 => {
                let head = format!("0..{path}.len() - {back}");
                (head, name.clone(), format!("{name} + {back}"))
            }
            _ => (format!("{back}..{path}.len()"), name.clone(), format!("{name} - {back}")),
        };
        let head = if self.chance(30) { format!("({head}).rev()") } else { head };
        let (things, frozen, weight) = (self.things.len(), self.frozen.len(), self.weight);
        self.weight *= length as f64;
        self.line(&format!("for {name} in {head} {{"));
        self.avoid.push(list.root.clone());
        if self.chance(30) {
            self.temporary();
        }
        let other = self.expression(1);
        self.avoid.pop();
        let bound = list.bound * other.bound;
        let value = Term::new(format!("({path}[{there}] * {})", other.text), bound);
        let value = self.scaled(value, 0.6 / self.weight).text;
        let operator = self.one_of(&["+=", "-="]);
        self.line(&format!("{path}[{here}] {operator} {value};\n}}"));
        self.things.truncate(things);
        self.frozen.truncate(frozen);
        self.reads.push(list.root.clone());
        self.weight = weight;
        true
    }

    pub(super) fn looped(
        &mut self,
        head: &str,
        depth: usize,
        passes: usize,
        declare: impl Fn(&mut Self),
    ) {
        let (things, counters) = (self.things.len(), self.counters.len());
        let weight = self.weight;
        self.weight *= passes.max(1) as f64;
        self.line(&format!("{head} {{"));
        declare(self);
        self.block(depth);
        self.line("}");
        self.weight = weight;
        self.things.truncate(things);
        self.counters.truncate(counters);
    }

    pub(super) fn while_loop(&mut self, depth: usize) {
        let name = self.fresh("k");
        self.line(&format!("let mut {name}: usize = 0;"));
        let head = format!("while ({name} < 3, {name} > 0) {{");
        self.looped(&head, depth, 3, |writer| writer.counters.push((name.clone(), 0, 3)));
        self.line(&format!("{name} += 1;\n}}\nunlet!({name} = 3);"));
    }

    /// An iterator over a list, how many elements it gives, and what they are.
    pub(super) fn iterator(
        &mut self,
        list: &Thing,
        length: usize,
        write: bool,
    ) -> (String, usize, Shape) {
        let suffix = if write { "_mut" } else { "" };
        let (mut text, mut count, shape) = match self.random.below(10) {
            0 if length >= 4 => {
                (format!("{}.chunks_exact{suffix}(2)", list.path), length / 2, Shape::List(2))
            }
            1 if length >= 4 && !write => {
                (format!("{}.windows(3)", list.path), length - 2, Shape::List(3))
            }
            2 if length > 3 => (format!("{}[1..3].iter{suffix}()", list.path), 2, Shape::Number),
            _ => (format!("{}.iter{suffix}()", list.path), length, Shape::Number),
        };
        for _ in 0..self.random.below(3) {
            match self.random.below(4) {
                0 => text += ".rev()",
                1 if count > 1 => {
                    text += ".skip(1)";
                    count -= 1;
                }
                2 if count > 2 => {
                    text += ".take(2)";
                    count = 2;
                }
                3 if count > 1 => {
                    text += ".step_by(2)";
                    count = count.div_ceil(2);
                }
                _ => {}
            }
        }
        (text, count, shape)
    }

    pub(super) fn iterator_loop(&mut self, depth: usize) {
        if self.chance(12) && self.loop_over_pairs(depth) {
            return;
        }
        if self.chance(12) && self.loop_over_rows(depth) {
            return;
        }
        let written = self.lists(true);
        let read = self.lists(false);
        let mut leaves: Vec<(Thing, usize, bool)> = Vec::new();
        if !written.is_empty() && self.chance(65) {
            let (_, list, length) = written[self.random.below(written.len())].clone();
            leaves.push((list, length, true));
        }
        for _ in 0..1 + self.random.below(2) {
            let taken = |list: &Thing| {
                leaves.iter().any(|(other, _, write)| *write && meets(&other.root, &list.root))
            };
            let free: Vec<_> = read.iter().filter(|(_, list, _)| !taken(list)).cloned().collect();
            if free.is_empty() || (!leaves.is_empty() && self.chance(25)) {
                continue;
            }
            let (_, list, length) = free[self.random.below(free.len())].clone();
            leaves.push((list, length, false));
        }
        if leaves.is_empty() {
            return;
        }
        let (mut text, mut pattern, mut passes) = (String::new(), String::new(), usize::MAX);
        let mut declared = Vec::new();
        for (i, (list, length, write)) in leaves.iter().enumerate() {
            let name = self.fresh("e");
            // Zipped iterators have one length.
            let (mut iterator, mut count, mut shape) = self.iterator(list, *length, *write);
            for _ in 0..20 {
                if passes == usize::MAX || count == passes {
                    break;
                }
                (iterator, count, shape) = self.iterator(list, *length, *write);
            }
            if passes != usize::MAX && count != passes {
                continue;
            }
            let bare = format!("{}.iter()", list.path);
            // A list stands for its iterator.
            if !write && list.reference && !list.writable && iterator == bare && self.chance(50) {
                iterator = list.path.clone();
                if i == 0 && leaves.len() > 1 {
                    iterator = bare;
                }
            }
            let cloned =
                !write && shape == Shape::Number && iterator.ends_with(')') && self.chance(10);
            if cloned {
                iterator += ".cloned()";
            }
            (text, pattern) = if text.is_empty() {
                (iterator, name.clone())
            } else {
                (format!("{text}.zip({iterator})"), format!("({pattern}, {name})"))
            };
            passes = passes.min(count);
            declared.push(Thing {
                path: name,
                reference: !cloned,
                shape,
                writable: *write,
                hidden: false,
                ..list.clone()
            });
            if !write {
                self.reads.push(list.root.clone());
            }
        }
        let mut counter = None;
        if text.ends_with(')') && self.chance(35) {
            let name = self.fresh("i");
            text += ".enumerate()";
            pattern = format!("({name}, {pattern})");
            counter = Some((name, 0, passes));
        }
        if text.ends_with(')') && leaves.len() == 1 && self.chance(15) {
            text += ".rev()";
        }
        let (frozen, hidden): (usize, Vec<bool>) =
            (self.frozen.len(), self.things.iter().map(|thing| thing.hidden).collect());
        for (list, _, write) in &leaves {
            if *write {
                self.hide(&list.root);
            } else {
                self.frozen.push(list.root.clone());
            }
        }
        self.looped(&format!("for {pattern} in {text}"), depth, passes, |writer| {
            writer.things.extend(declared.clone());
            writer.counters.extend(counter.clone());
        });
        self.frozen.truncate(frozen);
        for (thing, hidden) in self.things.iter_mut().zip(hidden) {
            thing.hidden = hidden;
        }
    }

    /// `for (a, b) in u.iter_mut()`
    pub(super) fn loop_over_pairs(&mut self, depth: usize) -> bool {
        let pairs = self.parts().into_iter().find(|(i, thing)| {
            thing.shape == Shape::Pairs && (self.may_write(*i, thing) || self.may_read(thing))
        });
        let Some((i, pairs)) = pairs else { return false };
        let write = self.may_write(i, &pairs);
        let part = |path: String, shape: Shape, root: String| Thing {
            path,
            reference: true,
            shape,
            root,
            writable: write,
            ..pairs.clone()
        };
        let method = if write { "iter_mut" } else { "iter" };
        let rev = if self.chance(30) { ".rev()" } else { "" };
        let text = format!("{}.{method}(){rev}", pairs.path);
        let (head, declared) = if self.chance(60) {
            let (a, b) = (self.fresh("e"), self.fresh("e"));
            let roots = [format!("{}.{a}", pairs.root), format!("{}.{b}", pairs.root)];
            let [first, second] = roots;
            let declared =
                vec![part(a.clone(), Shape::Number, first), part(b.clone(), Shape::Number, second)];
            (format!("for ({a}, {b}) in {text}"), declared)
        } else {
            let name = self.fresh("e");
            let declared = vec![part(name.clone(), Shape::Pair, pairs.root.clone())];
            (format!("for {name} in {text}"), declared)
        };
        self.loop_over(&pairs.root, write, &head, depth, 2, declared);
        true
    }

    /// A loop whose variables stand for parts of what is behind `root`.
    pub(super) fn loop_over(
        &mut self,
        root: &str,
        write: bool,
        head: &str,
        depth: usize,
        passes: usize,
        declared: Vec<Thing>,
    ) {
        let hidden: Vec<bool> = self.things.iter().map(|thing| thing.hidden).collect();
        let frozen = self.frozen.len();
        if write {
            self.hide(root);
        } else {
            self.frozen.push(root.to_string());
            self.reads.push(root.to_string());
        }
        self.looped(head, depth, passes, |writer| writer.things.extend(declared.clone()));
        self.frozen.truncate(frozen);
        for (thing, hidden) in self.things.iter_mut().zip(hidden) {
            thing.hidden = hidden;
        }
    }

    pub(super) fn loop_over_rows(&mut self, depth: usize) -> bool {
        let tables: Vec<_> = self
            .parts()
            .into_iter()
            .filter_map(|(i, thing)| match thing.shape {
                Shape::Table(rows, columns) => {
                    Some((self.may_write(i, &thing), thing, rows, columns))
                }
                _ => None,
            })
            .filter(|(write, thing, ..)| *write || self.may_read(thing))
            .collect();
        if tables.is_empty() {
            return false;
        }
        let (write, table, rows, columns) = tables[self.random.below(tables.len())].clone();
        let name = self.fresh("row");
        let row = Thing {
            path: name.clone(),
            reference: true,
            shape: Shape::List(columns),
            writable: write,
            ..table.clone()
        };
        let method = if write { "iter_mut" } else { "iter" };
        let head = format!("for {name} in {}.{method}()", table.path);
        self.loop_over(&table.root, write, &head, depth, rows, vec![row]);
        true
    }
}
