//! The logarithm of a complex number, a program of three lines.

use crate::experiment::{Context, Experiment};
use crate::findings::{Cell, Claim, Findings, Table, Verdict};
use crate::format;
use crate::measure::{Contender, heap, race};
use retrograde::num::Complex;
use retrograde::prelude::*;
use retrograde_examples::complex_log::log_with_compute;
use std::hint::black_box;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "complex-log",
    title: "Complex logarithm",
    paper: "section 2, listing 1, and the timings below it",
    about: "The logarithm of a complex number by its parts: ln|z| and the angle. A small program \
            shows what reversibility itself costs: here the value |z| that is on the way is \
            dropped instead of being uncomputed.",
    run,
};

/// At most so many times as long as plain counts as “as fast as”.
const AS_FAST: f64 = 1.1;

type C = Complex<f64>;

const PLAIN: &str = "plain";
const REVERSIBLE: &str = "reversible";
const ADJOINT_BY_HAND: &str = "adjoint by hand";
const ADJOINT: &str = "adjoint";
const GRADIENT_BY_HAND: &str = "value and gradient by hand";
const GRADIENT: &str = "value and gradient";

fn log_by_hand(y: &mut C, z: &C) {
    y.re += z.norm().ln();
    y.im += z.arg();
}

/// What the chain rule gives: `d_z += d_y / z*`.
fn pull_by_hand(d_y: &C, z: &C, d_z: &mut C) {
    let square = z.norm_sqr();
    d_z.re += (d_y.re * z.re - d_y.im * z.im) / square;
    d_z.im += (d_y.re * z.im + d_y.im * z.re) / square;
}

/// Restores `y` on the way.
fn adjoint_by_hand(y: &mut C, d_y: &mut C, z: &C, d_z: &mut C) {
    y.re -= z.norm().ln();
    y.im -= z.arg();
    pull_by_hand(d_y, z, d_z);
}

fn run(context: &Context) -> Findings {
    context.ahead(1);
    let (z, zero, seed) = (C::new(1.0, 1.2), C::new(0.0, 0.0), C::new(1.0, 0.5));
    let log = z.ln();

    // The same around each of them: all arguments come from behind a black box.
    let value = |call: fn(&mut C, &C)| {
        move || {
            let (mut y, z) = black_box((zero, z));
            call(&mut y, &z);
            y
        }
    };
    let adjoint = |call: fn(&mut C, &mut C, &C, &mut C)| {
        move || {
            let (mut y, mut d_y, z, mut d_z) = black_box((log, seed, z, zero));
            call(&mut y, &mut d_y, &z, &mut d_z);
            (y, d_y, d_z)
        }
    };
    let gradient = |call: fn(&mut C, &mut C, &C, &mut C)| {
        move || {
            let (mut y, mut d_y, z, mut d_z) = black_box((zero, seed, z, zero));
            call(&mut y, &mut d_y, &z, &mut d_z);
            (y, d_z)
        }
    };
    let by_hand = |y: &mut C, d_y: &mut C, z: &C, d_z: &mut C| {
        log_by_hand(y, z);
        pull_by_hand(d_y, z, d_z);
    };
    let ours = |y: &mut C, d_y: &mut C, z: &C, d_z: &mut C| {
        log_with_compute(y, z);
        let mut dropped = *y;
        log_with_compute {}.call_gradient((&mut dropped, d_y, z, d_z));
    };
    let near = |a: C, b: C| assert!((a - b).norm() < 1e-15, "{a} instead of {b}");
    near(adjoint(log_with_compute::adjoint)().2, adjoint(adjoint_by_hand)().2);
    near(gradient(ours)().1, gradient(by_hand)().1);
    near(adjoint(log_with_compute::adjoint)().0, zero);

    let contenders = vec![
        Contender::new(PLAIN, value(log_by_hand)),
        Contender::new(REVERSIBLE, value(log_with_compute)),
        Contender::new(ADJOINT_BY_HAND, adjoint(adjoint_by_hand)),
        Contender::new(ADJOINT, adjoint(log_with_compute::adjoint)),
        Contender::new(GRADIENT_BY_HAND, gradient(by_hand)),
        Contender::new(GRADIENT, gradient(ours)),
    ];
    let times = race(context.budget(), contenders);
    context.next("done");
    let allocations = heap(value(log_with_compute)).allocations
        + heap(adjoint(log_with_compute::adjoint)).allocations;

    let mut table = Table::new(
        "One call",
        ["program", "over plain", "time", "paper: over plain", "paper: time"],
    );
    let paper = [Some(30.097), Some(17.542), None, Some(25.932), None, None];
    for ((name, time), paper) in times.iter().zip(paper) {
        table.row([
            name.into(),
            Cell::Ratio(time / times.of(PLAIN)),
            Cell::Time(time),
            paper.map(|ns| Cell::Ratio(ns / 30.097)).into(),
            paper.map(|ns| Cell::Time(ns * 1e-9)).into(),
        ]);
    }
    let forward = times.ratio(REVERSIBLE, PLAIN);
    let back = times.ratio(ADJOINT, ADJOINT_BY_HAND);
    let mut findings = Findings::default();
    findings.table(table).claim(Claim::new(
        "C8",
        "reversible and adjoint as fast as plain, no allocation",
        "17.5 ns of 30.1 ns plain, adjoint 25.9 ns, 0 allocations",
        format!(
            "{} of {} plain, adjoint {} ({back:.2} times that by hand), {allocations} allocations",
            format::time(times.of(REVERSIBLE)),
            format::time(times.of(PLAIN)),
            format::time(times.of(ADJOINT)),
        ),
        Verdict::of(
            forward <= AS_FAST
                && times.ratio(ADJOINT, REVERSIBLE) <= 25.932 / 17.542
                && allocations == 0,
        ),
    ));
    findings.note(
        "The paper’s plain function is Julia’s own log, which takes more care near |z| = 1; \
         ours is the same formula as the reversible one. An adjoint restores the value, so it \
         takes the logarithm and the angle once more; the gradient alone does not.",
    );
    findings
}
