//! Ancillas, given back by hand, and `#[compute]` blocks.

use super::writer::{Shape, Term, Writer};

impl Writer {
    /// An initial value: constant or not, a number or a list.
    pub(super) fn initial(&mut self) -> (Term, Shape) {
        match self.random.below(9) {
            0..=2 if self.complex => (Term::new("T::zero()".into(), 0.5), Shape::Number),
            0 | 1 => (Term::new("0.0".into(), 0.5), Shape::Number),
            2 => (Term::new(self.literal(), 2.0), Shape::Number),
            3 | 4 => (self.expression(2), Shape::Number),
            5 => {
                // Only a vector is filled with what need not be `Copy`.
                let text = if self.on_host() {
                    "vec![T::zero(); 3]"
                } else {
                    "[T::zero(), T::zero(), T::zero()]"
                };
                (Term::new(text.into(), 0.5), Shape::List(3))
            }
            6 => (Term::new("[T::zero(), T::from_f64(0.5)]".into(), 0.5), Shape::List(2)),
            kind => {
                let reads = self.reads.len();
                let (a, b) = (self.expression(1), self.expression(2));
                let bound = a.bound.max(b.bound);
                let vector = kind == 7 && self.on_host();
                if vector {
                    // What a macro mentions is read as a whole.
                    for root in &mut self.reads[reads..] {
                        *root = root.split('.').next().unwrap_or_default().to_string();
                    }
                }
                let macro_name = if vector { "vec!" } else { "" };
                let text = format!("{macro_name}[{}, {}]", a.text, b.text);
                (Term::new(text, bound), Shape::List(2))
            }
        }
    }

    /// Declares an ancilla, which may be written.
    pub(super) fn declared(&mut self) -> (String, Shape) {
        let name = self.fresh("a");
        let copy = self.lists(false);
        let (value, shape) = if self.on_host() && !copy.is_empty() && self.chance(12) {
            let (_, list, length) = copy[self.random.below(copy.len())].clone();
            self.reads.push(list.root.clone());
            (Term::new(format!("{}.to_vec()", list.path), list.bound), Shape::List(length))
        } else {
            self.initial()
        };
        // The type of a literal is not always known from what is done with it.
        let ty = if value.text.parse::<f64>().is_ok() { ": T" } else { "" };
        self.line(&format!("let mut {name}{ty} = {};", value.text));
        let thing = self.thing(&name, shape.clone(), &name);
        thing.bound = value.bound + 1.0;
        thing.writable = true;
        (name, shape)
    }

    /// An ancilla that is given back by hand.
    pub(super) fn ancilla(&mut self, depth: usize) {
        self.line("{");
        let (things, frozen, reads) = (self.things.len(), self.frozen.len(), self.reads.len());
        let form = self.random.below(3);
        if form == 0 {
            // Known to hold a sum at its end.
            let name = self.fresh("a");
            let (first, second) = (self.expression(1), self.expression(2));
            self.line(&format!("let mut {name} = {};", first.text));
            self.line(&format!("{name} += {};", second.text));
            self.thing(&name, Shape::Number, &name).bound = first.bound + second.bound;
            self.freeze_since(reads);
            self.uses(depth);
            self.line(&format!("unlet!({name} = {} + {});", first.text, second.text));
        } else {
            let (name, _) = self.declared();
            let start = self.text.len();
            if form == 1 || depth == 0 {
                let outer = std::mem::replace(&mut self.floor, things);
                self.update();
                self.floor = outer;
            } else {
                self.block_above(things, depth - 1);
            }
            let computing = self.text[start..].to_string();
            self.text.truncate(start);
            self.line(&format!("{{\n{computing}}}"));
            self.freeze_since(reads);
            let thing = self.things.last_mut().expect("the ancilla");
            thing.writable = false;
            debug_assert_eq!(thing.path, name);
            self.uses(depth);
            self.line(&format!("!{{\n{computing}}};"));
        }
        self.line("}");
        self.things.truncate(things);
        self.frozen.truncate(frozen);
    }

    pub(super) fn uses(&mut self, depth: usize) {
        if depth > 0 {
            // Names that it declares end with it.
            self.line("{");
            self.block(depth - 1);
            self.line("}");
        } else {
            self.update();
        }
        self.update();
    }

    pub(super) fn compute(&mut self, depth: usize) {
        self.line("{");
        let (things, frozen, reads) = (self.things.len(), self.frozen.len(), self.reads.len());
        self.line("#[compute]\n{");
        self.computing(things, depth);
        self.line("}");
        self.freeze_since(reads);
        for thing in &mut self.things[things..] {
            thing.writable = false;
        }
        self.statements(depth);
        self.update();
        self.line("}");
        self.things.truncate(things);
        self.frozen.truncate(frozen);
    }

    /// What is computed: names that outlive it.
    pub(super) fn computing(&mut self, floor: usize, depth: usize) {
        if self.chance(20) {
            // A place that is changed for a while.
            if let Some(place) = self.writable() {
                self.avoid.push(place.root.clone());
                let value = self.value(2);
                self.avoid.pop();
                self.line(&format!("{} -= {value};", place.text));
                self.reads.push(place.root);
            }
        }
        self.declared();
        let outer = std::mem::replace(&mut self.floor, floor);
        self.update();
        if self.chance(40) {
            self.call();
        }
        if depth > 0 && self.chance(35) {
            let reads = self.reads.len();
            let inner = self.things.len();
            self.line("#[compute]\n{");
            self.computing(inner, depth - 1);
            self.line("}");
            self.freeze_since(reads);
            for thing in &mut self.things[inner..] {
                thing.writable = false;
            }
            self.update();
            self.things.truncate(inner);
        }
        if depth > 0 && self.chance(40) {
            self.line("{");
            self.block(depth - 1);
            self.line("}");
        }
        if self.chance(30) {
            self.temporary();
        }
        self.floor = outer;
    }
}
