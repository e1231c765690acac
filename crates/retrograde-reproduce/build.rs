//! Notes which compiler is used: it belongs to the numbers.

use std::env;
use std::process::Command;

fn main() {
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(compiler).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    println!("cargo::rustc-env=COMPILER={}", version.unwrap_or_else(|_| "rustc".into()));
    println!("cargo::rerun-if-changed=build.rs");
}
