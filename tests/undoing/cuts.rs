//! Functions of complex numbers jump at a cut: an angle from π to −π. Rounding may take what is
//! undone across it.

use super::*;

/// Each of a number that is moved along the cut's other direction, as an argument and computed.
macro_rules! cuts {
    ($($name:ident: |$z:ident| $value:expr, from $at:expr, along $step:expr;)+) => {$(
        mod $name {
            use super::*;

            #[reversible]
            fn moved(y: &mut f64, $z: &mut Complex<f64>, w: &[f64]) {
                for k in 0..w.len() {
                    *y += $value * w[k];
                    *$z += $step * w[k];
                }
            }

            #[reversible]
            fn computed(y: &mut f64, w: &[f64]) {
                let mut s = 0.0;
                #[compute]
                {
                    let mut $z = $at;
                    for k in 0..w.len() {
                        s += $value * w[k];
                        $z += $step * w[k];
                    }
                }
                *y += s;
            }

            #[test]
            fn stops() {
                let w = [-0.1, -0.2, 0.3, 1.0];
                let (mut y, mut z) = (0.0, $at);
                moved(&mut y, &mut z, &w);
                let (end, ended) = (y, z);
                let back = || moved::inverse(&mut y, &mut z, &w);
                assert_eq!(broken(back), Broken::Decision);
                let (mut y, mut z) = (end, ended);
                let (mut d_z, mut d_w) = (Complex::new(0.0, 0.0), [0.0; 4]);
                let back = || moved::adjoint(&mut y, &mut 1.0, &mut z, &mut d_z, &w, &mut d_w);
                assert_eq!(broken(back), Broken::Decision);
                assert_eq!(broken(|| moved::gradient(&mut $at, &w)), Broken::Decision);
                assert_eq!(broken(|| computed::gradient(&w)), Broken::Decision);
                // Elsewhere, nothing jumps.
                let away = Complex::new(0.4, 0.3);
                let (mut y, mut z) = (0.0, away);
                moved(&mut y, &mut z, &w);
                moved::inverse(&mut y, &mut z, &w);
                assert!(y.abs() < 1e-14);
                moved::gradient(&mut z, &w);
            }
        }
    )+};
}

const I: Complex<f64> = Complex::new(0.0, 1.0);
const ONE: Complex<f64> = Complex::new(1.0, 0.0);

cuts! {
    angle: |z| z.arg(), from -ONE, along I;
    logarithm: |z| z.ln().im, from -ONE, along I;
    root: |z| z.sqrt().im, from -ONE, along I;
    cube_root: |z| z.cbrt().im, from -ONE, along I;
    power: |z| z.powf(0.5).im, from -ONE, along I;
    arc_sine: |z| z.asin().im, from -2.0 * ONE, along I;
    arc_tangent: |z| z.atan().re, from 2.0 * I, along ONE;
}

/// Of any numbers: the types tell whether they have cuts.
#[reversible]
fn of_any<T: Elementary>(y: &mut T, z: &mut T, w: &[T]) {
    for k in 0..w.len() {
        *y += z.ln() * w[k];
        *z += w[k];
    }
}

#[test]
fn generic_functions_stop_for_complex_numbers_alone() {
    let w = [-0.1, -0.2, 0.3, 1.0];
    let (mut y, mut z) = (0.0, 1.0);
    of_any(&mut y, &mut z, &w);
    of_any::inverse(&mut y, &mut z, &w);
    assert!(y.abs() < 1e-14);
    let w = w.map(|w| w * I);
    let (mut y, mut z) = (ONE, -ONE);
    of_any(&mut y, &mut z, &w);
    assert_eq!(broken(|| of_any::inverse(&mut y, &mut z, &w)), Broken::Decision);
}
