//! Neighbouring Fibonacci numbers, by recursion.

use proptest::prelude::*;
use retrograde::prelude::*;

/// `n` steps from the pair 1, 1; `n` ends at zero.
#[reversible]
fn pair(a: &mut u64, b: &mut u64, n: &mut u64) {
    if (*n == 0, *a == *b) {
        *a += 1;
        *b += 1;
    } else {
        *n -= 1;
        pair(a, b, n);
        *a += *b;
        swap(a, b);
    }
}

#[test]
fn four_steps() {
    let (mut a, mut b, mut n) = (0, 0, 4);
    pair(&mut a, &mut b, &mut n);
    assert_eq!((a, b, n), (5, 8, 0));
    pair::inverse(&mut a, &mut b, &mut n);
    assert_eq!((a, b, n), (0, 0, 4));
}

/// Which pair of Fibonacci numbers is it?
#[test]
fn from_a_pair_to_its_place() {
    let (mut a, mut b, mut n) = (6765, 10946, 0);
    pair::inverse(&mut a, &mut b, &mut n);
    assert_eq!((a, b, n), (0, 0, 19));
}

proptest! {
    #[test]
    fn there_and_back(steps in 0_u64..80) {
        let (mut a, mut b, mut n) = (0, 0, steps);
        pair(&mut a, &mut b, &mut n);
        let (mut small, mut large) = (1_u64, 1_u64);
        for _ in 0..steps {
            (small, large) = (large, small + large);
        }
        prop_assert_eq!((a, b, n), (small, large, 0));
        pair::inverse(&mut a, &mut b, &mut n);
        prop_assert_eq!((a, b, n), (0, 0, steps));
    }
}
