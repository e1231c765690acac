//! Complex numbers: each rule against differences of `L = Re(w* f(z))`, in the
//! real and in the imaginary part. Its gradient with respect to `f(z)` is `w`.

use super::*;
use crate::derivative::{PullAdd, PullMul, PullRem, PullSub, pull};
use crate::num::{Arithmetic, Complex, Elementary};
use proptest::prelude::*;

type C = Complex<f64>;
type S = Complex<f32>;

/// `∂L/∂re + i ∂L/∂im` at `z`.
fn gradient(loss: impl Fn(C) -> f64, z: C) -> C {
    C::new(
        difference(|re| loss(C::new(re, z.im)), z.re),
        difference(|im| loss(C::new(z.re, im)), z.im),
    )
}

fn close(found: C, expected: C) -> bool {
    (found - expected).norm() <= 1e-7 * expected.norm().max(1.0)
}

fn single(z: C) -> S {
    S::new(z.re as f32, z.im as f32)
}

fn close_to_single(found: S, expected: C) -> bool {
    let found = C::new(found.re.into(), found.im.into());
    (found - expected).norm() <= 1e-4 * expected.norm().max(1.0)
}

/// Away from both axes, where the cuts are, in all quadrants.
fn number() -> impl Strategy<Value = C> {
    let part = || (0.2..1.5_f64, any::<bool>()).prop_map(|(x, minus)| if minus { -x } else { x });
    (part(), part()).prop_map(|(re, im)| C::new(re, im))
}

macro_rules! functions {
    ($z:ident $w:ident $of:ident: $($name:ident)+) => {$({
        let expected = gradient(|z| ($w.conj() * Elementary::$name(z)).re, $z);
        let argument = functions!(@$of $name $z);
        let found = pull::$name(&$w, &argument);
        prop_assert!(close(found, expected), "{} {found} {expected}", stringify!($name));
        let found = pull::$name(&single($w), &single(argument));
        prop_assert!(close_to_single(found, expected), "{}", stringify!($name));
    })+};
    (@argument $name:ident $z:ident) => { $z };
    (@value $name:ident $z:ident) => { Elementary::$name($z) };
}

proptest! {
    #[test]
    fn elementary_functions(z in number(), w in number()) {
        functions!(z w argument: exp_m1 ln ln_1p log2 log10 sin cos asin acos atan sinh cosh);
        functions!(z w argument: asinh acosh atanh);
        functions!(z w value: sqrt cbrt exp exp2 tan tanh);
        let expected = gradient(|z| (w.conj() * (z * z.sqrt())).re, z);
        prop_assert!(close(pull::own_root(&w, &z.sqrt()), expected));
        let (sin, cos) = (z.sin(), z.cos());
        let expected = gradient(|z| (w.conj() * (z.sin() * 2.0 + z.cos())).re, z);
        prop_assert!(close(pull::sin_cos(&(w * 2.0, w), &(sin, cos)), expected));
        let expected = gradient(|z| (w.conj() * Arithmetic::recip(z)).re, z);
        prop_assert!(close(pull::recip(&w, &z.inv()), expected));
        for n in -3..=4 {
            let expected = gradient(|z| (w.conj() * z.powi(n)).re, z);
            prop_assert!(close(pull::powi(&w, &z, n), expected), "{n}");
        }
    }

    #[test]
    fn powers(x in number(), p in number(), w in number()) {
        let y = Elementary::powf(x, p);
        let left = gradient(|x| (w.conj() * Elementary::powf(x, p)).re, x);
        let right = gradient(|p| (w.conj() * Elementary::powf(x, p)).re, p);
        prop_assert!(close(pull::powf_left(&w, &x, &p, &y), left));
        prop_assert!(close(pull::powf_right(&w, &x, &p, &y), right));
    }

    #[test]
    fn parts_lengths_and_angles(z in number(), g in -2.0..2.0, w in number()) {
        prop_assert!(close(pull::norm(&g, &z, &z.norm()), gradient(|z| g * z.norm(), z)));
        prop_assert!(close(pull::norm_sqr(&g, &z), gradient(|z| g * z.norm_sqr(), z)));
        prop_assert_eq!(pull::norm_squared(&g, &z), pull::norm_sqr(&g, &z));
        prop_assert!(close(pull::arg(&g, &z), gradient(|z| g * z.arg(), z)));
        prop_assert!(close(pull::re(&g), gradient(|z| g * z.re, z)));
        prop_assert!(close(pull::im(&g), gradient(|z| g * z.im, z)));
        prop_assert!(close(pull::conj(&w), gradient(|z| (w.conj() * z.conj()).re, z)));
        let (s, h) = (single(z), g as f32);
        prop_assert!(close_to_single(pull::norm(&h, &s, &s.norm()), gradient(|z| g * z.norm(), z)));
        prop_assert!(close_to_single(pull::norm_sqr(&h, &s), gradient(|z| g * z.norm_sqr(), z)));
        prop_assert!(close_to_single(pull::arg(&h, &s), gradient(|z| g * z.arg(), z)));
    }

    #[test]
    fn operators(a in number(), b in number(), w in number()) {
        macro_rules! check {
            ($($trait:ident $left:ident $right:ident $operator:tt;)+) => {$({
                let left = gradient(|a| (w.conj() * (a $operator b)).re, a);
                let right = gradient(|b| (w.conj() * (a $operator b)).re, b);
                prop_assert!(close(C::$left(&w, &a, &b), left), stringify!($left));
                prop_assert!(close(<C as $trait>::$right(&w, &a, &b), right), stringify!($right));
                let (g, x, y) = (single(w), single(a), single(b));
                prop_assert!(close_to_single(S::$left(&g, &x, &y), left));
                prop_assert!(close_to_single(<S as $trait>::$right(&g, &x, &y), right));
            })+};
        }
        check! {
            PullAdd pull_add_left pull_add_right +;
            PullSub pull_sub_left pull_sub_right -;
            PullMul pull_mul_left pull_mul_right *;
            PullQuotient pull_quotient_left pull_quotient_right /;
        }
        // Where the quotient does not jump.
        let quotient = 4.0 * a / b;
        let smooth = |x: f64| (0.01..0.99).contains(&x.fract().abs());
        prop_assume!(smooth(quotient.re) && smooth(quotient.im));
        let a = 4.0 * a;
        let right = gradient(|b| (w.conj() * (a % b)).re, b);
        prop_assert!(close(C::pull_rem_left(&w, &a, &b), w));
        prop_assert!(close(C::pull_rem_right(&w, &a, &b), right));
    }

    #[test]
    fn operators_with_real_numbers(z in number(), x in 0.3..2.0_f64, minus: bool, w in number()) {
        let x = if minus { -x } else { x };
        macro_rules! check {
            ($($trait:ident $left:ident $right:ident $operator:tt;)+) => {$({
                let loss = |y: C| (w.conj() * y).re;
                let text = stringify!($operator);
                // The complex number first, then the real one first.
                let by_complex = gradient(|z| loss(z $operator x), z);
                let by_real = difference(|x| loss(z $operator x), x);
                prop_assert!(close(<C as $trait<f64>>::$left(&w, &z, &x), by_complex), "{text}");
                prop_assert!(roughly(<C as $trait<f64>>::$right(&w, &z, &x), by_real, 1e-7));
                let (g, s, r) = (single(w), single(z), x as f32);
                let found = <S as $trait<f32>>::$left(&g, &s, &r);
                prop_assert!(close_to_single(found, by_complex), "{text}");
                let found = <S as $trait<f32>>::$right(&g, &s, &r);
                prop_assert!(roughly(found.into(), by_real, 1e-4), "{text}");

                let by_complex = gradient(|z| loss(x $operator z), z);
                let by_real = difference(|x| loss(x $operator z), x);
                prop_assert!(close(<f64 as $trait<C>>::$right(&w, &x, &z), by_complex), "{text}");
                prop_assert!(roughly(<f64 as $trait<C>>::$left(&w, &x, &z), by_real, 1e-7));
                let found = <f32 as $trait<S>>::$right(&g, &r, &s);
                prop_assert!(close_to_single(found, by_complex), "{text}");
                let found = <f32 as $trait<S>>::$left(&g, &r, &s);
                prop_assert!(roughly(found.into(), by_real, 1e-4), "{text}");
            })+};
        }
        check! {
            PullAdd pull_add_left pull_add_right +;
            PullSub pull_sub_left pull_sub_right -;
            PullMul pull_mul_left pull_mul_right *;
            PullQuotient pull_quotient_left pull_quotient_right /;
        }
    }
}
