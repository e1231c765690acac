//! Forms in which floats, names or types are not what they seem.

use super::Category;
use super::writer::{Shape, Writer};

impl Writer {
    /// The categories of such forms that are wanted.
    pub(super) fn troubles(&self) -> Vec<Category> {
        let all = [
            Category::OwnOperators,
            Category::StdNames,
            Category::RunningSums,
            Category::Contractions,
            Category::Casts,
            Category::Aliases,
            Category::Vectors,
        ];
        all.into_iter().filter(|category| self.has(*category)).collect()
    }

    /// Writes such a form, if one of its category is wanted.
    pub(super) fn trouble(&mut self, depth: usize) -> bool {
        let wanted = self.troubles();
        if wanted.is_empty() || !self.chance(30) {
            return false;
        }
        let category = wanted[self.random.below(wanted.len())];
        self.trouble_of(category, depth);
        true
    }

    /// Writes a form of a category, where what it needs is in scope.
    pub(super) fn trouble_of(&mut self, category: Category, depth: usize) {
        match category {
            Category::OwnOperators => self.on_structs(),
            Category::StdNames => self.std_names(),
            Category::RunningSums => self.running_sum(depth),
            Category::Contractions => self.contraction(),
            Category::Aliases => self.alias(),
            Category::Vectors => self.recurrence(depth),
            _ => self.cast_to_index(),
        }
    }

    fn std_names(&mut self) {
        let bag = self.chance(40);
        let wanted = if bag { Shape::Bag } else { Shape::Pair };
        let Some(thing) = self.pick(false, |shape| *shape == wanted) else { return self.update() };
        let path = thing.path.clone();
        self.avoid.push(thing.root.clone());
        let target = self.target();
        self.avoid.pop();
        let Some((place, _)) = target else { return };
        let factor = self.literal();
        self.made.push(Category::StdNames);
        if !bag {
            // The compiler takes most of them for those of std, and `rustc` then refuses.
            let method = match self.chance(85) {
                true => self.random.one_of(&["size", "count"]),
                false => self.random.one_of(&["len", "floor", "is_big", "dim"]),
            };
            self.use_part(method);
            let argument = if method == "dim" { "0.3" } else { "" };
            return self.line(&format!("{place} += {factor} * {path}.{method}({argument});"));
        }
        match self.random.below(12) {
            0..5 if self.length > 0 => {
                self.use_part("row");
                let v = self.fresh("v");
                self.line(&format!("for {v} in {path}.row(0) {{\n{place} += *{v} * {factor};\n}}"));
            }
            5..10 if self.length > 1 => {
                self.use_part("row");
                let r = self.fresh("v");
                self.line(&format!(
                    "{{\nlet {r} = {path}.row(1);\n{place} += {r}[0] * {factor};\n}}"
                ));
            }
            10 => {
                self.use_part("iter");
                self.line(&format!("{place} += {factor} * {path}.iter();"));
            }
            _ => {
                self.use_part("len of a bag");
                self.line(&format!("{place} += {factor} * {path}.len();"));
            }
        }
    }

    /// A sum that grows while branches, loops and indices look at it.
    fn running_sum(&mut self, depth: usize) {
        let length = self.length;
        let Some(list) = self.pick(false, |shape| *shape == Shape::List(length)) else {
            return self.update();
        };
        self.made.push(Category::RunningSums);
        let (s, n, x) = (self.fresh("s"), self.fresh("n"), self.fresh("x"));
        let iterated = if list.reference && !list.writable {
            list.path.clone()
        } else {
            format!("{}.iter()", list.path)
        };
        let edge = self.random.one_of(&["0.1", "0.3", "0.2", "0.6", "-0.2", "0.0", "0.7"]);
        let zero = if self.generic { "T::zero()" } else { "0.0" };
        self.line("{\n#[compute]\n{");
        self.line(&format!("let mut {s} = {zero};\nlet mut {n} = {zero};"));
        let operator = self.random.one_of(&[">", ">=", "<", "<="]);
        let term =
            self.random.one_of(&["*X", "*X * 0.1", "*X * *X", "(*X).sin()"]).replace('X', &x);
        let number = self.number_type();
        let generics = if self.generic { "<T: Real>" } else { "" };
        let gate = format!("gate{}", self.gates.len());
        let bare = term.replace(&format!("*{x}"), "x").replace("(x)", "x");
        // Of a list, functions are told, too.
        let mut sum = s.clone();
        let add = format!("add{}", self.gates.len());
        match self.random.below(9) {
            3 => {
                self.gates.push(format!(
                    "#[differentiable]\nfn {gate}{generics}(s: {number}, x: {number}) -> {number} {{\nif s {operator} {edge} {{ {bare} }} else {{ 0.3 * x }}\n}}\n"
                ));
                self.line(&format!(
                    "for {x} in {iterated} {{\n{n} += {gate}({s}, *{x});\n{s} += *{x};\n}}"
                ));
            }
            4 => {
                self.gates.push(format!(
                    "#[reversible]\nfn {gate}{generics}(n: &mut {number}, s: &{number}, x: &{number}) {{\nif *s {operator} {edge} {{\n*n += *x * *x;\n}}\n}}\n"
                ));
                self.line(&format!(
                    "for {x} in {iterated} {{\n{gate}(&mut {n}, &{s}, {x});\n{s} += *{x};\n}}"
                ));
            }
            5 => {
                self.gates.push(format!(
                    "#[differentiable]\nfn {gate}{generics}(s: &[{number}], x: {number}) -> {number} {{\nlet t = 2.0 * s[1];\nif t {operator} {edge} {{ {bare} }} else {{ 0.3 * x }}\n}}\n"
                ));
                sum = self.fresh("s");
                self.line(&format!(
                    "let mut {sum} = [{zero}; 2];\nfor {x} in {iterated} {{\n{n} += {gate}(&{sum}, *{x});\n{sum}[1] += *{x};\n}}"
                ));
                sum = format!("{sum}[1]");
            }
            // What another function changes, as well.
            6 => {
                self.gates.push(format!(
                    "#[differentiable]\nfn {gate}{generics}(s: &[{number}], x: {number}) -> {number} {{\nif s[1] {operator} {edge} {{ {bare} }} else {{ 0.3 * x }}\n}}\n#[reversible]\nfn {add}{generics}(s: &mut [{number}], x: &{number}) {{\ns[1] += *x;\n}}\n"
                ));
                sum = self.fresh("s");
                self.line(&format!(
                    "let mut {sum} = [{zero}; 2];\nfor {x} in {iterated} {{\n{n} += {gate}(&{sum}, *{x});\n{add}(&mut {sum}, {x});\n}}"
                ));
                sum = format!("{sum}[1]");
            }
            7 => {
                self.gates.push(format!(
                    "#[reversible]\nfn {gate}{generics}(n: &mut {number}, s: &[{number}], i: usize, x: &{number}) {{\nif s[i] {operator} {edge} {{\n*n += *x * *x;\n}}\n}}\n#[reversible]\nfn {add}{generics}(s: &mut [{number}], i: usize, x: &{number}) {{\ns[i] += *x;\n}}\n"
                ));
                sum = self.fresh("s");
                self.line(&format!(
                    "let mut {sum} = [{zero}; 2];\nfor {x} in {iterated} {{\n{gate}(&mut {n}, &{sum}, 1, {x});\n{add}(&mut {sum}, 1, {x});\n}}"
                ));
                sum = format!("{sum}[1]");
            }
            8 if !self.generic => {
                let owner = format!("Gate{}", self.gates.len());
                self.gates.push(format!(
                    "#[derive(Clone, Debug, PartialEq, Differentiable)]\nstruct {owner} {{\nsum: f64,\n}}\nimpl {owner} {{\n#[differentiable]\nfn gate(&self, x: f64) -> f64 {{\nif self.sum {operator} {edge} {{ {bare} }} else {{ 0.3 * x }}\n}}\n#[reversible]\nfn add(&mut self, x: &f64) {{\nself.sum += *x;\n}}\n}}\n"
                ));
                sum = self.fresh("s");
                self.line(&format!(
                    "let mut {sum} = {owner} {{ sum: 0.0 }};\nfor {x} in {iterated} {{\n{n} += {sum}.gate(*{x});\n{sum}.add({x});\n}}"
                ));
                sum = format!("{sum}.sum");
            }
            0 => self.line(&format!(
                "for {x} in {iterated} {{\n{s} += *{x};\nif {s} {operator} {edge} {{\n{n} += {term};\n}}\n}}"
            )),
            1 => self.line(&format!(
                "for {x} in {iterated} {{\nif {s} {operator} {edge} {{\n{n} += {term};\n}} else {{\n{n} -= 0.5;\n}}\n{s} += *{x};\n}}"
            )),
            _ => self.line(&format!(
                "for {x} in {iterated} {{\n{s} += *{x};\n{n} += if {s} {operator} {edge} {{ {term} }} else {{ {s} * *{x} }};\n}}"
            )),
        }
        self.line("}");
        self.scope(|writer| {
            writer.frozen.push(list.root.clone());
            writer.declare(&s, false, Shape::Number, false);
            writer.declare(&n, false, Shape::Number, false);
            writer.statements(depth.saturating_sub(1));
            if let Some((place, _)) = writer.target() {
                writer.line(&format!("{place} += {n} * {sum} + {n};"));
            }
        });
        self.line("}");
    }

    /// `x ↦ 0.1 x + 1`, again and again.
    fn contraction(&mut self) {
        let Some(thing) = self.pick(true, |shape| !matches!(shape, Shape::List(0))) else {
            return self.update();
        };
        let Some(place) = self.place(&thing) else { return };
        self.made.push(Category::Contractions);
        let borrowed = format!("&mut {place}");
        // Mostly so few that floats still remember.
        let most = if self.chance(80) { 4 } else { 20 };
        let (t, passes) = (self.fresh("t"), 1 + self.random.below(most));
        let (forth, back) = if self.chance(50) { ("0.1", "10.0") } else { ("0.5", "2.0") };
        self.line(&format!(
            "for _ in 0..{passes} {{\nlet mut {t} = {forth} * {place} + 1.0;\nswap({borrowed}, &mut {t});\n\
             unlet!({t} = ({place} - 1.0) * {back});\n}}"
        ));
    }

    /// An index that is made of a float.
    fn cast_to_index(&mut self) {
        let list = self.pick(false, |shape| matches!(shape, Shape::List(1..)));
        let (Some(list), false) = (list, self.generic) else { return self.update() };
        let Shape::List(length_of_list) = list.shape else { unreachable!("a list was picked") };
        self.avoid.push(list.root.clone());
        let number = self.readable().unwrap_or("0.5".into());
        let target = self.target();
        self.avoid.pop();
        let Some((place, root)) = target else { return };
        // The number must not be what is written.
        if number.trim_start_matches('*').starts_with(&root) {
            return self.update();
        }
        self.made.push(Category::Casts);
        let (i, path) = (self.fresh("i"), &list.path);
        self.line(&format!(
            "{{\nlet {i} = ({number}.abs() * 3.0) as usize % {length_of_list};\n{place} += {path}[{i}] * 0.5;\n}}"
        ));
    }
}
