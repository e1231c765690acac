//! What the tests of gradients share: a function `f(y, x)` of slices, against
//! dual numbers and back again.

use retrograde::Inverse;
use retrograde::calculus::{VectorAdjoint, VectorFunction};
use retrograde::prelude::*;

/// The number of components of `y` and `x` together.
pub const COMPONENTS: usize = 7;

/// A number and its derivatives by all components.
pub type Seeded = Dual<f64, COMPONENTS>;

/// Where functions are looked at, if nothing else is said.
pub const Y: [f64; 3] = [0.5, -2.0, 1.5];
/// Where functions are looked at, if nothing else is said.
pub const X: [f64; 4] = [0.7, -1.3, 2.1, 0.4];

/// Asserts that all components agree, relative to the largest one.
#[track_caller]
pub fn assert_near(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(1.0_f64, |size, e| size.max(e.abs()));
    for (i, (f, e)) in found.iter().zip(expected).enumerate() {
        let near = (f - e).abs() <= tolerance * size || f.is_nan() && e.is_nan();
        assert!(near, "{what}: component {i} is {f:?} and should be {e:?}");
    }
}

/// The values that a function leaves, and the rows of its Jacobian by `y` and `x`.
pub fn by_duals<F: VectorFunction<Seeded>>(
    f: &F,
    y: &[f64],
    x: &[f64],
) -> (Vec<f64>, Vec<[f64; COMPONENTS]>) {
    let mut duals = Seeded::seed(&[y, x].concat());
    let x = duals.split_off(y.len());
    f.call((&mut duals, &x));
    duals.into_iter().map(|y| (y.value, y.tangents)).unzip()
}

/// Checks the adjoint of `f` against `twin` on dual numbers, for both directions
/// of `f`, and that the adjoint of the inverse takes everything back.
#[track_caller]
pub fn check<F, G>(what: &str, f: &F, twin: &G, y: &[f64], x: &[f64])
where
    F: VectorAdjoint<f64>,
    G: VectorFunction<Seeded>,
{
    let mut end = y.to_vec();
    f.call((&mut end, x));
    one_way(&format!("{what}, adjoint"), f, twin, y, x);
    one_way(&format!("{what}, inverse adjoint"), &Inverse(f), &Inverse(twin), &end, x);
}

#[track_caller]
fn one_way<F, G>(what: &str, f: &F, twin: &G, y: &[f64], x: &[f64])
where
    F: VectorAdjoint<f64>,
    G: VectorFunction<Seeded>,
{
    let (values, rows) = by_duals(twin, y, x);
    let mut end = y.to_vec();
    f.call((&mut end, x));
    assert_near(&format!("{what}: the values"), &end, &values, 1e-12);
    for (i, row) in rows.iter().enumerate() {
        let (mut state, mut d_y, mut d_x) = (end.clone(), vec![0.0; y.len()], vec![0.0; x.len()]);
        d_y[i] = 1.0;
        f.call_adjoint((&mut state, &mut d_y, x, &mut d_x));
        assert_near(&format!("{what}: the values before"), &state, y, 1e-12);
        assert_near(&format!("{what}: row {i}"), &[d_y, d_x].concat(), row, 1e-12);
    }
    // Into shadows that hold something, and out again.
    let seed: Vec<f64> = (0..y.len()).map(|i| 1.5 - i as f64).collect();
    let before: Vec<f64> = (0..x.len()).map(|i| 0.25 * i as f64 - 0.5).collect();
    let (mut state, mut d_y, mut d_x) = (end.clone(), seed.clone(), before.clone());
    f.call_adjoint((&mut state, &mut d_y, x, &mut d_x));
    let column = |j: usize| rows.iter().zip(&seed).map(|(row, w)| row[j] * w).sum::<f64>();
    let expected: Vec<f64> = (0..x.len()).map(|j| before[j] + column(y.len() + j)).collect();
    assert_near(&format!("{what}: added to the shadows"), &d_x, &expected, 1e-12);
    f.call_inverse_adjoint((&mut state, &mut d_y, x, &mut d_x));
    assert_near(&format!("{what}: the values again"), &state, &end, 1e-12);
    assert_near(&format!("{what}: the seed again"), &d_y, &seed, 1e-11);
    assert_near(&format!("{what}: the shadows again"), &d_x, &before, 1e-11);
}

/// Functions of slices, each four times: on any real number, and on floats, and both
/// with fused products. What is emitted for them differs.
#[macro_export]
macro_rules! forms {
    ($($(#[$attribute:meta])* fn $name:ident($y:ident, $x:ident) { $($body:tt)* })+) => {
        mod generic {
            #[allow(unused_imports)]
            use super::*;
            $($(#[$attribute])*
            #[reversible]
            pub fn $name<T: Real>($y: &mut [T], $x: &[T]) {
                $($body)*
            })+
        }
        mod concrete {
            #[allow(unused_imports)]
            use super::*;
            #[allow(dead_code)]
            type T = f64;
            $($(#[$attribute])*
            #[reversible]
            pub fn $name($y: &mut [f64], $x: &[f64]) {
                $($body)*
            })+
        }
        mod fused_generic {
            #[allow(unused_imports)]
            use super::*;
            $($(#[$attribute])*
            #[reversible(fused)]
            pub fn $name<T: Real>($y: &mut [T], $x: &[T]) {
                $($body)*
            })+
        }
        mod fused_concrete {
            #[allow(unused_imports)]
            use super::*;
            #[allow(dead_code)]
            type T = f64;
            $($(#[$attribute])*
            #[reversible(fused)]
            pub fn $name($y: &mut [f64], $x: &[f64]) {
                $($body)*
            })+
        }
    };
}

/// Checks the functions of [`forms!`] by differences, by dual numbers, and back.
#[macro_export]
macro_rules! check_forms {
    ($($name:ident)+) => {
        check_forms!($($name)+; $crate::gradient_harness::Y, $crate::gradient_harness::X);
    };
    ($($name:ident)+; $y:expr, $x:expr) => {$({
        let (mut y, x) = ($y.to_vec(), $x.to_vec());
        retrograde::testing::assert_gradient!(generic::$name(&mut y, &x));
        retrograde::testing::assert_gradient!(concrete::$name(&mut y, &x));
        let (generic, concrete) = (generic::$name {}, concrete::$name {});
        let name = stringify!($name);
        $crate::gradient_harness::check(&format!("generic {name}"), &generic, &generic, &y, &x);
        $crate::gradient_harness::check(&format!("concrete {name}"), &concrete, &generic, &y, &x);
        let (of_any, of_floats) = (fused_generic::$name {}, fused_concrete::$name {});
        $crate::gradient_harness::check(&format!("fused {name}"), &of_any, &generic, &y, &x);
        $crate::gradient_harness::check(&format!("fused floats {name}"), &of_floats, &generic, &y, &x);
    })+};
}
