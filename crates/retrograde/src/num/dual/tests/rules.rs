//! Every rule, against differences and closed forms.

use super::*;

type Nested = Dual<Dual<f64>>;

/// A function of one argument, where it is smooth, and its derivative.
struct Rule {
    text: &'static str,
    from: f64,
    to: f64,
    plain: fn(f64) -> f64,
    dual: fn(D) -> D,
    nested: fn(Nested) -> Nested,
    slope: fn(f64) -> f64,
}

macro_rules! rules {
    ($($from:literal..$to:literal |$x:ident| $body:expr, $slope:expr;)+) => {
        [$({
            fn through<T: Real>($x: T) -> T {
                $body
            }
            fn slope($x: f64) -> f64 {
                $slope
            }
            Rule {
                text: stringify!($body),
                from: $from,
                to: $to,
                plain: through,
                dual: through,
                nested: through,
                slope,
            }
        }),+]
    };
}

/// A constant.
fn c<T: Real>(value: f64) -> T {
    T::literal(value)
}

const LN_2: f64 = std::f64::consts::LN_2;
const LN_10: f64 = std::f64::consts::LN_10;

#[rustfmt::skip]
fn all() -> [Rule; 63] {
    rules! {
        -2.0..2.0 |x| x.clone() + x, 2.0 + 0.0 * x;
        -2.0..2.0 |x| c::<T>(3.0) - x, -1.0 + 0.0 * x;
        -2.0..2.0 |x| x.clone() * x.clone() * x, 3.0 * x * x;
        0.2..4.0 |x| (x.clone() + c(1.0)) / x, -1.0 / (x * x);
        -4.0..-0.2 |x| c::<T>(2.0) / x, -2.0 / (x * x);
        -2.0..2.0 |x| -x, -1.0 + 0.0 * x;
        -2.0..2.0 |x| x.scaled(-3.0), -3.0 + 0.0 * x;
        -2.0..2.0 |x| x.conj(), 1.0 + 0.0 * x;
        0.2..4.0 |x| x.recip(), -1.0 / (x * x);
        -4.0..-0.2 |x| x.recip(), -1.0 / (x * x);
        0.2..9.0 |x| x.sqrt(), 0.5 / x.sqrt();
        0.2..9.0 |x| x.cbrt(), x.powf(-2.0 / 3.0) / 3.0;
        -9.0..-0.2 |x| x.cbrt(), (-x).powf(-2.0 / 3.0) / 3.0;
        -3.0..3.0 |x| x.exp(), x.exp();
        -3.0..3.0 |x| x.exp2(), LN_2 * x.exp2();
        -3.0..3.0 |x| x.exp_m1(), x.exp();
        0.2..9.0 |x| x.ln(), 1.0 / x;
        -0.8..9.0 |x| x.ln_1p(), 1.0 / (1.0 + x);
        0.2..9.0 |x| x.log2(), 1.0 / (x * LN_2);
        0.2..9.0 |x| x.log10(), 1.0 / (x * LN_10);
        -2.0..2.0 |x| x.powi(0), 0.0 * x;
        -2.0..2.0 |x| x.powi(1), 1.0 + 0.0 * x;
        -2.0..2.0 |x| x.powi(2), 2.0 * x;
        -2.0..2.0 |x| x.powi(5), 5.0 * x * x * x * x;
        0.3..2.0 |x| x.powi(-1), -1.0 / (x * x);
        -2.0..-0.3 |x| x.powi(-3), -3.0 / (x * x * x * x);
        0.3..3.0 |x| x.powf(c(2.5)), 2.5 * x.powf(1.5);
        0.3..3.0 |x| x.powf(c(-0.5)), -0.5 * x.powf(-1.5);
        -3.0..-0.3 |x| x.powf(c(3.0)), 3.0 * x * x;
        -2.0..2.0 |x| c::<T>(3.0).powf(x), 3_f64.powf(x) * 3_f64.ln();
        0.3..3.0 |x| x.clone().powf(x), x.powf(x) * (1.0 + x.ln());
        -4.0..4.0 |x| x.sin(), x.cos();
        -4.0..4.0 |x| x.cos(), -x.sin();
        -4.0..4.0 |x| x.sin_cos().0, x.cos();
        -4.0..4.0 |x| x.sin_cos().1, -x.sin();
        -1.2..1.2 |x| x.tan(), x.cos().powi(-2);
        -0.9..0.9 |x| x.asin(), 1.0 / (1.0 - x * x).sqrt();
        -0.9..0.9 |x| x.acos(), -1.0 / (1.0 - x * x).sqrt();
        -4.0..4.0 |x| x.atan(), 1.0 / (1.0 + x * x);
        -3.0..3.0 |x| x.sinh(), x.cosh();
        -3.0..3.0 |x| x.cosh(), x.sinh();
        -3.0..3.0 |x| x.tanh(), x.cosh().powi(-2);
        -4.0..4.0 |x| x.asinh(), 1.0 / (1.0 + x * x).sqrt();
        1.2..9.0 |x| x.acosh(), 1.0 / (x * x - 1.0).sqrt();
        -0.9..0.9 |x| x.atanh(), 1.0 / (1.0 - x * x);
        0.1..3.0 |x| x.abs(), 1.0 + 0.0 * x;
        -3.0..-0.1 |x| x.abs(), -1.0 + 0.0 * x;
        -3.0..-0.1 |x| x.signum(), 0.0 * x;
        1.1..1.9 |x| x.floor(), 0.0 * x;
        1.1..1.9 |x| x.ceil(), 0.0 * x;
        0.6..1.4 |x| x.round(), 0.0 * x;
        1.1..1.9 |x| x.trunc(), 0.0 * x;
        0.1..0.9 |x| x.clone().min(c(1.0)) * x, 2.0 * x;
        1.1..1.9 |x| x.clone().min(c(1.0)) * x, 1.0 + 0.0 * x;
        0.1..0.9 |x| x.clone().max(c(1.0)) * x, 1.0 + 0.0 * x;
        1.1..1.9 |x| c::<T>(1.0).max(x.clone()) * x, 2.0 * x;
        -3.0..3.0 |x| x.hypot(c(2.0)), x / (x * x + 4.0).sqrt();
        -3.0..3.0 |x| c::<T>(-2.0).hypot(x), x / (x * x + 4.0).sqrt();
        -3.0..3.0 |x| x.atan2(c(2.0)), 2.0 / (x * x + 4.0);
        0.1..3.0 |x| x.atan2(c(-2.0)), -2.0 / (x * x + 4.0);
        -3.0..3.0 |x| c::<T>(2.0).atan2(x), -2.0 / (x * x + 4.0);
        -3.0..3.0 |x| x.clone().mul_add(x.clone(), x), 2.0 * x + 1.0;
        -3.0..3.0 |x| x.clone().sin().mul_add(c(2.0), x.exp()), 2.0 * x.cos() + x.exp();
    }
}

/// `f′(x)` by a central difference.
fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    (f(x + 1e-5) - f(x - 1e-5)) / 2e-5
}

proptest! {
    #[test]
    fn rules_are_right(unit in 0.0..1.0, tangent in -2.0..2.0) {
        for rule in all() {
            let x = rule.from + unit * (rule.to - rule.from);
            let found = (rule.dual)(Dual { value: x, tangents: [tangent] });
            prop_assert_eq!(found.value, (rule.plain)(x), "{} at {}", rule.text, x);
            let closed = (rule.slope)(x) * tangent;
            let [found] = found.tangents;
            prop_assert!(near(found, closed, 1e-12), "{} at {x}: {found}, {closed}", rule.text);
            let by_difference = difference(rule.plain, x) * tangent;
            prop_assert!(near(found, by_difference, 1e-6), "{} at {}", rule.text, x);
        }
    }

    #[test]
    fn second_derivatives_are_those_of_the_first(unit in 0.0..1.0) {
        for rule in all() {
            let x = rule.from + unit * (rule.to - rule.from);
            let found = (rule.nested)(Dual::variable(Dual::variable(x, 0), 0));
            let first = |x| (rule.dual)(Dual::variable(x, 0)).tangents[0];
            prop_assert_eq!(found.value.value, (rule.plain)(x));
            prop_assert_eq!(found.value.tangents[0], first(x));
            prop_assert!(near(found.tangents[0].value, first(x), 1e-14), "{}", rule.text);
            let (second, expected) = (found.tangents[0].tangents[0], difference(first, x));
            prop_assert!(near(second, expected, 1e-6), "{} at {x}: {second}", rule.text);
        }
    }

    #[test]
    fn floats_and_duals_mix(x in -3.0..3.0, t in -2.0..2.0, y in 0.5..3.0) {
        let (x, constant) = (Dual { value: x, tangents: [t, 1.0] }, D::<2>::constant(y));
        let y_x = D::constant(y);
        let assigned = |operation: fn(&mut D<2>, f64)| {
            let mut z = x;
            operation(&mut z, y);
            z
        };
        let nonzero = x + if x.value < 0.0 { -1.0 } else { 1.0 };
        for (mixed, expected) in [
            (x + y, x + constant),
            (x - y, x - constant),
            (x * y, x * constant),
            (x / y, x / constant),
            (y + x, y_x + x),
            (y - x, y_x - x),
            (y * x, y_x * x),
            (y / nonzero, y_x / nonzero),
            (assigned(|z, y| *z += y), x + y),
            (assigned(|z, y| *z -= y), x - y),
            (assigned(|z, y| *z *= y), x * y),
            (assigned(|z, y| *z /= y), x / y),
            (assigned(|z, y| *z += D::constant(y)), x + y),
            (assigned(|z, y| *z -= D::constant(y)), x - y),
            (assigned(|z, y| *z *= D::constant(y)), x * y),
            (assigned(|z, y| *z /= D::constant(y)), x / y),
            (assigned(|z, y| z.accumulate(D::constant(y))), x + y),
            (assigned(|z, y| z.retract(D::constant(y))), x - y),
            (assigned(|z, _| z.negate()), -x),
        ] {
            prop_assert_eq!(mixed.value, expected.value);
            prop_assert_eq!(mixed.tangents, expected.tangents);
        }
    }

    #[test]
    fn functions_of_two_arguments(x in 0.3..3.0_f64, y in -3.0..3.0_f64) {
        macro_rules! partial {
            ($($name:ident)+) => {$({
                let found = D::<2>::variable(x, 0).$name(D::variable(y, 1));
                let by_x = difference(|x| x.$name(y), x);
                let by_y = difference(|y| x.$name(y), y);
                prop_assert_eq!(found.value, x.$name(y));
                prop_assert!(near(found.tangents[0], by_x, 1e-6), stringify!($name));
                prop_assert!(near(found.tangents[1], by_y, 1e-6), stringify!($name));
            })+};
        }
        prop_assume!((x - y).abs() > 1e-4);
        partial!(powf hypot atan2 min max);
    }
}
