//! Methods and operators of one's own by names that ask for a shape, a test or bits, or
//! that belong to numbers.

use retrograde::prelude::{AdditiveGroup, Differentiable, differentiable, reversible};
use std::ops::{Add, AddAssign, BitXor, Not, SubAssign};

#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct Vector {
    x: f64,
    y: f64,
}

impl Vector {
    #[differentiable]
    fn len(&self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    #[differentiable]
    fn floor(&self) -> f64 {
        self.x * self.y
    }

    #[differentiable]
    fn fract(&self) -> Vector {
        Vector { x: 3.0 * self.x, y: self.y }
    }

    #[differentiable]
    fn scaled(&self, factor: f64) -> Vector {
        Vector { x: factor * self.x + 1.0, y: self.y * self.y }
    }

    fn shape(&self) -> Vec<f64> {
        vec![3.0 * self.x, self.y]
    }
}

impl BitXor for Vector {
    type Output = f64;
    fn bitxor(self, other: Vector) -> f64 {
        self.x * other.y - self.y * other.x
    }
}

impl Not for Vector {
    type Output = Vector;
    fn not(self) -> Vector {
        Vector { x: -self.y, y: self.x }
    }
}

#[differentiable]
fn doubled(v: Vector) -> Vector {
    Vector { x: 2.0 * v.x, y: 2.0 * v.y }
}

#[reversible]
fn length(y: &mut f64, v: &Vector) {
    *y += v.len();
}

#[reversible]
fn length_of_a_value(y: &mut f64, v: &Vector) {
    *y += doubled(*v).len();
}

#[reversible]
fn length_in_a_block(y: &mut f64, v: &Vector) {
    *y += if v.x > 0.0 {
        let w = doubled(*v);
        w.len()
    } else {
        0.0
    };
}

#[reversible]
fn loop_over_a_shape(y: &mut f64, v: &Vector) {
    for part in v.shape() {
        *y += part;
    }
}

#[reversible]
fn wedge(y: &mut f64, v: &Vector, w: &Vector) {
    *y += *v ^ *w;
}

#[reversible]
fn turned(y: &mut f64, v: &Vector) {
    *y += (!*v).x;
}

#[reversible]
fn ground(y: &mut f64, v: &Vector) {
    *y += v.floor();
}

#[reversible]
fn part(y: &mut f64, v: &Vector) {
    *y += doubled(*v).fract().x;
}

#[reversible]
fn scale(y: &mut f64, v: &Vector) {
    *y += v.scaled(2.0).x;
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

impl Complex {
    #[differentiable(associated)]
    fn new(radius: f64, angle: f64) -> Complex {
        Complex { re: radius * angle.cos(), im: radius * angle.sin() }
    }
}

#[reversible]
fn polar(y: &mut f64, radius: &f64) {
    *y += Complex::new(*radius, 0.5).re;
}

#[allow(non_snake_case)]
fn Tripled(x: f64) -> (f64,) {
    (3.0 * x,)
}

#[reversible]
fn no_struct(y: &mut f64, x: &f64) {
    *y += Tripled(*x).0;
}

/// Another trait of the name.
trait Real:
    Copy + Add<Output = Self> + AddAssign + SubAssign + AdditiveGroup + Differentiable
{
}

#[reversible]
fn another_trait<T: Real>(y: &mut [T], a: &[T], b: &[T]) {
    y[0] += a[0] + b[0];
}

mod floats {
    use retrograde::prelude::{AdditiveGroup, Differentiable, reversible};

    /// Another type of the name.
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
    pub struct f32(pub f64);

    impl std::ops::Add for f32 {
        type Output = f32;
        fn add(self, other: f32) -> f32 {
            f32(3.0 * self.0 + other.0)
        }
    }

    #[reversible]
    fn another_type(y: &mut [f32], a: &[f32], b: &[f32]) {
        y[0] += a[0] + b[0];
    }
}

/// Traits of one's own for types of std, with names of std's.
mod of_std {
    use retrograde::prelude::reversible;

    pub trait Wave {
        fn sin(&self) -> f64;
    }

    impl Wave for f64 {
        fn sin(&self) -> f64 {
            10.0 * *self
        }
    }

    pub trait Rounded {
        fn floor(&self) -> f64;
    }

    impl Rounded for Vec<f64> {
        fn floor(&self) -> f64 {
            2.0 * self[0]
        }
    }

    #[reversible]
    fn of_a_number(y: &mut f64, x: &f64) {
        *y += x.sin();
    }

    #[reversible]
    fn of_a_vector(y: &mut f64, x: &Vec<f64>) {
        *y += x.floor();
    }

    #[reversible]
    fn of_bits(y: &mut f64, x: &f64) {
        *y += f64::from_bits(x.to_bits());
    }
}

struct Interval {
    low: f64,
    high: f64,
}

impl Interval {
    fn len(&self) -> f64 {
        self.high - self.low
    }
}

#[reversible]
fn what_is_left(y: &mut f64, x: &f64, #[constant] all: &Interval) {
    let mut left = all.len();
    left -= *x;
    *y += left * left;
    left += *x;
}

/// Where only values are computed, it is asked all the same.
#[reversible]
fn length_in_what_is_computed(y: &mut f64, v: &Vector, n: usize) {
    #[compute]
    {
        let mut s = 0.0;
        for k in 0..n {
            let mut a = 0.0;
            a += 0.3;
            s += a * v.len() + 1.0 / (k + 1) as f64;
            a -= 0.3;
        }
    }
    *y += s;
}

fn main() {}
