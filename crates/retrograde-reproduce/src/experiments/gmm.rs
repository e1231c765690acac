//! A mixture of Gaussians, fitted to points.

use super::ways::{self, Ways, largest};
use crate::experiment::{Context, Experiment};
use crate::findings::{Axis, Cell, Claim, Figure, Findings, Plot, Table, Unit, Verdict};
use crate::format;
use crate::measure::{Contender, assert_near, heap, race};
use crate::programs::case::Case;
use crate::programs::forward::{self, Directions};
use crate::programs::gmm::{Fit, PRIOR, State, log_likelihood_by_hand, parameters};
use crate::programs::program::Program;
use crate::programs::tapes::tapes;
use num_dual::DualSVec64;
use retrograde::num::Dual;
use retrograde_examples::gmm::{Mixture, log_likelihood};
use std::cell::RefCell;
use std::thread;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "gmm",
    title: "Gaussian mixture",
    paper: "section 5, figures 4 (a) and 5",
    about: "How likely a mixture of k Gaussians in d dimensions makes 10 000 points, with a prior \
            for the covariances: the first objective of the benchmark ADBench. Nearly all of the \
            time goes into products of a triangular matrix with a vector.",
    run,
};

/// The most that the reversible objective may take over the plain one, and what the paper says.
const OBJECTIVE: (f64, f64) = (1.1, 2.0);
/// The most that a gradient may take over the plain objective, from ten dimensions on.
const GRADIENT: f64 = 3.0;
/// How close to a number of the paper is as the paper says.
const CLOSE: f64 = 1.2;
/// How many points the paper has.
const POINTS: usize = 10_000;
/// How large points times parameters may be for forward mode and tapes.
const LARGE: (usize, usize) = (350_000, 3_500_000);
/// How many directions forward mode follows at once; as many as in the paper.
const DIRECTIONS: usize = 12;

/// Seconds that the paper has for its points.
struct Paper {
    d: usize,
    k: usize,
    julia: f64,
    nilang: f64,
    forward_gradient: Option<f64>,
    nilang_gradient: f64,
    tapenade: f64,
    tapenade_gradient: f64,
}

#[rustfmt::skip]
const SIZES: [Paper; 8] = [
    size(2, 5, [3.838e-3, 3.359e-3, 8.193e-3, 1.484e-3, 5.484e-3], Some(1.291e-2)),
    size(10, 5, [5.320e-3, 1.172e-2, 3.267e-2, 3.747e-3, 1.434e-2], Some(1.552)),
    size(2, 200, [1.320e-1, 9.957e-2, 2.655e-1, 4.836e-2, 2.205e-1], Some(18.91)),
    size(10, 50, [5.246e-2, 1.107e-1, 3.121e-1, 3.578e-2, 1.497e-1], Some(163.7)),
    size(64, 5, [2.248e-2, 7.038e-2, 5.982e-1, 5.314e-2, 4.396e-1], None),
    size(64, 10, [4.567e-2, 1.429e-1, 1.189, 1.069e-1, 9.588e-1], None),
    size(64, 25, [1.132e-1, 3.741e-1, 3.094, 2.583e-1, 2.586], None),
    size(64, 200, [2.837, 5.199, 27.41, 2.200, 24.42], None),
];

const fn size(d: usize, k: usize, seconds: [f64; 5], forward_gradient: Option<f64>) -> Paper {
    let [julia, nilang, nilang_gradient, tapenade, tapenade_gradient] = seconds;
    Paper { d, k, julia, nilang, forward_gradient, nilang_gradient, tapenade, tapenade_gradient }
}

impl Paper {
    fn name(&self) -> String {
        format!("({},\u{a0}{})", self.d, self.k)
    }

    fn parameters(&self) -> usize {
        self.k * (1 + self.d + self.d * (self.d + 1) / 2)
    }

    /// The numbers that the plain and the reversible program hold, by the paper's formulas.
    fn memory(&self) -> (f64, f64) {
        let (d, k, p) = (self.d as f64, self.k as f64, self.parameters() as f64);
        ((2.0 + d * d) * k + 2.0 * d + p, (3.0 + d * d + d) * k + 2.0 * k.log2() + p)
    }
}

/// Seconds and bytes.
struct Measured {
    points: usize,
    ways: Ways,
    /// What the plain and the reversible objective and the gradient hold, with the parameters,
    /// and, for the gradient, with their shadows.
    memory: [f64; 3],
    tape_memory: Option<f64>,
    /// Whether twice the points take no more.
    constant_memory: bool,
}

fn run(context: &Context) -> Findings {
    let (sizes, points) = context.pick((&SIZES[..4], POINTS / 10), (&SIZES[..], POINTS));
    context.ahead(sizes.len() + 1);
    context.next("versions agree");
    Fit::new(5, 3, 20).compare();
    let measured: Vec<(&Paper, Measured)> = sizes
        .iter()
        .map(|size| {
            context.next(&format!("d = {}, k = {}", size.d, size.k));
            (size, measure(context, size, points))
        })
        .collect();
    let mut findings = Findings::default();
    findings
        .table(ratios(&measured))
        .table(times(&measured, points))
        .table(memory(&measured))
        .figure(figure_of_times(&measured))
        .figure(figure_of_memory(&measured));
    claims(&mut findings, &measured);
    findings.note(
        "The points and mixtures are random numbers: ADBench’s files are not part of this. The \
         example `gmm` is tested with ADBench’s small test and, where a copy of ADBench is at \
         hand, with its file for (10, 5). The paper’s reversible program leaves out the prior, in \
         the value and in the gradient (607.538 of −317 178.334 for that file), and takes what is \
         below the diagonals row by row instead of column by column.",
    );
    findings.note(
        "The gradient is taken with the value, in one pass, over the plain objective; that by hand \
         is the gradient alone. The paper’s are over its own objectives.",
    );
    findings.note(
        "Memory is what is on the heap at one time, in numbers of 8 bytes, with the parameters \
         and without the points. The paper counts the same by hand, for a program that stores \
         each Q as a full matrix.",
    );
    findings
}

fn measure(context: &Context, size: &Paper, points: usize) -> Measured {
    let fit = Fit::new(size.d, size.k, points);
    let start = fit.start();
    let x = Fit::arguments(&start);
    let small = points * x.len() <= context.pick(LARGE.0, LARGE.1);
    check(&start, small);
    let state = RefCell::new(start.clone());
    let mut contenders = vec![
        Contender::new(ways::PLAIN, || Fit::value_by_hand(&mut state.borrow_mut())),
        Contender::new(ways::REVERSIBLE, || Fit::call(&mut state.borrow_mut())),
        Contender::new(ways::DERIVATIVE, || {
            let state = state.borrow();
            log_likelihood::gradient(&state.mixture, &state.points, PRIOR)
        }),
        Contender::new(ways::BY_HAND, || Fit::adjoint_by_hand(&mut state.borrow_mut())),
    ];
    if small {
        contenders.push(Contender::new(ways::FORWARD, || {
            forward::<Dual<f64, DIRECTIONS>>(&start.mixture, &start.points)
        }));
        contenders.push(Contender::new(ways::NUM_DUAL, || {
            forward::<DualSVec64<DIRECTIONS>>(&start.mixture, &start.points)
        }));
        for tape in tapes::<Fit>() {
            contenders.push(Contender::new(tape.name, {
                let (fit, x) = (&fit, &x);
                move || (tape.gradient)(fit, x)
            }));
        }
    }
    let held = |fit: &Fit| {
        let state = || fit.start();
        let peak = |run: fn(&mut State)| {
            let mut state = state();
            heap(|| run(&mut state)).peak as f64
        };
        let parameters = 8.0 * x.len() as f64;
        [
            peak(Fit::value_by_hand) + parameters,
            peak(Fit::call) + parameters,
            peak(Fit::gradient_alone) + 2.0 * parameters,
        ]
    };
    let memory = held(&fit);
    // A tape is kept by its thread.
    let tape = || heap(|| (tapes::<Fit>()[0].gradient)(&fit, &x)).peak as f64;
    let tape = || thread::scope(|scope| scope.spawn(tape).join().expect("it ran before"));
    Measured {
        points,
        ways: Ways::new(&race(context.budget(), contenders)),
        memory,
        tape_memory: small.then(tape),
        constant_memory: held(&Fit::new(size.d, size.k, 2 * points)) == memory,
    }
}

/// The gradient must be that by hand, and by forward mode where there is time for it.
fn check(start: &State, forwards: bool) {
    let (mut ours, mut by_hand) = (start.clone(), start.clone());
    Fit::gradient_alone(&mut ours);
    Fit::adjoint_by_hand(&mut by_hand);
    let ours = Fit::gradient(&ours);
    let at = log_likelihood::gradient(&start.mixture, &start.points, PRIOR);
    assert_near("the gradient with the value", &parameters(&at.d_mixture), &ours, 1e-10);
    let value = log_likelihood_by_hand(&start.mixture, &start.points, PRIOR);
    assert_near("the value with the gradient", &[at.value], &[value], 1e-10);
    assert_near("the gradient by hand", &Fit::gradient(&by_hand), &ours, 1e-10);
    if forwards {
        let (mixture, points) = (&start.mixture, &start.points);
        let found = forward::<Dual<f64, DIRECTIONS>>(mixture, points);
        assert_near("forward mode", &found, &ours, 1e-10);
        let found = forward::<DualSVec64<DIRECTIONS>>(mixture, points);
        assert_near("forward mode by num-dual", &found, &ours, 1e-10);
    }
}

/// The gradient by dual numbers, several directions at once.
fn forward<D: Directions<DIRECTIONS>>(mixture: &Mixture<f64>, points: &[f64]) -> Vec<f64> {
    let x = parameters(mixture);
    let (k, means) = (mixture.alphas.len(), mixture.means.len());
    let mut gradient = vec![0.0; x.len()];
    forward::gradient(&x, &mut gradient, |duals: &[D]| {
        let (alphas, rest) = duals.split_at(k);
        let (means, factors) = rest.split_at(means);
        let [alphas, means, factors] = [alphas, means, factors].map(<[D]>::to_vec);
        let mut y = D::constant(0.0);
        log_likelihood(&mut y, &Mixture { alphas, means, factors }, points, PRIOR);
        y
    });
    gradient
}

fn ratios(measured: &[(&Paper, Measured)]) -> Table {
    let mut table = Table::new(
        "Over the plain objective",
        [
            "(d, k)",
            "objective",
            "paper: objective",
            "gradient",
            "paper: NiLang",
            "paper: Tapenade",
            "by hand",
            "forward",
            "num-dual",
            "tape aad",
            "tape reverse",
        ],
    );
    for (paper, ours) in measured {
        let Measured { ways, .. } = ours;
        table.row([
            paper.name().into(),
            ways.over_plain(ways.reversible),
            Cell::Ratio(paper.nilang / paper.julia),
            ways.over_plain(ways.derivative),
            Cell::Ratio(paper.nilang_gradient / paper.nilang),
            Cell::Ratio(paper.tapenade_gradient / paper.tapenade),
            ways.over_plain(ways.by_hand),
            ways.over_plain(ways.forward),
            ways.over_plain(ways.num_dual),
            ways.over_plain(ways.tapes[0]),
            ways.over_plain(ways.tapes[1]),
        ]);
    }
    table
}

fn times(measured: &[(&Paper, Measured)], points: usize) -> Table {
    let mut table = Table::new(
        format!("Time for {points} points; the paper’s for {POINTS}"),
        [
            "(d, k)",
            "parameters",
            "plain",
            "reversible",
            "gradient",
            "by hand",
            "forward",
            "paper: Julia",
            "paper: NiLang",
            "paper: NiLang gradient",
            "paper: Tapenade gradient",
        ],
    );
    for (paper, ours) in measured {
        table.row([
            paper.name().into(),
            paper.parameters().into(),
            Cell::Time(ours.ways.plain),
            Cell::Time(ours.ways.reversible),
            Cell::Time(ours.ways.derivative),
            Cell::Time(ours.ways.by_hand),
            ours.ways.forward.map(Cell::Time).into(),
            Cell::Time(paper.julia),
            Cell::Time(paper.nilang),
            Cell::Time(paper.nilang_gradient),
            Cell::Time(paper.tapenade_gradient),
        ]);
    }
    table
}

fn memory(measured: &[(&Paper, Measured)]) -> Table {
    let mut table = Table::new(
        "Most numbers held at one time",
        [
            "(d, k)",
            "plain",
            "paper: S",
            "reversible",
            "paper: Sᵣ",
            "gradient",
            "paper: 2 Sᵣ",
            "tape aad",
        ],
    );
    let numbers = |bytes: f64| Cell::Count((bytes / 8.0).round() as u64);
    for (paper, ours) in measured {
        let (plain, reversible) = paper.memory();
        table.row([
            paper.name().into(),
            numbers(ours.memory[0]),
            numbers(8.0 * plain),
            numbers(ours.memory[1]),
            numbers(8.0 * reversible),
            numbers(ours.memory[2]),
            numbers(16.0 * reversible),
            ours.tape_memory.map(numbers).into(),
        ]);
    }
    table
}

fn figure_of_times<'m>(measured: &'m [(&Paper, Measured)]) -> Figure {
    let mut plot = Plot::new(
        "Time of a gradient for each point",
        Axis::logarithmic("parameters"),
        Axis::logarithmic("time").of(Unit::Seconds),
    );
    let ours = |(paper, ours): &'m (&Paper, Measured)| {
        (paper.parameters() as f64, ours.points as f64, &ours.ways)
    };
    Ways::draw(&mut plot, "gradient", &measured.iter().map(ours).collect::<Vec<_>>());
    let quoted = |time: fn(&Paper) -> Option<f64>| -> Vec<(f64, f64)> {
        let point = |paper: &Paper| Some((paper.parameters() as f64, time(paper)? / POINTS as f64));
        SIZES.iter().filter_map(point).collect()
    };
    plot.dashes("paper: NiLang", quoted(|paper| Some(paper.nilang_gradient)))
        .dashes("paper: Tapenade", quoted(|paper| Some(paper.tapenade_gradient)))
        .dashes("paper: ForwardDiff", quoted(|paper| paper.forward_gradient));
    Figure::Plot(plot)
}

fn figure_of_memory(measured: &[(&Paper, Measured)]) -> Figure {
    let mut plot = Plot::new(
        "Most numbers held at one time",
        Axis::logarithmic("parameters"),
        Axis::logarithmic("numbers"),
    );
    let ours = |which: usize| {
        let point = move |(paper, ours): &(&Paper, Measured)| {
            (paper.parameters() as f64, ours.memory[which] / 8.0)
        };
        measured.iter().map(point).collect::<Vec<_>>()
    };
    let quoted = |memory: fn(&Paper) -> f64| {
        SIZES.iter().map(|paper| (paper.parameters() as f64, memory(paper))).collect::<Vec<_>>()
    };
    let tape = measured
        .iter()
        .filter_map(|(paper, ours)| Some((paper.parameters() as f64, ours.tape_memory? / 8.0)));
    plot.line("plain", ours(0))
        .line("reversible", ours(1))
        .line("gradient", ours(2))
        .line("tape aad", tape)
        .dashes("paper: plain", quoted(|paper| paper.memory().0))
        .dashes("paper: reversible", quoted(|paper| paper.memory().1));
    Figure::Plot(plot)
}

fn claims(findings: &mut Findings, measured: &[(&Paper, Measured)]) {
    let worst = |ratio: &dyn Fn(&Paper, &Measured) -> f64| {
        largest(measured.iter().map(|(paper, ours)| ratio(paper, ours)))
    };
    let objective = worst(&|_, ours| ours.ways.reversible / ours.ways.plain);
    findings.claim(Claim::new(
        "C9",
        "the reversible objective is about 2 times as slow as the plain one",
        "0.75 to 3.3 times",
        format!("at most {}", format::ratio(objective)),
        Verdict::of_at_most(objective, OBJECTIVE.1, OBJECTIVE.0),
    ));
    let gradient = |ours: &Measured| ours.ways.derivative / ours.ways.plain;
    let tapenade = |paper: &Paper| paper.tapenade_gradient / paper.tapenade;
    let against = worst(&|paper, ours| gradient(ours) / tapenade(paper));
    let large = worst(&|paper, ours| if paper.d >= 10 { gradient(ours) } else { 0.0 });
    findings.claim(Claim::new(
        "C10",
        "gradient over objective is close to Tapenade’s",
        "NiLang 2.4 to 8.5, Tapenade 3.7 to 11.1",
        format!(
            "at most {} from d = 10 on, {} otherwise; at most {} of Tapenade’s",
            format::ratio(large),
            format::ratio(worst(&|_, ours| gradient(ours))),
            format::ratio(against),
        ),
        match large <= GRADIENT && against <= 1.0 {
            true => Verdict::Better,
            false => Verdict::of(against <= CLOSE),
        },
    ));
    let over_formula = worst(&|paper, ours| ours.memory[1] / 8.0 / paper.memory().1);
    let over_twice = worst(&|paper, ours| ours.memory[2] / 16.0 / paper.memory().1);
    let constant = measured.iter().all(|(_, ours)| ours.constant_memory);
    findings.claim(Claim::new(
        "C11",
        "the reversible program holds Sᵣ numbers, its gradient twice as many, however many points",
        "Sᵣ = 1.01 to 1.25 S",
        format!(
            "at most {} of Sᵣ, the gradient {} of 2 Sᵣ; {} with twice the points",
            format::ratio(over_formula),
            format::ratio(over_twice),
            if constant { "no more" } else { "more" },
        ),
        match constant {
            true => Verdict::of_at_most(over_formula.max(over_twice), CLOSE, 1.0),
            false => Verdict::NotReproduced,
        },
    ));
    let against_paper = |paper: &Paper, ours: &Measured| {
        (ours.ways.derivative / ours.points as f64) / (paper.nilang_gradient / POINTS as f64)
    };
    let slowest = worst(&against_paper);
    let times: Vec<String> = measured
        .iter()
        .map(|(paper, ours)| format!("{} {}", paper.name(), format::time(ours.ways.derivative)))
        .collect();
    findings.claim(Claim::new(
        "C12",
        "the times of eight sizes",
        "gradients from 8.19 ms to 27.4 s, on a Xeon Gold 6230",
        format!(
            "{} of eight sizes with {} points: {}; for each point, at most {} of NiLang’s",
            measured.len(),
            measured[0].1.points,
            times.join(", "),
            format::ratio(slowest),
        ),
        Verdict::of_at_most(slowest, CLOSE, 1.0),
    ));
}
