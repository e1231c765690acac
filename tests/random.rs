//! Random programs, compiled by rustc and run: forward, then back to the start.

mod building;
mod generator;

use building::{cargo, package, text};
use generator::program;
use retrograde_compiler::attribute::Marks;
use retrograde_compiler::expand::{Options, compile};
use std::fmt::Write;

/// How many programs are compiled; RETROGRADE_PROGRAMS=1000 for a longer search.
const PROGRAMS: usize = 150;

/// What the programs call, and the arrays that they index by any integer.
const PRELUDE: &str = r#"
#![allow(warnings)]
use retrograde::place::Disjoint;
use retrograde::prelude::*;

#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    v: Array,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Array(Vec<i64>);

impl std::ops::Index<i64> for Array {
    type Output = i64;
    fn index(&self, i: i64) -> &i64 {
        &self.0[i as usize]
    }
}

impl std::ops::IndexMut<i64> for Array {
    fn index_mut(&mut self, i: i64) -> &mut i64 {
        &mut self.0[i as usize]
    }
}

impl Disjoint<i64> for Array {
    type Output = i64;
    fn disjoint<const N: usize>(&mut self, i: [i64; N], s: &'static str) -> [&mut i64; N] {
        self.0.disjoint(i.map(|i| i as usize), s)
    }
}

#[reversible]
fn add(y: &mut i64, x: &i64) {
    *y += *x;
}

type Direction = fn(&mut i64, &mut i64, &mut Sample, &Array, i64);

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let (mut undone, mut refused) = (0, 0);
    for (seed, forward, inverse) in programs() {
        for round in 0..3 {
            let number = |k: i64| (seed * 7919 + round * 104729 + k * 31337) % 21 - 10;
            let array = |k: i64| Array((0..16).map(|i| number(k + i)).collect());
            let (x, y, w, n) = (number(1), number(2), array(40), number(3) / 3 + 3);
            let v = Sample { v: array(10) };
            let run = |direction: Direction, (mut x, mut y, mut v): (i64, i64, Sample)| {
                let call = || {
                    direction(&mut x, &mut y, &mut v, &w, n);
                    (x, y, v)
                };
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(call))
            };
            match run(forward, (x, y, v.clone())) {
                Err(_) => refused += 1,
                Ok(after) => match run(inverse, after) {
                    Ok(back) if back == (x, y, v) => undone += 1,
                    _ => {
                        println!("seed {seed}, round {round}: not undone");
                        std::process::exit(1);
                    }
                },
            }
        }
    }
    println!("{undone} {refused}");
}
"#;

#[test]
fn compiled_programs_are_undone() {
    let wanted = std::env::var("RETROGRADE_PROGRAMS").ok().and_then(|n| n.parse().ok());
    let wanted: usize = wanted.unwrap_or(PROGRAMS);
    // Other programs than those that are interpreted.
    let accepted: Vec<(u64, String)> = (1_000_000..)
        .map(|seed| (seed, program(seed)))
        .filter(|(_, source)| {
            let function = syn::parse_str(source).expect("generated programs parse");
            compile(syn::Visibility::Inherited, function, Marks::default(), Options::default())
                .is_ok()
        })
        .take(wanted)
        .collect();
    let mut text = PRELUDE.to_string();
    let mut table = String::new();
    for (seed, source) in &accepted {
        // The interpreted programs have slices; these have a field of a struct.
        let source = source
            .replacen("fn f(", &format!("#[reversible]\nfn f_{seed}("), 1)
            .replace("v: &mut [i64]", "s: &mut Sample")
            .replace("v[", "s.v[")
            .replace("&[i64]", "&Array");
        writeln!(text, "{source}").expect("writing to a string");
        writeln!(table, "({seed}, f_{seed}, f_{seed}::inverse),").expect("writing to a string");
    }
    writeln!(text, "fn programs() -> Vec<(i64, Direction, Direction)> {{ vec![{table}] }}")
        .expect("writing to a string");
    let output = build_and_run(&text);
    let counts: Vec<usize> = output.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    let [undone, _refused] = counts[..] else { panic!("{output}") };
    assert!(undone > wanted, "only {undone} runs got through");
}

/// Compiles a program against the library, and gives back what it prints.
fn build_and_run(program: &str) -> String {
    let folder = package("random-programs", &[], &[("main.rs".into(), program.into())]);
    let output = cargo(&folder, &["run"]);
    let (printed, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{printed}\n{errors}");
    printed
}
