//! Normalising flows, trained by gradients that undo the layers instead of keeping them.

use crate::experiment::{Context, Experiment};
use crate::findings::{Axis, Cell, Claim, Figure, Findings, Plot, Table, Unit, Verdict};
use crate::format;
use crate::measure::{Contender, assert_near, heap, race};
use crate::programs::flows::{Likelihood, flat, gradient_by_hand, value_by_hand};
use crate::programs::tapes::{Function, TAPES, Tape, derivative, tapes};
use retrograde::random::Random;
use retrograde::testing::Components;
use retrograde_examples::flows::{
    Nice, Points, RING_RADII, RING_WIDTH, RealNvp, nice, nice_gradient, noise, real_nvp,
    real_nvp_gradient, rings, train,
};
use std::f64::consts::PI;
use std::hint::black_box;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "flows",
    title: "Normalising flows",
    paper: "discussion, on reversible neural networks, and the published examples NICE and RealNVP",
    about: "A normalising flow learns a density as a bijection between the data and noise. Its \
            layers are reversible, so that the gradient can undo them one by one: no activation \
            is kept, however deep the flow is. Two flows learn points on two rings.",
    run,
};

/// The layers of the flows that are trained, as in the original.
const LAYERS: usize = 4;
/// How far a point may be from where it was, after the flow and its inverse.
const BIJECTIVE: f64 = 1e-9;
/// By how much the mean negative log-likelihood has to fall.
const LEARNED: f64 = 0.05;
/// How the gradient by two ways may differ, as part of its largest component.
const TOLERANCE: f64 = 1e-9;

fn run(context: &Context) -> Findings {
    context.ahead(4);
    let mut findings = Findings::default();
    let learned = training(context, &mut findings);
    context.next("memory of deep flows");
    let memory = memory(context, &mut findings);
    context.next("cost of a gradient");
    cost(context, &mut findings);
    findings.claim(Claim::new(
        "C26",
        "normalising flows are trained with constant memory",
        "constant space, without a number",
        format!(
            "{} beside the parameters’ gradient for 2 layers and {} for 32, {} points; the loss \
             falls by {:.2} (NICE) and {:.2} (RealNVP); mapped there and back, a point is off \
             by {} at most",
            format::bytes(memory.shallow as f64),
            format::bytes(memory.deep as f64),
            memory.points,
            learned.fall[0],
            learned.fall[1],
            format::number(learned.off),
        ),
        Verdict::of(
            memory.constant
                && learned.fall.iter().all(|fall| *fall > LEARNED)
                && learned.off < BIJECTIVE,
        ),
    ));
    findings.note(
        "The original learns 9999 points of a file that is not published with it. Ours are drawn \
         from two rings of the radii 1 and 2, with a spread of 0.1; their own density is known, \
         and no flow can do better than it but by learning the points by heart. Networks have one \
         layer of 10 hidden units with tanh; the optimiser is Adam with a rate of 0.01.",
    );
    findings.note(
        "NICE keeps the volume in all layers but the last, which scales the two coordinates; \
         RealNVP scales in every layer. Neither can cut a hole into the plane: between the \
         rings and inside of them some samples are left.",
    );
    findings
}

struct Learned {
    /// Of NICE and RealNVP.
    fall: [f64; 2],
    off: f64,
}

fn training(context: &Context, findings: &mut Findings) -> Learned {
    let (points, epochs) = (context.pick(500, 9999), context.pick(300, 800));
    let mut random = Random::new(1);
    let data = rings(&mut random, points);
    let (mut steady, mut flow) =
        (Nice::random(&mut random, LAYERS), RealNvp::random(&mut random, LAYERS));
    context.next("training NICE");
    let by_nice = train(&mut steady, &data, epochs, nice_gradient);
    context.next("training RealNVP");
    let by_real_nvp = train(&mut flow, &data, epochs, real_nvp_gradient);

    let own = entropy_of_rings(&data);
    let mut table = Table::new(
        format!("Mean negative log-likelihood of {points} points, {epochs} epochs"),
        ["flow", "parameters", "before", "after", "return error"],
    );
    let mut plot = Plot::new(
        "Loss over epochs",
        Axis::linear("epoch"),
        Axis::linear("mean negative log-likelihood"),
    );
    let mut off = [0.0; 2];
    let trained =
        [("NICE", steady.components(), &by_nice), ("RealNVP", flow.components(), &by_real_nvp)];
    off[0] = distance_after_return(&data, |points| {
        let mut sum = 0.0;
        nice(&mut sum, points, &steady);
        nice::inverse(&mut sum, points, &steady);
    });
    off[1] = distance_after_return(&data, |points| {
        let mut sum = 0.0;
        real_nvp(&mut sum, points, &flow);
        real_nvp::inverse(&mut sum, points, &flow);
    });
    for ((name, parameters, losses), off) in trained.iter().zip(off) {
        table.row([
            (*name).into(),
            (*parameters).into(),
            Cell::Number(losses[0]),
            Cell::Number(losses[losses.len() - 1]),
            Cell::Number(off),
        ]);
        let some = losses.iter().enumerate().step_by(epochs.div_ceil(40));
        plot.line(name, some.map(|(epoch, loss)| (epoch as f64, *loss)));
    }
    table.row([
        "the rings’ own density".into(),
        Cell::Nothing,
        Cell::Nothing,
        Cell::Number(own),
        Cell::Nothing,
    ]);
    plot.dashes("the rings’ own density", [(0.0, own), (epochs as f64, own)]);
    findings.table(table).figure(Figure::Plot(plot));

    let mut samples = noise(&mut random, SHOWN);
    nice::inverse(&mut 0.0, &mut samples, &steady);
    findings.figure(scatter("Data and samples of NICE", &data, &samples));
    let mut samples = noise(&mut random, SHOWN);
    real_nvp::inverse(&mut 0.0, &mut samples, &flow);
    findings.figure(scatter("Data and samples of RealNVP", &data, &samples));
    let fall = |losses: &[f64]| losses[0] - losses[losses.len() - 1];
    Learned { fall: [fall(&by_nice), fall(&by_real_nvp)], off: off[0].max(off[1]) }
}

/// How many points are drawn.
const SHOWN: usize = 500;

/// The mean negative log-likelihood of the points in the density that they were drawn from.
fn entropy_of_rings(data: &Points<f64>) -> f64 {
    let log_density = |(x, y): (&f64, &f64)| {
        let r = x.hypot(*y);
        let ring = |radius: f64| (-0.5 * ((r - radius) / RING_WIDTH).powi(2)).exp();
        let mean = RING_RADII.map(ring).iter().sum::<f64>() / RING_RADII.len() as f64;
        (mean / (RING_WIDTH * (2.0 * PI).sqrt()) / (2.0 * PI * r)).ln()
    };
    -data.x.iter().zip(&data.y).map(log_density).sum::<f64>() / data.x.len() as f64
}

fn distance_after_return(data: &Points<f64>, there_and_back: impl Fn(&mut Points<f64>)) -> f64 {
    let mut points = data.clone();
    there_and_back(&mut points);
    let pairs = points.x.iter().zip(&data.x).chain(points.y.iter().zip(&data.y));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn scatter(title: &str, data: &Points<f64>, samples: &Points<f64>) -> Figure {
    let mut plot = Plot::new(title, Axis::linear("x"), Axis::linear("y"));
    // The few that are far away would make the rings small.
    let shown = |points: &Points<f64>| -> Vec<(f64, f64)> {
        let points = points.x.iter().copied().zip(points.y.iter().copied());
        points.filter(|(x, y)| x.abs() < 3.0 && y.abs() < 3.0).take(SHOWN).collect()
    };
    plot.dots("data", shown(data)).dots("samples", shown(samples));
    Figure::Plot(plot)
}

/// What a gradient takes from the heap, without the parameters' gradient.
struct Memory {
    shallow: u64,
    deep: u64,
    /// Whether it is the same for all flows.
    constant: bool,
    points: usize,
}

fn memory(context: &Context, findings: &mut Findings) -> Memory {
    let points = context.pick(100, 1000);
    let tapes: [Tape<Likelihood>; TAPES] = tapes();
    let mut random = Random::new(1);
    let data = rings(&mut random, points);
    let depths = [2, 4, 8, 16, 32];
    let rows = depths.map(|layers| {
        let flow = RealNvp::random(&mut random, layers);
        let parameters = size_of_val(&flow.layers[..]) as u64;
        let mut points = data.clone();
        let ours = heap(|| real_nvp::gradient(&mut points, &flow)).peak - parameters;
        let start = flat(&flow, &data);
        let by_tape = |tape: &Tape<Likelihood>| {
            heap(|| (tape.gradient)(&Likelihood { layers }, &start)).peak - parameters
        };
        (layers, [ours, by_tape(&tapes[0]), by_tape(&tapes[1])])
    });
    let names = ["adjoint", tapes[0].name, tapes[1].name];
    let mut table = Table::new(
        format!("Memory of a gradient beside the parameters’, {points} points"),
        ["layers", names[0], names[1], names[2]],
    );
    let mut plot = Plot::new(
        "Memory of a gradient over layers, without the parameters’",
        Axis::logarithmic("layers"),
        Axis::logarithmic("memory").of(Unit::Bytes),
    );
    for (layers, bytes) in rows {
        let [ours, first, second] = bytes.map(|bytes| Cell::Bytes(bytes as f64));
        table.row([layers.into(), ours, first, second]);
    }
    for (i, name) in names.iter().enumerate() {
        plot.line(name, rows.iter().map(|(layers, bytes)| (*layers as f64, bytes[i] as f64)));
    }
    findings.table(table).figure(Figure::Plot(plot));
    let constant = rows.iter().all(|(_, bytes)| bytes[0] == rows[0].1[0]);
    Memory { shallow: rows[0].1[0], deep: rows[rows.len() - 1].1[0], constant, points }
}

fn cost(context: &Context, findings: &mut Findings) {
    let points = context.pick(100, 1000);
    let tapes: [Tape<Likelihood>; TAPES] = tapes();
    let mut random = Random::new(1);
    let (data, flow) = (rings(&mut random, points), RealNvp::random(&mut random, LAYERS));
    let (function, start) = (Likelihood { layers: LAYERS }, flat(&flow, &data));
    let (value, d_flow) = real_nvp_gradient(&mut data.clone(), &flow);
    let found = components(&d_flow);
    assert!((value - function.value(&start)).abs() < TOLERANCE * value.abs(), "another value");
    assert_near(
        "by hand",
        &found,
        &components(&gradient_by_hand(&mut data.clone(), &flow).1),
        TOLERANCE,
    );
    for tape in &tapes {
        assert_near(
            tape.name,
            &found,
            &(tape.gradient)(&function, &start)[..found.len()],
            TOLERANCE,
        );
    }
    let mut direction = vec![0.0; start.len()];
    direction[7] = 1.0;
    let slope = derivative(&function, &start, &direction);
    assert!((slope - found[7]).abs() <= TOLERANCE * (1.0 + slope.abs()), "by dual numbers");

    let parameters = found.len();
    let duals = format!("dual numbers, one of {parameters} derivatives");
    let (data, flow) = (&data, &flow);
    let mut contenders = vec![
        Contender::new("plain", || value_by_hand(&mut black_box(data).clone(), black_box(flow))),
        Contender::new("reversible", || {
            let mut sum = 0.0;
            real_nvp(&mut sum, &mut black_box(data).clone(), black_box(flow));
            sum
        }),
        Contender::new("gradient", || {
            real_nvp_gradient(&mut black_box(data).clone(), black_box(flow))
        }),
        Contender::new("gradient by hand", || {
            gradient_by_hand(&mut black_box(data).clone(), black_box(flow))
        }),
        Contender::new(&duals, || derivative(&function, black_box(&start), &direction)),
    ];
    for tape in &tapes {
        let (function, start) = (&function, &start);
        contenders
            .push(Contender::new(tape.name, move || (tape.gradient)(function, black_box(start))));
    }
    let times = race(context.budget(), contenders);
    findings.table(times.over(
        "plain",
        format!("Log-likelihood of {points} points in RealNVP with {LAYERS} layers"),
    ));
}

fn components(flow: &RealNvp<f64>) -> Vec<f64> {
    (0..flow.components()).map(|i| flow.component(i)).collect()
}
