//! Random changes of a program.

use crate::input::Pool;
use crate::nodes::{self, Node};
use crate::random::Random;
use proc_macro2::{Delimiter, Ident, Span, TokenTree};

/// What means something to the compiler, or to Rust, one a line.
pub fn words() -> impl Iterator<Item = &'static str> {
    include_str!("words.txt").lines().filter(|line| !line.starts_with("// "))
}

/// A random kind of group.
pub fn delimiter(random: &mut Random) -> Delimiter {
    use Delimiter::{Brace, Bracket, None, Parenthesis};
    *random.pick(&[Parenthesis, Parenthesis, Brace, Bracket, None, None])
}

/// Changes something.
pub fn mutate(program: &mut Vec<Node>, pool: &Pool, random: &mut Random) {
    let size = nodes::count(program);
    if size == 0 {
        program.extend_from_slice(pool.word(random));
        return;
    }
    let names = names(program);
    if random.one_in(15) && !names.is_empty() {
        let from = random.pick(&names).clone();
        let other = random.pick(&names).clone();
        let words = ["r#type", "r#fn", "self", "x_inverse", "d_x", "value"];
        let word = word(words[random.below(words.len())]);
        return rename_all(program, &from, &if random.one_in(2) { other } else { word });
    }
    if random.one_in(2)
        && in_some_block(program, random, |block, random| {
            change_statements(block, &names, pool, random);
        })
    {
        return;
    }
    let number = random.below(size);
    nodes::at(program, number, |list, place| change_tokens(list, place, &names, pool, random));
}

fn word(text: &str) -> Ident {
    match text.strip_prefix("r#") {
        Some(text) => Ident::new_raw(text, Span::call_site()),
        None => Ident::new(text, Span::call_site()),
    }
}

/// Gives all that have one name another one.
fn rename_all(nodes: &mut [Node], from: &Ident, to: &Ident) {
    for node in nodes {
        match node {
            Node::Token(TokenTree::Ident(name)) if name == from => {
                let span = name.span();
                *name = to.clone();
                name.set_span(span);
            }
            Node::Token(_) => {}
            Node::Group(_, inner, _) => rename_all(inner, from, to),
        }
    }
}

/// All identifiers, as often as they stand there.
fn names(program: &[Node]) -> Vec<Ident> {
    let mut names = Vec::new();
    nodes::each_token(program, &mut |token| {
        if let TokenTree::Ident(name) = token {
            names.push(name.clone());
        }
    });
    names
}

/// Changes what stands in some braces, if there are any.
fn in_some_block(
    program: &mut Vec<Node>,
    random: &mut Random,
    change: impl FnOnce(&mut Vec<Node>, &mut Random),
) -> bool {
    let size = nodes::count(program);
    let is_block = |list: &mut Vec<Node>, place: usize| {
        matches!(list[place], Node::Group(Delimiter::Brace, ..))
    };
    let start = random.below(size);
    let numbers = (start..size).chain(0..start);
    let mut found = None;
    for number in numbers {
        if nodes::at(program, number, is_block) == Some(true) {
            found = Some(number);
            break;
        }
    }
    let Some(number) = found else { return false };
    nodes::at(program, number, |list, place| {
        if let Node::Group(_, inner, _) = &mut list[place] {
            change(inner, random);
        }
    });
    true
}

fn change_statements(block: &mut Vec<Node>, names: &[Ident], pool: &Pool, random: &mut Random) {
    let statements = nodes::statements(block);
    if statements.is_empty() || random.one_in(3) {
        let place = if statements.is_empty() { 0 } else { random.pick(&statements).start };
        let piece = foreign_statement(names, pool, random);
        block.splice(place..place, piece);
        return;
    }
    let range = random.pick(&statements).clone();
    let other = random.pick(&statements).clone();
    let statement = block[range.clone()].to_vec();
    match random.below(7) {
        0 => drop(block.splice(range, [])),
        1 => drop(block.splice(other.start..other.start, statement)),
        2 => {
            let exchanged = block[other.clone()].to_vec();
            let (first, second) =
                if range.start <= other.start { (range, other) } else { (other, range) };
            if first != second {
                let (a, b) = (block[first.clone()].to_vec(), block[second.clone()].to_vec());
                block.splice(second, a);
                block.splice(first, b);
            } else {
                block.extend(exchanged);
            }
        }
        3 => {
            let word = pool.word(random).to_vec();
            block.splice(range.start..range.start, word);
        }
        4 => {
            let head =
                random.pick(&["!", "#[compute]", "#[unchecked]", "for i in 0..n", "if n > 0"]);
            let braced = Node::group(Delimiter::Brace, statement);
            let mut nodes = nodes::of(head.parse().expect("a head is made of tokens"));
            nodes.push(braced);
            nodes.extend(nodes::of(";".parse().expect("a token")));
            block.splice(range, nodes);
        }
        5 => {
            let mut renamed = statement;
            rename(&mut renamed, names, random);
            block.splice(range, renamed);
        }
        _ => {
            let piece = foreign_statement(names, pool, random);
            block.splice(range, piece);
        }
    }
}

/// A statement of another program, sometimes with names of this one.
fn foreign_statement(names: &[Ident], pool: &Pool, random: &mut Random) -> Vec<Node> {
    let mut donor = pool.program(random).item.clone();
    let mut piece = pool.word(random).to_vec();
    if random.below(4) != 0 {
        in_some_block(&mut donor, random, |block, random| {
            let statements = nodes::statements(block);
            if !statements.is_empty() {
                piece = block[random.pick(&statements).clone()].to_vec();
            }
        });
    }
    if random.one_in(2) {
        rename(&mut piece, names, random);
    }
    piece
}

/// Gives some identifiers other names.
fn rename(piece: &mut [Node], names: &[Ident], random: &mut Random) {
    for node in piece {
        match node {
            Node::Token(TokenTree::Ident(name)) if !names.is_empty() && random.one_in(3) => {
                let span = name.span();
                *name = random.pick(names).clone();
                name.set_span(span);
            }
            Node::Token(_) => {}
            Node::Group(_, inner, _) => rename(inner, names, random),
        }
    }
}

fn change_tokens(
    list: &mut Vec<Node>,
    place: usize,
    names: &[Ident],
    pool: &Pool,
    random: &mut Random,
) {
    let other = random.below(list.len());
    match random.below(12) {
        0 => drop(list.remove(place)),
        1 => {
            let node = list[place].clone();
            list.insert(other, node);
        }
        2 => list.swap(place, other),
        3 => {
            let word = pool.word(random).to_vec();
            list.splice(place..place, word);
        }
        4 => {
            let word = pool.word(random).to_vec();
            list.splice(place..=place, word);
        }
        5 => {
            let end = place + 1 + random.below((list.len() - place).min(6));
            let inner: Vec<Node> = list[place..end].to_vec();
            list.splice(place..end, [Node::group(delimiter(random), inner)]);
        }
        6 | 7 => match &mut list[place] {
            Node::Group(kind, inner, _) if random.one_in(2) => {
                *kind = delimiter(random);
                if random.one_in(3) {
                    inner.clear();
                }
            }
            Node::Group(_, inner, _) => {
                let inner = inner.clone();
                list.splice(place..=place, inner);
            }
            Node::Token(TokenTree::Ident(_)) => rename(&mut list[place..=place], names, random),
            Node::Token(_) => {
                let word = pool.word(random).to_vec();
                list.splice(place..=place, word);
            }
        },
        8 if random.one_in(4) => {
            // Deep, but not deeper than a person may write.
            let kind = delimiter(random);
            for _ in 0..random.below(12) {
                list[place] = Node::group(kind, vec![list[place].clone()]);
            }
        }
        _ => {
            let mut donor = pool.program(random).item.clone();
            let number = random.below(nodes::count(&donor).max(1));
            let run = 1 + random.below(5);
            let piece = nodes::at(&mut donor, number, |list, place| {
                list[place..(place + run).min(list.len())].to_vec()
            });
            let mut piece = piece.unwrap_or_default();
            if random.one_in(2) {
                rename(&mut piece, names, random);
            }
            let end = if random.one_in(2) { place } else { place + 1 };
            list.splice(place..end, piece);
        }
    }
}
