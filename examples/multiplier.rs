//! The paper's first program: a reversible multiplier, and its gradient.
//!
//! `cargo run --release --example multiplier`

use retrograde::prelude::*;

/// `y += a · b`.
#[reversible]
pub fn multiplier<T: Arithmetic>(y: &mut T, a: &T, b: &T) {
    *y += *a * *b;
}

fn main() {
    let (mut y, a, b) = (2.0, 3.0, 5.0);
    println!("before   ({y}, {a}, {b})");
    multiplier(&mut y, &a, &b);
    println!("forward  ({y}, {a}, {b})");
    multiplier::inverse(&mut y, &a, &b);
    println!("back     ({y}, {a}, {b})");

    // The adjoint goes back as the inverse does, and takes the gradient along.
    multiplier(&mut y, &a, &b);
    let (mut d_y, mut d_a, mut d_b) = (1.0, 0.0, 0.0);
    multiplier::adjoint(&mut y, &mut d_y, &a, &mut d_a, &b, &mut d_b);
    println!("gradient ({d_y}, {d_a}, {d_b}), and y = {y} again");
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::testing::assert_gradient;

    #[test]
    fn the_papers_numbers() {
        let mut y = 2.0;
        multiplier(&mut y, &3.0, &5.0);
        assert_eq!(y, 17.0);
        multiplier::inverse(&mut y, &3.0, &5.0);
        assert_eq!(y, 2.0);
    }

    #[test]
    fn the_gradient_of_a_product_is_the_other_factor() {
        let (mut y, mut d_y, mut d_a, mut d_b) = (17.0, 2.0, 0.0, 0.0);
        multiplier::adjoint(&mut y, &mut d_y, &3.0, &mut d_a, &5.0, &mut d_b);
        assert_eq!((y, d_y, d_a, d_b), (2.0, 2.0, 10.0, 6.0));
        multiplier::inverse_adjoint(&mut y, &mut d_y, &3.0, &mut d_a, &5.0, &mut d_b);
        assert_eq!((y, d_y, d_a, d_b), (17.0, 2.0, 0.0, 0.0));
        assert_gradient!(multiplier(&mut 2.0, &3.0, &5.0));
        assert_gradient!(multiplier(&mut 2.0_f32, &3.0, &5.0));
        let [mut y, a, b] =
            [(2.0, 1.0), (3.0, -1.0), (0.5, 4.0)].map(|(re, im)| Complex::new(re, im));
        assert_gradient!(multiplier(&mut y, &a, &b));
    }

    #[test]
    fn both_directions_of_differentiation_agree() {
        let [a, b] = [Dual::<f64, 2>::variable(3.0, 0), Dual::variable(5.0, 1)];
        let mut y = Dual::constant(2.0);
        multiplier(&mut y, &a, &b);
        let (mut value, mut d_a, mut d_b) = (y.value, 0.0, 0.0);
        multiplier::adjoint(&mut value, &mut 1.0, &3.0, &mut d_a, &5.0, &mut d_b);
        assert_eq!(y.tangents, [d_a, d_b]);
    }
}
