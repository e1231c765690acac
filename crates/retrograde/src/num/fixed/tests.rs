use super::*;
use crate::check::Slack;
use crate::num::{AdditiveGroup, Elementary, Real};
use proptest::prelude::*;

fn any_number() -> impl Strategy<Value = Fixed43> {
    any::<i64>().prop_map(Fixed43::from_bits)
}

fn number(range: std::ops::Range<f64>) -> impl Strategy<Value = Fixed43> {
    range.prop_map(Fixed43::from_f64)
}

const STEP: f64 = 1.0 / (1_u64 << 43) as f64;

/// Within `steps` of the value that `f64` gives, and its own round-off.
fn near(found: Fixed43, expected: f64, steps: f64) -> bool {
    (found.to_f64() - expected).abs() <= steps * STEP + 1e-15 * expected.abs()
}

/// The bits of the number nearest to a decimal.
fn read<const FRAC: u32>(text: &str) -> i64 {
    let (whole, digits) = text.split_once('.').unwrap_or((text, ""));
    let power = 10_i128.pow(digits.len() as u32);
    let fraction = ((digits.parse().unwrap_or(0_i128) << FRAC) + power / 2) / power;
    let whole = whole.trim_start_matches('-').parse::<i128>().unwrap() << FRAC;
    let sign = if text.starts_with('-') { -1 } else { 1 };
    (sign * (whole + fraction)) as i64
}

proptest! {
    #[test]
    fn remainders_are_exact(x in any_number(), y in any_number()) {
        prop_assume!(y.to_bits() != 0);
        let rest = x % y;
        prop_assert_eq!(rest.to_bits(), x.to_bits().wrapping_rem(y.to_bits()));
        let (bits, by) = (i128::from(x.to_bits()), i128::from(y.to_bits()));
        prop_assert_eq!(i128::from(x.rem_euclid(y).to_bits()), bits.rem_euclid(by));
    }

    #[test]
    fn parts(x in number(-9.0..9.0), y in number(-9.0..9.0)) {
        prop_assert_eq!(x.fract().to_f64(), x.to_f64().fract());
        prop_assert_eq!(x.copysign(y).to_f64(), x.to_f64().copysign(y.to_f64()));
        let (low, high) = (Fixed43::from(-2), Fixed43::from(3));
        prop_assert_eq!(Real::clamp(x, low, high).to_f64(), x.to_f64().clamp(-2.0, 3.0));
        prop_assume!(y.to_bits() != 0 && (x.to_f64() / y.to_f64()).abs() < 1e5);
        prop_assert_eq!(x.div_euclid(y).to_f64(), x.to_f64().div_euclid(y.to_f64()));
    }

    #[test]
    fn additions_are_undone_exactly(x in any_number(), y in any_number()) {
        let mut now = x;
        now += y;
        prop_assert_eq!(now, x + y);
        now -= y;
        prop_assert_eq!(now, x);
        now.negate();
        prop_assert_eq!(now, -x);
        now.negate();
        prop_assert_eq!(now, x);
    }

    #[test]
    fn products_and_quotients_round_to_nearest(
        x in number(-1000.0..1000.0),
        y in number(-1000.0..1000.0),
    ) {
        let exact = i128::from(x.to_bits()) * i128::from(y.to_bits());
        let error = exact - (i128::from((x * y).to_bits()) << 43);
        prop_assert!(error.abs() <= 1 << 42);
        prop_assert_eq!(x * -y, -(x * y));
        prop_assume!(y.abs() > Fixed43::from_f64(0.01));
        let (dividend, by) = (i128::from(x.to_bits()) << 43, i128::from(y.to_bits()));
        let error = dividend - i128::from((x / y).to_bits()) * by;
        prop_assert!(2 * error.abs() <= by.abs());
        prop_assert_eq!(-x / y, -(x / y));
    }

    #[test]
    fn text_reads_back_as_the_same_number(bits: i64, digits in 0..63_u32) {
        let bits = bits >> digits;
        prop_assert_eq!(read::<43>(&Fixed43::from_bits(bits).to_string()), bits);
        prop_assert_eq!(read::<62>(&Fixed::<62>::from_bits(bits).to_string()), bits);
        prop_assert_eq!(read::<5>(&Fixed::<5>::from_bits(bits).to_string()), bits);
    }

    #[test]
    fn roots_are_the_nearest(x in any_number(), y in any_number()) {
        let x = if x < Fixed43::zero() { -(x + Fixed43::EPSILON) } else { x };
        let root = x.sqrt().to_bits() as u128;
        let square = (x.to_bits() as u128) << 43;
        prop_assert!(square <= root * root + root && square + root > root * root);
        let y = Fixed43::from_bits(y.to_bits() / 2);
        let x = Fixed43::from_bits(x.to_bits() / 2);
        prop_assert!(near(x.hypot(y), x.to_f64().hypot(y.to_f64()), 1.0));
    }

    #[test]
    fn functions_agree_with_floats(x in number(-10.0..10.0), y in number(-10.0..10.0)) {
        let value = x.to_f64();
        macro_rules! same {
            ($x:ident: $($name:ident)+) => {$(
                let found = Elementary::$name($x);
                prop_assert!(near(found, $x.to_f64().$name(), 1.0), stringify!($name));
            )+};
        }
        same!(x: cbrt exp exp2 exp_m1 sin cos atan sinh cosh tanh asinh);
        prop_assert!(near(x.powi(3), value.powi(3), 1.0));
        prop_assert!(near(x.atan2(y), value.atan2(y.to_f64()), 1.0));
        for (found, expected) in [
            (x.abs(), value.abs()),
            (x.floor(), value.floor()),
            (x.ceil(), value.ceil()),
            (x.round(), value.round()),
            (x.trunc(), value.trunc()),
            (Real::min(x, y), value.min(y.to_f64())),
            (Real::max(x, y), value.max(y.to_f64())),
        ] {
            prop_assert_eq!(found.to_f64(), expected);
        }
        let x = if x.abs() < Fixed43::from_f64(0.01) { Fixed43::one() } else { x.abs() };
        let value = x.to_f64();
        same!(x: sqrt ln ln_1p log2 log10);
        prop_assert!(near(x.powf(y.sin()), value.powf(y.sin().to_f64()), 1.0));
    }

    #[test]
    fn floats_convert_there_and_back(x in -1e6..1e6f64) {
        let fixed = Fixed43::from_f64(x);
        prop_assert!((fixed.to_f64() - x).abs() <= 0.5 * STEP);
        prop_assert_eq!(Fixed43::from_f64(fixed.to_f64()), fixed);
    }
}

#[test]
fn text() {
    let x = Fixed43::from_f64(-0.1);
    assert_eq!(format!("{x} {x:?} {x:.3} {x:8.2}"), "-0.1 -0.1 -0.100    -0.10");
    assert_eq!(Fixed43::from(7).to_string(), "7");
    assert_eq!(format!("{:+.1}", Fixed43::from_f64(9.96)), "+10.0");
    assert_eq!(format!("{:.21}", Fixed::<1>::from_bits(1)), "0.500000000000000000000");
    assert_eq!(format!("{:.0}", Fixed::<1>::from_bits(3)), "2");
    assert_eq!(Fixed::<0>::from_bits(-5).to_string(), "-5");
    assert_eq!(Fixed43::MIN.to_string(), "-1048576");
}

#[test]
fn sums_wrap_in_every_build() {
    assert_eq!(Fixed43::MAX + Fixed43::EPSILON, Fixed43::MIN);
    assert_eq!(Fixed43::MIN - Fixed43::EPSILON, Fixed43::MAX);
    assert_eq!(-Fixed43::MIN, Fixed43::MIN);
}

#[test]
fn ties_round_away_from_zero() {
    let half = Fixed::<1>::from_bits(1);
    assert_eq!((half * half).to_bits(), 1);
    assert_eq!((-half * half).to_bits(), -1);
    let [three, four] = [3, 4].map(Fixed::<0>::from_bits);
    assert_eq!((three * -four).to_bits(), -12);
    assert_eq!((Fixed::<0>::from_bits(-6) / four).to_bits(), -2);
    assert_eq!((Fixed::<0>::from_bits(6) / four).to_bits(), 2);
    assert_eq!((half.round().to_f64(), (-half).round().to_f64()), (1.0, -1.0));
}

#[test]
fn checks_are_exact() {
    let x = Fixed43::from(1000);
    assert!(x.agrees(&x, Slack::half_the_digits(0.0)));
    assert!(!x.agrees(&(x + Fixed43::EPSILON), Slack::half_the_digits(1e9)));
}

macro_rules! panics {
    ($($name:ident $message:literal $value:expr;)+) => {$(
        #[test]
        #[should_panic(expected = $message)]
        fn $name() {
            let _ = $value;
        }
    )+};
}

panics! {
    product_overflows "1024 * 1024 does not fit `Fixed<43>`, which holds -2^20 to 2^20"
        Fixed43::from(1024) * Fixed43::from(1024);
    quotient_overflows "1 / 0.0000001" Fixed43::one() / Fixed43::from_f64(1e-7);
    divided_by_zero "1 divided by zero" Fixed43::one() / Fixed43::zero();
    not_a_number "NaN does not fit" Fixed43::from_f64(f64::NAN);
    too_large "1048576.0 does not fit" Fixed43::from_f64(1048576.0);
    too_large_integer "1048576 does not fit" Fixed43::from(1 << 20);
    no_real_root "the square root of -1 is not real" (-Fixed43::one()).sqrt();
    no_logarithm_of_zero "0 has no logarithm" Fixed43::zero().ln();
    no_logarithm_of_negatives "-2 has no logarithm" Fixed43::from(-2).log2();
    logarithm_does_not_fit "does not fit `Fixed<62>`" Fixed::<62>::EPSILON.ln();
    exponential_overflows "exp(14) does not fit" Fixed43::from(14).exp();
    far_exponential_overflows "exp(1000) does not fit" Fixed43::from(1000).exp();
    power_of_two_overflows "exp2(20) does not fit" Fixed43::from(20).exp2();
    outside_the_domain "asin(2) = NaN does not fit" Fixed43::from(2).asin();
    no_absolute_value "|-1048576| does not fit" Fixed43::MIN.abs();
}

/// Gradients that do not fit are told, and not wrapped around as values are.
mod gradients {
    use crate::linalg::{self, Layout};
    use crate::num::{Dual, Fixed43, Real};
    use crate::prelude::*;

    #[reversible]
    fn grow<T: Real>(y: &mut T, x: &T) {
        *y += 500_000.0 * *x;
        *y += 500_000.0 * *x;
        *y += 500_000.0 * *x;
    }

    #[reversible]
    fn shrink(y: &mut Fixed43, x: &Fixed43) {
        *y -= Fixed43::from_f64(900_000.0) * *x;
        *y -= Fixed43::from_f64(900_000.0) * *x;
    }

    #[reversible(fused)]
    fn fused<T: Real>(y: &mut T, x: &T) {
        *y += 900_000.0 * *x;
        *y += 900_000.0 * *x;
    }

    /// In several lanes.
    #[reversible]
    fn many<T: Real>(y: &mut T, xs: &[T], w: &T) {
        for x in xs {
            *y += *x * *w;
        }
    }

    fn number(x: f64) -> Fixed43 {
        Fixed43::from_f64(x)
    }

    #[track_caller]
    fn overflows(run: impl FnOnce()) {
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_err();
        let text = panic.downcast::<String>().expect("a message");
        assert!(text.ends_with("does not fit `Fixed<43>`, which holds -2^20 to 2^20"), "{text}");
    }

    #[test]
    fn that_do_not_fit_panic() {
        let (zero, x) = (number(0.0), number(0.001));
        let run = |adjoint: &dyn Fn(&mut Fixed43, &mut Fixed43)| {
            adjoint(&mut number(0.25), &mut zero.clone());
        };
        overflows(|| run(&|y, d_x| grow::adjoint(y, &mut number(1.0), &x, d_x)));
        overflows(|| run(&|y, d_x| grow::inverse_adjoint(y, &mut number(1.0), &x, d_x)));
        overflows(|| run(&|y, d_x| shrink::adjoint(y, &mut number(1.0), &x, d_x)));
        overflows(|| run(&|y, d_x| fused::adjoint(y, &mut number(1.0), &x, d_x)));
        overflows(|| {
            let _ = grow::gradient(&x);
        });
        let xs = vec![number(900_000.0); 50];
        let (mut y, mut d_y, mut d_xs) = (zero, number(1.0), vec![zero; 50]);
        overflows(|| many::adjoint(&mut y, &mut d_y, &xs, &mut d_xs, &x, &mut zero.clone()));
        let (a, mut d_a, mut d_x) = ([number(1e5); 4], [zero; 4], [zero; 2]);
        overflows(|| {
            // The shadow of `x` is `aᵀ d_c`.
            let (c, a_layout) = (Layout::by_columns(2, 1), Layout::by_columns(2, 2));
            linalg::gemm::adjoint(
                &mut [zero; 2],
                &mut [number(6.0); 2],
                c,
                &a,
                &mut d_a,
                a_layout,
                &[zero; 2],
                &mut d_x,
                c,
            );
        });
        let x = Dual::variable(number(0.001), 0);
        overflows(|| grow::<Dual<Fixed43>>(&mut Dual::constant(zero), &x));
    }

    /// What fits comes back; values wrap as ever.
    #[test]
    fn that_fit_are_right() {
        let (mut y, mut d_y, x, mut d_x) = (number(0.5), number(0.5), number(0.25), number(0.0));
        let start = y;
        grow(&mut y, &x);
        grow::adjoint(&mut y, &mut d_y, &x, &mut d_x);
        assert_eq!((y, d_x), (start, number(750_000.0)));
        let mut y = number(1_000_000.0);
        grow(&mut y, &number(1.0));
        assert!(y != number(1_000_000.0));
        grow::inverse(&mut y, &number(1.0));
        assert_eq!(y, number(1_000_000.0));
    }
}
