//! Random programs in the language, reversible more often than not.

use std::fmt::Write;

/// A small generator of random numbers, so that a seed names a program.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, from: &'a [String]) -> &'a str {
        &from[self.below(from.len())]
    }
}

/// Writes a program that is reversible more often than not.
struct Writer {
    random: Random,
    text: String,
    /// Names that may be read.
    readable: Vec<String>,
    /// Places that may be written.
    writable: Vec<String>,
    names: usize,
    budget: usize,
}

impl Writer {
    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("writing to a string");
    }

    fn index(&mut self) -> String {
        match self.random.below(3) {
            0 => self.random.below(4).to_string(),
            1 => "n".into(),
            _ => {
                let names: Vec<String> =
                    self.readable.iter().filter(|n| n.starts_with('i')).cloned().collect();
                if names.is_empty() {
                    return "1".into();
                }
                let (name, offset) = (self.random.pick(&names).to_string(), self.random.below(3));
                if offset == 0 { name } else { format!("{name} + {offset}") }
            }
        }
    }

    /// An expression that does not read `except`.
    fn expression(&mut self, except: &str, depth: usize) -> String {
        if depth > 0 && self.random.chance(50) {
            let (a, b) = (self.expression(except, depth - 1), self.expression(except, depth - 1));
            let operator = ["+", "-", "*"][self.random.below(3)];
            return format!("({a} {operator} {b})");
        }
        match self.random.below(6) {
            0 => self.random.below(9).to_string(),
            1 => format!("w[{}]", self.index()),
            // A fifth of the reads of `v` may meet what is written.
            2 if except != "v" || self.random.chance(20) => format!("v[{}]", self.index()),
            _ => {
                let names: Vec<String> =
                    self.readable.iter().filter(|n| *n != except).cloned().collect();
                self.random.pick(&names).to_string()
            }
        }
    }

    fn place(&mut self) -> (String, String) {
        if self.random.chance(30) {
            return (format!("v[{}]", self.index()), "v".into());
        }
        let place = self.random.pick(&self.writable.clone()).to_string();
        (place.clone(), place)
    }

    fn update(&mut self) -> String {
        let (place, root) = self.place();
        let operator = ["+=", "-=", "^="][self.random.below(3)];
        let value = self.expression(&root, 2);
        format!("{place} {operator} {value};")
    }

    fn block(&mut self, depth: usize) {
        let (readable, writable) = (self.readable.len(), self.writable.len());
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth);
        }
        self.readable.truncate(readable);
        self.writable.truncate(writable);
    }

    fn braces(&mut self, head: &str, depth: usize, tail: &str) {
        self.line(&format!("{head} {{"));
        self.block(depth);
        self.line(&format!("}}{tail}"));
    }

    fn statement(&mut self, depth: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let kind = if depth == 0 { self.random.below(8) } else { self.random.below(18) };
        match kind {
            0..=3 => {
                let update = self.update();
                self.line(&update);
            }
            4 => {
                let name = self.fresh("t");
                let value = self.expression("", 1);
                self.line(&format!("let {name} = {value};"));
                self.readable.push(name);
            }
            5 => {
                let (a, b) = (self.place().0, self.place().0);
                self.line(&format!("swap(&mut {a}, &mut {b});"));
            }
            6 => {
                let (place, root) = self.place();
                let value = self.expression(&root, 1);
                let not = if self.random.chance(50) { "!" } else { "" };
                self.line(&format!("{not}add(&mut {place}, &{value});"));
            }
            7 => self.ancilla(depth),
            8 => self.braces("", depth - 1, ""),
            9 => self.braces("!", depth - 1, ";"),
            10 => {
                let condition = self.condition();
                self.braces(&format!("if {condition}"), depth - 1, "");
            }
            11 => {
                let (first, second) = (self.condition(), self.condition());
                self.braces(&format!("if {first}"), depth - 1, "");
                self.braces(&format!("else if {second}"), depth - 1, "");
                self.braces("else", depth - 1, "");
            }
            12 | 13 => {
                let name = self.fresh("i");
                let (a, b) = (self.random.below(3), self.random.below(6));
                let range = match self.random.below(5) {
                    0 => format!("{a}..{b}"),
                    1 => format!("{a}..={b}"),
                    2 => format!("({a}..{b}).rev()"),
                    3 => format!("({a}..={b}).step_by({})", 1 + self.random.below(3)),
                    _ => format!("{a}..n"),
                };
                self.readable.push(name.clone());
                self.braces(&format!("for {name} in {range}"), depth - 1, "");
                self.readable.retain(|n| *n != name);
            }
            14 => {
                let name = self.fresh("c");
                self.line(&format!("let mut {name} = 0;"));
                self.readable.push(name.clone());
                self.line(&format!("while ({name} < 3, {name} > 0) {{"));
                self.block(depth - 1);
                self.line(&format!("{name} += 1; }} unlet!({name} = 3);"));
                self.readable.retain(|n| *n != name);
            }
            16 | 17 => {
                // A view, during which its place goes by this name alone.
                let name = self.fresh("r");
                let (place, root) = self.place();
                self.line(&format!("{{ let {name} = &mut {place};"));
                let view = format!("*{name}");
                let swapped = |names: &mut Vec<String>, from: &str, to: &str| {
                    names.iter_mut().filter(|n| *n == from).for_each(|n| *n = to.to_string());
                };
                if root != "v" {
                    swapped(&mut self.readable, &root, &view);
                    swapped(&mut self.writable, &root, &view);
                    self.block(depth - 1);
                    swapped(&mut self.readable, &view, &root);
                    swapped(&mut self.writable, &view, &root);
                } else {
                    // The borrow checker would not let `v` be read meanwhile.
                    let value = loop {
                        let value = self.expression("v", 1);
                        if !value.contains("v[") {
                            break value;
                        }
                    };
                    self.line(&format!("{view} += {value};"));
                }
                self.line("}");
            }
            _ => {
                let name = self.fresh("a");
                let (start, value) = (self.expression("", 0), self.expression("", 2));
                self.line(&format!(
                    "{{ #[compute] {{ let mut {name} = {start}; {name} += {value};"
                ));
                self.readable.push(name.clone());
                if self.random.chance(40) {
                    self.writable.push(name.clone());
                    self.block(depth - 1);
                    self.writable.retain(|n| *n != name);
                }
                self.line("}");
                self.block(depth - 1);
                self.line("}");
                self.readable.retain(|n| *n != name);
            }
        }
    }

    /// An ancilla that is undone by hand, or not at all.
    fn ancilla(&mut self, depth: usize) {
        let name = self.fresh("a");
        let start = self.expression("", 0);
        let changes: Vec<(String, &str, &str)> = (0..1 + self.random.below(2))
            .map(|_| {
                let value = self.expression("", 1);
                let both = [("+=", "-="), ("-=", "+="), ("^=", "^=")][self.random.below(3)];
                (value, both.0, both.1)
            })
            .collect();
        self.line(&format!("{{ let mut {name} = {start};"));
        for (value, operator, _) in &changes {
            self.line(&format!("{name} {operator} {value};"));
        }
        self.readable.push(name.clone());
        if depth > 0 {
            self.block(depth - 1);
        } else {
            let update = self.update();
            self.line(&update);
        }
        let forgetful = self.random.chance(10);
        for (value, _, operator) in changes.iter().rev().skip(forgetful.into()) {
            self.line(&format!("{name} {operator} {value};"));
        }
        self.line("}");
        self.readable.retain(|n| *n != name);
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expression("", 1), self.expression("", 0));
        let operator = ["<", ">", "=="][self.random.below(3)];
        let condition = format!("{a} {operator} {b}");
        if self.random.chance(30) { format!("({condition}, _)") } else { condition }
    }
}

/// The program of a seed: a function `f` of two numbers, two arrays and a length.
pub fn program(seed: u64) -> String {
    let named = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
    let mut writer = Writer {
        random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
        text: String::new(),
        readable: named(&["*x", "*y", "n"]),
        writable: named(&["*x", "*y"]),
        names: 0,
        budget: 14,
    };
    writer.block(3);
    format!(
        "fn f(x: &mut i64, y: &mut i64, v: &mut [i64], w: &[i64], n: i64) {{\n{}}}",
        writer.text
    )
}
