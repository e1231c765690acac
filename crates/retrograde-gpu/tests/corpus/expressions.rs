//! Expressions: the functions of numbers, integers and their bits, casts, and blocks.

use super::{Case, Outcome, TABLE, noise, positive, with};
use retrograde::prelude::*;

pub fn cases() -> Vec<Case> {
    vec![
        case!(elementary, 300, noise(5, 49 * 300), positive(6, 300)),
        case!(truth, 200, noise(27, 200), noise(28, 200)),
        case!(bits, 64, noise(29, 512), noise(30, 64)),
        case!(casts, 64, noise(33, 320), noise(34, 64)),
        case!(constants, 64, noise(35, 64), noise(36, 64)),
        case!(values, 64, noise(37, 64), noise(38, 70)),
        case!(narrowed, 64, noise(54, 64), noise(55, 64)),
    ]
}

#[reversible(gpu)]
fn elementary(i: usize, y: &mut [f64], x: &[f64]) {
    let a = x[i];
    y[49 * i] += a.sin();
    y[49 * i + 1] += a.cos();
    y[49 * i + 2] += a.tan();
    y[49 * i + 3] += a.exp();
    y[49 * i + 4] += a.ln();
    y[49 * i + 5] += a.sqrt();
    y[49 * i + 6] += a * a * a;
    y[49 * i + 7] += a.tanh();
    y[49 * i + 8] += a.sinh();
    y[49 * i + 9] += a.cosh();
    y[49 * i + 10] += (0.2 * a).asin();
    y[49 * i + 11] += (0.3 * a).acos();
    y[49 * i + 12] += a.atan();
    y[49 * i + 13] += a.ln_1p();
    y[49 * i + 14] += a.exp_m1();
    y[49 * i + 15] += a.log2();
    y[49 * i + 16] += a.log10();
    y[49 * i + 17] += a.exp2();
    y[49 * i + 18] += a.recip();
    y[49 * i + 19] += a.asinh();
    y[49 * i + 20] += (a + 1.0).acosh();
    y[49 * i + 21] += (0.2 * a).atanh();
    y[49 * i + 22] += a.powi(3);
    y[49 * i + 23] += a.powi(-2);
    y[49 * i + 24] += a.powi(17);
    y[49 * i + 25] += a.powf(1.5);
    y[49 * i + 26] += 2.0_f64.powf(a);
    y[49 * i + 27] += a.hypot(2.0);
    y[49 * i + 28] += a.atan2(0.5);
    y[49 * i + 29] += (a - 1.0).abs();
    y[49 * i + 30] += a.min(1.0);
    y[49 * i + 31] += a.max(0.75);
    y[49 * i + 32] += a.floor() * a;
    y[49 * i + 33] += a.signum();
    y[49 * i + 34] += a.fract();
    y[49 * i + 35] += a.mul_add(2.0, a);
    y[49 * i + 36] += a % 0.7;
    y[49 * i + 37] += (a - 1.0).rem_euclid(0.3);
    y[49 * i + 38] += a.clamp(0.5, 1.5);
    y[49 * i + 39] += a.copysign(-1.0);
    y[49 * i + 40] += a.to_radians();
    y[49 * i + 41] += a.to_degrees();
    y[49 * i + 42] += a.log(3.0);
    y[49 * i + 43] += (a - 1.0).round() * a;
    y[49 * i + 44] += a.ceil() * a;
    y[49 * i + 45] += a.trunc() * a;
    y[49 * i + 46] += a.div_euclid(0.3) * a;
    y[49 * i + 47] += a * a.sqrt();
    y[49 * i + 48] += (1.0 / a) * 3.0 - a / 7.0;
}

/// Truth values under the operators of bits.
#[reversible(gpu)]
fn truth(i: usize, y: &mut [f64], x: &[f64]) {
    let (p, q) = (x[i] > 0.0, x[0] * x[i] > 0.5);
    if !(p & q) {
        y[i] += x[i];
    }
    if !(p ^ q) {
        y[i] -= x[i] * x[i];
    }
    let both = p | q;
    y[i] += if !both { 2.0 * x[i] } else { x[i] };
    y[i] += (p as i32 - (q != true) as i32) as f64;
}

/// Integers keep their width beside literals, and where bits are shifted out of them.
#[reversible(gpu)]
fn bits(i: usize, y: &mut [f64], x: &[f64]) {
    let a = i as u32 * 0x9e37 + 0x7fff_0000;
    let b = a ^ (a << 13);
    let c = b ^ b >> 7;
    let d = !(c & !0xff) & (1 << 30 | 5);
    y[8 * i] += b as f64;
    y[8 * i + 1] += c as f64 * x[i];
    y[8 * i + 2] += d as f64;
    y[8 * i + 3] += (!(a + 1) >> 3) as f64;
    y[8 * i + 4] += ((a as i32) >> 2) as f64 + ((a % 97 + 3) / 2) as f64;
    y[8 * i + 5] += (i as i64 - 9).rem_euclid(4) as f64 + (i % 7).abs_diff(3) as f64;
    y[8 * i + 6] += (-5 / 2 + -7 % 3 + (i as i32 - 3) / 2 * -2) as f64;
    y[8 * i + 7] += (2_u32.pow(3) + 9_u32.rem_euclid(4)) as f64 - -9223372036854775808_i64 as f64;
}

/// What is cast to where it does not fit.
#[reversible(gpu)]
fn casts(i: usize, y: &mut [f64], x: &[f64]) {
    let far = x[i] * 1e10;
    y[5 * i] += far as i32 as f64 + far as u32 as f64;
    y[5 * i + 1] += (far * 1e10) as i64 as f64 - (far * 1e12) as u64 as f64;
    y[5 * i + 2] += (x[i] - 0.5) as i32 as u64 as f64;
    y[5 * i + 3] += (-1_i32 as u32) as f64 + (i as i64 - 3) as u32 as f64;
    // Literals are as narrow as what they stand beside.
    let narrow = x[i] as f32;
    y[5 * i + 4] += (narrow * 0.1 + 0.3) as f64 + f64::from(narrow / 3.0);
}

/// Constants that are referred to, and elements that are copied.
#[reversible(gpu)]
fn constants(i: usize, y: &mut [f64], x: &[f64]) {
    for (t, v) in TABLE.iter().zip(&x[..3]) {
        y[i] += *t * *v * x[i];
    }
    for t in TABLE {
        y[i] -= t * x[i];
    }
    let second = &TABLE[1];
    let [a, b, c] = TABLE;
    y[i] += *second * a + b * c * x[i];
    let three = [x[i], 2.0, 0.5];
    for t in &three {
        y[i] += t * t;
    }
    let (mut p, mut q) = (x[i], TABLE[2]);
    p += q * 0.5;
    y[i] += p * q;
    p -= q * 0.5;
}

/// Blocks, branches and names in an expression, some given twice.
#[differentiable(gpu)]
fn nested(a: f64, b: f64, k: usize) -> f64 {
    let c = if a > b { a } else { 2.0 };
    let c = c * if k % 3 == 1 { 1.0 } else { c };
    let (s, t) = (c - b, {
        let c = b * b;
        let d: f64 = 1.0;
        c + d
    });
    let pair = [s, t, -1.0][k % 3];
    let _unused = (a, b) == (b, a);
    pair * -c.powi(2) - -(a - b)
}

#[reversible(gpu)]
fn values(i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += nested(x[i], x[0], i) * nested(0.5, 1.0, 2);
    y[i] += x[{
        let (at, _) = (i / 2, 1);
        at
    }] - x[if i > 3 { 2 } else { i }];
    for k in 0..3 {
        for j in (k..=3).rev() {
            y[i] += x[k + j] * (k * 2 + j) as f64 - (3 - j) as f64;
        }
    }
    let at = (i % 2, 1);
    if at == (1, 1) {
        y[i] += x[i] / (at.0 + 1) as f64;
    }
}

#[differentiable(gpu)]
fn rounded(x: f64) -> f32 {
    (x * 0.1) as f32 + 0.1
}

/// Floats of two types beside each other, and an integer in a register of its own.
#[reversible(gpu)]
fn narrowed(i: usize, y: &mut [f64], x: &[f64]) {
    let a: f32 = rounded(x[i]);
    let b = 0.3;
    let mut sum: f32 = 0.0;
    sum += a * b - 0.7;
    y[i] += sum as f64 * 0.1 + (a * 3.0) as f64;
    if rounded(x[0]) * x[i] as f32 > 0.1 {
        y[i] -= x[i];
    }
    sum -= a * b - 0.7;
    let mut k = 0;
    inc(&mut k);
    k += i as u32;
    y[i] += (k * 2 - 1) as f64 * x[k as usize % 3] + (k >> 2) as f64;
    k -= i as u32;
    dec(&mut k);
}
