//! Every diagnostic: a span on the user's tokens, a reason, a help line.

use std::process::Command;

/// The compiler whose own wording is in `ui/rustc`.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn wrong_programs_are_explained() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*.rs");
    // Where the types decide, rustc words the frame around our message, and
    // changes it from version to version.
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if version.starts_with(COMPILER) {
        cases.compile_fail("ui/rustc/*.rs");
    } else {
        eprintln!("skipped ui/rustc, whose wording is that of {COMPILER}x, not of {version}");
    }
}
