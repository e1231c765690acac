//! The experiments, as a user runs them.

#![allow(missing_docs)]

mod common;

use common::retrograde;
use std::fs;
use std::path::PathBuf;

/// A folder that is there for one test only.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("retrograde-{}-{name}", std::process::id()));
        Folder(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_report_is_written_and_its_path_is_named() {
    let folder = Folder::new("report");
    let run = retrograde(&["reproduce", "complex-log", "--out", folder.path()]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("== Complex logarithm"), "{run:?}");
    assert!(run.stdout.trim_end().ends_with("index.html"), "{run:?}");
    let page = folder.read("index.html");
    assert!(page.contains("id=\"complex-log\"") && !page.contains("http"), "{page}");
    assert!(folder.read("csv/complex-log-1.csv").starts_with("program,over plain,time"));
    assert!(folder.read("report.json").contains("\"C8\""));
}

#[test]
fn what_is_finished_is_not_done_again() {
    let folder = Folder::new("resumed");
    let arguments = ["reproduce", "complex-log", "--quick", "--out", folder.path()];
    retrograde(&arguments);
    let first = folder.read("results/complex-log.json");

    // As if it had been broken off before the end.
    let run = folder.read("run.json").replace("\"finished\": true", "\"finished\": false");
    fs::write(folder.0.join("run.json"), run).expect("the folder is writable");
    retrograde(&arguments);
    assert_eq!(folder.read("results/complex-log.json"), first, "it was done again");

    // That one came to its end, so this one begins anew.
    retrograde(&arguments);
    assert_ne!(folder.read("results/complex-log.json"), first, "it was not done again");

    // What another effort has found is no result of this one.
    let other = folder.read("run.json").replace("\"Quick\"", "\"Full\"");
    fs::write(
        folder.0.join("run.json"),
        other.replace("\"finished\": true", "\"finished\": false"),
    )
    .expect("the folder is writable");
    let before = folder.read("results/complex-log.json");
    retrograde(&arguments);
    assert_ne!(folder.read("results/complex-log.json"), before, "it was taken over");
}

#[test]
fn a_result_that_cannot_be_read_is_made_again() {
    let folder = Folder::new("damaged");
    let arguments = ["reproduce", "complex-log", "--out", folder.path()];
    retrograde(&arguments);
    let run = folder.read("run.json").replace("\"finished\": true", "\"finished\": false");
    fs::write(folder.0.join("run.json"), run).expect("the folder is writable");
    fs::write(folder.0.join("results/complex-log.json"), "{").expect("the folder is writable");
    let run = retrograde(&arguments);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(folder.read("results/complex-log.json").len() > 100);
}

#[test]
fn bad_names_and_folders_are_refused() {
    let run = retrograde(&["reproduce", "nothing"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("no experiment `nothing`") && run.stderr.contains("complex-log"));

    let run = retrograde(&["reproduce", "complex-log", "--out", "reproduce.rs/inside"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("reproduce.rs/inside"), "{run:?}");

    let run = retrograde(&["reproduce", "--quick", "--full"]);
    assert_eq!(run.code, 2, "{run:?}");
}
