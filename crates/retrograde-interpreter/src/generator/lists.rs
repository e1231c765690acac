//! Lists of which parts meet: two names for one element, and elements that depend on others.

use super::Category;
use super::writer::{Shape, Writer};

impl Writer {
    /// The function that [`alias`](Self::alias) calls with two elements of a list.
    pub(super) fn pair_of_elements(&self) -> String {
        let (number, generics) = (self.number_type(), if self.generic { "<T: Real>" } else { "" });
        format!(
            "#[reversible]\nfn couple{generics}(s: &mut {number}, t: &{number}) {{\n\
             *s += 0.3 * t.sin();\n}}\n"
        )
    }

    /// Parts of one list under two names, or by two indices that may meet.
    pub(super) fn alias(&mut self) {
        match self.chance(50) {
            true => self.shared_views(),
            false => self.two_elements(),
        }
    }

    /// Two views of a list that overlap, both of them only read.
    fn shared_views(&mut self) {
        let list = self.pick(false, |shape| matches!(shape, Shape::List(2..)));
        let Some(list) = list else { return self.update() };
        let Shape::List(length) = list.shape else { unreachable!("a list was picked") };
        self.avoid.push(list.root.clone());
        let target = self.target();
        self.avoid.pop();
        let Some((place, _)) = target else { return };
        self.made.push(Category::Aliases);
        let (a, b, path) = (self.fresh("r"), self.fresh("r"), &list.path);
        let at = self.random.below(length - 1);
        self.line("{");
        match self.random.below(3) {
            0 => self.line(&format!(
                "let {a} = &{path}[{at}..];\nlet {b} = &{path}[..{}];\n{place} += 0.5 * {a}[0] * {b}[{at}] + {a}[1];",
                at + 1
            )),
            1 => self.line(&format!(
                "let {a} = &{path}[{at}];\nlet {b} = &{path}[{at}];\n{place} += 0.5 * *{a} * *{b};"
            )),
            _ => self.line(&format!(
                "let {a} = &{path}[{at}];\nfor {b} in {path}.iter() {{\n{place} += 0.5 * *{a} * *{b};\n}}"
            )),
        }
        self.line("}");
    }

    /// Two elements of a list, one of them written: mostly different ones.
    fn two_elements(&mut self) {
        let list = self.pick(true, |shape| matches!(shape, Shape::List(2..)));
        let Some(list) = list else { return self.shared_views() };
        let Shape::List(length) = list.shape else { unreachable!("a list was picked") };
        self.made.push(Category::Aliases);
        let (i, j, path) = (self.fresh("i"), self.fresh("i"), &list.path);
        let apart = if self.chance(95) { 1 + self.random.below(length - 1) } else { 0 };
        let passes = 1 + self.random.below(3);
        let statement = match self.random.below(4) {
            0 => format!("{path}[{i}] += 0.3 * {path}[{j}].sin();"),
            1 => format!("{path}[{i}] -= 0.2 * {path}[{j}] * {path}[{j}];"),
            2 => format!("swap(&mut {path}[{i}], &mut {path}[{j}]);"),
            _ => format!("couple(&mut {path}[{i}], &{path}[{j}]);"),
        };
        self.line(&format!(
            "for {i} in 0..{} {{\nlet {j} = ({i} + {apart}) % {length};\n{statement}\n}}",
            passes.min(length)
        ));
    }

    /// A vector of which each element depends on those before, and what is made of it.
    pub(super) fn recurrence(&mut self, depth: usize) {
        let length = self.length;
        let zero = if self.generic { "T::zero()" } else { "0.0" };
        let list = self.pick(false, |shape| *shape == Shape::List(length));
        let (p, k, reads) = (self.fresh("p"), self.fresh("k"), self.reads.len());
        let (start, factor) = (self.number(1), self.number(1));
        self.made.push(Category::Vectors);
        let count = match &list {
            Some(list) if self.chance(70) => format!("{}.len()", list.path),
            _ => length.to_string(),
        };
        self.line(&format!("{{\n#[compute]\n{{\nlet mut {p} = vec![{zero}; {count}];"));
        if length > 0 {
            self.line(&format!("{p}[0] += {start};"));
        }
        let addend = match &list {
            Some(list) if self.chance(40) => format!("0.2 * {}[{k}]", list.path),
            _ => "0.1".into(),
        };
        match self.random.below(3) {
            0 => self.line(&format!(
                "for {k} in 1..{p}.len() {{\n{p}[{k}] += {p}[{k} - 1] * ({factor}).sin();\n}}"
            )),
            1 => self.line(&format!(
                "for {k} in 1..{p}.len() {{\n{p}[{k}] += 0.5 * {p}[{k} - 1] + {addend};\n}}"
            )),
            _ => self.line(&format!(
                "for {k} in 2..{p}.len() {{\n{p}[{k}] += 0.5 * ({p}[{k} - 1] - {p}[{k} - 2]).cos() + {addend};\n}}"
            )),
        }
        self.line("}");
        self.scope(|writer| {
            writer.freeze_since(reads);
            writer.frozen.extend(list.map(|list| list.root));
            writer.declare(&p, false, Shape::List(length), false);
            writer.statements(depth.saturating_sub(1));
            if let Some((place, _)) = writer.target() {
                match writer.chance(50) {
                    true => writer.line(&format!(
                        "for {k} in 0..{p}.len() {{\n{place} += 0.5 * {p}[{k}];\n}}"
                    )),
                    false => writer
                        .line(&format!("for {k} in {p}.iter() {{\n{place} += *{k} * 0.5;\n}}")),
                }
            }
        });
        self.line("}");
    }
}
