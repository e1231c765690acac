//! The compiler warns of a reversible function as of any other: of what is not used, once, where
//! it stands, and of nothing else.

mod building;

use std::collections::BTreeSet;

/// A line that deserves a warning ends with it, `//~ unused variable: `a``, or it stands on the
/// next, `//~^ function `f` is never used`.
const PROGRAM: &str = include_str!("warnings/main.rs");

#[test]
fn what_is_not_used_is_warned_of() {
    let files = [("main.rs".to_owned(), PROGRAM.to_owned())];
    let folder = building::package("warnings", &[], &files);
    let clippy = building::cargo(&folder, &["clippy", "--version"]).status.success();
    let command = if clippy { "clippy" } else { "check" };
    let output = building::cargo(&folder, &[command, "--message-format=short"]);
    let said = building::text(&output.stderr);
    assert!(output.status.success(), "{said}");
    let found: Vec<(usize, String)> = said
        .lines()
        .filter_map(|line| line.strip_prefix("src/main.rs:"))
        .map(|line| {
            let (place, message) = line.split_once(": warning: ").expect("warnings alone");
            let line = place.split(':').next().and_then(|line| line.parse().ok());
            // What to write instead comes after it.
            let message = message.split(": help:").next().unwrap_or(message);
            (line.expect("a line"), message.to_owned())
        })
        .collect();
    let expected: BTreeSet<(usize, String)> = PROGRAM
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| {
            let (_, mark) = line.split_once("//~")?;
            let (above, message) = (mark.starts_with('^'), mark.trim_start_matches('^'));
            Some((number - usize::from(above), message.trim().to_owned()))
        })
        .collect();
    let once: BTreeSet<(usize, String)> = found.iter().cloned().collect();
    assert!(!expected.is_empty());
    assert_eq!(once, expected, "{said}");
    assert_eq!(once.len(), found.len(), "said twice:\n{said}");
}
