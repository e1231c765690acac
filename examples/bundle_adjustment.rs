//! Bundle adjustment: cameras have seen points, and from where they saw them, all cameras and
//! points are to be found.
//!
//! The objective of the benchmark [ADBench]: how far from where a camera saw a point the point
//! should appear. An observation depends on one camera, one point and one weight, so the
//! Jacobian has a block of 2 × 15 numbers for each. One backward pass finds both rows, a row in
//! each of two [`Lanes`], and all that it needs is in registers.
//!
//! `cargo run --release --example bundle_adjustment`
//!
//! [ADBench]: https://github.com/microsoft/ADBench

use retrograde::prelude::*;

/// A camera: its rotation (an axis, as long as the angle), its centre, its focal length, its
/// principal point, and two coefficients of radial distortion.
pub type Camera<T> = [T; 11];

/// The derivatives of an error: with respect to the camera, the point and the weight.
pub type Row = [f64; 15];

/// Adds the weighted error of where a camera sees a point.
#[reversible(gpu)]
pub fn reprojection<T: Real + Copy>(
    error: &mut [T; 2],
    camera: &Camera<T>,
    point: &[T; 3],
    weight: &T,
    #[constant] seen: &[T; 2],
) {
    let rotation = [camera[0], camera[1], camera[2]];
    let apart = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
    let turned = rotate(&rotation, &apart);
    let (x, y) = (turned[0] / turned[2], turned[1] / turned[2]);
    let square = x * x + y * y;
    let scale = camera[6] * (1.0 + square * (camera[9] + square * camera[10]));
    error[0] += *weight * (scale * x + camera[7] - seen[0]);
    error[1] += *weight * (scale * y + camera[8] - seen[1]);
}

/// By the formula of Rodrigues.
#[differentiable(gpu)]
#[inline]
pub fn rotate<T: Real + Copy>(rotation: &[T; 3], v: &[T; 3]) -> [T; 3] {
    let square = dot(rotation, rotation);
    if square > 0.0 {
        let angle = square.sqrt();
        let by_angle = 1.0 / angle;
        let axis = [rotation[0] * by_angle, rotation[1] * by_angle, rotation[2] * by_angle];
        let (sin, cos) = angle.sin_cos();
        let across = cross(&axis, v);
        let along = dot(&axis, v) * (1.0 - cos);
        [
            v[0] * cos + across[0] * sin + axis[0] * along,
            v[1] * cos + across[1] * sin + axis[1] * along,
            v[2] * cos + across[2] * sin + axis[2] * along,
        ]
    } else {
        let across = cross(rotation, v);
        [v[0] + across[0], v[1] + across[1], v[2] + across[2]]
    }
}

/// The inner product.
#[differentiable(gpu)]
#[inline]
pub fn dot<T: Real + Copy>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The cross product.
#[differentiable(gpu)]
#[inline]
pub fn cross<T: Real + Copy>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Adds how far the square of a weight is from one.
#[reversible]
#[inline]
pub fn weighting<T: Real>(error: &mut T, weight: &T) {
    *error += 1.0 - *weight * *weight;
}

/// A point that a camera has seen somewhere.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Observation {
    pub camera: usize,
    pub point: usize,
    pub weight: f64,
    pub seen: [f64; 2],
}

/// Cameras, points, and who has seen what.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Scene {
    pub cameras: Vec<Camera<f64>>,
    pub points: Vec<[f64; 3]>,
    pub observations: Vec<Observation>,
}

impl Scene {
    /// A scene of ADBench: copies of one camera, of one point and of one observation.
    pub fn of_copies(cameras: usize, points: usize, observations: usize) -> Self {
        let camera = [
            -0.758453, -1.109613, -0.845551, 34.556073, 39.676747, 53.881673, 419.194514, 5.864426,
            -8.518870, 0.087812, 0.002739,
        ];
        let observation = |i| Observation {
            camera: i % cameras,
            point: i % points,
            weight: 0.417022,
            seen: [271.760969, 834.209256],
        };
        Scene {
            cameras: vec![camera; cameras],
            points: vec![[7.203245, 0.001144, 3.023326]; points],
            observations: (0..observations).map(observation).collect(),
        }
    }

    /// The errors of the observations, and of their weights.
    pub fn errors(&self, errors: &mut [[f64; 2]], of_weights: &mut [f64]) {
        let results = errors.iter_mut().zip(of_weights);
        for (observation, (error, of_weight)) in self.observations.iter().zip(results) {
            let Observation { camera, point, weight, seen } = observation;
            (*error, *of_weight) = ([0.0; 2], 0.0);
            reprojection(error, &self.cameras[*camera], &self.points[*point], weight, seen);
            weighting(of_weight, weight);
        }
    }

    /// What of their Jacobian is not zero: two rows for an observation, and one number for
    /// its weight.
    pub fn jacobian(&self, rows: &mut [[Row; 2]], of_weights: &mut [f64]) {
        let results = rows.iter_mut().zip(of_weights);
        for (observation, (rows, of_weight)) in self.observations.iter().zip(results) {
            let Observation { camera, point, weight, seen } = observation;
            *rows = both_rows(&self.cameras[*camera], &self.points[*point], weight, seen);
            *of_weight = 0.0;
            weighting {}.call_gradient((&mut 0.0, &mut 1.0, weight, of_weight));
        }
    }
}

/// The derivatives of both errors of an observation, each in a lane.
#[inline]
pub fn both_rows(
    camera: &Camera<f64>,
    point: &[f64; 3],
    weight: &f64,
    seen: &[f64; 2],
) -> [Row; 2] {
    let zero = Lanes([0.0; 2]);
    let (mut d_camera, mut d_point, mut d_weight) = ([zero; 11], [zero; 3], zero);
    // The errors are only added to, so that it does not matter what they are.
    reprojection {}.call_gradient((
        &mut [zero; 2],
        &mut [Lanes([1.0, 0.0]), Lanes([0.0, 1.0])],
        &camera.map(Lanes::splat),
        &mut d_camera,
        &point.map(Lanes::splat),
        &mut d_point,
        &Lanes::splat(*weight),
        &mut d_weight,
        &seen.map(Lanes::splat),
    ));
    let mut rows = [[0.0; 15]; 2];
    for (i, Lanes(column)) in d_camera.iter().chain(&d_point).chain([&d_weight]).enumerate() {
        (rows[0][i], rows[1][i]) = (column[0], column[1]);
    }
    rows
}

fn main() {
    let scene = Scene::of_copies(49, 7776, 31843);
    let count = scene.observations.len();
    let (mut errors, mut of_weights) = (vec![[0.0; 2]; count], vec![0.0; count]);
    scene.errors(&mut errors, &mut of_weights);
    println!("{count} observations, the first with the errors {:.3?}", errors[0]);
    let mut rows = vec![[[0.0; 15]; 2]; count];
    scene.jacobian(&mut rows, &mut of_weights);
    println!("{} derivatives, the first of them {}", 31 * count, rows[0][0][0]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::testing::assert_gradient;

    /// The first entry of the Jacobian for the input `ba4`, as NiLang's authors test it.
    #[test]
    fn the_value_of_the_paper() {
        let scene = Scene::of_copies(372, 47423, 5);
        let (mut rows, mut of_weights) = (vec![[[0.0; 15]; 2]; 5], vec![0.0; 5]);
        scene.jacobian(&mut rows, &mut of_weights);
        let found = rows[0][0][0];
        assert!((found - -461.44632100159936).abs() < 1e-10, "{found}");
        assert!(rows.iter().all(|block| *block == rows[0]));
        assert_eq!(of_weights, [-2.0 * 0.417022; 5]);
    }

    fn one() -> (Camera<f64>, [f64; 3], f64, [f64; 2]) {
        let camera = [0.1, -0.4, 0.3, 0.2, -0.1, -3.0, 2.0, 0.25, -0.5, 0.05, -0.02];
        (camera, [0.5, 0.25, -0.5], 0.75, [0.3, -0.2])
    }

    #[reversible]
    fn of_one(error: &mut [f64; 2], camera: &Camera<f64>, point: &[f64; 3], weight: &f64) {
        reprojection(error, camera, point, weight, &[0.3, -0.2]);
    }

    #[test]
    fn the_gradient_is_that_by_differences() {
        let (mut camera, point, weight, seen) = one();
        assert_gradient!(of_one(&mut [0.0; 2], &camera, &point, &weight));
        camera[..3].fill(0.0);
        let (d_error, mut d_camera) = (&mut [1.0, 0.0], [0.0; 11]);
        let (mut d_point, mut d_weight) = ([0.0; 3], 0.0);
        #[rustfmt::skip]
        reprojection::adjoint(
            &mut [0.0; 2], d_error, &camera, &mut d_camera, &point, &mut d_point, &weight,
            &mut d_weight, &seen,
        );
        // Without a rotation, the point is where it is: x = 0.3 / 2.5, y = 0.35 / 2.5.
        assert!((d_camera[7] - 0.75).abs() < 1e-15);
        assert!((d_point[0] + d_camera[3]).abs() < 1e-15);
    }

    /// Both rows at once are those of one after the other, and of dual numbers.
    #[test]
    fn rows_agree_with_dual_numbers() {
        let (camera, point, weight, seen) = one();
        let rows = both_rows(&camera, &point, &weight, &seen);
        type D = Dual<f64, 15>;
        let mut error = [D::constant(0.0); 2];
        reprojection(
            &mut error,
            &std::array::from_fn(|i| D::variable(camera[i], i)),
            &std::array::from_fn(|i| D::variable(point[i], 11 + i)),
            &D::variable(weight, 14),
            &seen.map(D::constant),
        );
        for (row, error) in rows.iter().zip(error) {
            for (found, expected) in row.iter().zip(error.tangents) {
                assert!((found - expected).abs() < 1e-13, "{found} instead of {expected}");
            }
        }
    }

    #[test]
    fn a_rotation_keeps_lengths_and_the_axis() {
        let (axis, v) = ([0.3, -0.5, 1.1], [1.0, 2.0, -0.5]);
        let turned = rotate(&axis, &v);
        assert!((dot(&turned, &turned) - dot(&v, &v)).abs() < 1e-14);
        assert!((dot(&turned, &axis) - dot(&v, &axis)).abs() < 1e-14);
        assert_eq!(rotate(&[0.0; 3], &v), v);
    }

    #[test]
    fn the_inverse_takes_it_back() {
        let (camera, point, weight, seen) = one();
        let mut error = [0.5, -0.25];
        reprojection(&mut error, &camera, &point, &weight, &seen);
        reprojection::inverse(&mut error, &camera, &point, &weight, &seen);
        assert!((error[0] - 0.5).abs() < 1e-15 && (error[1] + 0.25).abs() < 1e-15);
    }
}
