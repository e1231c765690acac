//! Structs, single precision, and complex numbers.

use super::{Case, Options, Outcome, SHIFT, noise, with};
use retrograde::prelude::*;
use retrograde_gpu::{Device, Error};

pub fn cases() -> Vec<Case> {
    vec![
        Case { name: "types", run: types },
        Case { name: "single precision", run: single_precision },
        Case { name: "complex numbers", run: complex_numbers },
    ]
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
    y[i] += x[i] * std::f64::consts::PI + x[i] * (0.1 * 0.3) - std::f64::consts::SQRT_2;
    y[i] += T::from_f64(SHIFT * 0.1) * halved(x[i]);
}

/// Of a type that is not that of the arguments.
#[differentiable(gpu)]
fn halved<T: Real>(x: T) -> T {
    let half: T = 0.5;
    x * half + 0.1
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
