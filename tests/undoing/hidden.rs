//! Decisions that nobody sees where they stand: in functions, in what is changed by calls, and in
//! what an argument held before. In two calls they stop, or are right.

use super::*;

/// Runs a function there and back: the values are those of before, or it has stopped.
macro_rules! come_back {
    ($($name:ident($($argument:expr),*) for $($changed:expr),+;)+) => {$({
        let mut there: Vec<f64> = vec![$($changed),+];
        let before = there.clone();
        $name(&mut there, $($argument),*);
        let back = catch_unwind(AssertUnwindSafe(|| $name::inverse(&mut there, $($argument),*)));
        match back {
            Ok(()) => agree(&there, &before, stringify!($name)),
            Err(payload) => {
                let error = payload.downcast::<InvertibilityError>().expect("a check");
                assert_eq!(error.broken, Broken::Decision, "{}", stringify!($name));
            }
        }
    })+};
}

fn digit(v: f64) -> usize {
    (v.abs() * 10.0) as usize
}

fn positive(x: &[f64]) -> bool {
    x[1] > 0.0
}

#[reversible]
fn add_both(x: &mut f64, a: &f64, b: &f64) {
    *x += *a;
    *x += *b;
}

#[reversible]
fn undone_by_a_call(v: &mut [f64], a: &f64, b: &f64) {
    if v[1] > 0.0 {
        v[0] += 1.0;
    }
    add_both(&mut v[1], a, b);
}

#[reversible]
fn computed_in_place(v: &mut [f64], a: &f64, b: &f64) {
    if v[1] > 0.0 {
        v[0] += 1.0;
    }
    #[compute]
    {
        v[1] += *a;
        v[1] += *b;
    }
    v[0] += v[1];
}

#[reversible]
fn asked(v: &mut [f64], y: &mut f64, a: &f64, b: &f64) {
    if positive(v) {
        *y += 1.0;
    }
    v[1] += *a;
    v[1] += *b;
}

#[reversible]
fn compared(v: &mut [f64], a: &f64) {
    if digit(v[1]) > 2 {
        v[0] += 1.0;
    }
    v[1] += *a;
}

#[reversible]
fn named(v: &mut [f64], a: &f64) {
    {
        #[constant]
        let k = digit(v[1]);
        v[0] += k as f64;
    }
    v[1] += *a;
}

#[reversible]
fn at_an_index(v: &mut [f64], y: &mut [f64; 9], a: &f64) {
    y[digit(v[1])] += 1.0;
    v[1] += *a;
}

#[reversible]
fn so_often(v: &mut [f64], a: &f64) {
    for _ in 0..digit(v[1]) {
        v[0] += 1.0;
    }
    v[1] += *a;
}

#[reversible]
fn in_a_block(v: &mut [f64], a: &f64) {
    {
        let b = {
            let u = v[1] * 10.0;
            u.floor() > 2.0
        };
        if b {
            v[0] += 1.0;
        }
    }
    v[1] += *a;
}

#[reversible]
fn not_a_number(v: &mut [f64], x: &[f64]) {
    for k in 0..x.len() {
        if v[1] > 0.3 {
            v[0] += 1.0;
        }
        v[1] += x[k];
    }
}

#[test]
fn come_back_or_stop() {
    come_back! {
        undone_by_a_call(&0.2, &0.1) for 0.0, 0.0;
        computed_in_place(&0.2, &0.1) for 0.0, 0.0;
        compared(&0.4) for 0.0, 0.3;
        named(&0.4) for 0.0, 0.3;
        so_often(&0.4) for 0.0, 0.3;
        in_a_block(&0.4) for 0.0, 0.3;
        not_a_number(&[1.0, f64::INFINITY, 1.0]) for 0.0, 0.0;
    }
    let (mut v, mut y) = ([0.0, 0.3], [0.0; 9]);
    at_an_index(&mut v, &mut y, &0.4);
    let back = || at_an_index::inverse(&mut v, &mut y, &0.4);
    assert_eq!(broken(back), Broken::Decision);
    let (mut v, mut y) = ([0.0, 0.0], 0.0);
    asked(&mut v, &mut y, &0.2, &0.1);
    let back = || asked::inverse(&mut v, &mut y, &0.2, &0.1);
    assert_eq!(broken(back), Broken::Decision);
}

/// In one call.
mod in_one_call {
    use super::*;

    fn big(t: f64) -> bool {
        t > 0.3
    }

    #[reversible]
    fn named(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut s = 0.0;
            let mut q = 0.0;
            for v in x {
                #[constant]
                let b = big(s);
                if b {
                    q += *v;
                }
                s += *v;
            }
        }
        *y += q;
    }

    #[reversible]
    fn at_an_index(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut s = 0.0;
            let mut q = 0.0;
            for v in x {
                q += x[digit(s) % x.len()];
                s += *v;
            }
        }
        *y += q;
    }

    #[reversible]
    fn so_often(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut s = 0.0;
            let mut q = 0.0;
            for v in x {
                for _ in 0..digit(s) {
                    q += *v;
                }
                s += *v;
            }
        }
        *y += q;
    }

    #[reversible]
    fn nested(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut s = 0.0;
            let mut q = 0.0;
            for v in x {
                {
                    #[compute]
                    {
                        let mut w = 0.0;
                        let b = s > 0.3;
                        if b {
                            w += 1.0;
                        }
                        if digit(s) > 2 {
                            w += 1.0;
                        }
                    }
                    q += w * *v;
                }
                s += *v;
            }
        }
        *y += q;
    }

    #[reversible]
    fn look(q: &mut f64, s: &mut f64, v: &f64) {
        if *s > 0.3 {
            *q += *v * (*v - 0.2);
        }
    }

    #[reversible]
    fn look_at_two(q: &mut f64, s: &(f64, f64), v: &f64) {
        if s.1 > 0.3 {
            *q += *v * (*v - 0.2);
        }
    }

    #[reversible]
    fn look_at_some(q: &mut f64, s: &[f64; 2], v: &f64) {
        if s[1] > 0.3 {
            *q += *v * (*v - 0.2);
        }
    }

    #[reversible]
    fn lent(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut s = 0.0;
            let mut q = 0.0;
            for v in x {
                look(&mut q, &mut s, v);
                s += *v;
            }
        }
        *y += q;
    }

    #[reversible]
    fn in_a_tuple(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut s = (0.0, 0.0);
            let mut q = 0.0;
            for v in x {
                look_at_two(&mut q, &s, v);
                s.1 += *v;
            }
        }
        *y += q;
    }

    #[reversible]
    fn in_an_array(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut s = [0.0, 0.0];
            let mut q = 0.0;
            for v in x {
                look_at_some(&mut q, &s, v);
                s[1] += *v;
            }
        }
        *y += q;
    }

    /// The undoing is written out.
    #[reversible]
    fn by_hand(y: &mut f64, x: &[f64]) {
        let mut s = 0.0;
        let mut q = 0.0;
        for v in x {
            if s > 0.3 {
                q += *v;
            }
            s += *v;
        }
        *y += q;
        !for v in x {
            if s > 0.3 {
                q += *v;
            }
            s += *v;
        };
    }

    /// The differences of a function, where no decision is close.
    fn known(f: impl Fn(&mut f64, &[f64]), x: &[f64]) -> Vec<f64> {
        let at = |i: usize, h: f64| {
            let (mut y, mut x) = (0.0, x.to_vec());
            x[i] += h;
            f(&mut y, &x);
            y
        };
        (0..x.len()).map(|i| (at(i, 1e-7) - at(i, -1e-7)) / 2e-7).collect()
    }

    #[test]
    fn are_right() {
        assert_eq!(named::gradient(&[0.3, 0.1]).d_x, [0.0, 0.0]);
        assert_eq!(at_an_index::gradient(&[0.3, 0.3, 0.3]).d_x, [3.0, 0.0, 0.0]);
        assert_eq!(so_often::gradient(&[0.3, 0.1, 0.1]).d_x, [0.0, 3.0, 4.0]);
        assert_eq!(nested::gradient(&[0.3, 0.1]).d_x, [0.0, 1.0]);
        assert_eq!(by_hand::gradient(&[0.3, 0.1]).d_x, [0.0, 0.0]);
        for x in [[0.31, 0.12, 0.13], [0.1, 0.05, 0.7]] {
            let near = |ours: &[f64], known: &[f64]| {
                let far = ours.iter().zip(known).any(|(a, b)| (a - b).abs() > 1e-6);
                assert!(!far, "{ours:?} instead of {known:?}");
            };
            near(&named::gradient(&x).d_x, &known(named, &x));
            near(&nested::gradient(&x).d_x, &known(nested, &x));
            near(&by_hand::gradient(&x).d_x, &known(by_hand, &x));
            near(&lent::gradient(&x).d_x, &known(lent, &x));
            near(&in_a_tuple::gradient(&x).d_x, &known(in_a_tuple, &x));
            near(&in_an_array::gradient(&x).d_x, &known(in_an_array, &x));
        }
    }

    #[test]
    fn stop_in_what_is_called() {
        let x = [0.2, 0.1, 0.2];
        assert_eq!(broken(|| lent::gradient(&x)), Broken::Decision);
        assert_eq!(broken(|| in_a_tuple::gradient(&x)), Broken::Decision);
        assert_eq!(broken(|| in_an_array::gradient(&x)), Broken::Decision);
    }
}
