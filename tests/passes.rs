//! What each pass of the optimiser is good for: the instructions of a gradient
//! with all passes, and without that one.

mod building;

use building::{cargo, package, text};
use std::collections::BTreeMap;
use std::process::Command;
use std::time::Instant;

/// A pass, a function that needs it, and how much of the instructions are left
/// with it, at most; of those in [`WAITING`], of the time.
const PASSES: [(&str, &str, f64); 12] = [
    (
        "uncomputing",
        "fn NAME(y: &mut f64, x: &[f64]) {
            let n = x.len();
            #[compute]
            {
                let mut sums = vec![0.0; n];
                for i in 1..n {
                    sums[i] += x[i].ln() + 0.5 * sums[i - 1];
                }
            }
            *y += sums[n - 1];
        }",
        0.7,
    ),
    (
        "zeros",
        "fn NAME(y: &mut f64, x: &[f64]) {
            #[compute]
            {
                let mut roots = vec![0.0; x.len()];
                for (root, v) in roots.iter_mut().zip(x) {
                    *root += (*v * *v + 1.0).sqrt();
                }
            }
            for root in roots.iter() {
                *y += *root * *root;
            }
        }",
        0.9,
    ),
    (
        "sharing",
        "fn NAME(y: &mut f64, x: &[f64]) {
            for v in x {
                *y += opaque(*v) * *v;
            }
        }",
        0.97,
    ),
    (
        "reuse",
        "fn NAME(y: &mut f64, x: &[f64]) {
            let n = x.len() / 100;
            for v in x {
                #[compute]
                {
                    let mut powers = vec![1.0; n];
                    for (i, power) in powers.iter_mut().enumerate() {
                        *power += *v * (i as f64);
                    }
                }
                for power in powers.iter() {
                    *y += *power * *power;
                }
            }
        }",
        0.95,
    ),
    (
        "sums",
        "fn NAME(y: &mut f64, x: &[f64]) {
            for v in x {
                let a = *v + 1.0;
                let b = a * a;
                let c = b * a;
                *y += c * b;
            }
        }",
        0.98,
    ),
    (
        "fusion",
        "fn NAME(y: &mut f64, x: &[f64]) {
            if x.len() > 900 {
                let mut rest = 0.0;
                #[compute]
                {
                    NAME(&mut rest, &x[1..]);
                }
                *y += x[0] * rest;
            } else {
                *y += x[0];
            }
        }",
        0.2,
    ),
    (
        "invariants",
        "fn NAME(y: &mut f64, x: &[f64]) {
            let n = x.len() / 10;
            for part in x.chunks_exact(n) {
                #[compute]
                {
                    let mut halves = vec![0.0; n];
                    let mut squares = vec![0.0; n / 10];
                    for (half, v) in halves.iter_mut().zip(part) {
                        *half += 0.5 * *v;
                    }
                    for (square, group) in squares.iter_mut().zip(halves.chunks_exact(10)) {
                        for half in group {
                            *square += *half * *half;
                        }
                    }
                }
                for square in squares.iter() {
                    *y += *square * *square;
                }
            }
        }",
        0.98,
    ),
    (
        "lanes",
        "fn NAME(y: &mut f64, x: &[f64]) {
            #[compute]
            {
                let mut squares = 0.0;
                for v in x {
                    squares += *v * *v;
                }
            }
            *y += squares.sqrt();
        }",
        0.8,
    ),
    // Beside what is long, too, in a loop that does more than to sum up.
    (
        "lanes",
        "fn NAME(y: &mut f64, x: &[f64]) {
            let top = x[0] + x[1];
            for v in x {
                *y += (*v - top).fast_exp();
            }
        }",
        0.7,
    ),
    (
        "scatter",
        "fn NAME(y: &mut f64, x: &[f64]) {
            for i in 1..x.len() - 1 {
                *y += x[i - 1] - 2.0 * x[i] + x[i + 1];
            }
        }",
        0.85,
    ),
    (
        "windows",
        "fn NAME(y: &mut f64, x: &[f64]) {
            let n = x.len();
            #[compute]
            {
                let mut sums = vec![0.0; n];
                for i in 4..n {
                    sums[i] += x[i] * sums[i - 4] * sums[i - 1];
                    sums[i] -= sums[i - 2] * sums[i - 3] * sums[i - 4];
                    sums[i] += x[i] * sums[i - 1] * sums[i - 3];
                }
            }
            *y += sums[n - 1];
        }",
        0.9,
    ),
    (
        "bounds",
        "fn NAME(y: &mut f64, x: &[f64]) {
            let n = x.len();
            for i in 2..n - 2 {
                *y += x[i] * x[i];
            }
        }",
        0.75,
    ),
];

/// Passes that save no instructions, but time: instructions need not wait as long.
const WAITING: [&str; 1] = ["windows"];

/// Runs one of the functions as often as it is told to.
const HARNESS: &str = r#"
#![allow(warnings)]
use retrograde::prelude::*;

/// What the compiler does not look into.
#[differentiable(derivative = slope)]
fn opaque(x: f64) -> f64 {
    std::hint::black_box(x) / (1.0 + x * x)
}

fn slope(x: f64) -> f64 {
    (1.0 - x * x) / ((1.0 + x * x) * (1.0 + x * x))
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let calls: usize = arguments[2].parse().unwrap();
    let x: Vec<f64> = (0..1000).map(|i| 0.5 + (i as f64) / 1000.0).collect();
    // Of a length that is not known before.
    let x = std::hint::black_box(x);
    let mut d_x = std::hint::black_box(vec![0.0; 1000]);
    for _ in 0..calls {
        let (mut y, mut d_y) = (0.0, 1.0);
        run(&arguments[1], &mut y, &mut d_y, &x, &mut d_x);
    }
    println!("{}", d_x.iter().sum::<f64>());
}
"#;

#[test]
fn every_pass_saves_instructions() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("valgrind is not installed: nothing is counted");
        return;
    }
    let mut program = HARNESS.to_string();
    let mut arms = String::new();
    for (i, (pass, source, _)) in PASSES.into_iter().enumerate() {
        for (name, attribute) in [
            (format!("with_{pass}_{i}"), "#[reversible]".to_string()),
            (format!("without_{pass}_{i}"), format!("#[reversible(without({pass}))]")),
        ] {
            program += &format!("{attribute}\n{}\n", source.replace("NAME", &name));
            arms += &format!("{name:?} => {name} {{}}.call_adjoint((y, d_y, x, d_x)),\n");
        }
    }
    program += &format!(
        "fn run(name: &str, y: &mut f64, d_y: &mut f64, x: &[f64], d_x: &mut [f64]) {{\n\
         match name {{ {arms} _ => unreachable!() }} }}"
    );
    let folder = package("passes", &[], &[("main.rs".to_string(), program)]);
    let output = cargo(&folder, &["build", "--release"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let executable = folder.with_file_name("target/release/passes");
    let collected = |name: &str, calls: usize| -> f64 {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(&executable)
            .args([name, &calls.to_string()])
            .output()
            .expect("valgrind starts");
        let report = text(&output.stderr);
        let total = report.lines().find_map(|line| line.split_once("Collected : "));
        let total = total.unwrap_or_else(|| panic!("valgrind failed:\n{report}")).1;
        total.trim().parse().expect("a number of instructions")
    };
    let timed = |name: &str| -> f64 {
        let start = Instant::now();
        let output = Command::new(&executable).args([name, "2000"]).output();
        assert!(output.expect("it starts").status.success());
        start.elapsed().as_secs_f64()
    };
    let mut failed = BTreeMap::new();
    for (i, (pass, _, limit)) in PASSES.into_iter().enumerate() {
        let names = ["with", "without"].map(|word| format!("{word}_{pass}_{i}"));
        let [with, without] = if WAITING.contains(&pass) {
            // The best of many in turns: what disturbs one disturbs the other.
            let mut best = [f64::INFINITY; 2];
            for _ in 0..15 {
                best.iter_mut().zip(&names).for_each(|(best, name)| *best = best.min(timed(name)));
            }
            best
        } else {
            names.each_ref().map(|name| (collected(name, 12) - collected(name, 2)) / 10.0)
        };
        let unit = if WAITING.contains(&pass) { "seconds" } else { "instructions" };
        println!("{pass}: {without} {unit} without, {with} with: {:.2}", with / without);
        if with > limit * without {
            failed.insert(pass, with / without);
        }
    }
    assert!(failed.is_empty(), "saved too little: {failed:?}");
}
