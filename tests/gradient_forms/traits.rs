//! Differentiable methods of traits, with and without a body there.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

trait Energy {
    #[differentiable]
    fn energy(&self, scale: f64, #[constant] shift: f64) -> f64;

    #[differentiable]
    fn doubled(&self, scale: f64) -> f64 {
        2.0 * self.energy(scale, 1.0)
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Spring(f64);

#[derive(Clone, Debug, Differentiable)]
struct Weight {
    mass: f64,
    height: f64,
}

impl Energy for Spring {
    #[differentiable]
    fn energy(&self, scale: f64, #[constant] shift: f64) -> f64 {
        scale * self.0 * self.0 + shift
    }
}

impl Energy for Weight {
    #[differentiable]
    fn energy(&self, scale: f64, #[constant] shift: f64) -> f64 {
        scale * self.mass * (self.height - shift)
    }
}

#[reversible]
fn total<E: Energy + Differentiable>(y: &mut f64, parts: &[E], scale: &f64) {
    for part in parts {
        *y += part.energy(*scale, 0.5) * *scale;
    }
}

#[reversible]
fn one(y: &mut f64, spring: &Spring, scale: &f64) {
    *y += spring.doubled(*scale);
}

#[test]
fn a_method_without_a_body_in_its_trait() {
    let springs = [Spring(2.0), Spring(-1.5)];
    assert_gradient!(total(&mut 0.0, &springs[..], &0.75));
    let weights = [Weight { mass: 2.0, height: 1.5 }, Weight { mass: 0.5, height: 4.0 }];
    assert_gradient!(total(&mut 0.0, &weights[..], &0.75));
    assert_gradient!(one(&mut 0.0, &Spring(3.0), &0.5));
    assert_eq!(one::gradient(&Spring(3.0), &0.5).d_spring.0, 6.0);
}

#[derive(Clone, Debug, Differentiable)]
struct Turned {
    x: f64,
    y: f64,
}

fn twice_pullback(g: &f64, x: f64, d_x: &mut f64) {
    let _ = x;
    *d_x += 2.0 * *g;
}

impl Turned {
    /// The result has the type of the receiver.
    #[differentiable]
    fn turned(&self) -> Turned {
        Turned { x: self.x * self.y, y: 3.0 * self.x }
    }

    #[differentiable]
    fn given(self) -> Turned {
        Turned { x: self.y * self.y, y: self.x }
    }

    #[differentiable]
    fn again(&self) -> Turned {
        let once = Self::turned(self);
        Turned::given(once)
    }

    #[differentiable(associated)]
    fn of(x: f64, y: f64) -> Turned {
        Turned { x: x * y, y: x }
    }

    #[differentiable(pullback = Self::stretched_by_hand)]
    fn stretched(&self, by: f64) -> f64 {
        self.x * by
    }

    fn stretched_by_hand(&self, g: &f64, d_self: &mut Self, by: f64, d_by: &mut f64) {
        d_self.x += *g * by;
        *d_by += *g * self.x;
    }
}

trait Cube: Copy {
    #[differentiable]
    fn cube(self) -> f64;

    #[differentiable]
    fn sixth(self, by: f64) -> f64 {
        let cube = Self::cube(self);
        cube * cube * by
    }
}

impl Cube for f64 {
    #[differentiable]
    fn cube(self) -> f64 {
        self * self * self
    }
}

#[differentiable(pullback = twice_pullback)]
fn twice(x: f64) -> f64 {
    2.0 * x
}

#[reversible]
fn by_paths(out: &mut f64, v: &Turned, x: &f64) {
    let turned = Turned::turned(v);
    *out += turned.x * turned.y;
    let again = Turned::again(v);
    *out += again.x + again.y;
    let of = Turned::of(*x, v.x);
    *out += of.x * of.y;
    *out += Turned::stretched(v, *x * *x);
    *out += Cube::cube(*x) + <f64 as Cube>::cube(v.y) + Cube::sixth(*x, v.x);
    *out += twice(*x);
}

#[reversible]
fn by_dots(out: &mut f64, v: &Turned, x: &f64) {
    let turned = v.turned();
    *out += turned.x * turned.y;
    let again = v.again();
    *out += again.x + again.y;
    let of = Turned::of(*x, v.x);
    *out += of.x * of.y;
    *out += v.stretched(*x * *x);
    *out += x.cube() + v.y.cube() + x.sixth(v.x);
    *out += twice(*x);
}

#[reversible]
#[allow(clippy::clone_on_copy)] // Users write it where they need not.
fn in_general<T: Cube + Differentiable + Clone>(out: &mut f64, x: &T) {
    *out += T::cube(x.clone());
}

#[test]
fn methods_called_by_their_paths() {
    let v = Turned { x: 1.5, y: -0.5 };
    assert_gradient!(by_paths(&mut 0.0, &v, &0.75));
    assert_gradient!(by_dots(&mut 0.0, &v, &0.75));
    assert_gradient!(in_general(&mut 0.0, &2.0));
    // By hand, as it is documented.
    let (mut d_v, mut d_by) = (Turned { x: 0.0, y: 0.0 }, 0.0);
    v.stretched_pullback(&2.0, &mut d_v, 3.0, &mut d_by);
    assert_eq!((d_v.x, d_by), (6.0, 3.0));
}
