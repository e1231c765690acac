//! What people write in other Rust: `if let`, sums of iterators, boxed slices and queues.

use retrograde::prelude::*;
use retrograde::testing::{assert_gradient, assert_reversible};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Stay,
    Scale(i32),
    Square { times: f64 },
}

#[reversible]
fn statements(y: &mut f64, x: &f64, #[constant] op: &Op) {
    if let Op::Scale(n) = op {
        *y += *x * f64::from(*n);
    } else if let Op::Square { times } = op {
        if *times > 0.0 {
            *y += *x * *x * *times;
        }
    } else {
        *y += x.sin();
    }
}

#[reversible]
fn values(y: &mut f64, x: &f64, #[constant] op: &Op, n: Option<usize>) {
    *y += if let Op::Scale(n) = op {
        *x * f64::from(*n)
    } else if let Op::Square { times } = op {
        *x * *x * *times
    } else {
        match op {
            Op::Stay => x.sin(),
            _ => 1.0,
        }
    };
    let count = if let Some(n) = n { n } else { 1 };
    for _ in 0..count {
        *y += *x;
    }
}

#[reversible]
fn whole(y: &mut i64, x: &[i64]) {
    if let Some(v) = x.first() {
        *y += v * v;
    }
    *y += x.iter().sum::<i64>();
}

#[test]
fn if_let_is_a_match() {
    for op in [Op::Stay, Op::Scale(3), Op::Square { times: 0.5 }] {
        assert_reversible!(statements(
            &mut 0.5,
            &2.0,
            #[constant]
            &op
        ));
        assert_gradient!(statements(
            &mut 0.5,
            &2.0,
            #[constant]
            &op
        ));
        assert_gradient!(values(
            &mut 0.5,
            &2.0,
            #[constant]
            &op,
            Some(3)
        ));
    }
    let mut y = 1;
    whole(&mut y, &[2, 3]);
    assert_eq!(y, 10);
    whole::inverse(&mut y, &[2, 3]);
    assert_eq!(y, 1);
    whole(&mut y, &[]);
    assert_eq!(y, 1);
}

#[reversible]
fn sums(y: &mut f64, x: &[f64], w: &Vec<f64>, z: &[f64; 3]) {
    *y += x.iter().sum::<f64>() * x[0];
    *y -= w.iter().copied().sum::<f64>().sin();
    let s = z.iter().sum::<f64>();
    *y += s * s;
    *y += x[1..].iter().sum::<f64>();
    let mut a = w.iter().sum::<f64>();
    a += z[0];
    *y += a * a;
    a -= z[0];
}

#[test]
fn sums_of_iterators() {
    let (x, w, z) = ([1.0, 2.0, 0.5], vec![1.0, 0.5], [1.0, 2.0, 3.0]);
    assert_reversible!(sums(&mut 0.5, &x[..], &w, &z));
    assert_gradient!(sums(&mut 0.5, &x[..], &w, &z));
    assert_gradient!(sums(&mut 0.5, &x[..1], &Vec::new(), &z));
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Layer {
    weights: Box<[f64]>,
    bias: f64,
}

#[reversible]
#[allow(clippy::borrowed_box)]
fn boxed(y: &mut Box<[f64]>, x: &Box<[f64]>, layer: &Layer) {
    for (y, x) in y.iter_mut().zip(x.iter()) {
        *y += x * layer.bias;
    }
    for k in 0..x.len() {
        y[k] += layer.weights[k] * x[k] * x[k];
    }
}

#[reversible]
fn queue(y: &mut f64, x: &VecDeque<f64>, z: &mut VecDeque<f64>) {
    for k in 0..x.len() {
        *y += x[k] * x[k] * z[0];
    }
    for v in z.iter_mut() {
        *v += x[0];
    }
}

#[test]
fn boxed_slices_and_queues() {
    let x: Box<[f64]> = [1.0, 2.0].into();
    let layer = Layer { weights: [0.5, -1.0].into(), bias: 3.0 };
    let mut y: Box<[f64]> = [0.0, 1.0].into();
    assert_reversible!(boxed(&mut y, &x, &layer));
    assert_gradient!(boxed(&mut y, &x, &layer));
    let (x, mut z) = (VecDeque::from([1.0, 2.0]), VecDeque::from([0.5, 3.0]));
    assert_reversible!(queue(&mut 0.5, &x, &mut z));
    assert_gradient!(queue(&mut 0.5, &x, &mut z));
    assert_eq!(queue::gradient(&x, &mut z).d_x, [1.0, 2.0]);
}

/// A store whose methods only read.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Store {
    level: f64,
}

impl Store {
    #[differentiable]
    fn push(&self) -> f64 {
        self.level * self.level
    }

    fn sort(&self, by: i64) -> i64 {
        by + 1
    }

    #[reversible(inverse_only)]
    fn count(&mut self, y: &mut i64) {
        *y += self.sort(2);
    }
}

#[reversible]
fn own_methods(y: &mut f64, store: &Store, x: &f64) {
    *y += store.push() * *x;
}

#[test]
fn methods_of_ones_own_have_any_name() {
    let mut store = Store { level: 2.0 };
    assert_gradient!(own_methods(&mut 0.5, &store, &3.0));
    let mut y = 0;
    store.count(&mut y);
    assert_eq!(y, 3);
    store.count_inverse(&mut y);
    assert_eq!(y, 0);
}

#[reversible(undoable(Complex<i64>))]
fn promised(y: &mut f64, x: &f64, #[constant] z: &mut [Complex<i64>], w: &mut Complex<f64>) {
    for k in 0..z.len() {
        z[k] += Complex::new(1, 2);
        z[k] -= 3;
    }
    *w += *x;
    *y += *x * w.re;
}

#[test]
fn a_type_of_another_crate_by_promise() {
    let mut z = [Complex::new(1, 2), Complex::new(3, 4)];
    let (mut y, mut w) = (0.0, Complex::new(0.5, 0.5));
    promised(&mut y, &2.0, &mut z, &mut w);
    assert_eq!((y, z[1], w), (5.0, Complex::new(1, 6), Complex::new(2.5, 0.5)));
    promised::inverse(&mut y, &2.0, &mut z, &mut w);
    assert_eq!((y, z[1], w), (0.0, Complex::new(3, 4), Complex::new(0.5, 0.5)));
    assert_eq!(promised::gradient(&2.0, &mut z, &mut w).d_x, 4.5);
}
