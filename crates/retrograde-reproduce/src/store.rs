//! The folder of a run: what is finished is kept there.

use crate::experiment::Effort;
use crate::findings::Findings;
use crate::machine::Machine;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// A run, so that another one can tell whether it goes on with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The experiments that were asked for.
    pub names: Vec<String>,
    /// How much time there was.
    pub effort: Effort,
    /// Where.
    pub machine: Machine,
    /// Since when, in seconds since 1970.
    pub started: u64,
    /// The program that measured: its size and when it was made.
    pub program: (u64, u64),
    /// Whether it came to its end.
    pub finished: bool,
}

/// What is kept of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// What it found.
    pub findings: Findings,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// The folder of a run.
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The folder, made if it is not there.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let store = Store { folder: folder.into() };
        fs::create_dir_all(store.path("results"))?;
        // Known now, not after the first experiment.
        let probe = store.path(".writable");
        fs::write(&probe, "")?;
        fs::remove_file(probe)?;
        Ok(store)
    }

    /// A file or folder in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The run whose results are there, if there is one.
    pub fn run(&self) -> Option<Run> {
        self.read("run.json")
    }

    /// Begins a run, or says that one has come to its end.
    pub fn set_run(&self, run: &Run) -> io::Result<()> {
        self.write("run.json", &json(run)?)
    }

    /// Forgets what an experiment has found.
    pub fn forget(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path(&format!("results/{name}.json"))) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        }
    }

    /// What is kept of an experiment.
    pub fn result(&self, name: &str) -> Option<Kept> {
        self.read(&format!("results/{name}.json"))
    }

    /// Keeps what an experiment has found.
    pub fn set_result(&self, name: &str, kept: &Kept) -> io::Result<()> {
        self.write(&format!("results/{name}.json"), &json(kept)?)
    }

    /// What cannot be read is as if it were not there: it is made again.
    fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let text = fs::read_to_string(self.path(name)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Writes a file as a whole, or not at all.
    pub fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.path(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let unfinished = path.with_extension("unfinished");
        fs::write(&unfinished, text)?;
        fs::rename(unfinished, path)
    }
}

/// A value as JSON.
pub fn json(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string_pretty(value)?)
}

/// What tells this program from another build of it.
pub fn program() -> (u64, u64) {
    let metadata = env::current_exe().and_then(fs::metadata);
    metadata.map_or((0, 0), |metadata| {
        let made = metadata.modified().ok();
        let made = made.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        (metadata.len(), made.map_or(0, |time| time.as_secs()))
    })
}
