//! The solar system by the leapfrog method, forwards and backwards in time.
//!
//! Half a drift, a kick, half a drift: each adds to the positions what depends
//! on the velocities only, or the other way round. So a step is undone by
//! subtracting the same, in place and without a memory of the past: up to
//! round-off on floats, and to the last bit on fixed point numbers. The gradient
//! of where everything ends, by where it began and by the masses, comes on the
//! way back, however many steps there are.
//!
//! For forces on slices of numbers, `retrograde::integrate` has this and methods of fourth order.
//!
//! Lengths are in astronomical units, times in years, masses in solar masses.
//!
//! `cargo run --release --example leapfrog`

use retrograde::derivative::PullMul;
use retrograde::prelude::*;
use std::f64::consts::PI;
use std::ops::{Mul, Sub};

/// The gravitational constant: a light body at distance 1 goes round the sun in
/// one year.
pub const GRAVITY: f64 = 4.0 * PI * PI;

/// A vector in space.
#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
#[fieldwise]
#[allow(missing_docs)]
pub struct Vector<T> {
    pub x: T,
    pub y: T,
    pub z: T,
}

impl<T: Arithmetic> Vector<T> {
    /// The inner product.
    #[inline]
    #[differentiable]
    pub fn inner(&self, other: &Self) -> T {
        self.x.clone() * other.x.clone()
            + self.y.clone() * other.y.clone()
            + self.z.clone() * other.z.clone()
    }
}

impl<T: Arithmetic> Sub for Vector<T> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Vector { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<T: Arithmetic> Mul<T> for Vector<T> {
    type Output = Self;
    #[inline]
    fn mul(self, factor: T) -> Self {
        Vector { x: self.x * factor.clone(), y: self.y * factor.clone(), z: self.z * factor }
    }
}

/// How a gradient goes back through `vector * factor`.
impl<T: Arithmetic> PullMul<T> for Vector<T> {
    type Output = Self;
    #[inline]
    fn pull_mul_left(g: &Self, _vector: &Self, factor: &T) -> Self {
        g.clone() * factor.clone()
    }
    #[inline]
    fn pull_mul_right(g: &Self, vector: &Self, _factor: &T) -> T {
        g.inner(vector)
    }
}

/// Bodies that attract each other.
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[allow(missing_docs)]
pub struct System<T, const N: usize> {
    pub masses: [T; N],
    pub positions: [Vector<T>; N],
    pub velocities: [Vector<T>; N],
}

/// One step of length `dt`: drift, kick, drift.
#[reversible]
pub fn step<T: Real, const N: usize>(system: &mut System<T, N>, dt: &T) {
    drift(&mut system.positions, &system.velocities, &(0.5 * *dt));
    kick(&mut system.velocities, &system.positions, &system.masses, dt);
    drift(&mut system.positions, &system.velocities, &(0.5 * *dt));
}

/// The bodies move freely.
#[reversible]
#[inline]
pub fn drift<T: Real, const N: usize>(
    positions: &mut [Vector<T>; N],
    velocities: &[Vector<T>; N],
    dt: &T,
) {
    for (r, v) in positions.iter_mut().zip(velocities) {
        *r += *v * *dt;
    }
}

/// The bodies pull at each other, where they are: `v' = G m (r' − r) / |r' − r|³`.
#[reversible]
#[inline]
pub fn kick<T: Real, const N: usize>(
    velocities: &mut [Vector<T>; N],
    positions: &[Vector<T>; N],
    masses: &[T; N],
    dt: &T,
) {
    let strength = T::from_f64(GRAVITY) * *dt;
    for i in 1..N {
        for j in 0..i {
            let apart = positions[j] - positions[i];
            let square = apart.inner(&apart);
            let pull = strength / (square * square.sqrt());
            velocities[i] += apart * (pull * masses[j]);
            velocities[j] -= apart * (pull * masses[i]);
        }
    }
}

/// Many steps.
#[reversible]
pub fn run<T: Real, const N: usize>(system: &mut System<T, N>, dt: &T, steps: usize) {
    for _ in 0..steps {
        step(system, dt);
    }
}

/// Adds how far two bodies are from each other after many steps.
#[reversible]
pub fn separation<T: Real, const N: usize>(
    y: &mut T,
    system: &mut System<T, N>,
    dt: &T,
    steps: usize,
    bodies: (usize, usize),
) {
    run(system, dt, steps);
    let apart = system.positions[bodies.0] - system.positions[bodies.1];
    *y += apart.inner(&apart).sqrt();
}

fn distance(r: &Vector<f64>, s: &Vector<f64>) -> f64 {
    let apart = *r - *s;
    apart.inner(&apart).sqrt()
}

/// Where Neptune and Pluto are in [`System::solar`].
pub const NEPTUNE_AND_PLUTO: (usize, usize) = (8, 9);

/// The planets' names, masses, semi-major axes, eccentricities, inclinations
/// and longitudes of the perihelion (in degrees).
pub const PLANETS: [(&str, f64, f64, f64, f64, f64); 9] = [
    ("Mercury", 1.660e-7, 0.3871, 0.2056, 7.00, 77.5),
    ("Venus", 2.448e-6, 0.7233, 0.0068, 3.39, 131.6),
    ("Earth", 3.040e-6, 1.0000, 0.0167, 0.00, 102.9),
    ("Mars", 3.227e-7, 1.5237, 0.0934, 1.85, 336.1),
    ("Jupiter", 9.548e-4, 5.2029, 0.0484, 1.30, 14.3),
    ("Saturn", 2.859e-4, 9.5367, 0.0539, 2.49, 92.6),
    ("Uranus", 4.366e-5, 19.189, 0.0473, 0.77, 171.0),
    ("Neptune", 5.151e-5, 30.070, 0.0086, 1.77, 45.0),
    ("Pluto", 6.55e-9, 39.482, 0.2488, 17.14, 224.1),
];

impl System<f64, 10> {
    /// The sun and its planets, all in the ecliptic and at their perihelia, with
    /// no momentum in total.
    pub fn solar() -> Self {
        let origin = Vector { x: 0.0, y: 0.0, z: 0.0 };
        let mut system =
            System { masses: [1.0; 10], positions: [origin; 10], velocities: [origin; 10] };
        for (i, (_, mass, axis, eccentricity, inclination, longitude)) in (1..).zip(PLANETS) {
            let (sin, cos) = longitude.to_radians().sin_cos();
            let (up, along) = inclination.to_radians().sin_cos();
            let distance = axis * (1.0 - eccentricity);
            let speed = (GRAVITY * (1.0 + mass) * (1.0 + eccentricity) / distance).sqrt();
            system.masses[i] = mass;
            system.positions[i] = Vector { x: cos, y: sin, z: 0.0 } * distance;
            system.velocities[i] = Vector { x: -sin * along, y: cos * along, z: up } * speed;
            let momentum = system.velocities[i] * mass;
            system.velocities[0] -= momentum;
        }
        system
    }
}

impl<const N: usize> System<f64, N> {
    /// The kinetic and potential energy.
    pub fn energy(&self) -> f64 {
        let bodies = || self.masses.iter().zip(&self.positions);
        let kinetic = self.masses.iter().zip(&self.velocities);
        let kinetic: f64 = kinetic.map(|(m, v)| 0.5 * m * v.inner(v)).sum();
        let pairs = bodies()
            .enumerate()
            .flat_map(|(i, body)| bodies().take(i).map(move |other| (body, other)));
        let potential: f64 = pairs.map(|((m, r), (n, s))| -GRAVITY * m * n / distance(r, s)).sum();
        kinetic + potential
    }

    /// The same system in other numbers.
    pub fn convert<T: Real>(&self) -> System<T, N> {
        let vector = |v: Vector<f64>| Vector {
            x: T::from_f64(v.x),
            y: T::from_f64(v.y),
            z: T::from_f64(v.z),
        };
        System {
            masses: self.masses.map(T::from_f64),
            positions: self.positions.map(vector),
            velocities: self.velocities.map(vector),
        }
    }

    /// The largest distance between a body here and there, as part of its
    /// distance from the origin there.
    pub fn deviation(&self, other: &Self) -> f64 {
        let pairs = self.positions.iter().zip(&other.positions);
        pairs.skip(1).map(|(r, s)| distance(r, s) / s.inner(s).sqrt()).fold(0.0, f64::max)
    }
}

fn main() {
    let (dt, steps) = (1e-3, 100_000);
    let start = System::solar();
    let mut system = start.clone();
    run(&mut system, &dt, steps);
    println!("after {} years:", dt * steps as f64);
    for ((name, ..), r) in PLANETS.iter().zip(&system.positions[1..]) {
        println!("{name:>8}  {:>10.5} {:>10.5} {:>10.5}", r.x, r.y, r.z);
    }
    println!("change of energy   {:.1e}", system.energy() / start.energy() - 1.0);
    run::inverse(&mut system, &dt, steps);
    println!("back, deviation    {:.1e}", system.deviation(&start));

    let at = separation::gradient(&mut system, &dt, steps, NEPTUNE_AND_PLUTO);
    println!("Neptune to Pluto   {:.5}", at.value);
    println!("by Jupiter's mass  {:.5}", at.d_system.masses[5]);

    let dt = Fixed43::from_f64(1e-3);
    let start = start.convert::<Fixed43>();
    let mut system = start.clone();
    run(&mut system, &dt, steps);
    run::inverse(&mut system, &dt, steps);
    println!("in fixed point     {}", if system == start { "the same bits" } else { "lost" });
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::derivative::zero_like;
    use retrograde::testing::{Components, assert_gradient};

    const STEPS: usize = 2000;
    const DT: f64 = 1e-3;

    #[test]
    fn energy_is_nearly_conserved() {
        let mut system = System::solar();
        let start = system.energy();
        for _ in 0..10 {
            run(&mut system, &DT, STEPS / 10);
            assert!(
                (system.energy() / start - 1.0).abs() < 1e-6,
                "{}",
                system.energy() / start - 1.0
            );
        }
    }

    #[test]
    fn the_planets_keep_their_years() {
        let mut system = System::solar();
        let start = system.clone();
        run(&mut system, &DT, 1000);
        let earth = |system: &System<f64, 10>| system.positions[3] - system.positions[0];
        let moved = distance(&earth(&system), &earth(&start));
        assert!(moved < 1e-2, "after a year, the earth is {moved} away");
    }

    #[test]
    fn the_way_back_restores_the_start() {
        let start = System::solar();
        let mut system = start.clone();
        run(&mut system, &DT, STEPS);
        assert!(system.deviation(&start) > 0.1);
        run::inverse(&mut system, &DT, STEPS);
        assert!(system.deviation(&start) < 1e-12, "{}", system.deviation(&start));
    }

    /// The sun, the earth and Jupiter, far enough from their orbits for all
    /// derivatives to be seen.
    fn three() -> System<f64, 3> {
        let solar = System::solar();
        let pick = |of: [Vector<f64>; 10]| [of[0], of[3], of[5]];
        System {
            masses: [1.0, 0.1, 0.2],
            positions: pick(solar.positions),
            velocities: pick(solar.velocities),
        }
    }

    #[test]
    fn gradients() {
        let (mut system, dt) = (three(), 0.001);
        let System { masses, positions: mut r, velocities: mut v } = system.clone();
        assert_gradient!(drift(&mut r, &v, &dt));
        assert_gradient!(kick(&mut v, &r, &masses, &dt));
        assert_gradient!(run(&mut system, &dt, 3));
        let mut y = 1.0;
        assert_gradient!(separation(&mut y, &mut system, &dt, 3, (1, 2)));
    }

    /// Where the earth is in the end, by everything in the beginning: in one run
    /// backwards, and in one run forwards for each number.
    #[test]
    fn both_directions_of_differentiation_agree() {
        let (start, steps) = (three(), 50);
        let mut system = start.clone();
        run(&mut system, &DT, steps);
        let (mut shadow, mut d_dt) = (zero_like(&system), 0.0);
        shadow.positions[1].x = 1.0;
        run::adjoint(&mut system, &mut shadow, &DT, &mut d_dt, steps);
        assert!(system.deviation(&start) < 1e-13);

        let ahead = |varied: Option<usize>| {
            let mut number = 0;
            let mut dual = |value: f64| {
                let varies = varied == Some(number);
                number += 1;
                Dual { value, tangents: [if varies { 1.0 } else { 0.0 }] }
            };
            let vector = |v: Vector<f64>, dual: &mut dyn FnMut(f64) -> Dual<f64>| Vector {
                x: dual(v.x),
                y: dual(v.y),
                z: dual(v.z),
            };
            let mut system = System {
                masses: start.masses.map(&mut dual),
                positions: start.positions.map(|v| vector(v, &mut dual)),
                velocities: start.velocities.map(|v| vector(v, &mut dual)),
            };
            let dt = Dual { value: DT, tangents: [if varied.is_none() { 1.0 } else { 0.0 }] };
            run(&mut system, &dt, steps);
            system.positions[1].x.tangents[0]
        };
        for i in 0..shadow.components() {
            let (found, expected) = (shadow.component(i), ahead(Some(i)));
            assert!((found - expected).abs() < 1e-12, "{}", shadow.component_name(i));
        }
        assert!((d_dt - ahead(None)).abs() < 1e-10);
    }

    #[test]
    fn gradients_are_taken_back() {
        let (mut system, mut d_dt) = (three(), 0.0);
        run(&mut system, &DT, 100);
        let end = system.clone();
        let mut shadow = zero_like(&system);
        (0..shadow.components()).for_each(|i| shadow.set_component(i, 0.1 * i as f64));
        let seed = shadow.clone();
        run::adjoint(&mut system, &mut shadow, &DT, &mut d_dt, 100);
        run::inverse_adjoint(&mut system, &mut shadow, &DT, &mut d_dt, 100);
        assert!(system.deviation(&end) < 1e-13 && d_dt.abs() < 1e-9);
        for i in 0..shadow.components() {
            assert!((shadow.component(i) - seed.component(i)).abs() < 1e-11);
        }
    }

    #[test]
    fn the_way_back_is_exact_in_fixed_point() {
        let start = System::solar().convert::<Fixed43>();
        let (mut system, dt) = (start.clone(), Fixed43::from_f64(DT));
        run(&mut system, &dt, 200);
        assert_ne!(system, start);
        run::inverse(&mut system, &dt, 200);
        assert_eq!(system, start);
    }
}
