//! Where numbers were measured.

use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, thread};

/// A machine, as far as numbers depend on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The name of its processor.
    pub processor: String,
    /// How many threads it runs at once.
    pub threads: usize,
    /// The operating system.
    pub system: String,
    /// The compiler that this program was made by.
    pub compiler: String,
}

impl Machine {
    /// The one that this runs on.
    pub fn this() -> Self {
        Machine {
            processor: processor().unwrap_or_else(|| env::consts::ARCH.into()),
            threads: thread::available_parallelism().map_or(1, usize::from),
            system: env::consts::OS.into(),
            compiler: env!("COMPILER").into(),
        }
    }

    /// In a line.
    pub fn line(&self) -> String {
        let Machine { processor, threads, system, compiler } = self;
        format!("{processor}, {threads} threads, {system}, {compiler}")
    }
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().into())
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// A time as a date.
pub fn date(seconds: u64) -> String {
    let time = UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    humantime::format_rfc3339_seconds(time).to_string().replace('T', " ").replace('Z', " UTC")
}
