//! The fast Fourier transform, in place, with its inverse for nothing.
//!
//! With the unitary normalisation, `1/√N`, each of its `log₂ N` stages is made
//! of bijections that keep lengths: a phase and a Hadamard gate. So the inverse
//! transform is the transform, run backwards, and a gradient goes back through
//! the transform in the same way as a signal does.
//!
//! This one is here to be read. `retrograde::signal::fft` is the one to use.
//!
//! `cargo run --release --example fft`

use retrograde::prelude::*;
use std::f64::consts::TAU;

type C = Complex<f64>;

/// The phases that [`fft`](fn@fft) needs: `exp(−πi k / h)` for `k` in `0..h`, for every
/// power of two `h` below `n`.
///
/// Those of the stage with half length `h` are the `h` ones from `h − 1` on.
pub fn twiddles(n: usize) -> Vec<C> {
    assert!(n.is_power_of_two());
    let halves = (0..n.ilog2()).map(|stage| 1 << stage);
    let stage = |h: usize| (0..h).map(move |k| C::cis(-0.5 * TAU * k as f64 / h as f64));
    halves.flat_map(stage).collect()
}

/// `z ↦ z w`, where `|w| = 1`.
#[instruction(inverse = unturn, adjoint = unturn_both, inverse_adjoint = turn_both)]
#[inline]
pub fn turn(z: &mut C, #[constant] w: &C) {
    *z *= *w;
}

/// `z ↦ z w*`, where `|w| = 1`.
#[instruction(inverse = turn, adjoint = turn_both, inverse_adjoint = unturn_both)]
#[inline]
pub fn unturn(z: &mut C, #[constant] w: &C) {
    *z *= w.conj();
}

/// A gradient turns as the number does.
#[inline]
fn turn_both(z: &mut C, d_z: &mut C, w: &C) {
    turn(z, w);
    turn(d_z, w);
}

#[inline]
fn unturn_both(z: &mut C, d_z: &mut C, w: &C) {
    unturn(z, w);
    unturn(d_z, w);
}

/// The lowest `bits` bits of `i`, in the opposite order.
#[inline]
pub fn reversed(i: usize, bits: u32) -> usize {
    i.reverse_bits().checked_shr(usize::BITS - bits).unwrap_or(0)
}

/// Puts each element where its index, with the bits in the opposite order, says.
#[reversible]
pub fn bit_reverse(x: &mut [C]) {
    let bits = x.len().ilog2();
    for i in 0..x.len() {
        let j = reversed(i, bits);
        if i < j {
            swap(&mut x[i], &mut x[j]);
        }
    }
}

/// Merges the transforms of two halves.
#[reversible]
pub fn butterflies(low: &mut [C], high: &mut [C], #[constant] phases: &[C]) {
    for ((a, b), w) in low.iter_mut().zip(high.iter_mut()).zip(phases) {
        turn(b, w);
        hadamard(&mut a.re, &mut b.re);
        hadamard(&mut a.im, &mut b.im);
    }
}

/// `xₖ ↦ 1/√N Σⱼ xⱼ exp(−2πi jk/N)`, in place, for `N` a power of two.
///
/// `phases` is `twiddles(N)`.
#[reversible]
pub fn fft(x: &mut [C], #[constant] phases: &[C]) {
    host! {
        assert!(x.len().is_power_of_two(), "the length must be a power of two");
        assert_eq!(phases.len(), x.len() - 1, "the phases must be those of the length");
    }
    bit_reverse(x);
    for stage in 0..x.len().ilog2() {
        let half = 1 << stage;
        for block in x.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            butterflies(low, high, &phases[half - 1..2 * half - 1]);
        }
    }
}

fn main() {
    let n = 64;
    let phases = twiddles(n);
    let tone = |t: f64| 3.0 * (5.0 * t).cos() + (12.0 * t).sin();
    let signal: Vec<C> = (0..n).map(|k| C::from(tone(TAU * k as f64 / n as f64))).collect();
    let mut x = signal.clone();
    fft(&mut x, &phases);
    println!("the spectrum of 3 cos 5t + sin 12t:");
    for (k, z) in x.iter().enumerate().take(n / 2).filter(|(_, z)| z.norm() > 1e-9) {
        println!("  {k:2}  {:7.4} {:+7.4}i", z.re, z.im);
    }
    fft::inverse(&mut x, &phases);
    let error = x.iter().zip(&signal).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    println!("after the inverse, the signal is back to within {error:.1e}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::testing::assert_gradient;

    /// Numbers without a pattern.
    fn signal(n: usize) -> Vec<C> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        (0..n).map(|_| C::new(next(), next())).collect()
    }

    fn distance(a: &[C], b: &[C]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    }

    #[test]
    fn it_is_the_discrete_fourier_transform() {
        for n in [1, 2, 4, 8, 16, 32, 64] {
            let x = signal(n);
            let term = |j: usize, k: usize| x[j] * C::cis(-TAU * (j * k % n) as f64 / n as f64);
            let expected: Vec<C> =
                (0..n).map(|k| (0..n).map(|j| term(j, k)).sum::<C>() / (n as f64).sqrt()).collect();
            let mut y = x.clone();
            fft(&mut y, &twiddles(n));
            assert!(distance(&y, &expected) < 1e-12, "{n}");
        }
    }

    #[test]
    fn the_library_has_the_same_without_the_root() {
        let plan = retrograde::signal::Fft::new(64).unwrap();
        let (mut x, mut y) = (signal(64), signal(64));
        fft(&mut x, &twiddles(64));
        retrograde::signal::fft(&mut y, &plan);
        y.iter_mut().for_each(|z| *z /= 8.0);
        assert!(distance(&x, &y) < 1e-13);
    }

    #[test]
    fn every_size_comes_back_and_keeps_the_norm() {
        for n in (0..=12).map(|k| 1 << k) {
            let (x, phases) = (signal(n), twiddles(n));
            let mut y = x.clone();
            fft(&mut y, &phases);
            let norm = |x: &[C]| x.iter().map(C::norm_sqr).sum::<f64>();
            assert!((norm(&x) - norm(&y)).abs() < 1e-13 * norm(&x), "{n}");
            fft::inverse(&mut y, &phases);
            assert!(distance(&x, &y) < 1e-14, "{n}");
        }
    }

    #[test]
    fn gradients() {
        #[reversible]
        fn there_and_part_of_the_way_back(x: &mut [C]) {
            let phases = twiddles(x.len());
            fft(x, &phases);
            unturn(&mut x[0], &C::cis(0.7));
        }
        for n in [1, 2, 8, 32] {
            assert_gradient!(bit_reverse(&mut signal(n)));
            assert_gradient!(there_and_part_of_the_way_back(&mut signal(n)));
        }
    }

    /// The transform keeps lengths, so a gradient comes back as a signal does.
    #[test]
    fn a_gradient_comes_back_by_the_inverse_transform() {
        for n in [1, 16, 256] {
            let (x, g, phases) = (signal(2 * n)[n..].to_vec(), signal(n), twiddles(n));
            let (mut y, mut expected) = (x.clone(), g.clone());
            fft(&mut y, &phases);
            let end = y.clone();
            fft::inverse(&mut expected, &phases);
            let mut d_y = g.clone();
            fft::adjoint(&mut y, &mut d_y, &phases);
            assert!(distance(&y, &x) < 1e-14 && distance(&d_y, &expected) < 1e-14, "{n}");
            fft::inverse_adjoint(&mut y, &mut d_y, &phases);
            assert!(distance(&y, &end) < 1e-14 && distance(&d_y, &g) < 1e-14, "{n}");
        }
    }

    #[test]
    #[should_panic(expected = "power of two")]
    fn other_lengths_are_refused() {
        fft(&mut signal(3), &signal(2));
    }
}
