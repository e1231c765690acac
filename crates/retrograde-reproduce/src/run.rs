//! Running experiments, one after the other.

use crate::experiment::{Context, Effort, Experiment};
use crate::experiments;
use crate::findings::Findings;
use crate::machine::{self, Machine};
use crate::report;
use crate::store::{self, Kept, Run, Store};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which experiments; all, if none is named.
    pub names: Vec<String>,
    /// How much time there is.
    pub effort: Effort,
    /// Where the report goes.
    pub folder: PathBuf,
}

/// Why there is no report.
#[derive(Debug)]
pub enum Failure {
    /// There is no experiment of that name.
    NoSuchExperiment(String),
    /// The folder of the report cannot be used.
    Folder(PathBuf, io::Error),
    /// What was found cannot be shown.
    Output(io::Error),
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoSuchExperiment(name) => {
                let names: Vec<&str> = experiments::ALL.iter().map(|one| one.name).collect();
                write!(f, "there is no experiment `{name}`; there are: {}", names.join(", "))
            }
            Failure::Folder(folder, error) => {
                write!(f, "the report cannot be written to {}: {error}", folder.display())
            }
            Failure::Output(error) => write!(f, "what was found cannot be printed: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

/// Runs experiments, prints what they find to `output`, and writes the report; gives where
/// that is.
///
/// What a run that was broken off has finished is not done again, if this is the same
/// program with the same effort.
pub fn reproduce(options: &Options, output: &mut dyn Write) -> Result<PathBuf, Failure> {
    let chosen = choose(&options.names)?;
    let failed = |error| Failure::Folder(options.folder.clone(), error);
    let store = Store::open(&options.folder).map_err(failed)?;
    let names = chosen.iter().map(|experiment| experiment.name.to_string()).collect();
    let mut run = begin(&store, options.effort, names).map_err(failed)?;
    let say = |output: &mut dyn Write, text: &str| {
        output.write_all(text.as_bytes()).map_err(Failure::Output)
    };
    say(output, &format!("{}\n", run.machine.line()))?;
    for (k, experiment) in chosen.iter().enumerate() {
        let place = format!("{}/{}", k + 1, chosen.len());
        let kept = match store.result(experiment.name) {
            Some(kept) => kept,
            None => {
                let kept = perform(experiment, options.effort, &place);
                store.set_result(experiment.name, &kept).map_err(failed)?;
                kept
            }
        };
        say(output, &report::text(experiment, &kept))?;
    }
    let results: Vec<(&Experiment, Kept)> = experiments::ALL
        .iter()
        .filter_map(|experiment| Some((experiment, store.result(experiment.name)?)))
        .collect();
    run.finished = true;
    store.set_run(&run).map_err(failed)?;
    report::write(&store, &run, &results).map_err(failed)?;
    let page = store.path("index.html");
    say(output, &report::summary(&results, &absolute(&page)))?;
    Ok(page)
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.into())
}

fn choose(names: &[String]) -> Result<Vec<&'static Experiment>, Failure> {
    if names.is_empty() {
        return Ok(experiments::ALL.iter().collect());
    }
    let find = |name: &String| {
        let found = experiments::ALL.iter().find(|experiment| experiment.name == name);
        found.ok_or_else(|| Failure::NoSuchExperiment(name.clone()))
    };
    names.iter().map(find).collect()
}

/// Goes on with the run whose results are there, or begins a new one. The results of other
/// experiments stay, if the same program has found them with the same effort.
fn begin(store: &Store, effort: Effort, names: Vec<String>) -> io::Result<Run> {
    let fresh = Run {
        names,
        effort,
        machine: Machine::this(),
        started: machine::now(),
        program: store::program(),
        finished: false,
    };
    let alike = |old: &Run| {
        (old.effort, old.program, &old.machine) == (fresh.effort, fresh.program, &fresh.machine)
    };
    match store.run().filter(alike) {
        Some(old) if !old.finished && old.names == fresh.names => return Ok(old),
        Some(_) => fresh.names.iter().try_for_each(|name| store.forget(name))?,
        None => experiments::ALL.iter().try_for_each(|one| store.forget(one.name))?,
    }
    store.set_run(&fresh)?;
    Ok(fresh)
}

fn perform(experiment: &Experiment, effort: Effort, place: &str) -> Kept {
    let style = ProgressStyle::with_template("{prefix} {bar:24} {msg} ({elapsed})")
        .expect("a template that is known to be right");
    let bar = ProgressBar::new(0).with_style(style);
    bar.set_prefix(format!("[{place}] {}", experiment.title));
    let start = Instant::now();
    let findings: Findings = (experiment.run)(&Context::new(effort, bar.clone()));
    bar.finish_and_clear();
    Kept { findings, seconds: start.elapsed().as_secs_f64() }
}
