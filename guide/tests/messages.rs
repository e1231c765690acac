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

/// The pattern of each line of a text.
fn patterns(text: &str) -> String {
    text.lines().flat_map(|line| [pattern(line), "\n".into()]).collect()
}

/// What the compiler, which knows no types, says of a program.
fn messages_of(source: &str) -> Vec<String> {
    let file = syn::parse_file(source).expect("a program of the guide parses");
    let options = Options::default();
    let compiled = find::reversible(&file)
        .into_iter()
        .map(|f| f.compile(options).and_then(|_| f.on_device(options)));
    let errors = compiled.filter_map(Result::err).flatten();
    errors.map(|error| format!("error: {error}\n")).collect()
}

/// The code that a wrong program carries where Rust itself words the message:
/// `compile_fail,E0596`. (A nightly rustdoc looks whether it is the right one.)
fn code_of_rust(kind: &str) -> Option<&str> {
    kind.strip_prefix(COMPILE_FAIL)?.strip_prefix(',')
}

const COMPILE_FAIL: &str = "rust,compile_fail";

#[test]
fn wrong_programs_give_the_messages_shown() {
    let sources = patterns(&sources());
    let snapshots = patterns(&read_all(&workspace().join("tests/ui"), "stderr"));
    let chapters = ["derivatives.md", "why.md"]
        .map(|name| (name, code_of(&read(&workspace().join("guide/src").join(name)))));
    let pairs = chapters.iter().flat_map(|(name, blocks)| {
        blocks.iter().zip(&blocks[1..]).map(move |(block, next)| (name, block, next))
    });
    let mut count = 0;
    for (name, block, next) in pairs {
        if !block.kind.starts_with(COMPILE_FAIL) {
            continue;
        }
        count += 1;
        let place = format!("{name}, line {}", block.line);
        assert_eq!(next.kind, "text", "{place}: the message must follow");
        let messages = messages_of(&block.text);
        if !messages.is_empty() {
            assert_eq!(next.text, messages.concat(), "{place}");
        } else if let Some(code) = code_of_rust(&block.kind) {
            // Rust's own words change from version to version.
            let start = format!("error[{code}]: ");
            assert!(next.text.lines().all(|line| line.starts_with(&start)), "{place}");
        } else {
            // A message of the library, told by the type checker, or of another
            // macro: as its source or a snapshot of the tests has it.
            for line in next.text.lines() {
                let text = line.split_once(": ").map_or(line, |(_, text)| text);
                let text = pattern(text);
                assert!(sources.contains(&text) || snapshots.contains(&text), "{place}: {line}");
            }
        }
    }
    assert!(count > 50, "only {count} wrong programs were found");
}

/// What the compiler says of the wrong programs of the tests, what their
/// snapshots have from the type checker, and what the library says of types.
#[test]
fn every_message_is_in_the_guide() {
    let chapter = read(&workspace().join("guide/src/why.md"));
    let guide = told(&chapter);
    let codes: BTreeSet<_> = code_of(&chapter)
        .iter()
        .filter_map(|block| code_of_rust(&block.kind).map(String::from))
        .collect();
    let mut expected = BTreeSet::new();
    for entry in fs::read_dir(workspace().join("tests/ui")).expect("the wrong programs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            expected.extend(told(&messages_of(&read(&path)).concat()));
        }
    }
    let sources = sources();
    let library = patterns(&sources);
    let messages = sources.lines().filter_map(|line| line.trim().strip_prefix("message = \""));
    expected.extend(messages.map(|text| pattern(text.trim_end_matches("\","))));
    let snapshots = read_all(&workspace().join("tests/ui"), "stderr");
    for line in snapshots.lines().filter(|line| line.starts_with("error")) {
        let (start, text) = line.split_once(": ").expect("an error has a message");
        match start.strip_prefix("error[").map(|code| code.trim_end_matches(']')) {
            // In Rust's own words: they differ between its versions.
            Some(code) if !library.contains(&pattern(text)) => {
                assert!(codes.contains(code), "no entry in why.md for {line}");
            }
            _ => _ = expected.insert(pattern(text)),
        }
    }
    assert!(expected.len() > 60, "only {} messages were found", expected.len());
    let missing: Vec<_> = expected.difference(&guide).collect();
    assert!(missing.is_empty(), "no entry in why.md for {missing:#?}");
}

/// All Rust of the crates.
fn sources() -> String {
    read_all(&workspace().join("crates"), "rs")
}

/// The first lines of the errors in a text, as patterns.
fn told(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| line.starts_with("error"));
    lines.filter_map(|line| line.split_once(": ")).map(|(_, text)| pattern(text)).collect()
}
