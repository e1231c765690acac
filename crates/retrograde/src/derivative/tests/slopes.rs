//! Slopes and pulls of the functions of real numbers: against closed forms that
//! are computed in another way, against differences, against dual numbers.

use super::*;
use crate::derivative::{pull, slope};
use crate::num::{Arithmetic, DoubleDouble, Dual, Elementary, Real};
use proptest::prelude::*;

type Q = DoubleDouble;

/// A function of one argument, where it is smooth and its slope not near zero.
struct Row {
    name: &'static str,
    from: f64,
    to: f64,
    function: fn(Q) -> Q,
    dual: fn(Dual<f64>) -> Dual<f64>,
    closed: fn(Q) -> Q,
    single: fn(&f32) -> f32,
    double: fn(&f64) -> f64,
    quadruple: fn(&Q) -> Q,
    pulled: fn(&f64, &f64) -> f64,
}

macro_rules! at {
    (argument $name:ident $x:expr) => {
        $x
    };
    (value $name:ident $x:expr) => {
        &$x.clone().$name()
    };
}

macro_rules! rows {
    ($($name:ident $of:ident $from:literal..$to:literal |$x:ident| $closed:expr;)+) => {
        [$({
            fn function<T: Real>(x: T) -> T {
                x.$name()
            }
            fn found<T: Real>(x: &T) -> T {
                slope::$name(at!($of $name x))
            }
            Row {
                name: stringify!($name),
                from: $from,
                to: $to,
                function,
                dual: function,
                closed: |$x| $closed,
                single: found,
                double: found,
                quadruple: found,
                pulled: |g, x| pull::$name(g, at!($of $name x)),
            }
        }),+]
    };
}

fn rows() -> [Row; 25] {
    rows! {
        exp_m1 argument -3.0..3.0 |x| x.cosh() + x.sinh();
        ln argument 0.2..9.0 |x| (-x.ln()).exp();
        ln_1p argument -0.8..9.0 |x| (-(x + 1.0).ln()).exp();
        log2 argument 0.2..9.0 |x| (-x.ln()).exp() / Q::LN_2;
        log10 argument 0.2..9.0 |x| (-x.ln()).exp() / Q::LN_10;
        sin argument -1.4..1.4 |x| (x + Q::PI / 2.0).sin();
        cos argument 0.2..2.9 |x| (x + Q::PI / 2.0).cos();
        asin argument -0.9..0.9 |x| x.asin().cos().recip();
        acos argument -0.9..0.9 |x| -x.acos().sin().recip();
        atan argument -4.0..4.0 |x| x.atan().cos().powi(2);
        sinh argument -3.0..3.0 |x| (x.exp() + (-x).exp()) / 2.0;
        cosh argument 0.1..3.0 |x| (x.exp() - (-x).exp()) / 2.0;
        asinh argument -4.0..4.0 |x| x.asinh().cosh().recip();
        acosh argument 1.2..9.0 |x| x.acosh().sinh().recip();
        atanh argument -0.9..0.9 |x| x.atanh().cosh().powi(2);
        sqrt value 0.2..9.0 |x| (x.ln() * -0.5).exp() / 2.0;
        cbrt value 0.2..9.0 |x| (x.ln() * -2.0 / 3.0).exp() / 3.0;
        cbrt value -9.0..-0.2 |x| ((-x).ln() * -2.0 / 3.0).exp() / 3.0;
        exp value -3.0..3.0 |x| x.cosh() + x.sinh();
        exp2 value -3.0..3.0 |x| (x * Q::LN_2).exp() * Q::LN_2;
        tan value -1.2..1.2 |x| x.cos().powi(-2);
        tanh value -3.0..3.0 |x| x.cosh().powi(-2);
        recip value 0.2..9.0 |x| -(x.ln() * -2.0).exp();
        recip value -9.0..-0.2 |x| -((-x).ln() * -2.0).exp();
        abs argument -3.0..-0.1 |x| -x / x;
    }
}

/// `f′(x)` by central differences of 31 digits, at two widths, of which the
/// quadratic error is taken out.
fn sharp_difference(f: impl Fn(Q) -> Q, x: f64) -> f64 {
    let by = |h: f64| (f(Q::from(x) + h) - f(Q::from(x) - h)) / (2.0 * h);
    ((by(5e-6) * 4.0 - by(1e-5)) / 3.0).to_f64()
}

proptest! {
    #[test]
    fn one_argument(unit in 0.0..1.0, g in 0.1..2.0) {
        for row in rows() {
            let x = row.from + unit * (row.to - row.from);
            let name = row.name;
            let closed = (row.closed)(Q::from(x));
            let found = (row.double)(&x);
            prop_assert!(near(found, closed.to_f64(), 1e-12), "{name} at {x}: {found}");
            let by_difference = sharp_difference(row.function, x);
            prop_assert!(near(found, by_difference, 1e-12), "{name} at {x}: {found}");
            let [by_dual] = (row.dual)(Dual::variable(x, 0)).tangents;
            prop_assert!(near(found, by_dual, 1e-15), "{name} at {x}: {found}");
            prop_assert!(near((row.pulled)(&g, &x), g * found, 1e-15), "{name} at {x}");
            let quadruple = (row.quadruple)(&Q::from(x));
            let off = ((quadruple - closed) / closed).abs().to_f64();
            prop_assert!(off < 1e-28, "{name} at {x}: {quadruple}, off by {off}");
            let single = x as f32;
            let closed = (row.closed)(Q::from(f64::from(single))).to_f64();
            let found = f64::from((row.single)(&single));
            prop_assert!(near(found, closed, 1e-5), "{name} at {single}: {found}, {closed}");
        }
    }

    #[test]
    fn whole_powers(x in 0.3..2.0_f64, n in -5..=5_i32, negative: bool, g in 0.1..2.0) {
        let x = if negative { -x } else { x };
        let found = slope::powi(&x, n);
        let expected = sharp_difference(|x| x.powi(n), x);
        prop_assert!(roughly(found, expected, 1e-12), "{x}^{n}: {found}");
        prop_assert_eq!(Dual::<f64>::variable(x, 0).powi(n).tangents[0], found);
        prop_assert_eq!(pull::powi(&g, &x, n), g * found);
        let single = f64::from(slope::powi(&(x as f32), n));
        prop_assert!(near(single, found, 1e-5));
    }

    #[test]
    fn two_arguments(a in 0.2..3.0_f64, b in 0.2..3.0_f64, signs in 0..4_u8, g in 0.1..2.0) {
        prop_assume!((a - b).abs() > 1e-3);
        let (a, b) = (a, if signs % 2 == 1 { -b } else { b });
        macro_rules! check {
            ($name:ident $left:ident $right:ident ($a:ident $b:ident $($y:ident)?)) => {{
                let (left, right) = (slope::$left(&$a, &$b $(, &$y)?), slope::$right(&$a, &$b $(, &$y)?));
                let by_left = sharp_difference(|a| a.$name(Q::from($b)), $a);
                let by_right = sharp_difference(|b| Q::from($a).$name(b), $b);
                prop_assert!(roughly(left, by_left, 1e-12), "{left} {by_left}");
                prop_assert!(roughly(right, by_right, 1e-12), "{right} {by_right}");
                let dual = Dual::<f64, 2>::variable($a, 0).$name(Dual::variable($b, 1));
                prop_assert_eq!(dual.tangents, [left, right]);
                prop_assert_eq!(pull::$left(&g, &$a, &$b $(, &$y)?), g * left);
                prop_assert_eq!(pull::$right(&g, &$a, &$b $(, &$y)?), g * right);
            }};
        }
        let y = a.powf(b);
        check!(powf powf_left powf_right (a b y));
        let y = a.hypot(b);
        check!(hypot hypot_left hypot_right (a b y));
        check!(min min_left min_right (a b));
        check!(max max_left max_right (a b));
        let a = if signs / 2 == 1 { -a } else { a };
        check!(atan2 atan2_left atan2_right (a b));

        let by_difference = difference(|a| a.copysign(b), a);
        prop_assert!(near(slope::copysign_left(&a, &b), by_difference, 1e-9));
        prop_assert!(near(pull::copysign_left(&g, &a, &b), g * by_difference, 1e-9));
    }

    #[test]
    fn remainders(a in -20.0..20.0_f64, b in 0.3..3.0_f64, negative: bool) {
        let b = if negative { -b } else { b };
        let (quotient, fraction) = ((a / b).trunc(), (a / b).fract().abs());
        prop_assume!(fraction > 1e-2 && fraction < 0.99);
        prop_assert_eq!(slope::rem_right(&a, &b), -quotient);
        prop_assert!(roughly(-quotient, difference(|b| a % b, b), 1e-6));
        prop_assert_eq!(slope::rem_right(&Q::from(a), &Q::from(b)), Q::from(-quotient));
    }

    #[test]
    fn remainders_are_those_of_the_operator(multiple in 1..1_000_000_i32, b in 0.1..9.0_f64) {
        // Around whole multiples, where the quotient is rounded one way or the
        // other.
        let exact = f64::from(multiple) * b;
        for a in [exact.next_down(), exact, exact.next_up()] {
            let whole = ((a - a % b) / b).round();
            prop_assert_eq!(slope::rem_right(&a, &b), -whole);
            prop_assert_eq!(slope::rem_right(&-a, &b), whole);
            let above = if a % b == 0.0 { whole } else { whole + 1.0 };
            prop_assert_eq!(slope::rem_euclid_right(&a, &b), -whole);
            prop_assert_eq!(slope::rem_euclid_right(&-a, &b), above);
            prop_assert_eq!(slope::rem_euclid_right(&-a, &-b), -above);
        }
    }
}
