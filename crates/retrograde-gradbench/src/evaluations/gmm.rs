//! A mixture of Gaussians that is fitted to points: how likely the points are, with a
//! prior of Wishart's for the covariances.
//!
//! A component has a weight, a mean, and a factor Q of its inverse covariance: a lower
//! triangular matrix, given by the logarithms of its diagonal and by what is below the
//! diagonal, column by column.

use super::Function;
use super::blocks::Blocks;
use crate::measure::{measure, read};
use crate::rows::Rows;
use crate::threads::{Threads, add_all};
use retrograde::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::f64::consts::{LN_2, PI};

/// Adds the logarithm of how likely the components make points, but for what is the
/// same for all points. These are the first `n` of some blocks, where rows have `side`
/// numbers.
#[reversible(fused)]
#[allow(clippy::too_many_arguments)]
pub fn log_likelihood<T: Real>(
    value: &mut T,
    alpha: &[T],
    mu: &[T],
    q: &[T],
    l: &[T],
    #[constant] rows: &[f64],
    side: usize,
    n: usize,
) {
    let k = alpha.len();
    let d = mu.len() / k;
    let below = l.len() / k;
    #[constant]
    let packed = Packed::new(d);
    #[compute]
    {
        let mut factors = vec![T::zero(); k * packed.len];
        let mut offset = vec![T::zero(); k];
        for (c, factor) in factors.chunks_exact_mut(packed.len).enumerate() {
            for (log, place) in q[c * d..(c + 1) * d].iter().zip(&packed.diagonal) {
                factor[*place] += log.exp();
            }
            for (entry, place) in l[c * below..(c + 1) * below].iter().zip(&packed.below) {
                factor[*place] += *entry;
            }
        }
        for ((offset, alpha), q) in offset.iter_mut().zip(alpha).zip(q.chunks_exact(d)) {
            *offset += *alpha;
            for log in q {
                *offset += *log;
            }
        }
    }
    for (i, block) in rows.chunks_exact(d * side).enumerate() {
        #[compute]
        {
            let mut turned = vec![T::zero(); k * d * side];
            let mut terms = vec![T::zero(); k * side];
            for ((((own, sums), start), mean), factor) in turned
                .chunks_exact_mut(d * side)
                .zip(terms.chunks_exact_mut(side))
                .zip(&offset)
                .zip(mu.chunks_exact(d))
                .zip(factors.chunks_exact(packed.len))
            {
                turn(own, mean, factor, &packed, block);
                log_density(sums, start, &*own);
            }
        }
        log_sum_exps(value, &terms, offset.len(), n - i * side);
    }
}

/// Adds the prior, and what the likelihoods of all `n` points have in common.
#[reversible(fused)]
pub fn log_prior<T: Real>(
    value: &mut T,
    alpha: &[T],
    q: &[T],
    l: &[T],
    n: usize,
    #[constant] prior: Wishart,
) {
    let k = alpha.len();
    let d = q.len() / k;
    #[compute]
    {
        let mut total = T::zero();
        log_sum_exp(&mut total, alpha);
    }
    *value -= T::from_f64(n as f64) * total;
    for log in q {
        *value += log.scaled(prior.m) - (2.0 * *log).exp().scaled(prior.half_square());
    }
    for entry in l {
        *value -= T::from_f64(prior.half_square()) * *entry * *entry;
    }
    *value += T::from_f64(prior.constant(k, d) - 0.5 * (2.0 * PI).ln() * (n * d) as f64);
}

/// Adds `Q (x − mean)` for a block of points. `q` is packed, and rows are in that order.
#[reversible(fused)]
pub fn turn<T: Real>(
    turned: &mut [T],
    mean: &[T],
    q: &[T],
    #[constant] packed: &Packed,
    #[constant] block: &[f64],
) {
    let side = block.len() / mean.len();
    #[compute]
    {
        let mut centred = vec![T::zero(); block.len()];
        for ((from, place), mean) in block.chunks_exact(side).zip(&packed.rows).zip(mean) {
            let to = *place * side;
            for (x, c) in from.iter().zip(&mut centred[to..to + side]) {
                *c += T::from_f64(*x) - *mean;
            }
        }
    }
    multiply(turned, q, &centred, side);
}

/// Adds `Q x`, for each `x` of a block. `q` is packed, and rows are in that order.
#[reversible(fused)]
#[inline(never)]
pub fn multiply<T: Real>(y: &mut [T], q: &[T], x: &[T], side: usize) {
    let groups = x.len() / side / TILE;
    let (places, half, len) = (packed_groups(groups), 2 * groups * side, TILE * groups * side);
    // The rows that are too few for a group.
    for (i, row) in y[len..].chunks_exact_mut(side).enumerate() {
        let from = places + packed_rows(groups, i);
        let width = TILE * groups + i + 1;
        for (entry, xs) in q[from..from + width].iter().zip(x[..width * side].chunks_exact(side)) {
            for (t, c) in row.iter_mut().zip(xs.iter()) {
                *t += *entry * *c;
            }
        }
    }
    multiply_groups(&mut y[..len], &q[..places], &x[..half], &x[half..len], side);
}

/// Adds the product with the rows that are in groups.
#[reversible(fused)]
pub fn multiply_groups<T: Real>(y: &mut [T], q: &[T], x_01: &[T], x_23: &[T], side: usize) {
    let len = x_01.len() / 2;
    let (y_01, y_23) = y.split_at_mut(2 * len);
    let (y_0, y_1) = y_01.split_at_mut(len);
    let (y_2, y_3) = y_23.split_at_mut(len);
    let (x_0, x_1) = x_01.split_at(len);
    let (x_2, x_3) = x_23.split_at(len);
    for (i, (((y_0, y_1), y_2), y_3)) in y_0
        .chunks_exact_mut(side)
        .zip(y_1.chunks_exact_mut(side))
        .zip(y_2.chunks_exact_mut(side))
        .zip(y_3.chunks_exact_mut(side))
        .enumerate()
    {
        let (from, to, end) = (packed_groups(i), packed_groups(i + 1), (i + 1) * side);
        multiply_group(
            y_0,
            y_1,
            y_2,
            y_3,
            &q[from..to],
            &x_0[..end],
            &x_1[..end],
            &x_2[..end],
            &x_3[..end],
        );
    }
}

/// Adds the product with four rows of a matrix, in tiles of four columns: whatever is
/// read is used four times.
#[reversible(fused)]
#[inline(never)]
#[allow(clippy::too_many_arguments)]
pub fn multiply_group<T: Real>(
    y_0: &mut [T],
    y_1: &mut [T],
    y_2: &mut [T],
    y_3: &mut [T],
    tiles: &[T],
    x_0: &[T],
    x_1: &[T],
    x_2: &[T],
    x_3: &[T],
) {
    let side = y_0.len();
    for ((((q, x_0), x_1), x_2), x_3) in tiles
        .chunks_exact(TILE * TILE)
        .zip(x_0.chunks_exact(side))
        .zip(x_1.chunks_exact(side))
        .zip(x_2.chunks_exact(side))
        .zip(x_3.chunks_exact(side))
    {
        for (((((((t_0, t_1), t_2), t_3), c_0), c_1), c_2), c_3) in y_0
            .iter_mut()
            .zip(y_1.iter_mut())
            .zip(y_2.iter_mut())
            .zip(y_3.iter_mut())
            .zip(x_0.iter())
            .zip(x_1.iter())
            .zip(x_2.iter())
            .zip(x_3.iter())
        {
            *t_0 += q[0] * *c_0 + q[1] * *c_1 + q[2] * *c_2 + q[3] * *c_3;
            *t_1 += q[4] * *c_0 + q[5] * *c_1 + q[6] * *c_2 + q[7] * *c_3;
            *t_2 += q[8] * *c_0 + q[9] * *c_1 + q[10] * *c_2 + q[11] * *c_3;
            *t_3 += q[12] * *c_0 + q[13] * *c_1 + q[14] * *c_2 + q[15] * *c_3;
        }
    }
}

/// So many rows and columns of a matrix are looked at together.
const TILE: usize = 4;

/// Where the entries of a lower triangular matrix are when it is packed.
///
/// Rows are in groups of four, and columns too. A tile is where both meet; what it has
/// above the diagonal is zero. Group by group, its tiles are next to each other. The rows
/// that are too few for a group follow, one by one.
///
/// The first rows of all groups are next to each other in a block, then the second ones,
/// and so on.
pub struct Packed {
    /// The place of each row in a block.
    pub rows: Vec<usize>,
    /// The place of each entry of the diagonal.
    pub diagonal: Vec<usize>,
    /// The places of those below the diagonal, column by column.
    pub below: Vec<usize>,
    /// How many places there are.
    pub len: usize,
}

impl Packed {
    /// Of a matrix with `d` rows.
    pub fn new(d: usize) -> Self {
        let groups = d / TILE;
        let row = |i: usize| if i < TILE * groups { i % TILE * groups + i / TILE } else { i };
        let entry = |i: usize, j: usize| {
            if i < TILE * groups {
                let tile = packed_groups(i / TILE) + j / TILE * TILE * TILE;
                tile + i % TILE * TILE + j % TILE
            } else {
                packed_groups(groups) + packed_rows(groups, i - TILE * groups) + row(j)
            }
        };
        let below = (0..d).flat_map(|j| (j + 1..d).map(move |i| entry(i, j)));
        Packed {
            rows: (0..d).map(row).collect(),
            diagonal: (0..d).map(|i| entry(i, i)).collect(),
            below: below.collect(),
            len: packed_groups(groups) + packed_rows(groups, d % TILE),
        }
    }
}

/// How many places the first groups of rows take.
fn packed_groups(groups: usize) -> usize {
    TILE * TILE * groups * (groups + 1) / 2
}

/// How many places the first rows after the groups take.
fn packed_rows(groups: usize, rows: usize) -> usize {
    rows * (2 * TILE * groups + rows + 1) / 2
}

/// Adds the logarithm of a component's density at each of the turned points.
#[reversible(fused)]
#[inline(never)]
pub fn log_density<T: Real>(terms: &mut [T], offset: &T, turned: &[T]) {
    let side = terms.len();
    for term in terms.iter_mut() {
        *term += *offset;
    }
    for row in turned.chunks_exact(side) {
        for (term, t) in terms.iter_mut().zip(row) {
            *term -= 0.5 * t.powi(2);
        }
    }
}

/// Adds `Σ ln Σ exp(terms)`, for each of the first `n` points of a block. There is a
/// row of terms for each of the `k` components.
#[reversible(fused)]
pub fn log_sum_exps<T: Real>(value: &mut T, terms: &[T], k: usize, n: usize) {
    let side = terms.len() / k;
    #[constant]
    let tops = largest(terms, side);
    #[compute]
    {
        let mut sums = vec![T::zero(); side];
        for row in terms.chunks_exact(side) {
            for ((sum, term), top) in sums.iter_mut().zip(row).zip(&tops) {
                *sum += (*term - *top).fast_exp();
            }
        }
    }
    for (i, (sum, top)) in sums.iter().zip(&tops).enumerate() {
        if i < n {
            *value += sum.ln() + *top;
        }
    }
}

/// The largest term of each point. What is taken out of a sum of exponentials does
/// not change the result.
fn largest<T: Real>(terms: &[T], side: usize) -> Vec<T> {
    let mut rows = terms.chunks_exact(side);
    let mut tops = rows.next().map_or(Vec::new(), <[T]>::to_vec);
    for row in rows {
        for (top, term) in tops.iter_mut().zip(row) {
            if *term > *top {
                *top = term.clone();
            }
        }
    }
    tops
}

/// Adds `ln Σ exp(x)`.
#[reversible(fused)]
pub fn log_sum_exp<T: Real>(value: &mut T, x: &[T]) {
    #[constant]
    let top = super::lse::largest(x);
    #[compute]
    {
        let mut sum = T::zero();
        for v in x {
            sum += (*v - top).exp();
        }
    }
    *value += sum.ln() + top;
}

/// The parameters of the prior.
#[derive(Clone, Copy)]
pub struct Wishart {
    /// The scale.
    pub gamma: f64,
    /// How many degrees of freedom there are beyond the least.
    pub m: f64,
}

impl Wishart {
    fn half_square(self) -> f64 {
        0.5 * self.gamma * self.gamma
    }

    /// What does not depend on the components, for `k` of them in `d` dimensions.
    pub fn constant(self, k: usize, d: usize) -> f64 {
        let (p, n) = (d as f64, d as f64 + self.m + 1.0);
        let each = n * p * (self.gamma.ln() - 0.5 * LN_2) - log_gamma_of_many(0.5 * n, d);
        k as f64 * each
    }
}

/// The logarithm of the gamma function for many dimensions, at a multiple of ½.
fn log_gamma_of_many(a: f64, p: usize) -> f64 {
    let q = p as f64;
    let sum: f64 = (0..p).map(|j| log_gamma(a - 0.5 * j as f64)).sum();
    0.25 * q * (q - 1.0) * PI.ln() + sum
}

/// By `Γ(x + 1) = x Γ(x)`, from Γ(1) or Γ(½).
fn log_gamma(x: f64) -> f64 {
    let below = std::iter::successors(Some(x - 1.0), |x| Some(x - 1.0)).take_while(|x| *x > 0.0);
    let start = if x.fract() == 0.0 { 0.0 } else { 0.5 * PI.ln() };
    start + below.map(f64::ln).sum::<f64>()
}

#[derive(Deserialize)]
struct Input {
    d: usize,
    k: usize,
    n: usize,
    x: Rows,
    m: u32,
    gamma: f64,
    alpha: Vec<f64>,
    mu: Rows,
    q: Rows,
    l: Rows,
}

/// The parameters of all components, one behind the other.
#[derive(Clone)]
struct Components {
    alpha: Vec<f64>,
    mu: Vec<f64>,
    q: Vec<f64>,
    l: Vec<f64>,
}

impl Components {
    fn zeros(&self) -> Self {
        let zeros = |part: &Vec<f64>| vec![0.0; part.len()];
        let Components { alpha, mu, q, l } = self;
        Components { alpha: zeros(alpha), mu: zeros(mu), q: zeros(q), l: zeros(l) }
    }

    fn add(&mut self, other: &Self) {
        add_all(&mut self.alpha, &other.alpha);
        add_all(&mut self.mu, &other.mu);
        add_all(&mut self.q, &other.q);
        add_all(&mut self.l, &other.l);
    }
}

/// A mixture and points.
struct Mixture {
    d: usize,
    points: Blocks,
    prior: Wishart,
    components: Components,
    gradient: Components,
    value: f64,
}

impl Mixture {
    fn read(input: &RawValue) -> Result<Self, String> {
        let Input { d, k, n, x, m, gamma, alpha, mu, q, l } = read(input)?;
        if d == 0 || k == 0 || n == 0 {
            return Err(format!("{k} components for {n} points of {d} coordinates"));
        }
        let triangle = d * (d - 1) / 2;
        let all = [(&x, n, d), (&mu, k, d), (&q, k, d), (&l, k, triangle)];
        let shaped = all.iter().all(|(rows, n, d)| (rows.count, rows.width) == (*n, *d));
        if alpha.len() != k || !shaped {
            return Err(format!("not all is of the shapes for d = {d}, k = {k}, n = {n}"));
        }
        let components = Components { alpha, mu: mu.numbers, q: q.numbers, l: l.numbers };
        let gradient = components.clone();
        let prior = Wishart { gamma, m: f64::from(m) };
        let points = Blocks::new(&x.numbers, d);
        Ok(Mixture { d, points, prior, components, gradient, value: 0.0 })
    }

    /// What `f` makes of the blocks of each part: their rows, and how many points they have.
    fn parts<R: Send>(&self, threads: Threads, f: impl Fn(&[f64], usize) -> R + Sync) -> Vec<R> {
        let Blocks { rows, side, n } = &self.points;
        threads.map(n.div_ceil(*side), 1, |part| {
            let rows = &rows[part.start * self.d * side..part.end * self.d * side];
            f(rows, n.min(&(part.end * side)) - part.start * side)
        })
    }

    fn value(&mut self, threads: Threads) {
        let Components { alpha, mu, q, l } = &self.components;
        let parts = self.parts(threads, |rows, n| {
            let mut value = 0.0;
            log_likelihood(&mut value, alpha, mu, q, l, rows, self.points.side, n);
            value
        });
        let mut value = parts.into_iter().sum();
        log_prior(&mut value, alpha, q, l, self.points.n, self.prior);
        self.value = value;
    }

    fn gradient(&mut self, threads: Threads) {
        let Components { alpha, mu, q, l } = &self.components;
        let parts = self.parts(threads, |rows, n| {
            let mut own = self.components.zeros();
            log_likelihood {}.call_gradient((
                &mut 0.0,
                &mut 1.0,
                &alpha[..],
                &mut own.alpha[..],
                &mu[..],
                &mut own.mu[..],
                &q[..],
                &mut own.q[..],
                &l[..],
                &mut own.l[..],
                rows,
                self.points.side,
                n,
            ));
            own
        });
        let parts = parts.into_iter().reduce(|mut all, part| {
            all.add(&part);
            all
        });
        let mut all = parts.unwrap_or_else(|| self.components.zeros());
        log_prior {}.call_gradient((
            &mut 0.0,
            &mut 1.0,
            &alpha[..],
            &mut all.alpha[..],
            &q[..],
            &mut all.q[..],
            &l[..],
            &mut all.l[..],
            self.points.n,
            self.prior,
        ));
        self.gradient = all;
    }

    fn show_gradient(&self) -> Shown {
        let Components { alpha, mu, q, l } = &self.gradient;
        let rows = |all: &[f64]| all.chunks_exact(self.d).map(<[f64]>::to_vec).collect();
        let triangle = self.d * (self.d - 1) / 2;
        let triangles = (0..alpha.len()).map(|i| l[i * triangle..(i + 1) * triangle].to_vec());
        Shown { alpha: alpha.clone(), mu: rows(mu), q: rows(q), l: triangles.collect() }
    }
}

#[derive(Serialize)]
struct Shown {
    alpha: Vec<f64>,
    mu: Vec<Vec<f64>>,
    q: Vec<Vec<f64>>,
    l: Vec<Vec<f64>>,
}

/// What can be asked for.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "objective",
        run: |input, threads| {
            let run = |mixture: &mut Mixture| mixture.value(threads);
            measure(input, Mixture::read, run, |mixture| mixture.value)
        },
    },
    Function {
        name: "jacobian",
        run: |input, threads| {
            let run = |mixture: &mut Mixture| mixture.gradient(threads);
            measure(input, Mixture::read, run, Mixture::show_gradient)
        },
    },
];
