//! Names that look like something else: modules and types of the user's own whose
//! functions are called as those of numbers are, and groups that macros leave.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

mod soft {
    use super::*;

    #[differentiable]
    pub fn max(a: f64, b: f64) -> f64 {
        (a.exp() + b.exp()).ln()
    }

    #[differentiable]
    pub fn abs(x: f64) -> f64 {
        (x * x + 0.01).sqrt()
    }

    #[differentiable]
    pub fn floor(x: f64) -> f64 {
        x - x.sin()
    }

    #[differentiable]
    pub fn from(x: f64) -> f64 {
        x * x * x
    }

    #[differentiable]
    pub fn from_f64(x: f64) -> f64 {
        x * x
    }
}

#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct ComplexOscillator {
    re: f64,
    im: f64,
}

impl ComplexOscillator {
    #[differentiable(associated)]
    fn new(a: f64, b: f64) -> Self {
        ComplexOscillator { re: a * b, im: a }
    }
}

#[reversible]
fn by_modules(y: &mut f64, a: &f64, b: &f64) {
    *y += soft::max(*a, *b) * soft::abs(*a) + soft::floor(*b);
    *y += soft::from(*a) + soft::from_f64(*b);
    let q = ComplexOscillator::new(*a, *b);
    *y += q.re * q.im;
}

#[reversible]
fn by_types(y: &mut f64, a: &f64, b: &f64) {
    *y += f64::max(*a, *b) + f64::floor(*a) * *b + f64::signum(*b) * *a;
}

struct Scale<T>(T);

impl<T: Real> Scale<T> {
    #[reversible]
    fn by_parameters(&self, y: &mut T, a: &T, b: &T) {
        *y += T::max(a.clone(), b.clone()) * self.0 + T::floor(a.clone()) * *b;
    }
}

impl<T: Differentiable> Differentiable for Scale<T> {
    fn zero_like(&self) -> Self {
        Scale(self.0.zero_like())
    }
    fn accumulate_shadow(&mut self, other: Self) {
        self.0.accumulate_shadow(other.0);
    }
    fn retract_shadow(&mut self, other: Self) {
        self.0.retract_shadow(other.0);
    }
}

impl<T: Clone> Clone for Scale<T> {
    fn clone(&self) -> Self {
        Scale(self.0.clone())
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Sample {
    flags: u32,
    on: bool,
    sign: i32,
    x: f64,
    cells: Vec<f64>,
    width: usize,
}

impl Sample {
    fn shape(&self) -> (usize, usize) {
        (self.width, self.cells.len() / self.width)
    }
}

/// Shapes, tests and bits, and functions of numbers, in fields whose types syntax does
/// not tell.
#[reversible]
fn of_fields(y: &mut f64, s: &Sample) {
    *y += f64::from(s.flags & 1) * s.x + if !s.on { s.x } else { 2.0 * s.x };
    *y += f64::from(s.sign.signum()) * s.x + (s.flags << 2) as f64 * s.x;
    *y += if s.x.is_nan() { 0.0 } else { s.x.floor() * s.x };
    *y += s.x.to_radians() + s.x.fract() * s.x.clamp(0.0, 10.0) + s.x.scaled(3.0);
    *y += s.x.rem_euclid(2.0) * s.x.mul_add(2.0, s.x);
    let (rows, columns) = s.shape();
    *y += s.cells[rows] * columns as f64;
    let odd = s.shape().0 ^ 1;
    *y += s.cells[odd] * f64::from(s.x as f32);
}

#[test]
fn shapes_tests_and_bits_of_fields() {
    let cells = vec![1.0, 2.0, 3.0, 4.0];
    let s = Sample { flags: 3, on: true, sign: -4, x: 1.25, cells, width: 2 };
    let at = of_fields::gradient(&s);
    let (mut up, mut down) = (0.0, 0.0);
    // In steps that an `f32` can hold.
    let h = 1.0 / 1024.0;
    of_fields(&mut up, &Sample { x: s.x + h, ..s.clone() });
    of_fields(&mut down, &Sample { x: s.x - h, ..s.clone() });
    assert!((at.d_s.x - (up - down) / (2.0 * h)).abs() < 1e-9, "{}", at.d_s.x);
    assert_eq!(at.d_s.cells, [0.0, 0.0, 2.0, 1.25]);
}

#[test]
fn functions_by_the_names_of_others() {
    assert_gradient!(by_modules(&mut 0.1, &0.3, &0.5));
    assert_gradient!(by_types(&mut 0.1, &0.3, &0.5));
    let (mut y, mut d_y) = (0.0, 1.0);
    let (mut d_scale, mut d_a, mut d_b) = (Scale(0.0), 0.0, 0.0);
    Scale(2.0).by_parameters_adjoint(
        &mut d_scale,
        &mut y,
        &mut d_y,
        &1.5,
        &mut d_a,
        &0.5,
        &mut d_b,
    );
    assert_eq!((d_scale.0, d_a, d_b), (1.5, 2.0, 1.0));
}

macro_rules! of_expressions {
    ($name:ident, $generic:ident, $twice:ident, $e:expr, $n:expr, $x:ident) => {
        #[reversible]
        fn $name(y: &mut f64, $x: &f64) {
            *y += $e * 2.0 - 3.0 / $e;
            for _ in 0..2 * $n {
                *y += $x.sin() * $e;
            }
        }

        #[reversible]
        fn $generic<T: Real>(y: &mut T, $x: &T) {
            *y += $e * 2.0 - 3.0 / $e;
            for _ in 0..2 * $n {
                *y += $x.sin() * $e;
            }
        }

        #[differentiable]
        fn $twice($x: &f64) -> f64 {
            let a = $e * 2.0;
            a * $e
        }
    };
}

of_expressions!(macros, macros_generic, macros_pure, *x + 1.5, 1 + 2, x);

#[reversible]
fn macros_called(y: &mut f64, x: &f64) {
    *y += macros_pure(x);
}

#[test]
fn expressions_in_macros_keep_together() {
    let x: f64 = 0.7;
    let (mut y, e) = (0.0, x + 1.5);
    macros(&mut y, &x);
    assert!((y - (e * 2.0 - 3.0 / e + 6.0 * x.sin() * e)).abs() < 1e-12);
    assert_gradient!(macros(&mut 0.1, &0.7));
    assert_gradient!(macros_generic(&mut 0.1, &0.7));
    assert_eq!(macros_pure(&x), 2.0 * e * e);
    assert_gradient!(macros_called(&mut 0.1, &0.7));
}

#[reversible]
fn value_then_element<T: Real>(y: &mut [T], x: &[T]) {
    {
        let a = x[0] * x[1];
        y[0] += a * a;
    }
    for a in x {
        y[0] += *a;
    }
    for (i, a) in x.iter().enumerate() {
        y[1] += *a * T::from_f64(i as f64);
    }
}

#[reversible]
fn element_then_value<T: Real>(y: &mut [T], x: &[T]) {
    for a in x {
        y[0] += *a;
    }
    if x[0] > x[1] {
        let a = &x[1..];
        y[1] += a[0] * a[1];
    } else {
        let a = x[0] * x[2];
        y[1] += a * a;
    }
    {
        #[compute]
        {
            let mut a = x[0] * x[1];
            a += x[2];
        }
        y[2] += a * a;
    }
    {
        let a = x[0].sin();
        y[0] += a * x[1];
    }
}

#[test]
fn one_name_for_several_things() {
    for x in [[0.3, 0.4, 0.5], [0.4, 0.3, 0.5]] {
        let mut y = [0.1, 0.2, 0.3];
        assert_gradient!(value_then_element(&mut y[..], &x[..]));
        assert_gradient!(element_then_value(&mut y[..], &x[..]));
    }
}
