//! Statements, but for loops.

use super::Category;
use super::writer::{Shape, Takes, Writer};

impl Writer {
    /// Several statements.
    pub(super) fn statements(&mut self, depth: usize) {
        let count = self.random.below(3);
        for _ in 0..count {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(depth);
        }
    }

    /// A statement.
    pub(super) fn statement(&mut self, depth: usize) {
        if depth == 0 {
            return match self.random.below(4) {
                0 => self.instruction(),
                _ => self.update(),
            };
        }
        if self.trouble(depth) {
            return;
        }
        match self.random.below(22) {
            0..5 => self.update(),
            5 | 6 => self.named(depth),
            7 | 8 => self.ancilla(depth),
            9 | 10 => self.compute(depth),
            11 | 12 => self.branch(depth),
            13..17 => self.repeated(depth),
            17 => self.instruction(),
            18 => self.call(),
            19 => self.backwards(depth),
            20 => self.view(depth),
            _ if self.has(Category::Structs) => self.on_structs(),
            _ => self.call(),
        }
    }

    /// `place += e;`
    pub(super) fn update(&mut self) {
        let Some((place, root)) = self.target() else { return };
        self.avoid.push(root);
        let depth = 1 + self.random.below(3);
        let value = self.number(depth);
        self.avoid.pop();
        let operator = self.random.one_of(&["+=", "-="]);
        // Sums over many passes stay small.
        match self.passes > 8 {
            true => self.line(&format!("{place} {operator} 0.1 * ({value});")),
            false => self.line(&format!("{place} {operator} {value};")),
        }
    }

    /// `let n = e;`
    fn named(&mut self, depth: usize) {
        self.line("{");
        self.scope(|writer| {
            let (name, reads) = (writer.fresh("n"), writer.reads.len());
            let value = writer.number(2);
            writer.freeze_since(reads);
            // A literal alone would have no type of its own.
            writer.line(&format!("let {name} = {value};"));
            if !value.chars().next().is_some_and(|c| c.is_ascii_digit()) {
                writer.declare(&name, false, Shape::Number, false);
            }
            writer.statements(depth - 1);
            writer.update();
        });
        self.line("}");
    }

    /// `let mut a = e;`, changed, used, and changed back.
    fn ancilla(&mut self, depth: usize) {
        self.line("{");
        self.scope(|writer| {
            let (name, reads) = (writer.fresh("a"), writer.reads.len());
            let start = if writer.chance(60) {
                "0.0".to_string()
            } else {
                writer.readable().unwrap_or("0.0".into())
            };
            let value = writer.number(2);
            writer.freeze_since(reads);
            writer.line(&format!("let mut {name} = {start};"));
            writer.line(&format!("{name} += {value};"));
            writer.declare(&name, false, Shape::Number, false);
            writer.statements(depth - 1);
            writer.update();
            match writer.chance(50) {
                true => writer.line(&format!("!({name} += {value});")),
                false => writer.line(&format!("{name} -= {value};")),
            }
        });
        self.line("}");
    }

    /// `#[compute] { … }` and what uses it.
    fn compute(&mut self, depth: usize) {
        self.line("{\n#[compute]\n{");
        self.scope(|writer| {
            let (floor, reads) = (writer.floor, writer.reads.len());
            writer.floor = writer.things.len();
            let count = 1 + writer.random.below(2);
            for _ in 0..count {
                let name = writer.fresh("s");
                if writer.chance(25) && writer.length > 0 {
                    let length = writer.length;
                    let zero = if writer.generic { "T::zero()" } else { "0.0" };
                    writer.line(&format!("let mut {name} = vec![{zero}; {length}];"));
                    writer.declare(&name, false, Shape::List(length), true);
                } else {
                    let start = if writer.generic { "T::zero()" } else { "0.0" };
                    writer.line(&format!("let mut {name} = {start};"));
                    writer.declare(&name, false, Shape::Number, true);
                }
            }
            writer.statements(depth - 1);
            writer.update();
            writer.update();
            writer.freeze_since(reads);
            let made: Vec<String> =
                writer.things[writer.floor..].iter().map(|thing| thing.root.clone()).collect();
            writer.frozen.extend(made);
            writer.floor = floor;
            writer.line("}");
            writer.statements(depth - 1);
            writer.update();
        });
        self.line("}");
    }

    /// `if c { … } else { … }`
    fn branch(&mut self, depth: usize) {
        let reads = self.reads.len();
        let condition = self.condition();
        let second = self.chance(25).then(|| self.condition());
        self.scope(|writer| {
            writer.freeze_since(reads);
            writer.line(&format!("if {condition} {{"));
            writer.statements(depth - 1);
            writer.update();
            if let Some(condition) = second {
                writer.line(&format!("}} else if {condition} {{"));
                writer.update();
            }
            if writer.chance(70) {
                writer.line("} else {");
                writer.statements(depth - 1);
            }
            writer.line("}");
        });
    }

    /// An instruction of the library.
    fn instruction(&mut self) {
        let Some(first) = self.pick(true, |shape| !matches!(shape, Shape::List(0))) else { return };
        let Some(lent) = self.lent(&first, true) else { return };
        self.avoid.push(first.root.clone());
        let second = self.pick(true, |shape| !matches!(shape, Shape::List(0)));
        let second = second.and_then(|second| self.lent(&second, true));
        match (self.random.below(6), second) {
            (0 | 1, Some(second)) => self.line(&format!("swap({lent}, {second});")),
            (2, Some(second)) => self.line(&format!("hadamard({lent}, {second});")),
            (3, Some(second)) => {
                let angle = self.literal();
                match self.generic {
                    true => self.line(&format!("hadamard({lent}, {second});")),
                    false => self.line(&format!("rot({lent}, {second}, &{angle});")),
                }
            }
            (4, _) if !self.generic => {
                let value = self.number(1);
                self.line(&format!("add_constant({lent}, {value});"));
            }
            _ => self.line(&format!("neg({lent});")),
        }
        self.avoid.pop();
    }

    /// A call of a helper, or an uncall.
    pub(super) fn call(&mut self) {
        if self.helpers.is_empty() {
            return self.update();
        }
        let helper = self.helpers[self.random.below(self.helpers.len())].clone();
        let avoided = self.avoid.len();
        let mut arguments = Vec::new();
        for takes in &helper.takes {
            let write = matches!(takes, Takes::Written | Takes::WrittenList | Takes::WrittenPair);
            let thing = match takes {
                Takes::Written | Takes::Read => {
                    self.pick(write, |shape| !matches!(shape, Shape::List(0)))
                }
                Takes::WrittenList | Takes::ReadList => {
                    let length = self.length;
                    self.pick(write, |shape| *shape == Shape::List(length))
                }
                Takes::WrittenPair | Takes::ReadPair => {
                    self.pick(write, |shape| *shape == Shape::Pair)
                }
                Takes::Given => {
                    let value = self.number(1);
                    arguments.push(value);
                    continue;
                }
                Takes::Count => {
                    arguments.push(self.random.below(4).to_string());
                    continue;
                }
            };
            let argument = thing.and_then(|thing| {
                let argument = match takes {
                    Takes::Written | Takes::Read => self.lent(&thing, write),
                    _ => {
                        let name = thing.path.trim_start_matches('*').to_string();
                        let borrow = if write { "&mut " } else { "&" };
                        Some(match (thing.reference, write) {
                            (true, _) => name,
                            _ => format!("{borrow}{}", thing.path),
                        })
                    }
                }?;
                // A `&mut` that is passed on counts as written.
                if write || thing.writable {
                    self.avoid.push(thing.root.clone());
                }
                Some(argument)
            });
            match argument {
                Some(argument) => arguments.push(argument),
                None => {
                    self.avoid.truncate(avoided);
                    return self.update();
                }
            }
        }
        self.avoid.truncate(avoided);
        let not = if self.chance(30) { "!" } else { "" };
        if helper.takes.contains(&Takes::Count) {
            self.made.push(Category::Recursion);
        }
        self.line(&format!("{not}{}({});", helper.name, arguments.join(", ")));
    }

    /// `!{ … };`
    fn backwards(&mut self, depth: usize) {
        self.line("!{");
        self.scope(|writer| {
            writer.statements(depth - 1);
            writer.update();
        });
        self.line("};");
    }

    /// A name for a part of a list.
    fn view(&mut self, depth: usize) {
        let write = self.chance(60);
        let Some(list) = self.pick(write, |shape| matches!(shape, Shape::List(2..))) else {
            return self.update();
        };
        let Shape::List(length) = list.shape else { return };
        let (path, root) = (list.path.clone(), list.root.clone());
        let borrow = if write { "&mut " } else { "&" };
        self.line("{");
        self.scope(|writer| {
            // The list itself must not be used beside a view that is written.
            let hidden: Vec<usize> = (0..writer.things.len())
                .filter(|i| write && writer.things[*i].root == root)
                .collect();
            let kept: Vec<_> =
                hidden.iter().rev().map(|i| (*i, writer.things.remove(*i))).collect();
            let floor = writer.floor;
            writer.floor = floor.saturating_sub(hidden.iter().filter(|i| **i < floor).count());
            if !write {
                writer.frozen.push(root.clone());
            }
            let before = writer.things.len();
            let name = writer.fresh("r");
            match writer.random.below(3) {
                0 => {
                    let index = writer.index(length);
                    writer.line(&format!("let {name} = {borrow}{path}[{index}];"));
                    writer.declare_part(&format!("*{name}"), true, Shape::Number, write, &name);
                }
                1 => {
                    let start = writer.random.below(length - 1);
                    let end = start + 1 + writer.random.below(length - start);
                    writer.line(&format!("let {name} = {borrow}{path}[{start}..{end}];"));
                    writer.declare_part(&name, true, Shape::List(end - start), write, &name);
                }
                _ => {
                    let (other, at) = (writer.fresh("r"), 1 + writer.random.below(length - 1));
                    let method = if write { "split_at_mut" } else { "split_at" };
                    writer.line(&format!("let ({name}, {other}) = {path}.{method}({at});"));
                    writer.declare_part(&name, true, Shape::List(at), write, &name);
                    writer.declare_part(&other, true, Shape::List(length - at), write, &other);
                }
            }
            writer.statements(depth - 1);
            writer.update();
            writer.things.truncate(before);
            for (i, thing) in kept.into_iter().rev() {
                writer.things.insert(i, thing);
            }
            writer.floor = floor;
        });
        self.line("}");
    }
}
