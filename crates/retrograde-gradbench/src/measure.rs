//! How often a function is run, and how long that takes.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use std::time::{Duration, Instant};

/// A part of the work, and how long it took.
#[derive(Clone, Debug, Serialize)]
pub struct Timing {
    /// `prepare` or `evaluate`.
    pub name: &'static str,
    /// How long it took.
    pub nanoseconds: u128,
}

/// What came out, and how long each run took.
pub struct Measured {
    /// As JSON.
    pub output: Box<RawValue>,
    /// One for the preparation, and one for each run.
    pub timings: Vec<Timing>,
}

/// How often an input asks for its function to be run: so many times at least, and
/// until all runs together have taken so long.
#[derive(Deserialize)]
struct Runs {
    #[serde(default)]
    min_runs: u32,
    #[serde(default)]
    min_seconds: f64,
}

/// Reads an input. A list is none: without names, nobody can tell what it means.
pub fn read<I: DeserializeOwned>(input: &RawValue) -> Result<I, String> {
    if input.get().starts_with('[') {
        return Err("the input is a list".into());
    }
    serde_json::from_str(input.get()).map_err(|error| format!("the input is not right: {error}"))
}

/// Runs a function as often as its input asks for, on what `prepare` makes once,
/// and shows a part of it at the end.
pub fn measure<S, O: Serialize>(
    input: &RawValue,
    prepare: impl FnOnce() -> Result<S, String>,
    mut run: impl FnMut(&mut S),
    output: impl FnOnce(&S) -> O,
) -> Result<Measured, String> {
    // A plain number asks for one run.
    let once = Runs { min_runs: 1, min_seconds: 0.0 };
    let Runs { min_runs, min_seconds } =
        if input.get().starts_with('{') { read(input)? } else { once };
    let (state, taken) = timed(prepare);
    let mut state = state?;
    let mut timings = vec![Timing { name: "prepare", nanoseconds: taken.as_nanos() }];
    let mut total = Duration::ZERO;
    let mut runs = 0;
    while runs < min_runs.max(1) || total.as_secs_f64() < min_seconds {
        let ((), taken) = timed(|| run(&mut state));
        timings.push(Timing { name: "evaluate", nanoseconds: taken.as_nanos() });
        total += taken;
        runs += 1;
    }
    let output = to_raw_value(&output(&state)).map_err(|error| error.to_string())?;
    Ok(Measured { output, timings })
}

fn timed<R>(f: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = f();
    (result, start.elapsed())
}
