//! How far it is, on standard error.

use crate::report::{ABSENT, Cell, Measured, milliseconds, word};
use crate::tools::{Failure, Tool};
use std::io::{IsTerminal, stderr};
use std::time::Instant;

const WIDTH: usize = 24;

pub struct Progress {
    all: usize,
    done: usize,
    start: Instant,
    terminal: bool,
}

impl Progress {
    pub fn new(all: usize) -> Self {
        Progress { all, done: 0, start: Instant::now(), terminal: stderr().is_terminal() }
    }

    /// What happens now, on a line that the next one replaces.
    pub fn now(&self, what: &str) {
        if !self.terminal {
            return;
        }
        let full = WIDTH * self.done / self.all;
        let bar = "█".repeat(full) + &"░".repeat(WIDTH - full);
        eprint!("\r\x1b[2K{bar} {}/{} {what}", self.done, self.all);
    }

    /// What has been measured.
    pub fn done(&mut self, name: &str, tools: &[Tool], cells: &[Cell]) {
        self.done += 1;
        if self.terminal {
            eprint!("\r\x1b[2K");
        }
        let passed = self.start.elapsed().as_secs();
        let left = passed * (self.all - self.done) as u64 / self.done as u64;
        eprintln!("[{}/{}] {name}: {passed} s, about {left} s left", self.done, self.all);
        for (tool, cell) in tools.iter().zip(cells) {
            let shown: Vec<_> =
                [&cell.objective, &cell.gradient].map(shown).into_iter().flatten().collect();
            if shown.iter().any(|text| text != ABSENT) {
                eprintln!("    {:14}{}", tool.name, shown.join(", "));
            }
        }
    }
}

fn shown(outcome: &Option<Result<Measured, Failure>>) -> Option<String> {
    Some(match outcome.as_ref()? {
        Ok(found) => {
            let error = found.error;
            format!("{} ms (error {error:.0e})", milliseconds(found.nanoseconds))
        }
        Err(failure) => word(failure).into(),
    })
}
