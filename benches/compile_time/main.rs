//! What reversible functions cost at compile time, beside the same functions
//! in plain Rust with both directions written by hand.
//!
//! `cargo bench --bench compile_time`
//!
//! Writes two crates of [`FUNCTIONS`] functions each into a temporary folder,
//! builds what they depend on, and then times the build of each crate alone.

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
    folder.write(
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"reversible\", \"by_hand\"]\n",
    );
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let library = workspace.join("crates/retrograde");
    let dependency = format!("retrograde = {{ path = {library:?} }}");
    folder.write_crate("reversible", &dependency, &templates::reversible(FUNCTIONS));
    folder.write_crate("by_hand", "", &templates::by_hand(FUNCTIONS));
    // The versions that are already there, so that nothing is downloaded.
    let lock =
        fs::read_to_string(workspace.join("Cargo.lock")).expect("the workspace has a lock file");
    folder.write("Cargo.lock", &lock);

    println!("{FUNCTIONS} functions, minimum of {BUILDS} builds of the crate alone");
    println!("{:10}{:>12}{:>12}{:>8}", "", "by hand", "reversible", "ratio");
    for profile in ["dev", "release"] {
        let by_hand = folder.build_time("by_hand", profile).as_secs_f64();
        let reversible = folder.build_time("reversible", profile).as_secs_f64();
        let ratio = reversible / by_hand;
        let mark = if ratio > TARGET { "!" } else { "" };
        println!("{profile:10}{by_hand:>10.2} s{reversible:>10.2} s{ratio:>8.2}{mark}");
    }
    println!("`!` marks what is above the target, {TARGET}");
}

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

    /// The time to build a crate whose dependencies are built.
    fn build_time(&self, name: &str, profile: &str) -> Duration {
        self.build(name, profile);
        let source = self.0.join(name).join("src/lib.rs");
        let text = fs::read_to_string(&source).expect("the source was written");
        let time = |_| {
            fs::write(&source, &text).expect("the temporary folder is writable");
            let start = Instant::now();
            self.build(name, profile);
            start.elapsed()
        };
        (0..BUILDS).map(time).min().expect("there is a build")
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
