//! A number and its prime factors.

use proptest::prelude::*;
use retrograde::prelude::*;

/// 2, 3, 5, 7, 9, 11, …
#[reversible]
fn next(candidate: &mut u64) {
    *candidate += 2;
    if (*candidate == 4, *candidate == 3) {
        *candidate -= 1;
    }
}

/// Takes `number` apart, and leaves zero. Its factors come to stand in ascending order behind
/// `factors[0]`, which stays zero, as does at least one place behind them.
#[reversible]
fn factor(number: &mut u64, factors: &mut [u64]) {
    let mut i = 0;
    let mut candidate = 2;
    while (candidate * candidate <= *number, candidate > 2) {
        while (number.is_multiple_of(candidate), factors[i] == candidate) {
            i += 1;
            factors[i] += candidate;
            let mut quotient = *number / candidate;
            swap(number, &mut quotient);
            unlet!(quotient = *number * candidate);
        }
        next(&mut candidate);
    }

    // It is the first one above the last factor whose square is above the rest.
    while (candidate > 2, candidate <= factors[i] || candidate * candidate <= *number) {
        !next(&mut candidate);
    }

    // The rest is one, or a prime that no candidate divided. Only a candidate can stand there twice.
    if (*number > 1, i > 0 && factors[i] != factors[i - 1]) {
        i += 1;
        swap(number, &mut factors[i]);
    } else {
        *number -= 1;
    }

    while (i > 0, factors[i + 1] != 0) {
        i -= 1;
    }
}

#[test]
fn of_840() {
    let (mut number, mut factors) = (840, [0; 20]);
    factor(&mut number, &mut factors);
    assert_eq!((number, &factors[..8]), (0, &[0, 2, 2, 2, 3, 5, 7, 0][..]));
    factor::inverse(&mut number, &mut factors);
    assert_eq!((number, factors), (840, [0; 20]));
}

/// Run backwards, it multiplies.
#[test]
fn multiplies_when_run_backwards() {
    let (mut number, mut factors) = (0, [0, 2, 3, 7, 11, 13, 13, 0]);
    factor::inverse(&mut number, &mut factors);
    assert_eq!((number, factors), (2 * 3 * 7 * 11 * 13 * 13, [0; 8]));
}

/// What factoring could never have left is refused.
#[test]
fn no_product_of_what_is_not_prime() {
    for factors in [[0, 3, 2, 0], [0, 2, 4, 0], [0, 1, 5, 0]] {
        let run = || factor::inverse(&mut 0, &mut factors.clone());
        let stopped = std::panic::catch_unwind(run).expect_err("no number has these factors");
        assert!(stopped.is::<InvertibilityError>(), "{factors:?}");
    }
}

proptest! {
    #[test]
    fn there_and_back(start in prop_oneof![1_u64..100, 1_u64..1_000_000]) {
        let (mut number, mut factors) = (start, [0; 32]);
        factor(&mut number, &mut factors);
        prop_assert_eq!(number, 0);
        let found: Vec<_> = factors[1..].iter().copied().take_while(|f| *f != 0).collect();
        prop_assert_eq!(found.iter().product::<u64>(), start);
        prop_assert!(found.is_sorted());
        for f in found {
            prop_assert!((2..f).take_while(|d| d * d <= f).all(|d| f % d != 0), "{} is not prime", f);
        }
        factor::inverse(&mut number, &mut factors);
        prop_assert_eq!((number, factors), (start, [0; 32]));
    }

    #[test]
    fn back_and_there(mut primes in prop::collection::vec(
        prop::sample::select(vec![2, 3, 5, 7, 11, 13, 17, 19, 97, 101]), 0..8)) {
        primes.sort();
        let product = primes.iter().product::<u64>();
        let mut factors = [0; 10];
        factors[1..=primes.len()].copy_from_slice(&primes);
        let (start, mut number) = (factors, 0);
        factor::inverse(&mut number, &mut factors);
        prop_assert_eq!((number, factors), (product, [0; 10]));
        factor(&mut number, &mut factors);
        prop_assert_eq!((number, factors), (0, start));
    }
}
