//! Running the program, as a user would.

use std::path::Path;
use std::process::{Command, Output};

/// The program, run in the folder of these tests.
#[allow(dead_code)]
pub fn retrograde(arguments: &[&str]) -> Run {
    retrograde_with(&[], arguments)
}

/// As [`retrograde`], with environment variables.
pub fn retrograde_with(variables: &[(&str, &str)], arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"));
    // Whoever runs the tests may have chosen colours for all programs.
    for choice in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(choice);
    }
    command.envs(variables.iter().copied()).args(arguments);
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    Run {
        code: status.code().expect("the program ends by itself"),
        stdout: String::from_utf8(stdout).expect("text"),
        stderr: String::from_utf8(stderr).expect("text"),
    }
}

/// What a run said, and how it ended.
#[derive(Debug)]
#[allow(dead_code)]
pub struct Run {
    /// Its exit status.
    pub code: i32,
    /// What it wrote.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
}
