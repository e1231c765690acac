//! Linear algebra beside what one would write or call instead.
//!
//! `cargo bench -p retrograde-benches --bench linalg`
//!
//! Every line is a time and its ratios to others, taken in turns in the same run: times are
//! the minimum of many. Marked with `!` is a ratio above its bar.

use faer::linalg::matmul::matmul as faer_matmul;
use faer::linalg::solvers::{PartialPivLu, Qr, Solve};
use faer::{Accum, Mat, Par};
use retrograde::linalg::{Matrix, matmul, qr, solve};
use retrograde::prelude::*;
use retrograde::sparse::{self, Pattern};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long a timed run should take, and how many there are of each.
const RUN: Duration = Duration::from_millis(4);
const RUNS: usize = 25;

fn main() {
    // `cargo test --benches` is no measurement.
    let measured = std::env::args().any(|argument| argument == "--bench");
    let sizes: &[usize] = if measured { &[64, 256, 512] } else { &[16] };
    let runs = if measured { RUNS } else { 1 };
    for &n in sizes {
        products(n, runs);
    }
    for &n in sizes {
        vectors(n, runs);
    }
    for &n in sizes {
        systems(n, runs);
    }
    for &n in sizes {
        factors(n, runs);
    }
    let n = if measured { 1000 } else { 50 };
    sparse_matrices("real", n, runs, |x| x);
    sparse_matrices("complex", n, runs, |x| Complex::new(x, 0.5 - x));
}

/// The least time of each program, taken in turns.
fn times<const N: usize>(runs: usize, mut programs: [&mut dyn FnMut(); N]) -> [f64; N] {
    let repetitions: Vec<u32> = programs
        .iter_mut()
        .map(|program| {
            program();
            let start = Instant::now();
            program();
            let once = start.elapsed().max(Duration::from_nanos(50));
            (RUN.as_nanos() / once.as_nanos()).clamp(1, 100_000) as u32
        })
        .collect();
    let mut least = [f64::INFINITY; N];
    for _ in 0..runs {
        for (k, program) in programs.iter_mut().enumerate() {
            let start = Instant::now();
            for _ in 0..repetitions[k] {
                program();
            }
            least[k] = least[k].min(start.elapsed().as_secs_f64() / f64::from(repetitions[k]));
        }
    }
    least
}

fn report(name: &str, seconds: f64, ratios: &[(&str, f64, f64)]) {
    print!("{name:34} {:>10.2} µs", seconds * 1e6);
    for (to, ratio, bar) in ratios {
        let mark = if ratio > bar { "!" } else { "" };
        print!("   {ratio:5.2}{mark} × {to}");
    }
    println!();
}

/// Between −½ and ½, the same in every run.
fn numbers(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..count).map(|_| next()).collect()
}

fn matrix(seed: u64, n: usize) -> Matrix<f64> {
    Matrix::from_vec(n, n, numbers(seed, n * n))
}

fn products(n: usize, runs: usize) {
    let (a, b, mut c) = (matrix(1, n), matrix(2, n), matrix(3, n));
    let direct = |m: &Matrix<f64>| Mat::from_fn(n, n, |i, j| m[(i, j)]);
    let (a_direct, b_direct) = (direct(&a), direct(&b));
    let (mut c_direct, mut c_naive) = (direct(&c), c.clone());
    let [ours, theirs, naive] = times(
        runs,
        [
            &mut || matmul(black_box(&mut c), &a, &b),
            &mut || {
                let c = black_box(&mut c_direct).as_mut();
                faer_matmul(c, Accum::Add, &a_direct, &b_direct, 1.0, Par::Seq);
            },
            &mut || {
                for i in 0..n {
                    for j in 0..n {
                        let terms = (0..n).map(|k| a[(i, k)] * b[(k, j)]);
                        c_naive[(i, j)] += terms.sum::<f64>();
                    }
                }
                black_box(&mut c_naive);
            },
        ],
    );
    let name = format!("C += A B, n = {n}");
    report(
        &name,
        ours,
        &[("faer called directly", ours / theirs, 1.1), ("loops", ours / naive, 1.0)],
    );

    let (mut d_c, mut d_a, mut d_b) = (matrix(4, n), matrix(5, n), matrix(6, n));
    let (mut d_c2, mut d_a2, mut d_b2) = (d_c.clone(), d_a.clone(), d_b.clone());
    let (d_c_direct, mut d_a_direct, mut d_b_direct) = (direct(&d_c), direct(&d_a), direct(&d_b));
    let mut c2 = c.clone();
    let [adjoint, gradient, by_hand] = times(
        runs,
        [
            &mut || matmul::adjoint(&mut c, &mut d_c, &a, &mut d_a, &b, &mut d_b),
            &mut || {
                let arguments = (&mut c2, &mut d_c2, &a, &mut d_a2, &b, &mut d_b2);
                matmul {}.call_gradient(arguments);
            },
            &mut || {
                let (a, b) = (a_direct.transpose(), b_direct.transpose());
                faer_matmul(&mut d_a_direct, Accum::Add, &d_c_direct, b, 1.0, Par::Seq);
                faer_matmul(&mut d_b_direct, Accum::Add, a, &d_c_direct, 1.0, Par::Seq);
            },
        ],
    );
    let two = "two products called directly";
    report(&format!("its adjoint, n = {n}"), adjoint, &[(two, adjoint / by_hand, 1.65)]);
    report(&format!("its gradient alone, n = {n}"), gradient, &[(two, gradient / by_hand, 1.1)]);
}

fn vectors(n: usize, runs: usize) {
    let (a, x) = (matrix(1, n), numbers(2, n));
    let (mut y, mut y2) = (numbers(3, n), numbers(3, n));
    let [ours, by_hand] = times(
        runs,
        [&mut || matmul(black_box(&mut y), &a, &x), &mut || {
            by_rows(black_box(&mut y2), a.as_slice(), &x);
        }],
    );
    report(&format!("y += A x, n = {n}"), ours, &[("by hand", ours / by_hand, 1.1)]);

    let (mut d_y, mut d_a, mut d_x) = (numbers(4, n), matrix(5, n), numbers(6, n));
    let (d_y2, mut d_a2, mut d_x2) = (d_y.clone(), d_a.clone(), d_x.clone());
    let [adjoint, by_hand] = times(
        runs,
        [&mut || matmul::adjoint(&mut y, &mut d_y, &a, &mut d_a, &x, &mut d_x), &mut || {
            let rows = d_y2.iter().zip(a.as_slice().chunks_exact(n));
            for ((g, row), d_row) in rows.zip(d_a2.as_mut_slice().chunks_exact_mut(n)) {
                let both = row.iter().zip(d_row).zip(x.iter().zip(&mut d_x2));
                for ((a, d_a), (x, d_x)) in both {
                    *d_a += g * x;
                    *d_x += g * a;
                }
            }
            by_rows(black_box(&mut y2), a.as_slice(), &x);
        }],
    );
    report(&format!("its adjoint, n = {n}"), adjoint, &[("by hand", adjoint / by_hand, 1.1)]);
}

/// With several sums at once.
fn by_rows(y: &mut [f64], a: &[f64], x: &[f64]) {
    const SUMS: usize = 8;
    for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
        let mut sums = [0.0; SUMS];
        let (rows, xs) = (row.chunks_exact(SUMS), x.chunks_exact(SUMS));
        let rest = rows.remainder().iter().zip(xs.remainder()).map(|(a, x)| a * x).sum::<f64>();
        for (row, x) in rows.zip(xs) {
            for ((sum, a), x) in sums.iter_mut().zip(row).zip(x) {
                *sum += a * x;
            }
        }
        *y += sums.iter().sum::<f64>() + rest;
    }
}

fn systems(n: usize, runs: usize) {
    let (mut a, b, mut x) = (matrix(1, n), numbers(2, n), numbers(3, n));
    for i in 0..n {
        a[(i, i)] += 10.0;
    }
    let direct = Mat::from_fn(n, n, |i, j| a[(i, j)]);
    let right = Mat::from_fn(n, 1, |i, _| b[i]);
    let [ours, theirs] = times(
        runs,
        [&mut || solve(&mut x, &a, &b), &mut || {
            black_box(PartialPivLu::new(direct.as_ref()).solve(&right));
        }],
    );
    let (mut d_x, mut d_a, mut d_b) = (numbers(4, n), matrix(5, n), numbers(6, n));
    let [adjoint] =
        times(runs, [&mut || solve::adjoint(&mut x, &mut d_x, &a, &mut d_a, &b, &mut d_b)]);
    let name = format!("x += A⁻¹ b, n = {n}");
    report(&name, ours, &[("faer called directly", ours / theirs, 2.5)]);
    report(&format!("its adjoint, n = {n}"), adjoint, &[("forward", adjoint / ours, 2.5)]);
}

fn factors(n: usize, runs: usize) {
    let (a, mut q, mut r) = (matrix(1, n), matrix(2, n), matrix(3, n));
    let direct = Mat::from_fn(n, n, |i, j| a[(i, j)]);
    let [ours, theirs] = times(
        runs,
        [&mut || qr(&mut q, &mut r, &a), &mut || {
            black_box(Qr::new(direct.as_ref()).compute_thin_Q());
        }],
    );
    let (mut d_q, mut d_r, mut d_a) = (matrix(4, n), matrix(5, n), matrix(6, n));
    let [adjoint] =
        times(runs, [&mut || qr::adjoint(&mut q, &mut d_q, &mut r, &mut d_r, &a, &mut d_a)]);
    let name = format!("Q, R of A, n = {n}");
    report(&name, ours, &[("faer called directly", ours / theirs, 2.0)]);
    report(&format!("its adjoint, n = {n}"), adjoint, &[("forward", adjoint / ours, 2.5)]);
}

#[reversible]
fn add_dot<T: Arithmetic>(
    y: &mut T,
    #[constant] p: &Pattern<'_>,
    a: &[T],
    #[constant] q: &Pattern<'_>,
    b: &[T],
) {
    *y += sparse::dot(p, a, q, b);
}

/// Column starts and rows of about one entry in twenty.
fn entries(seed: u64, n: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut starts, mut rows) = (vec![0], Vec::new());
    for (k, number) in numbers(seed, n * n).into_iter().enumerate() {
        if number.abs() < 0.025 {
            rows.push(k % n);
        }
        if (k + 1) % n == 0 {
            starts.push(rows.len());
        }
    }
    (starts, rows)
}

fn sparse_matrices<T: Arithmetic>(kind: &str, n: usize, runs: usize, number: impl Fn(f64) -> T) {
    const BAR: f64 = 2.5;
    let fill = |seed, count| -> Vec<T> { numbers(seed, count).into_iter().map(&number).collect() };
    let ((p_starts, p_rows), (q_starts, q_rows)) = (entries(1, n), entries(2, n));
    let p = Pattern::new(n, n, &p_starts, &p_rows).expect("in order");
    let q = Pattern::new(n, n, &q_starts, &q_rows).expect("in order");
    let (a, b) = (fill(3, p.entries()), fill(4, q.entries()));
    let (mut d_a, mut d_b) = (a.clone(), b.clone());
    let (mut d_a2, mut d_b2) = (a.clone(), b.clone());
    let (mut y, mut y2, mut y3) = (T::zero(), T::zero(), T::zero());
    let [forward, adjoint, gradient] = times(
        runs,
        [
            &mut || add_dot(black_box(&mut y), &p, &a, &q, &b),
            &mut || add_dot::adjoint(&mut y2, &mut T::one(), &p, &a, &mut d_a, &q, &b, &mut d_b),
            &mut || {
                let mut one = T::one();
                let values = (&mut y3, &mut one, &p, &a[..], &mut d_a2[..], &q, &b[..]);
                let (y, d_y, p, a, d_a, q, b) = values;
                add_dot {}.call_gradient((y, d_y, p, a, d_a, q, b, &mut d_b2[..]));
            },
        ],
    );
    let ratios =
        [("forward", adjoint / forward, BAR), ("forward, gradient alone", gradient / forward, BAR)];
    report(&format!("sparse A · B, {kind}, n = {n}"), forward, &[]);
    report("its adjoint", adjoint, &ratios);

    let (x, mut y) = (fill(5, n), fill(6, n));
    let (mut d_y, mut d_x, mut y2) = (fill(7, n), fill(8, n), y.clone());
    let (mut d_y2, mut d_x2, mut y3) = (d_y.clone(), d_x.clone(), y.clone());
    let [forward, adjoint, gradient] = times(
        runs,
        [
            &mut || sparse::matvec(black_box(&mut y), &p, &a, &x),
            &mut || {
                sparse::matvec::adjoint(&mut y2, &mut d_y, &p, &a, &mut d_a, &x, &mut d_x);
            },
            &mut || {
                let (y, d_y) = (&mut y3[..], &mut d_y2[..]);
                let arguments = (y, d_y, &p, &a[..], &mut d_a2[..], &x[..], &mut d_x2[..]);
                sparse::matvec {}.call_gradient(arguments);
            },
        ],
    );
    let ratios =
        [("forward", adjoint / forward, BAR), ("forward, gradient alone", gradient / forward, BAR)];
    report(&format!("sparse y += A x, {kind}, n = {n}"), forward, &[]);
    report("its adjoint", adjoint, &ratios);
}
