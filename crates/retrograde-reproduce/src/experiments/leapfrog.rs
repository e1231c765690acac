//! The solar system by the leapfrog method: what round-off does to a reversible program, and
//! what a gradient over many steps costs.

use crate::experiment::{Context, Experiment};
use crate::findings::{Axis, Cell, Claim, Figure, Findings, Plot, Table, Unit, Verdict};
use crate::format;
use crate::measure::{Contender, assert_near, heap, race};
use crate::programs::leapfrog::{Separation, adjoint_by_hand, flat, run_by_hand};
use crate::programs::tapes::{Function, TAPES, Tape, tapes};
use retrograde::derivative::zero_like;
use retrograde::prelude::*;
use retrograde_examples::leapfrog::{
    GRAVITY, NEPTUNE_AND_PLUTO, System, Vector, drift, run as leapfrog, separation,
};
use std::hint::black_box;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "leapfrog",
    title: "Leapfrog: round-off of ten bodies",
    paper: "appendix “A benchmark of round-off error in leapfrog”, with its figure",
    about: "The sun and nine planets go round in steps of 0.01 years. On floats, a step is \
            undone only up to round-off, and so are the temporaries inside of it. Does a \
            reversible program come out less exact than a regular one? The same steps are then \
            taken back with a gradient: no step is kept, however many there are.",
    run,
};

const N: usize = 10;
const DT: f64 = 0.01;
/// How many times the regular error the cumulative one has to be, in the mean over all counts of
/// steps from [`LONG`] on.
const MUCH_WORSE: f64 = 5.0;
/// 2¹⁰ steps, from where the paper's numbers are known.
const LONG: u32 = 10;
/// How the gradient by two ways may differ, as part of its largest component.
const TOLERANCE: f64 = 1e-7;

/// The paper's errors by step count: f32 regular and cumulative, f64 regular and cumulative.
const PAPER: [(u32, [f64; 4]); 4] = [
    (10, [6.586e-5, 9.340e-3, 8.556e-14, 1.715e-11]),
    (14, [2.886e-3, 3.173e-1, 6.776e-12, 7.905e-10]),
    (17, [5.289e-2, 1.288e5, 2.104e-10, 2.562e-8]),
    (20, [5.701e-1, 4.479e7, 4.351e-9, 3.878e-7]),
];

/// The kick of the paper's “cumulative” program: the difference of two positions is computed
/// in the place of one of them, which is uncomputed afterwards, up to round-off. What is left
/// is not dropped with an ancilla, but moves the body.
#[reversible]
fn kick_in_place<T: Real, const N: usize>(
    velocities: &mut [Vector<T>; N],
    positions: &mut [Vector<T>; N],
    masses: &[T; N],
    dt: &T,
) {
    let strength = T::from_f64(GRAVITY) * *dt;
    for i in 0..N {
        for j in 0..N {
            if j != i {
                #[compute]
                {
                    positions[j] -= positions[i];
                }
                let square = positions[j].inner(&positions[j]);
                velocities[i] += positions[j] * (strength / (square * square.sqrt()) * masses[j]);
            }
        }
    }
}

#[reversible]
fn leapfrog_in_place<T: Real, const N: usize>(system: &mut System<T, N>, dt: &T, steps: usize) {
    for _ in 0..steps {
        drift(&mut system.positions, &system.velocities, &(0.5 * *dt));
        kick_in_place(&mut system.velocities, &mut system.positions, &system.masses, dt);
        drift(&mut system.positions, &system.velocities, &(0.5 * *dt));
    }
}

fn run(context: &Context) -> Findings {
    let exponents = context.pick(2..=14, 2..=20);
    let steps = context.pick(vec![10, 30, 100], vec![10, 30, 100, 300, 1000, 4000]);
    context.ahead(exponents.clone().count() + steps.len() + 2);
    let mut findings = Findings::default();
    let round_off = round_off(context, exponents);
    round_off.show(&mut findings);
    return_trip(context, &mut findings);
    let memory = memory(context, &steps, &mut findings);
    cost(context, &mut findings);
    findings.claim(round_off.claim(memory));
    findings.note(
        "Regular is plain Rust; reversible is the function of the language, whose temporaries are \
         dropped. Cumulative is the paper's second listing: `positions[j] -= positions[i]` in the \
         place of a position, uncomputed after its use by `+=`. The place is the state's own, so \
         that the round-off of all steps adds up in it. As in the listing, each body takes the \
         places of all others in turn, which are 90 round trips in a step; regular and \
         reversible go over the 45 pairs once.",
    );
    findings.note(
        "The far planets are what spoils: taking Pluto's place away and giving it back rounds \
         every position to the spacing of numbers near 30. Here that is less far from the \
         regular error than in the paper, in part because our regular program is less exact: it \
         adds each of the nine pulls to a velocity on its own, where the paper's adds their sum. \
         That halves the regular error.",
    );
    findings.note(
        "The error is the mean distance of the ten bodies, in astronomical units, from where \
         double-double numbers (about 32 digits) take them from the same start. The numbers of \
         the start are rounded to f32 for f32, as they are in the paper. The paper's positions \
         are not published in it: ours follow from well-known orbital elements, with all planets \
         at their perihelia. So its numbers are comparable by their order, not digit by digit. \
         An error of about 1 means that it is lost where on their ways the inner planets are. \
         The paper's errors of more than 10⁵ mean that a body was thrown out, which does not \
         happen here.",
    );
    findings.note(
        "The paper's authors differentiate their orbit through 4000 steps of the Forest–Ruth method; \
         here it is 4000 steps of leapfrog. The heap of the reversible gradient is empty: what it \
         holds is the bodies and their shadow, on the stack.",
    );
    findings
}

/// One number type's errors.
#[derive(Clone, Copy)]
struct Errors {
    regular: f64,
    reversible: f64,
    cumulative: f64,
}

/// The errors of f32 and of f64 after 2ᵏ + 1 steps, for some k.
struct RoundOff {
    rows: Vec<(u32, [Errors; 2])>,
    /// Whether regular and reversible ended in the same bits, always.
    same_bits: bool,
}

/// A system in one number type, stepped by each of the programs.
struct Runners<T> {
    regular: System<T, N>,
    reversible: System<T, N>,
    cumulative: System<T, N>,
}

impl<T: Real + Copy + Into<f64>> Runners<T> {
    fn new(start: &System<f64, N>) -> Self {
        let start = start.convert();
        Runners { regular: start.clone(), reversible: start.clone(), cumulative: start }
    }

    fn advance(&mut self, steps: usize) {
        let dt = black_box(T::from_f64(DT));
        run_by_hand(&mut self.regular, dt, steps);
        leapfrog(&mut self.reversible, &dt, steps);
        leapfrog_in_place(&mut self.cumulative, &dt, steps);
    }

    fn errors(&self, exact: &System<DoubleDouble, N>) -> Errors {
        Errors {
            regular: mean_distance(&self.regular, exact),
            reversible: mean_distance(&self.reversible, exact),
            cumulative: mean_distance(&self.cumulative, exact),
        }
    }
}

fn mean_distance<T: Copy + Into<f64>>(
    system: &System<T, N>,
    exact: &System<DoubleDouble, N>,
) -> f64 {
    let distances = system.positions.iter().zip(&exact.positions).map(|(r, s)| {
        let apart = [(r.x, s.x), (r.y, s.y), (r.z, s.z)];
        let squares = apart.map(|(a, b)| (DoubleDouble::from(a.into()) - b).to_f64().powi(2));
        squares.iter().sum::<f64>().sqrt()
    });
    distances.sum::<f64>() / N as f64
}

fn round_off(context: &Context, exponents: std::ops::RangeInclusive<u32>) -> RoundOff {
    let start = System::solar();
    let (mut single, mut double) = (Runners::<f32>::new(&start), Runners::<f64>::new(&start));
    let mut exact = start.convert::<DoubleDouble>();
    let mut found = RoundOff { rows: Vec::new(), same_bits: true };
    let mut done = 0;
    for k in exponents {
        context.next(&format!("2^{k} + 1 steps"));
        let steps = (1 << k) + 1 - done;
        done += steps;
        leapfrog(&mut exact, &DoubleDouble::from(DT), steps);
        single.advance(steps);
        double.advance(steps);
        found.same_bits &= single.regular == single.reversible;
        found.same_bits &= double.regular == double.reversible;
        found.rows.push((k, [single.errors(&exact), double.errors(&exact)]));
    }
    found
}

impl RoundOff {
    fn show(&self, findings: &mut Findings) {
        let mut table = Table::new(
            "Mean error of the positions",
            [
                "steps",
                "numbers",
                "regular",
                "reversible",
                "cumulative",
                "over regular",
                "paper: regular",
                "paper: cumulative",
                "paper: over regular",
            ],
        );
        for (k, both) in self.rows.iter().filter(|(k, _)| *k >= LONG) {
            let paper = PAPER.iter().find(|(of, _)| of == k);
            for (t, (name, errors)) in ["f32", "f64"].iter().zip(both).enumerate() {
                let quoted = paper.map(|(_, errors)| (errors[2 * t], errors[2 * t + 1]));
                table.row([
                    Cell::from((1_usize << k) + 1),
                    (*name).into(),
                    Cell::Number(errors.regular),
                    Cell::Number(errors.reversible),
                    Cell::Number(errors.cumulative),
                    Cell::Ratio(errors.cumulative / errors.regular),
                    quoted.map(|(regular, _)| Cell::Number(regular)).into(),
                    quoted.map(|(_, cumulative)| Cell::Number(cumulative)).into(),
                    quoted.map(|(regular, cumulative)| Cell::Ratio(cumulative / regular)).into(),
                ]);
            }
        }
        findings.table(table);

        let mut plot = Plot::new(
            "Round-off over steps",
            Axis::logarithmic("steps"),
            Axis::logarithmic("mean error (au)"),
        );
        for (t, name) in ["f32", "f64"].iter().enumerate() {
            let of = |error: fn(&Errors) -> f64| {
                self.rows.iter().map(move |(k, both)| (steps(*k), error(&both[t])))
            };
            plot.line(&format!("{name}, cumulative"), of(|errors| errors.cumulative));
            plot.line(&format!("{name}, regular"), of(|errors| errors.regular));
            plot.dots(&format!("{name}, reversible"), of(|errors| errors.reversible));
            let quoted = |which: usize| {
                let last = self.rows.last().map_or(0, |(k, _)| *k);
                let within = PAPER.iter().filter(move |(k, _)| *k <= last);
                within.map(move |(k, errors)| (steps(*k), errors[2 * t + which]))
            };
            plot.dashes(&format!("paper: {name}, cumulative"), quoted(1));
            plot.dashes(&format!("paper: {name}, regular"), quoted(0));
        }
        findings.figure(Figure::Plot(plot));
    }

    fn claim(&self, memory: Memory) -> Claim {
        let [single, double] = [0, 1].map(|t| {
            let long = self.rows.iter().filter(|(k, _)| *k >= LONG);
            let ratios: Vec<f64> =
                long.map(|(_, both)| (both[t].cumulative / both[t].regular).ln()).collect();
            (ratios.iter().sum::<f64>() / ratios.len() as f64).exp()
        });
        let worse = single.min(double);
        let bits = if self.same_bits { "the same bits" } else { "other bits" };
        Claim::new(
            "C22",
            "reversible is as exact as regular, cumulative is much worse; constant memory",
            "the same bits; cumulative at least 110 (f32) and 89 (f64) times worse",
            format!(
                "{bits}; cumulative {single:.0} (f32) and {double:.0} (f64) times worse in the \
                 mean; {} for {} steps or {}",
                format::bytes(memory.most as f64),
                memory.steps.0,
                memory.steps.1,
            ),
            Verdict::of(self.same_bits && worse >= MUCH_WORSE && memory.constant),
        )
    }
}

fn steps(k: u32) -> f64 {
    f64::from((1_u32 << k) + 1)
}

/// How far the bodies are from their start after a way there and back.
fn return_trip(context: &Context, findings: &mut Findings) {
    let steps = context.pick(1000, 10_000);
    context.next("there and back");
    let start = System::solar();
    let mut table = Table::new(
        format!("There and back: mean distance from the start after 2 × {} steps", steps),
        ["numbers", "reversible", "cumulative"],
    );
    fn back<T: Real + Copy>(
        start: &System<f64, N>,
        steps: usize,
        float: fn(T) -> f64,
    ) -> [Cell; 2] {
        let (start, dt) = (start.convert::<T>(), T::from_f64(DT));
        let (mut reversible, mut cumulative) = (start.clone(), start.clone());
        leapfrog(&mut reversible, &dt, steps);
        leapfrog::inverse(&mut reversible, &dt, steps);
        leapfrog_in_place(&mut cumulative, &dt, steps);
        leapfrog_in_place::inverse(&mut cumulative, &dt, steps);
        [reversible, cumulative].map(|end| {
            let distances = end.positions.iter().zip(&start.positions).map(|(r, s)| {
                let apart = *r - *s;
                float(apart.inner(&apart)).sqrt()
            });
            Cell::Number(distances.sum::<f64>() / N as f64)
        })
    }
    let mut add = |name: &str, [reversible, cumulative]: [Cell; 2]| {
        table.row([name.into(), reversible, cumulative]);
    };
    add("f32", back::<f32>(&start, steps, f64::from));
    add("f64", back::<f64>(&start, steps, |x| x));
    add("fixed point, 43 bits", back::<Fixed43>(&start, steps, Fixed43::to_f64));
    findings.table(table);
}

/// What the gradient held at one time.
struct Memory {
    most: u64,
    constant: bool,
    steps: (usize, usize),
}

fn gradient(steps: usize) -> (f64, System<f64, N>, f64) {
    let at = separation::gradient(&mut System::solar(), &DT, steps, NEPTUNE_AND_PLUTO);
    (at.value, at.d_system, at.d_dt)
}

fn gradient_by_hand(steps: usize) -> (f64, System<f64, N>, f64) {
    let mut system = System::solar();
    run_by_hand(&mut system, DT, steps);
    let (a, b) = NEPTUNE_AND_PLUTO;
    let apart = system.positions[a] - system.positions[b];
    let value = apart.inner(&apart).sqrt();
    let (mut shadow, mut d_dt) = (zero_like(&system), 0.0);
    shadow.positions[a] = apart * (1.0 / value);
    shadow.positions[b] = apart * (-1.0 / value);
    adjoint_by_hand((&mut system, &mut shadow), (DT, &mut d_dt), steps);
    (value, shadow, d_dt)
}

fn memory(context: &Context, steps: &[usize], findings: &mut Findings) -> Memory {
    let tapes: [Tape<Separation>; TAPES] = tapes();
    let start = flat(&System::solar(), DT);
    // The state, its shadow, and what is on the heap.
    let held = 2 * size_of::<System<f64, N>>() as u64;
    let ours = |steps| held + heap(|| gradient(steps)).peak;
    let rows: Vec<(usize, u64, [u64; TAPES])> = steps
        .iter()
        .map(|&steps| {
            context.next(&format!("memory of {steps} steps"));
            let tapes = tapes
                .each_ref()
                .map(|tape| heap(|| (tape.gradient)(&Separation { steps }, &start)).peak);
            (steps, ours(steps), tapes)
        })
        .collect();
    let mut plot = Plot::new(
        "Memory of the gradient over steps",
        Axis::logarithmic("steps"),
        Axis::logarithmic("memory").of(Unit::Bytes),
    );
    plot.line("adjoint", rows.iter().map(|(steps, ours, _)| (*steps as f64, *ours as f64)));
    for (i, tape) in tapes.iter().enumerate() {
        plot.line(tape.name, rows.iter().map(|(steps, _, all)| (*steps as f64, all[i] as f64)));
    }
    findings.figure(Figure::Plot(plot));
    let (first, last) = (steps[0], steps[steps.len() - 1]);
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0);
    let constant = rows.iter().all(|row| row.1 == most);
    Memory { most, constant, steps: (first, last) }
}

fn cost(context: &Context, findings: &mut Findings) {
    let steps = context.pick(100, 4000);
    context.next("the gradient of an orbit");
    let tapes: [Tape<Separation>; TAPES] = tapes();
    let function = Separation { steps };
    let start = flat(&System::solar(), DT);
    let (value, shadow, d_dt) = gradient(steps);
    let found = flat(&shadow, d_dt);
    let (_, shadow, d_dt) = gradient_by_hand(steps);
    assert_near("by hand", &found, &flat(&shadow, d_dt), TOLERANCE);
    for tape in &tapes {
        assert_near(tape.name, &found, &(tape.gradient)(&function, &start), TOLERANCE);
    }
    assert!((value - function.value(&start)).abs() < 1e-9, "the value is another one");

    let plain = || {
        let mut system = System::solar();
        run_by_hand(&mut system, black_box(DT), steps);
        let (a, b) = NEPTUNE_AND_PLUTO;
        let apart = system.positions[a] - system.positions[b];
        apart.inner(&apart).sqrt()
    };
    let reversible = || {
        let (mut y, mut system) = (0.0, System::solar());
        separation(&mut y, &mut system, black_box(&DT), steps, NEPTUNE_AND_PLUTO);
        y
    };
    let forward = || {
        let (mut y, mut system) = (Dual::constant(0.0), System::solar().convert::<Dual<f64>>());
        let dt = Dual { value: DT, tangents: [black_box(1.0)] };
        separation(&mut y, &mut system, &dt, steps, NEPTUNE_AND_PLUTO);
        y
    };
    assert!((forward().tangents[0] - d_dt).abs() <= TOLERANCE * d_dt.abs(), "by dual numbers");
    let mut contenders = vec![
        Contender::new("plain", plain),
        Contender::new("reversible", reversible),
        Contender::new("gradient", || gradient(black_box(steps))),
        Contender::new("gradient by hand", || gradient_by_hand(black_box(steps))),
        Contender::new("dual numbers, one of 71 derivatives", forward),
    ];
    for tape in &tapes {
        let (function, start) = (&function, &start);
        contenders.push(Contender::new(tape.name, move || (tape.gradient)(function, start)));
    }
    let times = race(context.budget(), contenders);
    findings.table(times.over(
        "plain",
        format!("Distance of Neptune and Pluto after {steps} steps, by 71 numbers of the start"),
    ));
}
