mod edges;
mod rules;

use super::*;
use crate::check::Slack;
use crate::num::{DoubleDouble, Elementary, Fixed43};
use proptest::prelude::*;
use retrograde_macros::reversible;

type D<const N: usize = 1> = Dual<f64, N>;

fn near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * (1.0 + expected.abs())
}

/// Everything at once: arguments that influence each other, branches, powers.
fn mixed<T: Real>(x: T, y: T, z: T) -> T {
    let angle = y.clone().atan2(x.clone()) + z.clone().tanh();
    let length = x.clone().hypot(y.clone()).max(z.clone());
    let power = (length + T::one()).powf(angle.clone().sin());
    if x > y { power * z.exp() } else { power / (angle.cos() + T::literal(2.0)) }
}

/// Leapfrog steps of two pendulums that are coupled, with an ancilla.
#[reversible]
fn pendulums<T: Real>(x: &mut [T; 2], v: &mut [T; 2], steps: usize) {
    for _ in 0..steps {
        let mut force: T = 0.0;
        force += 0.5 * (x[0] - x[1]);
        v[0] -= 0.05 * (x[0].sin() + force);
        v[1] -= 0.05 * (x[1].sin() - force);
        force -= 0.5 * (x[0] - x[1]);
        x[0] += 0.05 * v[0];
        x[1] += 0.05 * v[1];
    }
}

/// The state after the steps.
fn after<T: Real>(state: [T; 4], steps: usize) -> [T; 4] {
    let [a, b, c, d] = state;
    let (mut x, mut v) = ([a, b], [c, d]);
    pendulums(&mut x, &mut v, steps);
    let ([a, b], [c, d]) = (x, v);
    [a, b, c, d]
}

proptest! {
    #[test]
    fn directions_do_not_disturb_each_other(x in -2.0..2.0, y in -2.0..2.0, z in -2.0..2.0) {
        let all = D::<3>::seed(&[x, y, z]);
        let all = mixed(all[0], all[1], all[2]);
        prop_assert_eq!(all.value, mixed(x, y, z));
        for i in 0..3 {
            let mut one = [x, y, z].map(D::<1>::constant);
            one[i].tangents = [1.0];
            let [x, y, z] = one;
            prop_assert_eq!(mixed(x, y, z).tangents[0], all.tangents[i]);
        }
    }

    #[test]
    fn a_tangent_is_any_direction(x in 0.5..2.0, y in -2.0..-0.5, d in -1.0..1.0, e in -1.0..1.0) {
        let both = D::<2>::seed(&[x, y]);
        let [by_x, by_y] = mixed(both[0], both[1], D::constant(0.1)).tangents;
        let along = |value, tangent| D { value, tangents: [tangent] };
        let found = mixed(along(x, d), along(y, e), D::constant(0.1)).tangents[0];
        prop_assert!(near(found, by_x * d + by_y * e, 1e-12));
    }

    #[test]
    fn reversible_functions_carry_derivatives_there_and_back(
        start in prop::array::uniform4(-1.0..1.0),
    ) {
        const STEPS: usize = 50;
        let seeds: [D<4>; 4] = D::seed(&start).try_into().unwrap();
        let end = after(seeds, STEPS);
        let plain = after(start, STEPS);
        prop_assert_eq!(end.map(|x| x.value), plain);
        for j in 0..4 {
            let shifted = |by| {
                let mut from = start;
                from[j] += by;
                after(from, STEPS)
            };
            let (up, down) = (shifted(1e-5), shifted(-1e-5));
            for i in 0..4 {
                prop_assert!(near(end[i].tangents[j], (up[i] - down[i]) / 2e-5, 1e-6));
            }
        }
        let [a, b, c, d] = end;
        let (mut x, mut v) = ([a, b], [c, d]);
        pendulums::inverse(&mut x, &mut v, STEPS);
        for (found, expected) in x.into_iter().chain(v).zip(seeds) {
            prop_assert!(found.agrees(&expected, Slack::half_the_digits(0.0)), "{found:?} {expected:?}");
        }
    }

    #[test]
    fn exact_numbers_have_exact_derivatives_back(start in prop::array::uniform4(-1.0..1.0)) {
        let start = start.map(Fixed43::from_f64);
        let seeds: [Dual<Fixed43, 4>; 4] = Dual::seed(&start).try_into().unwrap();
        let [a, b, c, d] = after(seeds, 100);
        let (mut x, mut v) = ([a, b], [c, d]);
        pendulums::inverse(&mut x, &mut v, 100);
        for (found, expected) in x.into_iter().chain(v).zip(seeds) {
            prop_assert_eq!(found.value, expected.value);
            prop_assert_eq!(found.tangents, expected.tangents);
        }
    }

    #[test]
    fn hessians_by_duals_of_duals(x in 0.5..2.0, y in -2.0..-0.5) {
        // f = exp(x y) + x³ / y.
        type H = Dual<Dual<f64, 2>, 2>;
        let seeds = H::seed(&D::<2>::seed(&[x, y]));
        let f = (seeds[0] * seeds[1]).exp() + seeds[0].powi(3) / seeds[1];
        let e = (x * y).exp();
        let gradient = [y * e + 3.0 * x * x / y, x * e - x.powi(3) / (y * y)];
        let mixed = (1.0 + x * y) * e - 3.0 * x * x / (y * y);
        let hessian = [
            [y * y * e + 6.0 * x / y, mixed],
            [mixed, x * x * e + 2.0 * x.powi(3) / y.powi(3)],
        ];
        for i in 0..2 {
            prop_assert!(near(f.value.tangents[i], gradient[i], 1e-12));
            prop_assert!(near(f.tangents[i].value, gradient[i], 1e-12));
            for (found, expected) in f.tangents[i].tangents.into_iter().zip(hessian[i]) {
                prop_assert!(near(found, expected, 1e-12));
            }
        }
    }
}

#[test]
fn all_digits_of_the_components_are_used() {
    let third = DoubleDouble::from(1) / 3.0;
    let x = Dual::<DoubleDouble>::variable(third, 0);
    let within = |found: [DoubleDouble; 1], expected: DoubleDouble| {
        assert!((found[0] - expected).abs().to_f64() < 1e-29 * expected.abs().to_f64());
    };
    within(x.exp2().tangents, third.exp2() * DoubleDouble::LN_2);
    within(x.log2().tangents, 3.0 / DoubleDouble::LN_2);
    within(x.log10().tangents, 3.0 / DoubleDouble::LN_10);
    within(x.tanh().tangents, third.cosh().powi(-2));
    within(x.cbrt().tangents, x.powf(Dual::literal(1.0) / 3.0).tangents[0]);
    within((x / 3.0).tangents, third);
}

#[test]
fn constructors() {
    let show = |x: D<2>| format!("{x:?}");
    assert_eq!(show(D::variable(1.5, 1)), "1.5 + [0.0, 1.0]ε");
    assert_eq!(show(D::constant(1.5)), "1.5 + [0.0, 0.0]ε");
    assert_eq!(show(1.5.into()), "1.5 + [0.0, 0.0]ε");
    assert_eq!(show(D::default()), "0.0 + [0.0, 0.0]ε");
    assert_eq!(show(D::zero()), "0.0 + [0.0, 0.0]ε");
    assert_eq!(show(D::one()), "1.0 + [0.0, 0.0]ε");
    assert_eq!(show(D::from_f64(2.0)), "2.0 + [0.0, 0.0]ε");
    assert_eq!(D::<0>::constant(1.0).tangents, []);
}

#[test]
fn display() {
    let x = Dual { value: 1.5, tangents: [2.0, -0.25] };
    assert_eq!(x.to_string(), "1.5 + [2, -0.25]ε");
    assert_eq!(format!("{x:.2}"), "1.50 + [2.00, -0.25]ε");
    let nested = Dual::<_>::variable(D::<1>::variable(3.0, 0), 0);
    assert_eq!(format!("{:?}", nested * nested), "9.0 + [6.0]ε + [6.0 + [2.0]ε]ε");
}

#[test]
#[should_panic(expected = "direction 2 of a dual number that has 2")]
fn a_direction_must_exist() {
    D::<2>::variable(1.0, 2);
}

#[test]
#[should_panic(expected = "3 variables for dual numbers of 2 directions")]
fn as_many_variables_as_directions() {
    D::<2>::seed(&[1.0, 2.0, 3.0]);
}

#[test]
fn comparisons_look_at_values() {
    let (x, y) = (D::<1>::variable(1.0, 0), D::constant(1.0));
    assert!(x == y && x <= y && x >= y);
    assert!(x < 2.0.into() && x > 0.5.into());
    assert_eq!(D::<1>::constant(f64::NAN).partial_cmp(&x), None);
    assert_eq!(x.to_f64(), 1.0);
}

#[test]
fn tangents_are_checked_too() {
    let dual = |value, tangent| D { value, tangents: [tangent] };
    assert!(dual(1.0, 2.0).agrees(&dual(1.0 + 1e-10, 2.0 - 1e-10), Slack::half_the_digits(0.0)));
    assert!(!dual(1.0, 2.0).agrees(&dual(1.0, 2.01), Slack::half_the_digits(0.0)));
    assert!(!dual(1.0, 2.0).agrees(&dual(1.01, 2.0), Slack::half_the_digits(0.0)));
    assert_eq!(dual(-3.0, 7.0).magnitude(), 3.0);
    // A value is compared at its own scale, whatever the tangents are.
    assert!(!dual(1e-9, 1e9).agrees(&dual(2e-9, 1e9), Slack::half_the_digits(0.0)));
    assert!(dual(0.0, 1e9).agrees(&dual(0.0, 1e9 + 1.0), Slack::half_the_digits(0.0)));
    // At the origin, round-off of tangents is no error.
    assert!(dual(0.0, 1e-16).agrees(&dual(0.0, 0.0), Slack::half_the_digits(0.0)));
    assert!(dual(0.0, f64::NAN).agrees(&dual(0.0, f64::NAN), Slack::half_the_digits(0.0)));
}

#[test]
#[cfg(not(feature = "unchecked"))]
fn a_check_that_holds_by_chance_is_found_out() {
    /// With an ancilla that ends as zero at `x = 1` only.
    #[reversible]
    fn coincidence<T: Real>(y: &mut T, x: &T) {
        let mut a: T = 0.0;
        a += *x;
        *y += a;
        a -= *x * *x;
    }
    coincidence(&mut 0.0, &1.0);
    let dual = std::panic::catch_unwind(|| {
        coincidence(&mut D::<1>::zero(), &D::variable(1.0, 0));
    });
    assert!(dual.is_err());
}

#[test]
fn reciprocals_are_zero_where_they_are_infinite() {
    let edge = f64::MIN_POSITIVE / 4.0;
    for x in [0.0, -0.0, 5e-324, edge, edge.next_up(), -edge, 1e-300, 2.0, f64::INFINITY] {
        let expected = if (1.0 / x).is_infinite() { 0.0 } else { 1.0 / x };
        assert_eq!(x.recip_or_zero(), expected, "{x:e}");
        let Dual { value, tangents: [tangent] } = Dual::<f64>::variable(x, 0).recip_or_zero();
        assert_eq!((value, tangent), (expected, -expected * expected), "{x:e}");
    }
    assert!(f64::NAN.recip_or_zero().is_nan());
    assert_eq!((f32::MIN_POSITIVE / 4.0).recip_or_zero(), 0.0);
    assert!((f32::MIN_POSITIVE / 4.0).next_up().recip_or_zero().is_finite());
}
