//! The scale at which what was undone is compared: the largest that it held on its way.

use crate::{agree, broken, by_duals, numbers};
use retrograde::error::Broken;
use retrograde::num::Dual;
use retrograde::prelude::*;
use std::panic::catch_unwind;

/// Sums that begin and end at zero, and hold more in between.
mod on_the_way {
    use super::*;

    #[reversible]
    fn branches(y: &mut f32, x: &[f32]) {
        #[compute]
        {
            let mut s = 0.0;
            let mut q = 0.0;
            for v in x {
                if s > 0.15 {
                    q += s * *v;
                }
                s += *v;
            }
        }
        *y += q;
    }

    #[reversible]
    fn exchanged(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut a = 0.0;
            let mut b = 0.0;
            let mut q = 0.0;
            for v in x {
                a += *v;
                swap(&mut a, &mut b);
                q += a * *v;
            }
        }
        *y += q;
    }

    #[reversible]
    fn elements(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut s = vec![0.0; 2];
            let mut q = 0.0;
            for k in 0..x.len() {
                q += s[0] * s[k % 2] * x[k];
                s[k % 2] += x[k];
            }
        }
        *y += q;
    }

    #[reversible]
    fn rows(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut s = vec![0.0; 3];
            let mut q = 0.0;
            for k in 0..x.len() {
                for i in 0..3 {
                    q += s[i] * s[i] * x[k];
                }
                for i in 0..3 {
                    s[i] += x[k];
                }
            }
        }
        *y += q;
    }

    #[reversible]
    fn back_inside(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut s = 0.0;
            let mut q = 0.0;
            for v in x {
                s += *v;
            }
            !{
                for v in x {
                    q += s * *v;
                    s += *v;
                }
            }
        }
        *y += q;
    }

    #[reversible]
    fn nested(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut q = 0.0;
            for k in 0..x.len() {
                #[compute]
                {
                    let mut r = 0.0;
                    let mut s = 0.0;
                    for j in 0..=k {
                        if s > 0.2 {
                            r -= x[j] * x[j];
                        }
                        r += s * s * x[j];
                        s += x[j];
                    }
                }
                q += r;
                if s > 0.0 {
                    q += s;
                }
            }
        }
        *y += q;
    }

    #[test]
    fn is_seen() {
        let d = branches::gradient(&[0.1, -0.3, 0.2]).d_x;
        assert!(d.iter().all(|d| d.abs() < 1e-6), "{d:?}");
        let zero_mean = [0.1, -0.3, 0.2, 0.2, 0.1, -0.3];
        for x in [&[0.2, 0.0, 0.1][..], &zero_mean[..], &zero_mean[..3], &[-0.2, -0.1, 0.3]] {
            exchanged::gradient(x);
            elements::gradient(x);
            rows::gradient(x);
            nested::gradient(x);
            nested(&mut 0.0, x);
            let by_hand: f64 = x.iter().sum();
            let inside = back_inside::gradient(x).d_x;
            assert!(inside.iter().all(|d| (d + by_hand).abs() < 2.0), "{inside:?}");
        }
    }

    /// A residue that is large beside all that was held stops it still.
    #[reversible]
    fn grows(y: &mut f64, x: &f64, steps: usize) {
        #[compute]
        {
            let mut z = *x;
            let mut q = 0.0;
            for _ in 0..steps {
                q += z * z;
                let mut next = 0.01 * z + 1.0;
                swap(&mut z, &mut next);
                next -= 100.0 * (z - 1.0);
                unlet!(next = 0.0);
            }
        }
        *y += q;
    }

    #[test]
    fn is_of_the_way_there_alone() {
        assert!(matches!(broken(|| grows::gradient(&0.1, 12)), Broken::Digits | Broken::Ancilla));
    }
}

/// The same, of what a caller lends.
mod of_arguments {
    use super::*;

    #[reversible]
    fn squares(y: &mut f64, x: &mut f64, a: &f64, b: &f64) {
        #[compute]
        {
            *x += *a;
            *x += *b;
        }
        *y += *x * *x;
    }

    #[reversible]
    fn walks(y: &mut f64, s: &mut f64, x: &[f64]) {
        for v in x {
            *y += *s * *s * *v;
            *s += *v;
        }
    }

    /// Nobody looks at `y`.
    #[reversible]
    fn adds(y: &mut f64, s: &mut f64, a: &f64, b: &f64) {
        *y += *a;
        *y += *b;
        *s += *a * *b;
    }

    /// Derivatives look at `y` itself.
    #[reversible]
    fn of_the_loss(y: &mut f64, x: &[f64]) {
        for v in x {
            let mut t = *y * *y * *v;
            *y += *v;
            t -= (*y - *v).powi(2) * *v;
            unlet!(t = 0.0);
        }
    }

    #[test]
    fn is_seen() {
        let squares = squares::gradient(&mut 0.0, &0.2, &0.1);
        assert!((squares.d_a - 0.6).abs() < 1e-12 && (squares.d_x - 0.6).abs() < 1e-12);
        let mut s = 0.0;
        let x = [0.1, -0.3, 0.2, 0.2, 0.1, -0.3];
        walks::gradient(&mut s, &x);
        assert_eq!(s, 0.0);
        let adds = adds::gradient(&mut 0.0, &0.2, &0.1);
        assert_eq!((adds.d_a, adds.d_b), (1.0, 1.0));
        let of_the_loss = of_the_loss::gradient(&x);
        assert!(of_the_loss.d_x.iter().all(|d| (d - 1.0).abs() < 1e-9));
    }
}

/// Functions that undo what they are lent, and look at it.
mod calls {
    use super::*;

    #[reversible]
    fn relax(a: &mut f64, q: &mut f64, n: usize) {
        for _ in 0..n {
            *q += *a * *a;
            let mut t = 0.01 * *a + 1.0;
            swap(a, &mut t);
            t -= 100.0 * (*a - 1.0);
            unlet!(t = 0.0);
        }
    }

    #[reversible]
    fn once(y: &mut f64, x: &f64, n: usize) {
        #[compute]
        {
            let mut a = *x;
            let mut q = 0.0;
            relax(&mut a, &mut q, n);
        }
        *y += q;
    }

    #[reversible]
    fn after_a_sum(y: &mut f64, x: &f64, n: usize) {
        #[compute]
        {
            let mut a = 0.0;
            a += *x;
            let mut q = 0.0;
            relax(&mut a, &mut q, n);
        }
        *y += q;
    }

    #[reversible]
    fn in_a_vector(y: &mut f64, x: &f64, n: usize) {
        #[compute]
        {
            let mut a = vec![0.0; 2];
            a[1] += *x;
            let mut q = 0.0;
            relax(&mut a[1], &mut q, n);
        }
        *y += q;
    }

    #[reversible]
    fn by_hand(y: &mut f64, x: &f64, n: usize) {
        let mut a = *x;
        let mut q = 0.0;
        relax(&mut a, &mut q, n);
        *y += q;
        !relax(&mut a, &mut q, n);
    }

    #[reversible]
    fn passed_on(a: &mut f64, q: &mut f64, n: usize) {
        relax(a, q, n);
    }

    #[reversible]
    fn through_another(y: &mut f64, x: &f64, n: usize) {
        #[compute]
        {
            let mut a = *x;
            let mut q = 0.0;
            passed_on(&mut a, &mut q, n);
        }
        *y += q;
    }

    #[reversible]
    fn in_a_branch(y: &mut f64, x: &f64, n: usize) {
        #[compute]
        {
            let mut a = *x;
            let mut q = 0.0;
            if n > 0 {
                relax(&mut a, &mut q, n);
            }
        }
        *y += q;
    }

    #[reversible]
    fn one_by_one(y: &mut f64, x: &[f64], n: usize) {
        #[compute]
        {
            let mut a = x.to_vec();
            let mut q = vec![0.0; x.len()];
            for (a, q) in a.iter_mut().zip(q.iter_mut()) {
                relax(a, q, n);
            }
        }
        for q in &q {
            *y += *q;
        }
    }

    #[reversible]
    fn relax_any<T: Real>(a: &mut T, q: &mut T, n: usize) {
        for _ in 0..n {
            *q += *a * *a;
            let mut t = T::from_f64(0.01) * *a + T::one();
            swap(a, &mut t);
            t -= T::from_f64(100.0) * (*a - T::one());
            unlet!(t = T::zero());
        }
    }

    #[reversible]
    fn of_any_type<T: Real>(y: &mut T, x: &T, n: usize) {
        #[compute]
        {
            let mut a = *x;
            let mut q = T::zero();
            relax_any::<T>(&mut a, &mut q, n);
        }
        *y += q;
    }

    fn known(x: f64, n: usize) -> f64 {
        let (mut z, mut slope, mut sum) = (x, 1.0, 0.0);
        for _ in 0..n {
            sum += 2.0 * z * slope;
            (z, slope) = (0.01 * z + 1.0, 0.01 * slope);
        }
        sum
    }

    #[test]
    fn are_compared() {
        type Gradient = fn(&f64, usize) -> f64;
        let all: [(&str, Gradient); 8] = [
            ("once", |x, n| once::gradient(x, n).d_x),
            ("after a sum", |x, n| after_a_sum::gradient(x, n).d_x),
            ("in a vector", |x, n| in_a_vector::gradient(x, n).d_x),
            ("by hand", |x, n| by_hand::gradient(x, n).d_x),
            ("through another", |x, n| through_another::gradient(x, n).d_x),
            ("in a branch", |x, n| in_a_branch::gradient(x, n).d_x),
            ("one by one", |x, n| one_by_one::gradient(&[*x, 0.2], n).d_x[0]),
            ("of any type", |x, n| of_any_type::gradient(x, n).d_x),
        ];
        for (name, gradient) in all {
            for n in 0..3 {
                let found = gradient(&0.1, n);
                assert!((found - known(0.1, n)).abs() < 1e-9, "{name}: {found}");
            }
            assert!(catch_unwind(|| gradient(&0.1, 12)).is_err(), "{name}: wrong in silence");
        }
    }

    /// Sums that are zero at both ends of the call.
    #[reversible]
    fn walk(s: &mut f64, q: &mut f64, x: &[f64]) {
        for v in x {
            *q += *s * *s * *v;
            *s += *v;
        }
    }

    #[reversible]
    fn walked(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut s = 0.0;
            let mut q = 0.0;
            walk(&mut s, &mut q, x);
        }
        *y += q;
    }

    #[test]
    fn that_end_where_they_began_are_right() {
        for x in [&[0.1, -0.3, 0.2][..], &[0.2, 0.1, -0.3], &[0.3, -0.2, -0.1]] {
            let by_hand: Vec<f64> = (0..x.len())
                .map(|i| {
                    let mut s: f64 = x[..i].iter().sum();
                    let mut d = s * s;
                    for v in &x[i..] {
                        d += if std::ptr::eq(v, &x[i]) { 0.0 } else { 2.0 * s * v };
                        s += v;
                    }
                    d
                })
                .collect();
            crate::agree(&walked::gradient(x).d_x, &by_hand, "walked");
        }
    }
}

/// What a message says of the digits.
#[test]
fn digits_are_of_the_largest_that_was_held() {
    #[reversible]
    fn large(y: &mut f64, x: &f64, steps: usize) {
        #[compute]
        {
            let mut z = 0.0;
            let mut q = 0.0;
            z += *x;
            for _ in 0..steps {
                q += z * z;
                let mut next = 0.01 * z + 1.0;
                swap(&mut z, &mut next);
                next -= 100.0 * (z - 1.0);
                unlet!(next = 0.0);
            }
        }
        *y += q;
    }
    let payload = catch_unwind(|| large::gradient(&1000.0, 7)).unwrap_err();
    let error = payload.downcast::<InvertibilityError>().unwrap();
    if error.broken == Broken::Digits {
        assert_eq!(error.expected, "0.0");
        let (_, held) = error.found.split_once(", where it held up to ").expect("the largest");
        assert!(held.starts_with("1000.0: "), "{held}");
    }
}

/// What is written through a part that is borrowed for all of a loop is seen, too: zero is what
/// it comes back to, up to the rounding of what it held.
#[reversible]
fn in_two_loops(y: &mut f64, x: &[f64], steps: usize) {
    #[compute]
    {
        let mut p = vec![0.0; x.len()];
        let mut s = 0.0;
        for r in 0..steps {
            for i in 0..x.len() {
                p[i] += 0.1 * r as f64;
            }
            for i in 0..x.len() {
                s += p[i] * x[i];
            }
        }
    }
    *y += s;
}

#[reversible]
fn from_rest(y: &mut f64, force: &[f64]) {
    let n = force.len();
    #[compute]
    {
        let mut v = vec![0.0; n + 1];
        let mut impulse = 0.0;
        let mut cost = 0.0;
        for k in 0..n {
            v[k + 1] += 0.1 * impulse;
            impulse += force[k];
            cost += v[k + 1] * v[k + 1];
        }
    }
    *y += cost;
}

#[test]
fn of_parts_that_loops_borrow() {
    for steps in 0..40 {
        let known = (0..steps).map(|r| 0.05 * (r * (r + 1)) as f64).sum();
        let ours = in_two_loops::gradient(&[1.0, -0.5, 3.0], steps).d_x;
        agree(&ours, &[known; 3], "in_two_loops");
    }
    for seed in 0..100 {
        let force = numbers(seed, 12);
        let known = by_duals(&force, |force| {
            let (mut impulse, mut cost) = (Dual::constant(0.0), Dual::constant(0.0));
            for force in force {
                let v = impulse * 0.1;
                impulse += *force;
                cost += v * v;
            }
            cost
        });
        agree(&from_rest::gradient(&force).d_force, &known, "from_rest");
    }
}
