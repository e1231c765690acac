//! The error of an observation in bundle adjustment, as the benchmarks ADBench
//! and GradBench define it, and its Jacobian.
//!
//! A camera is given by its rotation (an axis, as long as the angle), its
//! centre, its focal length, its principal point and two coefficients of radial
//! distortion.

use crate::program::{Program, numbers};
use crate::tapes::{Function, Number};
use retrograde::prelude::*;

/// Adds the weighted error of where a camera sees a point.
#[reversible]
pub fn reprojection<T: Real + Copy>(
    error: &mut [T; 2],
    camera: &[T; 11],
    point: &[T; 3],
    weight: &T,
    #[constant] seen: &[T; 2],
) {
    let rotation = [camera[0], camera[1], camera[2]];
    let apart = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
    let turned = rotate(&rotation, &apart);
    let x = turned[0] / turned[2];
    let y = turned[1] / turned[2];
    let square = x * x + y * y;
    let distortion = 1.0 + camera[9] * square + camera[10] * square * square;
    let scale = camera[6] * distortion;
    error[0] += *weight * (scale * x + camera[7] - seen[0]);
    error[1] += *weight * (scale * y + camera[8] - seen[1]);
}

/// By the formula of Rodrigues.
#[differentiable]
#[inline]
pub fn rotate<T: Real + Copy>(rotation: &[T; 3], v: &[T; 3]) -> [T; 3] {
    let square = dot(rotation, rotation);
    if square > T::zero() {
        let angle = square.sqrt();
        let axis = [rotation[0] / angle, rotation[1] / angle, rotation[2] / angle];
        let (sin, cos) = angle.sin_cos();
        let across = cross(&axis, v);
        let along = dot(&axis, v) * (T::one() - cos);
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

#[differentiable]
#[inline]
fn dot<T: Real + Copy>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[differentiable]
#[inline]
fn cross<T: Real + Copy>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The error by hand, with what its derivatives need.
struct Seen {
    angle: f64,
    axis: [f64; 3],
    sin: f64,
    cos: f64,
    apart: [f64; 3],
    across: [f64; 3],
    depth: f64,
    x: f64,
    y: f64,
    square: f64,
    distortion: f64,
    error: [f64; 2],
}

#[inline]
fn look(camera: &[f64; 11], point: &[f64; 3], seen: &[f64; 2]) -> Seen {
    let &[r0, r1, r2, c0, c1, c2, focus, x0, y0, k1, k2] = camera;
    let apart = [point[0] - c0, point[1] - c1, point[2] - c2];
    let angle = (r0 * r0 + r1 * r1 + r2 * r2).sqrt();
    // Without a rotation, any axis will do.
    let axis = if angle > 0.0 { [r0 / angle, r1 / angle, r2 / angle] } else { [1.0, 0.0, 0.0] };
    let (sin, cos) = angle.sin_cos();
    let across = cross(&axis, &apart);
    let along = dot(&axis, &apart) * (1.0 - cos);
    let turned: [f64; 3] =
        std::array::from_fn(|k| apart[k] * cos + across[k] * sin + axis[k] * along);
    let depth = turned[2];
    let (x, y) = (turned[0] / depth, turned[1] / depth);
    let square = x * x + y * y;
    let distortion = 1.0 + square * (k1 + square * k2);
    let scale = focus * distortion;
    let error = [scale * x + x0 - seen[0], scale * y + y0 - seen[1]];
    Seen { angle, axis, sin, cos, apart, across, depth, x, y, square, distortion, error }
}

pub fn reprojection_by_hand(
    error: &mut [f64; 2],
    camera: &[f64; 11],
    point: &[f64; 3],
    weight: f64,
    seen: &[f64; 2],
) {
    let found = look(camera, point, seen);
    error[0] += weight * found.error[0];
    error[1] += weight * found.error[1];
}

/// Adds the derivatives of both errors: with respect to the camera, the point
/// and the weight.
pub fn jacobian_by_hand(
    jacobian: &mut [[f64; 15]; 2],
    camera: &[f64; 11],
    point: &[f64; 3],
    weight: f64,
    seen: &[f64; 2],
) {
    let found = look(camera, point, seen);
    let Seen { x, y, square, distortion, ref axis, ref apart, sin, cos, .. } = found;
    let &[.., focus, _, _, k1, k2] = camera;
    let by_square = focus * (k1 + 2.0 * k2 * square);
    let by_depth = 1.0 / found.depth;
    let by_angle = if found.angle > 0.0 { 1.0 / found.angle } else { 0.0 };
    let inner = dot(axis, apart);
    for (row, (d, value)) in jacobian.iter_mut().zip([x, y]).enumerate() {
        let d_scale = weight * value;
        let d_square = d_scale * by_square;
        let mut d_x = 2.0 * x * d_square;
        let mut d_y = 2.0 * y * d_square;
        *(if row == 0 { &mut d_x } else { &mut d_y }) += weight * focus * distortion;
        let g = [d_x * by_depth, d_y * by_depth, -(d_x * x + d_y * y) * by_depth];
        let (g_across, g_axis) = (cross(&g, axis), dot(&g, axis));
        let v_across = cross(apart, &g);
        let d_axis: [f64; 3] = std::array::from_fn(|k| {
            sin * v_across[k] + (1.0 - cos) * (inner * g[k] + g_axis * apart[k])
        });
        let d_angle = cos * dot(&g, &found.across) + sin * (inner * g_axis - dot(&g, apart));
        let along = dot(axis, &d_axis);
        for k in 0..3 {
            let d_apart = cos * g[k] + sin * g_across[k] + (1.0 - cos) * g_axis * axis[k];
            d[k] += (d_axis[k] - axis[k] * along) * by_angle + d_angle * axis[k];
            d[3 + k] -= d_apart;
            d[11 + k] += d_apart;
        }
        d[6] += d_scale * distortion;
        d[7 + row] += weight;
        d[9] += d_scale * focus * square;
        d[10] += d_scale * focus * square * square;
        d[14] += found.error[row];
    }
}

/// One observation, and the derivatives of both errors.
pub struct Bundle;

#[derive(Clone)]
pub struct State {
    error: [f64; 2],
    d_error: [f64; 2],
    camera: [f64; 11],
    point: [f64; 3],
    weight: f64,
    seen: [f64; 2],
    jacobian: [[f64; 15]; 2],
}

/// What the adjoint of [`reprojection`] is called with.
type Arguments<'a> = (
    &'a mut [f64; 2],
    &'a mut [f64; 2],
    &'a [f64; 11],
    &'a mut [f64; 11],
    &'a [f64; 3],
    &'a mut [f64; 3],
    &'a f64,
    &'a mut f64,
    &'a [f64; 2],
);

impl State {
    /// To find one row of the Jacobian.
    fn row(&mut self, row: usize) -> Arguments<'_> {
        let State { error, d_error, camera, point, weight, seen, jacobian } = self;
        *d_error = [0.0; 2];
        d_error[row] = 1.0;
        let (d_camera, rest) = jacobian[row].split_first_chunk_mut().expect("15 numbers");
        let (d_point, rest) = rest.split_first_chunk_mut().expect("4 numbers");
        (error, d_error, camera, d_camera, point, d_point, weight, &mut rest[0], seen)
    }
}

const SEEN: [f64; 2] = [0.3, -0.2];

fn flat(state: &State) -> Vec<f64> {
    [&state.camera[..], &state.point, &[state.weight]].concat()
}

/// Of the arguments twice: the first error of the first ones and the second
/// error of the others. Its gradient has both rows of the Jacobian.
impl Function for Bundle {
    fn value<N: Number>(&self, x: &[N]) -> N {
        let (first, second) = x.split_at(15);
        error_of(first)[0] + error_of(second)[1]
    }
}

fn error_of<N: Number>(x: &[N]) -> [N; 2] {
    let inner = |a: [N; 3], b: [N; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let rotation = [x[0], x[1], x[2]];
    let apart = [x[11] - x[3], x[12] - x[4], x[13] - x[5]];
    let angle = inner(rotation, rotation).sqrt();
    let axis = rotation.map(|r| r / angle);
    let (sin, cos) = (angle.sin(), angle.cos());
    let along = inner(axis, apart) * (-cos).shifted(1.0);
    let turned: [N; 3] = std::array::from_fn(|k| {
        let (l, m) = ((k + 1) % 3, (k + 2) % 3);
        let across = axis[l] * apart[m] - axis[m] * apart[l];
        apart[k] * cos + across * sin + axis[k] * along
    });
    let seen = [turned[0] / turned[2], turned[1] / turned[2]];
    let square = seen[0] * seen[0] + seen[1] * seen[1];
    let distortion = (x[9] * square + x[10] * square * square).shifted(1.0);
    let scale = x[6] * distortion;
    std::array::from_fn(|k| x[14] * (scale * seen[k] + x[7 + k]).shifted(-SEEN[k]))
}

impl Program for Bundle {
    type State = State;

    fn name(&self) -> String {
        "bundle adjustment, 2 x 15".into()
    }

    fn by_hand(&self) -> &'static str {
        "both rows at once"
    }

    fn start(&self) -> State {
        let numbers = numbers(7, 15);
        let mut camera = std::array::from_fn(|k| numbers[k]);
        camera[5] -= 3.0;
        camera[6] += 2.0;
        let point = std::array::from_fn(|k| numbers[11 + k]);
        let weight = numbers[14] + 1.0;
        State {
            error: [0.0; 2],
            d_error: [0.0; 2],
            camera,
            point,
            weight,
            seen: SEEN,
            jacobian: [[0.0; 15]; 2],
        }
    }

    fn value_by_hand(state: &mut State) {
        let State { error, camera, point, weight, seen, .. } = state;
        reprojection_by_hand(error, camera, point, *weight, seen);
    }

    fn call(state: &mut State) {
        let State { error, camera, point, weight, seen, .. } = state;
        reprojection(error, camera, point, weight, seen);
    }

    fn adjoint_by_hand(state: &mut State) {
        let State { camera, point, weight, seen, jacobian, .. } = state;
        jacobian_by_hand(jacobian, camera, point, *weight, seen);
    }

    fn adjoint(state: &mut State) {
        let end = state.error;
        for row in 0..2 {
            state.error = end;
            reprojection {}.call_adjoint(state.row(row));
        }
    }

    fn gradient_alone(state: &mut State) {
        for row in 0..2 {
            reprojection {}.call_gradient(state.row(row));
        }
    }

    fn arguments(state: &State) -> Vec<f64> {
        flat(state).repeat(2)
    }

    fn gradient(state: &State) -> Vec<f64> {
        state.jacobian.concat()
    }
}
