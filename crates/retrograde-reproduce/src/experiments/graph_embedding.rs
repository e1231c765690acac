//! The Petersen graph in few dimensions: gradients and Hessians, and what they are good for.

use crate::experiment::{Context, Experiment};
use crate::findings::{Axis, Cell, Claim, Figure, Findings, Graph, Plot, Table, Unit, Verdict};
use crate::format;
use crate::measure::{Contender, Times, assert_near, race};
use crate::programs::embedding::{Embedding, gradient_by_hand, loss_by_hand};
use crate::programs::forward::{self, Directions};
use crate::programs::tapes::tapes;
use argmin::core::{CostFunction, Error, Executor, Gradient, Hessian, State};
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use num_dual::{DualSVec64, HyperDual64};
use retrograde::calculus::{Matrix, With, gradient_into, hessian};
use retrograde::prelude::*;
use retrograde_examples::graph_embedding::{
    FROZEN, JOINED, PAIRS, VERTICES, embedding_loss, start, stretch, train_by_adam,
};
use std::hint::black_box;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "graph-embedding",
    title: "Graph embedding",
    paper: "appendix, “Graph embedding problem”",
    about: "In how many dimensions can the Petersen graph lie such that joined vertices are all \
            equally far apart, and all others equally far, but farther? The loss is the variance \
            of both distances and a penalty on their order. With its gradient it is made small by \
            many steps, with its Hessian by a few.",
    run,
};

/// The gradient takes at most so many times the plain objective, at [`LARGEST`].
const GRADIENT_BAR: f64 = 3.0;
/// The Hessian is at least so many times as fast as by forward over forward, at [`LARGEST`].
const HESSIAN_BAR: f64 = 10.0;
/// A loss that is zero but for rounding.
const NOTHING: f64 = 1e-15;
const LARGEST: usize = 10;
const ENOUGH: usize = 5;

/// The paper's times for k = 2, 4, 6, 8, 10, in seconds.
const PAPER: [(&str, [f64; 5]); 10] = [
    ("Julia, objective", [4.477e-6, 4.729e-6, 4.959e-6, 5.196e-6, 5.567e-6]),
    ("NiLang, objective", [7.173e-6, 7.783e-6, 8.558e-6, 9.212e-6, 1.002e-5]),
    ("NiLang, back", [7.453e-6, 7.839e-6, 8.464e-6, 9.298e-6, 1.054e-5]),
    ("NiLang, gradient", [1.509e-5, 1.690e-5, 1.872e-5, 2.076e-5, 2.266e-5]),
    ("ReverseDiff, gradient", [2.823e-5, 4.582e-5, 6.045e-5, 7.651e-5, 9.666e-5]),
    ("ForwardDiff, gradient", [1.518e-5, 4.053e-5, 6.732e-5, 1.184e-4, 1.701e-4]),
    ("Zygote, gradient", [5.315e-4, 5.570e-4, 5.811e-4, 6.096e-4, 6.396e-4]),
    ("NiLang with ForwardDiff, Hessian", [4.528e-4, 1.025e-3, 1.740e-3, 2.577e-3, 3.558e-3]),
    ("ForwardDiff, Hessian", [2.378e-4, 2.380e-3, 6.903e-3, 1.967e-2, 3.978e-2]),
    ("ReverseDiff with ForwardDiff, Hessian", [1.966e-3, 6.058e-3, 1.225e-2, 2.035e-2, 3.140e-2]),
];

const PLAIN: &str = "plain objective";
const OBJECTIVE: &str = "objective";
const BACK: &str = "back";
const BY_HAND: &str = "gradient by hand";
const GRADIENT: &str = "gradient";
const ALONE: &str = "gradient without the value";
const FORWARD: &str = "gradient forward, our dual numbers";
const NUM_DUAL: &str = "gradient forward, num-dual";
const HESSIAN: &str = "Hessian, forward over reverse";
const TWICE: &str = "Hessian, forward over forward, our dual numbers";
const HYPER: &str = "Hessian, forward over forward, num-dual";

/// How many directions dual numbers carry at once.
const LANES: usize = 8;

/// The gradient by dual numbers.
fn gradient_forward<D: Directions<LANES>>(x: &[f64], k: usize, gradient: &mut [f64]) {
    forward::gradient(x, gradient, |duals: &[D]| {
        let mut y = D::constant(0.0);
        embedding_loss(&mut y, duals, k);
        y
    });
}

/// The Hessian by dual numbers of dual numbers: a square of it at a time, and each square
/// and its mirror image once.
fn hessian_forward(x: &[f64], k: usize) -> Matrix<f64> {
    type Inner = Dual<f64, LANES>;
    type Outer = Dual<Inner, LANES>;
    let n = x.len();
    let mut hessian = Matrix::filled(n, n, 0.0);
    let constant = |x: f64| Outer::constant(Inner::constant(x));
    let mut duals: Vec<Outer> = x.iter().copied().map(constant).collect();
    for row in (0..n).step_by(LANES) {
        for column in (0..=row).step_by(LANES) {
            let rows = row..n.min(row + LANES);
            let columns = column..n.min(column + LANES);
            for (lane, i) in rows.clone().enumerate() {
                duals[i].value.tangents[lane] = 1.0;
            }
            for (lane, j) in columns.clone().enumerate() {
                duals[j].tangents[lane].value = 1.0;
            }
            let mut y = constant(0.0);
            embedding_loss(&mut y, &duals, k);
            for (i, lane) in rows.clone().zip(0..) {
                for (j, tangent) in columns.clone().zip(&y.tangents) {
                    hessian[(i, j)] = tangent.tangents[lane as usize];
                    hessian[(j, i)] = tangent.tangents[lane as usize];
                }
            }
            for i in rows.chain(columns) {
                duals[i] = constant(x[i]);
            }
        }
    }
    hessian
}

/// The Hessian by the hyper-dual numbers of `num-dual`, an element and its mirror image at
/// a time.
fn hessian_num_dual(x: &[f64], k: usize) -> Matrix<f64> {
    let n = x.len();
    let mut hessian = Matrix::filled(n, n, 0.0);
    let mut numbers: Vec<HyperDual64> = x.iter().copied().map(HyperDual64::from_re).collect();
    for i in 0..n {
        for j in 0..=i {
            numbers[i].eps1 = 1.0;
            numbers[j].eps2 = 1.0;
            let mut y = HyperDual64::from_re(0.0);
            embedding_loss(&mut y, &numbers, k);
            hessian[(i, j)] = y.eps1eps2;
            hessian[(j, i)] = y.eps1eps2;
            numbers[i].eps1 = 0.0;
            numbers[j].eps2 = 0.0;
        }
    }
    hessian
}

/// All ways must agree before any of them is timed.
fn compare(k: usize) {
    let x = start(k, 7);
    let at = hessian(&With(embedding_loss {}, (k,)), &x);
    let near = |what: &str, found: &[f64], expected: &[f64]| {
        assert_near(&format!("{what}, k = {k}"), found, expected, 1e-10);
    };
    let mut g = vec![0.0; x.len()];
    gradient_forward::<Dual<f64, LANES>>(&x, k, &mut g);
    near(FORWARD, &g, &at.gradient);
    gradient_forward::<DualSVec64<LANES>>(&x, k, &mut g);
    near(NUM_DUAL, &g, &at.gradient);
    g.fill(0.0);
    let value = gradient_by_hand(1.0, &x, &mut g, k);
    near(BY_HAND, &g, &at.gradient);
    near(PLAIN, &[value, loss_by_hand(&x, k)], &[at.value; 2]);
    for tape in tapes::<Embedding>() {
        near(tape.name, &(tape.gradient)(&Embedding { k }, &x), &at.gradient);
    }
    near(TWICE, hessian_forward(&x, k).as_slice(), at.hessian.as_slice());
    near(HYPER, hessian_num_dual(&x, k).as_slice(), at.hessian.as_slice());
}

fn measure<'a>(context: &Context, embedding: &'a Embedding, x: &'a [f64]) -> Times<'a> {
    let k = embedding.k;
    let loss = || With(embedding_loss {}, (k,));
    let (for_gradient, for_hessian) = (loss(), loss());
    let buffer = || vec![0.0; x.len()];
    let (mut by_hand, mut ours, mut alone) = (buffer(), buffer(), buffer());
    let (mut forward, mut by_num_dual) = (buffer(), buffer());
    let mut contenders = vec![
        Contender::new(PLAIN, move || loss_by_hand(black_box(x), black_box(k))),
        Contender::new(OBJECTIVE, move || {
            let mut y = 0.0;
            embedding_loss(&mut y, black_box(x), black_box(k));
            y
        }),
        Contender::new(BACK, move || {
            let mut y = 1.0;
            embedding_loss::inverse(&mut y, black_box(x), black_box(k));
            y
        }),
        Contender::new(BY_HAND, move || {
            gradient_by_hand(1.0, black_box(x), &mut by_hand, black_box(k))
        }),
        Contender::new(GRADIENT, move || {
            gradient_into(black_box(&for_gradient), black_box(x), &mut ours)
        }),
        Contender::new(ALONE, move || {
            let arguments = (&mut 0.0, &mut 1.0, black_box(x), &mut alone[..], black_box(k));
            embedding_loss {}.call_gradient(arguments);
        }),
        Contender::new(FORWARD, move || {
            gradient_forward::<Dual<f64, LANES>>(black_box(x), k, &mut forward);
        }),
        Contender::new(NUM_DUAL, move || {
            gradient_forward::<DualSVec64<LANES>>(black_box(x), k, &mut by_num_dual);
        }),
    ];
    for (name, tape) in TAPES.into_iter().zip(tapes::<Embedding>()) {
        contenders.push(Contender::new(name, move || (tape.gradient)(embedding, black_box(x))));
    }
    contenders.extend([
        Contender::new(HESSIAN, move || hessian(black_box(&for_hessian), black_box(x))),
        Contender::new(TWICE, move || hessian_forward(black_box(x), k)),
        Contender::new(HYPER, move || hessian_num_dual(black_box(x), k)),
    ]);
    race(context.budget(), contenders)
}

const TAPES: [&str; 2] = ["gradient by the tape of aad", "gradient by the tape of reverse"];

/// The loss as a function of the vertices that may move.
struct Movable {
    frozen: Vec<f64>,
    k: usize,
}

impl Movable {
    fn whole(&self, x: &[f64]) -> Vec<f64> {
        [&self.frozen, x].concat()
    }
}

impl CostFunction for Movable {
    type Param = Vec<f64>;
    type Output = f64;
    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        let mut y = 0.0;
        embedding_loss(&mut y, &self.whole(x), self.k);
        Ok(y)
    }
}

impl Gradient for Movable {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;
    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let x = self.whole(x);
        let mut gradient = vec![0.0; x.len()];
        gradient_into(&With(embedding_loss {}, (self.k,)), &x, &mut gradient);
        Ok(gradient.split_off(self.frozen.len()))
    }
}

impl Hessian for Movable {
    type Param = Vec<f64>;
    type Hessian = Vec<Vec<f64>>;
    fn hessian(&self, x: &Vec<f64>) -> Result<Vec<Vec<f64>>, Error> {
        let x = self.whole(x);
        let whole = hessian(&With(embedding_loss {}, (self.k,)), &x).hessian;
        let first = self.frozen.len();
        Ok((first..x.len()).map(|row| whole.row(row)[first..].to_vec()).collect())
    }
}

/// What came of a training.
struct Trained {
    loss: f64,
    x: Vec<f64>,
    /// How often the gradient was needed, or the Hessian.
    steps: u64,
}

fn train_by_newton(k: usize, seed: u64, most: u64) -> Result<Trained, Error> {
    let mut frozen = start(k, seed);
    let movable = frozen.split_off(FROZEN * k);
    let solver = TrustRegion::new(Steihaug::new()).with_max_radius(20.0)?.with_eta(0.1)?;
    let done = Executor::new(Movable { frozen: frozen.clone(), k }, solver)
        .configure(|state| state.param(movable).max_iters(most).target_cost(1e-28).counting(true))
        .run()?;
    let best = done.state.get_best_param().expect("the start, if nothing is better");
    let steps = done.state.get_func_counts().get("hessian_count").copied().unwrap_or(0);
    Ok(Trained { loss: done.state.get_best_cost(), x: [&frozen[..], best].concat(), steps })
}

fn best(trained: &[Trained]) -> &Trained {
    trained.iter().min_by(|a, b| a.loss.total_cmp(&b.loss)).expect("a start at least")
}

fn run(context: &Context) -> Findings {
    let sizes: Vec<usize> = context.pick(vec![2, 6, LARGEST], (1..=LARGEST).collect());
    context.ahead(sizes.len() + LARGEST);
    let mut findings = Findings::default();
    sizes.iter().for_each(|k| compare(*k));
    let cases: Vec<(Embedding, Vec<f64>)> =
        sizes.iter().map(|k| (Embedding { k: *k }, start(*k, 7))).collect();
    let mut times = Vec::new();
    for (embedding, x) in &cases {
        times.push((embedding.k, measure(context, embedding, x)));
        context.next(&format!("timed at k = {}", embedding.k));
    }
    report_times(&times, &mut findings);
    report_training(context, &mut findings);
    findings
}

fn report_times(times: &[(usize, Times)], findings: &mut Findings) {
    let (_, last) = times.last().expect("a size at least");
    let mut table = Table::new("Times", ["program", "over plain at k = 10"]);
    table.columns.extend(times.iter().map(|(k, _)| format!("k = {k}")));
    for (name, time) in last.iter() {
        let mut row = vec![name.into(), Cell::Ratio(time / last.of(PLAIN))];
        row.extend(times.iter().map(|(_, times)| Cell::Time(times.of(name))));
        table.row(row);
    }
    let mut paper = Table::new(
        "Times of the paper",
        ["program", "over plain at k = 10", "k = 2", "k = 4", "k = 6", "k = 8", "k = 10"],
    );
    for (name, times) in PAPER {
        let mut row = vec![name.into(), Cell::Ratio(times[4] / PAPER[0].1[4])];
        row.extend(times.map(Cell::Time));
        paper.row(row);
    }
    let mut plot = Plot::new(
        "Times",
        Axis::linear("dimensions k"),
        Axis::logarithmic("time").of(Unit::Seconds),
    );
    for name in [PLAIN, GRADIENT, FORWARD, TAPES[0], HESSIAN, TWICE] {
        plot.line(name, times.iter().map(|(k, times)| (*k as f64, times.of(name))));
    }
    for row in [0, 3, 7, 8] {
        let (name, times) = PAPER[row];
        let points = times.into_iter().enumerate().map(|(i, time)| (2.0 * (i + 1) as f64, time));
        plot.dashes(&format!("paper: {name}"), points);
    }
    findings.table(table).table(paper).figure(Figure::Plot(plot));

    let over_plain = |row: usize| PAPER[row].1[4] / PAPER[0].1[4];
    let gradient = last.ratio(GRADIENT, PLAIN);
    findings.claim(Claim::new(
        "C18",
        "the times for k = 2 to 10",
        format!(
            "at k = 10, over plain: objective {:.2}, gradient {:.2}, Hessian {:.0}",
            over_plain(1),
            over_plain(3),
            over_plain(7)
        ),
        format!(
            "objective {:.2}, gradient {gradient:.2} (to be at most {GRADIENT_BAR}; {:.2} without the \
             value, {:.2} by hand), Hessian {:.0}; plain takes {}",
            last.ratio(OBJECTIVE, PLAIN),
            last.ratio(ALONE, PLAIN),
            last.ratio(BY_HAND, PLAIN),
            last.ratio(HESSIAN, PLAIN),
            format::time(last.of(PLAIN)),
        ),
        Verdict::of_at_most(gradient, over_plain(3), GRADIENT_BAR),
    ));
    let large = || times.iter().filter(|(k, _)| *k >= 3);
    let first = |ours: &str, others: &[&str]| {
        large().all(|(_, times)| others.iter().all(|other| times.of(ours) < times.of(other)))
    };
    let fastest = first(GRADIENT, &[FORWARD, NUM_DUAL, TAPES[0], TAPES[1]])
        && first(HESSIAN, &[TWICE, HYPER]);
    let gain = last.ratio(TWICE, HESSIAN);
    let paper_gain = PAPER[8].1[4] / PAPER[7].1[4];
    findings.claim(Claim::new(
        "C19",
        "gradient and Hessian are the fastest from k = 3 on",
        format!(
            "at k = 10 the gradient {:.1} times as fast as forward, {:.1} times as by a tape; \
             the Hessian {paper_gain:.1} times as by forward over forward",
            PAPER[5].1[4] / PAPER[3].1[4],
            PAPER[4].1[4] / PAPER[3].1[4],
        ),
        format!(
            "{:.1}, {:.1} and {gain:.1} (to be at least {HESSIAN_BAR})",
            last.ratio(FORWARD, GRADIENT),
            last.ratio(TAPES[0], GRADIENT).min(last.ratio(TAPES[1], GRADIENT)),
        ),
        match fastest {
            true if gain >= HESSIAN_BAR.max(paper_gain) => Verdict::Better,
            holds => Verdict::of(holds && gain >= HESSIAN_BAR),
        },
    ));
}

fn report_training(context: &Context, findings: &mut Findings) {
    let seeds = 1..=context.pick(3_u64, 20);
    let mut table = Table::new(
        "Training",
        [
            "k",
            "loss by Adam",
            "loss by Newton",
            "Hessians",
            "starts that reach zero",
            "far over near",
        ],
    );
    let mut losses = [Vec::new(), Vec::new()];
    let (mut small_fail, mut large_succeed) = (true, true);
    for k in 1..=LARGEST {
        let by_adam: Vec<Trained> = seeds
            .clone()
            .map(|seed| {
                let mut x = start(k, seed);
                let steps = 2000;
                Trained { loss: train_by_adam(&mut x, k, steps, 0.01), x, steps: steps as u64 }
            })
            .collect();
        let by_newton: Vec<Trained> = seeds
            .clone()
            .map(|seed| train_by_newton(k, seed, 100).expect("a loss that can be differentiated"))
            .collect();
        let (adam, newton) = (best(&by_adam), best(&by_newton));
        let reached = by_newton.iter().filter(|one| one.loss <= NOTHING).count();
        table.row([
            k.into(),
            Cell::Number(adam.loss),
            Cell::Number(newton.loss),
            Cell::Count(newton.steps),
            format!("{reached} of {}", by_newton.len()).into(),
            Cell::Number(stretch(&newton.x, k)),
        ]);
        for (losses, loss) in losses.iter_mut().zip([adam.loss, newton.loss]) {
            losses.push((k as f64, loss.max(1e-32)));
        }
        if k < ENOUGH {
            small_fail &= adam.loss > 1e-3 && newton.loss > 1e-3;
        } else {
            large_succeed &= newton.loss <= NOTHING;
        }
        if k == ENOUGH {
            report_solution(newton, adam, findings);
        }
        context.next(&format!("trained at k = {k}"));
    }
    let mut plot =
        Plot::new("Loss", Axis::linear("dimensions k"), Axis::logarithmic("the least loss"));
    let [adam, newton] = losses;
    plot.line("Adam, 2000 gradients", adam);
    plot.line("trust region, up to 100 Hessians", newton);
    findings.table(table).figure(Figure::Plot(plot));
    // The claim has two halves; the other one is about the solution.
    let claim = findings.claims.last_mut().expect("the claim about the solution");
    claim.ours = format!(
        "{} below {ENOUGH}, {} from there on; {}",
        if small_fail { "never zero" } else { "sometimes zero" },
        if large_succeed { "zero but for rounding" } else { "not always zero" },
        claim.ours
    );
    if !(small_fail && large_succeed) {
        claim.verdict = Verdict::NotReproduced;
    }
}

fn report_solution(newton: &Trained, adam: &Trained, findings: &mut Findings) {
    let stretch = stretch(&newton.x, ENOUGH);
    findings.claim(Claim::new(
        "C20",
        "the Petersen graph fits into 5 dimensions, with l₂/l₁ = √2",
        "never zero below 5, machine precision from there on; √2; about 2000 steps of Adam, \
         about 20 Hessians, and those better",
        format!(
            "l₂/l₁ = √2 {:+.0e}; Adam {} after {} steps, Newton {} after {} Hessians",
            stretch - 2.0_f64.sqrt(),
            format::number(adam.loss),
            adam.steps,
            format::number(newton.loss),
            newton.steps,
        ),
        Verdict::of((stretch - 2.0_f64.sqrt()).abs() < 1e-6),
    ));
    findings.figure(Figure::Graph(Graph {
        title: "The graph in 5 dimensions, seen along the plane in which its five-fold \
                symmetry turns it"
            .into(),
        points: project(&newton.x, ENOUGH),
        edges: PAIRS[..JOINED].into(),
    }));
}

/// The vertices in the plane that is spanned by the first harmonics of the outer pentagon.
fn project(x: &[f64], k: usize) -> Vec<(f64, f64)> {
    let point = |i: usize| &x[i * k..(i + 1) * k];
    let harmonic = |phase: f64| -> Vec<f64> {
        let mut axis = vec![0.0; k];
        for i in 0..5 {
            let weight = (std::f64::consts::TAU * i as f64 / 5.0 + phase).cos();
            axis.iter_mut().zip(point(i)).for_each(|(axis, x)| *axis += weight * x);
        }
        axis
    };
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let scaled = |mut axis: Vec<f64>| {
        let length = dot(&axis, &axis).sqrt();
        axis.iter_mut().for_each(|x| *x /= length);
        axis
    };
    let first = scaled(harmonic(0.0));
    let mut second = harmonic(-std::f64::consts::FRAC_PI_2);
    let shared = dot(&first, &second);
    second.iter_mut().zip(&first).for_each(|(b, a)| *b -= shared * a);
    let second = scaled(second);
    (0..VERTICES).map(|i| (dot(point(i), &second), dot(point(i), &first))).collect()
}
