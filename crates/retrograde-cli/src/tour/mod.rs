//! The tour: programs, what the compiler makes of them, and their results.

mod program;

use crate::highlight::{Language, highlight};
use crate::stages::Stages;
use crate::{Outcome, style};
use program::{complex_log, orbit};
use retrograde::num::{Complex, Fixed43, Real};
use retrograde_compiler::find::{self, Found};
use std::fmt::Display;

/// The text of the programs that are run here.
const SOURCE: &str = include_str!("program.rs");

/// Shows and runs the programs.
pub fn run() -> Outcome {
    let mut tour = Tour::new();
    tour.text.push('\n');
    tour.line(style::paint(
        "Retrograde: write a function once, run it in both directions",
        style::HEADING,
    ));
    logarithm(&mut tour);
    planet(&mut tour);
    next_steps(&mut tour);
    Outcome::fine(tour.text)
}

fn logarithm(tour: &mut Tour) {
    tour.heading("1. A reversible function is a Rust function that only adds to its outputs");
    tour.rust(&tour.source("complex_log"));
    tour.say("What `#[compute]` makes is uncomputed at the end: nothing is left behind.");

    tour.heading("2. The compiler turns it into a list of statements, and the list around");
    let stages = tour.stages("complex_log");
    tour.columns(("forward", &stages.ir(false)), ("inverse", &stages.ir(true)));

    tour.heading("3. The inverse becomes Rust again: `r2` is dropped, so it need not be undone");
    tour.rust(&stages.rust(true));

    tour.heading("4. It runs");
    let z = Complex::new(3.0, 4.0);
    let mut log = Complex::new(0.0, 0.0);
    let mut rows = vec![("let z = 3 + 4i;", complex(log))];
    complex_log(&mut log, &z);
    rows.push(("complex_log(&mut log, &z);", complex(log)));
    complex_log::inverse(&mut log, &z);
    rows.push(("complex_log::inverse(&mut log, &z);", complex(log)));
    for (call, log) in rows {
        tour.result(call, 38, format!("log = {log}"));
    }
}

fn planet(tour: &mut Tour) {
    tour.heading("5. Loops, calls and generic numbers: a planet, and its way back");
    for name in ["orbit", "kick", "drift"] {
        tour.rust(&tour.source(name));
    }
    tour.say("The inverse of `orbit` runs the loop and its calls backwards:");
    tour.rust(&tour.stages("orbit").rust(true));
    let mut x = [1.0, 0.0];
    let mut v = [0.0, 1.2];
    let dt = 0.01;
    tour.result("", 39, format!("x = {}", point(x)));
    orbit(&mut x, &mut v, &dt, STEPS);
    tour.result("orbit(&mut x, &mut v, &dt, 10_000);", 39, format!("x = {}", point(x)));
    orbit::inverse(&mut x, &mut v, &dt, STEPS);
    tour.result("orbit::inverse(&mut x, &mut v, …);", 39, format!("x = {}", point(x)));
    tour.text.push('\n');
    let miss = (x[0] - 1.0).hypot(x[1]);
    tour.say(&format!("In `f64` it misses its start by {miss:.0e}, the rounding of 20,000 steps."));
    let exact = if returns_exactly() { "to the last bit" } else { "nearly" };
    tour.say(&format!("In fixed point, `Fixed43`, the same function comes back {exact}."));
}

const STEPS: usize = 10_000;

/// There and back in numbers whose `+=` and `-=` are exact.
fn returns_exactly() -> bool {
    let start = ([1.0, 0.0].map(Fixed43::from_f64), [0.0, 1.2].map(Fixed43::from_f64));
    let (mut x, mut v) = start;
    let dt = Fixed43::from_f64(0.01);
    orbit(&mut x, &mut v, &dt, STEPS);
    orbit::inverse(&mut x, &mut v, &dt, STEPS);
    (x, v) == start
}

fn next_steps(tour: &mut Tour) {
    tour.heading("Next");
    for (command, what) in [
        ("retrograde expand FILE.rs", "the same for your functions"),
        ("retrograde --help", "all commands"),
        ("cargo test", "every form of the language, in tests/forms.rs"),
        ("guide/", "the language, form by form"),
    ] {
        let gap = 28 - command.len();
        tour.line(format!("{}{:gap$}{what}", style::paint(command, style::COMMAND), ""));
    }
    tour.say("(In this folder, `retrograde` is `cargo run --release --`.)");
}

fn complex(z: Complex<f64>) -> String {
    format!("{:.6} + {:.6}i", z.re, z.im)
}

fn point<T: Real + Display>(x: [T; 2]) -> String {
    format!("({:.6}, {:.6})", x[0], x[1])
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
        self.text.push_str(&format!("  {content}\n"));
    }

    fn heading(&mut self, title: &str) {
        self.text.push('\n');
        self.line(style::paint(title, style::HEADING));
        self.text.push('\n');
    }

    fn say(&mut self, sentence: &str) {
        self.line(sentence);
    }

    /// A listing, with an empty line after it.
    fn rust(&mut self, code: &str) {
        for line in highlight(code, Language::Rust).lines() {
            self.line(format!("  {line}").trim_end());
        }
        self.text.push('\n');
    }

    /// A call beside what it made.
    fn result(&mut self, call: &str, width: usize, result: String) {
        let gap = width - call.chars().count();
        let call = highlight(call, Language::Rust);
        self.line(format!("  {call}{:gap$}{}", "", style::paint(result, style::HEADING)));
    }

    /// Two representations beside each other.
    fn columns(&mut self, left: (&str, &str), right: (&str, &str)) {
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
    #[test]
    fn fixed_point_comes_back() {
        assert!(super::returns_exactly());
    }
}
