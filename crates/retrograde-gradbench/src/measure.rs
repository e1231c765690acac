//! How often a function is run, and how long that takes.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use std::time::{Duration, Instant};

/// How long everything took, in nanoseconds.
#[derive(Clone, Debug)]
pub struct Timings {
    /// The preparation.
    pub prepare: u64,
    /// Each run.
    pub evaluate: Vec<u64>,
}

/// As a list of what was done, and how long it took.
impl Serialize for Timings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Timing {
            name: &'static str,
            nanoseconds: u64,
        }
        let prepare = Timing { name: "prepare", nanoseconds: self.prepare };
        let evaluate =
            self.evaluate.iter().map(|&nanoseconds| Timing { name: "evaluate", nanoseconds });
        serializer.collect_seq([prepare].into_iter().chain(evaluate))
    }
}

/// What came out, and how long each run took.
pub struct Measured {
    /// As JSON.
    pub output: Box<RawValue>,
    /// Of the preparation and of each run.
    pub timings: Timings,
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

/// Runs a function as often as its input asks for, on what `prepare` makes of it once,
/// and shows a part of it at the end.
pub fn measure<S, O: Serialize>(
    input: Box<RawValue>,
    prepare: impl FnOnce(&RawValue) -> Result<S, String>,
    mut run: impl FnMut(&mut S),
    output: impl FnOnce(&S) -> O,
) -> Result<Measured, String> {
    // A plain number asks for one run.
    let once = Runs { min_runs: 1, min_seconds: 0.0 };
    let Runs { min_runs, min_seconds } =
        if input.get().starts_with('{') { read(&input)? } else { once };
    let (state, taken) = timed(|| prepare(&input));
    let mut state = state?;
    // The text may be large, and is not needed any more.
    drop(input);
    let mut timings = Timings { prepare: nanoseconds(taken), evaluate: Vec::new() };
    let mut total = Duration::ZERO;
    let mut runs = 0;
    while runs < min_runs.max(1) || total.as_secs_f64() < min_seconds {
        let ((), taken) = timed(|| run(&mut state));
        timings.evaluate.push(nanoseconds(taken));
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

/// Of half a thousand years at most.
fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
