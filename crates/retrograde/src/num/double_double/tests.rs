mod limits;
mod values;

use super::exact::{two_prod, two_sum};
use super::*;
use crate::num::{AdditiveGroup, Elementary, Real};
use proptest::prelude::*;
use values::{ARITHMETIC, BINARY, VALUES};

type D = DoubleDouble;

fn within(tolerance: f64, found: D, expected: D) -> bool {
    (found - expected).hi().abs() <= tolerance * expected.hi().abs()
}

/// For a chain of functions, some of which lose digits.
fn near(found: D, expected: D) -> bool {
    (found - expected).hi().abs() <= 1e-30 * expected.hi().abs().max(0.1)
}

fn normalised(x: D) -> bool {
    x.hi() + x.lo() == x.hi()
}

fn number(range: std::ops::Range<f64>) -> impl Strategy<Value = D> {
    (range, -1.0..1.0).prop_map(|(hi, lo)| D::new(hi, hi * lo * 1e-16))
}

/// Numbers of either sign and any size for which products keep their digits.
fn any_size() -> impl Strategy<Value = D> {
    (number(1.0..2.0), -400..400, any::<bool>()).prop_map(|(x, exponent, negative)| {
        let size = x * 2_f64.powi(exponent);
        if negative { -size } else { size }
    })
}

/// Integers that need both halves.
fn integer() -> impl Strategy<Value = i128> {
    (-(1_i128 << 105)..1 << 105, 0..105).prop_map(|(n, shift)| n >> shift)
}

fn from_integer(n: i128) -> D {
    let hi = n as f64;
    D::new(hi, (n - hi as i128) as f64)
}

fn to_integer(x: D) -> i128 {
    x.hi() as i128 + x.lo() as i128
}

proptest! {
    #[test]
    fn remainders_of_integers(a in integer(), b in 1..1_000_000_000_000_i128, negative: bool) {
        let b = if negative { -b } else { b };
        let (x, y) = (from_integer(a), from_integer(b));
        prop_assert_eq!(to_integer(x % y), a % b);
        prop_assert_eq!(to_integer(x.rem_euclid(y)), a.rem_euclid(b));
    }

    #[test]
    fn parts_of_numbers(x in number(-9.0..9.0), y in number(-9.0..9.0)) {
        prop_assert!((x.trunc() + x.fract() - x).abs().to_f64() < 1e-30);
        prop_assert_eq!(x.copysign(y), if y.hi() < 0.0 { -x.abs() } else { x.abs() });
        let (low, high) = (D::from(-2.0), D::from(3.0));
        prop_assert_eq!(x.clamp(low, high), x.max(low).min(high));
        prop_assume!(y.hi().abs() > 1e-3);
        let times = x.div_euclid(y);
        prop_assert!((times * y + x.rem_euclid(y) - x).abs().to_f64() < 1e-27);
    }
}

proptest! {
    #[test]
    fn sums_and_products_of_floats_are_exact(
        a in -(1_i64 << 53)..1 << 53,
        b in -(1_i64 << 53)..1 << 53,
        shift in 0..60,
    ) {
        let (sum, error) = two_sum(a as f64, b as f64 * 2_f64.powi(shift));
        let expected = i128::from(a) + (i128::from(b) << shift);
        prop_assert_eq!(sum as i128 + error as i128, expected);
        let (product, error) = two_prod(a as f64, b as f64);
        prop_assert_eq!(product as i128 + error as i128, i128::from(a) * i128::from(b));
    }

    #[test]
    fn operators_are_those_of_integers(a in integer(), b in integer(), c in -1000..1000_i32) {
        let (x, y) = (from_integer(a), from_integer(b));
        prop_assert_eq!(to_integer(x), a);
        let close = |found: D, expected: i128| {
            let error = (to_integer(found) - expected).unsigned_abs() as f64;
            normalised(found) && error <= 1e-31 * expected.unsigned_abs() as f64
        };
        prop_assert!(close(x + y, a + b) && close(x - y, a - b));
        prop_assert!(close(x + y.hi(), a + y.hi() as i128));
        prop_assert!(close(x * D::from(c), a * i128::from(c)));
        prop_assert!(close(x * f64::from(c), a * i128::from(c)));
        prop_assert!(c == 0 || within(1e-31, x * D::from(c) / D::from(c), x));
        prop_assert!(c == 0 || within(1e-31, x * f64::from(c) / f64::from(c), x));
        prop_assert_eq!(x.partial_cmp(&y), a.partial_cmp(&b));
    }

    #[test]
    fn operators_undo_each_other(x in any_size(), y in any_size()) {
        prop_assert!(within(1e-31, x / y * y, x));
        prop_assert!(within(1e-31, x / y.hi() * y.hi(), x));
        prop_assert!(within(1e-31, x.recip() * x, D::ONE));
        prop_assert!(within(1e-31, x.abs().sqrt() * x.abs().sqrt(), x.abs()));
        prop_assert!(within(2e-31, x.cbrt().powi(3), x));
        prop_assert!([x + y, x - y, x * y, x / y, x.abs().sqrt(), x.cbrt()].map(normalised) == [true; 6]);
        prop_assert_eq!((x + y, x * y, x - y), (y + x, y * x, -(y - x)));
        prop_assert_eq!((x - x, x / x), (D::zero(), D::ONE));
        let (mut z, both) = (x, x + y);
        z += y;
        prop_assert_eq!(z, both);
        z -= y;
        prop_assert!((z - x).hi().abs() <= 1e-31 * x.hi().abs().max(y.hi().abs()));
        z.negate();
        z *= y;
        z /= 2.0;
        prop_assert!(z.hi().signum() == -(x.hi() * y.hi()).signum() || z.hi() == 0.0);
    }

    #[test]
    fn floats_and_pairs_mix(x in number(-9.0..9.0), y in 0.1..9.0) {
        let pair = D::from(y);
        for (mixed, expected) in [
            (x + y, x + pair),
            (y + x, pair + x),
            (x - y, x - pair),
            (y - x, pair - x),
            (x * y, x * pair),
            (y * x, pair * x),
            (x / y, x / pair),
            (y / x, pair / x),
        ] {
            prop_assert!(within(1e-31, mixed, expected), "{:?} {:?}", mixed, expected);
        }
    }

    #[test]
    fn whole_parts(n in -(1_i128 << 100)..1 << 100, shift in 0..100, eighths in 0..8_i32) {
        let n = n >> shift;
        let x = from_integer(n) + f64::from(eighths) / 8.0;
        let above = n + i128::from(eighths > 0);
        prop_assert_eq!(to_integer(x.floor()), n);
        prop_assert_eq!(to_integer(x.ceil()), above);
        prop_assert_eq!(to_integer(x.trunc()), if n < 0 { above } else { n });
        let up = if n < 0 { eighths > 4 } else { eighths >= 4 };
        prop_assert_eq!(to_integer(x.round()), n + i128::from(up));
    }

    #[test]
    fn integers_print_all_their_digits(n in integer()) {
        prop_assert_eq!(format!("{:.0}", from_integer(n)), n.to_string());
        prop_assert_eq!(format!("{:40.2}", from_integer(n)), format!("{:>40}", format!("{n}.00")));
    }

    #[test]
    fn short_floats_print_alike(n in -100_000_000..100_000_000_i32, shift in -8..20) {
        // At most 31 digits, so nothing is rounded.
        let x = f64::from(n) * 2_f64.powi(shift);
        prop_assert_eq!(D::from(x).to_string(), x.to_string());
        prop_assert_eq!(format!("{:?}", D::from(x)), format!("{x:?}"));
        prop_assert_eq!(format!("{:+012.3}", D::from(x)), format!("{x:+012.3}"));
    }

    #[test]
    fn functions_undo_each_other(x in number(-1.5..1.5), y in number(0.01..20.0)) {
        prop_assert!(near(x.exp().ln(), x));
        prop_assert!(near(y.ln().exp(), y));
        prop_assert!(near(x.exp2().log2(), x));
        prop_assert!(near(x.exp_m1().ln_1p(), x));
        prop_assert!(near((y.log10() * D::LN_10).exp(), y));
        prop_assert!(near(x.tan().atan(), x));
        prop_assert!(near(x.sinh().asinh(), x));
        prop_assert!(near(y.asinh().sinh(), y));
        prop_assert!(near(x.tanh().atanh(), x));
        prop_assert!(near((x * 0.6).asin().sin(), x * 0.6));
        prop_assert!(near((x * 0.6).acos().cos(), x * 0.6));
        prop_assert!(near((y + 1.0).acosh().cosh(), y + 1.0));
    }

    #[test]
    fn identities(x in number(-20.0..20.0), y in number(0.1..3.0)) {
        prop_assert!(near(x.sin() * x.sin() + x.cos() * x.cos(), D::ONE));
        prop_assert!(near((x * 2.0).sin(), x.sin() * x.cos() * 2.0));
        prop_assert!(near(x.exp() * (-x).exp(), D::ONE));
        prop_assert!(near(y.cosh() + y.sinh(), y.exp()));
        prop_assert!(near(y.powi(-5) * y * y * y * y * y, D::ONE));
        prop_assert!(near(y.powf(D::from(1.5)), y * y.sqrt()));
        let length = x.hypot(y);
        prop_assert!(near(length * length, x * x + y * y));
        let angle = x.atan2(y);
        prop_assert!((length * angle.sin() - x).hi().abs() <= 1e-30 * length.hi());
        prop_assert!((length * angle.cos() - y).hi().abs() <= 1e-30 * length.hi());
        prop_assert_eq!(x.sin_cos(), (x.sin(), x.cos()));
    }

    #[test]
    fn functions_agree_with_floats(x in -3.0..3.0_f64) {
        macro_rules! same {
            ($($name:ident)+) => {$(
                let (pair, float) = (D::from(x).$name().hi(), x.$name());
                prop_assert!(
                    pair == float || (pair - float).abs() <= 1e-14 * float.abs().max(0.01)
                        || pair.is_nan() && float.is_nan(),
                    "{} {} {}", stringify!($name), pair, float
                );
            )+};
        }
        same!(sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 recip);
        same!(asin acos atan sinh cosh tanh sin cos abs signum);
    }
}

#[test]
fn known_values() {
    for (name, function, values) in VALUES {
        for &(x, hi, lo) in *values {
            let found = function(D::from(x));
            assert!(within(1e-30, found, D::new(hi, lo)), "{name}({x}) {found}");
        }
    }
    for row in ARITHMETIC {
        let [a, b, sum, difference, product, quotient] = row.map(|(hi, lo)| D::new(hi, lo));
        assert!(within(1e-31, a + b, sum) && within(1e-31, a - b, difference));
        assert!(within(1e-31, a * b, product) && within(1e-31, a / b, quotient));
    }
    for row in BINARY {
        let [a, b, angle, power] = row.map(|(hi, lo)| D::new(hi, lo));
        assert!(within(1e-30, a.atan2(b), angle) && within(1e-30, a.powf(b), power));
    }
    let one = D::ONE;
    assert!(within(1e-31, one.exp(), D::E) && within(1e-31, D::E.ln(), one));
    assert!(within(1e-31, (one * 2.0).ln(), D::LN_2));
    assert!(within(1e-31, (one * 10.0).ln(), D::LN_10));
    assert!(within(1e-31, one.atan() * 4.0, D::PI));
    assert!(within(1e-31, (D::PI / 6.0).sin(), one * 0.5));
    assert!(within(1e-15, D::PI.sin(), D::from(-2.9947698097183397e-33)));
    assert_eq!((one * 1024.0).log2(), one * 10.0);
}

#[test]
fn angles_of_every_direction() {
    let angle = |y: f64, x: f64| D::from(y).atan2(D::from(x)) / D::PI;
    let (infinite, zero) = (f64::INFINITY, 0.0);
    for (y, x, quarters) in [
        (zero, -1.0, 4.0),
        (zero, -zero, 4.0),
        (-zero, -zero, -4.0),
        (1.0, zero, 2.0),
        (-1e-310, zero, -2.0),
        (1e308, -1e308, 3.0),
        (3e-310, 3e-310, 1.0),
        (infinite, 1.0, 2.0),
        (infinite, -infinite, 3.0),
        (-1.0, -infinite, -4.0),
    ] {
        assert!(within(1e-30, angle(y, x) * 4.0, D::from(quarters)), "{y} {x}");
    }
    for (y, x) in [(zero, 1.0), (-zero, zero), (-1.0, infinite)] {
        let found = angle(y, x).hi();
        assert!(found == 0.0 && found.is_sign_positive() == y.is_sign_positive());
    }
    assert!(angle(f64::NAN, 1.0).hi().is_nan() && angle(1.0, f64::NAN).hi().is_nan());
}
