//! The colours of everything that is printed.

use anstyle::{AnsiColor, Style};

/// Headings.
pub const HEADING: Style = Style::new().bold();
/// The name of a function above what was made of it.
pub const FUNCTION: Style = AnsiColor::Cyan.on_default().bold();
/// What matters less.
pub const DIM: Style = Style::new().dimmed();
/// The word `error` and the carets under a mistake.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Line numbers and rulers of a diagnostic.
pub const RULER: Style = AnsiColor::Blue.on_default().bold();
/// What is to be typed.
pub const COMMAND: Style = AnsiColor::Green.on_default();
/// `fn`, `let`.
pub const KEYWORD: Style = AnsiColor::Magenta.on_default();
/// Numbers, strings, characters.
pub const LITERAL: Style = AnsiColor::Green.on_default();
/// Macros and attributes.
pub const MACRO: Style = AnsiColor::Yellow.on_default();
/// `'a`.
pub const LIFETIME: Style = AnsiColor::Yellow.on_default();
/// Types.
pub const TYPE: Style = AnsiColor::Cyan.on_default();
/// What is called.
pub const CALL: Style = AnsiColor::Blue.on_default();

/// A piece of text in a style.
pub fn paint(text: impl std::fmt::Display, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// Several lines in a style, which begins and ends on every one of them.
pub fn lines(text: &str, style: Style) -> String {
    let painted = text.split('\n').map(|line| match line {
        "" => String::new(),
        line => paint(line, style),
    });
    painted.collect::<Vec<_>>().join("\n")
}
