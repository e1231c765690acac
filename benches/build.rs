//! Copies the examples that are measured, without their tests: once as they
//! are, and once with `#[unchecked]` on every reversible function.

use std::path::Path;
use std::{env, fs};

const EXAMPLES: [&str; 6] = ["affine", "complex_log", "fft", "fibonacci", "leapfrog", "sparse"];

fn main() {
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let write = |folder: &str, name: &str, text: String| {
        let folder = Path::new(&out).join(folder);
        fs::create_dir_all(&folder).expect("OUT_DIR is writable");
        fs::write(folder.join(name), text).expect("OUT_DIR is writable");
    };
    for name in EXAMPLES {
        let path = format!("../examples/{name}.rs");
        println!("cargo::rerun-if-changed={path}");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let (program, _tests) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
        // The documentation of a file cannot be included.
        let lines = program.lines().filter(|line| !line.starts_with("//!"));
        let checked: String = lines.map(|line| format!("{line}\n")).collect();
        let unchecked = checked.replace("#[reversible]", "#[reversible] #[unchecked]");
        write("checked", &format!("{name}.rs"), checked);
        write("unchecked", &format!("{name}.rs"), unchecked);
    }
}
