//! Random programs on real numbers, compiled by rustc and run: there and back,
//! and with gradients, which must be those of dual numbers.

mod building;
mod running;

use building::{cargo, package, text};
use retrograde_interpreter::generator::reals::{Program, Target, program};
use running::{Printed, sources, wanted};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many programs are compiled, if nothing else is [`wanted`].
const PROGRAMS: usize = 30;

/// What runs them.
const HARNESS: &str = include_str!("random_gradients/harness.rs");

/// Programs that failed: what is wrong with each.
type Failures = BTreeMap<u64, String>;

// Two tests, in folders of their own, so that two are compiled at a time.

#[test]
fn gradients_are_those_of_dual_numbers() {
    compare("random-gradients", 0);
}

#[test]
fn gradients_of_others_are_those_of_dual_numbers() {
    compare("others/random-gradients", 1);
}

/// Every other program, in a package of that name.
fn compare(package: &str, half: usize) {
    let (wanted, start) = wanted(PROGRAMS);
    let seeds = (start..start + wanted as u64).skip(half).step_by(2);
    let programs: BTreeMap<u64, Program> =
        seeds.map(|seed| (seed, program(seed, Target::Host))).collect();
    let mut failures = Failures::new();
    let printed = compiled_and_run(package, &programs, &mut failures);
    let found = Printed::new(&printed);
    for (seed, failure) in found.failures {
        failures.entry(seed).or_default().push_str(&failure);
    }
    let [checked, fixed, single, complex, refused, wild] = found.counts[..] else {
        panic!("{printed}")
    };
    println!(
        "checked {checked} points, {fixed} of them on fixed point, {single} with single \
         precision, {complex} on complex numbers; refused {refused}, too large {wild}"
    );
    let mut report = String::new();
    for (seed, failure) in &failures {
        writeln!(report, "{failure}\n{}", programs[seed].text()).expect("writing to a string");
    }
    assert!(failures.is_empty(), "{} programs failed\n{report}", failures.len());
    // Three points each; what a check refuses is a minority.
    let wanted = programs.len();
    assert!(checked >= 2 * wanted, "only {checked} points of {wanted} programs were reached");
}

/// What the programs print. Those that do not compile are failures, and left out.
fn compiled_and_run(
    name: &str,
    programs: &BTreeMap<u64, Program>,
    failures: &mut Failures,
) -> String {
    let profile: &[&str] = if cfg!(debug_assertions) { &[] } else { &["--release"] };
    loop {
        let left: Vec<&Program> =
            programs.values().filter(|program| !failures.contains_key(&program.seed)).collect();
        let folder = package(name, &[], &files(&left));
        let output = cargo(&folder, &[&["build"], profile].concat());
        if !output.status.success() {
            let errors = text(&output.stderr);
            let found = by_program(&errors);
            assert!(!found.is_empty(), "{errors}");
            failures.extend(found);
            continue;
        }
        let output = cargo(&folder, &[&["run"], profile].concat());
        let (printed, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{printed}\n{errors}");
        return printed;
    }
}

/// The errors of rustc, by the seeds of the programs that they are in.
fn by_program(errors: &str) -> Failures {
    let mut found = Failures::new();
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
fn files(programs: &[&Program]) -> Vec<(String, String)> {
    let (mut files, mut table) = (Vec::new(), String::new());
    for program in programs {
        let Program { seed, exact, complex, .. } = program;
        let mut source = String::new();
        // The directions of a copy, where there is one.
        let mut copy = |name: &str, number: Option<&str>, wanted: bool| {
            if !wanted {
                return "None".to_string();
            }
            let text = program.module(number);
            writeln!(source, "pub mod {name} {{\nuse crate::*;\n{text}}}")
                .expect("writing to a string");
            format!("Some({})", directions(*seed, name))
        };
        copy("generic", None, true);
        copy("double", Some("f64"), true);
        let single = copy("single", Some("f32"), seed % 3 == 0);
        let plain_complex = copy("complex", Some("Complex<f64>"), *complex);
        let [generic, double] = ["generic", "double"].map(|name| directions(*seed, name));
        let generic_complex = if *complex { format!("Some({generic})") } else { "None".into() };
        let fixed = if seed % 3 == 1 { format!("Some({generic})") } else { "None".into() };
        writeln!(
            table,
            "Program {{ seed: {seed}, exact: {exact}, generic: {generic}, \
             dual: p{seed}::generic::forward, fixed: {fixed}, double: {double}, \
             single: {single}, complex: [{plain_complex}, {generic_complex}] }},"
        )
        .expect("writing to a string");
        files.push((*seed, source));
    }
    sources(HARNESS, files, &table)
}

fn directions(seed: u64, module: &str) -> String {
    let member = |name: &str| format!("{name}: p{seed}::{module}::{name}");
    let members =
        ["forward", "inverse", "adjoint", "inverse_adjoint", "gradient"].map(member).join(", ");
    format!("On {{ {members} }}")
}
