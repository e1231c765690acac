//! What schedules cost: counted, and compared with the formulas.

use crate::experiment::{Context, Experiment};
use crate::findings::{Axis, Cell, Claim, Figure, Findings, Plot, Table, Verdict};
use crate::format;
use crate::measure::{Contender, heap, race};
use retrograde::prelude::*;
use retrograde::schedule::{Event, Run, Schedule, by_hand, plan};
use retrograde_examples::bennett::{Cost, bennett, double};
use retrograde_examples::schedules::{START, THETA, lorenz};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "schedules",
    title: "Time against memory",
    paper: "section 2 and table 1, the supplement on Bennett’s time-space trade-off",
    about: "A long run cannot keep all of its states. Bennett’s schedule uncomputes most of them \
            by running backwards, treeverse drops them and makes them again. How often a step is \
            taken then, and how many states are kept, is counted here and compared with the \
            formulas; and the gradient of a run of the Lorenz system is measured under each of \
            the schedules.",
    run,
};

/// Derivatives of x after 10 000 steps by the start and by σ, ρ and β, from the paper’s
/// authors. The system is chaotic, so that only about ten digits are the same anywhere.
const GRADIENT: [f64; 6] = [
    1807.1468707714816,
    669.36087230128,
    787697.5574499699,
    -297541.66270377295,
    176517.9204222756,
    1.301738888866972e6,
];

/// How far they may be off.
const TOLERANCE: f64 = 1e-8;

fn run(context: &Context) -> Findings {
    context.ahead(3);
    let mut findings = Findings::default();
    bennett_counts(&mut findings);
    context.next("treeverse");
    treeverse_counts(&mut findings);
    findings.figure(Figure::Plot(trade()));
    context.next("Lorenz");
    lorenz_gradients(context, &mut findings);
    context.next("done");
    findings
}

/// Doublings by the program of the paper’s listing: calls, states, and the logarithm of
/// the last state.
fn doublings(k: usize, len: usize) -> (usize, usize, f64) {
    let cost = Cost::default();
    // Not to be infinite after a thousand of them.
    let mut state = Map::from_iter([(0, 2_f64.powi(-512))]);
    bennett(&double {}, &mut state, k, 0, len, &cost);
    assert_eq!(state.len(), 2, "only the first and the last state are left");
    (cost.calls.get(), cost.peak.get(), state[len].log2() + 512.0)
}

fn bennett_counts(findings: &mut Findings) {
    let mut table = Table::new(
        "Bennett’s schedule for kⁿ steps",
        ["k", "n", "steps", "(2k−1)ⁿ", "calls", "n(k−1)+2", "states", "over plain"],
    );
    let (mut calls_agree, mut states_agree) = (true, true);
    for (k, n) in [(2, 4), (2, 10), (3, 5), (4, 4), (5, 3), (10, 3), (32, 2), (1000, 1)] {
        let steps = usize::pow(k, n);
        let (calls, states, log2) = doublings(k, steps);
        assert_eq!(log2, steps as f64);
        let planned = plan::call(Schedule::Bennett { blocks: k }, steps);
        let formulas = ((2 * k - 1).pow(n), n as usize * (k - 1) + 2);
        calls_agree &= calls == formulas.0 && planned.calls() == calls as u128;
        states_agree &= states == formulas.1 && planned.peak == states;
        table.row([
            k.into(),
            (n as usize).into(),
            steps.into(),
            formulas.0.into(),
            calls.into(),
            formulas.1.into(),
            states.into(),
            Cell::Ratio(calls as f64 / steps as f64),
        ]);
    }
    let exponent = (doublings(2, 1024).0 as f64 / 1024.0).log(1024.0);
    let (calls, states, log2) = doublings(4, 256);
    findings.table(table);
    findings.claim(Claim::new(
        "C1",
        "Bennett’s schedule takes (2k−1)ⁿ steps instead of kⁿ",
        "T (T/S)^0.585 at k = 2",
        format!(
            "{} at all (k, n), T (T/S)^{exponent:.3} at k = 2",
            if calls_agree { "the same" } else { "not the same" },
        ),
        Verdict::of(calls_agree && (exponent - 0.585).abs() < 5e-4),
    ));
    findings.claim(Claim::new(
        "C2",
        "Bennett’s schedule holds n(k−1)+2 states at most",
        "n(k−1)+2",
        if states_agree { "the same at all (k, n)" } else { "not the same at all (k, n)" },
        Verdict::of(states_agree),
    ));
    findings.claim(Claim::new(
        "C3",
        "256 doublings by Bennett’s schedule with k = 4",
        "2401 calls, 14 states, result 2²⁵⁶",
        format!("{calls} calls, {states} states, result 2^{log2}"),
        Verdict::of((calls, states, log2) == (2401, 14, 256.0)),
    ));
    nesting(findings);
}

/// How deep functions can be nested that each uncompute what they call, until the way there
/// and back costs more than erasing would.
fn nesting(findings: &mut Findings) {
    /// How little energy a reversible step may take of that of one which erases.
    const SHARES: [f64; 3] = [1e-2, 1e-4, 1e-6];
    let mut table = Table::new(
        "From which depth on it is cheaper to erase, by the energy of a reversible step",
        ["k", "a hundredth", "1/10 000", "a millionth"],
    );
    let mut agrees = true;
    for k in [2, 4, 10] {
        let mut row = vec![Cell::from(k)];
        for share in SHARES {
            let cost = |depth: u32| {
                plan::call(Schedule::Bennett { blocks: k }, k.pow(depth)).calls() as f64
            };
            let depth = (1..).find(|&depth| cost(depth) > 1.0 / share).expect("it grows");
            let formula = (1.0 / share).ln() / ((2 * k - 1) as f64).ln();
            agrees &= f64::from(depth) == formula.floor() + 1.0;
            row.push((depth as usize).into());
        }
        table.row(row);
    }
    findings.table(table);
    findings.claim(Claim::new(
        "C25",
        "uncomputing costs (2k−1)ⁿ: from (2k−1)ⁿ > 1/ξ on, it is cheaper to erase",
        "n > ln(1/ξ) / ln(2k−1)",
        if agrees { "the same for all k and ξ" } else { "not the same" },
        Verdict::of(agrees),
    ));
}

/// How often the step is taken that is taken most often, and how often all of them.
fn repetitions(steps: usize, checkpoints: usize) -> (usize, u128, usize) {
    let step = by_hand(|next: &mut f64, now: &f64, &(), _| *next = *now, |_, _, _, _, _, _| ());
    let mut taken = vec![0; steps];
    let run = Run::new(step, steps, Schedule::Treeverse { checkpoints });
    let seed = |_: &f64, _: &mut f64| ();
    let at = run.gradient_watched(&0.0, &(), seed, |progress| {
        if let Event::Forward(k) = progress.event {
            taken[k] += 1;
        }
    });
    // One of them makes the end, which treeverse leaves out.
    taken[steps - 1] -= 1;
    let most = taken.iter().copied().max().unwrap_or(0);
    (most, at.report.forward - 1, at.report.peak)
}

fn treeverse_counts(findings: &mut Findings) {
    let mut table = Table::new(
        "Treeverse for η(t, d) = C(t+d, d) steps",
        ["t", "d", "steps", "taken at most", "t η − C(t+d, t−1)", "all steps taken", "states"],
    );
    let mut agrees = true;
    for (t, d) in [(1, 10), (2, 3), (3, 3), (5, 5), (3, 20), (10, 4), (4, 10)] {
        let binomial = |n: usize, k: usize| (1..=k).fold(1, |c, i| c * (n - k + i) / i);
        let steps = binomial(t + d, d);
        let (most, taken, states) = repetitions(steps, d);
        let formula = (t * steps - binomial(t + d, t - 1)) as u128;
        agrees &= most <= t && taken == formula && states == d + 1;
        table.row([
            t.into(),
            d.into(),
            steps.into(),
            most.into(),
            Cell::Count(formula as u64),
            Cell::Count(taken as u64),
            states.into(),
        ]);
    }
    findings.table(table);
    findings.claim(Claim::new(
        "C4",
        "treeverse: η(t, d) = C(t+d, d) steps with d states, each taken t times at most",
        "C(t+d, d)",
        if agrees { "the same for all (t, d)" } else { "not the same" },
        Verdict::of(agrees),
    ));
}

/// Calls over states for the paper’s number of steps.
fn trade() -> Plot {
    const STEPS: usize = 9999;
    let mut plot = Plot::new(
        format!("Steps taken for the gradient of {STEPS} steps"),
        Axis::logarithmic("states kept"),
        Axis::logarithmic("steps taken"),
    );
    let point = |schedule| {
        let report = plan::gradient(schedule, STEPS);
        (report.peak as f64, (report.forward + report.inverse) as f64)
    };
    let numbers = [2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 256, 512, 1024, 2048];
    let treeverse = numbers.map(|checkpoints| point(Schedule::Treeverse { checkpoints }));
    // By the states that they keep.
    let mut bennett = numbers.map(|blocks| point(Schedule::Bennett { blocks }));
    bennett.sort_by(|a, b| a.0.total_cmp(&b.0));
    plot.line("treeverse", treeverse).line("Bennett", bennett);
    plot.dots("store all", [point(Schedule::StoreAll)]);
    plot.dots("recompute all", [point(Schedule::RecomputeAll)]);
    plot
}

/// By dual numbers, all six at once.
fn forward_mode(steps: usize) -> [f64; 6] {
    let variable = |values: [f64; 3], first| -> [Dual<f64, 6>; 3] {
        std::array::from_fn(|i| Dual::variable(values[i], first + i))
    };
    let (mut now, theta) = (variable(START, 0), variable(THETA, 3));
    for k in 0..steps {
        let mut next = [Dual::constant(0.0); 3];
        lorenz(&mut next, &now, &theta, k);
        now = next;
    }
    now[0].tangents
}

fn by_schedule(schedule: Schedule, steps: usize) -> [f64; 6] {
    let run = Run::new(lorenz {}, steps, schedule);
    let at = run.gradient(&START, &THETA, |_end, d_end| d_end[0] = 1.0);
    let [x, y, z] = at.d_start;
    let [sigma, rho, beta] = at.d_parameters;
    [x, y, z, sigma, rho, beta]
}

fn plain(steps: usize) -> [f64; 3] {
    let mut now = START;
    for k in 0..steps {
        let mut next = [0.0; 3];
        lorenz(&mut next, &now, &THETA, k);
        now = next;
    }
    now
}

/// A name, the schedule or forward mode, and time and memory by table 1 of the paper and
/// of what followed it.
const WAYS: [(&str, Option<Schedule>, &str, &str); 6] = [
    ("forward mode", None, "O(n T)", "O(n S)"),
    ("store all", Some(Schedule::StoreAll), "O(T)", "O(T S)"),
    ("recompute all", Some(Schedule::RecomputeAll), "O(T²)", "O(S)"),
    ("treeverse, 20", Some(Schedule::Treeverse { checkpoints: 20 }), "O(T log T)", "O(S log T)"),
    ("Bennett, k = 2", Some(Schedule::Bennett { blocks: 2 }), "O(T^1.585)", "O(S log T)"),
    ("Bennett, k = 20", Some(Schedule::Bennett { blocks: 20 }), "O(T^1.22)", "O(S log T)"),
];

fn lorenz_gradients(context: &Context, findings: &mut Findings) {
    let names = ["x", "y", "z", "σ", "ρ", "β"];
    let mut table = Table::new(
        "The derivatives of x after 10 000 steps of the Lorenz system",
        ["by", "paper", "treeverse", "forward mode", "difference to the paper"],
    );
    let found = by_schedule(Schedule::Treeverse { checkpoints: 20 }, 10_000);
    assert_eq!(found, by_schedule(Schedule::StoreAll, 10_000), "all schedules have the same bits");
    let mut worst = 0.0_f64;
    for (((name, paper), ours), dual) in
        names.into_iter().zip(GRADIENT).zip(found).zip(forward_mode(10_000))
    {
        let difference = (ours / paper - 1.0).abs();
        worst = worst.max(difference).max((dual / paper - 1.0).abs());
        let digits = |x: f64| Cell::from(format!("{x:.6}"));
        table.row([
            name.into(),
            digits(paper),
            digits(ours),
            digits(dual),
            Cell::Number(difference),
        ]);
    }
    findings.table(table);

    let steps = context.pick(2000, 10_000);
    let mut contenders = vec![Contender::new("the run alone", || plain(steps))];
    contenders.extend(WAYS.map(|(name, schedule, ..)| {
        Contender::new(name, move || match schedule {
            Some(schedule) => by_schedule(schedule, steps),
            None => forward_mode(steps),
        })
    }));
    let times = race(context.budget(), contenders);
    let run = times.of("the run alone");
    let mut table = Table::new(
        format!("Six derivatives of {steps} steps of the Lorenz system"),
        ["way", "time is", "over the run", "time", "states are", "states", "heap"],
    );
    table.row([
        "the run alone".into(),
        "O(T)".into(),
        Cell::Ratio(1.0),
        Cell::Time(run),
        "O(S)".into(),
        1.into(),
        Cell::Bytes(0.0),
    ]);
    for (name, schedule, time, states) in WAYS {
        // A dual number has the value and six slopes.
        let count = schedule.map_or(7, |schedule| plan::gradient(schedule, steps).buffers);
        let bytes = schedule.map_or(0, |schedule| heap(|| by_schedule(schedule, steps)).peak);
        table.row([
            name.into(),
            time.into(),
            Cell::Ratio(times.ratio(name, "the run alone")),
            Cell::Time(times.of(name)),
            states.into(),
            count.into(),
            Cell::Bytes(bytes as f64),
        ]);
    }
    findings.table(table);

    let growth = growth();
    findings.claim(Claim::new(
        "C5",
        "from O(T) time and O(T) states to O(T²) and O(1), or O(T^1.585) and O(log T) by Bennett",
        "exponents of the time 1, 2 and 1.585",
        format!("{:.3}, {:.3} and {:.3}, counted", growth[0], growth[1], growth[2]),
        Verdict::of(
            growth
                .into_iter()
                .zip([1.0, 2.0, 1.585])
                .all(|(found, said)| (found - said).abs() < 0.01),
        ),
    ));
    let treeverse = times.ratio("treeverse, 20", "the run alone");
    let bennett = times.ratio("Bennett, k = 20", "the run alone");
    findings.claim(Claim::new(
        "C32",
        "treeverse in O(T log T), reversible in O(T^(1+ε)), forward mode in O(n T), and all exact",
        "Lorenz: forward mode 1.5, reversible 3.5 to 18 times the run; ten digits agree",
        format!(
            "forward mode {}, treeverse {}, Bennett {} times the run; within {worst:.0e} of the \
             paper’s derivatives",
            format::ratio(times.ratio("forward mode", "the run alone")),
            format::ratio(treeverse),
            format::ratio(bennett),
        ),
        Verdict::of(worst < TOLERANCE && treeverse < bennett && treeverse < 18.0),
    ));
    findings.note(
        "The adjoint state method, which runs the equation itself backwards in time and is not \
         exact, was not tried.",
    );
}

/// The power of the number of steps with which the steps taken grow, when all states are
/// kept, when none is, and by Bennett’s schedule with two blocks.
fn growth() -> [f64; 3] {
    let (few, many) = (1_usize << 12, 1_usize << 18);
    let exponent = |cost: &dyn Fn(usize) -> u128| {
        (cost(many) as f64 / cost(few) as f64).ln() / ((many / few) as f64).ln()
    };
    let forward = |schedule| move |steps| plan::gradient(schedule, steps).forward;
    [
        exponent(&forward(Schedule::StoreAll)),
        exponent(&forward(Schedule::RecomputeAll)),
        exponent(&|steps| plan::call(Schedule::Bennett { blocks: 2 }, steps).calls()),
    ]
}
