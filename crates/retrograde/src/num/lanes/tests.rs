use super::*;
use crate::derivative::pull;
use proptest::prelude::*;

type L = Lanes<f64, 3>;

macro_rules! each_function {
    ($x:ident: $($name:ident)+) => {$(
        let lanes = Lanes($x).$name().0;
        prop_assert_eq!(lanes.map(f64::to_bits), $x.map(|x| Elementary::$name(x).to_bits()));
        let equal = L::splat($x[0]).$name().0;
        prop_assert_eq!(equal.map(f64::to_bits), [Elementary::$name($x[0]).to_bits(); 3]);
    )+};
}

proptest! {
    #[test]
    fn every_lane_has_its_own_value(a: [f64; 3], b in [0.1..2.0, 0.1..2.0, 0.1..2.0], n in -3..4) {
        let each = |f: fn(f64, f64) -> f64| [0, 1, 2].map(|i| f(a[i], b[i]).to_bits());
        let bits = |lanes: L| lanes.0.map(f64::to_bits);
        let (x, y) = (Lanes(a), Lanes(b));
        prop_assert_eq!(bits(x + y), each(|a, b| a + b));
        prop_assert_eq!(bits(x - y), each(|a, b| a - b));
        prop_assert_eq!(bits(x * y), each(|a, b| a * b));
        prop_assert_eq!(bits(x / y), each(|a, b| a / b));
        prop_assert_eq!(bits(-x), each(|a, _| -a));
        prop_assert_eq!(bits(x.min(y)), each(f64::min));
        prop_assert_eq!(bits(x.max(y)), each(f64::max));
        prop_assert_eq!(bits(x.atan2(y)), each(f64::atan2));
        prop_assert_eq!(bits(x.hypot(y)), each(f64::hypot));
        prop_assert_eq!(bits(y.powf(x)), each(|a, b| b.powf(a)));
        prop_assert_eq!(bits(y.powi(n)), b.map(|b| b.powi(n).to_bits()));
        prop_assert_eq!(bits(x.abs()), each(|a, _| a.abs()));
        each_function!(b: sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan atan);
        each_function!(b: sinh cosh tanh asinh);
    }

    #[test]
    fn gradients_go_back_in_every_lane(g: [f64; 3], a in [0.1..2.0, -2.0..-0.1, 0.5..0.7]) {
        let b = [0.6, 0.6, 0.6];
        let lanes = PullOrder::pull_max_left(&Lanes(g), &Lanes(a), &Lanes(b)).0;
        let alone = [0, 1, 2].map(|i| f64::pull_max_left(&g[i], &a[i], &b[i]));
        prop_assert_eq!(lanes.map(f64::to_bits), alone.map(f64::to_bits));
        let lanes = pull::sin(&Lanes(g), &Lanes(a)).0;
        let alone = [0, 1, 2].map(|i| pull::sin(&g[i], &a[i]));
        prop_assert_eq!(lanes.map(f64::to_bits), alone.map(f64::to_bits));
    }
}

#[test]
fn signs_of_zeros_are_kept() {
    let zeros: Lanes<f64, 2> = Lanes([0.0, -0.0]);
    assert_eq!(zeros.sin().0.map(f64::to_bits), [0.0_f64.to_bits(), (-0.0_f64).to_bits()]);
    assert_eq!(zeros.recip().0, [f64::INFINITY, f64::NEG_INFINITY]);
    assert_eq!(zeros.recip_or_zero().0, [0.0, 0.0]);
}

#[test]
fn a_gradient_in_one_lane_is_something() {
    assert!(Lanes::is_something(&Lanes([0.0, 1.0])));
    assert!(!Lanes::is_something(&Lanes([0.0, -0.0])));
}

#[test]
fn lanes_that_agree() {
    assert!(Lanes([1.0, 2.0]) < Lanes([1.5, 2.5]));
    assert!(Lanes([1.0, 2.0]) == Lanes([1.0, 2.0]));
    assert!(Lanes([1.0, 2.0]) != Lanes([3.0, 4.0]));
}

#[test]
#[should_panic = "the lanes disagree about a comparison of [1.0, 2.0] with [1.5, 1.5]"]
fn lanes_that_disagree() {
    let _ = Lanes([1.0, 2.0]) < Lanes([1.5, 1.5]);
}

#[test]
#[should_panic = "the lanes disagree"]
fn lanes_that_disagree_about_equality() {
    let _ = Lanes([1.0, 2.0]) == Lanes([1.0, 1.5]);
}

#[test]
fn a_float_cannot_hold_the_gradients_of_several_lanes() {
    assert!(pull::from_f64(&Lanes([1.0, 1.0])).is_nan());
    assert_eq!(pull::from_f64(&Lanes([0.0, 0.0])), 0.0);
}
