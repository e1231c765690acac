//! The fast Fourier transform.

use crate::prelude::*;
use std::fmt;

/// What the fast Fourier transforms of all lengths up to one need: their phases.
///
/// ```
/// use retrograde::signal::Fft;
///
/// assert!(Fft::<f64>::new(1024).is_ok());
/// let error = Fft::<f64>::new(1000).unwrap_err();
/// assert_eq!(error.to_string(), "a transform of 1000 elements: their number is not a power of two");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fft<T> {
    /// `exp(−πi k / h)` for `k` in `0..h`, for every power of two `h` below the length: those of
    /// `h` are the `h` ones from `h − 1` on.
    phases: Vec<Complex<T>>,
}

/// A length that is not a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthError(pub usize);

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a transform of {} elements: their number is not a power of two", self.0)
    }
}

impl std::error::Error for LengthError {}

impl<T: Real> Fft<T> {
    /// For transforms of a length, and of shorter ones.
    ///
    /// # Errors
    ///
    /// If the length is not a power of two.
    pub fn new(length: usize) -> Result<Self, LengthError> {
        if !length.is_power_of_two() {
            return Err(LengthError(length));
        }
        let pi = (-T::one()).acos();
        let phase = |k: usize, h: usize| {
            let (sin, cos) = (pi.clone() * T::from_f64(k as f64 / h as f64)).sin_cos();
            Complex { re: cos, im: -sin }
        };
        let halves = (0..length.ilog2()).map(|stage| 1 << stage);
        let phases = halves.flat_map(|h| (0..h).map(move |k| (k, h)));
        Ok(Fft { phases: phases.map(|(k, h)| phase(k, h)).collect() })
    }

    /// The longest transform.
    pub fn longest(&self) -> usize {
        self.phases.len() + 1
    }

    /// The phases `exp(−πi k / half)`.
    #[inline]
    fn phases(&self, half: usize) -> &[Complex<T>] {
        &self.phases[half - 1..2 * half - 1]
    }

    /// The number of stages of a transform.
    #[track_caller]
    fn stages(&self, length: usize, of: usize) -> u32 {
        assert!(length.is_power_of_two(), "{}", LengthError(of * length));
        let longest = self.longest();
        assert!(
            of * length <= longest,
            "a transform of {} elements, by a plan for {longest} at most",
            of * length
        );
        length.ilog2()
    }
}

#[inline]
fn add<T: Real>(a: &Complex<T>, b: &Complex<T>) -> Complex<T> {
    Complex { re: a.re.clone() + b.re.clone(), im: a.im.clone() + b.im.clone() }
}

#[inline]
fn sub<T: Real>(a: &Complex<T>, b: &Complex<T>) -> Complex<T> {
    Complex { re: a.re.clone() - b.re.clone(), im: a.im.clone() - b.im.clone() }
}

#[inline]
fn scale<T: Real>(a: Complex<T>, by: &T) -> Complex<T> {
    Complex { re: a.re * by.clone(), im: a.im * by.clone() }
}

/// `a b`
#[inline]
fn times<T: Real>(a: &Complex<T>, b: &Complex<T>) -> Complex<T> {
    Complex {
        re: a.re.clone() * b.re.clone() - a.im.clone() * b.im.clone(),
        im: a.re.clone() * b.im.clone() + a.im.clone() * b.re.clone(),
    }
}

/// `a b*`
#[inline]
fn times_conjugate<T: Real>(a: &Complex<T>, b: &Complex<T>) -> Complex<T> {
    Complex {
        re: a.re.clone() * b.re.clone() + a.im.clone() * b.im.clone(),
        im: a.im.clone() * b.re.clone() - a.re.clone() * b.im.clone(),
    }
}

/// Runs over pairs of numbers that are `half` apart, with their phases.
#[inline]
fn each_pair<T: Real>(
    x: &mut [Complex<T>],
    phases: &[Complex<T>],
    first: impl Fn(&mut Complex<T>, &mut Complex<T>),
    others: impl Fn(&mut Complex<T>, &mut Complex<T>, &Complex<T>),
) {
    let half = phases.len();
    if half == 1 {
        // The phase is one.
        for pair in x.chunks_exact_mut(2) {
            let (a, b) = pair.split_at_mut(1);
            first(&mut a[0], &mut b[0]);
        }
    } else {
        for block in x.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((a, b), w) in low.iter_mut().zip(high).zip(phases) {
                others(a, b, w);
            }
        }
    }
}

/// `(a, b) ↦ c (a + w b, a − w b)` for every pair.
#[inline]
fn merge<T: Real>(x: &mut [Complex<T>], phases: &[Complex<T>], c: &T) {
    each_pair(
        x,
        phases,
        |a, b| (*a, *b) = (scale(add(a, b), c), scale(sub(a, b), c)),
        |a, b, w| {
            let t = times(b, w);
            (*a, *b) = (scale(add(a, &t), c), scale(sub(a, &t), c));
        },
    );
}

/// `(a, b) ↦ c (a + b, w* (a − b))` for every pair.
#[inline]
fn part<T: Real>(x: &mut [Complex<T>], phases: &[Complex<T>], c: &T) {
    each_pair(
        x,
        phases,
        |a, b| (*a, *b) = (scale(add(a, b), c), scale(sub(a, b), c)),
        |a, b, w| {
            (*a, *b) = (scale(add(a, b), c), scale(times_conjugate(&sub(a, b), w), c));
        },
    );
}

/// Merges the transforms of all pairs of neighbouring blocks: `(a, b) ↦ (a + w b, a − w b)`.
#[instruction(inverse = unbutterfly, adjoint = butterfly_adjoint, inverse_adjoint = unbutterfly_adjoint)]
#[inline]
fn butterfly<T: Real>(x: &mut [Complex<T>], #[constant] phases: &[Complex<T>]) {
    merge(x, phases, &T::one());
}

#[instruction(inverse = butterfly, adjoint = unbutterfly_adjoint, inverse_adjoint = butterfly_adjoint)]
#[inline]
fn unbutterfly<T: Real>(x: &mut [Complex<T>], #[constant] phases: &[Complex<T>]) {
    part(x, phases, &T::from_f64(0.5));
}

fn butterfly_adjoint<T: Real>(x: &mut [Complex<T>], d_x: &mut [Complex<T>], phases: &[Complex<T>]) {
    unbutterfly(x, phases);
    // The conjugate transpose.
    part(d_x, phases, &T::one());
}

fn unbutterfly_adjoint<T: Real>(
    x: &mut [Complex<T>],
    d_x: &mut [Complex<T>],
    phases: &[Complex<T>],
) {
    butterfly(x, phases);
    merge(d_x, phases, &T::from_f64(0.5));
}

/// Puts each element where its index, with the bits in the opposite order, says.
#[instruction(self_inverse, adjoint = bit_reverse_both)]
fn bit_reverse<T>(x: &mut [Complex<T>]) {
    let n = x.len();
    let unused = n.leading_zeros() + 1;
    // A single element stays.
    for i in 1..n.max(1) {
        let j = i.reverse_bits() >> unused;
        if i < j {
            x.swap(i, j);
        }
    }
}

fn bit_reverse_both<T>(x: &mut [Complex<T>], d_x: &mut [Complex<T>]) {
    bit_reverse(x);
    bit_reverse(d_x);
}

/// The discrete Fourier transform, in place: `xₖ ↦ Σⱼ xⱼ exp(−2πi jk / N)`.
///
/// The inverse divides by `N`, as usual: `fft::inverse` takes a spectrum to its signal. A gradient
/// goes back by the same butterflies as a number, so an adjoint costs two transforms. Numbers come
/// back up to round-off, in fixed point too: a turn by a phase is no sum.
///
/// ```
/// use retrograde::prelude::*;
/// use retrograde::signal::{Fft, fft};
///
/// /// The energy of all but the lowest frequencies.
/// #[reversible]
/// fn roughness(y: &mut f64, x: &mut [Complex<f64>], #[constant] plan: &Fft<f64>) {
///     #[compute]
///     {
///         fft(x, plan);
///     }
///     for k in 2..x.len() - 1 {
///         *y += x[k].norm_sqr();
///     }
/// }
///
/// let plan = Fft::new(8).unwrap();
/// let mut x: Vec<Complex<f64>> = (0..8).map(|k| Complex::from((k % 3) as f64)).collect();
/// let at = roughness::gradient(&mut x, &plan);
/// assert!(at.value > 0.0);
/// // What has one value everywhere changes no frequency but the lowest.
/// assert!(at.d_x.iter().sum::<Complex<f64>>().norm() < 1e-12);
/// ```
///
/// # Panics
///
/// If the length is not a power of two, or longer than the plan's.
#[reversible]
pub fn fft<T: Real>(x: &mut [Complex<T>], #[constant] plan: &Fft<T>) {
    let stages = plan.stages(x.len(), 1);
    bit_reverse(x);
    for stage in 0..stages {
        butterfly(x, plan.phases(1 << stage));
    }
}

/// Runs over a transform of pairs of real numbers and finds that of the numbers themselves.
///
/// For `A = zₖ` and `B = z*₍ₘ₋ₖ₎`, the sum `A + B` stays, and `turn` changes `A − B`: twice what
/// the even numbers have, and twice what the odd ones have.
fn each_mirrored<T: Real>(
    z: &mut [Complex<T>],
    phases: &[Complex<T>],
    turn: impl Fn(&Complex<T>, &Complex<T>) -> Complex<T>,
) {
    let m = z.len();
    let half = T::from_f64(0.5);
    for k in 1..m.div_ceil(2) {
        let (a, b) = (z[k].clone(), conjugate(&z[m - k]));
        // −i w
        let p = Complex { re: phases[k].im.clone(), im: -phases[k].re.clone() };
        let (sum, difference) = (add(&a, &b), turn(&sub(&a, &b), &p));
        z[k] = scale(add(&sum, &difference), &half);
        z[m - k] = conjugate(&scale(sub(&sum, &difference), &half));
    }
    if m > 1 {
        z[m / 2] = conjugate(&z[m / 2]);
    }
}

#[inline]
fn conjugate<T: Real>(z: &Complex<T>) -> Complex<T> {
    Complex { re: z.re.clone(), im: -z.im.clone() }
}

/// `(a, b) ↦ c (a + b, a − b)` of the two parts of the first number.
fn ends<T: Real>(z: &mut [Complex<T>], c: &T) {
    let Complex { re, im } = z[0].clone();
    z[0] = scale(Complex { re: re.clone() + im.clone(), im: re - im }, c);
}

/// From the transform of pairs to that of the numbers.
#[instruction(inverse = tangle, adjoint = untangle_adjoint, inverse_adjoint = tangle_adjoint)]
fn untangle<T: Real>(z: &mut [Complex<T>], #[constant] phases: &[Complex<T>]) {
    each_mirrored(z, phases, times);
    ends(z, &T::one());
}

#[instruction(inverse = untangle, adjoint = tangle_adjoint, inverse_adjoint = untangle_adjoint)]
fn tangle<T: Real>(z: &mut [Complex<T>], #[constant] phases: &[Complex<T>]) {
    each_mirrored(z, phases, times_conjugate);
    ends(z, &T::from_f64(0.5));
}

fn untangle_adjoint<T: Real>(z: &mut [Complex<T>], d_z: &mut [Complex<T>], phases: &[Complex<T>]) {
    tangle(z, phases);
    // But for the first, it keeps lengths, and so its transpose is its inverse.
    each_mirrored(d_z, phases, times_conjugate);
    ends(d_z, &T::one());
}

fn tangle_adjoint<T: Real>(z: &mut [Complex<T>], d_z: &mut [Complex<T>], phases: &[Complex<T>]) {
    untangle(z, phases);
    each_mirrored(d_z, phases, times);
    ends(d_z, &T::from_f64(0.5));
}

/// The discrete Fourier transform of `N` real numbers, in place, for half the cost of [`fft()`].
///
/// Before, `x` holds the numbers in pairs, `x[j] = (s[2j], s[2j + 1])`. After it, `x[k]` is
/// `Σⱼ sⱼ exp(−2πi jk / N)` for `k` in `1..N / 2`. Those of `k = 0` and `k = N / 2` are real, and
/// are the two parts of `x[0]`; the others are conjugates.
///
/// ```
/// use retrograde::prelude::*;
/// use retrograde::signal::{Fft, real_fft};
///
/// let plan = Fft::new(4).unwrap();
/// let mut x = [Complex::new(1.0, 2.0), Complex::new(0.0, -1.0)];
/// real_fft(&mut x, &plan);
/// assert_eq!(x, [Complex::new(2.0, 0.0), Complex::new(1.0, -3.0)]);
/// real_fft::inverse(&mut x, &plan);
/// assert_eq!(x, [Complex::new(1.0, 2.0), Complex::new(0.0, -1.0)]);
/// ```
///
/// # Panics
///
/// If the length is not a power of two, or `N`, which is twice the length, is longer than the
/// plan's.
#[reversible]
pub fn real_fft<T: Real>(x: &mut [Complex<T>], #[constant] plan: &Fft<T>) {
    let m = 1 << plan.stages(x.len(), 2);
    fft(x, plan);
    untangle(x, plan.phases(m));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_gradient, assert_reversible};
    use std::f64::consts::TAU;

    type C = Complex<f64>;

    fn signal(n: usize) -> Vec<C> {
        (0..n).map(|i| C::new((i as f64 * 1.3 + 0.4).sin(), (i as f64 * 2.1).cos())).collect()
    }

    fn distance(a: &[C], b: &[C]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    }

    fn by_definition(x: &[C], k: usize) -> C {
        let n = x.len();
        (0..n).map(|j| x[j] * C::cis(-TAU * (j * k % n) as f64 / n as f64)).sum()
    }

    #[test]
    fn it_is_the_discrete_fourier_transform() {
        let plan = Fft::new(256).unwrap();
        for n in (0..=8).map(|k| 1 << k) {
            let x = signal(n);
            let expected: Vec<C> = (0..n).map(|k| by_definition(&x, k)).collect();
            let mut y = x.clone();
            fft(&mut y, &plan);
            assert!(distance(&y, &expected) < 1e-11, "{n}");
            fft::inverse(&mut y, &plan);
            assert!(distance(&y, &x) < 1e-13, "{n}");
        }
    }

    #[test]
    fn real_numbers_have_half_a_spectrum() {
        let plan = Fft::new(256).unwrap();
        for m in (0..=7).map(|k| 1 << k) {
            let x = signal(m);
            let numbers: Vec<C> = x.iter().flat_map(|z| [C::from(z.re), C::from(z.im)]).collect();
            let mut y = x.clone();
            real_fft(&mut y, &plan);
            let ends = C::new(by_definition(&numbers, 0).re, by_definition(&numbers, m).re);
            assert!((y[0] - ends).norm() < 1e-11, "{m}");
            for (k, z) in y.iter().enumerate().skip(1) {
                assert!((z - by_definition(&numbers, k)).norm() < 1e-11, "{m} {k}");
            }
            real_fft::inverse(&mut y, &plan);
            assert!(distance(&y, &x) < 1e-13, "{m}");
        }
    }

    #[reversible]
    fn both(x: &mut [C], y: &mut [C]) {
        #[constant]
        let plan = Fft::new(2 * x.len()).unwrap();
        fft(x, &plan);
        !real_fft(x, &plan);
        real_fft(y, &plan);
        !fft(y, &plan);
    }

    #[test]
    fn gradients_and_inverses() {
        for n in [1, 2, 4, 8, 16] {
            let (mut x, mut y) = (signal(n), signal(2 * n)[n..].to_vec());
            assert_reversible!(both(&mut x[..], &mut y[..]));
            assert_gradient!(both(&mut x[..], &mut y[..]));
        }
    }

    #[test]
    fn other_numbers_keep_their_precision() {
        let plan = Fft::<DoubleDouble>::new(64).unwrap();
        let number = |x: f64| DoubleDouble::from(x);
        let start: Vec<_> =
            signal(64).iter().map(|z| Complex { re: number(z.re), im: number(z.im) }).collect();
        let mut x = start.clone();
        fft(&mut x, &plan);
        // Parseval's equation.
        let square = |x: &[Complex<DoubleDouble>]| {
            x.iter().fold(number(0.0), |sum, z| sum + z.re * z.re + z.im * z.im)
        };
        let off = square(&x) / number(64.0) - square(&start);
        assert!(off.to_f64().abs() < 1e-26, "{off:?}");
    }

    #[test]
    fn other_lengths_are_refused() {
        assert_eq!(Fft::<f64>::new(0).unwrap_err(), LengthError(0));
        assert_eq!(Fft::<f64>::new(12).unwrap_err(), LengthError(12));
        let fails =
            |run: fn(&Fft<f64>)| std::panic::catch_unwind(|| run(&Fft::new(8).unwrap())).is_err();
        assert!(fails(|plan| fft(&mut signal(0), plan)));
        assert!(fails(|plan| fft(&mut signal(3), plan)));
        assert!(fails(|plan| fft::inverse(&mut signal(6), plan)));
        assert!(fails(|plan| fft(&mut signal(16), plan)));
        assert!(fails(|plan| real_fft(&mut signal(8), plan)));
        assert!(!fails(|plan| real_fft(&mut signal(4), plan)));
    }
}
