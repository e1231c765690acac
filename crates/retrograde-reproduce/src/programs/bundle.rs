//! The error of an observation in bundle adjustment, and its Jacobian, by hand and for tapes;
//! [`bundle_adjustment`] has it reversible.
//!
//! [`bundle_adjustment`]: retrograde_examples::bundle_adjustment

use crate::programs::program::{Program, numbers};
use crate::programs::tapes::{Function, Number};
use retrograde::prelude::*;
use retrograde_examples::bundle_adjustment::{both_rows, cross, dot, reprojection};

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

/// Adds the derivatives of the errors, weighted by each of the cotangents: with
/// respect to the camera, the point and the weight.
pub fn pull_by_hand<const ROWS: usize>(
    cotangents: &[[f64; 2]; ROWS],
    gradients: &mut [[f64; 15]; ROWS],
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
    for (d, [u, v]) in gradients.iter_mut().zip(cotangents) {
        let (d_u, d_v) = (weight * u, weight * v);
        let d_scale = d_u * x + d_v * y;
        let d_square = 2.0 * d_scale * by_square;
        let d_x = x * d_square + d_u * focus * distortion;
        let d_y = y * d_square + d_v * focus * distortion;
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
        d[7] += d_u;
        d[8] += d_v;
        d[9] += d_scale * focus * square;
        d[10] += d_scale * focus * square * square;
        d[14] += u * found.error[0] + v * found.error[1];
    }
}

/// One observation, and the errors' derivatives: a row of them for each cotangent.
pub struct Bundle<const ROWS: usize> {
    pub cotangents: [[f64; 2]; ROWS],
    pub seen: [f64; 2],
}

impl Bundle<1> {
    pub fn product() -> Self {
        Bundle { cotangents: [[0.75, -0.5]], seen: SEEN }
    }
}

impl Bundle<2> {
    pub fn jacobian() -> Self {
        Bundle { cotangents: [[1.0, 0.0], [0.0, 1.0]], seen: SEEN }
    }
}

#[derive(Clone)]
pub struct State<const ROWS: usize> {
    error: [f64; 2],
    d_error: [f64; 2],
    camera: [f64; 11],
    point: [f64; 3],
    weight: f64,
    seen: [f64; 2],
    cotangents: [[f64; 2]; ROWS],
    gradients: [[f64; 15]; ROWS],
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

impl<const ROWS: usize> State<ROWS> {
    /// To find one row.
    fn row(&mut self, row: usize) -> Arguments<'_> {
        let State { error, d_error, camera, point, weight, seen, cotangents, gradients } = self;
        *d_error = cotangents[row];
        let (d_camera, rest) = gradients[row].split_first_chunk_mut().expect("15 numbers");
        let (d_point, rest) = rest.split_first_chunk_mut().expect("4 numbers");
        (error, d_error, camera, d_camera, point, d_point, weight, &mut rest[0], seen)
    }

    /// To find all rows at once.
    fn all_rows(&mut self) {
        let State { camera, point, weight, seen, gradients, .. } = self;
        let rows = both_rows(camera, point, weight, seen);
        for (gradient, row) in gradients.iter_mut().zip(&rows) {
            gradient.iter_mut().zip(row).for_each(|(g, d)| *g += d);
        }
    }
}

const SEEN: [f64; 2] = [0.3, -0.2];

/// Of the arguments as often as there are rows, so that the gradient of this has
/// all of them.
impl<const ROWS: usize> Function for Bundle<ROWS> {
    fn value<N: Number>(&self, x: &[N]) -> N {
        N::sum(x.chunks_exact(15).zip(&self.cotangents).map(|(x, [u, v])| {
            let error = error_of(x, &self.seen);
            match (*u, *v) {
                (u, 0.0) => error[0].scaled(u),
                (0.0, v) => error[1].scaled(v),
                (u, v) => error[0].scaled(u) + error[1].scaled(v),
            }
        }))
    }
}

fn error_of<N: Number>(x: &[N], seen: &[f64; 2]) -> [N; 2] {
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
    let at = [turned[0] / turned[2], turned[1] / turned[2]];
    let square = at[0] * at[0] + at[1] * at[1];
    let distortion = (x[9] * square + x[10] * square * square).shifted(1.0);
    let scale = x[6] * distortion;
    std::array::from_fn(|k| x[14] * (scale * at[k] + x[7 + k]).shifted(-seen[k]))
}

impl<const ROWS: usize> Program for Bundle<ROWS> {
    type State = State<ROWS>;

    fn name(&self) -> String {
        match ROWS {
            1 => "bundle adjustment".into(),
            _ => "the same, both errors' rows".into(),
        }
    }

    fn by_hand(&self) -> &'static str {
        if ROWS == 1 { "" } else { "both rows after one look" }
    }

    fn start(&self) -> State<ROWS> {
        let numbers = numbers(7, 15);
        let mut camera = std::array::from_fn(|k| numbers[k]);
        camera[5] -= 3.0;
        camera[6] += 2.0;
        State {
            error: [0.0; 2],
            d_error: [0.0; 2],
            camera,
            point: std::array::from_fn(|k| numbers[11 + k]),
            weight: numbers[14] + 1.0,
            seen: self.seen,
            cotangents: self.cotangents,
            gradients: [[0.0; 15]; ROWS],
        }
    }

    fn value_by_hand(state: &mut State<ROWS>) {
        let State { error, camera, point, weight, seen, .. } = state;
        reprojection_by_hand(error, camera, point, *weight, seen);
    }

    fn call(state: &mut State<ROWS>) {
        let State { error, camera, point, weight, seen, .. } = state;
        reprojection(error, camera, point, weight, seen);
    }

    fn adjoint_by_hand(state: &mut State<ROWS>) {
        let State { camera, point, weight, seen, cotangents, gradients, .. } = state;
        pull_by_hand(cotangents, gradients, camera, point, *weight, seen);
    }

    fn adjoint(state: &mut State<ROWS>) {
        if ROWS == 1 {
            reprojection {}.call_adjoint(state.row(0));
        } else {
            state.all_rows();
        }
    }

    fn gradient_alone(state: &mut State<ROWS>) {
        if ROWS == 1 {
            reprojection {}.call_gradient(state.row(0));
        } else {
            state.all_rows();
        }
    }

    fn arguments(state: &State<ROWS>) -> Vec<f64> {
        [&state.camera[..], &state.point, &[state.weight]].concat().repeat(ROWS)
    }

    fn gradient(state: &State<ROWS>) -> Vec<f64> {
        state.gradients.concat()
    }
}
