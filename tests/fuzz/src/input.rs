//! The input with a number.

use crate::corpus::Program;
use crate::entry::Entry;
use crate::mutate;
use crate::nodes::{self, Node};
use crate::random::Random;
use proc_macro2::{Delimiter, TokenStream};
use std::cell::OnceCell;

/// What a macro is given.
#[derive(Clone, Debug)]
pub struct Input {
    /// The macro.
    pub entry: Entry,
    /// Its argument.
    pub attribute: Vec<Node>,
    /// What it stands on.
    pub item: Vec<Node>,
}

impl Input {
    /// The program as it stands in the repository.
    pub fn of(program: &Program) -> Self {
        let parse = |text: &str| nodes::of(text.parse().expect("a program is made of tokens"));
        let (attribute, item) = (parse(&program.attribute), parse(&program.item));
        Input { entry: program.entry, attribute, item }
    }

    /// Its tokens.
    pub fn tokens(&self) -> [TokenStream; 2] {
        [nodes::tokens(&self.attribute), nodes::tokens(&self.item)]
    }
}

/// The programs and words that inputs are made of, with their tokens as far as one thread needed
/// them.
pub struct Pool<'a> {
    programs: &'a [Program],
    inputs: Vec<OnceCell<Input>>,
    words: Vec<Vec<Node>>,
}

impl<'a> Pool<'a> {
    /// Nothing is parsed yet.
    pub fn new(programs: &'a [Program]) -> Self {
        let inputs = programs.iter().map(|_| OnceCell::new()).collect();
        let parse = |text: &str| nodes::of(text.parse().expect("a word is made of tokens"));
        Pool { programs, inputs, words: mutate::words().map(parse).collect() }
    }

    /// One of the programs.
    pub fn program(&self, random: &mut Random) -> &Input {
        let i = random.below(self.programs.len());
        self.inputs[i].get_or_init(|| Input::of(&self.programs[i]))
    }

    /// Some tokens that mean something to the compiler.
    pub fn word(&self, random: &mut Random) -> &[Node] {
        let word: &Vec<Node> = random.pick(&self.words);
        word
    }

    /// The input with a number.
    pub fn input(&self, seed: u64, number: u64) -> Input {
        let random = &mut Random::new(seed, number);
        if random.one_in(10) {
            return self.noise(random);
        }
        let mut input = self.program(random).clone();
        if random.one_in(8) {
            input.entry = *random.pick(&Entry::ALL);
        }
        if random.one_in(4) {
            input.attribute = self.attribute(random);
        }
        for _ in 0..=random.below(4) {
            mutate::mutate(&mut input.item, self, random);
        }
        if random.one_in(30) {
            mutate::mutate(&mut input.attribute, self, random);
        }
        input
    }

    fn attribute(&self, random: &mut Random) -> Vec<Node> {
        let words = [
            "",
            "inverse_only",
            "fused",
            "gpu",
            "associated",
            "gpu, fused",
            "without(lanes, fusion, reuse)",
            "without(uncomputing)",
            "self_inverse",
            "inverse = g",
            "associated, inverse = g, adjoint = h, inverse_adjoint = k",
            "derivative = g",
            "pullback = T::g",
        ];
        nodes::of(random.pick(&words).parse().expect("a word is made of tokens"))
    }

    /// Random tokens, alone, as the body of a function, or between the braces of a struct.
    fn noise(&self, random: &mut Random) -> Input {
        let length = 1 + random.below(30);
        let inner = self.tokens(random, length, 3);
        let around = match random.below(4) {
            0 => None,
            1 => Some("fn f(a: &mut f64, b: &f64, c: &mut [f64], n: usize)"),
            2 => Some("fn f(a: f64, b: &[f64]) -> f64"),
            _ => Some("struct S<T>"),
        };
        let item = match around {
            None => inner,
            Some(head) => {
                let mut item = nodes::of(head.parse().expect("a head is made of tokens"));
                item.push(Node::group(Delimiter::Brace, inner));
                item
            }
        };
        Input { entry: *random.pick(&Entry::ALL), attribute: self.attribute(random), item }
    }

    fn tokens(&self, random: &mut Random, length: usize, depth: usize) -> Vec<Node> {
        let mut tokens = Vec::new();
        while tokens.len() < length {
            if depth > 0 && random.one_in(6) {
                let length = random.below(8);
                let inner = self.tokens(random, length, depth - 1);
                tokens.push(Node::group(mutate::delimiter(random), inner));
            } else {
                tokens.extend_from_slice(self.word(random));
            }
        }
        tokens
    }
}
