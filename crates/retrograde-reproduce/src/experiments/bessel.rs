//! Bessel's function by its series: a loop whose length depends on the numbers.

use crate::experiment::{Context, Experiment};
use crate::findings::{Axis, Cell, Claim, Figure, Findings, Plot, Table, Verdict};
use crate::measure::{Contender, heap, race};
use crate::programs::bessel::{Bessel, bessel_by_hand, gradient_by_hand};
use crate::programs::tapes::tapes;
use num_dual::Dual64;
use retrograde::prelude::*;
use retrograde_examples::bessel::{bessel, bessel_by_quotients, derivatives};
use std::hint::black_box;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "bessel",
    title: "Bessel’s function",
    paper: "supplement, “Bessel function”",
    about: "J₂(1) by its series, up to the first term below 10⁻⁸. Each term is the one before it \
            times a factor, which a reversible program must be able to take away: by logarithmic \
            numbers, where products are sums, or by a quotient.",
    run,
};

const ORDER: u32 = 2;
const TOLERANCE: f64 = 1e-8;
const SLOPE: f64 = 0.2102436;
const BEND: f64 = 0.13446683844358093;
/// What stopping at [`TOLERANCE`] leaves out, in the second derivative too.
const CLOSE: f64 = 1e-9;

const PLAIN: &str = "plain";
const LOGARITHMIC: &str = "reversible, logarithmic numbers";
const QUOTIENTS: &str = "reversible, quotients";
const BY_HAND: &str = "gradient by hand";
const DUAL: &str = "gradient forward, our dual numbers";
const NUM_DUAL: &str = "gradient forward, num-dual";
const GRADIENT_LOGARITHMIC: &str = "gradient, logarithmic numbers";
const GRADIENT: &str = "gradient, quotients";
const TAPES: [&str; 2] = ["gradient by the tape of aad", "gradient by the tape of reverse"];
const HESSIAN: &str = "second derivative, forward over reverse";
const TWICE: &str = "second derivative, forward over forward";

/// The supplement's numbers in nanoseconds, for those of ours that are nearest to them.
const PAPER: [(&str, f64); 5] =
    [(PLAIN, 17.1), (QUOTIENTS, 32.4), (DUAL, 39.3), (GRADIENT, 200.4), (TAPES[0], 1401.0)];

fn logarithmic(z: f64) -> f64 {
    let (n, tolerance) = black_box((ORDER, TOLERANCE));
    let mut y = 0.0;
    bessel(&mut y, n, &z, tolerance);
    y
}

fn gradient_logarithmic(z: f64) -> (f64, f64) {
    let (n, tolerance) = black_box((ORDER, TOLERANCE));
    let (mut y, mut d_z) = (0.0, 0.0);
    bessel(&mut y, n, &z, tolerance);
    let value = y;
    bessel {}.call_gradient((&mut y, &mut 1.0, n, &z, &mut d_z, tolerance));
    (value, d_z)
}

fn quotients<T: Real>(z: T) -> T {
    let (n, tolerance) = black_box((ORDER, TOLERANCE));
    let mut y = T::zero();
    bessel_by_quotients(&mut y, n, &z, tolerance);
    y
}

fn gradient<T: Real>(z: T) -> (T, T) {
    let (n, tolerance) = black_box((ORDER, TOLERANCE));
    let (mut y, mut d_z) = (T::zero(), T::zero());
    bessel_by_quotients(&mut y, n, &z, tolerance);
    let value = y.clone();
    bessel_by_quotients {}.call_gradient((&mut y, &mut T::one(), n, &z, &mut d_z, tolerance));
    (value, d_z)
}

fn by_hand(z: f64) -> f64 {
    let (n, tolerance) = black_box((ORDER, TOLERANCE));
    bessel_by_hand(n, z, tolerance)
}

fn slope_by_hand(z: f64) -> (f64, f64) {
    let (n, tolerance) = black_box((ORDER, TOLERANCE));
    gradient_by_hand(n, z, tolerance)
}

fn run(context: &Context) -> Findings {
    context.ahead(1);
    let z = 1.0;
    let function = Bessel { n: ORDER, tolerance: TOLERANCE };
    let twice = Dual { value: Dual::<f64>::variable(z, 0), tangents: [Dual::constant(1.0)] };

    let [value, slope, bend] = derivatives(ORDER, z, TOLERANCE);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} instead of {b}");
    near(by_hand(z), value);
    near(slope_by_hand(z).1, slope);
    near(gradient_logarithmic(z).1, slope);
    near(gradient(z).1, slope);
    near(gradient(Dual::<f64>::variable(z, 0)).1.tangents[0], bend);
    near(quotients(twice).tangents[0].tangents[0], bend);
    near(quotients(Dual64::new(z, 1.0)).eps, slope);
    tapes::<Bessel>().iter().for_each(|tape| near((tape.gradient)(&function, &[z])[0], slope));

    let mut contenders = vec![
        Contender::new(PLAIN, || by_hand(black_box(z))),
        Contender::new(LOGARITHMIC, || logarithmic(black_box(z))),
        Contender::new(QUOTIENTS, || quotients(black_box(z))),
        Contender::new(BY_HAND, || slope_by_hand(black_box(z))),
        Contender::new(DUAL, || quotients(Dual::<f64>::variable(black_box(z), 0))),
        Contender::new(NUM_DUAL, || quotients(Dual64::new(black_box(z), 1.0))),
        Contender::new(GRADIENT_LOGARITHMIC, || gradient_logarithmic(black_box(z))),
        Contender::new(GRADIENT, || gradient(black_box(z))),
    ];
    for (name, tape) in TAPES.into_iter().zip(tapes::<Bessel>()) {
        let function = &function;
        contenders.push(Contender::new(name, move || (tape.gradient)(function, black_box(&[z]))));
    }
    contenders.push(Contender::new(HESSIAN, || gradient(Dual::<f64>::variable(black_box(z), 0))));
    contenders.push(Contender::new(TWICE, || quotients(black_box(twice))));
    let times = race(context.budget(), contenders);
    context.next("done");
    let allocations = heap(|| gradient(z)).allocations;

    let paper = |name: &str| PAPER.iter().find(|(other, _)| *other == name).map(|(_, ns)| *ns);
    let mut table =
        Table::new("J₂(1)", ["program", "over plain", "time", "paper: over plain", "paper: time"]);
    for (name, time) in times.iter() {
        table.row([
            name.into(),
            Cell::Ratio(time / times.of(PLAIN)),
            Cell::Time(time),
            paper(name).map(|ns| Cell::Ratio(ns / PAPER[0].1)).into(),
            paper(name).map(|ns| Cell::Time(ns * 1e-9)).into(),
        ]);
    }
    let mut plot = Plot::new("J₂ and its derivatives", Axis::linear("z"), Axis::linear("value"));
    let curve: Vec<(f64, [f64; 3])> =
        (1..=60).map(|step| 0.2 * f64::from(step)).map(|z| (z, derivatives(2, z, 1e-14))).collect();
    for (row, name) in ["J₂", "J₂′", "J₂″"].into_iter().enumerate() {
        plot.line(name, curve.iter().map(|(z, values)| (*z, values[row])));
    }
    let ratio = times.ratio(GRADIENT, PLAIN);
    let paper_ratio = 200.4 / 17.1;
    let exact = (slope - SLOPE).abs() < 1e-7 && (bend - BEND).abs() < CLOSE;
    let mut findings = Findings::default();
    findings.table(table).figure(Figure::Plot(plot)).claim(Claim::new(
        "C27",
        "the times of value and gradient, J₂′(1) and J₂″(1)",
        format!("reversible 1.9 and gradient {paper_ratio:.1} times plain; {SLOPE}, {BEND}"),
        format!(
            "reversible {:.1} (logarithmic {:.1}), gradient {ratio:.1} (by hand {:.1}), \
             {allocations} allocations; {slope:.7}, {bend:.9}",
            times.ratio(QUOTIENTS, PLAIN),
            times.ratio(LOGARITHMIC, PLAIN),
            times.ratio(BY_HAND, PLAIN),
        ),
        if exact {
            Verdict::of_at_most(ratio, 1.1 * paper_ratio, paper_ratio)
        } else {
            Verdict::NotReproduced
        },
    ));
    findings.note(
        "The supplement’s reversible program multiplies by the quotient, as ours that is called so; \
         that with logarithmic numbers takes an exponential for each term.",
    );
    findings
}
