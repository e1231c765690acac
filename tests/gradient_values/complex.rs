//! Complex numbers beside real ones, and over a type parameter.

use retrograde::prelude::*;
use retrograde::testing::{assert_gradient, assert_reversible};

#[reversible]
fn real_updates(y: &mut Complex<f64>, z: &mut [Complex<f64>], x: &f64, w: &[f64]) {
    *y += *x;
    *y -= *x * *x;
    let scale = w[0].exp();
    z[1] += scale * *x;
    for k in 0..w.len() {
        z[k] -= w[k] / 3.0;
    }
    let mut a = Complex::new(0.0, 0.0);
    #[compute]
    {
        a += w[1].sin();
        a -= *x * w[0];
    }
    *y += a * a * z[0];
    *y += if *x > 0.0 { *x * w[0] } else { w[1] };
}

#[reversible]
fn beside_reals(y: &mut Complex<f64>, z: &Complex<f64>, x: &f64) {
    *y += *z * *x + *x * *z;
    *y -= *z + *x;
    *y += *z / *x - *x / *z;
    *y += *x - *z;
    *y += (*z - *x) * 2.0;
}

#[reversible]
fn generic<T: Real>(y: &mut Complex<T>, z: &[Complex<T>], x: &T)
where
    Complex<T>: ComplexNumber<T>,
{
    let mut squares = vec![Complex::new(0.0, 0.0); z.len()];
    #[compute]
    {
        for k in 0..z.len() {
            squares[k] += z[k] * z[k] * *x;
        }
    }
    for k in 0..z.len() {
        *y += squares[k] * Complex::new(*x, T::zero());
        *y += squares[k].re * squares[k].im;
    }
    let i = Complex::new(0.0, 1.0);
    *y += i * Complex::new(0.5, 1.0) * z[0].exp();
    *y -= *x * *x;
    *y += z[0].conj() / *x + Complex { re: z[0].im, im: T::one() };
    *y += z[0].norm_sqr() * z[0].norm() + z[0].arg() * *x;
}

#[reversible]
fn by_angles(y: &mut Complex<f64>, r: &f64, angle: &f64) {
    *y += Complex::from_polar(*r, *angle) * Complex::cis(*r);
    *y -= Complex::from_polar(2.0, *angle * *r);
}

#[test]
fn a_real_number_gets_the_real_part_of_a_gradient() {
    let (mut y, mut d_y) = (Complex::new(3.0, 0.5), Complex::new(1.0, 0.25));
    let mut d_x = 0.0;
    #[reversible]
    fn add(y: &mut Complex<f64>, x: &f64) {
        *y += *x;
    }
    add::adjoint(&mut y, &mut d_y, &3.0, &mut d_x);
    assert_eq!((y, d_x), (Complex::new(0.0, 0.5), 1.0));
    let mut z = [Complex::new(1.0, -0.5), Complex::new(0.25, 2.0)];
    let w = [0.75, -1.5];
    assert_reversible!(real_updates(&mut y, &mut z[..], &0.5, &w[..]));
    assert_gradient!(real_updates(&mut y, &mut z[..], &0.5, &w[..]));
    assert_gradient!(beside_reals(&mut y, &z[1], &0.5));
    assert_gradient!(by_angles(&mut y, &0.5, &1.25));
}

#[test]
fn complex_numbers_over_a_parameter() {
    let z = [Complex::new(1.0, -0.5), Complex::new(0.25, 2.0)];
    assert_reversible!(generic(&mut Complex::new(0.5, 0.25), &z[..], &0.5));
    assert_gradient!(generic(&mut Complex::new(0.5, 0.25), &z[..], &0.5));
    let (mut single, z) = (Complex::new(0.0_f32, 0.0), [Complex::new(1.0_f32, -0.5)]);
    generic(&mut single, &z, &0.5);
    let (mut double, z) = (Complex::new(0.0, 0.0), [Complex::new(1.0, -0.5)]);
    generic(&mut double, &z, &0.5);
    assert!((f64::from(single.re) - double.re).abs() < 1e-6);
    assert!((f64::from(single.im) - double.im).abs() < 1e-6);
}
