//! What is marked `#[constant]`, and written.

use retrograde::prelude::*;

#[reversible]
fn count(#[constant] seen: &mut f64, y: &mut f64) {
    *y += *seen;
    *seen += 1.0;
}

#[reversible]
fn add(sum: &mut f64, x: &f64) {
    *sum += *x;
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Spring {
    stiffness: f64,
    knots: usize,
}

#[reversible]
fn of_constants(
    y: &mut f64,
    x: &Spring,
    #[constant] c: &mut f64,
    #[constant] d: &f64,
    #[constant] spare: &mut Spring,
) {
    count(c, y);
    add(c, d);
    neg(c);
    *y += x.stiffness * *c;
    *c += 2.0 * *d;
    spare.knots += x.knots;
    // Here the gradient ends, by the user's word.
    #[constant]
    let held = x.stiffness;
    *c += held;
    *y += *c * x.stiffness;
}

#[test]
fn constants_are_written_with_constants() {
    let spring = Spring { stiffness: 3.0, knots: 2 };
    let mut spare = Spring { stiffness: 1.0, knots: 1 };
    let (mut y, mut c) = (0.5, 0.25);
    of_constants(&mut y, &spring, &mut c, &2.0, &mut spare);
    let c_then = -(0.25 + 1.0 + 2.0);
    assert_eq!((c, spare.knots), (c_then + 4.0 + 3.0, 3));
    assert_eq!(y, 0.5 + 0.25 + 3.0 * c_then + 3.0 * c);
    let (mut d_y, mut d_spring) = (1.0, Spring { stiffness: 0.0, knots: 2 });
    let c_now = c;
    of_constants::adjoint(&mut y, &mut d_y, &spring, &mut d_spring, &mut c, &2.0, &mut spare);
    assert_eq!((y, c, spare.knots), (0.5, 0.25, 1));
    assert_eq!(d_spring.stiffness, c_then + c_now);
}

#[derive(Clone, Debug, Differentiable)]
struct Weight {
    w: f64,
}

impl Weight {
    #[reversible]
    pub fn square(&self, y: &mut f64, x: &f64) {
        *y += self.w * *x * *x;
    }
}

#[reversible]
fn product<T: Real>(y: &mut T, t: &[T], x: &[T]) {
    for i in 0..t.len() {
        *y += t[i] * x[i] * x[i];
    }
}

#[reversible]
fn constant_product(y: &mut f64, #[constant] t: &[f64], x: &[f64]) {
    for i in 0..t.len() {
        *y += t[i] * x[i].sin();
    }
}

#[reversible]
fn labelled(y: &mut f64, x: &[f64], #[constant] t: &[f64], #[constant] rows: &[Vec<f64>]) {
    retrograde::neural::softmax_cross_entropy(y, x, t);
    retrograde::stats::correlation(y, x, t);
    for row in rows {
        product(y, row, x);
        constant_product(y, &row[1..], x);
    }
    for row in rows.iter() {
        product(y, &row[..1], x);
    }
}

#[reversible]
fn of_own_constants(
    y: &mut f64,
    x: &[f64],
    #[constant] one: &Weight,
    #[constant] other: Weight,
    #[constant] list: &Vec<f64>,
    #[constant] pair: &[f64; 2],
) {
    let own = Weight { w: 2.0 };
    own.square(y, &x[0]);
    one.square(y, &x[1]);
    other.square(y, &x[2]);
    let t = (1.5, [2.0, 3.0]);
    product(y, &t.1, x);
    *y += t.0 * x[0];
    product(y, list, x);
    product(y, pair, x);
    constant_product(y, pair, x);
    constant_product(y, &t.1, x);
    #[constant]
    let held = [2.0, 4.0];
    product(y, &held, x);
    for row in [list, list].iter() {
        product(y, row, x);
    }
}

#[test]
fn constants_are_passed_for_what_has_a_gradient() {
    let x = [0.3, 0.5, 0.9];
    let (t, rows) = ([0.2, 0.7, 0.1], [vec![1.0, 2.0], vec![0.5]]);
    let found = labelled::gradient(&x, &t, &rows).d_x;
    let (one, other) = (Weight { w: 1.25 }, Weight { w: -0.5 });
    let (list, pair) = (vec![1.0, 0.25, 2.0], [0.5, 0.75]);
    let own = of_own_constants::gradient(&x, &one, other.clone(), &list, &pair).d_x;
    for i in 0..x.len() {
        let slope = |f: &dyn Fn(&mut f64, &[f64])| {
            let (mut up, mut down, mut left, mut right) = (0.0, 0.0, x, x);
            left[i] -= 1e-6;
            right[i] += 1e-6;
            f(&mut up, &right);
            f(&mut down, &left);
            (up - down) / 2e-6
        };
        let expected = slope(&|y, x| labelled(y, x, &t, &rows));
        assert!((found[i] - expected).abs() < 1e-7, "{} is not {expected}", found[i]);
        let expected = slope(&|y, x| of_own_constants(y, x, &one, other.clone(), &list, &pair));
        assert!((own[i] - expected).abs() < 1e-7, "{} is not {expected}", own[i]);
    }
}
