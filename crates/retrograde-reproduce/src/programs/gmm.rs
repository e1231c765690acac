//! The log-likelihood of a mixture of Gaussians, with a Wishart prior, as the
//! benchmarks ADBench and GradBench define it.
//!
//! A component has a weight, a mean, and a factor Q of its inverse covariance:
//! a lower triangular matrix, given by the logarithms of its diagonal and then
//! what is below the diagonal, column by column.

use crate::programs::program::{Program, dot, numbers};
use crate::programs::tapes::{Function, Number};
use retrograde::prelude::*;
use std::f64::consts::{LN_2, PI};

/// Adds the log-likelihood of the points.
#[reversible]
pub fn log_likelihood<T: Real>(
    y: &mut T,
    alphas: &[T],
    means: &[T],
    factors: &[T],
    #[constant] points: &[T],
    #[constant] prior: Wishart,
) {
    let components = alphas.len();
    let d = means.len() / components;
    let count = points.len() / d;
    #[compute]
    {
        let mut scales = vec![T::zero(); components * d];
        let mut offsets = vec![T::zero(); components];
        for (((scale, offset), alpha), factor) in scales
            .chunks_exact_mut(d)
            .zip(offsets.iter_mut())
            .zip(alphas)
            .zip(factors.chunks_exact(d * (d + 1) / 2))
        {
            *offset += *alpha;
            for (s, q) in scale.iter_mut().zip(&factor[..d]) {
                *s += q.exp();
                *offset += *q;
            }
        }
    }
    for point in points.chunks_exact(d) {
        #[compute]
        {
            let mut centred = vec![T::zero(); components * d];
            let mut turned = vec![T::zero(); components * d];
            let mut terms = vec![T::zero(); components];
            for ((((((term, c), t), offset), mean), scale), factor) in terms
                .iter_mut()
                .zip(centred.chunks_exact_mut(d))
                .zip(turned.chunks_exact_mut(d))
                .zip(&offsets)
                .zip(means.chunks_exact(d))
                .zip(scales.chunks_exact(d))
                .zip(factors.chunks_exact(d * (d + 1) / 2))
            {
                for ((c_i, x_i), m_i) in c.iter_mut().zip(point).zip(mean) {
                    *c_i += *x_i - *m_i;
                }
                multiply(t, scale, &factor[d..], c);
                *term += *offset;
                for t_i in t.iter() {
                    *term -= 0.5 * *t_i * *t_i;
                }
            }
        }
        log_sum_exp(y, &terms);
    }
    #[compute]
    {
        let mut total = T::zero();
        log_sum_exp(&mut total, alphas);
    }
    *y -= total * T::from_f64(count as f64);
    log_prior(y, &scales, factors, d, prior);
    *y += T::from_f64(prior.constant(components, d) - 0.5 * (2.0 * PI).ln() * (count * d) as f64);
}

/// Adds Q x, for a lower triangular Q.
#[reversible]
pub fn multiply<T: Real>(y: &mut [T], diagonal: &[T], below: &[T], x: &[T]) {
    for ((y_i, q), x_i) in y.iter_mut().zip(diagonal).zip(x) {
        *y_i += *q * *x_i;
    }
    let d = x.len();
    for j in 0..d {
        let start = j * (2 * d - j - 1) / 2;
        for (y_i, q) in y[j + 1..].iter_mut().zip(&below[start..start + d - j - 1]) {
            *y_i += *q * x[j];
        }
    }
}

/// Adds `ln(Σ exp(x))`.
#[reversible]
pub fn log_sum_exp<T: Real>(y: &mut T, xs: &[T]) {
    let shift = greatest(xs);
    #[compute]
    {
        let mut sum = T::zero();
        for x in xs {
            sum += (*x - shift).exp();
        }
    }
    *y += shift + sum.ln();
}

/// A shift does not change the result of [`log_sum_exp`], nor its gradient.
#[differentiable(pullback = without_gradient)]
fn greatest<T: Real>(#[constant] xs: &[T]) -> T {
    let (first, others) = xs.split_first().expect("a number");
    others.iter().fold(first.clone(), |a, b| a.max(b.clone()))
}

fn without_gradient<T>(_g: &T, _xs: &[T]) {}

/// Adds what depends on the factors.
#[reversible]
pub fn log_prior<T: Real>(
    y: &mut T,
    scales: &[T],
    factors: &[T],
    d: usize,
    #[constant] prior: Wishart,
) {
    let weight = T::from_f64(0.5 * prior.gamma * prior.gamma);
    let m = T::from_f64(prior.m as f64);
    for (scale, factor) in scales.chunks_exact(d).zip(factors.chunks_exact(d * (d + 1) / 2)) {
        for (s, q) in scale.iter().zip(&factor[..d]) {
            *y += weight * *s * *s - m * *q;
        }
        for q in &factor[d..] {
            *y += weight * *q * *q;
        }
    }
}

/// The prior's parameters.
#[derive(Clone, Copy)]
pub struct Wishart {
    pub gamma: f64,
    pub m: u32,
}

impl Wishart {
    /// What does not depend on the factors.
    pub fn constant(self, components: usize, d: usize) -> f64 {
        let (p, n) = (d as f64, d as f64 + f64::from(self.m) + 1.0);
        let c = n * p * (self.gamma.ln() - 0.5 * LN_2) - log_gamma_of_many(0.5 * n, d);
        -(components as f64) * c
    }
}

/// The logarithm of the multivariate gamma function, for a multiple of ½.
fn log_gamma_of_many(a: f64, p: usize) -> f64 {
    let q = p as f64;
    let sum: f64 = (0..p).map(|j| log_gamma(a - 0.5 * j as f64)).sum();
    0.25 * q * (q - 1.0) * PI.ln() + sum
}

/// By `Γ(x + 1) = x Γ(x)`, from Γ(1) or Γ(½).
fn log_gamma(x: f64) -> f64 {
    let below: Vec<f64> =
        std::iter::successors(Some(x - 1.0), |x| Some(x - 1.0)).take_while(|x| *x > 0.0).collect();
    let start = if x.fract() == 0.0 { 0.0 } else { 0.5 * PI.ln() };
    start + below.iter().map(|x| x.ln()).sum::<f64>()
}

pub fn log_likelihood_by_hand(
    alphas: &[f64],
    means: &[f64],
    factors: &[f64],
    points: &[f64],
    prior: Wishart,
) -> f64 {
    let d = means.len() / alphas.len();
    let (scales, offsets) = prepare(alphas, factors, d);
    let (mut c, mut t) = (vec![0.0; d], vec![0.0; d]);
    let mut terms = vec![0.0; alphas.len()];
    let mut y = 0.0;
    for point in points.chunks_exact(d) {
        let components = means.chunks_exact(d).zip(scales.chunks_exact(d)).zip(&offsets);
        let factors = factors.chunks_exact(d * (d + 1) / 2);
        for ((term, ((mean, scale), offset)), factor) in
            terms.iter_mut().zip(components).zip(factors)
        {
            *term = offset - 0.5 * turn(&mut c, &mut t, point, mean, scale, &factor[d..]);
        }
        y += log_sum_exp_by_hand(&terms);
    }
    y - (points.len() / d) as f64 * log_sum_exp_by_hand(alphas)
        + log_prior_by_hand(&scales, factors, d, prior)
        + (prior.constant(alphas.len(), d) - 0.5 * (2.0 * PI).ln() * points.len() as f64)
}

/// The diagonals, and what is added to the terms of every point.
fn prepare(alphas: &[f64], factors: &[f64], d: usize) -> (Vec<f64>, Vec<f64>) {
    let factors = || factors.chunks_exact(d * (d + 1) / 2).map(|factor| &factor[..d]);
    let scales = factors().flatten().map(|q| q.exp()).collect();
    let offsets = alphas.iter().zip(factors()).map(|(a, q)| a + q.iter().sum::<f64>()).collect();
    (scales, offsets)
}

/// `c = x − mean`, `t = Q c`, and gives `|t|²`.
#[inline]
fn turn(
    c: &mut [f64],
    t: &mut [f64],
    point: &[f64],
    mean: &[f64],
    scale: &[f64],
    mut below: &[f64],
) -> f64 {
    for ((((c, t), x), m), s) in c.iter_mut().zip(&mut *t).zip(point).zip(mean).zip(scale) {
        *c = x - m;
        *t = s * *c;
    }
    for (j, c) in c.iter().enumerate() {
        let t = &mut t[j + 1..];
        let (column, rest) = below.split_at(t.len());
        for (t, q) in t.iter_mut().zip(column) {
            *t += q * c;
        }
        below = rest;
    }
    dot(t, t)
}

fn log_sum_exp_by_hand(xs: &[f64]) -> f64 {
    let shift = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    shift + xs.iter().map(|x| (x - shift).exp()).sum::<f64>().ln()
}

fn log_prior_by_hand(scales: &[f64], factors: &[f64], d: usize, prior: Wishart) -> f64 {
    let weight = 0.5 * prior.gamma * prior.gamma;
    let mut y = weight * dot(scales, scales);
    for factor in factors.chunks_exact(d * (d + 1) / 2) {
        let (logarithms, below) = factor.split_at(d);
        y += weight * dot(below, below) - f64::from(prior.m) * logarithms.iter().sum::<f64>();
    }
    y
}

/// Arguments and their gradients.
pub struct Parameters<'a> {
    pub alphas: (&'a [f64], &'a mut [f64]),
    pub means: (&'a [f64], &'a mut [f64]),
    pub factors: (&'a [f64], &'a mut [f64]),
}

pub fn adjoint_by_hand(d_y: f64, parameters: Parameters, points: &[f64], prior: Wishart) {
    let Parameters {
        alphas: (alphas, d_alphas),
        means: (means, d_means),
        factors: (factors, d_factors),
    } = parameters;
    let components = alphas.len();
    let d = means.len() / components;
    let width = d * (d + 1) / 2;
    let (scales, offsets) = prepare(alphas, factors, d);
    let mut d_offsets = vec![0.0; components];
    let (mut c, mut t) = (vec![0.0; components * d], vec![0.0; components * d]);
    let mut terms = vec![0.0; components];
    for point in points.chunks_exact(d) {
        let parts = means.chunks_exact(d).zip(scales.chunks_exact(d)).zip(&offsets);
        let results = terms.iter_mut().zip(c.chunks_exact_mut(d)).zip(t.chunks_exact_mut(d));
        for ((((term, c), t), ((mean, scale), offset)), factor) in
            results.zip(parts).zip(factors.chunks_exact(width))
        {
            *term = offset - 0.5 * turn(c, t, point, mean, scale, &factor[d..]);
        }
        softmax(&mut terms);
        let parts = scales.chunks_exact(d).zip(factors.chunks_exact(width));
        let results = d_offsets
            .iter_mut()
            .zip(d_means.chunks_exact_mut(d))
            .zip(d_factors.chunks_exact_mut(width));
        let computed = terms.iter().zip(c.chunks_exact(d)).zip(t.chunks_exact_mut(d));
        for ((((term, c), t), ((d_offset, d_mean), d_factor)), (scale, factor)) in
            computed.zip(results).zip(parts)
        {
            let weight = d_y * term;
            *d_offset += weight;
            // From here on, the gradient with respect to `t`.
            for t in t.iter_mut() {
                *t *= -weight;
            }
            let (d_logarithms, mut d_below) = d_factor.split_at_mut(d);
            let mut below = &factor[d..];
            for j in 0..d {
                let (column, rest) = below.split_at(d - j - 1);
                let (d_column, d_rest) = d_below.split_at_mut(d - j - 1);
                let t_below = &t[j + 1..];
                for (d_q, t) in d_column.iter_mut().zip(t_below) {
                    *d_q += t * c[j];
                }
                let diagonal = scale[j] * t[j];
                d_logarithms[j] += diagonal * c[j];
                d_mean[j] -= diagonal + dot(column, t_below);
                (below, d_below) = (rest, d_rest);
            }
        }
    }
    let count = d_y * (points.len() / d) as f64;
    terms.copy_from_slice(alphas);
    softmax(&mut terms);
    for ((d_alpha, d_offset), term) in d_alphas.iter_mut().zip(&d_offsets).zip(&terms) {
        *d_alpha += d_offset - count * term;
    }
    let weight = d_y * prior.gamma * prior.gamma;
    let shift = d_y * f64::from(prior.m);
    let each = scales.chunks_exact(d).zip(factors.chunks_exact(width));
    for (((scale, factor), d_factor), d_offset) in
        each.zip(d_factors.chunks_exact_mut(width)).zip(&d_offsets)
    {
        let (d_logarithms, d_below) = d_factor.split_at_mut(d);
        for (d_q, s) in d_logarithms.iter_mut().zip(scale) {
            *d_q += d_offset + weight * s * s - shift;
        }
        for (d_q, q) in d_below.iter_mut().zip(&factor[d..]) {
            *d_q += weight * q;
        }
    }
}

fn softmax(xs: &mut [f64]) {
    let shift = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for x in xs.iter_mut() {
        *x = (*x - shift).exp();
        sum += *x;
    }
    for x in xs {
        *x /= sum;
    }
}

/// `n` points in `d` dimensions, and a mixture of `k`.
pub struct Mixture {
    d: usize,
    k: usize,
    n: usize,
    points: Vec<f64>,
}

const PRIOR: Wishart = Wishart { gamma: 1.5, m: 2 };

#[derive(Clone)]
pub struct State {
    y: f64,
    d_y: f64,
    alphas: Vec<f64>,
    d_alphas: Vec<f64>,
    means: Vec<f64>,
    d_means: Vec<f64>,
    factors: Vec<f64>,
    d_factors: Vec<f64>,
    points: Vec<f64>,
}

impl Mixture {
    pub fn new(d: usize, k: usize, n: usize) -> Self {
        Mixture { d, k, n, points: numbers(4, n * d) }
    }
}

impl Function for Mixture {
    fn value<N: Number>(&self, x: &[N]) -> N {
        let Mixture { d, k, n, ref points } = *self;
        let (alphas, x) = x.split_at(k);
        let (means, factors) = x.split_at(k * d);
        let width = d * (d + 1) / 2;
        let factors = || factors.chunks_exact(width);
        let scales: Vec<N> = factors().flat_map(|q| &q[..d]).map(|q| q.exp()).collect();
        let sums: Vec<N> = factors().map(|q| N::sum(q[..d].iter().copied())).collect();
        let term = |point: &[f64], component: usize| {
            let mean = &means[component * d..];
            let scale = &scales[component * d..];
            let mut below = factors().nth(component).expect("a factor")[d..].iter();
            let c: Vec<N> = mean.iter().zip(point).map(|(m, x)| (-*m).shifted(*x)).collect();
            let mut t: Vec<N> = c.iter().zip(scale).map(|(c, s)| *s * *c).collect();
            for j in 0..d {
                for t in &mut t[j + 1..] {
                    *t = *t + *below.next().expect("a number below the diagonal") * c[j];
                }
            }
            let square = N::sum(t.iter().map(|t| *t * *t));
            alphas[component] + sums[component] - square.scaled(0.5)
        };
        let terms = points.chunks_exact(d).map(|point| {
            let terms: Vec<N> = (0..k).map(|component| term(point, component)).collect();
            log_sum_exp_of(&terms)
        });
        let likelihood = N::sum(terms) - log_sum_exp_of(alphas).scaled(n as f64);
        let squares = N::sum(scales.iter().map(|s| *s * *s));
        let below = factors().flat_map(|q| &q[d..]).map(|q| *q * *q).reduce(|a, b| a + b);
        let squares = below.map_or(squares, |below| squares + below);
        let prior = squares.scaled(0.5 * PRIOR.gamma * PRIOR.gamma)
            - N::sum(sums.iter().copied()).scaled(f64::from(PRIOR.m));
        (likelihood + prior).shifted(PRIOR.constant(k, d) - 0.5 * (2.0 * PI).ln() * (n * d) as f64)
    }
}

fn log_sum_exp_of<N: Number>(xs: &[N]) -> N {
    let shift = xs.iter().map(|x| x.value()).fold(f64::NEG_INFINITY, f64::max);
    N::sum(xs.iter().map(|x| x.shifted(-shift).exp())).ln().shifted(shift)
}

impl Program for Mixture {
    type State = State;

    fn name(&self) -> String {
        format!("GMM, d = {}, K = {}, n = {}", self.d, self.k, self.n)
    }

    fn start(&self) -> State {
        let &Mixture { d, k, .. } = self;
        let width = d * (d + 1) / 2;
        State {
            y: 0.0,
            d_y: 1.0,
            alphas: numbers(1, k),
            d_alphas: vec![0.0; k],
            means: numbers(2, k * d),
            d_means: vec![0.0; k * d],
            factors: numbers(3, k * width),
            d_factors: vec![0.0; k * width],
            points: self.points.clone(),
        }
    }

    fn value_by_hand(state: &mut State) {
        let State { y, alphas, means, factors, points, .. } = state;
        *y += log_likelihood_by_hand(alphas, means, factors, points, PRIOR);
    }

    fn call(state: &mut State) {
        let State { y, alphas, means, factors, points, .. } = state;
        log_likelihood(y, alphas, means, factors, points, PRIOR);
    }

    fn adjoint_by_hand(state: &mut State) {
        let parameters = Parameters {
            alphas: (&state.alphas, &mut state.d_alphas),
            means: (&state.means, &mut state.d_means),
            factors: (&state.factors, &mut state.d_factors),
        };
        adjoint_by_hand(state.d_y, parameters, &state.points, PRIOR);
    }

    #[rustfmt::skip]
    fn adjoint(state: &mut State) {
        let State { y, d_y, alphas, d_alphas, means, d_means, factors, d_factors, points } = state;
        log_likelihood::adjoint(
            y, d_y, alphas, d_alphas, means, d_means, factors, d_factors, points, PRIOR,
        );
    }

    fn gradient_alone(state: &mut State) {
        let State { y, d_y, alphas, d_alphas, means, d_means, factors, d_factors, points } = state;
        log_likelihood {}.call_gradient((
            y,
            d_y,
            &alphas[..],
            &mut d_alphas[..],
            &means[..],
            &mut d_means[..],
            &factors[..],
            &mut d_factors[..],
            &points[..],
            PRIOR,
        ));
    }

    fn arguments(state: &State) -> Vec<f64> {
        [&state.alphas[..], &state.means, &state.factors].concat()
    }

    fn gradient(state: &State) -> Vec<f64> {
        [&state.d_alphas[..], &state.d_means, &state.d_factors].concat()
    }
}
