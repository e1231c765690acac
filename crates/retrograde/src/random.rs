//! Random numbers that can be drawn backwards.
//!
//! A [`Random`] steps through a sequence, and back through the same. What was drawn on the way
//! there is drawn again on the way back, so that a simulation with noise is undone, and
//! differentiated, without keeping the noise:
//!
//! ```
//! use retrograde::prelude::*;
//! use retrograde::random::Random;
//!
//! /// A particle in a trap, pushed about at random.
//! #[reversible]
//! fn walk(
//!     x: &mut f64,
//!     v: &mut f64,
//!     noise: &f64,
//!     #[constant] random: &mut Random,
//!     steps: usize,
//! ) {
//!     for _ in 0..steps {
//!         random.add_normal(v, noise);
//!         *v -= 0.01 * *x;
//!         *x += 0.01 * *v;
//!     }
//! }
//!
//! let (mut x, mut v, noise, mut random) = (1.0, 0.0, 0.1, Random::new(7));
//! walk(&mut x, &mut v, &noise, &mut random, 10_000);
//! assert_ne!(random, Random::new(7));
//!
//! // How the end changes with the strength of the noise: no step was kept.
//! let (mut d_x, mut d_v, mut d_noise) = (1.0, 0.0, 0.0);
//! walk::adjoint(
//!     &mut x, &mut d_x, &mut v, &mut d_v, &noise, &mut d_noise, &mut random, 10_000,
//! );
//! assert!((x - 1.0).abs() < 1e-9 && v.abs() < 1e-9);
//! assert_eq!(random, Random::new(7));
//! assert_ne!(d_noise, 0.0);
//! ```

use crate::prelude::*;

/// The multiplier of the steps, and of the output.
const MULTIPLIER: u64 = 0xda94_2042_e4dd_58b5;

/// A generator of random numbers that goes both ways: PCG64 DXSM, whose state of 128 bits is
/// stepped by a linear congruence.
///
/// Reading does not step: [`bits`](Self::bits), [`uniform`](Self::uniform) and
/// [`normal`](Self::normal) look at the present number, as often as one likes.
/// [`step`](Self::step) goes to the next, `step_inverse` to the last. What adds a number and steps
/// is [`add_uniform`](Self::add_uniform), [`add_normal`](Self::add_normal) and
/// [`xor_bits`](Self::xor_bits).
///
/// Generators with one seed and different [streams](Self::stream) are for threads; so are parts of
/// one sequence that lie far [apart](Self::jump). It is not for secrets.
///
/// A generator carries no gradient. Mark one that is passed on `#[constant]`; without the mark it
/// has a shadow, which is never looked at.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Differentiable)]
pub struct Random {
    #[constant]
    state: u128,
    #[constant]
    increment: u128,
}

crate::check_exactly!(Random);

/// A bijection without a pattern: the finaliser of SplitMix64.
fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// 128 bits without a pattern.
fn spread(x: u64, salt: u64) -> u128 {
    let [high, low] = [1, 2].map(|i| mixed(x.wrapping_add(mixed(salt.wrapping_add(i)))));
    u128::from(high) << 64 | u128::from(low)
}

/// What undoes a product with an odd number, modulo 2¹²⁸.
const fn reciprocal(odd: u128) -> u128 {
    // Newton's method doubles the number of right bits, of which there are three in the beginning.
    let (mut x, mut i) = (odd, 0);
    while i < 6 {
        x = x.wrapping_mul(2_u128.wrapping_sub(odd.wrapping_mul(x)));
        i += 1;
    }
    x
}

impl Random {
    /// The generator with a seed; two seeds give sequences that have nothing in common.
    pub fn new(seed: u64) -> Self {
        Self::stream(seed, 0)
    }

    /// One of the generators with a seed: for each thread, one.
    ///
    /// ```
    /// use retrograde::random::Random;
    ///
    /// assert_ne!(Random::stream(7, 0).bits(), Random::stream(7, 1).bits());
    /// ```
    pub fn stream(seed: u64, stream: u64) -> Self {
        let state = spread(seed, stream.wrapping_mul(4));
        Random { state, increment: spread(stream, 3) | 1 }
    }

    /// The generator with a given state of its own: that of other implementations of PCG64 DXSM.
    ///
    /// # Panics
    ///
    /// If the increment is even.
    pub fn from_state(state: u128, increment: u128) -> Self {
        assert!(increment % 2 == 1, "the increment must be odd");
        Random { state, increment }
    }

    /// The present number: 64 random bits.
    #[inline]
    pub fn bits(&self) -> u64 {
        let (mut high, low) = ((self.state >> 64) as u64, self.state as u64 | 1);
        high ^= high >> 32;
        high = high.wrapping_mul(MULTIPLIER);
        high ^= high >> 48;
        high.wrapping_mul(low)
    }

    /// The present number, between 0, which is possible, and 1, which is not: a multiple of 2⁻⁵³.
    #[inline]
    pub fn uniform(&self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// The present number, normally distributed with the mean 0 and the deviation 1.
    #[inline]
    pub fn normal(&self) -> f64 {
        // The middles of 2⁵² intervals, so that 0 and 1 are left out, and none is rounded.
        normal_quantile(((self.bits() >> 12) as f64 + 0.5) * (1.0 / (1_u64 << 52) as f64))
    }

    /// Goes to the next number. The inverse goes to the one before.
    ///
    /// ```
    /// use retrograde::random::Random;
    ///
    /// let mut random = Random::new(1);
    /// random.step();
    /// random.step_inverse();
    /// assert_eq!(random, Random::new(1));
    /// ```
    #[instruction(inverse = step_inverse)]
    #[inline]
    pub fn step(#[constant] &mut self) {
        let product = self.state.wrapping_mul(u128::from(MULTIPLIER));
        self.state = product.wrapping_add(self.increment);
    }

    /// Goes to the number before: the inverse of [`step`](Self::step).
    #[inline]
    pub fn step_inverse(&mut self) {
        const BACK: u128 = reciprocal(MULTIPLIER as u128);
        self.state = self.state.wrapping_sub(self.increment).wrapping_mul(BACK);
    }

    /// Goes ahead by a number of steps, in a time that grows with the logarithm of that number.
    ///
    /// Parts of a sequence for several threads are found so: the first at 0, the next at 2⁶⁴.
    ///
    /// ```
    /// use retrograde::random::Random;
    ///
    /// let (mut one, mut other) = (Random::new(1), Random::new(1));
    /// one.jump(3);
    /// (0..3).for_each(|_| other.step());
    /// assert_eq!(one, other);
    /// one.jump_inverse(3);
    /// assert_eq!(one, Random::new(1));
    /// ```
    #[instruction(inverse = jump_inverse)]
    pub fn jump(#[constant] &mut self, steps: u128) {
        // The steps are `state ↦ factor · state + shift`, doubled again and again.
        let (mut factor, mut shift) = (u128::from(MULTIPLIER), self.increment);
        let mut left = steps;
        while left > 0 {
            if left & 1 == 1 {
                self.state = self.state.wrapping_mul(factor).wrapping_add(shift);
            }
            shift = shift.wrapping_mul(factor.wrapping_add(1));
            factor = factor.wrapping_mul(factor);
            left >>= 1;
        }
    }

    /// Goes back by a number of steps: the inverse of [`jump`](Self::jump).
    pub fn jump_inverse(&mut self, steps: u128) {
        // After 2¹²⁸ steps everything is as it was.
        self.jump(steps.wrapping_neg());
    }

    /// `x ^= bits`, and a step.
    #[reversible]
    pub fn xor_bits(#[constant] &mut self, x: &mut u64) {
        *x ^= self.bits();
        self.step();
    }

    /// `x += width · uniform`, and a step.
    ///
    /// ```
    /// use retrograde::random::Random;
    ///
    /// let (mut x, mut random) = (10.0, Random::new(1));
    /// random.add_uniform(&mut x, &2.0);
    /// assert!((10.0..12.0).contains(&x));
    /// random.add_uniform_inverse(&mut x, &2.0);
    /// assert_eq!((x, random), (10.0, Random::new(1)));
    /// ```
    #[reversible]
    #[inline]
    pub fn add_uniform<T: Real>(#[constant] &mut self, x: &mut T, width: &T) {
        {
            #[constant]
            let u = T::from_f64(self.uniform());
            *x += *width * u;
        }
        self.step();
    }

    /// `x += deviation · normal`, and a step.
    ///
    /// ```
    /// use retrograde::random::Random;
    ///
    /// let (mut x, mut random) = (10.0, Random::new(1));
    /// random.add_normal(&mut x, &0.5);
    /// random.add_normal_inverse(&mut x, &0.5);
    /// assert_eq!((x, random), (10.0, Random::new(1)));
    /// ```
    #[reversible]
    #[inline]
    pub fn add_normal<T: Real>(#[constant] &mut self, x: &mut T, deviation: &T) {
        {
            #[constant]
            let z = T::from_f64(self.normal());
            *x += *deviation * z;
        }
        self.step();
    }

    /// [`add_uniform`](Self::add_uniform) to each element, the first first.
    #[reversible]
    pub fn add_uniforms<T: Real>(#[constant] &mut self, xs: &mut [T], width: &T) {
        for x in xs {
            self.add_uniform(x, width);
        }
    }

    /// [`add_normal`](Self::add_normal) to each element, the first first.
    #[reversible]
    pub fn add_normals<T: Real>(#[constant] &mut self, xs: &mut [T], deviation: &T) {
        for x in xs {
            self.add_normal(x, deviation);
        }
    }
}

/// The value of a polynomial, whose highest coefficient is first.
#[inline]
fn polynomial(x: f64, coefficients: [f64; 8]) -> f64 {
    coefficients.into_iter().fold(0.0, |sum, c| sum * x + c)
}

/// Where the normal distribution reaches `p`, to about 16 digits: Wichura's algorithm AS 241.
#[allow(clippy::excessive_precision)]
fn normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * polynomial(
            r,
            [
                2.5090809287301226727e3,
                3.3430575583588128105e4,
                6.7265770927008700853e4,
                4.5921953931549871457e4,
                1.3731693765509461125e4,
                1.9715909503065514427e3,
                1.3314166789178437745e2,
                3.3871328727963666080e0,
            ],
        ) / polynomial(
            r,
            [
                5.2264952788528545610e3,
                2.8729085735721942674e4,
                3.9307895800092710610e4,
                2.1213794301586595867e4,
                5.3941960214247511077e3,
                6.8718700749205790830e2,
                4.2313330701600911252e1,
                1.0,
            ],
        );
    }
    let r = (-p.min(1.0 - p).ln()).sqrt();
    let size = if r <= 5.0 {
        let r = r - 1.6;
        polynomial(
            r,
            [
                7.74545014278341407640e-4,
                2.27238449892691845833e-2,
                2.41780725177450611770e-1,
                1.27045825245236838258e0,
                3.64784832476320460504e0,
                5.76949722146069140550e0,
                4.63033784615654529590e0,
                1.42343711074968357734e0,
            ],
        ) / polynomial(
            r,
            [
                1.05075007164441684324e-9,
                5.47593808499534494600e-4,
                1.51986665636164571966e-2,
                1.48103976427480074590e-1,
                6.89767334985100004550e-1,
                1.67638483018380384940e0,
                2.05319162663775882187e0,
                1.0,
            ],
        )
    } else {
        let r = r - 5.0;
        polynomial(
            r,
            [
                2.01033439929228813265e-7,
                2.71155556874348757815e-5,
                1.24266094738807843860e-3,
                2.65321895265761230930e-2,
                2.96560571828504891230e-1,
                1.78482653991729133580e0,
                5.46378491116411436990e0,
                6.65790464350110377720e0,
            ],
        ) / polynomial(
            r,
            [
                2.04426310338993978564e-15,
                1.42151175831644588870e-7,
                1.84631831751005468180e-5,
                7.86869131145613259100e-4,
                1.48753612908506148525e-2,
                1.36929880922735805310e-1,
                5.99832206555887937690e-1,
                1.0,
            ],
        )
    };
    size.copysign(q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_gradient, assert_reversible};

    /// The numbers of NumPy's generator `PCG64DXSM` with the same state.
    #[test]
    fn it_is_the_generator_of_that_name() {
        let state = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210;
        let increment = 0x1234_5678_90ab_cdef_1122_3344_5566_7789;
        let mut random = Random::from_state(state, increment);
        let mut far = random.clone();
        for expected in [
            0xa5c2_f459_58c6_44a2,
            0xa17f_77cb_fdd3_a8ff,
            0xdfb4_5eaa_cc41_003b,
            0xd93c_8d1a_5539_fe13,
            0xf7ad_2df6_aef3_b126,
        ] {
            assert_eq!(random.bits(), expected);
            random.step();
        }
        far.jump(1000);
        assert_eq!(far.bits(), 0x62be_bd3a_aaf6_ec97);
        far.step();
        assert_eq!(far.bits(), 0x1a59_f210_1c83_66ea);
    }

    #[test]
    fn the_same_numbers_come_backwards() {
        let mut random = Random::stream(3, 5);
        let mut there = Vec::new();
        for _ in 0..10_000 {
            there.push(random.bits());
            random.step();
        }
        for expected in there.iter().rev() {
            random.step_inverse();
            assert_eq!(random.bits(), *expected);
        }
        assert_eq!(random, Random::stream(3, 5));
    }

    #[test]
    fn jumps_are_many_steps() {
        for n in [0, 1, 2, 3, 100, 1000] {
            let (mut one, mut other) = (Random::new(9), Random::new(9));
            one.jump(n);
            (0..n).for_each(|_| other.step());
            assert_eq!(one, other);
        }
        let mut random = Random::new(9);
        random.jump(1 << 100);
        random.jump_inverse((1 << 100) - 1);
        random.step_inverse();
        assert_eq!(random, Random::new(9));
    }

    /// Moments of the draws, within five deviations of what they should be.
    #[test]
    fn the_numbers_are_distributed_as_they_should() {
        const N: usize = 200_000;
        for stream in 0..4 {
            let mut random = Random::stream(42, stream);
            let (mut uniform, mut normal) = ([0.0; 4], [0.0; 4]);
            let (mut buckets, mut product, mut ones) = ([0_u32; 256], 0.0, 0);
            let mut last = 0.0;
            for _ in 0..N {
                let (u, z) = (random.uniform() - 0.5, random.normal());
                assert!((-0.5..0.5).contains(&u) && z.abs() < 9.0);
                for k in 0..4 {
                    uniform[k] += u.powi(k as i32 + 1) / N as f64;
                    normal[k] += z.powi(k as i32 + 1) / N as f64;
                }
                buckets[(random.bits() % 256) as usize] += 1;
                ones += random.bits().count_ones();
                product += u * last / N as f64;
                last = u;
                random.step();
            }
            let error = 5.0 / (N as f64).sqrt();
            let near = |found: f64, expected: f64, deviation: f64| {
                assert!((found - expected).abs() < error * deviation, "{found} {expected}");
            };
            near(uniform[0], 0.0, 12_f64.sqrt().recip());
            near(uniform[1], 1.0 / 12.0, 180_f64.sqrt().recip());
            near(uniform[3], 1.0 / 80.0, 0.017);
            near(product, 0.0, 1.0 / 12.0);
            near(normal[0], 0.0, 1.0);
            near(normal[1], 1.0, 2_f64.sqrt());
            near(normal[2], 0.0, 15_f64.sqrt());
            near(normal[3], 3.0, 96_f64.sqrt());
            near(f64::from(ones) / N as f64, 32.0, 4.0);
            let expected = N as f64 / 256.0;
            let square = |&n: &u32| (f64::from(n) - expected).powi(2) / expected;
            let chi: f64 = buckets.iter().map(square).sum();
            assert!((chi - 255.0).abs() < 5.0 * 510_f64.sqrt(), "{chi}");
        }
    }

    #[test]
    fn quantiles_of_the_normal_distribution() {
        for (p, z) in [
            (0.5, 0.0),
            (0.975, 1.959963984540054),
            (0.25, -0.6744897501960817),
            (1e-3, -3.090232306167813),
            (1e-12, -7.034483825301131),
            (1e-100, -21.273453560965322),
        ] {
            assert!((normal_quantile(p) - z).abs() < 1e-14 * (1.0 + z.abs()), "{p}");
        }
    }

    #[reversible]
    fn noisy<T: Real>(xs: &mut [T], width: &T, deviation: &T, random: &mut Random) {
        random.add_uniforms(xs, width);
        random.add_normals(xs, deviation);
        random.jump(5);
        random.add_normal(&mut xs[0], width);
    }

    #[test]
    fn gradients_and_inverses() {
        let mut random = Random::new(11);
        assert_reversible!(noisy(&mut [0.5; 4][..], &0.3, &1.5, &mut random));
        assert_gradient!(noisy(&mut [0.5; 4][..], &0.3, &1.5, &mut random));
        let (mut xs, start) = ([Fixed43::from_f64(0.5); 4], random.clone());
        let (width, deviation) = (Fixed43::from_f64(0.3), Fixed43::from_f64(1.5));
        noisy(&mut xs, &width, &deviation, &mut random);
        assert_ne!(random, start);
        noisy::inverse(&mut xs, &width, &deviation, &mut random);
        assert_eq!((xs, random), ([Fixed43::from_f64(0.5); 4], start));
    }
}
