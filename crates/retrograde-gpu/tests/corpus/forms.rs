//! Statements, calls, and names.

use super::{Case, Outcome, SHIFT, TABLE, noise, positive, with};
use retrograde::prelude::*;

pub fn cases() -> Vec<Case> {
    vec![
        case!(own_element, 1000, noise(1, 1000), noise(2, 1000)),
        case!(neighbours, 500, noise(3, 500), positive(4, 502)),
        case!(branches, 1000, noise(7, 1000), noise(8, 1000)),
        case!(loops, 100, noise(9, 100), noise(10, 100)),
        case!(ancillas, 200, noise(11, 200), noise(12, 200)),
        case!(newton, 64, noise(13, 64), noise(14, 64)),
        case!(calls, 64, noise(15, 64), noise(16, 70)),
        case!(turned, 64, noise(17, 64), noise(18, 70)),
        case!(in_place, 64, noise(19, 128), noise(20, 64)),
        case!(names, 64, noise(21, 64), noise(22, 64)),
        case!(asserting, 64, noise(23, 64), noise(24, 64)),
        case!(generics, 64, noise(25, 64), noise(26, 70)),
        case!(letters, 64, noise(39, 64), noise(40, 64)),
    ]
}

#[reversible(gpu)]
fn own_element(i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += 0.5 * x[i] * x[i] + x[i].sin() * x[i].exp();
}

#[reversible(gpu)]
fn neighbours(i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += x[i] * x[i + 1] - x[i + 2] / x[0];
}

#[reversible(gpu)]
fn branches(i: usize, y: &mut [f64], x: &[f64]) {
    if x[i] > 0.5 {
        y[i] += x[i].ln();
    } else if x[i] > -0.5 {
        y[i] -= x[i] * 3.0;
    } else {
        y[i] += if x[i] < -1.0 {
            x[i].exp()
        } else {
            let b = x[i] * x[i];
            b * b
        };
    }
}

#[reversible(gpu)]
fn loops(i: usize, y: &mut [f64], x: &[f64]) {
    for k in 0..4 {
        y[i] += x[k] * x[i];
    }
    for k in (1..=5).rev().step_by(2) {
        y[i] -= x[k].sin();
    }
    for (k, v) in x[2..6].iter().enumerate() {
        y[i] += *v * *v * k as f64;
    }
    for pair in x.chunks_exact(2) {
        y[i] += pair[0] * pair[1];
    }
    for three in x[..5].windows(3) {
        y[i] += three[0] * three[2];
    }
    for (a, b) in x[..3].iter().zip(&x[3..6]).rev() {
        y[i] += *a / (1.0 + *b * *b);
    }
}

#[reversible(gpu)]
fn ancillas(i: usize, y: &mut [f64], x: &[f64]) {
    let mut s = 0.0;
    let mut powers = [0.0; 3];
    #[compute]
    {
        powers[0] += x[i];
        powers[1] += powers[0] * x[i];
        powers[2] += powers[1] * x[i];
        for p in &powers {
            s += p.tanh();
        }
    }
    let half = s * 0.5;
    y[i] += half.exp() * powers[2];
}

#[reversible(gpu)]
fn newton(i: usize, y: &mut [f64], x: &[f64]) {
    let mut steps = 0;
    let mut error = 1.0;
    while (steps < 4, steps > 0) {
        error += x[i] * 0.25;
        steps += 1;
    }
    y[i] += error * error;
    !{
        while (steps < 4, steps > 0) {
            error += x[i] * 0.25;
            steps += 1;
        }
    };
}

#[differentiable(gpu)]
fn smooth<T: Real>(a: T, b: T) -> T {
    let c = a * b;
    if c > b { c.sin() } else { (c - b) / (a * a + 1.0) }
}

#[reversible(gpu)]
fn weigh<T: Real>(y: &mut T, x: &[T; 3], w: T) {
    for v in x {
        *y += smooth(*v, w) * 0.5;
    }
}

#[reversible(gpu)]
fn calls(i: usize, y: &mut [f64], x: &[f64]) {
    let mut three = [0.0; 3];
    #[compute]
    {
        for (k, t) in three.iter_mut().enumerate() {
            *t += x[i + k] * SHIFT;
        }
    }
    weigh(&mut y[i], &three, x[i]);
    weigh(&mut y[i], &[x[i], x[0], 1.0], TABLE[1]);
    !weigh(&mut y[i], &[x[i + 1], x[1], 2.0], smooth(x[0], x[2]));
}

#[reversible(gpu)]
fn turned(i: usize, y: &mut [f64], x: &[f64]) {
    let (mut a, mut b) = (x[i], x[i + 1]);
    rot(&mut a, &mut b, &x[0]);
    y[i] += a * b * b;
    !rot(&mut a, &mut b, &x[0]);
}

#[reversible(gpu)]
fn in_place(i: usize, y: &mut [f64], x: &[f64]) {
    rot(&mut y[2 * i], &mut y[2 * i + 1], &x[i]);
    swap(&mut y[2 * i], &mut y[2 * i + 1]);
    neg(&mut y[2 * i]);
    y[2 * i] += x[i].sin();
    y[2 * i + 1] -= y[2 * i] * x[0];
}

/// Names that are words of the other language, and names that are given twice.
#[reversible(gpu)]
fn names(int: usize, double: &mut [f64], float: &[f64]) {
    let auto = float[int] * 2.0;
    let x = auto + 1.0;
    let y = x * x;
    double[int] += y;
    {
        let z = y.sin();
        double[int] -= z * float[0];
    }
    for register in 0..2 {
        let z = x * register as f64;
        double[int] += z.cos();
    }
}

/// Names that only one of the languages can have, or that the other one uses.
#[reversible(gpu)]
fn letters(i: usize, y: &mut [f64], x: &[f64]) {
    let größe = x[i] * x[i];
    let r#try = größe + 1.0;
    let (constant_0, given_1, whole_1) = (SHIFT, r#try, x[0]);
    let (A0, A1) = (constant_0 * given_1, whole_1 * größe);
    y[i] += A0 * A1;
}

#[reversible(gpu)]
fn asserting(i: usize, y: &mut [f64], x: &[f64]) {
    host! { assert!(x[i] < 100.0); }
    let before = x[i];
    y[i] += before * y.len() as f64;
}

#[reversible(gpu)]
fn generic_cell<T: Real, const N: usize>(y: &mut T, x: &[T; N], k: usize) {
    let mut total: T = 0.0;
    for v in x {
        total += *v * 0.5;
    }
    *y += total * x[k % N];
    for v in x {
        total -= *v * 0.5;
    }
}

/// Of an alias, it is not seen where its parameter stands.
type Two<T> = [T; 2];

#[reversible(gpu)]
fn aliased<T: Real>(y: &mut T, x: &Two<T>, w: T) {
    *y += x[0] * w - x[1] * 0.5;
}

#[reversible(gpu)]
fn generics(i: usize, y: &mut [f64], x: &[f64]) {
    generic_cell(&mut y[i], &[x[i], x[i + 1]], i);
    generic_cell(&mut y[i], &[x[0], x[1], x[i], 0.25], i + 1);
    aliased(&mut y[i], &[x[i], 2.0], 0.5);
}
