use retrograde::prelude::*;

#[differentiable]
fn updates(x: f64) -> f64 {
    let mut sum = 0.0;
    sum += x;
    sum
}

#[differentiable]
fn loops(x: f64) -> f64 {
    let mut sum = 0.0;
    for _ in 0..3 {
        sum += x;
    }
    while sum < 10.0 {
        sum *= 2.0;
    }
    sum
}

#[reversible]
fn calls_it(y: &mut f64, x: &f64) {
    *y += loops(*x);
}

#[differentiable]
fn returns(x: f64) -> f64 {
    if x < 0.0 {
        return 0.0;
    }
    x.sqrt()
}

#[differentiable]
fn reference(x: &[f64]) -> &f64 {
    &x[0]
}

#[differentiable]
fn nothing(x: &mut f64) {
    *x += 1.0;
}

#[differentiable(derivative = slope)]
fn of_two(a: f64, b: f64) -> f64 {
    a * b
}

#[differentiable(fused, derivative = slope)]
fn fused_by_hand(x: f64) -> f64 {
    x * x + 1.0
}

#[differentiable(gradient = slope)]
fn unknown_word(x: f64) -> f64 {
    x
}

#[derive(Clone, Differentiable)]
enum Shape<T> {
    Circle(T),
}

#[instruction(inverse = halve, backward = halve)]
fn double(y: &mut f64) {
    *y *= 2.0;
}

#[differentiable]
#[allow(non_snake_case)]
fn Gamma(x: f64) -> f64 {
    x * x
}

#[reversible]
fn fine(y: &mut f64) {
    *y += 1.0;
}

struct Shift(f64);

#[differentiable]
impl std::ops::Shl for Shift {
    type Output = f64;
    fn shl(self, other: Shift) -> f64 {
        self.0 * other.0
    }
}

#[differentiable]
impl std::ops::Neg for Shift {
    type Output = Shift;
    fn neg(mut self) -> Shift {
        self.0 = -self.0;
        self
    }
}

#[differentiable]
impl std::ops::Add<(f64, f64)> for Shift {
    type Output = f64;
    fn add(self, (a, b): (f64, f64)) -> f64 {
        self.0 * a + b
    }
}

trait Energy {
    #[differentiable]
    fn without_a_value(&self);
}

impl std::ops::Mul for Shift {
    type Output = Shift;
    #[differentiable]
    fn mul(self, other: Shift) -> Self::Output {
        Shift(self.0 * other.0)
    }
}

fn main() {
    retrograde::testing::assert_gradient!(2.0 + 3.0);
    retrograde::testing::assert_gradient!(fine(&mut 1.0), steps = 1e-4);
    retrograde::testing::assert_gradient!(fine(&mut 1.0), step = 1e-4, step = 1e-5);
    retrograde::testing::assert_reversible!(fine(&mut 1.0), tolerance = 1e-4);
}
