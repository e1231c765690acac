//! The gradient of every form of statement: by differences, by dual numbers, and
//! back again.

use retrograde::calculus::{jacobian, jacobian_forward};
use retrograde::derivative::PullMul;
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use std::ops::Mul;

/// Checks a function `f(y, x)` of slices: its adjoint against differences, the
/// Jacobian by adjoints against that by dual numbers, and that the inverse
/// adjoint takes back what the adjoint did to values and shadows.
macro_rules! check {
    ($function:ident, $y:expr, $x:expr) => {{
        let (mut y, x) = ($y.to_vec(), $x.to_vec());
        assert_gradient!($function(&mut y, &x));

        /// From zero, so that it can be called by one argument.
        #[reversible]
        fn from_zero<T: Real>(out: &mut [T], all: &[T]) {
            let n = out.len();
            let mut y = all[..n].to_vec();
            $function(&mut y, &all[n..]);
            for (to, from) in out.iter_mut().zip(&y) {
                *to += *from;
            }
            !$function(&mut y, &all[n..]);
        }
        let all = [&y[..], &x[..]].concat();
        let (back, ahead) = (
            jacobian(&from_zero {}, y.len(), &all),
            jacobian_forward(&from_zero {}, y.len(), &all),
        );
        assert_close(back.jacobian.as_slice(), ahead.jacobian.as_slice());

        let (mut values, seed) = (y.clone(), (0..y.len()).map(|i| 1.0 + i as f64));
        let seed: Vec<f64> = seed.collect();
        let (mut d_y, mut d_x) = (seed.clone(), vec![0.25; x.len()]);
        $function(&mut values, &x);
        let end = values.clone();
        $function::adjoint(&mut values, &mut d_y, &x, &mut d_x);
        assert_close(&values, &y);
        $function::inverse_adjoint(&mut values, &mut d_y, &x, &mut d_x);
        assert_close(&values, &end);
        assert_close(&d_y, &seed);
        assert_close(&d_x, &vec![0.25; x.len()]);
    }};
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (i, (f, e)) in found.iter().zip(expected).enumerate() {
        assert!((f - e).abs() <= 1e-11 * (1.0 + e.abs()), "{i}: {f} {e}");
    }
}

const X: [f64; 4] = [0.7, -1.3, 2.1, 0.4];
const Y: [f64; 3] = [0.5, -2.0, 1.5];

#[reversible]
fn operators<T: Real>(y: &mut [T], x: &[T]) {
    y[0] += x[0] * x[0] - 2.0 * x[1] / x[2] + -x[3];
    y[1] -= (x[0] + x[1]) * (x[0] - x[1]) / (1.0 + x[2] * x[2]);
    y[2] += x[0] * x[1] * x[2] * x[3] + 3.0;
    y[0] += 1.0 / x[2] - x[1] / 4.0;
}

#[reversible]
fn functions<T: Real>(y: &mut [T], x: &[T]) {
    y[0] += x[0].sin() * x[1].cos() + x[0].exp() - x[2].ln() + x[3].sqrt();
    y[0] += x[0].tan() + x[1].tanh() + x[2].recip() + x[3].cbrt() + x[1].abs();
    y[1] += x[0].powi(3) + x[2].powf(x[3]) + x[0].atan2(x[1]) + x[2].hypot(x[3]);
    y[1] += x[0].min(x[1]) - x[2].max(x[3]) + x[3].asin() + x[3].atanh() + x[2].acosh();
    y[2] += x[0].sin().exp().powi(2) + x[1].mul_add(x[2], x[3]);
    y[2] -= x[0].floor() * x[1] + x[2].exp2() + x[3].log10() + x[1].exp_m1() + x[3].ln_1p();
}

#[reversible]
fn branches_in_expressions<T: Real>(y: &mut [T], x: &[T]) {
    y[0] += if x[0] > 0.0 { x[0] * x[1] } else { x[2] };
    y[1] += if x[0] < 0.0 {
        x[0]
    } else if x[1] < 0.0 {
        let square = x[1] * x[1];
        let deep = square.sin() * x[2];
        deep * square
    } else {
        1.0
    };
    y[2] += 2.0 * {
        let a = x[0] * x[3];
        let b = a + x[1];
        a * b
    };
}

#[reversible]
fn lets<T: Real>(y: &mut [T], x: &[T]) {
    let a = x[0] * x[1];
    let (b, c) = (a.sin(), x[2]);
    let [first, second] = [b * c, a];
    let pair = (first, second * second);
    {
        let inner = pair.0 * pair.1;
        y[0] += inner;
    }
    let (left, right) = x.split_at(2);
    y[1] += a * left[1] + right[0];
    let _unused = x[3];
    y[2] += second;
}

#[reversible]
fn ancillas<T: Real>(y: &mut [T], x: &[T]) {
    let mut a = x[0] * x[1];
    let mut buffer = [x[2], 0.0];
    a += x[2].sin();
    buffer[1] += a * a;
    y[0] += buffer[1] * x[3];
    y[1] -= a;
    buffer[1] -= a * a;
    a -= x[2].sin();
    let mut k = 0.0;
    k += x[0];
    y[2] += k;
    unlet!(k = x[0]);
    let mut grown = x[0];
    grown += x[1];
    y[2] += grown * grown;
    unlet!(grown = x[0] + x[1]);
}

#[reversible]
fn computes<T: Real>(y: &mut [T], x: &[T]) {
    #[compute]
    {
        let mut total = 0.0;
        for v in x {
            #[compute]
            {
                let root = (1.0 + *v * *v).sqrt();
            }
            total += root;
        }
    }
    y[0] += total.ln();
    for (yi, v) in y.iter_mut().zip(&x[1..]) {
        *yi += total * *v;
    }
}

#[reversible]
fn branches<T: Real>(y: &mut [T], x: &[T]) {
    if x[0] > 0.0 {
        y[0] += x[0] * x[1];
    } else if x[1] > 0.0 {
        y[0] -= x[1];
    } else {
        y[1] += x[2];
    }
    if x[1] > 0.0 {
        y[1] += x[0];
    } else {
        y[1] -= x[1] * x[1];
        y[2] += y[1] * x[3];
    }
    if (y[2] > 100.0, y[2] > 200.0) {
        y[2] += 100.0;
    }
}

#[reversible]
fn loops<T: Real>(y: &mut [T], x: &[T]) {
    for i in 0..3 {
        y[i] += x[i] * x[i + 1];
    }
    for i in (0..=2).rev().step_by(2) {
        y[i] -= x[i].sin();
    }
    for i in 1..y.len() {
        y[i] += y[i - 1] * x[0];
    }
    for _ in 0..5 {
        y[0] += 0.1 * y[1] * x[1];
        y[1] -= 0.1 * y[0] * x[2];
    }
}

#[reversible]
fn whiles<T: Real>(y: &mut [T], x: &[T]) {
    let mut k = 0;
    while (k < 4, k > 0) {
        y[0] += x[k] * y[1];
        y[2] -= y[0].sin();
        k += 1;
    }
    unlet!(k = 4);
}

#[reversible]
fn iterators<T: Real>(y: &mut [T], x: &[T]) {
    for (i, (yi, xi)) in y.iter_mut().zip(&x[1..]).enumerate() {
        *yi += *xi * T::from_f64(i as f64) + *xi * *xi;
    }
    for (yi, pair) in y.iter_mut().zip(x.windows(2)) {
        *yi -= pair[0] * pair[1];
    }
    for pair in x.chunks_exact(2) {
        y[0] += pair[0] / (2.0 + pair[1]);
    }
    for (yi, xi) in y.iter_mut().rev().zip(x.iter().skip(1)) {
        *yi += xi.exp();
    }
    for xi in x.iter().take(2).rev() {
        y[1] += *xi * y[2];
    }
    for yi in y {
        *yi += x[0];
    }
}

#[reversible]
fn scaled<T: Real>(out: &mut T, a: &T, b: &T) {
    *out += *a * *b + a.sin();
}

#[reversible]
fn by_value<T: Real>(out: &mut T, a: T) {
    *out += a * a;
}

#[reversible]
fn calls<T: Real>(y: &mut [T], x: &[T]) {
    scaled(&mut y[0], &x[0], &x[1]);
    scaled(&mut y[0], &x[2], &x[2]);
    scaled(&mut y[1], &(x[0] * x[3]), &0.5);
    !scaled(&mut y[2], &x[1], &(2.0 * x[1]));
    scaled::inverse(&mut y[2], &x[3], &x[0]);
    by_value(&mut y[1], x[0] * x[1]);
    by_value(&mut y[1], x[3]);
    !{
        by_value(&mut y[0], x[2]);
        y[0] += x[1];
    };
    let (a, b) = y.split_at_mut(1);
    scaled(&mut a[0], &b[0], &x[0]);
}

#[reversible]
fn down<T: Real>(out: &mut T, x: &[T]) {
    if !x.is_empty() {
        *out += x[0] * x[0];
        down(out, &x[1..]);
        *out -= x[0].cos();
    }
}

#[reversible]
fn recursion<T: Real>(y: &mut [T], x: &[T]) {
    down(&mut y[0], x);
    !down(&mut y[1], &x[2..]);
}

#[reversible]
fn instructions<T: Real>(y: &mut [T], x: &[T]) {
    let mut angle = 0.0;
    angle += x[0] * x[1];
    rot(&mut y[0], &mut y[1], &angle);
    angle -= x[0] * x[1];
    swap(&mut y[1], &mut y[2]);
    neg(&mut y[0]);
    y[0] += x[2] * y[1];
    hadamard(&mut y[0], &mut y[2]);
}

#[reversible]
fn views<T: Real>(y: &mut [T], x: &[T]) {
    *negated(&mut y[0]) += x[0] * x[1];
    let tail = &mut y[1..];
    tail[0] += x[2] * x[2];
    let last = &mut tail[1];
    *last += x[3] * x[0];
}

#[reversible]
fn containers<T: Real>(y: &mut [T], x: &[T]) {
    let mut stack = Stack::new();
    for v in x {
        stack.push_copy(&(*v * *v));
    }
    y[0] += stack[1] * stack[2];
    y[1] += stack[3].sin();
    for v in x.iter().rev() {
        stack.pop_copy(&(*v * *v));
    }
}

#[reversible]
fn products<T: Real>(y: &mut [T], x: &[T]) {
    #[compute]
    {
        let mut product = Logarithmic::new(x[0]);
        product *= Logarithmic::new(x[2]);
        product /= Logarithmic::from_ln(x[1]) * Logarithmic::new(x[3]).pow(x[1]);
    }
    y[0] += product.value();
    y[1] -= product.ln() * x[0];
    y[2] += (product.recip() * Logarithmic::new(x[2]).powi(3)).value() + product.log;
}

/// A type with operators of its own.
#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct Pair<T> {
    a: T,
    b: T,
}

impl<T: Arithmetic> Mul<T> for Pair<T> {
    type Output = Self;
    fn mul(self, factor: T) -> Self {
        Pair { a: self.a * factor.clone(), b: self.b * factor }
    }
}

impl<T: Arithmetic> PullMul<T> for Pair<T> {
    type Output = Self;
    fn pull_mul_left(g: &Self, _pair: &Self, factor: &T) -> Self {
        g.clone() * factor.clone()
    }
    fn pull_mul_right(g: &Self, pair: &Self, _factor: &T) -> T {
        g.a.clone() * pair.a.clone() + g.b.clone() * pair.b.clone()
    }
}

/// By the rules of its parts.
#[differentiable]
fn smooth<T: Real>(x: &T, sharpness: f64) -> T {
    let scaled = x.clone() * T::from_f64(sharpness);
    if *x > T::zero() { scaled.clone() * scaled } else { scaled.sin() }
}

/// By its derivative, by hand.
#[differentiable(derivative = bessel_like_slope)]
fn bessel_like<T: Real>(x: T) -> T {
    x.clone() * x.sin()
}

fn bessel_like_slope<T: Real>(x: T) -> T {
    x.clone().sin() + x.clone() * x.cos()
}

/// By a rule of its own.
#[differentiable(pullback = product_and_sum_pullback)]
fn product_and_sum<T: Real>(a: &T, b: &T) -> Pair<T> {
    Pair { a: a.clone() * b.clone(), b: a.clone() + b.clone() }
}

fn product_and_sum_pullback<T: Real>(g: &Pair<T>, a: &T, d_a: &mut T, b: &T, d_b: &mut T) {
    *d_a += g.a.clone() * b.clone() + g.b.clone();
    *d_b += g.a.clone() * a.clone() + g.b.clone();
}

#[reversible]
fn types_and_functions<T: Real>(y: &mut [T], x: &[T]) {
    let pair = Pair { a: x[0], b: x[1] * x[2] };
    let scaled = pair * x[3];
    y[0] += scaled.a * scaled.b;
    let Pair { a, b } = product_and_sum(&x[0], &x[2]);
    y[1] += a * b + smooth(&x[0], 3.0) + smooth(&x[1], 0.5) * bessel_like(x[2]);
    let mut sum = Pair { a: x[3], b: 0.0 };
    sum += pair * x[2];
    y[2] += sum.a.sin() + sum.b;
    sum -= pair * x[2];
}

#[test]
fn expressions() {
    check!(operators, Y, X);
    check!(functions, Y, X);
    check!(branches_in_expressions, Y, X);
    check!(branches_in_expressions, Y, [-0.7, 1.3, 2.1, 0.4]);
}

#[test]
fn names() {
    check!(lets, Y, X);
    check!(ancillas, Y, X);
    check!(computes, Y, X);
}

#[test]
fn control_flow() {
    check!(branches, Y, X);
    check!(branches, Y, [-0.7, 1.3, 2.1, 0.4]);
    check!(branches, [0.5, -2.0, 150.0], [-0.7, -1.3, 2.1, 0.4]);
    check!(loops, Y, X);
    check!(whiles, Y, X);
    check!(iterators, Y, X);
}

#[test]
fn calls_and_instructions() {
    check!(calls, Y, X);
    check!(recursion, Y, X);
    check!(instructions, Y, X);
}

#[test]
fn places_and_containers() {
    check!(views, Y, X);
    check!(containers, Y, X);
}

#[test]
fn other_types() {
    check!(products, Y, X);
    check!(types_and_functions, Y, X);
}

/// Without the pass that declares a shadow where it is first used, it stands beside its stack from
/// the start, and must grow with it.
#[reversible(without(sums))]
fn squares_on_a_stack(y: &mut f64, x: &[f64]) {
    #[compute]
    {
        let mut squares = Stack::new();
        for v in x {
            squares.push_copy(&(*v * *v));
        }
    }
    for k in 0..squares.len() {
        *y += squares[k] * x[0];
    }
}

#[test]
fn shadows_that_change_their_shape() {
    let mut y = 0.5;
    assert_gradient!(squares_on_a_stack(&mut y, &[1.5, 2.0, -0.5]));
}

/// The gradient of the ancilla comes from a branch alone.
#[reversible]
fn read_in_a_branch(y: &mut f64, x: &f64) {
    let mut a = 0.0;
    a += *x * *x;
    if *x > 0.0 {
        *y += 3.0 * a;
    }
    a -= *x * *x;
}

#[test]
fn gradients_that_come_from_a_branch() {
    assert_eq!(read_in_a_branch::gradient(&1.5).d_x, 9.0);
    assert_eq!(read_in_a_branch::gradient(&-1.5).d_x, 0.0);
}

/// What the inner loop reads of the outer one, it also changes.
#[reversible]
fn changed_in_an_inner_loop(z: &mut f64, ys: &mut [f64], xs: &[f64]) {
    for y in ys.iter_mut() {
        for x in xs {
            *z += *y * *x;
            *y += *x;
        }
    }
}

#[test]
fn elements_that_an_inner_loop_changes() {
    let (mut z, mut ys, xs) = (0.0, [1.0, 2.0], [3.0, 4.0, 5.0]);
    changed_in_an_inner_loop(&mut z, &mut ys, &xs);
    assert_eq!((z, ys), (12.0 * (1.0 + 2.0) + 2.0 * (12.0 + 35.0), [13.0, 14.0]));
    changed_in_an_inner_loop::inverse(&mut z, &mut ys, &xs);
    assert_eq!((z, ys), (0.0, [1.0, 2.0]));
    assert_gradient!(changed_in_an_inner_loop(&mut z, &mut ys, &xs));
}

/// A number beside an index.
#[reversible]
fn beside_an_index(y: &mut f64, point: &(usize, f64), points: &[(usize, f64)]) {
    *y += point.1 * point.1;
    for (_, weight) in points {
        *y += *weight * point.1;
    }
    let (k, square) = (point.0, point.1 * point.1);
    *y += points[k].1 * square;
}

#[test]
fn tuples_of_numbers_and_indices() {
    let mut y = 0.5;
    assert_gradient!(beside_an_index(&mut y, &(1, 1.5), &[(0, 0.5), (2, -2.0)]));
    assert_eq!(beside_an_index::gradient(&(1, 1.5), &[(0, 0.5), (2, -2.0)]).d_point.1, -4.5);
}

/// Complex numbers of literals, whose type rustc finds.
#[reversible]
fn of_complex_literals(y: &mut Complex<f64>, z: &Complex<f64>) {
    *y += *z / (Complex::new(1.0, 0.0) + *z);
    *y += (Complex::from(1.0) + *z) * *z / Complex::new(0.0, 2.0);
}

#[test]
fn complex_numbers_of_literals() {
    let z = Complex::new(0.3, 0.4);
    retrograde::testing::assert_gradient!(of_complex_literals(&mut Complex::new(0.5, 0.25), &z));
}
