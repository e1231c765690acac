//! A mixture of Gaussians, fitted to points: how likely the mixture makes them.
//!
//! This is the first objective of the benchmark [ADBench]. What happens on the way, the points
//! as each component sees them, is computed and forgotten for each point: the gradient needs
//! memory for one point, however many there are.
//!
//! `cargo run --release --example gmm`
//!
//! [ADBench]: https://github.com/microsoft/ADBench

use retrograde::prelude::*;
use std::f64::consts::{LN_2, PI};

/// `K` Gaussians in `d` dimensions, one behind the other.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Mixture<T> {
    /// The logarithms of the weights, up to a constant.
    pub alphas: Vec<T>,
    /// The means, `d` numbers each.
    pub means: Vec<T>,
    /// For each component, a factor Q of its inverse covariance, a lower triangular matrix:
    /// the logarithms of its diagonal, and then what is below the diagonal, column by column.
    pub factors: Vec<T>,
}

/// A prior of Wishart's for the covariances.
#[derive(Clone, Copy, Debug)]
pub struct Wishart {
    /// The scale.
    pub gamma: f64,
    /// How many degrees of freedom there are beyond the least.
    pub m: u32,
}

/// Adds the logarithm of how likely the mixture makes the points.
#[reversible]
pub fn log_likelihood<T: Real>(
    y: &mut T,
    mixture: &Mixture<T>,
    #[constant] points: &[f64],
    #[constant] prior: Wishart,
) {
    let k = mixture.alphas.len();
    let d = mixture.means.len() / k;
    let n = points.len() / d;
    #[compute]
    {
        let mut scales = vec![T::zero(); k * d];
        let mut offsets = vec![T::zero(); k];
        for (((scale, offset), alpha), factor) in scales
            .chunks_exact_mut(d)
            .zip(offsets.iter_mut())
            .zip(&mixture.alphas)
            .zip(mixture.factors.chunks_exact(d * (d + 1) / 2))
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
            let mut turned = vec![T::zero(); k * d];
            let mut terms = vec![T::zero(); k];
            for (((((term, t), offset), mean), scale), factor) in terms
                .iter_mut()
                .zip(turned.chunks_exact_mut(d))
                .zip(&offsets)
                .zip(mixture.means.chunks_exact(d))
                .zip(scales.chunks_exact(d))
                .zip(mixture.factors.chunks_exact(d * (d + 1) / 2))
            {
                *term += *offset;
                log_density(term, t, point, mean, scale, &factor[d..]);
            }
        }
        log_sum_exp(y, &terms);
    }
    #[compute]
    {
        let mut total = T::zero();
        log_sum_exp(&mut total, &mixture.alphas);
    }
    *y -= total.scaled(n as f64);
    log_prior(y, &scales, &mixture.factors, d, prior);
    *y += T::from_f64(prior.constant(k, d) - 0.5 * (2.0 * PI).ln() * (n * d) as f64);
}

/// Adds the logarithm of how dense a component is at a point, up to a constant. What is added
/// to `turned` is `Q (x − mean)`.
#[reversible]
#[inline]
pub fn log_density<T: Real>(
    term: &mut T,
    turned: &mut [T],
    #[constant] point: &[f64],
    mean: &[T],
    diagonal: &[T],
    below: &[T],
) {
    let d = point.len();
    for (((t, x), m), q) in turned.iter_mut().zip(point).zip(mean).zip(diagonal) {
        *t += *q * (T::from_f64(*x) - *m);
    }
    for j in 0..d - 1 {
        let start = j * (2 * d - j - 1) / 2;
        let c = T::from_f64(point[j]) - mean[j];
        for (t, q) in turned[j + 1..].iter_mut().zip(&below[start..start + d - j - 1]) {
            *t += *q * c;
        }
    }
    for t in turned.iter() {
        *term -= 0.5 * *t * *t;
    }
}

/// Adds `ln Σ exp(x)`.
#[reversible]
pub fn log_sum_exp<T: Real>(y: &mut T, xs: &[T]) {
    // What is taken out of the sum changes neither the result nor its gradient.
    #[constant]
    let top = greatest(xs);
    #[compute]
    {
        let mut sum = T::zero();
        for x in xs {
            sum += (*x - top).exp();
        }
    }
    *y += top + sum.ln();
}

fn greatest<T: Real>(xs: &[T]) -> T {
    let (first, others) = xs.split_first().expect("a number");
    others.iter().fold(first.clone(), |a, b| a.max(b.clone()))
}

/// Adds the logarithm of the prior, up to [`Wishart::constant`]. `scales` are the diagonals.
#[reversible]
pub fn log_prior<T: Real>(
    y: &mut T,
    scales: &[T],
    factors: &[T],
    d: usize,
    #[constant] prior: Wishart,
) {
    let weight = 0.5 * prior.gamma * prior.gamma;
    for (scale, factor) in scales.chunks_exact(d).zip(factors.chunks_exact(d * (d + 1) / 2)) {
        for (s, q) in scale.iter().zip(&factor[..d]) {
            *y += (*s * *s).scaled(weight) - q.scaled(f64::from(prior.m));
        }
        for q in &factor[d..] {
            *y += (*q * *q).scaled(weight);
        }
    }
}

impl Wishart {
    /// What does not depend on the factors, for `k` components in `d` dimensions.
    pub fn constant(self, k: usize, d: usize) -> f64 {
        let (p, n) = (d as f64, d as f64 + f64::from(self.m) + 1.0);
        let c = n * p * (self.gamma.ln() - 0.5 * LN_2) - log_gamma_of_many(0.5 * n, d);
        -(k as f64) * c
    }
}

/// The logarithm of the gamma function for `p` dimensions, at a multiple of ½.
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

fn main() {
    // Two clouds of points, and a mixture that does not know yet where they are.
    let points: Vec<f64> = (0..200)
        .flat_map(|i| {
            let (angle, middle) = (0.1 * f64::from(i), if i % 2 == 0 { -2.0 } else { 2.0 });
            [middle + angle.sin(), 0.5 * angle.cos()]
        })
        .collect();
    let mut mixture =
        Mixture { alphas: vec![0.0; 2], means: vec![-0.5, 0.0, 0.5, 0.0], factors: vec![0.0; 6] };
    let prior = Wishart { gamma: 1.0, m: 0 };
    for step in 0..=100 {
        let at = log_likelihood::gradient(&mixture, &points, prior);
        if step % 20 == 0 {
            println!("step {step:3}: log-likelihood {:9.3}, means {:.3?}", at.value, mixture.means);
        }
        for (mean, d_mean) in mixture.means.iter_mut().zip(&at.d_mixture.means) {
            *mean += 1e-3 * d_mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::testing::assert_gradient;

    /// The test of ADBench: its data, its value, its gradient.
    #[test]
    fn as_adbench_has_it() {
        let mixture = Mixture {
            alphas: vec![-0.649014, 1.181166, -0.758453],
            means: vec![0.092339, 0.186260, 0.345561, 0.396767, 0.538817, 0.419195],
            #[rustfmt::skip]
            factors: vec![
                0.586443, -0.851887, 0.800321, -1.509405, 0.875874, -0.242790, 0.166813,
                -1.965419, -1.270071,
            ],
        };
        let (points, prior) = ([1.175171, 2.029160], Wishart { gamma: 1.0, m: 0 });
        let at = log_likelihood::gradient(&mixture, &points, prior);
        assert!((at.value - 8.073_804_080_049_758).abs() < 1e-12, "{}", at.value);
        #[rustfmt::skip]
        let expected = [
            0.10866285550865246, -0.7412700395238985, 0.6326071840152461,
            1.1169257653278701, 0.16333301355145527, -0.021998982407119314,
            0.2277782922542361, 1.2096302561283219, -0.060637592073395634,
            2.5852999405116224, 0.11263269452421379, 0.3857443098496118,
            0.07351805731823055, 5.418363627155952, -0.32149440967744647,
            1.7189230977500494, 0.8600910907908669, -0.9946409304663228,
        ];
        let Mixture { alphas, means, factors } = at.d_mixture;
        for (found, expected) in [alphas, means, factors].concat().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
    }

    fn numbers(n: usize, phase: f64) -> Vec<f64> {
        (0..n).map(|i| 0.7 * (phase + 1.3 * i as f64).sin()).collect()
    }

    fn some(d: usize, k: usize) -> Mixture<f64> {
        let factors = numbers(k * d * (d + 1) / 2, 3.0);
        Mixture { alphas: numbers(k, 1.0), means: numbers(k * d, 2.0), factors }
    }

    const PRIOR: Wishart = Wishart { gamma: 1.5, m: 2 };

    /// For seven points.
    #[reversible]
    fn of_seven(y: &mut f64, mixture: &Mixture<f64>, d: usize) {
        #[constant]
        let points = numbers(7 * d, 4.0);
        log_likelihood(y, mixture, &points, PRIOR);
    }

    #[test]
    fn the_gradient_is_that_by_differences() {
        for (d, k) in [(1, 1), (1, 4), (2, 3), (5, 2)] {
            let mixture = some(d, k);
            assert_gradient!(of_seven(&mut 0.5, &mixture, d));
        }
    }

    /// With one component, the likelihood is that of a Gaussian.
    #[test]
    fn one_component_is_a_gaussian() {
        let mixture = Mixture {
            alphas: vec![0.3],
            means: vec![1.0, -1.0],
            factors: vec![0.5_f64.ln(), 2.0_f64.ln(), 0.25],
        };
        let prior = Wishart { gamma: 1.0, m: 0 };
        let (mut y, mut of_none) = (0.0, 0.0);
        log_likelihood(&mut y, &mixture, &[2.0, 0.5], prior);
        log_likelihood(&mut of_none, &mixture, &[], prior);
        // Q (x − μ) = (0.5, 0.25 + 3), and det Q = 1.
        let expected = -0.5 * (0.25 + 3.25 * 3.25) - (2.0 * PI).ln();
        assert!((y - of_none - expected).abs() < 1e-14, "{y}");
    }

    #[test]
    fn the_inverse_takes_it_back() {
        let (mixture, points) = (some(3, 4), numbers(30, 4.0));
        let mut y = 2.5;
        log_likelihood(&mut y, &mixture, &points, PRIOR);
        log_likelihood::inverse(&mut y, &mixture, &points, PRIOR);
        assert!((y - 2.5).abs() < 1e-12, "{y}");
    }

    /// The value for the data that the paper used: `ADBENCH=… cargo test -- --ignored`, with
    /// the folder of a copy of ADBench. The paper's program takes what is below the diagonal
    /// row by row, while ADBench has it column by column.
    #[test]
    #[ignore = "needs the data of ADBench, which are not part of this"]
    fn the_value_of_the_paper() {
        let folder = std::env::var("ADBENCH").expect("the folder of ADBench");
        let path = format!("{folder}/data/gmm/10k/gmm_d10_K5.txt");
        let text = std::fs::read_to_string(path).expect("a file that can be read");
        let mut numbers = text.split_whitespace().map(|word| word.parse::<f64>().expect("number"));
        let [d, k, n] = [(); 3].map(|()| numbers.next().expect("a size") as usize);
        let mut take = |n: usize| -> Vec<f64> { numbers.by_ref().take(n).collect() };
        let (alphas, means) = (take(k), take(k * d));
        let by_columns = |factor: &[f64]| -> Vec<f64> {
            let (diagonal, rows) = factor.split_at(d);
            let below = (0..d).flat_map(|c| (c + 1..d).map(move |r| rows[r * (r - 1) / 2 + c]));
            diagonal.iter().copied().chain(below).collect()
        };
        let width = d * (d + 1) / 2;
        let factors = take(k * width).chunks_exact(width).flat_map(by_columns).collect();
        let mixture = Mixture { alphas, means, factors };
        let (points, prior) = (take(n * d), take(2));
        let prior = Wishart { gamma: prior[0], m: prior[1] as u32 };
        let mut y = 0.0;
        log_likelihood(&mut y, &mixture, &points, prior);
        assert!((y - -317178.3340912648).abs() < 1e-7, "{y}");
    }
}
