//! Products with sparse matrices.

use crate::experiment::{Context, Experiment};
use crate::findings::{Cell, Claim, Findings, Table, Verdict};
use crate::format;
use crate::measure::{Contender, Times, race};
use crate::programs::program::numbers;
use retrograde::Adjoint;
use retrograde::derivative::zero_like;
use retrograde::num::{Complex, Zero};
use retrograde_examples::sparse::{Csc, dot, multiply};
use std::cell::RefCell;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "sparse",
    title: "Sparse matrices",
    paper: "appendix, table of sparse matrices",
    about: "The inner product of two sparse matrices, and a complex sparse matrix times a vector. \
            The gradients are sparse in the same way.",
    run,
};

type C = Complex<f64>;

/// The paper’s matrices are square.
const SIDE: usize = 1000;
/// How much of them is not zero.
const DENSITY: f64 = 0.05;
/// The most that the backward pass may take over the plain function, and the most that the
/// paper has.
const BACKWARD: (f64, f64) = (2.5, 3.0);
/// The most that the reversible function may take over the plain one.
const OBJECTIVE: f64 = 1.1;

/// The paper’s seconds: plain, reversible, backward.
const DOT: [f64; 3] = [3.493e-4, 4.675e-4, 5.821e-4];
const MULTIPLY: [f64; 3] = [8.005e-5, 9.332e-5, 2.214e-4];

fn matrix<T: Clone + PartialEq + Zero>(seed: u64, number: impl Fn(f64, f64) -> T) -> Csc<T> {
    let (places, values) = (numbers(seed, SIDE * SIDE), numbers(seed + 1, SIDE * SIDE + 1));
    let dense: Vec<T> = places
        .iter()
        .zip(values.windows(2))
        .map(|(place, value)| match place.abs() < 0.5 * DENSITY {
            true => number(value[0], value[1]),
            false => T::zero(),
        })
        .collect();
    Csc::from_dense(SIDE, SIDE, &dense)
}

/// Calls `both` with the entries that two matrices have in the same place, by a table of the
/// rows of a column, as the reversible function does.
fn look_up(a: &Csc<f64>, b: &Csc<f64>, mut both: impl FnMut(usize, usize)) {
    let mut entries = vec![0; b.rows];
    for (in_a, in_b) in a.starts.windows(2).zip(b.starts.windows(2)) {
        let rows = || b.indices[in_b[0]..in_b[1]].iter().enumerate();
        rows().for_each(|(k, row)| entries[*row] = in_b[0] + k + 1);
        for (i, row) in a.indices[in_a[0]..in_a[1]].iter().enumerate() {
            if entries[*row] > 0 {
                both(in_a[0] + i, entries[*row] - 1);
            }
        }
        rows().for_each(|(_, row)| entries[*row] = 0);
    }
}

/// The same by going along both columns, as Julia does.
fn merge(a: &Csc<f64>, b: &Csc<f64>, mut both: impl FnMut(usize, usize)) {
    for (in_a, in_b) in a.starts.windows(2).zip(b.starts.windows(2)) {
        let (mut i, mut k) = (in_a[0], in_b[0]);
        while i < in_a[1] && k < in_b[1] {
            let (row_a, row_b) = (a.indices[i], b.indices[k]);
            if row_a == row_b {
                both(i, k);
            }
            i += usize::from(row_a <= row_b);
            k += usize::from(row_b <= row_a);
        }
    }
}

fn plain_dot(a: &Csc<f64>, b: &Csc<f64>) -> f64 {
    let mut sum = 0.0;
    look_up(a, b, |i, k| sum += a.values[i] * b.values[k]);
    sum
}

fn merging_dot(a: &Csc<f64>, b: &Csc<f64>) -> f64 {
    let mut sum = 0.0;
    merge(a, b, |i, k| sum += a.values[i] * b.values[k]);
    sum
}

fn dot_by_hand(g: f64, (a, d_a): (&Csc<f64>, &mut [f64]), (b, d_b): (&Csc<f64>, &mut [f64])) {
    look_up(a, b, |i, k| {
        d_a[i] += g * b.values[k];
        d_b[k] += g * a.values[i];
    });
}

fn plain_multiply(y: &mut [C], a: &Csc<C>, x: &[C]) {
    for (x, column) in x.iter().zip(a.starts.windows(2)) {
        let column = column[0]..column[1];
        for (&i, value) in a.indices[column.clone()].iter().zip(&a.values[column]) {
            y[i] += value * x;
        }
    }
}

fn multiply_by_hand(d_y: &[C], (a, d_a): (&Csc<C>, &mut [C]), (x, d_x): (&[C], &mut [C])) {
    for ((x, d_x), column) in x.iter().zip(d_x).zip(a.starts.windows(2)) {
        let column = column[0]..column[1];
        let values = a.values[column.clone()].iter().zip(&mut d_a[column.clone()]);
        let mut sum = C::new(0.0, 0.0);
        for (&i, (value, d_value)) in a.indices[column].iter().zip(values) {
            *d_value += d_y[i] * x.conj();
            sum += d_y[i] * value.conj();
        }
        *d_x += sum;
    }
}

/// Seconds.
struct Measured {
    plain: f64,
    reversible: f64,
    backward: f64,
    by_hand: f64,
}

impl Measured {
    fn of(times: &Times) -> Self {
        Measured {
            plain: times.of("plain"),
            reversible: times.of("reversible"),
            backward: times.of("backward"),
            by_hand: times.of("by hand"),
        }
    }
}

fn run(context: &Context) -> Findings {
    context.ahead(2);
    context.next("inner product");
    let (of_dot, merging) = measure_dot(context);
    context.next("matrix times vector");
    let of_multiply = measure_multiply(context);
    let mut table = Table::new(
        format!("Over the plain function, {SIDE} × {SIDE}, density {DENSITY}"),
        [
            "function",
            "reversible",
            "paper: reversible",
            "backward",
            "paper: backward",
            "backward by hand",
            "plain",
            "paper: plain",
        ],
    );
    for (name, ours, paper) in
        [("inner product", &of_dot, DOT), ("complex matrix times vector", &of_multiply, MULTIPLY)]
    {
        table.row([
            name.into(),
            Cell::Ratio(ours.reversible / ours.plain),
            Cell::Ratio(paper[1] / paper[0]),
            Cell::Ratio(ours.backward / ours.plain),
            Cell::Ratio(paper[2] / paper[0]),
            Cell::Ratio(ours.by_hand / ours.plain),
            Cell::Time(ours.plain),
            Cell::Time(paper[0]),
        ]);
    }
    let over = |time: fn(&Measured) -> f64| [&of_dot, &of_multiply].map(|m| time(m) / m.plain);
    let (objective, backward) = (over(|m| m.reversible), over(|m| m.backward));
    let written = |both: [f64; 2]| both.map(format::ratio).join(" and ");
    let worst = backward[0].max(backward[1]);
    let better = worst <= BACKWARD.0 && objective[0].max(objective[1]) <= OBJECTIVE;
    let mut findings = Findings::default();
    findings.table(table).claim(Claim::new(
        "C17",
        "backward is 1.5 to 3 times the plain forward",
        "reversible 1.34 and 1.17 times, backward 1.67 and 2.77 times",
        format!("reversible {}, backward {}", written(objective), written(backward)),
        if better { Verdict::Better } else { Verdict::of(worst <= BACKWARD.1) },
    ));
    findings.note(format!(
        "The entries are random, as in the paper. The paper’s inner product merges the columns, \
         and reads into the next one where only one of the matrices has an entry in a column; \
         ours looks up where the other matrix has an entry, reversible and plain. Merging takes \
         {} in plain Rust.",
        format::time(merging),
    ));
    findings
}

/// The inner product; and how long it takes by merging.
fn measure_dot(context: &Context) -> (Measured, f64) {
    let (a, b) = (&matrix(5, |re, _| re), &matrix(7, |re, _| re));
    let [shadows, by_hand] = [(); 2].map(|()| RefCell::new((zero_like(a), zero_like(b))));
    let reversible = || {
        let mut r = 0.0;
        dot(&mut r, a, b);
        r
    };
    let backward = || {
        let (d_a, d_b) = &mut *shadows.borrow_mut();
        dot {}.call_gradient((&mut 0.0, &mut 1.0, a, d_a, b, d_b));
    };
    let backward_by_hand = || {
        let (d_a, d_b) = &mut *by_hand.borrow_mut();
        dot_by_hand(1.0, (a, &mut d_a.values), (b, &mut d_b.values));
    };
    backward();
    backward_by_hand();
    assert_eq!(shadows, by_hand, "the gradient by hand is another one");
    for other in [plain_dot(a, b), merging_dot(a, b)] {
        assert!((reversible() - other).abs() < 1e-10, "{other} instead of {}", reversible());
    }
    let contenders = vec![
        Contender::new("plain", || plain_dot(a, b)),
        Contender::new("merging", || merging_dot(a, b)),
        Contender::new("reversible", reversible),
        Contender::new("backward", backward),
        Contender::new("by hand", backward_by_hand),
    ];
    let times = race(context.budget(), contenders);
    (Measured::of(&times), times.of("merging"))
}

fn measure_multiply(context: &Context) -> Measured {
    let a = &matrix(5, C::new);
    let x = &numbers(9, 2 * SIDE).chunks_exact(2).map(|z| C::new(z[0], z[1])).collect::<Vec<_>>();
    let zeros = vec![C::new(0.0, 0.0); SIDE];
    let y = RefCell::new(zeros.clone());
    let [shadows, by_hand] =
        [(); 2].map(|()| RefCell::new((x.clone(), zero_like(a), zeros.clone())));
    let backward = || {
        let (d_y, d_a, d_x) = &mut *shadows.borrow_mut();
        let y = &mut y.borrow_mut()[..];
        multiply {}.call_gradient((y, &mut d_y[..], a, d_a, &x[..], &mut d_x[..]));
    };
    let backward_by_hand = || {
        let (d_y, d_a, d_x) = &mut *by_hand.borrow_mut();
        multiply_by_hand(d_y, (a, &mut d_a.values), (x, d_x));
    };
    backward();
    backward_by_hand();
    {
        let near = |a: &[C], b: &[C]| a.iter().zip(b).all(|(a, b)| (a - b).norm() < 1e-12);
        let ((_, d_a, d_x), (_, a_by_hand, x_by_hand)) = (&*shadows.borrow(), &*by_hand.borrow());
        let same = near(&d_a.values, &a_by_hand.values) && near(d_x, x_by_hand);
        assert!(same, "the gradient by hand is another one");
    }
    let contenders = vec![
        Contender::new("plain", || plain_multiply(&mut y.borrow_mut(), a, x)),
        Contender::new("reversible", || multiply(&mut y.borrow_mut(), a, x)),
        Contender::new("backward", backward),
        Contender::new("by hand", backward_by_hand),
    ];
    Measured::of(&race(context.budget(), contenders))
}
