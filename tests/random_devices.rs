//! Random programs as kernels: what devices compute, by the text that they get, has the
//! bits of the Rust functions, in all directions.

mod building;
mod running;

use building::{cargo, package, text};
use retrograde_compiler::differentiable::differentiable;
use retrograde_compiler::expand::{Options, reversible};
use retrograde_interpreter::generator::reals::{Program, Target, program};
use running::{Printed, sources, wanted};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

/// How many programs are run, if nothing else is [`wanted`].
const PROGRAMS: usize = 6;

/// What runs them.
const HARNESS: &str = include_str!("random_devices/harness.rs");

/// The name of the package of programs.
const PACKAGE: &str = "random-devices";

/// The words that functions are marked with. What is kept on the processor and what is
/// fused there rounds in another way.
const WORDS: &str = "gpu, without(reuse, fusion)";

#[test]
fn kernels_give_the_bits_of_the_functions() {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "g++".to_string());
    if Command::new(&compiler).arg("--version").output().is_err() {
        println!("{compiler} is not installed, so kernels are not run");
        return;
    }
    let (wanted, start) = wanted(PROGRAMS);
    let (mut programs, mut refused) = (BTreeMap::new(), 0);
    for seed in start.. {
        if programs.len() == wanted {
            break;
        }
        let program = program(seed, Target::Device);
        match refusal(&program, Some("f64")) {
            Some(reason) => {
                println!("{seed} is refused: {reason}");
                refused += 1;
            }
            None => {
                programs.insert(seed, program);
            }
        }
    }
    let folder = package(PACKAGE, &[("retrograde-gpu", "emulation")], &files(&programs));
    let profile: &[&str] = if cfg!(debug_assertions) { &[] } else { &["--release"] };
    let output = cargo(&folder, &[&["build"], profile].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let built = if cfg!(debug_assertions) { "debug" } else { "release" };
    let runs: Vec<_> = ["0", "1"]
        .map(|share| {
            let mut run = Command::new(folder.with_file_name("target").join(built).join(PACKAGE));
            run.args([share, "2"]).stdout(std::process::Stdio::piped());
            run.spawn().expect("the programs start")
        })
        .into();
    let (mut reached, mut report, mut failures) = (0, String::new(), 0);
    for run in runs {
        let output = run.wait_with_output().expect("the programs run");
        let printed = text(&output.stdout);
        assert!(output.status.success(), "{printed}");
        let found = Printed::new(&printed);
        for (seed, failure) in &found.failures {
            writeln!(report, "{failure}\n{}", programs[seed].text()).expect("writing to a string");
        }
        failures += found.failures.len();
        reached += found.counts[0];
    }
    println!("{wanted} programs at {reached} points; {refused} do not fit");
    assert!(failures == 0, "{failures} programs failed\n{report}");
    // Three points each; what a check refuses is a minority.
    assert!(reached > 2 * wanted, "only {reached} points of {wanted} programs were reached");
    assert!(refused <= wanted, "the programs are hardly those of devices");
}

/// The functions of a program, marked for devices.
fn marked(program: &Program) -> String {
    program
        .text()
        .replace("#[reversible]", &format!("#[reversible({WORDS})]"))
        .replace("#[differentiable]", "#[differentiable(gpu)]")
}

/// What the compiler makes of the functions of a program.
fn expanded(program: &Program, number: Option<&str>) -> Vec<String> {
    let expanded = |item: &String| {
        let (attribute, function) = item.split_once('\n').expect("an attribute");
        let function = program.written(function.to_string(), number);
        let function = syn::parse_str(&function).expect("a function");
        let words = |words: &str| syn::parse_str(words).expect("words");
        let expanded = if attribute == "#[differentiable]" {
            differentiable(words("gpu"), function)
        } else {
            reversible(words(WORDS), function, Options::default())
        };
        expanded.to_string()
    };
    program.items.iter().map(expanded).collect()
}

/// Why the compiler does not print a program for devices.
fn refusal(program: &Program, number: Option<&str>) -> Option<String> {
    expanded(program, number).iter().find_map(|text| {
        let (_, reason) = text.split_once("compile_error")?;
        Some(reason.chars().take(200).collect())
    })
}

/// Whether devices sum in the order of the functions. Of a slice that is lent twice, the
/// second gradient is summed on its own, for which devices have no room.
fn in_order(program: &Program) -> bool {
    !expanded(program, Some("f64")).iter().any(|text| text.contains("stand_in"))
}

/// The sources: what runs the programs, and a file for each.
fn files(programs: &BTreeMap<u64, Program>) -> Vec<(String, String)> {
    let (mut files, mut table) = (Vec::new(), String::new());
    for (seed, program) in programs {
        let (mut source, exact) = (String::new(), in_order(program));
        let mut copy = |name: &str, own: Option<&str>, number: &str| {
            let text = program.written(marked(program), own);
            let kernel = kernel(program, number);
            writeln!(source, "pub mod {name} {{\nuse crate::*;\n{text}{kernel}}}")
                .expect("writing to a string");
            writeln!(
                table,
                "Program {{ seed: {seed}, numbers: \"{name} {number}\", \
                 exact: {exact}, run: p{seed}::{name}::run }},"
            )
            .expect("writing to a string");
        };
        copy("written_out", Some("f64"), "f64");
        if seed % 3 == 0 && refusal(program, None).is_none() {
            copy("generic", None, "f32");
        }
        files.push((*seed, source));
    }
    sources(HARNESS, files, &table)
}

/// An argument of `f` as a kernel has it.
struct Argument {
    name: &'static str,
    written: bool,
    /// What its buffer holds, and how many of them belong to an index.
    element: String,
    count: usize,
    /// What `f` is passed, and what is done before and after it.
    passed: String,
    before: String,
    after: String,
}

impl Argument {
    fn new(name: &'static str, ty: &str, number: &str) -> Self {
        let written = ty.starts_with("&mut");
        let borrow = if written { "&mut " } else { "&" };
        let (mut before, mut after) = (String::new(), String::new());
        let one = |element: String| (element, 1, format!("{borrow}{name}s[i]"));
        let part = |element: String, count: usize| {
            (element, count, format!("{borrow}{name}s[{count} * i..{count} * i + {count}]"))
        };
        let (element, count, passed) = match name {
            "n" => ("usize".to_string(), 1, "ns[i]".to_string()),
            "b" => (number.to_string(), 1, "bs[i]".to_string()),
            "v" | "w" => part(number.to_string(), 5),
            "q" => one(format!("[{number}; 4]")),
            "m" => part(format!("[{number}; 2]"), 3),
            "g" => one(format!("[[{number}; 3]; 2]")),
            "s" => one(format!("Body<{number}>")),
            // There are no buffers of tuples.
            "p" | "u" => {
                let places: &[&str] = if name == "p" {
                    &["p.0", "p.1"]
                } else {
                    &["u[0].0", "u[0].1", "u[1].0", "u[1].1"]
                };
                let count = places.len();
                let there = |k: usize| format!("{name}s[{count} * i + {k}]");
                let whole = |part: &dyn Fn(usize) -> String| match name {
                    "p" => format!("({}, {})", part(0), part(1)),
                    _ => format!("[({}, {}), ({}, {})]", part(0), part(1), part(2), part(3)),
                };
                if written {
                    let zeros = whole(&|_| "0.0".to_string());
                    let pair = format!("({number}, {number})");
                    let ty = if name == "p" { pair } else { format!("[{pair}; 2]") };
                    for (k, place) in places.iter().enumerate() {
                        after += &format!("swap(&mut {place}, &mut {});\n", there(k));
                    }
                    before = format!("let mut {name}: {ty} = {zeros};\n{after}");
                } else {
                    before = format!("let {name} = {};\n", whole(&there));
                }
                let passed =
                    if ty == "&[(T, T)]" { "&u[..]".into() } else { format!("{borrow}{name}") };
                (number.to_string(), count, passed)
            }
            _ => one(number.to_string()),
        };
        Argument { name, written, element, count, passed, before, after }
    }

    /// As an argument of a launch.
    fn launched(&self, with_shadow: bool) -> String {
        let Argument { name, written, .. } = self;
        let value = format!("{}{name}s", if *written { "&mut " } else { "&" });
        if with_shadow && *name != "n" { format!("{value}, &mut d_{name}s") } else { value }
    }
}

/// A function of an index that calls `f`, and what launches it in all directions.
fn kernel(program: &Program, number: &str) -> String {
    let arguments: Vec<Argument> =
        program.arguments.iter().map(|(name, ty)| Argument::new(name, ty, number)).collect();
    let all =
        |of: &dyn Fn(&Argument) -> String| -> Vec<String> { arguments.iter().map(of).collect() };
    let mut made = String::new();
    let (mut values, mut shadows) = (String::new(), String::new());
    for (i, argument) in arguments.iter().enumerate() {
        let Argument { name, element, count, .. } = argument;
        if *name == "n" {
            made += "let ns = device.upload(&vec![3_usize; points.len()])?;\n";
            continue;
        }
        for (prefix, salt) in [("", i), ("d_", 100 + i)] {
            made += &format!(
                "let mut {prefix}{name}s = \
                 device.upload(&elements::<{element}>(points, {salt}, {count}))?;\n"
            );
        }
        let noted = |name: String| {
            format!("note(&mut outcome, &format!(\"{{what}}, {name}\"), &{name})?;\n")
        };
        values += &noted(format!("{name}s"));
        shadows += &noted(format!("d_{name}s"));
    }
    let mut steps = String::new();
    for (direction, with_shadows, noted) in [
        ("forward", false, values.clone()),
        ("adjoint", true, format!("{values}{shadows}")),
        ("inverse_adjoint", true, format!("{values}{shadows}")),
        ("inverse", false, values.clone()),
        ("forward", false, String::new()),
        ("gradient", true, shadows.clone()),
    ] {
        let launched = all(&|argument| argument.launched(with_shadows)).join(", ");
        steps += &format!(
            "{{\nlet what = {direction:?};\nlaunch().{direction}(({launched},))?;\n{noted}}}\n"
        );
    }
    let read: Vec<String> = arguments
        .iter()
        .filter(|argument| !argument.written && argument.name != "n")
        .map(|argument| format!("\"{}s\"", argument.name))
        .collect();
    let signature = all(&|argument| {
        let Argument { name, written, element, .. } = argument;
        format!("{name}s: {}[{element}]", if *written { "&mut " } else { "&" })
    });
    let before = all(&|argument| argument.before.clone()).concat();
    let after = all(&|argument| argument.after.clone()).concat();
    let passed = all(&|argument| argument.passed.clone()).join(", ");
    format!(
        "#[reversible({WORDS})]\npub fn kernel(i: usize, {}) {{\n{before}f({passed});\n{after}}}\n\
         pub fn run(device: &Device, how: How, points: &[u64]) -> Result<Outcome, Error> {{\n\
         let mut outcome = Outcome::new();\n{made}\
         let launch = || how.with(device.launch(&kernel {{}}, points.len()), &[{}]);\n\
         {steps}Ok(outcome)\n}}\n",
        signature.join(", "),
        read.join(", "),
    )
}
