//! The logarithm of a complex number, `y += ln |x| + i arg x`, in three ways.
//!
//! All three have the same gradient, that of `ln`: the conjugate of `1 / x`.
//!
//! `cargo run --release --example complex_log`

use retrograde::prelude::*;

/// With an ancilla: `n` starts at zero, and the program itself must bring it
/// back to zero. Where it does not, it stops and says so.
#[reversible]
pub fn log_with_ancilla(y: &mut Complex<f64>, x: &Complex<f64>) {
    let mut n = 0.0;
    n += x.norm();

    y.re += n.ln();
    y.im += x.arg();

    n -= x.norm();
}

/// Compute, copy, uncompute: what `#[compute]` makes is used by the rest of
/// the block and then undone, without a line for it.
#[reversible]
pub fn log_with_compute(y: &mut Complex<f64>, x: &Complex<f64>) {
    #[compute]
    {
        let mut n = 0.0;
        n += x.norm();
    }
    y.re += n.ln();
    y.im += x.arg();
}

/// As an expression: it may be as deep as you like, so no ancilla is needed.
#[reversible]
pub fn log(y: &mut Complex<f64>, x: &Complex<f64>) {
    *y += Complex::new(x.norm().ln(), x.arg());
}

fn main() {
    let x = Complex::new(3.0, -4.0);
    let start = Complex::new(0.5, 0.25);
    println!("x          {x}");
    println!("ln x       {}", x.ln());

    let mut y = start;
    println!("y          {y}");
    log_with_ancilla(&mut y, &x);
    println!("ancilla    {y}");
    log_with_ancilla::inverse(&mut y, &x);
    log_with_compute(&mut y, &x);
    println!("compute    {y}");
    log_with_compute::inverse(&mut y, &x);
    log(&mut y, &x);
    println!("expression {y}");
    let (mut d_y, mut d_x) = (Complex::new(1.0, 0.0), Complex::new(0.0, 0.0));
    log::adjoint(&mut y, &mut d_y, &x, &mut d_x);
    println!("back       {y}");
    println!("gradient   {d_x}, by re and im of x");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use retrograde::testing::assert_gradient;

    type Accumulate = dyn for<'a> Reversible<(&'a mut Complex<f64>, &'a Complex<f64>)>;

    fn near(a: Complex<f64>, b: Complex<f64>) -> bool {
        (a - b).norm() <= 1e-14 * (1.0 + b.norm())
    }

    proptest! {
        #[test]
        fn all_three_are_the_complex_logarithm(
            re in -10.0..10.0, im in -10.0..10.0, a in -1.0..1.0, b in -1.0..1.0,
        ) {
            let (x, start) = (Complex::new(re, im), Complex::new(a, b));
            prop_assume!(x.norm() > 1e-6);
            let functions: [&Accumulate; 3] =
                [&log_with_ancilla {}, &log_with_compute {}, &log {}];
            for function in functions {
                let mut y = start;
                function.call((&mut y, &x));
                prop_assert!(near(y, start + x.ln()));
                function.call_inverse((&mut y, &x));
                prop_assert!(near(y, start));
            }
        }
    }

    proptest! {
        #[test]
        fn all_three_have_the_gradient_of_the_logarithm(re in -10.0..10.0, im in -10.0..10.0) {
            let (x, g) = (Complex::new(re, im), Complex::new(0.5, -2.0));
            prop_assume!(x.norm() > 1e-3);
            let mut found = Vec::new();
            macro_rules! check {
                ($($function:ident)+) => {$({
                    let (mut y, mut d_y, mut d_x) = (x.ln(), g, Complex::new(0.0, 0.0));
                    $function::adjoint(&mut y, &mut d_y, &x, &mut d_x);
                    found.push(d_x);
                    $function::inverse_adjoint(&mut y, &mut d_y, &x, &mut d_x);
                    prop_assert!(near(y, x.ln()) && d_y == g && d_x.norm() < 1e-15 * found[0].norm());
                })+};
            }
            check!(log_with_ancilla log_with_compute log);
            prop_assert!(found.iter().all(|d_x| near(*d_x, g * (1.0 / x).conj())));
        }
    }

    #[test]
    fn gradients_by_differences() {
        let (mut y, x) = (Complex::new(0.5, 0.25), Complex::new(-1.0, 2.0));
        assert_gradient!(log_with_ancilla(&mut y, &x));
        assert_gradient!(log_with_compute(&mut y, &x));
        assert_gradient!(log(&mut y, &x));
    }

    #[test]
    fn the_branch_cut_is_that_of_the_library() {
        for x in [Complex::new(-2.0, 0.0), Complex::new(-2.0, -0.0), Complex::new(0.0, 1.0)] {
            let mut y = Complex::new(0.0, 0.0);
            log(&mut y, &x);
            assert_eq!(y, x.ln());
        }
    }
}
