//! The solar system by the leapfrog method, forwards and backwards in time.
//!
//! Half a drift, a kick, half a drift: each adds to the positions what depends
//! on the velocities only, or the other way round. So a step is undone by
//! subtracting the same, in place and without a memory of the past: up to
//! round-off on floats, and to the last bit on fixed point numbers.
//!
//! Lengths are in astronomical units, times in years, masses in solar masses.
//!
//! `cargo run --release --example leapfrog`

use retrograde::prelude::*;
use std::f64::consts::PI;
use std::ops::{Mul, Sub};

/// The gravitational constant: a light body at distance 1 goes round the sun in
/// one year.
pub const GRAVITY: f64 = 4.0 * PI * PI;

/// A vector in space.
#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup)]
#[allow(missing_docs)]
pub struct Vector<T> {
    pub x: T,
    pub y: T,
    pub z: T,
}

impl<T: Arithmetic> Vector<T> {
    /// The square of the length.
    #[inline]
    pub fn norm_squared(&self) -> T {
        let Vector { x, y, z } = self.clone();
        x.clone() * x + y.clone() * y + z.clone() * z
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

/// Bodies that attract each other.
#[derive(Clone, Debug, PartialEq)]
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
            let square = apart.norm_squared();
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
        let kinetic: f64 = kinetic.map(|(m, v)| 0.5 * m * v.norm_squared()).sum();
        let pairs = bodies()
            .enumerate()
            .flat_map(|(i, body)| bodies().take(i).map(move |other| (body, other)));
        let potential: f64 =
            pairs.map(|((m, r), (n, s))| -GRAVITY * m * n / (*r - *s).norm_squared().sqrt()).sum();
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
        pairs
            .skip(1)
            .map(|(r, s)| ((*r - *s).norm_squared() / s.norm_squared()).sqrt())
            .fold(0.0, f64::max)
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
        let moved = (earth(&system) - earth(&start)).norm_squared().sqrt();
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
