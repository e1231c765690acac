//! Source text from tokens, laid out as the user laid it out.

use proc_macro2::{Delimiter, Ident, LineColumn, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::OnceCell;
use std::rc::Rc;

/// The text of some tokens. Where their places are known, the gaps between
/// them are kept; else a space is put between words.
pub fn of(tokens: &impl ToTokens) -> String {
    let mut writer = Writer { text: String::new(), end: None };
    writer.stream(tokens.to_token_stream());
    writer.text
}

/// Of `::core::cfg!(…)`, as a statement under `#[cfg(…)]` is read, what it asks for: `cfg!(…)` is
/// what users write.
pub fn some_builds(condition: &syn::Expr) -> Option<&TokenStream> {
    let syn::Expr::Macro(e) = condition else { return None };
    let last = e.mac.path.segments.last()?;
    (e.mac.path.leading_colon.is_some() && last.ident == "cfg").then_some(&e.mac.tokens)
}

/// Whether a name is one of a list. The name is made a string once: the compiler
/// makes a new one for every comparison with an identifier.
pub fn is_one_of(name: &Ident, list: &[&str]) -> bool {
    list.contains(&name.to_string().as_str())
}

/// The text of a statement. It is worked out when it is asked for, because most
/// statements need none, and asking the compiler where each token stands takes
/// longer than anything else. All directions of a statement share it.
#[derive(Clone, Debug, Default)]
pub struct Source(Rc<Text>);

#[derive(Debug, Default)]
struct Text {
    tokens: TokenStream,
    semicolon: bool,
    text: OnceCell<String>,
}

impl Source {
    /// The text of a statement, without the semicolon.
    pub fn of_statement(tokens: TokenStream) -> Self {
        Source(Rc::new(Text { tokens, semicolon: true, text: OnceCell::new() }))
    }

    /// The text of the head of a branch or loop, or of a whole statement.
    pub fn of(tokens: TokenStream) -> Self {
        Source(Rc::new(Text { tokens, semicolon: false, text: OnceCell::new() }))
    }

    /// Whether both are of the same statement, in whatever direction.
    pub fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Where its first token stands.
    pub fn start(&self) -> Option<Span> {
        self.0.tokens.clone().into_iter().next().map(|token| token.span())
    }

    /// The text itself.
    pub fn text(&self) -> &str {
        self.0.text.get_or_init(|| {
            let mut text = of(&self.0.tokens);
            if self.0.semicolon {
                text.push(';');
            }
            text
        })
    }
}

/// As a string literal.
impl ToTokens for Source {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.text().to_tokens(tokens);
    }
}

/// The elements of `vec![a, b]`.
pub fn listed_vector(call: &syn::Macro) -> Option<Vec<syn::Expr>> {
    if !call.path.is_ident("vec") {
        return None;
    }
    let list = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
    call.parse_body_with(list).ok().map(|elements| elements.into_iter().collect())
}

/// What `matches!(value, pattern if guard)` looks at, and the rest.
pub fn matched(call: &syn::Macro) -> Option<(syn::Expr, TokenStream)> {
    if !call.path.is_ident("matches") {
        return None;
    }
    let parse = |input: syn::parse::ParseStream| {
        let value = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        Ok((value, input.parse()?))
    };
    call.parse_body_with(parse).ok()
}

/// The element and the length of `vec![element; length]`.
pub fn filled_vector(call: &syn::Macro) -> Option<(syn::Expr, syn::Expr)> {
    if !call.path.is_ident("vec") {
        return None;
    }
    call.parse_body_with(|input: syn::parse::ParseStream| {
        let element = input.parse::<syn::Expr>()?;
        input.parse::<syn::Token![;]>()?;
        Ok((element, input.parse::<syn::Expr>()?))
    })
    .ok()
}

struct Writer {
    text: String,
    end: Option<LineColumn>,
}

impl Writer {
    fn put(&mut self, text: &str, start: LineColumn, end: LineColumn) {
        if let Some(last) = self.end {
            if start.line > last.line
                && (self.text.ends_with(['(', '[']) || [")", "]"].contains(&text))
            {
                // A list that was broken over lines is joined again.
                if self.text.ends_with(',') {
                    self.text.pop();
                }
            } else if start.line > last.line
                || start.line == last.line && start.column > last.column
            {
                self.text.push(' ');
            } else if start.line < last.line || start.line == 0 {
                // Tokens from elsewhere: keep words apart.
                self.text.push(' ');
            }
        }
        self.text.push_str(text);
        self.end = Some(end);
    }

    fn stream(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => {
                            self.stream(group.stream());
                            continue;
                        }
                    };
                    let (start, end) = (group.span_open(), group.span_close());
                    // Of a group that was put together again, both are the whole.
                    let (mut after, mut before) = (start.end(), end.start());
                    if start.start() == end.start() && start.end() == end.end() && after.column > 0
                    {
                        after = LineColumn { column: before.column + 1, ..before };
                        before = LineColumn { column: end.end().column - 1, ..end.end() };
                    }
                    self.put(open, start.start(), after);
                    self.stream(group.stream());
                    self.put(close, before, end.end());
                }
                other => {
                    let (start, end) = (other.span().start(), other.span().end());
                    let mut text = other.to_string();
                    // A name that was given another one is longer than it was written.
                    if matches!(other, TokenTree::Ident(_)) && start.line == end.line {
                        let width = end.column - start.column;
                        while width > 0 && text.ends_with('_') && text.chars().count() > width {
                            text.pop();
                        }
                    }
                    self.put(&text, start, end);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn keeps_the_gaps_that_the_user_wrote() {
        let source = "*y += a.b[i + 1] * (c -d);";
        let tokens: proc_macro2::TokenStream = source.parse().unwrap();
        assert_eq!(super::of(&tokens), source);
        let broken = "swap(\n    &mut x[0],\n    &mut x[1],\n);";
        let tokens: proc_macro2::TokenStream = broken.parse().unwrap();
        assert_eq!(super::of(&tokens), "swap(&mut x[0], &mut x[1]);");
    }
}
