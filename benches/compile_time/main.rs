//! What reversible functions cost at compile time, beside the same functions
//! in plain Rust with all directions written by hand.
//!
//! `cargo bench --bench compile_time`
//!
//! Writes crates of [`FUNCTIONS`] functions each into a temporary folder, builds
//! what they depend on, and then times the build of each crate alone. Functions
//! without gradients stand beside plain functions and their inverses; functions
//! with gradients beside these, and beside plain functions with inverses and
//! adjoints. The last row builds the macros with optimisation, as a user may do.

mod templates;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const FUNCTIONS: usize = 200;
const BUILDS: usize = 3;
/// How often the time by hand may be exceeded.
const TARGET: f64 = 2.0;

fn main() {
    // `cargo test --benches` is no measurement.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let folder = Folder::new();
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let library = workspace.join("crates/retrograde");
    let dependency = format!("retrograde = {{ path = {library:?} }}");
    let only = "#[reversible(inverse_only)]";
    let crates = [
        ("inverse_by_hand", "", templates::by_hand(FUNCTIONS, false)),
        ("adjoint_by_hand", "", templates::by_hand(FUNCTIONS, true)),
        ("inverse_only", &*dependency, templates::reversible(FUNCTIONS, only, false)),
        ("reversible", &*dependency, templates::reversible(FUNCTIONS, "#[reversible]", true)),
    ];
    for (name, dependency, text) in &crates {
        folder.write_crate(name, dependency, text);
    }
    folder.write("Cargo.toml", WORKSPACE);
    // The versions that are already there, so that nothing is downloaded.
    let lock =
        fs::read_to_string(workspace.join("Cargo.lock")).expect("the workspace has a lock file");
    folder.write("Cargo.lock", &lock);

    println!("{FUNCTIONS} functions, minimum of {BUILDS} builds of the crate alone");
    for profile in ["dev", "release", "optimised-macros"] {
        let times = folder.build_times(crates.each_ref().map(|(name, ..)| *name), profile);
        let [inverse, adjoint, inverse_only, reversible] = times;
        println!("\n{profile:31}{:>12}{:>12}{:>8}", "time", "by hand", "ratio");
        row("inverse_only", "inverse", inverse_only, inverse);
        row("reversible", "inverse", reversible, inverse);
        row("reversible", "inverse, adjoint", reversible, adjoint);
    }
    println!("\n`!` marks what is above the target, {TARGET}");
}

fn row(name: &str, other: &str, time: Duration, by_hand: Duration) {
    let (time, by_hand) = (time.as_secs_f64(), by_hand.as_secs_f64());
    let ratio = time / by_hand;
    let mark = if ratio > TARGET { "!" } else { "" };
    println!("{name:14}{other:17}{time:>10.2} s{by_hand:>10.2} s{ratio:>8.2}{mark}");
}

const WORKSPACE: &str = r#"
[workspace]
resolver = "3"
members = ["inverse_by_hand", "adjoint_by_hand", "inverse_only", "reversible"]

[profile.optimised-macros]
inherits = "dev"

[profile.optimised-macros.build-override]
opt-level = 3
"#;

/// A temporary folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("compile-time-{}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary folder is writable");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("writable");
        fs::write(path, text).expect("the temporary folder is writable");
    }

    fn write_crate(&self, name: &str, dependency: &str, text: &str) {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependency}\n"
        );
        self.write(&format!("{name}/Cargo.toml"), &manifest);
        self.write(&format!("{name}/src/lib.rs"), text);
    }

    /// The times to build crates whose dependencies are built: in turn, so that
    /// what else the machine does meets all of them alike.
    fn build_times<const N: usize>(&self, names: [&str; N], profile: &str) -> [Duration; N] {
        names.iter().for_each(|name| self.build(name, profile));
        let mut times = [Duration::MAX; N];
        for _ in 0..BUILDS {
            for (name, minimum) in names.iter().zip(&mut times) {
                let source = self.0.join(name).join("src/lib.rs");
                let text = fs::read_to_string(&source).expect("the source was written");
                fs::write(&source, &text).expect("the temporary folder is writable");
                let start = Instant::now();
                self.build(name, profile);
                *minimum = start.elapsed().min(*minimum);
            }
        }
        times
    }

    fn build(&self, name: &str, profile: &str) {
        let output = Command::new(env!("CARGO"))
            .args(["build", "--offline", "--profile", profile, "--package", name])
            .current_dir(&self.0)
            .env("CARGO_TARGET_DIR", self.0.join("target"))
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .expect("cargo starts");
        let report = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name} does not build:\n{report}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing is lost if it stays.
        let _ = fs::remove_dir_all(&self.0);
    }
}
