//! Structs of the user's own: their fields, methods and operators.

use super::Category;
use super::writer::{Shape, Writer};

/// A struct of two numbers, and what belongs to it. Its sums are field by field.
const PAIR: &str = "
#[fieldwise]
#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct Pair { a: f64, b: f64 }
";

/// What pairs have, each under the name by which programs [use](Writer::use_part) it.
const METHODS: [(&str, &str); 5] = [
    (
        "energy",
        "
impl Pair {
    #[differentiable]
    fn energy(&self) -> f64 { self.a * self.a + self.b.sin() }
}
",
    ),
    (
        "blend",
        "
impl Pair {
    #[differentiable]
    fn blend(&self, by: f64) -> f64 { self.a * by + self.b * (1.0 - by) }
}
",
    ),
    (
        "shear",
        "
impl Pair {
    #[reversible]
    fn shear(&mut self, by: &f64) { self.a += self.b * *by; self.b -= 0.3 * self.a.sin(); }
}
",
    ),
    (
        "deposit",
        "
impl Pair {
    #[reversible]
    fn deposit(&self, out: &mut f64) { *out += self.a * self.b; }
}
",
    ),
    (
        "*",
        "
impl Mul<f64> for Pair {
    type Output = Pair;
    fn mul(self, factor: f64) -> Pair { Pair { a: self.a * factor, b: self.b * factor } }
}
impl PullMul<f64> for Pair {
    type Output = Pair;
    fn pull_mul_left(g: &Pair, _pair: &Pair, factor: &f64) -> Pair { Pair { a: g.a * *factor, b: g.b * *factor } }
    fn pull_mul_right(g: &Pair, pair: &Pair, _factor: &f64) -> f64 { g.a * pair.a + g.b * pair.b }
}
",
    ),
];

/// Operators field by field.
const FIELDWISE: &str = "
impl Add for Pair {
    type Output = Pair;
    fn add(self, other: Pair) -> Pair { Pair { a: self.a + other.a, b: self.b + other.b } }
}
impl Sub for Pair {
    type Output = Pair;
    fn sub(self, other: Pair) -> Pair { Pair { a: self.a - other.a, b: self.b - other.b } }
}
impl Neg for Pair {
    type Output = Pair;
    fn neg(self) -> Pair { Pair { a: -self.a, b: -self.b } }
}
";

/// Operators that are the type's own: a pair of a length, and of a share of it.
const OWN: &str = "
impl Add for Pair {
    type Output = Pair;
    fn add(self, other: Pair) -> Pair { Pair { a: self.a + 2.0 * other.a, b: self.b * other.a + other.b } }
}
impl Sub for Pair {
    type Output = Pair;
    fn sub(self, other: Pair) -> Pair { Pair { a: self.a - 3.0 * other.b, b: self.b - other.a * other.a } }
}
impl Neg for Pair {
    type Output = Pair;
    fn neg(self) -> Pair { Pair { a: -self.b, b: self.a } }
}
";

/// A struct of two numbers without sums field by field.
const BARE_PAIR: &str = "
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pair { a: f64, b: f64 }
impl AddAssign for Pair {
    fn add_assign(&mut self, other: Pair) { self.a += 2.0 * other.a; self.b += other.b + other.a * other.a; }
}
impl SubAssign for Pair {
    fn sub_assign(&mut self, other: Pair) { self.a -= 2.0 * other.a; self.b -= other.b + other.a * other.a; }
}
";

/// A struct with a list.
const BAG: &str = "
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Bag { scale: f64, items: Vec<f64> }
";

/// Methods under the names of std's.
const STD_NAMES: [(&str, &str); 9] = [
    (
        "len",
        "impl Pair { #[differentiable] fn len(&self) -> f64 { self.a * self.a + 0.5 * self.b } }",
    ),
    ("floor", "impl Pair { #[differentiable] fn floor(&self) -> f64 { self.a * 0.5 - self.b } }"),
    ("is_big", "impl Pair { #[differentiable] fn is_big(&self) -> f64 { self.a.sin() + self.b } }"),
    ("size", "impl Pair { #[differentiable] fn size(&self) -> f64 { self.a * self.b } }"),
    (
        "dim",
        "impl Pair { #[differentiable] fn dim(&self, by: f64) -> f64 { self.a * by + self.b } }",
    ),
    (
        "count",
        "impl Pair { #[differentiable] fn count(&self) -> f64 { self.a.sin() * self.b + self.a } }",
    ),
    (
        "row",
        "
impl Bag {
    fn row(&self, from: usize) -> &[f64] { &self.items[from..] }
    fn row_mut(&mut self, from: usize) -> &mut [f64] { &mut self.items[from..] }
}
",
    ),
    ("iter", "impl Bag { #[differentiable] fn iter(&self) -> f64 { self.scale * self.scale } }"),
    ("len of a bag", "impl Bag { #[differentiable] fn len(&self) -> f64 { 3.0 * self.scale } }"),
];

impl Writer {
    /// Notes that the program uses a part of a type, which the file must then have.
    pub(super) fn use_part(&mut self, name: &'static str) {
        self.parts.push(name);
    }

    /// The types of the file, with the parts that are used.
    pub(super) fn struct_items(&mut self) -> Vec<String> {
        if !self.uses_structs() {
            return Vec::new();
        }
        let mut items = Vec::new();
        match self.has(Category::OwnOperators) {
            true => {
                items.push(BARE_PAIR.into());
                // With the rules that their bodies have, or without any.
                let rules = if self.chance(85) { "#[differentiable]\nimpl" } else { "impl" };
                items.push(OWN.replace("impl", rules));
            }
            false => items.extend([PAIR, FIELDWISE].map(String::from)),
        }
        items.push(BAG.into());
        let parts = METHODS.iter().chain(&STD_NAMES);
        let used = parts.filter(|(name, _)| self.parts.contains(name));
        items.extend(used.map(|(_, text)| text.to_string()));
        items
    }

    /// A statement with structs as a whole.
    pub(super) fn on_structs(&mut self) {
        let Some(pair) = self.pick(false, |shape| *shape == Shape::Pair) else {
            return self.update();
        };
        self.made.extend(
            [Category::OwnOperators, Category::Structs]
                .into_iter()
                .filter(|c| self.categories.contains(c)),
        );
        let other = self.pick(false, |shape| *shape == Shape::Pair).unwrap_or_else(|| pair.clone());
        let (p, o) = (pair.path.clone(), other.path.clone());
        let written = self.pick(true, |shape| *shape == Shape::Pair);
        // Such types have no `+=` that can be undone: nearly always refused.
        let undone = !self.has(Category::OwnOperators) || self.chance(5);
        match (self.random.below(7), written) {
            (0, Some(written)) if undone => {
                self.avoid.push(written.root.clone());
                let read = self.pick(false, |shape| *shape == Shape::Pair);
                let number = self.number(1);
                self.avoid.pop();
                let operator = self.random.one_of(&["+=", "-="]);
                self.use_part("*");
                match read {
                    Some(read) => self.line(&format!(
                        "*{} {operator} *{} * ({number});",
                        written.path, read.path
                    )),
                    None => self.line(&format!(
                        "*{} {operator} Pair {{ a: {number}, b: 0.5 }};",
                        written.path
                    )),
                }
            }
            (1, Some(written)) => {
                self.avoid.push(written.root.clone());
                let by = self.number(1);
                self.avoid.pop();
                let not = if self.chance(30) { "!" } else { "" };
                self.use_part("shear");
                self.line(&format!("{not}{}.shear(&({by}));", written.path));
            }
            (2, _) => {
                self.avoid.push(pair.root.clone());
                let target = self.pick(true, |shape| *shape == Shape::Number);
                self.avoid.pop();
                if let Some(lent) = target.and_then(|target| self.lent(&target, true)) {
                    self.use_part("deposit");
                    self.line(&format!("{p}.deposit({lent});"));
                }
            }
            _ => {
                let name = self.fresh("d");
                self.avoid.extend([pair.root, other.root]);
                let target = self.target();
                self.avoid.truncate(self.avoid.len() - 2);
                let Some((place, _)) = target else { return };
                let value = match self.random.below(4) {
                    0 => format!("*{p} + *{o}"),
                    1 => format!("*{p} - *{o}"),
                    2 => {
                        self.use_part("*");
                        format!("(*{p} + *{o}) * {}", self.literal())
                    }
                    _ => format!("-*{p}"),
                };
                self.line(&format!(
                    "{{\nlet {name} = {value};\n{place} += {name}.a * {name}.b;\n}}"
                ));
            }
        }
    }
}
