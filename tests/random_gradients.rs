//! Random programs on real numbers, compiled by rustc and run: there and back,
//! and with gradients, which must be those of dual numbers.

mod building;
mod gradient_generator;

use building::{cargo, package, text};
use gradient_generator::{Program, program};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many programs are compiled; RETROGRADE_PROGRAMS=1000 for a longer search,
/// RETROGRADE_SEED=5000 for other programs.
const PROGRAMS: usize = 120;

/// What runs them.
const HARNESS: &str = include_str!("random_gradients/harness.rs");

/// A number from the environment.
fn setting(name: &str) -> Option<usize> {
    std::env::var(name).ok().and_then(|n| n.parse().ok())
}

#[test]
fn gradients_are_those_of_dual_numbers() {
    let wanted = setting("RETROGRADE_PROGRAMS").unwrap_or(PROGRAMS);
    let start = setting("RETROGRADE_SEED").unwrap_or(1) as u64;
    let mut programs: BTreeMap<u64, Program> =
        (start..start + wanted as u64).map(|seed| (seed, program(seed))).collect();
    let mut failures: BTreeMap<u64, String> = BTreeMap::new();
    let mut programs_text = BTreeMap::new();
    for (seed, program) in &programs {
        programs_text.insert(*seed, program.text());
    }
    // What does not compile is left out, so that all of it is found at once.
    let folder = loop {
        let folder = package("random-gradients", &files(&programs));
        let profile: &[&str] = if cfg!(debug_assertions) { &[] } else { &["--release"] };
        let output = cargo(&folder, &[&["build"], profile].concat());
        if output.status.success() {
            break folder;
        }
        let errors = text(&output.stderr);
        let wrong = seeds_of_errors(&errors);
        assert!(!wrong.is_empty(), "{errors}");
        for (seed, error) in wrong {
            programs.remove(&seed);
            failures.entry(seed).or_default().push_str(&error);
        }
    };
    let profile: &[&str] = if cfg!(debug_assertions) { &[] } else { &["--release"] };
    let output = cargo(&folder, &[&["run"], profile].concat());
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{printed}\n{}", text(&output.stderr));
    for line in printed.lines().filter(|line| line.starts_with("FAILED")) {
        let seed = line.split_whitespace().nth(1).and_then(|seed| seed.parse().ok());
        failures.entry(seed.expect("a seed")).or_default().push_str(line);
    }
    let counts = printed.lines().rev().find_map(|line| line.strip_prefix("COUNTS "));
    let counts: Vec<usize> =
        counts.expect("counts").split(' ').filter_map(|n| n.parse().ok()).collect();
    let [checked, fixed, single, complex, refused, wild] = counts[..] else { panic!("{printed}") };
    println!(
        "checked {checked} points, {fixed} of them on fixed point, {single} with single \
         precision, {complex} on complex numbers; refused {refused}, too large {wild}"
    );
    for line in printed.lines().filter(|line| line.starts_with("REFUSED")) {
        println!("{line}");
    }
    let mut report = String::new();
    for (seed, failure) in &failures {
        writeln!(report, "{failure}\n{}", programs_text[seed]).expect("writing to a string");
    }
    assert!(failures.is_empty(), "{} programs failed\n{report}", failures.len());
    assert!(checked * 2 > wanted * 3, "only {checked} points were reached");
}

/// The seeds of the programs that errors of the compiler are in, and the errors.
fn seeds_of_errors(errors: &str) -> BTreeMap<u64, String> {
    let mut found: BTreeMap<u64, String> = BTreeMap::new();
    for error in errors.split("\n\n") {
        let seed = error.split("src/p").nth(1).and_then(|rest| {
            rest.split(|c: char| !c.is_ascii_digit()).next().and_then(|seed| seed.parse().ok())
        });
        if let Some(seed) = seed {
            found.entry(seed).or_default().push_str(&format!("{error}\n"));
        }
    }
    found
}

/// The sources: what runs the programs, and a file for each.
fn files(programs: &BTreeMap<u64, Program>) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let (mut modules, mut table) = (String::new(), String::new());
    for (seed, program) in programs {
        let kinds = [
            ("generic", None),
            ("f64_", Some("f64")),
            ("f32_", Some("f32")),
            ("complex_", Some("Complex<f64>")),
        ];
        let mut source = String::new();
        let mut on = BTreeMap::new();
        for (module, number) in kinds {
            let left_out = match module {
                "f32_" => seed % 3 != 0,
                "complex_" => !program.complex,
                _ => false,
            };
            if left_out {
                on.insert(module, "None".to_string());
                continue;
            }
            let text = program.module(number);
            writeln!(source, "pub mod {module} {{\nuse crate::*;\n{text}}}")
                .expect("writing to a string");
            on.insert(module, format!("Some({})", directions(*seed, module)));
        }
        let generic = directions(*seed, "generic");
        let plain = directions(*seed, "f64_");
        let single = &on["f32_"];
        let complex = if program.complex {
            format!("vec![{}, {generic}]", directions(*seed, "complex_"))
        } else {
            "vec![]".into()
        };
        let fixed = if seed % 3 == 1 { format!("Some({generic})") } else { "None".into() };
        let exact = program.exact;
        writeln!(
            table,
            "Program {{ seed: {seed}, exact: {exact}, generic: {generic}, \
             dual: p{seed}::generic::forward, fixed: {fixed}, plain: {plain}, \
             single: {single}, complex: {complex} }},"
        )
        .expect("writing to a string");
        writeln!(modules, "mod p{seed};").expect("writing to a string");
        files.push((format!("p{seed}.rs"), source));
    }
    let main = format!("#![allow(warnings)]\nmod programs;\n{modules}{}", without_head(HARNESS));
    files.push(("main.rs".into(), main));
    let programs =
        format!("use crate::*;\npub fn programs() -> Vec<Program> {{\nvec![{table}]\n}}\n");
    files.push(("programs.rs".into(), programs));
    files
}

/// Without the lines that describe the file.
fn without_head(source: &str) -> String {
    source.lines().skip_while(|line| line.starts_with("//!")).fold(String::new(), |mut text, line| {
        text.push_str(line);
        text.push('\n');
        text
    })
}

fn directions(seed: u64, module: &str) -> String {
    let member = |name: &str| format!("{name}: p{seed}::{module}::{name}");
    let members = ["forward", "inverse", "adjoint", "inverse_adjoint", "gradient"].map(member);
    format!("On {{ {} }}", members.join(", "))
}
