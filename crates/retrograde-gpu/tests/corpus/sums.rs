//! What many indices add to: numbers that are one for all, and shadows of what neighbours read.

use super::{Case, Options, Outcome, noise, with};
use retrograde::prelude::*;
use retrograde_gpu::{Device, Error};

pub fn cases() -> Vec<Case> {
    vec![
        Case { name: "a sum over all indices", run: one_loss },
        Case { name: "sums in an array and a complex number", run: moments },
        Case { name: "counts", run: counts },
        Case { name: "neighbours that are read in place", run: red_and_black },
        Case { name: "kernels of one text", run: of_one_text },
    ]
}

#[reversible(gpu)]
fn add_square(y: &mut f64, x: &f64) {
    *y += *x * *x;
}

#[reversible(gpu)]
pub fn loss(i: usize, y: &mut f64, x: &[f64]) {
    add_square(y, &x[i]);
    *y -= 0.5 * x[i];
}

fn one_loss(device: &Device, options: Options) -> Result<Outcome, Error> {
    let x = device.upload(&noise(101, 300))?;
    let (mut y, mut d_y) = (device.single(0.25)?, device.single(2.0)?);
    let mut d_x = device.zeros::<f64>(300)?;
    let launch = || with(device.launch(&loss {}, 300), options);
    launch().forward((&mut y, &x))?;
    let forward = y.get()?;
    launch().adjoint((&mut y, &mut d_y, &x, &mut d_x))?;
    let adjoint = (y.get()?, d_x.download()?);
    launch().inverse_adjoint((&mut y, &mut d_y, &x, &mut d_x))?;
    let undone = (y.get()?, d_x.download()?);
    launch().gradient((&mut y, &mut d_y, &x, &mut d_x))?;
    launch().inverse((&mut y, &x))?;
    Ok(vec![
        ("~forward".to_string(), vec![forward]),
        ("~adjoint y".to_string(), vec![adjoint.0]),
        ("adjoint d_x".to_string(), adjoint.1),
        ("~inverse adjoint y".to_string(), vec![undone.0]),
        ("inverse adjoint d_x".to_string(), undone.1),
        ("gradient d_x".to_string(), d_x.download()?),
        ("gradient d_y".to_string(), vec![d_y.get()?]),
    ])
}

#[reversible(gpu)]
fn powers(i: usize, y: &mut [f64; 3], z: &mut Complex<f64>, x: &[f64]) {
    for k in 0..3 {
        y[k] += x[i].powi(k as i32 + 1);
    }
    *z += Complex::new(x[i], 2.0 * x[i]);
}

fn moments(device: &Device, options: Options) -> Result<Outcome, Error> {
    let x = device.upload(&noise(102, 100))?;
    let (mut y, mut d_y) = (device.single([0.5; 3])?, device.single([1.0, -0.5, 0.25])?);
    let mut z = device.single(Complex::new(1.0, 2.0))?;
    let mut d_z = device.single(Complex::new(0.5, -1.0))?;
    let mut d_x = device.zeros::<f64>(100)?;
    let launch = || with(device.launch(&powers {}, 100), options);
    launch().forward((&mut y, &mut z, &x))?;
    let (first, second) = (y.get()?, z.get()?);
    launch().adjoint((&mut y, &mut d_y, &mut z, &mut d_z, &x, &mut d_x))?;
    Ok(vec![
        ("~y".to_string(), first.to_vec()),
        ("~z".to_string(), vec![second.re, second.im]),
        ("d_x".to_string(), d_x.download()?),
        ("d_y".to_string(), d_y.get()?.to_vec()),
    ])
}

#[reversible(gpu)]
fn above(i: usize, n: &mut u32, x: &[f64], #[constant] limit: f64) {
    if x[i] > limit {
        *n += 1;
    }
}

fn counts(device: &Device, options: Options) -> Result<Outcome, Error> {
    let x = device.upload(&noise(103, 700))?;
    let mut n = device.single(5_u32)?;
    // A sum of integers is the same in any order.
    let options = Options { deterministic: false, ..options };
    with(device.launch(&above {}, 700), options).forward((&mut n, &x, 0.5))?;
    let there = n.get()?;
    with(device.launch(&above {}, 700), options).inverse((&mut n, &x, 0.5))?;
    Ok(vec![("there and back".to_string(), vec![f64::from(there), f64::from(n.get()?)])])
}

/// The even elements are relaxed by the odd ones, which nobody writes meanwhile; going back,
/// two of the even ones add to the gradient of each odd one.
#[reversible(gpu)]
fn relax(i: usize, u: &mut [f64]) {
    let k = 2 * i + 2;
    u[k] += 0.25 * (u[k - 1] + u[k + 1]);
}

fn red_and_black(device: &Device, options: Options) -> Result<Outcome, Error> {
    let mut u = device.upload(&noise(104, 65))?;
    let mut d_u = device.upload(&noise(105, 65))?;
    let launch = || with(device.launch(&relax {}, 31), options);
    launch().forward((&mut u,))?;
    let forward = u.download()?;
    launch().adjoint((&mut u, &mut d_u))?;
    Ok(vec![
        ("forward".to_string(), forward),
        ("adjoint u".to_string(), u.download()?),
        ("~adjoint d_u".to_string(), d_u.download()?),
    ])
}

macro_rules! scaled_by {
    ($device:ident, $options:ident, $factor:expr, $y:ident, $x:ident) => {{
        const FACTOR: f64 = $factor;
        #[reversible(gpu)]
        fn scaled(i: usize, y: &mut [f64], x: &[f64]) {
            y[i] += FACTOR * x[i];
        }
        with($device.launch(&scaled {}, 4), $options).forward((&mut $y, &$x))?;
    }};
}

/// The constants and callees that a name means are others in each of these blocks.
fn of_one_text(device: &Device, options: Options) -> Result<Outcome, Error> {
    let x = device.upload(&[1.0, 2.0, 3.0, 4.0])?;
    let mut y = device.zeros::<f64>(4)?;
    scaled_by!(device, options, 2.0, y, x);
    scaled_by!(device, options, 30.0, y, x);
    let first = y.download()?;
    {
        #[differentiable(gpu)]
        fn of(x: f64) -> f64 {
            x + 1.0
        }
        #[reversible(gpu)]
        fn add(i: usize, y: &mut [f64], x: &[f64]) {
            y[i] += of(x[i]);
        }
        with(device.launch(&add {}, 4), options).forward((&mut y, &x))?;
    }
    {
        #[differentiable(gpu)]
        fn of(x: f64) -> f64 {
            x * 100.0
        }
        #[reversible(gpu)]
        fn add(i: usize, y: &mut [f64], x: &[f64]) {
            y[i] += of(x[i]);
        }
        with(device.launch(&add {}, 4), options).forward((&mut y, &x))?;
    }
    Ok(vec![("first".to_string(), first), ("then".to_string(), y.download()?)])
}
