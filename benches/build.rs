//! Copies the examples that are measured, with `#[unchecked]` on every
//! reversible function.

use std::path::Path;
use std::{env, fs};

const EXAMPLES: [&str; 6] = ["affine", "complex_log", "fft", "fibonacci", "leapfrog", "sparse"];

fn main() {
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for name in EXAMPLES {
        let path = format!("../examples/{name}.rs");
        println!("cargo::rerun-if-changed={path}");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let copy: String = text.lines().filter_map(without_checks).collect();
        fs::write(Path::new(&out).join(format!("{name}.rs")), copy).expect("OUT_DIR is writable");
    }
}

/// The line with the attribute added; inner docs cannot be included, so they go.
fn without_checks(line: &str) -> Option<String> {
    if line.starts_with("//!") {
        None
    } else if line.trim_start().starts_with("#[reversible") {
        Some(format!("{line}\n#[unchecked]\n"))
    } else {
        Some(format!("{line}\n"))
    }
}
