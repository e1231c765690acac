//! Colours for Rust and for the intermediate representation.
//!
//! Colours are always put in; the stream that the text is written to takes
//! them out again where nobody would see them.

use crate::style;
use anstyle::Style;

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rust.
    Rust,
    /// The compiler's intermediate representation, as the compiler prints it.
    Ir,
}

/// The text with colours.
pub fn highlight(text: &str, language: Language) -> String {
    let mut painted = String::new();
    for (token, class) in tokens(text, language) {
        match class.style() {
            // Line by line, so that no colour leaks into an indentation or a pager's next page.
            Some(style) => painted.push_str(&style::lines(token, style)),
            None => painted.push_str(token),
        }
    }
    painted
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Plain,
    Keyword,
    Literal,
    Comment,
    Attribute,
    Macro,
    Lifetime,
    Type,
    Call,
}

impl Class {
    fn style(self) -> Option<Style> {
        match self {
            Class::Plain => None,
            Class::Keyword => Some(style::KEYWORD),
            Class::Literal => Some(style::LITERAL),
            Class::Comment => Some(style::DIM),
            Class::Attribute | Class::Macro => Some(style::MACRO),
            Class::Lifetime => Some(style::LIFETIME),
            Class::Type => Some(style::TYPE),
            Class::Call => Some(style::CALL),
        }
    }
}

const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
    "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub",
    "ref", "return", "self", "Self", "static", "struct", "super", "trait", "true", "type",
    "unsafe", "use", "where", "while",
];

/// Words with which the representation begins a statement.
const STATEMENTS: &[&str] = &[
    "allocate",
    "bind",
    "block",
    "call",
    "compute",
    "host",
    "release",
    "unbind",
    "uncall",
    "uncompute",
];

/// Words that the representation puts after an expression.
const CLAUSES: &[&str] = &["after", "backwards"];

/// How the representation marks what is checked at run time.
const CHECKED: &str = "(checked)";

/// The whole text, cut into tokens.
fn tokens(text: &str, language: Language) -> Vec<(&str, Class)> {
    let mut rest = text;
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let before = &text[..text.len() - rest.len()];
        let (length, class) = match first {
            '(' if language == Language::Ir && rest.starts_with(CHECKED) => {
                (CHECKED.len(), Class::Comment)
            }
            '/' if rest.starts_with("//") => {
                (rest.find('\n').unwrap_or(rest.len()), Class::Comment)
            }
            '/' if rest.starts_with("/*") => (block_comment(rest), Class::Comment),
            '#' if rest.starts_with("#[") || rest.starts_with("#![") => {
                (rest.find(']').map_or(rest.len(), |end| end + 1), Class::Attribute)
            }
            '"' => (quoted(rest, '"'), Class::Literal),
            '\'' => quote(rest),
            '0'..='9' => (number(rest), Class::Literal),
            c if c == '_' || c.is_alphabetic() => match prefixed_literal(rest) {
                Some(length) => (length, Class::Literal),
                None => word(before, rest, language),
            },
            c => (c.len_utf8(), Class::Plain),
        };
        let (token, after) = rest.split_at(length);
        tokens.push((token, class));
        rest = after;
    }
    tokens
}

/// The length of a block comment, which may hold others.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

/// The length of a literal between two quotes with escapes.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == mark => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// A single quote begins a character or a lifetime.
fn quote(text: &str) -> (usize, Class) {
    let mut after = text[1..].chars();
    let is_char = matches!((after.next(), after.next()), (Some('\\'), _) | (Some(_), Some('\'')));
    if is_char {
        (quoted(text, '\''), Class::Literal)
    } else {
        (1 + word_length(&text[1..]), Class::Lifetime)
    }
}

/// The length of `b"…"`, `c"…"`, `b'…'`, `r"…"`, `br#"…"#` and the like.
fn prefixed_literal(text: &str) -> Option<usize> {
    let prefix = text.find(|c| !matches!(c, 'b' | 'c' | 'r'))?;
    if prefix > 2 {
        return None;
    }
    let rest = &text[prefix..];
    if !text[..prefix].ends_with('r') {
        let mark = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        return Some(prefix + quoted(rest, mark));
    }
    let hashes = rest.find(|c| c != '#')?;
    if !rest[hashes..].starts_with('"') {
        return None;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let body = prefix + hashes + 1;
    Some(text[body..].find(&end).map_or(text.len(), |at| body + at + end.len()))
}

/// The length of a number, its suffix and exponent among it.
fn number(text: &str) -> usize {
    let mut length = 0;
    let mut characters = text.chars().peekable();
    let based = text.starts_with("0x") || text.starts_with("0b") || text.starts_with("0o");
    while let Some(c) = characters.next() {
        let next = characters.peek();
        let belongs = match c {
            // `1.5` and `1.` are numbers; `1..2` and `1.max(2)` begin with one.
            '.' => {
                !text[..length].contains('.')
                    && next.is_none_or(|n| *n != '.' && *n != '_' && !n.is_alphabetic())
            }
            '+' | '-' => !based && text[..length].ends_with(['e', 'E']),
            _ => c == '_' || c.is_alphanumeric(),
        };
        if !belongs {
            break;
        }
        length += c.len_utf8();
    }
    length
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len())
}

fn word(before: &str, text: &str, language: Language) -> (usize, Class) {
    if let Some(raw) = text.strip_prefix("r#") {
        return (2 + word_length(raw), Class::Plain);
    }
    let length = word_length(text);
    let (word, after) = text.split_at(length);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let begins_line = line.trim().is_empty();
    let statement = language == Language::Ir
        && (begins_line && STATEMENTS.contains(&word)
            || line.ends_with(' ') && CLAUSES.contains(&word));
    let class = if statement || KEYWORDS.contains(&word) {
        Class::Keyword
    } else if after.starts_with('!') && !after.starts_with("!=") {
        Class::Macro
    } else if is_type(word) {
        Class::Type
    } else if after.starts_with(['(', '<']) || after.starts_with("::<") {
        Class::Call
    } else {
        Class::Plain
    };
    (length, class)
}

/// Whether a name is a type's, by the custom that types begin with a capital.
fn is_type(word: &str) -> bool {
    const PRIMITIVES: &[&str] = &[
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8",
        "u16", "u32", "u64", "u128", "usize",
    ];
    let mut characters = word.chars();
    let capital = characters.next().is_some_and(char::is_uppercase);
    // `STEP` is a constant; `T` is a type.
    let constant = word.len() > 1 && !word.contains(char::is_lowercase);
    PRIMITIVES.contains(&word) || capital && !constant
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str, language: Language) -> Vec<(&str, Class)> {
        let tokens = tokens(text, language);
        let whole: String = tokens.iter().map(|(token, _)| *token).collect();
        assert_eq!(whole, text, "nothing may be lost");
        tokens.into_iter().filter(|(_, class)| *class != Class::Plain).collect()
    }

    #[test]
    fn rust_tokens() {
        use Class::*;
        let cases: &[(&str, &[(&str, Class)])] = &[
            ("let mut a = 0.5e-3;", &[("let", Keyword), ("mut", Keyword), ("0.5e-3", Literal)]),
            (
                "0..n 1.max(2) t.0.1",
                &[("0", Literal), ("1", Literal), ("max", Call), ("2", Literal), ("0.1", Literal)],
            ),
            ("0xfe+1", &[("0xfe", Literal), ("1", Literal)]),
            (
                "&'a T 'x' '\\'' b'z' '_'",
                &[
                    ("'a", Lifetime),
                    ("T", Type),
                    ("'x'", Literal),
                    ("'\\''", Literal),
                    ("b'z'", Literal),
                    ("'_'", Literal),
                ],
            ),
            (
                r##"r#"a "b" c"# "d\"e" br"\" r#fn"##,
                &[(r##"r#"a "b" c"#"##, Literal), (r#""d\"e""#, Literal), (r#"br"\""#, Literal)],
            ),
            ("a // b\n/* /* c */ d */ e", &[("// b", Comment), ("/* /* c */ d */", Comment)]),
            ("#[compute] host! { a != b }", &[("#[compute]", Attribute), ("host", Macro)]),
            ("STEP: [f64; 2], Größe", &[("f64", Type), ("2", Literal), ("Größe", Type)]),
        ];
        for (text, expected) in cases {
            assert_eq!(classes(text, Language::Rust), *expected, "{text}");
        }
    }

    #[test]
    fn statements_of_the_representation() {
        use Class::*;
        let text = "  uncall g(call, x)  (checked)\n  for i in a backwards";
        let expected = [
            ("uncall", Keyword),
            ("g", Call),
            ("(checked)", Comment),
            ("for", Keyword),
            ("in", Keyword),
            ("backwards", Keyword),
        ];
        assert_eq!(classes(text, Language::Ir), expected);
        assert_eq!(classes("uncall", Language::Rust), []);
    }

    #[test]
    fn unfinished_tokens_end_with_the_text() {
        for text in ["\"a", "'", "/* a", "r#\"a", "#[a", "'\\", "b'", "1.", "r#"] {
            classes(text, Language::Rust);
        }
    }
}
