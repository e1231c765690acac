//! Powers and exponentials of fixed point numbers, undone to the last bit.
//!
//! A product of fixed point numbers is rounded, so `*=` cannot be undone on
//! them, and a loop of products would have to keep every one. On logarithmic
//! numbers a product is a sum, and `/=` undoes `*=` exactly: the loops here
//! hold one number, however long they run. Gradients go through in the same way:
//! a shadow of a logarithmic number is the gradient by its logarithm.
//!
//! `cargo run --release --example power`

use retrograde::prelude::*;

/// `y += xⁿ`.
#[reversible]
pub fn power<T: Real>(y: &mut T, x: &T, n: u32) {
    if *x == 0.0 {
        // Zero has no logarithm; its first power is the one with a slope.
        if n == 0 {
            *y += 1.0;
        } else if n == 1 {
            *y += *x;
        }
    } else {
        #[compute]
        {
            let factor = Logarithmic::new(x.abs());
            let mut product = Logarithmic::one();
            for _ in 0..n {
                product *= factor;
            }
        }
        if *x < 0.0 && n % 2 == 1 {
            *y -= product.value();
        } else {
            *y += product.value();
        }
    }
}

/// From the term `xᵏ / k!` of the exponential series to the next one.
#[reversible]
pub fn next_term<T: Real>(term: &mut Logarithmic<T>, k: &mut u32, x: &Logarithmic<T>) {
    *k += 1;
    *term *= *x / Logarithmic::new(T::from_f64(f64::from(*k)));
}

/// `y += eˣ` for a positive `x`, by the series `Σ xᵏ / k!`, down to the first
/// term that is rounded to zero.
///
/// A second walk along the series, backwards, clears `term` and `k`.
#[reversible]
pub fn exponential<T: Real>(y: &mut T, x: &T) {
    let factor = Logarithmic::new(*x);
    let mut term = Logarithmic::one();
    let mut k = 0;
    *y += term.value();
    // Terms are rounded to zero there and back alike, so this decision needs no check.
    #[unchecked]
    while (term.value() > 0.0, k != 0) {
        next_term(&mut term, &mut k, &factor);
        *y += term.value();
    }
    !{
        #[unchecked]
        while (term.value() > 0.0, k != 0) {
            next_term(&mut term, &mut k, &factor);
        }
    };
}

fn main() {
    let start = Fixed43::from_f64(1.0 / 3.0);
    println!("y            {start}  (bits {:#018x})", start.to_bits());

    let (mut y, x) = (start, Fixed43::from_f64(0.99));
    power(&mut y, &x, 100);
    println!("+ 0.99^100   {y}  (in floats {})", 1.0 / 3.0 + 0.99_f64.powi(100));
    power::inverse(&mut y, &x, 100);
    println!("back         {y}  (bits {:#018x})", y.to_bits());

    let x = Fixed43::from_f64(3.5);
    exponential(&mut y, &x);
    println!("+ exp(3.5)   {y}  (in floats {})", 1.0 / 3.0 + 3.5_f64.exp());
    exponential::inverse(&mut y, &x);
    println!("back         {y}  (bits {:#018x})", y.to_bits());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use retrograde::testing::assert_gradient;

    fn check_power(start: f64, x: f64, n: u32, tolerance: f64) {
        let (start, x) = (Fixed43::from_f64(start), Fixed43::from_f64(x));
        let mut y = start;
        power(&mut y, &x, n);
        let (found, expected) = ((y - start).to_f64(), x.to_f64().powi(n as i32));
        assert!((found - expected).abs() <= tolerance, "{x}^{n} = {expected}, found {found}");
        power::inverse(&mut y, &x, n);
        assert_eq!(y.to_bits(), start.to_bits());
    }

    #[test]
    fn the_papers_power() {
        check_power(0.0, 0.99, 100, 1e-11);
    }

    #[test]
    fn powers_of_zero_and_of_negative_numbers() {
        for n in 0..6 {
            check_power(0.25, 0.0, n, 0.0);
            check_power(0.25, -1.5, n, 1e-11);
        }
    }

    #[test]
    fn the_exponential_of_the_original() {
        let mut y = Fixed43::zero();
        exponential(&mut y, &Fixed43::from_f64(3.5));
        assert!((y.to_f64() - 3.5_f64.exp()).abs() < 1e-10);
        exponential::inverse(&mut y, &Fixed43::from_f64(3.5));
        assert_eq!(y.to_bits(), 0);
    }

    #[test]
    fn gradients() {
        for n in [0, 1, 2, 5] {
            assert_gradient!(power(&mut 0.25, &1.5, n));
            assert_gradient!(power(&mut 0.25, &-0.7, n));
        }
        for x in [0.5, 3.5] {
            assert_gradient!(exponential(&mut 0.25, &x));
        }
        let (mut term, x) = (Logarithmic::new(0.3), Logarithmic::new(2.0));
        assert_gradient!(next_term(&mut term, &mut 3, &x));
    }

    /// `n xⁿ⁻¹`, at zero too, and taken back to the bit.
    #[test]
    fn the_gradient_of_a_power() {
        for (x, n) in [(0.99, 100), (-1.25, 3), (-1.25, 4), (0.0, 0), (0.0, 1), (0.0, 2)] {
            let (number, expected) = (Fixed43::from_f64(x), f64::from(n) * x.powi(n as i32 - 1));
            let expected = if n == 0 { 0.0 } else { expected };
            let mut y = Fixed43::zero();
            power(&mut y, &number, n);
            let (end, mut d_y, mut d_x) = (y, Fixed43::one(), Fixed43::zero());
            power::adjoint(&mut y, &mut d_y, &number, &mut d_x, n);
            assert!((d_x.to_f64() - expected).abs() < 1e-9, "{x}^{n}: {d_x}, not {expected}");
            assert_eq!(y, Fixed43::zero());
            power::inverse_adjoint(&mut y, &mut d_y, &number, &mut d_x, n);
            assert_eq!((y, d_y, d_x), (end, Fixed43::one(), Fixed43::zero()));
        }
    }

    /// The exponential is its own derivative; by dual numbers, and by the adjoint.
    #[test]
    fn both_directions_of_differentiation_agree() {
        let (mut y, mut d_x) = (0.0, 0.0);
        exponential(&mut y, &3.5);
        exponential::adjoint(&mut y, &mut 1.0, &3.5, &mut d_x);
        let mut dual = Dual::<f64>::constant(0.0);
        exponential(&mut dual, &Dual::variable(3.5, 0));
        for found in [d_x, dual.tangents[0]] {
            assert!((found / 3.5_f64.exp() - 1.0).abs() < 1e-13, "{found}");
        }
    }

    proptest! {
        #[test]
        fn powers_come_back_to_the_bit(start in -1e3..1e3, x in -1.1..1.1, n in 0..100_u32) {
            check_power(start, x, n, 1e-7);
        }

        #[test]
        fn exponentials_come_back_to_the_bit(start in -1e3..1e3, x in 1e-6..8.0) {
            let (start, x) = (Fixed43::from_f64(start), Fixed43::from_f64(x));
            let mut y = start;
            exponential(&mut y, &x);
            let (found, expected) = ((y - start).to_f64(), x.to_f64().exp());
            prop_assert!((found - expected).abs() <= 1e-11 * expected);
            exponential::inverse(&mut y, &x);
            prop_assert_eq!(y.to_bits(), start.to_bits());
        }
    }
}
