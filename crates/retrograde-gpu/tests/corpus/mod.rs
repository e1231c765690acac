//! Kernels of every form that the device has, each run in all directions. A case gives
//! everything that it computed, to be compared between devices.
#![allow(dead_code)]
#![allow(non_snake_case, clippy::precedence, clippy::identity_op, clippy::bool_comparison)]

pub mod failing;

use retrograde::prelude::*;
use retrograde_gpu::{Basis, Device, Error, Launch, Rows};

/// What a case computed: buffers, by name. One that begins with `~` is a sum over all
/// indices, which devices make in an order of their own, or of functions that libraries
/// round differently.
pub type Outcome = Vec<(String, Vec<f64>)>;

/// A case: runs on a device, and gives what it computed.
pub struct Case {
    pub name: &'static str,
    pub run: fn(&Device, Options) -> Result<Outcome, Error>,
}

/// How to launch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub exact: bool,
    pub checked: bool,
    pub deterministic: bool,
}

fn with<'a, F: retrograde::device::Function, G: retrograde_gpu::Grid>(
    launch: Launch<'a, F, G>,
    options: Options,
) -> Launch<'a, F, G> {
    let launch = if options.exact { launch.exact() } else { launch };
    let launch = if options.checked { launch.checked() } else { launch };
    if options.deterministic { launch.deterministic() } else { launch }
}

/// Numbers between −2 and 2 that look like chance.
fn noise(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 51) as f64 - 2.0
        })
        .collect()
}

fn positive(seed: u64, count: usize) -> Vec<f64> {
    noise(seed, count).iter().map(|x| x.abs() + 0.25).collect()
}

/// All directions of a function `(i, y, x)`, one after the other.
macro_rules! case {
    ($function:ident, $count:expr, $y:expr, $x:expr) => {
        Case {
            name: stringify!($function),
            run: |device, options| {
                let count = $count;
                let mut outcome = Outcome::new();
                let mut y = device.upload(&$y)?;
                let x = device.upload(&$x)?;
                let mut d_y = device.upload(&noise(77, y.len()))?;
                let mut d_x = device.zeros::<f64>(x.len())?;
                let launch = || with(device.launch(&$function {}, count), options);
                launch().forward((&mut y, &x))?;
                outcome.push(("forward".to_string(), y.download()?));
                launch().adjoint((&mut y, &mut d_y, &x, &mut d_x))?;
                outcome.push(("adjoint y".to_string(), y.download()?));
                outcome.push(("adjoint d_y".to_string(), d_y.download()?));
                outcome.push(("adjoint d_x".to_string(), d_x.download()?));
                launch().inverse_adjoint((&mut y, &mut d_y, &x, &mut d_x))?;
                outcome.push(("inverse adjoint y".to_string(), y.download()?));
                outcome.push(("inverse adjoint d_x".to_string(), d_x.download()?));
                launch().inverse((&mut y, &x))?;
                outcome.push(("inverse".to_string(), y.download()?));
                launch().forward((&mut y, &x))?;
                launch().gradient((&mut y, &mut d_y, &x, &mut d_x))?;
                outcome.push(("gradient d_x".to_string(), d_x.download()?));
                Ok(outcome)
            },
        }
    };
}

mod lent;

#[reversible(gpu)]
fn own_element(i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += 0.5 * x[i] * x[i] + x[i].sin() * x[i].exp();
}

#[reversible(gpu)]
fn neighbours(i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += x[i] * x[i + 1] - x[i + 2] / x[0];
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

const SHIFT: f64 = 0.75;
const TABLE: [f64; 3] = [1.0, -2.5, 0.125];

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

/// Names that only one of the languages can have, or that the other one uses.
#[reversible(gpu)]
fn letters(i: usize, y: &mut [f64], x: &[f64]) {
    let größe = x[i] * x[i];
    let r#try = größe + 1.0;
    let (constant_0, given_1, whole_1) = (SHIFT, r#try, x[0]);
    let (A0, A1) = (constant_0 * given_1, whole_1 * größe);
    y[i] += A0 * A1;
}

pub fn cases() -> Vec<Case> {
    let mut all = vec![
        case!(own_element, 1000, noise(1, 1000), noise(2, 1000)),
        case!(neighbours, 500, noise(3, 500), positive(4, 502)),
        case!(elementary, 300, noise(5, 49 * 300), positive(6, 300)),
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
        case!(truth, 200, noise(27, 200), noise(28, 200)),
        case!(bits, 64, noise(29, 512), noise(30, 64)),
        case!(casts, 64, noise(33, 320), noise(34, 64)),
        case!(constants, 64, noise(35, 64), noise(36, 64)),
        case!(values, 64, noise(37, 64), noise(38, 70)),
        case!(letters, 64, noise(39, 64), noise(40, 64)),
        case!(narrowed, 64, noise(54, 64), noise(55, 64)),
        Case { name: "types", run: types },
        Case { name: "single precision", run: single_precision },
        Case { name: "two indices", run: two_indices },
        Case { name: "complex numbers", run: complex_numbers },
        Case { name: "rows of a Jacobian", run: rows },
    ];
    all.extend(lent::cases());
    all
}

/// A struct with a field that carries no gradient, and one of its own.
#[derive(Clone, Copy, Debug, PartialEq, Device, Differentiable)]
#[repr(C)]
struct Body<T> {
    position: [T; 3],
    mass: T,
    kind: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Device, Differentiable)]
#[repr(C)]
struct Pair(Body<f64>, f64);

#[reversible(gpu)]
fn attract(
    i: usize,
    force: &mut [[f64; 3]],
    bodies: &[Body<f64>],
    pair: &[Pair],
    g: f64,
    n: usize,
) {
    for j in 0..n {
        let mut distance: f64 = 0.0;
        #[compute]
        {
            for k in 0..3 {
                distance += (bodies[j].position[k] - bodies[i].position[k]).powi(2);
            }
        }
        let scale = g * bodies[j].mass / (distance + 0.1).sqrt() * bodies[j].kind as f64;
        for k in 0..3 {
            force[i][k] += scale * (bodies[j].position[k] - bodies[i].position[k]);
        }
    }
    force[i][0] += pair[0].1 * pair[i].0.mass;
    // Literals whose type the signature does not tell.
    let mut shift: (f64, [f64; 2]) = (0.25, [0.0; 2]);
    shift.1[0] += [0.1, g][1] * 0.3;
    force[i][1] += shift.0 * shift.1[0];
    shift.1[0] -= [0.1, g][1] * 0.3;
}

fn flat(bodies: &[Body<f64>]) -> Vec<f64> {
    bodies
        .iter()
        .flat_map(|b| [b.position[0], b.position[1], b.position[2], b.mass, f64::from(b.kind)])
        .collect()
}

fn types(device: &Device, options: Options) -> Result<Outcome, Error> {
    let n = 37;
    let values = noise(31, 5 * n);
    let bodies: Vec<Body<f64>> = values
        .chunks_exact(5)
        .map(|v| Body { position: [v[0], v[1], v[2]], mass: v[3], kind: (v[4] * 3.0) as i32 })
        .collect();
    let pairs: Vec<Pair> = bodies.iter().map(|b| Pair(*b, b.mass * 0.5)).collect();
    let zero = |b: &Body<f64>| Body { position: [0.0; 3], mass: 0.0, kind: b.kind };
    let shadows: Vec<Body<f64>> = bodies.iter().map(zero).collect();
    let pair_shadows: Vec<Pair> = bodies.iter().map(|b| Pair(zero(b), 0.0)).collect();
    let mut force = device.zeros::<[f64; 3]>(n)?;
    let (own, pair) = (device.upload(&bodies)?, device.upload(&pairs)?);
    let mut d_own = device.upload(&shadows)?;
    let mut d_pair = device.upload(&pair_shadows)?;
    let mut d_g = device.single(0.0)?;
    let seeds: Vec<[f64; 3]> =
        noise(32, 3 * n).chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
    let mut d_force = device.upload(&seeds)?;
    // The constant part of a struct keeps sums from being made in a fixed order.
    let options = Options { deterministic: false, ..options };
    let launch = || with(device.launch(&attract {}, n), options);
    launch().forward((&mut force, &own, &pair, 0.7, n))?;
    let after = force.download()?.concat();
    launch().adjoint((
        &mut force,
        &mut d_force,
        &own,
        &mut d_own,
        &pair,
        &mut d_pair,
        0.7,
        &mut d_g,
        n,
    ))?;
    let d_pairs = d_pair.download()?;
    let mut of_pairs = flat(&d_pairs.iter().map(|p| p.0).collect::<Vec<_>>());
    of_pairs.extend(d_pairs.iter().map(|p| p.1));
    Ok(vec![
        ("forward".to_string(), after),
        ("adjoint".to_string(), force.download()?.concat()),
        ("d_bodies".to_string(), flat(&d_own.download()?)),
        ("d_pair".to_string(), of_pairs),
        ("~d_g".to_string(), vec![d_g.get()?]),
    ])
}

#[reversible(gpu)]
fn blend<T: Real>(i: usize, y: &mut [T], x: &[T], w: T) {
    let mut s: T = 0.0;
    #[compute]
    {
        s += 0.1 * x[i] + w;
    }
    y[i] += s.sin() * 0.3 + x[i].powi(2) / 3.0;
    // What is made of literals alone is rounded once.
    y[i] += x[i] * std::f64::consts::PI + x[i] * (0.1 * 0.3) - 2.0_f64.sqrt();
    y[i] += T::from_f64(SHIFT * 0.1) * halved(x[i]);
}

/// Of a type that is not that of the arguments.
#[differentiable(gpu)]
fn halved<T: Real>(x: T) -> T {
    let half: T = 0.5;
    x * half + 0.1
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

fn single_precision(device: &Device, options: Options) -> Result<Outcome, Error> {
    let n = 129;
    let narrow = |values: Vec<f64>| values.iter().map(|x| *x as f32).collect::<Vec<f32>>();
    let wide = |values: Vec<f32>| values.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
    let mut y = device.upload(&narrow(noise(41, n)))?;
    let x = device.upload(&narrow(noise(42, n)))?;
    let mut d_y = device.upload(&narrow(noise(43, n)))?;
    let mut d_x = device.zeros::<f32>(n)?;
    let mut d_w = device.single(0.0_f32)?;
    let launch = || with(device.launch(&blend {}, n), options);
    launch().forward((&mut y, &x, 0.3_f32))?;
    let forward = wide(y.download()?);
    launch().adjoint((&mut y, &mut d_y, &x, &mut d_x, 0.3_f32, &mut d_w))?;
    Ok(vec![
        ("forward".to_string(), forward),
        ("adjoint".to_string(), wide(y.download()?)),
        ("d_x".to_string(), wide(d_x.download()?)),
        ("~d_w".to_string(), vec![f64::from(d_w.get()?)]),
    ])
}

#[reversible(gpu)]
fn stencil(at: (usize, usize), next: &mut [f64], now: &[f64], width: usize, c: f64) {
    let k = (at.0 + 1) * width + at.1 + 1;
    next[k] += c * (now[k - 1] + now[k + 1] + now[k - width] + now[k + width] - 4.0 * now[k]);
}

fn two_indices(device: &Device, options: Options) -> Result<Outcome, Error> {
    let (height, width) = (40, 53);
    let now = device.upload(&noise(51, height * width))?;
    let mut next = device.upload(&noise(52, height * width))?;
    let mut d_next = device.upload(&noise(53, height * width))?;
    let mut d_now = device.zeros::<f64>(height * width)?;
    let mut d_c = device.single(0.0)?;
    let launch = || with(device.launch(&stencil {}, (height - 2, width - 2)), options);
    launch().forward((&mut next, &now, width, 0.2))?;
    let forward = next.download()?;
    launch().adjoint((&mut next, &mut d_next, &now, &mut d_now, width, 0.2, &mut d_c))?;
    Ok(vec![
        ("forward".to_string(), forward),
        ("adjoint".to_string(), next.download()?),
        ("d_now".to_string(), d_now.download()?),
        ("~d_c".to_string(), vec![d_c.get()?]),
    ])
}

#[reversible(gpu)]
fn multiply(i: usize, y: &mut [Complex<f64>], x: &[Complex<f64>], z: &[Complex<f64>]) {
    y[i] += x[i] * z[0] + x[i] / z[1] - z[0];
}

fn complex_numbers(device: &Device, options: Options) -> Result<Outcome, Error> {
    let n = 65;
    let complex = |values: Vec<f64>| -> Vec<Complex<f64>> {
        values.chunks_exact(2).map(|v| Complex::new(v[0], v[1])).collect()
    };
    let real = |values: Vec<Complex<f64>>| -> Vec<f64> {
        values.iter().flat_map(|z| [z.re, z.im]).collect()
    };
    let mut y = device.upload(&complex(noise(61, 2 * n)))?;
    let x = device.upload(&complex(noise(62, 2 * n)))?;
    let z = device.upload(&complex(noise(63, 4)))?;
    let mut d_y = device.upload(&complex(noise(64, 2 * n)))?;
    let mut d_x = device.zeros::<Complex<f64>>(n)?;
    let mut d_z = device.zeros::<Complex<f64>>(2)?;
    let launch = || with(device.launch(&multiply {}, n), options);
    launch().forward((&mut y, &x, &z))?;
    let forward = real(y.download()?);
    launch().adjoint((&mut y, &mut d_y, &x, &mut d_x, &z, &mut d_z))?;
    Ok(vec![
        ("forward".to_string(), forward),
        ("adjoint".to_string(), real(y.download()?)),
        ("d_x".to_string(), real(d_x.download()?)),
        ("d_z".to_string(), real(d_z.download()?)),
    ])
}

#[reversible(gpu)]
fn spiral(i: usize, y: &mut [[f64; 2]], x: &[[f64; 3]], w: &[f64], of: &[u32]) {
    let k = of[i] as usize;
    y[i][0] += x[k][0] * x[k][1].cos() * w[i];
    y[i][1] += x[k][0] * x[k][1].sin() + x[k][2] / w[i];
}

fn rows(device: &Device, options: Options) -> Result<Outcome, Error> {
    let (n, m) = (83, 7);
    let x: Vec<[f64; 3]> = noise(71, 3 * m).chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
    let x = device.upload(&x)?;
    let w = device.upload(&positive(72, n))?;
    let of: Vec<u32> = (0..n as u32).map(|i| (i * 5) % m as u32).collect();
    let of = device.upload(&of)?;
    let mut y = device.zeros::<[f64; 2]>(n)?;
    let (mut of_x, mut of_w) = (device.zeros::<[f64; 3]>(2 * n)?, device.zeros::<f64>(2 * n)?);
    let options = Options { deterministic: false, ..options };
    with(device.launch(&spiral {}, n), options).jacobian((
        &mut y,
        Basis::of(n),
        &x,
        Rows::new(&mut of_x, m),
        &w,
        Rows::new(&mut of_w, n),
        &of,
    ))?;
    Ok(vec![
        ("rows of x".to_string(), of_x.download()?.concat()),
        ("rows of w".to_string(), of_w.download()?),
        ("y".to_string(), y.download()?.concat()),
    ])
}
