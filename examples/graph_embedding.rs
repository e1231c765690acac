//! The Petersen graph in `k` dimensions: joined vertices all equally far apart, and all
//! others equally far apart, but farther.
//!
//! Where `k` is large enough, the loss goes down to nothing. It needs five dimensions, and
//! there the two distances are as 1 to √2.
//!
//! `cargo run --release --example graph_embedding`

use retrograde::calculus::{With, gradient_into};
use retrograde::prelude::*;

/// How many vertices the graph has.
pub const VERTICES: usize = 10;

/// How many of them stay where they are, so that the graph cannot shrink to a point.
pub const FROZEN: usize = 2;

/// How many pairs of vertices are joined: a pentagon outside, a star inside, and five spokes.
pub const JOINED: usize = 15;

/// All pairs of vertices, those that are joined first.
pub const PAIRS: [(usize, usize); 45] = pairs();

const fn pairs() -> [(usize, usize); 45] {
    let mut pairs = [(0, 0); 45];
    let (mut near, mut far) = (0, JOINED);
    let mut i = 0;
    while i < VERTICES {
        let mut j = i + 1;
        while j < VERTICES {
            let next = if are_joined(i, j) { &mut near } else { &mut far };
            pairs[*next] = (i, j);
            *next += 1;
            j += 1;
        }
        i += 1;
    }
    pairs
}

/// Whether the vertices `i < j` are.
const fn are_joined(i: usize, j: usize) -> bool {
    match (i < 5, j < 5) {
        (true, true) => matches!(j - i, 1 | 4),
        (false, false) => matches!(j - i, 2 | 3),
        _ => j == i + 5,
    }
}

/// Adds how far the vertices `x` in `k` dimensions are from what is wanted: the variance of
/// the distances of those that are joined, that of the others, and a penalty where these are
/// not farther apart.
///
/// The coordinates of a vertex are `k` numbers of `x`, one after the other.
#[reversible]
pub fn embedding_loss<T: Real>(y: &mut T, x: &[T], k: usize) {
    #[compute]
    {
        let mut squares: [T; PAIRS.len()] = Zero::zero();
        for (square, &(i, j)) in squares.iter_mut().zip(&PAIRS) {
            for (a, b) in x[i * k..(i + 1) * k].iter().zip(&x[j * k..(j + 1) * k]) {
                *square += (*a - *b).powi(2);
            }
        }
        let mut distances: [T; PAIRS.len()] = Zero::zero();
        for (distance, square) in distances.iter_mut().zip(&squares) {
            *distance += square.sqrt();
        }
        let (mut near_sum, mut far_sum) = (0.0, 0.0);
        for distance in &distances[..JOINED] {
            near_sum += *distance;
        }
        for distance in &distances[JOINED..] {
            far_sum += *distance;
        }
        let (near, far) = (near_sum / 15.0, far_sum / 30.0);
        let (mut near_spread, mut far_spread) = (0.0, 0.0);
        for distance in &distances[..JOINED] {
            near_spread += (*distance - near).powi(2);
        }
        for distance in &distances[JOINED..] {
            far_spread += (*distance - far).powi(2);
        }
    }
    *y += near_spread / 14.0 + far_spread / 29.0;
    *y += (near - far + 0.1).max(0.0).exp() - 1.0;
}

/// Goes down the loss by the method "Adam", and gives the last loss.
pub fn train_by_adam(x: &mut [f64], k: usize, steps: i32, rate: f64) -> f64 {
    const KEEP: (f64, f64) = (0.9, 0.999);
    let loss = With(embedding_loss {}, (k,));
    let mut gradient = vec![0.0; x.len()];
    let (mut mean, mut square) = (gradient.clone(), gradient.clone());
    for step in 1..=steps {
        gradient.fill(0.0);
        gradient_into(&loss, x, &mut gradient);
        let (grown_mean, grown_square) = (1.0 - KEEP.0.powi(step), 1.0 - KEEP.1.powi(step));
        for i in FROZEN * k..x.len() {
            mean[i] += (1.0 - KEEP.0) * (gradient[i] - mean[i]);
            square[i] += (1.0 - KEEP.1) * (gradient[i].powi(2) - square[i]);
            x[i] -= rate * (mean[i] / grown_mean) / ((square[i] / grown_square).sqrt() + 1e-8);
        }
    }
    let mut y = 0.0;
    embedding_loss(&mut y, x, k);
    y
}

/// Somewhere to begin: coordinates between −1 and 1 without a pattern.
pub fn start(k: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let number = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    std::iter::repeat_with(number).skip(10).take(VERTICES * k).collect()
}

/// The mean distance of those that are not joined over that of those that are.
pub fn stretch(x: &[f64], k: usize) -> f64 {
    let point = |i: usize| &x[i * k..(i + 1) * k];
    let distance = |&(i, j): &(usize, usize)| {
        point(i).iter().zip(point(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    let mean =
        |pairs: &[(usize, usize)]| pairs.iter().map(distance).sum::<f64>() / pairs.len() as f64;
    mean(&PAIRS[JOINED..]) / mean(&PAIRS[..JOINED])
}

fn main() {
    for k in 1..=6 {
        let trained = (1..=5).map(|seed| {
            let mut x = start(k, seed);
            (train_by_adam(&mut x, k, 2000, 0.01), x)
        });
        let (loss, x) = trained.min_by(|a, b| a.0.total_cmp(&b.0)).expect("five of them");
        println!("k = {k}: loss {loss:8.1e}, far/near {:.6}", stretch(&x, k));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::calculus::{hessian, hessian_reverse, jacobian_forward};
    use retrograde::testing::{assert_gradient, assert_reversible};

    /// By the definitions, with the distances one after the other.
    fn plainly(x: &[f64], k: usize) -> f64 {
        let of = |pairs: &[(usize, usize)]| {
            let point = |i: usize| &x[i * k..(i + 1) * k];
            let distance = |&(i, j): &(usize, usize)| {
                point(i).iter().zip(point(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
            };
            let all: Vec<f64> = pairs.iter().map(distance).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let squares: f64 = all.iter().map(|d| (d - mean).powi(2)).sum();
            (mean, squares / (all.len() - 1) as f64)
        };
        let (near, far) = (of(&PAIRS[..JOINED]), of(&PAIRS[JOINED..]));
        near.1 + far.1 + (near.0 - far.0 + 0.1).max(0.0).exp() - 1.0
    }

    #[test]
    fn every_vertex_has_three_neighbours() {
        for vertex in 0..VERTICES {
            let meets = |&&(i, j): &&(usize, usize)| i == vertex || j == vertex;
            assert_eq!(PAIRS[..JOINED].iter().filter(meets).count(), 3);
            assert_eq!(PAIRS[JOINED..].iter().filter(meets).count(), 6);
        }
    }

    #[test]
    fn the_loss_is_that_of_the_definition() {
        for k in 1..=10 {
            let x = start(k, 3);
            let mut y = 0.5;
            embedding_loss(&mut y, &x, k);
            assert!((y - 0.5 - plainly(&x, k)).abs() < 1e-13);
            embedding_loss::inverse(&mut y, &x, k);
            assert!((y - 0.5).abs() < 1e-15);
        }
    }

    #[test]
    fn gradients() {
        for k in [1, 2, 5] {
            let x = start(k, 7);
            assert_reversible!(embedding_loss(&mut 0.5, &x, k));
            assert_gradient!(embedding_loss(&mut 0.5, &x, k));
        }
    }

    #[test]
    fn three_ways_to_the_hessian_agree() {
        let (k, x) = (3, start(3, 7));
        let loss = With(embedding_loss {}, (k,));
        let forward = hessian(&loss, &x);
        let reverse = hessian_reverse(&loss, &x);
        let duals: Vec<Dual<f64>> = x
            .iter()
            .enumerate()
            .map(|(i, x)| Dual { value: *x, tangents: [f64::from(u8::from(i == 4))] })
            .collect();
        let mut gradient = vec![Dual::constant(0.0); x.len()];
        gradient_into(&loss, &duals, &mut gradient);
        for (i, slope) in gradient.iter().enumerate() {
            assert!((forward.hessian[(i, 4)] - slope.tangents[0]).abs() < 1e-13);
            for j in 0..x.len() {
                assert!((forward.hessian[(i, j)] - reverse.hessian[(i, j)]).abs() < 1e-13);
            }
        }
        #[reversible]
        fn alone<T: Real>(y: &mut [T], x: &[T], k: usize) {
            embedding_loss(&mut y[0], x, k);
        }
        let by_duals = jacobian_forward(&With(alone {}, (k,)), 1, &x);
        for (a, b) in by_duals.jacobian.row(0).iter().zip(&forward.gradient) {
            assert!((a - b).abs() < 1e-13);
        }
    }

    #[test]
    fn five_dimensions_are_enough_and_four_are_not() {
        let best = |k: usize| {
            let trained = (1..=5).map(|seed| {
                let mut x = start(k, seed);
                (train_by_adam(&mut x, k, 2000, 0.01), stretch(&x, k))
            });
            trained.min_by(|a, b| a.0.total_cmp(&b.0)).expect("five of them")
        };
        assert!(best(4).0 > 1e-3);
        let (loss, stretch) = best(5);
        assert!(loss.abs() < 1e-5 && (stretch - 2.0_f64.sqrt()).abs() < 1e-3, "{loss} {stretch}");
    }
}
