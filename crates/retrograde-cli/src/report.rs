//! Mistakes, told as rustc tells them.

use crate::style;
use std::fmt::Write;

/// A mistake without a place in a source text.
pub fn plain(reason: &str, help: Option<&str>) -> String {
    let mut text = headline(reason);
    if let Some(help) = help {
        note(&mut text, 0, help);
    }
    text
}

/// All mistakes that an error holds, each with its place in `source`.
pub fn located(error: &syn::Error, file: &str, source: &str) -> String {
    let mistakes = error.clone().into_iter();
    mistakes.map(|mistake| one(&mistake, file, source)).collect::<Vec<_>>().join("\n")
}

fn headline(reason: &str) -> String {
    let title = style::paint(":", style::HEADING) + " ";
    format!(
        "{}{title}{}\n",
        style::paint("error", style::ERROR),
        style::lines(reason, style::HEADING)
    )
}

/// `= help: …` under a ruler of the given width.
fn note(text: &mut String, width: usize, help: &str) {
    let indent = " ".repeat(width);
    let sign = style::paint("=", style::RULER);
    let word = style::paint("help", style::HEADING);
    // What follows the first line stands below its text.
    let help = help.replace('\n', &format!("\n{indent}         "));
    write(text, format_args!("{indent} {sign} {word}: {help}"));
}

fn write(text: &mut String, line: std::fmt::Arguments) {
    writeln!(text, "{line}").expect("writing to a string");
}

fn one(mistake: &syn::Error, file: &str, source: &str) -> String {
    let message = mistake.to_string();
    let (reason, help) = match message.split_once("\nhelp: ") {
        Some((reason, help)) => (reason, Some(help)),
        None => (message.as_str(), None),
    };
    let (start, end) = (mistake.span().start(), mistake.span().end());
    let lines: Vec<&str> = source.lines().collect();
    let width = end.line.min(lines.len()).to_string().len();
    let mut text = headline(reason);
    let indent = " ".repeat(width);
    let arrow = style::paint("-->", style::RULER);
    write(&mut text, format_args!("{indent}{arrow} {file}:{}:{}", start.line, start.column + 1));
    write(&mut text, format_args!("{indent} {}", style::paint("|", style::RULER)));
    if start.line == end.line || end.line > lines.len() {
        // A file that ends too early is wrong behind its last line.
        let line = lines.get(start.line - 1).copied().unwrap_or_default();
        let end = if start.line == end.line { end.column } else { line.chars().count() };
        single(&mut text, width, start.line, line, start.column, end);
    } else {
        let shown = &lines[start.line - 1..end.line];
        several(&mut text, width, start.line, shown, start.column, end.column);
    }
    if let Some(help) = help {
        write(&mut text, format_args!("{indent} {}", style::paint("|", style::RULER)));
        note(&mut text, width, help);
    }
    text
}

/// A line with carets below.
fn single(text: &mut String, width: usize, number: usize, line: &str, from: usize, to: usize) {
    let before = expand_tabs(take(line, from)).chars().count();
    let upto = expand_tabs(take(line, to)).chars().count();
    let carets = "^".repeat(upto.saturating_sub(before).max(1));
    ruled(text, width, Some(number), &expand_tabs(line));
    ruled(text, width, None, &format!("{:before$}{}", "", style::paint(carets, style::ERROR)));
}

/// The most lines of one mistake that are shown.
const SHOWN: usize = 8;

/// Several lines with a bracket at their left.
fn several(text: &mut String, width: usize, first: usize, lines: &[&str], from: usize, to: usize) {
    let bar = style::paint("|", style::ERROR);
    let begins_line = take(lines[0], from).trim().is_empty();
    let opening = if begins_line { style::paint("/", style::ERROR) } else { " ".to_string() };
    for (i, line) in lines.iter().enumerate() {
        if lines.len() > SHOWN && i == SHOWN / 2 {
            let dots = style::paint(format!("{:1$}", "...", width + 3), style::RULER);
            write(text, format_args!("{dots}{bar}"));
        }
        if lines.len() > SHOWN && (SHOWN / 2..lines.len() - SHOWN / 2).contains(&i) {
            continue;
        }
        let left = if i == 0 { &opening } else { &bar };
        ruled(text, width, Some(first + i), &format!("{left} {}", expand_tabs(line)));
        if i == 0 && !begins_line {
            let before = expand_tabs(take(line, from)).chars().count();
            let corner = style::paint(format!("{}^", "_".repeat(before + 1)), style::ERROR);
            ruled(text, width, None, &format!(" {corner}"));
        }
    }
    let last = lines.last().copied().unwrap_or_default();
    let upto = expand_tabs(take(last, to)).chars().count();
    let corner = style::paint(format!("|{}^", "_".repeat(upto)), style::ERROR);
    ruled(text, width, None, &corner);
}

fn ruled(text: &mut String, width: usize, number: Option<usize>, content: &str) {
    let number = number.map(|n| n.to_string()).unwrap_or_default();
    let ruler = style::paint(format!("{number:width$} |"), style::RULER);
    write(text, format_args!("{}", format!("{ruler} {content}").trim_end()));
}

/// The first characters of a line.
fn take(line: &str, count: usize) -> &str {
    line.char_indices().nth(count).map_or(line, |(at, _)| &line[..at])
}

/// Terminals differ in how wide a tab is.
fn expand_tabs(line: &str) -> String {
    line.replace('\t', "    ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::spanned::Spanned;

    fn told(source: &str, message: &str) -> String {
        let file = syn::parse_file(source).unwrap();
        let syn::Item::Fn(function) = &file.items[0] else { panic!("a function") };
        let at = function.block.stmts[0].span();
        let text = located(&syn::Error::new(at, message), "a.rs", source);
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn one_line() {
        let expected = "\
error: why
 --> a.rs:2:2
  |
2 |     größe(1);
  |     ^^^^^^^^^
  |
  = help: what
          to do
";
        assert_eq!(told("fn f() {\n\tgröße(1);\n}", "why\nhelp: what\nto do"), expected);
    }

    #[test]
    fn several_lines() {
        let expected = "\
error: why
 --> a.rs:2:3
  |
2 | /   if a {
3 | |     b
4 | |   }
  | |___^
";
        assert_eq!(told("fn f() {\n  if a {\n    b\n  }\n}", "why"), expected);
    }

    #[test]
    fn several_lines_from_the_middle_of_one() {
        let expected = "\
error: why
 --> a.rs:1:10
  |
1 |   fn f() { if a {
  |  __________^
2 | |     b
3 | |   } }
  | |___^
";
        assert_eq!(told("fn f() { if a {\n    b\n  } }", "why"), expected);
    }

    #[test]
    fn many_lines_are_cut_short() {
        let source = format!("fn f() {{\n{{\n{}}}\n}}", "g();\n".repeat(20));
        let told = told(&source, "why");
        assert!(told.contains("\n5  | | g();\n...  |\n20 | | g();\n"), "{told}");
    }

    #[test]
    fn behind_the_end_of_the_file() {
        let source = "fn f() {\n    a\n";
        let error = syn::parse_file(source).unwrap_err();
        let told = located(&error, "a.rs", source);
        assert!(anstream::adapter::strip_str(&told).to_string().contains("--> a.rs:"));
    }
}
