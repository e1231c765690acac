//! Bundle adjustment: a small Jacobian for each of very many observations.

use super::ways::{self, Ways, largest};
use crate::experiment::{Context, Experiment};
use crate::findings::{Axis, Cell, Claim, Figure, Findings, Plot, Table, Unit, Verdict};
use crate::format;
use crate::measure::{Contender, assert_near, heap, race};
use crate::programs::bundle::{Bundle, pull_by_hand, reprojection_by_hand};
use crate::programs::forward::Directions;
use crate::programs::tapes::tapes;
use num_dual::DualSVec64;
use retrograde::Adjoint;
use retrograde::num::Dual;
use retrograde_examples::bundle_adjustment::{Observation, Row, Scene, reprojection};
use std::cell::RefCell;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "bundle-adjustment",
    title: "Bundle adjustment",
    paper: "section 5, figure 4 (b)",
    about: "Where cameras should see points, less where they saw them: the second objective of \
            the benchmark ADBench. Each observation has two errors that depend on 15 numbers; \
            their 2 × 15 derivatives are the Jacobian.",
    run,
};

/// The most that the reversible objective may take over the plain one.
const OBJECTIVE: f64 = 1.1;
/// The most that the Jacobian may take over the plain objective.
const JACOBIAN: f64 = 6.0;
/// How close to a number of the paper is as the paper says.
const CLOSE: f64 = 1.2;
/// How many observations tapes see; their time is scaled to all.
const RECORDED: usize = 2000;
/// A backward pass for each row, as in the paper.
const ONE_BY_ONE: &str = "one by one";
/// The first entry of the Jacobian, as the paper’s authors test it.
const FIRST: f64 = -461.44632100159936;

/// An input of ADBench, and the paper’s seconds.
struct Paper {
    name: &'static str,
    cameras: usize,
    points: usize,
    observations: usize,
    julia: f64,
    nilang: f64,
    tapenade: f64,
    forward_jacobian: f64,
    nilang_jacobian: f64,
    tapenade_jacobian: f64,
    gpu: f64,
}

#[rustfmt::skip]
const SIZES: [Paper; 7] = [
    size("ba1", [49, 7776, 31843], [2.022e-3, 2.682e-3, 1.632e-3, 8.167e-2, 1.670e-2, 1.940e-2, 1.093e-4]),
    size("ba4", [372, 47423, 204472], [1.296e-2, 1.729e-2, 1.056e-2, 6.035e-1, 1.092e-1, 1.255e-1, 4.231e-4]),
    size("ba7", [93, 61203, 287451], [1.817e-2, 2.436e-2, 1.540e-2, 8.252e-1, 1.548e-1, 1.769e-1, 5.860e-4]),
    size("ba10", [1197, 126327, 563734], [3.577e-2, 4.864e-2, 2.927e-2, 1.490, 3.154e-1, 3.489e-1, 1.791e-3]),
    size("ba13", [245, 198739, 1091386], [6.955e-2, 9.410e-2, 5.687e-2, 3.173, 6.483e-1, 6.720e-1, 2.849e-3]),
    size("ba16", [1544, 942409, 4750193], [3.057e-1, 4.159e-1, 2.481e-1, 13.19, 2.905, 2.935, 1.143e-2]),
    size("ba19", [4585, 1324582, 9125125], [6.530e-1, 8.021e-1, 4.780e-1, 25.68, 5.557, 6.027, 2.208e-2]),
];

/// The cameras, points and observations of the paper's sizes.
pub(super) fn counts() -> impl Iterator<Item = [usize; 3]> {
    SIZES.iter().map(|size| [size.cameras, size.points, size.observations])
}

const fn size(name: &'static str, counts: [usize; 3], seconds: [f64; 7]) -> Paper {
    let [cameras, points, observations] = counts;
    let [julia, nilang, tapenade, forward_jacobian, nilang_jacobian, tapenade_jacobian, gpu] =
        seconds;
    Paper {
        name,
        cameras,
        points,
        observations,
        julia,
        nilang,
        tapenade,
        forward_jacobian,
        nilang_jacobian,
        tapenade_jacobian,
        gpu,
    }
}

/// Seconds.
struct Measured {
    ways: Ways,
    one_by_one: f64,
    /// How often the reversible objective and the Jacobian ask for memory.
    allocations: u64,
}

/// What is computed for a scene.
struct Results {
    errors: Vec<[f64; 2]>,
    rows: Vec<[Row; 2]>,
    of_weights: Vec<f64>,
}

/// The Jacobian by some way to find the rows of one observation.
fn jacobian(
    scene: &Scene,
    results: &mut Results,
    rows_of: impl Fn(&Scene, &Observation) -> [Row; 2],
) {
    let each = results.rows.iter_mut().zip(&mut results.of_weights);
    for (observation, (rows, of_weight)) in scene.observations.iter().zip(each) {
        *rows = rows_of(scene, observation);
        *of_weight = -2.0 * observation.weight;
    }
}

fn plain(scene: &Scene, results: &mut Results) {
    let each = results.errors.iter_mut().zip(&mut results.of_weights);
    for (observation, (error, of_weight)) in scene.observations.iter().zip(each) {
        let Observation { camera, point, weight, seen } = observation;
        *error = [0.0; 2];
        reprojection_by_hand(error, &scene.cameras[*camera], &scene.points[*point], *weight, seen);
        *of_weight = 1.0 - weight * weight;
    }
}

fn by_hand(scene: &Scene, observation: &Observation) -> [Row; 2] {
    let Observation { camera, point, weight, seen } = observation;
    let (camera, point) = (&scene.cameras[*camera], &scene.points[*point]);
    let mut rows = [[0.0; 15]; 2];
    pull_by_hand(&[[1.0, 0.0], [0.0, 1.0]], &mut rows, camera, point, *weight, seen);
    rows
}

/// A backward pass for each row.
fn one_by_one(scene: &Scene, observation: &Observation) -> [Row; 2] {
    let Observation { camera, point, weight, seen } = observation;
    let (camera, point) = (&scene.cameras[*camera], &scene.points[*point]);
    [[1.0, 0.0], [0.0, 1.0]].map(|mut d_error| {
        let (mut d_camera, mut d_point, mut d_weight) = ([0.0; 11], [0.0; 3], 0.0);
        let (error, d_error) = (&mut [0.0; 2], &mut d_error);
        reprojection {}.call_gradient((
            error,
            d_error,
            camera,
            &mut d_camera,
            point,
            &mut d_point,
            weight,
            &mut d_weight,
            seen,
        ));
        let mut row = [0.0; 15];
        row[..11].copy_from_slice(&d_camera);
        row[11..14].copy_from_slice(&d_point);
        row[14] = d_weight;
        row
    })
}

/// All 15 directions at once.
fn forward<D: Directions<15> + Copy>(scene: &Scene, observation: &Observation) -> [Row; 2] {
    let Observation { camera, point, weight, seen } = observation;
    let (camera, point) = (&scene.cameras[*camera], &scene.points[*point]);
    let mut error = [0.0; 2].map(D::constant);
    reprojection(
        &mut error,
        &std::array::from_fn(|i| D::variable(camera[i], i)),
        &std::array::from_fn(|i| D::variable(point[i], 11 + i)),
        &D::variable(*weight, 14),
        &seen.map(D::constant),
    );
    error.map(D::slopes)
}

/// By a tape for each observation.
fn recorded(scene: &Scene, observation: &Observation, tape: usize) -> [Row; 2] {
    let Observation { camera, point, weight, seen } = observation;
    let x = [&scene.cameras[*camera][..], &scene.points[*point], &[*weight]].concat().repeat(2);
    let bundle = Bundle { seen: *seen, ..Bundle::jacobian() };
    let gradient = (tapes::<Bundle<2>>()[tape].gradient)(&bundle, &x);
    [0, 15].map(|start| std::array::from_fn(|i| gradient[start + i]))
}

fn run(context: &Context) -> Findings {
    let sizes = context.pick(&SIZES[..2], &SIZES[..]);
    context.ahead(sizes.len());
    let measured: Vec<(&Paper, Measured)> = sizes
        .iter()
        .map(|size| {
            context.next(&format!("{}, {} observations", size.name, size.observations));
            (size, measure(context, size))
        })
        .collect();
    let mut findings = Findings::default();
    findings.table(ratios(&measured)).table(times(&measured)).figure(figure(&measured));
    claims(&mut findings, &measured);
    findings.note(
        "The inputs are those of ADBench, which are copies of one camera, one point and one \
         observation; the first entry of the Jacobian is the one that the paper’s authors test, \
         −461.446321…",
    );
    findings.note(format!(
        "“Both rows” is one backward pass on two numbers side by side, “one by one” two backward \
         passes, as in the paper. Tapes have seen the first {RECORDED} observations, a tape for \
         each, and their time is scaled.",
    ));
    findings
}

fn measure(context: &Context, size: &Paper) -> Measured {
    let scene = &Scene::of_copies(size.cameras, size.points, size.observations);
    let count = size.observations;
    check(scene);
    let results = RefCell::new(Results {
        errors: vec![[0.0; 2]; count],
        rows: vec![[[0.0; 15]; 2]; count],
        of_weights: vec![0.0; count],
    });
    let reversible = || {
        let Results { errors, of_weights, .. } = &mut *results.borrow_mut();
        scene.errors(errors, of_weights);
    };
    let both_rows = || {
        let Results { rows, of_weights, .. } = &mut *results.borrow_mut();
        scene.jacobian(rows, of_weights);
    };
    let mut few = scene.clone();
    few.observations.truncate(RECORDED);
    let few = &few;
    let results = &results;
    let contenders = vec![
        Contender::new(ways::PLAIN, || plain(scene, &mut results.borrow_mut())),
        Contender::new(ways::REVERSIBLE, reversible),
        Contender::new(ways::DERIVATIVE, both_rows),
        Contender::new(ONE_BY_ONE, || jacobian(scene, &mut results.borrow_mut(), one_by_one)),
        Contender::new(ways::BY_HAND, || jacobian(scene, &mut results.borrow_mut(), by_hand)),
        Contender::new(ways::FORWARD, || {
            jacobian(scene, &mut results.borrow_mut(), forward::<Dual<f64, 15>>);
        }),
        Contender::new(ways::NUM_DUAL, || {
            jacobian(scene, &mut results.borrow_mut(), forward::<DualSVec64<15>>);
        }),
        Contender::new("aad", || {
            jacobian(few, &mut results.borrow_mut(), |scene, one| recorded(scene, one, 0));
        }),
        Contender::new("reverse", || {
            jacobian(few, &mut results.borrow_mut(), |scene, one| recorded(scene, one, 1));
        }),
    ];
    let times = race(context.budget(), contenders);
    let mut ways = Ways::new(&times);
    for time in ways.tapes.iter_mut().flatten() {
        *time *= count as f64 / RECORDED as f64;
    }
    Measured {
        one_by_one: times.of(ONE_BY_ONE),
        ways,
        allocations: heap(reversible).allocations + heap(both_rows).allocations,
    }
}

/// All ways must find the same rows, and the paper’s first entry.
fn check(scene: &Scene) {
    let first = &scene.observations[..1];
    let (mut rows, mut of_weight) = ([[[0.0; 15]; 2]], [0.0]);
    let one = Scene { observations: first.to_vec(), ..scene.clone() };
    one.jacobian(&mut rows, &mut of_weight);
    let [ours] = rows;
    assert!((ours[0][0] / FIRST - 1.0).abs() < 1e-12, "{} is not {FIRST}", ours[0][0]);
    assert_eq!(of_weight, [-2.0 * first[0].weight]);
    let others = [
        ("by hand", by_hand(scene, &first[0])),
        (ONE_BY_ONE, one_by_one(scene, &first[0])),
        ("forward", forward::<Dual<f64, 15>>(scene, &first[0])),
        ("num-dual", forward::<DualSVec64<15>>(scene, &first[0])),
        ("aad", recorded(scene, &first[0], 0)),
        ("reverse", recorded(scene, &first[0], 1)),
    ];
    for (name, other) in others {
        for (other, ours) in other.iter().zip(&ours) {
            assert_near(name, other, ours, 1e-12);
        }
    }
}

fn ratios(measured: &[(&Paper, Measured)]) -> Table {
    let mut table = Table::new(
        "Over the plain objective",
        [
            "input",
            "objective",
            "paper: objective",
            "Jacobian, both rows",
            "one by one",
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
        let Measured { ways, one_by_one, .. } = ours;
        table.row([
            paper.name.into(),
            ways.over_plain(ways.reversible),
            Cell::Ratio(paper.nilang / paper.julia),
            ways.over_plain(ways.derivative),
            ways.over_plain(*one_by_one),
            Cell::Ratio(paper.nilang_jacobian / paper.nilang),
            Cell::Ratio(paper.tapenade_jacobian / paper.tapenade),
            ways.over_plain(ways.by_hand),
            ways.over_plain(ways.forward),
            ways.over_plain(ways.num_dual),
            ways.over_plain(ways.tapes[0]),
            ways.over_plain(ways.tapes[1]),
        ]);
    }
    table
}

fn times(measured: &[(&Paper, Measured)]) -> Table {
    let mut table = Table::new(
        "Time",
        [
            "input",
            "observations",
            "plain",
            "reversible",
            "Jacobian",
            "by hand",
            "forward",
            "paper: Julia",
            "paper: NiLang",
            "paper: NiLang Jacobian",
            "paper: Tapenade Jacobian",
            "paper: ForwardDiff",
            "paper: GPU",
        ],
    );
    for (paper, ours) in measured {
        table.row([
            paper.name.into(),
            paper.observations.into(),
            Cell::Time(ours.ways.plain),
            Cell::Time(ours.ways.reversible),
            Cell::Time(ours.ways.derivative),
            Cell::Time(ours.ways.by_hand),
            ours.ways.forward.map(Cell::Time).into(),
            Cell::Time(paper.julia),
            Cell::Time(paper.nilang),
            Cell::Time(paper.nilang_jacobian),
            Cell::Time(paper.tapenade_jacobian),
            Cell::Time(paper.forward_jacobian),
            Cell::Time(paper.gpu),
        ]);
    }
    table
}

fn figure<'m>(measured: &'m [(&Paper, Measured)]) -> Figure {
    let mut plot = Plot::new(
        "Time of a Jacobian",
        Axis::logarithmic("observations"),
        Axis::logarithmic("time").of(Unit::Seconds),
    );
    let ours = |(paper, ours): &'m (&Paper, Measured)| (paper.observations as f64, 1.0, &ours.ways);
    Ways::draw(&mut plot, "Jacobian", &measured.iter().map(ours).collect::<Vec<_>>());
    let quoted = |time: fn(&Paper) -> f64| {
        SIZES.iter().map(move |paper| (paper.observations as f64, time(paper)))
    };
    plot.dashes("paper: NiLang", quoted(|paper| paper.nilang_jacobian))
        .dashes("paper: Tapenade", quoted(|paper| paper.tapenade_jacobian))
        .dashes("paper: ForwardDiff", quoted(|paper| paper.forward_jacobian))
        .dashes("paper: NiLang on a GPU", quoted(|paper| paper.gpu));
    Figure::Plot(plot)
}

fn claims(findings: &mut Findings, measured: &[(&Paper, Measured)]) {
    let worst = |ratio: &dyn Fn(&Paper, &Measured) -> f64| {
        largest(measured.iter().map(|(paper, ours)| ratio(paper, ours)))
    };
    let objective = worst(&|_, ours| ours.ways.reversible / ours.ways.plain);
    let jacobian = worst(&|_, ours| ours.ways.derivative / ours.ways.plain);
    let peers = |ways: &Ways| {
        ways.tapes
            .iter()
            .flatten()
            .copied()
            .chain(ways.forward)
            .chain(ways.num_dual)
            .fold(f64::INFINITY, f64::min)
    };
    let over_peers = worst(&|_, ours| ours.ways.derivative / peers(&ours.ways));
    findings.claim(Claim::new(
        "C13",
        "the fastest Jacobian on a CPU",
        "6.2 to 7.0 times NiLang’s objective, which is 1.2 to 1.4 times Julia’s",
        format!(
            "at most {} the plain objective (reversible: {}); at most {} of the fastest of \
             forward mode and tapes",
            format::ratio(jacobian),
            format::ratio(objective),
            format::ratio(over_peers),
        ),
        match jacobian <= JACOBIAN && objective <= OBJECTIVE && over_peers <= 1.0 {
            true => Verdict::Better,
            false => Verdict::of(over_peers <= 1.0),
        },
    ));
    let slowest = worst(&|paper, ours| ours.ways.derivative / paper.nilang_jacobian);
    let times: Vec<String> = measured
        .iter()
        .map(|(paper, ours)| format!("{} {}", paper.name, format::time(ours.ways.derivative)))
        .collect();
    findings.claim(Claim::new(
        "C15",
        "the times of seven sizes",
        "Jacobians from 16.7 ms to 5.56 s, on a Xeon Gold 6230",
        format!(
            "{} of seven sizes: {}; at most {} of NiLang’s",
            measured.len(),
            times.join(", "),
            format::ratio(slowest),
        ),
        Verdict::of_at_most(slowest, CLOSE, 1.0),
    ));
    let allocations: u64 = measured.iter().map(|(_, ours)| ours.allocations).sum();
    findings.claim(Claim::new(
        "C16",
        "the peak of the memory is that of the parameters: all else is in registers",
        "all ancillas in registers",
        format!("{allocations} allocations beside the parameters and the results"),
        Verdict::of(allocations == 0),
    ));
}
