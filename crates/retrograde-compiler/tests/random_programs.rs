//! Random programs, run on the IR: the inverse undoes the function, and the
//! optimised code does what the plain code does, in both directions.

#[path = "../../../tests/generator.rs"]
mod generator;
mod interpreter;

use generator::{Random, program};
use interpreter::{State, run};
use retrograde_compiler::attribute::Marks;
use retrograde_compiler::expand::{Directions, Options, compile};
use retrograde_compiler::ir::Block;
use retrograde_compiler::kinds::Kinds;
use retrograde_compiler::names::Names;
use retrograde_compiler::optimise::{Passes, lower, optimise};

fn start(seed: u64) -> State {
    let mut random = Random(seed.wrapping_add(77) | 1);
    let mut number = || random.below(21) as i64 - 10;
    [
        ("x", vec![number()]),
        ("y", vec![number()]),
        ("v", (0..16).map(|_| number()).collect()),
        ("w", (0..16).map(|_| number()).collect()),
        ("n", vec![number().rem_euclid(5)]),
    ]
    .into_iter()
    .fold(State::default(), |mut state, (name, values)| {
        state.values.insert(name.to_string(), values);
        state
    })
}

/// The arguments alone: what a caller sees.
fn visible(state: &State) -> Vec<(String, Vec<i64>)> {
    ["x", "y", "v", "w", "n"].map(|name| (name.to_string(), state.values[name].clone())).into()
}

/// Plain and optimised code of one direction do the same, or fail alike.
fn both_ways(directions: &Directions, body: &Block, before: &State, source: &str) -> Option<State> {
    let signature = &directions.function.signature;
    let names = Names::of(signature, body);
    let kinds = Kinds::of(signature, false, &Default::default());
    let (mut plain, mut fast) = (before.clone(), before.clone());
    let plainly = run(&lower(body), &mut plain);
    // The interpreter knows no parts of arrays.
    let passes = Passes { bounds: false, ..Passes::default() };
    let quickly = run(&optimise(body, signature, &names, &kinds, passes), &mut fast);
    assert_eq!(plainly.is_ok(), quickly.is_ok(), "{plainly:?} but {quickly:?}\n{source}");
    plainly.ok()?;
    assert_eq!(visible(&plain), visible(&fast), "optimised code differs\n{source}");
    Some(plain)
}

#[test]
fn inverses_undo_and_optimised_code_agrees() {
    // More seeds for a longer search: RETROGRADE_SEEDS=200000.
    let seeds = std::env::var("RETROGRADE_SEEDS").ok().and_then(|n| n.parse().ok());
    let seeds: u64 = seeds.unwrap_or(3_000);
    let (mut accepted, mut ran) = (0, 0);
    for seed in 0..seeds {
        let source = program(seed);
        let function: syn::TraitItemFn = syn::parse_str(&source).expect(&source);
        let compiled =
            compile(syn::Visibility::Inherited, function, Marks::default(), Options::default());
        let Ok(directions) = compiled else { continue };
        accepted += 1;
        let body = directions.function.body.as_ref().expect("a body");
        let inverse = directions.inverse.as_ref().expect("a body");
        for round in 0..3 {
            let before = start(seed * 3 + round);
            let Some(after) = both_ways(&directions, body, &before, &source) else { continue };
            let arguments =
                State { values: visible(&after).into_iter().collect(), ..State::default() };
            let back = both_ways(&directions, inverse, &arguments, &source)
                .unwrap_or_else(|| panic!("the way back failed a check\nseed {seed}\n{source}"));
            assert_eq!(visible(&back), visible(&before), "not undone\nseed {seed}\n{source}");
            ran += 1;
        }
    }
    println!("{accepted} programs of {seeds} were accepted, {ran} runs of them got through");
    assert!(accepted > seeds / 3, "only {accepted} programs were accepted");
    assert!(ran > seeds / 2, "only {ran} runs got through");
}
