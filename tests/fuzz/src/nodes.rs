//! Tokens as a tree that can be changed.

use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};

/// A token, or a group of nodes.
#[derive(Clone, Debug)]
pub enum Node {
    /// An identifier, a literal, or a character of an operator.
    Token(TokenTree),
    /// What stands between delimiters.
    Group(Delimiter, Vec<Node>, Span),
}

impl Node {
    /// A group that stands nowhere.
    pub fn group(delimiter: Delimiter, inner: Vec<Node>) -> Self {
        Node::Group(delimiter, inner, Span::call_site())
    }

    /// Whether it is this character.
    pub fn is_punct(&self, character: char) -> bool {
        matches!(self, Node::Token(TokenTree::Punct(punct)) if punct.as_char() == character)
    }

    /// Whether it is this word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self, Node::Token(TokenTree::Ident(ident)) if ident == word)
    }
}

/// Takes tokens apart.
pub fn of(tokens: TokenStream) -> Vec<Node> {
    let node = |tree| match tree {
        TokenTree::Group(group) => Node::Group(group.delimiter(), of(group.stream()), group.span()),
        token => Node::Token(token),
    };
    tokens.into_iter().map(node).collect()
}

/// Puts tokens together again.
pub fn tokens(nodes: &[Node]) -> TokenStream {
    let tree = |node: &Node| match node {
        Node::Token(token) => token.clone(),
        Node::Group(delimiter, inner, span) => {
            let mut group = Group::new(*delimiter, tokens(inner));
            group.set_span(*span);
            TokenTree::Group(group)
        }
    };
    nodes.iter().map(tree).collect()
}

/// How many nodes there are, at all depths.
pub fn count(nodes: &[Node]) -> usize {
    let inside = |node: &Node| match node {
        Node::Token(_) => 1,
        Node::Group(_, inner, _) => 1 + count(inner),
    };
    nodes.iter().map(inside).sum()
}

/// Changes the list in which the node with this number stands, told at which place.
///
/// Nodes are counted from the first on, and what is in a group after the group. Gives `None` if
/// there are not so many.
pub fn at<R>(
    nodes: &mut Vec<Node>,
    number: usize,
    change: impl FnOnce(&mut Vec<Node>, usize) -> R,
) -> Option<R> {
    let mut left = number;
    for place in 0..nodes.len() {
        if left == 0 {
            return Some(change(nodes, place));
        }
        left -= 1;
        if let Node::Group(_, inner, _) = &mut nodes[place] {
            let inside = count(inner);
            if left < inside {
                return at(inner, left, change);
            }
            left -= inside;
        }
    }
    None
}

/// Calls `look` with every token.
pub fn each_token(nodes: &[Node], look: &mut impl FnMut(&TokenTree)) {
    for node in nodes {
        match node {
            Node::Token(token) => look(token),
            Node::Group(_, inner, _) => each_token(inner, look),
        }
    }
}

/// The statements of a block, each as the range of its nodes.
pub fn statements(block: &[Node]) -> Vec<std::ops::Range<usize>> {
    let (mut statements, mut start) = (Vec::new(), 0);
    for (i, node) in block.iter().enumerate() {
        let next = block.get(i + 1);
        let goes_on = next.is_some_and(|next| {
            next.is_word("else") || ['.', ';', '?', '='].iter().any(|c| next.is_punct(*c))
        });
        let block = matches!(node, Node::Group(Delimiter::Brace, ..)) && !goes_on;
        if block || node.is_punct(';') {
            statements.push(start..i + 1);
            start = i + 1;
        }
    }
    if start < block.len() {
        statements.push(start..block.len());
    }
    statements
}

/// The tokens as text, with `⟦ ⟧` around groups without delimiters, which have no text of their own.
pub fn text(nodes: &[Node]) -> String {
    let mut text = String::new();
    for node in nodes {
        match node {
            Node::Token(TokenTree::Punct(punct)) => text.push(punct.as_char()),
            Node::Token(token) => text.push_str(&format!("{token} ")),
            Node::Group(delimiter, inner, _) => {
                let (open, close) = match delimiter {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{ ", "} "),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("⟦", "⟧"),
                };
                text.push_str(open);
                text.push_str(&self::text(inner));
                text.push_str(close);
            }
        }
        if let Node::Token(TokenTree::Punct(punct)) = node
            && punct.spacing() == Spacing::Alone
        {
            text.push(' ');
        }
    }
    text
}
