//! The logarithm of a complex number, a program of three lines.

use crate::experiment::{Context, Experiment};
use crate::findings::{Cell, Claim, Findings, Table, Verdict};
use crate::format;
use crate::measure::{Contender, heap, race};
use retrograde::num::Complex;
use retrograde_examples::complex_log::log_with_compute;
use std::hint::black_box;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "complex-log",
    title: "Complex logarithm",
    paper: "section 2, listing 1, and the timings below it",
    about: "The logarithm of a complex number by its parts: ln|z| and the angle. A small program \
            shows what reversibility itself costs: here the value |z|² that is on the way is \
            dropped instead of being uncomputed.",
    run,
};

/// The same without the language.
fn plain(z: Complex<f64>) -> Complex<f64> {
    Complex::new(z.norm().ln(), z.arg())
}

/// What the chain rule gives, written by hand.
fn adjoint_by_hand(g: Complex<f64>, z: Complex<f64>) -> Complex<f64> {
    let r2 = z.re * z.re + z.im * z.im;
    Complex::new((g.re * z.re - g.im * z.im) / r2, (g.re * z.im + g.im * z.re) / r2)
}

fn run(context: &Context) -> Findings {
    context.ahead(1);
    let z = black_box(Complex::new(1.0, 1.2));
    let zero = Complex::new(0.0, 0.0);
    let reversible = || {
        let mut log = zero;
        log_with_compute(&mut log, black_box(&z));
        log
    };
    let adjoint = || {
        let mut log = plain(z);
        let (mut d_log, mut d_z) = (Complex::new(1.0, 0.5), zero);
        log_with_compute::adjoint(&mut log, &mut d_log, black_box(&z), &mut d_z);
        d_z
    };
    let contenders = vec![
        Contender::new("plain", || plain(black_box(z))),
        Contender::new("reversible", reversible),
        Contender::new("value and adjoint by hand", || {
            black_box(plain(black_box(z)));
            adjoint_by_hand(black_box(Complex::new(1.0, 0.5)), black_box(z))
        }),
        Contender::new("value and adjoint", adjoint),
    ];
    let times = race(context.budget(), contenders);
    context.next("done");
    let allocations = heap(reversible).allocations + heap(adjoint).allocations;

    let mut table = Table::new(
        "One call",
        ["program", "over plain", "time", "paper: over plain", "paper: time"],
    );
    let paper = [Some(30.097), Some(17.542), None, Some(25.932)];
    for ((name, time), paper) in times.iter().zip(paper) {
        table.row([
            name.into(),
            Cell::Ratio(time / times.of("plain")),
            Cell::Time(time),
            paper.map(|ns| Cell::Ratio(ns / 30.097)).into(),
            paper.map(|ns| Cell::Time(ns * 1e-9)).into(),
        ]);
    }
    let ratio = times.ratio("reversible", "plain");
    let mut findings = Findings::default();
    findings.table(table).claim(Claim::new(
        "C8",
        "reversible and adjoint as fast as plain, no allocation",
        "17.5 ns of 30.1 ns plain, adjoint 25.9 ns, 0 allocations",
        format!(
            "{} of {} plain, adjoint {}, {allocations} allocations",
            format::time(times.of("reversible")),
            format::time(times.of("plain")),
            format::time(times.of("value and adjoint")),
        ),
        Verdict::of(ratio <= 1.1 && allocations == 0),
    ));
    findings.note(
        "The paper’s plain function is Julia’s own `log`, which takes more care near |z| = 1; \
         ours is the same formula as the reversible one.",
    );
    findings
}
