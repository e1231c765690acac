//! A conversation with the benchmark.

#![allow(missing_docs)]

use std::io::Write;
use std::process::{Command, Stdio};

/// What the program answers to some lines, and how it ends.
fn talk(arguments: &[&str], lines: &str) -> (Vec<String>, i32) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .arg("gradbench")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = program.stdin.take().expect("an input");
    input.write_all(lines.as_bytes()).expect("the program listens");
    drop(input);
    let output = program.wait_with_output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("text");
    (text.lines().map(String::from).collect(), output.status.code().expect("it ends by itself"))
}

#[test]
fn questions_and_answers() {
    let questions = r#"{"id":0,"kind":"start","eval":"lse"}
{"id":1,"kind":"define","module":"lse"}
{"id":2,"kind":"evaluate","module":"lse","function":"gradient","input":{"x":[1.0,1.0],"min_runs":1,"min_seconds":0.0}}
nonsense
{"id":4,"kind":"define","module":"nothing"}
"#;
    for arguments in [&[][..], &["--multithreaded"]] {
        let (answers, code) = talk(arguments, questions);
        assert_eq!(code, 0);
        assert_eq!(answers.len(), 5);
        assert_eq!(answers[0], r#"{"id":0,"tool":"retrograde"}"#);
        assert_eq!(answers[1], r#"{"id":1,"success":true}"#);
        assert!(answers[2].starts_with(r#"{"id":2,"success":true,"output":[0.5,0.5],"#));
        assert!(answers[3].contains(r#""success":false"#));
        assert!(answers[4].starts_with(r#"{"id":4,"success":false,"#));
    }
}

#[test]
fn silence() {
    assert_eq!(talk(&[], ""), (Vec::new(), 0));
}
