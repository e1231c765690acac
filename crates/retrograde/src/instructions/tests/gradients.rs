//! The adjoints of the instructions, against central differences.

use super::*;
use crate::check::Slack;
use crate::num::{Dual, Real};
use crate::prelude::reversible;
use std::fmt::Debug;

/// A number by the real coordinates in which its shadow holds a gradient.
trait Coordinates: Clone + Debug + Check {
    fn coordinates(&mut self) -> Vec<&mut f64>;
}

impl Coordinates for f64 {
    fn coordinates(&mut self) -> Vec<&mut f64> {
        vec![self]
    }
}

impl Coordinates for Complex<f64> {
    fn coordinates(&mut self) -> Vec<&mut f64> {
        vec![&mut self.re, &mut self.im]
    }
}

impl Coordinates for Logarithmic<f64> {
    fn coordinates(&mut self) -> Vec<&mut f64> {
        vec![&mut self.log]
    }
}

impl Coordinates for Tropical<f64> {
    fn coordinates(&mut self) -> Vec<&mut f64> {
        vec![&mut self.0]
    }
}

impl<T: Coordinates, const N: usize> Coordinates for [T; N] {
    fn coordinates(&mut self) -> Vec<&mut f64> {
        self.iter_mut().flat_map(T::coordinates).collect()
    }
}

fn read<X: Coordinates>(x: &X) -> Vec<f64> {
    x.clone().coordinates().into_iter().map(|x| *x).collect()
}

/// Compares an adjoint with the differences of `weights · f(x)`, and runs the
/// adjoint of the inverse after it, which must restore everything.
fn check<X: Coordinates>(
    x: X,
    weights: X,
    f: impl Fn(&mut X),
    adjoint: impl Fn(&mut X, &mut X),
    inverse_adjoint: impl Fn(&mut X, &mut X),
) {
    let loss = |i: usize, step: f64| {
        let mut x = x.clone();
        *x.coordinates()[i] += step;
        f(&mut x);
        read(&x).iter().zip(read(&weights)).map(|(y, w)| y * w).sum::<f64>()
    };
    let mut now = x.clone();
    f(&mut now);
    let (after, mut shadow) = (now.clone(), weights.clone());
    adjoint(&mut now, &mut shadow);
    assert!(now.agrees(&x, Slack::half_the_digits(10.0)), "{now:?} is not {x:?}");
    let step = 1e-5;
    for (i, found) in read(&shadow).into_iter().enumerate() {
        let expected = (loss(i, step) - loss(i, -step)) / (2.0 * step);
        let close = (found - expected).abs() <= 1e-6 * expected.abs().max(1.0);
        assert!(close, "coordinate {i}: {found} is not {expected}");
    }
    inverse_adjoint(&mut now, &mut shadow);
    assert!(now.agrees(&after, Slack::half_the_digits(10.0)), "{now:?} is not {after:?}");
    assert!(shadow.agrees(&weights, Slack::half_the_digits(10.0)), "{shadow:?} is not {weights:?}");
}

fn of_two<T: Arithmetic + Coordinates>(x: [T; 2], w: [T; 2]) {
    let (one, d_one) = (x[0].clone(), w[0].clone());
    check(
        x.clone(),
        w.clone(),
        |[a, b]| swap(a, b),
        |[a, b], [d_a, d_b]| swap::adjoint(a, d_a, b, d_b),
        |[a, b], [d_a, d_b]| swap::inverse_adjoint(a, d_a, b, d_b),
    );
    check(
        x.clone(),
        w.clone(),
        |[a, b]| hadamard(a, b),
        |[a, b], [d_a, d_b]| hadamard::adjoint(a, d_a, b, d_b),
        |[a, b], [d_a, d_b]| hadamard::inverse_adjoint(a, d_a, b, d_b),
    );
    check(
        x.clone(),
        w.clone(),
        |[x, c]| add_constant(x, c.clone()),
        |[x, c], [d_x, d_c]| add_constant::adjoint(x, d_x, c.clone(), d_c),
        |[x, c], [d_x, d_c]| add_constant::inverse_adjoint(x, d_x, c.clone(), d_c),
    );
    check(
        x,
        w,
        |[x, c]| sub_constant(x, c.clone()),
        |[x, c], [d_x, d_c]| sub_constant::adjoint(x, d_x, c.clone(), d_c),
        |[x, c], [d_x, d_c]| sub_constant::inverse_adjoint(x, d_x, c.clone(), d_c),
    );
    check(one.clone(), d_one.clone(), neg, neg::adjoint, neg::inverse_adjoint);
    check(one.clone(), d_one.clone(), conj, conj::adjoint, conj::inverse_adjoint);
    check(one.clone(), d_one.clone(), inc, inc::adjoint, inc::inverse_adjoint);
    check(one, d_one, dec, dec::adjoint, dec::inverse_adjoint);
}

fn rotations<T: Elementary + Coordinates>(x: [T; 3], w: [T; 3]) {
    check(
        x.clone(),
        w.clone(),
        |[a, b, angle]| rot(a, b, angle),
        |[a, b, angle], [d_a, d_b, d_angle]| rot::adjoint(a, d_a, b, d_b, angle, d_angle),
        |[a, b, angle], [d_a, d_b, d_angle]| rot::inverse_adjoint(a, d_a, b, d_b, angle, d_angle),
    );
    check(
        x,
        w,
        |[a, b, angle]| unrot(a, b, angle),
        |[a, b, angle], [d_a, d_b, d_angle]| unrot::adjoint(a, d_a, b, d_b, angle, d_angle),
        |[a, b, angle], [d_a, d_b, d_angle]| {
            unrot::inverse_adjoint(a, d_a, b, d_b, angle, d_angle);
        },
    );
}

/// All instructions on numbers, in both directions.
#[reversible]
fn program<T: Elementary>(a: &mut T, b: &mut T, angle: &T) {
    rot(a, b, angle);
    neg(a);
    inc(b);
    hadamard(a, b);
    conj(b);
    swap(a, b);
    add_constant(a, *angle);
    add_constant(a, 0.5);
    !unrot(a, b, angle);
    !inc(a);
    !{
        sub_constant(b, *angle);
        conj(a);
        dec(b);
        unrot(b, a, angle);
    };
}

fn together<T: Elementary + Coordinates>(x: [T; 3], w: [T; 3]) {
    check(
        x,
        w,
        |[a, b, angle]| program(a, b, angle),
        |[a, b, angle], [d_a, d_b, d_angle]| program::adjoint(a, d_a, b, d_b, angle, d_angle),
        |[a, b, angle], [d_a, d_b, d_angle]| {
            program::inverse_adjoint(a, d_a, b, d_b, angle, d_angle);
        },
    );
}

fn complex([x, y, z]: [f64; 3], [u, v, w]: [f64; 3]) -> [Complex<f64>; 3] {
    [Complex::new(x, u), Complex::new(y, v), Complex::new(z, w)]
}

proptest! {
    #[test]
    fn instructions_agree_with_differences(
        x in prop::array::uniform3(-2.0..2.0),
        y in prop::array::uniform3(-1.0..1.0),
        w in prop::array::uniform3(-1.0..1.0),
        v in prop::array::uniform3(-1.0..1.0),
    ) {
        of_two([x[0], x[1]], [w[0], w[1]]);
        rotations(x, w);
        together(x, w);
        let (z, d_z) = (complex(x, y), complex(w, v));
        of_two([z[0], z[1]], [d_z[0], d_z[1]]);
        rotations(z, d_z);
        together(z, d_z);
    }

    #[test]
    fn reciprocals_agree_with_differences(x in -2.0..2.0, w in -1.0..1.0) {
        let (number, gradient) = (Logarithmic::from_ln(x), Logarithmic::from_ln(w));
        check(number, gradient, inv, inv::adjoint, inv::inverse_adjoint);
        check(Tropical(x), Tropical(w), inv, inv::adjoint, inv::inverse_adjoint);
    }
}

/// Instructions on numbers whose reciprocal is exact.
#[reversible]
fn turned<T: AdditiveGroup + Debug>(x: &mut Logarithmic<T>, y: &mut Logarithmic<T>) {
    inv(x);
    *x *= *y;
    inv(y);
    swap(x, y);
}

#[test]
fn reciprocals_in_a_function() {
    check(
        [0.5, 1.5].map(Logarithmic::from_ln),
        [2.0, 3.0].map(Logarithmic::from_ln),
        |[x, y]| turned(x, y),
        |[x, y], [d_x, d_y]| turned::adjoint(x, d_x, y, d_y),
        |[x, y], [d_x, d_y]| turned::inverse_adjoint(x, d_x, y, d_y),
    );
}

#[test]
fn fixed_point_is_restored_exactly() {
    let [x, c, d_x, d_c] = [1.25, 0.3, 0.7, 0.1].map(Fixed43::from_f64);
    let (mut now, mut d_now, mut d_now_c) = (x, d_x, d_c);
    add_constant::adjoint(&mut now, &mut d_now, c, &mut d_now_c);
    assert_eq!((now, d_now, d_now_c), (x - c, d_x, d_c + d_x));
    add_constant::inverse_adjoint(&mut now, &mut d_now, c, &mut d_now_c);
    assert_eq!((now, d_now, d_now_c), (x, d_x, d_c));
}

/// The gradient of a gradient: `b′ = a sin θ + b cos θ`, twice by the angle.
#[test]
fn adjoints_take_dual_numbers() {
    fn second<T: Real>(angle: T) -> T {
        let (mut a, mut b) = (T::from_f64(3.0), T::from_f64(4.0));
        rot(&mut a, &mut b, &angle);
        let (mut d_a, mut d_b, mut d_angle) = (T::zero(), T::one(), T::zero());
        rot::adjoint(&mut a, &mut d_a, &mut b, &mut d_b, &angle, &mut d_angle);
        d_angle
    }
    let slope = second(Dual::<f64, 1>::variable(0.3, 0));
    let (sin, cos) = 0.3_f64.sin_cos();
    assert!(slope.value.agrees(&(3.0 * cos - 4.0 * sin), Slack::half_the_digits(0.0)));
    assert!(slope.tangents[0].agrees(&(-3.0 * sin - 4.0 * cos), Slack::half_the_digits(0.0)));
}

#[test]
fn what_carries_no_gradient_is_undone() {
    let (mut b, mut bits) = (true, 0b1100_0001_u8);
    flip::adjoint(&mut b);
    rotate_left::adjoint(&mut bits, 2);
    assert_eq!((b, bits), (false, 0b0111_0000));
    flip::inverse_adjoint(&mut b);
    rotate_left::inverse_adjoint(&mut bits, 2);
    assert_eq!((b, bits), (true, 0b1100_0001));
    rotate_right::adjoint(&mut bits, 2);
    assert_eq!(bits, 0b0000_0111);
    let (mut n, mut m) = (255_u8, 3);
    inc::inverse_adjoint(&mut n, &mut 0);
    swap::adjoint(&mut n, &mut 0, &mut m, &mut 0);
    assert_eq!((n, m), (3, 0));
}

/// A counter beside a number.
#[reversible]
fn counted<T: Real>(x: &mut T, count: &mut u32, sign: &mut bool) {
    inc(count);
    rotate_left(count, 3);
    flip(sign);
    neg(x);
}

#[test]
fn integers_beside_numbers() {
    let (mut x, mut d_x, mut count, mut sign) = (2.0, 1.0, 8, true);
    counted::adjoint(&mut x, &mut d_x, &mut count, &mut sign);
    assert_eq!((x, d_x, count, sign), (-2.0, -1.0, 0, false));
    counted::inverse_adjoint(&mut x, &mut d_x, &mut count, &mut sign);
    assert_eq!((x, d_x, count, sign), (2.0, 1.0, 8, true));
}

#[test]
fn an_adjoint_is_a_value() {
    fn back<T>(f: impl for<'a> crate::Adjoint<(&'a mut T, &'a mut T)>, x: &mut T, d_x: &mut T) {
        f.call_adjoint((x, d_x));
    }
    let (mut x, mut d_x) = (5.0, 1.0);
    back(neg {}, &mut x, &mut d_x);
    back(inc {}, &mut x, &mut d_x);
    assert_eq!((x, d_x), (-6.0, -1.0));
}

/// A swap asks nothing of what it swaps but a shadow.
#[test]
fn shadows_of_different_shapes_are_swapped() {
    let (mut a, mut b) = (vec![1.0], vec![2.0, 3.0]);
    let (mut d_a, mut d_b) = (vec![0.1], vec![0.2, 0.3]);
    swap::adjoint(&mut a, &mut d_a, &mut b, &mut d_b);
    assert_eq!((a, b), (vec![2.0, 3.0], vec![1.0]));
    assert_eq!((d_a, d_b), (vec![0.2, 0.3], vec![0.1]));
}
