//! Five programs on a graphics processor: the functions are those of the other examples, and
//! what is added to run them there is a word in their attributes, a function of an index,
//! and a launch.
//!
//! `cargo run --release --example gpu`: on an NVIDIA processor, or on this machine's own,
//! where there is none.

use retrograde::prelude::*;
use retrograde::schedule::{Run, Schedule, Step};
use retrograde_examples::bessel::bessel_by_quotients;
use retrograde_examples::bundle_adjustment::{Camera, Scene, reprojection};
use retrograde_examples::wave::{Survey, ricker};
use retrograde_gpu::{Basis, Buffer, Device, Error, Rows, Value};

/// Adds the error of an observation.
#[reversible(gpu)]
#[allow(clippy::too_many_arguments)]
pub fn observe(
    i: usize,
    errors: &mut [[f64; 2]],
    cameras: &[Camera<f64>],
    points: &[[f64; 3]],
    weights: &[f64],
    #[constant] seen: &[[f64; 2]],
    camera_of: &[u32],
    point_of: &[u32],
) {
    let (c, p) = (camera_of[i] as usize, point_of[i] as usize);
    reprojection(&mut errors[i], &cameras[c], &points[p], &weights[i], &seen[i]);
}

/// A scene in the memory of a device.
#[allow(missing_docs)]
pub struct SceneOn {
    pub errors: Buffer<[f64; 2]>,
    pub cameras: Buffer<Camera<f64>>,
    pub points: Buffer<[f64; 3]>,
    pub weights: Buffer<f64>,
    pub seen: Buffer<[f64; 2]>,
    pub camera_of: Buffer<u32>,
    pub point_of: Buffer<u32>,
}

/// What of a Jacobian is not zero: two rows for an observation, with respect to the camera,
/// the point and the weight.
#[allow(missing_docs)]
pub struct Jacobian {
    pub of_cameras: Buffer<Camera<f64>>,
    pub of_points: Buffer<[f64; 3]>,
    pub of_weights: Buffer<f64>,
}

impl SceneOn {
    /// Copies a scene to a device.
    pub fn new(device: &Device, scene: &Scene) -> Result<Self, Error> {
        let all = &scene.observations;
        Ok(SceneOn {
            errors: device.zeros(all.len())?,
            cameras: device.upload(&scene.cameras)?,
            points: device.upload(&scene.points)?,
            weights: device.upload(&all.iter().map(|o| o.weight).collect::<Vec<_>>())?,
            seen: device.upload(&all.iter().map(|o| o.seen).collect::<Vec<_>>())?,
            camera_of: device.upload(&all.iter().map(|o| o.camera as u32).collect::<Vec<_>>())?,
            point_of: device.upload(&all.iter().map(|o| o.point as u32).collect::<Vec<_>>())?,
        })
    }

    /// Room for its Jacobian.
    pub fn room(&self, device: &Device) -> Result<Jacobian, Error> {
        let rows = 2 * self.errors.len();
        Ok(Jacobian {
            of_cameras: device.zeros(rows)?,
            of_points: device.zeros(rows)?,
            of_weights: device.zeros(rows)?,
        })
    }

    /// Adds the errors of all observations.
    pub fn observe(&mut self, device: &Device) -> Result<(), Error> {
        let SceneOn { errors, cameras, points, weights, seen, camera_of, point_of } = self;
        let count = errors.len();
        device.launch(&observe {}, count).forward((
            errors,
            &*cameras,
            &*points,
            &*weights,
            &*seen,
            &*camera_of,
            &*point_of,
        ))
    }

    /// Their Jacobian.
    pub fn jacobian(&mut self, device: &Device, of: &mut Jacobian) -> Result<(), Error> {
        let SceneOn { errors, cameras, points, weights, seen, camera_of, point_of } = self;
        let (count, m, n) = (errors.len(), cameras.len(), points.len());
        device.launch(&observe {}, count).jacobian((
            errors,
            Basis::of(count),
            &*cameras,
            Rows::new(&mut of.of_cameras, m),
            &*points,
            Rows::new(&mut of.of_points, n),
            &*weights,
            Rows::new(&mut of.of_weights, count),
            &*seen,
            &*camera_of,
            &*point_of,
        ))
    }
}

/// Adds Bessel's function of a number.
#[reversible(gpu)]
pub fn bessel_of_each(i: usize, y: &mut [f64], z: &[f64], n: u32, #[constant] tolerance: f64) {
    bessel_by_quotients(&mut y[i], n, &z[i], tolerance);
}

/// Turns a pair of neighbours in every vector of a batch, by an angle that is the same for
/// all vectors: a layer of rotations, which is its own memory.
///
/// The batch is held number by number, so that vectors beside each other are read together.
#[reversible(gpu)]
pub fn turn_pair(at: (usize, usize), x: &mut [f64], angles: &[f64], batch: usize, first: usize) {
    let k = (2 * at.0 + first) * batch + at.1;
    rot(&mut x[k], &mut x[k + batch], &angles[at.0]);
}

/// Bodies pull at each other: adds to the velocity of one what all others do to it.
#[reversible(gpu)]
pub fn kick(
    i: usize,
    v: &mut [[f64; 3]],
    x: &[[f64; 3]],
    mass: &[f64],
    #[constant] dt: f64,
    #[constant] soft: f64,
) {
    let here = [x[i][0], x[i][1], x[i][2]];
    for j in 0..mass.len() {
        let (a, b, c) = (x[j][0] - here[0], x[j][1] - here[1], x[j][2] - here[2]);
        let square = a * a + b * b + c * c + soft;
        let pull = dt * mass[j] / (square * square.sqrt());
        v[i][0] += pull * a;
        v[i][1] += pull * b;
        v[i][2] += pull * c;
    }
}

/// Moves a body by its velocity.
#[reversible(gpu)]
pub fn drift(i: usize, x: &mut [[f64; 3]], v: &[[f64; 3]], #[constant] dt: f64) {
    for d in 0..3 {
        x[i][d] += dt * v[i][d];
    }
}

/// Bodies in the memory of a device.
#[allow(missing_docs)]
pub struct Bodies {
    pub x: Buffer<[f64; 3]>,
    pub v: Buffer<[f64; 3]>,
    pub mass: Buffer<f64>,
    pub dt: f64,
    pub soft: f64,
}

impl Bodies {
    /// So many steps of the leapfrog.
    pub fn run(&mut self, device: &Device, steps: usize) -> Result<(), Error> {
        let n = self.mass.len();
        let Bodies { x, v, mass, dt, soft } = self;
        for _ in 0..steps {
            device.launch(&drift {}, n).forward((&mut *x, &*v, *dt / 2.0))?;
            device.launch(&kick {}, n).forward((&mut *v, &*x, &*mass, *dt, *soft))?;
            device.launch(&drift {}, n).forward((&mut *x, &*v, *dt / 2.0))?;
        }
        Ok(())
    }

    /// The steps undone, with the gradient: nothing was stored on the way.
    pub fn run_back(
        &mut self,
        device: &Device,
        steps: usize,
        d_x: &mut Buffer<[f64; 3]>,
        d_v: &mut Buffer<[f64; 3]>,
        d_mass: &mut Buffer<f64>,
    ) -> Result<(), Error> {
        let n = self.mass.len();
        let Bodies { x, v, mass, dt, soft } = self;
        for _ in 0..steps {
            let half = *dt / 2.0;
            device.launch(&drift {}, n).adjoint((&mut *x, &mut *d_x, &*v, &mut *d_v, half))?;
            device.launch(&kick {}, n).adjoint((
                &mut *v,
                &mut *d_v,
                &*x,
                &mut *d_x,
                &*mass,
                &mut *d_mass,
                *dt,
                *soft,
            ))?;
            device.launch(&drift {}, n).adjoint((&mut *x, &mut *d_x, &*v, &mut *d_v, half))?;
        }
        Ok(())
    }
}

/// The sizes of a simulation of waves, and the step that is taken.
#[derive(Clone, Copy, Debug, Device)]
#[repr(C)]
#[allow(missing_docs)]
pub struct Sizes {
    pub width: usize,
    pub source: usize,
    pub t: usize,
    pub spacing: f64,
    pub dt: f64,
}

/// Adds the displacement after the next step, at a place inside of the border.
#[reversible(gpu)]
#[allow(clippy::too_many_arguments)]
pub fn displace(
    at: (usize, usize),
    next: &mut [f64],
    u: &[f64],
    before: &[f64],
    phi: &[f64],
    psi: &[f64],
    speed: &[f64],
    #[constant] damping: &[f64],
    #[constant] sizes: Sizes,
) {
    let (w, h, dt) = (sizes.width, sizes.spacing, sizes.dt);
    let (i, j) = (at.0 + 1, at.1 + 1);
    let k = i * w + j;
    let (sigma, tau) = (damping[i], damping[j]);
    let drag = (sigma + tau) * dt / 2.0;
    let share = (dt / h).powi(2);
    let pull = dt * dt / (2.0 * h);
    let bend = u[k - w] + u[k - 1] + u[k + 1] + u[k + w] - 4.0 * u[k];
    let layers = phi[k + w] - phi[k - w] + psi[k + 1] - psi[k - 1];
    let moved = (2.0 - sigma * tau * dt * dt) * u[k] - (1.0 - drag) * before[k];
    next[k] += (moved + share * speed[k] * bend + pull * layers) / (1.0 + drag);
}

/// Adds what the source does, at its place.
#[reversible(gpu)]
pub fn shake(i: usize, next: &mut [f64], source: &[f64], #[constant] sizes: Sizes) {
    next[i + sizes.source] += source[sizes.t] * sizes.dt * sizes.dt;
}

/// Adds what the layers remember next.
#[reversible(gpu)]
#[allow(clippy::too_many_arguments)]
pub fn absorb(
    at: (usize, usize),
    next_phi: &mut [f64],
    next_psi: &mut [f64],
    u: &[f64],
    phi: &[f64],
    psi: &[f64],
    speed: &[f64],
    #[constant] damping: &[f64],
    #[constant] sizes: Sizes,
) {
    let (w, dt) = (sizes.width, sizes.dt);
    let (i, j) = (at.0 + 1, at.1 + 1);
    let k = i * w + j;
    let (sigma, tau) = (damping[i], damping[j]);
    let turn = dt / (2.0 * sizes.spacing) * (tau - sigma) * speed[k];
    next_phi[k] += (1.0 - dt * sigma) * phi[k] + turn * (u[k + w] - u[k - w]);
    next_psi[k] += (1.0 - dt * tau) * psi[k] - turn * (u[k + 1] - u[k - 1]);
}

/// The wave at a time, in the memory of a device.
#[derive(Clone, Debug, Differentiable)]
#[allow(missing_docs)]
pub struct WaveOn {
    pub before: Buffer<f64>,
    pub now: Buffer<f64>,
    pub phi: Buffer<f64>,
    pub psi: Buffer<f64>,
}

/// What the gradient is taken of.
#[derive(Clone, Debug, Differentiable)]
#[allow(missing_docs)]
pub struct GroundOn {
    pub speed: Buffer<f64>,
    pub source: Buffer<f64>,
}

/// A step on a device.
#[allow(missing_docs)]
pub struct WaveStep {
    pub device: Device,
    pub damping: Buffer<f64>,
    pub sizes: Sizes,
}

impl WaveStep {
    /// The step of a survey.
    pub fn new(device: &Device, survey: &Survey) -> Result<Self, Error> {
        let Survey { width, spacing, dt, source, .. } = *survey;
        let sizes = Sizes { width, source, t: 0, spacing, dt };
        let damping = device.upload(&survey.damping)?;
        Ok(WaveStep { device: device.clone(), damping, sizes })
    }

    /// Silence.
    pub fn silence(&self) -> Result<WaveOn, Error> {
        let n = self.sizes.width * self.sizes.width;
        let zeros = || self.device.zeros(n);
        Ok(WaveOn { before: zeros()?, now: zeros()?, phi: zeros()?, psi: zeros()? })
    }

    fn at(&self, t: usize) -> (Value<Sizes>, (usize, usize)) {
        let inside = self.sizes.width - 2;
        (Value(Sizes { t, ..self.sizes }), (inside, inside))
    }

    /// Makes the state after `now`, in `next`, which holds zeros.
    pub fn try_forward(
        &self,
        next: &mut WaveOn,
        now: &WaveOn,
        ground: &GroundOn,
        t: usize,
    ) -> Result<(), Error> {
        let (sizes, inside) = self.at(t);
        next.before.copy_from(&now.now)?;
        self.device.launch(&displace {}, inside).forward((
            &mut next.now,
            &now.now,
            &now.before,
            &now.phi,
            &now.psi,
            &ground.speed,
            &self.damping,
            sizes,
        ))?;
        self.device.launch(&absorb {}, inside).forward((
            &mut next.phi,
            &mut next.psi,
            &next.now,
            &now.phi,
            &now.psi,
            &ground.speed,
            &self.damping,
            sizes,
        ))?;
        self.device.launch(&shake {}, 1).forward((&mut next.now, &ground.source, sizes))
    }

    /// Adds what `d_next` gives to the gradients `d_now` and `d_ground`.
    #[allow(clippy::too_many_arguments)]
    pub fn try_adjoint(
        &self,
        next: &mut WaveOn,
        d_next: &mut WaveOn,
        now: &WaveOn,
        d_now: &mut WaveOn,
        ground: &GroundOn,
        d_ground: &mut GroundOn,
        t: usize,
    ) -> Result<(), Error> {
        let (sizes, inside) = self.at(t);
        self.device.launch(&shake {}, 1).adjoint((
            &mut next.now,
            &mut d_next.now,
            &ground.source,
            &mut d_ground.source,
            sizes,
        ))?;
        let absorbing = self.device.launch(&absorb {}, inside);
        absorbing.own("phi").own("psi").own("speed").gradient((
            &mut next.phi,
            &mut d_next.phi,
            &mut next.psi,
            &mut d_next.psi,
            &next.now,
            &mut d_next.now,
            &now.phi,
            &mut d_now.phi,
            &now.psi,
            &mut d_now.psi,
            &ground.speed,
            &mut d_ground.speed,
            &self.damping,
            sizes,
        ))?;
        let displacing = self.device.launch(&displace {}, inside);
        displacing.own("before").own("speed").gradient((
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
            &ground.speed,
            &mut d_ground.speed,
            &self.damping,
            sizes,
        ))?;
        // What was before is what was now.
        let n = d_now.now.len();
        self.device.launch(&add {}, n).forward((&mut d_now.now, &d_next.before))
    }
}

/// Adds one buffer to another.
#[reversible(gpu)]
pub fn add(i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += x[i];
}

impl Step<WaveOn, GroundOn> for WaveStep {
    fn forward(&self, next: &mut WaveOn, now: &WaveOn, ground: &GroundOn, t: usize) {
        self.try_forward(next, now, ground, t).unwrap_or_else(|error| panic!("{error}"));
    }

    fn adjoint(
        &self,
        next: &mut WaveOn,
        d_next: &mut WaveOn,
        now: &WaveOn,
        d_now: &mut WaveOn,
        ground: &GroundOn,
        d_ground: &mut GroundOn,
        t: usize,
    ) {
        self.try_adjoint(next, d_next, now, d_now, ground, d_ground, t)
            .unwrap_or_else(|error| panic!("{error}"));
    }
}

fn main() -> Result<(), Error> {
    let device = Device::best();
    println!("on {}", device.name());

    let scene = Scene::of_copies(49, 7776, 318);
    let mut there = SceneOn::new(&device, &scene)?;
    let mut jacobian = there.room(&device)?;
    there.jacobian(&device, &mut jacobian)?;
    println!(
        "bundle adjustment: the first derivative is {}",
        jacobian.of_cameras.download()?[0][0]
    );

    let z: Vec<f64> = (1..=1000).map(|k| 0.005 * f64::from(k)).collect();
    let (z, mut d_z) = (device.upload(&z)?, device.zeros(1000)?);
    let (mut y, mut d_y) = (device.zeros(1000)?, device.upload(&[1.0; 1000])?);
    let launch = || device.launch(&bessel_of_each {}, 1000);
    launch().forward((&mut y, &z, 2_u32, 1e-8))?;
    println!("Bessel: J₂(1) = {:.7}", y.download()?[199]);
    launch().adjoint((&mut y, &mut d_y, &z, &mut d_z, 2_u32, 1e-8))?;
    println!("        J₂′(1) = {:.7}", d_z.download()?[199]);

    let steps = 200;
    let survey = Survey::new(50, 0.01, Vec::new(), steps);
    let step = WaveStep::new(&device, &survey)?;
    let ground = survey.ground(1000.0, ricker(steps, 15.0, 60.0));
    let ground =
        GroundOn { speed: device.upload(&ground.speed)?, source: device.upload(&ground.source)? };
    let middle = survey.source + 20;
    let run = Run::new(step, steps, Schedule::Treeverse { checkpoints: 5 });
    let mut loss = 0.0;
    let at = run.gradient(&run_start(&device, &survey)?, &ground, |end, d_end| {
        let mut there = end.now.download().expect("the end");
        loss = there[middle] * there[middle];
        let seed = 2.0 * there[middle];
        there.fill(0.0);
        there[middle] = seed;
        d_end.now.write(&there).expect("as long");
    });
    let d_speed = at.d_parameters.speed.download()?;
    println!("wave: {} steps forward and {steps} back, loss {loss:.6e}", at.report.forward);
    println!("      {:.6e} with respect to the speed in the middle", d_speed[survey.source]);
    Ok(())
}

fn run_start(device: &Device, survey: &Survey) -> Result<WaveOn, Error> {
    WaveStep::new(device, survey)?.silence()
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::calculus::With;
    use retrograde_examples::wave;

    #[test]
    fn the_jacobian_is_that_of_the_processor() {
        let scene = Scene::of_copies(3, 5, 17);
        let device = Device::cpu();
        let mut there = SceneOn::new(&device, &scene).unwrap();
        let mut jacobian = there.room(&device).unwrap();
        there.jacobian(&device, &mut jacobian).unwrap();
        let (mut rows, mut of_weights) = (vec![[[0.0; 15]; 2]; 17], vec![0.0; 17]);
        scene.jacobian(&mut rows, &mut of_weights);
        let cameras = jacobian.of_cameras.download().unwrap();
        let points = jacobian.of_points.download().unwrap();
        let weights = jacobian.of_weights.download().unwrap();
        for (k, row) in rows.iter().flatten().enumerate() {
            let found = cameras[k].iter().chain(&points[k]).chain([&weights[k]]);
            for (a, b) in row.iter().zip(found) {
                assert!((a - b).abs() <= 1e-12 * a.abs().max(1.0), "{a} {b}");
            }
        }
    }

    /// The same run as that of the example `wave`, where every detector is silent.
    #[test]
    fn the_wave_is_that_of_the_processor() {
        let steps = 60;
        let survey = Survey::new(20, 0.01, Vec::new(), steps);
        let ground = survey.ground(1000.0, ricker(steps, 15.0, 60.0));
        let expected = survey.simulate(&ground, steps);
        let device = Device::cpu();
        let step = WaveStep::new(&device, &survey).unwrap();
        let there = GroundOn {
            speed: device.upload(&ground.speed).unwrap(),
            source: device.upload(&ground.source).unwrap(),
        };
        let (mut now, mut next) = (step.silence().unwrap(), step.silence().unwrap());
        for t in 0..steps {
            next.set_zero_like(&now);
            step.try_forward(&mut next, &now, &there, t).unwrap();
            std::mem::swap(&mut now, &mut next);
        }
        assert!(now.now.download().unwrap() == expected.now);
        assert!(now.phi.download().unwrap() == expected.phi);
        let place = survey.source + 3;
        let seed = |_: &WaveOn, d_end: &mut WaveOn| {
            let mut one = vec![0.0; survey.width * survey.width];
            one[place] = 1.0;
            d_end.now.write(&one).unwrap();
        };
        let run = Run::new(step, steps, Schedule::Treeverse { checkpoints: 3 });
        let start = run_start(&device, &survey).unwrap();
        let found = run.gradient(&start, &there, seed);
        let on_host = Run::new(With(wave::step {}, (&survey,)), steps, Schedule::StoreAll);
        let expected = on_host.gradient(&survey.calm(), &ground, |_, d_end| d_end.now[place] = 1.0);
        let close = |a: &[f64], b: &[f64]| {
            let scale = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * scale)
        };
        let parameters = &found.d_parameters;
        assert!(close(&expected.d_parameters.speed, &parameters.speed.download().unwrap()));
        assert!(close(&expected.d_parameters.source, &parameters.source.download().unwrap()));
    }

    #[test]
    fn bodies_come_back_with_their_gradient() {
        let device = Device::cpu();
        let places = [[0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [-0.4, 0.9, 0.3]];
        let mut bodies = Bodies {
            x: device.upload(&places).unwrap(),
            v: device.zeros(3).unwrap(),
            mass: device.upload(&[1.0, 0.5, 0.2]).unwrap(),
            dt: 0.01,
            soft: 1e-4,
        };
        let end = |bodies: &mut Bodies| {
            bodies.run(&device, 50).unwrap();
            bodies.x.download().unwrap()[2][0]
        };
        let mut d_x = device.upload(&[[0.0; 3], [0.0; 3], [1.0, 0.0, 0.0]]).unwrap();
        let (mut d_v, mut d_mass) = (device.zeros(3).unwrap(), device.zeros(3).unwrap());
        end(&mut bodies);
        bodies.run_back(&device, 50, &mut d_x, &mut d_v, &mut d_mass).unwrap();
        let back = bodies.x.download().unwrap();
        assert!(
            back.iter().flatten().zip(places.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-13)
        );
        let mut other = |mass: f64| {
            bodies.x.write(&places).unwrap();
            bodies.v.clear().unwrap();
            bodies.mass.write(&[mass, 0.5, 0.2]).unwrap();
            end(&mut bodies)
        };
        let difference = (other(1.0 + 1e-5) - other(1.0 - 1e-5)) / 2e-5;
        let found = d_mass.download().unwrap()[0];
        assert!((found - difference).abs() < 1e-7, "{found} {difference}");
    }
}
