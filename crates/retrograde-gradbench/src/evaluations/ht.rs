//! A hand that is fitted to measured points: how far from the surface of a model,
//! bent at its joints, each of them is, and how that changes with the joints.

use super::Function;
use crate::measure::{Measured, measure, read};
use crate::threads::Threads;
use retrograde::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The parameters: three of a rotation (an axis, as long as the angle), three of a
/// translation, and four for each finger.
const THETA: usize = 26;
const FINGERS: usize = 5;

/// What turns a point, and moves it by the last column.
pub type Transform<T> = [[T; 4]; 3];

/// A point in space.
pub type Point<T> = [T; 3];

/// A bone of the model.
pub struct Bone {
    /// The bone that it hangs on, which comes before it. One that hangs on nothing
    /// has its own number here.
    parent: usize,
    /// Where it is, seen from its parent, when no joint is bent.
    relative: Transform<f64>,
    /// Takes it back from where it is then.
    inverse: Transform<f64>,
}

/// A vertex moves with some bones: the number of each, and the coordinates of the
/// vertex times the weight of the bone.
pub type Vertex = Vec<(usize, [f64; 4])>;

/// A measured point, and the corners of the triangle that it is compared with.
pub struct Measurement {
    corners: [usize; 3],
    point: Point<f64>,
}

/// Adds where the vertices are.
#[reversible]
pub fn place<T: Real + Copy>(positions: &mut [Point<T>], theta: &[T], #[constant] hand: &Hand) {
    #[compute]
    {
        let mut moved = vec![[[T::zero(); 4]; 3]; hand.bones.len()];
        pose(&mut moved, theta, &hand.bones, hand.mirror);
    }
    skin(positions, &moved, &theta[3..6], &hand.vertices);
}

/// Adds how far measured points are from points of the surface. Where these are in
/// their triangles is given by `us`; without it, they are the first corners.
#[reversible]
pub fn compare<T: Real + Copy>(
    errors: &mut [Point<T>],
    us: &[[T; 2]],
    positions: &[Point<T>],
    #[constant] measurements: &[Measurement],
) {
    if us.is_empty() {
        for (error, to) in errors.iter_mut().zip(measurements) {
            for i in 0..3 {
                error[i] += T::from_f64(to.point[i]) - positions[to.corners[0]][i];
            }
        }
    } else {
        for ((error, to), u) in errors.iter_mut().zip(measurements).zip(us) {
            let (a, b) = (&positions[to.corners[0]], &positions[to.corners[1]]);
            let c = &positions[to.corners[2]];
            for i in 0..3 {
                error[i] += T::from_f64(to.point[i]) - c[i];
                error[i] -= u[0] * (a[i] - c[i]) + u[1] * (b[i] - c[i]);
            }
        }
    }
}

/// Adds how the bones, and all that hangs on them, are moved.
#[reversible]
pub fn pose<T: Real + Copy>(
    moved: &mut [Transform<T>],
    theta: &[T],
    #[constant] bones: &[Bone],
    #[constant] mirror: f64,
) {
    #[compute]
    {
        // Three joints of each finger are bent, and the first one turns too.
        let mut joints = vec![[T::zero(); 2]; bones.len()];
        for finger in 0..FINGERS {
            let (bone, first) = (2 + 4 * finger, 6 + 4 * finger);
            joints[bone][0] += theta[first];
            joints[bone][1] += theta[first + 1];
            joints[bone + 1][0] += theta[first + 2];
            joints[bone + 2][0] += theta[first + 3];
        }
        let mut relative = vec![[[T::zero(); 4]; 3]; bones.len()];
        let mut absolute = vec![[[T::zero(); 4]; 3]; bones.len()];
        let mut changed = vec![[[T::zero(); 4]; 3]; bones.len()];
        for (b, bone) in bones.iter().enumerate() {
            bend(&mut relative[b], &bone.relative, &joints[b]);
            if bone.parent < b {
                multiply(&mut absolute[b], &absolute[bone.parent], &relative[b]);
            } else {
                add(&mut absolute[b], &relative[b]);
            }
            multiply_given(&mut changed[b], &absolute[b], &bone.inverse);
        }
    }
    let turn = rotation(&[theta[0], theta[1], theta[2]]);
    for (moved, changed) in moved.iter_mut().zip(&changed) {
        for i in 0..3 {
            for j in 0..4 {
                moved[i][j] += turn[i][0].scaled(mirror) * changed[0][j]
                    + turn[i][1] * changed[1][j]
                    + turn[i][2] * changed[2][j];
            }
        }
    }
}

/// Adds where the vertices are, once the bones are moved.
#[reversible]
pub fn skin<T: Real + Copy>(
    positions: &mut [Point<T>],
    moved: &[Transform<T>],
    translation: &[T],
    #[constant] vertices: &[Vertex],
) {
    for (position, vertex) in positions.iter_mut().zip(vertices) {
        for (bone, place) in vertex {
            for i in 0..3 {
                for j in 0..4 {
                    position[i] += moved[*bone][i][j].scaled(place[j]);
                }
            }
        }
        for i in 0..3 {
            position[i] += translation[i];
        }
    }
}

/// Adds a transform behind a joint that is bent by one angle and turned by another.
#[reversible]
pub fn bend<T: Real + Copy>(y: &mut Transform<T>, #[constant] a: &Transform<f64>, joint: &[T; 2]) {
    let ((sin, cos), (s, c)) = (joint[0].sin_cos(), joint[1].sin_cos());
    for i in 0..3 {
        y[i][0] += c.scaled(a[i][0]) + s.scaled(a[i][1]);
        let across = c.scaled(a[i][1]) - s.scaled(a[i][0]);
        y[i][1] += across * cos + sin.scaled(a[i][2]);
        y[i][2] += cos.scaled(a[i][2]) - across * sin;
        y[i][3] += T::from_f64(a[i][3]);
    }
}

/// Adds one transform behind another.
#[reversible]
pub fn multiply<T: Real + Copy>(y: &mut Transform<T>, a: &Transform<T>, b: &Transform<T>) {
    for i in 0..3 {
        for j in 0..4 {
            y[i][j] += a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        }
        y[i][3] += a[i][3];
    }
}

/// Adds a transform behind one that is given.
#[reversible]
pub fn multiply_given<T: Real + Copy>(
    y: &mut Transform<T>,
    a: &Transform<T>,
    #[constant] b: &Transform<f64>,
) {
    for i in 0..3 {
        for j in 0..4 {
            y[i][j] += a[i][0].scaled(b[0][j]) + a[i][1].scaled(b[1][j]) + a[i][2].scaled(b[2][j]);
        }
        y[i][3] += a[i][3];
    }
}

/// Adds a transform.
#[reversible]
pub fn add<T: Real + Copy>(y: &mut Transform<T>, a: &Transform<T>) {
    for i in 0..3 {
        for j in 0..4 {
            y[i][j] += a[i][j];
        }
    }
}

/// The rotation about an axis, by an angle that is the axis's length.
#[differentiable]
pub fn rotation<T: Real + Copy>(axis: &Point<T>) -> [Point<T>; 3] {
    let angle = (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]).sqrt();
    if angle < 1e-4 {
        let (zero, one) = (T::zero(), T::one());
        [[one, zero, zero], [zero, one, zero], [zero, zero, one]]
    } else {
        let x = axis[0] / angle;
        let y = axis[1] / angle;
        let z = axis[2] / angle;
        let (sin, cos) = angle.sin_cos();
        let rest = 1.0 - cos;
        [
            [x * x * rest + cos, x * y * rest - z * sin, x * z * rest + y * sin],
            [x * y * rest + z * sin, y * y * rest + cos, y * z * rest - x * sin],
            [x * z * rest - y * sin, y * z * rest + x * sin, z * z * rest + cos],
        ]
    }
}

#[derive(Deserialize)]
struct Input {
    theta: Vec<f64>,
    data: Data,
    us: Vec<[f64; 2]>,
}

#[derive(Deserialize)]
struct Data {
    model: Model,
    correspondences: Vec<usize>,
    points: Vec<Point<f64>>,
}

#[derive(Deserialize)]
struct Model {
    parents: Vec<i64>,
    base_relatives: Vec<[[f64; 4]; 4]>,
    inverse_base_absolutes: Vec<[[f64; 4]; 4]>,
    base_positions: Vec<[f64; 4]>,
    weights: Vec<Vec<f64>>,
    triangles: Vec<[usize; 3]>,
    is_mirrored: bool,
}

/// A model, and what was measured. Of the vertices there are those that a measured
/// point is compared with: the others make no difference.
pub struct Hand {
    bones: Vec<Bone>,
    vertices: Vec<Vertex>,
    measurements: Vec<Measurement>,
    /// −1 if left and right are exchanged, 1 otherwise.
    mirror: f64,
}

impl Model {
    fn bones(&self) -> Result<Vec<Bone>, String> {
        let count = self.parents.len();
        if count < 2 + 4 * FINGERS
            || self.base_relatives.len() != count
            || self.inverse_base_absolutes.len() != count
        {
            return Err(format!("{count} bones, or transforms for another number of them"));
        }
        let transforms = self.base_relatives.iter().zip(&self.inverse_base_absolutes);
        let bone = |(b, (parent, (relative, inverse))): (usize, (&i64, _))| {
            let parent = match usize::try_from(*parent) {
                Ok(parent) if parent < b => parent,
                Err(_) if *parent == -1 => b,
                _ => return Err(format!("bone {b} comes before its parent {parent}")),
            };
            Ok(Bone { parent, relative: affine(relative)?, inverse: affine(inverse)? })
        };
        self.parents.iter().zip(transforms).enumerate().map(bone).collect()
    }

    fn vertex(&self, vertex: usize) -> Result<Vertex, String> {
        let found = self.base_positions.get(vertex).zip(self.weights.get(vertex));
        let (place, weights) = found.ok_or_else(|| format!("there is no vertex {vertex}"))?;
        if weights.len() != self.parents.len() {
            return Err(format!("{} weights for {} bones", weights.len(), self.parents.len()));
        }
        let moving = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        Ok(moving.map(|(bone, weight)| (bone, place.map(|x| weight * x))).collect())
    }
}

/// The first three rows, if the last one is `0 0 0 1`.
fn affine(matrix: &[[f64; 4]; 4]) -> Result<Transform<f64>, String> {
    let [a, b, c, last] = *matrix;
    if last == [0.0, 0.0, 0.0, 1.0] {
        Ok([a, b, c])
    } else {
        Err(format!("a transform whose last row is {last:?}"))
    }
}

impl Hand {
    fn new(Data { model, correspondences, points }: &Data, simple: bool) -> Result<Self, String> {
        if correspondences.len() != points.len() {
            return Err(format!("{} places for {} points", correspondences.len(), points.len()));
        }
        let mut numbers = vec![None; model.base_positions.len()];
        let mut vertices = Vec::new();
        let mut number = |vertex: usize| -> Result<usize, String> {
            let known = numbers.get_mut(vertex);
            let known = known.ok_or_else(|| format!("there is no vertex {vertex}"))?;
            if let Some(number) = *known {
                return Ok(number);
            }
            vertices.push(model.vertex(vertex)?);
            *known = Some(vertices.len() - 1);
            Ok(vertices.len() - 1)
        };
        let mut measurements = Vec::new();
        for (&place, &point) in correspondences.iter().zip(points) {
            let corners = if simple {
                [number(place)?; 3]
            } else {
                let corners = model.triangles.get(place);
                let [a, b, c] = *corners.ok_or_else(|| format!("there is no triangle {place}"))?;
                [number(a)?, number(b)?, number(c)?]
            };
            measurements.push(Measurement { corners, point });
        }
        let mirror = if model.is_mirrored { -1.0 } else { 1.0 };
        Ok(Hand { bones: model.bones()?, vertices, measurements, mirror })
    }
}

/// A hand, and how it is bent.
struct Fit {
    hand: Hand,
    theta: [f64; THETA],
    us: Vec<[f64; 2]>,
}

impl Fit {
    fn read(input: &RawValue) -> Result<Self, String> {
        let Input { theta, data, us } = read(input)?;
        let theta = theta.try_into();
        let theta = theta.map_err(|theta: Vec<f64>| format!("{} parameters", theta.len()))?;
        if !us.is_empty() && us.len() != data.points.len() {
            return Err(format!("{} places in triangles, {} points", us.len(), data.points.len()));
        }
        Ok(Fit { hand: Hand::new(&data, us.is_empty())?, theta, us })
    }

    /// All errors, of any type of numbers.
    fn residuals<T: Real + Copy + Send + Sync>(
        &self,
        errors: &mut [Point<T>],
        theta: &[T; THETA],
        us: &[[T; 2]],
        threads: Threads,
    ) {
        let mut positions = vec![[T::zero(); 3]; self.hand.vertices.len()];
        place(&mut positions, theta, &self.hand);
        threads.each(errors, PART, |from, errors| {
            errors.fill([T::zero(); 3]);
            let part = from..from + errors.len();
            let us = us.get(part.clone()).unwrap_or_default();
            compare(errors, us, &positions, &self.hand.measurements[part]);
        });
    }

    /// All columns of the Jacobian in one run, one in each direction of dual numbers:
    /// those of the parameters, after those of `us`. As every error depends on one
    /// pair of `us` only, all pairs share their directions.
    fn jacobian<const COLUMNS: usize>(
        &self,
        errors: &mut [Point<Dual<f64, COLUMNS>>],
        threads: Threads,
    ) {
        let direction = |i: usize| COLUMNS - THETA + i;
        let theta: [_; THETA] =
            std::array::from_fn(|i| Dual::variable(self.theta[i], direction(i)));
        let us: Vec<_> =
            self.us.iter().map(|u| [Dual::variable(u[0], 0), Dual::variable(u[1], 1)]).collect();
        self.residuals(errors, &theta, &us, threads);
    }
}

/// How many measured points are a part of the work.
const PART: usize = 256;

fn jacobian<const COLUMNS: usize>(
    input: Box<RawValue>,
    fit: Fit,
    threads: Threads,
) -> Result<Measured, String> {
    let errors = vec![[Dual::constant(0.0); 3]; fit.hand.measurements.len()];
    measure(
        input,
        |_| Ok((fit, errors)),
        |(fit, errors)| fit.jacobian::<COLUMNS>(errors, threads),
        |(_, errors)| errors.iter().flatten().map(|error| Row(error.tangents)).collect::<Vec<_>>(),
    )
}

/// A row of the Jacobian.
struct Row<const COLUMNS: usize>([f64; COLUMNS]);

impl<const COLUMNS: usize> Serialize for Row<COLUMNS> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "objective",
        run: |input, threads| {
            let prepare = |input: &RawValue| {
                let fit = Fit::read(input)?;
                let errors = vec![[0.0; 3]; fit.hand.measurements.len()];
                Ok((fit, errors))
            };
            measure(
                input,
                prepare,
                |(fit, errors)| fit.residuals(errors, &fit.theta, &fit.us, threads),
                |(_, errors)| errors.concat(),
            )
        },
    },
    Function {
        name: "jacobian",
        run: |input, threads| {
            let fit = Fit::read(&input)?;
            if fit.us.is_empty() {
                jacobian::<THETA>(input, fit, threads)
            } else {
                jacobian::<{ THETA + 2 }>(input, fit, threads)
            }
        },
    },
];
