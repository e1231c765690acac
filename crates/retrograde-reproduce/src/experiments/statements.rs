//! Small things: a multiplier, a loop, a stack.

use crate::experiment::{Context, Experiment};
use crate::findings::{Cell, Claim, Findings, Table, Verdict};
use crate::format;
use crate::measure::{Contender, race};
use crate::programs::tapes::{Function, Number, tapes};
use retrograde::prelude::*;
use retrograde_examples::multiplier::multiplier;
use std::hint::black_box;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "statements",
    title: "Small things",
    paper: "listing 2, and the benchmarks beside the paper",
    about: "What the smallest programs cost: the paper’s multiplier, a loop of increments, and a \
            stack that gives back what was pushed.",
    run,
};

/// At most so many times as long counts as the same.
const SAME: f64 = 1.1;

fn run(context: &Context) -> Findings {
    context.ahead(3);
    let mut findings = Findings::default();
    multiply(&mut findings);
    context.next("the multiplier");
    count(context, &mut findings);
    context.next("the loop");
    push_and_pop(context, &mut findings);
    context.next("the stack");
    findings
}

fn multiply(findings: &mut Findings) {
    let (mut y, a, b) = (2.0, 3.0, 5.0);
    multiplier(&mut y, &a, &b);
    let there = y;
    multiplier::inverse(&mut y, &a, &b);
    findings.claim(Claim::new(
        "C6",
        "the multiplier runs forwards and backwards",
        "(2, 3, 5) → (17, 3, 5) → (2, 3, 5)",
        format!("(2, 3, 5) → ({there}, {a}, {b}) → ({y}, {a}, {b})"),
        Verdict::of((there, y) == (17.0, 2.0)),
    ));
}

/// Adds one so many times.
#[reversible]
fn increments(x: &mut f64, steps: usize) {
    for _ in 0..steps {
        *x += 1.0;
    }
}

fn increments_by_hand(x: &mut f64, steps: usize) {
    for _ in 0..steps {
        *x += 1.0;
    }
}

struct Increments {
    steps: usize,
}

impl Function for Increments {
    fn value<N: Number>(&self, x: &[N]) -> N {
        (0..self.steps).fold(x[0], |x, _| x.shifted(1.0))
    }
}

fn count(context: &Context, findings: &mut Findings) {
    const STEPS: usize = 1 << 20;
    const PLAIN: &str = "plain";
    const REVERSIBLE: &str = "reversible";
    const ADJOINT: &str = "there, and back with the gradient";
    const GRADIENT: &str = "there, and the gradient alone";
    let start = 0.5;
    let there = || {
        let mut x = black_box(start);
        increments(&mut x, black_box(STEPS));
        x
    };
    let and_back = || {
        let (mut x, mut d_x) = (there(), 1.0);
        increments::adjoint(&mut x, &mut d_x, black_box(STEPS));
        (x, d_x)
    };
    let gradient = || {
        let (mut x, mut d_x) = (there(), 1.0);
        let end = x;
        increments {}.call_gradient((&mut x, &mut d_x, black_box(STEPS)));
        (end, d_x)
    };
    assert_eq!(and_back(), (start, 1.0));
    assert_eq!(gradient(), (start + STEPS as f64, 1.0));
    let function = Increments { steps: STEPS };
    let mut contenders = vec![
        Contender::new(PLAIN, || {
            let mut x = black_box(start);
            increments_by_hand(&mut x, black_box(STEPS));
            x
        }),
        Contender::new(REVERSIBLE, there),
        Contender::new(ADJOINT, and_back),
        Contender::new(GRADIENT, gradient),
    ];
    let tapes = tapes::<Increments>();
    for tape in &tapes {
        let function = &function;
        contenders.push(Contender::new(tape.name, move || {
            (tape.gradient)(function, black_box(&[start]))
        }));
    }
    let times = race(context.budget(), contenders);
    let mut table = Table::new(
        "2²⁰ increments of one number",
        ["program", "over plain", "time", "paper: over plain", "paper: time"],
    );
    let paper = [None, Some(953e-6), Some(1.910e-3), None, Some(361.8e-3), None];
    for ((name, time), paper) in times.iter().zip(paper) {
        table.row([
            name.into(),
            Cell::Ratio(time / times.of(PLAIN)),
            Cell::Time(time),
            paper.map(|time| Cell::Ratio(time / 953e-6)).into(),
            paper.map(Cell::Time).into(),
        ]);
    }
    let ratio = times.ratio(ADJOINT, REVERSIBLE);
    let alone = times.ratio(GRADIENT, REVERSIBLE);
    let tape = tapes.iter().map(|tape| times.ratio(tape.name, REVERSIBLE)).fold(f64::MAX, f64::min);
    findings.table(table).claim(Claim::new(
        "C28",
        "2²⁰ increments: the gradient takes 2 times the forward run",
        "2.0 times the forward run, a tape (Zygote) 380 times",
        format!("{ratio:.2} times, {alone:.2} where the start need not come back, a tape {tape:.0} times"),
        Verdict::of_at_most(ratio.min(alone), 2.0 * SAME, 1.0 * SAME),
    ));
    findings.note(
        "The gradient of a loop of increments is known before the loop: where nobody asks for the \
         start to be restored, the way back is empty. The tape in the paper’s column is Zygote.",
    );
}

/// A push and a pop.
#[reversible]
fn there_and_back(stack: &mut Stack<f64>, x: &mut f64) {
    stack.push(x);
    stack.pop(x);
}

/// As [`there_and_back`], without the checks that can be left out.
#[reversible]
#[unchecked]
fn there_and_back_unchecked(stack: &mut Stack<f64>, x: &mut f64) {
    stack.push(x);
    stack.pop(x);
}

/// A push of a copy, and its removal, which compares it with the original.
#[reversible]
fn copy_and_compare(stack: &mut Stack<f64>, x: &f64) {
    stack.push_copy(x);
    stack.pop_copy(x);
}

fn push_and_pop(context: &Context, findings: &mut Findings) {
    const PLAIN: &str = "Vec: push and pop";
    const CHECKED: &str = "Stack: push and pop";
    const UNCHECKED: &str = "Stack: push and pop, #[unchecked]";
    const COPY: &str = "Stack: push_copy and pop_copy";
    let (mut vec, mut stacks) = (Vec::with_capacity(8), [(); 3].map(|()| Stack::with_capacity(8)));
    let [checked, unchecked, copied] = &mut stacks;
    let contenders = vec![
        Contender::new(PLAIN, || {
            let vec = black_box(&mut vec);
            vec.push(black_box(1.5));
            black_box(&mut *vec).pop()
        }),
        Contender::new(CHECKED, || {
            let mut x = black_box(1.5);
            there_and_back(black_box(&mut *checked), &mut x);
            x
        }),
        Contender::new(UNCHECKED, || {
            let mut x = black_box(1.5);
            there_and_back_unchecked(black_box(&mut *unchecked), &mut x);
            x
        }),
        Contender::new(COPY, || {
            let x = black_box(1.5);
            copy_and_compare(black_box(&mut *copied), &x);
            x
        }),
    ];
    let times = race(context.budget(), contenders);
    let mut table = Table::new("A push and a pop", ["program", "over Vec", "time", "paper: time"]);
    let paper = [12.06, 22.9, 5.34, 6.78];
    for ((name, time), paper) in times.iter().zip(paper) {
        table.row([
            name.into(),
            Cell::Ratio(time / times.of(PLAIN)),
            Cell::Time(time),
            Cell::Time(paper * 1e-9),
        ]);
    }
    let ratio = times.ratio(CHECKED, PLAIN);
    findings.table(table).claim(Claim::new(
        "C29",
        "a push and a pop: 23 ns checked, 5 ns unchecked",
        "22.9 ns checked, 5.34 ns unchecked, 12.06 ns by Julia’s own vector: 1.90 and 0.44 times that",
        format!(
            "{} checked, {} unchecked, {} by a Vec: {ratio:.2} and {:.2} times that",
            format::time(times.of(CHECKED)),
            format::time(times.of(UNCHECKED)),
            format::time(times.of(PLAIN)),
            times.ratio(UNCHECKED, PLAIN),
        ),
        Verdict::of_at_most(ratio, 22.9 / 12.06 * SAME, 22.9 / 12.06),
    ));
    findings.note(
        "A stack of ours always looks whether it is empty and whether the place that it pops into \
         is: these checks protect data, so #[unchecked] leaves them.",
    );
}
