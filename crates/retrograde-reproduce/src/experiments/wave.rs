//! An acoustic wave, whose gradient needs more memory than there is, or a schedule.

use crate::experiment::{Context, Experiment};
use crate::findings::{Axis, Cell, Claim, Field, Figure, Findings, Plot, Table, Unit, Verdict};
use crate::format;
use crate::measure::{Contender, Times, assert_near, heap, race};
use crate::programs::acoustic;
use retrograde::calculus::With;
use retrograde::prelude::*;
use retrograde::schedule::{Memory, Report, Schedule, plan};
use retrograde_examples::wave::{self, Ground, Survey, hidden_spot, ricker};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "wave",
    title: "Acoustic wave",
    paper: "the supplement on time-space trade-off, and the seismic simulation published later",
    about: "Waves run through the ground, and layers around it swallow those that leave. The \
            gradient of what detectors record, with respect to the speed at every place, needs all \
            states of the simulation, last first. Treeverse and Bennett's schedule make most of \
            them again instead of keeping them.",
    run,
};

/// How many steps the paper’s runs had.
const STEPS: usize = 9999;

/// δ, the peak of states, calls with adjoints, seconds.
const TREEVERSE: [(usize, usize, u128, f64); 7] = [
    (5, 6, 123_094, 114.6),
    (10, 11, 70_226, 86.6),
    (20, 21, 47_971, 81.0),
    (40, 41, 39_127, 78.6),
    (80, 78, 37_137, 77.9),
    (160, 160, 29_836, 70.6),
    (320, 316, 29_680, 72.9),
];

/// k, the peak of states, calls there, seconds.
const BENNETT: [(usize, usize, u128, f64); 6] = [
    (5, 24, 178_601, 1215.5),
    (10, 38, 68_588, 488.8),
    (20, 53, 56_936, 410.1),
    (40, 82, 36_758, 265.2),
    (80, 143, 29_836, 258.4),
    (160, 221, 19_839, 164.5),
];

/// What the paper’s package tests: all squares of displacements at all times, and those of
/// the end.
const SQUARES: [f64; 2] = [10.931466822080788, 6.234873084873294e-5];

/// So many times the simulation, at most, the gradient by treeverse with 20 checkpoints.
const BAR: f64 = 6.0;

fn run(context: &Context) -> Findings {
    let mut findings = Findings::default();
    context.ahead(4);
    findings.table(values());
    context.next("counts");
    let treeverse_is_as_good = counts(&mut findings);
    let bennett_is_the_same = bennett_counts(&mut findings);
    context.next("one step");
    findings.table(one_step(context));
    context.next("schedules");
    let ratio = schedules(context, &mut findings);
    context.next("pictures");
    pictures(&mut findings);
    findings.claim(Claim::new(
        "C30",
        "calls and states of Bennett’s schedule for six k",
        "178 601 calls with 24 states to 19 839 with 221",
        format!("{} of {} the same", bennett_is_the_same, BENNETT.len()),
        Verdict::of(bennett_is_the_same == BENNETT.len()),
    ));
    findings.claim(Claim::new(
        "C31",
        "calls and states of treeverse for seven δ; the gradient at δ = 20",
        "123 094 calls with 6 states to 29 680 with 316; the gradient is 10.9 simulations",
        format!(
            "{treeverse_is_as_good} of {} in no more calls and states; the gradient is {} \
             simulations, {BAR} at most are wanted",
            TREEVERSE.len(),
            format::ratio(ratio),
        ),
        match treeverse_is_as_good == TREEVERSE.len() {
            true if ratio <= BAR => Verdict::Better,
            true if ratio <= 10.9 => Verdict::Reproduced,
            _ => Verdict::NotReproduced,
        },
    ));
    findings.note(
        "The paper’s times are those of a V100 with 1000 × 1000 places. Its CPU took 47.9 ms for \
         a step, and 524 ms a step for the gradient by treeverse.",
    );
    findings
}

/// What the package of the paper’s authors finds for 100 × 100 places.
fn values() -> Table {
    let steps = 1999;
    let survey = Survey::new(100, 0.05, (0..102 * 102).collect(), steps);
    let ground = survey.ground(1000.0, ricker(steps, 100.0, 500.0));
    let end = survey.simulate(&ground, steps);
    let ours = [end.loss, end.now.iter().map(|u| u * u).sum()];
    let mut table = Table::new(
        "100 × 100 places, 2000 times",
        ["sum of squares", "paper", "ours", "relative difference"],
    );
    for ((name, paper), ours) in ["at all times", "at the end"].into_iter().zip(SQUARES).zip(ours) {
        let difference = (ours / paper - 1.0).abs();
        assert!(difference < 1e-8, "{name}: {ours} instead of {paper}");
        let digits = |x: f64| Cell::from(format!("{x:.15e}"));
        table.row([name.into(), digits(paper), digits(ours), Cell::Number(difference)]);
    }
    table
}

/// The peak and the calls as the paper counts them: the end is not made, and adjoints are
/// calls.
fn as_in_the_paper(report: Report) -> u128 {
    report.forward - 1 + report.adjoint
}

/// How many of the paper’s runs are done in no more calls and states.
fn counts(findings: &mut Findings) -> usize {
    let mut table = Table::new(
        format!("Treeverse for {STEPS} steps"),
        ["δ", "paper: states", "paper: calls", "ours: states", "ours: calls", "paper: V100"],
    );
    let mut as_good = 0;
    for (delta, states, calls, seconds) in TREEVERSE {
        let report = plan::gradient(Schedule::Treeverse { checkpoints: states - 1 }, STEPS);
        let ours = as_in_the_paper(report);
        as_good += usize::from(ours <= calls && report.peak <= states);
        table.row([
            delta.into(),
            states.into(),
            Cell::Count(calls as u64),
            report.peak.into(),
            Cell::Count(ours as u64),
            Cell::Time(seconds),
        ]);
    }
    findings.table(table);
    as_good
}

/// How many of the paper’s runs by Bennett’s schedule have the same numbers here.
fn bennett_counts(findings: &mut Findings) -> usize {
    let mut table = Table::new(
        format!("Bennett’s schedule for {STEPS} steps"),
        [
            "k",
            "paper: states",
            "paper: calls",
            "ours: states",
            "ours: calls",
            "calls of a gradient",
            "paper: V100",
        ],
    );
    let mut same = 0;
    for (k, states, calls, seconds) in BENNETT {
        let schedule = Schedule::Bennett { blocks: k };
        // The paper counts the way there, with the ends of the outermost blocks left.
        let block = STEPS.div_ceil(k);
        let last = (STEPS - 1) / block;
        let (first, rest) =
            (plan::call(schedule, block), plan::call(schedule, STEPS - last * block));
        let ours = last as u128 * first.calls() + rest.calls();
        let gradient = plan::gradient(schedule, STEPS);
        same += usize::from((ours, gradient.peak) == (calls, states));
        table.row([
            k.into(),
            states.into(),
            Cell::Count(calls as u64),
            gradient.peak.into(),
            Cell::Count(ours as u64),
            Cell::Count(gradient.calls() as u64),
            Cell::Time(seconds),
        ]);
    }
    let mut plot = Plot::new(
        format!("Calls over states, {STEPS} steps"),
        Axis::logarithmic("states"),
        Axis::logarithmic("calls"),
    );
    let paper = |rows: &[(usize, usize, u128, f64)]| -> Vec<(f64, f64)> {
        rows.iter().map(|&(_, states, calls, _)| (states as f64, calls as f64)).collect()
    };
    let treeverse = [2, 3, 5, 7, 10, 14, 20, 28, 40, 57, 80, 113, 160, 226, 320];
    plot.line(
        "treeverse, gradient",
        treeverse.map(|checkpoints| {
            let report = plan::gradient(Schedule::Treeverse { checkpoints }, STEPS);
            (report.peak as f64, as_in_the_paper(report) as f64)
        }),
    );
    plot.line(
        "Bennett, gradient",
        BENNETT.map(|(blocks, ..)| {
            let report = plan::gradient(Schedule::Bennett { blocks }, STEPS);
            (report.peak as f64, report.calls() as f64)
        }),
    );
    plot.dashes("treeverse, paper", paper(&TREEVERSE));
    plot.dashes("Bennett, paper, the way there", paper(&BENNETT));
    findings.table(table).figure(Figure::Plot(plot));
    same
}

/// Everywhere the same speed, and detectors in a row.
fn survey(n: usize, steps: usize) -> (Survey, Ground) {
    let row = n / 4 * (n + 2);
    let survey = Survey::new(n, 0.05, (row + 1..row + n + 1).collect(), steps);
    let ground = survey.ground(1000.0, ricker(steps, steps as f64 / 20.0, steps as f64 / 4.0));
    (survey, ground)
}

fn one_step(context: &Context) -> Table {
    let n = context.pick(100, 1000);
    let (survey, ground) = survey(n, 100);
    let step = With(wave::step {}, (&survey,));
    let now = survey.simulate(&ground, 50);
    let (mut in_place, mut next) = (now.clone(), survey.calm());
    let (mut after, mut d_next, mut d_now) = (survey.calm(), now.clone(), survey.calm());
    let mut d_ground = ground.clone();
    let contenders = vec![
        Contender::new("plain, in place", || {
            acoustic::step_in_place(&mut in_place, &ground, &survey, 50)
        }),
        Contender::new("reversible", || step.call((&mut next, &now, &ground, 50))),
        Contender::new("its adjoint", || {
            let gradients = (&mut d_now, &ground, &mut d_ground);
            let (d_now, ground, d_ground) = gradients;
            step.call_gradient((&mut after, &mut d_next, &now, d_now, ground, d_ground, 50));
        }),
    ];
    let times = race(context.budget(), contenders);
    let mut table = Table::new(
        format!("One step, {n} × {n} places"),
        ["program", "over plain", "time", "paper: over plain", "paper: time, CPU, 1000 × 1000"],
    );
    for ((name, time), paper) in times.iter().zip([47.9, 76.6, 174.5]) {
        table.row([
            name.into(),
            Cell::Ratio(time / times.of("plain, in place")),
            Cell::Time(time),
            Cell::Ratio(paper / 47.9),
            Cell::Time(paper * 1e-3),
        ]);
    }
    table
}

/// How many simulations the gradient by treeverse with 20 checkpoints takes.
fn schedules(context: &Context, findings: &mut Findings) -> f64 {
    let (n, steps) = context.pick((64, 200), (100, 2000));
    let (survey, ground) = survey(n, steps);
    let tried: &[Schedule] = context.pick(
        &[
            Schedule::StoreAll,
            Schedule::Treeverse { checkpoints: 5 },
            Schedule::Treeverse { checkpoints: 20 },
            Schedule::Treeverse { checkpoints: 80 },
            Schedule::Bennett { blocks: 5 },
            Schedule::Bennett { blocks: 20 },
        ],
        &[
            Schedule::StoreAll,
            Schedule::Treeverse { checkpoints: 5 },
            Schedule::Treeverse { checkpoints: 10 },
            Schedule::Treeverse { checkpoints: 20 },
            Schedule::Treeverse { checkpoints: 40 },
            Schedule::Treeverse { checkpoints: 80 },
            Schedule::Treeverse { checkpoints: 160 },
            Schedule::Bennett { blocks: 5 },
            Schedule::Bennett { blocks: 10 },
            Schedule::Bennett { blocks: 20 },
            Schedule::Bennett { blocks: 40 },
            Schedule::Bennett { blocks: 80 },
        ],
    );
    check(&survey, &ground, steps);
    let names: Vec<String> = tried.iter().map(Schedule::to_string).collect();
    let mut contenders = vec![
        Contender::new("plain simulation", || acoustic::simulate(&survey, &ground)),
        Contender::new("reversible simulation", || survey.simulate(&ground, steps)),
    ];
    contenders.extend(names.iter().zip(tried).map(|(name, &schedule)| {
        let (survey, ground, mut memory) = (&survey, &ground, Memory::new());
        Contender::new(name, move || survey.gradient(ground, schedule, &mut memory))
    }));
    let times = race(context.budget(), contenders);
    let plain = times.of("plain simulation");
    let memory = |run: &dyn Fn()| heap(run).peak as f64;
    let mut table = Table::new(
        format!("The gradient, {n} × {n} places, {steps} steps"),
        ["run", "over plain", "time", "steps", "adjoints", "states", "memory"],
    );
    let mut row = |name: &str, counts: [Cell; 3], bytes: f64| {
        let time = times.of(name);
        let [taken, adjoints, states] = counts;
        table.row([
            name.into(),
            Cell::Ratio(time / plain),
            Cell::Time(time),
            taken,
            adjoints,
            states,
            Cell::Bytes(bytes),
        ]);
    };
    let counts = [steps.into(), 0.into(), 1.into()];
    row("plain simulation", counts, memory(&|| drop(acoustic::simulate(&survey, &ground))));
    let counts = [steps.into(), 0.into(), plan::call(tried[0], steps).buffers.into()];
    row("reversible simulation", counts, memory(&|| drop(survey.simulate(&ground, steps))));
    let mut bytes = Vec::new();
    for (name, &schedule) in names.iter().zip(tried) {
        let report = plan::gradient(schedule, steps);
        let taken = Cell::Count((report.forward + report.inverse) as u64);
        let counts = [taken, Cell::Count(report.adjoint as u64), report.buffers.into()];
        bytes.push(memory(&|| drop(survey.gradient(&ground, schedule, &mut Memory::new()))));
        row(name, counts, bytes[bytes.len() - 1]);
    }
    findings.table(table).figure(Figure::Plot(trade(tried, &names, &times, &bytes)));
    times.of(&Schedule::Treeverse { checkpoints: 20 }.to_string()) / plain
}

/// The simulation is that of the plain program, and schedules agree.
fn check(survey: &Survey, ground: &Ground, steps: usize) {
    let (plain, reversible) = (acoustic::simulate(survey, ground), survey.simulate(ground, steps));
    assert_near("the simulation", &reversible.now, &plain.now, 1e-9);
    // The derivative along the ground itself, by a difference.
    let at = survey.gradient(ground, Schedule::Treeverse { checkpoints: 20 }, &mut Memory::new());
    let along: f64 = at.d_parameters.speed.iter().zip(&ground.speed).map(|(g, c)| g * c).sum();
    let loss = |by: f64| {
        let mut ground = ground.clone();
        ground.speed.iter_mut().for_each(|c| *c *= 1.0 + by);
        acoustic::simulate(survey, &ground).loss
    };
    let difference = (loss(1e-4) - loss(-1e-4)) / 2e-4;
    assert!((along / difference - 1.0).abs() < 1e-4, "{along} {difference}");
}

/// Time over memory.
fn trade(tried: &[Schedule], names: &[String], times: &Times, bytes: &[f64]) -> Plot {
    let mut plot = Plot::new(
        "The time of a gradient over its memory",
        Axis::logarithmic("memory").of(Unit::Bytes),
        Axis::logarithmic("simulations"),
    );
    let plain = times.of("plain simulation");
    let points = |wanted: fn(&Schedule) -> bool| -> Vec<(f64, f64)> {
        let all = tried.iter().zip(names).zip(bytes);
        all.filter(|((schedule, _), _)| wanted(schedule))
            .map(|((_, name), bytes)| (*bytes, times.of(name) / plain))
            .collect()
    };
    plot.line("treeverse", points(|schedule| matches!(schedule, Schedule::Treeverse { .. })));
    plot.line("Bennett", points(|schedule| matches!(schedule, Schedule::Bennett { .. })));
    plot.dots("store all", points(|schedule| matches!(schedule, Schedule::StoreAll)));
    plot
}

/// The wave, and where the gradient sees the hidden spot.
fn pictures(findings: &mut Findings) {
    let (n, steps) = (100, 600);
    let (survey, ground) = hidden_spot(n, steps);
    let field = |title: &str, values: Vec<f64>| {
        Figure::Field(Field { title: title.into(), width: n + 2, values })
    };
    let at = survey.gradient(&ground, Schedule::Treeverse { checkpoints: 20 }, &mut Memory::new());
    let half = survey.simulate(&ground, steps / 2);
    findings.figure(field("The wave after 300 steps; its source is above", half.now));
    findings.figure(field(
        "The gradient by the speed: the ground has a spot that the simulation does not know of",
        at.d_parameters.speed,
    ));
}
