//! Sums that grow from zero, and are looked at on their way back by what leans on their digits:
//! logarithms, roots, divisors. What is left of a small one beside the largest that it held is said.

use super::*;

/// Each in a form that dual numbers can judge, and as most people write it.
macro_rules! sums {
    ($($name:ident |$y:ident, $x:ident| $body:tt)+) => {$(
        mod $name {
            use super::*;

            #[reversible]
            fn loss<T: Real>($y: &mut T, $x: &[T]) $body

            #[reversible]
            fn plain($y: &mut f64, $x: &[f64]) $body

            #[test]
            fn is_right_or_stops() {
                for of in [2.0, 4.0, 6.0, 18.0] {
                    let points = points(of);
                    let known = by_duals(&points, |x| {
                        let mut y = Dual::constant(0.0);
                        loss(&mut y, x);
                        y
                    });
                    judge(of, &known, || plain::gradient(&points).d_x);
                    judge(of, &known, || loss::gradient(&points).d_x);
                    let mut y = 0.0;
                    plain(&mut y, &points);
                    let adjoint = || {
                        let (mut y, mut d_x) = (y, vec![0.0; points.len()]);
                        plain::adjoint(&mut y, &mut 1.0, &points, &mut d_x);
                        d_x
                    };
                    judge(of, &known, adjoint);
                }
            }
        }
    )+};
}

fn points(of: f64) -> Vec<f64> {
    (0..60).map(|i| of * (f64::from(i) / 29.5 - 1.0)).collect()
}

/// With magnitudes that are not far apart it is right; else it may stop.
fn judge(of: f64, known: &[f64], gradient: impl FnOnce() -> Vec<f64>) {
    match catch_unwind(AssertUnwindSafe(gradient)) {
        Ok(found) => {
            for (a, b) in found.iter().zip(known) {
                assert!((a - b).abs() <= 1e-5 * (b.abs() + 1e-3), "{of}: {a} instead of {b}");
            }
        }
        Err(payload) => {
            let error = payload.downcast::<InvertibilityError>().expect("a check");
            assert!(of > 5.0, "{error}");
            assert!(matches!(error.broken, Broken::Digits | Broken::Decision), "{error}");
        }
    }
}

sums! {
    likelihood |y, x| {
        #[compute]
        {
            let mut risk = 0.0;
            let mut q = 0.0;
            for v in x {
                risk += v.exp();
                q += *v - risk.ln();
            }
        }
        *y += q;
    }
    ratio |y, x| {
        #[compute]
        {
            let mut a = 0.0;
            let mut b = 0.0;
            let mut q = 0.0;
            for v in x {
                a += v.exp();
                b += (0.5 * *v).exp();
                q += a / (3.0 * b);
            }
        }
        *y += q;
    }
    by_a_name |y, x| {
        #[compute]
        {
            let mut s = 0.0;
            let mut q = 0.0;
            for v in x {
                s += v.exp();
                let twice = s + s;
                let logarithm = twice.ln();
                q += *v * logarithm;
            }
        }
        *y += q;
    }
    of_a_difference |y, x| {
        #[compute]
        {
            let mut hazard = 0.0;
            let mut q = 0.0;
            for v in x {
                hazard += v.exp();
                q += (1.0 - (-hazard).exp() + 1e-300).ln();
            }
        }
        *y += q;
    }
    in_branches |y, x| {
        #[compute]
        {
            let mut s = 0.0;
            let mut q = 0.0;
            for v in x {
                s += v.exp();
                if *v > 0.5 {
                    q += s.recip();
                } else {
                    q += if *v > -1.0 { s.powi(-1) } else { *v / s };
                }
            }
        }
        *y += q;
    }
    of_a_part |y, x| {
        #[compute]
        {
            let mut s = [0.0, 0.0];
            let mut q = 0.0;
            for v in x {
                for part in 0..2 {
                    s[part] += v.exp();
                }
                q += s[0].log2() * s[1].sqrt().cbrt();
            }
        }
        *y += q;
    }
    undone_by_hand |y, x| {
        let mut s = 0.0;
        for v in x {
            s += v.exp();
            *y += s.ln();
        }
        !for v in x {
            s += v.exp();
        }
    }
    again_and_again |y, x| {
        #[compute]
        {
            let mut s = 0.0;
            let mut q = 0.0;
            let mut k = 0;
            while (k < x.len(), k != 0) {
                for _ in 0..2 {
                    s += x[k].exp();
                    q += x[k] / s;
                }
                k += 1;
            }
        }
        *y += q;
    }
}

#[reversible]
fn lends(y: &mut f64, s: &mut f64, x: &[f64]) {
    for v in x {
        *s += v.exp();
        *y += s.ln();
    }
}

#[reversible]
fn inside(y: &mut f64, x: &[f64]) {
    #[compute]
    {
        let mut s = 0.0;
        let mut q = 0.0;
        lends(&mut q, &mut s, x);
    }
    *y += q;
}

/// Shrinks by factors, and comes back by them: each state is known as nearly as the next one.
#[reversible]
fn product(y: &mut f64, x: &[f64]) {
    #[compute]
    {
        let mut p = 1.0;
        let mut q = 0.0;
        for v in x {
            let mut next = p * (0.1 * *v - 1.0).exp();
            swap(&mut p, &mut next);
            next -= p / (0.1 * *v - 1.0).exp();
            unlet!(next = 0.0);
            q += p.ln();
        }
    }
    *y += q;
}

/// Falls from something large, and is looked at there: it comes back as it was.
#[reversible]
fn falls(y: &mut f64, x: &[f64]) {
    #[compute]
    {
        let mut s = 0.0;
        s += 1048576.0;
        s -= 1048575.0;
        let mut q = 0.0;
        for v in x {
            s += *v * *v;
            q += s.ln();
        }
    }
    *y += q;
}

#[test]
fn is_said_of_what_is_lent() {
    let far = points(18.0);
    assert_eq!(broken(|| lends::gradient(&mut 0.0, &far)), Broken::Digits);
    assert_eq!(broken(|| inside::gradient(&far)), Broken::Digits);
    let near = points(2.0);
    lends::gradient(&mut 0.0, &near);
    inside::gradient(&near);
}

#[test]
fn what_keeps_its_digits_is_not_stopped() {
    let ours = product::gradient(&points(2.0)).d_x;
    let known: Vec<f64> = (0..60).map(|i| 0.1 * f64::from(60 - i)).collect();
    agree(&ours, &known, "product");
    let known = by_duals(&points(1e-3), |x| {
        let (mut s, mut q) = (Dual::constant(1.0), Dual::constant(0.0));
        for v in x {
            s += *v * *v;
            q += s.ln();
        }
        q
    });
    agree(&falls::gradient(&points(1e-3)).d_x, &known, "falls");
}

/// The message names the statement that leans on what is lost.
#[test]
fn the_message_names_the_statement() {
    let run = || likelihood_of_few(&[-20.0, 20.0]);
    let payload = catch_unwind(run).unwrap_err();
    let error = payload.downcast::<InvertibilityError>().unwrap();
    assert_eq!(error.source, "q += risk.ln();");
    assert_eq!(error.expected, "a number of which half of the digits are left");
    assert!(error.found.ends_with(", undone from 4.9e8"), "{}", error.found);
}

fn likelihood_of_few(x: &[f64]) -> Vec<f64> {
    #[reversible]
    fn few(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut risk = 0.0;
            let mut q = 0.0;
            for v in x {
                risk += v.exp();
                q += risk.ln();
            }
        }
        *y += q;
    }
    few::gradient(x).d_x
}
