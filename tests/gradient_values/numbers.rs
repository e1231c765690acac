//! At random points, in every number type.

use super::table::{self, each_binary, each_unary};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use std::fmt::Debug;

/// The gradient of `f(x…)` by the adjoint; the values are restored and the
/// adjoint of the inverse takes all of it back, both to within `tolerance`.
macro_rules! by_adjoint {
    ($f:path, [$($adjoint:tt)+], [$($inverse_adjoint:tt)+], $start:expr, $one:expr, $tolerance:expr,
        $(($x:ident, $d_x:ident)),+) => {{
        let (start, one) = ($start, $one);
        let mut y = start.clone();
        $f(&mut y, $(&$x),+);
        let end = y.clone();
        let mut d_y = one.clone();
        $(let mut $d_x = retrograde::derivative::zero_like(&$x);)+
        $($adjoint)+(&mut y, &mut d_y, $(&$x, &mut $d_x),+);
        let gradient = [$($d_x.clone()),+];
        prop_assert!(near(&y, &start, $tolerance), "{y:?} after the adjoint, not {start:?}");
        prop_assert!(near(&d_y, &one, 0.0));
        $($inverse_adjoint)+(&mut y, &mut d_y, $(&$x, &mut $d_x),+);
        prop_assert!(near(&y, &end, $tolerance), "{y:?} after both, not {end:?}");
        $(prop_assert!(near(&$d_x, &Zero::zero(), $tolerance), "{:?} is left", $d_x);)+
        gradient
    }};
}

/// How many points, and that they are the same ones in every run.
fn points() -> ProptestConfig {
    ProptestConfig { cases: 24, rng_seed: RngSeed::Fixed(24), ..ProptestConfig::default() }
}

/// A number as a point of the plane.
trait Point: Debug {
    fn point(&self) -> (f64, f64);
}

macro_rules! points {
    ($($type:ty)+) => {$(
        impl Point for $type {
            fn point(&self) -> (f64, f64) {
                (Real::to_f64(self), 0.0)
            }
        }
    )+};
}

points!(f64 f32 DoubleDouble Fixed43);

impl Point for Complex<f64> {
    fn point(&self) -> (f64, f64) {
        (self.re, self.im)
    }
}

fn near<T: Point>(found: &T, expected: &T, tolerance: f64) -> bool {
    let (f, e) = (found.point(), expected.point());
    (f.0 - e.0).hypot(f.1 - e.1) <= tolerance * (1.0 + e.0.hypot(e.1))
}

/// What the number types can be trusted with.
mod tolerance {
    pub const DOUBLE: f64 = 1e-12;
    /// Derivatives are computed from values of seven digits.
    pub const SINGLE: f64 = 1e-4;
    /// Thirteen digits after the point, of the values as of the derivatives.
    pub const FIXED: f64 = 1e-10;
    pub const EXTENDED: f64 = 1e-28;
}

macro_rules! unary_tests {
    ($complex:ident $($name:ident)+) => {$(
        mod $name {
            use super::*;
            use table::$name::*;

            fn derivative<T: Real>(x: T) -> T {
                let mut y = Dual::<T>::constant(T::zero());
                mixed_generic(&mut y, &Dual::variable(x, 0));
                y.tangents[0].clone()
            }

            proptest! {
                #![proptest_config(points())]

                #[test]
                fn doubles(x in RANGE) {
                    let expected = [derivative(x)];
                    let mut y = 0.5;
                    assert_gradient!(mixed_concrete(&mut y, &x));
                    assert_gradient!(mixed_generic(&mut y, &x));
                    assert_gradient!(mixed_elementary(&mut y, &x));
                    let found = by_adjoint!(mixed_concrete, [mixed_concrete::adjoint],
                        [mixed_concrete::inverse_adjoint], 0.5, 1.0, tolerance::DOUBLE, (x, d_x));
                    prop_assert!(near(&found[0], &expected[0], tolerance::DOUBLE));
                    let found = by_adjoint!(mixed_generic, [mixed_generic::adjoint],
                        [mixed_generic::inverse_adjoint], 0.5, 1.0, tolerance::DOUBLE, (x, d_x));
                    prop_assert!(near(&found[0], &expected[0], tolerance::DOUBLE));
                    let found = by_adjoint!(mixed_elementary, [mixed_elementary::adjoint],
                        [mixed_elementary::inverse_adjoint], 0.5, 1.0, tolerance::DOUBLE,
                        (x, d_x));
                    prop_assert!(near(&found[0], &expected[0], tolerance::DOUBLE));
                }

                #[test]
                fn singles(x in RANGE) {
                    let x = x as f32;
                    let expected = derivative(f64::from(x)) as f32;
                    let found = by_adjoint!(mixed_single, [mixed_single::adjoint],
                        [mixed_single::inverse_adjoint], 0.5_f32, 1.0_f32, tolerance::SINGLE,
                        (x, d_x));
                    prop_assert!(near(&found[0], &expected, tolerance::SINGLE));
                    let found = by_adjoint!(mixed_generic, [mixed_generic::adjoint],
                        [mixed_generic::inverse_adjoint], 0.5_f32, 1.0_f32, tolerance::SINGLE,
                        (x, d_x));
                    prop_assert!(near(&found[0], &expected, tolerance::SINGLE));
                }

                #[test]
                fn fixed(x in RANGE) {
                    let x = Fixed43::from_f64(x);
                    let expected = Fixed43::from_f64(derivative(x.to_f64()));
                    let (half, one) = (Fixed43::from_f64(0.5), Fixed43::from_f64(1.0));
                    // Values and shadows come back to the last bit.
                    let found = by_adjoint!(mixed_generic, [mixed_generic::adjoint],
                        [mixed_generic::inverse_adjoint], half, one, 0.0, (x, d_x));
                    prop_assert!(
                        near(&found[0], &expected, tolerance::FIXED), "{found:?} {expected:?}"
                    );
                }

                #[test]
                fn extended(x in RANGE) {
                    let x = DoubleDouble::from(x);
                    let expected = derivative(x);
                    let (half, one) = (DoubleDouble::from(0.5), DoubleDouble::from(1.0));
                    let found = by_adjoint!(mixed_generic, [mixed_generic::adjoint],
                        [mixed_generic::inverse_adjoint], half, one, tolerance::EXTENDED, (x, d_x));
                    let error = Real::abs(found[0] - expected).to_f64();
                    let size = 1.0 + Real::abs(expected).to_f64();
                    prop_assert!(error <= tolerance::EXTENDED * size, "{error} {size}");
                    prop_assert!(
                        near(&found[0].to_f64(), &derivative(x.to_f64()), tolerance::DOUBLE)
                    );
                }
            }

            unary_tests!(@complex $complex);
        }
    )+};
    (@complex no) => {};
    (@complex yes) => {
        proptest! {
            #![proptest_config(points())]

            #[test]
            fn complex(x in RANGE, im in -0.5..0.5) {
                let z = Complex::new(x, im);
                // Where the functions have no branch cuts nearby.
                let mut y = Complex::new(0.5, -0.25);
                assert_gradient!(mixed_elementary(&mut y, &z));
                let found = by_adjoint!(mixed_elementary, [mixed_elementary::adjoint],
                    [mixed_elementary::inverse_adjoint], y, Complex::new(1.0, 0.0),
                    tolerance::DOUBLE, (z, d_z));
                // The gradient of the real part is the conjugate of the derivative.
                let turned = by_adjoint!(mixed_elementary, [mixed_elementary::adjoint],
                    [mixed_elementary::inverse_adjoint], y, Complex::new(0.0, 1.0),
                    tolerance::DOUBLE, (z, d_z));
                let expected = found[0] * Complex::new(0.0, 1.0);
                prop_assert!(near(&turned[0], &expected, tolerance::DOUBLE));
            }
        }
    };
}

macro_rules! binary_tests {
    ($complex:ident $($name:ident)+) => {$(
        mod $name {
            use super::*;
            use table::$name::*;

            fn derivatives<T: Real>(a: T, b: T) -> [T; 2] {
                let mut y = Dual::<T, 2>::constant(T::zero());
                mixed_generic(&mut y, &Dual::variable(a, 0), &Dual::variable(b, 1));
                y.tangents
            }

            fn all_near<T: Point>(found: &[T; 2], expected: &[T; 2], tolerance: f64) -> bool {
                near(&found[0], &expected[0], tolerance) && near(&found[1], &expected[1], tolerance)
            }

            proptest! {
                #![proptest_config(points())]

                #[test]
                fn doubles(a in RANGES[0].clone(), b in RANGES[1].clone()) {
                    let expected = derivatives(a, b);
                    let mut y = 0.5;
                    assert_gradient!(mixed_concrete(&mut y, &a, &b));
                    assert_gradient!(mixed_generic(&mut y, &a, &b));
                    assert_gradient!(mixed_elementary(&mut y, &a, &b));
                    let found = by_adjoint!(mixed_concrete, [mixed_concrete::adjoint],
                        [mixed_concrete::inverse_adjoint], 0.5, 1.0, tolerance::DOUBLE,
                        (a, d_a), (b, d_b));
                    prop_assert!(all_near(&found, &expected, tolerance::DOUBLE));
                    let found = by_adjoint!(mixed_generic, [mixed_generic::adjoint],
                        [mixed_generic::inverse_adjoint], 0.5, 1.0, tolerance::DOUBLE,
                        (a, d_a), (b, d_b));
                    prop_assert!(all_near(&found, &expected, tolerance::DOUBLE));
                    let found = by_adjoint!(mixed_elementary, [mixed_elementary::adjoint],
                        [mixed_elementary::inverse_adjoint], 0.5, 1.0, tolerance::DOUBLE,
                        (a, d_a), (b, d_b));
                    prop_assert!(all_near(&found, &expected, tolerance::DOUBLE));
                }

                #[test]
                fn singles(a in RANGES[0].clone(), b in RANGES[1].clone()) {
                    let (a, b) = (a as f32, b as f32);
                    let expected = derivatives(f64::from(a), f64::from(b)).map(|d| d as f32);
                    let found = by_adjoint!(mixed_single, [mixed_single::adjoint],
                        [mixed_single::inverse_adjoint], 0.5_f32, 1.0_f32, tolerance::SINGLE,
                        (a, d_a), (b, d_b));
                    prop_assert!(all_near(&found, &expected, tolerance::SINGLE));
                }

                #[test]
                fn fixed(a in RANGES[0].clone(), b in RANGES[1].clone()) {
                    let (a, b) = (Fixed43::from_f64(a), Fixed43::from_f64(b));
                    let expected = derivatives(a.to_f64(), b.to_f64()).map(Fixed43::from_f64);
                    let (half, one) = (Fixed43::from_f64(0.5), Fixed43::from_f64(1.0));
                    let found = by_adjoint!(mixed_generic, [mixed_generic::adjoint],
                        [mixed_generic::inverse_adjoint], half, one, 0.0, (a, d_a), (b, d_b));
                    prop_assert!(
                        all_near(&found, &expected, tolerance::FIXED), "{found:?} {expected:?}"
                    );
                }

                #[test]
                fn extended(a in RANGES[0].clone(), b in RANGES[1].clone()) {
                    let (a, b) = (DoubleDouble::from(a), DoubleDouble::from(b));
                    let expected = derivatives(a, b);
                    let (half, one) = (DoubleDouble::from(0.5), DoubleDouble::from(1.0));
                    let found = by_adjoint!(mixed_generic, [mixed_generic::adjoint],
                        [mixed_generic::inverse_adjoint], half, one, tolerance::EXTENDED,
                        (a, d_a), (b, d_b));
                    for (f, e) in found.iter().zip(expected) {
                        let error = Real::abs(*f - e).to_f64();
                        let size = 1.0 + Real::abs(e).to_f64();
                        prop_assert!(error <= tolerance::EXTENDED * size, "{error} {size}");
                    }
                }
            }

            binary_tests!(@complex $complex);
        }
    )+};
    (@complex no) => {};
    (@complex yes) => {
        proptest! {
            #![proptest_config(points())]

            #[test]
            fn complex(
                a in RANGES[0].clone(),
                b in RANGES[1].clone(),
                turn in -0.5..0.5,
                other in -0.5..0.5,
            ) {
                let (a, b) = (Complex::new(a, turn), Complex::new(b, other));
                let mut y = Complex::new(0.5, -0.25);
                assert_gradient!(mixed_elementary(&mut y, &a, &b));
                let found = by_adjoint!(mixed_elementary, [mixed_elementary::adjoint],
                    [mixed_elementary::inverse_adjoint], y, Complex::new(1.0, 0.0),
                    tolerance::DOUBLE, (a, d_a), (b, d_b));
                let turned = by_adjoint!(mixed_elementary, [mixed_elementary::adjoint],
                    [mixed_elementary::inverse_adjoint], y, Complex::new(0.0, 1.0),
                    tolerance::DOUBLE, (a, d_a), (b, d_b));
                let expected = found.map(|d| d * Complex::new(0.0, 1.0));
                prop_assert!(all_near(&turned, &expected, tolerance::DOUBLE));
            }
        }
    };
}

each_unary!(unary_tests);
each_binary!(binary_tests);
