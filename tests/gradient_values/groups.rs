//! Numbers whose product is a sum inside: `*=` and `/=`.

use proptest::prelude::*;
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

#[reversible]
fn products<T: Real>(y: &mut Logarithmic<T>, a: &Logarithmic<T>, b: &Logarithmic<T>) {
    *y *= *a * *b;
    *y /= *a / *b;
    *y *= *a;
    *y /= *b * *b * *b;
    *y *= *a + *b;
    *y /= (*a * *b + *a) / *b;
}

#[reversible]
fn concrete_products(y: &mut Logarithmic<f64>, a: &Logarithmic<f64>, b: &Logarithmic<f64>) {
    *y *= *a * *b;
    *y /= *a / *b;
    *y *= *a;
    *y /= *b * *b * *b;
    *y *= *a + *b;
    *y /= (*a * *b + *a) / *b;
}

/// From a number to its logarithm and back.
#[reversible]
fn there_and_back<T: Real>(y: &mut T, a: &T, b: &T, p: &T) {
    #[compute]
    {
        let mut product = Logarithmic::new(*a);
        product *= Logarithmic::from_ln(*b);
        product /= Logarithmic::new(*a + 1.0).pow(*p);
    }
    *y += product.value() * *b;
    *y -= product.ln();
}

#[reversible]
fn longest<T: Real>(y: &mut Tropical<T>, a: &Tropical<T>, b: &Tropical<T>) {
    *y *= *a * *b;
    *y *= *a + *b;
    *y /= *a * *a + *b;
}

proptest! {
    #[test]
    fn logarithmic(y in 0.1..4.0, a in 0.1..4.0, b in 0.1..4.0) {
        let [mut y, a, b] = [y, a, b].map(Logarithmic::new);
        assert_gradient!(products(&mut y, &a, &b));
        assert_gradient!(concrete_products(&mut y, &a, &b));
        // The derivatives of the logarithm, written by hand.
        let (u, v) = (a.value(), b.value());
        let by_a = 1.0 + u / (u + v) - 1.0;
        let by_b = 2.0 - 3.0 + v / (u + v) - v / (v + 1.0) + 1.0;
        let (mut d_a, mut d_b) = (Logarithmic::one(), Logarithmic::one());
        let mut d_y = Logarithmic::from_ln(1.0);
        products(&mut y, &a, &b);
        products::adjoint(&mut y, &mut d_y, &a, &mut d_a, &b, &mut d_b);
        prop_assert!((d_a.log - by_a).abs() < 1e-12 && (d_b.log - by_b).abs() < 1e-12);
        prop_assert_eq!(d_y.log, 1.0);
    }

    #[test]
    fn logarithmic_on_fixed_point(y in 0.1..4.0, a in 0.1..4.0, b in 0.1..4.0) {
        let [start, a, b] = [y, a, b].map(|v| Logarithmic::new(Fixed43::from_f64(v)));
        let mut y = start;
        assert_gradient!(products(&mut y, &a, &b));
        products(&mut y, &a, &b);
        let [mut d_y, mut d_a, mut d_b] = [1.0, 0.0, 0.0].map(|v| {
            Logarithmic::from_ln(Fixed43::from_f64(v))
        });
        products::adjoint(&mut y, &mut d_y, &a, &mut d_a, &b, &mut d_b);
        // To the last bit.
        prop_assert_eq!(y, start);
        products::inverse_adjoint(&mut y, &mut d_y, &a, &mut d_a, &b, &mut d_b);
        prop_assert_eq!((d_a.log, d_b.log), (Fixed43::zero(), Fixed43::zero()));
    }

    #[test]
    fn conversions(a in 0.2..3.0, b in -1.0..1.0, p in -1.5..1.5) {
        let mut y = 0.25;
        assert_gradient!(there_and_back(&mut y, &a, &b, &p));
        let at = there_and_back::gradient(&a, &b, &p);
        let [a, b, p] = [Dual::<f64, 3>::variable(a, 0), Dual::variable(b, 1), Dual::variable(p, 2)];
        let mut y = Dual::constant(0.0);
        there_and_back(&mut y, &a, &b, &p);
        for (found, expected) in [at.d_a, at.d_b, at.d_p].iter().zip(y.tangents) {
            prop_assert!((found - expected).abs() <= 1e-12 * (1.0 + expected.abs()));
        }
    }

    #[test]
    fn tropical(y in -3.0..3.0, a in -3.0..3.0, b in -3.0..3.0) {
        prop_assume!(f64::abs(a - b) > 0.2 && f64::abs(2.0 * a - b) > 0.2);
        let [mut y, a, b] = [y, a, b].map(Tropical);
        assert_gradient!(longest(&mut y, &a, &b));
        let (mut d_y, mut d_a, mut d_b) = (Tropical(1.0), Tropical(0.0), Tropical(0.0));
        longest(&mut y, &a, &b);
        longest::adjoint(&mut y, &mut d_y, &a, &mut d_a, &b, &mut d_b);
        let (first, twice) = (f64::from(a.0 > b.0), f64::from(2.0 * a.0 > b.0));
        prop_assert_eq!(d_a.0, 1.0 + first - 2.0 * twice);
        prop_assert_eq!(d_b.0, 1.0 + (1.0 - first) - (1.0 - twice));
    }
}

#[test]
fn tropical_ties_are_shared() {
    let (mut y, a, b) = (Tropical(0.0), Tropical(0.0), Tropical(0.0));
    let (mut d_y, mut d_a, mut d_b) = (Tropical(1.0), Tropical(0.0), Tropical(0.0));
    longest(&mut y, &a, &b);
    longest::adjoint(&mut y, &mut d_y, &a, &mut d_a, &b, &mut d_b);
    // 1 + ½ − (½ + ½), and 1 + ½ − ½.
    assert_eq!((d_a.0, d_b.0), (0.5, 1.0));
}
