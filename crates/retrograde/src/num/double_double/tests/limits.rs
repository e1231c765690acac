//! Zeros, infinities and the ends of the range go as they do for `f64`.

use super::super::*;
use super::within;
use crate::num::{Elementary, Real};

type D = DoubleDouble;

const SPECIAL: [f64; 15] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.5,
    -2.5,
    1e-310,
    -1e-310,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::MIN,
    1000.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// The same, up to round-off, with the sign of zeros, and nothing in the lower
/// half of an infinity.
#[track_caller]
fn same(pair: D, float: f64, what: &str) {
    let found = pair.hi();
    let rounded = (found - float).abs() <= 1e-14 * float.abs().max(1e-309);
    let agree = found == float && found.is_sign_positive() == float.is_sign_positive()
        || found.is_nan() && float.is_nan()
        || float != 0.0 && rounded && float.is_finite();
    assert!(agree, "{what}: {found:e} for {float:e}");
    assert!(found.is_finite() || pair.lo() == 0.0, "{what}: {pair:?}");
}

#[test]
fn operators() {
    for x in SPECIAL {
        let pair = D::from(x);
        same(-pair, -x, "-x");
        for y in SPECIAL {
            let what = format!("{x:e}, {y:e}");
            same(D::new(x, y), x + y, &what);
            same(pair + D::from(y), x + y, &what);
            same(pair - D::from(y), x - y, &what);
            same(pair * D::from(y), x * y, &what);
            same(pair / D::from(y), x / y, &what);
            same(pair + y, x + y, &what);
            same(pair - y, x - y, &what);
            same(pair * y, x * y, &what);
            same(pair / y, x / y, &what);
            same(x - D::from(y), x - y, &what);
            assert_eq!(pair == D::from(y), x == y, "{what}");
            assert_eq!(pair.partial_cmp(&D::from(y)), x.partial_cmp(&y), "{what}");
        }
    }
}

#[test]
fn functions() {
    macro_rules! functions {
        ($($name:ident)+, $range:expr) => {
            for x in SPECIAL.into_iter().filter($range) {
                $(same(D::from(x).$name(), x.$name(), &format!("{}({x:e})", stringify!($name)));)+
            }
        };
    }
    functions!(sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 recip, |_| true);
    functions!(asin acos atan sinh cosh tanh atanh, |_| true);
    functions!(abs signum floor ceil round trunc, |_| true);
    // `f64` gives up early for the former, and knows more digits of `π`.
    let inner = |x: &f64| x.abs() < 1e10 || !x.is_finite();
    functions!(asinh acosh sin cos tan, inner);
    let largest = D::from(f64::MAX);
    assert!(within(1e-30, largest.asinh(), largest.ln() + D::LN_2));
    assert!(within(1e-30, largest.acosh(), largest.ln() + D::LN_2));
}

#[test]
fn functions_of_two_numbers() {
    for x in SPECIAL {
        for y in SPECIAL {
            let (what, pair) = (format!("{x:e}, {y:e}"), D::from(x));
            same(pair.hypot(D::from(y)), x.hypot(y), &what);
            same(pair.atan2(D::from(y)), x.atan2(y), &what);
            same(pair.powf(D::from(y)), x.powf(y), &what);
            // Which of two zeros is the smaller is left open.
            assert!(pair.min(D::from(y)).hi() == x.min(y) || x.is_nan() && y.is_nan());
            assert!(pair.max(D::from(y)).hi() == x.max(y) || x.is_nan() && y.is_nan());
        }
        for n in [0, 1, 2, -1, -3] {
            same(D::from(x).powi(n), x.powi(n), &format!("{x:e}^{n}"));
        }
    }
}

#[test]
fn large_and_small_numbers_keep_their_digits() {
    let [three, seven] = [3, 7].map(D::from);
    for size in [1e-270, 1e-100, 1e100, 1e300] {
        let x = seven * size / 3.0;
        assert!(within(1e-31, x / size * three, seven), "{size}");
        assert!(within(1e-31, x.sqrt() * x.sqrt(), x), "{size}");
        assert!(within(1e-30, x.cbrt().powi(3), x), "{size}");
        assert!(within(1e-30, (x * 3.0).hypot(x * 4.0), x * 5.0), "{size}");
        assert!(within(1e-28, x.ln().exp(), x), "{size}");
    }
    let half = D::from(355.0);
    assert!(within(1e-30, (half * 2.0 - 0.5).exp(), (half - 0.25).exp().powi(2)));
    assert!(within(1e-30, (half * 2.0).sinh(), half.exp() * 0.5 * half.exp()));
    assert!(within(1e-30, (half * -2.0).cosh(), half.exp() * 0.5 * half.exp()));
    // Many turns, and an angle of one.
    let turns = D::PI * f64::from(1 << 20);
    assert!(((turns + 1.0).sin() - D::from(1).sin()).hi().abs() < 1e-25);
    assert!(D::from(1e25).sin().hi().abs() <= 1.0);
}

#[test]
fn powers() {
    let [two, minus_two, half] = [2.0, -2.0, 0.5].map(D::from);
    assert_eq!(minus_two.powf(D::from(3)), D::from(-8));
    assert!(within(1e-29, minus_two.powf(D::from(100)), two.powi(100)));
    assert!(within(1e-29, minus_two.powf(D::from(-101)), -two.powi(-101)));
    assert!(minus_two.powf(half).hi().is_nan());
    // Not whole, although its leading half is.
    assert!(minus_two.powf(D::new(1e16, 0.25) * 1e-14).hi().is_nan());
    assert!(minus_two.powf(D::new(2.0, 1e-20)).hi().is_nan());
    assert_eq!(two.powi(i32::MIN), D::zero());
}

#[test]
fn whole_parts_look_at_both_halves() {
    let below = D::new(2.5, -1e-20);
    assert_eq!([below.round(), (-below).round()], [2.0, -2.0].map(D::from));
    let below = D::new(3.0, -1e-20);
    assert_eq!([below.floor(), below.trunc()], [2.0, 2.0].map(D::from));
    assert_eq!([below.ceil(), below.round()], [3.0, 3.0].map(D::from));
    assert_eq!((-below).trunc(), D::from(-2));
}

#[test]
fn formats() {
    let text = |x: f64| (D::from(x).to_string(), format!("{:?}", D::from(x)));
    for x in [0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e15, -2.5] {
        assert_eq!(text(x), (x.to_string(), format!("{x:?}")));
        assert_eq!(format!("{:8.1}", D::from(x)), format!("{x:8.1}"));
        assert_eq!(format!("{:<+8}|", D::from(x)), format!("{x:<+8}|"));
    }
    let debug = |x: D| format!("{x:?}");
    assert_eq!(debug(D::new(1.0, -1e-40)), "1.0");
    assert_eq!(debug(D::new(1.0, -1e-20)), "0.99999999999999999999");
    assert_eq!(debug(D::from(1e16) * 1e16), "1e32");
    assert_eq!(debug(D::from(-1.5) * 2_f64.powi(-20)), "-1.430511474609375e-6");
    assert_eq!(debug(D::from(2).sqrt() * 1e20), "1.41421356237309504880168872421e20");
    assert_eq!(debug(D::from(5e-324)), "4.940656458412465441765687928682e-324");
    assert_eq!(format!("{:.40}", D::from(0.5)), format!("{:.40}", 0.5));
    assert_eq!(format!("{:.0} {:.0}", D::from(2.5), D::from(0.5)), "2 0");
    assert_eq!(format!("{:.3}", D::from(1e-300)), "0.000");
    assert_eq!(format!("{:.33}", D::PI), "3.141592653589793238462643383279506");
    assert_eq!(D::from(2_f64.powi(100)).to_string(), "1267650600228229401496703205376");
}

#[test]
fn checks_look_at_the_leading_half() {
    let half = Slack::half_the_digits;
    let x = D::from(3);
    assert!(x.agrees(&(x + 1e-16), half(0.0)));
    assert!(!x.agrees(&(x + 1e-14), half(0.0)));
    assert!(!(x * 1e-10).agrees(&D::zero(), half(1.0)));
    assert!((x * 1e-10).agrees(&D::zero(), half(1e7)));
    assert_eq!((-x).magnitude(), 3.0);
    assert!(D::from(f64::NAN).agrees(&D::from(f64::NAN), Slack::EXACT));
}

#[test]
fn constants_and_literals() {
    assert_eq!((D::default(), D::one()), (D::zero(), D::literal(1.0)));
    assert_eq!((D::from(0.1).hi(), D::from(0.1).lo()), (0.1, 0.0));
    assert_eq!((D::PI / 3.0).to_f64(), std::f64::consts::FRAC_PI_3);
}
