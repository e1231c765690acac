//! Logarithmic and tropical numbers, by differences in the coordinates that
//! their shadows use.

use super::*;
use crate::derivative::{Differentiable, PullAdd, PullFactor, PullMul, PullSub, zero_like};
use crate::num::{Dual, Fixed43, Logarithmic, MultiplicativeGroup, Tropical};
use proptest::prelude::*;

type L = Logarithmic<f64>;

proptest! {
    #[test]
    fn logarithmic_numbers(a in -2.0..2.0_f64, b in -2.0..2.0_f64, g in -2.0..2.0) {
        prop_assume!((a - b).abs() > 0.05);
        let log = L::from_ln;
        macro_rules! check {
            ($a:expr, $b:expr; $($trait:ident $left:ident $right:ident $operator:tt;)+) => {$({
                let (a, b): (f64, f64) = ($a, $b);
                let left = difference(|a| g * (log(a) $operator log(b)).log, a);
                let right = difference(|b| g * (log(a) $operator log(b)).log, b);
                prop_assert!(roughly(L::$left(&log(g), &log(a), &log(b)).log, left, 1e-7));
                prop_assert!(roughly(L::$right(&log(g), &log(a), &log(b)).log, right, 1e-7));
                let [h, x, y] = [g, a, b].map(|x| Logarithmic::from_ln(Fixed43::from_f64(x)));
                let found = <Logarithmic<Fixed43> as $trait>::$left(&h, &x, &y).log.to_f64();
                prop_assert!(roughly(found, left, 1e-7));
                let found = <Logarithmic<Fixed43> as $trait>::$right(&h, &x, &y).log.to_f64();
                prop_assert!(roughly(found, right, 1e-7));
            })+};
        }
        check! { a, b;
            PullAdd pull_add_left pull_add_right +;
            PullMul pull_mul_left pull_mul_right *;
            PullQuotient pull_quotient_left pull_quotient_right /;
        }
        check!(a.max(b), a.min(b); PullSub pull_sub_left pull_sub_right -;);

        let factor = difference(
            |b| {
                let mut y = log(a);
                y.multiply(log(b));
                g * y.log
            },
            b,
        );
        prop_assert!(roughly(L::pull_multiply(&log(g), &log(b)).log, factor, 1e-7));
    }

    #[test]
    fn tropical_numbers(a in -2.0..2.0_f64, b in -2.0..2.0_f64, g in -2.0..2.0) {
        prop_assume!((a - b).abs() > 1e-3);
        macro_rules! check {
            ($($left:ident $right:ident $operator:tt;)+) => {$({
                let left = difference(|a| g * (Tropical(a) $operator Tropical(b)).0, a);
                let right = difference(|b| g * (Tropical(a) $operator Tropical(b)).0, b);
                let (h, x, y) = (Tropical(g), Tropical(a), Tropical(b));
                prop_assert!(roughly(Tropical::$left(&h, &x, &y).0, left, 1e-7));
                prop_assert!(roughly(Tropical::$right(&h, &x, &y).0, right, 1e-7));
            })+};
        }
        check! {
            pull_add_left pull_add_right +;
            pull_mul_left pull_mul_right *;
            pull_quotient_left pull_quotient_right /;
        }
        prop_assert_eq!(Tropical::pull_multiply(&Tropical(g), &Tropical(b)), Tropical(g));
    }
}

#[test]
fn sums_with_the_number_zero() {
    let (g, zero, x) = (L::from_ln(3.0), L::new(0.0), L::from_ln(0.5));
    assert_eq!(
        (L::pull_add_left(&g, &zero, &x).log, L::pull_add_right(&g, &zero, &x).log),
        (0.0, 3.0)
    );
    assert_eq!(
        (L::pull_add_left(&g, &x, &zero).log, L::pull_add_right(&g, &x, &zero).log),
        (3.0, 0.0)
    );
    assert_eq!(L::pull_add_left(&g, &zero, &zero).log, 1.5);
    assert_eq!(L::pull_add_right(&g, &zero, &zero).log, 1.5);
    assert_eq!(
        (L::pull_sub_left(&g, &x, &zero).log, L::pull_sub_right(&g, &x, &zero).log),
        (3.0, 0.0)
    );
    assert_eq!(
        (L::pull_sub_left(&g, &zero, &zero).log, L::pull_sub_right(&g, &zero, &zero).log),
        (0.0, 0.0)
    );
}

#[test]
fn distant_terms_overflow_nowhere() {
    let number = |log: i32| Logarithmic::from_ln(Fixed43::from(log));
    let (g, large, small) = (number(1), number(1000), number(-1000));
    assert_eq!(Logarithmic::pull_add_left(&g, &large, &small), g);
    assert_eq!(Logarithmic::pull_add_left(&g, &small, &large), number(0));
    assert_eq!(Logarithmic::pull_sub_left(&g, &large, &small), g);
    let far = L::from_ln(-1000.0);
    assert_eq!(L::pull_add_right(&L::from_ln(1.0), &L::from_ln(1000.0), &far).log, 0.0);
}

/// The share of a term has a derivative, also where the terms are equal: ¼.
#[test]
fn second_derivatives_of_equal_terms() {
    let term = |i| Logarithmic::from_ln(Dual::<f64, 2>::variable(0.7, i));
    let g = Logarithmic::from_ln(Dual::constant(1.0));
    let share = Logarithmic::pull_add_left(&g, &term(0), &term(1)).log;
    assert_eq!((share.value, share.tangents), (0.5, [0.25, -0.25]));
}

#[test]
fn ties_of_tropical_numbers() {
    let (g, x, zero) = (Tropical(3.0), Tropical(1.0), Tropical(f64::NEG_INFINITY));
    assert_eq!(Tropical::pull_add_left(&g, &x, &x), Tropical(1.5));
    assert_eq!(Tropical::pull_add_right(&g, &x, &x), Tropical(1.5));
    assert_eq!(Tropical::pull_add_left(&g, &zero, &zero), Tropical(1.5));
    assert_eq!(Tropical::pull_add_right(&g, &x, &zero), Tropical(0.0));
    assert_eq!(Tropical::pull_add_left(&Tropical(3), &Tropical(1), &Tropical(0)), Tropical(0));
}

#[test]
fn shadows_hold_what_is_inside() {
    let mut shadow = zero_like(&L::new(0.0));
    assert_eq!(shadow.log, 0.0);
    shadow.accumulate_shadow(L::from_ln(2.0));
    shadow.accumulate_shadow(L::from_ln(3.0));
    shadow.retract_shadow(L::from_ln(1.0));
    assert_eq!(shadow.log, 4.0);
    let mut shadow = zero_like(&Tropical(f64::NEG_INFINITY));
    shadow.accumulate_shadow(Tropical(2.0));
    shadow.accumulate_shadow(Tropical(-5.0));
    assert_eq!(shadow, Tropical(-3.0));
}
