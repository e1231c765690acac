//! The stages that the chapter "How it works" shows are what the compiler makes.

use retrograde_compiler::expand::{Options, Which};
use retrograde_compiler::{find, print};

const CHAPTER: &str = include_str!("../src/how_it_works.md");

/// The blocks of a kind, without hidden lines.
fn blocks(kind: &str) -> Vec<String> {
    let open = format!("\n```{kind}\n");
    let texts = CHAPTER.split(&open).skip(1).map(|rest| {
        let (text, _) = rest.split_once("\n```").expect("the end of the block");
        let lines = text.lines().filter(|line| !line.starts_with("# "));
        lines.flat_map(|line| [line, "\n"]).collect()
    });
    texts.collect()
}

#[test]
fn the_stages_are_those_of_the_compiler() {
    let [source, forward, backward, ..] = &blocks("rust")[..] else { panic!("three programs") };
    let [_, ir, ir_of_inverse, ..] = &blocks("text")[..] else { panic!("three texts") };
    let file = syn::parse_file(source).expect("the function parses");
    let found = find::reversible(&file);
    let options = Options { readable: true, ..Options::default() };
    let directions = found[0].compile(options).expect("the function is right");
    let function = &directions.function;
    let body = function.body.as_ref().expect("a body");
    let inverse = directions.inverse.as_ref().expect("a body");
    assert_eq!(*ir, print::function(function, body));
    assert_eq!(*ir_of_inverse, print::function(function, inverse));
    let rust = |which| {
        let file = syn::parse2(directions.emit_one(which)).expect("valid Rust");
        prettyplease::unparse(&file)
    };
    assert_eq!(*forward, rust(Which::Forward));
    assert_eq!(*backward, rust(Which::Inverse));
}
