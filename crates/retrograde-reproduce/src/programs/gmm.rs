//! The log-likelihood of a mixture of Gaussians by hand and for tapes; [`gmm`] has it
//! reversible.
//!
//! [`gmm`]: retrograde_examples::gmm

use crate::programs::program::{Program, dot, numbers};
use crate::programs::tapes::{Function, Number};
use retrograde::derivative::zero_like;
use retrograde::prelude::*;
use retrograde_examples::gmm::{Mixture, Wishart, log_likelihood};
use std::f64::consts::PI;

pub fn log_likelihood_by_hand(mixture: &Mixture<f64>, points: &[f64], prior: Wishart) -> f64 {
    let Mixture { alphas, means, factors } = mixture;
    let d = means.len() / alphas.len();
    let (scales, offsets) = prepare(alphas, factors, d);
    let mut t = vec![0.0; d];
    let mut terms = vec![0.0; alphas.len()];
    let mut y = 0.0;
    for point in points.chunks_exact(d) {
        let components = means.chunks_exact(d).zip(scales.chunks_exact(d)).zip(&offsets);
        let factors = factors.chunks_exact(d * (d + 1) / 2);
        for ((term, ((mean, scale), offset)), factor) in
            terms.iter_mut().zip(components).zip(factors)
        {
            *term = offset - 0.5 * turn(&mut t, point, mean, scale, &factor[d..]);
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

/// `t = Q (x − mean)`, and gives `|t|²`.
#[inline]
fn turn(t: &mut [f64], point: &[f64], mean: &[f64], scale: &[f64], mut below: &[f64]) -> f64 {
    for (((t, x), m), s) in t.iter_mut().zip(point).zip(mean).zip(scale) {
        *t = s * (x - m);
    }
    for (j, (x, m)) in point.iter().zip(mean).enumerate() {
        let t = &mut t[j + 1..];
        let (column, rest) = below.split_at(t.len());
        let c = x - m;
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

pub fn adjoint_by_hand(
    d_y: f64,
    (mixture, d_mixture): (&Mixture<f64>, &mut Mixture<f64>),
    points: &[f64],
    prior: Wishart,
) {
    let Mixture { alphas, means, factors } = mixture;
    let Mixture { alphas: d_alphas, means: d_means, factors: d_factors } = d_mixture;
    let components = alphas.len();
    let d = means.len() / components;
    let width = d * (d + 1) / 2;
    let (scales, offsets) = prepare(alphas, factors, d);
    let mut d_offsets = vec![0.0; components];
    let mut t = vec![0.0; components * d];
    let mut terms = vec![0.0; components];
    for point in points.chunks_exact(d) {
        let parts = means.chunks_exact(d).zip(scales.chunks_exact(d)).zip(&offsets);
        let results = terms.iter_mut().zip(t.chunks_exact_mut(d));
        for (((term, t), ((mean, scale), offset)), factor) in
            results.zip(parts).zip(factors.chunks_exact(width))
        {
            *term = offset - 0.5 * turn(t, point, mean, scale, &factor[d..]);
        }
        softmax(&mut terms);
        let parts =
            means.chunks_exact(d).zip(scales.chunks_exact(d)).zip(factors.chunks_exact(width));
        let results = d_offsets
            .iter_mut()
            .zip(d_means.chunks_exact_mut(d))
            .zip(d_factors.chunks_exact_mut(width));
        let computed = terms.iter().zip(t.chunks_exact_mut(d));
        for (((term, t), ((d_offset, d_mean), d_factor)), ((mean, scale), factor)) in
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
                let c = point[j] - mean[j];
                for (d_q, t) in d_column.iter_mut().zip(t_below) {
                    *d_q += t * c;
                }
                let diagonal = scale[j] * t[j];
                d_logarithms[j] += diagonal * c;
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
pub struct Fit {
    d: usize,
    k: usize,
    n: usize,
    points: Vec<f64>,
}

/// The prior of all of them.
pub const PRIOR: Wishart = Wishart { gamma: 1.5, m: 2 };

#[derive(Clone)]
pub struct State {
    pub y: f64,
    pub d_y: f64,
    pub mixture: Mixture<f64>,
    pub d_mixture: Mixture<f64>,
    pub points: Vec<f64>,
}

impl Fit {
    pub fn new(d: usize, k: usize, n: usize) -> Self {
        Fit { d, k, n, points: numbers(4, n * d) }
    }
}

impl Function for Fit {
    fn value<N: Number>(&self, x: &[N]) -> N {
        let Fit { d, k, n, ref points } = *self;
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

impl Program for Fit {
    type State = State;

    fn name(&self) -> String {
        format!("GMM, d = {}, K = {}, n = {}", self.d, self.k, self.n)
    }

    fn start(&self) -> State {
        let &Fit { d, k, .. } = self;
        let mixture = Mixture {
            alphas: numbers(1, k),
            means: numbers(2, k * d),
            factors: numbers(3, k * d * (d + 1) / 2),
        };
        let d_mixture = zero_like(&mixture);
        State { y: 0.0, d_y: 1.0, mixture, d_mixture, points: self.points.clone() }
    }

    fn value_by_hand(state: &mut State) {
        state.y += log_likelihood_by_hand(&state.mixture, &state.points, PRIOR);
    }

    fn call(state: &mut State) {
        log_likelihood(&mut state.y, &state.mixture, &state.points, PRIOR);
    }

    fn adjoint_by_hand(state: &mut State) {
        let State { d_y, mixture, d_mixture, points, .. } = state;
        adjoint_by_hand(*d_y, (mixture, d_mixture), points, PRIOR);
    }

    fn adjoint(state: &mut State) {
        let State { y, d_y, mixture, d_mixture, points } = state;
        log_likelihood::adjoint(y, d_y, mixture, d_mixture, points, PRIOR);
    }

    fn gradient_alone(state: &mut State) {
        let State { y, d_y, mixture, d_mixture, points } = state;
        log_likelihood {}.call_gradient((y, d_y, &*mixture, d_mixture, &points[..], PRIOR));
    }

    fn arguments(state: &State) -> Vec<f64> {
        parameters(&state.mixture)
    }

    fn gradient(state: &State) -> Vec<f64> {
        parameters(&state.d_mixture)
    }
}

/// All parameters, one after the other.
pub fn parameters(mixture: &Mixture<f64>) -> Vec<f64> {
    [&mixture.alphas[..], &mixture.means, &mixture.factors].concat()
}
