//! Links between chapters lead to a heading that exists, and every chapter is
//! in the summary and is tested.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The chapters, by their path.
fn chapters() -> BTreeMap<String, String> {
    let mut chapters = BTreeMap::new();
    let mut folders = vec![(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the chapters") {
            let path = entry.expect("an entry").path();
            let name = format!("{prefix}{}", path.file_name().expect("a name").to_string_lossy());
            if path.is_dir() {
                folders.push((path, format!("{name}/")));
            } else {
                chapters.insert(name, fs::read_to_string(&path).expect("a text"));
            }
        }
    }
    chapters
}

/// What a link in a chapter leads to, as a path from the root.
fn resolved(from: &str, link: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// The lines that are not code.
fn prose(chapter: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    chapter.lines().filter(move |line| {
        let fence = line.starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// The anchor that mdBook gives to a heading.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// The targets of the links in a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

#[test]
fn every_link_leads_somewhere() {
    let chapters = chapters();
    for (name, text) in &chapters {
        for target in prose(text).flat_map(links).filter(|target| !target.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { name.clone() } else { resolved(name, file) };
            let chapter = chapters.get(&file).unwrap_or_else(|| panic!("{name}: no {file}"));
            let mut headings = prose(chapter).filter(|line| line.starts_with('#')).map(anchor);
            assert!(heading.is_empty() || headings.any(|h| h == heading), "{name}: no {target}");
        }
    }
}

/// Without one, mdBook leaves a heading out of the list beside the text.
#[test]
fn every_heading_can_be_linked_to() {
    for (name, text) in &chapters() {
        let mut anchors = BTreeSet::new();
        for heading in prose(text).filter(|line| line.starts_with('#')) {
            let anchor = anchor(heading);
            assert!(anchor.contains(char::is_alphabetic), "{name}: {heading} has no anchor");
            assert!(anchors.insert(anchor), "{name}: {heading} has the anchor of another");
        }
    }
}

#[test]
fn every_chapter_is_listed_and_tested() {
    let chapters = chapters();
    let library = include_str!("../lib.rs");
    for name in chapters.keys().filter(|name| *name != "SUMMARY.md") {
        assert!(chapters["SUMMARY.md"].contains(&format!("]({name})")), "{name} is not listed");
        assert!(library.contains(&format!("\"src/{name}\"")), "{name} is not tested");
    }
}
