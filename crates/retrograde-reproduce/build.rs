//! Notes what belongs to the numbers: which compiler is used, and how long the sources of
//! Retrograde are.

use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

fn main() {
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(compiler).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    println!("cargo::rustc-env=COMPILER={}", version.unwrap_or_else(|_| "rustc".into()));
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["compiler", "macros"] {
        let folder = format!("../retrograde-{name}/src");
        // Where the crate is alone, its sources are not counted.
        let Lines { all, code } = lines(Path::new(&folder)).unwrap_or_default();
        let name = name.to_uppercase();
        println!("cargo::rustc-env=LINES_OF_{name}={all}");
        println!("cargo::rustc-env=CODE_OF_{name}={code}");
        println!("cargo::rerun-if-changed={folder}");
    }
}

/// How long some sources are.
#[derive(Default)]
struct Lines {
    all: usize,
    /// Neither empty nor a comment, nor part of the tests.
    code: usize,
}

fn lines(folder: &Path) -> io::Result<Lines> {
    let mut sum = Lines::default();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (tests, found) = if path.is_dir() {
            (name == "tests", lines(&path)?)
        } else if name.ends_with(".rs") {
            (name == "tests.rs", lines_of(&fs::read_to_string(&path)?))
        } else {
            continue;
        };
        sum.all += found.all;
        sum.code += if tests { 0 } else { found.code };
    }
    Ok(sum)
}

fn lines_of(text: &str) -> Lines {
    // By custom, the tests in a file stand at its end.
    let program = text.lines().take_while(|line| *line != "#[cfg(test)]");
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    Lines { all: text.lines().count(), code: program.filter(is_code).count() }
}
