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

/// Types of the user's own, in functions that have no type parameters.
#[allow(clippy::useless_vec)]
mod of_plain_functions {
    use retrograde::prelude::*;
    use retrograde::testing::assert_gradient;

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    struct Point<T = f64> {
        x: T,
        v: T,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Scheme {
        Explicit,
        Implicit,
    }

    #[reversible]
    fn chosen(y: &mut f64, p: &Point, n: usize) {
        let m = if p.x > 0.0 { 1.5 } else { 2.5 };
        *y += m * p.v + p.x * m;
        *y += if p.x > 0.0 { 1.5 } else { 2.5 } * p.v;
        *y += p.v * if p.v > m { 0.5 } else { -m };
        let w = match n {
            0 => 0.5,
            1 => 2.0,
            _ => m,
        };
        *y += w
            * p.x.sin()
            * match n {
                0 => 1.0,
                _ => 2.0,
            };
        *y += if n > 1 { 0.25 } else { 0.75 };
        let mut k = if n > 2 { 0.5 } else { 0.25 };
        k += p.x;
        *y += k * p.v;
        k -= p.x;
    }

    #[reversible]
    fn by_scheme(y: &mut f64, p: &Point, #[constant] scheme: Scheme) {
        let w = match scheme {
            Scheme::Explicit => 0.5,
            Scheme::Implicit => 2.0,
        };
        let h = 0.25;
        let mut sum = 0.0;
        sum += h * 2.0;
        *y += sum * p.x * w;
        sum -= h * 2.0;
    }

    #[reversible]
    fn computed(y: &mut f64, p: &Point, n: usize) {
        #[compute]
        {
            let (c, t, h) = ([0.1, 0.2], vec![1.0, 2.0], 1e-3);
            let mut a = 0.0;
            a += c[0] * t[1] * h;
            let g = h * 2.0;
            let mut b = g;
            b += g.sqrt();
            let pair = (1.0, 2.0);
            let (d, e) = (0.5, pair.0);
            let mut f = 0.0;
            f += d * e;
            f += match n {
                0 => 1.0,
                _ => 2.0,
            };
            let mut steps = vec![0.0; n];
            for k in 1..steps.len() {
                steps[k] += steps[k - 1] + h;
            }
        }
        *y += (a + b * f) * p.x + steps[n - 1] * p.v;
        for k in &[0.5, 0.25] {
            *y += *k * p.x;
        }
    }

    #[reversible]
    fn in_blocks(y: &mut f64, p: &Point, n: usize) {
        *y += {
            let m = if p.x > 0.0 { 1.5 } else { 2.5 };
            m * p.v
        };
        let t = {
            let c = [0.1, 0.2];
            let h = if n > 1 { 0.5 } else { 0.25 };
            c[0] * p.x + h * c[1]
        };
        *y += t * t;
    }

    #[differentiable]
    fn scaled(p: &Point, n: usize) -> f64 {
        let (h, g) = (0.5, 0.25);
        let c = [0.1, 0.2];
        let pair = (h, 2.0 * g);
        let m = if p.x > h { h } else { 2.5 };
        h * p.x * product(p.v, g) + c[1] * pair.1 * p.x + m * p.v * if n > 1 { 1.5 } else { g }
    }

    #[differentiable]
    fn product(a: f64, b: f64) -> f64 {
        a * b
    }

    #[differentiable]
    fn step(p: &Point) -> f64 {
        if p.x > 0.0 { 1.5 } else { 2.5 }
    }

    #[reversible]
    fn of_pure_functions(y: &mut f64, p: &Point, n: usize) {
        let h = 0.5;
        *y += scaled(p, n) + product(p.x, h) * product(h, p.v) + step(p) * p.x;
    }

    impl Point {
        #[differentiable]
        fn faster(&self, t: f64) -> f64 {
            let h = 0.5;
            if t > h { h * t * self.x } else { h * self.v }
        }

        #[reversible]
        fn by_method(&self, y: &mut f64, n: usize) {
            #[compute]
            {
                let mut path = vec![0.0; n];
                for k in 1..path.len() {
                    path[k] += path[k - 1] * self.x + self.v;
                }
                let h = if n > 2 { 0.5 } else { 0.25 };
                let mut a = 0.0;
                a += h;
            }
            *y += path[n - 1] * a + self.faster(0.75) + self.faster(0.25);
            let m = if self.x > 0.0 { 1.5 } else { 2.5 };
            *y += m * self.v * if n > 2 { 0.5 } else { m };
        }
    }

    impl<T: Real> Point<T> {
        #[differentiable]
        fn slower(&self) -> T {
            let h = 0.5;
            let m = if self.x > h { h } else { 2.5 };
            h * self.x + m * self.v
        }

        #[reversible]
        fn by_any_method(&self, y: &mut T, n: usize) {
            let m = if self.x > 0.0 { 1.5 } else { 2.5 };
            *y += m * self.v * if n > 2 { 0.5 } else { m } + self.slower();
        }
    }

    #[reversible]
    fn of_any_number<T: Real>(y: &mut T, p: &Point<T>, n: usize) {
        let m = if p.x > 0.0 { 1.5 } else { 2.5 };
        *y += m * p.v + if p.x > 0.0 { 1.5 } else { 2.5 } * p.v;
        *y += {
            let h = 0.5;
            h * p.x
        } * match n {
            0 => 0.5,
            _ => 2.0,
        };
    }

    #[reversible]
    fn of_fixed_point(y: &mut Fixed43, p: &Point<Fixed43>, n: usize) {
        let m = if p.x > 0.0 { 1.5 } else { 2.5 };
        *y += m * p.v + if n > 2 { 0.5 } else { 0.25 };
    }

    #[differentiable]
    fn of_single(p: &Point<f32>, t: f32) -> f32 {
        p.x * t
    }

    #[reversible]
    fn add_single(y: &mut f32, x: &f32) {
        *y += *x;
    }

    #[reversible]
    fn passed_on(y: &mut f32, p: &Point<f32>, n: usize) {
        let h = if n > 2 { 0.5 } else { 0.25 };
        *y += of_single(p, h) + of_single(p, 0.5);
        add_single(y, &h);
    }

    #[reversible]
    fn of_singles(y: &mut f32, p: &Point<f32>, n: usize) {
        let m = if p.x > 0.0 { 1.5 } else { 2.5 };
        let mut path = vec![0.0; n];
        for k in 1..path.len() {
            path[k] += path[k - 1] * p.x + 0.5;
        }
        *y += m * p.v + if n > 2 { 0.5 } else { 0.25 } * path[n - 1];
        !for k in 1..path.len() {
            path[k] += path[k - 1] * p.x + 0.5;
        };
    }

    #[test]
    fn are_plain_literals() {
        for (x, n) in [(0.7, 3), (-0.7, 1)] {
            let p = Point { x, v: 0.3 };
            assert_gradient!(chosen(&mut 0.0, &p, n));
            assert_gradient!(computed(&mut 0.0, &p, n));
            assert_gradient!(in_blocks(&mut 0.0, &p, n));
            assert_gradient!(of_pure_functions(&mut 0.0, &p, n));
            assert_gradient!(p.by_method(&mut 0.0, n));
            assert_gradient!(p.by_any_method(&mut 0.0, n));
            assert_gradient!(of_any_number(&mut 0.0, &p, n));
            for (scheme, w) in [(Scheme::Explicit, 0.5), (Scheme::Implicit, 2.0)] {
                let gradient = by_scheme::gradient(&p, scheme);
                assert_eq!((gradient.value, gradient.d_p.x), (0.5 * x * w, 0.5 * w));
            }
        }
        let fixed = Fixed43::from_f64;
        let mut y = fixed(0.0);
        of_fixed_point(&mut y, &Point { x: fixed(0.5), v: fixed(2.0) }, 3);
        assert_eq!(y.to_f64(), 3.5);
        let gradient = of_singles::gradient(&Point { x: 0.5, v: 2.0 }, 3);
        assert_eq!(gradient.value, 3.0 + 0.5 * 0.75);
        assert_eq!(gradient.d_p, Point { x: 0.25, v: 1.5 });
        let gradient = passed_on::gradient(&Point { x: 0.5, v: 2.0 }, 3);
        assert_eq!((gradient.value, gradient.d_p.x), (1.0, 1.0));
    }
}
