//! Programs that need no memory but that of their arguments.

use crate::experiment::{Context, Experiment};
use crate::findings::{Cell, Claim, Findings, Table, Verdict};
use crate::measure::{Contender, assert_near, heap, race};
use crate::programs::program::{dot, numbers};
use crate::programs::tapes::{Function, Number, tapes};
use retrograde::linalg::unitary;
use retrograde::prelude::*;
use retrograde_examples::affine::{affine, affine_by_columns};
use retrograde_examples::power::power;
use std::hint::black_box;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "in-place",
    title: "In place",
    paper: "section 4 and its listings: unitary matrices, powers",
    about: "An affine layer, a unitary matrix of plane rotations, and a power: reversible \
            programs that hold nothing but their arguments, in both directions, and their \
            gradients with them.",
    run,
};

/// At most so many times the plain program counts as no overhead.
const NO_OVERHEAD: f64 = 1.1;

/// Rows and columns of the affine layer, rows of the unitary matrix.
const SIZE: usize = 64;

fn affine_by_hand(y: &mut [f64], w: &[f64], b: &[f64], x: &[f64]) {
    for (column, x) in w.chunks_exact(y.len()).zip(x) {
        for (y, w) in y.iter_mut().zip(column) {
            *y += w * x;
        }
    }
    for (y, b) in y.iter_mut().zip(b) {
        *y += b;
    }
}

fn affine_by_rows_by_hand(y: &mut [f64], w: &[f64], b: &[f64], x: &[f64]) {
    for ((y, b), row) in y.iter_mut().zip(b).zip(w.chunks_exact(x.len())) {
        for (w, x) in row.iter().zip(x) {
            *y += w * x;
        }
        *y += b;
    }
}

/// Takes the layer away, and carries the gradient back.
fn affine_back_by_hand(l: &mut Layer) {
    let m = l.y.len();
    for ((y, b), (d_b, d_y)) in l.y.iter_mut().zip(&l.b).zip(l.d_b.iter_mut().zip(&l.d_y)) {
        *y -= b;
        *d_b += d_y;
    }
    let columns = l.w.chunks_exact(m).zip(l.d_w.chunks_exact_mut(m));
    for ((column, d_column), (x, d_x)) in columns.zip(l.x.iter().zip(&mut l.d_x)) {
        let values = l.y.iter_mut().zip(column);
        for ((y, w), (d_w, d_y)) in values.zip(d_column.iter_mut().zip(&l.d_y)) {
            *y -= w * x;
            *d_w += d_y * x;
        }
        *d_x += dot(column, &l.d_y);
    }
}

/// Rotates a column by the angles, as the paper has it.
#[reversible]
fn rotations(column: &mut [f64], angles: &[f64]) {
    let mut k = 0;
    for j in 0..column.len() {
        for i in (j..column.len() - 1).rev() {
            rot(&mut column[i], &mut column[i + 1], &angles[k]);
            inc(&mut k);
        }
    }
    unlet!(k = angles.len());
}

fn rotations_by_hand(column: &mut [f64], angles: &[f64]) {
    let mut angles = angles.iter();
    for j in 0..column.len() {
        for (i, angle) in (j..column.len() - 1).rev().zip(&mut angles) {
            let (sin, cos) = angle.sin_cos();
            let (a, b) = (column[i], column[i + 1]);
            column[i] = a * cos - b * sin;
            column[i + 1] = a * sin + b * cos;
        }
    }
}

fn run(context: &Context) -> Findings {
    context.ahead(2);
    let mut findings = Findings::default();
    layers(context, &mut findings);
    context.next("affine and unitary");
    powers(&mut findings);
    context.next("powers");
    findings
}

/// What the layers work on, and its shadows.
#[derive(Clone)]
struct Layer {
    y: Vec<f64>,
    d_y: Vec<f64>,
    w: Vec<f64>,
    d_w: Vec<f64>,
    b: Vec<f64>,
    d_b: Vec<f64>,
    x: Vec<f64>,
    d_x: Vec<f64>,
    angles: Vec<f64>,
    d_angles: Vec<f64>,
}

impl Layer {
    fn new(n: usize) -> Self {
        let (w, b, x) = (numbers(1, n * n), numbers(2, n), numbers(3, n));
        let (y, d_y, angles) = (numbers(4, n), numbers(5, n), numbers(6, n * (n - 1) / 2));
        let zeros = |like: &[f64]| vec![0.0; like.len()];
        let (d_w, d_b, d_x, d_angles) = (zeros(&w), zeros(&b), zeros(&x), zeros(&angles));
        Layer { y, d_y, w, d_w, b, d_b, x, d_x, angles, d_angles }
    }
}

type Run = fn(&mut Layer);

/// The name of each program, that of the plain one that it is compared with, and what it does.
const LAYERS: [(&str, &str, Run); 11] = [
    (COLUMNS, COLUMNS, |l| affine_by_hand(&mut l.y, &l.w, &l.b, &l.x)),
    ("affine by columns", COLUMNS, |l| affine_by_columns(&mut l.y, &l.w, &l.b, &l.x)),
    (ROWS, ROWS, |l| affine_by_rows_by_hand(&mut l.y, &l.w, &l.b, &l.x)),
    ("affine by rows", ROWS, |l| affine(&mut l.y, &l.w, &l.b, &l.x)),
    (BACK_BY_HAND, COLUMNS, affine_back_by_hand),
    (BACK, COLUMNS, |l| {
        let Layer { y, d_y, w, d_w, b, d_b, x, d_x, .. } = l;
        affine_by_columns::adjoint(y, d_y, w, d_w, b, d_b, x, d_x);
    }),
    ("affine by rows, back with the gradient", ROWS, |l| {
        let Layer { y, d_y, w, d_w, b, d_b, x, d_x, .. } = l;
        affine::adjoint(y, d_y, w, d_w, b, d_b, x, d_x);
    }),
    (ROTATIONS, ROTATIONS, |l| rotations_by_hand(&mut l.y, &l.angles)),
    ("unitary", ROTATIONS, |l| rotations(&mut l.y, &l.angles)),
    ("unitary, of the library", ROTATIONS, |l| unitary(&mut l.y[..], &l.angles)),
    ("unitary, back with the gradient", ROTATIONS, |l| {
        rotations::adjoint(&mut l.y, &mut l.d_y, &l.angles, &mut l.d_angles);
    }),
];

const COLUMNS: &str = "affine by columns, plain";
const BACK: &str = "affine by columns, back with the gradient";
const BACK_BY_HAND: &str = "affine by columns, back with the gradient by hand";
const ROWS: &str = "affine by rows, plain";
const ROTATIONS: &str = "unitary, plain";

fn layers(context: &Context, findings: &mut Findings) {
    let start = Layer::new(SIZE);
    for pair in LAYERS.windows(2).filter(|pair| pair[0].0 == pair[1].1) {
        let [mut plain, mut ours] = [start.clone(), start.clone()];
        (pair[0].2)(&mut plain);
        (pair[1].2)(&mut ours);
        assert_near(pair[1].0, &ours.y, &plain.y, 1e-12);
    }
    let gradients = [BACK, BACK_BY_HAND].map(|name| {
        let mut layer = start.clone();
        LAYERS.iter().filter(|(other, ..)| *other == name).for_each(|(.., run)| run(&mut layer));
        [layer.y, layer.d_w, layer.d_b, layer.d_x].concat()
    });
    assert_near(BACK, &gradients[0], &gradients[1], 1e-12);
    let mut allocations = 0;
    let mut contenders = Vec::new();
    for (name, _, run) in LAYERS {
        let mut layer = start.clone();
        allocations += heap(|| run(&mut layer)).allocations;
        contenders.push(Contender::new(name, move || run(black_box(&mut layer))));
    }
    let times = race(context.budget(), contenders);
    let mut table = Table::new(format!("{SIZE} rows"), ["program", "over plain", "time"]);
    for (name, plain, _) in LAYERS {
        table.row([name.into(), Cell::Ratio(times.ratio(name, plain)), Cell::Time(times.of(name))]);
    }
    let ratios = [("affine by columns", COLUMNS), ("affine by rows", ROWS), ("unitary", ROTATIONS)]
        .map(|(ours, plain)| times.ratio(ours, plain));
    findings.table(table).claim(Claim::new(
        "C23",
        "affine and unitary maps in place: no overhead in time or memory",
        "no overhead, no allocation",
        format!(
            "affine {:.2} and {:.2} times plain, unitary {:.2}; {allocations} allocations, \
             those of the gradients too",
            ratios[0], ratios[1], ratios[2]
        ),
        Verdict::of(ratios.iter().all(|ratio| *ratio <= NO_OVERHEAD) && allocations == 0),
    ));
}

/// A power by repeated products.
struct Power {
    n: u32,
}

impl Function for Power {
    fn value<N: Number>(&self, x: &[N]) -> N {
        (1..self.n).fold(x[0], |product, _| product * x[0])
    }
}

fn powers(findings: &mut Findings) {
    const X: f64 = 0.99;
    let mut table = Table::new(
        "The gradient of xⁿ at x = 0.99, in fixed point with 43 bits: memory beside the arguments",
        ["n", "logarithmic numbers", "tape of aad", "tape of reverse", "gradient", "n xⁿ⁻¹"],
    );
    let mut ours_at_most = 0;
    let mut exact = true;
    for n in [10, 100, 1000, 10_000] {
        let x = Fixed43::from_f64(X);
        let (mut y, mut d_y, mut d_x) =
            (Fixed43::from_f64(0.0), Fixed43::from_f64(1.0), Fixed43::from_f64(0.0));
        let ours = heap(|| {
            power(&mut y, &x, n);
            power::adjoint(&mut y, &mut d_y, &x, &mut d_x, n);
        });
        exact &= y == Fixed43::from_f64(0.0);
        let function = Power { n };
        let [aad, reverse] = tapes::<Power>().map(|tape| heap(|| (tape.gradient)(&function, &[X])));
        let expected = f64::from(n) * X.powi(n as i32 - 1);
        assert!((d_x.to_f64() - expected).abs() < 1e-6, "{d_x} instead of {expected}");
        table.row([
            (n as usize).into(),
            Cell::Bytes(ours.peak as f64),
            Cell::Bytes(aad.peak as f64),
            Cell::Bytes(reverse.peak as f64),
            Cell::Number(d_x.to_f64()),
            Cell::Number(expected),
        ]);
        ours_at_most = ours_at_most.max(ours.peak);
    }
    findings.table(table).claim(Claim::new(
        "C24",
        "powers by logarithmic numbers: constant memory instead of O(n)",
        "constant, at n = 100 and x = 0.99",
        format!(
            "{ours_at_most} bytes for n up to 10,000, and {} to the last bit",
            if exact { "undone" } else { "not undone" }
        ),
        Verdict::of(ours_at_most == 0 && exact),
    ));
}
