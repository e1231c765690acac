use super::*;
use proptest::prelude::*;

fn near(found: TwoFloat, expected: TwoFloat) -> bool {
    let error = TwoFloat::abs(&(found - expected)).hi();
    error <= 1e-29 * expected.hi().abs().max(1e-3)
}

fn number(range: std::ops::Range<f64>) -> impl Strategy<Value = TwoFloat> {
    (range, -1.0..1.0).prop_map(|(hi, lo)| TwoFloat::new_add(hi, hi * lo * 1e-16))
}

/// The traits' functions, where the methods have the same names.
mod by_trait {
    use super::*;

    macro_rules! functions {
        ($($name:ident)+) => {$(
            pub fn $name(x: TwoFloat) -> TwoFloat {
                Elementary::$name(x)
            }
        )+};
    }
    functions!(sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10);
    functions!(sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh);
}
use by_trait::*;

proptest! {
    #[test]
    fn functions_undo_each_other(x in number(-1.5..1.5), y in number(0.01..20.0)) {
        prop_assert!(near(ln(exp(x)), x));
        prop_assert!(near(exp(ln(y)), y));
        prop_assert!(near(log2(exp2(x)), x));
        prop_assert!(near(ln_1p(exp_m1(x)), x));
        prop_assert!(near(exp(log10(y) * consts::LN_10), y));
        prop_assert!(near(atan(tan(x)), x));
        prop_assert!(near(asinh(sinh(x)), x));
        prop_assert!(near(sinh(asinh(y)), y));
        prop_assert!(near(atanh(tanh(x)), x));
        prop_assert!(near(sin(asin(x * 0.6)), x * 0.6));
        prop_assert!(near(cos(acos(x * 0.6)), x * 0.6));
        prop_assert!(near(cosh(acosh(y + 1.0)), y + 1.0));
        prop_assert!(near(sqrt(y) * sqrt(y), y));
        prop_assert!(near(Elementary::powi(cbrt(x), 3), x));
        prop_assert!(near(Arithmetic::recip(y) * y, TwoFloat::one()));
    }

    #[test]
    fn identities(x in number(-20.0..20.0), y in number(0.1..3.0)) {
        prop_assert!(near(sin(x) * sin(x) + cos(x) * cos(x), TwoFloat::one()));
        prop_assert!(near(sin(x * 2.0), sin(x) * cos(x) * 2.0));
        prop_assert!(near(exp(x) * exp(-x), TwoFloat::one()));
        prop_assert!(near(cosh(y) - sinh(y), exp(-y)));
        prop_assert!(near(Elementary::powf(y, x), exp(x * ln(y))));
        prop_assert!(near(Elementary::powi(y, -5) * y * y * y * y * y, TwoFloat::one()));
        let length = Real::hypot(x, y);
        prop_assert!(near(length * length, x * x + y * y));
        let angle = Real::atan2(x, y);
        prop_assert!(near(length * sin(angle), x));
        prop_assert!(near(length * cos(angle), y));
    }
}

#[test]
fn known_values() {
    let number = TwoFloat::from_f64;
    assert!(near(exp(number(1.0)), consts::E));
    assert!(near(ln(number(2.0)), consts::LN_2));
    assert!(near(log10(number(2.0)), consts::LOG10_2));
    assert!(near(atan(number(1.0)), consts::FRAC_PI_4));
    assert!(near(Real::atan2(number(0.0), number(-1.0)), consts::PI));
    assert!(near(acos(number(0.5)), consts::FRAC_PI_3));
    assert!(near(sin(consts::FRAC_PI_6), number(0.5)));
    assert!(near(sqrt(number(2.0)), consts::SQRT_2));
    assert_eq!(Real::hypot(number(3e300), number(1e-300)), 3e300);
}

#[test]
fn limits_are_those_of_f64() {
    let [zero, one] = [0.0, 1.0].map(TwoFloat::from_f64);
    assert_eq!(ln(zero).hi(), f64::NEG_INFINITY);
    assert!(ln(-one).hi().is_nan() && sqrt(-one).hi().is_nan() && asin(one * 2.0).hi().is_nan());
    assert_eq!((cbrt(zero), log2(one), exp(zero)), (zero, zero, one));
    assert_eq!((Elementary::powi(zero, 0), Elementary::powf(zero, zero)), (one, one));
    assert_eq!(exp(one * 1000.0).hi(), f64::INFINITY);
    assert_eq!((exp(one * -1000.0), tanh(one * -1000.0)), (zero, -one));
    assert_eq!(exp_m1(one * 1000.0).hi(), f64::INFINITY);
    assert_eq!(ln_1p(-one).hi(), f64::NEG_INFINITY);
    assert_eq!(Arithmetic::recip(zero).hi(), f64::INFINITY);
}

#[test]
fn checks_look_at_the_leading_half() {
    let x = TwoFloat::from_f64(3.0);
    assert!(x.agrees(&(x + 1e-16), 0.0));
    assert!(!x.agrees(&(x + 1e-14), 0.0));
    assert!(!(x * 1e-10).agrees(&TwoFloat::zero(), 1.0));
    assert!((x * 1e-10).agrees(&TwoFloat::zero(), 1e6));
}
