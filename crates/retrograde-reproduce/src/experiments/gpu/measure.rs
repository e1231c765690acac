//! What is measured on a graphics processor.

use crate::experiment::Context;
use retrograde::prelude::*;
use retrograde::schedule::{Run, Schedule};
use retrograde_examples::bundle_adjustment::Scene;
use retrograde_examples::gpu::{
    Bodies, GroundOn, SceneOn, WaveStep, bessel_of_each, displace, turn_pair,
};
use retrograde_examples::wave::{Survey, ricker};
use retrograde_gpu::{ByHand, Device, Error, Value};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// All that was measured; times in milliseconds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    /// The processor.
    pub device: String,
    /// The Jacobian of bundle adjustment.
    pub bundle: Vec<Bundle>,
    /// Kernels, forward and with their adjoints.
    pub kernels: Vec<Kernel>,
    /// The gradient of a long simulation.
    pub wave: Option<Wave>,
    /// Bodies that pull at each other.
    pub bodies: Option<Simulation>,
    /// What a launch costs, in microseconds.
    pub launch: f64,
    /// What the first launch of a kernel costs, with its compiling.
    pub compile: f64,
}

/// The Jacobian of one size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bundle {
    pub observations: usize,
    pub generated: f64,
    pub by_hand: f64,
    /// One core of the processor of the same machine.
    pub cpu: Option<f64>,
    /// The largest difference from the kernel by hand, relative to the largest number.
    pub error: f64,
}

/// A kernel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kernel {
    pub name: String,
    /// Bytes that must be moved for an index, forward and by the adjoint.
    pub bytes: [f64; 2],
    /// Operations on numbers for an index, forward.
    pub operations: f64,
    pub indices: usize,
    pub forward: f64,
    pub adjoint: f64,
}

/// The gradient of a wave.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wave {
    pub width: usize,
    pub steps: usize,
    pub forward_calls: u64,
    pub step: f64,
    pub adjoint: f64,
    pub gradient: f64,
}

/// Steps, and their gradient.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Simulation {
    pub bodies: usize,
    pub steps: usize,
    pub forward: f64,
    pub gradient: f64,
    /// How far the places are from where they began, after the way back.
    pub back: f64,
}

#[reversible(gpu)]
fn multiply_add(i: usize, y: &mut [f64], x: &[f64], z: &[f64]) {
    y[i] += x[i] * z[i];
}

#[reversible(gpu)]
fn wavy(i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += x[i].sin() * (-0.5 * x[i] * x[i]).exp();
}

/// The median time of a launch, after two that do not count.
fn timed(device: &Device, mut work: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    for _ in 0..2 {
        work()?;
    }
    device.synchronize()?;
    let mut times = Vec::new();
    for _ in 0..15 {
        times.push(device.timed(&mut work)?);
    }
    Ok(median(&mut times))
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Measures everything.
pub fn all(device: &Device, context: &Context) -> Result<Measured, Error> {
    context.ahead(5);
    let mut measured = Measured { device: device.name(), ..Measured::default() };
    (measured.launch, measured.compile) = launching(device)?;
    context.next("kernels");
    measured.kernels = kernels(device)?;
    context.next("bundle adjustment");
    measured.bundle = bundle(device, context)?;
    context.next("bodies");
    measured.bodies = Some(bodies(device, context)?);
    context.next("wave");
    measured.wave = Some(wave(device, context)?);
    context.next("done");
    Ok(measured)
}

fn launching(device: &Device) -> Result<(f64, f64), Error> {
    let x = device.upload(&[1.0; 32])?;
    let mut y = device.zeros(32)?;
    let start = Instant::now();
    device.launch(&wavy {}, 32).forward((&mut y, &x))?;
    device.synchronize()?;
    let compile = start.elapsed().as_secs_f64() * 1e3;
    let count = 10_000;
    let start = Instant::now();
    for _ in 0..count {
        device.launch(&wavy {}, 32).forward((&mut y, &x))?;
    }
    let launch = start.elapsed().as_secs_f64() * 1e6 / f64::from(count);
    device.synchronize()?;
    Ok((launch, compile))
}

fn kernels(device: &Device) -> Result<Vec<Kernel>, Error> {
    let mut kernels = Vec::new();
    let n = 1 << 24;
    let values: Vec<f64> = (0..n).map(|i| 0.5 + (i % 1000) as f64 * 1e-3).collect();
    let (x, z) = (device.upload(&values)?, device.upload(&values)?);
    let (mut y, mut d_y) = (device.zeros(n)?, device.upload(&values)?);
    let (mut d_x, mut d_z) = (device.zeros(n)?, device.zeros(n)?);
    let forward = timed(device, || device.launch(&multiply_add {}, n).forward((&mut y, &x, &z)))?;
    let adjoint = timed(device, || {
        let launch = device.launch(&multiply_add {}, n);
        launch.adjoint((&mut y, &mut d_y, &x, &mut d_x, &z, &mut d_z))
    })?;
    let name = "multiply and add".to_string();
    let (bytes, operations) = ([32.0, 72.0], 2.0);
    kernels.push(Kernel { name, bytes, operations, indices: n, forward, adjoint });

    let forward = timed(device, || device.launch(&wavy {}, n).forward((&mut y, &x)))?;
    let adjoint =
        timed(device, || device.launch(&wavy {}, n).adjoint((&mut y, &mut d_y, &x, &mut d_x)))?;
    let name = "sine in an envelope".to_string();
    let (bytes, operations) = ([24.0, 48.0], 80.0);
    kernels.push(Kernel { name, bytes, operations, indices: n, forward, adjoint });

    let m = 1 << 17;
    let forward =
        timed(device, || device.launch(&bessel_of_each {}, m).forward((&mut y, &x, 2_u32, 1e-8)))?;
    let adjoint = timed(device, || {
        let launch = device.launch(&bessel_of_each {}, m);
        launch.adjoint((&mut y, &mut d_y, &x, &mut d_x, 2_u32, 1e-8))
    })?;
    let name = "Bessel’s function".to_string();
    let (bytes, operations) = ([24.0, 48.0], 100.0);
    kernels.push(Kernel { name, bytes, operations, indices: m, forward, adjoint });

    // 512 numbers, 32768 vectors.
    let (pairs, batch) = (256, 1 << 15);
    let angles: Vec<f64> = (0..pairs).map(|k| 0.01 * k as f64).collect();
    let angles = device.upload(&angles)?;
    let mut d_angles = device.zeros(pairs)?;
    let forward = timed(device, || {
        let launch = device.launch(&turn_pair {}, (pairs, batch));
        launch.forward((&mut y, &angles, batch, 0_usize))
    })?;
    let adjoint = timed(device, || {
        let launch = device.launch(&turn_pair {}, (pairs, batch));
        launch.adjoint((&mut y, &mut d_y, &angles, &mut d_angles, batch, 0_usize))
    })?;
    let name = "a layer of rotations".to_string();
    let (bytes, operations) = ([32.0, 64.0], 6.0);
    kernels.push(Kernel { name, bytes, operations, indices: pairs * batch, forward, adjoint });
    kernels.push(stencil(device)?);
    Ok(kernels)
}

/// The displacement of a wave, without what a step does beside it.
fn stencil(device: &Device) -> Result<Kernel, Error> {
    let survey = Survey::new(1000, 0.01, Vec::new(), 1);
    let step = WaveStep::new(device, &survey)?;
    let (now, mut next) = (step.silence()?, step.silence()?);
    let (mut d_now, mut d_next) = (step.silence()?, step.silence()?);
    let speed = device.upload(&survey.ground(1000.0, Vec::new()).speed)?;
    let mut d_speed = device.zeros(speed.len())?;
    let (sizes, inside) = (Value(step.sizes), (1000, 1000));
    let forward = timed(device, || {
        device.launch(&displace {}, inside).forward((
            &mut next.now,
            &now.now,
            &now.before,
            &now.phi,
            &now.psi,
            &speed,
            &step.damping,
            sizes,
        ))
    })?;
    let adjoint = timed(device, || {
        device.launch(&displace {}, inside).own("before").own("speed").adjoint((
            &mut next.now,
            &mut d_next.now,
            &now.now,
            &mut d_now.now,
            &now.before,
            &mut d_now.before,
            &now.phi,
            &mut d_now.phi,
            &now.psi,
            &mut d_now.psi,
            &speed,
            &mut d_speed,
            &step.damping,
            sizes,
        ))
    })?;
    let name = "displacement of a wave, 1000 × 1000".to_string();
    let (bytes, operations, indices) = ([56.0, 136.0], 30.0, 1_000_000);
    Ok(Kernel { name, bytes, operations, indices, forward, adjoint })
}

fn bundle(device: &Device, context: &Context) -> Result<Vec<Bundle>, Error> {
    let by_hand = ByHand::new(device, "bundle_by_hand", include_str!("bundle_by_hand.cu"))?;
    let mut all = Vec::new();
    let sizes = super::super::bundle_adjustment::counts();
    for [cameras, points, observations] in sizes {
        if observations > context.pick(1_000_000, usize::MAX) {
            continue;
        }
        let scene = Scene::of_copies(cameras, points, observations);
        let mut there = SceneOn::new(device, &scene)?;
        let mut jacobian = there.room(device)?;
        let generated = timed(device, || there.jacobian(device, &mut jacobian))?;
        let found = jacobian.of_cameras.download()?;
        let SceneOn { cameras, points, weights, seen, camera_of, point_of, .. } = &there;
        let blocks = observations.div_ceil(128) as u32;
        let hand = timed(device, || {
            by_hand.launch(
                blocks,
                128,
                (
                    &mut jacobian.of_cameras,
                    &mut jacobian.of_points,
                    &mut jacobian.of_weights,
                    cameras,
                    points,
                    weights,
                    seen,
                    camera_of,
                    point_of,
                ),
            )
        })?;
        let expected = jacobian.of_cameras.download()?;
        let scale = expected[0].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let pairs = found.iter().flatten().zip(expected.iter().flatten());
        let error = pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / scale;
        let mut rows = vec![[[0.0; 15]; 2]; observations];
        let mut of_weights = vec![0.0; observations];
        scene.jacobian(&mut rows, &mut of_weights);
        let mut times: Vec<f64> = (0..3)
            .map(|_| {
                let start = Instant::now();
                scene.jacobian(&mut rows, &mut of_weights);
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        let cpu = Some(median(&mut times));
        all.push(Bundle { observations, generated, by_hand: hand, cpu, error });
    }
    Ok(all)
}

fn bodies(device: &Device, context: &Context) -> Result<Simulation, Error> {
    let (count, steps) = context.pick((1024, 10), (8192, 100));
    // A ball of bodies, by the golden angle.
    let place = |i: usize| {
        let (t, k) = ((i as f64 + 0.5) / count as f64, i as f64 * 2.399963229728653);
        let (z, r) = (1.0 - 2.0 * t, (1.0 - (1.0 - 2.0 * t).powi(2)).sqrt());
        let size = 0.5 + 0.5 * ((i * 7919) % count) as f64 / count as f64;
        [size * r * k.cos(), size * r * k.sin(), size * z]
    };
    let places: Vec<[f64; 3]> = (0..count).map(place).collect();
    let mut all = Bodies {
        x: device.upload(&places)?,
        v: device.zeros(count)?,
        mass: device.upload(&vec![1.0 / count as f64; count])?,
        dt: 1e-3,
        soft: 1e-4,
    };
    let mut d_x = device.zeros(count)?;
    let (mut d_v, mut d_mass) = (device.zeros(count)?, device.zeros(count)?);
    // Compiled before the time is taken.
    all.run(device, 1)?;
    all.run_back(device, 1, &mut d_x, &mut d_v, &mut d_mass)?;
    all.x.write(&places)?;
    all.v.clear()?;
    d_x.write(&vec![[1.0, 0.0, 0.0]; count])?;
    let forward = device.timed(|| all.run(device, steps))?;
    let gradient = device.timed(|| all.run_back(device, steps, &mut d_x, &mut d_v, &mut d_mass))?;
    let back = all.x.download()?;
    let back = back.iter().flatten().zip(places.iter().flatten());
    let back = back.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    Ok(Simulation { bodies: count, steps, forward, gradient, back })
}

fn wave(device: &Device, context: &Context) -> Result<Wave, Error> {
    let (n, steps) = context.pick((200, 200), (1000, 10_000));
    let survey = Survey::new(n, 0.01, Vec::new(), steps);
    let ground = survey.ground(1000.0, ricker(steps, 100.0, 500.0));
    let ground =
        GroundOn { speed: device.upload(&ground.speed)?, source: device.upload(&ground.source)? };
    let step = WaveStep::new(device, &survey)?;
    let (mut now, mut next) = (step.silence()?, step.silence()?);
    let one = timed(device, || {
        next.set_zero_like(&now);
        step.try_forward(&mut next, &now, &ground, 7)
    })?;
    let (mut d_now, mut d_next) = (step.silence()?, step.silence()?);
    let mut d_ground = ground.zero_like();
    let adjoint = timed(device, || {
        step.try_adjoint(&mut next, &mut d_next, &now, &mut d_now, &ground, &mut d_ground, 7)
    })?;
    now.set_zero_like(&next);
    let place = survey.source + 20;
    let run = Run::new(step, steps, Schedule::Treeverse { checkpoints: 20 });
    let mut calls = 0;
    let gradient = device.timed(|| {
        let at = run.gradient(&now, &ground, |_, d_end| {
            let mut one = vec![0.0; survey.width * survey.width];
            one[place] = 1.0;
            d_end.now.write(&one).unwrap_or_else(|error| panic!("{error}"));
        });
        calls = at.report.forward as u64;
        Ok(())
    })?;
    Ok(Wave { width: n, steps, forward_calls: calls, step: one, adjoint, gradient })
}
