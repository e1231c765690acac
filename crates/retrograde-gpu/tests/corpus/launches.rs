//! Launches over two indices, and for the rows of a Jacobian.

use super::{Case, Options, Outcome, noise, positive, with};
use retrograde::prelude::*;
use retrograde_gpu::{Basis, Device, Error, Rows};

pub fn cases() -> Vec<Case> {
    vec![
        Case { name: "two indices", run: two_indices },
        Case { name: "rows of a Jacobian", run: rows },
    ]
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
