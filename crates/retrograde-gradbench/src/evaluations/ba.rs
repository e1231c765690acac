//! Bundle adjustment: how far from where cameras saw points the points should
//! appear, and how that changes with the cameras and the points.

use super::Function;
use crate::measure::{measure, read};
use crate::threads::Threads;
use retrograde::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A camera: its rotation (an axis, as long as the angle), its centre, its focal
/// length, its principal point, and two coefficients of radial distortion.
const CAMERA: usize = 11;

/// Adds the weighted error of where a camera sees a point.
#[reversible(fused)]
#[inline]
pub fn reprojection<T: Real + Copy>(
    error: &mut [T; 2],
    camera: &[T; CAMERA],
    point: &[T; 3],
    weight: &T,
    #[constant] seen: &[T; 2],
) {
    let rotation = [camera[0], camera[1], camera[2]];
    let apart = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
    let turned = rotate(&rotation, &apart);
    let (x, y) = (turned[0] / turned[2], turned[1] / turned[2]);
    let square = x * x + y * y;
    let distortion = 1.0 + square * (camera[9] + square * camera[10]);
    error[0] += *weight * (distortion * (camera[6] * x) + (camera[7] - seen[0]));
    error[1] += *weight * (distortion * (camera[6] * y) + (camera[8] - seen[1]));
}

/// By the formula of Rodrigues.
#[differentiable(fused)]
pub fn rotate<T: Real + Copy>(rotation: &[T; 3], v: &[T; 3]) -> [T; 3] {
    let square = dot(rotation, rotation);
    if square > 0.0 {
        let angle = square.sqrt();
        let (sin, cos) = angle.sin_cos();
        let by_angle = 1.0 / angle;
        let axis = [rotation[0] * by_angle, rotation[1] * by_angle, rotation[2] * by_angle];
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

#[differentiable(fused)]
fn dot<T: Real + Copy>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[differentiable(fused)]
fn cross<T: Real + Copy>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Adds how far the square of a weight is from one.
#[reversible(fused)]
pub fn weighting<T: Real>(error: &mut T, weight: &T) {
    *error += 1.0 - *weight * *weight;
}

/// The input has one camera, point, weight and place, which all are copies of.
#[derive(Deserialize)]
struct Input {
    n: usize,
    m: usize,
    p: usize,
    cam: [f64; CAMERA],
    x: [f64; 3],
    w: f64,
    feat: [f64; 2],
}

/// What cameras have seen.
struct Scene {
    cameras: Vec<[f64; CAMERA]>,
    points: Vec<[f64; 3]>,
    observations: Vec<Observation>,
}

/// A point that a camera has seen somewhere.
struct Observation {
    camera: u32,
    point: u32,
    weight: f64,
    seen: [f64; 2],
}

impl Scene {
    fn read(input: &RawValue) -> Result<Self, String> {
        let Input { n, m, p, cam, x, w, feat } = read(input)?;
        if n == 0 || m == 0 || p == 0 {
            return Err(format!("{n} cameras, {m} points and {p} observations make no scene"));
        }
        // Places in the Jacobian are of half the size of a number.
        let columns = CAMERA as u128 * n as u128 + 3 * m as u128 + p as u128;
        let entries = (2 * COLUMNS as u128 + 1) * p as u128;
        if columns.max(entries) > u128::from(u32::MAX) {
            return Err(format!("{n} cameras, {m} points and {p} observations are too many"));
        }
        let observation = |i| Observation {
            camera: (i % n) as u32,
            point: (i % m) as u32,
            weight: w,
            seen: feat,
        };
        Ok(Scene {
            cameras: vec![cam; n],
            points: vec![x; m],
            observations: (0..p).map(observation).collect(),
        })
    }

    /// The errors of the observations, and of their weights.
    fn errors(&self, errors: &mut [[f64; 2]], of_weights: &mut [f64], threads: Threads) {
        threads.each(errors, PART, |from, errors| {
            for (observation, error) in self.observations[from..].iter().zip(errors) {
                *error = [0.0; 2];
                let Observation { camera, point, weight, seen } = observation;
                reprojection(
                    error,
                    &self.cameras[*camera as usize],
                    &self.points[*point as usize],
                    weight,
                    seen,
                );
            }
        });
        for (observation, error) in self.observations.iter().zip(of_weights) {
            *error = 0.0;
            weighting(error, &observation.weight);
        }
    }

    /// Each observation has two rows for its errors, and one for its weight at the end.
    fn jacobian(&self, jacobian: &mut Jacobian, threads: Threads) {
        let count = self.observations.len();
        let Jacobian { rows, columns, values } = jacobian;
        rows.clear();
        rows.extend((0..=2 * count).map(|row| (row * COLUMNS) as u32));
        rows.extend((1..=count).map(|row| (2 * count * COLUMNS + row) as u32));
        columns.resize((2 * COLUMNS + 1) * count, 0);
        values.resize((2 * COLUMNS + 1) * count, 0.0);
        let (columns, columns_of_weights) = columns.split_at_mut(2 * COLUMNS * count);
        let (values, of_weights) = values.split_at_mut(2 * COLUMNS * count);
        threads.each_of_two(columns, values, 2 * COLUMNS * PART, |from, columns, values| {
            self.errors_jacobian(from / (2 * COLUMNS), columns, values);
        });
        let after_points = (CAMERA * self.cameras.len() + 3 * self.points.len()) as u32;
        for (column, i) in columns_of_weights.iter_mut().zip(after_points..) {
            *column = i;
        }
        for (observation, d_weight) in self.observations.iter().zip(of_weights) {
            *d_weight = 0.0;
            weighting {}.call_gradient((&mut 0.0, &mut 1.0, &observation.weight, d_weight));
        }
    }

    /// Both rows of the Jacobian of each error at once, one in each lane.
    fn errors_jacobian(&self, from: usize, columns: &mut [u32], values: &mut [f64]) {
        let zero = Lanes::splat(0.0);
        let after_cameras = (CAMERA * self.cameras.len()) as u32;
        let after_points = after_cameras + 3 * self.points.len() as u32;
        let rows = columns.chunks_exact_mut(2 * COLUMNS).zip(values.chunks_exact_mut(2 * COLUMNS));
        let weights = after_points + from as u32..;
        for ((observation, of_weight), (columns, values)) in
            self.observations[from..].iter().zip(weights).zip(rows)
        {
            let Observation { camera, point, weight, seen } = observation;
            let (mut d_camera, mut d_point, mut d_weight) = ([zero; CAMERA], [zero; 3], zero);
            reprojection {}.call_gradient((
                &mut [zero; 2],
                &mut [Lanes([1.0, 0.0]), Lanes([0.0, 1.0])],
                &self.cameras[*camera as usize].map(Lanes::splat),
                &mut d_camera,
                &self.points[*point as usize].map(Lanes::splat),
                &mut d_point,
                &Lanes::splat(*weight),
                &mut d_weight,
                &seen.map(Lanes::splat),
            ));
            let of_camera = CAMERA as u32 * camera;
            let of_point = after_cameras + 3 * point;
            for row in columns.as_chunks_mut::<COLUMNS>().0 {
                for (k, column) in (0..).zip(&mut row[..CAMERA]) {
                    *column = of_camera + k;
                }
                for (k, column) in (0..).zip(&mut row[CAMERA..COLUMNS - 1]) {
                    *column = of_point + k;
                }
                row[COLUMNS - 1] = of_weight;
            }
            let (first, second) = values.split_at_mut(COLUMNS);
            let slopes = d_camera.iter().chain(&d_point).chain([&d_weight]);
            for ((first, second), Lanes(slopes)) in first.iter_mut().zip(second).zip(slopes) {
                [*first, *second] = *slopes;
            }
        }
    }
}

/// How many columns of a row are not zero: of a camera, of a point, and of a weight.
const COLUMNS: usize = CAMERA + 4;

/// How many observations are a part of the work.
const PART: usize = 1024;

/// A sparse matrix, row by row.
#[derive(Default)]
struct Jacobian {
    /// Where each row begins, and where the last one ends.
    rows: Vec<u32>,
    /// The column of each entry.
    columns: Vec<u32>,
    /// The entries.
    values: Vec<f64>,
}

/// As all observations are alike, the first one and the last number of all.
#[derive(Serialize)]
struct Shown {
    rows: Vec<u32>,
    cols: Vec<u32>,
    vals: Vec<f64>,
}

impl From<&Jacobian> for Shown {
    fn from(jacobian: &Jacobian) -> Self {
        fn ends<T: Copy>(all: &[T]) -> Vec<T> {
            let first = all.iter().take(2 * COLUMNS);
            first.chain(all.last()).copied().collect()
        }
        Shown {
            rows: ends(&jacobian.rows),
            cols: ends(&jacobian.columns),
            vals: ends(&jacobian.values),
        }
    }
}

#[derive(Serialize)]
struct Errors {
    reproj_error: Repeated<[f64; 2]>,
    w_err: RepeatedOne,
}

#[derive(Serialize)]
struct Repeated<T> {
    elements: T,
    repeated: usize,
}

#[derive(Serialize)]
struct RepeatedOne {
    element: f64,
    repeated: usize,
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "objective",
        run: |input, threads| {
            let prepare = |input: &RawValue| {
                let scene = Scene::read(input)?;
                let count = scene.observations.len();
                Ok((scene, vec![[0.0; 2]; count], vec![0.0; count]))
            };
            let run = |(scene, errors, of_weights): &mut (Scene, Vec<[f64; 2]>, Vec<f64>)| {
                scene.errors(errors, of_weights, threads);
            };
            measure(input, prepare, run, |(_, errors, of_weights)| Errors {
                reproj_error: Repeated { elements: errors[0], repeated: errors.len() },
                w_err: RepeatedOne { element: of_weights[0], repeated: of_weights.len() },
            })
        },
    },
    Function {
        name: "jacobian",
        run: |input, threads| {
            let prepare = |input: &RawValue| Ok((Scene::read(input)?, Jacobian::default()));
            let run = |(scene, jacobian): &mut (Scene, Jacobian)| scene.jacobian(jacobian, threads);
            measure(input, prepare, run, |(_, jacobian)| Shown::from(jacobian))
        },
    },
];
