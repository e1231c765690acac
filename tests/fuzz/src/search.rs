//! Runs inputs, on several threads, and says what went wrong.

use crate::corpus::Program;
use crate::entry::Entry;
use crate::input::{Input, Pool};
use crate::nodes;
use crate::shrink::shrink;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

/// What went wrong, so that two inputs with the same of it are alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// A panic: where, and what it said.
    Panic(String, String),
    /// An answer that is not Rust, and what the parser said of it.
    NotRust(String),
    /// No answer in time.
    Slow,
}

impl Wrong {
    /// Whether this is the same defect.
    pub fn is_like(&self, other: &Wrong) -> bool {
        match (self, other) {
            (Wrong::Panic(a, _), Wrong::Panic(b, _)) => a == b,
            _ => self == other,
        }
    }
}

/// An input on which the compiler went wrong.
#[derive(Clone, Debug)]
pub struct Defect {
    /// The number of the input.
    pub number: u64,
    /// What went wrong.
    pub wrong: Wrong,
    /// The macro.
    pub entry: Entry,
    /// Its argument.
    pub attribute: String,
    /// What it stands on, made small.
    pub item: String,
}

impl Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wrong {
            Wrong::Panic(place, message) => writeln!(f, "panic at {place}: {message}")?,
            Wrong::NotRust(error) => writeln!(f, "the answer is not Rust: {error}")?,
            Wrong::Slow => writeln!(f, "no answer in time")?,
        }
        writeln!(f, "input {}, {:?}({})", self.number, self.entry, self.attribute)?;
        write!(f, "{}", self.item)
    }
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Search {
    /// Another seed gives other inputs.
    pub seed: u64,
    /// The number of the first input.
    pub from: u64,
    /// How many inputs.
    pub inputs: u64,
    /// How many threads.
    pub threads: usize,
    /// How long an answer may take.
    pub limit: Duration,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Report {
    /// The defects, one of each kind.
    pub defects: Vec<Defect>,
    /// How many inputs got Rust for an answer, and no error.
    pub accepted: u64,
    /// How many inputs had an item that is Rust.
    pub parsed: u64,
}

/// What an answer was.
pub struct Answer {
    /// Whether there is no error in it.
    pub accepted: bool,
    /// Whether the item was Rust.
    pub parsed: bool,
}

thread_local! {
    static LAST_PANIC: RefCell<(String, String)> = RefCell::default();
}

/// Keeps panics of this crate's threads to itself, and what they said.
fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let ours = std::thread::current().name().is_some_and(|name| name.starts_with(NAME));
            if !ours {
                return before(info);
            }
            let place = info.location().map_or(String::new(), |place| {
                let file = place.file();
                // The same on every machine.
                let file = file.rsplit_once("/src/").map_or(file, |(_, file)| file);
                format!("{file}:{}:{}", place.line(), place.column())
            });
            let payload = info.payload();
            let text = payload.downcast_ref::<&str>().copied();
            let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            let message = text.unwrap_or("no message").to_string();
            LAST_PANIC.set((place, message));
        }));
    });
}

/// The names of threads say which inputs they have, because Rust prints them when the stack
/// overflows.
const NAME: &str = "inputs from";

/// Gives an input to the compiler.
pub fn run(input: &Input, limit: Duration) -> Result<Answer, Wrong> {
    let start = Instant::now();
    let answer = panic::catch_unwind(AssertUnwindSafe(|| {
        let [attribute, item] = input.tokens();
        let answer = input.entry.call(attribute, item);
        let accepted = !answer.to_string().contains("compile_error");
        (answer, accepted)
    }));
    let took = start.elapsed();
    let Ok((answer, accepted)) = answer else {
        let (place, message) = LAST_PANIC.take();
        return Err(Wrong::Panic(place, message));
    };
    if took > limit {
        return Err(Wrong::Slow);
    }
    let [_, item] = input.tokens();
    let parsed = input.entry.is_rust(&item);
    if parsed && let Err(error) = input.entry.must_parse(&answer) {
        return Err(Wrong::NotRust(error.to_string()));
    }
    Ok(Answer { accepted, parsed })
}

impl Search {
    /// Searches. `progress` is told how many inputs are done, and how many kinds of defects there
    /// are.
    pub fn run(&self, programs: &[Program], progress: impl Fn(u64, usize) + Sync) -> Report {
        listen();
        let found = Mutex::new(BTreeMap::new());
        let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let (accepted, parsed) = (AtomicU64::new(0), AtomicU64::new(0));
        let finished = AtomicBool::new(false);
        // What each thread does now: the number of its input, and when it began.
        let now: Vec<_> = (0..self.threads).map(|_| Mutex::new(None)).collect();
        let batch = |thread: usize, numbers: Range<u64>| {
            let pool = Pool::new(programs);
            for number in numbers {
                let input = pool.input(self.seed, number);
                *now[thread].lock().unwrap() = Some((number, Instant::now()));
                match run(&input, self.limit) {
                    Ok(answer) => {
                        accepted.fetch_add(answer.accepted.into(), SeqCst);
                        parsed.fetch_add(answer.parsed.into(), SeqCst);
                    }
                    Err(wrong) => self.add(&found, number, wrong, &input, &now[thread]),
                }
                *now[thread].lock().unwrap() = None;
                let done = done.fetch_add(1, SeqCst) + 1;
                if done.is_multiple_of(64) || done == self.inputs {
                    progress(done, found.lock().unwrap().len());
                }
            }
        };
        let work = |thread: usize| {
            loop {
                let first = next.fetch_add(BATCH, SeqCst);
                if first >= self.inputs {
                    return;
                }
                let last = (first + BATCH).min(self.inputs);
                let numbers = self.from + first..self.from + last;
                // Tokens are kept by their thread for as long as it lives.
                let name = format!("{NAME} {}", numbers.start);
                let builder = std::thread::Builder::new().name(name).stack_size(STACK);
                std::thread::scope(|scope| {
                    let batch = || batch(thread, numbers);
                    builder.spawn_scoped(scope, batch).expect("a thread can be made");
                });
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| self.watch(&now, &finished));
            std::thread::scope(|scope| {
                for thread in 0..self.threads {
                    let work = &work;
                    scope.spawn(move || work(thread));
                }
            });
            finished.store(true, SeqCst);
        });
        let defects = found.into_inner().unwrap().into_values().collect();
        Report { defects, accepted: accepted.into_inner(), parsed: parsed.into_inner() }
    }

    /// Adds a defect, made small, unless there is one of its kind.
    fn add(
        &self,
        found: &Mutex<BTreeMap<String, Defect>>,
        number: u64,
        wrong: Wrong,
        input: &Input,
        now: &Mutex<Option<(u64, Instant)>>,
    ) {
        let kind = match &wrong {
            Wrong::Panic(place, _) => format!("panic {place}"),
            Wrong::NotRust(error) => format!("not Rust: {error}"),
            Wrong::Slow => "slow".to_string(),
        };
        if found.lock().unwrap().contains_key(&kind) {
            return;
        }
        let small = shrink(input, |smaller| {
            *now.lock().unwrap() = Some((number, Instant::now()));
            run(smaller, self.limit).is_err_and(|other| other.is_like(&wrong))
        });
        let [attribute, item] = [&small.attribute, &small.item].map(|part| nodes::text(part));
        let defect = Defect { number, wrong, entry: input.entry, attribute, item };
        found.lock().unwrap().entry(kind).or_insert(defect);
    }

    /// Ends the process when an input takes so long that it will hardly end.
    fn watch(&self, now: &[Mutex<Option<(u64, Instant)>>], finished: &AtomicBool) {
        while !finished.load(SeqCst) {
            std::thread::sleep(Duration::from_millis(50));
            for running in now {
                if let Some((number, start)) = *running.lock().unwrap()
                    && start.elapsed() > 10 * self.limit
                {
                    eprintln!("input {number} of seed {} does not end", self.seed);
                    std::process::exit(1);
                }
            }
        }
    }
}

/// So many inputs share one thread.
const BATCH: u64 = 500;

/// The stack of a thread, as large as rustc's own.
const STACK: usize = 8 << 20;
