//! What an experiment is.

use crate::findings::Findings;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Something that the paper did, to be done again.
pub struct Experiment {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it is called in the report.
    pub title: &'static str,
    /// Where the paper has it.
    pub paper: &'static str,
    /// What it is about, for someone who has not read the paper.
    pub about: &'static str,
    /// Does it.
    pub run: fn(&Context) -> Findings,
}

/// How much time there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effort {
    /// All experiments together take less than a minute: fewer sizes, shorter times.
    Quick,
    /// The paper's sizes.
    Full,
}

impl Effort {
    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Quick => "quick",
            Effort::Full => "full",
        }
    }
}

/// What an experiment is given: how much time there is, and whom to tell how far it is.
pub struct Context {
    effort: Effort,
    progress: ProgressBar,
}

impl Context {
    /// For an experiment whose progress is shown by `progress`.
    pub(crate) fn new(effort: Effort, progress: ProgressBar) -> Self {
        Context { effort, progress }
    }

    /// For an experiment that nobody watches.
    pub fn unseen(effort: Effort) -> Self {
        Context::new(effort, ProgressBar::hidden())
    }

    /// Whether there is time for the paper's sizes.
    pub fn full(&self) -> bool {
        self.effort == Effort::Full
    }

    /// One thing when time is short, another when it is not.
    pub fn pick<T>(&self, quick: T, full: T) -> T {
        if self.full() { full } else { quick }
    }

    /// How long one thing should be measured.
    pub fn budget(&self) -> Duration {
        Duration::from_millis(self.pick(40, 400))
    }

    /// So many steps are ahead.
    pub fn ahead(&self, steps: usize) {
        self.progress.inc_length(steps as u64);
    }

    /// A step is done, and this one is next.
    pub fn next(&self, what: &str) {
        self.progress.set_message(what.to_string());
        self.progress.inc(1);
    }
}
