//! Bessel's function `J_n` by its series, `Σ (−1)ᵏ (z/2)ⁿ⁺²ᵏ / k! (n+k)!`, with its first and
//! second derivative.
//!
//! Each term is the one before it times a factor. How the product is undone depends on the
//! numbers: [`bessel`](fn@bessel) holds the term as a logarithm, where `/=` undoes `*=`, and
//! [`bessel_by_quotients`](fn@bessel_by_quotients) divides floats, which is faster, and right but
//! for rounding.
//!
//! `cargo run --release --example bessel`

use retrograde::prelude::*;

/// Adds `J_n(z)` for a positive `z`, up to the first term that is not above `tolerance`.
#[reversible]
pub fn bessel<T: Real>(y: &mut T, n: u32, z: &T, #[constant] tolerance: f64) {
    #[compute]
    {
        let half = Logarithmic::new(0.5 * *z);
        let mut term = Logarithmic::one();
        for i in 0..n {
            term *= half / Logarithmic::new(T::from_f64(f64::from(i + 1)));
        }
        let mut sum = term.value();
        let mut k = 0;
        while (term.value() > T::from_f64(tolerance), k != 0) {
            k += 1;
            term *= half * half / Logarithmic::new(T::from_f64(f64::from(k * (n + k))));
            if k % 2 == 1 {
                sum -= term.value();
            } else {
                sum += term.value();
            }
        }
    }
    *y += sum;
}

/// `x ↦ x · factor`, which loses a rounding on the way back.
#[reversible(gpu)]
#[unchecked]
pub fn scale<T: Real>(x: &mut T, factor: &T) {
    let mut product = *x * *factor;
    swap(x, &mut product);
    unlet!(product = *x / *factor);
}

/// As [`bessel`](fn@bessel), with a term that is a plain number.
#[reversible(gpu)]
pub fn bessel_by_quotients<T: Real>(y: &mut T, n: u32, z: &T, #[constant] tolerance: f64) {
    #[compute]
    {
        let half = 0.5 * *z;
        let square = -half * half;
        let mut term = T::one();
        for i in 0..n {
            let factor = half / T::from_f64(f64::from(i + 1));
            scale(&mut term, &factor);
        }
        let mut sum = term;
        let mut k = 0;
        while (term.abs() > T::from_f64(tolerance), k != 0) {
            k += 1;
            let factor = square / T::from_f64(f64::from(k * (n + k)));
            scale(&mut term, &factor);
            sum += term;
        }
    }
    *y += sum;
}

/// `J_n(z)` with its first and its second derivative: the adjoint on dual numbers.
pub fn derivatives(n: u32, z: f64, tolerance: f64) -> [f64; 3] {
    let z = Dual::<f64>::variable(z, 0);
    let (mut y, mut d_y, mut d_z) = (Dual::constant(0.0), Dual::constant(1.0), Dual::constant(0.0));
    bessel(&mut y, n, &z, tolerance);
    let value = y.value;
    bessel::adjoint(&mut y, &mut d_y, n, &z, &mut d_z, tolerance);
    [value, d_z.value, d_z.tangents[0]]
}

fn main() {
    println!("  z        J₂        J₂′       J₂″");
    for step in 1..=10 {
        let z = f64::from(step);
        let [value, slope, bend] = derivatives(2, z, 1e-17);
        println!("{z:4} {value:9.6} {slope:9.6} {bend:9.6}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::testing::{assert_gradient, assert_reversible};

    /// As far as the series goes: to 10⁻⁸, and its derivatives not much farther.
    #[test]
    fn the_papers_numbers() {
        let [value, slope, bend] = derivatives(2, 1.0, 1e-8);
        assert!((value - 0.1149034849319).abs() < 1e-9);
        assert!((slope - 0.2102436).abs() < 1e-7);
        assert!((bend - 0.13446683844358093).abs() < 1e-9, "{bend}");
    }

    /// `J₂′ = (J₁ − J₃) / 2` and `J₂″ = (J₀ − 2 J₂ + J₄) / 4`.
    #[test]
    fn the_derivatives_are_bessel_functions_again() {
        for z in [0.25, 1.0, 3.0, 6.0] {
            let j = |n: u32| {
                let mut y = 0.0;
                bessel(&mut y, n, &z, 1e-18);
                y
            };
            let [value, slope, bend] = derivatives(2, z, 1e-18);
            let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b} at {z}");
            close(value, j(2));
            close(slope, 0.5 * (j(1) - j(3)));
            close(bend, 0.25 * (j(0) - 2.0 * j(2) + j(4)));
        }
    }

    #[test]
    fn both_agree_and_come_back() {
        for (n, z) in [(0, 0.5), (1, 2.0), (2, 1.0), (5, 7.0)] {
            let (mut a, mut b) = (0.0, 0.0);
            bessel(&mut a, n, &z, 1e-12);
            bessel_by_quotients(&mut b, n, &z, 1e-12);
            assert!((a - b).abs() < 1e-12);
            assert_reversible!(bessel(
                &mut 0.5,
                n,
                &z,
                #[constant]
                1e-12
            ));
            assert_reversible!(bessel_by_quotients(
                &mut 0.5,
                n,
                &z,
                #[constant]
                1e-12
            ));
            assert_gradient!(bessel(
                &mut 0.5,
                n,
                &z,
                #[constant]
                1e-12
            ));
            assert_gradient!(bessel_by_quotients(
                &mut 0.5,
                n,
                &z,
                #[constant]
                1e-12
            ));
        }
    }

    #[test]
    fn products_of_fixed_point_numbers_come_back_to_the_bit() {
        let (start, z) = (Fixed43::from_f64(0.25), Fixed43::from_f64(1.0));
        let mut y = start;
        bessel(&mut y, 2, &z, 1e-10);
        assert!((y.to_f64() - 0.25 - 0.1149034849319).abs() < 1e-9);
        bessel::inverse(&mut y, 2, &z, 1e-10);
        assert_eq!(y, start);
    }

    #[test]
    fn both_directions_of_differentiation_agree() {
        let mut y = Dual::<f64>::constant(0.0);
        bessel_by_quotients(&mut y, 2, &Dual::variable(1.0, 0), 1e-16);
        let [value, slope, _] = derivatives(2, 1.0, 1e-16);
        assert!((y.value - value).abs() < 1e-15 && (y.tangents[0] - slope).abs() < 1e-15);
    }
}
