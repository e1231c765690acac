//! Files: structs, pure functions, helpers, and the function that is judged.

use super::Category;
use super::writer::{Helper, Shape, Takes, Writer};

impl Writer {
    /// A whole file.
    pub(super) fn file(&mut self) -> String {
        let mut items = Vec::new();
        self.generic = self.has(Category::Generic) && !self.uses_structs();
        if self.has(Category::Pure) {
            let item = self.pure_function();
            items.push(item);
        }
        for _ in 0..self.random.below(2) {
            let item = self.helper();
            items.push(item);
        }
        if self.has(Category::Aliases) {
            let item = self.pair_of_elements();
            items.push(item);
        }
        if self.has(Category::Recursion) {
            let item = self.recursive();
            items.push(item);
        }
        let arguments = self.arguments();
        // Mostly small: what goes wrong does so in few statements, and many are judged.
        let (most, depth) = if self.chance(70) { (2, 2) } else { (5, 3) };
        self.budget = 1 + self.random.below(most);
        let body = self.body_of(&arguments, depth) + &self.what_is_missing();
        let list: Vec<String> =
            arguments.iter().map(|(name, ty, _)| format!("{name}: {ty}")).collect();
        let attribute =
            if self.has(Category::Fused) { "#[reversible(fused)]" } else { "#[reversible]" };
        items.push(format!(
            "{attribute}\nfn f{}({}) {{\n{body}}}\n",
            self.generics(),
            list.join(", ")
        ));
        let whole = [
            (Category::Generic, self.generic),
            (Category::Fused, self.has(Category::Fused)),
            (Category::Short, self.length < 2),
            (Category::Long, self.length >= 8),
        ];
        self.made.extend(whole.into_iter().filter(|(_, made)| *made).map(|(category, _)| category));
        let mut file = self.struct_items();
        file.append(&mut self.gates);
        file.extend(items);
        file.join("\n")
    }

    /// Forms of the categories that were asked for and have not been written yet.
    fn what_is_missing(&mut self) -> String {
        for category in self.troubles() {
            if !self.made.contains(&category) {
                self.budget = 2;
                self.trouble_of(category, 1);
            }
        }
        if self.has(Category::Recursion) && !self.made.contains(&Category::Recursion) {
            self.call();
        }
        std::mem::take(&mut self.text)
    }

    /// Whether the file has types of its own.
    pub(super) fn uses_structs(&self) -> bool {
        [Category::Structs, Category::OwnOperators, Category::StdNames].iter().any(|c| self.has(*c))
    }

    fn generics(&self) -> &'static str {
        if self.generic { "<T: Real>" } else { "" }
    }

    /// The arguments of the function that is judged.
    fn arguments(&mut self) -> Vec<(&'static str, String, Shape)> {
        let (number, length) = (self.number_type(), self.length);
        let mut all = vec![("y", format!("&mut {number}"), Shape::Number)];
        if self.chance(60) {
            all.push(("z", format!("&mut {number}"), Shape::Number));
        }
        if self.chance(70) {
            all.push(("x", format!("&{number}"), Shape::Number));
        }
        if self.chance(60) {
            let ty = ["[T]", "Vec<T>"][self.random.below(2)].replace('T', number);
            all.push(("v", format!("&mut {ty}"), Shape::List(length)));
        }
        if self.chance(60) {
            all.push(("w", format!("&[{number}]"), Shape::List(length)));
        }
        if self.chance(30) {
            let borrow = self.random.one_of(&["&", "&mut "]);
            all.push(("q", format!("{borrow}[{number}; 3]"), Shape::List(3)));
        }
        if self.chance(20) {
            all.push(("c", number.to_string(), Shape::Number));
        }
        if self.uses_structs() {
            let borrow = self.random.one_of(&["&", "&mut "]);
            all.push(("p", format!("{borrow}Pair"), Shape::Pair));
            if self.chance(50) {
                all.push(("o", "&Pair".into(), Shape::Pair));
            }
        }
        if self.has(Category::StdNames) || self.has(Category::Structs) && self.chance(40) {
            let borrow = self.random.one_of(&["&", "&mut "]);
            all.push(("b", format!("{borrow}Bag"), Shape::Bag));
        }
        all
    }

    /// A body for arguments.
    fn body_of(&mut self, arguments: &[(&str, String, Shape)], depth: usize) -> String {
        (self.things, self.frozen, self.reads, self.avoid) = Default::default();
        self.counters.clear();
        self.floor = 0;
        self.passes = 1;
        for (name, ty, shape) in arguments {
            let (reference, writable) = (ty.starts_with('&'), ty.starts_with("&mut"));
            let path = match shape {
                Shape::Number if reference => format!("*{name}"),
                _ => name.to_string(),
            };
            self.declare_part(&path, reference, shape.clone(), writable, name);
        }
        self.text.clear();
        while self.budget > 0 {
            self.budget -= 1;
            self.statement(depth);
        }
        self.update();
        std::mem::take(&mut self.text)
    }

    /// A pure function of one or two numbers.
    fn pure_function(&mut self) -> String {
        let (name, count) = (self.fresh("pure"), 1 + self.random.below(2));
        let number = self.number_type();
        (self.things, self.frozen, self.reads, self.avoid) = Default::default();
        self.counters.clear();
        let names = ["a", "b"];
        for name in &names[..count] {
            self.declare(name, false, Shape::Number, false);
        }
        let (first, rest) = (self.number(2), self.number(2));
        let list: Vec<String> =
            names[..count].iter().map(|name| format!("{name}: {number}")).collect();
        self.pure.push((name.clone(), count));
        let body = match self.random.below(3) {
            0 => format!("{first} + {rest}"),
            1 => format!("let n = a * ({first});\nn * ({rest}) + n"),
            _ => format!("if a > 0.3 {{ {first} }} else {{ a * ({rest}) }}"),
        };
        let generics = self.generics();
        format!(
            "#[differentiable]\nfn {name}{generics}({}) -> {number} {{\n{body}\n}}\n",
            list.join(", ")
        )
    }

    /// A reversible function that others call.
    fn helper(&mut self) -> String {
        let (name, number, length) = (self.fresh("g"), self.number_type(), self.length);
        let pairs = self.has(Category::Structs) && !self.generic;
        let mut takes = vec![match self.random.below(4) {
            0 => Takes::WrittenList,
            1 if pairs => Takes::WrittenPair,
            _ => Takes::Written,
        }];
        for _ in 0..1 + self.random.below(2) {
            takes.push(match self.random.below(6) {
                0 => Takes::Written,
                1 | 2 => Takes::Read,
                3 => Takes::ReadList,
                4 if pairs => Takes::ReadPair,
                _ => Takes::Given,
            });
        }
        let names = ["s", "t", "u"];
        let arguments: Vec<(&str, String, Shape)> = takes
            .iter()
            .zip(names)
            .map(|(takes, name)| match takes {
                Takes::Written => (name, format!("&mut {number}"), Shape::Number),
                Takes::Read => (name, format!("&{number}"), Shape::Number),
                Takes::Given => (name, number.to_string(), Shape::Number),
                Takes::WrittenList => (name, format!("&mut [{number}]"), Shape::List(length)),
                Takes::ReadList => (name, format!("&[{number}]"), Shape::List(length)),
                Takes::WrittenPair => (name, "&mut Pair".into(), Shape::Pair),
                Takes::ReadPair => (name, "&Pair".into(), Shape::Pair),
                Takes::Count => (name, "usize".into(), Shape::Number),
            })
            .collect();
        self.budget = 2;
        let body = self.body_of(&arguments, 1);
        let list: Vec<String> =
            arguments.iter().map(|(name, ty, _)| format!("{name}: {ty}")).collect();
        let text = format!(
            "#[reversible]\nfn {name}{}({}) {{\n{body}}}\n",
            self.generics(),
            list.join(", ")
        );
        self.helpers.push(Helper { name, takes });
        text
    }

    /// A function that calls itself.
    fn recursive(&mut self) -> String {
        let (name, number) = (self.fresh("r"), self.number_type());
        let arguments = [
            ("s", format!("&mut {number}"), Shape::Number),
            ("t", format!("&mut {number}"), Shape::Number),
            ("u", format!("&{number}"), Shape::Number),
        ];
        let kept = std::mem::take(&mut self.helpers);
        self.budget = 2;
        let before = self.body_of(&arguments, 1);
        self.budget = 1;
        let after = self.body_of(&arguments, 1);
        self.helpers = kept;
        let generics = self.generics();
        let call = match self.random.below(3) {
            0 => format!("{name}(s, t, u, depth - 1);"),
            1 => format!("{name}(t, s, u, depth - 1);"),
            _ => format!("!{name}(t, s, u, depth - 1);"),
        };
        let takes = vec![Takes::Written, Takes::Written, Takes::Read, Takes::Count];
        self.helpers.push(Helper { name: name.clone(), takes });
        format!(
            "#[reversible]\nfn {name}{generics}(s: &mut {number}, t: &mut {number}, u: &{number}, depth: usize) {{\n\
             if depth > 0 {{\n{before}{call}\n{after}}} else {{\n*s += 0.5 * *t;\n}}\n}}\n"
        )
    }
}
