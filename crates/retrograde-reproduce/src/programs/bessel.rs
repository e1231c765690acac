//! Bessel's function by its series.

use crate::programs::tapes::{Function, Number};

pub fn bessel_by_hand(n: u32, z: f64, tolerance: f64) -> f64 {
    let half = 0.5 * z;
    let mut term = (1..=n).fold(1.0, |term, i| term * half / f64::from(i));
    let mut sum = term;
    let mut k = 0;
    while term.abs() > tolerance {
        k += 1;
        term *= -half * half / f64::from(k * (n + k));
        sum += term;
    }
    sum
}

/// The value and the slope: each term is a power of `z`.
pub fn gradient_by_hand(n: u32, z: f64, tolerance: f64) -> (f64, f64) {
    let half = 0.5 * z;
    let mut term = (1..=n).fold(1.0, |term, i| term * half / f64::from(i));
    let mut sum = term;
    let mut slope = f64::from(n) * term;
    let mut k = 0;
    while term.abs() > tolerance {
        k += 1;
        term *= -half * half / f64::from(k * (n + k));
        sum += term;
        slope += f64::from(n + 2 * k) * term;
    }
    (sum, slope / z)
}

pub struct Bessel {
    pub n: u32,
    pub tolerance: f64,
}

impl Function for Bessel {
    fn value<N: Number>(&self, x: &[N]) -> N {
        let half = x[0].scaled(0.5);
        let square = -(half * half);
        let power = (1..=self.n).map(|i| half.scaled(1.0 / f64::from(i))).reduce(|a, b| a * b);
        let mut term = power.unwrap_or_else(|| half.scaled(0.0).shifted(1.0));
        let mut sum = term;
        let mut k = 0;
        while term.value().abs() > self.tolerance {
            k += 1;
            term = term * square.scaled(1.0 / f64::from(k * (self.n + k)));
            sum = sum + term;
        }
        sum
    }
}
