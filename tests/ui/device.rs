//! What a device cannot do.

#![allow(unused_variables)]

use retrograde::prelude::*;

const OWN: f64 = 0.5;

#[differentiable(gpu)]
fn known(x: f64) -> f64 {
    x * OWN
}

/// A heap.
#[reversible(gpu)]
fn heap(i: usize, y: &mut [f64], x: &[f64]) {
    let mut all = vec![0.0; 8];
    all[0] += x[i];
    y[i] += all[0];
    all[0] -= x[i];
}

/// Types of arguments.
#[reversible(gpu)]
fn types(
    history: &mut Stack<f64>,
    counts: &mut Map<u64, f64>,
    rows: &[Vec<f64>],
    name: &String,
    small: &[u8],
    wide: (usize, i128),
    maybe: &Option<f64>,
    with: impl Fn(f64) -> f64,
) {
}

#[differentiable(gpu)]
fn pure_types(x: &Vec<f64>, #[constant] small: u8) -> f64 {
    x[0] * small as f64
}

/// Code of the host.
#[reversible(gpu)]
fn printing(i: usize, y: &mut [f64], x: &[f64]) {
    host! {
        assert!(x[i] > 0.0);
        println!("{i}");
    }
    y[i] += x[i];
}

/// No stack to speak of.
#[reversible(gpu)]
fn factorial(y: &mut f64, x: &f64, n: usize) {
    if n > 0 {
        factorial(y, x, n - 1);
    }
    *y += *x;
}

#[derive(Clone, Differentiable)]
struct Body {
    mass: f64,
    #[constant]
    next: fn(usize) -> usize,
}

impl Body {
    #[reversible(gpu)]
    fn grow(&mut self, x: &f64) {
        self.mass += *x;
    }

    #[reversible(associated, gpu)]
    fn shift(y: &mut f64, x: &f64) {
        *y += *x;
    }

    #[differentiable(associated, gpu)]
    fn scale(x: f64) -> f64 {
        x * 2.0
    }
}

#[reversible]
fn host_calls(y: &mut f64, x: &f64) {
    Body::shift(y, x);
}

/// What is called.
#[reversible(gpu)]
fn calls(i: usize, bodies: &mut [Body], y: &mut [f64], x: &[f64]) {
    bodies[i].grow(&x[i]);
    Body::shift(&mut y[i], &x[i]);
    y[i] += Body::scale(x[i]);
    y[i] += (i as u32).count_ones() as f64 + f64::from_bits(i as u64);
    y[i] += x[(bodies[i].next)(i)];
}

/// What is built.
#[reversible(gpu)]
fn builds(i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += Body { mass: x[i], next: own }.mass;
    let body = Wrapped(x[i]);
    y[i] += body.0;
}

#[reversible(gpu)]
fn calls_values<F: for<'a> Reversible<(&'a mut f64,)>>(y: &mut f64, f: &F) {
    f(y);
}

#[derive(Clone, Differentiable)]
struct Wrapped(f64);

fn own(i: usize) -> usize {
    i
}

/// Names.
#[reversible(gpu)]
fn names<T: Unit>(i: usize, y: &mut [T], x: &[T]) {
    y[i] += x[i + small_name] * T::UNIT;
}

trait Unit: Real {
    const UNIT: Self;
}

#[allow(non_upper_case_globals)]
const small_name: usize = 1;

/// Numbers of several types.
#[reversible(gpu)]
fn mixed(i: usize, y: &mut [f64], x: &[f32]) {
    let mut sum = 0.0;
    let mut all = [0.0; 3];
    all[0] += x[i] as f64;
    sum += all[0] * (2.0 * 0.5);
    y[i] += sum;
    sum -= all[0] * (2.0 * 0.5);
    all[0] -= x[i] as f64;
}

#[reversible(gpu)]
fn widths(i: usize, y: &mut [f64], k: &mut [u32]) {
    let mut n = 0;
    y[i] += (1 << i) as f64 + (!0 >> 3) as f64 + 3_u8 as f64;
    k[i] ^= 1 << i | !0;
    count(&mut n);
    y[i] += n as f64;
    !count(&mut n);
}

#[reversible(gpu)]
fn count(n: &mut u32) {
    *n += 1;
}

/// Text.
#[reversible(gpu)]
fn text(i: usize, y: &mut [f64]) {
    y[i] += if "a" == "b" { 1.0 } else { 'c' as u32 as f64 };
}

/// Loops.
#[reversible(gpu, inverse_only)]
fn loops(i: usize, y: &mut [f64], x: &[f64]) {
    for v in [x[i], 1.0] {
        y[i] += v;
    }
    for pair in x.chunks(2) {
        y[i] += pair[0];
    }
}

/// Items.
#[reversible(gpu)]
fn items(i: usize, y: &mut [f64]) {
    const HALF: f64 = 0.5;
    y[i] += HALF;
}

/// Annotations, patterns, expressions.
#[reversible(gpu)]
fn forms(i: usize, y: &mut [f64], x: &[f64]) {
    let narrow: u8 = x[i] as u8;
    let other: Distance = x[i];
    let [first, rest @ _, _] = [x[i], x[0], x[1]];
    let zeros = [0.0; two()];
    y[i] += first + other + zeros[0];
    y[i] += matches!(i, 0 | 1) as i32 as f64;
}

const fn two() -> usize {
    2
}

type Distance = f64;

#[differentiable(gpu)]
fn statements(x: f64) -> f64 {
    let y = if x > 0.0 {
        const TWO: f64 = 2.0;
        x * TWO
    } else {
        x
    };
    y
}

/// What multiplication can be undone of.
#[reversible(gpu)]
fn group(i: usize, y: &mut [Logarithmic<f64>], x: &[Logarithmic<f64>]) {
    y[i] *= x[i];
}

/// Nothing tells what it is.
#[reversible(gpu)]
fn parameters<T: Real, const N: usize>(i: usize, y: &mut [f64]) {
    y[i] += N as f64;
}

#[differentiable(gpu, derivative = slope)]
fn by_hand(x: f64) -> f64 {
    x * x
}

fn slope(x: f64) -> f64 {
    2.0 * x
}

#[derive(Clone, Copy, Device)]
enum Shape {
    Round,
    Square,
}

#[derive(Clone, Copy, Device)]
struct Point {
    x: f64,
    y: f64,
}

fn main() {}
