//! Loops.

use super::writer::{Shape, Writer};

impl Writer {
    /// A loop.
    pub(super) fn repeated(&mut self, depth: usize) {
        let passes = self.passes;
        self.passes *= self.length.max(2);
        if self.passes > 200 {
            self.passes = passes;
            return self.update();
        }
        match self.random.below(9) {
            0 | 1 => self.over_indices(depth),
            2 => self.over_items(depth),
            3 => self.over_written_items(depth),
            4 => self.over_pairs(depth),
            5 => self.neighbours(),
            6 => self.counted(depth),
            7 => self.over_chunks(depth),
            _ => self.over_ranges(depth),
        }
        self.passes = passes;
    }

    fn body(&mut self, depth: usize) {
        self.statements(depth - 1);
        self.update();
        self.line("}");
    }

    /// `for i in 0..v.len()`
    fn over_indices(&mut self, depth: usize) {
        let length = self.length;
        let list = self.pick(false, |shape| *shape == Shape::List(length));
        let end = match list {
            Some(list) if self.chance(70) => format!("{}.len()", list.path),
            _ => length.to_string(),
        };
        self.scope(|writer| {
            let i = writer.fresh("i");
            match writer.chance(20) {
                true => writer.line(&format!("for {i} in (0..{end}).rev() {{")),
                false => writer.line(&format!("for {i} in 0..{end} {{")),
            }
            writer.counters.push((i, length));
            writer.body(depth);
        });
    }

    /// `for x in xs`
    fn over_items(&mut self, depth: usize) {
        let Some(list) = self.pick(false, |shape| matches!(shape, Shape::List(_))) else {
            return self.update();
        };
        let path = list.path.clone();
        self.scope(|writer| {
            let x = writer.fresh("x");
            writer.frozen.push(list.root.clone());
            match writer.random.below(4) {
                0 => writer.line(&format!("for {x} in {path}.iter() {{")),
                1 => writer.line(&format!("for {x} in {path}.iter().rev() {{")),
                2 => {
                    let i = writer.fresh("i");
                    writer.line(&format!("for ({i}, {x}) in {path}.iter().enumerate() {{"));
                    let Shape::List(length) = list.shape else { unreachable!("a list was picked") };
                    writer.counters.push((i, length));
                }
                _ if list.reference && !list.writable => {
                    writer.line(&format!("for {x} in {path} {{"))
                }
                _ => writer.line(&format!("for {x} in {path}.iter() {{")),
            }
            writer.declare_part(&format!("*{x}"), true, Shape::Number, false, &x);
            writer.body(depth);
        });
    }

    /// `for y in ys.iter_mut()`
    fn over_written_items(&mut self, depth: usize) {
        let Some(list) = self.pick(true, |shape| matches!(shape, Shape::List(_))) else {
            return self.update();
        };
        let (path, root) = (list.path.clone(), list.root.clone());
        self.scope(|writer| {
            let y = writer.fresh("y");
            writer.line(&format!("for {y} in {path}.iter_mut() {{"));
            writer.declare_part(&format!("*{y}"), true, Shape::Number, true, &y);
            writer.frozen.push(root.clone());
            writer.avoid.push(root);
            writer.body(depth);
            writer.avoid.pop();
        });
    }

    /// `for (y, x) in ys.iter_mut().zip(xs)`
    fn over_pairs(&mut self, depth: usize) {
        let length = self.length;
        let Some(written) = self.pick(true, |shape| *shape == Shape::List(length)) else {
            return self.update();
        };
        self.avoid.push(written.root.clone());
        let Some(read) = self.pick(false, |shape| *shape == Shape::List(length)) else {
            self.avoid.pop();
            return self.update();
        };
        self.scope(|writer| {
            let (y, x) = (writer.fresh("y"), writer.fresh("x"));
            let other = if read.reference && !read.writable {
                read.path.clone()
            } else {
                format!("{}.iter()", read.path)
            };
            writer.line(&format!("for ({y}, {x}) in {}.iter_mut().zip({other}) {{", written.path));
            writer.frozen.extend([written.root.clone(), read.root.clone()]);
            writer.declare_part(&format!("*{y}"), true, Shape::Number, true, &y);
            writer.declare_part(&format!("*{x}"), true, Shape::Number, false, &x);
            writer.body(depth);
        });
        self.avoid.pop();
    }

    /// A pass writes what the next one reads.
    fn neighbours(&mut self) {
        let Some(list) = self.pick(true, |shape| matches!(shape, Shape::List(2..))) else {
            return self.update();
        };
        let (path, root) = (list.path.clone(), list.root.clone());
        self.avoid.push(root);
        let (factor, k) = (self.number(1), self.fresh("k"));
        self.avoid.pop();
        match self.random.below(4) {
            0 => self.line(&format!("for {k} in 1..{path}.len() {{\n{path}[{k}] += 0.3 * {path}[{k} - 1] * ({factor}).sin();\n}}")),
            1 => self.line(&format!(
                "for {k} in 1..{path}.len() {{\n{path}[{k} - 1] -= 0.3 * {path}[{k}].sin() + 0.1 * ({factor});\n}}"
            )),
            2 => self.line(&format!(
                "for {k} in 0..{path}.len() - 1 {{\nswap(&mut {path}[{k}], &mut {path}[{k} + 1]);\n}}"
            )),
            _ => self.line(&format!(
                "for {k} in (1..{path}.len()).rev() {{\n{path}[{k}] += 0.2 * {path}[{k} - 1] * {path}[{k} - 1];\n}}"
            )),
        }
    }

    /// `while` by a counter.
    fn counted(&mut self, depth: usize) {
        self.line("{");
        self.scope(|writer| {
            let (n, end) = (writer.fresh("c"), writer.random.below(4));
            writer.line(&format!("let mut {n} = 0;\nwhile ({n} < {end}, {n} > 0) {{"));
            writer.statements(depth - 1);
            writer.update();
            writer.line(&format!("{n} += 1;\n}}\nunlet!({n} = {end});"));
        });
        self.line("}");
    }

    /// `for pair in v.chunks_exact_mut(2)`
    fn over_chunks(&mut self, depth: usize) {
        let write = self.chance(50);
        let Some(list) = self.pick(write, |shape| matches!(shape, Shape::List(_))) else {
            return self.update();
        };
        let (path, root) = (list.path.clone(), list.root.clone());
        self.scope(|writer| {
            let part = writer.fresh("p");
            let method = if write { "chunks_exact_mut" } else { "chunks_exact" };
            writer.line(&format!("for {part} in {path}.{method}(2) {{"));
            writer.declare_part(&part, true, Shape::List(2), write, &part);
            writer.frozen.push(root.clone());
            if write {
                writer.avoid.push(root);
            }
            writer.body(depth);
            if write {
                writer.avoid.pop();
            }
        });
    }

    /// Ranges with steps, from both ends, of one pass or of none.
    fn over_ranges(&mut self, depth: usize) {
        self.scope(|writer| {
            let i = writer.fresh("i");
            let (range, end) = match writer.random.below(5) {
                0 => ("(0..5).step_by(2)", 5),
                1 => ("(0..=3).rev().step_by(2)", 4),
                2 => ("2..2", 2),
                3 => ("0..1", 1),
                _ => ("1..=3", 4),
            };
            writer.line(&format!("for {i} in {range} {{"));
            writer.counters.push((i, end));
            writer.body(depth);
        });
    }
}
