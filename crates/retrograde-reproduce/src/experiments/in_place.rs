//! Programs that need no memory but that of their arguments.

use crate::experiment::{Context, Experiment};
use crate::findings::{Axis, Cell, Claim, Figure, Findings, Plot, Table, Verdict};
use crate::measure::{Contender, heap, race};
use crate::programs::program::numbers;
use crate::programs::tapes::{Function, Number, tapes};
use retrograde::num::Fixed43;
use retrograde_examples::affine::{affine, affine_by_columns};
use retrograde_examples::power::power;
use retrograde_examples::unitary::unitary;
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

fn unitary_by_hand(x: &mut [f64], rows: usize, angles: &[f64]) {
    for column in x.chunks_exact_mut(rows) {
        let mut angles = angles.iter();
        for j in 0..rows {
            for (i, angle) in (j..rows - 1).rev().zip(&mut angles) {
                let (sin, cos) = angle.sin_cos();
                let (a, b) = (column[i], column[i + 1]);
                column[i] = a * cos - b * sin;
                column[i + 1] = a * sin + b * cos;
            }
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

fn layers(context: &Context, findings: &mut Findings) {
    let n = SIZE;
    let (w, b, x) = (numbers(1, n * n), numbers(2, n), numbers(3, n));
    let angles = numbers(4, n * (n - 1) / 2);
    let zero = vec![0.0; n];
    let [mut y0, mut y1, mut y2, mut y3] = [(); 4].map(|()| zero.clone());
    let [mut u0, mut u1] = [(); 2].map(|()| x.clone());
    let (mut y4, mut d_y, mut d_b, mut d_x) = (zero.clone(), x.clone(), zero.clone(), zero.clone());
    let mut d_w = vec![0.0; n * n];
    let (mut u2, mut d_u, mut d_angles) = (x.clone(), x.clone(), vec![0.0; angles.len()]);

    let mut back = x.clone();
    unitary(&mut back, n, &angles);
    let mut plain = x.clone();
    unitary_by_hand(&mut plain, n, &angles);
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near(&back, &plain), "the rotations are the same");
    unitary::inverse(&mut back, n, &angles);
    assert!(near(&back, &x), "the rotations are undone");

    const AFFINE: [&str; 5] = [
        "affine by columns, plain",
        "affine by columns",
        "affine by rows, plain",
        "affine by rows",
        "affine by columns, back with the gradient",
    ];
    const UNITARY: [&str; 3] = ["unitary, plain", "unitary", "unitary, back with the gradient"];
    let (w, b, x, angles) = (&w[..], &b[..], &x[..], &angles[..]);
    let mut adjoints = [0; 2];
    let allocations = {
        let mut y = zero.clone();
        let forward = heap(|| {
            affine_by_columns(&mut y, w, b, x);
            affine(&mut y, w, b, x);
            unitary(&mut y, n, angles);
        });
        adjoints[0] = heap(|| {
            affine_by_columns::adjoint(&mut y, &mut d_y, w, &mut d_w, b, &mut d_b, x, &mut d_x);
        })
        .allocations;
        adjoints[1] =
            heap(|| unitary::adjoint(&mut y, &mut d_u, n, angles, &mut d_angles)).allocations;
        forward.allocations + adjoints[0] + adjoints[1]
    };
    let contenders = vec![
        Contender::new(AFFINE[0], || affine_by_hand(&mut y0, black_box(w), b, black_box(x))),
        Contender::new(AFFINE[1], || affine_by_columns(&mut y1, black_box(w), b, black_box(x))),
        Contender::new(AFFINE[2], || {
            affine_by_rows_by_hand(&mut y2, black_box(w), b, black_box(x))
        }),
        Contender::new(AFFINE[3], || affine(&mut y3, black_box(w), b, black_box(x))),
        Contender::new(AFFINE[4], || {
            affine_by_columns::adjoint(
                &mut y4,
                &mut d_y,
                black_box(w),
                &mut d_w,
                b,
                &mut d_b,
                black_box(x),
                &mut d_x,
            );
        }),
        Contender::new(UNITARY[0], || unitary_by_hand(&mut u0, n, black_box(angles))),
        Contender::new(UNITARY[1], || unitary(&mut u1, n, black_box(angles))),
        Contender::new(UNITARY[2], || {
            unitary::adjoint(&mut u2, &mut d_u, n, black_box(angles), &mut d_angles);
        }),
    ];
    let times = race(context.budget(), contenders);
    let mut table =
        Table::new(format!("{n} rows"), ["program", "over plain", "time", "allocations"]);
    let plain =
        [AFFINE[0], AFFINE[0], AFFINE[2], AFFINE[2], AFFINE[0], UNITARY[0], UNITARY[0], UNITARY[0]];
    for ((name, time), plain) in times.iter().zip(plain) {
        let count = (name != plain).then_some(0_usize.max(allocations as usize));
        table.row([
            name.into(),
            Cell::Ratio(time / times.of(plain)),
            Cell::Time(time),
            count.into(),
        ]);
    }
    let ratios = [(AFFINE[1], AFFINE[0]), (AFFINE[3], AFFINE[2]), (UNITARY[1], UNITARY[0])]
        .map(|(ours, plain)| times.ratio(ours, plain));
    let worst = ratios.into_iter().fold(0.0, f64::max);
    findings.table(table).claim(Claim::new(
        "C23",
        "affine and unitary maps in place: no overhead in time or memory",
        "no overhead, no allocation",
        format!(
            "affine {:.2} and {:.2} times plain, unitary {:.2}; {allocations} allocations, \
             those of the gradients too",
            ratios[0], ratios[1], ratios[2]
        ),
        Verdict::of(worst <= NO_OVERHEAD && allocations == 0),
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
        "The gradient of xⁿ at x = 0.99: memory beside the arguments",
        ["n", "logarithmic numbers", "tape of aad", "tape of reverse", "gradient", "n xⁿ⁻¹"],
    );
    let mut plot = Plot::new(
        "Memory for the gradient of xⁿ",
        Axis::logarithmic("n"),
        Axis::logarithmic("bytes (at least one)"),
    );
    let mut lines = [Vec::new(), Vec::new(), Vec::new()];
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
        for (line, heap) in lines.iter_mut().zip([ours, aad, reverse]) {
            line.push((f64::from(n), heap.peak.max(1) as f64));
        }
        ours_at_most = ours_at_most.max(ours.peak);
    }
    for (name, line) in
        ["logarithmic numbers", "tape of aad", "tape of reverse"].into_iter().zip(lines)
    {
        plot.line(name, line);
    }
    findings.table(table).figure(Figure::Plot(plot)).claim(Claim::new(
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
