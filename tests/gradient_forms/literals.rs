//! Literals beside types that the compiler does not know.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

#[derive(Clone, Debug, Differentiable)]
struct Pair<T = f64> {
    a: T,
    b: T,
}

#[reversible]
fn beside_a_struct(p: &mut Pair, q: &Pair, n: usize) {
    let h = 0.5;
    p.a += h * q.b + q.a * h;
    if q.b > h {
        p.b += h;
    }
    let (dt, weights) = (0.01, [0.1, 0.2]);
    let steps = 3.0 * dt;
    for k in 0..2 {
        p.a += weights[k] * q.b * steps + q.b * weights[k];
    }
    let mut path = vec![0.0; n];
    #[compute]
    {
        for k in 1..path.len() {
            path[k] += path[k - 1] * q.a + q.b;
        }
    }
    p.a += path[n - 1].sin();
}

#[reversible]
fn with_suffixes(p: &mut Pair, q: &Pair, n: usize) {
    p.a += 2.0_f64.sqrt() * q.b;
    p.b += q.b * (0.92_f64).powi(2);
    let c = 2.0_f64.sqrt();
    let d = (0.92_f64).powi(2);
    p.a += c * q.b + d.sin() * q.a * (1.0 - d);
    let mut path = vec![0.0_f64; n];
    #[compute]
    {
        path[0] += q.a;
        for k in 1..path.len() {
            path[k] += path[k - 1] * q.b;
        }
    }
    p.b += path[n - 1].cos();
}

impl Pair {
    #[reversible]
    fn of_floats(&mut self, q: &Pair) {
        let h = 0.5;
        self.a += q.a * h + h * q.b + q.b.max(h);
        let w = [0.5, 0.25];
        for k in 0..2 {
            self.a += q.b * w[k] * q.b;
        }
    }
}

impl<T: Real> Pair<T> {
    #[reversible]
    fn of_any_number(&mut self, q: &T) {
        let h = 0.5;
        self.a += *q * h;
        self.a += *q + h * 2.0;
        if *q > h {
            self.b += h * *q;
        }
        self.b += (*q - h).sin() * h;
        let s = h * 3.0;
        self.b -= s * *q + q.max(h);
    }
}

#[reversible]
fn by_methods(p: &mut Pair, q: &Pair) {
    p.of_floats(q);
    p.of_any_number(&q.a);
}

#[reversible]
fn of_complex_numbers(y: &mut Complex<f64>, x: &[Complex<f64>], n: usize) {
    let mut squares = vec![Complex::new(0.0, 0.0); n];
    #[compute]
    {
        for k in 0..n {
            squares[k] += x[k] * x[k];
        }
    }
    let i = Complex::new(0.0, 1.0);
    *y += i * squares[0] + squares[n - 1];
}

#[reversible]
fn of_fixed_point(y: &mut Fixed43, x: &Fixed43) {
    let h = 0.5;
    *y += h * *x;
}

/// Floats without a point.
#[reversible]
fn without_points(y: &mut f64, x: &f64, n: usize) {
    #[compute]
    {
        let mut a = 1f64;
        a += *x;
        let mut b = vec![0f64; n];
        b[0] += a * a;
        let c = 2_f64;
        let mut d = (c, -1f64);
        d.0 += *x * b[0];
        d.1 += d.0;
        let mut e = [if n > 1 { 1f64 } else { 0f64 }, 3f64.sqrt()];
        e[0] += d.1 * *x;
    }
    *y += e[0] * e[1] + 2f64.powf(*x) + 1f64.atan2(*x);
}

#[test]
fn are_floats_without_points() {
    assert_gradient!(without_points(&mut 0.5, &0.75, 2));
    assert_gradient!(without_points(&mut 0.5, &0.75, 1));
}

#[test]
fn have_the_type_that_is_meant() {
    let (mut p, q) = (Pair { a: 0.5, b: -1.0 }, Pair { a: 0.75, b: 0.625 });
    assert_gradient!(beside_a_struct(&mut p, &q, 4));
    assert_gradient!(with_suffixes(&mut p, &q, 3));
    assert_gradient!(by_methods(&mut p, &q));
    let mut y = Complex::new(0.5, 0.25);
    let x = [Complex::new(1.0, -0.5), Complex::new(0.75, 2.0)];
    assert_gradient!(of_complex_numbers(&mut y, &x, 2));
    let (mut y, mut dy) = (Fixed43::from_f64(1.0), Fixed43::from_f64(1.0));
    let (x, mut dx) = (Fixed43::from_f64(3.0), Fixed43::from_f64(0.0));
    of_fixed_point(&mut y, &x);
    assert_eq!(y.to_f64(), 2.5);
    of_fixed_point::adjoint(&mut y, &mut dy, &x, &mut dx);
    assert_eq!((y.to_f64(), dx.to_f64()), (1.0, 0.5));
}
