//! Maps and sums on many threads.

use crate::parallel;
use crate::prelude::*;
use crate::testing::{assert_gradient, assert_reversible};

#[reversible]
fn term(y: &mut f64, x: &f64, w: &[f64]) {
    for v in w {
        *y += (*x * *v).sin();
    }
}

#[reversible]
fn indexed(y: &mut f64, i: usize, w: &[f64]) {
    *y += w[i % w.len()] * w[0] * (i as f64);
}

#[reversible]
fn chunk(ys: &mut [f64], k: usize, w: &[f64]) {
    for (y, v) in ys.iter_mut().zip(w) {
        *y += *v * *v * (k as f64);
    }
}

#[reversible]
fn all(ys: &mut [f64], total: &mut f64, xs: &[f64], w: &[f64]) {
    parallel::each(&term {}, ys, xs, w);
    parallel::each_index(&indexed {}, ys, w);
    parallel::each_chunk(&chunk {}, w.len(), ys, w);
    parallel::sum(&term {}, total, xs, w);
    !parallel::sum(&term {}, total, w, w);
}

/// What forgets the values finds the same gradient, bit by bit.
#[test]
fn sums_have_the_same_gradient_where_they_forget() {
    #[reversible]
    fn total(y: &mut f64, xs: &[f64], w: &[f64]) {
        parallel::sum(&term {}, y, xs, w);
    }
    let xs: Vec<f64> = (0..150).map(|i| (i as f64).sin()).collect();
    let w = [0.3, -0.7, 1.1];
    let run = |forget: bool| {
        let (mut y, mut d_y) = (0.5, 2.0);
        let (mut d_xs, mut d_w) = (vec![0.0; 150], [0.0; 3]);
        total(&mut y, &xs, &w);
        if forget {
            total {}.call_gradient((&mut y, &mut d_y, &xs, &mut d_xs, &w, &mut d_w));
        } else {
            total::adjoint(&mut y, &mut d_y, &xs, &mut d_xs, &w, &mut d_w);
        }
        (d_y, d_xs, d_w.map(|d| (d * 1e9).round()))
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn every_map_is_undone_and_has_the_right_gradient() {
    let xs: Vec<f64> = (0..150).map(|i| (i as f64).sin()).collect();
    let (mut ys, mut total) = (vec![0.5; 150], 1.0);
    let w = [0.3, -0.7, 1.1];
    assert_reversible!(all(&mut ys, &mut total, &xs, &w[..]));
    assert_gradient!(all(&mut ys, &mut total, &xs, &w[..]));
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let xs: Vec<f64> = (0..1000).map(|i| (i as f64 * 0.37).sin()).collect();
    let w: Vec<f64> = (0..10).map(|i| 1.0 + i as f64 * 0.1).collect();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut ys, mut total) = (vec![0.5; 1000], 1.0);
            all(&mut ys, &mut total, &xs, &w);
            let forward = (ys.clone(), total);
            let (mut d_ys, mut d_total) = (vec![0.25; 1000], 1.0);
            let (mut d_xs, mut d_w) = (vec![0.0; 1000], vec![0.0; 10]);
            all::adjoint(
                &mut ys,
                &mut d_ys,
                &mut total,
                &mut d_total,
                &xs,
                &mut d_xs,
                &w,
                &mut d_w,
            );
            (forward, ys, total, d_xs, d_w)
        })
    };
    let one = run(1);
    for threads in [2, 3, 7] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[test]
fn lengths_must_agree() {
    let run = || parallel::each(&term {}, &mut [0.0; 2], &[0.0; 3], &[1.0][..]);
    let error = std::panic::catch_unwind(run).unwrap_err();
    let error = error.downcast::<InvertibilityError>().unwrap();
    assert_eq!(error.found, "2 and 3");
}

/// A term whose data carries no gradient, and need not be made of numbers.
struct Seen {
    place: f64,
    name: String,
}

#[reversible]
fn residual(y: &mut f64, #[constant] seen: &Seen, w: &[f64]) {
    *y += (w[0] * seen.place - w[seen.name.len() % w.len()]).powi(2);
}

#[reversible]
fn of_data(ys: &mut [f64], total: &mut f64, #[constant] seen: &[Seen], w: &[f64]) {
    parallel::each_data(&residual {}, ys, seen, w);
    parallel::sum_data(&residual {}, total, seen, w);
    !parallel::sum_data(&residual {}, total, seen, w);
    parallel::sum_data(&residual {}, total, seen, w);
}

#[test]
fn data_without_gradients_is_summed_over() {
    let seen: Vec<Seen> =
        (0..150).map(|i| Seen { place: (i as f64).cos(), name: "x".repeat(i % 4) }).collect();
    let (mut ys, mut total, w) = (vec![0.5; 150], 1.0, [0.3, -0.7, 1.1]);
    assert_reversible!(of_data(
        &mut ys,
        &mut total,
        #[constant]
        &seen,
        &w[..]
    ));
    assert_gradient!(of_data(
        &mut ys,
        &mut total,
        #[constant]
        &seen,
        &w[..]
    ));
    let sum: f64 = seen.iter().fold(0.25, |mut y, seen| {
        residual(&mut y, seen, &w);
        y
    });
    let mut total = 0.25;
    parallel::sum_data(&residual {}, &mut total, &seen, &w[..]);
    assert!((total - sum).abs() < 1e-12 * sum);
}

/// Functions that do more than add to their first argument.
mod not_sums {
    use super::*;

    #[reversible]
    pub fn flips(y: &mut f64, x: &f64, w: &f64) {
        neg(y);
        *y += *x * *w;
    }

    #[reversible]
    pub fn reads(y: &mut f64, x: &f64, w: &f64) {
        let mut a = 0.0;
        a += *y * *x;
        a -= *y * *x;
        *y += *w + a;
        unlet!(a = 0.0);
    }

    #[reversible]
    pub fn asks(y: &mut f64, x: &f64, w: &f64) {
        if (*y > 1.0, *y > 1.0 + *x * *w) {
            *y += *x * *w;
        }
    }

    #[reversible]
    pub fn calls(y: &mut f64, x: &f64, w: &f64) {
        *y += *x;
        flips(y, x, w);
    }

    #[reversible]
    pub fn turns(y: &mut [f64; 2], x: &f64, w: &f64) {
        let (a, b) = y.split_at_mut(1);
        rot(&mut a[0], &mut b[0], x);
        a[0] += *w;
    }

    #[reversible(inverse_only)]
    pub fn mixes(y: &mut u64, x: &u64, _w: &f64) {
        *y ^= *x;
    }

    #[reversible]
    pub fn total(y: &mut f64, xs: &[f64], w: &f64) {
        parallel::sum(&flips {}, y, xs, w);
    }
}

/// Functions that only add, in less plain ways.
mod sums {
    use super::*;

    #[reversible]
    pub fn of_parts(y: &mut [f64; 2], x: &f64, w: &f64) {
        let mut a = 0.0;
        #[compute]
        {
            a += x.sin();
        }
        for (part, k) in y.iter_mut().zip(0..2) {
            *part += a * *w * (k as f64 + 1.0);
        }
        if *x > 0.5 {
            y[0] -= *x;
        }
        inc(&mut y[1]);
        !add_twice(&mut y[1], x, w);
        host! {
            assert!(x.is_finite());
        }
    }

    #[reversible]
    pub fn add_twice(y: &mut f64, x: &f64, w: &f64) {
        *y += *x * *w;
        *y += *x * *w;
    }

    #[reversible]
    pub fn counts(y: &mut u64, x: &u64, _w: &f64) {
        *y += *x * *x;
    }

    #[reversible]
    pub fn nested(y: &mut f64, x: &f64, w: &f64) {
        parallel::sum(&add_twice {}, y, &[*x, *x], w);
    }
}

fn message(run: impl FnOnce()) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_err();
    *panic.downcast::<String>().unwrap()
}

#[test]
fn what_does_more_than_add_is_refused() {
    let xs = [0.5, 0.25, 2.0];
    let refused = |name: &str, text: String| {
        assert!(text.contains(&format!("{name}` does more than add to its result")), "{text}");
    };
    refused("flips", message(|| parallel::sum(&not_sums::flips {}, &mut 0.0, &xs, &2.0)));
    refused("reads", message(|| parallel::sum(&not_sums::reads {}, &mut 0.0, &xs, &2.0)));
    refused("asks", message(|| parallel::sum(&not_sums::asks {}, &mut 0.0, &xs, &2.0)));
    refused("calls", message(|| parallel::sum(&not_sums::calls {}, &mut 0.0, &xs, &2.0)));
    refused("turns", message(|| parallel::sum(&not_sums::turns {}, &mut [0.0; 2], &xs, &2.0)));
    refused("mixes", message(|| parallel::sum(&not_sums::mixes {}, &mut 0, &[1, 2], &2.0)));
    // In each direction.
    let f = &not_sums::flips {};
    refused("flips", message(|| parallel::sum::inverse(f, &mut 0.0, &xs, &2.0)));
    let (mut d_y, mut d_xs, mut d_w) = (1.0, [0.0; 3], 0.0);
    refused(
        "flips",
        message(|| {
            parallel::sum::adjoint(f, &mut 0.0, &mut d_y, &xs, &mut d_xs, &2.0, &mut d_w);
        }),
    );
    refused(
        "flips",
        message(|| {
            parallel::sum::inverse_adjoint(f, &mut 0.0, &mut d_y, &xs, &mut d_xs, &2.0, &mut d_w);
        }),
    );
    let arguments = (&mut 0.0, &mut d_y, &xs[..], &mut d_xs[..], &2.0, &mut d_w);
    refused("flips", message(|| not_sums::total {}.call_gradient(arguments)));
    refused("flips", message(|| drop(not_sums::total::gradient(&xs, &2.0))));
}

#[test]
fn what_adds_in_other_ways_is_taken() {
    let xs = [0.3, 0.75, 2.0];
    let mut y = [0.1, 0.2];
    parallel::sum(&sums::of_parts {}, &mut y, &xs, &2.0);
    let mut one_by_one = [0.1, 0.2];
    xs.iter().for_each(|x| sums::of_parts(&mut one_by_one, x, &2.0));
    assert!((y[0] - one_by_one[0]).abs() + (y[1] - one_by_one[1]).abs() < 1e-12);
    let mut count = 1;
    parallel::sum(&sums::counts {}, &mut count, &[1, 2, 3], &0.0);
    assert_eq!(count, 15);
    let mut total = 0.0;
    parallel::sum(&sums::nested {}, &mut total, &xs, &2.0);
    assert!((total - 8.0 * xs.iter().sum::<f64>()).abs() < 1e-12);
    assert!(!Reversible::<(&mut f64, &f64, &f64)>::accumulates(&not_sums::flips {}));
}
