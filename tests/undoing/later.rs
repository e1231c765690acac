//! The way back in another call: nobody has kept the decisions.

use super::*;

#[reversible]
fn walk(y: &mut f64, s: &mut f64, x: &[f64]) {
    for k in 0..x.len() {
        if *s > 0.05 {
            *y += x[k] * x[k];
        }
        *s += x[k];
    }
}

#[reversible]
fn ticks(n: &mut i64, t: &mut f64) {
    while (*t < 1.0, *t > 0.0) {
        *n += 1;
        *t += 0.1;
    }
}

/// Its second condition keeps away from what it compares with.
#[reversible]
fn safe_ticks(n: &mut i64, t: &mut f64) {
    while (*t < 0.95, *t > 0.05) {
        *n += 1;
        *t += 0.1;
    }
}

#[reversible]
fn stepped(y: &mut f64, phase: &mut f64, table: &[f64]) {
    for _ in 0..20 {
        *y += table[*phase as usize] + phase.floor();
        *phase += 0.1;
    }
}

#[test]
fn is_right_or_stops() {
    let (mut right, mut stopped) = (0, 0);
    for seed in 0..40 {
        let mut x = numbers(seed, 100);
        x.iter_mut().for_each(|x| *x += 1e-3 * f64::sin(*x * 7.0 + seed as f64));
        if seed % 2 == 0 {
            // The sum is then where the decision is.
            let sum: f64 = x[..50].iter().sum();
            x[50] = 0.05 - sum;
        }
        let (mut y, mut s) = (0.0, 0.3);
        walk(&mut y, &mut s, &x);
        let (mut d_y, mut d_s, mut d_x) = (1.0, 0.0, vec![0.0; 100]);
        let back = catch_unwind(AssertUnwindSafe(|| {
            walk::adjoint(&mut y, &mut d_y, &mut s, &mut d_s, &x, &mut d_x);
        }));
        match back {
            Ok(()) => {
                right += 1;
                let mut s = 0.3;
                agree(&d_x, &walk::gradient(&mut s, &x).d_x, "adjoint");
            }
            Err(payload) => {
                stopped += 1;
                let error = payload.downcast::<InvertibilityError>().expect("a check");
                assert_eq!(error.broken, Broken::Decision);
            }
        }
    }
    assert!(right > 10, "{right} right, {stopped} stopped");
    let (mut n, mut t) = (0, 0.0);
    ticks(&mut n, &mut t);
    assert_eq!(broken(|| ticks::inverse(&mut n, &mut t)), Broken::Decision);
    let (mut y, mut phase) = (0.0, 1.33);
    stepped(&mut y, &mut phase, &[1.0, 2.0, 4.0, 8.0, 16.0]);
    stepped::inverse(&mut y, &mut phase, &[1.0, 2.0, 4.0, 8.0, 16.0]);
    assert!(y.abs() < 1e-12 && (phase - 1.33).abs() < 1e-12);
    let (mut y, mut phase) = (0.0, 1.0);
    stepped(&mut y, &mut phase, &[1.0, 2.0, 4.0, 8.0, 16.0]);
    let back = || stepped::inverse(&mut y, &mut phase, &[1.0, 2.0, 4.0, 8.0, 16.0]);
    assert_eq!(broken(back), Broken::Decision);
    let (mut n, mut t) = (0, 0.0);
    safe_ticks(&mut n, &mut t);
    safe_ticks::inverse(&mut n, &mut t);
    assert_eq!(n, 0);
    assert!(t.abs() < 1e-15);
}

/// Its sum is computed anew, of what is undone outside.
#[reversible]
fn sum_of_what_is_undone(y: &mut f64, v: &mut [f64], x: &f64) {
    v[0] += 0.1;
    v[1] += 0.2;
    {
        #[compute]
        {
            let mut s = 0.0;
            let mut h = 0.0;
            for k in 0..v.len() {
                s += v[k];
                if s > 0.3 {
                    h += *x * *x;
                }
            }
        }
        *y += h;
    }
    v[2] += *y;
    v[1] -= 0.7;
}

#[test]
fn what_is_computed_of_what_is_undone_is_right_or_stops() {
    for (start, close) in [(0.0, true), (0.5, false), (-1.0, false)] {
        let (mut y, mut v, x) = (0.0, [start, 0.0, 0.0], 3.0);
        sum_of_what_is_undone(&mut y, &mut v, &x);
        let ended = v;
        if close {
            let back = || sum_of_what_is_undone::inverse(&mut y, &mut v, &x);
            assert_eq!(broken(back), Broken::Decision);
            continue;
        }
        sum_of_what_is_undone::inverse(&mut y, &mut v, &x);
        assert!(y.abs() < 1e-12 && (v[0] - start).abs() < 1e-12, "{y} {v:?} from {ended:?}");
    }
}
