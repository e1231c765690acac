//! The tour: programs, what the compiler makes of them, and their results.

mod program;

use crate::highlight::{Language, highlight};
use crate::stages::Stages;
use crate::{Outcome, style};
use program::{complex_log, orbit};
use retrograde::num::{Complex, Fixed43, Real};
use retrograde_compiler::expand::Which;
use retrograde_compiler::find::{self, Found};
use std::fmt::Display;

/// The text of the programs that are run here.
const SOURCE: &str = include_str!("program.rs");

/// Shows and runs the programs.
pub fn run() -> Outcome {
    let mut tour = Tour::new();
    tour.heading("Retrograde: write a function once, run it in both directions");
    logarithm(&mut tour);
    planet(&mut tour);
    next_steps(&mut tour);
    Outcome::fine(tour.text)
}

fn logarithm(tour: &mut Tour) {
    tour.heading("1. A reversible function: ordinary Rust that updates its outputs in place");
    tour.rust(&tour.source("complex_log"));
    tour.say("What `#[compute]` makes is uncomputed at the end: nothing is left behind.");

    tour.heading("2. The compiler sees statements; their inverses, last first, are the inverse");
    let stages = tour.stages("complex_log");
    tour.columns(("forward", &stages.ir(false)), ("inverse", &stages.ir(true)));

    tour.heading("3. The inverse becomes Rust; dropping `r2` is cheaper than uncomputing it");
    tour.rust(&stages.rust(Which::Inverse));

    tour.heading("4. It runs");
    let z = Complex::new(3.0, 4.0);
    let mut log = Complex::new(0.0, 0.0);
    let mut rows = vec![("let z = Complex::new(3.0, 4.0);", log)];
    complex_log(&mut log, &z);
    rows.push(("complex_log(&mut log, &z);", log));
    complex_log::inverse(&mut log, &z);
    rows.push(("complex_log::inverse(&mut log, &z);", log));
    tour.results(&rows, |z| format!("log = {:.6} + {:.6}i", z.re, z.im));
}

fn planet(tour: &mut Tour) {
    tour.heading("5. Loops, calls and generic numbers: a planet, and its way back");
    for name in ["orbit", "kick", "drift"] {
        tour.rust(&tour.source(name));
    }
    tour.say("The inverse of `orbit` runs the loop and its calls backwards:");
    tour.rust(&tour.stages("orbit").rust(Which::Inverse));
    let float = Journey::make(|value| value);
    let fixed = Journey::make(Fixed43::from_f64);
    let rows = vec![
        ("let mut x = [1.0, 0.0];", float.start),
        ("orbit(&mut x, &mut v, &dt, 10_000);", float.there),
        ("orbit::inverse(&mut x, &mut v, &dt, 10_000);", float.back),
    ];
    tour.results(&rows, |x| format!("x = ({}, {})", rounded(x[0]), rounded(x[1])));
    tour.say(&format!(
        "Rounding in 20,000 steps of `f64` makes it miss its start by {:.0e}. In fixed\n  \
         point, `Fixed43`, the same function misses by {}: every step is undone exactly.",
        float.miss(),
        fixed.miss()
    ));
}

/// Six decimals, and no minus before a zero.
fn rounded(value: f64) -> String {
    format!("{:.6}", (value * 1e6).round() / 1e6 + 0.0)
}

/// A planet's places before, between and after two runs.
struct Journey {
    start: [f64; 2],
    there: [f64; 2],
    back: [f64; 2],
}

impl Journey {
    fn make<T: Real>(number: impl Fn(f64) -> T) -> Self {
        let place = |x: &[T; 2]| [x[0].to_f64(), x[1].to_f64()];
        let mut x = [1.0, 0.0].map(&number);
        let mut v = [0.0, 1.2].map(&number);
        let dt = number(0.01);
        let start = place(&x);
        orbit(&mut x, &mut v, &dt, 10_000);
        let there = place(&x);
        orbit::inverse(&mut x, &mut v, &dt, 10_000);
        Journey { start, there, back: place(&x) }
    }

    fn miss(&self) -> f64 {
        (self.back[0] - self.start[0]).hypot(self.back[1] - self.start[1])
    }
}

fn next_steps(tour: &mut Tour) {
    tour.heading("Next");
    tour.gap();
    for (command, what) in [
        ("retrograde expand FILE.rs", "the same for your own functions"),
        ("retrograde --help", "all commands"),
        ("cargo test", "every form of the language at work, in tests/forms.rs"),
        ("guide/", "the language, form by form"),
    ] {
        let gap = 28 - command.len();
        tour.line(format!("  {}{:gap$}{what}", style::paint(command, style::COMMAND), ""));
    }
    tour.say("In a checkout, `retrograde` is `cargo run --release --`.");
}

/// The text so far, and the functions that it is about.
struct Tour {
    text: String,
    functions: Vec<Found>,
}

impl Tour {
    fn new() -> Self {
        let file = syn::parse_file(SOURCE).expect("the compiler read the same file");
        Tour { text: String::new(), functions: find::reversible(&file) }
    }

    fn function(&self, name: &str) -> &Found {
        self.functions.iter().find(|found| found.is_named(name)).expect("a function of the file")
    }

    fn stages(&self, name: &str) -> Stages {
        Stages::of(self.function(name)).expect("the macro compiled the same function")
    }

    /// A function as it is written in the file.
    fn source(&self, name: &str) -> String {
        let span = self.function(name).span;
        let lines = SOURCE.lines().skip(span.start().line - 1);
        let count = span.end().line + 1 - span.start().line;
        lines.take(count).map(|line| format!("{line}\n")).collect()
    }

    fn line(&mut self, content: impl Display) {
        self.text.push_str(format!("  {content}").trim_end());
        self.text.push('\n');
    }

    /// An empty line, where there is none yet.
    fn gap(&mut self) {
        if !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn heading(&mut self, title: &str) {
        self.gap();
        self.line(style::paint(title, style::HEADING));
    }

    fn say(&mut self, sentence: &str) {
        self.gap();
        self.line(sentence);
    }

    fn rust(&mut self, code: &str) {
        self.gap();
        for line in highlight(code, Language::Rust).lines() {
            self.line(format!("  {line}"));
        }
    }

    /// Calls, and beside each what it made.
    fn results<T>(&mut self, rows: &[(&str, T)], show: impl Fn(&T) -> String) {
        self.gap();
        let length = |call: &str| call.chars().count();
        let width = rows.iter().map(|(call, _)| length(call)).max().unwrap_or(0) + 3;
        for (call, result) in rows {
            let gap = width - length(call);
            let call = highlight(call, Language::Rust);
            let result = style::paint(show(result), style::HEADING);
            self.line(format!("  {call}{:gap$}{result}", ""));
        }
    }

    /// Two representations beside each other.
    fn columns(&mut self, left: (&str, &str), right: (&str, &str)) {
        self.gap();
        let width = left.1.lines().map(|line| line.chars().count()).max().unwrap_or(0) + 4;
        let gap = width - left.0.len();
        let titles = format!("  {}{:gap$}{}", left.0, "", right.0);
        self.line(style::paint(titles, style::DIM));
        for (left, right) in left.1.lines().zip(right.1.lines()) {
            let gap = width - left.chars().count();
            let [left, right] = [left, right].map(|line| highlight(line, Language::Ir));
            self.line(format!("  {left}{:gap$}{right}", ""));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_point_comes_back_exactly_and_floating_point_nearly() {
        assert_eq!(Journey::make(Fixed43::from_f64).miss(), 0.0);
        let miss = Journey::make(|value| value).miss();
        assert!(0.0 < miss && miss < 1e-11, "{miss}");
    }
}
