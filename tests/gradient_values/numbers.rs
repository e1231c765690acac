//! At random points, in every number type.

use super::table::{self, each_binary, each_unary};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use retrograde::prelude::*;
use std::fmt::Debug;
use std::ops::Range;

/// A function of the table on one number type, its arguments in a slice.
struct Rules<T> {
    call: fn(&mut T, &[T]),
    adjoint: fn(&mut T, &mut T, &[T], &mut [T]),
    inverse_adjoint: fn(&mut T, &mut T, &[T], &mut [T]),
}

/// A function of the table on all of them.
struct Function {
    ranges: &'static [Range<f64>],
    duals: fn(&mut Dual<f64, 2>, &[Dual<f64, 2>]),
    doubles: [Rules<f64>; 3],
    single: Rules<f32>,
    complex: Option<Rules<Complex<f64>>>,
    // On its own: these take long to compile.
    alone: fn(&mut Dual<f64, 2>, &[Dual<f64, 2>]),
    alone_extended: fn(&mut Dual<DoubleDouble, 2>, &[Dual<DoubleDouble, 2>]),
    fixed: Rules<Fixed43>,
    extended: Rules<DoubleDouble>,
}

/// What the number types can be trusted with.
mod tolerance {
    pub const DOUBLE: f64 = 1e-12;
    pub const DIFFERENCES: f64 = 1e-6;
    /// Derivatives are computed from values of seven digits.
    pub const SINGLE: f64 = 1e-4;
    /// Thirteen digits after the point, of the values as of the derivatives.
    pub const FIXED: f64 = 1e-10;
    pub const EXTENDED: f64 = 1e-28;
}

/// A number with a distance.
trait Point: Clone + Debug + Zero + std::ops::Sub<Output = Self> {
    fn size(&self) -> f64;
}

macro_rules! points {
    ($($type:ty)+) => {$(
        impl Point for $type {
            fn size(&self) -> f64 {
                Real::to_f64(&Real::abs(*self))
            }
        }
    )+};
}

points!(f64 f32 DoubleDouble Fixed43);

impl Point for Complex<f64> {
    fn size(&self) -> f64 {
        self.norm()
    }
}

#[track_caller]
fn assert_near<T: Point>(what: &str, found: &[T], expected: &[T], tolerance: f64) {
    let size = expected.iter().map(T::size).fold(1.0, f64::max);
    for (f, e) in found.iter().zip(expected) {
        let error = (f.clone() - e.clone()).size();
        assert!(error <= tolerance * size, "{what}: {found:?}, and should be {expected:?}");
    }
}

/// The gradient by the adjoint; the values are restored, and the adjoint of the
/// inverse takes all of it back, both to within `tolerance`.
fn by_adjoint<T: Point>(rules: &Rules<T>, start: T, seed: T, x: &[T], tolerance: f64) -> Vec<T> {
    let mut y = start.clone();
    (rules.call)(&mut y, x);
    let (end, mut d_y, mut d_x) = (y.clone(), seed.clone(), vec![T::zero(); x.len()]);
    (rules.adjoint)(&mut y, &mut d_y, x, &mut d_x);
    assert_near("the value after the adjoint", std::slice::from_ref(&y), &[start], tolerance);
    assert_near("the seed after the adjoint", std::slice::from_ref(&d_y), &[seed], 0.0);
    let gradient = d_x.clone();
    (rules.inverse_adjoint)(&mut y, &mut d_y, x, &mut d_x);
    assert_near("the value after both", &[y], &[end], tolerance);
    assert_near("the gradient after both", &d_x, &vec![T::zero(); x.len()], tolerance);
    gradient
}

fn by_duals<T: Real>(f: fn(&mut Dual<T, 2>, &[Dual<T, 2>]), x: &[T]) -> Vec<T> {
    let seeded = |(i, x): (usize, &T)| Dual::variable(x.clone(), i);
    let x: Vec<Dual<T, 2>> = x.iter().enumerate().map(seeded).collect();
    let mut y = Dual::constant(T::zero());
    f(&mut y, &x);
    y.tangents[..x.len()].to_vec()
}

/// Central differences of the fourth order, along a step of any kind.
fn by_differences<T>(f: impl Fn(&[T]) -> f64, x: &[T], i: usize, step: T) -> f64
where
    T: Copy + std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>,
{
    let at = |steps: f64| {
        let mut x = x.to_vec();
        x[i] = x[i] + step * steps;
        f(&x)
    };
    (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / 12.0
}

impl Function {
    fn check(&self) {
        // The same points in every run.
        let seed = RngSeed::Fixed(24);
        let configuration = ProptestConfig { cases: 24, rng_seed: seed, ..Default::default() };
        let strategy = prop::array::uniform4(0.0..1.0);
        let run = TestRunner::new(configuration).run(&strategy, |parts: [f64; 4]| {
            let place =
                |(range, part): (&Range<f64>, f64)| range.start + part * (range.end - range.start);
            let x: Vec<f64> = self.ranges.iter().zip(parts).map(place).collect();
            self.check_reals(&x);
            let imaginary = |(re, part): (&f64, &f64)| Complex::new(*re, part - 0.5);
            let z: Vec<Complex<f64>> = x.iter().zip(&parts[2..]).map(imaginary).collect();
            self.check_complex(&z);
            Ok(())
        });
        if let Err(failure) = run {
            panic!("{failure}");
        }
    }

    fn check_reals(&self, x: &[f64]) {
        let expected = by_duals(self.duals, x);
        for rules in &self.doubles {
            let found = by_adjoint(rules, 0.5, 1.0, x, tolerance::DOUBLE);
            assert_near("by dual numbers", &found, &expected, tolerance::DOUBLE);
            let value = |x: &[f64]| {
                let mut y = 0.0;
                (rules.call)(&mut y, x);
                y
            };
            let slope = |i: usize| by_differences(value, x, i, 1e-3) / 1e-3;
            let differences: Vec<f64> = (0..x.len()).map(slope).collect();
            assert_near("by differences", &found, &differences, tolerance::DIFFERENCES);
        }

        let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        let rounded: Vec<f64> = single.iter().map(|x| f64::from(*x)).collect();
        let expected: Vec<f32> = by_duals(self.duals, &rounded).iter().map(|d| *d as f32).collect();
        let found = by_adjoint(&self.single, 0.5, 1.0, &single, tolerance::SINGLE);
        assert_near("in single precision", &found, &expected, tolerance::SINGLE);

        let fixed: Vec<Fixed43> = x.iter().map(|x| Fixed43::from_f64(*x)).collect();
        let rounded: Vec<f64> = fixed.iter().map(Real::to_f64).collect();
        let expected: Vec<Fixed43> =
            by_duals(self.alone, &rounded).iter().map(|d| Fixed43::from_f64(*d)).collect();
        let (half, one) = (Fixed43::from_f64(0.5), Fixed43::from_f64(1.0));
        // Values and shadows come back to the last bit.
        let found = by_adjoint(&self.fixed, half, one, &fixed, 0.0);
        assert_near("on fixed point", &found, &expected, tolerance::FIXED);

        let extended: Vec<DoubleDouble> = x.iter().map(|x| DoubleDouble::from(*x)).collect();
        let expected = by_duals(self.alone_extended, &extended);
        let (half, one) = (DoubleDouble::from(0.5), DoubleDouble::from(1.0));
        let found = by_adjoint(&self.extended, half, one, &extended, tolerance::EXTENDED);
        assert_near("in double double", &found, &expected, tolerance::EXTENDED);
    }

    /// Where the functions have no branch cuts nearby.
    fn check_complex(&self, z: &[Complex<f64>]) {
        let Some(rules) = &self.complex else { return };
        let (start, one, i) =
            (Complex::new(0.5, -0.25), Complex::new(1.0, 0.0), Complex::new(0.0, 1.0));
        let found = by_adjoint(rules, start, one, z, tolerance::DOUBLE);
        // The gradient of the real part: along both axes.
        let real = |z: &[Complex<f64>]| {
            let mut y = Complex::new(0.0, 0.0);
            (rules.call)(&mut y, z);
            y.re
        };
        let slope = |k: usize| {
            let along = |step: Complex<f64>| by_differences(real, z, k, step * 1e-3) / 1e-3;
            Complex::new(along(one), along(i))
        };
        let differences: Vec<Complex<f64>> = (0..z.len()).map(slope).collect();
        assert_near("by complex differences", &found, &differences, tolerance::DIFFERENCES);
        // That of the imaginary part is the same, turned.
        let turned = by_adjoint(rules, start, i, z, tolerance::DOUBLE);
        let expected: Vec<Complex<f64>> = found.iter().map(|d| d * i).collect();
        assert_near("of the imaginary part", &turned, &expected, tolerance::DOUBLE);
    }
}

macro_rules! unary_rules {
    ($name:ident $function:ident) => {
        Rules {
            call: |y, x| table::$name::$function(y, &x[0]),
            adjoint: |y, d_y, x, d_x| {
                table::$name::$function::adjoint(y, d_y, &x[0], &mut d_x[0]);
            },
            inverse_adjoint: |y, d_y, x, d_x| {
                table::$name::$function::inverse_adjoint(y, d_y, &x[0], &mut d_x[0]);
            },
        }
    };
}

macro_rules! binary_rules {
    ($name:ident $function:ident) => {
        Rules {
            call: |y, x| table::$name::$function(y, &x[0], &x[1]),
            adjoint: |y, d_y, x, d_x| {
                let [d_a, d_b] = d_x else { unreachable!("two arguments") };
                table::$name::$function::adjoint(y, d_y, &x[0], d_a, &x[1], d_b);
            },
            inverse_adjoint: |y, d_y, x, d_x| {
                let [d_a, d_b] = d_x else { unreachable!("two arguments") };
                table::$name::$function::inverse_adjoint(y, d_y, &x[0], d_a, &x[1], d_b);
            },
        }
    };
}

macro_rules! function {
    ($rules:ident $complex:ident $name:ident |$x:ident| $($arguments:expr),+) => {
        Function {
            ranges: &table::$name::RANGES,
            duals: |y, $x| table::$name::mixed_generic(y, $($arguments),+),
            alone: |y, $x| table::$name::generic(y, $($arguments),+),
            alone_extended: |y, $x| table::$name::generic(y, $($arguments),+),
            doubles: [
                $rules!($name mixed_concrete),
                $rules!($name mixed_generic),
                $rules!($name mixed_elementary),
            ],
            single: $rules!($name mixed_single),
            fixed: $rules!($name generic),
            extended: $rules!($name generic),
            complex: function!(@$complex $rules $name),
        }
    };
    (@yes $rules:ident $name:ident) => { Some($rules!($name mixed_elementary)) };
    (@no $rules:ident $name:ident) => { None };
}

macro_rules! unary_tests {
    ($complex:ident $($name:ident)+) => {$(
        #[test]
        fn $name() {
            function!(unary_rules $complex $name |x| &x[0]).check();
        }
    )+};
}

macro_rules! binary_tests {
    ($complex:ident $($name:ident)+) => {$(
        #[test]
        fn $name() {
            function!(binary_rules $complex $name |x| &x[0], &x[1]).check();
        }
    )+};
}

each_unary!(unary_tests);
each_binary!(binary_tests);
