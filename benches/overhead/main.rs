//! What a reversible function costs beside the same function in plain Rust.
//!
//! `cargo bench --bench overhead [-- part of a name]`
//!
//! For each program and direction: the time and the instructions by hand, the
//! ratios to them with checks and with `#[unchecked]`, and the heap allocations
//! of a call. The targets are in [`TARGETS`]; a ratio above is marked with `!`.
//!
//! Times are the minimum of many short runs, taken in turns. Instructions are
//! counted by valgrind, where it is installed: the difference of two runs of
//! this program in which only the number of calls differs.

mod by_hand;
mod cases;

/// The programs are those of the examples; see `build.rs`.
macro_rules! examples {
    ($folder:ident: $($name:ident)+) => {
        #[allow(dead_code)]
        mod $folder {
            $(pub mod $name {
                include!(concat!(
                    env!("OUT_DIR"), "/", stringify!($folder), "/", stringify!($name), ".rs"
                ));
            })+
        }
    };
}

examples!(checked: affine complex_log fft fibonacci leapfrog sparse);
examples!(unchecked: affine complex_log fft fibonacci leapfrog sparse);

use cases::{CASES, Case, Direction, Version};
use std::alloc::{GlobalAlloc, Layout, System};
use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The ratio that each version should keep to, in the order of [`Case::versions`].
const TARGETS: [f64; 3] = [1.0, 1.3, 1.05];

/// How long a timed run should take, and how many there are of each.
const RUN: Duration = Duration::from_millis(2);
const RUNS: usize = 100;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (bench, arguments): (Vec<_>, Vec<_>) = arguments.iter().partition(|a| *a == "--bench");
    match arguments.first().map(|argument| argument.as_str()) {
        Some("--only") => run_only(&arguments[1..]),
        // `cargo test --benches` is no measurement.
        _ if bench.is_empty() => CASES.iter().for_each(compare),
        filter => print_table(filter.unwrap_or("")),
    }
}

/// Runs one version in one direction so many times, for valgrind to count.
fn run_only(arguments: &[&String]) {
    let number = |k: usize| arguments[k].parse::<usize>().expect("a number");
    let direction = if number(2) == 0 { Direction::Forward } else { Direction::Inverse };
    (CASES[number(0)].versions[number(1)])()(direction, number(3));
}

fn print_table(filter: &str) {
    let valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    if !valgrind {
        println!("valgrind is not installed, so instructions are not counted");
    }
    let columns = format!("{:>14} {:>9} {:>9} ", "by hand", "checked", "unchecked");
    let instructions_columns = if valgrind { &columns } else { "" };
    println!("{:39}{columns}{instructions_columns} allocations", "");
    for (index, case) in CASES.iter().enumerate().filter(|(_, case)| case.name.contains(filter)) {
        compare(case);
        let times = time(case);
        for (k, direction) in [Direction::Forward, Direction::Inverse].into_iter().enumerate() {
            let times = times.map(|directions| directions[k]);
            print!("{:<30} {:<8}", if k == 0 { case.name } else { "" }, name(direction));
            print!("{:>14}{}", format!("{:.1} ns", times[0]), ratios(times));
            if valgrind {
                let counts = [0, 1, 2].map(|version| instructions(index, version, k));
                print!("{:>14}{}", format!("{:.0} instr.", counts[0]), ratios(counts));
            }
            let allocations = case.versions.map(|start| allocations(start(), direction));
            println!(" {}, {}", allocations[1], allocations[2]);
        }
    }
    println!(
        "\nchecked and unchecked as ratios to the version by hand; `!` marks those above the \
         targets, {} and {}",
        TARGETS[1], TARGETS[2]
    );
}

/// The versions must compute the same.
fn compare(case: &Case) {
    let mut versions = case.versions.map(|start| start());
    for direction in [Direction::Forward, Direction::Inverse] {
        let results = versions.each_mut().map(|version| version(direction, 1));
        let near = results.iter().all(|r| (r - results[0]).abs() <= 1e-9 * (1.0 + r.abs()));
        assert!(near, "{}, {}: {results:?}", case.name, name(direction));
    }
}

fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::Forward => "forward",
        Direction::Inverse => "inverse",
    }
}

/// Two columns: what the versions cost in units of the one by hand.
fn ratios(costs: [f64; 3]) -> String {
    let column = |k: usize| {
        let ratio = costs[k] / costs[0];
        format!(" {ratio:>8.3}{}", if ratio > TARGETS[k] { '!' } else { ' ' })
    };
    column(1) + &column(2)
}

/// Nanoseconds a call: the minimum over runs that take turns, so that what
/// disturbs the machine disturbs all alike.
fn time(case: &Case) -> [[f64; 2]; 3] {
    let mut versions = case.versions.map(|start| start());
    let mut calls = 1;
    while measure(&mut versions[0], Direction::Forward, calls) < RUN.as_secs_f64() {
        calls *= 2;
    }
    let mut best = [[f64::INFINITY; 2]; 3];
    for _ in 0..RUNS {
        for (version, best) in versions.iter_mut().zip(&mut best) {
            for (direction, best) in [Direction::Forward, Direction::Inverse].into_iter().zip(best)
            {
                *best = best.min(measure(version, direction, calls) / calls as f64 * 1e9);
            }
        }
    }
    best
}

/// Seconds for so many calls.
fn measure(version: &mut Version, direction: Direction, calls: usize) -> f64 {
    let start = Instant::now();
    version(direction, calls);
    start.elapsed().as_secs_f64()
}

/// Instructions a call.
fn instructions(case: usize, version: usize, direction: usize) -> f64 {
    let collected = |calls: usize| -> f64 {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(env::current_exe().expect("the path of this program"))
            .arg("--only")
            .args([case, version, direction, calls].map(|number| number.to_string()))
            .output()
            .expect("valgrind starts");
        let report = String::from_utf8_lossy(&output.stderr);
        let total = report.lines().find_map(|line| line.split_once("Collected : "));
        let total = total.unwrap_or_else(|| panic!("valgrind failed:\n{report}")).1;
        total.trim().parse().expect("a number of instructions")
    };
    const CALLS: [usize; 2] = [2, 12];
    (collected(CALLS[1]) - collected(CALLS[0])) / (CALLS[1] - CALLS[0]) as f64
}

/// Heap allocations of a call.
fn allocations(mut version: Version, direction: Direction) -> usize {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    version(direction, 1);
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with a counter.
struct Counting;

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
