//! A crate whose `Cargo.toml` has another name for Retrograde.

use rg::prelude::*;

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, AdditiveGroup)]
pub struct Line {
    /// Its slope.
    pub slope: f64,
    /// What it is at zero.
    pub start: f64,
}

/// A square.
#[differentiable]
pub fn square(x: &f64) -> f64 {
    *x * *x
}

/// The squares of the values of a line.
#[reversible]
pub fn squares(y: &mut f64, line: &Line, x: &[f64], #[rg::constant] weight: &f64) {
    for x in x {
        let mut value = line.start;
        #[rg::compute]
        {
            value += line.slope * *x;
        }
        *y += *weight * square(&value);
    }
}

/// Retrograde, as a crate that has it only through another one finds it.
pub mod through {
    pub use rg as inner;
}

/// A pair of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
#[retrograde(crate = crate::through::inner)]
pub struct Pair(pub f64, pub f64);

/// A product.
#[reversible(crate = crate::through::inner)]
pub fn product(y: &mut f64, pair: &Pair) {
    *y += pair.0 * pair.1.exp();
}

#[cfg(test)]
mod tests {
    use super::*;
    use rg::testing::{assert_gradient, assert_reversible};

    #[test]
    fn generated_code_finds_the_crate() {
        let line = Line { slope: 2.0, start: 1.0 };
        let at = squares::gradient(&line, &[1.0, 3.0], &0.5);
        assert_eq!(at.value, 0.5 * (9.0 + 49.0));
        assert_eq!(at.d_line, Line { slope: 3.0 + 21.0, start: 3.0 + 7.0 });
        assert_eq!(at.d_x, [6.0, 14.0]);
        assert_reversible!(squares(
            &mut 0.5,
            &line,
            &[1.0, 3.0][..],
            #[constant]
            &0.5
        ));
        assert_gradient!(squares(
            &mut 0.5,
            &line,
            &[1.0, 3.0][..],
            #[constant]
            &0.5
        ));
    }

    #[test]
    fn a_path_can_be_said() {
        assert_gradient!(product(&mut 0.5, &Pair(2.0, 0.3)));
    }
}
