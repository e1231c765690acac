//! Elements that are looked at on the way back before they are undone themselves: they are as the
//! function left them, to the last bit. So nothing stops, however close a decision on them is;
//! but it does where they were undone before.

use super::*;

/// Adds to a number what depends on the sign of another.
#[reversible]
fn gated(next: &mut f64, last: &f64, v: &f64) {
    *next += *v;
    if *last > 0.0 {
        *next += *last;
    }
}

/// Each is undone before the one that it was made of.
#[reversible]
fn chain(x: &mut [f64], v: &[f64]) {
    for k in 1..x.len() {
        gated(&mut x[k], &x[k - 1], &v[k]);
    }
}

#[reversible]
fn numbered_chain(x: &mut [f64], v: &[f64]) {
    for (k, w) in v.iter().enumerate() {
        gated(&mut x[k + 1], &x[k], w);
    }
}

/// Each is undone after the one that it was made of.
#[reversible]
fn backward_chain(x: &mut [f64], v: &[f64]) {
    for k in (1..x.len()).rev() {
        gated(&mut x[k - 1], &x[k], &v[k]);
    }
}

#[reversible]
fn made_of_later_ones(x: &mut [f64], v: &[f64]) {
    for k in 1..x.len() {
        gated(&mut x[k - 1], &x[k], &v[k]);
    }
}

#[reversible]
fn made_of_earlier_ones(x: &mut [f64], v: &[f64]) {
    for k in (1..x.len()).rev() {
        gated(&mut x[k], &x[k - 1], &v[k]);
    }
}

/// What is undone in one loop is looked at in another one with the same counter.
#[reversible]
fn looked_at_before(x: &mut [f64], y: &mut [f64], v: &[f64]) {
    for k in 1..x.len() {
        gated(&mut y[k], &x[k - 1], &v[k]);
    }
    for k in 1..x.len() {
        x[k] += v[k];
    }
}

#[reversible]
fn looked_at_after(x: &mut [f64], y: &mut [f64], v: &[f64]) {
    for k in 1..x.len() {
        x[k] += v[k];
    }
    for k in 1..x.len() {
        gated(&mut y[k], &x[k - 1], &v[k]);
    }
}

/// There are loops around, whose next pass finds what the last one undid.
#[reversible]
fn again_and_again(x: &mut [f64], v: &[f64]) {
    for _ in 0..2 {
        for k in 1..x.len() {
            gated(&mut x[k], &x[k - 1], &v[k]);
        }
    }
}

/// Sums of these are next to zero, beside what is large.
const V: [f64; 6] = [0.0, 1e3, -1e3, 1e-7, -1e-7, 0.3];

#[test]
fn what_is_not_undone_yet_decides_as_it_did() {
    let start = [1e-9, 0.0, 0.0, 0.0, 0.0, 0.0];
    let back = |run: &dyn Fn(&mut [f64]), undo: &dyn Fn(&mut [f64])| {
        let mut x = start;
        run(&mut x);
        undo(&mut x);
        x.iter().zip(start).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{x:?}"));
    };
    back(&|x| chain(x, &V), &|x| chain::inverse(x, &V));
    back(&|x| numbered_chain(x, &V[1..]), &|x| numbered_chain::inverse(x, &V[1..]));
    back(&|x| backward_chain(x, &V), &|x| backward_chain::inverse(x, &V));
    let mut y = start;
    let y = &mut y;
    let (mut x, at) = (start, &mut [0.0; 6]);
    looked_at_after(&mut x, y, &V);
    let d_at = &mut [0.0; 6];
    looked_at_after::adjoint(&mut x, at, y, d_at, &V, &mut [0.0; 6]);
}

#[test]
fn what_is_undone_before_stops() {
    let start = [0.3, 0.2, 0.0, 0.3, 0.1, -0.1];
    let mut x = start;
    let v = [0.1, -0.1, 0.2, -0.3, 0.1, 0.0];
    made_of_later_ones(&mut x, &v);
    assert_eq!(broken(|| made_of_later_ones::inverse(&mut x, &v)), Broken::Decision);
    let mut x = start;
    made_of_earlier_ones(&mut x, &v);
    assert_eq!(broken(|| made_of_earlier_ones::inverse(&mut x, &v)), Broken::Decision);
    let (mut x, mut y) = ([0.0; 6], [0.0; 6]);
    looked_at_before(&mut x, &mut y, &v);
    let back = || looked_at_before::inverse(&mut x, &mut y, &v);
    assert_eq!(broken(back), Broken::Decision);
    let mut x = [0.0; 6];
    again_and_again(&mut x, &v);
    assert_eq!(broken(|| again_and_again::inverse(&mut x, &v)), Broken::Decision);
}
