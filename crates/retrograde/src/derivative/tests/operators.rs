//! The rules of the operators on real numbers and integers.

use super::*;
use crate::derivative::{PullAdd, PullMul, PullOrder, PullRem, PullSub};
use crate::num::{Arithmetic, DoubleDouble, Dual, Fixed43, Literal, Real};
use proptest::prelude::*;

type D<const N: usize> = Dual<f64, N>;

/// What both operands of `+ - * /` get, in this order.
fn all<T: Arithmetic>(g: &T, a: &T, b: &T) -> [T; 8] {
    [
        T::pull_add_left(g, a, b),
        T::pull_add_right(g, a, b),
        T::pull_sub_left(g, a, b),
        T::pull_sub_right(g, a, b),
        T::pull_mul_left(g, a, b),
        T::pull_mul_right(g, a, b),
        T::pull_quotient_left(g, a, b),
        T::pull_quotient_right(g, a, b),
    ]
}

/// The same, of a type beside floats, and of floats beside it.
macro_rules! mixed {
    ($type:ty, $g:expr, $a:expr, $b:expr, $float_a:expr, $float_b:expr) => {{
        let (g, a, b) = (&$g, &$a, &$b);
        let (float_a, float_b): (&f64, &f64) = (&$float_a, &$float_b);
        let beside: [(f64, f64); 4] = [
            (
                <$type>::pull_add_left(g, a, float_b).to_f64(),
                <$type as PullAdd<f64>>::pull_add_right(g, a, float_b),
            ),
            (
                <$type>::pull_sub_left(g, a, float_b).to_f64(),
                <$type as PullSub<f64>>::pull_sub_right(g, a, float_b),
            ),
            (
                <$type>::pull_mul_left(g, a, float_b).to_f64(),
                <$type as PullMul<f64>>::pull_mul_right(g, a, float_b),
            ),
            (
                <$type>::pull_quotient_left(g, a, float_b).to_f64(),
                <$type as PullQuotient<f64>>::pull_quotient_right(g, a, float_b),
            ),
        ];
        let behind: [(f64, f64); 4] = [
            (
                <f64 as PullAdd<$type>>::pull_add_left(g, float_a, b),
                <f64 as PullAdd<$type>>::pull_add_right(g, float_a, b).to_f64(),
            ),
            (
                <f64 as PullSub<$type>>::pull_sub_left(g, float_a, b),
                <f64 as PullSub<$type>>::pull_sub_right(g, float_a, b).to_f64(),
            ),
            (
                <f64 as PullMul<$type>>::pull_mul_left(g, float_a, b),
                <f64 as PullMul<$type>>::pull_mul_right(g, float_a, b).to_f64(),
            ),
            (
                <f64 as PullQuotient<$type>>::pull_quotient_left(g, float_a, b),
                <f64 as PullQuotient<$type>>::pull_quotient_right(g, float_a, b).to_f64(),
            ),
        ];
        [beside, behind]
    }};
}

proptest! {
    #[test]
    fn every_number_type(a in -3.0..3.0, b in 0.5..3.0_f64, negative: bool, g in -2.0..2.0) {
        let b = if negative { -b } else { b };
        let [x, y] = [D::<2>::variable(a, 0), D::variable(b, 1)];
        let by_dual: Vec<f64> =
            [x + y, x - y, x * y, x / y].iter().flat_map(|z| z.tangents).map(|t| g * t).collect();
        let close = |found: f64, expected: f64, tolerance| roughly(found, expected, tolerance);
        for (i, &expected) in by_dual.iter().enumerate() {
            prop_assert!(close(all(&g, &a, &b)[i], expected, 1e-14));
            let single = all(&(g as f32), &(a as f32), &(b as f32))[i];
            prop_assert!(close(single.into(), expected, 1e-5));
            let fixed = all(&Fixed43::from_f64(g), &Fixed43::from_f64(a), &Fixed43::from_f64(b));
            prop_assert!(close(fixed[i].to_f64(), expected, 1e-11));
            let double = all(&DoubleDouble::from(g), &DoubleDouble::from(a), &b.into())[i];
            prop_assert!(close(double.to_f64(), expected, 1e-14));
        }
        for (i, (left, right)) in mixed!(DoubleDouble, DoubleDouble::from(g), DoubleDouble::from(a),
            DoubleDouble::from(b), a, b).concat().into_iter().enumerate() {
            prop_assert!(close(left, by_dual[i % 4 * 2], 1e-14));
            prop_assert!(close(right, by_dual[i % 4 * 2 + 1], 1e-14));
        }
        for (i, (left, right)) in mixed!(D<1>, D::<1>::constant(g), D::<1>::constant(a),
            D::<1>::constant(b), a, b).concat().into_iter().enumerate() {
            prop_assert!(close(left, by_dual[i % 4 * 2], 1e-14));
            prop_assert!(close(right, by_dual[i % 4 * 2 + 1], 1e-14));
        }
    }

    /// A gradient of dual numbers has its derivatives with it: those of
    /// `g b`, `g a`, `g / b`, `−g a / b²`.
    #[test]
    fn gradients_of_dual_numbers(a in -3.0..3.0, b in 0.5..3.0, g in -2.0..2.0) {
        let found = all(&D::<3>::variable(g, 2), &D::variable(a, 0), &D::variable(b, 1));
        let expected = [
            [0.0, g, b],
            [g, 0.0, a],
            [0.0, -g / (b * b), 1.0 / b],
            [-g / (b * b), 2.0 * g * a / (b * b * b), -a / (b * b)],
        ];
        for (found, expected) in found[4..].iter().zip(expected) {
            for (found, expected) in found.tangents.into_iter().zip(expected) {
                prop_assert!(roughly(found, expected, 1e-13), "{found} {expected}");
            }
        }
    }

    #[test]
    fn remainders(a in -9.0..9.0, b in 0.5..2.0, g in -2.0..2.0) {
        prop_assert_eq!(f64::pull_rem_left(&g, &a, &b), g);
        prop_assert_eq!(f64::pull_rem_right(&g, &a, &b), g * -(a / b).trunc());
    }
}

#[test]
fn quotients_do_not_overflow_on_the_way() {
    assert_eq!(f64::pull_quotient_right(&1.0, &1e-200, &1e-200), -1e200);
    assert_eq!(f64::pull_quotient_right(&1e200, &1e200, &1e200), -1.0);
    assert!(near(f64::pull_quotient_right(&1.0, &1e200, &1e200), -1e-200, 1e-15));
}

#[test]
fn integers_carry_no_gradient() {
    fn zero<T>(g: T, a: T, b: T)
    where
        T: PullOrder + PartialEq + Default + std::fmt::Debug,
        T: PullAdd<Output = T> + PullSub<Output = T> + PullMul<Output = T> + PullDiv<Output = T>,
        T: PullRem<Output = T>,
    {
        for found in [
            T::pull_add_left(&g, &a, &b),
            T::pull_add_right(&g, &a, &b),
            T::pull_sub_left(&g, &a, &b),
            T::pull_sub_right(&g, &a, &b),
            T::pull_mul_left(&g, &a, &b),
            T::pull_mul_right(&g, &a, &b),
            T::pull_div_left(&g, &a, &b),
            T::pull_div_right(&g, &a, &b, &a),
            T::pull_rem_left(&g, &a, &b),
            T::pull_rem_right(&g, &a, &b),
            T::pull_abs(&g, &a),
            T::pull_min_left(&g, &a, &b),
            T::pull_min_right(&g, &a, &b),
            T::pull_max_left(&g, &a, &b),
            T::pull_max_right(&g, &a, &b),
        ] {
            assert_eq!(found, T::default());
        }
    }
    zero(1_i8, 2, 0);
    zero(1_i64, -7, 3);
    zero(1_u32, 7, 3);
    zero(1_usize, 7, 0);
    zero(i128::MAX, i128::MIN, -1);
}

#[test]
fn literals_of_fixed_point_numbers() {
    let half = Fixed43::literal(0.5);
    assert_eq!(Fixed43::pull_max_left(&half, &half, &half), Fixed43::literal(0.25));
    assert_eq!(Fixed43::pull_abs(&half, &-half), -half);
}
