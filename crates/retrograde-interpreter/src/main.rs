//! Judges random programs: `cargo run --release -p retrograde-interpreter -- --help`.

use indicatif::{ProgressBar, ProgressStyle};
use retrograde_interpreter::generator::{Category, program};
use retrograde_interpreter::judge::{Verdict, judge};
use retrograde_interpreter::shrink::shrink;
use retrograde_interpreter::tally::{PASSES, Tally};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

// Syntax trees are made of many small pieces, and most of the time goes to making them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "\
Judges random programs: what the compiler emits, against the programs as they are written.

Usage: retrograde-interpreter [--programs N] [--seed S] [--categories LIST] [--every-pass]
                              [--threads N] [--failures N]

  --programs N       how many programs (1000)
  --seed S           the first program's number (0)
  --categories LIST  what programs are made of, with commas between (all)
  --every-pass       each program with all passes, and with each of them off; not with all of
                     them or, every other program, with one of them off in turn
  --threads N        how many run at a time (all that the machine has)
  --failures N       how many are shown, each as small as it can be made (5)

Categories: reals, generic, long, short, structs, recursion, casts, pure, fused, own-operators,
std-names, running-sums, contractions, aliases, vectors.

Ends with 0 if no program was wrong in silence or unknown, with 1 if one was, with 2 if it
does not understand what it is asked.";

/// What is asked for.
struct Request {
    programs: u64,
    seed: u64,
    categories: Vec<Category>,
    every_pass: bool,
    threads: usize,
    failures: usize,
}

fn request() -> Result<Request, String> {
    let mut request = Request {
        programs: 1000,
        seed: 0,
        categories: Category::ALL.to_vec(),
        every_pass: false,
        threads: std::thread::available_parallelism().map_or(1, Into::into),
        failures: 5,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        if flag == "--help" {
            return Err(String::new());
        }
        if flag == "--every-pass" {
            request.every_pass = true;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("`{flag}` needs a value"))?;
        let number =
            || value.parse::<u64>().map_err(|_| format!("`{value}` is not a number, for `{flag}`"));
        match flag.as_str() {
            "--programs" => request.programs = number()?,
            "--seed" => request.seed = number()?,
            "--threads" => request.threads = number()?.max(1) as usize,
            "--failures" => request.failures = number()? as usize,
            "--categories" => request.categories = categories(&value)?,
            _ => return Err(format!("`{flag}` is not known")),
        }
    }
    Ok(request)
}

fn categories(list: &str) -> Result<Vec<Category>, String> {
    let mut chosen = Vec::new();
    for name in list.split(',').filter(|name| !name.is_empty()) {
        match name {
            "all" => chosen.extend(Category::ALL),
            name => {
                chosen.push(Category::named(name).ok_or_else(|| format!("no category `{name}`"))?)
            }
        }
    }
    Ok(chosen)
}

fn main() -> ExitCode {
    let request = match request() {
        Ok(request) => request,
        Err(told) if told.is_empty() => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(told) => {
            eprintln!("{told}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {per_sec} {eta} {msg}")
        .expect("a template");
    let bar = ProgressBar::new(request.programs).with_style(style);
    let (next, tally, shown) = (AtomicU64::new(0), Mutex::new(Tally::default()), Mutex::new(0));
    std::thread::scope(|scope| {
        for _ in 0..request.threads {
            // Programs may nest deeply, and so does whoever runs them.
            let run = || work(&request, &next, &tally, &shown, &bar);
            std::thread::Builder::new()
                .stack_size(256 << 20)
                .spawn_scoped(scope, run)
                .expect("a thread");
        }
    });
    bar.finish();
    let tally = tally.into_inner().expect("no thread has panicked");
    println!("{tally}");
    if tally.failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn work(
    request: &Request,
    next: &AtomicU64,
    tally: &Mutex<Tally>,
    shown: &Mutex<usize>,
    bar: &ProgressBar,
) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= request.programs {
            return;
        }
        let seed = request.seed + number;
        let case = program(seed, &request.categories);
        let turns: Vec<Vec<&str>> = match request.every_pass {
            true => std::iter::once(vec![]).chain(PASSES.iter().map(|pass| vec![*pass])).collect(),
            false if seed.is_multiple_of(2) => vec![vec![]],
            false => vec![vec![PASSES[seed as usize / 2 % PASSES.len()]]],
        };
        for (turn, off) in turns.iter().enumerate() {
            let verdict = judge(&case, off);
            let mut tally = tally.lock().expect("no thread has panicked");
            tally.count(&verdict, turn == 0, &case.about);
            drop(tally);
            if matches!(verdict, Verdict::Wrong(_) | Verdict::Unknown(_)) {
                let mut shown = shown.lock().expect("no thread has panicked");
                if *shown < request.failures {
                    *shown += 1;
                    let (small, told) = shrink(&case, off, &verdict);
                    bar.suspend(|| {
                        println!("program {seed} without {off:?}: {told:?}\n{}", small.source);
                        for argument in &small.arguments {
                            println!("    {argument}");
                        }
                        println!();
                    });
                }
                break;
            }
        }
        // Otherwise the text of every program would be kept.
        proc_macro2::extra::invalidate_current_thread_spans();
        bar.inc(1);
    }
}
