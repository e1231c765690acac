//! Clusters of points around centroids: how far the points are from the nearest
//! one, and where Newton's method moves the centroids.

use super::Function;
use super::blocks::Blocks;
use crate::measure::{measure, read};
use crate::rows::Rows;
use crate::threads::{Threads, add_all};
use retrograde::prelude::*;
use serde::Deserialize;

/// Adds the squares of the distances of all points to their centroids. Points and
/// centroids have `d` coordinates; `nearest` is the centroid of each point.
#[reversible]
pub fn cost<T: Real>(
    cost: &mut T,
    centroids: &[T],
    #[constant] points: &[f64],
    nearest: &[usize],
    d: usize,
) {
    for (point, k) in points.chunks_exact(d).zip(nearest) {
        for (c, x) in centroids[*k * d..*k * d + d].iter().zip(point) {
            let apart = *c - T::from_f64(*x);
            *cost += apart * apart;
        }
    }
}

/// The nearest centroid of each point. Where the centroids are moved by little, it
/// stays the same.
fn find_nearest(
    nearest: &mut [usize],
    centroids: &[f64],
    points: &Blocks,
    d: usize,
    threads: Threads,
) {
    let size = PART.next_multiple_of(points.side);
    threads.each(nearest, size, |from, nearest| {
        find_nearest_from(from, nearest, centroids, points, d);
    });
}

fn find_nearest_from(
    from: usize,
    nearest: &mut [usize],
    centroids: &[f64],
    points: &Blocks,
    d: usize,
) {
    let blocks = points.rows[from * d..].chunks_exact(d * points.side);
    for (nearest, block) in nearest.chunks_mut(points.side).zip(blocks) {
        for (i, nearest) in nearest.chunks_mut(Blocks::LANES).enumerate() {
            let (mut closest, mut found) = ([f64::INFINITY; Blocks::LANES], [0.0; Blocks::LANES]);
            for (k, centroid) in centroids.chunks_exact(d).enumerate() {
                let squares = distances(centroid, &block[i * Blocks::LANES..], points.side);
                for ((closest, found), square) in closest.iter_mut().zip(&mut found).zip(squares) {
                    // The number as a float, so that all is done in wide registers.
                    *found = if square < *closest { k as f64 } else { *found };
                    *closest = if square < *closest { square } else { *closest };
                }
            }
            for (nearest, found) in nearest.iter_mut().zip(&found) {
                *nearest = *found as usize;
            }
        }
    }
}

/// The squares of the distances from a centroid to some points, whose coordinates are at
/// the beginnings of rows.
#[inline]
fn distances(centroid: &[f64], rows: &[f64], side: usize) -> [f64; Blocks::LANES] {
    let mut squares = [0.0; Blocks::LANES];
    for (c, row) in centroid.iter().zip(rows.chunks(side)) {
        for (square, x) in squares.iter_mut().zip(&row[..Blocks::LANES]) {
            *square += (c - x) * (c - x);
        }
    }
    squares
}

#[derive(Deserialize)]
struct Input {
    points: Rows,
    centroids: Rows,
}

/// How many points are a part of the work.
const PART: usize = 16 * Blocks::SIDE;

/// Points and centroids, one behind the other, and the points in blocks too.
struct Clusters {
    d: usize,
    points: Vec<f64>,
    blocks: Blocks,
    centroids: Vec<f64>,
    nearest: Vec<usize>,
    /// The centroids and what becomes of them, with their derivatives when all of
    /// them are moved alike.
    moved: Vec<Dual<f64>>,
    d_moved: Vec<Dual<f64>>,
    cost: f64,
}

impl Clusters {
    fn read(input: &serde_json::value::RawValue) -> Result<Self, String> {
        let Input { points, centroids } = read(input)?;
        let d = points.width;
        if d == 0 || points.count == 0 || centroids.count == 0 {
            return Err("there are no points, no centroids, or no coordinates".into());
        }
        if centroids.width != d {
            let width = centroids.width;
            return Err(format!("centroids of {width} coordinates for points of {d}"));
        }
        let (n, points, centroids) = (points.count, points.numbers, centroids.numbers);
        let moved = centroids.iter().map(|&c| Dual { value: c, tangents: [1.0] }).collect();
        let d_moved = vec![Dual::constant(0.0); centroids.len()];
        Ok(Clusters {
            d,
            nearest: vec![0; n],
            blocks: Blocks::new(&points, d),
            points,
            centroids,
            moved,
            d_moved,
            cost: 0.0,
        })
    }

    fn cost(&mut self, threads: Threads) {
        let Clusters { d, points, blocks, centroids, nearest, .. } = self;
        find_nearest(nearest, centroids, blocks, *d, threads);
        let parts = threads.map(nearest.len(), PART, |part| {
            let mut value = 0.0;
            let points = &points[part.start * *d..part.end * *d];
            cost(&mut value, centroids, points, &nearest[part], *d);
            value
        });
        self.cost = parts.into_iter().sum();
    }

    /// The gradient, and with it the second derivatives: as no two coordinates of
    /// centroids have one in common, those in the direction of all of them.
    fn derivatives(&mut self, threads: Threads) {
        let Clusters { d, points, blocks, centroids, nearest, moved, d_moved, .. } = self;
        find_nearest(nearest, centroids, blocks, *d, threads);
        let parts = threads.map(nearest.len(), PART, |part| {
            let mut d_moved = vec![Dual::constant(0.0); moved.len()];
            let (mut value, mut seed) = (Dual::constant(0.0), Dual::constant(1.0));
            let points = &points[part.start * *d..part.end * *d];
            let shadow = &mut d_moved[..];
            let of = (&mut value, &mut seed, &moved[..], shadow, points, &nearest[part], *d);
            cost {}.call_gradient(of);
            d_moved
        });
        d_moved.fill(Dual::constant(0.0));
        parts.iter().for_each(|part| add_all(d_moved, part));
    }

    /// The step of Newton's method.
    fn step(&self) -> Vec<Vec<f64>> {
        let step = |gradient: &Dual<f64>| gradient.value / gradient.tangents[0];
        self.d_moved.chunks_exact(self.d).map(|row| row.iter().map(step).collect()).collect()
    }
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "cost",
        run: |input, threads| {
            let run = |clusters: &mut Clusters| clusters.cost(threads);
            measure(input, Clusters::read, run, |clusters| clusters.cost)
        },
    },
    Function {
        name: "dir",
        run: |input, threads| {
            let run = |clusters: &mut Clusters| clusters.derivatives(threads);
            measure(input, Clusters::read, run, Clusters::step)
        },
    },
];
