//! The messages that the guide shows are those that the compiler gives, and
//! every message of the compiler is in the guide.

use retrograde_compiler::expand::Options;
use retrograde_compiler::find;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A block of code in a chapter.
struct Code {
    line: usize,
    kind: String,
    text: String,
}

/// The code blocks of a chapter, without hidden lines: line numbers in messages
/// are those that the reader sees.
fn code_of(chapter: &str) -> Vec<Code> {
    let mut blocks: Vec<Code> = Vec::new();
    let mut open = false;
    for (index, line) in chapter.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(kind) if !open => {
                blocks.push(Code { line: index + 1, kind: kind.into(), text: String::new() });
                open = true;
            }
            Some(_) => open = false,
            None if open && !(line.starts_with("# ") || line == "#") => {
                let block = blocks.last_mut().expect("a block is open");
                block.text += line;
                block.text += "\n";
            }
            None => {}
        }
    }
    blocks
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the guide has a parent").into()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of all files below `folder` that end in `.extension`.
fn read_all(folder: &Path, extension: &str) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            text += &read_all(&path, extension);
        } else if path.extension().is_some_and(|found| found == extension) {
            text += &read(&path);
        }
    }
    text
}

/// The message with every quoted piece of program, and every number, left open;
/// what a name stands for counts as a piece of program.
fn pattern(message: &str) -> String {
    let message =
        ["ancilla", "loop variable", "name"].iter().fold(message.to_string(), |text, role| {
            text.replace(&format!("hide the {role}"), "hide the argument")
        });
    let parts = message.split('`').enumerate();
    let text: String = parts.map(|(i, part)| if i % 2 == 0 { part } else { "_" }).collect();
    let digits = text.split_inclusive(|c: char| !c.is_ascii_digit());
    digits.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect()
}

/// What the compiler, which knows no types, says of a program.
fn messages_of(source: &str) -> Vec<String> {
    let file = syn::parse_file(source).expect("a program of the guide parses");
    let compiled = find::reversible(&file).into_iter().map(|f| f.compile(Options::default()));
    let errors = compiled.filter_map(Result::err).flatten();
    errors.map(|error| format!("error: {error}\n")).collect()
}

#[test]
fn wrong_programs_give_the_messages_shown() {
    let sources = pattern(&read_all(&workspace().join("crates"), "rs"));
    let snapshots = pattern(&read_all(&workspace().join("tests/ui"), "stderr"));
    let blocks = code_of(&read(&workspace().join("guide/src/why.md")));
    let mut count = 0;
    for (block, next) in blocks.iter().zip(&blocks[1..]) {
        if block.kind != "rust,compile_fail" {
            continue;
        }
        count += 1;
        let place = format!("why.md, line {}", block.line);
        assert_eq!(next.kind, "text", "{place}: the message must follow");
        let messages = messages_of(&block.text);
        if messages.is_empty() {
            // A message of the type checker, or of another macro: as the
            // library's source or a snapshot of the tests has it.
            for line in next.text.lines() {
                let text = line.split_once(": ").map_or(line, |(_, text)| text);
                let text = pattern(text);
                assert!(sources.contains(&text) || snapshots.contains(&text), "{place}: {line}");
            }
        } else {
            assert_eq!(next.text, messages.concat(), "{place}");
        }
    }
    assert!(count > 50, "only {count} wrong programs were found");
}

/// The wrong programs of the tests: what the compiler says of them, and what
/// their snapshots have from the type checker.
#[test]
fn every_message_is_in_the_guide() {
    let guide = told(&read(&workspace().join("guide/src/why.md")), "error");
    let mut expected = told(&read_all(&workspace().join("tests/ui"), "stderr"), "error[");
    for entry in fs::read_dir(workspace().join("tests/ui")).expect("the wrong programs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            expected.extend(told(&messages_of(&read(&path)).concat(), "error"));
        }
    }
    assert!(expected.len() > 40, "only {} messages were found", expected.len());
    let missing: Vec<_> = expected.difference(&guide).collect();
    assert!(missing.is_empty(), "no entry in why.md for {missing:#?}");
}

/// The first lines of the errors in a text, as patterns.
fn told(text: &str, start: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| line.starts_with(start));
    lines.filter_map(|line| line.split_once(": ")).map(|(_, text)| pattern(text)).collect()
}
