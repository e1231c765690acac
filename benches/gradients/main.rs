//! What the gradient of a reversible function costs, beside one written by hand
//! and beside tapes.
//!
//! `cargo bench --bench gradients [-- part of a name]`
//!
//! For each program: the time of the function in plain Rust; its adjoint by
//! hand; the generated adjoint as a ratio to that, in time and in instructions;
//! function and adjoint together as a ratio to the function alone, by hand and
//! generated; the time of each tape as a ratio to function and adjoint; and the
//! memory that each takes from the heap. The targets are in [`TARGETS`]; what
//! misses one is marked with `!`.
//!
//! The generated adjoint restores everything that the function changed, also a
//! sum that nobody will look at. The one by hand restores what it needs itself,
//! which the last column names.
//!
//! Times are the minimum of many short runs, taken in turns. Instructions are
//! counted by valgrind, where it is installed: the difference of two runs of
//! this program in which only the number of calls differs.

mod case;
mod heap;
mod program;
mod programs;
mod tapes;

use case::{Case, Run};
use programs::programs;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, thread};

/// What the ratios should keep to.
struct Targets {
    /// The adjoint to that by hand.
    adjoint: f64,
    /// Function and adjoint to the function, unless by hand it is more.
    gradient: f64,
    /// A tape to function and adjoint.
    tape: f64,
}

const TARGETS: Targets = Targets { adjoint: 1.15, gradient: 3.0, tape: 5.0 };

/// How long a timed run should take, how many there are of each, and how long
/// all of them may take.
const RUN: Duration = Duration::from_millis(2);
const RUNS: usize = 100;
const ALL_RUNS: Duration = Duration::from_secs(2);

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (bench, arguments): (Vec<_>, Vec<_>) = arguments.iter().partition(|a| *a == "--bench");
    match arguments.first().map(|argument| argument.as_str()) {
        Some("--only") => run_only(&arguments[1..]),
        // `cargo test --benches` is no measurement.
        _ if bench.is_empty() => programs().iter().for_each(|program| program.compare()),
        filter => print_table(filter.unwrap_or("")),
    }
}

/// Does one thing with one program so many times, for valgrind to count.
fn run_only(arguments: &[&String]) {
    let number = |k: usize| arguments[k].parse::<usize>().expect("a number");
    programs()[number(0)].runner([&Run::PLAIN[..], &Run::TAPES].concat()[number(1)])(number(2));
}

fn print_table(filter: &str) {
    let valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    if !valgrind {
        println!("valgrind is not installed, so instructions are not counted");
    }
    println!(
        "{:<28} {:>11} {:>11}   {:^17}   {:^17}   {:^17}   {:^26}",
        "", "function", "adjoint", "adjoint/by hand", "gradient/function", "tape/gradient", "heap"
    );
    println!(
        "{:<28} {:>11} {:>11}   {:>8} {:>8}   {:>8} {:>8}   {:>8} {:>8}   {:>8} {:>8} {:>8}",
        "",
        "in Rust",
        "by hand",
        "time",
        "instr.",
        "by hand",
        "ours",
        "echidna",
        "aad",
        "ours",
        "echidna",
        "aad"
    );
    for (index, program) in programs().iter().enumerate() {
        if program.name().contains(filter) {
            program.compare();
            print_row(index, &**program, valgrind);
        }
    }
    println!(
        "\n`!` marks what misses a target: {} for adjoint/by hand, {} for gradient/function or \
         what it is by hand, {} for tape/gradient",
        TARGETS.adjoint, TARGETS.gradient, TARGETS.tape
    );
}

fn print_row(index: usize, program: &dyn Case, valgrind: bool) {
    let [function, call, by_hand, adjoint] = time(program, Run::PLAIN);
    let tapes = time(program, Run::TAPES);
    print!("{:<28} {:>11} {:>11}", program.name(), nanoseconds(function), nanoseconds(by_hand));
    print!("   {}", ratio(adjoint / by_hand, TARGETS.adjoint));
    if valgrind {
        let [by_hand, adjoint] = [2, 3].map(|run| instructions(index, run));
        print!(" {}", ratio(adjoint / by_hand, TARGETS.adjoint));
    } else {
        print!(" {:>8}", "");
    }
    let gradient = call + adjoint;
    let gradient_by_hand = (function + by_hand) / function;
    print!("   {gradient_by_hand:>7.2}  ");
    print!("{}  ", ratio(gradient / function, TARGETS.gradient.max(gradient_by_hand * TARGETS.adjoint)));
    for tape in tapes {
        let ratio = tape / gradient;
        print!(" {ratio:>7.1}{}", if ratio < TARGETS.tape { '!' } else { ' ' });
    }
    print!("  ");
    for run in [Run::Adjoint].into_iter().chain(Run::TAPES) {
        print!(" {:>8}", bytes(peak(program, run)));
    }
    println!("   {}", program.by_hand());
}

fn ratio(ratio: f64, most: f64) -> String {
    format!("{ratio:>7.2}{}", if ratio > most { '!' } else { ' ' })
}

fn nanoseconds(time: f64) -> String {
    match time {
        ..1e4 => format!("{time:.1} ns"),
        ..1e7 => format!("{:.1} us", time / 1e3),
        _ => format!("{:.1} ms", time / 1e6),
    }
}

fn bytes(n: usize) -> String {
    match n {
        0 => "0".into(),
        ..10_000 => format!("{n} B"),
        ..10_000_000 => format!("{} kB", n / 1000),
        _ => format!("{} MB", n / 1_000_000),
    }
}

/// Nanoseconds a call: the minimum over runs that take turns, so that what
/// disturbs the machine disturbs all alike.
fn time<const N: usize>(program: &dyn Case, runs: [Run; N]) -> [f64; N] {
    let mut runners = runs.map(|run| (program.runner(run), 1));
    for (runner, calls) in &mut runners {
        while runner(*calls) < RUN {
            *calls *= 2;
        }
    }
    let mut best = [f64::INFINITY; N];
    let start = Instant::now();
    for _ in 0..RUNS {
        for ((runner, calls), best) in runners.iter_mut().zip(&mut best) {
            *best = best.min(runner(*calls).as_secs_f64() / *calls as f64 * 1e9);
        }
        if start.elapsed() > ALL_RUNS {
            break;
        }
    }
    best
}

/// Instructions a call.
fn instructions(program: usize, run: usize) -> f64 {
    let collected = |calls: usize| -> f64 {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(env::current_exe().expect("the path of this program"))
            .arg("--only")
            .args([program, run, calls].map(|number| number.to_string()))
            .output()
            .expect("valgrind starts");
        let report = String::from_utf8_lossy(&output.stderr);
        let total = report.lines().find_map(|line| line.split_once("Collected : "));
        let total = total.unwrap_or_else(|| panic!("valgrind failed:\n{report}")).1;
        total.trim().parse().expect("a number of instructions")
    };
    const CALLS: [usize; 2] = [1, 3];
    (collected(CALLS[1]) - collected(CALLS[0])) / (CALLS[1] - CALLS[0]) as f64
}

/// The most that a call takes from the heap, in bytes. In a thread of its own,
/// since tapes are kept by thread.
fn peak(program: &dyn Case, run: Run) -> usize {
    let peak = || {
        program.runner(run)(1);
        heap::peak()
    };
    thread::scope(|scope| scope.spawn(peak).join().expect("it ran before"))
}
