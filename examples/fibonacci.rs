//! Fibonacci numbers: recursion, a loop that stops by itself, and an uncall
//! inside a loop. All of it in integers, which carry no gradient: their adjoints
//! are the inverses.
//!
//! `cargo run --release --example fibonacci`

use retrograde::prelude::*;

/// `out += F(n + 1)`, by the paper's recursion
/// `F(n + 1) = 1 + F(n) + F(n − 2) + F(n − 4) + …`.
///
/// The counter is an ancilla with a known end: from `n` it goes down by twos,
/// to `n % 2`. The loop runs while `counter > 1`; going backwards, it runs
/// while `counter != n`. (The paper's `n` may be negative, so there the whole
/// stands in an `if`.)
#[reversible]
pub fn rrfib(out: &mut u64, n: u32) {
    let mut counter = n;
    while (counter > 1, counter != n) {
        rrfib(out, counter - 1);
        counter -= 2;
    }
    unlet!(counter = n % 2);
    *out += 1;
}

/// `(F(k), F(k + 1)) ↦ (F(k + 1), F(k + 2))`. Nothing is forgotten, so the
/// sequence can be walked in both directions.
#[reversible]
pub fn advance(a: &mut u64, b: &mut u64) {
    *a += *b;
    swap(a, b);
}

/// `out += F(n)`, with `n` additions there and `n` back.
#[reversible]
pub fn rfib(out: &mut u64, n: u32) {
    #[compute]
    {
        let mut a = 0;
        let mut b = 1;
        for _ in 0..n {
            advance(&mut a, &mut b);
        }
    }
    *out += a;
}

/// From 0, brings `n` to the index of the first Fibonacci number that is at
/// least `z`.
///
/// Every candidate is computed for the test, and uncomputed, by an uncall of
/// the same function, before the next one.
#[reversible]
pub fn rfibn(n: &mut u32, z: u64) {
    let mut candidate = 0;
    rfib(&mut candidate, *n);
    while (candidate < z, *n != 0) {
        !rfib(&mut candidate, *n);
        *n += 1;
        rfib(&mut candidate, *n);
    }
    !rfib(&mut candidate, *n);
}

fn main() {
    print!("by recursion       ");
    for n in 0..=20 {
        let mut out = 0;
        rrfib(&mut out, n);
        print!(" {out}");
        rrfib::inverse(&mut out, n);
        assert_eq!(out, 0);
    }
    println!();

    let mut out = 0;
    rfib(&mut out, 10);
    println!("in a loop           F(10) = {out}");

    let (mut a, mut b) = (0, 1);
    for _ in 0..90 {
        advance(&mut a, &mut b);
    }
    println!("walked up           F(90) = {a}");
    for _ in 0..80 {
        advance::inverse(&mut a, &mut b);
    }
    println!("and down again      F(10) = {a}");

    let mut n = 0;
    rfibn(&mut n, 100);
    println!("the first over 100  F({n})");
    rfibn::inverse(&mut n, 100);
    println!("and back            F({n})");
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::testing::assert_gradient;

    const FIBONACCI: [u64; 22] = [
        0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 6765,
        10946,
    ];

    #[test]
    fn the_recursion_gives_the_next_number() {
        for n in 0..=20 {
            let mut out = 0;
            rrfib(&mut out, n);
            assert_eq!(out, FIBONACCI[n as usize + 1]);
            rrfib::inverse(&mut out, n);
            assert_eq!(out, 0);
        }
    }

    #[test]
    fn the_loop_gives_the_number() {
        for (n, fibonacci) in (0..).zip(FIBONACCI) {
            let mut out = 7;
            rfib(&mut out, n);
            assert_eq!(out, 7 + fibonacci);
            rfib::inverse(&mut out, n);
            assert_eq!(out, 7);
        }
    }

    #[test]
    fn the_search_stops_at_the_first_number_that_is_large_enough() {
        for z in 0..=6765 {
            let mut n = 0;
            rfibn(&mut n, z);
            assert_eq!(n as usize, FIBONACCI.partition_point(|&number| number < z));
            rfibn::inverse(&mut n, z);
            assert_eq!(n, 0);
        }
    }

    #[test]
    fn the_adjoint_of_integers_is_the_inverse() {
        let (mut out, mut n) = (FIBONACCI[11], 12);
        rrfib::adjoint(&mut out, 10);
        assert_eq!(out, 0);
        rrfib::inverse_adjoint(&mut out, 10);
        assert_eq!(out, FIBONACCI[11]);
        rfibn::adjoint(&mut n, 100);
        assert_eq!(n, 0);
    }

    /// A real number goes through the integers' control flow.
    #[test]
    fn gradients_pass_by_integers() {
        #[reversible]
        fn scaled<T: Real>(y: &mut T, x: &T, n: u32) {
            #[compute]
            {
                let mut k = 0;
                rfib(&mut k, n);
            }
            for _ in 0..k {
                *y += x.sin();
            }
        }
        let (mut y, mut d_x) = (0.0, 0.0);
        scaled(&mut y, &0.5, 7);
        scaled::adjoint(&mut y, &mut 1.0, &0.5, &mut d_x, 7);
        assert!((d_x - 13.0 * 0.5_f64.cos()).abs() < 1e-14);
        assert_gradient!(scaled(&mut 1.0, &0.5, 7));
    }

    #[test]
    fn a_search_that_does_not_start_at_zero_is_refused() {
        let panic = std::panic::catch_unwind(|| rfibn(&mut 3, 100)).unwrap_err();
        let error = panic.downcast::<InvertibilityError>().unwrap();
        assert_eq!(error.source, "while (candidate < z, *n != 0)");
    }
}
