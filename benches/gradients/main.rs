//! What the gradient of a reversible function costs, beside one written by hand
//! and beside tapes.
//!
//! `cargo bench --bench gradients [-- part of a name]`
//!
//! For each program:
//! - the time of the function and of its adjoint in plain Rust, by hand;
//! - the generated adjoint as a ratio to that by hand, in time and in instructions;
//! - the same for the generated gradient alone, [`Adjoint::call_gradient`], which
//!   need not restore the values;
//! - the function and its gradient together as a ratio to the function;
//! - each tape as a ratio to function and gradient together;
//! - the most that each takes from the heap.
//!
//! The targets are in [`TARGETS`]; what misses one is marked with `!`. What is written
//! by hand restores what the last column names.
//!
//! [`Adjoint::call_gradient`]: retrograde::Adjoint::call_gradient
//!
//! Times are the minimum of many short runs, taken in turns. Instructions are
//! counted by valgrind, where it is installed: the difference of two runs of
//! this program in which only the number of calls differs.

use retrograde_reproduce::measure::heap;
use retrograde_reproduce::programs::case::{Case, Run};
use retrograde_reproduce::programs::{PROGRAMS, SMALL_PROGRAMS};
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
        _ if bench.is_empty() => SMALL_PROGRAMS.iter().for_each(|start| start().compare()),
        filter => print_table(filter.unwrap_or("")),
    }
}

/// Does one thing with one program so many times, for valgrind to count.
fn run_only(arguments: &[&String]) {
    let number = |k: usize| arguments[k].parse::<usize>().expect("a number");
    PROGRAMS[number(0)]().runner([&Run::PLAIN[..], &Run::TAPES].concat()[number(1)])(number(2));
}

/// The columns, in groups.
const COLUMNS: [(&str, &[&str]); 6] = [
    ("in plain Rust", &["function", "adjoint"]),
    ("adjoint/by hand", &["time", "instr."]),
    ("gradient/by hand", &["time", "instr."]),
    ("both/function", &["by hand", "ours"]),
    ("tape/both", &["aad", "reverse"]),
    ("heap", &["ours", "aad", "reverse"]),
];

fn print_table(filter: &str) {
    let valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    if !valgrind {
        println!("valgrind is not installed, so instructions are not counted");
    }
    print!("{:30}", "");
    COLUMNS.iter().for_each(|(group, names)| print!("  {group:^0$}", 10 * names.len()));
    print!("\n{:30}", "");
    for (_, names) in COLUMNS {
        print!("  ");
        names.iter().for_each(|name| print!("{name:>9} "));
    }
    println!();
    for (index, start) in PROGRAMS.iter().enumerate() {
        let program = start();
        if program.name().contains(filter) {
            program.compare();
            print_row(index, &*program, valgrind);
        }
    }
    println!(
        "\n`!` marks what misses a target: {} for what is by hand as well, {} for both/function or \
         what it is by hand, {} for tape/both",
        TARGETS.adjoint, TARGETS.gradient, TARGETS.tape
    );
}

fn print_row(index: usize, program: &dyn Case, valgrind: bool) {
    let [function, call, adjoint_by_hand, gradient_by_hand, adjoint, gradient] =
        time(program, Run::PLAIN);
    let tapes = time(program, Run::TAPES);
    print!("{:<30}  {} {} ", program.name(), duration(function), duration(adjoint_by_hand));
    let count = |run| if valgrind { instructions(index, run) } else { f64::NAN };
    let counts = [2, 3, 4, 5].map(count);
    for (time, count) in [
        (adjoint / adjoint_by_hand, counts[2] / counts[0]),
        (gradient / gradient_by_hand, counts[3] / counts[1]),
    ] {
        print!("  {}", at_most(time, TARGETS.adjoint));
        print!("{}", at_most(count, TARGETS.adjoint));
    }
    let both = call + adjoint.min(gradient);
    let both_by_hand = (function + gradient_by_hand) / function;
    let most = TARGETS.gradient.max(both_by_hand * TARGETS.adjoint);
    print!("  {both_by_hand:>9.2} {}  ", at_most(both / function, most));
    for tape in tapes {
        let ratio = tape / both;
        print!("{ratio:>9.1}{}", if ratio < TARGETS.tape { '!' } else { ' ' });
    }
    print!("  ");
    for run in [Run::Adjoint].into_iter().chain(Run::TAPES) {
        print!("{:>9} ", bytes(peak(program, run)));
    }
    println!("  {}", program.by_hand());
}

fn at_most(ratio: f64, most: f64) -> String {
    format!("{ratio:>9.2}{}", if ratio > most { '!' } else { ' ' })
}

/// Of nanoseconds.
fn duration(time: f64) -> String {
    let text = match time {
        ..1e4 => format!("{time:.0} ns"),
        ..1e7 => format!("{:.0} us", time / 1e3),
        _ => format!("{:.0} ms", time / 1e6),
    };
    format!("{text:>9}")
}

fn bytes(n: usize) -> String {
    match n {
        0 => "0".into(),
        1..10_000 => format!("{n} B"),
        10_000..10_000_000 => format!("{} kB", n / 1000),
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
        let mut runner = program.runner(run);
        heap(|| runner(1)).peak as usize
    };
    thread::scope(|scope| scope.spawn(peak).join().expect("it ran before"))
}
